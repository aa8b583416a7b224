// Thresholds of devices/, each with where it comes from.
#ifndef MR_DEVICES_TUNING_H
#define MR_DEVICES_TUNING_H

// One core copies about 10 bytes a nanosecond here (perf/devices); used to estimate what a copy costs.
#define MR_COPY_BYTES_PER_NS 10
// The same between two orders of dimensions: 1 to 4 here.
#define MR_COPY_STRIDED_BYTES_PER_NS 2
// Squares of this side are copied between two orders: their lines fit in the cache and are used in full.
#define MR_COPY_SQUARE 32
// A piece of a parallel copy: long enough that handing it out does not matter (50 us), short enough to balance.
#define MR_COPY_TILE ((size_t)512 << 10)
// Below this one core is done before another one has woken up (30 us).
#define MR_COPY_PARALLEL ((size_t)2 << 20)
// Copies to the host up to this size run on the calling thread, longer ones on a node (100 us).
#define MR_COPY_INLINE ((size_t)1 << 20)
// Copies from the host up to this size likewise: the caller has the array in its cache, and waits less than for a worker.
#define MR_COPY_IN_INLINE ((size_t)16 << 20)
// Pieces of what is filled bit by bit likewise: so much took 120 to 170 us within the call, and handing it over 1 to 6 us of the caller's and 10
// to 30 us until a worker had begun. Pieces of 64 KiB, as perf/pjrt/transfer.c has them, take 9.
#define MR_PIECE_INLINE ((size_t)1 << 20)

// So many calls a device may have under way before the host is held up, as on XLA:CPU, and so many MB may they hold. 800 steps of 20 ms that
// were fed 4 MiB each held 2.2 GB without; a step that waits for the host costs what a wake-up does, some 10 us. The bytes are there for
// large batches: 32 of 100 MB would be 3 GB.
#define MR_ADMISSION_CALLS 32
#define MR_ADMISSION_MB 1024
// Who waits goes on when so few are left, whatever they hold.
#define MR_ADMISSION_RESUME_CALLS 2
// Blocks below this size do not count: two atomic additions for each are more than what is learned.
#define MR_ADMISSION_BLOCK ((size_t)64 << 10)
// How often who waits looks whether anything is at work, and how long after an end it still waits for what is inside the host's code: as long as
// such a call may well take, and short enough where that call waits for this thread.
#define MR_ADMISSION_LOOK_NS ((uint64_t)1000000)
#define MR_ADMISSION_PATIENCE_NS ((uint64_t)100000000)
// A device that is let go of is waited for so long after its last end, should what is at work be another's.
#define MR_ADMISSION_DRAIN_NS ((uint64_t)60000000000)

// What reads a block of at least this size goes where it was written: about a core's second-level cache, below which a copy from
// another socket is over sooner than another thread has woken up. Chosen, not measured: this machine is one place.
#define MR_NEAR_BYTES ((size_t)1 << 20)

// A reading of the machine's figures (50 us) is good for an eighth of what it found, and for a tenth of a second: others take
// memory as well. So much stays for them: a 64th of the limit, at most what a busy system's reserves come to.
#define MR_BUDGET_CREDIT_PART 8
#define MR_BUDGET_CREDIT_NS ((uint64_t)100000000)
#define MR_BUDGET_MARGIN_PART 64
#define MR_BUDGET_MARGIN_MAX ((uint64_t)256 << 20)

// From here on the rounding of a block to huge pages costs less than a quarter of it.
#define MR_POOL_LARGE ((size_t)8 << 20)
// Free blocks of at least this size are counted, which takes two atomic additions (10 ns; writing such a block: 25 us), and go
// back to the system one by one; those between the two go back uncounted; smaller ones stay.
#define MR_POOL_COUNTED ((size_t)256 << 10)
#define MR_POOL_DECAYS ((size_t)16 << 10)
// While so much at most is free nothing is given back for the sake of the peak, nor while all that is held is within this part
// of the most that was ever in use at once. Free blocks of this age, half a second at least, are the first to go then.
#define MR_POOL_MOMENT_ROUNDS 2
#define MR_POOL_SLACK ((uint64_t)64 << 20)
#define MR_POOL_SLACK_PART 32
// For so many rounds at most younger ones stay when they are wanted again at once: a minute.
#define MR_POOL_GENEROUS_ROUNDS 120

#endif
