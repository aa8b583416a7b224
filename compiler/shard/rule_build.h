// rule_build: how the functions of the column `factors` say a rule. Private to compiler/shard.
//
//   void mr_factors_transpose(mr_rule_builder *b) {
//     mr_ints permutation = mr_op_ints(b->op, MR_ATTR_permutation);
//     for (uint32_t d = 0; d < permutation.size; d++) mr_factors_pair(b, MR_FACTOR_PASS, permutation.data[d], d);
//   }
#ifndef MR_COMPILER_SHARD_RULE_BUILD_H
#define MR_COMPILER_SHARD_RULE_BUILD_H

#include "compiler/shard/rule.h"

// Memory that is short sets `failed` and is looked at once, at the end.
typedef struct mr_rule_builder {
  mr_arena *arena;
  const mr_op *op;  // the types of its operands and results are static
  mr_rule *rule;
  uint32_t room;  // of factors
  bool none;      // set by a function that finds that there is no rule
  bool failed;
} mr_rule_builder;

#define MR_NO_DIM (-1)

// A rule with the ranks of `op`'s operands and results, without factors. Dimensions that none is mapped to get one of their own in
// the end.
mr_rule_builder mr_factors_begin(mr_arena *arena, const mr_op *op);

// A factor, and that a dimension runs over it, behind those that it has.
uint32_t mr_factors_add(mr_rule_builder *b, mr_factor_kind kind, int64_t size);
void mr_factors_block(mr_rule_builder *b, uint32_t factor);
void mr_factors_operand(mr_rule_builder *b, uint32_t operand, int64_t dim, uint32_t factor);  // MR_NO_DIM: not at all
void mr_factors_result(mr_rule_builder *b, uint32_t result, int64_t dim, uint32_t factor);
// A factor of dimension `in` of the first operand and dimension `out` of the first result, of the operand's size there.
uint32_t mr_factors_pair(mr_rule_builder *b, mr_factor_kind kind, int64_t in, int64_t out);
// A factor of this dimension of operands [0, operands) and all results.
uint32_t mr_factors_along(mr_rule_builder *b, mr_factor_kind kind, int64_t dim, uint32_t operands, int64_t size);

static inline const mr_type *mr_factors_in(const mr_rule_builder *b, uint32_t operand) {
  return &mr_op_operand(b->op, operand)->type;
}
static inline const mr_type *mr_factors_out(const mr_rule_builder *b, uint32_t result) {
  return &b->op->results[result].type;
}

// One function per name in the column `factors` of ops.def.
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, element, root, fusion, library, places, stored, factors, ...)                          \
  void mr_factors_##factors(mr_rule_builder *b);
#include "ops/ops.def"

#endif
