// Thresholds of running a plan, each with where it comes from.
#ifndef MR_COMPILER_RUN_TUNING_H
#define MR_COMPILER_RUN_TUNING_H

// An execution whose arguments are ready runs on the calling thread when it costs less than so many times as long as a worker takes
// to wake up (150 us where that is 30): one is woken, and wakes who waits.
#define MR_EXECUTE_INLINE_WAKES 5
// What the node of an execution that is to begin on the calling thread says it costs: little enough to run where it is submitted.
#define MR_EXECUTE_HERE_NS 1
// What is estimated to take no longer than the first need not wait until what takes longer than the second lets go of a worker: where these have
// all workers, it is run beside them. Both were chosen and not measured: a system's threads take turns of some milliseconds.
#define MR_EXECUTE_BRIEF_NS 2000000
#define MR_EXECUTE_LENGTHY_NS 2000000
// When a program's last call into the host took longer, the next execution does not begin on the calling thread: what sleeps there
// would hold up the caller.
#define MR_HOST_SLOW_NS 100000
// A kernel is spread over the group's cores from this cost on; below it the other core would arrive too late. 40 us where a worker
// takes 30 to wake up.
#define MR_KERNEL_PARALLEL_NS(wake_ns) ((wake_ns) + (wake_ns) / 3)

// How often a kernel whose estimate is not believed runs on one core and is timed, and what it takes when once is enough.
#define MR_LEARN_LOOKS 4
#define MR_LEARN_ENOUGH_NS 1000000

// Behind each meeting so many pairs of buffers are looked at for the step that waits for it; then that is the one where the look ended.
#define MR_MEETING_LOOKS (1 << 14)
// A row goes on beside a meeting when it has so much to do before it needs that: to say later that it waits takes 20 ns for each device, with
// which loops of sums of 8 devices took 1.13 times as long when all that lay beside them was a counter.
#define MR_MEETING_BESIDE_NS 1000

// Parameters that should be the same on several devices are compared in pieces of so many bytes, at an estimate of so many in a nanosecond.
#define MR_ONCE_COMPARE_BYTES (64 << 10)
#define MR_ONCE_COMPARE_BYTES_PER_NS 8

// Of the executions of one program a trace looks at the first and every 64th closely: their steps are recorded even where they
// are brief (MR_TRACE_BRIEF_NS), and their end is looked at.
#define MR_TRACE_CLOSE_LOOKS 64
// After the 64th, one record in a trace stands for so many executions of a program that is brief itself. A record each added
// 45 to 60 ns to a call of `x + 1` on f32[128] from JAX, which takes 3.7 us; tracing may cost 1%.
#define MR_TRACE_THINNING 8

// Of a loop whose rounds are submitted without a look so many steps go to a device at once: then the strand waits for them.
#define MR_SUBMIT_AHEAD 512

// Who sleeps for the results of an execution on such a device is woken by the thread that hears of its last step, when it costs no more
// than so much, has so few results and keeps so little memory until a worker has ended it. That worker takes 20 us to wake up.
#define MR_HEAR_NS 1000000
#define MR_HEAR_RESULTS 16
#define MR_HEAR_TEMP_BYTES (1 << 20)

#endif
