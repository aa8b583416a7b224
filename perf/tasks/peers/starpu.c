// StarPU's tasks with declared dependences. Its workers are threads besides the one that submits.
#include <starpu.h>
#include <stdlib.h>

#include "harness.h"

static uint64_t stamp;

static void run_empty(void *buffers[], void *argument) {
  (void)buffers;
  (void)argument;
  empty_body();
}
static void run_node(void *buffers[], void *argument) {
  (void)buffers;
  graph_body((uint32_t)(uintptr_t)argument);
}
static void run_stamp(void *buffers[], void *argument) {
  (void)buffers;
  (void)argument;
  __atomic_store_n(&stamp, now_ns(), __ATOMIC_RELEASE);
}
static struct starpu_codelet empty_code = {.cpu_funcs = {run_empty}};
static struct starpu_codelet node_code = {.cpu_funcs = {run_node}};
static struct starpu_codelet stamp_code = {.cpu_funcs = {run_stamp}};

static bool start(int threads) {
  struct starpu_conf conf;
  starpu_conf_init(&conf);
  conf.ncpus = threads;
  conf.ncuda = 0;
  conf.nopencl = 0;
  return starpu_init(&conf) == 0;
}

static void independent(uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    starpu_task_insert(&empty_code, 0);
  }
  starpu_task_wait_for_all();
}

static bool run_graph(const graph *g) {
  struct starpu_task **tasks = calloc(g->count, sizeof(struct starpu_task *));
  struct starpu_task **inputs = calloc((size_t)g->most_inputs + 1, sizeof(struct starpu_task *));
  for (uint32_t i = 0; i < g->count; i++) {
    tasks[i] = starpu_task_create();
    tasks[i]->cl = &node_code;
    tasks[i]->cl_arg = (void *)(uintptr_t)i;
    tasks[i]->destroy = 0;
    unsigned count = 0;
    for (uint32_t e = g->input_offsets[i]; e < g->input_offsets[i + 1]; e++) {
      inputs[count++] = tasks[g->inputs[e]];
    }
    if (count) {
      starpu_task_declare_deps_array(tasks[i], count, inputs);
    }
    if (starpu_task_submit(tasks[i])) {
      abort();
    }
  }
  starpu_task_wait_for_all();
  for (uint32_t i = 0; i < g->count; i++) {
    starpu_task_destroy(tasks[i]);
  }
  free(tasks);
  free(inputs);
  return true;
}

static void hand_over(int samples, int idle_us, uint64_t *out_ns) {
  for (int i = 0; i < samples; i++) {
    __atomic_store_n(&stamp, 0, __ATOMIC_RELAXED);
    if (idle_us) {
      spin_for_us(idle_us);
    }
    uint64_t begun = now_ns(), there;
    starpu_task_insert(&stamp_code, 0);
    while (!(there = __atomic_load_n(&stamp, __ATOMIC_ACQUIRE))) {
      cpu_pause();
    }
    out_ns[i] = there - begun;
  }
  starpu_task_wait_for_all();
}

const peer PEER = {.name = "StarPU",
                   .start = start,
                   .stop = starpu_shutdown,
                   .independent = independent,
                   .run_graph = run_graph,
                   .hand_over = hand_over};
