#include "tests/faults/scenario.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/faults/faults.h"

// PATIENCE: some rounds wait for what gives up after five seconds; the rest is for a busy machine.
// RECORDINGS: threads do not do all they may in each run.
enum { AT_ONCE = 2, PATIENCE_S = 25, EVERY_CALL = 200, THREADS_END_MS = 3000, RECORDINGS = 3 };

typedef enum verdict { RIGHT, STATUS, WRONG } verdict;

// What a child tells, in memory that it shares with the test.
typedef struct report {
  verdict verdict;
  char text[1000];
  int fds, threads;  // after the run that fails, or was recorded
  uint32_t struck;
} report;

// One call, or all from one on, of a place.
typedef struct round {
  size_t place;
  fault_way way;
  uint32_t first, last;
  int number;  // in its order
} round;

typedef struct slot {
  pid_t child;
  time_t began;
  int number;
  char folder[64], log[64];
} slot;

static report *reports;  // one for each slot, and one for recordings
static slot slots[AT_ONCE];
static char root[] = "/tmp/millrace-faults-XXXXXX";
static report usual;                       // of the scenario without a failure, the most of its recordings
static uint32_t calls[FAULTS_MAX_PLACES];  // of each place, likewise
static int failures, totals[2];
static uint32_t rounds_without_effect;

// ---- Records --------------------------------------------------------------------------------------------------------

void record_status(record *r, const char *call, int code, const char *message) {
  if (code == 0 || message == NULL || message[0] == 0) {
    record_wrong(r, "%s fails with code %d and the message '%s'", call, code, message ? message : "(none)");
  } else if (r->status[0] == 0) {
    snprintf(r->status, sizeof r->status, "%s: code %d: %s", call, code, message);
  }
}

void record_wrong(record *r, const char *format, ...) {
  if (r->wrong[0]) {
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(r->wrong, sizeof r->wrong, format, arguments);
  va_end(arguments);
}

// ---- In the child ---------------------------------------------------------------------------------------------------

// The entries of a folder of /proc, but for threads that end by themselves when nothing has been used for a while.
static int count_entries(const char *path) {
  int count = 0;
  DIR *folder = opendir(path);
  for (struct dirent *e = folder ? readdir(folder) : NULL; e; e = readdir(folder)) {
    char name[300], text[32] = "";
    snprintf(name, sizeof name, "%s/%s/comm", path, e->d_name);
    FILE *comm = strstr(path, "task") ? fopen(name, "r") : NULL;
    if (comm) {
      (void)!fgets(text, sizeof text, comm);
      fclose(comm);
    }
    count += strncmp(text, "millrace-tidy", 13) != 0;
  }
  if (folder) {
    closedir(folder);
  }
  return count;
}

static int count_fds(void) { return count_entries("/proc/self/fd"); }

// Threads that end do so a little after they have said it.
static int count_threads(int wanted) {
  int count = count_entries("/proc/self/task");
  for (int ms = 0; wanted && count > wanted && ms < THREADS_END_MS; ms += 5) {
    usleep(5000);
    count = count_entries("/proc/self/task");
  }
  return count;
}

static bool run_once(const scenario *s, report *out, verdict *out_verdict) {
  record r = {0};
  bool right = s->run(&r);
  if (right && r.status[0]) {
    record_wrong(&r, "ended right after %.300s", r.status);
  }
  if (!right && r.status[0] == 0) {
    record_wrong(&r, "did not end right, and no call says why");
  }
  *out_verdict = r.wrong[0] ? WRONG : right ? RIGHT : STATUS;
  if (!right || r.wrong[0]) {
    snprintf(out->text, sizeof out->text, "%.450s%s%.450s", r.wrong, r.wrong[0] && r.status[0] ? "; " : "", r.status);
  }
  return *out_verdict != WRONG;
}

static void check_left(report *out, const char *when) {
  int fds = count_fds(), threads = count_threads(usual.threads);
  if (usual.fds && (fds > usual.fds || threads > usual.threads)) {
    out->verdict = WRONG;
    snprintf(out->text + strlen(out->text), sizeof out->text - strlen(out->text),
             "; %s: %d descriptors, usually %d, and %d threads, usually %d", when, fds, usual.fds, threads,
             usual.threads);
  }
  out->fds = fds;
  out->threads = threads;
}

// The disturbed run, which is armed already or is being recorded, and one after it.
static void live(const scenario *s, report *out) {
  out->verdict = RIGHT;
  out->text[0] = 0;
  verdict again = RIGHT;
  bool fine = run_once(s, out, &out->verdict);
  faults_disarm();
  faults_record(false);
  out->struck = faults_struck();
  check_left(out, "afterwards");
  report second = {0};
  if (fine && (!run_once(s, &second, &again) || again != RIGHT)) {
    out->verdict = WRONG;
    snprintf(out->text, sizeof out->text, "the run after it does not end right: %.900s", second.text);
  }
  if (usual.fds) {
    check_left(out, "after another run");
  }
}

// ---- Children -------------------------------------------------------------------------------------------------------

static void remove_tree(const char *path) {
  char command[200];
  snprintf(command, sizeof command, "rm -rf '%s'", path);
  if (system(command) != 0) {
    fprintf(stderr, "%s could not be removed\n", path);
  }
}

static void use_folder(const char *path) { setenv("MILLRACE_CACHE_DIR", path, 1); }

static void arm(const round *r) {
  const fault_place *places;
  faults_places(&places);
  faults_arm(&places[r->place], r->way, r->first, r->last);
}

static void start(const scenario *s, slot *at, report *out, const round *r) {
  snprintf(at->folder, sizeof at->folder, "%s/%s%d", root, s->warm ? "warm" : "slot", s->warm ? 0 : (int)(at - slots));
  snprintf(at->log, sizeof at->log, "%s/log%d", root, (int)(at - slots));
  *out = (report){.verdict = WRONG, .text = "it never came to its end"};
  at->began = time(NULL);
  fflush(NULL);
  if (!s->warm) {
    remove_tree(at->folder);
  }
  at->child = fork();
  if (at->child) {
    return;
  }
  if (freopen(at->log, "w", stderr) == NULL) {
    _exit(2);
  }
  use_folder(at->folder);
  if (r) {
    faults_alone();
    arm(r);
  }
  live(s, out);
  _exit(0);
}

static void print_place(const fault_place *place) {
  Dl_info info = {0};
  dladdr((void *)place->returns_to, &info);
  unsigned long offset = place->returns_to - (uintptr_t)info.dli_fbase - 1;
  printf("%s() at %s+0x%lx", fault_name(place->function), info.dli_fname ? info.dli_fname : "?", offset);
  char command[600], line[300] = "";
  snprintf(command, sizeof command, "addr2line -s -f -p -e '%s' 0x%lx 2>/dev/null", info.dli_fname, offset);
  FILE *pipe = popen(command, "r");
  if (pipe && fgets(line, sizeof line, pipe)) {
    line[strcspn(line, "\n")] = 0;
    printf(" (%s)", line);
  }
  if (pipe) {
    pclose(pipe);
  }
}

static void print_round(const scenario *s, const round *r, int number) {
  const fault_place *places;
  faults_places(&places);
  printf("  %s %d: ", s->name, number);
  print_place(&places[r->place]);
  printf(", call %u%s, %s\n", r->first, r->last == r->first ? "" : " and all after it",
         r->way.cuts ? "cut short" : strerror(r->way.error));
}

static void print_log(const char *path) {
  FILE *file = fopen(path, "r");
  char line[300];
  for (int i = 0; i < 40 && file && fgets(line, sizeof line, file); i++) {
    printf("    | %s", line);
  }
  if (file) {
    fclose(file);
  }
}

static void judge(const scenario *s, const slot *at, const report *got, const round *r, int status, bool late) {
  bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (ended && got->verdict != WRONG) {
    totals[got->verdict]++;
    rounds_without_effect += got->struck == 0;
    return;
  }
  failures++;
  printf("FAILED:\n");
  print_round(s, r, at->number);
  if (late) {
    printf("    it hung for %d s\n", PATIENCE_S);
  } else if (WIFSIGNALED(status)) {
    printf("    signal %d: %s\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
  } else if (!ended) {
    printf("    exit %d\n", WEXITSTATUS(status));
  }
  printf("    %s\n", got->text);
  print_log(at->log);
}

// Whether the slot is free; judges the child that has ended there, and ends one that takes too long.
static bool look_at(const scenario *s, const round *rounds, slot *at) {
  int status;
  if (at->child == 0) {
    return true;
  }
  pid_t ended = waitpid(at->child, &status, WNOHANG);
  bool late = ended == 0 && time(NULL) - at->began > PATIENCE_S;
  if (late) {
    kill(at->child, SIGKILL);
    ended = waitpid(at->child, &status, 0);
  }
  if (ended != at->child) {
    return false;
  }
  judge(s, at, &reports[at - slots], &rounds[at->number], status, late);
  at->child = 0;
  return true;
}

static slot *wait_for_one(const scenario *s, const round *rounds) {
  for (;; usleep(500)) {
    for (int i = 0; i < AT_ONCE; i++) {
      if (look_at(s, rounds, &slots[i])) {
        return &slots[i];
      }
    }
  }
}

static void wait_for_all(const scenario *s, const round *rounds) {
  for (int i = 0; i < AT_ONCE; i++) {
    while (!look_at(s, rounds, &slots[i])) {
      usleep(500);
    }
  }
}

// ---- Rounds ---------------------------------------------------------------------------------------------------------

static int run_undisturbed(const scenario *s, bool recorded) {
  int status;
  faults_record(recorded);
  start(s, &slots[0], &reports[AT_ONCE], NULL);
  waitpid(slots[0].child, &status, 0);
  slots[0].child = 0;
  faults_record(false);
  return status;
}

// Which places of calls there are, and what is usually left behind.
static bool record_places(const scenario *s) {
  report most = usual = (report){0};  // nothing is usual while that is found out
  memset(calls, 0, sizeof calls);
  if (s->warm) {
    run_undisturbed(s, false);  // fills the folder
  }
  for (int i = 0; i < RECORDINGS; i++) {
    int status = run_undisturbed(s, true);
    const report *got = &reports[AT_ONCE];
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || got->verdict != RIGHT) {
      failures++;
      printf("FAILED: %s, without any failure of the system: %s (status %x)\n", s->name, got->text, (unsigned)status);
      print_log(slots[0].log);
      return false;
    }
    const fault_place *places;
    size_t count = faults_places(&places);
    for (size_t p = 0; p < count; p++) {
      calls[p] = MAX(calls[p], places[p].calls);
    }
    most.fds = MAX(most.fds, got->fds);
    most.threads = MAX(most.threads, got->threads);
  }
  usual = most;
  return true;
}

static void add_round(round **list, int *count, size_t place, fault_way way, uint32_t first, uint32_t last) {
  if ((*count & (*count - 1)) == 0) {
    *list = realloc(*list, sizeof **list * (size_t)(*count ? *count * 2 : 1));
  }
  (*list)[*count] = (round){place, way, first, last, *count};
  (*count)++;
}

// What is not ours to mend is seen once, with all calls of a place failing.
static bool is_ours(const fault_place *place) {
  Dl_info info = {0};
  return dladdr((void *)place->returns_to, &info) && info.dli_fname && strstr(info.dli_fname, "millrace.so");
}

// By what fails, not by which thread came first.
static int by_place(const void *a, const void *b) {
  const round *x = a, *y = b;
  const fault_place *places, *p, *q;
  faults_places(&places);
  p = &places[x->place], q = &places[y->place];
  if (x->place != y->place) {
    return p->function != q->function ? (p->function < q->function ? -1 : 1) : p->returns_to < q->returns_to ? -1 : 1;
  }
  return x->number < y->number ? -1 : x->number > y->number;
}

// `seen`: places of earlier scenarios, which need no second look unless everything is wanted.
static int plan_rounds(bool everything, bool *seen, round **out_list) {
  const fault_place *places;
  size_t place_count = faults_places(&places);
  int count = 0;
  *out_list = NULL;
  for (size_t i = 0; i < place_count; i++) {
    if (calls[i] == 0 || (seen[i] && !everything)) {
      continue;
    }
    seen[i] = true;
    size_t way_count;
    const fault_way *ways = fault_ways(places[i].function, &way_count);
    if (!everything && !is_ours(&places[i])) {
      add_round(out_list, &count, i, ways[0], 1, ways[0].only_once ? 1 : UINT32_MAX);
      continue;
    }
    for (size_t w = 0; w < way_count; w++) {
      uint32_t tried = everything ? calls[i] : 1;
      for (uint32_t n = 1; n <= tried && n <= EVERY_CALL; n++) {
        add_round(out_list, &count, i, ways[w], n, n);
      }
      if (!ways[w].only_once && (w == 0 || everything)) {
        add_round(out_list, &count, i, ways[w], 1, UINT32_MAX);
      }
    }
  }
  if (count) {
    qsort(*out_list, (size_t)count, sizeof **out_list, by_place);
  }
  return count;
}

static void run_scenario(const scenario *s, bool everything, bool *seen) {
  if (!record_places(s)) {
    return;
  }
  round *rounds;
  time_t began = time(NULL);
  int count = plan_rounds(everything, seen, &rounds), before = failures;
  for (int i = 0; i < count; i++) {
    slot *at = wait_for_one(s, rounds);
    at->number = i;
    start(s, at, &reports[at - slots], &rounds[i]);
  }
  wait_for_all(s, rounds);
  printf("%s: %d rounds, %d failed, %d s\n", s->name, count, failures - before, (int)(time(NULL) - began));
  free(rounds);
}

// In this process, for a debugger.
static int run_one(const scenario *s, int number, bool everything, bool *seen) {
  round *rounds;
  if (!record_places(s) || plan_rounds(everything, seen, &rounds) <= number) {
    return 1;
  }
  print_round(s, &rounds[number], number);
  use_folder(slots[0].folder);
  if (!s->warm) {
    remove_tree(slots[0].folder);
  }
  arm(&rounds[number]);
  live(s, &reports[0]);
  printf("  verdict %d, struck %u: %s\n", (int)reports[0].verdict, reports[0].struck, reports[0].text);
  return reports[0].verdict == WRONG;
}

static void list_rounds(const scenario *s, bool *seen) {
  round *rounds;
  int count = record_places(s) ? plan_rounds(false, seen, &rounds) : 0;
  for (int i = 0; i < count; i++) {
    print_round(s, &rounds[i], i);
  }
}

int scenarios_run(const scenario *list, int count, int argc, char **argv) {
  bool seen[FAULTS_MAX_PLACES] = {false}, everything = argc > 1 && strcmp(argv[1], "all") == 0;
  const char *name = argc > 2 ? argv[1] : NULL;
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  if (mkdtemp(root) == NULL) {
    perror(root);
    return 1;
  }
  reports = mmap(NULL, (AT_ONCE + 1) * sizeof *reports, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int failed = 0;
  for (int i = 0; i < count; i++) {
    bool wanted = name && strcmp(name, list[i].name) == 0;
    if (wanted) {
      failed = run_one(&list[i], atoi(argv[2]), false, seen);
    } else if (name) {
      round *ignored;
      bool there = record_places(&list[i]);
      plan_rounds(false, seen, &ignored);
      failed += !there;
    } else if (argc > 1 && strcmp(argv[1], "list") == 0) {
      list_rounds(&list[i], seen);
    } else {
      run_scenario(&list[i], everything, seen);
    }
    fflush(stdout);
    if (wanted) {
      break;
    }
  }
  remove_tree(root);
  if (!name) {
    printf("%d ended right, %d with a status, %d failed; %u never met their call\n", totals[RIGHT], totals[STATUS],
           failures, rounds_without_effect);
  }
  return failures + failed;
}
