// The first call that a process makes to the library, of each kind that has primitives.
//
// What oneDNN makes is laid out for the number of threads that OpenMP would have then, and that is a setting which comes with oneDNN.
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ops/library/library.h"
#include "ops/library/matmul_bf16.h"
#include "tests/cmocka.h"
#include "tests/ops/products.h"

enum { SIDE = 32, FEATURES = 64, ROWS = 512, BYTES = ROWS * ROWS * 4 };

static int count_threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  int count = 0;
  for (const struct dirent *entry; tasks && (entry = readdir(tasks));) {
    count += entry->d_name[0] != '.';
  }
  if (tasks) {
    closedir(tasks);
  }
  return count;
}

static mr_status make_conv(int64_t stride, mr_library_call **out_call) {
  mr_conv_desc d = {.lhs = MR_F32,
                    .rhs = MR_F32,
                    .out = MR_F32,
                    .spatial = 2,
                    .batch = 1,
                    .in_features = FEATURES,
                    .out_features = FEATURES,
                    .out_batch = 1,
                    .kernel_in_features = FEATURES,
                    .feature_groups = 1,
                    .batch_groups = 1,
                    .lhs_stride = {(int64_t)SIDE * SIDE * FEATURES, 1, (int64_t)SIDE * FEATURES, FEATURES},
                    .rhs_stride = {1, FEATURES, (int64_t)3 * FEATURES * FEATURES, (int64_t)FEATURES * FEATURES}};
  int64_t out = SIDE / stride;
  for (int i = 0; i < 2; i++) {
    d.in_size[i] = SIDE;
    d.kernel_size[i] = 3;
    d.stride[i] = stride;
    d.pad_low[i] = d.pad_high[i] = 1;
    d.lhs_dilation[i] = d.rhs_dilation[i] = 1;
    d.out_size[i] = out;
  }
  d.out_stride[0] = out * out * FEATURES;
  d.out_stride[1] = 1;
  d.out_stride[2] = out * FEATURES;
  d.out_stride[3] = FEATURES;
  return mr_conv_create(&d, out_call);
}

static mr_status make_winograd(mr_library_call **out_call) { return make_conv(1, out_call); }
static mr_status make_direct(mr_library_call **out_call) { return make_conv(2, out_call); }

static mr_status make_bf16_product(mr_library_call **out_call) {
  const mr_matmul_desc d = describe_product(MR_BF16, MR_F32, (int64_t[]){1, ROWS, ROWS, ROWS}, false, false);
  return mr_matmul_bf16_create(&d, out_call);
}

static void *zeros(size_t bytes) {
  void *data = aligned_alloc(64, (bytes + 127) / 64 * 64);
  if (data) {
    memset(data, 0, bytes);
  }
  return data;
}

// 0: no thread came; 1: one did; 2: the call could not be made.
static int threads_of_first(mr_status (*make)(mr_library_call **out_call)) {
  setenv("OMP_NUM_THREADS", "4", 1);
  int before = count_threads();
  mr_library_call *call;
  if (make(&call)) {
    return 2;
  }
  void *buffers[3] = {zeros(BYTES), zeros(BYTES), zeros(BYTES)}, *scratch = zeros(call->scratch_bytes);
  for (int turn = 0; turn < 2; turn++) {
    if (call->run(call, buffers, scratch, NULL)) {
      return 2;
    }
  }
  mr_library_call_destroy(call);
  return count_threads() != before;
}

// Each in a process that has not had one before.
static void expect_no_threads(mr_status (*make)(mr_library_call **out_call)) {
  pid_t child = fork();
  assert_int_not_equal(child, -1);
  if (child == 0) {
    _exit(threads_of_first(make));
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

// The library works on the thread that calls it, also in what was made when it was not open yet.
static void test_first_convolution_by_winograd(void **state) {
  (void)state;
  expect_no_threads(make_winograd);
}

static void test_first_convolution_directly(void **state) {
  (void)state;
  expect_no_threads(make_direct);
}

static void test_first_product_of_bf16(void **state) {
  (void)state;
  if (!mr_bf16_is_native()) {
    skip();
  }
  expect_no_threads(make_bf16_product);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_convolution_by_winograd),
      cmocka_unit_test(test_first_convolution_directly),
      cmocka_unit_test(test_first_product_of_bf16),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
