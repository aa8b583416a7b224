// fft: discrete Fourier transforms of any length over up to three trailing dimensions, behind the library's call interface.
//
// Threads and buffers as in library.h: one input, one output, both dense and row-major. Twiddle factors are made when the
// call is made.
//
//   mr_fft_desc desc = {.kind = MR_FFT_REAL, .dtype = MR_F32, .batch = 8, .rank = 1, .length = {1024}};
//   MR_TRY(mr_fft_create(&desc, &call));   // 8 x 1024 floats to 8 x 513 complex numbers
#ifndef MR_OPS_LIBRARY_FFT_H
#define MR_OPS_LIBRARY_FFT_H

#include "ops/library/library.h"

enum { MR_FFT_RANK = 3 };

// ORDER fft_type: as StableHLO numbers them.
typedef enum mr_fft_kind {
  MR_FFT_FORWARD,       // complex to complex
  MR_FFT_INVERSE,       // the same backwards, divided by the number of elements
  MR_FFT_REAL,          // real to the first half (n / 2 + 1) of the complex result
  MR_FFT_REAL_INVERSE,  // and back
} mr_fft_kind;

typedef struct mr_fft_desc {
  mr_fft_kind kind;
  mr_dtype dtype;  // f32 or f64: of the parts
  int64_t batch;
  int rank;
  int64_t length[MR_FFT_RANK];  // of the complex or the real side
} mr_fft_desc;

bool mr_fft_supports(const mr_fft_desc *desc);
mr_status mr_fft_create(const mr_fft_desc *desc, mr_library_call **out_call) MR_WARN_UNUSED;

#endif
