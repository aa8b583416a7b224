// update: what the pass over updates of arrays is made of. Private to compiler/passes.
//
// Threads and ownership: the module's. NULL says that something cannot be said of a part alone, or that memory is short, which
// the module remembers.
#ifndef MR_COMPILER_PASSES_UPDATE_H
#define MR_COMPILER_PASSES_UPDATE_H

#include "compiler/passes/rewrite.h"

// A part of an array: a window that begins at `starts`, or, where these are NULL, what has some of the array's dimensions in full and
// nothing of the others.
typedef struct mr_update_part {
  uint32_t rank;               // of the part
  const int64_t *dims;         // .. and its sizes
  int64_t place[MR_MAX_RANK];  // of the array's dimension d: which of the part's it is in full; -1: none
  mr_value *const *starts;     // a scalar for each of the array's dimensions
} mr_update_part;

// `value`, which has the array's dimensions, for the part alone: elementwise ops and what is spread along dimensions are made anew,
// of anything else the window is taken. A scalar is what it is.
mr_value *mr_update_part_of(mr_builder *b, mr_value *value, const mr_update_part *part);

// `base`, of the type of the scatter's array, updated as the scatter does it, by an update slice: what the scatter makes of its window
// where `condition`, of the array's dimensions or a scalar, is as wanted, and what was there elsewhere. A window that is not inside
// changes nothing. NULL: the scatter has several windows, or the condition cannot be said of one alone.
mr_value *mr_update_window_where(mr_builder *b, const mr_op *scatter, mr_value *base, mr_value *condition, bool wanted);
// `base` with the update of a scatter that stores added to its window. NULL: as above, or it does not store.
mr_value *mr_update_window_sum(mr_builder *b, const mr_op *scatter, mr_value *base);

// What is `chosen` where the mask is true and `x` elsewhere, as an update of `x` before `user`, where the mask is true in one row at the
// most, whose number is known when the program runs; with `with`, an op of two operands, `x` with what is chosen. NULL: it is no such mask.
mr_value *mr_update_of_row(mr_op *user, mr_value *mask, mr_value *chosen, mr_value *x, mr_op_kind with);

#endif
