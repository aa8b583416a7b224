// Every number of this folder that was chosen by measuring.
#ifndef MR_FUTURES_TUNING_H
#define MR_FUTURES_TUNING_H

// How deep mr_future_set() may nest on one thread before it queues waiters instead of calling them. A frame of set, node
// and waiter is about 250 bytes of stack; a chain of 100000 futures then runs in 8 KiB of it.
enum { MR_FUTURE_MAX_DEPTH = 24 };

// How long a waiting thread spins before it sleeps. Waking a sleeper costs 20 to 50 us on the 2-core virtual machine this
// was measured on (an interrupt to an idle virtual core), so spinning about that long never doubles the wait.
enum { MR_FUTURE_SPIN_NS = 30000 };
// After this much of it, the core is offered to other threads between looks.
enum { MR_FUTURE_SPIN_YIELD_NS = 8000 };

// Blocks per batch that threads pass to each other through the pool: one compare-and-swap for this many.
enum { MR_POOL_BATCH = 64 };
enum { MR_POOL_CHUNK = 128 << 10 };
// Free blocks that are kept of each size above MR_POOL_MAX, of which there are 20: 806 KiB at most, when there have been as many of all.
enum { MR_POOL_KEPT = 4 };

#endif
