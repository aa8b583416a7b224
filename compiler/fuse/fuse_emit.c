// Groups become fusion ops: the block is put in an order in which each is computed at once, then rewritten.
#include <string.h>

#include "compiler/fuse/fuse_internal.h"

// A unit is an op by itself or a group; numbers: ops first by position, then groups.
typedef struct edge {
  uint32_t to;
  struct edge *next;
} edge;

typedef struct unit {
  edge *out;
  uint32_t waiting;  // edges that come in from units not placed yet
  uint32_t key;      // position in the block that it would like
  bool exists;
} unit;

typedef struct emitter {
  fuser *f;
  unit *units;
  uint32_t num_units;
  uint32_t *heap, heap_size;  // ready units, smallest key first
} emitter;

static bool stays_alone(const mr_op *op) { return mr_fuse_info_of(op)->alone; }

// The unit that gives a value to others, UINT32_MAX for arguments and values from outside of the block.
static uint32_t source_of(const emitter *e, const mr_value *value) {
  const mr_op *def = value->def;
  if (!def || def->block != e->f->block) {
    return UINT32_MAX;
  }
  const fuse_info *info = mr_fuse_info_of(def);
  return info->home ? e->f->num_ops + info->home->number : def->order;
}

// All edges to one unit are added in turn, so a second one between two finds the first at the head of the list.
static void add_edge(emitter *e, uint32_t from, uint32_t to) {
  if (from == UINT32_MAX || from == to || (e->units[from].out && e->units[from].out->to == to)) {
    return;
  }
  edge *x = mr_arena_new(&e->f->arena, edge);
  if (!x) {
    e->f->failed = true;
    return;
  }
  x->to = to;
  x->next = e->units[from].out;
  e->units[from].out = x;
  e->units[to].waiting++;
}

static void add_operand_edges(emitter *e, const mr_op *op, uint32_t to, const fuse_group *g) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_value *value = mr_op_operand(op, i);
    if (g && value->def && value->def->block == e->f->block && mr_fuse_member_of(g, value->def)) {
      continue;
    }
    add_edge(e, source_of(e, value), to);
  }
  // What its regions capture.
  for (uint32_t r = 0; r < op->num_regions; r++) {
    for (mr_op *inner = mr_walk_first(op->regions[r]); inner; inner = mr_walk_next(inner, op->regions[r])) {
      for (uint32_t i = 0; i < inner->num_operands; i++) {
        add_edge(e, source_of(e, mr_op_operand(inner, i)), to);
      }
    }
  }
}

static uint32_t unit_of(const emitter *e, const mr_op *op) {
  const fuse_info *info = mr_fuse_info_of(op);
  return info->num_groups ? e->f->num_ops + info->groups[0]->number : op->order;
}

// Updates wait for who reads what was there.
static void add_later_edges(emitter *e, const mr_op *op, uint32_t from) {
  for (const fuse_later *l = mr_fuse_info_of(op)->later; l; l = l->next) {
    add_edge(e, from, unit_of(e, l->update));
  }
}

static void make_units(emitter *e) {
  fuser *f = e->f;
  uint32_t last_effect = UINT32_MAX;
  for (uint32_t i = 0; i < f->num_ops; i++) {
    if (!stays_alone(f->ops[i])) {
      continue;
    }
    e->units[i].exists = true;
    e->units[i].key = i;
    add_operand_edges(e, f->ops[i], i, NULL);
    add_later_edges(e, f->ops[i], i);
    if (!mr_fuse_has_effect(f->ops[i])) {
      continue;
    }
    add_edge(e, last_effect, i);
    last_effect = i;
  }
  for (uint32_t i = 0; i < f->num_groups; i++) {
    const fuse_group *g = f->groups[i];
    if (g->merged) {
      continue;
    }
    e->units[f->num_ops + i].exists = true;
    e->units[f->num_ops + i].key = g->root->order;
    for (uint32_t k = 0; k < g->num_members; k++) {
      add_operand_edges(e, g->members[k].op, f->num_ops + i, g);
      add_later_edges(e, g->members[k].op, f->num_ops + i);
    }
  }
}

static bool goes_before(const emitter *e, uint32_t a, uint32_t b) {
  return e->units[a].key != e->units[b].key ? e->units[a].key < e->units[b].key : a < b;
}

static void push(emitter *e, uint32_t number) {
  uint32_t i = e->heap_size++;
  for (; i > 0 && goes_before(e, number, e->heap[(i - 1) / 2]); i = (i - 1) / 2) {
    e->heap[i] = e->heap[(i - 1) / 2];
  }
  e->heap[i] = number;
}

static uint32_t pop(emitter *e) {
  uint32_t first = e->heap[0], last = e->heap[--e->heap_size], i = 0;
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= e->heap_size) {
      break;
    }
    if (child + 1 < e->heap_size && goes_before(e, e->heap[child + 1], e->heap[child])) {
      child++;
    }
    if (!goes_before(e, e->heap[child], last)) {
      break;
    }
    e->heap[i] = e->heap[child];
    i = child;
  }
  e->heap[i] = last;
  return first;
}

// ---- Rewriting ------------------------------------------------------------------------------------------------------------

static bool is_constant(const mr_value *value) {
  return value->def && value->def->kind == MR_OP_constant && mr_value_splat(value, (char[16]){0});
}

#define FEW_INPUTS 32

typedef struct inputs {
  mr_value **values;
  uint32_t count, capacity;
  uint32_t first_written;  // from here on: what the root scatter writes into
  mr_value_map *seen;      // of more than a few: each of them to NULL
  mr_op **constants;
  uint32_t num_constants, cap_constants;
} inputs;

// What a scatter writes into is an operand of its own, even when it is a constant or read elsewhere in the kernel.
static uint32_t num_written(const mr_op *op) { return op->kind == MR_OP_scatter ? op->num_results : 0; }

static void append_input(fuser *f, inputs *in, mr_value *value) {
  mr_value **values = mr_fuse_grow(f, in->values, in->count, &in->capacity, sizeof *values);
  if (!values) {
    return;
  }
  in->values = values;
  values[in->count++] = value;
}

static bool is_input(const inputs *in, mr_value *value) {
  if (in->seen) {
    return mr_value_map_get(in->seen, value) == NULL;
  }
  for (uint32_t i = 0; i < in->count; i++) {
    if (in->values[i] == value) {
      return true;
    }
  }
  return false;
}

static void add_input(fuser *f, inputs *in, const fuse_group *g, mr_value *value, const mr_block *inside) {
  mr_op *def = value->def;
  if (def && def->block == f->block && mr_fuse_member_of(g, def)) {
    return;
  }
  if (inside && mr_block_is_inside(value->block, inside)) {
    return;
  }
  if (is_constant(value)) {
    for (uint32_t i = 0; i < in->num_constants; i++) {
      if (in->constants[i] == def) {
        return;
      }
    }
    mr_op **constants = mr_fuse_grow(f, in->constants, in->num_constants, &in->cap_constants, sizeof *constants);
    if (!constants) {
      return;
    }
    in->constants = constants;
    constants[in->num_constants++] = def;
    return;
  }
  if (is_input(in, value)) {
    return;
  }
  append_input(f, in, value);
  if (in->count == FEW_INPUTS) {
    in->seen = mr_value_map_create(f->module);
  }
  for (uint32_t i = in->count == FEW_INPUTS ? 0 : in->count - 1; in->seen && i < in->count; i++) {
    mr_value_map_set(in->seen, in->values[i], NULL);
  }
}

static void find_inputs(fuser *f, const fuse_group *g, inputs *in) {
  for (uint32_t k = 0; k < g->num_members; k++) {
    mr_op *op = g->members[k].op;
    for (uint32_t i = num_written(op); i < op->num_operands; i++) {
      add_input(f, in, g, mr_op_operand(op, i), NULL);
    }
    for (uint32_t r = 0; r < op->num_regions; r++) {
      for (mr_op *inner = mr_walk_first(op->regions[r]); inner; inner = mr_walk_next(inner, op->regions[r])) {
        for (uint32_t i = 0; i < inner->num_operands; i++) {
          add_input(f, in, g, mr_op_operand(inner, i), op->regions[r]);
        }
      }
    }
  }
  in->first_written = in->count;
  for (uint32_t i = 0; i < num_written(g->root); i++) {
    append_input(f, in, mr_op_operand(g->root, i));
  }
}

static void sort_members(fuse_group *g) {
  for (uint32_t i = 1; i < g->num_members; i++) {
    fuse_member m = g->members[i];
    uint32_t k = i;
    for (; k > 0 && g->members[k - 1].op->order > m.op->order; k--) {
      g->members[k] = g->members[k - 1];
    }
    g->members[k] = m;
  }
}

static bool captures(const mr_op *op) {
  for (uint32_t r = 0; r < op->num_regions; r++) {
    for (mr_op *inner = mr_walk_first(op->regions[r]); inner; inner = mr_walk_next(inner, op->regions[r])) {
      for (uint32_t i = 0; i < inner->num_operands; i++) {
        if (!mr_block_is_inside(mr_op_operand(inner, i)->block, op->regions[r])) {
          return true;
        }
      }
    }
  }
  return false;
}

// A single op that needs nothing from a fusion around it.
static bool is_plain(const fuse_group *g, const inputs *in) {
  return g->num_members == 1 && in->num_constants == 0 && !captures(g->root) && g->num_outputs == g->root->num_results;
}

static mr_status emit_group(fuser *f, fuse_group *g, mr_builder *b, mr_op *end) {
  inputs in = {0};
  sort_members(g);
  find_inputs(f, g, &in);
  if (f->failed) {
    return MR_NO_MEMORY();
  }
  if (is_plain(g, &in)) {
    mr_op_move_before(g->root, end);
    mr_fuse_info_of(g->root)->alone = true;
    return MR_OK;
  }
  mr_type types[FUSE_MAX_OUTPUTS];
  for (uint32_t i = 0; i < g->num_outputs; i++) {
    types[i] = g->outputs[i]->type;
  }
  b->loc = g->root->loc;
  mr_op *fusion = mr_build(b, MR_OP_fusion, in.count, in.values, g->num_outputs, types, 1);
  mr_value_map *map = mr_value_map_create(f->module);
  if (!fusion || !map) {
    return MR_NO_MEMORY();
  }
  mr_block *body = fusion->regions[0];
  for (uint32_t i = 0; i < in.count; i++) {
    mr_value *arg = mr_block_add_arg(f->module, body, &in.values[i]->type);
    if (i < in.first_written) {
      mr_value_map_set(map, in.values[i], arg);
    }
  }
  mr_builder inner = mr_builder_at_end(body);
  for (uint32_t i = 0; i < in.num_constants; i++) {
    mr_op_clone(&inner, in.constants[i], map);
  }
  for (uint32_t i = 0; i < g->num_members; i++) {
    mr_op *copy = mr_op_clone(&inner, g->members[i].op, map);
    for (uint32_t k = 0; copy && k < num_written(copy); k++) {
      mr_op_set_operand(copy, k, body->args[in.first_written + k]);
    }
  }
  mr_value *results[FUSE_MAX_OUTPUTS];
  for (uint32_t i = 0; i < g->num_outputs; i++) {
    results[i] = mr_value_map_get(map, g->outputs[i]);
  }
  mr_build(&inner, MR_OP_return, g->num_outputs, results, 0, NULL, 0);
  MR_TRY(mr_module_memory(f->module));
  for (uint32_t i = 0; i < g->num_outputs; i++) {
    mr_value_replace_all_uses(g->outputs[i], mr_op_result(fusion, i));
  }
  return MR_OK;
}

static mr_status emit_all(emitter *e) {
  fuser *f = e->f;
  mr_op *end = mr_block_terminator(f->block);
  if (!end) {
    return MR_OK;
  }
  mr_builder b = mr_builder_before(end);
  uint32_t left = 0, end_unit = end->order;
  for (uint32_t i = 0; i < e->num_units; i++) {
    left += e->units[i].exists;
    if (e->units[i].exists && e->units[i].waiting == 0) {
      push(e, i);
    }
  }
  while (e->heap_size) {
    uint32_t number = pop(e);
    left--;
    if (number < f->num_ops) {
      if (number != end_unit) {
        mr_op_move_before(f->ops[number], end);
      }
    } else {
      MR_TRY(emit_group(f, f->groups[number - f->num_ops], &b, end));
    }
    for (edge *x = e->units[number].out; x; x = x->next) {
      if (--e->units[x->to].waiting == 0) {
        push(e, x->to);
      }
    }
  }
  return left ? mr_error(MR_INTERNAL, "fusion made a cycle of %u units", left) : MR_OK;
}

mr_status mr_fuse_emit(fuser *f) {
  emitter e = {.f = f, .num_units = f->num_ops + f->num_groups};
  e.units = mr_arena_array(&f->arena, unit, e.num_units + 1);
  e.heap = mr_arena_array(&f->arena, uint32_t, e.num_units + 1);
  if (!e.units || !e.heap) {
    return MR_NO_MEMORY();
  }
  make_units(&e);
  if (f->failed) {
    return MR_NO_MEMORY();
  }
  MR_TRY(emit_all(&e));
  for (uint32_t i = f->num_ops; i-- > 0;) {
    mr_op *op = f->ops[i];
    bool unused = true;
    for (uint32_t k = 0; k < op->num_results; k++) {
      unused = unused && mr_value_is_unused(&op->results[k]);
    }
    bool gone = !mr_fuse_info_of(op)->alone || op->kind == MR_OP_constant;
    if (gone && unused) {
      mr_op_erase(op);
    }
  }
  return MR_OK;
}
