#include "compiler/fuse/fuse.h"

#include <string.h>

#include "compiler/fuse/fuse_internal.h"
#include "compiler/fuse/tuning.h"
#include "compiler/ir/ahead.h"
#include "compiler/ir/cost.h"
#include "compiler/ir/in_place.h"

void *mr_fuse_grow(fuser *f, void *items, uint32_t count, uint32_t *capacity, size_t size) {
  if (count < *capacity) {
    return items;
  }
  uint32_t bigger = *capacity ? *capacity * 2 : 8;
  char *copy = mr_arena_alloc(&f->arena, bigger * size);
  if (!copy) {
    f->failed = true;
    return NULL;
  }
  if (count) {
    memcpy(copy, items, count * size);
  }
  *capacity = bigger;
  return copy;
}

fuse_member *mr_fuse_member_of(const fuse_group *g, const mr_op *op) {
  for (uint32_t i = g->num_members; i-- > 0;) {
    if (g->members[i].op == op) {
      return &g->members[i];
    }
  }
  return NULL;
}

// ---- Groups ---------------------------------------------------------------------------------------------------------------

static uint32_t pieces_of(const mr_op *op) { return op->kind == MR_OP_concatenate ? op->num_operands : 0; }

static void add_member(fuser *f, fuse_group *g, mr_op *op, const uint32_t *points, uint32_t num_points) {
  fuse_info *info = mr_fuse_info_of(op);
  fuse_member *members = mr_fuse_grow(f, g->members, g->num_members, &g->cap_members, sizeof *members);
  if (!members) {
    return;
  }
  g->members = members;
  fuse_member *m = &members[g->num_members++];
  m->op = op;
  m->num_points = num_points;
  g->num_pieces += pieces_of(op);
  g->has_later = g->has_later || info->later;
  memcpy(m->points, points, num_points * sizeof *points);
  info->groups[info->num_groups++] = g;
  g->min_order = MR_MIN(g->min_order, op->order);
  g->max_order = MR_MAX(g->max_order, op->order);
  for (uint32_t i = 0; i < num_points; i++) {
    g->work = MR_MAX(g->work, g->points[points[i]].count);
  }
}

static void add_outputs(fuser *f, fuse_group *g, mr_op *op, bool all) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    if ((all || !mr_value_is_unused(&op->results[i])) && g->num_outputs < FUSE_MAX_OUTPUTS) {
      g->outputs[g->num_outputs++] = &op->results[i];
    }
  }
  g->min_output = MR_MIN(g->min_output, op->order);
  mr_fuse_bridge(f, g);
  mr_fuse_info_of(op)->home = g;
}

static const mr_type *space_of(const mr_op *op) {
  switch (op->kind) {
  case MR_OP_dynamic_update_slice:
    if (mr_fuse_updates_constant(op)) {
      break;
    }
    return &mr_op_operand(op, 1)->type;
  case MR_OP_select_and_scatter: return &mr_op_operand(op, 1)->type;
  case MR_OP_scatter: return &mr_op_operand(op, op->num_results + 1)->type;
  case MR_OP_top_k:
  case MR_OP_reduce_window:
    if (mr_fuse_info_of(op)->op_class == FUSE_ROOT) {
      return &mr_op_operand(op, 0)->type;
    }
    break;
  default: break;  // computed element by element of the result
  }
  return &op->results[0].type;
}

static void new_group(fuser *f, mr_op *root) {
  fuse_group *g = mr_arena_new(&f->arena, fuse_group);
  fuse_group **groups = mr_fuse_grow(f, f->groups, f->num_groups, &f->cap_groups, sizeof *groups);
  if (!g || !groups) {
    f->failed = true;
    return;
  }
  f->groups = groups;
  g->number = f->num_groups;
  groups[f->num_groups++] = g;
  g->root = root;
  g->space = space_of(root);
  g->count = (double)mr_type_count(g->space);
  g->min_order = g->max_order = g->min_output = root->order;
  g->special = mr_fuse_info_of(root)->op_class == FUSE_ROOT && root->kind != MR_OP_dynamic_update_slice;
  g->work = g->count;
  fuse_point *p = mr_fuse_new_point(f, g);
  if (!p) {
    return;
  }
  p->rank = g->space->rank;
  p->flat = true;
  p->count = g->count;
  for (uint32_t d = 0; d < p->rank; d++) {
    p->at[d] = g->space->dims[d] == 1 ? FUSE_ONE : (int16_t)d;
  }
  uint32_t first = 0;
  add_member(f, g, root, &first, 1);
  add_outputs(f, g, root, g->special);
}

// ---- Who asks ---------------------------------------------------------------------------------------------------------------

typedef struct asked {
  fuse_group *group;
  uint32_t points[FUSE_MAX_POINTS];
  uint32_t num_points;
  bool refused;  // too many points, or an operand that must be in memory
} asked;

typedef struct question {
  mr_op *op;
  asked by[FUSE_MAX_GROUPS + 2];
  uint32_t num_groups;
  bool escapes;  // somebody needs it in memory
} question;

static asked *asked_by(question *q, fuse_group *g) {
  for (uint32_t i = 0; i < q->num_groups; i++) {
    if (q->by[i].group == g) {
      return &q->by[i];
    }
  }
  if (q->num_groups == MR_ARRAY_SIZE(q->by)) {
    return NULL;
  }
  asked *a = &q->by[q->num_groups++];
  a->group = g;
  a->num_points = 0;
  a->refused = false;
  return a;
}

static void ask_at(asked *a, uint32_t point) {
  for (uint32_t i = 0; i < a->num_points; i++) {
    if (a->points[i] == point) {
      return;
    }
  }
  if (a->num_points == FUSE_MAX_POINTS) {
    a->refused = true;
  } else {
    a->points[a->num_points++] = point;
  }
}

static void ask_use(fuser *f, question *q, const mr_use *use) {
  const mr_op *user = use->user;
  if (user->block != f->block) {  // in a region: captured
    q->escapes = true;
    return;
  }
  const fuse_info *info = mr_fuse_info_of(user);
  if (!info || info->num_groups == 0) {
    q->escapes = true;
    return;
  }
  uint32_t slot = (uint32_t)(use - user->operands);
  for (uint32_t i = 0; i < info->num_groups; i++) {
    fuse_group *g = info->groups[i];
    asked *a = asked_by(q, g);
    if (!a) {
      q->escapes = true;
      return;
    }
    const fuse_member *m = mr_fuse_member_of(g, user);
    for (uint32_t k = 0; k < m->num_points; k++) {
      uint32_t point = mr_fuse_point_of(f, g, user, slot, m->points[k]);
      if (point == UINT32_MAX) {
        a->refused = true;
      } else {
        ask_at(a, point);
      }
    }
  }
}

static void ask(fuser *f, question *q, mr_op *op) {
  q->op = op;
  q->num_groups = 0;
  q->escapes = false;
  for (uint32_t i = 0; i < op->num_results; i++) {
    for (const mr_use *use = op->results[i].uses; use; use = use->next) {
      ask_use(f, q, use);
    }
  }
  for (uint32_t i = 0; i < q->num_groups; i++) {
    q->escapes = q->escapes || q->by[i].refused;
  }
  if (q->num_groups == 0) {
    q->escapes = true;
  }
}

// ---- May a group compute it? --------------------------------------------------------------------------------------------

// The group updates slices in place: other members may read the operand only where they write it.
static bool disturbs_update(const fuse_group *g, const mr_op *op, const asked *a) {
  for (uint32_t i = 0; i < g->num_members; i++) {
    const mr_op *root = g->members[i].op;
    uint32_t inputs = mr_op_num_updated(root);
    for (uint32_t k = 0; k < inputs; k++) {
      for (uint32_t o = 0; o < op->num_operands; o++) {
        if (mr_op_operand(op, o) != mr_op_operand(root, k)) {
          continue;
        }
        if (root->kind != MR_OP_dynamic_update_slice || o != 0 || !mr_op_is_slice_written(op, root) ||
            a->num_points != 1 || !g->points[a->points[0]].flat) {
          return true;
        }
      }
    }
  }
  return false;
}

static bool moves_minor(const mr_op *op) {
  if (op->kind != MR_OP_transpose) {
    return false;
  }
  mr_ints permutation = mr_op_ints(op, MR_ATTR_permutation);
  const mr_type *type = &op->results[0].type;
  // The last dimension of size over one stays the last.
  int64_t last = -1, last_of_operand = -1;
  for (uint32_t d = 0; d < type->rank; d++) {
    if (type->dims[d] != 1) {
      last = permutation.data[d];
    }
  }
  for (uint32_t d = 0; d < type->rank; d++) {
    if (mr_op_operand(op, 0)->type.dims[d] != 1) {
      last_of_operand = d;
    }
  }
  return last != last_of_operand;
}

static bool reduces_trailing(const mr_op *op) {
  if (op->kind != MR_OP_reduce) {
    return false;
  }
  const mr_type *x = &mr_op_operand(op, 0)->type;
  mr_ints dims = mr_op_ints(op, MR_ATTR_dimensions);
  bool kept_after = false;
  for (uint32_t d = x->rank; d-- > 0;) {
    if (x->dims[d] == 1) {
      continue;
    }
    bool reduced = false;
    for (size_t i = 0; i < dims.size; i++) {
      reduced = reduced || dims.data[i] == d;
    }
    if (reduced && kept_after) {
      return false;
    }
    if (!reduced) {
      kept_after = true;
    }
  }
  return true;
}

// A reduction inside a group: at every element of the space, or once per row of it.
static bool heavy_fits(const fuse_group *g, const mr_op *op, const asked *a) {
  if (g->special || a->num_points != 1) {
    return false;
  }
  const fuse_point *p = &g->points[a->points[0]];
  bool all;
  uint32_t depth = mr_fuse_row_depth(g, p, &all);
  if (depth == UINT32_MAX) {
    return p->flat && !g->has_reduce;
  }
  if (all) {
    return true;
  }
  if (depth == 0 || !reduces_trailing(op)) {
    return false;
  }
  double rows = (double)mr_type_count(&op->results[0].type);
  return rows >= MR_FUSE_FEWEST_ROWS || g->count < MR_FUSE_SMALL_WORK;
}

static bool is_row_point(const fuse_group *g, const fuse_point *p) {
  if (p->opaque) {
    return false;
  }
  for (uint32_t d = 0; d < p->rank; d++) {
    if (p->at[d] >= FUSE_REDUCED && !g->has_reduce) {
      return false;
    }
  }
  return true;
}

static double asked_count(const asked *a) {
  double count = 0;
  for (uint32_t i = 0; i < a->num_points; i++) {
    count += a->group->points[a->points[i]].count;
  }
  return count;
}

// Operations done again, per element of the group's busiest point.
static double extra_of(const asked *a, const mr_op *op) {
  double count = (double)mr_type_count(&op->results[0].type), all = asked_count(a);
  if (all <= count * MR_FUSE_FACTOR_FREE) {
    return 0;
  }
  return (all - count) * mr_op_cost(op) / a->group->work;
}

static bool cheap_fits(const fuse_group *g, const mr_op *op, const asked *a) {
  if (moves_minor(op) && (g->has_reduce || g->root->kind == MR_OP_reduce)) {
    return false;
  }
  double extra = g->extra + extra_of(a, op);
  if (extra == g->extra) {
    return true;
  }
  bool rows = g->has_reduce;
  for (uint32_t i = 0; i < a->num_points; i++) {
    rows = rows && is_row_point(g, &g->points[a->points[i]]);
  }
  return extra <= (rows ? MR_FUSE_EXTRA_ROW_ALLOWED : MR_FUSE_EXTRA_ALLOWED);
}

static bool fits(fuser *f, const question *q, const asked *a) {
  const fuse_group *g = a->group;
  const mr_op *op = q->op;
  const mr_op *kept_for = mr_fuse_info_of(op)->kept_for;
  fuse_class op_class = mr_fuse_info_of(op)->op_class;
  if (kept_for && mr_fuse_member_of(g, kept_for)) {
    return false;
  }
  if (a->refused || g->num_members >= FUSE_MAX_MEMBERS || g->num_pieces + pieces_of(op) > FUSE_MAX_PIECES) {
    return false;
  }
  if (op_class == FUSE_ROOT || disturbs_update(g, op, a) || mr_fuse_comes_before(f, op, g)) {
    return false;
  }
  return op_class == FUSE_HEAVY ? heavy_fits(g, op, a) : cheap_fits(g, op, a);
}

static void join(fuser *f, question *q, asked *a) {
  fuse_group *g = a->group;
  g->extra += extra_of(a, q->op);
  add_member(f, g, q->op, a->points, a->num_points);
  if (mr_fuse_info_of(q->op)->op_class != FUSE_HEAVY || g->root == q->op) {
    return;
  }
  bool all;
  if (mr_fuse_row_depth(g, &g->points[a->points[0]], &all) != UINT32_MAX && !all) {
    g->has_reduce = true;
  }
}

// ---- A further output ---------------------------------------------------------------------------------------------------

static bool is_prefix(const mr_type *mine, const mr_type *space) {
  uint32_t d = 0;
  while (d < mine->rank && d < space->rank && mine->dims[d] == space->dims[d]) {
    d++;
  }
  if (d == 0) {
    return false;
  }
  while (d < mine->rank && mine->dims[d] == 1) {
    d++;
  }
  return d == mine->rank;
}

// Whether the value can be stored where the group computes it.
static bool is_storable(const asked *a, const mr_op *op) {
  const fuse_group *g = a->group;
  const mr_type *type = &op->results[0].type;
  if (g->special || g->num_outputs + op->num_results > FUSE_MAX_OUTPUTS) {
    return false;
  }
  for (uint32_t i = 0; i < a->num_points; i++) {
    const fuse_point *p = &g->points[a->points[i]];
    bool all;
    if (p->flat && (double)mr_type_count(type) == g->count) {
      return true;
    }
    if (p->rank > 0 && mr_fuse_row_depth(g, p, &all) != UINT32_MAX && !all && is_prefix(type, g->space)) {
      return true;
    }
  }
  return false;
}

static bool join_as_output(fuser *f, question *q) {
  for (uint32_t i = 0; i < q->num_groups; i++) {
    asked *a = &q->by[i];
    if (!fits(f, q, a) || !is_storable(a, q->op) || mr_fuse_makes_cycle(f, q->op, a->group)) {
      continue;
    }
    join(f, q, a);
    add_outputs(f, a->group, q->op, false);
    return true;
  }
  return false;
}

// ---- One op after the other ---------------------------------------------------------------------------------------------

static void place(fuser *f, mr_op *op) {
  fuse_info *info = mr_fuse_info_of(op);
  if (info->op_class == FUSE_BARRIER || info->op_class == FUSE_CONSTANT) {
    info->alone = true;
    return;
  }
  bool used = false;
  for (uint32_t i = 0; i < op->num_results; i++) {
    used = used || !mr_value_is_unused(&op->results[i]);
  }
  if (!used) {
    return;  // erased in the end
  }
  question q;
  ask(f, &q, op);
  bool everywhere = !q.escapes && q.num_groups <= FUSE_MAX_GROUPS;
  for (uint32_t i = 0; i < q.num_groups && everywhere; i++) {
    everywhere = fits(f, &q, &q.by[i]);
  }
  if (everywhere && (q.num_groups == 1 || mr_fuse_may_duplicate(op))) {
    for (uint32_t i = 0; i < q.num_groups; i++) {
      join(f, &q, &q.by[i]);
    }
    return;
  }
  if (op->kind == MR_OP_reshape) {  // the planner gives it its operand's memory
    info->alone = true;
    return;
  }
  if (join_as_output(f, &q)) {
    return;
  }
  new_group(f, op);
}

static void link_effects(fuser *f) {
  const mr_op *next = NULL;
  for (uint32_t i = f->num_ops; i-- > 0;) {
    if (!mr_fuse_has_effect(f->ops[i])) {
      continue;
    }
    mr_fuse_info_of(f->ops[i])->next_effect = next;
    next = f->ops[i];
  }
}

static mr_status fuse_block(fuser *f) {
  mr_block_number(f->block);
  uint32_t n = f->block->last ? f->block->last->order + 1 : 0;
  f->ops = mr_arena_array(&f->arena, mr_op *, n + 1);
  f->bridges = mr_arena_array(&f->arena, uint32_t, n + 2);
  if (!f->ops || !f->bridges) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < n + 2; i++) {
    f->bridges[i] = i;
  }
  for (mr_op *op = f->block->first; op; op = op->next) {
    mr_op_look_ahead(op);
    fuse_info *info = mr_arena_new(&f->arena, fuse_info);
    if (!info) {
      return MR_NO_MEMORY();
    }
    info->op_class = mr_fuse_classify(op);
    op->side = info;
    f->ops[f->num_ops++] = op;
  }
  link_effects(f);
  mr_fuse_note_updates(f);
  for (uint32_t i = f->num_ops; i-- > 0 && !f->failed;) {
    place(f, f->ops[i]);
  }
  mr_fuse_merge_groups(f);
  if (f->failed) {
    return MR_NO_MEMORY();
  }
  return mr_fuse_emit(f);
}

static mr_status fuse_one(mr_function *function, mr_block *block) {
  fuser f = {.function = function, .module = function->module, .block = block};
  mr_arena_init(&f.arena, 0);
  mr_status status = mr_fuse_split_reductions(&f);
  if (!status) {
    mr_fuse_readers_first(block);
    status = fuse_block(&f);
  }
  mr_arena_deinit(&f.arena);
  for (mr_op *op = block->first; op; op = op->next) {
    op->side = NULL;
  }
  return status;
}

mr_status mr_fuse(mr_function *function) {
  mr_fuse_mark_joined(function);
  // Bodies of loops and branches first; their ops are found before any block changes.
  const bool *made = function->module->made;
  bool any = made[MR_OP_while] || made[MR_OP_case] || made[MR_OP_if];
  for (mr_op *op = any ? mr_walk_first(&function->body) : NULL; op;) {
    bool control = op->kind == MR_OP_while || op->kind == MR_OP_case || op->kind == MR_OP_if;
    for (uint32_t r = 0; control && r < op->num_regions; r++) {
      MR_TRY(fuse_one(function, op->regions[r]));
    }
    op = control ? mr_walk_next(op, &function->body) : mr_walk_skip(op, &function->body);
  }
  return fuse_one(function, &function->body);
}
