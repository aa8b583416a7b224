// lockstep: runs a straight local program on all devices at once, op by op, on integers: what tests ask whether the ops that the
// partitioner makes mean what they should, without the compiler and the runtime behind them.
#ifndef MR_TESTS_SHARD_LOCKSTEP_H
#define MR_TESTS_SHARD_LOCKSTEP_H

#include "compiler/ir/ir.h"

// One device's content of a value: row-major integers, one for each element whatever the type.
typedef int64_t *lockstep_value;

typedef struct lockstep {
  int64_t devices;
  mr_function *function;
  lockstep_value *values;  // [value->id * devices + device]
} lockstep;

// `arguments`: [argument * devices + device], borrowed. Fails the test on an op that it does not know.
void lockstep_run(lockstep *machine, mr_function *function, int64_t devices, const lockstep_value *arguments);
const int64_t *lockstep_get(const lockstep *machine, const mr_value *value, int64_t device);
void lockstep_deinit(lockstep *machine);

#endif
