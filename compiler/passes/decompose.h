// decompose: the rewrites of rare ops, one file per family. Private to compiler/passes. Each has the form of mr_rewrite and
// leaves ops of other kinds alone.
#ifndef MR_COMPILER_PASSES_DECOMPOSE_H
#define MR_COMPILER_PASSES_DECOMPOSE_H

#include "compiler/passes/rewrite.h"

mr_status mr_decompose_einsum(mr_op *op, bool *out_changed) MR_WARN_UNUSED;
mr_status mr_decompose_batch_norm(mr_op *op, bool *out_changed) MR_WARN_UNUSED;
mr_status mr_decompose_collective(mr_op *op, bool *out_changed) MR_WARN_UNUSED;
mr_status mr_decompose_random(mr_op *op, bool *out_changed) MR_WARN_UNUSED;
mr_status mr_decompose_scan(mr_op *op, bool *out_changed) MR_WARN_UNUSED;
mr_status mr_decompose_ragged_dot(mr_op *op, bool *out_changed) MR_WARN_UNUSED;
// Of single bits, and between complex types.
mr_status mr_decompose_bitcast(mr_op *op, bool *out_changed) MR_WARN_UNUSED;
mr_status mr_decompose_map(mr_op *op, bool *out_changed) MR_WARN_UNUSED;
// Qr and products of Householder reflectors.
mr_status mr_decompose_custom_call(mr_op *op, bool *out_changed) MR_WARN_UNUSED;
// Ops that take their shape as operands, once these are constants or the result type is static. Also asked by simplify.
mr_status mr_decompose_dynamic(mr_op *op, bool *out_changed) MR_WARN_UNUSED;

#endif
