// Groups of devices that are said by axes of a mesh, made into lists: the devices of a group differ along these axes only, the first
// axis being the major one; groups are in the order of their first devices.
#include <string.h>

#include "compiler/shard/import_forms.h"

typedef struct digit {
  int64_t size, stride;  // in places of the mesh
} digit;

enum { MOST_DIGITS = 32 };

// The groups that were made last: neighbours often have the same.
typedef struct maker {
  mr_module *module;
  const mr_attr *last;  // the attribute's items
  mr_ints ids;
  int64_t rows;
} maker;

// ---- The mesh ---------------------------------------------------------------------------------------------------------------

static mr_status read_ids(const mr_op *op, const mr_attr *attr, mr_mesh *mesh, mr_module *module) {
  int64_t count = mr_mesh_devices(mesh);
  bool ints = attr->kind == MR_ATTR_INTS && attr->ints.size == (size_t)count;
  bool dense = attr->kind == MR_ATTR_DENSE && attr->dense.type.dtype == MR_S64 && !attr->dense.splat &&
               attr->dense.size == (size_t)count * sizeof(int64_t);
  if (!ints && !dense) {
    return mr_op_error(op, "replica_groups: the mesh has %lld places, wanted a device for each", (long long)count);
  }
  const void *data = ints ? (const void *)attr->ints.data : attr->dense.data;
  mesh->ids = mr_arena_copy(&module->arena, data, (size_t)count * sizeof(int64_t));
  mesh->num_ids = (uint32_t)count;
  return mesh->ids ? MR_OK : MR_NO_MEMORY();
}

// One that stands in the attribute: {axes = [{name, size}, ..], device_ids}. Axes of size 1 stay: they have one index.
static mr_status read_mesh(const mr_op *op, const mr_attr *attr, mr_module *module, const mr_mesh **out) {
  const mr_attr *axes = mr_dict_find(attr, "axes"), *ids = mr_dict_find(attr, "device_ids");
  mr_mesh *mesh = mr_arena_new(&module->arena, mr_mesh);
  size_t count = axes && axes->kind == MR_ATTR_ARRAY ? axes->count : 0;
  mr_axis *read = mr_arena_array(&module->arena, mr_axis, count + 1);
  int64_t devices = 1;
  if (!mesh || !read) {
    return MR_NO_MEMORY();
  }
  *mesh = (mr_mesh){.num_axes = (uint32_t)count, .axes = read, .maximal = -1};
  for (size_t i = 0; i < count; i++) {
    const mr_attr *name = mr_dict_find(&axes->items[i], "name"), *size = mr_dict_find(&axes->items[i], "size");
    if (!name || name->kind != MR_ATTR_STRING || !size || size->kind != MR_ATTR_INT || size->integer < 1 ||
        __builtin_mul_overflow(devices, size->integer, &devices) || devices > UINT16_MAX) {
      return mr_op_error(op, "replica_groups: axis %zu of the mesh has no name, or no size that fits", i);
    }
    read[i] = (mr_axis){name->string, size->integer};
  }
  *out = mesh;
  return ids ? read_ids(op, ids, mesh, module) : MR_OK;
}

static mr_status find_mesh(const mr_op *op, const mr_attr *attr, mr_module *module, const mr_mesh **out) {
  if (attr && attr->kind == MR_ATTR_STRING) {
    return mr_mesh_named(module, attr->string, out);
  }
  if (attr && attr->kind == MR_ATTR_DICT) {
    return read_mesh(op, attr, module, out);
  }
  return mr_op_error(op, "replica_groups names no mesh");
}

// ---- Axes -------------------------------------------------------------------------------------------------------------------

static bool is_one(const mr_mesh *mesh, mr_str name) {
  for (uint32_t i = 0; i < mesh->num_ones; i++) {
    if (mr_str_equal(mesh->ones[i], name)) {
      return true;
    }
  }
  return false;
}

static int64_t stride_of(const mr_mesh *mesh, int axis) {
  int64_t stride = 1;
  for (uint32_t i = mesh->num_axes; i-- > (uint32_t)axis + 1;) {
    stride *= mesh->axes[i].size;
  }
  return stride;
}

// {name = "x"} or {name = "x", sub_axis_info = {pre_size, size}}
static mr_status read_axis(const mr_op *op, const mr_mesh *mesh, const mr_attr *attr, digit *out) {
  const mr_attr *name = attr->kind == MR_ATTR_DICT ? mr_dict_find(attr, "name") : NULL;
  const mr_attr *part = attr->kind == MR_ATTR_DICT ? mr_dict_find(attr, "sub_axis_info") : NULL;
  int axis = name && name->kind == MR_ATTR_STRING ? mr_mesh_axis(mesh, name->string) : -1;
  *out = (digit){1, 1};
  if (axis < 0) {
    return name && name->kind == MR_ATTR_STRING && is_one(mesh, name->string)
               ? MR_OK
               : mr_op_error(op, "replica_groups has an axis that its mesh lacks");
  }
  int64_t whole = mesh->axes[axis].size;
  *out = (digit){whole, stride_of(mesh, axis)};
  if (part) {
    const mr_attr *pre = mr_dict_find(part, "pre_size"), *size = mr_dict_find(part, "size");
    if (!pre || !size || pre->kind != MR_ATTR_INT || size->kind != MR_ATTR_INT || pre->integer < 1 ||
        size->integer < 1 || pre->integer > whole || whole % pre->integer || size->integer > whole / pre->integer ||
        whole / pre->integer % size->integer) {
      return mr_op_error(op, "replica_groups has a part of an axis that does not divide it");
    }
    out->size = size->integer;
    out->stride *= whole / pre->integer / size->integer;
  }
  return MR_OK;
}

static bool overlap(digit a, digit b) {
  return a.size > 1 && b.size > 1 && a.stride < b.stride * b.size && b.stride < a.stride * a.size;
}

// Of two that do not overlap: whether the one counts whole turns of the other. Else a place less its digits is not the first of a group.
static bool go_together(digit a, digit b) {
  digit major = a.stride > b.stride ? a : b, minor = a.stride > b.stride ? b : a;
  return a.size == 1 || b.size == 1 || major.stride % (minor.stride * minor.size) == 0;
}

static mr_status read_axes(const mr_op *op, const mr_mesh *mesh, const mr_attr *attr, digit *digits, size_t *out) {
  if (!attr || attr->kind != MR_ATTR_ARRAY || attr->count > MOST_DIGITS) {
    return mr_op_error(op, "replica_groups names no axes, or more than %d", MOST_DIGITS);
  }
  for (size_t i = 0; i < attr->count; i++) {
    MR_TRY(read_axis(op, mesh, &attr->items[i], &digits[i]));
    for (size_t k = 0; k < i; k++) {
      if (overlap(digits[i], digits[k])) {
        return mr_op_error(op, "replica_groups has a part of an axis twice");
      }
      if (!go_together(digits[i], digits[k])) {
        return mr_op_error(op, "replica_groups has parts of an axis that do not go together");
      }
    }
  }
  *out = attr->count;
  return MR_OK;
}

// ---- Groups -----------------------------------------------------------------------------------------------------------------

static mr_status make_ids(maker *m, const mr_mesh *mesh, const digit *digits, size_t count) {
  int64_t devices = mr_mesh_devices(mesh), size = 1;
  for (size_t i = 0; i < count; i++) {
    size *= digits[i].size;
  }
  int64_t *ids = mr_arena_array(&m->module->arena, int64_t, (size_t)devices + 1);
  int64_t *row_of = mr_arena_array(&m->module->arena, int64_t, (size_t)devices + 1);  // by place of a group's first
  if (!ids || !row_of) {
    return MR_NO_MEMORY();
  }
  m->rows = 0;
  for (int64_t place = 0; place < devices; place++) {
    int64_t first = place, rank = 0;
    for (size_t i = 0; i < count; i++) {
      int64_t at = place / digits[i].stride % digits[i].size;
      first -= at * digits[i].stride;
      rank = rank * digits[i].size + at;
    }
    if (first == place) {
      row_of[place] = m->rows++;
    }
    ids[row_of[first] * size + rank] = mesh->num_ids ? mesh->ids[place] : place;
  }
  m->ids = (mr_ints){ids, (size_t)devices};
  return MR_OK;
}

static mr_status expand(maker *m, mr_op *op, const mr_attr *attr) {
  if (m->last != attr->items) {
    const mr_mesh *mesh;
    digit digits[MOST_DIGITS];
    size_t count;
    MR_TRY(find_mesh(op, mr_dict_find(attr, "mesh"), m->module, &mesh));
    MR_TRY(read_axes(op, mesh, mr_dict_find(attr, "axes"), digits, &count));
    MR_TRY(make_ids(m, mesh, digits, count));
    m->last = attr->items;
  }
  mr_attr list = {.key = attr->key, .name = attr->name, .kind = MR_ATTR_INTS, .dtype = MR_S64};
  list.ints = m->ids;
  list.rows = m->rows;
  mr_op_set_attr(m->module, op, list);
  return mr_module_memory(m->module);
}

mr_status mr_import_mesh_groups(mr_module *module) {
  maker m = {.module = module};
  bool any = false, meets = false;
  for (size_t kind = 0; kind < MR_OP_COUNT; kind++) {
    meets |= module->made[kind] && mr_op_table[kind].op_class == MR_OPS_COLLECTIVE;
  }
  for (mr_function *f = meets ? module->functions : NULL; f; f = f->next) {
    for (mr_op *op = mr_walk_first(&f->body); op; op = mr_walk_next(op, &f->body)) {
      const mr_attr *attr = mr_op_attr(op, MR_ATTR_replica_groups);
      if (attr && attr->kind == MR_ATTR_DICT) {
        MR_TRY(expand(&m, op, attr));
        any = true;
      }
    }
  }
  // What shapes come to is known only now.
  return any ? mr_module_verify(module) : MR_OK;
}
