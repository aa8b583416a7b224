// Endings, each in a process of its own: a child whose exit status says what its last function of atexit()'s has seen.
#include <stdatomic.h>
#include <string.h>

#include "core/ending.h"
#include "core/fork.h"
#include "tests/endings.h"

static bool enters(mr_inside kind) {
  mr_status status = mr_ending_enter(kind);
  bool entered = status == MR_OK;
  if (!entered && mr_status_code(status) != MR_CANCELLED) {
    _exit(WRONG);
  }
  mr_status_free(status);
  return entered;
}

static _Atomic(int) inside, calls;
static mr_ending_part nothing;

static void *call_until_refused(void *argument) {
  while (enters(MR_INSIDE_LIBRARY)) {
    atomic_store(&inside, 1);
    atomic_fetch_add(&calls, 1);
    usleep(500);
    atomic_store(&inside, 0);
    mr_ending_leave(MR_INSIDE_LIBRARY);
  }
  return argument;
}

static void live_with_calls(void) {
  mr_ending_guard(&nothing);
  start(call_until_refused);
  while (atomic_load(&calls) < 3) {
    usleep(100);
  }
}
static bool nobody_is_inside(void) {
  return atomic_load(&inside) == 0 && mr_ending_has_begun() && !enters(MR_INSIDE_LIBRARY) && !enters(MR_INSIDE_HOST);
}

// When what was made before a guard is taken apart, nobody is inside a library and nobody gets in.
static void test_calls_are_waited_for(void **state) {
  (void)state;
  assert_int_equal(status_of(live_with_calls, nobody_is_inside), RIGHT);
}

static char told[16];
static void tell(char letter) { told[strlen(told)] = letter; }
static void stop_a(void) { tell('a'); }
static void stop_b(void) { tell('b'); }
static void wait_a(void) { tell('A'); }
static void wait_c(void) { tell('C'); }
static mr_ending_part part_a = {.stop = stop_a, .wait = wait_a}, part_b = {.stop = stop_b}, part_c = {.wait = wait_c};

static void live_with_parts(void) {
  mr_ending_guard(&part_a);
  mr_ending_guard(&part_b);
  mr_ending_guard(&part_c);
  mr_ending_guard(&part_a);
}
static bool told_in_order(void) { return strcmp(told, "baCA") == 0; }

// Parts are told once each, the last that was listed first: all that they stop, then all that they wait for.
static void test_parts_in_order(void **state) {
  (void)state;
  assert_int_equal(status_of(live_with_parts, told_in_order), RIGHT);
}

static void live_inside(void) {
  mr_ending_guard(&nothing);
  if (!enters(MR_INSIDE_LIBRARY) || !enters(MR_INSIDE_HOST)) {
    _exit(WRONG);
  }
}
// Who is inside may go in once more.
static bool gets_in_again(void) { return mr_ending_has_begun() && enters(MR_INSIDE_LIBRARY) && enters(MR_INSIDE_HOST); }

// A thread that ends the process in the middle of a call does not wait for itself.
static void test_exit_inside_a_call(void **state) {
  (void)state;
  assert_int_equal(status_of(live_inside, gets_in_again), RIGHT);
}

static void *end_inside(void *argument) {
  if (!enters(MR_INSIDE_HOST) || !enters(MR_INSIDE_LIBRARY)) {
    _exit(WRONG);
  }
  pthread_exit(argument);
}
static void live_with_a_thread_that_is_over(void) {
  mr_ending_guard(&nothing);
  pthread_t thread;
  if (pthread_create(&thread, NULL, end_inside, NULL) != 0 || pthread_join(thread, NULL) != 0) {
    _exit(WRONG);
  }
}

// A thread that was ended inside a call is not waited for.
static void test_thread_ended_inside(void **state) {
  (void)state;
  assert_int_equal(status_of(live_with_a_thread_that_is_over, mr_ending_has_begun), RIGHT);
}

static void *stay_inside(void *argument) {
  if (!enters(MR_INSIDE_LIBRARY)) {
    _exit(WRONG);
  }
  atomic_store(&inside, 1);
  pause();
  return argument;
}
// The parent is inside for ever, its child ends.
static void live_and_fork(void) {
  mr_fork_library_wait_ns = 10000000;
  mr_ending_guard(&nothing);
  start(stay_inside);
  while (!atomic_load(&inside)) {
    usleep(100);
  }
  pid_t child = fork();
  if (child == 0) {
    exit(WRONG);  // look() has the last word
  }
  int status = 0;
  waitpid(child, &status, 0);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : WRONG);
}

// A forked child does not wait for threads that it does not have.
static void test_forked_child(void **state) {
  (void)state;
  assert_int_equal(status_of(live_and_fork, mr_ending_has_begun), RIGHT);
}

static _Atomic(int) others;  // 1: let in; 2: refused
static void *try_host(void *argument) {
  atomic_store(&others, enters(MR_INSIDE_HOST) ? 1 : 2);
  if (atomic_load(&others) == 1) {
    while (!atomic_load(&inside)) {
      usleep(100);
    }
    mr_ending_leave(MR_INSIDE_HOST);
  }
  return argument;
}
static void wait_for_others(void) {
  while (!atomic_load(&others)) {
    usleep(100);
  }
}
static void live_and_end_host(void) {
  mr_ending_guard(&nothing);
  start(try_host);
  wait_for_others();
  bool counted = mr_ending_end_host() == 1;
  atomic_store(&inside, 1);
  while (mr_ending_end_host()) {
    usleep(100);
  }
  bool let_in = atomic_exchange(&others, 0) == 1;
  start(try_host);
  wait_for_others();
  bool right = counted && let_in && atomic_load(&others) == 2 && enters(MR_INSIDE_HOST) && enters(MR_INSIDE_LIBRARY);
  _exit(right ? RIGHT : WRONG);
}

// When the host has ended, only the thread that said so gets into its code; who is inside is counted until it is out. Libraries go on.
static void test_end_of_host(void **state) {
  (void)state;
  assert_int_equal(status_of(live_and_end_host, mr_ending_has_begun), RIGHT);
}

static _Atomic(int) gone, back;
static int is_gone(void) { return atomic_load(&gone); }
static void *come_back(void *argument) {
  mr_ending_come_back();
  atomic_fetch_add(&back, 1);
  return argument;
}
static void live_and_stay(void) {
  mr_ending_guard(&nothing);
  mr_ending_ask_host(is_gone);
  atomic_store(&gone, 1);
  start(come_back);  // the host has not ended
  while (atomic_load(&back) < 1) {
    usleep(100);
  }
  atomic_store(&gone, 0);
  start(come_back);
  while (atomic_load(&back) < 2) {
    usleep(100);
  }
  mr_ending_end_host();
  start(come_back);  // stays, though the host is not gone yet
  while (mr_ending_held() != 1) {
    usleep(100);
  }
  atomic_store(&gone, 1);
  start(come_back);
  come_back(NULL);  // who ends it does not
}
static bool one_has_stayed(void) {
  start(come_back);
  while (mr_ending_held() != 3) {
    usleep(100);
  }
  return atomic_load(&back) == 3;
}

// From where the host has ended on, no thread comes back to it but the one that ended it.
static void test_threads_stay(void **state) {
  (void)state;
  assert_int_equal(status_of(live_and_stay, one_has_stayed), RIGHT);
}

static bool begun_first;
static void take_apart(void) { begun_first = mr_ending_has_begun(); }
static void live_with_late_objects(void) {
  mr_ending_guard(&nothing);
  for (int call = 1; call <= 4; call++) {
    if (!enters(MR_INSIDE_LIBRARY)) {
      _exit(WRONG);
    }
    if (call == 4) {
      atexit(take_apart);
    }
    mr_ending_leave(MR_INSIDE_LIBRARY);
  }
}
static bool begun_before_objects(void) { return begun_first; }

// What a library makes in its fourth call is taken apart after the end has begun, although the guard is older.
static void test_objects_of_later_calls(void **state) {
  (void)state;
  assert_int_equal(status_of(live_with_late_objects, begun_before_objects), RIGHT);
}

static void live_without_memory(void) {
  mr_ending_guard(&nothing);
  mr_alloc_fail_nth(1);
  if (!enters(MR_INSIDE_LIBRARY) || !mr_alloc_fail_nth(0)) {
    _exit(WRONG);
  }
  mr_ending_leave(MR_INSIDE_LIBRARY);
  start(call_until_refused);
  while (atomic_load(&calls) < 3) {
    usleep(100);
  }
}

// A thread that has no memory for its count goes in and comes out by the one that is for all of these, also when there is memory again by then.
static void test_no_memory(void **state) {
  (void)state;
  assert_int_equal(status_of(live_without_memory, nobody_is_inside), RIGHT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_calls_are_waited_for),
      cmocka_unit_test(test_parts_in_order),
      cmocka_unit_test(test_exit_inside_a_call),
      cmocka_unit_test(test_thread_ended_inside),
      cmocka_unit_test(test_forked_child),
      cmocka_unit_test(test_end_of_host),
      cmocka_unit_test(test_threads_stay),
      cmocka_unit_test(test_objects_of_later_calls),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
