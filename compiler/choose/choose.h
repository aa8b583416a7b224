// choose: which ops a library does, and the call for each. Everything else is left to generated kernels.
//
// Threads: as the module's. Ownership: a call is the caller's, until mr_library_call_destroy. Errors: UNIMPLEMENTED for a form of
// an op that neither a library nor a kernel has.
//
//   MR_TRY(mr_choose_contractions(function));   // before fusion
//   if (mr_choose_library_wants(op)) MR_TRY(mr_choose_library_call(op, &call));
#ifndef MR_COMPILER_CHOOSE_CHOOSE_H
#define MR_COMPILER_CHOOSE_CHOOSE_H

#include "compiler/ir/ir.h"
#include "ops/library/fft.h"
#include "ops/library/library.h"

// Whether the op goes to a library, and the call for it (contract.c).
bool mr_choose_library_wants(const mr_op *op);
mr_status mr_choose_library_call(const mr_op *op, mr_library_call **out_call) MR_WARN_UNUSED;
// What a dot_general, and a convolution, is as the library describes it; false: no such one.
bool mr_choose_matmul_of(const mr_op *op, mr_matmul_desc *out);
bool mr_choose_conv_of(const mr_op *op, mr_conv_desc *out);
bool mr_choose_fft_of(const mr_op *op, mr_fft_desc *out);
// The same for the ops of one name in the library column of ops.def.
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, element, root, fusion, library, ...)                                                   \
  bool mr_choose_wants_##library(const mr_op *op);                                                                  \
  mr_status mr_choose_make_##library(const mr_op *op, mr_library_call **out_call) MR_WARN_UNUSED;
#include "ops/ops.def"
// The call for a custom_call, send or recv: ours or the embedder's; NULL when nobody knows it (custom.c).
mr_status mr_choose_custom_call(const mr_op *op, mr_library_call **out_call) MR_WARN_UNUSED;
// Rewrites contractions and convolutions to forms the library takes, before fusion (contract.c).
mr_status mr_choose_contractions(mr_function *function) MR_WARN_UNUSED;

#endif
