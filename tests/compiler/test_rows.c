// Programs over several devices: who meets whom, and what each gets.
#include <stdlib.h>
#include <unistd.h>

#include "compiler/plan/plan.h"
#include "core/trace.h"
#include "tests/compiler/rows_harness.h"
#include "tests/under_asan.h"

enum { DEVICES = 8 };

#define GLOBAL "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids"
#define CHANNEL "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
#define ALL "replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>"
#define PAIRS_OF_4 "replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>"
#define REGION(op, type)                                                                               \
  "({\n^bb0(%p: tensor<" type ">, %q: tensor<" type ">):\n%s = stablehlo." op " %p, %q : tensor<" type \
  ">\nstablehlo.return %s : tensor<" type ">\n})"

// Each row's argument: `n` floats, row * 100 + position.
static void give_floats(rows_case *c, int64_t n) {
  float data[256];
  for (uint32_t i = 0; i < c->count; i++) {
    for (int64_t k = 0; k < n; k++) {
      data[k] = (float)(100 * i + k);
    }
    c->arguments[i][0] = on_device(i, MR_F32, data, &n, 1);
  }
}

static void expect_row(rows_case *c, uint32_t row, const float *wanted, size_t n) {
  float got[512];
  assert_int_equal(mr_buffer_bytes(c->results[row][0]), n * sizeof(float));
  read_result(c, row, 0, got);
  for (size_t k = 0; k < n; k++) {
    if (got[k] != wanted[k]) {
      fail_msg("row %u, element %zu is %g, wanted %g", row, k, (double)got[k], (double)wanted[k]);
    }
  }
}

// A sum over everybody is there on everybody, between steps of their own.
static void test_all_reduce(void **state) {
  (void)state;
  rows_case *c = rows_of("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                         "  %x = stablehlo.add %a, %a : tensor<4xf32>\n"
                         "  %y = \"stablehlo.all_reduce\"(%x) " REGION(
                             "add", "f32") " {" ALL ", " GLOBAL "} : (tensor<4xf32>) -> tensor<4xf32>\n"
                                           "  %z = stablehlo.add %y, %a : tensor<4xf32>\n"
                                           "  return %z : tensor<4xf32>\n}\n",
                         1, DEVICES);
  give_floats(c, 4);
  run_rows(c);
  for (uint32_t i = 0; i < DEVICES; i++) {
    float wanted[4];
    for (int k = 0; k < 4; k++) {
      wanted[k] = (float)(2 * (2800 + 8 * k) + (int)(100 * i) + k);
    }
    expect_row(c, i, wanted, 4);
  }
  end_rows(c);
}

// Two groups gather, each its own, in the order of the group.
static void test_all_gather(void **state) {
  (void)state;
  rows_case *c = rows_of("func.func @main(%a: tensor<4xf32>) -> tensor<2x8xf32> {\n"
                         "  %x = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<2x2xf32>\n"
                         "  %y = \"stablehlo.all_gather\"(%x) {all_gather_dim = 1 : i64, " PAIRS_OF_4 ", " GLOBAL
                         "} : (tensor<2x2xf32>) -> tensor<2x8xf32>\n"
                         "  return %y : tensor<2x8xf32>\n}\n",
                         1, DEVICES);
  give_floats(c, 4);
  run_rows(c);
  for (uint32_t i = 0; i < DEVICES; i++) {
    float wanted[16];
    for (int r = 0; r < 2; r++) {
      for (int k = 0; k < 8; k++) {
        wanted[8 * r + k] = (float)(100 * (2 * (k / 2) + (int)(i % 2)) + 2 * r + k % 2);
      }
    }
    expect_row(c, i, wanted, 16);
  }
  end_rows(c);
}

// A ring passes on; who is no target gets zeros; which device this is can be asked.
static void test_permute_and_partition_id(void **state) {
  (void)state;
  rows_case *c = rows_of("func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> {\n"
                         "  %i = stablehlo.partition_id : tensor<ui32>\n"
                         "  %f = stablehlo.convert %i : (tensor<ui32>) -> tensor<f32>\n"
                         "  %g = stablehlo.reshape %f : (tensor<f32>) -> tensor<1xf32>\n"
                         "  %x = stablehlo.add %a, %g : tensor<1xf32>\n"
                         "  %y = \"stablehlo.collective_permute\"(%x) {source_target_pairs = dense<[[0, 1], [1, 2], "
                         "[2, 0], [5, 4]]> : tensor<4x2xi64>, " CHANNEL "} : (tensor<1xf32>) -> tensor<1xf32>\n"
                         "  return %y : tensor<1xf32>\n}\n",
                         1, DEVICES);
  give_floats(c, 1);
  run_rows(c);
  static const float wanted[DEVICES] = {202, 0, 101, 0, 505, 0, 0, 0};
  for (uint32_t i = 0; i < DEVICES; i++) {
    expect_row(c, i, &wanted[i], 1);
  }
  end_rows(c);
}

// Each device's k-th part of the sum; and parts exchanged by everybody with everybody.
static void test_scatter_and_exchange(void **state) {
  (void)state;
  rows_case *c = rows_of(
      "func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {\n"
      "  %x = \"stablehlo.all_to_all\"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 8 : "
      "i64, " ALL ", " CHANNEL "} : (tensor<16xf32>) -> tensor<16xf32>\n"
      "  %y = \"stablehlo.reduce_scatter\"(%x) " REGION(
          "add", "f32") " {scatter_dimension = 0 : i64, " ALL ", " GLOBAL "} : (tensor<16xf32>) -> tensor<2xf32>\n"
                        "  %z = stablehlo.concatenate %y, %y, %y, %y, %y, %y, %y, %y, dim = 0 : (tensor<2xf32>, "
                        "tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, "
                        "tensor<2xf32>) -> tensor<16xf32>\n"
                        "  %w = stablehlo.subtract %x, %z : tensor<16xf32>\n"
                        "  return %w : tensor<16xf32>\n}\n",
      1, DEVICES);
  give_floats(c, 16);
  run_rows(c);
  for (uint32_t i = 0; i < DEVICES; i++) {
    float wanted[16];
    for (int k = 0; k < 16; k++) {
      float exchanged = (float)(100 * (k / 2) + 2 * (int)i + k % 2);
      float sum = 0;  // over r of what r has at 2 i + k % 2: i's numbers for r
      for (int r = 0; r < DEVICES; r++) {
        sum += (float)(100 * (int)i + 2 * r + k % 2);
      }
      wanted[k] = exchanged - sum;
    }
    expect_row(c, i, wanted, 16);
  }
  end_rows(c);
}

// A loop whose rounds meet goes round as often as each group wants to: groups need not agree.
static void test_loop(void **state) {
  (void)state;
  rows_case *c =
      rows_of("func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> {\n"
              "  %i = stablehlo.partition_id : tensor<ui32>\n"
              "  %one = stablehlo.constant dense<1> : tensor<ui32>\n"
              "  %two = stablehlo.constant dense<2> : tensor<ui32>\n"
              "  %zero = stablehlo.constant dense<0> : tensor<ui32>\n"
              "  %odd = stablehlo.remainder %i, %two : tensor<ui32>\n"
              "  %n = stablehlo.add %odd, %two : tensor<ui32>\n"
              "  %r:2 = stablehlo.while(%k = %zero, %x = %a) : tensor<ui32>, tensor<1xf32>\n"
              "  cond {\n"
              "    %c = stablehlo.compare LT, %k, %n, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>\n"
              "    stablehlo.return %c : tensor<i1>\n"
              "  } do {\n"
              "    %j = stablehlo.add %k, %one : tensor<ui32>\n"
              "    %y = \"stablehlo.all_reduce\"(%x) " REGION(
                  "add", "f32") " {" PAIRS_OF_4 ", " GLOBAL "} : (tensor<1xf32>) -> tensor<1xf32>\n"
                                "    stablehlo.return %j, %y : tensor<ui32>, tensor<1xf32>\n"
                                "  }\n"
                                "  return %r#1 : tensor<1xf32>\n}\n",
              1, DEVICES);
  give_floats(c, 1);
  for (int round = 0; round < 50; round++) {
    run_rows(c);
    for (uint32_t i = 0; i < DEVICES; i++) {
      float wanted = i % 2 ? 1600 * 16 : 1200 * 4;
      expect_row(c, i, &wanted, 1);
    }
    drop_results(c);
  }
  end_rows(c);
}

// A region that is no one op, and a type that devices do not fold themselves, with their widening: what all have is gathered, and each folds it.
static void test_regions(void **state) {
  (void)state;
  rows_case *c = rows_of(
      "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
      "  %x = \"stablehlo.all_reduce\"(%a) ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
      "    %s = stablehlo.add %p, %q : tensor<f32>\n    %t = stablehlo.add %s, %p : tensor<f32>\n"
      "    stablehlo.return %t : tensor<f32>\n}) {" PAIRS_OF_4 ", " GLOBAL "} : (tensor<8xf32>) -> tensor<8xf32>\n"
      "  %y = \"stablehlo.reduce_scatter\"(%a) ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
      "    %s = stablehlo.subtract %q, %p : tensor<f32>\n"
      "    stablehlo.return %s : tensor<f32>\n}) {scatter_dimension = 0 : i64, " PAIRS_OF_4 ", " GLOBAL
      "} : (tensor<8xf32>) -> tensor<2xf32>\n"
      "  %b = stablehlo.convert %a : (tensor<8xf32>) -> tensor<8xi4>\n"
      "  %z = \"stablehlo.all_reduce\"(%b) " REGION(
          "add",
          "i32") " {" PAIRS_OF_4 ", " GLOBAL "} : (tensor<8xi4>) -> tensor<8xi32>\n"
                 "  %w = stablehlo.convert %z : (tensor<8xi32>) -> tensor<8xf32>\n"
                 "  %v = stablehlo.concatenate %y, %y, %y, %y, dim = 0 : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, "
                 "tensor<2xf32>) -> tensor<8xf32>\n"
                 "  %u = stablehlo.add %x, %v : tensor<8xf32>\n"
                 "  %t = stablehlo.add %u, %w : tensor<8xf32>\n"
                 "  return %t : tensor<8xf32>\n}\n",
      1, DEVICES);
  float data[8];
  for (uint32_t i = 0; i < DEVICES; i++) {
    for (int k = 0; k < 8; k++) {
      data[k] = (float)((int)(i + (unsigned)k) % 7);
    }
    c->arguments[i][0] = on_device(i, MR_F32, data, (int64_t[]){8}, 1);
  }
  run_rows(c);
  for (uint32_t i = 0; i < DEVICES; i++) {
    float wanted[8];
    for (uint32_t k = 0; k < 8; k++) {
      float all = 0, part = 0, sum = 0;
      for (uint32_t r = 0; r < 4; r++) {
        uint32_t member = 2 * r + i % 2;
        float mine = (float)((member + k) % 7), other = (float)((member + 2 * (i / 2) + k % 2) % 7);
        all = r ? all + mine + all : mine;
        part = r ? other - part : other;
        sum += mine;
      }
      wanted[k] = all + part + sum;
    }
    expect_row(c, i, wanted, 8);
  }
  end_rows(c);
}

// A device that ends while others of its group wait for it fails them, in words.
static void test_never_comes(void **state) {
  (void)state;
  rows_case *c =
      rows_of("func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> {\n"
              "  %i = stablehlo.partition_id : tensor<ui32>\n"
              "  %five = stablehlo.constant dense<5> : tensor<ui32>\n"
              "  %c = stablehlo.compare EQ, %i, %five, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>\n"
              "  %r = \"stablehlo.if\"(%c) ({\n"
              "    stablehlo.return %a : tensor<1xf32>\n"
              "  }, {\n"
              "    %y = \"stablehlo.all_reduce\"(%a) " REGION("add", "f32") " {" ALL ", " GLOBAL
                                                                            "} : (tensor<1xf32>) -> tensor<1xf32>\n"
                                                                            "    stablehlo.return %y : tensor<1xf32>\n"
                                                                            "  }) : (tensor<i1>) -> tensor<1xf32>\n"
                                                                            "  return %r : tensor<1xf32>\n}\n",
              1, DEVICES);
  give_floats(c, 1);
  expect_ok(mr_execute_rows(c->executable, c->rows, c->count, 1));
  uint32_t failed = 0;
  for (uint32_t i = 0; i < DEVICES; i++) {
    mr_future_wait(c->rows[i].done);
    mr_status status = mr_future_status(c->rows[i].done);
    failed += status != MR_OK;
    assert_true(i == 5 || (status && strstr(mr_status_message(status), "all_reduce: device 5")));
    mr_future_release(c->rows[i].done);
  }
  assert_true(failed >= DEVICES - 1);
  end_rows(c);
}

// Devices that come to two meetings in another order wait for each other; so do those that come more often than others. Nobody hangs.
static void test_waiting_for_each_other(void **state) {
  (void)state;
  if (!mr_party_is_one_place()) {
    return;  // nobody sees how all wait
  }
  rows_case *c =
      rows_of("func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> {\n"
              "  %i = stablehlo.partition_id : tensor<ui32>\n"
              "  %five = stablehlo.constant dense<5> : tensor<ui32>\n"
              "  %c = stablehlo.compare LT, %i, %five, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>\n"
              "  %r = \"stablehlo.if\"(%c) ({\n"
              "    %y = \"stablehlo.all_reduce\"(%a) " REGION(
                  "add", "f32") " {" ALL ", " GLOBAL "} : (tensor<1xf32>) -> tensor<1xf32>\n"
                                "    %z = \"stablehlo.collective_broadcast\"(%y) {" ALL ", " CHANNEL
                                "} : (tensor<1xf32>) -> tensor<1xf32>\n"
                                "    stablehlo.return %z : tensor<1xf32>\n"
                                "  }, {\n"
                                "    %y = \"stablehlo.collective_broadcast\"(%a) {" ALL ", " CHANNEL
                                "} : (tensor<1xf32>) -> tensor<1xf32>\n"
                                "    %z = \"stablehlo.all_reduce\"(%y) " REGION(
                                    "add", "f32") " {" ALL ", " GLOBAL "} : (tensor<1xf32>) -> tensor<1xf32>\n"
                                                  "    stablehlo.return %z : tensor<1xf32>\n"
                                                  "  }) : (tensor<i1>) -> tensor<1xf32>\n"
                                                  "  return %r : tensor<1xf32>\n}\n",
              1, DEVICES);
  give_floats(c, 1);
  for (int round = 0; round < 20; round++) {
    expect_ok(mr_execute_rows(c->executable, c->rows, c->count, 1));
    for (uint32_t i = 0; i < DEVICES; i++) {
      assert_true(mr_future_wait_until(c->rows[i].done, mr_now_ns() + 20000000000));
      mr_status status = mr_future_status(c->rows[i].done);
      const char *message = status ? mr_status_message(status) : "";
      assert_non_null(strstr(message, "wait for each other for ever"));
      assert_true(strstr(message, "in all_reduce for device") && strstr(message, "in collective_broadcast for device"));
      mr_future_release(c->rows[i].done);
      c->rows[i].done = NULL;
    }
    drop_results(c);
  }
  end_rows(c);
}

// A trace has each collective for each device, by name, whether the rows run in step or each for itself.
static void test_traced_by_device(void **state) {
  (void)state;
  char path[] = "/tmp/millrace-rows-XXXXXX", event[128];
  static char text[1 << 20];
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  rows_case *c =
      rows_of("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
              "  %y = \"stablehlo.all_reduce\"(%a) " REGION("add", "f32") " {" ALL ", " GLOBAL
                                                                          "} : (tensor<4xf32>) -> tensor<4xf32>\n"
                                                                          "  return %y : tensor<4xf32>\n}\n",
              1, DEVICES);
  give_floats(c, 4);
  expect_ok(mr_trace_start(path));
  run_rows(c);
  expect_ok(mr_trace_stop());
  ssize_t size = read(fd, text, sizeof text - 1);
  assert_true(size > 0);
  text[size] = '\0';
  for (int i = 0; i < DEVICES; i++) {
    bool found = false;
    (void)snprintf(event, sizeof event, "\"args\":{\"device\":%d,\"hlo_op\":\"all_reduce.", i);
    for (const char *at = strstr(text, "\"name\":\"all_reduce\""); at && !found;
         at = strstr(at + 1, "\"name\":\"all_reduce\"")) {
      const char *device_of = strstr(at, event), *end = strchr(at, '\n');
      found = device_of && (!end || device_of < end);
    }
    if (!found) {
      fail_msg("device %d has no all_reduce in the trace", i);
    }
  }
  close(fd);
  unlink(path);
  end_rows(c);
}

// Rows are as many as the program is for, each device of it once.
static void test_rows_are_checked(void **state) {
  (void)state;
  rows_case *c =
      rows_of("func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> {\n  return %a : tensor<1xf32>\n}\n", 2, 4);
  give_floats(c, 1);
  expect_code(mr_execute_rows(c->executable, c->rows, 7, 1), MR_INVALID_ARGUMENT);
  c->rows[7].partition = 2;
  expect_code(mr_execute_rows(c->executable, c->rows, 8, 1), MR_INVALID_ARGUMENT);
  c->rows[7].partition = 4;
  expect_code(mr_execute_rows(c->executable, c->rows, 8, 1), MR_INVALID_ARGUMENT);
  c->rows[7].partition = 3;
  run_rows(c);
  end_rows(c);
}

static uint64_t allocations_of(rows_case *c, int rounds) {
  mr_alloc_fail_nth(0);
  for (int i = 0; i < rounds; i++) {
    run_rows(c);
    drop_results(c);
  }
  return mr_alloc_fail_nth(0);
}

// Calls that come again and again ask for no memory but each result's handle, as those of one device, whether the rows run here, one thread runs
// all in step, or each is a node and they meet.
static void test_calls_again(void **state) {
  (void)state;
  enum { ROUNDS = 100, WAYS = 3 };
  if (!mr_party_is_one_place()) {
    return;  // what is given is copied
  }
  rows_case *c =
      rows_of("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
              "  %y = \"stablehlo.all_reduce\"(%a) " REGION("add", "f32") " {" ALL ", " GLOBAL
                                                                          "} : (tensor<4xf32>) -> tensor<4xf32>\n"
                                                                          "  return %y : tensor<4xf32>\n}\n",
              1, DEVICES);
  give_floats(c, 4);
  for (int way = 0; way < WAYS; way++) {
    c->executable->cost_ns = way == 0 ? 1000 : 100000000;
    c->executable->in_step = way < 2;
    uint64_t allocations = UINT64_MAX;
    // At first, and whenever the threads' stores of blocks have become uneven, there are some.
    for (int turn = 0; turn < 50 && allocations > ROUNDS * DEVICES; turn++) {
      allocations = allocations_of(c, ROUNDS);
    }
    assert_true(UNDER_ASAN || allocations <= ROUNDS * DEVICES);
  }
  end_rows(c);
}

// Shardings in a program over two replicas of four partitions: each replica has a whole program of its own.
static void test_replicas_of_partitions(void **state) {
  (void)state;
  rows_case *c =
      rows_of("sdy.mesh @mesh = <[\"x\"=4]>\n"
              "func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) -> (tensor<8xf32> "
              "{sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}, tensor<8xf32> {sdy.sharding = "
              "#sdy.sharding<@mesh, [{}]>}) {\n"
              "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
              "  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : "
              "(tensor<8xf32>, tensor<f32>) -> tensor<f32>\n"
              "  %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<8xf32>\n"
              "  %r = stablehlo.reverse %a, dims = [0] : tensor<8xf32>\n"
              "  %y = stablehlo.add %r, %b : tensor<8xf32>\n"
              "  return %y, %a : tensor<8xf32>, tensor<8xf32>\n}\n",
              2, 4);
  give_floats(c, 2);
  run_rows(c);
  for (uint32_t row = 0; row < DEVICES; row++) {
    float whole[8], sum = 0, got[8];
    for (uint32_t i = 0; i < 8; i++) {
      whole[i] = (float)(100 * (row / 4 * 4 + i / 2) + i % 2);
      sum += whole[i];
    }
    uint32_t at = 7 - row % 4 * 2;
    expect_row(c, row, (float[]){whole[at] + sum, whole[at - 1] + sum}, 2);
    read_result(c, row, 1, got);
    assert_memory_equal(got, whole, sizeof whole);
  }
  end_rows(c);
}

int main(void) {
#define ON(open, test) cmocka_unit_test_setup_teardown(test, open, close_platform)
  const struct CMUnitTest tests[] = {
      ON(open_eight, test_all_reduce),
      ON(open_eight, test_all_gather),
      ON(open_eight, test_permute_and_partition_id),
      ON(open_eight, test_scatter_and_exchange),
      ON(open_eight, test_loop),
      ON(open_eight, test_replicas_of_partitions),
      ON(open_eight, test_regions),
      ON(open_eight, test_never_comes),
      ON(open_eight, test_waiting_for_each_other),
      ON(open_eight, test_traced_by_device),
      ON(open_eight_fenced, test_traced_by_device),
      ON(open_eight, test_rows_are_checked),
      ON(open_eight, test_calls_again),
      ON(open_eight_fenced, test_all_reduce),
      ON(open_eight_fenced, test_all_gather),
      ON(open_eight_fenced, test_permute_and_partition_id),
      ON(open_eight_fenced, test_scatter_and_exchange),
      ON(open_eight_fenced, test_loop),
      ON(open_eight_fenced, test_never_comes),
      ON(open_eight_fenced, test_waiting_for_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
