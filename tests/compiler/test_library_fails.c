// oneDNN refuses what it is asked for, one call after the other, while contractions and convolutions are compiled and run: a
// status that names the call, or the result by another way, and nothing is left over. The linker puts __wrap_mr_dnnl_status in
// place of what makes a status of each answer.
#include <stdatomic.h>

#include "tests/compiler/execute_harness.h"
#include "tests/file.h"

enum { MOST_PORTS = 64, REFUSED = 2 };

static _Atomic unsigned asked, refuse_at;  // answers so far; which one is refused, 0: none

// What oneDNN made before the answer was changed into a refusal is nobody's. Our own blocks are counted by tests/gone.c.
const char *__lsan_default_options(void);
__attribute__((visibility("default"))) const char *__lsan_default_options(void) { return "detect_leaks=0"; }

mr_status __real_mr_dnnl_status(int status, const char *what);
mr_status __wrap_mr_dnnl_status(int status, const char *what);

mr_status __wrap_mr_dnnl_status(int status, const char *what) {
  unsigned number = atomic_fetch_add_explicit(&asked, 1, memory_order_relaxed) + 1;
  bool refuses = number == atomic_load_explicit(&refuse_at, memory_order_relaxed);
  return __real_mr_dnnl_status(refuses ? REFUSED : status, what);
}

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
