// The future by itself: once, in order, on any thread, with any number of waiters, at any depth.
#include "tests/cmocka.h"
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "futures/futures.h"

typedef struct counter {
  mr_waiter waiter;
  int calls;
  mr_code code;
  int *order;
  int at;
} counter;

static void count(mr_waiter *waiter, mr_status status) {
  counter *self = MR_CONTAINER_OF(waiter, counter, waiter);
  self->calls++;
  self->code = status ? mr_status_code(status) : 0;
  if (self->order) {
    self->at = (*self->order)++;
  }
}

// A waiter runs exactly once whether it arrives before or after the value.
static void test_then_before_and_after_set(void **state) {
  (void)state;
  mr_future future;
  mr_future_init(&future);
  counter early = {.waiter.run = count}, late = {.waiter.run = count};
  mr_future_then(&future, &early.waiter);
  assert_int_equal(early.calls, 0);
  assert_false(mr_future_is_set(&future));
  mr_future_set(&future, MR_OK);
  assert_true(mr_future_is_set(&future));
  mr_future_then(&future, &late.waiter);
  assert_int_equal(early.calls, 1);
  assert_int_equal(late.calls, 1);
  mr_future_deinit(&future);
}

// Every waiter sees the error that the future was set with, and the future keeps it.
static void test_error_reaches_waiters(void **state) {
  (void)state;
  mr_future *future;
  assert_null(mr_future_create(&future));
  counter waiter = {.waiter.run = count};
  mr_future_then(future, &waiter.waiter);
  mr_future_set(future, mr_error(MR_NOT_FOUND, "no such thing"));
  assert_int_equal(waiter.code, MR_NOT_FOUND);
  assert_int_equal(mr_status_code(mr_future_status(future)), MR_NOT_FOUND);
  assert_string_equal(mr_status_message(mr_future_status(future)), "no such thing");
  mr_future_release(future);
}

typedef struct patient {
  mr_waiter waiter;
  bool again;
  int *order;
  int at, first_at;
  mr_future *other;  // set by the time that it runs last
} patient;

static void be_patient(mr_waiter *waiter, mr_status status) {
  patient *self = MR_CONTAINER_OF(waiter, patient, waiter);
  if (!self->again) {
    self->again = true;
    self->first_at = (*self->order)++;
    mr_future_run_last(waiter);
    return;
  }
  assert_null(status);
  assert_true(mr_future_is_set(self->other));
  self->at = (*self->order)++;
}

// Who wants to run last does so behind all others of all futures that are set together, in the order of asking.
static void test_run_last(void **state) {
  (void)state;
  for (int failed = 0; failed < 2; failed++) {
    int order = 0;
    mr_future a, b;
    mr_future_init(&a);
    mr_future_init(&b);
    patient first = {.waiter.run = be_patient, .order = &order, .other = &b}, second = first;
    counter behind = {.waiter.run = count, .order = &order}, of_b = behind;
    mr_future_then(&a, &first.waiter);
    mr_future_then(&a, &second.waiter);
    mr_future_then(&a, &behind.waiter);
    mr_future_then(&b, &of_b.waiter);
    mr_future_begin_sets();
    mr_future_set(&a, failed ? mr_error(MR_NOT_FOUND, "no such thing") : MR_OK);
    mr_future_set(&b, MR_OK);
    assert_int_equal(order, 4);
    mr_future_end_sets();
    assert_int_equal(first.first_at, 0);
    assert_int_equal(second.first_at, 1);
    assert_int_equal(behind.at, 2);
    assert_int_equal(of_b.at, 3);
    assert_int_equal(first.at, 4);
    assert_int_equal(second.at, 5);
    mr_future_deinit(&a);
    mr_future_deinit(&b);
  }
}

// Who waits runs what it has put off: it may be what sets the future.
static void set_other(mr_waiter *waiter, mr_status status) {
  (void)status;
  patient *self = MR_CONTAINER_OF(waiter, patient, waiter);
  if (!self->again) {
    self->again = true;
    mr_future_run_last(waiter);
  } else {
    mr_future_set(self->other, MR_OK);
  }
}

static void wait_for_other(mr_waiter *waiter, mr_status status) {
  (void)status;
  mr_future_wait(MR_CONTAINER_OF(waiter, patient, waiter)->other);
}

static void test_a_wait_runs_what_is_last(void **state) {
  (void)state;
  mr_future a, b;
  mr_future_init(&a);
  mr_future_init(&b);
  patient sets = {.waiter.run = set_other, .other = &b}, waits = {.waiter.run = wait_for_other, .other = &b};
  mr_future_then(&a, &sets.waiter);
  mr_future_then(&a, &waits.waiter);
  mr_future_set(&a, MR_OK);
  assert_true(mr_future_is_set(&b));
  mr_future_deinit(&a);
  mr_future_deinit(&b);
}

// Waiters run in the order in which they came.
static void test_oldest_first(void **state) {
  (void)state;
  enum { COUNT = 5000 };
  mr_future future;
  mr_future_init(&future);
  int order = 0;
  counter *waiters = calloc(COUNT, sizeof *waiters);
  for (int i = 0; i < COUNT; i++) {
    waiters[i] = (counter){.waiter.run = count, .order = &order};
    mr_future_then(&future, &waiters[i].waiter);
  }
  mr_future_set(&future, MR_OK);
  for (int i = 0; i < COUNT; i++) {
    assert_int_equal(waiters[i].at, i);
  }
  free(waiters);
  mr_future_deinit(&future);
}

// Of several that try, one wins, and the others' errors are freed.
static void test_try_set_once(void **state) {
  (void)state;
  mr_future future;
  mr_future_init(&future);
  assert_true(mr_future_try_set(&future, mr_error(MR_CANCELLED, "first")));
  assert_false(mr_future_try_set(&future, mr_error(MR_INTERNAL, "second")));
  assert_false(mr_future_try_set(&future, MR_OK));
  assert_int_equal(mr_status_code(mr_future_status(&future)), MR_CANCELLED);
  mr_future_deinit(&future);
}

typedef struct link {
  mr_waiter waiter;
  mr_future future;
} link;

static void pass_on(mr_waiter *waiter, mr_status status) {
  link *self = MR_CONTAINER_OF(waiter, link, waiter);
  mr_future_set(&self->future, mr_status_retain(status));
}

static void run_chain(mr_status take_status) {
  enum { LENGTH = 200000 };
  link *links = calloc(LENGTH, sizeof *links);
  for (int i = 0; i < LENGTH; i++) {
    mr_future_init(&links[i].future);
  }
  for (int i = LENGTH - 1; i > 0; i--) {
    links[i].waiter.run = pass_on;
    mr_future_then(&links[i - 1].future, &links[i].waiter);
  }
  mr_code code = take_status ? mr_status_code(take_status) : 0;
  mr_future_set(&links[0].future, take_status);
  assert_true(mr_future_is_set(&links[LENGTH - 1].future));
  mr_status last = mr_future_status(&links[LENGTH - 1].future);
  assert_int_equal(last ? mr_status_code(last) : 0, code);
  for (int i = 0; i < LENGTH; i++) {
    mr_future_deinit(&links[i].future);
  }
  free(links);
}

static void *run_chains(void *unused) {
  (void)unused;
  run_chain(MR_OK);
  run_chain(mr_error(MR_ABORTED, "from far away"));
  return NULL;
}

// A chain of any length, good or bad, needs a bounded stack.
static void test_long_chain_small_stack(void **state) {
  (void)state;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, &attributes, run_chains, NULL), 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
}

typedef struct nested_wait {
  mr_waiter waiter;
  mr_future inner;
  counter inner_waiter;
  int depth;
  struct nested_wait *next;
  bool ok;
} nested_wait;

static void set_and_wait(mr_waiter *waiter, mr_status status) {
  (void)status;
  nested_wait *self = MR_CONTAINER_OF(waiter, nested_wait, waiter);
  if (self->next) {
    mr_future_set(&self->inner, MR_OK);
  }
  if (!self->next) {
    // Deep inside: what this thread put off must still run before it sleeps.
    mr_future a, b;
    mr_future_init(&a);
    mr_future_init(&b);
    link l = {.waiter.run = pass_on};
    mr_future_init(&l.future);
    mr_future_then(&a, &l.waiter);
    mr_future_set(&a, MR_OK);
    mr_future_wait(&l.future);
    self->ok = true;
  }
}

// A callback that waits for what it has set in motion on the same thread gets it, however deep it is.
static void test_wait_inside_callbacks(void **state) {
  (void)state;
  enum { DEPTH = 60 };
  nested_wait *levels = calloc(DEPTH, sizeof *levels);
  for (int i = 0; i < DEPTH; i++) {
    levels[i].waiter.run = set_and_wait;
    mr_future_init(&levels[i].inner);
    if (i) {
      levels[i - 1].next = &levels[i];
      mr_future_then(&levels[i - 1].inner, &levels[i].waiter);
    }
  }
  mr_future first;
  mr_future_init(&first);
  mr_future_then(&first, &levels[0].waiter);
  mr_future_set(&first, MR_OK);
  assert_true(levels[DEPTH - 1].ok);
  free(levels);
}

// Dropping a future that was never set tells its waiters.
static void test_dropped_future_aborts(void **state) {
  (void)state;
  mr_future *future;
  assert_null(mr_future_create(&future));
  counter waiter = {.waiter.run = count};
  mr_future_then(future, &waiter.waiter);
  mr_future_release(future);
  assert_int_equal(waiter.calls, 1);
  assert_int_equal(waiter.code, MR_ABORTED);
}

static void release_it(void *context, mr_status status) {
  (void)status;
  mr_future_release(context);
}

// A callback may drop the last reference, with the status that it is being shown.
static void test_callback_may_drop_future(void **state) {
  (void)state;
  for (int late = 0; late < 2; late++) {
    mr_future *future;
    assert_null(mr_future_create(&future));
    if (!late) {
      assert_null(mr_future_on_ready(future, release_it, mr_future_retain(future)));
    }
    mr_future_set(future, mr_error(MR_INTERNAL, "gone"));
    if (late) {
      assert_null(mr_future_on_ready(future, release_it, future));
    } else {
      mr_future_release(future);
    }
  }
}

// A wait with a deadline comes back, leaves nothing behind, and can be repeated.
static void test_wait_until(void **state) {
  (void)state;
  mr_future future;
  mr_future_init(&future);
  for (int i = 0; i < 3; i++) {
    assert_false(mr_future_wait_until(&future, mr_now_ns() + 200000));
  }
  assert_false(mr_future_wait_until(&future, 0));
  mr_future_set(&future, MR_OK);
  assert_true(mr_future_wait_until(&future, 0));
  mr_future_deinit(&future);
}

// ---- Joins and promises ---------------------------------------------------------------------------------------------

static void test_all(void **state) {
  (void)state;
  mr_future inputs[3], *pointers[3];
  for (int i = 0; i < 3; i++) {
    mr_future_init(&inputs[i]);
    pointers[i] = &inputs[i];
  }
  mr_future *all;
  assert_null(mr_future_all(pointers, 3, &all));
  mr_future_set(&inputs[1], mr_error(MR_NOT_FOUND, "one"));
  mr_future_set(&inputs[0], mr_error(MR_INTERNAL, "zero"));
  assert_false(mr_future_is_set(all));
  mr_future_set(&inputs[2], MR_OK);
  assert_int_equal(mr_status_code(mr_future_status(all)), MR_NOT_FOUND);
  mr_future_release(all);
  for (int i = 0; i < 3; i++) {
    mr_future_deinit(&inputs[i]);
  }
}

// The join of nothing is done.
static void test_all_of_none(void **state) {
  (void)state;
  mr_future *all;
  assert_null(mr_future_all(NULL, 0, &all));
  assert_true(mr_future_is_set(all));
  mr_future_release(all);
}

static void test_any(void **state) {
  (void)state;
  for (int good = 0; good < 2; good++) {
    mr_future inputs[3], *pointers[3];
    for (int i = 0; i < 3; i++) {
      mr_future_init(&inputs[i]);
      pointers[i] = &inputs[i];
    }
    mr_future *any;
    assert_null(mr_future_any(pointers, 3, &any));
    mr_future_set(&inputs[2], mr_error(MR_INTERNAL, "two"));
    assert_false(mr_future_is_set(any));
    mr_future_set(&inputs[0], good ? MR_OK : mr_error(MR_INTERNAL, "zero"));
    assert_int_equal(mr_future_is_set(any), good);
    mr_future_set(&inputs[1], mr_error(MR_NOT_FOUND, "one"));
    assert_true(mr_future_is_set(any));
    assert_int_equal(mr_future_status(any) ? mr_status_code(mr_future_status(any)) : 0, good ? 0 : MR_NOT_FOUND);
    mr_future_release(any);
    for (int i = 0; i < 3; i++) {
      mr_future_deinit(&inputs[i]);
    }
  }
}

// Each allocation that fails is a status, and nothing is left behind.
static void test_allocation_failure(void **state) {
  (void)state;
  mr_future input, *pointers[64];
  mr_future_init(&input);
  for (int i = 0; i < 64; i++) {
    pointers[i] = &input;
  }
  for (uint64_t nth = 1;; nth++) {
    mr_alloc_fail_nth(nth);
    mr_future *all = NULL;
    mr_status status = mr_future_all(pointers, 64, &all);
    mr_alloc_fail_nth(0);
    if (!status) {
      mr_future_set(&input, MR_OK);
      assert_true(mr_future_is_set(all));
      mr_future_release(all);
      break;
    }
    assert_null(all);
    assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
    mr_status_free(status);
    assert_true(nth < 100);
  }
}

static void *sleep_on(void *future) {
  mr_future_sleep_until(future, 0);
  return NULL;
}

// It wakes threads that sleep, and leaves a future alone that has a waiter, or is set.
static void test_set_for_sleepers(void **state) {
  (void)state;
  mr_future future;
  mr_future_init(&future);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, sleep_on, &future), 0);
  while (!(atomic_load(&future.state) & MR_FUTURE_SLEEPERS)) {
    sched_yield();
  }
  assert_true(mr_future_set_for_sleepers(&future));
  pthread_join(thread, NULL);
  assert_true(mr_future_is_set(&future) && !mr_future_status(&future));
  assert_false(mr_future_set_for_sleepers(&future));
  mr_future_deinit(&future);

  counter waiter = {.waiter.run = count};
  mr_future_init(&future);
  mr_future_then(&future, &waiter.waiter);
  assert_false(mr_future_set_for_sleepers(&future));
  assert_false(mr_future_is_set(&future));
  mr_future_set(&future, MR_OK);
  assert_int_equal(waiter.calls, 1);
  mr_future_deinit(&future);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_then_before_and_after_set),
      cmocka_unit_test(test_error_reaches_waiters),
      cmocka_unit_test(test_oldest_first),
      cmocka_unit_test(test_run_last),
      cmocka_unit_test(test_a_wait_runs_what_is_last),
      cmocka_unit_test(test_try_set_once),
      cmocka_unit_test(test_long_chain_small_stack),
      cmocka_unit_test(test_wait_inside_callbacks),
      cmocka_unit_test(test_dropped_future_aborts),
      cmocka_unit_test(test_callback_may_drop_future),
      cmocka_unit_test(test_wait_until),
      cmocka_unit_test(test_set_for_sleepers),
      cmocka_unit_test(test_all),
      cmocka_unit_test(test_all_of_none),
      cmocka_unit_test(test_any),
      cmocka_unit_test(test_allocation_failure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
