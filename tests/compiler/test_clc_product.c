// Products of matrices and convolutions in OpenCL C against loops that are plainly right, on small whole numbers, which every
// type has exactly. On a device of OpenCL's where there is one (PoCL); else skipped.
#include "compiler/ir/scalar.h"
#include "tests/compiler/clc_harness.h"
#include "tests/compiler/loops_util.h"
#include "tests/ops/products.h"
#include "tests/sample.h"

#define MAX_CASES 40

typedef struct array {
  mr_dtype dtype;
  size_t count;
  uint8_t *data;
} array;

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static int64_t random_below(int64_t limit) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (int64_t)(random_state >> 16) % limit;
}

static array make_array(mr_dtype dtype, int64_t count) {
  array a = {dtype, (size_t)count, calloc((size_t)count, mr_dtype_bytes(dtype))};
  int64_t low = mr_dtype_is_unsigned(dtype) ? 0
                : mr_dtype_bits(dtype) < 4  ? -1
                                            : -3,
          high = mr_dtype_bits(dtype) < 4 ? 1 : 3;
  for (int64_t i = 0; i < count; i++) {
    mr_scalar_from_double(dtype, (double)(low + random_below(high - low + 1)),
                          a.data + (size_t)i * mr_dtype_bytes(dtype));
  }
  return a;
}

static double number_at(const array *a, int64_t i) {
  assert_in_range((size_t)i, 0, a->count - 1);
  return mr_scalar_to_double(a->dtype, a->data + (size_t)i * mr_dtype_bytes(a->dtype));
}

// ---- The two kinds of cases -------------------------------------------------------------------------------------------

typedef struct test_case {
  bool is_convolution;
  mr_matmul_desc matmul;
  mr_conv_desc conv;
  array a, b, c;
  double *want;
  int64_t range;
  char entry[40];
} test_case;

static void matmul_reference(test_case *t) {
  const mr_matmul_desc *d = &t->matmul;
  for (int64_t g = 0; g < d->batch; g++) {
    for (int64_t m = 0; m < d->m; m++) {
      for (int64_t n = 0; n < d->n; n++) {
        double sum = 0;
        for (int64_t k = 0; k < d->k; k++) {
          sum += number_at(&t->a, g * d->a_stride[0] + m * d->a_stride[1] + k * d->a_stride[2]) *
                 number_at(&t->b, g * d->b_stride[0] + k * d->b_stride[1] + n * d->b_stride[2]);
        }
        t->want[g * d->c_stride[0] + m * d->c_stride[1] + n * d->c_stride[2]] = sum;
      }
    }
  }
}

static test_case matmul_case(mr_dtype in, mr_dtype out, const int64_t sizes[4], bool a_by_columns, bool b_by_columns) {
  int64_t batch = sizes[0], m = sizes[1], n = sizes[2], k = sizes[3];
  test_case t = {.matmul = describe_product(in, out, sizes, a_by_columns, b_by_columns)};
  t.a = make_array(in, batch * m * k);
  t.b = make_array(in, batch * k * n);
  t.c = make_array(out, batch * m * n);
  t.want = calloc(t.c.count, sizeof *t.want);
  matmul_reference(&t);
  return t;
}

// Where the window's tap of output place `o` lies in the input; -1: nowhere.
static int64_t input_place(const mr_conv_desc *d, int i, int64_t o, int64_t tap) {
  int64_t x = d->reverse[i] ? d->kernel_size[i] - 1 - tap : tap;
  int64_t place = o * d->stride[i] + x * d->rhs_dilation[i] - d->pad_low[i];
  if (place < 0 || place % d->lhs_dilation[i] || place / d->lhs_dilation[i] >= d->in_size[i]) {
    return -1;
  }
  return place / d->lhs_dilation[i];
}

static double conv_sum(const test_case *t, int64_t group, int64_t image, int64_t feature, const int64_t *o) {
  const mr_conv_desc *d = &t->conv;
  double sum = 0;
  for (int64_t y = 0; y < d->kernel_size[0]; y++) {
    for (int64_t x = 0; x < d->kernel_size[1]; x++) {
      int64_t iy = input_place(d, 0, o[0], y), ix = input_place(d, 1, o[1], x);
      for (int64_t c = 0; c < d->kernel_in_features && iy >= 0 && ix >= 0; c++) {
        int64_t n = d->batch_groups > 1 ? group * d->out_batch + image : image;
        int64_t f = d->feature_groups > 1 ? group * d->kernel_in_features + c : c;
        sum += number_at(&t->a,
                         n * d->lhs_stride[0] + f * d->lhs_stride[1] + iy * d->lhs_stride[2] + ix * d->lhs_stride[3]) *
               number_at(&t->b, feature * d->rhs_stride[0] + c * d->rhs_stride[1] + y * d->rhs_stride[2] +
                                    x * d->rhs_stride[3]);
      }
    }
  }
  return sum;
}

static void conv_reference(test_case *t) {
  const mr_conv_desc *d = &t->conv;
  int64_t per_group = d->out_features / (d->feature_groups * d->batch_groups);
  for (int64_t n = 0; n < d->out_batch; n++) {
    for (int64_t f = 0; f < d->out_features; f++) {
      for (int64_t y = 0; y < d->out_size[0]; y++) {
        for (int64_t x = 0; x < d->out_size[1]; x++) {
          t->want[n * d->out_stride[0] + f * d->out_stride[1] + y * d->out_stride[2] + x * d->out_stride[3]] =
              conv_sum(t, f / per_group, n, f, (int64_t[]){y, x});
        }
      }
    }
  }
}

// Two dimensions of random sizes; features last or first.
static test_case conv_case(mr_dtype dtype, bool features_last) {
  mr_conv_desc d = {.lhs = dtype, .rhs = dtype, .out = dtype == MR_S8 ? MR_S32 : dtype, .spatial = 2};
  d.feature_groups = random_below(4) == 0 ? 3 : 1;
  d.batch_groups = d.feature_groups == 1 && random_below(4) == 0 ? 2 : 1;
  d.kernel_in_features = 1 + random_below(20);
  d.in_features = d.kernel_in_features * d.feature_groups;
  d.out_features = (1 + random_below(40)) * d.feature_groups * d.batch_groups;
  d.out_batch = 1 + random_below(3);
  d.batch = d.out_batch * d.batch_groups;
  for (int i = 0; i < 2; i++) {
    d.in_size[i] = 4 + random_below(9);
    d.kernel_size[i] = 1 + random_below(4);
    d.stride[i] = 1 + random_below(2);
    d.lhs_dilation[i] = 1 + random_below(5) / 4;
    d.rhs_dilation[i] = 1 + random_below(5) / 4;
    d.pad_low[i] = random_below(4) - 1;
    d.pad_high[i] = 2 + random_below(2);
    d.reverse[i] = random_below(4) == 0;
    int64_t window = (d.kernel_size[i] - 1) * d.rhs_dilation[i] + 1;
    d.out_size[i] =
        ((d.in_size[i] - 1) * d.lhs_dilation[i] + 1 + d.pad_low[i] + d.pad_high[i] - window) / d.stride[i] + 1;
  }
  int64_t plane = d.in_size[0] * d.in_size[1], taps = d.kernel_size[0] * d.kernel_size[1],
          out = d.out_size[0] * d.out_size[1];
  if (features_last) {
    memcpy(d.lhs_stride, (int64_t[]){plane * d.in_features, 1, d.in_size[1] * d.in_features, d.in_features}, 32);
    memcpy(d.rhs_stride,
           (int64_t[]){1, d.out_features, d.kernel_size[1] * d.kernel_in_features * d.out_features,
                       d.kernel_in_features * d.out_features},
           32);
    memcpy(d.out_stride, (int64_t[]){out * d.out_features, 1, d.out_size[1] * d.out_features, d.out_features}, 32);
  } else {
    memcpy(d.lhs_stride, (int64_t[]){plane * d.in_features, plane, d.in_size[1], 1}, 32);
    memcpy(d.rhs_stride, (int64_t[]){taps * d.kernel_in_features, taps, d.kernel_size[1], 1}, 32);
    memcpy(d.out_stride, (int64_t[]){out * d.out_features, out, d.out_size[1], 1}, 32);
  }
  test_case t = {.is_convolution = true, .conv = d};
  t.a = make_array(d.lhs, d.batch * d.in_features * plane);
  t.b = make_array(d.rhs, d.out_features * d.kernel_in_features * taps);
  t.c = make_array(d.out, d.out_batch * d.out_features * out);
  t.want = calloc(t.c.count, sizeof *t.want);
  conv_reference(&t);
  return t;
}

// ---- Running them -----------------------------------------------------------------------------------------------------

static void check_case(const test_case *t) {
  size_t bytes = mr_dtype_bytes(t->c.dtype);
  for (size_t i = 0; i < t->c.count; i++) {
    uint8_t want[MR_SCALAR_BYTES];
    mr_scalar_from_double(t->c.dtype, t->want[i], want);
    if (!clc_same(t->c.dtype, want, t->c.data + i * bytes)) {
      fail_msg("%s %s: element %zu is %g, wanted %g", t->entry, mr_dtype_name(t->c.dtype), i,
               mr_scalar_to_double(t->c.dtype, t->c.data + i * bytes), t->want[i]);
    }
  }
}

static void run_case(clc_program *program, test_case *t) {
  void *buffers[3] = {t->a.data, t->b.data, t->c.data};
  size_t sizes[3];
  const array *arrays[3] = {&t->a, &t->b, &t->c};
  for (int i = 0; i < 3; i++) {
    sizes[i] = arrays[i]->count * mr_dtype_bytes(arrays[i]->dtype);
  }
  clc_run(program, t->entry, buffers, sizes, 3, t->range, 2);
  check_case(t);
}

static void free_case(test_case *t) {
  free(t->a.data);
  free(t->b.data);
  free(t->c.data);
  free(t->want);
}

static void run_cases_for(clc_host *host, const mr_target *target, test_case *cases, size_t count) {
  mr_clc_unit unit = {.target = target};
  mr_text text = {0};
  for (size_t i = 0; i < count; i++) {
    test_case *t = &cases[i];
    snprintf(t->entry, sizeof t->entry, "%s%zu", t->is_convolution ? "convolution" : "matmul", i);
    check_ok(t->is_convolution ? mr_clc_add_convolution(&unit, &t->conv, t->entry, &t->range)
                               : mr_clc_add_matmul(&unit, &t->matmul, t->entry, &t->range));
  }
  check_ok(mr_clc_finish(&unit, &text));
  mr_clc_unit_deinit(&unit);
  clc_program *program = clc_build(host, (mr_str){text.data, text.size});
  mr_text_deinit(&text);
  for (size_t i = 0; i < count; i++) {
    memset(cases[i].c.data, 0, cases[i].c.count * mr_dtype_bytes(cases[i].c.dtype));
    run_case(program, &cases[i]);
  }
  clc_program_release(program);
}

// In the form for vectors and in that for many items.
static void run_cases(test_case *cases, size_t count) {
  clc_host *host = clc_host_get();
  if (!host) {
    print_message("no device of OpenCL's: skipped\n");
    skip();
  }
  const mr_target items = clc_host_items(host);
  run_cases_for(host, clc_host_target(host), cases, count);
  // Oclgrind takes what all kernels of a program have of local memory for what each has.
  const size_t at_once = clc_host_interprets(host) ? 1 : count;
  for (size_t i = 0; i < count; i += at_once) {
    run_cases_for(host, &items, cases + i, at_once);
  }
  for (size_t i = 0; i < count; i++) {
    free_case(&cases[i]);
  }
}

// ---- Tests ------------------------------------------------------------------------------------------------------------

// Batched, skinny, of odd sizes, by rows and by columns.
static void test_matmul(void **state) {
  (void)state;
  static const int64_t sizes[][4] = {
      {1, 37, 45, 300}, {3, 1, 70, 20}, {2, 65, 3, 40}, {1, 150, 33, 17}, {1, 8, 100, 600}};
  static test_case cases[MAX_CASES];
  size_t count = 0;
  for (size_t i = 0; i < MR_ARRAY_SIZE(sizes); i++) {
    for (int order = 0; order < 4; order++) {
      if (is_in_sample(i + (size_t)order)) {
        cases[count++] = matmul_case(MR_F32, MR_F32, sizes[i], order & 1, order & 2);
      }
    }
  }
  run_cases(cases, count);
}

static void test_matmul_types(void **state) {
  (void)state;
  static const mr_dtype types[][2] = {{MR_F64, MR_F64}, {MR_BF16, MR_BF16}, {MR_F16, MR_F32}, {MR_S8, MR_S32},
                                      {MR_U8, MR_S32},  {MR_S4, MR_S8},     {MR_S64, MR_S64}, {MR_F8E4M3FN, MR_BF16}};
  static test_case cases[MAX_CASES];
  size_t count = 0;
  for (size_t i = 0; i < MR_ARRAY_SIZE(types); i++) {
    if (is_in_sample(i)) {
      cases[count++] = matmul_case(types[i][0], types[i][1], (int64_t[]){2, 19, 23, 29}, i & 1, i & 2);
    }
  }
  run_cases(cases, count);
}

// Strides, dilations, padding that cuts, groups, reversed windows.
static void test_convolution(void **state) {
  (void)state;
  static test_case cases[MAX_CASES];
  static const mr_dtype types[] = {MR_F32, MR_F32, MR_F32, MR_BF16, MR_F64, MR_S8};
  size_t count = 0;
  for (size_t i = 0; i < 18; i++) {
    if (is_in_sample(i)) {
      cases[count++] = conv_case(types[i / 3], i % 2);
    }
  }
  run_cases(cases, count);
}

// A tile is a group's, which has to be large enough.
static void test_refusal(void **state) {
  (void)state;
  mr_target target = {.language = MR_CODE_OPENCL_C, .items = true, .group_items = 16, .parameter_bytes = 1024};
  mr_clc_unit unit = {.target = &target};
  mr_matmul_desc desc = describe_f32(4, 4, 4, false, false);
  int64_t range;
  mr_status status = mr_clc_add_matmul(&unit, &desc, "matmul", &range);
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  mr_status_free(status);
  assert_int_equal(unit.kernels.size, 0);
  mr_clc_unit_deinit(&unit);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matmul),
      cmocka_unit_test(test_matmul_types),
      cmocka_unit_test(test_convolution),
      cmocka_unit_test(test_refusal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
