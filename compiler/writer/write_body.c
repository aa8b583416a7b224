// Computations: their instructions one by one, what stands for which value, and what regions use from outside.
#include <stdio.h>
#include <string.h>

#include "compiler/writer/hlo_put.h"

mr_status mr_put_pack(hlo_writer *w, const ProtobufCMessage *message, ProtobufCBinaryData *out) {
  out->len = protobuf_c_message_get_packed_size(message);
  out->data = mr_arena_alloc(&w->arena, out->len ? out->len : 1);
  if (!out->data) {
    return MR_NO_MEMORY();
  }
  protobuf_c_message_pack(message, out->data);
  return MR_OK;
}

static mr_status append(hlo_writer *w, hlo_list *list, ProtobufCBinaryData item) {
  if (list->count == list->room) {
    size_t room = list->room ? 2 * list->room : 16;
    ProtobufCBinaryData *items = mr_arena_array(&w->arena, ProtobufCBinaryData, room);
    if (!items) {
      return MR_NO_MEMORY();
    }
    if (list->count) {
      memcpy(items, list->items, list->count * sizeof *items);
    }
    list->items = items;
    list->room = room;
  }
  list->items[list->count++] = item;
  return MR_OK;
}

// ---- Instructions --------------------------------------------------------------------------------------------------------

mr_status mr_put_emit_shaped(hlo_writer *w, hlo_instruction *proto, int64_t *out_id) {
  ProtobufCBinaryData bytes;
  char *name;
  proto->id = ++w->last_id;
  MR_TRY(mr_put_numbered(w, proto->opcode, proto->id, &name));
  proto->name = name;
  MR_TRY(mr_put_pack(w, &proto->base, &bytes));
  *out_id = proto->id;
  return append(w, w->body, bytes);
}

mr_status mr_put_emit(hlo_writer *w, hlo_instruction *proto, const mr_type *type, int64_t *out_id) {
  MR_TRY(mr_put_shape(w, type, &proto->shape));
  return mr_put_emit_shaped(w, proto, out_id);
}

mr_status mr_put_plain(hlo_writer *w, const char *opcode, const mr_type *type, size_t count, int64_t *operands,
                       int64_t *out_id) {
  hlo_instruction proto = MILLRACE__HLO__INSTRUCTION__INIT;
  proto.opcode = (char *)opcode;
  proto.n_operand_ids = count;
  proto.operand_ids = operands;
  return mr_put_emit(w, &proto, type, out_id);
}

mr_status mr_put_element(hlo_writer *w, int64_t tuple, int64_t index, const mr_type *type, int64_t *out_id) {
  hlo_instruction proto = MILLRACE__HLO__INSTRUCTION__INIT;
  proto.opcode = "get-tuple-element";
  proto.n_operand_ids = 1;
  proto.operand_ids = &tuple;
  proto.tuple_index = index;
  return mr_put_emit(w, &proto, type, out_id);
}

mr_type mr_put_tuple_type(size_t count, const mr_type *elements) {
  return (mr_type){.kind = MR_TYPE_TUPLE, .rank = (uint32_t)count, .elements = elements};
}

mr_type mr_put_bundle_type(size_t count, const mr_type *elements) {
  return count == 1 ? elements[0] : mr_put_tuple_type(count, elements);
}

mr_status mr_put_tuple(hlo_writer *w, size_t count, const mr_type *types, int64_t *ids, int64_t *out_id) {
  const mr_type type = mr_put_tuple_type(count, types);
  return mr_put_plain(w, "tuple", &type, count, ids, out_id);
}

mr_status mr_put_bundle(hlo_writer *w, size_t count, const mr_type *types, int64_t *ids, int64_t *out_id) {
  if (count == 1) {
    *out_id = ids[0];
    return MR_OK;
  }
  return mr_put_tuple(w, count, types, ids, out_id);
}

// ---- Values --------------------------------------------------------------------------------------------------------------

int64_t mr_put_id(const hlo_writer *w, const mr_value *value) { return w->ids[value->id]; }
void mr_put_bind(hlo_writer *w, const mr_value *value, int64_t id) { w->ids[value->id] = id; }

mr_status mr_put_value_types(hlo_writer *w, mr_value *const *values, size_t count, mr_type **out) {
  *out = mr_arena_array(&w->arena, mr_type, count + 1);
  if (!*out) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    (*out)[i] = values[i]->type;
  }
  return MR_OK;
}

mr_status mr_put_result_types(hlo_writer *w, const mr_op *op, mr_type **out) {
  *out = mr_arena_array(&w->arena, mr_type, op->num_results + 1);
  if (!*out) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    (*out)[i] = op->results[i].type;
  }
  return MR_OK;
}

mr_status mr_put_elements(hlo_writer *w, const mr_op *op, int64_t id) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    int64_t element;
    if (!mr_value_is_unused(&op->results[i])) {
      MR_TRY(mr_put_element(w, id, i, &op->results[i].type, &element));
      mr_put_bind(w, &op->results[i], element);
    }
  }
  return MR_OK;
}

mr_status mr_put_results(hlo_writer *w, const mr_op *op, int64_t id) {
  if (op->num_results != 1) {
    return mr_put_elements(w, op, id);
  }
  mr_put_bind(w, &op->results[0], id);
  return MR_OK;
}

mr_status mr_put_finish(hlo_put *p) {
  mr_type *types;
  int64_t id;
  MR_TRY(mr_put_result_types(p->writer, p->op, &types));
  const mr_type type = mr_put_bundle_type(p->op->num_results, types);
  MR_TRY(mr_put_emit(p->writer, &p->proto, &type, &id));
  return mr_put_results(p->writer, p->op, id);
}

// ---- What regions use from outside -----------------------------------------------------------------------------------------

static bool is_copied(const mr_value *value, hlo_carry carry) {
  enum { SMALL = 64 };  // bytes
  const mr_dense *dense = mr_value_constant(value);
  return dense && (carry == HLO_CARRY_NONE || dense->splat || dense->size <= SMALL);
}

static void stamp_args(hlo_writer *w, const mr_block *block, uint32_t stamp) {
  for (uint32_t i = 0; i < block->num_args; i++) {
    w->seen[block->args[i]->id] = stamp;
  }
}

// What is defined inside is not captured.
static void stamp_inside(hlo_writer *w, mr_block *block, uint32_t stamp) {
  stamp_args(w, block, stamp);
  for (mr_op *op = mr_walk_first(block); op; op = mr_walk_next(op, block)) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      w->seen[op->results[i].id] = stamp;
    }
    for (uint32_t i = 0; i < op->num_regions; i++) {
      stamp_args(w, op->regions[i], stamp);
    }
  }
}

// In the order in which they are first used, each once.
static uint32_t find_captures(hlo_writer *w, mr_block *const *blocks, uint32_t count, mr_value **out) {
  uint32_t found = 0, stamp = ++w->last_stamp;
  for (uint32_t b = 0; b < count; b++) {
    stamp_inside(w, blocks[b], stamp);
  }
  for (uint32_t b = 0; b < count; b++) {
    for (mr_op *op = mr_walk_first(blocks[b]); op; op = mr_walk_next(op, blocks[b])) {
      for (uint32_t i = 0; i < op->num_operands; i++) {
        mr_value *value = mr_op_operand(op, i);
        if (w->seen[value->id] == stamp) {
          continue;
        }
        w->seen[value->id] = stamp;
        if (out) {
          out[found] = value;
        }
        found++;
      }
    }
  }
  return found;
}

mr_status mr_put_captures(hlo_writer *w, mr_block *const *blocks, uint32_t count, hlo_carry carry, hlo_captures *out) {
  uint32_t found = find_captures(w, blocks, count, NULL);
  *out = (hlo_captures){.carried = mr_arena_array(&w->arena, mr_value *, found + 1),
                        .copied = mr_arena_array(&w->arena, mr_value *, found + 1)};
  mr_value **all = mr_arena_array(&w->arena, mr_value *, found + 1);
  if (!out->carried || !out->copied || !all) {
    return MR_NO_MEMORY();
  }
  find_captures(w, blocks, count, all);
  for (uint32_t i = 0; i < found; i++) {
    if (is_copied(all[i], carry)) {
      out->copied[out->num_copied++] = all[i];
    } else {
      out->carried[out->num_carried++] = all[i];
    }
  }
  return MR_OK;
}

// ---- Computations ----------------------------------------------------------------------------------------------------------

mr_status mr_put_parameter(hlo_writer *w, int64_t number, const mr_type *type, hlo_instruction *proto,
                           int64_t *out_id) {
  proto->opcode = "parameter";
  proto->parameter_number = number;
  return mr_put_emit(w, proto, type, out_id);
}

mr_status mr_put_computation(hlo_writer *w, mr_str name, const hlo_list *body, ProtobufCBinaryData program_shape,
                             int64_t root, bool is_fusion, int64_t *out_id) {
  Millrace__Hlo__Computation proto = MILLRACE__HLO__COMPUTATION__INIT;
  ProtobufCBinaryData bytes;
  proto.id = ++w->last_computation;
  MR_TRY(mr_put_name(w, name, proto.id, &proto.name));
  proto.n_instructions = body->count;
  proto.instructions = body->items;
  proto.program_shape = program_shape;
  proto.root_id = root;
  proto.is_fusion_computation = is_fusion;
  MR_TRY(mr_put_pack(w, &proto.base, &bytes));
  *out_id = proto.id;
  return append(w, &w->computations, bytes);
}

mr_status mr_put_ops(hlo_writer *w, mr_block *block) {
  for (mr_op *op = block->first; op && op->kind != MR_OP_return; op = op->next) {
    MR_TRY(mr_put_op(w, op));
  }
  return MR_OK;
}

// What a region starts with: its arguments, then what it captures.
static mr_status list_values(hlo_writer *w, const hlo_region *region, mr_value ***out, uint32_t *out_count) {
  uint32_t args = region->block->num_args, carried = region->captures ? region->captures->num_carried : 0;
  *out = mr_arena_array(&w->arena, mr_value *, args + carried + 1);
  if (!*out) {
    return MR_NO_MEMORY();
  }
  if (args) {
    memcpy(*out, region->block->args, args * sizeof **out);
  }
  if (carried) {
    memcpy(*out + args, region->captures->carried, carried * sizeof **out);
  }
  *out_count = args + carried;
  return MR_OK;
}

// Captured values mean something else inside; what they meant comes back behind the region.
static mr_status keep_ids(hlo_writer *w, const hlo_captures *captures, int64_t **out) {
  uint32_t carried = captures ? captures->num_carried : 0, copied = captures ? captures->num_copied : 0;
  *out = mr_arena_array(&w->arena, int64_t, carried + copied + 1);
  if (!*out) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < carried; i++) {
    (*out)[i] = mr_put_id(w, captures->carried[i]);
  }
  for (uint32_t i = 0; i < copied; i++) {
    (*out)[carried + i] = mr_put_id(w, captures->copied[i]);
  }
  return MR_OK;
}

static void restore_ids(hlo_writer *w, const hlo_captures *captures, const int64_t *ids) {
  uint32_t carried = captures ? captures->num_carried : 0, copied = captures ? captures->num_copied : 0;
  for (uint32_t i = 0; i < carried; i++) {
    mr_put_bind(w, captures->carried[i], ids[i]);
  }
  for (uint32_t i = 0; i < copied; i++) {
    mr_put_bind(w, captures->copied[i], ids[carried + i]);
  }
}

static mr_status put_parameters(hlo_writer *w, const hlo_region *region, mr_value **values, uint32_t count,
                                const mr_type *types) {
  int64_t id, whole = 0;
  const mr_type bundle = mr_put_bundle_type(count, types);
  if (region->one_parameter) {
    hlo_instruction proto = MILLRACE__HLO__INSTRUCTION__INIT;
    MR_TRY(mr_put_parameter(w, 0, &bundle, &proto, &whole));
  }
  for (uint32_t i = 0; i < count; i++) {
    hlo_instruction proto = MILLRACE__HLO__INSTRUCTION__INIT;
    id = whole;
    if (!region->one_parameter) {
      MR_TRY(mr_put_parameter(w, i, &types[i], &proto, &id));
    } else if (count > 1) {
      MR_TRY(mr_put_element(w, whole, i, &types[i], &id));
    }
    mr_put_bind(w, values[i], id);
  }
  return MR_OK;
}

static mr_status put_copies(hlo_writer *w, const hlo_captures *captures) {
  for (uint32_t i = 0; captures && i < captures->num_copied; i++) {
    hlo_instruction proto = MILLRACE__HLO__INSTRUCTION__INIT;
    int64_t id;
    MR_TRY(mr_put_constant(w, mr_value_constant(captures->copied[i]), &proto, &id));
    mr_put_bind(w, captures->copied[i], id);
  }
  return MR_OK;
}

// The results, and with hands_on what was captured.
static mr_status put_root(hlo_writer *w, const hlo_region *region, mr_type *out_type, int64_t *out_id) {
  const mr_op *end = mr_block_terminator(region->block);
  uint32_t results = end ? end->num_operands : 0, count = results;
  uint32_t carried = region->hands_on && region->captures ? region->captures->num_carried : 0;
  mr_type *types = mr_arena_array(&w->arena, mr_type, results + carried + 1);
  int64_t *ids = mr_arena_array(&w->arena, int64_t, results + carried + 1);
  if (!types || !ids) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < results; i++) {
    types[i] = mr_op_operand(end, i)->type;
    ids[i] = mr_put_id(w, mr_op_operand(end, i));
  }
  for (uint32_t i = 0; i < carried; i++, count++) {
    types[count] = region->captures->carried[i]->type;
    ids[count] = mr_put_id(w, region->captures->carried[i]);
  }
  *out_type = mr_put_bundle_type(count, types);
  return mr_put_bundle(w, count, types, ids, out_id);
}

static mr_status put_body(hlo_writer *w, const hlo_region *region, mr_str name, int64_t *out_id) {
  mr_value **values;
  uint32_t count;
  mr_type *types, root_type;
  int64_t root;
  ProtobufCBinaryData shape;
  MR_TRY(list_values(w, region, &values, &count));
  MR_TRY(mr_put_value_types(w, values, count, &types));
  MR_TRY(put_parameters(w, region, values, count, types));
  MR_TRY(put_copies(w, region->captures));
  MR_TRY(mr_put_ops(w, region->block));
  MR_TRY(put_root(w, region, &root_type, &root));
  const mr_type bundle = mr_put_bundle_type(count, types);
  MR_TRY(region->one_parameter ? mr_put_program_shape(w, 1, &bundle, &root_type, &shape)
                               : mr_put_program_shape(w, count, types, &root_type, &shape));
  return mr_put_computation(w, name, w->body, shape, root, region->is_fusion, out_id);
}

mr_status mr_put_region(hlo_writer *w, const hlo_region *region, mr_str name, int64_t *out_id) {
  hlo_list body = {0}, *outer = w->body;
  int64_t *kept;
  MR_TRY(keep_ids(w, region->captures, &kept));
  w->body = &body;
  mr_status status = put_body(w, region, name, out_id);
  w->body = outer;
  restore_ids(w, region->captures, kept);
  return status;
}
