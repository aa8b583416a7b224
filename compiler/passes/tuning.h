// Thresholds of the passes. Those with a figure were measured; the others were chosen.
#ifndef MR_COMPILER_PASSES_TUNING_H
#define MR_COMPILER_PASSES_TUNING_H

// Functions that are called are copied into who calls them up to so many ops in one module.
#define MR_PASS_INLINE_OPS (1u << 20)
// What a loop does not change moves in front of it when it is no larger than what it is made from, or than so many bytes.
#define MR_PASS_HOIST_BYTES 64
// Constants of up to so many elements are computed while compiling; larger ones when they are splats.
#define MR_PASS_FOLD_ELEMENTS 64
// A product of a matrix of so many elements and a vector becomes two reductions, which can be shared out.
#define MR_PASS_MANY_ROWS (1 << 18)
// Factorisations of matrices of up to so many elements stay loops, which become one kernel; larger ones are LAPACK's where there
// is one (400 x 400: four times faster).
#define MR_PASS_QR_ELEMENTS 256
// A concatenation of more pieces becomes one of concatenations: what a kernel of all pieces costs to compile grows with the
// square of their number (1 ms a piece for 64 pieces, 5 for 1,000).
#define MR_PASS_PIECES 64
// A chlo.scan that only folds is a window over all before from so many steps on, as a cumulative reduction's own kernel is.
#define MR_PASS_WINDOW_STEPS 8
// Arrays from so many bytes on are changed in one row instead of chosen element by element: a round of 4 KiB took 146 ns for 173, of 8 KiB
// 142 for 208, of 64 KiB 571 for 2,304.
#define MR_PASS_ROW_BYTES 4096
// Arrays of so many bytes that change places each round have so many rounds made together at the most, of so many ops in all, where
// the ops of a round give no more than so many times the bytes that it would copy. Counters go on by no more than the step.
#define MR_PASS_TURN_BYTES 4096
#define MR_PASS_TURN_ROUNDS 4
#define MR_PASS_TURN_OPS 512
#define MR_PASS_TURN_SHARE 64
#define MR_PASS_TURN_STEP (1 << 16)

#endif
