// clc: loop programs as OpenCL C 1.2, for devices that take programs as text.
//
// A unit is the text of many kernels that are built together; in front of them it has the element functions that they call,
// and no others. The kernel of a program with the buffers 0 .. n-1:
//     kernel void ENTRY(global uchar *p0, ulong o0, ..., global uchar *pn-1, ulong on-1, long range, long share)
// where item i does the tiles [i * share, min(range, (i + 1) * share)), and a buffer begins `o` bytes behind its pointer.
// Elementwise results have the bits that machine code gives (emit.h), as far as the device's f32 division and square root
// are correctly rounded; sums whose order is free may differ.
//
//   mr_clc_unit unit = {.target = target};
//   MR_TRY(mr_clc_add(&unit, program, "k0"));
//   MR_TRY(mr_clc_finish(&unit, &text));
//   mr_clc_unit_deinit(&unit);
//
// Threads: a unit belongs to one thread.
#ifndef MR_COMPILER_CODEGEN_CLC_H
#define MR_COMPILER_CODEGEN_CLC_H

#include "compiler/loops/loops.h"
#include "devices/device.h"
#include "ops/library/library.h"

typedef struct mr_clc_unit {
  const mr_target *target;  // borrowed
  mr_text kernels;
  uint32_t num_kernels;
} mr_clc_unit;

// Appends a kernel; `entry` is an identifier of its own. UNIMPLEMENTED with a name for what the target cannot do,
// RESOURCE_EXHAUSTED when it takes more parameters or local memory than there are. The unit is then as it was.
mr_status mr_clc_add(mr_clc_unit *unit, const mr_loop_program *program, const char *entry) MR_WARN_UNUSED;
// A product of matrices, and a convolution, of the buffers a, b, c (lhs, rhs, out): blocked for vectors and caches. The range is
// that of its launch; each tile is worth a share. UNIMPLEMENTED for what it cannot do.
mr_status mr_clc_add_matmul(mr_clc_unit *unit, const mr_matmul_desc *desc, const char *entry,
                            int64_t *out_range) MR_WARN_UNUSED;
mr_status mr_clc_add_convolution(mr_clc_unit *unit, const mr_conv_desc *desc, const char *entry,
                                 int64_t *out_range) MR_WARN_UNUSED;
// The whole text, to be put into an empty `out_text`.
mr_status mr_clc_finish(const mr_clc_unit *unit, mr_text *out_text) MR_WARN_UNUSED;
void mr_clc_unit_deinit(mr_clc_unit *unit);

#endif
