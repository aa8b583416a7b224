// Propagation: levels, and the stack of what is to be looked at.
#include "compiler/shard/propagate.h"

#include <string.h>

#include "compiler/shard/flow.h"
#include "compiler/shard/one_op.h"
#include "compiler/shard/priority.h"

#define LEVELS 5

// Of a node: it may change; until a value of it does, it does not; the same as long as as much is let through as at this level.
enum { UNSETTLED, SILENT, SETTLED_AT };

typedef struct state {
  mr_import *import;
  mr_arena kept, scratch;  // until the end; for one visit
  mr_rules rules;
  mr_flow flow;
  const mr_group **groups;  // of values, by id, NULL: in none; NULL when there are no groups
  // Of a manual computation's edge, by the edge's place in the import: an input's target as seen from outside, an output's from
  // inside, and the sharding of the target that this was made of.
  struct view {
    const mr_sharding *seen, *target;
  } *views;
  uint32_t *stack, stacked;
  uint32_t level;
} state;

// ---- Shardings and who is told --------------------------------------------------------------------------------------------

static void push(state *s, uint32_t n, uint32_t except) {
  if (n == MR_NO_NODE || n == except) {
    return;
  }
  mr_flow_node *node = &s->flow.nodes[n];
  node->settled = UNSETTLED;
  if (!node->stacked) {
    node->stacked = true;
    s->stack[s->stacked++] = n;
  }
}

static void tell(state *s, const mr_value *value, uint32_t except) {
  push(s, s->flow.maker[value->id], except);
  for (uint32_t u = s->flow.first_use[value->id]; u < s->flow.first_use[value->id + 1]; u++) {
    push(s, s->flow.users[u], except);
  }
}

// `except`: the node that is being looked at, which need not be told.
static void set(state *s, mr_value *value, const mr_sharding *sharding, uint32_t except) {
  const mr_group *group = s->groups ? s->groups[value->id] : NULL;
  if (!group) {
    value->sharding = sharding;
    tell(s, value, except);
    return;
  }
  for (uint32_t i = 0; i < group->count; i++) {
    mr_value *member = mr_flow_value(group->values[i]);
    member->sharding = sharding;
    tell(s, member, member == value ? except : MR_NO_NODE);
  }
}

// The one mesh that all of these are on; those without axes are on any. NULL: none, or several, or one device is named.
static const mr_mesh *common_mesh(uint32_t count, const mr_sharding *const *shardings) {
  const mr_mesh *mesh = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const mr_mesh *own = shardings[i] ? shardings[i]->mesh : NULL;
    if (own && own->maximal >= 0) {
      return NULL;
    }
    if (own && own->num_axes && mesh && !mr_mesh_equal(own, mesh)) {
      return NULL;
    }
    mesh = own && own->num_axes ? own : mesh;
  }
  return mesh;
}

// ---- What a level lets through --------------------------------------------------------------------------------------------

static bool keeps_width(const mr_op *op) {
  return mr_dtype_bits(mr_op_operand(op, 0)->type.dtype) == mr_dtype_bits(op->results[0].type.dtype);
}

static bool is_elementwise(const mr_op *op) {
  return mr_op_kind_is_elementwise(op->kind) || op->kind == MR_OP_sdy_sharding_constraint ||
         (op->kind == MR_OP_bitcast_convert && keeps_width(op));
}

// A broadcast that only adds dims of size 1 is a reshape.
static bool spreads(const mr_op *op) {
  return op->kind == MR_OP_broadcast_in_dim &&
         mr_type_count(&mr_op_operand(op, 0)->type) != mr_type_count(&op->results[0].type);
}

static bool only_moves(const mr_op *call) {
  mr_str name = mr_op_string(call, MR_ATTR_call_target_name);
  return mr_str_is(name, "MoveToHost") || mr_str_is(name, "MoveToDevice");
}

// Where there is nothing to choose.
static bool is_plain(const mr_flow_node *node) {
  if (node->edge) {
    return true;
  }
  switch (node->op->kind) {
  case MR_OP_reshape:
  case MR_OP_transpose: return true;
  case MR_OP_broadcast_in_dim: return !spreads(node->op);
  case MR_OP_custom_call: return only_moves(node->op);
  default: return is_elementwise(node->op);
  }
}

static mr_direction direction_of(const state *s, const mr_flow_node *node, const mr_factor *factor) {
  mr_op_kind kind = node->op ? node->op->kind : MR_OP_COUNT;
  // Cut along like other ops, but to XLA a map is a call of a computation, and the others have no rule in Shardy.
  bool stops =
      kind == MR_OP_map || kind == MR_OP_erf || kind == MR_OP_batch_norm_grad || kind == MR_OP_batch_norm_training;
  if (factor->blocked || stops) {
    return MR_DIRECTION_NONE;
  }
  mr_direction direction = MR_DIRECTION_NONE;
  if (s->level >= 1 || node->once) {
    bool sliced = kind == MR_OP_dynamic_slice || kind == MR_OP_dynamic_update_slice;
    direction = node->plain ? MR_DIRECTION_BOTH : sliced ? MR_DIRECTION_FORWARD : MR_DIRECTION_NONE;
  }
  if (s->level >= 3 || (s->level == 2 && factor->kind == MR_FACTOR_PASS)) {
    bool late = node->op && s->level < 4 && spreads(node->op);
    direction |= late ? MR_DIRECTION_BACKWARD : MR_DIRECTION_BOTH;
  }
  return direction;
}

// False: the level lets nothing through.
static bool make_directions(state *s, const mr_flow_node *node, mr_direction *out) {
  unsigned any = 0;
  for (uint32_t f = 0; f < node->rule->num_factors; f++) {
    out[f] = direction_of(s, node, &node->rule->factors[f]);
    any |= out[f];
  }
  return any != 0;
}

// Whether it lets through the node what an earlier one did.
static bool lets_as_much(const state *s, const mr_flow_node *node, uint32_t earlier) {
  if (s->level == earlier) {
    return true;
  }
  if (node->plain) {
    return earlier >= 1 || node->once;
  }
  return s->level == 1 ? node->once : earlier >= 3 && !spreads(node->op);
}

static bool is_settled(const state *s, const mr_flow_node *node) {
  return node->settled == SILENT || (node->settled >= SETTLED_AT && lets_as_much(s, node, node->settled - SETTLED_AT));
}

// ---- One node ---------------------------------------------------------------------------------------------------------------

static mr_status ask_rule(state *s, mr_flow_node *node) {
  if (node->asked) {
    return MR_OK;
  }
  node->asked = true;
  node->plain = is_plain(node);
  if (node->edge) {
    // What is inside a manual computation is smaller, and the edge of an input is seen from outside.
    node->rule = mr_factors_identity(&s->rules, &node->tensors[0]->type, node->num_operands);
    return node->rule ? MR_OK : MR_NO_MEMORY();
  }
  return mr_factors_of(&s->rules, node->op, &node->rule);
}

// An edge's target as its sources see it.
static const mr_sharding *seen_target(state *s, const mr_edge *edge) {
  const mr_sharding *target = edge->target->sharding;
  if (!edge->manual) {
    return target;
  }
  struct view *view = &s->views[edge - s->import->edges];
  if (!view->seen || view->target != target) {
    view->target = target;
    view->seen = edge->is_input ? mr_manual_outer(s->import, edge->manual, edge->manual->in[edge->port], target)
                                : mr_manual_inner(s->import, edge->manual, target);
  }
  return view->seen;
}

static void set_target(state *s, const mr_edge *edge, const mr_sharding *seen, uint32_t node) {
  const mr_sharding *target = seen;
  if (edge->manual) {
    target = edge->is_input ? mr_manual_inner(s->import, edge->manual, seen)
                            : mr_manual_outer(s->import, edge->manual, edge->manual->out[edge->port], seen);
    s->views[edge - s->import->edges] = (struct view){seen, target};
  }
  set(s, edge->target, target, node);
  for (uint32_t i = 0; i < edge->num_members; i++) {
    set(s, edge->members[i], target, node);
  }
}

static bool is_empty(const mr_type *type) { return type->kind == MR_TYPE_TENSOR && mr_type_count(type) == 0; }

// Gives what is new to the node's values.
static void set_tensors(state *s, uint32_t n, const mr_sharding *const *old, const mr_sharding *const *found) {
  mr_flow_node *node = &s->flow.nodes[n];
  for (uint32_t i = 0; i < node->num_tensors; i++) {
    if (found[i] == old[i] || is_empty(&node->tensors[i]->type)) {
      continue;
    }
    node->settled = UNSETTLED;
    if (node->edge && i == node->num_operands) {
      set_target(s, node->edge, found[i], n);
    } else {
      set(s, node->tensors[i], found[i], n);
    }
  }
}

// Ops that XLA leaves as they are when this operand is empty: a source of nothing, and places that leave nothing to say.
static bool stays_with_empty(const mr_flow_node *node, uint32_t operand) {
  mr_op_kind kind = node->op ? node->op->kind : MR_OP_COUNT;
  return operand == 1 && (kind == MR_OP_select_and_scatter || kind == MR_OP_gather || kind == MR_OP_scatter);
}

// What has no elements is a constant to XLA, through which nothing spreads.
static bool has_something_to_say(const mr_flow_node *node) {
  bool any = false;
  for (uint32_t i = 0; i < node->num_tensors; i++) {
    if (is_empty(&node->tensors[i]->type) && !stays_with_empty(node, i)) {
      return false;
    }
    any = any || node->tensors[i]->sharding;
  }
  return any;
}

static mr_status visit(state *s, uint32_t n) {
  mr_flow_node *node = &s->flow.nodes[n];
  if (is_settled(s, node)) {
    return MR_OK;
  }
  node->settled = SILENT;
  if (!has_something_to_say(node)) {
    return MR_OK;
  }
  MR_TRY(ask_rule(s, node));
  if (!node->rule || node->rule->num_factors == 0) {
    return MR_OK;
  }
  mr_arena_reset(&s->scratch);
  mr_direction *directions = mr_arena_array(&s->scratch, mr_direction, node->rule->num_factors);
  const mr_sharding **old = mr_arena_array(&s->scratch, const mr_sharding *, node->num_tensors);
  const mr_sharding **found = mr_arena_array(&s->scratch, const mr_sharding *, node->num_tensors);
  if (!directions || !old || !found) {
    return MR_NO_MEMORY();
  }
  if (!make_directions(s, node, directions)) {
    node->settled = (uint8_t)(SETTLED_AT + s->level);
    return MR_OK;
  }
  for (uint32_t i = 0; i < node->num_tensors; i++) {
    bool target = node->edge && i == node->num_operands;
    old[i] = found[i] = target ? seen_target(s, node->edge) : node->tensors[i]->sharding;
  }
  mr_one_op one = {.module = s->import->module,
                   .scratch = &s->scratch,
                   .rule = node->rule,
                   .mesh = common_mesh(node->num_tensors, old),
                   .elementwise = node->op && is_elementwise(node->op),
                   .directions = directions,
                   .shardings = found};
  if (one.mesh) {
    node->settled = (uint8_t)(SETTLED_AT + s->level);
    MR_TRY(mr_one_op_propagate(&one));
    set_tensors(s, n, old, found);
  }
  return MR_OK;
}

// ---- The loops ----------------------------------------------------------------------------------------------------------------

// What the function returns and its results are one.
static mr_status join_results(state *s) {
  const mr_op *end = mr_block_terminator(&s->import->function->body);
  for (uint32_t i = 0; i < s->import->function->num_results; i++) {
    mr_value *value = mr_flow_value(mr_op_operand(end, i));
    const mr_sharding *had = value->sharding, *pair[] = {had, s->import->results[i]};
    mr_arena_reset(&s->scratch);
    const mr_mesh *mesh = common_mesh(2, pair);
    uint32_t rank = value->type.kind == MR_TYPE_TENSOR ? value->type.rank : 0;
    if (!mesh || rank == 0 || is_empty(&value->type)) {
      continue;
    }
    mr_direction *directions = mr_arena_array(&s->scratch, mr_direction, rank);
    const mr_rule *rule = directions ? mr_factors_identity(&s->rules, &value->type, 1) : NULL;
    if (!rule) {
      return MR_NO_MEMORY();
    }
    for (uint32_t d = 0; d < rank; d++) {
      directions[d] = MR_DIRECTION_BOTH;
    }
    mr_one_op one = {s->import->module, &s->scratch, rule, mesh, false, directions, pair};
    MR_TRY(mr_one_op_propagate(&one));
    s->import->results[i] = pair[1];
    if (pair[0] != had) {
      set(s, value, pair[0], MR_NO_NODE);
    }
  }
  return MR_OK;
}

static mr_status run_stack(state *s) {
  while (s->stacked) {
    uint32_t node = s->stack[--s->stacked];
    s->flow.nodes[node].stacked = false;
    MR_TRY(visit(s, node));
  }
  return MR_OK;
}

static mr_status run_level(state *s) {
  MR_TRY(join_results(s));
  s->stacked = 0;
  for (uint32_t n = s->flow.num_nodes; n-- > 0;) {
    s->flow.nodes[n].stacked = true;
    s->flow.nodes[n].settled =
        s->level ? s->flow.nodes[n].settled : UNSETTLED;  // shardings may have come whose turn it is
    s->stack[s->stacked++] = n;
  }
  MR_TRY(run_stack(s));
  MR_TRY(join_results(s));
  return run_stack(s);
}

// ---- In and out -----------------------------------------------------------------------------------------------------------------

// What is said of a value that is another one to XLA is said of that.
static void read_passed_over(mr_value *value) {
  mr_value *same = mr_flow_value(value);
  if (!same->sharding) {
    same->sharding = value->sharding;
  }
}

static void write_passed_over(mr_value *value) {
  const mr_sharding *sharding = mr_flow_value(value)->sharding;
  value->sharding = sharding ? sharding : value->sharding;
}

static void each_passed_over(const state *s, void (*act)(mr_value *value)) {
  const mr_block *body = &s->import->function->body;
  bool any = s->import->module->made[MR_OP_reduce];
  for (mr_op *op = any ? mr_walk_first(body) : NULL; op; op = mr_walk_next(op, body)) {
    for (uint32_t i = 0; mr_flow_passes_over(op) && i < op->num_results; i++) {
      act(&op->results[i]);
    }
  }
}

static mr_status open(state *s) {
  MR_TRY(mr_flow_make(&s->kept, s->import, &s->flow));
  size_t values = (size_t)s->flow.num_values + 1;
  s->groups = s->import->num_groups ? mr_arena_array(&s->kept, const mr_group *, values) : NULL;
  s->views = mr_arena_alloc(&s->kept, sizeof *s->views * ((size_t)s->import->num_edges + 1));
  s->stack = mr_arena_array(&s->kept, uint32_t, (size_t)s->flow.num_nodes + 1);
  if ((s->import->num_groups && !s->groups) || !s->views || !s->stack) {
    return MR_NO_MEMORY();
  }
  for (uint32_t g = 0; g < s->import->num_groups; g++) {
    for (uint32_t i = 0; i < s->import->groups[g].count; i++) {
      s->groups[mr_flow_value(s->import->groups[g].values[i])->id] = &s->import->groups[g];
    }
  }
  each_passed_over(s, read_passed_over);
  return MR_OK;
}

static void close_manuals(state *s) {
  for (uint32_t e = 0; e < s->import->num_edges; e++) {
    const mr_edge *edge = &s->import->edges[e];
    if (edge->manual && edge->is_input) {
      edge->manual->in[edge->port] = seen_target(s, edge);
    } else if (edge->manual) {
      edge->manual->out[edge->port] = edge->target->sharding;
    }
  }
}

static mr_status run(state *s) {
  MR_TRY(open(s));
  mr_priorities priorities;
  MR_TRY(mr_priorities_hold(&s->kept, s->import, &s->flow, &priorities));
  do {
    for (s->level = 0; s->level < LEVELS; s->level++) {
      MR_TRY(run_level(s));
    }
  } while (mr_priorities_next(&priorities));
  each_passed_over(s, write_passed_over);
  close_manuals(s);
  return MR_OK;
}

mr_status mr_propagate(mr_import *import) {
  state s = {.import = import};
  mr_arena_init(&s.kept, 0);
  s.rules.arena = &s.kept;
  mr_arena_init(&s.scratch, 0);
  mr_status status = run(&s);
  mr_arena_deinit(&s.scratch);
  mr_arena_deinit(&s.kept);
  return mr_module_end(import->module, status);
}
