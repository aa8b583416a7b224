// carry: copies to, from and between memories that the host does not address, with what they need on the way. Of use inside
// devices/ alone.
//
// Threads: any.
#ifndef MR_DEVICES_CARRY_H
#define MR_DEVICES_CARRY_H

#include "devices/devices.h"

// Where the elements of a host array lie.
typedef struct mr_host_layout {
  mr_dtype dtype;
  bool contiguous;
  size_t bytes;  // dense
  size_t rank;
  int64_t dims[MR_MAX_RANK], strides[MR_MAX_RANK], dense[MR_MAX_RANK];
} mr_host_layout;

// One copy. What it names it takes over, also when it fails to begin; NULL where there is no such thing.
typedef struct mr_carry {
  mr_hold *source;                // the content of a buffer, from `from.offset` on,
  mr_region from;                 // or a block's,
  const void *host_from;          // or the host's memory
  mr_storage *target;             // a reference to the block in `to`
  mr_region to;                   // to this block,
  mr_hold *into;                  // or the content of a buffer, to `to.offset` and on,
  void *host_to;                  // or the host's memory
  mr_storage *staging;            // host memory that host_from is in, or that is needed on the way
  const mr_host_layout *strided;  // how host_to is laid out when not densely; borrowed
  size_t bytes;
  void (*done)(void *arg);  // called when it is over, if it ever began; may be NULL
  void *arg;
} mr_carry;

// The node of a copy, to be submitted when it may begin, or released: then `done` is not called.
mr_status mr_carry_create(mr_carry *carry, mr_device *device, mr_node **out_node) MR_WARN_UNUSED;
// Submits it, to begin after the source's future and those of `after`. The future is counted.
mr_status mr_carry_begin(mr_carry *carry, mr_device *device, mr_future *const *after, size_t num_after,
                         mr_future **out_done) MR_WARN_UNUSED;

#endif
