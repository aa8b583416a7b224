// Plans of one-dimensional transforms: factors, twiddle factors, and the tables of convolutions for large primes.
#include "ops/library/fft_plan.h"

#include <math.h>

#include "ops/library/isa.h"

// ---- Roots of unity -----------------------------------------------------------------------------------------------------

static void unit(int64_t k, int64_t n, long double out[2]) {
  static const long double turn = 6.283185307179586476925286766559005768L;
  long double angle = -turn * (long double)k / (long double)n;
  out[0] = cosl(angle);
  out[1] = sinl(angle);
}

// Two tables of sqrt(n): a root is the product of one of each, which costs less than a sine and loses nothing that the
// tables' extra digits do not cover.
mr_status mr_fft_roots_init(mr_arena *arena, int64_t n, mr_fft_roots *out_roots) {
  int64_t block = 1;
  while (block * block < n) {
    block *= 2;
  }
  *out_roots = (mr_fft_roots){.n = n,
                              .block = block,
                              .coarse = mr_arena_array(arena, long double, 2 * (n / block + 1)),
                              .fine = mr_arena_array(arena, long double, 2 * block)};
  if (!out_roots->coarse || !out_roots->fine) {
    return MR_NO_MEMORY();
  }
  for (int64_t k = 0; k < block; k++) {
    unit(k, n, out_roots->fine + 2 * k);
  }
  for (int64_t k = 0; k <= n / block; k++) {
    unit(k * block, n, out_roots->coarse + 2 * k);
  }
  return MR_OK;
}

void mr_fft_root(const mr_fft_roots *roots, int64_t k, long double out[2]) {
  k %= roots->n;
  const long double *a = roots->coarse + 2 * (k / roots->block), *b = roots->fine + 2 * (k % roots->block);
  out[0] = a[0] * b[0] - a[1] * b[1];
  out[1] = a[0] * b[1] + a[1] * b[0];
}

void *mr_fft_table(mr_arena *arena, mr_dtype dtype, int64_t count) {
  char *memory = mr_arena_alloc(arena, (size_t)count * 2 * mr_dtype_bytes(dtype) + 64);
  return memory ? memory + (64 - (uintptr_t)memory % 64) % 64 : NULL;
}

// ---- Factors ----------------------------------------------------------------------------------------------------------------

// Radices in the order in which they are taken out. Eights where it takes no more passes than fours, sevens before fives
// only for the order's sake.
static int factor(int64_t n, int *out_radices) {
  int count = 0, twos = 0;
  for (; n % 2 == 0; n /= 2) {
    twos++;
  }
  while (twos >= 3 && twos != 4) {
    out_radices[count++] = 8;
    twos -= 3;
  }
  for (; twos >= 2; twos -= 2) {
    out_radices[count++] = 4;
  }
  if (twos) {
    out_radices[count++] = 2;
  }
  for (int radix = 3; radix <= MR_FFT_MAX_RADIX; radix += 2) {
    for (; n % radix == 0; n /= radix) {
      out_radices[count++] = radix;
    }
  }
  return n == 1 ? count : -1;
}

bool mr_fft_is_smooth(int64_t n) {
  int radices[MR_FFT_MAX_PASSES];
  return factor(n, radices) >= 0;
}

static mr_status fill_pass(mr_arena *arena, mr_dtype dtype, const mr_fft_roots *roots, mr_fft_pass *pass) {
  int64_t rows = pass->ido - 1, columns = pass->radix - 1;
  void *twiddles = mr_fft_table(arena, dtype, rows * columns + 1), *own = mr_fft_table(arena, dtype, pass->radix);
  if (!twiddles || !own) {
    return MR_NO_MEMORY();
  }
  long double value[2];
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < columns; j++) {
      mr_fft_root(roots, (i + 1) * (j + 1) * pass->l1, value);
      mr_fft_put(dtype, twiddles, i * columns + j, value);
    }
  }
  for (int64_t j = 0; j < pass->radix; j++) {
    mr_fft_root(roots, roots->n / pass->radix * j, value);
    mr_fft_put(dtype, own, j, value);
  }
  pass->twiddles = twiddles;
  pass->roots = own;
  return MR_OK;
}

static mr_status fill_smooth(mr_arena *arena, mr_dtype dtype, mr_fft_line *line) {
  int radices[MR_FFT_MAX_PASSES];
  mr_fft_roots roots;
  MR_TRY(mr_fft_roots_init(arena, line->n, &roots));
  line->num_passes = factor(line->n, radices);
  int64_t l1 = 1;
  for (int p = 0; p < line->num_passes; p++) {
    line->passes[p] = (mr_fft_pass){.radix = radices[p], .l1 = l1, .ido = line->n / l1 / radices[p]};
    l1 *= radices[p];
    MR_TRY(fill_pass(arena, dtype, &roots, &line->passes[p]));
  }
  return MR_OK;
}

// ---- Large primes -----------------------------------------------------------------------------------------------------------

// The least 2^a 3^b 5^c that is not less.
static int64_t good_length(int64_t least) {
  int64_t best = INT64_MAX;
  for (int64_t fives = 1; fives < 2 * least; fives *= 5) {
    for (int64_t threes = fives; threes < 2 * least; threes *= 3) {
      int64_t n = threes;
      while (n < least) {
        n *= 2;
      }
      best = MR_MIN(best, n);
    }
  }
  return best;
}

// The convolution's second factor, transformed in double precision by the kernels themselves.
static mr_status fill_spectrum(mr_arena *arena, mr_dtype dtype, const double *chirp, const mr_fft_line *line,
                               void *out_table) {
  int64_t n = line->n, m = line->convolution->n;
  const mr_fft_line *exact = line->convolution;
  if (dtype != MR_F64) {
    MR_TRY(mr_fft_line_create(arena, MR_F64, m, &exact));
  }
  double *x = mr_alloc_zeroed((size_t)(2 * m), sizeof *x),
         *memory = mr_alloc_aligned(64, (size_t)(m + 1) * 4 * sizeof *x);
  if (!x || !memory) {
    mr_free(x);
    mr_free(memory);
    return MR_NO_MEMORY();
  }
  for (int64_t k = 0; k < n; k++) {
    int64_t mirror = k ? m - k : 0;
    x[2 * k] = x[2 * mirror] = chirp[2 * k];
    x[2 * k + 1] = x[2 * mirror + 1] = -chirp[2 * k + 1];
  }
  mr_fft_work work = {
      .line = exact, .used = 1, .count = m, .scale = 1.0, .in = x, .out = x, .in_stride = 1, .out_stride = 1};
  mr_fft_f64_one.run(&work, memory);
  for (int64_t k = 0; k < m; k++) {
    long double value[2] = {(long double)x[2 * k] / (long double)m, (long double)x[2 * k + 1] / (long double)m};
    mr_fft_put(dtype, out_table, k, value);
  }
  mr_free(x);
  mr_free(memory);
  return MR_OK;
}

static mr_status fill_convolution(mr_arena *arena, mr_dtype dtype, mr_fft_line *line) {
  int64_t n = line->n, m = good_length(2 * n - 1);
  mr_fft_roots roots;
  MR_TRY(mr_fft_line_create(arena, dtype, m, &line->convolution));
  MR_TRY(mr_fft_roots_init(arena, 2 * n, &roots));
  void *chirp = mr_fft_table(arena, dtype, n), *spectrum = mr_fft_table(arena, dtype, m);
  double *exact = mr_arena_array(arena, double, 2 * n);
  if (!chirp || !spectrum || !exact) {
    return MR_NO_MEMORY();
  }
  long double value[2];
  for (int64_t k = 0, square = 0; k < n; square = (square + 2 * k + 1) % (2 * n), k++) {
    mr_fft_root(&roots, square, value);
    mr_fft_put(dtype, chirp, k, value);
    mr_fft_put(MR_F64, exact, k, value);
  }
  line->chirp = chirp;
  line->chirp_spectrum = spectrum;
  return fill_spectrum(arena, dtype, exact, line, spectrum);
}

mr_status mr_fft_line_create(mr_arena *arena, mr_dtype dtype, int64_t n, const mr_fft_line **out_line) {
  mr_fft_line *line = mr_arena_new(arena, mr_fft_line);
  *out_line = line;
  if (!line) {
    return MR_NO_MEMORY();
  }
  line->n = n;
  mr_status status = mr_fft_is_smooth(n) ? fill_smooth(arena, dtype, line) : fill_convolution(arena, dtype, line);
  // One more than the length: the spectra of real lines have an element more.
  line->elements = (size_t)(line->convolution ? line->convolution->n : n) + 1;
  return status;
}

// ---- Kernels ------------------------------------------------------------------------------------------------------------------

const mr_fft_kernels *mr_fft_choose(mr_dtype dtype, bool one) {
  bool f64 = dtype == MR_F64;
  if (one) {
    return f64 ? &mr_fft_f64_one : &mr_fft_f32_one;
  }
#if defined(__x86_64__)
  mr_vectors isa = mr_isa_best();
  if (isa >= MR_VECTORS_AVX512) {
    return f64 ? &mr_fft_f64_avx512 : &mr_fft_f32_avx512;
  }
  if (isa == MR_VECTORS_AVX2) {
    return f64 ? &mr_fft_f64_avx2 : &mr_fft_f32_avx2;
  }
#endif
  return f64 ? &mr_fft_f64_plain : &mr_fft_f32_plain;
}
