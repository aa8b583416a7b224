// What one element becomes: the scalar functions behind the elementwise ops.
//
// Written in the subset that C and OpenCL C share. The build compiles each file to LLVM bitcode, the code generator
// links it into its loops, and LLVM inlines and vectorises; the OpenCL emitter includes the same files as source.
// So every function is straight-line: both sides of a choice are computed and `?:` selects, there are no tables in
// memory, no branches, no calls other than fma and rounding intrinsics (mr_el_remainder_f64 is the one loop). The arms
// of `?:` are variables or constants, never expressions: clang branches around an expression, and LLVM then moves the
// computation of the other arm behind the branch.
// Anything a NaN could reach is kept out of float-to-int conversions, whose result would be undefined; rounding to an
// integer is done by adding 1.5 * 2^(significand bits) and reading the low bits.
//
// Build with -ffp-contract=off -fno-math-errno -fno-trapping-math. Pure functions, callable from any thread.
// f16 and bf16 are widened to f32 by the code generator.
//
//   for (int i = 0; i < n; i++) y[i] = mr_el_exp_f32(x[i]);
//
// Names are mr_el_<op>_<type>, with StableHLO's op names shortened the way libm does. docs/accuracy.md has the errors.
#ifndef MR_OPS_ELEMENT_ELEMENT_H
#define MR_OPS_ELEMENT_ELEMENT_H

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
typedef char el_i8;
typedef short el_i16;
typedef int el_i32;
typedef long el_i64;
typedef uchar el_u8;
typedef ushort el_u16;
typedef uint el_u32;
typedef ulong el_u64;
#define mr_el_fma_f32(a, b, c) fma((float)(a), (float)(b), (float)(c))
#define mr_el_fma_f64(a, b, c) fma((double)(a), (double)(b), (double)(c))
#define el_bits_f32(x) as_uint(x)
#define el_from_bits_f32(b) as_float((el_u32)(b))
#define el_bits_f64(x) as_ulong(x)
#define el_from_bits_f64(b) as_double((el_u64)(b))
#define el_rint_f32(x) rint((float)(x))
#define el_rint_f64(x) rint((double)(x))
#define el_trunc_f32(x) trunc((float)(x))
#define el_trunc_f64(x) trunc((double)(x))
#define el_sqrt_f32(x) sqrt((float)(x))
#define el_sqrt_f64(x) sqrt((double)(x))
#define el_abs_f32(x) fabs((float)(x))
#define el_abs_f64(x) fabs((double)(x))
#define el_copysign_f32(x, y) copysign((float)(x), (float)(y))
#define el_copysign_f64(x, y) copysign((double)(x), (double)(y))
#define EL_INF_F32 INFINITY
#define EL_NAN_F32 NAN
#define EL_INF_F64 ((double)INFINITY)
#define EL_NAN_F64 ((double)NAN)
#define EL_INLINE static inline
#define EL_FUNCTION
#else
#include <stdint.h>
typedef int8_t el_i8;
typedef int16_t el_i16;
typedef int32_t el_i32;
typedef int64_t el_i64;
typedef uint8_t el_u8;
typedef uint16_t el_u16;
typedef uint32_t el_u32;
typedef uint64_t el_u64;
#define mr_el_fma_f32(a, b, c) __builtin_fmaf(a, b, c)
#define mr_el_fma_f64(a, b, c) __builtin_fma(a, b, c)
#define el_rint_f32(x) __builtin_rintf(x)
#define el_rint_f64(x) __builtin_rint(x)
#define el_trunc_f32(x) __builtin_truncf(x)
#define el_trunc_f64(x) __builtin_trunc(x)
#define el_sqrt_f32(x) __builtin_sqrtf(x)
#define el_sqrt_f64(x) __builtin_sqrt(x)
#define el_abs_f32(x) __builtin_fabsf(x)
#define el_abs_f64(x) __builtin_fabs(x)
#define el_copysign_f32(x, y) __builtin_copysignf(x, y)
#define el_copysign_f64(x, y) __builtin_copysign(x, y)
#define EL_INF_F32 __builtin_inff()
#define EL_NAN_F32 __builtin_nanf("")
#define EL_INF_F64 __builtin_inf()
#define EL_NAN_F64 __builtin_nan("")
#define EL_INLINE static inline __attribute__((always_inline))
// A loop with a call in it does not vectorise, so the larger functions must not be left to the inliner's taste.
#ifdef __clang__
#define EL_FUNCTION __attribute__((always_inline))
#else
#define EL_FUNCTION
#endif

EL_INLINE el_u32 el_bits_f32(float x) {
  el_u32 bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

EL_INLINE float el_from_bits_f32(el_u32 bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

EL_INLINE el_u64 el_bits_f64(double x) {
  el_u64 bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

EL_INLINE double el_from_bits_f64(el_u64 bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
#endif

// x with its sign flipped where the top bit of `sign` is set.
#define EL_FLIP_F32(x, sign) el_from_bits_f32(el_bits_f32(x) ^ ((sign) & 0x80000000u))
#define EL_FLIP_F64(x, sign) el_from_bits_f64(el_bits_f64(x) ^ ((sign) & 0x8000000000000000u))

// Adding this to |x| < 2^22 (2^51) rounds x to an integer, and leaves it in the low bits of the sum.
#define EL_MAGIC_F32 0x1.8p23f
#define EL_MAGIC_F64 0x1.8p52

// What ops are computed by, as ops.def has it: the functions of its rows, for f32 and f64.
#define EL_DECLARE_UNARY(name)     \
  float mr_el_##name##_f32(float); \
  double mr_el_##name##_f64(double);
#define EL_DECLARE_BINARY(name)           \
  float mr_el_##name##_f32(float, float); \
  double mr_el_##name##_f64(double, double);
#define FUNCTION(dialect, name, class, types, cost, code, ...) EL_DECLARE_##class(code)
#define OP(...)
#include "ops/ops.def"
// Those of ops with rules of their own, and what is there for other functions to use.
EL_DECLARE_BINARY(pow)
EL_DECLARE_BINARY(remainder)
EL_DECLARE_BINARY(maximum)
EL_DECLARE_BINARY(minimum)
EL_DECLARE_UNARY(round_nearest_afz)
EL_DECLARE_UNARY(sign)

// X(name): (integer, integer) -> integer, for every integer type.
#define MR_EL_INT_BINARY(X) \
  X(divide) X(remainder) X(power) X(shift_left) X(shift_right_arithmetic) X(shift_right_logical)

// X(name): integer -> integer, for every integer type.
#define MR_EL_INT_UNARY(X) X(popcnt) X(count_leading_zeros)

// X(suffix, type, unsigned type of that width, width in bits)
#define MR_EL_SIGNED_TYPES(X) \
  X(i8, el_i8, el_u8, 8) X(i16, el_i16, el_u16, 16) X(i32, el_i32, el_u32, 32) X(i64, el_i64, el_u64, 64)
#define MR_EL_UNSIGNED_TYPES(X) \
  X(u8, el_u8, el_u8, 8) X(u16, el_u16, el_u16, 16) X(u32, el_u32, el_u32, 32) X(u64, el_u64, el_u64, 64)

#define EL_DECLARE_INT(suffix, type, utype, width)        \
  type mr_el_divide_##suffix(type, type);                 \
  type mr_el_remainder_##suffix(type, type);              \
  type mr_el_power_##suffix(type, type);                  \
  type mr_el_shift_left_##suffix(type, type);             \
  type mr_el_shift_right_arithmetic_##suffix(type, type); \
  type mr_el_shift_right_logical_##suffix(type, type);    \
  type mr_el_popcnt_##suffix(type);                       \
  type mr_el_count_leading_zeros_##suffix(type);
MR_EL_SIGNED_TYPES(EL_DECLARE_INT)
MR_EL_UNSIGNED_TYPES(EL_DECLARE_INT)

#endif
