// execute_harness: a platform, and programs as text that run on its first device, for tests of plans as they run.
//
//   mr_executable *executable = compile("func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { ... }");
//   mr_buffer *argument = floats((float[]){1, 2}, 2), *result;
//   run(executable, &argument, 1, &result);
//   expect_floats(result, (float[]){2, 3}, 2);
#ifndef MR_TESTS_COMPILER_EXECUTE_HARNESS_H
#define MR_TESTS_COMPILER_EXECUTE_HARNESS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "tests/cmocka.h"

static mr_platform *platform;
static mr_device *device;
static mr_memory *memory;

static inline int open_platform(void **state) {
  (void)state;
  assert_null(mr_platform_create(NULL, &platform));
  device = mr_platform_device(platform, 0);
  memory = &device->memories[MR_MEMORY_DEVICE];
  return 0;
}

static inline int close_platform(void **state) {
  (void)state;
  mr_platform_release(platform);
  return 0;
}

static inline void expect_ok(mr_status status) {
  if (status) {
    fail_msg("%s: %s", mr_status_code_name(mr_status_code(status)), mr_status_message(status));
  }
}

static inline void expect_code(mr_status status, mr_code code) {
  assert_int_equal(mr_status_code(status), code);
  mr_status_free(status);
}

static inline mr_executable *compile(const char *text) {
  mr_executable *executable = NULL;
  expect_ok(mr_compile((mr_span){text, strlen(text)}, NULL, &executable));
  return executable;
}

static inline mr_buffer *floats(const float *data, int64_t count) {
  mr_buffer *buffer = NULL;
  mr_host_array host = {.data = data, .dtype = MR_F32, .dims = &count, .rank = 1};
  expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
  return buffer;
}

static inline mr_buffer *scalar_int(int32_t value) {
  mr_buffer *buffer = NULL;
  mr_host_array host = {.data = &value, .dtype = MR_S32};
  expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
  return buffer;
}

static inline void wait_for(mr_future *take_future) {
  if (take_future) {
    mr_future_wait(take_future);
    mr_future_release(take_future);
  }
}

static inline void run(mr_executable *executable, mr_buffer *const *arguments, size_t count, mr_buffer **results) {
  mr_future *done = NULL;
  expect_ok(mr_execute(executable, device, NULL, arguments, count, results, &done));
  wait_for(done);
}

static inline void expect_floats(mr_buffer *buffer, const float *wanted, size_t count) {
  float got[64];
  mr_future *done = NULL;
  assert_int_equal(mr_buffer_bytes(buffer), count * sizeof(float));
  expect_ok(mr_buffer_to_host(buffer, got, NULL, &done));
  wait_for(done);
  for (size_t i = 0; i < count; i++) {
    assert_true(got[i] == wanted[i]);
  }
}

// Nodes, their payloads, results, the blocks for results and scratch are parts of larger blocks as a rule, which are made to fail in builds
// with asserts alone.
static inline void expect_several(uint64_t failures) {
#ifdef NDEBUG
  enum { LEAST = 1 };
#else
  enum { LEAST = 3 };
#endif
  assert_true(failures >= LEAST);
}

static inline void release_all(mr_buffer **buffers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mr_buffer_release(buffers[i]);
  }
}

#endif
