// Ops as instructions of HLO: the table, and those that need no more than their operands and a list or two.
#include <string.h>

#include "compiler/writer/hlo_put.h"

// ---- Lists and numbers of an op ------------------------------------------------------------------------------------------

static void set_dimensions(hlo_put *p, mr_attr_key key) {
  mr_ints ints = mr_op_ints(p->op, key);
  p->proto.n_dimensions = ints.size;
  p->proto.dimensions = (int64_t *)ints.data;
}

static mr_status with_dimensions(hlo_put *p, mr_attr_key key) {
  set_dimensions(p, key);
  return mr_put_finish(p);
}
static mr_status put_transpose(hlo_put *p) { return with_dimensions(p, MR_ATTR_permutation); }
static mr_status put_reverse(hlo_put *p) { return with_dimensions(p, MR_ATTR_dimensions); }

static mr_status with_dimension(hlo_put *p, mr_attr_key key) {
  int64_t dimension = mr_op_int(p->op, key, 0);
  p->proto.n_dimensions = 1;
  p->proto.dimensions = &dimension;
  return mr_put_finish(p);
}
static mr_status put_iota(hlo_put *p) { return with_dimension(p, MR_ATTR_iota_dimension); }
static mr_status put_along(hlo_put *p) { return with_dimension(p, MR_ATTR_dimension); }

static mr_status put_plain(hlo_put *p) { return mr_put_finish(p); }

// ---- Constants and broadcasts --------------------------------------------------------------------------------------------

static mr_status put_constant(hlo_put *p) {
  const mr_dense *dense = mr_value_constant(&p->op->results[0]);
  int64_t id;
  if (!dense) {
    return mr_put_opaque(p);
  }
  MR_TRY(mr_put_constant(p->writer, dense, &p->proto, &id));
  return mr_put_results(p->writer, p->op, id);
}

static mr_status reshape(hlo_writer *w, int64_t operand, const mr_type *type, int64_t *out_id) {
  return mr_put_plain(w, "reshape", type, 1, &operand, out_id);
}

mr_status mr_put_broadcast(hlo_writer *w, int64_t operand, const mr_type *from, const mr_type *to, mr_ints dims,
                           int64_t *out_id) {
  int64_t kept_dims[MR_MAX_RANK], kept[MR_MAX_RANK];
  mr_type narrow = {.kind = MR_TYPE_TENSOR, .dtype = from->dtype, .dims = kept_dims};
  for (uint32_t i = 0; i < from->rank; i++) {
    if (from->dims[i] == to->dims[dims.data[i]]) {
      kept[narrow.rank] = dims.data[i];
      kept_dims[narrow.rank++] = from->dims[i];
    }
  }
  if (narrow.rank < from->rank) {
    MR_TRY(reshape(w, operand, &narrow, &operand));
  }
  hlo_instruction proto = MILLRACE__HLO__INSTRUCTION__INIT;
  proto.opcode = "broadcast";
  proto.n_operand_ids = 1;
  proto.operand_ids = &operand;
  proto.n_dimensions = narrow.rank;
  proto.dimensions = kept;
  return mr_put_emit(w, &proto, to, out_id);
}

// Sizes that are one become the result's: that takes a reshape in front.
static bool is_spread(const mr_op *op) {
  mr_ints dims = mr_op_ints(op, MR_ATTR_broadcast_dimensions);
  const mr_type *from = &mr_op_operand(op, 0)->type, *to = &op->results[0].type;
  for (uint32_t i = 0; i < from->rank; i++) {
    if (from->dims[i] != to->dims[dims.data[i]]) {
      return true;
    }
  }
  return false;
}

static mr_status put_broadcast_in_dim(hlo_put *p) {
  mr_op *op = p->op;
  const mr_value *x = mr_op_operand(op, 0);
  int64_t id;
  if (!is_spread(op)) {
    return with_dimensions(p, MR_ATTR_broadcast_dimensions);
  }
  if (!mr_type_is_static(&x->type)) {
    return mr_put_opaque(p);
  }
  mr_ints dims = mr_op_ints(op, MR_ATTR_broadcast_dimensions);
  MR_TRY(mr_put_broadcast(p->writer, mr_put_id(p->writer, x), &x->type, &op->results[0].type, dims, &id));
  return mr_put_results(p->writer, op, id);
}

// In front of the operand's own dimensions.
static mr_status put_broadcast(hlo_put *p) {
  uint32_t rank = mr_op_operand(p->op, 0)->type.rank, whole = p->op->results[0].type.rank;
  int64_t dims[MR_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) {
    dims[i] = whole - rank + i;
  }
  p->proto.n_dimensions = rank;
  p->proto.dimensions = dims;
  return mr_put_finish(p);
}

// HLO wants one shape; StableHLO takes a scalar in some places.
static mr_status put_spread_scalars(hlo_put *p) {
  const mr_type *whole = &p->op->results[0].type;
  if (!mr_type_is_static(whole)) {
    return mr_put_opaque(p);
  }
  for (uint32_t i = 0; i < p->op->num_operands; i++) {
    const mr_type *type = &mr_op_operand(p->op, i)->type;
    if (type->rank == whole->rank) {
      continue;
    }
    mr_type spread = mr_type_with_dtype(whole, type->dtype);
    MR_TRY(mr_put_broadcast(p->writer, p->proto.operand_ids[i], type, &spread, (mr_ints){0}, &p->proto.operand_ids[i]));
  }
  return mr_put_finish(p);
}

// ---- Small handlers --------------------------------------------------------------------------------------------------------

static mr_status put_compare(hlo_put *p) {
  static char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  static char *const types[] = {"", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
  size_t direction = (size_t)mr_op_int(p->op, MR_ATTR_comparison_direction, MR_COMPARE_EQ);
  size_t type = (size_t)mr_op_int(p->op, MR_ATTR_compare_type, MR_COMPARE_NOTYPE);
  if (direction >= MR_ARRAY_SIZE(directions) || type >= MR_ARRAY_SIZE(types)) {
    return mr_put_opaque(p);
  }
  p->proto.comparison_direction = directions[direction];
  p->proto.comparison_type = types[type];
  return mr_put_finish(p);
}

static mr_status put_reduce_precision(hlo_put *p) {
  p->proto.exponent_bits = (int32_t)mr_op_int(p->op, MR_ATTR_exponent_bits, 0);
  p->proto.mantissa_bits = (int32_t)mr_op_int(p->op, MR_ATTR_mantissa_bits, 0);
  return mr_put_finish(p);
}

static mr_status put_batch_norm(hlo_put *p) {
  const mr_attr *epsilon = mr_op_attr(p->op, MR_ATTR_epsilon);
  p->proto.epsilon = epsilon && epsilon->kind == MR_ATTR_FLOAT ? (float)epsilon->number : 0;
  p->proto.feature_index = mr_op_int(p->op, MR_ATTR_feature_index, 0);
  return mr_put_finish(p);
}

static mr_status put_cholesky(hlo_put *p) {
  Millrace__Hlo__Cholesky options = MILLRACE__HLO__CHOLESKY__INIT;
  options.lower = mr_op_int(p->op, MR_ATTR_lower, 0) != 0;
  p->proto.cholesky_options = &options;
  return mr_put_finish(p);
}

static mr_status put_triangular_solve(hlo_put *p) {
  Millrace__Hlo__TriangularSolve options = MILLRACE__HLO__TRIANGULAR_SOLVE__INIT;
  options.left_side = mr_op_int(p->op, MR_ATTR_left_side, 0) != 0;
  options.lower = mr_op_int(p->op, MR_ATTR_lower, 0) != 0;
  options.unit_diagonal = mr_op_int(p->op, MR_ATTR_unit_diagonal, 0) != 0;
  options.transpose_a = (int32_t)mr_op_int(p->op, MR_ATTR_transpose_a, 1);
  p->proto.triangular_solve_options = &options;
  return mr_put_finish(p);
}

static mr_status put_fft(hlo_put *p) {
  mr_ints length = mr_op_ints(p->op, MR_ATTR_fft_length);
  p->proto.fft_type = (int32_t)mr_op_int(p->op, MR_ATTR_fft_type, 0);
  p->proto.n_fft_length = length.size;
  p->proto.fft_length = (int64_t *)length.data;
  return mr_put_finish(p);
}

static mr_status put_top_k(hlo_put *p) {
  p->proto.k = mr_op_int(p->op, MR_ATTR_k, 0);
  p->proto.largest = true;
  return mr_put_finish(p);
}

static mr_status put_dynamic_slice(hlo_put *p) {
  mr_ints sizes = mr_op_ints(p->op, MR_ATTR_slice_sizes);
  p->proto.n_dynamic_slice_sizes = sizes.size;
  p->proto.dynamic_slice_sizes = (int64_t *)sizes.data;
  return mr_put_finish(p);
}

// The shape is that of the result.
static mr_status put_rng(hlo_put *p) {
  if (!mr_type_is_static(&p->op->results[0].type)) {
    return mr_put_opaque(p);
  }
  p->proto.n_operand_ids = 2;
  p->proto.distribution = (int32_t)mr_op_int(p->op, MR_ATTR_rng_distribution, 1);
  return mr_put_finish(p);
}

static mr_status put_rng_bit_generator(hlo_put *p) {
  p->proto.rng_algorithm = (int32_t)mr_op_int(p->op, MR_ATTR_rng_algorithm, 0);
  return mr_put_finish(p);
}

static mr_status put_square(hlo_put *p) {
  int64_t both[] = {p->proto.operand_ids[0], p->proto.operand_ids[0]};
  p->proto.n_operand_ids = 2;
  p->proto.operand_ids = both;
  return mr_put_finish(p);
}

// The imaginary part the other way round; what has none stays.
static mr_status put_conj(hlo_put *p) {
  const mr_type *type = &p->op->results[0].type;
  const mr_type part = mr_type_with_dtype(type, mr_dtype_real(type->dtype));
  int64_t x = p->proto.operand_ids[0], parts[2];
  if (!mr_dtype_is_complex(type->dtype)) {
    return mr_put_results(p->writer, p->op, x);
  }
  MR_TRY(mr_put_plain(p->writer, "real", &part, 1, &x, &parts[0]));
  MR_TRY(mr_put_plain(p->writer, "imag", &part, 1, &x, &parts[1]));
  MR_TRY(mr_put_plain(p->writer, "negate", &part, 1, &parts[1], &parts[1]));
  p->proto.n_operand_ids = 2;
  p->proto.operand_ids = parts;
  return mr_put_finish(p);
}

static mr_status put_get_tuple_element(hlo_put *p) {
  p->proto.tuple_index = mr_op_int(p->op, MR_ATTR_index, 0);
  return mr_put_finish(p);
}

// What a future stands for has come to be already: its tuple.
static mr_status put_async_done(hlo_put *p) {
  const mr_type *future = &mr_op_operand(p->op, 0)->type;
  for (uint32_t i = 0; i < p->op->num_results && i < future->rank; i++) {
    int64_t id;
    MR_TRY(mr_put_element(p->writer, p->proto.operand_ids[0], i, &future->elements[i], &id));
    mr_put_bind(p->writer, &p->op->results[i], id);
  }
  return MR_OK;
}

// ---- Handlers with regions -------------------------------------------------------------------------------------------------

static mr_status put_reduce(hlo_put *p) {
  set_dimensions(p, MR_ATTR_dimensions);
  return mr_put_with_regions(p);
}
static mr_status put_map(hlo_put *p) { return put_reduce(p); }

static mr_status put_sort(hlo_put *p) {
  int64_t dimension = mr_op_int(p->op, MR_ATTR_dimension, -1);
  dimension += dimension < 0 ? mr_op_operand(p->op, 0)->type.rank : 0;
  p->proto.n_dimensions = 1;
  p->proto.dimensions = &dimension;
  p->proto.is_stable = mr_op_int(p->op, MR_ATTR_is_stable, 0) != 0;
  return mr_put_with_regions(p);
}

// Handlers of the other files.
#define FORWARD(name, function) \
  static mr_status put_##name(hlo_put *p) { return function(p); }
FORWARD(convolution, mr_put_convolution)
FORWARD(ragged_dot, mr_put_ragged_dot)
FORWARD(gather, mr_put_gather)
FORWARD(slice, mr_put_slice)
FORWARD(pad, mr_put_pad)
FORWARD(dynamic_update_slice, mr_put_finish)
FORWARD(dynamic_reshape, mr_put_dynamic_reshape)
FORWARD(reduce_window, mr_put_reduce_window)
FORWARD(select_and_scatter, mr_put_select_and_scatter)
FORWARD(scatter, mr_put_scatter)
FORWARD(collective, mr_put_collective)
FORWARD(while_loop, mr_put_while)
FORWARD(call, mr_put_call)
FORWARD(scan, mr_put_scan)
FORWARD(custom_call, mr_put_custom_call)
FORWARD(infeed, mr_put_infeed)
FORWARD(outfeed, mr_put_outfeed)
FORWARD(send, mr_put_send)
FORWARD(recv, mr_put_recv)
#undef FORWARD

// ---- The table -------------------------------------------------------------------------------------------------------------

typedef struct opcode {
  const char *name;
  mr_status (*put)(hlo_put *p);  // NULL: none
} opcode;

// Those whose opcode is called as they are: the column of ops.def.
#define AS_NONE NULL
#define AS_RENAMED NULL
#define AS_PLAIN put_plain
#define AS_READ(f) put_##f
#define AS_TUPLES(f) put_##f
static const opcode same_names[MR_OP_COUNT] = {
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, ...) \
  [MR_OP_##name] = {#name, AS_##hlo},
#include "ops/ops.def"
};

// Those with another name or another form. What is in neither list is a custom call.
static const opcode other_names[MR_OP_COUNT] = {
    [MR_OP_all_to_all] = {"all-to-all", mr_put_all_to_all},
    [MR_OP_async_done] = {"get-tuple-element", put_async_done},
    [MR_OP_async_start] = {"call", mr_put_async_start},
    [MR_OP_broadcast] = {"broadcast", put_broadcast},
    [MR_OP_broadcast_in_dim] = {"broadcast", put_broadcast_in_dim},
    [MR_OP_case] = {"conditional", mr_put_conditional},
    [MR_OP_clamp] = {"clamp", put_spread_scalars},
    [MR_OP_collective_permute] = {"collective-permute", mr_put_pairs},
    [MR_OP_conj] = {"complex", put_conj},
    [MR_OP_composite] = {"call", mr_put_composite},
    [MR_OP_create_token] = {"after-all", put_plain},
    [MR_OP_dot] = {"dot", mr_put_dot},
    [MR_OP_dot_general] = {"dot", mr_put_dot_general},
    [MR_OP_fusion] = {"fusion", mr_put_fusion},
    [MR_OP_get_tuple_element] = {"get-tuple-element", put_get_tuple_element},
    [MR_OP_if] = {"conditional", mr_put_conditional},
    [MR_OP_optimization_barrier] = {"opt-barrier", mr_put_barrier},
    [MR_OP_sdy_manual_computation] = {"call", mr_put_manual},
    [MR_OP_sdy_sharding_group] = {"custom-call", mr_put_group},
    [MR_OP_sdy_sharding_constraint] = {"custom-call", mr_put_constraint},
    [MR_OP_select] = {"select", put_spread_scalars},
    [MR_OP_square] = {"multiply", put_square},
    [MR_OP_top_k] = {"topk", put_top_k},
    [MR_OP_tuple] = {"tuple", put_plain},
};

static bool has_foreign(const mr_op *op) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (mr_put_is_foreign(&op->operands[i].value->type)) {
      return true;
    }
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (mr_put_is_foreign(&op->results[i].type)) {
      return true;
    }
  }
  return false;
}

static mr_status fill_in(hlo_put *p) {
  const mr_op *op = p->op;
  p->proto.n_operand_ids = op->num_operands;
  p->proto.operand_ids = mr_arena_array(&p->writer->arena, int64_t, op->num_operands + 1);
  if (!p->proto.operand_ids) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    p->proto.operand_ids[i] = mr_put_id(p->writer, mr_op_operand(op, i));
  }
  MR_TRY(mr_put_metadata(p->writer, op, &p->proto));
  ProtobufCBinaryData sharding = {0};
  MR_TRY(mr_put_extra(p->writer, op->extra, &sharding, &p->proto.frontend_attributes));
  return mr_put_said_sharding(p->writer, sharding, &p->proto);
}

mr_status mr_put_op(hlo_writer *w, mr_op *op) {
  hlo_put p = {.writer = w, .op = op, .proto = MILLRACE__HLO__INSTRUCTION__INIT};
  const opcode *found = other_names[op->kind].put ? &other_names[op->kind] : &same_names[op->kind];
  char name[64];
  size_t size = 0;
  MR_TRY(fill_in(&p));
  if (!found->put || has_foreign(op)) {
    return mr_put_opaque(&p);
  }
  for (; found->name[size] && size + 1 < sizeof name; size++) {
    name[size] = found->name[size] == '_' ? '-' : found->name[size];
  }
  name[size] = '\0';
  p.proto.opcode = name;
  return found->put(&p);
}
