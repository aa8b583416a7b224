// millrace trace --summary FILE: of a trace, what each thread did, how many were busy at once, and why the others were idle.
//
// A thread is idle where its record says "search" or "sleep". Why, is told by what happens elsewhere at that moment: a transfer, or a
// callback of the host's, that it may be waiting for; other work, that what comes next depends on; or nothing, and there was no work.
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/commands.h"

typedef enum activity { WORKS, TRANSFERS, CALLS_BACK, IDLES, ACTIVITIES } activity;
typedef enum reason { NO_WORK, DEPENDENCY, TRANSFER, CALLBACK, REASONS } reason;
enum { MOST_THREADS = 1024, MOST_DEVICES = 4096, NAME_BYTES = 32 };

typedef struct thread {
  long number;
  char name[NAME_BYTES];
  uint32_t depth[ACTIVITIES];  // spans that are open
  double busy[IDLES], idle[REASONS];
} thread;

// Where a span begins or ends.
typedef struct border {
  double at;
  uint32_t thread;
  int device;  // -1: none
  activity what;
  int step;  // 1 or -1
} border;

typedef struct summary {
  bool executions;  // nothing else counts, and of these none whose duration was not measured
  long process;     // 0: not known yet
  thread *threads;
  uint32_t num_threads;
  int num_devices;
  border *borders;
  size_t num_borders, room;
  uint32_t device_depth[MOST_DEVICES];
  double device_busy[MOST_DEVICES];
  double overlap[MOST_THREADS + 1];  // by how many threads were busy
} summary;

// ---- Reading ------------------------------------------------------------------------------------------------------------

// What follows `"key":` in an event; NULL: it has none.
static const char *find(const char *line, const char *key) {
  char wanted[32];
  snprintf(wanted, sizeof wanted, "\"%s\":", key);
  const char *at = strstr(line, wanted);
  return at ? at + strlen(wanted) : NULL;
}

static bool has(const char *line, const char *key, const char *value) {
  const char *at = find(line, key);
  size_t size = strlen(value);
  return at && at[0] == '"' && strncmp(at + 1, value, size) == 0 && at[1 + size] == '"';
}

static double number(const char *line, const char *key, double otherwise) {
  const char *at = find(line, key);
  return at ? strtod(at, NULL) : otherwise;
}

// MOST_THREADS: there are too many.
static uint32_t find_thread(summary *s, long tid) {
  uint32_t i = 0;
  while (i < s->num_threads && s->threads[i].number != tid) {
    i++;
  }
  if (i == s->num_threads && i < MOST_THREADS) {
    s->threads[s->num_threads++] = (thread){.number = tid};
  }
  return i;
}

static void read_name(summary *s, const char *line) {
  uint32_t i = find_thread(s, (long)number(line, "tid", 0));
  const char *arguments = find(line, "args"), *name = arguments ? find(arguments, "name") : NULL;
  if (i < MOST_THREADS && name && *name == '"') {
    snprintf(s->threads[i].name, NAME_BYTES, "%.*s", (int)strcspn(name + 1, "\""), name + 1);
  }
}

static bool is_transfer(const char *line) {
  return has(line, "cat", "transfer") || has(line, "kind", "host-to-device") || has(line, "kind", "device-to-host") ||
         has(line, "kind", "transfer") || has(line, "kind", "copy");
}

static activity activity_of(const char *line) {
  if (has(line, "cat", "worker")) {
    bool idle = has(line, "name", "search") || has(line, "name", "sleep") || has(line, "name", "stands aside");
    return idle ? IDLES : WORKS;
  }
  if (is_transfer(line)) {
    return TRANSFERS;
  }
  return has(line, "kind", "callback") ? CALLS_BACK : WORKS;
}

static bool add_border(summary *s, border b) {
  if (s->num_borders == s->room) {
    size_t room = s->room ? 2 * s->room : 1024;
    border *larger = realloc(s->borders, room * sizeof *larger);
    if (!larger) {
      return false;
    }
    s->borders = larger;
    s->room = room;
  }
  s->borders[s->num_borders++] = b;
  return true;
}

static bool read_line(summary *s, const char *line) {
  // What devices did stands once more in groups of theirs, behind the threads.
  long process = (long)number(line, "pid", 0);
  s->process = s->process ? s->process : process;
  if (process != s->process) {
    return true;
  }
  if (has(line, "ph", "M") && has(line, "name", "thread_name")) {
    read_name(s, line);
  }
  if (!has(line, "ph", "X")) {
    return true;
  }
  border b = {.at = number(line, "ts", 0),
              .thread = find_thread(s, (long)number(line, "tid", 0)),
              .device = (int)number(line, "device", -1),
              .what = activity_of(line),
              .step = 1};
  if (b.thread == MOST_THREADS || b.device >= MOST_DEVICES) {
    return true;
  }
  if (s->executions && (b.what == TRANSFERS || find(line, "duration"))) {
    return true;
  }
  s->num_devices = b.device >= s->num_devices ? b.device + 1 : s->num_devices;
  border end = b;
  end.at += number(line, "dur", 0);
  end.step = -1;
  return add_border(s, b) && add_border(s, end);
}

static bool read_file(summary *s, const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) {
    return false;
  }
  char *line = NULL;
  size_t room = 0;
  bool ok = true;
  while (ok && getline(&line, &room, file) >= 0) {
    ok = read_line(s, line);
  }
  free(line);
  fclose(file);
  return ok;
}

// ---- Counting -----------------------------------------------------------------------------------------------------------

// Ends before beginnings at the same moment.
static int compare(const void *a, const void *b) {
  const border *x = a, *y = b;
  if (x->at != y->at) {
    return x->at < y->at ? -1 : 1;
  }
  return x->step - y->step;
}

// What lies innermost counts: a transfer within a node is a transfer. Idle comes first: who waits inside a node does not work.
static activity now(const thread *t) {
  static const activity order[] = {IDLES, TRANSFERS, CALLS_BACK, WORKS};
  for (size_t i = 0; i < ACTIVITIES; i++) {
    if (t->depth[order[i]]) {
      return order[i];
    }
  }
  return ACTIVITIES;
}

static void count(summary *s, double passed) {
  uint32_t doing[ACTIVITIES + 1] = {0};
  for (uint32_t i = 0; i < s->num_threads; i++) {
    doing[now(&s->threads[i])]++;
  }
  reason why = doing[TRANSFERS] ? TRANSFER : (doing[CALLS_BACK] ? CALLBACK : (doing[WORKS] ? DEPENDENCY : NO_WORK));
  for (uint32_t i = 0; i < s->num_threads; i++) {
    activity what = now(&s->threads[i]);
    if (what == IDLES) {
      s->threads[i].idle[why] += passed;
    } else if (what < IDLES) {
      s->threads[i].busy[what] += passed;
    }
  }
  s->overlap[doing[WORKS] + doing[TRANSFERS] + doing[CALLS_BACK]] += passed;
}

static void count_all(summary *s) {
  if (s->num_borders) {
    qsort(s->borders, s->num_borders, sizeof *s->borders, compare);
  }
  for (size_t i = 0; i < s->num_borders; i++) {
    const border *b = &s->borders[i];
    if (i && b->at > s->borders[i - 1].at) {
      double passed = b->at - s->borders[i - 1].at;
      count(s, passed);
      for (int d = 0; d < s->num_devices; d++) {
        s->device_busy[d] += s->device_depth[d] ? passed : 0;
      }
    }
    s->threads[b->thread].depth[b->what] += (uint32_t)b->step;
    if (b->device >= 0) {
      s->device_depth[b->device] += (uint32_t)b->step;
    }
  }
}

// ---- Telling ------------------------------------------------------------------------------------------------------------

static void print(const summary *s) {
  double whole = s->num_borders ? s->borders[s->num_borders - 1].at - s->borders[0].at : 0;
  printf("%.3f ms, %u threads; ms of each:\n", whole / 1e3, s->num_threads);
  printf("%-28s %9s %9s %9s   idle: %9s %10s %9s %9s\n", "", "works", "transfers", "callbacks", "no work", "dependency",
         "transfer", "callback");
  for (uint32_t i = 0; i < s->num_threads; i++) {
    const thread *t = &s->threads[i];
    printf("%-16s %11ld %9.3f %9.3f %9.3f         %9.3f %10.3f %9.3f %9.3f\n", t->name, t->number, t->busy[WORKS] / 1e3,
           t->busy[TRANSFERS] / 1e3, t->busy[CALLS_BACK] / 1e3, t->idle[NO_WORK] / 1e3, t->idle[DEPENDENCY] / 1e3,
           t->idle[TRANSFER] / 1e3, t->idle[CALLBACK] / 1e3);
  }
  for (uint32_t k = 0; k <= s->num_threads; k++) {
    if (s->overlap[k] > 0) {
      printf("%u busy at once: %.3f ms, %.1f%%\n", k, s->overlap[k] / 1e3, 100 * s->overlap[k] / whole);
    }
  }
  for (int d = 0; d < s->num_devices; d++) {
    if (s->device_busy[d] > 0) {
      printf("device %d busy: %.3f ms, %.1f%%\n", d, s->device_busy[d] / 1e3, 100 * s->device_busy[d] / whole);
    }
  }
}

static void summary_free(summary *s) {
  free(s->borders);
  free(s->threads);
  free(s);
}

// Reads and counts; the caller frees it. NULL: errno says why.
static summary *summarize(const char *path, bool executions) {
  summary *s = calloc(1, sizeof *s);
  thread *threads = calloc(MOST_THREADS, sizeof *threads);
  if (!s || !threads) {
    free(s);
    free(threads);
    errno = ENOMEM;
    return NULL;
  }
  s->threads = threads;
  s->executions = executions;
  errno = 0;
  if (read_file(s, path)) {
    count_all(s);
    return s;
  }
  int code = errno ? errno : ENOMEM;
  summary_free(s);
  errno = code;
  return NULL;
}

bool trace_summary(const char *path) {
  summary *s = summarize(path, false);
  if (!s) {
    fprintf(stderr, "millrace: %s: %s\n", path, strerror(errno));
    return false;
  }
  print(s);
  summary_free(s);
  return true;
}

bool trace_devices_busy(const char *path, double *out_ns) {
  summary *s = summarize(path, true);
  *out_ns = 0;
  for (int d = 0; s && d < s->num_devices; d++) {
    *out_ns += s->device_busy[d] * 1e3;
  }
  if (s) {
    summary_free(s);
  }
  return s != NULL;
}
