// pool: small blocks that are made on one thread and freed on another, at a few nanoseconds each.
//
// Threads: any. A thread keeps up to two batches of each size for itself; more go to a lock-free exchange, batch by batch,
// where the threads that run out find them. Blocks are sized in half cache lines; those of whole lines begin with one. Memory stays
// with the process. Under AddressSanitizer every block is a heap block of its own.
#ifndef MR_FUTURES_POOL_H
#define MR_FUTURES_POOL_H

#include "core/core.h"

// Bytes: larger blocks are looked for among a few that were given back, up to the second; still larger ones, and those that are not
// there, come from mr_alloc_aligned().
enum { MR_POOL_MAX = 1024, MR_POOL_KEPT_MAX = 32 << 10 };

void *mr_struct_alloc(size_t size) MR_WARN_UNUSED;  // NULL when memory is short
void mr_struct_free(void *block, size_t size);      // `size` as it was asked for

#endif
