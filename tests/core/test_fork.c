// Forks beside threads that are in the middle of something: what the child finds.
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/ending.h"
#include "core/fork.h"
#include "core/tidy.h"
#include "tests/cmocka.h"

enum { ROUNDS = 50 };

static _Atomic(int) rounds, stops, inside, refused;

static bool child_is_right(bool (*look)(void)) {
  pid_t child = fork();
  if (!child) {
    alarm(20);  // a lock that is nobody's is waited for in vain
    _exit(look() ? 0 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void begin(pthread_t *threads, int count, void *(*run)(void *)) {
  atomic_store(&stops, 0);
  atomic_store(&rounds, 0);
  for (int k = 0; k < count; k++) {
    assert_int_equal(pthread_create(&threads[k], NULL, run, NULL), 0);
  }
  while (atomic_load(&rounds) < 3) {
    usleep(100);
  }
}

static void end(const pthread_t *threads, int count) {
  atomic_store(&stops, 1);
  for (int k = 0; k < count; k++) {
    pthread_join(threads[k], NULL);
  }
}

// A library, which has a lock of its own.
static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;
static bool call_library(void) {
  mr_status status = mr_ending_enter(MR_INSIDE_LIBRARY);
  if (status) {
    mr_status_free(status);
    return false;
  }
  pthread_mutex_lock(&library);
  atomic_fetch_add(&inside, 1);
  usleep(200);
  atomic_fetch_sub(&inside, 1);
  pthread_mutex_unlock(&library);
  mr_ending_leave(MR_INSIDE_LIBRARY);
  return true;
}
static void *call_on(void *argument) {
  while (!atomic_load(&stops)) {
    if (!call_library()) {
      atomic_fetch_add(&refused, 1);
    }
    atomic_fetch_add(&rounds, 1);
  }
  return argument;
}
static bool library_is_free(void) { return atomic_load(&inside) == 0 && call_library(); }

// Nobody is inside a library when the process is copied, and nobody is refused because of it.
static void test_beside_a_library(void **state) {
  (void)state;
  pthread_t threads[3];
  begin(threads, 3, call_on);
  for (int k = 0; k < ROUNDS; k++) {
    assert_true(child_is_right(library_is_free));
  }
  int before = atomic_load(&rounds);
  while (atomic_load(&rounds) < before + 3) {  // they go on
    usleep(100);
  }
  end(threads, 3);
  assert_int_equal(atomic_load(&refused), 0);
}

MR_FORK_LOCK(lock);
MR_FORK_LOCK(other_lock);
static void nest(pthread_mutex_t *outer, pthread_mutex_t *inner) {
  pthread_mutex_lock(outer);
  pthread_mutex_lock(inner);
  usleep(50);
  pthread_mutex_unlock(inner);
  pthread_mutex_unlock(outer);
}
static void *lock_on(void *argument) {
  while (!atomic_load(&stops)) {
    nest(&lock, &other_lock);
    atomic_fetch_add(&rounds, 1);
  }
  return argument;
}
static void *lock_and_call_on(void *argument) {
  while (!atomic_load(&stops)) {
    pthread_mutex_lock(&other_lock);
    call_library();
    pthread_mutex_unlock(&other_lock);
    usleep(50);
    atomic_fetch_add(&rounds, 1);
  }
  return argument;
}
static bool locks_are_free(void) {
  nest(&lock, &other_lock);
  return call_library();
}

// Whichever way they are nested, and with a library inside one.
static void test_beside_locks(void **state) {
  (void)state;
  pthread_t threads[3];
  begin(threads, 2, lock_on);
  assert_int_equal(pthread_create(&threads[2], NULL, lock_and_call_on, NULL), 0);
  for (int k = 0; k < ROUNDS; k++) {
    assert_true(child_is_right(locks_are_free));
  }
  end(threads, 3);
}

static void *stay_inside(void *argument) {
  mr_status status = mr_ending_enter(MR_INSIDE_LIBRARY);
  atomic_store(&rounds, 3);
  while (!atomic_load(&stops)) {
    usleep(100);
  }
  mr_ending_leave(MR_INSIDE_LIBRARY);
  mr_status_free(status);
  return argument;
}
static bool another_enters(void) {
  mr_status status = mr_ending_enter(MR_INSIDE_LIBRARY);
  mr_status_free(status);
  return !status;
}

// A call that takes for ever holds a fork up for so long and no longer; the child has nothing to do with it.
static void test_a_call_that_stays(void **state) {
  (void)state;
  mr_fork_library_wait_ns = 20000000;
  pthread_t thread;
  begin(&thread, 1, stay_inside);
  assert_true(child_is_right(another_enters));
  end(&thread, 1);
  mr_fork_library_wait_ns = MR_FORK_LIBRARY_WAIT_S * (uint64_t)1000000000;
}

static bool fork_again(void) { return child_is_right(library_is_free); }
static void *fork_on(void *argument) {
  while (!atomic_load(&stops)) {
    if (!child_is_right(fork_again)) {
      atomic_fetch_add(&refused, 1);
    }
    atomic_fetch_add(&rounds, 1);
  }
  return argument;
}

// Several threads fork at once, and children do.
static void test_forks_beside_forks(void **state) {
  (void)state;
  pthread_t forking[2], calling[2];
  begin(calling, 2, call_on);
  begin(forking, 2, fork_on);
  while (atomic_load(&rounds) < ROUNDS) {
    usleep(1000);
  }
  end(forking, 2);
  end(calling, 2);
  assert_int_equal(atomic_load(&refused), 0);
}

static bool add_and_remove(void) {
  static pthread_mutex_t mutexes[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
  static mr_fork_lock listed[3];
  for (int k = 0; k < 3; k++) {
    listed[k].lock = &mutexes[k];
    mr_fork_add_lock(&listed[k]);
  }
  mr_fork_remove_lock(&listed[1]);
  mr_fork_remove_lock(&listed[2]);
  mr_fork_remove_lock(&listed[0]);
  return locks_are_free();
}

// A lock that is taken off the list is no matter of a fork's: neither in the parent nor in a child.
static void test_lists(void **state) {
  (void)state;
  assert_true(add_and_remove());
  assert_true(child_is_right(add_and_remove));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_beside_a_library), cmocka_unit_test(test_beside_locks),
                                     cmocka_unit_test(test_a_call_that_stays),
                                     cmocka_unit_test(test_forks_beside_forks), cmocka_unit_test(test_lists)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
