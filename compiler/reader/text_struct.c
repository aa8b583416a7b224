// Attributes that begin with #: aliases, enums, the struct attributes of StableHLO, and other dialects' as their text.
#include "compiler/reader/text.h"

#include <string.h>

// A list of integers is one, whatever it will be used for.
static mr_status items_to_ints(mr_parser *p, mr_attr *attr) {
  if (attr->kind != MR_ATTR_ARRAY) {
    return MR_OK;
  }
  int64_t *ints = mr_arena_array(p->arena, int64_t, attr->count + 1);
  if (!ints) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < attr->count; i++) {
    if (attr->items[i].kind != MR_ATTR_INT) {
      return MR_OK;
    }
    ints[i] = attr->items[i].integer;
  }
  *attr = (mr_attr){.key = attr->key,
                    .name = attr->name,
                    .kind = MR_ATTR_INTS,
                    .dtype = MR_S64,
                    .ints = {ints, attr->count},
                    .rows = -1};
  return MR_OK;
}

// ---- <field = value, ..> -------------------------------------------------------------------------------------------

// (1)2: the part of an axis
static mr_status parse_sub_axis(mr_parser *p, mr_attr *out) {
  int64_t pre, size;
  mr_attr *items = mr_arena_array(p->arena, mr_attr, 2);
  if (!items) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_parse_expect(p, "("));
  MR_TRY(mr_parse_int(p, &pre));
  MR_TRY(mr_parse_expect(p, ")"));
  MR_TRY(mr_parse_int(p, &size));
  items[0] = mr_read_attr_int(pre, MR_S64);
  items[0].name = MR_STR("pre_size");
  items[1] = mr_read_attr_int(size, MR_S64);
  items[1].name = MR_STR("size");
  *out = (mr_attr){.kind = MR_ATTR_DICT, .items = items, .count = 2};
  return MR_OK;
}

static mr_status parse_field(mr_parser *p, mr_attr *out) {
  mr_str name;
  MR_TRY(mr_parse_word(p, &name));
  MR_TRY(mr_parse_expect(p, "="));
  // A struct inside a struct may leave its name away.
  if (mr_parse_peek(p) == '<') {
    MR_TRY(mr_parse_struct(p, out));
  } else if (mr_str_is(name, "sub_axis_info") && mr_parse_peek(p) == '(') {
    MR_TRY(parse_sub_axis(p, out));
  } else {
    MR_TRY(mr_parse_attr(p, out));
  }
  MR_TRY(items_to_ints(p, out));
  out->name = mr_arena_str(p->arena, name);
  return out->name.data ? MR_OK : MR_NO_MEMORY();
}

static mr_status parse_fields(mr_parser *p, mr_attr *out) {
  mr_attr *items = NULL;
  size_t count = 0, room = 0;
  while (!mr_parse_accept(p, ">")) {
    if (count) {
      MR_TRY(mr_parse_expect(p, ","));
      if (mr_parse_accept(p, ">")) {  // a comma may end the list
        break;
      }
    }
    MR_TRY(mr_parse_grow(p, (void **)&items, count, &room, sizeof(mr_attr)));
    MR_TRY(parse_field(p, &items[count]));
    if (++count > MR_READ_ATTRS) {
      return mr_parse_error(p, "at most %d fields", MR_READ_ATTRS);
    }
  }
  return mr_parse_keep_items(p, MR_ATTR_DICT, items, count, out);
}

mr_status mr_parse_struct(mr_parser *p, mr_attr *out) {
  MR_TRY(mr_parse_enter(p));
  MR_TRY(mr_parse_expect(p, "<"));
  mr_status status = parse_fields(p, out);
  p->depth--;
  return status;
}

// ---- Convolution dimension numbers ---------------------------------------------------------------------------------

// One bracket: where its two letters stand, and where each spatial dimension does.
typedef struct conv_part {
  int64_t first, second;
  int64_t spatial[MR_MAX_RANK];
  size_t rank;
} conv_part;

static mr_status take_position(mr_parser *p, const char *letters, int64_t position, conv_part *out) {
  int64_t number;
  if (mr_parse_accept(p, "?")) {  // a dimension that no field names
    return MR_OK;
  }
  char c = mr_parse_peek(p);
  if (c == letters[0] || c == letters[1]) {
    p->at++;
    *(c == letters[0] ? &out->first : &out->second) = position;
    return MR_OK;
  }
  MR_TRY(mr_parse_int(p, &number));
  if (number < 0 || number >= MR_MAX_RANK) {
    return mr_parse_error(p, "a spatial dimension below %d before this", MR_MAX_RANK);
  }
  out->spatial[number] = position;
  out->rank = MR_MAX(out->rank, (size_t)number + 1);
  return MR_OK;
}

// [b, 0, 1, f]
static mr_status parse_conv_part(mr_parser *p, const char *letters, conv_part *out) {
  *out = (conv_part){.first = -1, .second = -1};
  for (size_t i = 0; i < MR_MAX_RANK; i++) {
    out->spatial[i] = -1;
  }
  int64_t position = 0;
  MR_TRY(mr_parse_expect(p, "["));
  do {
    MR_TRY(take_position(p, letters, position++, out));
  } while (mr_parse_accept(p, ","));
  MR_TRY(mr_parse_expect(p, "]"));
  bool complete = out->first >= 0 && out->second >= 0;
  for (size_t i = 0; i < out->rank; i++) {
    complete = complete && out->spatial[i] >= 0;
  }
  return complete ? MR_OK : mr_parse_error(p, "%c, %c and every spatial dimension before this", letters[0], letters[1]);
}

static mr_status put_part(mr_parser *p, const conv_part *part, const mr_attr_key keys[3], mr_attr *out) {
  mr_ints spatial = {mr_arena_copy(p->arena, part->spatial, sizeof part->spatial), part->rank};
  if (!spatial.data) {
    return MR_NO_MEMORY();
  }
  out[0] = mr_read_attr_int(part->first, MR_S64);
  out[1] = mr_read_attr_int(part->second, MR_S64);
  out[2] = mr_read_attr_ints(spatial, -1);
  for (int i = 0; i < 3; i++) {
    out[i].name = mr_str_of(mr_attr_key_name(keys[i]));
  }
  return MR_OK;
}

mr_status mr_parse_conv_numbers(mr_parser *p, mr_attr *out) {
  static const mr_attr_key keys[3][3] = {
      {MR_ATTR_input_batch_dimension, MR_ATTR_input_feature_dimension, MR_ATTR_input_spatial_dimensions},
      {MR_ATTR_kernel_input_feature_dimension, MR_ATTR_kernel_output_feature_dimension,
       MR_ATTR_kernel_spatial_dimensions},
      {MR_ATTR_output_batch_dimension, MR_ATTR_output_feature_dimension, MR_ATTR_output_spatial_dimensions},
  };
  conv_part part;
  mr_attr *items = mr_arena_array(p->arena, mr_attr, 9);
  if (!items) {
    return MR_NO_MEMORY();
  }
  MR_TRY(parse_conv_part(p, "bf", &part));
  MR_TRY(put_part(p, &part, keys[0], items));
  MR_TRY(mr_parse_expect(p, "x"));
  MR_TRY(parse_conv_part(p, "io", &part));
  MR_TRY(put_part(p, &part, keys[1], items + 3));
  MR_TRY(mr_parse_expect(p, "->"));
  MR_TRY(parse_conv_part(p, "bf", &part));
  MR_TRY(put_part(p, &part, keys[2], items + 6));
  *out = (mr_attr){.kind = MR_ATTR_DICT, .items = items, .count = 9};
  return MR_OK;
}

// <[..]x[..]->[..]> or <raw field = value, ..>
static mr_status parse_conv(mr_parser *p, mr_attr *out) {
  MR_TRY(mr_parse_expect(p, "<"));
  if (mr_parse_accept_word(p, "raw")) {
    return parse_fields(p, out);
  }
  MR_TRY(mr_parse_conv_numbers(p, out));
  return mr_parse_expect(p, ">");
}

// ---- Bounds, enums, accuracy ---------------------------------------------------------------------------------------

// 3, ?, -1: -1 and ? are no bound.
static mr_status parse_bound_list(mr_parser *p, const char *end, mr_attr *out) {
  int64_t bounds[MR_MAX_RANK];
  size_t count = 0;
  while (!mr_parse_accept(p, end)) {
    if (count == MR_MAX_RANK || (count && !mr_parse_accept(p, ","))) {
      return mr_parse_error(p, "'%s' after at most %d bounds", end, MR_MAX_RANK);
    }
    bounds[count] = -1;
    if (!mr_parse_accept(p, "?")) {
      MR_TRY(mr_parse_int(p, &bounds[count]));
    }
    count++;
  }
  mr_ints ints = {mr_arena_copy(p->arena, bounds, count * sizeof(int64_t)), count};
  *out = mr_read_attr_ints(ints, -1);
  return ints.data || !count ? MR_OK : MR_NO_MEMORY();
}

static mr_status parse_bounds(mr_parser *p, bool named, mr_attr *out) {
  MR_TRY(mr_parse_expect(p, "<"));
  if (!named) {
    return parse_bound_list(p, ">", out);
  }
  MR_TRY(mr_parse_expect_word(p, "bounds"));
  MR_TRY(mr_parse_expect(p, "="));
  MR_TRY(mr_parse_expect(p, "["));
  MR_TRY(parse_bound_list(p, "]", out));
  return mr_parse_expect(p, ">");
}

static mr_status parse_enum_word(mr_parser *p, mr_attr_key key, mr_attr *out) {
  mr_str word;
  int64_t number;
  if (!mr_parse_peek_word(p, &word) || !mr_enum_number(key, word, &number)) {
    return mr_parse_error(p, "a value of %s", key == MR_ATTR_none ? "a known enum" : mr_attr_key_name(key));
  }
  p->at += word.size;
  *out = mr_read_attr_int(number, MR_INVALID);
  return mr_parse_expect(p, ">");
}

// #stablehlo<comparison_direction LT>
static mr_status parse_enum(mr_parser *p, mr_attr *out) {
  mr_str kind;
  MR_TRY(mr_parse_expect(p, "<"));
  MR_TRY(mr_parse_word(p, &kind));
  return parse_enum_word(p, mr_enum_key(kind), out);
}

// mhlo has enums for XLA alone, such as a call's schedule.
static bool is_known_enum(mr_parser *p) {
  size_t start = p->at;
  mr_str kind = {0};
  bool known = mr_parse_accept(p, "<") && mr_parse_peek_word(p, &kind) && mr_enum_key(kind) != MR_ATTR_none;
  p->at = start;
  return known;
}

// The written fields in the order of `names`; those that are not written as `defaults` has them.
static mr_status parse_ordered(mr_parser *p, size_t count, const char *const *names, const mr_attr *defaults,
                               mr_attr *out) {
  mr_attr written, *items = mr_arena_array(p->arena, mr_attr, count);
  if (!items) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_parse_struct(p, &written));
  for (size_t i = 0; i < count; i++) {
    const mr_attr *field = mr_dict_find(&written, names[i]);
    items[i] = field && field->kind == defaults[i].kind ? *field : defaults[i];
    items[i].name = mr_str_of(names[i]);
  }
  *out = (mr_attr){.kind = MR_ATTR_DICT, .items = items, .count = count};
  return MR_OK;
}

// All zero is what an op has that asks for nothing.
static mr_status parse_accuracy(mr_parser *p, mr_attr *out) {
  static const char *const names[4] = {"atol", "mode", "rtol", "ulps"};
  static const mr_attr zero = {.kind = MR_ATTR_FLOAT, .dtype = MR_F64};
  mr_attr defaults[4] = {zero, mr_read_attr_int(0, MR_INVALID), zero, mr_read_attr_int(0, MR_S64)};
  MR_TRY(parse_ordered(p, 4, names, defaults, out));
  const mr_attr *items = out->items;
  if (items[0].number == 0 && items[1].integer == 0 && items[2].number == 0 && items[3].integer == 0) {
    *out = (mr_attr){.kind = MR_ATTR_TEXT, .string = MR_STR("none")};
  }
  return MR_OK;
}

static mr_status parse_alias_struct(mr_parser *p, mr_attr *out) {
  static const char *const names[3] = {"output_tuple_indices", "operand_index", "operand_tuple_indices"};
  mr_attr empty = mr_read_attr_ints((mr_ints){0}, -1);
  mr_attr defaults[3] = {empty, mr_read_attr_int(0, MR_S64), empty};
  return parse_ordered(p, 3, names, defaults, out);
}

// ---- The sign's readings -------------------------------------------------------------------------------------------

static mr_status read_alias(mr_parser *p, mr_alias *alias) { return mr_parse_attr(p, &alias->attr); }

static bool is_struct(mr_str name) {
  static const char *const names[] = {
      "stablehlo.dot",           "stablehlo.gather",         "stablehlo.scatter",
      "stablehlo.dot_algorithm", "stablehlo.channel_handle", "stablehlo.replica_group_mesh_axes",
      "stablehlo.axis_ref",      "stablehlo.sub_axis_info",  "stablehlo.mesh",
      "stablehlo.mesh_axis",     "chlo.ragged_dot",
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(names); i++) {
    if (mr_str_is(name, names[i])) {
      return true;
    }
  }
  return false;
}

// Any other dialect's, as its text: the name and one group in angle brackets.
static mr_status parse_text(mr_parser *p, size_t start, mr_attr *out) {
  if (mr_parse_peek(p) == '<') {
    MR_TRY(mr_parse_skip_group(p, true));
  }
  *out = (mr_attr){.kind = MR_ATTR_TEXT};
  out->string = mr_arena_str(p->arena, (mr_str){p->text + start, p->at - start});
  return out->string.data ? MR_OK : MR_NO_MEMORY();
}

mr_status mr_parse_hash(mr_parser *p, mr_attr *out) {
  size_t start = p->at++;
  mr_str name;
  MR_TRY(mr_parse_suffix(p, &name));
  bool bracket = mr_parse_peek(p) == '<';
  if (!bracket) {
    mr_alias *alias = mr_alias_find(p, (mr_str){p->text + start, name.size + 1});
    if (alias) {
      MR_TRY(mr_alias_use(p, start, alias, read_alias));
      *out = alias->attr;
      return MR_OK;
    }
    // Aliases of locations are not kept and never needed.
    bool location = mr_str_starts_with(name, MR_STR("loc"));
    p->at = location ? p->at : start;
    return location ? parse_text(p, start, out) : mr_parse_error(p, "an alias that is defined somewhere");
  }
  bool mhlo = mr_str_is(name, "mhlo");
  MR_TRY(mr_mhlo_twin(p, name, &name));
  if (mr_str_is(name, "stablehlo") || mr_str_is(name, "chlo")) {
    return mhlo && !is_known_enum(p) ? parse_text(p, start, out) : parse_enum(p, out);
  }
  if (is_struct(name)) {
    return mr_parse_struct(p, out);
  }
  if (mr_str_is(name, "stablehlo.conv")) {
    return parse_conv(p, out);
  }
  if (mr_str_is(name, "stablehlo.output_operand_alias")) {
    return parse_alias_struct(p, out);
  }
  if (mr_str_is(name, "stablehlo.bounds") || mr_str_is(name, "stablehlo.type_extensions")) {
    return parse_bounds(p, mr_str_is(name, "stablehlo.type_extensions"), out);
  }
  if (mr_str_is(name, "stablehlo.result_accuracy")) {
    return parse_accuracy(p, out);
  }
  // #stablehlo.result_accuracy_mode<WORD>; mhlo writes more of its enums so.
  mr_str dialect = MR_STR("stablehlo.");
  mr_attr_key key = mr_str_starts_with(name, dialect)
                        ? mr_enum_key((mr_str){name.data + dialect.size, name.size - dialect.size})
                        : MR_ATTR_none;
  if (key != MR_ATTR_none) {
    MR_TRY(mr_parse_expect(p, "<"));
    return parse_enum_word(p, key, out);
  }
  return parse_text(p, start, out);
}
