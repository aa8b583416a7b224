// tidy: what is kept for the next use goes back to the system when there is none for a while.
//
// Whoever keeps something has a mr_tidy and calls mr_tidy_later() when there is something to keep. From then on its function is
// called every MR_TIDY_PAUSE_NS, on a thread that is there for as long as any function has something left and then ends: a
// process that does nothing has neither the thread nor what was kept.
//
// Threads: mr_tidy_later() from any thread, on hot paths too: a load and a branch when it has been called before. The functions
// are called one after the other, and hold nothing that other threads wait for.
//
//   static bool give_back(void) { ...what nobody has used since so many calls...; return something_is_left; }
//   static mr_tidy tidy = {.run = give_back};
//   mr_tidy_later(&tidy);
#ifndef MR_CORE_TIDY_H
#define MR_CORE_TIDY_H

#include <stdatomic.h>

#include "core/core.h"

// How often; everything that is kept counts its age in these. And how many of them without a use are enough: a loop that
// comes round faster never loses anything, and memory is back within five seconds of the last call.
enum { MR_TIDY_PAUSE_NS = 500000000, MR_TIDY_IDLE_ROUNDS = 6 };

typedef struct mr_tidy {
  // Gives back what has not been used for long enough. True: there is something left, call again.
  bool (*run)(void);
  // 1: run() is to be called.
  _Atomic(uint32_t) wanted;
  struct mr_tidy *next;  // of all that were ever wanted; under the lock
  bool listed;           // likewise
} mr_tidy;

void mr_tidy_want(mr_tidy *tidy);
// Calls tidy->run() from time to time until it returns false.
static inline void mr_tidy_later(mr_tidy *tidy) {
  // seq_cst, as mr_tidy_want() says; on the usual path an ordinary load.
  if (MR_UNLIKELY(!atomic_load_explicit(&tidy->wanted, memory_order_seq_cst))) {
    mr_tidy_want(tidy);
  }
}
// Whether the thread is there, for tests.
bool mr_tidy_is_running(void);

#endif
