// bitcast_convert where elements are not whole bytes of one number: single bits, and complex numbers of two widths.
#include "compiler/passes/decompose.h"

// Bits become numbers, the lowest first: each shifted to its place along the last dimension, and all joined.
static mr_value *join_bits(mr_builder *b, mr_value *x, const mr_type *to) {
  mr_dtype word = mr_dtype_unsigned_of(mr_dtype_bits(to->dtype));
  mr_type wide = mr_type_with_dtype(&x->type, word), narrow = mr_type_with_dtype(to, word);
  int64_t last = (int64_t)x->type.rank - 1;
  mr_value *bits = mr_build_convert(b, x, word);
  mr_value *placed = mr_build_binary(b, MR_OP_shift_left, bits, mr_build_iota(b, &wide, last));
  mr_type scalar = mr_type_scalar(word);
  mr_value *joined = mr_build_reduce(b, MR_OP_or, placed, mr_build_splat_int(b, &scalar, 0), (mr_ints){&last, 1});
  return narrow.dtype == to->dtype ? joined : mr_build_bitcast(b, joined, to);
}

static mr_value *split_bits(mr_builder *b, mr_value *x, const mr_type *to) {
  mr_dtype word = mr_dtype_unsigned_of(mr_dtype_bits(x->type.dtype));
  mr_type narrow = mr_type_with_dtype(&x->type, word), wide = mr_type_with_dtype(to, word);
  int64_t dims[MR_MAX_RANK];
  for (uint32_t d = 0; d < x->type.rank; d++) {
    dims[d] = d;
  }
  mr_value *bits = x->type.dtype == word ? x : mr_build_bitcast(b, x, &narrow);
  mr_value *spread = bits ? mr_build_broadcast(b, bits, &wide, (mr_ints){dims, x->type.rank}) : NULL;
  mr_value *moved =
      mr_build_binary(b, MR_OP_shift_right_logical, spread, mr_build_iota(b, &wide, (int64_t)to->rank - 1));
  mr_value *one = mr_build_binary(b, MR_OP_and, moved, mr_build_splat_int(b, &wide, 1));
  return one ? mr_build_convert(b, one, MR_PRED) : NULL;
}

// A slice of the last dimension, which it keeps.
static mr_value *part(mr_builder *b, mr_value *x, int64_t which) {
  return x ? mr_build_slice_dim(b, x, x->type.rank - 1, which, which + 1) : NULL;
}

static mr_value *pair(mr_builder *b, mr_value *first, mr_value *second) {
  return first ? mr_build_concatenate(b, 2, (mr_value *[]){first, second}, first->type.rank - 1) : NULL;
}

// complex<f64> lies in memory as two complex<f32>: the halves of the real part, then those of the imaginary part.
static mr_value *split_complex(mr_builder *b, mr_value *x, const mr_type *to) {
  mr_type halves = mr_type_with_dtype(to, MR_F32);
  mr_value *re = mr_build_bitcast(b, mr_build_unary(b, MR_OP_real, x), &halves);
  mr_value *im = mr_build_bitcast(b, mr_build_unary(b, MR_OP_imag, x), &halves);
  return mr_build_binary(b, MR_OP_complex, pair(b, part(b, re, 0), part(b, im, 0)),
                         pair(b, part(b, re, 1), part(b, im, 1)));
}

static mr_value *join_complex(mr_builder *b, mr_value *x, const mr_type *to) {
  mr_type whole = mr_type_with_dtype(to, MR_F64);
  mr_value *re = mr_build_unary(b, MR_OP_real, x), *im = mr_build_unary(b, MR_OP_imag, x);
  return mr_build_binary(b, MR_OP_complex, mr_build_bitcast(b, pair(b, part(b, re, 0), part(b, im, 0)), &whole),
                         mr_build_bitcast(b, pair(b, part(b, re, 1), part(b, im, 1)), &whole));
}

mr_status mr_decompose_bitcast(mr_op *op, bool *out_changed) {
  mr_value *x = mr_op_operand(op, 0), *value = NULL;
  const mr_type *to = &op->results[0].type;
  mr_dtype from_dtype = x->type.dtype, to_dtype = to->dtype;
  if (from_dtype == to_dtype || !mr_type_is_static(&x->type)) {
    return MR_OK;
  }
  mr_builder b = mr_builder_before(op);
  if (from_dtype == MR_PRED && mr_dtype_unsigned_of(mr_dtype_bits(to_dtype)) != MR_INVALID) {
    value = join_bits(&b, x, to);
  } else if (to_dtype == MR_PRED && mr_dtype_unsigned_of(mr_dtype_bits(from_dtype)) != MR_INVALID) {
    value = split_bits(&b, x, to);
  } else if (from_dtype == MR_C128 && to_dtype == MR_C64) {
    value = split_complex(&b, x, to);
  } else if (from_dtype == MR_C64 && to_dtype == MR_C128) {
    value = join_complex(&b, x, to);
  } else {
    return MR_OK;
  }
  MR_TRY(mr_module_memory(b.module));
  *out_changed = mr_replace(op, value);
  return MR_OK;
}
