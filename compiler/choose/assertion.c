// Shape assertions of exported programs: a step that looks at its condition on the host and makes the execution fail with
// what the program says.
#include "compiler/choose/host_calls.h"

#include <string.h>

#include "compiler/choose/tuning.h"
#include "compiler/ir/asserted.h"

typedef struct assertion {
  mr_library_call base;
  mr_str message;  // owned; with {k} for value k
  mr_dtype values[MR_ASSERTION_VALUES];
  size_t num_values;
} assertion;

static mr_status run_assertion(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)scratch, (void)group;
  const assertion *c = (const assertion *)call;
  return *(const char *)buffers[0]
             ? MR_OK
             : mr_assertion_error(c->message, c->values, (const void *const *)buffers + 1, c->num_values);
}

static void destroy_assertion(mr_library_call *call) {
  mr_free((void *)(uintptr_t)((assertion *)call)->message.data);
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
  for (uint32_t i = 1; i < op->num_operands && i <= MR_ASSERTION_VALUES; i++) {
    const mr_type *value = &mr_op_operand(op, i)->type;
    if (value->kind != MR_TYPE_TENSOR || value->rank != 0) {
      break;
    }
    c->values[c->num_values++] = value->dtype;
  }
  char *copy = mr_alloc(MR_MAX(message.size, 1));
  if (!copy) {
    destroy_assertion(&c->base);
    return MR_NO_MEMORY();
  }
  memcpy(copy, message.data, message.size);
  c->message = (mr_str){copy, message.size};
  *out_call = &c->base;
  return MR_OK;
}
