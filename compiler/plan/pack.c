// Packs the temporary buffers into one block: largest first, each at the lowest offset where no buffer lies that lives at
// the same time. The classic greedy-by-size plan; within a few percent of the peak on training steps.
#include <stdlib.h>

#include "compiler/plan/plan.h"

enum { ALIGNMENT = 64 };

static int by_size(const void *a, const void *b) {
  const plan_buffer *x = *(plan_buffer *const *)a, *y = *(plan_buffer *const *)b;
  if (x->bytes != y->bytes) {
    return x->bytes > y->bytes ? -1 : 1;
  }
  return x->start < y->start ? -1 : x->start > y->start;
}

static bool overlap(const plan_buffer *a, const plan_buffer *b) { return a->start <= b->end && b->start <= a->end; }

// Places one buffer among those placed, which are sorted by offset.
static void place(plan_buffer **placed, size_t count, plan_buffer *buffer) {
  size_t at = 0, rounded = (buffer->bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  for (size_t i = 0; i < count; i++) {
    const plan_buffer *other = placed[i];
    if (!overlap(other, buffer)) {
      continue;
    }
    if (at + rounded <= other->offset) {
      break;
    }
    size_t after = (other->offset + other->bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    at = MR_MAX(at, after);
  }
  buffer->offset = at;
  size_t slot = count;
  while (slot > 0 && placed[slot - 1]->offset > at) {
    placed[slot] = placed[slot - 1];
    slot--;
  }
  placed[slot] = buffer;
}

mr_status mr_plan_pack(planner *p, size_t *out_bytes) {
  *out_bytes = 0;
  size_t count = 0;
  plan_buffer **list = mr_arena_array(&p->module->arena, plan_buffer *, 2 * (size_t)p->num_buffers + 2);
  if (!list) {
    return MR_NO_MEMORY();
  }
  plan_buffer **placed = list + p->num_buffers + 1;
  for (uint32_t i = 0; i < p->num_buffers; i++) {
    if (p->buffers[i].place == PLACE_TEMP && p->buffers[i].bytes > 0) {
      list[count++] = &p->buffers[i];
    }
  }
  qsort(list, count, sizeof *list, by_size);
  for (size_t i = 0; i < count; i++) {
    place(placed, i, list[i]);
    *out_bytes = MR_MAX(*out_bytes, list[i]->offset + list[i]->bytes);
  }
  return MR_OK;
}
