// Attributes as StableHLO text. Readers split struct attributes into keyed fields; here they are put together again.
#include "compiler/ir/print_internal.h"
#include "compiler/ir/scalar.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

void mr_print_type(mr_text *text, const mr_type *type) {
  char small[512];
  mr_type_text(type, small, sizeof small);
  if (strlen(small) < sizeof small - 1) {
    mr_text_append(text, mr_str_of(small));
    return;
  }
  // Long tuples and scale lists: double until it fits.
  for (size_t size = 4096; size <= (size_t)1 << 30; size *= 2) {
    char *large = mr_alloc(size);
    if (!large) {
      text->failed = true;
      return;
    }
    mr_type_text(type, large, size);
    bool fits = strlen(large) < size - 1;
    if (fits) {
      mr_text_append(text, mr_str_of(large));
    }
    mr_free(large);
    if (fits) {
      return;
    }
  }
  text->failed = true;
}

void mr_print_string(mr_text *text, mr_str s) {
  mr_text_put(text, "\"");
  for (size_t i = 0; i < s.size; i++) {
    unsigned char c = (unsigned char)s.data[i];
    if (c == '"' || c == '\\' || c < 0x20 || c > 0x7E) {
      mr_text_put(text, "\\%02X", c);
    } else {
      mr_text_append(text, (mr_str){s.data + i, 1});
    }
  }
  mr_text_put(text, "\"");
}

static bool is_bare(mr_str name) {
  for (size_t i = 0; i < name.size; i++) {
    unsigned char c = (unsigned char)name.data[i];
    if (!(isalpha(c) || c == '_' || (i && (isdigit(c) || c == '$' || c == '.')))) {
      return false;
    }
  }
  return name.size > 0;
}

void mr_print_name(mr_text *text, mr_str name) {
  if (is_bare(name)) {
    mr_text_append(text, name);
  } else {
    mr_print_string(text, name);
  }
}

void mr_print_symbol(mr_text *text, mr_str name) {
  mr_text_put(text, "@");
  mr_print_name(text, name);
}

static void put_list(mr_text *text, mr_ints ints) {
  mr_text_put(text, "[");
  for (size_t i = 0; i < ints.size; i++) {
    mr_text_put(text, "%s%lld", i ? ", " : "", (long long)ints.data[i]);
  }
  mr_text_put(text, "]");
}

static void put_array(mr_text *text, mr_ints ints, const char *type) {
  bool boolean = strcmp(type, "i1") == 0;
  mr_text_put(text, "array<%s%s", type, ints.size ? ": " : "");
  for (size_t i = 0; i < ints.size; i++) {
    mr_text_put(text, i ? ", " : "");
    if (boolean) {
      mr_text_put(text, ints.data[i] ? "true" : "false");
    } else {
      mr_text_put(text, "%lld", (long long)ints.data[i]);
    }
  }
  mr_text_put(text, ">");
}

// dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
static void put_matrix(mr_text *text, mr_ints ints, int64_t rows) {
  size_t columns = rows > 0 ? ints.size / (size_t)rows : 0;
  mr_text_put(text, "dense<");
  if (ints.size) {
    mr_text_put(text, "[");
    for (int64_t r = 0; r < rows; r++) {
      mr_text_put(text, r ? ", " : "");
      put_list(text, (mr_ints){ints.data + (size_t)r * columns, columns});
    }
    mr_text_put(text, "]");
  }
  mr_text_put(text, "> : tensor<%lldx%zuxi64>", (long long)rows, rows > 0 ? columns : 2);
}

static void put_real(mr_text *text, mr_dtype dtype, const void *element) {
  double value = mr_scalar_to_double(dtype, element);
  if (!isfinite(value)) {
    uint64_t bits = 0;
    memcpy(&bits, element, mr_dtype_bytes(dtype));
    mr_text_put(text, "0x%0*llX", (int)mr_dtype_bytes(dtype) * 2, (unsigned long long)bits);
  } else {
    // 9 digits bring back every float of 32 bits or fewer, 17 every double.
    mr_text_put(text, "%.*e", dtype == MR_F64 ? 16 : 8, value);
  }
}

static void put_element(mr_text *text, mr_dtype dtype, const void *element) {
  mr_dtype real = mr_dtype_real(dtype);
  switch (mr_dtype_class_of(dtype)) {
  case MR_CLASS_NONE: break;
  case MR_CLASS_BOOL: mr_text_put(text, *(const uint8_t *)element ? "true" : "false"); break;
  case MR_CLASS_SIGNED: mr_text_put(text, "%lld", (long long)mr_scalar_to_int(dtype, element)); break;
  case MR_CLASS_UNSIGNED: mr_text_put(text, "%llu", (unsigned long long)mr_scalar_to_int(dtype, element)); break;
  case MR_CLASS_FLOAT: put_real(text, dtype, element); break;
  case MR_CLASS_COMPLEX:
    mr_text_put(text, "(");
    put_real(text, real, element);
    mr_text_put(text, ",");
    put_real(text, real, (const char *)element + mr_dtype_bytes(real));
    mr_text_put(text, ")");
    break;
  }
}

static void put_elements(mr_text *text, const mr_dense *dense) {
  const mr_type *type = &dense->type;
  size_t one = mr_dtype_bytes(type->dtype);
  int64_t count = mr_type_count(type);
  int64_t index = 0, sizes[MR_MAX_RANK + 1];
  // sizes[d]: elements below one step of dimension d - 1, so a bracket opens where index divides it.
  sizes[type->rank] = 1;
  for (uint32_t d = type->rank; d > 0; d--) {
    sizes[d - 1] = sizes[d] * type->dims[d - 1];
  }
  for (index = 0; index < count; index++) {
    mr_text_put(text, index ? ", " : "");
    for (uint32_t d = 0; d < type->rank; d++) {
      mr_text_put(text, index % sizes[d] == 0 ? "[" : "");
    }
    put_element(text, type->dtype, (const char *)dense->data + (size_t)index * one);
    for (uint32_t d = 0; d < type->rank; d++) {
      mr_text_put(text, (index + 1) % sizes[d] == 0 ? "]" : "");
    }
  }
}

static void put_dense(mr_text *text, const mr_dense *dense) {
  const int64_t longest_list = 100;
  mr_type storage = dense->type;
  storage.quant = NULL;
  int64_t count = mr_type_count(&storage);
  mr_text_put(text, "dense<");
  if (count && dense->splat) {
    put_element(text, storage.dtype, dense->data);
  } else if (count && count <= longest_list && storage.rank <= MR_MAX_RANK) {
    put_elements(text, dense);
  } else if (count) {
    mr_text_put(text, "\"0x");
    for (size_t i = 0; i < dense->size; i++) {
      mr_text_put(text, "%02X", ((const unsigned char *)dense->data)[i]);
    }
    mr_text_put(text, "\"");
  }
  mr_text_put(text, "> : ");
  mr_print_type(text, &storage);
}

static void put_int(mr_text *text, const mr_attr *attr) {
  if (attr->dtype == MR_PRED) {
    mr_text_put(text, attr->integer ? "true" : "false");
  } else {
    mr_text_put(text, "%lld : %s", (long long)attr->integer,
                attr->dtype == MR_INVALID ? "i64" : mr_dtype_name(attr->dtype));
  }
}

static void put_float(mr_text *text, const mr_attr *attr) {
  mr_dtype dtype = attr->dtype == MR_INVALID ? MR_F64 : attr->dtype;
  uint8_t element[MR_SCALAR_BYTES];
  mr_scalar_from_double(dtype, attr->number, element);
  put_real(text, dtype, element);
  mr_text_put(text, " : %s", mr_dtype_name(dtype));
}

void mr_print_attr(mr_text *text, const mr_attr *attr) {
  switch (attr->kind) {
  case MR_ATTR_UNIT: mr_text_put(text, "unit"); break;
  case MR_ATTR_INT: put_int(text, attr); break;
  case MR_ATTR_INTS:
    if (attr->rows >= 0) {
      put_matrix(text, attr->ints, attr->rows);
    } else {
      put_array(text, attr->ints, attr->dtype == MR_INVALID ? "i64" : mr_dtype_name(attr->dtype));
    }
    break;
  case MR_ATTR_FLOAT: put_float(text, attr); break;
  case MR_ATTR_STRING: mr_print_string(text, attr->string); break;
  case MR_ATTR_DENSE: put_dense(text, &attr->dense); break;
  case MR_ATTR_ARRAY:
    mr_text_put(text, "[");
    for (size_t i = 0; i < attr->count; i++) {
      mr_text_put(text, i ? ", " : "");
      mr_print_attr(text, &attr->items[i]);
    }
    mr_text_put(text, "]");
    break;
  case MR_ATTR_DICT: mr_print_dict(text, attr); break;
  case MR_ATTR_TYPE: mr_print_type(text, &attr->type); break;
  case MR_ATTR_TEXT: mr_text_append(text, attr->string); break;
  }
}

void mr_print_dict(mr_text *text, const mr_attr *dict) {
  if (!dict) {
    return;
  }
  mr_text_put(text, "{");
  for (size_t i = 0; i < dict->count; i++) {
    mr_text_put(text, i ? ", " : "");
    mr_print_name(text, dict->items[i].name);
    if (dict->items[i].kind != MR_ATTR_UNIT) {
      mr_text_put(text, " = ");
      mr_print_attr(text, &dict->items[i]);
    }
  }
  mr_text_put(text, "}");
}

// ---- Properties ----------------------------------------------------------------------------------------------------

// A struct attribute: the op it belongs to, its name, and the keys that are its fields.
typedef struct composite_attr {
  const char *text_name, *open;
  const mr_op_kind *kinds;
  size_t num_kinds;
  const mr_attr_key *fields;
  size_t num_fields;
} composite_attr;

#define KEYS(...) (const mr_attr_key[]){__VA_ARGS__}, MR_ARRAY_SIZE(((const mr_attr_key[]){__VA_ARGS__}))
#define KINDS(...) (const mr_op_kind[]){__VA_ARGS__}, MR_ARRAY_SIZE(((const mr_op_kind[]){__VA_ARGS__}))

static const composite_attr composites[] = {
    {"dot_dimension_numbers", "#stablehlo.dot<", KINDS(MR_OP_dot_general),
     KEYS(MR_ATTR_lhs_batching_dimensions, MR_ATTR_rhs_batching_dimensions, MR_ATTR_lhs_contracting_dimensions,
          MR_ATTR_rhs_contracting_dimensions)},
    {"algorithm", "#stablehlo.dot_algorithm<", KINDS(MR_OP_dot_general),
     KEYS(MR_ATTR_lhs_precision_type, MR_ATTR_rhs_precision_type, MR_ATTR_accumulation_type,
          MR_ATTR_lhs_component_count, MR_ATTR_rhs_component_count, MR_ATTR_num_primitive_operations,
          MR_ATTR_allow_imprecise_accumulation)},
    {"dimension_numbers", "#stablehlo.gather<", KINDS(MR_OP_gather, MR_OP_dynamic_gather),
     KEYS(MR_ATTR_offset_dims, MR_ATTR_collapsed_slice_dims, MR_ATTR_operand_batching_dims,
          MR_ATTR_start_indices_batching_dims, MR_ATTR_start_index_map, MR_ATTR_index_vector_dim)},
    {"scatter_dimension_numbers", "#stablehlo.scatter<", KINDS(MR_OP_scatter),
     KEYS(MR_ATTR_update_window_dims, MR_ATTR_inserted_window_dims, MR_ATTR_input_batching_dims,
          MR_ATTR_scatter_indices_batching_dims, MR_ATTR_scatter_dims_to_operand_dims, MR_ATTR_index_vector_dim)},
    {"dimension_numbers", "#stablehlo.conv<raw ", KINDS(MR_OP_convolution, MR_OP_dynamic_conv),
     KEYS(MR_ATTR_input_batch_dimension, MR_ATTR_input_feature_dimension, MR_ATTR_input_spatial_dimensions,
          MR_ATTR_kernel_input_feature_dimension, MR_ATTR_kernel_output_feature_dimension,
          MR_ATTR_kernel_spatial_dimensions, MR_ATTR_output_batch_dimension, MR_ATTR_output_feature_dimension,
          MR_ATTR_output_spatial_dimensions)},
};

static bool has_kind(const composite_attr *c, mr_op_kind kind) {
  for (size_t i = 0; i < c->num_kinds; i++) {
    if (c->kinds[i] == kind) {
      return true;
    }
  }
  return false;
}

static bool has_field(const composite_attr *c, mr_attr_key key) {
  for (size_t i = 0; i < c->num_fields; i++) {
    if (c->fields[i] == key) {
      return true;
    }
  }
  return false;
}

static bool in_composite(const mr_op *op, mr_attr_key key) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(composites); i++) {
    if (has_kind(&composites[i], op->kind) && has_field(&composites[i], key)) {
      return true;
    }
  }
  return false;
}

static void put_field(mr_text *text, const mr_attr *attr) {
  mr_text_append(text, attr->name);
  mr_text_put(text, " = ");
  if (attr->kind == MR_ATTR_INTS) {
    put_list(text, attr->ints);
  } else if (attr->kind == MR_ATTR_INT && attr->key == MR_ATTR_allow_imprecise_accumulation) {
    mr_text_put(text, attr->integer ? "true" : "false");
  } else if (attr->kind == MR_ATTR_INT) {
    mr_text_put(text, "%lld", (long long)attr->integer);
  } else if (attr->kind == MR_ATTR_TYPE && attr->type.kind == MR_TYPE_TENSOR && attr->type.rank == 0) {
    mr_text_put(text, "%s", mr_dtype_name(attr->type.dtype));  // a bare element type
  } else {
    mr_print_attr(text, attr);
  }
}

static bool is_written(const mr_attr *attr) { return attr && !(attr->kind == MR_ATTR_INTS && attr->ints.size == 0); }

static void put_composite(mr_text *text, const mr_op *op, const composite_attr *c, bool *first) {
  bool present = false;
  for (size_t i = 0; i < c->num_fields; i++) {
    present |= mr_op_attr(op, c->fields[i]) != NULL;
  }
  if (!present) {
    return;
  }
  bool first_field = true;
  mr_text_put(text, "%s%s = %s", *first ? "" : ", ", c->text_name, c->open);
  for (size_t i = 0; i < c->num_fields; i++) {
    const mr_attr *attr = mr_op_attr(op, c->fields[i]);
    if (is_written(attr)) {
      mr_text_put(text, first_field ? "" : ", ");
      put_field(text, attr);
      first_field = false;
    }
  }
  mr_text_put(text, ">");
  *first = false;
}

typedef struct enum_words {
  mr_attr_key key;
  const char *type;
  const char *words[8];
} enum_words;

static const enum_words enums[] = {
    {MR_ATTR_compare_type, "comparison_type", {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}},
    {MR_ATTR_comparison_direction, "comparison_direction", {"EQ", "NE", "GE", "GT", "LE", "LT"}},
    {MR_ATTR_fft_type, "fft_type", {"FFT", "IFFT", "RFFT", "IRFFT"}},
    {MR_ATTR_precision_config, "precision", {"DEFAULT", "HIGH", "HIGHEST"}},
    {MR_ATTR_rng_algorithm, "rng_algorithm", {"DEFAULT", "THREE_FRY", "PHILOX"}},
    {MR_ATTR_rng_distribution, "rng_distribution", {"INVALID", "UNIFORM", "NORMAL"}},
    {MR_ATTR_transpose_a, "transpose", {"INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}},
};

static bool put_enum(mr_text *text, mr_attr_key key, int64_t value) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(enums); i++) {
    if (enums[i].key == key && value >= 0 && value < 8 && enums[i].words[value]) {
      mr_text_put(text, "#stablehlo<%s %s>", enums[i].type, enums[i].words[value]);
      return true;
    }
  }
  return false;
}

static bool is_boolean(mr_attr_key key) {
  return key == MR_ATTR_has_side_effect || key == MR_ATTR_indices_are_sorted || key == MR_ATTR_unique_indices ||
         key == MR_ATTR_is_host_transfer || key == MR_ATTR_is_stable || key == MR_ATTR_left_side ||
         key == MR_ATTR_lower || key == MR_ATTR_unit_diagonal || key == MR_ATTR_is_reverse;
}

static bool is_narrow_int(mr_attr_key key) {
  return key == MR_ATTR_index || key == MR_ATTR_version || key == MR_ATTR_api_version || key == MR_ATTR_exponent_bits ||
         key == MR_ATTR_mantissa_bits;
}

static void put_property_int(mr_text *text, const mr_attr *attr) {
  if (put_enum(text, attr->key, attr->integer)) {
    return;
  }
  if (is_boolean(attr->key)) {
    mr_text_put(text, attr->integer ? "true" : "false");
  } else {
    mr_text_put(text, "%lld : %s", (long long)attr->integer, is_narrow_int(attr->key) ? "i32" : "i64");
  }
}

static void put_property_ints(mr_text *text, const mr_attr *attr) {
  if (attr->key == MR_ATTR_precision_config) {
    mr_text_put(text, "[");
    for (size_t i = 0; i < attr->ints.size; i++) {
      mr_text_put(text, i ? ", " : "");
      put_enum(text, attr->key, attr->ints.data[i]);
    }
    mr_text_put(text, "]");
  } else if (attr->key == MR_ATTR_padding) {
    put_matrix(text, attr->ints, (int64_t)attr->ints.size / 2);
  } else if (attr->rows >= 0 || attr->key == MR_ATTR_replica_groups || attr->key == MR_ATTR_source_target_pairs) {
    put_matrix(text, attr->ints, attr->rows >= 0 ? attr->rows : 1);
  } else {
    put_array(text, attr->ints, attr->key == MR_ATTR_window_reversal ? "i1" : "i64");
  }
}

// [dense<[1, 0]> : tensor<2xindex>, ..]
static void put_layouts(mr_text *text, const mr_attr *attr) {
  mr_text_put(text, "[");
  for (size_t i = 0; i < attr->count; i++) {
    mr_text_put(text, "%sdense<", i ? ", " : "");
    if (attr->items[i].ints.size) {
      put_list(text, attr->items[i].ints);
    }
    mr_text_put(text, "> : tensor<%zuxindex>", attr->items[i].ints.size);
  }
  mr_text_put(text, "]");
}

static void put_symbols(mr_text *text, const mr_attr *attr) {
  mr_text_put(text, "[");
  for (size_t i = 0; i < attr->count; i++) {
    mr_text_put(text, i ? ", " : "");
    mr_print_symbol(text, attr->items[i].string);
  }
  mr_text_put(text, "]");
}

// [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, ..]
static void put_aliases(mr_text *text, const mr_attr *attr) {
  mr_text_put(text, "[");
  for (size_t i = 0; i < attr->count; i++) {
    const mr_attr *alias = &attr->items[i], *index = mr_dict_find(alias, "operand_index");
    mr_text_put(text, "%s#stablehlo.output_operand_alias<output_tuple_indices = ", i ? ", " : "");
    put_list(text, mr_dict_ints(alias, "output_tuple_indices"));
    mr_text_put(text, ", operand_index = %lld, operand_tuple_indices = ",
                (long long)(index && index->kind == MR_ATTR_INT ? index->integer : 0));
    put_list(text, mr_dict_ints(alias, "operand_tuple_indices"));
    mr_text_put(text, ">");
  }
  mr_text_put(text, "]");
}

static void put_property(mr_text *text, const mr_attr *attr) {
  bool layouts = attr->key == MR_ATTR_operand_layouts || attr->key == MR_ATTR_result_layouts;
  if (attr->kind == MR_ATTR_INT) {
    put_property_int(text, attr);
  } else if (attr->kind == MR_ATTR_INTS) {
    put_property_ints(text, attr);
  } else if (attr->key == MR_ATTR_callee || attr->key == MR_ATTR_decomposition) {
    mr_print_symbol(text, attr->string);
  } else if (attr->key == MR_ATTR_called_computations && attr->kind == MR_ATTR_ARRAY) {
    put_symbols(text, attr);
  } else if (layouts && attr->kind == MR_ATTR_ARRAY) {
    put_layouts(text, attr);
  } else if (attr->key == MR_ATTR_output_operand_aliases && attr->kind == MR_ATTR_ARRAY) {
    put_aliases(text, attr);
  } else {
    mr_print_attr(text, attr);
  }
}

// Layouts are given for operands and results or for neither, and there may be none of either.
static bool has_layouts(const mr_op *op) {
  const mr_attr *in = mr_op_attr(op, MR_ATTR_operand_layouts), *out = mr_op_attr(op, MR_ATTR_result_layouts);
  return (in && in->count) || (out && out->count);
}

// Attributes whose default needs no words, or that only exist inside another one.
static bool is_skipped(const mr_op *op, const mr_attr *attr) {
  switch (attr->key) {
  case MR_ATTR_channel_id:
  case MR_ATTR_channel_type: return true;
  case MR_ATTR_compare_type:
  case MR_ATTR_use_global_device_ids:
  case MR_ATTR_has_dynamic_root: return attr->kind == MR_ATTR_INT && attr->integer == 0;
  case MR_ATTR_result_accuracy: return attr->kind != MR_ATTR_TEXT;
  case MR_ATTR_operand_layouts:
  case MR_ATTR_result_layouts: return !has_layouts(op);
  case MR_ATTR_result_tilings: return attr->kind == MR_ATTR_ARRAY;
  case MR_ATTR_output_operand_aliases: return attr->kind == MR_ATTR_ARRAY && attr->count == 0;
  default: return in_composite(op, attr->key);
  }
}

void mr_print_properties(mr_text *text, const mr_op *op) {
  bool first = true;
  mr_text inner = {0};
  for (size_t i = 0; i < MR_ARRAY_SIZE(composites); i++) {
    if (has_kind(&composites[i], op->kind)) {
      put_composite(&inner, op, &composites[i], &first);
    }
  }
  const mr_attr *channel = mr_op_attr(op, MR_ATTR_channel_id);
  if (channel) {
    mr_text_put(&inner, "%schannel_handle = #stablehlo.channel_handle<handle = %lld, type = %lld>", first ? "" : ", ",
                (long long)channel->integer, (long long)mr_op_int(op, MR_ATTR_channel_type, 0));
    first = false;
  }
  for (uint32_t i = 0; i < op->num_attrs; i++) {
    const mr_attr *attr = &op->attrs[i];
    if (is_skipped(op, attr)) {
      continue;
    }
    mr_text_put(&inner, "%s", first ? "" : ", ");
    mr_text_append(&inner, attr->name);
    if (attr->key != MR_ATTR_use_global_device_ids && attr->key != MR_ATTR_has_dynamic_root) {
      mr_text_put(&inner, " = ");
      put_property(&inner, attr);
    }
    first = false;
  }
  if (inner.size) {
    mr_text_put(text, " <{");
    mr_text_append(text, (mr_str){inner.data, inner.size});
    mr_text_put(text, "}>");
  }
  text->failed |= inner.failed;
  mr_text_deinit(&inner);
}
