// Attributes: names, lookup, setting.
#include "compiler/ir/ir.h"

#include <string.h>

static const char *const key_names[MR_ATTR_COUNT] = {
    [MR_ATTR_none] = "",
#define ATTR(name, kind) [MR_ATTR_##name] = #name,
#include "compiler/ir/attrs.def"
};

const char *mr_attr_key_name(mr_attr_key key) { return key_names[key]; }

mr_attr_key mr_attr_key_from_name(mr_str name) {
  for (int key = MR_ATTR_none + 1; key < MR_ATTR_COUNT; key++) {
    if (mr_str_is(name, key_names[key])) {
      return (mr_attr_key)key;
    }
  }
  return MR_ATTR_none;
}

const mr_attr *mr_dict_find(const mr_attr *dict, const char *name) {
  if (!dict || dict->kind != MR_ATTR_DICT) {
    return NULL;
  }
  for (size_t i = 0; i < dict->count; i++) {
    if (mr_str_is(dict->items[i].name, name)) {
      return &dict->items[i];
    }
  }
  return NULL;
}

mr_ints mr_dict_ints(const mr_attr *dict, const char *name) {
  const mr_attr *found = mr_dict_find(dict, name);
  return found && found->kind == MR_ATTR_INTS ? found->ints : (mr_ints){0};
}

// The first attribute whose key is not below `key`.
static uint32_t lower_bound(const mr_op *op, mr_attr_key key) {
  uint32_t low = 0, high = op->num_attrs;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (op->attrs[middle].key < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

const mr_attr *mr_op_attr(const mr_op *op, mr_attr_key key) {
  uint32_t at = lower_bound(op, key);
  return at < op->num_attrs && op->attrs[at].key == key ? &op->attrs[at] : NULL;
}

int64_t mr_op_int(const mr_op *op, mr_attr_key key, int64_t fallback) {
  const mr_attr *attr = mr_op_attr(op, key);
  return attr && attr->kind == MR_ATTR_INT ? attr->integer : fallback;
}

mr_ints mr_op_ints(const mr_op *op, mr_attr_key key) {
  const mr_attr *attr = mr_op_attr(op, key);
  return attr && attr->kind == MR_ATTR_INTS ? attr->ints : (mr_ints){0};
}

mr_str mr_op_string(const mr_op *op, mr_attr_key key) {
  const mr_attr *attr = mr_op_attr(op, key);
  return attr && attr->kind == MR_ATTR_STRING ? attr->string : (mr_str){0};
}

const mr_attr *mr_op_extra(const mr_op *op, const char *name) { return mr_dict_find(op->extra, name); }

uint32_t mr_op_attr_room(uint32_t count) {
  uint32_t room = 1;
  while (room < count) {
    room *= 2;
  }
  return room;
}

// Room for one more: the array doubles when the count is a power of two, so the count tells the capacity.
static bool make_room(mr_module *module, mr_op *op) {
  uint32_t count = op->num_attrs;
  if (count & (count - 1)) {
    return true;
  }
  mr_attr *attrs = mr_arena_array(&module->arena, mr_attr, count ? count * 2 : 1);
  if (!attrs) {
    module->out_of_memory = true;
    return false;
  }
  if (count) {
    memcpy(attrs, op->attrs, count * sizeof *attrs);
  }
  op->attrs = attrs;
  return true;
}

static mr_attr *append_extra(mr_module *module, mr_op *op, mr_attr attr) {
  mr_attr *dict = mr_arena_new(&module->arena, mr_attr);
  size_t count = op->extra ? op->extra->count : 0;
  mr_attr *items = mr_arena_array(&module->arena, mr_attr, count + 1);
  if (!dict || !items) {
    module->out_of_memory = true;
    return NULL;
  }
  size_t at = count;
  for (size_t i = 0; i < count; i++) {
    items[i] = op->extra->items[i];
    at = mr_str_equal(items[i].name, attr.name) ? i : at;
  }
  items[at] = attr;
  *dict = (mr_attr){.kind = MR_ATTR_DICT, .name = MR_STR("extra")};
  dict->items = items;
  dict->count = at == count ? count + 1 : count;
  op->extra = dict;
  return &items[at];
}

mr_attr *mr_op_set_attr(mr_module *module, mr_op *op, mr_attr attr) {
  if (!op) {
    return NULL;
  }
  if (attr.key == MR_ATTR_none) {
    return append_extra(module, op, attr);
  }
  if (!attr.name.data) {
    attr.name = mr_str_of(key_names[attr.key]);
  }
  uint32_t at = lower_bound(op, attr.key);
  if (at == op->num_attrs || op->attrs[at].key != attr.key) {
    if (!make_room(module, op)) {
      return NULL;
    }
    memmove(op->attrs + at + 1, op->attrs + at, (op->num_attrs - at) * sizeof attr);
    op->num_attrs++;
  }
  op->attrs[at] = attr;
  return &op->attrs[at];
}

void mr_op_set_int(mr_module *module, mr_op *op, mr_attr_key key, int64_t value) {
  mr_op_set_attr(module, op, (mr_attr){.key = key, .kind = MR_ATTR_INT, .integer = value});
}

void mr_op_set_ints(mr_module *module, mr_op *op, mr_attr_key key, mr_ints values) {
  mr_attr attr = {.key = key, .kind = MR_ATTR_INTS, .dtype = MR_S64};
  attr.rows = -1;
  attr.ints.size = values.size;
  if (values.size) {
    attr.ints.data = mr_arena_copy(&module->arena, values.data, values.size * sizeof *values.data);
    if (!attr.ints.data) {
      module->out_of_memory = true;
      return;
    }
  }
  mr_op_set_attr(module, op, attr);
}

void mr_op_set_string(mr_module *module, mr_op *op, mr_attr_key key, mr_str value) {
  mr_attr attr = {.key = key, .kind = MR_ATTR_STRING, .string = mr_arena_str(&module->arena, value)};
  if (value.size && !attr.string.data) {
    module->out_of_memory = true;
    return;
  }
  mr_op_set_attr(module, op, attr);
}

void mr_op_copy_attrs(mr_module *module, mr_op *to, const mr_op *from) {
  if (!to) {
    return;
  }
  to->extra = from->extra;
  to->joined_operand = from->joined_operand;
  to->num_attrs = 0;
  to->attrs = NULL;
  if (from->num_attrs) {
    to->attrs = mr_arena_array(&module->arena, mr_attr, mr_op_attr_room(from->num_attrs));
    if (!to->attrs) {
      module->out_of_memory = true;
      return;
    }
    memcpy(to->attrs, from->attrs, from->num_attrs * sizeof *to->attrs);
    to->num_attrs = from->num_attrs;
  }
}

mr_dense mr_dense_make(mr_module *module, const mr_type *type, const void *data) {
  size_t bytes = mr_type_bytes(type), one = mr_dtype_bytes(type->dtype);
  mr_dense dense = {.type = *type, .size = bytes};
  // Equal to itself shifted by one element: every element equals its neighbour.
  dense.splat = bytes > one && memcmp(data, (const char *)data + one, bytes - one) == 0;
  if (dense.splat) {
    dense.size = one;
  }
  dense.data = mr_arena_copy(&module->arena, data, dense.size);
  module->out_of_memory |= !dense.data;
  return dense;
}
