// ragged_all_to_all as JAX calls it: everybody sends each of its group some rows, as many as it likes. Who receives knows from all lists of
// sizes and places which row of whom each of its own rows is, and takes it from what all have.
//
// operands: rows, what the result is where nothing comes, and by member of the group where the rows for it begin, how many they are,
// where they go to there, and how many come from it, which the others' lists say as well. Lists may have several entries for
// each member, one behind the other.
#include "compiler/ir/scalar.h"
#include "compiler/passes/decompose.h"

typedef struct ragged {
  mr_op *op;
  mr_module *module;
  mr_builder b;
  mr_attr groups;  // as ops of collectives have them; none: all are in one
  bool channel;    // partitions meet, not replicas
  int64_t members, entries;
} ragged;

static mr_value *number(ragged *r, const mr_type *type, int64_t value) {
  return mr_build_splat_int(&r->b, type, value);
}

static mr_value *binary(ragged *r, mr_op_kind kind, mr_value *x, mr_value *y) {
  return x && y ? mr_build_binary(&r->b, kind, x, y) : NULL;
}

// A dictionary has its lists as constants.
static mr_status read_groups(ragged *r, const mr_attr *attr) {
  r->groups = (mr_attr){.kind = MR_ATTR_INTS, .dtype = MR_S64};
  if (!attr || (attr->kind == MR_ATTR_INTS && attr->ints.size == 0)) {
    return MR_OK;
  }
  if (attr->kind == MR_ATTR_INTS) {
    r->groups = *attr;
    return MR_OK;
  }
  const mr_dense *dense = &attr->dense;
  if (attr->kind != MR_ATTR_DENSE || dense->type.rank != 2 || !mr_dtype_is_integer(dense->type.dtype)) {
    return mr_unimplemented(r->op, "with groups of this form");
  }
  int64_t count = mr_type_count(&dense->type), *ids = mr_arena_array(&r->module->arena, int64_t, count + 1);
  size_t one = mr_dtype_bytes(dense->type.dtype);
  if (!ids) {
    return MR_NO_MEMORY();
  }
  for (int64_t i = 0; i < count; i++) {
    const char *at = (const char *)dense->data + (dense->splat ? 0 : (size_t)i * one);
    ids[i] = mr_scalar_to_int(dense->type.dtype, at);
  }
  r->groups.ints = (mr_ints){ids, (size_t)count};
  r->groups.rows = dense->type.dims[0];
  return MR_OK;
}

static mr_status read_call(ragged *r) {
  const mr_op *op = r->op;
  const mr_attr *config = mr_op_attr(op, MR_ATTR_backend_config);
  config = config && config->kind == MR_ATTR_DICT ? config : mr_op_extra(op, "mhlo.backend_config");
  const mr_attr *channel = mr_dict_find(config, "channel_id");
  MR_TRY(read_groups(r, mr_dict_find(config, "replica_groups")));
  r->channel = channel && channel->kind == MR_ATTR_INT && channel->integer > 0;
  int64_t replicas = mr_module_replicas(r->module), partitions = mr_module_partitions(r->module);
  r->members = r->channel ? replicas * partitions : replicas;
  if (r->groups.ints.size) {
    r->members = r->groups.rows > 0 ? (int64_t)r->groups.ints.size / r->groups.rows : 0;
  }
  const mr_type *rows = &mr_op_operand(op, 0)->type, *result = &op->results[0].type;
  bool fine = r->members > 0 && op->num_operands == 6 && op->num_results == 1 && rows->rank > 0 &&
              rows->rank == result->rank && mr_type_equal(&mr_op_operand(op, 1)->type, result) &&
              !mr_ints_has(r->groups.ints, -1);
  for (uint32_t i = 2; fine && i < 6; i++) {
    const mr_type *list = &mr_op_operand(op, i)->type;
    r->entries = list->rank == 1 ? list->dims[0] / r->members : 0;
    fine = list->rank == 1 && r->entries > 0 && list->dims[0] == r->entries * r->members &&
           list->dims[0] == mr_op_operand(op, 2)->type.dims[0];
  }
  return fine ? MR_OK
              : mr_op_error(op,
                            "ragged_all_to_all wants rows, a result and four lists of a multiple of the group's size");
}

// ---- Who is asked -----------------------------------------------------------------------------------------------------------

// The member's place in its group, s64 scalar.
static mr_value *rank_of(ragged *r) {
  mr_type u32 = mr_type_scalar(MR_U32), s64 = mr_type_scalar(MR_S64);
  int64_t replicas = mr_module_replicas(r->module), partitions = mr_module_partitions(r->module);
  int64_t count = r->channel ? replicas * partitions : replicas,
          *ranks = mr_arena_array(&r->module->arena, int64_t, count);
  if (!ranks) {
    r->module->out_of_memory = true;
    return NULL;
  }
  for (int64_t i = 0; i < count; i++) {
    ranks[i] = r->groups.ints.size ? 0 : i;
  }
  for (size_t i = 0; i < r->groups.ints.size; i++) {
    int64_t id = r->groups.ints.data[i];
    if (id >= 0 && id < count) {
      ranks[id] = (int64_t)i % r->members;
    }
  }
  mr_value *id = NULL;
  if (replicas > 1 || !r->channel) {
    mr_op *replica = mr_build(&r->b, MR_OP_replica_id, 0, NULL, 1, &u32, 0);
    id = replica ? mr_build_convert(&r->b, &replica->results[0], MR_S64) : NULL;
  }
  if (r->channel) {
    mr_op *partition = mr_build(&r->b, MR_OP_partition_id, 0, NULL, 1, &u32, 0);
    mr_value *within = partition ? mr_build_convert(&r->b, &partition->results[0], MR_S64) : NULL;
    id = id ? binary(r, MR_OP_add, binary(r, MR_OP_multiply, id, number(r, &s64, partitions)), within) : within;
  }
  mr_type table = mr_type_tensor(r->module, MR_S64, 1, &count);
  mr_dense dense = mr_dense_make(r->module, &table, ranks);
  mr_value *all = r->module->out_of_memory ? NULL : mr_build_constant(&r->b, &dense);
  mr_value *mine = all && id ? mr_build_dynamic_slice_dim(&r->b, all, 0, id, 1) : NULL;
  return mine ? mr_build_reshape(&r->b, mine, 0, NULL) : NULL;
}

// All members' one behind the other.
static mr_value *gathered(ragged *r, mr_value *x) {
  if (!x || r->members == 1) {
    return x;
  }
  int64_t dims[MR_MAX_RANK];
  for (uint32_t d = 0; d < x->type.rank; d++) {
    dims[d] = x->type.dims[d] * (d == 0 ? r->members : 1);
  }
  mr_type type = mr_type_tensor(r->module, x->type.dtype, x->type.rank, dims);
  mr_op *all = mr_build(&r->b, MR_OP_all_gather, 1, &x, 1, &type, 0);
  if (!all) {
    return NULL;
  }
  mr_attr groups = r->groups;
  groups.key = MR_ATTR_replica_groups;
  mr_op_set_attr(r->module, all, groups);
  mr_op_set_int(r->module, all, MR_ATTR_all_gather_dim, 0);
  if (r->channel) {
    mr_op_set_int(r->module, all, MR_ATTR_channel_id, 1);
    mr_op_set_int(r->module, all, MR_ATTR_channel_type, 1);
    mr_op_set_int(r->module, all, MR_ATTR_use_global_device_ids, 1);
  }
  return &all->results[0];
}

// A list's entries that are for this member, of all members: s64 [members * entries].
static mr_value *entries_for(ragged *r, uint32_t operand, mr_value *rank) {
  int64_t dims[] = {1, r->members, r->entries}, count = r->members * r->entries;
  mr_value *list = mr_build_convert(&r->b, mr_op_operand(r->op, operand), MR_S64);
  mr_value *all = gathered(r, list ? mr_build_reshape(&r->b, list, 3, dims) : NULL);
  mr_value *mine = all && rank ? mr_build_dynamic_slice_dim(&r->b, all, 1, rank, 1) : NULL;
  return mine ? mr_build_reshape(&r->b, mine, 1, &count) : NULL;
}

// ---- Which row is whose -------------------------------------------------------------------------------------------------------

// For each row of the result the row of all members' that goes there, or -1.
static mr_value *sources(ragged *r, int64_t rows, int64_t results) {
  enum { GE = 2, LT = 5, SIGNED = 3 };
  int64_t dims[] = {r->members * r->entries, results};
  mr_type grid = mr_type_tensor(r->module, MR_S64, 2, dims), scalar = mr_type_scalar(MR_S64);
  mr_value *rank = rank_of(r), *lists[3];
  for (uint32_t i = 0; i < 3; i++) {
    mr_value *list = entries_for(r, 2 + i, rank);
    lists[i] = list ? mr_build_along(&r->b, list, &grid, 0) : NULL;
  }
  mr_value *from = lists[0], *size = lists[1], *to = lists[2], *place = mr_build_iota(&r->b, &grid, 1);
  mr_value *sender = binary(r, MR_OP_divide, mr_build_iota(&r->b, &grid, 0), number(r, &grid, r->entries));
  mr_value *end = binary(r, MR_OP_add, to, size);
  if (!end || !place) {
    return NULL;
  }
  mr_value *comes = binary(r, MR_OP_and, mr_build_compare(&r->b, GE, SIGNED, place, to),
                           mr_build_compare(&r->b, LT, SIGNED, place, end));
  mr_value *row = binary(r, MR_OP_add, binary(r, MR_OP_subtract, place, to), from);
  row = binary(r, MR_OP_add, row, binary(r, MR_OP_multiply, sender, number(r, &grid, rows)));
  row = comes && row ? mr_build_select(&r->b, comes, row, number(r, &grid, -1)) : NULL;
  const int64_t first = 0;
  return row ? mr_build_reduce(&r->b, MR_OP_maximum, row, number(r, &scalar, -1), (mr_ints){&first, 1}) : NULL;
}

// Row which[i] of x for each i.
static mr_value *rows_at(ragged *r, mr_value *x, mr_value *which, const mr_type *type) {
  int64_t sizes[MR_MAX_RANK], offsets[MR_MAX_RANK];
  const int64_t first = 0;
  mr_value *operands[2] = {x, binary(r, MR_OP_maximum, which, which ? number(r, &which->type, 0) : NULL)};
  mr_op *op = x && operands[1] ? mr_build(&r->b, MR_OP_gather, 2, operands, 1, type, 0) : NULL;
  if (!op) {
    return NULL;
  }
  for (uint32_t d = 0; d < x->type.rank; d++) {
    sizes[d] = d ? x->type.dims[d] : 1;
    offsets[d] = d + 1;
  }
  mr_op_set_ints(r->module, op, MR_ATTR_offset_dims, (mr_ints){offsets, x->type.rank - 1});
  mr_op_set_ints(r->module, op, MR_ATTR_collapsed_slice_dims, (mr_ints){&first, 1});
  mr_op_set_ints(r->module, op, MR_ATTR_start_index_map, (mr_ints){&first, 1});
  mr_op_set_ints(r->module, op, MR_ATTR_slice_sizes, (mr_ints){sizes, x->type.rank});
  mr_op_set_int(r->module, op, MR_ATTR_index_vector_dim, 1);
  return &op->results[0];
}

mr_status mr_decompose_ragged(mr_op *op, bool *out_changed) {
  enum { GE = 2, SIGNED = 3 };
  ragged r = {.op = op, .module = mr_op_module(op), .b = mr_builder_before(op)};
  MR_TRY(read_call(&r));
  mr_value *rows = mr_op_operand(op, 0), *output = mr_op_operand(op, 1);
  const mr_type *type = &op->results[0].type;
  if (mr_type_count(&rows->type) == 0 || mr_type_count(type) == 0) {
    *out_changed = mr_replace(op, output);
    return mr_module_memory(r.module);
  }
  mr_value *which = sources(&r, rows->type.dims[0], type->dims[0]);
  mr_value *taken = rows_at(&r, gathered(&r, rows), which, type);
  mr_value *any = which ? mr_build_compare(&r.b, GE, SIGNED, which, number(&r, &which->type, 0)) : NULL;
  mr_type predicate = mr_type_with_dtype(type, MR_PRED);
  any = any ? mr_build_along(&r.b, any, &predicate, 0) : NULL;
  mr_value *result = any && taken ? mr_build_select(&r.b, any, taken, output) : NULL;
  MR_TRY(mr_module_memory(r.module));
  *out_changed = mr_replace(op, result);
  return MR_OK;
}
