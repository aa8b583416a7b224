// Which temporaries may share memory when strands run beside one another: of two, all that touches the one must come before all that
// touches the other.
//
// A level is a sequence that is woven, with the main sequence as the first. A buffer is at home on the innermost level that has all who
// touch it, and has for each of its strands there the first and the last position at which they do. Seen from a level further out
// it is one place: the strand and the positions of the loop or branch that it is in.
#include "compiler/weave/weave.h"

#define NOWHERE UINT32_MAX

typedef struct level {
  const plan_weaving *weaving;  // NULL: all is one strand
  uint32_t parent, depth;
  uint32_t strand;      // of the parent
  int64_t first, last;  // positions
} level;

typedef struct touch {
  uint32_t strand, next;  // next: 1 + its number
  int64_t first, last;
} touch;

typedef struct stay {
  uint32_t home, touches;
  plan_set strands;  // that touch it
  plan_set earlier;  // that come before each of these, or are the only one
} stay;

struct plan_order {
  mr_arena *arena;
  level *levels;
  uint32_t num_levels, level_room;
  touch *touches;
  uint32_t num_touches, touch_room;
  stay *stays;  // by buffer
  bool failed;
};

typedef struct range {
  int64_t first, last;
} range;

static void *grow(plan_order *o, const void *old, uint32_t *room, size_t size) {
  uint32_t wanted = MR_MAX(2 * *room, 64u);
  void *fresh = mr_arena_alloc(o->arena, wanted * size);
  if (!fresh) {
    o->failed = true;
    return NULL;
  }
  if (*room) {
    memcpy(fresh, old, *room * size);
  }
  *room = wanted;
  return fresh;
}

// ---- Who touches what ---------------------------------------------------------------------------------------------------

static void add_touch(plan_order *o, stay *s, uint32_t strand, range at) {
  for (uint32_t n = s->touches; n; n = o->touches[n - 1].next) {
    touch *t = &o->touches[n - 1];
    if (t->strand == strand) {
      t->first = MR_MIN(t->first, at.first);
      t->last = MR_MAX(t->last, at.last);
      return;
    }
  }
  if (o->num_touches == o->touch_room) {
    touch *touches = grow(o, o->touches, &o->touch_room, sizeof *touches);
    if (!touches) {
      return;
    }
    o->touches = touches;
  }
  o->touches[o->num_touches] = (touch){strand, s->touches, at.first, at.last};
  s->touches = ++o->num_touches;
  mr_set_add(&s->strands, strand);
}

// The level below `outer` on the way to `inner`, which lies in it.
static const level *below(const plan_order *o, uint32_t outer, uint32_t inner) {
  while (o->levels[inner].parent != outer) {
    inner = o->levels[inner].parent;
  }
  return &o->levels[inner];
}

static uint32_t common_level(const plan_order *o, uint32_t a, uint32_t b) {
  while (a != b) {
    uint32_t *deeper = o->levels[a].depth >= o->levels[b].depth ? &a : &b;
    *deeper = o->levels[*deeper].parent;
  }
  return a;
}

static void note(plan_order *o, uint32_t buffer, uint32_t at, uint32_t strand, range where) {
  stay *s = &o->stays[buffer];
  uint32_t home = s->home == NOWHERE ? at : common_level(o, s->home, at);
  if (s->home != NOWHERE && s->home != home) {
    const level *l = below(o, home, s->home);
    s->touches = 0;
    s->strands = (plan_set){0};
    add_touch(o, s, l->strand, (range){l->first, l->last});
  }
  s->home = home;
  if (at == home) {
    add_touch(o, s, strand, where);
  } else {
    const level *l = below(o, home, at);
    add_touch(o, s, l->strand, (range){l->first, l->last});
  }
}

static int64_t last_position(const plan_step *step) { return MR_MAX(step->position, step->finish); }

static uint32_t add_level(plan_order *o, const plan_sequence *sequence, uint32_t parent, uint32_t strand) {
  if (o->num_levels == o->level_room) {
    level *levels = grow(o, o->levels, &o->level_room, sizeof *levels);
    if (!levels) {
      return parent;
    }
    o->levels = levels;
  }
  level *l = &o->levels[o->num_levels];
  *l = (level){.weaving = sequence->weaving, .parent = parent, .strand = strand};
  l->depth = o->num_levels ? o->levels[parent].depth + 1 : 0;
  if (sequence->count) {
    l->first = sequence->steps[0].position;
    l->last = last_position(&sequence->steps[sequence->count - 1]);
  }
  return o->num_levels++;
}

// `around`: positions of the step of this strand that all this is in; NULL: the steps are the strand's own.
static void note_sequence(plan_order *o, const plan_sequence *sequence, uint32_t at, uint32_t strand,
                          const range *around) {
  for (uint32_t i = 0; i < sequence->count && !o->failed; i++) {
    const plan_step *step = &sequence->steps[i];
    range own = around ? *around : (range){step->position, last_position(step)};
    uint32_t in = sequence->weaving ? sequence->weaving->of_step[i] : strand;
    for (uint32_t b = 0; b < step->num_buffers; b++) {
      note(o, step->buffers[b], at, in, own);
    }
    if (step->scratch != NO_BUFFER) {
      note(o, step->scratch, at, in, own);
    }
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      const plan_sequence *part = &step->sequences[r];
      if (part->weaving) {
        note_sequence(o, part, add_level(o, part, at, in), 0, NULL);
      } else {
        note_sequence(o, part, at, in, &own);
      }
    }
  }
}

// What one strand alone touches lives as long as the plan has found, which knows a loop's inside.
static void finish_stay(plan_order *o, const plan_buffer *buffer, stay *s) {
  const plan_weaving *weaving = o->levels[s->home].weaving;
  touch *first = &o->touches[s->touches - 1];
  if (!first->next) {
    first->first = buffer->start;
    first->last = buffer->end;
  }
  for (uint32_t n = s->touches; n; n = o->touches[n - 1].next) {
    uint32_t strand = o->touches[n - 1].strand;
    plan_set earlier = weaving ? weaving->before[strand] : (plan_set){0};
    mr_set_add(&earlier, strand);
    for (uint32_t w = 0; w < MR_ARRAY_SIZE(earlier.words); w++) {
      s->earlier.words[w] = n == s->touches ? earlier.words[w] : s->earlier.words[w] & earlier.words[w];
    }
  }
}

mr_status mr_order_create(mr_arena *arena, const mr_executable *e, plan_order **out_order) {
  plan_order *o = *out_order = mr_arena_new(arena, plan_order);
  if (!o) {
    return MR_NO_MEMORY();
  }
  o->arena = arena;
  o->stays = mr_arena_array(arena, stay, e->num_buffers + 1);
  if (!o->stays) {
    return MR_NO_MEMORY();
  }
  for (uint32_t b = 0; b < e->num_buffers; b++) {
    o->stays[b].home = NOWHERE;
  }
  add_level(o, &e->main, 0, 0);
  note_sequence(o, &e->main, 0, 0, NULL);
  for (uint32_t b = 0; b < e->num_buffers && !o->failed; b++) {
    if (o->stays[b].home != NOWHERE) {
      finish_stay(o, &e->buffers[b], &o->stays[b]);
    }
  }
  return o->failed ? MR_NO_MEMORY() : MR_OK;
}

// ---- Which comes first --------------------------------------------------------------------------------------------------

// A stay as it is seen from a level.
typedef struct view {
  stay own;
  touch single;  // when it is further in
  const stay *stay;
  const touch *first;
} view;

static void look(const plan_order *o, const stay *s, uint32_t at, view *v) {
  if (s->home == at) {
    v->stay = s;
    v->first = &o->touches[s->touches - 1];
    return;
  }
  const level *l = below(o, at, s->home);
  const plan_weaving *weaving = o->levels[at].weaving;
  v->single = (touch){.strand = l->strand, .first = l->first, .last = l->last};
  v->own = (stay){0};
  if (weaving) {
    v->own.earlier = weaving->before[l->strand];
  }
  mr_set_add(&v->own.strands, l->strand);
  mr_set_add(&v->own.earlier, l->strand);
  v->stay = &v->own;
  v->first = &v->single;
}

static const touch *next_touch(const plan_order *o, const touch *t) {
  return t->next ? &o->touches[t->next - 1] : NULL;
}

bool mr_order_precedes(const plan_order *o, uint32_t a, uint32_t b) {
  const stay *x = &o->stays[a], *y = &o->stays[b];
  if (x->home == NOWHERE || y->home == NOWHERE) {
    return true;  // nobody touches it
  }
  view v, w;
  uint32_t at = common_level(o, x->home, y->home);
  look(o, x, at, &v);
  look(o, y, at, &w);
  for (uint32_t i = 0; i < MR_ARRAY_SIZE(v.stay->strands.words); i++) {
    if (v.stay->strands.words[i] & ~w.stay->earlier.words[i]) {
      return false;
    }
  }
  for (const touch *t = v.first; t; t = next_touch(o, t)) {
    for (const touch *u = mr_set_has(&w.stay->strands, t->strand) ? w.first : NULL; u; u = next_touch(o, u)) {
      if (u->strand == t->strand && t->last >= u->first) {
        return false;
      }
    }
  }
  return true;
}
