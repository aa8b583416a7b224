// The generic way to do an op on parts: each factor of its rule is given atoms, operands come cut as the factors say, the op is
// done on what is there, and devices that reduced parts of one thing put their results together (part_reduce.c).
//
// Which atoms: the results' wanted tilings lead, or one of the operands' tilings; the way that moves and computes least is
// taken.
#include <stdio.h>
#include <string.h>

#include "compiler/shard/part_way.h"
#include "core/trace.h"

// ---- Which factors may be cut ------------------------------------------------------------------------------------------------

static bool has_factor(const mr_tensor_factors *tensor, uint32_t factor) {
  for (uint32_t d = 0; d < tensor->rank; d++) {
    for (uint32_t i = 0; i < tensor->dims[d].count; i++) {
      if (tensor->dims[d].factors[i] == factor) {
        return true;
      }
    }
  }
  return false;
}

static bool all_have(const mr_tensor_factors *tensors, uint32_t count, uint32_t factor) {
  for (uint32_t i = 0; i < count; i++) {
    if (tensors[i].rank && !has_factor(&tensors[i], factor)) {
      return false;
    }
  }
  return true;
}

static bool some_have(const mr_tensor_factors *tensors, uint32_t count, uint32_t factor) {
  for (uint32_t i = 0; i < count; i++) {
    if (has_factor(&tensors[i], factor)) {
      return true;
    }
  }
  return false;
}

// Types that collectives fold.
static bool has_sums(mr_dtype dtype) {
  switch (dtype) {
  case MR_PRED:
  case MR_F16:
  case MR_BF16:
  case MR_F32:
  case MR_F64:
  case MR_C64:
  case MR_C128: return true;
  default: return mr_dtype_is_integer(dtype) && mr_dtype_bits(dtype) >= 8;
  }
}

static bool may_reduce(const mr_op *op, const mr_rule *rule, uint32_t factor) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (!has_sums(op->results[i].type.dtype)) {
      return false;
    }
  }
  switch (op->kind) {
  case MR_OP_dot:
  case MR_OP_dot_general:
  case MR_OP_reduce: return true;
  case MR_OP_convolution: {
    const mr_dim_factors *features = &rule->operands[0].dims[mr_op_int(op, MR_ATTR_input_feature_dimension, 0)];
    for (uint32_t i = 0; i < features->count; i++) {
      if (features->factors[i] == factor) {
        return true;
      }
    }
    return false;
  }
  default: return false;
  }
}

// Whether an op that is given parts along a factor gives the parts of its results: indices in operands count over whole
// dimensions, and what generates numbers needs to know which.
static bool may_pass(const mr_op *op, const mr_rule *rule, uint32_t factor) {
  bool in = some_have(rule->operands, rule->num_operands, factor);
  bool out = some_have(rule->results, rule->num_results, factor);
  switch (op->kind) {
  case MR_OP_broadcast:
  case MR_OP_broadcast_in_dim: return out;
  case MR_OP_rng:
  case MR_OP_rng_bit_generator:
  case MR_OP_set_dimension_size: return false;
  case MR_OP_dynamic_update_slice:
    return out && has_factor(&rule->operands[0], factor) && has_factor(&rule->operands[1], factor);
  case MR_OP_scatter:
    return out && has_factor(&rule->operands[0], factor) && has_factor(&rule->operands[op->num_results + 1], factor);
  case MR_OP_ragged_dot: return out && in && has_factor(&rule->operands[1], factor);
  case MR_OP_custom_call:
    return all_have(rule->operands, rule->num_operands, factor) && all_have(rule->results, rule->num_results, factor);
  default: return in && out;
  }
}

static bool is_plain(const mr_value *value) {
  const mr_type *type = &value->type;
  return type->kind != MR_TYPE_TENSOR || (mr_type_is_static(type) && (!type->quant || type->quant->axis < 0));
}

static bool is_cuttable(const mr_op *op, const mr_rule *rule) {
  if (!rule || rule->num_factors > MR_WAY_FACTORS || rule->num_operands != op->num_operands ||
      rule->num_results != op->num_results) {
    return false;
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (!is_plain(mr_op_operand(op, i))) {
      return false;
    }
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (!is_plain(&op->results[i])) {
      return false;
    }
  }
  return true;
}

static void find_usable(mr_way *way) {
  const mr_rule *rule = way->rule;
  for (uint32_t f = 0; f < rule->num_factors; f++) {
    mr_factor_kind kind = rule->factors[f].kind;
    way->usable[f] = rule->factors[f].size != 1 && ((kind == MR_FACTOR_PASS && may_pass(way->op, rule, f)) ||
                                                    (kind == MR_FACTOR_REDUCTION && may_reduce(way->op, rule, f)));
  }
}

// ---- Giving atoms to factors --------------------------------------------------------------------------------------------------

static bool is_free_atom(const mr_way *way, uint8_t atom) { return !(way->used >> atom & 1); }

// Gives a dimension's atoms to its factors, major first. A factor that leads already has its atoms; one that shares its dimension takes
// only what divides it.
static void give_dim(const mr_part *p, mr_way *way, const mr_dim_factors *dim, const mr_atoms *atoms) {
  uint8_t at = 0;
  for (uint32_t i = 0; i < dim->count && at < atoms->count; i++) {
    uint32_t f = dim->factors[i];
    mr_atoms *has = &way->factors[f];
    int64_t size = way->rule->factors[f].size;
    bool fixed = has->count > 0;
    for (uint8_t k = 0; k < has->count; k++) {
      if (at == atoms->count || atoms->ids[at] != has->ids[k]) {
        return;
      }
      at++;
    }
    while (!fixed && way->usable[f] && at < atoms->count && is_free_atom(way, atoms->ids[at])) {
      int64_t shards = mr_atoms_shards(p->grid, has) * p->grid->size[atoms->ids[at]];
      if (dim->count > 1 && size % shards != 0) {
        break;
      }
      has->ids[has->count++] = atoms->ids[at];
      way->used |= UINT32_C(1) << atoms->ids[at++];
    }
    if (mr_atoms_shards(p->grid, has) != size) {
      return;
    }
  }
}

static void give(const mr_part *p, mr_way *way, const mr_tensor_factors *tensor, const mr_tiling *tiling) {
  for (uint32_t d = 0; d < tensor->rank && d < tiling->rank; d++) {
    give_dim(p, way, &tensor->dims[d], &tiling->dims[d]);
  }
}

// A factor that shares a dimension is cut evenly, and only when those in front of it are cut to the end.
static bool settle_dim(const mr_part *p, mr_way *way, const mr_dim_factors *dim) {
  bool changed = false, full = true;
  for (uint32_t i = 0; dim->count > 1 && i < dim->count; i++) {
    mr_atoms *has = &way->factors[dim->factors[i]];
    int64_t size = way->rule->factors[dim->factors[i]].size;
    while (has->count && (!full || size % mr_atoms_shards(p->grid, has) != 0)) {
      way->used &= ~(UINT32_C(1) << has->ids[--has->count]);
      changed = true;
    }
    full = full && mr_atoms_shards(p->grid, has) == size;
  }
  return changed;
}

static void settle(const mr_part *p, mr_way *way) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t t = 0; t < way->op->num_operands + way->op->num_results; t++) {
      const mr_tensor_factors *tensor = mr_way_tensor(way, t);
      for (uint32_t d = 0; d < tensor->rank; d++) {
        changed |= settle_dim(p, way, &tensor->dims[d]);
      }
    }
  }
  way->partial = 0;
  for (uint32_t f = 0; f < way->rule->num_factors; f++) {
    if (way->rule->factors[f].kind == MR_FACTOR_REDUCTION) {
      way->partial |= mr_atoms_mask(&way->factors[f]);
    }
  }
}

// Indices are what they are on every device, where what they point into is apart.
static bool is_summand(const mr_op *op, uint32_t tensor) {
  switch (op->kind) {
  case MR_OP_dynamic_slice: return tensor == 0 || tensor >= op->num_operands;
  case MR_OP_dynamic_update_slice: return tensor <= 1 || tensor >= op->num_operands;
  default: return true;
  }
}

mr_tiling mr_way_tiling(const mr_way *way, uint32_t tensor) {
  const mr_tensor_factors *factors = mr_way_tensor(way, tensor);
  mr_tiling tiling = mr_tiling_replicated(factors->rank);
  for (uint32_t d = 0; d < factors->rank; d++) {
    mr_atoms *atoms = &tiling.dims[d];
    for (uint32_t i = 0; i < factors->dims[d].count; i++) {
      const mr_atoms *more = &way->factors[factors->dims[d].factors[i]];
      memcpy(atoms->ids + atoms->count, more->ids, more->count);
      atoms->count = (uint8_t)(atoms->count + more->count);
    }
  }
  tiling.unreduced = is_summand(way->op, tensor) ? way->unreduced : 0;
  return tiling;
}

// ---- Sums that stay apart -------------------------------------------------------------------------------------------------------

// f(a + b) = f(a) + f(b), for all operands at once that are summands.
static bool is_linear(const mr_op *op) {
  switch (op->kind) {
  case MR_OP_convert:
    return mr_dtype_is_float(mr_op_operand(op, 0)->type.dtype) && mr_dtype_is_float(op->results[0].type.dtype);
  case MR_OP_dynamic_slice:
  case MR_OP_dynamic_update_slice:
  case MR_OP_reverse:
  case MR_OP_add:
  case MR_OP_subtract:
  case MR_OP_negate:
  case MR_OP_transpose:
  case MR_OP_reshape:
  case MR_OP_broadcast_in_dim:
  case MR_OP_concatenate:
  case MR_OP_slice: return true;
  default: return false;
  }
}

// Along which atoms operands and results may be summands, because that is how the result is wanted.
static uint32_t summands(const mr_part *p, const mr_op *op) {
  mr_tiling wanted;
  return is_linear(op) && mr_part_wanted(p, &op->results[0], &wanted) ? wanted.unreduced : 0;
}

// ---- What a way costs ---------------------------------------------------------------------------------------------------------

// In bytes moved: what one device computes, a byte for so many operations as take as long.
static double work_of(const mr_part *p, const mr_way *way) {
  enum { FLOPS_PER_BYTE = 16, BYTES_PER_BYTE = 4 };
  double elements = 1;
  for (uint32_t f = 0; f < way->rule->num_factors; f++) {
    elements *= (double)mr_ceil_div(way->rule->factors[f].size, mr_atoms_shards(p->grid, &way->factors[f]));
  }
  bool contracts = mr_op_table[way->op->kind].op_class == MR_OPS_CONTRACTION;
  double bytes = (double)mr_dtype_bytes(way->op->results[0].type.dtype);
  return contracts ? 2 * elements / FLOPS_PER_BYTE : elements * bytes / BYTES_PER_BYTE;
}

static void weigh(const mr_part *p, mr_way *way) {
  const mr_op *op = way->op;
  way->cost = work_of(p, way);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    mr_tiling tiling = mr_way_tiling(way, i);
    way->cost += (double)mr_part_cost(p, mr_op_operand(op, i), &tiling);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_tiling made = mr_way_tiling(way, op->num_operands + i), wanted;
    made.unreduced |= way->partial;
    if (!mr_part_wanted(p, &op->results[i], &wanted)) {
      wanted.unreduced = way->unreduced;
    }
    if (!mr_tiling_equal(&made, &wanted)) {
      way->cost += 1 + (double)mr_reshard_cost(&p->spread, &op->results[i].type, &made, &wanted);
    }
  }
}

// ---- Ways ---------------------------------------------------------------------------------------------------------------------

enum { NO_LEADER = -1 };

static void give_results(const mr_part *p, mr_way *way) {
  for (uint32_t i = 0; i < way->op->num_results; i++) {
    mr_tiling wanted;
    if (mr_part_wanted(p, &way->op->results[i], &wanted)) {
      give(p, way, &way->rule->results[i], &wanted);
    }
  }
}

static void give_operand(const mr_part *p, mr_way *way, uint32_t i) {
  const mr_value *value = mr_op_operand(way->op, i);
  if (value->type.kind == MR_TYPE_TENSOR && !mr_part_is_free(value)) {
    mr_tiling tiling = mr_part_tiling(p, value);
    give(p, way, &way->rule->operands[i], &tiling);
  }
}

// The factor that has most left of those that operand `i` and the first result share and that the atom divides; num_factors: none.
static uint32_t roomiest(const mr_part *p, const mr_way *way, uint32_t i, uint8_t atom) {
  uint32_t best = way->rule->num_factors;
  int64_t most = 0;
  for (uint32_t f = 0; f < way->rule->num_factors; f++) {
    int64_t shards = mr_atoms_shards(p->grid, &way->factors[f]), size = way->rule->factors[f].size;
    bool shared = way->usable[f] && way->rule->factors[f].kind == MR_FACTOR_PASS &&
                  has_factor(&way->rule->operands[i], f) && has_factor(&way->rule->results[0], f);
    if (shared && size / shards > most && size % (shards * p->grid->size[atom]) == 0) {
      best = f;
      most = size / shards;
    }
  }
  return best;
}

// Atoms along which an operand is cut in a dimension that the op wants whole cut another one: two exchanges are less than a
// gather.
static bool give_rest(const mr_part *p, mr_way *way) {
  bool any = false;
  for (uint32_t i = 0; i < way->op->num_operands; i++) {
    const mr_value *value = mr_op_operand(way->op, i);
    if (value->type.kind != MR_TYPE_TENSOR || mr_part_is_free(value)) {
      continue;
    }
    mr_tiling tiling = mr_part_tiling(p, value);
    for (uint32_t d = 0; d < tiling.rank; d++) {
      for (uint8_t k = 0; k < tiling.dims[d].count; k++) {
        uint8_t atom = tiling.dims[d].ids[k];
        uint32_t f = is_free_atom(way, atom) ? roomiest(p, way, i, atom) : way->rule->num_factors;
        if (f < way->rule->num_factors) {
          way->factors[f].ids[way->factors[f].count++] = atom;
          way->used |= UINT32_C(1) << atom;
          any = true;
        }
      }
    }
  }
  return any;
}

static void make_way(const mr_part *p, mr_way *way, int leader) {
  memset(way->factors, 0, sizeof way->factors[0] * way->rule->num_factors);
  way->used = p->spread.manual | way->unreduced;
  if (leader != NO_LEADER) {
    give_operand(p, way, (uint32_t)leader);
  }
  give_results(p, way);
  for (uint32_t i = 0; i < way->op->num_operands; i++) {
    give_operand(p, way, i);
  }
  settle(p, way);
  weigh(p, way);
}

static void without_reductions(mr_way *way) {
  for (uint32_t f = 0; f < way->rule->num_factors; f++) {
    way->usable[f] = way->usable[f] && way->rule->factors[f].kind != MR_FACTOR_REDUCTION;
  }
}

static void choose_way(const mr_part *p, mr_way *best) {
  enum { MOST_LEADERS = 4 };
  make_way(p, best, NO_LEADER);
  mr_way other = *best;
  for (uint32_t i = 0; i < best->op->num_operands && i < MOST_LEADERS; i++) {
    make_way(p, &other, (int)i);
    if (other.cost < best->cost) {
      *best = other;
    }
  }
  other = *best;
  if (other.op->num_results && give_rest(p, &other)) {
    settle(p, &other);
    weigh(p, &other);
    if (other.cost < best->cost) {
      *best = other;
    }
  }
  if (best->partial) {
    without_reductions(&other);
    make_way(p, &other, NO_LEADER);
    if (other.cost < best->cost) {
      *best = other;
    }
  }
}

// ---- Doing it ------------------------------------------------------------------------------------------------------------------

// What attributes say of sizes, said of the parts'.
void mr_way_fit_attributes(const mr_part *p, const mr_way *way, mr_op *made) {
  if (!made->num_operands) {
    return;
  }
  const mr_type *x = &mr_op_operand(made, 0)->type, *global = &mr_op_operand(way->op, 0)->type;
  int64_t sizes[MR_MAX_RANK];
  switch (made->kind) {
  case MR_OP_slice: {
    mr_ints limits = mr_op_ints(made, MR_ATTR_limit_indices);
    for (size_t d = 0; d < limits.size; d++) {
      sizes[d] = x->dims[d] == global->dims[d] ? limits.data[d] : x->dims[d];
    }
    mr_op_set_ints(p->module, made, MR_ATTR_limit_indices, (mr_ints){sizes, limits.size});
    break;
  }
  case MR_OP_dynamic_slice:
    mr_op_set_ints(p->module, made, MR_ATTR_slice_sizes, (mr_ints){made->results[0].type.dims, x->rank});
    break;
  case MR_OP_gather: {
    mr_ints had = mr_op_ints(made, MR_ATTR_slice_sizes);
    for (size_t d = 0; d < had.size; d++) {
      sizes[d] = had.data[d] == global->dims[d] ? x->dims[d] : had.data[d];
    }
    mr_op_set_ints(p->module, made, MR_ATTR_slice_sizes, (mr_ints){sizes, had.size});
    break;
  }
  case MR_OP_broadcast: {
    size_t count = mr_op_ints(made, MR_ATTR_broadcast_sizes).size;
    mr_op_set_ints(p->module, made, MR_ATTR_broadcast_sizes, (mr_ints){made->results[0].type.dims, count});
    break;
  }
  case MR_OP_convolution: {
    const mr_type *kernel = &mr_op_operand(made, 1)->type;
    int64_t features = x->dims[mr_op_int(made, MR_ATTR_input_feature_dimension, 0)];
    int64_t each = kernel->dims[mr_op_int(made, MR_ATTR_kernel_input_feature_dimension, 0)];
    int64_t batch = mr_op_int(made, MR_ATTR_input_batch_dimension, 0);
    int64_t groups = mr_op_int(made, MR_ATTR_batch_group_count, 1);
    if (groups > 1) {
      // The major factor of the batch is the groups.
      const mr_atoms *cut = &way->factors[way->rule->operands[0].dims[batch].factors[0]];
      mr_op_set_int(p->module, made, MR_ATTR_batch_group_count, groups / mr_atoms_shards(p->grid, cut));
    } else if (each) {
      mr_op_set_int(p->module, made, MR_ATTR_feature_group_count, features / each);
    }
    break;
  }
  default: break;
  }
}

static mr_status carry_out(mr_part *p, mr_way *way) {
  const mr_op *op = way->op;
  mr_value **operands;
  mr_type *types;
  MR_TRY(mr_part_room(p, op, &operands, &types));
  for (uint32_t i = 0; i < op->num_operands; i++) {
    mr_tiling tiling = mr_way_tiling(way, i);
    operands[i] = mr_part_get(p, mr_op_operand(op, i), &tiling);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_tiling tiling = mr_way_tiling(way, op->num_operands + i);
    types[i] = mr_part_local_type(p, &op->results[i].type, &tiling);
  }
  MR_TRY(mr_module_memory(p->module));
  if (way->partial) {
    return mr_part_reduced(p, way, operands, types);
  }
  mr_op *made = mr_part_clone(p, op, operands, types);
  MR_TRY(mr_module_memory(p->module));
  mr_way_fit_attributes(p, way, made);
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_tiling tiling = mr_way_tiling(way, op->num_operands + i);
    mr_part_set(p, &op->results[i], &made->results[i], &tiling);
  }
  return mr_module_memory(p->module);
}

// Most ops are elementwise on operands that lie as the result is wanted.
static bool try_aligned(mr_part *p, mr_op *op) {
  mr_tiling tiling;
  if (!mr_op_kind_is_elementwise(op->kind) || op->num_operands > 3 || !mr_part_wanted(p, &op->results[0], &tiling) ||
      (tiling.unreduced && !is_linear(op))) {
    return false;
  }
  mr_value *operands[3];
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_value *x = mr_op_operand(op, i);
    if (!is_plain(x) || (x->type.rank && mr_part_cost(p, x, &tiling))) {
      return false;
    }
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    mr_value *x = mr_op_operand(op, i);
    operands[i] = x->type.rank ? mr_part_get(p, x, &tiling) : mr_part_get_replicated(p, x);
  }
  mr_type type = mr_part_local_type(p, &op->results[0].type, &tiling);
  mr_op *made = p->module->out_of_memory ? NULL : mr_part_clone(p, op, operands, &type);
  if (made) {
    mr_part_set(p, &op->results[0], &made->results[0], &tiling);
  }
  return true;
}

static bool touches_parts(const mr_part *p, const mr_op *op) {
  mr_tiling tiling;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    tiling = mr_part_tiling(p, mr_op_operand(op, i));
    if (!mr_part_is_free(mr_op_operand(op, i)) && mr_tiling_mask(&tiling)) {
      return true;
    }
  }
  return false;
}

// Every device does all of it, which is counted, and told in a trace.
static mr_status do_whole(mr_part *p, mr_op *op) {
  uint64_t start = mr_trace_begin();
  bool gathers = touches_parts(p, op);
  p->whole_ops += gathers;
  MR_TRY(mr_part_whole(p, op));
  if (gathers && start) {
    char name[64];
    (void)snprintf(name, sizeof name, "whole: %s", mr_op_table[op->kind].name);
    mr_trace_end(MR_TRACE_COMPILE, name, start);
  }
  return MR_OK;
}

// A call that the host says may be cut along its leading dimensions. Nothing spreads through it, as in XLA, so only who cuts asks.
static bool is_batch_call(const mr_part *p, const mr_op *op) {
  const mr_shard_host *host = p->options ? p->options->host : NULL;
  return op->kind == MR_OP_custom_call && !mr_op_extra(op, "sdy.sharding_rule") && host &&
         host->is_batch_partitionable &&
         host->is_batch_partitionable(host->context, mr_op_string(op, MR_ATTR_call_target_name));
}

mr_status mr_part_generic(mr_part *p, mr_op *op) {
  if (try_aligned(p, op)) {
    return mr_module_memory(p->module);
  }
  const mr_rule *rule = NULL;
  MR_TRY(is_batch_call(p, op) ? mr_factors_batch(&p->rules, op, &rule) : mr_factors_of(&p->rules, op, &rule));
  if (!is_cuttable(op, rule)) {
    return do_whole(p, op);
  }
  mr_way way = {.op = op, .rule = rule, .unreduced = summands(p, op)};
  find_usable(&way);
  choose_way(p, &way);
  return carry_out(p, &way);
}
