// The custom calls Qr and ProductOfElementaryHouseholderReflectors as loops over columns, with LAPACK's conventions
// (geqrf, orgqr): reflector j is H = I - tau v v^H with v = (0, .., 0, 1, a[j+1:, j]); R stands on and above the diagonal.
#include <string.h>

#include "compiler/passes/decompose.h"
#include "compiler/passes/tuning.h"
#include "ops/library/linalg.h"

// One column step inside the loop's body. Matrices are [batch.., m, n], columns [batch.., m, 1], numbers [batch.., 1, 1].
typedef struct step {
  mr_builder b;
  mr_module *module;
  mr_type matrix, column, number, row;
  mr_value *j;  // i32 scalar: the column
} step;

static mr_value *binary(step *s, mr_op_kind kind, mr_value *x, mr_value *y) {
  return mr_build_binary(&s->b, kind, x, y);
}
static mr_value *unary(step *s, mr_op_kind kind, mr_value *x) { return mr_build_unary(&s->b, kind, x); }

// [.., 1 or size, ..] stretched to the dims of `type`.
static mr_value *stretch(step *s, mr_value *x, const mr_type *type) {
  int64_t dims[MR_MAX_RANK];
  for (uint32_t d = 0; d < type->rank; d++) {
    dims[d] = d;
  }
  return x && mr_type_same_dims(&x->type, type) ? x : mr_build_broadcast(&s->b, x, type, (mr_ints){dims, type->rank});
}

static mr_value *like(step *s, mr_value *x, double value) { return x ? mr_build_splat(&s->b, &x->type, value) : NULL; }

// The position along the rows (from_end 2) or columns (1) compared with j, over `type`.
static mr_value *position(step *s, const mr_type *type, uint32_t from_end, int direction) {
  mr_type index = mr_type_with_dtype(type, MR_S32);
  mr_value *at = mr_build_iota(&s->b, &index, type->rank - from_end);
  return mr_build_compare(&s->b, direction, 0, at, mr_build_spread(&s->b, s->j, &index));
}

// x[.., j] or x[.., j, :]: the slice of size 1 at j in dimension `dim`.
static mr_value *at_j(step *s, mr_value *x, uint32_t dim) { return mr_build_dynamic_slice_dim(&s->b, x, dim, s->j, 1); }

// Over the rows, which stay as one: [.., m, c] to [.., 1, c].
static mr_value *fold_rows(step *s, mr_op_kind kind, mr_value *x, const mr_type *result) {
  if (!x) {
    return NULL;
  }
  int64_t dim = x->type.rank - 2;
  mr_type scalar = mr_type_scalar(x->type.dtype);
  mr_value *folded = mr_build_reduce(&s->b, kind, x, mr_build_splat(&s->b, &scalar, 0), (mr_ints){&dim, 1});
  return mr_build_reshape(&s->b, folded, result->rank, result->dims);
}

static mr_value *conjugate(step *s, mr_value *x) {
  return x && mr_dtype_is_complex(x->type.dtype) ? unary(s, MR_OP_conj, x) : x;
}

// x - factor v (v^H x)
static mr_value *reflect(step *s, mr_value *x, mr_value *v, mr_value *factor) {
  mr_value *wide = stretch(s, v, &s->matrix);
  mr_value *w = fold_rows(s, MR_OP_add, binary(s, MR_OP_multiply, conjugate(s, wide), x), &s->row);
  mr_value *scaled = stretch(s, binary(s, MR_OP_multiply, factor, v), &s->matrix);
  return binary(s, MR_OP_subtract, x, binary(s, MR_OP_multiply, scaled, stretch(s, w, &s->matrix)));
}

// 1 at row j, `below` under it, 0 above.
static mr_value *reflector(step *s, mr_value *below) {
  mr_value *inner = mr_build_select(&s->b, position(s, &s->column, 2, MR_COMPARE_GT), below, like(s, below, 0));
  return mr_build_select(&s->b, position(s, &s->column, 2, MR_COMPARE_EQ), like(s, below, 1), inner);
}

// |x| of the column from row j on, without overflow in the squares.
static mr_value *length(step *s, mr_value *column, int direction) {
  mr_value *size = unary(s, MR_OP_abs, column);
  size = mr_build_select(&s->b, position(s, &s->column, 2, direction), size, like(s, size, 0));
  mr_value *largest = fold_rows(s, MR_OP_maximum, size, &s->number);
  if (!largest) {
    return NULL;
  }
  mr_value *empty = mr_build_compare(&s->b, MR_COMPARE_EQ, 0, largest, like(s, largest, 0));
  mr_value *unit = mr_build_select(&s->b, empty, like(s, largest, 1), largest);
  mr_value *share = binary(s, MR_OP_divide, size, stretch(s, unit, &s->column));
  mr_value *squares = fold_rows(s, MR_OP_add, binary(s, MR_OP_multiply, share, share), &s->number);
  return binary(s, MR_OP_multiply, unit, unary(s, MR_OP_sqrt, squares));
}

static mr_value *as_element(step *s, mr_value *real) {
  return mr_dtype_is_complex(s->matrix.dtype) ? mr_build_convert(&s->b, real, s->matrix.dtype) : real;
}

// The new matrix and the factor tau of column j.
static void factor_column(step *s, mr_value *a, mr_value **out_a, mr_value **out_tau) {
  bool complex = mr_dtype_is_complex(s->matrix.dtype);
  mr_value *column = at_j(s, a, s->matrix.rank - 1), *alpha = at_j(s, column, s->matrix.rank - 2);
  mr_value *below = length(s, column, MR_COMPARE_GT), *whole = length(s, column, MR_COMPARE_GE);
  mr_value *real = complex ? unary(s, MR_OP_real, alpha) : alpha;
  mr_value *zero = like(s, real, 0);
  mr_value *trivial = mr_build_compare(&s->b, MR_COMPARE_EQ, 0, below, zero);
  if (complex) {
    mr_value *on_axis = mr_build_compare(&s->b, MR_COMPARE_EQ, 0, unary(s, MR_OP_imag, alpha), zero);
    trivial = binary(s, MR_OP_and, trivial, on_axis);
  }
  mr_value *left = mr_build_compare(&s->b, MR_COMPARE_LT, 0, real, zero);
  mr_value *beta = mr_build_select(&s->b, left, whole, unary(s, MR_OP_negate, whole));
  // Nothing to do: beta stays alpha, tau is 0; the divisions below must not see 0 / 0.
  mr_value *safe_beta = as_element(s, mr_build_select(&s->b, trivial, like(s, beta, 1), beta));
  beta = as_element(s, mr_build_select(&s->b, trivial, real, beta));
  mr_value *tau = binary(s, MR_OP_divide, binary(s, MR_OP_subtract, beta, alpha), safe_beta);
  *out_tau = mr_build_select(&s->b, trivial, like(s, tau, 0), tau);
  mr_value *gap = binary(s, MR_OP_subtract, alpha, beta);
  gap = mr_build_select(&s->b, trivial, like(s, gap, 1), gap);
  mr_value *v = reflector(s, binary(s, MR_OP_divide, column, stretch(s, gap, &s->column)));
  mr_value *rest = reflect(s, a, v, stretch(s, conjugate(s, *out_tau), &s->column));
  mr_value *stored = mr_build_select(&s->b, position(s, &s->column, 2, MR_COMPARE_EQ), stretch(s, beta, &s->column), v);
  stored = mr_build_select(&s->b, position(s, &s->column, 2, MR_COMPARE_LT), column, stored);
  mr_value *own = mr_build_select(&s->b, position(s, &s->matrix, 1, MR_COMPARE_EQ), stretch(s, stored, &s->matrix), a);
  *out_a = mr_build_select(&s->b, position(s, &s->matrix, 1, MR_COMPARE_GT), rest, own);
}

// ---- The loops -----------------------------------------------------------------------------------------------------

static bool prepare(step *s, const mr_type *matrix) {
  int64_t dims[MR_MAX_RANK];
  uint32_t rank = matrix->rank;
  memcpy(dims, matrix->dims, rank * sizeof *dims);
  s->matrix = *matrix;
  dims[rank - 1] = 1;
  s->column = mr_type_tensor(s->module, matrix->dtype, rank, dims);
  dims[rank - 2] = 1;
  s->number = mr_type_tensor(s->module, matrix->dtype, rank, dims);
  dims[rank - 1] = matrix->dims[rank - 1];
  s->row = mr_type_tensor(s->module, matrix->dtype, rank, dims);
  return !s->module->out_of_memory;
}

// while (counter < count) over the counter and the values; the body is left open in s->b.
static mr_op *open_loop(mr_op *op, step *s, uint32_t count, mr_value *const *values, int64_t rounds) {
  mr_builder before = mr_builder_before(op);
  mr_type types[3] = {mr_type_scalar(MR_S32)};
  mr_value *operands[3] = {mr_build_splat_int(&before, &types[0], 0)};
  for (uint32_t i = 0; i < count; i++) {
    operands[i + 1] = values[i];
    types[i + 1] = values[i] ? values[i]->type : types[0];
  }
  mr_op *loop = mr_build(&before, MR_OP_while, count + 1, operands, count + 1, types, 2);
  if (!loop) {
    return NULL;
  }
  for (uint32_t i = 0; i <= count; i++) {
    mr_block_add_arg(s->module, loop->regions[0], &types[i]);
    mr_block_add_arg(s->module, loop->regions[1], &types[i]);
  }
  mr_builder condition = mr_builder_at_end(loop->regions[0]);
  mr_value *end = mr_build_splat_int(&condition, &types[0], rounds);
  mr_value *more =
      s->module->out_of_memory ? NULL : mr_build_compare(&condition, MR_COMPARE_LT, 0, loop->regions[0]->args[0], end);
  mr_build_return(&condition, 1, &more);
  s->b = mr_builder_at_end(loop->regions[1]);
  return s->module->out_of_memory ? NULL : loop;
}

static void close_loop(step *s, mr_op *loop, uint32_t count, mr_value *const *values) {
  mr_value *counter = loop->regions[1]->args[0];
  mr_value *returned[3] = {binary(s, MR_OP_add, counter, mr_build_splat_int(&s->b, &counter->type, 1))};
  for (uint32_t i = 0; i < count; i++) {
    returned[i + 1] = values[i];
  }
  mr_build_return(&s->b, count + 1, returned);
}

// taus with tau put at j
static mr_value *store_tau(step *s, mr_value *taus, mr_value *tau) {
  int64_t dims[MR_MAX_RANK];
  uint32_t rank = taus->type.rank;
  mr_type scalar = mr_type_scalar(MR_S32);
  mr_value *zero = mr_build_splat_int(&s->b, &scalar, 0), *starts[MR_MAX_RANK];
  memcpy(dims, taus->type.dims, rank * sizeof *dims);
  dims[rank - 1] = 1;
  for (uint32_t d = 0; d < rank; d++) {
    starts[d] = d + 1 == rank ? s->j : zero;
  }
  return mr_build_dynamic_update_slice(&s->b, taus, mr_build_reshape(&s->b, tau, rank, dims), starts);
}

static bool is_matrix(const mr_type *type) {
  bool known = type->dtype == MR_F32 || type->dtype == MR_F64 || mr_dtype_is_complex(type->dtype);
  return type->kind == MR_TYPE_TENSOR && type->rank >= 2 && mr_type_is_static(type) && known && !type->quant;
}

// One entry a column that has a reflector.
static bool are_taus(const mr_type *type, const mr_type *matrix) {
  if (type->kind != MR_TYPE_TENSOR || type->rank + 1 != matrix->rank || type->dtype != matrix->dtype) {
    return false;
  }
  for (uint32_t d = 0; d + 1 < type->rank; d++) {
    if (type->dims[d] != matrix->dims[d]) {
      return false;
    }
  }
  int64_t most = MR_MIN(matrix->dims[matrix->rank - 1], matrix->dims[matrix->rank - 2]);
  return type->dims[type->rank - 1] >= 0 && type->dims[type->rank - 1] <= most;
}

static mr_status lower_qr(mr_op *op, bool *out_changed) {
  step s = {.module = mr_op_module(op)};
  if (op->num_operands != 1 || op->num_results != 2 || !is_matrix(&op->operands[0].value->type) ||
      !mr_type_equal(&op->operands[0].value->type, &op->results[0].type) ||
      !are_taus(&op->results[1].type, &op->results[0].type)) {
    return mr_unimplemented(op, "Qr of this form");
  }
  mr_builder before = mr_builder_before(op);
  mr_value *start[] = {mr_op_operand(op, 0), mr_build_splat(&before, &op->results[1].type, 0)};
  const mr_type *taus = &op->results[1].type;
  mr_op *loop = prepare(&s, &start[0]->type) ? open_loop(op, &s, 2, start, taus->dims[taus->rank - 1]) : NULL;
  if (!loop) {
    return mr_module_memory(s.module);
  }
  s.j = loop->regions[1]->args[0];
  mr_value *next[2], *tau;
  factor_column(&s, loop->regions[1]->args[1], &next[0], &tau);
  next[1] = store_tau(&s, loop->regions[1]->args[2], tau);
  close_loop(&s, loop, 2, next);
  MR_TRY(mr_module_memory(s.module));
  *out_changed = mr_replace_all(op, (mr_value *[]){&loop->results[1], &loop->results[2]});
  return MR_OK;
}

// H_0 .. H_k-1 applied to the first columns of the identity, the last one first.
static mr_status lower_product(mr_op *op, bool *out_changed) {
  step s = {.module = mr_op_module(op)};
  if (op->num_operands != 2 || op->num_results != 1 || !is_matrix(&op->operands[0].value->type) ||
      !mr_type_equal(&op->operands[0].value->type, &op->results[0].type) ||
      !are_taus(&op->operands[1].value->type, &op->results[0].type)) {
    return mr_unimplemented(op, "a product of reflectors of this form");
  }
  mr_value *a = mr_op_operand(op, 0), *taus = mr_op_operand(op, 1);
  int64_t count = taus->type.dims[taus->type.rank - 1];
  mr_builder before = mr_builder_before(op);
  mr_type index = mr_type_with_dtype(&a->type, MR_S32);
  mr_value *rows = mr_build_iota(&before, &index, index.rank - 2),
           *columns = mr_build_iota(&before, &index, index.rank - 1);
  mr_value *identity =
      mr_build_convert(&before, mr_build_compare(&before, MR_COMPARE_EQ, 0, rows, columns), a->type.dtype);
  mr_op *loop = prepare(&s, &a->type) ? open_loop(op, &s, 1, &identity, count) : NULL;
  if (!loop) {
    return mr_module_memory(s.module);
  }
  mr_value *counter = loop->regions[1]->args[0];
  s.j = binary(&s, MR_OP_subtract, mr_build_splat_int(&s.b, &counter->type, count - 1), counter);
  mr_value *v = reflector(&s, at_j(&s, a, a->type.rank - 1));
  mr_value *tau = mr_build_reshape(&s.b, at_j(&s, taus, taus->type.rank - 1), s.number.rank, s.number.dims);
  mr_value *next = reflect(&s, loop->regions[1]->args[1], v, stretch(&s, tau, &s.column));
  close_loop(&s, loop, 1, &next);
  MR_TRY(mr_module_memory(s.module));
  *out_changed = mr_replace(op, &loop->results[1]);
  return MR_OK;
}

// Small matrices stay loops, which become one kernel; larger ones are LAPACK's where there is one.
static bool is_for_lapack(const mr_op *op) {
  const mr_type *a = op->num_operands ? &op->operands[0].value->type : NULL;
  return a && is_matrix(a) && a->dims[a->rank - 1] * a->dims[a->rank - 2] > MR_PASS_QR_ELEMENTS &&
         mr_linalg_has_lapack(a->dtype);
}

mr_status mr_decompose_custom_call(mr_op *op, bool *out_changed) {
  mr_str target = mr_op_string(op, MR_ATTR_call_target_name);
  bool factors = mr_str_is(target, "Qr"), product = mr_str_is(target, "ProductOfElementaryHouseholderReflectors");
  if ((factors || product) && is_for_lapack(op)) {
    return MR_OK;
  }
  if (mr_str_is(target, "ragged_all_to_all")) {
    return mr_decompose_ragged(op, out_changed);
  }
  if (mr_str_is(target, "Eigh")) {
    return mr_decompose_eigh(op, out_changed);
  }
  if (factors) {
    return lower_qr(op, out_changed);
  }
  if (product) {
    return lower_product(op, out_changed);
  }
  return MR_OK;
}
