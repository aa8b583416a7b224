// From meshes to atoms, and from shardings to tilings.
#include "compiler/shard/tiling.h"

enum { MAX_CUTS = 64 };

// ---- Grids ------------------------------------------------------------------------------------------------------------

// The strides of a mesh's axes, in descending order.
static mr_status add_strides(const mr_mesh *mesh, int64_t *cuts, uint32_t *inout_count) {
  int64_t stride = 1;
  for (uint32_t a = mesh->num_axes; a-- > 0;) {
    uint32_t at = 0;
    while (at < *inout_count && cuts[at] > stride) {
      at++;
    }
    if (at == *inout_count || cuts[at] != stride) {
      if (*inout_count == MAX_CUTS) {
        return mr_error(MR_UNIMPLEMENTED, "meshes of more than %d different axes", MAX_CUTS);
      }
      for (uint32_t i = (*inout_count)++; i > at; i--) {
        cuts[i] = cuts[i - 1];
      }
      cuts[at] = stride;
    }
    stride *= mesh->axes[a].size;
  }
  return MR_OK;
}

static bool says_nothing(const mr_mesh *mesh) { return !mesh || mesh->maximal >= 0 || mesh->num_axes == 0; }

// The atoms between two cuts: the prime factors of what lies between them, small ones first.
static mr_status add_atoms(mr_grid *grid, int64_t above, int64_t below) {
  if (above % below != 0) {
    return mr_error(MR_UNIMPLEMENTED,
                    "meshes whose axes do not nest: one ends where %lld devices follow, another where %lld do",
                    (long long)above, (long long)below);
  }
  int64_t left = above / below;
  for (int64_t prime = 2; left > 1; prime++) {
    if (prime * prime > left) {
      prime = left;
    }
    while (left % prime == 0) {
      left /= prime;
      if (grid->num_atoms == MR_MAX_ATOMS) {
        return mr_error(MR_UNIMPLEMENTED, "%lld devices: more than %d prime factors", (long long)grid->num_devices,
                        MR_MAX_ATOMS);
      }
      grid->size[grid->num_atoms] = prime;
      grid->stride[grid->num_atoms++] = below * left;
    }
  }
  return MR_OK;
}

mr_status mr_grid_make(int64_t num_devices, const mr_mesh *const *meshes, uint32_t num_meshes, mr_grid *out) {
  int64_t cuts[MAX_CUTS] = {1};
  uint32_t count = 1;
  *out = (mr_grid){.num_devices = num_devices};
  for (uint32_t i = 0; i < num_meshes; i++) {
    if (!says_nothing(meshes[i])) {
      MR_TRY(mr_mesh_check_size(meshes[i], num_devices));
      MR_TRY(add_strides(meshes[i], cuts, &count));
    }
  }
  int64_t above = num_devices;
  for (uint32_t i = 0; i < count; i++) {
    MR_TRY(add_atoms(out, above, cuts[i]));
    above = cuts[i];
  }
  return MR_OK;
}

// ---- Tilings ----------------------------------------------------------------------------------------------------------

static mr_status add_axis(const mr_grid *grid, const mr_mesh *mesh, mr_axis_ref ref, mr_atoms *out) {
  int64_t stride = mesh->axes[ref.axis].size / (ref.pre * ref.size), covered = 1;
  for (uint32_t a = ref.axis + 1u; a < mesh->num_axes; a++) {
    stride *= mesh->axes[a].size;
  }
  for (uint32_t i = 0; i < grid->num_atoms; i++) {
    if (grid->stride[i] >= stride && grid->stride[i] * grid->size[i] <= stride * ref.size) {
      if (out->count == MR_MAX_ATOMS) {
        return mr_error(MR_INVALID_ARGUMENT, "a sharding names axis \"%.*s\" more than once",
                        MR_STR_ARG(mesh->axes[ref.axis].name));
      }
      out->ids[out->count++] = (uint8_t)i;
      covered *= grid->size[i];
    }
  }
  return covered == ref.size
             ? MR_OK
             : mr_error(MR_UNIMPLEMENTED, "part :(%lld)%lld of axis \"%.*s\", which others cut elsewhere",
                        (long long)ref.pre, (long long)ref.size, MR_STR_ARG(mesh->axes[ref.axis].name));
}

static mr_status atoms_of(const mr_grid *grid, const mr_mesh *mesh, const mr_axis_list *list, mr_atoms *out) {
  *out = (mr_atoms){0};
  for (uint32_t i = 0; i < list->count; i++) {
    MR_TRY(add_axis(grid, mesh, list->refs[i], out));
  }
  return MR_OK;
}

mr_status mr_atoms_of(const mr_grid *grid, const mr_mesh *mesh, const mr_axis_list *list, mr_atoms *out) {
  if (mesh->num_ids) {
    return mr_error(MR_UNIMPLEMENTED, "mesh @%.*s with an order of devices of its own", MR_STR_ARG(mesh->name));
  }
  return atoms_of(grid, mesh, list, out);
}

mr_status mr_tiling_of(const mr_grid *grid, const mr_sharding *sharding, uint32_t rank, mr_tiling *out) {
  *out = mr_tiling_replicated(rank);
  if (!sharding || says_nothing(sharding->mesh)) {
    return MR_OK;
  }
  if (sharding->rank != rank) {
    return mr_error(MR_INVALID_ARGUMENT, "a sharding of rank %u for a value of rank %u", sharding->rank, rank);
  }
  uint32_t used = 0;
  for (uint32_t d = 0; d < rank; d++) {
    MR_TRY(atoms_of(grid, sharding->mesh, &sharding->dims[d].axes, &out->dims[d]));
    uint32_t mask = mr_atoms_mask(&out->dims[d]);
    if (used & mask) {
      return mr_error(MR_INVALID_ARGUMENT, "a sharding cuts two dimensions along one axis");
    }
    used |= mask;
  }
  mr_atoms unreduced;
  MR_TRY(atoms_of(grid, sharding->mesh, &sharding->unreduced, &unreduced));
  out->unreduced = mr_atoms_mask(&unreduced);
  out->order = used | out->unreduced ? sharding->mesh->ids : NULL;
  return MR_OK;
}
