// Code generation: milliseconds to compile a kernel from nothing, and nanoseconds an element of the code that comes out,
// on one core, in cache (16K values) and out of it (16M values).
//
//   MILLRACE_CACHE_DIR= build/perf/perf_compiler_perf_codegen [name part]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compiler/codegen/codegen.h"

#define SMALL ((int64_t)1 << 14)
#define LARGE ((int64_t)1 << 24)
#define ROW 1024

static double thread_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void die(mr_status status) {
  if (!status) {
    return;
  }
  fprintf(stderr, "%s\n", mr_status_message(status));
  exit(1);
}

typedef mr_lv (*map_fn)(mr_loop_program *p, mr_dtype dtype, mr_lv x, double unique);

static mr_lv map_add(mr_loop_program *p, mr_dtype dtype, mr_lv x, double unique) {
  return mr_l_binary(p, MR_OP_add, dtype, x,
                     mr_dtype_is_float(dtype) ? mr_l_float(p, dtype, unique) : mr_l_int(p, dtype, (int64_t)unique));
}

static mr_lv map_exp(mr_loop_program *p, mr_dtype dtype, mr_lv x, double unique) {
  return map_add(p, dtype, mr_l_unary(p, MR_OP_exponential, dtype, x), unique);
}

static mr_lv map_chain(mr_loop_program *p, mr_dtype dtype, mr_lv x, double unique) {
  static const mr_op_kind kinds[] = {MR_OP_exponential, MR_OP_log_plus_one, MR_OP_sine, MR_OP_tanh, MR_OP_logistic};
  for (size_t k = 0; k < MR_ARRAY_SIZE(kinds); k++) {
    x = mr_l_unary(p, kinds[k], dtype, x);
  }
  return map_add(p, dtype, x, unique);
}

static mr_lv map_max(mr_loop_program *p, mr_dtype dtype, mr_lv x, double unique) {
  return mr_l_binary(p, MR_OP_maximum, dtype, x, mr_l_float(p, dtype, unique));
}

static mr_lv map_divide(mr_loop_program *p, mr_dtype dtype, mr_lv x, double unique) {
  return mr_l_binary(p, MR_OP_divide, dtype, x, map_add(p, dtype, x, unique));
}

static mr_lv map_relu(mr_loop_program *p, mr_dtype dtype, mr_lv x, double unique) {
  mr_lv zero = mr_l_float(p, dtype, 0);
  return map_add(p, dtype, mr_l_select(p, dtype, mr_l_compare(p, MR_L_GT, 0, dtype, x, zero), x, zero), unique);
}

static mr_lv map_convert(mr_loop_program *p, mr_dtype dtype, mr_lv x, double unique) {
  return mr_l_convert(p, dtype, map_add(p, MR_F32, mr_l_convert(p, MR_F32, x), unique));
}

static void build_map(mr_loop_program *p, mr_dtype dtype, map_fn map, uint32_t store_flags, double unique) {
  mr_lbuf x = mr_l_buffer(p, dtype, MR_L_READ), y = mr_l_buffer(p, dtype, MR_L_WRITE);
  mr_lv i = mr_l_for(p, mr_l_begin(p), mr_l_end_of_range(p), 1, MR_L_INDEPENDENT);
  mr_l_store_flags(p, y, i, map(p, dtype, mr_l_load(p, x, i), unique), store_flags);
  mr_l_end(p);
}

static mr_lv row_fold(mr_loop_program *p, mr_op_kind kind, mr_dtype dtype, mr_lbuf x, mr_lv base, double start) {
  mr_lv acc = mr_l_var(p, mr_l_float(p, dtype, start));
  mr_lv j = mr_l_for(p, mr_l_index(p, 0), mr_l_index(p, ROW), 1, MR_L_INDEPENDENT);
  mr_lv v = mr_l_convert(p, dtype, mr_l_load(p, x, mr_l_iadd(p, base, j)));
  mr_l_set(p, acc, mr_l_binary_flags(p, kind, dtype, mr_l_get(p, acc), v, MR_L_REASSOC));
  mr_l_end(p);
  return mr_l_get(p, acc);
}

static void build_fold(mr_loop_program *p, mr_dtype dtype, mr_op_kind kind, double unique) {
  mr_lbuf x = mr_l_buffer(p, dtype, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv i = mr_l_for(p, mr_l_begin(p), mr_l_end_of_range(p), 1, MR_L_INDEPENDENT);
  mr_l_store(p, y, i, row_fold(p, kind, MR_F32, x, mr_l_imul(p, i, mr_l_index(p, ROW)), unique));
  mr_l_end(p);
}

static void build_softmax(mr_loop_program *p, double unique) {
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv i = mr_l_for(p, mr_l_begin(p), mr_l_end_of_range(p), 1, MR_L_INDEPENDENT);
  mr_lv zero = mr_l_index(p, 0), n = mr_l_index(p, ROW), base = mr_l_imul(p, i, n);
  mr_lv top = row_fold(p, MR_OP_maximum, MR_F32, x, base, -__builtin_inf());
  mr_lv sum = mr_l_var(p, mr_l_float(p, MR_F32, unique * 1e-9));
  mr_lv j = mr_l_for(p, zero, n, 1, MR_L_INDEPENDENT), at = mr_l_iadd(p, base, j);
  mr_lv e = mr_l_unary(p, MR_OP_exponential, MR_F32, mr_l_binary(p, MR_OP_subtract, MR_F32, mr_l_load(p, x, at), top));
  mr_l_store(p, y, at, e);
  mr_l_set(p, sum, mr_l_binary_flags(p, MR_OP_add, MR_F32, mr_l_get(p, sum), e, MR_L_REASSOC));
  mr_l_end(p);
  mr_lv total = mr_l_get(p, sum);
  j = mr_l_for(p, zero, n, 1, MR_L_INDEPENDENT);
  at = mr_l_iadd(p, base, j);
  mr_l_store(p, y, at, mr_l_binary(p, MR_OP_divide, MR_F32, mr_l_load(p, y, at), total));
  mr_l_end(p);
  mr_l_end(p);
}

// A matrix times a vector: rows of products, folded.
static void build_matvec(mr_loop_program *p, mr_dtype dtype, double unique) {
  mr_lbuf a = mr_l_buffer(p, dtype, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE),
          x = mr_l_buffer(p, dtype, MR_L_READ);
  mr_lv i = mr_l_for(p, mr_l_begin(p), mr_l_end_of_range(p), 1, MR_L_INDEPENDENT);
  mr_lv base = mr_l_imul(p, i, mr_l_index(p, ROW));
  mr_lv acc = mr_l_var(p, mr_l_float(p, MR_F32, unique));
  mr_lv j = mr_l_for(p, mr_l_index(p, 0), mr_l_index(p, ROW), 1, MR_L_INDEPENDENT);
  mr_lv u = mr_l_convert(p, MR_F32, mr_l_load(p, a, mr_l_iadd(p, base, j))),
        v = mr_l_convert(p, MR_F32, mr_l_load(p, x, j));
  mr_lv product = mr_l_binary_flags(p, MR_OP_multiply, MR_F32, u, v, MR_L_REASSOC);
  mr_l_set(p, acc, mr_l_binary_flags(p, MR_OP_add, MR_F32, mr_l_get(p, acc), product, MR_L_REASSOC));
  mr_l_end(p);
  mr_l_store(p, y, i, mr_l_get(p, acc));
  mr_l_end(p);
}

typedef struct row {
  const char *name;
  mr_dtype dtype;
  map_fn map;
  mr_op_kind fold;
  char kind;  // m: map, M: map with streaming stores, f: fold, s: softmax, v: matvec
} row;

static const row rows[] = {
    {"x + c f32", MR_F32, map_add, 0, 'm'},
    {"x + c f64", MR_F64, map_add, 0, 'm'},
    {"x + c s32", MR_S32, map_add, 0, 'm'},
    {"x + c u8", MR_U8, map_add, 0, 'm'},
    {"x + c f16", MR_F16, map_add, 0, 'm'},
    {"x + c bf16", MR_BF16, map_add, 0, 'm'},
    {"x + c f32, streaming", MR_F32, map_add, 0, 'M'},
    {"exp(x) + c f32, streaming", MR_F32, map_exp, 0, 'M'},
    {"x + c f8E4M3FN", MR_F8E4M3FN, map_add, 0, 'm'},
    {"max(x, c) f32", MR_F32, map_max, 0, 'm'},
    {"max(x, c) f16", MR_F16, map_max, 0, 'm'},
    {"relu + c f32", MR_F32, map_relu, 0, 'm'},
    {"relu + c bf16", MR_BF16, map_relu, 0, 'm'},
    {"exp(x) + c f32", MR_F32, map_exp, 0, 'm'},
    {"exp(x) + c f64", MR_F64, map_exp, 0, 'm'},
    {"exp(x) + c bf16", MR_BF16, map_exp, 0, 'm'},
    {"exp(x) + c f16", MR_F16, map_exp, 0, 'm'},
    {"exp log1p sin tanh logistic f32", MR_F32, map_chain, 0, 'm'},
    {"x / (x + c) s32", MR_S32, map_divide, 0, 'm'},
    {"x / (x + c) u8", MR_U8, map_divide, 0, 'm'},
    {"convert s32 f32 s32", MR_S32, map_convert, 0, 'm'},
    {"convert u8 f32 u8", MR_U8, map_convert, 0, 'm'},
    {"sum of rows f32", MR_F32, NULL, MR_OP_add, 'f'},
    {"sum of rows bf16", MR_BF16, NULL, MR_OP_add, 'f'},
    {"max of rows f32", MR_F32, NULL, MR_OP_maximum, 'f'},
    {"matvec f32", MR_F32, NULL, 0, 'v'},
    {"matvec bf16", MR_BF16, NULL, 0, 'v'},
    {"softmax of rows f32", MR_F32, NULL, 0, 's'},
};

static mr_loop_program *build(const row *r, double unique) {
  mr_loop_program *p;
  die(mr_loop_create(&p));
  switch (r->kind) {
  case 'm': build_map(p, r->dtype, r->map, 0, unique); break;
  case 'M': build_map(p, r->dtype, r->map, MR_L_STREAM, unique); break;
  case 'f': build_fold(p, r->dtype, r->fold, unique); break;
  case 'v': build_matvec(p, r->dtype, unique); break;
  default: build_softmax(p, unique); break;
  }
  return p;
}

static double run_ns(mr_kernel_fn f, void *const *buffers, const row *r, int64_t count) {
  double best = 1e30;
  int64_t range = r->kind == 'm' || r->kind == 'M' ? count : count / ROW;
  for (int k = 0; k < (count > SMALL ? 5 : 50); k++) {
    double t = thread_ms();
    f(buffers, NULL, 0, range);
    t = (thread_ms() - t) * 1e6 / (double)count;
    best = MR_MIN(best, t);
  }
  return best;
}

// The best of some kernels that differ in a constant; the last one is given.
static double compile_ms(const row *r, mr_kernel **out_kernel) {
  static double unique = 1;
  double best = 1e30;
  *out_kernel = NULL;
  for (int n = 0; n < 6; n++) {
    mr_loop_program *p = build(r, unique++);
    mr_kernel_release(*out_kernel);
    double t = thread_ms();
    die(mr_kernel_compile(p, out_kernel));
    t = thread_ms() - t;
    if (t > 0.2) {
      best = MR_MIN(best, t);  // two constants may round to the same one
    }
    mr_loop_release(p);
  }
  return best;
}

int main(int argc, char **argv) {
  setenv("MILLRACE_CACHE_DIR", "", 1);
  printf("%s\n%-34s %9s %12s %12s\n", mr_codegen_target(), "", "compile", "16K values", "16M values");
  void *buffers[3] = {mr_alloc_aligned(64, (size_t)LARGE * 8), mr_alloc_aligned(64, (size_t)LARGE * 8),
                      mr_alloc_aligned(64, (size_t)ROW * 8)};
  for (size_t k = 0; k < 3; k++) {
    memset(buffers[k], 1, k < 2 ? (size_t)LARGE * 8 : (size_t)ROW * 8);
  }
  for (size_t k = 0; k < MR_ARRAY_SIZE(rows); k++) {
    if (argc > 1 && !strstr(rows[k].name, argv[1])) {
      continue;
    }
    mr_kernel *kernel = NULL;
    double compile = compile_ms(&rows[k], &kernel);
    mr_kernel_fn f = mr_kernel_function(kernel);
    printf("%-34s %6.2f ms %6.3f ns/el %6.3f ns/el\n", rows[k].name, compile, run_ns(f, buffers, &rows[k], SMALL),
           run_ns(f, buffers, &rows[k], LARGE));
    mr_kernel_release(kernel);
  }
  for (size_t k = 0; k < 3; k++) {
    mr_free(buffers[k]);
  }
  return 0;
}
