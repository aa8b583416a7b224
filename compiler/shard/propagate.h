// propagate: from what a program says of some shardings to those of all its values, as Shardy does it.
//
// Axes spread from op to op along the factors of their rules, in five levels: first through elementwise ops and what only
// moves dims, where there is nothing to choose, in the end through everything. Within a level an op that was touched is looked
// at before the rest of the program. What a user gave an urgent priority comes before all of it.
//
// Memory: the module's, and what is given back before it returns. Time: linear in the number of ops, and independent of the
// number of devices. Threads: the module's.
// Errors: RESOURCE_EXHAUSTED; INVALID_ARGUMENT for a custom call's rule that does not fit it.
//
//   MR_TRY(mr_import_run(module, num_devices, &import));
//   MR_TRY(mr_propagate(import));
#ifndef MR_COMPILER_SHARD_PROPAGATE_H
#define MR_COMPILER_SHARD_PROPAGATE_H

#include "compiler/shard/import.h"

// The table has a sharding for each value that one was found for; so have import->results, and the manual computations their
// inputs and outputs.
mr_status mr_propagate(mr_import *import) MR_WARN_UNUSED;

#endif
