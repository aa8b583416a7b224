// A member of a party that shares no addresses dies, at each thing that it comes to and at its end: all rows end with what says so, nothing is
// left of the run, and the next one is as if nothing had been.
#include <stdio.h>
#include <stdlib.h>

#include "tests/compiler/rows_harness.h"

enum { DEVICES = 4 };

#define T "tensor<4xf32>"
#define CHANNEL "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
#define GLOBAL CHANNEL ", use_global_device_ids"
#define ALL "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>"
#define PAIRS "replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>"
#define SUM(to, from, groups)                                                                                       \
  "  " to " = \"stablehlo.all_reduce\"(" from ") ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"                     \
  "    %m = stablehlo.maximum %p, %q : tensor<f32>\n    stablehlo.return %m : tensor<f32>\n}) {" groups ", " GLOBAL \
  "} : (" T ") -> " T "\n"
#define GATHER(to, from)                                                                                         \
  "  " to "g = \"stablehlo.all_gather\"(" from ") {all_gather_dim = 0 : i64, " ALL ", " GLOBAL "} : (" T ") -> " \
  "tensor<16xf32>\n  " to " = stablehlo.slice " to "g [4:8] : (tensor<16xf32>) -> " T "\n"
#define PERMUTE(to, from)                                               \
  "  " to " = \"stablehlo.collective_permute\"(" from                   \
  ") {source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : " \
  "tensor<4x2xi64>, " CHANNEL "} : (" T ") -> " T "\n"
#define MAIL                                                                                             \
  CHANNEL ", is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : " \
          "tensor<4x2xi64>}"
#define HEAD "func.func @main(%a: " T ") -> " T " {\n"

static const struct {
  uint32_t steps;  // that each member takes
  const char *name, *text;
} programs[] = {
    {5, "in line",
     HEAD SUM("%b", "%a", ALL) GATHER("%c", "%b") PERMUTE("%d", "%c") SUM("%e", "%d", PAIRS) "  return %e : " T
                                                                                             "\n}\n"},
    {4, "beside each other",
     HEAD SUM("%b", "%a", ALL) GATHER("%c", "%a") PERMUTE("%d", "%a") "  %x = stablehlo.add %b, %c : " T
                                                                      "\n  %y = stablehlo.add %x, %d : " T
                                                                      "\n  return %y : " T "\n}\n"},
    {7, "loop",
     HEAD "  %zero = stablehlo.constant dense<0> : tensor<i32>\n  %one = stablehlo.constant dense<1> : tensor<i32>\n"
          "  %three = stablehlo.constant dense<3> : tensor<i32>\n"
          "  %w:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, " T
          "\n  cond {\n    %t = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> "
          "tensor<i1>\n    stablehlo.return %t : tensor<i1>\n  } do {\n    %j = stablehlo.add %i, %one : "
          "tensor<i32>\n" SUM("%c", "%v", PAIRS) PERMUTE("%e", "%c") "    stablehlo.return %j, %e : tensor<i32>, " T
                                                                     "\n  }\n  return %w#1 : " T "\n}\n"},
    {4, "mail",
     HEAD "  %k = stablehlo.create_token : !stablehlo.token\n"
          "  %s = \"stablehlo.send\"(%a, %k) {" MAIL " : (" T ", !stablehlo.token) -> !stablehlo.token\n"
          "  %r:2 = \"stablehlo.recv\"(%s) {" MAIL " : (!stablehlo.token) -> (" T
          ", !stablehlo.token)\n" SUM("%b", "%r#0", ALL) "  return %b : " T "\n}\n"},
};

// Rows that share devices' memories end each for itself: one that was over is not failed by what comes after.
static bool together;

// Whether somebody died. `member`: who is to.
static bool take(rows_case *c, const char *name, uint32_t member, uint32_t step) {
  expect_ok(mr_execute_rows(c->executable, c->rows, c->count, 1));
  for (uint32_t i = 0; i < c->count; i++) {
    assert_true(mr_future_wait_until(c->rows[i].done, mr_now_ns() + 20000000000));
  }
  const bool died = party_has_killed();
  for (uint32_t i = 0; i < c->count; i++) {
    mr_status status = mr_future_status(c->rows[i].done);
    const bool gone = mr_status_code(status) == MR_UNAVAILABLE && strstr(mr_status_message(status), "is gone");
    if (!(died ? gone : !status) && !(died && !together && i != member && !status)) {
      fail_msg("%s, device %u at step %u: row %u: %s", name, member, step, i, status ? mr_status_message(status) : "-");
    }
    mr_future_release(c->rows[i].done);
    c->rows[i].done = NULL;
  }
  drop_results(c);
  return died;
}

static void test_each_step(void **state) {
  (void)state;
  for (size_t p = 0; p < MR_ARRAY_SIZE(programs); p++) {
    rows_case *c = rows_of(programs[p].text, 1, DEVICES);
    int64_t before[MR_CENSUS_KINDS];
    for (uint32_t i = 0; i < DEVICES; i++) {
      float data[4] = {1, 2, 3, (float)i};
      c->arguments[i][0] = on_device(i, MR_F32, data, (int64_t[]){4}, 1);
    }
    assert_false(take(c, programs[p].name, 0, 0));
    mr_census(before);
    for (uint32_t member = 0; member < DEVICES; member++) {
      uint32_t step = 0;
      for (party_kills(member, 0); take(c, programs[p].name, member, step); party_kills(member, ++step)) {
        expect_nothing_left(before, programs[p].name);
      }
      assert_true(step >= programs[p].steps);
    }
    end_rows(c);
  }
}

static int open_mortal(void **state) {
  (void)state;
  together = false;
  int opened = open_devices(DEVICES, NULL);
  mr_party_set_kind(&mortal_party);
  return opened;
}

static int open_mortal_fenced(void **state) {
  (void)state;
  together = true;
  int opened = open_devices(DEVICES, "fenced");
  mr_party_set_kind(&mortal_party);
  return opened;
}

static int close_mortal(void **state) {
  mr_party_set_kind(NULL);
  return close_platform(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_each_step, open_mortal, close_mortal),
      cmocka_unit_test_setup_teardown(test_each_step, open_mortal_fenced, close_mortal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
