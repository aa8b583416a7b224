// Matrix products: cut into tiles of rows, columns or batch entries, each one call of a single-threaded gemm; large ones of f32 as in
// matmul_packed.h.
//
// f32 goes to oneDNN's sgemm, f64 to OpenBLAS unless it is large (dgemm.h), s8 to oneDNN's integer gemm. bf16 and f16 are widened to f32 first: on cores
// without bf16 instructions that is the fastest there is, since every product is an f32 product anyway.
#include <string.h>

#include "ops/library/dgemm.h"
#include "ops/library/dnnl.h"
#include "ops/library/isa.h"
#include "ops/library/library.h"
#include "ops/library/matmul_bf16.h"
#include "ops/library/matmul_packed.h"
#include "ops/library/matmul_view.h"
#include "ops/library/pieces.h"
#include "ops/library/tuning.h"
#include "ops/library/widen.h"

typedef struct matmul {
  mr_library_call base;
  mr_matmul_desc desc;
  const mr_dnnl_table *dnnl;
  mr_dgemm_fn dgemm;
  mr_tiling tiles;
  mr_packed_cut packed;                 // no slices: in tiles
  size_t a_count, b_count, c_count;     // elements spanned
  size_t a_offset, b_offset, c_offset;  // of the widened operands in the scratch
  size_t packed_offset;
} matmul;

static matmul *cast(const mr_library_call *call) { return (matmul *)(uintptr_t)call; }

// ---- What is supported ----------------------------------------------------------------------------------------------

static bool is_half(mr_dtype dtype) { return dtype == MR_BF16 || dtype == MR_F16; }

static bool types_supported(const mr_matmul_desc *d) {
  if (d->a != d->b) {
    return false;
  }
  switch (d->a) {
  case MR_F32:
  case MR_BF16:
  case MR_F16: return d->c == MR_F32 || d->c == d->a;
  case MR_F64: return d->c == MR_F64;
  // Without VNNI oneDNN adds pairs of products in 16 bits, which saturate: two of 127 * 127 * 2 do.
  case MR_S8: return d->c == MR_S32 && mr_isa_best() >= MR_VECTORS_AVX512_VNNI;
  default: return false;
  }
}

// One of two strides is 1, so that the matrix is a plain or a transposed one.
static bool has_unit(int64_t rows, int64_t columns, int64_t row_stride, int64_t column_stride) {
  return row_stride == 1 || column_stride == 1 || rows == 1 || columns == 1;
}

// OpenBLAS counts in int, also from one row to the next. oneDNN and the kernels of dgemm.h do not.
static bool leads_fit(const mr_matmul_desc *d) {
  int64_t leads = MR_MAX(mr_matmul_view_a(d).lead, mr_matmul_view_b(d).lead);
  return d->a != MR_F64 || mr_dgemm_fits(d) || MR_MAX(leads, mr_matmul_lead_of_c(d)) <= INT32_MAX;
}

bool mr_matmul_supports(const mr_matmul_desc *d) {
  int64_t limit = INT32_MAX;
  return types_supported(d) && d->m > 0 && d->n > 0 && d->k > 0 && d->batch > 0 && d->m < limit && d->n < limit &&
         d->k < limit && has_unit(d->m, d->k, d->a_stride[1], d->a_stride[2]) &&
         has_unit(d->k, d->n, d->b_stride[1], d->b_stride[2]) && (d->c_stride[2] == 1 || d->n == 1) && leads_fit(d);
}

// ---- One tile ---------------------------------------------------------------------------------------------------------

typedef struct run_state {
  const matmul *self;
  const char *a, *b;  // widened when halves
  char *c;
  mr_dtype ab, out;  // as the gemm sees them
  _Atomic(int) failed;
} run_state;

static void gemm_tile(run_state *s, int64_t batch, int64_t m0, int64_t m, int64_t n0, int64_t n) {
  const mr_matmul_desc *d = &s->self->desc;
  size_t in = mr_dtype_bytes(s->ab), out = mr_dtype_bytes(s->out);
  const char *a = s->a + (size_t)(batch * d->a_stride[0] + m0 * d->a_stride[1]) * in;
  const char *b = s->b + (size_t)(batch * d->b_stride[0] + n0 * d->b_stride[2]) * in;
  char *c = s->c + (size_t)(batch * d->c_stride[0] + m0 * d->c_stride[1] + n0) * out;
  mr_matrix_view va = mr_matmul_view_a(d), vb = mr_matmul_view_b(d);
  int64_t ldc = mr_matmul_lead_of_c(d);
  char ta = va.transposed ? 'T' : 'N', tb = vb.transposed ? 'T' : 'N';
  int status = 0;
  if (s->ab == MR_F64) {
    s->self->dgemm(101, va.transposed ? 112 : 111, vb.transposed ? 112 : 111, (int)m, (int)n, (int)d->k, 1.0,
                   (const double *)(const void *)a, (int)va.lead, (const double *)(const void *)b, (int)vb.lead, 0.0,
                   (double *)(void *)c, (int)ldc);
  } else if (s->ab == MR_S8) {
    const int32_t zero = 0;
    status = s->self->dnnl->gemm_s8s8s32(ta, tb, 'F', m, n, d->k, 1.0f, (const int8_t *)a, va.lead, 0,
                                         (const int8_t *)b, vb.lead, 0, 0.0f, (int32_t *)(void *)c, ldc, &zero);
  } else {
    status = s->self->dnnl->sgemm(ta, tb, m, n, d->k, 1.0f, (const float *)(const void *)a, va.lead,
                                  (const float *)(const void *)b, vb.lead, 0.0f, (float *)(void *)c, ldc);
  }
  if (status) {
    atomic_store_explicit(&s->failed, status, memory_order_relaxed);  // relaxed: read after the loop has ended
  }
}

static void gemm_tiles(void *context, int64_t begin, int64_t end) {
  run_state *s = context;
  const mr_matmul_desc *d = &s->self->desc;
  mr_tiling tiles = s->self->tiles;
  int before = mr_single_threaded_begin();
  for (int64_t t = begin; t < end; t++) {
    int64_t batch = t / (tiles.across_m * tiles.across_n), rest = t % (tiles.across_m * tiles.across_n);
    int64_t m0 = rest / tiles.across_n * tiles.m, n0 = rest % tiles.across_n * tiles.n;
    gemm_tile(s, batch, m0, MR_MIN(tiles.m, d->m - m0), n0, MR_MIN(tiles.n, d->n - n0));
  }
  mr_single_threaded_end(before);
}

// ---- Cutting ------------------------------------------------------------------------------------------------------------

// Batch entries when there are enough of them, else tiles of each. A tile is as long as the sum: libraries see all of it.
static mr_tiling choose_tiles(const mr_matmul_desc *d, uint64_t cost_ns) {
  int64_t pieces = mr_product_pieces(cost_ns, MR_MATMUL_CUT_NS, d->in_rows);
  return mr_tile_product(d->m, d->n, d->batch < pieces ? pieces / d->batch : 1);
}

static mr_status matmul_run(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  const matmul *self = cast(call);
  const mr_matmul_desc *d = &self->desc;
  run_state s = {.self = self, .a = buffers[0], .b = buffers[1], .c = buffers[2], .ab = d->a, .out = d->c};
  if (is_half(d->a)) {
    char *memory = scratch;
    mr_widen(group, d->a, memory + self->a_offset, buffers[0], self->a_count);
    mr_widen(group, d->a, memory + self->b_offset, buffers[1], self->b_count);
    s.a = memory + self->a_offset;
    s.b = memory + self->b_offset;
    s.c = d->c == MR_F32 ? buffers[2] : memory + self->c_offset;
    s.ab = s.out = MR_F32;
  }
  if (self->packed.slices) {
    s.failed = mr_matmul_packed_run(self->dnnl, d, &self->packed, (const float *)(const void *)s.a,
                                    (const float *)(const void *)s.b, (float *)(void *)s.c,
                                    (char *)scratch + self->packed_offset, group, call->cost_ns);
  } else {
    mr_parallel_for(group, d->batch * self->tiles.across_m * self->tiles.across_n, gemm_tiles, &s, 1, call->cost_ns);
  }
  if (s.failed) {
    return mr_dnnl_status((dnnl_status_t)s.failed, "gemm");
  }
  if (is_half(d->c)) {
    mr_narrow(group, d->c, buffers[2], s.c, self->c_count);
  }
  return MR_OK;
}

// ---- Creation -----------------------------------------------------------------------------------------------------------

static size_t span(const int64_t *sizes, const int64_t *strides) {
  int64_t last = 0;
  for (int i = 0; i < 3; i++) {
    last += (sizes[i] - 1) * strides[i];
  }
  return (size_t)last + 1;
}

static size_t place(size_t *total, size_t floats) {
  size_t at = *total;
  *total += (floats * sizeof(float) + 63) & ~(size_t)63;
  return at;
}

static void plan_scratch(matmul *self) {
  const mr_matmul_desc *d = &self->desc;
  self->a_count = span((int64_t[]){d->batch, d->m, d->k}, d->a_stride);
  self->b_count = span((int64_t[]){d->batch, d->k, d->n}, d->b_stride);
  self->c_count = span((int64_t[]){d->batch, d->m, d->n}, d->c_stride);
  if (is_half(d->a)) {
    self->a_offset = place(&self->base.scratch_bytes, self->a_count);
    self->b_offset = place(&self->base.scratch_bytes, self->b_count);
    if (d->c != MR_F32) {
      self->c_offset = place(&self->base.scratch_bytes, self->c_count);
    }
  }
  self->packed_offset = self->base.scratch_bytes;
  self->base.scratch_bytes += mr_matmul_packed_bytes(&self->packed);
}

static void matmul_destroy(mr_library_call *call) { mr_free(call); }

static uint64_t takes(const mr_matmul_desc *d, uint64_t flops) {
  uint64_t elements = (uint64_t)d->batch * (uint64_t)(d->m * d->k + d->k * d->n);
  uint64_t bytes =
      elements * mr_dtype_bytes(d->a) + (uint64_t)d->batch * (uint64_t)(d->m * d->n) * mr_dtype_bytes(d->c);
  return flops / (d->a == MR_F64 ? MR_F64_PRODUCT_PER_NS : MR_F32_PRODUCT_PER_NS) + bytes / MR_PRODUCT_BYTES_PER_NS +
         (uint64_t)d->batch * MR_MATMUL_CALL_NS;
}

// By what oneDNN says of it.
static mr_status choose_packed(matmul *self) {
  MR_TRY(mr_ending_enter(MR_INSIDE_LIBRARY));
  if (!mr_matmul_packed_cut(self->dnnl, &self->desc, self->base.cost_ns, &self->packed)) {
    self->packed = (mr_packed_cut){0};
  }
  mr_ending_leave(MR_INSIDE_LIBRARY);
  return MR_OK;
}

mr_status mr_matmul_create(const mr_matmul_desc *desc, mr_library_call **out_call) {
  *out_call = NULL;
  if (!mr_matmul_supports(desc)) {
    return mr_error(MR_UNIMPLEMENTED, "matmul of %s by %s into %s", mr_dtype_name(desc->a), mr_dtype_name(desc->b),
                    mr_dtype_name(desc->c));
  }
  if (desc->a == MR_BF16 && mr_bf16_is_native() && desc->batch == 1 && desc->m >= MR_BF16_MIN_ROWS) {
    mr_status status = mr_matmul_bf16_create(desc, out_call);
    if (!status) {
      return MR_OK;
    }
    mr_status_free(status);  // widening does it as well
  }
  if (mr_dgemm_fits(desc)) {
    return mr_dgemm_create(desc, out_call);
  }
  matmul *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  self->desc = *desc;
  mr_status status = desc->a == MR_F64 ? mr_blas_open(&self->dgemm) : mr_dnnl_open_gemm(desc->a, &self->dnnl);
  if (status) {
    mr_free(self);
    return status;
  }
  self->base.run = matmul_run;
  self->base.foreign = true;
  self->base.destroy = matmul_destroy;
  self->base.name = "matmul";
  self->base.flops = (uint64_t)(2.0 * (double)desc->batch * (double)desc->m * (double)desc->n * (double)desc->k);
  self->base.cost_ns =
      self->base.flops / (desc->a == MR_F64 ? MR_F64_FLOPS_PER_NS : MR_F32_FLOPS_PER_NS) + MR_MATMUL_CALL_NS;
  self->base.takes_ns = takes(desc, self->base.flops);
  self->tiles = choose_tiles(desc, self->base.cost_ns);
  status = desc->a == MR_F64 || desc->a == MR_S8 ? MR_OK : choose_packed(self);
  if (status) {
    mr_free(self);
    return status;
  }
  plan_scratch(self);
  *out_call = &self->base;
  return MR_OK;
}
