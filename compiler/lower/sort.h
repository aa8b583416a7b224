// sort: rows of elements in arrays of their own, and what the ways of sorting them share. Private to compiler/lower/sort*.c.
//
// Threads, ownership and errors: the lowering's (element.h).
#ifndef MR_COMPILER_LOWER_SORT_H
#define MR_COMPILER_LOWER_SORT_H

#include "compiler/lower/roots.h"

// When the comparator compares one function of the left row element with the same of the right one.
typedef struct mr_sort_key {
  const mr_value *left;  // in the comparator's region
  mr_dtype dtype;
  bool descending;
} mr_sort_key;

typedef struct mr_sorter {
  mr_lower *lw;
  const mr_op *op;
  uint32_t inputs;         // operands
  uint32_t n;              // columns: the operands, then the key when there is one
  mr_dtype key;            // an unsigned type whose order is that of the comparator, or MR_INVALID
  int64_t size;            // of a row
  mr_lbuf *re[2], *im[2];  // two sets of columns
  bool shared;             // they are scratch of all shares; a row's part begins at `base`
  mr_lv base;
} mr_sorter;

static inline mr_dtype mr_sort_dtype(const mr_sorter *s, uint32_t column) {
  return column < s->inputs ? s->op->results[column].type.dtype : s->key;
}
mr_elem mr_sort_load(mr_sorter *s, int set, uint32_t column, mr_lv at);
void mr_sort_store(mr_sorter *s, int set, uint32_t column, mr_lv at, mr_elem e);

// The share's loop over rows along `dim`: coordinates of all other dimensions; gives the row's number.
const mr_ix *mr_sort_open_rows(mr_lower *lw, const mr_type *type, uint32_t dim, const mr_ix **at, int64_t *out_range);

// sort_key.c
bool mr_sort_find_key(const mr_op *op, mr_sort_key *out_key);
mr_dtype mr_sort_key_bits(const mr_sort_key *key);
// The key of a row element, given its operands.
mr_lv mr_sort_key_of(mr_lower *lw, const mr_op *op, const mr_sort_key *key, const mr_elem *operands);

// sort_radix.c: sorts set 0 by the key; returns the set where the result is. Counters are locals: made beforehand.
typedef struct mr_radix {
  int passes, bits;
  mr_lbuf counts;
} mr_radix;
bool mr_radix_fits(const mr_sorter *s);
mr_radix mr_radix_make(mr_sorter *s);
int mr_radix_sort(mr_sorter *s, const mr_radix *radix);

#endif
