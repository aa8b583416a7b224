// What ops are to fusion, and what they cost.
#include "compiler/choose/choose.h"
#include "compiler/fuse/fuse_internal.h"
#include "compiler/fuse/tuning.h"
#include "compiler/ir/cost.h"
#include "compiler/lower/lower.h"

static bool plain_types(const mr_op *op) {
  for (uint32_t i = 0; i < op->num_operands + op->num_results; i++) {
    const mr_type *t = i < op->num_operands ? &mr_op_operand(op, i)->type : &op->results[i - op->num_operands].type;
    if (t->kind != MR_TYPE_TENSOR || !mr_type_is_static(t) || t->quant) {
      return false;
    }
  }
  return true;
}

fuse_class mr_fuse_classify(const mr_op *op) {
  if (op->kind == MR_OP_constant) {
    char element[16];
    return mr_value_splat(&op->results[0], element) ? FUSE_CONSTANT : FUSE_BARRIER;
  }
  if (op->kind == MR_OP_fusion || !mr_lower_supports(op) || !plain_types(op) || op->num_results == 0) {
    return FUSE_BARRIER;
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (mr_type_count(&op->results[i].type) == 0) {
      return FUSE_BARRIER;
    }
  }
  switch (mr_op_table[op->kind].fusion) {
  case MR_FUSION_NONE: return FUSE_BARRIER;
  case MR_FUSION_CHEAP: return FUSE_CHEAP;
  case MR_FUSION_HEAVY: return FUSE_HEAVY;
  case MR_FUSION_ROOT: return FUSE_ROOT;
  case MR_FUSION_WINDOW: return mr_lower_is_scan(op) ? FUSE_ROOT : FUSE_HEAVY;
  case MR_FUSION_ASKED: return mr_choose_library_wants(op) ? FUSE_BARRIER : FUSE_HEAVY;
  }
  return FUSE_BARRIER;
}

static bool is_small_operand(const mr_value *value, const mr_type *result) {
  char element[16];
  if (mr_value_splat(value, element) || value->type.rank == 0) {
    return true;
  }
  const mr_op *def = value->def;
  bool broadcast = def && (def->kind == MR_OP_broadcast_in_dim || def->kind == MR_OP_iota);
  return broadcast || mr_type_count(&value->type) * MR_FUSE_SMALL_OPERAND <= mr_type_count(result);
}

// Computing it again costs no more than reading it back: one large operand at most, and a cheap operation.
bool mr_fuse_may_duplicate(const mr_op *op) {
  if (mr_op_cost(op) > MR_FUSE_DUPLICATE_COST) {
    return false;
  }
  const mr_type *result = &op->results[0].type;
  if (mr_type_count(result) == 1) {
    return true;
  }
  uint32_t large = 0;
  double bytes = 0;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_value *x = mr_op_operand(op, i);
    if (is_small_operand(x, result)) {
      continue;
    }
    large++;
    bytes += (double)mr_type_bytes(&x->type);
  }
  return large == 0 || (large == 1 && bytes <= (double)mr_type_bytes(result));
}

double mr_fuse_trips(const mr_op *op) {
  double trips = 1;
  const mr_type *x = &mr_op_operand(op, 0)->type;
  switch (op->kind) {
  case MR_OP_reduce: return (double)mr_type_count(x) / (double)mr_type_count(&op->results[0].type);
  case MR_OP_reduce_window:
  case MR_OP_select_and_scatter: {
    mr_ints window = mr_op_ints(op, MR_ATTR_window_dimensions);
    for (size_t i = 0; i < window.size; i++) {
      trips *= (double)window.data[i];
    }
    return trips;
  }
  case MR_OP_dot: return (double)x->dims[x->rank - 1];
  case MR_OP_dot_general: {
    mr_ints dims = mr_op_ints(op, MR_ATTR_lhs_contracting_dimensions);
    for (size_t i = 0; i < dims.size; i++) {
      trips *= (double)x->dims[dims.data[i]];
    }
    return trips;
  }
  case MR_OP_convolution: {
    const mr_type *kernel = &mr_op_operand(op, 1)->type;
    return (double)mr_type_count(kernel) /
           (double)kernel->dims[mr_op_int(op, MR_ATTR_kernel_output_feature_dimension, 0)];
  }
  default: return 1;
  }
}

bool mr_fuse_updates_constant(const mr_op *op) {
  char element[16];
  return op->kind == MR_OP_dynamic_update_slice && mr_value_splat(mr_op_operand(op, 0), element);
}

static bool acts(const mr_op *op) {
  mr_op_effect effect = mr_op_table[op->kind].effect;
  return effect == MR_EFFECT_ACTS || effect == MR_EFFECT_ASKED;
}

bool mr_fuse_has_effect(const mr_op *op) {
  if (acts(op)) {
    return true;
  }
  for (uint32_t r = 0; r < op->num_regions; r++) {
    for (mr_op *inner = mr_walk_first(op->regions[r]); inner; inner = mr_walk_next(inner, op->regions[r])) {
      if (inner->kind != MR_OP_return && acts(inner)) {
        return true;
      }
    }
  }
  return false;
}
