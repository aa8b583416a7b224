// ops: the table of operations, shared by readers, shape rules, lowering and code generation.
//
// ops.def is data; every layer includes it and makes the column it needs.
#ifndef MR_OPS_OPS_H
#define MR_OPS_OPS_H

#include "core/core.h"

typedef enum mr_op_kind {
#define OP(name, ...) MR_OP_##name,
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

// How two are compared, and in which order, as StableHLO numbers it.
enum { MR_COMPARE_EQ, MR_COMPARE_NE, MR_COMPARE_GE, MR_COMPARE_GT, MR_COMPARE_LE, MR_COMPARE_LT };
enum { MR_COMPARE_NOTYPE, MR_COMPARE_FLOAT, MR_COMPARE_TOTALORDER, MR_COMPARE_SIGNED, MR_COMPARE_UNSIGNED };

typedef enum mr_op_regions { MR_REGIONS_NONE, MR_REGIONS_RULE, MR_REGIONS_ANY } mr_op_regions;

// Sets of classes of element types, 1 << mr_dtype_class.
typedef enum mr_op_types {
  MR_TYPES_INTS = 1 << MR_CLASS_SIGNED | 1 << MR_CLASS_UNSIGNED,
  MR_TYPES_BITS = 1 << MR_CLASS_BOOL | MR_TYPES_INTS,
  MR_TYPES_FLOATS = 1 << MR_CLASS_FLOAT,
  MR_TYPES_REALS = MR_TYPES_INTS | MR_TYPES_FLOATS,
  MR_TYPES_FIELDS = MR_TYPES_FLOATS | 1 << MR_CLASS_COMPLEX,
  MR_TYPES_NUMBERS = MR_TYPES_INTS | MR_TYPES_FIELDS,
  MR_TYPES_ANY = MR_TYPES_BITS | MR_TYPES_FIELDS,
} mr_op_types;

typedef enum mr_op_cost_class {
  MR_COST_FREE,
  MR_COST_MOVE,
  MR_COST_ONE,
  MR_COST_LOOKUP,
  MR_COST_DIVIDE,
  MR_COST_CALL,
  MR_COST_LONG,
} mr_op_cost_class;

typedef enum mr_op_effect { MR_EFFECT_PURE, MR_EFFECT_OWN, MR_EFFECT_ACTS, MR_EFFECT_ASKED } mr_op_effect;

typedef enum mr_op_fusion {
  MR_FUSION_NONE,
  MR_FUSION_CHEAP,
  MR_FUSION_HEAVY,
  MR_FUSION_ROOT,
  MR_FUSION_WINDOW,
  MR_FUSION_ASKED,
} mr_op_fusion;

// The columns of ops.def that are no function's name; there is what the words mean.
typedef struct mr_op_info {
  const char *name;       // "add"
  const char *spelling;   // "stablehlo.add"
  const char *code;       // the element function, "exp"; NULL: none
  int operands, results;  // -1: any number
  mr_op_class op_class;
  mr_op_regions regions;
  mr_op_types types;
  mr_op_cost_class cost;
  mr_op_effect effect;
  mr_op_fusion fusion;
} mr_op_info;
extern const mr_op_info mr_op_table[MR_OP_COUNT];

static inline bool mr_op_kind_is_elementwise(mr_op_kind kind) { return mr_op_table[kind].op_class <= MR_OPS_TERNARY; }
// An element takes many instructions: more than a division.
static inline bool mr_op_kind_is_slow(mr_op_kind kind) {
  return mr_op_kind_is_elementwise(kind) && mr_op_table[kind].cost >= MR_COST_CALL;
}
// By full spelling ("stablehlo.add"); MR_OP_COUNT when unknown.
mr_op_kind mr_op_kind_from_spelling(mr_str spelling);

#endif
