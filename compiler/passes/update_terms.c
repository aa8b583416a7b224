// What sums of arrays and of windows among zeros are wanted for, and their order: arrays first, so that each window is added to what is stored.
#include "compiler/passes/update.h"

#include <string.h>

#include "compiler/ir/in_place.h"
#include "compiler/passes/simplify.h"

static mr_value *operand(const mr_op *op, uint32_t i) { return mr_op_operand(op, i); }

// ---- What is stored ------------------------------------------------------------------------------------------------------

bool mr_update_is_stored(const mr_value *value) {
  const mr_op *op = value->def;
  return !op || op->kind == MR_OP_dynamic_update_slice ||
         (!mr_op_kind_is_elementwise(op->kind) && mr_op_table[op->kind].op_class != MR_OPS_MOVE);
}

// So many uses are looked at on the way through choices to where the array is stored.
enum { MOST_USES = 64 };

// What is chosen in some rows or a window, and zeros elsewhere, is added to what is used.
static bool adds_part(const mr_op *user, const mr_use *use) {
  const mr_op *added = user->kind == MR_OP_add ? operand(user, use == &user->operands[0])->def : NULL;
  switch (added ? added->kind : MR_OP_COUNT) {
  case MR_OP_select: return mr_is_splat_of(operand(added, 2), 0);
  case MR_OP_pad: return mr_is_splat_of(operand(added, 1), 0);
  case MR_OP_dynamic_update_slice:
  case MR_OP_scatter: return mr_is_splat_of(operand(added, 0), 0);
  default: return false;
  }
}

static bool is_stored_soon(const mr_value *value, uint32_t *left) {
  for (const mr_use *use = value->uses; use && *left; use = use->next) {
    const mr_op *user = use->user;
    bool updated = mr_op_num_updated(user) > 0;
    bool chosen = user->kind == MR_OP_select ? use != &user->operands[0] : adds_part(user, use);
    --*left;
    if (updated  ? use == &user->operands[0]
        : chosen ? is_stored_soon(&user->results[0], left)
                 : user->kind == MR_OP_return || user->kind == MR_OP_while) {
      return true;
    }
  }
  return false;
}

bool mr_update_wanted_stored(const mr_value *value) {
  uint32_t left = MOST_USES;
  return is_stored_soon(value, &left);
}

bool mr_update_wanted_once(const mr_value *value) {
  uint32_t wanted = 0;
  for (const mr_use *use = value->uses; use && wanted < 2; use = use->next) {
    wanted += use->user->kind != MR_OP_add || !mr_value_is_unused(&use->user->results[0]);
  }
  return wanted == 1;
}

bool mr_update_adds_in_any_order(const mr_type *type) {
  return !mr_dtype_is_float(type->dtype) || mr_dtype_bits(type->dtype) >= 32;
}

// ---- The order of a sum's terms ------------------------------------------------------------------------------------------

// Sums of more terms are left as they are.
enum { MOST_TERMS = 32 };

typedef struct terms {
  mr_value *values[MOST_TERMS];  // as they are written, from the left
  mr_op *adds[MOST_TERMS];       // that add them up, the last one first
  uint32_t count, num_adds;
  uint32_t windows;  // bit i: the value i is a window among zeros
} terms;

// The addition beside `op` that alone adds to its result; NULL: there is none.
static mr_op *next_of_sum(const mr_op *op) {
  mr_op *user = mr_value_has_one_use(&op->results[0]) ? op->results[0].uses->user : NULL;
  return user && user->kind == MR_OP_add && user->block == op->block ? user : NULL;
}

// The last addition of the sum that `op` adds for; NULL: there are too many.
static mr_op *last_of_sum(mr_op *op) {
  uint32_t left = MOST_TERMS;
  for (mr_op *next; left && (next = next_of_sum(op)); left--) {
    op = next;
  }
  return left ? op : NULL;
}

static bool collect_terms(terms *t, mr_op *add) {
  if (t->num_adds == MOST_TERMS - 1) {
    return false;
  }
  t->adds[t->num_adds++] = add;
  for (uint32_t i = 0; i < 2; i++) {
    mr_value *value = operand(add, i);
    if (mr_is_sum_for_one(value, add->block)) {
      if (!collect_terms(t, value->def)) {
        return false;
      }
    } else {
      t->values[t->count++] = value;
    }
  }
  return true;
}

static bool is_among_zeros(const mr_value *value, const mr_block *block) {
  const mr_op *op = value->def;
  if (!op || op->block != block || !mr_update_wanted_once(value)) {
    return false;
  }
  switch (op->kind) {
  case MR_OP_pad: return mr_is_splat_of(operand(op, 1), 0);
  case MR_OP_dynamic_update_slice: return mr_is_splat_of(operand(op, 0), 0);
  case MR_OP_scatter: return op->num_operands == 3 && mr_is_splat_of(operand(op, 0), 0);
  default: return false;
  }
}

// Whether from the left come arrays, then windows, each added by itself.
static bool is_in_order(const terms *t) {
  uint32_t windows = t->windows;
  for (uint32_t i = 0; windows && i < t->num_adds; i++) {
    uint32_t last = t->count - 1 - i, bit = UINT32_C(1) << last;
    if (!(windows & bit) || operand(t->adds[i], 1) != t->values[last]) {
      return false;
    }
    windows ^= bit;
  }
  return true;
}

// Fills in which terms are windows.
static bool is_for_order(terms *t, const mr_op *last) {
  bool stored = false;
  for (uint32_t i = 0; i < t->count; i++) {
    bool window = is_among_zeros(t->values[i], last->block);
    t->windows |= (uint32_t)window << i;
    stored = stored || (!window && mr_update_is_stored(t->values[i]));
  }
  return stored && !is_in_order(t) && mr_update_wanted_stored(&last->results[0]);
}

static mr_value *leftmost(mr_value *value, const mr_block *block) {
  while (mr_is_sum_for_one(value, block)) {
    value = operand(value->def, 0);
  }
  return value;
}

// The additions but the last one are for nobody now: each is left with terms alone, so that none is one's only use.
static void take_apart(const terms *t) {
  for (uint32_t i = 1; i < t->num_adds; i++) {
    for (uint32_t k = 0; k < 2; k++) {
      mr_op *add = t->adds[i];
      mr_op_set_operand(add, k, leftmost(operand(add, k), add->block));
    }
  }
}

mr_value *mr_update_ordered_sum(mr_op *op, bool *out_waits) {
  const mr_type *type = &op->results[0].type;
  bool between = next_of_sum(op) != NULL;
  if (!mr_update_adds_in_any_order(type) || type->rank == 0 || type->dtype == MR_PRED ||
      (between && !is_among_zeros(operand(op, 0), op->block) && !is_among_zeros(operand(op, 1), op->block))) {
    return NULL;
  }
  terms t;
  t.count = t.num_adds = t.windows = 0;
  mr_op *last = last_of_sum(op);
  if (!last || !collect_terms(&t, last) || !is_for_order(&t, last)) {
    return NULL;
  }
  *out_waits = last != op;
  if (last != op) {
    return NULL;
  }
  mr_builder b = mr_builder_before(op);
  b.loc = op->loc;
  mr_value *sum = NULL;
  for (uint32_t turn = 0; turn < 2; turn++) {
    for (uint32_t i = 0; i < t.count; i++) {
      if ((t.windows >> i & 1) == turn) {
        sum = sum ? mr_build_binary(&b, MR_OP_add, sum, t.values[i]) : t.values[i];
      }
    }
  }
  take_apart(&t);
  return sum;
}
