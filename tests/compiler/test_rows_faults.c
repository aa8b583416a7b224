// A call of the host's that fails, is out of memory or cancels the run, before each collective of five programs on each of eight devices:
// all rows end with that within a tenth of a second, nothing is left of the run, and the next one is as if nothing had been. With
// MILLRACE_STRESS_SECONDS, places, devices and faults are drawn for about so long: all of them take minutes where atomic operations are late.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/ir/ir.h"
#include "ops/library/library.h"
#include "tests/compiler/rows_harness.h"

enum { DEVICES = 8, MOST_SITES = 8 };

// The bar is 100 ms. What a busy machine does comes on top: the least of some tries.
static const uint64_t soon_ns = MR_TEST_SANITIZED ? 2000000000 : 100000000;
enum { TRIES = 30 };

// ---- Programs -------------------------------------------------------------------------------------------------------------------

#define T "tensor<8xf32>"
#define CHANNEL "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
#define GLOBAL CHANNEL ", use_global_device_ids"
#define ALL "replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>"
#define HALVES "replica_groups = dense<[[6, 4, 2, 0], [1, 3, 5, 7]]> : tensor<2x4xi64>"
#define REGION                                                                                    \
  " ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n  %m = stablehlo.maximum %p, %q : tensor<f32>\n" \
  "  stablehlo.return %m : tensor<f32>\n}) "
// Calls the host, which is told where it is and on which device.
#define SITE(to, from, number)                                                                                         \
  "  " to " = stablehlo.custom_call @host(" from ", %id) {has_side_effect = true, backend_config = \"" number "\"} : " \
  "(" T ", tensor<1xf32>) -> " T "\n"
#define SUM(to, from, groups) \
  "  " to " = \"stablehlo.all_reduce\"(" from ")" REGION "{" groups ", " GLOBAL "} : (" T ") -> " T "\n"
#define GATHER(to, from)                                                                                         \
  "  " to "g = \"stablehlo.all_gather\"(" from ") {all_gather_dim = 0 : i64, " ALL ", " GLOBAL "} : (" T ") -> " \
  "tensor<64xf32>\n  " to " = stablehlo.slice " to "g [8:16] : (tensor<64xf32>) -> " T "\n"
#define SCATTER(to, from)                                                                                       \
  "  " to "g = \"stablehlo.reduce_scatter\"(" from ")" REGION "{scatter_dimension = 0 : i64, " ALL ", " GLOBAL  \
  "} : (" T ") -> tensor<1xf32>\n  " to "h = stablehlo.reshape " to "g : (tensor<1xf32>) -> tensor<f32>\n  " to \
  " = stablehlo.broadcast_in_dim " to "h, dims = [] : (tensor<f32>) -> " T "\n"
#define EXCHANGE(to, from)                                                                                             \
  "  " to " = \"stablehlo.all_to_all\"(" from ") {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count " \
  "= 8 : i64, " ALL ", " CHANNEL "} : (" T ") -> " T "\n"
#define PERMUTE(to, from)                                            \
  "  " to " = \"stablehlo.collective_permute\"(" from                \
  ") {source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 4], " \
  "[4, 5], [5, 6], [6, 7], [7, 0]]> : tensor<8x2xi64>, " CHANNEL "} : (" T ") -> " T "\n"
#define BROADCAST(to, from) \
  "  " to " = \"stablehlo.collective_broadcast\"(" from ") {" ALL ", " CHANNEL "} : (" T ") -> " T "\n"
#define HEAD "func.func @main(%a: " T ", %id: tensor<1xf32>, %k: tensor<i32>) -> " T " {\n"
#define COUNT                                                                                                 \
  "  %zero = stablehlo.constant dense<0> : tensor<i32>\n  %one = stablehlo.constant dense<1> : tensor<i32>\n" \
  "  %three = stablehlo.constant dense<3> : tensor<i32>\n"

typedef struct fault_program {
  const char *name, *text;
  int sites;
} fault_program;

static const fault_program programs[] = {
    {"in line",
     HEAD SITE("%b", "%a", "0") SUM("%c", "%b", ALL) SITE("%d", "%c", "1") GATHER("%e", "%d") SITE("%f", "%e", "2")
         SCATTER("%g", "%f") SITE("%h", "%g", "3") "  return %h : " T "\n}\n",
     4},
    {"moves",
     HEAD SITE("%b", "%a", "0") EXCHANGE("%c", "%b") SITE("%d", "%c", "1") PERMUTE("%e", "%d") SITE("%f", "%e", "2")
         BROADCAST("%g", "%f") SITE("%h", "%g", "3") "  return %h : " T "\n}\n",
     4},
    {"loop",
     HEAD COUNT "  %w:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, " T
                "\n  cond {\n    %t = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> "
                "tensor<i1>\n    stablehlo.return %t : tensor<i1>\n  } do {\n    %j = stablehlo.add %i, %one : "
                "tensor<i32>\n" SITE("%b", "%v", "0") SUM("%c", "%b", HALVES) SITE("%d", "%c", "1")
                    PERMUTE("%e", "%d") "    stablehlo.return %j, %e : tensor<i32>, " T
                                        "\n  }\n" SITE("%h", "%w#1", "2") "  return %h : " T "\n}\n",
     3},
    {"branches",
     HEAD "  %r = \"stablehlo.case\"(%k) ({\n" SITE("%b", "%a", "0") SUM("%c", "%b", ALL) SITE("%d", "%c", "1") GATHER(
         "%e", "%d") "  stablehlo.return %e : " T "\n  }, {\n  stablehlo.return %a : " T "\n  }) : (tensor<i32>) -> " T
                     "\n" SITE("%f", "%r", "2") EXCHANGE("%g", "%f") SITE("%h", "%g", "3") "  return %h : " T "\n}\n",
     4},
    {"beside each other",
     HEAD SITE("%b", "%a", "0") SUM("%c", "%b", ALL) SITE("%d", "%a", "1") GATHER("%e", "%d") SITE("%f", "%a", "2")
         PERMUTE("%g", "%f") "  %x = stablehlo.add %c, %e : " T "\n  %y = stablehlo.add %x, %g : " T
                             "\n" SITE("%h", "%y", "3") "  return %h : " T "\n}\n",
     4},
};

// ---- The host -------------------------------------------------------------------------------------------------------------------

typedef enum fault_kind { NO_FAULT, FAILS, OUT_OF_MEMORY, CANCELS, FAULT_KINDS } fault_kind;

static struct {
  int site, device;
  fault_kind kind;
  rows_case *rows;
  _Atomic(uint64_t) at_ns;  // when it happened
} armed;

static mr_status at_site(int site, int on) {
  uint64_t never = 0;
  if (armed.kind == NO_FAULT || site != armed.site || on != armed.device ||
      !atomic_compare_exchange_strong(&armed.at_ns, &never, mr_now_ns())) {
    return MR_OK;
  }
  mr_future *done = armed.rows->rows[(on + 3) % DEVICES].done;
  if (armed.kind == CANCELS && done) {
    mr_node_cancel(mr_node_of_done(done), mr_error(MR_CANCELLED, "the fault"));
    return MR_OK;
  }
  return mr_error(armed.kind == OUT_OF_MEMORY ? MR_RESOURCE_EXHAUSTED : MR_DATA_LOSS, "the fault");
}

static mr_library_call calls[MOST_SITES];

static mr_status run_call(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)scratch, (void)group;
  memcpy(buffers[2], buffers[0], 8 * sizeof(float));
  return at_site((int)(call - calls), (int)*(const float *)buffers[1]);
}

static void keep_call(mr_library_call *call) { (void)call; }

static mr_status make_call(const struct mr_op *op, mr_library_call **out_call) {
  int site = mr_op_string(op, MR_ATTR_backend_config).data[0] - '0';
  calls[site] = (mr_library_call){.run = run_call, .destroy = keep_call, .calls_host = true, .name = "host"};
  *out_call = &calls[site];
  return MR_OK;
}

// ---- A run ----------------------------------------------------------------------------------------------------------------------

// How long after the fault the last row ended.
static uint64_t run_with_fault(rows_case *c, const char *name) {
  static const mr_code codes[] = {
      [FAILS] = MR_DATA_LOSS, [OUT_OF_MEMORY] = MR_RESOURCE_EXHAUSTED, [CANCELS] = MR_CANCELLED};
  atomic_store(&armed.at_ns, 0);
  mr_status refused = mr_execute_rows(c->executable, c->rows, c->count, 3);
  for (uint32_t i = 0; i < c->count && !refused; i++) {
    assert_true(mr_future_wait_until(c->rows[i].done, mr_now_ns() + 20000000000));
    mr_status status = mr_future_status(c->rows[i].done);
    if (mr_status_code(status) != codes[armed.kind] || !strstr(mr_status_message(status), "the fault")) {
      fail_msg("%s: row %u: %s", name, i, status ? mr_status_message(status) : "nothing");
    }
  }
  uint64_t took = mr_now_ns() - atomic_load(&armed.at_ns);
  if (refused) {  // within the call
    expect_code(refused, armed.kind == OUT_OF_MEMORY ? MR_RESOURCE_EXHAUSTED : MR_DATA_LOSS);
  }
  for (uint32_t i = 0; i < c->count; i++) {
    mr_future_release(c->rows[i].done);
    c->rows[i].done = NULL;
  }
  drop_results(c);
  assert_true(atomic_load(&armed.at_ns) != 0);
  return took;
}

static void expect_works(rows_case *c) {
  fault_kind kind = armed.kind;
  armed.kind = NO_FAULT;
  run_rows(c);
  armed.kind = kind;
  drop_results(c);
}

// What is armed; the least time of some tries.
static uint64_t one_fault(rows_case *c, const fault_program *program, const int64_t before[MR_CENSUS_KINDS]) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < TRIES && least >= soon_ns; i++) {
    uint64_t took = run_with_fault(c, program->name);
    least = MR_MIN(least, took);
  }
  expect_works(c);
  expect_nothing_left(before, program->name);
  return least;
}

static uint64_t each_fault(rows_case *c, const fault_program *program, const int64_t before[MR_CENSUS_KINDS]) {
  uint64_t longest = 0;
  for (armed.site = 0; armed.site < program->sites; armed.site++) {
    for (armed.device = 0; armed.device < DEVICES; armed.device++) {
      for (armed.kind = FAILS; armed.kind < FAULT_KINDS; armed.kind++) {
        uint64_t least = one_fault(c, program, before);
        longest = MR_MAX(longest, least);
      }
    }
  }
  armed.kind = NO_FAULT;
  return longest;
}

static uint64_t seed;

static int draw(int count) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)count);
}

static uint64_t some_faults(rows_case *c, const fault_program *program, const int64_t before[MR_CENSUS_KINDS],
                            uint64_t until) {
  uint64_t longest = 0;
  do {
    armed.site = draw(program->sites);
    armed.device = draw(DEVICES);
    armed.kind = (fault_kind)(FAILS + draw(FAULT_KINDS - FAILS));
    uint64_t least = one_fault(c, program, before);
    longest = MR_MAX(longest, least);
  } while (mr_now_ns() < until);
  armed.kind = NO_FAULT;
  return longest;
}

static void test_each_place(void **state) {
  (void)state;
  const char *seconds = getenv("MILLRACE_STRESS_SECONDS"), *given = getenv("MILLRACE_TEST_SEED");
  // On two kinds of devices.
  uint64_t each_ns = seconds ? strtoull(seconds, NULL, 10) * 1000000000 / MR_ARRAY_SIZE(programs) / 2 : 0;
  seed = given ? strtoull(given, NULL, 10) : 1;
  if (seconds) {
    print_message("MILLRACE_TEST_SEED=%llu\n", (unsigned long long)seed);
  }
  for (size_t p = 0; p < MR_ARRAY_SIZE(programs); p++) {
    int64_t before[MR_CENSUS_KINDS];
    rows_case *c = armed.rows = rows_of(programs[p].text, 1, DEVICES);
    for (uint32_t i = 0; i < DEVICES; i++) {
      float data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, id = (float)i;
      c->arguments[i][0] = on_device(i, MR_F32, data, (int64_t[]){8}, 1);
      c->arguments[i][1] = on_device(i, MR_F32, &id, (int64_t[]){1}, 1);
      c->arguments[i][2] = on_device(i, MR_S32, (int32_t[]){0}, NULL, 0);
    }
    expect_works(c);
    expect_works(c);
    mr_census(before);
    uint64_t longest =
        seconds ? some_faults(c, &programs[p], before, mr_now_ns() + each_ns) : each_fault(c, &programs[p], before);
    print_message("%s: all rows have ended %.2f ms after a fault\n", programs[p].name, (double)longest * 1e-6);
    assert_true(longest < soon_ns);
    end_rows(c);
  }
}

static int open_calling(void **state) {
  (void)state;
  mr_set_custom_call_maker(make_call);
  return open_devices(DEVICES, NULL);
}
static int open_calling_fenced(void **state) {
  (void)state;
  mr_set_custom_call_maker(make_call);
  return open_devices(DEVICES, "fenced");
}

int main(void) {
#define ON(open, test) cmocka_unit_test_setup_teardown(test, open, close_platform)
  const struct CMUnitTest tests[] = {ON(open_calling, test_each_place), ON(open_calling_fenced, test_each_place)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
