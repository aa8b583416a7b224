// conform: what the cases of the conformance suite have in common. A case is a function that says what is wrong, or nothing; it
// runs on a platform of two devices of the kind that is tried and one CPU. What it makes it puts into the world, which lets
// go of it in the end, so that a case may end anywhere.
#ifndef MR_TESTS_DEVICES_CONFORM_H
#define MR_TESTS_DEVICES_CONFORM_H

#include "devices/devices.h"

enum { WORLD_THINGS = 512 };

typedef struct world {
  mr_platform *platform;
  mr_device *device, *peer, *cpu;
  mr_memory *memory;  // the device's own
  uint32_t seed;
  size_t num_buffers, num_storages, num_futures, num_kernels;
  mr_buffer *buffers[WORLD_THINGS];
  mr_storage *storages[WORLD_THINGS];
  mr_future *futures[WORLD_THINGS];
  mr_device_kernel *kernels[WORLD_THINGS];
  mr_code_unit units[WORLD_THINGS];  // of the kernels
  void *blocks[WORLD_THINGS];
  size_t num_blocks;
  char said[256];
} world;

typedef const char *(*conform_case)(world *w);

// What is wrong, as text; the first of a case counts.
const char *world_says(world *w, const char *format, ...) MR_PRINTF(2, 3);
const char *world_says_status(world *w, const char *where, mr_status take_status);

#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) {                                              \
      return world_says(w, "line %d: not %s", __LINE__, #condition); \
    }                                                                \
  } while (0)
#define WELL(call)                                     \
  do {                                                 \
    mr_status well_status = (call);                    \
    if (well_status) {                                 \
      return world_says_status(w, #call, well_status); \
    }                                                  \
  } while (0)
#define GOES_WELL(call)        \
  do {                         \
    const char *said = (call); \
    if (said) {                \
      return said;             \
    }                          \
  } while (0)

void world_open(world *w, const char *kind);
// Waits for what was begun, then lets go of everything.
void world_close(world *w);

void *world_block(world *w, size_t bytes);  // zeroed, of the host
mr_future *world_promise(world *w);         // not set yet; the case sets it
mr_status world_storage(world *w, mr_memory *memory, size_t bytes, mr_storage **out_storage) MR_WARN_UNUSED;
// Submits and keeps the future; *out_done is borrowed.
mr_status world_submit(world *w, mr_device *device, const mr_device_work *work, mr_future *const *after,
                       size_t num_after, mr_future **out_done) MR_WARN_UNUSED;
// The status of something that was begun, once it is over.
mr_status world_end_of(mr_future *done) MR_WARN_UNUSED;
mr_status world_do(world *w, mr_device *device, const mr_device_work *work) MR_WARN_UNUSED;
mr_status world_write(world *w, mr_storage *storage, size_t offset, const void *from, size_t bytes) MR_WARN_UNUSED;
mr_status world_read(world *w, mr_storage *storage, size_t offset, void *to, size_t bytes) MR_WARN_UNUSED;
// A kernel in each language that devices take.
typedef struct world_code {
  mr_native_kernel native;
  const char *source, *entry;  // OpenCL C
  uint32_t num_regions;
} world_code;
mr_status world_kernel(world *w, mr_device *device, const world_code *code,
                       const mr_device_kernel **out_kernel) MR_WARN_UNUSED;
void world_keep_buffer(world *w, mr_buffer *take_buffer);
// Bytes that depend on `salt` and the place alone.
void world_pattern(void *to, size_t bytes, uint32_t salt);

#endif
