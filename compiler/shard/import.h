// import: what a program says about its values' shardings, made ready for propagation; and what propagation found, made ready
// for the boundary and the partitioner.
//
// After import only the entry function is left, without calls; manual computations, sharding constraints and optimization
// barriers stand in it, sharding groups do not.
//
// Memory and threads: the module's. Errors: INVALID_ARGUMENT for shardings that fit no value, UNIMPLEMENTED.
#ifndef MR_COMPILER_SHARD_IMPORT_H
#define MR_COMPILER_SHARD_IMPORT_H

#include "compiler/shard/sharding.h"

// What a manual computation says. Lists have an entry for each operand and result: global shardings, with the manual axes that a
// value is not cut along among its replicated ones.
typedef struct mr_manual {
  mr_op *op;
  const mr_mesh *mesh;  // NULL: nothing says which, so nothing is cut in it
  mr_axis_list axes;    // its manual axes
  mr_axis_list outer;   // those of manual computations around it as well
  const mr_sharding **in, **out;
} mr_manual;

// Values that share one sharding though no op says so: what enters and leaves regions. Propagation treats an edge as an
// identity from all sources to the target, both ways. The target's sharding is the edge's. Members are bound to the
// target (a while's arguments in condition and body to its result): each has what the target has.
typedef struct mr_edge {
  mr_op *op;  // while, case, if, optimization_barrier, manual_computation
  mr_value *target;
  uint32_t num_sources;
  mr_value **sources;
  uint32_t num_members;
  mr_value **members;
  // A manual computation's: the outer value (a source of an input, the target of an output) is cut along manual axes in front of
  // what the inner one is cut along. NULL for other ops.
  mr_manual *manual;
  uint32_t port;  // which operand or result
  bool is_input;  // the target is an argument of the body
} mr_edge;

// Values that shall be sharded alike.
typedef struct mr_group {
  uint32_t count;  // 0: its members disagree
  mr_value **values;
} mr_group;

// Where an op's edges begin, or which manual computation it is: a table of twice as many places as there are, or more.
typedef struct mr_op_number {
  const mr_op *op;  // NULL: a free place
  uint32_t number;
} mr_op_number;

typedef struct mr_op_numbers {
  mr_op_number *places;
  uint32_t mask;  // places, less one
} mr_op_numbers;

// How a sharding looks on the other side of a manual computation's edge.
typedef struct mr_manual_view {
  const mr_axis_ref *axes;              // the computation's; those that say the same have the same
  const mr_sharding *declared, *given;  // declared: NULL when the view is from inside
  const mr_sharding *seen;              // NULL: none is kept here
} mr_manual_view;

typedef struct mr_import {
  mr_module *module;
  mr_function *function;
  int64_t num_devices;
  uint32_t num_edges;
  mr_edge *edges;  // in program order; those of one op stand together
  uint32_t num_groups;
  mr_group *groups;
  uint32_t num_members;  // so often the program says that a value is of a group
  uint32_t num_manuals;
  mr_manual *manuals;  // outer ones first
  mr_op_numbers edges_of, manual_of;
  mr_manual_view views[64];     // the last of each hash
  const mr_sharding **results;  // of the function; NULL: nothing is said, propagation chooses
} mr_import;

mr_status mr_import_run(mr_module *module, int64_t num_devices, mr_import **out) MR_WARN_UNUSED;
// After some were added.
mr_status mr_import_number_manuals(mr_import *import) MR_WARN_UNUSED;
// The manual computation that an op is, or NULL.
mr_manual *mr_import_manual(const mr_import *import, const mr_op *op);
// The first edge of an op, NULL when it has none; the others follow it while their `op` is the same.
mr_edge *mr_import_edges(const mr_import *import, const mr_op *op);
// The sharding of a manual computation's value inside: without the manual axes. And from outside again: with those that
// `declared` (manual->in, manual->out) has in front. NULL without memory.
const mr_sharding *mr_manual_inner(mr_import *import, const mr_manual *manual, const mr_sharding *outer);
const mr_sharding *mr_manual_outer(mr_import *import, const mr_manual *manual, const mr_sharding *declared,
                                   const mr_sharding *inner);

#endif
