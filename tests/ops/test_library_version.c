// Which oneDNN is taken, and what of it: its private functions in the versions that the tests were run on, its public ones in any 2.x
// from 2.6 on, and none of another's, which is refused by its number.
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ops/library/library.h"
#include "tests/cmocka.h"
#include "tests/ops/dnnl/fake_dnnl.h"
#include "tests/ops/numbers.h"
#include "tests/ops/products.h"

#define FAKE MR_BINARY_DIR "/lib/libtest_fake_dnnl.so"
#define NUMBER MR_BINARY_DIR "/lib/libtest_number_of_dnnl.so"

// Large enough that its right operand would be packed for all pieces.
enum { M = 512, N = 1024, K = 1024 };

static const char *wanted;  // a part of the message

static bool is_close(const float *a, const float *b, const float *c, int row, int column) {
  double sum = 0, size = 1;
  for (int k = 0; k < K; k++) {
    double product = (double)a[row * K + k] * (double)b[k * N + column];
    sum += product;
    size += fabs(product);
  }
  return fabs((double)c[row * N + column] - sum) <= 0x1p-21 * size;
}

static mr_status make_product(mr_library_call **out_call) {
  const mr_matmul_desc d = describe_f32(M, N, K, false, false);
  return mr_matmul_create(&d, out_call);
}

// Exit statuses of children: 0 is what was expected.
static int multiplies(void) {
  mr_library_call *call;
  if (make_product(&call)) {
    return 1;
  }
  float *a = malloc(sizeof(float) * M * K), *b = malloc(sizeof(float) * K * N), *c = malloc(sizeof(float) * M * N);
  void *scratch = aligned_alloc(64, (call->scratch_bytes + 127) / 64 * 64);
  if (!a || !b || !c || !scratch) {
    return 2;
  }
  for (int i = 0; i < M * K; i++) {
    a[i] = (float)next_value();
  }
  for (int i = 0; i < K * N; i++) {
    b[i] = (float)next_value();
  }
  if (call->run(call, (void *const[]){a, b, c}, scratch, NULL)) {
    return 3;
  }
  mr_library_call_destroy(call);
  for (int i = 0; i < M * N; i += 1009) {
    if (!is_close(a, b, c, i / N, i % N)) {
      return 4;
    }
  }
  free(a);
  free(b);
  free(c);
  free(scratch);
  return 0;
}

static int is_refused(void) {
  mr_library_call *call;
  for (int turn = 0; turn < 2; turn++) {
    mr_status status = make_product(&call);
    if (mr_status_code(status) != MR_UNAVAILABLE || !strstr(mr_status_message(status), wanted) || call) {
      return 1;
    }
    mr_status_free(status);
    if (dlopen(NUMBER, RTLD_LAZY | RTLD_NOLOAD)) {
      return 2;  // it is still there
    }
  }
  return 0;
}

// A process opens oneDNN once.
static int in_child(const char *library, const char *version, int (*body)(void)) {
  pid_t child = fork();
  assert_int_not_equal(child, -1);
  if (child == 0) {
    setenv("MILLRACE_ONEDNN_LIBRARY", library, 1);
    setenv("MR_FAKE_DNNL", version, 1);
    _exit(body());
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

// The private functions of a version that the tests were run on are called: the fake one's, which end the process. So what the
// next test finds is what was asked of it.
static void test_known_version_packs(void **state) {
  (void)state;
  assert_int_equal(in_child(FAKE, "2.6.3", multiplies), FAKE_DNNL_WAS_PRIVATE);
}

// Those of another 2.x are left alone, whatever their names, and products are right without them.
static void test_other_versions_do_not_pack(void **state) {
  (void)state;
  assert_int_equal(in_child(FAKE, "2.6.97", multiplies), 0);
  assert_int_equal(in_child(FAKE, "2.99.0", multiplies), 0);
}

// An older and the next one, by number, each time that somebody asks; and neither stays in the process.
static void test_refuses_by_number(void **state) {
  (void)state;
  wanted = "oneDNN 3.1.0 found; 2.x is wanted, from 2.6 on";
  assert_int_equal(in_child(NUMBER, "3.1.0", is_refused), 0);
  wanted = "oneDNN 2.5.4 found; 2.x is wanted, from 2.6 on";
  assert_int_equal(in_child(NUMBER, "2.5.4", is_refused), 0);
}

// What is no oneDNN, and what is no file.
static void test_refuses_others(void **state) {
  (void)state;
  wanted = "no dnnl_version";
  assert_int_equal(in_child("libm.so.6", "", is_refused), 0);
  wanted = "/nowhere/libdnnl.so.2";
  assert_int_equal(in_child("/nowhere/libdnnl.so.2", "", is_refused), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_version_packs),
      cmocka_unit_test(test_other_versions_do_not_pack),
      cmocka_unit_test(test_refuses_by_number),
      cmocka_unit_test(test_refuses_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
