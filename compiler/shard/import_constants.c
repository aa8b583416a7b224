// Constants are split: what is made of constants alone, and scalars that are spread, is made again for each use. One constant in two
// places would carry axes from the one to the other.
#include "compiler/passes/passes.h"
#include "compiler/shard/import_internal.h"

// More copies than this are not made: constants that are left shared cost only sharding.
#define MOST_COPIES (1u << 20)

enum { SHARED, CONSTANT, SPREAD };  // op->side

static bool is_made(const mr_value *value, uintptr_t how) { return value->def && (uintptr_t)value->def->side == how; }

static bool keeps_constant(mr_op_kind kind) {
  return mr_op_kind_is_elementwise(kind) || kind == MR_OP_broadcast_in_dim || kind == MR_OP_reshape ||
         kind == MR_OP_slice;
}

static uintptr_t how_made(const mr_op *op) {
  if (op->kind == MR_OP_constant || op->kind == MR_OP_iota) {
    return CONSTANT;
  }
  if (keeps_constant(op->kind) && op->num_regions == 0) {
    bool all = true;
    for (uint32_t i = 0; i < op->num_operands; i++) {
      all = all && is_made(mr_op_operand(op, i), CONSTANT);
    }
    if (all) {
      return CONSTANT;
    }
  }
  bool spreads = op->kind == MR_OP_broadcast_in_dim && mr_op_operand(op, 0)->type.rank == 0;
  return spreads ? SPREAD : SHARED;
}

typedef struct splitter {
  mr_module *module;
  uint32_t copies;
} splitter;

// A copy is in the groups that what it is a copy of is in.
static void copy_groups(mr_builder *b, const mr_value *value, mr_value_map *map) {
  for (const mr_use *use = value->uses; use; use = use->next) {
    if (use->user->kind == MR_OP_sdy_sharding_group) {
      mr_op_clone(b, use->user, map);
    }
  }
}

// Copies what makes `value` before `user`, deepest first. What lies deeper than
// the stack stays shared.
static mr_status copy_made(splitter *s, mr_op *user, mr_value *value, mr_value **out) {
  enum { DEPTH = 64 };
  mr_value *stack[DEPTH];
  uint32_t count = 0;
  mr_value_map *map = mr_value_map_create(s->module);
  MR_TRY(mr_module_memory(s->module));
  mr_builder b = mr_builder_before(user);
  stack[count++] = value;
  while (count) {
    mr_value *top = stack[count - 1];
    bool ready = true;
    for (uint32_t i = 0; i < top->def->num_operands && is_made(top, CONSTANT); i++) {
      mr_value *operand = mr_op_operand(top->def, i);
      bool copied = mr_value_map_get(map, operand) != operand;
      if (!copied && operand->type.rank > 0 && count < DEPTH) {
        stack[count++] = operand;
        ready = false;
      }
    }
    if (!ready) {
      continue;
    }
    count--;
    if (mr_value_map_get(map, top) == top) {
      mr_op *copy = mr_op_clone(&b, top->def, map);
      MR_TRY(mr_module_memory(s->module));
      copy->side = (void *)(uintptr_t)SHARED;  // it is somebody's own
      mr_value_map_set(map, top, &copy->results[top->index]);
      copy_groups(&b, top, map);
      s->copies++;
    }
  }
  *out = mr_value_map_get(map, value);
  return mr_module_memory(s->module);
}

static mr_status split_operands(splitter *s, mr_op *op) {
  for (uint32_t i = 0; i < op->num_operands && s->copies < MOST_COPIES; i++) {
    mr_value *value = mr_op_operand(op, i), *copy;
    bool made = is_made(value, CONSTANT) || is_made(value, SPREAD);
    if (!made || value->type.kind != MR_TYPE_TENSOR || value->type.rank == 0) {
      continue;
    }
    MR_TRY(copy_made(s, op, value, &copy));
    mr_op_set_operand(op, i, copy);
  }
  return MR_OK;
}

mr_status mr_import_split_constants(mr_import *import) {
  splitter s = {import->module, 0};
  const bool *made = import->module->made;
  if (!made[MR_OP_constant] && !made[MR_OP_iota] && !made[MR_OP_broadcast_in_dim]) {
    return MR_OK;
  }
  mr_block *root = &import->function->body;
  for (mr_op *op = mr_walk_first(root); op; op = mr_walk_next(op, root)) {
    op->side = (void *)how_made(op);
  }
  // Copies go before the op that is looked at: the walk does not meet them.
  for (mr_op *op = mr_walk_first(root); op; op = mr_walk_next(op, root)) {
    if ((uintptr_t)op->side != CONSTANT && op->kind != MR_OP_sdy_sharding_group) {
      MR_TRY(split_operands(&s, op));
    }
  }
  return s.copies ? mr_pass_dce(import->module) : MR_OK;  // the originals
}
