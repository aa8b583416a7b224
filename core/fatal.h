// fatal: how the process ends by an error of ours, after which nothing can go on: an invariant that does not hold, or a library that
// says so of itself. Whoever listens hears of it first, then the message is on stderr, then the process aborts.
//
// A failed `assert` of the C library ends here too (fatal.c), so no place of ours aborts in another way.
//
// Threads: any. Listeners run on the thread that ends the process, newest first, each once in the process; a second thread that ends
// it meanwhile waits, an error on the same thread within a listener aborts at once. A listener may stop listening, itself or another.
//
//   static void hear(mr_fatal_listener *listener, const char *message) { ... }
//   static mr_fatal_listener listener = {.hear = hear};
//   mr_fatal_listen(&listener);
//   mr_fatal("the pool has %zu blocks, wanted %zu", count, wanted);
#ifndef MR_CORE_FATAL_H
#define MR_CORE_FATAL_H

#include <stdbool.h>

typedef struct mr_fatal_listener {
  void (*hear)(struct mr_fatal_listener *listener, const char *message);
  struct mr_fatal_listener *next;  // under the lock, like `told`
  bool told;
} mr_fatal_listener;

// `listener` is borrowed until it stops.
void mr_fatal_listen(mr_fatal_listener *listener);
// Once this returns it is not called, and runs on no thread but this one.
void mr_fatal_unlisten(mr_fatal_listener *listener);

// Does not return. Of a message the first 1,023 bytes are told.
__attribute__((noreturn, cold, format(printf, 1, 2))) void mr_fatal(const char *format, ...);

#endif
