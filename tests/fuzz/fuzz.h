// What the fuzz targets share.
#ifndef MR_TESTS_FUZZ_FUZZ_H
#define MR_TESTS_FUZZ_FUZZ_H

#include <string.h>

#include "compiler/reader/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A copy of the input: it is gone before what was read is looked at, so that what points into it shows. NULL: no memory.
static inline uint8_t *fuzz_copy(const uint8_t *data, size_t size) {
  uint8_t *copy = mr_alloc(size + (size == 0));
  if (copy && size) {
    memcpy(copy, data, size);
  }
  return copy;
}

// Reads a copy of the input; the module is verified and, when it is good, printed into `text`.
static inline mr_status fuzz_read(const uint8_t *data, size_t size, mr_status (*read)(mr_span, mr_module **),
                                  mr_text *text) {
  uint8_t *copy = fuzz_copy(data, size);
  if (!copy) {
    return MR_NO_MEMORY();
  }
  mr_module *module = NULL;
  mr_status status = read((mr_span){copy, size}, &module);
  mr_free(copy);
  if (!status) {
    status = mr_module_verify(module);
  }
  if (!status) {
    mr_module_print(module, text);
  }
  mr_module_release(module);
  return status;
}

#endif
