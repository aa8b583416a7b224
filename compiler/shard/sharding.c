// Shardings as values: questions, and making.
#include "compiler/shard/sharding.h"

#include <stdlib.h>
#include <string.h>

// ---- Questions ------------------------------------------------------------------------------------------------------------

bool mr_mesh_equal(const mr_mesh *a, const mr_mesh *b) {
  if (a == b) {
    return true;
  }
  if (!a || !b || a->num_axes != b->num_axes || a->num_ids != b->num_ids || a->maximal != b->maximal ||
      (a->num_ids && memcmp(a->ids, b->ids, a->num_ids * sizeof *a->ids) != 0)) {
    return false;
  }
  for (uint32_t i = 0; i < a->num_axes; i++) {
    if (a->axes[i].size != b->axes[i].size || !mr_str_equal(a->axes[i].name, b->axes[i].name)) {
      return false;
    }
  }
  return true;
}

int64_t mr_mesh_devices(const mr_mesh *mesh) {
  int64_t devices = 1;
  for (uint32_t i = 0; i < mesh->num_axes; i++) {
    devices *= mesh->axes[i].size;
  }
  return devices;
}

mr_status mr_devices_check(mr_arena *arena, const int64_t *ids, size_t count, int64_t num_devices) {
  bool *seen = count > 1 ? mr_arena_array(arena, bool, (size_t)num_devices) : NULL;
  if (count > 1 && !seen) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    if (ids[i] < 0 || ids[i] >= num_devices) {
      return mr_error(MR_INVALID_ARGUMENT, "a sharding names device %lld, the program has %lld", (long long)ids[i],
                      (long long)num_devices);
    }
    if (seen && seen[ids[i]]) {
      return mr_error(MR_INVALID_ARGUMENT, "a sharding names device %lld twice", (long long)ids[i]);
    }
    if (seen) {
      seen[ids[i]] = true;
    }
  }
  return MR_OK;
}

mr_status mr_mesh_check_size(const mr_mesh *mesh, int64_t num_devices) {
  int64_t devices = mr_mesh_devices(mesh);
  return mesh->num_axes == 0 || devices == num_devices
             ? MR_OK
             : mr_error(MR_INVALID_ARGUMENT, "mesh %s%.*s has %lld devices, wanted the program's %lld",
                        mesh->name.size ? "@" : "of a sharding", MR_STR_ARG(mesh->name), (long long)devices,
                        (long long)num_devices);
}

mr_status mr_mesh_check(mr_arena *arena, const mr_mesh *mesh, int64_t num_devices) {
  bool maximal = mesh->maximal >= 0;
  MR_TRY(mr_mesh_check_size(mesh, num_devices));
  mr_status status =
      mr_devices_check(arena, maximal ? &mesh->maximal : mesh->ids, maximal ? 1 : mesh->num_ids, num_devices);
  return mesh->name.size ? mr_status_note(status, "in mesh @%.*s", MR_STR_ARG(mesh->name)) : status;
}

int mr_mesh_axis(const mr_mesh *mesh, mr_str name) {
  for (uint32_t i = 0; i < mesh->num_axes; i++) {
    if (mr_str_equal(mesh->axes[i].name, name)) {
      return (int)i;
    }
  }
  return -1;
}

bool mr_axis_ref_equal(mr_axis_ref a, mr_axis_ref b) { return a.axis == b.axis && a.pre == b.pre && a.size == b.size; }

bool mr_axis_ref_overlaps(mr_axis_ref a, mr_axis_ref b) {
  return a.axis == b.axis && a.pre < b.pre * b.size && b.pre < a.pre * a.size;
}

bool mr_axis_ref_whole(const mr_mesh *mesh, mr_axis_ref ref) {
  return ref.pre == 1 && ref.size == mesh->axes[ref.axis].size;
}

bool mr_axis_list_equal(mr_axis_list a, mr_axis_list b) {
  if (a.count != b.count) {
    return false;
  }
  for (uint32_t i = 0; i < a.count; i++) {
    if (!mr_axis_ref_equal(a.refs[i], b.refs[i])) {
      return false;
    }
  }
  return true;
}

bool mr_axis_list_overlaps(mr_axis_list list, mr_axis_ref ref) {
  for (uint32_t i = 0; i < list.count; i++) {
    if (mr_axis_ref_overlaps(list.refs[i], ref)) {
      return true;
    }
  }
  return false;
}

int64_t mr_axis_list_size(mr_axis_list list) {
  int64_t size = 1;
  for (uint32_t i = 0; i < list.count; i++) {
    size *= list.refs[i].size;
  }
  return size;
}

// The axes of each dimension, and those over which parts are not summed.
static bool same_tiles(const mr_sharding *a, const mr_sharding *b) {
  if (a == b) {
    return true;
  }
  if (!a || !b || a->rank != b->rank || !mr_mesh_equal(a->mesh, b->mesh)) {
    return false;
  }
  for (uint32_t i = 0; i < a->rank; i++) {
    if (!mr_axis_list_equal(a->dims[i].axes, b->dims[i].axes)) {
      return false;
    }
  }
  return mr_axis_list_equal(a->unreduced, b->unreduced);
}

bool mr_sharding_equal(const mr_sharding *a, const mr_sharding *b) {
  if (a == b) {
    return true;
  }
  if (!same_tiles(a, b) || !mr_axis_list_equal(a->replicated, b->replicated)) {
    return false;
  }
  for (uint32_t i = 0; i < a->rank; i++) {
    if (a->dims[i].open != b->dims[i].open || a->dims[i].priority != b->dims[i].priority) {
      return false;
    }
  }
  return true;
}

bool mr_sharding_fully_open(const mr_sharding *sharding) {
  for (uint32_t i = 0; sharding && i < sharding->rank; i++) {
    if (!sharding->dims[i].open || sharding->dims[i].axes.count) {
      return false;
    }
  }
  return !sharding || (sharding->replicated.count == 0 && sharding->unreduced.count == 0);
}

bool mr_sharding_fully_closed(const mr_sharding *sharding) {
  for (uint32_t i = 0; i < sharding->rank; i++) {
    if (sharding->dims[i].open) {
      return false;
    }
  }
  return true;
}

// ---- Making ---------------------------------------------------------------------------------------------------------------

mr_sharding *mr_sharding_create(mr_module *module, const mr_mesh *mesh, uint32_t rank, bool open) {
  mr_sharding *sharding = mr_arena_new(&module->arena, mr_sharding);
  mr_dim_sharding *dims = mr_arena_array(&module->arena, mr_dim_sharding, MR_MAX(rank, 1u));
  if (!sharding || !dims) {
    module->out_of_memory = true;
    return NULL;
  }
  for (uint32_t i = 0; i < rank; i++) {
    dims[i].open = open;
  }
  *sharding = (mr_sharding){.mesh = mesh, .rank = rank, .dims = dims};
  return sharding;
}

mr_sharding *mr_sharding_copy(mr_module *module, const mr_sharding *sharding) {
  mr_sharding *copy = mr_sharding_create(module, sharding->mesh, sharding->rank, false);
  if (copy) {
    copy->replicated = sharding->replicated;
    copy->unreduced = sharding->unreduced;
    memcpy(copy->dims, sharding->dims, sharding->rank * sizeof *copy->dims);
  }
  return copy;
}

bool mr_axis_list_make(mr_module *module, uint32_t count, const mr_axis_ref *refs, mr_axis_list *out) {
  *out = (mr_axis_list){0};
  if (count == 0) {
    return true;
  }
  mr_axis_ref *copy = mr_arena_copy(&module->arena, refs, count * sizeof *refs);
  if (!copy) {
    module->out_of_memory = true;
    return false;
  }
  *out = (mr_axis_list){count, copy};
  return true;
}

static int compare_refs(const void *left, const void *right) {
  const mr_axis_ref *a = left, *b = right;
  if (a->axis != b->axis) {
    return a->axis < b->axis ? -1 : 1;
  }
  return a->pre < b->pre ? -1 : a->pre > b->pre;
}

bool mr_axis_list_make_set(mr_module *module, uint32_t count, const mr_axis_ref *refs, mr_axis_list *out) {
  if (!mr_axis_list_make(module, count, refs, out)) {
    return false;
  }
  mr_axis_ref *sorted = (mr_axis_ref *)out->refs;  // just copied
  if (count > 1) {
    qsort(sorted, count, sizeof *sorted, compare_refs);
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    mr_axis_ref *last = kept ? &sorted[kept - 1] : NULL;
    if (last && last->axis == sorted[i].axis && sorted[i].pre <= last->pre * last->size) {
      int64_t end = MR_MAX(last->pre * last->size, sorted[i].pre * sorted[i].size);
      last->size = end / last->pre;
    } else {
      sorted[kept++] = sorted[i];
    }
  }
  out->count = kept;
  return true;
}
