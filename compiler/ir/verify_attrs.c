// What the verifier asks of attributes: that they fit together and fit the operands and results of their op.
#include "compiler/ir/infer_internal.h"

#include <string.h>

// ---- Accuracy and algorithms -----------------------------------------------------------------------------------------

static mr_status check_accuracy(const mr_op *op) {
  enum { TOLERANCE = 2 };
  const mr_attr *accuracy = mr_op_attr(op, MR_ATTR_result_accuracy);
  if (!accuracy || accuracy->kind != MR_ATTR_DICT) {
    return MR_OK;
  }
  const mr_attr *mode = mr_dict_find(accuracy, "mode"), *atol = mr_dict_find(accuracy, "atol"),
                *rtol = mr_dict_find(accuracy, "rtol"), *ulps = mr_dict_find(accuracy, "ulps");
  bool any = (atol && atol->kind == MR_ATTR_FLOAT && atol->number != 0) ||
             (rtol && rtol->kind == MR_ATTR_FLOAT && rtol->number != 0) ||
             (ulps && ulps->kind == MR_ATTR_INT && ulps->integer != 0);
  if (any && mode && mode->kind == MR_ATTR_INT && mode->integer != TOLERANCE) {
    return mr_op_error(op, "result_accuracy gives tolerances, wanted none unless its mode is TOLERANCE");
  }
  return MR_OK;
}

// A type as algorithms name it; "f8" for each float of eight bits with a sign.
static const char *precision_name(const mr_op *op, mr_attr_key key) {
  const mr_attr *attr = mr_op_attr(op, key);
  if (!attr) {
    return "";
  }
  if (attr->kind == MR_ATTR_TEXT || attr->kind == MR_ATTR_STRING) {
    return mr_str_is(attr->string, "tf32") ? "tf32" : "";
  }
  if (attr->kind != MR_ATTR_TYPE) {
    return "";
  }
  mr_dtype dtype = attr->type.dtype;
  bool eight = mr_dtype_is_float(dtype) && mr_dtype_bits(dtype) == 8 && dtype != MR_F8E8M0FNU;
  return eight ? "f8" : mr_dtype_name(dtype);
}

static int64_t number_at(const mr_op *op, mr_attr_key key, int64_t fallback) {
  const mr_attr *attr = mr_op_attr(op, key);
  return attr && attr->kind == MR_ATTR_INT ? attr->integer : fallback;
}

// What some hardware does: the operands' types, what sums have, and how many products stand for one.
static mr_status check_algorithm(const mr_op *op) {
  static const struct {
    const char *operands, *sums;
    int64_t products;
  } known[] = {{"f8", "f32", 1},   {"f16", "f16", 1},  {"f16", "f32", 1},  {"bf16", "bf16", 1},
               {"bf16", "f32", 1}, {"bf16", "f32", 3}, {"bf16", "f32", 6}, {"bf16", "f32", 9},
               {"tf32", "f32", 1}, {"tf32", "f32", 3}, {"f32", "f32", 1},  {"f64", "f64", 1}};
  const mr_attr *sums = mr_op_attr(op, MR_ATTR_accumulation_type);
  if (!sums || sums->kind != MR_ATTR_TYPE) {
    return MR_OK;
  }
  mr_ints precision = mr_op_ints(op, MR_ATTR_precision_config);
  for (size_t i = 0; i < precision.size; i++) {
    if (precision.data[i] != 0) {
      return mr_op_error(op, "has an algorithm and a precision, wanted DEFAULT precision with it");
    }
  }
  int64_t left = number_at(op, MR_ATTR_lhs_component_count, 1), right = number_at(op, MR_ATTR_rhs_component_count, 1);
  int64_t products = number_at(op, MR_ATTR_num_primitive_operations, 1);
  bool imprecise = number_at(op, MR_ATTR_allow_imprecise_accumulation, 0) != 0;
  if (left < 1 || right < 1 || products < 1) {
    return mr_op_error(op, "algorithm with %lld and %lld components and %lld products, wanted one of each at least",
                       (long long)left, (long long)right, (long long)products);
  }
  const char *a = precision_name(op, MR_ATTR_lhs_precision_type), *b = precision_name(op, MR_ATTR_rhs_precision_type);
  const char *c = precision_name(op, MR_ATTR_accumulation_type);
  for (size_t i = 0; i < MR_ARRAY_SIZE(known); i++) {
    if (strcmp(a, known[i].operands) == 0 && strcmp(b, known[i].operands) == 0 && strcmp(c, known[i].sums) == 0 &&
        products == known[i].products && left == 1 && right == 1 && (!imprecise || i == 0)) {
      return MR_OK;
    }
  }
  return mr_op_error(op, "algorithm of %s and %s into %s with %lld products, which no hardware has", a, b, c,
                     (long long)products);
}

// ---- Custom calls ------------------------------------------------------------------------------------------------------

static mr_status check_layout(const mr_op *op, const mr_attr *layout, const mr_type *type, const char *what, size_t i) {
  char text[128];
  mr_ints order = layout->kind == MR_ATTR_INTS ? layout->ints : (mr_ints){0};
  if (type->kind == MR_TYPE_TUPLE) {
    return mr_op_error(op, "%s %zu is a tuple, which has no layout", what, i);
  }
  if (type->kind != MR_TYPE_TENSOR) {
    return order.size ? mr_op_error(op, "layout of %s %zu, wanted none for what is no tensor", what, i) : MR_OK;
  }
  bool fits = order.size == type->rank;
  for (size_t d = 0; d < order.size && fits; d++) {
    fits = order.data[d] >= 0 && order.data[d] < (int64_t)order.size;
    for (size_t e = 0; e < d && fits; e++) {
      fits = order.data[e] != order.data[d];
    }
  }
  return fits ? MR_OK
              : mr_op_error(op, "layout of %s %zu is no permutation of the dimensions of %s", what, i,
                            mr_type_text(type, text, sizeof text));
}

static const mr_attr *layouts_of(const mr_op *op, mr_attr_key key) {
  const mr_attr *attr = mr_op_attr(op, key);
  return attr && attr->kind == MR_ATTR_ARRAY && attr->count ? attr : NULL;
}

// A result that is a tuple has a layout for each of its elements.
static mr_status check_layouts(const mr_op *op) {
  const mr_attr *in = layouts_of(op, MR_ATTR_operand_layouts), *out = layouts_of(op, MR_ATTR_result_layouts);
  bool tuple = op->num_results == 1 && op->results[0].type.kind == MR_TYPE_TUPLE;
  size_t results = tuple ? op->results[0].type.rank : op->num_results;
  if (!in && !out) {
    return MR_OK;
  }
  if ((!in && op->num_operands) || (!out && results)) {
    return mr_op_error(op, "has layouts of its %s only, wanted both or none", in ? "operands" : "results");
  }
  size_t num_in = in ? in->count : 0, num_out = out ? out->count : 0;
  if (num_in != op->num_operands || num_out != results) {
    return mr_op_error(op, "has layouts for %zu operands and %zu results, wanted %u and %zu", num_in, num_out,
                       op->num_operands, results);
  }
  for (uint32_t i = 0; i < num_in; i++) {
    MR_TRY(check_layout(op, &in->items[i], &op->operands[i].value->type, "operand", i));
  }
  for (size_t i = 0; i < num_out; i++) {
    MR_TRY(
        check_layout(op, &out->items[i], tuple ? &op->results[0].type.elements[i] : &op->results[i].type, "result", i));
  }
  return MR_OK;
}

// The part of a type that a path of tuple indices leads to; NULL when it leads nowhere.
static const mr_type *part_of(const mr_type *type, mr_ints path, size_t from) {
  for (size_t i = from; i < path.size && type; i++) {
    bool inside = type->kind == MR_TYPE_TUPLE && path.data[i] >= 0 && path.data[i] < (int64_t)type->rank;
    type = inside ? &type->elements[path.data[i]] : NULL;
  }
  return type;
}

// Several results count as one tuple.
static mr_status check_alias(const mr_op *op, const mr_attr *alias) {
  if (alias->kind != MR_ATTR_DICT) {
    return mr_op_error(op, "an alias is no #stablehlo.output_operand_alias");
  }
  const mr_attr *index = mr_dict_find(alias, "operand_index");
  int64_t operand = index && index->kind == MR_ATTR_INT ? index->integer : 0;
  mr_ints out = mr_dict_ints(alias, "output_tuple_indices"), in = mr_dict_ints(alias, "operand_tuple_indices");
  if (operand < 0 || operand >= op->num_operands) {
    return mr_op_error(op, "an alias names operand %lld of %u", (long long)operand, op->num_operands);
  }
  const mr_type *from = part_of(&op->operands[operand].value->type, in, 0), *to = NULL;
  if (op->num_results == 1) {
    to = part_of(&op->results[0].type, out, 0);
  } else if (out.size && out.data[0] >= 0 && out.data[0] < op->num_results) {
    to = part_of(&op->results[out.data[0]].type, out, 1);
  }
  if (!from || !to) {
    return mr_op_error(op, "an alias names a part of the %s that is not there", from ? "results" : "operand");
  }
  char a[128], b[128];
  return mr_type_compatible(from, to)
             ? MR_OK
             : mr_op_error(op, "an alias of %s and %s", mr_type_text(from, a, sizeof a), mr_type_text(to, b, sizeof b));
}

static mr_status check_custom_call(const mr_op *op) {
  enum { TYPED = 4 };
  const mr_attr *config = mr_op_attr(op, MR_ATTR_backend_config);
  const mr_attr *aliases = mr_op_attr(op, MR_ATTR_output_operand_aliases);
  bool typed = mr_op_int(op, MR_ATTR_api_version, 1) == TYPED;
  if (config && config->kind == MR_ATTR_DICT && !typed) {
    return mr_op_error(op, "backend_config is a dictionary, wanted a string for an api_version that is not typed");
  }
  if (config && config->kind == MR_ATTR_STRING && config->string.size && typed) {
    return mr_op_error(op, "backend_config is a string, wanted a dictionary for the typed api_version");
  }
  MR_TRY(check_layouts(op));
  for (size_t i = 0; aliases && aliases->kind == MR_ATTR_ARRAY && i < aliases->count; i++) {
    MR_TRY(check_alias(op, &aliases->items[i]));
  }
  return MR_OK;
}

// ---- Streams of data ---------------------------------------------------------------------------------------------------

// Tensors, and a token behind them.
static mr_status check_received(const mr_op *op) {
  char text[128];
  if (op->num_results == 0) {
    return mr_op_error(op, "has no results, wanted a token at least");
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    bool last = i + 1 == op->num_results;
    const mr_type *type = &op->results[i].type;
    if (type->kind != (last ? MR_TYPE_TOKEN : MR_TYPE_TENSOR)) {
      return mr_op_error(op, "result %u is %s, wanted %s", i, mr_type_text(type, text, sizeof text),
                         last ? "a token, which comes last" : "a tensor");
    }
  }
  return MR_OK;
}

static mr_status check_infeed_layout(const mr_op *op) {
  const mr_attr *layout = mr_op_attr(op, MR_ATTR_layout);
  if (!layout || (layout->kind != MR_ATTR_ARRAY && layout->kind != MR_ATTR_INTS)) {
    return MR_OK;
  }
  size_t count = layout->kind == MR_ATTR_ARRAY ? layout->count : layout->ints.size;
  if (count + 1 != op->num_results) {
    return mr_op_error(op, "layout has %zu entries, wanted one for each of %u tensors", count, op->num_results - 1);
  }
  for (size_t i = 0; i < count; i++) {
    const mr_attr *item = layout->kind == MR_ATTR_ARRAY ? &layout->items[i] : NULL;
    bool list = item && (item->kind == MR_ATTR_INTS || item->kind == MR_ATTR_ARRAY);
    for (size_t k = 0; list && item->kind == MR_ATTR_ARRAY && k < item->count; k++) {
      list = item->items[k].kind == MR_ATTR_INT;
    }
    if (!list) {
      return mr_op_error(op, "layout %zu is no list of dimensions", i);
    }
  }
  return MR_OK;
}

static mr_status check_channel_type(const mr_op *op) {
  enum { BETWEEN_DEVICES = 1, TO_HOST = 2, FROM_HOST = 3 };
  bool host = mr_op_int(op, MR_ATTR_is_host_transfer, 0) != 0;
  int64_t wanted = !host ? BETWEEN_DEVICES : op->kind == MR_OP_send ? TO_HOST : FROM_HOST;
  int64_t found = mr_op_int(op, MR_ATTR_channel_type, wanted);
  return found == wanted ? MR_OK
                         : mr_op_error(op, "channel of type %lld, wanted %lld when is_host_transfer is %s",
                                       (long long)found, (long long)wanted, host ? "true" : "false");
}

// ---- Names -----------------------------------------------------------------------------------------------------------

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_word(char c) { return is_letter(c) || c == '_' || (c >= '0' && c <= '9'); }

// namespace.name, with more parts if it likes.
static mr_status check_composite_name(const mr_op *op) {
  mr_str name = mr_op_string(op, MR_ATTR_name);
  size_t dots = 0;
  bool fits = name.size && is_letter(name.data[0]) && name.data[name.size - 1] != '.';
  for (size_t i = 1; i < name.size && fits; i++) {
    bool dot = name.data[i] == '.';
    fits = dot ? name.data[i - 1] != '.' : is_word(name.data[i]) || (dots && name.data[i] == '$');
    dots += dot;
  }
  return fits && dots ? MR_OK
                      : mr_op_error(op, "is named \"%.*s\", wanted a namespace, a dot and a name", MR_STR_ARG(name));
}

mr_status mr_verify_attrs(const mr_op *op) {
  switch (op->kind) {
  case MR_OP_dot_general: return check_algorithm(op);
  case MR_OP_custom_call: return check_custom_call(op);
  case MR_OP_composite: return check_composite_name(op);
  case MR_OP_infeed: MR_TRY(check_received(op)); return check_infeed_layout(op);
  case MR_OP_recv: MR_TRY(check_received(op)); return check_channel_type(op);
  case MR_OP_send: return check_channel_type(op);
  default: return check_accuracy(op);  // of a function that has one; these have none
  }
}
