// What goes wrong in an OpenCL runtime comes to a status: nothing hangs, nothing leaks, and the CPU goes on. Each life of a process
// is a child of its own, because runtimes are looked for once.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/census.h"
#include "core/tidy.h"
#include "tests/cmocka.h"
#include "tests/devices/conform.h"
#include "tests/devices/icd/fake_icd.h"

#define LIBRARY MR_BINARY_DIR "/lib/libtest_fake_icd.so"
enum { COUNT = 1000, BYTES = COUNT * 4, CHAIN = 5, DEADLINE_S = 8 };
// ThreadSanitizer takes a second for the end of a process.
enum { STEP = MR_TEST_SANITIZED ? 11 : 1 };

// What a life tells, in memory that parent and child share.
typedef struct report {
  uint64_t calls;
  int code;                // of the first failure; 0: none
  bool created, computed;  // the platform; the right numbers
  char said[400];          // what is wrong; "" for nothing
  char failed[64];
} report;

static report *shared_report;

#define NEED(condition)                                                           \
  do {                                                                            \
    if (!(condition)) {                                                           \
      snprintf(r->said, sizeof r->said, "line %d: not %s", __LINE__, #condition); \
      return;                                                                     \
    }                                                                             \
  } while (0)

// ---- One life -------------------------------------------------------------------------------------------------------

typedef struct life {
  report *report;
  mr_platform *platform;
  mr_device *device, *cpu;
  mr_status status;  // the first failure
  mr_future *futures[64];
  bool followed[64];
  size_t num_futures;
  mr_storage *storages[8];
  size_t num_storages;
  mr_future *promise;
  mr_device_kernel *kernel;
  int32_t from[COUNT], to[COUNT];
  bool has_read;
} life;

static bool note(life *l, mr_status take_status) {
  l->status = mr_status_join(l->status, take_status);
  return !l->status;
}

static mr_storage *storage(life *l, mr_device *device) {
  mr_storage *made = NULL;
  if (note(l, mr_storage_allocate(&device->memories[MR_MEMORY_DEVICE], BYTES, &made))) {
    l->storages[l->num_storages++] = made;
  }
  return made;
}

// The future of the work, borrowed; NULL: it is over, or failed.
static mr_future *submit(life *l, mr_device *device, const mr_device_work *work, mr_future *after) {
  mr_future *done = NULL;
  if (note(l, mr_device_submit(device, work, &after, after ? 1 : 0, &done)) && done) {
    l->followed[l->num_futures] = work->followed;
    l->futures[l->num_futures++] = done;
  }
  return done;
}

static mr_status double_all(const mr_device_work *work, void *const *addresses, mr_group *group) {
  (void)work;
  (void)group;
  int32_t *at = addresses[0];
  for (int i = 0; i < COUNT; i++) {
    at[i] *= 2;
  }
  return MR_OK;
}

static const char source[] =
    "kernel void add(global uchar *b0, ulong o0, global uchar *b1, ulong o1, global uchar *b2, "
    "ulong o2, long range, long share) {}";

static bool load(life *l) {
  static mr_code_unit unit;
  unit = (mr_code_unit){.language = MR_CODE_OPENCL_C, .source = MR_STR(source), .key = {1, 2}};
  const mr_kernel_code code = {
      .language = MR_CODE_OPENCL_C, .name = "test", .unit = &unit, .entry = "add", .num_regions = 3};
  return note(l, mr_device_load_kernel(l->device, &code, &l->kernel));
}

// a = 0, 1, ...; CHAIN additions of one back and forth, the last into b; then twice that, and the first element 7.
static void compute(life *l, mr_future *gate) {
  mr_storage *a = storage(l, l->device), *b = a ? storage(l, l->device) : NULL;
  if (!b || !load(l)) {
    return;
  }
  const mr_device_work in = {.kind = MR_WORK_COPY_IN, .name = "in", .to = {a, 0}, .host_from = l->from, .bytes = BYTES};
  mr_future *last = submit(l, l->device, &in, gate);
  for (int i = 0; i < CHAIN && !l->status; i++) {
    const mr_region regions[3] = {{i % 2 ? b : a, 0}, {NULL, 0}, {i % 2 ? a : b, 0}};
    const mr_device_work work = {.kind = MR_WORK_LAUNCH,
                                 .name = "add",
                                 .kernel = l->kernel,
                                 .regions = regions,
                                 .num_regions = 3,
                                 .range = COUNT,
                                 .grain = 1,
                                 .followed = true};
    last = submit(l, l->device, &work, last);
  }
  const mr_region region = {b, 0};
  const mr_device_work call = {
      .kind = MR_WORK_CALL, .name = "double", .call = double_all, .regions = &region, .num_regions = 1};
  last = l->status ? NULL : submit(l, l->device, &call, last);
  const mr_device_work fill = {
      .kind = MR_WORK_FILL, .name = "fill", .to = {b, 0}, .bytes = 4, .pattern = {7}, .pattern_bytes = 4};
  last = l->status ? NULL : submit(l, l->device, &fill, last);
  const mr_device_work out = {
      .kind = MR_WORK_COPY_OUT, .name = "out", .from = {b, 0}, .host_to = l->to, .bytes = BYTES};
  if (!l->status) {
    submit(l, l->device, &out, last);
    l->has_read = !l->status;
  }
}

static bool end_those(life *l, bool followed) {
  bool ended = true;
  for (size_t i = 0; i < l->num_futures; i++) {
    if (l->followed[i] != followed) {
      continue;
    }
    bool set = mr_future_wait_until(l->futures[i], mr_now_ns() + (uint64_t)DEADLINE_S * 1000000000);
    ended = ended && set;
    if (set) {
      note(l, mr_status_retain(mr_future_status(l->futures[i])));
      mr_future_release(l->futures[i]);
    }
  }
  return ended;
}

// Work that is followed is told of when somebody comes by after what follows it, at the latest when the platform is given up.
static bool all_end(life *l) {
  bool ended = end_those(l, false);
  mr_platform_give_up(l->platform);
  return end_those(l, true) && ended;
}

static bool is_right(const life *l) {
  bool right = l->to[0] == 7;
  for (int i = 1; i < COUNT; i++) {
    right = right && l->to[i] == 2 * (l->from[i] + CHAIN);
  }
  return right;
}

// The CPU of the same platform, or of one by itself.
static bool cpu_works(mr_device *cpu) {
  mr_storage *made;
  int32_t from[2] = {3, 4}, to[2] = {0};
  mr_future *done = NULL;
  bool good = !mr_storage_allocate(&cpu->memories[MR_MEMORY_DEVICE], sizeof from, &made) &&
              !mr_storage_write(made, 0, sizeof from, from, NULL, 0, &done) &&
              !mr_storage_read(made, 0, sizeof to, to, NULL, 0, &done) && to[1] == 4;
  mr_storage_release(made);
  return good;
}

static void close_life(life *l) {
  for (size_t i = 0; i < l->num_storages; i++) {
    mr_storage_release(l->storages[i]);
  }
  mr_device_kernel_release(l->kernel);
  mr_platform_give_up(l->platform);
  mr_platform_release(l->platform);
}

static bool is_zero_soon(_Atomic(int64_t) *count) {
  for (int i = 0; i < 2000 && atomic_load(count); i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  return atomic_load(count) == 0;
}

static int64_t alive(void) {
  int64_t counts[MR_CENSUS_KINDS];
  mr_census(counts);
  return counts[MR_CENSUS_storages] + counts[MR_CENSUS_platforms] + counts[MR_CENSUS_nodes];
}

static bool nothing_is_left(fake_icd *fake) {
  // A worker may still be on its way out of the last node.
  for (int i = 0; i < 2000 && alive(); i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  return alive() == 0 && is_zero_soon(&fake->threads) && is_zero_soon(&fake->live);
}

static void without_opencl(report *r) {
  mr_platform *platform;
  mr_platform_options options = {.kinds = "cpu"};
  NEED(!mr_platform_create(&options, &platform));
  NEED(cpu_works(mr_platform_device(platform, 0)));
  mr_platform_release(platform);
}

static void run_life(report *r, fake_icd *fake, bool gated) {
  static life l;
  l.report = r;
  for (int i = 0; i < COUNT; i++) {
    l.from[i] = i;
  }
  mr_platform_options options = {.kinds = "opencl,cpu"};
  mr_status status = mr_platform_create(&options, &l.platform);
  r->calls = atomic_load(&fake->calls);
  if (status) {
    r->code = (int)mr_status_code(status);
    mr_status_free(status);
    without_opencl(r);
    NEED(nothing_is_left(fake));
    return;
  }
  r->created = true;
  l.device = mr_platform_device(l.platform, 0);
  l.cpu = mr_platform_device(l.platform, 1);
  if (gated) {
    NEED(!mr_future_create(&l.promise));
  }
  compute(&l, l.promise);
  if (gated) {
    mr_future_set(l.promise, MR_OK);
  }
  if (fake->never_ends) {
    mr_platform_give_up(l.platform);  // what is given up can be given up again
  }
  NEED(all_end(&l));
  mr_future_release(l.promise);
  r->computed = l.has_read && !l.status && is_right(&l);
  NEED(l.status || r->computed);
  NEED(cpu_works(l.cpu));
  r->code = (int)mr_status_code(l.status);
  mr_status_free(l.status);
  close_life(&l);
  r->calls = atomic_load(&fake->calls);
  NEED(nothing_is_left(fake));
}

// ---- Children -------------------------------------------------------------------------------------------------------

static fake_icd *open_fake(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  fake_icd *fake = library ? dlsym(library, "fake_icd_state") : NULL;
  assert_non_null(fake);
  return fake;
}

// In a child. Returns what it reports.
static report live(const fake_icd *orders, bool gated, void (*run)(report *r, fake_icd *fake, bool gated)) {
  memset(shared_report, 0, sizeof *shared_report);
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    fake_icd *fake = open_fake();
    fake->fail_at = orders->fail_at;
    fake->fail_code = orders->fail_code;
    fake->lost_then = orders->lost_then;
    fake->never_ends = orders->never_ends;
    fake->no_platform = orders->no_platform;
    fake->hangs_ms = orders->hangs_ms;
    fake->callbacks = orders->callbacks;
    // Who tests patience has little of it. Nobody else is given up because the machine is busy.
    bool is_patient = !orders->hangs_ms && !orders->never_ends;
    setenv("MILLRACE_OPENCL_PATIENCE_MS", is_patient ? "60000" : "1000", 1);
    run(shared_report, fake, gated);
    const char *failed = atomic_load(&fake->failed);
    snprintf(shared_report->failed, sizeof shared_report->failed, "%s", failed ? failed : "nothing");
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (status) {
    print_error("call %llu (%s): the child ended with %d, %s\n", (unsigned long long)orders->fail_at,
                shared_report->failed, status, shared_report->said);
    fail();
  }
  report r = *shared_report;
  if (r.said[0]) {
    print_error("call %llu (%s) answering %d: %s\n", (unsigned long long)orders->fail_at, r.failed, orders->fail_code,
                r.said);
    fail();
  }
  return r;
}

// ---- Tests ----------------------------------------------------------------------------------------------------------

// However callbacks come, the numbers are right.
static void test_callbacks_of_every_kind(void **state) {
  (void)state;
  for (int how = FAKE_AT_ONCE; how <= FAKE_NEVER; how++) {
    for (int gated = 0; gated < 2; gated++) {
      report r = live(&(fake_icd){.callbacks = (fake_callbacks)how}, gated, run_life);
      assert_true(r.created && r.computed);
    }
  }
}

// Each call of a life fails once, with an argument's error, for memory, or as what loses a device; or it does so for ever.
static void test_every_call_fails(void **state) {
  (void)state;
  static const fake_icd ways[] = {{.fail_code = -30},
                                  {.fail_code = -4},
                                  {.fail_code = -5},
                                  {.fail_code = -5, .lost_then = true, .callbacks = FAKE_LATE}};
  for (size_t w = 0; w < MR_ARRAY_SIZE(ways); w++) {
    fake_icd orders = ways[w];
    uint64_t calls = live(&orders, w % 2, run_life).calls, refused = 0;
    uint64_t step = orders.lost_then ? STEP : 3 * STEP;  // 280 lives in all
    assert_true(calls > 60);
    for (orders.fail_at = 1 + w % 3; orders.fail_at <= calls; orders.fail_at += step) {
      report r = live(&orders, w % 2, run_life);
      refused += r.code != 0;
    }
    print_message("%llu calls, each answering %d%s: %llu lives had a failure\n", (unsigned long long)calls,
                  orders.fail_code, orders.lost_then ? " for ever" : "", (unsigned long long)refused);
    assert_true(refused > calls / step / 4);
  }
}

// Work that never ends fails when its platform is given up.
static void test_work_that_never_ends(void **state) {
  (void)state;
  report r = live(&(fake_icd){.never_ends = true}, false, run_life);
  assert_true(r.created && !r.computed);
  assert_int_equal(r.code, MR_UNAVAILABLE);
}

static void test_no_platform(void **state) {
  (void)state;
  report r = live(&(fake_icd){.no_platform = true}, false, run_life);
  assert_true(!r.created);
  assert_int_equal(r.code, MR_NOT_FOUND);
}

static void hang(report *r, fake_icd *fake, bool gated) {
  (void)fake;
  (void)gated;
  mr_platform *platform;
  mr_platform_options options = {.kinds = "opencl,cpu"};
  uint64_t start = mr_now_ns();
  mr_status status = mr_platform_create(&options, &platform);
  r->code = (int)mr_status_code(status);
  NEED(status && strstr(mr_status_message(status), "does not answer"));
  mr_status_free(status);
  NEED(mr_now_ns() - start < (uint64_t)10 * 1000000000);
  without_opencl(r);
}

// A runtime that hangs is waited for with patience, and nobody else hangs.
static void test_runtime_that_hangs(void **state) {
  (void)state;
  report r = live(&(fake_icd){.hangs_ms = 60000}, false, hang);
  assert_int_equal(r.code, MR_NOT_FOUND);
}

// What looks for OpenCL and then exits like any program, with `status` where all is as it should be.
static void exit_while_it_opens(int status) {
  setenv("FAKE_ICD_OPENS_MS", "60000", 1);
  setenv("MILLRACE_OPENCL_PATIENCE_MS", "300", 1);
  alarm(30);  // who cannot exit ends by a signal
  mr_platform *platform;
  mr_status refused = mr_platform_create(&(mr_platform_options){.kinds = "opencl,cpu"}, &platform);
  bool is_right = refused && strstr(mr_status_message(refused), "does not answer");
  mr_status_free(refused);
  printf("said at last\n");
  exit(is_right ? status : status + 1);
}

// A runtime that hangs while it is opened has the dynamic linker's lock, which everybody needs who exits.
static void test_runtime_that_hangs_when_opened(void **state) {
  (void)state;
  int ends[2], status;
  char said[64] = "";
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    exit_while_it_opens(7);
  }
  close(ends[1]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 7);
  assert_int_equal(read(ends[0], said, sizeof said - 1), (int)strlen("said at last\n"));
  assert_string_equal(said, "said at last\n");
  close(ends[0]);
}

static void fork_in_it(report *r, fake_icd *fake, bool gated) {
  (void)fake;
  (void)gated;
  mr_platform *platform;
  mr_platform_options options = {.kinds = "opencl,cpu"};
  mr_storage *made;
  mr_future *done = NULL;
  int32_t number = 5;
  NEED(!mr_platform_create(&options, &platform));
  mr_device *device = mr_platform_device(platform, 0);
  NEED(!mr_storage_allocate(&device->memories[MR_MEMORY_DEVICE], 4, &made));
  pid_t child = fork();
  if (child == 0) {
    mr_status status = mr_storage_write(made, 0, 4, &number, NULL, 0, &done);
    mr_platform *other = NULL;
    mr_status again = mr_platform_create(&options, &other);
    bool refused = mr_status_code(status) == MR_UNAVAILABLE && mr_status_code(again) == MR_UNAVAILABLE;
    mr_status_free(status);
    mr_status_free(again);
    bool goes_on = cpu_works(mr_platform_device(platform, 1));
    _exit(!refused || !goes_on);
  }
  int ended;
  NEED(waitpid(child, &ended, 0) == child && ended == 0);
  NEED(!mr_storage_write(made, 0, 4, &number, NULL, 0, &done) && done);
  mr_future_wait(done);
  NEED(!mr_future_status(done));
  mr_future_release(done);
  mr_storage_release(made);
  mr_platform_release(platform);
}

// The child of a process that has used OpenCL is refused it, and goes on with the CPU; the parent goes on with both.
static void test_fork(void **state) {
  (void)state;
  live(&(fake_icd){0}, false, fork_in_it);
}

static fake_icd *exiting_fake;
static mr_future *exiting_future;

static void look_at_exit(void) {
  // The end of the work has been told of; a worker may still be on its way with it.
  bool drained = atomic_load(&exiting_fake->finishes) >= 3 &&
                 mr_future_wait_until(exiting_future, mr_now_ns() + (uint64_t)2 * 1000000000);
  snprintf(shared_report->said, sizeof shared_report->said, "%s", drained ? "" : "not drained");
  _exit(0);
}

static void leave(report *r, fake_icd *fake, bool gated) {
  (void)gated;
  exiting_fake = fake;
  atexit(look_at_exit);  // before OpenCL is looked for, so it is called afterwards
  mr_platform *platform;
  mr_platform_options options = {.kinds = "opencl,cpu"};
  mr_storage *made;
  static int32_t number;
  NEED(!mr_platform_create(&options, &platform));
  NEED(!mr_storage_allocate(&mr_platform_device(platform, 0)->memories[MR_MEMORY_DEVICE], 4, &made));
  NEED(!mr_storage_write(made, 0, 4, &number, NULL, 0, &exiting_future) && exiting_future);
  exit(1);
}

// A process that exits waits for what is in queues.
static void test_exit(void **state) {
  (void)state;
  live(&(fake_icd){.callbacks = FAKE_LATE}, false, leave);
}

static mr_platform *exiting_platform;

static void pause_ms(long ms) {
  nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

// While somebody exits, and after who tidies up has been by.
static void *let_go(void *unused) {
  while (atomic_load(&exiting_fake->finishes) == 0) {
    pause_ms(1);
  }
  pause_ms(3 * MR_TIDY_PAUSE_NS / 1000000);
  mr_platform_release(exiting_platform);
  return unused;
}

static void *look_on(void *unused) {
  while (atomic_load(&exiting_fake->finishes) == 0) {
    pause_ms(1);
  }
  pause_ms(4 * MR_TIDY_PAUSE_NS / 1000000);
  bool early = atomic_load(&exiting_fake->finishes) > 1;  // the device's end finishes its queues
  snprintf(shared_report->said, sizeof shared_report->said, "%s", early ? "the device has ended" : "");
  atomic_store(&exiting_fake->holds_finish, false);
  return unused;
}

static void end_well(void) { _exit(0); }

static void leave_while_somebody_lets_go(report *r, fake_icd *fake, bool gated) {
  (void)gated;
  exiting_fake = fake;
  atexit(end_well);  // called after OpenCL's own
  mr_platform_options options = {.kinds = "opencl,cpu"};
  mr_storage *made;
  static int32_t number;
  mr_future *done;
  NEED(!mr_platform_create(&options, &exiting_platform));
  NEED(!mr_storage_allocate(&mr_platform_device(exiting_platform, 0)->memories[MR_MEMORY_DEVICE], 4, &made));
  NEED(!mr_storage_write(made, 0, 4, &number, NULL, 0, &done));
  if (done) {
    mr_future_wait(done);
    mr_future_release(done);
  }
  mr_storage_release(made);  // and is kept, so that there is something to tidy up
  NEED(atomic_load(&fake->finishes) == 0);
  atomic_store(&fake->holds_finish, true);
  pthread_t threads[2];
  NEED(!pthread_create(&threads[0], NULL, let_go, NULL) && !pthread_create(&threads[1], NULL, look_on, NULL));
  NEED(!pthread_detach(threads[0]) && !pthread_detach(threads[1]));  // nobody is left to join them
  exit(1);
}

// A device stays until who exits is through with it, however often who tidies up comes by.
static void test_exit_while_a_platform_goes(void **state) {
  (void)state;
  live(&(fake_icd){0}, false, leave_while_somebody_lets_go);
}

int main(void) {
  setenv("MILLRACE_OPENCL_LIBRARY", LIBRARY, 1);
  shared_report = mmap(NULL, sizeof *shared_report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_callbacks_of_every_kind),
      cmocka_unit_test(test_every_call_fails),
      cmocka_unit_test(test_work_that_never_ends),
      cmocka_unit_test(test_no_platform),
      cmocka_unit_test(test_runtime_that_hangs),
      cmocka_unit_test(test_runtime_that_hangs_when_opened),
      cmocka_unit_test(test_fork),
      cmocka_unit_test(test_exit),
      cmocka_unit_test(test_exit_while_a_platform_goes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
