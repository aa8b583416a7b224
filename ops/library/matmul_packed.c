#include "ops/library/matmul_packed.h"

#include "ops/library/matmul_view.h"
#include "ops/library/pieces.h"
#include "ops/library/tuning.h"

// oneDNN goes by columns, where ours are rows: its first operand is our right one, its rows are our columns.
static const char *letter(mr_matrix_view view) { return view.transposed ? "T" : "N"; }

static int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

// ---- Cutting ------------------------------------------------------------------------------------------------------------

static dnnl_status_t packed_size(const mr_dnnl_table *dnnl, const mr_matmul_desc *d, int64_t columns, size_t *out_bytes,
                                 bool *out_packs) {
  mr_matrix_view a = mr_matmul_view_a(d), b = mr_matmul_view_b(d);
  int before = mr_single_threaded_begin();
  dnnl_status_t status = dnnl->sgemm_pack_get_size("A", letter(b), letter(a), &columns, &d->m, &d->k, &b.lead, &a.lead,
                                                   out_bytes, out_packs);
  mr_single_threaded_end(before);
  return status;
}

// As wide as bands of rows are multiplied with well, at least two for two cores to pack, and two of them where they are long.
static void choose_slices(const mr_matmul_desc *d, mr_packed_cut *out) {
  int64_t fit = MR_PACKED_BYTES / 2 / (d->k * (int64_t)sizeof(float)) / MR_PACKED_UNIT * MR_PACKED_UNIT;
  int64_t most = MR_MAX(MR_MIN((int64_t)MR_PACKED_COLUMNS, fit), (int64_t)(2 * MR_PACKED_UNIT));
  int64_t slices = MR_MAX((d->n + most - 1) / most, (int64_t)2);
  out->slice = round_up((d->n + slices - 1) / slices, MR_PACKED_UNIT);
  out->slices = (d->n + out->slice - 1) / out->slice;
}

// In tiles that lie below one another the same columns would be packed for each of them.
static bool packs_twice(const mr_matmul_desc *d, uint64_t cost_ns) {
  int64_t pieces = mr_product_pieces(cost_ns, MR_MATMUL_CUT_NS, false);
  return pieces >= MR_PACKED_MIN_PIECES && mr_tile_product(d->m, d->n, pieces).across_m > 1;
}

bool mr_matmul_packed_cut(const mr_dnnl_table *dnnl, const mr_matmul_desc *d, uint64_t cost_ns,
                          mr_packed_cut *out_cut) {
  *out_cut = (mr_packed_cut){.band = MR_PACKED_ROWS};
  bool large = d->batch == 1 && d->m >= MR_PACKED_ROWS && d->n >= 4 * MR_PACKED_UNIT && d->k >= MR_PACKED_MIN_SUM;
  if (!large || !packs_twice(d, cost_ns) || !dnnl->sgemm_pack_get_size || !dnnl->sgemm_pack || !dnnl->sgemm_compute) {
    return false;
  }
  choose_slices(d, out_cut);
  size_t bytes = 0, last = 0;
  bool packs = false, packs_last = false;
  if (packed_size(dnnl, d, out_cut->slice, &bytes, &packs) ||
      packed_size(dnnl, d, d->n - (out_cut->slices - 1) * out_cut->slice, &last, &packs_last)) {
    return false;
  }
  out_cut->slice_bytes = (MR_MAX(bytes, last) + 63) & ~(size_t)63;
  out_cut->at_once = MR_MAX(MR_MIN(MR_PACKED_BYTES / (int64_t)out_cut->slice_bytes, out_cut->slices), (int64_t)1);
  out_cut->bands = (d->m + out_cut->band - 1) / out_cut->band;
  return packs && packs_last;
}

// ---- Running ------------------------------------------------------------------------------------------------------------

typedef struct packed_job {
  const mr_dnnl_table *dnnl;
  const mr_matmul_desc *desc;
  const mr_packed_cut *cut;
  const float *a, *b;
  float *c;
  char *scratch;
  int64_t first;        // slice of those that are packed at once
  _Atomic(int) failed;  // relaxed: read after the loop has ended
} packed_job;

static int64_t columns_of(const packed_job *s, int64_t slice) {
  return MR_MIN(s->cut->slice, s->desc->n - slice * s->cut->slice);
}

static float *packed_at(const packed_job *s, int64_t slice) {
  return (float *)(void *)(s->scratch + (size_t)(slice - s->first) * s->cut->slice_bytes);
}

static void note(packed_job *s, dnnl_status_t status) {
  if (status) {
    atomic_store_explicit(&s->failed, (int)status, memory_order_relaxed);
  }
}

static void pack_slices(void *context, int64_t begin, int64_t end) {
  packed_job *s = context;
  const mr_matmul_desc *d = s->desc;
  mr_matrix_view a = mr_matmul_view_a(d), b = mr_matmul_view_b(d);
  int before = mr_single_threaded_begin();
  for (int64_t slice = s->first + begin; slice < s->first + end; slice++) {
    int64_t n = columns_of(s, slice);
    const float *from = s->b + slice * s->cut->slice * d->b_stride[2];
    note(s,
         s->dnnl->sgemm_pack("A", letter(b), letter(a), &n, &d->m, &d->k, &b.lead, &a.lead, from, packed_at(s, slice)));
  }
  mr_single_threaded_end(before);
}

// The bands of one slice come one after the other: whoever has packed it finds it in a cache.
static void multiply_bands(void *context, int64_t begin, int64_t end) {
  packed_job *s = context;
  const mr_matmul_desc *d = s->desc;
  mr_matrix_view a = mr_matmul_view_a(d), b = mr_matmul_view_b(d);
  const int64_t lead = mr_matmul_lead_of_c(d);
  const float zero = 0;
  int before = mr_single_threaded_begin();
  for (int64_t i = begin; i < end; i++) {
    int64_t slice = s->first + i / s->cut->bands, m0 = i % s->cut->bands * s->cut->band;
    int64_t m = MR_MIN(s->cut->band, d->m - m0), n = columns_of(s, slice);
    note(s,
         s->dnnl->sgemm_compute("P", letter(a), &n, &m, &d->k, packed_at(s, slice), &b.lead, s->a + m0 * d->a_stride[1],
                                &a.lead, &zero, s->c + m0 * lead + slice * s->cut->slice, &lead));
  }
  mr_single_threaded_end(before);
}

dnnl_status_t mr_matmul_packed_run(const mr_dnnl_table *dnnl, const mr_matmul_desc *desc, const mr_packed_cut *cut,
                                   const float *a, const float *b, float *c, char *scratch, mr_group *group,
                                   uint64_t cost_ns) {
  packed_job s = {.dnnl = dnnl, .desc = desc, .cut = cut, .a = a, .b = b, .c = c, .scratch = scratch};
  for (; s.first < cut->slices && !s.failed; s.first += cut->at_once) {
    int64_t count = MR_MIN(cut->at_once, cut->slices - s.first);
    uint64_t packing = (uint64_t)(count * cut->slice * desc->k) / MR_PACKED_PER_NS;
    mr_parallel_for(group, count, pack_slices, &s, 1, packing);
    if (!s.failed) {
      mr_parallel_for(group, count * cut->bands, multiply_bands, &s, 1,
                      cost_ns * (uint64_t)count / (uint64_t)cut->slices);
    }
  }
  return (dnnl_status_t)s.failed;
}
