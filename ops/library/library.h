// library: contractions and convolutions, behind one kernel signature. A call is made once per compile and run many times.
//
// Threads: a call is immutable and may run on many threads at once. Its work is cut into tiles that mr_parallel_for() spreads
// over a group; no library underneath starts threads of its own.
// Buffers are dense with the strides the descriptor gives (in elements); they do not overlap.
//
//   mr_matmul_desc desc = {.a = MR_F32, .b = MR_F32, .c = MR_F32, .batch = 1, .m = 64, .n = 64, .k = 64,
//                          .a_stride = {4096, 64, 1}, .b_stride = {4096, 64, 1}, .c_stride = {4096, 64, 1}};
//   MR_TRY(mr_matmul_create(&desc, &call));
//   MR_TRY(call->run(call, (void *const[]){a, b, c}, scratch, group));
#ifndef MR_OPS_LIBRARY_LIBRARY_H
#define MR_OPS_LIBRARY_LIBRARY_H

#include <stdatomic.h>

#include "collective/collective.h"
#include "core/core.h"
#include "devices/devices.h"

typedef struct mr_library_call mr_library_call;
struct mr_library_call {
  // buffers: inputs in the descriptor's order, then the output. `scratch`: scratch_bytes, 64-byte aligned, for this run alone.
  mr_status (*run)(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group);
  // Optional, used instead of run: `contents` says what each buffer holds, so that something derived from an input that is
  // the same in the next call (packed weights) can be kept.
  mr_status (*run_identified)(const mr_library_call *call, void *const *buffers, const mr_content *contents,
                              void *scratch, mr_group *group);
  // Optional, used instead of run: begins the call, whose buffers and scratch stay as long as it lasts; the array of them only
  // while this is called. *out_done NULL: it is over; else a counted future, the caller's.
  mr_status (*start)(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group,
                     mr_future **out_done);
  // Not NULL: used instead of all these, when the devices of a group have come to it. Owned.
  mr_collective *meets;
  void (*destroy)(mr_library_call *call);
  // It calls the host: it wants what finds the execution's context, on a thread of ours, and memory that the host addresses; and
  // it may take any time.
  bool calls_host;
  // It goes into a library that is not ours, which the process's end waits for (core/ending.h); who runs it sees to that.
  bool foreign;
  _Atomic(bool) ran;  // once at least; relaxed: a hint
  size_t scratch_bytes;
  uint64_t cost_ns;   // one core's estimate, by which the call may cut its work in pieces
  uint64_t takes_ns;  // a nearer one that decides about nothing in the call; 0: none
  uint64_t flops;
  const char *name;  // "matmul", for traces
};
static inline void mr_library_call_destroy(mr_library_call *call) {
  if (call) {
    call->destroy(call);
  }
}

// c[b, m, n] = sum over k of a[b, m, k] * b[b, k, n]. Strides are {batch, row, column} in elements: rows and columns are
// m, k for a; k, n for b; m, n for c. Of row and column stride one is 1 (for c the column's), unless that size is 1.
typedef struct mr_matmul_desc {
  mr_dtype a, b, c;  // f32, f64, bf16, f16, s8, u8 -> f32, f64, bf16, f16, s32; a and b alike
  int64_t batch, m, n, k;
  int64_t a_stride[3], b_stride[3], c_stride[3];
  bool in_rows;  // several devices of this process run it at once: each needs fewer pieces
} mr_matmul_desc;
bool mr_matmul_supports(const mr_matmul_desc *desc);
mr_status mr_matmul_create(const mr_matmul_desc *desc, mr_library_call **out_call) MR_WARN_UNUSED;

enum { MR_CONV_SPATIAL = 3 };
// A convolution as StableHLO defines it. Sizes and element strides per role, whatever the dimension order in memory.
typedef struct mr_conv_desc {
  mr_dtype lhs, rhs, out;
  int spatial;                 // 0 to MR_CONV_SPATIAL
  int64_t batch, in_features;  // of the input
  int64_t out_features;        // of the kernel; the output has out_features too
  int64_t out_batch;           // batch / batch_groups
  int64_t kernel_in_features;  // in_features / feature_groups
  int64_t feature_groups, batch_groups;
  int64_t in_size[MR_CONV_SPATIAL], kernel_size[MR_CONV_SPATIAL], out_size[MR_CONV_SPATIAL];
  int64_t stride[MR_CONV_SPATIAL], pad_low[MR_CONV_SPATIAL], pad_high[MR_CONV_SPATIAL];
  int64_t lhs_dilation[MR_CONV_SPATIAL], rhs_dilation[MR_CONV_SPATIAL];
  bool reverse[MR_CONV_SPATIAL];
  bool stable_weights;  // rhs is expected to be the same array in many calls: spend on preparing it
  bool exact;           // the program asks for the highest precision: no algorithm that trades it
  // Element strides: batch or kernel-output-feature first, then feature, then spatial.
  int64_t lhs_stride[2 + MR_CONV_SPATIAL];  // batch, feature, spatial
  int64_t rhs_stride[2 + MR_CONV_SPATIAL];  // output feature, input feature, spatial
  int64_t out_stride[2 + MR_CONV_SPATIAL];  // batch, feature, spatial
} mr_conv_desc;
bool mr_conv_supports(const mr_conv_desc *desc);
mr_status mr_conv_create(const mr_conv_desc *desc, mr_library_call **out_call) MR_WARN_UNUSED;

// FAILED_PRECONDITION when MILLRACE_LIBRARY_ISA asks for instructions that this processor lacks, which are named;
// INVALID_ARGUMENT when it is no name of a set.
mr_status mr_library_check_isa(void) MR_WARN_UNUSED;

#endif
