// Thresholds of devices/, each with where it comes from.
#ifndef MR_DEVICES_TUNING_H
#define MR_DEVICES_TUNING_H

// One core copies about 10 bytes a nanosecond here (perf/devices); used to estimate what a copy costs.
#define MR_COPY_BYTES_PER_NS 10
// The same between two orders of dimensions: 1 to 4 here.
#define MR_COPY_STRIDED_BYTES_PER_NS 2
// A piece of a parallel copy: long enough that handing it out does not matter (50 us), short enough to balance.
#define MR_COPY_TILE ((size_t)512 << 10)
// Below this one core is done before another one has woken up (30 us).
#define MR_COPY_PARALLEL ((size_t)2 << 20)
// Copies to the host up to this size run on the calling thread, longer ones on a node (100 us).
#define MR_COPY_INLINE ((size_t)1 << 20)
// Copies from the host up to this size likewise: the caller has the array in its cache, and waits less than for a worker.
#define MR_COPY_IN_INLINE ((size_t)16 << 20)

// What reads a block of at least this size goes where it was written: about a core's second-level cache, below which a copy from
// another socket is over sooner than another thread has woken up. Chosen, not measured: this machine is one place.
#define MR_NEAR_BYTES ((size_t)1 << 20)

#endif
