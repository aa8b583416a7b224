// linalg: library calls for ops of linear algebra and Fourier transforms. Private to compiler/choose.
//
// Threads: as the module's. Ownership: a call is the caller's, until mr_library_call_destroy. Errors: those of choose.h.
#ifndef MR_COMPILER_CHOOSE_LINALG_H
#define MR_COMPILER_CHOOSE_LINALG_H

#include "compiler/choose/choose.h"

// Custom calls that need no embedder; leaves *out_call NULL for a target it does not know.
mr_status mr_choose_lapack_call(const mr_op *op, mr_library_call **out_call) MR_WARN_UNUSED;

// byte_conv.c: a convolution of bytes into integers that can be had in f32, exactly, and the op replaced by that.
bool mr_choose_is_byte_conv(const mr_op *op);
mr_status mr_choose_widen_byte_conv(mr_op *op) MR_WARN_UNUSED;

#endif
