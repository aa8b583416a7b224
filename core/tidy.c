// One thread for all, started by the first wish and gone when there is none.
//
// A wish is not lost while the thread ends. Both sides store, then look, all seq_cst:
//
//   who wishes                        the thread
//   1 wanted = 1                      1 running = 0
//   2 reads running; 0: starts one    2 reads every `wanted`; one is 1: running = 1 again, unless somebody else did so
//
// The thread itself takes a wish back (wanted = 0) before it calls run(), so what comes to be kept while run() looks
// elsewhere is wished for anew.
//
// States of mr_tidy.wanted:
//
//   0 --a use--> 1 --run() is called--> 0, or 1 again when something is left
//                ^------------------------+
//
//   who                operation                        order, and with what it pairs                               at once
//   who uses it        load; exchange, 0 -> 1           seq_cst, then it looks at `running`: above. A load of 1 is  everybody
//                                                       a wish of which the thread has not heard yet
//   the thread         exchange, 1 -> 0; store, 0 -> 1  seq_cst, before run(): it sees what was kept before the     who uses it
//                                                       wish
//   who could make no  store, -> 0, of all              seq_cst, before `running` = 0: its next use wishes anew     who uses it
//   thread
//
// What is kept with less than seq_cst right before a load of 1 may be missed by the run() that takes this wish back. It then stays until the
// next use, no more.
//
// States of running:
//
//   0: no thread --a wish--> 1: there is one, or is about to be --nobody wishes, or there is none to be had--> 0
//
//   who                    operation                          order, and with what it pairs                          at once
//   who wishes             swap, 0 -> 1                       seq_cst, after `wanted`: above; who sets it makes the  everybody
//                                                             thread
//   the thread; who could  store, 1 -> 0; then swap, 0 -> 1,  seq_cst, before it reads all `wanted`: above           everybody
//   make none              when somebody wishes
//   forked child           store, -> 0                        relaxed: there is nobody else                          nobody
#include "core/tidy.h"

#include <pthread.h>
#include <time.h>

#include "core/fork.h"
#include "core/signals.h"

MR_FORK_LOCK(lock);  // for `all`
static mr_tidy *all;
static _Atomic(uint32_t) running;

static mr_tidy *first(void) {
  pthread_mutex_lock(&lock);
  mr_tidy *tidy = all;
  pthread_mutex_unlock(&lock);
  return tidy;
}

static bool somebody_wants(void) {
  for (mr_tidy *tidy = first(); tidy; tidy = tidy->next) {
    if (atomic_load_explicit(&tidy->wanted, memory_order_seq_cst)) {
      return true;
    }
  }
  return false;
}

static void run_wanted(void) {
  for (mr_tidy *tidy = first(); tidy; tidy = tidy->next) {
    if (!atomic_exchange_explicit(&tidy->wanted, 0, memory_order_seq_cst)) {
      continue;
    }
    if (tidy->run()) {
      atomic_store_explicit(&tidy->wanted, 1, memory_order_seq_cst);
    }
  }
}

static void *tidy_main(void *context) {
  (void)context;
  pthread_setname_np(pthread_self(), "millrace-tidy");
  const struct timespec pause = {MR_TIDY_PAUSE_NS / 1000000000, MR_TIDY_PAUSE_NS % 1000000000};
  uint32_t none = 0;
  do {
    do {
      nanosleep(&pause, NULL);
      run_wanted();
    } while (somebody_wants());
    atomic_store_explicit(&running, 0, memory_order_seq_cst);
    none = 0;
  } while (somebody_wants() &&
           atomic_compare_exchange_strong_explicit(&running, &none, 1, memory_order_seq_cst, memory_order_seq_cst));
  return NULL;
}

// The parent's thread is not in the child: what is kept there is wished for again by the next use.
static void after_fork_in_child(void) {
  // relaxed: there is nobody else.
  for (mr_tidy *tidy = all; tidy; tidy = tidy->next) {
    atomic_store_explicit(&tidy->wanted, 0, memory_order_relaxed);
  }
  atomic_store_explicit(&running, 0, memory_order_relaxed);
}

static bool start_thread(void) {
  static mr_fork_part part = {.order = MR_FORK_LOCKS, .in_child = after_fork_in_child};
  mr_fork_guard(&part);
  sigset_t before;
  mr_signals_leave_to_others(&before);
  pthread_t thread;
  int rc = pthread_create(&thread, NULL, tidy_main, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (rc == 0) {
    pthread_detach(thread);
  }
  return rc == 0;
}

// By who has set `running`. Without a thread everything is kept, and the next use tries again: of all that are wished for, since who
// wished meanwhile relied on this thread.
static void start_or_forget(void) {
  uint32_t none = 0;
  do {
    if (start_thread()) {
      return;
    }
    for (mr_tidy *tidy = first(); tidy; tidy = tidy->next) {
      atomic_store_explicit(&tidy->wanted, 0, memory_order_seq_cst);
    }
    atomic_store_explicit(&running, 0, memory_order_seq_cst);
    none = 0;
  } while (somebody_wants() &&
           atomic_compare_exchange_strong_explicit(&running, &none, 1, memory_order_seq_cst, memory_order_seq_cst));
}

void mr_tidy_want(mr_tidy *tidy) {
  pthread_mutex_lock(&lock);
  if (!tidy->listed) {
    tidy->listed = true;
    tidy->next = all;
    all = tidy;
  }
  pthread_mutex_unlock(&lock);
  if (atomic_exchange_explicit(&tidy->wanted, 1, memory_order_seq_cst)) {
    return;
  }
  uint32_t none = 0;
  if (atomic_compare_exchange_strong_explicit(&running, &none, 1, memory_order_seq_cst, memory_order_seq_cst)) {
    start_or_forget();
  }
}

bool mr_tidy_is_running(void) { return atomic_load_explicit(&running, memory_order_seq_cst); }
