// Constant folding: elementwise arithmetic that is exact (integers, comparisons, float + - * /, conversions) and moving
// of elements, on small constants and on splats of any size. Functions with an error bound are left to the kernel, so
// that a constant and a computed operand give the same bits.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "compiler/ir/scalar.h"
#include "compiler/passes/simplify.h"
#include "compiler/passes/tuning.h"

typedef struct element {
  _Alignas(16) uint8_t bytes[MR_SCALAR_BYTES];
} element;

// ---- One element ---------------------------------------------------------------------------------------------------

static bool is_unsigned(mr_dtype dtype) { return dtype == MR_PRED || mr_dtype_is_unsigned(dtype); }

static bool divide_ints(mr_dtype dtype, int64_t x, int64_t y, bool remainder, int64_t *out) {
  if (y == 0) {
    *out = remainder ? x : -1;  // all ones
  } else if (is_unsigned(dtype)) {
    *out = (int64_t)(remainder ? (uint64_t)x % (uint64_t)y : (uint64_t)x / (uint64_t)y);
  } else if (y == -1) {
    *out = remainder ? 0 : (int64_t)(0 - (uint64_t)x);
  } else {
    *out = remainder ? x % y : x / y;
  }
  return true;
}

static bool shift(mr_op_kind kind, mr_dtype dtype, int64_t x, int64_t y, int64_t *out) {
  unsigned width = mr_dtype_bits(dtype);
  bool outside = (uint64_t)y >= width;
  uint64_t mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
  uint64_t bits = (uint64_t)x & mask;
  // Sign-extended at the element's width, whatever the signedness of the type.
  int64_t extended = (int64_t)(bits << (64 - width)) >> (64 - width);
  if (kind == MR_OP_shift_left) {
    *out = outside ? 0 : (int64_t)(bits << y);
  } else if (kind == MR_OP_shift_right_logical) {
    *out = outside ? 0 : (int64_t)(bits >> y);
  } else {
    *out = extended >> (outside ? 63 : y);
  }
  return true;
}

static bool integers(mr_op_kind kind, mr_dtype dtype, int64_t x, int64_t y, int64_t *out) {
  bool boolean = dtype == MR_PRED;
  bool less = is_unsigned(dtype) ? (uint64_t)x < (uint64_t)y : x < y;
  switch (kind) {
  case MR_OP_add: *out = boolean ? x | y : (int64_t)((uint64_t)x + (uint64_t)y); return true;
  case MR_OP_subtract: *out = (int64_t)((uint64_t)x - (uint64_t)y); return !boolean;
  case MR_OP_multiply: *out = (int64_t)((uint64_t)x * (uint64_t)y); return true;
  case MR_OP_divide:
  case MR_OP_remainder: return !boolean && divide_ints(dtype, x, y, kind == MR_OP_remainder, out);
  case MR_OP_maximum: *out = less ? y : x; return true;
  case MR_OP_minimum: *out = less ? x : y; return true;
  case MR_OP_and: *out = x & y; return true;
  case MR_OP_or: *out = x | y; return true;
  case MR_OP_xor: *out = x ^ y; return true;
  case MR_OP_shift_left:
  case MR_OP_shift_right_arithmetic:
  case MR_OP_shift_right_logical: return shift(kind, dtype, x, y, out);
  case MR_OP_not: *out = boolean ? !x : ~x; return true;
  case MR_OP_negate: *out = (int64_t)(0 - (uint64_t)x); return !boolean;
  case MR_OP_abs: *out = !is_unsigned(dtype) && x < 0 ? (int64_t)(0 - (uint64_t)x) : x; return true;
  case MR_OP_sign: *out = x == 0 ? 0 : !is_unsigned(dtype) && x < 0 ? -1 : 1; return true;
  default: return false;  // stays as it is: a kernel computes it
  }
}

// Exact for every float type: the sum, product or quotient of two numbers of p bits, rounded to 2p + 2 bits first, rounds
// to p bits as the exact one would, and double has that many for all types below it.
static bool floats(mr_op_kind kind, double x, double y, double *out) {
  switch (kind) {
  case MR_OP_add: *out = x + y; return true;
  case MR_OP_subtract: *out = x - y; return true;
  case MR_OP_multiply: *out = x * y; return true;
  case MR_OP_divide: *out = x / y; return true;
  case MR_OP_negate: *out = -x; return true;
  case MR_OP_abs: *out = fabs(x); return true;
  case MR_OP_maximum:
  case MR_OP_minimum: {
    bool larger = x > y || (x == y && !signbit(x));
    *out = isnan(x) || isnan(y) ? NAN : larger == (kind == MR_OP_maximum) ? x : y;
    return true;
  }
  case MR_OP_sign: *out = isnan(x) || x == 0 ? x : copysign(1, x); return true;
  default: return false;  // stays as it is: functions have error bounds, and a kernel gives other bits within them
  }
}

// Kernels may run with subnormal numbers taken for zero (compiler/run/subnormal.h), so arithmetic on these is theirs. The
// narrow types with fewer exponents are computed in f32, where theirs are normal.
static bool is_subnormal(mr_dtype dtype, const element *x) {
  if (dtype != MR_F32 && dtype != MR_BF16 && dtype != MR_F64) {
    return false;
  }
  double size = fabs(mr_scalar_to_double(dtype, x));
  return size > 0 && size < (dtype == MR_F64 ? DBL_MIN : (double)FLT_MIN);
}

static bool numbers(mr_op_kind kind, mr_dtype dtype, const element *x, const element *y, element *out) {
  if (mr_dtype_is_float(dtype)) {
    // Below 8 bits and without a zero the native arithmetic is the back end's business.
    double value;
    if (dtype == MR_F8E8M0FNU || !floats(kind, mr_scalar_to_double(dtype, x), mr_scalar_to_double(dtype, y), &value)) {
      return false;
    }
    mr_scalar_from_double(dtype, value, out);
    bool only_sign = kind == MR_OP_negate || kind == MR_OP_abs;
    return only_sign || !(is_subnormal(dtype, x) || is_subnormal(dtype, y) || is_subnormal(dtype, out));
  }
  int64_t value;
  if (mr_dtype_is_complex(dtype) ||
      !integers(kind, dtype, mr_scalar_to_int(dtype, x), mr_scalar_to_int(dtype, y), &value)) {
    return false;
  }
  mr_scalar_from_int(dtype, value, out);
  return true;
}

static bool holds(int64_t direction, bool less, bool equal, bool unordered) {
  switch (direction) {
  case MR_COMPARE_EQ: return equal;
  case MR_COMPARE_NE: return !equal;
  case MR_COMPARE_GE: return !unordered && !less;
  case MR_COMPARE_GT: return !unordered && !less && !equal;
  case MR_COMPARE_LE: return less || equal;
  default: return less;  // LT: the shape rule lets no other through
  }
}

static bool compare(const mr_op *op, mr_dtype dtype, const element *x, const element *y, element *out) {
  int64_t direction = mr_op_int(op, MR_ATTR_comparison_direction, 0);
  bool less, equal, unordered = false;
  if (mr_dtype_is_float(dtype)) {
    if (mr_op_int(op, MR_ATTR_compare_type, 0) == MR_COMPARE_TOTALORDER || is_subnormal(dtype, x) ||
        is_subnormal(dtype, y)) {
      return false;
    }
    double a = mr_scalar_to_double(dtype, x), b = mr_scalar_to_double(dtype, y);
    less = a < b;
    equal = a == b;
    unordered = isnan(a) || isnan(b);
  } else if (mr_dtype_is_complex(dtype)) {
    return false;
  } else {
    int64_t a = mr_scalar_to_int(dtype, x), b = mr_scalar_to_int(dtype, y);
    less = is_unsigned(dtype) ? (uint64_t)a < (uint64_t)b : a < b;
    equal = a == b;
  }
  out->bytes[0] = holds(direction, less, equal, unordered);
  return true;
}

static bool bits_of_int(mr_op_kind kind, mr_dtype dtype, const element *x, element *out) {
  unsigned width = mr_dtype_bits(dtype);
  uint64_t bits = (uint64_t)mr_scalar_to_int(dtype, x) << (64 - width);
  int64_t count = kind == MR_OP_popcnt ? __builtin_popcountll(bits) : bits ? __builtin_clzll(bits) : width;
  mr_scalar_from_int(dtype, count, out);
  return true;
}

static bool complex_parts(mr_op_kind kind, mr_dtype from, const element *x, const element *y, element *out) {
  mr_dtype real = mr_dtype_real(from);
  size_t size = mr_dtype_bytes(real);
  if (kind == MR_OP_complex) {
    memcpy(out->bytes, x->bytes, size);
    memcpy(out->bytes + size, y->bytes, size);
    return true;
  }
  if (!mr_dtype_is_complex(from)) {
    return false;
  }
  memcpy(out->bytes, x->bytes + (kind == MR_OP_imag ? size : 0), size);
  return true;
}

// One element of an elementwise op: x has its operands. False: not to be had here.
typedef bool (*evaluate)(const mr_op *op, const element *x, element *out);

static mr_dtype from_of(const mr_op *op) { return op->operands[0].value->type.dtype; }
static mr_dtype to_of(const mr_op *op) { return op->results[0].type.dtype; }

static bool numbers_of(const mr_op *op, const element *x, element *out) {
  mr_dtype dtype = from_of(op);
  return dtype == to_of(op) && numbers(op->kind, dtype, &x[0], &x[op->num_operands > 1], out);
}

static bool converted(const mr_op *op, const element *x, element *out) {
  mr_scalar_convert(from_of(op), x, to_of(op), out);
  return !is_subnormal(from_of(op), x) && !is_subnormal(to_of(op), out);
}

static bool compared(const mr_op *op, const element *x, element *out) {
  return compare(op, from_of(op), &x[0], &x[1], out);
}

static bool selected(const mr_op *op, const element *x, element *out) {
  (void)op;
  *out = x[x[0].bytes[0] ? 1 : 2];
  return true;
}

static bool clamped(const mr_op *op, const element *x, element *out) {
  element bounded;
  return numbers(MR_OP_maximum, to_of(op), &x[1], &x[0], &bounded) &&
         numbers(MR_OP_minimum, to_of(op), &bounded, &x[2], out);
}

static bool is_finite(const mr_op *op, const element *x, element *out) {
  out->bytes[0] = isfinite(mr_scalar_to_double(from_of(op), x));
  return mr_dtype_is_float(from_of(op));
}

static bool bits_of(const mr_op *op, const element *x, element *out) {
  return bits_of_int(op->kind, from_of(op), x, out);
}

static bool parts_of(const mr_op *op, const element *x, element *out) {
  return complex_parts(op->kind, from_of(op), &x[0], &x[1], out);
}

// ---- Whole constants -----------------------------------------------------------------------------------------------

static const void *element_at(const mr_dense *dense, int64_t i) {
  return (const char *)dense->data + (dense->splat ? 0 : (size_t)i * mr_dtype_bytes(dense->type.dtype));
}

static mr_value *constant_before(mr_op *op, const mr_type *type, const void *data) {
  mr_builder b = mr_builder_before(op);
  mr_dense dense = mr_dense_make(b.module, type, data);
  return mr_build_constant(&b, &dense);
}

static mr_value *splat_before(mr_op *op, const mr_type *type, const void *one) {
  mr_builder b = mr_builder_before(op);
  size_t size = mr_dtype_bytes(type->dtype);
  mr_dense dense = {.type = *type, .size = size, .splat = mr_type_count(type) != 1};
  dense.data = mr_arena_copy(&b.module->arena, one, size);
  b.module->out_of_memory |= !dense.data;
  return mr_build_constant(&b, &dense);
}

static mr_value *fold_elements(mr_op *op, evaluate evaluate_one) {
  const mr_dense *operands[3];
  const mr_type *type = &op->results[0].type;
  bool splat = true;
  int64_t count = mr_type_count(type);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    operands[i] = mr_value_constant(mr_op_operand(op, i));
    if (!operands[i] || op->operands[i].value->type.quant) {
      return NULL;
    }
    int64_t size = mr_type_count(&operands[i]->type);
    splat = splat && (operands[i]->splat || size == 1);
    if (size != count && size != 1) {
      return NULL;
    }
  }
  if (count == 0 || type->quant || (!splat && count > MR_PASS_FOLD_ELEMENTS)) {
    return NULL;
  }
  uint8_t results[MR_PASS_FOLD_ELEMENTS * MR_SCALAR_BYTES];
  size_t one = mr_dtype_bytes(type->dtype);
  for (int64_t i = 0; i < (splat ? 1 : count); i++) {
    element x[3] = {{{0}}}, out = {{0}};
    for (uint32_t j = 0; j < op->num_operands; j++) {
      bool scalar = mr_type_count(&operands[j]->type) == 1;
      memcpy(x[j].bytes, element_at(operands[j], scalar ? 0 : i), mr_dtype_bytes(operands[j]->type.dtype));
    }
    if (!evaluate_one(op, x, &out)) {
      return NULL;
    }
    memcpy(results + (size_t)i * one, out.bytes, one);
  }
  return splat ? splat_before(op, type, results) : constant_before(op, type, results);
}

// Row-major coordinates of element i.
static void unravel(const mr_type *type, int64_t i, int64_t *at) {
  for (uint32_t d = type->rank; d-- > 0;) {
    at[d] = i % type->dims[d];
    i /= type->dims[d];
  }
}

static int64_t ravel(const mr_type *type, const int64_t *at) {
  int64_t i = 0;
  for (uint32_t d = 0; d < type->rank; d++) {
    i = i * type->dims[d] + at[d];
  }
  return i;
}

// Which element of operand *out_operand becomes the result's element at `at`.
static int64_t source(const mr_op *op, const int64_t *at, uint32_t *out_operand) {
  int64_t from[MR_MAX_RANK];
  const mr_type *x = &op->operands[0].value->type;
  mr_ints first, second;
  *out_operand = 0;
  switch (op->kind) {
  case MR_OP_broadcast_in_dim:
    first = mr_op_ints(op, MR_ATTR_broadcast_dimensions);
    for (uint32_t d = 0; d < x->rank; d++) {
      from[d] = x->dims[d] == 1 ? 0 : at[first.data[d]];
    }
    break;
  case MR_OP_transpose:
    first = mr_op_ints(op, MR_ATTR_permutation);
    for (uint32_t d = 0; d < x->rank; d++) {
      from[first.data[d]] = at[d];
    }
    break;
  case MR_OP_slice:
    first = mr_op_ints(op, MR_ATTR_start_indices);
    second = mr_op_ints(op, MR_ATTR_strides);
    for (uint32_t d = 0; d < x->rank; d++) {
      from[d] = first.data[d] + at[d] * second.data[d];
    }
    break;
  case MR_OP_reverse:
    first = mr_op_ints(op, MR_ATTR_dimensions);
    memcpy(from, at, x->rank * sizeof *from);
    for (size_t i = 0; i < first.size; i++) {
      from[first.data[i]] = x->dims[first.data[i]] - 1 - at[first.data[i]];
    }
    break;
  default: {
    assert(op->kind == MR_OP_concatenate);  // the others that fold_move is for are above
    int64_t dim = mr_op_int(op, MR_ATTR_dimension, 0);
    memcpy(from, at, x->rank * sizeof *from);
    while (from[dim] >= op->operands[*out_operand].value->type.dims[dim]) {
      from[dim] -= op->operands[(*out_operand)++].value->type.dims[dim];
    }
    x = &op->operands[*out_operand].value->type;
    break;
  }
  }
  return ravel(x, from);
}

static bool all_splats_of_one(const mr_op *op, uint8_t *one) {
  uint8_t other[MR_SCALAR_BYTES];
  size_t size = mr_dtype_bytes(op->results[0].type.dtype);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (!mr_value_splat(mr_op_operand(op, i), i ? other : one) || (i && memcmp(one, other, size) != 0)) {
      return false;
    }
  }
  return op->num_operands > 0;
}

static mr_value *fold_move(mr_op *op) {
  const mr_type *type = &op->results[0].type;
  int64_t count = mr_type_count(type);
  uint8_t one[MR_SCALAR_BYTES];
  if (count == 0 || type->quant) {
    return NULL;
  }
  if (all_splats_of_one(op, one)) {
    return splat_before(op, type, one);
  }
  if (count > MR_PASS_FOLD_ELEMENTS || op->kind == MR_OP_pad) {
    return NULL;
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (!mr_value_constant(mr_op_operand(op, i))) {
      return NULL;
    }
  }
  uint8_t results[MR_PASS_FOLD_ELEMENTS * MR_SCALAR_BYTES];
  size_t size = mr_dtype_bytes(type->dtype);
  for (int64_t i = 0; i < count; i++) {
    int64_t at[MR_MAX_RANK];
    uint32_t operand;
    unravel(type, i, at);
    int64_t from = source(op, at, &operand);
    memcpy(results + (size_t)i * size, element_at(mr_value_constant(mr_op_operand(op, operand)), from), size);
  }
  return constant_before(op, type, results);
}

// Same bytes, another type: the data is shared. Constants of any size.
static mr_value *fold_retype(mr_op *op) {
  const mr_dense *dense = mr_value_constant(mr_op_operand(op, 0));
  const mr_type *type = &op->results[0].type;
  bool same_width =
      dense && mr_dtype_bits(dense->type.dtype) == mr_dtype_bits(type->dtype) && mr_dtype_bits(type->dtype) % 8 == 0;
  if (!dense || type->quant || dense->type.quant || !(dense->type.dtype == type->dtype || same_width)) {
    return NULL;
  }
  mr_builder b = mr_builder_before(op);
  mr_dense retyped = *dense;
  retyped.type = *type;
  return mr_build_constant(&b, &retyped);
}

// ---- The column of ops.def -----------------------------------------------------------------------------------------

static mr_value *fold_numbers(mr_op *op) { return fold_elements(op, numbers_of); }
static mr_value *fold_convert(mr_op *op) { return fold_elements(op, converted); }
static mr_value *fold_compare(mr_op *op) { return fold_elements(op, compared); }
static mr_value *fold_select(mr_op *op) { return fold_elements(op, selected); }
static mr_value *fold_clamp(mr_op *op) { return fold_elements(op, clamped); }
static mr_value *fold_is_finite(mr_op *op) { return fold_elements(op, is_finite); }
static mr_value *fold_bits(mr_op *op) { return fold_elements(op, bits_of); }
static mr_value *fold_complex_parts(mr_op *op) { return fold_elements(op, parts_of); }

#define fold_NONE NULL
static mr_value *(*const rules[MR_OP_COUNT])(mr_op *op) = {
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, ...) \
  [MR_OP_##name] = fold_##fold,
#include "ops/ops.def"
};
#undef fold_NONE

mr_value *mr_fold(mr_op *op) {
  bool plain = op->num_results == 1 && op->num_operands && !op->num_regions && mr_type_is_static(&op->results[0].type);
  return plain && rules[op->kind] ? rules[op->kind](op) : NULL;
}
