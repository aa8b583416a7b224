#include "graphs.h"

#include <stdlib.h>
#include <string.h>

static void *zeroed(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) {
    abort();
  }
  return memory;
}

static graph *begin(uint32_t count, size_t most_edges) {
  graph *g = zeroed(1, sizeof *g);
  g->count = count;
  g->input_offsets = zeroed((size_t)count + 1, sizeof(uint32_t));
  g->inputs = zeroed(most_edges, sizeof(uint32_t));
  return g;
}

static void add_input(graph *g, uint32_t node, uint32_t input) { g->inputs[g->input_offsets[node + 1]++] = input; }

// Nodes are described in order: the inputs of the next begin where those of the last end.
static void next_node(graph *g, uint32_t node) { g->input_offsets[node + 1] = g->input_offsets[node]; }

// The other direction.
static graph *end(graph *g) {
  uint32_t edges = g->input_offsets[g->count];
  uint32_t *at = zeroed((size_t)g->count + 1, sizeof(uint32_t));
  for (uint32_t e = 0; e < edges; e++) {
    at[g->inputs[e] + 1]++;
  }
  for (uint32_t i = 0; i < g->count; i++) {
    at[i + 1] += at[i];
  }
  g->output_offsets = zeroed((size_t)g->count + 1, sizeof(uint32_t));
  memcpy(g->output_offsets, at, ((size_t)g->count + 1) * sizeof(uint32_t));
  g->outputs = zeroed(edges, sizeof(uint32_t));
  for (uint32_t i = 0; i < g->count; i++) {
    uint32_t inputs = g->input_offsets[i + 1] - g->input_offsets[i];
    if (inputs > g->most_inputs) {
      g->most_inputs = inputs;
    }
    for (uint32_t e = g->input_offsets[i]; e < g->input_offsets[i + 1]; e++) {
      g->outputs[at[g->inputs[e]]++] = i;
    }
  }
  free(at);
  return g;
}

graph *make_chain(uint32_t count) {
  graph *g = begin(count, count);
  for (uint32_t i = 0; i < count; i++) {
    next_node(g, i);
    if (i) {
      add_input(g, i, i - 1);
    }
  }
  return end(g);
}

graph *make_wavefront(uint32_t side) {
  graph *g = begin(side * side, (size_t)side * side * 2);
  for (uint32_t i = 0; i < side * side; i++) {
    next_node(g, i);
    if (i >= side) {
      add_input(g, i, i - side);
    }
    if (i % side) {
      add_input(g, i, i - 1);
    }
  }
  return end(g);
}

static uint32_t random_below(uint64_t *state, uint32_t limit) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (uint32_t)((*state >> 32) * limit >> 32);
}

graph *make_random(uint32_t count) {
  graph *g = begin(count, (size_t)count * 3);
  uint64_t state = 0x2545f4914f6cdd1d;
  for (uint32_t i = 0; i < count; i++) {
    next_node(g, i);
    uint32_t first = g->input_offsets[i], wanted = i < 3 ? i : 3;
    while (g->input_offsets[i + 1] - first < wanted) {
      uint32_t input = random_below(&state, i), e = first;
      while (e < g->input_offsets[i + 1] && g->inputs[e] != input) {
        e++;
      }
      if (e == g->input_offsets[i + 1]) {
        add_input(g, i, input);
      }
    }
  }
  return end(g);
}

graph *make_fans(uint32_t width, uint32_t rounds) {
  uint32_t round = width + 2;
  graph *g = begin(round * rounds, (size_t)(2 * width + 1) * rounds);
  for (uint32_t i = 0; i < g->count; i++) {
    next_node(g, i);
    uint32_t source = i / round * round;
    if (i == source) {
      if (i) {
        add_input(g, i, i - 1);
      }
    } else if (i <= source + width) {
      add_input(g, i, source);
    } else {
      for (uint32_t k = 1; k <= width; k++) {
        add_input(g, i, source + k);
      }
    }
  }
  return end(g);
}

graph *make_stencil(uint32_t width, uint32_t steps) {
  graph *g = begin(width * steps, (size_t)width * steps * 3);
  for (uint32_t i = 0; i < g->count; i++) {
    next_node(g, i);
    if (i < width) {
      continue;
    }
    uint32_t above = i - width, column = i % width;
    if (column) {
      add_input(g, i, above - 1);
    }
    add_input(g, i, above);
    if (column + 1 < width) {
      add_input(g, i, above + 1);
    }
  }
  return end(g);
}

void free_graph(graph *g) {
  free(g->input_offsets);
  free(g->inputs);
  free(g->output_offsets);
  free(g->outputs);
  free(g);
}
