#include "tests/gone.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "core/census.h"
#include "tests/cmocka.h"

enum { MAX_KINDS = 64 };

// Of this program's own libraries, then of the plugin's.
typedef struct counts {
  int64_t own[MR_CENSUS_KINDS], plugin[MAX_KINDS];
} counts;

// A test with the census around it.
typedef struct counted {
  const struct CMUnitTest *test;
  counts before;
} counted;

static const char *(*plugin_name)(size_t kind);
static size_t (*plugin_count)(int64_t *out_counts, size_t room);
static int (*group_setup)(void **state), (*group_teardown)(void **state);
static void *group_state;
static counts group_before;
static counted *running;

void gone_watch_plugin(const char *(*name)(size_t kind), size_t (*count)(int64_t *out_counts, size_t room)) {
  plugin_name = name;
  plugin_count = count;
}

static counts count_now(void) {
  counts now = {0};
  mr_census(now.own);
  if (plugin_count) {
    plugin_count(now.plugin, MAX_KINDS);
  }
  return now;
}

static bool has_negative(const counts *now) {
  bool found = false;
  for (size_t k = 0; k < MR_CENSUS_KINDS; k++) {
    found = found || now->own[k] < 0;
  }
  for (size_t k = 0; k < MAX_KINDS; k++) {
    found = found || now->plugin[k] < 0;
  }
  return found;
}

// Less than none is there for a moment only: a thread's count of what it made was read before that of the thread that let go
// of it.
static counts count_to_begin_with(void) {
  counts now = count_now();
  for (int i = 0; i < 100 && has_negative(&now); i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    now = count_now();
  }
  return now;
}

// A test may find less than before: what its fixture had under way (a client compiles a little when it is made) has ended
// since. All tests together begin and end with nothing under way.
static bool is_fine(int64_t before, int64_t after, bool exactly) { return exactly ? after == before : after <= before; }

// What a thread of the engine's lets go of a moment after a test was told the end of its work is waited for.
static bool all_gone(const counts *before, bool exactly, counts *out_after) {
  for (int i = 0; i < 10000; i++) {
    *out_after = count_now();
    bool fine = true;
    for (size_t k = 0; k < MR_CENSUS_KINDS; k++) {
      fine = fine && is_fine(before->own[k], out_after->own[k], exactly);
    }
    for (size_t k = 0; k < MAX_KINDS; k++) {
      fine = fine && is_fine(before->plugin[k], out_after->plugin[k], exactly);
    }
    if (fine) {
      return true;
    }
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  return false;
}

static void report(const char *what, const counts *before, const counts *after) {
  for (size_t kind = 0; kind < MR_CENSUS_KINDS; kind++) {
    if (before->own[kind] == after->own[kind]) {
      continue;
    }
    print_error("%s: %lld %s, there were %lld\n", what, (long long)after->own[kind],
                mr_census_name((mr_census_kind)kind), (long long)before->own[kind]);
  }
  for (size_t kind = 0; kind < MAX_KINDS; kind++) {
    if (before->plugin[kind] == after->plugin[kind]) {
      continue;
    }
    print_error("%s: %lld %s in the plugin, there were %lld\n", what, (long long)after->plugin[kind], plugin_name(kind),
                (long long)before->plugin[kind]);
  }
}

static int expect_gone(const char *what, const counts *before, bool exactly) {
  counts after;
  if (all_gone(before, exactly, &after)) {
    return 0;
  }
  report(what, before, &after);
  return -1;
}

static int set_up(void **state) {
  running = *state;
  *state = running->test->initial_state ? running->test->initial_state : group_state;
  running->before = count_to_begin_with();
  return running->test->setup_func ? running->test->setup_func(state) : 0;
}

static int tear_down(void **state) {
  int result = running->test->teardown_func ? running->test->teardown_func(state) : 0;
  return expect_gone(running->test->name, &running->before, false) ? -1 : result;
}

static int set_up_group(void **state) {
  group_before = count_to_begin_with();
  int result = group_setup ? group_setup(state) : 0;
  group_state = *state;
  return result;
}

static int tear_down_group(void **state) {
  int result = group_teardown ? group_teardown(state) : 0;
  return expect_gone("all tests", &group_before, true) ? -1 : result;
}

int gone_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count, int (*setup)(void **state),
                         int (*teardown)(void **state)) {
  struct CMUnitTest *wrapped = calloc(count, sizeof *wrapped);
  counted *all = calloc(count, sizeof *all);
  if (!wrapped || !all) {
    abort();
  }
  for (size_t i = 0; i < count; i++) {
    all[i].test = &tests[i];
    wrapped[i] = tests[i];
    wrapped[i].setup_func = set_up;
    wrapped[i].teardown_func = tear_down;
    wrapped[i].initial_state = &all[i];
  }
  group_setup = setup;
  group_teardown = teardown;
  int failed = _cmocka_run_group_tests(name, wrapped, count, set_up_group, tear_down_group);
  free(wrapped);
  free(all);
  return failed;
}
