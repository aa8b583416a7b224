// Ops that were given parts of what they reduce: what a part has too much is made neutral, and partial results are joined.
#include <math.h>
#include <string.h>

#include "compiler/shard/part_way.h"

// ---- Numbers -----------------------------------------------------------------------------------------------------------------

// The least or the greatest number of a type; NULL for one that has no order, or no infinity.
static mr_value *extreme(mr_builder *b, mr_dtype dtype, bool least) {
  mr_type type = mr_type_scalar(dtype);
  switch (dtype) {
  case MR_F16:
  case MR_BF16:
  case MR_F32:
  case MR_F64: return mr_build_splat(b, &type, least ? -INFINITY : INFINITY);
  case MR_PRED: return mr_build_splat_int(b, &type, least ? 0 : 1);
  case MR_S8:
  case MR_S16:
  case MR_S32:
  case MR_S64: {
    int64_t most = INT64_MAX >> (64 - 8 * mr_dtype_bytes(dtype));
    return mr_build_splat_int(b, &type, least ? -most - 1 : most);
  }
  case MR_U8:
  case MR_U16:
  case MR_U32:
  case MR_U64: return mr_build_splat_int(b, &type, least ? 0 : -1);
  default: return NULL;
  }
}

static mr_value *splat(mr_builder *b, mr_dtype dtype, int64_t number) {
  mr_type type = mr_type_scalar(dtype);
  return mr_build_splat_int(b, &type, number);
}

static mr_value *neutral_zero(mr_builder *b, mr_dtype dtype) { return splat(b, dtype, 0); }
static mr_value *neutral_none(mr_builder *b, mr_dtype dtype) { return splat(b, dtype, 0); }
static mr_value *neutral_one(mr_builder *b, mr_dtype dtype) { return splat(b, dtype, 1); }
static mr_value *neutral_ones(mr_builder *b, mr_dtype dtype) { return splat(b, dtype, dtype == MR_PRED ? 1 : -1); }
static mr_value *neutral_lowest(mr_builder *b, mr_dtype dtype) { return extreme(b, dtype, true); }
static mr_value *neutral_highest(mr_builder *b, mr_dtype dtype) { return extreme(b, dtype, false); }

mr_value *mr_part_neutral(mr_builder *b, mr_op_kind kind, mr_dtype dtype) {
  static mr_value *(*const neutral[MR_OP_COUNT + 1])(mr_builder *b, mr_dtype dtype) = {
#define JOIN(op, fold, on, neutral, clc) [MR_OP_##op] = neutral_##neutral,
#include "ops/instructions.def"
  };
  return neutral[kind] ? neutral[kind](b, dtype) : NULL;  // MR_OP_COUNT: the region is no single op
}

static bool same_constant(const mr_value *a, const mr_value *b) {
  uint8_t left[16] = {0}, right[16] = {0};
  return mr_value_splat(a, left) && mr_value_splat(b, right) && memcmp(left, right, sizeof left) == 0;
}

// ---- Neutral elements ---------------------------------------------------------------------------------------------------------

static mr_value *mask_operand(mr_part *p, const mr_way *way, uint32_t i, mr_value *x, mr_value *fill) {
  const mr_tensor_factors *tensor = &way->rule->operands[i];
  const mr_type *global = &mr_op_operand(way->op, i)->type;
  for (uint32_t d = 0; d < tensor->rank; d++) {
    for (uint32_t k = 0; k < tensor->dims[d].count; k++) {
      uint32_t f = tensor->dims[d].factors[k];
      bool reduces = way->rule->factors[f].kind == MR_FACTOR_REDUCTION && way->factors[f].count;
      if (reduces && !mr_part_is_even(p, global->dims[d], &way->factors[f])) {
        x = mr_part_mask(p, x, d, global->dims[d], &way->factors[f], fill);
      }
    }
  }
  return x;
}

// ---- Joining ------------------------------------------------------------------------------------------------------------------

// The atoms of reduction factors, each factor's in the order of its shards.
static mr_atoms partial_atoms(const mr_way *way) {
  mr_atoms atoms = {0};
  for (uint32_t f = 0; f < way->rule->num_factors; f++) {
    const mr_atoms *more = &way->factors[f];
    for (uint8_t i = 0; way->rule->factors[f].kind == MR_FACTOR_REDUCTION && i < more->count; i++) {
      atoms.ids[atoms.count++] = more->ids[i];
    }
  }
  return atoms;
}

// Sums: the planner of reshards knows whether all need them, or each a part. Where nobody has said how the result is wanted, it stays
// apart until it is used; but not when something is to be folded in afterwards, and not in another type than the result's.
static mr_value *join_sum(mr_part *p, const mr_way *way, mr_value *partial, bool may_stay_apart, mr_tiling *out) {
  const mr_type *result = &way->op->results[0].type;
  mr_tiling made = mr_way_tiling(way, way->op->num_operands), whole = made;
  bool wide = partial && partial->type.dtype != result->dtype;
  made.unreduced |= way->partial;
  if (!mr_part_wanted(p, &way->op->results[0], out)) {
    *out = may_stay_apart && !wide ? made : whole;
  } else if (!may_stay_apart) {
    out->unreduced = 0;
  }
  mr_type global = mr_type_with_dtype(result, partial ? partial->type.dtype : result->dtype);
  return mr_reshard(&p->spread, &p->b, partial, &global, &made, out);
}

static mr_value *converted(mr_part *p, mr_value *x, mr_dtype dtype) {
  return x ? mr_build_convert(&p->b, x, dtype) : NULL;
}

// What parts of a result are computed in. Parts of a narrow float that are each rounded are further from the sum than one rounding at
// the end, and may be infinite where the sum is not. A sum that the program wants apart has the type that the program gives it.
static mr_dtype parts_dtype(const mr_part *p, const mr_way *way, mr_op_kind kind) {
  const mr_value *result = &way->op->results[0];
  mr_tiling wanted;
  bool narrow = result->type.dtype == MR_F16 || result->type.dtype == MR_BF16;
  bool rounds = kind == MR_OP_add || kind == MR_OP_multiply;
  bool apart = mr_part_wanted(p, result, &wanted) && wanted.unreduced & way->partial;
  return narrow && rounds && !apart ? MR_F32 : result->type.dtype;
}

static mr_status reduced_contraction(mr_part *p, const mr_way *way, mr_value **operands, mr_type *types) {
  for (uint32_t i = 0; i < 2; i++) {
    mr_type scalar = mr_type_scalar(operands[i]->type.dtype);
    operands[i] = mask_operand(p, way, i, operands[i], mr_build_splat_int(&p->b, &scalar, 0));
  }
  MR_TRY(mr_module_memory(p->module));
  types[0].dtype = parts_dtype(p, way, MR_OP_add);
  mr_op *made = mr_part_clone(p, way->op, operands, types);
  MR_TRY(mr_module_memory(p->module));
  mr_way_fit_attributes(p, way, made);
  mr_tiling tiling;
  mr_value *joined = join_sum(p, way, &made->results[0], true, &tiling);
  mr_part_set(p, &way->op->results[0], converted(p, joined, way->op->results[0].type.dtype), &tiling);
  return mr_module_memory(p->module);
}

// A reduction with one known operation: parts are folded from its neutral element, so that what the program begins with
// counts once.
static mr_status reduced_by_kind(mr_part *p, const mr_way *way, mr_op_kind kind, mr_value *neutral,
                                 mr_value **operands) {
  mr_value *init = operands[1], *result = &way->op->results[0], *joined = NULL;
  bool begins_neutral = same_constant(mr_op_operand(way->op, 1), neutral);
  mr_dtype dtype = parts_dtype(p, way, kind);
  mr_value *x = mask_operand(p, way, 0, operands[0], neutral);
  MR_TRY(mr_module_memory(p->module));
  mr_value *partial = mr_build_reduce(&p->b, kind, mr_build_convert(&p->b, x, dtype),
                                      mr_build_convert(&p->b, neutral, dtype), mr_op_ints(way->op, MR_ATTR_dimensions));
  MR_TRY(mr_module_memory(p->module));
  mr_tiling tiling = mr_way_tiling(way, way->op->num_operands);
  if (kind == MR_OP_add) {
    joined = join_sum(p, way, partial, begins_neutral, &tiling);
  } else {
    mr_atoms atoms = partial_atoms(way);
    (void)mr_spread_all_reduce(&p->spread, &p->b, &atoms, 1, &partial, kind, NULL, &joined);
  }
  if (!begins_neutral && joined) {
    init = mr_build_spread(&p->b, mr_build_convert(&p->b, init, dtype), &joined->type);
    joined = mr_build_binary(&p->b, kind, joined, init);
  }
  mr_part_set(p, result, converted(p, joined, result->type.dtype), &tiling);
  return mr_module_memory(p->module);
}

// Any other region: everybody gets all partial results, in the order of the shards, and folds them again. What the program
// begins with is taken to change nothing, as StableHLO wants it to.
static mr_status reduced_by_region(mr_part *p, const mr_way *way, mr_value **operands, const mr_type *types) {
  mr_op *op = way->op;
  uint32_t n = op->num_results;
  mr_atoms atoms = partial_atoms(way);
  for (uint32_t i = 0; i < n; i++) {
    operands[i] = mask_operand(p, way, i, operands[i], operands[n + i]);
  }
  MR_TRY(mr_module_memory(p->module));
  mr_op *made = mr_part_clone(p, op, operands, types);
  MR_TRY(mr_module_memory(p->module));
  for (uint32_t i = 0; i < n; i++) {
    int64_t dims[MR_MAX_RANK + 1] = {1};
    mr_value *partial = &made->results[i];
    for (uint32_t d = 0; d < partial->type.rank; d++) {
      dims[d + 1] = partial->type.dims[d];
    }
    partial = mr_build_reshape(&p->b, partial, partial->type.rank + 1, dims);
    operands[i] = partial ? mr_spread_all_gather(&p->spread, &p->b, partial, 0, &atoms) : NULL;
  }
  MR_TRY(mr_module_memory(p->module));
  mr_op *again = mr_part_clone(p, op, operands, types);
  MR_TRY(mr_module_memory(p->module));
  mr_op_set_ints(p->module, again, MR_ATTR_dimensions, (mr_ints){(const int64_t[]){0}, 1});
  for (uint32_t i = 0; i < n; i++) {
    mr_tiling tiling = mr_way_tiling(way, op->num_operands + i);
    mr_part_set(p, &op->results[i], &again->results[i], &tiling);
  }
  return mr_module_memory(p->module);
}

mr_status mr_part_reduced(mr_part *p, const mr_way *way, mr_value **operands, mr_type *types) {
  if (way->op->kind != MR_OP_reduce) {
    return reduced_contraction(p, way, operands, types);
  }
  bool one = way->op->num_results == 1;
  mr_op_kind kind = one ? mr_block_fold_kind(way->op->regions[0]) : MR_OP_COUNT;
  bool promotes = !one || operands[0]->type.dtype != types[0].dtype || operands[1]->type.dtype != types[0].dtype;
  mr_value *neutral = kind != MR_OP_COUNT && !promotes ? mr_part_neutral(&p->b, kind, types[0].dtype) : NULL;
  MR_TRY(mr_module_memory(p->module));
  return neutral ? reduced_by_kind(p, way, kind, neutral, operands) : reduced_by_region(p, way, operands, types);
}

// ---- Putting together ---------------------------------------------------------------------------------------------------------

// The sum of floats as integers of their bits.
static mr_value *sum_of_bits(mr_part *p, mr_value *part, const mr_type *whole, const mr_tiling *from,
                             const mr_tiling *to) {
  mr_dtype dtype = part->type.dtype, bits = mr_dtype_unsigned_of(mr_dtype_bits(dtype));
  mr_type global = mr_type_with_dtype(whole, bits), local = mr_type_with_dtype(&part->type, bits);
  mr_value *sum = mr_reshard(&p->spread, &p->b, mr_build_bitcast(&p->b, part, &local), &global, from, to);
  mr_type type = mr_part_local_type(p, whole, to);
  type.dtype = dtype;
  return mr_build_bitcast(&p->b, sum, &type);
}

static mr_value *sum_of_complex_bits(mr_part *p, mr_value *part, const mr_type *whole, const mr_tiling *from,
                                     const mr_tiling *to) {
  mr_value *re = mr_build_unary(&p->b, MR_OP_real, part), *im = mr_build_unary(&p->b, MR_OP_imag, part);
  re = re ? sum_of_bits(p, re, whole, from, to) : NULL;
  im = im ? sum_of_bits(p, im, whole, from, to) : NULL;
  return mr_build_binary(&p->b, MR_OP_complex, re, im);
}

// Parts of one size, which a sum can be cut into as it is made.
static bool is_even(const mr_part *p, const mr_type *type, const mr_tiling *tiling) {
  for (uint32_t d = 0; d < tiling->rank; d++) {
    if (type->dims[d] % mr_atoms_shards(p->grid, &tiling->dims[d]) != 0) {
      return false;
    }
  }
  return true;
}

mr_value *mr_part_nothing(mr_part *p, const mr_type *type) {
  mr_dtype bits = mr_dtype_unsigned_of(mr_dtype_bits(type->dtype));
  if (!mr_dtype_is_float(type->dtype) || bits == MR_INVALID) {
    return mr_build_splat_int(&p->b, type, 0);
  }
  mr_type integers = mr_type_with_dtype(type, bits);
  return mr_build_bitcast(&p->b, mr_build_splat_int(&p->b, &integers, 0), type);
}

void mr_part_put_together(mr_part *p, const mr_value *result, mr_value *part, const mr_tiling *apart) {
  mr_dtype had = result->type.dtype;
  if (part && mr_dtype_is_float(had) && mr_dtype_unsigned_of(mr_dtype_bits(had)) == MR_INVALID) {
    part = mr_build_convert(&p->b, part, MR_F32);  // six bits, say: each of these numbers is one of f32
  }
  mr_dtype real = part ? mr_dtype_real(part->type.dtype) : MR_INVALID;
  if (!part || !mr_dtype_is_float(real)) {
    mr_part_set(p, result, part, apart);
    return;
  }
  mr_tiling whole;
  if (!mr_part_wanted(p, result, &whole) || whole.unreduced || !is_even(p, &result->type, &whole)) {
    whole = *apart;
    whole.unreduced = 0;
  }
  mr_value *sum = real == part->type.dtype ? sum_of_bits(p, part, &result->type, apart, &whole)
                                           : sum_of_complex_bits(p, part, &result->type, apart, &whole);
  mr_part_set(p, result, converted(p, sum, had), &whole);
}
