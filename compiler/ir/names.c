// What the entry function's arguments are called, and which of their sizes the program has a name for. jax.export writes both on the
// function that its entry calls: arg names as locations, sizes as arguments of their own with the attribute jax.global_constant.
#include "compiler/ir/ir.h"

static const mr_function *callee_of(const mr_module *module, const mr_op *op) {
  const mr_function *callee = op->kind == MR_OP_call ? mr_module_find(module, mr_op_string(op, MR_ATTR_callee)) : NULL;
  return callee && callee->body.num_args == op->num_operands ? callee : NULL;
}

mr_status mr_module_name_args(mr_module *module) {
  mr_function *entry = mr_module_entry(module);
  for (const mr_op *op = entry ? entry->body.first : NULL; op; op = op->next) {
    const mr_function *callee = callee_of(module, op);
    for (uint32_t i = 0; callee && callee->arg_names && i < op->num_operands; i++) {
      const mr_value *value = mr_op_operand(op, i);
      bool is_argument = !value->def && value->block == &entry->body;
      if (is_argument && (!entry->arg_names || !entry->arg_names[value->index].size)) {
        MR_TRY(mr_function_name_arg(entry, value->index, callee->arg_names[i]));
      }
    }
  }
  return MR_OK;
}

// The argument and dimension whose size this is, itself and not a number made of it; NULL: of none.
static const mr_value *size_of_argument(const mr_function *entry, const mr_value *value, int64_t *out_dim) {
  while (value->def && (value->def->kind == MR_OP_convert || value->def->kind == MR_OP_reshape)) {
    value = mr_op_operand(value->def, 0);
  }
  const mr_op *op = value->def;
  if (!op || op->kind != MR_OP_get_dimension_size) {
    return NULL;
  }
  const mr_value *of = mr_op_operand(op, 0);
  *out_dim = mr_op_int(op, MR_ATTR_dimension, -1);
  return !of->def && of->block == &entry->body && *out_dim >= 0 && *out_dim < (int64_t)of->type.rank ? of : NULL;
}

void mr_module_each_equal_size(const mr_module *module,
                               void (*visit)(void *context, const uint32_t *args, const uint32_t *dims),
                               void *context) {
  const mr_function *entry = mr_module_entry(module);
  for (const mr_op *op = entry ? entry->body.first : NULL; op; op = op->next) {
    if (op->kind != MR_OP_compare || mr_op_int(op, MR_ATTR_comparison_direction, -1) != MR_COMPARE_EQ) {
      continue;
    }
    uint32_t args[2], dims[2];
    bool both = true;
    for (uint32_t k = 0; both && k < 2; k++) {
      int64_t dim;
      const mr_value *arg = size_of_argument(entry, mr_op_operand(op, k), &dim);
      both = arg != NULL;
      if (both) {
        args[k] = arg->index;
        dims[k] = (uint32_t)dim;
      }
    }
    if (both) {
      visit(context, args, dims);
    }
  }
}

void mr_module_each_symbol(const mr_module *module,
                           void (*visit)(void *context, uint32_t arg, uint32_t dim, mr_str symbol), void *context) {
  const mr_function *entry = mr_module_entry(module);
  for (const mr_op *op = entry ? entry->body.first : NULL; op; op = op->next) {
    const mr_function *callee = callee_of(module, op);
    for (uint32_t i = 0; callee && callee->arg_attrs && i < op->num_operands; i++) {
      const mr_attr *symbol = callee->arg_attrs[i] ? mr_dict_find(callee->arg_attrs[i], "jax.global_constant") : NULL;
      int64_t dim;
      const mr_value *arg = symbol && symbol->kind == MR_ATTR_STRING && symbol->string.size
                                ? size_of_argument(entry, mr_op_operand(op, i), &dim)
                                : NULL;
      if (arg) {
        visit(context, arg->index, (uint32_t)dim, symbol->string);
      }
    }
  }
}
