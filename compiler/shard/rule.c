// Rules: their builder, and the table of the ops' own.
#include "compiler/shard/rule.h"

#include <string.h>

#include "compiler/shard/rule_build.h"

// ---- Building -----------------------------------------------------------------------------------------------------------

static uint32_t rank_of(const mr_type *type) { return type->kind == MR_TYPE_TENSOR ? type->rank : 0; }

static bool make_tensor(mr_arena *arena, const mr_type *type, mr_tensor_factors *out) {
  out->rank = rank_of(type);
  out->dims = mr_arena_array(arena, mr_dim_factors, out->rank);
  return out->dims != NULL;
}

static mr_rule_builder begin(mr_arena *arena, const mr_op *op, uint32_t num_operands, uint32_t num_results) {
  mr_rule_builder b = {.arena = arena, .op = op, .rule = mr_arena_new(arena, mr_rule)};
  if (!b.rule) {
    b.failed = true;
    return b;
  }
  b.rule->num_operands = num_operands;
  b.rule->num_results = num_results;
  b.rule->operands = mr_arena_array(arena, mr_tensor_factors, num_operands);
  b.rule->results = mr_arena_array(arena, mr_tensor_factors, num_results);
  b.failed = !b.rule->operands || !b.rule->results;
  return b;
}

mr_rule_builder mr_factors_begin(mr_arena *arena, const mr_op *op) {
  mr_rule_builder b = begin(arena, op, op->num_operands, op->num_results);
  for (uint32_t i = 0; !b.failed && i < op->num_operands; i++) {
    b.failed = !make_tensor(arena, mr_factors_in(&b, i), &b.rule->operands[i]);
  }
  for (uint32_t i = 0; !b.failed && i < op->num_results; i++) {
    b.failed = !make_tensor(arena, mr_factors_out(&b, i), &b.rule->results[i]);
  }
  return b;
}

// Lists double when their length is a power of two.
static void *grow(mr_arena *arena, void *old, uint32_t count, size_t each) {
  if (count & (count - 1)) {
    return old;
  }
  char *bigger = mr_arena_alloc(arena, each * (count ? 2 * (size_t)count : 1));
  if (bigger && count) {
    memcpy(bigger, old, each * count);
  }
  return bigger;
}

uint32_t mr_factors_add(mr_rule_builder *b, mr_factor_kind kind, int64_t size) {
  if (b->failed) {
    return 0;
  }
  mr_rule *rule = b->rule;
  if (rule->num_factors == b->room) {
    uint32_t room = b->room ? 2 * b->room : 4;
    mr_factor *factors = mr_arena_array(b->arena, mr_factor, room);
    if (!factors) {
      b->failed = true;
      return 0;
    }
    if (b->room) {
      memcpy(factors, rule->factors, sizeof *factors * b->room);
    }
    rule->factors = factors;
    b->room = room;
  }
  rule->factors[rule->num_factors] = (mr_factor){size, kind, false};
  return rule->num_factors++;
}

void mr_factors_block(mr_rule_builder *b, uint32_t factor) {
  if (!b->failed) {
    b->rule->factors[factor].blocked = true;
  }
}

static void map(mr_rule_builder *b, mr_tensor_factors *tensor, int64_t dim, uint32_t factor) {
  mr_dim_factors *to = &tensor->dims[dim];
  uint32_t *factors = grow(b->arena, to->factors, to->count, sizeof *factors);
  if (!factors) {
    b->failed = true;
    return;
  }
  to->factors = factors;
  factors[to->count++] = factor;
}

void mr_factors_operand(mr_rule_builder *b, uint32_t operand, int64_t dim, uint32_t factor) {
  if (!b->failed && dim != MR_NO_DIM) {
    map(b, &b->rule->operands[operand], dim, factor);
  }
}

void mr_factors_result(mr_rule_builder *b, uint32_t result, int64_t dim, uint32_t factor) {
  if (!b->failed && dim != MR_NO_DIM) {
    map(b, &b->rule->results[result], dim, factor);
  }
}

uint32_t mr_factors_pair(mr_rule_builder *b, mr_factor_kind kind, int64_t in, int64_t out) {
  uint32_t factor =
      mr_factors_add(b, kind, in != MR_NO_DIM ? mr_factors_in(b, 0)->dims[in] : mr_factors_out(b, 0)->dims[out]);
  mr_factors_operand(b, 0, in, factor);
  mr_factors_result(b, 0, out, factor);
  return factor;
}

uint32_t mr_factors_along(mr_rule_builder *b, mr_factor_kind kind, int64_t dim, uint32_t operands, int64_t size) {
  uint32_t factor = mr_factors_add(b, kind, size);
  for (uint32_t i = 0; i < operands; i++) {
    mr_factors_operand(b, i, dim, factor);
  }
  for (uint32_t i = 0; i < b->op->num_results; i++) {
    mr_factors_result(b, i, dim, factor);
  }
  return factor;
}

static void fill(mr_rule_builder *b, mr_tensor_factors *tensors, uint32_t index, const mr_type *type) {
  for (uint32_t d = 0; !b->failed && d < tensors[index].rank; d++) {
    if (tensors[index].dims[d].count == 0) {
      map(b, &tensors[index], d, mr_factors_add(b, MR_FACTOR_PASS, type->dims[d]));
    }
  }
}

static const mr_rule *end(mr_rule_builder *b) {
  for (uint32_t i = 0; !b->failed && i < b->rule->num_operands; i++) {
    fill(b, b->rule->operands, i, mr_factors_in(b, i));
  }
  for (uint32_t i = 0; !b->failed && i < b->rule->num_results; i++) {
    fill(b, b->rule->results, i, mr_factors_out(b, i));
  }
  return b->failed ? NULL : b->rule;
}

static const mr_rule *make_identity(mr_arena *arena, const mr_type *type, uint32_t num_operands) {
  mr_rule_builder b = begin(arena, NULL, num_operands, 1);
  for (uint32_t i = 0; !b.failed && i <= num_operands; i++) {
    b.failed = !make_tensor(arena, type, i < num_operands ? &b.rule->operands[i] : b.rule->results);
  }
  for (uint32_t d = 0; !b.failed && d < rank_of(type); d++) {
    uint32_t factor = mr_factors_add(&b, MR_FACTOR_PASS, type->dims[d]);
    for (uint32_t i = 0; i < num_operands; i++) {
      mr_factors_operand(&b, i, d, factor);
    }
    mr_factors_result(&b, 0, d, factor);
  }
  return b.failed ? NULL : b.rule;
}

static bool is_identity_of(const mr_rule *rule, const mr_type *type, uint32_t num_operands) {
  bool same = rule && rule->num_operands == num_operands && rule->num_factors == rank_of(type);
  for (uint32_t d = 0; same && d < rule->num_factors; d++) {
    same = rule->factors[d].size == type->dims[d];
  }
  return same;
}

const mr_rule *mr_factors_identity(mr_rules *rules, const mr_type *type, uint32_t num_operands) {
  uint64_t hash = mr_hash64(type->dims, rank_of(type) * sizeof *type->dims, num_operands);
  const mr_rule **kept = &rules->kept[hash % MR_RULES_KEPT];
  if (!is_identity_of(*kept, type, num_operands)) {
    *kept = make_identity(rules->arena, type, num_operands);
  }
  return *kept;
}

// ---- The table ----------------------------------------------------------------------------------------------------------

#define mr_factors_NONE NULL
static void (*const makers[MR_OP_COUNT])(mr_rule_builder *b) = {
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, element, root, fusion, library, places, stored, factors, ...)                          \
  [MR_OP_##name] = mr_factors_##factors,
#include "ops/ops.def"
};
#undef mr_factors_NONE

static bool is_static(const mr_type *type) { return type->kind == MR_TYPE_TOKEN || mr_type_is_static(type); }

static bool all_static(const mr_op *op) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (!is_static(&mr_op_operand(op, i)->type)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (!is_static(&op->results[i].type)) {
      return false;
    }
  }
  return true;
}

// An elementwise op of which all have the result's dims.
static bool is_identity(const mr_op *op) {
  bool same =
      makers[op->kind] == mr_factors_elementwise && op->num_results == 1 && op->results[0].type.kind == MR_TYPE_TENSOR;
  for (uint32_t i = 0; same && i < op->num_operands; i++) {
    same = mr_type_same_dims(&mr_op_operand(op, i)->type, &op->results[0].type);
  }
  return same;
}

static bool all_have_size(const mr_op *op, uint32_t dim, int64_t size) {
  bool same = true;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_type *type = &mr_op_operand(op, i)->type;
    same = same && dim < rank_of(type) && type->dims[dim] == size;
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    same = same && dim < rank_of(&op->results[i].type) && op->results[i].type.dims[dim] == size;
  }
  return same;
}

// What its frontend attribute num_batch_dims says; 0: nothing.
static uint32_t batch_dims(const mr_op *op) {
  const mr_attr *said = mr_dict_find(mr_op_extra(op, "mhlo.frontend_attributes"), "num_batch_dims");
  uint32_t count = 0;
  for (size_t i = 0; said && said->kind == MR_ATTR_STRING && i < said->string.size; i++) {
    char c = said->string.data[i];
    if (c < '0' || c > '9' || count > MR_MAX_RANK) {
      return 0;
    }
    count = 10 * count + (uint32_t)(c - '0');
  }
  return count;
}

mr_status mr_factors_batch(mr_rules *rules, const mr_op *op, const mr_rule **out) {
  *out = NULL;
  uint32_t count = batch_dims(op);
  if (!count || !op->num_operands || !all_static(op)) {
    return MR_OK;
  }
  mr_rule_builder b = mr_factors_begin(rules->arena, op);
  const mr_type *first = &mr_op_operand(op, 0)->type;
  for (uint32_t d = 0; d < rank_of(first) && d < count && all_have_size(op, d, first->dims[d]); d++) {
    mr_factors_along(&b, MR_FACTOR_PASS, d, op->num_operands, first->dims[d]);
  }
  *out = end(&b);
  return b.failed ? MR_NO_MEMORY() : MR_OK;
}

mr_status mr_factors_of(mr_rules *rules, const mr_op *op, const mr_rule **out) {
  mr_arena *arena = rules->arena;
  *out = NULL;
  const mr_attr *own = mr_op_extra(op, "sdy.sharding_rule");
  if (own && (own->kind == MR_ATTR_TEXT || own->kind == MR_ATTR_STRING)) {
    return mr_factors_parse(arena, op, own->string, out);
  }
  if (!makers[op->kind] || !all_static(op)) {
    return MR_OK;
  }
  if (is_identity(op)) {
    *out = mr_factors_identity(rules, &op->results[0].type, op->num_operands);
    return *out ? MR_OK : MR_NO_MEMORY();
  }
  mr_rule_builder b = mr_factors_begin(arena, op);
  if (!b.failed) {
    makers[op->kind](&b);
  }
  if (!b.none) {
    *out = end(&b);
  }
  return b.failed ? MR_NO_MEMORY() : MR_OK;
}
