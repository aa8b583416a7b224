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

// The window of sizes `dims` that begins at `starts` of an array of type `whole`; the part borrows both.
mr_update_part mr_update_part_window(const mr_type *whole, const int64_t *dims, mr_value *const *starts);
// `value`, which has the array's dimensions, for the part alone: elementwise ops and what is spread along dimensions are made anew,
// of anything else the window is taken. A scalar is what it is.
mr_value *mr_update_part_of(mr_builder *b, mr_value *value, const mr_update_part *part);

// `base`, of the type of the scatter's array, updated as the scatter does it, by an update slice: what the scatter makes of its window
// where `condition`, of the array's dimensions or a scalar, is as wanted, and what was there elsewhere. A window that is not inside
// changes nothing. NULL: the scatter has several windows, or the condition cannot be said of one alone.
mr_value *mr_update_window_where(mr_builder *b, const mr_op *scatter, mr_value *base, mr_value *condition, bool wanted);
// `base` where the window of a scatter that stores is the update added to what `there`, an array of the same type, has in it. NULL: as
// above, or it does not store.
mr_value *mr_update_window_sum(mr_builder *b, const mr_op *scatter, mr_value *base, mr_value *there);

// Whether the array is there anyway, and not made element by element where it is wanted.
bool mr_update_is_stored(const mr_value *value);
// Whether the value is stored somewhere, as an array that is updated, carried or returned, if need be after choices and sums with windows.
bool mr_update_wanted_stored(const mr_value *value);
// Whether one op wants the value; a sum that has been taken apart uses it still, but nobody the sum.
bool mr_update_wanted_once(const mr_value *value);
// Whether it is no matter in which order several are added: it is to integers, and little in types of many bits.
bool mr_update_adds_in_any_order(const mr_type *type);
// The sum of all terms that the addition `op`, which nobody adds to, adds up with others before it: those that are windows among zeros last.
// NULL: they are, or there is no array that is stored among the terms. `*out_waits` becomes true where `op` adds for such a sum: the last
// addition will be seen later.
mr_value *mr_update_ordered_sum(mr_op *op, bool *out_waits);

// What is `chosen` where the mask is true and `x` elsewhere, as an update of `x` before `user`, where the mask is true in one row at the
// most, whose number is known when the program runs; with `with`, an op of two operands, `x` with what is chosen. NULL: it is no such mask.
mr_value *mr_update_of_row(mr_op *user, mr_value *mask, mr_value *chosen, mr_value *x, mr_op_kind with);

#endif
