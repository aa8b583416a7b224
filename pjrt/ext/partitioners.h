// The partitioners that hosts registered for custom calls, for whoever partitions a program.
//
// Threads: any. Ownership: the registry's, for as long as the process lives.
//
//   JAX_CustomCallPartitioner_Callbacks *callbacks = mr_pjrt_partitioner_find(target);   // NULL: none
#ifndef MR_PJRT_EXT_PARTITIONERS_H
#define MR_PJRT_EXT_PARTITIONERS_H

#include "core/core.h"
#include "pjrt/abi.h"

JAX_CustomCallPartitioner_Callbacks *mr_pjrt_partitioner_find(mr_str target);
// The call does the same to each element of its leading dimensions, which may be split.
bool mr_pjrt_is_batch_partitionable(mr_str target);

#endif
