// Elementwise ops on elements. Complex numbers are pairs; their arithmetic is spelled out here (COMPLEX in ops/instructions.def), the
// transcendental functions on them were expanded to real arithmetic by a pass.
#include "compiler/ir/scalar.h"
#include "compiler/lower/element.h"
#include "compiler/lower/tuning.h"
#include "ops/instructions.h"

// What one element takes that is computed in vectors of f32, of ops that are not about as the others (docs/accuracy.md has more of
// them); 0: they are.
static double ns_of(mr_op_kind kind, bool is_float) {
  static const struct {
    double ints, floats;
  } ns[MR_OP_COUNT] = {
      [MR_OP_divide] = {0.12, 0.15}, [MR_OP_remainder] = {0.15, 1},   [MR_OP_sqrt] = {0, 0.2},
      [MR_OP_rsqrt] = {0, 0.25},     [MR_OP_log_plus_one] = {0, 0.7}, [MR_OP_sine] = {0, 1.4},
      [MR_OP_cosine] = {0, 1.4},     [MR_OP_power] = {1.4, 1.4},      [MR_OP_tan] = {0, 1.9},
      [MR_OP_atan2] = {0, 1.9},
  };
  return is_float ? ns[kind].floats : ns[kind].ints;
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

static mr_lv real2(mr_lower *lw, mr_op_kind kind, mr_dtype dtype, mr_lv a, mr_lv b, uint32_t flags) {
  count(lw, kind, dtype);
  if (dtype == MR_PRED) {
    kind = mr_op_on_pred(kind);
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

static mr_elem parts_length(mr_lower *lw, mr_op_kind kind, mr_dtype t, const mr_elem *x, uint32_t flags) {
  (void)kind;
  (void)flags;
  return (mr_elem){hypotenuse(lw, t, x[0]), 0};
}

static mr_elem parts_each(mr_lower *lw, mr_op_kind kind, mr_dtype t, const mr_elem *x, uint32_t flags) {
  return (mr_elem){real2(lw, kind, t, x[0].re, x[1].re, flags), real2(lw, kind, t, x[0].im, x[1].im, flags)};
}

static mr_elem parts_negative(mr_lower *lw, mr_op_kind kind, mr_dtype t, const mr_elem *x, uint32_t flags) {
  (void)flags;
  return (mr_elem){real1(lw, kind, t, x->re), real1(lw, kind, t, x->im)};
}

// Divided by its length; a zero is itself.
static mr_elem parts_direction(mr_lower *lw, mr_op_kind kind, mr_dtype t, const mr_elem *x, uint32_t flags) {
  (void)kind;
  (void)flags;
  mr_lv zero = mr_l_float(lw->p, t, 0);
  mr_lv length = hypotenuse(lw, t, *x), none = compare(lw, MR_COMPARE_EQ, t, length, zero);
  return (mr_elem){choose(lw, t, none, x->re, quo(lw, t, x->re, length)),
                   choose(lw, t, none, x->im, quo(lw, t, x->im, length))};
}

static mr_elem parts_product(mr_lower *lw, mr_op_kind kind, mr_dtype t, const mr_elem *x, uint32_t flags) {
  (void)kind;
  (void)flags;
  mr_elem a = x[0], b = x[1];
  mr_lv re = sub(lw, t, mul(lw, t, a.re, b.re), mul(lw, t, a.im, b.im));
  mr_lv im = add(lw, t, mul(lw, t, a.re, b.im), mul(lw, t, a.im, b.re));
  return (mr_elem){re, im};
}

// (a - b) (a + b) overflows later than a a - b b does; where the sizes are equal one factor may be infinite, the other 0.
static mr_elem parts_square(mr_lower *lw, mr_op_kind kind, mr_dtype t, const mr_elem *x, uint32_t flags) {
  (void)kind;
  (void)flags;
  mr_lv a = real1(lw, MR_OP_abs, t, x->re), b = real1(lw, MR_OP_abs, t, x->im), difference = sub(lw, t, a, b);
  mr_lv re = choose(lw, t, compare(lw, MR_COMPARE_EQ, t, a, b), difference, mul(lw, t, difference, add(lw, t, a, b)));
  mr_lv half = mul(lw, t, x->re, x->im);
  return (mr_elem){re, add(lw, t, half, half)};
}

static mr_lv both(mr_lower *lw, mr_lv p, mr_lv q) { return mr_l_binary(lw->p, MR_OP_and, MR_PRED, p, q); }
static mr_lv either(mr_lower *lw, mr_lv p, mr_lv q) { return mr_l_binary(lw->p, MR_OP_or, MR_PRED, p, q); }

// An infinity as 1 with its sign, a number as 0 with its sign, NaN as 0.
static mr_lv unit_of(mr_lower *lw, mr_dtype t, mr_lv x, mr_lv infinite) {
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
    unit[i] = unit_of(lw, t, parts[i], infinite[i]);
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
static mr_elem parts_quotient(mr_lower *lw, mr_op_kind kind, mr_dtype t, const mr_elem *operands, uint32_t flags) {
  (void)kind;
  (void)flags;
  mr_elem x = operands[0], y = operands[1];
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

static mr_elem complex_op(mr_lower *lw, mr_op_kind kind, mr_dtype dtype, const mr_elem *x, uint32_t flags) {
  static mr_elem (*const rules[MR_OP_COUNT])(mr_lower *, mr_op_kind, mr_dtype, const mr_elem *, uint32_t) = {
#define COMPLEX(op, parts) [MR_OP_##op] = parts_##parts,
#include "ops/instructions.def"
  };
  if (!rules[kind]) {
    mr_lw_fail(lw, mr_error(MR_UNIMPLEMENTED, "%s of complex numbers in a kernel", mr_op_table[kind].name));
    return x[0];
  }
  return rules[kind](lw, kind, mr_dtype_real(dtype), x, flags);
}

mr_elem mr_lw_binary(mr_lower *lw, mr_op_kind kind, mr_dtype dtype, mr_elem a, mr_elem b, uint32_t flags) {
  if (!mr_dtype_is_complex(dtype)) {
    return (mr_elem){real2(lw, kind, dtype, a.re, b.re, flags), 0};
  }
  return complex_op(lw, kind, dtype, (mr_elem[2]){a, b}, flags);
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

// ---- Ops ----------------------------------------------------------------------------------------------------------------

// Of an op of at most three operands.
static void operands_at(mr_lower *lw, const mr_op *op, mr_index at, mr_elem *out) {
  for (uint32_t i = 0; i < op->num_operands && i < 3; i++) {
    out[i] = mr_lw_element(lw, mr_op_operand(op, i), at);
  }
}

mr_elem mr_lw_of_convert(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_value *x = mr_op_operand(value->def, 0);
  return mr_lw_convert(lw, value->type.dtype, x->type.dtype, mr_lw_element(lw, x, at));
}

mr_elem mr_lw_of_compare(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  mr_elem x[3];
  operands_at(lw, op, at, x);
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

mr_elem mr_lw_of_complex(mr_lower *lw, const mr_value *value, mr_index at) {
  mr_elem x[3];
  operands_at(lw, value->def, at, x);
  return (mr_elem){x[0].re, x[1].re};
}

mr_elem mr_lw_of_select(mr_lower *lw, const mr_value *value, mr_index at) {
  mr_elem x[3];
  operands_at(lw, value->def, at, x);
  return mr_lw_select(lw, value->type.dtype, x[0].re, x[1], x[2]);
}

// min(max(x, low), high); the maximum and minimum hand NaN on.
mr_elem mr_lw_of_clamp(mr_lower *lw, const mr_value *value, mr_index at) {
  mr_elem x[3];
  operands_at(lw, value->def, at, x);
  mr_dtype t = value->type.dtype;
  mr_lv low = real2(lw, MR_OP_maximum, t, x[1].re, x[0].re, 0);
  return (mr_elem){real2(lw, MR_OP_minimum, t, low, x[2].re, 0), 0};
}

mr_elem mr_lw_of_real(mr_lower *lw, const mr_value *value, mr_index at) {
  return (mr_elem){mr_lw_element(lw, mr_op_operand(value->def, 0), at).re, 0};
}

mr_elem mr_lw_of_imag(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_value *x = mr_op_operand(value->def, 0);
  mr_elem element = mr_lw_element(lw, x, at);
  return mr_dtype_is_complex(x->type.dtype) ? (mr_elem){element.im, 0} : mr_lw_constant(lw, value->type.dtype, 0);
}

mr_elem mr_lw_of_conj(mr_lower *lw, const mr_value *value, mr_index at) {
  mr_dtype dtype = value->type.dtype;
  mr_elem x = mr_lw_element(lw, mr_op_operand(value->def, 0), at);
  return mr_dtype_is_complex(dtype) ? (mr_elem){x.re, real1(lw, MR_OP_negate, mr_dtype_real(dtype), x.im)} : x;
}

// What the type has is no limit, its subnormal numbers included; f16 and narrower types are f32 here.
mr_elem mr_lw_of_reduce_precision(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  mr_dtype to = value->type.dtype;
  mr_elem x = mr_lw_element(lw, mr_op_operand(op, 0), at);
  int exponent = (int)mr_op_int(op, MR_ATTR_exponent_bits, 8), mantissa = (int)mr_op_int(op, MR_ATTR_mantissa_bits, 23);
  exponent = exponent >= mr_scalar_exponent_bits(to) ? MR_MAX(exponent, 11) : exponent;
  count(lw, op->kind, MR_F32);
  return (mr_elem){mr_l_reduce_precision(lw->p, to, exponent, mantissa, x.re), 0};
}

// One type for all operands and the result, or the real one of a complex operand, and no attribute.
mr_elem mr_lw_of_math(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  mr_elem x[3];
  operands_at(lw, op, at, x);
  mr_dtype to = value->type.dtype, from = mr_op_operand(op, 0)->type.dtype;
  if (mr_op_table[op->kind].op_class == MR_OPS_BINARY) {
    static const uint32_t join[] = {0, MR_L_JOIN_LEFT, MR_L_JOIN_RIGHT};
    return mr_lw_binary(lw, op->kind, to, x[0], x[1], join[op->joined_operand]);
  }
  return mr_dtype_is_complex(from) ? complex_op(lw, op->kind, from, x, 0)
                                   : (mr_elem){real1(lw, op->kind, to, x[0].re), 0};
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
