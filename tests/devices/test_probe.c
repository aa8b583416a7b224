// The machine's figures, by processes of their own: measured where there is no file, read by the next process, and measured again
// where the file is damaged or anybody's.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "devices/devices.h"
#include "tests/cmocka.h"

static char folder[] = "/tmp/millrace-figures-XXXXXX";

// What a process found out; through a pipe.
typedef struct report {
  mr_figures before, after;
  uint64_t ns;
} report;

static bool at_once(void *context) {
  (void)context;
  return true;
}

static report look(bool stop) {
  mr_platform *platform;
  assert_null(mr_platform_create(NULL, &platform));
  mr_device *device = mr_platform_device(platform, 0);
  report r = {.before = *mr_device_figures(device)};
  uint64_t start = mr_now_ns();
  r.after = *mr_device_measure(device, stop ? at_once : NULL, NULL);
  r.ns = mr_now_ns() - start;
  assert_memory_equal(mr_device_figures(device), &r.after, sizeof r.after);
  mr_platform_release(platform);
  return r;
}

static report in_process(const char *setting, bool stop) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    setenv("MILLRACE_FIGURES", setting, 1);
    setenv("MILLRACE_CACHE_DIR", folder, 1);
    report r = look(stop);
    _exit(write(ends[1], &r, sizeof r) == sizeof r ? 0 : 1);
  }
  close(ends[1]);
  report r;
  assert_int_equal(read(ends[0], &r, sizeof r), sizeof r);
  close(ends[0]);
  int state = 0;
  assert_int_equal(waitpid(child, &state, 0), child);
  assert_int_equal(state, 0);
  return r;
}

// The one file; false: there is none.
static bool file_path(char *path, size_t size) {
  char inner[64];
  snprintf(inner, sizeof inner, "%s/figures", folder);
  DIR *dir = opendir(inner);
  bool found = false;
  for (struct dirent *d = dir ? readdir(dir) : NULL; d; d = readdir(dir)) {
    if (d->d_name[0] != '.') {
      assert_false(found);
      found = true;
      assert_true(snprintf(path, size, "%s/%s", inner, d->d_name) < (int)size);
    }
  }
  if (dir) {
    closedir(dir);
  }
  return found;
}

static void print(void *context, const char *name, double value, const char *words) {
  (void)context;
  print_message("%-32s %14.6g  %s\n", name, value, words);
}

static bool same_values(const mr_figures *a, const mr_figures *b) {
  return !memcmp(a, b, offsetof(mr_figures, origin));
}

// Told not to, a process measures nothing and reads nothing, but takes what it is given.
static void test_default_and_given(void **state) {
  (void)state;
  report r = in_process("default,cache3_bytes=1e8,wake_ns=1,nonsense,units=,launch_ns=70", false);
  char path[200];
  assert_false(file_path(path, sizeof path));
  assert_int_equal(r.after.origin, MR_FIGURES_GIVEN);
  assert_true(r.after.caches[2].bytes == 1e8 && r.after.launch_ns == 70);
  assert_true(r.after.wake_ns == mr_figures_default.wake_ns);
  assert_true(r.after.memory_read_bytes_per_ns == mr_figures_default.memory_read_bytes_per_ns);
}

// What was broken off is not kept.
static void test_stopped(void **state) {
  (void)state;
  report r = in_process("measure", true);
  char path[200];
  assert_false(file_path(path, sizeof path));
  assert_int_equal(r.after.origin, MR_FIGURES_DEFAULT);
}

// Measured once, kept, and what the next process has from its first question on.
static void test_kept(void **state) {
  (void)state;
  report first = in_process("measure", false), second = in_process("", false);
  assert_int_equal(first.before.origin, MR_FIGURES_DEFAULT);
  assert_int_equal(first.after.origin, MR_FIGURES_MEASURED);
  mr_figures_each(&first.after, print, NULL);
  print_message("measured in %.1f ms\n", (double)first.ns / 1e6);
  assert_true(mr_figures_plausible(&first.after));
  assert_true(first.after.f32_flops_per_ns != mr_figures_default.f32_flops_per_ns);
  assert_true(first.ns < (uint64_t)(MR_TEST_SANITIZED ? 20 : 2) * 1000000000);
  assert_int_equal(second.before.origin, MR_FIGURES_KEPT);
  assert_true(same_values(&first.after, &second.before));
  assert_true(same_values(&first.after, &second.after));
}

static void overwrite(const char *path, off_t at, const char *bytes) {
  int fd = open(path, O_WRONLY);
  assert_true(fd >= 0);
  assert_int_equal(pwrite(fd, bytes, strlen(bytes), at), strlen(bytes));
  close(fd);
}

// A file that is not whole, not of this machine or writable by others is as none.
static void test_damaged(void **state) {
  (void)state;
  char path[200];
  in_process("measure", false);
  assert_true(file_path(path, sizeof path));
  static const off_t places[] = {0, 10, 30, 100};  // the mark, the machine, the checksum, a figure
  for (size_t i = 0; i < MR_ARRAY_SIZE(places); i++) {
    overwrite(path, places[i], "?!");
    assert_int_equal(in_process("", false).before.origin, MR_FIGURES_DEFAULT);
    assert_int_equal(in_process("measure", false).after.origin, MR_FIGURES_MEASURED);
    assert_int_equal(in_process("", false).before.origin, MR_FIGURES_KEPT);
  }
  assert_int_equal(truncate(path, 100), 0);
  assert_int_equal(in_process("", false).before.origin, MR_FIGURES_DEFAULT);
  in_process("measure", false);
  assert_int_equal(chmod(path, 0666), 0);
  assert_int_equal(in_process("", false).before.origin, MR_FIGURES_DEFAULT);
}

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
  (void)state;
  char path[200];
  if (file_path(path, sizeof path)) {
    unlink(path);
    *strrchr(path, '/') = 0;
    rmdir(path);
  }
  rmdir(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_default_and_given), cmocka_unit_test(test_stopped),
                                     cmocka_unit_test(test_kept), cmocka_unit_test(test_damaged)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
