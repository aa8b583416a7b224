// Elements of every type to C numbers and back. The narrow floats share one encoder driven by a table.
#include "compiler/ir/scalar.h"

#include <math.h>
#include <string.h>

typedef struct narrow {
  int exponent_bits, mantissa_bits, bias;
  uint32_t max_code, overflow_code, nan_code;  // without sign
  bool negative_zero;                          // false: the sign bit alone is the one NaN
} narrow;

static const narrow narrows[MR_DTYPE_COUNT] = {
    [MR_F16] = {5, 10, 15, 0x7BFF, 0x7C00, 0x7E00, true},
    [MR_BF16] = {8, 7, 127, 0x7F7F, 0x7F80, 0x7FC0, true},
    [MR_F8E5M2] = {5, 2, 15, 0x7B, 0x7C, 0x7E, true},
    [MR_F8E4M3FN] = {4, 3, 7, 0x7E, 0x7F, 0x7F, true},
    [MR_F8E4M3B11FNUZ] = {4, 3, 11, 0x7F, 0x80, 0x80, false},
    [MR_F8E5M2FNUZ] = {5, 2, 16, 0x7F, 0x80, 0x80, false},
    [MR_F8E4M3FNUZ] = {4, 3, 8, 0x7F, 0x80, 0x80, false},
    [MR_F8E4M3] = {4, 3, 7, 0x77, 0x78, 0x7C, true},
    [MR_F8E3M4] = {3, 4, 3, 0x6F, 0x70, 0x78, true},
    // No infinity, no NaN: overflow saturates, NaN becomes -0.
    [MR_F4E2M1FN] = {2, 1, 1, 0x7, 0x7, 0x8, true},
    [MR_F6E2M3FN] = {2, 3, 1, 0x1F, 0x1F, 0x20, true},
    [MR_F6E3M2FN] = {3, 2, 3, 0x1F, 0x1F, 0x20, true},
};

static uint32_t encode(const narrow *f, double value) {
  uint32_t sign = signbit(value) ? 1u << (f->exponent_bits + f->mantissa_bits) : 0;
  if (isnan(value)) {
    return f->negative_zero ? f->nan_code | sign : f->nan_code;
  }
  double a = fabs(value);
  if (a == 0) {
    return f->negative_zero ? sign : 0;
  }
  uint32_t code = f->overflow_code;
  if (!isinf(a) && ilogb(a) <= (1 << f->exponent_bits)) {
    int exponent = MR_MAX(ilogb(a), 1 - f->bias);
    // Mantissa steps of this binade; the default rounding mode is to nearest even. A carry runs into the exponent.
    double steps = nearbyint(ldexp(a, f->mantissa_bits - exponent));
    code = ((uint32_t)(exponent + f->bias - 1) << f->mantissa_bits) + (uint32_t)steps;
    if (code > f->max_code) {
      code = f->overflow_code;
    }
  }
  if (!f->negative_zero && (code == 0 || code == f->nan_code)) {
    return code;
  }
  return code | sign;
}

static double decode(const narrow *f, uint32_t code) {
  uint32_t sign = code >> (f->exponent_bits + f->mantissa_bits) & 1;
  uint32_t magnitude = code & ((1u << (f->exponent_bits + f->mantissa_bits)) - 1);
  double value;
  if (!f->negative_zero && sign && magnitude == 0) {
    return NAN;
  }
  if (magnitude > f->max_code) {
    value = magnitude == f->overflow_code && f->overflow_code != f->nan_code ? INFINITY : NAN;
  } else {
    uint32_t exponent = magnitude >> f->mantissa_bits;
    uint32_t mantissa = magnitude & ((1u << f->mantissa_bits) - 1);
    mantissa += exponent ? 1u << f->mantissa_bits : 0;
    value = ldexp(mantissa, (int)MR_MAX(exponent, 1u) - f->bias - f->mantissa_bits);
  }
  return sign ? -value : value;
}

// Powers of two without sign, zero or infinity; halves round up; what cannot be is NaN.
static uint8_t encode_e8m0(double value) {
  if (!(value > 0) || isinf(value)) {
    return 0xFF;
  }
  int exponent = ilogb(value);
  if (ldexp(value, -exponent) >= 1.5) {
    exponent++;
  }
  exponent = MR_MAX(exponent, -127);
  return exponent > 127 ? 0xFF : (uint8_t)(exponent + 127);
}

static void store_int(mr_dtype dtype, uint64_t bits, void *out) {
  unsigned width = mr_dtype_bits(dtype);
  if (dtype == MR_PRED) {
    bits = bits != 0;
  } else if (width < 64 && mr_dtype_is_signed(dtype)) {
    bits = (uint64_t)((int64_t)(bits << (64 - width)) >> (64 - width));
  } else if (width < 64) {
    bits &= (1ull << width) - 1;
  }
  memcpy(out, &bits, mr_dtype_bytes(dtype));
}

static uint64_t saturate(mr_dtype dtype, double value) {
  unsigned width = mr_dtype_bits(dtype);
  if (isnan(value)) {
    return 0;
  }
  if (mr_dtype_is_unsigned(dtype)) {
    if (value <= -1) {
      return 0;
    }
    if (value >= ldexp(1, (int)width)) {
      return width == 64 ? UINT64_MAX : (1ull << width) - 1;
    }
    return value < 0 ? 0 : (uint64_t)value;
  }
  double end = ldexp(1, (int)width - 1);
  if (value >= end) {
    return (uint64_t)((1ull << (width - 1)) - 1);
  }
  return value < -end ? 0 - (1ull << (width - 1)) : (uint64_t)(int64_t)value;
}

static void store_real(mr_dtype dtype, double value, void *out) {
  if (dtype == MR_F64) {
    memcpy(out, &value, sizeof value);
  } else if (dtype == MR_F32) {
    float narrowed = (float)value;
    memcpy(out, &narrowed, sizeof narrowed);
  } else if (dtype == MR_F8E8M0FNU) {
    *(uint8_t *)out = encode_e8m0(value);
  } else {
    uint32_t code = encode(&narrows[dtype], value);
    memcpy(out, &code, mr_dtype_bytes(dtype));
  }
}

void mr_scalar_from_double(mr_dtype dtype, double value, void *out) {
  switch (mr_dtype_class_of(dtype)) {
  case MR_CLASS_NONE: break;
  case MR_CLASS_BOOL: *(uint8_t *)out = value != 0; break;
  case MR_CLASS_SIGNED:
  case MR_CLASS_UNSIGNED: store_int(dtype, saturate(dtype, value), out); break;
  case MR_CLASS_FLOAT: store_real(dtype, value, out); break;
  case MR_CLASS_COMPLEX:
    memset(out, 0, mr_dtype_bytes(dtype));
    store_real(mr_dtype_real(dtype), value, out);
    break;
  }
}

// The integer as a double that rounds onward to any narrower float as the integer itself would: bits beyond 53 leave
// one sticky bit behind.
static double sticky_double(uint64_t magnitude, bool negative) {
  int extra = magnitude ? 64 - __builtin_clzll(magnitude) - 53 : 0;
  if (extra > 0) {
    bool lost = (magnitude & ((1ull << extra) - 1)) != 0;
    magnitude = (magnitude >> extra | lost) << extra;
  }
  return negative ? -(double)magnitude : (double)magnitude;
}

static bool is_wide_float(mr_dtype dtype) { return mr_dtype_real(dtype) == MR_F64; }

void mr_scalar_from_int(mr_dtype dtype, int64_t value, void *out) {
  if (dtype == MR_PRED || mr_dtype_is_integer(dtype)) {
    store_int(dtype, (uint64_t)value, out);
    return;
  }
  uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  double wide = is_wide_float(dtype) ? (double)value : sticky_double(magnitude, value < 0);
  mr_scalar_from_double(dtype, wide, out);
}

static void from_uint(mr_dtype dtype, uint64_t value, void *out) {
  if (dtype == MR_PRED || mr_dtype_is_integer(dtype)) {
    store_int(dtype, value, out);
    return;
  }
  mr_scalar_from_double(dtype, is_wide_float(dtype) ? (double)value : sticky_double(value, false), out);
}

static double load_real(mr_dtype dtype, const void *element) {
  if (dtype == MR_F64) {
    double value;
    memcpy(&value, element, sizeof value);
    return value;
  }
  if (dtype == MR_F32) {
    float value;
    memcpy(&value, element, sizeof value);
    return value;
  }
  uint32_t code = 0;
  memcpy(&code, element, mr_dtype_bytes(dtype));
  if (dtype == MR_F8E8M0FNU) {
    return code == 0xFF ? NAN : ldexp(1, (int)code - 127);
  }
  return decode(&narrows[dtype], code);
}

static uint64_t load_int(mr_dtype dtype, const void *element) {
  uint64_t bits = 0;
  memcpy(&bits, element, mr_dtype_bytes(dtype));
  uint64_t value;
  store_int(dtype, bits, &bits);  // sub-byte elements may come with stray upper bits
  unsigned width = (unsigned)mr_dtype_bytes(dtype) * 8;
  value = bits;
  if (mr_dtype_is_signed(dtype) && width < 64) {
    value = (uint64_t)((int64_t)(bits << (64 - width)) >> (64 - width));
  }
  return value;
}

double mr_scalar_to_double(mr_dtype dtype, const void *element) {
  switch (mr_dtype_class_of(dtype)) {
  case MR_CLASS_NONE: return 0;
  case MR_CLASS_BOOL:
  case MR_CLASS_UNSIGNED: return (double)load_int(dtype, element);
  case MR_CLASS_SIGNED: return (double)(int64_t)load_int(dtype, element);
  case MR_CLASS_FLOAT: return load_real(dtype, element);
  case MR_CLASS_COMPLEX: return load_real(mr_dtype_real(dtype), element);
  }
  return 0;
}

int64_t mr_scalar_to_int(mr_dtype dtype, const void *element) {
  if (dtype == MR_PRED || mr_dtype_is_integer(dtype)) {
    return (int64_t)load_int(dtype, element);
  }
  return (int64_t)saturate(MR_S64, mr_scalar_to_double(dtype, element));
}

// Of a complex number the real part alone counts.
// A complex number is true by its real part, as XLA has it.
static bool is_not_zero(mr_dtype dtype, const void *element) {
  mr_dtype real = mr_dtype_real(dtype);
  return mr_dtype_is_float(real) ? load_real(real, element) != 0 : load_int(dtype, element) != 0;
}

void mr_scalar_convert(mr_dtype from, const void *element, mr_dtype to, void *out) {
  if (to == MR_PRED) {
    *(uint8_t *)out = is_not_zero(from, element);
  } else if (mr_dtype_is_complex(from) && mr_dtype_is_complex(to)) {
    mr_dtype source = mr_dtype_real(from), target = mr_dtype_real(to);
    double imaginary = load_real(source, (const char *)element + mr_dtype_bytes(source));
    store_real(target, load_real(source, element), out);
    store_real(target, imaginary, (char *)out + mr_dtype_bytes(target));
  } else if (mr_dtype_is_signed(from)) {
    mr_scalar_from_int(to, (int64_t)load_int(from, element), out);
  } else if (from == MR_PRED || mr_dtype_is_unsigned(from)) {
    from_uint(to, load_int(from, element), out);
  } else {
    mr_scalar_from_double(to, mr_scalar_to_double(from, element), out);
  }
}

int mr_scalar_exponent_bits(mr_dtype dtype) {
  return dtype == MR_F64 ? 11 : narrows[dtype].exponent_bits ? narrows[dtype].exponent_bits : 8;
}
