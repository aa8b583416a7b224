// Files beneath a root: nothing outside is opened, whatever names and links say.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "serve/repository/internal.h"

static const int FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

// Without openat2(): component by component, and no links at all. errno as openat2() has it.
static int walk(int root, const char *path, int flags) {
  int at = root;
  for (const char *part = path;;) {
    const char *slash = strchrnul(part, '/');
    char name[256];
    size_t size = (size_t)(slash - part);
    if (size == 0 || size >= sizeof name || (size == 2 && memcmp(part, "..", 2) == 0)) {
      errno = EXDEV;
      break;
    }
    memcpy(name, part, size);
    name[size] = 0;
    int next = openat(at, name, FLAGS | O_NOFOLLOW | (*slash ? O_DIRECTORY : flags));
    if (at != root) {
      int kept = errno;
      close(at);
      errno = kept;
    }
    if (next < 0 || !*slash) {
      return next;
    }
    at = next;
    part = slash + 1;
  }
  if (at != root) {
    close(at);
  }
  return -1;
}

static int open_beneath(int root, const char *path, int flags) {
  struct open_how how = {.flags = (uint64_t)(FLAGS | flags), .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
  int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
  // EAGAIN: something was renamed meanwhile. ENOSYS and EPERM: an old kernel, or a filter of system calls that is older than this call.
  for (int i = 0; fd < 0 && errno == EAGAIN && i < 100; i++) {
    fd = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
  }
  return fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EAGAIN) ? walk(root, path, flags) : fd;
}

static sv_error *failed(const char *path) {
  if (errno == EXDEV || errno == ELOOP) {
    return sv_errorf(MILLRACE_PERMISSION_DENIED, "%s leads out of the repository", path);
  }
  millrace_code code = errno == ENOENT || errno == ENOTDIR ? MILLRACE_NOT_FOUND
                       : errno == EACCES                   ? MILLRACE_PERMISSION_DENIED
                                                           : MILLRACE_UNAVAILABLE;
  char room[128];
  return sv_errorf(code, "%s: %s", path, strerror_r(errno, room, sizeof room));
}

sv_error *sv_beneath_open(int root, const char *path, int flags, int *out_fd, struct stat *out_stat) {
  int fd = open_beneath(root, path, flags);
  if (fd < 0 || fstat(fd, out_stat) != 0) {
    sv_error *error = failed(path);
    if (fd >= 0) {
      close(fd);
    }
    return error;
  }
  *out_fd = fd;
  return NULL;
}

static sv_error *open_file(int root, const char *path, int *out_fd, struct stat *out_stat) {
  SV_TRY(sv_beneath_open(root, path, 0, out_fd, out_stat));
  if (!S_ISREG(out_stat->st_mode)) {
    close(*out_fd);
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "%s is not a regular file", path);
  }
  return NULL;
}

sv_error *sv_beneath_stat_file(int root, const char *path, struct stat *out_stat) {
  int fd;
  SV_TRY(open_file(root, path, &fd, out_stat));
  close(fd);
  return NULL;
}

static sv_error *read_all(int fd, const char *path, size_t most, sv_text *out) {
  for (size_t sum = 0;;) {
    char *room = sv_text_room(out, 65536);
    if (!room) {
      return sv_no_memory();
    }
    ssize_t size = read(fd, room, 65536);
    if (size < 0 && errno != EINTR) {
      return failed(path);
    }
    if (size == 0) {
      return NULL;
    }
    size = size < 0 ? 0 : size;
    out->size += (size_t)size;
    sum += (size_t)size;
    if (sum > most) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "%s has more than %zu bytes", path, most);
    }
  }
}

sv_error *sv_beneath_read(int root, const char *path, size_t most, sv_text *out, struct stat *out_stat) {
  int fd;
  SV_TRY(open_file(root, path, &fd, out_stat));
  sv_error *error = read_all(fd, path, most, out);
  close(fd);
  return error;
}

bool sv_is_temporary(const char *name) {
  static const char *const endings[] = {".tmp", ".part", ".partial", ".swp", "~"};
  size_t size = strlen(name);
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    size_t end = strlen(endings[i]);
    if (size >= end && strcmp(name + size - end, endings[i]) == 0) {
      return true;
    }
  }
  return name[0] == '.';
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void sv_names_free(char **names, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(names[i]);
  }
  free(names);
}

static sv_error *list(DIR *dir, char ***out_names, size_t *out_count) {
  char **names = NULL;
  size_t count = 0, room = 0;
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (sv_is_temporary(entry->d_name)) {
      continue;
    }
    if (count == room) {
      room = room ? 2 * room : 16;
      char **more = reallocarray(names, room, sizeof *names);
      if (!more) {
        sv_names_free(names, count);
        return sv_no_memory();
      }
      names = more;
    }
    names[count] = strdup(entry->d_name);
    if (!names[count++]) {
      sv_names_free(names, count);
      return sv_no_memory();
    }
  }
  if (count) {
    qsort(names, count, sizeof *names, by_name);
  }
  *out_names = names;
  *out_count = count;
  return NULL;
}

sv_error *sv_beneath_list(int root, const char *path, char ***out_names, size_t *out_count) {
  *out_names = NULL;
  *out_count = 0;
  struct stat status;
  int fd;
  SV_TRY(sv_beneath_open(root, path, O_DIRECTORY, &fd, &status));
  DIR *dir = fdopendir(fd);
  if (!dir) {
    close(fd);
    return sv_no_memory();
  }
  sv_error *error = list(dir, out_names, out_count);
  closedir(dir);
  return error;
}

uint64_t sv_stamp_bytes(uint64_t stamp, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    stamp = (stamp ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);  // FNV-1a
  }
  return stamp ? stamp : 1;
}

uint64_t sv_stamp(uint64_t stamp, const char *path, const struct stat *status) {
  uint64_t facts[] = {(uint64_t)status->st_dev, (uint64_t)status->st_ino, (uint64_t)status->st_size,
                      (uint64_t)status->st_mtim.tv_sec, (uint64_t)status->st_mtim.tv_nsec};
  return sv_stamp_bytes(sv_stamp_bytes(stamp, path, strlen(path) + 1), facts, sizeof facts);
}

char *sv_path_join(const char *folder, const char *name) {
  char *path;
  if (!folder[0] || strcmp(folder, ".") == 0) {
    return strdup(name);
  }
  return asprintf(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name) < 0 ? NULL : path;
}
