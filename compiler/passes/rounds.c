// Loops in which arrays change places: each round would copy them, as what is carried lies where it lay. As many rounds as bring each
// array back to its own place become one, in which values change names alone; a second loop makes the rounds that are left.
//
//   while (i < n) { a, b = b, f(a, b) }   while (i < n - 1) { x = f(a, b); a, b = x, f(b, x) }  while (i < n) { a, b = b, f(a, b) }
//
// An array that is made anew takes the place of the one that nobody takes over, as in recurrences that look back several rounds. One that
// is made of its neighbours, as stencils are, is written elsewhere and by the next round back.
#include "compiler/ir/in_place.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/simplify.h"
#include "compiler/passes/tuning.h"

enum { MADE = -1, OTHER = -2 };  // anew in the round; what comes from elsewhere, or goes to two places
enum { NOBODY = -1 };

typedef struct turn {
  mr_op *loop;
  int64_t *from;    // by slot: the slot of the round before whose place the value has, or one of the above
  int64_t *taker;   // by slot: the one that has its place after a round, or NOBODY
  uint32_t period;  // rounds until all are at their own places
  size_t moved;     // bytes that each round would copy
  // while (args[counter] < bound), step more each round.
  uint32_t counter;
  int64_t step;
  mr_op *compare;
} turn;

// ---- Which places ------------------------------------------------------------------------------------------------------

// The slot whose array the value is, changed in some places perhaps.
static int64_t source_of(const mr_block *body, const mr_value *value) {
  const mr_type *type = &value->type;
  while (value->def && value->block == body && mr_op_num_updated(value->def) == 1) {
    value = mr_op_operand(value->def, 0);
  }
  if (value->block != body) {
    return OTHER;
  }
  return value->def ? MADE : mr_type_equal(&value->type, type) ? (int64_t)value->index : OTHER;
}

static bool is_large(const mr_value *value) {
  return value->type.kind == MR_TYPE_TENSOR && mr_type_is_static(&value->type) &&
         mr_type_bytes(&value->type) >= MR_PASS_TURN_BYTES;
}

static void find_sources(turn *t) {
  const mr_block *body = t->loop->regions[1];
  const mr_op *end = mr_block_terminator(body);
  for (uint32_t i = 0; i < t->loop->num_results; i++) {
    t->from[i] = is_large(body->args[i]) ? source_of(body, mr_op_operand(end, i)) : OTHER;
    t->taker[i] = NOBODY;
  }
  for (uint32_t i = 0; i < t->loop->num_results; i++) {
    if (t->from[i] >= 0) {
      int64_t *taker = &t->taker[t->from[i]];
      if (*taker != NOBODY) {
        t->from[*taker] = OTHER;
      }
      *taker = i;
    }
  }
}

static uint32_t common_multiple(uint32_t a, uint32_t b) {
  uint32_t x = a, y = b;
  while (y) {
    uint32_t rest = x % y;
    x = y;
    y = rest;
  }
  return a / x * b;
}

// How many places those have that take turns with the slot's, from the one on that it takes; 0: nothing can be said of one of them.
// *out_made: they end with one that is made anew.
static uint32_t turns_of(const turn *t, uint32_t slot, bool *out_made) {
  uint32_t length = 1;
  int64_t at = t->from[slot];
  for (; at != MADE && at != (int64_t)slot; at = t->from[at]) {
    if (at == OTHER || ++length > MR_PASS_TURN_ROUNDS) {
      return 0;
    }
  }
  *out_made = at == MADE;
  return length;
}

// What is taken off the bound is a number of its type, from whatever that may be.
static bool has_room(const turn *t) {
  mr_dtype dtype = t->loop->regions[0]->args[t->counter]->type.dtype;
  return (int64_t)(t->period - 1) * t->step < INT64_C(1) << (mr_dtype_bits(dtype) - 2);
}

// Whether what the slot has after a round is made from neighbours of what it had, so that it cannot be written where that lies: it is
// written elsewhere, and by the next round back. Where another slot takes over what it had, its place is another one anyway.
static bool is_made_of_neighbours(const turn *t, uint32_t slot) {
  const mr_value *before = t->loop->regions[1]->args[slot];
  if (t->from[slot] != MADE || t->taker[slot] != NOBODY) {
    return false;
  }
  for (const mr_use *use = before->uses; use; use = use->next) {
    const mr_op *user = use->user;
    bool moves = user->kind == MR_OP_slice || user->kind == MR_OP_pad;
    if (moves && mr_type_bytes(&user->results[0].type) >= mr_type_bytes(&before->type) / 2) {
      return true;
    }
  }
  return false;
}

static bool find_period(turn *t) {
  t->period = 1;
  t->moved = 0;
  for (uint32_t i = 0; i < t->loop->num_results; i++) {
    if (is_made_of_neighbours(t, i)) {
      t->period = common_multiple(t->period, 2);
      t->moved += mr_type_bytes(&t->loop->regions[1]->args[i]->type);
      continue;
    }
    bool made = false;
    uint32_t length = t->from[i] >= 0 && t->from[i] != (int64_t)i ? turns_of(t, i, &made) : 0;
    if (length > 1) {
      // Of several that go on to one that is made anew, the last one counts them all.
      t->period = made && t->taker[i] != NOBODY ? t->period : common_multiple(t->period, length);
      t->moved += mr_type_bytes(&t->loop->regions[1]->args[i]->type);
    }
  }
  return t->period > 1 && t->period <= MR_PASS_TURN_ROUNDS;
}

// ---- Whether it is worth it ------------------------------------------------------------------------------------------------

static bool find_condition(turn *t) {
  const mr_block *condition = t->loop->regions[0];
  t->compare = mr_op_operand(mr_block_terminator(condition), 0)->def;
  if (!t->compare || t->compare->kind != MR_OP_compare || t->compare->block != condition ||
      mr_op_int(t->compare, MR_ATTR_comparison_direction, 0) != MR_COMPARE_LT) {
    return false;
  }
  const mr_value *slot = mr_op_operand(t->compare, 0), *bound = mr_op_operand(t->compare, 1);
  bool known = bound->block != condition || (bound->def && bound->def->kind == MR_OP_constant);
  t->counter = slot->index;
  return !slot->def && slot->block == condition && slot->type.rank == 0 && known &&
         mr_dtype_is_integer(slot->type.dtype) && mr_dtype_is_signed(slot->type.dtype) &&
         mr_while_step(t->loop, t->counter, &t->step) && t->step <= MR_PASS_TURN_STEP;
}

// The rounds are short enough to be made together, and have not so much else to do that copies are lost in it.
static bool is_short(const turn *t) {
  const mr_block *body = t->loop->regions[1];
  uint32_t ops = 0;
  size_t bytes = 0;
  for (const mr_op *op = mr_walk_first(body); op; op = mr_walk_next(op, body)) {
    ops++;
    bool ends = op->kind == MR_OP_return;
    if ((!ends && mr_pass_sees_effect(op)) || op->kind == MR_OP_while) {
      return false;
    }
    for (uint32_t i = 0; i < op->num_results; i++) {
      bytes += op->results[i].type.kind == MR_TYPE_TENSOR ? mr_type_bytes(&op->results[i].type) : 0;
    }
  }
  return ops * t->period <= MR_PASS_TURN_OPS && bytes / MR_PASS_TURN_SHARE <= t->moved;
}

// ---- Making rounds together ------------------------------------------------------------------------------------------------

// The condition of the first loop: there is room for all rounds of a turn. Where the bound minus the others' steps is less than the type
// holds there is none.
static mr_value *earlier_bound(const turn *t, mr_op *compare) {
  mr_builder b = mr_builder_before(compare);
  mr_value *bound = mr_op_operand(compare, 1);
  int64_t back = (int64_t)(t->period - 1) * t->step, low = -(INT64_C(1) << (mr_dtype_bits(bound->type.dtype) - 2)) * 2;
  mr_value *least = mr_build_splat_int(&b, &bound->type, low + back);
  int64_t known;
  if (mr_constant_ints(bound, 1, &known)) {
    return mr_build_splat_int(&b, &bound->type, MR_MAX(known, low + back) - back);
  }
  mr_value *enough = mr_build_binary(&b, MR_OP_maximum, bound, least);
  return mr_build_binary(&b, MR_OP_subtract, enough, mr_build_splat_int(&b, &bound->type, back));
}

// One more round at the end of the body of `loop`, which is a copy of t->loop with as many slots.
static bool add_round(const turn *t, mr_op *loop) {
  const mr_block *body = t->loop->regions[1];
  mr_op *end = mr_block_terminator(loop->regions[1]);
  const mr_op *their_end = mr_block_terminator(body);
  mr_builder b = mr_builder_before(end);
  mr_value_map *map = mr_value_map_create(b.module);
  for (uint32_t i = 0; map && i < body->num_args; i++) {
    mr_value_map_set(map, body->args[i], mr_op_operand(end, i));
  }
  if (!map || !mr_block_clone_into(&b, body, map)) {
    return false;
  }
  for (uint32_t i = 0; i < end->num_operands; i++) {
    mr_op_set_operand(end, i, mr_value_map_get(map, mr_op_operand(their_end, i)));
  }
  return true;
}

// What counts is one sum, so that others see how many rounds there are.
static void count_at_once(const turn *t, mr_op *loop) {
  mr_op *end = mr_block_terminator(loop->regions[1]);
  mr_builder b = mr_builder_before(end);
  for (uint32_t i = 0; i < end->num_operands; i++) {
    int64_t step, all;
    mr_value *slot = loop->regions[1]->args[i];
    if (mr_while_step(t->loop, i, &step) && !__builtin_mul_overflow(step, (int64_t)t->period, &all)) {
      mr_value *more = mr_build_splat_int(&b, &slot->type, all);
      mr_op_set_operand(end, i, mr_build_binary(&b, MR_OP_add, slot, more));
    }
  }
}

// The rounds that are left: none, a number that is known, or as many as the condition says.
static void leave_rest(const turn *t, mr_op *first, int64_t trips) {
  mr_op *loop = t->loop;
  int64_t start;
  if (trips >= 0 && trips % t->period == 0) {
    for (uint32_t i = 0; i < loop->num_results; i++) {
      mr_value_replace_all_uses(mr_op_result(loop, i), mr_op_result(first, i));
    }
    mr_op_erase(loop);
    return;
  }
  mr_value *counter = mr_op_operand(loop, t->counter);
  for (uint32_t i = 0; i < loop->num_operands; i++) {
    mr_op_set_operand(loop, i, mr_op_result(first, i));
  }
  if (trips >= 0 && mr_constant_ints(counter, 1, &start)) {
    mr_builder b = mr_builder_before(loop);
    start += (trips - trips % t->period) * t->step;
    mr_op_set_operand(loop, t->counter, mr_build_splat_int(&b, &counter->type, start));
  }
}

static mr_status take_turns(const turn *t) {
  int64_t trips = -1;
  mr_module *module = mr_op_module(t->loop);
  if (mr_while_trips(t->loop, &trips) && trips < t->period) {
    return MR_OK;
  }
  mr_builder b = mr_builder_before(t->loop);
  b.loc = t->loop->loc;
  mr_op *first = mr_op_clone(&b, t->loop, mr_value_map_create(module));
  if (!first) {
    return MR_NO_MEMORY();
  }
  mr_op *compare = mr_op_operand(mr_block_terminator(first->regions[0]), 0)->def;
  mr_op_set_operand(compare, 1, earlier_bound(t, compare));
  for (uint32_t i = 1; i < t->period; i++) {
    if (!add_round(t, first)) {
      return MR_NO_MEMORY();
    }
  }
  count_at_once(t, first);
  MR_TRY(mr_module_memory(module));
  leave_rest(t, first, trips);
  return mr_module_memory(module);
}

// ---- The pass ----------------------------------------------------------------------------------------------------------------

mr_status mr_pass_rounds(mr_module *module) {
  mr_function *entry = mr_module_entry(module);
  if (!module->made[MR_OP_while]) {
    return MR_OK;
  }
  for (mr_op *op = mr_walk_first(&entry->body), *next; op; op = next) {
    turn t = {.loop = op};
    bool loop = op->kind == MR_OP_while;
    next = mr_walk_next(op, &entry->body);
    if (!loop || !find_condition(&t)) {
      continue;
    }
    t.from = mr_arena_array(&module->arena, int64_t, op->num_results + 1);
    t.taker = mr_arena_array(&module->arena, int64_t, op->num_results + 1);
    if (!t.from || !t.taker) {
      return MR_NO_MEMORY();
    }
    find_sources(&t);
    if (find_period(&t) && has_room(&t) && is_short(&t)) {
      next = mr_walk_skip(op, &entry->body);  // a loop that is short has none inside
      MR_TRY(take_turns(&t));
    }
  }
  return MR_OK;
}
