// List scheduling of strands, and of the pieces of their loops, event by event.
//
// A unit is at any time in one state: idle, on its way to work that it was called for, in a section that is its alone, in a piece of a
// loop, or waiting for the last pieces of its own loop. Between two events nothing changes, so that what all units do in that time is
// counted at once.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "scheduler/tuning.h"
#include "tools/simulate/simulate.h"

typedef enum unit_state { UNIT_IDLE, UNIT_CALLED, UNIT_ALONE, UNIT_PIECE, UNIT_WAITS, UNIT_STATES } unit_state;
enum { NOBODY = UINT32_MAX };

typedef struct unit {
  unit_state state;
  double idle_since;
  uint32_t strand, step, section;  // NOBODY: it has none
  uint32_t job;                    // whose piece it is in; its owner's number
  bool keeps;                      // it is in a loop that is not worth sharing
  double rate;                     // bytes in a nanosecond that it asks memory for
  double stretched;                // how much longer what it does takes because of the others
} unit;

// A loop of the unit with the same number.
typedef struct job {
  bool open;
  uint32_t left, in_flight, helpers, most_helpers;
  double piece_ns, rate;
  double fetch_ns;  // what a helper's first piece takes besides
} job;

typedef struct event {
  double time;
  uint32_t unit;
} event;

typedef struct simulation {
  const sim_plan *plan;
  const sim_machine *machine;
  unit *units;
  job *jobs;
  event *heap;
  uint32_t heap_size, open_jobs, starved_jobs;
  uint32_t *pending;  // by strand: inputs that have not ended
  uint32_t *ready;    // strands, the first to run last
  uint32_t num_ready, in_state[UNIT_STATES];
  double *rank;  // by strand
  double demand, now;
  uint32_t strands_left;
  sim_outcome *out;
} simulation;

// ---- Events -----------------------------------------------------------------------------------------------------------

static void put_event(simulation *s, double time, uint32_t number) {
  uint32_t at = s->heap_size++;
  while (at && s->heap[(at - 1) / 2].time > time) {
    s->heap[at] = s->heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  s->heap[at] = (event){time, number};
}

static event take_event(simulation *s) {
  event first = s->heap[0], last = s->heap[--s->heap_size];
  uint32_t at = 0;
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child + 1 < s->heap_size && s->heap[child + 1].time < s->heap[child].time) {
      child++;
    }
    if (child >= s->heap_size || s->heap[child].time >= last.time) {
      break;
    }
    s->heap[at] = s->heap[child];
    at = child;
  }
  s->heap[at] = last;
  return first;
}

static void enter(simulation *s, uint32_t number, unit_state state) {
  unit *u = &s->units[number];
  s->in_state[u->state]--;
  s->in_state[state]++;
  u->state = state;
}

// What all units did until `time`.
static void pass_time(simulation *s, double time) {
  double passed = time - s->now;
  s->now = time;
  s->out->handover_ns += passed * s->in_state[UNIT_CALLED];
  s->out->imbalance_ns += passed * s->in_state[UNIT_WAITS];
  // Who finds a loop but no piece of it, or that it is one too many, waits for better cut work; who finds none, for what comes before.
  double *idle = s->open_jobs ? &s->out->imbalance_ns : &s->out->dependency_ns;
  *idle += passed * s->in_state[UNIT_IDLE];
}

// The unit is busy for what takes `ns` while it asks memory for `rate`, or longer when all ask for too much.
static void occupy(simulation *s, uint32_t number, unit_state state, double ns, double rate) {
  unit *u = &s->units[number];
  const sim_machine *m = s->machine;
  uint32_t packages = (m->units + m->per_package - 1) / m->per_package;
  double running = 1 + s->in_state[UNIT_ALONE] + s->in_state[UNIT_PIECE];
  double all = fmin(running * m->unit_bytes_per_ns, packages * m->package_bytes_per_ns);
  u->rate = fmin(rate, m->unit_bytes_per_ns);
  s->demand += u->rate;
  double stretch = fmax(1, s->demand / all);
  u->stretched = ns * (stretch - 1);
  s->out->busy_ns += ns;
  s->out->bandwidth_ns += u->stretched;
  enter(s, number, state);
  put_event(s, s->now + ns * stretch, number);
}

static void vacate(simulation *s, uint32_t number) {
  s->demand = fmax(0, s->demand - s->units[number].rate);
  s->units[number].rate = 0;
}

// ---- Calling others ---------------------------------------------------------------------------------------------------

static bool spins(const simulation *s, const unit *u) { return s->now - u->idle_since < s->machine->spin_ns; }

// An idle unit comes: one that looks around sooner. `only_spinning`: no sleeper is woken.
static bool call_one(simulation *s, bool only_spinning) {
  uint32_t found = NOBODY;
  for (uint32_t i = 0; i < s->machine->units && s->in_state[UNIT_IDLE]; i++) {
    const unit *u = &s->units[i];
    if (u->state != UNIT_IDLE) {
      continue;
    }
    bool spinning = spins(s, u);
    if (spinning || (found == NOBODY && !only_spinning)) {
      found = i;
    }
    if (spinning) {
      break;
    }
  }
  if (found == NOBODY) {
    return false;
  }
  double delay = spins(s, &s->units[found]) ? s->machine->handover_ns : s->machine->wake_ns;
  enter(s, found, UNIT_CALLED);
  put_event(s, s->now + delay, found);
  return true;
}

static double rate_of(const sim_step *step) { return step->duration_ns > 0 ? step->bytes / step->duration_ns : 0; }

// ---- Loops ------------------------------------------------------------------------------------------------------------

static bool any_spins(const simulation *s) {
  for (uint32_t i = 0; i < s->machine->units; i++) {
    if (s->units[i].state == UNIT_IDLE && spins(s, &s->units[i])) {
      return true;
    }
  }
  return false;
}

// As helpers_for() in scheduler/parallel.c.
static uint32_t helpers_for(const simulation *s, const sim_section *section) {
  if (s->machine->units < 2 || section->pieces < 2) {
    return 0;
  }
  if (section->estimate_ns < (any_spins(s) ? MR_PARALLEL_MIN_SPINNING_NS : MR_PARALLEL_MIN_NS)) {
    return 0;
  }
  double by_cost = floor(section->estimate_ns / MR_PARALLEL_HELPER_NS) + 1;
  return (uint32_t)fmin(fmin(by_cost, section->pieces - 1), s->machine->units - 1);
}

static void take_piece(simulation *s, uint32_t number, uint32_t owner, double fetch_ns) {
  job *j = &s->jobs[owner];
  assert(j->left);
  j->in_flight++;
  if (--j->left == 0) {
    s->starved_jobs++;
  }
  s->units[number].job = owner;
  occupy(s, number, UNIT_PIECE, j->piece_ns + fetch_ns, j->rate);
  s->out->busy_ns -= fetch_ns;
  s->out->handover_ns += fetch_ns;
}

// What it takes a helper to get what one loop of this step has in its hands.
static double time_to_fetch(const simulation *s, const sim_step *step, uint32_t helpers) {
  const sim_machine *m = s->machine;
  uint32_t loops = 0;
  for (uint32_t k = step->first; k < step->first + step->count; k++) {
    loops += s->plan->sections[k].loop_ns > 0;
  }
  double share = step->touched / (MR_MAX(loops, 1u) * (helpers + 1.0));
  return m->fetch_bytes_per_ns > 0 ? fmin(share, m->own_cache_bytes) / m->fetch_bytes_per_ns : 0;
}

static void open_loop(simulation *s, uint32_t number, const sim_step *step, const sim_section *section,
                      uint32_t helpers) {
  double most = (double)(helpers + 1) * MR_PARALLEL_PIECES;
  uint32_t pieces = (uint32_t)fmin(most, section->pieces);
  s->jobs[number] = (job){.open = true,
                          .left = pieces,
                          .most_helpers = helpers,
                          .piece_ns = section->loop_ns / pieces,
                          .rate = rate_of(step),
                          .fetch_ns = time_to_fetch(s, step, helpers)};
  s->open_jobs++;
  // Who looks around comes by itself; of those that sleep one is woken, and wakes the next when it has come.
  uint32_t called = 0;
  while (called < helpers && call_one(s, true)) {
    called++;
  }
  if (called < helpers) {
    call_one(s, false);
  }
  take_piece(s, number, number, 0);
}

static bool has_room(const job *j) { return j->open && j->left && j->helpers < j->most_helpers; }

// ---- Strands ----------------------------------------------------------------------------------------------------------

static void go_on(simulation *s, uint32_t number);

static void begin_strand(simulation *s, uint32_t number, uint32_t strand) {
  unit *u = &s->units[number];
  u->strand = strand;
  u->step = s->plan->strands[strand].first;
  u->section = 0;
  go_on(s, number);
}

static void put_ready(simulation *s, uint32_t strand) {
  uint32_t at = s->num_ready++;
  for (; at && s->rank[s->ready[at - 1]] > s->rank[strand]; at--) {
    s->ready[at] = s->ready[at - 1];
  }
  s->ready[at] = strand;
}

static void look_for_work(simulation *s, uint32_t number) {
  if (s->num_ready) {
    begin_strand(s, number, s->ready[--s->num_ready]);
    return;
  }
  for (uint32_t i = 0; i < s->machine->units && s->open_jobs > s->starved_jobs; i++) {
    if (has_room(&s->jobs[i])) {
      s->jobs[i].helpers++;
      take_piece(s, number, i, s->jobs[i].fetch_ns);
      if (has_room(&s->jobs[i])) {
        call_one(s, false);
      }
      return;
    }
  }
  enter(s, number, UNIT_IDLE);
  s->units[number].idle_since = s->now;
}

static void end_strand(simulation *s, uint32_t number) {
  uint32_t ended = s->units[number].strand;
  s->units[number].strand = NOBODY;
  s->strands_left--;
  uint32_t before = s->num_ready;
  for (uint32_t i = 0; i < s->plan->num_strands; i++) {
    const sim_strand *strand = &s->plan->strands[i];
    for (uint32_t e = 0; e < strand->num_inputs; e++) {
      if (strand->inputs[e] == ended && --s->pending[i] == 0) {
        put_ready(s, i);
      }
    }
  }
  for (uint32_t others = before + 1; others < s->num_ready && call_one(s, false); others++) {
  }
  look_for_work(s, number);
}

// The unit's strand, from where it is.
static void go_on(simulation *s, uint32_t number) {
  unit *u = &s->units[number];
  const sim_strand *strand = &s->plan->strands[u->strand];
  while (u->step < strand->first + strand->count) {
    const sim_step *step = &s->plan->steps[u->step];
    if (u->section < step->count) {
      occupy(s, number, UNIT_ALONE, s->plan->sections[step->first + u->section].alone_ns, rate_of(step));
      return;
    }
    u->step++;
    u->section = 0;
  }
  end_strand(s, number);
}

// What was alone is over: its loop, if there is one; or it was the loop.
static void after_alone(simulation *s, uint32_t number) {
  unit *u = &s->units[number];
  const sim_step *step = &s->plan->steps[u->step];
  const sim_section *section = &s->plan->sections[step->first + u->section];
  uint32_t helpers = u->keeps || section->loop_ns <= 0 ? 0 : helpers_for(s, section);
  u->keeps = !helpers && section->loop_ns > 0 && !u->keeps;
  if (u->keeps) {
    occupy(s, number, UNIT_ALONE, section->loop_ns, rate_of(step));
    return;
  }
  u->section++;
  if (helpers) {
    open_loop(s, number, step, section, helpers);
  } else {
    go_on(s, number);
  }
}

static void close_loop(simulation *s, uint32_t owner) {
  s->jobs[owner].open = false;
  s->open_jobs--;
  s->starved_jobs--;
  go_on(s, owner);
}

static void after_piece(simulation *s, uint32_t number) {
  uint32_t owner = s->units[number].job;
  job *j = &s->jobs[owner];
  j->in_flight--;
  if (j->left) {
    take_piece(s, number, owner, 0);
    return;
  }
  bool over = j->in_flight == 0, owner_waits = s->units[owner].state == UNIT_WAITS;
  if (number != owner) {
    if (over && owner_waits) {
      close_loop(s, owner);
    }
    look_for_work(s, number);
  } else if (over) {
    close_loop(s, owner);
  } else {
    enter(s, number, UNIT_WAITS);
  }
}

static void handle(simulation *s, event e) {
  pass_time(s, e.time);
  unit *u = &s->units[e.unit];
  switch (u->state) {
  case UNIT_CALLED: look_for_work(s, e.unit); break;
  case UNIT_ALONE:
    vacate(s, e.unit);
    after_alone(s, e.unit);
    break;
  case UNIT_PIECE:
    vacate(s, e.unit);
    after_piece(s, e.unit);
    break;
  default: assert(!"an event of a unit that has none");
  }
}

// ---- The whole --------------------------------------------------------------------------------------------------------

// How long a strand takes at least, with units without end.
static double least_ns(const sim_plan *plan, const sim_strand *strand) {
  double sum = 0;
  for (uint32_t i = strand->first; i < strand->first + strand->count; i++) {
    const sim_step *step = &plan->steps[i];
    for (uint32_t k = step->first; k < step->first + step->count; k++) {
      const sim_section *section = &plan->sections[k];
      sum += section->alone_ns + section->loop_ns / fmax(1, section->pieces);
    }
  }
  return sum;
}

// The longest way from each strand's start to the end, which decides who goes first, and the longest of all.
static void find_ranks(simulation *s) {
  const sim_plan *plan = s->plan;
  for (uint32_t i = plan->num_strands; i-- > 0;) {
    s->rank[i] += least_ns(plan, &plan->strands[i]);  // so far: the longest way behind it
    for (uint32_t e = 0; e < plan->strands[i].num_inputs; e++) {
      uint32_t input = plan->strands[i].inputs[e];
      s->rank[input] = fmax(s->rank[input], s->rank[i]);
    }
    s->out->critical_ns = fmax(s->out->critical_ns, plan->around_ns + s->rank[i]);
  }
}

static void simulate(simulation *s) {
  find_ranks(s);
  for (uint32_t i = 0; i < s->machine->units; i++) {
    s->units[i] = (unit){.strand = NOBODY, .idle_since = 0};
  }
  s->in_state[UNIT_IDLE] = s->machine->units;
  // What an execution takes besides its steps is one unit's.
  pass_time(s, 0);
  s->in_state[UNIT_IDLE]--;
  pass_time(s, s->plan->around_ns);
  s->in_state[UNIT_IDLE]++;
  s->out->busy_ns += s->plan->around_ns;
  for (uint32_t i = s->plan->num_strands; i-- > 0;) {
    s->pending[i] = s->plan->strands[i].num_inputs;
    if (!s->pending[i]) {
      put_ready(s, i);
    }
  }
  s->strands_left = s->plan->num_strands;
  for (uint32_t others = 1; others < s->num_ready && others < s->machine->units; others++) {
    s->units[0].state = UNIT_WAITS;  // itself is not called
    call_one(s, false);
    s->units[0].state = UNIT_IDLE;
  }
  look_for_work(s, 0);
  while (s->strands_left) {
    assert(s->heap_size);
    handle(s, take_event(s));
  }
}

mr_status sim_run(const sim_plan *plan, const sim_machine *machine, sim_outcome *out_outcome) {
  *out_outcome = (sim_outcome){0};
  uint32_t n = plan->num_strands, units = machine->units;
  simulation s = {.plan = plan, .machine = machine, .out = out_outcome};
  size_t bytes = units * (sizeof(unit) + sizeof(job) + sizeof(event)) + n * (sizeof(double) + 2 * sizeof(uint32_t));
  char *block = mr_alloc_zeroed(1, bytes);
  if (!block) {
    return MR_NO_MEMORY();
  }
  s.units = (unit *)(void *)block;
  s.jobs = (job *)(void *)(s.units + units);
  s.heap = (event *)(void *)(s.jobs + units);
  s.rank = (double *)(void *)(s.heap + units);
  s.pending = (uint32_t *)(void *)(s.rank + n);
  s.ready = s.pending + n;
  simulate(&s);
  out_outcome->total_ns = s.now;
  double memory = 0;
  for (uint32_t i = 0; i < plan->num_steps; i++) {
    memory += plan->steps[i].bytes;
  }
  uint32_t packages = (units + machine->per_package - 1) / machine->per_package;
  out_outcome->memory_ns = memory / fmin(units * machine->unit_bytes_per_ns, packages * machine->package_bytes_per_ns);
  mr_free(block);
  return MR_OK;
}
