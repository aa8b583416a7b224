// What comes from the host or goes there, and barriers: ops whose operands and results come bundled in HLO.
#include <inttypes.h>
#include <string.h>

#include "compiler/writer/hlo_put.h"

// The operands before the last one, which is a token, as one value.
static mr_status bundle_data(hlo_put *p, mr_type *out_type, int64_t *out_id) {
  size_t count = p->op->num_operands - 1;
  mr_type *types = mr_arena_array(&p->writer->arena, mr_type, count + 1);
  if (!types) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    types[i] = mr_op_operand(p->op, (uint32_t)i)->type;
  }
  *out_type = mr_put_bundle_type(count, types);
  return mr_put_bundle(p->writer, count, types, p->proto.operand_ids, out_id);
}

static bool takes_token(const mr_op *op) {
  return op->num_operands > 0 && op->operands[op->num_operands - 1].value->type.kind == MR_TYPE_TOKEN;
}
static bool gives_token(const mr_op *op) {
  return op->num_results > 0 && op->results[op->num_results - 1].type.kind == MR_TYPE_TOKEN;
}

// The results before the token are elements of what `data` stands for.
static mr_status bind_data(hlo_put *p, int64_t data) {
  uint32_t count = p->op->num_results - 1;
  for (uint32_t i = 0; i < count; i++) {
    int64_t id = data;
    if (count > 1) {
      MR_TRY(mr_put_element(p->writer, data, i, &p->op->results[i].type, &id));
    }
    mr_put_bind(p->writer, &p->op->results[i], id);
  }
  return MR_OK;
}

// ---- Feeds -----------------------------------------------------------------------------------------------------------------

static void set_bytes(const hlo_put *p, mr_attr_key key, ProtobufCBinaryData *out) {
  mr_str text = mr_op_string(p->op, key);
  *out = (ProtobufCBinaryData){text.size, (uint8_t *)text.data};
}

// The data, then the token; of an array, or of several in a tuple.
mr_status mr_put_infeed(hlo_put *p) {
  mr_type *types, both[2];
  int64_t whole, data, token;
  if (!gives_token(p->op)) {
    return mr_put_opaque(p);
  }
  MR_TRY(mr_put_result_types(p->writer, p->op, &types));
  both[0] = mr_put_bundle_type(p->op->num_results - 1, types);
  both[1] = mr_type_token();
  const mr_type type = mr_put_tuple_type(2, both);
  set_bytes(p, MR_ATTR_infeed_config, &p->proto.infeed_config);
  MR_TRY(mr_put_emit(p->writer, &p->proto, &type, &whole));
  MR_TRY(mr_put_element(p->writer, whole, 0, &both[0], &data));
  MR_TRY(mr_put_element(p->writer, whole, 1, &both[1], &token));
  mr_put_bind(p->writer, &p->op->results[p->op->num_results - 1], token);
  return bind_data(p, data);
}

mr_status mr_put_outfeed(hlo_put *p) {
  mr_type type;
  int64_t operands[2];
  if (!takes_token(p->op)) {
    return mr_put_opaque(p);
  }
  operands[1] = p->proto.operand_ids[p->op->num_operands - 1];
  MR_TRY(bundle_data(p, &type, &operands[0]));
  MR_TRY(mr_put_shape(p->writer, &type, &p->proto.outfeed_shape));
  set_bytes(p, MR_ATTR_outfeed_config, &p->proto.outfeed_config);
  p->proto.n_operand_ids = 2;
  p->proto.operand_ids = operands;
  return mr_put_finish(p);
}

// ---- Channels --------------------------------------------------------------------------------------------------------------

// Who sends whom is a text in HLO.
static mr_status put_pairs(hlo_put *p) {
  mr_ints pairs = mr_op_ints(p->op, MR_ATTR_source_target_pairs);
  mr_text text = {0};
  if (!pairs.size) {
    return MR_OK;
  }
  for (size_t i = 0; i + 1 < pairs.size; i += 2) {
    mr_text_put(&text, "%s{%" PRId64 ",%" PRId64 "}", i ? "," : "{", pairs.data[i], pairs.data[i + 1]);
  }
  mr_text_put(&text, "}");
  mr_status status =
      text.failed ? MR_NO_MEMORY()
                  : mr_put_frontend(p->writer, &p->proto.frontend_attributes,
                                    MR_STR("_xla_send_recv_source_target_pairs"), (mr_str){text.data, text.size});
  mr_text_deinit(&text);
  return status;
}

static mr_status set_channel(hlo_put *p) {
  p->proto.channel_id = mr_op_int(p->op, MR_ATTR_channel_id, 0);
  p->proto.is_host_transfer = mr_op_int(p->op, MR_ATTR_is_host_transfer, 0) != 0;
  return put_pairs(p);
}

// Two halves: the first one's tuple has the data, a number and a token.
static mr_status put_halves(hlo_put *p, const mr_type *data, const char *done, const mr_type *result, int64_t *out_id) {
  const mr_type elements[] = {*data, mr_type_scalar(MR_U32), mr_type_token()};
  const mr_type type = mr_put_tuple_type(3, elements);
  hlo_instruction second = MILLRACE__HLO__INSTRUCTION__INIT;
  int64_t first;
  MR_TRY(set_channel(p));
  MR_TRY(mr_put_emit(p->writer, &p->proto, &type, &first));
  second.opcode = (char *)done;
  second.channel_id = p->proto.channel_id;
  second.is_host_transfer = p->proto.is_host_transfer;
  second.frontend_attributes = p->proto.frontend_attributes;
  second.n_operand_ids = 1;
  second.operand_ids = &first;
  return mr_put_emit(p->writer, &second, result, out_id);
}

mr_status mr_put_send(hlo_put *p) {
  const mr_type token = mr_type_token();
  mr_type type;
  int64_t operands[2], id;
  if (!takes_token(p->op) || p->op->num_regions) {
    return mr_put_opaque(p);
  }
  operands[1] = p->proto.operand_ids[p->op->num_operands - 1];
  MR_TRY(bundle_data(p, &type, &operands[0]));
  p->proto.n_operand_ids = 2;
  p->proto.operand_ids = operands;
  MR_TRY(put_halves(p, &type, "send-done", &token, &id));
  return mr_put_results(p->writer, p->op, id);
}

mr_status mr_put_recv(hlo_put *p) {
  mr_type *types, both[2];
  int64_t whole, data, token;
  if (!gives_token(p->op) || p->op->num_regions) {
    return mr_put_opaque(p);
  }
  MR_TRY(mr_put_result_types(p->writer, p->op, &types));
  both[0] = mr_put_bundle_type(p->op->num_results - 1, types);
  both[1] = mr_type_token();
  const mr_type type = mr_put_tuple_type(2, both);
  MR_TRY(put_halves(p, &both[0], "recv-done", &type, &whole));
  MR_TRY(mr_put_element(p->writer, whole, 0, &both[0], &data));
  MR_TRY(mr_put_element(p->writer, whole, 1, &both[1], &token));
  mr_put_bind(p->writer, &p->op->results[p->op->num_results - 1], token);
  return bind_data(p, data);
}

// ---- Barriers --------------------------------------------------------------------------------------------------------------

mr_status mr_put_barrier(hlo_put *p) {
  mr_type *types;
  int64_t operand;
  MR_TRY(mr_put_result_types(p->writer, p->op, &types));
  MR_TRY(mr_put_bundle(p->writer, p->op->num_operands, types, p->proto.operand_ids, &operand));
  p->proto.n_operand_ids = 1;
  p->proto.operand_ids = &operand;
  return mr_put_finish(p);
}
