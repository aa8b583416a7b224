// Matrices of every type that linear algebra takes, and what is compared: for the tests of its library calls.
#ifndef MR_TESTS_OPS_MATRICES_H
#define MR_TESTS_OPS_MATRICES_H

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/library/linalg.h"
#include "scheduler/scheduler.h"
#include "tests/cmocka.h"
#include "tests/ops/numbers.h"

typedef double complex number;

static const mr_dtype types[] = {MR_F32, MR_F64, MR_C64, MR_C128};

static inline number get(mr_dtype type, const void *data, int64_t i) {
  switch (type) {
  case MR_F32: return ((const float *)data)[i];
  case MR_F64: return ((const double *)data)[i];
  case MR_C64: return ((const float complex *)data)[i];
  case MR_C128: return ((const double complex *)data)[i];
  default: return ((const int32_t *)data)[i];
  }
}

static inline void set(mr_dtype type, void *data, int64_t i, number value) {
  switch (type) {
  case MR_F32: ((float *)data)[i] = (float)creal(value); break;
  case MR_F64: ((double *)data)[i] = creal(value); break;
  case MR_C64: ((float complex *)data)[i] = (float complex)value; break;
  default: ((double complex *)data)[i] = value; break;
  }
}

static inline void *empty(mr_dtype type, int64_t count) {
  size_t bytes = (size_t)count * mr_dtype_bytes(type);
  void *data = aligned_alloc(64, (bytes + 127) / 64 * 64);
  memset(data, 0xAB, bytes);
  return data;
}

static inline void *random_matrix(mr_dtype type, int64_t count) {
  void *data = empty(type, count);
  for (int64_t i = 0; i < count; i++) {
    set(type, data, i, next_value() + next_value() * I);
  }
  return data;
}

// Row-major, to compute with.
static inline number *matrix(int64_t rows, int64_t columns) {
  return calloc((size_t)(rows * columns) + 1, sizeof(number));
}

static inline number *copy_of(mr_dtype type, const void *data, int64_t from, int64_t rows, int64_t columns) {
  number *out = matrix(rows, columns);
  for (int64_t i = 0; i < rows * columns; i++) {
    out[i] = get(type, data, from + i);
  }
  return out;
}

// a b, or a b^H.
static inline number *times(const number *a, const number *b, int64_t rows, int64_t inner, int64_t columns,
                            bool adjoint) {
  number *out = matrix(rows, columns);
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < columns; j++) {
      for (int64_t k = 0; k < inner; k++) {
        out[i * columns + j] += a[i * inner + k] * (adjoint ? conj(b[j * inner + k]) : b[k * columns + j]);
      }
    }
  }
  return out;
}

// 128 units of the largest element: factors of up to 290 columns, whose errors grow with the number of columns.
static inline double tolerance(mr_dtype type) { return mr_dtype_real(type) == MR_F64 ? 0x1p-45 : 0x1p-16; }

// Close, relative to the largest element; frees both.
static inline void check(mr_dtype type, number *take_a, number *take_b, int64_t count) {
  double worst = 0, size = 1;
  for (int64_t i = 0; i < count; i++) {
    double difference = cabs(take_a[i] - take_b[i]);
    worst = difference == difference ? fmax(worst, difference) : INFINITY;
    size = fmax(size, cabs(take_b[i]));
  }
  free(take_a);
  free(take_b);
  if (!(worst <= tolerance(type) * size)) {
    fail_msg("%s: residual %g", mr_dtype_name(type), worst / size);
  }
}

static inline void run(mr_library_call *take_call, void *const *buffers) {
  mr_scheduler *scheduler = NULL;
  assert_null(mr_scheduler_acquire(&scheduler));
  void *scratch = aligned_alloc(64, (take_call->scratch_bytes + 127) / 64 * 64);
  assert_null(take_call->run(take_call, buffers, scratch, mr_scheduler_group(scheduler, 0, 1)));
  free(scratch);
  mr_library_call_destroy(take_call);
  mr_scheduler_release(scheduler);
}

// Makes the first n x n matrices Hermitian and positive definite.
static inline void make_definite(mr_dtype type, void *a, int64_t batch, int64_t n) {
  for (int64_t b = 0; b < batch; b++) {
    number *x = copy_of(type, a, b * n * n, n, n), *square = times(x, x, n, n, n, true);
    for (int64_t i = 0; i < n * n; i++) {
      set(type, a, b * n * n + i, square[i] + (i % (n + 1) == 0 ? 1 : 0));
    }
    free(x);
    free(square);
  }
}

static inline void call_lapack(mr_lapack_desc d, void *const *buffers) {
  mr_library_call *call = NULL;
  assert_null(mr_lapack_create(&d, &call));
  run(call, buffers);
}

#endif
