// Convolutions and windows along a dimension that is cut: each device takes the borders that its windows reach into, filled up with what
// padding would have been. Of an operand whose elements are drawn apart its windows begin between two at times: then it has one more on
// either side, and negative padding.
#include <string.h>

#include "compiler/shard/local_window.h"

static int64_t at(mr_ints list, size_t i, int64_t fallback) { return i < list.size ? list.data[i] : fallback; }

// Along one dimension of a windowed op.
typedef struct sweep {
  int64_t size, result;  // of the whole dimension, before and after
  int64_t low, high, stride;
  int64_t extent;  // of a window, with its dilation
  int64_t base_dilation;
} sweep;

static bool is_trivial(const sweep *s) {
  return s->low == 0 && s->high == 0 && s->stride == 1 && s->extent == 1 && s->base_dilation == 1;
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && a < 0); }

// How far, of elements drawn apart, a device's first one lies before where its first window begins.
static int64_t lead_of(const sweep *s) { return -s->low - floor_div(-s->low, s->base_dilation) * s->base_dilation; }

// How long what a device's windows go over is.
static int64_t reach_of(const mr_part *p, const sweep *s, const mr_atoms *atoms) {
  return (mr_ceil_div(s->result, mr_atoms_shards(p->grid, atoms)) - 1) * s->stride + s->extent;
}

static mr_local_window window_of(const mr_part *p, const sweep *s, uint32_t dim, const mr_atoms *atoms) {
  int64_t local = mr_ceil_div(s->result, mr_atoms_shards(p->grid, atoms));
  return (mr_local_window){.dim = dim,
                           .size = s->size,
                           .atoms = atoms,
                           .first = floor_div(-s->low, s->base_dilation),
                           .step = local * s->stride / s->base_dilation,
                           .count = (lead_of(s) + reach_of(p, s, atoms) - 1) / s->base_dilation + 1};
}

// All devices begin as far before an element.
static bool can_sweep(const mr_part *p, const sweep *s, uint32_t dim, const mr_atoms *atoms) {
  int64_t local = mr_ceil_div(s->result, mr_atoms_shards(p->grid, atoms));
  mr_local_window window = window_of(p, s, dim, atoms);
  return local > 0 && local * s->stride % s->base_dilation == 0 && mr_local_window_pays(p, &window);
}

// What the op on a device's windows pads then.
static void put_padding(const mr_part *p, const sweep *s, const mr_atoms *atoms, int64_t out[2]) {
  mr_local_window window = window_of(p, s, 0, atoms);
  out[0] = -lead_of(s);
  out[1] = lead_of(s) + reach_of(p, s, atoms) - ((window.count - 1) * s->base_dilation + 1);
}

// ---- Reductions of windows ------------------------------------------------------------------------------------------------

static sweep window_sweep(const mr_op *op, uint32_t d) {
  mr_ints padding = mr_op_ints(op, MR_ATTR_padding);
  int64_t window = at(mr_op_ints(op, MR_ATTR_window_dimensions), d, 1);
  return (sweep){.size = mr_op_operand(op, 0)->type.dims[d],
                 .result = op->results[0].type.dims[d],
                 .low = at(padding, 2 * (size_t)d, 0),
                 .high = at(padding, 2 * (size_t)d + 1, 0),
                 .stride = at(mr_op_ints(op, MR_ATTR_window_strides), d, 1),
                 .extent = (window - 1) * at(mr_op_ints(op, MR_ATTR_window_dilations), d, 1) + 1,
                 .base_dilation = at(mr_op_ints(op, MR_ATTR_base_dilations), d, 1)};
}

static mr_value *window_operand(mr_part *p, const mr_op *op, uint32_t i, uint32_t inputs, uint64_t swept,
                                const mr_tiling *tiling) {
  if (i >= inputs) {
    return mr_part_get_replicated(p, mr_op_operand(op, i));
  }
  mr_value *x = mr_part_get(p, mr_op_operand(op, i), tiling);
  mr_value *init = mr_part_get_replicated(p, mr_op_operand(op, inputs + i));
  for (uint32_t d = 0; x && init && d < tiling->rank; d++) {
    if (swept >> d & 1) {
      sweep s = window_sweep(op, d);
      mr_local_window window = window_of(p, &s, d, &tiling->dims[d]);
      x = mr_local_window_get(p, x, &window, init);
    }
  }
  return x;
}

static void set_padding(mr_part *p, mr_op *made, size_t count, const int64_t *padding) {
  mr_attr attr = {.key = MR_ATTR_padding, .kind = MR_ATTR_INTS, .dtype = MR_S64};
  attr.ints.data = mr_arena_copy(&p->module->arena, padding, 2 * count * sizeof *padding);
  attr.ints.size = 2 * count;
  attr.rows = (int64_t)count;
  p->module->out_of_memory |= attr.ints.data == NULL;
  mr_op_set_attr(p->module, made, attr);
}

mr_status mr_local_reduce_window(mr_part *p, mr_op *op, bool *out_done) {
  uint64_t moved = 0, swept = 0;
  uint32_t inputs = op->num_results;
  const mr_type *x = &mr_op_operand(op, 0)->type;
  mr_tiling tiling;
  for (uint32_t d = 0; x->kind == MR_TYPE_TENSOR && d < x->rank; d++) {
    sweep s = window_sweep(op, d);
    moved |= (uint64_t)!is_trivial(&s) << d;
  }
  if (!moved || !mr_local_window_wanted(p, &op->results[0], moved, &tiling)) {
    return MR_OK;
  }
  for (uint32_t d = 0; d < x->rank; d++) {
    sweep s = window_sweep(op, d);
    if (moved >> d & 1 && tiling.dims[d].count) {
      if (!can_sweep(p, &s, d, &tiling.dims[d])) {
        return MR_OK;
      }
      swept |= UINT64_C(1) << d;
    }
  }
  mr_value **operands;
  mr_type *types;
  MR_TRY(mr_part_room(p, op, &operands, &types));
  for (uint32_t i = 0; i < op->num_operands; i++) {
    operands[i] = window_operand(p, op, i, inputs, swept, &tiling);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    types[i] = mr_part_local_type(p, &op->results[i].type, &tiling);
  }
  MR_TRY(mr_module_memory(p->module));
  mr_op *made = mr_part_clone(p, op, operands, types);
  MR_TRY(mr_module_memory(p->module));
  int64_t padding[2 * MR_MAX_RANK];
  for (uint32_t d = 0; d < x->rank; d++) {
    sweep s = window_sweep(op, d);
    padding[2 * (size_t)d] = s.low;
    padding[2 * d + 1] = s.high;
    if (swept >> d & 1) {
      put_padding(p, &s, &tiling.dims[d], &padding[2 * (size_t)d]);
    }
  }
  set_padding(p, made, x->rank, padding);
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_part_set(p, &op->results[i], &made->results[i], &tiling);
  }
  *out_done = true;
  return mr_module_memory(p->module);
}

// ---- Convolutions ---------------------------------------------------------------------------------------------------------

typedef struct convolution {
  const mr_op *op;
  mr_ints in, kernel, out;  // spatial dimensions
  mr_tiling result, left, right;
  uint64_t swept;  // by number of spatial dimension
} convolution;

static sweep spatial_sweep(const convolution *c, size_t i) {
  const mr_op *op = c->op;
  mr_ints padding = mr_op_ints(op, MR_ATTR_padding);
  int64_t window = mr_op_operand(op, 1)->type.dims[c->kernel.data[i]];
  return (sweep){.size = mr_op_operand(op, 0)->type.dims[c->in.data[i]],
                 .result = op->results[0].type.dims[c->out.data[i]],
                 .low = at(padding, 2 * i, 0),
                 .high = at(padding, 2 * i + 1, 0),
                 .stride = at(mr_op_ints(op, MR_ATTR_window_strides), i, 1),
                 .extent = (window - 1) * at(mr_op_ints(op, MR_ATTR_rhs_dilation), i, 1) + 1,
                 .base_dilation = at(mr_op_ints(op, MR_ATTR_lhs_dilation), i, 1)};
}

// Operands as the result is wanted. What groups there are stay together.
static void tile(convolution *c) {
  const mr_op *op = c->op;
  int64_t batch = mr_op_int(op, MR_ATTR_output_batch_dimension, 0);
  int64_t feature = mr_op_int(op, MR_ATTR_output_feature_dimension, 0);
  bool batch_groups = mr_op_int(op, MR_ATTR_batch_group_count, 1) > 1;
  if (batch_groups) {
    c->result.dims[batch] = (mr_atoms){0};
  }
  if (batch_groups || mr_op_int(op, MR_ATTR_feature_group_count, 1) > 1) {
    c->result.dims[feature] = (mr_atoms){0};
  }
  c->left = mr_tiling_replicated(c->result.rank);
  c->right = mr_tiling_replicated(c->result.rank);
  c->left.dims[mr_op_int(op, MR_ATTR_input_batch_dimension, 0)] = c->result.dims[batch];
  c->right.dims[mr_op_int(op, MR_ATTR_kernel_output_feature_dimension, 0)] = c->result.dims[feature];
  for (size_t i = 0; i < c->out.size; i++) {
    c->left.dims[c->in.data[i]] = c->result.dims[c->out.data[i]];
  }
}

static mr_status sweep_all(mr_part *p, const convolution *c, mr_op *op) {
  mr_value *left = mr_part_get(p, mr_op_operand(op, 0), &c->left);
  mr_value *right = mr_part_get(p, mr_op_operand(op, 1), &c->right);
  MR_TRY(mr_module_memory(p->module));
  mr_type scalar = mr_type_scalar(left->type.dtype);
  mr_value *zero = mr_build_splat_int(&p->b, &scalar, 0);
  for (size_t i = 0; left && i < c->in.size; i++) {
    if (c->swept >> i & 1) {
      sweep s = spatial_sweep(c, i);
      mr_local_window window = window_of(p, &s, (uint32_t)c->in.data[i], &c->left.dims[c->in.data[i]]);
      left = mr_local_window_get(p, left, &window, zero);
    }
  }
  mr_type type = mr_part_local_type(p, &op->results[0].type, &c->result);
  MR_TRY(mr_module_memory(p->module));
  mr_op *made = mr_part_clone(p, op, (mr_value *[]){left, right}, &type);
  MR_TRY(mr_module_memory(p->module));
  int64_t padding[2 * MR_MAX_RANK];
  for (size_t i = 0; i < c->in.size; i++) {
    sweep s = spatial_sweep(c, i);
    padding[2 * i] = s.low;
    padding[2 * i + 1] = s.high;
    if (c->swept >> i & 1) {
      put_padding(p, &s, &c->left.dims[c->in.data[i]], &padding[2 * i]);
    }
  }
  set_padding(p, made, c->in.size, padding);
  mr_part_set(p, &op->results[0], &made->results[0], &c->result);
  return mr_module_memory(p->module);
}

mr_status mr_local_convolution(mr_part *p, mr_op *op, bool *out_done) {
  convolution c = {.op = op,
                   .in = mr_op_ints(op, MR_ATTR_input_spatial_dimensions),
                   .kernel = mr_op_ints(op, MR_ATTR_kernel_spatial_dimensions),
                   .out = mr_op_ints(op, MR_ATTR_output_spatial_dimensions)};
  uint64_t spatial = 0;
  for (size_t i = 0; i < c.out.size; i++) {
    spatial |= UINT64_C(1) << c.out.data[i];
  }
  if (!spatial || !mr_type_is_static(&mr_op_operand(op, 0)->type) || mr_op_operand(op, 0)->type.quant ||
      !mr_local_window_wanted(p, &op->results[0], spatial, &c.result)) {
    return MR_OK;
  }
  tile(&c);
  for (size_t i = 0; i < c.out.size; i++) {
    const mr_atoms *atoms = &c.result.dims[c.out.data[i]];
    sweep s = spatial_sweep(&c, i);
    if (atoms->count && !can_sweep(p, &s, (uint32_t)c.in.data[i], atoms)) {
      return MR_OK;
    }
    c.swept |= (uint64_t)(atoms->count > 0) << i;
  }
  *out_done = true;
  return sweep_all(p, &c, op);
}
