// in_place: ops that give back an operand with part of it changed.
//
// Threads and ownership: nothing is changed or kept.
#ifndef MR_COMPILER_IR_IN_PLACE_H
#define MR_COMPILER_IR_IN_PLACE_H

#include "compiler/ir/ir.h"

// How many results, from the first on, are the operand of the same number with part of it changed: one of dynamic_update_slice, all of a
// scatter, of other kinds none.
uint32_t mr_op_num_updated(const mr_op *op);
// Whether the module may have an op with such a result; false: it has none.
bool mr_module_may_update(const mr_module *module);
// Whether `reader` is the slice, at a known place or not, of the array that `update`, a dynamic_update_slice, changes that has just what
// is written over.
bool mr_op_is_slice_written(const mr_op *reader, const mr_op *update);
// Where a window begins of which it is said that it begins at `start`, a scalar, in a dimension where `most` is the last place at which it
// is all inside: moved inside, as dynamic_slice and dynamic_update_slice do. False: `start` is no constant.
bool mr_known_start(const mr_value *start, int64_t most, int64_t *out);

#endif
