// interpreter.run_parallel, which StableHLO's own tests use: several processes in one program. Each process's function is
// copied into the caller, all of them in step: a process goes on until an op that needs others, and when all of its group
// have come to it the collective becomes arithmetic between their values.
#include <string.h>

#include "compiler/passes/rewrite.h"
#include "tools/interpreter/interpreter.h"

enum { MOST_PROCESSES = 64 };

typedef struct process {
  const mr_function *function;
  const mr_op *at;
  mr_value_map *map;
  int64_t replica, partition;
} process;

typedef struct message {
  int64_t channel;
  const mr_op *send;
  process *sender;
  struct message *next;
} message;

typedef struct run {
  mr_op *op;
  mr_module *module;
  mr_builder b;
  process *processes;
  size_t count;
  int64_t replicas, partitions;
  message *messages;
  const mr_attr *infeed;
  size_t infed;
} run;

// The processes that a collective joins, in order, and the place of each in its row of the attribute.
typedef struct group {
  process *members[MOST_PROCESSES];
  size_t count;
} group;

static mr_value *value_at(const process *p, uint32_t operand) {
  return mr_value_map_get(p->map, p->at->operands[operand].value);
}

static bool needs_others(const mr_op *op) {
  return (mr_op_table[op->kind].op_class == MR_OPS_COLLECTIVE && op->kind != MR_OP_partition_id &&
          op->kind != MR_OP_replica_id) ||
         op->kind == MR_OP_recv;
}

static bool is_parallel(const mr_op *op) {
  return op->kind == MR_OP_custom_call && mr_str_is(mr_op_string(op, MR_ATTR_call_target_name), RUN_PARALLEL);
}

static bool hides_others(const mr_op *op) {
  for (uint32_t r = 0; r < op->num_regions; r++) {
    for (mr_op *inner = mr_walk_first(op->regions[r]); inner; inner = mr_walk_next(inner, op->regions[r])) {
      if (mr_op_table[inner->kind].op_class == MR_OPS_COLLECTIVE || inner->kind == MR_OP_recv) {
        return true;
      }
    }
  }
  return op->kind == MR_OP_call || op->kind == MR_OP_composite || is_parallel(op);
}

// ---- Groups --------------------------------------------------------------------------------------------------------

typedef enum strategy { REPLICAS, PARTITIONS, BOTH, FLAT } strategy;

static strategy strategy_of(const mr_op *op) {
  bool channel = mr_op_int(op, MR_ATTR_channel_id, 0) > 0;
  const mr_attr *global = mr_op_attr(op, MR_ATTR_use_global_device_ids);
  if (!channel) {
    return REPLICAS;
  }
  switch (op->kind) {
  case MR_OP_all_gather:
  case MR_OP_all_reduce:
  case MR_OP_reduce_scatter: return global && global->kind == MR_ATTR_INT && global->integer ? FLAT : BOTH;
  default: return PARTITIONS;
  }
}

static process *find(const run *r, int64_t replica, int64_t partition) {
  bool there = replica >= 0 && replica < r->replicas && partition >= 0 && partition < r->partitions;
  return there ? &r->processes[replica * r->partitions + partition] : NULL;
}

static void join(group *g, process *p) {
  if (p && g->count < MOST_PROCESSES) {
    g->members[g->count++] = p;
  }
}

// The process named by id `id` of an attribute, for a process that stands elsewhere on the other axis.
static process *named(const run *r, strategy s, const process *p, int64_t id) {
  switch (s) {
  case REPLICAS: return find(r, id, p->partition);
  case PARTITIONS: return find(r, p->replica, id);
  case BOTH:
  case FLAT: break;
  }
  return id >= 0 && id < (int64_t)r->count ? &r->processes[id] : NULL;
}

static void fill_row(const run *r, strategy s, const process *p, const int64_t *ids, size_t count, group *out) {
  out->count = 0;
  for (int64_t partition = 0; partition < (s == BOTH ? r->partitions : 1); partition++) {
    for (size_t i = 0; i < count; i++) {
      join(out, s == BOTH ? find(r, ids[i], partition) : named(r, s, p, ids[i]));
    }
  }
}

static bool holds(const group *g, const process *p, size_t *out_place) {
  for (size_t i = 0; i < g->count; i++) {
    if (g->members[i] == p) {
      *out_place = i;
      return true;
    }
  }
  return false;
}

// The group of `p`; empty when it is in none.
static void group_of(const run *r, const process *p, group *out) {
  const mr_attr *groups = mr_op_attr(p->at, MR_ATTR_replica_groups);
  strategy s = strategy_of(p->at);
  size_t rows = groups && groups->kind == MR_ATTR_INTS && groups->rows > 0 ? (size_t)groups->rows : 0, place;
  for (size_t row = 0; row < rows; row++) {
    size_t columns = groups->ints.size / rows;
    fill_row(r, s, p, groups->ints.data + row * columns, columns, out);
    if (holds(out, p, &place)) {
      return;
    }
  }
  out->count = 0;
}

// Everybody along the axis that a permutation works on.
static void axis_of(const run *r, const process *p, group *out) {
  strategy s = strategy_of(p->at);
  out->count = 0;
  for (int64_t i = 0; i < (s == REPLICAS ? r->replicas : r->partitions); i++) {
    join(out, named(r, s, p, i));
  }
}

static bool all_wait(const group *g, const mr_op *op) {
  for (size_t i = 0; i < g->count; i++) {
    const mr_op *other = g->members[i]->at;
    if (other->kind != op->kind || other->num_operands != op->num_operands ||
        mr_op_int(other, MR_ATTR_channel_id, 0) != mr_op_int(op, MR_ATTR_channel_id, 0)) {
      return false;
    }
  }
  return true;
}

// ---- Values --------------------------------------------------------------------------------------------------------

static mr_value *zeros(run *r, const mr_type *type) { return mr_build_splat_int(&r->b, type, 0); }

// The region of the collective on every pair of elements.
static mr_value *combine(run *r, const mr_op *op, mr_value *x, mr_value *y) {
  const mr_block *region = op->regions[0];
  int64_t dims[MR_MAX_RANK];
  mr_dtype dtype = region->args[0]->type.dtype;
  x = mr_build_convert(&r->b, x, dtype);
  y = mr_build_convert(&r->b, y, dtype);
  if (!x || !y) {
    return NULL;
  }
  for (uint32_t d = 0; d < x->type.rank; d++) {
    dims[d] = d;
  }
  mr_op *map = mr_build(&r->b, MR_OP_map, 2, (mr_value *[]){x, y}, 1, &x->type, 1);
  mr_value_map *values = mr_value_map_create(r->module);
  if (!map || !values) {
    return NULL;
  }
  mr_op_set_ints(r->module, map, MR_ATTR_dimensions, (mr_ints){dims, x->type.rank});
  for (uint32_t i = 0; i < 2; i++) {
    mr_value_map_set(values, region->args[i], mr_block_add_arg(r->module, map->regions[0], &region->args[i]->type));
  }
  mr_builder inner = mr_builder_at_end(map->regions[0]);
  if (!mr_block_clone_into(&inner, region, values)) {
    return NULL;
  }
  mr_value *result = mr_value_map_get(values, mr_block_terminator(region)->operands[0].value);
  mr_build_return(&inner, 1, &result);
  return &map->results[0];
}

static mr_value *fold(run *r, const group *g, uint32_t operand) {
  const mr_op *op = g->members[0]->at;
  mr_value *all = mr_build_convert(&r->b, value_at(g->members[0], operand), op->regions[0]->args[0]->type.dtype);
  for (size_t i = 1; i < g->count; i++) {
    all = combine(r, op, all, value_at(g->members[i], operand));
  }
  return all;
}

static mr_value *piece(run *r, mr_value *x, int64_t dim, size_t which, size_t of) {
  int64_t size = x ? x->type.dims[dim] / (int64_t)of : 0;
  return x ? mr_build_slice_dim(&r->b, x, (uint32_t)dim, (int64_t)which * size, ((int64_t)which + 1) * size) : NULL;
}

// The member that operand `operand` comes from or goes to: the first, or as the last operand says.
static mr_value *is_root(run *r, const group *g, uint32_t operand, size_t place) {
  const process *p = g->members[0];
  mr_type truth = mr_type_scalar(MR_PRED);
  if (!mr_op_int(p->at, MR_ATTR_has_dynamic_root, 0)) {
    return mr_build_splat_int(&r->b, &truth, place == 0);
  }
  mr_value *roots = value_at(p, p->at->num_operands - 1);
  mr_value *one = mr_build_slice_dim(&r->b, roots, 0, operand, operand + 1);
  mr_value *root = one ? mr_build_reshape(&r->b, one, 0, NULL) : NULL;
  return root ? mr_build_compare(&r->b, 0, 0, root, mr_build_splat_int(&r->b, &root->type, (int64_t)place)) : NULL;
}

static mr_value *from_root(run *r, const group *g, uint32_t operand) {
  mr_value *value = value_at(g->members[0], operand);
  for (size_t i = 1; i < g->count; i++) {
    value = mr_build_select(&r->b, is_root(r, g, operand, i), value_at(g->members[i], operand), value);
  }
  return value;
}

static mr_value *permuted(run *r, const process *p, const mr_type *type) {
  mr_ints pairs = mr_op_ints(p->at, MR_ATTR_source_target_pairs);
  strategy s = strategy_of(p->at);
  for (size_t i = 0; i + 1 < pairs.size; i += 2) {
    if (named(r, s, p, pairs.data[i + 1]) == p) {
      const process *source = named(r, s, p, pairs.data[i]);
      return source ? value_at(source, 0) : zeros(r, type);
    }
  }
  return zeros(r, type);
}

// Result `i` of the collective at one member.
static mr_value *result_at(run *r, const group *g, size_t place, uint32_t i) {
  const process *p = g->members[place];
  const mr_op *op = p->at;
  const mr_type *type = &op->results[i].type;
  mr_value *parts[MOST_PROCESSES];
  switch (op->kind) {
  case MR_OP_all_reduce: return fold(r, g, i);
  case MR_OP_reduce_scatter:
    return piece(r, fold(r, g, i), mr_op_int(op, MR_ATTR_scatter_dimension, 0), place, g->count);
  case MR_OP_all_gather:
    for (size_t k = 0; k < g->count; k++) {
      parts[k] = value_at(g->members[k], i);
    }
    return mr_build_concatenate(&r->b, (uint32_t)g->count, parts, mr_op_int(op, MR_ATTR_all_gather_dim, 0));
  case MR_OP_all_to_all:
    for (size_t k = 0; k < g->count; k++) {
      parts[k] = piece(r, value_at(g->members[k], i), mr_op_int(op, MR_ATTR_split_dimension, 0), place, g->count);
    }
    return mr_build_concatenate(&r->b, (uint32_t)g->count, parts, mr_op_int(op, MR_ATTR_concat_dimension, 0));
  case MR_OP_collective_broadcast: return from_root(r, g, i);
  case MR_OP_collective_reduce: {
    mr_value *all = fold(r, g, i);
    return all ? mr_build_select(&r->b, is_root(r, g, i, place), all, zeros(r, &all->type)) : NULL;
  }
  default: return permuted(r, p, type);
  }
}

// ---- Going on ------------------------------------------------------------------------------------------------------

static mr_status give(run *r, process *p, const mr_op *op, uint32_t result, mr_value *value) {
  MR_TRY(mr_module_memory(r->module));
  if (!value || !mr_type_compatible(&value->type, &op->results[result].type)) {
    return mr_unimplemented(op, "of this form between processes");
  }
  mr_value_map_set(p->map, &op->results[result], value);
  return MR_OK;
}

static mr_status collect(run *r, group *g, bool *out_done) {
  const mr_op *op = g->members[0]->at;
  if (!all_wait(g, op)) {
    return MR_OK;
  }
  for (size_t place = 0; place < g->count; place++) {
    process *p = g->members[place];
    for (uint32_t i = 0; i < p->at->num_results; i++) {
      MR_TRY(give(r, p, p->at, i, result_at(r, g, place, i)));
    }
  }
  for (size_t place = 0; place < g->count; place++) {  // all values are taken: now they may move
    g->members[place]->at = g->members[place]->at->next;
  }
  *out_done = true;
  return MR_OK;
}

static mr_status receive(run *r, process *p, bool *out_done) {
  const mr_op *op = p->at;
  for (message **at = &r->messages; *at; at = &(*at)->next) {
    message *m = *at;
    if (m->channel != mr_op_int(op, MR_ATTR_channel_id, 0)) {
      continue;
    }
    for (uint32_t i = 0; i < op->num_results; i++) {
      bool token = i + 1 == op->num_results;
      bool sent = token || i + 1 < m->send->num_operands;
      MR_TRY(give(r, p, op, i,
                  token  ? value_at(p, 0)
                  : sent ? mr_value_map_get(m->sender->map, m->send->operands[i].value)
                         : NULL));
    }
    *at = m->next;
    p->at = op->next;
    *out_done = true;
    return MR_OK;
  }
  return MR_OK;
}

static mr_status meet(run *r, process *p, bool *out_done) {
  const mr_op *op = p->at;
  if (op->kind == MR_OP_recv) {
    return receive(r, p, out_done);
  }
  group g;
  if (op->kind == MR_OP_collective_permute) {
    axis_of(r, p, &g);
  } else {
    group_of(r, p, &g);
  }
  if (g.count) {
    return collect(r, &g, out_done);
  }
  if (op->kind != MR_OP_collective_broadcast) {
    return mr_op_error(op, "process (%lld, %lld) is in no group", (long long)p->replica, (long long)p->partition);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    MR_TRY(give(r, p, op, i, zeros(r, &op->results[i].type)));
  }
  p->at = op->next;
  *out_done = true;
  return MR_OK;
}

static mr_status take_infeed(run *r, process *p, const mr_op *op) {
  const mr_attr *name = r->infeed && r->infed < r->infeed->count ? &r->infeed->items[r->infed++] : NULL;
  const mr_function *f = name && name->kind == MR_ATTR_STRING ? mr_module_find(r->module, name->string) : NULL;
  if (!f || f->is_declaration || f->body.num_args || f->num_results + 1 != op->num_results) {
    return mr_op_error(op, "there is nothing in the queue that gives these results");
  }
  mr_value_map *map = mr_value_map_create(r->module);
  if (!map || !mr_block_clone_into(&r->b, &f->body, map)) {
    return mr_module_memory(r->module);
  }
  const mr_op *end = mr_block_terminator(&f->body);
  for (uint32_t i = 0; i < f->num_results; i++) {
    MR_TRY(give(r, p, op, i, mr_value_map_get(map, end->operands[i].value)));
  }
  return give(r, p, op, f->num_results, value_at(p, 0));
}

// An op that needs nobody else.
static mr_status go_on(run *r, process *p) {
  const mr_op *op = p->at;
  switch (op->kind) {
  case MR_OP_replica_id: return give(r, p, op, 0, mr_build_splat_int(&r->b, &op->results[0].type, p->replica));
  case MR_OP_partition_id: return give(r, p, op, 0, mr_build_splat_int(&r->b, &op->results[0].type, p->partition));
  case MR_OP_outfeed: return give(r, p, op, 0, value_at(p, op->num_operands - 1));
  case MR_OP_infeed: return take_infeed(r, p, op);
  case MR_OP_send: {
    message *m = mr_arena_new(&r->module->arena, message), **last = &r->messages;
    if (!m) {
      return MR_NO_MEMORY();
    }
    while (*last) {
      last = &(*last)->next;
    }
    *m = (message){mr_op_int(op, MR_ATTR_channel_id, 0), op, p, NULL};
    *last = m;
    return give(r, p, op, 0, value_at(p, op->num_operands - 1));
  }
  default: break;
  }
  if (hides_others(op)) {
    return mr_unimplemented(op, "among processes");
  }
  mr_op *copy = mr_op_clone(&r->b, op, p->map);
  for (uint32_t i = 0; copy && i < op->num_results; i++) {
    mr_value_map_set(p->map, &op->results[i], &copy->results[i]);
  }
  return mr_module_memory(r->module);
}

static mr_status run_all(run *r) {
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t i = 0; i < r->count; i++) {
      process *p = &r->processes[i];
      while (p->at->kind != MR_OP_return && !needs_others(p->at)) {
        MR_TRY(go_on(r, p));
        p->at = p->at->next;
        moved = true;
      }
      if (p->at->kind != MR_OP_return) {
        MR_TRY(meet(r, p, &moved));
      }
    }
  }
  for (size_t i = 0; i < r->count; i++) {
    if (r->processes[i].at->kind != MR_OP_return) {
      return mr_op_error(r->processes[i].at, "processes wait for one another and none goes on");
    }
  }
  return MR_OK;
}

// ---- Setting up ----------------------------------------------------------------------------------------------------

static const mr_attr *row_of(const mr_attr *programs, size_t i) {
  bool list = programs && programs->kind == MR_ATTR_ARRAY && i < programs->count;
  return list && programs->items[i].kind == MR_ATTR_ARRAY ? &programs->items[i] : NULL;
}

static mr_status start_process(run *r, process *p, mr_str name, uint32_t *operand) {
  p->function = mr_module_find(r->module, name);
  if (!p->function || p->function->is_declaration) {
    return mr_op_error(r->op, "there is no function @%.*s", MR_STR_ARG(name));
  }
  p->map = mr_value_map_create(r->module);
  p->at = p->function->body.first;
  if (!p->map) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < p->function->body.num_args; i++, (*operand)++) {
    mr_value *arg = p->function->body.args[i];
    if (*operand >= r->op->num_operands || !mr_type_compatible(&arg->type, &r->op->operands[*operand].value->type)) {
      return mr_op_error(r->op, "operands are not those of its programs");
    }
    mr_value_map_set(p->map, arg, mr_op_operand(r->op, *operand));
  }
  return MR_OK;
}

static mr_status start_all(run *r) {
  const mr_attr *programs = mr_op_extra(r->op, "programs");
  const mr_attr *first = row_of(programs, 0);
  uint32_t operand = 0;
  if (!first || first->count == 0 || programs->count * first->count > MOST_PROCESSES) {
    return mr_op_error(r->op, "wants rows of programs, at most %d of them", MOST_PROCESSES);
  }
  r->replicas = (int64_t)programs->count;
  r->partitions = (int64_t)first->count;
  for (size_t i = 0; i < programs->count; i++) {
    const mr_attr *row = row_of(programs, i);
    for (size_t j = 0; row && row->count == first->count && j < row->count; j++) {
      process *p = &r->processes[r->count];
      p->replica = (int64_t)i;
      p->partition = (int64_t)j;
      MR_TRY(start_process(r, p, row->items[j].kind == MR_ATTR_STRING ? row->items[j].string : MR_STR("?"), &operand));
      r->count++;
    }
  }
  bool full = (int64_t)r->count == r->replicas * r->partitions && operand == r->op->num_operands;
  return full ? MR_OK : mr_op_error(r->op, "rows of programs differ, or operands are too many");
}

static mr_status take_results(run *r) {
  uint32_t result = 0;
  for (size_t i = 0; i < r->count; i++) {
    const mr_op *end = r->processes[i].at;
    for (uint32_t k = 0; k < end->num_operands; k++, result++) {
      mr_value *value = value_at(&r->processes[i], k);
      if (result >= r->op->num_results || !mr_type_compatible(&value->type, &r->op->results[result].type)) {
        return mr_op_error(r->op, "results are not those of its programs");
      }
      mr_value_replace_all_uses(&r->op->results[result], value);
    }
  }
  if (result != r->op->num_results) {
    return mr_op_error(r->op, "has %u results, its programs %u", r->op->num_results, result);
  }
  mr_op_erase(r->op);
  return MR_OK;
}

static mr_status run_in_step(mr_op *op) {
  process processes[MOST_PROCESSES] = {{0}};
  run r = {.op = op, .module = mr_op_module(op), .b = mr_builder_before(op), .processes = processes};
  r.infeed = mr_op_extra(op, "infeed");
  if (r.infeed && r.infeed->kind != MR_ATTR_ARRAY) {
    return mr_op_error(op, "infeed is not a list of functions");
  }
  MR_TRY(start_all(&r));
  MR_TRY(run_all(&r));
  return take_results(&r);
}

mr_status interpreter_run_processes(mr_module *module) {
  for (mr_function *f = module->functions; f; f = f->next) {
    for (mr_op *op = mr_walk_first(&f->body), *next; op; op = next) {
      next = mr_walk_next(op, &f->body);
      if (is_parallel(op)) {
        MR_TRY(run_in_step(op));
      }
    }
  }
  return MR_OK;
}
