// Groups side by side: two that iterate over one space, read the same large value and do not need each other become one,
// so that the value is read once.
#include <string.h>

#include "compiler/fuse/fuse_internal.h"
#include "compiler/fuse/tuning.h"

static bool may_merge_at_all(const fuse_group *g) {
  if (g->special || g->merged || g->num_outputs == 0) {
    return false;
  }
  for (uint32_t i = 0; i < g->num_members; i++) {
    if (mr_fuse_info_of(g->members[i].op)->op_class == FUSE_ROOT) {
      return false;
    }
  }
  return true;
}

static const mr_op *heavy_of(const fuse_group *g) {
  for (uint32_t i = 0; i < g->num_members; i++) {
    if (mr_fuse_info_of(g->members[i].op)->op_class == FUSE_HEAVY) {
      return g->members[i].op;
    }
  }
  return NULL;
}

// Both go over the same elements in the same way: by element, by row, or both reduce the same dimensions of one shape.
static bool alike(const fuse_group *a, const fuse_group *b) {
  if (!mr_type_same_dims(a->space, b->space) || a->has_reduce != b->has_reduce) {
    return false;
  }
  const mr_op *x = heavy_of(a), *y = heavy_of(b);
  if (!x || !y) {
    return x == y;
  }
  if (x->kind != MR_OP_reduce || y->kind != MR_OP_reduce) {
    return false;
  }
  mr_ints p = mr_op_ints(x, MR_ATTR_dimensions), q = mr_op_ints(y, MR_ATTR_dimensions);
  return mr_type_same_dims(&mr_op_operand(x, 0)->type, &mr_op_operand(y, 0)->type) && p.size == q.size &&
         memcmp(p.data, q.data, p.size * sizeof p.data[0]) == 0;
}

static bool small_enough(const fuse_group *a, const fuse_group *b) {
  uint32_t distance =
      a->root->order > b->root->order ? a->root->order - b->root->order : b->root->order - a->root->order;
  bool large = mr_type_bytes(&a->outputs[0]->type) >= MR_FUSE_LARGE_BYTES;
  uint32_t outputs = a->num_outputs + b->num_outputs;
  return a->num_members + b->num_members <= FUSE_MAX_MEMBERS / 2 && a->num_pieces + b->num_pieces <= FUSE_MAX_PIECES &&
         distance <= (large ? MR_FUSE_FARTHEST_LARGE : MR_FUSE_FARTHEST) &&
         outputs <= (large ? MR_FUSE_MOST_LARGE_OUTPUTS : FUSE_MAX_OUTPUTS / 2);
}

static void replace_group(fuse_info *info, fuse_group *from, fuse_group *to) {
  uint32_t n = 0;
  bool has = false;
  for (uint32_t i = 0; i < info->num_groups; i++) {
    fuse_group *g = info->groups[i] == from ? to : info->groups[i];
    if (g == to && has) {
      continue;
    }
    has = has || g == to;
    info->groups[n++] = g;
  }
  info->num_groups = n;
}

static void merge(fuser *f, fuse_group *to, fuse_group *from) {
  for (uint32_t i = 0; i < from->num_members; i++) {
    fuse_info *info = mr_fuse_info_of(from->members[i].op);
    if (!mr_fuse_member_of(to, from->members[i].op)) {
      fuse_member *members = mr_fuse_grow(f, to->members, to->num_members, &to->cap_members, sizeof *members);
      if (!members) {
        return;
      }
      to->members = members;
      members[to->num_members++] = from->members[i];
    }
    replace_group(info, from, to);
    if (info->home == from) {
      info->home = to;
    }
  }
  for (uint32_t i = 0; i < from->num_outputs; i++) {
    to->outputs[to->num_outputs++] = from->outputs[i];
  }
  to->num_pieces += from->num_pieces;
  to->has_later = to->has_later || from->has_later;
  to->min_order = MR_MIN(to->min_order, from->min_order);
  to->max_order = MR_MAX(to->max_order, from->max_order);
  to->min_output = MR_MIN(to->min_output, from->min_output);
  mr_fuse_bridge(f, to);
  from->merged = to;
}

// An op that one group makes for others and that the other one computes again would be made twice in one kernel: fine,
// but a value that one gives and the other reads is a dependence, which the search finds.
static bool try_merge(fuser *f, fuse_group *a, fuse_group *b) {
  if (a == b || !may_merge_at_all(b) || !alike(a, b) || !small_enough(a, b)) {
    return false;
  }
  if (mr_fuse_leads(f, a, b) || mr_fuse_leads(f, b, a)) {
    return false;
  }
  merge(f, a, b);
  return true;
}

typedef struct effort {
  uint32_t tried, looked_at;
} effort;

// Other groups that read the value.
static void merge_readers(fuser *f, fuse_group *g, const mr_value *value, effort *e) {
  for (const mr_use *use = value->uses; use && e->looked_at++ < MR_FUSE_MOST_LOOKED_AT; use = use->next) {
    if (use->user->block != f->block) {
      continue;
    }
    fuse_info *info = mr_fuse_info_of(use->user);
    for (uint32_t i = 0; info && i < info->num_groups; i++) {
      fuse_group *other = info->groups[i];
      if (other == g || other->merged) {
        continue;
      }
      if (e->tried++ >= MR_FUSE_MOST_TRIED) {
        return;
      }
      if (try_merge(f, g, other)) {
        merge_readers(f, g, value, e);  // the lists have changed
        return;
      }
    }
  }
}

void mr_fuse_merge_groups(fuser *f) {
  for (uint32_t i = 0; i < f->num_groups && !f->failed; i++) {
    fuse_group *g = f->groups[i];
    if (!may_merge_at_all(g)) {
      continue;
    }
    uint32_t members = g->num_members;
    effort e = {0};
    for (uint32_t k = 0; k < members; k++) {
      const mr_op *op = g->members[k].op;
      for (uint32_t o = 0; o < op->num_operands; o++) {
        const mr_value *value = mr_op_operand(op, o);
        bool inside = value->def && value->def->block == f->block && mr_fuse_member_of(g, value->def);
        if (inside || mr_type_bytes(&value->type) < MR_FUSE_LARGE_BYTES) {
          continue;
        }
        merge_readers(f, g, value, &e);
      }
    }
  }
}
