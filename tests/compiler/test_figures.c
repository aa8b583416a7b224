// What the compiler does with the figures of a device: decisions flip where they should, and results stay as they are.
#include <string.h>

#include "compiler/compiler.h"
#include "compiler/reader/reader.h"
#include "tests/cmocka.h"
#include "tests/compiler/lower_harness.h"

static const mr_figures *with_cache(mr_figures *figures, double megabytes) {
  *figures = mr_figures_default;
  figures->caches[2].bytes = megabytes * (1 << 20);
  figures->caches[2].units = 1024;  // a unit's part of it is no concern here
  return figures;
}

// The program's one op, lowered for a device.
static mr_launch lower(const char *text, const mr_figures *figures) {
  mr_module *module;
  assert_null(mr_read_text((mr_span){text, strlen(text)}, &module));
  assert_null(mr_module_verify(module));
  module->figures = figures;
  mr_launch launch;
  assert_null(harness_lower(mr_module_entry(module)->body.first, &launch));
  mr_module_release(module);
  return launch;
}

static bool has_flag(const char *text, const mr_figures *figures, mr_loop_code code, uint32_t flag) {
  mr_launch launch = lower(text, figures);
  uint32_t found = 0;
  for (uint32_t i = 0; i < launch.program->num_instrs; i++) {
    found += launch.program->instrs[i].code == code && (launch.program->instrs[i].flags & flag);
  }
  mr_launch_deinit(&launch);
  return found > 0;
}

static bool streams(const char *text, const mr_figures *figures) {
  return has_flag(text, figures, MR_L_STORE, MR_L_STREAM);
}

static const char negated[] = "func.func @main(%x: tensor<4194304xf32>) -> tensor<4194304xf32> {\n"
                              "  %0 = stablehlo.negate %x : tensor<4194304xf32>\n"
                              "  return %0 : tensor<4194304xf32>\n}\n";
static const char transposed[] = "func.func @main(%x: tensor<1024x2048xf32>) -> tensor<2048x1024xf32> {\n"
                                 "  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<1024x2048xf32>) -> "
                                 "tensor<2048x1024xf32>\n"
                                 "  return %0 : tensor<2048x1024xf32>\n}\n";

// A result that could stay in the last-level cache is not written past it: 16 MiB where that has 32, or just as many.
static void test_streams(void **state) {
  (void)state;
  mr_figures f;
  assert_false(streams(negated, with_cache(&f, 32)));
  assert_false(streams(negated, with_cache(&f, 17)));
  assert_true(streams(negated, with_cache(&f, 16)));
  assert_true(streams(negated, with_cache(&f, 8)));
  // A part of another machine counts on 16 MiB a unit, whatever it is told.
  (void)with_cache(&f, 260);
  f.caches[2].units = 1;
  assert_true(streams(negated, &f));
  f.caches[2].units = 2;
  assert_false(streams(negated, &f));
  // 8 MiB in pieces of a line each.
  assert_false(streams(transposed, with_cache(&f, 96)));
  assert_true(streams(transposed, with_cache(&f, 32)));
}

// What the second-level cache holds is not asked for ahead, nor what is not read in order.
static void test_asks_ahead(void **state) {
  (void)state;
  mr_figures f;
  assert_true(has_flag(negated, with_cache(&f, 32), MR_L_LOAD, MR_L_AHEAD));
  f.caches[1].bytes = 16 << 20;
  assert_false(has_flag(negated, &f, MR_L_LOAD, MR_L_AHEAD));
  static const char reversed[] = "func.func @main(%x: tensor<4194304xf32>) -> tensor<4194304xf32> {\n"
                                 "  %0 = stablehlo.reverse %x, dims = [0] : tensor<4194304xf32>\n"
                                 "  return %0 : tensor<4194304xf32>\n}\n";
  assert_false(has_flag(reversed, with_cache(&f, 32), MR_L_LOAD, MR_L_AHEAD));
}

// A kernel is worth sharing sooner on a device that takes longer for it, and what decides about results does not know that.
static void test_costs(void **state) {
  (void)state;
  mr_figures slow = mr_figures_default;
  slow.memory_read_bytes_per_ns = slow.memory_stream_bytes_per_ns = slow.memory_write_bytes_per_ns = 1;
  for (size_t i = 0; i < MR_FIGURES_CACHES; i++) {
    slow.caches[i].read_bytes_per_ns = slow.caches[i].write_bytes_per_ns = 2;
  }
  mr_launch here = lower(negated, &mr_figures_default), there = lower(negated, &slow);
  assert_true(there.cost_ns > 5 * here.cost_ns);
  assert_true(there.grain < here.grain);
  assert_int_equal(there.shape_ns, here.shape_ns);
  mr_launch_deinit(&here);
  mr_launch_deinit(&there);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams), cmocka_unit_test(test_asks_ahead),
                                     cmocka_unit_test(test_costs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
