// The module and its functions, blocks, ops and the chains of uses between them.
#include "compiler/ir/ir.h"

#include "collective/collective.h"
#include "compiler/ir/ahead.h"

#include <assert.h>
#include <string.h>

#include "ops/instructions.h"

// ---- Module and functions ------------------------------------------------------------------------------------------

mr_status mr_module_create(size_t limit, mr_module **out_module) {
  *out_module = NULL;
  mr_module *module = mr_alloc_zeroed(1, sizeof *module);
  if (!module) {
    return MR_NO_MEMORY();
  }
  mr_arena_init(&module->arena, limit);
  module->figures = &mr_figures_default;
  *out_module = module;
  return MR_OK;
}

void mr_module_add_made(mr_module *module, const mr_module *other) {
  for (size_t kind = 0; kind < MR_OP_COUNT; kind++) {
    module->made[kind] |= other->made[kind];
  }
  module->made_types |= other->made_types;
}

void mr_module_release(mr_module *module) {
  while (module) {
    mr_module *next = module->taken_in;
    for (size_t i = 0; i < MR_ARRAY_SIZE(module->groups); i++) {
      mr_groups_release(module->groups[i].groups);
    }
    mr_arena_deinit(&module->arena);
    mr_free(module);
    module = next;
  }
}

mr_status mr_module_memory(const mr_module *module) {
  if (!module->out_of_memory) {
    return MR_OK;
  }
  return mr_error(MR_RESOURCE_EXHAUSTED, "the program needs more than %zu bytes in the compiler (limit %zu)",
                  module->arena.used, module->arena.limit);
}

mr_status mr_module_end(const mr_module *module, mr_status take_status) {
  return module->out_of_memory ? mr_status_join(mr_module_memory(module), take_status) : take_status;
}

// Zeroed memory of the module; remembers a failure.
static void *take(mr_module *module, size_t count, size_t size) {
  size_t bytes;
  void *memory = NULL;
  if (!__builtin_mul_overflow(count, size, &bytes)) {
    memory = mr_arena_alloc(&module->arena, bytes ? bytes : 1);
  }
  module->out_of_memory |= !memory;
  return memory;
}

static mr_type *copy_types(mr_module *module, uint32_t count, const mr_type *types) {
  mr_type *copy = take(module, count, sizeof *copy);
  for (uint32_t i = 0; copy && i < count; i++) {
    copy[i] = mr_type_copy(module, &types[i]);
  }
  return copy;
}

// There are buckets: the module has had a function.
static mr_function **bucket_of(const mr_module *module, mr_str name) {
  return &module->buckets[mr_hash64(name.data, name.size, 0) & (module->num_buckets - 1)];
}

// At the end: the first of two with one name is the one found.
static void put_in_bucket(mr_module *module, mr_function *function) {
  mr_function **bucket = bucket_of(module, function->name);
  while (*bucket) {
    bucket = &(*bucket)->same_hash;
  }
  function->same_hash = NULL;
  *bucket = function;
}

// Twice the buckets, filled anew. What they were is left to the arena.
static bool rehash(mr_module *module) {
  uint32_t count = MR_MAX(2 * module->num_buckets, 64u);
  mr_function **buckets = take(module, count, sizeof(mr_function *));
  if (!buckets) {
    return false;
  }
  module->buckets = buckets;
  module->num_buckets = count;
  for (mr_function *f = module->functions; f; f = f->next) {
    put_in_bucket(module, f);
  }
  return true;
}

mr_function *mr_module_add_function(mr_module *module, mr_str name, bool is_public, uint32_t num_args,
                                    const mr_type *arg_types, uint32_t num_results, const mr_type *result_types) {
  mr_function *function = take(module, 1, sizeof *function);
  if (!function) {
    return NULL;
  }
  function->name = mr_arena_str(&module->arena, name);
  module->out_of_memory |= !function->name.data;
  function->is_public = is_public;
  function->module = module;
  function->body.function = function;
  function->num_results = num_results;
  function->result_types = copy_types(module, num_results, result_types);
  function->arg_attrs = take(module, num_args, sizeof *function->arg_attrs);
  function->result_attrs = take(module, num_results, sizeof *function->result_attrs);
  for (uint32_t i = 0; i < num_args; i++) {
    if (!mr_block_add_arg(module, &function->body, &arg_types[i])) {
      return NULL;
    }
  }
  if (module->out_of_memory) {
    return NULL;
  }
  *(module->last_function ? &module->last_function->next : &module->functions) = function;
  module->last_function = function;
  if (module->num_functions++ == module->num_buckets) {
    return rehash(module) ? function : NULL;
  }
  put_in_bucket(module, function);
  return function;
}

mr_function *mr_module_find(const mr_module *module, mr_str name) {
  for (mr_function *f = module->num_buckets ? *bucket_of(module, name) : NULL; f; f = f->same_hash) {
    if (mr_str_equal(f->name, name)) {
      return f;
    }
  }
  return NULL;
}

mr_status mr_function_name_arg(mr_function *function, uint32_t index, mr_str name) {
  mr_arena *arena = &function->module->arena;
  if (!name.size) {
    return MR_OK;
  }
  if (!function->arg_names) {
    function->arg_names = mr_arena_array(arena, mr_str, function->body.num_args);
    if (!function->arg_names) {
      return MR_NO_MEMORY();
    }
    memset(function->arg_names, 0, function->body.num_args * sizeof(mr_str));
  }
  function->arg_names[index] = mr_arena_str(arena, name);
  return function->arg_names[index].data ? MR_OK : MR_NO_MEMORY();
}

mr_function *mr_module_entry(const mr_module *module) {
  mr_function *main_function = mr_module_find(module, MR_STR("main"));
  if (main_function) {
    return main_function;
  }
  mr_function *only_public = NULL;
  size_t publics = 0;
  for (mr_function *f = module->functions; f; f = f->next) {
    if (f->is_public) {
      only_public = f;
      publics++;
    }
  }
  if (publics == 1) {
    return only_public;
  }
  return module->functions && !module->functions->next ? module->functions : NULL;
}

void mr_module_remove_function(mr_module *module, mr_function *function) {
  mr_function *previous = NULL;
  for (mr_function **at = &module->functions; *at; previous = *at, at = &(*at)->next) {
    if (*at == function) {
      *at = function->next;
      module->last_function = module->last_function == function ? previous : module->last_function;
      break;
    }
  }
  for (mr_function **at = bucket_of(module, function->name); *at; at = &(*at)->same_hash) {
    if (*at == function) {
      *at = function->same_hash;
      break;
    }
  }
}

// ---- Uses ----------------------------------------------------------------------------------------------------------

static void link_use(mr_use *use, mr_value *value) {
  use->value = value;
  use->next = value->uses;
  use->link = &value->uses;
  if (use->next) {
    use->next->link = &use->next;
  }
  value->uses = use;
}

static void unlink_use(mr_use *use) {
  if (!use->value) {
    return;
  }
  *use->link = use->next;
  if (use->next) {
    use->next->link = use->link;
  }
  use->value = NULL;
  use->next = NULL;
  use->link = NULL;
}

void mr_op_set_operand(mr_op *op, uint32_t index, mr_value *value) {
  mr_use *use = &op->operands[index];
  if (!value || use->value == value) {
    return;
  }
  unlink_use(use);
  link_use(use, value);
}

void mr_op_filter_operands(mr_op *op, const bool *keep) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (keep[i]) {
      mr_op_set_operand(op, kept++, op->operands[i].value);
    }
  }
  for (uint32_t i = kept; i < op->num_operands; i++) {
    unlink_use(&op->operands[i]);
  }
  op->num_operands = kept;
}

void mr_value_replace_all_uses(mr_value *from, mr_value *to) {
  if (!from || !to || from == to || !from->uses) {
    return;
  }
  mr_use *last = from->uses;
  for (mr_use *use = from->uses; use; use = use->next) {
    use->value = to;
    last = use;
  }
  last->next = to->uses;
  if (to->uses) {
    to->uses->link = &last->next;
  }
  to->uses = from->uses;
  to->uses->link = &to->uses;
  from->uses = NULL;
}

bool mr_value_has_one_use(const mr_value *value) { return value->uses && !value->uses->next; }

// ---- Blocks --------------------------------------------------------------------------------------------------------

mr_block *mr_block_create(mr_module *module, mr_op *parent, mr_function *function) {
  mr_block *block = take(module, 1, sizeof *block);
  if (block) {
    block->parent = parent;
    block->function = function;
  }
  return block;
}

mr_value *mr_block_add_arg(mr_module *module, mr_block *block, const mr_type *type) {
  uint32_t count = block->num_args;
  // The list doubles when the count is a power of two, so the count tells the capacity.
  if ((count & (count - 1)) == 0) {
    mr_value **args = take(module, count ? count * 2u : 1, sizeof *args);
    if (!args) {
      return NULL;
    }
    if (count) {
      memcpy(args, block->args, count * sizeof *args);
    }
    block->args = args;
  }
  mr_value *arg = take(module, 1, sizeof *arg);
  if (!arg) {
    return NULL;
  }
  arg->type = mr_type_copy(module, type);
  arg->block = block;
  arg->index = count;
  block->args[count] = arg;
  block->num_args++;
  return arg;
}

void mr_block_filter_args(mr_block *block, const bool *keep) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < block->num_args; i++) {
    mr_value *arg = block->args[i];
    if (keep[i]) {
      arg->index = kept;
      block->args[kept++] = arg;
    } else {
      assert(mr_value_is_unused(arg));
    }
  }
  block->num_args = kept;
}

mr_op *mr_block_terminator(const mr_block *block) {
  return block->last && block->last->kind == MR_OP_return ? block->last : NULL;
}

// In manual computations JAX puts constraints on the scalars of regions.
static const mr_value *through_constraints(const mr_value *value) {
  while (value->def && value->def->kind == MR_OP_sdy_sharding_constraint) {
    value = mr_op_operand(value->def, 0);
  }
  return value;
}

mr_op_kind mr_block_fold_kind(const mr_block *region) {
  const mr_op *end = mr_block_terminator(region);
  if (!end || end->num_operands != 1 || region->num_args != 2) {
    return MR_OP_COUNT;
  }
  const mr_op *op = through_constraints(mr_op_operand(end, 0))->def;
  if (!op || op->block != region || op->num_operands != 2) {
    return MR_OP_COUNT;
  }
  const mr_value *a = through_constraints(mr_op_operand(op, 0)), *b = through_constraints(mr_op_operand(op, 1));
  bool both = (a == region->args[0] && b == region->args[1]) || (a == region->args[1] && b == region->args[0]);
  // Of others the order matters, or the accumulator is no result of the op.
  return both && mr_op_is_join(op->kind) ? op->kind : MR_OP_COUNT;
}

static void link_op(mr_op *op, mr_block *block, mr_op *before) {
  op->block = block;
  op->next = before;
  op->prev = before ? before->prev : block->last;
  *(op->prev ? &op->prev->next : &block->first) = op;
  *(before ? &before->prev : &block->last) = op;
  for (uint32_t i = 0; i < op->num_results; i++) {
    op->results[i].block = block;
  }
}

static void unlink_op(mr_op *op) {
  mr_block *block = op->block;
  *(op->prev ? &op->prev->next : &block->first) = op->next;
  *(op->next ? &op->next->prev : &block->last) = op->prev;
  op->prev = op->next = NULL;
  op->block = NULL;
}

void mr_op_move_before(mr_op *op, mr_op *where) {
  if (op != where) {
    unlink_op(op);
    link_op(op, where->block, where);
  }
}

void mr_op_move_to_end(mr_op *op, mr_block *block) {
  unlink_op(op);
  link_op(op, block, NULL);
}

void mr_block_splice_before(mr_block *block, mr_op *where) {
  mr_op *terminator = mr_block_terminator(block);
  while (block->first && block->first != terminator) {
    mr_op_move_before(block->first, where);
  }
}

void mr_op_take_regions(mr_op *to, mr_op *from) {
  assert(to->num_regions == from->num_regions);
  for (uint32_t i = 0; i < to->num_regions; i++) {
    mr_block *block = from->regions[i];
    from->regions[i] = to->regions[i];
    from->regions[i]->parent = from;
    to->regions[i] = block;
    block->parent = to;
  }
}

// ---- Ops -----------------------------------------------------------------------------------------------------------

// The parts of an op share one allocation: the op, its results, its operands.
static mr_op *allocate_op(mr_module *module, uint32_t operands, uint32_t results, uint32_t regions) {
  size_t size = sizeof(mr_op) + results * sizeof(mr_value) + operands * sizeof(mr_use) + regions * sizeof(mr_block *);
  mr_op *op = take(module, 1, size);
  if (!op) {
    return NULL;
  }
  op->results = (mr_value *)(op + 1);
  op->operands = (mr_use *)(op->results + results);
  op->regions = (mr_block **)(op->operands + operands);
  op->num_results = results;
  op->num_operands = operands;
  op->num_regions = regions;
  return op;
}

mr_op *mr_build(mr_builder *builder, mr_op_kind kind, uint32_t num_operands, mr_value *const *operands,
                uint32_t num_results, const mr_type *result_types, uint32_t num_regions) {
  mr_module *module = builder->module;
  for (uint32_t i = 0; i < num_operands; i++) {
    if (!operands[i]) {
      return NULL;
    }
  }
  mr_op *op = allocate_op(module, num_operands, num_results, num_regions);
  if (!op) {
    return NULL;
  }
  op->kind = kind;
  module->made[kind] = true;
  op->loc = builder->loc;
  op->name = mr_str_of(mr_op_table[kind].spelling);
  for (uint32_t i = 0; i < num_regions; i++) {
    op->regions[i] = mr_block_create(module, op, builder->block->function);
    if (!op->regions[i]) {
      return NULL;
    }
    op->regions[i]->region = i;
  }
  for (uint32_t i = 0; i < num_results; i++) {
    op->results[i] = (mr_value){.type = mr_type_copy(module, &result_types[i]), .def = op, .index = i};
  }
  if (module->out_of_memory) {
    return NULL;
  }
  for (uint32_t i = 0; i < num_operands; i++) {
    op->operands[i].user = op;
    link_use(&op->operands[i], operands[i]);
  }
  link_op(op, builder->block, builder->before);
  return op;
}

void mr_op_drop_operands(mr_op *op) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    unlink_use(&op->operands[i]);
  }
}

void mr_op_erase(mr_op *op) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    assert(mr_value_is_unused(&op->results[i]));
  }
  for (uint32_t i = 0; i < op->num_regions; i++) {
    for (mr_op *inner = mr_walk_first(op->regions[i]); inner; inner = mr_walk_next(inner, op->regions[i])) {
      mr_op_drop_operands(inner);
    }
  }
  mr_op_drop_operands(op);
  unlink_op(op);
}

// ---- Walking -------------------------------------------------------------------------------------------------------

mr_op *mr_walk_first(const mr_block *root) { return root->first; }

// The first op in the regions of `op` from region `from` on.
static mr_op *first_inside(const mr_op *op, uint32_t from) {
  for (uint32_t i = from; i < op->num_regions; i++) {
    if (op->regions[i]->first) {
      return op->regions[i]->first;
    }
  }
  return NULL;
}

mr_op *mr_walk_skip(const mr_op *op, const mr_block *root) {
  for (;;) {
    if (op->next) {
      return op->next;
    }
    const mr_block *block = op->block;
    if (block == root || !block->parent) {
      return NULL;
    }
    mr_op *sibling = first_inside(block->parent, block->region + 1);
    if (sibling) {
      return sibling;
    }
    op = block->parent;
  }
}

mr_op *mr_walk_next(const mr_op *op, const mr_block *root) {
  mr_op_look_ahead(op);
  mr_op *inside = first_inside(op, 0);
  return inside ? inside : mr_walk_skip(op, root);
}

bool mr_block_is_inside(const mr_block *block, const mr_block *ancestor) {
  while (block && block != ancestor) {
    block = block->parent ? block->parent->block : NULL;
  }
  return block != NULL;
}

void mr_block_number(mr_block *block) {
  uint32_t order = 0;
  for (mr_op *op = block->first; op; op = op->next) {
    mr_op_look_ahead(op);
    op->order = order++;
  }
}

static uint32_t number_args(const mr_block *block, uint32_t next) {
  for (uint32_t i = 0; i < block->num_args; i++) {
    block->args[i]->id = next++;
  }
  return next;
}

void mr_function_number(mr_function *function) {
  uint32_t next = number_args(&function->body, 0);
  for (mr_op *op = mr_walk_first(&function->body); op; op = mr_walk_next(op, &function->body)) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      op->results[i].id = next++;
    }
    for (uint32_t i = 0; i < op->num_regions; i++) {
      next = number_args(op->regions[i], next);
    }
  }
  function->num_values = next;
}

// ---- Constants -----------------------------------------------------------------------------------------------------

const mr_dense *mr_value_constant(const mr_value *value) {
  if (!value->def || value->def->kind != MR_OP_constant) {
    return NULL;
  }
  const mr_attr *attr = mr_op_attr(value->def, MR_ATTR_value);
  return attr && attr->kind == MR_ATTR_DENSE ? &attr->dense : NULL;
}

bool mr_value_splat(const mr_value *value, void *out_element) {
  const mr_dense *dense = mr_value_constant(value);
  size_t one = dense ? mr_dtype_bytes(dense->type.dtype) : 0;
  if (!dense || dense->size < one || one == 0) {
    return false;
  }
  if (!dense->splat && memcmp(dense->data, (const char *)dense->data + one, dense->size - one) != 0) {
    return false;
  }
  memcpy(out_element, dense->data, one);
  return true;
}

// ---- Devices --------------------------------------------------------------------------------------------------------------

static int64_t count_of(const mr_module *module, uint32_t asked, const char *name) {
  const mr_attr *attr = mr_dict_find(module->attrs, name);
  int64_t said = attr && attr->kind == MR_ATTR_INT && attr->integer > 0 ? attr->integer : 1;
  return asked ? asked : said;
}

int64_t mr_module_replicas(const mr_module *module) {
  return count_of(module, module->num_replicas, "mhlo.num_replicas");
}

int64_t mr_module_partitions(const mr_module *module) {
  return count_of(module, module->num_partitions, "mhlo.num_partitions");
}
