// The programs of tests/programs on a device that computes nothing: what they come to is not looked at, but that each comes to an
// end, that what is read is what such a device gives, and that everything is let go of (tests/gone.c).
#include "tests/compiler/execute_harness.h"
#include "tests/file.h"

enum { MOST_PORTS = 64, TIMES = 3 };

static int open_null(void **state) {
  (void)state;
  expect_ok(mr_platform_create(&(mr_platform_options){.kinds = "null"}, &platform));
  device = mr_platform_device(platform, 0);
  memory = &device->memories[MR_MEMORY_DEVICE];
  return 0;
}

static mr_buffer *zeros(const mr_port *port) {
  void *data = calloc(1, port->bytes + 1);
  mr_buffer *buffer = NULL;
  mr_host_array host = {.data = data, .dtype = port->dtype, .dims = port->dims, .rank = port->rank};
  assert_non_null(data);
  expect_ok(mr_buffer_from_host(&device->memories[port->memory], &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
  free(data);
  return buffer;
}

static void expect_zeros(const char *path, mr_buffer *result, size_t bytes) {
  char *got = malloc(bytes + 1);
  mr_future *done = NULL;
  assert_non_null(got);
  memset(got, 1, bytes + 1);
  expect_ok(mr_buffer_to_host(result, got, NULL, &done));
  wait_for(done);
  for (size_t i = 0; i < bytes; i++) {
    if (got[i]) {
      fail_msg("%s: byte %zu of a result is %d", path, i, got[i]);
    }
  }
  free(got);
}

// Begun one behind the other, each with arguments of its own, since some are donated.
static void run_times(const char *path, mr_executable *e) {
  size_t params = mr_executable_param_count(e), count = mr_executable_result_count(e);
  mr_buffer *results[TIMES][MOST_PORTS];
  mr_future *done[TIMES];
  assert_true(params <= MOST_PORTS && count <= MOST_PORTS);
  for (int t = 0; t < TIMES; t++) {
    mr_buffer *arguments[MOST_PORTS];
    for (size_t i = 0; i < params; i++) {
      arguments[i] = zeros(mr_executable_param(e, i));
    }
    expect_ok(mr_execute(e, device, NULL, arguments, params, results[t], &done[t]));
    release_all(arguments, params);
  }
  for (int t = 0; t < TIMES; t++) {
    wait_for(done[t]);
    for (size_t k = 0; k < count; k++) {
      expect_zeros(path, results[t][k], mr_executable_result(e, k)->bytes);
    }
    release_all(results[t], count);
  }
}

static void run_program(void *context, const char *path, mr_span bytes) {
  (void)context;
  mr_executable *executable = NULL;
  expect_ok(mr_compile(bytes, NULL, &executable));
  run_times(path, executable);
  mr_executable_release(executable);
}

static void test_straight(void **state) {
  (void)state;
  assert_true(file_each("tests/programs", ".mlirbc", SIZE_MAX, run_program, NULL) > 40);
}

// The same where programs are cut into pieces that may run beside each other.
static void test_strands(void **state) {
  (void)state;
  setenv("MILLRACE_STRANDS", "4", 1);
  assert_true(file_each("tests/programs", ".mlirbc", SIZE_MAX, run_program, NULL) > 40);
  unsetenv("MILLRACE_STRANDS");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_straight), cmocka_unit_test(test_strands)};
  return cmocka_run_group_tests(tests, open_null, close_platform);
}
