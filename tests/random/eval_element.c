// Elementwise operations of the evaluator, real numbers: exact for integers, for floats the exact result and how far a
// right answer may be from it.
#include <string.h>

#include "tests/random/random.h"

// Units of the last place that docs/accuracy.md promises at most for functions, with what composing them in f32 adds.
#define ULPS_OF_FUNCTION 5

static real low(cell c) { return c.v - c.e; }
static real high(cell c) { return c.v + c.e; }
static bool may_be_zero(cell c) { return fabsl(c.v) <= c.e; }

// f over an interval on which it is monotone, or so short that three points tell how much it changes.
static cell through(mr_dtype dtype, real (*f)(real), cell x, double ulps) {
  real y = f(x.v);
  if (cell_is_sure(x)) {
    return function_result(dtype, y, 0, ulps);
  }
  real a = f(low(x)), b = f(high(x));
  // Where zero is a number of the domain, between NaN at both ends there may be answers.
  bool one_side = low(x) > 0 || high(x) < 0 || isnan(f(0));
  if (isnan(a) && isnan(b) && isnan(y) && one_side) {
    return cell_near(NAN, 0);
  }
  if (!isfinite(a) || !isfinite(b) || !isfinite(y)) {
    return cell_anything();
  }
  real e = fmaxl(fabsl(y - a), fabsl(y - b));
  return cell_round(dtype, cell_near(y, (double)e * (1 + 0x1p-40)), ulps);
}

static real f_logistic(real x) { return 1 / (1 + expl(-x)); }
static real f_rsqrt(real x) { return 1 / sqrtl(x); }
static real f_round_afz(real x) { return roundl(x); }
static real f_round_even(real x) { return rintl(x); }

static real f_digamma(real x) {
  if (x <= 0 && x == floorl(x)) {
    return NAN;
  }
  if (x < 0) {
    return f_digamma(1 - x) - M_PIl / tanl(M_PIl * (x - rintl(x)));
  }
  real shift = 0;
  for (; x < 20; x += 1) {
    shift -= 1 / x;
  }
  real s = 1 / (x * x);
  real series =
      s * (1.0L / 12 - s * (1.0L / 120 - s * (1.0L / 252 - s * (1.0L / 240 - s * (1.0L / 132 - s * 691.0L / 32760)))));
  return shift + logl(x) - 0.5L / x - series;
}

static real f_erf_inv(real y) {
  if (fabsl(y) >= 1) {
    return fabsl(y) > 1 ? NAN : copysignl(INFINITY, y);
  }
  real t = fabsl(y), x = t < 0.9L ? t * 0.886226925452758L : sqrtl(-logl((1 - t) * 1.7724538509L));
  for (int i = 0; i < 60; i++) {
    real wrong = t < 0.5L ? erfl(x) - t : (1 - t) - erfcl(x);
    real step = wrong / (1.1283791670955126L * expl(-x * x));
    x -= step / (1 + x * step);
    if (fabsl(step) < 1e-18L * fabsl(x)) {
      break;
    }
  }
  return copysignl(x, y);
}

// A function that goes up and down, or has poles: only over short intervals.
static cell bumpy(mr_dtype dtype, real (*f)(real), cell x, double floor_ulps) {
  real pole = x.v < 0.5L ? fabsl(x.v - fminl(rintl(x.v), 0)) : x.v;
  if (x.e > 1e-3L * fminl(pole, fabsl(x.v))) {
    return cell_anything();
  }
  cell y = through(dtype, f, x, ULPS_OF_FUNCTION);
  if (y.e > 0 && isfinite(y.v)) {
    y.e = 4 * y.e + floor_ulps * (double)format_ulp(&(float_format){.mantissa = format_of(dtype).mantissa}, 1);
  }
  return y;
}

static cell wave(mr_dtype dtype, real (*f)(real), cell x) {
  if (isinf(x.v)) {
    return cell_near(NAN, 0);
  }
  return function_result(dtype, f(x.v), x.e < 2 ? x.e : 2, 2);
}

static cell tangent(mr_dtype dtype, cell x) {
  if (!cell_is_sure(x) && (x.e > 0.1 || tanl(low(x)) > tanl(high(x)))) {
    return cell_anything();
  }
  return through(dtype, tanl, x, ULPS_OF_FUNCTION);
}

static cell even(mr_dtype dtype, real (*f)(real), cell x) {
  cell y = through(dtype, f, x, ULPS_OF_FUNCTION);
  if (may_be_zero(x) && isfinite(y.v) && y.e > 0) {
    y.e += fabs((double)(y.v - f(0)));
  }
  return y;
}

// Functions with steps: certain where the whole interval lies on one.
static cell step(mr_dtype dtype, real (*f)(real), cell x) {
  if (isnan(x.v) || isinf(x.v)) {
    return x;
  }
  real a = f(low(x)), b = f(high(x)), y = f(x.v);
  return cell_round(dtype, cell_near(y, (double)fmaxl(fabsl(y - a), fabsl(y - b))), 0);
}

static cell sign_of(cell x) {
  if (isnan(x.v)) {
    return x;
  }
  if (may_be_zero(x) && !cell_is_sure(x)) {
    return cell_near(0, 1);
  }
  return cell_near(x.v > 0 ? 1 : x.v < 0 ? -1 : x.v, 0);
}

static cell reduce_precision(const mr_op *op, mr_dtype dtype, cell x) {
  int exponent = (int)mr_op_int(op, MR_ATTR_exponent_bits, 8), mantissa = (int)mr_op_int(op, MR_ATTR_mantissa_bits, 23);
  if (mantissa == 0) {
    return cell_anything();  // halfway between two powers of two, the even one is the one of even exponent
  }
  float_format own = format_of(dtype), f = {.kind = FORMAT_IEEE, .mantissa = mantissa};
  f.max_exponent = (1 << (exponent - 1)) - 1;
  f.min_exponent = 1 - f.max_exponent;
  f.largest = ldexpl(2 - ldexpl(1, -mantissa), f.max_exponent);
  f.mantissa = mantissa < own.mantissa ? mantissa : own.mantissa;
  real points[3] = {x.v, low(x), high(x)};
  for (int i = 0; i < 3; i++) {
    if (!isfinite(points[i])) {
      return cell_is_sure(x) ? cell_near(x.v, 0) : cell_anything();
    }
    float_format wide = f;  // rounds the mantissa, then flushes what has too small an exponent
    wide.min_exponent = -16000;
    wide.largest = ldexpl(1, 16000);
    real r = format_round(&wide, points[i]);
    points[i] = fabsl(r) > f.largest                                                        ? copysignl(INFINITY, r)
                : f.min_exponent > own.min_exponent && fabsl(r) < ldexpl(1, f.min_exponent) ? copysignl(0, r)
                                                                                            : r;
  }
  if (points[0] == points[1] && points[0] == points[2]) {
    return cell_round(dtype, cell_near(points[0], 0), 0);
  }
  if (isinf(points[0]) || isinf(points[1]) || isinf(points[2])) {
    return cell_anything();
  }
  return cell_round(dtype, cell_near(points[0], (double)fmaxl(points[0] - points[1], points[2] - points[0])), 1);
}

// What a float function is to be near to.
static bool float_unary(const mr_op *op, mr_dtype dtype, cell x, cell *out) {
  if (cell_is_anything(x)) {
    *out = cell_anything();
    return true;
  }
  const double u = ULPS_OF_FUNCTION;
  switch ((int)op->kind) {
  case MR_OP_cbrt: *out = through(dtype, cbrtl, x, u); return true;
  case MR_OP_ceil: *out = step(dtype, ceill, x); return true;
  case MR_OP_floor: *out = step(dtype, floorl, x); return true;
  case MR_OP_round_nearest_afz: *out = step(dtype, f_round_afz, x); return true;
  case MR_OP_round_nearest_even: *out = step(dtype, f_round_even, x); return true;
  case MR_OP_cosine: *out = wave(dtype, cosl, x); return true;
  case MR_OP_sine: *out = wave(dtype, sinl, x); return true;
  case MR_OP_tan: *out = tangent(dtype, x); return true;
  case MR_OP_exponential: *out = through(dtype, expl, x, u); return true;
  case MR_OP_exponential_minus_one: *out = through(dtype, expm1l, x, u); return true;
  case MR_OP_log: *out = through(dtype, logl, x, u); return true;
  case MR_OP_log_plus_one: *out = through(dtype, log1pl, x, u); return true;
  case MR_OP_logistic: *out = through(dtype, f_logistic, x, u); return true;
  case MR_OP_rsqrt: *out = x.v == 0 && !x.exact ? cell_anything() : through(dtype, f_rsqrt, x, u); return true;
  case MR_OP_sqrt: *out = through(dtype, sqrtl, x, 1); return true;
  case MR_OP_tanh: *out = through(dtype, tanhl, x, u); return true;
  case MR_OP_acos: *out = through(dtype, acosl, x, u); return true;
  case MR_OP_acosh: *out = through(dtype, acoshl, x, u); return true;
  case MR_OP_asin: *out = through(dtype, asinl, x, u); return true;
  case MR_OP_asinh: *out = through(dtype, asinhl, x, u); return true;
  case MR_OP_atan: *out = through(dtype, atanl, x, u); return true;
  case MR_OP_atanh: *out = through(dtype, atanhl, x, u); return true;
  case MR_OP_cosh: *out = even(dtype, coshl, x); return true;
  case MR_OP_sinh: *out = through(dtype, sinhl, x, u); return true;
  case MR_OP_erf: *out = through(dtype, erfl, x, u); return true;
  case MR_OP_erfc: *out = through(dtype, erfcl, x, u); return true;
  case MR_OP_erf_inv: *out = through(dtype, f_erf_inv, x, u); return true;
  case MR_OP_square: *out = product_of(dtype, x, x); return true;
  case MR_OP_digamma: *out = bumpy(dtype, f_digamma, x, 32); return true;
  case MR_OP_lgamma: *out = bumpy(dtype, lgammal, x, 32); return true;
  case MR_OP_sign: *out = sign_of(x); return true;
  case MR_OP_reduce_precision: *out = reduce_precision(op, dtype, x); return true;
  default: return false;
  }
}

static bool integer_unary(const mr_op *op, mr_dtype dtype, cell x, cell *out) {
  uint64_t bits = cell_bits(x), low_bits = bits;
  unsigned width = mr_dtype_bits(dtype);
  if (width < 64) {
    low_bits &= (UINT64_C(1) << width) - 1;
  }
  switch ((int)op->kind) {
  case MR_OP_abs: bits = x.v < 0 ? -bits : bits; break;
  case MR_OP_negate: bits = -bits; break;
  case MR_OP_not: bits = dtype == MR_PRED ? !bits : ~bits; break;
  case MR_OP_popcnt: bits = (uint64_t)__builtin_popcountll(low_bits); break;
  case MR_OP_count_leading_zeros: bits = low_bits ? (uint64_t)__builtin_clzll(low_bits) - (64 - width) : width; break;
  case MR_OP_sign: bits = x.v > 0 ? 1 : x.v < 0 ? ~UINT64_C(0) : 0; break;
  case MR_OP_square: bits = bits * bits; break;
  default: return false;
  }
  *out = cell_is_sure(x) ? cell_of_bits(dtype, bits) : cell_anything();
  return true;
}

// Tests of one number: certain, or anything.
static bool predicate(const mr_op *op, cell x, cell *out) {
  bool yes;
  switch ((int)op->kind) {
  case MR_OP_is_finite: yes = isfinite(x.v); break;
  case MR_OP_is_inf: yes = isinf(x.v); break;
  case MR_OP_is_pos_inf: yes = isinf(x.v) && x.v > 0; break;
  case MR_OP_is_neg_inf: yes = isinf(x.v) && x.v < 0; break;
  default: return false;
  }
  *out = cell_is_anything(x) ? cell_anything() : cell_exact(yes);
  return true;
}

static cell to_integer(mr_dtype to, cell x) {
  if (isnan(x.v)) {
    return to == MR_PRED ? cell_exact(1) : cell_exact(0);
  }
  if (to == MR_PRED) {
    return cell_is_sure(x) ? cell_exact(x.v != 0) : may_be_zero(x) ? cell_anything() : cell_exact(1);
  }
  unsigned width = mr_dtype_bits(to);
  real most = ldexpl(1, mr_dtype_is_signed(to) ? (int)width - 1 : (int)width) - 1,
       least = mr_dtype_is_signed(to) ? -most - 1 : 0, a = truncl(low(x)), b = truncl(high(x));
  a = a < least ? least : a > most ? most : a;
  b = b < least ? least : b > most ? most : b;
  return a == b ? cell_exact(a == 0 ? 0 : a) : cell_anything();
}

cell convert_cell(mr_dtype from, mr_dtype to, cell x) {
  if (cell_is_anything(x)) {
    return x;
  }
  bool from_float = mr_dtype_is_float(from), to_float = mr_dtype_is_float(to);
  if (from == to) {
    return x;
  }
  if (!from_float && !to_float) {
    return to == MR_PRED ? cell_exact(x.v != 0) : cell_of_bits(to, cell_bits(x));
  }
  if (!from_float) {
    return cell_round(to, x, 1);
  }
  x = cell_operand(from, x);
  return to_float ? cell_round(to, x, dtype_is_wide(to) ? 1 : 0) : to_integer(to, x);
}

// A conversion from bf16 to f32 right behind what computes its operand takes that before it is rounded.
static bool is_unrounded(const mr_op *op) {
  const mr_op *def = op->operands[0].value->def;
  return op->results[0].type.dtype == MR_F32 && op->operands[0].value->type.dtype == MR_BF16 && def &&
         def->block == op->block && def->kind != MR_OP_convert;
}

static cell with_rounding(mr_dtype dtype, cell x) {
  float_format f = format_of(dtype);
  real size = fabsl(x.v);
  if (!isfinite(x.v) || size + x.e >= f.largest) {
    return isnan(x.v) ? x : cell_anything();
  }
  x.e += (double)format_ulp(&f, size + x.e) / 2 + (size < ldexpl(1, f.min_exponent) ? (double)size : 0);
  x.exact = false;
  return x;
}

bool element_unary(const mr_op *op, mr_dtype from, mr_dtype to, const cell *x, cell *out) {
  if (mr_dtype_is_complex(from) || mr_dtype_is_complex(to)) {
    complex_unary(op, from == to ? to : mr_dtype_is_complex(from) ? from : to, x, out);
    return true;
  }
  if (op->kind == MR_OP_convert) {
    *out = convert_cell(from, to, is_unrounded(op) ? with_rounding(from, *x) : *x);
    return true;
  }
  if (op->kind == MR_OP_real || op->kind == MR_OP_conj) {
    *out = *x;
    return true;
  }
  if (op->kind == MR_OP_imag) {
    *out = cell_near(0, 0);
    return true;
  }
  if (predicate(op, *x, out)) {
    return true;
  }
  if (!mr_dtype_is_float(from)) {
    return integer_unary(op, from, *x, out);
  }
  if (op->kind == MR_OP_abs || op->kind == MR_OP_negate) {
    *out = *x;
    out->v = op->kind == MR_OP_negate ? -x->v : fabsl(x->v);
    if (op->kind == MR_OP_abs && fabsl(x->v) < x->e && !cell_is_anything(*x)) {
      out->exact = false;
    }
    if (!dtype_is_wide(from) && (format_of(from).kind == FORMAT_ONE_NAN || format_of(from).kind == FORMAT_POWER)) {
      *out = cell_round(from, *out, 0);  // no negative zero, no sign at all
      out->exact = x->exact && out->v != 0;
    }
    cell flushed = cell_operand(from, *out);
    out->e = flushed.e;
    return true;
  }
  bool known = float_unary(op, from, cell_operand(from, *x), out);
  *out = dtype_is_wide(from) ? *out : cell_round(from, *out, 0);
  return known;
}

static bool is_same(real x, real y) { return x == y || (isnan(x) && isnan(y)); }

// Whether the predicate comes from comparing the two numbers themselves. Then the selection is the processor's maximum or
// minimum, which is arithmetic.
static bool compares(const evaluator *ev, const mr_value *predicate, int64_t at, cell a, cell b, int depth) {
  const mr_op *op = predicate->def;
  if (!op || depth == 0) {
    return false;
  }
  if (op->kind == MR_OP_and || op->kind == MR_OP_or) {
    return compares(ev, mr_op_operand(op, 0), at, a, b, depth - 1) ||
           compares(ev, mr_op_operand(op, 1), at, a, b, depth - 1);
  }
  if (op->kind == MR_OP_not) {
    return compares(ev, mr_op_operand(op, 0), at, a, b, depth - 1);
  }
  const tensor *x = op->kind == MR_OP_compare ? operand_of(ev, op, 0) : NULL;
  if (!x || x->parts != 1) {
    return false;
  }
  at = x->count == 1 ? 0 : at;
  real left = x->cells[at].v, right = operand_of(ev, op, 1)->cells[at].v;
  return (is_same(left, a.v) && is_same(right, b.v)) || (is_same(left, b.v) && is_same(right, a.v));
}

static void select_element(const evaluator *ev, const mr_op *op, int64_t at, const cell *b, const cell *c, cell *out) {
  const tensor *predicate = operand_of(ev, op, 0), *x = operand_of(ev, op, 1);
  cell a = predicate->cells[predicate->count == 1 ? 0 : at];
  memcpy(out, a.v != 0 ? b : c, sizeof *out * (size_t)x->parts);
  if (!cell_is_sure(a)) {
    out[0] = out[x->parts - 1] = cell_anything();
    return;
  }
  cell computed = x->parts == 1 ? cell_operand(x->type.dtype, *out) : *out;
  if (computed.e != out->e && compares(ev, mr_op_operand(op, 0), at, *b, *c, 4)) {
    *out = computed;
  }
}

bool evaluate_element_op(evaluator *ev, const mr_op *op, tensor *const *results) {
  mr_op_class class = mr_op_table[op->kind].op_class;
  if (class > MR_OPS_TERNARY) {
    return false;
  }
  tensor *r = results[0], *x = operand_of(ev, op, 0), *y = op->num_operands > 1 ? operand_of(ev, op, 1) : x,
         *z = op->num_operands > 2 ? operand_of(ev, op, 2) : x;
  bool known = true;
  for (int64_t i = 0; known && i < r->count; i++) {
    const cell *a = x->cells + (x->count == 1 ? 0 : i) * x->parts, *b = y->cells + (y->count == 1 ? 0 : i) * y->parts,
               *c = z->cells + (z->count == 1 ? 0 : i) * z->parts;
    cell *out = r->cells + i * r->parts;
    if (op->num_operands == 1) {
      known = element_unary(op, x->type.dtype, r->type.dtype, a, out);
    } else if (op->num_operands == 2) {
      known = element_binary(op, x->type.dtype, a, b, out);
    } else if (op->kind == MR_OP_select) {
      select_element(ev, op, i, b, c, out);
    } else {  // clamp(low, x, high)
      mr_op most = *op, least = *op;
      most.kind = MR_OP_maximum, least.kind = MR_OP_minimum;
      cell raised[2];
      known =
          element_binary(&most, r->type.dtype, a, b, raised) && element_binary(&least, r->type.dtype, raised, c, out);
    }
  }
  return known;
}
