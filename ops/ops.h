// ops: the table of operations, shared by readers, shape rules, lowering and code generation.
//
// ops.def is data; every layer includes it and makes the column it needs.
#ifndef MR_OPS_OPS_H
#define MR_OPS_OPS_H

#include "core/core.h"

typedef enum mr_op_kind {
#define OP(name, spelling, operands, results, rule, class) MR_OP_##name,
#include "ops/ops.def"
  MR_OP_COUNT
} mr_op_kind;

typedef enum mr_op_class {
  MR_OPS_UNARY,
  MR_OPS_BINARY,
  MR_OPS_TERNARY,
  MR_OPS_MOVE,
  MR_OPS_REDUCTION,
  MR_OPS_CONTRACTION,
  MR_OPS_CONTROL,
  MR_OPS_COLLECTIVE,
  MR_OPS_OTHER,
} mr_op_class;

typedef struct mr_op_info {
  const char *name;       // "add"
  const char *spelling;   // "stablehlo.add"
  int operands, results;  // -1: any number
  mr_op_class op_class;
} mr_op_info;
extern const mr_op_info mr_op_table[MR_OP_COUNT];

static inline bool mr_op_kind_is_elementwise(mr_op_kind kind) { return mr_op_table[kind].op_class <= MR_OPS_TERNARY; }
// By full spelling ("stablehlo.add"); MR_OP_COUNT when unknown.
mr_op_kind mr_op_kind_from_spelling(mr_str spelling);

#endif
