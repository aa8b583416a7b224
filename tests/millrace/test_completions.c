// Queues of completions: what is told, in which order, when the descriptor is readable, and what many threads make of it.
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#include "tests/millrace/model_harness.h"

static bool is_readable(const millrace_completions *queue) {
  struct pollfd file = {.fd = millrace_completions_fd(queue), .events = POLLIN};
  return poll(&file, 1, 0) == 1;
}

static millrace_completions *make_queue(void) {
  millrace_completions *queue;
  ok(millrace_completions_create(&queue));
  return queue;
}

static void *tag_of(uintptr_t number) { return (void *)number; }

static void test_events(void **state) {
  (void)state;
  millrace_completions *queue = make_queue();
  millrace_completion got[4];
  assert_false(is_readable(queue));
  assert_int_equal(millrace_completions_take(queue, got, 4), 0);
  millrace_event *event;
  ok(millrace_event_create(&event));
  ok(millrace_completions_add(queue, event, tag_of(1)));
  assert_false(is_readable(queue));
  ok(millrace_completions_add(queue, NULL, tag_of(2)));  // it has happened
  assert_true(is_readable(queue));
  assert_int_equal(millrace_completions_take(queue, got, 4), 1);
  assert_ptr_equal(got[0].tag, tag_of(2));
  assert_null(got[0].error);
  assert_false(is_readable(queue));
  assert_true(millrace_event_set(event, millrace_error_create(MILLRACE_DATA_LOSS, "torn")));
  assert_true(is_readable(queue));
  assert_int_equal(millrace_completions_wait(queue, got, 4, UINT64_MAX), 1);
  assert_ptr_equal(got[0].tag, tag_of(1));
  fails_with(got[0].error, MILLRACE_DATA_LOSS, "torn");
  millrace_event_release(event);
  millrace_completions_release(queue);
}

// What does not fit stays, in order, and the descriptor says so.
static void test_room(void **state) {
  (void)state;
  millrace_completions *queue = make_queue();
  millrace_completion got[3];
  for (uintptr_t i = 0; i < 7; i++) {
    ok(millrace_completions_add(queue, NULL, tag_of(i)));
  }
  for (uintptr_t i = 0; i < 7; i += 3) {
    assert_true(is_readable(queue));
    size_t count = millrace_completions_take(queue, got, 3);
    assert_int_equal(count, i < 6 ? 3 : 1);
    for (size_t k = 0; k < count; k++) {
      assert_ptr_equal(got[k].tag, tag_of(i + k));
    }
  }
  assert_false(is_readable(queue));
  uint64_t start = mr_now_ns();
  assert_int_equal(millrace_completions_wait(queue, got, 3, 20000000), 0);
  assert_true(mr_now_ns() - start >= 20000000);
  millrace_completions_release(queue);
}

// A queue may go with completions in it, and before what it waits for.
static void test_released(void **state) {
  (void)state;
  millrace_completions *queue = make_queue();
  millrace_event *event;
  ok(millrace_event_create(&event));
  ok(millrace_completions_add(queue, event, NULL));
  ok(millrace_completions_add(queue, NULL, NULL));
  millrace_completions_release(queue);
  assert_true(millrace_event_set(event, millrace_error_create(MILLRACE_ABORTED, "late")));
  millrace_event_release(event);
}

// Executions, here and on another thread, that go well, that fail, that are stopped.
static void test_executions(void **state) {
  (void)state;
  millrace_completions *queue = make_queue();
  millrace_program *program = load_program(add_program), *heavy = load_program(heavy_program);
  millrace_buffer *in[] = {four_floats(1, 2, 3, 4), four_floats(1, 1, 1, 1)}, *large = heavy_floats(0.5f), *out[3];
  millrace_execute_options options = {.struct_size = sizeof options, .completions = queue, .tag = tag_of(1)};
  ok(millrace_execute_with(program, device, in, 2, &options, &out[0], 1, NULL));
  options.tag = tag_of(2);
  options.elsewhere = true;
  ok(millrace_execute_with(program, device, in, 2, &options, &out[1], 1, NULL));
  options.tag = tag_of(3);
  millrace_event *event;
  ok(millrace_execute_with(heavy, device, &large, 1, &options, &out[2], 1, &event));
  fails_with(millrace_execute_with(heavy, device, in, 2, &options, &out[2], 1, NULL), MILLRACE_INVALID_ARGUMENT,
             "2 arguments");
  bool seen[4] = {false};
  for (int left = 3; left > 0;) {
    millrace_completion got[2];
    size_t count = millrace_completions_wait(queue, got, 2, UINT64_MAX);
    for (size_t i = 0; i < count; i++) {
      assert_null(got[i].error);
      assert_false(seen[(uintptr_t)got[i].tag]);
      seen[(uintptr_t)got[i].tag] = true;
    }
    left -= (int)count;
  }
  holds(out[1], 4, (const float[]){2, 3, 4, 5});
  ok(millrace_event_wait(event));
  millrace_event_release(event);
  // An input that fails.
  millrace_transfers *transfers;
  millrace_buffer *late;
  ok(millrace_transfers_create(device, &(millrace_type){.dtype = MILLRACE_F32, .dims = (int64_t[]){4}, .rank = 1}, 1,
                               &transfers));
  ok(millrace_transfers_buffer(transfers, 0, &late));
  millrace_buffer_release(out[0]);
  ok(millrace_execute_with(program, device, (millrace_buffer *[]){late, in[0]}, 2, &options, &out[0], 1, NULL));
  millrace_completion got;
  assert_int_equal(millrace_completions_take(queue, &got, 1), 0);
  ok(millrace_transfers_fail(transfers, 0, millrace_error_create(MILLRACE_UNAVAILABLE, "the disk is gone")));
  assert_int_equal(millrace_completions_wait(queue, &got, 1, UINT64_MAX), 1);
  fails_with(got.error, MILLRACE_UNAVAILABLE, "the disk is gone");
  millrace_transfers_release(transfers);
  millrace_buffer_release(late);
  for (int i = 0; i < 3; i++) {
    millrace_buffer_release(out[i]);
  }
  for (int i = 0; i < 2; i++) {
    millrace_buffer_release(in[i]);
  }
  millrace_buffer_release(large);
  millrace_program_release(program);
  millrace_program_release(heavy);
  millrace_completions_release(queue);
}

// ---- Many threads -----------------------------------------------------------------------------------------------------------------

enum { THREADS = 3, EACH = 20000 };

static void *add_many(void *queue) {
  static _Atomic(uintptr_t) next = 1;
  for (int i = 0; i < EACH; i++) {
    ok(millrace_completions_add(queue, NULL, tag_of(atomic_fetch_add(&next, 1))));
  }
  return NULL;
}

// Every one is taken once, by a loop that only looks when the descriptor is readable.
static void test_threads(void **state) {
  (void)state;
  millrace_completions *queue = make_queue();
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, add_many, queue), 0);
  }
  uint8_t *seen = calloc(THREADS * EACH + 1, 1);
  for (size_t left = (size_t)THREADS * EACH; left > 0;) {
    struct pollfd file = {.fd = millrace_completions_fd(queue), .events = POLLIN};
    if (poll(&file, 1, 10000) != 1) {
      fail_msg("%zu completions are not announced", left);
    }
    millrace_completion got[16];
    size_t count = millrace_completions_take(queue, got, 16);
    for (size_t i = 0; i < count; i++) {
      assert_int_equal(seen[(uintptr_t)got[i].tag]++, 0);
    }
    left -= count;
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  free(seen);
  millrace_completions_release(queue);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_events), cmocka_unit_test(test_room),
                                     cmocka_unit_test(test_released), cmocka_unit_test(test_executions),
                                     cmocka_unit_test(test_threads)};
  return cmocka_run_group_tests(tests, start_context, stop_context);
}
