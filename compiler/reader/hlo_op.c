// Instructions of HLO: the table of opcodes, and those that need no more than their operands and a list or two.
#include <string.h>

#include "compiler/reader/hlo.h"

// ---- Drafts --------------------------------------------------------------------------------------------------------------

mr_builder mr_hlo_builder(const hlo_context *c) { return mr_builder_at_end(c->reader->block); }

mr_status mr_hlo_ints(hlo_context *c, mr_draft *draft, mr_attr_key key, const int64_t *values, size_t count,
                      int64_t rows) {
  if (count > MR_READ_INTS) {
    return mr_error(MR_INVALID_ARGUMENT, "%s has %zu integers, at most %d are supported", mr_attr_key_name(key), count,
                    MR_READ_INTS);
  }
  int64_t *copy = mr_arena_array(c->reader->arena, int64_t, count + 1);
  if (!copy) {
    return MR_NO_MEMORY();
  }
  if (count) {
    memcpy(copy, values, count * sizeof(int64_t));
  }
  mr_draft_ints(draft, key, (mr_ints){copy, count}, rows);
  return MR_OK;
}

mr_status mr_hlo_operands(hlo_context *c, uint32_t first, uint32_t count, mr_draft *draft) {
  size_t room = draft->num_operands;
  for (uint32_t i = first; i < first + count && i < c->num_operands; i++) {
    room += c->operands[i]->num_leaves;
  }
  mr_value **operands = mr_arena_array(&c->reader->locals, mr_value *, room + 1);
  if (!operands || room >= UINT32_MAX) {
    return MR_NO_MEMORY();
  }
  if (draft->num_operands) {
    memcpy(operands, draft->operands, draft->num_operands * sizeof(mr_value *));
  }
  draft->operands = operands;
  for (uint32_t i = first; i < first + count && i < c->num_operands; i++) {
    for (uint32_t k = 0; k < c->operands[i]->num_leaves; k++) {
      draft->operands[draft->num_operands++] = c->operands[i]->leaves[k];
    }
  }
  return MR_OK;
}

mr_status mr_hlo_draft(hlo_context *c, mr_op_kind kind, mr_draft *out_draft) {
  hlo_reader *r = c->reader;
  uint32_t results = mr_hlo_leaf_count(&c->type);
  mr_type *types = mr_arena_array(&r->locals, mr_type, results + 1);
  if (!types) {
    return MR_NO_MEMORY();
  }
  mr_hlo_leaf_types(&c->type, types);
  *out_draft = (mr_draft){.module = r->module,
                          .scratch = &r->locals,
                          .block = r->block,
                          .name = mr_str_of(mr_op_table[kind].spelling),
                          .kind = kind,
                          .num_results = results,
                          .results = types};
  return mr_hlo_operands(c, 0, c->num_operands, out_draft);
}

mr_status mr_hlo_finish(hlo_context *c, mr_draft *draft) {
  mr_op *op;
  MR_TRY(mr_draft_finish(draft, &op));
  MR_TRY(mr_hlo_say_sharding(c, op));
  c->num_leaves = op->num_results;
  c->leaves = mr_arena_array(&c->reader->locals, mr_value *, op->num_results + 1);
  if (!c->leaves) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    c->leaves[i] = mr_op_result(op, i);
  }
  return MR_OK;
}

mr_status mr_hlo_alias(hlo_context *c, const hlo_value *value) {
  c->leaves = value->leaves;
  c->num_leaves = value->num_leaves;
  return MR_OK;
}

mr_status mr_hlo_single(hlo_context *c, mr_value *value) {
  MR_TRY(mr_module_memory(c->reader->module));
  c->leaves = mr_arena_new(&c->reader->locals, mr_value *);
  if (!c->leaves) {
    return MR_NO_MEMORY();
  }
  c->leaves[0] = value;
  c->num_leaves = 1;
  return MR_OK;
}

// ---- Small handlers ------------------------------------------------------------------------------------------------------

static mr_status plain(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  return mr_hlo_finish(c, &draft);
}

// What only matters to XLA's own passes.
static mr_status identity(hlo_context *c, mr_op_kind kind) {
  (void)kind;
  if (c->num_operands == 0) {
    return mr_error(MR_INVALID_ARGUMENT, "no operands, wanted one");
  }
  return mr_hlo_alias(c, c->operands[0]);
}

static mr_status parameter(hlo_context *c, mr_op_kind kind) {
  (void)kind;
  (void)c;
  return MR_OK;  // hlo_module.c bound the arguments before the first instruction
}

static mr_status tuple(hlo_context *c, mr_op_kind kind) {
  (void)kind;
  mr_draft draft = {0};
  MR_TRY(mr_hlo_operands(c, 0, c->num_operands, &draft));
  c->leaves = draft.operands;
  c->num_leaves = draft.num_operands;
  return MR_OK;
}

static mr_status get_tuple_element(hlo_context *c, mr_op_kind kind) {
  (void)kind;
  uint32_t leaf;
  if (c->num_operands != 1 || !mr_hlo_leaf_at(&c->operands[0]->type, &c->proto->tuple_index, 1, &leaf)) {
    return mr_error(MR_INVALID_ARGUMENT, "element %lld of something that has none of that number",
                    (long long)c->proto->tuple_index);
  }
  c->leaves = c->operands[0]->leaves + leaf;
  c->num_leaves = mr_hlo_leaf_count(&c->operands[0]->type.elements[c->proto->tuple_index]);
  return MR_OK;
}

// One list of dimensions under the op's own name for it.
static mr_status with_dimensions(hlo_context *c, mr_op_kind kind, mr_attr_key key) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  MR_TRY(mr_hlo_ints(c, &draft, key, c->proto->dimensions, c->proto->n_dimensions, -1));
  return mr_hlo_finish(c, &draft);
}
static mr_status broadcast(hlo_context *c, mr_op_kind kind) {
  return with_dimensions(c, kind, MR_ATTR_broadcast_dimensions);
}
static mr_status transpose(hlo_context *c, mr_op_kind kind) { return with_dimensions(c, kind, MR_ATTR_permutation); }
static mr_status reverse(hlo_context *c, mr_op_kind kind) { return with_dimensions(c, kind, MR_ATTR_dimensions); }

static mr_status one_dimension(hlo_context *c, int64_t *out) {
  if (c->proto->n_dimensions != 1) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu dimensions, wanted one", c->proto->n_dimensions);
  }
  *out = c->proto->dimensions[0];
  return MR_OK;
}

static mr_status with_dimension(hlo_context *c, mr_op_kind kind, mr_attr_key key) {
  mr_draft draft;
  int64_t dimension;
  MR_TRY(one_dimension(c, &dimension));
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  mr_draft_int(&draft, key, dimension);
  return mr_hlo_finish(c, &draft);
}
static mr_status iota(hlo_context *c, mr_op_kind kind) { return with_dimension(c, kind, MR_ATTR_iota_dimension); }
static mr_status along(hlo_context *c, mr_op_kind kind) { return with_dimension(c, kind, MR_ATTR_dimension); }

static mr_status compare(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  // Without a type of its own the comparison goes by the element type.
  mr_str type = mr_str_of(c->proto->comparison_type);
  mr_draft_string(&draft, MR_ATTR_compare_type, type.size ? type : MR_STR("NOTYPE"));
  mr_draft_string(&draft, MR_ATTR_comparison_direction, mr_str_of(c->proto->comparison_direction));
  return mr_hlo_finish(c, &draft);
}

static mr_status reduce_precision(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  mr_draft_int(&draft, MR_ATTR_exponent_bits, c->proto->exponent_bits);
  mr_draft_int(&draft, MR_ATTR_mantissa_bits, c->proto->mantissa_bits);
  return mr_hlo_finish(c, &draft);
}

static mr_status batch_norm(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  const mr_attr epsilon = {.kind = MR_ATTR_FLOAT, .dtype = MR_F32, .number = (double)c->proto->epsilon};
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  mr_draft_keyed(&draft, MR_ATTR_epsilon, &epsilon);
  mr_draft_int(&draft, MR_ATTR_feature_index, c->proto->feature_index);
  return mr_hlo_finish(c, &draft);
}

static mr_status cholesky(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  mr_draft_int(&draft, MR_ATTR_lower, c->proto->cholesky_options && c->proto->cholesky_options->lower);
  return mr_hlo_finish(c, &draft);
}

static mr_status triangular_solve(hlo_context *c, mr_op_kind kind) {
  static const Millrace__Hlo__TriangularSolve none = MILLRACE__HLO__TRIANGULAR_SOLVE__INIT;
  const Millrace__Hlo__TriangularSolve *o = c->proto->triangular_solve_options;
  mr_draft draft;
  o = o ? o : &none;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  mr_draft_int(&draft, MR_ATTR_left_side, o->left_side);
  mr_draft_int(&draft, MR_ATTR_lower, o->lower);
  mr_draft_int(&draft, MR_ATTR_transpose_a, o->transpose_a);
  mr_draft_int(&draft, MR_ATTR_unit_diagonal, o->unit_diagonal);
  return mr_hlo_finish(c, &draft);
}

static mr_status fft(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  mr_draft_int(&draft, MR_ATTR_fft_type, c->proto->fft_type);
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_fft_length, c->proto->fft_length, c->proto->n_fft_length, -1));
  return mr_hlo_finish(c, &draft);
}

// The sizes come as scalars, StableHLO's as one list. The declared type has their bounds.
static mr_status dynamic_reshape(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  mr_module *module = c->reader->module;
  mr_builder b = mr_hlo_builder(c);
  uint32_t rank = c->type.rank;
  if (c->type.kind != MR_TYPE_TENSOR || rank == 0 || c->num_operands != rank + 1) {
    return mr_error(MR_INVALID_ARGUMENT, "%u operands, wanted an array and a size for each dimension", c->num_operands);
  }
  mr_value *sizes[MR_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) {
    sizes[i] = mr_build_reshape(&b, mr_build_convert(&b, c->operands[i + 1]->leaves[0], MR_S32), 1, (int64_t[]){1});
  }
  const mr_type list = mr_type_tensor(module, MR_S32, 1, (int64_t[]){rank});
  mr_op *shape = mr_build(&b, MR_OP_concatenate, rank, sizes, 1, &list, 0);
  MR_TRY(mr_module_memory(module));
  mr_op_set_int(module, shape, MR_ATTR_dimension, 0);
  c->num_operands = 1;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  draft.operands[draft.num_operands++] = mr_op_result(shape, 0);  // mr_hlo_draft leaves room for one more
  return mr_hlo_finish(c, &draft);
}

static mr_status top_k(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  if (!c->proto->largest) {
    return mr_hlo_bottom_k(c);
  }
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  mr_draft_int(&draft, MR_ATTR_k, c->proto->k);
  return mr_hlo_finish(c, &draft);
}

// ---- Handlers with regions -------------------------------------------------------------------------------------------------

static mr_status reduce(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_dimensions, c->proto->dimensions, c->proto->n_dimensions, -1));
  return mr_hlo_with_regions(c, &draft, 1);
}

static mr_status reduce_window(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  MR_TRY(mr_hlo_window_attrs(c, &draft, true));
  return mr_hlo_with_regions(c, &draft, 1);
}

static mr_status select_and_scatter(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  MR_TRY(mr_hlo_window_attrs(c, &draft, false));
  return mr_hlo_with_regions(c, &draft, 2);
}

static mr_status scatter(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  MR_TRY(mr_hlo_scatter_attrs(c, &draft));
  return mr_hlo_with_regions(c, &draft, 1);
}

static mr_status sort(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  int64_t dimension;
  MR_TRY(one_dimension(c, &dimension));
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  mr_draft_int(&draft, MR_ATTR_dimension, dimension);
  mr_draft_int(&draft, MR_ATTR_is_stable, c->proto->is_stable);
  return mr_hlo_with_regions(c, &draft, 1);
}

static mr_status map(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  MR_TRY(mr_hlo_ints(c, &draft, MR_ATTR_dimensions, c->proto->dimensions, c->proto->n_dimensions, -1));
  return mr_hlo_with_regions(c, &draft, 1);
}

static mr_status scan(hlo_context *c, mr_op_kind kind) {
  mr_draft draft;
  MR_TRY(mr_hlo_draft(c, kind, &draft));
  MR_TRY(mr_hlo_scan_attrs(c, &draft));
  return mr_hlo_with_regions(c, &draft, 1);
}

// Handlers of the other files take no kind.
#define FORWARD(name, function)                            \
  static mr_status name(hlo_context *c, mr_op_kind kind) { \
    (void)kind;                                            \
    return function(c);                                    \
  }
FORWARD(constant, mr_hlo_constant)
FORWARD(convolution, mr_hlo_convolution)
FORWARD(dot, mr_hlo_dot)
FORWARD(ragged_dot, mr_hlo_ragged_dot)
FORWARD(gather, mr_hlo_gather)
FORWARD(slice, mr_hlo_slice)
FORWARD(pad, mr_hlo_pad)
FORWARD(dynamic_slice, mr_hlo_dynamic_slice)
FORWARD(dynamic_update_slice, mr_hlo_dynamic_update_slice)
FORWARD(bitcast, mr_hlo_bitcast)
FORWARD(call, mr_hlo_call)
FORWARD(while_loop, mr_hlo_while)
FORWARD(conditional, mr_hlo_conditional)
FORWARD(custom_call, mr_hlo_custom_call)
#undef FORWARD
#define FORWARD(name, function) \
  static mr_status name(hlo_context *c, mr_op_kind kind) { return function(c, kind); }
FORWARD(rng, mr_hlo_rng)
FORWARD(rng_bit_generator, mr_hlo_rng_bit_generator)
FORWARD(infeed, mr_hlo_infeed)
FORWARD(outfeed, mr_hlo_outfeed)
FORWARD(send, mr_hlo_send)
FORWARD(recv, mr_hlo_recv)
FORWARD(collective, mr_hlo_collective)
#undef FORWARD

// ---- The table -------------------------------------------------------------------------------------------------------------

typedef struct opcode {
  const char *name;
  mr_op_kind kind;
  mr_status (*read)(hlo_context *c, mr_op_kind kind);
  // Operands may be tuples, of which all leaves are meant.
  bool takes_tuples;
} opcode;

// Those that are called as ops are: the column of ops.def.
#define AS_NONE NULL, false
#define AS_RENAMED NULL, false
#define AS_PLAIN plain, false
#define AS_READ(read) read, false
#define AS_TUPLES(read) read, true
static const opcode same_names[MR_OP_COUNT] = {
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, ...) \
  [MR_OP_##name] = {#name, MR_OP_##name, AS_##hlo},
#include "ops/ops.def"
};

#define WITH(name, kind, read) {name, MR_OP_##kind, read, false}
#define TUPLES(name, kind, read) {name, MR_OP_##kind, read, true}
// Other names of ops, and opcodes that are no op.
static const opcode other_names[] = {
    TUPLES("add-dependency", COUNT, identity),
    TUPLES("all-gather-done", COUNT, mr_hlo_done),
    WITH("all-gather-start", all_gather, mr_hlo_collective_start),
    TUPLES("all-reduce-done", COUNT, identity),
    WITH("all-reduce-start", all_reduce, mr_hlo_collective),
    TUPLES("async-done", COUNT, mr_hlo_done),
    TUPLES("async-start", call, mr_hlo_async_start),
    TUPLES("async-update", COUNT, identity),
    WITH("bitcast", COUNT, bitcast),
    WITH("broadcast", broadcast_in_dim, broadcast),
    TUPLES("collective-permute-done", COUNT, mr_hlo_done),
    WITH("collective-permute-start", collective_permute, mr_hlo_collective_start),
    TUPLES("conditional", case, conditional),
    TUPLES("copy", COUNT, identity),
    TUPLES("copy-done", COUNT, mr_hlo_copy_done),
    TUPLES("copy-start", COUNT, mr_hlo_copy_start),
    TUPLES("domain", COUNT, identity),
    WITH("dot", dot_general, dot),
    TUPLES("fusion", call, call),
    TUPLES("get-tuple-element", COUNT, get_tuple_element),
    TUPLES("opt-barrier", optimization_barrier, plain),
    WITH("parameter", COUNT, parameter),
    TUPLES("recv-done", COUNT, mr_hlo_recv_done),
    WITH("rng-get-and-update-state", custom_call, mr_hlo_rng_get_and_update_state),
    TUPLES("send-done", COUNT, mr_hlo_send_done),
    WITH("stochastic-convert", COUNT, mr_hlo_stochastic_convert),
    WITH("topk", top_k, top_k),
    TUPLES("tuple", COUNT, tuple),
};

// Whether the opcode is the op's name, with dashes.
static bool is_name(mr_str text, const char *name) {
  size_t i = 0;
  for (; i < text.size && name[i]; i++) {
    if (text.data[i] != (name[i] == '_' ? '-' : name[i])) {
      return false;
    }
  }
  return i == text.size && !name[i];
}

static const opcode *find_opcode(mr_str name) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(other_names); i++) {
    if (mr_str_is(name, other_names[i].name)) {
      return &other_names[i];
    }
  }
  for (size_t i = 0; i < MR_OP_COUNT; i++) {
    if (same_names[i].read && is_name(name, same_names[i].name)) {
      return &same_names[i];
    }
  }
  return NULL;
}

static mr_status check_operands(const hlo_context *c) {
  for (uint32_t i = 0; i < c->num_operands; i++) {
    if (c->operands[i]->type.kind == MR_TYPE_TUPLE) {
      return mr_error(MR_INVALID_ARGUMENT, "operand %u is a tuple", i);
    }
  }
  return MR_OK;
}

mr_status mr_hlo_read_instruction(hlo_context *c) {
  const opcode *found = find_opcode(mr_str_of(c->proto->opcode));
  if (!found) {
    return mr_error(MR_UNIMPLEMENTED, "opcode '%s'", c->proto->opcode);
  }
  if (!found->takes_tuples) {
    MR_TRY(check_operands(c));
  }
  return found->read(c, found->kind);
}
