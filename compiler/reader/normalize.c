// From an op as written to an op in normal form: attributes split, converted to what their key wants, completed with
// defaults, sorted; the rest kept in `extra`.
#include "compiler/reader/normalize.h"

#include <string.h>

#include "core/core.h"

// ---- Collecting ----------------------------------------------------------------------------------------------------

const mr_attr *mr_draft_find(const mr_draft *draft, const char *name) {
  for (size_t i = 0; i < draft->num_attrs; i++) {
    if (mr_str_is(draft->attrs[i].name, name)) {
      return &draft->attrs[i];
    }
  }
  return NULL;
}

static void add_attr(mr_draft *draft, mr_str name, mr_attr_key key, const mr_attr *value) {
  if (draft->num_attrs == MR_READ_ATTRS) {
    draft->too_many_attrs = true;
    return;
  }
  if (draft->num_attrs == draft->room_attrs) {
    size_t room = draft->room_attrs ? draft->room_attrs * 2 : 8;
    mr_attr *attrs = mr_arena_array(draft->scratch, mr_attr, room);
    if (!attrs) {
      draft->out_of_memory = true;
      return;
    }
    if (draft->num_attrs) {
      memcpy(attrs, draft->attrs, draft->num_attrs * sizeof(mr_attr));
    }
    draft->attrs = attrs;
    draft->room_attrs = room;
  }
  mr_attr *slot = &draft->attrs[draft->num_attrs++];
  *slot = *value;
  slot->name = name;
  slot->key = key;
}

mr_status mr_draft_check(const mr_draft *draft) {
  if (draft->too_many_attrs) {
    return mr_error(MR_RESOURCE_EXHAUSTED, "%.*s: more than %d attributes", MR_STR_ARG(draft->name), MR_READ_ATTRS);
  }
  return draft->out_of_memory ? MR_NO_MEMORY() : MR_OK;
}

void mr_draft_attr(mr_draft *draft, mr_str name, const mr_attr *value) {
  add_attr(draft, name, mr_attr_key_from_name(name), value);
}

void mr_draft_keyed(mr_draft *draft, mr_attr_key key, const mr_attr *value) {
  add_attr(draft, mr_str_of(mr_attr_key_name(key)), key, value);
}

void mr_draft_int(mr_draft *draft, mr_attr_key key, int64_t value) {
  mr_attr attr = mr_read_attr_int(value, MR_S64);
  mr_draft_keyed(draft, key, &attr);
}

void mr_draft_ints(mr_draft *draft, mr_attr_key key, mr_ints ints, int64_t rows) {
  mr_attr attr = mr_read_attr_ints(ints, rows);
  mr_draft_keyed(draft, key, &attr);
}

void mr_draft_string(mr_draft *draft, mr_attr_key key, mr_str text) {
  mr_attr attr = mr_read_attr_string(text);
  mr_draft_keyed(draft, key, &attr);
}

// ---- Splitting struct attributes -----------------------------------------------------------------------------------

// The names under which text keeps several properties in one attribute.
static bool is_struct_name(mr_str name) {
  return mr_str_is(name, "dimension_numbers") || mr_str_is(name, "dot_dimension_numbers") ||
         mr_str_is(name, "scatter_dimension_numbers") || mr_str_is(name, "ragged_dot_dimension_numbers") ||
         mr_str_is(name, "channel_handle") || mr_str_is(name, "algorithm");
}

static mr_str field_name(mr_str parent, mr_str field) {
  if (mr_str_is(parent, "channel_handle")) {
    return mr_str_is(field, "handle") ? MR_STR("channel_id")
           : mr_str_is(field, "type") ? MR_STR("channel_type")
                                      : field;
  }
  return field;
}

// Only transfers store their channel's type.
static bool has_channel_type(mr_op_kind kind) { return kind == MR_OP_send || kind == MR_OP_recv; }

static void split_structs(mr_draft *draft) {
  size_t written = draft->num_attrs;
  for (size_t i = 0; i < written; i++) {
    mr_attr attr = draft->attrs[i];
    if (attr.kind != MR_ATTR_DICT || !is_struct_name(attr.name)) {
      continue;
    }
    for (size_t k = 0; k < attr.count; k++) {
      mr_str name = field_name(attr.name, attr.items[k].name);
      if (!mr_str_is(name, "channel_type") || has_channel_type(draft->kind)) {
        mr_draft_attr(draft, name, &attr.items[k]);
      }
    }
    draft->attrs[i].name.size = 0;  // spent
  }
}

// ---- Converting to the wanted form ---------------------------------------------------------------------------------

static int64_t element_integer(mr_dtype dtype, const uint8_t *at) {
  int64_t value = 0;
  size_t bytes = mr_dtype_bytes(dtype);
  memcpy(&value, at, bytes);
  unsigned shift = (unsigned)(64 - 8 * bytes);
  if (shift && mr_dtype_is_signed(dtype)) {
    return (int64_t)((uint64_t)value << shift) >> shift;
  }
  return value;
}

static mr_status dense_to_ints(mr_module *module, const mr_attr *attr, mr_attr *out) {
  const mr_dense *dense = &attr->dense;
  const mr_type *type = &dense->type;
  if (type->rank > 2 || !(mr_dtype_is_integer(type->dtype) || type->dtype == MR_PRED)) {
    char text[200];
    return mr_error(MR_INVALID_ARGUMENT, "wanted a list of integers, found a constant of type %s",
                    mr_type_text(type, text, sizeof text));
  }
  size_t count = (size_t)mr_type_count(type);
  if (count > MR_READ_INTS) {
    return mr_error(MR_INVALID_ARGUMENT, "list has %zu integers, at most %d are supported", count, MR_READ_INTS);
  }
  int64_t *ints = mr_arena_array(&module->arena, int64_t, count + 1);
  if (!ints) {
    return MR_NO_MEMORY();
  }
  size_t step = dense->splat ? 0 : mr_dtype_bytes(type->dtype);
  for (size_t i = 0; i < count; i++) {
    ints[i] = element_integer(type->dtype, (const uint8_t *)dense->data + i * step);
  }
  *out = mr_read_attr_ints((mr_ints){ints, count}, type->rank == 2 ? type->dims[0] : -1);
  return MR_OK;
}

static mr_status enum_of(const mr_attr *attr, int64_t *out) {
  if (attr->kind == MR_ATTR_INT) {
    *out = attr->integer;
    return MR_OK;
  }
  if (attr->kind == MR_ATTR_UNIT) {  // flags: being there means true
    *out = 1;
    return MR_OK;
  }
  if (attr->kind == MR_ATTR_STRING && mr_enum_number(attr->key, attr->string, out)) {
    return MR_OK;
  }
  return mr_error(MR_INVALID_ARGUMENT, "wanted an integer or an enum word");
}

static mr_status array_to_ints(mr_module *module, const mr_attr *attr, mr_attr *out) {
  int64_t *ints = mr_arena_array(&module->arena, int64_t, attr->count + 1);
  if (!ints) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < attr->count; i++) {
    mr_attr item = attr->items[i];
    item.key = attr->key;  // enum words are looked up by the list's key
    MR_TRY(enum_of(&item, &ints[i]));
  }
  *out = mr_read_attr_ints((mr_ints){ints, attr->count}, -1);
  return MR_OK;
}

static mr_status to_ints(mr_module *module, mr_attr *attr) {
  mr_attr out;
  if (attr->kind == MR_ATTR_INTS) {
    return MR_OK;
  }
  if (attr->kind == MR_ATTR_DENSE) {
    MR_TRY(dense_to_ints(module, attr, &out));
  } else if (attr->kind == MR_ATTR_ARRAY) {
    MR_TRY(array_to_ints(module, attr, &out));
  } else {
    return mr_error(MR_INVALID_ARGUMENT, "wanted a list of integers");
  }
  out.key = attr->key;
  out.name = attr->name;
  *attr = out;
  return MR_OK;
}

static mr_status to_pairs(mr_module *module, mr_attr *attr) {
  MR_TRY(to_ints(module, attr));
  if (attr->ints.size == 0 && attr->rows <= 0) {
    attr->rows = 0;
    return MR_OK;
  }
  // send and recv once stored a flat list of no more than one pair.
  if (attr->rows == -1 && attr->ints.size % 2 == 0) {
    attr->rows = (int64_t)(attr->ints.size / 2);
  }
  if (attr->rows < 0 || (uint64_t)attr->rows * 2 != attr->ints.size) {
    return mr_error(MR_INVALID_ARGUMENT, "wanted pairs of integers, found %zu integers in %lld rows", attr->ints.size,
                    (long long)attr->rows);
  }
  return MR_OK;
}

static mr_status to_groups(mr_module *module, mr_attr *attr) {
  if (attr->kind == MR_ATTR_DICT) {
    return MR_OK;
  }
  MR_TRY(to_ints(module, attr));
  if (attr->rows == -1) {  // one group
    attr->rows = attr->ints.size != 0;
  }
  return MR_OK;
}

static mr_status to_lists(mr_module *module, mr_attr *attr) {
  if (attr->kind != MR_ATTR_ARRAY) {
    return mr_error(MR_INVALID_ARGUMENT, "wanted an array of lists");
  }
  mr_attr *items = mr_arena_array(&module->arena, mr_attr, attr->count + 1);
  if (!items) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < attr->count; i++) {
    items[i] = attr->items[i];
    MR_TRY(to_ints(module, &items[i]));
  }
  attr->items = items;
  return MR_OK;
}

static mr_status to_strings(mr_attr *attr) {
  if (attr->kind != MR_ATTR_ARRAY) {
    return mr_error(MR_INVALID_ARGUMENT, "wanted an array of names");
  }
  for (size_t i = 0; i < attr->count; i++) {
    if (attr->items[i].kind != MR_ATTR_STRING) {
      return mr_error(MR_INVALID_ARGUMENT, "wanted an array of names");
    }
  }
  return MR_OK;
}

static mr_status want_kind(const mr_attr *attr, mr_attr_kind kind, const char *wanted) {
  return attr->kind == kind ? MR_OK : mr_error(MR_INVALID_ARGUMENT, "wanted %s", wanted);
}

static mr_status to_int(mr_attr *attr) {
  MR_TRY(enum_of(attr, &attr->integer));
  attr->kind = MR_ATTR_INT;
  return MR_OK;
}

static mr_status convert(mr_module *module, mr_attr *attr, mr_want want) {
  switch (want) {
  case MR_WANT_INT: return to_int(attr);
  case MR_WANT_INTS: return to_ints(module, attr);
  case MR_WANT_PAIRS: return to_pairs(module, attr);
  case MR_WANT_GROUPS: return to_groups(module, attr);
  case MR_WANT_FLOAT: return want_kind(attr, MR_ATTR_FLOAT, "a float");
  case MR_WANT_STRING: return want_kind(attr, MR_ATTR_STRING, "a string");
  case MR_WANT_DENSE: return want_kind(attr, MR_ATTR_DENSE, "constant data");
  case MR_WANT_STRINGS: return to_strings(attr);
  case MR_WANT_LISTS: return to_lists(module, attr);
  case MR_WANT_ARRAY: return want_kind(attr, MR_ATTR_ARRAY, "an array");
  case MR_WANT_DICT: return want_kind(attr, MR_ATTR_DICT, "a dictionary");
  case MR_WANT_ANY: return MR_OK;
  }
  return MR_OK;
}

// ---- Defaults ------------------------------------------------------------------------------------------------------

static mr_status repeat(mr_module *module, size_t count, int64_t value, int64_t rows, mr_attr *out) {
  int64_t *ints = mr_arena_array(&module->arena, int64_t, count + 1);
  if (!ints) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    ints[i] = value;
  }
  *out = mr_read_attr_ints((mr_ints){ints, count}, rows);
  return MR_OK;
}

// How many dimensions the op's window has.
static mr_status window_rank(mr_draft *draft, size_t *out_rank) {
  const mr_attr *dims = mr_draft_find(draft, "window_dimensions");
  dims = dims ? dims : mr_draft_find(draft, "input_spatial_dimensions");
  *out_rank = 0;
  if (dims) {
    mr_attr copy = *dims;
    MR_TRY(to_ints(draft->module, &copy));
    *out_rank = copy.ints.size;
  }
  return MR_OK;
}

static mr_attr empty_of(mr_want want) {
  switch (want) {
  case MR_WANT_INTS: return mr_read_attr_ints((mr_ints){0}, -1);
  case MR_WANT_PAIRS:
  case MR_WANT_GROUPS: return mr_read_attr_ints((mr_ints){0}, 0);
  case MR_WANT_DICT: return (mr_attr){.kind = MR_ATTR_DICT};
  case MR_WANT_STRINGS:
  case MR_WANT_LISTS:
  case MR_WANT_ARRAY: return (mr_attr){.kind = MR_ATTR_ARRAY};
  default: return mr_read_attr_string(MR_STR(""));
  }
}

static mr_status fill_window(mr_draft *draft, const mr_prop *prop, mr_attr *out) {
  size_t rank;
  MR_TRY(window_rank(draft, &rank));
  bool pairs = prop->want == MR_WANT_PAIRS;
  return repeat(draft->module, pairs ? 2 * rank : rank, prop->fallback == MR_FALLBACK_ONES, pairs ? (int64_t)rank : -1,
                out);
}

static mr_status fill_default(mr_draft *draft, const mr_prop *prop, mr_attr *out, bool *out_present) {
  *out_present = true;
  switch (prop->fallback) {
  case MR_FALLBACK_NONE:
    return mr_error(MR_INVALID_ARGUMENT, "%.*s: attribute %s is missing", MR_STR_ARG(draft->name),
                    mr_attr_key_name(prop->key));
  case MR_FALLBACK_ABSENT: *out_present = false; return MR_OK;
  case MR_FALLBACK_ZERO: *out = mr_read_attr_int(0, MR_INVALID); return MR_OK;
  case MR_FALLBACK_ONE: *out = mr_read_attr_int(1, MR_INVALID); return MR_OK;
  case MR_FALLBACK_MINUS_ONE: *out = mr_read_attr_int(-1, MR_INVALID); return MR_OK;
  case MR_FALLBACK_EMPTY: *out = empty_of(prop->want); return MR_OK;
  case MR_FALLBACK_ONES:
  case MR_FALLBACK_ZEROS: return fill_window(draft, prop, out);
  case MR_FALLBACK_PRECISION: return repeat(draft->module, 2, 0, -1, out);
  }
  return MR_OK;
}

// ---- Sorting into keyed and extra ----------------------------------------------------------------------------------

// Ops without a line in the table (Shardy's smaller ones) keep whatever has a known key.
static bool keeps_any_key(mr_op_kind kind) {
  return kind == MR_OP_sdy_other || kind == MR_OP_sdy_sharding_group || kind == MR_OP_sdy_propagation_barrier;
}

static bool is_none_type(const mr_attr *attr) { return attr->kind == MR_ATTR_TEXT && mr_str_is(attr->string, "none"); }

static const mr_attr *find_key(const mr_draft *draft, mr_attr_key key) {
  for (size_t i = 0; i < draft->num_attrs; i++) {
    if (draft->attrs[i].key == key && draft->attrs[i].name.size) {
      return &draft->attrs[i];
    }
  }
  return NULL;
}

static mr_status take_prop(mr_draft *draft, const mr_prop *prop, mr_attr *keyed, size_t *count) {
  const char *name = mr_attr_key_name(prop->key);
  mr_attr *out = &keyed[*count];
  const mr_attr *written = find_key(draft, prop->key);
  bool present = written != NULL && !(prop->fallback == MR_FALLBACK_ABSENT && is_none_type(written));
  // Precision may be written as an empty list.
  if (present && prop->fallback == MR_FALLBACK_PRECISION && written->kind == MR_ATTR_ARRAY && written->count == 0) {
    present = false;
  }
  if (present) {
    *out = *written;
    mr_status status = convert(draft->module, out, prop->want);
    if (status) {
      return mr_status_note(status, "%.*s: attribute %s", MR_STR_ARG(draft->name), name);
    }
  } else {
    MR_TRY(fill_default(draft, prop, out, &present));
  }
  out->key = prop->key;
  out->name = mr_str_of(name);
  *count += present;
  return MR_OK;
}

static bool in_props(const mr_props *props, const mr_attr *attr) {
  for (size_t i = 0; props && i < props->count; i++) {
    if (props->props[i].key == attr->key) {
      return true;
    }
  }
  return false;
}

static bool written_before(const mr_draft *draft, size_t index) {
  for (size_t i = 0; i < index; i++) {
    if (mr_str_equal(draft->attrs[i].name, draft->attrs[index].name)) {
      return true;
    }
  }
  return false;
}

// Neither a property nor spent nor a second one of its name.
static bool is_rest(const mr_draft *draft, const mr_props *props, size_t index) {
  const mr_attr *attr = &draft->attrs[index];
  bool prop = attr->key != MR_ATTR_none && in_props(props, attr);
  return attr->name.size && !prop && !written_before(draft, index);
}

static mr_status collect_rest(mr_draft *draft, const mr_props *props, mr_attr *keyed, size_t *num_keyed,
                              mr_attr **out_extra) {
  mr_attr *extra = NULL;
  for (size_t i = 0; i < draft->num_attrs; i++) {
    const mr_attr *attr = &draft->attrs[i];
    if (!is_rest(draft, props, i)) {
      continue;
    }
    if (attr->key != MR_ATTR_none && keeps_any_key(draft->kind)) {
      keyed[(*num_keyed)++] = *attr;
      continue;
    }
    if (!extra) {  // most ops have none
      extra = mr_arena_new(&draft->module->arena, mr_attr);
      mr_attr *items = mr_arena_array(&draft->module->arena, mr_attr, draft->num_attrs - i);
      if (!extra || !items) {
        return MR_NO_MEMORY();
      }
      *extra = (mr_attr){.kind = MR_ATTR_DICT, .items = items, .name = MR_STR("extra")};
    }
    extra->items[extra->count] = *attr;
    extra->items[extra->count++].key = MR_ATTR_none;
  }
  *out_extra = extra;
  return MR_OK;
}

static void sort_by_key(mr_attr *attrs, size_t count) {
  for (size_t i = 1; i < count; i++) {  // nearly sorted already: both lists are alphabetical
    mr_attr attr = attrs[i];
    size_t at = i;
    for (; at > 0 && attrs[at - 1].key > attr.key; at--) {
      attrs[at] = attrs[at - 1];
    }
    attrs[at] = attr;
  }
}

static mr_status normalise_attrs(mr_draft *draft, mr_op *op) {
  const mr_props *props = mr_props_newest(draft->kind);
  split_structs(draft);
  MR_TRY(mr_draft_check(draft));
  if (!props && draft->num_attrs == 0) {
    return MR_OK;
  }
  size_t room = (props ? props->count : 0) + (keeps_any_key(draft->kind) ? draft->num_attrs : 0);
  mr_attr *keyed = mr_arena_array(&draft->module->arena, mr_attr, mr_op_attr_room((uint32_t)room));
  if (!keyed) {
    return MR_NO_MEMORY();
  }
  size_t count = 0;
  for (size_t i = 0; props && i < props->count; i++) {
    MR_TRY(take_prop(draft, &props->props[i], keyed, &count));
  }
  if (draft->num_attrs) {
    MR_TRY(collect_rest(draft, props, keyed, &count, &op->extra));
  }
  sort_by_key(keyed, count);
  op->attrs = keyed;
  op->num_attrs = (uint32_t)count;
  return MR_OK;
}

// ---- Building ------------------------------------------------------------------------------------------------------

static mr_status check_counts(const mr_draft *draft) {
  const mr_op_info *info = &mr_op_table[draft->kind];
  if ((info->operands >= 0 && draft->num_operands != (uint32_t)info->operands) ||
      (info->results >= 0 && draft->num_results != (uint32_t)info->results)) {
    return mr_error(MR_INVALID_ARGUMENT, "%.*s: %u operands and %u results, wanted %d and %d (-1: any)",
                    MR_STR_ARG(draft->name), draft->num_operands, draft->num_results, info->operands, info->results);
  }
  return MR_OK;
}

static mr_status adopt_regions(mr_draft *draft, mr_op *op) {
  if (draft->num_regions == 0) {
    return MR_OK;
  }
  op->regions = mr_arena_copy(&draft->module->arena, draft->regions, draft->num_regions * sizeof(mr_block *));
  if (!op->regions) {
    return MR_NO_MEMORY();
  }
  op->num_regions = draft->num_regions;
  for (uint32_t i = 0; i < op->num_regions; i++) {
    op->regions[i]->parent = op;
    op->regions[i]->region = i;
  }
  return MR_OK;
}

mr_status mr_draft_finish(mr_draft *draft, mr_op **out_op) {
  *out_op = NULL;
  MR_TRY(check_counts(draft));
  mr_builder builder = mr_builder_at_end(draft->block);
  builder.loc = draft->loc;
  mr_op *op =
      mr_build(&builder, draft->kind, draft->num_operands, draft->operands, draft->num_results, draft->results, 0);
  if (!op) {
    return MR_NO_MEMORY();
  }
  MR_TRY(adopt_regions(draft, op));
  MR_TRY(normalise_attrs(draft, op));
  if (draft->kind == MR_OP_sdy_other) {
    op->name = mr_arena_str(&draft->module->arena, draft->name);
    if (!op->name.data) {
      return MR_NO_MEMORY();
    }
  }
  *out_op = op;
  return MR_OK;
}
