// A whole file for a test, and the files of a folder.
#ifndef MR_TESTS_FILE_H
#define MR_TESTS_FILE_H

#include <dirent.h>
#include <stdio.h>
#include <string.h>

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

static inline bool file_ends_with(const char *name, const char *ending) {
  size_t size = strlen(name), tail = strlen(ending);
  return size >= tail && strcmp(name + size - tail, ending) == 0;
}

typedef void (*file_visitor)(void *context, const char *path, mr_span bytes);

// Visits each file of a folder, which has no folders, whose name has the ending and which has at most `largest` bytes; returns
// how many. The bytes are borrowed until the visitor returns.
static inline size_t file_each(const char *folder, const char *ending, size_t largest, file_visitor visit,
                               void *context) {
  size_t count = 0;
  DIR *directory = opendir(folder);
  assert_non_null(directory);
  for (struct dirent *entry; (entry = readdir(directory));) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] == '.' || !file_ends_with(entry->d_name, ending)) {
      continue;
    }
    mr_span bytes = file_read(path);
    assert_non_null(bytes.data);
    if (bytes.size <= largest) {
      visit(context, path, bytes);
      count++;
    }
    mr_free((void *)bytes.data);
  }
  closedir(directory);
  return count;
}

#endif
