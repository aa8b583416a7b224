// Positions and lives: every op of the plan gets a number in program order; control flow has one for its start and one for
// its end, with the numbers of its regions between. A value's last use is the highest position at which its content is
// needed; a use inside a loop of a value from outside counts at the loop's end, since the loop comes back to it.
#include "compiler/ir/ahead.h"
#include "compiler/plan/plan.h"

typedef struct op_life {
  int64_t start, finish;
} op_life;

int64_t mr_planner_start(const mr_op *op) { return ((const op_life *)op->side)->start; }
int64_t mr_planner_finish(const mr_op *op) { return ((const op_life *)op->side)->finish; }

static bool is_control(const mr_op *op) {
  return op->kind == MR_OP_while || op->kind == MR_OP_case || op->kind == MR_OP_if;
}

static mr_status number_block(planner *p, mr_block *block, int64_t *next) {
  for (mr_op *op = block->first; op; op = op->next) {
    mr_op_look_ahead(op);
    op_life *life = mr_arena_new(&p->module->arena, op_life);
    if (!life) {
      return MR_NO_MEMORY();
    }
    op->side = life;
    life->start = (*next)++;
    for (uint32_t r = 0; is_control(op) && r < op->num_regions; r++) {
      MR_TRY(number_block(p, op->regions[r], next));
    }
    life->finish = is_control(op) ? (*next)++ : life->start;
  }
  return MR_OK;
}

// The position at which `user` needs a value defined in `home`.
static int64_t use_position(const mr_op *user, const mr_block *home) {
  const mr_op *op = user;
  while (op->block != home) {
    op = op->block->parent;
  }
  return op == user ? mr_planner_start(op) : mr_planner_finish(op);
}

static void note_uses(planner *p, const mr_block *block) {
  for (const mr_op *op = block->first; op; op = op->next) {
    mr_op_look_ahead(op);
    for (uint32_t i = 0; i < op->num_operands; i++) {
      const mr_value *value = mr_op_operand(op, i);
      int64_t at = use_position(op, value->block);
      p->last_use[value->id] = MR_MAX(p->last_use[value->id], at);
    }
    for (uint32_t r = 0; is_control(op) && r < op->num_regions; r++) {
      note_uses(p, op->regions[r]);
    }
  }
}

// Where devices go on beside meetings, what these read stays until the first op that needs what they give, which may write in its place.
static void note_meetings(planner *p, const mr_block *block) {
  for (const mr_op *op = block->first; op; op = op->next) {
    const mr_op *due = mr_planner_is_meeting(op) ? mr_planner_due(op) : NULL;
    for (uint32_t i = 0; due && i < op->num_operands; i++) {
      const mr_value *value = mr_op_operand(op, i);
      p->last_use[value->id] = MR_MAX(p->last_use[value->id], mr_planner_start(due) - 1);
    }
    for (uint32_t r = 0; is_control(op) && r < op->num_regions; r++) {
      note_meetings(p, op->regions[r]);
    }
  }
}

mr_status mr_planner_lives(planner *p) {
  uint32_t count = p->function->num_values;
  p->last_use = mr_arena_array(&p->module->arena, int64_t, count + 1);
  p->buffer_of = mr_arena_array(&p->module->arena, uint32_t, count + 1);
  p->wanted = mr_arena_array(&p->module->arena, uint32_t, count + 1);
  if (!p->last_use || !p->buffer_of || !p->wanted) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < count; i++) {
    p->last_use[i] = -1;
    p->buffer_of[i] = p->wanted[i] = NO_BUFFER;
  }
  int64_t next = 1;  // parameters live from 0
  MR_TRY(number_block(p, &p->function->body, &next));
  note_uses(p, &p->function->body);
  if (mr_planner_goes_on(p->module, p->function)) {
    note_meetings(p, &p->function->body);
  }
  return MR_OK;
}
