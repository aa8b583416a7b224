// The graphs of the comparison. Each is owned by the caller.
#ifndef MR_PERF_TASKS_GRAPHS_H
#define MR_PERF_TASKS_GRAPHS_H

#include "harness.h"

graph *make_chain(uint32_t count);
graph *make_wavefront(uint32_t side);               // cell (r, c) after (r - 1, c) and (r, c - 1)
graph *make_random(uint32_t count);                 // three different earlier nodes each
graph *make_fans(uint32_t width, uint32_t rounds);  // one, then `width`, then one, again and again
graph *make_stencil(uint32_t width, uint32_t steps);
void free_graph(graph *g);

#endif
