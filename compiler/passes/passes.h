// passes: rewriting a verified module into the smaller set of ops that the back ends know. After mr_passes_run only the
// entry function is left, and of the ops there is:
//   no call, composite, if, tuple, Shardy op or one-device collective; no chlo op that has neither a native form nor a
//   decomposition; no elementwise function of complex numbers beyond arithmetic; no op whose operands are constants and
//   that is cheap to compute here.
//
// Threads: a module belongs to one thread. Errors: UNIMPLEMENTED naming the op that cannot be rewritten,
// RESOURCE_EXHAUSTED when the program grows beyond what the module may take. A failed pass leaves a module that can only
// be released. Passes keep the module valid: in debug builds the pipeline verifies it after each.
//
//   MR_TRY(mr_read_program(bytes, &module));
//   MR_TRY(mr_module_verify(module));
//   MR_TRY(mr_passes_run(module));
#ifndef MR_COMPILER_PASSES_PASSES_H
#define MR_COMPILER_PASSES_PASSES_H

#include "compiler/ir/ir.h"

mr_status mr_passes_run(mr_module *module) MR_WARN_UNUSED;

// Calls, composites and inlined regions into the entry function, where sizes that the program left open become known (mr_pass_sizes);
// other functions are removed.
mr_status mr_pass_inline(mr_module *module) MR_WARN_UNUSED;
// The same without the bodies of manual computations, for a program that is to be partitioned.
mr_status mr_pass_inline_calls(mr_module *module) MR_WARN_UNUSED;
// Sizes that the program left open, where the parameters' are known, in the entry function that has been inlined. What the program
// asserts of them is INVALID_ARGUMENT where it does not hold.
mr_status mr_pass_sizes(mr_module *module) MR_WARN_UNUSED;
// Conversions from bf16 to f32 take what stands right in front of them before it was rounded, unless the program rounds all steps.
mr_status mr_pass_excess(mr_module *module) MR_WARN_UNUSED;
// Control dependencies become the order of the ops.
mr_status mr_pass_order(mr_module *module) MR_WARN_UNUSED;
// Values that only pass through: barriers, sharding annotations, tuples, identity custom calls.
mr_status mr_pass_forward(mr_module *module) MR_WARN_UNUSED;
// Only casts between dialects and tuples, for a program that is to be partitioned.
mr_status mr_pass_forward_plain(mr_module *module) MR_WARN_UNUSED;
// Arithmetic of quantised types into arithmetic of what they stand for; afterwards no type is quantised.
mr_status mr_pass_quantize(mr_module *module) MR_WARN_UNUSED;
// Rare ops into common ones.
mr_status mr_pass_decompose(mr_module *module) MR_WARN_UNUSED;
// Functions of complex numbers into functions of their parts.
mr_status mr_pass_complex(mr_module *module) MR_WARN_UNUSED;
// Local rewrites: identities of arithmetic and of moving ops, constants of known value. One sweep, operands first.
mr_status mr_pass_simplify(mr_module *module) MR_WARN_UNUSED;
// The little of it that a program goes through before it is partitioned.
mr_status mr_pass_simplify_plain(mr_module *module) MR_WARN_UNUSED;
// What a loop carries twice is carried once, what all branches take from outside is taken there.
mr_status mr_pass_alike(mr_module *module) MR_WARN_UNUSED;
// Choices between an array and updates of it, and sums of an array and a window, become updates of what changes.
mr_status mr_pass_update(mr_module *module) MR_WARN_UNUSED;
// Rounds after which arrays that change places are back at their own are made together.
mr_status mr_pass_rounds(mr_module *module) MR_WARN_UNUSED;
// What a loop computes anew each round to the same end moves in front of it.
mr_status mr_pass_hoist(mr_module *module) MR_WARN_UNUSED;
// Equal ops are computed once.
mr_status mr_pass_cse(mr_module *module) MR_WARN_UNUSED;
// Ops, loop values and branch results that nobody needs.
mr_status mr_pass_dce(mr_module *module) MR_WARN_UNUSED;

#endif
