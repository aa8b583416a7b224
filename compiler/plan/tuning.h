// Thresholds of the plan, each with where it comes from.
#ifndef MR_COMPILER_PLAN_TUNING_H
#define MR_COMPILER_PLAN_TUNING_H

// A loop or branch becomes one kernel when one round costs less than this: then the plan's own overhead (50 ns a step)
// would show, and no kernel in it would be spread over cores anyway.
#define MR_INLINE_CONTROL_NS 20000
// A kernel that contains a loop may not grow beyond this many instructions (code generation time).
#define MR_INLINE_CONTROL_INSTRS 20000
// Buffers up to this size that only live inside such a kernel are its own variables.
#define MR_INLINE_LOCAL_BYTES 4096
#define MR_INLINE_LOCAL_TOTAL 65536
// Carried values up to this size are variables of the kernel, loaded before the loop and stored after it.
#define MR_INLINE_CARRY_BYTES 256

// Estimates: what a step takes besides its work, a branch besides its longest side, a copy besides its bytes, and rounds of a
// loop, which is a guess: nobody knows them.
#define MR_PLAN_STEP_NS 30
#define MR_PLAN_BRANCH_NS 20
#define MR_PLAN_COPY_NS 5
// Of the estimate by the shapes alone.
#define MR_PLAN_COPY_BYTES_PER_NS 10
#define MR_PLAN_LOOP_ROUNDS 10
// A loop in a kernel that takes no longer than this does not look whether it is to stop.
#define MR_PLAN_SOON_NS 1000000
// What code generation takes for a kernel that is not in the cache, from which follows over how many cores it is spread.
#define MR_PLAN_KERNEL_COMPILE_NS 3000000
// Where a program has so many kernels, those that differ in nothing but where they read and write become equal (mr_loop_shift).
// 100,000 pieces of an array at constant offsets are 40,000 kernels, each of which LLVM took 3.5 ms for.
#define MR_PLAN_SHIFT_KERNELS 64
// A step of more buffers does not go into a kernel with a loop.
#define MR_INLINE_STEP_BUFFERS 256
// Constants of one repeated element that are kept as data: bytes of one, and of all together. Larger ones a kernel fills.
#define MR_PLAN_SPLAT_BYTES (64 << 10)
#define MR_PLAN_SPLATS_BYTES (16 << 20)

// So many temporary buffers, the largest, are placed by comparing each with all before (pack.c): 2 ms; 8192 took 30.
#define MR_PACK_COMPARED 2048
// The others: so many sizes are looked at for a free place, up to twice as large as the buffer.
#define MR_PACK_SHELVES 8
// Of a size's free places so many are looked at for one that the order of strands allows.
#define MR_PACK_LOOKS 16

// Steps that follow one another and are the same on all devices are done once when that saves so many times as long as a worker takes
// to wake up: all rows wait for them, and are handed out again.
#define MR_PLAN_ONCE_WAKES 4
// Which buffers are the same on all devices is looked for in so many passes over the steps, which are nearly always two; then none is.
#define MR_PLAN_ONCE_PASSES 16

// Where devices come to meetings at different times: about so much work is put between a meeting and what needs it, where there is some,
// several times what a worker takes to wake up. So many ops are looked at for that, and so many meetings are open at one time; what more
// would hold more memory.
#define MR_PLAN_BESIDE_NS 300000
#define MR_PLAN_BESIDE_OPS 256
#define MR_PLAN_BESIDE_MEETINGS 16
// A call of the host's takes any time; it counts as so much.
#define MR_PLAN_HOST_NS 100000

// What is believed of a device's figure for how long a worker takes to wake up, by which executions and kernels stay on the calling
// thread: it is one of many things that a hand-over costs.
#define MR_PLAN_LEAST_WAKE_NS 15000.0
#define MR_PLAN_MOST_WAKE_NS 120000.0
// Kernels that are estimated to take between the two are timed when they run first: estimates of 5 us were seen for what takes 40 (a
// thread's wake-up), and of 400 us for what takes 35. What is longer is shared out either way.
#define MR_PLAN_LEARN_LEAST_NS 5000
#define MR_PLAN_LEARN_MOST_NS 1000000
// Strands. What handing over takes at most while units look for work: a few microseconds, or a wake-up when there has been none for a
// while. By the 100 us that a wake-up may take, eight experts of products of 50 us were 14 strands with 261 us on the longest way; so they
// are 20 with 156. And what a strand takes besides its steps.
#define MR_PLAN_HANDOVER_NS 25000
#define MR_PLAN_STRAND_NS 700
// What has nothing to do with one another parts when a strand takes as long already, at least; and at least one part in so many of what
// each unit does.
#define MR_PLAN_QUANTUM_NS 50000
#define MR_PLAN_QUANTUM_PARTS 16
// A step that takes longer spreads over the units that have nothing else to do (compiler/run, ops/library).
#define MR_PLAN_SPREAD_NS 40000
// A program that takes less stays one straight call, and so does a round of a loop and a branch. What runs on the caller's thread
// (MR_EXECUTE_INLINE_WAKES) is over before another has woken.
#define MR_PLAN_WEAVE_NS 150000
#define MR_PLAN_WEAVE_ROUND_NS 100000
// What has to be won, of estimates that are not exact: of 100 parts, and at least, of the program and of a round of a loop. A round of
// 118 us that was to win 25, backwards through an LSTM, won nothing.
#define MR_PLAN_WIN_PERCENT 12
#define MR_PLAN_WIN_NS 25000
#define MR_PLAN_WIN_ROUND_NS 40000
// When the main sequence's strands fill the units to so many parts in 100, its loops and branches are left as they are.
#define MR_PLAN_FULL_PERCENT 75
// How often strands are made again, of parts that are worth twice as much, when there are too many of them.
#define MR_PLAN_WEAVE_TURNS 8
// Temporary memory may grow by so many parts in 100 of all that the program has, or by so much for each unit beside the first. With half a megabyte a mixture of
// experts of 1.7 MB peaked at 1.05 times of what it does as one call, and was no faster; 16 softmaxes of 64 KB want it twice.
#define MR_PLAN_MORE_PERCENT 3
#define MR_PLAN_MORE_BYTES (66 << 10)

// Texts: so many kernels, or bytes of them, are one unit. A driver builds a unit on one core.
#define MR_PLAN_UNIT_KERNELS 128
#define MR_PLAN_UNIT_BYTES (1 << 20)
// As MR_INLINE_CONTROL_NS where a round of a loop costs a look from the host, which takes 40 to 100 us on CPU runtimes; and where one
// item is a small part of the device.
#define MR_INLINE_CONTROL_FAR_NS 200000
#define MR_INLINE_CONTROL_ITEMS_NS 2000

#endif
