// local_index: places of gather and scatter in the whole array, as places in a device's part. Private to compiler/shard.
#ifndef MR_COMPILER_SHARD_LOCAL_INDEX_H
#define MR_COMPILER_SHARD_LOCAL_INDEX_H

#include "compiler/shard/partition.h"

// Which coordinate of a place counts along which dimension of the array.
typedef struct mr_local_places {
  mr_ints dims;              // start_index_map, scatter_dims_to_operand_dims
  int64_t vector;            // the indices' dimension of coordinates; their rank: there is one, without a dimension
  const mr_type *array;      // the whole one
  const mr_tiling *tiling;   // how it is cut
  const int64_t *windows;    // by dimension of the array: what a place stands for; NULL: one element each
  bool counts[MR_MAX_RANK];  // by dimension of the array: it is cut, and coordinates are those of the whole
} mr_local_places;

// `indices` as integers that can be subtracted from, s32 or s64. `clamps`: what lies outside is moved to the border first.
mr_value *mr_local_coordinates(mr_part *p, mr_value *indices, const mr_local_places *places, bool clamps);
// Those less where the device's part begins.
mr_value *mr_local_relative(mr_part *p, mr_value *coordinates, const mr_local_places *places);
// i1, of the indices' dimensions without that of coordinates: whether a place lies in the part in all dimensions that are cut.
mr_value *mr_local_is_inside(mr_part *p, mr_value *relative, const mr_local_places *places);

#endif
