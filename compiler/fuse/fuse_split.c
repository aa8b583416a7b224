// A reduction of much to little has nothing to share out. It becomes two: over parts of one dimension, then over the
// parts' results.
#include <string.h>

#include "compiler/fuse/fuse_internal.h"
#include "compiler/fuse/tuning.h"

typedef struct splitting {
  fuser *f;
  mr_op *op;
  uint32_t n;           // operands
  uint32_t dim;         // that is cut
  int64_t parts, part;  // parts of `part` each
  int64_t tail;         // elements left over
  bool widen;           // sums of narrow floats: partial results keep 32 bits
} splitting;

static bool is_reduced(const mr_op *op, uint32_t d) {
  mr_ints dims = mr_op_ints(op, MR_ATTR_dimensions);
  for (size_t i = 0; i < dims.size; i++) {
    if (dims.data[i] == d) {
      return true;
    }
  }
  return false;
}

// Shares that the reduction has as it is.
static int64_t shares_of(const mr_op *op) {
  const mr_type *x = &mr_op_operand(op, 0)->type;
  int64_t results = mr_type_count(&op->results[0].type);
  uint32_t d = x->rank;
  while (d > 0 && x->dims[d - 1] == 1) {
    d--;
  }
  if (d > 0 && is_reduced(op, d - 1)) {
    return results;
  }
  // Columns: shares that go over whole rows read memory in order, shares of some columns do not.
  return results >= MR_FUSE_SPLIT_MANY_RESULTS ? MR_FUSE_SPLIT_ENOUGH_SHARES : 1;
}

static bool choose_parts(splitting *s) {
  const mr_type *x = &mr_op_operand(s->op, 0)->type;
  uint32_t others = 0;
  int64_t most = mr_type_count(&s->op->results[0].type) >= MR_FUSE_SPLIT_MOST_PARTS ? MR_FUSE_SPLIT_MOST_ROW_PARTS
                                                                                    : MR_FUSE_SPLIT_MOST_PARTS;
  for (uint32_t d = 0; d < x->rank; d++) {
    others += is_reduced(s->op, d) && x->dims[d] != 1;
  }
  for (uint32_t d = 0; d < x->rank; d++) {
    if (!is_reduced(s->op, d)) {
      continue;
    }
    for (int64_t parts = MR_MIN(most, x->dims[d] / 2); parts >= MR_FUSE_SPLIT_FEWEST_PARTS; parts--) {
      if (x->dims[d] % parts) {
        continue;
      }
      s->dim = d;
      s->parts = parts;
      s->part = x->dims[d] / parts;
      return true;
    }
    if (others == 1 && x->dims[d] >= 2 * most) {
      s->dim = d;
      s->parts = most;
      s->part = x->dims[d] / most;
      s->tail = x->dims[d] % most;
      return true;
    }
  }
  return false;
}

static bool is_simple_sum(const mr_op *op) {
  const mr_op *end = mr_block_terminator(op->regions[0]);
  const mr_op *body = end && end->num_operands == 1 ? mr_op_operand(end, 0)->def : NULL;
  return op->num_results == 1 && body && body->block == op->regions[0] && body->prev == NULL &&
         (body->kind == MR_OP_add || body->kind == MR_OP_multiply) && mr_op_operand(body, 0)->def == NULL &&
         mr_op_operand(body, 1)->def == NULL && mr_op_operand(body, 0) != mr_op_operand(body, 1);
}

static bool prepare(splitting *s) {
  const mr_op *op = s->op;
  if (op->kind != MR_OP_reduce || mr_fuse_classify(op) != FUSE_HEAVY) {
    return false;
  }
  if (mr_type_count(&mr_op_operand(op, 0)->type) < MR_FUSE_SPLIT_ELEMENTS ||
      shares_of(op) >= MR_FUSE_SPLIT_ENOUGH_SHARES) {
    return false;
  }
  s->n = op->num_results;
  mr_dtype dtype = op->results[0].type.dtype;
  s->widen = mr_dtype_is_float(dtype) && mr_dtype_bits(dtype) < 32 && is_simple_sum(op);
  return choose_parts(s);
}

static mr_value *cut_range(splitting *s, mr_builder *b, mr_value *x, int64_t from, int64_t to) {
  int64_t start[MR_MAX_RANK], limit[MR_MAX_RANK], stride[MR_MAX_RANK], dims[MR_MAX_RANK];
  for (uint32_t d = 0; d < x->type.rank; d++) {
    start[d] = d == s->dim ? from : 0;
    limit[d] = d == s->dim ? to : x->type.dims[d];
    stride[d] = 1;
    dims[d] = limit[d] - start[d];
  }
  if (dims[s->dim] == x->type.dims[s->dim]) {
    return x;
  }
  mr_type type = mr_type_tensor(s->f->module, x->type.dtype, x->type.rank, dims);
  mr_op *op = mr_build(b, MR_OP_slice, 1, &x, 1, &type, 0);
  if (!op) {
    return NULL;
  }
  mr_op_set_ints(s->f->module, op, MR_ATTR_start_indices, (mr_ints){start, x->type.rank});
  mr_op_set_ints(s->f->module, op, MR_ATTR_limit_indices, (mr_ints){limit, x->type.rank});
  mr_op_set_ints(s->f->module, op, MR_ATTR_strides, (mr_ints){stride, x->type.rank});
  return mr_op_result(op, 0);
}

static mr_value *in_parts(splitting *s, mr_builder *b, mr_value *x, int depth);

// The shape of x with the dimension cut in two; returns its rank.
static uint32_t cut_shape(const splitting *s, const mr_type *type, uint32_t dim, int64_t *out_dims) {
  uint32_t n = 0;
  for (uint32_t d = 0; d < type->rank; d++) {
    if (d == dim) {
      out_dims[n++] = s->parts;
    }
    out_dims[n++] = d == dim ? s->part : type->dims[d];
  }
  return n;
}

static mr_value *cut_elements(splitting *s, mr_builder *b, mr_op *op, int depth) {
  enum { MOST_OPERANDS = 4 };
  mr_value *operands[MOST_OPERANDS];
  if (op->num_operands > MOST_OPERANDS) {
    return NULL;
  }
  const mr_type *shape = &op->results[0].type;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    mr_value *x = mr_op_operand(op, i);
    bool scalar = x->type.rank == 0;
    if (!scalar && x->type.rank != shape->rank) {
      return NULL;
    }
    operands[i] = scalar ? x : in_parts(s, b, x, depth + 1);
    if (!operands[i]) {
      return NULL;
    }
  }
  int64_t dims[MR_MAX_RANK + 1];
  mr_type type = mr_type_tensor(s->f->module, shape->dtype, cut_shape(s, shape, s->dim, dims), dims);
  return mr_build_like(b, op, operands, &type);
}

static mr_value *cut_broadcast(splitting *s, mr_builder *b, const mr_op *op) {
  mr_value *x = mr_op_operand(op, 0);
  mr_ints to = mr_op_ints(op, MR_ATTR_broadcast_dimensions);
  int64_t map[MR_MAX_RANK + 1], dims[MR_MAX_RANK + 1];
  uint32_t n = 0, cut = UINT32_MAX;
  for (uint32_t d = 0; d < x->type.rank; d++) {
    bool here = to.data[d] == s->dim && x->type.dims[d] != 1;
    if (here) {
      cut = d;
      map[n++] = s->dim;
    }
    map[n++] = to.data[d] + (here || to.data[d] > s->dim);
  }
  if (cut != UINT32_MAX) {
    x = mr_build_reshape(b, x, cut_shape(s, &x->type, cut, dims), dims);
  }
  const mr_type *shape = &op->results[0].type;
  mr_type type = mr_type_tensor(s->f->module, shape->dtype, cut_shape(s, shape, s->dim, dims), dims);
  return x ? mr_build_broadcast(b, x, &type, (mr_ints){map, n}) : NULL;
}

// x with its dimension in two, parts and elements of a part. What computes x element by element is cut rather than its
// result: the index of a whole is a division of two that the compiler cannot always do away with.
static mr_value *in_parts(splitting *s, mr_builder *b, mr_value *x, int depth) {
  enum { DEPTH = 8 };
  mr_op *op = x->def;
  bool mine = op && op->block == s->op->block && op->num_results == 1 && !s->tail && depth < DEPTH;
  mr_value *cut = NULL;
  if (mine && op->kind == MR_OP_broadcast_in_dim) {
    cut = cut_broadcast(s, b, op);
  } else if (mine && mr_op_kind_is_elementwise(op->kind) && op->num_regions == 0 && mr_value_has_one_use(x)) {
    cut = cut_elements(s, b, op, depth);
  }
  if (cut) {
    return cut;
  }
  x = cut_range(s, b, x, 0, s->parts * s->part);
  int64_t dims[MR_MAX_RANK + 1];
  return x ? mr_build_reshape(b, x, cut_shape(s, &x->type, s->dim, dims), dims) : NULL;
}

static bool copy_region(splitting *s, mr_op *to) {
  mr_module *module = s->f->module;
  const mr_block *from = s->op->regions[0];
  mr_value_map *map = mr_value_map_create(module);
  if (!map) {
    return false;
  }
  for (uint32_t i = 0; i < from->num_args; i++) {
    mr_type type = s->widen ? mr_type_scalar(MR_F32) : from->args[i]->type;
    mr_value_map_set(map, from->args[i], mr_block_add_arg(module, to->regions[0], &type));
  }
  mr_builder b = mr_builder_at_end(to->regions[0]);
  const mr_op *end = mr_block_terminator(from);
  if (s->widen) {
    mr_value *sum =
        mr_build_binary(&b, mr_op_operand(end, 0)->def->kind, to->regions[0]->args[0], to->regions[0]->args[1]);
    return mr_build(&b, MR_OP_return, 1, &sum, 0, NULL, 0) != NULL;
  }
  if (!mr_block_clone_into(&b, from, map)) {
    return false;
  }
  return mr_op_clone(&b, end, map) != NULL;
}

// Reduces xs (with the inits behind them) over dims.
static mr_op *reduce(splitting *s, mr_builder *b, mr_value **operands, const int64_t *dims, uint32_t num_dims) {
  const mr_type *x = &operands[0]->type;
  int64_t kept[MR_MAX_RANK + 1];
  uint32_t rank = 0;
  for (uint32_t d = 0; d < x->rank; d++) {
    bool gone = false;
    for (uint32_t i = 0; i < num_dims; i++) {
      gone = gone || dims[i] == d;
    }
    if (!gone) {
      kept[rank++] = x->dims[d];
    }
  }
  mr_type *types = mr_arena_array(&s->f->arena, mr_type, s->n + 1);
  if (!types) {
    return NULL;
  }
  for (uint32_t i = 0; i < s->n; i++) {
    types[i] = mr_type_tensor(s->f->module, s->widen ? MR_F32 : s->op->results[i].type.dtype, rank, kept);
  }
  mr_op *op = mr_build(b, MR_OP_reduce, 2 * s->n, operands, s->n, types, 1);
  if (!op || !copy_region(s, op)) {
    return NULL;
  }
  mr_op_set_ints(s->f->module, op, MR_ATTR_dimensions, (mr_ints){dims, num_dims});
  return op;
}

// Partial results with what no part holds behind them, along the parts' dimension.
static mr_value *with_tail(splitting *s, mr_builder *b, mr_value *partial, mr_value *x) {
  if (!s->tail) {
    return partial;
  }
  mr_value *tail = cut_range(s, b, x, s->parts * s->part, s->parts * s->part + s->tail);
  if (!tail) {
    return NULL;
  }
  // Reduced dimensions of size one went with the partial results.
  int64_t dims[MR_MAX_RANK];
  uint32_t rank = 0, at = 0;
  for (uint32_t d = 0; d < x->type.rank; d++) {
    if (d == s->dim) {
      at = rank;
    }
    if (d == s->dim || !is_reduced(s->op, d)) {
      dims[rank++] = tail->type.dims[d];
    }
  }
  tail = mr_build_reshape(b, tail, rank, dims);
  mr_value *pieces[2] = {partial, tail};
  if (!tail) {
    return NULL;
  }
  dims[at] = s->parts + s->tail;
  mr_type type = mr_type_tensor(s->f->module, partial->type.dtype, rank, dims);
  mr_op *op = mr_build(b, MR_OP_concatenate, 2, pieces, 1, &type, 0);
  if (!op) {
    return NULL;
  }
  mr_op_set_int(s->f->module, op, MR_ATTR_dimension, at);
  return mr_op_result(op, 0);
}

static void erase_each_unused(mr_value *const *values, uint32_t n);

// What only the cut elements were made from is not needed any more.
static void erase_unused(mr_value *x) {
  mr_op *op = x->def;
  if (!op || x->uses || op->num_results != 1 || op->num_regions != 0 || mr_fuse_has_effect(op)) {
    return;
  }
  mr_value *operands[4];
  uint32_t n = op->num_operands;
  if (n > MR_ARRAY_SIZE(operands)) {
    return;
  }
  for (uint32_t i = 0; i < n; i++) {
    operands[i] = mr_op_operand(op, i);
  }
  mr_op_erase(op);
  erase_each_unused(operands, n);
}

// The same of each value, some of which may be there several times.
static void erase_each_unused(mr_value *const *values, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    bool again = false;
    for (uint32_t k = 0; k < i; k++) {
      again = again || values[k] == values[i];
    }
    if (!again) {
      erase_unused(values[i]);
    }
  }
}

// Users of the op's results take those of `made`, in the op's type. The op goes, and what only it needed.
static bool replace(splitting *s, mr_builder *b, mr_op *made, mr_value **operands) {
  mr_op *op = s->op;
  for (uint32_t i = 0; i < s->n; i++) {
    mr_value *value = mr_op_result(made, i);
    if (s->widen) {
      value = mr_build_convert(b, value, op->results[i].type.dtype);
    }
    if (!value) {
      return false;
    }
    mr_value_replace_all_uses(&op->results[i], value);
  }
  for (uint32_t i = 0; i < s->n; i++) {
    operands[i] = mr_op_operand(op, i);
  }
  mr_op_erase(op);
  erase_each_unused(operands, s->n);
  return true;
}

static bool split(splitting *s) {
  mr_op *op = s->op;
  mr_builder b = mr_builder_before(op);
  b.loc = op->loc;
  mr_value **whole = mr_arena_array(&s->f->arena, mr_value *, 2 * s->n + 1);
  mr_value **first = mr_arena_array(&s->f->arena, mr_value *, 2 * s->n + 1);
  if (!whole || !first) {
    return false;
  }
  for (uint32_t i = 0; i < 2 * s->n; i++) {
    whole[i] = mr_op_operand(op, i);
    if (s->widen) {
      whole[i] = mr_build_convert(&b, whole[i], MR_F32);
    }
    first[i] = i < s->n && whole[i] ? in_parts(s, &b, whole[i], 0) : whole[i];
    if (!first[i]) {
      return false;
    }
  }
  int64_t dims[MR_MAX_RANK + 1], last[1] = {0};
  uint32_t n = 0;
  for (uint32_t d = 0; d < whole[0]->type.rank; d++) {
    if (is_reduced(op, d)) {
      dims[n++] = d < s->dim ? d : d + 1;
    }
    if (d < s->dim && !is_reduced(op, d)) {
      last[0]++;
    }
  }
  mr_op *partial = reduce(s, &b, first, dims, n);
  if (!partial) {
    return false;
  }
  for (uint32_t i = 0; i < s->n; i++) {
    first[i] = with_tail(s, &b, mr_op_result(partial, i), whole[i]);
    if (!first[i]) {
      return false;
    }
  }
  mr_op *result = reduce(s, &b, first, last, 1);
  return result && replace(s, &b, result, whole);
}

mr_status mr_fuse_split_reductions(fuser *f) {
  bool any = f->module->made[MR_OP_reduce];
  for (mr_op *op = any ? f->block->first : NULL, *next; op; op = next) {
    next = op->next;
    splitting s = {.f = f, .op = op};
    if (prepare(&s) && !split(&s)) {
      MR_TRY(mr_module_memory(f->module));
      return MR_NO_MEMORY();
    }
  }
  return MR_OK;
}
