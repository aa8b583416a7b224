// Elementwise operations of random programs.
#include "tests/random/random.h"

typedef struct choice {
  mr_op_kind kind;
  unsigned classes;
} choice;

#define REAL (CLASS_INT | CLASS_FLOAT)
#define FUNCTION (CLASS_FLOAT | CLASS_COMPLEX)

static const choice unary[] = {
    {MR_OP_abs, REAL | CLASS_COMPLEX},
    {MR_OP_cbrt, CLASS_FLOAT},
    {MR_OP_ceil, CLASS_FLOAT},
    {MR_OP_convert, CLASS_ANY},
    {MR_OP_convert, CLASS_ANY},
    {MR_OP_convert, CLASS_ANY},
    {MR_OP_convert, CLASS_ANY},
    {MR_OP_cosine, FUNCTION},
    {MR_OP_count_leading_zeros, CLASS_INT},
    {MR_OP_exponential, FUNCTION},
    {MR_OP_exponential_minus_one, FUNCTION},
    {MR_OP_floor, CLASS_FLOAT},
    {MR_OP_imag, CLASS_COMPLEX},
    {MR_OP_is_finite, CLASS_FLOAT},
    {MR_OP_log, FUNCTION},
    {MR_OP_log_plus_one, FUNCTION},
    {MR_OP_logistic, FUNCTION},
    {MR_OP_negate, REAL | CLASS_COMPLEX},
    {MR_OP_not, CLASS_INT | CLASS_BOOL},
    {MR_OP_popcnt, CLASS_INT},
    {MR_OP_real, CLASS_COMPLEX},
    {MR_OP_reduce_precision, CLASS_WIDE},
    {MR_OP_round_nearest_afz, CLASS_FLOAT},
    {MR_OP_round_nearest_even, CLASS_FLOAT},
    {MR_OP_rsqrt, FUNCTION},
    {MR_OP_sign, REAL | CLASS_COMPLEX},
    {MR_OP_sine, FUNCTION},
    {MR_OP_sqrt, FUNCTION},
    {MR_OP_tan, FUNCTION},
    {MR_OP_tanh, FUNCTION},
    {MR_OP_acos, CLASS_WIDE},
    {MR_OP_acosh, CLASS_WIDE},
    {MR_OP_asin, CLASS_WIDE},
    {MR_OP_asinh, CLASS_WIDE},
    {MR_OP_atan, CLASS_WIDE},
    {MR_OP_atanh, CLASS_WIDE},
    {MR_OP_conj, CLASS_COMPLEX},
    {MR_OP_cosh, CLASS_WIDE},
    {MR_OP_digamma, CLASS_WIDE},
    {MR_OP_erf, CLASS_WIDE},
    {MR_OP_erf_inv, CLASS_WIDE},
    {MR_OP_erfc, CLASS_WIDE},
    {MR_OP_is_inf, CLASS_WIDE},
    {MR_OP_is_neg_inf, CLASS_WIDE},
    {MR_OP_is_pos_inf, CLASS_WIDE},
    {MR_OP_lgamma, CLASS_WIDE},
    {MR_OP_sinh, CLASS_WIDE},
    {MR_OP_square, CLASS_WIDE | CLASS_COMPLEX},
};

static const choice binary[] = {
    {MR_OP_add, CLASS_ANY},
    {MR_OP_add, CLASS_ANY},
    {MR_OP_subtract, REAL | CLASS_COMPLEX},
    {MR_OP_subtract, REAL | CLASS_COMPLEX},
    {MR_OP_multiply, CLASS_ANY},
    {MR_OP_multiply, CLASS_ANY},
    {MR_OP_divide, REAL | CLASS_COMPLEX},
    {MR_OP_maximum, REAL | CLASS_BOOL},
    {MR_OP_minimum, REAL | CLASS_BOOL},
    {MR_OP_remainder, REAL},
    {MR_OP_power, REAL},
    {MR_OP_atan2, CLASS_FLOAT},
    {MR_OP_and, CLASS_INT | CLASS_BOOL},
    {MR_OP_or, CLASS_INT | CLASS_BOOL},
    {MR_OP_xor, CLASS_INT | CLASS_BOOL},
    {MR_OP_shift_left, CLASS_INT},
    {MR_OP_shift_right_arithmetic, CLASS_INT},
    {MR_OP_shift_right_logical, CLASS_INT},
    {MR_OP_mulhi, CLASS_INT},
    {MR_OP_next_after, CLASS_WIDE},
};

// Whether XLA:CPU's numbers are the only right ones once it is known where to round. Functions in f32, which are also what a
// conversion behind one in bf16 sees, have several; a product in f32 may not round before it is added to something.
static bool is_settled(mr_op_kind kind, mr_dtype dtype) {
  if (!mr_dtype_is_float(dtype)) {  // where XLA:CPU has bugs
    return dtype != MR_PRED && kind != MR_OP_power && kind != MR_OP_count_leading_zeros && kind != MR_OP_divide &&
           kind != MR_OP_remainder;
  }
  switch (kind) {
  case MR_OP_abs:
  case MR_OP_add:
  case MR_OP_ceil:
  case MR_OP_divide:
  case MR_OP_floor:
  case MR_OP_is_finite:
  case MR_OP_maximum:
  case MR_OP_minimum:
  case MR_OP_negate:
  case MR_OP_round_nearest_afz:
  case MR_OP_round_nearest_even:
  case MR_OP_sign:
  case MR_OP_sqrt:
  case MR_OP_subtract: return true;
  case MR_OP_multiply: return dtype == MR_BF16 || dtype == MR_F16;
  case MR_OP_atan2:
  case MR_OP_cbrt:
  case MR_OP_cosine:
  case MR_OP_exponential:
  case MR_OP_log:
  case MR_OP_log_plus_one:
  case MR_OP_power:
  case MR_OP_remainder:
  case MR_OP_rsqrt:
  case MR_OP_sine:
  case MR_OP_tanh: return dtype == MR_F16;
  default: return false;
  }
}

static bool is_wanted(const generator *g, mr_op_kind kind, value x) {
  return !g->half || is_settled(kind, x->type.dtype);
}

static void keep_result(generator *g, mr_op *op) {
  if ((op = finish_op(g, op))) {
    keep_value(g, mr_op_result(op, 0));
    if (g->half && mr_op_result(op, 0)->type.dtype == MR_BF16 && rng_chance(&g->random, 50)) {
      keep_value(g, mr_build_convert(&g->at, mr_op_result(op, 0), MR_F32));
    }
  }
}

static void generate_unary(generator *g) {
  static const choice conversion = {MR_OP_convert, CLASS_ANY};
  const choice *c = &unary[rng_below(&g->random, MR_ARRAY_SIZE(unary))];
  if (g->half && (c->classes == CLASS_COMPLEX || rng_chance(&g->random, 30))) {
    c = &conversion;
  }
  value x = random_value_of(g, c->classes);
  if (c->kind == MR_OP_convert) {
    mr_dtype to = g->half && x->type.dtype == MR_BF16 && rng_chance(&g->random, 70) ? MR_F32 : random_dtype(g);
    // A complex number becomes a real one by its real part, by name.
    bool complex_lost = mr_dtype_is_complex(x->type.dtype) && !mr_dtype_is_complex(to);
    keep_value(g, complex_lost ? NULL : mr_build_convert(&g->at, x, to));
    return;
  }
  mr_op *op = is_wanted(g, c->kind, x) ? start_op(g, c->kind, 1, &x, 1, 0) : NULL;
  if (c->kind == MR_OP_reduce_precision) {
    set_int(g, op, MR_ATTR_exponent_bits, rng_between(&g->random, 2, 11), MR_S32);
    set_int(g, op, MR_ATTR_mantissa_bits, rng_between(&g->random, 1, 24), MR_S32);
  }
  keep_result(g, op);
}

static void generate_compare(generator *g) {
  value x = random_value_of(g, CLASS_ANY), operands[2] = {x, value_of_type(g, &x->type)};
  mr_dtype dtype = x->type.dtype;
  bool is_complex = mr_dtype_is_complex(dtype), is_float = mr_dtype_is_float(dtype);
  int64_t direction = rng_below(&g->random, is_complex ? 2 : 6);
  int64_t kind = is_complex                  ? 1
                 : is_float                  ? rng_between(&g->random, 1, g->half ? 1 : 2)
                 : mr_dtype_is_signed(dtype) ? 3
                                             : 4;
  mr_op *op = start_op(g, MR_OP_compare, 2, operands, 1, 0);
  set_int(g, op, MR_ATTR_comparison_direction, direction, MR_S64);
  set_int(g, op, MR_ATTR_compare_type, kind, MR_S64);
  keep_result(g, op);
}

static void generate_ternary(generator *g) {
  bool clamp = rng_chance(&g->random, 40);
  value x = random_value_of(g, clamp ? REAL : CLASS_ANY), operands[3];
  if (clamp) {
    mr_type scalar = mr_type_scalar(x->type.dtype);
    const mr_type *bound = rng_chance(&g->random, 50) ? &scalar : &x->type;
    operands[0] = value_of_type(g, bound), operands[1] = x, operands[2] = value_of_type(g, bound);
  } else {
    mr_type one = mr_type_scalar(MR_PRED), all = mr_type_with_dtype(&x->type, MR_PRED);
    operands[0] = value_of_type(g, rng_chance(&g->random, 20) ? &one : &all);
    operands[1] = x, operands[2] = value_of_type(g, &x->type);
  }
  keep_result(g, start_op(g, clamp ? MR_OP_clamp : MR_OP_select, 3, operands, 1, 0));
}

void generate_element(generator *g) {
  int64_t dice = rng_below(&g->random, 100);
  if (dice < 40) {
    generate_unary(g);
  } else if (dice < 80) {
    const choice *c = &binary[rng_below(&g->random, MR_ARRAY_SIZE(binary))];
    value x = random_value_of(g, c->classes), operands[2] = {x, value_of_type(g, &x->type)};
    keep_result(g, is_wanted(g, c->kind, x) ? start_op(g, c->kind, 2, operands, 1, 0) : NULL);
  } else if (dice < 90) {
    generate_compare(g);
  } else if (dice < 97) {
    generate_ternary(g);
  } else {
    value x = random_value_of(g, CLASS_FLOAT), parts[2] = {x, value_of_type(g, &x->type)};
    if ((x->type.dtype == MR_F32 || x->type.dtype == MR_F64) && !g->half) {
      keep_result(g, start_op(g, MR_OP_complex, 2, parts, 1, 0));
    }
  }
}
