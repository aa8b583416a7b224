// In a build that counts which branches run: a process that ends by _exit, as children of tests do, writes what it counted, its
// own and that of the libraries it has loaded (cmake/coverage.c).
#include <stddef.h>

enum { MOST_LIBRARIES = 8 };

void __gcov_dump(void);
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));
// Found by name (cmake/coverage.c): hidden as all else is, it would not be.
__attribute__((visibility("default"))) void mr_coverage_register(void (*dump)(void));
// Of tests/faults, where it is there: what writes the counts shall not fail.
extern void faults_stop(void) __attribute__((weak));

static void (*dumps[MOST_LIBRARIES])(void);
static size_t num_dumps;

// A library calls it while it is loaded, one at a time.
void mr_coverage_register(void (*dump)(void)) {
  if (num_dumps < MOST_LIBRARIES) {
    dumps[num_dumps++] = dump;
  }
}

void __wrap__exit(int status) {
  if (faults_stop) {
    faults_stop();
  }
  for (size_t i = 0; i < num_dumps; i++) {
    dumps[i]();
  }
  __gcov_dump();
  __real__exit(status);
}
