// Numbers for the tests of library calls, the same in every run.
#ifndef MR_TESTS_OPS_NUMBERS_H
#define MR_TESTS_OPS_NUMBERS_H

#include <stdint.h>

// From [-1, 1), with no more bits than f32 has.
static inline double next_value(void) {
  static uint32_t state = 7;
  state = state * 1664525u + 1013904223u;
  return (double)(int32_t)(state >> 8) / (1 << 23) - 1.0;
}

#endif
