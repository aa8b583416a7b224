// two_programs: programs that should compute the same, for tests of what makes one of the other. Arguments are made up.
//
//   cmocka_run_group_tests(tests, open_platform, close_platform);
//   check_same("name", wanted, found);   // both are released
#ifndef MR_TESTS_COMPILER_TWO_PROGRAMS_H
#define MR_TESTS_COMPILER_TWO_PROGRAMS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "tests/cmocka.h"

static mr_platform *platform;
static mr_device *device;

static inline int open_platform(void **state) {
  (void)state;
  assert_null(mr_platform_create(NULL, &platform));
  device = mr_platform_device(platform, 0);
  return 0;
}

static inline int close_platform(void **state) {
  (void)state;
  mr_platform_release(platform);
  return 0;
}

static inline void expect_ok(mr_status status, const char *what) {
  if (status) {
    fail_msg("%s: %s: %s", what, mr_status_code_name(mr_status_code(status)), mr_status_message(status));
  }
}

// Arguments that mean something to most programs: small integers, floats between an eighth and one.
static inline void fill(mr_dtype dtype, uint8_t *data, size_t bytes, uint64_t seed) {
  size_t each = mr_dtype_bytes(dtype), count = bytes / each;
  for (size_t i = 0; i < count; i++) {
    uint64_t r = mr_hash64(&i, sizeof i, seed);
    uint8_t *at = data + i * each;
    float single = 0.125f + 0.875f * (float)(r & 0xffff) / 65536.0f, other = (float)(r >> 32 & 0xff) / 256.0f;
    double twice = single, second = other;
    uint16_t half = (uint16_t)(0x3000 + r % 0x0c00), brain = (uint16_t)(0x3e00 + r % 0x180);
    uint64_t small = dtype == MR_PRED ? r & 1 : r % 3;
    switch (dtype) {
    case MR_F32: memcpy(at, &single, 4); break;
    case MR_F64: memcpy(at, &twice, 8); break;
    case MR_F16: memcpy(at, &half, 2); break;
    case MR_BF16: memcpy(at, &brain, 2); break;
    case MR_C64: memcpy(at, (float[]){single, other}, 8); break;
    case MR_C128: memcpy(at, (double[]){twice, second}, 16); break;
    default: memcpy(at, &small, each); break;
    }
  }
}

static inline double number_at(mr_dtype dtype, const uint8_t *at) {
  float single;
  double twice;
  uint16_t bits;
  uint32_t wide;
  switch (dtype) {
  case MR_F32:
  case MR_C64: memcpy(&single, at, 4); return single;
  case MR_F64:
  case MR_C128: memcpy(&twice, at, 8); return twice;
  case MR_BF16:
    memcpy(&bits, at, 2);
    wide = (uint32_t)bits << 16;
    memcpy(&single, &wide, 4);
    return single;
  default: return NAN;
  }
}

static inline bool close_enough(mr_dtype dtype, const uint8_t *a, const uint8_t *b) {
  double tolerance = dtype == MR_BF16 ? 0x1p-7 : dtype == MR_F64 || dtype == MR_C128 ? 0x1p-51 : 0x1p-22;
  double x = number_at(dtype, a), y = number_at(dtype, b);
  return fabs(x - y) <= tolerance * fmax(1, fabs(x));
}

static inline void compare(const char *name, size_t index, const mr_port *port, const uint8_t *a, const uint8_t *b) {
  bool complex = port->dtype == MR_C64 || port->dtype == MR_C128;
  size_t unit = complex ? mr_dtype_bytes(port->dtype) / 2 : mr_dtype_bytes(port->dtype);
  for (size_t i = 0; unit && i < port->bytes / unit; i++) {
    if (memcmp(a + i * unit, b + i * unit, unit) != 0 && !close_enough(port->dtype, a + i * unit, b + i * unit)) {
      fail_msg("%s: result %zu differs at %zu: %g wanted, %g found", name, index, i,
               number_at(port->dtype, a + i * unit), number_at(port->dtype, b + i * unit));
    }
  }
}

static inline mr_buffer *argument(const mr_port *port, size_t index) {
  uint8_t *data = malloc(port->bytes + 1);
  assert_non_null(data);
  fill(port->dtype, data, port->bytes, index);
  mr_buffer *buffer = NULL;
  const mr_host_array host = {.data = data, .dtype = port->dtype, .dims = port->dims, .rank = port->rank};
  expect_ok(
      mr_buffer_from_host(&device->memories[MR_MEMORY_DEVICE], &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer),
      "argument");
  free(data);
  return buffer;
}

static inline uint8_t *content(mr_buffer *buffer, size_t bytes) {
  uint8_t *data = malloc(bytes + 1);
  assert_non_null(data);
  mr_future *done = NULL;
  expect_ok(mr_buffer_to_host(buffer, data, NULL, &done), "result");
  if (done) {
    mr_future_wait(done);
    mr_future_release(done);
  }
  return data;
}

// The results' bytes; the caller frees each and the array.
static inline uint8_t **run(const char *name, mr_executable *executable) {
  size_t params = mr_executable_param_count(executable), results = mr_executable_result_count(executable);
  mr_buffer **arguments = calloc(params + 1, sizeof *arguments), **outputs = calloc(results + 1, sizeof *outputs);
  uint8_t **bytes = calloc(results + 1, sizeof *bytes);
  assert_true(arguments && outputs && bytes);
  for (size_t i = 0; i < params; i++) {
    arguments[i] = argument(mr_executable_param(executable, i), i);
  }
  mr_future *done = NULL;
  expect_ok(mr_execute(executable, device, NULL, arguments, params, outputs, &done), name);
  if (done) {
    mr_future_wait(done);
    mr_future_release(done);
  }
  for (size_t i = 0; i < results; i++) {
    bytes[i] = content(outputs[i], mr_executable_result(executable, i)->bytes);
    mr_buffer_release(outputs[i]);
  }
  for (size_t i = 0; i < params; i++) {
    mr_buffer_release(arguments[i]);
  }
  free(arguments);
  free(outputs);
  return bytes;
}

static inline void compare_ports(const char *name, const mr_port *a, const mr_port *b) {
  bool same = a->dtype == b->dtype && a->rank == b->rank && a->donated == b->donated && a->alias == b->alias;
  for (size_t d = 0; same && d < a->rank; d++) {
    same = a->dims[d] == b->dims[d];
  }
  if (!same) {
    fail_msg("%s: a parameter or result differs between the forms", name);
  }
}

// Two programs compute the same; both are released.
static inline void check_same(const char *name, mr_executable *a, mr_executable *b) {
  assert_int_equal(mr_executable_param_count(a), mr_executable_param_count(b));
  assert_int_equal(mr_executable_result_count(a), mr_executable_result_count(b));
  for (size_t i = 0; i < mr_executable_param_count(a); i++) {
    compare_ports(name, mr_executable_param(a, i), mr_executable_param(b, i));
  }
  uint8_t **wanted = run(name, a), **found = run(name, b);
  for (size_t i = 0; i < mr_executable_result_count(a); i++) {
    compare_ports(name, mr_executable_result(a, i), mr_executable_result(b, i));
    compare(name, i, mr_executable_result(a, i), wanted[i], found[i]);
    free(wanted[i]);
    free(found[i]);
  }
  free(wanted);
  free(found);
  mr_executable_release(a);
  mr_executable_release(b);
}

#endif
