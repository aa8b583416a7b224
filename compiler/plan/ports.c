// Parameters and results as the outside sees them, from the entry function's types and attributes.
#include "compiler/plan/plan.h"

static const mr_attr *find(const mr_attr *dict, const char *name) { return dict ? mr_dict_find(dict, name) : NULL; }

static mr_status copy_text(mr_arena *arena, const mr_attr *attr, mr_str *out) {
  *out = (mr_str){NULL, 0};
  if (!attr || (attr->kind != MR_ATTR_STRING && attr->kind != MR_ATTR_TEXT)) {
    return MR_OK;
  }
  *out = mr_arena_str(arena, attr->string);
  return out->data ? MR_OK : MR_NO_MEMORY();
}

// `called`: by the argument's location; what JAX says outright comes first.
static mr_status fill_port(mr_arena *arena, const mr_type *type, const mr_attr *attrs, mr_str called, mr_port *port) {
  port->alias = -1;
  port->is_token = type->kind == MR_TYPE_TOKEN;
  if (port->is_token) {
    // Tokens travel as arrays without elements: pred[0].
    static const int64_t no_elements[1] = {0};
    port->dtype = MR_PRED;
    port->rank = 1;
    port->dims = no_elements;
    return MR_OK;
  }
  if (type->kind != MR_TYPE_TENSOR || !mr_type_is_static(type)) {
    char text[256];
    return mr_error(MR_UNIMPLEMENTED, "entry function with a value of type %s", mr_type_text(type, text, sizeof text));
  }
  port->dtype = type->dtype;
  port->rank = type->rank;
  port->dims = mr_arena_copy(arena, type->dims, type->rank * sizeof(int64_t));
  port->bytes = mr_type_bytes(type);
  MR_TRY(copy_text(arena, find(attrs, "mhlo.layout_mode"), &port->layout));
  MR_TRY(copy_text(arena, find(attrs, "sdy.sharding"), &port->sharding));
  const mr_attr *name = find(attrs, "jax.result_info");
  MR_TRY(copy_text(arena, name ? name : find(attrs, "jax.arg_info"), &port->name));
  if (!port->name.size && called.size) {
    port->name = mr_arena_str(arena, called);
    MR_TRY(port->name.data ? MR_OK : MR_NO_MEMORY());
  }
  const mr_attr *kind = find(attrs, "mhlo.memory_kind");
  if (kind && kind->kind == MR_ATTR_STRING) {
    MR_TRY(mr_memory_kind_parse(kind->string, &port->memory));
  }
  return type->rank && !port->dims ? MR_NO_MEMORY() : MR_OK;
}

// Memory is short when a list comes back NULL that was not.
static bool copy_list(mr_arena *arena, const void **list, size_t size) {
  if (*list && size) {
    *list = mr_arena_copy(arena, *list, size);
    return *list != NULL;
  }
  return true;
}

static bool copy_tiles(mr_arena *arena, const mr_tile_sharding *from, const mr_tile_sharding **out) {
  mr_tile_sharding *to = mr_arena_new(arena, mr_tile_sharding);
  *out = to;
  if (!to) {
    return false;
  }
  *to = *from;
  return copy_list(arena, (const void **)&to->tile_dims, to->tile_rank * sizeof(int64_t)) &&
         copy_list(arena, (const void **)&to->reshape_dims, to->reshape_rank * sizeof(int64_t)) &&
         copy_list(arena, (const void **)&to->transpose, to->reshape_rank * sizeof(int32_t)) &&
         copy_list(arena, (const void **)&to->devices, to->num_devices * sizeof(int64_t)) &&
         copy_list(arena, (const void **)&to->last_tile_dims, to->num_last);
}

// What the port is part of. The program's module goes when it is compiled, so all of it is copied.
static mr_status fill_global(mr_arena *arena, const mr_shard_port *part, mr_port *port) {
  const mr_type *type = &part->global;
  bool token = type->kind == MR_TYPE_TOKEN;
  port->global_dims = token ? port->dims : mr_arena_copy(arena, type->dims, type->rank * sizeof(int64_t));
  bool lacks = type->rank && !token && !port->global_dims;
  return lacks || !copy_tiles(arena, part->tiles, &port->tiles) ? MR_NO_MEMORY() : MR_OK;
}

static mr_status fill_param(mr_executable *e, uint32_t i, const mr_function *function) {
  mr_port *port = &e->params[i];
  const mr_attr *attrs = function->arg_attrs ? function->arg_attrs[i] : NULL;
  mr_str called = function->arg_names ? function->arg_names[i] : MR_STR("");
  MR_TRY(fill_port(&e->arena, &function->body.args[i]->type, attrs, called, port));
  const mr_attr *alias = find(attrs, "tf.aliasing_output");
  const mr_attr *donor = find(attrs, "jax.buffer_donor");
  port->donated = alias || (donor && !(donor->kind == MR_ATTR_INT && donor->integer == 0));
  if (!alias) {
    return MR_OK;
  }
  if (alias->kind != MR_ATTR_INT || alias->integer < 0 || alias->integer >= e->num_results) {
    return mr_error(MR_INVALID_ARGUMENT, "tf.aliasing_output of parameter %u is not one of the %u results", i,
                    e->num_results);
  }
  port->alias = (int32_t)alias->integer;
  e->results[port->alias].alias = (int32_t)i;
  return MR_OK;
}

// Over several devices a host does not know the parts, and marks what it would give if it were of use (jax.buffer_donor): a parameter
// whose part is as large as that of a result that nothing else is to be in. The others stay the host's.
static mr_status settle_donors(mr_executable *e) {
  bool *taken = mr_arena_array(&e->arena, bool, e->num_results + 1);
  if (!taken) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < e->num_params; i++) {
    if (!e->params[i].donated || e->params[i].alias >= 0) {
      continue;
    }
    uint32_t k = 0;
    while (k < e->num_results && (taken[k] || e->results[k].alias >= 0 || e->results[k].bytes != e->params[i].bytes)) {
      k++;
    }
    taken[k] = true;
    e->params[i].donated = e->donates[i] = k < e->num_results;
  }
  return MR_OK;
}

static void count_param(mr_executable *e, const mr_port *param) {
  size_t aliased = param->alias >= 0 ? param->bytes : 0;
  e->stats.argument_bytes = mr_size_add(e->stats.argument_bytes, param->bytes);
  e->stats.alias_bytes = mr_size_add(e->stats.alias_bytes, aliased);
  if (param->memory != MR_MEMORY_DEVICE) {
    e->stats.host_argument_bytes = mr_size_add(e->stats.host_argument_bytes, param->bytes);
    e->stats.host_alias_bytes = mr_size_add(e->stats.host_alias_bytes, aliased);
  }
}

static bool has_open_size(const mr_type *type) { return type->kind == MR_TYPE_TENSOR && !mr_type_is_static(type); }

// Of a program whose sizes did not all become known: the op that it is about.
static mr_status check_open_sizes(const mr_function *function) {
  if (!(function->module->made_types & MR_MADE_OPEN)) {
    return MR_OK;
  }
  for (const mr_op *op = mr_walk_first(&function->body); op; op = mr_walk_next(op, &function->body)) {
    bool open = op->num_results && has_open_size(&op->results[0].type);
    for (uint32_t i = 0; open && i < op->num_operands; i++) {
      open = !has_open_size(&mr_op_operand(op, i)->type);
    }
    if (open && op->kind == MR_OP_custom_call) {
      return mr_unimplemented(op, "@%.*s with a size that is not known from its operands' shapes",
                              MR_STR_ARG(mr_op_string(op, MR_ATTR_call_target_name)));
    }
    if (open) {
      return mr_unimplemented(op, "with a size that is not known from its operands' shapes");
    }
  }
  return MR_OK;
}

mr_status mr_planner_ports(mr_executable *e, const mr_function *function, const mr_shard_boundary *boundary) {
  MR_TRY(check_open_sizes(function));
  e->num_params = function->body.num_args;
  e->num_results = function->num_results;
  e->params = mr_arena_array(&e->arena, mr_port, e->num_params + 1);
  e->results = mr_arena_array(&e->arena, mr_port, e->num_results + 1);
  e->donates = mr_arena_array(&e->arena, bool, e->num_params + 1);
  if (!e->params || !e->results || !e->donates) {
    return MR_NO_MEMORY();
  }
  for (uint32_t k = 0; k < e->num_results; k++) {
    const mr_attr *attrs = function->result_attrs ? function->result_attrs[k] : NULL;
    MR_TRY(mr_status_note(fill_port(&e->arena, &function->result_types[k], attrs, MR_STR(""), &e->results[k]),
                          "result %u", k));
    e->results[k].order = e->result_orders ? e->result_orders[k] : NULL;
    if (boundary->results) {
      MR_TRY(fill_global(&e->arena, &boundary->results[k], &e->results[k]));
    }
    e->stats.result_bytes = mr_size_add(e->stats.result_bytes, e->results[k].bytes);
    if (e->results[k].memory != MR_MEMORY_DEVICE) {
      e->stats.host_result_bytes = mr_size_add(e->stats.host_result_bytes, e->results[k].bytes);
    }
  }
  for (uint32_t i = 0; i < e->num_params; i++) {
    MR_TRY(mr_status_note(fill_param(e, i, function), "parameter %u", i));
    if (boundary->params) {
      MR_TRY(fill_global(&e->arena, &boundary->params[i], &e->params[i]));
    }
    e->donates[i] = e->params[i].donated;
    count_param(e, &e->params[i]);
  }
  return mr_executable_row_count(e) > 1 ? settle_donors(e) : MR_OK;
}
