// A made-up /proc and /sys/fs/cgroup for tests of what reads them: files of the test's own below a folder in the build.
#ifndef MR_TESTS_SYSTEM_TREE_H
#define MR_TESTS_SYSTEM_TREE_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/cgroup.h"
#include "tests/cmocka.h"

static char system_tree[256];

// The file `path` below the root, and the folders on its way.
static void put(const char *path, const char *text) {
  char full[1024];
  snprintf(full, sizeof full, "%s%s", system_tree, path);
  for (char *at = full + strlen(system_tree) + 1; (at = strchr(at, '/')); at++) {
    *at = 0;
    mkdir(full, 0700);  // or it is there
    *at = '/';
  }
  FILE *file = fopen(full, "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

static int remove_one(const char *path, const struct stat *info, int flag, struct FTW *place) {
  (void)info, (void)flag, (void)place;
  return remove(path);
}

// For a test's setup and teardown.
static int open_tree(void **state) {
  (void)state;
  snprintf(system_tree, sizeof system_tree, "%s/tree-XXXXXX", MR_BINARY_DIR);
  if (!mkdtemp(system_tree)) {
    return -1;
  }
  mr_cgroup_root = system_tree;
  return 0;
}

static int close_tree(void **state) {
  (void)state;
  mr_cgroup_root = "";
  return nftw(system_tree, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
