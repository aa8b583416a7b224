// Arrays that are updated in place: who reads what was there comes before the update, where it does not wait for it. Else the
// update would need a copy of the whole array.
//
// Ops that read such an array behind its update are moved in front of it, and from then on lead to it as if it used what they give:
// so neither do groups form that would have to come on both sides of it, nor are they put behind it.
#include "compiler/fuse/fuse_internal.h"
#include "compiler/fuse/tuning.h"
#include "compiler/ir/in_place.h"

// How many operands, from the first on, the op gives back updated; a loop those that it carries.
static uint32_t num_updated(const mr_op *op) {
  return op->kind == MR_OP_while ? op->num_results : mr_op_num_updated(op);
}

static bool is_donated(const mr_function *f, const mr_value *parameter) {
  const mr_attr *said = f->arg_attrs ? f->arg_attrs[parameter->index] : NULL;
  return mr_dict_find(said, "tf.aliasing_output") || mr_dict_find(said, "jax.buffer_donor");
}

// Whether a copy would cost something, and the array may be written where it is.
static bool is_worth_it(const mr_value *x) {
  if (x->type.kind != MR_TYPE_TENSOR || mr_type_bytes(&x->type) < MR_FUSE_UPDATED_BYTES ||
      (x->def && x->def->kind == MR_OP_constant)) {
    return false;
  }
  return x->def || x->block->parent || is_donated(x->block->function, x);
}

// The op of the block that `op` is or lies in; NULL: it is elsewhere.
static mr_op *in_block(const mr_block *block, mr_op *op) {
  while (op && op->block != block) {
    op = op->block->parent;
  }
  return op;
}

// What is given is little beside the array, so that it is no loss to keep it.
static bool gives_little(const mr_op *reader, const mr_value *x) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < reader->num_results; i++) {
    bytes += mr_type_bytes(&reader->results[i].type);
  }
  return reader->num_results && bytes <= mr_type_bytes(&x->type) / 2;
}

// ---- In front of the update ----------------------------------------------------------------------------------------------

// op->side while ops are moved: what waits for the update, and what is moved.
static char waits, moves;

typedef bool (*visit)(const mr_op *update, const mr_value *value);

// Whether one of the values that the op uses, in its regions too, is such a one.
static bool any_used(const mr_op *update, mr_op *op, visit is) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (is(update, mr_op_operand(op, i))) {
      return true;
    }
  }
  for (uint32_t r = 0; r < op->num_regions; r++) {
    for (mr_op *inner = mr_walk_first(op->regions[r]); inner; inner = mr_walk_next(inner, op->regions[r])) {
      for (uint32_t i = 0; i < inner->num_operands; i++) {
        if (is(update, mr_op_operand(inner, i))) {
          return true;
        }
      }
    }
  }
  return false;
}

static bool is_late(const mr_op *update, const mr_value *value) {
  return value->def && value->def->block == update->block && value->def->side == &waits;
}

// Marks what makes the value behind the update to be moved; never true.
static bool is_wanted(const mr_op *update, const mr_value *value) {
  if (value->def && value->def->block == update->block && value->def->order > update->order) {
    value->def->side = &moves;
  }
  return false;
}

// The last op behind the update that reads `x`; NULL: none does.
static mr_op *last_reader(const mr_op *update, const mr_value *x) {
  mr_op *last = NULL;
  uint32_t left = MR_FUSE_UPDATED_USES;
  for (const mr_use *use = x->uses; use; use = use->next) {
    mr_op *reader = in_block(update->block, use->user);
    if (left-- == 0) {
      return NULL;
    }
    last = reader && reader->order > MR_MAX(update->order, last ? last->order : 0) ? reader : last;
  }
  return last;
}

static bool reads(const mr_op *op, const mr_value *x) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (mr_op_operand(op, i) == x) {
      return true;
    }
  }
  return false;
}

// True: something was moved, and positions are no longer right.
static bool move_readers(mr_op *update, const mr_value *x) {
  mr_op *last = last_reader(update, x), *after = update->next;
  if (!last || last->order - update->order > MR_FUSE_UPDATED_DISTANCE) {
    return false;
  }
  update->side = &waits;
  for (mr_op *op = after; op != last->next; op = op->next) {
    op->side = any_used(update, op, is_late) ? &waits : NULL;
  }
  mr_op *end = last->next;
  bool moved = false;
  for (mr_op *op = last; op != update; op = op->prev) {
    bool reader = !op->side && op->num_regions == 0 && reads(op, x) && gives_little(op, x);
    if (reader || op->side == &moves) {
      op->side = &moves;
      moved = moved || reader;
      (void)any_used(update, op, is_wanted);
    }
  }
  for (mr_op *op = after, *next; op != end; op = next) {
    next = op->next;
    // What acts keeps its place, and with it what needs that.
    if (op->side == &moves && (mr_fuse_has_effect(op) || any_used(update, op, is_late))) {
      op->side = &waits;
    }
    if (op->side == &moves) {
      op->side = NULL;
      mr_op_move_before(op, update);
    }
  }
  for (mr_op *op = update; op != end; op = op->next) {
    op->side = NULL;
  }
  return moved;
}

// Whether there may be anything to do: a program without updates is not walked once more for them.
static bool may_update(const mr_module *module) { return mr_module_may_update(module) || module->made[MR_OP_while]; }

void mr_fuse_readers_first(mr_block *block) {
  if (!may_update(block->function->module)) {
    return;
  }
  mr_block_number(block);
  uint32_t moves_left = MR_FUSE_UPDATED_MOVES;
  for (mr_op *op = block->first; op; op = op->next) {
    for (uint32_t i = 0; i < num_updated(op) && moves_left; i++) {
      const mr_value *x = mr_op_operand(op, i);
      if (is_worth_it(x) && move_readers(op, x)) {
        mr_block_number(block);
        moves_left--;
      }
    }
  }
}

// ---- While groups form -------------------------------------------------------------------------------------------------------

static void add_later(fuser *f, const mr_op *reader, const mr_op *update) {
  fuse_info *info = mr_fuse_info_of(reader);
  for (const fuse_later *l = info->later; l; l = l->next) {
    if (l->update == update) {
      return;
    }
  }
  fuse_later *l = mr_arena_new(&f->arena, fuse_later);
  if (!l) {
    f->failed = true;
    return;
  }
  *l = (fuse_later){update, info->later};
  info->later = l;
}

// A stencil in place: what is written is computed element by element from several windows of the array. None of them can be read while
// it is written, so each would be kept; what they become is less, so that is what is kept.
static void note_stencil(fuser *f, const mr_op *update) {
  mr_op *made = mr_op_operand(update, 1)->def, *seen[MR_FUSE_UPDATED_USES];
  if (update->kind != MR_OP_dynamic_update_slice || !made || made->block != f->block) {
    return;
  }
  uint32_t num_seen = 0;
  size_t windows = 0;
  seen[num_seen++] = made;
  for (uint32_t i = 0; i < num_seen; i++) {
    const mr_op *op = seen[i];
    if (mr_fuse_info_of(op)->op_class != FUSE_CHEAP) {
      continue;
    }
    if (reads(op, mr_op_operand(update, 0)) && !mr_op_is_slice_written(op, update)) {
      windows += mr_type_bytes(&op->results[0].type);
      continue;
    }
    for (uint32_t k = 0; k < op->num_operands; k++) {
      mr_op *def = mr_op_operand(op, k)->def;
      bool known = !def || def->block != f->block;
      for (uint32_t s = 0; s < num_seen && !known; s++) {
        known = seen[s] == def;
      }
      if (!known && num_seen < MR_ARRAY_SIZE(seen)) {
        seen[num_seen++] = def;
      }
    }
  }
  if (windows > mr_type_bytes(&made->results[0].type)) {
    mr_fuse_info_of(made)->kept_for = update;
  }
}

void mr_fuse_note_updates(fuser *f) {
  for (mr_op *op = may_update(f->module) ? f->block->first : NULL; op; op = op->next) {
    if (num_updated(op) && is_worth_it(mr_op_operand(op, 0))) {
      note_stencil(f, op);
    }
    for (uint32_t i = 0; i < num_updated(op); i++) {
      const mr_value *x = mr_op_operand(op, i);
      uint32_t left = MR_FUSE_UPDATED_USES;
      for (const mr_use *use = is_worth_it(x) ? x->uses : NULL; use && left; use = use->next, left--) {
        const mr_op *reader = in_block(f->block, use->user);
        if (reader && reader->order < op->order && gives_little(reader, x)) {
          add_later(f, reader, op);
        }
      }
    }
  }
}
