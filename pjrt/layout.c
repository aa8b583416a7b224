// Layout objects and strides.
#include "pjrt/layout.h"

#include <pthread.h>
#include <string.h>

enum { TEXT_SIZE = 3 * MR_MAX_RANK + 2 };  // "{31,30,...}": two digits and a comma each

// One object for each order that anybody asked for, until the process ends: there are hosts that destroy layouts they were
// only shown, and destroying these does nothing, however often.
struct PJRT_Layouts_MemoryLayout {
  PJRT_Layouts_MemoryLayout *next;  // in `others`
  bool is_row_major;
  uint8_t rank;
  uint16_t text_size;
  int64_t order[MR_MAX_RANK];
  char text[TEXT_SIZE];
};

static void write_text(PJRT_Layouts_MemoryLayout *layout) {
  char *at = layout->text;
  *at++ = '{';
  for (size_t i = 0; i < layout->rank; i++) {
    if (i > 0) {
      *at++ = ',';
    }
    if (layout->order[i] >= 10) {
      *at++ = (char)('0' + layout->order[i] / 10);
    }
    *at++ = (char)('0' + layout->order[i] % 10);
  }
  *at++ = '}';
  layout->text_size = (uint16_t)(at - layout->text);
}

static PJRT_Layouts_MemoryLayout row_major[MR_MAX_RANK + 1];

// Before any host can call: no locks later.
__attribute__((constructor)) static void fill_row_major(void) {
  for (size_t rank = 0; rank <= MR_MAX_RANK; rank++) {
    row_major[rank].is_row_major = true;
    row_major[rank].rank = (uint8_t)rank;
    for (size_t i = 0; i < rank; i++) {
      row_major[rank].order[i] = (int64_t)(rank - 1 - i);
    }
    write_text(&row_major[rank]);
  }
}

PJRT_Layouts_MemoryLayout *mr_pjrt_layout_row_major(size_t rank) { return &row_major[rank]; }

static mr_status check_order(const int64_t *order, size_t rank) {
  uint64_t seen = 0;
  if (rank > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "layout of rank %zu, wanted at most %d", rank, MR_MAX_RANK);
  }
  for (size_t i = 0; i < rank; i++) {
    if (order[i] < 0 || order[i] >= (int64_t)rank || seen >> order[i] & 1) {
      return mr_error(MR_INVALID_ARGUMENT, "layout: entry %zu is %lld, wanted a permutation of 0..%zu", i,
                      (long long)order[i], rank - 1);
    }
    seen |= (uint64_t)1 << order[i];
  }
  return MR_OK;
}

static pthread_mutex_t others_lock = PTHREAD_MUTEX_INITIALIZER;
static PJRT_Layouts_MemoryLayout *others;  // under others_lock

// The one with this order, made when there is none; NULL without memory. Holds the lock.
static PJRT_Layouts_MemoryLayout *find_other(const int64_t *order, size_t rank) {
  for (PJRT_Layouts_MemoryLayout *layout = others; layout; layout = layout->next) {
    if (layout->rank == rank && memcmp(layout->order, order, rank * sizeof(int64_t)) == 0) {
      return layout;
    }
  }
  PJRT_Layouts_MemoryLayout *layout = mr_alloc_zeroed(1, sizeof *layout);
  if (layout) {
    layout->rank = (uint8_t)rank;
    memcpy(layout->order, order, rank * sizeof(int64_t));
    write_text(layout);
    layout->next = others;
    others = layout;
  }
  return layout;
}

mr_status mr_pjrt_layout_create(const int64_t *minor_to_major, size_t rank, PJRT_Layouts_MemoryLayout **out_layout) {
  *out_layout = NULL;
  MR_TRY(check_order(minor_to_major, rank));
  if (rank == 0 || memcmp(minor_to_major, row_major[rank].order, rank * sizeof(int64_t)) == 0) {
    *out_layout = &row_major[rank];
    return MR_OK;
  }
  pthread_mutex_lock(&others_lock);
  *out_layout = find_other(minor_to_major, rank);
  pthread_mutex_unlock(&others_lock);
  return *out_layout ? MR_OK : MR_NO_MEMORY();
}

PJRT_Layouts_MemoryLayout *mr_pjrt_layout_retain(PJRT_Layouts_MemoryLayout *layout) { return layout; }

void mr_pjrt_layout_release(PJRT_Layouts_MemoryLayout *layout) { (void)layout; }

mr_ints mr_pjrt_layout_order(const PJRT_Layouts_MemoryLayout *layout) { return (mr_ints){layout->order, layout->rank}; }
mr_str mr_pjrt_layout_text(const PJRT_Layouts_MemoryLayout *layout) {
  return (mr_str){layout->text, layout->text_size};
}
bool mr_pjrt_layout_is_row_major(const PJRT_Layouts_MemoryLayout *layout) { return layout->is_row_major; }

void mr_pjrt_dense_strides(size_t element_bytes, const int64_t *dims, size_t rank, const int64_t *minor_to_major,
                           int64_t *out_strides) {
  int64_t stride = (int64_t)element_bytes;
  for (size_t i = 0; i < rank; i++) {
    size_t dim = minor_to_major ? (size_t)minor_to_major[i] : rank - 1 - i;
    out_strides[dim] = stride;
    stride *= dims[dim];
  }
}

mr_status mr_pjrt_host_strides(const PJRT_Buffer_MemoryLayout *layout, size_t element_bytes, const int64_t *dims,
                               size_t rank, int64_t *out_strides) {
  if (layout == NULL) {
    mr_pjrt_dense_strides(element_bytes, dims, rank, NULL, out_strides);
    return MR_OK;
  }
  // layout->struct_size is not asked: jaxlib leaves it unset in ToHostBuffer, seen as 0 now and then.
  bool strided = layout->type == PJRT_Buffer_MemoryLayout_Type_Strides;
  size_t got = strided ? layout->strides.num_byte_strides : layout->tiled.minor_to_major_size;
  if (got != rank) {
    return mr_error(MR_INVALID_ARGUMENT, "layout of rank %zu for an array of rank %zu", got, rank);
  }
  if (strided) {
    memcpy(out_strides, layout->strides.byte_strides, rank * sizeof(int64_t));
    return MR_OK;
  }
  if (layout->tiled.num_tiles != 0) {
    return mr_error(MR_UNIMPLEMENTED, "layout with %zu tiles: only plain orders are supported",
                    layout->tiled.num_tiles);
  }
  MR_TRY(check_order(layout->tiled.minor_to_major, rank));
  mr_pjrt_dense_strides(element_bytes, dims, rank, layout->tiled.minor_to_major, out_strides);
  return MR_OK;
}

// ---- Orders ---------------------------------------------------------------------------------------------------------------

static mr_status bad_text(mr_str text, size_t rank) {
  return mr_error(MR_INVALID_ARGUMENT, "layout '%.*s', wanted an order of %zu dimensions such as {1,0}",
                  MR_STR_ARG(text), rank);
}

mr_status mr_pjrt_layout_parse(mr_str text, size_t rank, PJRT_Layouts_MemoryLayout **out_layout) {
  *out_layout = NULL;
  int64_t order[MR_MAX_RANK];
  size_t count = 0, at = 1;
  bool digits = false;
  if (text.size < 2 || text.data[0] != '{' || text.data[text.size - 1] != '}') {
    return bad_text(text, rank);
  }
  for (; at < text.size - 1 && text.data[at] != ':'; at++) {
    char c = text.data[at];
    if (c == ',' && digits) {
      digits = false;
      continue;
    }
    if (c < '0' || c > '9' || (!digits && count == rank) || (digits && order[count - 1] > MR_MAX_RANK)) {
      return bad_text(text, rank);
    }
    if (!digits) {
      order[count++] = 0;
    }
    order[count - 1] = order[count - 1] * 10 + (c - '0');
    digits = true;
  }
  if (count != rank || (rank > 0 && !digits)) {
    return bad_text(text, rank);
  }
  if (at < text.size - 1) {
    return mr_error(MR_UNIMPLEMENTED, "layout '%.*s': tiles and element sizes on devices", MR_STR_ARG(text));
  }
  return mr_pjrt_layout_create(order, rank, out_layout);
}

// The order in which these strides are dense: dimensions by growing stride. Those of one element, whose strides say
// nothing, stay where row-major has them among their neighbours.
static void order_of_strides(const int64_t *strides, const int64_t *dims, size_t rank, int64_t *out_order) {
  for (size_t i = 0; i < rank; i++) {
    size_t dim = rank - 1 - i, at = i;
    while (dims[dim] > 1 && at > 0 && dims[out_order[at - 1]] > 1 && strides[out_order[at - 1]] > strides[dim]) {
      out_order[at] = out_order[at - 1];
      at--;
    }
    out_order[at] = (int64_t)dim;
  }
}

mr_status mr_pjrt_layout_of_host(const PJRT_Buffer_MemoryLayout *layout, size_t element_bytes, const int64_t *dims,
                                 size_t rank, PJRT_Layouts_MemoryLayout **out_layout) {
  *out_layout = NULL;
  int64_t got[MR_MAX_RANK], wanted[MR_MAX_RANK], order[MR_MAX_RANK];
  MR_TRY(mr_pjrt_host_strides(layout, element_bytes, dims, rank, got));
  if (layout->type == PJRT_Buffer_MemoryLayout_Type_Tiled) {
    return mr_pjrt_layout_create(layout->tiled.minor_to_major, rank, out_layout);
  }
  order_of_strides(got, dims, rank, order);
  mr_pjrt_dense_strides(element_bytes, dims, rank, order, wanted);
  for (size_t i = 0; i < rank; i++) {
    if (got[i] != wanted[i] && dims[i] > 1) {
      return mr_error(MR_UNIMPLEMENTED,
                      "layout: stride of dimension %zu is %lld bytes, wanted %lld: arrays on devices have "
                      "no gaps",
                      i, (long long)got[i], (long long)wanted[i]);
    }
  }
  return mr_pjrt_layout_create(order, rank, out_layout);
}
