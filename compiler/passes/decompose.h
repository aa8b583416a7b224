// decompose: the rewrites of rare ops, one file per family. Private to compiler/passes. Each has the form of mr_rewrite and
// is given the ops whose rows name it.
//
// Threads and ownership: the module's. Errors: UNIMPLEMENTED and INVALID_ARGUMENT that name the op, RESOURCE_EXHAUSTED.
#ifndef MR_COMPILER_PASSES_DECOMPOSE_H
#define MR_COMPILER_PASSES_DECOMPOSE_H

#include "compiler/passes/rewrite.h"

// One function per name in the rewrite column of ops.def. Among them: custom_call, for Qr and products of Householder
// reflectors; dynamic, for ops that take their shape as operands, once these are constants or the result type is static,
// which simplify asks as well.
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, ...)                                                                                            \
  mr_status mr_decompose_##rewrite(mr_op *op, bool *out_changed) MR_WARN_UNUSED;
#include "ops/ops.def"

// Of custom calls: JAX's exchange of rows (decompose_ragged.c), and eigenvalues as XLA's library asks for them (decompose_eigh.c).
mr_status mr_decompose_ragged(mr_op *op, bool *out_changed) MR_WARN_UNUSED;
mr_status mr_decompose_eigh(mr_op *op, bool *out_changed) MR_WARN_UNUSED;

mr_rewrite mr_decompose_rewrite_of(mr_op_kind kind);  // what the column says; NULL: nothing

#endif
