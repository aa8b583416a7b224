// Values that programs compute where a special way is taken: subnormal numbers, contractions of vectors, large top_k.
#include <math.h>

#include "compiler/run/subnormal.h"
#include "tests/compiler/execute_harness.h"

// Subnormal numbers count as zero, on the caller's thread and on workers, and the caller's own mode comes back.
static void test_subnormals_count_as_zero(void **state) {
  (void)state;
  mr_executable *executable = compile("func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {\n"
                                      "  %c = stablehlo.ceil %a : tensor<2xf32>\n"
                                      "  %r = stablehlo.rsqrt %a : tensor<2xf32>\n"
                                      "  return %c, %r : tensor<2xf32>, tensor<2xf32>\n}\n");
  mr_buffer *argument = floats((float[]){1e-40f, 0.25f}, 2), *results[2];
  run(executable, &argument, 1, results);
  expect_floats(results[0], (float[]){0, 1}, 2);
  expect_floats(results[1], (float[]){INFINITY, 2}, 2);
  volatile float tiny = 1e-40f;
  assert_true(tiny * 2 > 0);
  release_all(results, 2);
  mr_buffer_release(argument);
  mr_executable_release(executable);
}

// A constant that is subnormal keeps its bits through changes of sign, and counts as zero in arithmetic, whatever the mode
// of the thread that compiles.
static void test_subnormal_constants(void **state) {
  (void)state;
  unsigned mode = mr_subnormals_flush();
  mr_executable *executable =
      compile("func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {\n"
              "  %c = stablehlo.constant dense<[1.0e-40, -1.0e-40]> : tensor<2xf32>\n"
              "  %z = stablehlo.constant dense<0.0> : tensor<2xf32>\n"
              "  %0 = stablehlo.negate %c : tensor<2xf32>\n"
              "  %1 = stablehlo.add %c, %c : tensor<2xf32>\n"
              "  %2 = stablehlo.compare EQ, %c, %z : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>\n"
              "  %3 = stablehlo.convert %2 : (tensor<2xi1>) -> tensor<2xf32>\n"
              "  return %0, %1, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>\n}\n");
  mr_subnormals_restore(mode);
  mr_buffer *argument = floats((float[]){0, 0}, 2), *results[3];
  run(executable, &argument, 1, results);
  expect_floats(results[0], (float[]){-1e-40f, 1e-40f}, 2);
  expect_floats(results[1], (float[]){0, 0}, 2);
  expect_floats(results[2], (float[]){1, 1}, 2);
  release_all(results, 3);
  mr_buffer_release(argument);
  mr_executable_release(executable);
}

static const char vector_products[] =
    "func.func @main(%a: tensor<6xf32>, %b: tensor<6xf32>) -> (tensor<f32>, tensor<3x2xf32>, tensor<1x2xbf16>, "
    "tensor<2x3x3xf32>) {\n"
    "  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<6xf32>, tensor<6xf32>) -> "
    "tensor<f32>\n"
    "  %x = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<2x1x3xf32>\n"
    "  %y = stablehlo.reshape %b : (tensor<6xf32>) -> tensor<3x2x1xf32>\n"
    "  %1 = stablehlo.dot_general %x, %y, batching_dims = [2, 0] x [0, 1], contracting_dims = [1] x [2] : "
    "(tensor<2x1x3xf32>, tensor<3x2x1xf32>) -> tensor<3x2xf32>\n"
    "  %h = stablehlo.convert %x : (tensor<2x1x3xf32>) -> tensor<2x1x3xbf16>\n"
    "  %2 = stablehlo.dot_general %h, %h, batching_dims = [1, 0] x [1, 0], contracting_dims = [2] x [2] : "
    "(tensor<2x1x3xbf16>, tensor<2x1x3xbf16>) -> tensor<1x2xbf16>\n"
    "  %3 = stablehlo.dot_general %x, %y, batching_dims = [0] x [1], contracting_dims = [1] x [2] : "
    "(tensor<2x1x3xf32>, tensor<3x2x1xf32>) -> tensor<2x3x3xf32>\n"
    "  return %0, %1, %2, %3 : tensor<f32>, tensor<3x2xf32>, tensor<1x2xbf16>, tensor<2x3x3xf32>\n"
    "}\n";

// Contractions without rows and columns: any number of batch dimensions in any order, sums of narrow floats kept wide.
static void test_products_of_vectors(void **state) {
  (void)state;
  mr_executable *executable = compile(vector_products);
  mr_buffer *arguments[2] = {floats((float[]){1, 2, 3, 4, 5, 6}, 6), floats((float[]){7, 8, 9, 10, 11, 12}, 6)};
  mr_buffer *results[4];
  run(executable, arguments, 2, results);
  expect_floats(results[0], (float[]){217}, 1);
  // [i, j] = x[j, 0, i] * y[i, j]
  expect_floats(results[1], (float[]){1 * 7, 4 * 8, 2 * 9, 5 * 10, 3 * 11, 6 * 12}, 6);
  // [k, i, j] = x[k, 0, i] * y[j, k]
  expect_floats(results[3], (float[]){7, 9, 11, 14, 18, 22, 21, 27, 33, 32, 40, 48, 40, 50, 60, 48, 60, 72}, 18);
  uint16_t got[2];
  mr_future *done = NULL;
  expect_ok(mr_buffer_to_host(results[2], got, NULL, &done));
  wait_for(done);
  assert_int_equal(got[0], 0x4160);  // 14
  assert_int_equal(got[1], 0x429A);  // 77
  release_all(results, 4);
  release_all(arguments, 2);
  mr_executable_release(executable);
}

// The k largest of a row, the first of equals first: for a k that a sorted list serves, and for those that a heap does.
static void test_top_k_is_stable(void **state) {
  (void)state;
  enum { N = 300 };
  static const int sizes[] = {1, 7, 95, 96, 200, 299, N};
  float row[N];
  for (int i = 0; i < N; i++) {
    row[i] = (float)(i * 7919 % 61);
  }
  mr_buffer *argument = floats(row, N);
  for (size_t s = 0; s < MR_ARRAY_SIZE(sizes); s++) {
    char text[512];
    int k = sizes[s], wanted[N];
    snprintf(text, sizeof text,
             "func.func @main(%%a: tensor<%dxf32>) -> (tensor<%dxf32>, tensor<%dxi32>) {\n"
             "  %%0:2 = chlo.top_k(%%a, k = %d) : tensor<%dxf32> -> (tensor<%dxf32>, tensor<%dxi32>)\n"
             "  return %%0#0, %%0#1 : tensor<%dxf32>, tensor<%dxi32>\n}\n",
             N, k, k, k, N, k, k, k, k);
    for (int i = 0; i < N; i++) {  // by counting who comes before
      int before = 0;
      for (int j = 0; j < N; j++) {
        before += row[j] > row[i] || (row[j] == row[i] && j < i);
      }
      wanted[before] = i;
    }
    mr_executable *executable = compile(text);
    mr_buffer *results[2];
    run(executable, &argument, 1, results);
    int got[N];
    float values[N];
    for (int r = 0; r < 2; r++) {
      mr_future *done = NULL;
      expect_ok(mr_buffer_to_host(results[r], r ? (void *)got : values, NULL, &done));
      wait_for(done);
    }
    for (int i = 0; i < k; i++) {
      assert_int_equal(got[i], wanted[i]);
      assert_true(values[i] == row[wanted[i]]);
    }
    release_all(results, 2);
    mr_executable_release(executable);
  }
  mr_buffer_release(argument);
}

// A vector times a matrix that is large enough to be shared out by rows, from either side, for f32 and bf16: whole numbers,
// so that every order of adding gives the same sum.
static void test_large_matrix_times_vector(void **state) {
  (void)state;
  enum { N = 600 };
  float *w = malloc(N * N * sizeof *w), x[N], wanted[N], got[3][N];
  for (int i = 0; i < N; i++) {
    x[i] = (float)(i % 3 - 1);
    for (int j = 0; j < N; j++) {
      w[i * N + j] = (float)((i * 7 + j) % 5 - 2);
    }
  }
  for (int j = 0; j < N; j++) {
    wanted[j] = 0;
    for (int i = 0; i < N; i++) {
      wanted[j] += x[i] * w[i * N + j];
    }
  }
  mr_executable *executable = compile(
      "func.func @main(%m: tensor<360000xf32>, %x: tensor<600xf32>) -> (tensor<600xf32>, tensor<600xf32>, "
      "tensor<600xf32>) {\n"
      "  %w = stablehlo.reshape %m : (tensor<360000xf32>) -> tensor<600x600xf32>\n"
      "  %0 = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0] : (tensor<600xf32>, tensor<600x600xf32>) -> "
      "tensor<600xf32>\n"
      "  %1 = stablehlo.dot_general %w, %x, contracting_dims = [0] x [0] : (tensor<600x600xf32>, tensor<600xf32>) -> "
      "tensor<600xf32>\n"
      "  %h = stablehlo.convert %w : (tensor<600x600xf32>) -> tensor<600x600xbf16>\n"
      "  %g = stablehlo.convert %x : (tensor<600xf32>) -> tensor<600xbf16>\n"
      "  %2 = stablehlo.dot_general %g, %h, contracting_dims = [0] x [0] : (tensor<600xbf16>, tensor<600x600xbf16>) -> "
      "tensor<600xbf16>\n"
      "  %3 = stablehlo.convert %2 : (tensor<600xbf16>) -> tensor<600xf32>\n"
      "  return %0, %1, %3 : tensor<600xf32>, tensor<600xf32>, tensor<600xf32>\n}\n");
  mr_buffer *arguments[2] = {floats(w, N * N), floats(x, N)}, *results[3];
  run(executable, arguments, 2, results);
  for (int r = 0; r < 3; r++) {
    mr_future *done = NULL;
    expect_ok(mr_buffer_to_host(results[r], got[r], NULL, &done));
    wait_for(done);
    for (int j = 0; j < N; j++) {
      assert_true(got[r][j] == wanted[j]);
    }
  }
  release_all(results, 3);
  release_all(arguments, 2);
  mr_executable_release(executable);
  free(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_subnormals_count_as_zero),  cmocka_unit_test(test_subnormal_constants),
      cmocka_unit_test(test_products_of_vectors),       cmocka_unit_test(test_top_k_is_stable),
      cmocka_unit_test(test_large_matrix_times_vector),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
