#include "compiler/codegen/disk_cache.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "compiler/codegen/tuning.h"
#include "core/kept.h"

#define NAME_BYTES 40
#define MAX_FILE_BYTES ((size_t)64 << 20)
#define DAY_SECONDS (24 * 60 * 60)

typedef struct header {
  char magic[8];
  uint32_t version, header_bytes;
  uint64_t object_bytes;
  mr_hash128 key, checksum;
  uint64_t unused;
} header;
static_assert(sizeof(header) == 64, "the file format has a 64-byte header");

static const char magic[8] = "MRKERNL";

// Files that this process has looked at to keep the limit; relaxed, the count orders nothing.
static _Atomic uint64_t files_looked_at;

// ---- Places -----------------------------------------------------------------------------------------------------------

// -1: there is none, or none that can be trusted.
static int open_folder(bool make) {
  char part[16];
  snprintf(part, sizeof part, "v%d", MR_CODEGEN_VERSION);
  return mr_kept_open(part, make);
}

static void file_name(mr_hash128 key, char *name) {
  snprintf(name, NAME_BYTES, "%016" PRIx64 "%016" PRIx64 ".mrk", key.high, key.low);
}

// ---- Reading ----------------------------------------------------------------------------------------------------------

static bool header_fits(const header *h, mr_hash128 key, size_t object_bytes) {
  return !memcmp(h->magic, magic, sizeof magic) && h->version == MR_CODEGEN_VERSION && h->header_bytes == sizeof *h &&
         h->object_bytes == object_bytes && h->key.low == key.low && h->key.high == key.high;
}

static bool same(mr_hash128 a, mr_hash128 b) { return a.low == b.low && a.high == b.high; }

static bool read_object(int fd, size_t file_bytes, mr_hash128 key, mr_object *out_object) {
  header h;
  if (file_bytes <= sizeof h || file_bytes > MAX_FILE_BYTES) {
    return false;
  }
  size_t size = file_bytes - sizeof h;
  if (!mr_kept_read(fd, &h, sizeof h) || !header_fits(&h, key, size)) {
    return false;
  }
  void *data = mr_alloc(size);
  if (!data) {
    return false;
  }
  if (!mr_kept_read(fd, data, size) || !same(mr_hash128_of(data, size, key), h.checksum)) {
    mr_free(data);
    return false;
  }
  // Age is what trimming goes by; once a day is often enough.
  struct stat info;
  if (!fstat(fd, &info) && time(NULL) - info.st_mtime > DAY_SECONDS) {
    (void)futimens(fd, NULL);
  }
  *out_object = (mr_object){data, size};
  return true;
}

bool mr_disk_cache_load(mr_hash128 key, mr_object *out_object) {
  char name[NAME_BYTES];
  *out_object = (mr_object){0};
  int folder = open_folder(false);
  if (folder < 0) {
    return false;
  }
  file_name(key, name);
  size_t size;
  int fd = mr_kept_open_file(folder, name, &size);
  bool ok = fd >= 0 && read_object(fd, size, key, out_object);
  if (fd >= 0) {
    close(fd);
  }
  close(folder);
  return ok;
}

// ---- Writing ----------------------------------------------------------------------------------------------------------

static uint64_t size_limit(void) {
  int64_t megabytes = 512;
  mr_status status = mr_env_int("CACHE_LIMIT_MB", 512, 0, 1 << 30, &megabytes);
  if (status) {
    megabytes = 512;
  }
  mr_status_free(status);
  return (uint64_t)megabytes << 20;
}

// Looking at the folder costs some microseconds a file. So how much is there is kept for all processes that store, as the length of a file
// in it: a byte for each unit begun, appended before the store, which is one step for the system and needs no lock. What two have stored
// under one name counts twice and what is shorter than a unit as one, so there is hardly ever more than that says.
#define TALLY_NAME ".held"
enum { TALLY_UNIT = 4096 };

static uint64_t units_of(uint64_t bytes) { return (bytes + TALLY_UNIT - 1) / TALLY_UNIT; }

static bool read_units(int tally, uint64_t *out_units) {
  struct stat info;
  bool known = !fstat(tally, &info) && S_ISREG(info.st_mode);
  *out_units = known ? (uint64_t)info.st_size : 0;
  return known;
}

static bool add_units(int tally, uint64_t units) {
  static const char mark[1024];
  while (units > 0) {
    ssize_t n = write(tally, mark, MR_MIN(units, sizeof mark));
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return false;
    }
    units -= (uint64_t)n;
  }
  return true;
}

// Whether there is room for `bytes`, which are counted already. Seven eighths of the limit may remain, so that the next look comes when an
// eighth of it has been stored. While somebody looks there is no room: a shortcut less, and nobody waits for one who is stopped.
static bool look(int tally, uint64_t limit, uint64_t bytes) {
  uint64_t before, after, total = limit;
  if (flock(tally, LOCK_EX | LOCK_NB)) {
    return false;
  }
  if (read_units(tally, &before)) {
    total = mr_disk_cache_trim(limit / 8 * 7);
    uint64_t more = read_units(tally, &after) && after > before ? after - before : 0;
    (void)!ftruncate(tally, (off_t)(units_of(total) + units_of(bytes) + more));
  }
  (void)flock(tally, LOCK_UN);  // which a child that was forked meanwhile has as well
  return total + bytes <= limit;
}

// One process makes it. -1: it cannot be had.
static int open_tally(int folder, bool *out_is_new) {
  int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int tally = openat(folder, TALLY_NAME, flags, 0);
  *out_is_new = false;
  if (tally < 0 && errno == ENOENT) {
    tally = openat(folder, TALLY_NAME, flags | O_CREAT | O_EXCL, 0600);
    *out_is_new = tally >= 0;
    tally = tally < 0 ? openat(folder, TALLY_NAME, flags, 0) : tally;
  }
  return tally;
}

// Where the tally is new, nobody has looked yet.
static bool has_room(int folder, uint64_t bytes) {
  uint64_t units, limit = size_limit();
  bool is_new;
  int tally = open_tally(folder, &is_new);
  if (tally < 0) {
    return false;
  }
  bool room = add_units(tally, units_of(bytes)) && read_units(tally, &units);
  if (room && (is_new || units * TALLY_UNIT > limit)) {
    room = look(tally, limit, bytes);
  }
  close(tally);
  return room;
}

static void store_in(int folder, mr_hash128 key, mr_span object) {
  char name[NAME_BYTES];
  header h = {.version = MR_CODEGEN_VERSION,
              .header_bytes = sizeof h,
              .object_bytes = object.size,
              .key = key,
              .checksum = mr_hash128_of(object.data, object.size, key)};
  memcpy(h.magic, magic, sizeof magic);
  file_name(key, name);
  mr_span pieces[2] = {{&h, sizeof h}, object};
  (void)mr_kept_write(folder, name, pieces, 2);
}

void mr_disk_cache_store(mr_hash128 key, mr_span object) {
  if (object.size > MAX_FILE_BYTES - sizeof(header)) {
    return;
  }
  int folder = open_folder(true);
  if (folder < 0) {
    return;
  }
  if (has_room(folder, object.size + sizeof(header))) {
    store_in(folder, key, object);
  }
  close(folder);
}

// ---- Trimming ---------------------------------------------------------------------------------------------------------

typedef struct entry {
  int64_t mtime;
  uint64_t size;
  char name[NAME_BYTES];
} entry;

static int by_age(const void *a, const void *b) {
  const entry *x = a, *y = b;
  return x->mtime < y->mtime ? -1 : x->mtime > y->mtime ? 1 : strcmp(x->name, y->name);
}

static bool ends_with(const char *name, const char *end) {
  size_t n = strlen(name), k = strlen(end);
  return n >= k && !strcmp(name + n - k, end);
}

// Adds a kernel to the list; a temporary nobody renamed within a day is removed.
static bool add_entry(DIR *folder, const char *name, entry **list, size_t *count, size_t *capacity) {
  struct stat info;
  bool temporary = !strncmp(name, MR_KEPT_TEMPORARY, strlen(MR_KEPT_TEMPORARY));
  if ((!temporary && !ends_with(name, ".mrk")) || strlen(name) >= sizeof(*list)->name) {
    return true;
  }
  if (fstatat(dirfd(folder), name, &info, AT_SYMLINK_NOFOLLOW)) {
    return true;
  }
  if (temporary) {
    if (time(NULL) - info.st_mtime > DAY_SECONDS) {
      (void)unlinkat(dirfd(folder), name, 0);
    }
    return true;
  }
  if (*count == *capacity) {
    size_t bigger = *capacity ? *capacity * 2 : 256;
    entry *moved = mr_realloc(*list, bigger * sizeof *moved);
    if (!moved) {
      return false;
    }
    *list = moved;
    *capacity = bigger;
  }
  entry *e = &(*list)[(*count)++];
  e->mtime = (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
  e->size = (uint64_t)info.st_size;
  snprintf(e->name, sizeof e->name, "%s", name);
  return true;
}

uint64_t mr_disk_cache_files_looked_at(void) { return atomic_load_explicit(&files_looked_at, memory_order_relaxed); }

// The oldest go, until the rest is three quarters of the limit.
static uint64_t remove_oldest(DIR *folder, entry *list, size_t count, uint64_t total, uint64_t limit) {
  qsort(list, count, sizeof *list, by_age);
  for (size_t i = 0; i < count && total > limit / 4 * 3; i++) {
    if (!unlinkat(dirfd(folder), list[i].name, 0) || errno == ENOENT) {
      total -= list[i].size;
    }
  }
  return total;
}

uint64_t mr_disk_cache_trim(uint64_t limit) {
  int fd = open_folder(false);
  DIR *folder = fd < 0 ? NULL : fdopendir(fd);
  if (!folder) {
    if (fd >= 0) {
      close(fd);
    }
    return 0;
  }
  entry *list = NULL;
  size_t count = 0, capacity = 0;
  uint64_t total = 0;
  bool complete = true;
  for (struct dirent *d = readdir(folder); d && complete; d = readdir(folder)) {
    complete = add_entry(folder, d->d_name, &list, &count, &capacity);
  }
  for (size_t i = 0; i < count; i++) {
    total += list[i].size;
  }
  atomic_fetch_add_explicit(&files_looked_at, count, memory_order_relaxed);
  total = total > limit ? remove_oldest(folder, list, count, total, limit) : total;
  closedir(folder);
  mr_free(list);
  return total;
}
