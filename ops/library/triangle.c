// Small triangular systems: the triangle packed once, then blocks of right-hand sides as rows of vectors.
#include "ops/library/triangle.h"

#include <string.h>

#include "ops/library/isa.h"
#include "ops/library/tuning.h"

enum {
  MAX_COLUMNS = 64,
  BLOCK_BYTES = MR_SOLVE_LEAF * MAX_COLUMNS * sizeof(float),
  PACKED_BYTES = MR_SOLVE_LEAF * (MR_SOLVE_LEAF + 1) / 2 * sizeof(double),
};

const mr_triangle_kernel *mr_triangle_choose(mr_dtype dtype) {
#if defined(__x86_64__)
  if (dtype == MR_F32 || dtype == MR_F64) {
    bool f64 = dtype == MR_F64;
    mr_vectors isa = mr_isa_best();
    if (isa >= MR_VECTORS_AVX512) {
      return f64 ? &mr_triangle_f64_avx512 : &mr_triangle_f32_avx512;
    }
    if (isa == MR_VECTORS_AVX2) {
      return f64 ? &mr_triangle_f64_avx2 : &mr_triangle_f32_avx2;
    }
  }
#endif
  (void)dtype;
  return NULL;
}

// The system as one whose unknowns are the rows of x and are found from the first to the last: an upper triangle is walked
// backwards.
typedef struct form {
  int64_t row, column;  // strides of the triangle
  int64_t first, step;  // the unknown found first, and from one to the next
} form;

static form form_of(const mr_triangle *t) {
  // x op(t) = b is op(t)^T x^T = b^T.
  bool by_columns = (t->transpose != MR_TRANSPOSE_NONE) == t->left, lower = t->lower != by_columns;
  return (form){by_columns ? 1 : t->lead, by_columns ? t->lead : 1, lower ? 0 : t->n - 1, lower ? 1 : -1};
}

#define PACK(REAL)                                                            \
  static void pack_##REAL(const mr_triangle *t, form f, REAL *packed) {       \
    const REAL *first = (const REAL *)t->data + f.first * (f.row + f.column); \
    for (int64_t i = 0; i < t->n; i++) {                                      \
      const REAL *row = first + f.step * i * f.row;                           \
      for (int64_t k = 0; k < i; k++) {                                       \
        *packed++ = row[f.step * k * f.column];                               \
      }                                                                       \
      *packed++ = t->unit_diagonal ? 1 : 1 / row[f.step * i * f.column];      \
    }                                                                         \
  }
PACK(float)
PACK(double)

// Between x and a block: `columns` right-hand sides from `at` on, unknowns in the order they are found in.
typedef struct passage {
  const mr_triangle_kernel *kernel;
  const mr_triangle *t;
  form f;
  char *block;
  int64_t x_lead;
} passage;

static void carry(const passage *p, char *at, int64_t columns, bool in) {
  size_t unit = p->kernel->unit;
  int64_t n = p->t->n, wide = p->kernel->columns;
  if (!p->t->left) {
    char *first = p->block + (size_t)(p->f.first * wide) * unit;
    if (in) {
      mr_products_transpose(unit, first, p->f.step * wide, at, p->x_lead, columns, n);
    } else {
      mr_products_transpose(unit, at, p->x_lead, first, p->f.step * wide, n, columns);
    }
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    char *here = p->block + (size_t)(i * wide) * unit;
    char *there = at + (p->f.first + p->f.step * i) * p->x_lead * (int64_t)unit;
    memcpy(in ? here : there, in ? there : here, (size_t)columns * unit);
  }
}

void mr_triangle_solve(const mr_triangle_kernel *kernel, const mr_triangle *t, void *x, int64_t x_lead, int64_t rhs) {
  _Alignas(64) char packed[PACKED_BYTES], block[BLOCK_BYTES];
  passage p = {kernel, t, form_of(t), block, x_lead};
  if (kernel->unit == sizeof(double)) {
    pack_double(t, p.f, (double *)(void *)packed);
  } else {
    pack_float(t, p.f, (float *)(void *)packed);
  }
  for (int64_t c = 0; c < rhs; c += kernel->columns) {
    int64_t columns = MR_MIN(kernel->columns, rhs - c);
    char *at = (char *)x + (size_t)(t->left ? c : c * x_lead) * kernel->unit;
    if (columns < kernel->columns) {
      memset(block, 0, sizeof block);
    }
    carry(&p, at, columns, true);
    kernel->solve(packed, t->n, block);
    carry(&p, at, columns, false);
  }
}
