// Instructions of HLO that call other computations. A region of the IR calls the computation's function; the compiler
// inlines it where it wants to.
#include <string.h>

#include "compiler/reader/hlo.h"

mr_status mr_hlo_callee(hlo_context *c, size_t index, mr_function **out_function) {
  if (index >= c->proto->n_called_computation_ids) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu called computations, wanted at least %zu",
                    c->proto->n_called_computation_ids, index + 1);
  }
  int64_t id = c->proto->called_computation_ids[index];
  const hlo_reader *r = c->reader;
  // Callees are mostly close before their callers.
  for (size_t i = r->num_computations; i-- > 0;) {
    if (r->computations[i].id == id) {
      *out_function = r->computations[i].function;
      return MR_OK;
    }
  }
  return mr_error(MR_INVALID_ARGUMENT, "calls computation %lld, which is none of those before it", (long long)id);
}

static mr_status finish_return(hlo_reader *r, mr_block *block, mr_op *call) {
  mr_value **values = mr_arena_array(&r->locals, mr_value *, call->num_results + 1);
  if (!values) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < call->num_results; i++) {
    values[i] = mr_op_result(call, i);
  }
  mr_draft draft = {.module = r->module,
                    .scratch = &r->locals,
                    .block = block,
                    .name = MR_STR("stablehlo.return"),
                    .kind = MR_OP_return,
                    .num_operands = call->num_results,
                    .operands = values};
  mr_op *op;
  return mr_draft_finish(&draft, &op);
}

static mr_status build_call(hlo_reader *r, mr_block *block, const mr_function *callee, uint32_t count,
                            mr_value **operands, mr_op **out_call) {
  mr_draft draft = {.module = r->module,
                    .scratch = &r->locals,
                    .block = block,
                    .name = MR_STR("func.call"),
                    .kind = MR_OP_call,
                    .num_operands = count,
                    .operands = operands,
                    .num_results = callee->num_results,
                    .results = callee->result_types};
  mr_draft_string(&draft, MR_ATTR_callee, callee->name);
  return mr_draft_finish(&draft, out_call);
}

// A region that hands its arguments to a function and returns what that gives; with `captured`, those values instead.
static mr_status add_region(hlo_context *c, mr_draft *draft, size_t callee_index, const hlo_value *captured) {
  hlo_reader *r = c->reader;
  mr_function *callee;
  MR_TRY(mr_hlo_callee(c, callee_index, &callee));
  mr_block *block = mr_block_create(r->module, NULL, r->function);
  if (!block) {
    return MR_NO_MEMORY();
  }
  mr_value **operands = captured ? captured->leaves : NULL;
  uint32_t count = captured ? captured->num_leaves : callee->body.num_args;
  if (!captured) {
    for (uint32_t i = 0; i < count; i++) {
      if (!mr_block_add_arg(r->module, block, &callee->body.args[i]->type)) {
        return MR_NO_MEMORY();
      }
    }
    operands = block->args;
  }
  mr_op *call;
  MR_TRY(build_call(r, block, callee, count, operands, &call));
  draft->regions[draft->num_regions++] = block;
  return finish_return(r, block, call);
}

static mr_status room_for_regions(hlo_context *c, mr_draft *draft, size_t count) {
  draft->regions = mr_arena_array(&c->reader->locals, mr_block *, count + 1);
  return draft->regions ? MR_OK : MR_NO_MEMORY();
}

mr_status mr_hlo_with_regions(hlo_context *c, mr_draft *draft, size_t count) {
  MR_TRY(room_for_regions(c, draft, count));
  for (size_t i = 0; i < count; i++) {
    MR_TRY(add_region(c, draft, i, NULL));
  }
  return mr_hlo_finish(c, draft);
}

mr_status mr_hlo_call(hlo_context *c) {
  if (c->proto->is_composite) {
    return mr_hlo_composite(c);
  }
  mr_function *callee;
  mr_draft draft;
  MR_TRY(mr_hlo_callee(c, 0, &callee));
  MR_TRY(mr_hlo_draft(c, MR_OP_call, &draft));
  mr_draft_string(&draft, MR_ATTR_callee, callee->name);
  return mr_hlo_finish(c, &draft);
}

// HLO names the body first.
mr_status mr_hlo_while(hlo_context *c) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, MR_OP_while, &draft));
  MR_TRY(room_for_regions(c, &draft, 2));
  MR_TRY(add_region(c, &draft, 1, NULL));
  MR_TRY(add_region(c, &draft, 0, NULL));
  return mr_hlo_finish(c, &draft);
}

// Each branch has its own operand, which its region captures. A predicate chooses the first branch when it is true.
mr_status mr_hlo_conditional(hlo_context *c) {
  size_t branches = c->proto->n_called_computation_ids;
  if (branches == 0 || c->num_operands != branches + 1 || c->operands[0]->type.kind != MR_TYPE_TENSOR) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu branches and %u operands, wanted an index and one for each branch",
                    branches, c->num_operands);
  }
  bool predicate = c->operands[0]->type.dtype == MR_PRED;
  uint32_t all = c->num_operands;
  mr_draft draft;
  c->num_operands = 1;
  mr_status status = mr_hlo_draft(c, predicate ? MR_OP_if : MR_OP_case, &draft);
  c->num_operands = all;
  MR_TRY(status);
  MR_TRY(room_for_regions(c, &draft, branches));
  for (size_t i = 0; i < branches; i++) {
    MR_TRY(add_region(c, &draft, i, c->operands[i + 1]));
  }
  return mr_hlo_finish(c, &draft);
}

// ---- Scans and sorts ---------------------------------------------------------------------------------------------------

static mr_status segments(hlo_context *c, mr_draft *draft, mr_str name, int64_t first, int64_t second) {
  const int64_t both[] = {first, second};
  const int64_t *copy = mr_arena_copy(c->reader->arena, both, sizeof both);
  if (!copy) {
    return MR_NO_MEMORY();
  }
  const mr_attr list = mr_read_attr_ints((mr_ints){copy, 2}, -1);
  mr_draft_attr(draft, name, &list);
  return MR_OK;
}

// Inputs, then the carries' first values; outputs, then the carries' last.
mr_status mr_hlo_scan_attrs(hlo_context *c, mr_draft *draft) {
  int64_t carries = c->proto->num_carries, operands = draft->num_operands, results = draft->num_results;
  if (carries < 0 || carries > operands || carries > results || c->proto->n_dimensions != 1) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu dimensions and %lld carries of %lld operands and %lld results",
                    c->proto->n_dimensions, (long long)carries, (long long)operands, (long long)results);
  }
  mr_draft_int(draft, MR_ATTR_dimension, c->proto->dimensions[0]);
  mr_draft_int(draft, MR_ATTR_is_reverse, c->proto->is_reverse);
  MR_TRY(segments(c, draft, MR_STR("operandSegmentSizes"), operands - carries, carries));
  return segments(c, draft, MR_STR("resultSegmentSizes"), results - carries, carries);
}

// Whether the first of two values is smaller in the total order, in which every NaN has its place.
static mr_status less_than_region(hlo_context *c, mr_block *block, mr_dtype keys, mr_dtype places) {
  mr_module *module = c->reader->module;
  const mr_type types[] = {mr_type_tensor(module, keys, 0, NULL), mr_type_tensor(module, places, 0, NULL)};
  mr_value *args[4];
  for (int i = 0; i < 4; i++) {
    args[i] = mr_block_add_arg(module, block, &types[i / 2]);
  }
  mr_builder b = mr_builder_at_end(block);
  int order = mr_dtype_is_float(keys)    ? MR_COMPARE_TOTALORDER
              : mr_dtype_is_signed(keys) ? MR_COMPARE_SIGNED
                                         : MR_COMPARE_UNSIGNED;
  mr_value *less = mr_build_compare(&b, MR_COMPARE_LT, order, args[0], args[1]);
  mr_build(&b, MR_OP_return, 1, &less, 0, NULL, 0);
  return mr_module_memory(module);
}

static mr_value *leading(mr_builder *b, mr_value *whole, const mr_type *type) {
  static const int64_t zeros[MR_MAX_RANK];
  int64_t ones[MR_MAX_RANK];
  mr_op *op = mr_build(b, MR_OP_slice, 1, &whole, 1, type, 0);
  if (!op) {
    return NULL;
  }
  for (uint32_t d = 0; d < type->rank; d++) {
    ones[d] = 1;
  }
  mr_op_set_ints(b->module, op, MR_ATTR_start_indices, (mr_ints){zeros, type->rank});
  mr_op_set_ints(b->module, op, MR_ATTR_limit_indices, (mr_ints){type->dims, type->rank});
  mr_op_set_ints(b->module, op, MR_ATTR_strides, (mr_ints){ones, type->rank});
  return mr_op_result(op, 0);
}

// A stable sort of each row with its positions, of which the first k stay.
mr_status mr_hlo_bottom_k(hlo_context *c) {
  const mr_type *type = c->num_operands == 1 ? &c->operands[0]->type : NULL, *results = c->type.elements;
  if (!type || !mr_type_is_static(type) || type->rank == 0 || c->type.kind != MR_TYPE_TUPLE || c->type.rank != 2 ||
      results[0].kind != MR_TYPE_TENSOR || results[1].kind != MR_TYPE_TENSOR || results[0].rank != type->rank ||
      results[1].rank != type->rank || results[0].dtype != type->dtype || !mr_dtype_is_integer(results[1].dtype)) {
    return mr_error(MR_INVALID_ARGUMENT, "wanted an array and a tuple of its elements and their places as the result");
  }
  mr_module *module = c->reader->module;
  mr_builder b = mr_hlo_builder(c);
  mr_type both[] = {*type, mr_type_with_dtype(type, results[1].dtype)};
  mr_op *places = mr_build(&b, MR_OP_iota, 0, NULL, 1, &both[1], 0);
  mr_value *operands[] = {c->operands[0]->leaves[0], places ? mr_op_result(places, 0) : NULL};
  mr_op *sort = mr_build(&b, MR_OP_sort, 2, operands, 2, both, 1);
  MR_TRY(mr_module_memory(module));
  mr_op_set_int(module, places, MR_ATTR_iota_dimension, type->rank - 1);
  mr_op_set_int(module, sort, MR_ATTR_dimension, type->rank - 1);
  mr_op_set_int(module, sort, MR_ATTR_is_stable, 1);
  MR_TRY(less_than_region(c, sort->regions[0], both[0].dtype, both[1].dtype));
  c->leaves = mr_arena_array(&c->reader->locals, mr_value *, 2);
  c->num_leaves = 2;
  if (!c->leaves) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < 2; i++) {
    c->leaves[i] = leading(&b, mr_op_result(sort, i), &results[i]);
  }
  return mr_module_memory(module);
}
