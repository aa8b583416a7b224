// The plugin with a kernel cache on a disk that is full, cannot be written, or goes away meanwhile: the answers stay right.
// Each case is a child in a mount namespace of its own, with a file system of some pages.
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/faults/host.h"

enum { RIGHT, FAILS, NO_MOUNT, NOT_FULL, PROGRAMS = 12 };
static char folder[] = "/tmp/millrace-disk-XXXXXX";
static const PJRT_Api *api;

// Another kernel for each number.
static bool run_program(const host *h, PJRT_Client *client, int number) {
  static const int64_t four[] = {4};
  static const float values[] = {1, 2, 3, 4};
  char text[500];
  snprintf(text, sizeof text,
           "module @m {\n"
           "  func.func public @main(%%a: tensor<4xf32>) -> tensor<4xf32> {\n"
           "    %%c = stablehlo.constant dense<%d.0> : tensor<4xf32>\n"
           "    %%0 = stablehlo.multiply %%a, %%c : tensor<4xf32>\n"
           "    %%1 = stablehlo.add %%0, %%a : tensor<4xf32>\n"
           "    return %%1 : tensor<4xf32>\n"
           "  }\n"
           "}\n",
           number);
  PJRT_LoadedExecutable *loaded = host_compile(h, client, text);
  PJRT_Buffer *x = loaded ? host_put(h, client, PJRT_Buffer_Type_F32, values, four, 1) : NULL, *y = NULL;
  float got[4] = {0};
  bool fine = x && host_execute(h, loaded, x, &y) && host_get(h, y, got, sizeof got);
  for (int i = 0; i < 4; i++) {
    fine = fine && got[i] == values[i] * (float)(number + 1);
  }
  host_buffer_destroy(h, x);
  host_buffer_destroy(h, y);
  host_loaded_destroy(h, loaded);
  return fine;
}

static bool mount_small(const char *size) {
  return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
         mount("none", folder, "tmpfs", 0, size) == 0;
}

static unsigned long free_blocks(void) {
  struct statfs info;
  return statfs(folder, &info) == 0 ? (unsigned long)info.f_bfree : 0;
}

static void go_away(void) {
  char command[100];
  snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
  if (system(command) != 0) {
    _exit(FAILS);
  }
}

static void close_for_writing(void) {
  if (mount("none", folder, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL) != 0) {
    _exit(NO_MOUNT);
  }
}

// In a child: half of the programs, `meanwhile`, the other half.
static int live(const char *size, void (*meanwhile)(void), bool fills) {
  if (!mount_small(size)) {
    return NO_MOUNT;
  }
  setenv("MILLRACE_CACHE_DIR", folder, 1);
  record r = {0};
  const host h = {api, &r};
  PJRT_Client *client = host_client(&h, 1);
  bool fine = client != NULL;
  for (int i = 0; fine && i < PROGRAMS; i++) {
    if (i == PROGRAMS / 2 && meanwhile) {
      meanwhile();
    }
    fine = run_program(&h, client, i + 1);
  }
  host_client_destroy(&h, client);
  if (!fine) {
    fprintf(stderr, "%s\n", r.status);
    return FAILS;
  }
  return fills && free_blocks() > 1 ? NOT_FULL : RIGHT;
}

static void check(const char *size, void (*meanwhile)(void), bool fills) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    _exit(live(size, meanwhile, fills));
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  if (WEXITSTATUS(status) == NO_MOUNT) {
    print_message("nothing can be mounted here: only root may, outside of most containers\n");
    skip();
  }
  assert_int_equal(WEXITSTATUS(status), RIGHT);
}

// A disk takes some kernels and then no more.
static void test_full(void **state) {
  (void)state;
  check("size=16k", NULL, true);
}

// The folder and all that is in it are removed while the process lives; later kernels are kept again.
static void test_goes_away(void **state) {
  (void)state;
  check("size=1m", go_away, false);
}

// A file system that the kernel has closed for writing, as it does after an error of the disk.
static void test_cannot_be_written(void **state) {
  (void)state;
  check("size=1m", close_for_writing, false);
}

int main(void) {
  api = host_open(getenv("MILLRACE_LIBRARY"));
  if (api == NULL || mkdtemp(folder) == NULL) {
    return 1;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_full),
      cmocka_unit_test(test_goes_away),
      cmocka_unit_test(test_cannot_be_written),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  rmdir(folder);
  return failed;
}
