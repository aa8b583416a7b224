// Memory that runs out while a program is compiled for a device that takes text, and while one of OpenCL's runs it, where there is one
// (PoCL): a status, and nothing is kept.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compiler/compiler.h"
#include "tests/alloc_loop.h"
#include "tests/cmocka.h"
#include "tests/file.h"

enum { LARGEST_FILE = 2500, SIDE = 24, COUNT = SIDE * SIDE };

static const mr_target text_target = {.language = MR_CODE_OPENCL_C,
                                      .has_f64 = true,
                                      .has_correct_division = true,
                                      .largest_block_bytes = 1 << 30,
                                      .parameter_bytes = 1024,
                                      .host_steps = true,
                                      .key = {1, 2}};

typedef struct program {
  mr_span text;
  const mr_target *target;
  mr_code refusal;  // what is answered with all the memory there is
} program;

static mr_status compile(void *context) {
  const program *p = context;
  const mr_compile_options options = {.target = p->target};
  mr_executable *executable = NULL;
  mr_status status = mr_compile(p->text, &options, &executable);
  assert_true((status != MR_OK) == (executable == NULL));
  mr_executable_release(executable);
  if (mr_status_code(status) == p->refusal) {
    mr_status_free(status);
    return MR_OK;
  }
  return status;
}

static void loop_compile(void *context, const char *path, mr_span text) {
  program p = {.text = text, .target = context};
  mr_status refused = compile(&p);
  p.refusal = mr_status_code(refused);
  mr_status_free(refused);
  alloc_loop(path, compile, &p, p.refusal ? 12000 : 20000);
}

// With steps on the host, and refused by name where the device allows none or lacks a type.
static void test_compiling(void **state) {
  (void)state;
  mr_target alone = text_target;
  alone.host_steps = alone.has_f64 = false;
  alone.items = true;
  assert_true(file_each("tests/programs", ".mlir", LARGEST_FILE, loop_compile, (void *)(uintptr_t)&text_target) > 5);
  assert_true(file_each("tests/programs", ".mlir", LARGEST_FILE, loop_compile, &alone) > 5);
  alloc_loops_ended_well();
}

// ---- Running --------------------------------------------------------------------------------------------------------

// Kernels, a product, a constant, and a loop that the host looks at since it calls the host's library.
static const char text[] =
    "func.func @main(%x: tensor<24x24xf32>, %rounds: tensor<i32>) -> (tensor<24x24xf32>, tensor<i32>) {\n"
    "  %half = stablehlo.constant dense<0.5> : tensor<24x24xf32>\n"
    "  %first = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %r:2 = stablehlo.while(%i = %first, %a = %x) : tensor<i32>, tensor<24x24xf32>\n"
    "  cond {\n"
    "    %c = stablehlo.compare LT, %i, %rounds : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %p = stablehlo.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<24x24xf32>, tensor<24x24xf32>) -> "
    "tensor<24x24xf32>\n"
    "    %l = \"stablehlo.cholesky\"(%x) {lower = true} : (tensor<24x24xf32>) -> tensor<24x24xf32>\n"
    "    %s = stablehlo.add %p, %l : tensor<24x24xf32>\n"
    "    %h = stablehlo.multiply %s, %half : tensor<24x24xf32>\n"
    "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "    %n = stablehlo.add %i, %one : tensor<i32>\n"
    "    stablehlo.return %n, %h : tensor<i32>, tensor<24x24xf32>\n"
    "  }\n"
    "  return %r#1, %r#0 : tensor<24x24xf32>, tensor<i32>\n"
    "}\n";

typedef struct runner {
  mr_device *device;
  mr_executable *executable;
  mr_buffer *arguments[2];
} runner;

static mr_status end_of(mr_status status, mr_future *take_done) {
  if (take_done) {
    mr_future_wait(take_done);
    status = mr_status_join(status, mr_status_retain(mr_future_status(take_done)));
    mr_future_release(take_done);
  }
  return status;
}

static mr_status run(void *context) {
  runner *r = context;
  mr_buffer *results[2] = {0};
  mr_future *done = NULL;
  mr_status status = mr_execute(r->executable, r->device, NULL, r->arguments, 2, results, &done);
  status = end_of(status, done);
  int32_t rounds = 0;
  done = NULL;
  if (!status) {
    status = mr_buffer_to_host(results[1], &rounds, NULL, &done);
    status = end_of(status, done);
    assert_true(status || rounds == 3);
  }
  mr_buffer_release(results[0]);
  mr_buffer_release(results[1]);
  return status;
}

static mr_buffer *array(mr_device *device, mr_dtype dtype, const void *data, size_t rank, const int64_t *dims) {
  mr_buffer *buffer = NULL;
  mr_host_array host = {.data = data, .dtype = dtype, .dims = dims, .rank = rank};
  assert_true(
      !mr_buffer_from_host(&device->memories[MR_MEMORY_DEVICE], &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
  return buffer;
}

static void loop_run(const char *memory) {
  setenv("MILLRACE_OPENCL_MEMORY", memory, 1);
  mr_platform *platform = NULL;
  mr_status status = mr_platform_create(&(mr_platform_options){.kinds = "opencl:cpu"}, &platform);
  if (status) {
    print_message("no device of OpenCL's: skipped\n");
    mr_status_free(status);
    return;
  }
  runner r = {.device = mr_platform_device(platform, 0)};
  float x[COUNT] = {0};
  for (int i = 0; i < SIDE; i++) {
    x[i * SIDE + i] = 1;
  }
  const int32_t rounds = 3;
  const mr_compile_options options = {.target = mr_device_target(r.device)};
  assert_true(!mr_compile((mr_span){text, sizeof text - 1}, &options, &r.executable));
  r.arguments[0] = array(r.device, MR_F32, x, 2, (int64_t[]){SIDE, SIDE});
  r.arguments[1] = array(r.device, MR_S32, &rounds, 0, NULL);
  alloc_loop(memory, run, &r, 5000);
  mr_buffer_release(r.arguments[0]);
  mr_buffer_release(r.arguments[1]);
  mr_executable_release(r.executable);
  mr_platform_give_up(platform);
  mr_platform_release(platform);
  unsetenv("MILLRACE_OPENCL_MEMORY");
}

static void test_running(void **state) {
  (void)state;
  loop_run("buffers");
  loop_run("shared");
  alloc_loops_ended_well();
}

int main(void) {
  setenv("POCL_DEVICES", "pthread pthread", 0);
  mkdir(MR_BINARY_DIR "/pocl", 0777);
  setenv("POCL_CACHE_DIR", MR_BINARY_DIR "/pocl", 0);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_compiling), cmocka_unit_test(test_running)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
