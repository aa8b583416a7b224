// The operation table as an array, and the way back from a spelling.
#include "ops/ops.h"

#include <string.h>

#define V (-1)
const mr_op_info mr_op_table[MR_OP_COUNT] = {
#define OP(name, spelling, operands, results, rule, class) \
  [MR_OP_##name] = {#name, spelling, operands, results, MR_OPS_##class},
#include "ops/ops.def"
};
#undef V

mr_op_kind mr_op_kind_from_spelling(mr_str spelling) {
  // About 150 names and a first-letter test on each: below a microsecond, and only readers ask.
  for (int kind = 0; kind < MR_OP_COUNT; kind++) {
    const char *name = mr_op_table[kind].spelling;
    if (strlen(name) == spelling.size && memcmp(name, spelling.data, spelling.size) == 0) {
      return (mr_op_kind)kind;
    }
  }
  return MR_OP_COUNT;
}
