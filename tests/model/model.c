#include "tests/model/model.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { MAX_THREADS = 5, MAX_CHOICES = 20000, MAX_STEPS = 1000000, STACK = 256 << 10 };
enum { MAX_LOCALS = 4, LOCAL_BYTES = 256, PLACES = 1 << 12, MAX_LOCKED = 8, MAX_PRINTED = 200 };

typedef struct thread {
  jmp_buf where;
  void (*run)(void *argument);
  void *argument;
  bool begun, finished;
  const void *parked_on;
  bool timed;  // it wakes up by itself when nobody else can go on
  bool timed_out;
  uint64_t had_time;  // at which step time passed for it
  bool yields;        // until somebody writes something
  uint64_t history;   // stands for everything it did and saw; see model_saw()
  uint64_t clock;
  char locals[MAX_LOCALS][LOCAL_BYTES];
} thread;

static thread threads[MAX_THREADS];
static char stacks[MAX_THREADS][STACK] __attribute__((aligned(64)));
// Of each stack, where its thread begins: the first time as a context, then by a jump to the outermost function, which makes no system calls.
static ucontext_t contexts[MAX_THREADS];
static jmp_buf beginnings[MAX_THREADS];
static bool has_begun[MAX_THREADS];
static int thread_count, current = -1;
static jmp_buf explorer;

static struct local {
  void *storage;
  size_t size;
} locals[MAX_LOCALS];
static int local_count;

// The choices of this run: which of the candidates went on, and how many there were.
static uint8_t choice[MAX_CHOICES], candidates[MAX_CHOICES];
static int depth, planned, preemptions_left, preemption_limit;
static bool known;  // from here on this run goes where others have been
static uint64_t steps;
static const char *scenario_name;

void model_local(void *storage, size_t size) { locals[local_count++] = (struct local){storage, size}; }

void model_check(bool holds, const char *what) {
  if (holds) {
    return;
  }
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
// to it; where they do not, ThreadSanitizer says so.

static uint64_t mix(uint64_t a, uint64_t b) {
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
static uint64_t run_number;

static struct place *place_of(const volatile void *address) {
  for (uint64_t at = mix(0, (uintptr_t)address);; at++) {
    struct place *p = &places[at % PLACES];
    if (p->run != run_number) {
      *p = (struct place){.address = address, .run = run_number};
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
  uint64_t at = mix(0, (uintptr_t)address), end = at + PLACES;
  while (uses[at % PLACES].address && uses[at % PLACES].address != address) {
    model_check(++at < end, "too many addresses: is something not as it was before?");
  }
  return &uses[at % PLACES];
}

static void learn(const volatile void *address, bool wrote) {
  struct use *u = use_of(address);
  u->address = address;
  u->threads |= 1u << current;
  u->written |= wrote;
  if (u->shared || !u->written || !(u->threads & (u->threads - 1))) {
    return;
  }
  u->shared = learned = true;
}

static void saw(const volatile void *address, bool wrote) {
  learn(address, wrote);
  thread *t = &threads[current];
  struct place *p = place_of(address);
  uint64_t what = mix((uintptr_t)address, wrote);
  if (wrote) {
    t->history = mix(mix(mix(t->history, p->written), p->read), what);
    p->written = t->history;
    p->read = 0;
  } else {
    t->history = mix(mix(t->history, p->written), what);
    p->read += t->history;
  }
}

void model_saw(const volatile void *address, bool wrote) {
  if (current < 0) {
    return;
  }
  saw(address, wrote);
  for (int i = 0; wrote && i < thread_count; i++) {
    if (i != current) {
      threads[i].yields = false;
    }
  }
}

// The states that were reached, and how many preemptions were left there; 0 is empty.
static uint64_t *states;
static uint8_t *states_left;
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
  uint8_t *old_left = states_left;
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
  uint64_t state = preemption_limit < MODEL_ALL ? (uint64_t)last + 2 : 1;
  for (int i = 0; i < thread_count; i++) {
    const thread *t = &threads[i];
    uint64_t stands = (uint64_t)t->begun | (uint64_t)t->finished << 1 | (uint64_t)t->yields << 2;
    state = mix(mix(state, t->history), stands | (uint64_t)(t->parked_on != NULL) << 3);
  }
  state |= 1;
  if (2 * state_count >= state_room) {
    make_room(state_room ? 2 * state_room : 1 << 16);
  }
  size_t at = slot_of(state);
  if (states[at] && states_left[at] >= preemptions_left) {
    return true;
  }
  state_count += !states[at];
  states[at] = state;
  states_left[at] = (uint8_t)preemptions_left;
  return false;
}

// ---- Who goes on ----------------------------------------------------------------------------------------------------------

static bool can_run(int i) {
  const thread *t = &threads[i];
  return !t->finished && !t->parked_on && !t->yields;
}

// Nobody can go on: time passes, for one of those that wait with a deadline or look again and again, each in turn.
static int find_timed(void) {
  int found = -1;
  for (int i = 0; i < thread_count; i++) {
    const thread *t = &threads[i];
    if (t->finished || !(t->yields || (t->parked_on && t->timed))) {
      continue;
    }
    if (found < 0 || t->had_time < threads[found].had_time) {
      found = i;
    }
  }
  if (found >= 0) {
    threads[found].had_time = steps;
  }
  return found;
}

// The next thread: `last` first when it can go on, any other costs a preemption then. -1: none.
static int choose(int last) {
  int options[MAX_THREADS] = {-1}, count = 0;
  bool goes_on = last >= 0 && can_run(last);
  if (goes_on) {
    options[count++] = last;
  }
  for (int i = 0; i < thread_count; i++) {
    if (i != last && can_run(i) && (!goes_on || preemptions_left > 0)) {
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
    if (depth >= planned && was_here(goes_on ? last : -1)) {
      known = true;
    } else {
      model_check(depth < MAX_CHOICES, "too many choices");
      if (depth >= planned) {
        choice[depth] = 0;
      }
      candidates[depth] = (uint8_t)count;
      chosen = options[choice[depth++]];
      if (goes_on && chosen != last && preemption_limit < MODEL_ALL) {
        preemptions_left--;
      }
    }
  }
  thread *t = &threads[chosen];
  t->timed_out = t->parked_on != NULL;
  t->parked_on = NULL;
  t->yields = false;
  return chosen;
}

static void keep_locals(thread *t) {
  for (int i = 0; i < local_count; i++) {
    memcpy(t->locals[i], locals[i].storage, locals[i].size);
  }
}

static void resume(int next) {
  thread *t = &threads[next];
  for (int i = 0; i < local_count; i++) {
    memcpy(locals[i].storage, t->locals[i], locals[i].size);
  }
  current = next;
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
  threads[index].run(threads[index].argument);
  threads[index].finished = true;
  keep_locals(&threads[index]);
  int next = choose(index);
  if (next >= 0) {
    resume(next);
  }
  _longjmp(explorer, 1);
}

// Before a step: others may go on first.
static void give_way(void) {
  int next = choose(current);
  if (next == current) {
    return;
  }
  thread *t = &threads[current];
  keep_locals(t);
  if (_setjmp(t->where)) {
    return;
  }
  if (next < 0) {
    _longjmp(explorer, 1);
  }
  resume(next);
}

// ---- For the code under test ------------------------------------------------------------------------------------------------

void model_step(const volatile void *address) {
  if (current >= 0 && use_of(address)->shared) {
    give_way();  // -1: while setting up or checking
  }
}

void model_crossing(void) {
  if (current < 0) {
    return;
  }
  give_way();
  threads[current].history = mix(threads[current].history, 2);
}

// What parking and unparking have to do with one another, apart from the word's content.
static const volatile void *sleepers_of(const void *word) { return (const volatile char *)word + 1; }

bool model_park(const void *word, uint32_t expected, bool timed) {
  // One step that has to do with both: the futex looks and sleeps at once.
  model_step(use_of(word)->shared ? word : sleepers_of(word));
  model_saw(word, false);
  if (*(const volatile uint32_t *)word != expected) {
    return true;
  }
  thread *t = &threads[current];
  model_saw(sleepers_of(word), true);
  t->parked_on = word;
  t->timed = timed;
  t->timed_out = false;
  give_way();
  return !t->timed_out;
}

void model_unpark(const void *word) {
  model_step(sleepers_of(word));
  model_saw(sleepers_of(word), true);
  for (int i = 0; i < thread_count; i++) {
    if (threads[i].parked_on == word) {
      threads[i].parked_on = NULL;
    }
  }
}

uint64_t model_clock(void) { return current < 0 ? 1 : (threads[current].clock += 1000000000); }

void model_yield(void) {
  if (current < 0) {
    return;
  }
  threads[current].history = mix(threads[current].history, 1);
  threads[current].yields = true;
  give_way();
}

static const void *locked[MAX_LOCKED];

static const void **find_lock(const void *lock) {
  for (int i = 0; i < MAX_LOCKED; i++) {
    if (locked[i] == lock) {
      return &locked[i];
    }
  }
  return NULL;
}

bool model_try_lock(const void *lock) {
  model_step(lock);
  bool is_free = !find_lock(lock);
  if (current >= 0) {
    saw(lock, is_free);  // no news for those that look again and again
  }
  if (is_free) {
    *find_lock(NULL) = lock;
  }
  return is_free;
}

void model_lock(const void *lock) {
  while (!model_try_lock(lock)) {
    if (current < 0) {
      model_check(false, "a lock is held outside");
    }
    threads[current].parked_on = lock;
    threads[current].timed = false;
    give_way();
  }
}

void model_unlock(const void *lock) {
  model_step(lock);
  if (current >= 0) {
    saw(lock, true);
  }
  const void **held = find_lock(lock);
  model_check(held != NULL, "a lock that nobody holds");
  *held = NULL;
  for (int i = 0; i < thread_count; i++) {
    if (threads[i].parked_on == lock) {
      threads[i].parked_on = NULL;
    }
  }
}

void model_forget_lock(const void *lock) {
  const void **held = find_lock(lock);
  if (held) {
    *held = NULL;
  }
}

void model_end_others(void) {
  for (int i = 0; i < thread_count; i++) {
    if (i != current) {
      threads[i].finished = true;
    }
  }
}

// ---- Scenarios --------------------------------------------------------------------------------------------------------------

void model_thread(void (*run)(void *argument), void *argument) {
  thread *t = &threads[thread_count];
  memset(t, 0, sizeof *t);
  t->run = run;
  t->argument = argument;
  t->history = mix(1, (uint64_t)thread_count);
  if (!has_begun[thread_count]) {
    ucontext_t *context = &contexts[thread_count];
    getcontext(context);
    context->uc_stack.ss_sp = stacks[thread_count];
    context->uc_stack.ss_size = STACK;
    makecontext(context, (void (*)(void))thread_main, 1, thread_count);
  }
  thread_count++;
}

void model_join(void) {
  int first = choose(-1);
  if (first >= 0 && !_setjmp(explorer)) {
    resume(first);
  }
  current = -1;
  for (int i = 0; i < thread_count; i++) {
    model_check(threads[i].finished, "a thread sleeps for ever");
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

uint64_t model_explore(const char *name, void (*scenario)(void), int preemptions) {
  const char *more = getenv("MILLRACE_MODEL_MORE");
  uint64_t runs = 0, end = find_end();
  bool whole = true;
  scenario_name = name;
  preemption_limit = preemptions;
  if (more && preemptions < MODEL_ALL) {
    preemption_limit += atoi(more);
  }
  planned = 0;
  memset(uses, 0, sizeof uses);
  do {
    run_number++;
    depth = thread_count = 0;
    steps = 0;
    known = learned = false;
    preemptions_left = preemption_limit;
    scenario();
    runs++;
    if (learned) {
      begin_again();
    }
    whole = !is_time_up(end, runs);
  } while (whole && (learned || advance()));
  printf("%s: %llu states in %llu runs, ", name, (unsigned long long)state_count, (unsigned long long)runs);
  if (preemption_limit < MODEL_ALL) {
    printf("up to %d preemptions%s\n", preemption_limit, whole ? "" : ", not all: time is up");
  } else {
    printf("every order%s\n", whole ? "" : ", not all: time is up");
  }
  fflush(stdout);
  begin_again();
  return runs;
}
