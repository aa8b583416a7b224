// Ops whose pretty form lays out its regions in its own way, and convolution, whose window does.
#include <string.h>

#include "compiler/reader/text.h"

static mr_status parse_optional_dict(mr_parser *p, mr_draft *draft) {
  return mr_parse_peek(p) == '{' ? mr_parse_draft_dict(p, draft) : MR_OK;
}

// ---- while ---------------------------------------------------------------------------------------------------------

typedef struct loop_names {
  mr_str *names;
  size_t count, room;
} loop_names;

// (%iterArg = %a, %iterArg_0 = %b)
static mr_status parse_loop_operands(mr_parser *p, mr_draft *draft, loop_names *out) {
  MR_TRY(mr_parse_expect(p, "("));
  if (mr_parse_accept(p, ")")) {
    return MR_OK;
  }
  do {
    mr_value *value;
    MR_TRY(mr_parse_grow(p, (void **)&out->names, out->count, &out->room, sizeof(mr_str)));
    MR_TRY(mr_parse_value_name(p, &out->names[out->count++]));
    MR_TRY(mr_parse_expect(p, "="));
    MR_TRY(mr_parse_use(p, &value));
    MR_TRY(mr_draft_operand(draft, value));
  } while (mr_parse_accept(p, ","));
  return mr_parse_expect(p, ")");
}

// A region whose arguments have the loop's names and operand types.
static mr_status parse_loop_region(mr_parser *p, mr_draft *draft, const loop_names *names, mr_place place) {
  mr_block *block;
  size_t mark = p->num_names;
  MR_TRY(mr_draft_region(p, draft, place.function, &block));
  for (size_t i = 0; i < names->count; i++) {
    if (!mr_block_add_arg(p->module, block, &draft->results[i])) {
      return MR_NO_MEMORY();
    }
  }
  for (size_t i = 0; i < names->count; i++) {
    MR_TRY(mr_names_define(p, names->names[i], &block->args[i], 1));
  }
  MR_TRY(mr_parse_region(p, (mr_place){place.function, block}));
  mr_names_release(p, mark);
  return MR_OK;
}

mr_status mr_parse_while(mr_parser *p, mr_draft *draft, mr_place place) {
  loop_names names = {0};
  mr_type_list types = {0};
  MR_TRY(parse_loop_operands(p, draft, &names));
  if (names.count) {
    MR_TRY(mr_parse_expect(p, ":"));
    size_t start = p->at;
    MR_TRY(mr_parse_type_list(p, &types));
    if (types.count != names.count) {
      p->at = start;
      return mr_parse_error(p, "%zu types, not %zu", names.count, types.count);
    }
  }
  draft->results = types.types;
  draft->num_results = (uint32_t)types.count;
  if (mr_parse_accept_word(p, "attributes")) {
    MR_TRY(mr_parse_draft_dict(p, draft));
  }
  MR_TRY(mr_parse_expect_word(p, "cond"));
  MR_TRY(parse_loop_region(p, draft, &names, place));
  MR_TRY(mr_parse_expect_word(p, "do"));
  return parse_loop_region(p, draft, &names, place);
}

// ---- reduce --------------------------------------------------------------------------------------------------------

// (%x init: %i), (%y init: %j): all inputs come before all initial values.
static mr_status parse_reduce_operands(mr_parser *p, mr_draft *draft) {
  mr_draft inits = {.scratch = &p->scratch};
  do {
    mr_value *value;
    MR_TRY(mr_parse_expect(p, "("));
    MR_TRY(mr_parse_use(p, &value));
    MR_TRY(mr_draft_operand(draft, value));
    MR_TRY(mr_parse_expect_word(p, "init"));
    MR_TRY(mr_parse_expect(p, ":"));
    MR_TRY(mr_parse_use(p, &value));
    MR_TRY(mr_draft_operand(&inits, value));
    MR_TRY(mr_parse_expect(p, ")"));
  } while (mr_parse_accept(p, ","));
  for (uint32_t i = 0; i < inits.num_operands; i++) {
    MR_TRY(mr_draft_operand(draft, inits.operands[i]));
  }
  return MR_OK;
}

// across dimensions = [0, 1] {attributes} : signature
static mr_status parse_reduce_tail(mr_parser *p, mr_draft *draft) {
  mr_ints dims;
  MR_TRY(mr_parse_expect_word(p, "across"));
  MR_TRY(mr_parse_expect_word(p, "dimensions"));
  MR_TRY(mr_parse_expect(p, "="));
  MR_TRY(mr_parse_ints(p, &dims));
  mr_draft_ints(draft, MR_ATTR_dimensions, dims, -1);
  MR_TRY(parse_optional_dict(p, draft));
  return mr_parse_signature(p, draft);
}

// The body that `applies op` stands for: the op on two scalars of the first input's type.
static mr_status build_short_body(mr_parser *p, mr_op_kind op, const mr_draft *reduce, mr_block *block) {
  mr_type scalar = reduce->operands[0]->type;
  scalar.rank = 0;
  scalar.dims = scalar.bounds = NULL;
  mr_value *a = mr_block_add_arg(p->module, block, &scalar);
  mr_value *b = mr_block_add_arg(p->module, block, &scalar);
  if (!a || !b) {
    return MR_NO_MEMORY();
  }
  mr_draft inner = {.module = p->module,
                    .scratch = &p->scratch,
                    .block = block,
                    .kind = op,
                    .num_operands = 2,
                    .operands = (mr_value *[]){a, b},
                    .results = &scalar,
                    .num_results = 1,
                    .loc = reduce->loc,
                    .name = mr_str_of(mr_op_table[op].spelling)};
  mr_parsed result, nothing;
  MR_TRY(mr_parse_finish(p, &inner, &result));
  mr_draft back = {.module = p->module,
                   .scratch = &p->scratch,
                   .block = block,
                   .kind = MR_OP_return,
                   .num_operands = 1,
                   .operands = result.values,
                   .loc = reduce->loc,
                   .name = MR_STR("stablehlo.return")};
  return mr_parse_finish(p, &back, &nothing);
}

static mr_status parse_short_reduce(mr_parser *p, mr_draft *draft, mr_place place) {
  mr_str name;
  mr_block *block;
  mr_parse_blank(p);
  size_t start = p->at;
  MR_TRY(mr_parse_word(p, &name));
  mr_op_kind op = mr_parse_op_kind(name);
  if (op == MR_OP_COUNT || mr_op_table[op].op_class != MR_OPS_BINARY || op == MR_OP_compare || op == MR_OP_complex) {
    p->at = start;
    return mr_parse_error(p, "an op with two operands of one type");
  }
  MR_TRY(parse_reduce_tail(p, draft));
  MR_TRY(mr_draft_region(p, draft, place.function, &block));
  return build_short_body(p, op, draft, block);
}

typedef struct reducer_arg {
  mr_str name;
  mr_type type;
} reducer_arg;

static mr_status parse_reducer_arg(mr_parser *p, reducer_arg *out) {
  MR_TRY(mr_parse_value_name(p, &out->name));
  MR_TRY(mr_parse_expect(p, ":"));
  MR_TRY(mr_parse_value_type(p, &out->type));
  return mr_parse_optional_location(p);
}

// reducer(%a: T, %b: T) (%c: U, %d: U) {..}: the block's arguments are a, c, b, d.
static mr_status parse_reducer(mr_parser *p, mr_draft *draft, mr_place place) {
  uint32_t inputs = draft->num_operands / 2;
  reducer_arg *args = mr_arena_array(&p->scratch, reducer_arg, 2 * (size_t)inputs);
  mr_block *block;
  if (!args) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_parse_optional_location(p));
  MR_TRY(mr_parse_expect_word(p, "reducer"));
  for (uint32_t i = 0; i < inputs; i++) {
    MR_TRY(mr_parse_expect(p, "("));
    MR_TRY(parse_reducer_arg(p, &args[i]));
    MR_TRY(mr_parse_expect(p, ","));
    MR_TRY(parse_reducer_arg(p, &args[i + inputs]));
    MR_TRY(mr_parse_expect(p, ")"));
  }
  size_t mark = p->num_names;
  MR_TRY(mr_draft_region(p, draft, place.function, &block));
  for (uint32_t i = 0; i < 2 * inputs; i++) {
    if (!mr_block_add_arg(p->module, block, &args[i].type)) {
      return MR_NO_MEMORY();
    }
  }
  for (uint32_t i = 0; i < 2 * inputs; i++) {
    MR_TRY(mr_names_define(p, args[i].name, &block->args[i], 1));
  }
  MR_TRY(mr_parse_region(p, (mr_place){place.function, block}));
  mr_names_release(p, mark);
  return MR_OK;
}

mr_status mr_parse_reduce(mr_parser *p, mr_draft *draft, mr_place place) {
  MR_TRY(parse_reduce_operands(p, draft));
  if (mr_parse_accept_word(p, "applies")) {
    return parse_short_reduce(p, draft, place);
  }
  MR_TRY(parse_reduce_tail(p, draft));
  return parse_reducer(p, draft, place);
}

// ---- scan ----------------------------------------------------------------------------------------------------------

static mr_status parse_paren_operands(mr_parser *p, mr_draft *draft) {
  MR_TRY(mr_parse_expect(p, "("));
  MR_TRY(mr_parse_operands(p, draft));
  return mr_parse_expect(p, ")");
}

// chlo.scan(%x) inits (%i) dimension = 0 attributes {..} {..} : signature. How many operands are inputs is kept under
// the name that the generic form has for it.
mr_status mr_parse_scan_op(mr_parser *p, mr_draft *draft, mr_place place) {
  int64_t dimension, *segments = mr_arena_array(p->arena, int64_t, 2);
  mr_block *block;
  if (!segments) {
    return MR_NO_MEMORY();
  }
  MR_TRY(parse_paren_operands(p, draft));
  segments[0] = draft->num_operands;
  MR_TRY(mr_parse_expect_word(p, "inits"));
  MR_TRY(parse_paren_operands(p, draft));
  segments[1] = draft->num_operands - segments[0];
  mr_attr attr = mr_read_attr_ints((mr_ints){segments, 2}, -1);
  mr_draft_attr(draft, MR_STR("operandSegmentSizes"), &attr);
  MR_TRY(mr_parse_expect_word(p, "dimension"));
  MR_TRY(mr_parse_expect(p, "="));
  MR_TRY(mr_parse_int(p, &dimension));
  mr_draft_int(draft, MR_ATTR_dimension, dimension);
  if (mr_parse_accept_word(p, "attributes")) {
    MR_TRY(mr_parse_draft_dict(p, draft));
  }
  MR_TRY(mr_draft_region(p, draft, place.function, &block));
  MR_TRY(mr_parse_region(p, (mr_place){place.function, block}));
  return mr_parse_signature(p, draft);
}

// ---- convolution ---------------------------------------------------------------------------------------------------

// [[1, 1], [0, 1]]
static mr_status parse_pads(mr_parser *p, mr_draft *draft) {
  int64_t pads[2 * MR_MAX_RANK];
  size_t rows = 0;
  MR_TRY(mr_parse_expect(p, "["));
  while (!mr_parse_accept(p, "]")) {
    if (rows == MR_MAX_RANK || (rows && !mr_parse_accept(p, ","))) {
      return mr_parse_error(p, "']'");
    }
    MR_TRY(mr_parse_expect(p, "["));
    MR_TRY(mr_parse_int(p, &pads[2 * rows]));
    MR_TRY(mr_parse_expect(p, ","));
    MR_TRY(mr_parse_int(p, &pads[2 * rows + 1]));
    MR_TRY(mr_parse_expect(p, "]"));
    rows++;
  }
  mr_ints ints = {mr_arena_copy(p->arena, pads, 2 * rows * sizeof(int64_t)), 2 * rows};
  mr_draft_ints(draft, MR_ATTR_padding, ints, (int64_t)rows);
  return ints.data || !rows ? MR_OK : MR_NO_MEMORY();
}

// [false, true] or [0, 1]
static mr_status parse_reversal(mr_parser *p, mr_draft *draft) {
  int64_t flags[MR_MAX_RANK];
  size_t count = 0;
  MR_TRY(mr_parse_expect(p, "["));
  while (!mr_parse_accept(p, "]")) {
    if (count == MR_MAX_RANK || (count && !mr_parse_accept(p, ","))) {
      return mr_parse_error(p, "']'");
    }
    char c = mr_parse_peek(p);
    MR_TRY(c == 't' || c == 'f' ? mr_parse_bool(p, &flags[count]) : mr_parse_int(p, &flags[count]));
    if (flags[count] < 0 || flags[count] > 1) {
      return mr_parse_error(p, "true, false, 0 or 1 before this");
    }
    count++;
  }
  mr_ints ints = {mr_arena_copy(p->arena, flags, count * sizeof(int64_t)), count};
  mr_draft_ints(draft, MR_ATTR_window_reversal, ints, -1);
  return ints.data || !count ? MR_OK : MR_NO_MEMORY();
}

static mr_status parse_window_part(mr_parser *p, mr_draft *draft, mr_str word) {
  mr_ints ints;
  MR_TRY(mr_parse_expect(p, "="));
  if (mr_str_is(word, "pad")) {
    return parse_pads(p, draft);
  }
  if (mr_str_is(word, "reverse")) {
    return parse_reversal(p, draft);
  }
  mr_attr_key key = mr_str_is(word, "stride")       ? MR_ATTR_window_strides
                    : mr_str_is(word, "lhs_dilate") ? MR_ATTR_lhs_dilation
                    : mr_str_is(word, "rhs_dilate") ? MR_ATTR_rhs_dilation
                                                    : MR_ATTR_none;
  if (key == MR_ATTR_none) {
    return mr_parse_error(p, "stride, pad, lhs_dilate, rhs_dilate or reverse before this");
  }
  MR_TRY(mr_parse_ints(p, &ints));
  mr_draft_ints(draft, key, ints, -1);
  return MR_OK;
}

// {stride = [1, 1], pad = [[1, 1], [0, 1]], ..}; a part that is missing has its default.
static mr_status parse_window(mr_parser *p, mr_draft *draft) {
  MR_TRY(mr_parse_expect(p, "{"));
  while (!mr_parse_accept(p, "}")) {
    mr_str word;
    MR_TRY(mr_parse_word(p, &word));
    MR_TRY(parse_window_part(p, draft, word));
    mr_parse_accept(p, ",");
  }
  return MR_OK;
}

// (%x, %k) dim_numbers = [..]x[..]->[..], window = {..} {attributes} : signature
mr_status mr_parse_convolution(mr_parser *p, mr_draft *draft) {
  mr_attr numbers;
  MR_TRY(parse_paren_operands(p, draft));
  MR_TRY(mr_parse_expect_word(p, "dim_numbers"));
  MR_TRY(mr_parse_expect(p, "="));
  MR_TRY(mr_parse_conv_numbers(p, &numbers));
  mr_draft_attr(draft, MR_STR("dimension_numbers"), &numbers);
  if (mr_parse_accept(p, ",")) {
    MR_TRY(mr_parse_expect_word(p, "window"));
    MR_TRY(mr_parse_expect(p, "="));
    MR_TRY(parse_window(p, draft));
  }
  MR_TRY(parse_optional_dict(p, draft));
  return mr_parse_signature(p, draft);
}
