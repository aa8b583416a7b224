// The file: modules, functions, meshes, aliases.
#include "compiler/reader/reader.h"
#include "compiler/reader/text.h"

#include <string.h>

// ---- func.func -----------------------------------------------------------------------------------------------------

// The signature as it is collected.
typedef struct signature {
  mr_str *names;      // of arguments; empty in declarations
  mr_str *locations;  // what their locations call them
  mr_type_list args, results;
  mr_attr *arg_attrs, *result_attrs;  // dictionaries
  size_t room_names, room_locations, room_arg_attrs, room_result_attrs;
} signature;

static mr_status parse_optional_dict(mr_parser *p, mr_attr *out) {
  *out = (mr_attr){.kind = MR_ATTR_DICT};
  return mr_parse_peek(p) == '{' ? mr_parse_dict(p, out) : MR_OK;
}

// %name: type dictionary? location?, in a declaration without the name
static mr_status parse_arg(mr_parser *p, signature *s) {
  size_t index = s->args.count;
  MR_TRY(mr_parse_grow(p, (void **)&s->names, index, &s->room_names, sizeof(mr_str)));
  MR_TRY(mr_parse_grow(p, (void **)&s->locations, index, &s->room_locations, sizeof(mr_str)));
  MR_TRY(mr_parse_grow(p, (void **)&s->arg_attrs, index, &s->room_arg_attrs, sizeof(mr_attr)));
  MR_TRY(mr_parse_grow(p, (void **)&s->args.types, index, &s->args.room, sizeof(mr_type)));
  if (mr_parse_peek(p) == '%') {
    MR_TRY(mr_parse_value_name(p, &s->names[index]));
    MR_TRY(mr_parse_expect(p, ":"));
  }
  MR_TRY(mr_parse_value_type(p, &s->args.types[index]));
  MR_TRY(parse_optional_dict(p, &s->arg_attrs[index]));
  MR_TRY(mr_parse_location_name(p, &s->locations[index]));
  s->args.count++;
  return MR_OK;
}

static mr_status parse_args(mr_parser *p, signature *s) {
  MR_TRY(mr_parse_expect(p, "("));
  if (mr_parse_accept(p, ")")) {
    return MR_OK;
  }
  do {
    MR_TRY(parse_arg(p, s));
  } while (mr_parse_accept(p, ","));
  return mr_parse_expect(p, ")");
}

static mr_status parse_result(mr_parser *p, bool with_dict, signature *s) {
  size_t index = s->results.count;
  MR_TRY(mr_parse_grow(p, (void **)&s->result_attrs, index, &s->room_result_attrs, sizeof(mr_attr)));
  MR_TRY(mr_parse_grow(p, (void **)&s->results.types, index, &s->results.room, sizeof(mr_type)));
  MR_TRY(mr_parse_value_type(p, &s->results.types[index]));
  s->result_attrs[index] = (mr_attr){.kind = MR_ATTR_DICT};
  if (with_dict) {
    MR_TRY(parse_optional_dict(p, &s->result_attrs[index]));
  }
  s->results.count++;
  return MR_OK;
}

static mr_status parse_function_results(mr_parser *p, signature *s) {
  if (!mr_parse_accept(p, "->")) {
    return MR_OK;
  }
  if (!mr_parse_accept(p, "(")) {
    return parse_result(p, false, s);
  }
  if (mr_parse_accept(p, ")")) {
    return MR_OK;
  }
  do {
    MR_TRY(parse_result(p, true, s));
  } while (mr_parse_accept(p, ","));
  return mr_parse_expect(p, ")");
}

static mr_status add_types(mr_draft *draft, const signature *s) {
  mr_rtype type = {.form = MR_RTYPE_FUNCTION,
                   .num_inputs = (uint32_t)s->args.count,
                   .inputs = s->args.types,
                   .num_results = (uint32_t)s->results.count,
                   .results = s->results.types};
  mr_attr attr;
  MR_TRY(mr_read_attr_function(&draft->module->arena, &type, &attr));
  mr_draft_attr(draft, MR_STR("function_type"), &attr);
  return MR_OK;
}

static mr_status add_attrs(mr_draft *draft, const char *name, const mr_attr *dicts, size_t count) {
  mr_attr attr = {.kind = MR_ATTR_ARRAY, .count = count};
  attr.items = mr_arena_array(&draft->module->arena, mr_attr, count + 1);
  if (!attr.items) {
    return MR_NO_MEMORY();
  }
  if (count) {
    memcpy(attr.items, dicts, count * sizeof(mr_attr));
  }
  mr_draft_attr(draft, mr_str_of(name), &attr);
  return MR_OK;
}

static mr_status name_args(mr_parser *p, mr_function *function, const mr_str *names) {
  for (uint32_t i = 0; i < function->body.num_args; i++) {
    if (names[i].size) {
      MR_TRY(mr_names_define(p, names[i], &function->body.args[i], 1));
    }
  }
  return MR_OK;
}

static mr_status parse_function_body(mr_parser *p, mr_function *function, const mr_str *names) {
  function->is_declaration = mr_parse_peek(p) != '{';
  if (function->is_declaration) {
    return MR_OK;
  }
  size_t mark = p->num_names;
  MR_TRY(name_args(p, function, names));
  MR_TRY(mr_parse_region(p, (mr_place){function, &function->body}));
  mr_names_release(p, mark);
  return MR_OK;
}

// func.func public? @name(args) -> results attributes {..}? region?
static mr_status parse_function(mr_parser *p, size_t start) {
  mr_draft draft = {.module = p->module, .scratch = &p->scratch, .name = MR_STR("func.func")};
  signature s = {0};
  mr_str word, name;
  draft.loc = mr_parse_loc(p, start);
  if (mr_parse_peek_word(p, &word)) {
    if (!mr_str_is(word, "public") && !mr_str_is(word, "private") && !mr_str_is(word, "nested")) {
      return mr_parse_error(p, "public, private, nested or a function's name");
    }
    p->at += word.size;
    mr_draft_attr(&draft, MR_STR("sym_visibility"), &(mr_attr){.kind = MR_ATTR_STRING, .string = word});
  }
  MR_TRY(mr_parse_symbol(p, &name));
  mr_draft_attr(&draft, MR_STR("sym_name"), &(mr_attr){.kind = MR_ATTR_STRING, .string = name});
  MR_TRY(parse_args(p, &s));
  MR_TRY(parse_function_results(p, &s));
  MR_TRY(add_types(&draft, &s));
  MR_TRY(add_attrs(&draft, "arg_attrs", s.arg_attrs, s.args.count));
  MR_TRY(add_attrs(&draft, "res_attrs", s.result_attrs, s.results.count));
  if (mr_parse_accept_word(p, "attributes")) {
    MR_TRY(mr_parse_draft_dict(p, &draft));
  }
  mr_function *function;
  MR_TRY(mr_parse_note(p, start, mr_draft_function(&draft, &function)));
  for (uint32_t i = 0; i < function->body.num_args; i++) {
    MR_TRY(mr_function_name_arg(function, i, s.locations[i]));
  }
  MR_TRY(parse_function_body(p, function, s.names));
  return mr_parse_optional_location(p);
}

// ---- Generic ops of a module ---------------------------------------------------------------------------------------

// Old text keeps everything in the dictionary behind the region, so the region is read last.
static mr_status parse_generic_function(mr_parser *p, mr_draft *draft) {
  mr_function *function;
  mr_parse_blank(p);
  size_t region = p->at;
  MR_TRY(mr_parse_skip_group(p, false));
  if (mr_parse_peek(p) == '{') {
    MR_TRY(mr_parse_draft_dict(p, draft));
  }
  MR_TRY(mr_parse_signature(p, draft));
  size_t end = p->at;
  MR_TRY(mr_status_note(mr_draft_function(draft, &function), "%u:%u", draft->loc.line, draft->loc.column));
  p->at = region;
  MR_TRY(mr_parse_expect(p, "("));
  mr_parse_blank(p);
  size_t brace = p->at;
  // An empty region makes a declaration.
  function->is_declaration = mr_parse_accept(p, "{") && mr_parse_accept(p, "}");
  if (!function->is_declaration) {
    p->at = brace;
    MR_TRY(mr_parse_region(p, (mr_place){function, &function->body}));
  }
  MR_TRY(mr_parse_expect(p, ")"));
  p->at = end;
  return mr_parse_optional_location(p);
}

static mr_status finish_mesh(mr_parser *p, const mr_draft *draft) {
  MR_TRY(mr_draft_check(draft));
  const mr_attr *mesh = mr_draft_find(draft, "mesh");
  mr_str name = mr_draft_string_of(draft, "sym_name");
  if (!mesh || mesh->kind != MR_ATTR_TEXT || !name.data) {
    return mr_error(MR_INVALID_ARGUMENT, "%u:%u: mesh without name or axes", draft->loc.line, draft->loc.column);
  }
  return mr_read_mesh(p->module, name, mesh->string);
}

static mr_status parse_items(mr_parser *p, const char *end);

static mr_status parse_module_body(mr_parser *p) {
  MR_TRY(mr_parse_expect(p, "{"));
  if (mr_parse_peek(p) == '^') {  // a label without arguments
    mr_str label;
    p->at++;
    MR_TRY(mr_parse_suffix(p, &label));
    mr_parse_accept(p, "()");
    MR_TRY(mr_parse_expect(p, ":"));
  }
  return parse_items(p, "}");
}

// "builtin.module"() <{..}> ({ .. }) {..} : () -> ()
static mr_status parse_generic_module(mr_parser *p, mr_draft *draft) {
  MR_TRY(mr_parse_expect(p, "("));
  MR_TRY(parse_module_body(p));
  MR_TRY(mr_parse_expect(p, ")"));
  if (mr_parse_peek(p) == '{') {
    MR_TRY(mr_parse_draft_dict(p, draft));
  }
  MR_TRY(mr_parse_signature(p, draft));
  MR_TRY(mr_draft_module_attrs(draft));
  return mr_parse_optional_location(p);
}

static mr_status parse_generic_item(mr_parser *p, bool top) {
  mr_draft draft = {.module = p->module, .scratch = &p->scratch};
  mr_str name;
  size_t start = p->at;
  MR_TRY(mr_parse_generic_head(p, &draft, &name));
  if (mr_str_is(name, "func.func")) {
    return parse_generic_function(p, &draft);
  }
  if (mr_str_is(name, "builtin.module") && top) {
    return parse_generic_module(p, &draft);
  }
  if (mr_str_is(name, "sdy.mesh")) {
    if (mr_parse_peek(p) == '{') {
      MR_TRY(mr_parse_draft_dict(p, &draft));
    }
    MR_TRY(mr_parse_signature(p, &draft));
    MR_TRY(finish_mesh(p, &draft));
    return mr_parse_optional_location(p);
  }
  return mr_parse_unsupported(p, start, "op in a module:", name);
}

// ---- Pretty ops of a module ----------------------------------------------------------------------------------------

// sdy.mesh @name = <["x"=2]> {..}?
static mr_status parse_mesh(mr_parser *p) {
  mr_str name, raw;
  mr_attr ignored;
  MR_TRY(mr_parse_symbol(p, &name));
  MR_TRY(mr_parse_expect(p, "="));
  if (mr_parse_peek(p) != '<') {
    return mr_parse_error(p, "'<'");
  }
  MR_TRY(mr_parse_raw_group(p, &raw));
  MR_TRY(mr_read_mesh(p->module, name, raw));
  if (mr_parse_peek(p) == '{') {
    MR_TRY(mr_parse_dict(p, &ignored));
  }
  return mr_parse_optional_location(p);
}

// module @name? attributes {..}? { .. }
static mr_status parse_module(mr_parser *p) {
  mr_draft draft = {.module = p->module, .scratch = &p->scratch, .name = MR_STR("module")};
  mr_str name;
  if (mr_parse_peek(p) == '@') {
    MR_TRY(mr_parse_symbol(p, &name));
    mr_draft_attr(&draft, MR_STR("sym_name"), &(mr_attr){.kind = MR_ATTR_STRING, .string = name});
  }
  if (mr_parse_accept_word(p, "attributes")) {
    MR_TRY(mr_parse_draft_dict(p, &draft));
  }
  MR_TRY(mr_draft_module_attrs(&draft));
  MR_TRY(parse_module_body(p));
  return mr_parse_optional_location(p);
}

static mr_status parse_item(mr_parser *p, bool top) {
  if (mr_parse_peek(p) == '"') {
    return parse_generic_item(p, top);
  }
  size_t start = p->at;
  if (mr_parse_accept_word(p, "func.func")) {
    return parse_function(p, start);
  }
  if (mr_parse_accept_word(p, "sdy.mesh")) {
    return parse_mesh(p);
  }
  if (top && (mr_parse_accept_word(p, "module") || mr_parse_accept_word(p, "builtin.module"))) {
    return parse_module(p);
  }
  mr_str word;
  if (mr_parse_peek_word(p, &word) && memchr(word.data, '.', word.size)) {
    return mr_parse_unsupported(p, start, "op in a module:", word);
  }
  return mr_parse_error(p, top ? "a module or a function" : "a function or '}'");
}

static mr_status parse_items(mr_parser *p, const char *end) {
  while (!mr_parse_accept(p, end)) {
    MR_TRY(parse_item(p, false));
  }
  return MR_OK;
}

// ---- The whole text ------------------------------------------------------------------------------------------------

// #name = .., !name = ..: found before, so this only gets past it.
static mr_status skip_alias(mr_parser *p) {
  mr_str name;
  mr_attr ignored;
  bool is_type = p->text[p->at++] == '!';
  mr_rtype type;
  MR_TRY(mr_parse_suffix(p, &name));
  MR_TRY(mr_parse_expect(p, "="));
  return is_type ? mr_parse_type(p, &type) : mr_parse_attr(p, &ignored);
}

// The trailer: {-# .. #-}
static mr_status skip_trailer(mr_parser *p) {
  MR_TRY(mr_parse_expect(p, "{-#"));
  while (!mr_parse_accept(p, "#-}")) {
    mr_str word;
    MR_TRY(mr_parse_word(p, &word));
    MR_TRY(mr_parse_expect(p, ":"));
    MR_TRY(mr_parse_skip_group(p, false));
    mr_parse_accept(p, ",");
  }
  return MR_OK;
}

static mr_status parse_file(mr_parser *p) {
  MR_TRY(mr_parse_scan(p));
  if (mr_parse_peek(p) == '\0' && p->at >= p->size) {
    return mr_parse_error(p, "a module or a function");
  }
  while (mr_parse_peek(p) != '\0' || p->at < p->size) {
    char c = mr_parse_peek(p);
    if (c == '#' || c == '!') {
      MR_TRY(skip_alias(p));
    } else if (c == '{') {
      MR_TRY(skip_trailer(p));
    } else {
      MR_TRY(parse_item(p, true));
    }
  }
  return MR_OK;
}

mr_status mr_read_dict(mr_module *module, mr_str text, mr_attr *out) {
  mr_str copy = mr_arena_str(&module->arena, text);  // names of fields point into it
  mr_parser p = {.text = copy.data, .size = copy.size, .weight_limit = (1u << 16) + 64 * (uint64_t)copy.size};
  p.locale = copy.data ? newlocale(LC_ALL_MASK, "C", (locale_t)0) : (locale_t)0;
  if (!p.locale) {
    return MR_NO_MEMORY();
  }
  p.module = module;
  p.arena = &module->arena;
  mr_arena_init(&p.scratch, ((size_t)64 << 20) + 64 * copy.size);
  mr_arena_init(&p.kept, ((size_t)64 << 20) + 64 * copy.size);
  mr_status status = mr_parse_dict(&p, out);
  if (!status && mr_parse_peek(&p) != '\0') {
    status = mr_parse_error(&p, "the end of the dictionary");
  }
  mr_arena_deinit(&p.scratch);
  mr_arena_deinit(&p.kept);
  freelocale(p.locale);
  return status;
}

mr_status mr_read_text(mr_span bytes, mr_module **out_module) {
  *out_module = NULL;
  mr_parser p = {.text = bytes.data, .size = bytes.size, .weight_limit = (1u << 16) + 64 * (uint64_t)bytes.size};
  size_t limit = ((size_t)64 << 20) + 64 * bytes.size;
  if (bytes.size >= UINT32_MAX) {
    return mr_error(MR_UNIMPLEMENTED, "text of %zu bytes, at most %u are supported", bytes.size, UINT32_MAX);
  }
  p.locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!p.locale) {
    return MR_NO_MEMORY();
  }
  mr_status status = mr_module_create(limit, &p.module);
  if (!status) {
    p.arena = &p.module->arena;
    mr_arena_init(&p.scratch, limit);
    mr_arena_init(&p.kept, limit);
    status = mr_module_end(p.module, parse_file(&p));
    mr_arena_deinit(&p.scratch);
    mr_arena_deinit(&p.kept);
  }
  freelocale(p.locale);
  if (status) {
    mr_module_release(p.module);
    return status;
  }
  *out_module = p.module;
  return MR_OK;
}
