// Instructions of HLO that draw random numbers or round by them.
#include <math.h>

#include "compiler/ir/calls.h"
#include "compiler/reader/hlo.h"

// HLO takes the shape from the declared type, StableHLO as a third operand.
mr_status mr_hlo_rng(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  int64_t rank = c->type.rank;
  if (c->type.kind != MR_TYPE_TENSOR || !mr_type_is_static(&c->type)) {
    return mr_error(MR_INVALID_ARGUMENT, "the result is no array of known size");
  }
  mr_type list = mr_type_tensor(c->reader->module, MR_S64, 1, &rank);
  mr_dense dense = mr_dense_make(c->reader->module, &list, c->type.dims);
  mr_builder b = mr_hlo_builder(c);
  mr_value *shape = mr_build_constant(&b, &dense);
  MR_TRY(mr_module_memory(c->reader->module));
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  draft.operands[draft.num_operands++] = shape;  // mr_hlo_draft leaves room for one more
  mr_draft_int(&draft, MR_ATTR_rng_distribution, c->proto->distribution);
  return mr_hlo_finish(c, &draft);
}

// The new state comes with the bits, or the bits come alone.
mr_status mr_hlo_rng_bit_generator(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  mr_type both[2] = {c->num_operands ? c->operands[0]->type : c->type, c->type};
  bool alone = c->type.kind != MR_TYPE_TUPLE;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  mr_draft_int(&draft, MR_ATTR_rng_algorithm, c->proto->rng_algorithm);
  if (alone) {
    draft.results = both;
    draft.num_results = 2;
  }
  MR_TRY(mr_hlo_finish(c, &draft));
  if (alone) {
    c->leaves++;
    c->num_leaves = 1;
  }
  return MR_OK;
}

// A counter of 128 bits that grows by `delta` each time, as two words.
mr_status mr_hlo_rng_get_and_update_state(hlo_context *c, mr_op_kind kind) {
  enum { TYPED_FFI = 4 };  // whose configuration is a dictionary
  mr_draft draft;
  mr_attr *delta = mr_arena_new(c->reader->arena, mr_attr);
  if (!delta) {
    return MR_NO_MEMORY();
  }
  *delta = mr_read_attr_int(c->proto->delta, MR_S64);
  delta->name = MR_STR("delta");
  const mr_attr config = {.kind = MR_ATTR_DICT, .items = delta, .count = 1};
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  mr_draft_string(&draft, MR_ATTR_call_target_name, MR_STR(MR_RNG_COUNTER));
  mr_draft_int(&draft, MR_ATTR_has_side_effect, 1);
  mr_draft_int(&draft, MR_ATTR_api_version, TYPED_FFI);
  mr_draft_keyed(&draft, MR_ATTR_backend_config, &config);
  return mr_hlo_finish(c, &draft);
}

// ---- Stochastic rounding -------------------------------------------------------------------------------------------------

static mr_value *extreme_of(mr_builder *b, const mr_type *type, bool highest) {
  int64_t low = -(INT64_C(1) << (mr_dtype_bits(type->dtype) - 2)) * 2;
  return mr_build_splat_int(b, type, highest ? -(low + 1) : low);
}

// Away from zero when the random word, read as a fraction of one, is below what the integer part leaves. Beyond the
// integers' range the nearest end, and zero for what is no number.
static mr_value *rounded(mr_builder *b, mr_value *x, mr_value *random, const mr_type *to) {
  mr_dtype wide = x->type.dtype == MR_F64 ? MR_F64 : MR_F32;
  mr_type wide_type = mr_type_with_dtype(&x->type, wide);
  mr_value *number = mr_build_convert(b, x, wide), *zero = mr_build_splat(b, &wide_type, 0);
  mr_value *size = mr_build_unary(b, MR_OP_abs, number), *floor = mr_build_unary(b, MR_OP_floor, size);
  // The fraction has no more bits than its type's mantissa, so scaling by a power of two is exact.
  double scale = ldexp(1, (int)mr_dtype_bits(random->type.dtype));
  mr_value *fraction = mr_build_binary(b, MR_OP_subtract, size, floor);
  mr_value *threshold = mr_build_binary(b, MR_OP_multiply, fraction, mr_build_splat(b, &wide_type, scale));
  mr_value *up = mr_build_compare(b, MR_COMPARE_LT, MR_COMPARE_UNSIGNED, random,
                                  mr_build_convert(b, threshold, random->type.dtype));
  mr_value *whole = mr_build_convert(b, floor, to->dtype);
  whole = mr_build_binary(b, MR_OP_add, whole, mr_build_convert(b, up, to->dtype));
  mr_value *negative = mr_build_compare(b, MR_COMPARE_LT, MR_COMPARE_FLOAT, number, zero);
  mr_value *value = mr_build_select(b, negative, mr_build_unary(b, MR_OP_negate, whole), whole);
  mr_value *high = extreme_of(b, to, true), *low = extreme_of(b, to, false);
  value = mr_build_select(
      b, mr_build_compare(b, MR_COMPARE_GE, MR_COMPARE_FLOAT, number, mr_build_convert(b, high, wide)), high, value);
  value = mr_build_select(
      b, mr_build_compare(b, MR_COMPARE_LE, MR_COMPARE_FLOAT, number, mr_build_convert(b, low, wide)), low, value);
  return mr_build_select(b, mr_build_compare(b, MR_COMPARE_NE, MR_COMPARE_FLOAT, number, number),
                         mr_build_splat(b, to, 0), value);
}

// To floating point types it is refused, as XLA's own compilers do.
mr_status mr_hlo_stochastic_convert(hlo_context *c, mr_op_kind kind) {
  (void)kind;
  const mr_type *from = c->num_operands == 2 ? &c->operands[0]->type : NULL;
  const mr_type *random = from ? &c->operands[1]->type : NULL;
  bool good = from && c->type.kind == MR_TYPE_TENSOR && mr_dtype_is_float(from->dtype) &&
              mr_dtype_is_unsigned(random->dtype) && mr_dtype_bits(random->dtype) == mr_dtype_bits(from->dtype) &&
              mr_type_is_static(&c->type) && mr_type_is_static(from) && mr_type_is_static(random);
  for (uint32_t d = 0; good && d < c->type.rank; d++) {
    good = from->rank == c->type.rank && random->rank == c->type.rank && from->dims[d] == c->type.dims[d] &&
           random->dims[d] == c->type.dims[d];
  }
  if (!good) {
    return mr_error(MR_INVALID_ARGUMENT, "wanted floats, unsigned words as wide as those, and a result of their shape");
  }
  if (!mr_dtype_is_signed(c->type.dtype)) {
    return mr_error(MR_UNIMPLEMENTED, "stochastic rounding to %s: only to signed integers",
                    mr_dtype_name(c->type.dtype));
  }
  mr_builder b = mr_hlo_builder(c);
  return mr_hlo_single(c, rounded(&b, c->operands[0]->leaves[0], c->operands[1]->leaves[0], &c->type));
}
