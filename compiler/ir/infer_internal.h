// infer_internal: what the shape rules share. A rule checks operands, attributes and regions of `op` and writes the
// result types; what only the program can say (the target of a convert, a reshape's dimensions) it takes from the result
// types the op already has.
//
//   mr_status mr_rule_transpose(const mr_infer *in) {
//     mr_ints permutation;
//     MR_TRY(mr_infer_ints(in, MR_ATTR_permutation, mr_infer_type(in, 0)->rank, &permutation));
//     ...
//
// Threads: the module's. Ownership: an mr_infer borrows its op; types that are written go to the module's arena. Errors:
// INVALID_ARGUMENT that names the op and what was wanted (mr_op_error).
#ifndef MR_COMPILER_IR_INFER_INTERNAL_H
#define MR_COMPILER_IR_INFER_INTERNAL_H

#include "compiler/ir/ir.h"

typedef struct mr_infer {
  mr_module *module;
  const mr_op *op;
  mr_type *out;  // num_results
} mr_infer;

static inline const mr_type *mr_infer_type(const mr_infer *in, uint32_t i) { return &in->op->operands[i].value->type; }
static inline const mr_type *mr_infer_had(const mr_infer *in, uint32_t i) { return &in->op->results[i].type; }
static inline bool mr_dim_agrees(int64_t a, int64_t b) { return a == b || a < 0 || b < 0; }
// Operand i is a tensor; of that rank.
mr_status mr_infer_tensor(const mr_infer *in, uint32_t i) MR_WARN_UNUSED;
mr_status mr_infer_rank(const mr_infer *in, uint32_t i, uint32_t rank) MR_WARN_UNUSED;
// Operand i is an integer tensor (not i1).
mr_status mr_infer_integer(const mr_infer *in, uint32_t i) MR_WARN_UNUSED;
// Element `at` of operand i when it is a constant list of integers.
bool mr_infer_constant(const mr_infer *in, uint32_t i, uint64_t at, int64_t *out_value);
// A list attribute of exactly `count` entries; any_length: MR_ANY_LENGTH.
#define MR_ANY_LENGTH SIZE_MAX
mr_status mr_infer_ints(const mr_infer *in, mr_attr_key key, size_t count, mr_ints *out_ints) MR_WARN_UNUSED;
// As above, and every entry is a different dimension of [0, rank).
mr_status mr_infer_dims(const mr_infer *in, mr_attr_key key, size_t count, uint32_t rank,
                        mr_ints *out_ints) MR_WARN_UNUSED;
// An integer attribute in [low, high].
mr_status mr_infer_int(const mr_infer *in, mr_attr_key key, int64_t low, int64_t high, int64_t *out) MR_WARN_UNUSED;
// out[i] = a tensor of these dims; refuses dims that are negative and not dynamic, and too many.
mr_status mr_infer_result(const mr_infer *in, uint32_t i, mr_dtype dtype, uint32_t rank,
                          const int64_t *dims) MR_WARN_UNUSED;
// The result types the op has.
void mr_infer_keep(const mr_infer *in);
// Types a and b agree (mr_type_compatible); `what` says which they are.
mr_status mr_infer_match(const mr_infer *in, const mr_type *a, const mr_type *b, const char *what) MR_WARN_UNUSED;
// The op's region has so many arguments and its terminator returns so many values.
mr_status mr_infer_region_counts(const mr_infer *in, uint32_t region, uint32_t num_args,
                                 uint32_t num_results) MR_WARN_UNUSED;
// The op's region has these arguments and its terminator returns these types.
mr_status mr_infer_region(const mr_infer *in, uint32_t region, uint32_t num_args, const mr_type *args,
                          uint32_t num_results, const mr_type *results) MR_WARN_UNUSED;
// Operand i may be folded in the type of value `value` of the region (infer_reduce.c).
mr_status mr_infer_promotion(const mr_infer *in, uint32_t i, uint32_t region, uint32_t value) MR_WARN_UNUSED;
mr_status mr_infer_regions(const mr_infer *in, uint32_t count) MR_WARN_UNUSED;  // exactly that many
// Dimensions lhs[i] of operand 0 and rhs[i] of operand 1 are as long; `what` says which dimensions these are.
mr_status mr_infer_pairs(const mr_infer *in, mr_ints lhs, mr_ints rhs, const char *what) MR_WARN_UNUSED;
// Dimensions of operand 0 that go along with dimensions of the indices: as long, and used for nothing else.
typedef struct mr_index_batching {
  mr_ints operand, indices;  // the pairs
  mr_ints dropped, mapped;   // what else dimensions of the operand are used for
  int64_t index_vector;      // and the one of the indices
} mr_index_batching;
mr_status mr_infer_index_batching(const mr_infer *in, const mr_type *indices,
                                  const mr_index_batching *b) MR_WARN_UNUSED;
// Window arithmetic of one dimension, as reduce_window and convolution have it. False on overflow or nonsense.
bool mr_window_size(int64_t size, int64_t window, int64_t stride, int64_t base_dilation, int64_t window_dilation,
                    int64_t low, int64_t high, int64_t *out_size);

// One function per name in the rule column of ops.def.
typedef mr_status (*mr_infer_rule)(const mr_infer *in);
#define OP(name, spelling, operands, results, class, rule, ...) mr_status mr_rule_##rule(const mr_infer *in);
#include "ops/ops.def"

// What the verifier asks beyond shapes (verify_op.c). *inout_checked: what it keeps from one op of a walk to the next; NULL at first.
mr_status mr_verify_op(const mr_op *op, const mr_op **inout_checked) MR_WARN_UNUSED;
mr_status mr_verify_attrs(const mr_op *op) MR_WARN_UNUSED;  // verify_attrs.c
mr_status mr_verify_quant(const mr_type *type) MR_WARN_UNUSED;

// As memcpy, but rank 0 may have no dims at all.
static inline void mr_copy_dims(int64_t *to, const int64_t *from, size_t rank) {
  for (size_t i = 0; i < rank; i++) {
    to[i] = from[i];
  }
}

// The dimensions of a product, batching and contracting of the left operand and of the right one; `group` of the right one is
// in no result.
typedef struct mr_infer_dot {
  mr_ints la, lc, ra, rc, group;
} mr_infer_dot;
// Adds the result's dimensions to `dims`: those that batch, then what is free of `a` and of `b`.
mr_status mr_infer_dot_dims(const mr_infer *in, const mr_type *a, const mr_type *b, const mr_infer_dot *dot,
                            int64_t *dims, uint32_t *rank) MR_WARN_UNUSED;

#endif
