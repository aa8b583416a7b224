// What one element of an op costs.
#include "compiler/ir/cost.h"

double mr_op_cost(const mr_op *op) {
  bool is_complex = op->num_results && mr_dtype_is_complex(op->results[0].type.dtype);
  switch (mr_op_table[op->kind].cost) {
  case MR_COST_FREE: return 0;
  case MR_COST_MOVE: return 0.5;
  case MR_COST_ONE: return 1;
  case MR_COST_LOOKUP: return 3;
  case MR_COST_DIVIDE: return is_complex ? 20 : 3;
  case MR_COST_CALL: return MR_FUNCTION_COST;
  case MR_COST_LONG: return 40;
  }
  return 0;
}
