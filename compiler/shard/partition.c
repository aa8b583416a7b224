// The walk over a program that makes its local form: one function beside the old one, op by op.
#include "compiler/shard/partition.h"

#include "compiler/ir/ahead.h"

// ---- Copies -----------------------------------------------------------------------------------------------------------------

// What a region uses of the outside is a scalar almost always; it is there whole.
static void take_captured(mr_part *p, const mr_op *op, mr_value_map *map) {
  for (uint32_t r = 0; r < op->num_regions; r++) {
    const mr_block *root = op->regions[r];
    for (const mr_op *inner = mr_walk_first(root); inner; inner = mr_walk_next(inner, root)) {
      for (uint32_t i = 0; i < inner->num_operands; i++) {
        mr_value *value = inner->operands[i].value;
        if (!mr_block_is_inside(value->block, root)) {
          mr_value_map_set(map, value, mr_part_get_replicated(p, value));
        }
      }
    }
  }
}

mr_op *mr_part_clone(mr_part *p, const mr_op *op, mr_value *const *operands, const mr_type *types) {
  p->b.loc = op->loc;
  if (!op->num_regions) {
    mr_op *copy = mr_build(&p->b, op->kind, op->num_operands, operands, op->num_results, types, 0);
    if (copy) {
      copy->name = op->name;
      mr_op_copy_attrs(p->module, copy, op);
    }
    return copy;
  }
  mr_value_map *map = mr_value_map_create(p->module);
  take_captured(p, op, map);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    mr_value_map_set(map, op->operands[i].value, operands[i]);
  }
  // One value given twice may come in two tilings: operands are set again below.
  mr_op *copy = p->module->out_of_memory ? NULL : mr_op_clone(&p->b, op, map);
  for (uint32_t i = 0; copy && i < op->num_operands; i++) {
    mr_op_set_operand(copy, i, operands[i]);
  }
  for (uint32_t i = 0; copy && i < op->num_results; i++) {
    copy->results[i].type = mr_type_copy(p->module, &types[i]);
  }
  return copy;
}

mr_status mr_part_room(mr_part *p, const mr_op *op, mr_value ***out_operands, mr_type **out_types) {
  *out_operands = mr_arena_array(&p->module->arena, mr_value *, op->num_operands + 1);
  *out_types = mr_arena_array(&p->module->arena, mr_type, op->num_results + 1);
  return *out_operands && *out_types ? MR_OK : MR_NO_MEMORY();
}

mr_status mr_part_whole(mr_part *p, mr_op *op) {
  mr_value **operands;
  mr_type *types;
  MR_TRY(mr_part_room(p, op, &operands, &types));
  for (uint32_t i = 0; i < op->num_operands; i++) {
    operands[i] = mr_part_get_replicated(p, mr_op_operand(op, i));
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    types[i] = op->results[i].type;
  }
  mr_op *copy = p->module->out_of_memory ? NULL : mr_part_clone(p, op, operands, types);
  for (uint32_t i = 0; copy && i < op->num_results; i++) {
    mr_tiling whole = mr_tiling_replicated(types[i].kind == MR_TYPE_TENSOR ? types[i].rank : 0);
    mr_part_set(p, &op->results[i], &copy->results[i], &whole);
  }
  return mr_module_memory(p->module);
}

// ---- The walk ---------------------------------------------------------------------------------------------------------------

// No atom is left that could cut anything: what a fully manual computation says is done as it stands.
static bool all_manual(const mr_part *p) {
  return p->spread.manual == (uint32_t)((UINT64_C(1) << p->grid->num_atoms) - 1);
}

#define mr_local_NONE NULL
static const mr_local locals[MR_OP_COUNT] = {
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, element, root, fusion, library, places, stored, factors, local)                        \
  [MR_OP_##name] = mr_local_##local,
#include "ops/ops.def"
};
#undef mr_local_NONE

static mr_status put_op(mr_part *p, mr_op *op) {
  bool done = false;
  p->b.loc = op->loc;
  if (locals[op->kind]) {
    MR_TRY(locals[op->kind](p, op, &done));
  }
  if (done) {
    return MR_OK;
  }
  return op->num_results == 0 || all_manual(p) ? mr_part_whole(p, op) : mr_part_generic(p, op);
}

// Made where it is used.
mr_status mr_local_free(mr_part *p, mr_op *op, bool *out_done) {
  (void)p;
  *out_done = mr_part_is_free(&op->results[0]);
  return MR_OK;
}

// What was said with it is in the shardings.
mr_status mr_local_nothing(mr_part *p, mr_op *op, bool *out_done) {
  (void)p, (void)op;
  *out_done = true;
  return MR_OK;
}

mr_status mr_part_block(mr_part *p, const mr_block *block) {
  const mr_op *terminator = mr_block_terminator(block);
  for (mr_op *op = block->first; op && op != terminator; op = op->next) {
    mr_op_look_ahead(op);
    MR_TRY(mr_module_memory(p->module));
    MR_TRY(put_op(p, op));
  }
  return mr_module_memory(p->module);
}

// ---- The function -----------------------------------------------------------------------------------------------------------

typedef struct ends {
  const mr_tiling **tilings;
  mr_type *types;  // local
  mr_shard_port *ports;
} ends;

static mr_status cut_port(mr_part *p, const mr_type *type, const mr_sharding *sharding, ends *to, uint32_t i) {
  mr_tile_sharding *tiles = mr_arena_new(&p->module->arena, mr_tile_sharding);
  if (!tiles) {
    return MR_NO_MEMORY();
  }
  uint32_t rank = type->kind == MR_TYPE_TENSOR ? type->rank : 0;
  mr_tiling tiling = mr_tiling_replicated(rank);
  if (sharding && type->kind == MR_TYPE_TENSOR) {
    MR_TRY(mr_tiling_of(p->grid, sharding, rank, &tiling));
    MR_TRY(mr_sharding_to_tiles(&p->module->arena, sharding, p->grid->num_devices, tiles));
  }
  to->tilings[i] = mr_part_keep_tiling(p, &tiling);
  to->ports[i].tiles = tiles;
  return mr_module_memory(p->module);
}

static mr_status make_ends(mr_part *p, const mr_function *old, bool params, ends *to) {
  uint32_t count = params ? old->body.num_args : old->num_results;
  mr_arena *arena = &p->module->arena;
  to->tilings = mr_arena_array(arena, const mr_tiling *, count + 1);
  to->types = mr_arena_array(arena, mr_type, count + 1);
  to->ports = mr_arena_array(arena, mr_shard_port, count + 1);
  if (!to->tilings || !to->types || !to->ports) {
    return MR_NO_MEMORY();
  }
  const mr_sharding *last = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const mr_sharding *sharding = params ? old->body.args[i]->sharding : p->import->results[i];
    const mr_type *type = params ? &old->body.args[i]->type : &old->result_types[i];
    if (sharding && sharding == last && type->kind == MR_TYPE_TENSOR && type->rank == to->tilings[i - 1]->rank) {
      to->tilings[i] = to->tilings[i - 1];
      to->ports[i].tiles = to->ports[i - 1].tiles;
    } else {
      MR_TRY(mr_status_note(cut_port(p, type, sharding, to, i), "%s %u", params ? "parameter" : "result", i));
    }
    to->ports[i].global = *type;
    to->types[i] = mr_part_local_type(p, type, to->tilings[i]);
    last = sharding;
  }
  return MR_OK;
}

static mr_status fill(mr_part *p, const mr_function *old, mr_function *function, const ends *params,
                      const ends *results) {
  const mr_op *terminator = mr_block_terminator(&old->body);
  p->b = mr_builder_at_end(&function->body);
  for (uint32_t i = 0; i < old->body.num_args; i++) {
    mr_part_set(p, old->body.args[i], function->body.args[i], params->tilings[i]);
  }
  MR_TRY(mr_part_block(p, &old->body));
  mr_value **values = mr_arena_array(&p->module->arena, mr_value *, old->num_results + 1);
  if (!values) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < old->num_results; i++) {
    values[i] = mr_part_get(p, terminator->operands[i].value, results->tilings[i]);
  }
  mr_build_return(&p->b, old->num_results, values);
  return mr_module_memory(p->module);
}

mr_status mr_part_run(mr_module *module, const mr_import *import, const mr_grid *grid,
                      const mr_compile_options *options, mr_shard_boundary *out) {
  mr_function *old = import->function;
  mr_part p = {.module = module, .grid = grid, .import = import, .options = options, .rules.arena = &module->arena};
  mr_function_number(old);
  p.versions = mr_arena_array(&module->arena, mr_part_version *, old->num_values + 1);
  if (!p.versions) {
    return MR_NO_MEMORY();
  }
  ends params, results;
  MR_TRY(make_ends(&p, old, true, &params));
  MR_TRY(make_ends(&p, old, false, &results));
  mr_module_remove_function(module, old);
  mr_function *function = mr_module_add_function(module, old->name, old->is_public, old->body.num_args, params.types,
                                                 old->num_results, results.types);
  if (!function) {
    return MR_NO_MEMORY();
  }
  function->arg_attrs = old->arg_attrs;
  function->result_attrs = old->result_attrs;
  function->loc = old->loc;
  mr_spread_init(&p.spread, module, grid, function);
  MR_TRY(fill(&p, old, function, &params, &results));
  MR_TRY(mr_part_put_off(function));
  MR_TRY(mr_part_join(function));
  *out = (mr_shard_boundary){.params = params.ports,
                             .results = results.ports,
                             .num_params = old->body.num_args,
                             .num_results = old->num_results,
                             .bytes_moved = p.spread.bytes_moved,
                             .whole_ops = p.whole_ops};
  return MR_OK;
}
