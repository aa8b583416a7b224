// The operation table as an array, and the way back from a spelling.
#include "ops/ops.h"

#include <string.h>

#define V (-1)
// "exp" of exp, NULL of NONE.
#define NAME_NONE ~, NULL
#define SECOND(first, second, ...) second
#define NAME_OF(...) SECOND(__VA_ARGS__, ~)
const mr_op_info mr_op_table[MR_OP_COUNT] = {
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, element, root, fusion, library, ...)                                                   \
  [MR_OP_##name] = {#name,          spelling,           NAME_OF(NAME_##code, #code), operands,                      \
                    results,        MR_OPS_##class,     MR_REGIONS_##regions,        MR_TYPES_##types,              \
                    MR_COST_##cost, MR_EFFECT_##effect, MR_FUSION_##fusion},
#include "ops/ops.def"
};
#undef V
#undef NAME_NONE
#undef SECOND
#undef NAME_OF

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
