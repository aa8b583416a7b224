// matmul_bf16: products of bf16 matrices on processors that have instructions for them, through oneDNN's matmul primitive.
// Private to ops/library.
#ifndef MR_OPS_LIBRARY_MATMUL_BF16_H
#define MR_OPS_LIBRARY_MATMUL_BF16_H

#include "ops/library/library.h"

// This processor multiplies bf16 faster than f32.
bool mr_bf16_is_native(void);
// a and b bf16, c bf16 or f32, strides as mr_matmul_supports() wants them. Works on any processor oneDNN has bf16 for, slowly
// where it emulates it.
mr_status mr_matmul_bf16_create(const mr_matmul_desc *desc, mr_library_call **out_call) MR_WARN_UNUSED;

#endif
