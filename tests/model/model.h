// model: runs a few threads in every order. Include it before the sources under test: each atomic operation in them becomes a
// step, before which the explorer may go on with another thread. Threads are coroutines on one real thread; a scenario is run
// again and again, each time with the next sequence of choices, up to a number of preemptions (switches away from a thread
// that could go on). Orders are sequentially consistent: what weaker orders allow is TSan's and the comments' business.
//
//   static void scenario(void) { ...set up...; model_thread(producer, NULL); model_thread(consumer, NULL); model_join();
//                                ...check with model_check()... }
//   model_explore("name", scenario, 3);        // number of preemptions; MILLRACE_MODEL_MORE adds to it
#ifndef MR_TESTS_MODEL_H
#define MR_TESTS_MODEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Explores and returns how many orders there were. A failed check prints the choices and ends the program with 1.
uint64_t model_explore(const char *name, void (*scenario)(void), int preemptions);
void model_thread(void (*run)(void *argument), void *argument);
void model_join(void);
void model_check(bool holds, const char *what);
// Thread-local storage of the code under test: every model thread has its own content.
void model_local(void *storage, size_t size);

void model_step(void);
bool model_park(const void *word, uint32_t expected);
void model_unpark(const void *word);

// Sanitizers do not follow coroutines. MR_TEST_SANITIZED comes from tests/CMakeLists.txt.
#define MODEL_CANNOT_RUN MR_TEST_SANITIZED

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
#define atomic_load_explicit(p, order) (model_step(), *(p))
#define atomic_store_explicit(p, value, order) (model_step(), (void)(*(p) = (value)))
#define MODEL_CHANGE(p, next)         \
  ({                                  \
    model_step();                     \
    MODEL_VALUE(p) model_old_ = *(p); \
    *(p) = (next);                    \
    model_old_;                       \
  })
#define atomic_exchange_explicit(p, value, order) MODEL_CHANGE(p, value)
#define atomic_fetch_add_explicit(p, value, order) MODEL_CHANGE(p, model_old_ + (value))
#define atomic_fetch_sub_explicit(p, value, order) MODEL_CHANGE(p, model_old_ - (value))
#define atomic_fetch_and_explicit(p, value, order) MODEL_CHANGE(p, model_old_ &(value))
#define atomic_fetch_or_explicit(p, value, order) MODEL_CHANGE(p, model_old_ | (value))
#define atomic_compare_exchange_strong_explicit(p, expected, value, success, failure) \
  ({                                                                                  \
    model_step();                                                                     \
    MODEL_VALUE(p) model_now_ = *(p);                                                 \
    bool model_same_ = model_now_ == *(expected);                                     \
    if (model_same_) {                                                                \
      *(p) = (value);                                                                 \
    } else {                                                                          \
      *(expected) = model_now_;                                                       \
    }                                                                                 \
    model_same_;                                                                      \
  })
#define atomic_compare_exchange_weak_explicit atomic_compare_exchange_strong_explicit

#endif
