// What one element of an op costs.
#include "compiler/ir/cost.h"

static bool is_complex(const mr_op *op) { return mr_dtype_is_complex(op->results[0].type.dtype); }

double mr_op_cost(const mr_op *op) {
  switch (op->kind) {
  case MR_OP_divide:
  case MR_OP_sqrt:
  case MR_OP_rsqrt: return is_complex(op) ? 20 : 3;
  case MR_OP_cbrt:
  case MR_OP_cosine:
  case MR_OP_exponential:
  case MR_OP_exponential_minus_one:
  case MR_OP_log:
  case MR_OP_log_plus_one:
  case MR_OP_logistic:
  case MR_OP_sine:
  case MR_OP_tan:
  case MR_OP_tanh:
  case MR_OP_erf:
  case MR_OP_erfc:
  case MR_OP_atan2:
  case MR_OP_power:
  case MR_OP_remainder: return MR_FUNCTION_COST;
  case MR_OP_acos:
  case MR_OP_acosh:
  case MR_OP_asin:
  case MR_OP_asinh:
  case MR_OP_atan:
  case MR_OP_atanh:
  case MR_OP_bessel_i1e:
  case MR_OP_cosh:
  case MR_OP_digamma:
  case MR_OP_erf_inv:
  case MR_OP_lgamma:
  case MR_OP_sinh:
  case MR_OP_next_after:
  case MR_OP_polygamma:
  case MR_OP_zeta: return 40;
  case MR_OP_gather: return 3;
  case MR_OP_reshape:
  case MR_OP_broadcast_in_dim:
  case MR_OP_broadcast:
  case MR_OP_real:
  case MR_OP_imag:
  case MR_OP_complex:
  case MR_OP_constant:
  case MR_OP_iota: return 0;
  case MR_OP_map: return MR_FUNCTION_COST;
  default: return mr_op_kind_is_elementwise(op->kind) ? 1 : 0.5;
  }
}
