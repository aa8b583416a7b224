// From values to values: open addressing on the pointer, twice the room of what is in it.
#include "compiler/ir/ir.h"

typedef struct entry {
  const mr_value *from;
  mr_value *to;
} entry;

struct mr_value_map {
  mr_module *module;
  entry *entries;
  size_t capacity, count;  // capacity is a power of two, or 0
};

mr_value_map *mr_value_map_create(mr_module *module) {
  mr_value_map *map = mr_arena_new(&module->arena, mr_value_map);
  module->out_of_memory |= !map;
  if (map) {
    map->module = module;
  }
  return map;
}

// The entry of `from`, or the free one where it would go.
static entry *locate(const mr_value_map *map, const mr_value *from) {
  size_t mask = map->capacity - 1;
  // Values are 16-byte aligned at least; the multiplication spreads what is left over the upper bits.
  size_t at = (size_t)(((uintptr_t)from >> 4) * 0x9E3779B97F4A7C15u >> 20) & mask;
  while (map->entries[at].from && map->entries[at].from != from) {
    at = (at + 1) & mask;
  }
  return &map->entries[at];
}

static bool grow(mr_value_map *map) {
  size_t old_capacity = map->capacity;
  entry *old = map->entries;
  size_t capacity = old_capacity ? old_capacity * 2 : 16;
  entry *entries = mr_arena_array(&map->module->arena, entry, capacity);
  if (!entries) {
    map->module->out_of_memory = true;
    return false;
  }
  map->entries = entries;
  map->capacity = capacity;
  for (size_t i = 0; i < old_capacity; i++) {
    if (old[i].from) {
      *locate(map, old[i].from) = old[i];
    }
  }
  return true;
}

void mr_value_map_set(mr_value_map *map, const mr_value *from, mr_value *to) {
  if (!map || ((map->count + 1) * 2 > map->capacity && !grow(map))) {
    return;
  }
  entry *slot = locate(map, from);
  map->count += slot->from == NULL;
  *slot = (entry){from, to};
}

mr_value *mr_value_map_get(const mr_value_map *map, mr_value *from) {
  if (!map || !map->capacity) {
    return from;
  }
  const entry *slot = locate(map, from);
  return slot->from ? slot->to : from;
}
