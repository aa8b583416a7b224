// Quantised types out of the program. A quantised element is its storage integer: value = (stored - zero point) * scale.
// Ops that compute are done on the values (dequantise, compute, quantise: the specification's rule); ops that only move
// elements work on what is stored. Afterwards no type in the module is quantised.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

// ---- One number per tensor, or one per place along an axis ---------------------------------------------------------

static mr_dtype wide_storage(mr_dtype storage) { return mr_dtype_bits(storage) <= 16 ? MR_S32 : storage; }

// `shape` gives the dims; `dtype` the element type of the answer.
static mr_value *zero_points(mr_builder *b, const mr_quant *quant, const mr_type *shape, mr_dtype dtype) {
  mr_type type = mr_type_with_dtype(shape, dtype);
  if (quant->axis < 0) {
    return mr_build_splat_int(b, &type, quant->zero_points[0]);
  }
  int64_t count = (int64_t)quant->count;
  mr_type list = mr_type_tensor(b->module, MR_S64, 1, &count);
  mr_dense dense = mr_dense_make(b->module, &list, quant->zero_points);
  mr_value *along = mr_build_convert(b, mr_build_constant(b, &dense), dtype);
  return along ? mr_build_along(b, along, &type, quant->axis) : NULL;
}

static mr_value *scales(mr_builder *b, const mr_quant *quant, const mr_type *shape) {
  mr_type type = mr_type_with_dtype(shape, quant->expressed);
  if (quant->axis < 0) {
    return mr_build_splat(b, &type, quant->scales[0]);
  }
  int64_t count = (int64_t)quant->count;
  mr_type list = mr_type_tensor(b->module, MR_F64, 1, &count);
  mr_dense dense = mr_dense_make(b->module, &list, quant->scales);
  mr_value *along = mr_build_convert(b, mr_build_constant(b, &dense), quant->expressed);
  return along ? mr_build_along(b, along, &type, quant->axis) : NULL;
}

// ---- Values from what is stored, and back --------------------------------------------------------------------------

// The stored integers, seen as such.
static mr_value *stored(mr_builder *b, mr_value *x) {
  mr_type plain = x->type;
  plain.quant = NULL;
  return mr_build_bitcast(b, x, &plain);
}

static mr_value *dequantised(mr_builder *b, mr_value *x) {
  const mr_quant *quant = x->type.quant;
  if (!quant) {
    return x;
  }
  // Wide enough that the subtraction does not wrap.
  mr_dtype wide = wide_storage(x->type.dtype);
  mr_value *integer = stored(b, x);
  integer = integer ? mr_build_convert(b, integer, wide) : NULL;
  mr_value *moved = mr_build_binary(b, MR_OP_subtract, integer, zero_points(b, quant, &x->type, wide));
  mr_value *number = moved ? mr_build_convert(b, moved, quant->expressed) : NULL;
  return mr_build_binary(b, MR_OP_multiply, number, scales(b, quant, &x->type));
}

static mr_value *quantised(mr_builder *b, mr_value *x, const mr_type *to) {
  const mr_quant *quant = to->quant;
  if (!quant || !x) {
    return x;
  }
  mr_type shape = *to, expressed;
  shape.quant = NULL;
  expressed = mr_type_with_dtype(&shape, quant->expressed);
  x = mr_build_convert(b, x, quant->expressed);
  mr_value *scaled = mr_build_binary(b, MR_OP_divide, x, scales(b, quant, &shape));
  mr_value *moved = mr_build_binary(b, MR_OP_add, scaled, zero_points(b, quant, &shape, quant->expressed));
  mr_value *low = mr_build_splat_int(b, &expressed, quant->storage_min);
  mr_value *high = mr_build_splat_int(b, &expressed, quant->storage_max);
  mr_value *bounded = mr_build_binary(b, MR_OP_minimum, mr_build_binary(b, MR_OP_maximum, moved, low), high);
  mr_value *integer = mr_build_unary(b, MR_OP_round_nearest_even, bounded);
  integer = integer ? mr_build_convert(b, integer, to->dtype) : NULL;
  return mr_build_bitcast(b, integer, to);
}

// ---- Ops -----------------------------------------------------------------------------------------------------------

static bool is_quantised(const mr_value *value) { return value->type.kind == MR_TYPE_TENSOR && value->type.quant; }

static bool touches_quantised(const mr_op *op) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (is_quantised(op->operands[i].value)) {
      return true;
    }
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (is_quantised(&op->results[i])) {
      return true;
    }
  }
  return false;
}

// Computes with the numbers that the elements stand for; everything else only moves elements.
static bool computes(const mr_op *op) {
  switch (op->kind) {
  case MR_OP_select:  // moves when nothing is converted on the way
    return !mr_type_equal(&op->operands[1].value->type, &op->results[0].type) ||
           !mr_type_equal(&op->operands[2].value->type, &op->results[0].type);
  case MR_OP_concatenate: {
    bool same = true;
    for (uint32_t i = 0; i < op->num_operands; i++) {
      same = same && op->operands[i].value->type.quant && op->results[0].type.quant &&
             mr_quant_equal(op->operands[i].value->type.quant, op->results[0].type.quant);
    }
    return !same;
  }
  case MR_OP_iota:
  case MR_OP_batch_norm_grad:
  case MR_OP_batch_norm_inference:
  case MR_OP_batch_norm_training:
  case MR_OP_cholesky:
  case MR_OP_triangular_solve: return true;
  default: return mr_op_kind_is_elementwise(op->kind) || mr_op_table[op->kind].op_class == MR_OPS_CONTRACTION;
  }
}

static mr_status compute_on_values(mr_op *op, bool *out_changed) {
  mr_module *module = mr_op_module(op);
  mr_builder b = mr_builder_before(op);
  mr_value **operands = mr_arena_array(&module->arena, mr_value *, op->num_operands + 1);
  mr_value **results = mr_arena_array(&module->arena, mr_value *, op->num_results + 1);
  mr_type *types = mr_arena_array(&module->arena, mr_type, op->num_results + 1);
  if (!operands || !results || !types) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    operands[i] = dequantised(&b, mr_op_operand(op, i));
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    types[i] = op->results[i].type;
    if (types[i].quant) {
      types[i].dtype = types[i].quant->expressed;
      types[i].quant = NULL;
    }
  }
  MR_TRY(mr_module_memory(module));
  bool conversion = op->kind == MR_OP_uniform_quantize || op->kind == MR_OP_uniform_dequantize;
  mr_op *plain = NULL;
  if (!conversion) {
    plain = mr_build(&b, op->kind, op->num_operands, operands, op->num_results, types, 0);
    MR_TRY(mr_module_memory(module));
    mr_op_copy_attrs(module, plain, op);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    results[i] = quantised(&b, conversion ? operands[i] : &plain->results[i], &op->results[i].type);
  }
  MR_TRY(mr_module_memory(module));
  if (conversion && !op->results[0].type.quant) {
    results[0] = mr_build_convert(&b, results[0], op->results[0].type.dtype);
  }
  *out_changed = mr_replace_all(op, results);
  return mr_module_memory(module);
}

static mr_status rewrite(mr_op *op, bool *out_changed) {
  bool conversion = op->kind == MR_OP_uniform_quantize || op->kind == MR_OP_uniform_dequantize;
  if (op->kind == MR_OP_bitcast_convert || (!conversion && !touches_quantised(op)) || !computes(op)) {
    return MR_OK;
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_type *type = &op->operands[i].value->type;
    if (type->quant && !mr_type_is_static(type)) {
      return mr_unimplemented(op, "quantised tensors of unknown size");
    }
  }
  return compute_on_values(op, out_changed);
}

// ---- Types ---------------------------------------------------------------------------------------------------------

static void strip_type(mr_type *type) {
  if (type->kind == MR_TYPE_TENSOR) {
    type->quant = NULL;
  }
}

static void strip_block(mr_block *block) {
  for (uint32_t i = 0; i < block->num_args; i++) {
    strip_type(&block->args[i]->type);
  }
}

static void strip_op(mr_op *op) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    strip_type(&op->results[i].type);
  }
  for (uint32_t i = 0; i < op->num_attrs; i++) {
    if (op->attrs[i].kind == MR_ATTR_DENSE) {
      strip_type(&op->attrs[i].dense.type);
    }
  }
  for (uint32_t r = 0; r < op->num_regions; r++) {
    strip_block(op->regions[r]);
  }
}

mr_status mr_pass_quantize(mr_module *module) {
  static const mr_op_kind conversions[] = {MR_OP_uniform_quantize, MR_OP_uniform_dequantize};
  if (!(module->made_types & MR_MADE_QUANTISED)) {
    return mr_sweep_for(module, rewrite, conversions, MR_ARRAY_SIZE(conversions));
  }
  MR_TRY(mr_sweep(module, rewrite));
  mr_function *entry = mr_module_entry(module);
  strip_block(&entry->body);
  for (uint32_t i = 0; i < entry->num_results; i++) {
    strip_type(&entry->result_types[i]);
  }
  for (mr_op *op = mr_walk_first(&entry->body); op; op = mr_walk_next(op, &entry->body)) {
    strip_op(op);
  }
  return MR_OK;
}
