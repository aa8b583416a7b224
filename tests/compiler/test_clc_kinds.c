// One kernel of each kind that is made for devices of OpenCL's (clc_kinds.def), through the compiler and the device: no step is left to
// the host, and what comes out is what the CPU device gives. `./dev oclgrind` runs this where each access is looked at. Without a
// device it is skipped.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compiler/compiler.h"
#include "compiler/ir/scalar.h"
#include "compiler/plan/plan.h"
#include "tests/cmocka.h"
#include "tests/sample.h"

typedef struct kind {
  const char *name, *takes, *gives, *body;
} kind;

static const kind kinds[] = {
#define KIND(name, takes, gives, body) {name, takes, gives, body},
#include "tests/compiler/clc_kinds.def"
};

enum { MOST_BYTES = 1 << 17, MOST_PARAMS = 4 };

static mr_platform *platform;

static void expect_ok(mr_status status) {
  if (status) {
    fail_msg("%s: %s", mr_status_code_name(mr_status_code(status)), mr_status_message(status));
  }
}

// Small numbers, that each type holds; for integers whole ones, so that they can be places in what they choose from.
static void fill(mr_dtype dtype, size_t bytes, uint32_t seed, char *to) {
  mr_dtype real = mr_dtype_real(dtype);
  size_t size = mr_dtype_bytes(real);
  for (size_t at = 0; at < bytes; at += size) {
    seed = seed * 1664525 + 1013904223;
    double number = (double)(seed >> 24) / 8 + 1;
    mr_scalar_from_double(real, real == MR_PRED ? (double)(seed >> 31) : number, to + at);
  }
}

// Integers are the same, floats to a few of their last bits: sums may be in another order.
static void expect_same(const char *name, mr_dtype dtype, size_t bytes, const char *got, const char *wanted) {
  mr_dtype real = mr_dtype_real(dtype);
  size_t size = mr_dtype_bytes(real);
  double slack = mr_dtype_is_float(real) ? (size < 4 ? 0.02 : 1e-5) : 0;
  for (size_t at = 0; at < bytes; at += size) {
    double a = mr_scalar_to_double(real, got + at), b = mr_scalar_to_double(real, wanted + at);
    if (memcmp(got + at, wanted + at, size) != 0 && !(isnan(a) && isnan(b)) &&
        !(slack > 0 && fabs(a - b) <= slack * (1 + fabs(b)))) {
      fail_msg("%s: element %zu is %.9g, wanted %.9g", name, at / size, a, b);
    }
  }
}

static mr_buffer *argument(mr_device *device, const mr_port *port, uint32_t seed) {
  static char bytes[MOST_BYTES];
  assert_true(port->bytes <= sizeof bytes);
  fill(port->dtype, port->bytes, seed, bytes);
  mr_buffer *buffer = NULL;
  const mr_host_array array = {.data = bytes, .dtype = port->dtype, .dims = port->dims, .rank = port->rank};
  expect_ok(
      mr_buffer_from_host(&device->memories[MR_MEMORY_DEVICE], &array, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
  return buffer;
}

static void wait_for(mr_future *take_done) {
  if (take_done) {
    mr_future_wait(take_done);
    expect_ok(mr_status_retain(mr_future_status(take_done)));
    mr_future_release(take_done);
  }
}

static int count_kernels(const mr_executable *e) {
  int kernels = 0;
  for (uint32_t u = 0; u < e->num_units; u++) {
    for (const char *at = e->units[u].source.data; (at = strstr(at, "\nkernel ")) != NULL; at++) {
      kernels++;
    }
  }
  return kernels;
}

static void run(mr_executable *e, mr_device *device, char *result) {
  mr_buffer *arguments[MOST_PARAMS], *results[1];
  mr_future *done;
  size_t count = mr_executable_param_count(e);
  assert_true(count <= MOST_PARAMS && mr_executable_result(e, 0)->bytes <= MOST_BYTES);
  for (size_t i = 0; i < count; i++) {
    arguments[i] = argument(device, mr_executable_param(e, i), (uint32_t)i);
  }
  expect_ok(mr_execute(e, device, NULL, arguments, count, results, &done));
  wait_for(done);
  expect_ok(mr_buffer_to_host(results[0], result, NULL, &done));
  wait_for(done);
  mr_buffer_release(results[0]);
  for (size_t i = 0; i < count; i++) {
    mr_buffer_release(arguments[i]);
  }
}

static mr_executable *compile(const kind *k, const mr_device *device) {
  static char text[4096];
  snprintf(text, sizeof text, "func.func @main(%s) -> %s {\n%s\nreturn %%r : %s\n}\n", k->takes, k->gives, k->body,
           k->gives);
  const mr_compile_options options = {.target = mr_device_target(device)};
  mr_executable *e;
  expect_ok(mr_compile((mr_span){text, strlen(text)}, &options, &e));
  return e;
}

// Oclgrind is not made for several threads that call it, and longer chains come from more than one.
static int most_kernels(const mr_device *device) {
  for (size_t i = 0; i < device->num_attributes; i++) {
    const char *text = device->attributes[i].text;
    if (text && strstr(text, "Oclgrind")) {
      return 2;
    }
  }
  return INT_MAX;
}

// The form for devices of many items, when it is asked for: a sort of so much wants more memory than an item has of its own there, and
// is the host's.
static bool is_of_items(void) {
  const char *form = getenv("MILLRACE_OPENCL_FORM");
  return form && strcmp(form, "items") == 0;
}

static void test_kinds(void **state) {
  (void)state;
  static char got[MOST_BYTES], wanted[MOST_BYTES];
  int kernels = 0, without = 0;
  bool all = true;
  for (size_t k = 0; platform && k < MR_ARRAY_SIZE(kinds); k++) {
    if (!is_in_sample(k)) {
      all = false;
      continue;
    }
    mr_device *cpu = mr_platform_device(platform, 0), *device = mr_platform_device(platform, 1);
    mr_executable *there = compile(&kinds[k], device), *here = compile(&kinds[k], cpu);
    int made = count_kernels(there);
    bool runs = made <= most_kernels(device);
    print_message("%3zu %s: %d%s\n", k + 1, kinds[k].name, made, runs ? "" : " (not run)");
    if (runs) {
      run(there, device, got);
      run(here, cpu, wanted);
      const mr_port *port = mr_executable_result(here, 0);
      expect_same(kinds[k].name, port->dtype, port->bytes, got, wanted);
      kernels += made;
    }
    without += made == 0;
    mr_executable_release(there);
    mr_executable_release(here);
  }
  print_message("%d kernels of %zu kinds\n", kernels, platform ? MR_ARRAY_SIZE(kinds) : 0);
  assert_true(without <= (platform && is_of_items() ? 1 : 0));
  if (all) {
    assert_int_equal(without, platform && is_of_items() ? 1 : 0);
  }
}

int main(void) {
  // PoCL, where nothing says otherwise, and its cache where it disturbs nobody. No step may go to the host.
  setenv("POCL_DEVICES", "pthread", 0);
  mkdir(MR_BINARY_DIR "/pocl", 0777);
  setenv("POCL_CACHE_DIR", MR_BINARY_DIR "/pocl", 0);
  setenv("MILLRACE_OPENCL_MEMORY", "buffers", 1);
  setenv("MILLRACE_OPENCL_HOST_STEPS", is_of_items() ? "1" : "0", 1);
  mr_status status = mr_platform_create(&(mr_platform_options){.kinds = "cpu,opencl:cpu"}, &platform);
  if (status) {
    print_message("no device of OpenCL's: skipped\n");
    mr_status_free(status);
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  if (platform) {
    mr_platform_give_up(platform);
    mr_platform_release(platform);
  }
  return failed;
}
