// bytecode: the parts of the bytecode reader. bytecode.c takes the container apart (sections, strings, dialects, op
// names, resources), bytecode_attr.c and bytecode_type.c read attributes and types on demand, bytecode_sdy.c turns
// Shardy's attributes into their text, bytecode_native.c knows StableHLO without VHLO, bytecode_ir.c builds functions from the
// IR section.
//
// Private to compiler/reader. One mr_bytecode lives on the stack of mr_read_bytecode; everything that is not part of
// the IR is in its scratch arena. Strings and blobs point into the input and are copied when they enter the IR.
//
// Threads: one reader, one thread. Errors: INVALID_ARGUMENT with the offset in bytes and what was expected, UNIMPLEMENTED by name.
#ifndef MR_COMPILER_READER_BYTECODE_H
#define MR_COMPILER_READER_BYTECODE_H

#include "compiler/reader/normalize.h"

// A window of the file. `base` is the file's first byte, so `at` is the offset that messages give.
typedef struct mr_cursor {
  const uint8_t *base;
  size_t at, end;
} mr_cursor;

typedef enum mr_dialect {
  MR_DIALECT_OTHER,
  MR_DIALECT_BUILTIN,
  MR_DIALECT_VHLO,
  MR_DIALECT_SDY,
  MR_DIALECT_STABLEHLO
} mr_dialect;

enum {
  MR_SECTION_STRING,
  MR_SECTION_DIALECT,
  MR_SECTION_ATTR_TYPE,
  MR_SECTION_ATTR_TYPE_OFFSET,
  MR_SECTION_IR,
  MR_SECTION_RESOURCE,
  MR_SECTION_RESOURCE_OFFSET,
  MR_SECTION_DIALECT_VERSIONS,
  MR_SECTION_PROPERTIES,
  MR_SECTION_COUNT
};

typedef enum mr_entry_state { MR_ENTRY_UNREAD, MR_ENTRY_OPEN, MR_ENTRY_READ } mr_entry_state;

// One attribute or type of the file.
typedef struct mr_entry {
  size_t at, size;
  uint32_t dialect;
  bool is_text;  // assembly text instead of the dialect's own encoding
  uint8_t state;
  const void *value;  // mr_attr_value or mr_rtype once read
} mr_entry;

// An attribute as read: a builtin attribute, and what a wrapper needs to know about it.
typedef struct mr_attr_value {
  mr_attr attr;
  uint64_t weight;  // attributes inside, shared ones counted each time
  bool is_symbol;
} mr_attr_value;

typedef struct mr_op_name {
  mr_str spelling;  // "vhlo.add_v1"
  mr_str name;      // "add_v1"
  mr_dialect dialect;
  bool registered;
  bool resolved;  // the fields below are filled in
  mr_op_kind kind;
  const mr_props *stored;
  mr_str stable;  // "stablehlo.add"
} mr_op_name;

typedef struct mr_blob {
  size_t at, size;
} mr_blob;

typedef struct mr_bytecode {
  mr_cursor file;
  uint64_t version;
  mr_module *module;
  mr_arena *arena;  // the module's
  mr_arena scratch;
  mr_arena drafts;  // of the op that is read, and those that it lies in
  mr_cursor sections[MR_SECTION_COUNT];
  bool present[MR_SECTION_COUNT];
  mr_str *strings;
  size_t num_strings;
  struct {
    mr_str name;
    mr_dialect id;
  } *dialects;
  size_t num_dialects;
  mr_op_name *op_names;
  size_t num_op_names, room_op_names;
  mr_entry *attrs, *types;
  const mr_origin **origins;  // by attribute: what it says as a location; NULL: nobody asked
  size_t num_attrs, num_types;
  mr_blob *resources;  // dialect resources, as numbered by attributes
  size_t num_resources;
  mr_blob *properties;
  size_t num_properties;
  int depth;              // of attributes and types being read
  uint64_t weight_limit;  // what one attribute may expand to
  // The IR section: the values in scope, and how many more may be declared (each takes a byte of the section).
  mr_value **values;
  size_t num_values, room_values, values_left, scope;
  int region_depth;
} mr_bytecode;

// ---- Cursor (bytecode.c) -------------------------------------------------------------------------------------------

mr_status mr_bytecode_error(const mr_cursor *cursor, const char *format, ...) MR_PRINTF(2, 3) MR_WARN_UNUSED;
mr_status mr_cursor_byte(mr_cursor *cursor, uint8_t *out) MR_WARN_UNUSED;
mr_status mr_cursor_varint(mr_cursor *cursor, uint64_t *out) MR_WARN_UNUSED;
mr_status mr_cursor_svarint(mr_cursor *cursor, int64_t *out) MR_WARN_UNUSED;
mr_status mr_cursor_flagged(mr_cursor *cursor, uint64_t *out, bool *out_flag) MR_WARN_UNUSED;
mr_status mr_cursor_f64(mr_cursor *cursor, double *out) MR_WARN_UNUSED;
// A count of things that take at least one byte each.
mr_status mr_cursor_count(mr_cursor *cursor, const char *what, size_t *out) MR_WARN_UNUSED;
mr_status mr_cursor_blob(mr_cursor *cursor, mr_blob *out) MR_WARN_UNUSED;
// A number below `count`.
mr_status mr_cursor_index(mr_cursor *cursor, const char *what, size_t count, size_t *out) MR_WARN_UNUSED;
mr_status mr_cursor_string(mr_bytecode *b, mr_cursor *cursor, mr_str *out) MR_WARN_UNUSED;  // in the input
mr_status mr_cursor_ints(mr_bytecode *b, mr_cursor *cursor, mr_ints *out) MR_WARN_UNUSED;   // in the arena
mr_status mr_cursor_section(mr_cursor *cursor, unsigned *out_id, mr_cursor *out_section) MR_WARN_UNUSED;
mr_status mr_cursor_finished(const mr_cursor *cursor, const char *what) MR_WARN_UNUSED;

// ---- Attributes and types ------------------------------------------------------------------------------------------

mr_status mr_bytecode_attr(mr_bytecode *b, size_t index, const mr_attr_value **out) MR_WARN_UNUSED;
mr_status mr_bytecode_type(mr_bytecode *b, size_t index, const mr_rtype **out) MR_WARN_UNUSED;
// The same for a reference that comes next in the file.
mr_status mr_cursor_attr(mr_bytecode *b, mr_cursor *cursor, const mr_attr_value **out) MR_WARN_UNUSED;
mr_status mr_cursor_type(mr_bytecode *b, mr_cursor *cursor, const mr_rtype **out) MR_WARN_UNUSED;
// A type that values may have.
mr_status mr_cursor_value_type(mr_bytecode *b, mr_cursor *cursor, mr_type *out) MR_WARN_UNUSED;
// What an attribute says as a location (bytecode_loc.c); NULL: nothing.
mr_status mr_bytecode_origin(mr_bytecode *b, size_t index, const mr_origin **out) MR_WARN_UNUSED;
// What a location names, all of it; empty: nothing.
mr_status mr_bytecode_location_name(mr_bytecode *b, size_t index, mr_str *out) MR_WARN_UNUSED;
// As the text of an attribute of Shardy; `nested` leaves the "#sdy.sharding" in front away.
mr_status mr_bytecode_sdy_text(mr_bytecode *b, size_t index, bool nested, mr_text *text) MR_WARN_UNUSED;
mr_status mr_bytecode_guard(mr_bytecode *b, mr_entry *entry, const mr_cursor *cursor) MR_WARN_UNUSED;

// ---- StableHLO's own encodings -------------------------------------------------------------------------------------

// The names of the properties that an op of builtin's, StableHLO's or CHLO's own form stores, in order, ? before an optional one;
// NULL when it stores none.
const char *const *mr_native_properties(mr_str op, mr_op_kind kind);
mr_op_kind mr_native_kind(mr_str op);
mr_status mr_native_attr(mr_bytecode *b, mr_cursor *cursor, uint64_t code, mr_attr_value *out) MR_WARN_UNUSED;

// ---- Functions -----------------------------------------------------------------------------------------------------

mr_status mr_bytecode_read_module(mr_bytecode *b) MR_WARN_UNUSED;

#endif
