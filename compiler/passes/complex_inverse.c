// Inverse trigonometric and hyperbolic functions of complex numbers. Those with a root inside follow T. E. Hull, T. F.
// Fairgrieve and P. T. P. Tang, Implementing the Complex Arcsine and Arccosine Functions Using Exception Handling (1997),
// with the factors of small differences kept apart so that nothing under- or overflows; atanh follows W. Kahan, Branch
// Cuts for Complex Elementary Functions (1987). All are computed for x, y >= 0 and get their signs at the end, so values
// on a cut follow the sign of a zero.
#include <math.h>

#include "compiler/passes/complex_parts.h"

// With r = |z + 1|, s = |z - 1| and a = (r + s) / 2: asin z = atan(x / root) + i rise, where root = sqrt(a^2 - x^2) and
// rise = acosh a.
typedef struct arcsine {
  mr_value *x, *root, *rise;
} arcsine;

static mr_value *root_of(mr_builder *b, mr_value *x) { return unary(b, MR_OP_sqrt, x); }
static mr_value *half_of(mr_builder *b, mr_value *x) { return scaled(b, x, 0.5); }
static mr_value *one_by(mr_builder *b, mr_value *x) { return divide(b, number(b, x, 1), x); }

static arcsine solve(mr_builder *b, parts size) {
  mr_value *x = size.re, *y = size.im, *up = plus(b, x, 1), *down = plus(b, x, -1);
  mr_value *r = size_of(b, join(b, (parts){up, y})), *s = size_of(b, join(b, (parts){down, y}));
  mr_value *a = half_of(b, add(b, r, s)), *sum = add(b, a, x), *a_up = plus(b, a, 1);
  mr_value *r_up = add(b, r, up), *far = divide(b, y, r_up);        // y / (r + x + 1)
  mr_value *s_in = subtract(b, s, down), *s_out = add(b, s, down);  // s + |x - 1| is one of them
  mr_value *inside = compare(b, MR_COMPARE_LT, x, 1);
  // a - x from y (y / (r + x + 1)) and s - (x - 1), or all of it a multiple of y
  mr_value *root_in = multiply(b, root_of(b, half_of(b, sum)), root_of(b, add(b, multiply(b, y, far), s_in)));
  mr_value *root_out = multiply(b, y, root_of(b, half_of(b, add(b, divide(b, sum, r_up), divide(b, sum, s_out)))));
  mr_value *root = mr_build_select(b, compare(b, MR_COMPARE_LE, x, 1), root_in, root_out);
  // a - 1 likewise; acosh a = log1p(a - 1 + sqrt((a - 1) (a + 1)))
  mr_value *slope = half_of(b, add(b, one_by(b, r_up), one_by(b, s_in)));
  mr_value *rise_in = multiply(b, y, add(b, multiply(b, y, slope), root_of(b, multiply(b, slope, a_up))));
  mr_value *excess = half_of(b, add(b, multiply(b, y, far), s_out));
  mr_value *rise_out = add(b, excess, root_of(b, multiply(b, excess, a_up)));
  mr_value *rise = unary(b, MR_OP_log_plus_one, mr_build_select(b, inside, rise_in, rise_out));
  // Far out z^2 - 1 is z^2, and a is |z|.
  bool wide = is_double(x);
  mr_value *large = either(b, compare(b, MR_COMPARE_GT, x, wide ? 0x1p500 : 0x1p55),
                           compare(b, MR_COMPARE_GT, y, wide ? 0x1p500 : 0x1p55));
  mr_value *log_2z = plus(b, mr_complex_log_abs(b, size), M_LN2);
  return (arcsine){x, mr_build_select(b, large, y, root), mr_build_select(b, large, log_2z, rise)};
}

parts mr_complex_asin(mr_builder *b, parts z) {
  arcsine w = solve(b, absolute(b, z));
  return (parts){mr_complex_with_sign_of(b, binary(b, MR_OP_atan2, w.x, w.root), z.re),
                 mr_complex_with_sign_of(b, w.rise, z.im)};
}

parts mr_complex_acos(mr_builder *b, parts z) {
  arcsine w = solve(b, absolute(b, z));
  return (parts){binary(b, MR_OP_atan2, w.root, z.re),
                 unary(b, MR_OP_negate, mr_complex_with_sign_of(b, w.rise, z.im))};
}

parts mr_complex_acosh(mr_builder *b, parts z) {
  arcsine w = solve(b, absolute(b, z));
  return (parts){w.rise, mr_complex_with_sign_of(b, binary(b, MR_OP_atan2, w.root, z.re), z.im)};
}

// log1p(x / g^2) / 4 with g = |1 - z| / 2, and atan2(2y, (1 - x) (1 + x) - y^2) / 2
parts mr_complex_atanh(mr_builder *b, parts z) {
  parts size = absolute(b, z);
  mr_value *x = size.re, *y = size.im, *left = subtract(b, number(b, x, 1), x);
  mr_value *gap = size_of(b, join(b, (parts){half_of(b, left), half_of(b, y)}));
  mr_value *re = scaled(b, unary(b, MR_OP_log_plus_one, divide(b, divide(b, x, gap), gap)), 0.25);
  // So near to 1 that the quotient overflows, x is 1.
  mr_value *close = scaled(b, unary(b, MR_OP_log, gap), -0.5);
  re = mr_build_select(b, compare(b, MR_COMPARE_LT, gap, is_double(x) ? 0x1p-500 : 0x1p-60), close, re);
  mr_value *infinite = either(b, compare(b, MR_COMPARE_EQ, x, INFINITY), compare(b, MR_COMPARE_EQ, y, INFINITY));
  re = mr_build_select(b, infinite, number(b, x, 0), re);
  mr_value *below = subtract(b, multiply(b, left, plus(b, x, 1)), multiply(b, y, y));
  mr_value *im = half_of(b, binary(b, MR_OP_atan2, scaled(b, y, 2), below));
  double far = is_double(x) ? 0x1p500 : 0x1p60;
  mr_value *large = either(b, compare(b, MR_COMPARE_GT, x, far), compare(b, MR_COMPARE_GT, y, far));
  im = mr_build_select(b, large, number(b, x, M_PI_2), im);
  return (parts){mr_complex_with_sign_of(b, re, z.re), mr_complex_with_sign_of(b, im, z.im)};
}

parts mr_complex_asinh(mr_builder *b, parts x) { return rotated_back(b, mr_complex_asin(b, rotated(b, x))); }
parts mr_complex_atan(mr_builder *b, parts x) { return rotated_back(b, mr_complex_atanh(b, rotated(b, x))); }
