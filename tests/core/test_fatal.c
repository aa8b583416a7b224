// How the process ends by an error of ours: who listens hears of it once, and the process aborts.
#include "core/fatal.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#undef assert  // cmocka's
#undef NDEBUG  // a condition is asked here in every build
#include <assert.h>

#include "core/core.h"
#include "tests/cmocka.h"

static int heard_to;  // a pipe: what listeners write

typedef struct named {
  mr_fatal_listener base;
  const char *name;
} named;

static void tell(const char *name, const char *message) {
  char text[256];
  int size = snprintf(text, sizeof text, "%s: %s\n", name, message);
  if (write(heard_to, text, (size_t)size) != size) {
    _exit(3);
  }
}

static void hear(mr_fatal_listener *listener, const char *message) {
  tell(MR_CONTAINER_OF(listener, named, base)->name, message);
}

static named first = {{.hear = hear}, "first"}, second = {{.hear = hear}, "second"}, third = {{.hear = hear}, "third"};

// Runs `work` in a child that must end by an abort; what its listeners and its stderr say.
static void end_in_child(void (*work)(void), char *out_heard, char *out_stderr, size_t size) {
  int heard[2], errors[2];
  assert_int_equal(pipe(heard) | pipe(errors), 0);
  pid_t child = fork();
  if (child == 0) {
    heard_to = heard[1];
    dup2(errors[1], STDERR_FILENO);
    work();
    _exit(4);
  }
  close(heard[1]);
  close(errors[1]);
  const int from[] = {heard[0], errors[0]};
  char *to[] = {out_heard, out_stderr};
  for (int i = 0; i < 2; i++) {
    size_t got = 0;
    for (ssize_t more; (more = read(from[i], to[i] + got, size - 1 - got)) > 0;) {
      got += (size_t)more;
    }
    to[i][got] = '\0';
    close(from[i]);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void end_by_name(void) {
  mr_fatal_listen(&first.base);
  mr_fatal_listen(&second.base);
  mr_fatal_listen(&third.base);
  mr_fatal_unlisten(&second.base);
  mr_fatal("there are %d, wanted %d", 2, 3);
}

// Newest first, without who has stopped listening; the message is on stderr.
static void test_listeners_hear_once(void **state) {
  (void)state;
  char heard[512], errors[512];
  end_in_child(end_by_name, heard, errors, sizeof heard);
  assert_string_equal(heard, "third: there are 2, wanted 3\nfirst: there are 2, wanted 3\n");
  assert_string_equal(errors, "millrace: there are 2, wanted 3\n");
}

static void end_by_assert(void) {
  mr_fatal_listen(&first.base);
  volatile int one = 1;
  assert(one == 2);
}

// A condition of <assert.h> that does not hold is heard as well.
static void test_assert_is_heard(void **state) {
  (void)state;
  char heard[512], errors[512];
  end_in_child(end_by_assert, heard, errors, sizeof heard);
  assert_non_null(strstr(heard, "first: "));
  assert_non_null(strstr(heard, "one == 2"));
  assert_non_null(strstr(heard, "test_fatal.c"));
  assert_non_null(strstr(errors, "one == 2"));
}

static void stop_others(mr_fatal_listener *listener, const char *message) {
  mr_fatal_unlisten(listener);
  mr_fatal_unlisten(&first.base);
  tell("stops others", message);
}

static void end_while_they_stop(void) {
  static mr_fatal_listener stops = {.hear = stop_others};
  mr_fatal_listen(&second.base);
  mr_fatal_listen(&first.base);
  mr_fatal_listen(&stops);
  mr_fatal("over");
}

// A listener may stop itself and others: those are not called any more, the rest is.
static void test_listeners_may_stop(void **state) {
  (void)state;
  char heard[512], errors[512];
  end_in_child(end_while_they_stop, heard, errors, sizeof heard);
  assert_string_equal(heard, "stops others: over\nsecond: over\n");
}

static void fail_again(mr_fatal_listener *listener, const char *message) {
  (void)listener;
  tell("fails", message);
  mr_fatal("again");
}

static void end_twice(void) {
  static mr_fatal_listener fails = {.hear = fail_again};
  mr_fatal_listen(&first.base);
  mr_fatal_listen(&fails);
  mr_fatal("once");
}

// An error within a listener ends the process at once.
static void test_error_within_a_listener(void **state) {
  (void)state;
  char heard[512], errors[512];
  end_in_child(end_twice, heard, errors, sizeof heard);
  assert_string_equal(heard, "fails: once\n");
  assert_string_equal(errors, "millrace: again\n");
}

static pthread_barrier_t all_there;

static void *end_too(void *context) {
  (void)context;
  pthread_barrier_wait(&all_there);
  mr_fatal("one of four");
}

static void end_by_four(void) {
  mr_fatal_listen(&first.base);
  pthread_barrier_init(&all_there, NULL, 4);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    if (pthread_create(&threads[i], NULL, end_too, NULL) != 0) {
      _exit(5);
    }
  }
  pthread_join(threads[0], NULL);
}

// Of threads that end the process at once, one is heard.
static void test_threads_at_once(void **state) {
  (void)state;
  char heard[512], errors[512];
  for (int i = 0; i < 20; i++) {
    end_in_child(end_by_four, heard, errors, sizeof heard);
    assert_string_equal(heard, "first: one of four\n");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_listeners_hear_once), cmocka_unit_test(test_assert_is_heard),
      cmocka_unit_test(test_listeners_may_stop),  cmocka_unit_test(test_error_within_a_listener),
      cmocka_unit_test(test_threads_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
