// lower: ops of the IR to loop programs. Anything but control flow and library calls becomes one kernel: a single op, or
// a MR_OP_fusion whose region is computed in one pass.
//
// Buffers of the program: the op's operands in order (READ), then its results in order (WRITE), then scratch. A complex
// tensor's buffer has the real type and two elements a value. A scalar is a buffer of one element.
//
// Threads: as the module's, which is only read; a lowering is one thread's at a time. Ownership: a launch and its program are the caller's, until mr_launch_deinit. Costs are
// estimates in ns of one core, sizes in bytes.
//
//   mr_lowering *lowering;
//   MR_TRY(mr_lowering_create(&lowering));
//   mr_launch launch;
//   MR_TRY(mr_lower_op(lowering, op, &launch));
//   MR_TRY(mr_kernel_compile(launch.program, &kernel));
//   mr_launch_deinit(&launch);
//   mr_lowering_destroy(lowering);
#ifndef MR_COMPILER_LOWER_LOWER_H
#define MR_COMPILER_LOWER_LOWER_H

#include "compiler/ir/ir.h"
#include "compiler/loops/loops.h"

typedef struct mr_launch {
  mr_loop_program *program;  // owned by whoever holds the launch
  int64_t range;             // parallel range is [0, range)
  int64_t grain;             // a share has at least this many
  uint64_t cost_ns;          // one core's estimate for the whole range, by the figures of the device
  uint64_t shape_ns;         // the same by the shapes alone: for what decides about results too
  uint64_t flops, bytes, transcendentals;
  // Result i is computed in place of operand inplace[i]: the kernel expects the result's buffer to hold that operand's
  // content already (dynamic_update_slice, scatter); -1: it does not.
  int *inplace;
  // Result i may share memory with operand j although the kernel reads it: bit j of may_reuse[i] (elementwise).
  uint64_t *may_reuse;
  // Scratch buffers: the program's parameters after operands and results; sizes in bytes. Contents do not survive.
  uint32_t num_scratch;
  size_t *scratch_bytes;
} mr_launch;

void mr_launch_deinit(mr_launch *launch);
// What lowerings work in, one after another: memory that is there already for all but the first.
typedef struct mr_lowering mr_lowering;
mr_status mr_lowering_create(mr_lowering **out_lowering) MR_WARN_UNUSED;
void mr_lowering_destroy(mr_lowering *lowering);  // or NULL
// UNIMPLEMENTED naming the op when no lowering exists.
mr_status mr_lower_op(mr_lowering *lowering, const mr_op *op, mr_launch *out_launch) MR_WARN_UNUSED;
// What a share of a kernel takes at least that is worth handing to another thread.
double mr_lower_share_ns(const struct mr_figures *figures);
// Whether mr_lower_op can handle the op by itself.
bool mr_lower_supports(const mr_op *op);
// Whether a reduce_window is a cumulative reduction, which is computed in one pass when it is the last op of its kernel.
bool mr_lower_is_scan(const mr_op *op);

#endif
