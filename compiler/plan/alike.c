// What all devices of a program would compute alike.
//
// A buffer is alike when it holds the same on all devices whenever it is read: constants, parameters that are not cut, what all get from
// a meeting of all, and what steps make of such. That goes by the whole life of a buffer, so that one that another step writes
// too is not. Of the steps between such buffers, those that are worth it are done once, and what they write lies in one place for all rows.
// Whether parameters that are not cut are indeed the same is looked at in each run (compiler/run/once.c); where they are not, all rows
// do everything.
#include <string.h>

#include "compiler/plan/plan.h"
#include "compiler/plan/tuning.h"

typedef struct finding {
  mr_executable *executable;
  bool *alike;  // by buffer
  bool changed;
} finding;

static bool meets_alike(const plan_step *step) {
  return step->kind == STEP_LIBRARY && step->library->meets && mr_collective_is_alike(step->library->meets);
}

// What the step does depends on its inputs alone, and is over when it returns.
static bool is_pure(const plan_step *step) {
  switch (step->kind) {
  case STEP_KERNEL:
  case STEP_COPY: return !step->acts;
  case STEP_LIBRARY: return !step->acts && !step->library->start && !step->library->meets && !step->library->calls_host;
  case STEP_WHILE:
  case STEP_CASE: break;
  }
  return false;
}

static bool is_between_alike(const finding *f, const plan_step *step) {
  bool alike = is_pure(step);
  for (uint32_t i = 0; alike && i < step->num_buffers; i++) {
    alike = f->alike[step->buffers[i]];
  }
  return alike;
}

static bool writes(const plan_step *step, uint32_t i) { return step->access[i] & MR_L_WRITE; }

static void forget(finding *f, uint32_t buffer) {
  f->changed |= f->alike[buffer];
  f->alike[buffer] = false;
}

static void forget_written(finding *f, const plan_step *step) {
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    if (writes(step, i)) {
      forget(f, step->buffers[i]);
    }
  }
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    for (uint32_t i = 0; i < step->sequences[r].count; i++) {
      forget_written(f, &step->sequences[r].steps[i]);
    }
  }
}

// The most buffers that are alike: all at first, and then fewer, until none is written by a step that is not.
static bool find_alike(finding *f) {
  const plan_sequence *main = &f->executable->main;
  f->changed = true;
  for (int pass = 0; f->changed && pass < MR_PLAN_ONCE_PASSES; pass++) {
    f->changed = false;
    for (uint32_t i = 0; i < main->count; i++) {
      const plan_step *step = &main->steps[i];
      if (!meets_alike(step) && !is_between_alike(f, step)) {
        forget_written(f, step);
      }
    }
  }
  return !f->changed;
}

static bool begins_alike(const mr_executable *e, const plan_buffer *b) {
  if (b->place == PLACE_PARAM) {
    const mr_port *port = &e->params[b->index];
    return port->global_dims && (!port->tiles || port->tiles->kind == MR_TILE_REPLICATED);
  }
  return b->place != PLACE_ROW;
}

// Of steps that follow one another all or none are done once.
static void choose_steps(const finding *f, uint64_t least_ns) {
  const plan_sequence *main = &f->executable->main;
  for (uint32_t i = 0; i < main->count; i++) {
    uint64_t cost_ns = 0;
    uint32_t first = i;
    for (; i < main->count && is_between_alike(f, &main->steps[i]); i++) {
      cost_ns += main->steps[i].cost_ns + MR_PLAN_STEP_NS;
    }
    for (uint32_t k = first; cost_ns >= least_ns && k < i; k++) {
      main->steps[k].once = true;
    }
  }
}

// What a step that is not done once writes is in many places; a step that writes there is not done once. True: something changed.
static bool settle_step(mr_executable *e, plan_step *step) {
  bool once = step->once || meets_alike(step), stays = true, changed = false;
  for (uint32_t k = 0; k < step->num_buffers; k++) {
    plan_buffer *b = &e->buffers[step->buffers[k]];
    if (writes(step, k)) {
      changed |= b->shared && !once;
      b->shared &= once;
      stays &= b->shared;
    }
  }
  changed |= step->once && !stays;
  step->once &= stays;
  return changed;
}

// A buffer lies in one place when all that write it do so once. False: that takes too long to find out.
static bool settle_places(finding *f) {
  mr_executable *e = f->executable;
  for (uint32_t b = 0; b < e->num_buffers; b++) {
    e->buffers[b].shared = f->alike[b] && e->buffers[b].place != PLACE_CONST;
  }
  f->changed = true;
  for (int pass = 0; f->changed && pass < MR_PLAN_ONCE_PASSES; pass++) {
    f->changed = false;
    for (uint32_t i = 0; i < e->main.count; i++) {
      f->changed |= settle_step(e, &e->main.steps[i]);
    }
  }
  for (uint32_t i = 0; f->changed && i < e->main.count; i++) {
    e->main.steps[i].once = false;
  }
  return !f->changed;
}

// What has to be the same on all devices for the steps that are done once: in `alike` now, those that they come of.
static void keep_needed(finding *f) {
  mr_executable *e = f->executable;
  bool *needed = f->alike;
  memset(needed, 0, e->num_buffers * sizeof *needed);
  for (uint32_t i = e->main.count; i-- > 0;) {
    const plan_step *step = &e->main.steps[i];
    bool wanted = step->once;
    for (uint32_t k = 0; k < step->num_buffers && !meets_alike(step); k++) {
      wanted |= writes(step, k) && needed[step->buffers[k]];
    }
    for (uint32_t k = 0; wanted && k < step->num_buffers; k++) {
      needed[step->buffers[k]] = true;
    }
    e->num_once += step->once;
  }
  for (uint32_t i = 0; i < e->num_params; i++) {
    const plan_buffer *b = &e->buffers[e->param_buffers[i]];
    e->once_params[i] = e->num_once && (needed[e->param_buffers[i]] || (b->shared && b->written));
  }
}

static void measure_shared(mr_executable *e) {
  e->once_first = SIZE_MAX;
  for (uint32_t b = 0; b < e->num_buffers; b++) {
    plan_buffer *buffer = &e->buffers[b];
    bool written = buffer->place == PLACE_PARAM ? buffer->written : true;
    buffer->shared &= written && e->num_once > 0;
    if (buffer->shared && buffer->place == PLACE_TEMP && buffer->bytes) {
      e->once_first = MR_MIN(e->once_first, buffer->offset);
      e->once_end = MR_MAX(e->once_end, mr_size_add(buffer->offset, buffer->bytes));
    }
  }
  e->once_first = MR_MIN(e->once_first, e->once_end);
}

mr_status mr_planner_once(mr_executable *e) {
  uint32_t rows = mr_executable_row_count(e);
  e->once_params = mr_arena_array(&e->arena, bool, e->num_params + 1);
  finding f = {.executable = e, .alike = mr_alloc_zeroed(e->num_buffers + 1, sizeof(bool))};
  if (!e->once_params || !f.alike) {
    mr_free(f.alike);
    return MR_NO_MEMORY();
  }
  for (uint32_t b = 0; b < e->num_buffers && rows > 1; b++) {
    f.alike[b] = begins_alike(e, &e->buffers[b]);
  }
  if (rows > 1 && find_alike(&f)) {
    choose_steps(&f, (uint64_t)MR_PLAN_ONCE_WAKES * e->wake_ns / (rows - 1));
    if (settle_places(&f)) {
      keep_needed(&f);
    }
    measure_shared(e);
  }
  mr_free(f.alike);
  return MR_OK;
}
