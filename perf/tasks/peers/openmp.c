// OpenMP's tasks; for graphs with `depend` on one byte per node.
#include <omp.h>
#include <stdlib.h>

#include "harness.h"

static int team;

static bool start(int threads) {
  team = threads;
  omp_set_dynamic(0);
  omp_set_num_threads(threads);
#pragma omp parallel
  empty_body();
  return true;
}

static void independent(uint32_t count) {
#pragma omp parallel num_threads(team)
#pragma omp single
  for (uint32_t i = 0; i < count; i++) {
#pragma omp task
    empty_body();
  }
}

static void submit(const graph *g, uint32_t node, const char *cells) {
  const uint32_t *in = g->inputs + g->input_offsets[node];
  uint32_t inputs = g->input_offsets[node + 1] - g->input_offsets[node];
  if (inputs == 0) {
#pragma omp task firstprivate(node) depend(out : cells[node])
    graph_body(node);
  } else if (inputs == 1) {
#pragma omp task firstprivate(node) depend(in : cells[in[0]]) depend(out : cells[node])
    graph_body(node);
  } else if (inputs == 2) {
#pragma omp task firstprivate(node) depend(in : cells[in[0]], cells[in[1]]) depend(out : cells[node])
    graph_body(node);
  } else if (inputs == 3) {
#pragma omp task firstprivate(node) depend(in : cells[in[0]], cells[in[1]], cells[in[2]]) depend(out : cells[node])
    graph_body(node);
  } else {
#pragma omp task firstprivate(node) depend(iterator(uint32_t k = 0 : inputs), in : cells[in[k]]) \
    depend(out : cells[node])
    graph_body(node);
  }
}

static bool run_graph(const graph *g) {
  char *cells = malloc(g->count);
#pragma omp parallel num_threads(team)
#pragma omp single
  for (uint32_t i = 0; i < g->count; i++) {
    submit(g, i, cells);
  }
  free(cells);
  return true;
}

static uint64_t fork_join(int n) {
  if (n < 2) {
    return (uint64_t)n;
  }
  uint64_t first, second;
#pragma omp task shared(first) firstprivate(n)
  first = fork_join(n - 1);
  second = fork_join(n - 2);
#pragma omp taskwait
  return first + second;
}

static uint64_t fibonacci(int n) {
  uint64_t sum = 0;
#pragma omp parallel num_threads(team)
#pragma omp single
  sum = fork_join(n);
  return sum;
}

const peer PEER = {
    .name = "OpenMP", .start = start, .independent = independent, .run_graph = run_graph, .fibonacci = fibonacci};
