#include "pjrt/layout/form.h"

#include <string.h>

#include "core/census.h"

// ---- Making ----------------------------------------------------------------------------------------------------------------

static mr_status allocate(PJRT_Layouts_MemoryLayout *layout, mr_dtype dtype, const mr_pjrt_placing *places,
                          mr_pjrt_form **out_form) {
  mr_pjrt_form *form = mr_alloc(sizeof *form);
  if (form == NULL) {
    return MR_NO_MEMORY();
  }
  *form = (mr_pjrt_form){.layout = layout ? mr_pjrt_layout_retain(layout) : NULL,
                         .dtype = dtype,
                         .is_block = layout == NULL || places->layout != NULL,
                         .places = *places};
  mr_census_add(MR_CENSUS_others, 1);
  mr_ref_init(&form->ref);
  *out_form = form;
  return MR_OK;
}

mr_status mr_pjrt_form_create(PJRT_Layouts_MemoryLayout *layout, mr_dtype dtype, const int64_t *dims, size_t rank,
                              mr_pjrt_form **out_form) {
  mr_pjrt_placing places;
  *out_form = NULL;
  if (mr_pjrt_layout_is_row_major(layout)) {
    return MR_OK;
  }
  MR_TRY(mr_pjrt_placing_of_layout(&places, layout, dtype, dims, rank));
  return allocate(layout, dtype, &places, out_form);
}

// The order in which these strides are dense: dimensions by growing stride. Those of one element, whose strides say
// nothing, stay where row-major has them among their neighbours.
static void order_of_strides(const mr_pjrt_placing *places, int64_t *out_order) {
  const int64_t *dims = places->dims, *strides = places->strides;
  for (size_t i = 0; i < places->rank; i++) {
    size_t dim = places->rank - 1 - i, at = i;
    while (dims[dim] > 1 && at > 0 && dims[out_order[at - 1]] > 1 && strides[out_order[at - 1]] > strides[dim]) {
      out_order[at] = out_order[at - 1];
      at--;
    }
    out_order[at] = (int64_t)dim;
  }
}

// True when the strides are those of a dense array in that order.
static bool is_order(const mr_pjrt_placing *places, const int64_t *order) {
  int64_t wanted[MR_MAX_RANK];
  mr_pjrt_dense_strides(places->element_bytes, places->dims, places->rank, order, wanted);
  for (size_t i = 0; i < places->rank && places->bytes; i++) {
    if (places->strides[i] != wanted[i] && places->dims[i] > 1) {
      return false;
    }
  }
  return true;
}

static mr_status of_strides(mr_pjrt_placing *places, mr_dtype dtype, bool writable, mr_pjrt_form **out_form) {
  int64_t order[MR_MAX_RANK];
  PJRT_Layouts_MemoryLayout *layout;
  order_of_strides(places, order);
  if (is_order(places, order)) {
    MR_TRY(mr_pjrt_layout_create(order, places->rank, &layout));
    mr_status status = mr_pjrt_form_create(layout, dtype, places->dims, places->rank, out_form);
    mr_pjrt_layout_release(layout);
    return status;
  }
  if (writable) {
    MR_TRY(mr_pjrt_placing_check_apart(places));
  }
  places->pads = true;
  return allocate(NULL, dtype, places, out_form);
}

static mr_status of_host(const PJRT_Buffer_MemoryLayout *layout, mr_dtype dtype, const int64_t *dims, size_t rank,
                         bool writable, mr_pjrt_form **out_form) {
  *out_form = NULL;
  if (layout == NULL) {
    return MR_OK;
  }
  if (layout->type == PJRT_Buffer_MemoryLayout_Type_Tiled) {
    PJRT_Layouts_MemoryLayout *described;
    MR_TRY(mr_pjrt_layout_of_tiled(&layout->tiled, rank, &described));
    mr_status status = mr_pjrt_form_create(described, dtype, dims, rank, out_form);
    mr_pjrt_layout_release(described);
    return status;
  }
  mr_pjrt_placing places;
  MR_TRY(mr_pjrt_placing_of_host(&places, layout, dtype, dims, rank));
  return of_strides(&places, dtype, writable, out_form);
}

// Bytes for the engine if there may be anything above the bits: who reads the array moves it, which leaves that out.
static mr_status lend(mr_dtype dtype, const int64_t *dims, size_t rank, mr_pjrt_form **form) {
  mr_pjrt_form *plain = *form;
  if (!mr_dtype_is_narrow(dtype) || (plain && plain->is_block)) {
    return MR_OK;
  }
  PJRT_Layouts_MemoryLayout *layout = plain ? plain->layout : mr_pjrt_layout_row_major(rank);
  mr_pjrt_placing places;
  *form = NULL;
  mr_status status = mr_pjrt_placing_of_layout(&places, layout, dtype, dims, rank);
  status = status ? status : allocate(layout, dtype, &places, form);
  if (!status) {
    (*form)->is_block = true;
    (*form)->is_lent = true;
  }
  mr_pjrt_form_release(plain);
  return status;
}

mr_status mr_pjrt_form_of_host(const PJRT_Buffer_MemoryLayout *layout, mr_dtype dtype, const int64_t *dims, size_t rank,
                               mr_pjrt_form **out_form) {
  return of_host(layout, dtype, dims, rank, true, out_form);
}

mr_status mr_pjrt_form_of_view(const PJRT_Buffer_MemoryLayout *layout, mr_dtype dtype, const int64_t *dims, size_t rank,
                               mr_pjrt_form **out_form) {
  MR_TRY(of_host(layout, dtype, dims, rank, false, out_form));
  return lend(dtype, dims, rank, out_form);
}

mr_status mr_pjrt_form_of_bytes(const PJRT_Buffer_MemoryLayout *layout, mr_dtype dtype, const int64_t *dims,
                                size_t rank, mr_pjrt_form **out_form) {
  MR_TRY(of_host(layout, dtype, dims, rank, true, out_form));
  return lend(dtype, dims, rank, out_form);
}

mr_pjrt_form *mr_pjrt_form_retain(mr_pjrt_form *form) {
  if (form) {
    mr_ref_retain(&form->ref);
  }
  return form;
}

void mr_pjrt_form_release(mr_pjrt_form *form) {
  if (form && mr_ref_release(&form->ref)) {
    if (form->layout) {
      mr_pjrt_layout_release(form->layout);
    }
    mr_census_add(MR_CENSUS_others, -1);
    mr_free(form);
  }
}

// ---- Questions --------------------------------------------------------------------------------------------------------------

bool mr_pjrt_form_equal(const mr_pjrt_form *a, const mr_pjrt_form *b) {
  if (a == NULL || b == NULL || a->layout || b->layout) {
    return a && b ? a->layout == b->layout && a->is_lent == b->is_lent : a == b;
  }
  return a->places.rank == b->places.rank &&
         memcmp(a->places.strides, b->places.strides, a->places.rank * sizeof(int64_t)) == 0;
}

// The logical dimension that lies at physical place i.
static int64_t logical_of(const mr_pjrt_form *form, size_t i) {
  return mr_pjrt_layout_order(form->layout).data[form->places.rank - 1 - i];
}

size_t mr_pjrt_form_block(const mr_pjrt_form *form, mr_dtype dtype, const int64_t *dims, size_t rank,
                          mr_dtype *out_dtype, int64_t *out_dims) {
  *out_dtype = dtype;
  if (form && form->is_block) {
    *out_dtype = MR_U8;
    out_dims[0] = (int64_t)form->places.bytes;
    return 1;
  }
  for (size_t i = 0; i < rank; i++) {
    out_dims[i] = dims[form ? (size_t)logical_of(form, i) : i];
  }
  return rank;
}

mr_status mr_pjrt_form_placing(const mr_pjrt_form *form, const mr_buffer *buffer, mr_pjrt_placing *out) {
  if (form) {
    *out = form->places;
    return MR_OK;
  }
  size_t rank = mr_buffer_rank(buffer);
  return mr_pjrt_placing_of_layout(out, mr_pjrt_layout_row_major(rank), mr_buffer_dtype(buffer), mr_buffer_dims(buffer),
                                   rank);
}

// ---- Conversions ------------------------------------------------------------------------------------------------------------

static mr_status row_major_places(const mr_pjrt_form *form, mr_pjrt_placing *out) {
  const mr_pjrt_placing *p = &form->places;
  return mr_pjrt_placing_of_layout(out, mr_pjrt_layout_row_major(p->rank), form->dtype, p->dims, p->rank);
}

mr_status mr_pjrt_form_prepare(const mr_pjrt_form *form, mr_memory *memory, mr_buffer **out_target) {
  mr_pjrt_placing row_major;
  mr_dtype dtype;
  int64_t dims[MR_MAX_RANK];
  *out_target = NULL;
  MR_TRY(row_major_places(form, &row_major));
  size_t rank = mr_pjrt_form_block(form, form->dtype, form->places.dims, form->places.rank, &dtype, dims);
  return mr_pjrt_move_prepare(memory, &row_major, &form->places, dtype, dims, rank, out_target);
}

mr_status mr_pjrt_form_to_row_major(const mr_pjrt_form *form, mr_buffer *buffer, mr_buffer **out_buffer) {
  mr_pjrt_placing row_major;
  *out_buffer = NULL;
  MR_TRY(row_major_places(form, &row_major));
  return mr_pjrt_move_to_buffer(buffer, &form->places, &row_major, form->dtype, form->places.dims, form->places.rank,
                                out_buffer);
}
