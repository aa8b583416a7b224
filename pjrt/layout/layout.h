// Layouts as hosts see them: which dimension varies fastest, tiles, packed elements, and their HLO text.
//
// Threads: layouts are immutable. Each exists once and is never freed; retain and release are for the reader.
//
//   PJRT_Layouts_MemoryLayout *layout;
//   MR_TRY(mr_pjrt_layout_parse(MR_STR("{1,0:T(8,128)}"), 2, &layout));
#ifndef MR_PJRT_LAYOUT_LAYOUT_H
#define MR_PJRT_LAYOUT_LAYOUT_H

#include "core/core.h"
#include "pjrt/abi.h"

struct PJRT_Layouts_MemoryLayout;

enum { MR_PJRT_MAX_TILES = 8, MR_PJRT_MAX_TILE_SIZES = 64 };
// In place of a tile's size: this dimension and the next one, which varies faster, are one before they are tiled.
#define MR_PJRT_COMBINE INT64_MIN

// What a layout says. Tiles as XLA means them: one of k sizes splits the k dimensions that vary fastest, those of smaller
// tiles before it included, into how many tiles there are along each and the place within the tile.
typedef struct mr_pjrt_layout_spec {
  size_t rank;
  size_t num_tiles, num_tile_sizes;
  int64_t element_bits;        // 0: whole bytes
  int64_t tail_alignment;      // the number of elements is rounded up to a multiple of it
  int64_t order[MR_MAX_RANK];  // minor to major
  size_t tile_ranks[MR_PJRT_MAX_TILES];
  int64_t tile_sizes[MR_PJRT_MAX_TILE_SIZES];  // of all tiles, one after another
} mr_pjrt_layout_spec;

// The row-major layout of a rank: "{2,1,0}". Static; rank <= MR_MAX_RANK.
PJRT_Layouts_MemoryLayout *mr_pjrt_layout_row_major(size_t rank);
// A layout without tiles, owned by the caller. INVALID_ARGUMENT when the order is not a permutation.
mr_status mr_pjrt_layout_create(const int64_t *minor_to_major, size_t rank,
                                PJRT_Layouts_MemoryLayout **out_layout) MR_WARN_UNUSED;
// Any layout. INVALID_ARGUMENT when the order is not a permutation or a size is not positive.
mr_status mr_pjrt_layout_of_spec(const mr_pjrt_layout_spec *spec,
                                 PJRT_Layouts_MemoryLayout **out_layout) MR_WARN_UNUSED;
// From HLO text: "{0,1}", "{1,0:T(8,128)(2,1)L(1024)E(4)}". INVALID_ARGUMENT for what is no layout of this rank,
// UNIMPLEMENTED for properties other than tiles, tail padding and packed elements, by their letter.
mr_status mr_pjrt_layout_parse(mr_str text, size_t rank, PJRT_Layouts_MemoryLayout **out_layout) MR_WARN_UNUSED;
// From the tiled form in which a host describes one, for an array of this rank.
mr_status mr_pjrt_layout_of_tiled(const PJRT_Buffer_MemoryLayout_Tiled *tiled, size_t rank,
                                  PJRT_Layouts_MemoryLayout **out_layout) MR_WARN_UNUSED;
PJRT_Layouts_MemoryLayout *mr_pjrt_layout_retain(PJRT_Layouts_MemoryLayout *layout);
void mr_pjrt_layout_release(PJRT_Layouts_MemoryLayout *layout);
const mr_pjrt_layout_spec *mr_pjrt_layout_spec_of(const PJRT_Layouts_MemoryLayout *layout);
mr_ints mr_pjrt_layout_order(const PJRT_Layouts_MemoryLayout *layout);
mr_str mr_pjrt_layout_text(const PJRT_Layouts_MemoryLayout *layout);
bool mr_pjrt_layout_is_row_major(const PJRT_Layouts_MemoryLayout *layout);

// Byte strides of a dense array whose dimensions vary in this order, fastest first; NULL: row-major.
void mr_pjrt_dense_strides(size_t element_bytes, const int64_t *dims, size_t rank, const int64_t *minor_to_major,
                           int64_t *out_strides);

#endif
