// The room's front: what a program says about its shardings, what follows from it, and the program on local parts.
#include "compiler/shard/shard.h"
#include "compiler/passes/passes.h"

#include "compiler/shard/export.h"
#include "compiler/shard/import_forms.h"
#include "compiler/shard/partition.h"
#include "compiler/shard/propagate.h"

static bool port_says(const mr_attr *dict) {
  return mr_dict_find(dict, "mhlo.sharding") || mr_dict_find(dict, "sdy.sharding") ||
         mr_dict_find(mr_dict_find(dict, "mhlo.frontend_attributes"), "xla.sdy.sharding");
}

// Whether anything in the program is for the partitioner. Without, each device does all of it as it stands.
static bool says_anything(const mr_module *module) {
  if ((module->meshes && module->meshes->count) ||
      mr_dict_find(mr_dict_find(module->attrs, "mhlo.frontend_attributes"), "xla.sdy.meshes")) {
    return true;
  }
  const mr_function *entry = mr_module_entry(module);
  for (uint32_t i = 0; entry && i < entry->body.num_args; i++) {
    if (entry->arg_attrs && port_says(entry->arg_attrs[i])) {
      return true;
    }
  }
  for (uint32_t i = 0; entry && i < entry->num_results; i++) {
    if (entry->result_attrs && port_says(entry->result_attrs[i])) {
      return true;
    }
  }
  for (const mr_function *f = module->functions; f; f = f->next) {
    for (const mr_op *op = mr_walk_first(&f->body); op; op = mr_walk_next(op, &f->body)) {
      bool asks = op->kind == MR_OP_sdy_sharding_constraint || op->kind == MR_OP_sdy_manual_computation;
      if (asks || (op->extra && (mr_op_extra(op, "mhlo.sharding") || mr_op_extra(op, "sdy.sharding")))) {
        return true;
      }
    }
  }
  return false;
}

static mr_status make_grid(mr_module *module, int64_t num_devices, mr_grid *out) {
  size_t count = module->meshes ? module->meshes->count : 0;
  const mr_mesh **meshes = mr_arena_array(&module->arena, const mr_mesh *, count + 1);
  if (!meshes) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    MR_TRY(mr_mesh_named(module, module->meshes->items[i].name, &meshes[i]));
  }
  return mr_grid_make(num_devices, meshes, (uint32_t)count, out);
}

// Every device has all parameters and gives all results.
static mr_status whole_ports(mr_module *module, mr_shard_boundary *out) {
  static const mr_tile_sharding replicated = {.kind = MR_TILE_REPLICATED};
  const mr_function *entry = mr_module_entry(module);
  if (!entry) {
    return MR_OK;  // an error that is told elsewhere
  }
  uint32_t num_params = entry->body.num_args, num_results = entry->num_results;
  mr_shard_port *params = mr_arena_array(&module->arena, mr_shard_port, num_params + 1);
  mr_shard_port *results = mr_arena_array(&module->arena, mr_shard_port, num_results + 1);
  if (!params || !results) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < num_params; i++) {
    params[i] = (mr_shard_port){entry->body.args[i]->type, &replicated};
  }
  for (uint32_t i = 0; i < num_results; i++) {
    results[i] = (mr_shard_port){entry->result_types[i], &replicated};
  }
  *out =
      (mr_shard_boundary){.params = params, .results = results, .num_params = num_params, .num_results = num_results};
  return MR_OK;
}

mr_status mr_shard_run(mr_module *module, const mr_compile_options *options, mr_shard_boundary *out) {
  *out = (mr_shard_boundary){0};
  int64_t num_partitions = mr_module_partitions(module), num_replicas = mr_module_replicas(module);
  if (num_partitions * num_replicas == 1) {
    return MR_OK;
  }
  MR_TRY(mr_import_mesh_groups(module));
  if (num_partitions == 1 || !says_anything(module)) {
    MR_TRY(module->made_types & MR_MADE_OPEN ? mr_pass_inline_calls(module) : MR_OK);  // how large results are
    return whole_ports(module, out);
  }
  const mr_shard_host *host = options ? options->host : NULL;
  mr_import *import;
  MR_TRY(mr_status_note(mr_import_run(module, num_partitions, &import), "while reading shardings"));
  MR_TRY(mr_status_note(mr_propagate(import), "while propagating shardings"));
  MR_TRY(mr_status_note(mr_export_run(import), "while settling shardings"));
  MR_TRY(mr_status_note(mr_export_inspect(import, host), "while showing shardings"));
  MR_TRY(mr_export_customs(import, host));
  mr_grid grid;
  MR_TRY(make_grid(module, num_partitions, &grid));
  return mr_status_note(mr_part_run(module, import, &grid, options, out), "while partitioning");
}
