// rewind: an arena used as a stack. What was taken since a mark is given up, and its memory taken again by what comes: for lists that are
// over with the op, the line or the round that they are for.
//
// Threads: as the arena's. Marks are given back in the reverse order.
//
//   mr_arena_mark mark = mr_arena_here(&arena);
//   ...
//   mr_arena_rewind(&arena, mark);
#ifndef MR_CORE_REWIND_H
#define MR_CORE_REWIND_H

#include "core/core.h"

typedef struct mr_arena_mark {
  mr_arena_chunk *chunk;
  char *next;
  size_t used;
} mr_arena_mark;

static inline mr_arena_mark mr_arena_here(const mr_arena *arena) {
  return (mr_arena_mark){arena->chunk, arena->next, arena->used};
}
void mr_arena_rewind(mr_arena *arena, mr_arena_mark mark);

#endif
