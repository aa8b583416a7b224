// host_calls: steps of the host that are no library's: those that compare and fail, and where random numbers start. Private to
// compiler/choose.
//
// Threads: as the module's. Ownership: a call is the caller's, until mr_library_call_destroy. Errors: INVALID_ARGUMENT with what is
// wrong with the op; *out_call is NULL then.
#ifndef MR_COMPILER_CHOOSE_HOST_CALLS_H
#define MR_COMPILER_CHOOSE_HOST_CALLS_H

#include "compiler/choose/choose.h"
#include "compiler/ir/calls.h"

// For the custom call of that name: INVALID_ARGUMENT with the assertion's message when its first operand is false.
mr_status mr_choose_shape_assertion(const mr_op *op, mr_library_call **out_call) MR_WARN_UNUSED;
// For the custom call that the lowering of `rng` makes.
mr_status mr_choose_rng_state(const mr_op *op, mr_library_call **out_call) MR_WARN_UNUSED;

#endif
