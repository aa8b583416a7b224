// How a process ends, in a child of a test's: its exit status says what its last function of atexit()'s has seen.
//
//   static void live(void) { ...; }              // what the child does; then it calls exit()
//   static bool right(void) { return ...; }      // run after everything that was registered in live()
//   assert_int_equal(status_of(live, right), RIGHT);
#ifndef MR_TESTS_ENDINGS_H
#define MR_TESTS_ENDINGS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cmocka.h"

enum { RIGHT = 7, WRONG = 9, MOST_SECONDS = 60 };

// Registered before anything else, so that it runs last, as the destructors of a library do that was opened early.
static bool (*is_right)(void);
static inline void look(void) { _exit(is_right() ? RIGHT : WRONG); }

// The child's exit status when `live` returns and its process exits; a child that hangs is killed.
static inline int status_of(void (*live)(void), bool (*right)(void)) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    alarm(MOST_SECONDS);
    is_right = right;
    atexit(look);
    live();
    exit(WRONG);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static inline void start(void *(*main)(void *)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, main, NULL) != 0) {
    _exit(WRONG);
  }
  pthread_detach(thread);
}

#endif
