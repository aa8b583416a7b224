// Manual computations for a program over several devices: some axes of the mesh are the body's own, which has each device's part, asks
// for its place along them, and meets the others in collectives.
#include <stdio.h>
#include <string.h>

#include "tests/random/random.h"

enum { MOST_OPERANDS = 3 };

typedef struct manual {
  const mesh *m;
  unsigned axes;  // mask of those that are the body's own
} manual;

static int64_t stride_of(const mesh *m, int axis) {
  int64_t stride = 1;
  for (int i = axis + 1; i < m->num_axes; i++) {
    stride *= m->sizes[i];
  }
  return stride;
}

// ---- How operands lie ---------------------------------------------------------------------------------------------------

// Which axes cut each dimension, a mask; local gets the sizes of a part. A mask of the axes that cut nothing is returned.
static unsigned cut(rng *r, const manual *own, const mr_type *type, unsigned *out_axes, int64_t *local) {
  unsigned left = own->axes;
  for (uint32_t d = 0; d < type->rank; d++) {
    out_axes[d] = 0;
    local[d] = type->dims[d];
  }
  for (int axis = 0; axis < own->m->num_axes && type->rank; axis++) {
    uint32_t d = (uint32_t)rng_below(r, type->rank);
    int64_t size = own->m->sizes[axis];
    if (left >> axis & 1 && rng_chance(r, 80) && local[d] && local[d] % size == 0) {
      out_axes[d] |= 1U << axis;
      local[d] /= size;
      left &= ~(1U << axis);
    }
  }
  return left;
}

static int put_sharding(char *text, size_t size, const unsigned *axes, uint32_t rank, bool open) {
  int at = snprintf(text, size, "<@mesh, [");
  for (uint32_t d = 0; d < rank; d++) {
    at += snprintf(text + at, size - (size_t)at, d ? ", {" : "{");
    bool any = false;
    for (int axis = 0; axis < 3; axis++) {
      if (axes[d] >> axis & 1) {
        at += snprintf(text + at, size - (size_t)at, any ? ", \"%c\"" : "\"%c\"", "xyz"[axis]);
        any = true;
      }
    }
    at += snprintf(text + at, size - (size_t)at, open ? any ? ", ?}" : "?}" : "}");
  }
  return at + snprintf(text + at, size - (size_t)at, "]>");
}

static void set_text(mr_module *module, mr_op *op, mr_attr_key key, const char *text) {
  mr_attr attr = {.key = key, .name = mr_str_of(mr_attr_key_name(key)), .kind = MR_ATTR_TEXT};
  attr.string = mr_arena_str(&module->arena, (mr_str){text, strlen(text)});
  mr_op_set_attr(module, op, attr);
}

// ---- What bodies do ------------------------------------------------------------------------------------------------------

// Groups of the devices that differ along these axes only, in the mesh's order.
static void set_groups(generator *g, mr_op *op, const mesh *m, unsigned axes) {
  int64_t devices = stride_of(m, -1), size = 1, *ids = mr_arena_array(&g->module->arena, int64_t, devices);
  for (int axis = 0; axis < m->num_axes; axis++) {
    size *= axes >> axis & 1 ? m->sizes[axis] : 1;
  }
  int64_t count = 0;
  for (int64_t first = 0; op && first < devices; first++) {
    int64_t others = 0;
    for (int64_t id = 0; id < devices; id++) {
      bool together = true;
      for (int axis = 0; axis < m->num_axes; axis++) {
        int64_t stride = stride_of(m, axis), n = m->sizes[axis];
        together = together && (axes >> axis & 1 || id / stride % n == first / stride % n);
      }
      others += together && id < first;
      if (together && others == 0) {
        ids[count++] = id;
      }
    }
  }
  if (op) {
    mr_attr attr = {.key = MR_ATTR_replica_groups,
                    .name = mr_str_of(mr_attr_key_name(MR_ATTR_replica_groups)),
                    .kind = MR_ATTR_INTS,
                    .dtype = MR_S64,
                    .ints = {ids, (size_t)count},
                    .rows = devices / size};
    mr_op_set_attr(g->module, op, attr);
    mr_op_set_int(g->module, op, MR_ATTR_channel_id, 1);
    mr_op_set_int(g->module, op, MR_ATTR_channel_type, 1);
  }
}

static value all_reduced(generator *g, const mesh *m, unsigned axes, value x) {
  mr_dtype dtype = x->type.dtype;
  mr_op_kind kind = dtype == MR_PRED             ? MR_OP_or
                    : mr_dtype_is_complex(dtype) ? MR_OP_add
                    : rng_chance(&g->random, 50) ? MR_OP_maximum
                                                 : MR_OP_minimum;
  if (mr_dtype_is_integer(dtype) && rng_chance(&g->random, 50)) {
    kind = MR_OP_add;
  }
  mr_op *op = mr_build(&g->at, MR_OP_all_reduce, 1, &x, 1, &x->type, 1);
  set_groups(g, op, m, axes);
  if (!op) {
    return NULL;
  }
  mr_op_set_int(g->module, op, MR_ATTR_use_global_device_ids, 1);
  mr_type scalar = mr_type_scalar(dtype);
  mr_builder inner = {.module = g->module, .block = op->regions[0]};
  value a = mr_block_add_arg(g->module, op->regions[0], &scalar),
        b = mr_block_add_arg(g->module, op->regions[0], &scalar);
  value folded = mr_build_binary(&inner, kind, a, b);
  end_block(g, op->regions[0], 1, &folded);
  return &op->results[0];
}

// Types that devices fold.
static bool is_foldable(const mr_type *type) {
  return mr_dtype_bits(type->dtype) >= 8 ? !mr_dtype_is_float(type->dtype) || mr_dtype_bits(type->dtype) >= 16
                                         : type->dtype == MR_PRED;
}

static value gathered(generator *g, const mesh *m, int axis, value x) {
  uint32_t d = (uint32_t)rng_below(&g->random, x->type.rank);
  int64_t dims[MR_MAX_RANK];
  memcpy(dims, x->type.dims, x->type.rank * sizeof *dims);
  dims[d] *= m->sizes[axis];
  mr_type type = mr_type_tensor(g->module, x->type.dtype, x->type.rank, dims);
  bool fits = dims[d] && mr_type_count(&type) <= g->largest;
  mr_op *op = fits ? mr_build(&g->at, MR_OP_all_gather, 1, &x, 1, &type, 0) : NULL;
  set_groups(g, op, m, 1U << axis);
  if (op) {
    mr_op_set_int(g->module, op, MR_ATTR_use_global_device_ids, 1);
    mr_op_set_int(g->module, op, MR_ATTR_all_gather_dim, d);
  }
  return op ? &op->results[0] : NULL;
}

static value exchanged(generator *g, const mesh *m, int axis, value x) {
  uint32_t split = (uint32_t)rng_below(&g->random, x->type.rank),
           concat = (uint32_t)rng_below(&g->random, x->type.rank);
  if (x->type.dims[split] % m->sizes[axis] != 0) {
    return NULL;
  }
  int64_t dims[MR_MAX_RANK];
  memcpy(dims, x->type.dims, x->type.rank * sizeof *dims);
  dims[split] /= m->sizes[axis];
  dims[concat] *= m->sizes[axis];
  mr_type type = mr_type_tensor(g->module, x->type.dtype, x->type.rank, dims);
  mr_op *op = mr_build(&g->at, MR_OP_all_to_all, 1, &x, 1, &type, 0);
  set_groups(g, op, m, 1U << axis);
  if (op) {
    mr_op_set_int(g->module, op, MR_ATTR_split_dimension, split);
    mr_op_set_int(g->module, op, MR_ATTR_concat_dimension, concat);
    mr_op_set_int(g->module, op, MR_ATTR_split_count, m->sizes[axis]);
  }
  return op ? &op->results[0] : NULL;
}

// To the next one along the axis; sometimes the last one's goes nowhere.
static value permuted(generator *g, const mesh *m, int axis, value x) {
  int64_t devices = stride_of(m, -1), stride = stride_of(m, axis), n = m->sizes[axis], count = 0;
  int64_t *pairs = mr_arena_array(&g->module->arena, int64_t, 2 * devices);
  bool wraps = rng_chance(&g->random, 60);
  for (int64_t id = 0; id < devices; id++) {
    int64_t at = id / stride % n;
    if (at + 1 < n || wraps) {
      pairs[2 * count] = id;
      pairs[2 * count++ + 1] = id + ((at + 1) % n - at) * stride;
    }
  }
  mr_op *op = mr_build(&g->at, MR_OP_collective_permute, 1, &x, 1, &x->type, 0);
  if (op) {
    mr_attr attr = {.key = MR_ATTR_source_target_pairs,
                    .name = mr_str_of(mr_attr_key_name(MR_ATTR_source_target_pairs)),
                    .kind = MR_ATTR_INTS,
                    .dtype = MR_S64,
                    .ints = {pairs, (size_t)(2 * count)},
                    .rows = count};
    mr_op_set_attr(g->module, op, attr);
    mr_op_set_int(g->module, op, MR_ATTR_channel_id, 1);
    mr_op_set_int(g->module, op, MR_ATTR_channel_type, 1);
  }
  return op ? &op->results[0] : NULL;
}

// The device's place along an axis, as JAX asks for it.
static value axis_index(generator *g, const mesh *m, int axis) {
  mr_type u32 = mr_type_scalar(MR_U32);
  mr_op *op = mr_build(&g->at, MR_OP_partition_id, 0, NULL, 1, &u32, 0);
  value id = op ? &op->results[0] : NULL;
  id = mr_build_binary(&g->at, MR_OP_divide, id, mr_build_splat_int(&g->at, &u32, stride_of(m, axis)));
  return mr_build_binary(&g->at, MR_OP_remainder, id, mr_build_splat_int(&g->at, &u32, m->sizes[axis]));
}

static void generate_meeting(generator *g, const manual *own) {
  value x = random_value(g);
  int axis = (int)rng_below(&g->random, own->m->num_axes);
  if (!(own->axes >> axis & 1)) {
    return;
  }
  switch (rng_below(&g->random, 5)) {
  case 0: keep_value(g, is_foldable(&x->type) ? all_reduced(g, own->m, 1U << axis, x) : NULL); break;
  case 1: keep_value(g, x->type.rank ? gathered(g, own->m, axis, x) : NULL); break;
  case 2: keep_value(g, x->type.rank ? exchanged(g, own->m, axis, x) : NULL); break;
  case 3: keep_value(g, permuted(g, own->m, axis, x)); break;
  default: keep_value(g, axis_index(g, own->m, axis)); break;
  }
}

// What it gives is of the type and, along the axes in `alike`, the same on all devices.
static void fill_body(generator *g, const manual *own, mr_block *block, const mr_type *type, unsigned alike) {
  for (int64_t steps = rng_between(&g->random, 1, 4); steps > 0; steps--) {
    if (rng_chance(&g->random, 45)) {
      generate_meeting(g, own);
    } else {
      generate_ops(g, 1);
    }
  }
  value result = value_of_type(g, type);
  if (alike) {
    result = is_foldable(type) ? all_reduced(g, own->m, alike, result) : random_constant(g, type);
  }
  end_block(g, block, 1, &result);
}

// ---- The op ---------------------------------------------------------------------------------------------------------------

// A generator whose pool is the arguments of a body.
static generator body_generator(rng *r, mr_module *module, mr_block *block, const mr_type *type) {
  generator g = {.random = *r, .module = module, .at = {.module = module, .block = block}, .largest = 300, .depth = 2};
  g.closed = true;
  g.dtypes[0] = type->dtype;
  g.dtypes[1] = MR_F32;
  g.dtypes[2] = MR_S32;
  g.rank = type->rank;
  for (uint32_t d = 0; d < g.rank; d++) {
    g.dims[d] = type->dims[d];
  }
  for (uint32_t i = 0; i < block->num_args; i++) {
    keep_value(&g, block->args[i]);
  }
  return g;
}

// Part of axis_index(): another one on each device, also along axes that the place it stands in does not name.
static bool is_of_one_device(const mr_op *op) {
  const mr_op *of = op->kind == MR_OP_divide ? op->operands[0].value->def : op;
  return of && of->kind == MR_OP_partition_id;
}

static bool may_be_operand(const mr_value *x) {
  return !(x->def && is_of_one_device(x->def)) && x->type.kind == MR_TYPE_TENSOR && mr_type_is_static(&x->type) &&
         x->type.rank < 7 && mr_type_count(&x->type) <= 300;
}

// Other values of the same block in front of it, to go in as well.
static uint32_t find_operands(rng *r, const mr_op *before, value *operands) {
  uint32_t count = 1, wanted = (uint32_t)rng_between(r, 1, MOST_OPERANDS);
  for (const mr_op *op = before; op && count < wanted; op = op->prev) {
    if (op->num_results && may_be_operand(&op->results[0]) && rng_chance(r, 40)) {
      operands[count++] = (value)&op->results[0];
    }
  }
  return count;
}

static mr_op *build(rng *r, mr_module *module, mr_builder *at, const manual *own, uint32_t count, value *operands) {
  mr_type local[MOST_OPERANDS];
  char in[2048] = "#sdy.sharding_per_value<[", out[512] = "#sdy.sharding_per_value<[", axes[64] = "#sdy<manual_axes{";
  int at_in = (int)strlen(in), at_axes = (int)strlen(axes);
  bool open = own->axes != (1U << own->m->num_axes) - 1;
  unsigned alike = 0;
  for (uint32_t i = 0; i < count; i++) {
    unsigned cuts[MR_MAX_RANK];
    int64_t dims[MR_MAX_RANK];
    unsigned left = cut(r, own, &operands[i]->type, cuts, dims);
    local[i] = mr_type_tensor(module, operands[i]->type.dtype, operands[i]->type.rank, dims);
    at_in += snprintf(in + at_in, sizeof in - (size_t)at_in, i ? ", " : "");
    at_in += put_sharding(in + at_in, sizeof in - (size_t)at_in, cuts, operands[i]->type.rank, open);
    if (i == 0) {  // the result lies as the first operand does
      alike = left;
      size_t size = strlen(out);
      put_sharding(out + size, sizeof out - size, cuts, operands[i]->type.rank, open);
    }
  }
  for (int axis = 0, any = 0; axis < own->m->num_axes; axis++) {
    if (own->axes >> axis & 1) {
      at_axes += snprintf(axes + at_axes, sizeof axes - (size_t)at_axes, any++ ? ", \"%c\"" : "\"%c\"", "xyz"[axis]);
    }
  }
  mr_op *op = mr_build(at, MR_OP_sdy_manual_computation, count, operands, 1, &operands[0]->type, 1);
  if (!op) {
    return NULL;
  }
  set_text(module, op, MR_ATTR_in_shardings, strcat(in, "]>"));
  set_text(module, op, MR_ATTR_out_shardings, strcat(out, "]>"));
  set_text(module, op, MR_ATTR_manual_axes, strcat(axes, "}>"));
  for (uint32_t i = 0; i < count; i++) {
    mr_block_add_arg(module, op->regions[0], &local[i]);
  }
  generator g = body_generator(r, module, op->regions[0], &local[0]);
  fill_body(&g, own, op->regions[0], &local[0], alike);
  *r = g.random;
  return op;
}

mr_op *generate_manual(rng *r, const mesh *m, unsigned free_axes, mr_op *after, value x) {
  mr_module *module = mr_op_module(after);
  unsigned axes = (unsigned)rng_below(r, 1 << m->num_axes) & free_axes;
  manual own = {m, axes ? axes : free_axes};
  if (!may_be_operand(x) || !own.axes) {
    return NULL;
  }
  mr_builder at = after->next ? mr_builder_before(after->next) : mr_builder_at_end(after->block);
  value operands[MOST_OPERANDS] = {x};
  uint32_t count = find_operands(r, after->prev, operands);
  // Uses of x are the new op's, but for its own.
  mr_op *stand_in = mr_build(&at, MR_OP_sdy_sharding_constraint, 0, NULL, 1, &x->type, 0);
  if (!stand_in) {
    return NULL;
  }
  mr_value_replace_all_uses(x, &stand_in->results[0]);
  mr_op *op = build(r, module, &at, &own, count, operands);
  mr_value_replace_all_uses(&stand_in->results[0], op ? &op->results[0] : x);
  mr_op_erase(stand_in);
  unsigned left = free_axes & ~own.axes;
  mr_op *first = op ? op->regions[0]->first : NULL;
  if (left && first && first->num_results && first->kind != MR_OP_return && rng_chance(r, 40)) {
    generate_manual(r, m, left, first, &first->results[0]);
  }
  return op;
}
