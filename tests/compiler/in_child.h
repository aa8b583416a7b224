// Properties that are looked at in a child process, each from empty memory.
#ifndef MR_TESTS_COMPILER_IN_CHILD_H
#define MR_TESTS_COMPILER_IN_CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cmocka.h"

#define EXPECT(condition)                                     \
  do {                                                        \
    if (!(condition)) {                                       \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      return false;                                           \
    }                                                         \
  } while (0)

static inline pid_t start_child(bool (*work)(void)) {
  pid_t child = fork();
  if (child) {
    return child;
  }
  _exit(work() ? 0 : 1);
}

static inline bool child_ok(pid_t child) {
  int status;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static inline void in_child(bool (*work)(void)) { assert_true(child_ok(start_child(work))); }

#endif
