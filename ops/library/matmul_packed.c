#include "ops/library/matmul_packed.h"

#include "ops/library/matmul_view.h"
#include "ops/library/pieces.h"
#include "ops/library/tuning.h"

// oneDNN goes by columns, where ours are rows: its first operand is our right one, its rows are our columns.
static const char *letter(mr_matrix_view view) { return view.transposed ? "T" : "N"; }

static int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

// ---- Cutting ------------------------------------------------------------------------------------------------------------

// The size of a part of so many columns and so long a sum, and whether oneDNN packs it.
static bool measure_part(const mr_dnnl_table *dnnl, const mr_matmul_desc *d, int64_t columns, int64_t sum,
                         size_t *out_bytes) {
  mr_matrix_view a = mr_matmul_view_a(d), b = mr_matmul_view_b(d);
  bool packs = false;
  int before = mr_single_threaded_begin();
  dnnl_status_t status =
      dnnl->sgemm_pack_get_size("A", letter(b), letter(a), &columns, &d->m, &sum, &b.lead, &a.lead, out_bytes, &packs);
  mr_single_threaded_end(before);
  return !status && packs;
}

// In `parts` of the same size, but for the last.
static int64_t part_of(int64_t size, int64_t parts, int64_t unit) {
  return MR_MIN(round_up((size + parts - 1) / parts, unit), size);
}

static int64_t parts_of(int64_t size, int64_t part) { return (size + part - 1) / part; }

// At least two parts, for two cores to pack.
static void choose_parts(const mr_matmul_desc *d, mr_packed_cut *out) {
  int64_t depths = parts_of(d->k, MR_PACKED_DEPTH), least = depths > 1 ? 1 : 2;
  out->slice = part_of(d->n, MR_MAX(parts_of(d->n, MR_PACKED_COLUMNS), least), MR_PACKED_UNIT);
  out->slices = parts_of(d->n, out->slice);
  out->depth = part_of(d->k, depths, MR_PACKED_UNIT);
  out->depths = parts_of(d->k, out->depth);
}

// The largest part, of those that may be the last of a row or a column of parts.
static bool measure_parts(const mr_dnnl_table *dnnl, const mr_matmul_desc *d, mr_packed_cut *out) {
  int64_t columns[] = {out->slice, d->n - (out->slices - 1) * out->slice};
  int64_t sums[] = {out->depth, d->k - (out->depths - 1) * out->depth};
  for (int i = 0; i < 4; i++) {
    size_t bytes = 0;
    if (!measure_part(dnnl, d, columns[i & 1], sums[i / 2], &bytes)) {
      return false;
    }
    out->part_bytes = MR_MAX(out->part_bytes, (bytes + 63) & ~(size_t)63);
  }
  return true;
}

// Slices first: more of them are more pieces. In steps of about the same size.
static void choose_steps(mr_packed_cut *out) {
  int64_t fit = MR_MAX(MR_PACKED_BYTES / (int64_t)out->part_bytes, (int64_t)1);
  out->slices_at_once = parts_of(out->slices, parts_of(out->slices, MR_MIN(fit, out->slices)));
  out->depths_at_once = parts_of(out->depths, parts_of(out->depths, MR_MIN(fit / out->slices_at_once, out->depths)));
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
  choose_parts(d, out_cut);
  if (!measure_parts(dnnl, d, out_cut)) {
    return false;
  }
  choose_steps(out_cut);
  out_cut->bands = parts_of(d->m, out_cut->band);
  return true;
}

// ---- Running ------------------------------------------------------------------------------------------------------------

typedef struct packed_job {
  const mr_dnnl_table *dnnl;
  const mr_matmul_desc *desc;
  const mr_packed_cut *cut;
  const float *a, *b;
  float *c;
  char *scratch;
  int64_t first_slice, first_depth, depths;  // of this step
  _Atomic(int) failed;                       // relaxed: read after the loop has ended
} packed_job;

typedef struct part {
  int64_t column, columns, from, sum;  // of the right operand
  float *packed;
} part;

// Part `depth` of part `slice` of this step.
static part part_at(const packed_job *s, int64_t slice, int64_t depth) {
  const mr_packed_cut *cut = s->cut;
  int64_t column = (s->first_slice + slice) * cut->slice, from = (s->first_depth + depth) * cut->depth;
  return (part){.column = column,
                .columns = MR_MIN(cut->slice, s->desc->n - column),
                .from = from,
                .sum = MR_MIN(cut->depth, s->desc->k - from),
                .packed = (float *)(void *)(s->scratch + (size_t)(slice * s->depths + depth) * cut->part_bytes)};
}

static void note(packed_job *s, dnnl_status_t status) {
  if (status) {
    atomic_store_explicit(&s->failed, (int)status, memory_order_relaxed);
  }
}

// Rows of the operand lie pages apart, which no processor reads ahead: where oneDNN goes from row to row it would wait for each line.
static void fetch(const mr_matmul_desc *d, const part *p, const float *from) {
  enum { LINE = 64 / sizeof(float) };
  bool by_columns = d->b_stride[2] != 1;
  int64_t rows = by_columns ? p->columns : p->sum, length = by_columns ? p->sum : p->columns;
  int64_t stride = by_columns ? d->b_stride[2] : d->b_stride[1];
  for (int64_t row = 0; row < rows; row++) {
    for (int64_t i = 0; i < length; i += LINE) {
      __builtin_prefetch(from + row * stride + i, 0, 2);
    }
  }
}

static void pack_parts(void *context, int64_t begin, int64_t end) {
  packed_job *s = context;
  const mr_matmul_desc *d = s->desc;
  mr_matrix_view a = mr_matmul_view_a(d), b = mr_matmul_view_b(d);
  int before = mr_single_threaded_begin();
  for (int64_t i = begin; i < end; i++) {
    part p = part_at(s, i / s->depths, i % s->depths);
    const float *from = s->b + p.from * d->b_stride[1] + p.column * d->b_stride[2];
    fetch(d, &p, from);
    note(s,
         s->dnnl->sgemm_pack("A", letter(b), letter(a), &p.columns, &d->m, &p.sum, &b.lead, &a.lead, from, p.packed));
  }
  mr_single_threaded_end(before);
}

// The bands of one slice come one after the other: whoever has packed it finds it in a cache.
static void multiply_bands(void *context, int64_t begin, int64_t end) {
  packed_job *s = context;
  const mr_matmul_desc *d = s->desc;
  mr_matrix_view a = mr_matmul_view_a(d), b = mr_matmul_view_b(d);
  const int64_t lead = mr_matmul_lead_of_c(d);
  int before = mr_single_threaded_begin();
  for (int64_t i = begin; i < end; i++) {
    int64_t m0 = i % s->cut->bands * s->cut->band, m = MR_MIN(s->cut->band, d->m - m0);
    for (int64_t depth = 0; depth < s->depths; depth++) {
      part p = part_at(s, i / s->cut->bands, depth);
      const float kept = p.from ? 1 : 0;
      note(s, s->dnnl->sgemm_compute("P", letter(a), &p.columns, &m, &p.sum, p.packed, &b.lead,
                                     s->a + m0 * d->a_stride[1] + p.from * d->a_stride[2], &a.lead, &kept,
                                     s->c + m0 * lead + p.column, &lead));
    }
  }
  mr_single_threaded_end(before);
}

// So many parts that each thread has one to pack, of those that are this device's: the fewer, the more of them stay in a cache. Two
// devices with 512 x 1024 x 1024 each, on two cores: 10.45 ms with two slices each at once, 10.2 with one.
static int64_t parts_wanted(const mr_matmul_desc *d, const mr_group *group) {
  int64_t threads = group ? mr_group_concurrency(group) : 1;
  return MR_MAX(d->in_rows ? threads / 2 : threads, (int64_t)1);
}

dnnl_status_t mr_matmul_packed_run(const mr_dnnl_table *dnnl, const mr_matmul_desc *desc, const mr_packed_cut *cut,
                                   const float *a, const float *b, float *c, char *scratch, mr_group *group,
                                   uint64_t cost_ns) {
  packed_job s = {.dnnl = dnnl, .desc = desc, .cut = cut, .a = a, .b = b, .c = c, .scratch = scratch};
  int64_t wanted = parts_wanted(desc, group);
  int64_t slices_at_once = MR_MIN(cut->slices_at_once, wanted);
  int64_t depths_at_once = MR_MIN(cut->depths_at_once, MR_MAX(wanted / slices_at_once, (int64_t)1));
  while (s.first_slice < cut->slices && !s.failed) {
    int64_t slices = MR_MIN(slices_at_once, cut->slices - s.first_slice);
    s.depths = MR_MIN(depths_at_once, cut->depths - s.first_depth);
    uint64_t parts = (uint64_t)(slices * s.depths), all = (uint64_t)(cut->slices * cut->depths);
    mr_parallel_for(group, (int64_t)parts, pack_parts, &s, 1,
                    parts * (uint64_t)(cut->slice * cut->depth) / MR_PACKED_PER_NS);
    if (!s.failed) {
      mr_parallel_for(group, slices * cut->bands, multiply_bands, &s, 1, cost_ns * parts / all);
    }
    s.first_depth += s.depths;
    if (s.first_depth == cut->depths) {
      s.first_depth = 0;
      s.first_slice += slices;
    }
  }
  return (dnnl_status_t)s.failed;
}
