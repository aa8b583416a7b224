// reshard: ops on local values that bring a value from one tiling to another, and the collectives that the partitioner makes.
//
// Each call inserts ops at the builder's place. With memory short values are NULL, which building calls take; mr_module_memory
// says so at the end. What the ops move between devices is counted.
//
//   mr_spread s;
//   mr_spread_init(&s, module, &grid, function);
//   mr_value *y = mr_reshard(&s, &builder, x, &global_type, &from, &to);
#ifndef MR_COMPILER_SHARD_RESHARD_H
#define MR_COMPILER_SHARD_RESHARD_H

#include "compiler/shard/tiling.h"

typedef struct mr_device_groups mr_device_groups;
typedef struct mr_shard_index mr_shard_index;
typedef struct mr_ways mr_ways;

// What making a local program needs to know everywhere.
typedef struct mr_spread {
  mr_module *module;
  const mr_grid *grid;
  mr_function *function;     // whose body begins with the devices' indices
  uint32_t manual;           // mask of atoms that the program itself spreads its values over at this place: left alone
  mr_value *partition;       // s32 scalar, or NULL before it was asked for
  mr_device_groups *groups;  // by list of atoms; made once, so that compile time does not grow with the devices
  mr_shard_index *indices;   // by list of atoms
  mr_ways *ways;             // that were looked for from one tiling to another; NULL: memory is short
  uint64_t bytes_moved;      // by collectives, received by each device, by the ops that were made
  uint32_t regathers;        // values that were gathered whole because no better way was found
} mr_spread;

void mr_spread_init(mr_spread *spread, mr_module *module, const mr_grid *grid, mr_function *function);

// Which shard of a dimension that is cut by `atoms` a device has: s32 scalar, computed at the start of the function.
mr_value *mr_spread_index(mr_spread *spread, const mr_atoms *atoms);
// That times `factor`: where its part begins.
mr_value *mr_spread_offset(mr_spread *spread, mr_builder *b, const mr_atoms *atoms, int64_t factor);
// i1 scalar: whether the device's index along `atoms` is `index`.
mr_value *mr_spread_is_at(mr_spread *spread, mr_builder *b, const mr_atoms *atoms, int64_t index);

// Collectives among the devices that differ along `atoms` only, in that order.
// One op over `count` values of one element type. `region`: folds two scalars, copied; NULL: `kind` of two scalars.
bool mr_spread_all_reduce(mr_spread *spread, mr_builder *b, const mr_atoms *atoms, uint32_t count,
                          mr_value *const *values, mr_op_kind kind, const mr_block *region, mr_value **out_values);
mr_value *mr_spread_all_gather(mr_spread *spread, mr_builder *b, mr_value *x, uint32_t dim, const mr_atoms *atoms);
mr_value *mr_spread_reduce_scatter(mr_spread *spread, mr_builder *b, mr_value *x, uint32_t dim, const mr_atoms *atoms,
                                   mr_op_kind kind);
// Cuts dimension `split` into as many parts as there are members and joins what comes along `concat`.
mr_value *mr_spread_all_to_all(mr_spread *spread, mr_builder *b, mr_value *x, uint32_t split, uint32_t concat,
                               const mr_atoms *atoms);
// pairs: {source, target} logical ids; `count` pairs. Devices that are no target get zeros.
mr_value *mr_spread_permute(mr_spread *spread, mr_builder *b, mr_value *x, const int64_t *pairs, size_t count);
// From each device to the one whose index along `atoms` is greater by `distance` (neighbours on a dimension that `atoms` cut);
// nothing wraps around: who has no such neighbour gets zeros.
mr_value *mr_spread_shift(mr_spread *spread, mr_builder *b, mr_value *x, const mr_atoms *atoms, int64_t distance);
// The same where the last one's neighbour is the first.
mr_value *mr_spread_turn(mr_spread *spread, mr_builder *b, mr_value *x, const mr_atoms *atoms, int64_t distance);

// `x` has the local part of `global` under `from`; gives the part under `to`.
mr_value *mr_reshard(mr_spread *spread, mr_builder *b, mr_value *x, const mr_type *global, const mr_tiling *from,
                     const mr_tiling *to);
// Bytes that a device would receive.
uint64_t mr_reshard_cost(const mr_spread *spread, const mr_type *global, const mr_tiling *from, const mr_tiling *to);

#endif
