// Where the elements of an array lie in a block of memory: by strides (any, gaps and negative ones included), or by a
// layout's tiles, tail padding and packed elements. And copies from any such form into any other.
//
// In tiled forms the place of an element is the sum of one term for each dimension (for each group of dimensions that a tile
// combines), so a copy looks terms up in a table for each dimension, made once.
//
// Threads: plain data; layouts are borrowed (they live for ever).
//
//   mr_pjrt_placing tiled, dense;
//   MR_TRY(mr_pjrt_placing_of_layout(&tiled, layout, MR_F32, dims, rank));
//   MR_TRY(mr_pjrt_placing_of_layout(&dense, mr_pjrt_layout_row_major(rank), MR_F32, dims, rank));
//   MR_TRY(mr_pjrt_move(group, &tiled, to, &dense, from));
#ifndef MR_PJRT_LAYOUT_PLACING_H
#define MR_PJRT_LAYOUT_PLACING_H

#include "devices/devices.h"
#include "pjrt/layout/layout.h"

typedef struct mr_pjrt_placing {
  size_t rank;
  int64_t dims[MR_MAX_RANK];
  size_t element_bytes;
  unsigned packed_bits;                     // what an element takes when that is less than a byte, else 0
  unsigned narrow_bits;                     // the width of a type narrower than a byte, packed or not, else 0
  const PJRT_Layouts_MemoryLayout *layout;  // NULL: the strides say it all
  int64_t strides[MR_MAX_RANK];             // in bytes
  size_t origin;                            // of the first element, bytes from the start of the block
  size_t bytes;                             // of the block, padding included
  bool pads;                                // bytes that belong to no element are ours: zero after a copy
} mr_pjrt_placing;

// INVALID_ARGUMENT for what cannot be: packed elements of another width than the type's, blocks that exceed memory.
mr_status mr_pjrt_placing_of_layout(mr_pjrt_placing *places, const PJRT_Layouts_MemoryLayout *layout, mr_dtype dtype,
                                    const int64_t *dims, size_t rank) MR_WARN_UNUSED;
// The block reaches from the lowest to the highest byte of an element.
mr_status mr_pjrt_placing_of_strides(mr_pjrt_placing *places, const int64_t *strides, mr_dtype dtype,
                                     const int64_t *dims, size_t rank) MR_WARN_UNUSED;
// What a host describes; NULL: row-major.
mr_status mr_pjrt_placing_of_host(mr_pjrt_placing *places, const PJRT_Buffer_MemoryLayout *layout, mr_dtype dtype,
                                  const int64_t *dims, size_t rank) MR_WARN_UNUSED;
// INVALID_ARGUMENT when elements of an array with these strides could share bytes: what may not be written.
mr_status mr_pjrt_placing_check_apart(const mr_pjrt_placing *places) MR_WARN_UNUSED;

// Copies an array of the same type and dimensions, with zeros above the bits of what is narrower than a byte; `to` and `from` are the
// starts of the blocks. Over the cores of `group`
// (NULL: this thread) when it is large.
mr_status mr_pjrt_move(mr_group *group, const mr_pjrt_placing *to_places, void *to, const mr_pjrt_placing *from_places,
                       const void *from) MR_WARN_UNUSED;

// The same in two steps: first the memory that it takes, which the caller frees (NULL when it takes none).
mr_status mr_pjrt_move_tables(const mr_pjrt_placing *to_places, const mr_pjrt_placing *from_places,
                              int64_t **out_tables) MR_WARN_UNUSED;
void mr_pjrt_move_with(mr_group *group, const mr_pjrt_placing *to_places, void *to, const mr_pjrt_placing *from_places,
                       const void *from, int64_t *tables);

// The same once a buffer has content, whose block is `from_places`, in any memory. *out_done as in mr_buffer_to_host().
mr_status mr_pjrt_move_to_host(mr_buffer *buffer, const mr_pjrt_placing *from_places, const mr_pjrt_placing *to_places,
                               void *to, mr_future **out_done) MR_WARN_UNUSED;
// Into a fresh buffer of this type and these dimensions, whose block is `to_places`.
mr_status mr_pjrt_move_to_buffer(mr_buffer *buffer, const mr_pjrt_placing *from_places,
                                 const mr_pjrt_placing *to_places, mr_dtype dtype, const int64_t *dims, size_t rank,
                                 mr_buffer **out_buffer) MR_WARN_UNUSED;
// The last in two steps, for a content whose making cannot be undone: what can be refused is refused by the first. `target` is
// pending until the second. Abandoned, it is never begun.
mr_status mr_pjrt_move_prepare(mr_memory *memory, const mr_pjrt_placing *from_places, const mr_pjrt_placing *to_places,
                               mr_dtype dtype, const int64_t *dims, size_t rank, mr_buffer **out_target) MR_WARN_UNUSED;
void mr_pjrt_move_begin(mr_buffer *target, mr_buffer *source);
void mr_pjrt_move_abandon(mr_buffer *take_target);

#endif
