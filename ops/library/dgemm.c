// Products of doubles, cut by columns. Each piece packs blocks of its columns of the right operand into panels as wide as a
// tile and multiplies bands of rows with them; pieces share nothing but the left operand, whose rows are read where they are
// unless it is transposed or a tile would go beyond its end.
//
// Packing each block once, by all cores, was tried: reading what the other core packed costs more than it saves.
#include "ops/library/dgemm.h"

#include <string.h>

#include "ops/library/cores.h"
#include "ops/library/isa.h"
#include "ops/library/tuning.h"

enum { MAX_TILE = 8 * 24 };

typedef struct dgemm {
  mr_library_call base;
  mr_matmul_desc desc;
  const mr_dgemm_kernel *kernel;
  int64_t pieces, piece;                 // columns of each but the last
  size_t left_offset, scratch_of_piece;  // bytes; a band of the left operand lies behind the panels
} dgemm;

typedef struct dgemm_job {
  const dgemm *self;
  const double *a, *b;
  double *c;
  char *scratch;
} dgemm_job;

// What a piece works on: columns from n0 on, rows of k from k0 on.
typedef struct block {
  const dgemm *self;
  const double *a, *b;
  double *c, *left, *right;
  int64_t n0, n, k0, k;
} block;

static const mr_dgemm_kernel *choose(void) {
#if defined(__x86_64__)
  mr_vectors isa = mr_isa_best();
  return isa >= MR_VECTORS_AVX512 ? &mr_dgemm_avx512 : isa == MR_VECTORS_AVX2 ? &mr_dgemm_avx2 : NULL;
#else
  return NULL;
#endif
}

bool mr_dgemm_fits(const mr_matmul_desc *d) {
  bool doubles = d->a == MR_F64 && d->b == MR_F64 && d->c == MR_F64;
  return doubles && d->batch == 1 && d->m >= MR_DGEMM_BAND && d->n >= MR_DGEMM_MIN_COLUMNS &&
         (double)d->m * (double)d->n * (double)d->k >= MR_DGEMM_MIN_MULTIPLIES && choose();
}

// ---- Packing ----------------------------------------------------------------------------------------------------------

// `wide` neighbours for each of `k` steps, those beyond `count` zero.
static void pack(double *restrict to, const double *restrict from, int64_t k, int64_t k_stride, int64_t count,
                 int64_t stride, int64_t wide) {
  if (count < wide) {
    memset(to, 0, (size_t)(k * wide) * sizeof *to);
  }
  if (stride == 1) {
    for (int64_t step = 0; step < k; step++) {
      memcpy(to + step * wide, from + step * k_stride, (size_t)count * sizeof *to);
    }
    return;
  }
  for (int64_t i = 0; i < count; i++) {
    for (int64_t step = 0; step < k; step++) {
      to[step * wide + i] = from[i * stride + step * k_stride];
    }
  }
}

static void pack_panels(const block *s) {
  const mr_matmul_desc *d = &s->self->desc;
  int64_t wide = s->self->kernel->columns;
  for (int64_t j = 0; j < s->n; j += wide) {
    const double *from = s->b + s->k0 * d->b_stride[1] + (s->n0 + j) * d->b_stride[2];
    if (d->b_stride[2] == 1 && s->n - j >= wide) {
      s->self->kernel->pack_rows(s->k, from, d->b_stride[1], s->right + j * s->k);
    } else {
      pack(s->right + j * s->k, from, s->k, d->b_stride[1], MR_MIN(wide, s->n - j), d->b_stride[2], wide);
    }
  }
}

// ---- Multiplying ------------------------------------------------------------------------------------------------------

// Rows of the left operand as a tile reads them.
typedef struct left {
  const double *data;
  int64_t row, step;
} left;

// At the edges the tile is larger than what is left of c.
static void edge_tile(const block *s, left a, const double *b, double *c, int64_t rows, int64_t columns) {
  const mr_dgemm_kernel *kernel = s->self->kernel;
  int64_t lead = s->self->desc.c_stride[1];
  double whole[MAX_TILE];
  kernel->tile(s->k, a.data, a.row, a.step, b, whole, kernel->columns, false);
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < columns; j++) {
      double sum = whole[i * kernel->columns + j];
      c[i * lead + j] = s->k0 ? c[i * lead + j] + sum : sum;
    }
  }
}

// Rows [from + i, from + i + rows) of a band.
static left left_rows(const block *s, int64_t from, int64_t i, int64_t rows) {
  const mr_matmul_desc *d = &s->self->desc;
  const double *data = s->a + (from + i) * d->a_stride[1] + s->k0 * d->a_stride[2];
  int64_t wide = s->self->kernel->rows;
  if (d->a_stride[2] == 1 && rows == wide) {
    return (left){data, d->a_stride[1], 1};
  }
  double *packed = s->left + i * s->k;
  pack(packed, data, s->k, d->a_stride[2], rows, d->a_stride[1], wide);
  return (left){packed, 1, wide};
}

static void multiply_band(const block *s, int64_t from, int64_t size) {
  const mr_dgemm_kernel *kernel = s->self->kernel;
  int64_t lead = s->self->desc.c_stride[1];
  left rows[MR_DGEMM_BAND];
  for (int64_t i = 0; i < size; i += kernel->rows) {
    rows[i / kernel->rows] = left_rows(s, from, i, MR_MIN(kernel->rows, size - i));
  }
  for (int64_t j = 0; j < s->n; j += kernel->columns) {
    const double *b = s->right + j * s->k;
    for (int64_t i = 0; i < size; i += kernel->rows) {
      left a = rows[i / kernel->rows];
      double *c = s->c + (from + i) * lead + s->n0 + j;
      int64_t high = MR_MIN(kernel->rows, size - i), broad = MR_MIN(kernel->columns, s->n - j);
      if (high == kernel->rows && broad == kernel->columns) {
        kernel->tile(s->k, a.data, a.row, a.step, b, c, lead, s->k0 != 0);
      } else {
        edge_tile(s, a, b, c, high, broad);
      }
    }
  }
}

static void multiply_pieces(void *context, int64_t begin, int64_t end) {
  const dgemm_job *job = context;
  const dgemm *self = job->self;
  const mr_matmul_desc *d = &self->desc;
  for (int64_t p = begin; p < end; p++) {
    char *scratch = job->scratch + (size_t)p * self->scratch_of_piece;
    block s = {.self = self, .a = job->a, .b = job->b, .c = job->c, .right = (double *)(void *)scratch};
    s.left = (double *)(void *)(scratch + self->left_offset);
    s.n0 = p * self->piece;
    s.n = MR_MIN(self->piece, d->n - s.n0);
    for (s.k0 = 0; s.k0 < d->k; s.k0 += MR_DGEMM_DEPTH) {
      s.k = MR_MIN(MR_DGEMM_DEPTH, d->k - s.k0);
      pack_panels(&s);
      for (int64_t from = 0; from < d->m; from += MR_DGEMM_BAND) {
        multiply_band(&s, from, MR_MIN(MR_DGEMM_BAND, d->m - from));
      }
    }
  }
}

static mr_status dgemm_run(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  const dgemm *self = (const dgemm *)call;
  dgemm_job job = {self, buffers[0], buffers[1], buffers[2], scratch};
  mr_parallel_for(group, self->pieces, multiply_pieces, &job, 1, call->cost_ns);
  return MR_OK;
}

// ---- Creation -----------------------------------------------------------------------------------------------------------

static void destroy(mr_library_call *call) { mr_free(call); }

static int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

// One piece a core, or more where one's columns would not fit its cache, whole tiles wide.
static void choose_pieces(dgemm *self) {
  const mr_matmul_desc *d = &self->desc;
  int64_t wide = self->kernel->columns, depth = MR_MIN(d->k, MR_DGEMM_DEPTH), cores = mr_cores();
  int64_t each = (d->n + cores - 1) / cores;
  each = each / ((each + MR_DGEMM_COLUMNS - 1) / MR_DGEMM_COLUMNS);
  self->piece = MR_MAX(round_up(each, wide), round_up(MR_DGEMM_MIN_COLUMNS / 2, wide));
  self->pieces = (d->n + self->piece - 1) / self->piece;
  self->left_offset = (size_t)(self->piece * depth) * sizeof(double);
  self->scratch_of_piece = self->left_offset + (size_t)(MR_DGEMM_BAND * depth) * sizeof(double);
}

mr_status mr_dgemm_create(const mr_matmul_desc *desc, mr_library_call **out_call) {
  *out_call = NULL;
  dgemm *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  self->desc = *desc;
  self->kernel = choose();
  choose_pieces(self);
  double flops = 2.0 * (double)desc->m * (double)desc->n * (double)desc->k;
  self->base = (mr_library_call){
      .run = dgemm_run,
      .destroy = destroy,
      .scratch_bytes = (size_t)self->pieces * self->scratch_of_piece,
      .cost_ns = (uint64_t)(flops / MR_F64_FLOPS_PER_NS) + MR_MATMUL_CALL_NS,
      .flops = (uint64_t)flops,
      .name = "matmul",
  };
  *out_call = &self->base;
  return MR_OK;
}
