// Bump arena: a list of chunks, each twice the last one's size up to a ceiling. The newest chunk is the one in use.
#include "core/rewind.h"

#include <assert.h>
#include <string.h>

enum { ALIGNMENT = 16, FIRST_CHUNK = 4096, LARGEST_CHUNK = 1 << 20 };

struct mr_arena_chunk {
  mr_arena_chunk *older;
  size_t size;  // bytes of `bytes`
  _Alignas(ALIGNMENT) char bytes[];
};

void mr_arena_init(mr_arena *arena, size_t limit) { *arena = (mr_arena){.limit = limit}; }

void mr_arena_deinit(mr_arena *arena) {
  for (mr_arena_chunk *chunk = arena->chunk; chunk;) {
    mr_arena_chunk *older = chunk->older;
    mr_free(chunk);
    chunk = older;
  }
  *arena = (mr_arena){.limit = arena->limit};
}

void mr_arena_reset(mr_arena *arena) {
  mr_arena_chunk *newest = arena->chunk;
  if (!newest) {
    return;
  }
  mr_arena older = {.chunk = newest->older};
  mr_arena_deinit(&older);
  newest->older = NULL;
  memset(newest->bytes, 0, (size_t)(arena->next - newest->bytes));
  arena->next = newest->bytes;
  arena->used = 0;
}

// Of the chunks that came after the mark the newest stays and is where it goes on, so that no round of a loop that begins at the end of a
// chunk asks for another one.
void mr_arena_rewind(mr_arena *arena, mr_arena_mark mark) {
  mr_arena_chunk *newest = arena->chunk;
  char *from = mark.next;
  if (newest != mark.chunk) {
    while (newest->older != mark.chunk) {
      mr_arena_chunk *between = newest->older;
      newest->older = between->older;
      mr_free(between);
    }
    from = newest->bytes;
  }
  if (from != arena->next) {
    memset(from, 0, (size_t)(arena->next - from));
  }
  arena->next = from;
  arena->used = mark.used;
}

static bool add_chunk(mr_arena *arena, size_t at_least) {
  size_t size = arena->chunk ? MR_MIN(arena->chunk->size * 2, (size_t)LARGEST_CHUNK) : FIRST_CHUNK;
  size = MR_MAX(size, at_least);
  if (size > SIZE_MAX - sizeof(mr_arena_chunk)) {
    return false;
  }
  mr_arena_chunk *chunk = mr_alloc_zeroed(1, sizeof *chunk + size);
  if (!chunk) {
    return false;
  }
  chunk->older = arena->chunk;
  chunk->size = size;
  arena->chunk = chunk;
  arena->next = chunk->bytes;
  arena->end = chunk->bytes + size;
  return true;
}

// `place`: who asks, for tests that make it fail.
static void *take(mr_arena *arena, size_t size, void *place) {
  if (!MR_PART_SUCCEEDS(place)) {
    return NULL;
  }
  if (size > SIZE_MAX - ALIGNMENT) {
    return NULL;
  }
  size_t rounded = MR_MAX((size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1), (size_t)ALIGNMENT);
  if (arena->limit && (rounded > arena->limit || arena->used > arena->limit - rounded)) {
    return NULL;
  }
  if (rounded > (size_t)(arena->end - arena->next) && !add_chunk(arena, rounded)) {
    return NULL;
  }
  void *memory = arena->next;
  arena->next += rounded;
  arena->used += rounded;
  return memory;
}

void *mr_arena_alloc(mr_arena *arena, size_t size) { return take(arena, size, MR_CALLER()); }

void *mr_arena_copy(mr_arena *arena, const void *data, size_t size) {
  void *copy = take(arena, size, MR_CALLER());
  if (copy && size) {
    memcpy(copy, data, size);
  }
  return copy;
}

// One byte more than the text, so that it happens to end in NUL: handy in a debugger, promised to nobody.
mr_str mr_arena_str(mr_arena *arena, mr_str text) {
  char *copy = text.size < SIZE_MAX ? take(arena, text.size + 1, MR_CALLER()) : NULL;
  if (!copy) {
    return (mr_str){NULL, 0};
  }
  if (text.size) {
    memcpy(copy, text.data, text.size);
  }
  copy[text.size] = '\0';
  return (mr_str){copy, text.size};
}
