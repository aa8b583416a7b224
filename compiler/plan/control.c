// Loops and branches.
//
// A loop's carried value has one buffer C for the operand's copy, the arguments of both regions and the loop's result. It is
// the operand's own buffer when nobody needs that afterwards, or when the body hands the argument through unchanged. What
// the body returns should be computed right in C ("wanted"); what is not is copied at the end of each round, after a first
// copy to the side when it lies in another carried value's buffer.
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/ahead.h"
#include "compiler/ir/in_place.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/tuning.h"

static plan_sequence *new_sequences(planner *p, uint32_t count) {
  return mr_arena_array(p->arena, plan_sequence, count);
}

// What steps take, by the device's figures and by the shapes alone.
typedef struct price {
  uint64_t cost_ns, shape_ns, touched;
} price;

uint64_t mr_planner_touched(const plan_step *step) {
  uint64_t rounds = step->trips > 0 ? (uint64_t)step->trips : MR_PLAN_LOOP_ROUNDS;
  return step->kind == STEP_WHILE ? mr_size_mul(step->touched, rounds) : step->touched;
}

static price sequence_price(const plan_sequence *sequence) {
  price sum = {0};
  for (uint32_t i = 0; i < sequence->count; i++) {
    sum.cost_ns += sequence->steps[i].cost_ns;
    sum.shape_ns += sequence->steps[i].shape_ns;
    sum.touched = mr_size_add(sum.touched, mr_planner_touched(&sequence->steps[i]));
  }
  return sum;
}

// ---- While ------------------------------------------------------------------------------------------------------------

static bool may_own(const planner *p, const mr_op *op, uint32_t i, uint32_t buffer) {
  const plan_buffer *b = &p->buffers[buffer];
  if (!mr_planner_writable(p, b) || b->end > mr_planner_start(op) || b->bytes != mr_type_bytes(&op->results[i].type)) {
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

// Brings each of the values to its own buffer at the end of a sequence, all at once: what lies where another one comes goes aside first.
static mr_status deliver(planner *p, const mr_op *terminator, const uint32_t *own, plan_sequence *sequence) {
  int64_t at = mr_planner_start(terminator);
  uint32_t count = terminator->num_operands;
  uint32_t *from = mr_arena_array(&p->module->arena, uint32_t, count + 1);
  if (!from) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < count; i++) {
    p->buffers[own[i]].mentions++;
  }
  mr_status status = MR_OK;
  for (uint32_t i = 0; i < count && !status; i++) {
    from[i] = mr_planner_buffer_of(p, mr_op_operand(terminator, i));
    bool overwritten = p->buffers[from[i]].mentions > 0;  // by the end
    if (from[i] != own[i] && overwritten) {
      uint32_t aside = mr_planner_new_buffer(p, p->buffers[own[i]].bytes, at, at);
      status = aside == NO_BUFFER ? MR_NO_MEMORY() : mr_planner_copy(p, sequence, aside, from[i], at);
      from[i] = aside;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    p->buffers[own[i]].mentions--;
  }
  for (uint32_t i = 0; i < count && !status; i++) {
    status = mr_planner_copy(p, sequence, own[i], from[i], at);
  }
  return status;
}

static mr_status close_round(planner *p, const mr_op *op, plan_sequence *body) {
  uint32_t *own = mr_arena_array(&p->module->arena, uint32_t, op->num_operands + 1);
  if (!own) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    own[i] = mr_planner_buffer_of(p, op->regions[1]->args[i]);
  }
  return deliver(p, mr_block_terminator(op->regions[1]), own, body);
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
  step->rounds = trips_of(p->executable, op, &parts[0]);
  step->trips = p->executable->for_target ? step->rounds : -1;
  price condition = sequence_price(&parts[0]), body = sequence_price(&parts[1]);
  step->cost_ns = MR_PLAN_LOOP_ROUNDS * (condition.cost_ns + body.cost_ns + MR_PLAN_BRANCH_NS);
  step->shape_ns = MR_PLAN_LOOP_ROUNDS * (condition.shape_ns + body.shape_ns + MR_PLAN_BRANCH_NS);
  step->touched = mr_size_add(condition.touched, body.touched);
  p->executable->unbounded |= mr_planner_may_take_long(step);
  return mr_planner_inline_control(p, step);
}

// ---- Case -------------------------------------------------------------------------------------------------------------
//
// A result may lie where something from outside lies whose last use this is: a branch that hands it on then does nothing, one
// that updates it touches what it changes, and one that makes something new writes over it. Each branch for itself says how
// long it needs what lies there.

static bool is_inside(const mr_block *block, const mr_op *op) {
  return block != op->block && mr_block_is_inside(block, op->block);
}

// The operand that a result is an update of, as far as the op's kind says; NULL: of none.
static mr_value *updated_by(const mr_op *op, uint32_t result) {
  switch (op->kind) {
  case MR_OP_dynamic_update_slice:
  case MR_OP_scatter:
  case MR_OP_reshape:
  case MR_OP_while: return mr_op_operand(op, result);
  case MR_OP_fusion: {
    const mr_block *inside = op->regions[0];
    const mr_value *value = mr_op_operand(mr_block_terminator(op->regions[0]), result);
    while (value && value->def && value->block == inside) {
      bool passes = mr_op_num_updated(value->def) > value->index || value->def->kind == MR_OP_reshape;
      value = passes ? mr_op_operand(value->def, value->index) : NULL;
    }
    for (uint32_t i = 0; value && i < inside->num_args; i++) {
      if (inside->args[i] == value) {
        return mr_op_operand(op, i);
      }
    }
    return NULL;
  }
  default: return NULL;
  }
}

// What comes from outside the case and is returned by a branch, as it is or updated; NULL: the branch makes something new.
static mr_value *returned_from_outside(const mr_op *op, mr_value *value) {
  while (value && is_inside(value->block, op)) {
    if (!value->def) {
      return NULL;
    }
    uint32_t result = (uint32_t)(value - value->def->results);
    if (value->def->kind == MR_OP_case) {
      mr_value *found = NULL;
      for (uint32_t r = 0; r < value->def->num_regions && !found; r++) {
        found = returned_from_outside(op, mr_op_operand(mr_block_terminator(value->def->regions[r]), result));
      }
      return found;
    }
    value = updated_by(value->def, result);
  }
  return value;
}

// Of each buffer that is mentioned: it is needed until here. at_top: the op of the branch that the block lies in; NULL: it is the branch.
static void note_uses_in(planner *p, const mr_block *block, const mr_op *at_top) {
  for (const mr_op *op = block->first; op; op = op->next) {
    const mr_op *top = at_top ? at_top : op;
    int64_t at = at_top ? mr_planner_finish(top) : mr_planner_start(op);
    mr_op_look_ahead(op);
    for (uint32_t i = 0; i < op->num_operands; i++) {
      uint32_t buffer = mr_planner_buffer_of(p, mr_op_operand(op, i));
      if (buffer != NO_BUFFER && p->buffers[buffer].mentions) {
        p->buffers[buffer].end = MR_MAX(p->buffers[buffer].end, at);
      }
    }
    bool control = op->kind == MR_OP_while || op->kind == MR_OP_case;
    for (uint32_t r = 0; control && r < op->num_regions; r++) {
      note_uses_in(p, op->regions[r], top);
    }
  }
}

// Where results before this one lie is mentioned.
static bool may_lie_in(const planner *p, const mr_op *op, uint32_t result, uint32_t buffer) {
  if (buffer == NO_BUFFER || buffer == mr_planner_buffer_of(p, mr_op_operand(op, 0))) {
    return false;
  }
  const plan_buffer *b = &p->buffers[buffer];
  return !b->mentions && mr_planner_writable(p, b) && b->end <= mr_planner_finish(op) &&
         b->bytes == mr_type_bytes(&op->results[result].type);
}

// Where the result of a branch may stay that returns what is from outside: a buffer that it is wanted in comes before others, since a branch
// that exchanges two would else decide where both are for those that leave them.
static uint32_t returned_place(planner *p, const mr_op *op, uint32_t result) {
  uint32_t place = NO_BUFFER, wanted = p->wanted[op->results[result].id];
  for (uint32_t r = 0; r < op->num_regions; r++) {
    const mr_value *returned = returned_from_outside(op, mr_op_operand(mr_block_terminator(op->regions[r]), result));
    uint32_t buffer = returned ? mr_planner_buffer_of(p, returned) : NO_BUFFER;
    bool better = returned && (place == NO_BUFFER || (buffer == wanted && place != wanted));
    place = better && may_lie_in(p, op, result, buffer) ? buffer : place;
  }
  return place;
}

// NO_BUFFER when memory is short.
static uint32_t place_of_case(planner *p, const mr_op *op, uint32_t result) {
  uint32_t place = returned_place(p, op, result), wanted = p->wanted[op->results[result].id];
  int64_t start = mr_planner_start(op);
  if (place == NO_BUFFER && may_lie_in(p, op, result, wanted)) {
    p->buffers[wanted].start = MR_MIN(p->buffers[wanted].start, start);
    place = wanted;
  }
  return place != NO_BUFFER ? place : mr_planner_new_buffer(p, mr_type_bytes(&op->results[result].type), start, start);
}

static mr_status place_case(planner *p, const mr_op *op, uint32_t *results) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    results[i] = place_of_case(p, op, i);
    if (results[i] == NO_BUFFER) {
      return MR_NO_MEMORY();
    }
    p->buffers[results[i]].mentions++;
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    p->buffers[results[i]].mentions--;
  }
  return MR_OK;
}

static mr_status plan_branch(planner *p, const mr_op *op, uint32_t r, const uint32_t *results, plan_sequence *branch) {
  mr_block *block = op->regions[r];
  const mr_op *terminator = mr_block_terminator(block);
  for (uint32_t i = 0; i < op->num_results; i++) {
    p->buffers[results[i]].end = mr_planner_start(op);
    p->buffers[results[i]].mentions++;
  }
  note_uses_in(p, block, NULL);
  for (uint32_t i = 0; i < op->num_results; i++) {
    p->buffers[results[i]].mentions--;
    mr_value *returned = mr_op_operand(terminator, i);
    if (returned->def && returned->block == block) {
      mr_planner_want(p, returned, results[i]);
    }
  }
  MR_TRY(mr_planner_block(p, block, branch));
  return deliver(p, terminator, results, branch);
}

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
  uint32_t index = mr_planner_buffer_of(p, mr_op_operand(op, 0));
  p->buffers[index].end = MR_MAX(p->buffers[index].end, finish);  // one step reads it and writes what its branches do
  MR_TRY(place_case(p, op, results));
  price most = {0};
  for (uint32_t r = 0; r < op->num_regions; r++) {
    MR_TRY(plan_branch(p, op, r, results, &branches[r]));
    price branch = sequence_price(&branches[r]);
    most.cost_ns = MR_MAX(most.cost_ns, branch.cost_ns);
    most.shape_ns = MR_MAX(most.shape_ns, branch.shape_ns);
    most.touched = MR_MAX(most.touched, branch.touched);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_planner_hold(p, &op->results[i], results[i], finish);
  }
  step->buffers[0] = index;
  step->access[0] = MR_L_READ;
  step->finish = finish;
  step->selector = mr_op_operand(op, 0)->type.dtype;
  step->cost_ns = most.cost_ns + MR_PLAN_BRANCH_NS;
  step->shape_ns = most.shape_ns + MR_PLAN_BRANCH_NS;
  step->touched = most.touched;
  return mr_planner_inline_control(p, step);
}
