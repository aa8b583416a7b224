// Loop-invariant code: an op in a loop's body that depends on nothing the loop changes moves in front of the loop, unless
// its result is larger than what it is made from (a broadcast is cheaper to repeat than to store) or running it could be
// noticed. A loop of no rounds computes it for nothing; it does no harm.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"
#include "compiler/passes/tuning.h"

// Makes much of little: cheaper to repeat than to store.
static bool is_spread(const mr_op *op) {
  return op->kind == MR_OP_constant || op->kind == MR_OP_iota || op->kind == MR_OP_broadcast_in_dim;
}

static bool may_move(const mr_op *op) {
  const mr_op_info *info = &mr_op_table[op->kind];
  bool plain = info->effect == MR_EFFECT_PURE && info->op_class != MR_OPS_CONTROL;
  return plain && !is_spread(op) && op->num_results && !mr_pass_sees_effect(op);
}

static bool is_constant(const mr_value *value) { return value->def && value->def->kind == MR_OP_constant; }

// Nothing of the body is used, not even inside the op's regions. Constants may stand in the body: they are copied.
static bool is_invariant(const mr_op *op, const mr_block *body) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_value *value = op->operands[i].value;
    if (value->block == body && !is_constant(value)) {
      return false;
    }
  }
  for (uint32_t r = 0; r < op->num_regions; r++) {
    const mr_block *root = op->regions[r];
    for (const mr_op *inner = mr_walk_first(root); inner; inner = mr_walk_next(inner, root)) {
      for (uint32_t i = 0; i < inner->num_operands; i++) {
        if (inner->operands[i].value->block == body) {
          return false;
        }
      }
    }
  }
  return true;
}

static bool is_worth_keeping(const mr_op *op) {
  size_t made = 0, from = 0;
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (op->results[i].type.kind != MR_TYPE_TENSOR || !mr_type_is_static(&op->results[i].type)) {
      return false;
    }
    made += mr_type_bytes(&op->results[i].type);
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_dense *constant = mr_value_constant(op->operands[i].value);
    from += constant ? constant->size : mr_type_bytes(&op->operands[i].value->type);
  }
  return made <= MR_PASS_HOIST_BYTES || made <= from;
}

// Constants that the op uses stay in the body, where they cost nothing; the op gets its own in front of the loop.
static void copy_constants(mr_op *op, mr_op *loop, const mr_block *body) {
  mr_builder b = mr_builder_before(loop);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (op->operands[i].value->block == body) {
      mr_op *copy = mr_op_clone(&b, op->operands[i].value->def, mr_value_map_create(b.module));
      mr_op_set_operand(op, i, copy ? &copy->results[0] : NULL);
    }
  }
}

static void hoist_from(mr_op *loop) {
  mr_block *body = loop->regions[1];
  for (mr_op *op = body->first, *next; op; op = next) {
    next = op->next;
    if (!may_move(op) || !is_invariant(op, body) || !is_worth_keeping(op)) {
      continue;
    }
    copy_constants(op, loop, body);
    if (mr_op_module(loop)->out_of_memory) {
      return;
    }
    mr_op_move_before(op, loop);
  }
}

mr_status mr_pass_hoist(mr_module *module) {
  mr_function *entry = mr_module_entry(module);
  if (!module->made[MR_OP_while]) {
    return MR_OK;
  }
  // Inner loops first, so that an op leaves all the loops it does not depend on: the walk meets outer loops first, the
  // list of them is worked off from its end.
  size_t count = 0, capacity = 0;
  mr_op **loops = NULL;
  for (mr_op *op = mr_walk_first(&entry->body); op; op = mr_walk_next(op, &entry->body)) {
    if (op->kind != MR_OP_while) {
      continue;
    }
    if (count == capacity) {
      capacity = capacity ? capacity * 2 : 64;
      mr_op **more = mr_realloc(loops, capacity * sizeof *loops);
      if (!more) {
        mr_free(loops);
        return MR_NO_MEMORY();
      }
      loops = more;
    }
    loops[count++] = op;
  }
  while (count) {
    hoist_from(loops[--count]);
  }
  mr_free(loops);
  return MR_OK;
}
