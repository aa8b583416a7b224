#include "core/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER_BYTES 4000
#define NAME_BYTES 40

// Counts temporary names; relaxed, it orders nothing.
static _Atomic uint32_t temporaries;

// ---- The folder -------------------------------------------------------------------------------------------------------

// Of these relative ones are no folders, or each working directory would get one: the XDG specification wants them ignored.
static const char *absolute_folder(const char *variable) {
  const char *folder = getenv(variable);
  return folder && *folder == '/' ? folder : NULL;
}

static bool folder_path(const char *part, char *path) {
  const char *own = getenv("MILLRACE_CACHE_DIR");
  const char *xdg = absolute_folder("XDG_CACHE_HOME"), *home = absolute_folder("HOME");
  int length = -1;
  if (own) {
    length = *own ? snprintf(path, FOLDER_BYTES, "%s/%s", own, part) : -1;
  } else if (xdg) {
    length = snprintf(path, FOLDER_BYTES, "%s/millrace/%s", xdg, part);
  } else if (home) {
    length = snprintf(path, FOLDER_BYTES, "%s/.cache/millrace/%s", home, part);
  }
  return length > 0 && length < FOLDER_BYTES;
}

static bool make_folders(const char *path) {
  char part[FOLDER_BYTES];
  snprintf(part, sizeof part, "%s", path);
  for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdir(part, 0700) && errno != EEXIST) {
      return false;
    }
    *slash = '/';
  }
  return !mkdir(part, 0700) || errno == EEXIST;
}

// What someone else could have written, or put there, is not believed.
static bool only_ours(const struct stat *info) {
  bool owner = info->st_uid == geteuid() || info->st_uid == 0;
  return owner && !(info->st_mode & (S_IWGRP | S_IWOTH));
}

// Looked at through its descriptor, so that what is used is what was looked at. Folders above it may be anybody's: who owns one
// can take ours away, but not give us another of ours.
int mr_kept_open(const char *part, bool make) {
  char path[FOLDER_BYTES];
  if (!folder_path(part, path)) {
    return -1;
  }
  const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int fd = open(path, flags);
  if (fd < 0 && errno == ENOENT && make && make_folders(path)) {
    fd = open(path, flags);
  }
  struct stat info;
  if (fd < 0 || (!fstat(fd, &info) && only_ours(&info))) {
    return fd;
  }
  close(fd);
  return -1;
}

// ---- Reading ----------------------------------------------------------------------------------------------------------

bool mr_kept_read(int file, void *data, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t n = read(file, (char *)data + done, size - done);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return false;
    }
    done += (size_t)n;
  }
  return true;
}

int mr_kept_open_file(int folder, const char *name, size_t *out_size) {
  *out_size = 0;
  // Not blocking, for what is no file but has its name.
  int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat info;
  if (fd < 0) {
    return -1;
  }
  if (fstat(fd, &info) || !S_ISREG(info.st_mode) || !only_ours(&info)) {
    close(fd);
    return -1;
  }
  *out_size = (size_t)info.st_size;
  return fd;
}

// ---- Writing ----------------------------------------------------------------------------------------------------------

bool mr_kept_write_all(int fd, const void *data, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t n = write(fd, (const char *)data + done, size - done);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return false;
    }
    done += (size_t)n;
  }
  return true;
}

static int open_temporary(int folder, char *name) {
  uint32_t number = atomic_fetch_add_explicit(&temporaries, 1, memory_order_relaxed);
  snprintf(name, NAME_BYTES, MR_KEPT_TEMPORARY "%ld-%u", (long)getpid(), number);
  int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  int fd = openat(folder, name, flags, 0600);
  // An earlier process of our number left it there.
  if (fd < 0 && errno == EEXIST && !unlinkat(folder, name, 0)) {
    fd = openat(folder, name, flags, 0600);
  }
  return fd;
}

// It is not synchronized: after a crash of the machine the reader's checksum tells.
bool mr_kept_write(int folder, const char *name, const mr_span *pieces, size_t num_pieces) {
  char temporary[NAME_BYTES];
  int fd = open_temporary(folder, temporary);
  if (fd < 0) {
    return false;
  }
  bool ok = true;
  for (size_t i = 0; i < num_pieces && ok; i++) {
    ok = mr_kept_write_all(fd, pieces[i].data, pieces[i].size);
  }
  ok = !close(fd) && ok;
  ok = ok && !renameat(folder, temporary, folder, name);
  if (!ok) {
    (void)unlinkat(folder, temporary, 0);
  }
  return ok;
}
