// Shardy's attributes as frontend attributes: its dialect taken out of a program for who does not know it.
#include "compiler/shard/import_forms.h"

#include <ctype.h>
#include <string.h>

// ---- What the forms share -----------------------------------------------------------------------------------------------

mr_str mr_import_said(const mr_op *op, const char *name) {
  const mr_attr *attr = mr_op_extra(op, name);
  attr = attr ? attr : mr_dict_find(mr_op_extra(op, "mhlo.frontend_attributes"), name);
  bool words = attr && (attr->kind == MR_ATTR_STRING || attr->kind == MR_ATTR_TEXT);
  return words ? attr->string : (mr_str){"", 0};
}

bool mr_import_calls(const mr_op *op, const char *target) {
  return op && op->kind == MR_OP_custom_call && mr_str_is(mr_op_string(op, MR_ATTR_call_target_name), target);
}

mr_status mr_import_say_port(mr_module *module, mr_attr **slot, mr_str text) {
  size_t count = *slot ? (*slot)->count : 0;
  mr_attr *dict = mr_arena_new(&module->arena, mr_attr);
  mr_attr *items = mr_arena_array(&module->arena, mr_attr, count + 1);
  if (!dict || !items) {
    return MR_NO_MEMORY();
  }
  *dict = *slot ? **slot : (mr_attr){.kind = MR_ATTR_DICT, .name = MR_STR("")};
  if (count) {
    memcpy(items, (*slot)->items, count * sizeof *items);
  }
  items[count] = (mr_attr){.kind = MR_ATTR_TEXT, .name = MR_STR("sdy.sharding"), .string = text};
  dict->items = items;
  dict->count = count + 1;
  *slot = dict;
  return MR_OK;
}

mr_status mr_import_add_mesh(mr_module *module, mr_str name, mr_str text) {
  size_t count = module->meshes ? module->meshes->count : 0;
  mr_attr *dict = mr_arena_new(&module->arena, mr_attr);
  mr_attr *items = mr_arena_array(&module->arena, mr_attr, count + 1);
  if (!dict || !items) {
    return MR_NO_MEMORY();
  }
  if (count) {
    memcpy(items, module->meshes->items, count * sizeof *items);
  }
  items[count] = (mr_attr){.kind = MR_ATTR_TEXT, .name = name, .string = text};
  *dict = (mr_attr){.kind = MR_ATTR_DICT, .name = MR_STR("meshes"), .items = items, .count = count + 1};
  module->meshes = dict;
  module->read_meshes = NULL;
  return MR_OK;
}

mr_status mr_import_make_constraint(mr_op *op, mr_str text) {
  mr_module *module = mr_op_module(op);
  if (op->num_operands != 1 || op->num_results != 1) {
    return mr_op_error(op, "a sharding constraint of %u values", op->num_operands);
  }
  mr_builder b = mr_builder_before(op);
  mr_value *operand = mr_op_operand(op, 0);
  mr_op *made = mr_build(&b, MR_OP_sdy_sharding_constraint, 1, &operand, 1, &op->results[0].type, 0);
  MR_TRY(mr_module_memory(module));
  mr_op_set_attr(module, made,
                 (mr_attr){.key = MR_ATTR_sharding, .name = MR_STR("sharding"), .kind = MR_ATTR_TEXT, .string = text});
  mr_value_replace_all_uses(&op->results[0], &made->results[0]);
  mr_op_erase(op);
  return mr_module_memory(module);
}

static void set_text(mr_module *module, mr_op *op, mr_attr_key key, mr_str text) {
  mr_op_set_attr(module, op,
                 (mr_attr){.key = key, .name = mr_str_of(mr_attr_key_name(key)), .kind = MR_ATTR_TEXT, .string = text});
}

static mr_status fill_body(const mr_manual_call *it, mr_block *body, const mr_function *callee) {
  mr_module *module = mr_op_module(it->call);
  mr_value_map *map = mr_value_map_create(module);
  mr_value **returned = mr_arena_array(&module->arena, mr_value *, it->num_out + 1);
  MR_TRY(mr_module_memory(module));
  if (!returned) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < callee->body.num_args; i++) {
    mr_value_map_set(map, callee->body.args[i], mr_block_add_arg(module, body, &callee->body.args[i]->type));
  }
  mr_builder inner = mr_builder_at_end(body);
  const mr_op *end = mr_block_terminator(&callee->body);
  if (!mr_block_clone_into(&inner, &callee->body, map)) {
    return mr_module_memory(module);
  }
  for (uint32_t i = 0; i < it->num_out; i++) {
    returned[i] = mr_value_map_get(map, end->operands[it->from[i]].value);
  }
  mr_build_return(&inner, it->num_out, returned);
  return mr_module_memory(module);
}

mr_status mr_import_make_manual(const mr_manual_call *it) {
  mr_module *module = mr_op_module(it->call);
  const mr_function *callee = mr_module_find(module, mr_op_string(it->call, MR_ATTR_callee));
  mr_type *types = mr_arena_array(&module->arena, mr_type, it->num_out + 1);
  if (!types) {
    return MR_NO_MEMORY();
  }
  if (!callee || callee->is_declaration || callee->body.num_args != it->num_in) {
    return mr_op_error(it->call, "a manual computation of %u values without a body of as many", it->num_in);
  }
  for (uint32_t i = 0; i < it->num_out; i++) {
    types[i] = it->out[i]->type;
  }
  mr_builder b = mr_builder_before(it->call);
  mr_op *made = mr_build(&b, MR_OP_sdy_manual_computation, it->num_in, it->in, it->num_out, types, 1);
  MR_TRY(mr_module_memory(module));
  set_text(module, made, MR_ATTR_in_shardings, it->in_text);
  set_text(module, made, MR_ATTR_out_shardings, it->out_text);
  set_text(module, made, MR_ATTR_manual_axes, it->axes);
  MR_TRY(fill_body(it, made->regions[0], callee));
  for (uint32_t i = 0; i < it->num_out; i++) {
    mr_value_replace_all_uses(it->out[i], &made->results[i]);
  }
  return MR_OK;
}

// ---- Frontend attributes --------------------------------------------------------------------------------------------------

// {mesh = #sdy.mesh<["x"=2]>, other = #sdy.mesh<..>}
static mr_status read_meshes(mr_module *module, mr_str text) {
  size_t at = 0;
  while (at < text.size) {
    while (at < text.size && strchr("{}, \t\n\"@", text.data[at])) {
      at++;
    }
    size_t start = at;
    while (at < text.size && !strchr(" =\"", text.data[at])) {
      at++;
    }
    mr_str name = {text.data + start, at - start};
    const char *open = memchr(text.data + at, '<', text.size - at);
    const char *close = open ? memchr(open, '>', (size_t)(text.data + text.size - open)) : NULL;
    if (name.size == 0) {
      break;
    }
    if (!close) {
      return mr_error(MR_INVALID_ARGUMENT, "meshes %.*s: expected a mesh at byte %zu",
                      (int)MR_MIN(text.size, (size_t)200), text.data, at);
    }
    MR_TRY(mr_import_add_mesh(module, name, (mr_str){open, (size_t)(close - open) + 1}));
    at = (size_t)(close + 1 - text.data);
  }
  return MR_OK;
}

static mr_status read_ports(mr_module *module, uint32_t count, mr_attr **attrs) {
  for (uint32_t i = 0; attrs && i < count; i++) {
    const mr_attr *more = mr_dict_find(attrs[i], "mhlo.frontend_attributes");
    const mr_attr *said = mr_dict_find(more, "xla.sdy.sharding");
    if (said && said->kind == MR_ATTR_STRING) {
      MR_TRY(mr_import_say_port(module, &attrs[i], said->string));
    }
  }
  return MR_OK;
}

// What @main returns through it has this sharding.
static mr_status read_result(mr_op *op, mr_str text) {
  mr_function *f = op->block->function;
  if (op->num_operands != 1 || op->num_results != 1) {
    return mr_op_error(op, "a result's sharding of %u values", op->num_operands);
  }
  for (const mr_use *use = op->results[0].uses; use; use = use->next) {
    uint32_t i = (uint32_t)(use - use->user->operands);
    if (use->user->kind == MR_OP_return && !use->user->block->parent && i < f->num_results) {
      MR_TRY(mr_import_say_port(f->module, &f->result_attrs[i], text));
    }
  }
  mr_value_replace_all_uses(&op->results[0], mr_op_operand(op, 0));
  mr_op_erase(op);
  return MR_OK;
}

static mr_status read_group(mr_op *op) {
  mr_module *module = mr_op_module(op);
  mr_str digits = mr_import_said(op, "xla.sdy.sharding_group_id");
  int64_t id = 0;
  for (size_t i = 0; i < digits.size && isdigit((unsigned char)digits.data[i]) && id < INT32_MAX; i++) {
    id = id * 10 + (digits.data[i] - '0');
  }
  mr_builder b = mr_builder_before(op);
  mr_value *value = op->num_operands == 1 ? mr_op_operand(op, 0) : NULL;
  mr_op *made = value ? mr_build(&b, MR_OP_sdy_sharding_group, 1, &value, 0, NULL, 0) : NULL;
  MR_TRY(mr_module_memory(module));
  if (!made) {
    return mr_op_error(op, "a sharding group of %u values", op->num_operands);
  }
  mr_op_set_attr(module, made, (mr_attr){.name = MR_STR("group_id"), .kind = MR_ATTR_INT, .integer = id});
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (!mr_value_is_unused(&op->results[i])) {
      return mr_unimplemented(op, "whose result is used");
    }
  }
  mr_op_erase(op);
  return mr_module_memory(module);
}

// The one op that takes the call's results, or NULL.
static mr_op *taker_of(const mr_op *call) {
  for (uint32_t i = 0; i < call->num_results; i++) {
    for (const mr_use *use = call->results[i].uses; use; use = use->next) {
      if (mr_import_calls(use->user, "xla.sdy.LocalToGlobalShape")) {
        return use->user;
      }
    }
  }
  return NULL;
}

// One of the ops around a body, when there is one.
static mr_status erase_unused(mr_op *op) {
  for (uint32_t i = 0; op && i < op->num_results; i++) {
    if (!mr_value_is_unused(&op->results[i])) {
      return mr_unimplemented(op, "a manual computation whose values go elsewhere as well");
    }
  }
  if (op) {
    mr_op_erase(op);
  }
  return MR_OK;
}

static mr_status read_manual(mr_op *call) {
  mr_module *module = mr_op_module(call);
  mr_op *giver = call->num_operands ? mr_op_operand(call, 0)->def : NULL;
  mr_op *taker = taker_of(call);
  mr_manual_call it = {.call = call, .num_in = call->num_operands, .num_out = taker ? taker->num_operands : 0};
  it.in = mr_arena_array(&module->arena, mr_value *, it.num_in + 1);
  it.out = mr_arena_array(&module->arena, mr_value *, it.num_out + 1);
  it.from = mr_arena_array(&module->arena, uint32_t, it.num_out + 1);
  if (!it.in || !it.out || !it.from) {
    return MR_NO_MEMORY();
  }
  bool plain = giver ? mr_import_calls(giver, "xla.sdy.GlobalToLocalShape") && giver->num_operands == it.num_in &&
                           giver->num_results == it.num_in
                     : it.num_in == 0;
  for (uint32_t i = 0; plain && i < it.num_in; i++) {
    plain = mr_op_operand(call, i) == &giver->results[i];
    it.in[i] = mr_op_operand(giver, i);
  }
  for (uint32_t i = 0; plain && i < it.num_out; i++) {
    const mr_value *local = mr_op_operand(taker, i);
    plain = local->def == call && taker->num_results == it.num_out;
    it.from[i] = local->index;
    it.out[i] = plain ? &taker->results[i] : NULL;
  }
  if (!plain) {
    return mr_unimplemented(call, "a manual computation between other ops than GlobalToLocalShape, LocalToGlobalShape");
  }
  it.in_text = giver ? mr_import_said(giver, "xla.sdy.in_shardings") : MR_STR("[]");
  it.out_text = taker ? mr_import_said(taker, "xla.sdy.out_shardings") : MR_STR("[]");
  it.axes = mr_import_said(giver ? giver : taker ? taker : call, "xla.sdy.manual_axes");
  MR_TRY(mr_import_make_manual(&it));
  MR_TRY(erase_unused(taker));
  MR_TRY(erase_unused(call));
  return erase_unused(giver);
}

static bool is_body(const mr_op *op) {
  return op->kind == MR_OP_call &&
         mr_str_starts_with(mr_op_string(op, MR_ATTR_callee), MR_STR("xla.sdy.manual_computation_body"));
}

// What stands at any op, under the name that it has in Shardy's dialect.
static mr_status say_again(mr_op *op, const char *name) {
  mr_module *module = mr_op_module(op);
  mr_str text = mr_import_said(op, name);
  const char *own = name + sizeof "xla." - 1;
  if (text.size && !mr_op_extra(op, own)) {
    mr_op_set_attr(module, op, (mr_attr){.name = mr_str_of(own), .kind = MR_ATTR_TEXT, .string = text});
  }
  return mr_module_memory(module);
}

static mr_status read_op(mr_op *op) {
  mr_str text = mr_import_said(op, "xla.sdy.sharding");
  if (is_body(op)) {
    return read_manual(op);
  }
  if (mr_import_calls(op, "Sharding") && text.size) {
    return mr_import_make_constraint(op, text);
  }
  if (mr_import_calls(op, "xla.sdy.FuncResultSharding")) {
    return read_result(op, text);
  }
  if (mr_import_calls(op, "xla.sdy.ShardingGroup")) {
    return read_group(op);
  }
  MR_TRY(say_again(op, "xla.sdy.sharding"));
  return say_again(op, "xla.sdy.sharding_rule");
}

mr_status mr_import_frontend(mr_module *module) {
  const mr_attr *meshes = mr_dict_find(mr_dict_find(module->attrs, "mhlo.frontend_attributes"), "xla.sdy.meshes");
  if (!meshes || meshes->kind != MR_ATTR_STRING) {
    return MR_OK;
  }
  MR_TRY(read_meshes(module, meshes->string));
  for (mr_function *f = module->functions; f; f = f->next) {
    MR_TRY(read_ports(module, f->body.num_args, f->arg_attrs));
    MR_TRY(read_ports(module, f->num_results, f->result_attrs));
    for (mr_op *op = mr_walk_first(&f->body), *next; op; op = next) {
      bool body = is_body(op);
      next = mr_walk_next(op, &f->body);
      MR_TRY(read_op(op));
      // What stood around the call went with it, and its body may call further ones.
      next = body ? mr_walk_first(&f->body) : next;
    }
  }
  return MR_OK;
}
