// Elementwise operations on complex numbers. Bounds are of the whole number: a part that is a small difference of large
// ones has no closer one. Nothing is said of what has parts that are not finite, or of a size where squares of it leave
// the type: how a formula gets there decides.
#include <complex.h>

#include "tests/random/random.h"

typedef long double complex wide_complex;

#define ULPS_OF_COMPLEX 16

static wide_complex number(const cell *x) { return __builtin_complex(x[0].v, x[1].v); }
static real error_of(const cell *x) { return (real)x[0].e + x[1].e; }

static void anything(cell *out) { out[0] = out[1] = cell_anything(); }

// Both parts within e of z, and a few units of the last place of the larger one.
static void near(mr_dtype dtype, wide_complex z, real e, bool is_product, cell *out) {
  float_format f = format_of(dtype);
  real size = fmaxl(fabsl(creall(z)), fabsl(cimagl(z)));
  if (!(size < f.largest / 4) || !isfinite(e)) {
    anything(out);
    return;
  }
  real parts[2] = {creall(z), cimagl(z)};
  for (int i = 0; i < 2; i++) {
    cell c = cell_round(dtype, cell_near(parts[i], (double)e), 1);
    // Products of small whole numbers come out as they are, whatever the formula.
    bool whole = parts[0] == floorl(parts[0]) && parts[1] == floorl(parts[1]);
    if (!is_product || e > 0 || c.e > 0 || size > 4096 || !whole) {
      c.e += ULPS_OF_COMPLEX * (double)format_ulp(&f, size);
    }
    out[i] = c;
  }
}

static bool is_plain(mr_dtype dtype, const cell *x) {
  real size = cabsl(number(x));
  float_format f = format_of(dtype);
  real far = sqrtl(f.largest) / 16;
  return isfinite(size) && isfinite(error_of(x)) && size < far && (size == 0 || size > 1 / far);
}

// How far a sum of products of the parts may be off because each of them that is subnormal counts as itself or as zero.
static real lost_products(mr_dtype dtype, const cell *x, const cell *y) {
  real smallest = ldexpl(1, format_of(dtype).min_exponent), lost = 0;
  for (int i = 0; i < 4; i++) {
    real product = fabsl(x[i / 2].v * y[i % 2].v);
    lost += product > 0 && product < smallest ? smallest : 0;
  }
  return lost;
}

// The function's value and how fast it changes, by which an operand's error is multiplied.
static bool function(const mr_op *op, wide_complex z, wide_complex *out_value, real *out_slope) {
  wide_complex v;
  switch ((int)op->kind) {
  case MR_OP_exponential: v = cexpl(z), *out_slope = cabsl(v); break;
  case MR_OP_exponential_minus_one: v = cexpl(z) - 1, *out_slope = cabsl(v + 1); break;
  case MR_OP_log: v = clogl(z), *out_slope = 1 / cabsl(z); break;
  case MR_OP_log_plus_one: v = clogl(1 + z), *out_slope = 1 / cabsl(1 + z); break;
  case MR_OP_sqrt: v = csqrtl(z), *out_slope = 0.5L / cabsl(v); break;
  case MR_OP_rsqrt: v = 1 / csqrtl(z), *out_slope = 0.5L * cabsl(v / z); break;
  case MR_OP_sine: v = csinl(z), *out_slope = cabsl(ccosl(z)); break;
  case MR_OP_cosine: v = ccosl(z), *out_slope = cabsl(csinl(z)); break;
  case MR_OP_tan: v = ctanl(z), *out_slope = cabsl(1 + v * v); break;
  case MR_OP_tanh: v = ctanhl(z), *out_slope = cabsl(1 - v * v); break;
  case MR_OP_logistic: v = 1 / (1 + cexpl(-z)), *out_slope = cabsl(v * (1 - v)); break;
  case MR_OP_square: v = z * z, *out_slope = 2 * cabsl(z); break;
  case MR_OP_sign: v = z == 0 ? z : z / cabsl(z), *out_slope = 2 / cabsl(z); break;
  default: return false;
  }
  *out_value = v;
  return true;
}

static void apply(const mr_op *op, mr_dtype dtype, const cell *x, cell *out) {
  wide_complex z = number(x), v;
  real slope, e = error_of(x);
  bool plain = is_plain(dtype, x) && (cabsl(z) < 40 || op->kind == MR_OP_log || op->kind == MR_OP_sqrt);
  // On the cut of log and sqrt, and next to it, the sign of a zero decides.
  bool cut = creall(z) <= x[0].e + 0.01L * fabsl(creall(z)) && fabsl(cimagl(z)) <= x[1].e;
  if (op->kind == MR_OP_log_plus_one) {
    cut = creall(z) <= -1 + x[0].e + 1e-3L && fabsl(cimagl(z)) <= x[1].e + 1e-3L;
  }
  bool has_cut =
      op->kind == MR_OP_log || op->kind == MR_OP_log_plus_one || op->kind == MR_OP_sqrt || op->kind == MR_OP_rsqrt;
  if (!plain || (has_cut && cut) || !function(op, z, &v, &slope)) {
    anything(out);
    return;
  }
  // The slope at one point stands for the neighbourhood only while that is short.
  bool is_short = e == 0 || (e < 1e-3L * fmaxl(cabsl(z), 1e-6L) && isfinite(slope));
  if (!is_short) {
    anything(out);
    return;
  }
  real lost = op->kind == MR_OP_square ? lost_products(dtype, x, x) : 0;
  near(dtype, v, e == 0 ? lost : 2 * slope * e + lost, false, out);
  // What cancels inside: exp(z) - 1 and log near 1 are small differences of numbers near 1; tan has poles.
  float_format f = format_of(dtype);
  double inner = 8 * (double)ldexpl(1 + (isfinite(slope) ? slope * cabsl(z) : 0), -f.mantissa);
  out[0].e += inner, out[1].e += inner;
}

void complex_unary(const mr_op *op, mr_dtype dtype, const cell *x, cell *out) {
  mr_dtype from = mr_op_operand(op, 0)->type.dtype, to = op->results[0].type.dtype;
  cell flushed[2];
  for (int i = 0; i < 2 && mr_dtype_is_complex(from); i++) {
    flushed[i] = cell_operand(from, x[i]);
  }
  switch ((int)op->kind) {
  case MR_OP_real: *out = x[0]; return;
  case MR_OP_imag: *out = x[1]; return;
  case MR_OP_negate:
  case MR_OP_conj:
    for (int i = 0; i < 2; i++) {
      out[i] = flushed[i];
      out[i].exact = false;
      out[i].v = i || op->kind == MR_OP_negate ? -x[i].v : x[i].v;
    }
    return;
  case MR_OP_convert:
    if (!mr_dtype_is_complex(from)) {
      out[0] = convert_cell(from, mr_dtype_real(to), x[0]);
      out[1] = cell_near(0, 0);
    } else if (!mr_dtype_is_complex(to)) {
      *out = convert_cell(mr_dtype_real(from), to, x[0]);
    } else {
      out[0] = convert_cell(mr_dtype_real(from), mr_dtype_real(to), x[0]);
      out[1] = convert_cell(mr_dtype_real(from), mr_dtype_real(to), x[1]);
    }
    return;
  case MR_OP_is_finite: {
    bool sure = !cell_is_anything(x[0]) && !cell_is_anything(x[1]);
    *out = sure ? cell_exact(isfinite(x[0].v) && isfinite(x[1].v)) : cell_anything();
    return;
  }
  case MR_OP_abs:
    if (is_plain(dtype, flushed)) {
      // A size that is a number of the type comes out as it is only along an axis.
      real size = cabsl(number(flushed)), e = error_of(flushed);
      e += flushed[0].v != 0 && flushed[1].v != 0 ? size * 0x1p-60L : 0;
      e += size > 0 ? lost_products(dtype, flushed, flushed) / size : 0;
      *out = cell_round(mr_dtype_real(dtype), cell_near(size, (double)e), 4);
    } else {
      *out = cell_anything();
    }
    return;
  default: apply(op, dtype, flushed, out);
  }
}

void complex_binary(const mr_op *op, mr_dtype dtype, const cell *x, const cell *y, cell *out) {
  cell a[2] = {cell_operand(dtype, x[0]), cell_operand(dtype, x[1])},
       b[2] = {cell_operand(dtype, y[0]), cell_operand(dtype, y[1])};
  wide_complex z = number(a), w = number(b);
  real ez = error_of(a), ew = error_of(b);
  mr_dtype part = mr_dtype_real(dtype);
  if (op->kind == MR_OP_add || op->kind == MR_OP_subtract) {
    for (int i = 0; i < 2; i++) {
      real v = op->kind == MR_OP_add ? a[i].v + b[i].v : a[i].v - b[i].v;
      bool lost = cell_is_anything(a[i]) || cell_is_anything(b[i]);
      out[i] = lost ? cell_anything() : cell_round(part, cell_near(v, isfinite(v) ? a[i].e + b[i].e : 0), 1);
    }
    return;
  }
  if (!is_plain(dtype, a) || !is_plain(dtype, b)) {
    anything(out);
  } else if (op->kind == MR_OP_multiply) {
    near(dtype, z * w, cabsl(z) * ew + cabsl(w) * ez + ez * ew + lost_products(dtype, a, b), true, out);
  } else if (op->kind == MR_OP_divide && cabsl(w) > 2 * ew) {
    real size = cabsl(w) - ew;
    real lost = (lost_products(dtype, a, b) + cabsl(z / w) * lost_products(dtype, b, b)) / (size * size);
    near(dtype, z / w, (ez + cabsl(z / w) * ew) / size + lost, false, out);
  } else {
    anything(out);  // powers and angles
  }
}
