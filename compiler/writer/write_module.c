// A module: functions that the entry needs, callees first, and what is said of the entry's parameters and results.
#include <string.h>

#include "compiler/compiler.h"
#include "compiler/writer/hlo_put.h"
#include "compiler/writer/writer.h"

// ---- Which functions, in which order -------------------------------------------------------------------------------------

typedef struct call_walk {
  mr_function *function;
  mr_op *op;     // where it goes on
  size_t named;  // of the functions that this op names
} call_walk;

typedef struct call_order {
  call_walk *stack;
  mr_function **order;
  bool *seen;  // by mark
  size_t depth, count;
} call_order;

// The next function that an op names; false when it names no more.
static bool next_name(const mr_op *op, size_t number, mr_str *out) {
  static const mr_attr_key keys[] = {MR_ATTR_callee, MR_ATTR_decomposition};
  const mr_attr *list = mr_op_attr(op, MR_ATTR_called_computations);
  for (size_t i = 0; i < MR_ARRAY_SIZE(keys) && number == 0; i++) {
    *out = mr_op_string(op, keys[i]);
    if (out->size) {
      return true;
    }
  }
  if (!list || list->kind != MR_ATTR_ARRAY || number >= list->count) {
    return false;
  }
  *out = list->items[number].kind == MR_ATTR_STRING ? list->items[number].string : (mr_str){"", 0};
  return true;
}

static void enter(call_order *o, mr_function *f) {
  if (f && !f->is_declaration && !o->seen[f->mark]) {
    o->seen[f->mark] = true;
    o->stack[o->depth++] = (call_walk){f, mr_walk_first(&f->body), 0};
  }
}

// Below the entry, each behind those that it calls. No recursion: calls nest as deep as they like.
static void list_functions(const mr_module *module, call_order *o, mr_function *entry) {
  enter(o, entry);
  while (o->depth) {
    call_walk *at = &o->stack[o->depth - 1];
    mr_str name;
    if (!at->op) {
      o->order[o->count++] = at->function;
      o->depth--;
    } else if (next_name(at->op, at->named, &name)) {
      at->named++;
      enter(o, name.size ? mr_module_find(module, name) : NULL);
    } else {
      at->op = mr_walk_next(at->op, &at->function->body);
      at->named = 0;
    }
  }
}

// ---- Donation ------------------------------------------------------------------------------------------------------------

static mr_status put_alias(hlo_writer *w, const mr_function *f, int64_t param, int64_t *result,
                           Millrace__Hlo__Aliases *out) {
  Millrace__Hlo__AliasEntry *entry = mr_arena_new(&w->arena, Millrace__Hlo__AliasEntry);
  if (!entry) {
    return MR_NO_MEMORY();
  }
  *entry = (Millrace__Hlo__AliasEntry)MILLRACE__HLO__ALIAS_ENTRY__INIT;
  entry->parameter_number = param;
  entry->kind = 1;
  entry->n_output_shape_index = f->num_results > 1;  // one result is no tuple
  entry->output_shape_index = result;
  out->entries[out->n_entries++] = entry;
  return MR_OK;
}

static mr_status put_donor(hlo_writer *w, int64_t param, Millrace__Hlo__Donors *out) {
  Millrace__Hlo__DonorEntry *entry = mr_arena_new(&w->arena, Millrace__Hlo__DonorEntry);
  if (!entry) {
    return MR_NO_MEMORY();
  }
  *entry = (Millrace__Hlo__DonorEntry)MILLRACE__HLO__DONOR_ENTRY__INIT;
  entry->parameter_number = param;
  out->entries[out->n_entries++] = entry;
  return MR_OK;
}

static mr_status put_donations(hlo_writer *w, const mr_function *f, Millrace__Hlo__Aliases *aliases,
                               Millrace__Hlo__Donors *donors) {
  uint32_t count = f->body.num_args;
  aliases->entries = mr_arena_array(&w->arena, Millrace__Hlo__AliasEntry *, count + 1);
  donors->entries = mr_arena_array(&w->arena, Millrace__Hlo__DonorEntry *, count + 1);
  if (!aliases->entries || !donors->entries) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; f->arg_attrs && i < count; i++) {
    const mr_attr *alias = mr_dict_find(f->arg_attrs[i], "tf.aliasing_output");
    const mr_attr *donor = mr_dict_find(f->arg_attrs[i], "jax.buffer_donor");
    if (alias && alias->kind == MR_ATTR_INT && alias->integer >= 0 && alias->integer < f->num_results) {
      MR_TRY(put_alias(w, f, i, (int64_t *)&alias->integer, aliases));
    } else if (donor && donor->kind == MR_ATTR_INT && donor->integer) {
      MR_TRY(put_donor(w, i, donors));
    }
  }
  return MR_OK;
}

// ---- Functions -----------------------------------------------------------------------------------------------------------

static mr_status make_tables(hlo_writer *w, mr_function *f) {
  mr_function_number(f);
  w->ids = mr_arena_array(&w->arena, int64_t, f->num_values + 1);
  w->seen = mr_arena_array(&w->arena, uint32_t, f->num_values + 1);
  w->last_stamp = 0;
  return w->ids && w->seen ? MR_OK : MR_NO_MEMORY();
}

static mr_status put_params(hlo_writer *w, const mr_function *f) {
  for (uint32_t i = 0; i < f->body.num_args; i++) {
    const mr_value *arg = f->body.args[i];
    hlo_instruction proto = MILLRACE__HLO__INSTRUCTION__INIT;
    ProtobufCBinaryData sharding = {0};
    int64_t id;
    MR_TRY(mr_put_extra(w, f->arg_attrs ? f->arg_attrs[i] : NULL, &sharding, &proto.frontend_attributes));
    MR_TRY(mr_put_said_sharding(w, sharding, &proto));
    MR_TRY(mr_put_parameter(w, i, &arg->type, &proto, &id));
    mr_put_bind(w, arg, id);
  }
  return MR_OK;
}

// In Shardy's words how a result is to lie stands at a call of its own.
static mr_status put_result_call(hlo_writer *w, const mr_attr *dict, const mr_type *type, int64_t *inout_id) {
  const mr_attr *said = w->is_local ? NULL : mr_dict_find(dict, "sdy.sharding");
  hlo_instruction proto = MILLRACE__HLO__INSTRUCTION__INIT;
  mr_text text = {0};
  if (!said || said->kind != MR_ATTR_TEXT) {
    return MR_OK;
  }
  mr_put_per_value(&text, said->string);
  mr_status status = text.failed ? MR_NO_MEMORY()
                                 : mr_put_frontend(w, &proto.frontend_attributes, MR_STR("xla.sdy.sharding"),
                                                   (mr_str){text.data, text.size});
  mr_text_deinit(&text);
  MR_TRY(status);
  proto.opcode = "custom-call";
  proto.custom_call_target = "xla.sdy.FuncResultSharding";
  proto.custom_call_has_side_effect = true;
  proto.custom_call_api_version = 1;
  proto.n_operand_ids = 1;
  proto.operand_ids = inout_id;
  return mr_put_emit(w, &proto, type, inout_id);
}

// What GSPMD is told of how results lie stands at an instruction that says nothing else.
static mr_status put_function_root(hlo_writer *w, const mr_function *f, mr_type *out_type, int64_t *out_id) {
  const mr_op *end = mr_block_terminator(&f->body);
  uint32_t count = end ? end->num_operands : 0;
  hlo_instruction proto = MILLRACE__HLO__INSTRUCTION__INIT;
  ProtobufCBinaryData sharding = {0};
  int64_t *ids = mr_arena_array(&w->arena, int64_t, count + 1);
  if (!ids) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < count; i++) {
    ids[i] = mr_put_id(w, mr_op_operand(end, i));
    MR_TRY(put_result_call(w, f->result_attrs ? f->result_attrs[i] : NULL, &f->result_types[i], &ids[i]));
  }
  MR_TRY(mr_put_result_shardings(w, f, &sharding));
  MR_TRY(mr_put_said_sharding(w, sharding, &proto));
  *out_type = mr_put_bundle_type(count, f->result_types);
  *out_id = ids[0];
  if (count == 1 && !proto.n_sharding) {
    return MR_OK;
  }
  proto.opcode = count == 1 ? "copy" : "tuple";
  proto.n_operand_ids = count;
  proto.operand_ids = ids;
  return mr_put_emit(w, &proto, out_type, out_id);
}

static mr_status put_function(hlo_writer *w, mr_function *f, ProtobufCBinaryData *out_shape, int64_t *out_id) {
  hlo_list body = {0};
  mr_type *types, root_type;
  int64_t root;
  w->body = &body;
  MR_TRY(make_tables(w, f));
  MR_TRY(mr_put_value_types(w, f->body.args, f->body.num_args, &types));
  MR_TRY(put_params(w, f));
  MR_TRY(mr_put_ops(w, &f->body));
  MR_TRY(put_function_root(w, f, &root_type, &root));
  MR_TRY(mr_put_program_shape(w, f->body.num_args, types, &root_type, out_shape));
  return mr_put_computation(w, f->name, &body, *out_shape, root, false, out_id);
}

// ---- The module ----------------------------------------------------------------------------------------------------------

static mr_status make_order(hlo_writer *w, call_order *o) {
  uint32_t count = 0;
  for (mr_function *f = w->module->functions; f; f = f->next) {
    f->mark = count++;
  }
  o->stack = mr_arena_array(&w->arena, call_walk, count + 1);
  o->order = mr_arena_array(&w->arena, mr_function *, count + 1);
  o->seen = mr_arena_array(&w->arena, bool, count + 1);
  w->callees = mr_arena_array(&w->arena, int64_t, count + 1);
  return o->stack && o->order && o->seen && w->callees ? MR_OK : MR_NO_MEMORY();
}

static mr_status put_functions(hlo_writer *w, mr_function *entry, Millrace__Hlo__Module *proto) {
  call_order o = {0};
  ProtobufCBinaryData shape = {0};
  MR_TRY(make_order(w, &o));
  list_functions(w->module, &o, entry);
  for (size_t i = 0; i < o.count; i++) {
    mr_function *f = o.order[i];
    MR_TRY(put_function(w, f, &shape, &w->callees[f->mark]));
  }
  if (o.count) {
    proto->entry_computation_id = w->callees[entry->mark];
    proto->host_program_shape = shape;
    MR_TRY(mr_put_name(w, entry->name, proto->entry_computation_id, &proto->entry_computation_name));
  }
  proto->n_computations = w->computations.count;
  proto->computations = w->computations.items;
  return MR_OK;
}

// Shardy's meshes stand among them as they do in programs without its dialect.
static mr_status put_module_attrs(hlo_writer *w, Millrace__Hlo__Module *proto) {
  ProtobufCBinaryData ignored = {0};
  MR_TRY(mr_put_extra(w, w->module->attrs, &ignored, &proto->frontend_attributes));
  const mr_attr *meshes = w->module->meshes;
  if (!meshes || !meshes->count) {
    return MR_OK;
  }
  mr_text text = {0};
  for (size_t i = 0; i < meshes->count; i++) {
    mr_text_put(&text, "%s", i ? ", " : "{");
    mr_print_name(&text, meshes->items[i].name);
    mr_text_put(&text, " = #sdy.mesh");
    mr_print_attr(&text, &meshes->items[i]);
  }
  mr_text_put(&text, "}");
  mr_status status = text.failed ? MR_NO_MEMORY()
                                 : mr_put_frontend(w, &proto->frontend_attributes, MR_STR("xla.sdy.meshes"),
                                                   (mr_str){text.data, text.size});
  mr_text_deinit(&text);
  return status;
}

// Of protobuf-c, which puts into it what it packs, piece by piece.
typedef struct text_buffer {
  ProtobufCBuffer base;
  mr_text *text;
} text_buffer;

static void append_to_text(ProtobufCBuffer *buffer, size_t size, const uint8_t *data) {
  mr_text_append(((text_buffer *)buffer)->text, (mr_str){(const char *)data, size});
}

// The tag and the length of field 1, which is where both messages around a module have it.
static void open_outer(mr_text *bytes, size_t size) {
  char head[12] = {1 << 3 | 2};
  size_t used = 1;
  for (; size >= 0x80; size >>= 7) {
    head[used++] = (char)(size | 0x80);
  }
  head[used++] = (char)size;
  mr_text_append(bytes, (mr_str){head, used});
}

// The module is packed where it ends up: it may be large.
static mr_status put_bytes(hlo_writer *w, const Millrace__Hlo__Module *module, mr_hlo_outer outer, mr_text *bytes) {
  Millrace__Hlo__ModuleConfig config = MILLRACE__HLO__MODULE_CONFIG__INIT;
  Millrace__Hlo__ModuleWithConfig rest = MILLRACE__HLO__MODULE_WITH_CONFIG__INIT;
  text_buffer buffer = {{append_to_text}, bytes};
  if (outer != MR_HLO_BARE) {
    open_outer(bytes, protobuf_c_message_get_packed_size(&module->base));
  }
  protobuf_c_message_pack_to_buffer(&module->base, &buffer.base);
  if (outer == MR_HLO_WITH_CONFIG) {
    config.entry_computation_layout = module->host_program_shape;
    MR_TRY(mr_put_pack(w, &config.base, &rest.config));
    protobuf_c_message_pack_to_buffer(&rest.base, &buffer.base);
  }
  return bytes->failed ? MR_NO_MEMORY() : MR_OK;
}

static ProtobufCBinaryData binary_of(mr_span bytes) {
  return (ProtobufCBinaryData){.len = bytes.size, .data = (uint8_t *)(uintptr_t)bytes.data};
}

static mr_status put_shardings(hlo_writer *w, const mr_hlo_shardings *shardings, Millrace__Hlo__Module *proto) {
  proto->spmd_parameters_shardings = mr_arena_array(&w->arena, ProtobufCBinaryData, shardings->num_parameters + 1);
  if (!proto->spmd_parameters_shardings) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < shardings->num_parameters; i++) {
    proto->spmd_parameters_shardings[i] = binary_of(shardings->parameters[i]);
  }
  proto->n_spmd_parameters_shardings = shardings->num_parameters;
  proto->spmd_output_sharding = binary_of(shardings->results);
  return MR_OK;
}

static mr_status write_all(hlo_writer *w, const mr_hlo_form *form, mr_text *bytes) {
  Millrace__Hlo__Module proto = MILLRACE__HLO__MODULE__INIT;
  Millrace__Hlo__Aliases aliases = MILLRACE__HLO__ALIASES__INIT;
  Millrace__Hlo__Donors donors = MILLRACE__HLO__DONORS__INIT;
  mr_function *entry = mr_module_entry(w->module);
  mr_str name = w->module->name.size ? w->module->name : entry ? entry->name : MR_STR("main");
  MR_TRY(mr_put_text(w, name, &proto.name));
  if (entry) {
    MR_TRY(put_functions(w, entry, &proto));
    MR_TRY(put_donations(w, entry, &aliases, &donors));
  }
  proto.input_output_alias = aliases.n_entries ? &aliases : NULL;
  proto.buffer_donor = donors.n_entries ? &donors : NULL;
  MR_TRY(put_module_attrs(w, &proto));
  MR_TRY(form && form->shardings ? put_shardings(w, form->shardings, &proto) : MR_OK);
  return put_bytes(w, &proto, form ? form->outer : MR_HLO_BARE, bytes);
}

mr_status mr_write_hlo(const mr_module *module, const mr_hlo_form *form, mr_text *bytes) {
  hlo_writer w = {.module = module, .is_local = form && form->is_local};
  mr_arena_init(&w.arena, 0);
  mr_status status = write_all(&w, form, bytes);
  mr_arena_deinit(&w.arena);
  return status;
}
