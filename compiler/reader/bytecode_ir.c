// The IR section of bytecode: blocks, ops, regions, value numbers. One op after another becomes a draft and then an op.
#include <inttypes.h>
#include <string.h>

#include "compiler/reader/bytecode.h"
#include "core/rewind.h"

enum {
  MASK_ATTRS = 0x01,
  MASK_RESULTS = 0x02,
  MASK_OPERANDS = 0x04,
  MASK_SUCCESSORS = 0x08,
  MASK_REGIONS = 0x10,
  MASK_USE_LISTS = 0x20,
  MASK_PROPERTIES = 0x40
};

// Where the next op goes, and which value slots its region may still fill.
typedef struct site {
  mr_function *function;  // NULL at module level
  mr_block *block;        // NULL at module level
  size_t next, end;       // slots of the region in b->values
} site;

// What comes before an op's regions.
typedef struct op_header {
  mr_op_name *name;
  size_t at;
  uint64_t num_regions;
  bool isolated;
} op_header;

static mr_status read_region(mr_bytecode *b, mr_cursor *c, mr_function *function, mr_block *block, bool *out_has_block);
static mr_status read_op(mr_bytecode *b, mr_cursor *c, site *place);

// ---- Values --------------------------------------------------------------------------------------------------------

// Every value of the section takes at least a byte of it, so the slots ever declared are bounded by its size.
static mr_status push_values(mr_bytecode *b, const mr_cursor *c, uint64_t count) {
  if (count > b->values_left) {
    return mr_bytecode_error(c, "region declares %" PRIu64 " values, more than the file has room for", count);
  }
  b->values_left -= (size_t)count;
  size_t needed = b->num_values + (size_t)count;
  if (needed > b->room_values) {
    size_t room = MR_MAX(needed, b->room_values * 2);
    mr_value **values = mr_realloc(b->values, room * sizeof *values);
    if (!values) {
      return MR_NO_MEMORY();
    }
    b->values = values;
    b->room_values = room;
  }
  if (count) {
    memset(b->values + b->num_values, 0, (size_t)count * sizeof *b->values);
  }
  b->num_values = needed;
  return MR_OK;
}

static mr_status define(mr_bytecode *b, const mr_cursor *c, site *place, mr_value *value) {
  if (place->next == place->end) {
    return mr_bytecode_error(c, "region defines more values than it declares");
  }
  b->values[place->next++] = value;
  return MR_OK;
}

static mr_status read_operand(mr_bytecode *b, mr_cursor *c, mr_value **out) {
  size_t number, start = c->at;
  MR_TRY(mr_cursor_index(c, "value", b->num_values - b->scope, &number));
  *out = b->values[b->scope + number];
  c->at = *out ? c->at : start;
  return *out ? MR_OK : mr_bytecode_error(c, "value %zu is used before it is defined", number);
}

static mr_status read_operands(mr_bytecode *b, mr_cursor *c, mr_draft *draft) {
  size_t count;
  MR_TRY(mr_cursor_count(c, "operands", &count));
  draft->operands = mr_arena_array(&b->drafts, mr_value *, count + 1);
  if (!draft->operands) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    MR_TRY(read_operand(b, c, &draft->operands[i]));
  }
  draft->num_operands = (uint32_t)count;
  return MR_OK;
}

static mr_status read_results(mr_bytecode *b, mr_cursor *c, mr_draft *draft) {
  size_t count;
  MR_TRY(mr_cursor_count(c, "results", &count));
  mr_type *types = mr_arena_array(&b->drafts, mr_type, count + 1);
  if (!types) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    MR_TRY(mr_cursor_value_type(b, c, &types[i]));
  }
  draft->results = types;
  draft->num_results = (uint32_t)count;
  return MR_OK;
}

// Orders of use chains restore nothing that we keep.
static mr_status skip_use_lists(mr_cursor *c, size_t values) {
  size_t lists = 1;
  if (values > 1) {
    MR_TRY(mr_cursor_count(c, "use lists", &lists));
  }
  for (size_t i = 0; i < lists; i++) {
    uint64_t number;
    bool pairs;
    if (values > 1) {
      MR_TRY(mr_cursor_varint(c, &number));
    }
    MR_TRY(mr_cursor_flagged(c, &number, &pairs));
    for (uint64_t k = number; k > 0; k--) {
      MR_TRY(mr_cursor_varint(c, &number));
    }
  }
  return MR_OK;
}

// ---- Attributes ----------------------------------------------------------------------------------------------------

static mr_status add_dict(mr_draft *draft, const mr_cursor *c, const mr_attr_value *value) {
  if (value->attr.kind != MR_ATTR_DICT) {
    return mr_bytecode_error(c, "expected a dictionary of attributes");
  }
  for (size_t i = 0; i < value->attr.count; i++) {
    mr_draft_attr(draft, value->attr.items[i].name, &value->attr.items[i]);
  }
  return MR_OK;
}

// Shardy's ops list their properties by name here; ? marks the optional ones, which have another encoding.
static const char *const *sdy_properties(mr_str op) {
  static const struct {
    const char *op, *names[5];
  } table[] = {
      {"mesh", {"mesh", "sym_name"}},
      {"sharding_constraint", {"sharding"}},
      {"reshard", {"sharding"}},
      {"manual_computation", {"in_shardings", "manual_axes", "out_shardings"}},
      {"data_flow_edge", {"?sharding"}},
      {"sharding_group", {"group_id"}},
      {"propagation_barrier", {"allowed_direction"}},
      {"named_computation", {"?in_shardings", "name", "?out_shardings"}},
      {"constant", {"value"}},
      {"return", {NULL}},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(table); i++) {
    if (mr_str_is(op, table[i].op)) {
      return table[i].names;
    }
  }
  return NULL;
}

static mr_status read_optional(mr_bytecode *b, mr_cursor *c, mr_draft *draft, const char *name) {
  uint64_t index;
  bool present;
  const mr_attr_value *value;
  if (c->at == c->end) {  // of an op that got one more since
    return MR_OK;
  }
  MR_TRY(mr_cursor_flagged(c, &index, &present));
  if (!present) {
    return MR_OK;
  }
  if (index >= b->num_attrs) {
    return mr_bytecode_error(c, "attribute %" PRIu64 " does not exist, there are %zu", index, b->num_attrs);
  }
  MR_TRY(mr_bytecode_attr(b, (size_t)index, &value));
  mr_draft_attr(draft, mr_str_of(name), &value->attr);
  return MR_OK;
}

static mr_status read_named_properties(mr_bytecode *b, mr_cursor *c, mr_draft *draft, const char *const *names) {
  for (; *names; names++) {
    if (**names == '?') {
      MR_TRY(read_optional(b, c, draft, *names + 1));
      continue;
    }
    const mr_attr_value *value;
    MR_TRY(mr_cursor_attr(b, c, &value));
    mr_draft_attr(draft, mr_str_of(*names), &value->attr);
  }
  return MR_OK;
}

static mr_status read_stored(mr_bytecode *b, mr_cursor *c, mr_draft *draft, const mr_props *stored) {
  for (size_t i = 0; i < stored->count; i++) {
    const mr_attr_value *value;
    MR_TRY(mr_cursor_attr(b, c, &value));
    mr_draft_keyed(draft, stored->props[i].key, &value->attr);
  }
  return MR_OK;
}

static mr_status read_properties(mr_bytecode *b, mr_cursor *c, const op_header *header, mr_draft *draft) {
  static const char *const module_names[] = {"?sym_name", "?sym_visibility", NULL};
  static const char *const func_names[] = {"arg_attrs", "function_type",  "res_attrs",
                                           "sym_name",  "sym_visibility", NULL};
  const mr_op_name *name = header->name;
  const mr_attr_value *value;
  size_t number;
  if (!name->registered) {
    MR_TRY(mr_cursor_attr(b, c, &value));
    return add_dict(draft, c, value);
  }
  MR_TRY(mr_cursor_index(c, "property list", b->num_properties, &number));
  mr_cursor blob = {b->file.base, b->properties[number].at, b->properties[number].at + b->properties[number].size};
  const char *const *names = mr_str_is(name->spelling, "builtin.module") ? module_names
                             : mr_str_is(name->spelling, "vhlo.func_v1") ? func_names
                             : name->dialect == MR_DIALECT_SDY           ? sdy_properties(name->name)
                             : name->dialect == MR_DIALECT_VHLO          ? NULL
                                                                : mr_native_properties(name->spelling, name->kind);
  if (names) {
    MR_TRY(read_named_properties(b, &blob, draft, names));
  } else if (name->stored) {
    MR_TRY(read_stored(b, &blob, draft, name->stored));
  } else if (blob.at != blob.end) {
    return mr_error(MR_UNIMPLEMENTED, "bytecode offset %zu: properties of op %.*s", header->at,
                    MR_STR_ARG(name->spelling));
  }
  return mr_cursor_finished(&blob, "a property list");
}

// ---- Op names ------------------------------------------------------------------------------------------------------

static mr_op_kind sdy_kind(mr_str name) {
  char spelling[64];
  if (mr_str_is(name, "return")) {
    return MR_OP_return;
  }
  if (mr_str_is(name, "constant")) {
    return MR_OP_constant;
  }
  if (name.size + 4 > sizeof spelling) {
    return MR_OP_sdy_other;
  }
  memcpy(spelling, "sdy.", 4);
  memcpy(spelling + 4, name.data, name.size);
  mr_op_kind kind = mr_op_kind_from_spelling((mr_str){spelling, name.size + 4});
  return kind == MR_OP_COUNT ? MR_OP_sdy_other : kind;
}

static mr_status resolve_name(mr_bytecode *b, mr_op_name *name) {
  mr_text text = {0};
  mr_text_append(&text, name->spelling);  // the dialect until now
  if (name->name.size) {
    mr_text_put(&text, ".");
    mr_text_append(&text, name->name);
  }
  name->spelling = text.failed ? (mr_str){0} : mr_arena_str(b->arena, (mr_str){text.data, text.size});
  mr_text_deinit(&text);
  if (!name->spelling.data) {
    return MR_NO_MEMORY();
  }
  name->kind = MR_OP_COUNT;
  name->stable = name->spelling;
  mr_str base;
  int version;
  // No op has had a third version yet; what a later one stores cannot be known.
  if (name->dialect == MR_DIALECT_VHLO && mr_vhlo_split(name->name, &base, &version) && version <= 2) {
    name->kind = mr_vhlo_kind(base);
    if (name->kind != MR_OP_COUNT) {
      name->stored = mr_props_find(name->kind, version);
      name->stable = mr_str_of(mr_op_table[name->kind].spelling);
    }
  } else if (name->dialect == MR_DIALECT_SDY) {
    name->kind = sdy_kind(name->name);
  } else if (mr_str_is(name->spelling, "builtin.unrealized_conversion_cast")) {
    name->kind = MR_OP_cast;
  } else if (name->dialect != MR_DIALECT_VHLO && name->dialect != MR_DIALECT_BUILTIN) {
    name->kind = mr_native_kind(name->spelling);
  }
  name->resolved = true;
  return MR_OK;
}

// ---- Regions and blocks --------------------------------------------------------------------------------------------

// `out_location`: its number, SIZE_MAX when there is none.
static mr_status read_block_arg(mr_bytecode *b, mr_cursor *c, mr_type *out, size_t *out_location) {
  *out_location = SIZE_MAX;
  bool has_location = true;
  if (b->version < 4) {
    MR_TRY(mr_cursor_value_type(b, c, out));
  } else {
    uint64_t index;
    const mr_rtype *type;
    MR_TRY(mr_cursor_flagged(c, &index, &has_location));
    if (index >= b->num_types) {
      return mr_bytecode_error(c, "type %" PRIu64 " does not exist, there are %zu", index, b->num_types);
    }
    MR_TRY(mr_bytecode_type(b, (size_t)index, &type));
    if (type->form != MR_RTYPE_VALUE) {
      return mr_error(type->form == MR_RTYPE_OTHER ? MR_UNIMPLEMENTED : MR_INVALID_ARGUMENT,
                      "bytecode offset %zu: block argument of an unsupported type", c->at);
    }
    *out = type->type;
  }
  return has_location ? mr_cursor_index(c, "location", b->num_attrs, out_location) : MR_OK;
}

static mr_status name_function_arg(mr_bytecode *b, mr_function *function, size_t index, size_t location) {
  mr_str name = MR_STR("");
  if (location != SIZE_MAX) {
    MR_TRY(mr_bytecode_location_name(b, location, &name));
  }
  return mr_function_name_arg(function, (uint32_t)index, name);
}

// A function's block has its arguments from the function type already; any other gets them here.
static mr_status read_block_args(mr_bytecode *b, mr_cursor *c, site *place) {
  size_t count;
  MR_TRY(mr_cursor_count(c, "block arguments", &count));
  bool given = place->block && place->block == &place->function->body;
  if (!place->block || (given && count != place->block->num_args)) {
    return mr_bytecode_error(c, "block has %zu arguments, wanted %u", count, given ? place->block->num_args : 0);
  }
  for (size_t i = 0; i < count; i++) {
    mr_type type;
    size_t location;
    MR_TRY(read_block_arg(b, c, &type, &location));
    mr_value *arg = given ? place->block->args[i] : mr_block_add_arg(b->module, place->block, &type);
    if (!arg) {
      return MR_NO_MEMORY();
    }
    if (given && !mr_type_equal(&arg->type, &type)) {
      return mr_bytecode_error(c, "argument %zu differs from the function's type", i);
    }
    if (given) {
      MR_TRY(name_function_arg(b, place->function, i, location));
    }
    MR_TRY(define(b, c, place, arg));
  }
  uint8_t use_lists = 0;
  if (b->version >= 3) {
    MR_TRY(mr_cursor_byte(c, &use_lists));
  }
  return use_lists ? skip_use_lists(c, count) : MR_OK;
}

static mr_status read_block(mr_bytecode *b, mr_cursor *c, site *place) {
  uint64_t num_ops;
  bool has_args;
  MR_TRY(mr_cursor_flagged(c, &num_ops, &has_args));
  if (has_args) {
    MR_TRY(read_block_args(b, c, place));
  } else if (place->block && place->block == &place->function->body && place->block->num_args) {
    return mr_bytecode_error(c, "function body lacks its %u arguments", place->block->num_args);
  }
  for (uint64_t i = 0; i < num_ops; i++) {
    mr_arena_mark mark = mr_arena_here(&b->drafts);
    MR_TRY(read_op(b, c, place));
    mr_arena_rewind(&b->drafts, mark);
  }
  return MR_OK;
}

// Region: number of blocks, number of values, the blocks. `block` is filled; a region without blocks leaves it empty.
static mr_status read_region(mr_bytecode *b, mr_cursor *c, mr_function *function, mr_block *block,
                             bool *out_has_block) {
  uint64_t blocks, values;
  MR_TRY(mr_cursor_varint(c, &blocks));
  *out_has_block = blocks != 0;
  if (blocks == 0) {
    return MR_OK;
  }
  if (blocks > 1) {
    return mr_error(MR_UNIMPLEMENTED, "bytecode offset %zu: region of %" PRIu64 " blocks", c->at, blocks);
  }
  MR_TRY(mr_cursor_varint(c, &values));
  size_t before = b->num_values;
  MR_TRY(push_values(b, c, values));
  site inside = {function, block, before, b->num_values};
  MR_TRY(read_block(b, c, &inside));
  b->num_values = before;
  return MR_OK;
}

// An isolated op's regions number their values from zero and, from version 2 on, lie in a section of their own.
static mr_status enter_regions(mr_bytecode *b, mr_cursor *c, const op_header *header, mr_cursor *out_inside) {
  if (b->region_depth >= MR_READ_DEPTH) {
    return mr_bytecode_error(c, "regions nest deeper than %d", MR_READ_DEPTH);
  }
  b->region_depth++;
  *out_inside = *c;
  if (!header->isolated) {
    return MR_OK;
  }
  b->scope = b->num_values;
  unsigned id = MR_SECTION_IR;
  if (b->version >= 2) {
    MR_TRY(mr_cursor_section(c, &id, out_inside));
  }
  return id == MR_SECTION_IR ? MR_OK : mr_bytecode_error(c, "expected a nested IR section, found section %u", id);
}

static mr_status leave_regions(mr_bytecode *b, mr_cursor *c, const op_header *header, const mr_cursor *inside,
                               size_t scope) {
  b->region_depth--;
  b->scope = scope;
  if (header->isolated && b->version >= 2) {
    return mr_cursor_finished(inside, "a nested IR section");
  }
  c->at = inside->at;
  return MR_OK;
}

static mr_status read_op_regions(mr_bytecode *b, mr_cursor *c, const op_header *header, mr_function *function,
                                 mr_draft *draft) {
  if (header->num_regions == 0) {
    return MR_OK;
  }
  if (header->num_regions > c->end - c->at) {
    return mr_bytecode_error(c, "%" PRIu64 " regions do not fit", header->num_regions);
  }
  draft->regions = mr_arena_array(&b->drafts, mr_block *, header->num_regions);
  if (!draft->regions) {
    return MR_NO_MEMORY();
  }
  size_t scope = b->scope;
  mr_cursor inside;
  MR_TRY(enter_regions(b, c, header, &inside));
  for (uint64_t i = 0; i < header->num_regions; i++) {
    bool has_block;
    draft->regions[i] = mr_block_create(b->module, NULL, function);
    if (!draft->regions[i]) {
      return MR_NO_MEMORY();
    }
    MR_TRY(read_region(b, &inside, function, draft->regions[i], &has_block));
  }
  draft->num_regions = (uint32_t)header->num_regions;
  return leave_regions(b, c, header, &inside, scope);
}

// ---- Ops -----------------------------------------------------------------------------------------------------------

static mr_status read_header(mr_bytecode *b, mr_cursor *c, op_header *header, mr_draft *draft) {
  size_t name, location;
  uint8_t mask;
  const mr_attr_value *attrs;
  header->at = c->at;
  MR_TRY(mr_cursor_index(c, "op name", b->num_op_names, &name));
  header->name = &b->op_names[name];
  if (!header->name->resolved) {
    MR_TRY(resolve_name(b, header->name));
  }
  draft->name = header->name->stable;
  draft->kind = header->name->kind;
  MR_TRY(mr_cursor_byte(c, &mask));
  MR_TRY(mr_cursor_index(c, "location", b->num_attrs, &location));
  MR_TRY(mr_bytecode_origin(b, location, &draft->loc.origin));
  mr_cursor dict = *c;
  if (mask & MASK_ATTRS) {
    MR_TRY(mr_cursor_index(c, "attribute", b->num_attrs, &location));
  }
  if (mask & MASK_PROPERTIES) {
    MR_TRY(read_properties(b, c, header, draft));
  }
  if (mask & MASK_ATTRS) {  // after the properties, which win
    MR_TRY(mr_cursor_attr(b, &dict, &attrs));
    MR_TRY(add_dict(draft, &dict, attrs));
  }
  if (mask & MASK_RESULTS) {
    MR_TRY(read_results(b, c, draft));
  }
  if (mask & MASK_OPERANDS) {
    MR_TRY(read_operands(b, c, draft));
  }
  if (mask & MASK_SUCCESSORS) {
    return mr_error(MR_UNIMPLEMENTED, "bytecode offset %zu: op with successor blocks", header->at);
  }
  if (mask & MASK_USE_LISTS) {
    MR_TRY(skip_use_lists(c, draft->num_results));
  }
  return mask & MASK_REGIONS ? mr_cursor_flagged(c, &header->num_regions, &header->isolated) : MR_OK;
}

static mr_status define_results(mr_bytecode *b, const mr_cursor *c, site *place, mr_value *results, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    MR_TRY(define(b, c, place, &results[i]));
  }
  return MR_OK;
}

// Casts between VHLO's and builtin's tensor types stand around Shardy's ops; both are one type here.
static bool is_identity_cast(const mr_draft *draft) {
  return draft->kind == MR_OP_cast && draft->num_operands == 1 && draft->num_results == 1 &&
         mr_type_equal(&draft->operands[0]->type, &draft->results[0]);
}

static mr_status finish_op(mr_bytecode *b, mr_cursor *c, site *place, const op_header *header, mr_draft *draft) {
  if (draft->kind == MR_OP_COUNT) {
    return mr_error(MR_UNIMPLEMENTED, "bytecode offset %zu: op %.*s", header->at, MR_STR_ARG(header->name->spelling));
  }
  if (is_identity_cast(draft)) {
    return define(b, c, place, draft->operands[0]);
  }
  mr_op *op;
  draft->loc.offset = header->at;
  MR_TRY(mr_status_note(mr_draft_finish(draft, &op), "bytecode offset %zu", header->at));
  return define_results(b, c, place, op->results, op->num_results);
}

// ---- Functions -----------------------------------------------------------------------------------------------------

static mr_status read_function(mr_bytecode *b, mr_cursor *c, const op_header *header, mr_draft *draft) {
  mr_function *function;
  mr_cursor inside;
  bool has_block;
  size_t scope = b->scope;
  if (header->num_regions != 1) {
    return mr_bytecode_error(c, "function has %" PRIu64 " regions, wanted 1", header->num_regions);
  }
  MR_TRY(mr_status_note(mr_draft_function(draft, &function), "bytecode offset %zu", header->at));
  function->loc.offset = header->at;
  MR_TRY(enter_regions(b, c, header, &inside));
  MR_TRY(read_region(b, &inside, function, &function->body, &has_block));
  function->is_declaration = !has_block;
  return leave_regions(b, c, header, &inside, scope);
}

static mr_status read_mesh(mr_bytecode *b, const op_header *header, mr_draft *draft) {
  MR_TRY(mr_draft_check(draft));
  const mr_attr *mesh = mr_draft_find(draft, "mesh");
  if (!mesh || mesh->kind != MR_ATTR_TEXT || !mr_draft_find(draft, "sym_name")) {
    return mr_error(MR_INVALID_ARGUMENT, "bytecode offset %zu: mesh without name or axes", header->at);
  }
  return mr_read_mesh(b->module, mr_draft_string_of(draft, "sym_name"), mesh->string);
}

// An op inside a function, or one of the few that stand in a module.
static mr_status read_op(mr_bytecode *b, mr_cursor *c, site *place) {
  op_header header = {0};
  mr_draft draft = {.module = b->module, .scratch = &b->drafts, .block = place->block};
  MR_TRY(read_header(b, c, &header, &draft));
  if (place->function) {
    MR_TRY(read_op_regions(b, c, &header, place->function, &draft));
    return finish_op(b, c, place, &header, &draft);
  }
  if (mr_str_is(header.name->spelling, "vhlo.func_v1") || mr_str_is(header.name->spelling, "func.func")) {
    return read_function(b, c, &header, &draft);
  }
  if (mr_str_is(header.name->spelling, "sdy.mesh")) {
    return read_mesh(b, &header, &draft);
  }
  return mr_error(MR_UNIMPLEMENTED, "bytecode offset %zu: op %.*s in a module", header.at,
                  MR_STR_ARG(header.name->spelling));
}

// ---- The module ----------------------------------------------------------------------------------------------------

// The section holds one block of one op, builtin.module.
mr_status mr_bytecode_read_module(mr_bytecode *b) {
  mr_cursor *c = &b->sections[MR_SECTION_IR];
  uint64_t num_ops;
  bool has_args, has_block;
  b->values_left = c->end - c->at;
  MR_TRY(mr_cursor_flagged(c, &num_ops, &has_args));
  if (num_ops != 1 || has_args) {
    return mr_bytecode_error(c, "expected one module, found %" PRIu64 " ops", num_ops);
  }
  op_header header = {0};
  mr_draft draft = {.module = b->module, .scratch = &b->drafts};
  MR_TRY(read_header(b, c, &header, &draft));
  if (!mr_str_is(header.name->spelling, "builtin.module") || header.num_regions != 1) {
    return mr_bytecode_error(c, "expected builtin.module, found %.*s", MR_STR_ARG(header.name->spelling));
  }
  MR_TRY(mr_draft_module_attrs(&draft));
  mr_cursor inside;
  MR_TRY(enter_regions(b, c, &header, &inside));
  MR_TRY(read_region(b, &inside, NULL, NULL, &has_block));
  MR_TRY(leave_regions(b, c, &header, &inside, 0));
  return mr_cursor_finished(c, "the IR section");
}
