// Copying ops with everything inside them, without recursion: a copy is made level by level along the walk of the
// original, and each copied block remembers where its ops go.
#include "compiler/ir/ir.h"

// Copies one op without what its regions hold; the regions get their arguments.
static mr_op *clone_shell(mr_builder *builder, const mr_op *op, mr_value_map *map) {
  mr_module *module = builder->module;
  mr_value *few[16];
  mr_value **operands = few;
  if (op->num_operands > MR_ARRAY_SIZE(few)) {
    operands = mr_alloc(op->num_operands * sizeof *operands);
    if (!operands) {
      module->out_of_memory = true;
      return NULL;
    }
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    operands[i] = mr_value_map_get(map, op->operands[i].value);
  }
  // Results get their types one by one below: no array of them is needed.
  mr_type none[1] = {mr_type_token()};
  mr_type *types = none;
  if (op->num_results > 1) {
    types = mr_alloc(op->num_results * sizeof *types);
  }
  mr_op *copy = NULL;
  if (types) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      types[i] = op->results[i].type;
    }
    copy = mr_build(builder, op->kind, op->num_operands, operands, op->num_results, types, op->num_regions);
  } else {
    module->out_of_memory = true;
  }
  if (types != none) {
    mr_free(types);
  }
  if (operands != few) {
    mr_free(operands);
  }
  if (!copy) {
    return NULL;
  }
  copy->name = op->name;
  copy->loc = op->loc;
  mr_op_copy_attrs(module, copy, op);
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value_map_set(map, &op->results[i], &copy->results[i]);
  }
  for (uint32_t r = 0; r < op->num_regions; r++) {
    for (uint32_t i = 0; i < op->regions[r]->num_args; i++) {
      const mr_value *arg = op->regions[r]->args[i];
      mr_value_map_set(map, arg, mr_block_add_arg(module, copy->regions[r], &arg->type));
    }
  }
  return module->out_of_memory ? NULL : copy;
}

// The block of the copy that corresponds to `block`, going down from `copy` (the copy of `op`): one step per level is
// enough because the walk visits a parent before its children and `at` follows it.
typedef struct place {
  const mr_block *original;
  mr_block *copy;
} place;

// Copies all that lies below `op` into the empty regions of `copy`.
static bool clone_inside(mr_module *module, const mr_op *op, mr_op *copy, mr_value_map *map) {
  place at = {NULL, NULL};
  for (uint32_t r = 0; r < op->num_regions; r++) {
    const mr_block *root = op->regions[r];
    at = (place){root, copy->regions[r]};
    for (const mr_op *inner = mr_walk_first(root); inner; inner = mr_walk_next(inner, root)) {
      // Climb in both trees until the place is an ancestor's block, then take the block of this region.
      while (at.original != inner->block) {
        if (at.copy->last && at.original->last && inner->block->parent && inner->block->parent->block == at.original) {
          // Entering: the parent of `inner` is the op copied last in this block.
          at = (place){inner->block, at.copy->last->regions[inner->block->region]};
        } else {
          at = (place){at.original->parent->block, at.copy->parent->block};
        }
      }
      mr_builder b = mr_builder_at_end(at.copy);
      if (!clone_shell(&b, inner, map)) {
        return false;
      }
    }
  }
  (void)module;
  return true;
}

mr_op *mr_op_clone(mr_builder *builder, const mr_op *op, mr_value_map *map) {
  mr_op *copy = clone_shell(builder, op, map);
  if (!copy || !clone_inside(builder->module, op, copy, map)) {
    return NULL;
  }
  return copy;
}

bool mr_block_clone_into(mr_builder *builder, const mr_block *block, mr_value_map *map) {
  const mr_op *terminator = mr_block_terminator(block);
  for (const mr_op *op = block->first; op && op != terminator; op = op->next) {
    if (!mr_op_clone(builder, op, map)) {
      return false;
    }
  }
  return true;
}
