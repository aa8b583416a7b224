// Rules of collectives and of custom calls that are known by name.
#include "compiler/shard/rule_build.h"

// Operand i and result i are alike, each pair by itself.
void mr_factors_each(mr_rule_builder *b) {
  for (uint32_t i = 0; i < MR_MIN(b->op->num_operands, b->op->num_results); i++) {
    const mr_type *in = mr_factors_in(b, i), *out = mr_factors_out(b, i);
    for (uint32_t d = 0; in->rank == out->rank && d < in->rank; d++) {
      uint32_t factor = mr_factors_add(b, MR_FACTOR_PASS, in->dims[d]);
      mr_factors_operand(b, i, d, factor);
      mr_factors_result(b, i, d, factor);
    }
  }
}

// As above but for two dims (which may be one) whose parts change places.
static void exchange(mr_rule_builder *b, int64_t first, int64_t second) {
  for (uint32_t i = 0; i < MR_MIN(b->op->num_operands, b->op->num_results); i++) {
    const mr_type *in = mr_factors_in(b, i), *out = mr_factors_out(b, i);
    for (uint32_t d = 0; d < in->rank; d++) {
      bool own = d == first || d == second;
      uint32_t factor = mr_factors_add(b, own ? MR_FACTOR_NEED_REPLICATION : MR_FACTOR_PASS, in->dims[d]);
      mr_factors_operand(b, i, d, factor);
      mr_factors_result(b, i, d, own ? mr_factors_add(b, MR_FACTOR_NEED_REPLICATION, out->dims[d]) : factor);
    }
  }
}

void mr_factors_all_gather(mr_rule_builder *b) {
  int64_t dim = mr_op_int(b->op, MR_ATTR_all_gather_dim, 0);
  exchange(b, dim, dim);
}

void mr_factors_reduce_scatter(mr_rule_builder *b) {
  int64_t dim = mr_op_int(b->op, MR_ATTR_scatter_dimension, 0);
  exchange(b, dim, dim);
}

void mr_factors_all_to_all(mr_rule_builder *b) {
  exchange(b, mr_op_int(b->op, MR_ATTR_split_dimension, 0), mr_op_int(b->op, MR_ATTR_concat_dimension, 0));
}

// Operands and results of one rank; where sizes differ the ends have nothing to do with each other.
static void best_of(mr_rule_builder *b) {
  const mr_type *in = mr_factors_in(b, 0), *out = mr_factors_out(b, 0);
  for (uint32_t d = 0; d < in->rank && in->rank == out->rank; d++) {
    bool same = in->dims[d] == out->dims[d];
    uint32_t factor = mr_factors_add(b, MR_FACTOR_PASS, in->dims[d]);
    for (uint32_t i = 0; i < b->op->num_operands; i++) {
      mr_factors_operand(b, i, mr_factors_in(b, i)->rank == in->rank ? (int64_t)d : MR_NO_DIM, factor);
    }
    if (!same) {
      factor = mr_factors_add(b, MR_FACTOR_NEED_REPLICATION, out->dims[d]);
      mr_factors_block(b, factor);
    }
    for (uint32_t i = 0; i < b->op->num_results; i++) {
      mr_factors_result(b, i, d, factor);
    }
  }
}

static bool is_one_of(mr_str name, size_t count, const char *const *names) {
  for (size_t i = 0; i < count; i++) {
    if (mr_str_is(name, names[i])) {
      return true;
    }
  }
  return false;
}

void mr_factors_custom_call(mr_rule_builder *b) {
  static const char *const alike[] = {"annotate_device_placement",
                                      "MoveToHost",
                                      "MoveToDevice",
                                      "InspectSharding",
                                      "LayoutConstraint",
                                      "mhlo.erf",
                                      "X64SplitHigh",
                                      "X64SplitLow",
                                      "Cholesky",
                                      "xla.sdy.CompactWyHelper"};
  static const char *const tops[] = {"mhlo.topk", "TopK"};
  static const char *const approximate[] = {"ApproxTopK", "PartialReduce"};
  mr_str name = mr_op_string(b->op, MR_ATTR_call_target_name);
  bool ends = b->op->num_operands && b->op->num_results;
  if (ends && is_one_of(name, MR_ARRAY_SIZE(alike), alike)) {
    mr_factors_each(b);
  } else if (ends && is_one_of(name, MR_ARRAY_SIZE(tops), tops)) {
    mr_factors_top_k(b);
  } else if (ends && is_one_of(name, MR_ARRAY_SIZE(approximate), approximate)) {
    best_of(b);
  } else {
    b->none = true;
  }
}
