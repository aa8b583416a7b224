// The form of a buffer on its device: how the logical array that hosts see lies in the dense row-major block below.
//
// Programs are compiled for row-major arrays, so devices/ and compiler/ know nothing else. A buffer in another order of
// dimensions is a mr_buffer whose dimensions are the physical ones, outermost first, and a form that has the logical
// ones. Most buffers are row-major and have no form at all: NULL.
//
// Threads: immutable. Ownership: counted.
//
//   mr_pjrt_form *form;   // NULL: row-major
//   MR_TRY(mr_pjrt_form_of_layout(args->device_layout, dtype, dims, rank, &form));
//   mr_pjrt_form_physical(form, dims, rank, physical);       // what the mr_buffer is made with
#ifndef MR_PJRT_FORM_H
#define MR_PJRT_FORM_H

#include "core/ref.h"
#include "devices/devices.h"
#include "pjrt/layout.h"

typedef struct mr_pjrt_form {
  mr_ref ref;
  PJRT_Layouts_MemoryLayout *layout;  // retained, never row-major
  size_t rank;
  int64_t dims[];  // as the host sees them
} mr_pjrt_form;

// The form that a host asks for; NULL for a NULL layout and for row-major ones. UNIMPLEMENTED for tiles and for strides
// that leave gaps.
mr_status mr_pjrt_form_of_layout(const PJRT_Buffer_MemoryLayout *layout, mr_dtype dtype, const int64_t *dims,
                                 size_t rank, mr_pjrt_form **out_form) MR_WARN_UNUSED;
// The form of an array in this layout, which is retained; NULL when it is row-major.
mr_status mr_pjrt_form_create(PJRT_Layouts_MemoryLayout *layout, const int64_t *dims,
                              mr_pjrt_form **out_form) MR_WARN_UNUSED;
mr_pjrt_form *mr_pjrt_form_retain(mr_pjrt_form *form);  // NULL is fine, here and below
void mr_pjrt_form_release(mr_pjrt_form *form);

// Entries of a logical array (dims, strides) in physical order, outermost first. Without a form: as they are.
void mr_pjrt_form_physical(const mr_pjrt_form *form, const int64_t *logical, size_t rank, int64_t *out_physical);

// A fresh row-major buffer with the content of a buffer that has this form, and the other way round.
mr_status mr_pjrt_form_to_row_major(const mr_pjrt_form *form, mr_buffer *buffer, mr_buffer **out_buffer) MR_WARN_UNUSED;
mr_status mr_pjrt_form_from_row_major(const mr_pjrt_form *form, mr_buffer *buffer,
                                      mr_buffer **out_buffer) MR_WARN_UNUSED;

#endif
