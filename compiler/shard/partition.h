// partition: from a program on whole arrays with a sharding for each value to one on local parts. Private to compiler/shard.
//
// A function is built beside the old one. Each value of the old one has versions in it: local values, each under a tiling. An op is
// done on its operands' parts where its rule lets it; mr_part_get gives an operand in the tiling wanted, from the version that is
// nearest to it. Inside a manual computation the atoms of its axes are out of the game: values there are what these devices
// have each for themselves.
//
// Memory: the module's arena; with memory short values are NULL and the module says so. Threads: the module's.
//
//   mr_value *x = mr_part_get(p, mr_op_operand(op, 0), &tiling);
//   mr_part_set(p, mr_op_result(op, 0), mr_build_unary(&p->b, op->kind, x), &tiling);
#ifndef MR_COMPILER_SHARD_PARTITION_H
#define MR_COMPILER_SHARD_PARTITION_H

#include "compiler/shard/import.h"
#include "compiler/shard/reshard.h"
#include "compiler/shard/rule.h"
#include "compiler/shard/shard.h"

typedef struct mr_part_version {
  struct mr_part_version *next;
  mr_value *local;
  const mr_tiling *tiling;
  mr_block *block;  // of the new function: where it can be used, and in what is inside
} mr_part_version;

typedef struct mr_part_tiling_entry {
  struct mr_part_tiling_entry *next;
  mr_tiling tiling;
} mr_part_tiling_entry;

typedef struct mr_part {
  mr_module *module;
  const mr_grid *grid;
  const mr_import *import;
  const mr_compile_options *options;
  mr_spread spread;
  mr_builder b;                   // where the new ops go
  mr_part_version **versions;     // by value->id of the old function
  mr_part_tiling_entry *tilings;  // each once
  mr_rules rules;
  uint32_t whole_ops;
} mr_part;

// Builds the local function in the old one's place.
mr_status mr_part_run(mr_module *module, const mr_import *import, const mr_grid *grid,
                      const mr_compile_options *options, mr_shard_boundary *out) MR_WARN_UNUSED;

// ---- Values (part_values.c) -------------------------------------------------------------------------------------------------

// How propagation wants the value, without the manual atoms. False when it said nothing: replicated.
bool mr_part_wanted(const mr_part *p, const mr_value *value, mr_tiling *out);
// The tiling that it was made under; of what is made anywhere for nothing (splats, iotas), the one that is wanted.
mr_tiling mr_part_tiling(const mr_part *p, const mr_value *value);
// Costs nothing under any tiling: a splat, an iota, a scalar spread.
bool mr_part_is_free(const mr_value *value);
mr_value *mr_part_get(mr_part *p, mr_value *value, const mr_tiling *tiling);
mr_value *mr_part_get_replicated(mr_part *p, mr_value *value);
void mr_part_set(mr_part *p, const mr_value *value, mr_value *local, const mr_tiling *tiling);
// Elements whose bits are 0: f8E8M0FNU has no number 0.
mr_value *mr_part_nothing(mr_part *p, const mr_type *type);
// Each element of `part` is one device's and nothing elsewhere, along the unreduced atoms of `apart`. Floats are summed as the integers of their
// bits, which leaves -0, subnormal numbers and what a NaN says as they are (part_reduce.c).
void mr_part_put_together(mr_part *p, const mr_value *result, mr_value *part, const mr_tiling *apart);
// What is equal is there once, until the module goes.
const mr_tiling *mr_part_keep_tiling(mr_part *p, const mr_tiling *tiling);
void mr_part_share(mr_part *p, const mr_value *from, const mr_value *to);  // `to` is equal to `from`
// Bytes that a device receives for it.
uint64_t mr_part_cost(const mr_part *p, const mr_value *value, const mr_tiling *tiling);
mr_type mr_part_local_type(const mr_part *p, const mr_type *type, const mr_tiling *tiling);
// Elements of `x`, cut along `dim` of `size` in all by `atoms`, that lie behind the end: `fill` (a scalar) in their place.
mr_value *mr_part_mask(mr_part *p, mr_value *x, uint32_t dim, int64_t size, const mr_atoms *atoms, mr_value *fill);
bool mr_part_is_even(const mr_part *p, int64_t size, const mr_atoms *atoms);

// ---- Ops --------------------------------------------------------------------------------------------------------------------

// The ops of a block, then what it returns under these tilings, before or at the end of the builder's place.
mr_status mr_part_block(mr_part *p, const mr_block *block) MR_WARN_UNUSED;
// A copy with attributes and regions; values of the outside in regions are taken whole.
mr_op *mr_part_clone(mr_part *p, const mr_op *op, mr_value *const *operands, const mr_type *types);
// Room for the operands and the types of the results of a copy, NULLs and empty ones.
mr_status mr_part_room(mr_part *p, const mr_op *op, mr_value ***out_operands, mr_type **out_types) MR_WARN_UNUSED;
// Every device does all of it.
mr_status mr_part_whole(mr_part *p, mr_op *op) MR_WARN_UNUSED;
mr_status mr_part_generic(mr_part *p, mr_op *op) MR_WARN_UNUSED;  // part_generic.c
// One function per name in the column `local` of ops.def: does an op its own way where that is better than by factors alone. Left
// alone, *out_done stays false and the op goes the generic way.
typedef mr_status (*mr_local)(mr_part *p, mr_op *op, bool *out_done);
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, element, root, fusion, library, places, stored, factors, local)                        \
  mr_status mr_local_##local(mr_part *p, mr_op *op, bool *out_done);
#include "ops/ops.def"

// Sums that do not need one another become one op (join.c).
mr_status mr_part_join(mr_function *function) MR_WARN_UNUSED;
// Of two all_reduces of one value each: whether they fold in one way among the same devices.
bool mr_part_may_join(const mr_op *a, const mr_op *b);
// What may be done before a sum as well, and is less or cheaper then, is done before it (late.c).
mr_status mr_part_put_off(mr_function *function) MR_WARN_UNUSED;

// A scalar that changes nothing when it is folded in; NULL when there is none.
mr_value *mr_part_neutral(mr_builder *b, mr_op_kind kind, mr_dtype dtype);

#endif
