// Numbers of the code generator that were measured or chosen, in one place.
#ifndef MR_COMPILER_CODEGEN_TUNING_H
#define MR_COMPILER_CODEGEN_TUNING_H

// Raised whenever the same loop program may give different code: it is part of every cache key.
#define MR_CODEGEN_VERSION 10

// A WHILE looks whether it is to stop after so many rounds, or fewer that together have so many instructions, some tens of microseconds; and how
// many rounds an inner loop is taken to make whose bounds are not known.
#define MR_EMIT_ROUNDS_UNLOOKED 1024
#define MR_EMIT_WORK_UNLOOKED 65536.0
#define MR_EMIT_UNKNOWN_ROUNDS 64.0

// A context keeps its constants; 400 kernels leave some megabytes.
#define MR_LLVM_ENGINE_MAX_USES 400

// All locals of a kernel together; a worker's stack must hold them.
#define MR_LOCAL_MAX_BYTES (256 * 1024)

// A loop of at most this many constant iterations is vectorised as masked vectors whatever it does, and one at a time.
#define MR_SHORT_TRIP 48

// How deep an index is followed to say how it moves with a loop.
#define MR_STRIDE_DEPTH 8

// Short loops of up to so many rounds, and calls of functions in them, are unrolled where that saves memory.
#define MR_UNROLL_MAX_ROUNDS 16

// Interleaving by four makes four times the code: 80 functions in one loop took 3.7 s to compile.
#define MR_INTERLEAVE_MAX_CALLS 16

// What an element function counts beside the instructions of a kernel.
#define MR_CALL_WORK 25

// Kernels of more work than this (instructions, and MR_CALL_WORK for each element function) are compiled at the quick level, whose
// time grows with their size and not faster.
#define MR_FULL_LEVEL_MAX_WORK 4000

// More element functions than this in one kernel are compiled at the quick level in short blocks, which leaves nothing to
// the passes over loops. A reduction with 400 sines in its region took more than two minutes as one block.
#define MR_SPLIT_BLOCKS_CALLS 100

// How far ahead loads ask for memory (emit_ahead.c), and the narrowest vectors that do: of narrower ones many share a line.
#define MR_AHEAD_BYTES 2048
#define MR_AHEAD_VECTOR_BYTES 32
// Instructions for each such load from which on it does.
#define MR_AHEAD_WORK 16

// Products in OpenCL C (clc_product.c): rows of a tile at most, half of that where rows are packed as well, and at least where
// there would be fewer tiles than that; steps of the sum in a block. A block of 256 steps and 32 columns of f32 takes 32 KiB, the
// rows 64 KiB: 512^3 in f32 on two cores of a Xeon with AVX-512, 248 GFLOP/s with PoCL 3.1.
#define MR_CLC_ROWS 128
#define MR_CLC_LEAST_ROWS 16
#define MR_CLC_TILES 16
#define MR_CLC_BLOCK 256

// Tiles by groups of items (clc_group.c): of at least and at most so many items, which are multiples of all makers' vectors; a loop
// of fewer rounds is left whole, and a program that has a longer one than the second which must be left whole is for one item.
// Memory that one of many thousand items may have for itself.
#define MR_CLC_GROUP_LEAST 64
#define MR_CLC_GROUP_MOST 256
#define MR_CLC_GROUP_ROUNDS 16
#define MR_CLC_GROUP_SERIAL 16
#define MR_CLC_ITEM_BYTES 4096

// Products by groups of items (clc_product_items.c): rows and columns that an item has in registers, and steps of the sum whose
// numbers are in local memory: 64 by 64 results of 256 items take 8 KiB of it in f32.
#define MR_CLC_ITEMS_RESULTS 4
#define MR_CLC_ITEMS_STEPS 16

// Transforms in OpenCL C (clc_fft.c): the longest, whose roots are two tables of some thousand numbers; the largest prime that is a pass of
// its own; up to how many roots are one table. For processors: lanes of a vector, each with a line, so many that they take no more than
// this together, which a second level of caches holds; and pieces that have memory of their own, there and of many items, together
// no more than so many bytes.
#define MR_CLC_FFT_MOST (1 << 20)
#define MR_CLC_FFT_RADIX 61
#define MR_CLC_FFT_TABLE 256
#define MR_CLC_FFT_LANES 8
#define MR_CLC_FFT_BYTES (1 << 20)
#define MR_CLC_FFT_PIECES 64
#define MR_CLC_FFT_GROUPS 256
#define MR_CLC_FFT_SCRATCH ((long long)256 << 20)

// Buckets of the kernel table (16 bytes each), and how much code it keeps for nobody in particular: some ten thousand
// kernels, five to a bucket.
#define MR_CACHE_BUCKETS 2048
#define MR_CACHE_CODE_BYTES ((size_t)64 << 20)

#endif
