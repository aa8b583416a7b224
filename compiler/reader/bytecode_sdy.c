// Attributes of Shardy as their text: a single device ignores them, the sharding pass parses what it needs.
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "compiler/reader/bytecode.h"

// No sharding that a program means is longer; a hostile file could ask for any size.
#define SDY_TEXT_LIMIT (1 << 20)

enum {
  SDY_MANUAL_AXES,
  SDY_MESH_AXIS,
  SDY_MESH,
  SDY_SUB_AXIS,
  SDY_AXIS_REF,
  SDY_DIM,
  SDY_SHARDING,
  SDY_PER_VALUE,
  SDY_DIM_MAPPING,
  SDY_TENSOR_MAPPING,
  SDY_RULE,
  SDY_AXES,
  SDY_AXES_LIST,
  SDY_ALL_TO_ALL,
  SDY_ALL_TO_ALL_LIST,
  SDY_SHARDING_UNREDUCED,
  SDY_PER_VALUE_2,
  SDY_SHARDING_KIND
};

static mr_status render(mr_bytecode *b, size_t index, bool nested, mr_text *text);

static mr_status render_ref(mr_bytecode *b, mr_cursor *c, mr_text *text) {
  size_t index;
  MR_TRY(mr_cursor_index(c, "attribute", b->num_attrs, &index));
  return render(b, index, true, text);
}

static void put_string(mr_text *text, mr_str string) {
  mr_text_put(text, "\"");
  for (size_t i = 0; i < string.size; i++) {
    unsigned char byte = (unsigned char)string.data[i];
    mr_text_put(text, byte == '"' || byte == '\\' || byte < 32 || byte > 126 ? "\\%02X" : "%c", byte);
  }
  mr_text_put(text, "\"");
}

// @name, quoted unless it is a bare word.
static void put_symbol(mr_text *text, mr_str name) {
  bool bare = name.size > 0 && !isdigit((unsigned char)name.data[0]);
  for (size_t i = 0; i < name.size; i++) {
    unsigned char c = (unsigned char)name.data[i];
    bare = bare && c < 128 && (isalnum(c) || c == '_' || c == '.' || c == '$');
  }
  mr_text_put(text, "@");
  if (bare) {
    mr_text_append(text, name);
  } else {
    put_string(text, name);
  }
}

// A list of attributes between brackets, with commas.
static mr_status render_list(mr_bytecode *b, mr_cursor *c, const char *open, const char *close, mr_text *text) {
  size_t count;
  MR_TRY(mr_cursor_count(c, "attributes", &count));
  mr_text_put(text, "%s", open);
  for (size_t i = 0; i < count; i++) {
    mr_text_put(text, i ? ", " : "");
    MR_TRY(render_ref(b, c, text));
  }
  mr_text_put(text, "%s", close);
  return MR_OK;
}

static mr_status render_ints(mr_bytecode *b, mr_cursor *c, mr_text *text) {
  mr_ints ints;
  MR_TRY(mr_cursor_ints(b, c, &ints));
  mr_text_put(text, "[");
  for (size_t i = 0; i < ints.size; i++) {
    mr_text_put(text, "%s%" PRId64, i ? ", " : "", ints.data[i]);
  }
  mr_text_put(text, "]");
  return MR_OK;
}

static mr_status render_mesh_axis(mr_bytecode *b, mr_cursor *c, mr_text *text) {
  mr_str name;
  int64_t size;
  MR_TRY(mr_cursor_string(b, c, &name));
  MR_TRY(mr_cursor_svarint(c, &size));
  put_string(text, name);
  mr_text_put(text, "=%" PRId64, size);
  return MR_OK;
}

// <["x"=4, "y"=2]>, device ids only when they are not 0, 1, 2, ..
static mr_status render_mesh(mr_bytecode *b, mr_cursor *c, mr_text *text) {
  MR_TRY(render_list(b, c, "<[", "]", text));
  mr_cursor peek = *c;
  size_t count;
  MR_TRY(mr_cursor_count(&peek, "device ids", &count));
  if (count) {
    mr_text_put(text, ", device_ids=");
    MR_TRY(render_ints(b, c, text));
  }
  mr_text_put(text, ">");
  return MR_OK;
}

static mr_status render_sub_axis(mr_cursor *c, mr_text *text) {
  int64_t pre, size;
  MR_TRY(mr_cursor_svarint(c, &pre));
  MR_TRY(mr_cursor_svarint(c, &size));
  mr_text_put(text, ":(%" PRId64 ")%" PRId64, pre, size);
  return MR_OK;
}

static mr_status render_axis_ref(mr_bytecode *b, mr_cursor *c, mr_text *text) {
  mr_str name;
  uint64_t index;
  bool has_sub;
  MR_TRY(mr_cursor_string(b, c, &name));
  put_string(text, name);
  MR_TRY(mr_cursor_flagged(c, &index, &has_sub));
  if (!has_sub) {
    return MR_OK;
  }
  if (index >= b->num_attrs) {
    return mr_bytecode_error(c, "attribute %" PRIu64 " does not exist, there are %zu", index, b->num_attrs);
  }
  return render(b, (size_t)index, true, text);
}

// {"x", ?}p1
static mr_status render_dim(mr_bytecode *b, mr_cursor *c, mr_text *text) {
  uint8_t closed;
  uint64_t priority;
  bool has_priority;
  mr_cursor peek = *c;
  size_t count;
  MR_TRY(mr_cursor_count(&peek, "axes", &count));
  MR_TRY(render_list(b, c, "{", "", text));
  MR_TRY(mr_cursor_byte(c, &closed));
  mr_text_put(text, closed ? "}" : count ? ", ?}" : "?}");
  MR_TRY(mr_cursor_flagged(c, &priority, &has_priority));
  if (has_priority) {
    mr_text_put(text, "p%" PRIu64, priority);
  }
  return MR_OK;
}

static mr_status render_optional_axes(mr_bytecode *b, mr_cursor *c, const char *name, mr_text *text) {
  mr_cursor peek = *c;
  size_t count;
  MR_TRY(mr_cursor_count(&peek, "axes", &count));
  if (count == 0) {
    *c = peek;
    return MR_OK;
  }
  mr_text_put(text, ", %s=", name);
  return render_list(b, c, "{", "}", text);
}

// <@mesh, [dims], replicated={..}, unreduced={..}>; the mesh is a symbol or stands there itself.
static mr_status render_sharding(mr_bytecode *b, mr_cursor *c, uint64_t code, mr_text *text) {
  size_t mesh;
  const mr_attr_value *symbol;
  MR_TRY(mr_cursor_index(c, "attribute", b->num_attrs, &mesh));
  mr_text_put(text, "<");
  if (b->dialects[b->attrs[mesh].dialect].id == MR_DIALECT_SDY) {
    mr_text_put(text, "mesh");
    MR_TRY(render(b, mesh, true, text));
  } else {
    MR_TRY(mr_bytecode_attr(b, mesh, &symbol));
    if (!symbol->is_symbol) {
      return mr_bytecode_error(c, "expected the name of a mesh");
    }
    put_symbol(text, symbol->attr.string);
  }
  MR_TRY(render_list(b, c, ", [", "]", text));
  MR_TRY(render_optional_axes(b, c, "replicated", text));
  if (code != SDY_SHARDING) {
    MR_TRY(render_optional_axes(b, c, "unreduced", text));
  }
  mr_text_put(text, ">");
  return MR_OK;
}

// ["x", "y"] of builtin strings.
static mr_status render_manual_axes(mr_bytecode *b, mr_cursor *c, mr_text *text) {
  size_t count;
  MR_TRY(mr_cursor_count(c, "axes", &count));
  mr_text_put(text, "{");
  for (size_t i = 0; i < count; i++) {
    const mr_attr_value *name;
    MR_TRY(mr_cursor_attr(b, c, &name));
    if (name->attr.kind != MR_ATTR_STRING) {
      return mr_bytecode_error(c, "expected the name of an axis");
    }
    mr_text_put(text, i ? ", " : "");
    put_string(text, name->attr.string);
  }
  mr_text_put(text, "}");
  return MR_OK;
}

// Factors are called i, j, .. z, z_1, z_2, ..
static void put_factor(mr_text *text, int64_t factor) {
  if (factor >= 0 && factor < 18) {
    mr_text_put(text, "%c", (char)('i' + factor));
  } else {
    mr_text_put(text, "z_%" PRId64, factor - 17);
  }
}

// The factors of one dimension, side by side.
static mr_status render_dim_mapping(mr_bytecode *b, mr_cursor *c, mr_text *text) {
  mr_ints factors;
  MR_TRY(mr_cursor_ints(b, c, &factors));
  for (size_t i = 0; i < factors.size; i++) {
    put_factor(text, factors.data[i]);
  }
  return MR_OK;
}

static mr_status render_factors(mr_bytecode *b, mr_cursor *c, const char *name, mr_text *text) {
  mr_ints factors;
  MR_TRY(mr_cursor_ints(b, c, &factors));
  if (factors.size == 0) {
    return MR_OK;
  }
  mr_text_put(text, " %s={", name);
  for (size_t i = 0; i < factors.size; i++) {
    mr_text_put(text, i ? ", " : "");
    put_factor(text, factors.data[i]);
  }
  mr_text_put(text, "}");
  return MR_OK;
}

// ([i, j])->([i, j]) {i=4, j=4} reduction={..}, custom
static mr_status render_rule(mr_bytecode *b, mr_cursor *c, mr_text *text) {
  static const char *const kinds[] = {"reduction", "need_replication", "permutation", "blocked_propagation"};
  mr_ints sizes;
  uint8_t custom;
  MR_TRY(mr_cursor_ints(b, c, &sizes));
  mr_text_put(text, "<");
  MR_TRY(render_list(b, c, "(", ")", text));
  MR_TRY(render_list(b, c, "->(", ") {", text));
  for (size_t i = 0; i < sizes.size; i++) {
    mr_text_put(text, i ? ", " : "");
    put_factor(text, (int64_t)i);
    mr_text_put(text, "=%" PRId64, sizes.data[i]);
  }
  mr_text_put(text, "}");
  for (size_t i = 0; i < MR_ARRAY_SIZE(kinds); i++) {
    MR_TRY(render_factors(b, c, kinds[i], text));
  }
  MR_TRY(mr_cursor_byte(c, &custom));
  mr_text_put(text, custom ? ", custom>" : ">");
  return MR_OK;
}

static mr_status render_body(mr_bytecode *b, mr_cursor *c, uint64_t code, bool nested, mr_text *text) {
  switch (code) {
  case SDY_MANUAL_AXES:
    mr_text_put(text, nested ? "" : "#sdy<manual_axes");
    MR_TRY(render_manual_axes(b, c, text));
    mr_text_put(text, nested ? "" : ">");
    return MR_OK;
  case SDY_MESH_AXIS: return render_mesh_axis(b, c, text);
  case SDY_MESH: mr_text_put(text, nested ? "" : "#sdy.mesh"); return render_mesh(b, c, text);
  case SDY_SUB_AXIS: return render_sub_axis(c, text);
  case SDY_AXIS_REF: return render_axis_ref(b, c, text);
  case SDY_DIM: return render_dim(b, c, text);
  case SDY_SHARDING:
  case SDY_SHARDING_UNREDUCED:
  case SDY_SHARDING_KIND: mr_text_put(text, nested ? "" : "#sdy.sharding"); return render_sharding(b, c, code, text);
  case SDY_PER_VALUE:
  case SDY_PER_VALUE_2: return render_list(b, c, nested ? "[" : "#sdy.sharding_per_value<[", nested ? "]" : "]>", text);
  case SDY_DIM_MAPPING: return render_dim_mapping(b, c, text);
  case SDY_TENSOR_MAPPING: return render_list(b, c, "[", "]", text);
  case SDY_RULE: mr_text_put(text, nested ? "" : "#sdy.op_sharding_rule"); return render_rule(b, c, text);
  case SDY_AXES:
  case SDY_AXES_LIST:
  case SDY_ALL_TO_ALL_LIST: return render_list(b, c, "{", "}", text);
  default:  // all-to-all parameters: only the partitioner writes them
    mr_text_put(text, "#sdy.code_%" PRIu64 "<>", code);
    return MR_OK;
  }
}

static mr_status render(mr_bytecode *b, size_t index, bool nested, mr_text *text) {
  const mr_entry *entry = &b->attrs[index];
  mr_cursor c = {b->file.base, entry->at, entry->at + entry->size};
  if (b->dialects[entry->dialect].id != MR_DIALECT_SDY || entry->is_text) {
    return mr_bytecode_error(&c, "expected an attribute of sdy");
  }
  if (b->depth >= MR_READ_DEPTH || text->size > SDY_TEXT_LIMIT) {
    return mr_bytecode_error(&c, "sharding is nested too deeply or too long");
  }
  uint64_t code;
  MR_TRY(mr_cursor_varint(&c, &code));
  b->depth++;
  mr_status status = render_body(b, &c, code, nested, text);
  b->depth--;
  return status;
}

mr_status mr_bytecode_sdy_text(mr_bytecode *b, size_t index, bool nested, mr_text *text) {
  return render(b, index, nested, text);
}
