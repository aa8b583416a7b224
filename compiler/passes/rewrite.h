// rewrite: what the passes share. Private to compiler/passes.
//
// A rewriting function gets an op, builds its replacement before it and calls mr_replace; the sweep goes on with the ops
// it made, so a rewrite may give ops that need rewriting again.
//
// Threads and ownership: the module's. Errors: what a rewriting function returns ends the sweep.
#ifndef MR_COMPILER_PASSES_REWRITE_H
#define MR_COMPILER_PASSES_REWRITE_H

#include "compiler/ir/ir.h"

// Rewrites `op` or leaves it; sets *out_changed when the op is gone or something in front of it is new.
typedef mr_status (*mr_rewrite)(mr_op *op, bool *out_changed);
// Offers every op of the entry function, regions included, to `rewrite`, in program order.
mr_status mr_sweep(mr_module *module, mr_rewrite rewrite) MR_WARN_UNUSED;
// Whether there may be ops of these kinds.
bool mr_made_any(const mr_module *module, const mr_op_kind *kinds, size_t count);
// The same where there may be ops of these kinds, which are all that it would change: a walk over a large program costs what it takes
// to fetch it.
mr_status mr_sweep_for(mr_module *module, mr_rewrite rewrite, const mr_op_kind *kinds, size_t count) MR_WARN_UNUSED;

// One result: uses of op's go to `value`, op is erased. False (and nothing done) when value is NULL: no memory.
bool mr_replace(mr_op *op, mr_value *value);
// As many values as op has results.
bool mr_replace_all(mr_op *op, mr_value *const *values);

// Whether an addition in `block` makes this sum for one use alone: then its operands are terms of a larger sum, if that use is one more
// addition in the block.
bool mr_is_sum_for_one(const mr_value *value, const mr_block *block);
// What `rewrite` makes of a term of a sum and `addend`, before `user`; NULL: nothing.
typedef mr_value *(*mr_term_rewrite)(mr_op *user, mr_value *term, mr_value *addend);
// `user` adds `addend` to `sum`: the same with the first term that `rewrite` makes something of replaced by that. Terms are what additions
// in the block of `user` add up whose sums nobody else wants, the sum itself one of them. NULL: nothing is made of any.
mr_value *mr_sum_with_term(mr_op *user, mr_value *sum, mr_value *addend, mr_term_rewrite rewrite);

// Has the op an effect beyond its results?
bool mr_pass_sees_effect(const mr_op *op);
// A custom call `control_dep`, which says that what makes its first operand is over before what makes the second one begins.
bool mr_pass_is_control_dep(const mr_op *op);
// A custom call that stands for an op becomes that, one that gives a tuple gives its parts (twin_call.c); others are left.
mr_status mr_forward_twin_call(mr_op *op, bool *out_changed) MR_WARN_UNUSED;
// Whether two ops without effects would give equal results if they had equal operands (cse.c); of those that choose or repeat it is not said.
bool mr_ops_do_the_same(const mr_op *a, const mr_op *b);
// Devices the program is compiled for: partitions times replicas.
int64_t mr_pass_devices(const mr_module *module);

#endif
