// scenario: a piece of a host's life with a library, and the loop that runs it again and again, each time with another call to
// the system failing.
//
// A scenario runs in a forked child. It ends right, or with a status that says why not; then runs once more, undisturbed, and
// must end right. Descriptors and threads are counted after both. A child that crashes, hangs, computes something else, leaves
// a descriptor or a thread behind, or stays broken fails the test.
#ifndef MR_TESTS_FAULTS_SCENARIO_H
#define MR_TESTS_FAULTS_SCENARIO_H

#include <stdbool.h>

// What became of it. The first status and the first wrong thing count.
typedef struct record {
  char status[400];  // "" : none
  char wrong[400];   // what must not happen, whatever failed
} record;

// Keeps the first.
void record_status(record *r, const char *call, int code, const char *message);
__attribute__((format(printf, 2, 3))) void record_wrong(record *r, const char *format, ...);

typedef struct scenario {
  const char *name;
  // True: it came to its end, with the right values. False: a status is recorded.
  bool (*run)(record *r);
  bool warm;  // with the folder of kernels that an earlier run has filled; otherwise with an empty one
} scenario;

// The number of failures, each of which is printed with how to see it again. Arguments: none for each place's first call and
// all of its calls; "all" for every call of each place, one by one; "list" for which rounds there are; "SCENARIO NUMBER" for one
// round in this process.
int scenarios_run(const scenario *list, int count, int argc, char **argv);

#endif
