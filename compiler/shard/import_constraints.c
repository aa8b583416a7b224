// Sharding constraints, which say of their result what their operand should already have; and groups of values that are to be
// sharded alike.
#include <stdlib.h>

#include "compiler/shard/import_internal.h"

// The edge whose target or member a value is, or NULL.
static mr_edge *edge_of(const mr_import *import, const mr_value *value) {
  const mr_op *op = value->def ? value->def : value->block->parent;
  mr_edge *edge = op ? mr_import_edges(import, op) : NULL;
  for (; edge && edge < import->edges + import->num_edges && edge->op == op; edge++) {
    bool member = edge->target == value;
    for (uint32_t i = 0; i < edge->num_members; i++) {
      member = member || edge->members[i] == value;
    }
    if (member) {
      return edge;
    }
  }
  return NULL;
}

// Sets it for a value, and for what shares one with it.
static void set_all(const mr_import *import, mr_value *value, const mr_sharding *sharding) {
  mr_edge *edge = edge_of(import, value);
  (edge ? edge->target : value)->sharding = sharding;
  for (uint32_t i = 0; edge && i < edge->num_members; i++) {
    edge->members[i]->sharding = sharding;
  }
}

// ---- What is asked ---------------------------------------------------------------------------------------------------------

// What the user asks of the value it uses: constraints and manual computations do. NULL: nothing.
static const mr_sharding *asked_by(const mr_import *import, const mr_use *use) {
  const mr_op *user = use->user;
  if (user->kind == MR_OP_sdy_sharding_constraint) {
    return user->results[0].sharding;
  }
  const mr_manual *manual = user->kind == MR_OP_sdy_manual_computation ? mr_import_manual(import, user) : NULL;
  return manual ? manual->in[use - user->operands] : NULL;
}

static bool applies(const mr_import *import, const mr_value *value, const mr_sharding *asked) {
  if (!asked || value->type.kind != MR_TYPE_TENSOR || value->sharding || !mr_sharding_fully_closed(asked)) {
    return false;
  }
  for (const mr_use *use = value->uses; use; use = use->next) {
    const mr_sharding *other = asked_by(import, use);
    if (other && !mr_sharding_equal(other, asked)) {
      return false;
    }
  }
  return true;
}

// ---- Order ------------------------------------------------------------------------------------------------------------------

// Ops are numbered with gaps, so that one that moves gets a number between its neighbours' without the others getting new ones.
enum { GAP = 64 };

static void number_with_gaps(const mr_block *block) {
  uint32_t order = 0;
  for (mr_op *op = block->first; op; op = op->next) {
    op->order = order += GAP;
  }
}

static void number_all(const mr_block *block) {
  for (mr_op *op = mr_walk_first(block); op; op = mr_walk_next(op, block)) {
    op->order = (op->prev ? op->prev->order : 0) + GAP;
  }
}

static void move_before(mr_op *op, mr_op *other) {
  uint32_t before = other->prev ? other->prev->order : 0, after = other->order;
  mr_op_move_before(op, other);
  op->order = before + (after - before) / 2;
  if (op->order == before) {
    number_with_gaps(op->block);
  }
}

// ---- Constraints ------------------------------------------------------------------------------------------------------------

// Its other users see the constraint's result, so it has to stand before them.
static void redirect(mr_op *constraint, mr_value *value) {
  mr_op *first = value->def ? value->def->next : value->block->first;
  if (constraint->block == value->block && first != constraint) {
    move_before(constraint, first);
  } else if (constraint->block != value->block) {
    return;  // it stands in a region that not all of them are in
  }
  mr_value_replace_all_uses(value, &constraint->results[0]);
  mr_op_set_operand(constraint, 0, value);
}

static bool is_constraint(const mr_op *op) { return op && op->kind == MR_OP_sdy_sharding_constraint; }

static bool feeds_one_constraint(const mr_value *value) {
  return mr_value_has_one_use(value) && is_constraint(value->uses->user);
}

// The first of at least two constraints in a row that end with this one, when nobody else asks anything of what goes into it.
static mr_op *chain_head(mr_op *last) {
  if (feeds_one_constraint(&last->results[0])) {
    return NULL;
  }
  mr_op *head = last;
  while (is_constraint(mr_op_operand(head, 0)->def) && mr_value_has_one_use(mr_op_operand(head, 0))) {
    head = mr_op_operand(head, 0)->def;
  }
  if (head == last) {
    return NULL;
  }
  for (const mr_use *use = mr_op_operand(head, 0)->uses; use; use = use->next) {
    if (use->user != head && (is_constraint(use->user) || use->user->kind == MR_OP_sdy_manual_computation)) {
      return NULL;
    }
  }
  return head;
}

// Users of the chain's input that stand behind the chain take its end. Ops of a block are in order (op->order).
static void take_tail(mr_op *head, mr_op *last) {
  mr_value *input = mr_op_operand(head, 0);
  for (mr_use *use = input->uses, *next; use; use = next) {
    next = use->next;
    if (use->user != head && use->user->block == last->block && use->user->order > last->order) {
      mr_op_set_operand(use->user, (uint32_t)(use - use->user->operands), &last->results[0]);
    }
  }
}

static void apply_constraint(mr_import *import, mr_op *op) {
  mr_value *input = mr_op_operand(op, 0);
  const mr_sharding *asked = op->results[0].sharding;
  if (applies(import, input, asked)) {
    const mr_edge *edge = edge_of(import, input);
    if (edge && edge->target == input) {
      redirect(op, input);
    } else {
      set_all(import, input, asked);
    }
  }
  mr_op *head = chain_head(op);
  if (head) {
    take_tail(head, op);
  }
}

static void apply_manual(mr_import *import, const mr_op *op) {
  const mr_manual *manual = mr_import_manual(import, op);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    mr_value *input = mr_op_operand(op, i);
    const mr_edge *edge = edge_of(import, input);
    if (applies(import, input, manual->in[i]) && !(edge && edge->target == input)) {
      set_all(import, input, manual->in[i]);
    }
  }
}

mr_status mr_import_constraints(mr_import *import) {
  const mr_block *root = &import->function->body;
  const bool *made = import->module->made;
  if (!made[MR_OP_sdy_sharding_constraint] && !made[MR_OP_sdy_manual_computation]) {
    return MR_OK;
  }
  number_all(root);
  mr_op *next;
  for (mr_op *op = mr_walk_first(root); op; op = next) {
    next = mr_walk_next(op, root);  // a constraint may move forward
    if (is_constraint(op)) {
      apply_constraint(import, op);
    } else if (op->kind == MR_OP_sdy_manual_computation) {
      apply_manual(import, op);
    }
  }
  return mr_module_memory(import->module);
}

// ---- Groups -----------------------------------------------------------------------------------------------------------------

// That a value is in the group of an id. Groups that share a value are one.
typedef struct member {
  int64_t id;
  mr_value *value;
  uint32_t number;  // in the order of the program
  bool again;       // an earlier one says the same of the value
} member;

typedef struct grouping {
  mr_import *import;
  uint32_t count;
  member *members;
  uint32_t *parents;  // of each member another one of its group that is no later; the first one's is itself
  uint32_t *groups;   // of each member that is the first one
} grouping;

static int by_number(const member *a, const member *b) { return a->number < b->number ? -1 : a->number > b->number; }

static int by_id(const void *a, const void *b) {
  const member *x = a, *y = b;
  return x->id != y->id ? (x->id < y->id ? -1 : 1) : by_number(x, y);
}

static int by_value(const void *a, const void *b) {
  const member *x = a, *y = b;
  uintptr_t left = (uintptr_t)x->value, right = (uintptr_t)y->value;
  return left != right ? (left < right ? -1 : 1) : by_number(x, y);
}

// Programs name their groups in turn mostly: what is in order is not sorted.
static void sort(member *m, uint32_t count, int order(const void *, const void *)) {
  for (uint32_t i = 1; i < count; i++) {
    if (order(&m[i - 1], &m[i]) > 0) {
      qsort(m, count, sizeof *m, order);
      return;
    }
  }
}

// Each to the place of its number.
static void put_in_order(member *m, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    while (m[i].number != i) {
      member one = m[i];
      m[i] = m[one.number];
      m[one.number] = one;
    }
  }
}

static uint32_t first_of(const grouping *g, uint32_t number) {
  while (g->parents[number] != number) {
    number = g->parents[number] = g->parents[g->parents[number]];
  }
  return number;
}

static void join(const grouping *g, uint32_t a, uint32_t b) {
  a = first_of(g, a);
  b = first_of(g, b);
  g->parents[MR_MAX(a, b)] = MR_MIN(a, b);
}

// Members of one id are one group, and so are those of one value: each is brought beside those it belongs to.
static void join_members(grouping *g) {
  member *m = g->members;
  sort(m, g->count, by_id);
  for (uint32_t i = 1; i < g->count; i++) {
    if (m[i].id == m[i - 1].id) {
      join(g, m[i].number, m[i - 1].number);
    }
  }
  sort(m, g->count, by_value);
  for (uint32_t i = 1; i < g->count; i++) {
    if (m[i].value == m[i - 1].value) {
      join(g, m[i].number, m[i - 1].number);
      m[i].again = true;
    }
  }
  put_in_order(m, g->count);
}

// Groups in the order of their first members, each with its values in the order of the program.
static void write_groups(const grouping *g, mr_value **values) {
  mr_import *import = g->import;
  for (uint32_t i = 0; i < g->count; i++) {
    uint32_t first = first_of(g, i);
    if (first == i) {
      import->groups[import->num_groups] = (mr_group){0};
      g->groups[i] = import->num_groups++;
    }
    import->groups[g->groups[first]].count += !g->members[i].again;
  }
  for (uint32_t i = 0; i < import->num_groups; i++) {
    import->groups[i].values = values;
    values += import->groups[i].count;
    import->groups[i].count = 0;
  }
  for (uint32_t i = 0; i < g->count; i++) {
    if (!g->members[i].again) {
      mr_group *group = &import->groups[g->groups[first_of(g, i)]];
      group->values[group->count++] = g->members[i].value;
    }
  }
}

// What the function's ops say of groups, which then go. Values may be as many as members.
static mr_status read_groups(mr_import *import, uint32_t count) {
  const mr_block *root = &import->function->body;
  mr_arena *arena = &import->module->arena;
  grouping g = {import, 0, mr_arena_array(arena, member, count), mr_arena_array(arena, uint32_t, count),
                mr_arena_array(arena, uint32_t, count)};
  mr_value **values = mr_arena_array(arena, mr_value *, count);
  import->groups = mr_arena_array(arena, mr_group, count);
  if (!g.members || !g.parents || !g.groups || !values || !import->groups) {
    return MR_NO_MEMORY();
  }
  for (mr_op *op = mr_walk_first(root), *next; op; op = next) {
    next = mr_walk_next(op, root);
    if (op->kind == MR_OP_sdy_sharding_group) {
      const mr_attr *id = mr_op_extra(op, "group_id");
      int64_t number = id && id->kind == MR_ATTR_INT ? id->integer : 0;
      g.members[g.count] = (member){number, mr_op_operand(op, 0), g.count, false};
      g.parents[g.count] = g.count;
      g.count++;
      mr_op_erase(op);
    }
  }
  join_members(&g);
  write_groups(&g, values);
  return MR_OK;
}

// The one sharding that all members with one agree on; *out_agree false when they do not.
static const mr_sharding *agreed(const mr_group *group, bool *out_agree) {
  const mr_sharding *common = NULL;
  *out_agree = true;
  for (uint32_t i = 0; i < group->count; i++) {
    const mr_sharding *own = group->values[i]->sharding;
    if (own && !mr_sharding_fully_open(own)) {
      *out_agree = *out_agree && (!common || mr_sharding_equal(common, own));
      common = common ? common : own;
    }
  }
  return common;
}

mr_status mr_import_groups(mr_import *import) {
  if (import->num_members == 0) {
    return MR_OK;
  }
  MR_TRY(read_groups(import, import->num_members));
  for (uint32_t i = 0; i < import->num_groups; i++) {
    mr_group *group = &import->groups[i];
    bool agree;
    const mr_sharding *common = agreed(group, &agree);
    for (uint32_t k = 0; agree && common && k < group->count; k++) {
      set_all(import, group->values[k], common);
    }
    group->count = agree ? group->count : 0;  // members that disagree stay as they are
  }
  return mr_module_memory(import->module);
}
