// Custom calls in the place of ops and of several results.
//
// A host that writes for a StableHLO without the dialect chlo puts calls of "mhlo.<op>" into its place, with the op's attributes in the
// dictionary mhlo.attributes: jaxlib before 0.9 does so for plugins. And a call may give a tuple that is taken apart at once: jaxlib up
// to 0.5 has callbacks so.
#include <string.h>

#include "compiler/ir/calls.h"
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

static bool take_top_k(const mr_op *call, mr_op *top) {
  const mr_attr *said = mr_op_extra(call, "mhlo.attributes");
  const mr_attr *k = said ? mr_dict_find(said, "k") : NULL, *largest = said ? mr_dict_find(said, "largest") : NULL;
  if (!k || k->kind != MR_ATTR_INT || (largest && (largest->kind != MR_ATTR_INT || !largest->integer))) {
    return false;
  }
  mr_op_set_int(mr_op_module(call), top, MR_ATTR_k, k->integer);
  return true;
}

// In the module's arena; NULL when memory is short.
static mr_value **operands_of(const mr_op *op) {
  mr_value **operands = mr_arena_array(&mr_op_module(op)->arena, mr_value *, op->num_operands + 1);
  for (uint32_t i = 0; operands && i < op->num_operands; i++) {
    operands[i] = mr_op_operand(op, i);
  }
  return operands;
}

// A call that gives one tuple of arrays, which is only taken apart, gives its parts.
static mr_status split_tuple(mr_op *op, bool *out_changed) {
  const mr_type *tuple = op->num_results == 1 ? &op->results[0].type : NULL;
  if (!tuple || tuple->kind != MR_TYPE_TUPLE) {
    return MR_OK;
  }
  for (const mr_use *use = op->results[0].uses; use; use = use->next) {
    if (use->user->kind != MR_OP_get_tuple_element) {
      return MR_OK;
    }
  }
  mr_builder b = mr_builder_before(op);
  b.loc = op->loc;
  mr_value **operands = operands_of(op);
  mr_op *parts = operands ? mr_build(&b, op->kind, op->num_operands, operands, tuple->rank, tuple->elements, 0) : NULL;
  if (!parts) {
    return MR_NO_MEMORY();
  }
  mr_op_copy_attrs(mr_op_module(op), parts, op);
  // A handler of one result has to know whether it gives that or a tuple of it.
  mr_op_set_attr(mr_op_module(op), parts, (mr_attr){.name = MR_STR(MR_CALL_GAVE_TUPLE), .kind = MR_ATTR_UNIT});
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
  if (kind == MR_OP_COUNT) {
    return split_tuple(op, out_changed);
  }
  mr_module *module = mr_op_module(op);
  mr_value **operands = operands_of(op);
  mr_type *types = mr_arena_array(&module->arena, mr_type, op->num_results + 1);
  mr_value **results = mr_arena_array(&module->arena, mr_value *, op->num_results + 1);
  if (!operands || !types || !results) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    types[i] = op->results[i].type;
  }
  mr_builder b = mr_builder_before(op);
  b.loc = op->loc;
  mr_op *twin = mr_build(&b, kind, op->num_operands, operands, op->num_results, types, 0);
  if (!twin) {
    return MR_NO_MEMORY();
  }
  if (kind == MR_OP_top_k && !take_top_k(op, twin)) {
    mr_op_erase(twin);
    return MR_OK;
  }
  MR_TRY(mr_op_check(module, twin));
  twin->extra = op->extra;  // shardings are said there
  for (uint32_t i = 0; i < op->num_results; i++) {
    results[i] = mr_op_result(twin, i);
  }
  *out_changed = mr_replace_all(op, results);
  return MR_OK;
}
