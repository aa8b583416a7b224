// signals: what a thread of ours leaves to the program's own. All but those that its own code brings about: a fault while it is inside a
// function of the host's is for the host's handler (Python's faulthandler, the runtimes of Java and Go), and the system ends a
// process at once that has such a signal held back.
//
//   sigset_t before;
//   mr_signals_leave_to_others(&before);     // a thread has the mask of whoever makes it
//   pthread_create(...);
//   pthread_sigmask(SIG_SETMASK, &before, NULL);
#ifndef MR_CORE_SIGNALS_H
#define MR_CORE_SIGNALS_H

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static inline void mr_signals_leave_to_others(sigset_t *out_before) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  sigset_t others;
  sigfillset(&others);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    sigdelset(&others, own[i]);
  }
  pthread_sigmask(SIG_SETMASK, &others, out_before);
}

#endif
