// Owners of things that come and go on any thread: they go with the last of them, once.
#include "core/tally.h"

#include <pthread.h>
#include <stdlib.h>

#include "tests/cmocka.h"

typedef struct counted {
  mr_tally_owner owner;
  _Atomic(int) gone;  // relaxed, read after threads were joined
  int content;        // what things use, and the end takes away
} counted;

static void is_gone(mr_tally_owner *owner) {
  counted *self = MR_CONTAINER_OF(owner, counted, owner);
  self->content = -1;  // a race with whoever has a thing still
  atomic_fetch_add_explicit(&self->gone, 1, memory_order_relaxed);
}

static void open_owner(counted *self) {
  *self = (counted){.owner.gone = is_gone, .content = 7};
  mr_tally_open(&self->owner);
}

static int times_gone(counted *self) { return atomic_load_explicit(&self->gone, memory_order_relaxed); }

// An owner without things goes when it closes.
static void test_alone(void **state) {
  (void)state;
  counted owner;
  open_owner(&owner);
  mr_tally_begin(owner.owner.number);
  mr_tally_end(owner.owner.number);
  assert_int_equal(times_gone(&owner), 0);
  mr_tally_close(&owner.owner);
  assert_int_equal(times_gone(&owner), 1);
}

// One with things goes with the last, whoever else has some.
static void test_waits(void **state) {
  (void)state;
  counted owner, other;
  open_owner(&owner);
  open_owner(&other);
  assert_int_not_equal(owner.owner.number, other.owner.number);
  mr_tally_begin(owner.owner.number);
  mr_tally_begin(owner.owner.number);
  mr_tally_begin(other.owner.number);
  mr_tally_close(&owner.owner);
  mr_tally_end(owner.owner.number);
  mr_tally_end(other.owner.number);
  assert_int_equal(times_gone(&owner), 0);
  mr_tally_begin(owner.owner.number);  // as who has one may
  mr_tally_end(owner.owner.number);
  assert_int_equal(times_gone(&owner), 0);
  mr_tally_end(owner.owner.number);
  assert_int_equal(times_gone(&owner), 1);
  assert_int_equal(times_gone(&other), 0);
  mr_tally_close(&other.owner);
  assert_int_equal(times_gone(&other), 1);
}

// More owners than numbers: all go, at the latest when those that have the number in common have nothing.
static void test_more_owners_than_numbers(void **state) {
  (void)state;
  enum { OWNERS = 2 * MR_TALLIES + 5 };
  static counted owners[OWNERS];
  for (int i = 0; i < OWNERS; i++) {
    open_owner(&owners[i]);
    mr_tally_begin(owners[i].owner.number);
    mr_tally_close(&owners[i].owner);
  }
  for (int i = OWNERS - 1; i >= 0; i--) {
    assert_int_equal(times_gone(&owners[i]), 0);
    mr_tally_end(owners[i].owner.number);
  }
  for (int i = 0; i < OWNERS; i++) {
    assert_int_equal(times_gone(&owners[i]), 1);
  }
}

enum { THREADS = 4, ROUNDS = MR_TEST_SANITIZED ? 300 : 3000 };

typedef struct user {
  pthread_barrier_t *start;
  counted *owner;
  int wrong;
} user;

// Has a thing, from which others come on this thread and go.
static void *use(void *arg) {
  user *self = arg;
  uint8_t number = self->owner->owner.number;
  pthread_barrier_wait(self->start);
  for (int i = 0; i < 20; i++) {
    mr_tally_begin(number);
    mr_tally_end(number);
  }
  self->wrong += self->owner->content != 7;
  mr_tally_end(number);
  return NULL;
}

// While the owner closes threads let go of the last things: whichever comes last, the owner goes once, and not before.
static void test_ends_at_once(void **state) {
  (void)state;
  for (int round = 0; round < ROUNDS; round++) {
    counted *owner = malloc(sizeof *owner);
    pthread_barrier_t start;
    pthread_t threads[THREADS];
    user users[THREADS];
    assert_non_null(owner);
    open_owner(owner);
    pthread_barrier_init(&start, NULL, THREADS + 1);
    for (int t = 0; t < THREADS; t++) {
      users[t] = (user){&start, owner, 0};
      mr_tally_begin(owner->owner.number);
      assert_int_equal(pthread_create(&threads[t], NULL, use, &users[t]), 0);
    }
    pthread_barrier_wait(&start);
    mr_tally_close(&owner->owner);
    for (int t = 0; t < THREADS; t++) {
      pthread_join(threads[t], NULL);
      assert_int_equal(users[t].wrong, 0);
    }
    assert_int_equal(times_gone(owner), 1);
    pthread_barrier_destroy(&start);
    free(owner);
  }
}

// What one thread begins another ends, over and over, and each thread that has ended leaves its counts behind.
static void *end_one(void *number) {
  mr_tally_end((uint8_t)(uintptr_t)number);
  return NULL;
}

static void test_other_threads_end(void **state) {
  (void)state;
  counted owner;
  open_owner(&owner);
  for (int i = 0; i < 50; i++) {
    pthread_t thread;
    mr_tally_begin(owner.owner.number);
    if (i == 49) {
      mr_tally_close(&owner.owner);
      assert_int_equal(times_gone(&owner), 0);
    }
    assert_int_equal(pthread_create(&thread, NULL, end_one, (void *)(uintptr_t)owner.owner.number), 0);
    pthread_join(thread, NULL);
  }
  assert_int_equal(times_gone(&owner), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alone),
      cmocka_unit_test(test_waits),
      cmocka_unit_test(test_more_owners_than_numbers),
      cmocka_unit_test(test_ends_at_once),
      cmocka_unit_test(test_other_threads_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
