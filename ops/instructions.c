// The columns of instructions.def that are for all, and that no row is missing there.
#include "ops/instructions.h"

#include <assert.h>

mr_op_outcome mr_op_outcome_of(mr_op_kind kind) {
  static const uint8_t outcomes[MR_OP_COUNT] = {
#define FLOAT(op, outcome, llvm, clc) [MR_OP_##op] = MR_OUTCOME_##outcome,
#include "ops/instructions.def"
  };
  return (mr_op_outcome)outcomes[kind];
}

// Formats whose top bit is a sign and where flipping it is always negation.
static bool has_plain_sign(mr_dtype dtype) {
  return dtype != MR_F8E8M0FNU && dtype != MR_F8E4M3B11FNUZ && dtype != MR_F8E5M2FNUZ && dtype != MR_F8E4M3FNUZ;
}

bool mr_op_is_exact(mr_op_kind kind, mr_dtype dtype) {
  switch (mr_op_outcome_of(kind)) {
  case MR_OUTCOME_ROUNDED:
  case MR_OUTCOME_ARITHMETIC: return false;
  case MR_OUTCOME_PICKED:
  case MR_OUTCOME_KEEPS: return true;
  case MR_OUTCOME_FLIPS:
  case MR_OUTCOME_CLEARS: return has_plain_sign(dtype);
  }
  return false;
}

mr_op_outcome mr_op_outcome_on_bits(mr_op_kind kind, mr_dtype dtype) {
  mr_op_outcome outcome = mr_op_outcome_of(kind);
  if (outcome == MR_OUTCOME_CLEARS && dtype == MR_F8E8M0FNU) {
    return MR_OUTCOME_KEEPS;  // it has no sign
  }
  bool is_sign = outcome == MR_OUTCOME_FLIPS || outcome == MR_OUTCOME_CLEARS;
  return is_sign && !has_plain_sign(dtype) ? MR_OUTCOME_ROUNDED : outcome;
}

mr_op_kind mr_op_on_pred(mr_op_kind kind) {
  static const struct {
    bool differs;
    uint16_t as;
  } logic[MR_OP_COUNT] = {
#define LOGIC(op, as) [MR_OP_##op] = {true, MR_OP_##as},
#include "ops/instructions.def"
  };
  return logic[kind].differs ? (mr_op_kind)logic[kind].as : kind;
}

bool mr_op_is_join(mr_op_kind kind) {
  static const bool joins[MR_OP_COUNT] = {
#define JOIN(op, fold, on, neutral, clc) [MR_OP_##op] = true,
#include "ops/instructions.def"
  };
  return joins[kind];
}

const bool mr_op_tests[MR_OP_COUNT] = {
    [MR_OP_compare] = true,
#define FLOAT_TEST(op, llvm, clc) [MR_OP_##op] = true,
#include "ops/instructions.def"
};

// ---- No row is missing ------------------------------------------------------------------------------------------------

// HAS_<kind of number>_<op> for each row. Where a row is missing that ops.def asks for, the name is not there.
enum {
#define WHOLE(op, function) \
  HAS_FLOAT_##op = 1, HAS_SIGNED_##op = 1, HAS_UNSIGNED_##op = 1, HAS_PRED_##op = 1, HAS_COMPLEX_##op = 1,
#define FLOAT_WHOLE(op, function) HAS_FLOAT_##op = 1,
#define FLOAT_TEST(op, llvm, clc) HAS_FLOAT_##op = 1,
#define FLOAT(op, outcome, llvm, clc) HAS_FLOAT_##op = 1,
#define SIGNED(op, llvm, clc) HAS_SIGNED_##op = 1,
#define UNSIGNED(op, llvm, clc) HAS_UNSIGNED_##op = 1,
#define PRED(op, llvm, clc) HAS_PRED_##op = 1,
#define LOGIC(op, as) HAS_PRED_##op = HAS_PRED_##as,
#define COMPLEX(op, parts) HAS_COMPLEX_##op = 1,
#include "ops/instructions.def"
  HAS_FLOAT_complex = 1,  // lowering makes a pair of it, so that no kernel sees it
  HAS_COMPLEX_complex = 1,
  HAS_COMPLEX_conj = 1,  // these have elements of their own
  HAS_COMPLEX_imag = 1,
  HAS_COMPLEX_real = 1,
};

// NEED_IF(is, ..) asks for a row where `is` comes to 1: of a cell NONE in the column `code`, of a cell IN_KERNEL in the column `complex`.
#define BY_ROWS_NONE ~, 1
#define PARTS_IN_KERNEL ~, 1
#define SECOND(first, second, ...) second
#define IS(...) SECOND(__VA_ARGS__, ~)
#define NEED_IF(is, kind, name) NEED_IF_(is, kind, name)
#define NEED_IF_(is, kind, name) NEED_IF_##is(kind, name)
#define NEED_IF_0(kind, name)
#define NEED_IF_1(kind, name) NEED(kind, name)
#define NEED(kind, name) static_assert(HAS_##kind##_##name, "a row of instructions.def");

// By the column `types`.
#define NEED_FLOATS(name, by_rows) NEED_IF(by_rows, FLOAT, name)
#define NEED_FIELDS(name, by_rows) NEED_FLOATS(name, by_rows)
#define NEED_INTS(name, by_rows) NEED(SIGNED, name) NEED(UNSIGNED, name)
#define NEED_BITS(name, by_rows) NEED_INTS(name, by_rows) NEED(PRED, name)
#define NEED_REALS(name, by_rows) NEED_INTS(name, by_rows) NEED_FLOATS(name, by_rows)
#define NEED_NUMBERS(name, by_rows) NEED_REALS(name, by_rows)
#define NEED_ANY(name, by_rows) NEED_REALS(name, by_rows) NEED(PRED, name)

#define FUNCTION(...)
#define ELEMENTWISE(dialect, name, class, rule, types, cost, code, hlo, fold, simplify, rewrite, complex, ...) \
  NEED_##types(name, IS(BY_ROWS_##code, 0)) NEED_IF(IS(PARTS_##complex, 0), COMPLEX, name)
#define OP(...)
#include "ops/ops.def"
