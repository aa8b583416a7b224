// reshard_way: how one tiling becomes another. Private to compiler/shard.
//
// Each way is looked for once, as long as not too many are asked for. Memory: the module's arena. Threads: the module's.
//
//   const mr_way *way = mr_ways_find(spread->ways, &global_type, &from, &to);
//   for (uint32_t i = 1; way && i <= way->steps; i++) {
//     emit(&way->nodes[i - 1].tiling, &way->nodes[i]);
//   }
#ifndef MR_COMPILER_SHARD_RESHARD_WAY_H
#define MR_COMPILER_SHARD_RESHARD_WAY_H

#include "compiler/shard/reshard.h"

enum { MR_COLLECTIVE_BYTES = 4096 };  // what a collective costs beside its bytes: so many more bytes would take as long

typedef enum mr_move_kind { MR_MOVE_SLICE, MR_MOVE_GATHER, MR_MOVE_EXCHANGE, MR_MOVE_PERMUTE } mr_move_kind;

// A tiling, and the move that it comes from.
typedef struct mr_way_node {
  mr_tiling tiling;
  uint64_t cost;
  int32_t from;
  mr_move_kind kind;
  uint8_t dim, to_dim, count;  // atoms at the minor end of `dim`
  bool closed;
} mr_way_node;

typedef struct mr_way {
  uint64_t cost;
  bool found;  // false: too many ways to try
  uint32_t steps;
  mr_way_node *nodes;  // steps + 1: the first tiling, and what each move gives
} mr_way;

void mr_ways_init(mr_spread *spread);
// Neither tiling is of sums, nor has an order of its own. Good until the next call; NULL: memory is short, and the module says so.
const mr_way *mr_ways_find(mr_ways *ways, const mr_type *type, const mr_tiling *from, const mr_tiling *to);

uint32_t mr_atoms_common(const mr_atoms *a, const mr_atoms *b);                       // as many as both begin with
uint64_t mr_way_bytes(const mr_grid *grid, const mr_type *type, const mr_tiling *t);  // of one device
// Whether the shards of `fine` lie in those of `coarse`, which is its beginning. A whole dimension is filled up before it is cut,
// and what was filled up is cut away after it was joined.
bool mr_way_nests(const mr_grid *grid, int64_t size, const mr_atoms *coarse, const mr_atoms *fine);

#endif
