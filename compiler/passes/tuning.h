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

#endif
