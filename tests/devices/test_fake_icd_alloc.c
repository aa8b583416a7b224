// Memory that runs out while a device of OpenCL's comes up, loads a kernel and works: a status, and nothing is left, in the runtime
// either.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "devices/devices.h"
#include "tests/alloc_loop.h"
#include "tests/cmocka.h"
#include "tests/devices/icd/fake_icd.h"

#define LIBRARY MR_BINARY_DIR "/lib/libtest_fake_icd.so"
enum { COUNT = 64, BYTES = COUNT * 4 };

static const char source[] = "kernel void add() {}";
static fake_icd *fake;

typedef struct work {
  mr_device *device;
  mr_storage *storage;
  mr_device_kernel *kernel;
  mr_future *done[16];
  size_t num_done;
  int32_t from[COUNT], to[COUNT];
} work;

// Behind what came before, and behind the gate.
static mr_status submit(work *w, const mr_device_work *what, mr_future *gate) {
  mr_future *after[2], *done = NULL;
  size_t count = 0;
  if (w->num_done) {
    after[count++] = w->done[w->num_done - 1];
  }
  if (gate) {
    after[count++] = gate;
  }
  mr_status status = mr_device_submit(w->device, what, after, count, &done);
  if (done) {
    w->done[w->num_done++] = done;
  }
  return status;
}

static mr_status triple(const mr_device_work *of, void *const *addresses, mr_group *group) {
  (void)of, (void)group;
  int32_t *at = addresses[0];
  for (int i = 0; i < COUNT; i++) {
    at[i] *= 3;
  }
  return MR_OK;
}

static mr_status compute(work *w, mr_future *gate) {
  static mr_code_unit unit;
  unit = (mr_code_unit){.language = MR_CODE_OPENCL_C, .source = MR_STR(source), .key = {3, 4}};
  const mr_kernel_code code = {
      .language = MR_CODE_OPENCL_C, .name = "test", .unit = &unit, .entry = "add", .num_regions = 3};
  MR_TRY(mr_device_load_kernel(w->device, &code, &w->kernel));
  MR_TRY(mr_storage_allocate(&w->device->memories[MR_MEMORY_DEVICE], BYTES, &w->storage));
  const mr_region region = {w->storage, 0}, regions[3] = {region, {NULL, 0}, region};
  const mr_device_work in = {.kind = MR_WORK_COPY_IN, .name = "in", .to = region, .host_from = w->from, .bytes = BYTES};
  const mr_device_work add = {.kind = MR_WORK_LAUNCH,
                              .name = "add",
                              .kernel = w->kernel,
                              .regions = regions,
                              .num_regions = 3,
                              .range = COUNT,
                              .grain = 1};
  const mr_device_work call = {
      .kind = MR_WORK_CALL, .name = "triple", .call = triple, .regions = &region, .num_regions = 1};
  const mr_device_work out = {
      .kind = MR_WORK_COPY_OUT, .name = "out", .from = region, .host_to = w->to, .bytes = BYTES};
  MR_TRY(submit(w, &in, NULL));
  MR_TRY(submit(w, &add, gate));
  MR_TRY(submit(w, &call, NULL));
  return submit(w, &out, NULL);
}

// The numbers are right, or why they are not is told.
static mr_status finish(work *w, mr_status status) {
  for (size_t i = 0; i < w->num_done; i++) {
    mr_future_wait(w->done[i]);
    status = mr_status_join(status, mr_status_retain(mr_future_status(w->done[i])));
    mr_future_release(w->done[i]);
  }
  for (int i = 0; !status && i < COUNT; i++) {
    assert_int_equal(w->to[i], 3 * (i + 1));
  }
  mr_storage_release(w->storage);
  mr_device_kernel_release(w->kernel);
  return status;
}

static mr_status whole_life(void *context) {
  mr_platform_options options = {.kinds = "opencl"};
  mr_platform *platform = NULL;
  mr_future *gate = NULL;
  work w = {0};
  for (int i = 0; i < COUNT; i++) {
    w.from[i] = i;
  }
  mr_status status = context ? mr_future_create(&gate) : MR_OK;
  status = status ? status : mr_platform_create(&options, &platform);
  if (platform) {
    w.device = mr_platform_device(platform, 0);
    status = compute(&w, gate);
  }
  if (gate) {
    mr_future_set(gate, MR_OK);
  }
  status = finish(&w, status);
  mr_platform_release(platform);
  mr_future_release(gate);
  // A worker may still be on its way out of the last command.
  for (int i = 0; i < 20000 && atomic_load(&fake->live); i++) {
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  }
  assert_int_equal(atomic_load(&fake->live), 0);
  return status;
}

static void test_life(void **state) {
  (void)state;
  alloc_loop("a life", whole_life, NULL, 600);
  alloc_loop("a life that waits", whole_life, &fake, 600);
  alloc_loops_ended_well();
}

int main(void) {
  setenv("MILLRACE_OPENCL_LIBRARY", LIBRARY, 1);
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  fake = library ? dlsym(library, "fake_icd_state") : NULL;
  assert_non_null(fake);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_life)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
