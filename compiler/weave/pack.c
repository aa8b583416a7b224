// Packs the temporary buffers into one block: largest first, each at the lowest offset where no buffer lies that lives at
// the same time. The classic greedy-by-size plan; within a few percent of the peak on training steps.
//
// Each buffer is compared with all that were placed before, so of very many buffers only the largest are packed like that. The
// others go on shelves behind them: in order of their lives, each to a place of about its size that is free again. When all
// sizes are alike, shelves alone may be better; the smaller block is taken.
//
// Where steps overlap, two buffers share memory only when all that touches the one comes before all that touches the other
// (precede.c): then a place's last buffer says whether the next one may come.
#include <stdlib.h>

#include "compiler/weave/tuning.h"
#include "compiler/weave/weave.h"

enum { ALIGNMENT = 64 };

static size_t rounded(size_t bytes) { return mr_size_round(bytes, ALIGNMENT); }

static size_t end_of(const plan_buffer *buffer) { return mr_size_add(buffer->offset, rounded(buffer->bytes)); }

static int by_size(const void *a, const void *b) {
  const plan_buffer *x = *(plan_buffer *const *)a, *y = *(plan_buffer *const *)b;
  if (x->bytes != y->bytes) {
    return x->bytes > y->bytes ? -1 : 1;
  }
  return x->start < y->start ? -1 : x->start > y->start;
}

static int by_start(const void *a, const void *b) {
  const plan_buffer *x = *(plan_buffer *const *)a, *y = *(plan_buffer *const *)b;
  return x->start != y->start ? (x->start < y->start ? -1 : 1) : (x > y) - (x < y);
}

static int by_end(const void *a, const void *b) {
  const plan_buffer *x = *(plan_buffer *const *)a, *y = *(plan_buffer *const *)b;
  return x->end != y->end ? (x->end < y->end ? -1 : 1) : (x > y) - (x < y);
}

// ---- Largest first --------------------------------------------------------------------------------------------------------

// What a packing goes by.
typedef struct packing {
  mr_arena *arena;             // for what is known meanwhile
  const plan_buffer *buffers;  // the plan's
  uint32_t num_buffers;
  const plan_order *order;  // NULL: what begins later comes after what has ended
} packing;

static bool comes_before(const packing *pack, const plan_buffer *a, const plan_buffer *b) {
  return pack->order ? mr_order_precedes(pack->order, (uint32_t)(a - pack->buffers), (uint32_t)(b - pack->buffers))
                     : a->end < b->start;
}

static bool overlap(const packing *pack, const plan_buffer *a, const plan_buffer *b) {
  return !comes_before(pack, a, b) && !comes_before(pack, b, a);
}

// Places one buffer among those placed, which are sorted by offset.
static void place(const packing *pack, plan_buffer **placed, size_t count, plan_buffer *buffer) {
  size_t at = 0;
  for (size_t i = 0; i < count; i++) {
    const plan_buffer *other = placed[i];
    if (!overlap(pack, other, buffer)) {
      continue;
    }
    if (mr_size_add(at, rounded(buffer->bytes)) <= other->offset) {
      break;
    }
    at = MR_MAX(at, end_of(other));
  }
  buffer->offset = at;
  size_t slot = count;
  while (slot > 0 && placed[slot - 1]->offset > at) {
    placed[slot] = placed[slot - 1];
    slot--;
  }
  placed[slot] = buffer;
}

// ---- Shelves --------------------------------------------------------------------------------------------------------------

// Places of one size that are free, the last one first.
typedef struct shelf {
  size_t bytes, count;
  plan_buffer **free;  // by who was there last; as many as there are buffers of this size, which made the places
} shelf;

typedef struct shelves {
  const packing *pack;
  uint32_t *home;  // by plan buffer number: the shelf that its place returns to
  shelf *list;     // the largest first
  size_t count;
  size_t end;  // of the block so far
} shelves;

static size_t shelf_of(const shelves *s, size_t bytes) {
  size_t low = 0, high = s->count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    *(s->list[middle].bytes >= bytes ? &low : &high) = middle;
  }
  return low;
}

// One of the last free places of a shelf where all is over before the buffer begins; NULL: none.
static plan_buffer *take_from(shelf *from, const packing *pack, const plan_buffer *buffer) {
  size_t looks = pack->order ? MR_PACK_LOOKS : 1;
  for (size_t k = from->count; k > 0 && k + looks > from->count; k--) {
    plan_buffer *before = from->free[k - 1];
    if (comes_before(pack, before, buffer)) {
      from->free[k - 1] = from->free[--from->count];
      return before;
    }
  }
  return NULL;
}

// A free place of this size or a little more, else a new one.
static void take(shelves *s, plan_buffer *buffer) {
  size_t bytes = rounded(buffer->bytes), own = shelf_of(s, bytes);
  for (size_t k = 0; k < MR_PACK_SHELVES && k <= own && s->list[own - k].bytes <= mr_size_mul(bytes, 2); k++) {
    const plan_buffer *before = take_from(&s->list[own - k], s->pack, buffer);
    if (before) {
      buffer->offset = before->offset;
      s->home[buffer - s->pack->buffers] = (uint32_t)(own - k);
      return;
    }
  }
  buffer->offset = s->end;
  s->home[buffer - s->pack->buffers] = (uint32_t)own;
  s->end = mr_size_add(s->end, bytes);
}

static void put_back(shelves *s, plan_buffer *buffer) {
  shelf *home = &s->list[s->home[buffer - s->pack->buffers]];
  home->free[home->count++] = buffer;
}

// Places `count` buffers, which are sorted by size, from the offset `at` on; tells where the block ends.
static mr_status fill_shelves(const packing *pack, plan_buffer *const *list, size_t count, size_t at, size_t *out_end) {
  mr_arena *arena = pack->arena;
  shelves s = {.pack = pack, .end = at};
  s.list = mr_arena_array(arena, shelf, count + 1);
  s.home = mr_arena_array(arena, uint32_t, pack->num_buffers + 1);
  plan_buffer **places = mr_arena_array(arena, plan_buffer *, count + 1);
  plan_buffer **coming = mr_arena_array(arena, plan_buffer *, count + 1);
  plan_buffer **going = mr_arena_array(arena, plan_buffer *, count + 1);
  if (!s.list || !s.home || !places || !coming || !going) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    coming[i] = going[i] = list[i];
    if (!s.count || s.list[s.count - 1].bytes != rounded(list[i]->bytes)) {
      s.list[s.count++] = (shelf){.bytes = rounded(list[i]->bytes), .free = places + i};
    }
  }
  qsort(coming, count, sizeof *coming, by_start);
  qsort(going, count, sizeof *going, by_end);
  for (size_t i = 0, gone = 0; i < count; i++) {
    for (; going[gone]->end < coming[i]->start; gone++) {
      put_back(&s, going[gone]);
    }
    take(&s, coming[i]);
  }
  *out_end = s.end;
  return MR_OK;
}

// ---- The block ------------------------------------------------------------------------------------------------------------

static size_t place_largest(const packing *pack, plan_buffer *const *list, size_t count, plan_buffer **placed) {
  size_t end = 0;
  for (size_t i = 0; i < count; i++) {
    place(pack, placed, i, list[i]);
    end = MR_MAX(end, end_of(list[i]));
  }
  return end;
}

static mr_status pack_many(const packing *pack, plan_buffer **list, size_t count, plan_buffer **placed,
                           size_t *out_bytes) {
  size_t alone = 0, together = 0;
  MR_TRY(fill_shelves(pack, list, count, 0, &alone));
  size_t largest = place_largest(pack, list, MR_PACK_COMPARED, placed);
  MR_TRY(fill_shelves(pack, list + MR_PACK_COMPARED, count - MR_PACK_COMPARED, largest, &together));
  *out_bytes = together;
  return together <= alone ? MR_OK : fill_shelves(pack, list, count, 0, out_bytes);
}

mr_status mr_weave_pack(mr_arena *arena, mr_executable *e, const plan_order *order, size_t *out_bytes) {
  const packing pack = {arena, e->buffers, e->num_buffers, order};
  *out_bytes = 0;
  size_t count = 0;
  plan_buffer **list = mr_arena_array(arena, plan_buffer *, 2 * (size_t)e->num_buffers + 2);
  if (!list) {
    return MR_NO_MEMORY();
  }
  plan_buffer **placed = list + e->num_buffers + 1;
  for (uint32_t i = 0; i < e->num_buffers; i++) {
    if (e->buffers[i].place == PLACE_TEMP && e->buffers[i].bytes > 0) {
      list[count++] = &e->buffers[i];
    }
  }
  qsort(list, count, sizeof *list, by_size);
  if (count > MR_PACK_COMPARED) {
    MR_TRY(pack_many(&pack, list, count, placed, out_bytes));
  } else {
    *out_bytes = place_largest(&pack, list, count, placed);
  }
  return mr_size_check(*out_bytes, "the values that the program has at the same time");
}
