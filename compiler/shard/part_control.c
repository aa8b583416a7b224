// Control flow, and what only passes values on: regions are made local like the function itself.
#include "compiler/shard/partition.h"

static mr_tiling wanted_or_whole(const mr_part *p, const mr_value *value) {
  mr_tiling tiling;
  (void)mr_part_wanted(p, value, &tiling);
  return tiling;
}

// ---- Loops and branches -----------------------------------------------------------------------------------------------------

// The region of a local op: its arguments are versions of the old one's, and it returns what the old one does under `returned`;
// NULL: whole.
static mr_status make_region(mr_part *p, const mr_block *old, mr_block *block, const mr_tiling *args,
                             const mr_tiling *returned) {
  mr_builder outside = p->b;
  p->b = mr_builder_at_end(block);
  for (uint32_t i = 0; i < old->num_args; i++) {
    mr_type type = mr_part_local_type(p, &old->args[i]->type, &args[i]);
    mr_part_set(p, old->args[i], mr_block_add_arg(p->module, block, &type), &args[i]);
  }
  MR_TRY(mr_part_block(p, old));
  const mr_op *terminator = mr_block_terminator(old);
  mr_value **values = mr_arena_array(&p->module->arena, mr_value *, terminator->num_operands + 1);
  if (!values) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < terminator->num_operands; i++) {
    mr_value *value = terminator->operands[i].value;
    values[i] = returned ? mr_part_get(p, value, &returned[i]) : mr_part_get_replicated(p, value);
  }
  mr_build_return(&p->b, terminator->num_operands, values);
  p->b = outside;
  return mr_module_memory(p->module);
}

typedef struct carried {
  mr_tiling *tilings;
  mr_type *types;
  mr_value **values;
} carried;

// What an op gives, under the tilings that its results are wanted in.
static mr_status results_of(mr_part *p, const mr_op *op, carried *out) {
  mr_arena *arena = &p->module->arena;
  out->tilings = mr_arena_array(arena, mr_tiling, op->num_results + 1);
  out->types = mr_arena_array(arena, mr_type, op->num_results + 1);
  out->values = mr_arena_array(arena, mr_value *, op->num_operands + 1);
  if (!out->tilings || !out->types || !out->values) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    out->tilings[i] = wanted_or_whole(p, &op->results[i]);
    out->types[i] = mr_part_local_type(p, &op->results[i].type, &out->tilings[i]);
  }
  return MR_OK;
}

static mr_op *make_op(mr_part *p, const mr_op *op, const carried *c) {
  mr_op *made = mr_build(&p->b, op->kind, op->num_operands, c->values, op->num_results, c->types, op->num_regions);
  if (made) {
    made->name = op->name;
    mr_op_copy_attrs(p->module, made, op);
  }
  return made;
}

static mr_status set_results(mr_part *p, mr_op *op, mr_op *made, const carried *c) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_part_set(p, &op->results[i], &made->results[i], &c->tilings[i]);
  }
  return mr_module_memory(p->module);
}

// A value that goes in as summands and comes round as summands is carried as such: gradients that rounds add up are summed over the
// devices once, behind the loop. Propagation does not say so, since no op passes that on.
static void carry_summands(const mr_part *p, const mr_op *op, carried *c) {
  const mr_op *round = mr_block_terminator(op->regions[1]);
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_tiling in, back;
    if (mr_part_wanted(p, mr_op_operand(op, i), &in) && mr_part_wanted(p, mr_op_operand(round, i), &back)) {
      c->tilings[i].unreduced |= in.unreduced & back.unreduced & ~mr_tiling_mask(&c->tilings[i]);
    }
  }
}

mr_status mr_local_loop(mr_part *p, mr_op *op, bool *out_done) {
  *out_done = true;
  carried c;
  MR_TRY(results_of(p, op, &c));
  carry_summands(p, op, &c);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    c.values[i] = mr_part_get(p, mr_op_operand(op, i), &c.tilings[i]);
  }
  mr_op *made = make_op(p, op, &c);
  if (!made) {
    return mr_module_memory(p->module);
  }
  MR_TRY(make_region(p, op->regions[0], made->regions[0], c.tilings, NULL));
  MR_TRY(make_region(p, op->regions[1], made->regions[1], c.tilings, c.tilings));
  return set_results(p, op, made, &c);
}

mr_status mr_local_branches(mr_part *p, mr_op *op, bool *out_done) {
  *out_done = true;
  carried c;
  MR_TRY(results_of(p, op, &c));
  c.values[0] = mr_part_get_replicated(p, mr_op_operand(op, 0));
  mr_op *made = make_op(p, op, &c);
  if (!made) {
    return mr_module_memory(p->module);
  }
  for (uint32_t r = 0; r < op->num_regions; r++) {
    MR_TRY(make_region(p, op->regions[r], made->regions[r], NULL, c.tilings));
  }
  return set_results(p, op, made, &c);
}

// ---- Manual computations ----------------------------------------------------------------------------------------------------

// The outside's tiling of a value that is `inner` inside: the manual atoms that the sharding names, and behind them the inner ones.
static mr_status outside_tiling(const mr_part *p, const mr_sharding *sharding, uint32_t manual, const mr_tiling *inner,
                                mr_tiling *out) {
  *out = *inner;
  if (!sharding || sharding->rank != inner->rank) {
    return MR_OK;
  }
  mr_tiling said;
  MR_TRY(mr_tiling_of(p->grid, sharding, inner->rank, &said));
  for (uint32_t d = 0; d < inner->rank; d++) {
    mr_atoms *atoms = &out->dims[d];
    atoms->count = 0;
    for (uint8_t i = 0; i < said.dims[d].count; i++) {
      if (manual >> said.dims[d].ids[i] & 1) {
        atoms->ids[atoms->count++] = said.dims[d].ids[i];
      }
    }
    for (uint8_t i = 0; i < inner->dims[d].count; i++) {
      atoms->ids[atoms->count++] = inner->dims[d].ids[i];
    }
  }
  out->unreduced |= said.unreduced & manual;
  return MR_OK;
}

static mr_status open_manual(mr_part *p, mr_op *op, const mr_manual *manual, uint32_t mask) {
  const mr_block *body = op->regions[0];
  uint32_t outer = p->spread.manual, inner = outer | mask;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    p->spread.manual = inner;
    mr_tiling inside = wanted_or_whole(p, body->args[i]), outside;
    p->spread.manual = outer;
    MR_TRY(outside_tiling(p, manual ? manual->in[i] : NULL, mask, &inside, &outside));
    mr_part_set(p, body->args[i], mr_part_get(p, mr_op_operand(op, i), &outside), &inside);
  }
  p->spread.manual = inner;
  MR_TRY(mr_part_block(p, body));
  const mr_op *terminator = mr_block_terminator(body);
  for (uint32_t i = 0; i < op->num_results; i++) {
    // Inside, a result is wanted as outside but for the manual atoms, which are dropped while they are out of the game.
    mr_tiling inside = wanted_or_whole(p, &op->results[i]), outside;
    mr_value *value = mr_part_get(p, terminator->operands[i].value, &inside);
    MR_TRY(outside_tiling(p, manual ? manual->out[i] : NULL, mask, &inside, &outside));
    mr_part_set(p, &op->results[i], value, &outside);
  }
  p->spread.manual = outer;
  return mr_module_memory(p->module);
}

mr_status mr_local_manual(mr_part *p, mr_op *op, bool *out_done) {
  *out_done = true;
  const mr_manual *manual = mr_import_manual(p->import, op);
  uint32_t mask = 0;
  if (manual && manual->mesh) {
    mr_atoms atoms;
    MR_TRY(mr_atoms_of(p->grid, manual->mesh, &manual->axes, &atoms));
    mask = mr_atoms_mask(&atoms);
  }
  return open_manual(p, op, manual, mask);
}

// ---- Values that only pass ----------------------------------------------------------------------------------------------------

static mr_status forward_barrier(mr_part *p, mr_op *op) {
  carried c;
  MR_TRY(results_of(p, op, &c));
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_tiling wanted;
    mr_value *from = mr_op_operand(op, i);
    if (!mr_part_wanted(p, &op->results[i], &wanted)) {
      c.tilings[i] = mr_part_tiling(p, from);
      c.types[i] = mr_part_local_type(p, &from->type, &c.tilings[i]);
    }
    c.values[i] = mr_part_get(p, from, &c.tilings[i]);
  }
  MR_TRY(mr_module_memory(p->module));
  mr_op *made = make_op(p, op, &c);
  return made ? set_results(p, op, made, &c) : mr_module_memory(p->module);
}

mr_status mr_local_forward(mr_part *p, mr_op *op, bool *out_done) {
  *out_done = true;
  if (op->kind == MR_OP_optimization_barrier) {
    return forward_barrier(p, op);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_tiling tiling;  // a large thing, which nothing keeps
    mr_value *from = mr_op_operand(op, i);
    if (!mr_part_wanted(p, &op->results[i], &tiling)) {
      tiling = mr_part_tiling(p, from);
    }
    mr_value *value = mr_part_get(p, from, &tiling);
    MR_TRY(mr_module_memory(p->module));
    mr_part_set(p, &op->results[i], value, &tiling);
    mr_part_share(p, from, &op->results[i]);
  }
  return MR_OK;
}
