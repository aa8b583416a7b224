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
// What code generation takes for a kernel that is not in the cache, from which follows over how many cores it is spread.
#define MR_PLAN_KERNEL_COMPILE_NS 3000000
// A step of more buffers does not go into a kernel with a loop.
#define MR_INLINE_STEP_BUFFERS 256
// Constants of one repeated element that are kept as data: bytes of one, and of all together. Larger ones a kernel fills.
#define MR_PLAN_SPLAT_BYTES (64 << 10)
#define MR_PLAN_SPLATS_BYTES (16 << 20)

// So many temporary buffers, the largest, are placed by comparing each with all before (pack.c): 2 ms; 8192 took 30.
#define MR_PACK_COMPARED 2048
// The others: so many sizes are looked at for a free place, up to twice as large as the buffer.
#define MR_PACK_SHELVES 8

#endif
