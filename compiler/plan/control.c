// Loops and branches.
//
// A loop's carried value has one buffer C for the operand's copy, the arguments of both regions and the loop's result. It is
// the operand's own buffer when nobody needs that afterwards, or when the body hands the argument through unchanged. What
// the body returns should be computed right in C ("wanted"); what is not is copied at the end of each round, after a first
// copy to the side when it lies in another carried value's buffer.
#include <stdlib.h>
#include <string.h>

#include "compiler/plan/plan.h"
#include "compiler/plan/tuning.h"

static plan_sequence *new_sequences(planner *p, uint32_t count) {
  return mr_arena_array(p->arena, plan_sequence, count);
}

// What steps take, by the device's figures and by the shapes alone.
typedef struct price {
  uint64_t cost_ns, shape_ns;
} price;

static price sequence_price(const plan_sequence *sequence) {
  price sum = {0};
  for (uint32_t i = 0; i < sequence->count; i++) {
    sum.cost_ns += sequence->steps[i].cost_ns;
    sum.shape_ns += sequence->steps[i].shape_ns;
  }
  return sum;
}

// ---- While ------------------------------------------------------------------------------------------------------------

static bool may_own(const planner *p, const mr_op *op, uint32_t i, uint32_t buffer) {
  const plan_buffer *b = &p->buffers[buffer];
  bool writable = b->place == PLACE_TEMP || (b->place == PLACE_PARAM && p->executable->params[b->index].donated);
  if (!writable || b->end > mr_planner_start(op) || b->bytes != mr_type_bytes(&op->results[i].type)) {
    return false;
  }
  return b->mentions == 1;  // no other operand lies there
}

static mr_status carry(planner *p, const mr_op *op, uint32_t i, plan_sequence *sequence) {
  mr_value *condition_arg = op->regions[0]->args[i], *body_arg = op->regions[1]->args[i];
  uint32_t from = mr_planner_buffer_of(p, mr_op_operand(op, i)), to = from;
  int64_t finish = mr_planner_finish(op);
  bool unchanged = mr_op_operand(mr_block_terminator(op->regions[1]), i) == body_arg;
  if (!unchanged && !may_own(p, op, i, from)) {
    to = mr_planner_new_buffer(p, p->buffers[from].bytes, mr_planner_start(op), mr_planner_start(op));
    if (to == NO_BUFFER) {
      return MR_NO_MEMORY();
    }
    MR_TRY(mr_planner_copy(p, sequence, to, from, mr_planner_start(op)));
  }
  if (!unchanged && p->buffers[to].place == PLACE_PARAM) {
    p->buffers[to].written = true;
  }
  // In the body C holds the argument until its last use there; the end of the round brings what was returned, which is
  // why the body's uses count, and not the loop's end, while the body is planned.
  // The condition leaves C alone even when the body does not read it: it is the result when no further round comes.
  mr_planner_hold(p, condition_arg, to, mr_planner_start(mr_block_terminator(op->regions[0])));
  mr_planner_hold(p, body_arg, to, unchanged ? finish : mr_planner_start(op));
  return MR_OK;
}

// Where each returned value should be: its carried buffer, unless it is an argument or used for two of them.
static void want_carries(planner *p, const mr_op *op) {
  const mr_op *terminator = mr_block_terminator(op->regions[1]);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    mr_value *returned = mr_op_operand(terminator, i);
    if (returned->def && returned->block == op->regions[1]) {
      mr_planner_want(p, returned, mr_planner_buffer_of(p, op->regions[1]->args[i]));
    }
  }
}

// One more or one less mention of the buffer of each of the body's arguments.
static void mention_arguments(planner *p, const mr_op *op, int32_t by) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    p->buffers[mr_planner_buffer_of(p, op->regions[1]->args[i])].mentions += (uint32_t)by;
  }
}

static mr_status close_round(planner *p, const mr_op *op, plan_sequence *body) {
  const mr_op *terminator = mr_block_terminator(op->regions[1]);
  int64_t at = mr_planner_start(terminator);
  uint32_t count = op->num_operands;
  uint32_t *from = mr_arena_array(&p->module->arena, uint32_t, count + 1);
  if (!from) {
    return MR_NO_MEMORY();
  }
  mention_arguments(p, op, 1);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t own = mr_planner_buffer_of(p, op->regions[1]->args[i]);
    from[i] = mr_planner_buffer_of(p, mr_op_operand(terminator, i));
    bool overwritten = p->buffers[from[i]].mentions > 0;  // by the end of this round
    if (from[i] != own && overwritten) {
      uint32_t aside = mr_planner_new_buffer(p, p->buffers[own].bytes, at, at);
      if (aside == NO_BUFFER) {
        return MR_NO_MEMORY();
      }
      MR_TRY(mr_planner_copy(p, body, aside, from[i], at));
      from[i] = aside;
    }
  }
  mention_arguments(p, op, -1);
  for (uint32_t i = 0; i < count; i++) {
    MR_TRY(mr_planner_copy(p, body, mr_planner_buffer_of(p, op->regions[1]->args[i]), from[i], at));
  }
  return MR_OK;
}

typedef struct plan_trips {
  const mr_op *loop;
  int64_t count;
} plan_trips;

static int by_address(const void *a, const void *b) {
  const uintptr_t left = (uintptr_t)((const plan_trips *)a)->loop, right = (uintptr_t)((const plan_trips *)b)->loop;
  return (left > right) - (left < right);
}

mr_status mr_planner_count_trips(mr_executable *e, mr_function *function) {
  if (!e->for_target) {
    return MR_OK;
  }
  uint32_t loops = 0;
  for (const mr_op *op = mr_walk_first(&function->body); op; op = mr_walk_next(op, &function->body)) {
    loops += op->kind == MR_OP_while;
  }
  e->trips = mr_arena_array(&e->arena, plan_trips, loops + 1);
  if (!e->trips) {
    return MR_NO_MEMORY();
  }
  for (const mr_op *op = mr_walk_first(&function->body); op; op = mr_walk_next(op, &function->body)) {
    int64_t count;
    if (op->kind == MR_OP_while && mr_while_trips(op, &count)) {
      e->trips[e->num_trips++] = (plan_trips){op, count};
    }
  }
  qsort(e->trips, e->num_trips, sizeof *e->trips, by_address);
  return MR_OK;
}

// -1: not known, or the condition does more than to be true or false.
static int64_t trips_of(const mr_executable *e, const mr_op *loop, const plan_sequence *condition) {
  const plan_trips wanted = {.loop = loop};
  const plan_trips *trips =
      e->num_trips ? bsearch(&wanted, e->trips, e->num_trips, sizeof *e->trips, by_address) : NULL;
  for (uint32_t i = 0; trips && i < condition->count; i++) {
    plan_step_kind kind = condition->steps[i].kind;
    trips = kind == STEP_KERNEL || kind == STEP_COPY ? trips : NULL;
  }
  return trips && trips->count <= INT32_MAX ? trips->count : -1;
}

mr_status mr_planner_while(planner *p, mr_op *op, plan_sequence *sequence) {
  mr_planner_mention(p, op);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    MR_TRY(carry(p, op, i, sequence));
  }
  mr_planner_unmention(p, op);
  want_carries(p, op);
  // The step comes first: what the parts hold is let go of with it, also when planning them fails in the middle.
  plan_step *step = mr_planner_add_step(p, sequence, STEP_WHILE, "while", 1, mr_planner_start(op));
  plan_sequence *parts = step ? new_sequences(p, 2) : NULL;
  if (!parts) {
    return MR_NO_MEMORY();
  }
  step->sequences = parts;
  step->num_sequences = 2;
  MR_TRY(mr_planner_block(p, op->regions[0], &parts[0]));
  // The condition's reads of C come before the body's in each round, and again after the last one.
  MR_TRY(mr_planner_block(p, op->regions[1], &parts[1]));
  MR_TRY(close_round(p, op, &parts[1]));
  int64_t finish = mr_planner_finish(op);
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_planner_hold(p, &op->results[i], mr_planner_buffer_of(p, op->regions[1]->args[i]), finish);
  }
  uint32_t predicate = mr_planner_buffer_of(p, mr_op_operand(mr_block_terminator(op->regions[0]), 0));
  p->buffers[predicate].end = MR_MAX(p->buffers[predicate].end, finish);
  step->buffers[0] = predicate;
  step->access[0] = MR_L_READ;
  step->finish = finish;
  step->trips = trips_of(p->executable, op, &parts[0]);
  price condition = sequence_price(&parts[0]), body = sequence_price(&parts[1]);
  step->cost_ns = MR_PLAN_LOOP_ROUNDS * (condition.cost_ns + body.cost_ns + MR_PLAN_BRANCH_NS);
  step->shape_ns = MR_PLAN_LOOP_ROUNDS * (condition.shape_ns + body.shape_ns + MR_PLAN_BRANCH_NS);
  return mr_planner_inline_control(p, step);
}

// ---- Case -------------------------------------------------------------------------------------------------------------

mr_status mr_planner_case(planner *p, mr_op *op, plan_sequence *sequence) {
  int64_t start = mr_planner_start(op), finish = mr_planner_finish(op);
  uint32_t *results = mr_arena_array(&p->module->arena, uint32_t, op->num_results + 1);
  plan_step *step = mr_planner_add_step(p, sequence, STEP_CASE, "case", 1, start);  // first, as in mr_planner_while
  plan_sequence *branches = step ? new_sequences(p, op->num_regions) : NULL;
  if (!results || !branches) {
    return MR_NO_MEMORY();
  }
  step->sequences = branches;
  step->num_sequences = op->num_regions;
  for (uint32_t i = 0; i < op->num_results; i++) {
    results[i] = mr_planner_new_buffer(p, mr_type_bytes(&op->results[i].type), start, start);
    if (results[i] == NO_BUFFER) {
      return MR_NO_MEMORY();
    }
  }
  price most = {0};
  for (uint32_t r = 0; r < op->num_regions; r++) {
    const mr_op *terminator = mr_block_terminator(op->regions[r]);
    for (uint32_t i = 0; i < op->num_results; i++) {
      p->buffers[results[i]].end = start;  // free at the beginning of each branch
      mr_value *returned = mr_op_operand(terminator, i);
      if (returned->def && returned->block == op->regions[r]) {
        mr_planner_want(p, returned, results[i]);
      }
    }
    MR_TRY(mr_planner_block(p, op->regions[r], &branches[r]));
    for (uint32_t i = 0; i < op->num_results; i++) {
      MR_TRY(mr_planner_copy(p, &branches[r], results[i], mr_planner_buffer_of(p, mr_op_operand(terminator, i)),
                             mr_planner_start(terminator)));
    }
    price branch = sequence_price(&branches[r]);
    most.cost_ns = MR_MAX(most.cost_ns, branch.cost_ns);
    most.shape_ns = MR_MAX(most.shape_ns, branch.shape_ns);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_planner_hold(p, &op->results[i], results[i], finish);
  }
  step->buffers[0] = mr_planner_buffer_of(p, mr_op_operand(op, 0));
  step->access[0] = MR_L_READ;
  step->finish = finish;
  step->selector = mr_op_operand(op, 0)->type.dtype;
  step->cost_ns = most.cost_ns + MR_PLAN_BRANCH_NS;
  step->shape_ns = most.shape_ns + MR_PLAN_BRANCH_NS;
  return mr_planner_inline_control(p, step);
}
