// fft_stage: the transforms of all lines along one dimension. Private to ops/library.
#ifndef MR_OPS_LIBRARY_FFT_STAGE_H
#define MR_OPS_LIBRARY_FFT_STAGE_H

#include "ops/library/fft_plan.h"

// Line i starts at element i / inner * outer + i % inner of its side.
typedef struct mr_fft_stage {
  const mr_fft_kernels *kernels;
  mr_fft_work work;  // but for the lines and the buffers
  mr_dtype dtype;
  int64_t n, lines, inner, in_outer, out_outer;
  int64_t groups, pieces;
  size_t piece_bytes;   // of one piece's working memory
  size_t memory_bytes;  // of the stage's
  uint64_t cost_ns;
  const struct mr_fft_steps *steps;  // NULL: whole lines
} mr_fft_stage;

// Lines in two steps (fft_long.c). `wants` looks at n, lines and inner; `fill` sets the rest.
bool mr_fft_long_wants(const mr_fft_stage *stage);
mr_status mr_fft_long_fill(mr_arena *arena, mr_fft_stage *stage) MR_WARN_UNUSED;
void mr_fft_long_run(const mr_fft_stage *stage, const void *in, void *out, char *memory, mr_group *group);

#endif
