// Fourier transforms of the library against the definition, in long double precision.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/library/fft.h"
#include "ops/library/fft_plan.h"
#include "scheduler/scheduler.h"
#include "tests/cmocka.h"
#include "tests/ops/numbers.h"

static double get(mr_dtype type, const void *data, int64_t i) {
  return type == MR_F64 ? ((const double *)data)[i] : (double)((const float *)data)[i];
}

static void set(mr_dtype type, void *data, int64_t i, double value) {
  if (type == MR_F64) {
    ((double *)data)[i] = value;
  } else {
    ((float *)data)[i] = (float)value;
  }
}

static void *memory(size_t bytes) {
  void *data = aligned_alloc(64, (bytes + 127) / 64 * 64);
  memset(data, 0xAB, bytes);
  return data;
}

// `n` complex numbers, `step` apart, of a line of `whole`, of which root[j] is the jth root of one. By the definition where n is prime; else its smallest
// factor p says how to cut: of the lines x[r], x[r + p], ... each is transformed and turned.
static void naive_line(const long double *x, int64_t step, int64_t n, long double *out, const long double *root,
                       int64_t whole) {
  int64_t p = 2;
  while (p < n && n % p) {
    p++;
  }
  int64_t m = n / p;
  long double *parts = malloc((size_t)n * 2 * sizeof *parts);
  for (int64_t r = 0; r < p; r++) {
    if (m == 1) {
      memcpy(parts + 2 * r, x + 2 * r * step, 2 * sizeof *parts);
    } else {
      naive_line(x + 2 * r * step, step * p, m, parts + 2 * r * m, root, whole);
    }
  }
  for (int64_t k = 0; k < n; k++) {
    long double re = 0, im = 0;
    for (int64_t r = 0; r < p; r++) {
      const long double *w = root + 2 * (r * k % n * (whole / n)), *v = parts + 2 * (r * m + k % m);
      re += v[0] * w[0] - v[1] * w[1];
      im += v[0] * w[1] + v[1] * w[0];
    }
    out[2 * k] = re;
    out[2 * k + 1] = im;
  }
  free(parts);
}

// One dimension of outer x n x inner complex numbers; sign -1 is forward.
static void naive(double *x, int64_t outer, int64_t n, int64_t inner, int sign) {
  if (n == 1) {
    return;
  }
  size_t bytes = (size_t)n * 2 * sizeof(long double);
  long double *root = malloc(bytes), *line = malloc(bytes), *out = malloc(bytes);
  for (int64_t k = 0; k < n; k++) {
    long double angle = 6.283185307179586476925286766559L * (long double)k / (long double)n;
    root[2 * k] = cosl(angle);
    root[2 * k + 1] = sign * sinl(angle);
  }
  for (int64_t o = 0; o < outer * inner; o++) {
    double *base = x + 2 * (o / inner * n * inner + o % inner);
    for (int64_t k = 0; k < n; k++) {
      line[2 * k] = base[2 * k * inner];
      line[2 * k + 1] = base[2 * k * inner + 1];
    }
    naive_line(line, 1, n, out, root, n);
    for (int64_t k = 0; k < n; k++) {
      base[2 * k * inner] = (double)out[2 * k];
      base[2 * k * inner + 1] = (double)out[2 * k + 1];
    }
  }
  free(root);
  free(line);
  free(out);
}

static void naive_all(double *x, const mr_fft_desc *d, int sign) {
  for (int i = 0; i < d->rank; i++) {
    int64_t outer = d->batch, inner = 1;
    for (int j = 0; j < d->rank; j++) {
      outer *= j < i ? d->length[j] : 1;
      inner *= j > i ? d->length[j] : 1;
    }
    naive(x, outer, d->length[i], inner, sign);
  }
}

typedef struct sizes {
  int64_t lines;    // all dimensions but the last
  int64_t n, half;  // of the last one, and its spectrum
  int64_t total;
} sizes;

static sizes sizes_of(const mr_fft_desc *d) {
  sizes s = {.lines = d->batch, .n = d->length[d->rank - 1]};
  for (int i = 0; i + 1 < d->rank; i++) {
    s.lines *= d->length[i];
  }
  s.half = s.n / 2 + 1;
  s.total = s.lines * s.n;
  return s;
}

static void run_call(const mr_fft_desc *d, void *in, void *out) {
  mr_scheduler *scheduler = NULL;
  assert_null(mr_scheduler_acquire(&scheduler));
  mr_library_call *call = NULL;
  assert_null(mr_fft_create(d, &call));
  void *scratch = memory(call->scratch_bytes);
  assert_null(call->run(call, (void *const[]){in, out}, scratch, mr_scheduler_group(scheduler, 0, 1)));
  mr_library_call_destroy(call);
  free(scratch);
  mr_scheduler_release(scheduler);
}

// Four units in the last place: each of the log2 n steps rounds, and their errors add up like a random walk.
static double unit_of(const mr_fft_desc *d) { return d->dtype == MR_F64 ? 0x1p-50 : 0x1p-21; }

// Root mean squares: of the difference, against that of the wanted numbers.
static void check(const mr_fft_desc *d, const void *got, const double *wanted, int64_t numbers) {
  double error = 0, size = 0;
  for (int64_t i = 0; i < numbers; i++) {
    double difference = get(d->dtype, got, i) - wanted[i];
    error += difference * difference;
    size += wanted[i] * wanted[i];
  }
  if (!(sqrt(error) <= unit_of(d) * sqrt(size))) {
    fail_msg("kind %d, %s, batch %lld, length %lld of rank %d: relative error %g", (int)d->kind,
             mr_dtype_name(d->dtype), (long long)d->batch, (long long)d->length[d->rank - 1], d->rank,
             sqrt(error / size));
  }
}

static void test_complex(mr_fft_desc d) {
  sizes s = sizes_of(&d);
  size_t bytes = (size_t)s.total * 2 * mr_dtype_bytes(d.dtype);
  void *in = memory(bytes), *out = memory(bytes);
  double *wanted = malloc((size_t)s.total * 2 * sizeof *wanted);
  double scale = 1;
  for (int i = 0; i < d.rank; i++) {
    scale *= d.kind == MR_FFT_INVERSE ? (double)d.length[i] : 1;
  }
  for (int64_t i = 0; i < 2 * s.total; i++) {
    set(d.dtype, in, i, next_value());
    wanted[i] = get(d.dtype, in, i) / scale;
  }
  naive_all(wanted, &d, d.kind == MR_FFT_INVERSE ? 1 : -1);
  run_call(&d, in, out);
  check(&d, out, wanted, 2 * s.total);
  free(in);
  free(out);
  free(wanted);
}

// The real numbers' transform by the definition, its first half, and the way back from that half.
static void test_real(mr_fft_desc d) {
  sizes s = sizes_of(&d);
  size_t unit = mr_dtype_bytes(d.dtype);
  void *real = memory((size_t)s.total * unit), *half = memory((size_t)(s.lines * s.half) * 2 * unit);
  double *full = malloc((size_t)s.total * 2 * sizeof *full),
         *first = malloc((size_t)(s.lines * s.half) * 2 * sizeof *first);
  double *values = malloc((size_t)s.total * sizeof *values);
  for (int64_t i = 0; i < s.total; i++) {
    set(d.dtype, real, i, next_value());
    full[2 * i] = values[i] = get(d.dtype, real, i);
    full[2 * i + 1] = 0;
  }
  naive_all(full, &d, -1);
  for (int64_t l = 0; l < s.lines; l++) {
    memcpy(first + 2 * l * s.half, full + 2 * l * s.n, (size_t)s.half * 2 * sizeof *first);
  }
  d.kind = MR_FFT_REAL;
  run_call(&d, real, half);
  check(&d, half, first, 2 * s.lines * s.half);
  // Imaginary parts that the inverse does not look at.
  for (int64_t l = 0; d.rank == 1 && l < s.lines; l++) {
    set(d.dtype, half, 2 * l * s.half + 1, 100);
    if (s.n % 2 == 0) {
      set(d.dtype, half, 2 * l * s.half + s.n + 1, -100);
    }
  }
  d.kind = MR_FFT_REAL_INVERSE;
  memset(real, 0xAB, (size_t)s.total * unit);
  run_call(&d, half, real);
  check(&d, real, values, s.total);
  free(real);
  free(half);
  free(full);
  free(first);
  free(values);
}

static void test_all_kinds(mr_fft_desc d) {
  for (int f64 = 0; f64 < 2; f64++) {
    d.dtype = f64 ? MR_F64 : MR_F32;
    d.kind = MR_FFT_FORWARD;
    test_complex(d);
    d.kind = MR_FFT_INVERSE;
    test_complex(d);
    test_real(d);
  }
}

// Every length up to 70 and some beyond: all radices, large primes, lines that fill the lanes and lines that do not.
static void test_lengths(void **state) {
  (void)state;
  static const int64_t more[] = {77, 96, 121, 127, 128, 143, 169, 210, 256, 257, 343, 360, 500, 512, 1000, 1009, 1024};
  for (int64_t n = 1; n <= 70 + (int64_t)MR_ARRAY_SIZE(more); n++) {
    int64_t length = n <= 70 ? n : more[n - 71];
    static const int64_t batches[] = {1, 3, 21, 37};
    for (size_t b = 0; b < (n <= 70 ? MR_ARRAY_SIZE(batches) : 3); b++) {
      test_all_kinds((mr_fft_desc){.batch = batches[b], .rank = 1, .length = {length}});
    }
  }
}

// Two and three dimensions, with columns that lie next to each other and columns that do not.
static void test_dimensions(void **state) {
  (void)state;
  static const int64_t shapes[][3] = {{4, 6, 0}, {16, 33, 0}, {5, 64, 0}, {1, 7, 0},  {9, 1, 0}, {32, 40, 0},
                                      {3, 4, 6}, {1, 1, 1},   {8, 5, 18}, {2, 37, 4}, {6, 1, 11}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(shapes); i++) {
    int rank = shapes[i][2] ? 3 : 2;
    for (int64_t batch = 1; batch <= 3; batch += 2) {
      mr_fft_desc d = {.batch = batch, .rank = rank};
      memcpy(d.length, shapes[i], sizeof d.length);
      test_all_kinds(d);
    }
  }
}

// Lines long enough to be cut in two steps, one at a time and several side by side.
static void test_long_lines(void **state) {
  (void)state;
  static const int64_t lengths[] = {2048, 2310, 4096, 5000};
  for (size_t i = 0; i < MR_ARRAY_SIZE(lengths); i++) {
    test_all_kinds((mr_fft_desc){.batch = 1, .rank = 1, .length = {lengths[i]}});
    test_all_kinds((mr_fft_desc){.batch = 3, .rank = 1, .length = {lengths[i]}});
  }
  test_complex((mr_fft_desc){.kind = MR_FFT_FORWARD, .dtype = MR_F32, .batch = 1, .rank = 1, .length = {12288}});
  test_real((mr_fft_desc){.dtype = MR_F64, .batch = 1, .rank = 1, .length = {16384}});
}

// One impulse in a line far too long for the definition: the answer is a single wave.
static void test_impulse_in_a_very_long_line(void **state) {
  (void)state;
  static const int64_t lengths[] = {1 << 18, 3 * 5 * 7 * 1024, 100003};
  for (size_t i = 0; i < MR_ARRAY_SIZE(lengths); i++) {
    int64_t n = lengths[i], at = n / 3;
    mr_fft_desc d = {.kind = MR_FFT_FORWARD, .dtype = MR_F64, .batch = 1, .rank = 1, .length = {n}};
    double *in = memory((size_t)n * 16), *out = memory((size_t)n * 16);
    memset(in, 0, (size_t)n * 16);
    in[2 * at] = 1;
    run_call(&d, in, out);
    for (int64_t k = 0; k < n; k++) {
      long double angle = -6.283185307179586476925286766559L * (long double)(at * k % n) / (long double)n;
      // Sixteen units of 1: the products of roots along the way to a length of 400,000.
      assert_true(fabs(out[2 * k] - (double)cosl(angle)) < 0x1p-48 &&
                  fabs(out[2 * k + 1] - (double)sinl(angle)) < 0x1p-48);
    }
    free(in);
    free(out);
  }
}

// The kernels of every instruction set that this machine has agree with those of one lane.
static void test_instruction_sets(void **state) {
  (void)state;
  const mr_fft_kernels *kernels[4] = {&mr_fft_f32_one, &mr_fft_f32_plain};
  size_t count = 2;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    kernels[count++] = &mr_fft_f32_avx2;
  }
  if (mr_fft_choose(MR_F32, false) == &mr_fft_f32_avx512) {
    kernels[count++] = &mr_fft_f32_avx512;
  }
#endif
  enum { N = 840 };
  mr_arena arena;
  mr_arena_init(&arena, 0);
  const mr_fft_line *line = NULL;
  assert_null(mr_fft_line_create(&arena, MR_F32, N, &line));
  float *in = memory(N * 16 * 8), *wanted = memory(N * 8), *out = memory(N * 16 * 8), *work = memory((N + 1) * 16 * 16);
  for (int i = 0; i < N * 32; i++) {
    in[i] = (float)next_value();
  }
  for (size_t k = 0; k < count; k++) {
    mr_fft_work job = {.line = line,
                       .used = kernels[k]->lanes,
                       .count = N,
                       .scale = 1,
                       .in = in,
                       .out = out,
                       .in_stride = 1,
                       .out_stride = 1};
    for (int l = 0; l < job.used; l++) {
      job.in_base[l] = job.out_base[l] = l * N;
    }
    kernels[k]->run(&job, work);
    if (k == 0) {
      memcpy(wanted, out, N * 8);
    }
    for (int i = 0; i < 2 * N; i++) {
      assert_true(fabsf(out[i] - wanted[i]) < 0x1p-16f);  // four units of the sums, which are up to 64
    }
  }
  free(in);
  free(wanted);
  free(out);
  free(work);
  mr_arena_deinit(&arena);
}

// Arrays without elements are fine; other element types are refused by name.
static void test_edges(void **state) {
  (void)state;
  test_all_kinds((mr_fft_desc){.batch = 0, .rank = 1, .length = {8}});
  mr_fft_desc d = {.kind = MR_FFT_FORWARD, .dtype = MR_BF16, .batch = 1, .rank = 1, .length = {8}};
  mr_library_call *call = NULL;
  assert_false(mr_fft_supports(&d));
  mr_status status = mr_fft_create(&d, &call);
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  assert_non_null(strstr(mr_status_message(status), "bf16"));
  mr_status_free(status);
}

// Every allocation that fails gives a status and leaks nothing.
static void test_out_of_memory(void **state) {
  (void)state;
  static const int64_t lengths[] = {360, 74, 4096};
  for (size_t i = 0; i < MR_ARRAY_SIZE(lengths); i++) {
    mr_fft_desc d = {.kind = MR_FFT_REAL, .dtype = MR_F32, .batch = 1, .rank = 1, .length = {lengths[i]}};
    for (uint64_t nth = 1;; nth++) {
      mr_library_call *call = NULL;
      mr_alloc_fail_nth(nth);
      mr_status status = mr_fft_create(&d, &call);
      mr_alloc_fail_nth(0);
      if (!status) {
        mr_library_call_destroy(call);
        break;
      }
      assert_null(call);
      assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
      mr_status_free(status);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lengths),          cmocka_unit_test(test_dimensions),
      cmocka_unit_test(test_long_lines),       cmocka_unit_test(test_impulse_in_a_very_long_line),
      cmocka_unit_test(test_instruction_sets), cmocka_unit_test(test_edges),
      cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
