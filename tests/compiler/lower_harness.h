// lower_harness: runs a function by lowering each of its ops to a kernel of its own (or each fusion, after mr_fuse), with
// plain buffers and an interpreter for control flow. Each kernel runs in several shares, as the product would split it.
#ifndef MR_TESTS_COMPILER_LOWER_HARNESS_H
#define MR_TESTS_COMPILER_LOWER_HARNESS_H

#include "compiler/ir/ir.h"
#include "compiler/lower/lower.h"

typedef struct harness {
  void **buffers;  // everything that was allocated
  size_t count, capacity;
  int shares;  // how many shares a kernel's range is cut into; 0: three
  uint64_t kernels, kernel_ns;
  bool watches;           // notes which share stores what; not for what is computed in place
  uint64_t stored_twice;  // elements that several shares have stored
} harness;

// One op in a lowering of its own.
static inline mr_status harness_lower(const mr_op *op, mr_launch *out_launch) {
  mr_lowering *lowering;
  MR_TRY(mr_lowering_create(&lowering));
  mr_status status = mr_lower_op(lowering, op, out_launch);
  mr_lowering_destroy(lowering);
  return status;
}
// inputs by argument; out_outputs by result, owned by the harness.
mr_status harness_run(harness *h, mr_function *function, void *const *inputs, void **out_outputs) MR_WARN_UNUSED;
void harness_deinit(harness *h);
// Lowers and runs one op of static shapes: operand and result buffers in order.
mr_status harness_run_op(harness *h, const mr_op *op, void **buffers) MR_WARN_UNUSED;

#endif
