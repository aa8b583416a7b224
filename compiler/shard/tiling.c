// What tilings are alike, and the types of their parts.
#include "compiler/shard/tiling.h"

mr_tiling mr_tiling_replicated(uint32_t rank) { return (mr_tiling){.rank = rank}; }

bool mr_atoms_equal(const mr_atoms *a, const mr_atoms *b) {
  bool equal = a->count == b->count;
  for (uint32_t i = 0; equal && i < a->count; i++) {
    equal = a->ids[i] == b->ids[i];
  }
  return equal;
}

bool mr_tiling_equal(const mr_tiling *a, const mr_tiling *b) {
  bool equal = a->rank == b->rank && a->unreduced == b->unreduced && a->order == b->order;
  for (uint32_t d = 0; equal && d < a->rank; d++) {
    equal = mr_atoms_equal(&a->dims[d], &b->dims[d]);
  }
  return equal;
}

uint32_t mr_atoms_mask(const mr_atoms *atoms) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < atoms->count; i++) {
    mask |= UINT32_C(1) << atoms->ids[i];
  }
  return mask;
}

mr_atoms mr_atoms_in(const mr_grid *grid, uint32_t mask) {
  mr_atoms atoms = {0};
  for (uint32_t a = 0; a < grid->num_atoms; a++) {
    if (mask >> a & 1) {
      atoms.ids[atoms.count++] = (uint8_t)a;
    }
  }
  return atoms;
}

uint32_t mr_tiling_mask(const mr_tiling *tiling) {
  uint32_t mask = 0;
  for (uint32_t d = 0; d < tiling->rank; d++) {
    mask |= mr_atoms_mask(&tiling->dims[d]);
  }
  return mask;
}

int64_t mr_atoms_shards(const mr_grid *grid, const mr_atoms *atoms) {
  int64_t shards = 1;
  for (uint32_t i = 0; i < atoms->count; i++) {
    shards *= grid->size[atoms->ids[i]];
  }
  return shards;
}

mr_type mr_tiling_local(mr_module *module, const mr_grid *grid, const mr_type *global, const mr_tiling *tiling) {
  mr_type local = mr_type_copy(module, global);
  if (module->out_of_memory) {
    return *global;  // something with dimensions to look at: nothing is built of it any more
  }
  if (global->kind == MR_TYPE_TENSOR) {
    int64_t *dims = (int64_t *)local.dims;  // made by the copy
    for (uint32_t d = 0; d < global->rank; d++) {
      dims[d] = mr_ceil_div(dims[d], mr_atoms_shards(grid, &tiling->dims[d]));
    }
  }
  return local;
}
