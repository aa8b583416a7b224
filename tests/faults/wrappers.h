// wrappers: the table of functions that stand between a library and the system, and the question that each of them asks.
// Private to this folder.
#ifndef MR_TESTS_FAULTS_WRAPPERS_H
#define MR_TESTS_FAULTS_WRAPPERS_H

#include "tests/faults/faults.h"

typedef struct faults_wrapper {
  const char *name;
  void *address;
  const fault_way *ways;
  size_t way_count;
} faults_wrapper;

extern const faults_wrapper faults_wrappers[FAULT_COUNT];

// How this call fails; NULL: it does not.
const fault_way *faults_strike(fault function, uintptr_t returns_to);

#endif
