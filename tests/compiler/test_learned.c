// What a kernel takes is found out when it runs first, where its estimate is of a size that decides who runs it.
#include "compiler/run/run.h"
#include "tests/compiler/execute_harness.h"

enum { COUNT = 65536 };

static const char sines[] = "func.func @main(%x: tensor<65536xf32>) -> tensor<65536xf32> {\n"
                            "  %0 = stablehlo.sine %x : tensor<65536xf32>\n"
                            "  return %0 : tensor<65536xf32>\n}\n";
static const char tiny[] = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                           "  %0 = stablehlo.sine %x : tensor<2xf32>\n"
                           "  return %0 : tensor<2xf32>\n}\n";

static plan_step *only_kernel(mr_executable *executable) {
  assert_int_equal(executable->main.count, 1);
  assert_int_equal(executable->main.steps[0].kind, STEP_KERNEL);
  return &executable->main.steps[0];
}

// An execution's content, which `first` has when it is not the first one.
static void run_and_compare(mr_executable *executable, float *first, bool is_first) {
  static float x[COUNT], got[COUNT];
  for (int i = 0; i < COUNT; i++) {
    x[i] = (float)i / 1000;
  }
  mr_buffer *argument = floats(x, COUNT), *result = NULL;
  run(executable, &argument, 1, &result);
  mr_future *copied = NULL;
  expect_ok(mr_buffer_to_host(result, is_first ? first : got, NULL, &copied));
  wait_for(copied);
  assert_true(is_first || memcmp(first, got, sizeof got) == 0);
  mr_buffer_release(argument);
  mr_buffer_release(result);
}

// The first executions time the kernel; what it takes then takes the estimate's place, and no result changes.
static void test_estimate_is_replaced(void **state) {
  (void)state;
  static float first[COUNT];
  mr_executable *executable = compile(sines);
  plan_step *step = only_kernel(executable);
  plan_learned *learned = step->learned;
  assert_non_null(learned);
  assert_true(learned->once);
  assert_int_equal(atomic_load(&learned->looks), 0);
  for (uint32_t i = 0; i < MR_LEARN_LOOKS; i++) {
    run_and_compare(executable, first, i == 0);
  }
  assert_true(atomic_load(&learned->looks) >= MR_LEARN_LOOKS);
  assert_true(atomic_load(&learned->least_ns) > 0);
  // It takes less than it was estimated to, and less is counted for the program; or not.
  assert_true(atomic_load(&executable->less_ns) <= step->cost_ns);
  if (atomic_load(&learned->least_ns) < step->cost_ns) {
    assert_true(atomic_load(&executable->less_ns) >= step->cost_ns - atomic_load(&learned->least_ns));
  }
  // As if it took long, and as if it took nothing: it is shared, and is not, with the same bits.
  uint32_t pretended[] = {10000000, 1};
  for (size_t i = 0; i < MR_ARRAY_SIZE(pretended); i++) {
    atomic_store(&learned->least_ns, pretended[i]);
    run_and_compare(executable, first, false);
    assert_int_equal(atomic_load(&learned->least_ns), pretended[i]);
  }
  mr_executable_release(executable);
}

// What is estimated to be over in no time is not timed.
static void test_brief_kernels_are_believed(void **state) {
  (void)state;
  mr_executable *executable = compile(tiny);
  assert_null(only_kernel(executable)->learned);
  mr_executable_release(executable);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_estimate_is_replaced),
                                     cmocka_unit_test(test_brief_kernels_are_believed)};
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
