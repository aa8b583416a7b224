// The collectives that the partitioner makes, the groups of devices that they are among, and the indices of a device.
#include <string.h>

#include "compiler/shard/reshard_way.h"

// Groups, or pairs, that were made for a list of atoms.
struct mr_device_groups {
  mr_device_groups *next;
  mr_atoms atoms;
  int64_t distance;  // of pairs; 0: groups
  bool wraps;        // the last one's neighbour is the first
  mr_ints ids;
  int64_t rows;
  mr_ints of_all;  // groups, by ids over all replicas
};

struct mr_shard_index {
  mr_shard_index *next;
  mr_atoms atoms;
  mr_value *value;
};

void mr_spread_init(mr_spread *spread, mr_module *module, const mr_grid *grid, mr_function *function) {
  *spread = (mr_spread){.module = module, .grid = grid, .function = function};
  mr_ways_init(spread);
}

static void *allocate(mr_spread *spread, size_t size) {
  void *memory = mr_arena_alloc(&spread->module->arena, size);
  spread->module->out_of_memory |= memory == NULL;
  return memory;
}

// ---- Indices ----------------------------------------------------------------------------------------------------------

static mr_value *scalar(mr_builder *b, int64_t value) {
  mr_type type = mr_type_scalar(MR_S32);
  return mr_build_splat_int(b, &type, value);
}

// Where the function begins, behind the device's number.
static mr_builder at_start(mr_spread *spread) {
  mr_block *body = &spread->function->body;
  mr_op *first = spread->partition ? spread->partition->def->next : body->first;
  mr_builder end = mr_builder_at_end(body);
  return first ? mr_builder_before(first) : end;
}

static mr_value *partition_of(mr_spread *spread) {
  if (!spread->partition) {
    mr_builder b = at_start(spread);
    mr_type type = mr_type_scalar(MR_U32);
    mr_op *op = mr_build(&b, MR_OP_partition_id, 0, NULL, 1, &type, 0);
    spread->partition = op ? mr_build_convert(&b, &op->results[0], MR_S32) : NULL;
  }
  return spread->partition;
}

// The sum of the indices along the atoms, each times what is behind it. Atoms that follow each other count as one.
static mr_value *compute_index(mr_spread *spread, const mr_atoms *atoms) {
  const mr_grid *grid = spread->grid;
  mr_value *device = partition_of(spread), *sum = NULL;
  mr_builder b = at_start(spread);
  int64_t behind = mr_atoms_shards(grid, atoms);
  for (uint32_t i = 0, next; i < atoms->count; i = next) {
    int64_t size = grid->size[atoms->ids[i]];
    for (next = i + 1; next < atoms->count && atoms->ids[next] == atoms->ids[next - 1] + 1; next++) {
      size *= grid->size[atoms->ids[next]];
    }
    int64_t stride = grid->stride[atoms->ids[next - 1]];
    mr_value *index = device;
    if (stride > 1) {
      index = mr_build_binary(&b, MR_OP_divide, index, scalar(&b, stride));
    }
    if (stride * size < grid->num_devices) {
      index = mr_build_binary(&b, MR_OP_remainder, index, scalar(&b, size));
    }
    behind /= size;
    if (behind > 1) {
      index = mr_build_binary(&b, MR_OP_multiply, index, scalar(&b, behind));
    }
    sum = sum ? mr_build_binary(&b, MR_OP_add, sum, index) : index;
  }
  return sum ? sum : scalar(&b, 0);
}

mr_value *mr_spread_index(mr_spread *spread, const mr_atoms *atoms) {
  mr_shard_index *entry = spread->indices;
  while (entry && !mr_atoms_equal(&entry->atoms, atoms)) {
    entry = entry->next;
  }
  if (!entry) {
    entry = allocate(spread, sizeof *entry);
    if (!entry) {
      return NULL;
    }
    *entry = (mr_shard_index){spread->indices, *atoms, compute_index(spread, atoms)};
    spread->indices = entry;
  }
  return entry->value;
}

mr_value *mr_spread_offset(mr_spread *spread, mr_builder *b, const mr_atoms *atoms, int64_t factor) {
  mr_value *index = mr_spread_index(spread, atoms);
  return factor == 1 ? index : mr_build_binary(b, MR_OP_multiply, index, scalar(b, factor));
}

mr_value *mr_spread_is_at(mr_spread *spread, mr_builder *b, const mr_atoms *atoms, int64_t index) {
  return mr_build_compare(b, MR_COMPARE_EQ, MR_COMPARE_SIGNED, mr_spread_index(spread, atoms), scalar(b, index));
}

// ---- Groups -----------------------------------------------------------------------------------------------------------

// The logical id of the device at `index` along atoms[0..count).
static int64_t place(const mr_grid *grid, const uint8_t *atoms, uint32_t count, int64_t index) {
  int64_t id = 0;
  for (uint32_t i = count; i-- > 0;) {
    id += index % grid->size[atoms[i]] * grid->stride[atoms[i]];
    index /= grid->size[atoms[i]];
  }
  return id;
}

// The atoms that are not in the list, in order.
static mr_atoms others(const mr_grid *grid, const mr_atoms *atoms) { return mr_atoms_in(grid, ~mr_atoms_mask(atoms)); }

static void fill_groups(const mr_grid *grid, const mr_atoms *atoms, int64_t *ids, mr_device_groups *entry) {
  mr_atoms rest = others(grid, atoms);
  int64_t members = mr_atoms_shards(grid, atoms);
  entry->rows = grid->num_devices / members;
  for (int64_t group = 0; group < entry->rows; group++) {
    int64_t first = place(grid, rest.ids, rest.count, group);
    for (int64_t k = 0; k < members; k++) {
      ids[group * members + k] = first + place(grid, atoms->ids, atoms->count, k);
    }
  }
  entry->ids = (mr_ints){ids, (size_t)grid->num_devices};
}

static void fill_pairs(const mr_grid *grid, const mr_atoms *atoms, int64_t *ids, mr_device_groups *entry) {
  mr_atoms rest = others(grid, atoms);
  int64_t members = mr_atoms_shards(grid, atoms);
  size_t size = 0;
  for (int64_t group = 0; group < grid->num_devices / members; group++) {
    int64_t first = place(grid, rest.ids, rest.count, group);
    for (int64_t k = 0; k < members; k++) {
      int64_t to = k + entry->distance;
      to = entry->wraps ? (to + members) % members : to;
      if (to >= 0 && to < members) {
        ids[size++] = first + place(grid, atoms->ids, atoms->count, k);
        ids[size++] = first + place(grid, atoms->ids, atoms->count, to);
      }
    }
  }
  entry->ids = (mr_ints){ids, size};
  entry->rows = (int64_t)size / 2;
}

static mr_device_groups *groups_of(mr_spread *spread, const mr_atoms *atoms, int64_t distance, bool wraps) {
  mr_device_groups *entry = spread->groups;
  while (entry && (entry->distance != distance || entry->wraps != wraps || !mr_atoms_equal(&entry->atoms, atoms))) {
    entry = entry->next;
  }
  if (entry) {
    return entry;
  }
  entry = allocate(spread, sizeof *entry);
  int64_t *ids = allocate(spread, sizeof *ids * 2 * (size_t)spread->grid->num_devices);
  if (!entry || !ids) {
    return NULL;
  }
  *entry = (mr_device_groups){.next = spread->groups, .atoms = *atoms, .distance = distance, .wraps = wraps};
  (distance ? fill_pairs : fill_groups)(spread->grid, atoms, ids, entry);
  spread->groups = entry;
  return entry;
}

// ---- Collectives ------------------------------------------------------------------------------------------------------

static void set_rows(mr_spread *spread, mr_op *op, mr_attr_key key, mr_ints ids, int64_t rows) {
  mr_attr attr = {.key = key, .kind = MR_ATTR_INTS, .dtype = MR_S64};
  attr.ints = ids;
  attr.rows = rows;
  mr_op_set_attr(spread->module, op, attr);
}

static void set_channel(mr_spread *spread, mr_op *op) {
  if (op) {
    mr_op_set_int(spread->module, op, MR_ATTR_channel_id, 1);
    mr_op_set_int(spread->module, op, MR_ATTR_channel_type, 1);
  }
}

// Each replica's devices meet among themselves: partition p of replica r has the id r * partitions + p.
static bool repeat_groups(mr_spread *spread, mr_device_groups *groups, int64_t replicas) {
  size_t count = groups->ids.size;
  int64_t *ids = replicas == 1 || groups->of_all.size ? NULL : allocate(spread, sizeof *ids * count * (size_t)replicas);
  for (size_t i = 0; ids && i < count * (size_t)replicas; i++) {
    ids[i] = groups->ids.data[i % count] + (int64_t)(i / count) * spread->grid->num_devices;
  }
  if (groups->of_all.size == 0) {
    groups->of_all = replicas == 1 ? groups->ids : (mr_ints){ids, ids ? count * (size_t)replicas : 0};
  }
  return groups->of_all.data != NULL;
}

// global: the op's groups are of ids over all replicas, not of partitions.
static bool set_groups(mr_spread *spread, mr_op *op, const mr_atoms *atoms, bool global) {
  mr_device_groups *groups = op ? groups_of(spread, atoms, 0, false) : NULL;
  int64_t replicas = mr_module_replicas(spread->module);
  if (!groups || !repeat_groups(spread, groups, replicas)) {
    return false;
  }
  mr_ints ids = global ? groups->of_all : groups->ids;
  set_rows(spread, op, MR_ATTR_replica_groups, ids, global ? groups->rows * replicas : groups->rows);
  set_channel(spread, op);
  if (global) {
    mr_op_set_int(spread->module, op, MR_ATTR_use_global_device_ids, 1);
  }
  return true;
}

// The fold of two scalars as the region of `op`.
static bool set_fold(mr_spread *spread, mr_op *op, mr_dtype dtype, mr_op_kind kind, const mr_block *region) {
  mr_builder b = mr_builder_at_end(op->regions[0]);
  mr_type type = mr_type_scalar(dtype);
  mr_value *x = mr_block_add_arg(spread->module, b.block, &type), *y = mr_block_add_arg(spread->module, b.block, &type);
  mr_value *folded;
  if (region) {
    mr_value_map *map = mr_value_map_create(spread->module);
    if (!map) {
      return false;
    }
    mr_value_map_set(map, region->args[0], x);
    mr_value_map_set(map, region->args[1], y);
    if (!mr_block_clone_into(&b, region, map)) {
      return false;
    }
    folded = mr_value_map_get(map, mr_op_operand(mr_block_terminator(region), 0));
  } else {
    folded = mr_build_binary(&b, kind, x, y);
  }
  if (folded) {
    mr_build_return(&b, 1, &folded);
  }
  return folded != NULL;
}

static uint64_t bytes_of(uint32_t count, mr_value *const *values) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < count; i++) {
    bytes += mr_type_bytes(&values[i]->type);
  }
  return bytes;
}

bool mr_spread_all_reduce(mr_spread *spread, mr_builder *b, const mr_atoms *atoms, uint32_t count,
                          mr_value *const *values, mr_op_kind kind, const mr_block *region, mr_value **out_values) {
  mr_type *types = allocate(spread, sizeof *types * MR_MAX(count, 1));
  for (uint32_t i = 0; types && i < count; i++) {
    if (!values[i]) {
      return false;
    }
    types[i] = values[i]->type;
  }
  if (atoms->count == 0 || count == 0) {
    memcpy(out_values, values, count * sizeof *values);
    return true;
  }
  mr_op *op = types ? mr_build(b, MR_OP_all_reduce, count, values, count, types, 1) : NULL;
  if (!set_groups(spread, op, atoms, true) || !set_fold(spread, op, types[0].dtype, kind, region)) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    out_values[i] = &op->results[i];
  }
  spread->bytes_moved += bytes_of(count, values);
  return true;
}

// x's type with a dimension times `times` and another divided by `parts`.
static mr_type scaled(mr_spread *spread, const mr_type *x, uint32_t dim, int64_t times, uint32_t split, int64_t parts) {
  int64_t dims[MR_MAX_RANK];
  memcpy(dims, x->dims, x->rank * sizeof *dims);
  dims[dim] *= times;
  dims[split] /= parts;
  return mr_type_tensor(spread->module, x->dtype, x->rank, dims);
}

mr_value *mr_spread_all_gather(mr_spread *spread, mr_builder *b, mr_value *x, uint32_t dim, const mr_atoms *atoms) {
  if (!x || atoms->count == 0) {
    return x;
  }
  int64_t members = mr_atoms_shards(spread->grid, atoms);
  mr_type type = scaled(spread, &x->type, dim, members, dim, 1);
  mr_op *op = mr_build(b, MR_OP_all_gather, 1, &x, 1, &type, 0);
  if (!set_groups(spread, op, atoms, true)) {
    return NULL;
  }
  mr_op_set_int(spread->module, op, MR_ATTR_all_gather_dim, dim);
  spread->bytes_moved += mr_type_bytes(&x->type) * (uint64_t)(members - 1);
  return &op->results[0];
}

mr_value *mr_spread_reduce_scatter(mr_spread *spread, mr_builder *b, mr_value *x, uint32_t dim, const mr_atoms *atoms,
                                   mr_op_kind kind) {
  if (!x || atoms->count == 0) {
    return x;
  }
  int64_t members = mr_atoms_shards(spread->grid, atoms);
  mr_type type = scaled(spread, &x->type, dim, 1, dim, members);
  mr_op *op = mr_build(b, MR_OP_reduce_scatter, 1, &x, 1, &type, 1);
  if (!set_groups(spread, op, atoms, true) || !set_fold(spread, op, type.dtype, kind, NULL)) {
    return NULL;
  }
  mr_op_set_int(spread->module, op, MR_ATTR_scatter_dimension, dim);
  spread->bytes_moved += mr_type_bytes(&x->type) / (uint64_t)members * (uint64_t)(members - 1);
  return &op->results[0];
}

mr_value *mr_spread_all_to_all(mr_spread *spread, mr_builder *b, mr_value *x, uint32_t split, uint32_t concat,
                               const mr_atoms *atoms) {
  if (!x || atoms->count == 0) {
    return x;
  }
  int64_t members = mr_atoms_shards(spread->grid, atoms);
  mr_type type = scaled(spread, &x->type, concat, members, split, members);
  mr_op *op = mr_build(b, MR_OP_all_to_all, 1, &x, 1, &type, 0);
  if (!set_groups(spread, op, atoms, false)) {
    return NULL;
  }
  mr_op_set_int(spread->module, op, MR_ATTR_split_dimension, split);
  mr_op_set_int(spread->module, op, MR_ATTR_concat_dimension, concat);
  mr_op_set_int(spread->module, op, MR_ATTR_split_count, members);
  spread->bytes_moved += mr_type_bytes(&x->type) / (uint64_t)members * (uint64_t)(members - 1);
  return &op->results[0];
}

static mr_value *permute(mr_spread *spread, mr_builder *b, mr_value *x, mr_ints pairs) {
  mr_op *op = x ? mr_build(b, MR_OP_collective_permute, 1, &x, 1, &x->type, 0) : NULL;
  if (!op) {
    return NULL;
  }
  set_rows(spread, op, MR_ATTR_source_target_pairs, pairs, (int64_t)pairs.size / 2);
  set_channel(spread, op);
  spread->bytes_moved += mr_type_bytes(&x->type);
  return &op->results[0];
}

mr_value *mr_spread_permute(mr_spread *spread, mr_builder *b, mr_value *x, const int64_t *pairs, size_t count) {
  int64_t *copy = allocate(spread, MR_MAX(count, 1) * 2 * sizeof *copy);
  if (!copy) {
    return NULL;
  }
  memcpy(copy, pairs, count * 2 * sizeof *copy);
  return permute(spread, b, x, (mr_ints){copy, count * 2});
}

mr_value *mr_spread_shift(mr_spread *spread, mr_builder *b, mr_value *x, const mr_atoms *atoms, int64_t distance) {
  if (distance == 0) {
    return x;
  }
  const mr_device_groups *pairs = groups_of(spread, atoms, distance, false);
  return pairs ? permute(spread, b, x, pairs->ids) : NULL;
}

mr_value *mr_spread_turn(mr_spread *spread, mr_builder *b, mr_value *x, const mr_atoms *atoms, int64_t distance) {
  distance %= mr_atoms_shards(spread->grid, atoms);
  if (distance == 0) {
    return x;
  }
  const mr_device_groups *pairs = groups_of(spread, atoms, distance, true);
  return pairs ? permute(spread, b, x, pairs->ids) : NULL;
}
