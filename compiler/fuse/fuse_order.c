// Whether what a group gives leads to another group, through any number of ops and groups between: then the two cannot be
// one, and a value cannot be a further output of a group that waits for what is made from it.
#include "compiler/fuse/fuse_internal.h"
#include "compiler/fuse/tuning.h"

// ---- Bridges --------------------------------------------------------------------------------------------------------------
// A group bridges the positions between its first output and its last member. Groups only grow, so a position that is bridged
// stays so: bridges[k] is some position from k on, k itself when it is not bridged, else one up to which all are.

static uint32_t not_bridged(fuser *f, uint32_t position) {
  uint32_t *bridges = f->bridges;
  while (bridges[position] != position) {
    bridges[position] = bridges[bridges[position]];
    position = bridges[position];
  }
  return position;
}

void mr_fuse_bridge(fuser *f, const fuse_group *g) {
  for (uint32_t at = not_bridged(f, g->min_output + 1); at < g->max_order; at = not_bridged(f, at)) {
    f->bridges[at] = at + 1;
  }
}

// Whether something that reads `from` (an op by itself, or a group's outputs) leads to the group.
typedef struct search {
  fuser *f;
  const fuse_group *target;
  uint32_t beyond;  // nothing from here on leads to the target
  uint32_t left, uses_left;
} search;

// Values lead to later ops, except through a group with several outputs: its last op may use what is computed after
// the target, while another of its outputs comes before.
static search search_for(fuser *f, const fuse_group *target) {
  f->mark++;
  return (search){f, target, not_bridged(f, target->max_order), MR_FUSE_SEARCH_LIMIT, MR_FUSE_SEARCH_USES};
}

static bool op_leads(search *s, const mr_op *op);

static bool values_lead(search *s, const mr_value *value) {
  for (const mr_use *use = value->uses; use; use = use->next) {
    if (s->uses_left == 0) {
      s->left = 0;
      return true;
    }
    s->uses_left--;
    const mr_op *user = use->user;
    while (user && user->block != s->f->block) {
      user = user->block->parent;
    }
    if (user && op_leads(s, user)) {
      return true;
    }
  }
  return false;
}

// Updates in place come after who reads what was there.
static bool later_leads(search *s, const mr_op *op) {
  for (const fuse_later *l = mr_fuse_info_of(op)->later; l; l = l->next) {
    if (op_leads(s, l->update)) {
      return true;
    }
  }
  return false;
}

static bool group_leads(search *s, fuse_group *g) {
  if (g == s->target) {
    return true;
  }
  if (g->mark == s->f->mark || g->min_order >= s->beyond) {
    return false;
  }
  g->mark = s->f->mark;
  if (s->left-- == 0) {
    return true;
  }
  for (uint32_t i = 0; i < g->num_outputs; i++) {
    if (values_lead(s, g->outputs[i])) {
      return true;
    }
  }
  for (uint32_t i = 0; g->has_later && i < g->num_members; i++) {
    if (later_leads(s, g->members[i].op)) {
      return true;
    }
  }
  return false;
}

static bool op_leads(search *s, const mr_op *op) {
  const fuse_info *info = mr_fuse_info_of(op);
  if (s->left == 0) {
    return true;
  }
  if (info && info->num_groups) {
    for (uint32_t i = 0; i < info->num_groups; i++) {
      if (group_leads(s, info->groups[i])) {
        return true;
      }
    }
    return false;
  }
  if (op->order >= s->beyond) {
    return false;
  }
  s->left--;
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (values_lead(s, &op->results[i])) {
      return true;
    }
  }
  if (!info) {
    return false;
  }
  return (info->next_effect && op_leads(s, info->next_effect)) || later_leads(s, op);
}

bool mr_fuse_leads(fuser *f, fuse_group *g, const fuse_group *target) {
  search s = search_for(f, target);
  return group_leads(&s, g);
}

// An update that is in the group itself is looked at by who knows what its kernel does.
bool mr_fuse_comes_before(fuser *f, const mr_op *op, const fuse_group *g) {
  const fuse_later *later = mr_fuse_info_of(op)->later;
  search s = later ? search_for(f, g) : (search){0};
  for (const fuse_later *l = later; l; l = l->next) {
    if (!mr_fuse_member_of(g, l->update) && op_leads(&s, l->update)) {
      return true;
    }
  }
  return false;
}

bool mr_fuse_makes_cycle(fuser *f, const mr_op *op, const fuse_group *g) {
  search s = search_for(f, g);
  for (uint32_t i = 0; i < op->num_results; i++) {
    for (const mr_use *use = op->results[i].uses; use; use = use->next) {
      const mr_op *user = use->user;
      while (user && user->block != f->block) {
        user = user->block->parent;
      }
      const fuse_info *info = user ? mr_fuse_info_of(user) : NULL;
      if (!user) {
        continue;
      }
      if (!info || info->num_groups == 0) {
        if (op_leads(&s, user)) {
          return true;
        }
        continue;
      }
      for (uint32_t k = 0; k < info->num_groups; k++) {
        if (info->groups[k] != g && group_leads(&s, info->groups[k])) {
          return true;
        }
      }
    }
  }
  return false;
}
