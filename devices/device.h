// device: what a kind of device is to the layers above it, one const table of functions, and the work that it takes.
//
// A device has memories and does work in them: copies, fills, launches of kernels, library calls. All kinds of work go through one
// asynchronous function, mr_device_submit(), with futures in and a future out. Folders above devices/ know nothing but this:
// what a device is like is asked of it (`direct`, `addressable`), never which kind it is.
//
//   mr_device_work work = {.kind = MR_WORK_COPY_OUT, .name = "to host", .bytes = 64, .from = {storage, 0}, .host_to = block};
//   mr_future *done;
//   MR_TRY(mr_device_submit(device, &work, &ready, 1, &done));  // begins when `ready` is set
//   if (done) { ... mr_node_after(node, done); mr_future_release(done); }   // NULL: over already, and well
//
// Threads: every function of the table may be called from any thread at any time, but for `destroy`, which comes last.
// Ownership: work is borrowed during the call, with its list of regions and its pattern; a device that does not run at once
// copies them. What they point to stays the submitter's to keep until the work is over, however it ends: storages, host memory,
// kernel, `argument`, `name`, the futures of `after` until they are set, and the platform.
// Errors: work fails with a status, at once or through its future, and has then written nothing, a part, or everything of what
// it was to write. Work that comes after it fails with the same status and does not begin.
#ifndef MR_DEVICES_DEVICE_H
#define MR_DEVICES_DEVICE_H

#include "core/core.h"
#include "core/stop.h"
#include "core/trace_op.h"
#include "devices/admission.h"
#include "devices/figures.h"
#include "futures/futures.h"
#include "scheduler/scheduler.h"

typedef struct mr_platform mr_platform;
typedef struct mr_device mr_device;
typedef struct mr_memory mr_memory;
typedef struct mr_storage mr_storage;

// ---- Memories -----------------------------------------------------------------------------------------------------------

typedef enum mr_memory_kind { MR_MEMORY_DEVICE, MR_MEMORY_PINNED_HOST, MR_MEMORY_UNPINNED_HOST } mr_memory_kind;
enum { MR_MEMORY_KINDS = 3 };
const char *mr_memory_kind_name(mr_memory_kind kind);  // "device", "pinned_host", "unpinned_host"
mr_status mr_memory_kind_parse(mr_str name, mr_memory_kind *out_kind) MR_WARN_UNUSED;

struct mr_memory {
  mr_device *device;
  mr_memory_kind kind;
  int id;  // unique in the platform
  // The host may read and write at storage->data. Else that is NULL, or an address at which whoever uses it dies. The host
  // memories of every device are.
  bool addressable;
  uint8_t tally;  // the platform's, for whom buffers are counted (core/tally.h)
};

typedef struct mr_memory_stats {
  uint64_t bytes_in_use, peak_bytes_in_use, num_allocs, largest_alloc_size;
  uint64_t bytes_limit;                  // of the machine, the control groups, or MILLRACE_MEMORY_LIMIT_MB
  uint64_t pool_bytes, peak_pool_bytes;  // of all blocks, those kept for the next use included
  bool limit_is_shared;                  // bytes_limit is the process's: what other devices of it use counts as well
} mr_memory_stats;

// ---- Work ---------------------------------------------------------------------------------------------------------------

// ORDER work
typedef enum mr_work_kind {
  MR_WORK_COPY_IN,   // `bytes` from host_from to `to`
  MR_WORK_COPY_OUT,  // `bytes` from `from` to host_to
  MR_WORK_COPY,      // `bytes` from `from` to `to`, which do not overlap
  MR_WORK_FILL,      // `bytes` at `to` with the pattern, again and again
  MR_WORK_LAUNCH,    // a kernel over its range
  MR_WORK_CALL,      // a function of the host's with addresses of device memory
  MR_WORK_KINDS
} mr_work_kind;

// A place in device memory, from `offset` on. `storage` NULL: nothing is there, and a kernel gets NULL.
typedef struct mr_region {
  mr_storage *storage;
  size_t offset;
} mr_region;

typedef struct mr_device_kernel mr_device_kernel;

enum { MR_PATTERN_BYTES = 16 };

typedef struct mr_device_work {
  mr_work_kind kind;
  const char *name;  // for traces; more is in `op`, unless that is NULL, of its execution `run`
  const mr_trace_op *op;
  uint64_t run;
  uint64_t cost_ns;  // estimate for one core; 0: unknown
  size_t bytes;
  // Memory of this device, or any that is addressable, or what mr_device_reaches().
  mr_region to, from;
  void *host_to;
  const void *host_from;
  uint8_t pattern[MR_PATTERN_BYTES];
  uint32_t pattern_bytes;  // 1, 2, 4, 8 or 16, of which `bytes` is a multiple
  // Regions in the kernel's order; tiles 0 to `range` in pieces of at least `grain`.
  const mr_device_kernel *kernel;
  int64_t range, grain;
  // LAUNCH of native code, and for CALL to use: what ends it early; NULL: nothing does. There until the work is over. What the device's driver
  // compiled is not ended.
  mr_stop_token *stop;
  // `addresses` are those of the regions, of use inside the call alone; `group`: the cores it may spread its work over.
  mr_status (*call)(const struct mr_device_work *work, void *const *addresses, mr_group *group);
  const void *argument;
  const mr_region *regions;  // LAUNCH and CALL
  uint32_t num_regions;
  // The submitter uses the future for nothing but `after` of the next work that it submits to this device, at once: it need not be set
  // before that is over. Where nothing comes next after all, mr_device_conclude() says so.
  bool followed;
  // Optional. Called at most once, when the work is over and went well, before its future is set, and on a thread that may neither wait
  // nor take its time. Devices that are told of an end on such a thread do it, others need not.
  void (*hear)(void *hear_argument);
  void *hear_argument;
} mr_device_work;

// Begins when all of `after` are set; one that failed fails the work with its status. *out_done NULL: it is over, and the
// returned status is how; else a counted future, which is set on a thread that may wait and take its time, as a worker may.
// Never holds the calling thread for longer than the work itself takes on the caller's cores. `after` may be what
// *out_done was. Work that nothing orders may run in any order and at once. Kernels and calls run with the calling thread's mode for subnormal numbers.
// A call that fails has begun nothing and kept nothing, and what was followed by it is concluded: nobody submits again for the sake of that.
mr_status mr_device_submit(mr_device *device, const mr_device_work *work, mr_future *const *after, size_t num_after,
                           mr_future **out_done) MR_WARN_UNUSED;
// Nothing follows these after all: each that was submitted to this device as followed ends by itself from here on, its future set soon
// after the work is over, whether it has begun or not. It cannot fail, and who calls it may wait for the futures. Others are let be.
void mr_device_conclude(mr_device *device, mr_future *const *futures, size_t num_futures);
// Whether work of this device may name storages of `memory`.
bool mr_device_reaches(const mr_device *device, const mr_memory *memory);

// ---- Kernels ------------------------------------------------------------------------------------------------------------

typedef enum mr_code_language {
  MR_CODE_NATIVE,    // a function of this process
  MR_CODE_OPENCL_C,  // text, which the device's driver compiles
} mr_code_language;

typedef void (*mr_native_kernel)(void *const *buffers, mr_stop_token *stop, int64_t begin, int64_t end);
// One launch of it, as mr_parallel_for() shares it out.
typedef struct mr_native_job {
  mr_native_kernel function;
  void *const *buffers;
  mr_stop_token *stop;
} mr_native_job;
static inline void mr_native_job_tiles(void *job, int64_t begin, int64_t end) {
  const mr_native_job *j = (const mr_native_job *)job;
  j->function(j->buffers, j->stop, begin, end);
}

// The text of many kernels that are built together, all kept until the last kernel loaded from it is released. What a device made of it is
// found again by `key`.
typedef struct mr_code_unit {
  mr_code_language language;
  mr_str source;
  mr_hash128 key;  // of language and source
} mr_code_unit;

// A program for the tiles [begin, end) of a loop. All that it points to stays until the kernel is released.
typedef struct mr_kernel_code {
  mr_code_language language;
  mr_native_kernel native;  // NATIVE
  const char *name;         // for traces and messages
  // OPENCL_C: where it is, under which name, and how many regions it has: after a (global uchar *, ulong offset) pair for each of these come
  // `long range, long share`, and item i does the tiles [i * share, min(range, (i + 1) * share)).
  const mr_code_unit *unit;
  const char *entry;
  uint32_t num_regions;
} mr_kernel_code;

// The base of what a device makes of it.
struct mr_device_kernel {
  mr_device *device;
  mr_kernel_code code;
};

// UNIMPLEMENTED where the device takes no code of that language.
mr_status mr_device_load_kernel(mr_device *device, const mr_kernel_code *code,
                                mr_device_kernel **out_kernel) MR_WARN_UNUSED;
void mr_device_kernel_release(mr_device_kernel *take_kernel);  // when all work with it is over; NULL is fine

// ---- Devices ------------------------------------------------------------------------------------------------------------

// What a device runs, for who compiles for it.
typedef struct mr_target {
  mr_code_language language;
  bool items;  // an item for each tile, in groups (GPUs); else shares with loops inside
  bool has_f64, has_correct_division, has_subnormals, has_long_atomics;
  uint64_t largest_block_bytes;
  uint64_t parameter_bytes;  // of all arguments of one kernel
  // Where there are items: how many a group has at most, and the memory that they share.
  uint32_t group_items;
  uint64_t local_bytes;
  // What it has no code for runs as a call on the host (MR_WORK_CALL). Else that is refused, by name, when compiling.
  bool host_steps;
  mr_hash128 key;  // of all of the above: programs compiled for equal keys run on either
} mr_target;

typedef struct mr_device_ops {
  const char *name;
  void (*destroy)(mr_device *device);
  // A block in one of the device's memories: 64-byte aligned and at `data` where that is addressable. The struct is not reused
  // with the same generation (mr_content). `storage->memory` may become a wrapping device's: `release` does not look at it.
  mr_status (*allocate)(mr_memory *memory, size_t size, mr_storage **out_storage);
  mr_status (*submit)(mr_device *device, const mr_device_work *work, mr_future *const *after, size_t num_after,
                      mr_future **out_done);
  // Optional. As mr_device_conclude(), which is also called with `after` of each submit that fails. NULL: work ends by itself, followed or
  // not.
  void (*conclude)(mr_device *device, mr_future *const *futures, size_t num_futures);
  mr_status (*load_kernel)(mr_device *device, const mr_kernel_code *code, mr_device_kernel **out_kernel);
  void (*release_kernel)(mr_device_kernel *take_kernel);
  mr_memory_stats (*stats)(mr_device *device);
  void (*clear_peaks)(mr_device *device);
  // Optional. Whether its work may name storages of another device's memory that is not addressable. NULL: no.
  bool (*reaches)(const mr_device *device, const mr_memory *memory);
  // Optional. What the device is known to do, and how to find out (devices/figures.h: mr_device_figures, mr_device_measure). NULL:
  // as the defaults say.
  const mr_figures *(*figures)(mr_device *device);
  const mr_figures *(*measure)(mr_device *device, bool (*stop)(void *context), void *context);
  // Optional. What it runs; stays while the device does. NULL: native code of this process.
  const mr_target *(*target)(const mr_device *device);
  // Optional. The owner of the platform is about to let go of it: what would never be over fails now.
  void (*give_up)(mr_device *device);
} mr_device_ops;

enum { MR_DEVICE_ATTRIBUTES = 6 };
// What a device says of itself: a text, or a number when that is NULL. All have "kind", "concurrency" (how many cores at most work on
// one piece of work) and "numa_node" (-1: several or unknown).
typedef struct mr_device_attribute {
  const char *name, *text;
  int64_t number;
} mr_device_attribute;

struct mr_device {
  const mr_device_ops *ops;
  mr_platform *platform;  // borrowed: the platform owns its devices
  int id;
  // Its memories are addressable, and submitted work with nothing to wait for is over when the call returns, on the caller's
  // cores: who likes may use `data` and call kernels instead.
  bool direct;
  mr_group *group;        // its share of the cores
  mr_executor *executor;  // where its nodes go
  mr_memory memories[MR_MEMORY_KINDS];
  mr_device_attribute attributes[MR_DEVICE_ATTRIBUTES];
  size_t num_attributes;
  mr_admission admission;  // of calls; a device that another one wraps has none
};
// Where the host can look at what is in `memory`, or prepare what is to be there: that itself, or else host memory of its
// device.
static inline mr_memory *mr_memory_on_host(mr_memory *memory) {
  return memory->addressable ? memory : &memory->device->memories[MR_MEMORY_PINNED_HOST];
}
// Where a node goes that reads `storage` (NULL: not known yet): when it is large, to those of the device's cores near which it
// was written.
mr_executor *mr_device_executor_near(const mr_device *device, const mr_storage *storage);
const mr_target *mr_device_target(const mr_device *device);  // NULL: native code of this process
mr_memory_stats mr_device_stats(mr_device *device);
void mr_device_clear_peaks(mr_device *device);

#endif
