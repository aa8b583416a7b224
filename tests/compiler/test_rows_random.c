// Three programs launched at random over overlapping devices, in any order of the devices, from three threads, many of them while one of
// their arguments is not there yet: nobody waits for ever, and every launch sees what the one before it made on each of its devices.
// MILLRACE_ROWS_LAUNCHES: how many in all. MILLRACE_TEST_SEED: which ones.
#include <pthread.h>
#include <stdlib.h>

#include "tests/compiler/rows_harness.h"

enum { DEVICES = 8, THREADS = 3, GATES = 64, ELEMENTS = 4, LOOK_EVERY = 2000 };
enum { LAUNCHES = MR_TEST_SANITIZED ? 3000 : 40000 };

#define T "tensor<4xui32>"
#define GLOBAL "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids"
#define CHANNEL "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
// y = 3 * (the sum of those of the group) + 5 * x + partition + gate, which is zero: no two launches may change places.
#define STEP(to, from, group)                                                                                       \
  "  " to "s = \"stablehlo.all_reduce\"(" from ") ({\n^bb0(%p: tensor<ui32>, %q: tensor<ui32>):\n"                  \
  "    %m = stablehlo.add %p, %q : tensor<ui32>\n    stablehlo.return %m : tensor<ui32>\n}) {replica_groups = "     \
  "dense<" group ">, " GLOBAL "} : (" T ") -> " T "\n  " to "a = stablehlo.multiply " to "s, %three : " T "\n  " to \
  "b = stablehlo.multiply " from ", %five : " T "\n  " to "c = stablehlo.add " to "a, " to "b : " T "\n  " to       \
  " = stablehlo.add " to "c, %add : " T "\n"
#define HEAD                                                                                                         \
  "func.func @main(%x: " T " {tf.aliasing_output = 0 : i32}, %gate: " T ") -> " T " {\n"                             \
  "  %three = stablehlo.constant dense<3> : " T "\n  %five = stablehlo.constant dense<5> : " T "\n"                  \
  "  %i = stablehlo.partition_id : tensor<ui32>\n  %ib = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<ui32>) " \
  "-> " T "\n  %add = stablehlo.add %ib, %gate : " T "\n"
#define END "  return %y : " T "\n}\n"

static const char pair[] = HEAD STEP("%y", "%x", "[[0, 1]]> : tensor<1x2xi64") END;
static const char halves[] = HEAD STEP("%u", "%x", "[[0, 2], [3, 1]]> : tensor<2x2xi64")
    STEP("%y", "%u", "[[0, 1, 2, 3]]> : tensor<1x4xi64") END;
static const char ring[] = HEAD STEP(
    "%u", "%x",
    "[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64") "  %y = \"stablehlo.collective_permute\"(%u) {source_target_pairs "
                                                    "= dense<[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], "
                                                    "[5, 6], [6, 7], [7, 0]]> : tensor<8x2xi64>, " CHANNEL "} : (" T
                                                    ") -> " T "\n" END;

// ---- What should come of it -----------------------------------------------------------------------------------------------------

static void step(uint32_t *x, const uint32_t (*groups)[DEVICES], uint32_t num_groups, uint32_t size) {
  uint32_t before[DEVICES];
  memcpy(before, x, sizeof before);
  for (uint32_t g = 0; g < num_groups; g++) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < size; k++) {
      sum += before[groups[g][k]];
    }
    for (uint32_t k = 0; k < size; k++) {
      uint32_t i = groups[g][k];
      x[i] = 3 * sum + 5 * before[i] + i;
    }
  }
}

static void expect_pair(uint32_t *x) { step(x, (const uint32_t[][DEVICES]){{0, 1}}, 1, 2); }
static void expect_halves(uint32_t *x) {
  step(x, (const uint32_t[][DEVICES]){{0, 2}, {3, 1}}, 2, 2);
  step(x, (const uint32_t[][DEVICES]){{0, 1, 2, 3}}, 1, 4);
}
static void expect_ring(uint32_t *x) {
  step(x, (const uint32_t[][DEVICES]){{0, 1, 2, 3, 4, 5, 6, 7}}, 1, 8);
  uint32_t last = x[DEVICES - 1];
  memmove(&x[1], x, (DEVICES - 1) * sizeof *x);
  x[0] = last;
}

static const struct {
  const char *text;
  uint32_t count;
  void (*expect)(uint32_t *x);
} programs[] = {{pair, 2, expect_pair}, {halves, 4, expect_halves}, {ring, DEVICES, expect_ring}};

// ---- Launches -------------------------------------------------------------------------------------------------------------------

// An argument that is not there yet.
typedef struct gate {
  mr_buffer *buffer;
  mr_future *ready;
  mr_storage *content;
} gate;

// All of it under the lock, but for what devices do.
static struct {
  pthread_mutex_t lock;
  rows_case *cases[MR_ARRAY_SIZE(programs)];
  mr_buffer *on[DEVICES], *open[DEVICES];  // each device's value, and its gate that is open
  uint32_t expected[DEVICES];
  gate gates[GATES];
  uint32_t num_gates;
  uint64_t launched, waited, wanted, random;
} all;

static uint32_t random_below(uint32_t n) {
  all.random = all.random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((all.random >> 33) % n);
}

static void open_gate(uint32_t number) {
  gate g = all.gates[number];
  all.gates[number] = all.gates[--all.num_gates];
  mr_buffer_define(g.buffer, g.content);
  mr_future_set(g.ready, MR_OK);
  mr_future_release(g.ready);
  mr_buffer_release(g.buffer);
}

static mr_buffer *closed_gate(uint32_t device_id) {
  mr_memory *there = &mr_platform_device(platform, device_id)->memories[MR_MEMORY_DEVICE];
  gate *g = &all.gates[all.num_gates++];
  assert_null(mr_future_create(&g->ready));
  expect_ok(mr_storage_allocate(there, ELEMENTS * sizeof(uint32_t), &g->content));
  memset(g->content->data, 0, ELEMENTS * sizeof(uint32_t));
  expect_ok(mr_buffer_create(there, MR_U32, (int64_t[]){ELEMENTS}, 1, NULL, mr_future_retain(g->ready), &g->buffer));
  return g->buffer;
}

static void launch(void) {
  uint32_t which = random_below(MR_ARRAY_SIZE(programs)), n = programs[which].count, ids[DEVICES], x[DEVICES];
  for (uint32_t i = 0; i < DEVICES; i++) {
    uint32_t k = random_below(i + 1);
    ids[i] = ids[k];
    ids[k] = i;
  }
  rows_case *c = all.cases[which];
  uint32_t gated = all.num_gates < GATES && random_below(4) == 0 ? random_below(n) : UINT32_MAX;
  for (uint32_t i = 0; i < n; i++) {
    c->rows[i].device = mr_platform_device(platform, ids[i]);
    c->arguments[i][0] = all.on[ids[i]];
    c->arguments[i][1] = i == gated ? closed_gate(ids[i]) : all.open[ids[i]];
    x[i] = all.expected[ids[i]];
  }
  expect_ok(mr_execute_rows(c->executable, c->rows, n, 2));
  programs[which].expect(x);
  for (uint32_t i = 0; i < n; i++) {
    all.waited += c->rows[i].done != NULL;
    mr_future_release(c->rows[i].done);
    mr_buffer_release(c->arguments[i][0]);
    all.on[ids[i]] = c->results[i][0];
    all.expected[ids[i]] = x[i];
    c->arguments[i][0] = c->arguments[i][1] = c->results[i][0] = NULL;
  }
}

static void expect_values(void) {
  while (all.num_gates) {
    open_gate(random_below(all.num_gates));
  }
  for (uint32_t i = 0; i < DEVICES; i++) {
    uint32_t got[ELEMENTS];
    mr_future *read = NULL;
    expect_ok(mr_buffer_to_host(all.on[i], got, NULL, &read));
    if (read && !mr_future_wait_until(read, mr_now_ns() + 60000000000)) {
      fail_msg("device %u is not through a minute after launch %llu", i, (unsigned long long)all.launched);
    }
    mr_future_release(read);
    assert_true(got[0] == all.expected[i] && got[ELEMENTS - 1] == all.expected[i]);
  }
}

static void *launch_many(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&all.lock);
    bool over = all.launched >= all.wanted;
    if (!over) {
      launch();
      if (++all.launched % LOOK_EVERY == 0) {
        expect_values();
      }
      if (all.num_gates && (all.num_gates == GATES || random_below(3) == 0)) {
        open_gate(random_below(all.num_gates));
      }
    }
    pthread_mutex_unlock(&all.lock);
    if (over) {
      return NULL;
    }
  }
}

static void test_random_launches(void **state) {
  (void)state;
  const char *asked = getenv("MILLRACE_ROWS_LAUNCHES"), *seed = getenv("MILLRACE_TEST_SEED");
  all.wanted = asked ? strtoull(asked, NULL, 10) : LAUNCHES;
  all.random = seed ? strtoull(seed, NULL, 10) : 1;
  print_message("MILLRACE_TEST_SEED=%llu\n", (unsigned long long)all.random);
  pthread_mutex_init(&all.lock, NULL);
  static const uint32_t zeros[ELEMENTS];
  for (uint32_t i = 0; i < DEVICES; i++) {
    all.on[i] = on_device(i, MR_U32, zeros, (int64_t[]){ELEMENTS}, 1);
    all.open[i] = on_device(i, MR_U32, zeros, (int64_t[]){ELEMENTS}, 1);
  }
  for (size_t p = 0; p < MR_ARRAY_SIZE(programs); p++) {
    all.cases[p] = rows_of(programs[p].text, 1, programs[p].count);
  }
  uint64_t start = mr_now_ns();
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, launch_many, NULL), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  expect_values();
  print_message("%llu launches in %.1f s, %llu rows of them as nodes\n", (unsigned long long)all.launched,
                (double)(mr_now_ns() - start) * 1e-9, (unsigned long long)all.waited);
  assert_true(all.waited > 0);
  for (size_t p = 0; p < MR_ARRAY_SIZE(programs); p++) {
    end_rows(all.cases[p]);
  }
  release_all(all.on, DEVICES);
  release_all(all.open, DEVICES);
  pthread_mutex_destroy(&all.lock);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_random_launches, open_eight, close_platform),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
