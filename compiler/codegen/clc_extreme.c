// Variables that collect a maximum or minimum of floats, which compilers do not vectorise: a NaN goes through, and of two zeros
// one is greater. As integers that order like the floats they are a plain maximum, which every compiler knows. So such a
// variable holds the key of its value, and who reads it turns the key back.
#include "compiler/codegen/clc_emit.h"

static bool is_extreme(const mr_loop_instr *in) {
  return in->code == MR_L_ELEMENT && (in->kind == MR_OP_maximum || in->kind == MR_OP_minimum) &&
         mr_dtype_is_float((mr_dtype)in->dtype);
}

static bool is_value_of(const mr_clc_emit *e, mr_lv v, mr_lv variable) {
  const mr_loop_instr *in = &e->p->instrs[v];
  return in->code == MR_L_GET && in->a == variable && e->values[v].known_uses == 1;
}

// Nothing but computing between the two, so that both see the variable as it is between two rounds.
static bool in_one_piece(const mr_clc_emit *e, mr_lv from, const mr_loop_instr *set) {
  for (const mr_loop_instr *in = &e->p->instrs[from] + 1; in < set; in++) {
    if (in->code >= MR_L_FOR && in->code <= MR_L_END) {
      return false;
    }
    if (in->code == MR_L_SET && in->a == set->a) {
      return false;
    }
  }
  return true;
}

bool mr_clc_collects(const mr_clc_emit *e, const mr_loop_instr *set, mr_lv *out_get) {
  const mr_loop_instr *join = &e->p->instrs[set->b];
  if (join->code != MR_L_ELEMENT || mr_op_table[join->kind].operands != 2 || e->values[set->b].known_uses != 1) {
    return false;
  }
  *out_get = is_value_of(e, join->a, set->a) ? join->a : is_value_of(e, join->b, set->a) ? join->b : 0;
  return *out_get && in_one_piece(e, *out_get, set);
}

// variable = maximum(variable, something); MR_OP_COUNT: not so.
static mr_op_kind collects(const mr_clc_emit *e, const mr_loop_instr *set, mr_lv *out_get) {
  const mr_loop_instr *extreme = &e->p->instrs[set->b];
  return is_extreme(extreme) && mr_clc_collects(e, set, out_get) ? (mr_op_kind)extreme->kind : MR_OP_COUNT;
}

void mr_clc_find_extremes(mr_clc_emit *e) {
  for (uint32_t i = 1; i < e->p->num_instrs; i++) {
    const mr_loop_instr *in = &e->p->instrs[i];
    if (in->code != MR_L_SET || !mr_dtype_is_float((mr_dtype)in->dtype)) {
      continue;
    }
    mr_lv get = 0;
    mr_op_kind kind = collects(e, in, &get);
    mr_clc_value *variable = &e->values[in->a];
    bool first = !variable->is_set;
    variable->is_set = true;
    variable->key = first ? kind : variable->key == kind ? kind : MR_OP_COUNT;
  }
  for (uint32_t i = 1; i < e->p->num_instrs; i++) {
    const mr_loop_instr *in = &e->p->instrs[i];
    mr_lv get = 0;
    if (in->code == MR_L_VAR && !e->values[i].is_set) {
      e->values[i].key = MR_OP_COUNT;
    }
    if (in->code == MR_L_SET && e->values[in->a].key != MR_OP_COUNT && collects(e, in, &get) != MR_OP_COUNT) {
      e->values[get].folded = e->values[in->b].folded = true;
    }
  }
}
