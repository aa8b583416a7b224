// Descriptors of Fourier transforms, factorisations and solvers from their ops.
#include "compiler/plan/linalg.h"

#include "ops/library/fft.h"

static int64_t product(const int64_t *dims, size_t count) {
  int64_t result = 1;
  for (size_t i = 0; i < count; i++) {
    result *= dims[i];
  }
  return result;
}

static bool fft_desc(const mr_op *op, mr_fft_desc *out) {
  const mr_type *x = &mr_op_operand(op, 0)->type;
  mr_ints length = mr_op_ints(op, MR_ATTR_fft_length);
  if (length.size < 1 || length.size > MR_FFT_RANK) {
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

bool mr_plan_linalg_wants(const mr_op *op) {
  mr_fft_desc fft;
  switch (op->kind) {
  case MR_OP_fft:
    return fft_desc(op, &fft);
  default:
    return false;
  }
}

mr_status mr_plan_linalg_call_for(const mr_op *op, mr_library_call **out_call) {
  mr_fft_desc fft;
  *out_call = NULL;
  if (op->kind == MR_OP_fft && fft_desc(op, &fft)) {
    return mr_fft_create(&fft, out_call);
  }
  return mr_error(MR_INTERNAL, "no library call for %.*s", MR_STR_ARG(op->name));
}

mr_status mr_plan_linalg_custom_call(const mr_op *op, mr_library_call **out_call) {
  (void)op;
  *out_call = NULL;
  return MR_OK;
}
