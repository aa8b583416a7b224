// Pieces of the host's bytes on their way to where they belong: on nodes, in order where that is asked for, each byte once.
#include <stdlib.h>
#include <string.h>

#include "devices/devices.h"
#include "devices/tuning.h"
#include "tests/held_memory.h"

enum { BIG = 5 << 20 };

static mr_platform *platform;
static mr_device *device;

static int open_platform(void **state) {
  (void)state;
  assert_null(mr_platform_create(&(mr_platform_options){.num_devices = 1}, &platform));
  device = mr_platform_device(platform, 0);
  return 0;
}

static int close_platform(void **state) {
  (void)state;
  mr_platform_release(platform);
  return 0;
}

static mr_future *send(void *to, const void *from, size_t bytes, mr_future *after) {
  mr_future *done;
  const mr_piece piece = {.device = device, .name = "a piece", .to = to, .from = from, .bytes = bytes, .dtype = MR_U8};
  assert_null(mr_piece_send(&piece, &after, after != NULL, &done));
  assert_non_null(done);
  return done;
}

static void expect_over(mr_future *take_done) {
  mr_future_wait(take_done);
  assert_null(mr_future_status(take_done));
  mr_future_release(take_done);
}

static void expect_bytes(const char *bytes, size_t count, char wanted) {
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] != wanted) {
      fail_msg("byte %zu is %d, wanted %d", i, bytes[i], wanted);
    }
  }
}

// The call returns while nothing can be copied, and it is over only after the bytes are there.
static void test_the_call_returns_at_once(void **state) {
  (void)state;
  char *from = held_memory_open(BIG), *to = calloc(1, BIG);
  memset(from, 7, BIG);
  held_memory_hold();
  mr_future *done = send(to, from, BIG, NULL);
  assert_false(held_memory_was_read_here());
  held_memory_until_waited();
  assert_false(mr_future_is_set(done));
  held_memory_let_go();
  expect_over(done);
  expect_bytes(to, BIG, 7);
  held_memory_close();
  free(to);
}

// One that comes after another overwrites what both have, however short it is and however long the first one takes.
static void test_order(void **state) {
  (void)state;
  char *from = held_memory_open(BIG), *to = calloc(1, BIG), *twos = malloc(BIG);
  memset(from, 1, BIG);
  memset(twos, 2, BIG);
  held_memory_hold();
  mr_future *first = send(to, from, BIG, NULL), *second = send(to + 100, twos, 50, first),
            *third = send(to + BIG / 2, twos, BIG / 2, first);
  held_memory_until_waited();
  assert_false(mr_future_is_set(second) || mr_future_is_set(third));
  held_memory_let_go();
  expect_over(second);
  expect_over(third);
  expect_over(first);
  expect_bytes(to, 100, 1);
  expect_bytes(to + 100, 50, 2);
  expect_bytes(to + 150, BIG / 2 - 150, 1);
  expect_bytes(to + BIG / 2, BIG / 2, 2);
  held_memory_close();
  free(to);
  free(twos);
}

// Every byte comes to its place and none beside it, wherever the cuts between cores fall.
static void test_all_sizes(void **state) {
  (void)state;
  static const size_t sizes[] = {0,
                                 1,
                                 63,
                                 MR_PIECE_INLINE,
                                 MR_PIECE_INLINE + 1,
                                 MR_COPY_PARALLEL - 1,
                                 MR_COPY_PARALLEL,
                                 MR_COPY_PARALLEL + 1,
                                 3 * MR_COPY_TILE + 17,
                                 8 * MR_COPY_TILE,
                                 BIG - 1};
  unsigned char *from = malloc(BIG), *to = malloc(BIG + 2);
  for (size_t i = 0; i < BIG; i++) {
    from[i] = (unsigned char)(i * 31 + (i >> 8));
  }
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    memset(to, 0xee, BIG + 2);
    expect_over(send(to + 1, from, sizes[s], NULL));
    assert_int_equal(to[0], 0xee);
    assert_memory_equal(to + 1, from, sizes[s]);
    assert_int_equal(to[1 + sizes[s]], 0xee);
  }
  free(from);
  free(to);
}

// Of elements that are narrower than a byte nothing is above their bits.
static void test_narrow(void **state) {
  (void)state;
  char *from = malloc(BIG), *to = malloc(BIG);
  memset(from, 0xf5, BIG);
  mr_future *done;
  const mr_piece piece = {.device = device, .name = "narrow", .to = to, .from = from, .bytes = BIG, .dtype = MR_U4};
  assert_null(mr_piece_send(&piece, NULL, 0, &done));
  expect_over(done);
  expect_bytes(to, BIG, 5);
  mr_piece_copy_now(&piece);
  expect_bytes(to, BIG, 5);
  free(from);
  free(to);
}

typedef struct turning {
  char *to;
  const char *from;
  mr_group *group;
} turning;

static void turn(void *argument, mr_group *group) {
  turning *t = argument;
  t->group = group;
  for (size_t i = 0; i < BIG; i++) {
    t->to[i] = t->from[BIG - 1 - i];
  }
}

// What does not go there as it lies is brought there by whoever knows the way, with the device's cores.
static void test_another_order(void **state) {
  (void)state;
  char *from = malloc(BIG), *to = malloc(BIG);
  for (size_t i = 0; i < BIG; i++) {
    from[i] = (char)(i % 251);
  }
  turning t = {.to = to, .from = from};
  mr_future *done;
  const mr_piece piece = {.device = device, .name = "turned", .bytes = BIG, .move = turn, .argument = &t};
  assert_null(mr_piece_send(&piece, NULL, 0, &done));
  expect_over(done);
  assert_ptr_equal(t.group, device->group);
  assert_int_equal(to[0], from[BIG - 1]);
  assert_int_equal(to[BIG - 1], from[0]);
  free(from);
  free(to);
}

// After what fails nothing is copied, and it fails alike.
static void test_after_a_failure(void **state) {
  (void)state;
  char *from = calloc(1, BIG), *to = calloc(1, BIG);
  memset(from, 1, BIG);
  mr_future *before;
  assert_null(mr_future_create(&before));
  mr_future *done = send(to, from, BIG, before);
  assert_false(mr_future_is_set(done));
  mr_future_set(before, mr_error(MR_DATA_LOSS, "torn"));
  mr_future_wait(done);
  assert_int_equal(mr_status_code(mr_future_status(done)), MR_DATA_LOSS);
  expect_bytes(to, BIG, 0);
  mr_future_release(done);
  mr_future_release(before);
  free(from);
  free(to);
}

// The platform's owner may let go of it while a piece is on its way: that comes there.
static void test_platform_goes_first(void **state) {
  (void)state;
  char *from = held_memory_open(BIG), *to = calloc(1, BIG);
  memset(from, 9, BIG);
  held_memory_hold();
  mr_future *done = send(to, from, BIG, NULL);
  mr_platform_release(platform);
  held_memory_let_go();
  expect_over(done);
  expect_bytes(to, BIG, 9);
  held_memory_close();
  free(to);
  open_platform(state);
}

// ---- What a host queues ---------------------------------------------------------------------------------------------------------

enum { LARGE = 20 << 20 };

static int open_limited(void **state) {
  (void)state;
  assert_null(mr_platform_create(&(mr_platform_options){.num_devices = 1, .queue_calls = 1}, &platform));
  device = mr_platform_device(platform, 0);
  return 0;
}

// What a thread does that is to be held up.
typedef struct caller {
  pthread_t thread;
  const char *from;
  mr_buffer *buffers[2];
  _Atomic(bool) came_back;
} caller;

static void *put_two(void *argument) {
  caller *c = argument;
  const mr_host_array host = {.data = c->from, .dtype = MR_U8, .dims = (int64_t[]){LARGE}, .rank = 1};
  for (int i = 0; i < 2; i++) {
    assert_null(mr_buffer_from_host(&device->memories[MR_MEMORY_DEVICE], &host, MR_HOST_UNTIL_TRANSFER_DONE, NULL, NULL,
                                    &c->buffers[i]));
  }
  atomic_store(&c->came_back, true);
  return NULL;
}

static void *wait_for_room(void *argument) {
  caller *c = argument;
  mr_admission_wait(&device->admission, mr_platform_scheduler(platform));
  atomic_store(&c->came_back, true);
  return NULL;
}

static void expect_held_up(caller *c) {
  while (!atomic_load(&device->admission.awaited) && !atomic_load(&c->came_back)) {
    poll(NULL, 0, 1);
  }
  poll(NULL, 0, 50);  // one that does not wait for copies is back by now
  assert_false(atomic_load(&c->came_back));
  held_memory_let_go();
  pthread_join(c->thread, NULL);
}

static void expect_nothing_queued(void) {
  mr_admission_counts counts = mr_admission_count(&device->admission);
  assert_int_equal(counts.calls, 0);
  assert_int_equal(counts.bytes, 0);
}

// Copies of the host's arrays are calls of the device that hold their bytes.
static void test_copies_are_bounded(void **state) {
  (void)state;
  caller c = {.from = held_memory_open(LARGE)};
  held_memory_hold();
  assert_int_equal(pthread_create(&c.thread, NULL, put_two, &c), 0);
  expect_held_up(&c);
  for (int i = 0; i < 2; i++) {
    mr_future_wait(mr_buffer_ready(c.buffers[i]));
    assert_null(mr_future_status(mr_buffer_ready(c.buffers[i])));
    mr_buffer_release(c.buffers[i]);
  }
  expect_nothing_queued();
  assert_int_equal(mr_admission_count(&device->admission).peak_bytes, 2 * LARGE);
  held_memory_close();
}

// Who is held up by calls that wait for a copy is so until that is over: it ends whatever the host does.
static void test_copies_are_at_work(void **state) {
  (void)state;
  caller c = {.from = held_memory_open(LARGE)};
  const mr_host_array host = {.data = c.from, .dtype = MR_U8, .dims = (int64_t[]){LARGE}, .rank = 1};
  assert_null(mr_buffer_from_host(&device->memories[MR_MEMORY_DEVICE], &host, MR_HOST_IMMUTABLE_ZERO_COPY, NULL, NULL,
                                  &c.buffers[0]));
  held_memory_hold();
  assert_null(mr_buffer_copy_to(c.buffers[0], &device->memories[MR_MEMORY_PINNED_HOST], &c.buffers[1]));
  mr_admission_enter(&device->admission);
  mr_admission_enter(&device->admission);
  assert_int_equal(pthread_create(&c.thread, NULL, wait_for_room, &c), 0);
  held_memory_until_waited();
  expect_held_up(&c);
  mr_admission_leave(&device->admission);
  mr_admission_leave(&device->admission);
  mr_future_wait(mr_buffer_ready(c.buffers[1]));
  mr_buffer_release(c.buffers[0]);
  mr_buffer_release(c.buffers[1]);
  expect_nothing_queued();
  held_memory_close();
}

int main(void) {
#define WITH(test) cmocka_unit_test_setup_teardown(test, open_platform, close_platform)
  const struct CMUnitTest tests[] = {
      WITH(test_the_call_returns_at_once),
      WITH(test_order),
      WITH(test_all_sizes),
      WITH(test_narrow),
      WITH(test_another_order),
      WITH(test_after_a_failure),
      WITH(test_platform_goes_first),
      cmocka_unit_test_setup_teardown(test_copies_are_bounded, open_limited, close_platform),
      cmocka_unit_test_setup_teardown(test_copies_are_at_work, open_limited, close_platform)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
