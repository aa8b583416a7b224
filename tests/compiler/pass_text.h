// pass_text: programs as text for tests of the verifier and the passes.
//
//   mr_module *module = read_ok("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { ... }");
//   run_ok(mr_pass_dce, module);
//   assert_int_equal(count_kind(module, MR_OP_while), 0);
#ifndef MR_TESTS_COMPILER_PASS_TEXT_H
#define MR_TESTS_COMPILER_PASS_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/ir.h"
#include "compiler/passes/passes.h"
#include "compiler/reader/reader.h"
#include "tests/cmocka.h"

static inline void assert_ok(mr_status status) {
  if (status) {
    fail_msg("%s: %s", mr_status_code_name(mr_status_code(status)), mr_status_message(status));
  }
}

static inline mr_module *read_text(const char *text) {
  mr_module *module = NULL;
  assert_ok(mr_read_text((mr_span){text, strlen(text)}, &module));
  return module;
}

static inline mr_module *read_ok(const char *text) {
  mr_module *module = read_text(text);
  assert_ok(mr_module_verify(module));
  return module;
}

// The verifier refuses the program with this code and says `part`.
static inline void refuse(const char *text, mr_code code, const char *part) {
  mr_module *module = NULL;
  mr_status status = mr_read_text((mr_span){text, strlen(text)}, &module);
  if (!status) {
    status = mr_module_verify(module);
  }
  assert_int_equal(mr_status_code(status), code);
  if (!strstr(mr_status_message(status), part)) {
    fail_msg("\"%s\" does not say \"%s\"", mr_status_message(status), part);
  }
  mr_status_free(status);
  mr_module_release(module);
}

static inline void run_ok(mr_status (*pass)(mr_module *module), mr_module *module) {
  assert_ok(pass(module));
  assert_ok(mr_module_verify(module));
}

static inline size_t count_kind(const mr_module *module, mr_op_kind kind) {
  size_t count = 0;
  for (mr_function *f = module->functions; f; f = f->next) {
    for (mr_op *op = mr_walk_first(&f->body); op; op = mr_walk_next(op, &f->body)) {
      count += op->kind == kind;
    }
  }
  return count;
}

static inline mr_op *find_kind(const mr_module *module, mr_op_kind kind) {
  for (mr_function *f = module->functions; f; f = f->next) {
    for (mr_op *op = mr_walk_first(&f->body); op; op = mr_walk_next(op, &f->body)) {
      if (op->kind == kind) {
        return op;
      }
    }
  }
  return NULL;
}

// What @main returns.
static inline mr_value *returned(const mr_module *module, uint32_t i) {
  return mr_op_operand(mr_block_terminator(&mr_module_entry(module)->body), i);
}

static inline mr_value *argument(const mr_module *module, uint32_t i) { return mr_module_entry(module)->body.args[i]; }

// The module as text; the caller frees it.
static inline char *print_text(const mr_module *module) {
  mr_text text = {0};
  mr_module_print(module, &text);
  mr_text_append(&text, (mr_str){"", 1});
  assert_false(text.failed);
  char *copy = malloc(text.size);
  memcpy(copy, text.data, text.size);
  mr_text_deinit(&text);
  return copy;
}

#endif
