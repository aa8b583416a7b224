// simplify: what fold.c and the rewrites of one op share. Private to compiler/passes.
//
// Threads and ownership: the module's. NULL says that nothing is known, or that memory is short, which the module remembers.
#ifndef MR_COMPILER_PASSES_SIMPLIFY_H
#define MR_COMPILER_PASSES_SIMPLIFY_H

#include "compiler/passes/rewrite.h"

// The constant an op comes to when its operands are constants and working it out here is cheap and exact; else NULL.
mr_value *mr_fold(mr_op *op);
// An equal but simpler value for the op's one result, possibly made of new ops before it; NULL: none is known. One function
// per name in the simplify column of ops.def (simplify_math.c, simplify_move.c, simplify_dot.c, simplify_index.c).
typedef mr_value *(*mr_simplify_rule)(mr_op *op);
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           ...)                                                                                                     \
  mr_value *mr_simplify_##simplify(mr_op *op);
#include "ops/ops.def"
mr_value *mr_simplify_transposed_dot(mr_op *op);  // a transpose of a contraction

// Results that were declared with sizes that are not known have those that follow from the operands, as far as they do (sizes.c).
mr_status mr_refine_sizes(mr_op *op) MR_WARN_UNUSED;
// A custom call that asserts something of sizes, or has its results' shapes as operands; an op that asks for a size.
mr_status mr_refine_op(mr_op *op, bool *out_changed) MR_WARN_UNUSED;

// What select(p, x, 0) + select(p, 0, x) is, in either order; NULL: these are no such sum.
mr_value *mr_sum_of_choices(const mr_value *left, const mr_value *right);

// Every element of the constant is this number (for floats by value and sign of zero).
bool mr_is_splat_of(const mr_value *value, double number);
bool mr_are_zero(mr_ints ints);  // all of them
// The entries of a constant list or scalar of integers.
bool mr_constant_ints(const mr_value *value, size_t count, int64_t *out);
// How many windows the indices of a gather or scatter ask for, of which dimension `vector_dim` is one place, or none has that rank.
int64_t mr_count_windows(const mr_type *indices, int64_t vector_dim);
// Where the one window begins that the indices of a gather or scatter ask for: a scalar for each of the array's `rank` dimensions, those of
// `map` out of the indices, 0 in the others. NULL among them when memory is short.
void mr_starts_of_window(mr_builder *b, mr_value *indices, mr_ints map, uint32_t rank, mr_value **out_starts);
// Whether a scatter puts what comes in place of what was there, of one array.
bool mr_scatter_stores(const mr_op *op);
// By what operation of two operands what was there and the update become one; MR_OP_COUNT: by none that an op beside it would do as well.
mr_op_kind mr_scatter_combines_by(const mr_op *op);
// Whether a scatter to one array has one window, of what size for each of the array's dimensions. Its update has as many elements.
bool mr_scatter_window(const mr_op *op, int64_t *out_sizes);

#endif
