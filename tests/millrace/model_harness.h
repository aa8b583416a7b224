// What tests of models, weights and calls do again and again: a context, programs as text, arrays, files in a folder of their own.
#ifndef MR_TESTS_MILLRACE_MODEL_HARNESS_H
#define MR_TESTS_MILLRACE_MODEL_HARNESS_H

#include "tests/millrace/engine_harness.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/core.h"

// y = x w + b, as jax.export writes it with an open batch: names in the function that is called, a size that has a name, and what is asserted
// of it.
static const char affine_program[] =
    "module @affine attributes {jax.uses_shape_polymorphism = true} {\n"
    "  func.func public @main(%arg0: tensor<3xf32> loc(unknown), %arg1: tensor<4x3xf32> loc(unknown), %arg2: "
    "tensor<?x4xf32> loc(unknown)) "
    "-> (tensor<?x3xf32> {jax.result_info = \"result['y']\"}, tensor<?x4xf32> {jax.result_info = \"result['twice']\"}) "
    "{\n"
    "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "    %most = stablehlo.constant dense<64> : tensor<i32>\n"
    "    %b = stablehlo.get_dimension_size %arg2, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>\n"
    "    %ge = stablehlo.compare GE, %b, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.custom_call @shape_assertion(%ge, %b) {error_message = \"b must be 1 or more, it is {0}\", "
    "has_side_effect = true} : "
    "(tensor<i1>, tensor<i32>) -> ()\n"
    "    %le = stablehlo.compare LE, %b, %most, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.custom_call @shape_assertion(%le, %b, %most) {error_message = \"b = {0} is above {1}\", "
    "has_side_effect = true} : "
    "(tensor<i1>, tensor<i32>, tensor<i32>) -> ()\n"
    "    %r:2 = call @wrapped(%b, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<3xf32>, tensor<4x3xf32>, "
    "tensor<?x4xf32>) -> "
    "(tensor<?x3xf32>, tensor<?x4xf32>)\n"
    "    return %r#0, %r#1 : tensor<?x3xf32>, tensor<?x4xf32>\n"
    "  }\n"
    "  func.func private @wrapped(%arg0: tensor<i32> {jax.global_constant = \"b\"} loc(unknown), %arg1: tensor<3xf32> "
    "loc(\"params['b']\"), "
    "%arg2: tensor<4x3xf32> loc(\"params['w']\"), %arg3: tensor<?x4xf32> loc(#named)) -> (tensor<?x3xf32>, "
    "tensor<?x4xf32>) {\n"
    "    %three = stablehlo.constant dense<3> : tensor<1xi32>\n"
    "    %p = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x3xf32>) -> "
    "tensor<?x3xf32>\n"
    "    %s = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>\n"
    "    %shape = stablehlo.concatenate %s, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>\n"
    "    %bias = stablehlo.dynamic_broadcast_in_dim %arg1, %shape, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> "
    "tensor<?x3xf32>\n"
    "    %y = stablehlo.add %p, %bias : tensor<?x3xf32>\n"
    "    %t = stablehlo.add %arg3, %arg3 : tensor<?x4xf32>\n"
    "    return %y, %t : tensor<?x3xf32>, tensor<?x4xf32>\n"
    "  }\n"
    "}\n"
    "#named = loc(\"x\")\n";

// A counter that lives on the device: state + step, and twice the sum beside it.
static const char counter_program[] =
    "func.func public @main(%state: tensor<4xf32> {tf.aliasing_output = 0 : i32} loc(\"state\"), %step: tensor<4xf32> "
    "loc(\"step\")) -> "
    "(tensor<4xf32> {jax.result_info = \"result[0]\"}, tensor<4xf32> {jax.result_info = \"result[1]\"}) {\n"
    "  %s = stablehlo.add %state, %step : tensor<4xf32>\n"
    "  %t = stablehlo.add %s, %s : tensor<4xf32>\n"
    "  return %s, %t : tensor<4xf32>, tensor<4xf32>\n"
    "}\n";

static const char add_program[] = "func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
                                  "  %0 = stablehlo.add %a, %b : tensor<4xf32>\n"
                                  "  return %0 : tensor<4xf32>\n"
                                  "}\n";

// Big enough to be queued rather than run on the spot.
static const char heavy_program[] = "func.func public @main(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {\n"
                                    "  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : "
                                    "(tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>\n"
                                    "  return %0 : tensor<512x512xf32>\n"
                                    "}\n";

static millrace_context *context;
static millrace_device *device;

static inline int start_context(void **state) {
  (void)state;
  millrace_error *error = millrace_context_create(NULL, &context);
  device = error ? NULL : millrace_context_device(context, 0);
  millrace_error_free(error);
  return device ? 0 : -1;
}

static inline int stop_context(void **state) {
  (void)state;
  millrace_context_release(context);
  return 0;
}

// ---- Making things ------------------------------------------------------------------------------------------------------------

static inline millrace_model *load_model(const char *text) {
  millrace_model *model = NULL;
  ok(millrace_model_load(context, text, strlen(text), NULL, &model));
  return model;
}

static inline millrace_program *load_program(const char *text) {
  millrace_program *program = NULL;
  ok(millrace_program_load(text, strlen(text), &program));
  return program;
}

static inline millrace_buffer *floats(const float *values, size_t rank, const int64_t *dims) {
  const millrace_array array = {.data = values, .dtype = MILLRACE_F32, .dims = dims, .rank = rank};
  millrace_buffer *buffer = NULL;
  ok(millrace_buffer_create(device, &array, &buffer));
  return buffer;
}

static inline millrace_buffer *four_floats(float a, float b, float c, float d) {
  return floats((const float[]){a, b, c, d}, 1, (const int64_t[]){4});
}

// 512 x 512, all of them `value`.
static inline millrace_buffer *heavy_floats(float value) {
  const int64_t dims[] = {512, 512};
  float *values = malloc(512 * 512 * sizeof *values);
  for (size_t i = 0; i < (size_t)512 * 512; i++) {
    values[i] = value;
  }
  millrace_buffer *buffer = floats(values, 2, dims);
  free(values);
  return buffer;
}

static inline void holds(millrace_buffer *buffer, size_t count, const float *wanted) {
  float *read = malloc(count * sizeof *read);
  ok(millrace_buffer_read(buffer, read, count * sizeof *read));
  for (size_t i = 0; i < count; i++) {
    if (fabsf(read[i] - wanted[i]) > 1e-5f * (1 + fabsf(wanted[i]))) {
      fail_msg("element %zu is %g, wanted %g", i, (double)read[i], (double)wanted[i]);
    }
  }
  free(read);
}

// ---- Files --------------------------------------------------------------------------------------------------------------------

static char folder[64];

static inline int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/millrace-model-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command);
}

// The path stays until the next but three.
static inline const char *path_of(const char *name) {
  static char paths[4][512];
  static unsigned next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static inline const char *write_bytes(const char *name, const void *bytes, size_t size) {
  const char *path = path_of(name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
  return path;
}

// A .safetensors with this header, padded so that the data begins on 64 bytes.
static inline const char *write_safetensors(const char *name, const char *header, const void *data, size_t size) {
  char bytes[4096];
  uint64_t length = (strlen(header) + 8 + 63) / 64 * 64 - 8;
  assert_true(length + 8 + size <= sizeof bytes);
  memset(bytes, ' ', sizeof bytes);
  memcpy(bytes, &length, 8);
  memcpy(bytes + 8, header, strlen(header));
  memcpy(bytes + 8 + length, data, size);
  return write_bytes(name, bytes, 8 + length + size);
}

#endif
