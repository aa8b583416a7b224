// import_internal: the steps of import, in the order in which they run. Private to compiler/shard.
#ifndef MR_COMPILER_SHARD_IMPORT_INTERNAL_H
#define MR_COMPILER_SHARD_IMPORT_INTERNAL_H

#include "compiler/shard/import.h"

// Each use of a constant gets a constant of its own, so that axes do not wander over it.
mr_status mr_import_split_constants(mr_import *import) MR_WARN_UNUSED;
mr_status mr_import_manuals(mr_import *import) MR_WARN_UNUSED;
mr_status mr_import_make_edges(mr_import *import) MR_WARN_UNUSED;
// What is asked of a value behind it is asked of the value.
mr_status mr_import_constraints(mr_import *import) MR_WARN_UNUSED;
mr_status mr_import_groups(mr_import *import) MR_WARN_UNUSED;

// A sharding for a value of this type over the program's devices; INVALID_ARGUMENT when it has other dimensions, or others of them.
// `op` may be NULL.
mr_status mr_import_check(const mr_import *import, const mr_op *op, const mr_sharding *sharding,
                          const mr_type *type) MR_WARN_UNUSED;

#endif
