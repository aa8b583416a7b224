// Thresholds of the plan, each with where it comes from.
#ifndef MR_COMPILER_PLAN_TUNING_H
#define MR_COMPILER_PLAN_TUNING_H

// An execution whose arguments are ready runs on the calling thread when it costs less than this: waking a worker and being
// woken again costs 40 to 60 us on a virtual machine.
#define MR_EXECUTE_INLINE_NS 150000
// A kernel is spread over the group's cores from this cost on; below it the other core would arrive too late.
#define MR_KERNEL_PARALLEL_NS 40000
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

// Of the executions of one program a trace looks at the first and every 64th closely: their steps are recorded even where they
// are brief (MR_TRACE_BRIEF_NS), and their end is looked at.
#define MR_TRACE_CLOSE_LOOKS 64
// After the 64th, one record in a trace stands for so many executions of a program that is brief itself. A record each added
// 45 to 60 ns to a call of `x + 1` on f32[128] from JAX, which takes 3.7 us; tracing may cost 1%.
#define MR_TRACE_THINNING 8

#endif
