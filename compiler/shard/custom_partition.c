// Custom calls that the host partitions itself: it says how operands are to come and results are, and gives the program that does it
// on one device's part. That is a manual computation over all axes.
#include "compiler/passes/passes.h"
#include "compiler/reader/reader.h"
#include "compiler/shard/export.h"

typedef struct custom {
  mr_import *import;
  const mr_shard_host *host;
  mr_op *op;
  const mr_mesh *mesh;
  mr_shard_answer answer;
} custom;

static bool is_asked_for(const mr_shard_host *host, const mr_op *op) {
  return op->kind == MR_OP_custom_call &&
         host->has_partitioner(host->context, mr_op_string(op, MR_ATTR_call_target_name));
}

// The mesh of what comes or goes, else any one that is over all devices.
static mr_status find_mesh(custom *c) {
  mr_module *module = c->import->module;
  const mr_op *op = c->op;
  for (uint32_t i = 0; i < op->num_operands + op->num_results; i++) {
    const mr_value *value = i < op->num_operands ? mr_op_operand(op, i) : &op->results[i - op->num_operands];
    const mr_sharding *sharding = value->sharding;
    if (sharding && sharding->mesh->num_axes) {
      c->mesh = sharding->mesh;
      return MR_OK;
    }
  }
  for (size_t i = 0; module->meshes && i < module->meshes->count; i++) {
    const mr_mesh *mesh;
    MR_TRY(mr_mesh_named(module, module->meshes->items[i].name, &mesh));
    if (mr_mesh_devices(mesh) == c->import->num_devices) {
      c->mesh = mesh;
      return MR_OK;
    }
  }
  return mr_unimplemented(op, "in a program without a mesh over its devices");
}

// ---- The question -----------------------------------------------------------------------------------------------------------

static mr_status describe(const custom *c, const mr_value *value, mr_shard_value *out) {
  mr_arena *arena = &c->import->module->arena;
  mr_tile_sharding *tiles = mr_arena_new(arena, mr_tile_sharding);
  const mr_type *type = &value->type;
  if (!tiles) {
    return MR_NO_MEMORY();
  }
  if (type->kind != MR_TYPE_TENSOR) {
    return mr_unimplemented(c->op, "with a value that is no array");
  }
  const mr_sharding *sharding = value->sharding;
  MR_TRY(mr_sharding_to_tiles(arena, sharding, c->import->num_devices, tiles));
  *out = (mr_shard_value){type->dtype, type->rank, type->dims, tiles};
  return MR_OK;
}

static mr_status ask(custom *c) {
  const mr_op *op = c->op;
  mr_arena *arena = &c->import->module->arena;
  mr_shard_value *operands = mr_arena_array(arena, mr_shard_value, op->num_operands + 1);
  mr_shard_value *results = mr_arena_array(arena, mr_shard_value, op->num_results + 1);
  if (!operands || !results) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    MR_TRY(describe(c, mr_op_operand(op, i), &operands[i]));
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    MR_TRY(describe(c, &op->results[i], &results[i]));
  }
  mr_shard_call call = {.target = mr_op_string(op, MR_ATTR_call_target_name),
                        .backend_config = mr_op_string(op, MR_ATTR_backend_config),
                        .operands = operands,
                        .results = results,
                        .num_operands = op->num_operands,
                        .num_results = op->num_results};
  return c->host->partition(c->host->context, &call, arena, &c->answer);
}

// ---- The answer -------------------------------------------------------------------------------------------------------------

// The answer's program as one function. It stays as long as the program that takes its ops in.
static mr_status read_answer(const custom *c, mr_function **out) {
  mr_module *module = c->import->module, *part = NULL;
  MR_TRY(mr_read_program(c->answer.program, &part));
  part->figures = module->figures;
  part->taken_in = module->taken_in;
  module->taken_in = part;
  MR_TRY(mr_module_verify(part));
  MR_TRY(mr_pass_inline(part));
  MR_TRY(mr_pass_forward(part));
  mr_module_add_made(module, part);
  *out = mr_module_entry(part);
  const mr_op *op = c->op;
  return (*out)->body.num_args == op->num_operands && (*out)->num_results == op->num_results
             ? MR_OK
             : mr_op_error(op, "the host's program has %u parameters and %u results, wanted %u and %u",
                           (*out)->body.num_args, (*out)->num_results, op->num_operands, op->num_results);
}

static mr_status place(const custom *c, const mr_tile_sharding *tiles, const mr_type *outside, const mr_type *inside,
                       const mr_sharding **out) {
  MR_TRY(mr_sharding_from_tiles(c->import->module, c->mesh, tiles, outside->rank, c->import->num_devices, out));
  bool fits = inside->kind == MR_TYPE_TENSOR && inside->rank == outside->rank && inside->dtype == outside->dtype;
  for (uint32_t i = 0; fits && i < outside->rank; i++) {
    fits = inside->dims[i] * mr_axis_list_size((*out)->dims[i].axes) == outside->dims[i];
  }
  if (fits) {
    return MR_OK;
  }
  char outer[128], inner[128];
  return mr_unimplemented(c->op, "%s of which the host's program has %s", mr_type_text(outside, outer, sizeof outer),
                          mr_type_text(inside, inner, sizeof inner));
}

static mr_status place_all(const custom *c, const mr_function *body, mr_manual *manual) {
  mr_arena *arena = &c->import->module->arena;
  const mr_op *op = c->op;
  manual->in = mr_arena_array(arena, const mr_sharding *, op->num_operands + 1);
  manual->out = mr_arena_array(arena, const mr_sharding *, op->num_results + 1);
  mr_axis_ref *axes = mr_arena_array(arena, mr_axis_ref, c->mesh->num_axes + 1);
  if (!manual->in || !manual->out || !axes) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < c->mesh->num_axes; i++) {
    axes[i] = (mr_axis_ref){(uint16_t)i, 1, c->mesh->axes[i].size};
  }
  manual->mesh = c->mesh;
  manual->axes = manual->outer = (mr_axis_list){c->mesh->num_axes, axes};
  for (uint32_t i = 0; i < op->num_operands; i++) {
    MR_TRY(place(c, &c->answer.operands[i], &op->operands[i].value->type, &body->body.args[i]->type, &manual->in[i]));
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    MR_TRY(place(c, &c->answer.results[i], &op->results[i].type, &body->result_types[i], &manual->out[i]));
  }
  return MR_OK;
}

// The manual computation in the call's place.
static mr_status build(const custom *c, const mr_function *body, mr_manual *manual) {
  mr_module *module = c->import->module;
  mr_op *op = c->op;
  mr_value **values = mr_arena_array(&module->arena, mr_value *, op->num_operands + op->num_results + 1);
  mr_type *types = mr_arena_array(&module->arena, mr_type, op->num_results + 1);
  mr_value_map *map = mr_value_map_create(module);
  if (!values || !types || !map) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    values[i] = mr_op_operand(op, i);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    types[i] = op->results[i].type;
  }
  mr_builder b = mr_builder_before(op);
  manual->op = mr_build(&b, MR_OP_sdy_manual_computation, op->num_operands, values, op->num_results, types, 1);
  MR_TRY(mr_module_memory(module));
  for (uint32_t i = 0; i < body->body.num_args; i++) {
    const mr_value *arg = body->body.args[i];
    mr_value_map_set(map, arg, mr_block_add_arg(module, manual->op->regions[0], &arg->type));
  }
  mr_builder inner = mr_builder_at_end(manual->op->regions[0]);
  const mr_op *end = mr_block_terminator(&body->body);
  if (!mr_block_clone_into(&inner, &body->body, map)) {
    return mr_module_memory(module);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    values[i] = mr_value_map_get(map, mr_op_operand(end, i));
  }
  mr_build_return(&inner, op->num_results, values);
  MR_TRY(mr_module_memory(module));
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value_replace_all_uses(&op->results[i], &manual->op->results[i]);
    manual->op->results[i].sharding = manual->out[i];
  }
  mr_op_erase(op);
  return mr_module_memory(module);
}

static mr_status take_in(custom *c) {
  mr_function *body;
  mr_manual *manual = &c->import->manuals[c->import->num_manuals];
  for (const mr_op *op = c->op->block->parent; op; op = op->block->parent) {
    if (op->kind == MR_OP_sdy_manual_computation) {
      return mr_unimplemented(c->op, "that the host partitions, in a manual computation over some of the axes");
    }
  }
  MR_TRY(find_mesh(c));
  MR_TRY(ask(c));
  MR_TRY(read_answer(c, &body));
  MR_TRY(place_all(c, body, manual));
  MR_TRY(build(c, body, manual));
  c->import->num_manuals++;
  return MR_OK;
}

mr_status mr_export_customs(mr_import *import, const mr_shard_host *host) {
  const mr_block *root = &import->function->body;
  uint32_t count = 0;
  for (mr_op *op = mr_walk_first(root); host && host->has_partitioner && op; op = mr_walk_next(op, root)) {
    count += is_asked_for(host, op);
  }
  if (count == 0) {
    return MR_OK;
  }
  mr_manual *manuals = mr_arena_array(&import->module->arena, mr_manual, import->num_manuals + count);
  if (!manuals) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < import->num_manuals; i++) {
    manuals[i] = import->manuals[i];
  }
  import->manuals = manuals;
  for (mr_op *op = mr_walk_first(root), *next; op && count; op = next) {
    next = mr_walk_next(op, root);
    if (is_asked_for(host, op)) {
      custom c = {.import = import, .host = host, .op = op};
      mr_str target = mr_op_string(op, MR_ATTR_call_target_name);
      MR_TRY(mr_status_note(take_in(&c), "in custom call %.*s", MR_STR_ARG(target)));
      count--;
    }
  }
  return mr_import_number_manuals(import);
}
