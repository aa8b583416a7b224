// What propagation finds. Meshes of 4 x 2 devices; arguments' shardings, then results', after the boundary was made even.
#include "tests/shard/propagated.h"

#define MESH "module { sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]> "
#define SHARDED(type, dims) "tensor<" type "> {sdy.sharding = #sdy.sharding<@mesh, [" dims "]>}"
#define X "{\"x\"}"
#define Y "{\"y\"}"
#define XY "{\"x\", \"y\"}"
#define N "{}"

static void check(const char *program, bool exported, const char *wanted) {
  char *found = propagated(program, 8, exported);
  if (strcmp(found, wanted) != 0) {
    fail_msg("%s\n gives  %s\n wanted %s", program, found, wanted);
  }
  free(found);
}

#define BINARY(op, type, a, b)                                                                                        \
  MESH "func.func @main(%a: " SHARDED(type, a) ", %b: " SHARDED(type, b) ") -> tensor<" type "> { %0 = stablehlo." op \
                                                                         " %a, %b : tensor<" type                     \
                                                                         "> return %0 : tensor<" type "> } }"

// Of two that want an axis along different dims the larger comes first, then who wants more, then the first.
static void test_conflicts_of_elementwise_ops(void **state) {
  (void)state;
  check(BINARY("add", "8x8xf32", X ", " N, N ", " X), true, "[{x}, {}] [{}, {x}] -> [{x}, {}]");
  check(BINARY("add", "8x8xf32", Y ", " N, N ", " X), true, "[{y}, {}] [{}, {x}] -> [{y}, {x}]");
  check(BINARY("add", "8x8xf32", N ", " XY, X ", " N), true, "[{}, {x, y}] [{x}, {}] -> [{}, {x, y}]");
  check(BINARY("add", "8xf32", X, Y), true, "[{x}] [{y}] -> -");
  check(BINARY("add", "8xf32", X, XY), true, "[{x}] [{x, y}] -> [{x, y}]");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_conflicts_of_elementwise_ops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
