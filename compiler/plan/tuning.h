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
// A loop that counts, in a kernel, that takes no longer than this does not look whether it is to stop: scans of some hundred steps would take 5%
// longer.
#define MR_PLAN_SOON_NS 20000000
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

// Constants from so many bytes on are looked for among those of other programs, and are one block with theirs where they are equal: the sizes of a
// model, and its versions, have their weights in common. Below, a block of its own costs more than it saves.
#define MR_PLAN_COMMON_BYTES (64 << 10)

// Texts: so many kernels, or bytes of them, are one unit. A driver builds a unit on one core.
#define MR_PLAN_UNIT_KERNELS 128
#define MR_PLAN_UNIT_BYTES (1 << 20)
// As MR_INLINE_CONTROL_NS where a round of a loop costs a look from the host, which takes 40 to 100 us on CPU runtimes; and where one
// item is a small part of the device.
#define MR_INLINE_CONTROL_FAR_NS 200000
#define MR_INLINE_CONTROL_ITEMS_NS 2000

#endif
