// Types of MLIR text.
#include "compiler/reader/text.h"

#include <string.h>

static mr_rtype element_of(mr_dtype dtype) {
  return (mr_rtype){.form = MR_RTYPE_ELEMENT, .type = mr_type_scalar(dtype), .weight = 1};
}

static mr_rtype plain(mr_rtype_form form) { return (mr_rtype){.form = form, .weight = 1}; }

// ---- Lists ---------------------------------------------------------------------------------------------------------

mr_status mr_parse_type_list(mr_parser *p, mr_type_list *out) {
  if (mr_parse_peek(p) == ')' || mr_parse_peek(p) == '>') {
    return MR_OK;
  }
  do {
    MR_TRY(mr_parse_grow(p, (void **)&out->types, out->count, &out->room, sizeof(mr_type)));
    MR_TRY(mr_parse_value_type(p, &out->types[out->count]));
    out->count++;
  } while (mr_parse_accept(p, ","));
  return MR_OK;
}

mr_status mr_parse_paren_types(mr_parser *p, mr_type_list *out) {
  MR_TRY(mr_parse_expect(p, "("));
  MR_TRY(mr_parse_type_list(p, out));
  return mr_parse_expect(p, ")");
}

mr_status mr_parse_result_types(mr_parser *p, mr_type_list *out) {
  if (mr_parse_peek(p) == '(') {
    return mr_parse_paren_types(p, out);
  }
  MR_TRY(mr_parse_grow(p, (void **)&out->types, out->count, &out->room, sizeof(mr_type)));
  MR_TRY(mr_parse_value_type(p, &out->types[out->count]));
  out->count++;
  return MR_OK;
}

static mr_status keep_types(mr_parser *p, const mr_type_list *list, const mr_type **out) {
  *out = mr_arena_copy(p->arena, list->types, list->count * sizeof(mr_type));
  return *out || list->count == 0 ? MR_OK : MR_NO_MEMORY();
}

// (T, U) -> R
static mr_status parse_function(mr_parser *p, mr_rtype *out) {
  mr_type_list inputs = {0}, results = {0};
  *out = plain(MR_RTYPE_FUNCTION);
  MR_TRY(mr_parse_paren_types(p, &inputs));
  MR_TRY(mr_parse_expect(p, "->"));
  MR_TRY(mr_parse_result_types(p, &results));
  out->num_inputs = (uint32_t)inputs.count;
  out->num_results = (uint32_t)results.count;
  MR_TRY(keep_types(p, &inputs, &out->inputs));
  return keep_types(p, &results, &out->results);
}

// <T, U> of tuples and futures
static mr_status parse_aggregate(mr_parser *p, mr_type_kind kind, mr_rtype *out) {
  mr_type_list list = {0};
  MR_TRY(mr_parse_expect(p, "<"));
  MR_TRY(mr_parse_type_list(p, &list));
  MR_TRY(mr_parse_expect(p, ">"));
  *out = plain(MR_RTYPE_VALUE);
  out->type.kind = kind;
  out->type.rank = (uint32_t)list.count;
  return keep_types(p, &list, &out->type.elements);
}

// ---- Tensors -------------------------------------------------------------------------------------------------------

static bool digit_next(const mr_parser *p) { return p->at < p->size && p->text[p->at] >= '0' && p->text[p->at] <= '9'; }

// One size and its x. Shapes are no number tokens: in 0x4xf32 the first x ends a size.
static mr_status parse_size(mr_parser *p, int64_t *out) {
  if (mr_parse_accept(p, "?")) {
    *out = MR_DYNAMIC;
    return mr_parse_expect(p, "x");
  }
  int64_t value = 0;
  while (digit_next(p)) {
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, p->text[p->at] - '0', &value)) {
      return mr_parse_error(p, "a size below 2^63");
    }
    p->at++;
  }
  *out = value;
  return mr_parse_expect(p, "x");
}

// `, #stablehlo.bounds<3, ?>`: other encodings are refused.
static mr_status parse_encoding(mr_parser *p, size_t rank, int64_t *bounds, bool *out_bounded) {
  *out_bounded = false;
  if (!mr_parse_accept(p, ",")) {
    return MR_OK;
  }
  mr_attr attr;
  mr_parse_blank(p);
  size_t start = p->at;
  MR_TRY(mr_parse_attr(p, &attr));
  if (attr.kind != MR_ATTR_INTS) {
    return mr_parse_unsupported(p, start, "tensor encoding", (mr_str){p->text + start, p->at - start});
  }
  if (attr.ints.size != rank) {
    p->at = start;
    return mr_parse_error(p, "%zu bounds", rank);
  }
  for (size_t i = 0; i < rank; i++) {
    bounds[i] = attr.ints.data[i] == -1 ? MR_DYNAMIC : attr.ints.data[i];
  }
  *out_bounded = true;
  return MR_OK;
}

static mr_status parse_tensor(mr_parser *p, mr_rtype *out) {
  int64_t dims[MR_MAX_RANK], bounds[MR_MAX_RANK];
  size_t rank = 0, start = p->at;
  mr_rtype element;
  bool bounded;
  MR_TRY(mr_parse_expect(p, "<"));
  if (mr_parse_peek(p) == '*') {
    return mr_parse_unsupported(p, start, "unranked tensor type", (mr_str){0});
  }
  while (mr_parse_peek(p) == '?' || digit_next(p)) {
    if (rank == MR_MAX_RANK) {
      return mr_parse_error(p, "a rank of at most %d", MR_MAX_RANK);
    }
    MR_TRY(parse_size(p, &dims[rank++]));
  }
  size_t element_start = p->at;
  MR_TRY(mr_parse_type(p, &element));
  if (element.form != MR_RTYPE_ELEMENT) {
    return mr_parse_unsupported(p, element_start, "element type",
                                (mr_str){p->text + element_start, p->at - element_start});
  }
  MR_TRY(parse_encoding(p, rank, bounds, &bounded));
  MR_TRY(mr_parse_expect(p, ">"));
  *out = plain(MR_RTYPE_VALUE);
  return mr_parse_note(p, start,
                       mr_read_tensor_type(p->arena, &element.type, rank, dims, bounded ? bounds : NULL, &out->type));
}

static mr_status parse_complex(mr_parser *p, mr_rtype *out) {
  mr_rtype part;
  MR_TRY(mr_parse_expect(p, "<"));
  size_t start = p->at;
  MR_TRY(mr_parse_type(p, &part));
  if (part.form != MR_RTYPE_ELEMENT || (part.type.dtype != MR_F32 && part.type.dtype != MR_F64)) {
    return mr_parse_unsupported(p, start, "complex of", (mr_str){p->text + start, p->at - start});
  }
  *out = element_of(part.type.dtype == MR_F32 ? MR_C64 : MR_C128);
  return mr_parse_expect(p, ">");
}

// ---- Quantised elements --------------------------------------------------------------------------------------------

static mr_status parse_storage(mr_parser *p, mr_dtype *out_storage, mr_quant *quant) {
  mr_str word;
  MR_TRY(mr_parse_word(p, &word));
  // u8 stands for ui8 here.
  unsigned width = 0;
  for (size_t i = 0; i < word.size && width < 100; i++) {
    width = word.data[i] >= '0' && word.data[i] <= '9' ? width * 10 + (unsigned)(word.data[i] - '0') : width;
  }
  bool is_unsigned = word.data[0] == 'u', is_integer = is_unsigned || word.data[0] == 'i' || word.data[0] == 's';
  if (!is_integer || !mr_read_dtype(width, is_unsigned ? 'u' : 'i', out_storage) || width < 2 || width > 32) {
    p->at -= word.size;
    return mr_parse_error(p, "a storage type");
  }
  const int64_t least = is_unsigned ? 0 : -((int64_t)1 << (width - 1));
  const int64_t largest = ((int64_t)1 << (is_unsigned ? width : width - 1)) - 1;
  quant->storage_min = least;
  quant->storage_max = largest;
  if (mr_parse_accept(p, "<")) {
    MR_TRY(mr_parse_int(p, &quant->storage_min));
    MR_TRY(mr_parse_expect(p, ":"));
    MR_TRY(mr_parse_int(p, &quant->storage_max));
    if (quant->storage_min < least || quant->storage_max > largest || quant->storage_min > quant->storage_max) {
      return mr_parse_error(p, "two bounds between %lld and %lld before this", (long long)least, (long long)largest);
    }
    MR_TRY(mr_parse_expect(p, ">"));
  }
  return MR_OK;
}

// scale or scale:zero
static mr_status parse_scale(mr_parser *p, double *out_scale, int64_t *out_zero) {
  mr_str number;
  bool is_float;
  MR_TRY(mr_parse_number(p, &number, &is_float));
  MR_TRY(mr_parse_double(p, number, out_scale));
  *out_zero = 0;
  return mr_parse_accept(p, ":") ? mr_parse_int(p, out_zero) : MR_OK;
}

static mr_status parse_scales(mr_parser *p, mr_quant *quant) {
  double *scales = NULL;
  int64_t *zeros = NULL;
  size_t room_scales = 0, room_zeros = 0;
  bool list = mr_parse_accept(p, "{");
  do {
    MR_TRY(mr_parse_grow(p, (void **)&scales, quant->count, &room_scales, sizeof(double)));
    MR_TRY(mr_parse_grow(p, (void **)&zeros, quant->count, &room_zeros, sizeof(int64_t)));
    MR_TRY(parse_scale(p, &scales[quant->count], &zeros[quant->count]));
    quant->count++;
  } while (list && mr_parse_accept(p, ","));
  if (list) {
    MR_TRY(mr_parse_expect(p, "}"));
  }
  quant->scales = mr_arena_copy(p->arena, scales, quant->count * sizeof(double));
  quant->zero_points = mr_arena_copy(p->arena, zeros, quant->count * sizeof(int64_t));
  return quant->scales && quant->zero_points ? MR_OK : MR_NO_MEMORY();
}

// <i8<-127:127>:f32:1, {0.1:-30, 0.5}>
static mr_status parse_quantised(mr_parser *p, mr_rtype *out) {
  mr_quant quant = {.axis = -1};
  mr_dtype storage;
  mr_rtype expressed;
  MR_TRY(mr_parse_expect(p, "<"));
  MR_TRY(parse_storage(p, &storage, &quant));
  MR_TRY(mr_parse_expect(p, ":"));
  mr_parse_blank(p);
  size_t start = p->at;
  MR_TRY(mr_parse_type(p, &expressed));
  if (expressed.form != MR_RTYPE_ELEMENT || !mr_dtype_is_float(expressed.type.dtype)) {
    p->at = start;
    return mr_parse_error(p, "a float type");
  }
  quant.expressed = expressed.type.dtype;
  if (mr_parse_accept(p, ":")) {
    MR_TRY(mr_parse_int(p, &quant.axis));
    if (quant.axis < 0 || quant.axis >= MR_MAX_RANK) {
      return mr_parse_error(p, "an axis below %d before this", MR_MAX_RANK);
    }
  }
  MR_TRY(mr_parse_expect(p, ","));
  MR_TRY(parse_scales(p, &quant));
  MR_TRY(mr_parse_expect(p, ">"));
  if (quant.axis < 0 && quant.count != 1) {
    return mr_parse_error(p, "one scale before this");
  }
  *out = element_of(storage);
  out->type.quant = mr_arena_copy(p->arena, &quant, sizeof quant);
  return out->type.quant ? MR_OK : MR_NO_MEMORY();
}

// ---- Names ---------------------------------------------------------------------------------------------------------

static mr_status read_alias(mr_parser *p, mr_alias *alias) { return mr_parse_type(p, &alias->type); }

// !stablehlo.token, !quant.uniform<..>, !alias
static mr_status parse_bang(mr_parser *p, mr_rtype *out) {
  size_t start = p->at++;
  mr_str name;
  MR_TRY(mr_parse_suffix(p, &name));
  mr_str as_written = name;
  MR_TRY(mr_mhlo_twin(p, as_written, &name));
  if (mr_str_is(name, "stablehlo.token")) {
    *out = plain(MR_RTYPE_VALUE);
    out->type.kind = MR_TYPE_TOKEN;
    return MR_OK;
  }
  if (mr_str_is(name, "stablehlo.future")) {
    return parse_aggregate(p, MR_TYPE_FUTURE, out);
  }
  if (mr_str_is(name, "quant.uniform")) {
    return parse_quantised(p, out);
  }
  mr_alias *alias = mr_alias_find(p, (mr_str){p->text + start, as_written.size + 1});
  if (alias) {
    MR_TRY(mr_alias_use(p, start, alias, read_alias));
    *out = alias->type;
    return MR_OK;
  }
  if (mr_str_starts_with(name, MR_STR("stablehlo."))) {
    p->at = start;
    return mr_parse_error(p, "a type that StableHLO has");
  }
  return mr_parse_unsupported(p, start, "type", (mr_str){p->text + start, p->at - start});
}

// iN, uiN, siN of any width: those we have no element type for are legal and of no use.
static bool is_integer_word(mr_str word, char *out_sign, unsigned *out_width) {
  size_t i = word.size > 2 && (word.data[0] == 'u' || word.data[0] == 's') ? 1 : 0;
  *out_sign = i ? word.data[0] : 'i';
  *out_width = 0;
  if (word.data[i] != 'i' || i + 1 == word.size) {
    return false;
  }
  for (i++; i < word.size; i++) {
    if (word.data[i] < '0' || word.data[i] > '9' || *out_width > 1 << 20) {
      return false;
    }
    *out_width = *out_width * 10 + (unsigned)(word.data[i] - '0');
  }
  return true;
}

static mr_status parse_word_type(mr_parser *p, mr_rtype *out) {
  size_t start = p->at;
  mr_str word;
  mr_dtype dtype;
  char sign;
  unsigned width;
  MR_TRY(mr_parse_word(p, &word));
  if (mr_str_is(word, "tensor") || mr_str_is(word, "memref")) {  // a buffer of JAX's refs is a tensor to us
    return parse_tensor(p, out);
  }
  if (is_integer_word(word, &sign, &width)) {
    *out = mr_read_dtype(width, sign, &dtype) ? element_of(dtype) : plain(MR_RTYPE_OTHER);
    return MR_OK;
  }
  if (mr_str_is(word, "complex")) {
    return parse_complex(p, out);
  }
  if (mr_str_is(word, "tuple")) {
    return parse_aggregate(p, MR_TYPE_TUPLE, out);
  }
  if (mr_str_is(word, "index")) {
    *out = element_of(MR_S64);
    return MR_OK;
  }
  if (mr_str_is(word, "none")) {
    *out = plain(MR_RTYPE_NONE);
    return MR_OK;
  }
  if (mr_str_is(word, "tf32")) {
    *out = plain(MR_RTYPE_OTHER);
    out->name = "tf32";
    return MR_OK;
  }
  dtype = mr_dtype_from_name(word);
  if (dtype != MR_INVALID) {
    *out = element_of(dtype);
    return MR_OK;
  }
  p->at = start;
  return mr_parse_error(p, "a type");
}

static mr_status parse_any(mr_parser *p, mr_rtype *out) {
  switch (mr_parse_peek(p)) {
  case '!': return parse_bang(p, out);
  case '(': return parse_function(p, out);
  default: return parse_word_type(p, out);
  }
}

mr_status mr_parse_type(mr_parser *p, mr_rtype *out) {
  MR_TRY(mr_parse_enter(p));
  mr_status status = mr_parse_weigh(p, 1);
  if (!status) {
    status = parse_any(p, out);
  }
  p->depth--;
  return status;
}

mr_status mr_parse_value_type(mr_parser *p, mr_type *out) {
  mr_rtype type;
  mr_parse_blank(p);
  size_t start = p->at;
  MR_TRY(mr_parse_type(p, &type));
  if (type.form == MR_RTYPE_OTHER) {
    return mr_parse_unsupported(p, start, "value of type", (mr_str){p->text + start, p->at - start});
  }
  if (type.form != MR_RTYPE_VALUE) {
    p->at = start;
    return mr_parse_error(p, "the type of a value");
  }
  *out = type.type;
  return MR_OK;
}
