// Fusion changes how programs run and not what they compute.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/fuse/fuse.h"
#include "compiler/ir/dot.h"
#include "compiler/passes/passes.h"
#include "compiler/reader/reader.h"
#include "tests/cmocka.h"
#include "tests/compiler/lower_harness.h"
#include "tests/file.h"

static void check_ok(mr_status status) {
  if (status) {
    print_error("%s\n", mr_status_message(status));
  }
  assert_null(status);
}

// Numbers of a magnitude that sums and exponentials bear; integers small enough to be indices.
static void make_up(void *data, const mr_type *type, uint32_t seed) {
  uint64_t state = 0x9E3779B97F4A7C15u * (seed + 1);
  for (int64_t i = 0; i < mr_type_count(type); i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint32_t bits = (uint32_t)(state >> 40);
    switch (type->dtype) {
    case MR_F32: ((float *)data)[i] = (float)bits / (1 << 23) - 1.0f; break;
    case MR_F64: ((double *)data)[i] = (double)bits / (1 << 23) - 1.0; break;
    case MR_S32:
    case MR_U32: ((int32_t *)data)[i] = (int32_t)(bits % 64); break;
    case MR_PRED: ((uint8_t *)data)[i] = bits & 1; break;
    default: fail_msg("no made-up numbers for %s", mr_dtype_name(type->dtype));
    }
  }
}

typedef enum preparation { PLAIN, REWRITTEN, FUSED, WATCHED } preparation;  // WATCHED: fused, and who stores what

typedef struct outcome {
  mr_module *module;
  mr_function *function;
  harness harness;
  void *outputs[64];
  void *inputs[16];
} outcome;

static void run(outcome *o, mr_span text, preparation how, int shares) {
  memset(o, 0, sizeof *o);
  o->harness.shares = shares;
  o->harness.watches = how == WATCHED;
  check_ok(mr_read_text(text, &o->module));
  check_ok(mr_module_verify(o->module));
  if (how != PLAIN) {
    check_ok(mr_passes_run(o->module));
  }
  o->function = mr_module_entry(o->module);
  if (how >= FUSED) {
    check_ok(mr_fuse(o->function));
    check_ok(mr_module_verify(o->module));
  }
  for (uint32_t i = 0; i < o->function->body.num_args; i++) {
    const mr_type *type = &o->function->body.args[i]->type;
    o->inputs[i] = mr_alloc_aligned(64, (mr_type_bytes(type) + 127) / 64 * 64);
    make_up(o->inputs[i], type, i);
  }
  check_ok(harness_run(&o->harness, o->function, o->inputs, o->outputs));
}

static void release(outcome *o) {
  for (uint32_t i = 0; i < o->function->body.num_args; i++) {
    mr_free(o->inputs[i]);
  }
  harness_deinit(&o->harness);
  mr_module_release(o->module);
}

static bool close_enough(double a, double b, double allowed) {
  if (a == b || (isnan(a) && isnan(b))) {
    return true;
  }
  return fabs(a - b) <= allowed;
}

// ---- How far results may be apart ---------------------------------------------------------------------------------------

static int64_t product_of(mr_ints sizes) {
  int64_t product = 1;
  for (size_t i = 0; i < sizes.size; i++) {
    product *= sizes.data[i];
  }
  return product;
}

static int64_t count_of(const mr_op *op, uint32_t operand) { return mr_type_count(&mr_op_operand(op, operand)->type); }

// How many terms an element of the op's result is folded from, at most.
static double terms_of(const mr_op *op) {
  switch (op->kind) {
  case MR_OP_reduce: return (double)count_of(op, 0) / fmax((double)mr_type_count(&op->results[0].type), 1);
  case MR_OP_reduce_window:
  case MR_OP_select_and_scatter: return (double)product_of(mr_op_ints(op, MR_ATTR_window_dimensions));
  case MR_OP_scatter: return (double)count_of(op, op->num_operands - 1);  // all into one place
  case MR_OP_dot:
  case MR_OP_dot_general: return (double)mr_dot_side_of(op, 0).contracted.elements;
  case MR_OP_convolution: return (double)count_of(op, 1);
  default: return 1;
  }
}

// For each value, by its number, from how many terms it was folded: on the longest way, of a loop's rounds one.
static void count_terms(const mr_block *block, double *terms) {
  for (const mr_op *op = block->first; op; op = op->next) {
    double most = 1;
    for (uint32_t i = 0; i < op->num_operands; i++) {
      most = fmax(most, terms[mr_op_operand(op, i)->id]);
    }
    double folded = most;
    for (uint32_t r = 0; r < op->num_regions; r++) {
      const mr_block *region = op->regions[r];
      for (uint32_t i = 0; i < region->num_args; i++) {
        terms[region->args[i]->id] = most;
      }
      count_terms(region, terms);
      for (uint32_t i = 0; region->last && i < region->last->num_operands; i++) {
        folded = fmax(folded, terms[mr_op_operand(region->last, i)->id]);
      }
    }
    for (uint32_t i = 0; i < op->num_results; i++) {
      terms[op->results[i].id] = folded * fmax(terms_of(op), 1);
    }
  }
}

// How far the numbers of a result may be apart that are folded from n terms, of the largest, whatever the order.
//
// Of terms of random signs and size s, a partial sum of k is about s sqrt(k), and adding the next one to it rounds by u s sqrt(k / 3)
// in the mean (u: half a unit in the last place of 1), so that all n together are wrong by u s n / sqrt(6), by u sqrt(n / 6) of the
// sum: roundings add up like a random walk (Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis, SIAM J. Sci.
// Comput. 41, 2019). That is for one lane; sums in m lanes or shares are wrong by less, 1 / sqrt(m) of it, so it holds for any number
// of them. Two sums differ by sqrt(2) as much. Seven times that, 4 u sqrt(n), is not seen by chance. And below 64 terms what
// a chain of functions rounds is more: 16 units of the last place, 32 u.
static double apart_after(double terms) { return 4 * 0x1p-24 * fmax(sqrt(terms), 8); }

static double largest_of(const float *x, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; i++) {
    largest = isfinite(x[i]) ? fmax(largest, fabs((double)x[i])) : largest;
  }
  return largest;
}

static void compare(const outcome *a, const outcome *b, const char *name) {
  assert_int_equal(a->function->num_results, b->function->num_results);
  mr_function_number(a->function);
  double *terms = mr_alloc_zeroed(a->function->num_values, sizeof *terms);
  count_terms(&a->function->body, terms);
  for (uint32_t r = 0; r < a->function->num_results; r++) {
    const mr_type *type = &a->function->result_types[r];
    size_t size = mr_type_bytes(type);
    if (type->dtype != MR_F32) {
      if (memcmp(a->outputs[r], b->outputs[r], size)) {
        fail_msg("%s: result %u differs", name, r);
      }
      continue;
    }
    const float *x = a->outputs[r], *y = b->outputs[r];
    double apart = apart_after(terms[mr_op_operand(a->function->body.last, r)->id]) * largest_of(x, size / 4);
    for (size_t i = 0; i < size / 4; i++) {
      if (!close_enough((double)x[i], (double)y[i], apart)) {
        fail_msg("%s: result %u[%zu] is %g, wanted %g within %g", name, r, i, (double)y[i], (double)x[i], apart);
      }
    }
  }
  mr_free(terms);
}

// Op by op in one share, and fused in three; returns how many kernels the latter is.
static uint64_t check_text(const char *name, mr_span text) {
  outcome plain, fused;
  run(&plain, text, REWRITTEN, 1);
  run(&fused, text, FUSED, 3);
  compare(&plain, &fused, name);
  uint64_t kernels = fused.harness.kernels;
  assert_true(kernels <= plain.harness.kernels);
  release(&plain);
  release(&fused);
  return kernels;
}

static uint64_t check_program(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/tests/compiler/programs/%s", MR_SOURCE_DIR, name);
  mr_span text = file_read(path);
  uint64_t kernels = check_text(name, text);
  mr_free((void *)text.data);
  return kernels;
}

static void check_file(void *context, const char *path, mr_span text) {
  (void)context;
  check_text(path, text);
}

// Every program gives the same results whichever way it is run.
static void test_fused_equals_plain(void **state) {
  (void)state;
  assert_true(file_each(MR_SOURCE_DIR "/tests/compiler/programs", ".mlir", SIZE_MAX, check_file, NULL) > 10);
}

// A softmax over masked scores is one kernel, and so is an optimiser's step with three results.
static void test_rows_and_siblings_are_one_kernel(void **state) {
  (void)state;
  assert_int_equal(check_program("softmax_b.mlir"), 1);
  assert_int_equal(check_program("adam.mlir"), 1);
}

static uint64_t kernels_of(const char *text) {
  outcome plain, fused;
  mr_span span = {text, strlen(text)};
  run(&plain, span, PLAIN, 1);
  run(&fused, span, FUSED, 2);
  compare(&plain, &fused, "text");
  uint64_t kernels = fused.harness.kernels;
  release(&plain);
  release(&fused);
  return kernels;
}

static void fuses(const char *text) {
  mr_module *module = NULL;
  check_ok(mr_read_text((mr_span){text, strlen(text)}, &module));
  check_ok(mr_fuse(mr_module_entry(module)));
  check_ok(mr_module_verify(module));
  mr_module_release(module);
}

// Kernels side by side stay apart when one leads to the other through a third with results before and behind them.
static void test_no_cycles_through_siblings(void **state) {
  (void)state;
  fuses("func.func @main(%x: tensor<256x256xf32>, %y: tensor<256x256xf32>) -> (tensor<256x256xf32>, "
        "tensor<256x256xf32>) {\n"
        "  %low = stablehlo.exponential %x : tensor<256x256xf32>\n"
        "  %d = stablehlo.dot_general %low, %low, contracting_dims = [1] x [0] : "
        "(tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>\n"
        "  %t = stablehlo.multiply %y, %d : tensor<256x256xf32>\n"
        "  %u = stablehlo.sine %y : tensor<256x256xf32>\n"
        "  %k = stablehlo.dot_general %u, %u, contracting_dims = [1] x [0] : "
        "(tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>\n"
        "  %high = stablehlo.add %x, %k : tensor<256x256xf32>\n"
        "  return %t, %high : tensor<256x256xf32>, tensor<256x256xf32>\n"
        "}\n");
}

// Nor do they become one when what one feeds has an effect that comes before what the other waits for.
static void test_no_cycles_through_effects(void **state) {
  (void)state;
  fuses("func.func @main(%x: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>) {\n"
        "  %e = stablehlo.exponential %x : tensor<256x256xf32>\n"
        "  %a = stablehlo.custom_call @first(%e) {has_side_effect = true} : (tensor<256x256xf32>) -> "
        "tensor<256x256xf32>\n"
        "  %b = stablehlo.custom_call @second(%x) {has_side_effect = true} : (tensor<256x256xf32>) -> "
        "tensor<256x256xf32>\n"
        "  %s = stablehlo.add %x, %b : tensor<256x256xf32>\n"
        "  return %a, %s : tensor<256x256xf32>, tensor<256x256xf32>\n"
        "}\n");
}

// An update of a constant fills its whole result: what has the shape of the slice is not made beside it.
static void test_updates_of_constants(void **state) {
  (void)state;
  kernels_of(
      "func.func @main(%p: tensor<i1>, %x: tensor<3xf32>) -> (tensor<7x3xf32>, tensor<3xf32>) {\n"
      "  %z = stablehlo.constant dense<0.0> : tensor<3xf32>\n"
      "  %zeros = stablehlo.constant dense<0.0> : tensor<7x3xf32>\n"
      "  %i = stablehlo.constant dense<2> : tensor<i32>\n"
      "  %o = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %s = stablehlo.select %p, %z, %x : tensor<i1>, tensor<3xf32>\n"
      "  %e = stablehlo.exponential %s : tensor<3xf32>\n"
      "  %r = stablehlo.reshape %e : (tensor<3xf32>) -> tensor<1x3xf32>\n"
      "  %u = stablehlo.dynamic_update_slice %zeros, %r, %i, %o : (tensor<7x3xf32>, tensor<1x3xf32>, tensor<i32>, "
      "tensor<i32>) -> tensor<7x3xf32>\n"
      "  return %u, %e : tensor<7x3xf32>, tensor<3xf32>\n"
      "}\n");
}

// A value that another kernel's input depends on is not made by a kernel that depends on that one.
static void test_no_cycles(void **state) {
  (void)state;
  kernels_of("func.func @main(%x: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {\n"
             "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
             "  %e = stablehlo.exponential %x : tensor<64x32xf32>\n"
             "  %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0] :"
             " (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>\n"
             "  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<32xf32>) -> tensor<64x32xf32>\n"
             "  %d = stablehlo.divide %e, %b : tensor<64x32xf32>\n"
             "  return %d, %e : tensor<64x32xf32>, tensor<64x32xf32>\n}\n");
}

// An expensive value with two readers that cannot share a kernel is computed once.
static void test_expensive_values_are_kept(void **state) {
  (void)state;
  uint64_t kernels =
      kernels_of("func.func @main(%x: tensor<64x32xf32>) -> (tensor<32xf32>, tensor<32x64xf32>) {\n"
                 "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                 "  %e = stablehlo.tanh %x : tensor<64x32xf32>\n"
                 "  %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0] :"
                 " (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>\n"
                 "  %t = stablehlo.transpose %e, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>\n"
                 "  return %s, %t : tensor<32xf32>, tensor<32x64xf32>\n}\n");
  assert_int_equal(kernels, 3);
}

// A scatter may add a value to itself: what it writes into is not what it reads.
static void test_scatter_into_its_own_updates(void **state) {
  (void)state;
  kernels_of("func.func @main(%x: tensor<64xf32>, %i: tensor<64x1xi32>) -> tensor<64xf32> {\n"
             "  %t = stablehlo.constant dense<2.0> : tensor<64xf32>\n"
             "  %y = stablehlo.multiply %x, %t : tensor<64xf32>\n"
             "  %0 = \"stablehlo.scatter\"(%y, %i, %y) <{scatter_dimension_numbers = #stablehlo.scatter<"
             "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n"
             "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
             "    %c = stablehlo.constant dense<1.0> : tensor<f32>\n"
             "    %s = stablehlo.add %a, %b : tensor<f32>\n"
             "    %r = stablehlo.add %s, %c : tensor<f32>\n"
             "    stablehlo.return %r : tensor<f32>\n"
             "  }) : (tensor<64xf32>, tensor<64x1xi32>, tensor<64xf32>) -> tensor<64xf32>\n"
             "  return %0 : tensor<64xf32>\n}\n");
}

// The maximum that a row's sum of exponentials needs is computed once for the row, not for each of its elements.
static void test_reductions_do_not_nest(void **state) {
  (void)state;
  const char *text = "func.func @main(%x: tensor<64x500xf32>) -> (tensor<64xf32>, tensor<64xf32>) {\n"
                     "  %l = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
                     "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
                     "  %m = stablehlo.reduce(%x init: %l) applies stablehlo.maximum across dimensions = [1] :"
                     " (tensor<64x500xf32>, tensor<f32>) -> tensor<64xf32>\n"
                     "  %b = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x500xf32>\n"
                     "  %s = stablehlo.subtract %x, %b : tensor<64x500xf32>\n"
                     "  %e = stablehlo.exponential %s : tensor<64x500xf32>\n"
                     "  %t = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] :"
                     " (tensor<64x500xf32>, tensor<f32>) -> tensor<64xf32>\n"
                     "  return %t, %m : tensor<64xf32>, tensor<64xf32>\n}\n";
  assert_int_equal(kernels_of(text), 1);
  mr_module *module;
  mr_launch launch;
  check_ok(mr_read_text((mr_span){text, strlen(text)}, &module));
  check_ok(mr_fuse(mr_module_entry(module)));
  for (const mr_op *op = mr_module_entry(module)->body.first; op; op = op->next) {
    if (op->kind != MR_OP_fusion) {
      continue;
    }
    check_ok(harness_lower(op, &launch));
    assert_true(launch.flops < 10 * 64 * 500);
    mr_launch_deinit(&launch);
  }
  mr_module_release(module);
}

// A number of each row that is a result beside the rows is stored by one share of the row's: of its tiles where the rows are
// columns of an argument, of its chunks where there are few, and of all where there is one.
static void test_numbers_of_rows_are_stored_once(void **state) {
  (void)state;
#define ROWS(rows, columns, x, order)                                                                               \
  "func.func @main(%x: tensor<" x "xf32>, %v: tensor<" rows "xf32>) -> (tensor<" rows "x" columns                   \
  "xf32>, tensor<" rows "xf32>) {\n  %e = stablehlo.exponential %v : tensor<" rows "xf32>\n"                        \
  "  %b = stablehlo.broadcast_in_dim %e, dims = [0] : (tensor<" rows "xf32>) -> tensor<" rows "x" columns "xf32>\n" \
  "  %t = stablehlo.transpose %x, dims = " order " : (tensor<" x "xf32>) -> tensor<" rows "x" columns "xf32>\n"     \
  "  %s = stablehlo.multiply %t, %b : tensor<" rows "x" columns "xf32>\n  return %s, %e : tensor<" rows "x" columns \
  "xf32>, tensor<" rows "xf32>\n}\n"
  static const char *const texts[] = {
      ROWS("300", "3000", "3000x300", "[1, 0]"),
      ROWS("3", "400000", "3x400000", "[0, 1]"),
      ROWS("1", "400000", "1x400000", "[0, 1]"),
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(texts); i++) {
    mr_span text = {texts[i], strlen(texts[i])};
    outcome plain, fused;
    run(&plain, text, PLAIN, 1);
    run(&fused, text, WATCHED, 7);
    compare(&plain, &fused, texts[i]);
    assert_int_equal(fused.harness.kernels, 1);
    assert_int_equal(fused.harness.stored_twice, 0);
    release(&plain);
    release(&fused);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fused_equals_plain),
      cmocka_unit_test(test_rows_and_siblings_are_one_kernel),
      cmocka_unit_test(test_no_cycles),
      cmocka_unit_test(test_no_cycles_through_siblings),
      cmocka_unit_test(test_no_cycles_through_effects),
      cmocka_unit_test(test_updates_of_constants),
      cmocka_unit_test(test_expensive_values_are_kept),
      cmocka_unit_test(test_scatter_into_its_own_updates),
      cmocka_unit_test(test_reductions_do_not_nest),
      cmocka_unit_test(test_numbers_of_rows_are_stored_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
