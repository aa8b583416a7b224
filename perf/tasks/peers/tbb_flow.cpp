// oneTBB's flow graph: a continue_node for each node, an edge for each input.
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <deque>

#include "harness.h"

using tbb::flow::continue_msg;

static tbb::task_arena *arena;

static bool start(int threads) {
  static tbb::global_control limit(tbb::global_control::max_allowed_parallelism, size_t(threads));
  arena = new tbb::task_arena(threads);
  return true;
}

static void independent(uint32_t count) {
  arena->execute([=] {
    tbb::flow::graph flow;
    tbb::flow::function_node<uint32_t> each(flow, tbb::flow::unlimited, [](uint32_t) { empty_body(); });
    for (uint32_t i = 0; i < count; i++) each.try_put(i);
    flow.wait_for_all();
  });
}

static bool run_graph(const graph *g) {
  arena->execute([=] {
    tbb::flow::graph flow;
    std::deque<tbb::flow::continue_node<continue_msg>> nodes;
    for (uint32_t i = 0; i < g->count; i++) {
      nodes.emplace_back(flow, [i](const continue_msg &) { graph_body(i); });
      for (uint32_t e = g->input_offsets[i]; e < g->input_offsets[i + 1]; e++) {
        tbb::flow::make_edge(nodes[g->inputs[e]], nodes[i]);
      }
    }
    for (uint32_t i = 0; i < g->count; i++) {
      if (g->input_offsets[i + 1] == g->input_offsets[i]) nodes[i].try_put(continue_msg());
    }
    flow.wait_for_all();
  });
  return true;
}

extern "C" const peer PEER = {"TBB flow", start, nullptr, independent, run_graph, nullptr, nullptr};
