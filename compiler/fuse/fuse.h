// fuse: groups the ops of a function into MR_OP_fusion ops, each of which mr_lower_op makes one kernel of.
//
// Threads: the module's. Ownership: the module's arena has what is made. Errors: RESOURCE_EXHAUSTED; the module can only be released
// then.
//
//   MR_TRY(mr_fuse(mr_module_entry(module)));   // after mr_passes_run
#ifndef MR_COMPILER_FUSE_FUSE_H
#define MR_COMPILER_FUSE_FUSE_H

#include "compiler/ir/ir.h"

// Also in the bodies of loops and branches. Values that regions capture become operands of the fusion around them, so
// that every op with a region that is to become a kernel is inside of one.
mr_status mr_fuse(mr_function *function) MR_WARN_UNUSED;

#endif
