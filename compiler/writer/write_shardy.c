// Shardy's ops as programs without its dialect have them: custom calls whose frontend attributes say what the op does.
#include <string.h>

#include "compiler/writer/hlo_put.h"

static mr_status say(hlo_put *p, const char *key, mr_text *take_text) {
  mr_status status = take_text->failed ? MR_NO_MEMORY()
                                       : mr_put_frontend(p->writer, &p->proto.frontend_attributes, mr_str_of(key),
                                                         (mr_str){take_text->data, take_text->size});
  mr_text_deinit(take_text);
  return status;
}

static void set_target(hlo_put *p, char *target) {
  p->proto.opcode = "custom-call";
  p->proto.custom_call_target = target;
  p->proto.custom_call_api_version = 1;
}

// A sharding's text with or without the name of its kind, as one of a list of values.
void mr_put_per_value(mr_text *text, mr_str sharding) {
  const char *inner = sharding.size ? memchr(sharding.data, '<', sharding.size) : NULL;
  if (!inner || mr_str_starts_with(sharding, MR_STR("#sdy.sharding_per_value"))) {
    mr_text_append(text, sharding);
    return;
  }
  mr_text_put(text, "#sdy.sharding_per_value<[");
  mr_text_append(text, (mr_str){inner, sharding.size - (size_t)(inner - sharding.data)});
  mr_text_put(text, "]>");
}

mr_status mr_put_constraint(hlo_put *p) {
  const mr_attr *said = mr_op_attr(p->op, MR_ATTR_sharding);
  mr_text text = {0};
  if (!said || said->kind != MR_ATTR_TEXT) {
    return mr_put_opaque(p);
  }
  mr_put_per_value(&text, said->string);
  MR_TRY(say(p, "xla.sdy.sharding", &text));
  set_target(p, "Sharding");
  return mr_put_finish(p);
}

// A call without results, which HLO has as an empty tuple.
mr_status mr_put_group(hlo_put *p) {
  const mr_attr *id = mr_op_extra(p->op, "group_id");
  mr_text text = {0};
  if (!id || id->kind != MR_ATTR_INT) {
    return mr_put_opaque(p);
  }
  mr_print_attr(&text, id);
  MR_TRY(say(p, "xla.sdy.sharding_group_id", &text));
  set_target(p, "xla.sdy.ShardingGroup");
  p->proto.custom_call_has_side_effect = true;
  return mr_put_finish(p);
}

// ---- Manual computations -------------------------------------------------------------------------------------------------

static mr_status say_attr(hlo_put *p, mr_attr_key key) {
  const mr_attr *said = mr_op_attr(p->op, key);
  mr_text text = {0}, name = {0};
  if (!said) {
    return MR_OK;
  }
  mr_print_attr(&text, said);
  mr_text_put(&name, "xla.sdy.%s%c", mr_attr_key_name(key), '\0');
  mr_status status = name.failed ? MR_NO_MEMORY() : MR_OK;
  if (status) {
    mr_text_deinit(&text);
  } else {
    status = say(p, name.data, &text);
  }
  mr_text_deinit(&name);
  return status;
}

// An instruction of as many results as there are types, and the results' ids.
static mr_status put_several(hlo_put *p, size_t count, const mr_type *types, int64_t *out_ids) {
  const mr_type type = mr_put_bundle_type(count, types);
  int64_t id;
  MR_TRY(mr_put_emit(p->writer, &p->proto, &type, &id));
  for (size_t i = 0; i < count; i++) {
    out_ids[i] = id;
    if (count > 1) {
      MR_TRY(mr_put_element(p->writer, id, (int64_t)i, &types[i], &out_ids[i]));
    }
  }
  return MR_OK;
}

static mr_status put_shape_call(hlo_put *p, char *target, mr_attr_key shardings, size_t count, const mr_type *types,
                                int64_t *inout_ids) {
  hlo_put call = {.writer = p->writer, .op = p->op, .proto = MILLRACE__HLO__INSTRUCTION__INIT};
  MR_TRY(say_attr(&call, shardings));
  MR_TRY(say_attr(&call, MR_ATTR_manual_axes));
  set_target(&call, target);
  call.proto.custom_call_has_side_effect = true;
  call.proto.metadata = p->proto.metadata;
  call.proto.n_operand_ids = count;
  call.proto.operand_ids = inout_ids;
  return put_several(&call, count, types, inout_ids);
}

// A call on the parts, between one that cuts the whole and one that puts it together.
mr_status mr_put_manual(hlo_put *p) {
  hlo_writer *w = p->writer;
  mr_op *op = p->op;
  mr_block *block = op->regions[0];
  const mr_op *end = mr_block_terminator(block);
  hlo_captures captures;
  mr_type *inside, *results;
  MR_TRY(mr_put_captures(w, op->regions, 1, HLO_CARRY_NONE, &captures));
  if (captures.num_carried || !end) {
    return mr_put_opaque(p);
  }
  size_t room = MR_MAX(op->num_operands, op->num_results);
  int64_t *ids = mr_arena_array(&w->arena, int64_t, room + 1), body;
  mr_type *parts = mr_arena_array(&w->arena, mr_type, end->num_operands + 1);
  if (!ids || !parts) {
    return MR_NO_MEMORY();
  }
  if (op->num_operands) {
    memcpy(ids, p->proto.operand_ids, op->num_operands * sizeof *ids);
  }
  for (uint32_t i = 0; i < end->num_operands; i++) {
    parts[i] = mr_op_operand(end, i)->type;
  }
  MR_TRY(mr_put_value_types(w, block->args, block->num_args, &inside));
  MR_TRY(mr_put_result_types(w, op, &results));
  const hlo_region region = {.block = block, .captures = &captures};
  MR_TRY(mr_put_region(w, &region, MR_STR("xla.sdy.manual_computation_body"), &body));
  if (op->num_operands) {
    MR_TRY(put_shape_call(p, "xla.sdy.GlobalToLocalShape", MR_ATTR_in_shardings, op->num_operands, inside, ids));
  }
  p->proto.opcode = "call";
  p->proto.n_operand_ids = op->num_operands;
  p->proto.operand_ids = ids;
  p->proto.n_called_computation_ids = 1;
  p->proto.called_computation_ids = &body;
  MR_TRY(put_several(p, op->num_results, parts, ids));
  if (op->num_results) {
    MR_TRY(put_shape_call(p, "xla.sdy.LocalToGlobalShape", MR_ATTR_out_shardings, op->num_results, results, ids));
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_put_bind(w, &op->results[i], ids[i]);
  }
  return MR_OK;
}
