// Manual computations, and the edges over which what enters and leaves regions shares shardings.
#include <string.h>

#include "compiler/passes/passes.h"
#include "compiler/shard/import_internal.h"

#define MOST_AXES 256

// ---- Manual computations ----------------------------------------------------------------------------------------------------

static mr_status make_numbers(mr_module *module, uint32_t count, mr_op_numbers *out) {
  uint32_t places = 2;
  while (places / 2 < count) {
    places *= 2;
  }
  out->mask = places - 1;
  out->places = mr_arena_array(&module->arena, mr_op_number, places);
  return out->places ? MR_OK : MR_NO_MEMORY();
}

// Ops that follow one another lie near one another, and so do their places: eight of each 8 KiB are in a row. Of a table that is larger than
// the caches, places anywhere are a wait for memory each.
static mr_op_number *place_of(const mr_op_numbers *numbers, const mr_op *op) {
  uintptr_t kilobyte = (uintptr_t)op / 1024, near = kilobyte / 8;
  uint32_t at = (uint32_t)(mr_hash64(&near, sizeof near, 0) + kilobyte % 8) & numbers->mask;
  while (numbers->places[at].op && numbers->places[at].op != op) {
    at = (at + 1) & numbers->mask;
  }
  return &numbers->places[at];
}

static void add_number(mr_op_numbers *numbers, const mr_op *op, uint32_t number) {
  mr_op_number *place = place_of(numbers, op);
  if (!place->op) {
    *place = (mr_op_number){op, number};
  }
}

// False when the op is not among them.
static bool number_of(const mr_op_numbers *numbers, const mr_op *op, uint32_t *out) {
  const mr_op_number *place = numbers->places ? place_of(numbers, op) : NULL;
  *out = place ? place->number : 0;
  return place && place->op;
}

mr_status mr_import_number_manuals(mr_import *import) {
  MR_TRY(make_numbers(import->module, import->num_manuals, &import->manual_of));
  for (uint32_t i = 0; i < import->num_manuals; i++) {
    add_number(&import->manual_of, import->manuals[i].op, i);
  }
  return MR_OK;
}

mr_manual *mr_import_manual(const mr_import *import, const mr_op *op) {
  uint32_t number;
  return op->kind == MR_OP_sdy_manual_computation && number_of(&import->manual_of, op, &number)
             ? &import->manuals[number]
             : NULL;
}

// Without the axes of `away`.
static bool remove_axes(mr_module *module, mr_axis_list list, mr_axis_list away, mr_axis_list *out) {
  mr_axis_ref kept[MOST_AXES];
  uint32_t count = 0;
  for (uint32_t i = 0; i < list.count; i++) {
    if (count < MOST_AXES && !mr_axis_list_overlaps(away, list.refs[i])) {
      kept[count++] = list.refs[i];
    }
  }
  *out = list;
  return count == list.count || mr_axis_list_make(module, count, kept, out);
}

static bool join_axes(mr_module *module, mr_axis_list first, mr_axis_list second, mr_axis_list *out) {
  mr_axis_ref joined[2 * MOST_AXES];
  memcpy(joined, first.refs ? first.refs : joined, first.count * sizeof *joined);
  memcpy(joined + first.count, second.refs ? second.refs : joined, second.count * sizeof *joined);
  return mr_axis_list_make(module, first.count + second.count, joined, out);
}

static const mr_sharding *make_inner(mr_module *module, const mr_manual *manual, const mr_sharding *outer) {
  mr_sharding *inner = mr_sharding_copy(module, outer);
  for (uint32_t i = 0; inner && i < inner->rank; i++) {
    if (!remove_axes(module, outer->dims[i].axes, manual->axes, &inner->dims[i].axes)) {
      return NULL;
    }
  }
  bool made = inner && remove_axes(module, outer->replicated, manual->axes, &inner->replicated) &&
              remove_axes(module, outer->unreduced, manual->axes, &inner->unreduced);
  return made ? inner : NULL;
}

// Where the view is kept, or is to be: many manual computations say the same.
static mr_manual_view *view_of(mr_import *import, const mr_manual *manual, const mr_sharding *declared,
                               const mr_sharding *given) {
  const void *key[] = {manual->axes.refs, declared, given};
  mr_manual_view *view = &import->views[mr_hash64(key, sizeof key, 0) % MR_ARRAY_SIZE(import->views)];
  if (view->axes != manual->axes.refs || view->declared != declared || view->given != given) {
    *view = (mr_manual_view){manual->axes.refs, declared, given, NULL};
  }
  return view;
}

const mr_sharding *mr_manual_inner(mr_import *import, const mr_manual *manual, const mr_sharding *outer) {
  if (!outer || !manual->mesh || !mr_mesh_equal(outer->mesh, manual->mesh)) {
    return outer;
  }
  mr_manual_view *view = view_of(import, manual, NULL, outer);
  view->seen = view->seen ? view->seen : make_inner(import->module, manual, outer);
  return view->seen;
}

// Those of `list` that are of the manual computation.
static bool keep_axes(mr_module *module, mr_axis_list list, mr_axis_list wanted, mr_axis_list *out) {
  mr_axis_ref kept[MOST_AXES];
  uint32_t count = 0;
  for (uint32_t i = 0; i < list.count && count < MOST_AXES; i++) {
    if (mr_axis_list_overlaps(wanted, list.refs[i])) {
      kept[count++] = list.refs[i];
    }
  }
  return mr_axis_list_make(module, count, kept, out);
}

static const mr_sharding *make_outer(mr_module *module, const mr_manual *manual, const mr_sharding *declared,
                                     const mr_sharding *inner) {
  mr_sharding *outer = mr_sharding_copy(module, inner);
  mr_axis_list own;
  for (uint32_t i = 0; outer && i < outer->rank; i++) {
    if (!keep_axes(module, declared->dims[i].axes, manual->axes, &own) ||
        !join_axes(module, own, inner->dims[i].axes, &outer->dims[i].axes)) {
      return NULL;
    }
  }
  bool made = outer && keep_axes(module, declared->replicated, manual->axes, &own) &&
              join_axes(module, own, inner->replicated, &outer->replicated) &&
              mr_axis_list_make_set(module, outer->replicated.count, outer->replicated.refs, &outer->replicated) &&
              keep_axes(module, declared->unreduced, manual->axes, &own) &&
              join_axes(module, own, inner->unreduced, &outer->unreduced);
  return made ? outer : NULL;
}

const mr_sharding *mr_manual_outer(mr_import *import, const mr_manual *manual, const mr_sharding *declared,
                                   const mr_sharding *inner) {
  if (!inner || !declared || inner->rank != declared->rank || !mr_mesh_equal(inner->mesh, declared->mesh)) {
    return declared;
  }
  mr_manual_view *view = view_of(import, manual, declared, inner);
  view->seen = view->seen ? view->seen : make_outer(import->module, manual, declared, inner);
  return view->seen;
}

// Manual axes that a value is not cut along are its replicated ones.
static mr_status complete(mr_module *module, const mr_manual *manual, const mr_sharding **sharding) {
  const mr_sharding *s = *sharding;
  mr_axis_ref refs[2 * MOST_AXES];
  uint32_t count = 0;
  if (!manual->mesh || !mr_mesh_equal(s->mesh, manual->mesh)) {
    return MR_OK;
  }
  for (uint32_t i = 0; i < manual->axes.count; i++) {
    bool used = mr_axis_list_overlaps(s->replicated, manual->axes.refs[i]) ||
                mr_axis_list_overlaps(s->unreduced, manual->axes.refs[i]);
    for (uint32_t d = 0; d < s->rank && !used; d++) {
      used = mr_axis_list_overlaps(s->dims[d].axes, manual->axes.refs[i]);
    }
    if (!used) {
      refs[count++] = manual->axes.refs[i];
    }
  }
  if (count == 0) {
    return MR_OK;
  }
  memcpy(refs + count, s->replicated.refs ? s->replicated.refs : refs, s->replicated.count * sizeof *refs);
  mr_sharding *more = mr_sharding_copy(module, s);
  if (!more || !mr_axis_list_make_set(module, count + s->replicated.count, refs, &more->replicated)) {
    return MR_NO_MEMORY();
  }
  *sharding = more;
  return MR_OK;
}

// The mesh that has all these axes: one that its shardings name, else any of the program's. NULL when none of the axes is one, all
// of them having one device.
static const mr_mesh *mesh_of(mr_import *import, const mr_manual *manual, const mr_str *names, uint32_t count) {
  const mr_op *op = manual->op;
  for (uint32_t i = 0; i < op->num_operands + op->num_results; i++) {
    const mr_sharding *s = i < op->num_operands ? manual->in[i] : manual->out[i - op->num_operands];
    for (uint32_t k = 0; k < count; k++) {
      if (mr_mesh_axis(s->mesh, names[k]) >= 0) {
        return s->mesh;
      }
    }
  }
  const mr_mesh *best = NULL;
  uint32_t most = 0;
  for (size_t i = 0; import->module->meshes && i < import->module->meshes->count; i++) {
    const mr_mesh *mesh;
    mr_status status = mr_mesh_named(import->module, import->module->meshes->items[i].name, &mesh);
    if (status) {
      mr_status_free(status);
      continue;
    }
    uint32_t has = 0;
    for (uint32_t k = 0; k < count; k++) {
      has += mr_mesh_axis(mesh, names[k]) >= 0;
    }
    if (has > most) {
      most = has;
      best = mesh;
    }
  }
  return best;
}

static mr_status read_axes(mr_import *import, mr_manual *manual) {
  const mr_attr *attr = mr_op_attr(manual->op, MR_ATTR_manual_axes);
  const mr_str *names;
  uint32_t count;
  if (!attr || attr->kind != MR_ATTR_TEXT) {
    return mr_op_error(manual->op, "has no manual axes");
  }
  MR_TRY(mr_sharding_parse_names(import->module, attr->string, &count, &names));
  manual->mesh = mesh_of(import, manual, names, count);
  mr_axis_ref refs[MOST_AXES];
  uint32_t found = 0;
  for (uint32_t i = 0; i < count && manual->mesh; i++) {
    int axis = mr_mesh_axis(manual->mesh, names[i]);
    if (axis >= 0) {
      refs[found++] = (mr_axis_ref){(uint16_t)axis, 1, manual->mesh->axes[axis].size};
    }
  }
  if (!mr_axis_list_make_set(import->module, found, refs, &manual->axes)) {
    return MR_NO_MEMORY();
  }
  return MR_OK;
}

// The nearest manual computation around it was read before.
static mr_status find_outer(mr_import *import, mr_manual *manual) {
  mr_axis_ref refs[2 * MOST_AXES];
  uint32_t found = manual->axes.count;
  manual->outer = manual->axes;
  for (const mr_op *op = manual->op->block->parent; op; op = op->block->parent) {
    const mr_manual *around = mr_import_manual(import, op);
    if (around && around != manual && mr_mesh_equal(around->mesh, manual->mesh)) {
      memcpy(refs, manual->axes.refs ? manual->axes.refs : refs, found * sizeof *refs);
      memcpy(refs + found, around->outer.refs ? around->outer.refs : refs, around->outer.count * sizeof *refs);
      return mr_axis_list_make_set(import->module, found + around->outer.count, refs, &manual->outer) ? MR_OK
                                                                                                      : MR_NO_MEMORY();
    }
  }
  return MR_OK;
}

static mr_status read_words(mr_import *import, mr_manual *manual) {
  const mr_op *op = manual->op;
  const mr_attr *in = mr_op_attr(op, MR_ATTR_in_shardings), *out = mr_op_attr(op, MR_ATTR_out_shardings);
  if (!in || in->kind != MR_ATTR_TEXT || !out || out->kind != MR_ATTR_TEXT) {
    return mr_op_error(op, "has no shardings");
  }
  MR_TRY(mr_sharding_parse_per_value(import->module, in->string, op->num_operands, &manual->in));
  MR_TRY(mr_sharding_parse_per_value(import->module, out->string, op->num_results, &manual->out));
  MR_TRY(read_axes(import, manual));
  for (uint32_t i = 0; i < op->num_operands; i++) {
    MR_TRY(complete(import->module, manual, &manual->in[i]));
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    MR_TRY(complete(import->module, manual, &manual->out[i]));
  }
  return MR_OK;
}

static bool is_same_text(const mr_op *a, const mr_op *b, mr_attr_key key) {
  const mr_attr *x = mr_op_attr(a, key), *y = mr_op_attr(b, key);
  return x && y && x->kind == MR_ATTR_TEXT && y->kind == MR_ATTR_TEXT && mr_str_equal(x->string, y->string);
}

static bool says_the_same(const mr_op *a, const mr_op *b) {
  return a->num_operands == b->num_operands && a->num_results == b->num_results &&
         is_same_text(a, b, MR_ATTR_in_shardings) && is_same_text(a, b, MR_ATTR_out_shardings) &&
         is_same_text(a, b, MR_ATTR_manual_axes);
}

// What one that says the same was read as. It may lose arguments later, so the lists are copied.
static mr_status take_words(mr_import *import, mr_manual *manual, const mr_manual *from) {
  const mr_op *op = manual->op;
  size_t each = sizeof(mr_sharding *);
  manual->in = mr_arena_copy(&import->module->arena, from->in, op->num_operands * each);
  manual->out = mr_arena_copy(&import->module->arena, from->out, op->num_results * each);
  manual->mesh = from->mesh;
  manual->axes = from->axes;
  return manual->in && manual->out ? MR_OK : MR_NO_MEMORY();
}

static mr_status check_ranks(const mr_import *import, const mr_manual *manual) {
  const mr_op *op = manual->op;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (op->operands[i].value->type.kind == MR_TYPE_TENSOR) {
      MR_TRY(mr_import_check(import, op, manual->in[i], &op->operands[i].value->type));
    }
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (op->results[i].type.kind == MR_TYPE_TENSOR) {
      MR_TRY(mr_import_check(import, op, manual->out[i], &op->results[i].type));
    }
  }
  return MR_OK;
}

static int64_t parts_of(const mr_manual *manual, const mr_sharding *sharding, uint32_t dim) {
  int64_t parts = 1;
  mr_axis_list list = sharding->dims[dim].axes;
  for (uint32_t i = 0; manual->mesh && mr_mesh_equal(sharding->mesh, manual->mesh) && i < list.count; i++) {
    parts *= mr_axis_list_overlaps(manual->axes, list.refs[i]) ? list.refs[i].size : 1;
  }
  return parts;
}

// Inside, a dimension is what one device along the manual axes has of it.
static mr_status check_types(const mr_manual *manual, const mr_sharding *sharding, const mr_type *outside,
                             const mr_type *inside) {
  for (uint32_t i = 0; outside->kind == MR_TYPE_TENSOR && i < outside->rank; i++) {
    if (outside->dims[i] != inside->dims[i] * parts_of(manual, sharding, i)) {
      char outer[128], inner[128];
      return mr_op_error(manual->op, "%s outside and %s inside, which its shardings do not say",
                         mr_type_text(outside, outer, sizeof outer), mr_type_text(inside, inner, sizeof inner));
    }
  }
  return MR_OK;
}

static mr_status read_manual(mr_import *import, mr_manual *manual) {
  mr_op *op = manual->op;
  mr_block *body = op->regions[0];
  const mr_op *end = mr_block_terminator(body);
  const mr_manual *last = manual > import->manuals ? manual - 1 : NULL;
  bool same = last && says_the_same(last->op, op);
  MR_TRY(same ? take_words(import, manual, last) : read_words(import, manual));
  MR_TRY(check_ranks(import, manual));
  MR_TRY(find_outer(import, manual));
  for (uint32_t i = 0; i < op->num_operands; i++) {
    MR_TRY(check_types(manual, manual->in[i], &op->operands[i].value->type, &body->args[i]->type));
    body->args[i]->sharding = mr_manual_inner(import, manual, manual->in[i]);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    MR_TRY(check_types(manual, manual->out[i], &op->results[i].type, &end->operands[i].value->type));
    op->results[i].sharding = manual->out[i];
  }
  return mr_module_memory(import->module);
}

// What its body does not use does not go in. Tells whether there was any.
static bool drop_unused(mr_module *module, mr_manual *manual) {
  mr_op *op = manual->op;
  mr_block *body = op->regions[0];
  bool *keep = mr_arena_array(&module->arena, bool, op->num_operands + 1);
  uint32_t kept = 0;
  if (!keep || body->num_args != op->num_operands) {
    module->out_of_memory |= !keep;
    return false;
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    keep[i] = !mr_value_is_unused(body->args[i]);
    if (keep[i]) {
      manual->in[kept++] = manual->in[i];
    }
  }
  if (kept == op->num_operands) {
    return false;
  }
  mr_op_filter_operands(op, keep);
  mr_block_filter_args(body, keep);
  return true;
}

// Manual computations that are dead are gone from the program.
static mr_status forget_dead(mr_import *import) {
  const mr_block *root = &import->function->body;
  for (uint32_t i = 0; i < import->num_manuals; i++) {
    import->manuals[i].op->side = NULL;
  }
  for (mr_op *op = mr_walk_first(root); op; op = mr_walk_next(op, root)) {
    op->side = op;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < import->num_manuals; i++) {
    if (import->manuals[i].op->side) {
      import->manuals[kept++] = import->manuals[i];
    }
  }
  import->num_manuals = kept;
  return mr_import_number_manuals(import);
}

// Inner ones first; what was there for those alone goes, and with it the use of others' arguments.
static mr_status drop_all_unused(mr_import *import) {
  bool any = true;
  while (any) {
    any = false;
    for (uint32_t i = import->num_manuals; i-- > 0;) {
      any |= drop_unused(import->module, &import->manuals[i]);
    }
    if (any) {
      MR_TRY(mr_pass_dce(import->module));
      MR_TRY(forget_dead(import));
    }
  }
  return mr_module_memory(import->module);
}

mr_status mr_import_manuals(mr_import *import) {
  const mr_block *root = &import->function->body;
  uint32_t count = 0;
  if (!import->module->made[MR_OP_sdy_manual_computation]) {
    return MR_OK;
  }
  for (mr_op *op = mr_walk_first(root); op; op = mr_walk_next(op, root)) {
    count += op->kind == MR_OP_sdy_manual_computation;
  }
  MR_TRY(make_numbers(import->module, count, &import->manual_of));
  import->manuals = mr_arena_array(&import->module->arena, mr_manual, MR_MAX(count, 1u));
  if (!import->manuals) {
    return MR_NO_MEMORY();
  }
  for (mr_op *op = mr_walk_first(root); op; op = mr_walk_next(op, root)) {
    if (op->kind == MR_OP_sdy_manual_computation) {
      add_number(&import->manual_of, op, import->num_manuals);
      mr_manual *manual = &import->manuals[import->num_manuals++];
      manual->op = op;
      MR_TRY(read_manual(import, manual));
    }
  }
  return drop_all_unused(import);
}

// ---- Edges ------------------------------------------------------------------------------------------------------------------

static uint32_t edges_of(const mr_op *op) {
  switch (op->kind) {
  case MR_OP_while:
  case MR_OP_case:
  case MR_OP_if:
  case MR_OP_optimization_barrier: return op->num_results;
  case MR_OP_sdy_manual_computation: return op->num_operands + op->num_results;
  default: return 0;
  }
}

static mr_value *ended_with(const mr_op *op, uint32_t region, uint32_t i) {
  return mr_op_operand(mr_block_terminator(op->regions[region]), i);
}

static mr_status fill(mr_import *import, mr_op *op, uint32_t port, mr_edge *edge) {
  uint32_t inputs = op->kind == MR_OP_sdy_manual_computation ? op->num_operands : 0;
  *edge = (mr_edge){.op = op};  // the place may have had one of a token, which is none
  edge->is_input = port < inputs;
  edge->port = edge->is_input ? port : port - inputs;
  edge->target = edge->is_input ? op->regions[0]->args[port] : &op->results[edge->port];
  edge->manual = mr_import_manual(import, op);
  edge->sources = mr_arena_array(&import->module->arena, mr_value *, MR_MAX(op->num_regions, 2u));
  edge->members = mr_arena_array(&import->module->arena, mr_value *, 2);
  if (!edge->sources || !edge->members) {
    return MR_NO_MEMORY();
  }
  if (op->kind == MR_OP_while) {
    edge->num_sources = edge->num_members = 2;
    edge->sources[0] = mr_op_operand(op, port);
    edge->sources[1] = ended_with(op, 1, port);
    edge->members[0] = op->regions[0]->args[port];
    edge->members[1] = op->regions[1]->args[port];
  } else if (edge->is_input || op->num_regions == 0) {
    edge->sources[edge->num_sources++] = mr_op_operand(op, port);
  } else {
    for (uint32_t r = 0; r < op->num_regions; r++) {
      edge->sources[edge->num_sources++] = ended_with(op, r, edge->port);
    }
  }
  return MR_OK;
}

mr_status mr_import_make_edges(mr_import *import) {
  const mr_block *root = &import->function->body;
  const bool *made = import->module->made;
  uint32_t count = 0;
  if (!made[MR_OP_while] && !made[MR_OP_case] && !made[MR_OP_if] && !made[MR_OP_optimization_barrier] &&
      !made[MR_OP_sdy_manual_computation]) {
    return MR_OK;
  }
  for (mr_op *op = mr_walk_first(root); op; op = mr_walk_next(op, root)) {
    count += edges_of(op);
  }
  MR_TRY(make_numbers(import->module, count, &import->edges_of));
  import->edges = mr_arena_array(&import->module->arena, mr_edge, MR_MAX(count, 1u));
  if (!import->edges) {
    return MR_NO_MEMORY();
  }
  for (mr_op *op = mr_walk_first(root); op; op = mr_walk_next(op, root)) {
    for (uint32_t i = 0, n = edges_of(op); i < n; i++) {
      mr_edge *edge = &import->edges[import->num_edges];
      MR_TRY(fill(import, op, i, edge));
      if (edge->target->type.kind == MR_TYPE_TENSOR) {
        add_number(&import->edges_of, op, import->num_edges++);
      }
    }
  }
  return MR_OK;
}

mr_edge *mr_import_edges(const mr_import *import, const mr_op *op) {
  uint32_t number;
  return edges_of(op) && number_of(&import->edges_of, op, &number) ? &import->edges[number] : NULL;
}
