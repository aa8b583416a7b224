// flow: who touches a value. The program as nodes, an op or an edge each, in the order in which propagation looks at them (flow.c), and for
// each value the node that makes it and those that use it. Private to compiler/shard.
//
// Memory: an arena that the caller has. Threads: the module's.
#ifndef MR_COMPILER_SHARD_FLOW_H
#define MR_COMPILER_SHARD_FLOW_H

#include "compiler/shard/import.h"
#include "compiler/shard/rule.h"

#define MR_NO_NODE UINT32_MAX

typedef struct mr_flow_node {
  mr_op *op;           // NULL for an edge
  mr_edge *edge;       // NULL for an op
  mr_value **tensors;  // operands, then results; of an edge sources, then the target
  uint32_t num_operands, num_tensors;
  const mr_rule *rule;  // NULL: not asked for yet, or there is none
  bool asked;
  bool plain;       // there is nothing to choose; known when the rule is
  bool stacked;     // is going to be looked at
  uint8_t settled;  // propagation's: what may change of it (propagate.c)
  bool once;        // each operand that is no scalar has no other use
} mr_flow_node;

typedef struct mr_flow {
  uint32_t num_nodes, num_values;
  mr_flow_node *nodes;
  uint32_t *maker;      // of a value, by id; MR_NO_NODE: an argument's
  uint32_t *first_use;  // of a value, by id: where its users begin; the next one's is where they end
  uint32_t *users;      // nodes, in their order
} mr_flow;

// What a value is to XLA: a reduce without dimensions is gone there, and its results are its inputs. Has no node here either.
mr_value *mr_flow_value(mr_value *value);
bool mr_flow_passes_over(const mr_op *op);

// Numbers the function's values.
mr_status mr_flow_make(mr_arena *arena, const mr_import *import, mr_flow *out) MR_WARN_UNUSED;

#endif
