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

// So many temporary buffers, the largest, are placed by comparing each with all before (pack.c): 30 ms.
#define MR_PACK_COMPARED 8192
// The others: so many sizes are looked at for a free place, up to twice as large as the buffer.
#define MR_PACK_SHELVES 8

#endif
