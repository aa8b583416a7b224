// Transforms of whole arrays: one stage per dimension, each over all lines of that dimension, cut into pieces for the cores.
//
// A stage goes over its lines in groups as wide as the kernels. Long lines, and lines that are too few to fill a group, are
// cut in two steps (fft_long.c), which makes many short lines of them.
#include "ops/library/fft_stage.h"

#include <string.h>

#include "ops/library/cores.h"
#include "ops/library/tuning.h"

typedef struct fft {
  mr_library_call base;
  mr_arena arena;
  int num_stages;
  mr_fft_stage stages[MR_FFT_RANK];
  size_t out_bytes;
  size_t spare_bytes;  // of the copy of the input that MR_FFT_REAL_INVERSE works on
} fft;

// ---- Running ----------------------------------------------------------------------------------------------------------

typedef struct stage_run {
  const mr_fft_stage *stage;
  const void *in;
  void *out;
  char *memory;
  int64_t pieces;
} stage_run;

static int64_t line_base(const mr_fft_stage *s, int64_t line, int64_t outer_stride) {
  return line / s->inner * outer_stride + line % s->inner;
}

static void run_groups(const stage_run *r, int64_t begin, int64_t end, void *memory) {
  const mr_fft_stage *s = r->stage;
  int lanes = s->kernels->lanes;
  mr_fft_work work = s->work;
  work.in = r->in;
  work.out = r->out;
  for (int64_t g = begin; g < end; g++) {
    work.used = (int)MR_MIN((int64_t)lanes, s->lines - g * lanes);
    for (int l = 0; l < work.used; l++) {
      work.in_base[l] = line_base(s, g * lanes + l, s->in_outer);
      work.out_base[l] = line_base(s, g * lanes + l, s->out_outer);
    }
    s->kernels->run(&work, memory);
  }
}

// Pieces [begin, end) use the memory of the first.
static void run_pieces(void *context, int64_t begin, int64_t end) {
  const stage_run *r = context;
  const mr_fft_stage *s = r->stage;
  run_groups(r, begin * s->groups / r->pieces, end * s->groups / r->pieces, r->memory + (size_t)begin * s->piece_bytes);
}

static void run_stage(const mr_fft_stage *s, const void *in, void *out, char *memory, mr_group *group) {
  if (s->steps) {
    mr_fft_long_run(s, in, out, memory, group);
    return;
  }
  stage_run r = {.stage = s, .in = in, .out = out, .memory = memory, .pieces = s->pieces};
  mr_parallel_for(group, r.pieces, run_pieces, &r, 1, s->cost_ns);
}

static mr_status fft_run(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  const fft *self = (const fft *)call;
  char *memory = (char *)scratch + self->spare_bytes;
  if (self->num_stages == 0) {
    memset(buffers[1], 0, self->out_bytes);  // of no elements, or of transforms of nothing
  }
  const void *from = buffers[0];
  for (int i = 0; i < self->num_stages; i++) {
    bool last = i + 1 == self->num_stages;
    void *to = self->spare_bytes && !last ? scratch : buffers[1];
    run_stage(&self->stages[i], from, to, memory, group);
    from = to;
  }
  return MR_OK;
}

// ---- Making -------------------------------------------------------------------------------------------------------------

static void fft_destroy(mr_library_call *call) {
  fft *self = (fft *)call;
  mr_arena_deinit(&self->arena);
  mr_free(self);
}

static bool is_valid(const mr_fft_desc *d) {
  bool good = (d->dtype == MR_F32 || d->dtype == MR_F64) && d->rank >= 1 && d->rank <= MR_FFT_RANK && d->batch >= 0;
  for (int i = 0; good && i < d->rank; i++) {
    good = d->length[i] >= 0 && d->length[i] <= INT32_MAX;
  }
  return good;
}

bool mr_fft_supports(const mr_fft_desc *desc) { return is_valid(desc); }

// Elements of a dimension on the complex side.
static int64_t complex_length(const mr_fft_desc *d, int dim) {
  bool halved = dim == d->rank - 1 && d->kind >= MR_FFT_REAL;
  return halved ? d->length[dim] / 2 + 1 : d->length[dim];
}

static mr_status half_roots(mr_arena *arena, mr_dtype dtype, int64_t n, const void **out_table) {
  mr_fft_roots roots;
  MR_TRY(mr_fft_roots_init(arena, 2 * n, &roots));
  void *table = mr_fft_table(arena, dtype, n / 2 + 1);
  if (!table) {
    return MR_NO_MEMORY();
  }
  for (int64_t k = 0; k <= n / 2; k++) {
    long double value[2];
    mr_fft_root(&roots, k, value);
    mr_fft_put(dtype, table, k, value);
  }
  *out_table = table;
  return MR_OK;
}

// The stage of the last dimension when one side is real. Even lengths take pairs of numbers as complex ones.
static mr_status fill_real(mr_arena *arena, const mr_fft_desc *d, mr_fft_stage *s) {
  int64_t n = d->length[d->rank - 1], spectrum = n / 2 + 1;
  bool forward = d->kind == MR_FFT_REAL, even = n % 2 == 0;
  s->n = even ? n / 2 : n;
  s->work.load = forward ? even ? MR_FFT_LOAD_COMPLEX : MR_FFT_LOAD_REAL
                 : even  ? MR_FFT_LOAD_HALF
                         : MR_FFT_LOAD_HERMITIAN;
  s->work.store = !forward ? even ? MR_FFT_STORE_COMPLEX : MR_FFT_STORE_REAL
                  : even   ? MR_FFT_STORE_HALF
                           : MR_FFT_STORE_COMPLEX;
  s->work.count = forward ? spectrum : s->n;
  s->in_outer = forward ? s->n : spectrum;
  s->out_outer = forward ? spectrum : s->n;
  return even ? half_roots(arena, d->dtype, s->n, &s->work.half_roots) : MR_OK;
}

static uint64_t estimate(const mr_fft_stage *s, mr_dtype dtype) {
  double log = 1;
  for (int64_t n = s->n; n > 1; n /= 2) {
    log += 1;
  }
  double work = s->work.line->convolution ? 6 : 1;
  return (uint64_t)(5 * work * log * (double)s->n * (double)s->lines /
                    (dtype == MR_F64 ? MR_FFT_F64_PER_NS : MR_FFT_F32_PER_NS)) +
         100;
}

// A single line wastes all lanes but one; long ones (convolutions) would waste memory as well.
static bool wants_one_lane(int64_t lines, size_t elements, mr_dtype dtype) {
  const mr_fft_kernels *wide = mr_fft_choose(dtype, false);
  return lines == 1 || (lines < wide->lanes / 2 && 2 * elements * wide->element_bytes > MR_FFT_CACHE_BYTES);
}

static mr_status fill_stage(fft *self, const mr_fft_desc *d, int dim, mr_fft_stage *s) {
  bool real_side = dim == d->rank - 1 && d->kind >= MR_FFT_REAL;
  s->dtype = d->dtype;
  s->lines = d->batch;
  s->inner = 1;
  for (int i = 0; i < d->rank; i++) {
    s->lines *= i == dim ? 1 : complex_length(d, i);
    s->inner *= i > dim ? complex_length(d, i) : 1;
  }
  s->n = s->work.count = d->length[dim];
  s->in_outer = s->out_outer = s->n * s->inner;
  s->work.in_stride = s->work.out_stride = s->inner;
  s->work.swap = d->kind == MR_FFT_INVERSE || d->kind == MR_FFT_REAL_INVERSE;
  s->work.scale = 1.0;
  if (real_side) {
    MR_TRY(fill_real(&self->arena, d, s));
  }
  if (mr_fft_long_wants(s)) {
    MR_TRY(mr_fft_long_fill(&self->arena, s));
    s->cost_ns = estimate(s, d->dtype);
    return MR_OK;
  }
  MR_TRY(mr_fft_line_create(&self->arena, d->dtype, s->n, &s->work.line));
  s->kernels = mr_fft_choose(d->dtype, wants_one_lane(s->lines, s->work.line->elements, d->dtype));
  s->groups = (s->lines + s->kernels->lanes - 1) / s->kernels->lanes;
  s->pieces = MR_MIN(s->groups, mr_cores());
  s->piece_bytes = 2 * s->work.line->elements * s->kernels->element_bytes;
  s->memory_bytes = (size_t)s->pieces * s->piece_bytes;
  s->cost_ns = estimate(s, d->dtype);
  return MR_OK;
}

// The last dimension first, except on the way back to real numbers, which ends with it.
static mr_status fill_stages(fft *self, const mr_fft_desc *d) {
  bool real_last = d->kind == MR_FFT_REAL_INVERSE;
  size_t memory = 0;
  double elements = 1;
  for (int i = 0; i < d->rank; i++) {
    int dim = real_last ? i : d->rank - 1 - i;
    elements *= (double)d->length[dim];
    mr_fft_stage *s = &self->stages[self->num_stages++];
    MR_TRY(fill_stage(self, d, dim, s));
    self->base.cost_ns += s->cost_ns;
    memory = MR_MAX(memory, s->memory_bytes);
  }
  if (d->kind == MR_FFT_INVERSE || real_last) {
    self->stages[self->num_stages - 1].work.scale = 1.0 / elements;
  }
  if (real_last && self->num_stages > 1) {
    size_t bytes = 2 * mr_dtype_bytes(d->dtype) * (size_t)d->batch;
    for (int i = 0; i < d->rank; i++) {
      bytes *= (size_t)complex_length(d, i);
    }
    self->spare_bytes = (bytes + 63) & ~(size_t)63;
  }
  self->base.scratch_bytes = self->spare_bytes + memory;
  self->base.flops = self->base.cost_ns * (d->dtype == MR_F64 ? MR_FFT_F64_PER_NS : MR_FFT_F32_PER_NS);
  return MR_OK;
}

static bool has_elements(const mr_fft_desc *d) {
  bool some = d->batch > 0;
  for (int i = 0; i < d->rank; i++) {
    some = some && d->length[i] > 0;
  }
  return some;
}

static size_t result_bytes(const mr_fft_desc *d) {
  size_t bytes = mr_dtype_bytes(d->dtype) * (size_t)d->batch;
  for (int i = 0; i < d->rank; i++) {
    bytes *= (size_t)(d->kind == MR_FFT_REAL_INVERSE || d->length[i] == 0 ? d->length[i] : complex_length(d, i));
  }
  return d->kind == MR_FFT_REAL_INVERSE ? bytes : 2 * bytes;
}

mr_status mr_fft_create(const mr_fft_desc *desc, mr_library_call **out_call) {
  *out_call = NULL;
  if (!is_valid(desc)) {
    return mr_error(MR_UNIMPLEMENTED, "a Fourier transform of rank %d on %s", desc->rank, mr_dtype_name(desc->dtype));
  }
  fft *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  mr_arena_init(&self->arena, 0);
  self->base.run = fft_run;
  self->base.destroy = fft_destroy;
  self->base.name = "fft";
  self->out_bytes = result_bytes(desc);
  mr_status status = has_elements(desc) ? fill_stages(self, desc) : MR_OK;
  if (status) {
    fft_destroy(&self->base);
    return status;
  }
  *out_call = &self->base;
  return MR_OK;
}
