// file: a whole file as memory, of which nothing is read before it is used and which other processes share.
//
// Threads: any. The file must not become shorter while it is mapped: whoever replaces it writes another and renames that.
#ifndef MR_MILLRACE_FILE_H
#define MR_MILLRACE_FILE_H

#include "core/core.h"

typedef struct mr_file {
  mr_span bytes;  // NULL when it is empty
} mr_file;

// NOT_FOUND, PERMISSION_DENIED, INVALID_ARGUMENT (a folder) or UNAVAILABLE, with the path.
mr_status mr_file_map(const char *path, mr_file *out_file) MR_WARN_UNUSED;
void mr_file_unmap(mr_file *file);

#endif
