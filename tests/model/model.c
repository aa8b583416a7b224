// The explorer: threads, the choices of a run, what a state is, and which runs a scenario has.
#include "tests/model/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#undef memset
#undef memcpy

enum { MAX_CHOICES = 20000, MAX_STEPS = 1000000, STACK = 256 << 10, PLACES = 1 << 12, MAX_PRINTED = 200 };
// So many steps a scenario has in its second pass, of the bounds in turn, and at random, where it has no more of these than of those.
enum { WEAK_STEPS = 600000, RANDOM_STEPS = 300000 };

thread model_threads[MAX_THREADS];
static char stacks[MAX_THREADS][STACK] __attribute__((aligned(64)));
// Of each stack, where its thread begins: the first time as a context, then by a jump to the outermost function, which makes no system calls.
static ucontext_t contexts[MAX_THREADS];
static jmp_buf beginnings[MAX_THREADS];
static bool has_begun[MAX_THREADS];
int model_thread_count, model_current = -1;
uint64_t model_run_number;
static jmp_buf explorer;

static struct local {
  void *storage;
  size_t size;
} locals[MAX_LOCALS];
static int local_count;

// How many preemptions a run may have, and how many loads that see older writes.
typedef struct bounds {
  int preemptions, olds;
} bounds;

// The choices of this run: which of the candidates went on, or which write a load saw, and how many there were.
static uint8_t choice[MAX_CHOICES], candidates[MAX_CHOICES];
static int depth, planned;
static bounds left, limit;
static bool known;  // from here on this run goes where others have been
// Where runs are random: what made the last choice, and one in how many is not the first candidate's.
static bool is_random;
static uint64_t random_state;
static uint32_t switches_one_in, olds_one_in;
bool model_is_weak;
static int passes;
static uint64_t steps, all_steps;  // of this run, and of those before
static const char *scenario_name;

void model_local(void *storage, size_t size) { locals[local_count++] = (struct local){storage, size}; }

void model_check(bool holds, const char *what) {
  if (holds) {
    return;
  }
  model_tell_of_mutant(scenario_name, what);
  fprintf(stderr, "%s: %s\nchoices:", scenario_name, what);
  for (int i = 0; i < depth && i < MAX_PRINTED; i++) {
    fprintf(stderr, " %d/%d", choice[i], candidates[i]);
  }
  fputc('\n', stderr);
  fflush(NULL);
  _exit(1);  // threads are in the middle of something
}

// ---- What a state is ----------------------------------------------------------------------------------------------------
//
// Two runs are in the same state when each of their threads has done the same steps and has seen, in each, what the same steps
// of others had written: orders that differ only in steps that have nothing to do with one another come together. A thread's
// history is a hash of that. It says nothing of plain memory, which is right as long as atomic operations order all accesses
// to it; where they do not, races.c says so. In the second pass a load has nothing to do with the writes that it does not see, so
// its place among them makes no state, but which it saw and which write came after which does.

uint64_t model_mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15u + b;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

// An address that was used in this run.
static struct place {
  const volatile void *address;
  uint64_t run;      // entries of former runs are empty
  uint64_t written;  // the history of who wrote it last
  uint64_t read;     // the sum of the histories of who has read that
} places[PLACES];

static struct place *place_of(const volatile void *address) {
  for (uint64_t at = model_mix(0, (uintptr_t)address);; at++) {
    struct place *p = &places[at % PLACES];
    if (p->run != model_run_number) {
      *p = (struct place){.address = address, .run = model_run_number};
    }
    if (p->address == address) {
      return p;
    }
  }
}

// Before a step that has to do with nobody else's, others need no chance to go on: it makes no difference to them. Which
// addresses are more than one thread's, and written to, is learned; when another one turns up, everything begins again.
static struct use {
  const volatile void *address;
  uint32_t threads;  // a bit for each
  bool written, shared;
} uses[PLACES];
static bool learned;

static struct use *use_of(const volatile void *address) {
  uint64_t at = model_mix(0, (uintptr_t)address), end = at + PLACES;
  while (uses[at % PLACES].address && uses[at % PLACES].address != address) {
    model_check(++at < end, "too many addresses: is something not as it was before?");
  }
  return &uses[at % PLACES];
}

static void learn(const volatile void *address, bool wrote) {
  struct use *u = use_of(address);
  u->address = address;
  u->threads |= 1u << model_current;
  u->written |= wrote;
  if (u->shared || !u->written || !(u->threads & (u->threads - 1))) {
    return;
  }
  u->shared = learned = true;
}

bool model_is_shared(const volatile void *address) { return use_of(address)->shared; }

void model_note(const volatile void *address, bool wrote) {
  learn(address, wrote);
  thread *t = &model_threads[model_current];
  struct place *p = place_of(address);
  uint64_t what = model_mix((uintptr_t)address, wrote);
  if (wrote) {
    t->history = model_mix(model_mix(model_mix(t->history, p->written), p->read), what);
    p->written = t->history;
    p->read = 0;
  } else {
    t->history = model_mix(model_mix(t->history, p->written), what);
    p->read += t->history;
  }
}

uint64_t model_note_order(const volatile void *address, uint64_t seen, bool wrote) {
  learn(address, wrote);
  thread *t = &model_threads[model_current];
  return t->history = model_mix(model_mix(t->history, seen), model_mix((uintptr_t)address, wrote));
}

void model_wake_yielding(void) {
  for (int i = 0; i < model_thread_count; i++) {
    if (i != model_current) {
      model_threads[i].yields = false;
    }
  }
}

// The states that were reached, and what was left there; 0 is empty.
static uint64_t *states;
static bounds *states_left;
static size_t state_count, state_room;

static size_t slot_of(uint64_t state) {
  size_t at = state % state_room;
  while (states[at] && states[at] != state) {
    at = (at + 1) % state_room;
  }
  return at;
}

static void make_room(size_t room) {
  uint64_t *old = states;
  bounds *old_left = states_left;
  size_t old_room = state_room;
  state_room = room;
  states = calloc(room, sizeof *states);
  states_left = calloc(room, sizeof *states_left);
  model_check(states && states_left, "no memory");
  for (size_t i = 0; i < old_room; i++) {
    if (!old[i]) {
      continue;
    }
    size_t at = slot_of(old[i]);
    states[at] = old[i];
    states_left[at] = old_left[i];
  }
  free(old);
  free(old_left);
}

// True: everything that can follow has been seen. `last` goes on for free; -1: nobody.
static bool was_here(int last) {
  uint64_t state = limit.preemptions < MODEL_ALL ? (uint64_t)last + 2 : 1;
  for (int i = 0; i < model_thread_count; i++) {
    const thread *t = &model_threads[i];
    uint64_t stands = (uint64_t)t->begun | (uint64_t)t->finished << 1 | (uint64_t)t->yields << 2;
    state = model_mix(model_mix(state, t->history), stands | (uint64_t)(t->parked_on != NULL) << 3);
  }
  state |= 1;
  if (2 * state_count >= state_room) {
    make_room(state_room ? 2 * state_room : 1 << 16);
  }
  size_t at = slot_of(state);
  if (states[at] && states_left[at].preemptions >= left.preemptions && states_left[at].olds >= left.olds) {
    return true;
  }
  state_count += !states[at];
  states[at] = state;
  states_left[at] = left;
  return false;
}

// ---- Who goes on ----------------------------------------------------------------------------------------------------------

static bool can_run(int i) {
  const thread *t = &model_threads[i];
  return !t->finished && !t->parked_on && !t->yields;
}

// Nobody can go on: time passes, for one of those that wait with a deadline or look again and again, each in turn.
static int find_timed(void) {
  int found = -1;
  for (int i = 0; i < model_thread_count; i++) {
    const thread *t = &model_threads[i];
    if (t->finished || !(t->yields || (t->parked_on && t->timed))) {
      continue;
    }
    if (found < 0 || t->had_time < model_threads[found].had_time) {
      found = i;
    }
  }
  if (found >= 0) {
    model_threads[found].had_time = steps;
  }
  return found;
}

static uint32_t next_random(uint32_t below) { return (uint32_t)((model_mix(6, ++random_state) >> 16) % below); }

// One of the candidates; at random the first one mostly, but one in so many times.
static int decide(int count, uint32_t one_in) {
  model_check(depth < MAX_CHOICES, "too many choices");
  if (is_random) {
    choice[depth] = next_random(one_in) ? 0 : (uint8_t)next_random((uint32_t)count);
  } else if (depth >= planned) {
    choice[depth] = 0;
  }
  candidates[depth] = (uint8_t)count;
  return choice[depth++];
}

int model_pick_write(int count) {
  if (count <= 1 || !left.olds || known) {
    return 0;
  }
  int picked = decide(count, olds_one_in);
  left.olds -= picked > 0;
  return picked;
}

// The next thread: `last` first when it can go on, any other costs a preemption then. -1: none.
static int choose(int last) {
  int options[MAX_THREADS] = {-1}, count = 0;
  bool goes_on = last >= 0 && can_run(last);
  if (goes_on) {
    options[count++] = last;
  }
  for (int i = 0; i < model_thread_count; i++) {
    if (i != last && can_run(i) && (!goes_on || left.preemptions > 0)) {
      options[count++] = i;
    }
  }
  model_check(++steps < MAX_STEPS, "it goes on for ever");
  if (!count) {
    options[0] = find_timed();
  }
  if (options[0] < 0) {
    return -1;
  }
  int chosen = options[0];
  if (count > 1 && !known) {
    if (!is_random && depth >= planned && was_here(goes_on ? last : -1)) {
      known = true;
    } else {
      chosen = options[decide(count, goes_on ? switches_one_in : 1)];
      left.preemptions -= goes_on && chosen != last && limit.preemptions < MODEL_ALL;
    }
  }
  thread *t = &model_threads[chosen];
  t->timed_out = t->parked_on != NULL;
  t->parked_on = NULL;
  t->yields = false;
  return chosen;
}

bool model_is_local(const volatile void *address) {
  for (int i = 0; i < local_count; i++) {
    if ((uintptr_t)address - (uintptr_t)locals[i].storage < locals[i].size) {
      return true;
    }
  }
  return false;
}

static void keep_locals(thread *t) {
  for (int i = 0; i < local_count; i++) {
    memcpy(t->locals[i], locals[i].storage, locals[i].size);
  }
}

static void resume(int next) {
  thread *t = &model_threads[next];
  for (int i = 0; i < local_count; i++) {
    memcpy(locals[i].storage, t->locals[i], locals[i].size);
  }
  model_current = next;
  if (t->begun) {
    _longjmp(t->where, 1);
  }
  t->begun = true;
  if (has_begun[next]) {
    _longjmp(beginnings[next], 1);
  }
  setcontext(&contexts[next]);
}

static void thread_main(int index) {
  has_begun[index] = true;
  _setjmp(beginnings[index]);
  model_threads[index].run(model_threads[index].argument);
  model_threads[index].finished = true;
  keep_locals(&model_threads[index]);
  int next = choose(index);
  if (next >= 0) {
    resume(next);
  }
  _longjmp(explorer, 1);
}

// Before a step: others may go on first.
void model_give_way(void) {
  int next = choose(model_current);
  if (next == model_current) {
    return;
  }
  thread *t = &model_threads[model_current];
  keep_locals(t);
  if (_setjmp(t->where)) {
    return;
  }
  if (next < 0) {
    _longjmp(explorer, 1);
  }
  resume(next);
}

// ---- Scenarios --------------------------------------------------------------------------------------------------------------

void model_thread(void (*run)(void *argument), void *argument) {
  thread *t = &model_threads[model_thread_count];
  memset(t, 0, sizeof *t);
  t->run = run;
  t->argument = argument;
  t->history = model_mix(1, (uint64_t)model_thread_count);
  model_orders_begin(model_thread_count);
  if (!has_begun[model_thread_count]) {
    ucontext_t *context = &contexts[model_thread_count];
    getcontext(context);
    context->uc_stack.ss_sp = stacks[model_thread_count];
    context->uc_stack.ss_size = STACK;
    makecontext(context, (void (*)(void))thread_main, 1, model_thread_count);
  }
  model_thread_count++;
}

void model_join(void) {
  int first = choose(-1);
  if (first >= 0 && !_setjmp(explorer)) {
    resume(first);
  }
  model_current = -1;
  for (int i = 0; i < model_thread_count; i++) {
    model_check(model_threads[i].finished, "a thread sleeps for ever");
  }
  for (int i = 0; i < local_count; i++) {
    memset(locals[i].storage, 0, locals[i].size);
  }
}

// The next sequence of choices: the last one that has another candidate takes it.
static bool advance(void) {
  while (depth > 0 && choice[depth - 1] + 1 == candidates[depth - 1]) {
    depth--;
  }
  if (!depth) {
    return false;
  }
  choice[depth - 1]++;
  planned = depth;
  return true;
}

static void begin_again(void) {
  free(states);
  free(states_left);
  states = NULL;
  states_left = NULL;
  state_count = state_room = 0;
  planned = 0;
}

// Nanoseconds of the machine's clock at which an exploration that begins now is to end; 0: when it has seen all.
static uint64_t find_end(void) {
  const char *seconds = getenv("MILLRACE_MODEL_SECONDS");
  return seconds ? mr_now_ns() + strtoull(seconds, NULL, 10) * UINT64_C(1000000000) : 0;
}

static bool is_time_up(uint64_t end, uint64_t runs) { return end && runs % 256 == 0 && mr_now_ns() >= end; }

static void run_once(void (*scenario)(void)) {
  model_run_number++;
  depth = model_thread_count = 0;
  all_steps += steps;
  steps = 0;
  known = learned = false;
  left = limit;
  scenario();
}

// Every choice within the limit, until there have been so many steps. False: there are more.
static bool explore_limit(void (*scenario)(void), uint64_t last_step, uint64_t end, uint64_t *inout_runs) {
  uint64_t runs = 0;
  bool whole = true;
  planned = 0;
  do {
    run_once(scenario);
    runs++;
    if (learned) {
      begin_again();
    }
    whole = all_steps < last_step && !is_time_up(end, runs);
  } while (whole && (learned || advance()));
  *inout_runs += runs;
  return whole;
}

static void explore_sc(const char *name, void (*scenario)(void), int preemptions, uint64_t *out_runs) {
  limit = (bounds){preemptions, 0};
  bool whole = explore_limit(scenario, UINT64_MAX, find_end(), out_runs);
  printf("%s: %llu states in %llu runs, ", name, (unsigned long long)state_count, (unsigned long long)*out_runs);
  if (limit.preemptions < MODEL_ALL) {
    printf("up to %d preemptions%s\n", limit.preemptions, whole ? "" : ", not all: time is up");
  } else {
    printf("every order%s\n", whole ? "" : ", not all: time is up");
  }
  fflush(stdout);
  begin_again();
}

// The bounds one after another, as far as so many steps go. Returns the last of which all was seen.
static bounds explore_bounds(void (*scenario)(void), int preemptions, uint64_t most, uint64_t end,
                             uint64_t *inout_runs) {
  static const bounds all[] = {{0, 1}, {1, 0}, {1, 1}, {2, 1}, {1, 2}, {2, 2}, {3, 2}, {3, 3}};
  uint64_t last_step = all_steps + most;
  bounds seen = {0, 0};
  for (size_t i = 0; i < sizeof all / sizeof *all && all_steps < last_step; i++) {
    limit = all[i];
    if (limit.preemptions <= preemptions && explore_limit(scenario, last_step, end, inout_runs)) {
      seen = limit;
    }
    begin_again();
  }
  return seen;
}

// Each run has other chances of a switch and of an old value than the one before.
static void explore_at_random(void (*scenario)(void), uint64_t most, uint64_t end, uint64_t *inout_runs) {
  uint64_t last_step = all_steps + most;
  is_random = true;
  random_state = 0;
  for (uint64_t i = 0; all_steps < last_step && !is_time_up(end, i); i++) {
    limit = (bounds){MODEL_ALL, 1 + (int)(i % 6)};
    switches_one_in = 2u << i % 5;
    olds_one_in = 2u << i % 3;
    run_once(scenario);
    ++*inout_runs;
  }
  is_random = false;
}

static void explore_weak(const char *name, void (*scenario)(void), int preemptions, uint64_t eighths) {
  uint64_t runs = 0, end = find_end();
  model_is_weak = true;
  uint64_t before = all_steps;
  bounds seen = explore_bounds(scenario, preemptions, eighths * (WEAK_STEPS / 8), end, &runs);
  explore_at_random(scenario, MR_MIN(all_steps - before, eighths * (RANDOM_STEPS / 8)), end, &runs);
  model_is_weak = false;
  printf("%s: weak orders, %llu runs, all of up to %d preemptions and %d old values\n", name, (unsigned long long)runs,
         seen.preemptions, seen.olds);
  fflush(stdout);
}

void model_set_passes(int of) { passes = of; }

static int passes_of_environment(void) {
  const char *orders = getenv("MILLRACE_MODEL_ORDERS");
  if (!orders || strcmp(orders, "both") == 0) {
    return MODEL_SC | MODEL_WEAK;
  }
  return strcmp(orders, "weak") == 0 ? MODEL_WEAK : MODEL_SC;
}

uint64_t model_explore(const char *name, void (*scenario)(void), int preemptions) {
  const char *more = getenv("MILLRACE_MODEL_MORE");
  int extra = more ? atoi(more) : 0, which = passes ? passes : passes_of_environment();
  uint64_t runs = 0;
  scenario_name = name;
  if (!model_looks_for_mutant(name)) {
    return 0;
  }
  memset(uses, 0, sizeof uses);
  if (which & MODEL_SC) {
    explore_sc(name, scenario, preemptions < MODEL_ALL ? preemptions + extra : preemptions, &runs);
  }
  if (which & MODEL_WEAK) {
    explore_weak(name, scenario, preemptions, model_tries_all() ? 1 : 8 * (1 + 3 * (uint64_t)extra));
  }
  return runs;
}
