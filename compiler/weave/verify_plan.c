// Whether a plan does what it may: for tests, and in builds with checks whenever strands were made.
//
// In each sequence, what touches a buffer that something writes must lie in the order of the program, and where strands run beside one
// another, one must come after the other; and of two buffers that share bytes, one must be done with before the other begins.
#include <stdlib.h>

#include "compiler/weave/weave.h"

// One strand's steps that touch a buffer.
typedef struct touching {
  uint32_t buffer, strand, first, last;
  bool writes;
} touching;

// All that touches one buffer.
typedef struct user {
  const plan_buffer *buffer;
  const touching *touches;
  uint32_t count;
} user;

typedef struct checking {
  const mr_executable *executable;
  const plan_sequence *sequence;
  touching *touches;
  uint32_t count, room;
  plan_set *before;  // NULL: one strand
  uint32_t acting;   // a buffer that is none, for what acts
  bool failed;
} checking;

static void add_touch(checking *c, uint32_t buffer, uint32_t strand, uint32_t step, bool writes) {
  if (c->count == c->room) {
    uint32_t room = MR_MAX(2 * c->room, 256u);
    touching *grown = mr_realloc(c->touches, room * sizeof *grown);
    if (!grown) {
      c->failed = true;
      return;
    }
    c->touches = grown;
    c->room = room;
  }
  c->touches[c->count++] = (touching){buffer, strand, step, step, writes};
}

static void add_step(checking *c, const plan_step *step, uint32_t strand, uint32_t number) {
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    add_touch(c, step->buffers[i], strand, number, step->access[i] & MR_L_WRITE);
  }
  if (step->scratch != NO_BUFFER) {
    add_touch(c, step->scratch, strand, number, true);
  }
  if (step->acts) {
    add_touch(c, c->acting, strand, number, true);
  }
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    for (uint32_t i = 0; i < step->sequences[r].count; i++) {
      add_step(c, &step->sequences[r].steps[i], strand, number);
    }
  }
}

static int by_buffer(const void *a, const void *b) {
  const touching *x = a, *y = b;
  if (x->buffer != y->buffer) {
    return x->buffer < y->buffer ? -1 : 1;
  }
  return x->first < y->first ? -1 : x->first > y->first;
}

static int by_offset(const void *a, const void *b) {
  const user *x = a, *y = b;
  return x->buffer->offset < y->buffer->offset ? -1 : x->buffer->offset > y->buffer->offset;
}

static bool strand_precedes(const checking *c, uint32_t s, uint32_t t) { return mr_set_has(&c->before[t], s); }

// Steps in the order of the plan, all of one buffer, must be in the order of the program where one of two writes.
static mr_status check_direction(const checking *c, uint32_t from, uint32_t to) {
  int64_t touched = INT64_MIN, written = INT64_MIN;
  for (uint32_t i = from; i < to; i++) {
    const touching *t = &c->touches[i];
    int64_t position = c->sequence->steps[t->first].position;
    if (position < (t->writes ? touched : written)) {
      return mr_error(MR_INTERNAL, "step %u, %s, comes too late for buffer %u", t->first,
                      c->sequence->steps[t->first].name, t->buffer);
    }
    touched = MR_MAX(touched, position);
    written = t->writes ? MR_MAX(written, position) : written;
  }
  return MR_OK;
}

static mr_status check_hazards(const checking *c, const user *u) {
  for (uint32_t i = 0; i < u->count; i++) {
    for (uint32_t j = i + 1; j < u->count; j++) {
      const touching *a = &u->touches[i], *b = &u->touches[j];
      if ((a->writes || b->writes) && a->strand != b->strand && !strand_precedes(c, a->strand, b->strand)) {
        return mr_error(MR_INTERNAL, "strands %u and %u touch buffer %u at the same time", a->strand, b->strand,
                        a->buffer);
      }
    }
  }
  return MR_OK;
}

static bool user_precedes(const checking *c, const user *a, const user *b) {
  for (uint32_t i = 0; i < a->count; i++) {
    for (uint32_t j = 0; j < b->count; j++) {
      const touching *x = &a->touches[i], *y = &b->touches[j];
      if (x->strand == y->strand ? x->last >= y->first : !strand_precedes(c, x->strand, y->strand)) {
        return false;
      }
    }
  }
  return true;
}

// Within one loop or branch, where the sequences inside say more.
static bool is_inside_one_step(const user *a, const user *b) {
  return a->count == 1 && b->count == 1 && a->touches->first == a->touches->last &&
         b->touches->first == b->touches->last && a->touches->first == b->touches->first;
}

static mr_status check_memory(const checking *c, user *users, uint32_t count) {
  qsort(users, count, sizeof *users, by_offset);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = i + 1; j < count; j++) {
      const user *a = &users[i], *b = &users[j];
      if (b->buffer->offset >= mr_size_add(a->buffer->offset, a->buffer->bytes)) {
        break;
      }
      bool nested = is_inside_one_step(a, b) && c->sequence->steps[a->touches->first].num_sequences;
      if (!nested && !user_precedes(c, a, b) && !user_precedes(c, b, a)) {
        return mr_error(MR_INTERNAL, "buffers %u and %u share bytes while both are needed", a->touches->buffer,
                        b->touches->buffer);
      }
    }
  }
  return MR_OK;
}

// One entry for each strand and buffer.
static void merge_touches(checking *c) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    touching *last = kept ? &c->touches[kept - 1] : NULL;
    if (last && last->buffer == c->touches[i].buffer && last->strand == c->touches[i].strand) {
      last->last = c->touches[i].last;
      last->writes |= c->touches[i].writes;
    } else {
      c->touches[kept++] = c->touches[i];
    }
  }
  c->count = kept;
}

static mr_status check_users(checking *c, user *users) {
  for (uint32_t from = 0, to; from < c->count; from = to) {
    for (to = from + 1; to < c->count && c->touches[to].buffer == c->touches[from].buffer; to++) {
    }
    MR_TRY(check_direction(c, from, to));
  }
  merge_touches(c);
  uint32_t count = 0;
  for (uint32_t from = 0, to; from < c->count; from = to) {
    uint32_t buffer = c->touches[from].buffer;
    for (to = from + 1; to < c->count && c->touches[to].buffer == buffer; to++) {
    }
    user u = {.touches = &c->touches[from], .count = to - from};
    MR_TRY(check_hazards(c, &u));
    u.buffer = buffer == c->acting ? NULL : &c->executable->buffers[buffer];
    if (u.buffer && u.buffer->place == PLACE_TEMP && u.buffer->bytes) {
      users[count++] = u;
    }
  }
  return check_memory(c, users, count);
}

static mr_status check_graph(const plan_sequence *sequence, plan_set *before) {
  const plan_graph *g = sequence->graph;
  uint32_t step = 0;
  for (uint32_t i = 0; g && i < g->num_strands; i++) {
    if (g->strands[i].first != step || g->strands[i].count == 0) {
      return mr_error(MR_INTERNAL, "strand %u does not begin where the one before ends", i);
    }
    step += g->strands[i].count;
    for (uint32_t e = g->input_offsets[i]; e < g->input_offsets[i + 1]; e++) {
      if (g->inputs[e] >= i) {
        return mr_error(MR_INTERNAL, "strand %u comes after strand %u", i, g->inputs[e]);
      }
      mr_set_join(&before[i], &before[g->inputs[e]]);
      mr_set_add(&before[i], g->inputs[e]);
    }
  }
  return !g || step == sequence->count ? MR_OK
                                       : mr_error(MR_INTERNAL, "strands have %u of %u steps", step, sequence->count);
}

static mr_status check_sequence(const mr_executable *e, const plan_sequence *sequence) {
  const plan_graph *g = sequence->graph;
  checking c = {.executable = e, .sequence = sequence, .acting = e->num_buffers};
  c.before = mr_alloc_zeroed(g ? g->num_strands : 1, sizeof *c.before);
  mr_status status = c.before ? check_graph(sequence, c.before) : MR_NO_MEMORY();
  uint32_t strand = 0;
  for (uint32_t i = 0; !status && i < sequence->count; i++) {
    strand += g && i == g->strands[strand].first + g->strands[strand].count;
    add_step(&c, &sequence->steps[i], strand, i);
  }
  user *users = mr_alloc((c.count + 1) * sizeof *users);
  if (!status && (c.failed || !users)) {
    status = MR_NO_MEMORY();
  }
  if (!status && c.count) {
    qsort(c.touches, c.count, sizeof *c.touches, by_buffer);
    status = check_users(&c, users);
  }
  mr_free(users);
  mr_free(c.touches);
  mr_free(c.before);
  for (uint32_t i = 0; !status && i < sequence->count; i++) {
    for (uint32_t r = 0; !status && r < sequence->steps[i].num_sequences; r++) {
      status = check_sequence(e, &sequence->steps[i].sequences[r]);
    }
  }
  return status;
}

mr_status mr_weave_verify(const mr_executable *e) { return check_sequence(e, &e->main); }
