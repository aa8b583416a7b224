// Inside page/: the files, made by embed.cmake.
#ifndef SV_PAGE_FILES_H
#define SV_PAGE_FILES_H

#include <stddef.h>

typedef struct sv_page_file {
  const char *path;  // in the URL
  const char *type;
  const unsigned char *data;
  size_t size;
} sv_page_file;

extern const sv_page_file sv_page_files[];  // ended by one without a path

#endif
