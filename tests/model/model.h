// model: runs a few threads in every order. Include it before the sources under test: each atomic operation in them becomes a
// step, before which the explorer may go on with another thread. Threads are coroutines on one real thread; a scenario is run
// again and again, each time with the next sequence of choices, up to a number of preemptions (switches away from a thread
// that could go on) or, with MODEL_ALL, without a bound. Before a step on what no other thread uses nobody else goes on, and a
// run that comes into a state that an earlier one was in goes on to its end without choices: neither leaves anything out.
//
// That is the first pass, whose orders are sequentially consistent. In the second a load may see older writes, as far as its
// order and those of others permit (orders.c has the rules, and what they leave out), and two threads that touch plain memory
// without an order between them are found (races.c). It has as many steps as model.c says, so it is not whole where a scenario is
// long: of each bound on preemptions and old values in turn, and then at random. MILLRACE_MODEL_ORDERS=sc, weak or both (the
// default) chooses.
//
// Plain memory that threads share must be ordered by atomic operations. What a scenario counts besides and reads after
// model_join() alone is MODEL_COUNTS, and what stands for a queue or a lock says model_hand_over() and model_take_over().
//
//   static void scenario(void) { ...set up...; model_thread(producer, NULL); model_thread(consumer, NULL); model_join();
//                                ...check with model_check()... }
//   model_explore("name", scenario, 3);        // number of preemptions; MILLRACE_MODEL_MORE adds to it, and where
//                                              // MILLRACE_MODEL_SECONDS are over it stops, and says so
#ifndef MR_TESTS_MODEL_H
#define MR_TESTS_MODEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/census.h"

enum { MODEL_ALL = 255 };

// Explores and returns how many runs it took. A failed check prints the choices and ends the program with 1.
uint64_t model_explore(const char *name, void (*scenario)(void), int preemptions);
void model_thread(void (*run)(void *argument), void *argument);
void model_join(void);
void model_check(bool holds, const char *what);
// Thread-local storage of the code under test: every model thread has its own content.
void model_local(void *storage, size_t size);

// Before an operation; and after it: what it did.
void model_step(const volatile void *address);
void model_saw(const volatile void *address, bool wrote);
// Where something may be another thread's already although nothing atomic follows: others may go on before it is touched too late.
void model_crossing(void);
// In place of the futex. `timed`: there is a deadline, which passes only when nobody else can go on; then false.
bool model_park(const void *word, uint32_t expected, bool timed);
void model_unpark(const void *word);
// In a loop that looks again and again: not before another thread has written something.
void model_yield(void);
// Goes on by a second whenever a thread looks, each thread's own: so that a run repeats itself.
uint64_t model_clock(void);
void model_lock(const void *lock);
bool model_try_lock(const void *lock);
void model_unlock(const void *lock);
// As in a forked child: what is locked is locked no more, and the calling thread is the only one.
void model_forget_lock(const void *lock);
void model_end_others(void);

// In place of a fence; no source has one.
void model_fence(memory_order order);
// What a lock does for plain memory, without a step: all before the one happens before all after the other, when that comes later.
void model_hand_over(const volatile void *address);
void model_take_over(const volatile void *address);
// Memory of so many blocks, each of which nobody may touch in either pass while it is not there.
enum { MODEL_BLOCK = 1 << 14 };
void model_watch_blocks(const char *blocks, size_t count, const bool *there);
// Of a scenario: variables that need no order, as no step is inside of what is done to them, and functions that look at others' memory.
#define MODEL_COUNTS __attribute__((section("model_counts")))
#define MODEL_UNSEEN __attribute__((no_sanitize("thread"), noinline))

// The passes of scenarios that follow, whatever the environment says.
enum { MODEL_SC = 1, MODEL_WEAK = 2 };
void model_set_passes(int passes);

// ---- Mutants ----------------------------------------------------------------------------------------------------------------

// An operation of the source with a weaker order, which the second pass has to find.
typedef struct model_mutant {
  const char *function;   // of the source
  const char *operation;  // as "store &deque->bottom": which, and the address as it is written there
  memory_order order;
  const char *scenario;  // that finds it
} model_mutant;

// Runs the scenarios that `explore` has, and then, in a process of its own, each mutant. MILLRACE_MODEL_MUTANTS=all weakens each operation
// that was come to instead, by one step at a time, and says of each whether it is found.
int model_main(void (*explore)(void), const model_mutant *mutants, size_t count);

// Sanitizers do not follow coroutines. MR_TEST_SANITIZED comes from tests/CMakeLists.txt.
#define MODEL_CANNOT_RUN MR_TEST_SANITIZED

// Nobody waits for a count, and its steps would be in every order too.
#define mr_census_note(kind, count) ((void)0)

// ---- Operations -------------------------------------------------------------------------------------------------------------

// Where in the source an operation is.
typedef struct model_site {
  const char *operation, *orders;
  const char *function;
  struct model_site *next;
  bool known, weaker[2];  // it has the mutant's order, in its first or second place
} model_site;
typedef enum model_change_kind { MODEL_EXCHANGE, MODEL_ADD, MODEL_SUB, MODEL_AND, MODEL_OR } model_change_kind;
typedef struct model_swapped {
  uint64_t was;
  bool same;
} model_swapped;

uint64_t model_load(const volatile void *address, size_t size, memory_order order, model_site *site,
                    const char *function);
void model_store(volatile void *address, size_t size, uint64_t value, memory_order order, model_site *site,
                 const char *function);
uint64_t model_change(volatile void *address, size_t size, model_change_kind kind, uint64_t with, memory_order order,
                      model_site *site, const char *function);
model_swapped model_swap(volatile void *address, size_t size, uint64_t expected, uint64_t value, memory_order success,
                         memory_order failure, model_site *site, const char *function);
void *model_memset(void *to, int value, size_t size);
void *model_memcpy(void *to, const void *from, size_t size);

#define MODEL_VALUE(p) __typeof__((void)0, *(p))
#define MODEL_SITE(name, p, order)                                                \
  ({                                                                              \
    static model_site model_site_ = {.operation = name " " #p, .orders = #order}; \
    &model_site_;                                                                 \
  }),                                                                             \
      __func__
#undef atomic_init
#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_exchange_explicit
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_and_explicit
#undef atomic_fetch_or_explicit
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak_explicit
#undef atomic_thread_fence
#define atomic_load_explicit(p, order)                                                              \
  ({                                                                                                \
    __auto_type model_at_ = (p);                                                                    \
    (MODEL_VALUE(p)) model_load(model_at_, sizeof *model_at_, order, MODEL_SITE("load", p, order)); \
  })
#define atomic_store_explicit(p, value, order)                                                             \
  ({                                                                                                       \
    __auto_type model_at_ = (p);                                                                           \
    MODEL_VALUE(p) model_new_ = (value);                                                                   \
    model_store(model_at_, sizeof *model_at_, (uint64_t)model_new_, order, MODEL_SITE("store", p, order)); \
  })
#define atomic_init(p, value) atomic_store_explicit(p, value, memory_order_relaxed)
#define MODEL_CHANGE(name, kind, p, value, order)                                                                   \
  ({                                                                                                                \
    __auto_type model_at_ = (p);                                                                                    \
    MODEL_VALUE(p) model_with_ = (value);                                                                           \
    (MODEL_VALUE(p))                                                                                                \
        model_change(model_at_, sizeof *model_at_, kind, (uint64_t)model_with_, order, MODEL_SITE(name, p, order)); \
  })
#define atomic_exchange_explicit(p, value, order) MODEL_CHANGE("exchange", MODEL_EXCHANGE, p, value, order)
#define atomic_fetch_add_explicit(p, value, order) MODEL_CHANGE("fetch_add", MODEL_ADD, p, value, order)
#define atomic_fetch_sub_explicit(p, value, order) MODEL_CHANGE("fetch_sub", MODEL_SUB, p, value, order)
#define atomic_fetch_and_explicit(p, value, order) MODEL_CHANGE("fetch_and", MODEL_AND, p, value, order)
#define atomic_fetch_or_explicit(p, value, order) MODEL_CHANGE("fetch_or", MODEL_OR, p, value, order)
#define atomic_compare_exchange_strong_explicit(p, expected, value, success, failure)                                \
  ({                                                                                                                 \
    __auto_type model_at_ = (p);                                                                                     \
    __auto_type model_expected_ = (expected);                                                                        \
    MODEL_VALUE(p) model_new_ = (value);                                                                             \
    model_swapped model_was_ =                                                                                       \
        model_swap(model_at_, sizeof *model_at_, (uint64_t)*model_expected_, (uint64_t)model_new_, success, failure, \
                   MODEL_SITE("swap", p, success failure));                                                          \
    if (!model_was_.same) {                                                                                          \
      *model_expected_ = (MODEL_VALUE(p))model_was_.was;                                                             \
    }                                                                                                                \
    model_was_.same;                                                                                                 \
  })
#define atomic_compare_exchange_weak_explicit atomic_compare_exchange_strong_explicit
#define atomic_thread_fence(order) model_fence(order)
// What the compiler does not tell of.
#include <string.h>
#undef memset
#undef memcpy
#define memset(...) model_memset(__VA_ARGS__)
#define memcpy(...) model_memcpy(__VA_ARGS__)

#endif
