// import: what a program says about its values' shardings, made ready for propagation; and what propagation found, made ready
// for the boundary.
//
// After import only the entry function is left, without calls; manual computations and sharding constraints stand in it.
//
// Memory and threads: the module's. Errors: INVALID_ARGUMENT for shardings that fit no value, UNIMPLEMENTED.
#ifndef MR_COMPILER_SHARD_IMPORT_H
#define MR_COMPILER_SHARD_IMPORT_H

#include "compiler/shard/sharding.h"

// Values that share one sharding though no op says so: what enters and leaves regions. Propagation treats an edge as an
// identity from all sources to the target, both ways. The target's sharding in the table is the edge's. Targets that are bound
// to the same value (a while's result and its arguments in condition and body) are members: each gets what the target got.
typedef struct mr_edge {
  mr_op *op;  // while, case, optimization_barrier, manual_computation
  mr_value *target;
  uint32_t num_sources;
  mr_value **sources;
  uint32_t num_members;  // more values that have the target's sharding: results, then arguments of regions
  mr_value **members;
  // Of a manual computation: seen from outside the dims of the inner value have these axes in front. NULL for other ops.
  const struct mr_manual *manual;
  uint32_t port;  // which operand or result
  bool is_input;  // the target is an argument of the body, else a result
} mr_edge;

// What a manual computation says. Lists have an entry for each operand and result.
typedef struct mr_manual {
  mr_op *op;
  const mr_mesh *mesh;  // NULL: nothing is cut in it
  mr_axis_list axes;    // its manual axes
  mr_axis_list outer;   // those of manual computations around it as well
  const mr_sharding **in, **out;
} mr_manual;

// Values that shall be sharded alike.
typedef struct mr_group {
  uint32_t count;
  mr_value **values;
} mr_group;

typedef struct mr_import {
  mr_module *module;
  mr_function *function;
  mr_shardings *shardings;
  uint32_t num_edges;
  mr_edge *edges;
  uint32_t num_groups;
  mr_group *groups;
  uint32_t num_manuals;
  mr_manual *manuals;           // outer ones first
  const mr_sharding **results;  // of the function: its fixed results' shardings; NULL entries: open ones
} mr_import;

#endif
