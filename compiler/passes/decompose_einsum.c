// einsum and unary_einsum into sums, dot_general and transpose. Letters name dimensions: in both operands and the result
// a batch, in both but not the result contracted, in one operand alone and not the result summed first.
#include "compiler/passes/decompose.h"

#include <string.h>

typedef struct labels {
  char at[MR_MAX_RANK];
  uint32_t count;
} labels;

static bool has(const labels *l, char c) { return memchr(l->at, c, l->count) != NULL; }

static int64_t position(const labels *l, char c) { return (const char *)memchr(l->at, c, l->count) - l->at; }

// Letters up to one of `ends`; false when a letter comes twice (a diagonal) or something else stands there.
static bool read_labels(mr_str text, size_t *at, labels *out) {
  out->count = 0;
  for (; *at < text.size; (*at)++) {
    char c = text.data[*at];
    if (c == ' ') {
      continue;
    }
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter) {
      return true;
    }
    if (out->count == MR_MAX_RANK || has(out, c)) {
      return false;
    }
    out->at[out->count++] = c;
  }
  return true;
}

static bool skip(mr_str text, size_t *at, const char *word) {
  size_t size = strlen(word);
  if (text.size - *at < size || memcmp(text.data + *at, word, size) != 0) {
    return false;
  }
  *at += size;
  return true;
}

// Sums x over the labels that no other list has.
static mr_value *sum_lonely(mr_builder *b, mr_value *x, labels *own, const labels *other, const labels *result) {
  int64_t dims[MR_MAX_RANK];
  size_t count = 0;
  labels kept = {.count = 0};
  for (uint32_t i = 0; i < own->count; i++) {
    if (!has(result, own->at[i]) && !(other && has(other, own->at[i]))) {
      dims[count++] = i;
    } else {
      kept.at[kept.count++] = own->at[i];
    }
  }
  *own = kept;
  if (count == 0) {
    return x;
  }
  mr_type scalar = mr_type_scalar(x->type.dtype);
  return mr_build_reduce(b, MR_OP_add, x, mr_build_splat_int(b, &scalar, 0), (mr_ints){dims, count});
}

// x with labels `from` arranged as `to`, which has the same letters.
static mr_value *arrange(mr_builder *b, mr_value *x, const labels *from, const labels *to) {
  int64_t permutation[MR_MAX_RANK];
  for (uint32_t i = 0; i < to->count; i++) {
    permutation[i] = position(from, to->at[i]);
  }
  return x ? mr_build_transpose(b, x, permutation) : NULL;
}

typedef struct dims {
  int64_t lhs[MR_MAX_RANK], rhs[MR_MAX_RANK];
  size_t count;
} dims;

static mr_value *contract(mr_op *op, mr_builder *b, mr_value *x, mr_value *y, const labels *l, const labels *r,
                          const labels *result) {
  if (!x || !y) {
    return NULL;
  }
  dims batch = {.count = 0}, contracted = {.count = 0};
  labels out = {.count = 0};
  int64_t sizes[2 * MR_MAX_RANK];
  for (uint32_t i = 0; i < l->count; i++) {
    char c = l->at[i];
    if (has(r, c)) {
      dims *d = has(result, c) ? &batch : &contracted;
      d->lhs[d->count] = i;
      d->rhs[d->count] = position(r, c);
      if (x->type.dims[i] != y->type.dims[d->rhs[d->count++]]) {
        return NULL;  // not known before the program runs: the op stays, and whoever meets it says so
      }
    }
  }
  for (size_t i = 0; i < batch.count; i++) {
    sizes[out.count] = x->type.dims[batch.lhs[i]];
    out.at[out.count++] = l->at[batch.lhs[i]];
  }
  for (uint32_t i = 0; i < l->count; i++) {
    if (!has(r, l->at[i])) {
      sizes[out.count] = x->type.dims[i];
      out.at[out.count++] = l->at[i];
    }
  }
  for (uint32_t i = 0; i < r->count && out.count < MR_MAX_RANK; i++) {
    if (!has(l, r->at[i])) {
      sizes[out.count] = y->type.dims[i];
      out.at[out.count++] = r->at[i];
    }
  }
  mr_type type = {.kind = MR_TYPE_TENSOR, .dtype = op->results[0].type.dtype, .rank = out.count, .dims = sizes};
  mr_op *dot = mr_build(b, MR_OP_dot_general, 2, (mr_value *[]){x, y}, 1, &type, 0);
  if (!dot) {
    return NULL;
  }
  mr_op_set_ints(b->module, dot, MR_ATTR_lhs_batching_dimensions, (mr_ints){batch.lhs, batch.count});
  mr_op_set_ints(b->module, dot, MR_ATTR_rhs_batching_dimensions, (mr_ints){batch.rhs, batch.count});
  mr_op_set_ints(b->module, dot, MR_ATTR_lhs_contracting_dimensions, (mr_ints){contracted.lhs, contracted.count});
  mr_op_set_ints(b->module, dot, MR_ATTR_rhs_contracting_dimensions, (mr_ints){contracted.rhs, contracted.count});
  return arrange(b, &dot->results[0], &out, result);
}

// As many letters as dimensions, those of the result among them, and one size for each.
static mr_status check_labels(const mr_op *op, const labels *l, const labels *r, const labels *result) {
  const labels *of[] = {l, r};
  for (uint32_t i = 0; i < op->num_operands; i++) {
    uint32_t rank = op->operands[i].value->type.rank;
    if (of[i]->count != rank) {
      return mr_op_error(op, "has %u letters for operand %u of rank %u", of[i]->count, i, rank);
    }
  }
  for (uint32_t i = 0; i < result->count; i++) {
    if (!has(l, result->at[i]) && !has(r, result->at[i])) {
      return mr_op_error(op, "letter '%c' of the result is in no operand", result->at[i]);
    }
  }
  for (uint32_t i = 0; i < r->count; i++) {
    if (has(l, r->at[i])) {
      int64_t one = op->operands[0].value->type.dims[position(l, r->at[i])],
              other = op->operands[1].value->type.dims[i];
      if (one != other && one >= 0 && other >= 0) {
        return mr_op_error(op, "letter '%c' is %lld long in one operand and %lld in the other", r->at[i],
                           (long long)one, (long long)other);
      }
    }
  }
  return MR_OK;
}

mr_status mr_decompose_einsum(mr_op *op, bool *out_changed) {
  mr_module *module = mr_op_module(op);
  mr_str config = mr_op_string(op, MR_ATTR_einsum_config);
  bool binary = op->kind == MR_OP_einsum;
  labels l, r = {.count = 0}, result;
  size_t at = 0;
  bool good = read_labels(config, &at, &l);
  if (good && binary) {
    good = skip(config, &at, ",") && read_labels(config, &at, &r);
  }
  good = good && skip(config, &at, "->") && read_labels(config, &at, &result) && at == config.size;
  mr_value *x = mr_op_operand(op, 0), *y = binary ? mr_op_operand(op, 1) : NULL;
  if (!good) {
    return mr_unimplemented(op, "configuration \"%.*s\"", MR_STR_ARG(config));
  }
  MR_TRY(check_labels(op, &l, &r, &result));
  mr_builder b = mr_builder_before(op);
  mr_value *value;
  x = sum_lonely(&b, x, &l, binary ? &r : NULL, &result);
  if (binary) {
    y = sum_lonely(&b, y, &r, &l, &result);
    value = contract(op, &b, x, y, &l, &r, &result);
  } else {
    value = arrange(&b, x, &l, &result);
  }
  if (value && !mr_type_compatible(&value->type, &op->results[0].type)) {
    char found[128], wanted[128];
    return mr_op_error(op, "result is %s, wanted %s", mr_type_text(&op->results[0].type, found, sizeof found),
                       mr_type_text(&value->type, wanted, sizeof wanted));
  }
  *out_changed = mr_replace(op, value);
  return mr_module_memory(module);
}
