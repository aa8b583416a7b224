#include "millrace/weights.h"

#include <string.h>

#include "core/size.h"

// ---- Reading ----------------------------------------------------------------------------------------------------------------

// Of an array whose first dimension lies closest.
static void fill_strides(mr_dtype dtype, const int64_t *dims, size_t rank, int64_t *out) {
  int64_t stride = (int64_t)mr_dtype_bytes(dtype);
  for (size_t d = 0; d < rank; d++) {
    out[d] = stride;
    stride *= MR_MAX(dims[d], 1);
  }
}

mr_status mr_weights_add(mr_weights *weights, mr_str name, mr_dtype dtype, const int64_t *dims, size_t rank,
                         bool first_fastest, size_t offset, size_t bytes) {
  mr_span file = weights->file.bytes;
  size_t wanted;
  MR_TRY(mr_dims_bytes(dtype, dims, rank, &wanted));
  if (wanted != bytes || offset > file.size || bytes > file.size - offset) {
    return mr_error(MR_INVALID_ARGUMENT, "array %.*s: %zu bytes from %zu on in a file of %zu, wanted %zu",
                    MR_STR_ARG(name), bytes, offset, file.size, wanted);
  }
  if (weights->count == weights->room) {
    size_t room = weights->room ? weights->room * 2 : 16;
    mr_weight *list = mr_arena_array(&weights->arena, mr_weight, room);
    if (!list) {
      return MR_NO_MEMORY();
    }
    if (weights->count) {
      memcpy(list, weights->list, weights->count * sizeof *list);
    }
    weights->list = list;
    weights->room = room;
  }
  mr_str copy = mr_arena_str(&weights->arena, name);
  int64_t *kept = mr_arena_array(&weights->arena, int64_t, 2 * rank + 1), *strides = kept + rank;
  if (!copy.data || !kept) {
    return MR_NO_MEMORY();
  }
  if (rank) {
    memcpy(kept, dims, rank * sizeof *kept);
    fill_strides(dtype, dims, rank, strides);
  }
  weights->list[weights->count++] = (mr_weight){.name = copy,
                                                .array = {.data = bytes ? (const char *)file.data + offset : "",
                                                          .dtype = (millrace_dtype)dtype,
                                                          .dims = kept,
                                                          .rank = rank,
                                                          .byte_strides = first_fastest ? strides : NULL}};
  return MR_OK;
}

static int compare(mr_str a, mr_str b) {
  int order = memcmp(a.data, b.data, MR_MIN(a.size, b.size));
  return order ? order : (a.size > b.size) - (a.size < b.size);
}

// A heap's, in place: names are what a file says, so that no order of them may make it slow.
static void sift(const mr_weight *list, size_t *heap, size_t at, size_t count) {
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    child += child + 1 < count && compare(list[heap[child]].name, list[heap[child + 1]].name) < 0;
    if (compare(list[heap[at]].name, list[heap[child]].name) >= 0) {
      return;
    }
    size_t moved = heap[at];
    heap[at] = heap[child];
    heap[child] = moved;
  }
}

static mr_status order_names(mr_weights *weights) {
  size_t count = weights->count, *order = mr_arena_array(&weights->arena, size_t, count + 1);
  if (!order) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    order[i] = i;
  }
  for (size_t i = count / 2; i-- > 0;) {
    sift(weights->list, order, i, count);
  }
  for (size_t left = count; left-- > 1;) {
    size_t largest = order[0];
    order[0] = order[left];
    order[left] = largest;
    sift(weights->list, order, 0, left);
  }
  for (size_t i = 1; i < count; i++) {
    mr_str name = weights->list[order[i]].name;
    if (compare(weights->list[order[i - 1]].name, name) == 0) {
      return mr_error(MR_INVALID_ARGUMENT, "two arrays are called %.*s", MR_STR_ARG(name));
    }
  }
  weights->by_name = order;
  return MR_OK;
}

static bool ends_in(const char *path, const char *end) {
  size_t size = strlen(path), end_size = strlen(end);
  return size >= end_size && strcmp(path + size - end_size, end) == 0;
}

mr_status mr_weights_create(mr_file take_file, mr_weights_reader read, mr_weights **out_weights) {
  *out_weights = NULL;
  mr_weights *weights = mr_alloc_zeroed(1, sizeof *weights);
  if (!weights) {
    mr_file_unmap(&take_file);
    return MR_NO_MEMORY();
  }
  mr_ref_init(&weights->ref);
  mr_arena_init(&weights->arena, 0);
  weights->file = take_file;
  mr_status status = read(weights);
  status = status ? status : order_names(weights);
  if (status) {
    millrace_weights_release(weights);
    return status;
  }
  *out_weights = weights;
  return MR_OK;
}

static mr_weights_reader reader_of(const char *path) {
  return ends_in(path, ".safetensors") ? mr_safetensors_read : ends_in(path, ".npz") ? mr_npz_read : NULL;
}

millrace_error *millrace_weights_open(const char *path, millrace_weights **out_weights) {
  *out_weights = NULL;
  mr_weights_reader read = reader_of(path);
  if (!read) {
    return mr_error(MR_INVALID_ARGUMENT, "%s: wanted a file that is called .safetensors or .npz", path);
  }
  mr_file file;
  MR_TRY(mr_file_map(path, &file));
  mr_status status = mr_weights_create(file, read, out_weights);
  return status ? mr_status_note(status, "%s", path) : status;
}

// ---- The object ---------------------------------------------------------------------------------------------------------------

millrace_weights *millrace_weights_retain(millrace_weights *weights) {
  mr_ref_retain(&weights->ref);
  return weights;
}

void millrace_weights_release(millrace_weights *weights) {
  if (weights && mr_ref_release(&weights->ref)) {
    mr_file_unmap(&weights->file);
    mr_arena_deinit(&weights->arena);
    mr_free(weights);
  }
}

size_t millrace_weights_count(const millrace_weights *weights) { return weights->count; }
const char *millrace_weights_name(const millrace_weights *weights, size_t index) {
  return weights->list[index].name.data;
}
millrace_array millrace_weights_array(const millrace_weights *weights, size_t index) {
  return weights->list[index].array;
}

size_t millrace_weights_find(const millrace_weights *weights, const char *name) {
  mr_str wanted = mr_str_of(name);
  size_t low = 0, high = weights->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(weights->list[weights->by_name[middle]].name, wanted);
    if (order == 0) {
      return weights->by_name[middle];
    }
    *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
  }
  return SIZE_MAX;
}
