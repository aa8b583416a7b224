// What kernels in OpenCL C call besides the element functions: the conversions and operations that the generator of
// machine code writes as instructions (emit_float.c, emit_convert.c, emit_float_op.c, emit_int_op.c), with the same bits.
//
// OpenCL C 1.2. The build preprocesses this file together with ops/element; a program gets only the functions that it
// calls, each with what it calls in turn (clc_library.c), so a function starts a line and names are unique. Narrow floats
// are their bits, in ushort or uchar; integers of less than a byte lie extended in char or uchar. As in ops/element, both
// sides of a choice are computed.

// ---- Floats narrower than f32 -----------------------------------------------------------------------------------------

// a plus half of the last kept place, or just under half when that place is even: truncating then rounds to even.
static uint mr_clc_half_even(uint a, uint drop) { return a + ((1u << (drop - 1)) - 1) + (a >> drop & 1); }

static float mr_clc_widen_bf16(ushort v) { return as_float((uint)v << 16); }

static ushort mr_clc_narrow_bf16(float v) {
  uint bits = as_uint(v), rounded = mr_clc_half_even(bits, 16) >> 16, quiet = bits >> 16 | 0x40;
  return (ushort)((bits & 0x7FFFFFFFu) > 0x7F800000u ? quiet : rounded);
}

static float mr_clc_widen_f16(ushort v) {
  uint magnitude = v & 0x7FFFu, normal = (magnitude << 13) + (112u << 23);
  uint small = as_uint((float)(int)magnitude * 0x1p-24f);  // a small integer times a power of two: exact
  uint bits = magnitude > 0x3FFu ? normal : small, special = 0x7F800000u | magnitude << 13;
  uint quiet = special | 0x400000u;
  bits = magnitude > 0x7BFFu ? special : bits;
  bits = magnitude > 0x7C00u ? quiet : bits;
  return as_float(bits | ((uint)v & 0x8000u) << 16);
}

static ushort mr_clc_narrow_f16(float v) {
  uint bits = as_uint(v), magnitude = bits & 0x7FFFFFFFu;
  uint normal = (mr_clc_half_even(magnitude, 13) >> 13) - (112u << 10);
  // Below the smallest normal: adding 2^23 rounds to a count of subnormal steps and leaves it in the low bits.
  uint small = as_uint(as_float(magnitude) * 0x1p24f + 0x1p23f) - 0x4B000000u;
  uint code = magnitude > (113u << 23) - 1 ? normal : small, nan = 0x7E00u | magnitude >> 13 & 0x3FFu;
  code = code > 0x7BFFu ? 0x7C00u : code;
  code = magnitude > 0x7F800000u ? nan : code;
  return (ushort)(code | bits >> 16 & 0x8000u);
}

// 2^(code - 127); code 0 is subnormal in f32.
static float mr_clc_widen_f8E8M0FNU(uchar v) {
  uint code = v, bits = code << 23 | (uint)(code == 0) << 22;
  return as_float(code == 0xFF ? 0x7FC00000u : bits);
}

// Powers of two alone; halves round up; zero, negative, infinite and NaN have no code but NaN's.
static uchar mr_clc_narrow_f8E8M0FNU(float v) {
  uint bits = as_uint(v), code = (bits + 0x400000u) >> 23, tiny = bits > 0x5FFFFFu ? 1 : 0;
  code = bits > 0x7FFFFFu ? code : tiny;
  return (uchar)((bits > 0x7F7FFFFFu) | (bits == 0) ? 0xFFu : code);
}

// (name, bits of exponent and mantissa, bias, codes without the sign: largest finite, what is too large, NaN; no -0 and the
// sign alone is NaN; has infinities; has NaN)
#define FORMATS(X)                                                      \
  X(f8E5M2, 5, 2, 15, 0x7B, 0x7C, 0x7E, false, true, true)              \
  X(f8E4M3FN, 4, 3, 7, 0x7E, 0x7F, 0x7F, false, false, true)            \
  X(f8E4M3B11FNUZ, 4, 3, 11, 0x7F, 0x80, 0x80, true, false, true)       \
  X(f8E5M2FNUZ, 5, 2, 16, 0x7F, 0x80, 0x80, true, false, true)          \
  X(f8E4M3FNUZ, 4, 3, 8, 0x7F, 0x80, 0x80, true, false, true)           \
  X(f8E4M3, 4, 3, 7, 0x77, 0x78, 0x7C, false, true, true)               \
  X(f8E3M4, 3, 4, 3, 0x6F, 0x70, 0x78, false, true, true)               \
  X(f4E2M1FN, 2, 1, 1, 0x7, 0x7, 0x8, false, false, false)              \
  X(f6E2M3FN, 2, 3, 1, 0x1F, 0x1F, 0x20, false, false, false)           \
  X(f6E3M2FN, 3, 2, 3, 0x1F, 0x1F, 0x20, false, false, false)

// An exponent of a power of two as the bits of an f32.
#define POWER(n) as_float((uint)(127 + (n)) << 23)

#define FORMAT(name, E, M, BIAS, MAX, OVER, NAN_CODE, FNUZ, HAS_INF, HAS_NAN)                             \
  static float mr_clc_widen_##name(uchar v) {                                                             \
    uint code = v, magnitude = code & ((1u << (E + M)) - 1);                                              \
    uint normal = (magnitude << (23 - M)) + ((127u - BIAS) << 23);                                        \
    uint small = as_uint((float)(int)magnitude * POWER(1 - BIAS - M));                                    \
    uint bits = magnitude > (1u << M) - 1 ? normal : small;                                               \
    bits = HAS_NAN & !FNUZ & (magnitude > MAX) ? 0x7FC00000u : bits;                                      \
    bits = HAS_INF & (magnitude == OVER) ? 0x7F800000u : bits;                                            \
    bits |= (code & 1u << (E + M)) << (31 - E - M);                                                       \
    return as_float(FNUZ & (code == 0x80u) ? 0x7FC00000u : bits);                                         \
  }                                                                                                       \
  static uchar mr_clc_narrow_##name(float v) {                                                            \
    uint bits = as_uint(v), magnitude = bits & 0x7FFFFFFFu;                                               \
    uint normal = (mr_clc_half_even(magnitude, 23 - M) >> (23 - M)) - ((127u - BIAS) << M);               \
    uint small = as_uint(as_float(magnitude) * POWER(BIAS - 1 + M) + 0x1p23f) - 0x4B000000u;              \
    uint code = magnitude > ((128u - BIAS) << 23) - 1 ? normal : small;                                   \
    uint sign = bits >> (31 - E - M) & 1u << (E + M);                                                     \
    code = code > MAX ? OVER : code;                                                                      \
    sign = FNUZ & ((code == 0) | (code == 0x80u)) ? 0 : sign;                                             \
    code = magnitude > 0x7F800000u ? NAN_CODE : code;                                                     \
    return (uchar)(FNUZ & (magnitude > 0x7F800000u) ? code : code | sign);                                \
  }
FORMATS(FORMAT)

// f64 to f32 with rounding to odd: when inexact the last bit is set, so that rounding again, to something at least two
// bits narrower, rounds as if it were the first time.
static float mr_clc_round_to_odd(double v) {
  float narrow = (float)v;
  double back = (double)narrow;
  uint bits = as_uint(narrow), step = fabs(back) < fabs(v) ? 1u : 0xFFFFFFFFu, moved = bits + step;
  bool exact = !((back < v) | (back > v));
  return as_float(exact | ((bits & 1) != 0) ? bits : moved);
}

// ---- Floats -----------------------------------------------------------------------------------------------------------

// A NaN is kept; of two zeros the maximum is the positive one. The sum of equal bits is those bits.
#define EXTREMES(s, T, bits, from_bits)                       \
  static T mr_clc_maximum_##s(T a, T b) {                     \
    T greater = a > b ? a : b, equal = from_bits(bits(a) & bits(b)); \
    T z = a == b ? equal : greater, sum = a + b;              \
    return (a != a) | (b != b) ? sum : z;                     \
  }                                                           \
  static T mr_clc_minimum_##s(T a, T b) {                     \
    T less = a < b ? a : b, equal = from_bits(bits(a) | bits(b)); \
    T z = a == b ? equal : less, sum = a + b;                 \
    return (a != a) | (b != b) ? sum : z;                     \
  }                                                           \
  /* -1, the zero itself, 1, or the NaN itself. */            \
  static T mr_clc_sign_##s(T a) {                             \
    T unit = copysign((T)1, a);                               \
    return (a < (T)0) | (a > (T)0) ? unit : a;                \
  }
EXTREMES(f32, float, as_uint, as_float)
EXTREMES(f64, double, as_ulong, as_double)

// Integers that order as maximum and minimum do, where a NaN is above or below all others; and back.
#define KEYS(s, T, I, U, as_unsigned, from_bits, TOP, NAN_BITS)                           \
  static T mr_clc_from_key_##s(I key) { return from_bits((U)key ^ (U)(key >> (TOP)) >> 1); }         \
  static I mr_clc_maximum_key_##s(T x) {                                                             \
    U bits = x != x ? (U)NAN_BITS : as_unsigned(x);                                                  \
    return (I)(bits ^ (U)((I)bits >> (TOP)) >> 1);                                                   \
  }                                                                                                  \
  static I mr_clc_minimum_key_##s(T x) {                                                             \
    U bits = x != x ? (U)NAN_BITS | (U)1 << (TOP) : as_unsigned(x);                                  \
    return (I)(bits ^ (U)((I)bits >> (TOP)) >> 1);                                                   \
  }
KEYS(f32, float, int, uint, as_uint, as_float, 31, 0x7FC00000u)
KEYS(f64, double, long, ulong, as_ulong, as_double, 63, 0x7FF8000000000000ul)

// Rounds to so many bits of mantissa and exponent: what is above the narrow range becomes infinity, what is below it a zero
// of the same sign.
#define REDUCE(s, T, U, bits_of, from_bits, MANTISSA, EXPONENT)                                 \
  static T mr_clc_reduce_##s(T x, uint exponent, uint mantissa) {                               \
    U bits = bits_of(x), one = 1;                                                               \
    if (mantissa < MANTISSA) {                                                                  \
      uint drop = MANTISSA - mantissa;                                                          \
      bits = (bits + ((one << (drop - 1)) - 1) + (bits >> drop & 1)) & ~((one << drop) - 1);    \
    }                                                                                           \
    if (exponent < EXPONENT) {                                                                  \
      U top = one << (MANTISSA + EXPONENT), magnitude = bits & (top - 1), sign = bits & top;    \
      U bias = (one << (EXPONENT - 1)) - 1, narrow = (one << (exponent - 1)) - 1;               \
      U over = sign | ((one << EXPONENT) - 1) << MANTISSA;                                      \
      bits = magnitude >= (bias + narrow + 1) << MANTISSA ? over : bits;                        \
      bits = magnitude < (bias - narrow + 1) << MANTISSA ? sign : bits;                         \
    }                                                                                           \
    T reduced = from_bits(bits);                                                                \
    return x != x ? x : reduced;                                                                \
  }
REDUCE(f32, float, uint, as_uint, as_float, 23, 8)
REDUCE(f64, double, ulong, as_ulong, as_double, 52, 11)

// The bits as an integer that orders like the total order: negative values have their other bits flipped.
static short mr_clc_order_u16(ushort v) { return (short)(v ^ ((ushort)((short)v >> 15) >> 1)); }
static int mr_clc_order_f32(float v) { return as_int(as_uint(v) ^ (uint)(as_int(v) >> 31) >> 1); }
static long mr_clc_order_f64(double v) { return as_long(as_ulong(v) ^ (ulong)(as_long(v) >> 63) >> 1); }

// One step of the representation of x towards y. H: how the type is held, F: what it is computed in.
#define NEXT(s, H, F, U, widen, narrow, bits_of, from_bits)        \
  static H mr_clc_next_after_##s(H x, H y) {                       \
    F wx = widen(x), wy = widen(y), zero = 0;                      \
    U top = (U)1 << (8 * sizeof(U) - 1), bits = bits_of(x);        \
    bool up = wy > wx;                                             \
    U step = up == (wx > zero) ? (U)1 : (U)~(U)0;                  \
    U moved = (U)(bits + step), smallest = up ? (U)1 : (U)(top | 1); \
    moved = wx == zero ? smallest : moved;                         \
    H next = from_bits(moved), sum = narrow(wx + wy);              \
    next = wx == wy ? y : next;                                    \
    return (wx != wx) | (wy != wy) ? sum : next;                   \
  }
NEXT(f16, ushort, float, ushort, mr_clc_widen_f16, mr_clc_narrow_f16, (ushort), (ushort))
NEXT(bf16, ushort, float, ushort, mr_clc_widen_bf16, mr_clc_narrow_bf16, (ushort), (ushort))
NEXT(f32, float, float, uint, (float), (float), as_uint, as_float)
NEXT(f64, double, double, ulong, (double), (double), as_ulong, as_double)

// Floats to integers truncate and saturate between `low` and `high` (the first number above); NaN gives 0.
#define TO_INTEGER(name, F, I)                             \
  static I mr_clc_##name(F x, F low, F high, I max) {      \
    bool over = x >= high, inside = (x > low) & !over;     \
    F safe = inside ? x : low;                             \
    I i = (I)safe;                                         \
    i = over ? max : i;                                    \
    return x != x ? (I)0 : i;                              \
  }
TO_INTEGER(f32_to_i32, float, int)
TO_INTEGER(f32_to_u32, float, uint)
TO_INTEGER(f32_to_i64, float, long)
TO_INTEGER(f32_to_u64, float, ulong)
TO_INTEGER(f64_to_i32, double, int)
TO_INTEGER(f64_to_u32, double, uint)
TO_INTEGER(f64_to_i64, double, long)
TO_INTEGER(f64_to_u64, double, ulong)

// ---- Integers ---------------------------------------------------------------------------------------------------------

// After arithmetic on a type narrower than a byte, which lacks `unused` bits of it: extended again.
static char mr_clc_fit_i8(char v, uint unused) { return (char)((char)((uchar)v << unused) >> unused); }
static uchar mr_clc_fit_u8(uchar v, uint unused) { return (uchar)((uchar)(v << unused) >> unused); }

// x / 0 is all ones and x rem 0 is x; MIN / -1 is MIN. Q: what the quotient of a and a harmless b is computed in. Devices
// without an integer divider for vectors compute it in the next wider float, where the quotient truncates to the integer one.
#define DIVISION(name, s, T, U, Q, BAD)                   \
  static T mr_clc_divide##name##_##s(T a, T b) {          \
    T safe = (b == 0) | (BAD) ? (T)1 : b;                 \
    T q = (T)((Q)a / (Q)safe);                            \
    return b == 0 ? (T)~(T)0 : q;                         \
  }                                                       \
  static T mr_clc_remainder##name##_##s(T a, T b) {       \
    T safe = (b == 0) | (BAD) ? (T)1 : b;                 \
    T q = (T)((Q)a / (Q)safe), r = (T)((U)a - (U)q * (U)safe); \
    return b == 0 ? a : r;                                \
  }
#define LOWEST(T, U) ((T)((U)1 << (8 * sizeof(U) - 1)))
#define SIGNED_DIVISION(name, s, T, U, Q) DIVISION(name, s, T, U, Q, (a == LOWEST(T, U)) & (b == (T)-1))
SIGNED_DIVISION(, i8, char, uchar, char)
SIGNED_DIVISION(, i16, short, ushort, short)
SIGNED_DIVISION(, i32, int, uint, int)
SIGNED_DIVISION(, i64, long, ulong, long)
DIVISION(, u8, uchar, uchar, uchar, false)
DIVISION(, u16, ushort, ushort, ushort, false)
DIVISION(, u32, uint, uint, uint, false)
DIVISION(, u64, ulong, ulong, ulong, false)
SIGNED_DIVISION(_wide, i8, char, uchar, float)
SIGNED_DIVISION(_wide, i16, short, ushort, float)
SIGNED_DIVISION(_wide, i32, int, uint, double)
DIVISION(_wide, u8, uchar, uchar, float, false)
DIVISION(_wide, u16, ushort, ushort, float, false)
DIVISION(_wide, u32, uint, uint, double, false)

// The amount counts as unsigned; one of the width or more shifts everything out. The arithmetic shift fills with the top bit,
// of unsigned types too. A type of less than a byte says its width.
#define SHIFTS(s, T, U, S)                                                            \
  static T mr_clc_shift_left_##s(T a, T b, uint width) {                              \
    U z = (U)((ulong)(U)a << ((U)b < width ? (uint)(U)b : 0u));                       \
    return (T)((U)b < width ? z : (U)0);                                              \
  }                                                                                   \
  static T mr_clc_shift_right_logical_##s(T a, T b, uint width) {                     \
    uint unused = 8 * (uint)sizeof(U) - width, amount = (U)b < width ? (uint)(U)b : 0u; \
    U low = (U)((U)((U)a << unused) >> unused), z = (U)(low >> amount);               \
    return (T)((U)b < width ? z : (U)0);                                              \
  }                                                                                   \
  static T mr_clc_shift_right_arithmetic_##s(T a, T b, uint width) {                  \
    uint unused = 8 * (uint)sizeof(U) - width, amount = (U)b < width ? (uint)(U)b : width - 1; \
    S high = (S)((S)(U)((U)a << unused) >> unused);                                   \
    return (T)(high >> amount);                                                       \
  }                                                                                   \
  /* Counts look at the type's own width. */                                          \
  static T mr_clc_popcnt_##s(T a, uint width) {                                       \
    uint unused = 8 * (uint)sizeof(U) - width;                                        \
    return (T)popcount((U)((U)a << unused));                                          \
  }                                                                                   \
  static T mr_clc_count_leading_zeros_##s(T a, uint width) {                          \
    uint unused = 8 * (uint)sizeof(U) - width;                                        \
    U low = (U)((U)((U)a << unused) >> unused);                                       \
    return (T)(clz(low) - (U)unused);                                                 \
  }
SHIFTS(i8, char, uchar, char)
SHIFTS(i16, short, ushort, short)
SHIFTS(i32, int, uint, int)
SHIFTS(i64, long, ulong, long)
SHIFTS(u8, uchar, uchar, char)
SHIFTS(u16, ushort, ushort, short)
SHIFTS(u32, uint, uint, int)
SHIFTS(u64, ulong, ulong, long)

// The upper half of a product.
#define MULHI(s, T, W) \
  static T mr_clc_mulhi_##s(T a, T b, uint width) { return (T)((W)a * (W)b >> width); }
MULHI(i8, char, int)
MULHI(u8, uchar, uint)
MULHI(i16, short, int)
MULHI(u16, ushort, uint)
MULHI(i32, int, long)
MULHI(u32, uint, ulong)
static long mr_clc_mulhi_i64(long a, long b, uint width) { return mul_hi(a, b); }
static ulong mr_clc_mulhi_u64(ulong a, ulong b, uint width) { return mul_hi(a, b); }

static char mr_clc_sign_i8(char a) { return (char)((a > 0) - (a < 0)); }
static short mr_clc_sign_i16(short a) { return (short)((a > 0) - (a < 0)); }
static int mr_clc_sign_i32(int a) { return (a > 0) - (a < 0); }
static long mr_clc_sign_i64(long a) { return (long)((a > 0) - (a < 0)); }
