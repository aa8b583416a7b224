// Programs over several devices that send one another: who gets what, in which order, and what never comes.
#include "compiler/reader/reader.h"
#include "tests/compiler/rows_harness.h"
#include "tests/file.h"

enum { DEVICES = 8 };

#define CHANNEL(id) "channel_handle = #stablehlo.channel_handle<handle = " id ", type = 1>, is_host_transfer = false"
#define PAIRS(ids, n) "source_target_pairs = dense<" ids "> : tensor<" n "x2xi64>"
#define ON_LINE PAIRS("[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7]]", "7")
#define ON_RING PAIRS("[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 0]]", "8")
#define SEND(to, x, token, id, pairs)      \
  to " = \"stablehlo.send\"(" x ", " token \
     ") {" CHANNEL(id) ", " pairs "} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token\n"
#define RECV(to, token, id, pairs)    \
  to ":2 = \"stablehlo.recv\"(" token \
     ") {" CHANNEL(id) ", " pairs "} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)\n"
#define BEGIN "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n%t = stablehlo.create_token : !stablehlo.token\n"

static void give(rows_case *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    c->arguments[i][0] = on_device(i, MR_F32, (float[]){(float)i + 1, 10}, (int64_t[]){2}, 1);
  }
}

static void expect_pair(rows_case *c, uint32_t row, float first, float second) {
  float got[2];
  read_result(c, row, 0, got);
  if (got[0] != first || got[1] != second) {
    fail_msg("row %u has %g, %g, wanted %g, %g", row, (double)got[0], (double)got[1], (double)first, (double)second);
  }
}

// All send before they receive, and nobody waits in a send; who is no target gets zeros.
static void test_neighbours(void **state) {
  (void)state;
  rows_case *c = rows_of(BEGIN SEND("%u", "%a", "%t", "3", ON_LINE) RECV("%y", "%u", "3", ON_LINE)  //
                         "return %y#0 : tensor<2xf32>\n}\n",
                         1, DEVICES);
  give(c);
  for (int round = 0; round < 20; round++) {
    run_rows(c);
    for (uint32_t i = 0; i < DEVICES; i++) {
      expect_pair(c, i, (float)i, i ? 10 : 0);
    }
    drop_results(c);
  }
  end_rows(c);
}

// What each receives it adds to its own and sends on: the last has the sum of all. No collective could say that.
static void test_pipeline(void **state) {
  (void)state;
  rows_case *c = rows_of(BEGIN RECV("%y", "%t", "5", ON_LINE)                                                    //
                         "%s = stablehlo.add %y#0, %a : tensor<2xf32>\n" SEND("%u", "%s", "%y#1", "5", ON_LINE)  //
                         "return %s : tensor<2xf32>\n}\n",
                         1, DEVICES);
  give(c);
  for (int round = 0; round < 20; round++) {
    run_rows(c);
    for (uint32_t i = 0; i < DEVICES; i++) {
      expect_pair(c, i, (float)((i + 1) * (i + 2) / 2), (float)(10 * (i + 1)));
    }
    drop_results(c);
  }
  end_rows(c);
}

// Three letters before the first is read come in their order, of two kinds each.
static void test_letters_in_order(void **state) {
  (void)state;
#define SEND_BOTH(to, x, token)                \
  to " = \"stablehlo.send\"(" x ", %n, " token \
     ") {" CHANNEL("1") ", " ON_RING "} : (tensor<2xf32>, tensor<3xi32>, !stablehlo.token) -> !stablehlo.token\n"
#define RECV_BOTH(to, token)          \
  to ":3 = \"stablehlo.recv\"(" token \
     ") {" CHANNEL("1") ", " ON_RING "} : (!stablehlo.token) -> (tensor<2xf32>, tensor<3xi32>, !stablehlo.token)\n"
  rows_case *c = rows_of(
      BEGIN "%n = stablehlo.constant dense<[7, 8, 9]> : tensor<3xi32>\n"
            "%b = stablehlo.add %a, %a : tensor<2xf32>\n%d = stablehlo.add %b, %a : tensor<2xf32>\n"  //
      SEND_BOTH("%t1", "%a", "%t") SEND_BOTH("%t2", "%b", "%t1") SEND_BOTH("%t3", "%d", "%t2")        //
      RECV_BOTH("%x", "%t3") RECV_BOTH("%y", "%x#2") RECV_BOTH("%z", "%y#2")                          //
      "%k = stablehlo.constant dense<100.0> : tensor<2xf32>\n"
      "%z1 = stablehlo.multiply %z#0, %k : tensor<2xf32>\n%z2 = stablehlo.add %z1, %y#0 : tensor<2xf32>\n"
      "%z3 = stablehlo.multiply %z2, %k : tensor<2xf32>\n%z4 = stablehlo.add %z3, %x#0 : tensor<2xf32>\n"
      "%i = stablehlo.slice %z#1 [1:3] : (tensor<3xi32>) -> tensor<2xi32>\n"
      "%f = stablehlo.convert %i : (tensor<2xi32>) -> tensor<2xf32>\n%r = stablehlo.add %z4, %f : tensor<2xf32>\n"
      "return %r : tensor<2xf32>\n}\n",
      1, DEVICES);
  give(c);
  run_rows(c);
  for (uint32_t i = 0; i < DEVICES; i++) {
    float x = (float)((i + 7) % 8 + 1);
    expect_pair(c, i, 30201 * x + 8, 302010 + 9);
  }
  end_rows(c);
}

// One sends in its branch, one receives in its own, in loops of as many rounds; the others do neither.
static void test_in_branches(void **state) {
  (void)state;
#define LOOP(body, out)                                                                                       \
  "    %r:3 = stablehlo.while(%k = %zero, %x = %a, %q = %t) : tensor<i32>, tensor<2xf32>, !stablehlo.token\n" \
  "    cond {\n"                                                                                              \
  "      %c = stablehlo.compare LT, %k, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"                   \
  "      stablehlo.return %c : tensor<i1>\n    } do {\n"                                                      \
  "      %j = stablehlo.add %k, %one : tensor<i32>\n" body "      stablehlo.return %j, " out                  \
  " : tensor<i32>, tensor<2xf32>, !stablehlo.token\n    }\n    stablehlo.return %r#1 : tensor<2xf32>\n"
  rows_case *c = rows_of(
      BEGIN
      "  %zero = stablehlo.constant dense<0> : tensor<i32>\n  %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "  %five = stablehlo.constant dense<5> : tensor<i32>\n  %id = stablehlo.partition_id : tensor<ui32>\n"
      "  %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>\n"
      "  %w = \"stablehlo.case\"(%i) ({\n" LOOP(
          "      %y = stablehlo.add %x, %a : tensor<2xf32>\n" SEND("%u", "%y", "%q", "9", PAIRS("[[0, 1]]", "1")),
          "%y, %u") "  }, {\n" LOOP(RECV("%g", "%q", "9",
                                         PAIRS("[[0, 1]]", "1")) "      %y = stablehlo.add %x, %g#0 : tensor<2xf32>\n",
                                    "%y, %g#1") "  }, {\n    stablehlo.return %a : tensor<2xf32>\n  }) : (tensor<i32>) "
                                                "-> tensor<2xf32>\n"
                                                "  return %w : tensor<2xf32>\n}\n",
      1, DEVICES);
  give(c);
  for (int round = 0; round < 20; round++) {
    run_rows(c);
    expect_pair(c, 0, 6, 60);
    expect_pair(c, 1, 2 + 2 + 3 + 4 + 5 + 6, 10 + 20 + 30 + 40 + 50 + 60);
    expect_pair(c, 7, 8, 10);
    drop_results(c);
  }
  end_rows(c);
}

// Replicas are what pairs name when there is one partition.
static void test_replicas(void **state) {
  (void)state;
  rows_case *c = rows_of(BEGIN SEND("%u", "%a", "%t", "3", PAIRS("[[0, 1], [1, 0]]", "2"))  //
                         RECV("%y", "%u", "3", PAIRS("[[0, 1], [1, 0]]", "2"))              //
                         "return %y#0 : tensor<2xf32>\n}\n",
                         2, 1);
  give(c);
  run_rows(c);
  expect_pair(c, 0, 2, 10);
  expect_pair(c, 1, 1, 10);
  end_rows(c);
}

static void expect_all_fail(const char *text, const char *why) {
  rows_case *c = rows_of(text, 1, DEVICES);
  give(c);
  for (int round = 0; round < 20; round++) {
    expect_ok(mr_execute_rows(c->executable, c->rows, c->count, 1));
    bool told = false;
    for (uint32_t i = 0; i < DEVICES; i++) {
      assert_true(mr_future_wait_until(c->rows[i].done, mr_now_ns() + 20000000000));
      mr_status status = mr_future_status(c->rows[i].done);
      told |= status && strstr(mr_status_message(status), why);
      mr_future_release(c->rows[i].done);
      c->rows[i].done = NULL;
    }
    assert_true(told);
    drop_results(c);
  }
  end_rows(c);
}

// Nobody hangs: who waits for a letter that nobody sends is told, and so are those who wait in a ring.
static void test_never_sent(void **state) {
  (void)state;
  expect_all_fail(BEGIN RECV("%y", "%t", "3", PAIRS("[[2, 5]]", "1")) "return %y#0 : tensor<2xf32>\n}\n",
                  "recv on channel 3: device 2 has ended the program and never sends, device 5 waits");
  if (!mr_party_is_one_place()) {
    return;  // nobody sees how all wait
  }
  expect_all_fail(BEGIN RECV("%y", "%t", "3", ON_RING) SEND("%u", "%y#0", "%y#1", "3", ON_RING)  //
                  "return %y#0 : tensor<2xf32>\n}\n",
                  "in recv for device");
}

// What is sent and never received goes with the run.
static void test_never_received(void **state) {
  (void)state;
  rows_case *c = rows_of(BEGIN SEND("%u", "%a", "%t", "3", ON_RING) SEND("%v", "%a", "%u", "3", ON_RING)  //
                         RECV("%y", "%v", "3", ON_RING) "return %y#0 : tensor<2xf32>\n}\n",
                         1, DEVICES);
  give(c);
  run_rows(c);
  for (uint32_t i = 0; i < DEVICES; i++) {
    expect_pair(c, i, (float)((i + 7) % 8 + 1), 10);
  }
  end_rows(c);
}

static void expect_refused(const char *text, const char *why) {
  mr_compile_options options = {.num_replicas = 1, .num_partitions = DEVICES};
  mr_executable *e;
  mr_status status = mr_compile((mr_span){text, strlen(text)}, &options, &e);
  assert_non_null(status);
  if (!strstr(mr_status_message(status), why)) {
    fail_msg("%s, wanted: %s", mr_status_message(status), why);
  }
  mr_status_free(status);
}

// HLO has the pairs as text beside the instruction.
static void test_said_in_hlo(void **state) {
  (void)state;
  static const float wanted[DEVICES] = {0, 1, 2, 3, 0, 0, 0, 7};
  mr_span file = file_read("tests/compiler/hlo_only/device_transfers.pb");
  mr_module *module = NULL;
  mr_text text = {0};
  expect_ok(mr_read_hlo(file, false, &module));
  mr_free((void *)file.data);
  mr_module_print(module, &text);
  mr_module_release(module);
  mr_text_append(&text, (mr_str){"", 1});
  rows_case *c = rows_of(text.data, 1, DEVICES);
  mr_text_deinit(&text);
  give(c);
  run_rows(c);
  for (uint32_t i = 0; i < DEVICES; i++) {
    expect_pair(c, i, wanted[i], wanted[i] != 0 ? 10 : 0);
  }
  end_rows(c);
}

// The ends of a channel say the same, and say whom they mean.
static void test_ends_agree(void **state) {
  (void)state;
  expect_refused(BEGIN SEND("%u", "%a", "%t", "3", ON_RING) RECV("%y", "%u", "3", ON_LINE)  //
                 "return %y#0 : tensor<2xf32>\n}\n",
                 "channel 3: a send and a recv have other pairs");
  expect_refused(BEGIN SEND("%u", "%a", "%t", "3", ON_RING)  //
                 "%y:2 = \"stablehlo.recv\"(%u) {" CHANNEL(
                     "3") ", " ON_RING
                          "} : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)\nreturn %a : tensor<2xf32>\n}\n",
                 "channel 3: a send and a recv are of other types");
  expect_refused(BEGIN SEND("%u", "%a", "%t", "3", PAIRS("[[0, 1], [2, 1]]", "2")) "return %a : tensor<2xf32>\n}\n",
                 "has 1 as a target twice");
  expect_refused(BEGIN SEND("%u", "%a", "%t", "3", PAIRS("[[0, 8]]", "1")) "return %a : tensor<2xf32>\n}\n",
                 "a pair has number 8 of 8");
  expect_refused(BEGIN "%u = \"stablehlo.send\"(%a, %t) {" CHANNEL(
                     "3") "} : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token\nreturn %a : tensor<2xf32>\n}\n",
                 "wants source_target_pairs");
}

int main(void) {
#define ON(open, test) cmocka_unit_test_setup_teardown(test, open, close_platform)
#define ON_BOTH(test) ON(open_eight, test), ON(open_eight_fenced, test)
  const struct CMUnitTest tests[] = {
      ON_BOTH(test_neighbours),     ON_BOTH(test_pipeline),          ON_BOTH(test_letters_in_order),
      ON_BOTH(test_in_branches),    ON_BOTH(test_replicas),          ON_BOTH(test_never_sent),
      ON_BOTH(test_never_received), ON(open_eight, test_ends_agree), ON_BOTH(test_said_in_hlo),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
