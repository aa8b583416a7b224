// Descriptors of Fourier transforms, factorisations and solvers from their ops.
#include "compiler/choose/linalg.h"

#include "ops/library/linalg.h"

static int64_t product(const int64_t *dims, size_t count) {
  int64_t result = 1;
  for (size_t i = 0; i < count; i++) {
    result *= dims[i];
  }
  return result;
}

bool mr_choose_fft_of(const mr_op *op, mr_fft_desc *out) {
  const mr_type *x = &mr_op_operand(op, 0)->type;
  mr_ints length = mr_op_ints(op, MR_ATTR_fft_length);
  if (length.size < 1 || length.size > MR_FFT_RANK || !mr_type_is_static(x)) {
    return false;
  }
  *out = (mr_fft_desc){.kind = (mr_fft_kind)mr_op_int(op, MR_ATTR_fft_type, 0),
                       .dtype = mr_dtype_real(x->dtype),
                       .batch = product(x->dims, x->rank - length.size),
                       .rank = (int)length.size};
  for (size_t i = 0; i < length.size; i++) {
    out->length[i] = length.data[i];
  }
  return mr_fft_supports(out);
}

static bool cholesky_desc(const mr_op *op, mr_cholesky_desc *out) {
  const mr_type *a = &mr_op_operand(op, 0)->type;
  *out = (mr_cholesky_desc){.dtype = a->dtype,
                            .batch = product(a->dims, a->rank - 2),
                            .n = a->dims[a->rank - 1],
                            .lower = mr_op_int(op, MR_ATTR_lower, 0) != 0};
  return mr_linalg_has_type(a->dtype) && mr_type_is_static(a);
}

static bool solve_desc(const mr_op *op, mr_solve_desc *out) {
  const mr_type *a = &mr_op_operand(op, 0)->type, *b = &mr_op_operand(op, 1)->type;
  bool left = mr_op_int(op, MR_ATTR_left_side, 0) != 0;
  *out = (mr_solve_desc){.dtype = a->dtype,
                         .batch = product(a->dims, a->rank - 2),
                         .n = a->dims[a->rank - 1],
                         .rhs = b->dims[left ? b->rank - 1 : b->rank - 2],
                         .left = left,
                         .lower = mr_op_int(op, MR_ATTR_lower, 0) != 0,
                         .unit_diagonal = mr_op_int(op, MR_ATTR_unit_diagonal, 0) != 0,
                         .transpose = (mr_transpose)mr_op_int(op, MR_ATTR_transpose_a, MR_TRANSPOSE_NONE)};
  return mr_linalg_has_type(a->dtype) && mr_type_is_static(a) && mr_type_is_static(b);
}

bool mr_choose_wants_fft(const mr_op *op) {
  mr_fft_desc fft;
  return mr_choose_fft_of(op, &fft);
}

mr_status mr_choose_make_fft(const mr_op *op, mr_library_call **out_call) {
  mr_fft_desc fft;
  return mr_choose_fft_of(op, &fft) ? mr_fft_create(&fft, out_call) : mr_error(MR_INTERNAL, "no call for this fft");
}

bool mr_choose_wants_cholesky(const mr_op *op) {
  mr_cholesky_desc cholesky;
  return cholesky_desc(op, &cholesky);
}

mr_status mr_choose_make_cholesky(const mr_op *op, mr_library_call **out_call) {
  mr_cholesky_desc cholesky;
  return cholesky_desc(op, &cholesky) ? mr_cholesky_create(&cholesky, out_call)
                                      : mr_error(MR_INTERNAL, "no call for this cholesky");
}

bool mr_choose_wants_triangular_solve(const mr_op *op) {
  mr_solve_desc solve;
  return solve_desc(op, &solve);
}

mr_status mr_choose_make_triangular_solve(const mr_op *op, mr_library_call **out_call) {
  mr_solve_desc solve;
  return solve_desc(op, &solve) ? mr_solve_create(&solve, out_call)
                                : mr_error(MR_INTERNAL, "no call for this triangular_solve");
}
