// Files of weights: any bytes are arrays that lie inside the file, or a status. The first byte says which format the others are read as.
#include <string.h>
#include <sys/mman.h>

#include "millrace/weights.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Each array's first and last byte.
static void touch(const mr_weights *weights) {
  for (size_t i = 0; i < millrace_weights_count(weights); i++) {
    millrace_array array = millrace_weights_array(weights, i);
    size_t bytes = millrace_dtype_bytes(array.dtype);
    for (size_t d = 0; d < array.rank; d++) {
      bytes *= (size_t)array.dims[d];
    }
    const volatile char *at = array.data;
    if (bytes && at[0] == at[bytes - 1]) {
      (void)at[bytes / 2];
    }
    if (millrace_weights_find(weights, millrace_weights_name(weights, i)) == SIZE_MAX &&
        strlen(millrace_weights_name(weights, i)) == weights->list[i].name.size) {
      __builtin_trap();
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) {
    return 0;
  }
  void *file = mmap(NULL, size - 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (file == MAP_FAILED) {
    return 0;
  }
  memcpy(file, data + 1, size - 1);
  mr_weights *weights;
  mr_status status =
      mr_weights_read((mr_file){.bytes = {file, size - 1}}, data[0] & 1 ? mr_npz_read : mr_safetensors_read, &weights);
  if (!status) {
    touch(weights);
  }
  millrace_weights_release(weights);
  mr_status_free(status);
  return 0;
}
