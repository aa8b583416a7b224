// Functions of complex numbers as functions of their parts. Arithmetic (add, multiply, divide, abs, ..) is native in the
// back ends; what is here has branch cuts or overflows if written naively. z = a + ib throughout; values on the cuts
// follow the sign of a zero imaginary part.
#include <math.h>

#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

enum { EQ, NE, GE, GT, LE, LT };  // comparison_direction

typedef struct parts {
  mr_value *re, *im;
} parts;

static mr_value *unary(mr_builder *b, mr_op_kind kind, mr_value *x) { return mr_build_unary(b, kind, x); }
static mr_value *add(mr_builder *b, mr_value *x, mr_value *y) { return mr_build_binary(b, MR_OP_add, x, y); }
static mr_value *subtract(mr_builder *b, mr_value *x, mr_value *y) { return mr_build_binary(b, MR_OP_subtract, x, y); }
static mr_value *multiply(mr_builder *b, mr_value *x, mr_value *y) { return mr_build_binary(b, MR_OP_multiply, x, y); }
static mr_value *divide(mr_builder *b, mr_value *x, mr_value *y) { return mr_build_binary(b, MR_OP_divide, x, y); }
static mr_value *number(mr_builder *b, mr_value *like, double value) {
  return like ? mr_build_splat(b, &like->type, value) : NULL;
}
static mr_value *scaled(mr_builder *b, mr_value *x, double factor) { return multiply(b, x, number(b, x, factor)); }
static mr_value *compare(mr_builder *b, int direction, mr_value *x, double value) {
  return mr_build_compare(b, direction, 0, x, number(b, x, value));
}
static parts split(mr_builder *b, mr_value *z) { return (parts){unary(b, MR_OP_real, z), unary(b, MR_OP_imag, z)}; }
static mr_value *join(mr_builder *b, parts z) { return mr_build_binary(b, MR_OP_complex, z.re, z.im); }
static parts choose(mr_builder *b, mr_value *p, parts yes, parts no) {
  return (parts){mr_build_select(b, p, yes.re, no.re), mr_build_select(b, p, yes.im, no.im)};
}

// Whether the sign bit is set, of zeros and NaNs too.
static mr_value *is_negative(mr_builder *b, mr_value *x) {
  if (!x) {
    return NULL;
  }
  mr_type bits = mr_type_with_dtype(&x->type, x->type.dtype == MR_F64 ? MR_S64 : MR_S32);
  mr_value *word = mr_build_bitcast(b, x, &bits);
  return word ? mr_build_compare(b, LT, 0, word, mr_build_splat_int(b, &bits, 0)) : NULL;
}

static mr_value *with_sign_of(mr_builder *b, mr_value *magnitude, mr_value *x) {
  return mr_build_select(b, is_negative(b, x), unary(b, MR_OP_negate, magnitude), magnitude);
}

// ---- The functions -------------------------------------------------------------------------------------------------

static parts exponential(mr_builder *b, mr_value *z) {
  parts x = split(b, z);
  mr_value *radius = unary(b, MR_OP_exponential, x.re);
  mr_value *real_axis = compare(b, EQ, x.im, 0);   // exp(inf + 0i) has no NaN
  mr_value *vanishes = compare(b, EQ, radius, 0);  // exp(-inf + i inf) is 0
  mr_value *zero = number(b, radius, 0);
  parts turn = {unary(b, MR_OP_cosine, x.im), unary(b, MR_OP_sine, x.im)};
  parts spiral = {multiply(b, radius, turn.re), multiply(b, radius, turn.im)};
  spiral = choose(b, vanishes, (parts){zero, zero}, spiral);
  return choose(b, real_axis, (parts){radius, x.im}, spiral);
}

// exp(z) - 1 without cancellation: expm1(a) cos b - 2 sin(b/2)^2, e^a sin b
static parts exponential_minus_one(mr_builder *b, mr_value *z) {
  parts x = split(b, z);
  mr_value *half = unary(b, MR_OP_sine, scaled(b, x.im, 0.5));
  mr_value *grown = multiply(b, unary(b, MR_OP_exponential_minus_one, x.re), unary(b, MR_OP_cosine, x.im));
  parts general = {subtract(b, grown, scaled(b, multiply(b, half, half), 2)),
                   multiply(b, unary(b, MR_OP_exponential, x.re), unary(b, MR_OP_sine, x.im))};
  parts real_axis = {unary(b, MR_OP_exponential_minus_one, x.re), x.im};
  return choose(b, compare(b, EQ, x.im, 0), real_axis, general);
}

// log |z|. Near 1 through log1p of |z|^2 - 1 = (m - 1)(m + 1) + n^2, where m is the larger part.
static mr_value *log_of_abs(mr_builder *b, mr_value *z, parts x) {
  mr_value *a = unary(b, MR_OP_abs, x.re), *c = unary(b, MR_OP_abs, x.im);
  mr_value *larger = mr_build_binary(b, MR_OP_maximum, a, c), *smaller = mr_build_binary(b, MR_OP_minimum, a, c);
  mr_value *excess =
      add(b, multiply(b, subtract(b, larger, number(b, larger, 1)), add(b, larger, number(b, larger, 1))),
          multiply(b, smaller, smaller));
  mr_value *near = scaled(b, unary(b, MR_OP_log_plus_one, excess), 0.5);
  mr_value *far = unary(b, MR_OP_log, unary(b, MR_OP_abs, z));
  mr_value *above = compare(b, GT, larger, 0.7), *below = compare(b, LT, larger, 1.5);
  return mr_build_select(b, mr_build_binary(b, MR_OP_and, above, below), near, far);
}

static parts logarithm(mr_builder *b, mr_value *z) {
  parts x = split(b, z);
  return (parts){log_of_abs(b, z, x), mr_build_binary(b, MR_OP_atan2, x.im, x.re)};
}

// log(1 + z): log1p(a (2 + a) + b^2) / 2 while the square fits
static parts log_plus_one(mr_builder *b, mr_value *z) {
  parts x = split(b, z);
  mr_value *moved = add(b, x.re, number(b, x.re, 1));
  mr_value *excess = add(b, multiply(b, x.re, add(b, x.re, number(b, x.re, 2))), multiply(b, x.im, x.im));
  mr_value *near = scaled(b, unary(b, MR_OP_log_plus_one, excess), 0.5);
  mr_value *far = unary(b, MR_OP_log, unary(b, MR_OP_abs, join(b, (parts){moved, x.im})));
  mr_value *size = mr_build_binary(b, MR_OP_maximum, unary(b, MR_OP_abs, x.re), unary(b, MR_OP_abs, x.im));
  mr_value *small = compare(b, LT, size, 0.5);
  return (parts){mr_build_select(b, small, near, far), mr_build_binary(b, MR_OP_atan2, x.im, moved)};
}

// t = sqrt((|a| + |z|) / 2); right half plane: t + i b / 2t, left: |b| / 2t + i t with b's sign.
static parts square_root(mr_builder *b, mr_value *z) {
  parts x = split(b, z);
  mr_value *size = unary(b, MR_OP_abs, z), *width = unary(b, MR_OP_abs, x.im);
  // Halves first: the sum of two large numbers would overflow.
  mr_value *sum = add(b, scaled(b, unary(b, MR_OP_abs, x.re), 0.5), scaled(b, size, 0.5));
  mr_value *t = unary(b, MR_OP_sqrt, sum);
  mr_value *twice = scaled(b, t, 2), *zero = number(b, t, 0), *infinity = number(b, t, INFINITY);
  parts right = {t, divide(b, x.im, twice)};
  parts left = {divide(b, width, twice), with_sign_of(b, t, x.im)};
  parts root = choose(b, is_negative(b, x.re), left, right);
  root = choose(b, compare(b, EQ, size, 0), (parts){zero, x.im}, root);
  return choose(b, compare(b, EQ, width, INFINITY), (parts){infinity, x.im}, root);
}

static mr_value *one_over(mr_builder *b, mr_value *z) {
  return z ? divide(b, mr_build_splat(b, &z->type, 1), z) : NULL;
}

static parts sinh_parts(mr_builder *b, parts x) {
  return (parts){multiply(b, unary(b, MR_OP_sinh, x.re), unary(b, MR_OP_cosine, x.im)),
                 multiply(b, unary(b, MR_OP_cosh, x.re), unary(b, MR_OP_sine, x.im))};
}

static parts cosh_parts(mr_builder *b, parts x) {
  return (parts){multiply(b, unary(b, MR_OP_cosh, x.re), unary(b, MR_OP_cosine, x.im)),
                 multiply(b, unary(b, MR_OP_sinh, x.re), unary(b, MR_OP_sine, x.im))};
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
  mr_value *far = mr_build_compare(b, EQ, 0, unary(b, MR_OP_abs, x.re), number(b, x.re, INFINITY));
  return choose(b, far, (parts){s, with_sign_of(b, number(b, s, 0), unary(b, MR_OP_sine, x.im))}, general);
}

// f(z) = -i g(iz): iz = -b + ia
static parts rotated(mr_builder *b, parts x) { return (parts){unary(b, MR_OP_negate, x.im), x.re}; }
static parts rotated_back(mr_builder *b, parts w) { return (parts){w.im, unary(b, MR_OP_negate, w.re)}; }

static mr_value *logistic(mr_builder *b, mr_value *z) {
  mr_value *left = compare(b, LT, unary(b, MR_OP_real, z), 0);
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
  mr_value *of_zero = mr_build_select(b, compare(b, GT, unary(b, MR_OP_real, y), 0), zero, general);
  mr_value *value = mr_build_select(b, mr_build_compare(b, EQ, 0, x, zero), of_zero, general);
  return mr_build_select(b, mr_build_compare(b, EQ, 0, y, zero), one, value);
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
  mr_value *tie = mr_build_binary(b, MR_OP_and, mr_build_compare(b, EQ, 0, p.re, q.re),
                                  mr_build_compare(b, direction, 0, p.im, q.im));
  mr_value *first = mr_build_binary(b, MR_OP_or, mr_build_compare(b, direction, 0, p.re, q.re), tie);
  return mr_build_select(b, first, x, y);
}

// ---- Dispatch ------------------------------------------------------------------------------------------------------

static mr_value *expand_unary(mr_builder *b, mr_op_kind kind, mr_value *z) {
  switch (kind) {
  case MR_OP_exponential: return join(b, exponential(b, z));
  case MR_OP_exponential_minus_one: return join(b, exponential_minus_one(b, z));
  case MR_OP_log: return join(b, logarithm(b, z));
  case MR_OP_log_plus_one: return join(b, log_plus_one(b, z));
  case MR_OP_sqrt: return join(b, square_root(b, z));
  case MR_OP_rsqrt: return one_over(b, unary(b, MR_OP_sqrt, z));
  case MR_OP_cbrt: return unary(b, MR_OP_exponential, scaled(b, unary(b, MR_OP_log, z), 1.0 / 3));
  case MR_OP_sinh: return join(b, sinh_parts(b, split(b, z)));
  case MR_OP_cosh: return join(b, cosh_parts(b, split(b, z)));
  case MR_OP_tanh: return join(b, tanh_parts(b, split(b, z)));
  case MR_OP_sine: return join(b, rotated_back(b, sinh_parts(b, rotated(b, split(b, z)))));
  case MR_OP_cosine: return join(b, cosh_parts(b, rotated(b, split(b, z))));
  case MR_OP_tan: return join(b, rotated_back(b, tanh_parts(b, rotated(b, split(b, z)))));
  case MR_OP_logistic: return logistic(b, z);
  default: return NULL;
  }
}

static mr_value *expand_binary(mr_builder *b, mr_op_kind kind, mr_value *x, mr_value *y) {
  switch (kind) {
  case MR_OP_power: return power(b, x, y);
  case MR_OP_atan2: return arc_tangent(b, x, y);
  case MR_OP_maximum: return extreme(b, GT, x, y);
  case MR_OP_minimum: return extreme(b, LT, x, y);
  default: return NULL;
  }
}

static mr_status rewrite(mr_op *op, bool *out_changed) {
  mr_op_class op_class = mr_op_table[op->kind].op_class;
  if (op_class > MR_OPS_BINARY || !mr_dtype_is_complex(op->operands[0].value->type.dtype)) {
    return MR_OK;
  }
  mr_builder b = mr_builder_before(op);
  mr_value *value = op_class == MR_OPS_UNARY ? expand_unary(&b, op->kind, mr_op_operand(op, 0))
                                             : expand_binary(&b, op->kind, mr_op_operand(op, 0), mr_op_operand(op, 1));
  *out_changed = mr_replace(op, value);
  return mr_module_memory(b.module);
}

mr_status mr_pass_complex(mr_module *module) { return mr_sweep(module, rewrite); }
