// Single ops over 4 x 2 devices, one file for each row of the tables in docs/shardings.md (tests/shard/seen.py makes them): which shardings
// parameters and results get, as XLA:CPU says, and which collectives stand in our program, with the types of what they and the program give.
#include "compiler/shard/export.h"
#include "compiler/shard/propagate.h"
#include "compiler/shard/shard.h"
#include "tests/compiler/pass_text.h"
#include "tests/file.h"

static void put_type(const mr_value *value, mr_text *text) {
  char type[128];
  mr_type_text(&value->type, type, sizeof type);
  mr_text_put(text, "%s", type);
}

// The collectives in order, each with what it gives a device, "=>" and what the program gives it.
static void put_forms(const mr_module *module, mr_text *text) {
  const mr_block *root = &mr_module_entry(module)->body;
  mr_text_put(text, "// ours ");
  for (const mr_op *op = mr_walk_first(root); op; op = mr_walk_next(op, root)) {
    if (mr_op_table[op->kind].op_class == MR_OPS_COLLECTIVE && op->kind != MR_OP_partition_id) {
      mr_text_put(text, "%s(", mr_op_table[op->kind].name);
      for (uint32_t i = 0; i < op->num_results; i++) {
        mr_text_put(text, i ? ", " : "");
        put_type(&op->results[i], text);
      }
      mr_text_put(text, ") ");
    }
  }
  mr_text_put(text, "=>");
  for (uint32_t i = 0; i < mr_module_entry(module)->num_results; i++) {
    mr_text_put(text, " ");
    put_type(returned(module, i), text);
  }
  mr_text_put(text, "\n");
}

// Dimensions alone: [{"x"}, {}]. What has no sharding is not cut.
static void put_dims(const char *what, const mr_sharding *sharding, uint32_t rank, mr_text *text) {
  mr_text_put(text, "// %s [", what);
  for (uint32_t i = 0; i < rank; i++) {
    mr_text_put(text, i ? ", {" : "{");
    for (uint32_t k = 0; sharding && k < sharding->dims[i].axes.count; k++) {
      const mr_axis_ref *ref = &sharding->dims[i].axes.refs[k];
      const mr_axis *axis = &sharding->mesh->axes[ref->axis];
      assert_int_equal(ref->size, axis->size);  // the boundary has whole axes
      mr_text_put(text, k ? ", \"%.*s\"" : "\"%.*s\"", MR_STR_ARG(axis->name));
    }
    mr_text_put(text, "}");
  }
  mr_text_put(text, "]\n");
}

static void put_shardings(mr_module *module, mr_text *text) {
  mr_import *import;
  assert_ok(mr_import_run(module, 8, &import));
  assert_ok(mr_propagate(import));
  assert_ok(mr_export_run(import));
  const mr_function *f = import->function;
  for (uint32_t i = 0; i < f->body.num_args; i++) {
    put_dims("parameter", f->body.args[i]->sharding, f->body.args[i]->type.rank, text);
  }
  for (uint32_t i = 0; i < f->num_results; i++) {
    put_dims("result", import->results[i], f->result_types[i].rank, text);
  }
}

static void visit(void *context, const char *path, mr_span file) {
  mr_text text = {0};
  char *program = strndup(file.data, file.size);
  mr_compile_options options = {.num_partitions = 8};
  mr_shard_boundary boundary;
  mr_module *module = read_ok(program), *again = read_ok(program);
  assert_ok(mr_shard_run(module, &options, &boundary));
  assert_ok(mr_module_verify(module));
  run_ok(mr_pass_dce, module);
  put_forms(module, &text);
  put_shardings(again, &text);
  assert_false(text.failed);
  // The lines behind the first two.
  const char *wanted = strstr(program, "// ours ");
  assert_non_null(wanted);
  if (strncmp(wanted, text.data, text.size) != 0) {
    print_message("%s\n%.*s\n", path, (int)text.size, text.data);
    ++*(size_t *)context;
  }
  mr_text_deinit(&text);
  mr_module_release(module);
  mr_module_release(again);
  free(program);
}

// Each row is as its first lines say.
static void test_rows(void **state) {
  (void)state;
  size_t wrong = 0, count = file_each("tests/shard/seen", ".mlir", SIZE_MAX, visit, &wrong);
  assert_in_range(count, 100, 1000);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
