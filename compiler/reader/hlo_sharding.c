// Shardings of HLO as StableHLO programs have them: text, on arguments, results and ops.
#include <inttypes.h>

#include "compiler/reader/hlo.h"

typedef Millrace__Hlo__Sharding sharding;

enum { REPLICATED, MAXIMAL, TUPLE, OTHER, MANUAL, UNKNOWN, UNREDUCED };

static mr_status unpack(hlo_reader *r, ProtobufCBinaryData bytes, sharding **out) {
  *out = millrace__hlo__sharding__unpack(&r->allocator, bytes.len, bytes.data);
  return *out ? MR_OK : mr_hlo_not_a(r, "OpSharding", bytes.len);
}

// ---- Text ----------------------------------------------------------------------------------------------------------------

static void put_ints(mr_text *text, const char *open, const int64_t *list, size_t count, const char *close) {
  mr_text_put(text, "%s", open);
  for (size_t i = 0; i < count; i++) {
    mr_text_put(text, i ? ",%" PRId64 : "%" PRId64, list[i]);
  }
  mr_text_put(text, "%s", close);
}

// Devices hold the same, or do as they like, or have parts of a sum.
static void put_last(mr_text *text, const sharding *s) {
  for (size_t i = 0; i < s->n_last_tile_dims; i++) {
    mr_text_put(text, i ? ", " : " last_tile_dims={");
    switch (s->last_tile_dims[i]) {
    case REPLICATED: mr_text_put(text, "replicated"); break;
    case MANUAL: mr_text_put(text, "manual"); break;
    case UNREDUCED: mr_text_put(text, "unreduced"); break;
    default: mr_text_put(text, "type %" PRId32, s->last_tile_dims[i]); break;
    }
  }
  mr_text_put(text, s->n_last_tile_dims ? "}" : "");
  mr_text_put(text, !s->n_last_tile_dims && s->replicate_on_last_tile_dim ? " last_tile_dim_replicate" : "");
}

static void put_tiles(mr_text *text, const sharding *s) {
  put_ints(text, "{devices=[", s->tile_assignment_dimensions, s->n_tile_assignment_dimensions, "]");
  if (s->n_iota_reshape_dims) {
    put_ints(text, "<=[", s->iota_reshape_dims, s->n_iota_reshape_dims, "]");
    for (size_t i = 0; i < s->n_iota_transpose_perm; i++) {
      mr_text_put(text, i ? ",%" PRId32 : "T(%" PRId32, s->iota_transpose_perm[i]);
    }
    mr_text_put(text, s->n_iota_transpose_perm ? ")" : "");
  } else {
    put_ints(text, "", s->tile_assignment_devices, s->n_tile_assignment_devices, "");
  }
  put_last(text, s);
  mr_text_put(text, "}");
}

// What is no kind of one value's is text that the sharding pass refuses.
static void put_one(mr_text *text, const sharding *s) {
  switch (s->type) {
  case REPLICATED: mr_text_put(text, "{replicated}"); break;
  case MAXIMAL:
    put_ints(text, "{maximal device=", s->tile_assignment_devices, s->n_tile_assignment_devices, "}");
    break;
  case OTHER: put_tiles(text, s); break;
  case MANUAL: mr_text_put(text, "{manual}"); break;
  default: mr_text_put(text, "{type %" PRId32 "}", s->type); break;
  }
}

static mr_status keep(hlo_reader *r, mr_text *take_text, mr_str *out) {
  *out = take_text->failed ? (mr_str){NULL, 0} : mr_arena_str(r->arena, (mr_str){take_text->data, take_text->size});
  mr_text_deinit(take_text);
  return out->data ? MR_OK : MR_NO_MEMORY();
}

// Empty: nothing is said.
static mr_status say_one(hlo_reader *r, const sharding *s, mr_str *out) {
  mr_text text = {0};
  *out = (mr_str){"", 0};
  if (s->type == UNKNOWN) {
    return MR_OK;
  }
  put_one(&text, s);
  return keep(r, &text, out);
}

static mr_status say_all(hlo_reader *r, const sharding *s, mr_str *out) {
  mr_text text = {0};
  mr_status status = MR_OK;
  for (size_t i = 0; !status && i < s->n_tuple_shardings; i++) {
    sharding *one;
    status = unpack(r, s->tuple_shardings[i], &one);
    mr_text_put(&text, i ? ", " : "{");
    if (!status) {
      put_one(&text, one);
    }
  }
  mr_text_put(&text, "}");
  return mr_status_join(status, keep(r, &text, out));
}

// ---- Where it is said ------------------------------------------------------------------------------------------------------

static mr_attr said(mr_str text) {
  mr_attr attr = mr_read_attr_string(text);
  attr.name = MR_STR("mhlo.sharding");
  return attr;
}

mr_status mr_hlo_say_sharding(hlo_context *c, mr_op *op) {
  sharding *s;
  mr_str text;
  if (!c->proto->n_sharding) {
    return MR_OK;
  }
  MR_TRY(unpack(c->reader, c->proto->sharding[c->proto->n_sharding - 1], &s));
  MR_TRY(s->n_tuple_shardings ? say_all(c->reader, s, &text) : say_one(c->reader, s, &text));
  if (text.size) {
    mr_op_set_attr(c->reader->module, op, said(text));
  }
  return MR_OK;
}

// Of a tuple each leaf has one, or all have the same.
mr_status mr_hlo_say_ports(hlo_reader *r, const hlo_instruction *it, uint32_t count, mr_attr **slots) {
  sharding *s, *one;
  if (!it->n_sharding) {
    return MR_OK;
  }
  MR_TRY(unpack(r, it->sharding[it->n_sharding - 1], &s));
  if (s->type == TUPLE && s->n_tuple_shardings != count) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu shardings of %u values", s->n_tuple_shardings, count);
  }
  for (uint32_t i = 0; i < count; i++) {
    mr_str text;
    one = s;
    if (s->type == TUPLE) {
      MR_TRY(unpack(r, s->tuple_shardings[i], &one));
    }
    MR_TRY(say_one(r, one, &text));
    if (text.size) {
      MR_TRY(mr_hlo_add_attr(r, &slots[i], said(text)));
    }
  }
  return MR_OK;
}
