// model: runs a few threads in every order. Include it before the sources under test: each atomic operation in them becomes a
// step, before which the explorer may go on with another thread. Threads are coroutines on one real thread; a scenario is run
// again and again, each time with the next sequence of choices, up to a number of preemptions (switches away from a thread
// that could go on) or, with MODEL_ALL, without a bound. Before a step on what no other thread uses nobody else goes on, and a
// run that comes into a state that an earlier one was in goes on to its end without choices: neither leaves anything out. Orders are sequentially consistent: what weaker orders allow is TSan's and the comments' business.
//
// Plain memory that threads share must be ordered by atomic operations (model.c says why); counters of a scenario that are not,
// are atomic too, or read after model_join() alone.
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

// Sanitizers do not follow coroutines. MR_TEST_SANITIZED comes from tests/CMakeLists.txt.
#define MODEL_CANNOT_RUN MR_TEST_SANITIZED

// Nobody waits for a count, and its steps would be in every order too.
#define mr_census_note(kind, count) ((void)0)

#define MODEL_VALUE(p) __typeof__((void)0, *(p))
#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_exchange_explicit
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_and_explicit
#undef atomic_fetch_or_explicit
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak_explicit
#define atomic_load_explicit(p, order)      \
  ({                                        \
    __auto_type model_at_ = (p);            \
    model_step(model_at_);                  \
    model_saw(model_at_, false);            \
    MODEL_VALUE(p) model_now_ = *model_at_; \
    model_now_;                             \
  })
#define atomic_store_explicit(p, value, order) \
  ({                                           \
    __auto_type model_at_ = (p);               \
    MODEL_VALUE(p) model_new_ = (value);       \
    model_step(model_at_);                     \
    model_saw(model_at_, true);                \
    *model_at_ = model_new_;                   \
    (void)0;                                   \
  })
#define MODEL_CHANGE(p, next)               \
  ({                                        \
    __auto_type model_at_ = (p);            \
    model_step(model_at_);                  \
    model_saw(model_at_, true);             \
    MODEL_VALUE(p) model_old_ = *model_at_; \
    *model_at_ = (next);                    \
    model_old_;                             \
  })
#define atomic_exchange_explicit(p, value, order) MODEL_CHANGE(p, value)
#define atomic_fetch_add_explicit(p, value, order) MODEL_CHANGE(p, model_old_ + (value))
#define atomic_fetch_sub_explicit(p, value, order) MODEL_CHANGE(p, model_old_ - (value))
#define atomic_fetch_and_explicit(p, value, order) MODEL_CHANGE(p, model_old_ &(value))
#define atomic_fetch_or_explicit(p, value, order) MODEL_CHANGE(p, model_old_ | (value))
#define atomic_compare_exchange_strong_explicit(p, expected, value, success, failure) \
  ({                                                                                  \
    __auto_type model_at_ = (p);                                                      \
    __auto_type model_expected_ = (expected);                                         \
    model_step(model_at_);                                                            \
    MODEL_VALUE(p) model_now_ = *model_at_;                                           \
    bool model_same_ = model_now_ == *model_expected_;                                \
    model_saw(model_at_, model_same_);                                                \
    if (model_same_) {                                                                \
      *model_at_ = (value);                                                           \
    } else {                                                                          \
      *model_expected_ = model_now_;                                                  \
    }                                                                                 \
    model_same_;                                                                      \
  })
#define atomic_compare_exchange_weak_explicit atomic_compare_exchange_strong_explicit

#endif
