// Updates of an array, dynamic_update_slice and scatter, where only part of what is written changes anything: a choice between an array
// and updates of it becomes updates that write what was there or nothing, a sum of an array and a window in zeros an update of
// the window. So a loop that carries the array touches what it changes and no more.
//
//   select(p, dynamic_update_slice(x, u, i), x)   dynamic_update_slice(x, select(p, u, dynamic_slice(x, i)), i)
//   select(p, scatter(x, i, u), x)                scatter(x, select(p, i, -1), u), as a window that is not inside is skipped
//   x + dynamic_update_slice(0, u, i)             dynamic_update_slice(x, dynamic_slice(x, i) + u, i)
//   x + pad(u, 0)                                 the same at a place that is known
//   select(p, 0, x) + dynamic_update_slice(select(p, x, 0), u, i)    dynamic_update_slice(x, the window of the choice + u, i)
//   the same with other terms between             the same, then the other terms
//   (dynamic_update_slice(0, u, i) + ..) + x        (x + dynamic_update_slice(0, u, i)) + ..: windows among zeros last
//   x + scatter(0, i, u), which adds              scatter(x, i, u)
//   of scatters of one window also, whatever the condition and where they store: update slices of a window that is there if it is inside
//   x + case(.., 0, dynamic_update_slice(0, ..))  case(.., x, x + dynamic_update_slice(0, ..))
//   x + a loop's sums of windows, from 0 on       the loop's sums from x on
//   select(iota == i, u, x)                       dynamic_update_slice(x, u's row i if there is one, i)
//   x + select(iota == i, u, 0)                   the same with the sum
//
// Of these the sums of several terms or of several windows at one place, and of a loop, may be rounded elsewhere than before.
#include "compiler/passes/update.h"

#include <string.h>

#include "compiler/ir/in_place.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/simplify.h"
#include "compiler/passes/tuning.h"

// So many updates of one array, one after the other, are looked at.
enum { MOST_UPDATES = 8 };

static mr_value *operand(const mr_op *op, uint32_t i) { return mr_op_operand(op, i); }

static bool is_static(const mr_op *op) {
  bool known = mr_type_is_static(&op->results[0].type);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    known = known && mr_type_is_static(&operand(op, i)->type);
  }
  return known;
}

// The op that makes `value` of another array by changing part of it, beside `user`.
static mr_op *update_before(const mr_op *user, const mr_value *value) {
  mr_op *op = value->def;
  return op && mr_op_num_updated(op) == 1 && op->block == user->block && is_static(op) ? op : NULL;
}

static void starts_of(const mr_op *update, mr_value **out_starts) {
  for (uint32_t d = 0; d < update->results[0].type.rank; d++) {
    out_starts[d] = operand(update, d + 2);
  }
}

// ---- Choices -----------------------------------------------------------------------------------------------------------

// Who is chosen: `updated` where `condition` is as said, what was there elsewhere.
typedef struct choice {
  mr_builder b;
  mr_value *condition;
  bool wanted;
} choice;

static mr_value *choose(choice *c, mr_value *condition, mr_value *updated, mr_value *kept) {
  return mr_build_select(&c->b, condition, c->wanted ? updated : kept, c->wanted ? kept : updated);
}

// Which operand of the op that makes the window is what was there, read for nothing else; -1: there is none. The op has another one.
static int own_slice(const mr_op *update) {
  const mr_op *window = operand(update, 1)->def;
  bool plain = window && window->num_operands == 2 && mr_op_kind_is_elementwise(window->kind);
  for (int i = 0; i < 2 && plain; i++) {
    const mr_value *was = operand(window, (uint32_t)i);
    if (was->def && mr_value_has_one_use(was) && mr_op_is_slice_written(was->def, update)) {
      return i;
    }
  }
  return -1;
}

// So many ops lie at the most on the way from what is read of a window to what is written there, and so many uses are looked at.
enum { MOST_BETWEEN = 4, MOST_LOOKS = 32 };

// Whether all that the value is wanted for is the window that the update writes, by elementwise ops.
static bool is_for_window_only(const mr_value *value, const mr_op *update, uint32_t depth, uint32_t *looks) {
  for (const mr_use *use = value->uses; use; use = use->next) {
    const mr_op *user = use->user;
    bool written = user == update && use == &update->operands[1];
    bool between = user->block == update->block && mr_op_kind_is_elementwise(user->kind) && user->num_operands <= 3;
    if (*looks == 0 || (!written && (!between || depth == 0))) {
      return false;
    }
    --*looks;
    if (!written && !is_for_window_only(&user->results[0], update, depth - 1, looks)) {
      return false;
    }
  }
  return true;
}

// Whether the update, and what it reads of what it writes over, are all that the value is wanted for.
static bool is_for_update_only(const mr_value *value, const mr_op *update) {
  uint32_t looks = MOST_LOOKS;
  for (const mr_use *use = value->uses; use; use = use->next) {
    bool updated = use == &update->operands[0];
    bool read = !updated && update->kind == MR_OP_dynamic_update_slice && mr_op_is_slice_written(use->user, update) &&
                is_for_window_only(&use->user->results[0], update, MOST_BETWEEN, &looks);
    if (!updated && !read) {
      return false;
    }
  }
  return true;
}

// `value`, of the update's window, where `kept` is what is read of the window.
static mr_value *of_kept(choice *c, const mr_op *update, mr_value *value, mr_value *kept, uint32_t depth) {
  const mr_op *op = value->def;
  if (op && mr_op_is_slice_written(op, update)) {
    return kept;
  }
  bool between =
      op && depth && op->block == update->block && mr_op_kind_is_elementwise(op->kind) && op->num_operands <= 3;
  mr_value *operands[3];
  bool same = true;
  for (uint32_t i = 0; between && i < op->num_operands; i++) {
    operands[i] = of_kept(c, update, operand(op, i), kept, depth - 1);
    same = same && operands[i] == operand(op, i);
    between = operands[i] != NULL;
  }
  if (!between || same) {
    return value;
  }
  return mr_build_like(&c->b, op, operands, &value->type);
}

static mr_value *slice_where(choice *c, const mr_op *update, mr_value *base) {
  mr_value *window = operand(update, 1), *starts[MR_MAX_RANK];
  starts_of(update, starts);
  mr_update_part part = mr_update_part_window(&base->type, window->type.dims, starts);
  mr_value *kept = mr_build_dynamic_slice(&c->b, base, starts, window->type.dims);
  if (kept && operand(update, 0) != base) {  // of what is the base now
    window = of_kept(c, update, window, kept, MOST_BETWEEN);
  }
  mr_value *chosen = choose(c, mr_update_part_of(&c->b, c->condition, &part), window, kept);
  return mr_build_dynamic_update_slice(&c->b, base, chosen, starts);
}

// Whether -1 in the type of the indices is beyond an array's dimension that they are for.
static bool has_place_outside(const mr_op *scatter) {
  mr_ints map = mr_op_ints(scatter, MR_ATTR_scatter_dims_to_operand_dims);
  mr_dtype dtype = operand(scatter, 1)->type.dtype;
  uint64_t most = UINT64_MAX >> (64 - mr_dtype_bits(dtype));
  return map.size > 0 && (mr_dtype_is_signed(dtype) || most >= (uint64_t)operand(scatter, 0)->type.dims[map.data[0]]);
}

// The condition for each window: it must be one for all that a window covers. NULL when it is not.
static mr_value *condition_of_windows(choice *c, const mr_op *scatter) {
  const mr_value *indices = operand(scatter, 1);
  mr_ints of_array = mr_op_ints(scatter, MR_ATTR_input_batching_dims);
  mr_ints of_indices = mr_op_ints(scatter, MR_ATTR_scatter_indices_batching_dims);
  mr_update_part part = {.rank = indices->type.rank, .dims = indices->type.dims};
  memset(part.place, -1, sizeof part.place);
  for (size_t i = 0; i < of_array.size; i++) {
    part.place[of_array.data[i]] = of_indices.data[i];
  }
  return mr_update_part_of(&c->b, c->condition, &part);
}

static mr_value *scatter_where(choice *c, const mr_op *scatter, mr_value *base) {
  mr_value *indices = operand(scatter, 1);
  mr_value *condition = has_place_outside(scatter) ? condition_of_windows(c, scatter) : NULL;
  if (!condition) {
    return mr_update_window_where(&c->b, scatter, base, c->condition, c->wanted);
  }
  mr_value *nowhere = mr_build_splat_int(&c->b, &indices->type, -1);
  mr_value *places = nowhere ? choose(c, condition, indices, nowhere) : NULL;
  mr_op *op = places ? mr_op_clone(&c->b, scatter, mr_value_map_create(c->b.module)) : NULL;
  if (!op) {
    return NULL;
  }
  mr_op_set_operand(op, 0, base);
  mr_op_set_operand(op, 1, places);
  if (condition->type.rank) {
    mr_op_set_int(c->b.module, op, MR_ATTR_indices_are_sorted, 0);
  }
  return mr_op_result(op, 0);
}

// `value`, then what it is an update of, and so on; those but the last are needed by nobody else.
static uint32_t collect(const mr_op *user, mr_value *value, mr_value **out_values) {
  uint32_t count = 0;
  out_values[count++] = value;
  const mr_op *by = NULL;
  for (mr_op *op; count <= MOST_UPDATES && (op = update_before(user, value)); by = op) {
    if (by ? !is_for_update_only(value, by) : !mr_value_has_one_use(value)) {
      break;
    }
    value = operand(op, 0);
    out_values[count++] = value;
  }
  return count;
}

// The updates that lead to values[0], the innermost last, each where it is wanted.
static mr_value *apply(choice *c, mr_value *const *values, uint32_t count, mr_value *base) {
  while (base && count) {
    const mr_op *update = values[--count]->def;
    base = update->kind == MR_OP_scatter ? scatter_where(c, update, base) : slice_where(c, update, base);
  }
  return base;
}

// A choice of two arrays that are the same but for updates.
static mr_value *choose_updates(mr_op *op) {
  mr_value *yes[MOST_UPDATES + 1], *no[MOST_UPDATES + 1];
  uint32_t num_yes = collect(op, operand(op, 1), yes), num_no = collect(op, operand(op, 2), no);
  for (uint32_t i = 0; i < num_yes; i++) {
    for (uint32_t k = 0; k < num_no; k++) {
      if (yes[i] == no[k] && i + k > 0) {
        choice c = {mr_builder_before(op), operand(op, 0), true};
        c.b.loc = op->loc;
        mr_value *value = apply(&c, yes, i, yes[i]);
        c.wanted = false;
        return apply(&c, no, k, value);
      }
    }
  }
  return NULL;
}

// ---- Sums ----------------------------------------------------------------------------------------------------------------

// `x` with, in the window, what `there` has and the window in one way or the other.
static mr_value *put_sum(mr_op *op, mr_value *x, mr_value *there, mr_value *window, mr_value *const *starts) {
  mr_builder b = mr_builder_before(op);
  mr_update_part part = mr_update_part_window(&x->type, window->type.dims, starts);
  mr_value *was = mr_update_part_of(&b, there, &part);
  return mr_build_dynamic_update_slice(&b, x, was ? mr_build_binary(&b, op->kind, was, window) : NULL, starts);
}

static mr_value *sum_with_slice(mr_op *op, mr_value *x, const mr_op *update) {
  mr_value *starts[MR_MAX_RANK];
  starts_of(update, starts);
  return mr_is_splat_of(operand(update, 0), 0) ? put_sum(op, x, x, operand(update, 1), starts) : NULL;
}

// The op is the sum of two parts of an array, of one of which a window was replaced.
static mr_value *put_in_whole(mr_op *op, mr_value *other, const mr_op *update) {
  mr_value *starts[MR_MAX_RANK], *whole = mr_sum_of_choices(other, operand(update, 0));
  mr_builder b = mr_builder_before(op);
  if (!whole || update->kind == MR_OP_scatter) {
    return whole ? mr_update_window_sum(&b, update, whole, other) : NULL;
  }
  starts_of(update, starts);
  return put_sum(op, whole, other, operand(update, 1), starts);
}

static const mr_op *window_in_part(const mr_op *op, const mr_value *part) {
  const mr_op *update = part->def;
  bool found = update && (update->kind == MR_OP_dynamic_update_slice || update->kind == MR_OP_scatter) &&
               update->block == op->block && mr_update_wanted_once(part) && is_static(update);
  return found ? update : NULL;
}

// Either may be the one of which a window was replaced.
static mr_value *sum_with_part(mr_op *op, mr_value *term, mr_value *part) {
  const mr_op *of_term = window_in_part(op, term), *of_part = window_in_part(op, part);
  mr_value *sum = of_part ? put_in_whole(op, term, of_part) : NULL;
  return sum || !of_term ? sum : put_in_whole(op, part, of_term);
}

// Of an array that comes in two parts, and of one of them a window was replaced: gradients of a choice whether a window is stored. What
// else is added comes between in any order.
static mr_value *sum_of_parts(mr_op *op, mr_value *x, mr_value *part) {
  bool wanted = op->kind == MR_OP_add && mr_type_is_static(&x->type) && mr_update_wanted_stored(&op->results[0]);
  return wanted ? mr_sum_with_term(op, x, part, sum_with_part) : NULL;
}

static mr_value *sum_with_pad(mr_op *op, mr_value *x, const mr_op *pad) {
  mr_ints low = mr_op_ints(pad, MR_ATTR_edge_padding_low), high = mr_op_ints(pad, MR_ATTR_edge_padding_high);
  if (!mr_is_splat_of(operand(pad, 1), 0) || !mr_are_zero(mr_op_ints(pad, MR_ATTR_interior_padding))) {
    return NULL;
  }
  mr_value *starts[MR_MAX_RANK];
  mr_builder b = mr_builder_before(op);
  mr_type scalar = mr_type_scalar(MR_S64);
  for (uint32_t d = 0; d < x->type.rank; d++) {
    if (low.data[d] < 0 || high.data[d] < 0) {
      return NULL;
    }
    starts[d] = mr_build_splat_int(&b, &scalar, low.data[d]);
  }
  return put_sum(op, x, x, operand(pad, 0), starts);
}

// Sums of several windows at one place are added to `x` one by one, which in types of few bits loses more than their sum would.
static bool sums_are_good(const mr_op *scatter) {
  const mr_type *type = &scatter->results[0].type, *indices = &operand(scatter, 1)->type;
  int64_t windows = mr_count_windows(indices, mr_op_int(scatter, MR_ATTR_index_vector_dim, 0));
  return mr_update_adds_in_any_order(type) || windows == 1 || mr_op_int(scatter, MR_ATTR_unique_indices, 0);
}

static mr_value *sum_with_scatter(mr_op *op, mr_value *x, const mr_op *scatter) {
  if (op->kind != MR_OP_add || !mr_is_splat_of(operand(scatter, 0), 0)) {
    return NULL;
  }
  mr_builder b = mr_builder_before(op);
  if (mr_scatter_stores(scatter)) {
    return mr_update_window_sum(&b, scatter, x, x);
  }
  if (mr_block_fold_kind(scatter->regions[0]) != MR_OP_add || !sums_are_good(scatter)) {
    return NULL;
  }
  mr_op *sum = mr_op_clone(&b, scatter, mr_value_map_create(b.module));
  if (!sum) {
    return NULL;
  }
  mr_op_set_operand(sum, 0, x);
  return mr_op_result(sum, 0);
}

// Whether `x` is there before `op`, which is in the block of who uses both.
static bool is_before(const mr_value *x, const mr_op *op, const mr_op *user) {
  for (const mr_op *between = op; between != user; between = between->next) {
    if (x->def == between) {
      return false;
    }
  }
  return true;
}

static mr_value *rewrite_sum(mr_op *op, mr_value *x, mr_value *part);
static mr_value *sum_with_row(mr_op *op, mr_value *x, const mr_op *made);

static bool is_little(const mr_op *branches, uint32_t result) {
  for (uint32_t r = 0; r < branches->num_regions; r++) {
    const mr_value *value = operand(mr_block_terminator(branches->regions[r]), result);
    const mr_op *made = value->def;
    bool window = made && value->block == branches->regions[r] &&
                  (made->kind == MR_OP_dynamic_update_slice || made->kind == MR_OP_scatter || made->kind == MR_OP_pad ||
                   made->kind == MR_OP_case);
    if (!window && !mr_is_splat_of(value, 0)) {
      return false;
    }
  }
  return true;
}

// Each branch adds what it has to add.
static mr_value *sum_with_branches(mr_op *op, mr_value *x, mr_value *part) {
  mr_op *branches = part->def;
  if (!is_before(x, branches, op) || !is_little(branches, part->index)) {
    return NULL;
  }
  for (uint32_t r = 0; r < branches->num_regions; r++) {
    mr_op *end = mr_block_terminator(branches->regions[r]);
    mr_value *given = operand(end, part->index), *sum = x;
    if (!mr_is_splat_of(given, 0)) {
      mr_builder b = mr_builder_before(end);
      sum = mr_build_binary(&b, op->kind, x, given);
      if (!sum) {
        return NULL;
      }
      mr_op_set_operand(end, part->index, sum);  // which is what the sum is wanted for
      (void)mr_replace(sum->def, rewrite_sum(sum->def, x, given));
      continue;
    }
    mr_op_set_operand(end, part->index, sum);
  }
  return part;
}

// What is `value` with something added to a window of it, where nothing else is made of it; NULL: there is no such. Where all of it is
// added to, its sum is left alone: it would be no quicker, and less exact where it is one of many small numbers.
static mr_value *sum_of(const mr_value *value) {
  mr_value *sum = NULL;
  for (const mr_use *use = value->uses; use; use = use->next) {
    mr_op *user = use->user;
    bool adds = user->kind == MR_OP_scatter && user->num_operands == 3 && use == &user->operands[0] &&
                mr_block_fold_kind(user->regions[0]) == MR_OP_add;
    if (user->block != value->block || (!adds && user->kind != MR_OP_dynamic_update_slice)) {
      continue;
    }
    sum = mr_op_result(user, 0);
  }
  if (!sum || sum->def->kind != MR_OP_dynamic_update_slice) {
    return sum && mr_value_has_one_use(value) ? sum : NULL;
  }
  const mr_op *window = operand(sum->def, 1)->def;
  bool adds = window && window->kind == MR_OP_add && operand(sum->def, 0) == value && own_slice(sum->def) >= 0 &&
              !value->uses->next->next;
  return adds ? sum : NULL;
}

// Whether all that rounds do with the slot is to add to windows of it.
static bool only_adds(const mr_op *loop, uint32_t slot) {
  const mr_value *value = loop->regions[1]->args[slot], *end = operand(mr_block_terminator(loop->regions[1]), slot);
  for (int i = 0; i < MOST_UPDATES && value && value != end; i++) {
    value = value->uses && (mr_value_has_one_use(value) || !value->uses->next->next) ? sum_of(value) : NULL;
  }
  return value == end && mr_value_has_one_use(end) && mr_value_is_unused(loop->regions[0]->args[slot]);
}

static mr_value *sum_with_loop(mr_op *op, mr_value *x, mr_value *part) {
  mr_op *loop = part->def;
  if (op->kind != MR_OP_add || !mr_update_adds_in_any_order(&x->type) || !is_before(x, loop, op) ||
      !mr_is_splat_of(operand(loop, part->index), 0) || !only_adds(loop, part->index)) {
    return NULL;
  }
  mr_op_set_operand(loop, part->index, x);
  return part;
}

// x + part, x - part: where there is nothing but a window in zeros to add, the rest stays as it is. (A -0 there stays -0, though -0 + 0
// is 0, as on XLA:CPU: the sign of a zero that is computed is not certain, docs/accuracy.md.)
static mr_value *rewrite_sum(mr_op *op, mr_value *x, mr_value *part) {
  const mr_op *made = part->def;
  mr_value *whole = sum_of_parts(op, x, part);
  if (whole) {
    return whole;
  }
  if (!made || made->block != op->block || !mr_update_wanted_once(part) || !mr_type_is_static(&x->type) ||
      !mr_update_is_stored(x) || x->type.dtype == MR_PRED || x->type.rank == 0) {
    return NULL;
  }
  if (made->kind == MR_OP_select) {
    return sum_with_row(op, x, made);
  }
  bool control = made->kind == MR_OP_case || made->kind == MR_OP_while;
  uint32_t of = made->kind == MR_OP_dynamic_update_slice ? 1 : made->kind == MR_OP_scatter ? 2 : 0;
  bool known = (is_static(made) && of) || control || made->kind == MR_OP_pad;
  bool little = known && (control || mr_type_count(&operand(made, of)->type) <= mr_type_count(&x->type) / 2);
  if (!little || !mr_update_wanted_stored(&op->results[0])) {
    return NULL;
  }
  switch (made->kind) {
  case MR_OP_case: return sum_with_branches(op, x, part);
  case MR_OP_while: return sum_with_loop(op, x, part);
  case MR_OP_dynamic_update_slice: return sum_with_slice(op, x, made);
  case MR_OP_scatter: return made->num_operands == 3 ? sum_with_scatter(op, x, made) : NULL;
  default: return sum_with_pad(op, x, made);
  }
}

// A window of a choice between an array that is stored and zeros is chosen itself: who updates the array then sees that no more is read.
static mr_value *rewrite_slice(mr_op *op) {
  mr_value *from = operand(op, 0);
  const mr_op *chosen = from->def;
  if (!chosen || chosen->kind != MR_OP_select || operand(chosen, 0)->type.rank ||
      mr_type_count(&op->results[0].type) > mr_type_count(&from->type) / 2) {
    return NULL;
  }
  for (uint32_t i = 1; i < 3; i++) {
    if (!mr_is_splat_of(operand(chosen, i), 0) && (!mr_update_is_stored(operand(chosen, i)) || !op->block->parent)) {
      return NULL;
    }
  }
  mr_builder b = mr_builder_before(op);
  mr_value *starts[MR_MAX_RANK];
  for (uint32_t d = 0; d < from->type.rank; d++) {
    starts[d] = operand(op, d + 1);
  }
  mr_update_part part = mr_update_part_window(&from->type, op->results[0].type.dims, starts);
  return mr_update_part_of(&b, from, &part);
}

// ---- Masks of one row ----------------------------------------------------------------------------------------------------

// Whether the array is there anyway, carried by a loop or what a branch is given, and wanted as a whole.
static bool is_worth_it(const mr_op *op, const mr_value *x) {
  return op->block->parent && mr_type_is_static(&x->type) && mr_type_bytes(&x->type) >= MR_PASS_ROW_BYTES &&
         !mr_value_constant(x) && mr_update_is_stored(x) && mr_update_wanted_stored(&op->results[0]);
}

static mr_value *rewrite_select(mr_op *op) {
  mr_value *value = choose_updates(op), *x = operand(op, 2);
  return value || !is_worth_it(op, x) ? value : mr_update_of_row(op, operand(op, 0), operand(op, 1), x, MR_OP_COUNT);
}

static mr_value *sum_with_row(mr_op *op, mr_value *x, const mr_op *made) {
  bool adds = mr_is_splat_of(operand(made, 2), 0) && is_worth_it(op, x);
  return adds ? mr_update_of_row(op, operand(made, 0), operand(made, 1), x, op->kind) : NULL;
}

// ---- The pass ------------------------------------------------------------------------------------------------------------

static mr_value *rewritten(mr_op *op) {
  switch (op->kind) {
  case MR_OP_select: return rewrite_select(op);
  case MR_OP_dynamic_slice: return rewrite_slice(op);
  case MR_OP_subtract: return rewrite_sum(op, operand(op, 0), operand(op, 1));
  case MR_OP_add: {
    bool waits = false;
    mr_value *value = mr_update_ordered_sum(op, &waits);
    value = value || waits ? value : rewrite_sum(op, operand(op, 0), operand(op, 1));
    return value || waits ? value : rewrite_sum(op, operand(op, 1), operand(op, 0));
  }
  default: return NULL;
  }
}

static mr_status rewrite(mr_op *op, bool *out_changed) {
  if (op->num_results == 1 && op->results[0].type.kind == MR_TYPE_TENSOR && mr_type_is_static(&op->results[0].type)) {
    *out_changed = mr_replace(op, rewritten(op));
  }
  return MR_OK;
}

mr_status mr_pass_update(mr_module *module) {
  static const mr_op_kind windows[] = {MR_OP_dynamic_update_slice, MR_OP_scatter, MR_OP_pad};
  bool masks = module->made[MR_OP_while] && module->made[MR_OP_select];  // of rows
  return masks || mr_made_any(module, windows, MR_ARRAY_SIZE(windows)) ? mr_sweep(module, rewrite) : MR_OK;
}
