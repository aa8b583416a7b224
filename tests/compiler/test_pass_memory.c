// Memory that runs out in the middle of the passes is a status.
#include "tests/compiler/pass_text.h"

static const char program[] =
    "func.func public @main(%z: tensor<4xcomplex<f32>>, %s: tensor<2xui64>, %a: tensor<3x4xf32>, %p: tensor<i1>) -> "
    "(tensor<4xcomplex<f32>>, tensor<6xui32>, tensor<5x3xf32>, tensor<3x4xf32>, tensor<5x3xf32>, tensor<3xf32>) {\n"
    "  %0 = stablehlo.sqrt %z : tensor<4xcomplex<f32>>\n"
    "  %1:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, "
    "tensor<6xui32>)\n"
    "  %b = stablehlo.constant dense<2.0> : tensor<4x5xf32>\n"
    "  %2 = stablehlo.einsum %a, %b, config = \"ij,jk->ki\" : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<5x3xf32>\n"
    "  %3 = call @f(%a, %p) : (tensor<3x4xf32>, tensor<i1>) -> tensor<3x4xf32>\n"
    "  %4:2 = stablehlo.custom_call @Qr(%2) : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)\n"
    "  return %0, %1#1, %2, %3, %4#0, %4#1 : tensor<4xcomplex<f32>>, tensor<6xui32>, tensor<5x3xf32>, tensor<3x4xf32>, "
    "tensor<5x3xf32>, tensor<3xf32>\n}\n"
    "func.func private @f(%a: tensor<3x4xf32>, %p: tensor<i1>) -> tensor<3x4xf32> {\n"
    "  %0 = \"stablehlo.if\"(%p) ({\n    %1 = stablehlo.negate %a : tensor<3x4xf32>\n"
    "    %2 = stablehlo.negate %1 : tensor<3x4xf32>\n    stablehlo.return %2 : tensor<3x4xf32>\n"
    "  }, {\n    stablehlo.return %a : tensor<3x4xf32>\n  }) : (tensor<i1>) -> tensor<3x4xf32>\n"
    "  return %0 : tensor<3x4xf32>\n}\n";

// Whatever room the arena has beyond the program, the passes end with OK or RESOURCE_EXHAUSTED.
static void test_arena_limit(void **state) {
  (void)state;
  size_t refused = 0;
  for (size_t room = 0;; room += 512) {
    mr_module *module = read_ok(program);
    module->arena.limit = module->arena.used + room;
    mr_status status = mr_passes_run(module);
    bool enough = !status;
    if (status) {
      assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
      mr_status_free(status);
      refused++;
    }
    mr_module_release(module);
    if (enough) {
      break;
    }
  }
  assert_true(refused > 10);
}

// The same when the first, the second, ... allocation of the process fails; nothing leaks.
static void test_each_allocation(void **state) {
  (void)state;
  for (uint64_t nth = 1;; nth++) {
    mr_module *module = read_ok(program);
    mr_alloc_fail_nth(nth);
    mr_status status = mr_passes_run(module);
    mr_alloc_fail_nth(0);
    mr_module_release(module);
    if (!status) {
      break;
    }
    assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
    mr_status_free(status);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arena_limit),
      cmocka_unit_test(test_each_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
