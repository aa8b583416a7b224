// Locations of bytecode: where whoever wrote the program has an op from. A location never makes a program wrong: what is not understood
// says nothing.
#include <string.h>

#include "compiler/reader/bytecode.h"

// builtin's codes of location attributes.
enum { CALL_SITE = 10, FILE_LINE_COLUMN, FUSED, FUSED_WITH_METADATA, NAME, FILE_RANGE = 22 };
enum { MAX_DEPTH = 64 };

static const mr_origin none;

static mr_status find_origin(mr_bytecode *b, size_t index, int depth, const mr_origin **out);

static mr_status read_inner(mr_bytecode *b, mr_cursor *c, int depth, mr_origin *out) {
  size_t index;
  const mr_origin *inner;
  MR_TRY(mr_cursor_index(c, "location", b->num_attrs, &index));
  MR_TRY(find_origin(b, index, depth + 1, &inner));
  mr_origin_add(out, inner);
  return MR_OK;
}

static mr_status read_text(mr_bytecode *b, mr_cursor *c, mr_str *out) {
  const mr_attr_value *value;
  MR_TRY(mr_cursor_attr(b, c, &value));
  *out = value->attr.kind == MR_ATTR_STRING ? value->attr.string : MR_STR("");
  return MR_OK;
}

static mr_status read_file(mr_bytecode *b, mr_cursor *c, bool is_range, mr_origin *out) {
  mr_origin found = {0};
  uint64_t numbers = 1, line = 0;
  MR_TRY(read_text(b, c, &found.file));
  if (is_range) {
    MR_TRY(mr_cursor_varint(c, &numbers));
  }
  if (numbers) {
    MR_TRY(mr_cursor_varint(c, &line));
  }
  found.line = (uint32_t)MR_MIN(line, UINT32_MAX);
  mr_origin_add(out, &found);
  return MR_OK;
}

static mr_status read_fused(mr_bytecode *b, mr_cursor *c, int depth, mr_origin *out) {
  size_t count;
  MR_TRY(mr_cursor_count(c, "locations", &count));
  for (size_t i = 0; i < count; i++) {
    MR_TRY(read_inner(b, c, depth, out));
  }
  return MR_OK;
}

// Of a call site the callee comes first, as its names and lines are the inner ones. What is in `out` already stays.
static mr_status read_location(mr_bytecode *b, size_t index, int depth, mr_origin *out) {
  const mr_entry *entry = &b->attrs[index];
  mr_cursor c = {b->file.base, entry->at, entry->at + entry->size};
  uint64_t code;
  if (entry->is_text || b->dialects[entry->dialect].id != MR_DIALECT_BUILTIN || depth > MAX_DEPTH) {
    return MR_OK;
  }
  MR_TRY(mr_cursor_varint(&c, &code));
  switch (code) {
  case CALL_SITE: MR_TRY(read_inner(b, &c, depth, out)); return read_inner(b, &c, depth, out);
  case FILE_LINE_COLUMN:
  case FILE_RANGE: return read_file(b, &c, code == FILE_RANGE, out);
  case FUSED:
  case FUSED_WITH_METADATA: return read_fused(b, &c, depth, out);
  case NAME:
    MR_TRY(read_text(b, &c, &out->path));
    out->path = mr_origin_path(out->path);
    return read_inner(b, &c, depth, out);
  default: return MR_OK;
  }
}

// Each is read once. One that contains itself says nothing there.
static mr_status find_origin(mr_bytecode *b, size_t index, int depth, const mr_origin **out) {
  if (!b->origins[index]) {
    mr_origin found = {0};
    b->origins[index] = &none;
    mr_status status = read_location(b, index, depth, &found);
    if (mr_status_code(status) == MR_RESOURCE_EXHAUSTED) {
      return status;
    }
    mr_status_free(status);
    b->origins[index] = mr_origin_keep(b->arena, &found, &none);
  }
  *out = b->origins[index];
  return *out ? MR_OK : MR_NO_MEMORY();
}

mr_status mr_bytecode_location_name(mr_bytecode *b, size_t index, mr_str *out) {
  const mr_entry *entry = &b->attrs[index];
  mr_cursor c = {b->file.base, entry->at, entry->at + entry->size};
  uint64_t code = 0;
  *out = MR_STR("");
  if (entry->is_text || b->dialects[entry->dialect].id != MR_DIALECT_BUILTIN) {
    return MR_OK;
  }
  mr_status status = mr_cursor_varint(&c, &code);
  status = status || code != NAME ? status : read_text(b, &c, out);
  if (mr_status_code(status) == MR_RESOURCE_EXHAUSTED) {
    return status;
  }
  mr_status_free(status);
  return MR_OK;
}

mr_status mr_bytecode_origin(mr_bytecode *b, size_t index, const mr_origin **out) {
  *out = NULL;
  if (!b->origins) {
    b->origins = mr_arena_array(&b->scratch, const mr_origin *, b->num_attrs + 1);
    if (!b->origins) {
      return MR_NO_MEMORY();
    }
    memset(b->origins, 0, (b->num_attrs + 1) * sizeof *b->origins);
  }
  MR_TRY(find_origin(b, index, 0, out));
  *out = *out == &none ? NULL : *out;
  return MR_OK;
}
