// sample: the part of a test's cases that a run has. `./dev test` asks for a fourth of those that take a driver's compiler long and whose
// sources seldom change, another one each day (MILLRACE_TEST_SAMPLE=2/4: those whose number leaves 2 when it is divided by 4); without the
// variable, and in `./dev nightly`, all are there.
#ifndef MR_TESTS_SAMPLE_H
#define MR_TESTS_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static inline bool is_in_sample(size_t number) {
  const char *asked = getenv("MILLRACE_TEST_SAMPLE");
  unsigned left, parts;
  return !asked || sscanf(asked, "%u/%u", &left, &parts) != 2 || parts == 0 || number % parts == left % parts;
}

#endif
