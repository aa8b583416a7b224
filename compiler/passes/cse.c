// Equal ops are computed once. Two ops are equal when kind, attributes, result types and operands are; ops with regions
// of scalar code (reduce, sort, ..) when those are equal op by op, too. Scoped: an op may use one from an enclosing block.
#include "compiler/passes/passes.h"
#include "compiler/passes/rewrite.h"

#include <string.h>

typedef struct slot {
  mr_op *op;
  uint64_t hash;
} slot;

typedef struct table {
  slot *slots;  // open addressing, at most half full
  size_t capacity, count;
} table;

// ---- Equality ------------------------------------------------------------------------------------------------------

static bool attrs_equal(const mr_attr *a, const mr_attr *b);

static bool dense_equal(const mr_dense *a, const mr_dense *b) {
  return mr_type_equal(&a->type, &b->type) && a->splat == b->splat && a->size == b->size &&
         (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static bool items_equal(const mr_attr *a, const mr_attr *b) {
  if (a->count != b->count) {
    return false;
  }
  for (size_t i = 0; i < a->count; i++) {
    if (!mr_str_equal(a->items[i].name, b->items[i].name) || !attrs_equal(&a->items[i], &b->items[i])) {
      return false;
    }
  }
  return true;
}

static bool attrs_equal(const mr_attr *a, const mr_attr *b) {
  if (a->key != b->key || a->kind != b->kind) {
    return false;
  }
  switch (a->kind) {
  case MR_ATTR_UNIT: return true;
  case MR_ATTR_INT: return a->integer == b->integer;
  case MR_ATTR_INTS:
    return a->ints.size == b->ints.size &&
           (a->ints.size == 0 || memcmp(a->ints.data, b->ints.data, a->ints.size * sizeof(int64_t)) == 0);
  // The same bits: 0.0 and -0.0 are two constants, a NaN is one.
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  case MR_ATTR_FLOAT: return memcmp(&a->number, &b->number, sizeof a->number) == 0;
  case MR_ATTR_STRING:
  case MR_ATTR_TEXT: return mr_str_equal(a->string, b->string);
  case MR_ATTR_DENSE: return dense_equal(&a->dense, &b->dense);
  case MR_ATTR_ARRAY:
  case MR_ATTR_DICT: return items_equal(a, b);
  case MR_ATTR_TYPE: return mr_type_equal(&a->type, &b->type);
  }
  return false;
}

static bool shells_equal(const mr_op *a, const mr_op *b) {
  if (a->kind != b->kind || a->num_operands != b->num_operands || a->num_results != b->num_results ||
      a->num_regions != b->num_regions || a->num_attrs != b->num_attrs) {
    return false;
  }
  for (uint32_t i = 0; i < a->num_results; i++) {
    if (!mr_type_equal(&a->results[i].type, &b->results[i].type)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < a->num_attrs; i++) {
    if (!attrs_equal(&a->attrs[i], &b->attrs[i])) {
      return false;
    }
  }
  return true;
}

// Operands of ops at the same place inside two regions: equal when they are the same value, or when both are made inside
// and have the same place. Numbers within the region are in op->order and, for arguments, the index.
static bool inner_operands_equal(const mr_value *a, const mr_value *b, const mr_block *block_a,
                                 const mr_block *block_b) {
  bool inside_a = a->block == block_a, inside_b = b->block == block_b;
  if (!inside_a || !inside_b) {
    return a == b;
  }
  if (!a->def || !b->def) {
    return !a->def && !b->def && a->index == b->index;
  }
  return a->def->order == b->def->order && a->index == b->index;
}

static bool blocks_equal(mr_block *a, mr_block *b) {
  if (a->num_args != b->num_args) {
    return false;
  }
  for (uint32_t i = 0; i < a->num_args; i++) {
    if (!mr_type_equal(&a->args[i]->type, &b->args[i]->type)) {
      return false;
    }
  }
  mr_block_number(a);
  mr_block_number(b);
  const mr_op *x = a->first, *y = b->first;
  for (; x && y; x = x->next, y = y->next) {
    if (!shells_equal(x, y)) {
      return false;
    }
    for (uint32_t i = 0; i < x->num_operands; i++) {
      if (!inner_operands_equal(x->operands[i].value, y->operands[i].value, a, b)) {
        return false;
      }
    }
  }
  return !x && !y;
}

static bool regions_equal(const mr_op *a, const mr_op *b) {
  bool same = true;
  for (uint32_t r = 0; same && r < a->num_regions; r++) {
    same = blocks_equal(a->regions[r], b->regions[r]);
  }
  return same;
}

static bool ops_equal(const mr_op *a, const mr_op *b) {
  if (!shells_equal(a, b)) {
    return false;
  }
  for (uint32_t i = 0; i < a->num_operands; i++) {
    if (a->operands[i].value != b->operands[i].value) {
      return false;
    }
  }
  return regions_equal(a, b);
}

static bool is_candidate(const mr_op *op);

bool mr_ops_do_the_same(const mr_op *a, const mr_op *b) {
  return shells_equal(a, b) && is_candidate(a) && regions_equal(a, b);
}

// ---- Hashing -------------------------------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9E3779B97F4A7C15u + (hash << 6) + (hash >> 2);
  return hash * 0xD6E8FEB86659FD93u;
}

static uint64_t hash_attr(uint64_t hash, const mr_attr *attr) {
  hash = mix(hash, attr->key);
  if (attr->kind == MR_ATTR_INT) {
    return mix(hash, (uint64_t)attr->integer);
  }
  if (attr->kind == MR_ATTR_INTS) {
    return mr_hash64(attr->ints.data, attr->ints.size * sizeof(int64_t), hash);
  }
  if (attr->kind == MR_ATTR_DENSE) {
    return mr_hash64(attr->dense.data, attr->dense.size, hash);
  }
  return hash;
}

// What shells_equal compares.
static uint64_t hash_shell(uint64_t hash, const mr_op *op) {
  hash = mix(mix(hash, op->kind), op->num_operands);
  for (uint32_t i = 0; i < op->num_attrs; i++) {
    hash = hash_attr(hash, &op->attrs[i]);
  }
  if (op->num_results) {
    const mr_type *type = &op->results[0].type;
    hash = mix(hash, type->dtype);
    hash = type->rank ? mr_hash64(type->dims, type->rank * sizeof *type->dims, hash) : hash;
  }
  return hash;
}

// Ops inside a region by their shells: the operands of two equal ones are different values.
static uint64_t hash_op(const mr_op *op) {
  uint64_t hash = hash_shell(0, op);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    hash = mix(hash, (uintptr_t)op->operands[i].value >> 4);
  }
  for (uint32_t r = 0; r < op->num_regions; r++) {
    for (const mr_op *inner = op->regions[r]->first; inner; inner = inner->next) {
      hash = hash_shell(hash, inner);
    }
  }
  return hash;
}

// ---- The walk ------------------------------------------------------------------------------------------------------

static bool is_candidate(const mr_op *op) {
  const mr_op_info *info = &mr_op_table[op->kind];
  if (info->effect != MR_EFFECT_PURE || info->op_class == MR_OPS_CONTROL) {
    return false;
  }
  for (uint32_t r = 0; r < op->num_regions; r++) {
    for (const mr_op *inner = op->regions[r]->first; inner; inner = inner->next) {
      if (inner->num_regions) {
        return false;
      }
    }
  }
  return op->num_results && !mr_pass_sees_effect(op);
}

// The op in `block` that is equal to `op`, or the slot where it would go. The block is part of the hash: ops of other
// blocks are not in the way, however many equal ones there are.
static slot *locate(table *t, const mr_op *op, const mr_block *block, uint64_t hash) {
  size_t mask = t->capacity - 1, at = hash & mask;
  while (t->slots[at].op) {
    if (t->slots[at].hash == hash && t->slots[at].op->block == block && ops_equal(t->slots[at].op, op)) {
      return &t->slots[at];
    }
    at = (at + 1) & mask;
  }
  return &t->slots[at];
}

// Room for one more. Going through the program to count its ops first costs what it takes to fetch it.
static bool grow(table *t) {
  if (2 * (t->count + 1) <= t->capacity) {
    return true;
  }
  table larger = {.capacity = MR_MAX(4 * t->capacity, (size_t)256), .count = t->count};  // a power of two
  larger.slots = mr_alloc_zeroed(larger.capacity, sizeof *larger.slots);
  if (!larger.slots) {
    return false;
  }
  for (size_t i = 0; i < t->capacity; i++) {
    size_t at = t->slots[i].hash & (larger.capacity - 1);
    while (t->slots[i].op && larger.slots[at].op) {
      at = (at + 1) & (larger.capacity - 1);
    }
    if (t->slots[i].op) {
      larger.slots[at] = t->slots[i];
    }
  }
  mr_free(t->slots);
  *t = larger;
  return true;
}

// An equal op whose results may be used where `op` stands; NULL after entering `op` itself, for which there is room.
static mr_op *find_or_enter(table *t, mr_op *op) {
  uint64_t hash = hash_op(op);
  for (const mr_block *block = op->block; block; block = block->parent ? block->parent->block : NULL) {
    slot *found = locate(t, op, block, mix(hash, (uintptr_t)block >> 4));
    if (found->op) {
      return found->op;
    }
  }
  uint64_t own = mix(hash, (uintptr_t)op->block >> 4);
  *locate(t, op, op->block, own) = (slot){op, own};
  t->count++;
  return NULL;
}

// True when it is gone.
static bool merge(table *t, mr_op *op) {
  mr_op *found = find_or_enter(t, op);
  if (!found) {
    return false;
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value_replace_all_uses(&op->results[i], &found->results[i]);
  }
  mr_op_erase(op);
  return true;
}

mr_status mr_pass_cse(mr_module *module) {
  mr_function *entry = mr_module_entry(module);
  table t = {0};
  bool room = true;
  mr_op *op = mr_walk_first(&entry->body);
  while (op && room) {
    mr_op *next = mr_walk_next(op, &entry->body), *after = mr_walk_skip(op, &entry->body);
    if (is_candidate(op)) {
      room = grow(&t);
      next = room && merge(&t, op) ? after : next;
    }
    op = next;
  }
  mr_free(t.slots);
  return room ? MR_OK : MR_NO_MEMORY();
}
