// Sizes that the program leaves open, as jax.export does with symbolic shapes, become known: once the parameters' are, what follows from them
// is worked out, and ops that take shapes as operands become those that have them. What the program asserts of its sizes is looked at.
#include <string.h>

#include "compiler/ir/asserted.h"
#include "compiler/ir/scalar.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/simplify.h"

// ---- One op ---------------------------------------------------------------------------------------------------------------

static bool is_open(const mr_type *type) { return type->kind == MR_TYPE_TENSOR && !mr_type_is_static(type); }

static bool become(mr_value *value, const mr_type *type) {
  if (!is_open(&value->type) || is_open(type) || !mr_type_compatible(&value->type, type)) {
    return false;
  }
  value->type = *type;
  return true;
}

// What a loop carries is as large as what it begins with.
static void refine_loop(mr_op *op) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    const mr_type *type = &mr_op_operand(op, i)->type;
    become(op->regions[0]->args[i], type);
    become(op->regions[1]->args[i], type);
    become(&op->results[i], type);
  }
}

// What a choice gives is as large as what one of its branches does; the verifier compares the others.
static void refine_choice(mr_op *op) {
  for (uint32_t r = 0; r < op->num_regions; r++) {
    const mr_op *end = mr_block_terminator(op->regions[r]);
    for (uint32_t i = 0; end && i < op->num_results && i < end->num_operands; i++) {
      become(&op->results[i], &mr_op_operand(end, i)->type);
    }
  }
}

static mr_status refine_by_rule(mr_op *op) {
  mr_type few[8], *types = op->num_results <= MR_ARRAY_SIZE(few)
                               ? few
                               : mr_arena_array(&mr_op_module(op)->arena, mr_type, op->num_results);
  if (!types) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_op_infer(mr_op_module(op), op, types));
  for (uint32_t i = 0; i < op->num_results; i++) {
    become(&op->results[i], &types[i]);
  }
  return MR_OK;
}

mr_status mr_refine_sizes(mr_op *op) {
  bool any = false;
  for (uint32_t i = 0; i < op->num_results && !any; i++) {
    any = is_open(&op->results[i].type);
  }
  if (!any) {
    return MR_OK;
  }
  switch (op->kind) {
  case MR_OP_while: refine_loop(op); return MR_OK;
  case MR_OP_case:
  case MR_OP_if: refine_choice(op); return MR_OK;
  default: return refine_by_rule(op);
  }
}

// ---- Custom calls ---------------------------------------------------------------------------------------------------------

// An entry for each operand, where there is a list of their layouts.
static void drop_layouts(mr_op *op, const bool *keep) {
  mr_attr *layouts = (mr_attr *)(uintptr_t)mr_op_attr(op, MR_ATTR_operand_layouts);
  if (!layouts || layouts->kind != MR_ATTR_ARRAY || layouts->count != op->num_operands) {
    return;
  }
  size_t kept = 0;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (keep[i]) {
      layouts->items[kept++] = layouts->items[i];
    }
  }
  layouts->count = kept;
}

// So many integers, however an attribute has them.
static bool list_of(const mr_attr *attr, uint32_t count, int64_t *out) {
  bool is_dense = attr && attr->kind == MR_ATTR_DENSE && mr_dtype_is_integer(attr->dense.type.dtype);
  if (is_dense && mr_type_count(&attr->dense.type) == count) {
    const size_t one = mr_dtype_bytes(attr->dense.type.dtype);
    for (uint32_t i = 0; i < count; i++) {
      out[i] =
          mr_scalar_to_int(attr->dense.type.dtype, (const char *)attr->dense.data + (attr->dense.splat ? 0 : i * one));
    }
    return true;
  }
  if (!attr || attr->kind != MR_ATTR_INTS || attr->ints.size != count) {
    return false;
  }
  memcpy(out, attr->ints.data, count * sizeof *out);
  return true;
}

// A custom call whose results' shapes come in operands, of which it names one for each result: JAX's calls of LAPACK. Without them it is the
// call as it would be with sizes that are known.
static mr_status take_result_shapes(mr_op *op) {
  static const char name[] = "indices_of_shape_operands";
  int64_t dims[MR_MAX_RANK], indices[64];
  bool keep[256];
  if (op->num_results > MR_ARRAY_SIZE(indices) || op->num_operands > MR_ARRAY_SIZE(keep) ||
      !list_of(mr_op_extra(op, name), op->num_results, indices)) {
    return MR_OK;
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    keep[i] = true;
  }
  for (uint32_t k = 0; k < op->num_results; k++) {
    int64_t at = indices[k];
    if (at < 0 || at >= (int64_t)op->num_operands) {
      return mr_op_error(op, "%s has %lld, wanted one of the %u operands", name, (long long)at, op->num_operands);
    }
    mr_type type = op->results[k].type;
    if (!mr_constant_ints(mr_op_operand(op, (uint32_t)at), type.rank, dims)) {
      return MR_OK;  // it may be known later
    }
    type.dims = dims;
    type.bounds = NULL;
    type = mr_type_copy(mr_op_module(op), &type);
    if (is_open(&op->results[k].type) && !become(&op->results[k], &type)) {
      return mr_op_error(op, "the shape of result %u is not the one that operand %lld says", k, (long long)at);
    }
    keep[at] = false;
  }
  drop_layouts(op, keep);
  mr_op_filter_operands(op, keep);
  for (size_t i = 0; i < op->extra->count; i++) {
    if (mr_str_is(op->extra->items[i].name, name)) {
      op->extra->items[i] = op->extra->items[--op->extra->count];
    }
  }
  return MR_OK;
}

// ---- Reductions over windows ------------------------------------------------------------------------------------------------

// jax.export's form of reduce_window where the windows themselves are open: arrays, initial values, then window, strides, base and window
// dilations and padding as operands, and the reducer as a function.
enum { WINDOW_LISTS = 5 };

static bool read_windows(const mr_op *op, uint32_t arrays, uint32_t rank, int64_t (*out_lists)[2 * MR_MAX_RANK]) {
  for (uint32_t k = 0; k < WINDOW_LISTS; k++) {
    size_t count = k + 1 < WINDOW_LISTS ? rank : 2 * (size_t)rank;
    if (!mr_constant_ints(mr_op_operand(op, 2 * arrays + k), count, out_lists[k])) {
      return false;
    }
  }
  return true;
}

static void take_reducer(mr_module *module, mr_op *window, const mr_function *reducer) {
  mr_value_map *map = mr_value_map_create(module);
  for (uint32_t i = 0; i < reducer->body.num_args; i++) {
    const mr_value *arg = reducer->body.args[i];
    mr_value_map_set(map, arg, mr_block_add_arg(module, window->regions[0], &arg->type));
  }
  mr_builder inner = mr_builder_at_end(window->regions[0]);
  const mr_op *end = mr_block_terminator(&reducer->body);
  mr_value *values[8];
  if (!mr_block_clone_into(&inner, &reducer->body, map)) {
    return;
  }
  for (uint32_t i = 0; i < end->num_operands; i++) {
    values[i] = mr_value_map_get(map, mr_op_operand(end, i));
  }
  mr_build_return(&inner, end->num_operands, values);
}

static mr_status make_reduce_window(mr_op *op, bool *out_changed) {
  static const mr_attr_key keys[WINDOW_LISTS] = {MR_ATTR_window_dimensions, MR_ATTR_window_strides,
                                                 MR_ATTR_base_dilations, MR_ATTR_window_dilations, MR_ATTR_padding};
  mr_module *module = mr_op_module(op);
  const uint32_t arrays = op->num_results;
  const mr_attr *called = mr_op_attr(op, MR_ATTR_called_computations);
  const mr_function *reducer =
      called && called->kind == MR_ATTR_ARRAY && called->count ? mr_module_find(module, called->items[0].string) : NULL;
  const mr_op *end = reducer && !reducer->is_declaration ? mr_block_terminator(&reducer->body) : NULL;
  int64_t lists[WINDOW_LISTS][2 * MR_MAX_RANK];
  mr_value *operands[16];
  mr_type types[8];
  if (!end || arrays == 0 || arrays > MR_ARRAY_SIZE(types) || op->num_operands != 2 * arrays + WINDOW_LISTS ||
      reducer->body.num_args != 2 * arrays || end->num_operands != arrays) {
    return mr_unimplemented(op, "stablehlo.dynamic_reduce_window of this form");
  }
  const uint32_t rank = mr_op_operand(op, 0)->type.rank;
  if (!read_windows(op, arrays, rank, lists)) {
    return MR_OK;  // they may be known later
  }
  for (uint32_t i = 0; i < 2 * arrays; i++) {
    operands[i] = mr_op_operand(op, i);
  }
  for (uint32_t i = 0; i < arrays; i++) {
    types[i] = op->results[i].type;
  }
  mr_builder b = mr_builder_before(op);
  mr_op *window = mr_build(&b, MR_OP_reduce_window, 2 * arrays, operands, arrays, types, 1);
  if (!window) {
    return mr_module_memory(module);
  }
  for (uint32_t k = 0; k < WINDOW_LISTS; k++) {
    mr_op_set_ints(module, window, keys[k], (mr_ints){lists[k], k + 1 < WINDOW_LISTS ? rank : 2 * (size_t)rank});
  }
  take_reducer(module, window, reducer);
  MR_TRY(mr_module_memory(module));
  mr_value *results[8];
  for (uint32_t i = 0; i < arrays; i++) {
    results[i] = &window->results[i];
  }
  MR_TRY(mr_refine_sizes(window));
  *out_changed = mr_replace_all(op, results);
  return MR_OK;
}

// What is asserted and holds is dropped; what does not fails the compilation in the program's own words.
static mr_status look_at_assertion(mr_op *op, bool *out_changed) {
  uint8_t truth[16];
  if (op->num_operands == 0 || op->num_results || mr_op_operand(op, 0)->type.dtype != MR_PRED ||
      !mr_value_splat(mr_op_operand(op, 0), truth)) {
    return MR_OK;
  }
  if (truth[0]) {
    *out_changed = mr_replace_all(op, NULL);
    return MR_OK;
  }
  const mr_attr *text = mr_op_extra(op, "error_message");
  mr_dtype dtypes[MR_ASSERTION_VALUES];
  const void *values[MR_ASSERTION_VALUES];
  size_t count = 0;
  for (uint32_t i = 1; i < op->num_operands && count < MR_ASSERTION_VALUES; i++) {
    const mr_dense *value = mr_value_constant(mr_op_operand(op, i));
    bool known = value && value->type.rank == 0 && mr_dtype_is_integer(value->type.dtype);
    dtypes[count] = known ? value->type.dtype : MR_S32;
    values[count++] = known ? value->data : NULL;
  }
  mr_str message = text && text->kind == MR_ATTR_STRING ? text->string : MR_STR("a shape assertion does not hold");
  return mr_assertion_error(message, dtypes, values, count);
}

static mr_status answer_size(mr_op *op, bool *out_changed) {
  const mr_type *type = &mr_op_operand(op, 0)->type;
  int64_t dim = mr_op_int(op, MR_ATTR_dimension, -1);
  if (dim < 0 || dim >= (int64_t)type->rank || type->dims[dim] < 0) {
    return MR_OK;
  }
  mr_builder b = mr_builder_before(op);
  *out_changed = mr_replace(op, mr_build_splat_int(&b, &op->results[0].type, type->dims[dim]));
  return MR_OK;
}

mr_status mr_refine_op(mr_op *op, bool *out_changed) {
  if (op->kind == MR_OP_get_dimension_size) {
    return answer_size(op, out_changed);
  }
  if (mr_str_is(mr_op_string(op, MR_ATTR_call_target_name), "shape_assertion")) {
    return look_at_assertion(op, out_changed);
  }
  if (mr_str_is(mr_op_string(op, MR_ATTR_call_target_name), "stablehlo.dynamic_reduce_window")) {
    return make_reduce_window(op, out_changed);
  }
  return take_result_shapes(op);
}

// ---- The pass -------------------------------------------------------------------------------------------------------------

static uint64_t count_open(const mr_function *entry) {
  uint64_t count = 0;
  for (const mr_op *op = mr_walk_first(&entry->body); op; op = mr_walk_next(op, &entry->body)) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      count += is_open(&op->results[i].type);
    }
  }
  return count;
}

mr_status mr_pass_sizes(mr_module *module) {
  const mr_function *entry = mr_module_entry(module);
  if (!(module->made_types & MR_MADE_OPEN) || !entry) {
    return MR_OK;
  }
  // A branch's sizes are known behind it only when the sweep has been inside, and so on outwards.
  uint64_t before, open = UINT64_MAX;
  do {
    before = open;
    MR_TRY(mr_pass_simplify(module));
    open = count_open(entry);
  } while (open && open < before);
  return MR_OK;
}
