// part_way: one way to do an op on parts: the atoms that each factor of its rule is cut by. Private to compiler/shard.
//
// Threads and memory: as the partition's.
//
//   mr_tiling tiling = mr_way_tiling(&way, op->num_operands);  // of the first result
#ifndef MR_COMPILER_SHARD_PART_WAY_H
#define MR_COMPILER_SHARD_PART_WAY_H

#include "compiler/shard/partition.h"

enum { MR_WAY_FACTORS = 64 };

typedef struct mr_way {
  mr_op *op;
  const mr_rule *rule;
  bool usable[MR_WAY_FACTORS];
  mr_atoms factors[MR_WAY_FACTORS];
  uint32_t used;       // atoms that are in some factor, or out of the game
  uint32_t partial;    // atoms of reduction factors: results are partial along them
  uint32_t unreduced;  // atoms along which operands and results are summands
  double cost;
} mr_way;

// Operands first, then results.
static inline const mr_tensor_factors *mr_way_tensor(const mr_way *way, uint32_t tensor) {
  return tensor < way->rule->num_operands ? &way->rule->operands[tensor]
                                          : &way->rule->results[tensor - way->rule->num_operands];
}
mr_tiling mr_way_tiling(const mr_way *way, uint32_t tensor);
void mr_way_fit_attributes(const mr_part *p, const mr_way *way, mr_op *made);

// Does an op whose results are partial, and joins them (part_reduce.c).
mr_status mr_part_reduced(mr_part *p, const mr_way *way, mr_value **operands, mr_type *types) MR_WARN_UNUSED;

#endif
