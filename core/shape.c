// Sizes of dense tensors, with every product checked.
#include "core/core.h"

#include <inttypes.h>
#include <stdio.h>

bool mr_dims_count(const int64_t *dims, size_t rank, int64_t *out_count) {
  int64_t count = 1;
  bool empty = false, fits = true;
  for (size_t i = 0; i < rank; i++) {
    if (dims[i] < 0) {
      return false;
    }
    empty |= dims[i] == 0;
    // A later zero makes the product zero, whatever the others multiply to.
    if (fits && dims[i] && __builtin_mul_overflow(count, dims[i], &count)) {
      fits = false;
    }
  }
  *out_count = empty ? 0 : count;
  return fits || empty;
}

mr_status mr_dims_bytes(mr_dtype dtype, const int64_t *dims, size_t rank, size_t *out_bytes) {
  *out_bytes = 0;
  int64_t count = 0, bytes = 0;
  if (!mr_dims_count(dims, rank, &count) || __builtin_mul_overflow(count, (int64_t)mr_dtype_bytes(dtype), &bytes)) {
    char text[256];
    return mr_error(MR_INVALID_ARGUMENT, "tensor of %s has a negative dimension or more than 2^63 - 1 bytes",
                    mr_dims_text(dtype, dims, rank, text, sizeof text));
  }
  *out_bytes = (size_t)bytes;
  return MR_OK;
}

const char *mr_dims_text(mr_dtype dtype, const int64_t *dims, size_t rank, char *buffer, size_t size) {
  size_t used = 0;
  if (size) {
    buffer[0] = '\0';
  }
  for (size_t i = 0; i < rank && used < size; i++) {
    used += (size_t)snprintf(buffer + used, size - used, "%" PRId64 "x", dims[i]);
  }
  if (used < size) {
    snprintf(buffer + used, size - used, "%s", mr_dtype_name(dtype));
  }
  return buffer;
}
