// A folder for kernels, of a test's own, in which programs of the test and their children keep what they compile.
//
//   if (!make_folder()) return 1;
//   int failed = cmocka_run_group_tests(tests, NULL, NULL);
//   remove_folder();
#ifndef MR_TESTS_COMPILER_KERNEL_FOLDER_H
#define MR_TESTS_COMPILER_KERNEL_FOLDER_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "compiler/codegen/tuning.h"

static char folder[] = "/tmp/millrace-cache-XXXXXX";

static inline bool make_folder(void) { return mkdtemp(folder) && setenv("MILLRACE_CACHE_DIR", folder, 1) == 0; }

// Where this build's are; NULL: there are none yet.
static inline DIR *open_kernels(void) {
  char path[300];
  snprintf(path, sizeof path, "%s/v%d", folder, MR_CODEGEN_VERSION);
  return opendir(path);
}

// Kernels, and what is kept about them.
static inline int empty_cache(void **state) {
  (void)state;
  DIR *kernels = open_kernels();
  for (struct dirent *e = kernels ? readdir(kernels) : NULL; e; e = readdir(kernels)) {
    (void)unlinkat(dirfd(kernels), e->d_name, 0);
  }
  return kernels ? closedir(kernels) : 0;
}

static inline void remove_folder(void) {
  char path[300];
  empty_cache(NULL);
  snprintf(path, sizeof path, "%s/v%d", folder, MR_CODEGEN_VERSION);
  rmdir(path);
  rmdir(folder);
}

#endif
