// cmocka.h with the headers it forgets to include, and tests that leave no descriptors and no threads behind.
#ifndef SV_TESTS_CHECK_H
#define SV_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "serve/base/base.h"

static inline int check_entries(const char *folder) {
  DIR *dir = opendir(folder);
  int count = 0;
  while (dir && readdir(dir)) {
    count++;
  }
  if (dir) {
    closedir(dir);
  }
  return count;
}

// What the process has now: descriptors, threads. A thread that has been joined may be seen for a moment yet.
static inline bool check_same(const char *folder, int before) {
  for (int i = 0; i < 500; i++) {
    if (check_entries(folder) <= before) {
      return true;
    }
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  printf("%s had %d entries before the tests and has %d now\n", folder, before, check_entries(folder));
  return false;
}

// ThreadSanitizer starts a thread of its own with the program's first one.
static inline void *check_nothing(void *argument) { return argument; }
static inline void check_first_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, check_nothing, NULL) == 0) {
    pthread_join(thread, NULL);
  }
}

// The tests, and then: no more descriptors and threads than there were. For main() to return.
#define check_run(tests) check_run_named(#tests, tests, sizeof(tests) / sizeof((tests)[0]), true)
// The same for tests that start the engine, whose threads and descriptors stay.
#define check_run_engine(tests) check_run_named(#tests, tests, sizeof(tests) / sizeof((tests)[0]), false)
static inline int check_run_named(const char *name, const struct CMUnitTest *tests, size_t count, bool leaves_nothing) {
  check_first_thread();
  int descriptors = check_entries("/proc/self/fd"), threads = check_entries("/proc/self/task");
  int failed = _cmocka_run_group_tests(name, tests, count, NULL, NULL);
  if (leaves_nothing && (!check_same("/proc/self/fd", descriptors) || !check_same("/proc/self/task", threads))) {
    failed++;
  }
  return failed;
}

// The error is there, has this code, and its message contains the words; it is freed.
#define check_fails(error, wanted_code, words) check_fails_at(error, wanted_code, words, __FILE__, __LINE__)
static inline void check_fails_at(sv_error *error, millrace_code code, const char *words, const char *file, int line) {
  if (!error || sv_error_code(error) != code || !strstr(sv_error_message(error), words)) {
    printf("%s:%d: wanted code %d with '%s', got %d '%s'\n", file, line, (int)code, words, (int)sv_error_code(error),
           sv_error_message(error));
    sv_error_free(error);
    _fail(file, line);
  }
  sv_error_free(error);
}

#define check_ok(error) check_ok_at(error, __FILE__, __LINE__)
static inline void check_ok_at(sv_error *error, const char *file, int line) {
  if (error) {
    printf("%s:%d: %s\n", file, line, sv_error_message(error));
    sv_error_free(error);
    _fail(file, line);
  }
}

#endif
