// A platform whose kernels are kept in a folder of the program's own: after the first few rounds of a test that compiles the same again and
// again they come from there.
//
//   return cmocka_run_group_tests(tests, open_with_cache, close_and_clean);
#ifndef MR_TESTS_COMPILER_CACHE_FOLDER_H
#define MR_TESTS_COMPILER_CACHE_FOLDER_H

#include <stdlib.h>
#include <unistd.h>

#include "tests/compiler/execute_harness.h"

static char cache_folder[] = "/tmp/millrace-test-cache-XXXXXX";

static inline int open_with_cache(void **state) {
  if (!mkdtemp(cache_folder)) {
    return 1;
  }
  setenv("MILLRACE_CACHE_DIR", cache_folder, 1);
  return open_platform(state);
}

static inline int close_and_clean(void **state) {
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", cache_folder);
  return close_platform(state) || system(command);
}

#endif
