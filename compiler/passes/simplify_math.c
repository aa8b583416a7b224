// Identities of elementwise ops that hold for every bit pattern, NaN, infinities and signed zeros included; and small powers.
#include <math.h>
#include <string.h>

#include "compiler/ir/scalar.h"
#include "compiler/passes/simplify.h"

static bool is_number(const mr_type *type) { return type->dtype != MR_PRED; }

static bool is_int(const mr_type *type) { return mr_dtype_is_integer(type->dtype); }

static mr_value *operand(const mr_op *op, uint32_t i) { return mr_op_operand(op, i); }

// The op that makes a value, when it is of that kind.
static mr_op *made_by(const mr_value *value, mr_op_kind kind) {
  return value->def && value->def->kind == kind ? value->def : NULL;
}

static mr_value *zero_like(mr_op *op) {
  mr_builder b = mr_builder_before(op);
  return mr_build_splat_int(&b, &op->results[0].type, 0);
}

static mr_value *boolean(mr_op *op, bool value) {
  mr_builder b = mr_builder_before(op);
  return mr_build_splat_int(&b, &op->results[0].type, value);
}

static bool all_ones(const mr_value *value) {
  if (value->type.dtype == MR_PRED) {
    return mr_is_splat_of(value, 1);
  }
  uint8_t element[MR_SCALAR_BYTES];
  if (!is_int(&value->type) || !mr_value_splat(value, element)) {
    return false;
  }
  uint8_t ones[MR_SCALAR_BYTES];
  mr_scalar_from_int(value->type.dtype, -1, ones);
  return memcmp(element, ones, mr_dtype_bytes(value->type.dtype)) == 0;
}

static bool is_complex(const mr_type *type) { return mr_dtype_is_complex(type->dtype); }

// ---- What ranges say -----------------------------------------------------------------------------------------------

typedef struct range {
  int64_t low, high;
} range;

static bool range_of(const mr_value *value, range *out) {
  return is_int(&value->type) && mr_value_range(value, &out->low, &out->high);
}

static mr_value *compare_ranges(mr_op *op) {
  range x, y;
  if (!range_of(operand(op, 0), &x) || !range_of(operand(op, 1), &y)) {
    return NULL;
  }
  bool less = x.high<y.low, more = x.low> y.high, at_most = x.high <= y.low, at_least = x.low >= y.high;
  switch (mr_op_int(op, MR_ATTR_comparison_direction, 0)) {
  case MR_COMPARE_LT: return less || at_least ? boolean(op, less) : NULL;
  case MR_COMPARE_LE: return at_most || more ? boolean(op, at_most) : NULL;
  case MR_COMPARE_GT: return more || at_most ? boolean(op, more) : NULL;
  case MR_COMPARE_GE: return at_least || less ? boolean(op, at_least) : NULL;
  case MR_COMPARE_EQ: return less || more ? boolean(op, false) : NULL;
  default: return less || more ? boolean(op, true) : NULL;
  }
}

static mr_value *extreme_of_ranges(mr_op *op) {
  range x, y;
  if (!range_of(operand(op, 0), &x) || !range_of(operand(op, 1), &y)) {
    return NULL;
  }
  bool first = op->kind == MR_OP_maximum ? x.low >= y.high : x.high <= y.low;
  bool second = op->kind == MR_OP_maximum ? y.low >= x.high : y.high <= x.low;
  return first ? operand(op, 0) : second ? operand(op, 1) : NULL;
}

mr_value *mr_simplify_clamp(mr_op *op) {
  range low, x, high;
  bool inside = range_of(operand(op, 0), &low) && range_of(operand(op, 1), &x) && range_of(operand(op, 2), &high) &&
                low.high <= x.low && x.high <= high.low;
  return inside ? operand(op, 1) : NULL;
}

// ---- Arithmetic ----------------------------------------------------------------------------------------------------

// x + 0 is x for integers; for floats x + -0 is (0 + 0 has another sign than -0 + 0).
static bool is_neutral_addend(const mr_value *value) {
  if (is_complex(&value->type)) {
    return false;
  }
  return mr_dtype_is_float(value->type.dtype) ? mr_is_splat_of(value, -0.0) : mr_is_splat_of(value, 0);
}

static bool is_choice(const mr_value *value) { return value->def && value->def->kind == MR_OP_select; }

// select(p, x, 0) + select(p, 0, y) chooses between both; where they are one, as in gradients of a choice between an array and what is made
// of it, there is nothing to choose. (A -0 stays -0, though -0 + 0 is 0: docs/accuracy.md.)
static bool find_chosen(const mr_value *left, const mr_value *right, mr_value **out) {
  if (!is_choice(left) || !is_choice(right) || operand(left->def, 0) != operand(right->def, 0)) {
    return false;
  }
  for (uint32_t i = 0; i < 2; i++) {
    mr_value *x = operand(left->def, i + 1), *y = operand(right->def, i + 1);
    if (!mr_is_splat_of(x, 0) && !mr_is_splat_of(y, 0)) {
      return false;
    }
    out[i] = mr_is_splat_of(x, 0) ? y : x;
  }
  return true;
}

mr_value *mr_sum_of_choices(const mr_value *left, const mr_value *right) {
  mr_value *chosen[2];
  return find_chosen(left, right, chosen) && chosen[0] == chosen[1] ? chosen[0] : NULL;
}

static mr_value *whole_of(mr_op *op, mr_value *term, mr_value *choice) {
  (void)op;
  return mr_sum_of_choices(term, choice);
}

static mr_value *sum_of_choices(mr_op *op) {
  mr_value *chosen[2];
  for (uint32_t i = 0; i < 2; i++) {  // (u + select(p, x, 0)) + select(p, 0, x) is u + x
    mr_value *choice = operand(op, i), *around = NULL;
    if (is_choice(choice)) {
      around = mr_sum_with_term(op, operand(op, 1 - i), choice, whole_of);
    }
    if (around) {
      return around;
    }
  }
  if (!find_chosen(operand(op, 0), operand(op, 1), chosen)) {
    return NULL;
  }
  mr_builder b = mr_builder_before(op);
  return chosen[0] == chosen[1] ? chosen[0]
                                : mr_build_select(&b, operand(operand(op, 0)->def, 0), chosen[0], chosen[1]);
}

mr_value *mr_simplify_add(mr_op *op) {
  if (!is_number(&op->results[0].type)) {
    return NULL;
  }
  mr_value *choice = is_complex(&op->results[0].type) ? NULL : sum_of_choices(op);
  if (choice) {
    return choice;
  }
  for (uint32_t i = 0; i < 2; i++) {
    if (is_neutral_addend(operand(op, 1 - i))) {
      return operand(op, i);
    }
  }
  return NULL;
}

mr_value *mr_simplify_subtract(mr_op *op) {
  mr_value *x = operand(op, 0), *y = operand(op, 1);
  if (!is_complex(&x->type) && mr_is_splat_of(y, 0)) {
    return x;
  }
  return x == y && is_int(&x->type) ? zero_like(op) : NULL;
}

mr_value *mr_simplify_multiply(mr_op *op) {
  if (!is_number(&op->results[0].type)) {
    return NULL;
  }
  for (uint32_t i = 0; i < 2; i++) {
    mr_value *x = operand(op, i), *y = operand(op, 1 - i);
    if (!is_complex(&x->type) && mr_is_splat_of(y, 1)) {
      return x;
    }
    if (!mr_dtype_is_float(x->type.dtype) && !is_complex(&x->type) && mr_is_splat_of(y, 0)) {
      return y;
    }
  }
  return NULL;
}

// Division by a power of two is multiplication by its inverse, exactly, when neither is subnormal.
static mr_value *divide_by_power(mr_op *op) {
  mr_value *x = operand(op, 0), *y = operand(op, 1);
  mr_dtype dtype = x->type.dtype;
  uint8_t element[MR_SCALAR_BYTES];
  if ((dtype != MR_F32 && dtype != MR_F64) || !mr_value_splat(y, element)) {
    return NULL;
  }
  double divisor = mr_scalar_to_double(dtype, element);
  int exponent, most = dtype == MR_F32 ? 125 : 1021;
  if (!isfinite(divisor) || fabs(frexp(divisor, &exponent)) != 0.5 || exponent - 1 > most || exponent - 1 < -most) {
    return NULL;
  }
  mr_builder b = mr_builder_before(op);
  return mr_build_binary(&b, MR_OP_multiply, x, mr_build_splat(&b, &x->type, 1 / divisor));
}

mr_value *mr_simplify_divide(mr_op *op) {
  mr_value *x = operand(op, 0), *y = operand(op, 1);
  if (!is_complex(&x->type) && mr_is_splat_of(y, 1)) {
    return x;
  }
  return divide_by_power(op);
}

mr_value *mr_simplify_bitwise(mr_op *op) {
  mr_value *x = operand(op, 0), *y = operand(op, 1);
  if (x == y) {
    return op->kind == MR_OP_xor ? zero_like(op) : x;
  }
  for (uint32_t i = 0; i < 2; i++) {
    mr_value *a = operand(op, i), *c = operand(op, 1 - i);
    if (mr_is_splat_of(c, 0)) {
      return op->kind == MR_OP_and ? c : a;
    }
    if (all_ones(c) && op->kind != MR_OP_xor) {
      return op->kind == MR_OP_and ? a : c;
    }
  }
  return NULL;
}

// max(x, -inf) and min(x, inf) are x: NaN wins either way.
mr_value *mr_simplify_extreme(mr_op *op) {
  if (operand(op, 0) == operand(op, 1)) {
    return operand(op, 0);
  }
  double neutral = op->kind == MR_OP_maximum ? -INFINITY : INFINITY;
  for (uint32_t i = 0; i < 2; i++) {
    mr_value *other = operand(op, 1 - i);
    if (mr_dtype_is_float(other->type.dtype) && mr_is_splat_of(other, neutral)) {
      return operand(op, i);
    }
  }
  return extreme_of_ranges(op);
}

// Twice gives back the operand (negate, not) or the same (abs, ceil, floor, ..).
mr_value *mr_simplify_twice(mr_op *op) {
  mr_op *inner = made_by(operand(op, 0), op->kind);
  range x;
  if (op->kind == MR_OP_abs && range_of(operand(op, 0), &x) && x.low >= 0) {
    return operand(op, 0);
  }
  if (!inner) {
    return NULL;
  }
  bool undone = op->kind == MR_OP_negate || op->kind == MR_OP_not;
  return undone ? mr_op_operand(inner, 0) : &inner->results[0];
}

// A power of bf16 is computed in f32 and rounded once, on XLA:CPU too, and so is what is made of it. NULL: the type has no such products.
static mr_value *cube_of(mr_builder *b, mr_value *x) {
  mr_dtype dtype = x->type.dtype;
  if (mr_dtype_is_float(dtype) && mr_dtype_bytes(dtype) < 2) {
    return NULL;
  }
  mr_value *base = dtype == MR_BF16 ? mr_build_convert(b, x, MR_F32) : x;
  mr_value *square = mr_build_binary(b, MR_OP_multiply, base, base);
  mr_value *cube = mr_build_binary(b, MR_OP_multiply, square, base);
  return base == x ? cube : mr_build_convert(b, cube, dtype);
}

// The small powers that programs write are what XLA makes of them, so that both give the same numbers: a complex power would else go
// through a logarithm. The cube rounds twice, and a quotient once.
mr_value *mr_simplify_power(mr_op *op) {
  mr_value *x = operand(op, 0), *y = operand(op, 1);
  mr_builder b = mr_builder_before(op);
  if (mr_is_splat_of(y, 1)) {
    return x;
  }
  if (mr_is_splat_of(y, 0) || mr_is_splat_of(y, -0.0)) {
    return mr_build_splat_int(&b, &op->results[0].type, 1);
  }
  if (mr_is_splat_of(y, -1) && !is_int(&x->type)) {
    return mr_build_binary(&b, MR_OP_divide, mr_build_splat_int(&b, &op->results[0].type, 1), x);
  }
  if (mr_is_splat_of(y, 2)) {
    return mr_build_binary(&b, MR_OP_multiply, x, x);
  }
  return mr_is_splat_of(y, 3) ? cube_of(&b, x) : NULL;
}

mr_value *mr_simplify_shift(mr_op *op) { return mr_is_splat_of(operand(op, 1), 0) ? operand(op, 0) : NULL; }

mr_value *mr_simplify_remainder(mr_op *op) {
  if (!is_int(&op->results[0].type)) {
    return NULL;
  }
  range x, y;
  if (range_of(operand(op, 0), &x) && range_of(operand(op, 1), &y) && x.low >= 0 && x.high < y.low) {
    return operand(op, 0);
  }
  return mr_is_splat_of(operand(op, 1), 1) ? zero_like(op) : NULL;
}

mr_value *mr_simplify_compare(mr_op *op) {
  mr_value *x = operand(op, 0), *y = operand(op, 1);
  int64_t direction = mr_op_int(op, MR_ATTR_comparison_direction, 0);
  if (x == y && (is_int(&x->type) || x->type.dtype == MR_PRED)) {
    return boolean(op, direction == MR_COMPARE_EQ || direction == MR_COMPARE_GE || direction == MR_COMPARE_LE);
  }
  if (x->type.dtype == MR_PRED && (direction == MR_COMPARE_EQ || direction == MR_COMPARE_NE)) {
    for (uint32_t i = 0; i < 2; i++) {
      mr_value *other = operand(op, 1 - i);
      if (mr_is_splat_of(other, direction == MR_COMPARE_EQ)) {
        return operand(op, i);
      }
      if (mr_is_splat_of(other, direction == MR_COMPARE_NE)) {
        mr_builder b = mr_builder_before(op);
        return mr_build_unary(&b, MR_OP_not, operand(op, i));
      }
    }
  }
  bool below_zero = mr_dtype_is_unsigned(x->type.dtype) && mr_is_splat_of(y, 0);
  if (below_zero && (direction == MR_COMPARE_LT || direction == MR_COMPARE_GE)) {
    return boolean(op, direction == MR_COMPARE_GE);
  }
  return compare_ranges(op);
}

mr_value *mr_simplify_select(mr_op *op) {
  mr_value *p = operand(op, 0), *t = operand(op, 1), *f = operand(op, 2);
  if (t == f || mr_is_splat_of(p, 1)) {
    return t;
  }
  if (mr_is_splat_of(p, 0)) {
    return f;
  }
  mr_op *negation = made_by(p, MR_OP_not);
  if (negation) {
    mr_builder b = mr_builder_before(op);
    return mr_build_select(&b, mr_op_operand(negation, 0), f, t);
  }
  if (t->type.dtype == MR_PRED && mr_type_same_dims(&p->type, &t->type) && mr_is_splat_of(t, 1) &&
      mr_is_splat_of(f, 0)) {
    return p;
  }
  return NULL;
}

// ---- Conversions ---------------------------------------------------------------------------------------------------

// Mantissa bits, hidden one included, and the exponent range.
typedef struct precision {
  int digits, smallest, largest;
} precision;

static bool precision_of(mr_dtype dtype, precision *out) {
  switch (dtype) {
  case MR_F16: *out = (precision){11, -24, 15}; return true;
  case MR_BF16: *out = (precision){8, -133, 127}; return true;
  case MR_F32: *out = (precision){24, -149, 127}; return true;
  case MR_F64: *out = (precision){53, -1074, 1023}; return true;
  default: return false;
  }
}

// Every value of `from` is one of `to`.
static bool is_lossless(mr_dtype from, mr_dtype to) {
  int bits = (int)mr_dtype_bits(from);
  precision p, q;
  if (from == MR_PRED) {
    return !mr_dtype_is_complex(to) && to != MR_F8E8M0FNU && mr_dtype_bits(to) > 2;
  }
  if (mr_dtype_is_integer(from) && mr_dtype_is_integer(to)) {
    bool from_signed = mr_dtype_is_signed(from), to_signed = mr_dtype_is_signed(to);
    int room = (int)mr_dtype_bits(to) - (to_signed && !from_signed);
    return (to_signed || !from_signed) && room >= bits;
  }
  if (mr_dtype_is_integer(from)) {
    return precision_of(to, &q) && q.digits >= bits && q.largest >= bits;
  }
  return precision_of(from, &p) && precision_of(to, &q) && q.digits >= p.digits && q.smallest <= p.smallest &&
         q.largest >= p.largest;
}

mr_value *mr_simplify_convert(mr_op *op) {
  mr_value *x = operand(op, 0);
  mr_dtype to = op->results[0].type.dtype;
  if (x->type.dtype == to) {
    return x;
  }
  mr_op *inner = made_by(x, MR_OP_convert);
  if (!inner) {
    return NULL;
  }
  mr_value *origin = mr_op_operand(inner, 0);
  mr_dtype from = origin->type.dtype, middle = x->type.dtype;
  // An integer on its way through a float would wrap where the float saturates.
  bool same_rules = mr_dtype_is_integer(from) == mr_dtype_is_integer(middle) || !mr_dtype_is_integer(to);
  if (origin->type.quant || !is_lossless(from, middle) || !same_rules || mr_dtype_is_complex(to)) {
    return NULL;
  }
  mr_builder b = mr_builder_before(op);
  return mr_build_convert(&b, origin, to);
}

mr_value *mr_simplify_parts(mr_op *op) {
  mr_op *inner = made_by(operand(op, 0), MR_OP_complex);
  return inner ? mr_op_operand(inner, op->kind == MR_OP_imag) : NULL;
}

mr_value *mr_simplify_complex(mr_op *op) {
  mr_op *re = made_by(operand(op, 0), MR_OP_real), *im = made_by(operand(op, 1), MR_OP_imag);
  bool whole = re && im && mr_op_operand(re, 0) == mr_op_operand(im, 0);
  return whole ? mr_op_operand(re, 0) : NULL;
}

mr_value *mr_simplify_reduce_precision(mr_op *op) {
  mr_dtype dtype = op->results[0].type.dtype;
  int64_t exponent = mr_op_int(op, MR_ATTR_exponent_bits, 0), mantissa = mr_op_int(op, MR_ATTR_mantissa_bits, 0);
  bool same =
      (dtype == MR_F32 && exponent >= 8 && mantissa >= 23) || (dtype == MR_F64 && exponent >= 11 && mantissa >= 52);
  return same ? operand(op, 0) : NULL;
}
