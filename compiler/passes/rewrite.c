// The sweep over a program, replacing, and what the passes ask about ops.
#include "compiler/passes/rewrite.h"

mr_status mr_sweep(mr_module *module, mr_rewrite rewrite) {
  mr_function *entry = mr_module_entry(module);
  if (!entry) {
    return mr_error(MR_INVALID_ARGUMENT, "the program has no @main");
  }
  // A rewrite may give ops that are rewritten in turn; rules that undo each other must not run forever.
  uint64_t rewrites = 0, most = UINT64_C(1) << 26;
  mr_op *op = mr_walk_first(&entry->body);
  while (op) {
    mr_op *before = op->prev;
    mr_block *block = op->block;
    bool changed = false;
    MR_TRY(rewrite(op, &changed));
    // An op may lack an attribute that did not fit: nothing may look at it.
    MR_TRY(mr_module_memory(module));
    if (!changed) {
      op = mr_walk_next(op, &entry->body);
      continue;
    }
    if (++rewrites > most) {
      return mr_error(MR_INTERNAL, "rewriting does not come to an end");
    }
    op = before ? before->next : block->first;
    if (!op) {
      return mr_error(MR_INTERNAL, "a rewrite removed a terminator");
    }
  }
  return mr_module_memory(module);
}

bool mr_made_any(const mr_module *module, const mr_op_kind *kinds, size_t count) {
  bool any = false;
  for (size_t i = 0; i < count && !any; i++) {
    any = module->made[kinds[i]];
  }
  return any;
}

mr_status mr_sweep_for(mr_module *module, mr_rewrite rewrite, const mr_op_kind *kinds, size_t count) {
  return mr_made_any(module, kinds, count) ? mr_sweep(module, rewrite) : MR_OK;
}

bool mr_replace(mr_op *op, mr_value *value) {
  if (!value) {
    return false;
  }
  mr_value_replace_all_uses(&op->results[0], value);
  mr_op_erase(op);
  return true;
}

bool mr_replace_all(mr_op *op, mr_value *const *values) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (!values[i]) {
      return false;
    }
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value_replace_all_uses(&op->results[i], values[i]);
  }
  mr_op_erase(op);
  return true;
}

bool mr_is_sum_for_one(const mr_value *value, const mr_block *block) {
  return value->def && value->def->kind == MR_OP_add && value->def->block == block && mr_value_has_one_use(value);
}

// So many terms of a sum are looked at.
enum { MOST_TERMS = 8 };

static mr_value *with_term(mr_op *user, mr_value *sum, mr_value *addend, mr_term_rewrite rewrite, uint32_t *left) {
  mr_value *made = *left ? rewrite(user, sum, addend) : NULL;
  *left -= *left > 0;
  const mr_op *inner = sum->def;
  bool apart = mr_is_sum_for_one(sum, user->block);
  for (uint32_t k = 0; apart && !made && *left && k < 2; k++) {
    made = with_term(user, mr_op_operand(inner, k), addend, rewrite, left);
    mr_builder b = mr_builder_before(user);
    made = made ? mr_build_binary(&b, MR_OP_add, mr_op_operand(inner, 1 - k), made) : NULL;
  }
  return made;
}

mr_value *mr_sum_with_term(mr_op *user, mr_value *sum, mr_value *addend, mr_term_rewrite rewrite) {
  uint32_t left = MOST_TERMS;
  return with_term(user, sum, addend, rewrite, &left);
}

static bool has_own_effect(const mr_op *op) {
  switch (mr_op_table[op->kind].effect) {
  case MR_EFFECT_PURE:
  case MR_EFFECT_OWN: return false;
  case MR_EFFECT_ACTS: return true;
  case MR_EFFECT_ASKED: return mr_op_int(op, MR_ATTR_has_side_effect, 0) != 0;
  }
  return true;
}

bool mr_pass_sees_effect(const mr_op *op) {
  if (has_own_effect(op)) {
    return true;
  }
  for (uint32_t r = 0; r < op->num_regions; r++) {
    const mr_block *root = op->regions[r];
    for (const mr_op *inner = mr_walk_first(root); inner; inner = mr_walk_next(inner, root)) {
      if (inner->kind != MR_OP_return && has_own_effect(inner)) {
        return true;
      }
    }
  }
  return false;
}

int64_t mr_pass_devices(const mr_module *module) { return mr_module_partitions(module) * mr_module_replicas(module); }

bool mr_pass_is_control_dep(const mr_op *op) {
  return op->kind == MR_OP_custom_call && op->num_operands == 2 && op->num_results == 0 &&
         mr_str_is(mr_op_string(op, MR_ATTR_call_target_name), "control_dep");
}
