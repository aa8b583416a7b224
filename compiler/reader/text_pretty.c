// The pretty forms of ops. Most are operands and `word = value` clauses with commas, a dictionary, and types; a table
// says which attribute a clause is. The few that look different have a function each, those with regions in text_region.c.
#include "compiler/reader/text.h"

#include <string.h>

// ---- Clauses -------------------------------------------------------------------------------------------------------

typedef enum clause_form {
  CLAUSE_INT,
  CLAUSE_INTS,
  CLAUSE_BOOL,
  CLAUSE_STRING,
  CLAUSE_ENUM,       // a bare word
  CLAUSE_ENUMS,      // [WORD, WORD]
  CLAUSE_PAIR,       // [0] x [0], two attributes
  CLAUSE_FORMAT,     // e5m10, two attributes
  CLAUSE_ALGORITHM,  // <field = value, ..>
} clause_form;

// ANY: for every op that has no line of its own for the word.
#define ANY MR_OP_COUNT
static const struct clause {
  mr_op_kind op;
  const char *word;
  clause_form form;
  mr_attr_key first, second;
} clauses[] = {
    {MR_OP_broadcast_in_dim, "dims", CLAUSE_INTS, MR_ATTR_broadcast_dimensions, MR_ATTR_none},
    {MR_OP_dynamic_broadcast_in_dim, "dims", CLAUSE_INTS, MR_ATTR_broadcast_dimensions, MR_ATTR_none},
    {MR_OP_transpose, "dims", CLAUSE_INTS, MR_ATTR_permutation, MR_ATTR_none},
    {MR_OP_reverse, "dims", CLAUSE_INTS, MR_ATTR_dimensions, MR_ATTR_none},
    {MR_OP_broadcast, "sizes", CLAUSE_INTS, MR_ATTR_broadcast_sizes, MR_ATTR_none},
    {MR_OP_dynamic_slice, "sizes", CLAUSE_INTS, MR_ATTR_slice_sizes, MR_ATTR_none},
    {MR_OP_pad, "low", CLAUSE_INTS, MR_ATTR_edge_padding_low, MR_ATTR_none},
    {MR_OP_pad, "high", CLAUSE_INTS, MR_ATTR_edge_padding_high, MR_ATTR_none},
    {MR_OP_pad, "interior", CLAUSE_INTS, MR_ATTR_interior_padding, MR_ATTR_none},
    {MR_OP_iota, "dim", CLAUSE_INT, MR_ATTR_iota_dimension, MR_ATTR_none},
    {MR_OP_dynamic_iota, "dim", CLAUSE_INT, MR_ATTR_iota_dimension, MR_ATTR_none},
    {ANY, "dim", CLAUSE_INT, MR_ATTR_dimension, MR_ATTR_none},
    {ANY, "format", CLAUSE_FORMAT, MR_ATTR_exponent_bits, MR_ATTR_mantissa_bits},
    {ANY, "type", CLAUSE_ENUM, MR_ATTR_fft_type, MR_ATTR_none},
    {ANY, "length", CLAUSE_INTS, MR_ATTR_fft_length, MR_ATTR_none},
    {ANY, "config", CLAUSE_STRING, MR_ATTR_einsum_config, MR_ATTR_none},
    {ANY, "distribution", CLAUSE_ENUM, MR_ATTR_rng_distribution, MR_ATTR_none},
    {MR_OP_rng_bit_generator, "algorithm", CLAUSE_ENUM, MR_ATTR_rng_algorithm, MR_ATTR_none},
    {ANY, "algorithm", CLAUSE_ALGORITHM, MR_ATTR_none, MR_ATTR_none},
    {ANY, "precision", CLAUSE_ENUMS, MR_ATTR_precision_config, MR_ATTR_none},
    {ANY, "batching_dims", CLAUSE_PAIR, MR_ATTR_lhs_batching_dimensions, MR_ATTR_rhs_batching_dimensions},
    {ANY, "contracting_dims", CLAUSE_PAIR, MR_ATTR_lhs_contracting_dimensions, MR_ATTR_rhs_contracting_dimensions},
    {ANY, "lower", CLAUSE_BOOL, MR_ATTR_lower, MR_ATTR_none},
    {ANY, "k", CLAUSE_INT, MR_ATTR_k, MR_ATTR_none},
    {ANY, "largest", CLAUSE_BOOL, MR_ATTR_none, MR_ATTR_none},
    {ANY, "is_stable", CLAUSE_BOOL, MR_ATTR_is_stable, MR_ATTR_none},
};

static const struct clause *find_clause(mr_op_kind op, mr_str word) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(clauses); i++) {
    if ((clauses[i].op == op || clauses[i].op == ANY) && mr_str_is(word, clauses[i].word)) {
      return &clauses[i];
    }
  }
  return NULL;
}

static mr_status parse_enum_word(mr_parser *p, mr_attr_key key, int64_t *out) {
  mr_str word;
  if (!mr_parse_peek_word(p, &word) || !mr_enum_number(key, word, out)) {
    return mr_parse_error(p, "a value of %s", mr_attr_key_name(key));
  }
  p->at += word.size;
  return MR_OK;
}

// e5m10
static mr_status parse_format(mr_parser *p, mr_draft *draft) {
  mr_str word;
  size_t start = p->at;
  int64_t bits[2] = {0, 0};
  MR_TRY(mr_parse_word(p, &word));
  int part = -1;
  bool good = true;
  for (size_t i = 0; good && i < word.size; i++) {
    char c = word.data[i];
    if (c == (part < 0 ? 'e' : 'm') && part < 1) {
      part++;
    } else {
      good = part >= 0 && c >= '0' && c <= '9' && bits[part] < 1000;
      bits[part < 0 ? 0 : part] = bits[part < 0 ? 0 : part] * 10 + (c - '0');
    }
  }
  if (!good || part != 1) {
    p->at = start;
    return mr_parse_error(p, "a format like e5m10");
  }
  mr_draft_int(draft, MR_ATTR_exponent_bits, bits[0]);
  mr_draft_int(draft, MR_ATTR_mantissa_bits, bits[1]);
  return MR_OK;
}

static mr_status parse_enum_list(mr_parser *p, mr_draft *draft, mr_attr_key key) {
  int64_t words[8];
  size_t count = 0;
  MR_TRY(mr_parse_expect(p, "["));
  while (!mr_parse_accept(p, "]")) {
    if (count == MR_ARRAY_SIZE(words) || (count && !mr_parse_accept(p, ","))) {
      return mr_parse_error(p, "']'");
    }
    MR_TRY(parse_enum_word(p, key, &words[count++]));
  }
  if (count == 0) {
    return MR_OK;
  }
  mr_ints ints = {mr_arena_copy(p->arena, words, count * sizeof(int64_t)), count};
  if (!ints.data) {
    return MR_NO_MEMORY();
  }
  mr_draft_ints(draft, key, ints, -1);
  return MR_OK;
}

// [0] x [1]
static mr_status parse_pair(mr_parser *p, mr_draft *draft, const struct clause *clause) {
  mr_ints first, second;
  MR_TRY(mr_parse_ints(p, &first));
  MR_TRY(mr_parse_expect(p, "x"));
  MR_TRY(mr_parse_ints(p, &second));
  mr_draft_ints(draft, clause->first, first, -1);
  mr_draft_ints(draft, clause->second, second, -1);
  return MR_OK;
}

static mr_status parse_clause(mr_parser *p, mr_draft *draft, const struct clause *clause) {
  mr_attr attr;
  mr_ints ints;
  mr_str text;
  int64_t number;
  // Attributes without a key of their own go by the word.
  mr_str name = mr_str_of(clause->first == MR_ATTR_none ? clause->word : mr_attr_key_name(clause->first));
  switch (clause->form) {
  case CLAUSE_INT: MR_TRY(mr_parse_int(p, &number)); break;
  case CLAUSE_BOOL: MR_TRY(mr_parse_bool(p, &number)); break;
  case CLAUSE_ENUM: MR_TRY(parse_enum_word(p, clause->first, &number)); break;
  case CLAUSE_INTS:
    MR_TRY(mr_parse_ints(p, &ints));
    mr_draft_ints(draft, clause->first, ints, -1);
    return MR_OK;
  case CLAUSE_STRING:
    MR_TRY(mr_parse_string(p, &text));
    mr_draft_string(draft, clause->first, text);
    return MR_OK;
  case CLAUSE_ENUMS: return parse_enum_list(p, draft, clause->first);
  case CLAUSE_PAIR: return parse_pair(p, draft, clause);
  case CLAUSE_FORMAT: return parse_format(p, draft);
  case CLAUSE_ALGORITHM:
    MR_TRY(mr_parse_struct(p, &attr));
    mr_draft_attr(draft, name, &attr);
    return MR_OK;
  }
  attr = mr_read_attr_int(number, MR_S64);
  mr_draft_attr(draft, name, &attr);
  return MR_OK;
}

// ---- Brackets ------------------------------------------------------------------------------------------------------

// [0:4, 1:5:2]
static mr_status parse_ranges(mr_parser *p, mr_draft *draft) {
  int64_t starts[MR_MAX_RANK], limits[MR_MAX_RANK], strides[MR_MAX_RANK];
  size_t rank = 0;
  MR_TRY(mr_parse_expect(p, "["));
  while (!mr_parse_accept(p, "]")) {
    if (rank == MR_MAX_RANK || (rank && !mr_parse_accept(p, ","))) {
      return mr_parse_error(p, "']'");
    }
    strides[rank] = 1;
    MR_TRY(mr_parse_int(p, &starts[rank]));
    MR_TRY(mr_parse_expect(p, ":"));
    MR_TRY(mr_parse_int(p, &limits[rank]));
    if (mr_parse_accept(p, ":")) {
      MR_TRY(mr_parse_int(p, &strides[rank]));
    }
    rank++;
  }
  const int64_t *lists[3] = {starts, limits, strides};
  static const mr_attr_key keys[3] = {MR_ATTR_start_indices, MR_ATTR_limit_indices, MR_ATTR_strides};
  for (int i = 0; i < 3; i++) {
    mr_ints ints = {mr_arena_copy(p->arena, lists[i], rank * sizeof(int64_t)), rank};
    if (!ints.data && rank) {
      return MR_NO_MEMORY();
    }
    mr_draft_ints(draft, keys[i], ints, -1);
  }
  return MR_OK;
}

static mr_status parse_bracket(mr_parser *p, mr_draft *draft) {
  if (draft->kind == MR_OP_slice) {
    return parse_ranges(p, draft);
  }
  int64_t index;
  MR_TRY(mr_parse_expect(p, "["));
  MR_TRY(mr_parse_int(p, &index));
  mr_draft_int(draft, MR_ATTR_index, index);
  return mr_parse_expect(p, "]");
}

// ---- Items ---------------------------------------------------------------------------------------------------------

// `word = value`, or compare's bare words: direction before the operands, type after.
static mr_status parse_word_item(mr_parser *p, mr_draft *draft, mr_str word, bool *out_taken) {
  int64_t number;
  size_t start = p->at;
  p->at += word.size;
  *out_taken = true;
  if (mr_parse_accept(p, "=")) {
    const struct clause *clause = find_clause(draft->kind, word);
    if (clause) {
      return parse_clause(p, draft, clause);
    }
    p->at = start;
    return mr_parse_error(p, "a clause of %.*s", MR_STR_ARG(draft->name));
  }
  p->at = start;
  if (draft->kind == MR_OP_compare && !mr_str_is(word, "loc")) {
    mr_attr_key key = draft->num_operands ? MR_ATTR_compare_type : MR_ATTR_comparison_direction;
    MR_TRY(parse_enum_word(p, key, &number));
    mr_draft_int(draft, key, number);
    return MR_OK;
  }
  *out_taken = false;
  return MR_OK;
}

// Operands and clauses, with commas where there are any.
static mr_status parse_items(mr_parser *p, mr_draft *draft) {
  for (;;) {
    char c = mr_parse_peek(p);
    mr_str word;
    bool taken = true;
    if (c == '%') {
      mr_value *value;
      MR_TRY(mr_parse_use(p, &value));
      MR_TRY(mr_draft_operand(draft, value));
    } else if (c == '[' && (draft->kind == MR_OP_slice || draft->kind == MR_OP_get_tuple_element)) {
      MR_TRY(parse_bracket(p, draft));
    } else if (mr_parse_peek_word(p, &word)) {
      MR_TRY(parse_word_item(p, draft, word, &taken));
    } else {
      taken = false;
    }
    if (!taken) {
      return MR_OK;
    }
    mr_parse_accept(p, ",");
  }
}

// ---- Types ---------------------------------------------------------------------------------------------------------

static mr_status check_count(mr_parser *p, size_t start, size_t wanted, size_t found) {
  if (wanted == found) {
    return MR_OK;
  }
  p->at = start;
  return mr_parse_error(p, "%zu types, not %zu", wanted, found);
}

// A list without an arrow: what it gives depends on the op.
static mr_status set_listed_types(mr_parser *p, mr_draft *draft, size_t start, mr_type_list *list) {
  draft->results = list->types;
  draft->num_results = (uint32_t)list->count;
  if (draft->kind == MR_OP_optimization_barrier) {
    return check_count(p, start, draft->num_operands, list->count);
  }
  if (mr_op_table[draft->kind].results == 0) {  // operand types
    draft->num_results = 0;
    return mr_parse_check_operands(p, start, draft, list);
  }
  draft->num_results = 1;
  if (draft->kind == MR_OP_select) {  // predicate, then everything else
    MR_TRY(check_count(p, start, 2, list->count));
    draft->results = list->types + 1;
    return MR_OK;
  }
  return check_count(p, start, 1, list->count);
}

// `: T`, `: T, U -> R`, `: (T, U) -> R`
mr_status mr_parse_types(mr_parser *p, mr_draft *draft) {
  mr_type_list list = {0}, results = {0};
  if (mr_parse_peek(p) != ':' && draft->num_operands == 0 && mr_op_table[draft->kind].results <= 0) {
    return MR_OK;
  }
  size_t colon = p->at;
  MR_TRY(mr_parse_expect(p, ":"));
  if (mr_parse_peek(p) == '(') {
    p->at = colon;
    return mr_parse_signature(p, draft);
  }
  size_t start = p->at;
  MR_TRY(mr_parse_type_list(p, &list));
  if (!mr_parse_accept(p, "->")) {
    return set_listed_types(p, draft, start, &list);
  }
  MR_TRY(mr_parse_check_operands(p, start, draft, &list));
  MR_TRY(mr_parse_result_types(p, &results));
  draft->results = results.types;
  draft->num_results = (uint32_t)results.count;
  return MR_OK;
}

// ---- Forms of their own --------------------------------------------------------------------------------------------

static mr_status parse_optional_dict(mr_parser *p, mr_draft *draft) {
  return mr_parse_peek(p) == '{' ? mr_parse_draft_dict(p, draft) : MR_OK;
}

// {attributes} dense<..> : T, or as the generic form: () {value = dense<..> : T} : () -> R
static mr_status parse_constant(mr_parser *p, mr_draft *draft) {
  mr_attr value;
  if (mr_parse_accept(p, "(")) {
    MR_TRY(mr_parse_expect(p, ")"));
    MR_TRY(mr_parse_properties(p, draft));
    MR_TRY(parse_optional_dict(p, draft));
    return mr_parse_signature(p, draft);
  }
  MR_TRY(parse_optional_dict(p, draft));
  mr_parse_blank(p);
  size_t start = p->at;
  MR_TRY(mr_parse_attr(p, &value));
  if (value.kind != MR_ATTR_DENSE) {
    p->at = start;
    return mr_parse_error(p, "constant data");
  }
  mr_draft_attr(draft, MR_STR("value"), &value);
  mr_type *type = mr_arena_copy(&p->scratch, &value.dense.type, sizeof(mr_type));
  draft->results = type;
  draft->num_results = 1;
  return type ? MR_OK : MR_NO_MEMORY();
}

// @name(operands) {attributes} : signature, of calls and custom calls
static mr_status parse_symbol_call(mr_parser *p, mr_draft *draft, mr_attr_key key) {
  mr_str name;
  MR_TRY(mr_parse_symbol(p, &name));
  mr_draft_string(draft, key, name);
  MR_TRY(mr_parse_expect(p, "("));
  MR_TRY(mr_parse_operands(p, draft));
  MR_TRY(mr_parse_expect(p, ")"));
  MR_TRY(parse_optional_dict(p, draft));
  return mr_parse_signature(p, draft);
}

static mr_status parse_composite_regions(mr_parser *p, mr_draft *draft, mr_place place) {
  if (!mr_parse_accept(p, "(")) {
    return MR_OK;
  }
  do {
    mr_block *block;
    MR_TRY(mr_draft_region(p, draft, place.function, &block));
    MR_TRY(mr_parse_region(p, (mr_place){place.function, block}));
  } while (mr_parse_accept(p, ","));
  return mr_parse_expect(p, ")");
}

// "name" operands {attributes} regions : signature
static mr_status parse_composite(mr_parser *p, mr_draft *draft, mr_place place) {
  mr_str name;
  MR_TRY(mr_parse_string(p, &name));
  mr_draft_string(draft, MR_ATTR_name, name);
  MR_TRY(mr_parse_operands(p, draft));
  MR_TRY(parse_composite_regions(p, draft, place));
  MR_TRY(parse_optional_dict(p, draft));
  MR_TRY(parse_composite_regions(p, draft, place));
  return mr_parse_signature(p, draft);
}

// builtin.unrealized_conversion_cast operands : T to R
static mr_status parse_cast(mr_parser *p, mr_draft *draft) {
  mr_type_list types = {0}, results = {0};
  MR_TRY(mr_parse_operands(p, draft));
  MR_TRY(mr_parse_expect(p, ":"));
  MR_TRY(mr_parse_type_list(p, &types));
  MR_TRY(mr_parse_expect_word(p, "to"));
  MR_TRY(mr_parse_type_list(p, &results));
  draft->results = results.types;
  draft->num_results = (uint32_t)results.count;
  return parse_optional_dict(p, draft);
}

static mr_status parse_plain(mr_parser *p, mr_draft *draft) {
  MR_TRY(parse_optional_dict(p, draft));  // return, optimization_barrier
  bool parens = mr_parse_accept(p, "(");
  MR_TRY(parse_items(p, draft));
  if (parens) {
    MR_TRY(mr_parse_expect(p, ")"));
  }
  MR_TRY(parse_optional_dict(p, draft));
  return mr_parse_types(p, draft);
}

static mr_status parse_body(mr_parser *p, mr_draft *draft, mr_place place) {
  switch (draft->kind) {
  case MR_OP_while: return mr_parse_while(p, draft, place);
  case MR_OP_reduce: return mr_parse_reduce(p, draft, place);
  case MR_OP_scan: return mr_parse_scan_op(p, draft, place);
  case MR_OP_convolution:
  case MR_OP_dynamic_conv: return mr_parse_convolution(p, draft);
  case MR_OP_constant: return parse_constant(p, draft);
  case MR_OP_call: return parse_symbol_call(p, draft, MR_ATTR_callee);
  case MR_OP_custom_call: return parse_symbol_call(p, draft, MR_ATTR_call_target_name);
  case MR_OP_composite: return parse_composite(p, draft, place);
  case MR_OP_cast: return parse_cast(p, draft);
  case MR_OP_sdy_sharding_constraint:
  case MR_OP_sdy_manual_computation:
  case MR_OP_sdy_named_computation:
  case MR_OP_sdy_sharding_group:
  case MR_OP_sdy_propagation_barrier:
  case MR_OP_sdy_data_flow_edge:
  case MR_OP_sdy_other: return mr_parse_sdy_op(p, draft, place);
  default: return parse_plain(p, draft);  // operands and clauses, whose words say what they are (parse_word_item)
  }
}

mr_status mr_parse_pretty(mr_parser *p, mr_place place, mr_parsed *out) {
  mr_draft draft = {.module = p->module, .scratch = &p->scratch, .block = place.block};
  mr_str word;
  mr_parse_blank(p);
  size_t start = p->at;
  if (!mr_parse_peek_word(p, &word)) {
    return mr_parse_error(p, "an op");
  }
  draft.name = word;
  draft.kind = mr_parse_op_kind(word);
  draft.loc = mr_parse_loc(p, start);
  bool expands = mr_chlo_expands(word);
  if (draft.kind == MR_OP_COUNT && !expands) {
    return memchr(word.data, '.', word.size) ? mr_parse_unsupported(p, start, "op", word) : mr_parse_error(p, "an op");
  }
  p->at += word.size;
  if (expands) {
    MR_TRY(mr_parse_operands(p, &draft));
    MR_TRY(parse_optional_dict(p, &draft));
    MR_TRY(mr_parse_signature(p, &draft));
    return mr_chlo_expand(p, &draft, out);
  }
  MR_TRY(parse_body(p, &draft, place));
  return mr_parse_finish(p, &draft, out);
}
