// The program as nodes.
#include "compiler/shard/flow.h"

#include "compiler/ir/ahead.h"

typedef struct maker {
  mr_arena *arena;
  const mr_import *import;
  mr_flow *flow;
  mr_op **order, **stack;  // blocks' ops, each block's in its order; ops whose turn comes
  uint32_t ordered, stacked;
  bool failed;
} maker;

// Regions that hold values with shardings; those of reduce, sort and the like work on scalars.
static bool holds_program(mr_op_kind kind) {
  return kind == MR_OP_while || kind == MR_OP_case || kind == MR_OP_if || kind == MR_OP_sdy_manual_computation ||
         kind == MR_OP_sdy_named_computation;
}

// ---- The order of a block ---------------------------------------------------------------------------------------------------
// Where two wish for the same axis the op that is looked at first decides, and what users expect is the order in which XLA hands
// a block on: depth first, from ops of which something is unused and then from what the block returns, operands in turn.

enum { AHEAD = 6 };  // so many ops further on what will be looked at is fetched

static char open_mark, done_mark;  // op->side: its operands are on the stack; it has its place

static void want(maker *m, const mr_block *block, const mr_value *value) {
  if (value->def && value->def->block == block && !value->def->side) {
    m->stack[m->stacked++] = value->def;
  }
}

// What the op and its regions use of the block, the first on top.
static void push_needs(maker *m, const mr_op *op) {
  uint32_t first = m->stacked;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    want(m, op->block, mr_op_operand(op, i));
  }
  for (uint32_t r = 0; r < op->num_regions; r++) {
    for (const mr_op *inner = mr_walk_first(op->regions[r]); inner; inner = mr_walk_next(inner, op->regions[r])) {
      for (uint32_t i = 0; i < inner->num_operands; i++) {
        want(m, op->block, mr_op_operand(inner, i));
      }
    }
  }
  for (uint32_t low = first, high = m->stacked; low + 1 < high; low++) {
    mr_op *last = m->stack[--high];
    m->stack[high] = m->stack[low];
    m->stack[low] = last;
  }
}

static void place(maker *m, mr_op *root) {
  m->stack[m->stacked++] = root;
  while (m->stacked) {
    mr_op *op = m->stack[m->stacked - 1];
    mr_look_at((uintptr_t)m->stack[m->stacked - MR_MIN(m->stacked, AHEAD)]);
    if (!op->side) {
      mr_op_look_back(op);
      op->side = &open_mark;
      push_needs(m, op);
      continue;
    }
    m->stacked--;
    if (op->side == &open_mark) {
      op->side = &done_mark;
      m->order[m->ordered++] = op;
    }
  }
}

static bool is_root(const mr_op *op) {
  bool unused = op->num_results == 0;
  for (uint32_t i = 0; i < op->num_results; i++) {
    unused |= mr_value_is_unused(&op->results[i]);
  }
  return unused;
}

// The block's ops behind those that are ordered already.
static void order_block(maker *m, const mr_block *block) {
  for (mr_op *op = block->first; op; op = op->next) {
    mr_op_look_ahead(op);
    if (is_root(op)) {
      place(m, op);  // what ends the block is the last one
    }
  }
}

// ---- Nodes ------------------------------------------------------------------------------------------------------------------

static mr_flow_node *add_node(maker *m, uint32_t num_operands, uint32_t num_results) {
  mr_flow_node *node = &m->flow->nodes[m->flow->num_nodes++];
  node->num_operands = num_operands;
  node->num_tensors = num_operands + num_results;
  node->tensors = mr_arena_array(m->arena, mr_value *, MR_MAX(node->num_tensors, 1u));
  m->failed |= node->tensors == NULL;
  return node;
}

bool mr_flow_passes_over(const mr_op *op) {
  return op->kind == MR_OP_reduce && mr_op_ints(op, MR_ATTR_dimensions).size == 0;
}

mr_value *mr_flow_value(mr_value *value) {
  while (value->def && mr_flow_passes_over(value->def)) {
    value = mr_op_operand(value->def, value->index);
  }
  return value;
}

// To XLA these are many ops, several of which use the operand.
static bool uses_often(mr_op_kind kind) {
  switch (kind) {
  case MR_OP_acos:
  case MR_OP_acosh:
  case MR_OP_asin:
  case MR_OP_asinh:
  case MR_OP_atanh:
  case MR_OP_bessel_i1e:
  case MR_OP_conj:
  case MR_OP_cosh:
  case MR_OP_digamma:
  case MR_OP_erf_inv:
  case MR_OP_erfc:
  case MR_OP_lgamma:
  case MR_OP_next_after:
  case MR_OP_polygamma:
  case MR_OP_sinh:
  case MR_OP_square:
  case MR_OP_zeta: return true;
  default: return false;
  }
}

static void add_op(maker *m, mr_op *op) {
  mr_flow_node *node = add_node(m, op->num_operands, op->num_results);
  node->op = op;
  node->once = !uses_often(op->kind);
  for (uint32_t i = 0; !m->failed && i < op->num_operands; i++) {
    mr_value *used = mr_op_operand(op, i), *value = mr_flow_value(used);
    node->tensors[i] = value;
    bool scalar = value->type.kind != MR_TYPE_TENSOR || value->type.rank == 0;
    node->once &= scalar || (mr_value_has_one_use(value) && mr_value_has_one_use(used));
  }
  for (uint32_t i = 0; !m->failed && i < op->num_results; i++) {
    node->tensors[op->num_operands + i] = &op->results[i];
    m->flow->maker[op->results[i].id] = m->flow->num_nodes - 1;
  }
}

static void add_edge(maker *m, mr_edge *edge) {
  mr_flow_node *node = add_node(m, edge->num_sources, 1);
  node->edge = edge;
  node->once = true;
  for (uint32_t i = 0; !m->failed && i < edge->num_sources; i++) {
    node->tensors[i] = mr_flow_value(edge->sources[i]);
  }
  if (!m->failed) {
    node->tensors[edge->num_sources] = edge->target;
  }
  m->flow->maker[edge->target->id] = m->flow->num_nodes - 1;
  for (uint32_t i = 0; i < edge->num_members; i++) {
    m->flow->maker[edge->members[i]->id] = m->flow->num_nodes - 1;
  }
}

// What enters an op's regions stands before what they hold, what leaves them behind. Nested no deeper than the reader allows.
static void add_block(maker *m, const mr_block *block) {
  uint32_t first = m->ordered;
  order_block(m, block);
  for (uint32_t k = first, end = m->ordered; k < end && !m->failed; k++) {
    mr_op *op = m->order[k];
    mr_look_at((uintptr_t)m->order[MR_MIN(k + AHEAD, end - 1)]);
    if (op->kind == MR_OP_return || mr_flow_passes_over(op)) {
      continue;
    }
    add_op(m, op);
    mr_edge *edges = mr_import_edges(m->import, op);
    uint32_t count = 0;
    while (edges && edges + count < m->import->edges + m->import->num_edges && edges[count].op == op) {
      count++;
    }
    for (uint32_t i = 0; i < count; i++) {
      if (edges[i].is_input) {
        add_edge(m, &edges[i]);
      }
    }
    for (uint32_t r = 0; holds_program(op->kind) && r < op->num_regions; r++) {
      add_block(m, op->regions[r]);
    }
    for (uint32_t i = 0; i < count; i++) {
      if (!edges[i].is_input) {
        add_edge(m, &edges[i]);
      }
    }
  }
}

// What enters or leaves regions is an edge's to use, not the op's.
static uint32_t uses_of(const mr_flow_node *node) {
  bool edges = node->op && (holds_program(node->op->kind) || node->op->kind == MR_OP_optimization_barrier);
  return edges ? 0 : node->num_operands;
}

static mr_status index_users(mr_arena *arena, mr_flow *flow) {
  uint32_t *first = mr_arena_array(arena, uint32_t, (size_t)flow->num_values + 2);
  if (!first) {
    return MR_NO_MEMORY();
  }
  uint32_t total = 0;
  for (uint32_t n = 0; n < flow->num_nodes; n++) {
    for (uint32_t i = 0; i < uses_of(&flow->nodes[n]); i++) {
      first[flow->nodes[n].tensors[i]->id + 2]++;
      total++;
    }
  }
  for (uint32_t v = 0; v < flow->num_values; v++) {
    first[v + 2] += first[v + 1];
  }
  flow->users = mr_arena_array(arena, uint32_t, MR_MAX(total, 1u));
  if (!flow->users) {
    return MR_NO_MEMORY();
  }
  // first[v + 1] goes from where v's users begin to where they end, which is where those of v + 1 begin.
  for (uint32_t n = 0; n < flow->num_nodes; n++) {
    for (uint32_t i = 0; i < uses_of(&flow->nodes[n]); i++) {
      flow->users[first[flow->nodes[n].tensors[i]->id + 1]++] = n;
    }
  }
  flow->first_use = first;
  return MR_OK;
}

// Counts the ops, none of which has its place, and the most that ever lie on the stack: what ops and their regions use, of as many blocks
// as they stand in. All in one walk, for each fetches the whole of a large program.
static void look_over(const mr_block *body, size_t *out_ops, size_t *out_stack) {
  size_t ops = 0, size = 1;
  for (mr_op *op = mr_walk_first(body); op; op = mr_walk_next(op, body)) {
    size_t depth = 1;
    ops++;
    op->side = NULL;
    for (const mr_op *around = op->block->parent; around; around = around->block->parent) {
      depth++;
    }
    size += depth * op->num_operands + 1;
  }
  *out_ops = ops;
  *out_stack = size;
}

mr_status mr_flow_make(mr_arena *arena, const mr_import *import, mr_flow *out) {
  mr_function *function = import->function;
  mr_function_number(function);
  *out = (mr_flow){.num_values = function->num_values};
  size_t ops, stack;
  look_over(&function->body, &ops, &stack);
  maker m = {.arena = arena, .import = import, .flow = out};
  m.order = mr_arena_array(arena, mr_op *, ops + 1);
  m.stack = mr_arena_array(arena, mr_op *, stack);
  out->nodes = mr_arena_array(arena, mr_flow_node, ops + import->num_edges + 1);
  out->maker = mr_arena_array(arena, uint32_t, (size_t)out->num_values + 1);
  if (!out->nodes || !out->maker || !m.order || !m.stack) {
    return MR_NO_MEMORY();
  }
  for (uint32_t v = 0; v < out->num_values; v++) {
    out->maker[v] = MR_NO_NODE;
  }
  add_block(&m, &function->body);
  return m.failed ? MR_NO_MEMORY() : index_users(arena, out);
}
