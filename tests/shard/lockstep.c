#include "tests/shard/lockstep.h"

#include <stdlib.h>
#include <string.h>

#include "tests/cmocka.h"

typedef struct place {
  int64_t at[MR_MAX_RANK];
} place;

static place place_of(const mr_type *type, int64_t index) {
  place p = {{0}};
  for (uint32_t d = type->rank; d-- > 0;) {
    p.at[d] = index % type->dims[d];
    index /= type->dims[d];
  }
  return p;
}

// -1: outside.
static int64_t index_of(const mr_type *type, const place *p) {
  int64_t index = 0;
  for (uint32_t d = 0; d < type->rank; d++) {
    if (p->at[d] < 0 || p->at[d] >= type->dims[d]) {
      return -1;
    }
    index = index * type->dims[d] + p->at[d];
  }
  return index;
}

static int64_t *operand(const lockstep *m, const mr_op *op, uint32_t i, int64_t device) {
  return m->values[op->operands[i].value->id * m->devices + device];
}

static const mr_type *type_of(const mr_op *op, uint32_t i) { return &op->operands[i].value->type; }

// ---- What a device does alone -------------------------------------------------------------------------------------------

static int64_t fold(mr_op_kind kind, int64_t a, int64_t b) {
  switch (kind) {
  case MR_OP_add: return a + b;
  case MR_OP_multiply: return a * b;
  case MR_OP_divide: return a / b;
  case MR_OP_remainder: return a % b;
  case MR_OP_maximum: return a > b ? a : b;
  case MR_OP_compare: return a == b;  // EQ is all that is made
  default: fail_msg("lockstep does not fold with kind %d", (int)kind);
  }
  return 0;
}

static int64_t constant_at(const mr_op *op, int64_t index) {
  const mr_dense *dense = &mr_op_attr(op, MR_ATTR_value)->dense;
  mr_type scalar = mr_type_scalar(dense->type.dtype);
  size_t size = mr_type_bytes(&scalar);
  int64_t value = 0;
  memcpy(&value, (const char *)dense->data + (dense->splat ? 0 : (size_t)index * size), size);
  return size == 4 ? (int32_t)value : value;
}

static int64_t padded_at(const lockstep *m, const mr_op *op, int64_t device, place p) {
  mr_ints low = mr_op_ints(op, MR_ATTR_edge_padding_low);
  for (uint32_t d = 0; d < type_of(op, 0)->rank; d++) {
    p.at[d] -= low.data[d];
  }
  int64_t at = index_of(type_of(op, 0), &p);
  return at < 0 ? operand(m, op, 1, device)[0] : operand(m, op, 0, device)[at];
}

static int64_t sliced_at(const lockstep *m, const mr_op *op, int64_t device, place p) {
  const mr_type *x = type_of(op, 0);
  mr_ints start = mr_op_ints(op, MR_ATTR_start_indices), strides = mr_op_ints(op, MR_ATTR_strides);
  for (uint32_t d = 0; d < x->rank; d++) {
    if (op->kind == MR_OP_slice) {
      p.at[d] = start.data[d] + p.at[d] * strides.data[d];
    } else {
      int64_t from = operand(m, op, 1 + d, device)[0], most = x->dims[d] - op->results[0].type.dims[d];
      assert_true(from >= 0 && from <= most);  // nothing that is made relies on clamping
      p.at[d] += from;
    }
  }
  return operand(m, op, 0, device)[index_of(x, &p)];
}

static int64_t updated_at(const lockstep *m, const mr_op *op, int64_t device, int64_t index, place p) {
  for (uint32_t d = 0; d < type_of(op, 0)->rank; d++) {
    p.at[d] -= operand(m, op, 2 + d, device)[0];
  }
  int64_t at = index_of(type_of(op, 1), &p);
  return at < 0 ? operand(m, op, 0, device)[index] : operand(m, op, 1, device)[at];
}

static int64_t spread_at(const lockstep *m, const mr_op *op, int64_t device, place p) {
  mr_ints dims = mr_op_ints(op, MR_ATTR_broadcast_dimensions);
  place from = {{0}};
  for (size_t i = 0; i < dims.size; i++) {
    from.at[i] = type_of(op, 0)->dims[i] == 1 ? 0 : p.at[dims.data[i]];
  }
  return operand(m, op, 0, device)[index_of(type_of(op, 0), &from)];
}

static int64_t alone_at(const lockstep *m, const mr_op *op, int64_t device, int64_t index) {
  place p = place_of(&op->results[0].type, index);
  switch (op->kind) {
  case MR_OP_constant: return constant_at(op, index);
  case MR_OP_partition_id: return device;
  case MR_OP_convert:
  case MR_OP_reshape: return operand(m, op, 0, device)[index];
  case MR_OP_pad: return padded_at(m, op, device, p);
  case MR_OP_slice:
  case MR_OP_dynamic_slice: return sliced_at(m, op, device, p);
  case MR_OP_dynamic_update_slice: return updated_at(m, op, device, index, p);
  case MR_OP_broadcast_in_dim: return spread_at(m, op, device, p);
  case MR_OP_select: return operand(m, op, operand(m, op, 0, device)[index] ? 1 : 2, device)[index];
  default: return fold(op->kind, operand(m, op, 0, device)[index], operand(m, op, 1, device)[index]);
  }
}

// ---- What devices do together -------------------------------------------------------------------------------------------

typedef struct group {
  const int64_t *ids;
  int64_t count, rank;  // rank: the device's place in it
} group;

static group group_of(const mr_op *op, int64_t device) {
  const mr_attr *groups = mr_op_attr(op, MR_ATTR_replica_groups);
  int64_t count = (int64_t)groups->ints.size / groups->rows;
  for (int64_t i = 0; i < (int64_t)groups->ints.size; i++) {
    if (groups->ints.data[i] == device) {
      return (group){groups->ints.data + i / count * count, count, i % count};
    }
  }
  fail_msg("device %lld is in no group", (long long)device);
  return (group){0};
}

static int64_t sum_at(const lockstep *m, const mr_op *op, group g, int64_t index) {
  mr_op_kind kind = op->regions[0]->first->kind;
  int64_t sum = operand(m, op, 0, g.ids[0])[index];
  for (int64_t k = 1; k < g.count; k++) {
    sum = fold(kind, sum, operand(m, op, 0, g.ids[k])[index]);
  }
  return sum;
}

static int64_t permuted_at(const lockstep *m, const mr_op *op, int64_t device, int64_t index) {
  mr_ints pairs = mr_op_ints(op, MR_ATTR_source_target_pairs);
  for (size_t i = 0; i < pairs.size; i += 2) {
    if (pairs.data[i + 1] == device) {
      return operand(m, op, 0, pairs.data[i])[index];
    }
  }
  return 0;
}

static int64_t together_at(const lockstep *m, const mr_op *op, int64_t device, int64_t index) {
  const mr_type *x = type_of(op, 0), *y = &op->results[0].type;
  place p = place_of(y, index);
  if (op->kind == MR_OP_collective_permute) {
    return permuted_at(m, op, device, index);
  }
  group g = group_of(op, device);
  int64_t member, dim = mr_op_int(op, MR_ATTR_all_gather_dim, 0), scatter = mr_op_int(op, MR_ATTR_scatter_dimension, 0);
  int64_t split = mr_op_int(op, MR_ATTR_split_dimension, 0), concat = mr_op_int(op, MR_ATTR_concat_dimension, 0);
  switch (op->kind) {
  case MR_OP_all_reduce: return sum_at(m, op, g, index);
  case MR_OP_reduce_scatter: p.at[scatter] += g.rank * y->dims[scatter]; return sum_at(m, op, g, index_of(x, &p));
  case MR_OP_all_gather:
    member = p.at[dim] / x->dims[dim];
    p.at[dim] %= x->dims[dim];
    return operand(m, op, 0, g.ids[member])[index_of(x, &p)];
  case MR_OP_all_to_all: {
    int64_t part = split == concat ? x->dims[concat] / g.count : x->dims[concat];
    member = p.at[concat] / part;
    p.at[concat] %= part;
    p.at[split] += g.rank * (x->dims[split] / g.count);
    return operand(m, op, 0, g.ids[member])[index_of(x, &p)];
  }
  default: fail_msg("lockstep does not know the collective of kind %d", (int)op->kind);
  }
  return 0;
}

// ---- The machine --------------------------------------------------------------------------------------------------------

static void run_op(lockstep *m, mr_op *op) {
  assert_int_equal(op->num_results, 1);
  mr_value *y = &op->results[0];
  bool together = mr_op_table[op->kind].op_class == MR_OPS_COLLECTIVE && op->kind != MR_OP_partition_id;
  int64_t count = mr_type_count(&y->type);
  for (int64_t device = 0; device < m->devices; device++) {
    int64_t *out = calloc((size_t)MR_MAX(count, 1), sizeof *out);
    assert_non_null(out);
    for (int64_t i = 0; i < count; i++) {
      out[i] = together ? together_at(m, op, device, i) : alone_at(m, op, device, i);
    }
    m->values[y->id * m->devices + device] = out;
  }
}

void lockstep_run(lockstep *m, mr_function *function, int64_t devices, const lockstep_value *arguments) {
  mr_function_number(function);
  *m = (lockstep){.devices = devices, .function = function};
  m->values = calloc(function->num_values * (size_t)devices, sizeof *m->values);
  assert_non_null(m->values);
  for (uint32_t i = 0; i < function->body.num_args; i++) {
    for (int64_t d = 0; d < devices; d++) {
      size_t bytes = (size_t)mr_type_count(&function->body.args[i]->type) * sizeof(int64_t);
      int64_t *copy = malloc(MR_MAX(bytes, 1));
      assert_non_null(copy);
      memcpy(copy, arguments[i * devices + d], bytes);
      m->values[function->body.args[i]->id * devices + d] = copy;
    }
  }
  for (mr_op *op = function->body.first; op; op = op->next) {
    if (op->kind != MR_OP_return) {
      run_op(m, op);
    }
  }
}

const int64_t *lockstep_get(const lockstep *m, const mr_value *value, int64_t device) {
  return m->values[value->id * m->devices + device];
}

void lockstep_deinit(lockstep *m) {
  for (size_t i = 0; i < m->function->num_values * (size_t)m->devices; i++) {
    free(m->values[i]);
  }
  free(m->values);
}
