// Measures one peer: prints a line "pattern nanoseconds handover_ns" for each pattern.
//   PROGRAM -t THREADS [-n SAMPLES] [-s SCALE] [-p PATTERN] [-c]        -c: only checks the order of the graphs' nodes
#include "harness.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graphs.h"

enum { MOST_SAMPLES = 64, MOST_THREADS = 64 };

static int threads = 1, samples = 1;
static double scale = 1;
static const char *only;
static bool only_check;

// ---- Bodies ---------------------------------------------------------------------------------------------------------

static uint32_t work_rounds;
static const graph *checked;  // bodies look whether their inputs have run
static uint8_t *has_run;
static bool found_wrong;

// Arithmetic on 512 bytes that stay in the first cache; one round takes some nanoseconds. No caller gives a constant: for
// one of those the compiler makes a copy of its own, and the copy that measured the machine was not as fast as the tasks'.
static __attribute__((noinline)) void work(uint32_t rounds) {
  static _Thread_local _Alignas(64) double values[64];
  for (; rounds; rounds--) {
    for (int i = 0; i < 64; i++) {
      values[i] = values[i] * values[i] + values[i];
    }
    __asm__ volatile("" : : "r"(values) : "memory");
  }
}

__attribute__((noinline)) void empty_body(void) { __asm__ volatile("" : : : "memory"); }

static void check_body(uint32_t node) {
  for (uint32_t e = checked->input_offsets[node]; e < checked->input_offsets[node + 1]; e++) {
    if (!__atomic_load_n(&has_run[checked->inputs[e]], __ATOMIC_RELAXED)) {
      found_wrong = true;
    }
  }
  if (__atomic_fetch_add(&has_run[node], 1, __ATOMIC_RELAXED)) {
    found_wrong = true;
  }
}

void graph_body(uint32_t node) {
  if (__builtin_expect(work_rounds != 0, 0)) {
    work(work_rounds);
  }
  if (__builtin_expect(checked != NULL, 0)) {
    check_body(node);
  }
}

// ---- The machine ----------------------------------------------------------------------------------------------------

// A virtual machine's processors may be near each other or far, and change places while it runs: figures with two threads
// compare only where this one, a cache line's way from one to the other, agrees.
static _Alignas(128) int turn;

static void bind(int index) {
  cpu_set_t allowed, one;
  CPU_ZERO(&one);
  sched_getaffinity(0, sizeof allowed, &allowed);
  for (int unit = 0; unit < CPU_SETSIZE; unit++) {
    if (CPU_ISSET(unit, &allowed) && index-- == 0) {
      CPU_SET(unit, &one);
    }
  }
  if (CPU_COUNT(&one)) {
    sched_setaffinity(0, sizeof one, &one);
  }
}

enum { TURNS = 4000 };

static void *take_turns(void *argument) {
  int me = *(int *)argument;
  bind(me);
  for (int i = 0; i < TURNS; i++) {
    for (uint32_t looks = 1; __atomic_load_n(&turn, __ATOMIC_ACQUIRE) != me; looks++) {
      if (looks % 100000 == 0) {
        sched_yield();
      }
    }
    __atomic_store_n(&turn, 1 - me, __ATOMIC_RELEASE);
  }
  return NULL;
}

static double measure_line(void) {
  double best = 1e9;
  for (int round = 0; round < 3; round++) {
    int both[2] = {0, 1};
    pthread_t thread[2];
    __atomic_store_n(&turn, 2, __ATOMIC_RELEASE);
    for (int i = 0; i < 2; i++) {
      pthread_create(&thread[i], NULL, take_turns, &both[i]);
    }
    usleep(300);
    uint64_t start = now_ns();
    __atomic_store_n(&turn, 0, __ATOMIC_RELEASE);
    for (int i = 0; i < 2; i++) {
      pthread_join(thread[i], NULL);
    }
    double each = (double)(now_ns() - start) / (2 * TURNS);
    if (each < best) {
      best = each;
    }
  }
  return best;
}

static double line_before;
static void begin(void) { line_before = threads == 2 ? measure_line() : 0; }

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void end(const char *pattern, double *values, int count) {
  double after = threads == 2 ? measure_line() : 0;
  qsort(values, (size_t)count, sizeof *values, by_value);
  printf("%s %.2f %.0f\n", pattern, values[count / 2], after > line_before ? after : line_before);
  fflush(stdout);
}

static bool wanted(const char *pattern) { return !only || !strcmp(only, pattern); }

// ---- Patterns -------------------------------------------------------------------------------------------------------

static void run_independent(void) {
  uint32_t count = (uint32_t)(1e6 * scale);
  double ns[MOST_SAMPLES];
  begin();
  PEER.independent(count / 10);
  for (int s = 0; s < samples; s++) {
    uint64_t start = now_ns();
    PEER.independent(count);
    ns[s] = (double)(now_ns() - start) / count;
  }
  end("empty", ns, samples);
}

static void run_fork_join(void) {
  int n = scale < 1 ? 20 : 27;
  double ns[MOST_SAMPLES];
  uint64_t before = 0, value = 1, tasks = 0;  // fibonacci(1), and tasks for n: as many as additions
  for (int i = 2; i <= n + 1; i++) {
    uint64_t next = before + value;
    before = value;
    value = next;
  }
  tasks = value - 1;
  begin();
  if (PEER.fibonacci(n) != before) {
    fprintf(stderr, "%s: a wrong sum\n", PEER.name);
    exit(3);
  }
  for (int s = 0; s < samples; s++) {
    uint64_t start = now_ns();
    PEER.fibonacci(n);
    ns[s] = (double)(now_ns() - start) / (double)tasks;
  }
  end("fork-join", ns, samples);
}

// One run in which every node looks at its inputs; also warms up. False: the peer does not take the graph.
static bool check_graph(const graph *g) {
  has_run = calloc(g->count, 1);
  found_wrong = false;
  __atomic_store_n(&checked, g, __ATOMIC_SEQ_CST);
  bool taken = PEER.run_graph(g);
  __atomic_store_n(&checked, NULL, __ATOMIC_SEQ_CST);
  for (uint32_t i = 0; taken && i < g->count; i++) {
    found_wrong = found_wrong || has_run[i] != 1;
  }
  free(has_run);
  if (taken && found_wrong) {
    fprintf(stderr, "%s: a node did not run once, after its inputs\n", PEER.name);
    exit(3);
  }
  return taken;
}

static void run_graph(const char *pattern, graph *g) {
  double ns[MOST_SAMPLES];
  begin();
  if (check_graph(g) && !only_check) {
    for (int s = 0; s < samples; s++) {
      uint64_t start = now_ns();
      PEER.run_graph(g);
      ns[s] = (double)(now_ns() - start) / g->count;
    }
    end(pattern, ns, samples);
  }
  free_graph(g);
}

typedef struct speed {
  int unit;
  double ns_per_round;
} speed;

static void *measure_speed(void *argument) {
  speed *self = argument;
  static const volatile uint32_t rounds = 500000;  // volatile: see work()
  bind(self->unit);
  work(rounds);
  self->ns_per_round = 1e9;
  for (int i = 0; i < 5; i++) {
    uint64_t start = now_ns();
    work(rounds);
    double each = (double)(now_ns() - start) / rounds;
    if (each < self->ns_per_round) {
      self->ns_per_round = each;
    }
  }
  return NULL;
}

// The fastest round on all processors at once without any runtime.
static double best_round_ns(void) {
  speed speeds[MOST_THREADS];
  pthread_t thread[MOST_THREADS];
  for (int i = 0; i < threads; i++) {
    speeds[i].unit = i;
    pthread_create(&thread[i], NULL, measure_speed, &speeds[i]);
  }
  double best = 1e9;
  for (int i = 0; i < threads; i++) {
    pthread_join(thread[i], NULL);
    if (speeds[i].ns_per_round < best) {
      best = speeds[i].ns_per_round;
    }
  }
  return best;
}

static double best_run_ns(const graph *g, int tries) {
  double best = 1e18;
  for (int i = 0; i < tries; i++) {
    uint64_t start = now_ns();
    PEER.run_graph(g);
    double ns = (double)(now_ns() - start);
    if (ns < best) {
      best = ns;
    }
  }
  return best;
}

// How many nanoseconds a task must take for half of the processors' time to be its work (Task Bench's METG(50%)).
static double find_metg(const graph *g) {
  double round_ns = best_round_ns(), last_share = 0, last_ns = 0;
  for (double rounds = 4; rounds < 4e6; rounds *= 1.25) {
    work_rounds = (uint32_t)rounds;
    double wall = best_run_ns(g, rounds > 20000 ? 1 : 5) * threads / g->count;
    double share = (uint32_t)rounds * round_ns / wall;
    work_rounds = 0;
    if (share >= 0.5) {
      return last_share > 0 ? last_ns + (wall - last_ns) * (0.5 - last_share) / (share - last_share) : wall;
    }
    last_share = share;
    last_ns = wall;
  }
  return -1;
}

static void run_metg(void) {
  graph *g = make_stencil(8, 1000);
  double ns[MOST_SAMPLES];
  begin();
  if (check_graph(g) && !only_check) {
    for (int s = 0; s < samples; s++) {
      ns[s] = find_metg(g);
    }
    end("METG(50%)", ns, samples);
  }
  free_graph(g);
}

static void run_hand_over(const char *pattern, int count, int idle_us) {
  uint64_t *each = calloc((size_t)count, sizeof *each);
  double *ns = calloc((size_t)count, sizeof *ns);
  begin();
  PEER.hand_over(count / 10 + 1, idle_us, each);
  PEER.hand_over(count, idle_us, each);
  for (int i = 0; i < count; i++) {
    ns[i] = (double)each[i];
  }
  end(pattern, ns, count);
  free(each);
  free(ns);
}

static bool read_options(int argc, char **argv) {
  int option;
  while ((option = getopt(argc, argv, "t:n:s:p:c")) != -1) {
    if (option == 't') {
      threads = atoi(optarg);
    }
    if (option == 'n') {
      samples = atoi(optarg);
    }
    if (option == 's') {
      scale = atof(optarg);
    }
    if (option == 'p') {
      only = optarg;
    }
    if (option == 'c') {
      only_check = true;
    }
    if (option == '?') {
      return false;
    }
  }
  return threads >= 1 && threads <= MOST_THREADS && samples >= 1 && samples <= MOST_SAMPLES && scale > 0;
}

int main(int argc, char **argv) {
  if (!read_options(argc, argv)) {
    return 2;
  }
  if (PEER.start && !PEER.start(threads)) {
    return 4;
  }
  if (PEER.independent && wanted("empty") && !only_check) {
    run_independent();
  }
  if (PEER.fibonacci && wanted("fork-join") && !only_check) {
    run_fork_join();
  }
  if (PEER.run_graph) {
    double root = scale < 0.3 ? 0.3 : 1;
    if (wanted("chain")) {
      run_graph("chain", make_chain((uint32_t)(250000 * scale)));
    }
    if (wanted("wavefront")) {
      run_graph("wavefront", make_wavefront((uint32_t)(500 * root)));
    }
    if (wanted("random")) {
      run_graph("random", make_random((uint32_t)(100000 * scale)));
    }
    if (wanted("fan")) {
      run_graph("fan", make_fans((uint32_t)(10000 * root), 5));
    }
    if (wanted("METG(50%)")) {
      run_metg();
    }
  }
  if (PEER.hand_over && threads == 2 && !only_check) {
    if (wanted("spinning")) {
      run_hand_over("spinning", 5000, 0);
    }
    if (wanted("parked")) {
      run_hand_over("parked", 100, 2000);
    }
  }
  if (PEER.stop) {
    PEER.stop();
  }
  return 0;
}
