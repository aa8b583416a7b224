// inside: what the files of the explorer share, and no model sees. model.c: threads, choices and what a state is. steps.c: what the code
// under test calls. orders.c: which writes a load may see, and what has happened before what. races.c: plain memory. mutants.c: weaker orders.
#ifndef MR_TESTS_MODEL_INSIDE_H
#define MR_TESTS_MODEL_INSIDE_H

#include <setjmp.h>

#include "tests/model/model.h"

enum { MAX_THREADS = 5, MAX_LOCALS = 6, LOCAL_BYTES = 256 };

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

// ---- model.c ----------------------------------------------------------------------------------------------------------------

extern thread model_threads[MAX_THREADS];
extern int model_thread_count, model_current;  // -1: while setting up or checking
extern uint64_t model_run_number;              // tables need not be emptied: entries of former runs do not count
extern bool model_is_weak;                     // the pass

uint64_t model_mix(uint64_t a, uint64_t b);
// Whether others are at it too, and one of them writes.
bool model_is_shared(const volatile void *address);
// The next thread to go on; -1: none.
void model_give_way(void);
// A step of a thread that has a part of its own in what a state is; model_saw() without waking those that yield.
void model_note(const volatile void *address, bool wrote);
// A step in the weak pass; `seen` stands for the write that it has read or comes after. Returns what stands for the step.
uint64_t model_note_order(const volatile void *address, uint64_t seen, bool wrote);
void model_wake_yielding(void);
// Which of `count` writes a load sees: 0, the newest, unless there is one to choose.
int model_pick_write(int count);
// Whether it is in storage that each thread has its own content of.
bool model_is_local(const volatile void *address);

// ---- orders.c ---------------------------------------------------------------------------------------------------------------

// What has happened before: of each thread, up to which of its times; of the seq_cst operations, up to which place in their order.
typedef struct times {
  uint32_t at[MAX_THREADS], sc;
} times;
extern times model_now[MAX_THREADS];

void model_orders_begin(int number);
uint64_t model_weak_load(const volatile void *address, size_t size, memory_order order);
void model_weak_store(volatile void *address, size_t size, uint64_t value, memory_order order);
uint64_t model_weak_change(volatile void *address, size_t size, model_change_kind kind, uint64_t with,
                           memory_order order);
model_swapped model_weak_swap(volatile void *address, size_t size, uint64_t expected, uint64_t value,
                              memory_order success, memory_order failure);
// As a futex reads it: what was written last.
void model_weak_look(const volatile void *address, size_t size);
// Of all threads, as in a forked child.
void model_take_over_all(void);

uint64_t model_read_memory(const volatile void *address, size_t size);
void model_write_memory(volatile void *address, size_t size, uint64_t value);
uint64_t model_changed(uint64_t before, model_change_kind kind, uint64_t with);

// ---- races.c ----------------------------------------------------------------------------------------------------------------

// Before anything is done to it in either pass.
void model_check_there(const volatile void *address, const void *from);
void model_touch_atomic(const volatile void *address, size_t size, bool writes, const void *from);

// ---- mutants.c --------------------------------------------------------------------------------------------------------------

// The order of an operation, which is weaker than in the source where that is the mutant of this process.
memory_order model_order_of(model_site *site, const char *function, memory_order order, int which);
// All mutants are tried, one after another, with an eighth of the steps.
bool model_tries_all(void);
// Whether the mutant of this process is looked for in this scenario.
bool model_looks_for_mutant(const char *scenario);
// A check does not hold.
void model_tell_of_mutant(const char *scenario, const char *what);

#endif
