// Custom calls and composites of HLO: attributes that arrive as text, layouts, aliases.
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/calls.h"
#include "compiler/reader/hlo.h"
#include "compiler/reader/reader.h"

enum { XLA_API_TYPED_FFI = 4 };

const Millrace__Hlo__FrontendAttribute *mr_hlo_frontend(const hlo_context *c, const char *key) {
  const Millrace__Hlo__FrontendAttributes *list = c->proto->frontend_attributes;
  for (size_t i = 0; list && i < list->n_map; i++) {
    if (strcmp(list->map[i]->key, key) == 0) {
      return list->map[i];
    }
  }
  return NULL;
}

static mr_str bytes_text(ProtobufCBinaryData bytes) { return (mr_str){(const char *)bytes.data, bytes.len}; }

static mr_status copied(hlo_reader *r, ProtobufCBinaryData bytes, mr_str *out) {
  *out = mr_arena_str(r->arena, bytes_text(bytes));
  return out->data ? MR_OK : MR_NO_MEMORY();
}

static mr_status copied_text(hlo_context *c, ProtobufCBinaryData bytes, mr_str *out) {
  return copied(c->reader, bytes, out);
}

static bool number_of(ProtobufCBinaryData bytes, int64_t *out) {
  char text[24] = {0}, *end = text;
  if (bytes.len == 0 || bytes.len >= sizeof text) {
    return false;
  }
  memcpy(text, bytes.data, bytes.len);
  *out = strtoll(text, &end, 10);
  return end == text + bytes.len;
}

mr_status mr_hlo_frontend_dict(hlo_reader *r, const Millrace__Hlo__FrontendAttributes *list, mr_attr *out) {
  mr_attr *items = mr_arena_array(r->arena, mr_attr, list->n_map + 1);
  if (!items) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < list->n_map; i++) {
    mr_str text;
    MR_TRY(copied(r, list->map[i]->value, &text));
    items[i] = mr_read_attr_string(text);
    items[i].name = mr_arena_str(r->arena, mr_str_of(list->map[i]->key));
    if (!items[i].name.data) {
      return MR_NO_MEMORY();
    }
  }
  *out =
      (mr_attr){.kind = MR_ATTR_DICT, .name = MR_STR("mhlo.frontend_attributes"), .items = items, .count = list->n_map};
  return MR_OK;
}

static mr_status frontend_attributes(hlo_context *c, mr_draft *draft) {
  const Millrace__Hlo__FrontendAttributes *list = c->proto->frontend_attributes;
  if (list == NULL || list->n_map == 0) {
    return MR_OK;
  }
  mr_attr dict;
  MR_TRY(mr_hlo_frontend_dict(c->reader, list, &dict));
  mr_draft_attr(draft, dict.name, &dict);
  return MR_OK;
}

static mr_status dict_of(hlo_context *c, ProtobufCBinaryData bytes, mr_attr *out) {
  if (bytes.len == 0) {
    *out = (mr_attr){.kind = MR_ATTR_DICT};
    return MR_OK;
  }
  return mr_read_dict(c->reader->module, bytes_text(bytes), out);
}

// ---- Custom calls ----------------------------------------------------------------------------------------------------------

static mr_status backend_config(hlo_context *c, mr_draft *draft) {
  mr_attr attr;
  if (c->proto->custom_call_api_version == XLA_API_TYPED_FFI) {
    MR_TRY(dict_of(c, c->proto->backend_config, &attr));
  } else {
    mr_str text;
    MR_TRY(copied_text(c, c->proto->backend_config, &text));
    attr = mr_read_attr_string(text);
  }
  mr_draft_keyed(draft, MR_ATTR_backend_config, &attr);
  return MR_OK;
}

static mr_status layout_attr(const mr_type *type, mr_ints layout, mr_arena *arena, mr_attr *out_attr) {
  size_t size = layout.size ? layout.size : type->rank;
  int64_t *order = mr_arena_array(arena, int64_t, size);
  if (!order) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < size; i++) {
    order[i] = layout.size ? layout.data[i] : (int64_t)(size - 1 - i);
  }
  *out_attr = mr_read_attr_ints((mr_ints){order, size}, -1);
  return MR_OK;
}

static mr_status operand_layouts(hlo_context *c, mr_draft *draft) {
  mr_arena *arena = c->reader->arena;
  mr_attr *items = mr_arena_array(arena, mr_attr, c->num_operands + 1);
  if (!items) {
    return MR_NO_MEMORY();
  }
  if (c->proto->n_operand_shapes_with_layout != c->num_operands) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu operand layouts, wanted %u", c->proto->n_operand_shapes_with_layout,
                    c->num_operands);
  }
  for (uint32_t i = 0; i < c->num_operands; i++) {
    mr_type type;
    mr_ints layout;
    MR_TRY(mr_hlo_read_shape(c->reader, c->proto->operand_shapes_with_layout[i], &type, &layout));
    if (type.kind == MR_TYPE_TUPLE) {
      return mr_error(MR_UNIMPLEMENTED, "a tuple with layouts as operand %u", i);
    }
    MR_TRY(layout_attr(&type, layout, arena, &items[i]));
  }
  const mr_attr list = {.kind = MR_ATTR_ARRAY, .items = items, .count = c->num_operands};
  mr_draft_keyed(draft, MR_ATTR_operand_layouts, &list);
  return MR_OK;
}

// The declared shape says them, of a tuple once for each element.
static mr_status result_layouts(hlo_context *c, mr_draft *draft) {
  mr_arena *arena = c->reader->arena;
  const Millrace__Hlo__Shape *proto = NULL;
  bool tuple = c->type.kind == MR_TYPE_TUPLE;
  uint32_t count = tuple ? c->type.rank : 1;
  mr_attr *items = mr_arena_array(arena, mr_attr, count + 1);
  if (tuple) {
    proto = millrace__hlo__shape__unpack(&c->reader->allocator, c->proto->shape.len, c->proto->shape.data);
  }
  if (!items || (tuple && !proto)) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < count; i++) {
    mr_type type = c->type;
    mr_ints layout = c->layout;
    if (tuple) {
      MR_TRY(mr_hlo_read_shape(c->reader, proto->tuple_shapes[i], &type, &layout));
    }
    if (type.kind == MR_TYPE_TUPLE) {
      return mr_error(MR_UNIMPLEMENTED, "nested tuples with layouts");
    }
    MR_TRY(layout_attr(&type, layout, arena, &items[i]));
  }
  const mr_attr list = {.kind = MR_ATTR_ARRAY, .items = items, .count = count};
  mr_draft_keyed(draft, MR_ATTR_result_layouts, &list);
  return MR_OK;
}

static mr_status ints_attr(hlo_context *c, const char *name, const int64_t *values, size_t count, mr_attr *out) {
  int64_t *copy = mr_arena_array(c->reader->arena, int64_t, count + 1);
  if (!copy) {
    return MR_NO_MEMORY();
  }
  if (count) {
    memcpy(copy, values, count * sizeof(int64_t));
  }
  *out = mr_read_attr_ints((mr_ints){copy, count}, -1);
  out->name = mr_str_of(name);
  return MR_OK;
}

static mr_status aliases(hlo_context *c, mr_draft *draft) {
  mr_arena *arena = c->reader->arena;
  size_t count = c->proto->n_output_operand_aliasing;
  mr_attr *items = mr_arena_array(arena, mr_attr, count + 1);
  if (!items) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    const Millrace__Hlo__OutputOperandAlias *alias = c->proto->output_operand_aliasing[i];
    mr_attr *fields = mr_arena_array(arena, mr_attr, 3);
    if (!fields) {
      return MR_NO_MEMORY();
    }
    MR_TRY(ints_attr(c, "output_tuple_indices", alias->output_shape_index, alias->n_output_shape_index, &fields[0]));
    fields[1] = mr_read_attr_int(alias->operand_index, MR_S64);
    fields[1].name = MR_STR("operand_index");
    MR_TRY(ints_attr(c, "operand_tuple_indices", alias->operand_shape_index, alias->n_operand_shape_index, &fields[2]));
    items[i] = (mr_attr){.kind = MR_ATTR_DICT, .items = fields, .count = 3};
  }
  const mr_attr list = {.kind = MR_ATTR_ARRAY, .items = items, .count = count};
  mr_draft_keyed(draft, MR_ATTR_output_operand_aliases, &list);
  return MR_OK;
}

static mr_status called_computations(hlo_context *c, mr_draft *draft) {
  size_t count = c->proto->n_called_computation_ids;
  mr_attr *items = mr_arena_array(c->reader->arena, mr_attr, count + 1);
  if (!items) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    mr_function *callee;
    MR_TRY(mr_hlo_callee(c, i, &callee));
    items[i] = mr_read_attr_string(callee->name);
  }
  const mr_attr list = {.kind = MR_ATTR_ARRAY, .items = items, .count = count};
  mr_draft_keyed(draft, MR_ATTR_called_computations, &list);
  return MR_OK;
}

mr_status mr_hlo_custom_call(hlo_context *c) {
  mr_draft draft;
  int64_t version = c->proto->custom_call_api_version;
  mr_str target = mr_arena_str(c->reader->arena, mr_str_of(c->proto->custom_call_target));
  if (!target.data) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_hlo_draft(c, MR_OP_custom_call, &draft));
  mr_draft_string(&draft, MR_ATTR_call_target_name, target);
  mr_draft_int(&draft, MR_ATTR_has_side_effect, c->proto->custom_call_has_side_effect);
  mr_draft_int(&draft, MR_ATTR_api_version, version ? version : 1);
  MR_TRY(backend_config(c, &draft));
  if (c->proto->constrain_layout) {
    MR_TRY(operand_layouts(c, &draft));
    MR_TRY(result_layouts(c, &draft));
  }
  MR_TRY(aliases(c, &draft));
  MR_TRY(called_computations(c, &draft));
  MR_TRY(frontend_attributes(c, &draft));
  if (c->type.kind == MR_TYPE_TUPLE && c->type.rank == 1) {
    const mr_attr tuple = {.kind = MR_ATTR_UNIT};
    mr_draft_attr(&draft, MR_STR(MR_CALL_GAVE_TUPLE), &tuple);
  }
  return mr_hlo_finish(c, &draft);
}

// ---- Tags ------------------------------------------------------------------------------------------------------------------

// An instruction of the entry computation may have a number for a tag, under which the host can have its value while the
// program runs. It is a call with an effect behind the instruction.
mr_status mr_hlo_tag(hlo_context *c) {
  enum { TYPED_FFI = 4 };
  const Millrace__Hlo__FrontendAttribute *tag = mr_hlo_frontend(c, "_xla_tag");
  int64_t number;
  // Other tools' tags are no numbers.
  if (tag == NULL || !number_of(tag->value, &number) || !mr_str_is(c->reader->function->name, "main")) {
    return MR_OK;
  }
  mr_attr *id = mr_arena_new(c->reader->arena, mr_attr);
  mr_value **operands = mr_arena_array(&c->reader->locals, mr_value *, c->num_leaves + 1);
  if (!id || !operands) {
    return MR_NO_MEMORY();
  }
  mr_draft draft = {.module = c->reader->module,
                    .scratch = &c->reader->locals,
                    .block = c->reader->block,
                    .name = MR_STR("stablehlo.custom_call"),
                    .kind = MR_OP_custom_call,
                    .operands = operands};
  for (uint32_t i = 0; i < c->num_leaves; i++) {
    if (c->leaves[i]->type.kind == MR_TYPE_TENSOR) {
      operands[draft.num_operands++] = c->leaves[i];
    }
  }
  if (draft.num_operands == 0) {
    return MR_OK;
  }
  *id = mr_read_attr_int(number, MR_S64);
  id->name = MR_STR("tag");
  const mr_attr config = {.kind = MR_ATTR_DICT, .items = id, .count = 1};
  mr_draft_string(&draft, MR_ATTR_call_target_name, MR_STR(MR_HLO_OUTPUT));
  mr_draft_int(&draft, MR_ATTR_has_side_effect, 1);
  mr_draft_int(&draft, MR_ATTR_api_version, TYPED_FFI);
  mr_draft_keyed(&draft, MR_ATTR_backend_config, &config);
  mr_op *op;
  return mr_draft_finish(&draft, &op);
}

// ---- Composites ------------------------------------------------------------------------------------------------------------

static mr_status composite_version(hlo_context *c, mr_draft *draft) {
  const Millrace__Hlo__FrontendAttribute *version = mr_hlo_frontend(c, "composite.version");
  int64_t number;
  if (!version) {
    return MR_OK;
  }
  if (!number_of(version->value, &number) || number < INT32_MIN || number > INT32_MAX) {
    return mr_error(MR_INVALID_ARGUMENT, "composite.version is \"%.*s\", wanted a number of 32 bits",
                    MR_STR_ARG(bytes_text(version->value)));
  }
  mr_draft_int(draft, MR_ATTR_version, number);
  return MR_OK;
}

mr_status mr_hlo_composite(hlo_context *c) {
  const Millrace__Hlo__FrontendAttribute *name = mr_hlo_frontend(c, "composite.name");
  const Millrace__Hlo__FrontendAttribute *attributes = mr_hlo_frontend(c, "composite.attributes");
  mr_function *callee;
  mr_draft draft;
  mr_attr dict = {.kind = MR_ATTR_DICT};
  mr_str text = {0};
  MR_TRY(mr_hlo_callee(c, 0, &callee));
  MR_TRY(mr_hlo_draft(c, MR_OP_composite, &draft));
  if (name) {
    MR_TRY(copied_text(c, name->value, &text));
  }
  if (attributes) {
    MR_TRY(dict_of(c, attributes->value, &dict));
  }
  mr_draft_string(&draft, MR_ATTR_name, text);
  mr_draft_string(&draft, MR_ATTR_decomposition, callee->name);
  mr_draft_keyed(&draft, MR_ATTR_composite_attributes, &dict);
  MR_TRY(composite_version(c, &draft));
  return mr_hlo_finish(c, &draft);
}
