// Lowered kernels compute what the operations are defined to compute, at their edges too.
#include <stdio.h>
#include <string.h>

#include "compiler/fuse/fuse.h"
#include "compiler/reader/reader.h"
#include "tests/cmocka.h"
#include "tests/compiler/lower_harness.h"

static void check_ok(mr_status status) {
  if (status) {
    print_error("%s\n", mr_status_message(status));
  }
  assert_null(status);
}

// Runs a program alone and fused; the first result must be `wanted` both times.
static void check_bytes(const char *text, void *const *inputs, const void *wanted, size_t size) {
  for (int fused = 0; fused < 2; fused++) {
    mr_module *module;
    check_ok(mr_read_text((mr_span){text, strlen(text)}, &module));
    check_ok(mr_module_verify(module));
    mr_function *function = mr_module_entry(module);
    if (fused) {
      check_ok(mr_fuse(function));
    }
    harness h = {.shares = fused ? 2 : 1};
    void *outputs[8];
    check_ok(harness_run(&h, function, inputs, outputs));
    assert_memory_equal(outputs[0], wanted, size);
    harness_deinit(&h);
    mr_module_release(module);
  }
}

#define CHECK(text, inputs, ...)                                   \
  do {                                                             \
    check_bytes(text, inputs, (__VA_ARGS__), sizeof(__VA_ARGS__)); \
  } while (0)

// Starts of slices and gathers are clamped so that the slice fits.
static void test_starts_are_clamped(void **state) {
  (void)state;
  float x[5] = {0, 1, 2, 3, 4};
  int32_t high[1] = {9}, low[1] = {-3}, indices[3] = {-1, 2, 77};
  CHECK("func.func @main(%x: tensor<5xf32>, %i: tensor<i32>) -> tensor<3xf32> {\n"
        "  %0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<5xf32>, tensor<i32>) -> tensor<3xf32>\n"
        "  return %0 : tensor<3xf32>\n}\n",
        ((void *[]){x, high}), (float[]){2, 3, 4});
  CHECK("func.func @main(%x: tensor<5xf32>, %i: tensor<i32>, %u: tensor<1xi32>) -> tensor<5xf32> {\n"
        "  %f = stablehlo.convert %u : (tensor<1xi32>) -> tensor<1xf32>\n"
        "  %0 = stablehlo.dynamic_update_slice %x, %f, %i : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> "
        "tensor<5xf32>\n"
        "  return %0 : tensor<5xf32>\n}\n",
        ((void *[]){x, low, high}), (float[]){9, 1, 2, 3, 4});
  CHECK("func.func @main(%x: tensor<5xf32>, %i: tensor<3x1xi32>) -> tensor<3x2xf32> {\n"
        "  %0 = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],"
        " start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>}> :"
        " (tensor<5xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>\n"
        "  return %0 : tensor<3x2xf32>\n}\n",
        ((void *[]){x, indices}), (float[]){0, 1, 2, 3, 3, 4});
}

// A scatter window that does not fit is skipped as a whole; of two writes to one place the later one stays.
static void test_scatter_skips_and_keeps_the_last(void **state) {
  (void)state;
  float x[4] = {0, 0, 0, 0}, updates[4] = {1, 2, 3, 4};
  int32_t indices[4] = {1, 4, -1, 1};
  CHECK("func.func @main(%x: tensor<4xf32>, %i: tensor<4x1xi32>, %u: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %0 = \"stablehlo.scatter\"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<"
        "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n"
        "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
        "    stablehlo.return %b : tensor<f32>\n"
        "  }) : (tensor<4xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<4xf32>\n"
        "  return %0 : tensor<4xf32>\n}\n",
        ((void *[]){x, indices, updates}), (float[]){0, 4, 0, 0});
}

// Padding: between elements first, then the edges, where negative amounts cut, also into the holes.
static void test_padding(void **state) {
  (void)state;
  float x[3] = {1, 2, 3}, v[1] = {9};
  CHECK("func.func @main(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<6xf32> {\n"
        "  %0 = stablehlo.pad %x, %v, low = [-1], high = [2], interior = [1] :"
        " (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>\n"
        "  return %0 : tensor<6xf32>\n}\n",
        ((void *[]){x, v}), (float[]){9, 2, 9, 3, 9, 9});
}

// Window positions in the padding hold the initial value, and a cumulative window is a running total.
static void test_windows(void **state) {
  (void)state;
  int32_t x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  CHECK("func.func @main(%x: tensor<9xi32>) -> tensor<9xi32> {\n"
        "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
        "  %0 = \"stablehlo.reduce_window\"(%x, %z) <{window_dimensions = array<i64: 9>,"
        " padding = dense<[[0, 8]]> : tensor<1x2xi64>}> ({\n"
        "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
        "    %s = stablehlo.add %a, %b : tensor<i32>\n"
        "    stablehlo.return %s : tensor<i32>\n"
        "  }) : (tensor<9xi32>, tensor<i32>) -> tensor<9xi32>\n"
        "  return %0 : tensor<9xi32>\n}\n",
        ((void *[]){x}), (int32_t[]){45, 44, 42, 39, 35, 30, 24, 17, 9});
  CHECK("func.func @main(%x: tensor<9xi32>) -> tensor<3xi32> {\n"
        "  %z = stablehlo.constant dense<5> : tensor<i32>\n"
        "  %0 = \"stablehlo.reduce_window\"(%x, %z) <{window_dimensions = array<i64: 3>,"
        " window_strides = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({\n"
        "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
        "    %s = stablehlo.maximum %a, %b : tensor<i32>\n"
        "    stablehlo.return %s : tensor<i32>\n"
        "  }) : (tensor<9xi32>, tensor<i32>) -> tensor<3xi32>\n"
        "  return %0 : tensor<3xi32>\n}\n",
        ((void *[]){x}), (int32_t[]){5, 5, 7});
}

// Sums of narrow floats are added up in 32 bits.
static void test_narrow_sums(void **state) {
  (void)state;
  static uint16_t ones[2000];
  for (int i = 0; i < 2000; i++) {
    ones[i] = 0x3F80;
  }
  CHECK("func.func @main(%x: tensor<2000xbf16>) -> tensor<bf16> {\n"
        "  %z = stablehlo.constant dense<0.0> : tensor<bf16>\n"
        "  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] :"
        " (tensor<2000xbf16>, tensor<bf16>) -> tensor<bf16>\n"
        "  return %0 : tensor<bf16>\n}\n",
        ((void *[]){ones}), (uint16_t[]){0x44FA});
}

// A sort is stable: equal keys keep the order of what comes with them.
static void test_sort_is_stable(void **state) {
  (void)state;
  static int32_t keys[300], numbers[300], wanted[300];
  int n = 0;
  for (int i = 0; i < 300; i++) {
    keys[i] = (i * 7) % 3;
    numbers[i] = i;
  }
  for (int key = 0; key < 3; key++) {
    for (int i = 0; i < 300; i++) {
      if (keys[i] == key) {
        wanted[n++] = i;
      }
    }
  }
  check_bytes("func.func @main(%k: tensor<300xi32>, %n: tensor<300xi32>) -> tensor<300xi32> {\n"
              "  %0:2 = \"stablehlo.sort\"(%k, %n) <{dimension = 0 : i64, is_stable = true}> ({\n"
              "  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):\n"
              "    %l = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
              "    stablehlo.return %l : tensor<i1>\n"
              "  }) : (tensor<300xi32>, tensor<300xi32>) -> (tensor<300xi32>, tensor<300xi32>)\n"
              "  return %0#1 : tensor<300xi32>\n}\n",
              (void *[]){keys, numbers}, wanted, sizeof wanted);
}

// Of equal candidates in a window, GE keeps the first; padding is never chosen.
static void test_select_and_scatter(void **state) {
  (void)state;
  float x[6] = {-3, -3, -5, -2, -2, -9}, source[3] = {1, 10, 100};
  CHECK("func.func @main(%x: tensor<6xf32>, %s: tensor<3xf32>) -> tensor<6xf32> {\n"
        "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
        "  %0 = \"stablehlo.select_and_scatter\"(%x, %s, %z) <{window_dimensions = array<i64: 3>,"
        " window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({\n"
        "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
        "    %g = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        "    stablehlo.return %g : tensor<i1>\n"
        "  }, {\n"
        "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
        "    %t = stablehlo.add %a, %b : tensor<f32>\n"
        "    stablehlo.return %t : tensor<f32>\n"
        "  }) : (tensor<6xf32>, tensor<3xf32>, tensor<f32>) -> tensor<6xf32>\n"
        "  return %0 : tensor<6xf32>\n}\n",
        ((void *[]){x, source}), (float[]){1, 0, 0, 110, 0, 0});
}

// An op without a lowering is refused by name.
static void test_unknown_op_is_named(void **state) {
  (void)state;
  const char *text = "func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {\n"
                     "  %0 = stablehlo.fft %x, type = FFT, length = [4] :"
                     " (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>\n"
                     "  return %0 : tensor<4xcomplex<f32>>\n}\n";
  mr_module *module;
  mr_launch launch;
  check_ok(mr_read_text((mr_span){text, strlen(text)}, &module));
  const mr_op *fft = mr_module_entry(module)->body.first;
  assert_false(mr_lower_supports(fft));
  mr_status status = harness_lower(fft, &launch);
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  assert_non_null(strstr(mr_status_message(status), "fft"));
  mr_status_free(status);
  mr_module_release(module);
}

// What is lowered in one lowering after others, one that fails among them, is what it is in its own.
static void test_one_after_another(void **state) {
  (void)state;
  const char *text =
      "func.func @main(%x: tensor<64x48xf32>, %i: tensor<i32>, %c: tensor<4xcomplex<f32>>) -> tensor<64x48xf32> {\n"
      "  %0 = stablehlo.tanh %x : tensor<64x48xf32>\n"
      "  %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x48xf32>) -> tensor<48x64xf32>\n"
      "  %2 = stablehlo.fft %c, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>\n"
      "  %3 = stablehlo.concatenate %1, %1, dim = 1 : (tensor<48x64xf32>, tensor<48x64xf32>) -> tensor<48x128xf32>\n"
      "  %4 = stablehlo.slice %3 [1:2, 3:128] : (tensor<48x128xf32>) -> tensor<1x125xf32>\n"
      "  %5 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3] : (tensor<64x48xf32>, tensor<i32>, tensor<i32>) -> "
      "tensor<2x3xf32>\n"
      "  return %0 : tensor<64x48xf32>\n}\n";
  mr_module *module;
  check_ok(mr_read_text((mr_span){text, strlen(text)}, &module));
  mr_lowering *lowering;
  check_ok(mr_lowering_create(&lowering));
  uint32_t lowered = 0, refused = 0;
  for (int turn = 0; turn < 2; turn++) {
    for (const mr_op *op = mr_module_entry(module)->body.first; op->kind != MR_OP_return; op = op->next) {
      mr_launch alone, after;
      mr_status status = harness_lower(op, &alone), again = mr_lower_op(lowering, op, &after);
      assert_int_equal(mr_status_code(status), mr_status_code(again));
      if (status) {
        refused++;
        mr_status_free(status);
        mr_status_free(again);
        continue;
      }
      mr_hash128 one = mr_loop_hash(alone.program), other = mr_loop_hash(after.program);
      assert_memory_equal(&one, &other, sizeof one);
      assert_int_equal(alone.range, after.range);
      assert_int_equal(alone.cost_ns, after.cost_ns);
      mr_launch_deinit(&alone);
      mr_launch_deinit(&after);
      lowered++;
    }
  }
  assert_int_equal(lowered, 10);
  assert_int_equal(refused, 2);
  mr_lowering_destroy(lowering);
  mr_module_release(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_starts_are_clamped),
      cmocka_unit_test(test_scatter_skips_and_keeps_the_last),
      cmocka_unit_test(test_padding),
      cmocka_unit_test(test_windows),
      cmocka_unit_test(test_narrow_sums),
      cmocka_unit_test(test_sort_is_stable),
      cmocka_unit_test(test_select_and_scatter),
      cmocka_unit_test(test_unknown_op_is_named),
      cmocka_unit_test(test_one_after_another),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
