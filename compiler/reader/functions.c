// Functions and meshes from what both readers collect of them.
#include <string.h>

#include "compiler/reader/normalize.h"

static mr_status set_attrs(mr_module *module, const mr_attr *array, size_t count, mr_attr ***out_attrs) {
  mr_attr **attrs = mr_arena_array(&module->arena, mr_attr *, count + 1);
  if (!attrs) {
    return MR_NO_MEMORY();
  }
  *out_attrs = attrs;
  if (!array || (array->kind == MR_ATTR_ARRAY && array->count == 0)) {
    return MR_OK;
  }
  if (array->kind != MR_ATTR_ARRAY || array->count != count) {
    return mr_error(MR_INVALID_ARGUMENT, "%.*s is not a list of %zu dictionaries", MR_STR_ARG(array->name), count);
  }
  for (size_t i = 0; i < count; i++) {
    if (array->items[i].kind != MR_ATTR_DICT) {
      return mr_error(MR_INVALID_ARGUMENT, "%.*s is not a list of %zu dictionaries", MR_STR_ARG(array->name), count);
    }
    attrs[i] = array->items[i].count ? &array->items[i] : NULL;
  }
  return MR_OK;
}

mr_str mr_draft_string_of(const mr_draft *draft, const char *name) {
  const mr_attr *attr = mr_draft_find(draft, name);
  return attr && attr->kind == MR_ATTR_STRING ? attr->string : (mr_str){0};
}

static mr_status types_of(mr_draft *draft, const mr_attr *array, const mr_type **out) {
  mr_type *types = mr_arena_array(draft->scratch, mr_type, array->count + 1);
  if (!types) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < array->count; i++) {
    types[i] = array->items[i].type;
  }
  *out = types;
  return MR_OK;
}

static bool is_type_list(const mr_attr *attr) {
  bool good = attr && attr->kind == MR_ATTR_ARRAY;
  for (size_t i = 0; good && i < attr->count; i++) {
    good = attr->items[i].kind == MR_ATTR_TYPE;
  }
  return good;
}

mr_status mr_draft_function(mr_draft *draft, mr_function **out_function) {
  *out_function = NULL;
  MR_TRY(mr_draft_check(draft));
  mr_module *module = draft->module;
  mr_str name = mr_draft_string_of(draft, "sym_name"), visibility = mr_draft_string_of(draft, "sym_visibility");
  const mr_attr *type = mr_draft_find(draft, "function_type");
  // Only mr_read_attr_function makes this dictionary; a hostile file's own may look alike, down to its items' kinds.
  const mr_attr *inputs = type && type->kind == MR_ATTR_DICT ? mr_dict_find(type, "inputs") : NULL;
  const mr_attr *results = type && type->kind == MR_ATTR_DICT ? mr_dict_find(type, "results") : NULL;
  if (name.size == 0 || !is_type_list(inputs) || !is_type_list(results)) {
    return mr_error(MR_INVALID_ARGUMENT, "function %.*s has no name or no function type", MR_STR_ARG(name));
  }
  const mr_type *input_types, *result_types;
  MR_TRY(types_of(draft, inputs, &input_types));
  MR_TRY(types_of(draft, results, &result_types));
  mr_function *function =
      mr_module_add_function(module, name, visibility.size == 0 || mr_str_is(visibility, "public"),
                             (uint32_t)inputs->count, input_types, (uint32_t)results->count, result_types);
  if (!function) {
    return MR_NO_MEMORY();
  }
  function->loc = draft->loc;
  MR_TRY(set_attrs(module, mr_draft_find(draft, "arg_attrs"), inputs->count, &function->arg_attrs));
  MR_TRY(set_attrs(module, mr_draft_find(draft, "res_attrs"), results->count, &function->result_attrs));
  *out_function = function;
  return MR_OK;
}

mr_status mr_read_mesh(mr_module *module, mr_str name, mr_str text) {
  size_t count = module->meshes ? module->meshes->count : 0;
  mr_attr *dict = module->meshes ? module->meshes : mr_arena_new(&module->arena, mr_attr);
  // Grown by doubling at powers of two.
  mr_attr *items = dict ? dict->items : NULL;
  if (dict && (count & (count - 1)) == 0) {
    items = mr_arena_array(&module->arena, mr_attr, count ? count * 2 : 1);
    if (items && count) {
      memcpy(items, dict->items, count * sizeof(mr_attr));
    }
  }
  if (!dict || !items) {
    return MR_NO_MEMORY();
  }
  // Kept as the op writes it, without the name of the attribute.
  mr_str prefix = MR_STR("#sdy.mesh");
  if (mr_str_starts_with(text, prefix)) {
    text = (mr_str){text.data + prefix.size, text.size - prefix.size};
  }
  items[count] = (mr_attr){.kind = MR_ATTR_TEXT, .name = name, .string = text};
  dict->kind = MR_ATTR_DICT;
  dict->name = MR_STR("meshes");
  dict->items = items;
  dict->count = count + 1;
  module->meshes = dict;
  return MR_OK;
}

mr_status mr_draft_module_attrs(const mr_draft *draft) {
  MR_TRY(mr_draft_check(draft));
  mr_module *module = draft->module;
  mr_arena *arena = &module->arena;
  mr_str name = mr_draft_string_of(draft, "sym_name");
  module->name = name.size ? name : MR_STR("");
  mr_attr *dict = mr_arena_new(arena, mr_attr);
  mr_attr *items = mr_arena_array(arena, mr_attr, draft->num_attrs + 1);
  if (!dict || !items) {
    return MR_NO_MEMORY();
  }
  *dict = (mr_attr){.kind = MR_ATTR_DICT, .name = MR_STR("attributes"), .items = items};
  for (size_t i = 0; i < draft->num_attrs; i++) {
    if (!mr_str_is(draft->attrs[i].name, "sym_name") && !mr_str_is(draft->attrs[i].name, "sym_visibility")) {
      items[dict->count] = draft->attrs[i];
      items[dict->count++].key = MR_ATTR_none;
    }
  }
  module->attrs = dict->count ? dict : NULL;
  return MR_OK;
}

// ---- Locations ------------------------------------------------------------------------------------------------------

void mr_origin_add(mr_origin *origin, const mr_origin *more) {
  if (!origin->path.size) {
    origin->path = more->path;
  }
  if (!origin->file.size) {
    origin->file = more->file;
    origin->line = more->line;
  }
}

mr_str mr_origin_path(mr_str name) {
  const char *sign = name.size ? memchr(name.data, '@', name.size) : NULL;
  name.size = sign ? (size_t)(sign - name.data) : name.size;
  return name.size && name.data[name.size - 1] == ':' ? MR_STR("") : name;
}

const mr_origin *mr_origin_keep(mr_arena *arena, const mr_origin *origin, const mr_origin *none) {
  if (!origin->path.size && !origin->file.size) {
    return none;
  }
  mr_origin *kept = mr_arena_new(arena, mr_origin);
  if (kept) {
    *kept = *origin;
  }
  return kept;
}
