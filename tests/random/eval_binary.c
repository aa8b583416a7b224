// Elementwise operations of two operands: integers exactly, floats with bounds.
#include "tests/random/random.h"

#define ULPS_OF_FUNCTION 5

static real low(cell c) { return c.v - c.e; }
static real high(cell c) { return c.v + c.e; }
static bool is_anything(cell x, cell y) { return cell_is_anything(x) || cell_is_anything(y); }

// ---- Integers ------------------------------------------------------------------------------------------------------

static uint64_t power_of(uint64_t base, uint64_t exponent) {
  uint64_t product = 1;
  for (; exponent; exponent >>= 1, base *= base) {
    product *= exponent & 1 ? base : 1;
  }
  return product;
}

// Division truncates; by zero it gives all ones and the remainder is the dividend.
static uint64_t quotient(mr_dtype dtype, cell x, cell y, bool remainder) {
  if (y.v == 0) {
    return remainder ? cell_bits(x) : ~UINT64_C(0);
  }
  if (mr_dtype_is_signed(dtype)) {
    if (y.v == -1) {
      return remainder ? 0 : -cell_bits(x);
    }
    int64_t a = (int64_t)x.v, b = (int64_t)y.v;
    return (uint64_t)(remainder ? a % b : a / b);
  }
  uint64_t a = (uint64_t)x.v, b = (uint64_t)y.v;
  return remainder ? a % b : a / b;
}

static uint64_t shifted(mr_op_kind kind, mr_dtype dtype, cell x, cell y) {
  unsigned width = mr_dtype_bits(dtype);
  uint64_t bits = cell_bits(x), mask = width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
  bool over = y.v < 0 || y.v >= width;
  unsigned by = over ? 0 : (unsigned)y.v;
  if (kind == MR_OP_shift_left) {
    return over ? 0 : bits << by;
  }
  if (kind == MR_OP_shift_right_logical) {
    return over ? 0 : (bits & mask) >> by;
  }
  int64_t wide = (int64_t)(bits << (64 - width)) >> (64 - width);  // the type's top bit is the sign
  return (uint64_t)(wide >> (over ? 63 : by));
}

static uint64_t high_half(mr_dtype dtype, cell x, cell y) {
  unsigned width = mr_dtype_bits(dtype);
  if (mr_dtype_is_signed(dtype)) {
    return (uint64_t)(((__int128)x.v * (__int128)y.v) >> width);
  }
  return (uint64_t)(((unsigned __int128)x.v * (unsigned __int128)y.v) >> width);
}

static bool integer_binary(const mr_op *op, mr_dtype dtype, cell x, cell y, cell *out) {
  uint64_t a = cell_bits(x), b = cell_bits(y), bits;
  bool logical = dtype == MR_PRED, sure = cell_is_sure(x) && cell_is_sure(y);
  switch ((int)op->kind) {
  case MR_OP_add: bits = logical ? a | b : a + b; break;
  case MR_OP_subtract: bits = a - b; break;
  case MR_OP_multiply: bits = logical ? a & b : a * b; break;
  case MR_OP_divide: bits = quotient(dtype, x, y, false); break;
  case MR_OP_remainder: bits = quotient(dtype, x, y, true); break;
  case MR_OP_maximum: bits = x.v > y.v ? a : b; break;
  case MR_OP_minimum: bits = x.v < y.v ? a : b; break;
  case MR_OP_and: bits = a & b; break;
  case MR_OP_or: bits = a | b; break;
  case MR_OP_xor: bits = a ^ b; break;
  case MR_OP_mulhi: bits = high_half(dtype, x, y); break;
  case MR_OP_power:
    bits = power_of(a, b);
    sure = sure && y.v >= 0;
    break;
  case MR_OP_shift_left:
  case MR_OP_shift_right_logical:
  case MR_OP_shift_right_arithmetic: bits = shifted(op->kind, dtype, x, y); break;
  default: return false;
  }
  *out = sure ? cell_of_bits(dtype, bits) : cell_anything();
  return true;
}

// ---- Comparing ----------------------------------------------------------------------------------------------------

enum { EQ, NE, GE, GT, LE, LT };

static cell answer(int direction, int order /* -1, 0, 1 */) {
  const bool yes[6] = {order == 0, order != 0, order >= 0, order > 0, order <= 0, order < 0};
  return cell_exact(yes[direction]);
}

static cell compare_cells(int direction, bool total, cell x, cell y) {
  if (isnan(x.v) || isnan(y.v)) {
    return total ? cell_anything() : cell_exact(direction == NE);  // a NaN's sign is not kept
  }
  if (is_anything(x, y)) {
    return cell_anything();
  }
  if (high(x) < low(y) || high(y) < low(x)) {
    return answer(direction, x.v < y.v ? -1 : 1);
  }
  if (!cell_is_sure(x) || !cell_is_sure(y)) {
    return cell_anything();
  }
  int order = (x.v > y.v) - (x.v < y.v);
  if (total && order == 0 && x.v == 0) {
    if (!x.exact || !y.exact) {
      return cell_anything();
    }
    order = (signbit(y.v) != 0) - (signbit(x.v) != 0);
  }
  return answer(direction, order);
}

static void compare(const mr_op *op, mr_dtype dtype, const cell *x, const cell *y, cell *out) {
  int direction = (int)mr_op_int(op, MR_ATTR_comparison_direction, EQ);
  bool total = mr_op_int(op, MR_ATTR_compare_type, 0) == 2;
  // A total order looks at the bits, where subnormal numbers are what they are unless arithmetic has come before.
  cell a = cell_operand(dtype, x[0]), b = cell_operand(dtype, y[0]);
  *out = compare_cells(direction, total, a, b);
  if (mr_dtype_is_complex(dtype)) {
    cell imaginary = compare_cells(direction, total, cell_operand(dtype, x[1]), cell_operand(dtype, y[1]));
    // Equal: both parts are. Not equal: one is not.
    real decided = direction == EQ ? 0 : 1;
    bool settled = (cell_is_sure(*out) && out->v == decided) || (cell_is_sure(imaginary) && imaginary.v == decided);
    *out = settled                                         ? cell_exact(decided)
           : cell_is_sure(*out) && cell_is_sure(imaginary) ? cell_exact(1 - decided)
                                                           : cell_anything();
  }
}

// ---- Floats ---------------------------------------------------------------------------------------------------------

cell product_of(mr_dtype dtype, cell x, cell y) {
  if (!isfinite(x.v) || !isfinite(y.v)) {
    bool certain = fabsl(x.v) > x.e && fabsl(y.v) > y.e;
    bool plain = cell_is_sure(x) && cell_is_sure(y);
    return certain || plain || isnan(x.v) || isnan(y.v) ? cell_near(x.v * y.v, 0) : cell_anything();
  }
  real v = x.v * y.v;
  double e = (double)(fabsl(x.v) * y.e + fabsl(y.v) * x.e + (real)x.e * y.e);
  if (e == 0 && fmal(x.v, y.v, -v) != 0) {
    e = (double)(fabsl(v) * 0x1p-63L);  // a fused sum sees digits of it that are not here
  }
  cell c = cell_round(dtype, cell_near(v, e), 1);
  // A sum that this is part of may take the product as it is, too large for the type.
  return isinf(c.v) && dtype_is_wide(dtype) ? cell_anything() : c;
}

static cell divided(mr_dtype dtype, cell x, cell y) {
  if (isnan(x.v) || isnan(y.v)) {
    return cell_near(NAN, 0);
  }
  if (fabsl(y.v) <= y.e) {
    bool zero = cell_is_sure(y);
    if (zero && cell_is_sure(x) && x.v == 0) {
      return cell_near(NAN, 0);
    }
    return zero && y.exact && fabsl(x.v) > x.e ? cell_round(dtype, cell_near(x.v / y.v, 0), 0) : cell_anything();
  }
  if (!isfinite(x.v) || !isfinite(y.v)) {
    return cell_round(dtype, cell_near(x.v / y.v, 0), 0);
  }
  real v = x.v / y.v;
  return cell_round(dtype, cell_near(v, (double)((x.e + fabsl(v) * y.e) / (fabsl(y.v) - y.e)) * (1 + 0x1p-40)), 2);
}

static cell chosen(bool most, cell x, cell y) {
  if (isnan(x.v) || isnan(y.v)) {
    return cell_near(NAN, 0);
  }
  real v = most ? fmaxl(x.v, y.v) : fminl(x.v, y.v);
  if (cell_is_sure(x) && cell_is_sure(y)) {
    return (cell){v, 0, v != 0};
  }
  real a = most ? fmaxl(low(x), low(y)) : fminl(low(x), low(y));
  real b = most ? fmaxl(high(x), high(y)) : fminl(high(x), high(y));
  if (x.e >= fabsl(x.v) && y.e >= fabsl(y.v)) {
    // Both may count as zero: then they are equal for the processor, which gives one of them as it is.
    a = fminl(low(x), low(y));
    b = fmaxl(high(x), high(y));
  }
  if (isinf(v)) {
    return cell_near(v, 0);
  }
  return cell_near(v, (double)fmaxl(v - a, b - v) * (1 + 0x1p-50));
}

// Over a rectangle on which the function goes one way in each direction.
static cell corners(mr_dtype dtype, real (*f)(real, real), cell x, cell y) {
  real v = f(x.v, y.v), e = 0;
  for (int i = 0; i < 4 && !(cell_is_sure(x) && cell_is_sure(y)); i++) {
    real corner = f(i & 1 ? high(x) : low(x), i & 2 ? high(y) : low(y));
    if (!isfinite(corner) || !isfinite(v)) {
      return cell_anything();
    }
    e = fmaxl(e, fabsl(corner - v));
  }
  return function_result(dtype, v, (double)e * (1 + 0x1p-40), ULPS_OF_FUNCTION);
}

static cell power(mr_dtype dtype, cell x, cell y) {
  bool sure = cell_is_sure(x) && cell_is_sure(y);
  if (!sure && (low(x) <= 0 || !isfinite(x.v) || !isfinite(y.v))) {
    return cell_anything();
  }
  if (sure && x.v == 0 && !x.exact && y.v < 0) {
    return cell_anything();
  }
  cell c = corners(dtype, powl, x, y);
  // A power by a whole number may be a product of products, each of which rounds.
  if (sure && isfinite(c.v) && c.e > 0 && fabsl(y.v) > 2) {
    c.e += 8 * (double)format_ulp(&(float_format){.mantissa = format_of(dtype).mantissa, .min_exponent = -1022}, c.v);
  }
  return c;
}

static cell angle(mr_dtype dtype, cell y, cell x) {
  bool sure = cell_is_sure(x) && cell_is_sure(y);
  if (isnan(x.v) || isnan(y.v)) {
    return cell_near(NAN, 0);
  }
  bool across = fabsl(y.v) <= y.e && low(x) <= 0 && !(sure && y.exact && (x.v != 0 || x.exact));
  if (across || (!sure && (!isfinite(x.v) || !isfinite(y.v)))) {
    return cell_anything();
  }
  real v = atan2l(y.v, x.v), e = 0;
  if (!sure) {
    real near = hypotl(fmaxl(fabsl(x.v) - x.e, 0), fmaxl(fabsl(y.v) - y.e, 0));
    e = (fabsl(high(y)) + fabsl(low(y))) * x.e + (fabsl(high(x)) + fabsl(low(x))) * y.e;
    e /= near * near;
  }
  return isfinite(e) ? function_result(dtype, v, (double)e, ULPS_OF_FUNCTION) : cell_anything();
}

static cell rest(mr_dtype dtype, cell x, cell y) {
  if (isnan(x.v) || isnan(y.v) || isinf(x.v) || (cell_is_sure(y) && y.v == 0)) {
    return cell_near(NAN, 0);
  }
  if (cell_is_sure(x) && cell_is_sure(y)) {
    return cell_round(dtype, cell_near(fmodl(x.v, y.v), 0), 0);
  }
  if (isinf(y.v)) {
    return x;
  }
  if (fabsl(y.v) <= y.e) {
    return cell_anything();
  }
  real q = truncl(x.v / y.v);
  for (int i = 0; i < 4; i++) {
    if (truncl((i & 1 ? high(x) : low(x)) / (i & 2 ? high(y) : low(y))) != q) {
      return cell_anything();
    }
  }
  return cell_round(dtype, cell_near(x.v - q * y.v, (double)(x.e + fabsl(q) * y.e)), 1);
}

static cell neighbour(mr_dtype dtype, cell x, cell y) {
  if (isnan(x.v) || isnan(y.v)) {
    return cell_near(NAN, 0);
  }
  if (!cell_is_sure(x) || !cell_is_sure(y) || (dtype != MR_F32 && dtype != MR_F64)) {
    return cell_anything();
  }
  real v = dtype == MR_F32 ? (real)nextafterf((float)x.v, (float)y.v) : (real)nextafter((double)x.v, (double)y.v);
  return cell_round(dtype, cell_near(v, 0), 0);
}

static bool float_binary(const mr_op *op, mr_dtype dtype, cell x, cell y, cell *out) {
  if (is_anything(x, y)) {
    *out = cell_anything();
    return true;
  }
  switch ((int)op->kind) {
  case MR_OP_add:
  case MR_OP_subtract: {
    real v = op->kind == MR_OP_add ? x.v + y.v : x.v - y.v;
    *out = cell_round(dtype, cell_near(v, isfinite(v) ? x.e + y.e : 0), 1);
    return true;
  }
  case MR_OP_multiply: *out = product_of(dtype, x, y); return true;
  case MR_OP_divide: *out = divided(dtype, x, y); return true;
  case MR_OP_maximum: *out = chosen(true, x, y); return true;
  case MR_OP_minimum: *out = chosen(false, x, y); return true;
  case MR_OP_power: *out = power(dtype, x, y); return true;
  case MR_OP_atan2: *out = angle(dtype, x, y); return true;
  case MR_OP_remainder: *out = rest(dtype, x, y); return true;
  case MR_OP_next_after: *out = neighbour(dtype, x, y); return true;
  default: return false;
  }
}

// Whether `op` adds what is itself a sum of several: they may be added to the other operand one by one (compiler/passes/update.c), to
// arrays of numbers of 32 bits and more.
static bool adds_sums(const mr_op *op, mr_dtype dtype) {
  bool may = op->kind == MR_OP_add && op->num_results && op->results[0].type.rank > 0 && mr_dtype_bits(dtype) >= 32 &&
             !mr_dtype_is_integer(dtype);
  for (uint32_t i = 0; may && i < op->num_operands; i++) {
    const mr_op *def = mr_op_operand(op, i)->def;
    switch (def ? (int)def->kind : MR_OP_COUNT) {
    case MR_OP_scatter:
      if (mr_block_fold_kind(def->regions[0]) == MR_OP_add) {
        return true;
      }
      break;
    case MR_OP_while:
    case MR_OP_case:
    case MR_OP_if:
    case MR_OP_call:
    case MR_OP_composite:
    case MR_OP_optimization_barrier: return true;
    default: break;
    }
  }
  return false;
}

bool element_binary(const mr_op *op, mr_dtype from, const cell *x, const cell *y, cell *out) {
  if (op->kind == MR_OP_compare) {
    compare(op, from, x, y, out);
    return true;
  }
  if (op->kind == MR_OP_complex) {
    out[0] = *x, out[1] = *y;
    return true;
  }
  if (adds_sums(op, from)) {
    out[0] = out[mr_dtype_is_complex(from)] = cell_anything();
    return true;
  }
  if (mr_dtype_is_complex(from)) {
    complex_binary(op, from, x, y, out);
    return true;
  }
  if (!mr_dtype_is_float(from)) {
    return integer_binary(op, from, *x, *y, out);
  }
  bool known = float_binary(op, from, cell_operand(from, *x), cell_operand(from, *y), out);
  *out = dtype_is_wide(from) ? *out : cell_round(from, *out, 0);
  return known;
}
