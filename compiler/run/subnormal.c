// How this process treats subnormal numbers.
#include "compiler/run/subnormal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

bool mr_subnormals_are_kept(void) {
  static _Atomic(int) known;                                        // 0: not read yet, 1: flushed, 2: kept
  int answer = atomic_load_explicit(&known, memory_order_relaxed);  // relaxed: every thread finds the same
  if (answer == 0) {
    const char *asked = getenv("MILLRACE_SUBNORMALS");
    answer = asked && strcmp(asked, "keep") == 0 ? 2 : 1;
    atomic_store_explicit(&known, answer, memory_order_relaxed);
  }
  return answer == 2;
}
