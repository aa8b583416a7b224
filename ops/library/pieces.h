// pieces: into how many parts a library call is cut. Private to ops/library.
//
// How a product is cut decides the order of its sums, because libraries choose blocks by the sizes they are given. So the
// cut depends on the call's shapes alone, never on how many cores there are, and a result has the same bits on any machine
// with the same instructions. Powers of two share out evenly over the usual numbers of cores.
#ifndef MR_OPS_LIBRARY_PIECES_H
#define MR_OPS_LIBRARY_PIECES_H

#include "core/core.h"
#include "ops/library/tuning.h"

// Pieces of at least `least_ns` each, at most `most` of them.
static inline int64_t mr_pieces(uint64_t cost_ns, uint64_t least_ns, int64_t most) {
  int64_t pieces = 1;
  while (2 * pieces <= most && cost_ns / (uint64_t)(2 * pieces) >= least_ns) {
    pieces *= 2;
  }
  return pieces;
}

// Where piece `index` of `pieces` begins when `size` is shared out in whole units of `unit`; the last ends at `size`.
static inline int64_t mr_piece_begin(int64_t size, int64_t unit, int64_t pieces, int64_t index) {
  int64_t units = (size + unit - 1) / unit, begin = units * index / pieces * unit;
  return begin < size ? begin : size;
}

// For products: twice as many when every side is twice as long, which is eight times the work. What a piece packs by itself
// stays as small a part of it, and few cores are not handed more pieces than they need. Of a product that several devices run
// at once half as many: all of them together still have as many as one would (512 x 1024 x 1024 on each of two cores: 11.4 ms in 8
// pieces, 10.75 in 4).
static inline int64_t mr_product_pieces(uint64_t cost_ns, uint64_t cut_ns, bool in_rows) {
  int64_t pieces = 1;
  while (2 * pieces <= MR_MATMUL_MOST_PIECES && cost_ns / cut_ns >= (uint64_t)(8 * pieces * pieces * pieces)) {
    pieces *= 2;
  }
  return in_rows && pieces > 1 ? pieces / 2 : pieces;
}

// A product of m x n in tiles. The longer side is halved first, so that tiles are as square as the product lets them be and
// little is packed twice; a side ends at multiples of what libraries compute at once.
typedef struct mr_tiling {
  int64_t m, n;                // of a tile; less at the ends
  int64_t across_m, across_n;  // how many tiles
} mr_tiling;

static inline mr_tiling mr_tile_product(int64_t m, int64_t n, int64_t pieces) {
  enum { UNIT_M = 16, UNIT_N = 48 };
  mr_tiling t = {m, n, 1, 1};
  for (; pieces > 1; pieces /= 2) {
    if (t.m >= t.n && t.m >= 2 * UNIT_M) {
      t.m = (t.m + 2 * UNIT_M - 1) / (2 * UNIT_M) * UNIT_M;
    } else if (t.n >= 2 * UNIT_N) {
      t.n = (t.n + 2 * UNIT_N - 1) / (2 * UNIT_N) * UNIT_N;
    }
  }
  t.across_m = (m + t.m - 1) / t.m;
  t.across_n = (n + t.n - 1) / t.n;
  return t;
}

#endif
