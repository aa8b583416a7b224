// System shared memory that clients registered. Read with pread() and written with pwrite(), never mapped: a client that shrinks its object gets
// an error, and no SIGBUS kills the server. Any thread.
#ifndef SV_REGIONS_H
#define SV_REGIONS_H

#include "serve/base/base.h"

typedef struct sv_regions sv_regions;
typedef struct sv_region sv_region;  // counted; a region that is unregistered stays for those who have it

typedef struct sv_region_entry {
  char *name, *key;
  uint64_t offset, byte_size;
} sv_region_entry;

sv_regions *sv_regions_create(void);  // NULL without memory
void sv_regions_release(sv_regions *regions);
// The key is a name of shm_open(): one slash, in front. ALREADY_EXISTS for a name that is there, NOT_FOUND for an object that is not,
// INVALID_ARGUMENT for one that is smaller than offset + byte_size or a key that is none.
sv_error *sv_regions_register(sv_regions *regions, sv_str name, sv_str key, uint64_t offset, uint64_t byte_size);
void sv_regions_unregister(sv_regions *regions, sv_str name);  // empty: all. One that is not there: nothing
// A copy of the list, or of the one entry (NOT_FOUND).
sv_error *sv_regions_list(sv_regions *regions, sv_str name, sv_region_entry **out_entries, size_t *out_count);
void sv_region_entries_free(sv_region_entry *entries, size_t count);

// A reference; offset and size (within the region) are checked here. NOT_FOUND, INVALID_ARGUMENT.
sv_error *sv_regions_find(sv_regions *regions, sv_str name, uint64_t offset, uint64_t size, sv_region **out_region);
sv_error *sv_region_read(sv_region *region, uint64_t offset, void *to, size_t size);
sv_error *sv_region_write(sv_region *region, uint64_t offset, const void *from, size_t size);
void sv_region_release(sv_region *region);

#endif
