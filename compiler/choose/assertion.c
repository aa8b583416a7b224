// Shape assertions of exported programs: a step that looks at its condition on the host and makes the execution fail with
// what the program says.
#include "compiler/choose/host_calls.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/choose/tuning.h"
#include "compiler/ir/scalar.h"

enum { MOST_VALUES = 32 };  // as many as exported programs give

typedef struct assertion {
  mr_library_call base;
  char *message;  // owned; with {k} for value k
  mr_dtype values[MOST_VALUES];
  long num_values;
} assertion;

// The assertion's text, with {0}, {1}, ... as the values of the operands behind the condition.
static mr_status assertion_error(const assertion *c, void *const *buffers) {
  mr_text text = {0};
  for (const char *at = c->message; *at;) {
    char *end = NULL;
    long index = *at == '{' ? strtol(at + 1, &end, 10) : -1;
    if (index < 0 || end == at + 1 || *end != '}' || index >= c->num_values) {
      mr_text_append(&text, (mr_str){at++, 1});
      continue;
    }
    mr_text_put(&text, "%lld", (long long)mr_scalar_to_int(c->values[index], buffers[1 + index]));
    at = end + 1;
  }
  mr_status status = mr_error(MR_INVALID_ARGUMENT, "%.*s", (int)text.size, text.data ? text.data : "");
  mr_text_deinit(&text);
  return status;
}

static mr_status run_assertion(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)scratch, (void)group;
  return *(const char *)buffers[0] ? MR_OK : assertion_error((const assertion *)call, buffers);
}

static void destroy_assertion(mr_library_call *call) {
  mr_free(((assertion *)call)->message);
  mr_free(call);
}

mr_status mr_choose_shape_assertion(const mr_op *op, mr_library_call **out_call) {
  *out_call = NULL;
  const mr_type *type = op->num_operands ? &mr_op_operand(op, 0)->type : NULL;
  if (!type || type->kind != MR_TYPE_TENSOR || type->dtype != MR_PRED || type->rank != 0 || op->num_results) {
    return mr_error(MR_INVALID_ARGUMENT, "shape_assertion wants an i1 scalar first and has no results");
  }
  const mr_attr *text = mr_op_extra(op, "error_message");
  mr_str message = text && text->kind == MR_ATTR_STRING ? text->string : MR_STR("a shape assertion does not hold");
  assertion *c = mr_alloc_zeroed(1, sizeof *c);
  if (!c) {
    return MR_NO_MEMORY();
  }
  c->base = (mr_library_call){
      .run = run_assertion, .destroy = destroy_assertion, .name = "assertion", .cost_ns = MR_CHOOSE_ASSERTION_NS};
  for (uint32_t i = 1; i < op->num_operands && i <= MOST_VALUES; i++) {
    const mr_type *value = &mr_op_operand(op, i)->type;
    if (value->kind != MR_TYPE_TENSOR || value->rank != 0) {
      break;
    }
    c->values[c->num_values++] = value->dtype;
  }
  c->message = mr_alloc(message.size + 1);
  if (!c->message) {
    destroy_assertion(&c->base);
    return MR_NO_MEMORY();
  }
  memcpy(c->message, message.data, message.size);
  c->message[message.size] = '\0';
  *out_call = &c->base;
  return MR_OK;
}
