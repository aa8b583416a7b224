// local_window: what a device needs of a dimension that is cut, where that is not just its own part: borders of its neighbours'.
// Private to compiler/shard.
//
// Device k, of those that cut a dimension of `size` elements by `atoms`, has [k * local, (k + 1) * local) of it and needs
// [first + k * step, first + k * step + count).
#ifndef MR_COMPILER_SHARD_LOCAL_WINDOW_H
#define MR_COMPILER_SHARD_LOCAL_WINDOW_H

#include "compiler/shard/partition.h"

typedef struct mr_local_window {
  uint32_t dim;
  int64_t size;
  const mr_atoms *atoms;
  int64_t first, step, count;
} mr_local_window;

// Whether so few neighbours are asked that it is better than having the whole dimension.
bool mr_local_window_pays(const mr_part *p, const mr_local_window *window);
// How many elements of the dimension a device gets from others for it.
int64_t mr_local_window_received(const mr_part *p, const mr_local_window *window);
// `fill`: a scalar for what lies outside of the dimension; NULL: anything may be there.
mr_value *mr_local_window_get(mr_part *p, mr_value *x, const mr_local_window *window, mr_value *fill);
// Whether propagation wants the value cut along a dimension in this mask, and how: where it wants nothing, it is not.
bool mr_local_window_wanted(const mr_part *p, const mr_value *value, uint64_t dims, mr_tiling *out);

#endif
