// What the steps of a program take on one unit: executions under a trace that is read in memory, or the compiler's estimates.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/run/tuning.h"
#include "core/trace.h"
#include "devices/figures.h"
#include "tools/simulate/arguments.h"
#include "tools/simulate/simulate.h"

// ---- Growing arrays ---------------------------------------------------------------------------------------------------

// Room for one more behind `count` entries, which are made room for in powers of two.
static void *more(void *array, size_t count, size_t size) {
  return count & (count - 1) ? array : mr_realloc(array, (count ? 2 * count : 1) * size);
}

static mr_status add_section(sim_plan *plan, sim_section section) {
  sim_section *larger = more(plan->sections, plan->num_sections, sizeof section);
  if (!larger) {
    return MR_NO_MEMORY();
  }
  plan->sections = larger;
  plan->sections[plan->num_sections++] = section;
  return MR_OK;
}

void sim_plan_deinit(sim_plan *plan) {
  for (uint32_t i = 0; plan->strands && i < plan->num_strands; i++) {
    mr_free(plan->strands[i].inputs);
  }
  mr_free(plan->sections);
  mr_free(plan->steps);
  mr_free(plan->strands);
  *plan = (sim_plan){0};
}

// ---- The plan ---------------------------------------------------------------------------------------------------------

typedef struct reading {
  sim_plan *plan;
  mr_status status;
  bool estimated;
} reading;

static void set_name(sim_step *step, mr_str name) {
  size_t size = MR_MIN(name.size, sizeof step->name - 1);
  memcpy(step->name, name.data, size);
  step->name[size] = '\0';
}

// A kernel is one loop when it is worth it; of a library call nobody knows how it is cut, so that each piece is as much as is worth a
// helper.
static sim_section estimate(const mr_step_info *info) {
  double cost = (double)info->cost_ns;
  uint64_t pieces = strcmp(info->kind, "library") == 0 ? info->cost_ns / 5000 + 1 : info->pieces;
  if (cost < MR_KERNEL_PARALLEL_NS(mr_figures_default.wake_ns) || pieces < 2 || strcmp(info->kind, "while") == 0) {
    return (sim_section){.alone_ns = cost};
  }
  return (sim_section){.loop_ns = cost, .estimate_ns = cost, .pieces = (uint32_t)MR_MIN(pieces, UINT32_MAX)};
}

static void visit_step(void *context, uint32_t number, const mr_step_info *info) {
  (void)number;
  reading *r = context;
  sim_plan *plan = r->plan;
  sim_step *larger = r->status ? NULL : more(plan->steps, plan->num_steps, sizeof *larger);
  if (!larger) {
    r->status = r->status ? r->status : MR_NO_MEMORY();
    return;
  }
  plan->steps = larger;
  sim_step *step = &plan->steps[plan->num_steps++];
  *step = (sim_step){.first = plan->num_sections,
                     .bytes = (double)info->bytes,
                     .touched = (double)info->bytes,
                     .duration_ns = (double)info->cost_ns};
  set_name(step, mr_str_of(info->name));
  if (r->estimated) {
    r->status = add_section(plan, estimate(info));
    step->count = 1;
  }
}

static void visit_strand(void *context, uint32_t number, const mr_strand_info *info) {
  (void)number;
  reading *r = context;
  sim_plan *plan = r->plan;
  sim_strand *larger = r->status ? NULL : more(plan->strands, plan->num_strands, sizeof *larger);
  uint32_t *inputs = larger ? mr_alloc((info->num_inputs + 1) * sizeof *inputs) : NULL;
  if (larger) {
    plan->strands = larger;
  }
  if (!inputs) {
    r->status = r->status ? r->status : MR_NO_MEMORY();
    return;
  }
  for (uint32_t i = 0; i < info->num_inputs; i++) {
    inputs[i] = info->inputs[i];
  }
  plan->strands[plan->num_strands++] =
      (sim_strand){.first = info->first, .count = info->count, .inputs = inputs, .num_inputs = info->num_inputs};
}

static mr_status read_plan(const mr_executable *executable, bool estimated, sim_plan *plan) {
  reading r = {.plan = plan, .estimated = estimated};
  mr_executable_each_step(executable, visit_step, &r);
  mr_executable_each_strand(executable, visit_strand, &r);
  const mr_executable_stats stats = mr_executable_stats_of(executable);
  plan->footprint =
      (double)(stats.argument_bytes + stats.result_bytes + stats.temp_bytes + stats.constant_bytes - stats.alias_bytes);
  return r.status;
}

// ---- One execution's spans --------------------------------------------------------------------------------------------

typedef struct span {
  bool is_loop;
  long thread;
  double start, duration;  // ns
  double estimate_ns;
  uint32_t pieces;
  char name[33];
} span;

typedef struct look {
  span *spans;
  size_t count;
  bool failed;  // no memory
  double total_ns;
  // By step: its span and, behind it in time, those of the loops in it; NULL: not seen.
  const span **of_step;
} look;

static void visit_event(void *context, const mr_trace_event *event) {
  look *l = context;
  bool is_loop = event->category == MR_TRACE_WORKER && mr_str_is(event->name, MR_TRACE_LOOP);
  if (!is_loop && event->category != MR_TRACE_STEP) {
    return;
  }
  span *larger = l->failed ? NULL : more(l->spans, l->count, sizeof *larger);
  if (!larger) {
    l->failed = true;
    return;
  }
  l->spans = larger;
  span *to = &l->spans[l->count++];
  *to = (span){.is_loop = is_loop,
               .thread = event->thread,
               .start = (double)event->offset_ps / 1e3,
               .duration = (double)event->duration_ps / 1e3,
               .estimate_ns = event->about.cost_ns,
               .pieces = event->about.count};
  memcpy(to->name, event->name.data, MR_MIN(event->name.size, sizeof to->name - 1));
}

// By thread and start; what lies around another comes before it.
static int compare_spans(const void *a, const void *b) {
  const span *x = a, *y = b;
  if (x->thread != y->thread) {
    return x->thread < y->thread ? -1 : 1;
  }
  if (x->start != y->start) {
    return x->start < y->start ? -1 : 1;
  }
  if (x->duration != y->duration) {
    return x->duration > y->duration ? -1 : 1;
  }
  return (int)x->is_loop - (int)y->is_loop;
}

// The next step of this name that has no span; UINT32_MAX: none.
static uint32_t find_step(const sim_plan *plan, const look *l, uint32_t from, const char *name) {
  for (uint32_t i = 0; i < plan->num_steps; i++) {
    uint32_t at = (from + i) % plan->num_steps;
    if (!l->of_step[at] && strcmp(plan->steps[at].name, name) == 0) {
      return at;
    }
  }
  return UINT32_MAX;
}

static bool lies_in(const span *inner, const span *outer) {
  return outer && inner->thread == outer->thread && inner->start + 1 < outer->start + outer->duration;
}

static mr_status assign(const sim_plan *plan, look *l) {
  uint32_t seen = 0, next = 0;
  const span *outer = NULL;
  for (size_t i = 0; i < l->count; i++) {
    const span *at = &l->spans[i];
    if (at->is_loop || lies_in(at, outer)) {
      continue;  // steps of loops and branches are the outer step's
    }
    uint32_t step = find_step(plan, l, next, at->name);
    if (step == UINT32_MAX) {
      continue;  // of somebody else's program: a callback's
    }
    outer = at;
    l->of_step[step] = at;
    next = step + 1;
    seen++;
  }
  if (seen == plan->num_steps) {
    return MR_OK;
  }
  return mr_error(MR_INTERNAL, "the trace has %u of the program's %u steps", seen, plan->num_steps);
}

// One execution, looked at.
static mr_status look_at(sim_arguments *arguments, const sim_plan *plan, look *l) {
  mr_trace_session session;
  // Reading the trace of the one before has had the caches.
  MR_TRY(sim_arguments_make(arguments));
  MR_TRY(sim_arguments_execute(arguments));
  MR_TRY(sim_arguments_make(arguments));
  mr_trace_session_start(&session);
  uint64_t start = mr_now_ns();
  mr_status status = sim_arguments_execute(arguments);
  l->total_ns = (double)(mr_now_ns() - start);
  mr_trace_session_stop(&session);
  if (!status) {
    mr_trace_session_visit(&session, visit_event, l);
  }
  mr_trace_session_close(&session);
  MR_TRY(status);
  l->of_step = mr_alloc_zeroed(plan->num_steps + 1, sizeof *l->of_step);
  if (l->failed || !l->of_step) {
    return MR_NO_MEMORY();
  }
  if (l->count) {
    qsort(l->spans, l->count, sizeof *l->spans, compare_spans);
  }
  return assign(plan, l);
}

// ---- What they come to ------------------------------------------------------------------------------------------------

// The look at this step that was disturbed least. Others on the machine only ever make a step longer.
static const look *best_look(const look *looks, size_t count, uint32_t step) {
  const look *best = looks;
  for (size_t i = 1; i < count; i++) {
    if (looks[i].of_step[step]->duration < best->of_step[step]->duration) {
      best = &looks[i];
    }
  }
  return best;
}

// A step as sections: loops, and what is between them. A loop in a loop is the outer one's.
static mr_status cut(sim_plan *plan, sim_step *step, const look *l, const span *whole) {
  double at = whole->start, end = whole->start + whole->duration;
  step->first = plan->num_sections;
  step->duration_ns = whole->duration;
  for (const span *s = whole + 1; s < l->spans + l->count && lies_in(s, whole); s++) {
    if (!s->is_loop || s->start < at) {
      continue;
    }
    double stop = MR_MIN(s->start + s->duration, end);
    MR_TRY(add_section(plan, (sim_section){.alone_ns = s->start - at,
                                           .loop_ns = stop - s->start,
                                           .estimate_ns = s->estimate_ns,
                                           .pieces = s->pieces}));
    at = stop;
  }
  MR_TRY(add_section(plan, (sim_section){.alone_ns = end - at}));
  step->count = plan->num_sections - step->first;
  return MR_OK;
}

static mr_status sum_up(sim_plan *plan, const look *looks, size_t count) {
  plan->around_ns = INFINITY;
  for (size_t i = 0; i < count; i++) {
    double in_steps = 0;
    for (uint32_t k = 0; k < plan->num_steps; k++) {
      in_steps += looks[i].of_step[k]->duration;
    }
    plan->around_ns = fmin(plan->around_ns, fmax(0, looks[i].total_ns - in_steps));
  }
  for (uint32_t i = 0; i < plan->num_steps; i++) {
    const look *l = best_look(looks, count, i);
    MR_TRY(cut(plan, &plan->steps[i], l, l->of_step[i]));
  }
  return MR_OK;
}

static mr_status measure(sim_arguments *arguments, long sessions, sim_plan *plan) {
  enum { ENOUGH = 5, LONG_ENOUGH_NS = 2000000000 };
  // Kernels are compiled, weights packed.
  MR_TRY(sim_arguments_make(arguments));
  MR_TRY(sim_arguments_execute(arguments));
  look *looks = mr_alloc_zeroed((size_t)sessions, sizeof *looks);
  mr_status status = looks ? MR_OK : MR_NO_MEMORY();
  uint64_t deadline = mr_now_ns() + LONG_ENOUGH_NS;
  long count = 0;
  while (!status && count < sessions && (count < ENOUGH || mr_now_ns() < deadline)) {
    status = look_at(arguments, plan, &looks[count++]);
  }
  if (!status) {
    status = sum_up(plan, looks, (size_t)count);
  }
  for (long i = 0; looks && i < sessions; i++) {
    mr_free(looks[i].spans);
    mr_free(looks[i].of_step);
  }
  mr_free(looks);
  return status;
}

mr_status sim_measure(mr_executable *executable, mr_device *device, const sim_options *options, sim_plan *out_plan) {
  *out_plan = (sim_plan){0};
  mr_status status = read_plan(executable, options->estimated, out_plan);
  if (!status && !options->estimated) {
    sim_arguments arguments;
    status = sim_arguments_init(&arguments, executable, device, options->inputs);
    status = status ? status : measure(&arguments, options->sessions, out_plan);
    sim_arguments_deinit(&arguments);
  }
  if (status) {
    sim_plan_deinit(out_plan);
  }
  return status;
}
