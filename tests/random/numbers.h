// numbers: what the evaluator of the random programs computes with. Every element is a number with a bound on how far a
// right answer may be from it, so the comparison needs no tolerances of its own: whatever rounding, fusing of operations,
// order of a sum or flushing of subnormal numbers docs/accuracy.md allows widens the bound where it happens.
//
// Independent of the product's conversions: formats of floats are described by their widths and decoded here.
//
//   cell x = cell_decode(MR_F32, bytes), y = cell_decode(MR_F32, other);
//   cell sum = cell_round(MR_F32, cell_near(x.v + y.v, x.e + y.e), 1);
#ifndef MR_TESTS_RANDOM_NUMBERS_H
#define MR_TESTS_RANDOM_NUMBERS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/core.h"

typedef long double real;  // 64 bits of mantissa: holds every i64, ui64 and f64

// A right answer lies in [v - e, v + e]. e of 0: it is v, infinity and NaN (of any sign and payload) included; e of
// infinity: it may be anything. `exact`: the sign of a zero is known as well. Complex numbers take two cells.
typedef struct cell {
  real v;
  double e;
  bool exact;
} cell;

static inline cell cell_exact(real v) { return (cell){v, 0, true}; }
static inline cell cell_anything(void) { return (cell){0, INFINITY, false}; }
static inline cell cell_near(real v, double e) { return (cell){v, e, false}; }
static inline bool cell_is_sure(cell c) { return c.e == 0; }
static inline bool cell_is_anything(cell c) { return isinf(c.e); }

// The format of a float type: what is not IEEE's says so in `kind`.
typedef struct float_format {
  int mantissa, min_exponent, max_exponent;  // exponents of the smallest normal and of the largest number
  real largest;
  enum { FORMAT_IEEE, FORMAT_NAN_ONLY, FORMAT_ONE_NAN, FORMAT_FINITE, FORMAT_POWER } kind;
} float_format;
float_format format_of(mr_dtype dtype);  // of the parts of a complex type

// Types whose results may be anything between exact and rounded, and whose subnormal numbers may count as zero.
bool dtype_is_wide(mr_dtype dtype);
// The distance of neighbours around x.
real format_ulp(const float_format *f, real x);
// To the nearest number of the format, ties to even; beyond the largest: infinity, NaN or the largest, as the format has it.
real format_round(const float_format *f, real x);

// One part from and to memory. Encoding wants a number that the type has.
cell cell_decode(mr_dtype dtype, const void *bytes);
void cell_encode(mr_dtype dtype, cell c, void *bytes);

// The bits of an integer, and an integer of the type from the lowest of them.
uint64_t cell_bits(cell c);
cell cell_of_bits(mr_dtype dtype, uint64_t bits);

// What an operation of `dtype` may give when its exact result is c: rounded to within so many units of the last place.
cell cell_round(mr_dtype dtype, cell c, double ulps);
// The same for a function, whose value is no number of the type by more than chance unless it is a whole one.
cell function_result(mr_dtype dtype, real v, double e, double ulps);
// An operand of arithmetic: a subnormal number of a wide type may count as zero.
cell cell_operand(mr_dtype dtype, cell c);

#endif
