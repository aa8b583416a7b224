// Tiled layouts of host arrays: "{1,0:T(8,128)}" and the like, tiles within tiles included. An array in one is larger than
// a dense one where tiles reach over its edge; what lies there is zero when we write it and not looked at when we read.
//
// Threads: plain data.
//
//   mr_pjrt_tiling tiling;
//   MR_TRY(mr_pjrt_tiling_init(&tiling, layout, element_bytes, dims, rank));
//   mr_pjrt_tiling_copy(&tiling, tiled, dense, true);
#ifndef MR_PJRT_TILES_H
#define MR_PJRT_TILES_H

#include "core/core.h"
#include "pjrt/abi.h"

enum { MR_PJRT_MAX_TILES = 4 };

typedef struct mr_pjrt_tiling {
  size_t rank, element_bytes;
  int64_t dims[MR_MAX_RANK];
  int64_t order[MR_MAX_RANK];  // minor to major
  size_t num_tiles;
  size_t tile_ranks[MR_PJRT_MAX_TILES];
  int64_t tiles[MR_PJRT_MAX_TILES][MR_MAX_RANK];
  size_t bytes;  // of the whole, padding included
} mr_pjrt_tiling;

static inline bool mr_pjrt_is_tiled(const PJRT_Buffer_MemoryLayout *layout) {
  return layout && layout->struct_size >= PJRT_ABI_END(PJRT_Buffer_MemoryLayout, type) &&
         layout->type == PJRT_Buffer_MemoryLayout_Type_Tiled && layout->tiled.num_tiles > 0;
}
// INVALID_ARGUMENT for tiles that do not fit the array; UNIMPLEMENTED for more than four levels.
mr_status mr_pjrt_tiling_init(mr_pjrt_tiling *tiling, const PJRT_Buffer_MemoryLayout *layout, size_t element_bytes,
                              const int64_t *dims, size_t rank) MR_WARN_UNUSED;
// Between the tiled array and a dense row-major one, element by element. `to_tiled`: which way.
void mr_pjrt_tiling_copy(const mr_pjrt_tiling *tiling, char *tiled, char *dense, bool to_tiled);

#endif
