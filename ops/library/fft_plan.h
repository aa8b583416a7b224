// fft_plan: what the pieces of the Fourier transform share. Private to ops/library.
//
// The kernels transform several lines side by side: an element of the working memory is a vector of real parts, one per
// line, and a vector of imaginary parts, so no step but the first and the last moves data between lanes. There is a set of
// kernels for each instruction set, and one of a single lane. A transform is forward always: the inverse one exchanges real
// and imaginary parts on its way in and out.
#ifndef MR_OPS_LIBRARY_FFT_PLAN_H
#define MR_OPS_LIBRARY_FFT_PLAN_H

#include "ops/library/fft.h"

enum {
  MR_FFT_MAX_LANES = 16,
  MR_FFT_MAX_PASSES = 64,
  MR_FFT_MAX_RADIX = 31,  // larger primes go through a convolution
};

// One pass of the transform: an input of [l1][radix][ido] elements becomes [radix][l1][ido].
typedef struct mr_fft_pass {
  int radix;
  int64_t l1, ido;
  const void *twiddles;  // [ido - 1][radix - 1] complex: exp(-2 pi i * l1 * index * output / n)
  const void *roots;     // radices without a special form: exp(-2 pi i k / radix)
} mr_fft_pass;

// A transform of one length. Tables are of the kernels' real type.
typedef struct mr_fft_line mr_fft_line;
struct mr_fft_line {
  int64_t n;
  int num_passes;
  mr_fft_pass passes[MR_FFT_MAX_PASSES];
  // Lengths with a large prime factor (Bluestein): a convolution of this length. NULL otherwise.
  const mr_fft_line *convolution;
  const void *chirp;           // [n] exp(-pi i k k / n)
  const void *chirp_spectrum;  // [convolution->n], divided by that
  size_t elements;             // that working memory must hold
};

typedef enum mr_fft_load {
  MR_FFT_LOAD_COMPLEX,
  MR_FFT_LOAD_REAL,       // imaginary parts are zero
  MR_FFT_LOAD_HERMITIAN,  // n / 2 + 1 elements, the others follow by symmetry
  MR_FFT_LOAD_HALF,       // n + 1 elements of the spectrum of a real line of 2 n
} mr_fft_load;

typedef enum mr_fft_store {
  MR_FFT_STORE_COMPLEX,
  MR_FFT_STORE_REAL,  // real parts alone
  MR_FFT_STORE_HALF,  // n + 1 elements of the spectrum of a real line of 2 n
} mr_fft_store;

// Lines that are transformed side by side. Bases and strides are in elements of what is loaded or stored there.
typedef struct mr_fft_work {
  const mr_fft_line *line;
  int used;  // lanes with a line
  bool swap;
  mr_fft_load load;
  mr_fft_store store;
  int64_t count;  // elements stored; for COMPLEX and REAL
  double scale;
  const void *in;
  void *out;
  int64_t in_stride, out_stride;
  int64_t in_base[MR_FFT_MAX_LANES], out_base[MR_FFT_MAX_LANES];
  const void *half_roots;  // HALF: [n / 2 + 1] exp(-pi i k / n)
  // Factors for a transform in two steps: element k of lane l is multiplied by step_base[k] * step_lanes[k][l].
  const void *step_base, *step_lanes;
} mr_fft_work;

typedef struct mr_fft_kernels {
  int lanes;
  size_t element_bytes;
  // `memory`: two blocks of line->elements elements, 64-byte aligned.
  void (*run)(const mr_fft_work *work, void *memory);
} mr_fft_kernels;

extern const mr_fft_kernels mr_fft_f32_plain, mr_fft_f64_plain, mr_fft_f32_one, mr_fft_f64_one;
#if defined(__x86_64__)
extern const mr_fft_kernels mr_fft_f32_avx2, mr_fft_f64_avx2, mr_fft_f32_avx512, mr_fft_f64_avx512;
#endif
// The widest kernels that this machine has, or those of one lane.
const mr_fft_kernels *mr_fft_choose(mr_dtype dtype, bool one);

// Roots of unity of one order, to a little more than double precision.
typedef struct mr_fft_roots {
  int64_t n, block;
  long double *coarse, *fine;  // pairs
} mr_fft_roots;
mr_status mr_fft_roots_init(mr_arena *arena, int64_t n, mr_fft_roots *out_roots) MR_WARN_UNUSED;
// exp(-2 pi i k / n); k of any size that is not negative.
void mr_fft_root(const mr_fft_roots *roots, int64_t k, long double out[2]);

// Writes complex number `i` of a table.
static inline void mr_fft_put(mr_dtype dtype, void *table, int64_t i, const long double value[2]) {
  if (dtype == MR_F64) {
    ((double *)table)[2 * i] = (double)value[0];
    ((double *)table)[2 * i + 1] = (double)value[1];
  } else {
    ((float *)table)[2 * i] = (float)value[0];
    ((float *)table)[2 * i + 1] = (float)value[1];
  }
}
void *mr_fft_table(mr_arena *arena, mr_dtype dtype, int64_t count);  // NULL without memory

// True when the length has no prime factor that needs a convolution.
bool mr_fft_is_smooth(int64_t n);
// The line is made in the arena.
mr_status mr_fft_line_create(mr_arena *arena, mr_dtype dtype, int64_t n, const mr_fft_line **out_line) MR_WARN_UNUSED;

#endif
