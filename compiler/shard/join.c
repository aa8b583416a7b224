// Sums over devices that do not need one another are taken in one meeting: training steps have one for each weight.
#include <string.h>

#include "compiler/shard/partition.h"

// An all_reduce that has begun a group, and those that join it. What needs one of them is put off until the last has come.
typedef struct group {
  mr_op *first, *last;
  uint32_t count;
} group;

// Marks in op->side: a member, and what needs one.
static char member_mark, later_mark;

static bool same_ints(mr_ints a, mr_ints b) {
  return a.size == b.size && (a.data == b.data || memcmp(a.data, b.data, a.size * sizeof *a.data) == 0);
}

bool mr_part_may_join(const mr_op *a, const mr_op *b) {
  const mr_attr *x = mr_op_attr(a, MR_ATTR_replica_groups), *y = mr_op_attr(b, MR_ATTR_replica_groups);
  mr_op_kind kind = mr_block_fold_kind(a->regions[0]);
  return kind != MR_OP_COUNT && kind == mr_block_fold_kind(b->regions[0]) && x && y && x->kind == MR_ATTR_INTS &&
         y->kind == MR_ATTR_INTS && x->rows == y->rows && same_ints(x->ints, y->ints) &&
         a->results[0].type.dtype == b->results[0].type.dtype &&
         a->regions[0]->args[0]->type.dtype == b->regions[0]->args[0]->type.dtype &&
         mr_op_int(a, MR_ATTR_channel_id, 0) == mr_op_int(b, MR_ATTR_channel_id, 0) &&
         mr_op_int(a, MR_ATTR_use_global_device_ids, 0) == mr_op_int(b, MR_ATTR_use_global_device_ids, 0);
}

static bool is_marked(const mr_value *value, const mr_block *block) {
  return value->def && value->def->block == block && value->def->side;
}

static bool needs_member(const mr_op *op) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (is_marked(mr_op_operand(op, i), op->block)) {
      return true;
    }
  }
  for (uint32_t r = 0; r < op->num_regions; r++) {
    for (const mr_op *inner = mr_walk_first(op->regions[r]); inner; inner = mr_walk_next(inner, op->regions[r])) {
      for (uint32_t i = 0; i < inner->num_operands; i++) {
        if (is_marked(mr_op_operand(inner, i), op->block)) {
          return true;
        }
      }
    }
  }
  return false;
}

// What the host sees keeps its order, and loops and branches, which may have that in them, stay where they are.
static bool keeps_its_place(const mr_op *op) {
  bool control = op->kind == MR_OP_while || op->kind == MR_OP_case || op->kind == MR_OP_if;
  return control ||
         (mr_op_table[op->kind].op_class != MR_OPS_COLLECTIVE && mr_op_table[op->kind].effect != MR_EFFECT_PURE);
}

// Puts what needs a member behind the last one, in its order, and one op in the members' place.
static mr_status close_group(mr_module *module, group *g) {
  mr_arena *arena = &module->arena;
  mr_value **operands = mr_arena_array(arena, mr_value *, g->count),
           **results = mr_arena_array(arena, mr_value *, g->count);
  mr_type *types = mr_arena_array(arena, mr_type, g->count);
  if (!operands || !results || !types) {
    return MR_NO_MEMORY();
  }
  mr_op *behind = g->last->next;
  uint32_t count = 0;
  for (mr_op *op = g->first, *next = NULL; op; op = next) {
    next = op == g->last ? NULL : op->next;
    if (op->side == &member_mark) {
      operands[count] = mr_op_operand(op, 0);
      types[count] = op->results[0].type;
      results[count++] = &op->results[0];
    } else if (op->side == &later_mark) {
      mr_op_move_before(op, behind);
    }
  }
  mr_builder b = mr_builder_before(g->last->next);
  b.loc = g->first->loc;
  mr_op *joined = mr_build(&b, MR_OP_all_reduce, count, operands, count, types, 1);
  if (!joined) {
    return mr_module_memory(module);
  }
  mr_op_copy_attrs(module, joined, g->first);
  mr_op_take_regions(joined, g->first);
  for (uint32_t i = 0; i < count; i++) {
    mr_value_replace_all_uses(results[i], &joined->results[i]);
  }
  for (mr_op *op = g->first, *next; op != joined; op = next) {
    next = op->next;
    if (op->side == &member_mark) {
      mr_op_erase(op);
    }
  }
  return mr_module_memory(module);
}

// Two scalars of each operand are what a region folds.
static bool is_plain_sum(const mr_op *op) {
  return op->kind == MR_OP_all_reduce && op->num_operands == 1 && op->num_results == 1;
}

static void clear_marks(mr_op *from, const mr_op *to) {
  for (mr_op *op = from; op != to; op = op->next) {
    op->side = NULL;
  }
}

// The group that begins with `first`, as far as it goes. *out_next: where to look for another one.
static mr_status join_from(mr_module *module, mr_op *first, mr_op **out_next) {
  group g = {.first = first, .last = first, .count = 1};
  mr_op *op = first->next, *next_other = NULL;
  first->side = &member_mark;
  for (; op && op->kind != MR_OP_return; op = op->next) {
    bool later = needs_member(op), fits = is_plain_sum(op) && mr_part_may_join(first, op);
    if (later && (fits || keeps_its_place(op))) {
      break;
    }
    if (is_plain_sum(op) && !(fits && !later) && !next_other) {
      next_other = op;
    }
    op->side = later ? &later_mark : fits ? &member_mark : NULL;
    if (fits) {
      g.last = op;
      g.count++;
    }
  }
  mr_op *end = op, *before = first->prev;
  const mr_block *block = first->block;  // the op may go
  mr_status status = g.count > 1 ? close_group(module, &g) : MR_OK;
  clear_marks(before ? before->next : block->first, end);
  *out_next = next_other ? next_other : end;
  return status;
}

static mr_status join_block(mr_module *module, mr_block *block) {
  for (mr_op *op = block->first; op; op = op->next) {
    op->side = NULL;
  }
  for (mr_op *op = block->first; op;) {
    if (is_plain_sum(op)) {
      MR_TRY(join_from(module, op, &op));
    } else {
      op = op->next;
    }
  }
  return mr_module_memory(module);
}

mr_status mr_part_join(mr_function *function) {
  mr_module *module = function->module;
  if (!module->made[MR_OP_all_reduce]) {
    return MR_OK;
  }
  MR_TRY(join_block(module, &function->body));
  for (mr_op *op = mr_walk_first(&function->body); op; op = mr_walk_next(op, &function->body)) {
    for (uint32_t r = 0; r < op->num_regions && keeps_its_place(op); r++) {
      MR_TRY(join_block(module, op->regions[r]));
    }
  }
  return MR_OK;
}
