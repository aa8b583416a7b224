// Dimensions with priorities.
#include "compiler/shard/priority.h"

#include <string.h>

static bool has_later(const mr_sharding *sharding, int64_t than) {
  for (uint32_t d = 0; sharding && d < sharding->rank; d++) {
    if (sharding->dims[d].priority > than) {
      return true;
    }
  }
  return false;
}

// The axes of dims that wait, which are replicated meanwhile.
static bool replicate_later(const mr_priorities *p, const mr_sharding *full, mr_sharding *out) {
  uint32_t count = full->replicated.count;
  for (uint32_t d = 0; d < full->rank; d++) {
    count += full->dims[d].axes.count;
  }
  mr_axis_ref *refs = mr_arena_array(&p->module->arena, mr_axis_ref, count + 1);
  if (!refs) {
    p->module->out_of_memory = true;
    return false;
  }
  count = 0;
  for (uint32_t i = 0; i < full->replicated.count; i++) {
    refs[count++] = full->replicated.refs[i];
  }
  for (uint32_t d = 0; d < full->rank; d++) {
    for (uint32_t i = 0; full->dims[d].priority > p->now && i < full->dims[d].axes.count; i++) {
      refs[count++] = full->dims[d].axes.refs[i];
    }
  }
  return mr_axis_list_make_set(p->module, count, refs, &out->replicated);
}

// What stands there now, with the dims whose turn it is, and without those that wait.
static void put(const mr_priorities *p, const mr_held *held, bool first) {
  mr_sharding *next = mr_sharding_copy(p->module, *held->slot);
  if (!next || !replicate_later(p, held->full, next)) {
    return;  // the module says so
  }
  for (uint32_t d = 0; d < next->rank; d++) {
    int64_t priority = held->full->dims[d].priority;
    if (priority == p->now && !first) {
      next->dims[d] = held->full->dims[d];
    } else if (priority > p->now) {
      next->dims[d] = (mr_dim_sharding){.priority = (int32_t)priority};
    }
  }
  *held->slot = next;
}

// Without room for them they are counted.
static void hold(mr_priorities *p, const mr_sharding **slot) {
  if (!has_later(*slot, 0)) {
    return;
  }
  uint32_t at = p->count++;
  if (p->held) {
    p->held[at] = (mr_held){slot, *slot};
    put(p, &p->held[at], true);
  }
}

// Each value that propagation looks at, once, and each result.
static void hold_all(mr_priorities *p, const mr_import *import, const mr_flow *flow) {
  const mr_block *body = &import->function->body;
  p->count = 0;
  for (uint32_t i = 0; i < body->num_args; i++) {
    hold(p, &body->args[i]->sharding);
  }
  for (uint32_t n = 0; n < flow->num_nodes; n++) {
    const mr_flow_node *node = &flow->nodes[n];
    for (uint32_t i = 0; node->op && i < node->op->num_results; i++) {
      hold(p, &node->op->results[i].sharding);
    }
    if (node->edge && !node->edge->target->def) {  // else it is a result
      hold(p, &node->edge->target->sharding);
    }
    for (uint32_t i = 0; node->edge && i < node->edge->num_members; i++) {
      hold(p, &node->edge->members[i]->sharding);
    }
  }
  for (uint32_t i = 0; i < import->function->num_results; i++) {
    hold(p, &import->results[i]);
  }
}

mr_status mr_priorities_hold(mr_arena *arena, mr_import *import, const mr_flow *flow, mr_priorities *out) {
  *out = (mr_priorities){.module = import->module};
  if (!mr_sharding_any_priority(import->module)) {
    return MR_OK;
  }
  hold_all(out, import, flow);
  out->held = mr_arena_array(arena, mr_held, out->count + 1);
  if (!out->held) {
    return MR_NO_MEMORY();
  }
  hold_all(out, import, flow);
  return mr_module_memory(import->module);
}

bool mr_priorities_next(mr_priorities *p) {
  int64_t next = INT64_MAX;
  for (uint32_t i = 0; i < p->count; i++) {
    for (uint32_t d = 0; d < p->held[i].full->rank; d++) {
      int64_t priority = p->held[i].full->dims[d].priority;
      next = priority > p->now ? MR_MIN(next, priority) : next;
    }
  }
  if (next == INT64_MAX || p->module->out_of_memory) {
    return false;
  }
  p->now = next;
  for (uint32_t i = 0; i < p->count; i++) {
    put(p, &p->held[i], false);
  }
  return true;
}
