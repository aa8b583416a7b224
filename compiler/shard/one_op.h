// one_op: what the shardings of an op's operands and results say about one another. Private to compiler/shard.
//
// The axes of each tensor are spread over the factors of the op's rule; along each factor the longest list of axes that
// disagrees with nobody is wanted; each tensor takes as much of it as goes with what it has; and what a tensor has along its
// factors gives its dimensions again. Tensors are independent of each other in that: of two that want one axis along
// different factors each takes what it can.
//
// Memory: new shardings are in the module's arena, all else in `scratch`, which the caller resets.
// Errors: RESOURCE_EXHAUSTED.
#ifndef MR_COMPILER_SHARD_ONE_OP_H
#define MR_COMPILER_SHARD_ONE_OP_H

#include "compiler/shard/rule.h"
#include "compiler/shard/sharding.h"

// Which tensors may get more axes along a factor: results from operands, operands from results, or all.
typedef enum mr_direction {
  MR_DIRECTION_NONE = 0,
  MR_DIRECTION_FORWARD = 1,
  MR_DIRECTION_BACKWARD = 2,
  MR_DIRECTION_BOTH = 3,
} mr_direction;

typedef struct mr_one_op {
  mr_module *module;
  mr_arena *scratch;
  const mr_rule *rule;
  const mr_mesh *mesh;             // of all that are sharded; what was not gets it
  bool elementwise;                // operands do not get more than the results have
  const mr_direction *directions;  // of each factor
  const mr_sharding **shardings;   // of operands, then results; NULL: none. Those that got more axes are replaced
} mr_one_op;

mr_status mr_one_op_propagate(const mr_one_op *one) MR_WARN_UNUSED;

#endif
