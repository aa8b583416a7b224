// Not a runtime: one thread with counters and a stack of what is ready, the least that any runtime has to do.
#include <stdlib.h>

#include "harness.h"

static bool start(int threads) { return threads == 1; }

static bool run_graph(const graph *g) {
  uint32_t *waits_for = malloc(sizeof(uint32_t) * g->count), *ready = malloc(sizeof(uint32_t) * g->count), count = 0;
  for (uint32_t i = 0; i < g->count; i++) {
    waits_for[i] = g->input_offsets[i + 1] - g->input_offsets[i];
    if (!waits_for[i]) {
      ready[count++] = i;
    }
  }
  while (count) {
    uint32_t node = ready[--count];
    graph_body(node);
    for (uint32_t e = g->output_offsets[node]; e < g->output_offsets[node + 1]; e++) {
      if (--waits_for[g->outputs[e]] == 0) {
        ready[count++] = g->outputs[e];
      }
    }
  }
  free(waits_for);
  free(ready);
  return true;
}

const peer PEER = {.name = "serial loop", .start = start, .run_graph = run_graph};
