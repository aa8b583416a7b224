// Sharding constraints, which say of their result what their operand should already have; and groups of values that are to be
// sharded alike.
#include <string.h>

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
  mr_shardings_set(import->shardings, edge ? edge->target : value, sharding);
  for (uint32_t i = 0; edge && i < edge->num_members; i++) {
    mr_shardings_set(import->shardings, edge->members[i], sharding);
  }
}

// ---- What is asked ---------------------------------------------------------------------------------------------------------

// What the user asks of the value it uses: constraints and manual computations do. NULL: nothing.
static const mr_sharding *asked_by(const mr_import *import, const mr_use *use) {
  const mr_op *user = use->user;
  if (user->kind == MR_OP_sdy_sharding_constraint) {
    return mr_shardings_get(import->shardings, &user->results[0]);
  }
  const mr_manual *manual = user->kind == MR_OP_sdy_manual_computation ? mr_import_manual(import, user) : NULL;
  return manual ? manual->in[use - user->operands] : NULL;
}

static bool applies(const mr_import *import, const mr_value *value, const mr_sharding *asked) {
  if (!asked || value->type.kind != MR_TYPE_TENSOR || mr_shardings_get(import->shardings, value) ||
      !mr_sharding_fully_closed(asked)) {
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
  number_with_gaps(block);
  for (const mr_op *op = mr_walk_first(block); op; op = mr_walk_next(op, block)) {
    for (uint32_t i = 0; i < op->num_regions; i++) {
      number_with_gaps(op->regions[i]);
    }
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
  const mr_sharding *asked = mr_shardings_get(import->shardings, &op->results[0]);
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

// Which group an id stands for: groups that share a value are one.
typedef struct alias {
  int64_t id;
  uint32_t group;
} alias;

typedef struct grouping {
  mr_import *import;
  alias *aliases;
  uint32_t num_aliases, room;
} grouping;

static bool has_value(const mr_group *group, const mr_value *value) {
  for (uint32_t i = 0; i < group->count; i++) {
    if (group->values[i] == value) {
      return true;
    }
  }
  return false;
}

static uint32_t group_of_id(const grouping *g, int64_t id) {
  for (uint32_t i = 0; i < g->num_aliases; i++) {
    if (g->aliases[i].id == id) {
      return g->aliases[i].group;
    }
  }
  return g->import->num_groups;
}

static uint32_t group_of_value(const grouping *g, const mr_value *value) {
  uint32_t i = 0;
  while (i < g->import->num_groups && !has_value(&g->import->groups[i], value)) {
    i++;
  }
  return i;
}

static void merge_groups(grouping *g, uint32_t from, uint32_t to) {
  mr_group *source = &g->import->groups[from], *target = &g->import->groups[to];
  for (uint32_t i = 0; i < source->count; i++) {
    target->values[target->count++] = source->values[i];
  }
  source->count = 0;
  for (uint32_t i = 0; i < g->num_aliases; i++) {
    g->aliases[i].group = g->aliases[i].group == from ? to : g->aliases[i].group;
  }
}

static void add_member(grouping *g, int64_t id, mr_value *value) {
  mr_import *import = g->import;
  uint32_t none = import->num_groups, mine = group_of_id(g, id), other = group_of_value(g, value);
  if (mine == none && other == none) {
    mr_value **values = mr_arena_array(&import->module->arena, mr_value *, g->room);
    if (!values) {
      import->module->out_of_memory = true;
      return;
    }
    import->groups[import->num_groups++] = (mr_group){.values = values};
    mine = none;
    g->aliases[g->num_aliases++] = (alias){id, mine};
  } else if (mine == none) {
    mine = other;
    g->aliases[g->num_aliases++] = (alias){id, mine};
  } else if (other != none && other != mine) {
    merge_groups(g, other, mine);
  }
  mr_group *group = &import->groups[mine];
  if (!has_value(group, value)) {
    group->values[group->count++] = value;
  }
}

// The one sharding that all members with one agree on; *out_agree false when they do not.
static const mr_sharding *agreed(const mr_import *import, const mr_group *group, bool *out_agree) {
  const mr_sharding *common = NULL;
  *out_agree = true;
  for (uint32_t i = 0; i < group->count; i++) {
    const mr_sharding *own = mr_shardings_get(import->shardings, group->values[i]);
    if (own && !mr_sharding_fully_open(own)) {
      *out_agree = *out_agree && (!common || mr_sharding_equal(common, own));
      common = common ? common : own;
    }
  }
  return common;
}

mr_status mr_import_groups(mr_import *import) {
  const mr_block *root = &import->function->body;
  uint32_t count = 0;
  for (mr_op *op = mr_walk_first(root); op; op = mr_walk_next(op, root)) {
    count += op->kind == MR_OP_sdy_sharding_group;
  }
  if (count == 0) {
    return MR_OK;
  }
  import->groups = mr_arena_array(&import->module->arena, mr_group, count);
  grouping g = {import, mr_arena_array(&import->module->arena, alias, count), 0, count};
  if (!import->groups || !g.aliases) {
    return MR_NO_MEMORY();
  }
  for (mr_op *op = mr_walk_first(root), *next; op; op = next) {
    next = mr_walk_next(op, root);
    if (op->kind == MR_OP_sdy_sharding_group) {
      const mr_attr *id = mr_op_extra(op, "group_id");
      add_member(&g, id && id->kind == MR_ATTR_INT ? id->integer : 0, mr_op_operand(op, 0));
      mr_op_erase(op);
    }
  }
  for (uint32_t i = 0; i < import->num_groups; i++) {
    mr_group *group = &import->groups[i];
    bool agree;
    const mr_sharding *common = agreed(import, group, &agree);
    for (uint32_t k = 0; agree && common && k < group->count; k++) {
      set_all(import, group->values[k], common);
    }
    group->count = agree ? group->count : 0;  // members that disagree stay as they are
  }
  return mr_module_memory(import->module);
}
