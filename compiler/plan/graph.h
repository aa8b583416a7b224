// graph: a sequence of steps as strands that may run beside one another. Private to compiler/plan and the rooms above it.
//
// A strand is a stretch of the sequence's steps, one straight call: whoever runs it goes from its first step to its last. What a
// strand waits for lies whole before it; there is no waiting for a part of another strand. The strands lie in the sequence one behind
// the other, in an order in which each comes after all that it waits for, so that running the steps as they lie is always right
// as well: that is what one does who has no use for strands.
//
// Threads: made while compiling, never changed afterwards.
#ifndef MR_COMPILER_PLAN_GRAPH_H
#define MR_COMPILER_PLAN_GRAPH_H

#include "graph/graph.h"

// The most strands that one sequence is cut into.
enum { MR_PLAN_STRANDS = 256 };

typedef struct plan_strand {
  uint32_t first, count;  // steps of the sequence
  uint64_t cost_ns;       // one core's estimate
  uint64_t
      rank_ns;  // the longest way from its start to the end of the graph, by cost: the critical path has the largest
} plan_strand;

typedef struct plan_graph {
  uint32_t num_strands;  // two at least
  plan_strand *strands;
  // Strand i comes after inputs[input_offsets[i] .. input_offsets[i + 1]), which are smaller numbers in ascending order and none of
  // which follows from the others.
  uint32_t *input_offsets, *inputs;
  // Of the main sequence; NULL of a loop's body and of a branch. Result k is there, and nothing reads its buffer any more, after
  // result_strands[result_offsets[k] .. result_offsets[k + 1]). None: no step touches it.
  uint32_t *result_offsets, *result_strands;
  uint64_t critical_ns;           // the longest way
  uint64_t straight_ns, wide_ns;  // estimates of the whole on this machine's units, as one straight call and as strands
  // Node i is strand i. NULL until compiler/run has made it, which knows what a node does; released with the executable.
  mr_plan *frozen;
  // Likewise: the number of the first strand among a run's, and where their levels are, `depth` for each.
  uint32_t first_strand, first_level, depth;
  // Likewise, where a result of the main sequence is announced before the end: how many strands that takes, by result, 0: it is
  // announced with the execution; and by strand, which results those are: announces[announce_offsets[i] .. announce_offsets[i + 1]).
  // NULL: all are announced with the execution.
  uint32_t *announced_after, *announce_offsets, *announces;
} plan_graph;

#endif
