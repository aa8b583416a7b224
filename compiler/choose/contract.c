// Contractions and convolutions that go to the library: what it takes, and its descriptor from the op.
#include <string.h>

#include "compiler/choose/linalg.h"
#include "compiler/choose/tuning.h"
#include "compiler/ir/cost.h"
#include "compiler/ir/dot.h"

// ---- Dimensions as groups -----------------------------------------------------------------------------------------------

typedef struct group {
  int64_t size, stride;  // elements
} group;

static void element_strides(const mr_type *type, int64_t *out) {
  int64_t stride = 1;
  for (uint32_t i = type->rank; i-- > 0;) {
    out[i] = stride;
    stride *= type->dims[i];
  }
}

// One size and stride for dimensions walked in the given order; false when no single stride does it.
static bool join(const mr_type *type, const int64_t *strides, const int64_t *dims, size_t count, group *out) {
  *out = (group){1, 1};
  bool first = true;
  for (size_t i = count; i-- > 0;) {
    int64_t size = type->dims[dims[i]];
    if (size == 1) {
      continue;
    }
    if (!first && strides[dims[i]] != out->stride * out->size) {
      return false;
    }
    out->stride = first ? strides[dims[i]] : out->stride;
    out->size *= size;
    first = false;
  }
  return true;
}

typedef struct dot_side {
  mr_dot_side dims;
  group batch, free, contracted;
  bool joined;  // each kind of dimension is one group
} dot_side;

static dot_side read_side(const mr_op *op, uint32_t which) {
  dot_side side = {.dims = mr_dot_side_of(op, which)};
  const mr_dot_side *d = &side.dims;
  const mr_type *type = &d->x->type;
  int64_t strides[MR_MAX_RANK];
  element_strides(type, strides);
  side.joined = join(type, strides, d->dims + d->batch.first, d->batch.count, &side.batch) &&
                join(type, strides, d->dims + d->free.first, d->free.count, &side.free) &&
                join(type, strides, d->dims + d->contracted.first, d->contracted.count, &side.contracted);
  return side;
}

// Rows and columns of a matrix: one of them must be contiguous.
static bool has_unit_stride(const group *rows, const group *columns) {
  return rows->size == 1 || columns->size == 1 || rows->stride == 1 || columns->stride == 1;
}

bool mr_choose_matmul_of(const mr_op *op, mr_matmul_desc *out) {
  dot_side a = read_side(op, 0), b = read_side(op, 1);
  if (!a.joined || !b.joined || !has_unit_stride(&a.free, &a.contracted) || !has_unit_stride(&b.free, &b.contracted)) {
    return false;
  }
  int64_t m = a.free.size, n = b.free.size, k = a.contracted.size;
  const mr_module *module = op->block->function->module;
  *out = (mr_matmul_desc){.a = mr_op_operand(op, 0)->type.dtype,
                          .b = mr_op_operand(op, 1)->type.dtype,
                          .c = op->results[0].type.dtype,
                          .batch = a.batch.size,
                          .m = m,
                          .n = n,
                          .k = k,
                          .a_stride = {a.batch.stride, a.free.stride, a.contracted.stride},
                          .b_stride = {b.batch.stride, b.contracted.stride, b.free.stride},
                          .c_stride = {m * n, n, 1},
                          .in_rows = mr_module_replicas(module) * mr_module_partitions(module) > 1};
  return true;
}

// Whether the result goes, element by element, into a function, which is better computed on a whole vector.
static bool feeds_function(const mr_op *op) {
  const mr_value *value = &op->results[0];
  for (int i = 0; i < MR_CHOOSE_FUNCTION_STEPS && value->uses && mr_value_has_one_use(value); i++) {
    const mr_op *user = value->uses->user;
    if (!mr_op_kind_is_elementwise(user->kind) || user->num_results != 1) {
      return false;
    }
    if (mr_op_cost(user) >= MR_FUNCTION_COST) {
      return true;
    }
    value = &user->results[0];
  }
  return false;
}

// A matrix times a vector reads every element once: a generated loop does it as fast as memory gives them, and can be part of
// a kernel with what comes before and behind. The library's products of bytes are faster; and behind short rows a function
// in the same loop would be computed for one sum at a time.
static bool is_vector_product(const mr_op *op) {
  mr_dot_side a = mr_dot_side_of(op, 0), b = mr_dot_side_of(op, 1);
  return mr_dtype_is_float(op->results[0].type.dtype) && (a.free.elements == 1 || b.free.elements == 1) &&
         !(a.contracted.elements <= MR_CHOOSE_SHORT_ROW && feeds_function(op));
}

static bool is_large_dot(const mr_op *op) {
  mr_dot_side a = mr_dot_side_of(op, 0);
  double sum = (double)a.contracted.elements, multiplies = sum * (double)mr_type_count(&op->results[0].type);
  double entry = multiplies / (double)a.batch.elements;
  return multiplies >= MR_CHOOSE_DOT_MULTIPLIES && !is_vector_product(op) &&
         entry > (sum <= MR_CHOOSE_SHORT_SUM ? MR_CHOOSE_ENTRY_MULTIPLIES : MR_CHOOSE_ENTRY_LONG_MULTIPLIES);
}

// ---- Convolution --------------------------------------------------------------------------------------------------------

static int64_t int_at(mr_ints list, size_t i, int64_t fallback) { return i < list.size ? list.data[i] : fallback; }

// Weights that look as if they stayed the same from call to call: a parameter that only this op reads, in a program that
// does not return anything of their shape (an update or a gradient), and not in a loop. Then what is packed from them is
// kept; the answer depends on it in nothing. Who returns very many results is taken to return updates too: they are looked
// through for each convolution.
static bool looks_stable(const mr_value *weights) {
  const mr_function *function = weights->block->function;
  if (weights->def || weights->block != &function->body || !mr_value_has_one_use(weights) ||
      weights->uses->user->block != weights->block || function->num_results > MR_CHOOSE_STABLE_RESULTS) {
    return false;
  }
  for (uint32_t k = 0; k < function->num_results; k++) {
    if (mr_type_equal(&function->result_types[k], &weights->type)) {
      return false;
    }
  }
  return true;
}

// HIGH or HIGHEST, for either operand.
static bool wants_precision(const mr_op *op) {
  mr_ints precision = mr_op_ints(op, MR_ATTR_precision_config);
  for (size_t i = 0; i < precision.size; i++) {
    if (precision.data[i] != 0) {
      return true;
    }
  }
  return false;
}

bool mr_choose_conv_of(const mr_op *op, mr_conv_desc *out) {
  const mr_type *lhs = &mr_op_operand(op, 0)->type, *rhs = &mr_op_operand(op, 1)->type, *res = &op->results[0].type;
  mr_ints in = mr_op_ints(op, MR_ATTR_input_spatial_dimensions),
          kernel = mr_op_ints(op, MR_ATTR_kernel_spatial_dimensions);
  mr_ints result = mr_op_ints(op, MR_ATTR_output_spatial_dimensions);
  if (in.size > MR_CONV_SPATIAL) {
    return false;
  }
  int64_t ls[MR_MAX_RANK], rs[MR_MAX_RANK], os[MR_MAX_RANK];
  element_strides(lhs, ls);
  element_strides(rhs, rs);
  element_strides(res, os);
  int64_t lb = mr_op_int(op, MR_ATTR_input_batch_dimension, 0), lf = mr_op_int(op, MR_ATTR_input_feature_dimension, 0);
  int64_t ko = mr_op_int(op, MR_ATTR_kernel_output_feature_dimension, 0);
  int64_t ki = mr_op_int(op, MR_ATTR_kernel_input_feature_dimension, 0);
  int64_t ob = mr_op_int(op, MR_ATTR_output_batch_dimension, 0),
          of = mr_op_int(op, MR_ATTR_output_feature_dimension, 0);
  *out = (mr_conv_desc){.lhs = lhs->dtype,
                        .rhs = rhs->dtype,
                        .out = res->dtype,
                        .spatial = (int)in.size,
                        .batch = lhs->dims[lb],
                        .in_features = lhs->dims[lf],
                        .out_features = rhs->dims[ko],
                        .out_batch = res->dims[ob],
                        .kernel_in_features = rhs->dims[ki],
                        .feature_groups = mr_op_int(op, MR_ATTR_feature_group_count, 1),
                        .batch_groups = mr_op_int(op, MR_ATTR_batch_group_count, 1),
                        .stable_weights = looks_stable(mr_op_operand(op, 1)),
                        .exact = wants_precision(op),
                        .lhs_stride = {ls[lb], ls[lf]},
                        .rhs_stride = {rs[ko], rs[ki]},
                        .out_stride = {os[ob], os[of]}};
  mr_ints strides = mr_op_ints(op, MR_ATTR_window_strides), padding = mr_op_ints(op, MR_ATTR_padding);
  mr_ints lhs_dilation = mr_op_ints(op, MR_ATTR_lhs_dilation), rhs_dilation = mr_op_ints(op, MR_ATTR_rhs_dilation);
  mr_ints reversal = mr_op_ints(op, MR_ATTR_window_reversal);
  for (size_t i = 0; i < in.size; i++) {
    out->in_size[i] = lhs->dims[in.data[i]];
    out->kernel_size[i] = rhs->dims[kernel.data[i]];
    out->out_size[i] = res->dims[result.data[i]];
    out->stride[i] = int_at(strides, i, 1);
    out->pad_low[i] = int_at(padding, 2 * i, 0);
    out->pad_high[i] = int_at(padding, 2 * i + 1, 0);
    out->lhs_dilation[i] = int_at(lhs_dilation, i, 1);
    out->rhs_dilation[i] = int_at(rhs_dilation, i, 1);
    out->reverse[i] = int_at(reversal, i, 0) != 0;
    out->lhs_stride[2 + i] = ls[in.data[i]];
    out->rhs_stride[2 + i] = rs[kernel.data[i]];
    out->out_stride[2 + i] = os[result.data[i]];
  }
  return true;
}

// A signal through one filter: the library has nothing to block over, a generated loop goes along the signal.
static bool is_filter(const mr_op *op) {
  const mr_type *rhs = &mr_op_operand(op, 1)->type;
  return mr_op_ints(op, MR_ATTR_kernel_spatial_dimensions).size == 1 &&
         rhs->dims[mr_op_int(op, MR_ATTR_kernel_output_feature_dimension, 0)] == 1 &&
         rhs->dims[mr_op_int(op, MR_ATTR_kernel_input_feature_dimension, 0)] == 1;
}

static bool is_large_conv(const mr_op *op) {
  const mr_type *rhs = &mr_op_operand(op, 1)->type;
  double taps =
      (double)mr_type_count(rhs) / (double)rhs->dims[mr_op_int(op, MR_ATTR_kernel_output_feature_dimension, 0)];
  return (double)mr_type_count(&op->results[0].type) * taps >= MR_CHOOSE_CONV_MULTIPLIES && !is_filter(op);
}

// ---- The library's side -------------------------------------------------------------------------------------------------

bool mr_choose_wants_dot(const mr_op *op) {
  mr_matmul_desc dot;
  return mr_type_count(&op->results[0].type) > 0 && is_large_dot(op) && mr_choose_matmul_of(op, &dot) &&
         mr_matmul_supports(&dot);
}

mr_status mr_choose_make_dot(const mr_op *op, mr_library_call **out_call) {
  mr_matmul_desc dot;
  return mr_choose_matmul_of(op, &dot) ? mr_matmul_create(&dot, out_call)
                                       : mr_error(MR_INTERNAL, "no call for this dot_general");
}

bool mr_choose_wants_convolution(const mr_op *op) {
  mr_conv_desc conv;
  return mr_type_count(&op->results[0].type) > 0 && is_large_conv(op) && mr_choose_conv_of(op, &conv) &&
         mr_conv_supports(&conv);
}

mr_status mr_choose_make_convolution(const mr_op *op, mr_library_call **out_call) {
  mr_conv_desc conv;
  return mr_choose_conv_of(op, &conv) ? mr_conv_create(&conv, out_call)
                                      : mr_error(MR_INTERNAL, "no call for this convolution");
}

#define mr_choose_wants_NONE NULL
#define mr_choose_make_NONE NULL
static const struct {
  bool (*wants)(const mr_op *op);
  mr_status (*make)(const mr_op *op, mr_library_call **out_call);
} libraries[MR_OP_COUNT] = {
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, element, root, fusion, library, ...)                                                   \
  [MR_OP_##name] = {mr_choose_wants_##library, mr_choose_make_##library},
#include "ops/ops.def"
};
#undef mr_choose_wants_NONE
#undef mr_choose_make_NONE

bool mr_choose_library_wants(const mr_op *op) { return libraries[op->kind].wants && libraries[op->kind].wants(op); }

mr_status mr_choose_library_call(const mr_op *op, mr_library_call **out_call) {
  *out_call = NULL;
  MR_TRY(mr_library_check_isa());
  return libraries[op->kind].make ? libraries[op->kind].make(op, out_call)
                                  : mr_error(MR_INTERNAL, "no library call for %.*s", MR_STR_ARG(op->name));
}

// ---- Before fusion ------------------------------------------------------------------------------------------------------

// Transposes an operand to batch, free, contracted (or contracted last for the right one too: both have unit columns).
static mr_value *regroup(mr_builder *b, const mr_dot_side *side) {
  const mr_dot_dims order[] = {side->batch, side->free, side->contracted};
  int64_t permutation[MR_MAX_RANK];
  size_t count = 0;
  for (size_t i = 0; i < MR_ARRAY_SIZE(order); i++) {
    for (uint32_t d = 0; d < order[i].count; d++) {
      permutation[count++] = side->dims[order[i].first + d];
    }
  }
  return mr_build_transpose(b, side->x, permutation);
}

static void set_range(mr_module *module, mr_op *op, mr_attr_key key, size_t from, size_t count) {
  int64_t dims[MR_MAX_RANK];
  for (size_t i = 0; i < count; i++) {
    dims[i] = (int64_t)(from + i);
  }
  mr_op_set_ints(module, op, key, (mr_ints){dims, count});
}

static mr_status regroup_operand(mr_op *op, uint32_t which) {
  dot_side side = read_side(op, which);
  if (side.joined && has_unit_stride(&side.free, &side.contracted)) {
    return MR_OK;
  }
  mr_builder b = mr_builder_before(op);
  mr_value *x = regroup(&b, &side.dims);
  if (!x) {
    return MR_NO_MEMORY();
  }
  mr_op_set_operand(op, which, x);
  size_t batch = side.dims.batch.count, contracted = side.dims.contracted.count;
  set_range(b.module, op, which ? MR_ATTR_rhs_batching_dimensions : MR_ATTR_lhs_batching_dimensions, 0, batch);
  set_range(b.module, op, which ? MR_ATTR_rhs_contracting_dimensions : MR_ATTR_lhs_contracting_dimensions,
            batch + side.dims.free.count, contracted);
  return MR_OK;
}

static bool library_has_type(const mr_op *op) {
  mr_matmul_desc probe = {.a = mr_op_operand(op, 0)->type.dtype,
                          .b = mr_op_operand(op, 1)->type.dtype,
                          .c = op->results[0].type.dtype,
                          .batch = 1,
                          .m = 16,
                          .n = 16,
                          .k = 16,
                          .a_stride = {256, 16, 1},
                          .b_stride = {256, 16, 1},
                          .c_stride = {256, 16, 1}};
  return mr_matmul_supports(&probe);
}

static mr_status prepare_block(mr_block *block) {
  for (mr_op *op = block->first, *next; op; op = next) {
    next = op->next;
    for (uint32_t r = 0; r < op->num_regions; r++) {
      MR_TRY(prepare_block(op->regions[r]));
    }
    if (mr_choose_is_byte_conv(op) && mr_type_count(&op->results[0].type) > 0 && is_large_conv(op)) {
      MR_TRY(mr_choose_widen_byte_conv(op));
    } else if (op->kind == MR_OP_dot_general && mr_type_count(&op->results[0].type) > 0 && is_large_dot(op) &&
               library_has_type(op)) {
      MR_TRY(regroup_operand(op, 0));
      MR_TRY(regroup_operand(op, 1));
    }
  }
  return MR_OK;
}

mr_status mr_choose_contractions(mr_function *function) {
  const bool *made = function->module->made;
  return made[MR_OP_dot_general] || made[MR_OP_convolution] ? prepare_block(&function->body) : MR_OK;
}
