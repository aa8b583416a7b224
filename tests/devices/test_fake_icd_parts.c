// A command of several calls, or a chain of commands, of which a later one fails: who submitted it lets go of the memory, so nothing of
// it may still be in a queue, and no memory stay mapped.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "devices/devices.h"
#include "devices/faulty/faulty.h"
#include "tests/cmocka.h"
#include "tests/devices/icd/fake_icd.h"

#define LIBRARY MR_BINARY_DIR "/lib/libtest_fake_icd.so"
enum { COUNT = 16, BYTES = COUNT * 4 };

static fake_icd *fake;
static mr_platform *platform;
static mr_device *device;
static mr_storage *own[2], *hosts[2];  // of the device, of the host

static mr_storage *storage_of(mr_device *owner) {
  mr_storage *made;
  assert_true(!mr_storage_allocate(&owner->memories[MR_MEMORY_DEVICE], BYTES, &made));
  return made;
}

static int open_platform(void **state) {
  (void)state;
  const mr_platform_options options = {.kinds = "opencl,cpu"};
  assert_true(!mr_platform_create(&options, &platform));
  device = mr_platform_device(platform, 0);
  for (int i = 0; i < 2; i++) {
    own[i] = storage_of(device);
    hosts[i] = storage_of(mr_platform_device(platform, 1));
    memset(hosts[i]->data, 0, BYTES);
  }
  return 0;
}

static int close_platform(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    mr_storage_release(own[i]);
    mr_storage_release(hosts[i]);
  }
  mr_platform_give_up(platform);
  mr_platform_release(platform);
  return 0;
}

// The n-th call of this function fails in the middle of the work, with an argument's error: so does the work, and the device goes on. An
// unmapping that fails leaves its own memory mapped, and no other.
static void fails_in(const mr_device_work *work, const char *function, uint64_t n, int64_t still_mapped) {
  mr_future *done = NULL;
  const int64_t mapped = atomic_load(&fake->mapped);
  fake->of = function;
  fake->fail_code = -30;
  fake->fail_at = atomic_load(&fake->calls) + n;
  atomic_store(&fake->failed, NULL);
  const int64_t queued = atomic_load(&fake->queued);
  mr_status status = mr_device_submit(device, work, NULL, 0, &done);
  if (done) {
    mr_future_wait(done);
    status = mr_status_join(status, mr_status_retain(mr_future_status(done)));
    mr_future_release(done);
  }
  fake->fail_at = 0;
  fake->of = NULL;
  assert_non_null(atomic_load(&fake->failed));
  assert_string_equal(atomic_load(&fake->failed), function);
  assert_int_equal(mr_status_code(status), MR_INTERNAL);
  mr_status_free(status);
  assert_int_equal(atomic_load(&fake->mapped) - mapped, still_mapped);
  assert_true(atomic_load(&fake->queued) <= queued);
}

// A fill that begins within a pattern is a copy, a fill and a copy.
static void test_a_fill_fails_midway(void **state) {
  (void)state;
  const mr_device_work fill = {.kind = MR_WORK_FILL,
                               .name = "fill",
                               .to = {own[0], 2},
                               .bytes = 12,
                               .pattern = {1, 2, 3, 4},
                               .pattern_bytes = 4};
  fails_in(&fill, "fake_write", 1, 0);
  fails_in(&fill, "fake_fill", 1, 0);
  fails_in(&fill, "fake_write", 2, 0);
}

// A kernel on the host's memory is a launch, and a map and an unmap of each.
static void test_a_launch_fails_midway(void **state) {
  (void)state;
  static const char source[] = "kernel void add() {}";
  const mr_code_unit unit = {.language = MR_CODE_OPENCL_C, .source = MR_STR(source), .key = {5, 6}};
  const mr_kernel_code code = {
      .language = MR_CODE_OPENCL_C, .name = "test", .unit = &unit, .entry = "add", .num_regions = 3};
  mr_device_kernel *kernel;
  assert_true(!mr_device_load_kernel(device, &code, &kernel));
  const mr_region regions[3] = {{hosts[0], 0}, {NULL, 0}, {hosts[1], 0}};
  const mr_device_work launch = {.kind = MR_WORK_LAUNCH,
                                 .name = "add",
                                 .kernel = kernel,
                                 .regions = regions,
                                 .num_regions = 3,
                                 .range = COUNT,
                                 .grain = 1};
  fails_in(&launch, "fake_launch", 1, 0);
  fails_in(&launch, "fake_map", 1, 0);
  fails_in(&launch, "fake_map", 2, 0);
  fails_in(&launch, "fake_unmap", 1, 1);
  fails_in(&launch, "fake_unmap", 2, 1);
  mr_device_kernel_release(kernel);
}

static mr_status do_nothing(const mr_device_work *work, void *const *addresses, mr_group *group) {
  (void)work, (void)addresses, (void)group;
  return MR_OK;
}

// A call maps each block, and unmaps it when it has run, with a marker behind.
static void test_a_call_fails_midway(void **state) {
  (void)state;
  const mr_region regions[2] = {{own[0], 0}, {own[1], 0}};
  const mr_device_work call = {
      .kind = MR_WORK_CALL, .name = "nothing", .call = do_nothing, .regions = regions, .num_regions = 2};
  fails_in(&call, "fake_map", 1, 0);
  fails_in(&call, "fake_map", 2, 0);
  fails_in(&call, "fake_marker", 1, 0);
  fails_in(&call, "fake_marker", 2, 0);
  fails_in(&call, "fake_unmap", 1, 1);
  fails_in(&call, "fake_unmap", 2, 1);
}

// A fill that cannot be put into its queue is told of when the one before it, which was, is over: both have the same memory.
static void test_what_fails_in_a_chain_fails_in_turn(void **state) {
  (void)state;
  const mr_device_work fill = {.kind = MR_WORK_FILL,
                               .name = "fill",
                               .to = {own[0], 0},
                               .bytes = 4,
                               .pattern = {1},
                               .pattern_bytes = 4,
                               .followed = true};
  mr_future *gate, *first, *second;
  assert_true(!mr_future_create(&gate));
  assert_true(!mr_device_submit(device, &fill, &gate, 1, &first));
  assert_true(!mr_device_submit(device, &fill, &first, 1, &second));
  fake->of = "fake_fill";
  fake->fail_code = -30;
  fake->fail_at = atomic_load(&fake->calls) + 2;
  mr_future_set(gate, MR_OK);
  mr_future_wait(second);
  fake->fail_at = 0;
  fake->of = NULL;
  assert_int_equal(mr_status_code(mr_future_status(second)), MR_INTERNAL);
  assert_true(mr_future_is_set(first));
  assert_int_equal(mr_status_code(mr_future_status(first)), 0);
  mr_future_release(first);
  mr_future_release(second);
  mr_future_release(gate);
}

// A call gets another event when it has run. Who looks just then whether the first is over, because it has been pending for long, finds
// it there.
static void test_an_event_is_there_for_who_looks(void **state) {
  (void)state;
  const mr_region region = {own[0], 0};
  const mr_device_work call = {
      .kind = MR_WORK_CALL, .name = "nothing", .call = do_nothing, .regions = &region, .num_regions = 1};
  const uint64_t asked = atomic_load(&fake->asked);
  mr_future *done;
  fake->callbacks = FAKE_LATE;
  atomic_store(&fake->holds_late, true);
  atomic_store(&fake->holds_info, true);
  assert_true(!mr_device_submit(device, &call, NULL, 0, &done));
  while (atomic_load(&fake->asked) == asked) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  atomic_store(&fake->holds_late, false);
  mr_future_wait(done);
  atomic_store(&fake->holds_info, false);
  assert_int_equal(mr_status_code(mr_future_status(done)), 0);
  mr_future_release(done);
  while (atomic_load(&fake->threads)) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  fake->callbacks = FAKE_AT_ONCE;
}

// Who looks after work that has been pending for long, and would hear of its end sooner or later, is kept at a question.
static mr_future *keep_the_watch(void) {
  const mr_region region = {own[0], 0};
  const mr_device_work call = {
      .kind = MR_WORK_CALL, .name = "nothing", .call = do_nothing, .regions = &region, .num_regions = 1};
  const uint64_t asked = atomic_load(&fake->asked);
  mr_future *done;
  fake->callbacks = FAKE_LATE;
  atomic_store(&fake->holds_late, true);
  atomic_store(&fake->holds_info, true);
  assert_true(!mr_device_submit(device, &call, NULL, 0, &done));
  while (atomic_load(&fake->asked) == asked) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  fake->callbacks = FAKE_AT_ONCE;
  return done;
}

static void let_the_watch_go(mr_future *take_done) {
  atomic_store(&fake->holds_late, false);
  atomic_store(&fake->holds_info, false);
  mr_future_wait(take_done);
  mr_future_release(take_done);
  while (atomic_load(&fake->threads)) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

// A fill that is to be followed, and what happens then: it is concluded, or another after it is refused, or fails later.
typedef struct ending {
  const char *faults;  // of the device around; NULL: the device itself
  bool begins_before;  // is in its queue before that
  bool is_followed;    // by another
  bool enqueuing_fails;
} ending;

static void wait_until_queued(int64_t before) {
  while (atomic_load(&fake->queued) == before) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

static void follow(mr_device *on, const mr_device_work *fill, mr_future *first, bool enqueuing_fails) {
  mr_future *second = NULL;
  fake->of = enqueuing_fails ? "fake_fill" : NULL;
  fake->fail_code = -30;
  fake->fail_at = enqueuing_fails ? atomic_load(&fake->calls) + 1 : 0;
  mr_status status = mr_device_submit(on, fill, &first, 1, &second);
  fake->fail_at = 0;
  fake->of = NULL;
  if (second) {
    mr_future_wait(second);
    status = mr_status_join(status, mr_status_retain(mr_future_status(second)));
    mr_future_release(second);
  }
  assert_int_equal(mr_status_code(status), MR_INTERNAL);
  mr_status_free(status);
}

static void ends_as(const ending *e, mr_device *on, mr_storage *storage) {
  const mr_device_work fill = {.kind = MR_WORK_FILL,
                               .name = "fill",
                               .to = {storage, 0},
                               .bytes = 4,
                               .pattern = {1},
                               .pattern_bytes = 4,
                               .followed = true};
  mr_future *gate, *first;
  assert_true(!mr_future_create(&gate));
  const int64_t queued = atomic_load(&fake->queued);
  assert_true(!mr_device_submit(on, &fill, &gate, 1, &first));
  if (e->begins_before) {
    mr_future_set(gate, MR_OK);
    wait_until_queued(queued);
  }
  if (e->is_followed) {
    follow(on, &fill, first, e->enqueuing_fails);
  } else {
    mr_device_conclude(on, &first, 1);
  }
  if (!e->begins_before) {
    mr_future_set(gate, MR_OK);
  }
  mr_future_wait(first);
  assert_int_equal(mr_status_code(mr_future_status(first)), 0);
  mr_future_release(first);
  mr_future_release(gate);
}

// Work that nothing follows after all is heard of as soon as it is concluded, or as it is in its queue, and not only from who looks after
// what is late. So it is when what was to follow is refused, by the device or by one around it.
static void test_concluded_work_ends_by_itself(void **state) {
  (void)state;
  static const ending endings[] = {
      {.begins_before = false},
      {.begins_before = true},
      {.begins_before = true, .is_followed = true, .enqueuing_fails = true},
      {.faults = "", .begins_before = true},
      {.faults = "fill:2:refuse", .begins_before = true, .is_followed = true},
      {.faults = "fill:2:fail", .begins_before = true, .is_followed = true},
      {.faults = "", .begins_before = true, .is_followed = true, .enqueuing_fails = true},
  };
  const mr_platform_options options = {.kinds = "faulty:opencl"};
  mr_platform *other;
  assert_true(!mr_platform_create(&options, &other));
  mr_device *faulty = mr_platform_device(other, 0);
  mr_storage *storage = storage_of(faulty);
  mr_future *watch = keep_the_watch();
  for (size_t i = 0; i < MR_ARRAY_SIZE(endings); i++) {
    const char *faults = endings[i].faults;
    assert_true(!mr_faulty_set(faulty, mr_str_of(faults ? faults : "")));
    ends_as(&endings[i], faults ? faulty : device, faults ? storage : own[0]);
  }
  let_the_watch_go(watch);
  mr_storage_release(storage);
  mr_platform_give_up(other);
  mr_platform_release(other);
}

// A platform that is given up waits for as long as its device gets somewhere, however much is behind what that works on.
static void test_a_device_at_work_is_not_given_up(void **state) {
  (void)state;
  enum { MANY = 200 };
  static mr_future *done[MANY];
  const mr_platform_options options = {.kinds = "opencl"};
  mr_platform *other;
  setenv("MILLRACE_OPENCL_PATIENCE_MS", "1000", 1);
  assert_true(!mr_platform_create(&options, &other));
  unsetenv("MILLRACE_OPENCL_PATIENCE_MS");
  mr_storage *storage = storage_of(mr_platform_device(other, 0));
  const mr_device_work fill = {.kind = MR_WORK_FILL,
                               .name = "fill",
                               .to = {storage, 0},
                               .bytes = 4,
                               .pattern = {1},
                               .pattern_bytes = 4,
                               .followed = true};
  fake->never_ends = true;
  fake->runs_one = true;
  for (int i = 0; i < MANY; i++) {
    assert_true(!mr_device_submit(mr_platform_device(other, 0), &fill, done + i - (i > 0), i > 0, &done[i]));
  }
  mr_platform_give_up(other);
  assert_false(mr_future_wait_until(done[0], mr_now_ns() + UINT64_C(3000000000)));
  fake->never_ends = false;
  for (int i = 0; i < MANY; i++) {
    mr_future_wait(done[i]);
    assert_int_equal(mr_status_code(mr_future_status(done[i])), 0);
    mr_future_release(done[i]);
  }
  atomic_store(&fake->running, NULL);
  mr_storage_release(storage);
  mr_platform_release(other);
}

int main(void) {
  setenv("MILLRACE_OPENCL_LIBRARY", LIBRARY, 1);
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  fake = library ? dlsym(library, "fake_icd_state") : NULL;
  assert_non_null(fake);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_fill_fails_midway),
      cmocka_unit_test(test_a_launch_fails_midway),
      cmocka_unit_test(test_a_call_fails_midway),
      cmocka_unit_test(test_what_fails_in_a_chain_fails_in_turn),
      cmocka_unit_test(test_an_event_is_there_for_who_looks),
      cmocka_unit_test(test_concluded_work_ends_by_itself),
      cmocka_unit_test(test_a_device_at_work_is_not_given_up),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
