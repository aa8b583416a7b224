// Custom calls, and the custom call that stands for an op that HLO has not.
#include <string.h>

#include "compiler/ir/calls.h"
#include "compiler/writer/hlo_put.h"

enum { XLA_API_ORIGINAL = 1, XLA_API_TYPED_FFI = 4 };

// ---- What a custom call says of its buffers --------------------------------------------------------------------------------

static bool has_layouts(const mr_op *op) {
  const mr_attr *in = mr_op_attr(op, MR_ATTR_operand_layouts), *out = mr_op_attr(op, MR_ATTR_result_layouts);
  return (in && in->kind == MR_ATTR_ARRAY && in->count) || (out && out->kind == MR_ATTR_ARRAY && out->count);
}

static mr_status put_operand_layouts(hlo_put *p) {
  const mr_attr *layouts = mr_op_attr(p->op, MR_ATTR_operand_layouts);
  uint32_t count = p->op->num_operands;
  ProtobufCBinaryData *shapes = mr_arena_array(&p->writer->arena, ProtobufCBinaryData, count + 1);
  if (!shapes) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < count; i++) {
    MR_TRY(mr_put_shape_in(p->writer, &mr_op_operand(p->op, i)->type, layouts, i, &shapes[i]));
  }
  p->proto.constrain_layout = true;
  p->proto.n_operand_shapes_with_layout = count;
  p->proto.operand_shapes_with_layout = shapes;
  return MR_OK;
}

static mr_status put_aliases(hlo_put *p) {
  const mr_attr *list = mr_op_attr(p->op, MR_ATTR_output_operand_aliases);
  size_t count = list && list->kind == MR_ATTR_ARRAY ? list->count : 0;
  mr_arena *arena = &p->writer->arena;
  Millrace__Hlo__OutputOperandAlias *items = mr_arena_array(arena, Millrace__Hlo__OutputOperandAlias, count + 1);
  Millrace__Hlo__OutputOperandAlias **aliases = mr_arena_array(arena, Millrace__Hlo__OutputOperandAlias *, count + 1);
  if (!items || !aliases) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    const mr_attr *index = mr_dict_find(&list->items[i], "operand_index");
    mr_ints out = mr_dict_ints(&list->items[i], "output_tuple_indices");
    mr_ints in = mr_dict_ints(&list->items[i], "operand_tuple_indices");
    items[i] = (Millrace__Hlo__OutputOperandAlias)MILLRACE__HLO__OUTPUT_OPERAND_ALIAS__INIT;
    items[i].operand_index = index && index->kind == MR_ATTR_INT ? index->integer : 0;
    items[i].n_output_shape_index = out.size;
    items[i].output_shape_index = (int64_t *)out.data;
    items[i].n_operand_shape_index = in.size;
    items[i].operand_shape_index = (int64_t *)in.data;
    aliases[i] = &items[i];
  }
  p->proto.n_output_operand_aliasing = count;
  p->proto.output_operand_aliasing = aliases;
  return MR_OK;
}

static mr_status put_called(hlo_put *p) {
  const mr_attr *list = mr_op_attr(p->op, MR_ATTR_called_computations);
  for (size_t i = 0; list && list->kind == MR_ATTR_ARRAY && i < list->count; i++) {
    bool found;
    if (list->items[i].kind == MR_ATTR_STRING) {
      MR_TRY(mr_put_callee(p, list->items[i].string, &found));
    }
  }
  return MR_OK;
}

// ---- Configurations ------------------------------------------------------------------------------------------------------

static mr_status keep_config(hlo_put *p, mr_str text) {
  uint8_t *copy = mr_arena_copy(&p->writer->arena, text.size ? text.data : "", text.size ? text.size : 1);
  p->proto.backend_config = (ProtobufCBinaryData){text.size, copy};
  return copy ? MR_OK : MR_NO_MEMORY();
}

// Programs of before there was a version for dictionaries have theirs beside the op's own attributes.
static const mr_attr *typed_config(const mr_op *op) {
  const mr_attr *config = mr_op_extra(op, "mhlo.backend_config");
  return config && config->kind == MR_ATTR_DICT ? config : NULL;
}

static mr_status put_config(hlo_put *p) {
  const mr_attr *config = mr_op_attr(p->op, MR_ATTR_backend_config), *typed = typed_config(p->op);
  mr_text text = {0};
  if (typed) {
    p->proto.custom_call_api_version = XLA_API_TYPED_FFI;
    config = typed;
  }
  if (!config || config->kind == MR_ATTR_STRING || config->kind == MR_ATTR_TEXT) {
    return keep_config(p, config ? config->string : (mr_str){"", 0});
  }
  mr_print_attr(&text, config);
  mr_status status = text.failed ? MR_NO_MEMORY() : keep_config(p, (mr_str){text.data, text.size});
  mr_text_deinit(&text);
  return status;
}

static mr_status finish_with_layouts(hlo_put *p) {
  hlo_writer *w = p->writer;
  mr_type *types;
  int64_t id;
  MR_TRY(mr_put_result_types(w, p->op, &types));
  const mr_type type = mr_put_bundle_type(p->op->num_results, types);
  MR_TRY(mr_put_shape_in(w, &type, mr_op_attr(p->op, MR_ATTR_result_layouts), 0, &p->proto.shape));
  MR_TRY(mr_put_emit_shaped(w, &p->proto, &id));
  return mr_put_results(w, p->op, id);
}

// Its counter has an opcode of its own.
static mr_status put_counter(hlo_put *p) {
  const mr_attr *delta = mr_dict_find(mr_op_attr(p->op, MR_ATTR_backend_config), "delta");
  p->proto.opcode = "rng-get-and-update-state";
  p->proto.delta = delta && delta->kind == MR_ATTR_INT ? delta->integer : 0;
  return mr_put_finish(p);
}

mr_status mr_put_custom_call(hlo_put *p) {
  mr_str target = mr_op_string(p->op, MR_ATTR_call_target_name);
  if (mr_str_is(target, MR_RNG_COUNTER)) {
    return put_counter(p);
  }
  if (p->op->num_regions) {
    return mr_put_opaque(p);
  }
  MR_TRY(mr_put_text(p->writer, target, &p->proto.custom_call_target));
  p->proto.custom_call_has_side_effect = mr_op_int(p->op, MR_ATTR_has_side_effect, 0) != 0;
  p->proto.custom_call_api_version = (int32_t)mr_op_int(p->op, MR_ATTR_api_version, XLA_API_ORIGINAL);
  MR_TRY(put_config(p));
  MR_TRY(put_aliases(p));
  MR_TRY(put_called(p));
  if (!has_layouts(p->op)) {
    return mr_put_finish(p);
  }
  MR_TRY(put_operand_layouts(p));
  return finish_with_layouts(p);
}

// ---- What HLO has not ------------------------------------------------------------------------------------------------------

// Each region sees what any of them captures, behind its own arguments; the call has it behind its operands.
static mr_status put_opaque_regions(hlo_put *p) {
  mr_op *op = p->op;
  hlo_captures captures;
  size_t count = p->proto.n_operand_ids;
  MR_TRY(mr_put_captures(p->writer, op->regions, op->num_regions, HLO_CARRY_LARGE, &captures));
  int64_t *operands = mr_arena_array(&p->writer->arena, int64_t, count + captures.num_carried + 1);
  int64_t *calls = mr_arena_array(&p->writer->arena, int64_t, op->num_regions + 1);
  if (!operands || !calls) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < op->num_regions; i++) {
    const hlo_region region = {.block = op->regions[i], .captures = &captures};
    MR_TRY(mr_put_region(p->writer, &region, mr_str_of(mr_op_table[op->kind].name), &calls[i]));
  }
  if (count) {
    memcpy(operands, p->proto.operand_ids, count * sizeof *operands);
  }
  for (uint32_t i = 0; i < captures.num_carried; i++) {
    operands[count + i] = mr_put_id(p->writer, captures.carried[i]);
  }
  p->proto.n_operand_ids = count + captures.num_carried;
  p->proto.operand_ids = operands;
  p->proto.n_called_computation_ids = op->num_regions;
  p->proto.called_computation_ids = calls;
  return MR_OK;
}

static mr_status put_properties(hlo_put *p) {
  mr_text text = {0};
  mr_print_properties(&text, p->op);
  // " <{..}>"
  mr_str inner = text.size > 4 ? (mr_str){text.data + 2, text.size - 3} : (mr_str){"", 0};
  mr_status status = text.failed ? MR_NO_MEMORY() : keep_config(p, inner);
  mr_text_deinit(&text);
  return status;
}

mr_status mr_put_opaque(hlo_put *p) {
  mr_op *op = p->op;
  mr_str name = op->name.size ? op->name : mr_str_of(mr_op_table[op->kind].spelling);
  hlo_put plain = {.writer = p->writer, .op = op, .proto = MILLRACE__HLO__INSTRUCTION__INIT};
  plain.proto.opcode = "custom-call";
  plain.proto.n_operand_ids = op->num_operands;
  plain.proto.operand_ids = p->proto.operand_ids;
  plain.proto.metadata = p->proto.metadata;
  plain.proto.n_sharding = p->proto.n_sharding;
  plain.proto.sharding = p->proto.sharding;
  plain.proto.frontend_attributes = p->proto.frontend_attributes;
  plain.proto.custom_call_api_version = XLA_API_ORIGINAL;
  plain.proto.custom_call_has_side_effect =
      mr_op_table[op->kind].effect == MR_EFFECT_ACTS || mr_op_int(op, MR_ATTR_has_side_effect, 0) != 0;
  MR_TRY(mr_put_text(p->writer, name, &plain.proto.custom_call_target));
  MR_TRY(put_properties(&plain));
  if (op->num_regions) {
    MR_TRY(put_opaque_regions(&plain));
  }
  return mr_put_finish(&plain);
}
