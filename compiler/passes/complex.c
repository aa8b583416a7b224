// Functions of complex numbers as functions of their parts. Arithmetic (add, multiply, divide, abs, ..) is native in the
// back ends; what is here has branch cuts or overflows if written naively. z = a + ib throughout; values on the cuts
// follow the sign of a zero imaginary part.
#include <math.h>

#include "compiler/passes/complex_parts.h"
#include "compiler/passes/passes.h"

// Whether the sign bit is set, of zeros and NaNs too.
static mr_value *is_negative(mr_builder *b, mr_value *x) {
  if (!x) {
    return NULL;
  }
  mr_type bits = mr_type_with_dtype(&x->type, x->type.dtype == MR_F64 ? MR_S64 : MR_S32);
  mr_value *word = mr_build_bitcast(b, x, &bits);
  return word ? mr_build_compare(b, MR_COMPARE_LT, 0, word, mr_build_splat_int(b, &bits, 0)) : NULL;
}

mr_value *mr_complex_with_sign_of(mr_builder *b, mr_value *magnitude, mr_value *x) {
  return mr_build_select(b, is_negative(b, x), unary(b, MR_OP_negate, magnitude), magnitude);
}

// ---- The functions -------------------------------------------------------------------------------------------------

// e^a w, also where e^a alone is too large.
static mr_value *grown(mr_builder *b, mr_value *a, mr_value *w) {
  mr_value *whole = unary(b, MR_OP_exponential, a), *half = unary(b, MR_OP_exponential, scaled(b, a, 0.5));
  return mr_build_select(b, compare(b, MR_COMPARE_EQ, whole, INFINITY), multiply(b, multiply(b, half, w), half),
                         multiply(b, whole, w));
}

static parts exponential(mr_builder *b, mr_value *z) {
  parts x = split(b, z);
  parts real_axis = {unary(b, MR_OP_exponential, x.re), x.im};  // exp(inf + 0i) has no NaN
  parts spiral = {grown(b, x.re, unary(b, MR_OP_cosine, x.im)), grown(b, x.re, unary(b, MR_OP_sine, x.im))};
  return choose(b, compare(b, MR_COMPARE_EQ, x.im, 0), real_axis, spiral);
}

// exp(z) - 1 without cancellation: expm1(a) cos b - 2 sin(b/2)^2, e^a sin b
static parts exponential_minus_one(mr_builder *b, mr_value *z) {
  parts x = split(b, z);
  mr_value *half = unary(b, MR_OP_sine, scaled(b, x.im, 0.5));
  mr_value *grown = multiply(b, unary(b, MR_OP_exponential_minus_one, x.re), unary(b, MR_OP_cosine, x.im));
  parts general = {subtract(b, grown, scaled(b, multiply(b, half, half), 2)),
                   multiply(b, unary(b, MR_OP_exponential, x.re), unary(b, MR_OP_sine, x.im))};
  parts real_axis = {unary(b, MR_OP_exponential_minus_one, x.re), x.im};
  return choose(b, compare(b, MR_COMPARE_EQ, x.im, 0), real_axis, general);
}

static parts logarithm(mr_builder *b, mr_value *z) {
  parts x = split(b, z);
  return (parts){mr_complex_log_abs(b, x), binary(b, MR_OP_atan2, x.im, x.re)};
}

static parts log_plus_one(mr_builder *b, mr_value *z) {
  parts x = split(b, z);
  return (parts){mr_complex_log_abs_plus_one(b, x), binary(b, MR_OP_atan2, x.im, plus(b, x.re, 1))};
}

// t = sqrt((|a| + |z|) / 2); right half plane: t + i b / 2t, left: |b| / 2t + i t with b's sign. Very large and very small
// numbers are brought to a middling size.
static parts square_root(mr_builder *b, mr_value *z) {
  parts x = split(b, z), size = absolute(b, x);
  bool wide = is_double(x.re);
  double most = wide ? 0x1p1020 : 0x1p124, least = wide ? 0x1p-900 : 0x1p-64;
  mr_value *larger = binary(b, MR_OP_maximum, size.re, size.im), *one = number(b, x.re, 1);
  mr_value *large = compare(b, MR_COMPARE_GT, larger, most), *small = compare(b, MR_COMPARE_LT, larger, least);
  parts factors = choose(b, large, (parts){number(b, one, 0x1p-4), number(b, one, 0x1p2)}, (parts){one, one});
  parts raise = {number(b, one, wide ? 0x1p200 : 0x1p64), number(b, one, wide ? 0x1p-100 : 0x1p-32)};
  factors = choose(b, small, raise, factors);
  mr_value *down = factors.re, *up = factors.im;
  parts w = {multiply(b, x.re, down), multiply(b, x.im, down)};
  mr_value *length = size_of(b, join(b, w)), *width = multiply(b, size.im, down);
  mr_value *t = unary(b, MR_OP_sqrt, scaled(b, add(b, size_of(b, w.re), length), 0.5));
  mr_value *other = multiply(b, divide(b, width, scaled(b, t, 2)), up);
  t = multiply(b, t, up);
  parts root = choose(b, is_negative(b, x.re), (parts){other, t}, (parts){t, other});
  root.im = mr_complex_with_sign_of(b, root.im, x.im);
  root = choose(b, compare(b, MR_COMPARE_EQ, length, 0), (parts){number(b, t, 0), x.im}, root);
  return choose(b, compare(b, MR_COMPARE_EQ, size.im, INFINITY), (parts){size.im, x.im}, root);
}

static mr_value *one_over(mr_builder *b, mr_value *z) {
  return z ? divide(b, mr_build_splat(b, &z->type, 1), z) : NULL;
}

// sinh a w and cosh a w, also where those alone are too large: there both are e^|a| / 2.
static parts sinh_cosh(mr_builder *b, mr_value *a, mr_value *of_sinh, mr_value *of_cosh) {
  mr_value *size = size_of(b, a), *far = compare(b, MR_COMPARE_GT, size, is_double(a) ? 700 : 85);
  mr_value *odd = mr_build_select(b, is_negative(b, a), unary(b, MR_OP_negate, of_sinh), of_sinh);
  parts far_out = {grown(b, size, scaled(b, odd, 0.5)), grown(b, size, scaled(b, of_cosh, 0.5))};
  parts near = {multiply(b, unary(b, MR_OP_sinh, a), of_sinh), multiply(b, unary(b, MR_OP_cosh, a), of_cosh)};
  return choose(b, far, far_out, near);
}

static parts sinh_parts(mr_builder *b, parts x) {
  mr_value *sine = unary(b, MR_OP_sine, x.im);
  parts w = sinh_cosh(b, x.re, unary(b, MR_OP_cosine, x.im), sine);
  w.im = mr_build_select(b, compare(b, MR_COMPARE_EQ, sine, 0), sine, w.im);  // infinity times 0
  return w;
}

static parts cosh_parts(mr_builder *b, parts x) {
  mr_value *sine = unary(b, MR_OP_sine, x.im);
  parts w = sinh_cosh(b, x.re, sine, unary(b, MR_OP_cosine, x.im));
  mr_value *zero = mr_build_select(b, is_negative(b, x.re), unary(b, MR_OP_negate, sine), sine);
  return (parts){w.im, mr_build_select(b, compare(b, MR_COMPARE_EQ, sine, 0), zero, w.re)};
}

// With s = tanh a, t = tan b: (s (1 + t^2) + i t sech^2 a) / (1 + s^2 t^2)
static parts tanh_parts(mr_builder *b, parts x) {
  mr_value *s = unary(b, MR_OP_tanh, x.re), *t = unary(b, MR_OP_tan, x.im);
  mr_value *one = number(b, s, 1), *c = unary(b, MR_OP_cosh, x.re);
  mr_value *fall = divide(b, divide(b, one, c), c);
  mr_value *st = multiply(b, s, t), *below = add(b, one, multiply(b, st, st));
  parts general = {divide(b, multiply(b, s, add(b, one, multiply(b, t, t))), below),
                   divide(b, multiply(b, t, fall), below)};
  // Far out |tanh| is 1 whatever b is.
  mr_value *far = mr_build_compare(b, MR_COMPARE_EQ, 0, unary(b, MR_OP_abs, x.re), number(b, x.re, INFINITY));
  return choose(b, far, (parts){s, mr_complex_with_sign_of(b, number(b, s, 0), unary(b, MR_OP_sine, x.im))}, general);
}

static mr_value *logistic(mr_builder *b, mr_value *z) {
  mr_value *left = compare(b, MR_COMPARE_LT, unary(b, MR_OP_real, z), 0);
  mr_value *small = unary(b, MR_OP_exponential, mr_build_select(b, left, z, unary(b, MR_OP_negate, z)));
  mr_value *one = number(b, z, 1);
  return divide(b, mr_build_select(b, left, small, one), add(b, one, small));
}

static mr_value *power(mr_builder *b, mr_value *x, mr_value *y) {
  mr_value *general = unary(b, MR_OP_exponential, multiply(b, y, unary(b, MR_OP_log, x)));
  mr_value *zero = number(b, x, 0), *one = number(b, x, 1);
  if (!zero) {
    return NULL;
  }
  mr_value *of_zero = mr_build_select(b, compare(b, MR_COMPARE_GT, unary(b, MR_OP_real, y), 0), zero, general);
  mr_value *value = mr_build_select(b, mr_build_compare(b, MR_COMPARE_EQ, 0, x, zero), of_zero, general);
  return mr_build_select(b, mr_build_compare(b, MR_COMPARE_EQ, 0, y, zero), one, value);
}

// atan2(y, x) = -i log((x + iy) / sqrt(x^2 + y^2)) for complex x and y
static mr_value *arc_tangent(mr_builder *b, mr_value *y, mr_value *x) {
  parts p = split(b, y);
  mr_value *turned = join(b, rotated(b, p));
  mr_value *size = unary(b, MR_OP_sqrt, add(b, multiply(b, x, x), multiply(b, y, y)));
  mr_value *log = unary(b, MR_OP_log, divide(b, add(b, x, turned), size));
  return log ? join(b, rotated_back(b, split(b, log))) : NULL;
}

// By real part, then by imaginary part.
static mr_value *extreme(mr_builder *b, int direction, mr_value *x, mr_value *y) {
  parts p = split(b, x), q = split(b, y);
  mr_value *tie = mr_build_binary(b, MR_OP_and, mr_build_compare(b, MR_COMPARE_EQ, 0, p.re, q.re),
                                  mr_build_compare(b, direction, 0, p.im, q.im));
  mr_value *first = mr_build_binary(b, MR_OP_or, mr_build_compare(b, direction, 0, p.re, q.re), tie);
  return mr_build_select(b, first, x, y);
}

// ---- The column of ops.def -----------------------------------------------------------------------------------------

// The op on z, and y where it has two operands.
typedef mr_value *(*expansion)(mr_builder *b, mr_value *z, mr_value *y);

#define UNARY_OF(name, value)                                               \
  static mr_value *expand_##name(mr_builder *b, mr_value *z, mr_value *y) { \
    (void)y;                                                                \
    return value;                                                           \
  }
#define BINARY_OF(name, value) \
  static mr_value *expand_##name(mr_builder *b, mr_value *z, mr_value *y) { return value; }
UNARY_OF(exponential, join(b, exponential(b, z)))
UNARY_OF(exponential_minus_one, join(b, exponential_minus_one(b, z)))
UNARY_OF(log, join(b, logarithm(b, z)))
UNARY_OF(log_plus_one, join(b, log_plus_one(b, z)))
UNARY_OF(sqrt, join(b, square_root(b, z)))
UNARY_OF(rsqrt, one_over(b, unary(b, MR_OP_sqrt, z)))
UNARY_OF(cbrt, unary(b, MR_OP_exponential, scaled(b, unary(b, MR_OP_log, z), 1.0 / 3)))
UNARY_OF(sinh, join(b, sinh_parts(b, split(b, z))))
UNARY_OF(cosh, join(b, cosh_parts(b, split(b, z))))
UNARY_OF(tanh, join(b, tanh_parts(b, split(b, z))))
UNARY_OF(sine, join(b, rotated_back(b, sinh_parts(b, rotated(b, split(b, z))))))
UNARY_OF(cosine, join(b, cosh_parts(b, rotated(b, split(b, z)))))
UNARY_OF(tan, join(b, rotated_back(b, tanh_parts(b, rotated(b, split(b, z))))))
UNARY_OF(logistic, logistic(b, z))
UNARY_OF(acos, join(b, mr_complex_acos(b, split(b, z))))
UNARY_OF(acosh, join(b, mr_complex_acosh(b, split(b, z))))
UNARY_OF(asin, join(b, mr_complex_asin(b, split(b, z))))
UNARY_OF(asinh, join(b, mr_complex_asinh(b, split(b, z))))
UNARY_OF(atan, join(b, mr_complex_atan(b, split(b, z))))
UNARY_OF(atanh, join(b, mr_complex_atanh(b, split(b, z))))
BINARY_OF(power, power(b, z, y))
BINARY_OF(atan2, arc_tangent(b, z, y))
BINARY_OF(maximum, extreme(b, MR_COMPARE_GT, z, y))
BINARY_OF(minimum, extreme(b, MR_COMPARE_LT, z, y))

#define expand_NONE NULL
#define expand_IN_KERNEL NULL
static const expansion expansions[MR_OP_COUNT] = {
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, ...)                                                                                   \
  [MR_OP_##name] = expand_##complex,
#include "ops/ops.def"
};

static mr_status rewrite(mr_op *op, bool *out_changed) {
  expansion expand = expansions[op->kind];
  if (!expand) {
    return MR_OK;
  }
  const mr_type *x = &mr_op_operand(op, 0)->type;
  if (!mr_dtype_is_complex(x->dtype) || !mr_type_is_static(x)) {
    return MR_OK;
  }
  mr_builder b = mr_builder_before(op);
  mr_value *value = expand(&b, mr_op_operand(op, 0), op->num_operands > 1 ? mr_op_operand(op, 1) : NULL);
  *out_changed = mr_replace(op, value);
  return mr_module_memory(b.module);
}

// Simplified first: of an op that is expanded nothing can be seen later, of a power with a constant exponent above all.
mr_status mr_pass_complex(mr_module *module) {
  if (!(module->made_types & MR_MADE_COMPLEX)) {
    return MR_OK;
  }
  MR_TRY(mr_pass_simplify(module));
  return mr_sweep(module, rewrite);
}
