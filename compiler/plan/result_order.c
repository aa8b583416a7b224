// In which order the dimensions of a result lie in memory where the host left that open (mhlo.layout_mode "auto"): as it is made without
// moving anything. A parameter that is only transposed, and computed with element by element, keeps its order, as on XLA:CPU; all
// else is row-major.
#include <inttypes.h>
#include <stdio.h>

#include "compiler/ir/scalar.h"
#include "compiler/passes/passes.h"
#include "compiler/plan/plan.h"

// The dimensions of a value from the outermost in memory to the innermost.
typedef struct order {
  uint32_t dims[MR_MAX_RANK];
  bool is_free;  // all elements are equal: it goes with any
} order;

// So many values are looked at for a result.
enum { MOST_VALUES = 64 };

static order row_major(void) {
  order o = {.is_free = false};
  for (uint32_t d = 0; d < MR_MAX_RANK; d++) {
    o.dims[d] = d;
  }
  return o;
}

static bool is_same(const order *a, const order *b) { return memcmp(a->dims, b->dims, sizeof a->dims) == 0; }

static bool is_one_number(const mr_value *value) {
  uint8_t element[MR_SCALAR_BYTES];
  const mr_op *def = value->def;
  bool spreads = def && def->kind == MR_OP_broadcast_in_dim && mr_type_count(&mr_op_operand(def, 0)->type) == 1;
  return spreads || mr_value_splat(value, element);
}

static order order_of(const mr_value *value, uint32_t *left);

static order order_of_transpose(const mr_op *op, uint32_t *left) {
  order from = order_of(mr_op_operand(op, 0), left), to = row_major();
  if (from.is_free) {
    return from;
  }
  mr_ints permutation = mr_op_ints(op, MR_ATTR_permutation);
  for (uint32_t p = 0; p < permutation.size; p++) {
    for (uint32_t d = 0; d < permutation.size; d++) {
      to.dims[p] = permutation.data[d] == from.dims[p] ? d : to.dims[p];
    }
  }
  return to;
}

// That of the operands, which have to agree.
static order order_of_elementwise(const mr_op *op, uint32_t *left) {
  order common = {.is_free = true};
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_value *x = mr_op_operand(op, i);
    order one = x->type.rank == op->results[0].type.rank ? order_of(x, left) : (order){.is_free = true};
    if (common.is_free) {
      common = one;
    } else if (!one.is_free && !is_same(&common, &one)) {
      return row_major();
    }
  }
  return common.is_free ? row_major() : common;
}

static order order_of(const mr_value *value, uint32_t *left) {
  const mr_op *op = value->def;
  if (is_one_number(value)) {
    return (order){.is_free = true};
  }
  if (!op || op->num_results != 1 || *left == 0) {
    return row_major();
  }
  (*left)--;
  return op->kind == MR_OP_transpose           ? order_of_transpose(op, left)
         : mr_op_kind_is_elementwise(op->kind) ? order_of_elementwise(op, left)
                                               : row_major();
}

static const mr_attr *mode_of(const mr_function *function, uint32_t k) {
  const mr_attr *attrs = function->result_attrs ? function->result_attrs[k] : NULL;
  return attrs ? mr_dict_find(attrs, "mhlo.layout_mode") : NULL;
}

static bool is_left_open(const mr_function *function, uint32_t k) {
  const mr_attr *mode = mode_of(function, k);
  return mode && mode->kind == MR_ATTR_STRING && mr_str_is(mode->string, "auto") &&
         function->result_types[k].kind == MR_TYPE_TENSOR && !function->result_types[k].quant &&
         mr_dtype_bits(function->result_types[k].dtype) >= 8;  // smaller ones are not one after the other in memory
}

// The text of a layout, "{1,0}", in the module's arena. False: the list is not as long as the result has dimensions.
static bool put_layout(mr_module *module, mr_ints minor_to_major, mr_str *out) {
  char text[24 * MR_MAX_RANK + 4] = "{";
  size_t used = 1;
  for (size_t i = 0; i < minor_to_major.size; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRId64, i ? "," : "", minor_to_major.data[i]);
  }
  text[used++] = '}';
  *out = mr_arena_str(&module->arena, (mr_str){text, used});
  return out->data != NULL;
}

mr_status mr_planner_pin_results(mr_module *module) {
  mr_function *function = mr_module_entry(module);
  const mr_op *end = mr_block_terminator(&function->body);
  for (uint32_t k = 0; end && k < function->num_results; k++) {
    const mr_op *def = mr_op_operand(end, k)->def;
    bool pins = is_left_open(function, k) && def && def->kind == MR_OP_custom_call &&
                mr_str_is(mr_op_string(def, MR_ATTR_call_target_name), "LayoutConstraint");
    const mr_attr *layouts = pins ? mr_op_attr(def, MR_ATTR_result_layouts) : NULL;
    if (!layouts || layouts->kind != MR_ATTR_ARRAY || layouts->count != 1 || layouts->items[0].kind != MR_ATTR_INTS ||
        layouts->items[0].ints.size != function->result_types[k].rank) {
      continue;
    }
    // The function's attributes are the module's own, which belongs to who compiles.
    mr_attr *mode = (mr_attr *)(uintptr_t)mode_of(function, k);
    if (!put_layout(module, layouts->items[0].ints, &mode->string)) {
      return MR_NO_MEMORY();
    }
  }
  return MR_OK;
}

// The result with its dimensions in the order of memory.
static mr_status give(mr_function *function, uint32_t k, const order *o) {
  mr_op *end = mr_block_terminator(&function->body);
  mr_builder b = mr_builder_before(end);
  int64_t permutation[MR_MAX_RANK];
  for (uint32_t p = 0; p < function->result_types[k].rank; p++) {
    permutation[p] = o->dims[p];
  }
  mr_value *moved = mr_build_transpose(&b, mr_op_operand(end, k), permutation);
  if (!moved) {
    return mr_module_memory(function->module);
  }
  mr_op_set_operand(end, k, moved);
  function->result_types[k] = moved->type;
  return mr_module_memory(function->module);
}

mr_status mr_planner_order_results(mr_executable *e, mr_module *module) {
  mr_function *function = mr_module_entry(module);
  const mr_op *end = mr_block_terminator(&function->body);
  uint32_t moved = 0;
  e->result_orders = mr_arena_array(&e->arena, const uint32_t *, function->num_results + 1);
  if (!e->result_orders) {
    return MR_NO_MEMORY();
  }
  for (uint32_t k = 0; end && k < function->num_results; k++) {
    uint32_t left = MOST_VALUES;
    order plain = row_major(), o = is_left_open(function, k) ? order_of(mr_op_operand(end, k), &left) : plain;
    if (o.is_free || is_same(&o, &plain)) {
      continue;
    }
    e->result_orders[k] = mr_arena_copy(&e->arena, o.dims, sizeof o.dims);
    if (!e->result_orders[k]) {
      return MR_NO_MEMORY();
    }
    MR_TRY(give(function, k, &o));
    moved++;
  }
  if (moved == 0) {
    return MR_OK;
  }
  MR_TRY(mr_pass_simplify(module));
  return mr_pass_dce(module);
}
