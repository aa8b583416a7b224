// A frozen graph: checked once, never changed, shared by any number of runs.
#include <string.h>

#include "core/census.h"
#include "core/trace.h"
#include "graph/internal.h"

// ---- Checking -------------------------------------------------------------------------------------------------------

// `out_ordered`: every input has a smaller number than its node, so there cannot be a cycle.
static mr_status check_edges(uint32_t node_count, const uint32_t *offsets, const uint32_t *inputs, bool *out_ordered) {
  bool ordered = true;
  for (uint32_t i = 0; i < node_count; i++) {
    if (offsets[i] > offsets[i + 1]) {
      return mr_error(MR_INVALID_ARGUMENT, "node %u's inputs end at %u, before they begin at %u", i, offsets[i + 1],
                      offsets[i]);
    }
    for (uint32_t e = offsets[i]; e < offsets[i + 1]; e++) {
      if (inputs[e] < i) {
        continue;
      }
      ordered = false;
      if (inputs[e] < node_count) {
        continue;
      }
      return mr_error(MR_INVALID_ARGUMENT, "node %u comes after node %u, but there are only %u nodes", i, inputs[e],
                      node_count);
    }
  }
  *out_ordered = ordered;
  return MR_OK;
}

// Counts the nodes that can run when those before them have; `order` and `left` have room for one entry per node.
static uint32_t count_runnable(const mr_plan *plan, const uint32_t *offsets, uint32_t *order, uint32_t *left) {
  for (uint32_t i = 0; i < plan->node_count; i++) {
    left[i] = offsets[i + 1] - offsets[i];
  }
  memcpy(order, plan->roots, sizeof *order * plan->root_count);
  uint32_t found = plan->root_count;
  for (uint32_t next = 0; next < found; next++) {
    uint32_t node = order[next];
    for (uint32_t e = plan->successor_offsets[node]; e < plan->successor_offsets[node + 1]; e++) {
      if (--left[plan->successors[e]] == 0) {
        order[found++] = plan->successors[e];
      }
    }
  }
  return found;
}

// Every node that is left has an input that is left too, so going backwards long enough ends on a cycle.
static uint32_t find_cycle(const mr_plan *plan, const uint32_t *left, const uint32_t *offsets, const uint32_t *inputs) {
  uint32_t node = 0;
  while (left[node] == 0) {
    node++;
  }
  for (uint32_t step = 0; step < plan->node_count; step++) {
    uint32_t e = offsets[node];
    while (left[inputs[e]] == 0) {
      e++;
    }
    node = inputs[e];
  }
  return node;
}

static mr_status check_cycles(const mr_plan *plan, const uint32_t *offsets, const uint32_t *inputs) {
  uint32_t *order = mr_alloc(sizeof *order * ((size_t)plan->node_count * 2 + 1));
  if (!order) {
    return MR_NO_MEMORY();
  }
  uint32_t *left = order + plan->node_count;
  mr_status status = MR_OK;
  if (count_runnable(plan, offsets, order, left) != plan->node_count) {
    uint32_t node = find_cycle(plan, left, offsets, inputs);
    const char *name = mr_plan_node_of(plan, node)->name;
    status = mr_error(MR_INVALID_ARGUMENT, "node %u (%s) comes after itself", node, name ? name : "unnamed");
  }
  mr_free(order);
  return status;
}

// ---- Building -------------------------------------------------------------------------------------------------------

// Successor lists in the order of the nodes that have the inputs.
static void turn_edges(mr_plan *plan, const uint32_t *offsets, const uint32_t *inputs) {
  uint32_t n = plan->node_count;
  uint32_t *next = plan->successor_offsets;  // while counting: entry i + 2 is how many come after node i
  for (uint32_t e = offsets[0]; e < offsets[n]; e++) {
    next[inputs[e] + 2]++;
  }
  for (uint32_t i = 1; i < n; i++) {
    next[i + 1] += next[i];
  }
  // Entry i + 1 is where node i's list begins, and after filling where it ends.
  for (uint32_t i = 0; i < n; i++) {
    uint32_t count = offsets[i + 1] - offsets[i];
    if (count == 0) {
      plan->roots[plan->root_count++] = i;
    }
    // relaxed: nobody knows the plan yet.
    atomic_store_explicit(&plan->cells[i].pending, count, memory_order_relaxed);
    plan->cells[i].index = i;
    for (uint32_t e = offsets[i]; e < offsets[i + 1]; e++) {
      plan->successors[next[inputs[e] + 1]++] = i;
    }
  }
}

static void add_costs(mr_plan *plan, uint32_t given) {
  bool known = true;
  for (uint32_t i = 0; i < given; i++) {
    known = known && plan->nodes[i].cost_ns && !plan->nodes[i].async;
    plan->cost_ns += plan->nodes[i].cost_ns;
    plan->has_async = plan->has_async || plan->nodes[i].async;
  }
  if (given < plan->node_count) {
    plan->cost_ns *= plan->node_count;
  }
  if (!known) {
    plan->cost_ns = 0;
  }
  plan->is_brief = known && plan->cost_ns < (uint64_t)MR_TRACE_BRIEF_NS * plan->node_count;
}

// `given`: how many entries the array of nodes has.
static mr_plan *allocate(uint32_t node_count, uint32_t given, uint32_t edge_count) {
  size_t n = node_count;
  size_t size = sizeof(mr_plan) + n * sizeof(run_cell) + given * sizeof(mr_plan_node) +
                ((n + 2) + edge_count + n) * sizeof(uint32_t);
  mr_plan *plan = mr_alloc_zeroed(1, size);
  if (!plan) {
    return NULL;
  }
  mr_census_add(MR_CENSUS_plans, 1);
  mr_ref_init(&plan->ref);
  plan->node_count = node_count;
  plan->node_mask = given == node_count ? UINT32_MAX : 0;
  plan->cells = (run_cell *)(plan + 1);
  plan->nodes = (mr_plan_node *)(void *)(plan->cells + n);
  plan->successor_offsets = (uint32_t *)(plan->nodes + given);
  plan->successors = plan->successor_offsets + n + 2;
  plan->roots = plan->successors + edge_count;
  return plan;
}

static mr_status create(const mr_plan_node *nodes, uint32_t given, uint32_t node_count, const uint32_t *input_offsets,
                        const uint32_t *inputs, mr_plan **out_plan) {
  *out_plan = NULL;
  if (node_count >= UINT32_MAX - 2) {
    return mr_error(MR_INVALID_ARGUMENT, "a plan of %u nodes, at most %u are possible", node_count, UINT32_MAX - 3);
  }
  bool ordered;
  MR_TRY(check_edges(node_count, input_offsets, inputs, &ordered));
  mr_plan *plan = allocate(node_count, given, node_count ? input_offsets[node_count] - input_offsets[0] : 0);
  if (!plan) {
    return MR_NO_MEMORY();
  }
  if (node_count) {
    memcpy(plan->nodes, nodes, sizeof *nodes * given);
    turn_edges(plan, input_offsets, inputs);
    add_costs(plan, given);
    mr_status status = ordered ? MR_OK : check_cycles(plan, input_offsets, inputs);
    if (status) {
      mr_plan_release(plan);
      return status;
    }
  }
  *out_plan = plan;
  return MR_OK;
}

mr_status mr_plan_create(const mr_plan_node *nodes, uint32_t node_count, const uint32_t *input_offsets,
                         const uint32_t *inputs, mr_plan **out_plan) {
  return create(nodes, node_count, node_count, input_offsets, inputs, out_plan);
}

mr_status mr_plan_create_uniform(const mr_plan_node *node, uint32_t node_count, const uint32_t *input_offsets,
                                 const uint32_t *inputs, mr_plan **out_plan) {
  return create(node, node_count ? 1 : 0, node_count, input_offsets, inputs, out_plan);
}

mr_plan *mr_plan_retain(mr_plan *plan) {
  mr_ref_retain(&plan->ref);
  return plan;
}

void mr_plan_release(mr_plan *plan) {
  if (!plan || !mr_ref_release(&plan->ref)) {
    return;
  }
  for (size_t i = 0; i < MR_PLAN_CACHED_RUNS; i++) {
    // relaxed: the last reference is gone, and mr_ref_release() acquired what the others wrote.
    mr_run_free(atomic_load_explicit(&plan->cached_runs[i], memory_order_relaxed));
  }
  mr_census_add(MR_CENSUS_plans, -1);
  mr_free(plan);
}

uint32_t mr_plan_node_count(const mr_plan *plan) { return plan->node_count; }
