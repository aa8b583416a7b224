// Calls and composites into the entry function. Calls do not recurse (the verifier saw to it), so replacing each call by
// a copy of its callee and going on with the copy comes to an end; how large it gets is bounded here.
#include "compiler/passes/decompose.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"
#include "compiler/passes/tuning.h"

#include <string.h>

// ---- Composites with a native form ---------------------------------------------------------------------------------

static mr_op_kind native_kind(mr_str name) {
  static const mr_op_kind kinds[] = {MR_OP_erf,  MR_OP_erfc, MR_OP_sinh,  MR_OP_cosh,  MR_OP_asin,
                                     MR_OP_acos, MR_OP_atan, MR_OP_asinh, MR_OP_acosh, MR_OP_atanh};
  for (size_t i = 0; i < MR_ARRAY_SIZE(kinds); i++) {
    if (mr_str_is(name, mr_op_table[kinds[i]].spelling)) {
      return kinds[i];
    }
  }
  return MR_OP_COUNT;
}

static bool is_plain_float(const mr_type *type) {
  mr_dtype dtype = type->dtype;
  return type->kind == MR_TYPE_TENSOR && !type->quant &&
         (dtype == MR_F16 || dtype == MR_BF16 || dtype == MR_F32 || dtype == MR_F64);
}

static bool try_native_function(mr_op *op, mr_str name) {
  mr_op_kind kind = native_kind(name);
  if (kind == MR_OP_COUNT || op->num_operands != 1 || op->num_results != 1 ||
      !is_plain_float(&op->operands[0].value->type) ||
      !mr_type_equal(&op->operands[0].value->type, &op->results[0].type)) {
    return false;
  }
  mr_builder b = mr_builder_before(op);
  return mr_replace(op, mr_build_unary(&b, kind, mr_op_operand(op, 0)));
}

// The op for a call of this form; false when it has another one.
static bool replace_by_top_k(mr_op *op, int64_t k) {
  const mr_type *x = op->num_operands == 1 ? &op->operands[0].value->type : NULL;
  if (!x || op->num_results != 2 || x->rank == 0 || !mr_type_is_static(x) || k < 0 || k > x->dims[x->rank - 1] ||
      op->results[1].type.dtype != MR_S32) {
    return false;
  }
  mr_builder b = mr_builder_before(op);
  mr_value *operand = mr_op_operand(op, 0);
  mr_op *native = mr_build(&b, MR_OP_top_k, 1, &operand, 2, (mr_type[]){op->results[0].type, op->results[1].type}, 0);
  if (!native) {
    return false;
  }
  mr_op_set_int(b.module, native, MR_ATTR_k, k);
  mr_status status = mr_op_check(b.module, native);
  if (status) {
    mr_status_free(status);
    mr_op_erase(native);
    return false;
  }
  return mr_replace_all(op, (mr_value *[]){&native->results[0], &native->results[1]});
}

static bool try_native_top_k(mr_op *op, mr_str name) {
  const mr_attr *dict = mr_op_attr(op, MR_ATTR_composite_attributes);
  const mr_attr *k = dict ? mr_dict_find(dict, "k") : NULL;
  if (!mr_str_is(name, "chlo.top_k") || !k || k->kind != MR_ATTR_INT) {
    return false;
  }
  // Attributes that are not known here may change the meaning: the decomposition knows them.
  for (size_t i = 0; i < dict->count; i++) {
    bool known = mr_str_is(dict->items[i].name, "k") ||
                 (mr_str_is(dict->items[i].name, "is_stable") && dict->items[i].kind == MR_ATTR_INT);
    if (!known) {
      return false;
    }
  }
  return replace_by_top_k(op, k->integer);
}

// What jaxlib before 0.9 makes of it.
static bool try_mhlo_top_k(mr_op *op) {
  const mr_attr *dict = mr_op_extra(op, "mhlo.attributes");
  const mr_attr *k = dict && dict->kind == MR_ATTR_DICT ? mr_dict_find(dict, "k") : NULL;
  const mr_attr *largest = k ? mr_dict_find(dict, "largest") : NULL;
  bool smallest = largest && largest->kind == MR_ATTR_INT && largest->integer == 0;
  return k && k->kind == MR_ATTR_INT && !smallest && dict->count <= 2 && replace_by_top_k(op, k->integer);
}

// ---- Inlining ------------------------------------------------------------------------------------------------------

static uint64_t count_ops(const mr_block *block) {
  uint64_t count = 0;
  for (mr_op *op = mr_walk_first(block); op; op = mr_walk_next(op, block)) {
    count++;
  }
  return count;
}

// Where `inner`, in a function, is from as a part of the call: what the call is named comes first. NULL without memory.
static const mr_origin *origin_within(mr_module *module, const mr_origin *call, const mr_origin *inner) {
  if (!call || !inner) {
    return inner ? inner : call;
  }
  mr_origin *origin = mr_arena_new(&module->arena, mr_origin);
  size_t size = call->path.size + 1 + inner->path.size;
  char *path = origin && call->path.size && inner->path.size ? mr_arena_alloc(&module->arena, size) : NULL;
  if (!origin) {
    return NULL;
  }
  *origin = inner->file.size ? *inner : *call;
  origin->path = inner->path.size ? inner->path : call->path;
  if (path) {
    memcpy(path, call->path.data, call->path.size);
    path[call->path.size] = '/';
    memcpy(path + call->path.size + 1, inner->path.data, inner->path.size);
    origin->path = (mr_str){path, size};
  }
  return origin;
}

// The ops behind `before`, up to the call, are the callee's.
static void place_within(const mr_op *call, mr_op *before) {
  mr_module *module = mr_op_module(call);
  const mr_origin *last = NULL, *made = call->loc.origin;  // neighbours often have one
  mr_op *op = before ? before->next : call->block->first;
  while (op && op != call) {
    if (op->loc.origin != last) {
      last = op->loc.origin;
      made = origin_within(module, call->loc.origin, last);
    }
    op->loc.origin = made;
    op = mr_walk_next(op, call->block);
  }
}

// Copies a callee's body before the call and lets the call's uses see what it returns.
static mr_status inline_function(mr_op *call, const mr_function *callee) {
  mr_module *module = mr_op_module(call);
  if (callee->is_declaration) {
    return mr_unimplemented(call, "@%.*s has no body", MR_STR_ARG(callee->name));
  }
  // Functions that call one another twice each double with every level.
  module->copied_ops += count_ops(&callee->body);
  if (module->copied_ops > MR_PASS_INLINE_OPS) {
    return mr_error(MR_RESOURCE_EXHAUSTED, "the program has more than %u ops after inlining", MR_PASS_INLINE_OPS);
  }
  mr_value_map *map = mr_value_map_create(module);
  for (uint32_t i = 0; i < call->num_operands; i++) {
    mr_value_map_set(map, callee->body.args[i], mr_op_operand(call, i));
  }
  mr_builder b = mr_builder_before(call);
  const mr_op *terminator = mr_block_terminator(&callee->body);
  mr_op *before = call->prev;
  if (!mr_block_clone_into(&b, &callee->body, map)) {
    return mr_module_memory(module);
  }
  place_within(call, before);
  for (uint32_t i = 0; i < call->num_results; i++) {
    mr_value_replace_all_uses(&call->results[i], mr_value_map_get(map, terminator->operands[i].value));
  }
  MR_TRY(mr_module_memory(module));
  mr_op_erase(call);
  return MR_OK;
}

// A region that runs once: its ops go before the op, with the op's operands for arguments. What it returns is what
// the return names that is left behind.
static mr_status open_region(mr_op *op, const mr_op **out_return) {
  mr_block *block = op->regions[0];
  for (uint32_t i = 0; i < block->num_args; i++) {
    if (!mr_type_compatible(&block->args[i]->type, &op->operands[i].value->type)) {
      char outer[128], inner[128];
      return mr_unimplemented(op, "%s outside and %s inside: a body for several devices",
                              mr_type_text(&op->operands[i].value->type, outer, sizeof outer),
                              mr_type_text(&block->args[i]->type, inner, sizeof inner));
    }
    mr_value_replace_all_uses(block->args[i], mr_op_operand(op, i));
  }
  *out_return = mr_block_terminator(block);
  mr_block_splice_before(block, op);
  return MR_OK;
}

static mr_status inline_region(mr_op *op) {
  const mr_op *terminator;
  MR_TRY(open_region(op, &terminator));
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value_replace_all_uses(&op->results[i], mr_op_operand(terminator, i));
  }
  mr_op_erase(op);
  return MR_OK;
}

// What is started is one with what it ends with: an order between the start and something else that the end comes after would
// have it wait for itself.
static void drop_orders_of(mr_op *start) {
  for (mr_use *use = start->results[0].uses, *next; use; use = next) {
    next = use->next;
    if (mr_pass_is_control_dep(use->user)) {
      mr_op_erase(use->user);
      next = start->results[0].uses;  // it may have been named twice
    }
  }
}

// What is started runs where it is started: the plan lets steps that do not need each other run side by side anyway.
static mr_status inline_async(mr_op *start) {
  drop_orders_of(start);
  const mr_use *use = start->results[0].uses;
  mr_op *done = use ? use->user : NULL;
  if (done && (use->next || done->kind != MR_OP_async_done)) {
    return mr_unimplemented(start, "whose future goes to anything but one async_done");
  }
  const mr_op *terminator;
  MR_TRY(open_region(start, &terminator));
  for (uint32_t i = 0; done && i < done->num_results; i++) {
    mr_value_replace_all_uses(&done->results[i], mr_op_operand(terminator, i));
  }
  if (done) {
    mr_op_erase(done);
  }
  mr_op_erase(start);
  return MR_OK;
}

static mr_status rewrite(mr_op *op, bool *out_changed) {
  *out_changed = true;
  switch (op->kind) {
  case MR_OP_call: return inline_function(op, mr_module_find(mr_op_module(op), mr_op_string(op, MR_ATTR_callee)));
  case MR_OP_composite: {
    mr_str name = mr_op_string(op, MR_ATTR_name);
    if (try_native_function(op, name) || try_native_top_k(op, name)) {
      return MR_OK;
    }
    return inline_function(op, mr_module_find(mr_op_module(op), mr_op_string(op, MR_ATTR_decomposition)));
  }
  case MR_OP_sdy_manual_computation:
  case MR_OP_sdy_named_computation: return inline_region(op);
  case MR_OP_async_start: return inline_async(op);
  default: *out_changed = false; return MR_OK;
  }
}

// ---- Approximate top-k ---------------------------------------------------------------------------------------------

static int64_t config_int(const mr_op *op, const char *name, int64_t fallback) {
  const mr_attr *dict = mr_op_extra(op, "mhlo.backend_config");
  const mr_attr *typed = mr_op_attr(op, MR_ATTR_backend_config);
  const mr_attr *found = mr_dict_find(dict, name);
  if (!found && typed) {
    found = mr_dict_find(typed, name);
  }
  return found && found->kind == MR_ATTR_INT ? found->integer : fallback;
}

// The exact answer is an allowed one: sort everything by the comparator and keep the first k. The comparator is a
// function named by the call, so it has to be taken in before the functions go.
static mr_status exact_top_k(mr_op *op) {
  mr_module *module = mr_op_module(op);
  const mr_attr *called = mr_op_attr(op, MR_ATTR_called_computations);
  uint32_t n = op->num_results;
  int64_t dim = config_int(op, "reduction_dim", -1), k = config_int(op, "top_k", -1);
  const mr_function *comparator =
      called && called->kind == MR_ATTR_ARRAY && called->count ? mr_module_find(module, called->items[0].string) : NULL;
  const mr_type *x = op->num_operands ? &op->operands[0].value->type : NULL;
  if (!comparator || comparator->is_declaration || n == 0 || op->num_operands != 2 * n ||
      comparator->body.num_args != 2 * n || dim < 0 || dim >= x->rank || k < 0 || k > x->dims[dim] ||
      op->results[0].type.rank != x->rank || op->results[0].type.dims[dim] != k) {
    return mr_unimplemented(op, "ApproxTopK of this form");
  }
  mr_builder b = mr_builder_before(op);
  mr_value *inputs[16];
  mr_type types[16];
  if (n > MR_ARRAY_SIZE(inputs)) {
    return mr_unimplemented(op, "ApproxTopK of %u operands", n);
  }
  for (uint32_t i = 0; i < n; i++) {
    inputs[i] = mr_op_operand(op, i);
    types[i] = inputs[i]->type;
  }
  mr_op *sort = mr_build(&b, MR_OP_sort, n, inputs, n, types, 1);
  if (!sort) {
    return mr_module_memory(module);
  }
  mr_op_set_int(module, sort, MR_ATTR_dimension, dim);
  mr_op_set_int(module, sort, MR_ATTR_is_stable, 1);
  mr_value_map *map = mr_value_map_create(module);
  for (uint32_t i = 0; i < 2 * n; i++) {
    const mr_value *arg = comparator->body.args[i];
    mr_value_map_set(map, arg, mr_block_add_arg(module, sort->regions[0], &arg->type));
  }
  mr_builder inner = mr_builder_at_end(sort->regions[0]);
  if (mr_block_clone_into(&inner, &comparator->body, map)) {
    mr_value *order = mr_value_map_get(map, mr_block_terminator(&comparator->body)->operands[0].value);
    mr_build_return(&inner, 1, &order);
  }
  mr_value *values[16];
  for (uint32_t i = 0; i < n; i++) {
    values[i] = mr_build_slice_dim(&b, &sort->results[i], (uint32_t)dim, 0, k);
  }
  MR_TRY(mr_module_memory(module));
  // The call was never held against a rule; what it became is.
  MR_TRY(mr_op_check(module, sort));
  for (uint32_t i = 0; i < n; i++) {
    if (!mr_type_compatible(&values[i]->type, &op->results[i].type)) {
      return mr_unimplemented(op, "ApproxTopK of this form");
    }
  }
  mr_replace_all(op, values);
  return MR_OK;
}

static mr_status take_in_comparators(mr_op *op, bool *out_changed) {
  mr_str target = op->kind == MR_OP_custom_call ? mr_op_string(op, MR_ATTR_call_target_name) : (mr_str){0};
  if (mr_str_is(target, "mhlo.topk")) {
    *out_changed = try_mhlo_top_k(op);
    return MR_OK;
  }
  *out_changed = mr_str_is(target, "ApproxTopK");
  return *out_changed ? exact_top_k(op) : MR_OK;
}

// ---- The pass ------------------------------------------------------------------------------------------------------

// Loops in functions called from loops nest deeper than any function did alone; op->side carries the depth.
static mr_status check_depth(const mr_function *entry) {
  for (mr_op *op = mr_walk_first(&entry->body); op; op = mr_walk_next(op, &entry->body)) {
    uintptr_t depth = op->block->parent ? (uintptr_t)op->block->parent->side + 1 : 0;
    op->side = (void *)depth;
    if (depth > MR_MAX_NESTING) {
      return mr_error(MR_UNIMPLEMENTED, "regions nest deeper than %d after inlining", MR_MAX_NESTING);
    }
  }
  return MR_OK;
}

// What the partitioner takes: bodies for several devices stay.
static mr_status rewrite_calls(mr_op *op, bool *out_changed) {
  *out_changed = false;
  return op->kind == MR_OP_sdy_manual_computation ? MR_OK : rewrite(op, out_changed);
}

static mr_status inline_with(mr_module *module, mr_rewrite how) {
  mr_function *entry = mr_module_entry(module);
  if (!entry || entry->is_declaration) {
    return mr_error(MR_INVALID_ARGUMENT, "the program has no @main with a body");
  }
  static const mr_op_kind calls[] = {MR_OP_call, MR_OP_composite, MR_OP_sdy_manual_computation,
                                     MR_OP_sdy_named_computation, MR_OP_async_start};
  bool compares = module->made[MR_OP_custom_call];
  MR_TRY(mr_sweep_for(module, how, calls, MR_ARRAY_SIZE(calls)));
  if (compares) {
    MR_TRY(mr_sweep(module, take_in_comparators));
    MR_TRY(mr_sweep_for(module, how, calls, MR_ARRAY_SIZE(calls)));  // what comparators call
  }
  if (module->made_types & MR_MADE_OPEN) {  // while what custom calls name is there
    MR_TRY(mr_pass_sizes(module));
    MR_TRY(mr_sweep_for(module, how, calls, MR_ARRAY_SIZE(calls)));
  }
  for (mr_function *f = module->functions, *next; f; f = next) {
    next = f->next;
    if (f != entry) {
      mr_module_remove_function(module, f);
    }
  }
  return compares || mr_made_any(module, calls, MR_ARRAY_SIZE(calls)) ? check_depth(entry) : MR_OK;
}

mr_status mr_pass_inline(mr_module *module) { return inline_with(module, rewrite); }

mr_status mr_pass_inline_calls(mr_module *module) { return inline_with(module, rewrite_calls); }
