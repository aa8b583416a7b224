#include "pjrt/form.h"

#include <string.h>

mr_status mr_pjrt_form_create(PJRT_Layouts_MemoryLayout *layout, const int64_t *dims, mr_pjrt_form **out_form) {
  *out_form = NULL;
  if (mr_pjrt_layout_is_row_major(layout)) {
    return MR_OK;
  }
  size_t rank = mr_pjrt_layout_order(layout).size;
  mr_pjrt_form *form = mr_alloc(sizeof *form + rank * sizeof(int64_t));
  if (form == NULL) {
    return MR_NO_MEMORY();
  }
  mr_ref_init(&form->ref);
  form->layout = mr_pjrt_layout_retain(layout);
  form->rank = rank;
  memcpy(form->dims, dims, rank * sizeof(int64_t));
  *out_form = form;
  return MR_OK;
}

mr_status mr_pjrt_form_of_layout(const PJRT_Buffer_MemoryLayout *layout, mr_dtype dtype, const int64_t *dims,
                                 size_t rank, mr_pjrt_form **out_form) {
  *out_form = NULL;
  if (layout == NULL) {
    return MR_OK;
  }
  PJRT_Layouts_MemoryLayout *order;
  MR_TRY(mr_pjrt_layout_of_host(layout, mr_dtype_bytes(dtype), dims, rank, &order));
  mr_status status = mr_pjrt_form_create(order, dims, out_form);
  mr_pjrt_layout_release(order);
  return status;
}

mr_pjrt_form *mr_pjrt_form_retain(mr_pjrt_form *form) {
  if (form) {
    mr_ref_retain(&form->ref);
  }
  return form;
}

void mr_pjrt_form_release(mr_pjrt_form *form) {
  if (form && mr_ref_release(&form->ref)) {
    mr_pjrt_layout_release(form->layout);
    mr_free(form);
  }
}

// The logical dimension that lies at physical place i.
static int64_t logical_of(const mr_pjrt_form *form, size_t i) {
  return mr_pjrt_layout_order(form->layout).data[form->rank - 1 - i];
}

void mr_pjrt_form_physical(const mr_pjrt_form *form, const int64_t *logical, size_t rank, int64_t *out_physical) {
  for (size_t i = 0; i < rank; i++) {
    out_physical[i] = logical[form ? (size_t)logical_of(form, i) : i];
  }
}

mr_status mr_pjrt_form_from_row_major(const mr_pjrt_form *form, mr_buffer *buffer, mr_buffer **out_buffer) {
  int64_t permutation[MR_MAX_RANK];
  for (size_t i = 0; i < form->rank; i++) {
    permutation[i] = logical_of(form, i);
  }
  return mr_buffer_transpose_to(buffer, mr_buffer_memory(buffer), permutation, out_buffer);
}

mr_status mr_pjrt_form_to_row_major(const mr_pjrt_form *form, mr_buffer *buffer, mr_buffer **out_buffer) {
  int64_t permutation[MR_MAX_RANK];
  for (size_t i = 0; i < form->rank; i++) {
    permutation[logical_of(form, i)] = (int64_t)i;
  }
  return mr_buffer_transpose_to(buffer, mr_buffer_memory(buffer), permutation, out_buffer);
}
