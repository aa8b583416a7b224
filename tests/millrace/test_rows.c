// The native C API for programs that several devices run together: what each has of an array, and all of them at once.
#include "tests/cmocka.h"

#include <string.h>

#include "core/core.h"
#include "millrace/millrace.h"

enum { ROWS = 4 };

// a is cut both ways, b along what is contracted: the result is a sum over y, and whole along its columns.
static const char program_text[] =
    "module @mm {\n"
    "  sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n"
    "  func.func public @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {\"y\"}]>},\n"
    "      %b: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"y\"}, {}]>})\n"
    "      -> (tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}) {\n"
    "    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>)\n"
    "      -> tensor<4x2xf32>\n"
    "    return %0 : tensor<4x2xf32>\n"
    "  }\n"
    "}\n";

static millrace_context *context;
static millrace_device *devices[ROWS];

static int make_context(void **state) {
  (void)state;
  const millrace_context_options options = {.struct_size = sizeof options, .num_devices = ROWS};
  assert_null(millrace_context_create(&options, &context));
  for (size_t i = 0; i < ROWS; i++) {
    devices[i] = millrace_context_device(context, i);
  }
  return 0;
}

static int free_context(void **state) {
  (void)state;
  millrace_context_release(context);
  return 0;
}

static millrace_program *load(void) {
  const millrace_program_options options = {.struct_size = sizeof options, .num_partitions = ROWS};
  millrace_program *program;
  assert_null(millrace_program_load_for(program_text, sizeof program_text - 1, &options, &program));
  return program;
}

// A row's part of a whole array.
static millrace_buffer *part_of(millrace_program *program, size_t index, size_t row, const float *whole) {
  millrace_type type = millrace_program_parameter(program, index);
  millrace_type all = millrace_program_whole_parameter(program, index);
  const int64_t strides[] = {all.dims[1] * (int64_t)sizeof(float), sizeof(float)};
  int64_t offsets[2];
  millrace_program_parameter_part(program, index, row, offsets);
  const millrace_array array = {.data = whole + offsets[0] * all.dims[1] + offsets[1],
                                .dtype = type.dtype,
                                .dims = type.dims,
                                .rank = type.rank,
                                .byte_strides = strides};
  millrace_buffer *buffer;
  assert_null(millrace_buffer_create(devices[row], &array, &buffer));
  return buffer;
}

// Each row's part is told, and together the rows give the product.
static void test_rows_multiply(void **state) {
  (void)state;
  millrace_program *program = load();
  assert_int_equal(millrace_program_device_count(program), ROWS);
  millrace_type product = millrace_program_whole_result(program, 0);
  assert_int_equal(product.rank, 2);
  assert_int_equal(product.dims[0], 4);
  assert_int_equal(product.dims[1], 2);
  float a[4 * 8], b[8 * 2];
  for (int i = 0; i < 32; i++) {
    a[i] = (float)i;
    b[i % 16] = (float)(i % 16) - 7;
  }
  millrace_buffer *arguments[ROWS * 2], *results[ROWS];
  millrace_event *events[ROWS];
  for (size_t row = 0; row < ROWS; row++) {
    arguments[2 * row] = part_of(program, 0, row, a);
    arguments[2 * row + 1] = part_of(program, 1, row, b);
  }
  assert_null(millrace_execute_rows(program, devices, ROWS, arguments, 2, results, 1, events));
  for (size_t row = 0; row < ROWS; row++) {
    assert_null(millrace_event_wait(events[row]));
    millrace_event_release(events[row]);
    float part[2 * 2];
    int64_t offsets[2];
    millrace_program_result_part(program, 0, row, offsets);
    assert_int_equal(offsets[0], row / 2 * 2);
    assert_int_equal(offsets[1], 0);
    assert_null(millrace_buffer_read(results[row], part, sizeof part));
    for (int64_t i = 0; i < 4; i++) {
      float wanted = 0;
      for (int64_t k = 0; k < 8; k++) {
        wanted += a[(offsets[0] + i / 2) * 8 + k] * b[k * 2 + i % 2];
      }
      assert_true(part[i] == wanted);
    }
    millrace_buffer_release(results[row]);
    millrace_buffer_release(arguments[2 * row]);
    millrace_buffer_release(arguments[2 * row + 1]);
  }
  millrace_program_release(program);
}

// Fewer rows than the program is for, and options of an older form, are refused.
static void test_refusals(void **state) {
  (void)state;
  millrace_program *program = load(), *other;
  millrace_buffer *arguments[ROWS * 2] = {0}, *results[ROWS];
  millrace_error *error = millrace_execute_rows(program, devices, 2, arguments, 2, results, 1, NULL);
  assert_non_null(error);
  assert_non_null(strstr(millrace_error_message(error), "2 rows with room for 1 results, wanted 4 with room for 1"));
  millrace_error_free(error);
  millrace_program_release(program);
  const millrace_program_options options = {.struct_size = 4};
  error = millrace_program_load_for(program_text, sizeof program_text - 1, &options, &other);
  assert_int_equal(millrace_error_code(error), MILLRACE_INVALID_ARGUMENT);
  assert_null(other);
  millrace_error_free(error);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows_multiply),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, make_context, free_context);
}
