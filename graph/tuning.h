// Every number of this folder that was chosen by measuring.
#ifndef MR_GRAPH_TUNING_H
#define MR_GRAPH_TUNING_H

// A node whose inputs are there and that costs no more than this runs inside mr_node_submit(). Handing it to a spinning
// worker and hearing back takes about 1 us, to a sleeping one 20 to 50 us on the 2-core virtual machine this was
// measured on; a caller that runs it itself is through before the other thread has begun.
enum { MR_NODE_INLINE_NS = 30000 };

// In a run, nodes cheaper than this are kept by the thread that made them ready until somebody looks for work. One offer
// and one take through the deque cost about 30 ns together, being stolen about 200 ns.
enum { MR_RUN_PRIVATE_NS = 2000 };

// When somebody looks for work, it gets about this much of such nodes at once, or a quarter of what there is: the hand-over costs
// both sides about 300 ns.
enum { MR_RUN_PIECE_NS = 5000 };

// A thread that has kept ready nodes to itself for this much estimated work gives one away even though nobody asks, which
// wakes a sleeper: less would not pay for the wake-up.
enum { MR_RUN_SHARE_NS = 20000 };

// Finished runs that a plan keeps for the next one.
enum { MR_PLAN_CACHED_RUNS = 4 };

#endif
