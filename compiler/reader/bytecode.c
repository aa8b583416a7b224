// The container of MLIR bytecode: primitives, sections, strings, dialects, op names, entry tables, resources.
#include "compiler/reader/bytecode.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/reader/reader.h"

// ---- Primitives ----------------------------------------------------------------------------------------------------

mr_status mr_bytecode_error(const mr_cursor *cursor, const char *format, ...) {
  char message[256];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);
  return mr_error(MR_INVALID_ARGUMENT, "bytecode offset %zu: %s", cursor->at, message);
}

static size_t left(const mr_cursor *cursor) { return cursor->end - cursor->at; }

mr_status mr_cursor_byte(mr_cursor *cursor, uint8_t *out) {
  if (cursor->at == cursor->end) {
    return mr_bytecode_error(cursor, "expected a byte, found the end of the section");
  }
  *out = cursor->base[cursor->at++];
  return MR_OK;
}

// The trailing zeros of the first byte say how many more bytes follow; a zero byte announces eight.
mr_status mr_cursor_varint(mr_cursor *cursor, uint64_t *out) {
  uint8_t first;
  MR_TRY(mr_cursor_byte(cursor, &first));
  if (MR_LIKELY(first & 1)) {
    *out = first >> 1;
    return MR_OK;
  }
  unsigned more = first ? (unsigned)__builtin_ctz(first) : 8;
  if (left(cursor) < more) {
    return mr_bytecode_error(cursor, "expected %u more bytes of a number, found %zu", more, left(cursor));
  }
  uint64_t value = 0;
  memcpy(&value, cursor->base + cursor->at, more);
  cursor->at += more;
  *out = more == 8 ? value : ((value << 8) | first) >> (more + 1);
  return MR_OK;
}

mr_status mr_cursor_svarint(mr_cursor *cursor, int64_t *out) {
  uint64_t value;
  MR_TRY(mr_cursor_varint(cursor, &value));
  *out = (int64_t)((value >> 1) ^ (~(value & 1) + 1));
  return MR_OK;
}

mr_status mr_cursor_flagged(mr_cursor *cursor, uint64_t *out, bool *out_flag) {
  MR_TRY(mr_cursor_varint(cursor, out));
  *out_flag = *out & 1;
  *out >>= 1;
  return MR_OK;
}

mr_status mr_cursor_f64(mr_cursor *cursor, double *out) {
  int64_t bits;
  MR_TRY(mr_cursor_svarint(cursor, &bits));
  memcpy(out, &bits, sizeof bits);
  return MR_OK;
}

mr_status mr_cursor_count(mr_cursor *cursor, const char *what, size_t *out) {
  uint64_t count;
  size_t start = cursor->at;
  MR_TRY(mr_cursor_varint(cursor, &count));
  if (count > left(cursor)) {
    cursor->at = start;
    return mr_bytecode_error(cursor, "%" PRIu64 " %s do not fit into the %zu bytes left", count, what, left(cursor));
  }
  *out = (size_t)count;
  return MR_OK;
}

mr_status mr_cursor_blob(mr_cursor *cursor, mr_blob *out) {
  size_t size;
  MR_TRY(mr_cursor_count(cursor, "bytes", &size));
  *out = (mr_blob){cursor->at, size};
  cursor->at += size;
  return MR_OK;
}

mr_status mr_cursor_index(mr_cursor *cursor, const char *what, size_t count, size_t *out) {
  uint64_t index;
  size_t start = cursor->at;
  MR_TRY(mr_cursor_varint(cursor, &index));
  if (index >= count) {
    cursor->at = start;
    return mr_bytecode_error(cursor, "%s %" PRIu64 " does not exist, there are %zu", what, index, count);
  }
  *out = (size_t)index;
  return MR_OK;
}

mr_status mr_cursor_string(mr_bytecode *b, mr_cursor *cursor, mr_str *out) {
  size_t index;
  MR_TRY(mr_cursor_index(cursor, "string", b->num_strings, &index));
  *out = b->strings[index];
  return MR_OK;
}

mr_status mr_cursor_ints(mr_bytecode *b, mr_cursor *cursor, mr_ints *out) {
  size_t count;
  MR_TRY(mr_cursor_count(cursor, "integers", &count));
  int64_t *ints = mr_arena_array(b->arena, int64_t, count + 1);
  if (!ints) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    MR_TRY(mr_cursor_svarint(cursor, &ints[i]));
  }
  *out = (mr_ints){ints, count};
  return MR_OK;
}

mr_status mr_cursor_finished(const mr_cursor *cursor, const char *what) {
  return cursor->at == cursor->end
             ? MR_OK
             : mr_bytecode_error(cursor, "%zu bytes left over at the end of %s", left(cursor), what);
}

static mr_status skip_alignment(mr_cursor *cursor) {
  uint64_t alignment;
  MR_TRY(mr_cursor_varint(cursor, &alignment));
  if (alignment == 0 || (alignment & (alignment - 1)) || alignment > UINT32_MAX) {
    return mr_bytecode_error(cursor, "alignment %" PRIu64 " is no power of two", alignment);
  }
  size_t padding = (size_t)(-cursor->at & (alignment - 1));
  if (padding > left(cursor)) {
    return mr_bytecode_error(cursor, "%zu bytes of padding do not fit", padding);
  }
  cursor->at += padding;
  return MR_OK;
}

// Section: id with an alignment flag, length, alignment and padding when flagged, then `length` bytes.
mr_status mr_cursor_section(mr_cursor *cursor, unsigned *out_id, mr_cursor *out_section) {
  uint8_t id;
  uint64_t length;
  MR_TRY(mr_cursor_byte(cursor, &id));
  MR_TRY(mr_cursor_varint(cursor, &length));
  if (id & 0x80) {
    MR_TRY(skip_alignment(cursor));
  }
  if (length > left(cursor)) {
    return mr_bytecode_error(cursor, "section %u of %" PRIu64 " bytes does not fit into the %zu bytes left", id & 0x7Fu,
                             length, left(cursor));
  }
  *out_id = id & 0x7F;
  *out_section = (mr_cursor){cursor->base, cursor->at, cursor->at + (size_t)length};
  cursor->at += (size_t)length;
  return MR_OK;
}

// ---- Header and sections -------------------------------------------------------------------------------------------

static mr_status read_header(mr_bytecode *b) {
  static const uint8_t magic[4] = {0x4D, 0x4C, 0xEF, 0x52};
  mr_cursor *file = &b->file;
  if (left(file) < sizeof magic || memcmp(file->base, magic, sizeof magic) != 0) {
    return mr_bytecode_error(file, "expected the magic number of MLIR bytecode, 4D 4C EF 52");
  }
  file->at += sizeof magic;
  MR_TRY(mr_cursor_varint(file, &b->version));
  if (b->version > 6) {
    return mr_error(MR_UNIMPLEMENTED, "bytecode version %" PRIu64 ", at most 6 is supported", b->version);
  }
  const uint8_t *producer = file->base + file->at;
  const uint8_t *nul = left(file) ? memchr(producer, 0, left(file)) : NULL;
  if (!nul) {
    return mr_bytecode_error(file, "expected the producer's name ending in a NUL");
  }
  file->at += (size_t)(nul - producer) + 1;
  return MR_OK;
}

static mr_status read_sections(mr_bytecode *b) {
  static const char *const names[MR_SECTION_COUNT] = {"String",    "Dialect",  "AttrType",       "AttrTypeOffset",
                                                      "IR",        "Resource", "ResourceOffset", "DialectVersions",
                                                      "Properties"};
  while (left(&b->file)) {
    unsigned id;
    mr_cursor section;
    MR_TRY(mr_cursor_section(&b->file, &id, &section));
    if (id >= MR_SECTION_COUNT || id == MR_SECTION_DIALECT_VERSIONS || b->present[id]) {
      return mr_bytecode_error(&b->file, "section %u is unknown or came before", id);
    }
    b->sections[id] = section;
    b->present[id] = true;
  }
  for (unsigned id = 0; id < MR_SECTION_COUNT; id++) {
    bool required = id <= MR_SECTION_IR || (id == MR_SECTION_PROPERTIES && b->version >= 5);
    if (required && !b->present[id]) {
      return mr_bytecode_error(&b->file, "section %s is missing", names[id]);
    }
  }
  return MR_OK;
}

// ---- Strings -------------------------------------------------------------------------------------------------------

// Sizes come last string first, NULs included; then all strings in order.
static mr_status read_strings(mr_bytecode *b) {
  mr_cursor *c = &b->sections[MR_SECTION_STRING];
  MR_TRY(mr_cursor_count(c, "strings", &b->num_strings));
  b->strings = mr_arena_array(&b->scratch, mr_str, b->num_strings + 1);
  if (!b->strings) {
    return MR_NO_MEMORY();
  }
  size_t total = 0;
  for (size_t i = b->num_strings; i-- > 0;) {
    MR_TRY(mr_cursor_count(c, "bytes", &b->strings[i].size));
    total += b->strings[i].size;
    if (b->strings[i].size == 0 || total > left(c)) {
      return mr_bytecode_error(c, "string %zu of %zu bytes does not fit", i, b->strings[i].size);
    }
  }
  for (size_t i = 0; i < b->num_strings; i++) {
    b->strings[i].data = (const char *)c->base + c->at;
    c->at += b->strings[i].size--;
    if (c->base[c->at - 1] != 0) {
      return mr_bytecode_error(c, "string %zu does not end in a NUL", i);
    }
  }
  return mr_cursor_finished(c, "the strings");
}

// ---- Dialects and op names -----------------------------------------------------------------------------------------

static mr_dialect dialect_of(mr_str name) {
  return mr_str_is(name, "builtin")     ? MR_DIALECT_BUILTIN
         : mr_str_is(name, "vhlo")      ? MR_DIALECT_VHLO
         : mr_str_is(name, "sdy")       ? MR_DIALECT_SDY
         : mr_str_is(name, "stablehlo") ? MR_DIALECT_STABLEHLO
                                        : MR_DIALECT_OTHER;
}

static mr_status read_dialect(mr_bytecode *b, mr_cursor *c, size_t index) {
  bool versioned = false;
  uint64_t name;
  if (b->version == 0) {
    MR_TRY(mr_cursor_varint(c, &name));
  } else {
    MR_TRY(mr_cursor_flagged(c, &name, &versioned));
  }
  if (name >= b->num_strings) {
    return mr_bytecode_error(c, "string %" PRIu64 " does not exist, there are %zu", name, b->num_strings);
  }
  if (versioned) {
    unsigned id;
    mr_cursor version;
    MR_TRY(mr_cursor_section(c, &id, &version));
  }
  b->dialects[index].name = b->strings[name];
  b->dialects[index].id = dialect_of(b->strings[name]);
  return MR_OK;
}

static mr_status add_op_name(mr_bytecode *b, size_t dialect, mr_str name, bool registered) {
  if (b->num_op_names == b->room_op_names) {
    size_t room = b->room_op_names ? b->room_op_names * 2 : 64;
    mr_op_name *names = mr_arena_array(&b->scratch, mr_op_name, room);
    if (!names) {
      return MR_NO_MEMORY();
    }
    if (b->num_op_names) {
      memcpy(names, b->op_names, b->num_op_names * sizeof(mr_op_name));
    }
    b->op_names = names;
    b->room_op_names = room;
  }
  b->op_names[b->num_op_names++] = (mr_op_name){.name = name,
                                                .dialect = b->dialects[dialect].id,
                                                .registered = registered,
                                                .spelling = b->dialects[dialect].name};
  return MR_OK;
}

static mr_status read_op_names(mr_bytecode *b, mr_cursor *c) {
  size_t dialect, count;
  MR_TRY(mr_cursor_index(c, "dialect", b->num_dialects, &dialect));
  MR_TRY(mr_cursor_count(c, "op names", &count));
  for (size_t i = 0; i < count; i++) {
    uint64_t name;
    bool registered = true;
    if (b->version < 5) {
      MR_TRY(mr_cursor_varint(c, &name));
    } else {
      MR_TRY(mr_cursor_flagged(c, &name, &registered));
    }
    if (name >= b->num_strings) {
      return mr_bytecode_error(c, "string %" PRIu64 " does not exist, there are %zu", name, b->num_strings);
    }
    MR_TRY(add_op_name(b, dialect, b->strings[name], registered));
  }
  return MR_OK;
}

static mr_status read_dialects(mr_bytecode *b) {
  mr_cursor *c = &b->sections[MR_SECTION_DIALECT];
  MR_TRY(mr_cursor_count(c, "dialects", &b->num_dialects));
  b->dialects = mr_arena_alloc(&b->scratch, sizeof *b->dialects * (b->num_dialects + 1));
  if (!b->dialects) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < b->num_dialects; i++) {
    MR_TRY(read_dialect(b, c, i));
  }
  if (b->version >= 4) {
    size_t total;  // a hint for the reader's tables
    MR_TRY(mr_cursor_count(c, "op names", &total));
  }
  while (left(c)) {
    MR_TRY(read_op_names(b, c));
  }
  return MR_OK;
}

// ---- Attribute and type offsets ------------------------------------------------------------------------------------

static mr_status read_entry_group(mr_bytecode *b, mr_cursor *c, mr_entry *entries, size_t room, size_t *at,
                                  size_t *out_count) {
  size_t dialect;
  MR_TRY(mr_cursor_index(c, "dialect", b->num_dialects, &dialect));
  MR_TRY(mr_cursor_count(c, "entries", out_count));
  if (*out_count > room) {
    return mr_bytecode_error(c, "group of %zu entries, only %zu are left", *out_count, room);
  }
  for (size_t i = 0; i < *out_count; i++) {
    uint64_t size;
    bool own;
    MR_TRY(mr_cursor_flagged(c, &size, &own));
    size_t available = b->sections[MR_SECTION_ATTR_TYPE].end - *at;
    if (size > available) {
      return mr_bytecode_error(c, "entry of %" PRIu64 " bytes, %zu are left", size, available);
    }
    entries[i] = (mr_entry){.at = *at, .size = (size_t)size, .dialect = (uint32_t)dialect, .is_text = !own};
    *at += (size_t)size;
  }
  return MR_OK;
}

static mr_status read_entries(mr_bytecode *b, mr_cursor *c, mr_entry *entries, size_t count, size_t *at) {
  for (size_t done = 0; done < count;) {
    size_t group;
    MR_TRY(read_entry_group(b, c, entries + done, count - done, at, &group));
    done += group;
  }
  return MR_OK;
}

static mr_status read_offsets(mr_bytecode *b) {
  mr_cursor *c = &b->sections[MR_SECTION_ATTR_TYPE_OFFSET];
  MR_TRY(mr_cursor_count(c, "attributes", &b->num_attrs));
  MR_TRY(mr_cursor_count(c, "types", &b->num_types));
  b->attrs = mr_arena_array(&b->scratch, mr_entry, b->num_attrs + 1);
  b->types = mr_arena_array(&b->scratch, mr_entry, b->num_types + 1);
  if (!b->attrs || !b->types) {
    return MR_NO_MEMORY();
  }
  size_t at = b->sections[MR_SECTION_ATTR_TYPE].at;
  MR_TRY(read_entries(b, c, b->attrs, b->num_attrs, &at));
  MR_TRY(read_entries(b, c, b->types, b->num_types, &at));
  return mr_cursor_finished(c, "the entry offsets");
}

// ---- Resources and properties --------------------------------------------------------------------------------------

// Value of kind 0: alignment, length, padding, bytes.
static mr_status read_resource_blob(mr_cursor *value, mr_blob *out) {
  uint64_t alignment;
  size_t length;
  MR_TRY(mr_cursor_varint(value, &alignment));
  MR_TRY(mr_cursor_count(value, "bytes", &length));
  if (alignment == 0 || (alignment & (alignment - 1)) || alignment > UINT32_MAX) {
    return mr_bytecode_error(value, "alignment %" PRIu64 " is no power of two", alignment);
  }
  size_t padding = (size_t)(-value->at & (alignment - 1));
  if (padding > left(value) || length != left(value) - padding) {
    return mr_bytecode_error(value, "resource of %zu bytes does not fill its %zu bytes", length, left(value));
  }
  *out = (mr_blob){value->at + padding, length};
  return MR_OK;
}

// Group body: count, then key, size and kind of each; the values lie in the Resource section in that order.
static mr_status read_resource_group(mr_bytecode *b, mr_cursor *c, bool numbered, size_t *room) {
  mr_cursor *values = &b->sections[MR_SECTION_RESOURCE];
  size_t count;
  MR_TRY(mr_cursor_count(c, "resources", &count));
  for (size_t i = 0; i < count; i++) {
    mr_str key;
    uint64_t size;
    uint8_t kind;
    MR_TRY(mr_cursor_string(b, c, &key));
    MR_TRY(mr_cursor_varint(c, &size));
    MR_TRY(mr_cursor_byte(c, &kind));
    if (size > left(values) || *room == 0) {
      return mr_bytecode_error(c, "resource of %" PRIu64 " bytes, %zu are left", size, left(values));
    }
    mr_cursor value = {values->base, values->at, values->at + (size_t)size};
    values->at += (size_t)size;
    mr_blob blob = {0};
    if (size && kind == 0) {
      MR_TRY(read_resource_blob(&value, &blob));
    }
    if (numbered) {
      b->resources[b->num_resources++] = blob;
      *room -= 1;
    }
  }
  return MR_OK;
}

static mr_status read_resources(mr_bytecode *b) {
  if (!b->present[MR_SECTION_RESOURCE] || !b->present[MR_SECTION_RESOURCE_OFFSET]) {
    return MR_OK;
  }
  mr_cursor *c = &b->sections[MR_SECTION_RESOURCE_OFFSET];
  size_t room = left(c) + 1, groups;
  b->resources = mr_arena_array(&b->scratch, mr_blob, room);
  if (!b->resources) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_cursor_count(c, "resource groups", &groups));
  for (size_t i = 0; i < groups; i++) {
    mr_str owner;
    MR_TRY(mr_cursor_string(b, c, &owner));
    MR_TRY(read_resource_group(b, c, false, &room));
  }
  while (left(c)) {
    size_t dialect;
    MR_TRY(mr_cursor_index(c, "dialect", b->num_dialects, &dialect));
    MR_TRY(read_resource_group(b, c, true, &room));
  }
  return MR_OK;
}

static mr_status read_properties(mr_bytecode *b) {
  if (!b->present[MR_SECTION_PROPERTIES]) {
    return MR_OK;
  }
  mr_cursor *c = &b->sections[MR_SECTION_PROPERTIES];
  MR_TRY(mr_cursor_count(c, "property lists", &b->num_properties));
  b->properties = mr_arena_array(&b->scratch, mr_blob, b->num_properties + 1);
  if (!b->properties) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < b->num_properties; i++) {
    MR_TRY(mr_cursor_blob(c, &b->properties[i]));
  }
  return mr_cursor_finished(c, "the properties");
}

// ---- The whole file ------------------------------------------------------------------------------------------------

static mr_status read_file(mr_bytecode *b) {
  MR_TRY(read_header(b));
  MR_TRY(read_sections(b));
  MR_TRY(read_strings(b));
  MR_TRY(read_dialects(b));
  MR_TRY(read_offsets(b));
  MR_TRY(read_resources(b));
  MR_TRY(read_properties(b));
  return mr_bytecode_read_module(b);
}

mr_status mr_read_bytecode(mr_span bytes, mr_module **out_module) {
  *out_module = NULL;
  mr_bytecode b = {.file = {bytes.data, 0, bytes.size}, .weight_limit = (1u << 16) + 64 * (uint64_t)bytes.size};
  size_t limit = ((size_t)64 << 20) + 64 * bytes.size;
  MR_TRY(mr_module_create(limit, &b.module));
  b.arena = &b.module->arena;
  mr_arena_init(&b.scratch, limit);
  mr_arena_init(&b.drafts, limit);
  mr_status status = mr_module_end(b.module, read_file(&b));
  mr_arena_deinit(&b.scratch);
  mr_arena_deinit(&b.drafts);
  mr_free(b.values);
  if (status) {
    mr_module_release(b.module);
    return status;
  }
  *out_module = b.module;
  return MR_OK;
}

mr_status mr_read_program(mr_span bytes, mr_module **out_module) {
  static const uint8_t magic[2] = {0x4D, 0x4C};
  const uint8_t *data = bytes.data;
  // "ML" alone tells: the third byte of the magic is no ASCII, so no text begins with it.
  if (bytes.size >= 3 && memcmp(data, magic, sizeof magic) == 0 && data[2] == 0xEF) {
    return mr_read_bytecode(bytes, out_module);
  }
  return mr_read_text(bytes, out_module);
}

mr_status mr_read_as(mr_span bytes, mr_program_format format, mr_module **out_module) {
  if (format == MR_PROGRAM_MLIR) {
    return mr_read_program(bytes, out_module);
  }
  MR_TRY(mr_read_hlo(bytes, format == MR_PROGRAM_HLO_WITH_CONFIG, out_module));
  (*out_module)->prints_origins = false;  // as of any other program that is shown
  return MR_OK;
}
