#include "tests/alloc_loop.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/alloc_fail.h"
#include "tests/cmocka.h"

bool alloc_loop_is_whole(void) { return getenv("MILLRACE_ALLOC_ALL") != NULL; }

int64_t alloc_loop_kept;
static int failures;

static uint64_t seed(void) {
  const char *text = getenv("MILLRACE_TEST_SEED");
  return text ? strtoull(text, NULL, 0) : 0;
}

// Other threads let go of things a moment after their end was told.
static int64_t growth_since(int64_t before, int milliseconds) {
  int64_t growth = mr_alloc_live() - alloc_loop_kept - before;
  for (int i = 0; i < milliseconds * 10 && growth > 0; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    growth = mr_alloc_live() - alloc_loop_kept - before;
  }
  return growth;
}

// Rounds that did not end well are told with the calls that led to the allocation (addr2line makes lines of them), and the
// loop goes on, so that one run shows all.
static void complain(const char *what, uint64_t nth, bool all_after, const char *format, ...) {
  va_list args;
  va_start(args, format);
  print_error("%s, allocation %llu fails%s: ", what, (unsigned long long)nth, all_after ? " with all after it" : "");
  vprint_error(format, args);
  va_end(args);
  void *const *frames;
  size_t num_frames = mr_alloc_failed_callers(&frames);
  fflush(NULL);
  if (num_frames) {
    backtrace_symbols_fd(frames, (int)num_frames, STDERR_FILENO);
  }
  failures++;
}

// One round; false when it was over before the allocation that should fail. A round may leave something in a cache: not
// when it is made again.
static bool fails_well(const char *what, alloc_attempt attempt, void *context, uint64_t nth, bool all_after) {
  int64_t growth = 1;
  bool reached = true;
  for (int tries = 0; growth > 0 && tries < 4; tries++) {
    int64_t before = mr_alloc_live() - alloc_loop_kept;
    (void)(all_after ? mr_alloc_fail_from(nth) : mr_alloc_fail_nth(nth));
    mr_status status = attempt(context);
    reached = mr_alloc_fail_nth(0) >= nth;
    if (status && (!reached || mr_status_code(status) != MR_RESOURCE_EXHAUSTED)) {
      complain(what, nth, all_after, "%s: %s\n", mr_status_code_name(mr_status_code(status)),
               mr_status_message(status));
    }
    mr_status_free(status);
    growth = growth_since(before, tries == 3 ? 2000 : 2 * tries);
  }
  if (growth > 0) {
    complain(what, nth, all_after, "%lld blocks more are in use afterwards\n", (long long)growth);
  }
  return reached;
}

// Whatever the attempt reaches and none before it has reached fails once, by its place in the source. There are as few rounds
// as such places, so none is left out. This comes before what is made once is made, so that its making fails too: and so
// cannot be told from a leak here.
void alloc_each_place(const char *what, alloc_attempt attempt, void *context) {
  uint64_t failed;
  do {
    failed = mr_alloc_failed();
    (void)mr_alloc_fail_nth(UINT64_MAX);
    mr_alloc_fail_unseen();
    mr_status status = attempt(context);
    (void)mr_alloc_fail_nth(0);
    if (status && mr_alloc_failed() > failed && mr_status_code(status) != MR_RESOURCE_EXHAUSTED) {
      complain(what, mr_alloc_failed_last(), false, "%s: %s\n", mr_status_code_name(mr_status_code(status)),
               mr_status_message(status));
    }
    mr_status_free(status);
  } while (mr_alloc_failed() > failed);
}

// Untouched: it works. Returns how many allocations could fail.
static uint64_t count(const char *what, alloc_attempt attempt, void *context) {
  (void)mr_alloc_fail_nth(UINT64_MAX);
  mr_status status = attempt(context);
  uint64_t made = mr_alloc_fail_nth(0);
  if (status) {
    fail_msg("%s: %s: %s", what, mr_status_code_name(mr_status_code(status)), mr_status_message(status));
  }
  return made;
}

uint64_t alloc_loop(const char *what, alloc_attempt attempt, void *context, uint64_t work) {
  alloc_each_place(what, attempt, context);
  (void)count(what, attempt, context);  // what is made once is made here
  uint64_t made = count(what, attempt, context);
  uint64_t rounds = work / (MR_TEST_SANITIZED ? 4 : 1) / MR_MAX(made, (uint64_t)1);
  uint64_t step = alloc_loop_is_whole() ? 1 : 1 + 2 * made / MR_MAX(rounds, (uint64_t)1);
  for (int all_after = 0; all_after < 2; all_after++) {
    // Where many work at once the number of allocations varies; it ends when one round has not come so far.
    uint64_t nth = 1 + (seed() + (uint64_t)all_after * (step / 2)) % step;
    while (fails_well(what, attempt, context, nth, all_after)) {
      nth += step;
    }
  }
  (void)count(what, attempt, context);
  return made;
}

void alloc_loops_ended_well(void) {
  int all = failures;
  failures = 0;
  if (all) {
    fail_msg("%d rounds did not end as they should", all);
  }
}

// ---- Which places failed ------------------------------------------------------------------------------------------------

// A file in the folder MILLRACE_ALLOC_PLACES for this process, for whoever counts them: a program or library and an address
// in it for each.
static void write_places(void) {
  enum { ROOM = 1 << 13 };
  static void *places[ROOM];
  size_t num_places = mr_alloc_failed_places(places, ROOM);
  char path[PATH_MAX], self[PATH_MAX] = "";
  if (num_places == 0) {
    return;
  }
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) {
    return;
  }
  snprintf(path, sizeof path, "%s/%d", getenv("MILLRACE_ALLOC_PLACES"), (int)getpid());
  FILE *file = fopen(path, "w");
  for (size_t i = 0; file && i < num_places; i++) {
    Dl_info info;
    if (dladdr(places[i], &info) == 0) {
      continue;
    }
    bool library = strstr(info.dli_fname, ".so") != NULL;
    fprintf(file, "%s %zx\n", library ? info.dli_fname : self, (size_t)((char *)places[i] - (char *)info.dli_fbase));
  }
  if (file) {
    fclose(file);
  }
}

static void end(void) {
  if (getenv("MILLRACE_ALLOC_PLACES")) {
    write_places();
  }
  if (failures) {
    fprintf(stderr, "%d rounds did not end as they should, and no test asked\n", failures);
    _exit(1);
  }
}

__attribute__((constructor)) static void begin(void) { atexit(end); }
