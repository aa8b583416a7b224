// Custom calls in the place of ops and of several results.
//
// A host that writes for a StableHLO without the dialect chlo puts calls of "mhlo.<op>" into its place, with the op's attributes in the
// dictionary mhlo.attributes: jaxlib before 0.9 does so for plugins. And a call may give a tuple that is taken apart at once: jaxlib up
// to 0.5 has callbacks so.
#include <string.h>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

enum { LONGEST = 40 };  // of the names of ops

static mr_op_kind kind_of(mr_str target) {
  static const char theirs[] = "mhlo.", ours[] = "chlo.";
  char name[LONGEST];
  size_t skip = sizeof theirs - 1, size = target.size - skip + sizeof ours - 1;
  if (!mr_str_starts_with(target, MR_STR(theirs)) || size > sizeof name) {
    return MR_OP_COUNT;
  }
  if (mr_str_is(target, "mhlo.topk")) {
    return MR_OP_top_k;
  }
  memcpy(name, ours, sizeof ours - 1);
  memcpy(name + sizeof ours - 1, target.data + skip, target.size - skip);
  mr_op_kind kind = mr_op_kind_from_spelling((mr_str){name, size});
  return kind != MR_OP_COUNT && mr_op_kind_is_elementwise(kind) ? kind : MR_OP_COUNT;
}

// Elements that stand where they stand: operands of one size, of which the result has the first one's type or says something.
static bool is_elementwise(const mr_op *call) {
  bool same = call->num_results == 1 && call->num_operands >= 1 && call->num_operands <= 2;
  for (uint32_t i = 0; same && i < call->num_operands; i++) {
    same = mr_type_same_dims(&mr_op_operand(call, i)->type, &call->results[0].type) &&
           mr_op_operand(call, i)->type.dtype == mr_op_operand(call, 0)->type.dtype;
  }
  return same;
}

static bool take_top_k(const mr_op *call, mr_op *top) {
  const mr_attr *said = mr_op_extra(call, "mhlo.attributes");
  const mr_attr *k = said ? mr_dict_find(said, "k") : NULL, *largest = said ? mr_dict_find(said, "largest") : NULL;
  if (!k || k->kind != MR_ATTR_INT || (largest && (largest->kind != MR_ATTR_INT || !largest->integer))) {
    return false;
  }
  mr_op_set_int(mr_op_module(call), top, MR_ATTR_k, k->integer);
  return true;
}

// A call that gives one tuple of arrays, which is only taken apart, gives its parts.
static mr_status split_tuple(mr_op *op, bool *out_changed) {
  const mr_type *tuple = op->num_results == 1 ? &op->results[0].type : NULL;
  if (!tuple || tuple->kind != MR_TYPE_TUPLE || tuple->rank == 0) {
    return MR_OK;
  }
  for (const mr_use *use = op->results[0].uses; use; use = use->next) {
    if (use->user->kind != MR_OP_get_tuple_element) {
      return MR_OK;
    }
  }
  mr_module *module = mr_op_module(op);
  mr_value **operands = mr_arena_array(&module->arena, mr_value *, op->num_operands + 1);
  if (!operands) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    operands[i] = mr_op_operand(op, i);
  }
  mr_builder b = mr_builder_before(op);
  b.loc = op->loc;
  mr_op *parts = mr_build(&b, op->kind, op->num_operands, operands, tuple->rank, tuple->elements, 0);
  if (!parts) {
    return MR_NO_MEMORY();
  }
  mr_op_copy_attrs(module, parts, op);
  while (op->results[0].uses) {
    mr_op *part = op->results[0].uses->user;
    (void)mr_replace(part, mr_op_result(parts, (uint32_t)mr_op_int(part, MR_ATTR_index, 0)));
  }
  mr_op_erase(op);
  *out_changed = true;
  return MR_OK;
}

mr_status mr_forward_twin_call(mr_op *op, bool *out_changed) {
  mr_op_kind kind = kind_of(mr_op_string(op, MR_ATTR_call_target_name));
  bool top = kind == MR_OP_top_k && op->num_operands == 1 && op->num_results == 2;
  if (kind == MR_OP_COUNT) {
    return split_tuple(op, out_changed);
  }
  if ((!top && (kind == MR_OP_top_k || !is_elementwise(op)))) {
    return MR_OK;
  }
  mr_builder b = mr_builder_before(op);
  b.loc = op->loc;
  mr_value *operands[2];
  mr_type types[2];
  for (uint32_t i = 0; i < op->num_operands; i++) {
    operands[i] = mr_op_operand(op, i);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    types[i] = op->results[i].type;
  }
  mr_op *twin = mr_build(&b, kind, op->num_operands, operands, op->num_results, types, 0);
  if (!twin) {
    return MR_NO_MEMORY();
  }
  if (top && !take_top_k(op, twin)) {
    mr_op_erase(twin);
    return MR_OK;
  }
  twin->extra = op->extra;  // shardings are said there
  mr_value *results[] = {mr_op_result(twin, 0), top ? mr_op_result(twin, 1) : NULL};
  *out_changed = mr_replace_all(op, results);
  return MR_OK;
}
