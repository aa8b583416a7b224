// Matrix products of the library against a triple loop in double precision.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "ops/library/isa.h"
#include "ops/library/library.h"
#include "ops/library/matmul_bf16.h"
#include "ops/library/matmul_packed.h"
#include "ops/library/pieces.h"
#include "scheduler/scheduler.h"
#include "tests/cmocka.h"
#include "tests/ops/numbers.h"
#include "tests/ops/products.h"

static double get(mr_dtype type, const void *data, int64_t i) {
  switch (type) {
  case MR_F32: return ((const float *)data)[i];
  case MR_F64: return ((const double *)data)[i];
  case MR_S8: return ((const int8_t *)data)[i];
  case MR_S32: return ((const int32_t *)data)[i];
  case MR_F16: return (double)((const _Float16 *)data)[i];
  default: {
    uint32_t bits = (uint32_t)((const uint16_t *)data)[i] << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  }
}

static void set(mr_dtype type, void *data, int64_t i, double value) {
  float f = (float)value;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  switch (type) {
  case MR_F32: ((float *)data)[i] = f; break;
  case MR_F64: ((double *)data)[i] = value; break;
  case MR_S8: ((int8_t *)data)[i] = (int8_t)(value * 100); break;
  case MR_F16: ((_Float16 *)data)[i] = (_Float16)f; break;
  default: ((uint16_t *)data)[i] = (uint16_t)(bits >> 16); break;
  }
}

static void *make(mr_dtype type, int64_t count) {
  void *data = aligned_alloc(64, (size_t)(count * (int64_t)mr_dtype_bytes(type) + 63) / 64 * 64);
  for (int64_t i = 0; i < count; i++) {
    set(type, data, i, next_value());
  }
  return data;
}

// Compares every `step`-th element: up to four units in the last place of the sum of the terms' sizes in f32 and f64, and one of the
// type where that is rounded to 16 bits.
static void check_every(int64_t step, const mr_matmul_desc *d, const void *a, const void *b, const void *c) {
  bool exact = d->c == MR_S32;
  double unit = d->c == MR_F64 ? 0x1p-51 : d->c == MR_BF16 ? 0x1p-8 : d->c == MR_F16 ? 0x1p-11 : 0x1p-21;
  for (int64_t i = 0; i < d->batch * d->m * d->n; i += step) {
    int64_t q = i / (d->m * d->n), r = i / d->n % d->m, s = i % d->n;
    double sum = 0, size = 1;
    for (int64_t k = 0; k < d->k; k++) {
      double product = get(d->a, a, q * d->a_stride[0] + r * d->a_stride[1] + k * d->a_stride[2]) *
                       get(d->b, b, q * d->b_stride[0] + k * d->b_stride[1] + s * d->b_stride[2]);
      sum += product;
      size += fabs(product);
    }
    double got = get(d->c, c, q * d->c_stride[0] + r * d->c_stride[1] + s);
    assert_true(exact ? got == sum : fabs(got - sum) <= unit * size);
  }
}

static void check(const mr_matmul_desc *d, const void *a, const void *b, const void *c) { check_every(1, d, a, b, c); }

static mr_status (*create)(const mr_matmul_desc *, mr_library_call **) = mr_matmul_create;
static bool in_rows;

static void run_one(mr_dtype in, mr_dtype out, int64_t batch, int64_t m, int64_t n, int64_t k, bool ta, bool tb) {
  mr_scheduler *scheduler = NULL;
  assert_null(mr_scheduler_acquire(&scheduler));
  mr_matmul_desc d = describe_product(in, out, (int64_t[]){batch, m, n, k}, ta, tb);
  d.in_rows = in_rows;
  if (!mr_matmul_supports(&d)) {  // sums of bytes would saturate
    assert_true(in == MR_S8 && mr_isa_best() < MR_VECTORS_AVX512_VNNI);
    return;
  }
  void *a = make(in, batch * m * k), *b = make(in, batch * k * n),
       *c = make(out == MR_S32 ? MR_F32 : out, batch * m * n);
  mr_library_call *call = NULL;
  assert_null(create(&d, &call));
  void *scratch = aligned_alloc(64, (call->scratch_bytes + 127) / 64 * 64);
  assert_null(call->run(call, (void *const[]){a, b, c}, scratch, mr_scheduler_group(scheduler, 0, 1)));
  check(&d, a, b, c);
  mr_library_call_destroy(call);
  free(a);
  free(b);
  free(c);
  free(scratch);
  mr_scheduler_release(scheduler);
}

// Every type, with every transposition, and sizes that are no multiple of anything.
static void test_types_and_transpositions(void **state) {
  (void)state;
  static const mr_dtype types[][2] = {{MR_F32, MR_F32}, {MR_F64, MR_F64}, {MR_BF16, MR_F32}, {MR_BF16, MR_BF16},
                                      {MR_F16, MR_F16}, {MR_F16, MR_F32}, {MR_S8, MR_S32}};
  for (size_t t = 0; t < MR_ARRAY_SIZE(types); t++) {
    for (int form = 0; form < 4; form++) {
      run_one(types[t][0], types[t][1], 1, 19, 33, 21, form & 1, form & 2);
      run_one(types[t][0], types[t][1], 3, 5, 7, 11, form & 1, form & 2);
    }
  }
}

// Sums of the largest products of bytes.
static void test_bytes_do_not_saturate(void **state) {
  (void)state;
  enum { SIZE = 64 };
  mr_matmul_desc d = describe_product(MR_S8, MR_S32, (int64_t[]){1, SIZE, SIZE, SIZE}, false, false);
  mr_library_call *call = NULL;
  if (!mr_matmul_supports(&d)) {
    skip();
  }
  static int8_t a[SIZE * SIZE], b[SIZE * SIZE];
  static int32_t c[SIZE * SIZE];
  memset(a, -128, sizeof a);
  memset(b, 127, sizeof b);
  assert_null(mr_matmul_create(&d, &call));
  assert_null(call->run(call, (void *const[]){a, b, c}, NULL, NULL));
  for (int i = 0; i < SIZE * SIZE; i++) {
    assert_int_equal(c[i], -128 * 127 * SIZE);
  }
  mr_library_call_destroy(call);
}

// Single rows, columns and products of one element.
static void test_thin_shapes(void **state) {
  (void)state;
  for (int form = 0; form < 4; form++) {
    run_one(MR_F32, MR_F32, 2, 1, 64, 64, form & 1, form & 2);
    run_one(MR_F32, MR_F32, 2, 64, 1, 64, form & 1, form & 2);
    run_one(MR_F32, MR_F32, 2, 64, 64, 1, form & 1, form & 2);
    run_one(MR_F64, MR_F64, 1, 1, 1, 300, form & 1, form & 2);
  }
}

// Products large enough to be cut by rows and by columns, on one device and on several at once.
static void test_cut_over_cores(void **state) {
  in_rows = *state != NULL;
  run_one(MR_F32, MR_F32, 1, 400, 130, 300, false, false);
  run_one(MR_F32, MR_F32, 1, 64, 1500, 120, false, true);
  run_one(MR_BF16, MR_BF16, 1, 300, 260, 200, true, false);
  in_rows = false;
}

// What several devices run at once is cut in half as many pieces, and never in none.
static void test_pieces(void **state) {
  (void)state;
  for (uint64_t cost_ns = 1000; cost_ns < UINT64_C(1) << 40; cost_ns *= 2) {
    int64_t alone = mr_product_pieces(cost_ns, MR_MATMUL_CUT_NS, false);
    assert_int_equal(mr_product_pieces(cost_ns, MR_MATMUL_CUT_NS, true), MR_MAX(alone / 2, (int64_t)1));
    mr_tiling t = mr_tile_product(1024, 1024, alone);
    assert_true(t.across_m * t.across_n >= alone && t.across_m * t.m >= 1024 && t.across_n * t.n >= 1024);
  }
}

// Doubles in blocks, bands and tiles, the last of each not whole.
static void test_large_products_of_doubles(void **state) {
  (void)state;
  for (int form = 0; form < 4; form++) {
    run_one(MR_F64, MR_F64, 1, 141, 131, 207, form & 1, form & 2);
  }
  run_one(MR_F64, MR_F64, 1, 40, 800, 1100, false, false);
}

// ---- Packed for all pieces ----------------------------------------------------------------------------------------------

enum { LARGE_NS = 1 << 30 };  // whatever the shape

// Of oneDNN's versions only those that these tests were run on are asked to pack; that it is asked in those, test_library_version
// finds.
static bool nothing_packs(void) {
  const mr_dnnl_table *dnnl;
  assert_null(mr_dnnl_open(&dnnl));
  return mr_isa_best() < MR_VECTORS_AVX2 || !dnnl->sgemm_pack;
}

static void run_packed(int64_t m, int64_t n, int64_t k, bool ta, bool tb) {
  const mr_dnnl_table *dnnl;
  assert_null(mr_dnnl_open(&dnnl));
  mr_matmul_desc d = describe_f32(m, n, k, ta, tb);
  mr_packed_cut cut;
  assert_true(mr_matmul_packed_cut(dnnl, &d, LARGE_NS, &cut));
  assert_true((cut.slices - 1) * cut.slice < n && cut.slices * cut.slice >= n);
  assert_true((cut.depths - 1) * cut.depth < k && cut.depths * cut.depth >= k);
  assert_true((cut.bands - 1) * cut.band < m && cut.bands * cut.band >= m);
  float *a = make(MR_F32, m * k), *b = make(MR_F32, k * n), *c[3];
  char *scratch = aligned_alloc(64, mr_matmul_packed_bytes(&cut));
  mr_scheduler *scheduler = NULL;
  mr_scheduler_options options = {.workers = 3};
  assert_null(mr_scheduler_create(&options, &scheduler));
  mr_group *group = mr_scheduler_group(scheduler, 0, 1), *groups[] = {group, NULL, group};
  for (int g = 0; g < 3; g++) {
    c[g] = make(MR_F32, m * n);
    d.in_rows = g == 2;
    assert_int_equal(mr_matmul_packed_run(dnnl, &d, &cut, a, b, c[g], scratch, groups[g], LARGE_NS), dnnl_success);
  }
  check_every(13, &d, a, b, c[0]);
  for (int g = 1; g < 3; g++) {
    assert_memory_equal(c[0], c[g], (size_t)(m * n) * sizeof(float));
    free(c[g]);
  }
  mr_scheduler_release(scheduler);
  free(a);
  free(b);
  free(c[0]);
  free(scratch);
}

// Slices, depths and bands, the last of each not whole, on several cores, on one, and as one of several devices; and so many and so
// long ones that they are packed one after the other.
static void test_packed(void **state) {
  (void)state;
  if (nothing_packs()) {
    skip();
  }
  for (int form = 0; form < 4; form++) {
    run_packed(70, form & 2 ? 400 : 512, 130, form & 1, form & 2);
    run_packed(100, form & 2 ? 1150 : 1024, 400, form & 1, form & 2);
  }
  run_packed(64, 288, 20000, false, true);
  run_packed(160, 2200, 1024, false, true);
}

static dnnl_status_t fail_to_pack(const char *which, const char *transa, const char *transb, const int64_t *m,
                                  const int64_t *n, const int64_t *k, const int64_t *lda, const int64_t *ldb,
                                  const float *from, float *to) {
  (void)which, (void)transa, (void)transb, (void)m, (void)n, (void)k, (void)lda, (void)ldb, (void)from, (void)to;
  return dnnl_out_of_memory;
}

// A oneDNN that hides what packs, and one that fails in it.
static void test_not_packed(void **state) {
  (void)state;
  if (nothing_packs()) {
    skip();
  }
  const mr_dnnl_table *dnnl;
  assert_null(mr_dnnl_open(&dnnl));
  mr_matmul_desc d = describe_f32(64, 400, 100, false, true);
  mr_packed_cut cut;
  mr_dnnl_table other = *dnnl;
  other.sgemm_pack = fail_to_pack;
  assert_true(mr_matmul_packed_cut(&other, &d, LARGE_NS, &cut));
  float *a = make(MR_F32, 64 * 100), *b = make(MR_F32, 100 * 400), *c = make(MR_F32, 64 * 400);
  char *scratch = aligned_alloc(64, mr_matmul_packed_bytes(&cut));
  assert_int_equal(mr_matmul_packed_run(&other, &d, &cut, a, b, c, scratch, NULL, LARGE_NS), dnnl_out_of_memory);
  other.sgemm_compute = NULL;
  assert_false(mr_matmul_packed_cut(&other, &d, LARGE_NS, &cut));
  assert_false(mr_matmul_packed_cut(dnnl, &d, 1000, &cut));
  free(a);
  free(b);
  free(c);
  free(scratch);
}

// ---- bf16 ---------------------------------------------------------------------------------------------------------------

// The path for processors with bf16 instructions, which oneDNN emulates on others that have AVX-512.
static void test_bf16_primitive(void **state) {
  (void)state;
  if (mr_isa_best() < MR_VECTORS_AVX512) {
    skip();
  }
  create = mr_matmul_bf16_create;
  for (int form = 0; form < 4; form++) {
    run_one(MR_BF16, MR_F32, 1, 70, 90, 33, form & 1, form & 2);
    run_one(MR_BF16, MR_BF16, 2, 64, 40, 64, form & 1, form & 2);
    run_one(MR_BF16, MR_BF16, 1, 64, 1, 20, form & 1, form & 2);
    run_one(MR_BF16, MR_F32, 1, 1, 80, 20, form & 1, form & 2);
  }
  run_one(MR_BF16, MR_BF16, 1, 300, 260, 200, true, false);
  create = mr_matmul_create;
}

// Four rows of f32 or f64, so far apart that an int does not say how far: pages that nobody touches take no memory.
static void run_far_apart(mr_dtype type, int64_t apart) {
  enum { ROWS = 4, SUM = 70, COLUMNS = 20 };
  size_t bytes = (size_t)((ROWS - 1) * apart + SUM) * mr_dtype_bytes(type);
  void *a = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (a == MAP_FAILED) {
    skip();
  }
  mr_matmul_desc d = describe_product(type, type, (int64_t[]){1, ROWS, COLUMNS, SUM}, false, false);
  d.a_stride[1] = apart;
  for (int64_t i = 0; i < ROWS * SUM; i++) {
    set(type, a, i / SUM * apart + i % SUM, next_value());
  }
  void *b = make(type, SUM * COLUMNS), *c = make(type, ROWS * COLUMNS);
  mr_library_call *call = NULL;
  assert_null(create(&d, &call));
  assert_null(call->run(call, (void *const[]){a, b, c}, NULL, NULL));
  check(&d, a, b, c);
  mr_library_call_destroy(call);
  munmap(a, bytes);
  free(b);
  free(c);
}

// Leading dimensions beyond an int: computed by what counts in 64 bits, refused where OpenBLAS would read elsewhere.
static void test_rows_far_apart(void **state) {
  (void)state;
  int64_t beyond = (int64_t)INT32_MAX + 100;
  run_far_apart(MR_F32, beyond);
  run_far_apart(MR_F64, INT32_MAX - 100);
  mr_matmul_desc far[3];
  for (int which = 0; which < 3; which++) {
    mr_matmul_desc *d = &far[which];
    *d = describe_product(MR_F64, MR_F64, (int64_t[]){1, 8, 8, 8}, false, which == 1);
    *(which == 0 ? &d->a_stride[1] : which == 1 ? &d->b_stride[2] : &d->c_stride[1]) = beyond;
    mr_library_call *call = NULL;
    assert_false(mr_matmul_supports(d));
    mr_status status = mr_matmul_create(d, &call);
    assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
    mr_status_free(status);
  }
}

// What no gemm does is refused by name.
static void test_refuses_other_types(void **state) {
  (void)state;
  mr_matmul_desc d = describe_product(MR_S32, MR_S32, (int64_t[]){1, 2, 2, 2}, false, false);
  mr_library_call *call = NULL;
  assert_false(mr_matmul_supports(&d));
  mr_status status = mr_matmul_create(&d, &call);
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  assert_non_null(strstr(mr_status_message(status), "i32"));
  mr_status_free(status);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_types_and_transpositions),
      cmocka_unit_test(test_bytes_do_not_saturate),
      cmocka_unit_test(test_thin_shapes),
      cmocka_unit_test(test_cut_over_cores),
      cmocka_unit_test_prestate(test_cut_over_cores, &in_rows),
      cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_packed),
      cmocka_unit_test(test_not_packed),
      cmocka_unit_test(test_large_products_of_doubles),
      cmocka_unit_test(test_bf16_primitive),
      cmocka_unit_test(test_refuses_other_types),
      cmocka_unit_test(test_rows_far_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
