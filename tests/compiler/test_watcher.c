// Who looks at a program while it is compiled sees it once as it came and once as the passes leave it, which is what it is told to be afterwards.
#include <string.h>

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "compiler/shard/shard.h"
#include "compiler/writer/writer.h"
#include "tests/cmocka.h"
#include "tests/compiler/optimized_program.h"

static const char whole[] = "func.func @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {\n"
                            "  %y = stablehlo.sine %x : tensor<8x4xf32>\n  return %y : tensor<8x4xf32>\n}\n";
static const char in_parts[] =
    "sdy.mesh @mesh = <[\"x\"=4]>\n"
    "func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}) -> tensor<4xf32> {\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, "
    "tensor<f32>) -> tensor<4xf32>\n  return %s : tensor<4xf32>\n}\n";

typedef struct watched {
  int read, optimized;  // calls
  bool in_parts;        // a parameter is
  mr_text before, after, hlo;
} watched;

static mr_status see_read(void *context, const mr_module *module) {
  watched *w = context;
  w->read++;
  assert_int_equal(w->optimized, 0);
  mr_module_print(module, &w->before);
  return MR_OK;
}

static mr_status see_optimized(void *context, const mr_module *module, const mr_shard_boundary *boundary) {
  const mr_hlo_form form = {.outer = MR_HLO_PROGRAM, .is_local = true};
  watched *w = context;
  w->optimized++;
  w->in_parts = boundary->params && boundary->params[0].tiles != NULL;
  mr_module_print(module, &w->after);
  return mr_write_hlo(module, &form, &w->hlo);
}

static void deinit(watched *w) {
  mr_text_deinit(&w->before);
  mr_text_deinit(&w->after);
  mr_text_deinit(&w->hlo);
}

static void expect_same(const mr_text *a, const mr_text *b) {
  assert_int_equal(a->size, b->size);
  assert_memory_equal(a->data, b->data, a->size);
}

static void look(mr_span program, mr_program_format format, uint32_t partitions, watched *out) {
  const mr_compile_watcher watcher = {.context = out, .read = see_read, .optimized = see_optimized};
  const mr_compile_options options = {.format = format, .num_partitions = partitions, .watcher = &watcher};
  mr_executable *executable;
  *out = (watched){0};
  assert_null(mr_compile(program, &options, &executable));
  mr_executable_release(executable);
  assert_true(out->read == 1 && out->optimized == 1);
  assert_int_equal(out->in_parts, partitions > 1);
}

static void check(mr_span program, mr_program_format format, uint32_t partitions, watched *out) {
  mr_compile_options options = {.format = format, .num_partitions = partitions};
  mr_text text = {0}, hlo = {0};
  look(program, format, partitions, out);
  assert_null(optimized_program(program, &options, &text, &hlo));
  expect_same(&text, &out->after);
  expect_same(&hlo, &out->hlo);
  mr_text_deinit(&text);
  mr_text_deinit(&hlo);
}

// The field of an HloProto that its module is in is that of a HloModuleProtoWithConfig.
static void test_what_is_seen_is_what_is_told(void **state) {
  (void)state;
  const char *const programs[] = {whole, in_parts};
  for (int i = 0; i < 2; i++) {
    uint32_t partitions = i ? 4 : 1;
    watched w, again;
    check((mr_span){programs[i], strlen(programs[i])}, MR_PROGRAM_MLIR, partitions, &w);
    assert_true(w.before.size > 0 && w.after.size > 0);
    check((mr_span){w.hlo.data, w.hlo.size}, MR_PROGRAM_HLO_WITH_CONFIG, partitions, &again);
    deinit(&again);
    deinit(&w);
  }
}

static mr_status refuse_read(void *context, const mr_module *module) {
  (void)context, (void)module;
  return mr_error(MR_CANCELLED, "not this one");
}

static mr_status refuse_optimized(void *context, const mr_module *module, const mr_shard_boundary *boundary) {
  (void)context, (void)module, (void)boundary;
  return mr_error(MR_CANCELLED, "not this one");
}

// What a watcher answers is what the compilation answers, and nothing is left of that.
static void test_refusals_are_answered(void **state) {
  (void)state;
  const mr_compile_watcher watchers[] = {{.read = refuse_read}, {.optimized = refuse_optimized}};
  for (int i = 0; i < 2; i++) {
    const mr_compile_options options = {.watcher = &watchers[i]};
    mr_executable *executable;
    mr_status status = mr_compile((mr_span){whole, sizeof whole - 1}, &options, &executable);
    assert_int_equal(mr_status_code(status), MR_CANCELLED);
    assert_null(executable);
    mr_status_free(status);
    status = mr_optimize((mr_span){whole, sizeof whole - 1}, &options);
    assert_int_equal(mr_status_code(status), MR_CANCELLED);
    mr_status_free(status);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_is_seen_is_what_is_told),
                                     cmocka_unit_test(test_refusals_are_answered)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
