// bf16 products: a primitive for each piece of rows or columns, run by one core each. Products accumulate in f32.
#include "ops/library/matmul_bf16.h"

#include "ops/library/conv_primitive.h"
#include "ops/library/dnnl.h"
#include "ops/library/isa.h"
#include "ops/library/pieces.h"
#include "ops/library/tuning.h"

enum { MAX_PIECES = MR_MATMUL_MOST_PIECES };

typedef struct piece {
  dnnl_primitive_t primitive;
  dnnl_memory_desc_t a, b, c, scratch;
  int64_t a_offset, b_offset, c_offset;  // elements
} piece;

typedef struct matmul_bf16 {
  mr_library_call base;
  mr_matmul_desc desc;
  const mr_dnnl_table *dnnl;
  piece pieces[MAX_PIECES];
  int num_pieces;
  size_t pad_bytes;  // scratch of one piece
} matmul_bf16;

static matmul_bf16 *cast(const mr_library_call *call) { return (matmul_bf16 *)(uintptr_t)call; }

bool mr_bf16_is_native(void) { return mr_isa_best() == MR_VECTORS_AVX512_BF16; }

// ---- Running ----------------------------------------------------------------------------------------------------------

typedef struct job {
  const matmul_bf16 *self;
  char *a, *b, *c, *scratch;
  int64_t batch;
  _Atomic(uintptr_t) status;
} job;

static mr_status run_piece(const job *j, const piece *p, int64_t index) {
  const mr_matmul_desc *d = &j->self->desc;
  int64_t c_bytes = (int64_t)mr_dtype_bytes(d->c);
  mr_dnnl_arg args[4] = {{DNNL_ARG_SRC, &p->a, j->a + 2 * (j->batch * d->a_stride[0] + p->a_offset)},
                         {DNNL_ARG_WEIGHTS, &p->b, j->b + 2 * (j->batch * d->b_stride[0] + p->b_offset)},
                         {DNNL_ARG_DST, &p->c, j->c + c_bytes * (j->batch * d->c_stride[0] + p->c_offset)},
                         {DNNL_ARG_SCRATCHPAD, &p->scratch, j->scratch + index * (int64_t)j->self->pad_bytes}};
  return mr_dnnl_execute(j->self->dnnl, p->primitive, args, 4);
}

static void run_pieces(void *context, int64_t begin, int64_t end) {
  job *j = context;
  int before = mr_single_threaded_begin();
  for (int64_t i = begin; i < end; i++) {
    mr_first_status(&j->status, run_piece(j, &j->self->pieces[i], i));
  }
  mr_single_threaded_end(before);
}

static mr_status matmul_run(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  const matmul_bf16 *self = cast(call);
  job j = {.self = self, .a = buffers[0], .b = buffers[1], .c = buffers[2], .scratch = scratch};
  for (; j.batch < self->desc.batch && !j.status; j.batch++) {
    mr_parallel_for(group, self->num_pieces, run_pieces, &j, 1, call->cost_ns / (uint64_t)self->desc.batch);
  }
  return (mr_status)j.status;
}

// ---- Creation ---------------------------------------------------------------------------------------------------------

// A stride of a dimension of one element is whatever keeps the matrix dense to oneDNN.
static mr_status matrix(const mr_dnnl_table *d, dnnl_memory_desc_t *out, mr_dtype dtype, int64_t rows, int64_t columns,
                        int64_t row_stride, int64_t column_stride) {
  dnnl_dims_t dims = {rows, columns};
  dnnl_dims_t strides = {rows == 1 ? MR_MAX(columns * column_stride, (int64_t)1) : row_stride,
                         columns == 1 ? 1 : column_stride};
  if (columns == 1 && rows > 1 && row_stride == 1) {
    strides[1] = rows;
  }
  dnnl_data_type_t type = dtype == MR_BF16 ? dnnl_bf16 : dnnl_f32;
  return mr_dnnl_status(d->memory_desc_init_by_strides(out, 2, dims, type, strides), "matrix descriptor");
}

static mr_status create_primitive(const mr_dnnl_table *d, piece *p) {
  dnnl_matmul_desc_t desc;
  dnnl_primitive_attr_t attr = NULL;
  dnnl_primitive_desc_t pd = NULL;
  MR_TRY(mr_dnnl_status(d->matmul_desc_init(&desc, &p->a, &p->b, NULL, &p->c), "matmul"));
  mr_status status = mr_dnnl_status(d->primitive_attr_create(&attr), "attributes");
  if (!status) {
    status = mr_dnnl_status(d->primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user), "scratchpad mode");
  }
  if (!status) {
    dnnl_status_t made = d->primitive_desc_create(&pd, &desc, attr, mr_dnnl_engine(), NULL);
    status = made == dnnl_unimplemented ? mr_error(MR_UNIMPLEMENTED, "oneDNN has no bf16 product for this processor")
                                        : mr_dnnl_status(made, "matmul");
  }
  if (!status) {
    p->scratch = *d->primitive_desc_query_md(pd, dnnl_query_scratchpad_md, 0);
    status = mr_dnnl_status(d->primitive_create(&p->primitive, pd), "matmul");
    d->primitive_desc_destroy(pd);
  }
  d->primitive_attr_destroy(attr);
  return status;
}

static mr_status add_piece(matmul_bf16 *self, int64_t m0, int64_t m, int64_t n0, int64_t n) {
  const mr_matmul_desc *d = &self->desc;
  piece *p = &self->pieces[self->num_pieces++];
  p->a_offset = m0 * d->a_stride[1];
  p->b_offset = n0 * d->b_stride[2];
  p->c_offset = m0 * d->c_stride[1] + n0;
  MR_TRY(matrix(self->dnnl, &p->a, MR_BF16, m, d->k, d->a_stride[1], d->a_stride[2]));
  MR_TRY(matrix(self->dnnl, &p->b, MR_BF16, d->k, n, d->b_stride[1], d->b_stride[2]));
  MR_TRY(matrix(self->dnnl, &p->c, d->c, m, n, d->c_stride[1], 1));
  MR_TRY(create_primitive(self->dnnl, p));
  size_t pad = (self->dnnl->memory_desc_get_size(&p->scratch) + 63) & ~(size_t)63;
  self->pad_bytes = MR_MAX(self->pad_bytes, pad);
  return MR_OK;
}

static mr_status cut(matmul_bf16 *self) {
  const mr_matmul_desc *d = &self->desc;
  int64_t pieces = mr_product_pieces(self->base.cost_ns, MR_MATMUL_BF16_CUT_NS, d->in_rows);
  mr_tiling t = mr_tile_product(d->m, d->n, pieces);
  for (int64_t m0 = 0; m0 < d->m; m0 += t.m) {
    for (int64_t n0 = 0; n0 < d->n; n0 += t.n) {
      MR_TRY(add_piece(self, m0, MR_MIN(t.m, d->m - m0), n0, MR_MIN(t.n, d->n - n0)));
    }
  }
  return MR_OK;
}

static void matmul_destroy(mr_library_call *call) {
  matmul_bf16 *self = cast(call);
  for (int i = 0; i < self->num_pieces; i++) {
    mr_dnnl_destroy(self->dnnl, self->pieces[i].primitive);
  }
  mr_free(self);
}

static mr_status build(matmul_bf16 *self) {
  MR_TRY(mr_dnnl_open(&self->dnnl));
  MR_TRY(mr_ending_enter(MR_INSIDE_LIBRARY));
  int before = mr_single_threaded_begin();
  mr_status status = cut(self);
  mr_single_threaded_end(before);
  mr_ending_leave(MR_INSIDE_LIBRARY);
  return status;
}

mr_status mr_matmul_bf16_create(const mr_matmul_desc *desc, mr_library_call **out_call) {
  *out_call = NULL;
  matmul_bf16 *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  self->desc = *desc;
  double flops = 2.0 * (double)desc->batch * (double)desc->m * (double)desc->n * (double)desc->k;
  self->base = (mr_library_call){.run = matmul_run,
                                 .destroy = matmul_destroy,
                                 .foreign = true,
                                 .name = "matmul (bf16)",
                                 .flops = (uint64_t)flops,
                                 .cost_ns = (uint64_t)(flops / (2 * MR_F32_FLOPS_PER_NS)) + MR_MATMUL_BF16_CALL_NS};
  mr_status status = build(self);
  if (status) {
    matmul_destroy(&self->base);
    return status;
  }
  self->base.scratch_bytes = self->pad_bytes * (size_t)self->num_pieces;
  *out_call = &self->base;
  return MR_OK;
}
