#include "tests/compiler/op_reference.h"

#include <math.h>

#include "compiler/ir/scalar.h"
#include "compiler/loops/loops.h"
#include "tests/cmocka.h"

// ---- Floats -----------------------------------------------------------------------------------------------------------

static double max_of(double x, double y) {
  return isnan(x) || isnan(y) ? NAN : x > y || (x == y && !signbit(x)) ? x : y;
}
static double min_of(double x, double y) {
  return isnan(x) || isnan(y) ? NAN : x < y || (x == y && signbit(x)) ? x : y;
}

static double reduced(double x, uint64_t imm, bool wide) {
  int e = (int)(imm & 255), m = (int)(imm >> 8);
  if (isnan(x) || isinf(x) || x == 0) {
    return x;
  }
  if (e == (wide ? 11 : 8) && m == (wide ? 52 : 23)) {
    return x;
  }
  int emax = (1 << (e - 1)) - 1, exponent = ilogb(x);
  double r = ldexp(nearbyint(ldexp(x, m - exponent)), exponent - m);
  // Without a mantissa the last bit kept is the exponent's, on XLA:CPU as well: it is that which ties make even.
  if (m == 0 && fabs(x) == 1.5 * ldexp(1, exponent)) {
    r = copysign(ldexp(1, exponent + (exponent % 2 == 0)), x);
  }
  if (ilogb(r) > emax) {
    return copysign(INFINITY, x);
  }
  return ilogb(r) < 1 - emax ? copysign(0, x) : r;
}

static double sign_of(double x) { return isnan(x) || x == 0 ? x : copysign(1, x); }

// One operation in double; the caller rounds. Exact f32 results come out right because double has more than twice the
// bits (add, subtract, multiply, divide, square root round the same).
double float_reference(const work *w, bool wide, double x, double y, double z) {
  switch ((int)w->kind) {
  case MR_OP_add: return x + y;
  case MR_OP_subtract: return x - y;
  case MR_OP_multiply: return x * y;
  case MR_OP_divide: return x / y;
  case MR_OP_square: return x * x;
  case MR_OP_maximum: return max_of(x, y);
  case MR_OP_minimum: return min_of(x, y);
  case MR_OP_clamp: return min_of(max_of(x, y), z);
  case MR_OP_sqrt: return sqrt(x);
  case MR_OP_ceil: return ceil(x);
  case MR_OP_floor: return floor(x);
  case MR_OP_round_nearest_even: return nearbyint(x);
  case MR_OP_round_nearest_afz: return round(x);
  case MR_OP_abs: return fabs(x);
  case MR_OP_negate: return -x;
  case MR_OP_sign: return sign_of(x);
  case MR_OP_real:
  case MR_OP_conj: return x;
  case MR_OP_imag: return 0;
  case MR_OP_reduce_precision: return reduced(x, w->imm, wide);
  case MR_OP_is_finite: return isfinite(x);
  case MR_OP_is_inf: return isinf(x) != 0;
  case MR_OP_is_pos_inf: return x == INFINITY;
  case MR_OP_is_neg_inf: return x == -INFINITY;
  case MR_OP_select: return x < y ? y : z;
  case MR_OP_exponential: return exp(x);
  case MR_OP_exponential_minus_one: return expm1(x);
  case MR_OP_log: return log(x);
  case MR_OP_log_plus_one: return log1p(x);
  case MR_OP_sine: return sin(x);
  case MR_OP_cosine: return cos(x);
  case MR_OP_tan: return tan(x);
  case MR_OP_tanh: return tanh(x);
  case MR_OP_logistic: return 1 / (1 + exp(-x));
  case MR_OP_rsqrt: return 1 / sqrt(x);
  case MR_OP_cbrt: return cbrt(x);
  case MR_OP_erf: return erf(x);
  case MR_OP_erfc: return erfc(x);
  case MR_OP_asin: return asin(x);
  case MR_OP_acos: return acos(x);
  case MR_OP_atan: return atan(x);
  case MR_OP_sinh: return sinh(x);
  case MR_OP_cosh: return cosh(x);
  case MR_OP_asinh: return asinh(x);
  case MR_OP_acosh: return acosh(x);
  case MR_OP_atanh: return atanh(x);
  case MR_OP_power: return pow(x, y);
  case MR_OP_atan2: return atan2(x, y);
  case MR_OP_remainder: return fmod(x, y);
  default: fail_msg("no reference for %s", mr_op_table[w->kind].name); return 0;
  }
}

bool ordered(int direction, double x, double y) {
  switch (direction) {
  case MR_L_EQ: return x == y;
  case MR_L_NE: return x != y;
  case MR_L_GE: return x >= y;
  case MR_L_GT: return x > y;
  case MR_L_LE: return x <= y;
  case MR_L_LT: return x < y;
  default: fail_msg("no direction %d", direction); return false;
  }
}

// Where a value stands in the total order.
static double total_rank(double x) {
  if (isnan(x)) {
    return signbit(x) ? -4 : 4;
  }
  if (isinf(x)) {
    return signbit(x) ? -3 : 3;
  }
  if (x == 0) {
    return signbit(x) ? -1e-320 : 1e-320;
  }
  return copysign(1 + (atan(ldexp(fabs(x), -0)) / 2), x);
}

// Two finite values of one sign compare as numbers; ranks tell the rest.
bool total_compare(int direction, double x, double y) {
  if (isfinite(x) && isfinite(y) && x != y) {
    return ordered(direction, x, y);
  }
  if (x == y && x != 0) {
    return ordered(direction, 0, 0);
  }
  return ordered(direction, total_rank(x), total_rank(y));
}

double last_place(mr_dtype dtype, double x) {
  int mantissa = dtype == MR_F64 ? 52 : dtype == MR_F32 ? 23 : dtype == MR_F16 ? 10 : dtype == MR_BF16 ? 7 : 2;
  int lowest = dtype == MR_F64 ? -1074 : dtype == MR_F32 ? -149 : dtype == MR_F16 ? -24 : dtype == MR_BF16 ? -133 : -20;
  if (x == 0 || !isfinite(x)) {
    return ldexp(1, lowest);
  }
  return ldexp(1, MR_MAX(ilogb(x) - mantissa, lowest));
}

bool float_close(mr_dtype dtype, double got, double want, double tolerance) {
  if (isnan(want)) {
    return isnan(got);
  }
  if (got == want && (tolerance || signbit(got) == signbit(want))) {
    return true;
  }
  if (!tolerance) {
    return false;
  }
  return fabs(got - want) <= tolerance * last_place(dtype, want);
}

// ---- Integers ---------------------------------------------------------------------------------------------------------

wide_int int_of(mr_dtype dtype, const uint8_t *element) {
  int64_t v = mr_scalar_to_int(dtype, element);
  return mr_dtype_is_signed(dtype) ? (wide_int)v : (wide_int)(uint64_t)v;
}

static wide_int int_power(wide_int x, wide_int y) {
  if (y < 0) {
    return x == 1 ? 1 : x == -1 ? (y & 1 ? -1 : 1) : 0;
  }
  uint64_t result = 1, base = (uint64_t)x;
  for (uint64_t n = (uint64_t)y; n; n >>= 1, base *= base) {
    if (n & 1) {
      result *= base;
    }
  }
  return (wide_int)(int64_t)result;
}

static wide_int shifted(mr_op_kind kind, unsigned width, wide_int x, wide_int y) {
  uint64_t mask = width == 64 ? UINT64_MAX : (1ull << width) - 1;
  uint64_t bits = (uint64_t)x & mask, amount = (uint64_t)y & mask;
  int64_t top = (int64_t)(bits << (64 - width)) >> (64 - width);
  if (kind == MR_OP_shift_left) {
    return amount < width ? (wide_int)(bits << amount) : 0;
  }
  if (kind == MR_OP_shift_right_logical) {
    return amount < width ? (wide_int)(bits >> amount) : 0;
  }
  return (wide_int)(top >> MR_MIN(amount, width - 1));
}

wide_int int_reference(const work *w, mr_dtype dtype, wide_int x, wide_int y, wide_int z) {
  unsigned width = mr_dtype_bits(dtype);
  uint64_t mask = width == 64 ? UINT64_MAX : (1ull << width) - 1, bits = (uint64_t)x & mask;
  switch ((int)w->kind) {
  case MR_OP_add: return x + y;
  case MR_OP_subtract: return x - y;
  case MR_OP_multiply: return (wide_int)((uint64_t)x * (uint64_t)y);
  case MR_OP_square: return (wide_int)((uint64_t)x * (uint64_t)x);
  case MR_OP_divide: return y == 0 ? -1 : x / y;
  case MR_OP_remainder: return y == 0 ? x : x % y;
  case MR_OP_maximum: return MR_MAX(x, y);
  case MR_OP_minimum: return MR_MIN(x, y);
  case MR_OP_clamp: return MR_MIN(MR_MAX(x, y), z);
  case MR_OP_select: return x < y ? y : z;
  case MR_OP_and: return x & y;
  case MR_OP_or: return x | y;
  case MR_OP_xor: return x ^ y;
  case MR_OP_not: return ~x;
  case MR_OP_negate: return -x;
  case MR_OP_abs: return x < 0 ? -x : x;
  case MR_OP_sign: return x < 0 ? -1 : x > 0;
  case MR_OP_popcnt: return __builtin_popcountll(bits);
  case MR_OP_count_leading_zeros: return bits ? __builtin_clzll(bits) - (int)(64 - width) : (int)width;
  case MR_OP_power: return int_power(x, y);
  case MR_OP_mulhi: return (wide_int)((unsigned __int128)x * (unsigned __int128)y) >> width;
  case MR_OP_shift_left:
  case MR_OP_shift_right_logical:
  case MR_OP_shift_right_arithmetic: return shifted(w->kind, width, x, y);
  case MR_OP_compare: return ordered((int)(w->imm & 255), (x > y) - (x < y), 0);
  default: fail_msg("no reference for %s", mr_op_table[w->kind].name); return 0;
  }
}
