// Numbers that lowering plans with: estimates, in terms of the device's figures; and shapes of loops, where those without a
// figure were chosen.
#ifndef MR_COMPILER_LOWER_TUNING_H
#define MR_COMPILER_LOWER_TUNING_H

// What a core takes for an operation on an f32 element, vectorised or not so well, for a function, and for an element that is not
// beside the one before: a transposed i8 takes 0.24 ns, every other f32 of a row 0.5. All on a core of the default figures.
#define MR_LOWER_NS_PER_FLOP 0.01
#define MR_LOWER_NS_PER_TRANSCENDENTAL 0.5
#define MR_LOWER_NS_PER_SCATTERED 0.25
#define MR_LOWER_TRANSCENDENTAL_FLOPS 10  // what a function counts beside plain operations
// How many times as long a load that hits the first level takes as one that is nothing but a load.
#define MR_LOWER_LOADS 1.0
// What an element of a running sum waits for the one before (44 us for 65536); one of a sort for each pass by digits, where the
// rows are in a core's own caches and where they are not (f32, 65536: 10 ns in four; a million: 18); and one operation that is
// counted for merging.
#define MR_LOWER_SCAN_NS 0.6
#define MR_LOWER_RADIX_NS 2.4
#define MR_LOWER_RADIX_FAR_NS 4.5
#define MR_LOWER_MERGE_NS 0.03
// The estimate that decides about results too, where a loop becomes one kernel: of memory, of a core's own caches, and of loads.
// They stand for no machine, and do not change.
#define MR_LOWER_NS_PER_BYTE 0.035
#define MR_LOWER_NS_PER_CACHED_BYTE 0.015
#define MR_LOWER_CACHED_BYTES ((double)(2 << 20) + 4096)
#define MR_LOWER_NS_PER_LOADED_BYTE 0.01
#define MR_LOWER_SHAPE_NS_PER_FLOP 0.03
#define MR_LOWER_SHAPE_NS_PER_TRANSCENDENTAL 0.3
// A share of less than so many times what handing it to another thread takes is not worth that (5 us where that is one), and what
// of a device's figure for it is believed. Longer ones are shared unevenly: three kernels of 120 us in a loop of random numbers took
// 850 us in shares of 20 and 600 in shares of 5.
#define MR_LOWER_SHARE_HANDOVERS 5.0
#define MR_LOWER_LEAST_SHARE_NS 3000.0
#define MR_LOWER_MOST_SHARE_NS 25000.0

// Results of a size that could not stay in the last-level cache are stored past the caches; those stored in pieces of a line
// each from this part of it on.
#define MR_LOWER_STREAM_TILED_PART 8

// Loads that go through an operand which the second-level cache does not hold, and of more bytes than this, may ask for what comes
// next (compiler/codegen/emit_ahead.c has figures).
#define MR_LOWER_AHEAD_FEWEST ((double)(128 << 10))

// ---- Nests ----------------------------------------------------------------------------------------------------------------
// Loops are nested inside the parallel one until the innermost ones have this many rounds.
#define MR_LOWER_SHORT_INNER 64
// Rows that are as good as vectors, and operations on an element from which on a shorter row is unrolled (nest.c has figures).
#define MR_LOWER_FULL_INNER 8
#define MR_LOWER_UNROLL_WORK 2
// Reductions side by side: accumulators of all of them together, and when each of several segments has its own; halved for
// each further reduction and when blocks are all that cores can share, down to these.
#define MR_LOWER_BLOCK 2048
#define MR_LOWER_SEGMENT_BLOCK 256
#define MR_LOWER_SMALLEST_BLOCK 256
#define MR_LOWER_SMALLEST_SHARED_BLOCK 64
#define MR_LOWER_ENOUGH_BLOCKS 8
#define MR_LOWER_FEWEST_BLOCKED 8
// Rows of columns that are added up at once, and how many reductions over the same positions go through memory together.
#define MR_LOWER_STRETCH 64
#define MR_LOWER_MOST_TOGETHER 8
// Tiles of transposed reads: the shortest side, and of the last group what a share takes at a time.
#define MR_LOWER_FEWEST_TILED 8
#define MR_LOWER_TILED_SPAN 1024
// A parallel range of fewer shares is cut finer when there is as much to do, into chunks of whole vectors.
#define MR_LOWER_FEW_SHARES 16
#define MR_LOWER_MUCH 65536
#define MR_LOWER_MOST_CHUNKS 64
#define MR_LOWER_CHUNK_MULTIPLE 64
// Segments that a nest is cut into where pads and concatenations change their source, and accesses in all of them.
#define MR_LOWER_MOST_SEGMENTS 16
#define MR_LOWER_MOST_SEGMENT_ACCESSES 400

// ---- Reductions -----------------------------------------------------------------------------------------------------------
// Terms that are written out one after the other: of a window, of a reduction, of a product (256 of 12x12: 206 us -> 21).
#define MR_LOWER_UNROLLED_WINDOW 32
#define MR_LOWER_UNROLLED_REDUCE 8
#define MR_LOWER_UNROLLED_DOT 16
// Accumulators side by side for joins that the vectoriser does not know (argmax): the join runs over a row of them; fewer for
// short rows, whose end is the lanes one after the other.
#define MR_LOWER_LANES 64
#define MR_LOWER_FEW_LANES 16
#define MR_LOWER_LONG_ROW 4096
#define MR_LOWER_FEWEST_LANE_ROUNDS 4
// A row of values is kept in local memory for those who use it again, up to so many of them and so many bytes in all. Rows of a
// multiple of the third leave no rest to a vectorised loop.
#define MR_LOWER_LONGEST_KEPT 8192
#define MR_LOWER_MOST_LOCAL (128 * 1024)
#define MR_LOWER_EVEN_ROW 64
// Running sums: the shortest row that is one pass, and columns that are added up side by side.
#define MR_LOWER_SHORTEST_SCAN 8
#define MR_LOWER_FEWEST_SCAN_COLUMNS 8
#define MR_LOWER_SCAN_BLOCK 256

// ---- Moving, scattering, sorting ------------------------------------------------------------------------------------------
// Concatenation as copies of pieces: the fewest pieces; with fewer rows, shares take pieces rather than rows; elements that are
// cheaper to copy one by one.
#define MR_LOWER_CONCAT_PIECES 17
#define MR_LOWER_CONCAT_ROWS 8
#define MR_LOWER_CONCAT_SHORT_PIECE 4
// An element of a concatenation is found by comparing with one piece after the other up to so many, in halves above; one of a
// constant by selections up to so many.
#define MR_LOWER_FEW_PIECES 16
#define MR_LOWER_SELECTED_CONSTANT 64
// Elements of an update that a share takes at least, and shares that are enough.
#define MR_LOWER_SCATTER_BLOCK 64
#define MR_LOWER_SCATTER_SHARES 16
// Windows side by side whose winners are looked for at once.
#define MR_LOWER_WINDOW_BLOCK 256
#define MR_LOWER_FEWEST_WINDOWS 4
#define MR_SORT_LARGEST_LOCAL (96 * 1024)  // bytes of a row's arrays; longer rows use scratch
// Rows up to the first length are sorted by insertion, as are the runs that merges begin with; keys of four bytes from the
// second on by radix, with digits of so many bits (eleven give fewer passes whose many write streams take four times as
// long), at this cost for each element and pass.
#define MR_LOWER_SORT_RUN 16
#define MR_LOWER_RADIX_SHORTEST 96
#define MR_LOWER_RADIX_DIGIT 8
#define MR_LOWER_RADIX_FLOPS 55.0
// The k largest: from this k on a heap, as an insertion into a sorted list moves half of it and into a heap log2(k) elements of
// less order; elements of a block that is passed over when its largest does not get in; cost for each element of the row and
// for each that stays; bytes for each that stays.
#define MR_LOWER_TOP_K_HEAP 96
#define MR_LOWER_TOP_K_BLOCK 64
#define MR_LOWER_TOP_K_SEEN_FLOPS 4.0
#define MR_LOWER_TOP_K_KEPT_FLOPS 40.0
#define MR_LOWER_TOP_K_BYTES 16

#endif
