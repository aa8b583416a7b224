// export: what propagation found, made fit for the boundary and the partitioner: every sharding closed, those of arguments and
// results even. Afterwards import->results has a sharding or NULL (replicated) for each result, and so has each value that is
// cut.
//
// Memory and threads: the module's. Errors: RESOURCE_EXHAUSTED.
#ifndef MR_COMPILER_SHARD_EXPORT_H
#define MR_COMPILER_SHARD_EXPORT_H

#include "compiler/shard/import.h"

mr_status mr_export_run(mr_import *import) MR_WARN_UNUSED;
// Afterwards: shows the host (may be NULL) the operand of each call of InspectSharding, and takes the calls away.
mr_status mr_export_inspect(const mr_import *import, const mr_shard_host *host) MR_WARN_UNUSED;

// Then: asks the host (may be NULL) to partition the custom calls that it has partitioners for. Each becomes a manual computation.
mr_status mr_export_customs(mr_import *import, const mr_shard_host *host) MR_WARN_UNUSED;

#endif
