// optimized: what the passes make of a program, for hosts that ask: MLIR text of what came as MLIR, HloModuleProtoWithConfig of what came as
// HLO.
//
// JAX hardly ever asks. What came as MLIR is read, cut and simplified once more when somebody does. PyTorch/XLA asks once after each
// compilation, with HLO: there it is written on the way, unless the program is large, where keeping it costs more than it saves.
//
// Threads: any; an executable has a lock for it.
#ifndef MR_PJRT_OBJECTS_OPTIMIZED_H
#define MR_PJRT_OBJECTS_OPTIMIZED_H

#include "pjrt/objects/objects.h"

// Of HLO up to this size what the passes make of it is kept from the compilation on until somebody asks, and text up to this size from then on.
#define MR_PJRT_OPTIMIZED_BYTES ((size_t)4 << 20)

struct mr_module;
struct mr_shard_boundary;
// On the way of a compilation that nobody but the caller knows of yet.
mr_status mr_pjrt_optimized_keep(PJRT_Executable *executable, const struct mr_module *module,
                                 const struct mr_shard_boundary *boundary) MR_WARN_UNUSED;

#endif
