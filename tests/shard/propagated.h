// propagated: a program as text, and the shardings that it has after propagation.
//
//   check_propagated("func.func @main(%a: tensor<8x8xf32> {sdy.sharding = ..}) -> ..", 8, "[{x}, {}]");
#ifndef MR_TESTS_SHARD_PROPAGATED_H
#define MR_TESTS_SHARD_PROPAGATED_H

#include "compiler/shard/export.h"
#include "compiler/shard/propagate.h"
#include "tests/compiler/pass_text.h"

// "[{"x"}, {"y":(1)2}]" without the mesh, or "-" for a value that nothing is said of.
static inline void put_dims(mr_text *text, const mr_sharding *sharding) {
  mr_text whole = {0};
  if (!sharding) {
    mr_text_put(text, "-");
    return;
  }
  mr_sharding_print(sharding, &whole);
  const char *bracket = memchr(whole.data, '[', whole.size), *end = bracket ? whole.data + whole.size - 1 : NULL;
  assert_non_null(bracket);
  for (; bracket < end; bracket++) {
    if (*bracket != '"') {
      mr_text_put(text, "%c", *bracket);
    }
  }
  mr_text_deinit(&whole);
}

// Arguments' shardings, "->", results'. The caller frees it.
static inline char *propagated(const char *program, int64_t num_devices, bool exported) {
  mr_module *module = read_ok(program);
  mr_import *import;
  assert_ok(mr_import_run(module, num_devices, &import));
  assert_ok(mr_propagate(import));
  if (exported) {
    assert_ok(mr_export_run(import));
  }
  mr_text text = {0};
  const mr_block *body = &import->function->body;
  for (uint32_t i = 0; i < body->num_args; i++) {
    put_dims(&text, body->args[i]->sharding);
    mr_text_put(&text, " ");
  }
  mr_text_put(&text, "->");
  for (uint32_t i = 0; i < import->function->num_results; i++) {
    mr_text_put(&text, " ");
    put_dims(&text, import->results[i]);
  }
  mr_text_append(&text, (mr_str){"", 1});
  char *copy = strdup(text.data);
  mr_text_deinit(&text);
  mr_module_release(module);
  return copy;
}

#endif
