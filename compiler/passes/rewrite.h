// rewrite: what the passes share. Private to compiler/passes.
//
// A rewriting function gets an op, builds its replacement before it and calls mr_replace; the sweep goes on with the ops
// it made, so a rewrite may give ops that need rewriting again.
#ifndef MR_COMPILER_PASSES_REWRITE_H
#define MR_COMPILER_PASSES_REWRITE_H

#include "compiler/ir/ir.h"

// Rewrites `op` or leaves it; sets *out_changed when the op is gone or something in front of it is new.
typedef mr_status (*mr_rewrite)(mr_op *op, bool *out_changed);
// Offers every op of the entry function, regions included, to `rewrite`, in program order.
mr_status mr_sweep(mr_module *module, mr_rewrite rewrite) MR_WARN_UNUSED;

// One result: uses of op's go to `value`, op is erased. False (and nothing done) when value is NULL: no memory.
bool mr_replace(mr_op *op, mr_value *value);
// As many values as op has results.
bool mr_replace_all(mr_op *op, mr_value *const *values);

// UNIMPLEMENTED with the op's name and place.
mr_status mr_unimplemented(const mr_op *op, const char *format, ...) MR_PRINTF(2, 3) MR_WARN_UNUSED;

// Has the op an effect beyond its results?
bool mr_op_has_effect(const mr_op *op);
// Devices the program is compiled for: partitions times replicas.
int64_t mr_module_devices(const mr_module *module);

// A scalar spread over all of `type`'s dims (element type of x).
mr_value *mr_build_spread(mr_builder *b, mr_value *x, const mr_type *type);
// A vector along dimension `dim` of `type`.
mr_value *mr_build_along(mr_builder *b, mr_value *x, const mr_type *type, int64_t dim);
// Slice of one dimension: [from, to).
mr_value *mr_build_slice_dim(mr_builder *b, mr_value *x, uint32_t dim, int64_t from, int64_t to);
mr_value *mr_build_concatenate(mr_builder *b, uint32_t count, mr_value *const *values, int64_t dim);
mr_value *mr_build_iota(mr_builder *b, const mr_type *type, int64_t dim);
mr_value *mr_build_bitcast(mr_builder *b, mr_value *x, const mr_type *type);
// reduce of x over dims with one elementwise kind (add, maximum, ..).
mr_value *mr_build_reduce(mr_builder *b, mr_op_kind kind, mr_value *x, mr_value *init, mr_ints dims);
// A region of one block ends: return these.
void mr_build_return(mr_builder *b, uint32_t count, mr_value *const *values);

#endif
