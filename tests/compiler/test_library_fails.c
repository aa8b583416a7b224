// oneDNN refuses what it is asked for, one call after the other, while contractions and convolutions are compiled and run: a
// status that names the call, or the result by another way, and nothing is left over, of ours or of oneDNN's. The linker puts
// __wrap_mr_dnnl_open in place of what gives the table of oneDNN's functions.
#include <pthread.h>
#include <stdatomic.h>

#include "ops/library/dnnl.h"
#include "tests/compiler/execute_harness.h"
#include "tests/file.h"

enum { MOST_PORTS = 64 };

static _Atomic unsigned asked, refuse_at;  // calls so far; which one is refused, 0: none
static const mr_dnnl_table *real;

static bool refuses(void) {
  unsigned number = atomic_fetch_add_explicit(&asked, 1, memory_order_relaxed) + 1;
  return number == atomic_load_explicit(&refuse_at, memory_order_relaxed);
}

// ---- The table --------------------------------------------------------------------------------------------------------

// Refused before it has made anything.
#define REFUSABLE(name, parameters, arguments) \
  static dnnl_status_t name parameters { return refuses() ? dnnl_invalid_arguments : real->name arguments; }
REFUSABLE(sgemm,
          (char ta, char tb, dnnl_dim_t m, dnnl_dim_t n, dnnl_dim_t k, float alpha, const float *a, dnnl_dim_t lda,
           const float *b, dnnl_dim_t ldb, float beta, float *c, dnnl_dim_t ldc),
          (ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))
REFUSABLE(gemm_s8s8s32,
          (char ta, char tb, char oc, dnnl_dim_t m, dnnl_dim_t n, dnnl_dim_t k, float alpha, const int8_t *a,
           dnnl_dim_t lda, int8_t ao, const int8_t *b, dnnl_dim_t ldb, int8_t bo, float beta, int32_t *c,
           dnnl_dim_t ldc, const int32_t *co),
          (ta, tb, oc, m, n, k, alpha, a, lda, ao, b, ldb, bo, beta, c, ldc, co))
REFUSABLE(matmul_desc_init,
          (dnnl_matmul_desc_t * out, const dnnl_memory_desc_t *a, const dnnl_memory_desc_t *b,
           const dnnl_memory_desc_t *bias, const dnnl_memory_desc_t *c),
          (out, a, b, bias, c))
REFUSABLE(stream_create, (dnnl_stream_t * out, dnnl_engine_t engine, unsigned flags), (out, engine, flags))
REFUSABLE(memory_desc_init_by_strides,
          (dnnl_memory_desc_t * out, int rank, const dnnl_dims_t dims, dnnl_data_type_t type,
           const dnnl_dims_t strides),
          (out, rank, dims, type, strides))
REFUSABLE(memory_create, (dnnl_memory_t * out, const dnnl_memory_desc_t *desc, dnnl_engine_t engine, void *data),
          (out, desc, engine, data))
REFUSABLE(primitive_attr_create, (dnnl_primitive_attr_t * out), (out))
REFUSABLE(primitive_attr_set_scratchpad_mode, (dnnl_primitive_attr_t attr, dnnl_scratchpad_mode_t mode), (attr, mode))
REFUSABLE(primitive_desc_create,
          (dnnl_primitive_desc_t * out, const_dnnl_op_desc_t op, const_dnnl_primitive_attr_t attr, dnnl_engine_t engine,
           const_dnnl_primitive_desc_t hint),
          (out, op, attr, engine, hint))
REFUSABLE(primitive_create, (dnnl_primitive_t * out, const_dnnl_primitive_desc_t desc), (out, desc))
REFUSABLE(primitive_execute,
          (const_dnnl_primitive_t primitive, dnnl_stream_t stream, int count, const dnnl_exec_arg_t *arguments),
          (primitive, stream, count, arguments))
REFUSABLE(reorder_primitive_desc_create,
          (dnnl_primitive_desc_t * out, const dnnl_memory_desc_t *from, dnnl_engine_t from_engine,
           const dnnl_memory_desc_t *to, dnnl_engine_t to_engine, const_dnnl_primitive_attr_t attr),
          (out, from, from_engine, to, to_engine, attr))
REFUSABLE(dilated_convolution_forward_desc_init,
          (dnnl_convolution_desc_t * out, dnnl_prop_kind_t kind, dnnl_alg_kind_t algorithm, const dnnl_memory_desc_t *x,
           const dnnl_memory_desc_t *weights, const dnnl_memory_desc_t *bias, const dnnl_memory_desc_t *y,
           const dnnl_dims_t strides, const dnnl_dims_t dilates, const dnnl_dims_t low, const dnnl_dims_t high),
          (out, kind, algorithm, x, weights, bias, y, strides, dilates, low, high))
REFUSABLE(dilated_convolution_backward_data_desc_init,
          (dnnl_convolution_desc_t * out, dnnl_alg_kind_t algorithm, const dnnl_memory_desc_t *x,
           const dnnl_memory_desc_t *weights, const dnnl_memory_desc_t *y, const dnnl_dims_t strides,
           const dnnl_dims_t dilates, const dnnl_dims_t low, const dnnl_dims_t high),
          (out, algorithm, x, weights, y, strides, dilates, low, high))
REFUSABLE(dilated_convolution_backward_weights_desc_init,
          (dnnl_convolution_desc_t * out, dnnl_alg_kind_t algorithm, const dnnl_memory_desc_t *x,
           const dnnl_memory_desc_t *weights, const dnnl_memory_desc_t *bias, const dnnl_memory_desc_t *y,
           const dnnl_dims_t strides, const dnnl_dims_t dilates, const dnnl_dims_t low, const dnnl_dims_t high),
          (out, algorithm, x, weights, bias, y, strides, dilates, low, high))

mr_status __real_mr_dnnl_open(const mr_dnnl_table **out_table);
mr_status __wrap_mr_dnnl_open(const mr_dnnl_table **out_table);

mr_status __wrap_mr_dnnl_open(const mr_dnnl_table **out_table) {
  static mr_dnnl_table refusing;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  mr_status status = __real_mr_dnnl_open(out_table);
  if (status) {
    return status;
  }
  pthread_mutex_lock(&lock);
  if (!real) {
    refusing = **out_table;
    refusing.sgemm = sgemm;
    refusing.gemm_s8s8s32 = gemm_s8s8s32;
    refusing.matmul_desc_init = matmul_desc_init;
    refusing.stream_create = stream_create;
    refusing.memory_desc_init_by_strides = memory_desc_init_by_strides;
    refusing.memory_create = memory_create;
    refusing.primitive_attr_create = primitive_attr_create;
    refusing.primitive_attr_set_scratchpad_mode = primitive_attr_set_scratchpad_mode;
    refusing.primitive_desc_create = primitive_desc_create;
    refusing.primitive_create = primitive_create;
    refusing.primitive_execute = primitive_execute;
    refusing.reorder_primitive_desc_create = reorder_primitive_desc_create;
    refusing.dilated_convolution_forward_desc_init = dilated_convolution_forward_desc_init;
    refusing.dilated_convolution_backward_data_desc_init = dilated_convolution_backward_data_desc_init;
    refusing.dilated_convolution_backward_weights_desc_init = dilated_convolution_backward_weights_desc_init;
    real = *out_table;
  }
  pthread_mutex_unlock(&lock);
  *out_table = &refusing;
  return MR_OK;
}

// ---- Programs ---------------------------------------------------------------------------------------------------------

static mr_status run_once(mr_executable *executable) {
  mr_buffer *arguments[MOST_PORTS] = {0}, *results[MOST_PORTS] = {0};
  mr_future *done = NULL;
  size_t num_arguments = mr_executable_param_count(executable), num_results = mr_executable_result_count(executable);
  assert_in_range(num_arguments + num_results, 0, MOST_PORTS);
  for (size_t i = 0; i < num_arguments; i++) {
    const mr_port *port = mr_executable_param(executable, i);
    void *zeros = calloc(1, port->bytes + 1);
    mr_host_array host = {.data = zeros, .dtype = port->dtype, .dims = port->dims, .rank = port->rank};
    expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &arguments[i]));
    free(zeros);
  }
  mr_status status = mr_execute(executable, device, NULL, arguments, num_arguments, results, &done);
  if (!status && done) {
    mr_future_wait(done);
    status = mr_status_retain(mr_future_status(done));
  }
  mr_future_release(done);
  release_all(arguments, num_arguments);
  release_all(results, num_results);
  return status;
}

static mr_status compile_and_run(mr_span bytes) {
  mr_executable *executable = NULL;
  mr_status status = mr_compile(bytes, NULL, &executable);
  assert_true((status != MR_OK) == (executable == NULL));
  if (!status) {
    status = run_once(executable);
  }
  mr_executable_release(executable);
  return status;
}

// Returns how many answers there were to refuse.
static unsigned refuse_each(const char *what, mr_span bytes) {
  unsigned told = 0;
  for (unsigned at = 1;; at++) {
    atomic_store_explicit(&asked, 0, memory_order_relaxed);
    atomic_store_explicit(&refuse_at, at, memory_order_relaxed);
    mr_status status = compile_and_run(bytes);
    mr_code code = mr_status_code(status);
    if (status && ((code != MR_INTERNAL && code != MR_UNIMPLEMENTED) || !strstr(mr_status_message(status), "oneDNN"))) {
      fail_msg("%s, answer %u: %s: %s", what, at, mr_status_code_name(code), mr_status_message(status));
    }
    told += status != MR_OK;
    mr_status_free(status);
    if (atomic_load_explicit(&asked, memory_order_relaxed) < at) {
      break;
    }
  }
  atomic_store_explicit(&refuse_at, 0, memory_order_relaxed);
  expect_ok(compile_and_run(bytes));
  return told;
}

static void test_programs(void **state) {
  (void)state;
  static const char *const paths[] = {"tests/programs/convs.mlirbc", "tests/programs/dots.mlirbc",
                                      "tests/programs/dots_lowp.mlirbc", "tests/programs/ffts.mlirbc",
                                      "tests/programs/cnn_grad.mlirbc"};
  unsigned told = 0;
  for (size_t i = 0; i < MR_ARRAY_SIZE(paths); i++) {
    mr_span bytes = file_read(paths[i]);
    assert_non_null(bytes.data);
    told += refuse_each(paths[i], bytes);
    mr_free((void *)bytes.data);
  }
  assert_true(told > 10);
}

#define CONV(batch, size, features)                                                                                   \
  "func.func @main(%x: tensor<" batch "x" size "x" size "x" features "xf32>, %k: tensor<3x3x" features "x" features   \
  "xf32>) -> tensor<" batch "x" size "x" size "x" features                                                            \
  "xf32> {\n%0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad " \
  "= "                                                                                                                \
  "[[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<" batch "x" size "x" size \
  "x" features "xf32>, tensor<3x3x" features "x" features "xf32>) -> tensor<" batch "x" size "x" size "x" features    \
  "xf32>\nreturn %0 : tensor<" batch "x" size "x" size "x" features "xf32>\n}\n"
#define DOT(type, n)                                                                                                \
  "func.func @main(%x: tensor<" n "x" n "x" type ">, %y: tensor<" n "x" n "x" type ">) -> tensor<" n "x" n "x" type \
  "> {\n%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<" n "x" n "x" type ">, tensor<" n \
  "x" n "x" type ">) -> tensor<" n "x" n "x" type ">\nreturn %0 : tensor<" n "x" n "x" type ">\n}\n"

static void test_large_ones(void **state) {
  (void)state;
  static const char *const texts[] = {CONV("1", "28", "128"), CONV("8", "14", "32"), DOT("f32", "200"),
                                      DOT("bf16", "200"), DOT("f64", "100")};
  for (size_t i = 0; i < MR_ARRAY_SIZE(texts); i++) {
    refuse_each(texts[i], (mr_span){texts[i], strlen(texts[i])});
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs), cmocka_unit_test(test_large_ones)};
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
