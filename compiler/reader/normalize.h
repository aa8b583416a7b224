// normalize: what both readers share. A reader collects an op as a draft (name, operands, result types, regions,
// attributes as written); mr_draft_finish turns it into an op of the IR in normal form: kind by name, attributes under
// the keys of attrs.def with their defaults, everything else in `extra`.
//
// Private to compiler/reader. Threads: one reader, one thread. Ownership: the IR's memory is the module's arena; drafts
// live on the stack, their arrays in the reader's scratch arena.
//
//   mr_draft draft = {.module = module, .scratch = &scratch, .block = block, .name = MR_STR("stablehlo.add")};
//   MR_TRY(mr_draft_attr(&draft, MR_STR("mhlo.sharding"), attr));
//   MR_TRY(mr_draft_finish(&draft, &op));
#ifndef MR_COMPILER_READER_NORMALIZE_H
#define MR_COMPILER_READER_NORMALIZE_H

#include "compiler/ir/ir.h"

// Regions, types and attributes nest no deeper than this; programs of JAX stay below 20.
#define MR_READ_DEPTH 200
// Longest list of integers that a splat may stand for.
#define MR_READ_INTS (1 << 20)
// Most attributes of one op; looking one up walks them all.
#define MR_READ_ATTRS 1024

// ---- Types as they are read ----------------------------------------------------------------------------------------

typedef enum mr_rtype_form {
  MR_RTYPE_UNREAD,
  MR_RTYPE_VALUE,    // what a value may have
  MR_RTYPE_ELEMENT,  // an element type: dtype and quantisation in `type`, as a scalar
  MR_RTYPE_FUNCTION,
  MR_RTYPE_NONE,
  MR_RTYPE_OTHER,  // legal MLIR that no StableHLO program can use: an error only when something needs it
} mr_rtype_form;

typedef struct mr_rtype {
  mr_rtype_form form;
  uint32_t num_inputs, num_results;  // FUNCTION
  mr_type type;                      // VALUE, ELEMENT
  const mr_type *inputs, *results;   // FUNCTION
  uint64_t weight;                   // types inside, shared ones counted each time
  const char *name;                  // OTHER: what to call it in an attribute, or NULL
} mr_rtype;

// Checks rank, sizes and bytes of a tensor type and copies its dims into the arena.
mr_status mr_read_tensor_type(mr_arena *arena, const mr_type *element, size_t rank, const int64_t *dims,
                              const int64_t *bounds, mr_type *out_type) MR_WARN_UNUSED;
bool mr_read_dtype(unsigned width, char sign, mr_dtype *out_dtype);  // sign: 'i', 's' or 'u'

// ---- Attribute values ----------------------------------------------------------------------------------------------

mr_attr mr_read_attr_int(int64_t value, mr_dtype dtype);
mr_attr mr_read_attr_string(mr_str value);
mr_attr mr_read_attr_ints(mr_ints ints, int64_t rows);
// A function type as a DICT {inputs, results} of ARRAYs of TYPE: the IR has no other form for it.
mr_status mr_read_attr_function(mr_arena *arena, const mr_rtype *type, mr_attr *out) MR_WARN_UNUSED;
// Any type: TYPE, a function as above, TEXT ("none", ..) for what the IR does not know.
mr_status mr_read_attr_type(mr_arena *arena, const mr_rtype *type, mr_attr *out) MR_WARN_UNUSED;
// Constant data from its stored bytes: `packed` says that i1 comes eight to a byte. Copies into the arena.
mr_status mr_read_dense(mr_arena *arena, const mr_type *type, mr_span bytes, bool packed,
                        mr_dense *out_dense) MR_WARN_UNUSED;
// The number behind an enum word of StableHLO ("LT"); false when no enum of that key has it.
bool mr_enum_number(mr_attr_key key, mr_str word, int64_t *out_number);
// The key that the enum called `kind` in #stablehlo<kind WORD> belongs to; MR_ATTR_none when unknown.
mr_attr_key mr_enum_key(mr_str kind);

// ---- Property tables -----------------------------------------------------------------------------------------------

typedef enum mr_want {
  MR_WANT_INT,
  MR_WANT_INTS,
  MR_WANT_PAIRS,   // INTS [n, 2]
  MR_WANT_GROUPS,  // INTS [groups, size], or DICT of mesh axes
  MR_WANT_FLOAT,
  MR_WANT_STRING,
  MR_WANT_DENSE,
  MR_WANT_STRINGS,  // ARRAY of STRING
  MR_WANT_LISTS,    // ARRAY of INTS
  MR_WANT_ARRAY,
  MR_WANT_DICT,
  MR_WANT_ANY,
} mr_want;

typedef enum mr_fallback {
  MR_FALLBACK_NONE,    // required
  MR_FALLBACK_ABSENT,  // may stay away
  MR_FALLBACK_ZERO,
  MR_FALLBACK_ONE,
  MR_FALLBACK_MINUS_ONE,
  MR_FALLBACK_EMPTY,      // list, array, string or dictionary by what is wanted
  MR_FALLBACK_ONES,       // one per window dimension
  MR_FALLBACK_ZEROS,      // one per window dimension (two for pairs)
  MR_FALLBACK_PRECISION,  // [0, 0]
} mr_fallback;

typedef struct mr_prop {
  mr_attr_key key;
  mr_want want;
  mr_fallback fallback;
} mr_prop;

typedef struct mr_props {
  mr_op_kind kind;
  int first, last;  // versions of the VHLO op that store exactly these, in this order
  const mr_prop *props;
  size_t count;
} mr_props;

// What VHLO's version of an op stores; NULL when it stores nothing.
const mr_props *mr_props_find(mr_op_kind kind, int version);
// What the newest version stores: the normal form's attributes.
const mr_props *mr_props_newest(mr_op_kind kind);
// Splits "reduce_v1" into name and version; false when it does not end that way.
bool mr_vhlo_split(mr_str spelling, mr_str *out_name, int *out_version);
mr_op_kind mr_vhlo_kind(mr_str name);  // without version; MR_OP_COUNT when unknown

// ---- Drafts --------------------------------------------------------------------------------------------------------

typedef struct mr_draft {
  mr_module *module;
  mr_arena *scratch;
  mr_block *block;  // where the op goes
  mr_str name;      // stablehlo spelling, for messages and the kinds that stand for several
  mr_op_kind kind;
  uint32_t num_operands, num_results, num_regions;
  mr_value **operands;
  const mr_type *results;
  mr_block **regions;  // without parent
  mr_attr *attrs;      // in the order written; of two with one name the first counts
  size_t num_attrs, room_attrs;
  bool too_many_attrs, out_of_memory;
  mr_loc loc;
} mr_draft;

// An attribute that does not fit, or that there is no memory for, is remembered: mr_draft_check() says so, and with it whatever
// makes something of the draft.
void mr_draft_attr(mr_draft *draft, mr_str name, const mr_attr *value);
void mr_draft_keyed(mr_draft *draft, mr_attr_key key, const mr_attr *value);
void mr_draft_int(mr_draft *draft, mr_attr_key key, int64_t value);
void mr_draft_ints(mr_draft *draft, mr_attr_key key, mr_ints ints, int64_t rows);
void mr_draft_string(mr_draft *draft, mr_attr_key key, mr_str text);
mr_status mr_draft_check(const mr_draft *draft) MR_WARN_UNUSED;
const mr_attr *mr_draft_find(const mr_draft *draft, const char *name);
// Normalises, builds and links the op. Messages name the op and the attribute; the caller adds the place.
mr_status mr_draft_finish(mr_draft *draft, mr_op **out_op) MR_WARN_UNUSED;

mr_str mr_draft_string_of(const mr_draft *draft, const char *name);  // empty when absent
// Adds the function that sym_name, sym_visibility, function_type, arg_attrs and res_attrs describe; its body is empty.
mr_status mr_draft_function(mr_draft *draft, mr_function **out_function) MR_WARN_UNUSED;
// The draft's attributes become its module's; its name apart.
mr_status mr_draft_module_attrs(const mr_draft *draft) MR_WARN_UNUSED;
mr_status mr_read_mesh(mr_module *module, mr_str name, mr_str text) MR_WARN_UNUSED;

// ---- Locations (functions.c) ----------------------------------------------------------------------------------------

// What `more` says and `origin` does not yet.
void mr_origin_add(mr_origin *origin, const mr_origin *more);
// The part of a location's name that is about the op, as XLA has it; empty for the name of a kind of op.
mr_str mr_origin_path(mr_str name);
// In the arena, where its texts are; `none` when it says nothing. NULL when memory is short.
const mr_origin *mr_origin_keep(mr_arena *arena, const mr_origin *origin, const mr_origin *none);

#endif
