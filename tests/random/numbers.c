// Formats of floats, rounding and its bounds.
#include "tests/random/numbers.h"

#include <string.h>

static float_format ieee(int exponent, int mantissa) {
  int bias = (1 << (exponent - 1)) - 1;
  float_format f = {mantissa, 1 - bias, bias, 0, FORMAT_IEEE};
  f.largest = ldexpl(2 - ldexpl(1, -mantissa), bias);
  return f;
}

// Formats that use the exponents which IEEE keeps for infinity: `missing` codes at the top are not numbers.
static float_format full(int exponent, int mantissa, int bias, int missing, int kind) {
  float_format f = {mantissa, 1 - bias, (1 << exponent) - 1 - bias, 0, FORMAT_IEEE};
  f.kind = kind;
  f.largest = ldexpl(2 - ldexpl(missing + 1, -mantissa), f.max_exponent);
  return f;
}

static float_format make_format(mr_dtype dtype) {
  switch (mr_dtype_real(dtype)) {
  case MR_F64: return ieee(11, 52);
  case MR_F32: return ieee(8, 23);
  case MR_BF16: return ieee(8, 7);
  case MR_F16: return ieee(5, 10);
  case MR_F8E5M2: return ieee(5, 2);
  case MR_F8E4M3: return ieee(4, 3);
  case MR_F8E3M4: return ieee(3, 4);
  case MR_F8E4M3FN: return full(4, 3, 7, 1, FORMAT_NAN_ONLY);
  case MR_F8E4M3B11FNUZ: return full(4, 3, 11, 0, FORMAT_ONE_NAN);
  case MR_F8E4M3FNUZ: return full(4, 3, 8, 0, FORMAT_ONE_NAN);
  case MR_F8E5M2FNUZ: return full(5, 2, 16, 0, FORMAT_ONE_NAN);
  case MR_F4E2M1FN: return full(2, 1, 1, 0, FORMAT_FINITE);
  case MR_F6E2M3FN: return full(2, 3, 1, 0, FORMAT_FINITE);
  case MR_F6E3M2FN: return full(3, 2, 3, 0, FORMAT_FINITE);
  case MR_F8E8M0FNU: return (float_format){0, -127, 127, ldexpl(1, 127), FORMAT_POWER};
  default: return ieee(11, 52);
  }
}

float_format format_of(mr_dtype dtype) {
  static float_format formats[MR_DTYPE_COUNT];
  if (!formats[dtype].largest) {
    formats[dtype] = make_format(dtype);
  }
  return formats[dtype];
}

bool dtype_is_wide(mr_dtype dtype) {
  dtype = mr_dtype_real(dtype);
  return dtype == MR_F32 || dtype == MR_F64 || dtype == MR_BF16 || dtype == MR_F16;
}

real format_ulp(const float_format *f, real x) {
  int exponent = f->min_exponent;
  if (x != 0 && isfinite(x)) {
    exponent = ilogbl(x);
  }
  return ldexpl(1, (exponent < f->min_exponent ? f->min_exponent : exponent) - f->mantissa);
}

real format_round(const float_format *f, real x) {
  if (f->kind == FORMAT_POWER && x <= 0) {
    return NAN;  // neither a sign nor a zero
  }
  if (x == 0 && f->kind == FORMAT_ONE_NAN) {
    return 0;  // the code of a negative zero is the NaN
  }
  if (isnan(x) || x == 0) {
    return isnan(x) && f->kind == FORMAT_FINITE ? -0.0L : x;  // what has no NaN makes it a negative zero
  }
  real rounded = x;
  if (isfinite(x)) {
    real ulp = format_ulp(f, x);
    rounded = rintl(x / ulp) * ulp;  // ties to even: the evaluator leaves the rounding mode alone
  }
  if (fabsl(rounded) <= f->largest) {
    return rounded != 0 ? rounded : f->kind == FORMAT_POWER ? NAN : f->kind == FORMAT_ONE_NAN ? 0 : rounded;
  }
  switch (f->kind) {
  case FORMAT_IEEE: return copysignl(INFINITY, x);
  case FORMAT_FINITE: return copysignl(f->largest, x);
  default: return NAN;
  }
}

static cell decode_small(mr_dtype dtype, unsigned bits, int width) {
  float_format f = format_of(dtype);
  if (f.kind == FORMAT_POWER) {
    return cell_exact(bits == 0xFF ? NAN : ldexpl(1, (int)bits - 127));
  }
  int exponent_bits = width - 1 - f.mantissa;
  unsigned sign = bits >> (width - 1) & 1, mantissa = bits & ((1u << f.mantissa) - 1),
           exponent = bits >> f.mantissa & ((1u << exponent_bits) - 1), top = (1u << exponent_bits) - 1;
  if (f.kind == FORMAT_IEEE && exponent == top) {
    return cell_exact(mantissa ? NAN : sign ? -INFINITY : INFINITY);
  }
  if ((f.kind == FORMAT_NAN_ONLY && exponent == top && mantissa == (1u << f.mantissa) - 1) ||
      (f.kind == FORMAT_ONE_NAN && bits == 1u << (width - 1))) {
    return cell_exact(NAN);
  }
  real value = exponent ? ldexpl((1u << f.mantissa) | mantissa, (int)exponent - 1 + f.min_exponent - f.mantissa)
                        : ldexpl(mantissa, f.min_exponent - f.mantissa);
  return cell_exact(sign ? -value : value);
}

cell cell_decode(mr_dtype dtype, const void *bytes) {
  dtype = mr_dtype_real(dtype);
  uint64_t bits = 0;
  memcpy(&bits, bytes, mr_dtype_bytes(dtype));
  if (dtype == MR_F64) {
    double d;
    memcpy(&d, bytes, sizeof d);
    return cell_exact(d);
  }
  if (dtype == MR_F32) {
    float d;
    memcpy(&d, bytes, sizeof d);
    return cell_exact(d);
  }
  if (mr_dtype_is_float(dtype)) {
    return decode_small(dtype, (unsigned)bits, (int)mr_dtype_bits(dtype));
  }
  return cell_of_bits(dtype, bits);
}

static uint64_t encode_small(mr_dtype dtype, real v, int width) {
  float_format f = format_of(dtype);
  unsigned top = (1u << (width - 1 - f.mantissa)) - 1, sign = (unsigned)(signbit(v) != 0) << (width - 1);
  if (f.kind == FORMAT_POWER) {
    return isnan(v) ? 0xFF : (uint64_t)(ilogbl(v) + 127);
  }
  if (isnan(v)) {
    return f.kind == FORMAT_ONE_NAN    ? 1u << (width - 1)
           : f.kind == FORMAT_NAN_ONLY ? top << f.mantissa | ((1u << f.mantissa) - 1)
                                       : top << f.mantissa | 1u << (f.mantissa - 1);
  }
  if (isinf(v)) {
    return sign | top << f.mantissa;
  }
  real size = fabsl(v);
  if (size == 0 && f.kind == FORMAT_ONE_NAN) {
    return 0;
  }
  int exponent = size == 0 ? f.min_exponent - 1 : ilogbl(size);
  if (exponent < f.min_exponent) {
    return sign | (unsigned)ldexpl(size, f.mantissa - f.min_exponent);
  }
  unsigned mantissa = (unsigned)ldexpl(size, f.mantissa - exponent) - (1u << f.mantissa);
  return sign | (unsigned)(exponent - f.min_exponent + 1) << f.mantissa | mantissa;
}

void cell_encode(mr_dtype dtype, cell c, void *bytes) {
  dtype = mr_dtype_real(dtype);
  uint64_t bits;
  if (dtype == MR_F64) {
    double d = (double)c.v;
    memcpy(bytes, &d, sizeof d);
    return;
  }
  if (dtype == MR_F32) {
    float d = (float)c.v;
    memcpy(bytes, &d, sizeof d);
    return;
  }
  bits = mr_dtype_is_float(dtype) ? encode_small(dtype, c.v, (int)mr_dtype_bits(dtype)) : cell_bits(c);
  memcpy(bytes, &bits, mr_dtype_bytes(dtype));
}

uint64_t cell_bits(cell c) { return c.v < 0 ? (uint64_t)(int64_t)c.v : (uint64_t)c.v; }

cell cell_of_bits(mr_dtype dtype, uint64_t bits) {
  unsigned width = mr_dtype_bits(dtype);
  if (dtype == MR_PRED) {
    return cell_exact((bits & 1) != 0);
  }
  uint64_t low = width == 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
  if (mr_dtype_is_signed(dtype) && width < 64 && low >> (width - 1)) {
    low |= ~UINT64_C(0) << width;
  }
  return cell_exact(mr_dtype_is_signed(dtype) ? (real)(int64_t)low : (real)low);
}

// Narrow floats are computed in f32 and round after every operation.
static cell round_narrow(mr_dtype dtype, cell c) {
  float_format f = format_of(dtype), single = format_of(MR_F32);
  real middle = format_round(&f, format_round(&single, c.v));
  if (f.kind == FORMAT_POWER && fabsl(c.v) < ldexpl(1, -126) && c.v > 0) {
    return cell_anything();
  }
  if (c.e == 0) {
    return (cell){middle, 0, c.exact || middle != 0};
  }
  real low = format_round(&f, format_round(&single, c.v - c.e)),
       high = format_round(&f, format_round(&single, c.v + c.e));
  if (isnan(low) || isnan(middle) || isnan(high) || isinf(low) || isinf(high)) {
    return (isnan(low) && isnan(high)) || (isinf(low) && low == high) ? cell_near(middle, 0) : cell_anything();
  }
  real down = middle - low, up = high - middle;
  return cell_near(middle, (double)(down > up ? down : up));
}

static cell round_wide(mr_dtype dtype, cell c, double ulps) {
  float_format f = format_of(dtype);
  real size = fabsl(c.v);
  // Half a unit of what is too large for the type still rounds to the largest number.
  if (size + c.e >= f.largest) {
    bool surely = size - c.e > f.largest * (1 + ldexpl(1, -f.mantissa)) && f.mantissa > 10;
    return surely                          ? cell_near(copysignl(INFINITY, c.v), 0)
           : c.e == 0 && size == f.largest ? cell_near(c.v, 0)
                                           : cell_anything();
  }
  // Each step on the small types rounds as IEEE 754 says, through f32, which is wide enough for a quotient and a root; of these two
  // the number here is rounded itself, to more digits still.
  bool is_small = dtype == MR_F16 || dtype == MR_BF16;
  if (is_small && c.e == 0 && ulps <= 2 && size >= ldexpl(1, f.min_exponent)) {
    c.v = format_round(&f, c.v);
  }
  bool given = c.e == 0 && format_round(&f, c.v) == c.v;
  if (!given) {
    c.e += ulps * (double)format_ulp(&f, size + c.e) + (double)(size * 0x1p-62L);
  }
  real smallest = ldexpl(1, f.min_exponent);
  if (c.v != 0 || c.e != 0) {
    // A result between zero and the smallest normal number may be flushed.
    c.e = size - c.e < smallest ? c.e + (double)smallest : c.e;
  }
  c.exact = false;
  return c;
}

cell cell_round(mr_dtype dtype, cell c, double ulps) {
  if (cell_is_anything(c) || isnan(c.e)) {
    return cell_anything();
  }
  if (dtype_is_wide(dtype)) {
    return isfinite(c.v) ? round_wide(mr_dtype_real(dtype), c, ulps) : cell_near(c.v, 0);
  }
  return round_narrow(dtype, c);
}

cell function_result(mr_dtype dtype, real v, double e, double ulps) {
  // A small whole number is taken to be meant exactly; every large one is whole.
  bool whole = v == floorl(v) && fabsl(v) < 0x1p24L;
  if (e == 0 && ulps > 1 && isfinite(v) && !whole && dtype_is_wide(dtype)) {
    e = (double)(fabsl(v) * 0x1p-60L);
  }
  return cell_round(dtype, cell_near(v, e), ulps);
}

cell cell_operand(mr_dtype dtype, cell c) {
  dtype = mr_dtype_real(dtype);
  if (dtype == MR_F8E8M0FNU && c.v < ldexpl(1, -126)) {
    return cell_anything();  // subnormal in f32, where it is computed; nor has the type a zero
  }
  if (!mr_dtype_is_float(dtype) || !dtype_is_wide(dtype) || dtype == MR_F16 || !isfinite(c.v) || c.v == 0) {
    return c;
  }
  float_format f = format_of(dtype);
  real smallest = ldexpl(1, f.min_exponent), size = fabsl(c.v);
  if (size < smallest && c.e < (double)size) {
    c.e = (double)(size * (1 + 0x1p-60L));
  }
  return c;
}
