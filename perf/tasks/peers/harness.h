// What one task runtime implements to be measured by harness.c, which has the graphs, the bodies and the clocks: every
// runtime runs the same. A function that is NULL is a pattern the runtime has no means for.
//
// A peer is one file with `const peer PEER`, in C, C++ or (peers/rust) Rust. `threads` counts those that run tasks.
#ifndef MR_PERF_TASKS_HARNESS_H
#define MR_PERF_TASKS_HARNESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

// Node i comes after inputs[input_offsets[i] .. input_offsets[i + 1]), which all have smaller numbers.
typedef struct graph {
  uint32_t count, most_inputs;
  uint32_t *input_offsets, *inputs;
  uint32_t *output_offsets, *outputs;
} graph;

typedef struct peer {
  const char *name;
  bool (*start)(int threads);  // false: not with so many threads
  void (*stop)(void);
  // Calls empty_body() `count` times, each in a task of its own, all submitted by one thread; returns when all have run.
  void (*independent)(uint32_t count);
  // Makes what the runtime needs of the graph, calls graph_body(i) for each node after those of its inputs have returned, and
  // takes it down again. False: not a graph it takes.
  bool (*run_graph)(const graph *g);
  // A task for fibonacci(n - 1), fibonacci(n - 2) on the caller; joins. All the way down.
  uint64_t (*fibonacci)(int n);
  // How long from completing something on this thread to the first line of what waits for it on another one. idle_us: spin
  // so long before each sample; the other thread sleeps then.
  void (*hand_over)(int samples, int idle_us, uint64_t *out_ns);
} peer;
extern const peer PEER;

void empty_body(void);
void graph_body(uint32_t node);

static inline uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static inline void cpu_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}
static inline void spin_for_us(int us) {
  uint64_t end = now_ns() + (uint64_t)us * 1000u;
  while (now_ns() < end) {
    cpu_pause();
  }
}

#ifdef __cplusplus
}
#endif

#endif
