// The logarithm of a complex number's magnitude. Near 1 it is log1p(x^2 + y^2 - 1) / 2, and what is inside cancels: squares
// are taken apart into exact products and summed with the errors of the sums kept (Ogita, Rump, Oishi: Accurate Sum and
// Dot Product, 2005). No product here is rounded, so it does not matter whether one is fused with the sum it goes into.
#include <float.h>
#include <math.h>

#include "compiler/passes/complex_parts.h"

// The upper half of a number's digits.
static mr_value *upper_half(mr_builder *b, mr_value *x) {
  if (!x) {
    return NULL;
  }
  bool wide = is_double(x);
  mr_type bits = mr_type_with_dtype(&x->type, wide ? MR_S64 : MR_S32);
  mr_value *mask = mr_build_splat_int(b, &bits, wide ? ~((INT64_C(1) << 27) - 1) : ~((INT64_C(1) << 12) - 1));
  mr_value *kept = binary(b, MR_OP_and, mr_build_bitcast(b, x, &bits), mask);
  return kept ? mr_build_bitcast(b, kept, &x->type) : NULL;
}

typedef struct sum {
  mr_value *value, *error;
} sum;

// Knuth's: value + error is the sum exactly, whatever the sizes.
static sum add_exactly(mr_builder *b, sum s, mr_value *x) {
  mr_value *value = add(b, s.value, x), *from_x = subtract(b, value, s.value);
  mr_value *error = add(b, subtract(b, s.value, subtract(b, value, from_x)), subtract(b, x, from_x));
  return (sum){value, s.error ? add(b, s.error, error) : error};
}

typedef struct square {
  mr_value *terms[3];  // large to small
} square;

static square exact_square(mr_builder *b, mr_value *x) {
  mr_value *high = upper_half(b, x), *low = subtract(b, x, high);
  return (square){{multiply(b, high, high), scaled(b, multiply(b, high, low), 2), multiply(b, low, low)}};
}

// first + x^2 + y^2
static mr_value *sum_of_squares(mr_builder *b, mr_value *first, mr_value *x, mr_value *y) {
  square p = exact_square(b, x), q = exact_square(b, y);
  sum s = {first, NULL};
  for (int i = 0; i < 3; i++) {
    s = add_exactly(b, s, p.terms[i]);
    s = add_exactly(b, s, q.terms[i]);
  }
  return add(b, s.value, s.error);
}

static mr_value *half_log_plus_one(mr_builder *b, mr_value *x) {
  return scaled(b, unary(b, MR_OP_log_plus_one, x), 0.5);
}

// log m + log1p((n / m)^2) / 2 of the larger and the smaller part: nothing overflows, but near |z| = 1 the two cancel.
static mr_value *log_of_larger(mr_builder *b, mr_value *larger, mr_value *smaller) {
  mr_value *equal = either(b, compare(b, MR_COMPARE_EQ, larger, 0), compare(b, MR_COMPARE_EQ, larger, INFINITY));
  mr_value *ratio = mr_build_select(b, equal, number(b, larger, 1), divide(b, smaller, larger));
  return add(b, unary(b, MR_OP_log, larger), half_log_plus_one(b, multiply(b, ratio, ratio)));
}

// An infinite part makes it infinite, whatever the other is.
static mr_value *larger_part(mr_builder *b, parts size) {
  mr_value *infinite =
      either(b, compare(b, MR_COMPARE_EQ, size.re, INFINITY), compare(b, MR_COMPARE_EQ, size.im, INFINITY));
  return mr_build_select(b, infinite, number(b, size.re, INFINITY), binary(b, MR_OP_maximum, size.re, size.im));
}

mr_value *mr_complex_log_abs(mr_builder *b, parts x) {
  parts size = absolute(b, x);
  mr_value *larger = larger_part(b, size), *smaller = binary(b, MR_OP_minimum, size.re, size.im);
  mr_value *near = half_log_plus_one(b, sum_of_squares(b, number(b, larger, -1), larger, smaller));
  mr_value *is_near =
      binary(b, MR_OP_and, compare(b, MR_COMPARE_GT, larger, 0.5), compare(b, MR_COMPARE_LT, larger, 2));
  return mr_build_select(b, is_near, near, log_of_larger(b, larger, smaller));
}

mr_value *mr_complex_log_abs_plus_one(mr_builder *b, parts x) {
  parts size = absolute(b, x), moved = {plus(b, x.re, 1), size.im};
  mr_value *larger = larger_part(b, size), *smaller = binary(b, MR_OP_minimum, size.re, size.im);
  // 2x + x^2 + y^2
  mr_value *middle = half_log_plus_one(b, sum_of_squares(b, scaled(b, x.re, 2), x.re, x.im));
  // Around -1, where x + 1 is exact, the squares of small numbers lose nothing.
  mr_value *small = mr_complex_log_abs(b, moved);
  mr_value *is_small = compare(b, MR_COMPARE_LT, add(b, size_of(b, moved.re), moved.im), 0.2);
  // The 1 no longer counts.
  mr_value *is_large = compare(b, MR_COMPARE_GT, larger, is_double(x.re) ? 0x1p500 : 0x1p55);
  return mr_build_select(b, is_large, log_of_larger(b, larger, smaller), mr_build_select(b, is_small, small, middle));
}
