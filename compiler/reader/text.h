// text: the parts of the text reader, a recursive descent over the characters. text_lexer.c reads tokens, text_type.c
// types, text_attr.c, text_struct.c and text_dense.c attributes, text_names.c keeps value names and aliases, text_op.c
// reads ops in the generic form and regions, text_pretty.c, text_region.c, text_chlo.c and text_sdy.c the forms of
// single ops, text_mhlo.c the dialect that spells them differently, text_module.c the file.
//
// Private to compiler/reader. One mr_parser lives on the stack of mr_read_text. Strings (mr_str) of the parser point
// into the input unless they go into the IR.
//
// Threads: one reader, one thread. Errors: INVALID_ARGUMENT with line and column (from 1, columns in bytes), what was expected and
// what was found; UNIMPLEMENTED by name.
#ifndef MR_COMPILER_READER_TEXT_H
#define MR_COMPILER_READER_TEXT_H

#include <locale.h>

#include "compiler/reader/normalize.h"

typedef struct mr_alias {
  mr_str name;    // "#map" or "!t"
  size_t at;      // of its value
  uint8_t state;  // 0 not read, 1 being read, 2 read
  bool is_type;
  uint64_t weight;
  mr_attr attr;
  mr_rtype type;
} mr_alias;

// What `#loc3` stands for.
typedef struct mr_location_alias {
  mr_str name;
  size_t at;      // behind `loc(`
  uint8_t state;  // 0 not read, 1 being read, 2 read
  mr_origin origin;
} mr_location_alias;

typedef struct mr_named_blob {
  mr_str key;
  size_t at;  // of the string that holds it
} mr_named_blob;

// A name in scope and the results it stands for.
typedef struct mr_name {
  mr_str name;
  mr_value **values;
  uint32_t count;
  uint32_t slot;
} mr_name;

typedef struct mr_parser {
  const char *text;
  size_t size, at;
  mr_module *module;
  mr_arena *arena;                // the module's
  mr_arena kept;                  // names, aliases and what they stand for
  mr_arena scratch;               // of the op that is read, and those that it lies in
  locale_t locale;                // numbers with a dot whatever the process uses
  int depth;                      // of types, attributes and regions
  uint64_t weight, weight_limit;  // attributes and types made so far, alias contents counted at each use
  size_t seen, seen_line_start;   // where lines have been counted to
  uint32_t seen_line;
  mr_alias *aliases;
  size_t num_aliases, room_aliases;
  mr_location_alias *locations;
  size_t num_locations, room_locations;
  mr_named_blob *resources;
  size_t num_resources, room_resources;
  mr_name *names;  // in order of definition
  size_t num_names, room_names;
  uint32_t *name_table;  // index + 1 into names
  size_t name_table_size;
} mr_parser;

// Where ops go.
typedef struct mr_place {
  mr_function *function;
  mr_block *block;
} mr_place;

// The values that a parsed op gives its names to.
typedef struct mr_parsed {
  mr_value **values;
  size_t count;
} mr_parsed;

// ---- text_lexer.c --------------------------------------------------------------------------------------------------

// "line:column: expected .., found .." at the next token.
mr_status mr_parse_error(mr_parser *p, const char *format, ...) MR_PRINTF(2, 3) MR_WARN_UNUSED;
mr_status mr_parse_unsupported(mr_parser *p, size_t at, const char *what, mr_str name) MR_WARN_UNUSED;
// Puts the line and column of `at` in front of another layer's message.
mr_status mr_parse_note(mr_parser *p, size_t at, mr_status take_status) MR_WARN_UNUSED;
mr_loc mr_parse_loc(mr_parser *p, size_t at);
void mr_parse_blank(mr_parser *p);
char mr_parse_peek(mr_parser *p);  // next character that is not blank, 0 at the end
bool mr_parse_accept(mr_parser *p, const char *punctuation);
mr_status mr_parse_expect(mr_parser *p, const char *punctuation) MR_WARN_UNUSED;
bool mr_parse_peek_word(mr_parser *p, mr_str *out);
bool mr_parse_accept_word(mr_parser *p, const char *word);
mr_status mr_parse_expect_word(mr_parser *p, const char *word) MR_WARN_UNUSED;
mr_status mr_parse_word(mr_parser *p, mr_str *out) MR_WARN_UNUSED;
// After a sigil: digits, or letters, digits and $._-
mr_status mr_parse_suffix(mr_parser *p, mr_str *out) MR_WARN_UNUSED;
mr_status mr_parse_string(mr_parser *p, mr_str *out) MR_WARN_UNUSED;      // unescaped, in the arena
mr_status mr_parse_raw_string(mr_parser *p, mr_str *out) MR_WARN_UNUSED;  // as written, without the quotes
mr_status mr_parse_int(mr_parser *p, int64_t *out) MR_WARN_UNUSED;
mr_status mr_parse_bool(mr_parser *p, int64_t *out) MR_WARN_UNUSED;
// The next number as written, sign included: digits, 0x.., or with a dot and exponent.
mr_status mr_parse_number(mr_parser *p, mr_str *out, bool *out_is_float) MR_WARN_UNUSED;
mr_status mr_parse_double(mr_parser *p, mr_str number, double *out) MR_WARN_UNUSED;
bool mr_parse_digits(mr_str number, uint64_t *out_magnitude, bool *out_negative, bool *out_hex);
// Skips one bracketed group, strings and comments minded. `angles`: < and > count as brackets as well.
mr_status mr_parse_skip_group(mr_parser *p, bool angles) MR_WARN_UNUSED;
// The text of such a group, without leading blanks.
mr_status mr_parse_raw_group(mr_parser *p, mr_str *out) MR_WARN_UNUSED;
mr_status mr_parse_optional_location(mr_parser *p) MR_WARN_UNUSED;
mr_status mr_parse_enter(mr_parser *p) MR_WARN_UNUSED;  // p->depth++ within the limit
mr_status mr_parse_weigh(mr_parser *p, uint64_t weight) MR_WARN_UNUSED;

// A list that grows in the scratch arena, and so is over with the op; or in one that is said.
mr_status mr_parse_grow(mr_parser *p, void **items, size_t count, size_t *room, size_t item_size) MR_WARN_UNUSED;
mr_status mr_parse_grow_in(mr_arena *arena, void **items, size_t count, size_t *room, size_t item_size) MR_WARN_UNUSED;

// ---- text_type.c ---------------------------------------------------------------------------------------------------

mr_status mr_parse_type(mr_parser *p, mr_rtype *out) MR_WARN_UNUSED;
mr_status mr_parse_value_type(mr_parser *p, mr_type *out) MR_WARN_UNUSED;
typedef struct mr_type_list {
  mr_type *types;
  size_t count, room;
} mr_type_list;
// Types with commas between them; none when the closing parenthesis comes at once.
mr_status mr_parse_type_list(mr_parser *p, mr_type_list *out) MR_WARN_UNUSED;
mr_status mr_parse_paren_types(mr_parser *p, mr_type_list *out) MR_WARN_UNUSED;
// What stands after "->": one type or a list in parentheses.
mr_status mr_parse_result_types(mr_parser *p, mr_type_list *out) MR_WARN_UNUSED;

// ---- text_attr.c, text_struct.c, text_dense.c ----------------------------------------------------------------------

mr_status mr_parse_attr(mr_parser *p, mr_attr *out) MR_WARN_UNUSED;
mr_status mr_parse_dict(mr_parser *p, mr_attr *out) MR_WARN_UNUSED;  // { .. }
// A copy of the items, in the arena.
mr_status mr_parse_keep_items(mr_parser *p, mr_attr_kind kind, const mr_attr *items, size_t count,
                              mr_attr *out) MR_WARN_UNUSED;
mr_status mr_parse_draft_dict(mr_parser *p, mr_draft *draft) MR_WARN_UNUSED;
mr_status mr_parse_ints(mr_parser *p, mr_ints *out) MR_WARN_UNUSED;  // [1, 2]
mr_status mr_parse_symbol(mr_parser *p, mr_str *out) MR_WARN_UNUSED;
// #name, #dialect.name<..>, #dialect<..>
mr_status mr_parse_hash(mr_parser *p, mr_attr *out) MR_WARN_UNUSED;
mr_status mr_parse_struct(mr_parser *p, mr_attr *out) MR_WARN_UNUSED;          // <field = value, ..>
mr_status mr_parse_conv_numbers(mr_parser *p, mr_attr *out) MR_WARN_UNUSED;    // [b, 0, f]x[0, i, o]->[b, 0, f]
mr_status mr_parse_dense(mr_parser *p, mr_attr *out) MR_WARN_UNUSED;           // after "dense"
mr_status mr_parse_dense_resource(mr_parser *p, mr_attr *out) MR_WARN_UNUSED;  // after "dense_resource"
mr_status mr_parse_array(mr_parser *p, mr_attr *out) MR_WARN_UNUSED;           // after "array"

// ---- text_names.c --------------------------------------------------------------------------------------------------

mr_status mr_names_define(mr_parser *p, mr_str name, mr_value **values, size_t count) MR_WARN_UNUSED;
// %name or %name#2
mr_status mr_parse_use(mr_parser *p, mr_value **out) MR_WARN_UNUSED;
mr_status mr_parse_value_name(mr_parser *p, mr_str *out) MR_WARN_UNUSED;
void mr_names_release(mr_parser *p, size_t mark);  // forgets all names after the first `mark`
mr_alias *mr_alias_find(mr_parser *p, mr_str name);
// What the alias stands for is read where it is first used, by `read`, and weighs at each use. `start`: of the name.
mr_status mr_alias_use(mr_parser *p, size_t start, mr_alias *alias,
                       mr_status (*read)(mr_parser *, mr_alias *)) MR_WARN_UNUSED;
const mr_named_blob *mr_resource_find(mr_parser *p, mr_str name);
// Finds alias definitions and resources at top level, which may come after their uses.
mr_status mr_parse_scan(mr_parser *p) MR_WARN_UNUSED;

// ---- text_loc.c ----------------------------------------------------------------------------------------------------

// `loc("name"..)`, or an alias of that, if there is one, and all of the name; empty: it names nothing.
mr_status mr_parse_location_name(mr_parser *p, mr_str *out) MR_WARN_UNUSED;
// `loc(..)`, if there is one, and what it says; NULL: nothing.
mr_status mr_parse_origin(mr_parser *p, const mr_origin **out) MR_WARN_UNUSED;
void mr_location_sort(mr_parser *p);  // once all are there, before any is looked for

// ---- text_op.c -----------------------------------------------------------------------------------------------------

// { label? ops }; argument names are visible inside and forgotten after.
mr_status mr_parse_region(mr_parser *p, mr_place place) MR_WARN_UNUSED;
// `(%a: T loc?, ..)` as arguments of the block, names included.
mr_status mr_parse_block_args(mr_parser *p, mr_block *block) MR_WARN_UNUSED;
mr_status mr_draft_operand(mr_draft *draft, mr_value *value) MR_WARN_UNUSED;
mr_status mr_draft_region(mr_parser *p, mr_draft *draft, mr_function *function, mr_block **out) MR_WARN_UNUSED;
mr_status mr_parse_operands(mr_parser *p, mr_draft *draft) MR_WARN_UNUSED;  // uses with commas, maybe none
// `: (T, U) -> R` with the operands compared.
mr_status mr_parse_signature(mr_parser *p, mr_draft *draft) MR_WARN_UNUSED;
// The types that are written for the operands are those they have; `start` is where they are written.
mr_status mr_parse_check_operands(mr_parser *p, size_t start, const mr_draft *draft,
                                  const mr_type_list *types) MR_WARN_UNUSED;
mr_status mr_parse_finish(mr_parser *p, mr_draft *draft, mr_parsed *out) MR_WARN_UNUSED;
mr_status mr_parse_generic_head(mr_parser *p, mr_draft *draft, mr_str *out_name) MR_WARN_UNUSED;
mr_status mr_parse_properties(mr_parser *p, mr_draft *draft) MR_WARN_UNUSED;  // <{ .. }>
mr_op_kind mr_parse_op_kind(mr_str spelling);

// ---- text_pretty.c, text_region.c, text_chlo.c, text_sdy.c ---------------------------------------------------------

mr_status mr_parse_pretty(mr_parser *p, mr_place place, mr_parsed *out) MR_WARN_UNUSED;
// `: types`, in any of the pretty forms.
mr_status mr_parse_types(mr_parser *p, mr_draft *draft) MR_WARN_UNUSED;
mr_status mr_parse_while(mr_parser *p, mr_draft *draft, mr_place place) MR_WARN_UNUSED;
mr_status mr_parse_reduce(mr_parser *p, mr_draft *draft, mr_place place) MR_WARN_UNUSED;
mr_status mr_parse_scan_op(mr_parser *p, mr_draft *draft, mr_place place) MR_WARN_UNUSED;
mr_status mr_parse_convolution(mr_parser *p, mr_draft *draft) MR_WARN_UNUSED;
mr_status mr_parse_sdy_op(mr_parser *p, mr_draft *draft, mr_place place) MR_WARN_UNUSED;
// Ops of CHLO that become several of StableHLO; `name` has the dialect.
bool mr_chlo_expands(mr_str name);
mr_status mr_chlo_expand(mr_parser *p, mr_draft *draft, mr_parsed *out) MR_WARN_UNUSED;

// ---- text_mhlo.c ----------------------------------------------------------------------------------------------------

bool mr_mhlo_is(mr_str name);
mr_op_kind mr_mhlo_op_kind(mr_str name);  // MR_OP_COUNT when unknown
// StableHLO's name for an attribute or type of mhlo; other names as they are.
mr_status mr_mhlo_twin(mr_parser *p, mr_str name, mr_str *out) MR_WARN_UNUSED;
mr_status mr_mhlo_check(mr_parser *p, const mr_draft *draft) MR_WARN_UNUSED;

// ---- text_module.c -------------------------------------------------------------------------------------------------

#endif
