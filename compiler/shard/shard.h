// shard: one program over many devices. Shardings are read, propagated and carried out: what comes out is an ordinary program
// on one device's part of everything, in which collectives stand where devices need each other's.
//
// Threads: a module belongs to one thread. Memory: the module's arena. Errors: INVALID_ARGUMENT for shardings that fit no value,
// UNIMPLEMENTED by name, what the host's callbacks answer.
//
//   mr_shard_boundary boundary;
//   MR_TRY(mr_shard_run(module, options, &boundary));
//   MR_TRY(mr_passes_run(module));
#ifndef MR_COMPILER_SHARD_SHARD_H
#define MR_COMPILER_SHARD_SHARD_H

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"

// A parameter or a result before its local part took its place.
typedef struct mr_shard_port {
  mr_type global;
  const mr_tile_sharding *tiles;
} mr_shard_port;

typedef struct mr_shard_boundary {
  const mr_shard_port *params, *results;  // NULL: the program is for one device
  uint32_t num_params, num_results;
  uint64_t bytes_moved;  // by the collectives that were made, received by each device
  uint32_t whole_ops;    // that every device does for all of their operands, for want of a better way
} mr_shard_boundary;

// A verified module. Leaves one for one device alone; one without shardings and manual computations is done by each device as it is.
mr_status mr_shard_run(mr_module *module, const mr_compile_options *options, mr_shard_boundary *out) MR_WARN_UNUSED;

#endif
