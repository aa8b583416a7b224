#include "compiler/lower/roots.h"

void mr_root_loops(mr_lower *lw, uint32_t rank, const int64_t *dims, const mr_ix **at, uint32_t last_flags) {
  for (uint32_t d = 0; d < rank; d++) {
    at[d] = mr_lw_loop(lw, 0, dims[d] - 1);
    // A loop of no iterations must not run once.
    if (dims[d] == 0) {
      at[d] = mr_ix_loop(&lw->ix, lw->next_bit++, 0, 1);
    }
    mr_lw_count(lw, at[d], dims[d], d + 1 == rank ? last_flags : 0);
  }
}

void mr_root_range(mr_lower *lw, uint32_t rank, const int64_t *dims, const mr_ix **at, int64_t *out_range) {
  int64_t range = 1;
  for (uint32_t d = 0; d < rank; d++) {
    range *= dims[d];
  }
  *out_range = range;
  const mr_ix *p = mr_ix_loop(&lw->ix, lw->next_bit++, 0, MR_MAX(range - 1, 1));
  mr_lw_for(lw, p, mr_l_begin(lw->p), mr_l_end_of_range(lw->p), 1, 0, (double)range);
  const mr_ix *rest = p;
  for (uint32_t d = rank; d-- > 0;) {
    at[d] = dims[d] == 1 ? mr_ix_const(&lw->ix, 0) : d == 0 ? rest : mr_ix_mod(&lw->ix, rest, dims[d]);
    rest = mr_ix_div(&lw->ix, rest, dims[d]);
  }
}
