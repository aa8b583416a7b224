// fenced: a device for tests. It computes as the CPU does, in memory that nobody else can touch: storage->data is an address at
// which every access dies, and the block is elsewhere. Its work is done on a thread of its own, late and out of order as far as
// `after` allows. What is freed is unmapped, and what lies beside a block cannot be touched either.
//
// MILLRACE_FENCED_DELAY_US: how long work waits at most before it begins (50).
#ifndef MR_DEVICES_FENCED_FENCED_H
#define MR_DEVICES_FENCED_FENCED_H

#include "devices/registry.h"

extern const mr_device_kind mr_fenced_kind;

#endif
