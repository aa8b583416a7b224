// Lines in two steps: a line of n1 * n2 elements is n2 columns of n1, transformed, multiplied by roots of unity, and then n1
// rows of n2. Both steps have many short lines, which fill the lanes and stay in the cache.
//
// Element j1 * n2 + j2 of the line goes in; element k1 + n1 * k2 comes out. Between the steps the line lies in `middle` as
// [k1][j2], with rows a little longer than n2 so that a column does not hit one cache set.
#include "ops/library/fft_stage.h"

#include "ops/library/cores.h"
#include "ops/library/tuning.h"

typedef struct mr_fft_steps {
  const mr_fft_line *first, *second;
  int64_t n1, n2, row;  // row: elements from row to row of `middle`
  int64_t groups1, groups2;
  const char *bases;                  // [groups1][n1]: the factor of the group's first column
  const void *lanes;                  // [n1][lane]: the factors of the next columns
  size_t base_bytes;                  // of one group
  bool over_lines;                    // pieces are whole lines; else every line is cut
  size_t middle_offset, half_offset;  // in a piece's memory when over_lines, else in the stage's
  size_t lane_bytes;                  // working memory of the kernels, per piece
} mr_fft_steps;

// ---- Choosing ---------------------------------------------------------------------------------------------------------

static int lanes_of(const mr_fft_stage *s) { return mr_fft_choose(s->dtype, false)->lanes; }

// Vectors gone through when the line is cut like this; long columns miss the caches.
static double price(int64_t n1, int64_t n2, int lanes) {
  int64_t vectors = (n2 + lanes - 1) / lanes * n1 + (n1 + lanes - 1) / lanes * n2;
  return (double)vectors * (MR_MAX(n1, n2) > 2048 ? 1.5 : 1.0) *
         (1.0 + 0.02 * (double)MR_MAX(n1, n2) / (double)MR_MIN(n1, n2));
}

static int64_t cut_at(int64_t n, int lanes) {
  int64_t best = 1;
  for (int64_t n1 = 2; n1 <= n / n1 * n1 && n1 <= n / 2 && n1 <= 65536; n1++) {
    if (n % n1 == 0 && (best == 1 || price(n1, n / n1, lanes) < price(best, n / best, lanes))) {
      best = n1;
    }
  }
  return best;
}

bool mr_fft_long_wants(const mr_fft_stage *s) {
  const mr_fft_kernels *wide = mr_fft_choose(s->dtype, false);
  bool few = s->lines <= wide->lanes / 2 && s->n >= MR_FFT_CUT_LENGTH;
  bool large = 2 * (double)s->n * (double)wide->element_bytes > MR_FFT_CACHE_BYTES;
  bool kinds = s->work.load != MR_FFT_LOAD_REAL && s->work.load != MR_FFT_LOAD_HERMITIAN;
  if (s->inner != 1 || !kinds || !(few || large) || !mr_fft_is_smooth(s->n)) {
    return false;
  }
  int64_t n1 = cut_at(s->n, wide->lanes), n2 = s->n / n1;
  return MR_MIN(n1, n2) >= 4;
}

// ---- Making -------------------------------------------------------------------------------------------------------------

static mr_status fill_factors(mr_arena *arena, const mr_fft_stage *s, mr_fft_steps *steps, int lanes) {
  size_t unit = 2 * mr_dtype_bytes(s->dtype);
  mr_fft_roots roots;
  MR_TRY(mr_fft_roots_init(arena, s->n, &roots));
  char *bases = mr_fft_table(arena, s->dtype, steps->groups1 * steps->n1);
  char *vectors = mr_fft_table(arena, s->dtype, steps->n1 * lanes);
  if (!bases || !vectors) {
    return MR_NO_MEMORY();
  }
  long double value[2];
  for (int64_t g = 0; g < steps->groups1; g++) {
    for (int64_t k = 0; k < steps->n1; k++) {
      mr_fft_root(&roots, k * g * lanes, value);
      mr_fft_put(s->dtype, bases, g * steps->n1 + k, value);
    }
  }
  // Real parts of all lanes, then imaginary ones.
  for (int64_t k = 0; k < steps->n1; k++) {
    for (int l = 0; l < lanes; l++) {
      mr_fft_root(&roots, k * l, value);
      for (int part = 0; part < 2; part++) {
        int64_t at = (2 * k + part) * lanes + l;
        if (s->dtype == MR_F64) {
          ((double *)(void *)vectors)[at] = (double)value[part];
        } else {
          ((float *)(void *)vectors)[at] = (float)value[part];
        }
      }
    }
  }
  steps->bases = bases;
  steps->lanes = vectors;
  steps->base_bytes = (size_t)steps->n1 * unit;
  return MR_OK;
}

static size_t round_up(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

// Per piece: the kernels' memory. Per line in work: the middle, and the input when it is half a spectrum.
static void place(mr_fft_stage *s, mr_fft_steps *steps) {
  size_t unit = 2 * mr_dtype_bytes(s->dtype);
  int64_t cores = mr_cores();
  steps->lane_bytes = round_up(2 * MR_MAX(steps->first->elements, steps->second->elements) * s->kernels->element_bytes);
  size_t middle = round_up((size_t)(steps->n1 * steps->row) * unit);
  size_t half = s->work.load == MR_FFT_LOAD_HALF ? round_up((size_t)s->n * unit) : 0;
  steps->over_lines = s->lines >= cores && cores > 1;
  s->pieces = steps->over_lines ? MR_MIN(s->lines, cores) : cores;
  steps->middle_offset = steps->over_lines ? steps->lane_bytes : (size_t)s->pieces * steps->lane_bytes;
  steps->half_offset = steps->middle_offset + middle;
  s->piece_bytes = steps->over_lines ? steps->half_offset + half : steps->lane_bytes;
  s->memory_bytes = steps->over_lines ? (size_t)s->pieces * s->piece_bytes : steps->half_offset + half;
}

mr_status mr_fft_long_fill(mr_arena *arena, mr_fft_stage *s) {
  mr_fft_steps *steps = mr_arena_new(arena, mr_fft_steps);
  if (!steps) {
    return MR_NO_MEMORY();
  }
  int lanes = lanes_of(s);
  s->kernels = mr_fft_choose(s->dtype, false);
  steps->n1 = cut_at(s->n, lanes);
  steps->n2 = s->n / steps->n1;
  steps->row = steps->n2 + 64 / (2 * (int64_t)mr_dtype_bytes(s->dtype));
  steps->groups1 = (steps->n2 + lanes - 1) / lanes;
  steps->groups2 = (steps->n1 + lanes - 1) / lanes;
  MR_TRY(mr_fft_line_create(arena, s->dtype, steps->n1, &steps->first));
  MR_TRY(mr_fft_line_create(arena, s->dtype, steps->n2, &steps->second));
  MR_TRY(fill_factors(arena, s, steps, lanes));
  place(s, steps);
  s->work.line = steps->first;  // for estimates
  s->steps = steps;
  return MR_OK;
}

// ---- Running ----------------------------------------------------------------------------------------------------------

typedef struct long_run {
  const mr_fft_stage *stage;
  const mr_fft_steps *steps;
  const char *in;  // of this line
  char *out, *middle;
  char *memory;
  int64_t pieces;
} long_run;

static void first_groups(const long_run *r, int64_t begin, int64_t end, void *memory) {
  const mr_fft_stage *s = r->stage;
  const mr_fft_steps *t = r->steps;
  int lanes = s->kernels->lanes;
  mr_fft_work work = {.line = t->first,
                      .swap = s->work.swap,
                      .count = t->n1,
                      .scale = 1.0,
                      .in = r->in,
                      .out = r->middle,
                      .in_stride = t->n2,
                      .out_stride = t->row,
                      .step_lanes = t->lanes};
  for (int64_t g = begin; g < end; g++) {
    work.used = (int)MR_MIN((int64_t)lanes, t->n2 - g * lanes);
    work.step_base = t->bases + (size_t)g * t->base_bytes;
    for (int l = 0; l < work.used; l++) {
      work.in_base[l] = work.out_base[l] = g * lanes + l;
    }
    s->kernels->run(&work, memory);
  }
}

static void second_groups(const long_run *r, int64_t begin, int64_t end, void *memory) {
  const mr_fft_stage *s = r->stage;
  const mr_fft_steps *t = r->steps;
  int lanes = s->kernels->lanes;
  mr_fft_work work = {.line = t->second,
                      .swap = s->work.swap,
                      .count = t->n2,
                      .scale = s->work.scale,
                      .in = r->middle,
                      .out = r->out,
                      .in_stride = 1,
                      .out_stride = t->n1};
  for (int64_t g = begin; g < end; g++) {
    work.used = (int)MR_MIN((int64_t)lanes, t->n1 - g * lanes);
    for (int l = 0; l < work.used; l++) {
      work.in_base[l] = (g * lanes + l) * t->row;
      work.out_base[l] = g * lanes + l;
    }
    s->kernels->run(&work, memory);
  }
}

static void first_pieces(void *context, int64_t begin, int64_t end) {
  const long_run *r = context;
  int64_t groups = r->steps->groups1;
  first_groups(r, begin * groups / r->pieces, end * groups / r->pieces,
               r->memory + (size_t)begin * r->steps->lane_bytes);
}

static void second_pieces(void *context, int64_t begin, int64_t end) {
  const long_run *r = context;
  int64_t groups = r->steps->groups2;
  second_groups(r, begin * groups / r->pieces, end * groups / r->pieces,
                r->memory + (size_t)begin * r->steps->lane_bytes);
}

// Spectra of real lines, before and after (fft_kernels.h: split, unsplit) on one line in memory.
#define HALVES(REAL)                                                                                                   \
  static void split_##REAL(REAL *x, int64_t n, const REAL *roots) {                                                    \
    x[2 * n] = x[0];                                                                                                   \
    x[2 * n + 1] = x[1];                                                                                               \
    for (int64_t k = 0; k <= n / 2; k++) {                                                                             \
      REAL *a = x + 2 * k, *b = x + 2 * (n - k);                                                                       \
      REAL half = (REAL)0.5, w0 = roots[2 * k], w1 = roots[2 * k + 1];                                                 \
      REAL sr = (a[0] + b[0]) * half, si = (a[1] - b[1]) * half, tr = (a[1] + b[1]) * half, ti = (b[0] - a[0]) * half; \
      REAL ur = tr * w0 - ti * w1, ui = tr * w1 + ti * w0;                                                             \
      a[0] = sr + ur;                                                                                                  \
      a[1] = si + ui;                                                                                                  \
      b[0] = sr - ur;                                                                                                  \
      b[1] = ui - si;                                                                                                  \
    }                                                                                                                  \
  }                                                                                                                    \
  static void unsplit_##REAL(const REAL *x, int64_t n, const REAL *roots, REAL *out) {                                 \
    for (int64_t k = 0; k <= n / 2; k++) {                                                                             \
      const REAL *a = x + 2 * k, *b = x + 2 * (n - k);                                                                 \
      REAL ai = k ? a[1] : 0, bi = k ? b[1] : 0, w0 = roots[2 * k], w1 = roots[2 * k + 1];                             \
      REAL sr = a[0] + b[0], si = ai - bi, dr = a[0] - b[0], di = ai + bi;                                             \
      REAL tr = dr * w1 - di * w0, ti = dr * w0 + di * w1;                                                             \
      out[2 * k] = sr + tr;                                                                                            \
      out[2 * k + 1] = si + ti;                                                                                        \
      if (k) {                                                                                                         \
        out[2 * (n - k)] = sr - tr;                                                                                    \
        out[2 * (n - k) + 1] = ti - si;                                                                                \
      }                                                                                                                \
    }                                                                                                                  \
  }
HALVES(float)
HALVES(double)

static void run_line(long_run *r, int64_t line, const char *in, char *out, char *shared, mr_group *group) {
  const mr_fft_stage *s = r->stage;
  const mr_fft_steps *t = r->steps;
  size_t unit = 2 * mr_dtype_bytes(s->dtype);
  uint64_t cost = s->cost_ns / (uint64_t)s->lines / 2;
  r->in = in + (size_t)(line * s->in_outer) * unit;
  r->out = out + (size_t)(line * s->out_outer) * unit;
  r->middle = shared + t->middle_offset;
  const void *roots = s->work.half_roots;
  if (s->work.load == MR_FFT_LOAD_HALF) {
    void *halves = shared + t->half_offset;
    if (s->dtype == MR_F64) {
      unsplit_double((const double *)(const void *)r->in, s->n, roots, halves);
    } else {
      unsplit_float((const float *)(const void *)r->in, s->n, roots, halves);
    }
    r->in = halves;
  }
  mr_parallel_for(group, r->pieces, first_pieces, r, 1, cost);
  mr_parallel_for(group, r->pieces, second_pieces, r, 1, cost);
  if (s->work.store == MR_FFT_STORE_HALF) {
    if (s->dtype == MR_F64) {
      split_double((double *)(void *)r->out, s->n, roots);
    } else {
      split_float((float *)(void *)r->out, s->n, roots);
    }
  }
}

typedef struct lines_run {
  const mr_fft_stage *stage;
  const char *in;
  char *out, *memory;
} lines_run;

static void run_lines(void *context, int64_t begin, int64_t end) {
  const lines_run *all = context;
  const mr_fft_stage *s = all->stage;
  char *memory = all->memory + (size_t)begin * s->piece_bytes;
  long_run r = {.stage = s, .steps = s->steps, .memory = memory, .pieces = 1};
  for (int64_t line = begin * s->lines / s->pieces; line < end * s->lines / s->pieces; line++) {
    run_line(&r, line, all->in, all->out, memory, NULL);
  }
}

void mr_fft_long_run(const mr_fft_stage *s, const void *in, void *out, char *memory, mr_group *group) {
  if (s->steps->over_lines) {
    lines_run all = {.stage = s, .in = in, .out = out, .memory = memory};
    mr_parallel_for(group, s->pieces, run_lines, &all, 1, s->cost_ns);
    return;
  }
  long_run r = {.stage = s, .steps = s->steps, .memory = memory, .pieces = s->pieces};
  for (int64_t line = 0; line < s->lines; line++) {
    run_line(&r, line, in, out, memory, group);
  }
}
