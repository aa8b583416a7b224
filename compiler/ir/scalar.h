// scalar: one element of any type as bytes, to and from C numbers. Exact where the target can hold the value; otherwise
// the rules of `convert`: floats round to nearest even, float to integer truncates and saturates (NaN gives 0), integer
// to narrower integer wraps, anything to i1 is "not zero".
//
// Threads: pure functions.
//
//   uint8_t element[16];
//   mr_scalar_from_double(MR_BF16, 0.1, element);
#ifndef MR_COMPILER_IR_SCALAR_H
#define MR_COMPILER_IR_SCALAR_H

#include "core/core.h"

#define MR_SCALAR_BYTES 16  // the widest element: complex<f64>

// Complex: the real part, imaginary 0.
void mr_scalar_from_double(mr_dtype dtype, double value, void *out);
void mr_scalar_from_int(mr_dtype dtype, int64_t value, void *out);
// Floats exactly; integers rounded; complex: the real part.
double mr_scalar_to_double(mr_dtype dtype, const void *element);
// Integers and i1: the value, for ui64 its bits. Floats: truncated and saturated.
int64_t mr_scalar_to_int(mr_dtype dtype, const void *element);
// One element of any type to one of any other, by the rules of stablehlo.convert.
void mr_scalar_convert(mr_dtype from, const void *element, mr_dtype to, void *out);
// How many bits of exponent a real float type has that computes in f32 or f64.
int mr_scalar_exponent_bits(mr_dtype dtype);

#endif
