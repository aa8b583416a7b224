// Rules of elementwise ops and of those that move elements.
#include "compiler/shard/rule_build.h"

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// All operands but scalars (of select and clamp) have the result's dims.
void mr_factors_elementwise(mr_rule_builder *b) {
  const mr_type *out = mr_factors_out(b, 0);
  for (uint32_t d = 0; d < out->rank; d++) {
    uint32_t factor = mr_factors_add(b, MR_FACTOR_PASS, out->dims[d]);
    for (uint32_t i = 0; i < b->op->num_operands; i++) {
      mr_factors_operand(b, i, mr_factors_in(b, i)->rank == out->rank ? (int64_t)d : MR_NO_DIM, factor);
    }
    mr_factors_result(b, 0, d, factor);
  }
}

void mr_factors_transpose(mr_rule_builder *b) {
  mr_ints permutation = mr_op_ints(b->op, MR_ATTR_permutation);
  for (uint32_t d = 0; d < permutation.size; d++) {
    mr_factors_pair(b, MR_FACTOR_PASS, permutation.data[d], d);
  }
}

void mr_factors_reverse(mr_rule_builder *b) {
  mr_ints dims = mr_op_ints(b->op, MR_ATTR_dimensions);
  for (uint32_t d = 0; d < mr_factors_out(b, 0)->rank; d++) {
    mr_factors_pair(b, mr_ints_has(dims, d) ? MR_FACTOR_PERMUTATION : MR_FACTOR_PASS, d, d);
  }
}

// New dims come in front.
void mr_factors_broadcast(mr_rule_builder *b) {
  uint32_t rank = mr_factors_in(b, 0)->rank, added = mr_factors_out(b, 0)->rank - rank;
  for (uint32_t d = 0; d < rank; d++) {
    mr_factors_pair(b, MR_FACTOR_PASS, d, added + d);
  }
}

// A dim of size 1 that becomes larger is another on either side.
void mr_factors_broadcast_in_dim(mr_rule_builder *b) {
  const mr_type *in = mr_factors_in(b, 0), *out = mr_factors_out(b, 0);
  mr_ints dims = mr_op_ints(b->op, MR_ATTR_broadcast_dimensions);
  for (uint32_t d = 0; d < dims.size; d++) {
    if (in->dims[d] == out->dims[dims.data[d]]) {
      mr_factors_pair(b, MR_FACTOR_PASS, d, dims.data[d]);
    }
  }
}

// One side of a reshape: the dim it is at, what is left of its size, and the product of the factors that it has given.
typedef struct side {
  const mr_type *type;
  bool is_result;
  uint32_t dim;
  int64_t left, product;
} side;

static void give(mr_rule_builder *b, side *to, uint32_t factor, int64_t size) {
  if (to->is_result) {
    mr_factors_result(b, 0, to->dim, factor);
  } else {
    mr_factors_operand(b, 0, to->dim, factor);
  }
  to->left /= size;
  to->product *= size;
}

static void give_own(mr_rule_builder *b, side *to, int64_t size) {
  give(b, to, mr_factors_add(b, MR_FACTOR_PASS, size), size);
}

// Goes on to a dim that is not full; those of size 1 get a factor of their own. False behind the last one.
static bool advance(mr_rule_builder *b, side *at) {
  while (at->dim < at->type->rank && at->left == 1) {
    if (at->type->dims[at->dim] == 1) {
      give_own(b, at, 1);
    }
    at->dim++;
    at->left = at->dim < at->type->rank ? at->type->dims[at->dim] : 1;
  }
  return at->dim < at->type->rank;
}

// What both sides have in common when they have come equally far is a common factor; who is behind catches up by a factor of
// its own.
void mr_factors_reshape(mr_rule_builder *b) {
  side in = {.type = mr_factors_in(b, 0), .product = 1},
       out = {.type = mr_factors_out(b, 0), .is_result = true, .product = 1};
  if (mr_type_count(in.type) == 0) {
    b->none = true;
    return;
  }
  in.left = in.type->rank ? in.type->dims[0] : 1;
  out.left = out.type->rank ? out.type->dims[0] : 1;
  for (;;) {
    bool more_in = advance(b, &in), more_out = advance(b, &out);
    if (b->failed || (!more_in && !more_out)) {
      return;
    }
    int64_t common = common_divisor(in.left, out.left);
    if (in.product != out.product) {
      side *behind = in.product < out.product ? &in : &out;
      int64_t larger = MR_MAX(in.product, out.product), ratio = larger / behind->product;
      bool fits = larger % behind->product == 0 && behind->left % ratio == 0;
      int64_t rest = behind->left / common;
      give_own(b, behind, fits ? ratio : rest > 1 ? rest : behind->left);
    } else if (common > 1) {
      uint32_t factor = mr_factors_add(b, MR_FACTOR_PASS, common);
      give(b, &in, factor, common);
      give(b, &out, factor, common);
    } else {
      give_own(b, &in, in.left);
      give_own(b, &out, out.left);
    }
  }
}

// Of different widths: the wider side lacks the last dim.
void mr_factors_bitcast_convert(mr_rule_builder *b) {
  const mr_type *in = mr_factors_in(b, 0), *out = mr_factors_out(b, 0);
  for (uint32_t d = 0; d < MR_MIN(in->rank, out->rank); d++) {
    mr_factors_pair(b, MR_FACTOR_PASS, d, d);
  }
  if (in->rank > out->rank) {
    mr_factors_pair(b, MR_FACTOR_NEED_REPLICATION, out->rank, MR_NO_DIM);
  } else if (out->rank > in->rank) {
    mr_factors_pair(b, MR_FACTOR_NEED_REPLICATION, MR_NO_DIM, in->rank);
  }
}

// What a value is a slice of; itself when it is none.
static const mr_value *sliced(const mr_value *value, bool *out_is_slice) {
  *out_is_slice = value->def && value->def->kind == MR_OP_slice;
  return *out_is_slice ? mr_op_operand(value->def, 0) : value;
}

// Pieces that are slices, or x and slices of x, are put together by shifting.
static bool joins_slices(const mr_op *op) {
  bool all_slices = true, one_source = true, is_slice;
  const mr_value *first = sliced(mr_op_operand(op, 0), &is_slice);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    one_source &= sliced(mr_op_operand(op, i), &is_slice) == first;
    all_slices &= is_slice;
  }
  return all_slices || one_source;
}

void mr_factors_concatenate(mr_rule_builder *b) {
  int64_t dim = mr_op_int(b->op, MR_ATTR_dimension, 0);
  const mr_type *out = mr_factors_out(b, 0);
  for (uint32_t d = 0; d < out->rank; d++) {
    mr_factor_kind kind = d != dim              ? MR_FACTOR_PASS
                          : joins_slices(b->op) ? MR_FACTOR_PERMUTATION
                                                : MR_FACTOR_NEED_REPLICATION;
    mr_factors_along(b, kind, d, b->op->num_operands, out->dims[d]);
  }
}

// Dims that keep their size pass, the others are of this kind.
static void where_sizes_match(mr_rule_builder *b, mr_factor_kind other, bool blocked) {
  const mr_type *in = mr_factors_in(b, 0), *out = mr_factors_out(b, 0);
  for (uint32_t d = 0; d < in->rank; d++) {
    bool same = in->dims[d] == out->dims[d];
    uint32_t factor = mr_factors_pair(b, same ? MR_FACTOR_PASS : other, d, d);
    if (blocked && !same) {
      mr_factors_block(b, factor);
    }
  }
}

void mr_factors_slice(mr_rule_builder *b) { where_sizes_match(b, MR_FACTOR_PERMUTATION, false); }

// A dim that keeps its size may still be shifted.
void mr_factors_pad(mr_rule_builder *b) {
  mr_ints low = mr_op_ints(b->op, MR_ATTR_edge_padding_low), high = mr_op_ints(b->op, MR_ATTR_edge_padding_high);
  mr_ints interior = mr_op_ints(b->op, MR_ATTR_interior_padding);
  for (uint32_t d = 0; d < mr_factors_in(b, 0)->rank; d++) {
    bool same = low.data[d] == 0 && high.data[d] == 0 && interior.data[d] == 0;
    mr_factors_pair(b, same ? MR_FACTOR_PASS : MR_FACTOR_PERMUTATION, d, d);
  }
}

void mr_factors_dynamic_slice(mr_rule_builder *b) { where_sizes_match(b, MR_FACTOR_NEED_REPLICATION, true); }

// Operand, update, indices.
void mr_factors_dynamic_update_slice(mr_rule_builder *b) {
  const mr_type *in = mr_factors_in(b, 0), *update = mr_factors_in(b, 1);
  bool constant = true;
  for (uint32_t i = 2; i < b->op->num_operands; i++) {
    constant &= mr_value_constant(mr_op_operand(b->op, i)) != NULL;
  }
  for (uint32_t d = 0; d < in->rank; d++) {
    uint32_t factor = mr_factors_pair(b, MR_FACTOR_PASS, d, d);
    if (update->dims[d] != in->dims[d]) {
      factor = mr_factors_add(b, constant ? MR_FACTOR_PASS : MR_FACTOR_NEED_REPLICATION, update->dims[d]);
    }
    mr_factors_operand(b, 1, d, factor);
  }
}
