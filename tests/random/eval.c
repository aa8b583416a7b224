// The evaluator's frame: tensors, blocks, calls and control flow.
#include <string.h>

#include "tests/random/random.h"

void give_up(evaluator *ev, const char *why) {
  if (!ev->gave_up) {
    ev->gave_up = why;
  }
}

bool spend(evaluator *ev, int64_t steps) {
  ev->budget -= steps;
  if (ev->budget <= 0) {
    give_up(ev, "too much to evaluate");
  }
  return ev->budget > 0;
}

tensor *tensor_create(evaluator *ev, const mr_type *type) {
  static cell spare_cell[2];
  static tensor spare = {.cells = spare_cell};
  int64_t count = type->kind == MR_TYPE_TENSOR ? mr_type_count(type) : 0;
  int parts = type->kind == MR_TYPE_TENSOR && mr_dtype_is_complex(type->dtype) ? 2 : 1;
  ev->budget -= count + 4;
  tensor *t = ev->budget > 0 ? mr_arena_new(&ev->arena, tensor) : NULL;
  cell *cells = t ? mr_arena_array(&ev->arena, cell, count * parts + 1) : NULL;
  if (!cells) {
    give_up(ev, "too much to evaluate");
    return &spare;
  }
  *t = (tensor){.type = *type, .count = count, .parts = parts, .cells = cells};
  return t;
}

tensor *tensor_of(const evaluator *ev, const mr_value *v) { return ev->values[v->id]; }
tensor *operand_of(const evaluator *ev, const mr_op *op, uint32_t i) { return tensor_of(ev, mr_op_operand(op, i)); }

void all_anything(tensor *t) {
  for (int64_t i = 0; i < t->count * t->parts; i++) {
    t->cells[i] = cell_anything();
  }
}

void index_of(const mr_type *type, int64_t flat, int64_t *out_index) {
  for (uint32_t d = type->rank; d-- > 0;) {
    out_index[d] = flat % type->dims[d];
    flat /= type->dims[d];
  }
}

int64_t flat_of(const mr_type *type, const int64_t *index) {
  int64_t flat = 0;
  for (uint32_t d = 0; d < type->rank; d++) {
    flat = flat * type->dims[d] + index[d];
  }
  return flat;
}

bool evaluate_op(evaluator *ev, const mr_op *op) {
  tensor *few[8],
      **results = op->num_results <= MR_ARRAY_SIZE(few) ? few : mr_arena_array(&ev->arena, tensor *, op->num_results);
  for (uint32_t i = 0; results && i < op->num_results; i++) {
    results[i] = tensor_create(ev, &op->results[i].type);
    ev->values[op->results[i].id] = results[i];
  }
  if (ev->gave_up || !results) {
    return false;
  }
  if (!evaluate_element_op(ev, op, results) && !evaluate_move_op(ev, op, results) &&
      !evaluate_fold_op(ev, op, results) && !evaluate_window_op(ev, op, results) &&
      !evaluate_scatter_op(ev, op, results) && !evaluate_contract_op(ev, op, results) &&
      !evaluate_bits_op(ev, op, results) && !evaluate_composed_op(ev, op, results) &&
      !evaluate_control_op(ev, op, results) && !evaluate_manual_op(ev, op, results)) {
    give_up(ev, mr_op_table[op->kind].spelling);
  }
  return !ev->gave_up;
}

bool evaluate_block(evaluator *ev, const mr_block *block, tensor *const *args, tensor **out_results) {
  for (uint32_t i = 0; i < block->num_args; i++) {
    ev->values[block->args[i]->id] = args[i];
  }
  for (const mr_op *op = block->first; op; op = op->next) {
    if (op->kind == MR_OP_return) {
      for (uint32_t i = 0; i < op->num_operands; i++) {
        out_results[i] = operand_of(ev, op, i);
      }
      return !ev->gave_up;
    }
    if (!evaluate_op(ev, op)) {
      return false;
    }
  }
  give_up(ev, "a block without a return");
  return false;
}

static void take_results(uint32_t count, tensor *const *from, tensor *const *to) {
  for (uint32_t i = 0; i < count; i++) {
    to[i]->cells = from[i]->cells;
  }
}

static void call_function(evaluator *ev, mr_function *function, const mr_op *op, tensor *const *results) {
  tensor *args[64], *got[64];
  if (!function || op->num_operands > 64 || op->num_results > 64) {
    give_up(ev, "a call");
    return;
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    args[i] = operand_of(ev, op, i);
  }
  tensor **caller = ev->values;
  ev->values = mr_arena_array(&ev->arena, tensor *, function->num_values + 1);
  if (!ev->values) {
    give_up(ev, "memory");
  } else if (evaluate_block(ev, &function->body, args, got)) {
    take_results(op->num_results, got, results);
  }
  ev->values = caller;
}

static void all_results_anything(const mr_op *op, tensor *const *results) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    all_anything(results[i]);
  }
}

static void evaluate_while(evaluator *ev, const mr_op *op, tensor *const *results) {
  tensor *carried[64], *go_on;
  if (op->num_operands > 64) {
    give_up(ev, "a wide loop");
    return;
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    carried[i] = operand_of(ev, op, i);
  }
  while (evaluate_block(ev, op->regions[0], carried, &go_on)) {
    if (!cell_is_sure(go_on->cells[0])) {
      // How often it runs depends on a number that may be rounded either way: it may not even end.
      give_up(ev, "a loop's condition is not certain");
      return;
    }
    if (go_on->cells[0].v == 0) {
      take_results(op->num_results, carried, results);
      return;
    }
    tensor *next[64];
    if (!evaluate_block(ev, op->regions[1], carried, next)) {
      return;
    }
    memcpy(carried, next, sizeof next[0] * op->num_operands);
  }
}

static void evaluate_branch(evaluator *ev, const mr_op *op, tensor *const *results) {
  cell chosen = operand_of(ev, op, 0)->cells[0];
  if (!cell_is_sure(chosen)) {
    all_results_anything(op, results);
    return;
  }
  int64_t index = (int64_t)chosen.v;
  if (op->kind == MR_OP_if) {
    index = index ? 0 : 1;
  } else if (index < 0 || index >= (int64_t)op->num_regions) {
    index = (int64_t)op->num_regions - 1;
  }
  tensor *got[64];
  if (op->num_results > 64) {
    give_up(ev, "many results");
  } else if (evaluate_block(ev, op->regions[index], NULL, got)) {
    take_results(op->num_results, got, results);
  }
}

bool evaluate_control_op(evaluator *ev, const mr_op *op, tensor *const *results) {
  switch ((int)op->kind) {
  case MR_OP_while: evaluate_while(ev, op, results); return true;
  case MR_OP_case:
  case MR_OP_if: evaluate_branch(ev, op, results); return true;
  case MR_OP_call:
    call_function(ev, mr_module_find(ev->module, mr_op_string(op, MR_ATTR_callee)), op, results);
    return true;
  case MR_OP_composite:
    call_function(ev, mr_module_find(ev->module, mr_op_string(op, MR_ATTR_decomposition)), op, results);
    return true;
  case MR_OP_sdy_sharding_constraint:
  case MR_OP_optimization_barrier:
    for (uint32_t i = 0; i < op->num_results; i++) {
      results[i]->cells = operand_of(ev, op, i)->cells;
    }
    return true;
  default: return false;
  }
}

// Types that the evaluator has numbers for.
static bool is_plain(const mr_type *type) {
  return type->kind == MR_TYPE_TENSOR && mr_type_is_static(type) && !type->quant && mr_type_count(type) <= 100000;
}

bool can_evaluate(const mr_module *module) {
  for (const mr_function *f = module->functions; f; f = f->next) {
    for (uint32_t i = 0; i < f->body.num_args; i++) {
      if (!is_plain(&f->body.args[i]->type)) {
        return false;
      }
    }
    for (mr_op *op = mr_walk_first(&f->body); op; op = mr_walk_next(op, &f->body)) {
      for (uint32_t i = 0; i < op->num_results; i++) {
        if (!is_plain(&op->results[i].type)) {
          return false;
        }
      }
    }
  }
  return true;
}

bool evaluate(evaluator *ev, mr_module *module, const void *const *inputs, tensor *out_results) {
  *ev = (evaluator){.module = module, .budget = 1000000};
  mr_arena_init(&ev->arena, 0);
  if (!can_evaluate(module)) {
    give_up(ev, "a type");
    return false;
  }
  for (mr_function *f = module->functions; f; f = f->next) {
    mr_function_number(f);
  }
  mr_function *entry = mr_module_entry(module);
  tensor *args[128], *got[128];
  ev->values = entry ? mr_arena_array(&ev->arena, tensor *, entry->num_values + 1) : NULL;
  if (!ev->values || entry->body.num_args > 128 || entry->num_results > 128) {
    give_up(ev, "no entry function, or a wide one");
    return false;
  }
  for (uint32_t i = 0; i < entry->body.num_args; i++) {
    const mr_type *type = &entry->body.args[i]->type;
    args[i] = tensor_create(ev, type);
    size_t part = mr_dtype_bytes(mr_dtype_real(type->dtype));
    for (int64_t k = 0; !ev->gave_up && k < args[i]->count * args[i]->parts; k++) {
      args[i]->cells[k] = cell_decode(type->dtype, (const char *)inputs[i] + (size_t)k * part);
    }
  }
  if (ev->gave_up || !evaluate_block(ev, &entry->body, args, got)) {
    return false;
  }
  for (uint32_t i = 0; i < entry->num_results; i++) {
    out_results[i] = *got[i];
  }
  return true;
}

void evaluator_deinit(evaluator *ev) { mr_arena_deinit(&ev->arena); }
