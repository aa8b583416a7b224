// Fourier transforms as kernels of OpenCL C, of many lengths and of one to three dimensions, against the CPU device's: no step is
// left to the host. Without a device it is skipped.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compiler/compiler.h"
#include "compiler/ir/scalar.h"
#include "tests/cmocka.h"
#include "tests/sample.h"

enum { MOST_BYTES = 1 << 20 };

static mr_platform *platform;

static void expect_ok(mr_status status) {
  if (status) {
    fail_msg("%s: %s", mr_status_code_name(mr_status_code(status)), mr_status_message(status));
  }
}

static void wait_for(mr_future *take_done) {
  if (take_done) {
    mr_future_wait(take_done);
    expect_ok(mr_status_retain(mr_future_status(take_done)));
    mr_future_release(take_done);
  }
}

static void run(mr_executable *e, mr_device *device, char *result) {
  static char bytes[MOST_BYTES];
  const mr_port *port = mr_executable_param(e, 0);
  const mr_dtype real = mr_dtype_real(port->dtype);
  assert_true(port->bytes <= sizeof bytes && mr_executable_result(e, 0)->bytes <= MOST_BYTES);
  uint32_t seed = 1;
  for (size_t at = 0; at < port->bytes; at += mr_dtype_bytes(real)) {
    seed = seed * 1664525 + 1013904223;
    mr_scalar_from_double(real, (double)(seed >> 8) / (1 << 23) - 1, bytes + at);
  }
  mr_buffer *argument, *value;
  mr_future *done;
  const mr_host_array array = {.data = bytes, .dtype = port->dtype, .dims = port->dims, .rank = port->rank};
  expect_ok(mr_buffer_from_host(&device->memories[MR_MEMORY_DEVICE], &array, MR_HOST_ONLY_DURING_CALL, NULL, NULL,
                                &argument));
  expect_ok(mr_execute(e, device, NULL, &argument, 1, &value, &done));
  wait_for(done);
  expect_ok(mr_buffer_to_host(value, result, NULL, &done));
  wait_for(done);
  mr_buffer_release(value);
  mr_buffer_release(argument);
}

// The largest difference against the root of the mean square of what is wanted.
static double error_of(mr_dtype real, size_t bytes, const char *got, const char *wanted) {
  const size_t size = mr_dtype_bytes(real);
  double most = 0, squares = 0;
  for (size_t at = 0; at < bytes; at += size) {
    double a = mr_scalar_to_double(real, got + at), b = mr_scalar_to_double(real, wanted + at);
    assert_true(isfinite(a));
    most = fmax(most, fabs(a - b));
    squares += b * b;
  }
  return most / sqrt(squares / (double)(bytes / size));
}

static void check(const char *kind, const char *type, const char *batch, const int *length, int rank) {
  static char got[MOST_BYTES], wanted[MOST_BYTES];
  char text[1024], full[64] = "", half[64] = "", list[64] = "";
  for (int i = 0; i < rank; i++) {
    snprintf(full + strlen(full), 16, "%dx", length[i]);
    snprintf(half + strlen(half), 16, "%dx", i + 1 < rank ? length[i] : length[i] / 2 + 1);
    snprintf(list + strlen(list), 16, "%s%d", i ? ", " : "", length[i]);
  }
  const bool from_real = strcmp(kind, "RFFT") == 0, to_real = strcmp(kind, "IRFFT") == 0;
  char x[128], y[128];
  snprintf(x, sizeof x, from_real ? "tensor<%s%s%s>" : "tensor<%s%scomplex<%s>>", batch, to_real ? half : full, type);
  snprintf(y, sizeof y, to_real ? "tensor<%s%s%s>" : "tensor<%s%scomplex<%s>>", batch, from_real ? half : full, type);
  snprintf(text, sizeof text,
           "func.func @main(%%x: %s) -> %s {\n%%r = stablehlo.fft %%x, type = %s, length = [%s] : (%s) -> %s\n"
           "return %%r : %s\n}\n",
           x, y, kind, list, x, y, y);
  mr_device *cpu = mr_platform_device(platform, 0), *device = mr_platform_device(platform, 1);
  mr_executable *there, *here;
  const mr_compile_options options = {.target = mr_device_target(device)};
  expect_ok(mr_compile((mr_span){text, strlen(text)}, &options, &there));
  expect_ok(mr_compile((mr_span){text, strlen(text)}, NULL, &here));
  run(there, device, got);
  run(here, cpu, wanted);
  const mr_port *port = mr_executable_result(here, 0);
  double error = error_of(mr_dtype_real(port->dtype), port->bytes, got, wanted);
  if (!(error <= (strcmp(type, "f64") == 0 ? 1e-14 : 3e-6))) {
    fail_msg("%s of %s: %g", kind, x, error);
  }
  mr_executable_release(there);
  mr_executable_release(here);
}

static const char *const kinds[] = {"FFT", "IFFT", "RFFT", "IRFFT"};

// One kernel each: passes of every radix, lines apart and in vectors, convolutions with a chirp; real ones of even and odd lengths.
static void test_lengths(void **state) {
  (void)state;
  static const struct {
    int kind;
    const char *type, *batch;
    int length;
  } cases[] = {{0, "f32", "3x", 1},   {0, "f32", "", 4096},  {0, "f64", "2x9x", 105}, {0, "f32", "5x", 67},
               {1, "f32", "2x9x", 8}, {1, "f64", "", 62},    {1, "f32", "17x", 134},  {2, "f32", "2x9x", 64},
               {2, "f32", "3x", 15},  {2, "f64", "9x", 134}, {2, "f32", "3x", 2},     {3, "f32", "2x9x", 64},
               {3, "f64", "3x", 15},  {3, "f32", "9x", 67},  {3, "f64", "", 134},     {3, "f32", "3x", 2}};
  for (size_t i = 0; platform && i < MR_ARRAY_SIZE(cases); i++) {
    if (!is_in_sample(i)) {
      continue;
    }
    check(kinds[cases[i].kind], cases[i].type, cases[i].batch, &cases[i].length, 1);
  }
}

static void test_dimensions(void **state) {
  (void)state;
  for (size_t k = 0; platform && k < MR_ARRAY_SIZE(kinds); k++) {
    if (k % 2) {
      check(kinds[k], "f32", "3x", (const int[]){6, 20}, 2);
    } else {
      check(kinds[k], "f64", "", (const int[]){4, 67, 9}, 3);
    }
  }
  if (platform) {
    check("IRFFT", "f32", "", (const int[]){4, 5, 9}, 3);
  }
}

int main(void) {
  // PoCL, where nothing says otherwise, and its cache where it disturbs nobody. No step may go to the host.
  setenv("POCL_DEVICES", "pthread", 0);
  mkdir(MR_BINARY_DIR "/pocl", 0777);
  setenv("POCL_CACHE_DIR", MR_BINARY_DIR "/pocl", 0);
  setenv("MILLRACE_OPENCL_HOST_STEPS", "0", 1);
  mr_status status = mr_platform_create(&(mr_platform_options){.kinds = "cpu,opencl:cpu"}, &platform);
  if (status) {
    print_message("no device of OpenCL's: skipped\n");
    mr_status_free(status);
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths), cmocka_unit_test(test_dimensions)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  if (platform) {
    mr_platform_give_up(platform);
    mr_platform_release(platform);
  }
  return failed;
}
