// The pretty forms of Shardy's ops: operands, `word=value` pairs, shardings as text, and bodies.
#include "compiler/reader/text.h"

// A bracketed group as an attribute, between the words that its generic form has around it.
static mr_status add_group(mr_parser *p, mr_draft *draft, mr_str name, const char *before, const char *after) {
  mr_str raw;
  MR_TRY(mr_parse_raw_group(p, &raw));
  mr_text text = {0};
  mr_text_put(&text, "%s", before);
  mr_text_append(&text, raw);
  mr_text_put(&text, "%s", after);
  mr_attr attr = {.kind = MR_ATTR_TEXT};
  attr.string = text.failed ? (mr_str){0} : mr_arena_str(p->arena, (mr_str){text.data, text.size});
  mr_text_deinit(&text);
  mr_draft_attr(draft, name, &attr);
  return attr.string.data ? MR_OK : MR_NO_MEMORY();
}

static mr_status add_direction(mr_parser *p, mr_draft *draft, mr_str name) {
  static const char *const directions[] = {"NONE", "FORWARD", "BACKWARD", "BOTH"};
  mr_str word;
  MR_TRY(mr_parse_word(p, &word));
  for (size_t i = 0; i < MR_ARRAY_SIZE(directions); i++) {
    if (mr_str_is(word, directions[i])) {
      mr_attr attr = mr_read_attr_int((int64_t)i, MR_S32);
      mr_draft_attr(draft, name, &attr);
      return MR_OK;
    }
  }
  return mr_parse_error(p, "NONE, FORWARD or BACKWARD before this");
}

// word=value
static mr_status parse_pair(mr_parser *p, mr_draft *draft) {
  mr_str name;
  int64_t number;
  MR_TRY(mr_parse_word(p, &name));
  name = mr_arena_str(p->arena, name);
  if (!name.data) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_parse_expect(p, "="));
  switch (mr_parse_peek(p)) {
  case '<': return add_group(p, draft, name, "#sdy.sharding", "");
  case '[': return add_group(p, draft, name, "#sdy.sharding_per_value<", ">");
  case '{': return add_group(p, draft, name, "#sdy<manual_axes", ">");
  default: break;
  }
  mr_str word;
  if (mr_parse_peek_word(p, &word)) {
    return add_direction(p, draft, name);
  }
  MR_TRY(mr_parse_int(p, &number));
  mr_attr attr = mr_read_attr_int(number, MR_S64);
  mr_draft_attr(draft, name, &attr);
  return MR_OK;
}

// (%arg: T, ..) {..}
static mr_status parse_body(mr_parser *p, mr_draft *draft, mr_place place) {
  mr_block *block;
  size_t mark = p->num_names;
  MR_TRY(mr_draft_region(p, draft, place.function, &block));
  MR_TRY(mr_parse_block_args(p, block));
  MR_TRY(mr_parse_region(p, (mr_place){place.function, block}));
  mr_names_release(p, mark);
  return MR_OK;
}

static bool has_body(mr_op_kind kind) {
  return kind == MR_OP_sdy_manual_computation || kind == MR_OP_sdy_named_computation;
}

// A brace opens a dictionary when a name or the closing brace follows, and a list of axes otherwise.
static mr_status parse_brace(mr_parser *p, mr_draft *draft) {
  size_t start = p->at;
  mr_str word;
  MR_TRY(mr_parse_expect(p, "{"));
  bool dictionary = mr_parse_peek(p) == '}' || mr_parse_peek_word(p, &word);
  p->at = start;
  return dictionary ? mr_parse_draft_dict(p, draft) : add_group(p, draft, MR_STR("axes"), "", "");
}

static mr_status parse_part(mr_parser *p, mr_draft *draft, mr_place place) {
  mr_str name;
  switch (mr_parse_peek(p)) {
  case '%': return mr_parse_operands(p, draft);
  case '(':
    if (has_body(draft->kind) && draft->num_regions == 0) {
      return parse_body(p, draft, place);
    }
    return mr_parse_error(p, "':'");
  case '<': return add_group(p, draft, MR_STR("sharding"), "#sdy.sharding", "");
  case '[': return add_group(p, draft, MR_STR("axes"), "", "");
  case '{': return parse_brace(p, draft);
  default: return mr_parse_peek_word(p, &name) ? parse_pair(p, draft) : mr_parse_error(p, "':'");
  }
}

mr_status mr_parse_sdy_op(mr_parser *p, mr_draft *draft, mr_place place) {
  mr_str name;
  if (draft->kind == MR_OP_sdy_named_computation) {  // <"name">
    MR_TRY(mr_parse_expect(p, "<"));
    MR_TRY(mr_parse_string(p, &name));
    mr_draft_string(draft, MR_ATTR_name, name);
    MR_TRY(mr_parse_expect(p, ">"));
  }
  if (has_body(draft->kind)) {
    MR_TRY(mr_parse_expect(p, "("));
    MR_TRY(mr_parse_operands(p, draft));
    MR_TRY(mr_parse_expect(p, ")"));
  }
  while (mr_parse_peek(p) != ':') {
    MR_TRY(parse_part(p, draft, place));
  }
  if (draft->kind != MR_OP_sdy_sharding_group) {
    return mr_parse_types(p, draft);
  }
  mr_type_list types = {0};
  MR_TRY(mr_parse_expect(p, ":"));
  return mr_parse_type_list(p, &types);
}
