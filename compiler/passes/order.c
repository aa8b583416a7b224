// Control dependencies: a custom call `control_dep` of two values says that what makes the first one is over before what makes
// the second one begins. Steps run in program order, so the ops are put in an order in which that is so; the calls go.
//
// Only ops of one block can be told apart in this way. A value of an outer block is there before the block runs, and so is an
// argument. The order changes as little as depth-first search changes it: an op moves up with what it needs, and no further
// than in front of the op that waits for it. Linear, no recursion.
#include <string.h>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

// What an op waits for beside its operands; op->side of the op has the first one while the pass runs.
typedef struct wait {
  mr_op *before;
  struct wait *next;
} wait;

typedef struct ordering {
  uint32_t num_ops;
  mr_op **ops;         // in program order
  uint32_t *first;     // by op: where its list begins in `needs`; one more than there are ops
  uint32_t *needs;     // indices of ops that come before
  size_t count, room;  // of needs
  uint8_t *state;      // by op
  uint32_t *stack;     // indices of ops
  uint32_t *cursor;    // by op: how many of its needs have been looked at
} ordering;

enum { UNSEEN, OPEN, DONE };

static void ordering_deinit(ordering *o) {
  mr_free(o->ops);
  mr_free(o->first);
  mr_free(o->needs);
  mr_free(o->state);
  mr_free(o->stack);
  mr_free(o->cursor);
}

static mr_status ordering_init(ordering *o, mr_block *block) {
  mr_block_number(block);
  *o = (ordering){.num_ops = block->last->order + 1};
  o->ops = mr_alloc(o->num_ops * sizeof *o->ops);
  o->first = mr_alloc(((size_t)o->num_ops + 1) * sizeof *o->first);
  o->state = mr_alloc_zeroed(o->num_ops, sizeof *o->state);
  o->stack = mr_alloc(o->num_ops * sizeof *o->stack);
  o->cursor = mr_alloc_zeroed(o->num_ops, sizeof *o->cursor);
  return o->ops && o->first && o->state && o->stack && o->cursor ? MR_OK : MR_NO_MEMORY();
}

static mr_status add_need(ordering *o, const mr_op *before, const mr_block *block) {
  if (before == NULL || before->block != block) {
    return MR_OK;
  }
  if (o->count == o->room) {
    size_t room = o->room ? 2 * o->room : 256;
    uint32_t *needs = mr_realloc(o->needs, room * sizeof *needs);
    if (needs == NULL) {
      return MR_NO_MEMORY();
    }
    o->needs = needs;
    o->room = room;
  }
  o->needs[o->count++] = before->order;
  return MR_OK;
}

static mr_status add_operands(ordering *o, const mr_op *op, const mr_block *block) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    MR_TRY(add_need(o, mr_op_operand(op, i)->def, block));
  }
  return MR_OK;
}

// Operands, those of the ops inside, and what the op was told to wait for.
static mr_status add_needs(ordering *o, mr_op *op) {
  MR_TRY(add_operands(o, op, op->block));
  for (uint32_t r = 0; r < op->num_regions; r++) {
    for (mr_op *inner = mr_walk_first(op->regions[r]); inner; inner = mr_walk_next(inner, op->regions[r])) {
      MR_TRY(add_operands(o, inner, op->block));
    }
  }
  for (const wait *w = op->side; w && op->num_results; w = w->next) {
    MR_TRY(add_need(o, w->before, op->block));
  }
  return MR_OK;
}

static mr_status fill(ordering *o, mr_block *block) {
  for (mr_op *op = block->first; op; op = op->next) {
    o->ops[op->order] = op;
    o->first[op->order] = (uint32_t)o->count;
    MR_TRY(add_needs(o, op));
  }
  o->first[o->num_ops] = (uint32_t)o->count;
  return MR_OK;
}

// Moves an op to the end of the block after all that it needs.
static mr_status emit(ordering *o, uint32_t root, mr_block *block) {
  uint32_t depth = 0;
  o->stack[depth++] = root;
  o->state[root] = OPEN;
  while (depth > 0) {
    uint32_t at = o->stack[depth - 1], next = o->first[at] + o->cursor[at];
    if (next == o->first[at + 1]) {
      o->state[at] = DONE;
      mr_op_move_to_end(o->ops[at], block);
      depth--;
      continue;
    }
    o->cursor[at]++;
    uint32_t need = o->needs[next];
    if (o->state[need] == OPEN) {
      return mr_error(MR_FAILED_PRECONDITION, "control_dep: %.*s and %.*s wait for each other",
                      MR_STR_ARG(o->ops[at]->name), MR_STR_ARG(o->ops[need]->name));
    }
    if (o->state[need] == UNSEEN) {
      o->state[need] = OPEN;
      o->stack[depth++] = need;
    }
  }
  return MR_OK;
}

static mr_status order_block(mr_block *block) {
  ordering o;
  mr_status status = ordering_init(&o, block);
  status = status ? status : fill(&o, block);
  for (uint32_t i = 0; !status && i < o.num_ops; i++) {
    status = o.state[i] == UNSEEN ? emit(&o, i, block) : MR_OK;
  }
  ordering_deinit(&o);
  return status;
}

// Notes what the call says at the op that waits, and at the end of its block that the block has such ops.
static mr_status note(mr_op *call) {
  mr_op *before = mr_op_operand(call, 0)->def, *after = mr_op_operand(call, 1)->def;
  if (before == NULL || after == NULL || before->block != after->block) {
    return MR_OK;
  }
  wait *w = mr_arena_new(&mr_op_module(call)->arena, wait);
  if (w == NULL) {
    return MR_NO_MEMORY();
  }
  *w = (wait){before, after->side};
  after->side = w;
  after->block->last->side = w;
  return MR_OK;
}

mr_status mr_pass_order(mr_module *module) {
  mr_block *body = &mr_module_entry(module)->body;
  bool found = false;
  if (!module->made[MR_OP_custom_call]) {
    return MR_OK;
  }
  for (mr_op *op = mr_walk_first(body); op; op = mr_walk_next(op, body)) {
    op->side = NULL;
    found = found || mr_pass_is_control_dep(op);
  }
  if (!found) {
    return MR_OK;
  }
  module->keeps_order = true;
  for (mr_op *op = mr_walk_first(body), *next; op; op = next) {
    next = mr_walk_next(op, body);
    if (mr_pass_is_control_dep(op)) {
      MR_TRY(note(op));
      mr_op_erase(op);
    }
  }
  // From one end of a block to the next: moving ops leaves the last one where it is.
  for (mr_op *op = mr_walk_first(body); op; op = mr_walk_next(op, body)) {
    if (op->next == NULL && op->side) {
      op->side = NULL;
      MR_TRY(order_block(op->block));
    }
  }
  return MR_OK;
}
