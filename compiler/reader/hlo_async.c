// Instructions of HLO in two halves: x-start begins something and x-done waits for it. Here the work is done by the first
// half. Its declared tuple has the operands, the results and scalars that mean something to XLA alone; the second half takes
// out of it what it wants. Transfers by channels have such a tuple too.
#include <string.h>

#include "compiler/reader/hlo.h"

static mr_status zero(hlo_context *c, const mr_type *type, mr_value **out) {
  static const uint64_t zeros[2];
  if (type->kind != MR_TYPE_TENSOR || type->rank != 0) {
    return mr_error(MR_INVALID_ARGUMENT, "a context that is no scalar");
  }
  mr_dense dense = mr_dense_make(c->reader->module, type, zeros);
  mr_builder b = mr_hlo_builder(c);
  *out = mr_build_constant(&b, &dense);
  return mr_module_memory(c->reader->module);
}

// The tuple in which element `at[i]` is `parts[i]`, and whatever else it has is zero.
static mr_status pack(hlo_context *c, const uint32_t *at, const hlo_value *parts, uint32_t count) {
  uint32_t total = mr_hlo_leaf_count(&c->type), n = 0;
  mr_value **leaves = mr_arena_array(&c->reader->locals, mr_value *, total + 1);
  if (!leaves) {
    return MR_NO_MEMORY();
  }
  for (uint32_t e = 0; e < c->type.rank; e++) {
    const mr_type *type = &c->type.elements[e];
    uint32_t i = 0;
    while (i < count && at[i] != e) {
      i++;
    }
    if (i == count) {
      MR_TRY(zero(c, type, &leaves[n++]));
      continue;
    }
    if (parts[i].num_leaves != mr_hlo_leaf_count(type)) {
      return mr_error(MR_INVALID_ARGUMENT, "element %u has %u arrays, wanted %u", e, mr_hlo_leaf_count(type),
                      parts[i].num_leaves);
    }
    memcpy(leaves + n, parts[i].leaves, parts[i].num_leaves * sizeof *leaves);
    n += parts[i].num_leaves;
  }
  c->leaves = leaves;
  c->num_leaves = n;
  return MR_OK;
}

static mr_status want_tuple(const mr_type *type, uint32_t elements) {
  return type->kind == MR_TYPE_TUPLE && type->rank >= elements
             ? MR_OK
             : mr_error(MR_INVALID_ARGUMENT, "wanted a tuple of at least %u elements", elements);
}

static mr_status all_operands(hlo_context *c, hlo_value *out) {
  mr_draft draft = {0};
  MR_TRY(mr_hlo_operands(c, 0, c->num_operands, &draft));
  *out = (hlo_value){.leaves = draft.operands, .num_leaves = draft.num_operands};
  return MR_OK;
}

// ---- Starts ----------------------------------------------------------------------------------------------------------

// Runs `read` as if it declared the tuple's second element, which is what the other half gives.
static mr_status start(hlo_context *c, mr_op_kind kind, mr_status (*read)(hlo_context *c, mr_op_kind kind)) {
  mr_type whole = c->type;
  hlo_value parts[2];
  MR_TRY(want_tuple(&whole, 2));
  MR_TRY(all_operands(c, &parts[0]));
  c->type = whole.elements[1];
  mr_status status = read(c, kind);
  c->type = whole;
  MR_TRY(status);
  parts[1] = (hlo_value){.leaves = c->leaves, .num_leaves = c->num_leaves};
  return pack(c, (const uint32_t[]){0, 1}, parts, 2);
}

static mr_status call(hlo_context *c, mr_op_kind kind) {
  (void)kind;
  return mr_hlo_call(c);
}

mr_status mr_hlo_async_start(hlo_context *c, mr_op_kind kind) { return start(c, kind, call); }
mr_status mr_hlo_collective_start(hlo_context *c, mr_op_kind kind) { return start(c, kind, mr_hlo_collective); }

// The copy comes first.
mr_status mr_hlo_copy_start(hlo_context *c, mr_op_kind kind) {
  (void)kind;
  hlo_value value;
  MR_TRY(want_tuple(&c->type, 2));
  MR_TRY(all_operands(c, &value));
  const hlo_value parts[] = {value, value};
  return pack(c, (const uint32_t[]){0, 1}, parts, 2);
}

// ---- Dones -----------------------------------------------------------------------------------------------------------

// Element `index` of the first half's tuple.
static mr_status element(const hlo_context *c, int64_t index, hlo_value *out) {
  uint32_t leaf;
  if (c->num_operands != 1 || !mr_hlo_leaf_at(&c->operands[0]->type, &index, 1, &leaf)) {
    return mr_error(MR_INVALID_ARGUMENT, "wanted the first half's tuple as the only operand");
  }
  *out = (hlo_value){.leaves = c->operands[0]->leaves + leaf,
                     .num_leaves = mr_hlo_leaf_count(&c->operands[0]->type.elements[index])};
  return MR_OK;
}

static mr_status done(hlo_context *c, int64_t index) {
  hlo_value value;
  MR_TRY(element(c, index, &value));
  return mr_hlo_alias(c, &value);
}

mr_status mr_hlo_done(hlo_context *c, mr_op_kind kind) {
  (void)kind;
  return done(c, 1);
}
mr_status mr_hlo_copy_done(hlo_context *c, mr_op_kind kind) {
  (void)kind;
  return done(c, 0);
}

// ---- Transfers by channels: data, a scalar, a token ------------------------------------------------------------------

// "{{0,1},{1,2}}": digits count alone.
static mr_status read_pairs(mr_str text, int64_t *out_numbers, size_t *out_count) {
  size_t count = 0;
  for (size_t i = 0; i < text.size;) {
    int64_t number = 0;
    size_t first = i;
    while (i < text.size && text.data[i] >= '0' && text.data[i] <= '9' && i - first < 18) {
      number = number * 10 + (text.data[i++] - '0');
    }
    if (i > first) {
      out_numbers[count++] = number;
    } else if (!memchr("{}, ", text.data[i++], 4)) {
      return mr_error(MR_INVALID_ARGUMENT, "source-target pairs \"%.*s\"", MR_STR_ARG(text));
    }
  }
  *out_count = count;
  return count % 2 == 0
             ? MR_OK
             : mr_error(MR_INVALID_ARGUMENT, "source-target pairs \"%.*s\": one has no other", MR_STR_ARG(text));
}

// Who sends whom, which HLO has as text.
static mr_status pairs(hlo_context *c, mr_draft *draft) {
  const Millrace__Hlo__FrontendAttribute *said = mr_hlo_frontend(c, "_xla_send_recv_source_target_pairs");
  if (!said) {
    return MR_OK;
  }
  mr_str text = {(const char *)said->value.data, said->value.len};
  int64_t *numbers = mr_arena_array(&c->reader->locals, int64_t, text.size + 1);
  size_t count;
  if (!numbers) {
    return MR_NO_MEMORY();
  }
  MR_TRY(read_pairs(text, numbers, &count));
  return mr_hlo_ints(c, draft, MR_ATTR_source_target_pairs, numbers, count, (int64_t)count / 2);
}

static mr_status channel(hlo_context *c, mr_draft *draft, int64_t host_type) {
  bool host = c->proto->is_host_transfer;
  mr_draft_int(draft, MR_ATTR_channel_id, c->proto->channel_id);
  mr_draft_int(draft, MR_ATTR_channel_type, host ? host_type : 1);
  mr_draft_int(draft, MR_ATTR_is_host_transfer, host);
  return host ? MR_OK : pairs(c, draft);
}

mr_status mr_hlo_send(hlo_context *c, mr_op_kind kind) {
  mr_type whole = c->type;
  mr_draft draft;
  MR_TRY(want_tuple(&whole, 3));
  if (c->num_operands != 2) {
    return mr_error(MR_INVALID_ARGUMENT, "%u operands, wanted data and a token", c->num_operands);
  }
  c->type = whole.elements[2];
  mr_status status = mr_hlo_draft(c, kind, &draft);
  c->type = whole;
  MR_TRY(status);
  MR_TRY(channel(c, &draft, 2));
  MR_TRY(mr_hlo_finish(c, &draft));
  const hlo_value parts[] = {*c->operands[0], {.leaves = c->leaves, .num_leaves = c->num_leaves}};
  return pack(c, (const uint32_t[]){0, 2}, parts, 2);
}

mr_status mr_hlo_recv(hlo_context *c, mr_op_kind kind) {
  mr_type whole = c->type;
  mr_draft draft;
  MR_TRY(want_tuple(&whole, 3));
  mr_type both[] = {whole.elements[0], whole.elements[2]};
  c->type.elements = both;
  c->type.rank = 2;
  mr_status status = mr_hlo_draft(c, kind, &draft);
  c->type = whole;
  MR_TRY(status);
  MR_TRY(channel(c, &draft, 3));
  MR_TRY(mr_hlo_finish(c, &draft));
  uint32_t data = c->num_leaves - 1;
  const hlo_value parts[] = {{.leaves = c->leaves, .num_leaves = data}, {.leaves = c->leaves + data, .num_leaves = 1}};
  return pack(c, (const uint32_t[]){0, 2}, parts, 2);
}

mr_status mr_hlo_send_done(hlo_context *c, mr_op_kind kind) {
  (void)kind;
  return done(c, 2);
}

// The data and the token, which stand before and after the scalar.
mr_status mr_hlo_recv_done(hlo_context *c, mr_op_kind kind) {
  (void)kind;
  hlo_value data, token;
  MR_TRY(element(c, 0, &data));
  MR_TRY(element(c, 2, &token));
  MR_TRY(want_tuple(&c->type, 2));
  const hlo_value parts[] = {data, token};
  return pack(c, (const uint32_t[]){0, 1}, parts, 2);
}

// ---- Feeds -----------------------------------------------------------------------------------------------------------

static mr_status feed(hlo_context *c, mr_op_kind kind, mr_attr_key key, ProtobufCBinaryData config) {
  mr_draft draft;
  mr_str text = mr_arena_str(c->reader->arena, (mr_str){(const char *)config.data, config.len});
  if (!text.data) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  mr_draft_string(&draft, key, text);
  return mr_hlo_finish(c, &draft);
}

mr_status mr_hlo_infeed(hlo_context *c, mr_op_kind kind) {
  return feed(c, kind, MR_ATTR_infeed_config, c->proto->infeed_config);
}
mr_status mr_hlo_outfeed(hlo_context *c, mr_op_kind kind) {
  return feed(c, kind, MR_ATTR_outfeed_config, c->proto->outfeed_config);
}
