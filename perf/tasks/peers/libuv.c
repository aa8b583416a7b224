// libuv's work queue: functions run on its pool, and the loop's thread hears of their end and counts dependences.
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t *loop;
static const graph *running;
static uint32_t *waits_for;
static uv_work_t *requests;
static uint64_t stamp;

static bool start(int threads) {
  char size[12];
  snprintf(size, sizeof size, "%d", threads);
  setenv("UV_THREADPOOL_SIZE", size, 1);
  loop = uv_default_loop();
  return loop != NULL;
}

static void run_empty(uv_work_t *request) {
  (void)request;
  empty_body();
}
static void run_node(uv_work_t *request) { graph_body((uint32_t)(request - requests)); }
static void run_stamp(uv_work_t *request) {
  (void)request;
  __atomic_store_n(&stamp, now_ns(), __ATOMIC_RELEASE);
}

static void ended(uv_work_t *request, int status) {
  (void)request;
  (void)status;
}
static void node_ended(uv_work_t *request, int status) {
  (void)status;
  uint32_t node = (uint32_t)(request - requests);
  for (uint32_t e = running->output_offsets[node]; e < running->output_offsets[node + 1]; e++) {
    uint32_t next = running->outputs[e];
    if (--waits_for[next] == 0) {
      uv_queue_work(loop, &requests[next], run_node, node_ended);
    }
  }
}

static void independent(uint32_t count) {
  uv_work_t *all = calloc(count ? count : 1, sizeof *all);
  for (uint32_t i = 0; i < count; i++) {
    uv_queue_work(loop, &all[i], run_empty, ended);
  }
  uv_run(loop, UV_RUN_DEFAULT);
  free(all);
}

static bool run_graph(const graph *g) {
  running = g;
  requests = calloc(g->count, sizeof *requests);
  waits_for = calloc(g->count, sizeof *waits_for);
  for (uint32_t i = 0; i < g->count; i++) {
    waits_for[i] = g->input_offsets[i + 1] - g->input_offsets[i];
  }
  for (uint32_t i = 0; i < g->count; i++) {
    if (g->input_offsets[i + 1] == g->input_offsets[i]) {
      uv_queue_work(loop, &requests[i], run_node, node_ended);
    }
  }
  uv_run(loop, UV_RUN_DEFAULT);
  free(requests);
  free(waits_for);
  return true;
}

static void hand_over(int samples, int idle_us, uint64_t *out_ns) {
  uv_work_t request;
  for (int i = 0; i < samples; i++) {
    __atomic_store_n(&stamp, 0, __ATOMIC_RELAXED);
    if (idle_us) {
      spin_for_us(idle_us);
    }
    uint64_t begun = now_ns(), there;
    uv_queue_work(loop, &request, run_stamp, ended);
    while (!(there = __atomic_load_n(&stamp, __ATOMIC_ACQUIRE))) {
      cpu_pause();
    }
    out_ns[i] = there - begun;
    uv_run(loop, UV_RUN_DEFAULT);
  }
}

const peer PEER = {
    .name = "libuv", .start = start, .independent = independent, .run_graph = run_graph, .hand_over = hand_over};
