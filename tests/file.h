// A whole file for a test.
#ifndef MR_TESTS_FILE_H
#define MR_TESTS_FILE_H

#include <stdio.h>

#include "core/core.h"
#include "tests/cmocka.h"

// Of no bytes, and NULL, when there is no such file. The caller releases `data` with mr_free.
static inline mr_span file_read(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    return (mr_span){0};
  }
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  void *data = mr_alloc(size + 1);
  assert_int_equal(fread(data, 1, size, file), size);
  fclose(file);
  return (mr_span){data, size};
}

#endif
