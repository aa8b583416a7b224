// What the two halves of transfers between processes share. Private to cross_host.
//
// Threads: any. Ownership: the transfers' of a client, which waits for their threads before it goes.
#ifndef MR_PJRT_CROSS_HOST_CROSS_HOST_INTERNAL_H
#define MR_PJRT_CROSS_HOST_CROSS_HOST_INTERNAL_H

#include <pthread.h>

#include "pjrt/cross_host/cross_host.h"

// Set when the client goes away; for wires.
const _Atomic(bool) *mr_pjrt_transfers_closing(const mr_pjrt_transfers *t);
// What ends whoever waits for this process, or for anything at all.
mr_status mr_pjrt_transfers_check(mr_pjrt_transfers *t, int process) MR_WARN_UNUSED;
// A thread of a transfer, which calls mr_pjrt_transfers_end() last: the transfers may be gone right after. False: there is
// none to be had.
bool mr_pjrt_transfers_start(mr_pjrt_transfers *t, void *(*run)(void *), void *argument) MR_WARN_UNUSED;
void mr_pjrt_transfers_end(mr_pjrt_transfers *t);

#endif
