// priority: dimensions whose shardings wait until more urgent ones have spread. Until its turn comes such a dimension is closed and
// has no axes, and the axes that it is to have go nowhere. Private to compiler/shard.
//
// Errors: RESOURCE_EXHAUSTED, also in the module.
#ifndef MR_COMPILER_SHARD_PRIORITY_H
#define MR_COMPILER_SHARD_PRIORITY_H

#include "compiler/shard/flow.h"

typedef struct mr_held {
  const mr_sharding **slot;  // where it stands: a value's, or a result's
  const mr_sharding *full;
} mr_held;

typedef struct mr_priorities {
  mr_module *module;
  uint32_t count;
  mr_held *held;
  int64_t now;
} mr_priorities;

// Takes from the values and the function's results what is less urgent than the most urgent.
mr_status mr_priorities_hold(mr_arena *arena, mr_import *import, const mr_flow *flow,
                             mr_priorities *out) MR_WARN_UNUSED;
// Gives back what is next. False when there is nothing more.
bool mr_priorities_next(mr_priorities *priorities);

#endif
