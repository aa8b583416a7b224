// What a loop carries twice is carried once: values that begin as one and of which each round makes the same. Cotangents often are, before
// anything is added to one of them, and arrays of zeros; where branches exchange them, a round would copy each for nothing.
//
// It is assumed that two are equal and looked whether a round then gives equal ones; what that takes of others, of the same loop or of one
// inside, is assumed and looked at in the same way. An assumption that leads back to itself only is right: no first round breaks it.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

// Of a proof at most, and of those with one beginning that a value is compared with: so all is linear.
enum { MOST_PAIRS = 32, MOST_STEPS = 256, MOST_LEADERS = 4, MOST_TYPES = 8 };

typedef struct proof {
  mr_value *pairs[MOST_PAIRS][2];  // arguments of bodies
  uint32_t count, steps;
} proof;

static bool are_alike(proof *p, mr_value *a, mr_value *b);

static bool is_assumed(const proof *p, const mr_value *a, const mr_value *b) {
  for (uint32_t i = 0; i < p->count; i++) {
    const mr_value *x = p->pairs[i][0], *y = p->pairs[i][1];
    if ((x == a && y == b) || (x == b && y == a)) {
      return true;
    }
  }
  return false;
}

static bool arguments_are_alike(proof *p, mr_value *a, mr_value *b) {
  const mr_op *loop = a->block->parent;
  if (a->block != b->block || !loop || loop->kind != MR_OP_while || a->block != loop->regions[1]) {
    return false;
  }
  if (is_assumed(p, a, b)) {
    return true;
  }
  uint32_t before = p->count;
  if (before == MOST_PAIRS) {
    return false;
  }
  p->pairs[p->count][0] = a;
  p->pairs[p->count++][1] = b;
  const mr_op *end = mr_block_terminator(loop->regions[1]);
  if (are_alike(p, mr_op_operand(loop, a->index), mr_op_operand(loop, b->index)) &&
      are_alike(p, mr_op_operand(end, a->index), mr_op_operand(end, b->index))) {
    return true;
  }
  p->count = before;
  return false;
}

// Two results of one op.
static bool results_are_alike(proof *p, const mr_op *op, uint32_t a, uint32_t b) {
  if (op->kind == MR_OP_while) {
    return are_alike(p, op->regions[1]->args[a], op->regions[1]->args[b]);
  }
  bool alike = op->kind == MR_OP_case;
  for (uint32_t r = 0; alike && r < op->num_regions; r++) {
    const mr_op *end = mr_block_terminator(op->regions[r]);
    alike = are_alike(p, mr_op_operand(end, a), mr_op_operand(end, b));
  }
  return alike;
}

static bool are_alike(proof *p, mr_value *a, mr_value *b) {
  if (a == b) {
    return true;
  }
  if (p->steps++ == MOST_STEPS || !a->def != !b->def || !mr_type_equal(&a->type, &b->type)) {
    p->steps = MR_MIN(p->steps, MOST_STEPS);
    return false;
  }
  if (!a->def) {
    return arguments_are_alike(p, a, b);
  }
  if (a->def == b->def) {
    return results_are_alike(p, a->def, a->index, b->index);
  }
  bool alike = a->index == b->index && mr_ops_do_the_same(a->def, b->def);
  for (uint32_t i = 0; alike && i < a->def->num_operands; i++) {
    alike = are_alike(p, mr_op_operand(a->def, i), mr_op_operand(b->def, i));
  }
  return alike;
}

// All that was assumed on the way is proved with it; of the loop the first of two stands for the other one.
static void merge(const proof *p, mr_op *loop) {
  for (uint32_t turn = 0; turn < p->count; turn++) {  // of three alike the third may be the second's first
    for (uint32_t i = 0; i < p->count; i++) {
      uint32_t a = p->pairs[i][0]->index, b = p->pairs[i][1]->index, first = MR_MIN(a, b), second = MR_MAX(a, b);
      if (p->pairs[i][0]->block == loop->regions[1]) {
        for (uint32_t r = 0; r < 2; r++) {
          mr_value_replace_all_uses(loop->regions[r]->args[second], loop->regions[r]->args[first]);
        }
        mr_value_replace_all_uses(mr_op_result(loop, second), mr_op_result(loop, first));
      }
    }
  }
}

// By the number of a value: the first argument of a loop's body that begins with it; of such an argument the next one.
typedef struct leaders {
  mr_value **first, **next;
} leaders;

static void merge_carried(const leaders *l, mr_op *loop) {
  const mr_block *body = loop->regions[1];
  proof p;
  for (uint32_t i = 0; i < body->num_args; i++) {
    mr_value *value = body->args[i], **slot = &l->first[mr_op_operand(loop, i)->id];
    if (value->type.kind != MR_TYPE_TENSOR) {
      continue;
    }
    bool found = false;
    uint32_t looks = 0;
    while (*slot && (*slot)->block == body && !found && looks++ < MOST_LEADERS) {
      p.count = p.steps = 0;
      found = are_alike(&p, *slot, value);
      if (found) {
        merge(&p, loop);
      }
      slot = &l->next[(*slot)->id];
    }
    if (!found && looks < MOST_LEADERS) {
      *slot = value;
      l->next[value->id] = NULL;
    }
  }
}

// A result that each branch takes from outside, from the same place, is that.
static void forward_results(mr_op *branches) {
  for (uint32_t i = 0; i < branches->num_results; i++) {
    mr_value *value = mr_op_operand(mr_block_terminator(branches->regions[0]), i);
    bool same = value->block->parent != branches;
    for (uint32_t r = 0; same && r < branches->num_regions; r++) {
      same = mr_op_operand(mr_block_terminator(branches->regions[r]), i) == value;
    }
    if (same) {
      mr_value_replace_all_uses(mr_op_result(branches, i), value);
    }
  }
}

static void forward_all(const mr_function *entry) {
  for (mr_op *op = mr_walk_first(&entry->body); op && entry->module->made[MR_OP_case];
       op = mr_walk_next(op, &entry->body)) {
    if (op->kind == MR_OP_case) {
      forward_results(op);
    }
  }
}

// Whether a loop carries two of one type: where none does, nothing is alike, and large programs are not walked for it again.
static bool has_two_of_a_type(const mr_op *loop) {
  for (uint32_t i = 1; i < MR_MIN(loop->num_results, MOST_TYPES); i++) {
    for (uint32_t k = 0; k < i; k++) {
      if (mr_type_equal(&loop->results[i].type, &loop->results[k].type)) {
        return true;
      }
    }
  }
  return loop->num_results > MOST_TYPES;
}

static bool may_carry_twice(const mr_function *entry) {
  const mr_op *op = mr_walk_first(&entry->body);
  while (op && (op->kind != MR_OP_while || !has_two_of_a_type(op))) {
    op = mr_walk_next(op, &entry->body);
  }
  return op;
}

mr_status mr_pass_alike(mr_module *module) {
  mr_function *entry = mr_module_entry(module);
  if (!module->made[MR_OP_while]) {
    return MR_OK;
  }
  forward_all(entry);  // what branches within branches hand on is seen to be that
  if (!may_carry_twice(entry)) {
    return MR_OK;
  }
  mr_function_number(entry);
  leaders l = {mr_alloc_zeroed(entry->num_values + 1, sizeof *l.first),
               mr_alloc_zeroed(entry->num_values + 1, sizeof *l.next)};
  bool room = l.first && l.next;
  for (mr_op *op = mr_walk_first(&entry->body); room && op; op = mr_walk_next(op, &entry->body)) {
    if (op->kind == MR_OP_while) {
      merge_carried(&l, op);
    }
  }
  forward_all(entry);
  mr_free(l.first);
  mr_free(l.next);
  return room ? MR_OK : MR_NO_MEMORY();
}
