// reduction: reduce, reduce_window, dot_general and convolution as one thing: accumulators, loops over positions, the
// terms at a position, and how a term joins the accumulators. Private to compiler/lower.
//
// Threads, ownership and errors: the lowering's (element.h).
#ifndef MR_COMPILER_LOWER_REDUCTION_H
#define MR_COMPILER_LOWER_REDUCTION_H

#include "compiler/lower/element.h"

#define MR_RED_RANK (MR_MAX_RANK + 1)

typedef struct mr_red {
  const mr_op *op;
  uint32_t n;  // accumulators
  uint32_t rank;
  int64_t size[MR_RED_RANK];  // of the loops over positions
  int64_t dim[MR_RED_RANK];   // reduce: the operand's dimension; dot_general: index into the contracting dimensions
  mr_op_kind simple;          // the one elementwise op that joins, or MR_OP_COUNT: the op's region
  uint32_t flags;             // of that op
  mr_dtype *acc;              // types of the accumulators
  mr_dtype *term;             // types of the terms
} mr_red;

// False, and the lowering has failed, when the op has a form that is not known.
bool mr_red_describe(mr_lower *lw, const mr_op *op, mr_red *out_red);
int64_t mr_red_count(const mr_red *red);
void mr_red_initial(mr_lower *lw, const mr_red *red, mr_elem *acc);
// Terms of the result element `at` (a vector) at position r.
void mr_red_terms(mr_lower *lw, const mr_red *red, mr_index at, const mr_ix *const *r, mr_elem *terms);
// acc and out may be the same.
void mr_red_join(mr_lower *lw, const mr_red *red, const mr_elem *acc, const mr_elem *terms, mr_elem *out);
mr_elem mr_red_result(mr_lower *lw, const mr_red *red, uint32_t i, mr_elem acc);

// Whether loop `outer` directly around `inner` of `inner_size` iterations may become one loop: every access steps through
// both as through one.
bool mr_lw_can_join(const mr_record *record, const mr_ix *outer, const mr_ix *inner, int64_t inner_size);

// A value along a reduction's loop that takes long to compute.
typedef struct mr_red_slow {
  const mr_value *value;
  mr_index at;
  uint32_t dim;  // its coordinate is the loop
} mr_red_slow;
#define MR_RED_SLOW 4

// Accumulators in local memory, by operand: complex ones have two.
typedef struct mr_red_memory {
  mr_lbuf *re, *im;
} mr_red_memory;
mr_elem mr_red_load(mr_lower *lw, const mr_red *red, const mr_red_memory *memory, uint32_t i, mr_lv at);
void mr_red_store(mr_lower *lw, const mr_red *red, const mr_red_memory *memory, uint32_t i, mr_lv at, mr_elem e);

// The loops of a reduction with neighbours joined and the one that walks memory contiguously last.
typedef struct mr_red_loops {
  uint32_t n;
  const mr_ix *loop[MR_RED_RANK];
  int64_t count[MR_RED_RANK];
  const mr_ix *r[MR_RED_RANK];  // positions in terms of the loops
  mr_red_slow slow[MR_RED_SLOW];
  uint32_t num_slow;  // only found when there is one loop
} mr_red_loops;
// Several reductions over positions of one shape share their loops: n of them, each at its own element.
void mr_red_plan(mr_lower *lw, const mr_red *reds, const mr_index *ats, uint32_t n, mr_red_loops *out_loops);

#endif
