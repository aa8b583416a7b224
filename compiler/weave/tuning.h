// Thresholds of weaving and packing, each with where it comes from.
#ifndef MR_COMPILER_WEAVE_TUNING_H
#define MR_COMPILER_WEAVE_TUNING_H

// What handing over takes at most while units look for work: a few microseconds, or a wake-up when there has been none for a
// while. By the 100 us that a wake-up may take, eight experts of products of 50 us were 14 strands with 261 us on the longest way; so they
// are 20 with 156. And what a strand takes besides its steps.
#define MR_WEAVE_HANDOVER_NS 25000
#define MR_WEAVE_STRAND_NS 700
// What has nothing to do with one another parts when a strand takes as long already, at least; and at least one part in so many of what
// each unit does.
#define MR_WEAVE_QUANTUM_NS 50000
#define MR_WEAVE_QUANTUM_PARTS 16
// A step that takes longer spreads over the units that have nothing else to do (compiler/run, ops/library).
#define MR_WEAVE_SPREAD_NS 40000
// A program that takes less stays one straight call, and so does a round of a loop and a branch. What runs on the caller's thread
// (MR_EXECUTE_INLINE_WAKES) is over before another has woken.
#define MR_WEAVE_LEAST_NS 150000
#define MR_WEAVE_LEAST_ROUND_NS 100000
// What has to be won, of estimates that are not exact: of 100 parts, and at least, of the program and of a round of a loop. A round of
// 118 us that was to win 25, backwards through an LSTM, won nothing.
#define MR_WEAVE_WIN_PERCENT 12
#define MR_WEAVE_WIN_NS 25000
#define MR_WEAVE_WIN_ROUND_NS 40000
// When the main sequence's strands fill the units to so many parts in 100, its loops and branches are left as they are.
#define MR_WEAVE_FULL_PERCENT 75
// How often strands are made again, of parts that are worth twice as much, when there are too many of them.
#define MR_WEAVE_TURNS 8
// Temporary memory may grow by so many parts in 100 of all that the program has, or by so much for each unit beside the first. With half a megabyte a mixture of
// experts of 1.7 MB peaked at 1.05 times of what it does as one call, and was no faster; 16 softmaxes of 64 KB want it twice.
#define MR_WEAVE_MORE_PERCENT 3
#define MR_WEAVE_MORE_BYTES (66 << 10)

// So many temporary buffers, the largest, are placed by comparing each with all before (pack.c): 2 ms; 8192 took 30.
#define MR_PACK_COMPARED 2048
// The others: so many sizes are looked at for a free place, up to twice as large as the buffer.
#define MR_PACK_SHELVES 8
// Of a size's free places so many are looked at for one that the order of strands allows.
#define MR_PACK_LOOKS 16

#endif
