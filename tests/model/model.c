#include "tests/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { MAX_THREADS = 4, MAX_STEPS = 20000, STACK = 256 << 10, MAX_LOCALS = 4, LOCAL_BYTES = 256 };

typedef struct thread {
  ucontext_t context;
  void (*run)(void *argument);
  void *argument;
  bool finished;
  const void *parked_on;
  char locals[MAX_LOCALS][LOCAL_BYTES];
} thread;

static thread threads[MAX_THREADS];
static char stacks[MAX_THREADS][STACK] __attribute__((aligned(64)));
static int thread_count, current = -1;
static ucontext_t explorer;

static struct local {
  void *storage;
  size_t size;
} locals[MAX_LOCALS];
static int local_count;

// The choices of this run: which of the candidates went on, and how many there were.
static uint8_t choice[MAX_STEPS], candidates[MAX_STEPS];
static int depth, planned, preemptions_left, preemption_limit;
static const char *scenario_name;

void model_local(void *storage, size_t size) { locals[local_count++] = (struct local){storage, size}; }

void model_check(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s: %s\nchoices:", scenario_name, what);
  for (int i = 0; i < depth; i++) fprintf(stderr, " %d/%d", choice[i], candidates[i]);
  fputc('\n', stderr);
  exit(1);
}

static void thread_main(int index) {
  threads[index].run(threads[index].argument);
  threads[index].finished = true;
  swapcontext(&threads[index].context, &explorer);
}

void model_thread(void (*run)(void *argument), void *argument) {
  thread *t = &threads[thread_count];
  memset(t, 0, sizeof(*t));
  t->run = run;
  t->argument = argument;
  getcontext(&t->context);
  t->context.uc_stack.ss_sp = stacks[thread_count];
  t->context.uc_stack.ss_size = STACK;
  makecontext(&t->context, (void (*)(void))thread_main, 1, thread_count);
  thread_count++;
}

void model_step(void) {
  if (current < 0) return;  // setting up or checking
  swapcontext(&threads[current].context, &explorer);
}

bool model_park(const void *word, uint32_t expected) {
  model_step();
  if (*(const volatile uint32_t *)word == expected) {
    threads[current].parked_on = word;
    swapcontext(&threads[current].context, &explorer);
  }
  return true;
}

void model_unpark(const void *word) {
  model_step();
  for (int i = 0; i < thread_count; i++) {
    if (threads[i].parked_on == word) threads[i].parked_on = NULL;
  }
}

static bool can_run(int i) { return !threads[i].finished && !threads[i].parked_on; }

// The next thread: `last` first when it can go on, any other costs a preemption then.
static int choose(int last) {
  int options[MAX_THREADS], count = 0;
  bool goes_on = last >= 0 && can_run(last);
  if (goes_on) options[count++] = last;
  for (int i = 0; i < thread_count; i++) {
    if (i != last && can_run(i) && (!goes_on || preemptions_left > 0)) options[count++] = i;
  }
  if (!count) return -1;
  if (count == 1) return options[0];
  model_check(depth < MAX_STEPS, "too many steps");
  if (depth >= planned) choice[depth] = 0;
  candidates[depth] = (uint8_t)count;
  int chosen = options[choice[depth++]];
  if (goes_on && chosen != last) preemptions_left--;
  return chosen;
}

static void go_on(int next) {
  thread *t = &threads[next];
  for (int i = 0; i < local_count; i++) memcpy(locals[i].storage, t->locals[i], locals[i].size);
  current = next;
  swapcontext(&explorer, &t->context);
  current = -1;
  for (int i = 0; i < local_count; i++) memcpy(t->locals[i], locals[i].storage, locals[i].size);
}

void model_join(void) {
  int last = -1, next;
  while ((next = choose(last)) >= 0) {
    go_on(next);
    last = next;
  }
  for (int i = 0; i < thread_count; i++) model_check(threads[i].finished, "a thread sleeps for ever");
  for (int i = 0; i < local_count; i++) memset(locals[i].storage, 0, locals[i].size);
}

// The next sequence of choices: the last one that has another candidate takes it.
static bool advance(void) {
  while (depth > 0 && choice[depth - 1] + 1 == candidates[depth - 1]) depth--;
  if (!depth) return false;
  choice[depth - 1]++;
  planned = depth;
  return true;
}

uint64_t model_explore(const char *name, void (*scenario)(void), int preemptions) {
  uint64_t orders = 0;
  scenario_name = name;
  const char *more = getenv("MILLRACE_MODEL_MORE");  // `./dev stress` goes deeper
  preemption_limit = preemptions + (more ? atoi(more) : 0);
  planned = 0;
  do {
    depth = thread_count = 0;
    preemptions_left = preemption_limit;
    scenario();
    orders++;
  } while (advance());
  printf("%s: %llu orders\n", name, (unsigned long long)orders);
  return orders;
}
