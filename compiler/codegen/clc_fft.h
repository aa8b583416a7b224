// clc_fft: Fourier transforms as text of OpenCL C: one dimension, over all its lines, as one kernel.
//
//   const mr_clc_fft fft = {.kind = MR_FFT_FORWARD, .dtype = MR_F32, .length = 1024, .lines = 8, .inner = 1, .scale = 1};
//   MR_TRY(mr_clc_add_fft(&unit, &fft, "k0", &range, &scratch_bytes));
//
// The kernel's buffers are the input and the result, or the one that is both, and then memory for its own use if it wants any.
// Threads: as a unit's (clc.h).
#ifndef MR_COMPILER_CODEGEN_CLC_FFT_H
#define MR_COMPILER_CODEGEN_CLC_FFT_H

#include "compiler/codegen/clc.h"
#include "ops/library/fft.h"

typedef struct mr_clc_fft {
  mr_fft_kind kind;      // of this dimension: others than the last one of a real transform are complex
  mr_dtype dtype;        // f32 or f64: of the parts
  int64_t length;        // of the complex or the real side
  int64_t lines, inner;  // inner: so many lines lie beside each other, element by element
  bool in_place;
  double scale;  // of the result
} mr_clc_fft;

// *out_scratch_bytes: what it wants of its own; 0: there is no such buffer. UNIMPLEMENTED for what it cannot do.
mr_status mr_clc_add_fft(mr_clc_unit *unit, const mr_clc_fft *fft, const char *entry, int64_t *out_range,
                         size_t *out_scratch_bytes) MR_WARN_UNUSED;

#endif
