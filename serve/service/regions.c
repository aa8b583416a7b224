// Shared memory that clients registered, by name.
#include "serve/service/regions.h"
#include "serve/service/service.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Each holds a descriptor.
enum { MOST_REGIONS = 1024, MOST_NAME = 1024 };

struct sv_region {
  _Atomic(uint32_t) references;
  char *name, *key;
  uint64_t offset, byte_size;
  int descriptor;
};

struct sv_regions {
  pthread_mutex_t lock;
  sv_region *entries[MOST_REGIONS];  // a reference each, in order of names
  size_t count;
};

sv_regions *sv_regions_create(void) {
  sv_regions *regions = calloc(1, sizeof *regions);
  if (regions) {
    pthread_mutex_init(&regions->lock, NULL);
  }
  return regions;
}

void sv_regions_release(sv_regions *regions) {
  if (regions) {
    sv_regions_unregister(regions, (sv_str){0});
    pthread_mutex_destroy(&regions->lock);
    free(regions);
  }
}

void sv_region_release(sv_region *region) {
  // acq_rel: who frees it sees what the others did with it.
  if (region && atomic_fetch_sub_explicit(&region->references, 1, memory_order_acq_rel) == 1) {
    if (region->descriptor >= 0) {
      close(region->descriptor);
    }
    free(region->name);
    free(region->key);
    free(region);
  }
}

// Under the lock: where the name is, or would be. True: it is there.
static bool position(const sv_regions *regions, sv_str name, size_t *out_at) {
  size_t low = 0, high = regions->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *other = regions->entries[middle]->name;
    size_t other_size = strlen(other), less = name.size < other_size ? name.size : other_size;
    int order = memcmp(name.data, other, less);
    order = order ? order : (name.size > other_size) - (name.size < other_size);
    if (order == 0) {
      *out_at = middle;
      return true;
    }
    low = order > 0 ? middle + 1 : low;
    high = order > 0 ? high : middle;
  }
  *out_at = low;
  return false;
}

// ---- Registering ----------------------------------------------------------------------------------------------------

static sv_error *check_key(sv_str key) {
  bool good = key.size >= 2 && key.size <= 255 && key.data[0] == '/' && !memchr(key.data + 1, '/', key.size - 1) &&
              !memchr(key.data, 0, key.size) && !sv_str_is(key, "/.") && !sv_str_is(key, "/..");
  return good ? NULL
              : sv_errorf(MILLRACE_INVALID_ARGUMENT,
                          "shared memory key '%.*s': wanted a slash and a name without slashes, 255 characters at most",
                          (int)(key.size < 300 ? key.size : 300), key.data);
}

static sv_error *open_object(sv_region *region) {
  region->descriptor = shm_open(region->key, O_RDWR | O_CLOEXEC | O_NONBLOCK, 0);
  if (region->descriptor < 0) {
    millrace_code code = errno == ENOENT                      ? MILLRACE_NOT_FOUND
                         : errno == EACCES                    ? MILLRACE_PERMISSION_DENIED
                         : errno == EMFILE || errno == ENFILE ? MILLRACE_RESOURCE_EXHAUSTED
                                                              : MILLRACE_INVALID_ARGUMENT;
    return sv_errorf(code, "shared memory object '%s': %s", region->key, strerror(errno));
  }
  struct stat found;
  uint64_t end;
  if (fstat(region->descriptor, &found) != 0 || !S_ISREG(found.st_mode)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "shared memory object '%s' is not a memory object", region->key);
  }
  if (__builtin_add_overflow(region->offset, region->byte_size, &end) || end > (uint64_t)found.st_size) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT,
                     "shared memory object '%s' has %llu bytes, fewer than offset %llu and byte_size %llu take",
                     region->key, (unsigned long long)found.st_size, (unsigned long long)region->offset,
                     (unsigned long long)region->byte_size);
  }
  return NULL;
}

static sv_error *create(sv_str name, sv_str key, uint64_t offset, uint64_t byte_size, sv_region **out_region) {
  *out_region = NULL;
  if (!name.size || name.size > MOST_NAME || memchr(name.data, 0, name.size)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "a shared memory region's name has 1 to %d characters", MOST_NAME);
  }
  if (!byte_size) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "shared memory region '%.*s': byte_size is 0", SV_FMT(name));
  }
  SV_TRY(check_key(key));
  sv_region *region = calloc(1, sizeof *region);
  if (!region) {
    return sv_no_memory();
  }
  *region = (sv_region){.references = 1,
                        .name = sv_str_copy(name),
                        .key = sv_str_copy(key),
                        .offset = offset,
                        .byte_size = byte_size,
                        .descriptor = -1};
  sv_error *error = region->name && region->key ? open_object(region) : sv_no_memory();
  if (error) {
    sv_region_release(region);
    return error;
  }
  *out_region = region;
  return NULL;
}

sv_error *sv_regions_register(sv_regions *regions, sv_str name, sv_str key, uint64_t offset, uint64_t byte_size) {
  sv_region *region;
  SV_TRY(create(name, key, offset, byte_size, &region));
  sv_error *error = NULL;
  pthread_mutex_lock(&regions->lock);
  size_t at;
  if (position(regions, name, &at)) {
    error = sv_errorf(MILLRACE_ALREADY_EXISTS, "shared memory region '%.*s' is registered already", SV_FMT(name));
  } else if (regions->count == MOST_REGIONS) {
    error = sv_errorf(MILLRACE_RESOURCE_EXHAUSTED, "%d shared memory regions are registered, more are not taken",
                      MOST_REGIONS);
  } else {
    memmove(&regions->entries[at + 1], &regions->entries[at], (regions->count - at) * sizeof *regions->entries);
    regions->entries[at] = region;
    regions->count++;
    region = NULL;
  }
  pthread_mutex_unlock(&regions->lock);
  sv_region_release(region);
  return error;
}

static sv_region *take_last(sv_regions *regions) {
  pthread_mutex_lock(&regions->lock);
  sv_region *region = regions->count ? regions->entries[--regions->count] : NULL;
  pthread_mutex_unlock(&regions->lock);
  return region;
}

void sv_regions_unregister(sv_regions *regions, sv_str name) {
  if (!name.size) {
    for (sv_region *region; (region = take_last(regions));) {
      sv_region_release(region);
    }
    return;
  }
  sv_region *region = NULL;
  size_t at;
  pthread_mutex_lock(&regions->lock);
  if (position(regions, name, &at)) {
    region = regions->entries[at];
    regions->count--;
    memmove(&regions->entries[at], &regions->entries[at + 1], (regions->count - at) * sizeof *regions->entries);
  }
  pthread_mutex_unlock(&regions->lock);
  sv_region_release(region);
}

static sv_error *not_there(sv_str name) {
  return sv_errorf(MILLRACE_NOT_FOUND, "shared memory region '%.*s' is not registered", SV_FMT(name));
}

// Under the lock.
static bool copy_entry(const sv_region *region, sv_region_entry *out) {
  *out = (sv_region_entry){strdup(region->name), strdup(region->key), region->offset, region->byte_size};
  return out->name && out->key;
}

sv_error *sv_regions_list(sv_regions *regions, sv_str name, sv_region_entry **out_entries, size_t *out_count) {
  *out_entries = NULL;
  *out_count = 0;
  pthread_mutex_lock(&regions->lock);
  size_t first = 0, count = regions->count;
  bool found = true;
  if (name.size) {
    found = position(regions, name, &first);
    count = found;
  }
  sv_region_entry *entries = calloc(count + 1, sizeof *entries);
  bool good = entries != NULL;
  for (size_t i = 0; good && i < count; i++) {
    good = copy_entry(regions->entries[first + i], &entries[i]);
  }
  pthread_mutex_unlock(&regions->lock);
  if (!good || !found) {
    sv_region_entries_free(entries, entries ? count : 0);
    return good ? not_there(name) : sv_no_memory();
  }
  *out_entries = entries;
  *out_count = count;
  return NULL;
}

void sv_region_entries_free(sv_region_entry *entries, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(entries[i].name);
    free(entries[i].key);
  }
  free(entries);
}

// ---- Using ----------------------------------------------------------------------------------------------------------

static sv_error *check_range(const sv_region *region, uint64_t offset, uint64_t size) {
  uint64_t end;
  if (__builtin_add_overflow(offset, size, &end) || end > region->byte_size) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT,
                     "shared memory region '%s' has %llu bytes, fewer than offset %llu and %llu bytes take",
                     region->name, (unsigned long long)region->byte_size, (unsigned long long)offset,
                     (unsigned long long)size);
  }
  return NULL;
}

sv_error *sv_regions_find(sv_regions *regions, sv_str name, uint64_t offset, uint64_t size, sv_region **out_region) {
  *out_region = NULL;
  size_t at;
  pthread_mutex_lock(&regions->lock);
  sv_region *region = position(regions, name, &at) ? regions->entries[at] : NULL;
  if (region) {
    atomic_fetch_add_explicit(&region->references, 1, memory_order_relaxed);  // the table's keeps it meanwhile
  }
  pthread_mutex_unlock(&regions->lock);
  if (!region) {
    return not_there(name);
  }
  sv_error *error = check_range(region, offset, size);
  if (error) {
    sv_region_release(region);
    return error;
  }
  *out_region = region;
  return NULL;
}

static sv_error *has_shrunk(const sv_region *region) {
  return sv_errorf(MILLRACE_INVALID_ARGUMENT,
                   "shared memory object '%s' has become smaller than when region '%s' was registered", region->key,
                   region->name);
}

sv_error *sv_region_read(sv_region *region, uint64_t offset, void *to, size_t size) {
  SV_TRY(check_range(region, offset, size));
  for (size_t done = 0; done < size;) {
    ssize_t got = pread(region->descriptor, (char *)to + done, size - done, (off_t)(region->offset + offset + done));
    if (got == 0) {
      return has_shrunk(region);
    }
    if (got < 0 && errno != EINTR) {
      return sv_errorf(MILLRACE_INTERNAL, "shared memory object '%s': %s", region->key, strerror(errno));
    }
    done += got > 0 ? (size_t)got : 0;
  }
  return NULL;
}

sv_error *sv_region_write(sv_region *region, uint64_t offset, const void *from, size_t size) {
  SV_TRY(check_range(region, offset, size));
  // Writing beyond the end would make the client's object larger.
  struct stat found;
  if (fstat(region->descriptor, &found) != 0 || region->offset + offset + size > (uint64_t)found.st_size) {
    return has_shrunk(region);
  }
  for (size_t done = 0; done < size;) {
    ssize_t put =
        pwrite(region->descriptor, (const char *)from + done, size - done, (off_t)(region->offset + offset + done));
    if (put < 0 && errno != EINTR) {
      return sv_errorf(MILLRACE_INTERNAL, "shared memory object '%s': %s", region->key, strerror(errno));
    }
    done += put > 0 ? (size_t)put : 0;
  }
  return NULL;
}

sv_error *sv_service_allow_regions(sv_service *service, bool is_local) {
  if (!service->regions) {
    return sv_errorf(MILLRACE_UNAVAILABLE, "this server does not use shared memory");
  }
  if (!is_local) {
    return sv_errorf(MILLRACE_PERMISSION_DENIED, "shared memory is for clients on the server's machine alone");
  }
  return NULL;
}
