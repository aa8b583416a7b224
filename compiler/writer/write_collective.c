// What devices do together: groups, pairs, channels.
#include <string.h>

#include "compiler/writer/hlo_put.h"

// ---- Groups --------------------------------------------------------------------------------------------------------------

// Rows that are shorter than the longest one end with -1.
static mr_status put_groups(hlo_put *p, const mr_attr *attr) {
  size_t rows = attr->rows > 0 ? (size_t)attr->rows : attr->ints.size ? 1 : 0;
  size_t columns = rows ? attr->ints.size / rows : 0;
  Millrace__Hlo__ReplicaGroup *groups = mr_arena_array(&p->writer->arena, Millrace__Hlo__ReplicaGroup, rows + 1);
  Millrace__Hlo__ReplicaGroup **list = mr_arena_array(&p->writer->arena, Millrace__Hlo__ReplicaGroup *, rows + 1);
  if (!groups || !list) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < rows; i++) {
    const int64_t *row = attr->ints.data + i * columns;
    size_t count = columns;
    while (count && row[count - 1] < 0) {
      count--;
    }
    groups[i] = (Millrace__Hlo__ReplicaGroup)MILLRACE__HLO__REPLICA_GROUP__INIT;
    groups[i].n_replica_ids = count;
    groups[i].replica_ids = (int64_t *)row;
    list[i] = &groups[i];
  }
  p->proto.n_replica_groups = rows;
  p->proto.replica_groups = list;
  return MR_OK;
}

// The dimension by each op's own name.
static mr_attr_key dimension_key(mr_op_kind kind) {
  switch (kind) {
  case MR_OP_all_gather: return MR_ATTR_all_gather_dim;
  case MR_OP_all_to_all: return MR_ATTR_split_dimension;
  case MR_OP_reduce_scatter: return MR_ATTR_scatter_dimension;
  default: return MR_ATTR_none;
  }
}

// False: the groups are said by axes of a mesh, which HLO's lists are not.
static bool has_lists(const mr_op *op) {
  const mr_attr *attr = mr_op_attr(op, MR_ATTR_replica_groups);
  return attr && attr->kind == MR_ATTR_INTS;
}

static mr_status set_common(hlo_put *p, int64_t *dimension) {
  mr_attr_key key = dimension_key(p->op->kind);
  p->proto.channel_id = mr_op_int(p->op, MR_ATTR_channel_id, 0);
  p->proto.use_global_device_ids = mr_op_int(p->op, MR_ATTR_use_global_device_ids, 0) != 0;
  if (key != MR_ATTR_none) {
    *dimension = mr_op_int(p->op, key, 0);
    p->proto.n_dimensions = 1;
    p->proto.dimensions = dimension;
  }
  return put_groups(p, mr_op_attr(p->op, MR_ATTR_replica_groups));
}

mr_status mr_put_collective(hlo_put *p) {
  int64_t dimension;
  if (!has_lists(p->op) || mr_op_int(p->op, MR_ATTR_has_dynamic_root, 0)) {
    return mr_put_opaque(p);
  }
  MR_TRY(set_common(p, &dimension));
  return p->op->num_regions ? mr_put_with_regions(p) : mr_put_finish(p);
}

mr_status mr_put_pairs(hlo_put *p) {
  mr_ints pairs = mr_op_ints(p->op, MR_ATTR_source_target_pairs);
  size_t count = pairs.size / 2;
  Millrace__Hlo__SourceTarget *items = mr_arena_array(&p->writer->arena, Millrace__Hlo__SourceTarget, count + 1);
  Millrace__Hlo__SourceTarget **list = mr_arena_array(&p->writer->arena, Millrace__Hlo__SourceTarget *, count + 1);
  if (!items || !list) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    items[i] = (Millrace__Hlo__SourceTarget)MILLRACE__HLO__SOURCE_TARGET__INIT;
    items[i].source = pairs.data[2 * i];
    items[i].target = pairs.data[2 * i + 1];
    list[i] = &items[i];
  }
  p->proto.channel_id = mr_op_int(p->op, MR_ATTR_channel_id, 0);
  p->proto.n_source_target_pairs = count;
  p->proto.source_target_pairs = list;
  return mr_put_finish(p);
}

// ---- All to all ------------------------------------------------------------------------------------------------------------

// HLO's puts the parts together along the dimension that it cuts. Another one's: the parts, as a dimension of their own, move there.
static mr_status move_parts(hlo_put *p, const mr_type *whole, const mr_type *result, int64_t id, int64_t *out_id) {
  int64_t split = mr_op_int(p->op, MR_ATTR_split_dimension, 0), count = mr_op_int(p->op, MR_ATTR_split_count, 1);
  int64_t concat = mr_op_int(p->op, MR_ATTR_concat_dimension, 0);
  int64_t apart[MR_MAX_RANK + 1], moved[MR_MAX_RANK + 1], order[MR_MAX_RANK + 1];
  uint32_t rank = 0, at = 0;
  for (uint32_t i = 0; i < whole->rank; i++) {
    if (i == split) {
      apart[rank++] = count;
    }
    apart[rank++] = i == split ? whole->dims[i] / count : whole->dims[i];
  }
  for (uint32_t i = 0; i < whole->rank; i++) {
    if (i == concat) {
      order[at++] = split;
    }
    order[at++] = i >= split ? i + 1 : i;
  }
  for (uint32_t i = 0; i < rank; i++) {
    moved[i] = apart[order[i]];
  }
  const mr_type between = {.kind = MR_TYPE_TENSOR, .dtype = whole->dtype, .rank = rank, .dims = apart};
  const mr_type behind = {.kind = MR_TYPE_TENSOR, .dtype = whole->dtype, .rank = rank, .dims = moved};
  hlo_instruction transpose = MILLRACE__HLO__INSTRUCTION__INIT;
  MR_TRY(mr_put_plain(p->writer, "reshape", &between, 1, &id, &id));
  transpose.opcode = "transpose";
  transpose.n_operand_ids = 1;
  transpose.operand_ids = &id;
  transpose.n_dimensions = rank;
  transpose.dimensions = order;
  MR_TRY(mr_put_emit(p->writer, &transpose, &behind, &id));
  return mr_put_plain(p->writer, "reshape", result, 1, &id, out_id);
}

static bool may_move(const mr_op *op) {
  bool same = mr_op_int(op, MR_ATTR_split_dimension, 0) == mr_op_int(op, MR_ATTR_concat_dimension, 0);
  for (uint32_t i = 0; i < op->num_operands && !same; i++) {
    const mr_type *type = &op->operands[i].value->type;
    if (!mr_type_is_static(type) || type->rank >= MR_MAX_RANK) {
      return false;
    }
  }
  return true;
}

// One instruction for each operand: several of one instruction are parts of a whole in HLO.
mr_status mr_put_all_to_all(hlo_put *p) {
  mr_op *op = p->op;
  int64_t dimension, *ids = p->proto.operand_ids;
  bool same = mr_op_int(op, MR_ATTR_split_dimension, 0) == mr_op_int(op, MR_ATTR_concat_dimension, 0);
  if (!has_lists(op) || !may_move(op)) {
    return mr_put_opaque(p);
  }
  MR_TRY(set_common(p, &dimension));
  p->proto.n_operand_ids = 1;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_type *whole = &mr_op_operand(op, i)->type, *result = &op->results[i].type;
    int64_t id;
    p->proto.operand_ids = &ids[i];
    MR_TRY(mr_put_emit(p->writer, &p->proto, whole, &id));
    if (!same) {
      MR_TRY(move_parts(p, whole, result, id, &id));
    }
    mr_put_bind(p->writer, &op->results[i], id);
  }
  return MR_OK;
}
