// Thresholds of fusion. Those with a figure were measured; the others were chosen, and bound a search or a size.
// None of them is a figure of the device: what is one kernel rounds once where two round twice, a product and the sum that takes it
// for one, so that what is joined, done again or cut may depend on shapes alone.
#ifndef MR_COMPILER_FUSE_TUNING_H
#define MR_COMPILER_FUSE_TUNING_H

// A reduction by rows joins a kernel that goes over the same rows when there are so many: with fewer, two kernels that share
// well are faster than one that cannot. Below so many elements there is nothing to share out anyway.
#define MR_FUSE_FEWEST_ROWS 8
#define MR_FUSE_SMALL_WORK 65536.0
// Operations per element that may be done again rather than kept in memory, and the same within a row that is gone over several
// times, whose operands are in a cache by then. Up to so many times as many elements as there are, nothing is done again.
#define MR_FUSE_EXTRA_ALLOWED 6.0
#define MR_FUSE_EXTRA_ROW_ALLOWED 60.0
#define MR_FUSE_FACTOR_FREE 1.25
// An op that is computed again by each of its users costs at most this (mr_op_cost); operands that are so many times smaller
// than its result do not count.
#define MR_FUSE_DUPLICATE_COST 2
#define MR_FUSE_SMALL_OPERAND 4
// An update of a scatter is asked for by each share, of which this is a guess.
#define MR_FUSE_SCATTER_SHARES 4
// Ops and groups that a search for a cycle looks at; where that is not enough the answer is that there is one.
#define MR_FUSE_SEARCH_LIMIT 400
// Uses of values that it passes by on its way, likewise: a value that a thousand read is not gone through for each of them.
#define MR_FUSE_SEARCH_USES 1000

// Arrays of at least so many bytes are kept from being copied where they are updated; readers of so many uses of one are looked at,
// so far behind the update, and so often in one block.
#define MR_FUSE_UPDATED_BYTES 4096
#define MR_FUSE_UPDATED_USES 64
#define MR_FUSE_UPDATED_DISTANCE 512
#define MR_FUSE_UPDATED_MOVES 64

// Groups side by side: positions between the roots, as what is made together also waits and lives together, and the same for
// large results; how many of these a kernel has; pairs tried for each group, and uses
// passed by to find them: of a value that many read most are in other blocks, or the group's own.
#define MR_FUSE_LARGE_BYTES 65536
#define MR_FUSE_FARTHEST 400
#define MR_FUSE_FARTHEST_LARGE 40
#define MR_FUSE_MOST_LARGE_OUTPUTS 6
#define MR_FUSE_MOST_TRIED 12
#define MR_FUSE_MOST_LOOKED_AT 500

// A reduction of at least this many elements that leaves fewer shares than these is cut in parts: as many as divide the row
// between the two, or up to the third when each part has many results.
#define MR_FUSE_SPLIT_ELEMENTS (1 << 18)
#define MR_FUSE_SPLIT_ENOUGH_SHARES 8
#define MR_FUSE_SPLIT_FEWEST_PARTS 4
#define MR_FUSE_SPLIT_MOST_PARTS 64
#define MR_FUSE_SPLIT_MOST_ROW_PARTS 16
// Neighbouring results that make enough shares of their own.
#define MR_FUSE_SPLIT_MANY_RESULTS 65536

#endif
