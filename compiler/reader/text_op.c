// Ops of MLIR text: results, the generic form, regions. Names of results are bound after the op is made.
#include <string.h>

#include "compiler/reader/text.h"
#include "core/rewind.h"

// ---- Drafts --------------------------------------------------------------------------------------------------------

mr_status mr_draft_operand(mr_draft *draft, mr_value *value) {
  // Room is a power of two, so the count tells when it is full.
  uint32_t count = draft->num_operands;
  if ((count & (count - 1)) == 0) {
    mr_value **operands = mr_arena_array(draft->scratch, mr_value *, count ? 2 * (size_t)count : 1);
    if (!operands) {
      return MR_NO_MEMORY();
    }
    if (count) {
      memcpy(operands, draft->operands, count * sizeof(mr_value *));
    }
    draft->operands = operands;
  }
  draft->operands[draft->num_operands++] = value;
  return MR_OK;
}

mr_status mr_draft_region(mr_parser *p, mr_draft *draft, mr_function *function, mr_block **out) {
  uint32_t count = draft->num_regions;
  if ((count & (count - 1)) == 0) {
    mr_block **regions = mr_arena_array(draft->scratch, mr_block *, count ? 2 * (size_t)count : 1);
    if (!regions) {
      return MR_NO_MEMORY();
    }
    if (count) {
      memcpy(regions, draft->regions, count * sizeof(mr_block *));
    }
    draft->regions = regions;
  }
  *out = mr_block_create(p->module, NULL, function);
  if (!*out) {
    return MR_NO_MEMORY();
  }
  draft->regions[draft->num_regions++] = *out;
  return MR_OK;
}

mr_op_kind mr_parse_op_kind(mr_str spelling) {
  static const struct {
    const char *spelling;
    mr_op_kind kind;
  } others[] = {
      {"return", MR_OP_return},         {"func.return", MR_OP_return},
      {"sdy.return", MR_OP_return},     {"call", MR_OP_call},
      {"chlo.tan", MR_OP_tan},          {"chlo.constant", MR_OP_constant},
      {"sdy.constant", MR_OP_constant}, {"arith.constant", MR_OP_constant},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(others); i++) {
    if (mr_str_is(spelling, others[i].spelling)) {
      return others[i].kind;
    }
  }
  if (mr_mhlo_is(spelling)) {
    return mr_mhlo_op_kind(spelling);
  }
  mr_op_kind kind = mr_op_kind_from_spelling(spelling);
  if (kind != MR_OP_COUNT && kind != MR_OP_sdy_other && kind != MR_OP_fusion) {
    return kind;
  }
  return mr_str_starts_with(spelling, MR_STR("sdy.")) ? MR_OP_sdy_other : MR_OP_COUNT;
}

// Names keep the values beyond the op.
static mr_status keep_values(mr_parser *p, uint32_t count, mr_parsed *out) {
  *out = (mr_parsed){mr_arena_array(&p->kept, mr_value *, count + 1), count};
  return out->values ? MR_OK : MR_NO_MEMORY();
}

static bool is_identity_cast(const mr_draft *draft) {
  return draft->kind == MR_OP_cast && draft->num_operands == 1 && draft->num_results == 1 &&
         mr_type_equal(&draft->operands[0]->type, &draft->results[0]);
}

mr_status mr_parse_finish(mr_parser *p, mr_draft *draft, mr_parsed *out) {
  if (is_identity_cast(draft)) {
    MR_TRY(keep_values(p, 1, out));
    out->values[0] = draft->operands[0];
    return MR_OK;
  }
  mr_op *op;
  MR_TRY(mr_draft_check(draft));
  if (mr_mhlo_is(draft->name)) {
    MR_TRY(mr_mhlo_check(p, draft));
  }
  mr_status status = mr_draft_finish(draft, &op);
  if (status) {
    return mr_status_note(status, "%u:%u", draft->loc.line, draft->loc.column);
  }
  MR_TRY(keep_values(p, op->num_results, out));
  for (uint32_t i = 0; i < op->num_results; i++) {
    out->values[i] = mr_op_result(op, i);
  }
  return MR_OK;
}

// ---- Operands and signatures ---------------------------------------------------------------------------------------

mr_status mr_parse_operands(mr_parser *p, mr_draft *draft) {
  if (mr_parse_peek(p) != '%') {
    return MR_OK;
  }
  do {
    mr_value *value;
    MR_TRY(mr_parse_use(p, &value));
    MR_TRY(mr_draft_operand(draft, value));
  } while (mr_parse_accept(p, ","));
  return MR_OK;
}

mr_status mr_parse_check_operands(mr_parser *p, size_t start, const mr_draft *draft, const mr_type_list *types) {
  if (types->count != draft->num_operands) {
    p->at = start;
    return mr_parse_error(p, "%u operand types, not %zu", draft->num_operands, types->count);
  }
  for (size_t i = 0; i < types->count; i++) {
    if (!mr_type_equal(&types->types[i], &draft->operands[i]->type)) {
      char declared[160], actual[160];
      mr_loc loc = mr_parse_loc(p, start);
      return mr_error(MR_INVALID_ARGUMENT, "%u:%u: operand %zu is declared %s and is %s", loc.line, loc.column, i,
                      mr_type_text(&types->types[i], declared, sizeof declared),
                      mr_type_text(&draft->operands[i]->type, actual, sizeof actual));
    }
  }
  return MR_OK;
}

mr_status mr_parse_signature(mr_parser *p, mr_draft *draft) {
  mr_type_list operands = {0}, results = {0};
  MR_TRY(mr_parse_expect(p, ":"));
  mr_parse_blank(p);
  size_t start = p->at;
  MR_TRY(mr_parse_paren_types(p, &operands));
  MR_TRY(mr_parse_check_operands(p, start, draft, &operands));
  MR_TRY(mr_parse_expect(p, "->"));
  MR_TRY(mr_parse_result_types(p, &results));
  draft->results = results.types;
  draft->num_results = (uint32_t)results.count;
  return MR_OK;
}

// ---- Regions -------------------------------------------------------------------------------------------------------

mr_status mr_parse_block_args(mr_parser *p, mr_block *block) {
  MR_TRY(mr_parse_expect(p, "("));
  if (mr_parse_accept(p, ")")) {
    return MR_OK;
  }
  do {
    mr_str name;
    mr_type type;
    MR_TRY(mr_parse_value_name(p, &name));
    MR_TRY(mr_parse_expect(p, ":"));
    MR_TRY(mr_parse_value_type(p, &type));
    MR_TRY(mr_parse_optional_location(p));
    mr_value *arg = mr_block_add_arg(p->module, block, &type);
    mr_value **slot = mr_arena_new(&p->kept, mr_value *);
    if (!arg || !slot) {
      return MR_NO_MEMORY();
    }
    *slot = arg;
    MR_TRY(mr_names_define(p, name, slot, 1));
  } while (mr_parse_accept(p, ","));
  return mr_parse_expect(p, ")");
}

// A function's entry block repeats the arguments that the function type gave it.
static mr_status parse_given_args(mr_parser *p, mr_block *block) {
  MR_TRY(mr_parse_expect(p, "("));
  for (uint32_t i = 0; i < block->num_args; i++) {
    mr_str name;
    mr_type type;
    if (i) {
      MR_TRY(mr_parse_expect(p, ","));
    }
    MR_TRY(mr_parse_value_name(p, &name));
    MR_TRY(mr_parse_expect(p, ":"));
    MR_TRY(mr_parse_value_type(p, &type));
    mr_str called;
    MR_TRY(mr_parse_location_name(p, &called));
    if (!mr_type_equal(&type, &block->args[i]->type)) {
      return mr_parse_error(p, "argument %u of the function's type before this", i);
    }
    MR_TRY(mr_function_name_arg(block->function, i, called));
    MR_TRY(mr_names_define(p, name, &block->args[i], 1));
  }
  return mr_parse_expect(p, ")");
}

// ^bb0(%a: T):
static mr_status parse_label(mr_parser *p, mr_block *block) {
  mr_str name;
  MR_TRY(mr_parse_expect(p, "^"));
  MR_TRY(mr_parse_suffix(p, &name));
  if (mr_parse_peek(p) == '(') {
    bool given = block == &block->function->body;
    MR_TRY(given ? parse_given_args(p, block) : mr_parse_block_args(p, block));
  }
  return mr_parse_expect(p, ":");
}

static mr_status parse_op(mr_parser *p, mr_place place);  // ops have regions of ops

static mr_status parse_ops(mr_parser *p, mr_place place) {
  MR_TRY(mr_parse_expect(p, "{"));
  if (mr_parse_peek(p) == '^') {
    MR_TRY(parse_label(p, place.block));
  }
  while (!mr_parse_accept(p, "}")) {
    if (mr_parse_peek(p) == '^') {
      return mr_parse_unsupported(p, p->at, "region of several blocks", (mr_str){0});
    }
    MR_TRY(parse_op(p, place));
  }
  return MR_OK;
}

mr_status mr_parse_region(mr_parser *p, mr_place place) {
  size_t mark = p->num_names;
  MR_TRY(mr_parse_enter(p));
  MR_TRY(parse_ops(p, place));
  p->depth--;
  mr_names_release(p, mark);
  return MR_OK;
}

// ({..}, {..})
static mr_status parse_regions(mr_parser *p, mr_draft *draft, mr_place place) {
  if (!mr_parse_accept(p, "(")) {
    return MR_OK;
  }
  if (mr_parse_accept(p, ")")) {
    return MR_OK;
  }
  do {
    mr_block *block;
    MR_TRY(mr_draft_region(p, draft, place.function, &block));
    MR_TRY(mr_parse_region(p, (mr_place){place.function, block}));
  } while (mr_parse_accept(p, ","));
  return mr_parse_expect(p, ")");
}

// ---- The generic form ----------------------------------------------------------------------------------------------

mr_status mr_parse_properties(mr_parser *p, mr_draft *draft) {
  if (!mr_parse_accept(p, "<")) {
    return MR_OK;
  }
  MR_TRY(mr_parse_draft_dict(p, draft));
  return mr_parse_expect(p, ">");
}

// "name"(operands) <{properties}>
mr_status mr_parse_generic_head(mr_parser *p, mr_draft *draft, mr_str *out_name) {
  size_t start = p->at;
  MR_TRY(mr_parse_string(p, out_name));
  draft->name = *out_name;
  draft->loc = mr_parse_loc(p, start);
  MR_TRY(mr_parse_expect(p, "("));
  MR_TRY(mr_parse_operands(p, draft));
  MR_TRY(mr_parse_expect(p, ")"));
  if (mr_parse_peek(p) == '[') {
    return mr_parse_unsupported(p, start, "successor blocks of op", *out_name);
  }
  return mr_parse_properties(p, draft);
}

static mr_status parse_generic(mr_parser *p, mr_place place, mr_parsed *out) {
  mr_draft draft = {.module = p->module, .scratch = &p->scratch, .block = place.block};
  mr_str name;
  size_t start = p->at;
  MR_TRY(mr_parse_generic_head(p, &draft, &name));
  draft.kind = mr_parse_op_kind(name);
  bool expands = mr_chlo_expands(name);
  if (draft.kind == MR_OP_COUNT && !expands) {
    return mr_parse_unsupported(p, start, "op", name);
  }
  MR_TRY(parse_regions(p, &draft, place));
  if (mr_parse_peek(p) == '{') {
    MR_TRY(mr_parse_draft_dict(p, &draft));
  }
  MR_TRY(mr_parse_signature(p, &draft));
  return expands ? mr_chlo_expand(p, &draft, out) : mr_parse_finish(p, &draft, out);
}

// ---- Results and ops -----------------------------------------------------------------------------------------------

typedef struct result_name {
  mr_str name;
  size_t count;
} result_name;

typedef struct result_names {
  result_name *names;
  size_t count, room, total;
} result_names;

// %a, %b:2 =
static mr_status parse_results(mr_parser *p, result_names *out) {
  if (mr_parse_peek(p) != '%') {
    return MR_OK;
  }
  do {
    int64_t count = 1;
    MR_TRY(mr_parse_grow(p, (void **)&out->names, out->count, &out->room, sizeof(result_name)));
    MR_TRY(mr_parse_value_name(p, &out->names[out->count].name));
    if (mr_parse_accept(p, ":")) {
      MR_TRY(mr_parse_int(p, &count));
      if (count < 1 || count > UINT32_MAX) {
        return mr_parse_error(p, "a positive number of results before this");
      }
    }
    out->names[out->count++].count = (size_t)count;
    out->total += (size_t)count;
  } while (mr_parse_accept(p, ","));
  return mr_parse_expect(p, "=");
}

static mr_status bind_results(mr_parser *p, const result_names *names, const mr_parsed *parsed, mr_loc loc) {
  if (names->count && names->total != parsed->count) {
    return mr_error(MR_INVALID_ARGUMENT, "%u:%u: %zu names for %zu results", loc.line, loc.column, names->total,
                    parsed->count);
  }
  size_t at = 0;
  for (size_t i = 0; i < names->count; i++) {
    MR_TRY(mr_names_define(p, names->names[i].name, parsed->values + at, names->names[i].count));
    at += names->names[i].count;
  }
  return MR_OK;
}

static mr_status parse_op(mr_parser *p, mr_place place) {
  result_names names = {0};
  mr_parsed parsed = {0};
  mr_arena_mark mark = mr_arena_here(&p->scratch);
  mr_parse_blank(p);
  mr_loc loc = mr_parse_loc(p, p->at);
  mr_op *before = place.block->last;
  MR_TRY(parse_results(p, &names));
  if (mr_parse_peek(p) == '"') {
    MR_TRY(parse_generic(p, place, &parsed));
  } else {
    MR_TRY(mr_parse_pretty(p, place, &parsed));
  }
  MR_TRY(mr_parse_origin(p, &loc.origin));
  // The ops that it became.
  for (mr_op *op = before ? before->next : place.block->first; op; op = op->next) {
    op->loc.origin = loc.origin;
  }
  MR_TRY(bind_results(p, &names, &parsed, loc));
  mr_arena_rewind(&p->scratch, mark);
  return MR_OK;
}
