// Names, texts, where ops are from, frontend attributes and shardings.
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/shard/sharding.h"
#include "compiler/writer/hlo_put.h"

// ---- Texts ---------------------------------------------------------------------------------------------------------------

// How many bytes the character has that stands here; 0: it is none.
static size_t utf8_size(const unsigned char *at, size_t left) {
  static const struct {
    unsigned char mask, lead;
    uint32_t least;
  } forms[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
  for (size_t n = 0; n < MR_ARRAY_SIZE(forms); n++) {
    if ((at[0] & forms[n].mask) != forms[n].lead) {
      continue;
    }
    uint32_t code = at[0] & (unsigned char)~forms[n].mask;
    for (size_t i = 1; i <= n; i++) {
      if (i >= left || (at[i] & 0xC0) != 0x80) {
        return 0;
      }
      code = code << 6 | (at[i] & 0x3F);
    }
    return code >= forms[n].least && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) ? n + 1 : 0;
  }
  return 0;
}

// XLA's strings are UTF-8, or the message is refused.
static void make_utf8(char *text, size_t size) {
  for (size_t i = 0; i < size;) {
    size_t bytes = utf8_size((const unsigned char *)text + i, size - i);
    text[i] = bytes ? text[i] : '?';
    i += bytes ? bytes : 1;
  }
}

mr_status mr_put_text(hlo_writer *w, mr_str text, char **out) {
  *out = mr_arena_alloc(&w->arena, text.size + 1);
  if (!*out) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < text.size; i++) {
    (*out)[i] = text.data[i] ? text.data[i] : '?';
  }
  make_utf8(*out, text.size);
  return MR_OK;
}

mr_status mr_put_name(hlo_writer *w, mr_str text, int64_t number, char **out) {
  size_t room = text.size + 24;
  *out = mr_arena_alloc(&w->arena, room);
  if (!*out) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < text.size; i++) {
    unsigned char c = (unsigned char)text.data[i];
    (*out)[i] = (isalnum(c) && c < 0x80) || (i && strchr("_.-", c) && c) ? (char)c : '_';
  }
  snprintf(*out + text.size, room - text.size, ".%" PRId64, number);
  return MR_OK;
}

mr_status mr_put_numbered(hlo_writer *w, const char *word, int64_t number, char **out) {
  return mr_put_name(w, mr_str_of(word), number, out);
}

mr_status mr_put_metadata(hlo_writer *w, const mr_op *op, hlo_instruction *proto) {
  const mr_origin *origin = op->loc.origin;
  Millrace__Hlo__Metadata *metadata = origin ? mr_arena_new(&w->arena, Millrace__Hlo__Metadata) : NULL;
  if (!metadata) {
    return origin ? MR_NO_MEMORY() : MR_OK;
  }
  *metadata = (Millrace__Hlo__Metadata)MILLRACE__HLO__METADATA__INIT;
  MR_TRY(mr_put_text(w, origin->path, &metadata->op_name));
  MR_TRY(mr_put_text(w, origin->file, &metadata->source_file));
  metadata->source_line = (int32_t)origin->line;
  proto->metadata = metadata;
  return MR_OK;
}

// ---- Frontend attributes -------------------------------------------------------------------------------------------------

mr_status mr_put_frontend(hlo_writer *w, Millrace__Hlo__FrontendAttributes **map, mr_str key, mr_str value) {
  size_t count = *map ? (*map)->n_map : 0;
  Millrace__Hlo__FrontendAttributes *longer = mr_arena_new(&w->arena, Millrace__Hlo__FrontendAttributes);
  Millrace__Hlo__FrontendAttribute *item = mr_arena_new(&w->arena, Millrace__Hlo__FrontendAttribute);
  Millrace__Hlo__FrontendAttribute **items = mr_arena_array(&w->arena, Millrace__Hlo__FrontendAttribute *, count + 1);
  char *copy = mr_arena_copy(&w->arena, value.size ? value.data : "", value.size ? value.size : 1);
  if (!longer || !item || !items || !copy) {
    return MR_NO_MEMORY();
  }
  *longer = (Millrace__Hlo__FrontendAttributes)MILLRACE__HLO__FRONTEND_ATTRIBUTES__INIT;
  *item = (Millrace__Hlo__FrontendAttribute)MILLRACE__HLO__FRONTEND_ATTRIBUTE__INIT;
  make_utf8(copy, value.size);
  MR_TRY(mr_put_text(w, key, &item->key));
  item->value = (ProtobufCBinaryData){value.size, (uint8_t *)copy};
  if (count) {
    memcpy(items, (*map)->map, count * sizeof *items);
  }
  items[count] = item;
  longer->n_map = count + 1;
  longer->map = items;
  *map = longer;
  return MR_OK;
}

// A string as it is, anything else as its text.
static mr_status put_value(hlo_writer *w, Millrace__Hlo__FrontendAttributes **map, mr_str key, const mr_attr *attr) {
  if (attr->kind == MR_ATTR_STRING || attr->kind == MR_ATTR_TEXT) {
    return mr_put_frontend(w, map, key, attr->string);
  }
  mr_text text = {0};
  mr_print_attr(&text, attr);
  mr_status status = text.failed ? MR_NO_MEMORY() : mr_put_frontend(w, map, key, (mr_str){text.data, text.size});
  mr_text_deinit(&text);
  return status;
}

// ---- Shardings -------------------------------------------------------------------------------------------------------------

enum { REPLICATED, MAXIMAL, TUPLE, OTHER, MANUAL, UNKNOWN };

static mr_status put_tiles(hlo_writer *w, const mr_tile_sharding *t, Millrace__Hlo__Sharding *proto) {
  int32_t *last = mr_arena_array(&w->arena, int32_t, t->num_last + 1);
  if (!last) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < t->num_last; i++) {
    last[i] = t->last_tile_dims[i];
  }
  proto->type = OTHER;
  proto->n_tile_assignment_dimensions = t->tile_rank;
  proto->tile_assignment_dimensions = (int64_t *)t->tile_dims;
  proto->n_iota_reshape_dims = proto->n_iota_transpose_perm = t->reshape_rank;
  proto->iota_reshape_dims = (int64_t *)t->reshape_dims;
  proto->iota_transpose_perm = (int32_t *)t->transpose;
  proto->replicate_on_last_tile_dim = t->replicate_on_last;
  proto->n_last_tile_dims = t->num_last;
  proto->last_tile_dims = last;
  return MR_OK;
}

static mr_status put_one(hlo_writer *w, const mr_tile_sharding *t, ProtobufCBinaryData *out) {
  Millrace__Hlo__Sharding proto = MILLRACE__HLO__SHARDING__INIT;
  proto.n_tile_assignment_devices = t->num_devices;
  proto.tile_assignment_devices = (int64_t *)t->devices;
  switch (t->kind) {
  case MR_TILE_REPLICATED: proto.type = REPLICATED; break;
  case MR_TILE_MAXIMAL: proto.type = MAXIMAL; break;
  case MR_TILE_MANUAL: proto.type = MANUAL; break;
  case MR_TILE_OTHER: MR_TRY(put_tiles(w, t, &proto)); break;
  }
  MR_TRY(mr_put_pack(w, &proto.base, out));
  if (out->len == 0) {
    static uint8_t replicated[] = {0x08, REPLICATED};  // in so many words: no bytes are no sharding for some readers
    *out = (ProtobufCBinaryData){sizeof replicated, replicated};
  }
  return MR_OK;
}

static mr_status put_several(hlo_writer *w, const ProtobufCBinaryData *shardings, size_t count,
                             ProtobufCBinaryData *out) {
  Millrace__Hlo__Sharding proto = MILLRACE__HLO__SHARDING__INIT;
  proto.type = TUPLE;
  proto.n_tuple_shardings = count;
  proto.tuple_shardings = (ProtobufCBinaryData *)shardings;
  return mr_put_pack(w, &proto.base, out);
}

// False: the text is none of HLO's.
static mr_status put_sharding(hlo_writer *w, mr_str text, ProtobufCBinaryData *out, bool *out_known) {
  mr_tile_sharding *tiles;
  uint32_t count;
  mr_status status = mr_sharding_tiles_parse_list(&w->arena, text, &count, &tiles);
  *out_known = status == MR_OK;
  if (status) {
    bool memory = mr_status_code(status) == MR_RESOURCE_EXHAUSTED;
    return memory ? status : (mr_status_free(status), MR_OK);
  }
  if (count == 1 && !mr_str_starts_with(text, MR_STR("{{"))) {
    return put_one(w, tiles, out);
  }
  ProtobufCBinaryData *list = mr_arena_array(&w->arena, ProtobufCBinaryData, count);
  if (!list) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < count; i++) {
    MR_TRY(put_one(w, &tiles[i], &list[i]));
  }
  return put_several(w, list, count, out);
}

// Whoever writes the instruction, or the module, says it there; or XLA takes it from the compile options.
static bool has_field(mr_str name) {
  static const char *const names[] = {"tf.aliasing_output",
                                      "jax.buffer_donor",
                                      "lhs_ragged_dimensions",
                                      "rhs_group_dimensions",
                                      "operandSegmentSizes",
                                      "resultSegmentSizes",
                                      "mhlo.backend_config",
                                      "xla_shape",
                                      "mhlo.num_partitions",
                                      "mhlo.num_replicas",
                                      "group_id"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(names); i++) {
    if (mr_str_is(name, names[i])) {
      return true;
    }
  }
  return false;
}

// What is Shardy's has the names that programs without its dialect use.
static mr_status put_named(hlo_writer *w, Millrace__Hlo__FrontendAttributes **map, const mr_attr *item) {
  if (!mr_str_starts_with(item->name, MR_STR("sdy."))) {
    return put_value(w, map, item->name, item);
  }
  mr_text name = {0};
  mr_text_put(&name, "xla.%.*s", MR_STR_ARG(item->name));
  mr_status status = name.failed ? MR_NO_MEMORY() : put_value(w, map, (mr_str){name.data, name.size}, item);
  mr_text_deinit(&name);
  return status;
}

static mr_status put_item(hlo_writer *w, const mr_attr *item, ProtobufCBinaryData *sharding,
                          Millrace__Hlo__FrontendAttributes **map) {
  bool done = false;
  if (mr_str_is(item->name, "mhlo.sharding") && item->kind == MR_ATTR_STRING) {
    MR_TRY(put_sharding(w, item->string, sharding, &done));
  }
  if (mr_str_is(item->name, "mhlo.frontend_attributes") && item->kind == MR_ATTR_DICT) {
    for (size_t i = 0; i < item->count; i++) {
      MR_TRY(put_value(w, map, item->items[i].name, &item->items[i]));
    }
    done = true;
  }
  return done || has_field(item->name) ? MR_OK : put_named(w, map, item);
}

mr_status mr_put_said_sharding(hlo_writer *w, ProtobufCBinaryData bytes, hlo_instruction *proto) {
  proto->n_sharding = bytes.len > 0;
  if (!bytes.len) {
    return MR_OK;
  }
  proto->sharding = mr_arena_new(&w->arena, ProtobufCBinaryData);
  if (!proto->sharding) {
    return MR_NO_MEMORY();
  }
  *proto->sharding = bytes;
  return MR_OK;
}

mr_status mr_put_extra(hlo_writer *w, const mr_attr *dict, ProtobufCBinaryData *sharding,
                       Millrace__Hlo__FrontendAttributes **map) {
  for (size_t i = 0; dict && i < dict->count; i++) {
    MR_TRY(put_item(w, &dict->items[i], sharding, map));
  }
  return MR_OK;
}

// Nothing is said of those that have none, which only a tuple of several can say.
mr_status mr_put_result_shardings(hlo_writer *w, const mr_function *f, ProtobufCBinaryData *out) {
  Millrace__Hlo__Sharding unknown = MILLRACE__HLO__SHARDING__INIT;
  ProtobufCBinaryData *list = mr_arena_array(&w->arena, ProtobufCBinaryData, f->num_results + 1);
  uint32_t known = 0;
  if (!list) {
    return MR_NO_MEMORY();
  }
  unknown.type = UNKNOWN;
  for (uint32_t i = 0; f->result_attrs && i < f->num_results; i++) {
    const mr_attr *said = mr_dict_find(f->result_attrs[i], "mhlo.sharding");
    bool parsed = false;
    if (said && said->kind == MR_ATTR_STRING) {
      MR_TRY(put_sharding(w, said->string, &list[i], &parsed));
    }
    if (!parsed) {
      MR_TRY(mr_put_pack(w, &unknown.base, &list[i]));
    }
    known += parsed;
  }
  if (known && f->num_results == 1) {
    *out = list[0];
  }
  return known && f->num_results > 1 ? put_several(w, list, f->num_results, out) : MR_OK;
}
