// Elementwise ops on elements. Complex numbers are pairs; their arithmetic is spelled out here, the transcendental
// functions on them were expanded to real arithmetic by a pass.
#include "compiler/ir/scalar.h"
#include "compiler/lower/element.h"
#include "compiler/lower/tuning.h"

// What one element takes that is computed in vectors of f32, of ops that are not about as the others (docs/accuracy.md has more of
// them); 0: they are.
static double ns_of(mr_op_kind kind, bool is_float) {
  switch ((int)kind) {
  case MR_OP_divide: return is_float ? 0.15 : 0.12;
  case MR_OP_remainder: return is_float ? 1 : 0.15;
  case MR_OP_sqrt: return 0.2;
  case MR_OP_rsqrt: return 0.25;
  case MR_OP_log_plus_one: return 0.7;
  case MR_OP_sine:
  case MR_OP_cosine:
  case MR_OP_power: return 1.4;
  case MR_OP_tan:
  case MR_OP_atan2: return 1.9;
  default: return 0;
  }
}

static void count(mr_lower *lw, mr_op_kind kind, mr_dtype dtype) {
  bool slow = mr_op_kind_is_slow(kind);
  double usual = slow ? MR_LOWER_NS_PER_TRANSCENDENTAL : MR_LOWER_NS_PER_FLOP,
         ns = ns_of(kind, mr_dtype_is_float(dtype));
  ns = ns > 0 ? ns : usual;
  // Half as many elements in a vector, and polynomials of half as many terms again.
  ns *= dtype == MR_F64 ? (slow ? 3 : 2) : 1;
  lw->apart_ns += lw->trips * (ns - usual);
  if (slow) {
    lw->transcendentals += lw->trips;
  } else {
    lw->flops += lw->trips;
  }
}

static mr_lv real1(mr_lower *lw, mr_op_kind kind, mr_dtype dtype, mr_lv a) {
  count(lw, kind, dtype);
  return mr_l_unary(lw->p, kind, dtype, a);
}

// i1 arithmetic is logic.
static mr_op_kind logic_kind(mr_op_kind kind) {
  switch (kind) {
  case MR_OP_add:
  case MR_OP_maximum: return MR_OP_or;
  case MR_OP_multiply:
  case MR_OP_minimum: return MR_OP_and;
  case MR_OP_subtract: return MR_OP_xor;
  default: return kind;  // logic already, or one that codegen has for i1 (pred_op in emit_int_op.c)
  }
}

static mr_lv real2(mr_lower *lw, mr_op_kind kind, mr_dtype dtype, mr_lv a, mr_lv b, uint32_t flags) {
  count(lw, kind, dtype);
  if (dtype == MR_PRED) {
    kind = logic_kind(kind);
  }
  return mr_l_binary_flags(lw->p, kind, dtype, a, b, flags);
}

// What one op is made of is the same wherever it is computed, so its products are rounded with its sums.
static mr_lv add(mr_lower *lw, mr_dtype t, mr_lv a, mr_lv b) {
  return real2(lw, MR_OP_add, t, a, b, MR_L_JOIN_LEFT | MR_L_JOIN_RIGHT);
}
static mr_lv sub(mr_lower *lw, mr_dtype t, mr_lv a, mr_lv b) {
  return real2(lw, MR_OP_subtract, t, a, b, MR_L_JOIN_LEFT | MR_L_JOIN_RIGHT);
}
static mr_lv mul(mr_lower *lw, mr_dtype t, mr_lv a, mr_lv b) { return real2(lw, MR_OP_multiply, t, a, b, 0); }
static mr_lv quo(mr_lower *lw, mr_dtype t, mr_lv a, mr_lv b) { return real2(lw, MR_OP_divide, t, a, b, 0); }

static mr_lv compare(mr_lower *lw, int direction, mr_dtype t, mr_lv a, mr_lv b) {
  return mr_l_compare(lw->p, direction, 0, t, a, b);
}

static mr_lv choose(mr_lower *lw, mr_dtype t, mr_lv condition, mr_lv a, mr_lv b) {
  return mr_l_select(lw->p, t, condition, a, b);
}

static mr_lv hypotenuse(mr_lower *lw, mr_dtype t, mr_elem x) { return real2(lw, MR_OP_hypot, t, x.re, x.im, 0); }

static mr_elem complex_multiply(mr_lower *lw, mr_dtype t, mr_elem a, mr_elem b) {
  mr_lv re = sub(lw, t, mul(lw, t, a.re, b.re), mul(lw, t, a.im, b.im));
  mr_lv im = add(lw, t, mul(lw, t, a.re, b.im), mul(lw, t, a.im, b.re));
  return (mr_elem){re, im};
}

// (a - b) (a + b) overflows later than a a - b b does; where the sizes are equal one factor may be infinite, the other 0.
static mr_elem complex_square(mr_lower *lw, mr_dtype t, mr_elem x) {
  mr_lv a = real1(lw, MR_OP_abs, t, x.re), b = real1(lw, MR_OP_abs, t, x.im), difference = sub(lw, t, a, b);
  mr_lv re = choose(lw, t, compare(lw, MR_COMPARE_EQ, t, a, b), difference, mul(lw, t, difference, add(lw, t, a, b)));
  mr_lv half = mul(lw, t, x.re, x.im);
  return (mr_elem){re, add(lw, t, half, half)};
}

static mr_lv both(mr_lower *lw, mr_lv p, mr_lv q) { return mr_l_binary(lw->p, MR_OP_and, MR_PRED, p, q); }
static mr_lv either(mr_lower *lw, mr_lv p, mr_lv q) { return mr_l_binary(lw->p, MR_OP_or, MR_PRED, p, q); }

// An infinity as 1 with its sign, a number as 0 with its sign, NaN as 0.
static mr_lv direction(mr_lower *lw, mr_dtype t, mr_lv x, mr_lv infinite) {
  mr_lv zero = mr_l_float(lw->p, t, 0), one = mr_l_float(lw->p, t, 1), minus = mr_l_float(lw->p, t, -1);
  mr_lv small = choose(lw, t, compare(lw, MR_COMPARE_EQ, t, x, x), mul(lw, t, x, zero), zero);
  return choose(lw, t, infinite, choose(lw, t, compare(lw, MR_COMPARE_LT, t, x, zero), minus, one), small);
}

// What a quotient of two NaN should have been, as C's Annex G and XLA have it: an infinite number divided by a finite one is
// infinite, a finite one divided by an infinite one is zero.
static mr_elem recover_quotient(mr_lower *lw, mr_dtype t, mr_elem x, mr_elem y, mr_elem quotient) {
  mr_lv infinity = mr_l_float(lw->p, t, __builtin_inf()), zero = mr_l_float(lw->p, t, 0);
  mr_lv parts[4] = {x.re, x.im, y.re, y.im}, infinite[4], finite[4], unit[4];
  for (int i = 0; i < 4; i++) {
    mr_lv size = real1(lw, MR_OP_abs, t, parts[i]);
    infinite[i] = compare(lw, MR_COMPARE_EQ, t, size, infinity);
    finite[i] = compare(lw, MR_COMPARE_LT, t, size, infinity);
    unit[i] = direction(lw, t, parts[i], infinite[i]);
  }
  mr_lv lost = both(lw, compare(lw, MR_COMPARE_NE, t, quotient.re, quotient.re),
                    compare(lw, MR_COMPARE_NE, t, quotient.im, quotient.im));
  mr_lv grows = both(lw, lost, both(lw, either(lw, infinite[0], infinite[1]), both(lw, finite[2], finite[3])));
  mr_lv shrinks = both(lw, lost, both(lw, either(lw, infinite[2], infinite[3]), both(lw, finite[0], finite[1])));
  mr_lv a = choose(lw, t, grows, unit[0], x.re), b = choose(lw, t, grows, unit[1], x.im);
  mr_lv c = choose(lw, t, grows, y.re, unit[2]), d = choose(lw, t, grows, y.im, unit[3]);
  mr_lv scale = choose(lw, t, grows, infinity, zero), known = either(lw, grows, shrinks);
  mr_lv re = mul(lw, t, scale, add(lw, t, mul(lw, t, a, c), mul(lw, t, b, d)));
  mr_lv im = mul(lw, t, scale, sub(lw, t, mul(lw, t, b, c), mul(lw, t, a, d)));
  return (mr_elem){choose(lw, t, known, re, quotient.re), choose(lw, t, known, im, quotient.im)};
}

// Smith's division: divide by the larger part of the divisor first, so that nothing overflows on the way.
static mr_elem complex_divide(mr_lower *lw, mr_dtype t, mr_elem x, mr_elem y) {
  mr_lv abs_re = real1(lw, MR_OP_abs, t, y.re), abs_im = real1(lw, MR_OP_abs, t, y.im);
  mr_lv swap = compare(lw, MR_COMPARE_LT, t, abs_re, abs_im);
  mr_lv big = choose(lw, t, swap, y.im, y.re), small = choose(lw, t, swap, y.re, y.im);
  mr_lv r = quo(lw, t, small, big);
  mr_lv den = add(lw, t, big, mul(lw, t, small, r));
  // With the parts swapped (a + bi) / i(big - small i) is (b - ai) / (big - small i), and so on.
  mr_lv first = choose(lw, t, swap, x.im, x.re), second = choose(lw, t, swap, x.re, x.im);
  mr_lv re = quo(lw, t, add(lw, t, first, mul(lw, t, second, r)), den);
  mr_lv minuend = choose(lw, t, swap, mul(lw, t, x.im, r), x.im);
  mr_lv subtrahend = choose(lw, t, swap, x.re, mul(lw, t, x.re, r));
  mr_lv im = quo(lw, t, sub(lw, t, minuend, subtrahend), den);
  mr_lv none = mr_l_float(lw->p, t, 0);
  mr_lv zero = both(lw, compare(lw, MR_COMPARE_EQ, t, abs_re, none), compare(lw, MR_COMPARE_EQ, t, abs_im, none));
  mr_elem quotient = recover_quotient(lw, t, x, y, (mr_elem){re, im});
  return (mr_elem){choose(lw, t, zero, quo(lw, t, x.re, y.re), quotient.re),
                   choose(lw, t, zero, quo(lw, t, x.im, y.re), quotient.im)};
}

mr_elem mr_lw_binary(mr_lower *lw, mr_op_kind kind, mr_dtype dtype, mr_elem a, mr_elem b, uint32_t flags) {
  if (!mr_dtype_is_complex(dtype)) {
    return (mr_elem){real2(lw, kind, dtype, a.re, b.re, flags), 0};
  }
  mr_dtype t = mr_dtype_real(dtype);
  switch (kind) {
  case MR_OP_add:
  case MR_OP_subtract: return (mr_elem){real2(lw, kind, t, a.re, b.re, flags), real2(lw, kind, t, a.im, b.im, flags)};
  case MR_OP_multiply: return complex_multiply(lw, t, a, b);
  case MR_OP_divide: return complex_divide(lw, t, a, b);
  default:
    mr_lw_fail(lw, mr_error(MR_UNIMPLEMENTED, "%s of complex numbers in a kernel", mr_op_table[kind].name));
    return a;
  }
}

mr_elem mr_lw_constant(mr_lower *lw, mr_dtype dtype, double value) {
  mr_dtype t = mr_dtype_real(dtype);
  if (!mr_dtype_is_float(t)) {
    return (mr_elem){mr_l_int(lw->p, t, (int64_t)value), 0};
  }
  return (mr_elem){mr_l_float(lw->p, t, value), mr_dtype_is_complex(dtype) ? mr_l_float(lw->p, t, 0) : 0};
}

static uint64_t read_bits(const unsigned char *bytes, size_t size) {
  uint64_t bits = 0;
  for (size_t i = 0; i < size; i++) {
    bits |= (uint64_t)bytes[i] << (8 * i);
  }
  return bits;
}

mr_elem mr_lw_bits(mr_lower *lw, mr_dtype dtype, const void *element) {
  mr_dtype t = mr_dtype_real(dtype);
  size_t size = mr_dtype_bytes(t);
  mr_elem e = {mr_l_bits(lw->p, t, read_bits(element, size)), 0};
  if (mr_dtype_is_complex(dtype)) {
    e.im = mr_l_bits(lw->p, t, read_bits((const unsigned char *)element + size, size));
  }
  return e;
}

mr_elem mr_lw_convert(mr_lower *lw, mr_dtype to, mr_dtype from, mr_elem x) {
  if (to == from) {
    return x;
  }
  bool to_complex = mr_dtype_is_complex(to), from_complex = mr_dtype_is_complex(from);
  mr_dtype t = mr_dtype_real(to);
  count(lw, MR_OP_convert, MR_F32);
  mr_elem out = {mr_l_convert(lw->p, t, x.re), 0};
  if (to_complex) {
    out.im = from_complex ? mr_l_convert(lw->p, t, x.im) : mr_l_float(lw->p, t, 0);
  }
  return out;
}

mr_elem mr_lw_select(mr_lower *lw, mr_dtype dtype, mr_lv condition, mr_elem t, mr_elem f) {
  mr_dtype real = mr_dtype_real(dtype);
  count(lw, MR_OP_select, MR_F32);
  mr_elem out = {choose(lw, real, condition, t.re, f.re), 0};
  if (mr_dtype_is_complex(dtype)) {
    out.im = choose(lw, real, condition, t.im, f.im);
  }
  return out;
}

static mr_elem compare_op(mr_lower *lw, const mr_op *op, const mr_elem *x) {
  mr_dtype dtype = mr_op_operand(op, 0)->type.dtype;
  int direction = (int)mr_op_int(op, MR_ATTR_comparison_direction, 0);
  int type = (int)mr_op_int(op, MR_ATTR_compare_type, 0);
  count(lw, MR_OP_compare, MR_F32);
  if (!mr_dtype_is_complex(dtype)) {
    return (mr_elem){mr_l_compare(lw->p, direction, type, dtype, x[0].re, x[1].re), 0};
  }
  mr_dtype t = mr_dtype_real(dtype);
  mr_lv re = compare(lw, direction, t, x[0].re, x[1].re), im = compare(lw, direction, t, x[0].im, x[1].im);
  return (mr_elem){mr_l_binary(lw->p, direction == MR_COMPARE_NE ? MR_OP_or : MR_OP_and, MR_PRED, re, im), 0};
}

// min(max(x, low), high); the maximum and minimum hand NaN on.
static mr_elem clamp(mr_lower *lw, mr_dtype t, const mr_elem *x) {
  mr_lv low = real2(lw, MR_OP_maximum, t, x[1].re, x[0].re, 0);
  return (mr_elem){real2(lw, MR_OP_minimum, t, low, x[2].re, 0), 0};
}

static mr_elem complex_unary(mr_lower *lw, const mr_op *op, mr_dtype dtype, mr_elem x) {
  mr_dtype t = mr_dtype_real(dtype);
  switch (op->kind) {
  case MR_OP_real: return (mr_elem){x.re, 0};
  case MR_OP_imag: return (mr_elem){x.im, 0};
  case MR_OP_abs: return (mr_elem){hypotenuse(lw, t, x), 0};
  case MR_OP_conj: return (mr_elem){x.re, real1(lw, MR_OP_negate, t, x.im)};
  case MR_OP_negate: return (mr_elem){real1(lw, MR_OP_negate, t, x.re), real1(lw, MR_OP_negate, t, x.im)};
  case MR_OP_square: return complex_square(lw, t, x);
  case MR_OP_sign: {
    mr_lv zero = mr_l_float(lw->p, t, 0);
    mr_lv length = hypotenuse(lw, t, x), none = compare(lw, MR_COMPARE_EQ, t, length, zero);
    return (mr_elem){choose(lw, t, none, x.re, quo(lw, t, x.re, length)),
                     choose(lw, t, none, x.im, quo(lw, t, x.im, length))};
  }
  default:
    mr_lw_fail(lw, mr_error(MR_UNIMPLEMENTED, "%s of a complex number in a kernel", mr_op_table[op->kind].name));
    return x;
  }
}

mr_elem mr_lw_of_math(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  mr_elem x[3];
  for (uint32_t i = 0; i < op->num_operands && i < 3; i++) {
    x[i] = mr_lw_element(lw, mr_op_operand(op, i), at);
  }
  mr_dtype to = op->results[0].type.dtype, from = mr_op_operand(op, 0)->type.dtype;
  switch (op->kind) {
  case MR_OP_convert: return mr_lw_convert(lw, to, from, x[0]);
  case MR_OP_compare: return compare_op(lw, op, x);
  case MR_OP_complex: return (mr_elem){x[0].re, x[1].re};
  case MR_OP_select: return mr_lw_select(lw, to, x[0].re, x[1], x[2]);
  case MR_OP_clamp: return clamp(lw, to, x);
  default: break;  // one type for all operands and the result, or the real one of a complex operand
  }
  if (mr_op_table[op->kind].op_class == MR_OPS_BINARY) {
    static const uint32_t join[] = {0, MR_L_JOIN_LEFT, MR_L_JOIN_RIGHT};
    return mr_lw_binary(lw, op->kind, to, x[0], x[1], join[op->joined_operand]);
  }
  if (mr_dtype_is_complex(from)) {
    return complex_unary(lw, op, from, x[0]);
  }
  switch (op->kind) {
  case MR_OP_real:
  case MR_OP_conj: return x[0];
  case MR_OP_imag: return mr_lw_constant(lw, to, 0);
  case MR_OP_reduce_precision: {
    int exponent = (int)mr_op_int(op, MR_ATTR_exponent_bits, 8),
        mantissa = (int)mr_op_int(op, MR_ATTR_mantissa_bits, 23);
    // What the type has is no limit, its subnormal numbers included; f16 and narrower types are f32 here.
    exponent = exponent >= mr_scalar_exponent_bits(to) ? MR_MAX(exponent, 11) : exponent;
    count(lw, op->kind, MR_F32);
    return (mr_elem){mr_l_reduce_precision(lw->p, to, exponent, mantissa, x[0].re), 0};
  }
  default: return (mr_elem){real1(lw, op->kind, to, x[0].re), 0};  // what is left has one operand and no attribute
  }
}

// ---- Variables ------------------------------------------------------------------------------------------------------------

mr_elem mr_lw_var(mr_lower *lw, mr_elem initial) {
  mr_elem var = {mr_l_var(lw->p, initial.re), 0};
  if (initial.im) {
    var.im = mr_l_var(lw->p, initial.im);
  }
  return var;
}

mr_elem mr_lw_get(mr_lower *lw, mr_elem var) {
  return (mr_elem){mr_l_get(lw->p, var.re), var.im ? mr_l_get(lw->p, var.im) : 0};
}

void mr_lw_set(mr_lower *lw, mr_elem var, mr_elem value) {
  mr_l_set(lw->p, var.re, value.re);
  if (var.im) {
    mr_l_set(lw->p, var.im, value.im);
  }
}
