#include "millrace/weights.h"

#include <stdlib.h>
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

static mr_status append(mr_weights *weights, mr_str name, const millrace_array *array) {
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
  mr_weight *weight = &weights->list[weights->count];
  int64_t *dims = mr_arena_array(&weights->arena, int64_t, 2 * array->rank + 1);
  *weight = (mr_weight){.name = mr_arena_str(&weights->arena, name), .array = *array};
  if (!weight->name.data || !dims) {
    return MR_NO_MEMORY();
  }
  int64_t *strides = dims + array->rank;
  if (array->rank) {
    memcpy(dims, array->dims, array->rank * sizeof *dims);
  }
  if (array->rank && array->byte_strides) {
    memcpy(strides, array->byte_strides, array->rank * sizeof *strides);
  }
  weight->array.dims = dims;
  weight->array.byte_strides = array->byte_strides ? strides : NULL;
  weights->count++;
  return MR_OK;
}

mr_status mr_weights_add(mr_weights *weights, mr_str name, mr_dtype dtype, const int64_t *dims, size_t rank,
                         bool first_fastest, size_t offset, size_t bytes) {
  mr_span file = weights->file.bytes;
  size_t wanted;
  int64_t strides[MR_MAX_RANK];
  MR_TRY(mr_dims_bytes(dtype, dims, rank, &wanted));
  if (wanted != bytes || offset > file.size || bytes > file.size - offset) {
    return mr_error(MR_INVALID_ARGUMENT, "array %.*s: %zu bytes from %zu on in a file of %zu, wanted %zu",
                    MR_STR_ARG(name), bytes, offset, file.size, wanted);
  }
  fill_strides(dtype, dims, rank, strides);
  return append(weights, name,
                &(millrace_array){.data = bytes ? (const char *)file.data + offset : "",
                                  .dtype = (millrace_dtype)dtype,
                                  .dims = dims,
                                  .rank = rank,
                                  .byte_strides = first_fastest ? strides : NULL});
}

static int compare(mr_str a, mr_str b) {
  int order = memcmp(a.data, b.data, MR_MIN(a.size, b.size));
  return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int by_name(const void *a, const void *b) {
  return compare((*(const mr_weight *const *)a)->name, (*(const mr_weight *const *)b)->name);
}

static mr_status order_names(mr_weights *weights) {
  const size_t count = weights->count;
  const mr_weight **order = mr_arena_array(&weights->arena, const mr_weight *, count + 1);
  if (!order) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    order[i] = &weights->list[i];
  }
  qsort(order, count, sizeof *order, by_name);
  for (size_t i = 1; i < count; i++) {
    if (compare(order[i - 1]->name, order[i]->name) == 0) {
      return mr_error(MR_INVALID_ARGUMENT, "two arrays are called %.*s", MR_STR_ARG(order[i]->name));
    }
  }
  weights->by_name = order;
  return MR_OK;
}

static bool ends_in(const char *path, const char *end) {
  size_t size = strlen(path), end_size = strlen(end);
  return size >= end_size && strcmp(path + size - end_size, end) == 0;
}

static mr_status create(mr_weights **out_weights) {
  mr_weights *weights = *out_weights = mr_alloc_zeroed(1, sizeof *weights);
  if (!weights) {
    return MR_NO_MEMORY();
  }
  mr_ref_init(&weights->ref);
  mr_arena_init(&weights->arena, 0);
  return MR_OK;
}

static mr_status finish(mr_weights *take_weights, mr_status status, mr_weights **out_weights) {
  status = status ? status : order_names(take_weights);
  if (status) {
    millrace_weights_release(take_weights);
    return status;
  }
  *out_weights = take_weights;
  return MR_OK;
}

mr_status mr_weights_read(mr_file take_file, mr_weights_reader read, mr_weights **out_weights) {
  *out_weights = NULL;
  mr_weights *weights;
  mr_status status = create(&weights);
  if (status) {
    mr_file_unmap(&take_file);
    return status;
  }
  weights->file = take_file;
  return finish(weights, read(weights), out_weights);
}

static mr_status check_array(const millrace_array *array) {
  size_t bytes;
  if ((unsigned)array->dtype >= (unsigned)MR_DTYPE_COUNT || mr_dtype_bytes((mr_dtype)array->dtype) == 0) {
    return mr_error(MR_INVALID_ARGUMENT, "element type %d, wanted one that takes memory", (int)array->dtype);
  }
  if (array->rank > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu dimensions, wanted at most %d", array->rank, MR_MAX_RANK);
  }
  MR_TRY(mr_dims_bytes((mr_dtype)array->dtype, array->dims, array->rank, &bytes));
  return array->data || !bytes ? MR_OK : mr_error(MR_INVALID_ARGUMENT, "%zu bytes at NULL", bytes);
}

millrace_error *millrace_weights_create(const char *const *names, const millrace_array *arrays, size_t count,
                                        void (*unused)(void *argument), void *argument,
                                        millrace_weights **out_weights) {
  *out_weights = NULL;
  mr_weights *weights;
  MR_TRY(create(&weights));
  mr_status status = MR_OK;
  for (size_t i = 0; !status && i < count; i++) {
    status = check_array(&arrays[i]);
    status = status ? mr_status_note(status, "array %s", names[i]) : append(weights, mr_str_of(names[i]), &arrays[i]);
  }
  MR_TRY(finish(weights, status, out_weights));
  (*out_weights)->unused = unused;
  (*out_weights)->argument = argument;
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
  mr_status status = mr_weights_read(file, read, out_weights);
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
    if (weights->unused) {
      weights->unused(weights->argument);
    }
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
    int order = compare(weights->by_name[middle]->name, wanted);
    if (order == 0) {
      return (size_t)(weights->by_name[middle] - weights->list);
    }
    *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
  }
  return SIZE_MAX;
}
