// The program as nodes.
#include "compiler/shard/flow.h"

typedef struct maker {
  mr_arena *arena;
  const mr_import *import;
  mr_flow *flow;
  uint32_t next_edge;  // of the import's, which are in program order
  bool failed;
} maker;

// Regions that hold values with shardings; those of reduce, sort and the like work on scalars.
static bool holds_program(mr_op_kind kind) {
  return kind == MR_OP_while || kind == MR_OP_case || kind == MR_OP_if || kind == MR_OP_sdy_manual_computation ||
         kind == MR_OP_sdy_named_computation;
}

static mr_flow_node *add_node(maker *m, uint32_t num_operands, uint32_t num_results) {
  mr_flow_node *node = &m->flow->nodes[m->flow->num_nodes++];
  node->num_operands = num_operands;
  node->num_tensors = num_operands + num_results;
  node->tensors = mr_arena_array(m->arena, mr_value *, MR_MAX(node->num_tensors, 1u));
  m->failed |= node->tensors == NULL;
  return node;
}

static void add_op(maker *m, mr_op *op) {
  mr_flow_node *node = add_node(m, op->num_operands, op->num_results);
  node->op = op;
  node->once = true;
  for (uint32_t i = 0; !m->failed && i < op->num_operands; i++) {
    mr_value *value = mr_op_operand(op, i);
    node->tensors[i] = value;
    bool scalar = value->type.kind != MR_TYPE_TENSOR || value->type.rank == 0;
    node->once &= scalar || mr_value_has_one_use(value);
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
    node->tensors[i] = edge->sources[i];
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
  for (mr_op *op = block->first; op && !m->failed; op = op->next) {
    if (op->kind == MR_OP_return) {
      continue;
    }
    add_op(m, op);
    mr_edge *edges = &m->import->edges[m->next_edge];
    uint32_t count = 0;
    while (m->next_edge < m->import->num_edges && edges[count].op == op) {
      count++;
      m->next_edge++;
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

mr_status mr_flow_make(mr_arena *arena, const mr_import *import, mr_flow *out) {
  mr_function *function = import->function;
  mr_function_number(function);
  *out = (mr_flow){.num_values = function->num_values};
  size_t most = import->num_edges;
  for (mr_op *op = mr_walk_first(&function->body); op; op = mr_walk_next(op, &function->body)) {
    most++;
  }
  out->nodes = mr_arena_array(arena, mr_flow_node, most + 1);
  out->maker = mr_arena_array(arena, uint32_t, (size_t)out->num_values + 1);
  if (!out->nodes || !out->maker) {
    return MR_NO_MEMORY();
  }
  for (uint32_t v = 0; v < out->num_values; v++) {
    out->maker[v] = MR_NO_NODE;
  }
  maker m = {.arena = arena, .import = import, .flow = out};
  add_block(&m, &function->body);
  return m.failed ? MR_NO_MEMORY() : index_users(arena, out);
}
