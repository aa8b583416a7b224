// ocl: what the files of this folder know of one another.
//
//   device.c    the table of functions, making and ending devices
//   memory.c    blocks
//   program.c   units of code, kernels
//   submit.c    work that comes in, and what it waits for
//   enqueue.c   work that goes into a queue
//   times.c     what queues did, in traces
//   command.c   what is in a queue: its end, and the end of the device
//   watch.c     who looks whether it ends, and the end of the process
//
// Locks: one for the process, mr_ocl_lock(), for lists of a few pointers. No function of OpenCL is called with it: any of them may
// run callbacks on the calling thread.
#ifndef MR_DEVICES_OPENCL_OCL_H
#define MR_DEVICES_OPENCL_OCL_H

#include "devices/host/pool.h"
#include "devices/opencl/discover.h"
#include "devices/registry.h"

typedef struct mr_ocl_device mr_ocl_device;
typedef struct mr_ocl_command mr_ocl_command;
typedef struct mr_ocl_block mr_ocl_block;
typedef struct mr_ocl_program mr_ocl_program;

// Copies have a queue for each direction, so that they go on beside kernels.
typedef enum mr_ocl_queue { MR_OCL_COMPUTE, MR_OCL_IN, MR_OCL_OUT, MR_OCL_QUEUES } mr_ocl_queue;

enum { MR_OCL_CLASSES = 320 };  // of blocks, by size: eight for each power of two

struct mr_ocl_device {
  mr_device base;
  const mr_ocl_info *info;
  mr_target target;
  mr_figures figures;
  bool items;   // kernels are in the form for many items
  bool shared;  // blocks are fine-grain shared virtual memory, else cl_mem
  cl_context context;
  cl_command_queue queues[MR_OCL_QUEUES];
  char options[256];  // of builds
  // Memory.
  mr_pool_account account;
  uint64_t limit;                      // of bytes
  _Atomic(uint64_t) held, peak_held;   // of all blocks, those kept for the next use included
  mr_ocl_block *kept[MR_OCL_CLASSES];  // with the lock
  uint64_t kept_bytes;                 // likewise
  // Commands, with the lock.
  mr_ocl_command *first;  // that are not over
  // Whose futures are set, and that are to be let go of. Changed with the lock, and relaxed, as it is what orders; who reads it without
  // sees it sooner or later.
  _Atomic(mr_ocl_command *) ended;
  mr_ocl_program *programs;
  mr_ocl_device *next;   // of all devices, with the lock
  uint32_t visitors;     // who goes through all devices and is at this one: it stays; likewise
  mr_status why;         // owned: what it was lost by
  uint64_t given_up_ns;  // 0: not
  uint64_t last_end_ns;  // of a command
  uint64_t patience_ns;  // with work that does not end, once given up
  _Atomic(bool) lost;
  // Of traces; NULL: no times are kept.
  struct mr_trace_track *tracks[MR_OCL_QUEUES];
  int64_t clock_offset_ns;  // our clock less the device's
  uint64_t origin_ns, origin_ticks;
};

static inline mr_ocl_device *mr_ocl_cast(const mr_device *device) {
  return MR_CONTAINER_OF((uintptr_t)device, mr_ocl_device, base);
}

// ---- Life -----------------------------------------------------------------------------------------------------------

void mr_ocl_lock(void);
void mr_ocl_unlock(void);
// After the runtimes are there: what is in queues is waited for when the process exits, and nothing is called in children of it.
void mr_ocl_install_hooks(void);
// No function of OpenCL is to be called any more: in the child of a process that has used it, and when the process exits.
bool mr_ocl_is_over(void);
// UNAVAILABLE when the device is lost, or OpenCL is over.
mr_status mr_ocl_check(mr_ocl_device *device) MR_WARN_UNUSED;
// What a call that failed comes to: RESOURCE_EXHAUSTED, INTERNAL for wrong arguments, and else the device is lost.
mr_status mr_ocl_failed(mr_ocl_device *device, const char *function, const char *name, cl_int code) MR_WARN_UNUSED;
// Nothing works on the device any more: what is in its queues ends with the first reason.
void mr_ocl_lose(mr_ocl_device *device, mr_status take_why);
void mr_ocl_add_device(mr_ocl_device *device);
// When it is back nobody looks at the device any more who does not work on it.
void mr_ocl_remove_device(mr_ocl_device *device);
// Somebody looks after what is pending, and after what is kept, twice a second from now on.
void mr_ocl_watch_later(void);
// Around a build: the process does not exit in the middle of it.
void mr_ocl_compile_begin(void);
void mr_ocl_compile_end(void);

// Times of queues in traces: once the queues are there; of a command that has ended well.
void mr_ocl_times_open(mr_ocl_device *device);
void mr_ocl_times_note(const mr_ocl_command *command);

// ---- Memory ---------------------------------------------------------------------------------------------------------

struct mr_ocl_block {
  mr_ocl_device *device;
  void *data;  // shared virtual memory
  cl_mem memory;
  uint64_t bytes;   // of the class
  uint32_t number;  // of the class
  uint32_t age;     // rounds of tidying up without a use
  size_t asked;
  mr_ocl_block *next;
};

mr_status mr_ocl_allocate(mr_memory *memory, size_t size, mr_storage **out_storage) MR_WARN_UNUSED;
// The block of a storage, when it is this device's; NULL: it lies in the host's memory.
mr_ocl_block *mr_ocl_block_of(const mr_ocl_device *device, const mr_storage *storage);
// Frees blocks that nobody uses. Returns whether there were any.
bool mr_ocl_trim(mr_ocl_device *device, uint32_t at_least_age);

// ---- Programs -------------------------------------------------------------------------------------------------------

enum { MR_OCL_SPARE_KERNELS = 4 };
typedef struct mr_ocl_kernel {
  mr_device_kernel base;
  mr_ocl_program *program;
  size_t group_size;   // items of a group at most, where each does a tile
  size_t group_items;  // that do a tile together, as the text says; 0: one does
  // Arguments are a kernel object's, and setting them is no business of two threads: who launches takes one out.
  //
  // States of mr_ocl_kernel.spare:
  //
  //   NULL --mr_ocl_kernel_give_back()--> object --mr_ocl_kernel_take()--> NULL
  //
  //   who                  operation              order, and with what it pairs                               at once
  //   who has launched     swap, NULL -> object   release of what it did to the object; it fails where it is  everybody
  //                                               full
  //   who launches, who    exchange, any -> NULL  acquire, of that                                            everybody
  //   releases the kernel
  _Atomic(cl_kernel) spare[MR_OCL_SPARE_KERNELS];
} mr_ocl_kernel;

mr_status mr_ocl_load_kernel(mr_device *device, const mr_kernel_code *code,
                             mr_device_kernel **out_kernel) MR_WARN_UNUSED;
void mr_ocl_release_kernel(mr_device_kernel *take_kernel);
mr_status mr_ocl_kernel_take(mr_ocl_kernel *kernel, cl_kernel *out_object) MR_WARN_UNUSED;
void mr_ocl_kernel_give_back(mr_ocl_kernel *kernel, cl_kernel take_object);

// ---- Commands -------------------------------------------------------------------------------------------------------

struct mr_ocl_command {
  mr_future done;    // counted
  mr_future placed;  // set when it is in its queue, or over
  mr_ocl_device *device;
  mr_device_work work;  // its regions are behind the struct, where somebody needs them later
  unsigned float_mode;
  mr_ocl_queue queue;
  // Written before `placed` is set.
  cl_event event;      // NULL: nothing to wait for
  cl_event map_event;  // of a call: the one before
  bool is_call;
  // Work that comes before this and is not over, retained.
  mr_ocl_command **before;
  uint32_t num_before;
  uint32_t bytes;  // of the struct, for the pool
  // With the lock. Listed: in the device's list, with a reference to it and one to the platform; whoever takes it out of there ends
  // it. Armed: a callback is to come, which has the ticket.
  bool listed, armed, seen_complete;
  _Atomic(bool) concluded;  // armed as soon as it is listed, whatever was to follow
  mr_ocl_command *next, *previous;
  uint64_t since_ns;  // when it was listed
  uint64_t ticket;
  // When it is over.
  mr_task telling;
  mr_waiter in_turn;  // where it never was in a queue: behind what comes before it
  mr_status verdict;
  cl_int result;
  void **mapped;  // of a call: addresses by region
};

mr_status mr_ocl_submit(mr_device *device, const mr_device_work *work, mr_future *const *after, size_t num_after,
                        mr_future **out_done) MR_WARN_UNUSED;

// With one reference, the caller's.
mr_status mr_ocl_command_create(mr_ocl_device *device, const mr_device_work *work, size_t num_before,
                                bool keeps_regions, mr_ocl_command **out_command) MR_WARN_UNUSED;
// The command of a future, if it is one of this kind's that is not over.
mr_ocl_command *mr_ocl_command_of(mr_future *future);
// It has an event: from here on it ends once, with what the runtime says of that, or with the device.
mr_status mr_ocl_command_list(mr_ocl_command *command) MR_WARN_UNUSED;
void mr_ocl_conclude(mr_device *device, mr_future *const *futures, size_t num_futures);
// The runtime tells of its end, from when it is listed on. Somebody has a reference, and keeps the device. Nothing happens when it is over
// already, or armed.
void mr_ocl_command_arm(mr_ocl_command *command);
// Out of its device's list, with the lock: who does that ends it.
void mr_ocl_command_take_over(mr_ocl_command *command);
// To be ended by a worker of the device, which may be through with it, and with the platform, before it has quite been handed over.
void mr_ocl_command_hand_over(mr_ocl_command *command);
// The list of what has ended and is to be let go of.
mr_ocl_command *mr_ocl_take_ended(mr_ocl_device *device);
// Lets go of what has ended. Somebody keeps the platform.
void mr_ocl_collect(mr_ocl_device *device);
// It is over, and never was in a queue: futures are set.
void mr_ocl_command_fail(mr_ocl_command *command, mr_status take_status);

// Into the command's queue, behind what it comes after.
mr_status mr_ocl_enqueue(mr_ocl_command *command) MR_WARN_UNUSED;
// Of a call: the memory becomes the host's, the function is called, the memory goes back.
mr_status mr_ocl_call_begin(mr_ocl_command *command) MR_WARN_UNUSED;
// *out_goes_on: it is in the queue again, to give the memory back.
mr_status mr_ocl_call_run(mr_ocl_command *command, bool *out_goes_on) MR_WARN_UNUSED;

#endif
