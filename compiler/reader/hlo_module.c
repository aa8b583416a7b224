// HloModuleProto to IR: computations to functions, the entry to @main, in the file's order, in which callees come first.
#include <stdio.h>
#include <string.h>

#include "compiler/reader/hlo.h"
#include "compiler/reader/reader.h"

// ---- Memory of messages --------------------------------------------------------------------------------------------------

static void *message_alloc(void *data, size_t size) {
  hlo_reader *r = data;
  void *memory = mr_arena_alloc(&r->locals, size ? size : 1);
  r->out_of_memory = r->out_of_memory || memory == NULL;
  return memory;
}

static void message_free(void *data, void *memory) {
  (void)data;
  (void)memory;  // the arena goes as a whole
}

mr_status mr_hlo_not_a(const hlo_reader *r, const char *message, size_t size) {
  return r->out_of_memory ? mr_error(MR_RESOURCE_EXHAUSTED, "no memory for a %s of %zu bytes", message, size)
                          : mr_error(MR_INVALID_ARGUMENT, "%zu bytes are not a %s", size, message);
}

// ---- Values by id ----------------------------------------------------------------------------------------------------------

static hlo_value *find_slot(hlo_reader *r, int64_t id) {
  size_t mask = r->table_size - 1, at = (size_t)mr_hash64(&id, sizeof id, 0) & mask;
  while (r->table[at].used && r->table[at].id != id) {
    at = (at + 1) & mask;
  }
  return &r->table[at];
}

static mr_status make_table(hlo_reader *r, size_t count) {
  r->table_size = 16;
  while (r->table_size < 2 * count) {
    r->table_size *= 2;
  }
  r->table = mr_arena_array(&r->locals, hlo_value, r->table_size);
  return r->table ? MR_OK : MR_NO_MEMORY();
}

// ---- One instruction -------------------------------------------------------------------------------------------------------

static mr_status find_operands(hlo_context *c) {
  hlo_reader *r = c->reader;
  size_t count = c->proto->n_operand_ids;
  c->operands = mr_arena_array(&r->locals, const hlo_value *, count + 1);
  if (!c->operands || count >= UINT32_MAX) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    const hlo_value *value = find_slot(r, c->proto->operand_ids[i]);
    if (!value->used) {
      return mr_error(MR_INVALID_ARGUMENT, "operand %zu is instruction %lld, which is none of those before it", i,
                      (long long)c->proto->operand_ids[i]);
    }
    c->operands[i] = value;
  }
  c->num_operands = (uint32_t)count;
  return MR_OK;
}

// What the handler made must be what the instruction declares, so that nothing later counts leaves wrongly.
static mr_status check_leaves(hlo_context *c) {
  uint32_t count = mr_hlo_leaf_count(&c->type);
  mr_type *types = mr_arena_array(&c->reader->locals, mr_type, count + 1);
  if (!types) {
    return MR_NO_MEMORY();
  }
  mr_hlo_leaf_types(&c->type, types);
  bool same = count == c->num_leaves;
  for (uint32_t i = 0; same && i < count; i++) {
    same = mr_type_equal(&types[i], &c->leaves[i]->type);
  }
  char text[160];
  return same ? MR_OK
              : mr_error(MR_INVALID_ARGUMENT, "declared %s and is something else",
                         mr_type_text(&c->type, text, sizeof text));
}

static mr_status define(hlo_context *c) {
  hlo_value *slot = find_slot(c->reader, c->proto->id);
  if (slot->used) {
    return mr_error(MR_INVALID_ARGUMENT, "a second instruction with id %lld", (long long)c->proto->id);
  }
  *slot = (hlo_value){.id = c->proto->id,
                      .type = c->type,
                      .layout = c->layout,
                      .leaves = c->leaves,
                      .num_leaves = c->num_leaves,
                      .used = true};
  return MR_OK;
}

static bool is_parameter(const hlo_instruction *instruction) { return strcmp(instruction->opcode, "parameter") == 0; }

static mr_status read_checked(hlo_context *c) {
  MR_TRY(mr_hlo_read_shape(c->reader, c->proto->shape, &c->type, &c->layout));
  MR_TRY(find_operands(c));
  MR_TRY(mr_hlo_read_instruction(c));
  MR_TRY(check_leaves(c));
  MR_TRY(mr_hlo_tag(c));
  return define(c);
}

static mr_status of_instruction(const hlo_instruction *instruction, mr_status take_status) {
  return mr_status_note(take_status, "HLO instruction %%%s (%s)", instruction->name, instruction->opcode);
}

// Of the ops behind `before`: what the instruction became.
static mr_status set_origin(hlo_reader *r, mr_op *before, const Millrace__Hlo__Metadata *metadata) {
  static const mr_origin none;
  mr_origin found = {.path = mr_arena_str(r->arena, mr_str_of(metadata->op_name)),
                     .file = mr_arena_str(r->arena, mr_str_of(metadata->source_file)),
                     .line = (uint32_t)MR_MAX(metadata->source_line, 0)};
  const mr_origin *origin = found.path.data && found.file.data ? mr_origin_keep(r->arena, &found, &none) : NULL;
  if (!origin) {
    return MR_NO_MEMORY();
  }
  for (mr_op *op = before ? before->next : r->block->first; op && origin != &none; op = op->next) {
    op->loc.origin = origin;
  }
  return MR_OK;
}

// `args`: for a parameter, its first argument.
static mr_status read_instruction(hlo_reader *r, const hlo_instruction *instruction, mr_value **args) {
  hlo_context c = {.reader = r, .proto = instruction};
  if (is_parameter(instruction)) {
    mr_type type;
    MR_TRY(mr_hlo_read_shape(r, instruction->shape, &type, NULL));
    c.leaves = args;
    c.num_leaves = mr_hlo_leaf_count(&type);
  }
  mr_op *before = r->block->last;
  MR_TRY(of_instruction(instruction, read_checked(&c)));
  return instruction->metadata ? set_origin(r, before, instruction->metadata) : MR_OK;
}

// ---- One computation -------------------------------------------------------------------------------------------------------

typedef struct signature {
  size_t num_params;
  mr_type *params;       // by number
  uint32_t *first_leaf;  // of each, and one more: all
  mr_type root;
} signature;

static mr_status place_parameter(hlo_reader *r, const hlo_instruction *instruction, bool *seen, signature *out) {
  int64_t number = instruction->parameter_number;
  if (number < 0 || (size_t)number >= out->num_params || seen[number]) {
    return mr_error(MR_INVALID_ARGUMENT, "parameter number %lld of %zu, wanted each once", (long long)number,
                    out->num_params);
  }
  seen[number] = true;
  return of_instruction(instruction, mr_hlo_read_shape(r, instruction->shape, &out->params[number], NULL));
}

static mr_status read_signature(hlo_reader *r, const Millrace__Hlo__Computation *proto, hlo_instruction **instructions,
                                signature *out) {
  bool found = false;
  *out = (signature){0};
  for (size_t i = 0; i < proto->n_instructions; i++) {
    out->num_params += is_parameter(instructions[i]);
    if (instructions[i]->id == proto->root_id) {
      found = true;
      MR_TRY(of_instruction(instructions[i], mr_hlo_read_shape(r, instructions[i]->shape, &out->root, NULL)));
    }
  }
  if (!found) {
    return mr_error(MR_INVALID_ARGUMENT, "root %lld is none of its instructions", (long long)proto->root_id);
  }
  bool *seen = mr_arena_array(&r->locals, bool, out->num_params + 1);
  out->params = mr_arena_array(&r->locals, mr_type, out->num_params + 1);
  out->first_leaf = mr_arena_array(&r->locals, uint32_t, out->num_params + 1);
  if (!seen || !out->params || !out->first_leaf) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < proto->n_instructions; i++) {
    if (is_parameter(instructions[i])) {
      MR_TRY(place_parameter(r, instructions[i], seen, out));
    }
  }
  for (size_t i = 0; i < out->num_params; i++) {
    out->first_leaf[i + 1] = out->first_leaf[i] + mr_hlo_leaf_count(&out->params[i]);
  }
  return MR_OK;
}

static bool is_entry(const Millrace__Hlo__Module *module, const Millrace__Hlo__Computation *proto) {
  return module->entry_computation_id ? proto->id == module->entry_computation_id
                                      : strcmp(proto->name, module->entry_computation_name) == 0;
}

// "main" for the entry; otherwise the computation's own name, told apart from those there are.
static mr_str function_name(hlo_reader *r, const Millrace__Hlo__Computation *proto, bool entry) {
  mr_str name = entry ? MR_STR("main") : mr_str_of(proto->name);
  size_t number = r->num_computations, room = name.size + 32;
  while (!entry && (name.size == 0 || mr_str_is(name, "main") || mr_module_find(r->module, name))) {
    char *text = mr_arena_alloc(&r->locals, room);
    if (!text) {
      return (mr_str){0};
    }
    snprintf(text, room, "%s.%zu", proto->name, number++);
    name = mr_str_of(text);
  }
  return name;
}

static mr_status add_function(hlo_reader *r, const Millrace__Hlo__Computation *proto, const signature *s, bool entry) {
  uint32_t params = s->first_leaf[s->num_params], results = mr_hlo_leaf_count(&s->root);
  mr_type *types = mr_arena_array(&r->locals, mr_type, (size_t)params + results + 1);
  mr_str name = function_name(r, proto, entry);
  if (!types || name.size == 0) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < s->num_params; i++) {
    mr_hlo_leaf_types(&s->params[i], types + s->first_leaf[i]);
  }
  mr_hlo_leaf_types(&s->root, types + params);
  if (entry && mr_module_find(r->module, name)) {
    return mr_error(MR_INVALID_ARGUMENT, "a second entry computation");
  }
  r->function = mr_module_add_function(r->module, name, entry, params, types, results, types + params);
  if (!r->function) {
    return MR_NO_MEMORY();
  }
  r->block = &r->function->body;
  r->function->arg_attrs = mr_arena_array(r->arena, mr_attr *, params + 1);
  r->function->result_attrs = mr_arena_array(r->arena, mr_attr *, results + 1);
  return r->function->arg_attrs && r->function->result_attrs ? MR_OK : MR_NO_MEMORY();
}

static mr_status add_return(hlo_reader *r, int64_t root_id) {
  const hlo_value *root = find_slot(r, root_id);
  mr_draft draft = {.module = r->module,
                    .scratch = &r->locals,
                    .block = r->block,
                    .name = MR_STR("func.return"),
                    .kind = MR_OP_return,
                    .num_operands = root->num_leaves,
                    .operands = root->leaves};
  mr_op *op;
  return mr_draft_finish(&draft, &op);
}

// ---- Donation ----------------------------------------------------------------------------------------------------------------

mr_status mr_hlo_add_attr(hlo_reader *r, mr_attr **slot, mr_attr attr) {
  size_t count = *slot ? (*slot)->count : 0;
  mr_attr *dict = mr_arena_new(r->arena, mr_attr), *items = mr_arena_array(r->arena, mr_attr, count + 1);
  if (!dict || !items) {
    return MR_NO_MEMORY();
  }
  if (count) {
    memcpy(items, (*slot)->items, count * sizeof *items);
  }
  items[count] = attr;
  *dict = (mr_attr){.kind = MR_ATTR_DICT, .items = items, .count = count + 1};
  *slot = dict;
  return MR_OK;
}

// An alias says more than a donor.
static mr_status say_donated(hlo_reader *r, uint32_t leaf, mr_attr attr) {
  mr_attr **slot = &r->function->arg_attrs[leaf];
  bool known = mr_dict_find(*slot, "tf.aliasing_output") || mr_dict_find(*slot, "jax.buffer_donor");
  return known ? MR_OK : mr_hlo_add_attr(r, slot, attr);
}

static mr_status argument_at(const signature *s, int64_t number, const int64_t *index, size_t depth, uint32_t *out) {
  uint32_t leaf;
  if (number < 0 || (size_t)number >= s->num_params || !mr_hlo_leaf_at(&s->params[number], index, depth, &leaf) ||
      s->first_leaf[number] + leaf >= s->first_leaf[s->num_params]) {
    return mr_error(MR_INVALID_ARGUMENT, "a donated parameter %lld that is not there", (long long)number);
  }
  *out = s->first_leaf[number] + leaf;
  return MR_OK;
}

static mr_status read_donations(hlo_reader *r, const Millrace__Hlo__Module *module, const signature *s) {
  const Millrace__Hlo__Aliases *aliases = module->input_output_alias;
  const Millrace__Hlo__Donors *donors = module->buffer_donor;
  uint32_t arg, result;
  for (size_t i = 0; aliases && i < aliases->n_entries; i++) {
    const Millrace__Hlo__AliasEntry *e = aliases->entries[i];
    MR_TRY(argument_at(s, e->parameter_number, e->parameter_shape_index, e->n_parameter_shape_index, &arg));
    if (!mr_hlo_leaf_at(&s->root, e->output_shape_index, e->n_output_shape_index, &result) ||
        result >= r->function->num_results) {
      return mr_error(MR_INVALID_ARGUMENT, "parameter %lld aliases a result that is not there",
                      (long long)e->parameter_number);
    }
    mr_attr attr = mr_read_attr_int(result, MR_S32);
    attr.name = MR_STR("tf.aliasing_output");
    MR_TRY(say_donated(r, arg, attr));
  }
  for (size_t i = 0; donors && i < donors->n_entries; i++) {
    const Millrace__Hlo__DonorEntry *e = donors->entries[i];
    MR_TRY(argument_at(s, e->parameter_number, e->parameter_shape_index, e->n_parameter_shape_index, &arg));
    mr_attr attr = mr_read_attr_int(1, MR_PRED);
    attr.name = MR_STR("jax.buffer_donor");
    MR_TRY(say_donated(r, arg, attr));
  }
  return MR_OK;
}

// ---- Shardings ---------------------------------------------------------------------------------------------------------------

// Shardy's, where its dialect was taken out of a program: beside a parameter, and of the module its meshes.
static mr_status say_frontend(hlo_reader *r, const Millrace__Hlo__FrontendAttributes *list, mr_attr **slot) {
  mr_attr dict;
  if (!list || !list->n_map) {
    return MR_OK;
  }
  MR_TRY(mr_hlo_frontend_dict(r, list, &dict));
  return mr_hlo_add_attr(r, slot, dict);
}

static mr_status read_shardings(hlo_reader *r, const Millrace__Hlo__Computation *proto, hlo_instruction **instructions,
                                const signature *s) {
  mr_function *f = r->function;
  for (size_t i = 0; i < proto->n_instructions; i++) {
    const hlo_instruction *it = instructions[i];
    if (is_parameter(it)) {
      uint32_t first = s->first_leaf[it->parameter_number], end = s->first_leaf[it->parameter_number + 1];
      MR_TRY(of_instruction(it, mr_hlo_say_ports(r, it, end - first, f->arg_attrs + first)));
      if (end - first == 1) {
        MR_TRY(say_frontend(r, it->frontend_attributes, &f->arg_attrs[first]));
      }
    }
    if (it->id == proto->root_id) {
      MR_TRY(of_instruction(it, mr_hlo_say_ports(r, it, f->num_results, f->result_attrs)));
    }
  }
  return MR_OK;
}

// ---- The module ----------------------------------------------------------------------------------------------------------------

// Its literal stays where it is.
static mr_status unpack_instruction(hlo_reader *r, ProtobufCBinaryData bytes, hlo_instruction **out) {
  hlo_split split;
  MR_TRY(mr_hlo_split(&r->locals, bytes, HLO_FIELD(instruction, "literal"), &split));
  *out = millrace__hlo__instruction__unpack(&r->allocator, split.rest.len, split.rest.data);
  if (!*out) {
    return mr_hlo_not_a(r, "HloInstructionProto", bytes.len);
  }
  if (split.count) {
    (*out)->literal = split.parts[split.count - 1];
  }
  return MR_OK;
}

static mr_status read_body(hlo_reader *r, const Millrace__Hlo__Module *module,
                           const Millrace__Hlo__Computation *proto) {
  size_t count = proto->n_instructions;
  hlo_instruction **instructions = mr_arena_array(&r->locals, hlo_instruction *, count + 1);
  if (!instructions) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    MR_TRY(unpack_instruction(r, proto->instructions[i], &instructions[i]));
  }
  signature s;
  bool entry = is_entry(module, proto);
  MR_TRY(read_signature(r, proto, instructions, &s));
  MR_TRY(add_function(r, proto, &s, entry));
  MR_TRY(make_table(r, count));
  for (size_t i = 0; i < count; i++) {
    uint32_t leaf = is_parameter(instructions[i]) ? s.first_leaf[instructions[i]->parameter_number] : 0;
    mr_value **args = r->function->body.args;  // NULL in a function without any
    MR_TRY(read_instruction(r, instructions[i], leaf ? args + leaf : args));
  }
  MR_TRY(add_return(r, proto->root_id));
  if (entry) {
    MR_TRY(read_donations(r, module, &s));
    MR_TRY(read_shardings(r, proto, instructions, &s));
  }
  return MR_OK;
}

static mr_status read_computation(hlo_reader *r, const Millrace__Hlo__Module *module, ProtobufCBinaryData bytes) {
  hlo_split split;
  MR_TRY(mr_hlo_split(&r->locals, bytes, HLO_FIELD(computation, "instructions"), &split));
  Millrace__Hlo__Computation *proto =
      millrace__hlo__computation__unpack(&r->allocator, split.rest.len, split.rest.data);
  if (!proto) {
    return mr_hlo_not_a(r, "HloComputationProto", bytes.len);
  }
  if (split.count) {
    proto->instructions = split.parts;
    proto->n_instructions = split.count;
  }
  for (size_t i = 0; i < r->num_computations; i++) {
    if (r->computations[i].id == proto->id) {
      return mr_error(MR_INVALID_ARGUMENT, "a second HLO computation with id %lld", (long long)proto->id);
    }
  }
  mr_status status = read_body(r, module, proto);
  if (status) {
    return mr_status_note(status, "in HLO computation %s", proto->name);
  }
  r->computations[r->num_computations++] = (hlo_computation){proto->id, r->function};
  return MR_OK;
}

static mr_status read_computations(hlo_reader *r, const Millrace__Hlo__Module *proto, size_t limit) {
  r->module->name = mr_arena_str(r->arena, mr_str_of(proto->name));
  r->module->prints_origins = true;
  r->computations = mr_arena_array(&r->scratch, hlo_computation, proto->n_computations + 1);
  if (!r->module->name.data || !r->computations) {
    return MR_NO_MEMORY();
  }
  MR_TRY(say_frontend(r, proto->frontend_attributes, &r->module->attrs));
  for (size_t i = 0; i < proto->n_computations; i++) {
    mr_arena_init(&r->locals, limit);
    mr_status status = read_computation(r, proto, proto->computations[i]);
    mr_arena_deinit(&r->locals);
    MR_TRY(status);
  }
  MR_TRY(mr_module_memory(r->module));
  return mr_module_find(r->module, MR_STR("main"))
             ? MR_OK
             : mr_error(MR_INVALID_ARGUMENT,
                        "HLO module of %zu computations has no entry, wanted one with id %lld or name '%s'",
                        proto->n_computations, (long long)proto->entry_computation_id, proto->entry_computation_name);
}

// The outermost messages live longer than a computation: they go to the other arena.
static void *outer_alloc(void *data, size_t size) {
  hlo_reader *r = data;
  void *memory = mr_arena_alloc(&r->scratch, size ? size : 1);
  r->out_of_memory = r->out_of_memory || memory == NULL;
  return memory;
}

static mr_status read_alone(hlo_reader *r, ProtobufCAllocator *outer, ProtobufCBinaryData bytes, size_t limit) {
  hlo_split split;
  MR_TRY(mr_hlo_split(&r->scratch, bytes, HLO_FIELD(module, "computations"), &split));
  Millrace__Hlo__Module *proto = millrace__hlo__module__unpack(outer, split.rest.len, split.rest.data);
  if (!proto) {
    return mr_hlo_not_a(r, "HloModuleProto", bytes.len);
  }
  if (split.count) {
    proto->computations = split.parts;
    proto->n_computations = split.count;
  }
  return read_computations(r, proto, limit);
}

static mr_status read_outer(hlo_reader *r, mr_span span, bool with_config, size_t limit) {
  ProtobufCAllocator outer = {outer_alloc, message_free, r};
  ProtobufCBinaryData bytes = {span.size, (uint8_t *)(uintptr_t)span.data};
  if (!with_config) {
    return read_alone(r, &outer, bytes, limit);
  }
  hlo_split split;
  MR_TRY(mr_hlo_split(&r->scratch, bytes, HLO_FIELD(module_with_config, "hlo_module"), &split));
  Millrace__Hlo__ModuleWithConfig *both =
      millrace__hlo__module_with_config__unpack(&outer, split.rest.len, split.rest.data);
  if (!both) {
    return mr_hlo_not_a(r, "HloModuleProtoWithConfig", bytes.len);
  }
  return read_alone(r, &outer, split.count ? split.parts[split.count - 1] : both->hlo_module, limit);
}

mr_status mr_read_hlo(mr_span bytes, bool with_config, mr_module **out_module) {
  *out_module = NULL;
  size_t limit = ((size_t)64 << 20) + 64 * bytes.size;
  hlo_reader r = {.allocator = {message_alloc, message_free, &r}};
  MR_TRY(mr_module_create(limit, &r.module));
  r.arena = &r.module->arena;
  mr_arena_init(&r.scratch, limit);
  mr_status status = mr_module_end(r.module, read_outer(&r, bytes, with_config, limit));
  mr_arena_deinit(&r.scratch);
  if (status) {
    mr_module_release(r.module);
    return status;
  }
  *out_module = r.module;
  return MR_OK;
}
