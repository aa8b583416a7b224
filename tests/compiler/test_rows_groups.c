// Programs over several devices: the ways in which groups are said, and collectives of several operands.
#include "tests/compiler/rows_harness.h"

enum { DEVICES = 8 };

#define GLOBAL "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids"
#define CHANNEL "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
#define MESH "sdy.mesh @mesh = <[\"x\"=4, \"one\"=1, \"y\"=2]>\n"
#define AXIS(name) "#stablehlo.axis_ref<name = \"" name "\">"
#define BY(mesh, axes) "replica_groups = #stablehlo.replica_group_mesh_axes<mesh = " mesh ", axes = [" axes "]>"
#define REGION(op, type)                                                                               \
  "({\n^bb0(%p: tensor<" type ">, %q: tensor<" type ">):\n%s = stablehlo." op " %p, %q : tensor<" type \
  ">\nstablehlo.return %s : tensor<" type ">\n})"

// Everybody gathers everybody's number in its group: who met whom, in which order.
static void expect_members(const char *text, uint32_t replicas, uint32_t partitions, uint32_t size,
                           const int *const *groups) {
  rows_case *c = rows_of(text, replicas, partitions);
  for (uint32_t i = 0; i < c->count; i++) {
    c->arguments[i][0] = on_device(i, MR_F32, &(float){(float)i}, (int64_t[]){1}, 1);
  }
  run_rows(c);
  for (uint32_t i = 0; i < c->count; i++) {
    float got[DEVICES];
    assert_int_equal(mr_buffer_bytes(c->results[i][0]), size * sizeof(float));
    read_result(c, i, 0, got);
    for (uint32_t k = 0; k < size; k++) {
      if ((int)got[k] != groups[i][k]) {
        fail_msg("row %u, place %u is device %d, wanted %d", i, k, (int)got[k], groups[i][k]);
      }
    }
  }
  end_rows(c);
}

#define GATHER(groups, ids, n)                                                                                       \
  "%y = \"stablehlo.all_gather\"(%a) {all_gather_dim = 0 : i64, " groups ", " ids "} : (tensor<1xf32>) -> tensor<" n \
  "xf32>\n"
#define MAIN(body, n) \
  "func.func @main(%a: tensor<1xf32>) -> tensor<" n "xf32> {\n" body "return %y : tensor<" n "xf32>\n}\n"
// Sdy's meshes are for the partitioner, whose programs say what is whole and what is a part.
#define MANUAL(mesh, body, n, all)                                                                                  \
  mesh "func.func @main(%g: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\", \"y\"}]>}) -> (tensor<" all \
       "xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\", \"y\"}]>}) {\n"                                         \
       "%r = sdy.manual_computation(%g) in_shardings=[<@mesh, [{\"x\", \"y\"}]>] out_shardings=[<@mesh, [{\"x\", "  \
       "\"y\"}]>] manual_axes={\"x\", \"y\"} (%a: tensor<1xf32>) {\n" body "sdy.return %y : tensor<" n              \
       "xf32>\n} : (tensor<8xf32>) -> tensor<" all "xf32>\nreturn %r : tensor<" all "xf32>\n}\n"

// Along one axis, along two in an order that is not the mesh's, along none, along a part of one, and along one of size 1: as XLA:CPU has it.
static void test_axes_of_a_mesh(void **state) {
  (void)state;
  static const int even[] = {0, 2, 4, 6}, odd[] = {1, 3, 5, 7}, turned[] = {0, 2, 4, 6, 1, 3, 5, 7};
  static const int singles[] = {0, 1, 2, 3, 4, 5, 6, 7}, near[4][2] = {{0, 2}, {1, 3}, {4, 6}, {5, 7}};
  expect_members(MANUAL(MESH, GATHER(BY("@mesh", AXIS("x")), GLOBAL, "4"), "4", "32"), 1, DEVICES, 4,
                 (const int *const[]){even, odd, even, odd, even, odd, even, odd});
  expect_members(MANUAL(MESH, GATHER(BY("@mesh", AXIS("y") ", " AXIS("x")), GLOBAL, "8"), "8", "64"), 1, DEVICES, 8,
                 (const int *const[]){turned, turned, turned, turned, turned, turned, turned, turned});
  expect_members(MANUAL(MESH, GATHER(BY("@mesh", AXIS("one")), GLOBAL, "1"), "1", "8"), 1, DEVICES, 1,
                 (const int *const[]){singles, singles + 1, singles + 2, singles + 3, singles + 4, singles + 5,
                                      singles + 6, singles + 7});
  expect_members(
      MANUAL(MESH, GATHER(BY("@mesh", "#stablehlo.axis_ref<name = \"x\", sub_axis_info = (2)2>"), GLOBAL, "2"), "2",
             "16"),
      1, DEVICES, 2, (const int *const[]){near[0], near[1], near[0], near[1], near[2], near[3], near[2], near[3]});
}

// A mesh that stands in the attribute may have an order of devices of its own, and it may name replicas.
static void test_mesh_in_place(void **state) {
  (void)state;
  static const int pairs[4][2] = {{7, 3}, {6, 2}, {5, 1}, {4, 0}}, rows[2][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
#define TURNED                                                                                       \
  "#stablehlo.mesh<axes = [<name = \"a\", size = 2>, <name = \"b\", size = 4>], device_ids = dense<" \
  "[7, 6, 5, 4, 3, 2, 1, 0]> : tensor<8xi64>>"
  expect_members(MAIN(GATHER(BY(TURNED, AXIS("a")), GLOBAL, "2"), "2"), 1, DEVICES, 2,
                 (const int *const[]){pairs[3], pairs[2], pairs[1], pairs[0], pairs[3], pairs[2], pairs[1], pairs[0]});
#define FOUR "#stablehlo.mesh<axes = [<name = \"a\", size = 2>, <name = \"b\", size = 4>]>"
  expect_members(MAIN(GATHER(BY(FOUR, AXIS("b")), GLOBAL, "4"), "4"), 2, 4, 4,
                 (const int *const[]){rows[0], rows[0], rows[0], rows[0], rows[1], rows[1], rows[1], rows[1]});
}

static void expect_refused(const char *groups, const char *why) {
  char text[1024];
  (void)snprintf(text, sizeof text,
                 MESH "func.func @main(%%a: tensor<1xf32>) -> tensor<2xf32> {\n%%y = \"stablehlo.all_gather\"(%%a) "
                      "{all_gather_dim = 0 : i64, %s, " GLOBAL "} : (tensor<1xf32>) -> tensor<2xf32>\nreturn %%y : "
                      "tensor<2xf32>\n}\n",
                 groups);
  mr_compile_options options = {.num_replicas = 1, .num_partitions = DEVICES};
  mr_executable *e;
  mr_status status = mr_compile((mr_span){text, strlen(text)}, &options, &e);
  assert_non_null(status);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  if (!strstr(mr_status_message(status), why)) {
    fail_msg("%s, wanted: %s", mr_status_message(status), why);
  }
  mr_status_free(status);
}

// What cannot be a list of groups is refused by name.
static void test_axes_that_are_none(void **state) {
  (void)state;
  expect_refused(BY("@net", AXIS("x")), "no mesh @net");
  expect_refused(BY("@mesh", AXIS("z")), "an axis that its mesh lacks");
  expect_refused(BY("@mesh", AXIS("x") ", " AXIS("x")), "a part of an axis twice");
  expect_refused(BY("@mesh", "#stablehlo.axis_ref<name = \"x\", sub_axis_info = (1)3>"), "does not divide it");
  // Which half of twelve, and which half of each third: the halves end amid a third.
#define PART(sizes) "#stablehlo.axis_ref<name = \"a\", sub_axis_info = " sizes ">"
#define TWELVE "#stablehlo.mesh<axes = [<name = \"a\", size = 12>]>"
  expect_refused(BY(TWELVE, PART("(1)2") ", " PART("(3)2")), "parts of an axis that do not go together");
  expect_refused(BY(TWELVE, PART("(3)2") ", " PART("(1)2")), "parts of an axis that do not go together");
  // The shapes are for groups of two, the axis has four devices.
  expect_refused(BY("@mesh", AXIS("x")), "tensor<4xf32> and tensor<2xf32> do not agree");
}

#define LISTED(ids) "replica_groups = dense<" ids "> : tensor<1x2xi64>"
#define LISTED2(ids) "replica_groups = dense<" ids "> : tensor<2x2xi64>"

// What numbers in a list stand for: replicas, partitions, replicas with all their partitions, ids.
static void test_modes(void **state) {
  (void)state;
  static const int replicas[2][2] = {{0, 2}, {1, 3}}, all[] = {0, 2, 1, 3}, partitions[2][2] = {{1, 0}, {3, 2}};
  static const int flat[2][2] = {{0, 3}, {2, 1}};
  expect_members(MAIN(GATHER(LISTED("[[0, 1]]"), "channel_id = 0 : i64", "2"), "2"), 2, 2, 2,
                 (const int *const[]){replicas[0], replicas[1], replicas[0], replicas[1]});
  expect_members(MAIN(GATHER(LISTED("[[0, 1]]"), CHANNEL, "4"), "4"), 2, 2, 4,
                 (const int *const[]){all, all, all, all});
  expect_members(MAIN(GATHER(LISTED2("[[0, 3], [2, 1]]"), GLOBAL, "2"), "2"), 2, 2, 2,
                 (const int *const[]){flat[0], flat[1], flat[1], flat[0]});
  // all_to_all knows partitions: each gives both the same.
  expect_members(MAIN("%b = stablehlo.concatenate %a, %a, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>\n"
                      "%y = \"stablehlo.all_to_all\"(%b) {split_dimension = 0 : i64, concat_dimension = 0 : i64, "
                      "split_count = 2 : i64, " LISTED("[[1, 0]]") ", " CHANNEL
                                                                   "} : (tensor<2xf32>) -> tensor<2xf32>\n",
                      "2"),
                 2, 2, 2, (const int *const[]){partitions[0], partitions[0], partitions[1], partitions[1]});
}

// Operands of several types and shapes go together, each its own way.
static void test_several_operands(void **state) {
  (void)state;
  rows_case *c = rows_of(
      "func.func @main(%a: tensor<2xf32>, %b: tensor<1x2xi32>) -> (tensor<2xf32>, tensor<1x2xi32>, tensor<4xf32>, "
      "tensor<2x2xi32>) {\n"
      "  %p:2 = \"stablehlo.collective_permute\"(%a, %b) {source_target_pairs = dense<[[0, 1], [1, 0]]> : "
      "tensor<2x2xi64>, " CHANNEL "} : (tensor<2xf32>, tensor<1x2xi32>) -> (tensor<2xf32>, tensor<1x2xi32>)\n"
      "  %g:2 = \"stablehlo.all_gather\"(%p#0, %p#1) {all_gather_dim = 0 : i64, " LISTED(
          "[[0, 1]]") ", " GLOBAL "} : (tensor<2xf32>, tensor<1x2xi32>) -> (tensor<4xf32>, tensor<2x2xi32>)\n"
                      "  %e:2 = \"stablehlo.all_to_all\"(%g#0, %g#1) {split_dimension = 0 : i64, concat_dimension = 0 "
                      ": i64, "
                      "split_count = 2 : i64, " LISTED(
                          "[[0, 1]]") ", " CHANNEL
                                      "} : (tensor<4xf32>, tensor<2x2xi32>) -> (tensor<4xf32>, tensor<2x2xi32>)\n"
                                      "  return %p#0, %p#1, %e#0, %e#1 : tensor<2xf32>, tensor<1x2xi32>, "
                                      "tensor<4xf32>, tensor<2x2xi32>\n}\n",
      1, 2);
  for (uint32_t i = 0; i < 2; i++) {
    c->arguments[i][0] = on_device(i, MR_F32, (float[]){(float)i, (float)i + 10}, (int64_t[]){2}, 1);
    c->arguments[i][1] = on_device(i, MR_S32, (int32_t[]){(int)i + 100, (int)i + 110}, (int64_t[]){1, 2}, 2);
  }
  run_rows(c);
  for (uint32_t i = 0; i < 2; i++) {
    float f[4];
    int32_t n[4], other = 1 - (int)i, half = (int)i;
    read_result(c, i, 0, f);
    read_result(c, i, 1, n);
    assert_true((int)f[0] == other && (int)f[1] == other + 10 && n[0] == other + 100 && n[1] == other + 110);
    // Both have gathered device 1's and device 0's; each gets its half of both.
    read_result(c, i, 2, f);
    read_result(c, i, 3, n);
    for (int k = 0; k < 2; k++) {
      assert_true((int)f[2 * k] == 1 - half && (int)f[2 * k + 1] == 1 - half + 10);
      assert_true(n[2 * k] == 1 - half + 100 && n[2 * k + 1] == 1 - half + 110);
    }
  }
  end_rows(c);
}

// A sum of two types at once: the region is for both.
static void test_sums_of_two_shapes(void **state) {
  (void)state;
  rows_case *c = rows_of("func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>) {\n"
                         "  %s:2 = \"stablehlo.all_reduce\"(%a, %b) " REGION("add", "f32") " {" LISTED(
                             "[[0, 1]]") ", " GLOBAL "} : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, "
                                         "tensor<3xf32>)\n"
                                         "  return %s#0, %s#1 : tensor<2xf32>, tensor<3xf32>\n}\n",
                         1, 2);
  for (uint32_t i = 0; i < 2; i++) {
    c->arguments[i][0] = on_device(i, MR_F32, (float[]){1, (float)i}, (int64_t[]){2}, 1);
    c->arguments[i][1] = on_device(i, MR_F32, (float[]){2, 3, (float)i}, (int64_t[]){3}, 1);
  }
  run_rows(c);
  for (uint32_t i = 0; i < 2; i++) {
    float got[3];
    read_result(c, i, 0, got);
    assert_true(got[0] == 2 && got[1] == 1);
    read_result(c, i, 1, got);
    assert_true(got[0] == 4 && got[1] == 6 && got[2] == 1);
  }
  end_rows(c);
}

#define ASYNC(op, from, to, attrs, region)                                                                            \
  "  %f = \"stablehlo.async_start\"(%a) ({\n  ^bb0(%x: tensor<" from ">):\n    %o = \"stablehlo." op "\"(%x) " region \
  " {" attrs "} : (tensor<" from ">) -> tensor<" to ">\n    stablehlo.return %o : tensor<" to                         \
  ">\n  }) : (tensor<" from ">) -> !stablehlo.future<tensor<" to ">>\n"                                               \
  "  %d = \"stablehlo.async_done\"(%f) : (!stablehlo.future<tensor<" to ">>) -> tensor<" to ">\n"
#define SYNC(op, from, to, attrs, region) \
  "  %d = \"stablehlo." op "\"(%a) " region " {" attrs "} : (tensor<" from ">) -> tensor<" to ">\n"
#define BOTH(op, to, attrs, region)                                                   \
  {"func.func @main(%a: tensor<2xf32>) -> tensor<" to                                 \
   "> {\n" ASYNC(op, "2xf32", to, attrs, region) "  return %d : tensor<" to ">\n}\n", \
   "func.func @main(%a: tensor<2xf32>) -> tensor<" to                                 \
   "> {\n" SYNC(op, "2xf32", to, attrs, region) "  return %d : tensor<" to ">\n}\n"}

static void run_pair(const char *text, float *out, size_t bytes) {
  rows_case *c = rows_of(text, 1, 2);
  for (uint32_t i = 0; i < 2; i++) {
    c->arguments[i][0] = on_device(i, MR_F32, (float[]){(float)i + 1, (float)i + 10}, (int64_t[]){2}, 1);
  }
  run_rows(c);
  for (uint32_t i = 0; i < 2; i++) {
    assert_true(mr_buffer_bytes(c->results[i][0]) <= bytes / 2);
    read_result(c, i, 0, (char *)out + i * bytes / 2);
  }
  end_rows(c);
}

// Each collective that is started and waited for gives what it gives at once.
static void test_started_and_waited_for(void **state) {
  (void)state;
  static const char *const texts[][2] = {
      BOTH("all_reduce", "2xf32", LISTED("[[0, 1]]") ", " GLOBAL, REGION("add", "f32")),
      BOTH("reduce_scatter", "1xf32", "scatter_dimension = 0 : i64, " LISTED("[[0, 1]]") ", " GLOBAL,
           REGION("add", "f32")),
      BOTH("all_gather", "4xf32", "all_gather_dim = 0 : i64, " LISTED("[[1, 0]]") ", " GLOBAL, ""),
      BOTH("all_to_all", "2xf32",
           "split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, " LISTED(
               "[[0, 1]]") ", " CHANNEL,
           ""),
      BOTH("collective_permute", "2xf32", "source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, " CHANNEL,
           ""),
      BOTH("collective_broadcast", "2xf32", LISTED("[[1, 0]]") ", " CHANNEL, ""),
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(texts); i++) {
    float started[8] = {0}, at_once[8] = {0};
    run_pair(texts[i][0], started, sizeof started);
    run_pair(texts[i][1], at_once, sizeof at_once);
    assert_memory_equal(started, at_once, sizeof started);
    assert_true(at_once[0] != 0);
  }
}

int main(void) {
#define ON(open, test) cmocka_unit_test_setup_teardown(test, open, close_platform)
  const struct CMUnitTest tests[] = {
      ON(open_eight, test_axes_of_a_mesh),         ON(open_eight, test_mesh_in_place),
      ON(open_eight, test_axes_that_are_none),     ON(open_eight, test_modes),
      ON(open_eight, test_several_operands),       ON(open_eight, test_sums_of_two_shapes),
      ON(open_eight, test_started_and_waited_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
