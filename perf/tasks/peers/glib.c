// GLib's thread pool; the program counts dependences itself. Work is told apart by the pointer's value.
#include <glib.h>
#include <stdlib.h>

#include "harness.h"

enum { EMPTY = 1, STAMP = 2, FIRST_NODE = 3 };

static GThreadPool *pool;
static const graph *running;
static uint32_t *waits_for;
static uint64_t unfinished, stamp;

static void push(uint32_t node) { g_thread_pool_push(pool, GUINT_TO_POINTER((guint64)node + FIRST_NODE), NULL); }

static void run_node(uint32_t node) {
  graph_body(node);
  for (uint32_t e = running->output_offsets[node]; e < running->output_offsets[node + 1]; e++) {
    uint32_t next = running->outputs[e];
    if (__atomic_sub_fetch(&waits_for[next], 1, __ATOMIC_ACQ_REL) == 0) {
      push(next);
    }
  }
}

static void run(void *data, void *unused) {
  (void)unused;
  uintptr_t what = (uintptr_t)data;
  if (what == STAMP) {
    __atomic_store_n(&stamp, now_ns(), __ATOMIC_RELEASE);
    return;
  }
  if (what == EMPTY) {
    empty_body();
  } else {
    run_node((uint32_t)(what - FIRST_NODE));
  }
  __atomic_sub_fetch(&unfinished, 1, __ATOMIC_ACQ_REL);
}

static bool start(int threads) {
  pool = g_thread_pool_new(run, NULL, threads, TRUE, NULL);
  return pool != NULL;
}

static void wait_for_all(void) {
  while (__atomic_load_n(&unfinished, __ATOMIC_ACQUIRE)) {
    g_usleep(20);
  }
}

static void independent(uint32_t count) {
  __atomic_store_n(&unfinished, count, __ATOMIC_RELEASE);
  for (uint32_t i = 0; i < count; i++) {
    g_thread_pool_push(pool, GUINT_TO_POINTER(EMPTY), NULL);
  }
  wait_for_all();
}

static bool run_graph(const graph *g) {
  running = g;
  waits_for = malloc(sizeof(uint32_t) * g->count);
  for (uint32_t i = 0; i < g->count; i++) {
    waits_for[i] = g->input_offsets[i + 1] - g->input_offsets[i];
  }
  __atomic_store_n(&unfinished, g->count, __ATOMIC_RELEASE);
  for (uint32_t i = 0; i < g->count; i++) {
    if (g->input_offsets[i + 1] == g->input_offsets[i]) {
      push(i);
    }
  }
  wait_for_all();
  free(waits_for);
  return true;
}

static void hand_over(int samples, int idle_us, uint64_t *out_ns) {
  GThreadPool *wide = pool;
  pool = g_thread_pool_new(run, NULL, 1, TRUE, NULL);
  for (int i = 0; i < samples; i++) {
    __atomic_store_n(&stamp, 0, __ATOMIC_RELAXED);
    if (idle_us) {
      spin_for_us(idle_us);
    }
    uint64_t begun = now_ns(), there;
    g_thread_pool_push(pool, GUINT_TO_POINTER(STAMP), NULL);
    while (!(there = __atomic_load_n(&stamp, __ATOMIC_ACQUIRE))) {
      cpu_pause();
    }
    out_ns[i] = there - begun;
  }
  g_thread_pool_free(pool, FALSE, TRUE);
  pool = wide;
}

const peer PEER = {
    .name = "GLib", .start = start, .independent = independent, .run_graph = run_graph, .hand_over = hand_over};
