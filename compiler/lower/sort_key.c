// Comparators that compare keys: compare(f(left), f(right)) with one function f. Keys become unsigned numbers once, and the
// sort compares those.
#include "compiler/lower/sort.h"

// Whether expression b is a with the left arguments replaced by the right ones; a uses left ones only.
static bool mirrors(const mr_block *region, const mr_value *a, const mr_value *b, int depth) {
  if (depth > 40 || !mr_type_equal(&a->type, &b->type)) {
    return false;
  }
  if (!a->def || a->def->block != region) {
    if (a->def || a->block != region) {
      return a == b;  // from outside
    }
    return a->index % 2 == 0 && !b->def && b->block == region && b->index == a->index + 1;
  }
  const mr_op *x = a->def, *y = b->def;
  if (!y || x->kind != y->kind || x->num_operands != y->num_operands || x->num_regions || y->block != region) {
    return false;
  }
  if (x->kind == MR_OP_constant) {
    uint64_t p[2] = {0}, q[2] = {0};
    return mr_value_splat(a, p) && mr_value_splat(b, q) && p[0] == q[0] && p[1] == q[1];
  }
  if (!mr_op_kind_is_elementwise(x->kind)) {
    return false;
  }
  static const mr_attr_key keys[] = {MR_ATTR_comparison_direction, MR_ATTR_compare_type, MR_ATTR_exponent_bits,
                                     MR_ATTR_mantissa_bits};
  for (size_t i = 0; i < MR_ARRAY_SIZE(keys); i++) {
    if (mr_op_int(x, keys[i], 0) != mr_op_int(y, keys[i], 0)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < x->num_operands; i++) {
    if (!mirrors(region, mr_op_operand(x, i), mr_op_operand(y, i), depth + 1)) {
      return false;
    }
  }
  return true;
}

static mr_dtype unsigned_of(mr_dtype dtype) {
  switch (mr_dtype_bytes(dtype)) {
  case 1: return MR_U8;
  case 2: return MR_U16;
  case 4: return MR_U32;
  case 8: return MR_U64;
  default: return MR_INVALID;
  }
}

// Whether a float's bits are a sign and a size. f8E8M0FNU has no sign, and the FNUZ formats have their NaN where the others
// have -0: these compare as what they widen to.
static bool has_signed_codes(mr_dtype dtype) {
  return mr_dtype_bits(dtype) == 8 * mr_dtype_bytes(dtype) && dtype != MR_F8E8M0FNU && dtype != MR_F8E4M3FNUZ &&
         dtype != MR_F8E4M3B11FNUZ && dtype != MR_F8E5M2FNUZ;
}

mr_dtype mr_sort_key_bits(const mr_sort_key *key) { return unsigned_of(key->dtype); }

bool mr_sort_find_key(const mr_op *op, mr_sort_key *out_key) {
  const mr_block *region = op->regions[0];
  const mr_op *end = mr_block_terminator(region);
  const mr_op *compare = end && end->num_operands == 1 ? mr_op_operand(end, 0)->def : NULL;
  if (!compare || compare->block != region || compare->kind != MR_OP_compare) {
    return false;
  }
  int64_t direction = mr_op_int(compare, MR_ATTR_comparison_direction, 0);
  const mr_value *a = mr_op_operand(compare, 0), *b = mr_op_operand(compare, 1);
  if (direction != 3 && direction != 5) {
    return false;  // GT, LT
  }
  mr_dtype dtype = a->type.dtype;
  bool total = mr_op_int(compare, MR_ATTR_compare_type, 0) == 2;
  bool number = mr_dtype_is_integer(dtype) || dtype == MR_PRED || (mr_dtype_is_float(dtype) && total);
  if (!number || (mr_dtype_is_float(dtype) && !has_signed_codes(dtype))) {
    return false;
  }
  *out_key = (mr_sort_key){.left = a, .dtype = dtype, .descending = direction == 3};
  return unsigned_of(dtype) != MR_INVALID && mirrors(region, a, b, 0);
}

mr_lv mr_sort_key_of(mr_lower *lw, const mr_op *op, const mr_sort_key *key, const mr_elem *operands) {
  mr_loop_program *p = lw->p;
  const mr_block *region = op->regions[0];
  uint32_t mark = lw->num_memo;
  for (uint32_t i = 0; i < region->num_args; i++) {
    mr_lw_remember(lw, region->args[i], mr_at(0, NULL), operands[i / 2]);
  }
  mr_lv value = mr_lw_scalar(lw, key->left).re;
  lw->num_memo = mark;
  mr_dtype bits = unsigned_of(key->dtype);
  uint64_t top = 1ull << (8 * mr_dtype_bytes(bits) - 1);
  mr_lv sign = mr_l_int(p, bits, (int64_t)top), u;
  if (mr_dtype_is_float(key->dtype)) {
    // Negative numbers count backwards, and lie below the others.
    u = mr_l_bitcast(p, bits, value);
    mr_lv negative = mr_l_compare(p, 2, 4, bits, u, sign);
    mr_lv positive = mr_l_binary(p, MR_OP_xor, bits, u, sign);
    u = mr_l_select(p, bits, negative, mr_l_unary(p, MR_OP_not, bits, u), positive);
  } else if (mr_dtype_is_signed(key->dtype)) {
    u = mr_l_binary(p, MR_OP_xor, bits, mr_l_convert(p, bits, value), sign);
  } else {
    u = mr_l_convert(p, bits, value);
  }
  return key->descending ? mr_l_unary(p, MR_OP_not, bits, u) : u;
}
