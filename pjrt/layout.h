// Dense layouts as hosts see them: minor-to-major orders, their HLO text, and the strides they stand for.
//
// Threads: layouts are immutable. Each order exists once and is never freed; retain and release are for the reader.
#ifndef MR_PJRT_LAYOUT_H
#define MR_PJRT_LAYOUT_H

#include "core/core.h"
#include "pjrt/abi.h"

struct PJRT_Layouts_MemoryLayout;

// The row-major layout of a rank: "{2,1,0}". Static; rank <= MR_MAX_RANK.
PJRT_Layouts_MemoryLayout *mr_pjrt_layout_row_major(size_t rank);
// A layout of any order, owned by the caller. INVALID_ARGUMENT when the order is not a permutation.
mr_status mr_pjrt_layout_create(const int64_t *minor_to_major, size_t rank,
                                PJRT_Layouts_MemoryLayout **out_layout) MR_WARN_UNUSED;
// From HLO text: "{0,1}". INVALID_ARGUMENT for what is no order of this rank, UNIMPLEMENTED for tiles.
mr_status mr_pjrt_layout_parse(mr_str text, size_t rank, PJRT_Layouts_MemoryLayout **out_layout) MR_WARN_UNUSED;
// From what a host describes, for an array on a device: a plain order, or strides that amount to one.
mr_status mr_pjrt_layout_of_host(const PJRT_Buffer_MemoryLayout *layout, size_t element_bytes, const int64_t *dims,
                                 size_t rank, PJRT_Layouts_MemoryLayout **out_layout) MR_WARN_UNUSED;
PJRT_Layouts_MemoryLayout *mr_pjrt_layout_retain(PJRT_Layouts_MemoryLayout *layout);
void mr_pjrt_layout_release(PJRT_Layouts_MemoryLayout *layout);
mr_ints mr_pjrt_layout_order(const PJRT_Layouts_MemoryLayout *layout);
mr_str mr_pjrt_layout_text(const PJRT_Layouts_MemoryLayout *layout);
bool mr_pjrt_layout_is_row_major(const PJRT_Layouts_MemoryLayout *layout);

// Byte strides of a dense array whose dimensions vary in this order, fastest first; NULL: row-major.
void mr_pjrt_dense_strides(size_t element_bytes, const int64_t *dims, size_t rank, const int64_t *minor_to_major,
                           int64_t *out_strides);
// What a host describes in a PJRT_Buffer_MemoryLayout (NULL: row-major) as byte strides. UNIMPLEMENTED for tiles.
mr_status mr_pjrt_host_strides(const PJRT_Buffer_MemoryLayout *layout, size_t element_bytes, const int64_t *dims,
                               size_t rank, int64_t *out_strides) MR_WARN_UNUSED;

#endif
