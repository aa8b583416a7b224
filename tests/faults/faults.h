// faults: system calls that fail on cue, for whole libraries as they are shipped.
//
// A library reaches the system through the table of addresses that the dynamic linker fills for it. faults_patch() puts
// wrappers in place of the addresses it knows (faults.def), so that calls of that library alone are counted and can be made to
// fail, while the C library, LLVM and the test itself go on undisturbed. A call's place is the address it returns to.
//
// The state is in memory that forked children share: a child records which places there are, its parent arms the next child.
// Threads: wrappers run on any; arming and reading are for times when nobody else is there.
#ifndef MR_TESTS_FAULTS_FAULTS_H
#define MR_TESTS_FAULTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAULTS_MAX_PLACES = 1024 };

typedef enum fault {
#define FAULT(name, ...) FAULT_##name,
#include "tests/faults/faults.def"
#undef FAULT
  FAULT_COUNT
} fault;

// How a call fails. `error`: errno, or what the function returns where it has no errno.
typedef struct fault_way {
  int error;
  bool cuts;       // a part of the bytes is done, and that is no error at all
  bool only_once;  // a call that is repeated may expect another answer: EINTR
} fault_way;

typedef struct fault_place {
  fault function;
  uintptr_t returns_to;
  uint32_t calls;
} fault_place;

const char *fault_name(fault function);
const fault_way *fault_ways(fault function, size_t *out_count);

// Makes the shared memory; before any fork.
void faults_start(void);
// In a child: what it arms and counts is its own from now on.
void faults_alone(void);
// Wrappers into the loaded library whose name ends with `name`, but for the functions in `except`, which ends with NULL and may
// be NULL; false: it is not loaded.
bool faults_patch(const char *name, const char *const *except);
// What a loaded library takes from others: calls visit for each name. False: it is not loaded.
bool faults_imports(const char *name, void (*visit)(void *context, const char *import), void *context);

// From now on places are noted; they are kept from one recording to the next, calls are counted anew.
void faults_record(bool on);
size_t faults_places(const fault_place **out_places);
// The calls first to last of a place fail, counted from one.
void faults_arm(const fault_place *place, fault_way way, uint32_t first, uint32_t last);
void faults_disarm(void);
// Nothing is noted and nothing fails any more, also when nothing was started.
void faults_stop(void);
// How many calls failed since then.
uint32_t faults_struck(void);

#endif
