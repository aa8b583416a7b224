// Three programs over overlapping devices, from three threads at once, one launch after the other by their data alone: nobody waits for ever, and
// every launch sees what the one before it made. MILLRACE_ROWS_LAUNCHES: how many of each; else so many that they are over at about the same time.
#include <pthread.h>
#include <stdlib.h>

#include "tests/compiler/rows_harness.h"

#define GLOBAL "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids"
#define MEAN(to, from, group, count)                                                                          \
  "  " to "_sum = \"stablehlo.all_reduce\"(" from ") ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"           \
  "    %s = stablehlo.add %p, %q : tensor<f32>\n    stablehlo.return %s : tensor<f32>\n}) {replica_groups = " \
  "dense<" group ">, " GLOBAL "} : (tensor<" SIZE "xf32>) -> tensor<" SIZE "xf32>\n"                          \
  "  " to "_n = stablehlo.constant dense<" count ".0> : tensor<" SIZE "xf32>\n"                               \
  "  " to " = stablehlo.divide " to "_sum, " to "_n : tensor<" SIZE "xf32>\n"
#define HEAD "func.func @main(%a: tensor<" SIZE "xf32> {tf.aliasing_output = 0 : i32}) -> tensor<" SIZE "xf32> {\n"
#define PLUS_ONE                                                    \
  "  %one = stablehlo.constant dense<1.0> : tensor<" SIZE "xf32>\n" \
  "  %r = stablehlo.add %y, %one : tensor<" SIZE "xf32>\n"          \
  "  return %r : tensor<" SIZE "xf32>\n}\n"

// Short enough for the thread that calls; long enough for workers.
#define SIZE "4"
static const char all_of_them[] = HEAD MEAN("%x", "%a", "[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64", "8")
    MEAN("%y", "%x", "[[7, 0, 1], [2, 3, 4], [5, 6, -1]]> : tensor<3x3xi64", "1") PLUS_ONE;
#undef SIZE
#define SIZE "200000"
static const char two[] = HEAD MEAN("%y", "%a", "[[0, 1]]> : tensor<1x2xi64", "2") PLUS_ONE;
#undef SIZE
#define SIZE "40000"
static const char four[] =
    HEAD "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
         "  %k1 = stablehlo.constant dense<1> : tensor<i32>\n  %k3 = stablehlo.constant dense<3> : tensor<i32>\n"
         "  %w:2 = stablehlo.while(%i = %z, %v = %a) : tensor<i32>, tensor<" SIZE "xf32>\n  cond {\n"
         "    %c = stablehlo.compare LT, %i, %k3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
         "    stablehlo.return %c : tensor<i1>\n  } do {\n    %j = stablehlo.add %i, %k1 : tensor<i32>\n" MEAN(
             "%u", "%v", "[[0, 2], [1, 3]]> : tensor<2x2xi64",
             "2") "    stablehlo.return %j, %u : tensor<i32>, tensor<" SIZE
                  "xf32>\n  }\n" MEAN("%y", "%w#1", "[[0, 1, 2, 3]]> : tensor<1x4xi64", "4") PLUS_ONE;

typedef struct chain {
  const char *program;
  uint32_t first, step, count;  // devices
  int64_t elements;
  uint64_t launches;
  float grows;  // in groups of three a mean by 1 is three times as much; the last one then is not looked at
} chain;

// Launches without waiting but for every 16th, so that many are under way.
static void *run_chain(void *argument) {
  chain *ch = argument;
  rows_case *c = rows_of(ch->program, 1, ch->count);
  float *data = calloc((size_t)ch->elements, sizeof *data);
  for (uint32_t i = 0; i < ch->count; i++) {
    uint32_t device_id = ch->first + i * ch->step;
    c->rows[i].device = mr_platform_device(platform, device_id);
    c->arguments[i][0] = on_device(device_id, MR_F32, data, &ch->elements, 1);
  }
  for (uint64_t done = 0; done < ch->launches; done++) {
    expect_ok(mr_execute_rows(c->executable, c->rows, c->count, 1));
    for (uint32_t i = 0; i < c->count; i++) {
      if (c->rows[i].done && done % 16 == 0) {
        assert_true(mr_future_wait_until(c->rows[i].done, mr_now_ns() + 60000000000));
        assert_null(mr_future_status(c->rows[i].done));
      }
      mr_future_release(c->rows[i].done);
      mr_buffer_release(c->arguments[i][0]);
      c->arguments[i][0] = c->results[i][0];
      c->results[i][0] = NULL;
    }
  }
  for (uint32_t i = 0; i < c->count; i++) {
    mr_future *read = NULL;
    expect_ok(mr_buffer_to_host(c->arguments[i][0], data, NULL, &read));
    wait_for(read);
    if (ch->grows == 0) {
      assert_true(data[0] == (float)ch->launches && data[ch->elements - 1] == (float)ch->launches);
    }
  }
  free(data);
  end_rows(c);
  return NULL;
}

static void test_three_programs(void **state) {
  (void)state;
  const char *asked = getenv("MILLRACE_ROWS_LAUNCHES");
  uint64_t launches = asked ? strtoull(asked, NULL, 10) : MR_TEST_SANITIZED ? 30 : 300;
  chain chains[] = {{all_of_them, 0, 1, 8, 4, asked ? launches : 100 * launches, 1},
                    {two, 2, 1, 2, 200000, launches, 0},
                    {four, 1, 2, 4, 40000, launches, 0},
                    {two, 7, (uint32_t)-7, 2, 200000, launches, 0}};
  pthread_t threads[MR_ARRAY_SIZE(chains)];
  for (size_t i = 0; i < MR_ARRAY_SIZE(chains); i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, run_chain, &chains[i]), 0);
  }
  for (size_t i = 0; i < MR_ARRAY_SIZE(chains); i++) {
    pthread_join(threads[i], NULL);
  }
}

// As many devices as are ever likely, on the threads that there are.
static void test_64_devices(void **state) {
  (void)state;
  chain all = {.program = NULL};
  char *text = malloc(4096), group[512] = "[[0";
  for (int i = 1; i < 64; i++) {
    snprintf(group + strlen(group), sizeof group - strlen(group), ", %d", i);
  }
  snprintf(text, 4096,
           "func.func @main(%%a: tensor<70000xf32>) -> tensor<70000xf32> {\n"
           "  %%x = \"stablehlo.all_reduce\"(%%a) ({\n^bb0(%%p: tensor<f32>, %%q: tensor<f32>):\n"
           "    %%s = stablehlo.maximum %%p, %%q : tensor<f32>\n    stablehlo.return %%s : tensor<f32>\n}) "
           "{replica_groups = dense<%s]]> : tensor<1x64xi64>, " GLOBAL "} : (tensor<70000xf32>) -> tensor<70000xf32>\n"
           "  %%one = stablehlo.constant dense<1.0> : tensor<70000xf32>\n"
           "  %%r = stablehlo.add %%x, %%one : tensor<70000xf32>\n"
           "  return %%r : tensor<70000xf32>\n}\n",
           group);
  all = (chain){text, 0, 1, 64, 70000, 4, 0};
  run_chain(&all);
  free(text);
}

static int open_64(void **state) {
  (void)state;
  return open_devices(64, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_three_programs, open_eight, close_platform),
      cmocka_unit_test_setup_teardown(test_64_devices, open_64, close_platform),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
