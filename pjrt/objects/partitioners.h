// What hosts registered for the partitioning of custom calls, by the name of their target, and what the compiler is given to ask
// them by.
//
// Threads: any. Ownership: the registry's, for as long as the process lives.
//
//   MR_TRY(mr_pjrt_partitioner_add(target, callbacks));
//   options.host = &mr_pjrt_shard_host;
#ifndef MR_PJRT_OBJECTS_PARTITIONERS_H
#define MR_PJRT_OBJECTS_PARTITIONERS_H

#include "compiler/compiler.h"
#include "pjrt/abi.h"

// The newest counts. `callbacks` become the registry's; NULL: the call does the same to each element of its leading dimensions,
// which may be split.
mr_status mr_pjrt_partitioner_add(mr_str target, JAX_CustomCallPartitioner_Callbacks *callbacks) MR_WARN_UNUSED;

extern const mr_shard_host mr_pjrt_shard_host;

#endif
