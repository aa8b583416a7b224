// core/kept.c: in which folder files are kept, by what the environment says.
#include "core/kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cmocka.h"

static char root[] = "/tmp/millrace-kept-XXXXXX";  // the working directory

// "~" stands for the working directory, which all else is relative to; NULL: not set.
static void set_variable(const char *name, const char *value) {
  if (!value) {
    unsetenv(name);
    return;
  }
  char path[128];
  bool below = *value == '~';
  snprintf(path, sizeof path, "%s%s", below ? root : "", value + below);
  setenv(name, path, 1);
}

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// What the specification of the XDG base directories says of relative ones holds for HOME too: they are as if not set. The folder
// that MILLRACE_CACHE_DIR names is the user's own choice, wherever it is.
static void test_which_folder(void **state) {
  (void)state;
  static const struct {
    const char *own, *xdg, *home;
    const char *folder;  // NULL: none
    const char *top;     // of what is made for it in the working directory
  } cases[] = {
      {NULL, NULL, "~/home", "home/.cache/millrace/part", "home"},
      {NULL, "~/xdg", "~/home", "xdg/millrace/part", "xdg"},
      {"~/own", "~/xdg", "~/home", "own/part", "own"},
      {"own", NULL, NULL, "own/part", "own"},
      {"", "~/xdg", "~/home", NULL, "xdg"},
      {NULL, NULL, NULL, NULL, "home"},
      {NULL, "", "", NULL, "home"},
      {NULL, NULL, "relhome", NULL, "relhome"},
      {NULL, NULL, "./relhome", NULL, "relhome"},
      {NULL, "relxdg", NULL, NULL, "relxdg"},
      {NULL, "relxdg", "relhome", NULL, "relxdg"},
      {NULL, "relxdg", "~/home", "home/.cache/millrace/part", "home"},
      {NULL, "~/xdg", "relhome", "xdg/millrace/part", "xdg"},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    set_variable("MILLRACE_CACHE_DIR", cases[i].own);
    set_variable("XDG_CACHE_HOME", cases[i].xdg);
    set_variable("HOME", cases[i].home);
    int folder = mr_kept_open("part", true);
    assert_int_equal(folder >= 0, cases[i].folder != NULL);
    assert_int_equal(is_folder(cases[i].folder ? cases[i].folder : cases[i].top), cases[i].folder != NULL);
    assert_false(is_folder("relhome") || is_folder("relxdg"));
    if (folder >= 0) {
      close(folder);
    }
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'/*", root);
    assert_int_equal(system(command), 0);
  }
}

static int enter(void **state) {
  (void)state;
  return mkdtemp(root) ? chdir(root) : -1;
}

static int leave(void **state) {
  (void)state;
  return rmdir(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_which_folder)};
  return cmocka_run_group_tests(tests, enter, leave);
}
