// fold: what the region of a reduction over devices does to two values, where devices know that without the region.
//
// Threads and ownership: the module's.
#ifndef MR_COMPILER_IR_FOLD_H
#define MR_COMPILER_IR_FOLD_H

#include "collective/collective.h"
#include "compiler/ir/ir.h"

// Whether the region is one op of its two arguments that collective/ knows for their type, and which.
bool mr_block_is_fold(const mr_block *region, mr_fold *out_fold);

#endif
