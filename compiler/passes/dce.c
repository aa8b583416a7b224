// Dead code: ops without effect whose results nobody needs, values that a loop carries only for themselves, branch
// results nobody needs.
//
// Need spreads backwards from effects through operands. The worklist holds values, each at most once; a loop's slot is
// one value for this purpose (its result stands for the arguments of both regions, too). Linear, no recursion.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

#include <string.h>

typedef struct marker {
  mr_value **work;  // as long as there are values
  size_t count;
  bool *live;      // by value id
  uint32_t slots;  // the most results that a while or case has
  size_t num_slotted;
} marker;

// The value that stands for `value`: a loop's result for its slot.
static mr_value *representative(mr_value *value) {
  mr_op *owner = value->def ? NULL : value->block->parent;
  return owner && owner->kind == MR_OP_while ? &owner->results[value->index] : value;
}

static void need_value(marker *m, mr_value *value) {
  value = representative(value);
  if (!m->live[value->id]) {
    m->live[value->id] = true;
    m->work[m->count++] = value;
  }
}

static void need_terminator(marker *m, const mr_block *block) {
  const mr_op *terminator = mr_block_terminator(block);
  for (uint32_t i = 0; i < terminator->num_operands; i++) {
    need_value(m, terminator->operands[i].value);
  }
}

// op->side is set for live ops. What holds a live op is live, as far up as it goes.
static void need_op(marker *m, mr_op *op) {
  while (op && !op->side) {
    op->side = op;
    if (op->kind == MR_OP_while) {
      need_terminator(m, op->regions[0]);
    } else {
      for (uint32_t i = 0; i < op->num_operands; i++) {
        need_value(m, op->operands[i].value);
      }
      for (uint32_t r = 0; op->kind != MR_OP_case && r < op->num_regions; r++) {
        need_terminator(m, op->regions[r]);
      }
    }
    op = op->block->parent;
  }
}

static void spread(marker *m, mr_value *value) {
  mr_op *op = value->def;
  if (!op) {
    need_op(m, value->block->parent);
    return;
  }
  need_op(m, op);
  if (op->kind == MR_OP_while) {
    need_value(m, op->operands[value->index].value);
    need_value(m, mr_block_terminator(op->regions[1])->operands[value->index].value);
  } else if (op->kind == MR_OP_case) {
    for (uint32_t r = 0; r < op->num_regions; r++) {
      need_value(m, mr_block_terminator(op->regions[r])->operands[value->index].value);
    }
  }
}

static void mark(marker *m, mr_function *entry) {
  // A root is marked with what holds it, which the walk has seen before.
  for (mr_op *op = mr_walk_first(&entry->body); op; op = mr_walk_next(op, &entry->body)) {
    op->side = NULL;
    bool nested = op->kind == MR_OP_while || op->kind == MR_OP_case;  // an effect inside marks what holds it
    if (nested) {
      m->slots = MR_MAX(m->slots, op->num_results);
      m->num_slotted++;
    }
    bool root = op->kind == MR_OP_return ? !op->block->parent : !nested && mr_pass_sees_effect(op);
    if (root) {
      need_op(m, op);
    }
  }
  while (m->count) {
    spread(m, m->work[--m->count]);
  }
}

// ---- Sweeping ------------------------------------------------------------------------------------------------------

static bool all_live(const marker *m, const mr_op *op) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (!m->live[op->results[i].id]) {
      return false;
    }
  }
  return true;
}

static bool rebuild_terminator(mr_block *block, const bool *keep, mr_value **scratch) {
  mr_op *old = mr_block_terminator(block);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < old->num_operands; i++) {
    if (keep[i]) {
      scratch[kept++] = mr_op_operand(old, i);
    }
  }
  mr_builder b = mr_builder_before(old);
  mr_op *terminator = mr_build(&b, MR_OP_return, kept, scratch, 0, NULL, 0);
  if (!terminator) {
    return false;
  }
  terminator->name = old->name;
  terminator->side = terminator;
  mr_op_erase(old);
  return true;
}

typedef struct slots {
  bool *keep;
  mr_value **values;
  mr_type *types;
} slots;

static void find_kept(const marker *m, const mr_op *op, bool *keep) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    keep[i] = m->live[op->results[i].id];
  }
}

// Its regions no longer return what is dead.
static bool narrow_returns(const marker *m, mr_op *op, slots s) {
  find_kept(m, op, s.keep);
  for (uint32_t r = op->kind == MR_OP_while ? 1 : 0; r < op->num_regions; r++) {
    if (!rebuild_terminator(op->regions[r], s.keep, s.values)) {
      return false;
    }
  }
  return true;
}

// The op without its dead results, which nothing uses any more; of a while also without the operands and arguments that belong to
// them.
static mr_op *narrow(const marker *m, mr_op *op, slots s) {
  bool loop = op->kind == MR_OP_while;
  mr_module *module = mr_op_module(op);
  uint32_t kept = 0;
  find_kept(m, op, s.keep);
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (s.keep[i]) {
      s.values[kept] = loop ? mr_op_operand(op, i) : NULL;
      s.types[kept++] = op->results[i].type;
    }
  }
  mr_value *index = loop ? NULL : mr_op_operand(op, 0);
  mr_builder b = mr_builder_before(op);
  mr_op *narrowed = mr_build(&b, op->kind, loop ? kept : 1, loop ? s.values : &index, kept, s.types, op->num_regions);
  if (!narrowed) {
    return NULL;
  }
  mr_op_copy_attrs(module, narrowed, op);
  narrowed->name = op->name;
  narrowed->side = narrowed;
  mr_op_take_regions(narrowed, op);
  for (uint32_t i = 0, j = 0; i < op->num_results; i++) {
    if (s.keep[i]) {
      mr_value_replace_all_uses(&op->results[i], &narrowed->results[j++]);
    }
  }
  for (uint32_t r = 0; loop && r < 2; r++) {
    mr_block_filter_args(narrowed->regions[r], s.keep);
  }
  mr_op_erase(op);
  return narrowed;
}

// Dead ops let go of everything first, so that they can disappear in any order; likewise returns inside dead ops, while those of
// live ops are rebuilt where something is dead. Tells whether there are dead ops.
static bool let_go(mr_function *entry) {
  bool any = false;
  for (mr_op *op = mr_walk_first(&entry->body); op; op = mr_walk_next(op, &entry->body)) {
    const mr_op *holder = op->block->parent;
    bool is_return = op->kind == MR_OP_return;
    if (is_return ? holder && !holder->side : !op->side) {
      mr_op_drop_operands(op);
      any = true;
    }
  }
  return any;
}

// A slot of an outer loop may be there for a slot of an inner one only: what goes in as well as what comes back. So all returns go
// first, and then the loops, inner ones first.
static mr_status narrow_all(const marker *m, mr_function *entry) {
  slots s = {mr_alloc(m->slots * sizeof *s.keep), mr_alloc(m->slots * sizeof *s.values),
             mr_alloc(m->slots * sizeof *s.types)};
  mr_op **found = mr_alloc((m->num_slotted + 1) * sizeof *found);
  mr_status status = s.keep && s.values && s.types && found ? MR_OK : MR_NO_MEMORY();
  size_t count = 0;
  for (mr_op *op = mr_walk_first(&entry->body); !status && op; op = mr_walk_next(op, &entry->body)) {
    bool slotted = op->kind == MR_OP_while || op->kind == MR_OP_case;
    if (op->side && slotted && !all_live(m, op)) {
      found[count++] = op;
    }
  }
  for (size_t i = 0; !status && i < count; i++) {
    status = narrow_returns(m, found[i], s) ? MR_OK : MR_NO_MEMORY();
  }
  while (!status && count) {
    status = narrow(m, found[--count], s) ? MR_OK : mr_module_memory(entry->module);
  }
  mr_free(s.keep);
  mr_free(s.values);
  mr_free(s.types);
  mr_free(found);
  return status;
}

static void erase_dead(mr_function *entry) {
  mr_op *op = mr_walk_first(&entry->body);
  while (op) {
    if (op->side || op->kind == MR_OP_return) {
      op = mr_walk_next(op, &entry->body);
      continue;
    }
    mr_op *next = mr_walk_skip(op, &entry->body);
    mr_op_erase(op);
    op = next;
  }
}

// Walks over a large program cost what it takes to fetch it: none is made for nothing.
static mr_status sweep(const marker *m, mr_function *entry) {
  bool any_dead = let_go(entry);
  if (m->slots) {
    MR_TRY(narrow_all(m, entry));
  }
  if (any_dead) {
    erase_dead(entry);
  }
  return MR_OK;
}

// ---- Programs without ----------------------------------------------------------------------------------------------

// Whether a slot of the loop is used behind it or by its condition. What its body alone uses may be there for itself.
static bool uses_slot(const mr_op *loop, uint32_t slot) {
  return !mr_value_is_unused(&loop->results[slot]) || !mr_value_is_unused(loop->regions[0]->args[slot]);
}

static bool is_used_up(const mr_op *op) {
  uint32_t used = 0, wanted = 0;
  for (uint32_t i = 0; i < op->num_results; i++) {
    used += !mr_value_is_unused(&op->results[i]);
    wanted += op->kind == MR_OP_while && uses_slot(op, i);
  }
  switch (op->kind) {
  case MR_OP_return: return true;
  case MR_OP_while: return used && wanted == op->num_results;
  case MR_OP_case: return used && used == op->num_results;
  default: return used || mr_pass_sees_effect(op);
  }
}

// Of each op something is used, of loops and branches everything. Then nothing is dead: uses lead on, to what the function returns or to
// an effect, and never in a circle but through loops, whose slots are used otherwise. One walk says so of most programs.
static bool is_all_used(const mr_function *entry) {
  for (const mr_op *op = mr_walk_first(&entry->body); op; op = mr_walk_next(op, &entry->body)) {
    if (!is_used_up(op)) {
      return false;
    }
  }
  return true;
}

mr_status mr_pass_dce(mr_module *module) {
  mr_function *entry = mr_module_entry(module);
  if (is_all_used(entry)) {
    return MR_OK;
  }
  mr_function_number(entry);
  marker m = {.work = mr_alloc((entry->num_values + 1) * sizeof *m.work),
              .live = mr_alloc_zeroed(entry->num_values + 1, sizeof *m.live)};
  mr_status status = m.work && m.live ? MR_OK : MR_NO_MEMORY();
  if (!status) {
    mark(&m, entry);
    status = sweep(&m, entry);
  }
  mr_free(m.work);
  mr_free(m.live);
  return status;
}
