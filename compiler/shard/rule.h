// rule: an op's iteration space, for those who cut it over devices. A factor is one index of that space; a rule says for each
// dimension of each operand and result which factors it runs over, the major one first. A dimension of 32 that a reshape makes
// of 4 and 8 runs over two factors.
//
// Each op's rule is made by the function in the column `factors` of ops/ops.def (rules_*.c); a custom call may bring its own
// text (rule_text.c).
//
// Memory: the arena of the rules; a rule is not changed afterwards, and ops of one kind may have the same one. Threads: the module's.
// Errors: RESOURCE_EXHAUSTED; INVALID_ARGUMENT for a text that is no rule of its op.
//
//   mr_rules rules = {.arena = arena};
//   const mr_rule *rule;
//   MR_TRY(mr_factors_of(&rules, op, &rule));
//   for (uint32_t d = 0; rule && d < rule->results[0].rank; d++) use(rule->results[0].dims[d].factors[0]);
#ifndef MR_COMPILER_SHARD_RULE_H
#define MR_COMPILER_SHARD_RULE_H

#include "compiler/ir/ir.h"

// What it means when a factor is cut.
typedef enum mr_factor_kind {
  MR_FACTOR_PASS,              // nothing: each device has its part of operands and results
  MR_FACTOR_REDUCTION,         // in operands alone: devices have partial results, which are to be joined
  MR_FACTOR_NEED_REPLICATION,  // the op cannot run so: it is gathered before
  MR_FACTOR_PERMUTATION,       // cut in operands and results, but neighbours exchange elements
} mr_factor_kind;

typedef struct mr_factor {
  int64_t size;
  mr_factor_kind kind;
  bool blocked;  // shardings do not propagate along it
} mr_factor;

typedef struct mr_dim_factors {
  uint32_t count;
  uint32_t *factors;  // major first
} mr_dim_factors;

typedef struct mr_tensor_factors {
  uint32_t rank;
  mr_dim_factors *dims;
} mr_tensor_factors;

typedef struct mr_rule {
  uint32_t num_factors, num_operands, num_results;
  mr_factor *factors;
  mr_tensor_factors *operands, *results;  // tokens and scalars have no dims
  bool custom;                            // the program says it
} mr_rule;

// Where rules are made. Programs are full of elementwise ops on few shapes, whose rules are kept: the last one of each hash.
#define MR_RULES_KEPT 64
typedef struct mr_rules {
  mr_arena *arena;
  const mr_rule *kept[MR_RULES_KEPT];
} mr_rules;

// *out is NULL when the op has no rule: nothing propagates through it.
mr_status mr_factors_of(mr_rules *rules, const mr_op *op, const mr_rule **out) MR_WARN_UNUSED;
// Of a custom call that does each element of its leading dimensions alike, as many as its frontend attribute num_batch_dims says.
mr_status mr_factors_batch(mr_rules *rules, const mr_op *op, const mr_rule **out) MR_WARN_UNUSED;
// One factor for each dimension of `type`, which `num_operands` operands and one result share. NULL without memory.
const mr_rule *mr_factors_identity(mr_rules *rules, const mr_type *type, uint32_t num_operands);
// `#sdy.op_sharding_rule<([i, j])->([i, jk]) {i=8, j=2, k=4} reduction={..}, custom>`, for this op.
mr_status mr_factors_parse(mr_arena *arena, const mr_op *op, mr_str text, const mr_rule **out) MR_WARN_UNUSED;

#endif
