// Ops that call other computations: regions become some, functions are some already.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/writer/hlo_put.h"

// Regions are called after their op.
static mr_status put_region(hlo_put *p, const hlo_region *region, int64_t *out_id) {
  return mr_put_region(p->writer, region, mr_str_of(mr_op_table[p->op->kind].name), out_id);
}

static mr_status room_for_calls(hlo_put *p, size_t count) {
  p->proto.called_computation_ids = mr_arena_array(&p->writer->arena, int64_t, count + 1);
  return p->proto.called_computation_ids ? MR_OK : MR_NO_MEMORY();
}

// ---- Regions that see nothing from outside ---------------------------------------------------------------------------------

mr_status mr_put_with_regions(hlo_put *p) {
  mr_op *op = p->op;
  hlo_captures captures;
  MR_TRY(mr_put_captures(p->writer, op->regions, op->num_regions, HLO_CARRY_NONE, &captures));
  if (captures.num_carried) {
    return mr_put_opaque(p);
  }
  MR_TRY(room_for_calls(p, op->num_regions));
  for (uint32_t i = 0; i < op->num_regions; i++) {
    const hlo_region region = {.block = op->regions[i], .captures = &captures};
    MR_TRY(put_region(p, &region, &p->proto.called_computation_ids[p->proto.n_called_computation_ids++]));
  }
  return mr_put_finish(p);
}

mr_status mr_put_scan(hlo_put *p) {
  uint32_t inputs, carries;
  int64_t dimension = mr_op_int(p->op, MR_ATTR_dimension, 0);
  if (!mr_scan_segments(p->op, &inputs, &carries)) {
    return mr_put_opaque(p);
  }
  p->proto.n_dimensions = 1;
  p->proto.dimensions = &dimension;
  p->proto.is_reverse = mr_op_int(p->op, MR_ATTR_is_reverse, 0) != 0;
  p->proto.num_carries = carries;
  return mr_put_with_regions(p);
}

mr_status mr_put_fusion(hlo_put *p) {
  hlo_captures captures;
  MR_TRY(mr_put_captures(p->writer, p->op->regions, 1, HLO_CARRY_NONE, &captures));
  if (captures.num_carried) {
    return mr_put_opaque(p);
  }
  const hlo_region region = {.block = p->op->regions[0], .captures = &captures, .is_fusion = true};
  MR_TRY(room_for_calls(p, 1));
  MR_TRY(put_region(p, &region, &p->proto.called_computation_ids[0]));
  p->proto.n_called_computation_ids = 1;
  p->proto.fusion_kind = "kLoop";
  return mr_put_finish(p);
}

// The region is called, and its results are bundled as the future is.
mr_status mr_put_async_start(hlo_put *p) {
  mr_op *op = p->op;
  const mr_type *future = &op->results[0].type;
  const mr_type bundle = mr_put_bundle_type(future->rank, future->elements);
  hlo_captures captures;
  int64_t id;
  MR_TRY(mr_put_captures(p->writer, op->regions, op->num_regions, HLO_CARRY_NONE, &captures));
  if (captures.num_carried) {
    return mr_put_opaque(p);
  }
  const hlo_region region = {.block = op->regions[0], .captures = &captures};
  MR_TRY(room_for_calls(p, 1));
  MR_TRY(put_region(p, &region, &p->proto.called_computation_ids[0]));
  p->proto.n_called_computation_ids = 1;
  MR_TRY(mr_put_emit(p->writer, &p->proto, &bundle, &id));
  if (future->rank == 1) {
    MR_TRY(mr_put_tuple(p->writer, 1, future->elements, &id, &id));
  }
  return mr_put_results(p->writer, op, id);
}

// ---- Loops and branches ------------------------------------------------------------------------------------------------------

// Operands with what the regions capture behind them, as one value.
static mr_status bundle_operands(hlo_put *p, const hlo_captures *captures, mr_type *out_type, int64_t *out_id) {
  mr_op *op = p->op;
  size_t count = op->num_operands, all = count + captures->num_carried;
  mr_type *types = mr_arena_array(&p->writer->arena, mr_type, all + 1);
  int64_t *ids = mr_arena_array(&p->writer->arena, int64_t, all + 1);
  if (!types || !ids) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < all; i++) {
    const mr_value *value = i < count ? mr_op_operand(op, (uint32_t)i) : captures->carried[i - count];
    types[i] = value->type;
    ids[i] = mr_put_id(p->writer, value);
  }
  *out_type = mr_put_bundle_type(all, types);
  return mr_put_bundle(p->writer, all, types, ids, out_id);
}

// HLO names the body first. What was captured goes round with the rest and is nobody's result.
mr_status mr_put_while(hlo_put *p) {
  hlo_writer *w = p->writer;
  mr_op *op = p->op;
  hlo_captures captures;
  mr_type type;
  int64_t operand, id, calls[2];
  MR_TRY(mr_put_captures(w, op->regions, 2, HLO_CARRY_LARGE, &captures));
  MR_TRY(bundle_operands(p, &captures, &type, &operand));
  const hlo_region body = {.block = op->regions[1], .captures = &captures, .one_parameter = true, .hands_on = true};
  const hlo_region condition = {.block = op->regions[0], .captures = &captures, .one_parameter = true};
  MR_TRY(put_region(p, &body, &calls[0]));
  MR_TRY(put_region(p, &condition, &calls[1]));
  p->proto.n_operand_ids = 1;
  p->proto.operand_ids = &operand;
  p->proto.n_called_computation_ids = 2;
  p->proto.called_computation_ids = calls;
  MR_TRY(mr_put_emit(w, &p->proto, &type, &id));
  return captures.num_carried ? mr_put_elements(w, op, id) : mr_put_results(w, op, id);
}

static mr_status put_branch(hlo_put *p, mr_block *block, int64_t *out_operand, int64_t *out_id) {
  hlo_captures captures;
  mr_type *types;
  MR_TRY(mr_put_captures(p->writer, &block, 1, HLO_CARRY_LARGE, &captures));
  MR_TRY(mr_put_value_types(p->writer, captures.carried, captures.num_carried, &types));
  int64_t *ids = mr_arena_array(&p->writer->arena, int64_t, captures.num_carried + 1);
  if (!ids) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < captures.num_carried; i++) {
    ids[i] = mr_put_id(p->writer, captures.carried[i]);
  }
  MR_TRY(mr_put_bundle(p->writer, captures.num_carried, types, ids, out_operand));
  const hlo_region region = {.block = block, .captures = &captures, .one_parameter = true};
  return put_region(p, &region, out_id);
}

// An operand for each branch, behind the index or the predicate.
mr_status mr_put_conditional(hlo_put *p) {
  uint32_t branches = p->op->num_regions;
  int64_t *operands = mr_arena_array(&p->writer->arena, int64_t, branches + 1);
  MR_TRY(room_for_calls(p, branches));
  if (!operands) {
    return MR_NO_MEMORY();
  }
  operands[0] = p->proto.operand_ids[0];
  for (uint32_t i = 0; i < branches; i++) {
    MR_TRY(put_branch(p, p->op->regions[i], &operands[i + 1], &p->proto.called_computation_ids[i]));
  }
  p->proto.n_called_computation_ids = branches;
  p->proto.n_operand_ids = branches + 1;
  p->proto.operand_ids = operands;
  return mr_put_finish(p);
}

// ---- Calls -------------------------------------------------------------------------------------------------------------------

mr_status mr_put_callee(hlo_put *p, mr_str name, bool *out_found) {
  const mr_function *f = mr_module_find(p->writer->module, name);
  int64_t id = f ? p->writer->callees[f->mark] : 0;
  *out_found = id != 0;
  if (!id) {
    return MR_OK;
  }
  size_t count = p->proto.n_called_computation_ids;
  int64_t *ids = mr_arena_array(&p->writer->arena, int64_t, count + 1);
  if (!ids) {
    return MR_NO_MEMORY();
  }
  if (count) {
    memcpy(ids, p->proto.called_computation_ids, count * sizeof *ids);
  }
  ids[count] = id;
  p->proto.called_computation_ids = ids;
  p->proto.n_called_computation_ids = count + 1;
  return MR_OK;
}

mr_status mr_put_call(hlo_put *p) {
  bool found;
  MR_TRY(mr_put_callee(p, mr_op_string(p->op, MR_ATTR_callee), &found));
  return found ? mr_put_finish(p) : mr_put_opaque(p);
}

// A call that has the composite's name, attributes and version with it. XLA makes MLIR again of those with one result alone: any
// other one is a call like others, with the same attributes.
mr_status mr_put_composite(hlo_put *p) {
  const mr_attr *attributes = mr_op_attr(p->op, MR_ATTR_composite_attributes);
  bool found;
  char version[24];
  mr_text text = {0};
  if (p->op->num_regions) {
    return mr_put_opaque(p);
  }
  MR_TRY(mr_put_callee(p, mr_op_string(p->op, MR_ATTR_decomposition), &found));
  if (!found) {
    return mr_put_opaque(p);
  }
  p->proto.is_composite = p->op->num_results == 1;
  Millrace__Hlo__FrontendAttributes **map = &p->proto.frontend_attributes;
  MR_TRY(mr_put_frontend(p->writer, map, MR_STR("composite.name"), mr_op_string(p->op, MR_ATTR_name)));
  if (attributes && attributes->kind == MR_ATTR_DICT) {
    mr_print_attr(&text, attributes);
  }
  mr_status status = text.failed ? MR_NO_MEMORY()
                                 : mr_put_frontend(p->writer, map, MR_STR("composite.attributes"),
                                                   text.size ? (mr_str){text.data, text.size} : MR_STR("{}"));
  mr_text_deinit(&text);
  MR_TRY(status);
  snprintf(version, sizeof version, "%" PRId64, mr_op_int(p->op, MR_ATTR_version, 0));
  MR_TRY(mr_put_frontend(p->writer, map, MR_STR("composite.version"), mr_str_of(version)));
  return mr_put_finish(p);
}
