#include "millrace/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static mr_status refuse(const char *path) {
  mr_code code = errno == ENOENT || errno == ENOTDIR ? MR_NOT_FOUND
                 : errno == EACCES || errno == EPERM ? MR_PERMISSION_DENIED
                 : errno == ENOMEM                   ? MR_RESOURCE_EXHAUSTED
                                                     : MR_UNAVAILABLE;
  return mr_error(code, "cannot open %s: %s", path, strerror(errno));
}

static mr_status map(int file, const char *path, mr_file *out_file) {
  struct stat about;
  if (fstat(file, &about) != 0) {
    return refuse(path);
  }
  if (!S_ISREG(about.st_mode)) {
    return mr_error(MR_INVALID_ARGUMENT, "%s is no file", path);
  }
  if (about.st_size == 0) {
    return MR_OK;
  }
  void *data = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) {
    return refuse(path);
  }
  out_file->bytes = (mr_span){data, (size_t)about.st_size};
  return MR_OK;
}

mr_status mr_file_map(const char *path, mr_file *out_file) {
  *out_file = (mr_file){0};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return refuse(path);
  }
  mr_status status = map(file, path, out_file);
  close(file);
  return status;
}

void mr_file_unmap(mr_file *file) {
  if (file->bytes.size) {
    munmap((void *)(uintptr_t)file->bytes.data, file->bytes.size);
  }
  *file = (mr_file){0};
}
