// oneTBB's task_group; the program counts dependences itself.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <vector>

#include "harness.h"

static tbb::task_arena *arena;

static bool start(int threads) {
  static tbb::global_control limit(tbb::global_control::max_allowed_parallelism, size_t(threads));
  arena = new tbb::task_arena(threads);
  return true;
}

static void independent(uint32_t count) {
  arena->execute([=] {
    tbb::task_group group;
    for (uint32_t i = 0; i < count; i++) group.run([] { empty_body(); });
    group.wait();
  });
}

struct graph_run {
  const graph *g;
  std::vector<std::atomic<uint32_t>> waits_for;
  tbb::task_group group;

  explicit graph_run(const graph *of) : g(of), waits_for(of->count) {
    for (uint32_t i = 0; i < g->count; i++) {
      waits_for[i].store(g->input_offsets[i + 1] - g->input_offsets[i], std::memory_order_relaxed);
    }
  }
  void run(uint32_t node) {
    group.run([this, node] {
      graph_body(node);
      for (uint32_t e = g->output_offsets[node]; e < g->output_offsets[node + 1]; e++) {
        uint32_t next = g->outputs[e];
        if (waits_for[next].fetch_sub(1, std::memory_order_acq_rel) == 1) run(next);
      }
    });
  }
};

static bool run_graph(const graph *g) {
  arena->execute([=] {
    graph_run self(g);
    for (uint32_t i = 0; i < g->count; i++) {
      if (g->input_offsets[i + 1] == g->input_offsets[i]) self.run(i);
    }
    self.group.wait();
  });
  return true;
}

static uint64_t fork_join(int n) {
  if (n < 2) return uint64_t(n);
  uint64_t first;
  tbb::task_group group;
  group.run([&first, n] { first = fork_join(n - 1); });
  uint64_t second = fork_join(n - 2);
  group.wait();
  return first + second;
}

static uint64_t fibonacci(int n) {
  uint64_t sum = 0;
  arena->execute([&] { sum = fork_join(n); });
  return sum;
}

static void hand_over(int samples, int idle_us, uint64_t *out_ns) {
  tbb::task_arena other(1, 0);  // no place in it for this thread
  other.initialize();
  for (int i = 0; i < samples; i++) {
    std::atomic<uint64_t> stamp{0};
    if (idle_us) spin_for_us(idle_us);
    uint64_t begun = now_ns(), there;
    other.enqueue([&stamp] { stamp.store(now_ns(), std::memory_order_release); });
    while (!(there = stamp.load(std::memory_order_acquire))) cpu_pause();
    out_ns[i] = there - begun;
  }
}

extern "C" const peer PEER = {"oneTBB", start, nullptr, independent, run_graph, fibonacci, hand_over};
