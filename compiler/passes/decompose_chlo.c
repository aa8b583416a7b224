// chlo.scan as a loop or as a window over everything before, chlo.ragged_dot as a dot_general of masked operands.
#include <string.h>

#include "compiler/ir/dot.h"
#include "compiler/ir/scalar.h"
#include "compiler/passes/decompose.h"
#include "compiler/passes/tuning.h"

// ---- scan ----------------------------------------------------------------------------------------------------------

typedef struct scan {
  mr_op *op;
  mr_module *module;
  uint32_t inputs, carries, outputs;
  int64_t dim, steps;
  bool reverse;
} scan;

static mr_value *scalar_s32(mr_builder *b, int64_t value) {
  mr_type type = mr_type_scalar(MR_S32);
  return mr_build_splat_int(b, &type, value);
}

// The starting point of one step's share of a tensor: the step along the scanned dimension, 0 elsewhere.
static void start_at(mr_builder *b, const scan *s, mr_value *index, uint32_t rank, mr_value **out) {
  mr_value *zero = scalar_s32(b, 0);
  for (uint32_t d = 0; d < rank; d++) {
    out[d] = d == s->dim ? index : zero;
  }
}

static mr_value *take_step(mr_builder *b, const scan *s, mr_value *whole, const mr_type *share, mr_value *index) {
  mr_value *slice = mr_build_dynamic_slice_dim(b, whole, s->dim, index, 1);
  return slice ? mr_build_reshape(b, slice, share->rank, share->dims) : NULL;
}

static mr_value *put_step(mr_builder *b, const scan *s, mr_value *whole, mr_value *share, mr_value *index) {
  mr_value *starts[MR_MAX_RANK];
  int64_t sizes[MR_MAX_RANK];
  uint32_t rank = whole->type.rank;
  for (uint32_t d = 0; d < rank; d++) {
    sizes[d] = d == s->dim ? 1 : whole->type.dims[d];
  }
  start_at(b, s, index, rank, starts);
  return mr_build_dynamic_update_slice(b, whole, mr_build_reshape(b, share, rank, sizes), starts);
}

// The loop carries the step, the outputs, the carries; the inputs are seen from outside.
static void build_body(const scan *s, mr_op *loop) {
  mr_module *module = s->module;
  mr_block *body = loop->regions[1], *step = s->op->regions[0];
  mr_builder b = mr_builder_at_end(body);
  mr_value *at = body->args[0], *place = at;
  if (s->reverse) {
    place = mr_build_binary(&b, MR_OP_subtract, scalar_s32(&b, s->steps - 1), at);
  }
  mr_value_map *map = mr_value_map_create(module);
  for (uint32_t i = 0; i < s->inputs && map; i++) {
    mr_value *share = take_step(&b, s, mr_op_operand(s->op, i), &step->args[i]->type, place);
    mr_value_map_set(map, step->args[i], share);
  }
  for (uint32_t i = 0; i < s->carries && map; i++) {
    mr_value_map_set(map, step->args[s->inputs + i], body->args[1 + s->outputs + i]);
  }
  mr_value **next = mr_arena_array(&module->arena, mr_value *, loop->num_results + 1);
  if (module->out_of_memory || !map || !next || !mr_block_clone_into(&b, step, map)) {
    module->out_of_memory = true;
    return;
  }
  const mr_op *end = mr_block_terminator(step);
  next[0] = mr_build_binary(&b, MR_OP_add, at, scalar_s32(&b, 1));
  for (uint32_t i = 0; i < s->op->num_results; i++) {
    mr_value *given = mr_value_map_get(map, end->operands[i].value);
    next[1 + i] = i < s->outputs ? put_step(&b, s, body->args[1 + i], given, place) : given;
  }
  mr_build_return(&b, loop->num_results, next);
}

static void build_condition(const scan *s, mr_op *loop) {
  mr_builder b = mr_builder_at_end(loop->regions[0]);
  mr_value *more =
      mr_build_compare(&b, MR_COMPARE_LT, MR_COMPARE_SIGNED, loop->regions[0]->args[0], scalar_s32(&b, s->steps));
  mr_build_return(&b, 1, &more);
}

// What the step does when it folds its input into its carry, and gives that out: add, multiply, maximum or minimum.
static mr_op_kind folding(const scan *s) {
  const mr_block *step = s->op->regions[0];
  const mr_op *end = mr_block_terminator(step), *fold = mr_op_operand(end, 0)->def;
  if (s->inputs != 1 || s->carries != 1 || s->outputs != 1 || !fold || fold->num_operands != 2 ||
      mr_op_operand(end, 1) != &fold->results[0]) {
    return MR_OP_COUNT;
  }
  const mr_value *x = mr_op_operand(fold, 0), *y = mr_op_operand(fold, 1);
  bool both = (x == step->args[0] && y == step->args[1]) || (x == step->args[1] && y == step->args[0]);
  bool known = fold->kind == MR_OP_add || fold->kind == MR_OP_multiply || fold->kind == MR_OP_maximum ||
               fold->kind == MR_OP_minimum;
  mr_dtype dtype = s->op->results[0].type.dtype;
  bool plain = dtype == MR_F32 || dtype == MR_F64 || (mr_dtype_is_integer(dtype) && mr_dtype_bits(dtype) >= 8);
  return both && known && plain && !s->op->results[0].type.quant ? fold->kind : MR_OP_COUNT;
}

// What the carry is at first, as a scalar, when a window's padding may fold it in once more; else NULL.
static mr_value *neutral_start(mr_builder *b, const scan *s, mr_op_kind kind) {
  mr_type scalar = mr_type_scalar(s->op->results[0].type.dtype);
  uint8_t found[MR_SCALAR_BYTES] = {0}, wanted[MR_SCALAR_BYTES] = {0};
  mr_scalar_from_int(scalar.dtype, kind == MR_OP_multiply, wanted);
  bool any = kind == MR_OP_maximum || kind == MR_OP_minimum;
  if (!mr_value_splat(mr_op_operand(s->op, 1), found) ||
      (!any && memcmp(found, wanted, mr_dtype_bytes(scalar.dtype)) != 0)) {
    return NULL;
  }
  mr_dense dense = mr_dense_make(b->module, &scalar, found);
  return mr_build_constant(b, &dense);
}

// A scan that only folds is a window over all up to each element, which has a kernel of its own from that size on. NULL: it
// is something else.
static mr_value *cumulative(mr_builder *b, const scan *s) {
  mr_op_kind kind = folding(s);
  mr_value *x = mr_op_operand(s->op, 0), *start = NULL;
  if (kind != MR_OP_COUNT && s->steps >= MR_PASS_WINDOW_STEPS) {
    start = neutral_start(b, s, kind);
  }
  mr_op *op = start ? mr_build(b, MR_OP_reduce_window, 2, (mr_value *[]){x, start}, 1, &x->type, 1) : NULL;
  if (!op) {
    return NULL;
  }
  int64_t window[MR_MAX_RANK], ones[MR_MAX_RANK], padding[2 * MR_MAX_RANK];
  uint32_t rank = x->type.rank;
  for (uint32_t d = 0; d < rank; d++) {
    window[d] = d == s->dim ? s->steps : 1;
    ones[d] = 1;
    padding[2 * (size_t)d] = s->reverse ? 0 : window[d] - 1;
    padding[2 * d + 1] = s->reverse ? window[d] - 1 : 0;
  }
  mr_op_set_ints(b->module, op, MR_ATTR_window_dimensions, (mr_ints){window, rank});
  mr_op_set_ints(b->module, op, MR_ATTR_window_strides, (mr_ints){ones, rank});
  mr_op_set_ints(b->module, op, MR_ATTR_base_dilations, (mr_ints){ones, rank});
  mr_op_set_ints(b->module, op, MR_ATTR_window_dilations, (mr_ints){ones, rank});
  mr_op_set_ints(b->module, op, MR_ATTR_padding, (mr_ints){padding, 2 * (size_t)rank});
  mr_type scalar = mr_type_scalar(x->type.dtype);
  mr_value *before = mr_block_add_arg(b->module, op->regions[0], &scalar);
  mr_value *element = mr_block_add_arg(b->module, op->regions[0], &scalar);
  mr_builder inner = mr_builder_at_end(op->regions[0]);
  mr_value *folded = mr_build_binary(&inner, kind, before, element);
  mr_build_return(&inner, 1, &folded);
  return b->module->out_of_memory ? NULL : &op->results[0];
}

static mr_status describe(mr_op *op, scan *out) {
  scan s = {.op = op, .module = mr_op_module(op), .dim = mr_op_int(op, MR_ATTR_dimension, 0)};
  const mr_attr *size = mr_op_extra(op, "scan_dim_size");
  s.reverse = mr_op_int(op, MR_ATTR_is_reverse, 0) != 0;
  if (!mr_scan_segments(op, &s.inputs, &s.carries)) {
    return mr_unimplemented(op, "of this form");
  }
  s.outputs = op->num_results - s.carries;
  s.steps = s.inputs    ? op->operands[0].value->type.dims[s.dim]
            : s.outputs ? op->results[0].type.dims[s.dim]
                        : (size ? size->integer : 0);
  bool known = s.steps >= 0 && s.steps <= INT32_MAX;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    known = known && mr_type_is_static(&op->operands[i].value->type) && op->operands[i].value->type.rank < MR_MAX_RANK;
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    known = known && mr_type_is_static(&op->results[i].type) && op->results[i].type.rank < MR_MAX_RANK;
  }
  if (!known) {
    return mr_unimplemented(op, "of this size");
  }
  *out = s;
  return MR_OK;
}

mr_status mr_decompose_scan(mr_op *op, bool *out_changed) {
  scan s;
  MR_TRY(describe(op, &s));
  mr_module *module = s.module;
  mr_builder b = mr_builder_before(op);
  mr_value *folded = cumulative(&b, &s);
  MR_TRY(mr_module_memory(module));
  if (folded) {
    int64_t last = s.reverse ? 0 : s.steps - 1;
    const mr_type *carry = &op->results[1].type;
    mr_value *end = mr_build_slice_dim(&b, folded, (uint32_t)s.dim, last, last + 1);
    end = end ? mr_build_reshape(&b, end, carry->rank, carry->dims) : NULL;
    *out_changed = mr_replace_all(op, (mr_value *[]){folded, end});
    return mr_module_memory(module);
  }
  uint32_t slots = 1 + op->num_results;
  mr_value **start = mr_arena_array(&module->arena, mr_value *, slots);
  mr_type *types = mr_arena_array(&module->arena, mr_type, slots);
  if (!start || !types) {
    return MR_NO_MEMORY();
  }
  start[0] = scalar_s32(&b, 0);
  types[0] = mr_type_scalar(MR_S32);
  for (uint32_t i = 0; i < op->num_results; i++) {
    types[1 + i] = op->results[i].type;
    start[1 + i] =
        i < s.outputs ? mr_build_splat_int(&b, &types[1 + i], 0) : mr_op_operand(op, s.inputs + i - s.outputs);
  }
  if (s.steps == 0) {  // there is no step to take a share of
    MR_TRY(mr_module_memory(module));
    *out_changed = mr_replace_all(op, start + 1);
    return mr_module_memory(module);
  }
  mr_op *loop = mr_build(&b, MR_OP_while, slots, start, slots, types, 2);
  MR_TRY(mr_module_memory(module));
  for (uint32_t r = 0; r < 2; r++) {
    for (uint32_t i = 0; i < slots; i++) {
      (void)mr_block_add_arg(module, loop->regions[r], &types[i]);
    }
  }
  MR_TRY(mr_module_memory(module));
  build_condition(&s, loop);
  build_body(&s, loop);
  MR_TRY(mr_module_memory(module));
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value_replace_all_uses(&op->results[i], &loop->results[1 + i]);
  }
  mr_op_erase(op);
  *out_changed = true;
  return MR_OK;
}

// ---- ragged_dot ----------------------------------------------------------------------------------------------------

// Where each group starts: the sum of the sizes before it, along the last dimension.
static mr_value *group_starts(mr_builder *b, mr_value *sizes) {
  uint32_t rank = sizes->type.rank;
  int64_t dims[MR_MAX_RANK], map[MR_MAX_RANK], last = rank;
  memcpy(dims, sizes->type.dims, rank * sizeof *dims);
  dims[rank] = dims[rank - 1];
  for (uint32_t d = 0; d < rank; d++) {
    map[d] = d + 1 < rank ? d : rank;  // [.., group, summed]
  }
  mr_type square = mr_type_tensor(b->module, MR_S64, rank + 1, dims), scalar = mr_type_scalar(MR_S64);
  mr_value *spread = mr_build_broadcast(b, sizes, &square, (mr_ints){map, rank});
  mr_value *before = mr_build_compare(b, MR_COMPARE_LT, MR_COMPARE_SIGNED, mr_build_iota(b, &square, rank),
                                      mr_build_iota(b, &square, rank - 1));
  mr_value *counted = mr_build_select(b, before, spread, mr_build_splat_int(b, &square, 0));
  return mr_build_reduce(b, MR_OP_add, counted, mr_build_splat_int(b, &scalar, 0), (mr_ints){&last, 1});
}

// The left operand once for each group, with zeros where the ragged dimension is not in the group: [group, lhs...].
static mr_value *masked_lhs(mr_builder *b, const mr_op *op, int64_t ragged) {
  mr_value *x = mr_op_operand(op, 0), *sizes = mr_build_convert(b, mr_op_operand(op, 2), MR_S64);
  if (!sizes) {
    return NULL;
  }
  uint32_t rank = x->type.rank, sizes_rank = sizes->type.rank;
  int64_t dims[MR_MAX_RANK], own[MR_MAX_RANK], map[MR_MAX_RANK], prefix[2 * MR_MAX_RANK];
  dims[0] = sizes->type.dims[sizes_rank - 1];
  for (uint32_t d = 0; d < rank; d++) {
    dims[1 + d] = x->type.dims[d];
    own[d] = 1 + d;
  }
  (void)mr_ragged_prefix(op, ragged, prefix);
  for (uint32_t d = 0; d < sizes_rank; d++) {
    map[d] = d + 1 < sizes_rank ? 1 + prefix[d] : 0;
  }
  // The map of a broadcast may be in any order; ours only handles the dims it names.
  mr_type wide = mr_type_tensor(b->module, MR_S64, rank + 1, dims);
  mr_type values = mr_type_with_dtype(&wide, x->type.dtype);
  mr_value *starts = group_starts(b, sizes);
  mr_value *ends = mr_build_binary(b, MR_OP_add, starts, sizes);
  mr_ints places = {map, sizes_rank};
  if (!ends) {
    return NULL;
  }
  mr_value *row = mr_build_iota(b, &wide, 1 + ragged);
  mr_value *inside = mr_build_binary(
      b, MR_OP_and,
      mr_build_compare(b, MR_COMPARE_GE, MR_COMPARE_SIGNED, row, mr_build_broadcast(b, starts, &wide, places)),
      mr_build_compare(b, MR_COMPARE_LT, MR_COMPARE_SIGNED, row, mr_build_broadcast(b, ends, &wide, places)));
  return mr_build_select(b, inside, mr_build_broadcast(b, x, &values, (mr_ints){own, rank}),
                         mr_build_splat_int(b, &values, 0));
}

static mr_ints moved_by_one(mr_ints ints, int64_t *out) {
  for (size_t i = 0; i < ints.size; i++) {
    out[i] = ints.data[i] + 1;
  }
  return (mr_ints){out, ints.size};
}

static mr_value *plain_dot(mr_builder *b, const mr_op *op, mr_value *x, const mr_type *type, mr_ints lb, mr_ints lc,
                           mr_ints rc) {
  mr_op *dot = x ? mr_build(b, MR_OP_dot_general, 2, (mr_value *[]){x, mr_op_operand(op, 1)}, 1, type, 0) : NULL;
  if (!dot) {
    return NULL;
  }
  const mr_attr *precision = mr_op_attr(op, MR_ATTR_precision_config);
  if (precision) {
    (void)mr_op_set_attr(b->module, dot, *precision);
  }
  mr_op_set_ints(b->module, dot, MR_ATTR_lhs_batching_dimensions, lb);
  mr_op_set_ints(b->module, dot, MR_ATTR_rhs_batching_dimensions, mr_op_ints(op, MR_ATTR_rhs_batching_dimensions));
  mr_op_set_ints(b->module, dot, MR_ATTR_lhs_contracting_dimensions, lc);
  mr_op_set_ints(b->module, dot, MR_ATTR_rhs_contracting_dimensions, rc);
  return &dot->results[0];
}

mr_status mr_decompose_ragged_dot(mr_op *op, bool *out_changed) {
  mr_module *module = mr_op_module(op);
  const mr_type *type = &op->results[0].type, *a = &op->operands[0].value->type;
  const mr_type *sizes = &op->operands[2].value->type;
  if (!mr_type_is_static(a) || !mr_type_is_static(&op->operands[1].value->type) || !mr_type_is_static(sizes)) {
    return mr_unimplemented(op, "of unknown sizes");
  }
  if (mr_dot_is_rows_by_group(op)) {
    return MR_OK;  // left to the library (compiler/choose/ragged.c)
  }
  if (a->rank + 1 > MR_MAX_RANK || sizes->rank + 1 > MR_MAX_RANK) {
    return mr_unimplemented(op, "of rank %u", a->rank);
  }
  mr_ints lb = mr_op_ints(op, MR_ATTR_lhs_batching_dimensions), lc = mr_op_ints(op, MR_ATTR_lhs_contracting_dimensions);
  mr_ints rc = mr_op_ints(op, MR_ATTR_rhs_contracting_dimensions);
  int64_t ragged = mr_op_extra(op, "lhs_ragged_dimensions")->ints.data[0];
  mr_builder b = mr_builder_before(op);
  mr_value *value;
  int64_t left[MR_MAX_RANK], right[MR_MAX_RANK + 1], contracted[MR_MAX_RANK + 1];
  if (mr_ints_has(lb, ragged)) {  // groups of whole matrices: each pair is its own product anyway
    value = plain_dot(&b, op, mr_op_operand(op, 0), type, lb, lc, rc);
  } else if (mr_ints_has(lc, ragged)) {  // [batch, group, m, n], and the groups to the front
    int64_t dims[MR_MAX_RANK], order[MR_MAX_RANK];
    for (uint32_t d = 0; d < type->rank; d++) {
      uint32_t from = d == 0 ? (uint32_t)lb.size : d <= lb.size ? d - 1 : d;
      order[d] = from;
      dims[from] = type->dims[d];
    }
    mr_type batched = mr_type_tensor(module, type->dtype, type->rank, dims);
    value = plain_dot(&b, op, masked_lhs(&b, op, ragged), &batched, moved_by_one(lb, left),
                      moved_by_one(lc, contracted), rc);
    value = value ? mr_build_transpose(&b, value, order) : NULL;
  } else {  // the groups are contracted too: all but one are zero
    (void)moved_by_one(lc, contracted);
    if (rc.size) {
      memcpy(right, rc.data, rc.size * sizeof *right);
    }
    contracted[lc.size] = 0;
    right[rc.size] = mr_op_extra(op, "rhs_group_dimensions")->ints.data[0];
    value = plain_dot(&b, op, masked_lhs(&b, op, ragged), type, moved_by_one(lb, left),
                      (mr_ints){contracted, lc.size + 1}, (mr_ints){right, rc.size + 1});
  }
  MR_TRY(mr_module_memory(module));
  *out_changed = mr_replace(op, value);
  return mr_module_memory(module);
}
