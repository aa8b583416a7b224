// devices: what computes and what remembers. A platform is the devices a client sees; a device (device.h) owns a share of the
// cores (or a queue) and has memories; a storage is a counted block in one memory; a buffer is a typed tensor in a storage that
// may not have its content yet.
//
// Threads: everything here may be called from any thread. A buffer's `delete` and donation race safely with its uses.
// Ownership: platform, storage and buffer are counted. Devices and memories live as long as their platform.
//
//   mr_buffer *x;
//   MR_TRY(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &x));
//   mr_future *ready = mr_buffer_ready(x);           // NULL: there is nothing to wait for
#ifndef MR_DEVICES_DEVICES_H
#define MR_DEVICES_DEVICES_H

#include <stdatomic.h>

#include "core/core.h"
#include "devices/device.h"
#include "futures/futures.h"

typedef struct mr_buffer mr_buffer;

// ---- Platform -----------------------------------------------------------------------------------------------------------

typedef struct mr_platform_options {
  uint32_t num_devices;  // 0: MILLRACE_NUM_DEVICES, else `num_cpus`, else as many as there are kinds in the list
  uint32_t num_cpus;     // what the host has asked of the CPU: counts where all are to be of kind "cpu"; 0: nothing
  // Kinds of devices (devices/registry.c), in turn when there are several: "cpu", "fenced", "cpu,null". A kind that wraps
  // another has that one's name behind a colon: "faulty:cpu". NULL: MILLRACE_DEVICES, else "cpu".
  const char *kinds;
  // How many calls each device may have under way, and how many MB these may hold, before a thread that queues more waits
  // (devices/admission.h). 0: MILLRACE_QUEUE_CALLS and MILLRACE_QUEUE_MB, else MR_ADMISSION_CALLS and MR_ADMISSION_MB; MR_ADMISSION_ANY: any.
  uint32_t queue_calls, queue_mb;
} mr_platform_options;

mr_status mr_platform_create(const mr_platform_options *options, mr_platform **out_platform) MR_WARN_UNUSED;
// By the owner, before it lets go: what its devices would never be done with fails.
void mr_platform_give_up(mr_platform *platform);
// By the owner, before it lets go: returns when the executions that end whatever the host does have ended. Those that wait for the host, or
// for its code longer than a moment, go on without it.
void mr_platform_finish(mr_platform *platform);
// By the owner. Buffers keep the platform, and so does who has entered it, as work that is queued has: it goes with the last of
// these, on the thread that this is on, if not here. Storages do not: who has one has a buffer as well, or has entered.
void mr_platform_release(mr_platform *platform);  // NULL is fine
// Told when it is gone, on the same thread; for what has to stay as long. By the owner, before it lets go.
void mr_platform_when_gone(mr_platform *platform, void (*on_gone)(void *arg), void *arg);
// What all executions of its look at; set by mr_platform_stop(), and when the process ends.
const mr_stop_word *mr_platform_stop_word(const mr_platform *platform);
// Executions end in the middle; a second time it does nothing.
void mr_platform_stop(mr_platform *platform, mr_status take_status);
mr_platform *mr_platform_enter(mr_platform *platform);
void mr_platform_leave(mr_platform *platform);  // NULL is fine
size_t mr_platform_device_count(const mr_platform *platform);
mr_device *mr_platform_device(const mr_platform *platform, size_t index);
// Bytes that a device can have while every device has as much of the memory that it shares with it: all of its limit where its memory
// is its own.
uint64_t mr_platform_share(const mr_platform *platform, mr_device *device);
// Every kind of device that there is, whether a platform has one or not, with what it is.
void mr_device_each_kind(void (*visit)(void *context, const char *name, bool wraps, const char *words), void *context);
// What this machine has for kinds that look for it, and why not more, line by line. It may take a second.
void mr_device_each_found(void (*put)(void *context, const char *line), void *context);
mr_scheduler *mr_platform_scheduler(const mr_platform *platform);
// Where asserts are on: a storage of this platform more, or less. It ends without any.
#ifdef NDEBUG
static inline void mr_platform_count(mr_platform *platform, int count) {
  (void)platform;
  (void)count;
}
#else
void mr_platform_count(mr_platform *platform, int count);
#endif

// ---- Storage ----------------------------------------------------------------------------------------------------------------

struct mr_storage {
  void *data;  // 64-byte aligned unless `foreign`; not to be touched unless memory->addressable
  size_t size;
  mr_memory *memory;
  _Atomic(uint32_t) refs;
  uint64_t
      generation;  // changes whenever the struct is handed out or its content replaced in place: with the address, an
                   // identity for what the block holds (mr_content)
  uint16_t place;  // where it was allocated or written last, mr_scheduler_place(); a hint. Foreign: unknown
  bool immutable;  // never write: it is a host's array that may only be read
  bool foreign;    // memory that the engine did not allocate; any alignment
  // Code outside the engine may write the block at any time: relaxed, as the address is told after this is set.
  _Atomic(bool) shared;
  // Buffers of several devices have the block, each as if it were its own: who is to write there gets a copy.
  bool common;
  // Blocks with the same number, which is not 0, hold the same; until the content is replaced. relaxed: with whoever replaces it
  // nobody reads it.
  _Atomic(uint64_t) twin;
  _Atomic(uint32_t)
      queued;  // calls that are queued have it as an argument (compiler/run/admit.c). relaxed: it orders nothing
  // Called by the last release, after which the struct is the releaser's to recycle.
  void (*release)(mr_storage *storage);
  void (*on_delete)(void *data, void *arg);  // foreign: tells the owner, may be NULL
  void *on_delete_arg;
};

// What a block holds, for those that keep something derived from it: equal identities, equal content. {NULL, 0}: unknown.
typedef struct mr_content {
  const mr_storage *storage;
  uint64_t generation;
} mr_content;

mr_status mr_storage_allocate(mr_memory *memory, size_t size, mr_storage **out_storage) MR_WARN_UNUSED;
// Wraps memory that the engine did not allocate; on_delete(data, arg) once when the last user is gone (NULL: not called).
// UNIMPLEMENTED for a memory that the host does not address.
mr_status mr_storage_wrap(mr_memory *memory, void *data, size_t size, bool immutable, void (*on_delete)(void *, void *),
                          void *arg, mr_storage **out_storage) MR_WARN_UNUSED;
static inline mr_storage *mr_storage_retain(mr_storage *storage) {
  // relaxed: the caller has a reference already.
  atomic_fetch_add_explicit(&storage->refs, 1, memory_order_relaxed);
  return storage;
}
void mr_storage_release(mr_storage *storage);  // NULL is fine
// To be called by code that replaces the content of a block after other code may have seen it.
void mr_storage_touch(mr_storage *storage);
// The calling thread has written the block, or is about to.
void mr_storage_note_place(mr_storage *storage);
// Unknown when the block's owner may write it behind our back.
static inline mr_content mr_storage_content(const mr_storage *storage) {
  bool shared = atomic_load_explicit(&storage->shared, memory_order_relaxed);
  return shared ? (mr_content){NULL, 0} : (mr_content){storage, storage->generation};
}
// Whether two blocks are known to hold the same, and that they do: until either is replaced.
bool mr_storage_are_twins(const mr_storage *a, const mr_storage *b);
void mr_storage_make_twins(mr_storage *a, mr_storage *b);
// Copies bytes of a block to the host's memory, or from there, wherever the block is: begins after `after`, and what is named stays
// the caller's to keep until it is over, as mr_device_submit() has it. *out_done NULL: it is over; else a counted future.
mr_status mr_storage_read(mr_storage *storage, size_t offset, size_t size, void *to, mr_future *const *after,
                          size_t num_after, mr_future **out_done) MR_WARN_UNUSED;
mr_status mr_storage_write(mr_storage *storage, size_t offset, size_t size, const void *from, mr_future *const *after,
                           size_t num_after, mr_future **out_done) MR_WARN_UNUSED;
// Between two blocks of the platform that do not overlap, through host memory where no device reaches both.
mr_status mr_storage_copy(mr_region to, mr_region from, size_t size, mr_future *const *after, size_t num_after,
                          mr_future **out_done) MR_WARN_UNUSED;
// The caller has the only reference and the block may be written: what donation asks before it writes in place.
bool mr_storage_is_exclusive(const mr_storage *storage);

// ---- Buffers ----------------------------------------------------------------------------------------------------------------

// Storage arrives with the definition: a buffer made before its storage is known (an output of a queued execution) has
// none until `ready` is set. Row-major and dense.
mr_status mr_buffer_create(mr_memory *memory, mr_dtype dtype, const int64_t *dims, size_t rank,
                           mr_storage *take_storage /* or NULL: later */, mr_future *take_ready /* or NULL: ready */,
                           mr_buffer **out_buffer) MR_WARN_UNUSED;
mr_buffer *mr_buffer_retain(mr_buffer *buffer);
void mr_buffer_release(mr_buffer *buffer);

mr_dtype mr_buffer_dtype(const mr_buffer *buffer);
size_t mr_buffer_rank(const mr_buffer *buffer);
const int64_t *mr_buffer_dims(const mr_buffer *buffer);
size_t mr_buffer_bytes(const mr_buffer *buffer);  // dense
mr_memory *mr_buffer_memory(const mr_buffer *buffer);
// NULL when the content is there (or failed: never NULL then); borrowed from the buffer.
mr_future *mr_buffer_ready(const mr_buffer *buffer);
// True when ready without error: one load.
bool mr_buffer_is_ready_now(const mr_buffer *buffer);
// By the producer, before it sets the ready future.
void mr_buffer_define(mr_buffer *buffer, mr_storage *take_storage);

// Deleted or donated: no storage any more. Work already queued on it goes on (it holds the storage).
bool mr_buffer_is_deleted(const mr_buffer *buffer);
void mr_buffer_delete(mr_buffer *buffer);
// The storage with one more reference, INVALID_ARGUMENT "buffer has been deleted or donated" when it is gone. Only when
// ready (a pending buffer's storage is not known): callers wait for mr_buffer_ready() first.
mr_status mr_buffer_storage(mr_buffer *buffer, mr_storage **out_storage) MR_WARN_UNUSED;
// What an execution takes at the call, before the content is there: a hold keeps the content alive across deletion and
// gives the storage once `ready` is set. Donation marks the buffer deleted at once; exactly one donor wins.
typedef struct mr_hold mr_hold;  // the counted core of a buffer: its future and its storage
mr_status mr_buffer_hold(mr_buffer *buffer, bool donate, mr_hold **out_hold) MR_WARN_UNUSED;
mr_hold *mr_hold_retain(mr_hold *hold);
void mr_hold_release(mr_hold *hold);
// Undoes a donation that came to nothing: the buffer is alive again, unless somebody has deleted it meanwhile. Consumes the hold.
void mr_hold_give_back(mr_hold *hold);
mr_memory *mr_hold_memory(const mr_hold *hold);
mr_dtype mr_hold_dtype(const mr_hold *hold);
mr_future *mr_hold_ready(const mr_hold *hold);     // NULL: ready
mr_storage *mr_hold_storage(const mr_hold *hold);  // borrowed; once ready and OK
// After donation, with a storage: nobody else uses the buffer or the storage, which may be written in place.
bool mr_hold_is_exclusive(const mr_hold *hold);
// The same where so many buffers have the storage: nobody but they does, and nobody else uses this one.
bool mr_hold_is_exclusive_among(const mr_hold *hold, uint32_t buffers);
// The buffer is about to be written from outside: a storage that it has in common with others is replaced by a copy. Its content is there.
mr_status mr_hold_part(mr_hold *hold) MR_WARN_UNUSED;
// After donation: takes the storage out of the hold (the caller owns the reference); NULL if an error.
mr_storage *mr_hold_take_storage(mr_hold *hold);

// External references (numpy views, dlpack): while any are there the storage stays and is not written.
// Each that was had is released, by whoever counts his own; of a buffer that is deleted there is none: false.
bool mr_buffer_external_retain(mr_buffer *buffer);
void mr_buffer_external_release(mr_buffer *buffer);
// The address of the content; waits until it is ready. Valid while an external reference is held. UNIMPLEMENTED, as is the next
// one, where the host does not address the memory.
mr_status mr_buffer_data(mr_buffer *buffer, void **out_data) MR_WARN_UNUSED;
// The same without waiting: where the content is, or will be once the buffer is ready. `writable`: whoever asks may write
// there, so from here on nothing is known about the content. `held`: he has an external reference, and gets the address of a deleted
// buffer too.
mr_status mr_buffer_address(mr_buffer *buffer, bool writable, bool held, void **out_data) MR_WARN_UNUSED;

// ---- Transfers --------------------------------------------------------------------------------------------------------------

// ORDER host_semantics: PJRT_HostBufferSemantics.
typedef enum mr_host_semantics {
  MR_HOST_ONLY_DURING_CALL = 0,     // copied before the call returns
  MR_HOST_UNTIL_TRANSFER_DONE = 1,  // may be read until the done callback
  MR_HOST_IMMUTABLE_ZERO_COPY = 2,  // may be aliased, read only, while the buffer lives
  MR_HOST_MUTABLE_ZERO_COPY = 3,    // may be aliased and written
} mr_host_semantics;

typedef struct mr_host_array {
  const void *data;
  mr_dtype dtype;
  const int64_t *dims;
  size_t rank;
  const int64_t *byte_strides;  // NULL: dense row-major; may be zero or negative
} mr_host_array;

// done(arg) is called once, when the host memory is not needed any more (before this returns when it was copied); not
// called when this fails.
mr_status mr_buffer_from_host(mr_memory *memory, const mr_host_array *host, mr_host_semantics semantics,
                              void (*done)(void *arg), void *arg, mr_buffer **out_buffer) MR_WARN_UNUSED;
// Copies the content, or `size` bytes from `offset`, to host memory when it is ready: here and now when it is and the copy
// is short, else on a node. *out_done NULL: done already; else a counted future owned by the caller. `byte_strides` NULL: dense.
mr_status mr_buffer_to_host(mr_buffer *buffer, void *destination, const int64_t *byte_strides,
                            mr_future **out_done) MR_WARN_UNUSED;
mr_status mr_buffer_raw_to_host(mr_buffer *buffer, void *destination, size_t offset, size_t size,
                                mr_future **out_done) MR_WARN_UNUSED;
// The same of a hold's content, which stays until that is over, and bytes into it: who holds it sees to it that nobody else
// writes there.
mr_status mr_hold_read(mr_hold *hold, size_t offset, size_t size, void *to, mr_future **out_done) MR_WARN_UNUSED;
mr_status mr_hold_write(mr_hold *hold, size_t offset, size_t size, const void *from,
                        mr_future **out_done) MR_WARN_UNUSED;
// Bytes of the host's that go to a place of the host's memory or of a block which the host addresses. Both stay the caller's to keep
// until they are there.
typedef struct mr_piece {
  mr_device *device;  // whose cores copy them
  const char *name;   // for traces; static storage
  void *to;
  const void *from;
  size_t bytes;
  mr_dtype dtype;  // of what is narrower than a byte the bits above are cleared
  // Optional. Brings them there in another order, over the cores of `group`, in place of a copy.
  void (*move)(void *argument, mr_group *group);
  void *argument;
} mr_piece;
// Whether so few are there before another thread has woken up.
bool mr_piece_is_short(size_t bytes);
void mr_piece_copy_now(const mr_piece *piece);
// On a node of the device's, after those futures, which live until they are set. *out_done is a counted future.
mr_status mr_piece_send(const mr_piece *piece, mr_future *const *after, size_t num_after,
                        mr_future **out_done) MR_WARN_UNUSED;
// A fresh buffer with the same content in any memory of the platform, its own included.
mr_status mr_buffer_copy_to(mr_buffer *buffer, mr_memory *memory, mr_buffer **out_buffer) MR_WARN_UNUSED;
// The buffer itself, retained, where the host addresses its memory; else a fresh one with the same content in host memory of
// its device.
mr_status mr_buffer_on_host(mr_buffer *buffer, mr_buffer **out_buffer) MR_WARN_UNUSED;

// Dense row-major copy between strided host layouts, for transfers and tests. Strides are in bytes.
void mr_copy_strided(void *to, const int64_t *to_strides, const void *from, const int64_t *from_strides,
                     const int64_t *dims, size_t rank, size_t element_bytes);
// The same over the cores of `group` (NULL: this thread) when it is large.
void mr_copy_strided_over(mr_group *group, void *to, const int64_t *to_strides, const void *from,
                          const int64_t *from_strides, const int64_t *dims, size_t rank, size_t element_bytes);
// memcpy for large blocks, over the cores of `group` (NULL: this thread).
void mr_copy_bytes(mr_group *group, void *to, const void *from, size_t size);

#endif
