// Batch normalisation into arithmetic and reductions.
#include "compiler/passes/decompose.h"

typedef struct norm {
  mr_builder b;
  const mr_type *type;  // of the operand
  int64_t feature;
  double count;  // elements per feature
} norm;

static mr_value *along(norm *n, mr_value *vector) { return mr_build_along(&n->b, vector, n->type, n->feature); }

static mr_value *sum(norm *n, mr_value *x) {
  int64_t dims[MR_MAX_RANK];
  size_t count = 0;
  for (int64_t d = 0; d < n->type->rank; d++) {
    if (d != n->feature) {
      dims[count++] = d;
    }
  }
  mr_type scalar = mr_type_scalar(n->type->dtype);
  return mr_build_reduce(&n->b, MR_OP_add, x, mr_build_splat(&n->b, &scalar, 0), (mr_ints){dims, count});
}

static mr_value *mean(norm *n, mr_value *x) {
  mr_value *total = sum(n, x);
  return total ? mr_build_binary(&n->b, MR_OP_divide, total, mr_build_splat(&n->b, &total->type, n->count)) : NULL;
}

// variance + epsilon, per feature
static mr_value *shifted(norm *n, mr_value *variance, double epsilon) {
  return variance ? mr_build_binary(&n->b, MR_OP_add, variance, mr_build_splat(&n->b, &variance->type, epsilon)) : NULL;
}

static mr_value *multiply(norm *n, mr_value *x, mr_value *y) { return mr_build_binary(&n->b, MR_OP_multiply, x, y); }

static mr_value *subtract(norm *n, mr_value *x, mr_value *y) { return mr_build_binary(&n->b, MR_OP_subtract, x, y); }

static mr_value *divide(norm *n, mr_value *x, mr_value *y) { return mr_build_binary(&n->b, MR_OP_divide, x, y); }

static mr_value *normalise(norm *n, mr_value *x, mr_value *centre, mr_value *variance, double epsilon, mr_value *scale,
                           mr_value *offset) {
  mr_value *deviation = mr_build_unary(&n->b, MR_OP_sqrt, shifted(n, variance, epsilon));
  mr_value *normal = divide(n, subtract(n, x, along(n, centre)), along(n, deviation));
  return mr_build_binary(&n->b, MR_OP_add, multiply(n, normal, along(n, scale)), along(n, offset));
}

static void grad(norm *n, const mr_op *op, double epsilon, mr_value **out) {
  mr_value *x = mr_op_operand(op, 0), *scale = mr_op_operand(op, 1), *centre = mr_op_operand(op, 2);
  mr_value *dy = mr_op_operand(op, 4);
  mr_value *variance = shifted(n, mr_op_operand(op, 3), epsilon);
  mr_value *deviation = mr_build_unary(&n->b, MR_OP_sqrt, variance);
  mr_value *centred = subtract(n, x, along(n, centre));
  mr_value *count = mr_build_splat(&n->b, n->type, n->count);
  mr_value *total = sum(n, dy), *projection = sum(n, multiply(n, dy, centred));
  mr_value *slope = divide(n, multiply(n, along(n, projection), centred), along(n, variance));
  mr_value *rest = subtract(n, subtract(n, multiply(n, dy, count), along(n, total)), slope);
  mr_value *factor = divide(n, divide(n, along(n, scale), along(n, deviation)), count);
  out[0] = multiply(n, factor, rest);
  out[1] = sum(n, multiply(n, dy, divide(n, centred, along(n, deviation))));
  out[2] = total;
}

// Small floats: in f32, and rounded once.
static mr_status in_f32(mr_op *op, bool *out_changed) {
  mr_builder b = mr_builder_before(op);
  mr_value *operands[5] = {NULL}, *results[3] = {NULL};
  mr_type types[3];
  for (uint32_t i = 0; i < op->num_operands; i++) {
    operands[i] = mr_build_convert(&b, mr_op_operand(op, i), MR_F32);
    if (!operands[i]) {
      return mr_module_memory(b.module);
    }
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    types[i] = mr_type_with_dtype(&op->results[i].type, MR_F32);
  }
  mr_op *wide = mr_build(&b, op->kind, op->num_operands, operands, op->num_results, types, 0);
  if (!wide) {
    return mr_module_memory(b.module);
  }
  mr_op_copy_attrs(b.module, wide, op);
  for (uint32_t i = 0; i < op->num_results; i++) {
    results[i] = mr_build_convert(&b, &wide->results[i], op->results[i].type.dtype);
  }
  *out_changed = mr_replace_all(op, results);
  return mr_module_memory(b.module);
}

mr_status mr_decompose_batch_norm(mr_op *op, bool *out_changed) {
  mr_module *module = mr_op_module(op);
  mr_value *x = mr_op_operand(op, 0);
  if (!mr_type_is_static(&x->type)) {
    return mr_unimplemented(op, "of a dynamic shape");
  }
  if (mr_dtype_is_float(x->type.dtype) && mr_dtype_bits(x->type.dtype) < 32) {
    return in_f32(op, out_changed);
  }
  norm n = {.b = mr_builder_before(op), .type = &x->type, .feature = mr_op_int(op, MR_ATTR_feature_index, 0)};
  int64_t features = x->type.dims[n.feature];
  int64_t each = features ? mr_type_count(&x->type) / features : 0;
  n.count = (double)each;
  const mr_attr *attr = mr_op_attr(op, MR_ATTR_epsilon);
  double epsilon = attr && attr->kind == MR_ATTR_FLOAT ? attr->number : 0;
  mr_value *out[3] = {NULL};
  if (op->kind == MR_OP_batch_norm_inference) {
    out[0] = normalise(&n, x, mr_op_operand(op, 3), mr_op_operand(op, 4), epsilon, mr_op_operand(op, 1),
                       mr_op_operand(op, 2));
  } else if (op->kind == MR_OP_batch_norm_training) {
    out[1] = mean(&n, x);
    mr_value *centred = subtract(&n, x, along(&n, out[1]));
    out[2] = mean(&n, multiply(&n, centred, centred));
    out[0] = normalise(&n, x, out[1], out[2], epsilon, mr_op_operand(op, 1), mr_op_operand(op, 2));
  } else {
    grad(&n, op, epsilon, out);
  }
  *out_changed = mr_replace_all(op, out);
  return mr_module_memory(module);
}
