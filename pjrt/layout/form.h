// The form of a buffer on its device: how the logical array that hosts see lies in the block of its mr_buffer.
//
// Programs are compiled for row-major arrays, so devices/ and compiler/ know nothing else. A buffer in another order of
// dimensions is a mr_buffer whose dimensions are the physical ones, outermost first, and a form that has the logical
// ones. One with tiles, gaps or packed elements is a mr_buffer of bytes, the whole block, and a form that knows the type as
// well; so are elements narrower than a byte in memory that is not ours, where anything may be above their bits. Most buffers are row-major and have no form at all: NULL.
//
// Threads: immutable. Ownership: counted.
//
//   mr_pjrt_form *form;   // NULL: row-major
//   MR_TRY(mr_pjrt_form_of_host(args->device_layout, dtype, dims, rank, &form));
//   MR_TRY(mr_pjrt_form_to_row_major(form, buffer, &row_major));
#ifndef MR_PJRT_LAYOUT_FORM_H
#define MR_PJRT_LAYOUT_FORM_H

#include "core/ref.h"
#include "devices/devices.h"
#include "pjrt/layout/placing.h"

typedef struct mr_pjrt_form {
  mr_ref ref;
  PJRT_Layouts_MemoryLayout *layout;  // retained, row-major only where is_lent; NULL: strides that leave gaps
  mr_dtype dtype;
  bool is_block;  // the mr_buffer is bytes
  bool is_lent;   // a block because others write elements narrower than a byte there, with anything above their bits
  mr_pjrt_placing places;
} mr_pjrt_form;

// The form that a host asks for; NULL for a NULL layout and for row-major ones. INVALID_ARGUMENT for strides with which
// elements share bytes.
mr_status mr_pjrt_form_of_host(const PJRT_Buffer_MemoryLayout *layout, mr_dtype dtype, const int64_t *dims, size_t rank,
                               mr_pjrt_form **out_form) MR_WARN_UNUSED;
// The form of what a host has put in memory itself: elements may share bytes, as nobody writes them through the form.
mr_status mr_pjrt_form_of_view(const PJRT_Buffer_MemoryLayout *layout, mr_dtype dtype, const int64_t *dims, size_t rank,
                               mr_pjrt_form **out_form) MR_WARN_UNUSED;
// The form of what is written as bytes of other types.
mr_status mr_pjrt_form_of_bytes(const PJRT_Buffer_MemoryLayout *layout, mr_dtype dtype, const int64_t *dims,
                                size_t rank, mr_pjrt_form **out_form) MR_WARN_UNUSED;
// The form of an array in this layout, which is retained; NULL when it is row-major.
mr_status mr_pjrt_form_create(PJRT_Layouts_MemoryLayout *layout, mr_dtype dtype, const int64_t *dims, size_t rank,
                              mr_pjrt_form **out_form) MR_WARN_UNUSED;
mr_pjrt_form *mr_pjrt_form_retain(mr_pjrt_form *form);  // NULL is fine, here and below
void mr_pjrt_form_release(mr_pjrt_form *form);
bool mr_pjrt_form_equal(const mr_pjrt_form *a, const mr_pjrt_form *b);

// What the mr_buffer of an array in this form is made with; out_dims has room for MR_MAX_RANK. Returns the rank.
size_t mr_pjrt_form_block(const mr_pjrt_form *form, mr_dtype dtype, const int64_t *dims, size_t rank,
                          mr_dtype *out_dtype, int64_t *out_dims);
// Where the elements of a buffer with this form lie.
mr_status mr_pjrt_form_placing(const mr_pjrt_form *form, const mr_buffer *buffer, mr_pjrt_placing *out) MR_WARN_UNUSED;

// A fresh row-major buffer with the content of a buffer that has this form.
mr_status mr_pjrt_form_to_row_major(const mr_pjrt_form *form, mr_buffer *buffer, mr_buffer **out_buffer) MR_WARN_UNUSED;
// A buffer of this form for the content of a row-major one, which mr_pjrt_move_begin() is told.
mr_status mr_pjrt_form_prepare(const mr_pjrt_form *form, mr_memory *memory, mr_buffer **out_target) MR_WARN_UNUSED;

#endif
