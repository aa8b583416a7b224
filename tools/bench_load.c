// Executions, one after the other in each of several streams, and their times.
//
// Two ways. A stream that is waited for by itself (`--threads`, or when there is one): run_stream(). A loop that begins executions of all
// streams and takes what ends (millrace_completions): run_loop(). Both take the next arrival from one counter: its number, and when it is due.
// Where a rate was asked for, an execution's time counts from when it was due, and not from when a stream was free for it: what a stall
// holds up is part of it. Otherwise it counts from the call that begins it.
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "millrace/engine.h"
#include "tools/bench.h"
#include "tools/commands.h"

enum {
  LOOK_NS = 50000000,  // how often who waits looks whether the end is wanted
  SPIN_NS =
      20000,   // what the system may wake a thread too late: who sleeps looks at the clock for so long before the time
  TAKEN = 64,  // ends that are taken at once
  TRACED = 8   // executions that devices are watched in
};

typedef struct load load;

typedef struct stream {
  load *of;
  millrace_buffer **arguments, **results;  // of row 0, then of row 1, ...
  millrace_event **events;                 // by row
  size_t pending;                          // of these, how many have not happened
  uint64_t from_ns, call_ns;               // what the time counts from; how long the call took
  histogram *latency, *host;
  uint64_t executions, in_call;
} stream;

// One phase's executions.
struct load {
  const bench_options *options;
  millrace_program *program;
  const feed *feed;
  size_t num_arguments, num_results, num_rows;
  millrace_buffer **shared;  // arguments that no execution takes, the same for all streams; NULL: it does
  stream *streams;
  millrace_completions *completions;  // of the loop

  // Of the phase.
  uint64_t begin_ns, until_ns, most;  // until_ns UINT64_MAX: until `most` have begun
  double rate;
  bool counts;  // their times
  // Relaxed: it hands out numbers, and orders nothing.
  _Atomic(uint64_t) next;
  // Relaxed: a stream that does not see it yet executes once more.
  atomic_bool failed;
};

// Set by a signal, on any thread. Relaxed: who does not see it yet goes on for one execution more.
static atomic_bool interrupted;

static void interrupt(int signal) {
  (void)signal;
  atomic_store_explicit(&interrupted, true, memory_order_relaxed);
}

void bench_watch_signals(void) {
  struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

bool bench_is_interrupted(void) { return atomic_load_explicit(&interrupted, memory_order_relaxed); }

uint64_t bench_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// ---- One execution --------------------------------------------------------------------------------------------------

static bool fail(load *l, millrace_error *error, const char *what) {
  // One is told: the others have the same reason, or come of it.
  if (!atomic_exchange_explicit(&l->failed, true, memory_order_relaxed)) {
    uint64_t begun = atomic_load_explicit(&l->next, memory_order_relaxed);
    fprintf(stderr, "millrace: %s failed, after %" PRIu64 " were begun: %s: %s\n", what, begun,
            millrace_code_name(millrace_error_code(error)), millrace_error_message(error));
  }
  millrace_error_free(error);
  return false;
}

// Makes the arguments anew that the last execution took. No part of any time.
static bool prepare(stream *s) {
  load *l = s->of;
  for (size_t k = 0; k < l->num_rows * l->num_arguments; k++) {
    if (s->arguments[k]) {
      continue;
    }
    if (l->shared[k]) {
      s->arguments[k] = l->shared[k];
      continue;
    }
    size_t row = k / l->num_arguments, i = k % l->num_arguments;
    millrace_error *error = feed_argument(l->feed, l->program, row, i, &s->arguments[k]);
    if (error) {
      return fail(l, error, "making an argument");
    }
  }
  return true;
}

static void drop_taken(stream *s) {
  for (size_t k = 0; k < s->of->num_rows * s->of->num_arguments; k++) {
    if (!s->of->shared[k]) {
      millrace_buffer_release(s->arguments[k]);
      s->arguments[k] = NULL;
    }
  }
}

static void drop_results(stream *s) {
  for (size_t row = 0; row < s->of->num_rows; row++) {
    millrace_event_release(s->events[row]);
    s->events[row] = NULL;
  }
  for (size_t k = 0; k < s->of->num_rows * s->of->num_results; k++) {
    millrace_buffer_release(s->results[k]);
    s->results[k] = NULL;
  }
}

static millrace_error *execute(stream *s) {
  load *l = s->of;
  if (l->num_rows > 1) {
    return millrace_execute_rows(l->program, l->feed->devices, l->num_rows, s->arguments, l->num_arguments, s->results,
                                 l->num_results, s->events);
  }
  return millrace_execute(l->program, l->feed->devices[0], s->arguments, l->num_arguments, s->results, l->num_results,
                          s->events);
}

static bool begin(stream *s, uint64_t due_ns) {
  uint64_t now = bench_now_ns();
  s->from_ns = due_ns ? due_ns : now;
  millrace_error *error = execute(s);
  s->call_ns = bench_now_ns() - now;
  if (error) {
    return fail(s->of, error, "an execution");
  }
  s->pending = 0;
  for (size_t row = 0; row < s->of->num_rows; row++) {
    s->pending += !millrace_event_is_done(s->events[row]);
  }
  if (s->pending) {
    s->pending = s->of->num_rows;  // each is announced, also what happens meanwhile
  }
  s->in_call += s->of->counts && s->pending == 0;
  return true;
}

static bool end(stream *s) {
  millrace_error *error = NULL;
  for (size_t row = 0; row < s->of->num_rows; row++) {
    millrace_error *one = millrace_event_wait(s->events[row]);
    if (error) {
      millrace_error_free(one);
    } else {
      error = one;
    }
  }
  uint64_t now = bench_now_ns();
  drop_results(s);
  drop_taken(s);
  if (error) {
    return fail(s->of, error, "an execution");
  }
  if (s->of->counts) {
    histogram_add(s->latency, now - s->from_ns);
    histogram_add(s->host, s->call_ns);
    s->executions++;
  }
  return true;
}

// ---- Arrivals -------------------------------------------------------------------------------------------------------

// Takes the next execution's number. False: there is none. *out_due 0: at once.
static bool next_arrival(load *l, uint64_t *out_due) {
  if (bench_is_interrupted() || atomic_load_explicit(&l->failed, memory_order_relaxed) ||
      bench_now_ns() >= l->until_ns) {
    return false;
  }
  uint64_t number = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
  *out_due = l->rate > 0 ? l->begin_ns + (uint64_t)((double)number / l->rate * 1e9) : 0;
  return number < l->most && *out_due < l->until_ns;
}

// Of this thread: without it the system gathers wake-ups of 50 us, which would count as the program's time.
static void wake_in_time(void) { prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL); }

// False: it is to end before.
static bool sleep_until(load *l, uint64_t due_ns) {
  for (uint64_t now = bench_now_ns(); now < due_ns; now = bench_now_ns()) {
    if (bench_is_interrupted() || atomic_load_explicit(&l->failed, memory_order_relaxed)) {
      return false;
    }
    if (due_ns - now < SPIN_NS) {
      continue;
    }
    uint64_t to = due_ns - now > LOOK_NS ? now + LOOK_NS : due_ns - SPIN_NS;
    const struct timespec at = {.tv_sec = (time_t)(to / 1000000000u), .tv_nsec = (long)(to % 1000000000u)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
  }
  return true;
}

// ---- A stream by itself ---------------------------------------------------------------------------------------------

static void *run_stream(void *argument) {
  stream *s = argument;
  uint64_t due_ns = 0;
  wake_in_time();
  while (prepare(s) && next_arrival(s->of, &due_ns) && sleep_until(s->of, due_ns) && begin(s, due_ns) && end(s)) {
  }
  return NULL;
}

static bool run_threads(load *l) {
  size_t count = l->options->streams, made = 0;
  pthread_t *threads = calloc(count, sizeof *threads);
  int code = threads ? 0 : ENOMEM;
  while (!code && made < count) {
    code = pthread_create(&threads[made], NULL, run_stream, &l->streams[made]);
    made += !code;
  }
  if (code) {
    atomic_store_explicit(&l->failed, true, memory_order_relaxed);
    fprintf(stderr, "millrace: thread %zu of %zu: %s\n", made, count, strerror(code));
  }
  for (size_t i = 0; i < made; i++) {
    pthread_join(threads[i], NULL);
  }
  free(threads);
  return !atomic_load_explicit(&l->failed, memory_order_relaxed);
}

// ---- A loop for all -------------------------------------------------------------------------------------------------

typedef struct loop {
  load *of;
  stream **idle;
  size_t num_idle, under_way;
  bool over;      // nothing begins any more
  bool has_next;  // an arrival was taken, and waits for its time or for a stream
  uint64_t next_due;
} loop;

static void take_end(loop *p, stream *s) {
  p->under_way--;
  if (end(s) && prepare(s)) {
    p->idle[p->num_idle++] = s;
  } else {
    p->over = true;
  }
}

static bool announce(stream *s) {
  for (size_t row = 0; row < s->of->num_rows; row++) {
    millrace_error *error = millrace_completions_add(s->of->completions, s->events[row], s);
    if (error) {
      return fail(s->of, error, "waiting for an execution");
    }
  }
  return true;
}

static bool is_next_due(loop *p) {
  if (bench_is_interrupted()) {
    p->over = true;
  }
  if (!p->over && !p->has_next) {
    p->has_next = next_arrival(p->of, &p->next_due);
    p->over = !p->has_next;
  }
  return !p->over && (!p->next_due || p->next_due <= bench_now_ns());
}

// Begins one if one is due and a stream is free. False: none is.
static bool begin_one(loop *p) {
  if (!p->num_idle || !is_next_due(p)) {
    return false;
  }
  stream *s = p->idle[--p->num_idle];
  p->has_next = false;
  if (!begin(s, p->next_due)) {
    p->over = true;
    return false;
  }
  p->under_way++;
  if (!s->pending) {
    take_end(p, s);
  } else if (!announce(s)) {
    take_end(p, s);  // waits for it; what is announced of it is not looked at any more
    p->over = true;
  }
  return true;
}

// How long there is nothing to begin.
static uint64_t patience(const loop *p) {
  uint64_t now = bench_now_ns();
  if (!p->has_next || !p->num_idle) {
    return LOOK_NS;
  }
  uint64_t left = p->next_due > now + SPIN_NS ? p->next_due - now - SPIN_NS : 0;
  return left < LOOK_NS ? left : LOOK_NS;
}

static void take_ends(loop *p, uint64_t timeout_ns) {
  millrace_completion taken[TAKEN];
  size_t count = timeout_ns ? millrace_completions_wait(p->of->completions, taken, TAKEN, timeout_ns)
                            : millrace_completions_take(p->of->completions, taken, TAKEN);
  for (size_t i = 0; i < count; i++) {
    stream *s = taken[i].tag;
    millrace_error_free(taken[i].error);  // end() asks the events again
    if (--s->pending == 0) {
      take_end(p, s);
    }
  }
}

static bool run_loop(load *l) {
  wake_in_time();
  loop p = {.of = l, .idle = calloc(l->options->streams, sizeof(stream *))};
  p.over = !p.idle || !command_report(millrace_completions_create(&l->completions));
  bool ok = !p.over;
  for (size_t i = l->options->streams; i-- > 0 && !p.over;) {
    p.over = !prepare(&l->streams[i]);
    p.idle[p.num_idle++] = &l->streams[i];
  }
  while (p.under_way || !p.over) {
    bool began = begin_one(&p);
    if (p.under_way) {
      take_ends(&p, began ? 0 : patience(&p));
    } else if (!began && !p.over) {
      sleep_until(l, p.next_due);
    }
  }
  millrace_completions_release(l->completions);
  l->completions = NULL;
  free(p.idle);
  return ok && !atomic_load_explicit(&l->failed, memory_order_relaxed);
}

// ---- Phases ---------------------------------------------------------------------------------------------------------

typedef struct phase {
  double seconds;  // below 0: as long as it takes
  uint64_t most;
  double rate;
  bool counts, alone;  // alone: of one stream
} phase;

static bool run_phase(load *l, const phase *p, uint64_t *out_wall) {
  l->begin_ns = bench_now_ns();
  l->until_ns = p->seconds < 0 ? UINT64_MAX : l->begin_ns + (uint64_t)(p->seconds * 1e9);
  l->most = p->most;
  l->rate = p->rate;
  l->counts = p->counts;
  atomic_store_explicit(&l->next, 0, memory_order_relaxed);
  bool ok = true;
  if (p->alone || l->options->streams == 1) {
    run_stream(&l->streams[0]);
    ok = !atomic_load_explicit(&l->failed, memory_order_relaxed);
  } else {
    ok = l->options->threads ? run_threads(l) : run_loop(l);
  }
  *out_wall = bench_now_ns() - l->begin_ns;
  return ok;
}

// How long the devices are busy with an execution, by a trace of some. What is over when the call returns was done by the thread that called,
// and that is all there is to know of it. Whoever traces the process already is left alone.
static void watch_devices(load *l, bench_row *row) {
  const char *base = getenv("TMPDIR"), *traced = getenv("MILLRACE_TRACE");
  char path[4096];
  double busy_ns = 0, mean = histogram_mean(row->latency);
  int file = -1;
  if ((traced && *traced) || mean > 1e9 || 2 * row->in_call >= row->executions ||
      (size_t)snprintf(path, sizeof path, "%s/millrace-bench-XXXXXX", base && *base ? base : "/tmp") >= sizeof path ||
      (file = mkstemp(path)) < 0) {
    return;
  }
  close(file);
  unlink(path);  // the library writes no trace over another
  uint64_t wall;
  millrace_error *error = millrace_trace_start(path);
  if (!error) {
    bool ok = run_phase(l, &(phase){.seconds = -1, .most = TRACED, .alone = true}, &wall);
    error = millrace_trace_stop();
    if (ok && !error && !bench_is_interrupted() && trace_devices_busy(path, &busy_ns) && busy_ns > 0) {
      row->device_ns = busy_ns / TRACED;
    }
  }
  millrace_error_free(error);
  unlink(path);
}

static bool first_execution(load *l, bench_row *row) {
  stream *s = &l->streams[0];
  if (!prepare(s)) {
    return false;
  }
  uint64_t start = bench_now_ns();
  if (!begin(s, 0)) {
    return false;
  }
  bool ok = end(s);
  row->first_ns = bench_now_ns() - start;
  return ok;
}

// What was due when the time was over, or when it was ended, and had not begun.
static uint64_t count_unbegun(const load *l, uint64_t executions, uint64_t wall_ns) {
  if (l->rate <= 0) {
    return 0;
  }
  uint64_t until = l->begin_ns + wall_ns < l->until_ns ? l->begin_ns + wall_ns : l->until_ns;
  double due = (double)(until - l->begin_ns) * 1e-9 * l->rate;
  due = due < (double)l->most ? due : (double)l->most;
  return due > (double)executions ? (uint64_t)due - executions : 0;
}

static bool measure(load *l, bench_row *row) {
  const bench_options *o = l->options;
  uint64_t wall;
  const phase warm = {.seconds = o->warm_up_s, .most = UINT64_MAX};
  // Without either it is three seconds.
  const phase main = {.seconds = o->duration_s >= 0 ? o->duration_s
                                 : o->iterations    ? -1
                                                    : 3,
                      .most = o->iterations ? o->iterations * o->streams : UINT64_MAX,
                      .rate = o->rate,
                      .counts = true};
  if (!first_execution(l, row) || !run_phase(l, &warm, &wall) || !run_phase(l, &main, &row->wall_ns)) {
    return false;
  }
  for (size_t i = 0; i < o->streams; i++) {
    const stream *s = &l->streams[i];
    histogram_merge(row->latency, s->latency);
    histogram_merge(row->host, s->host);
    row->executions += s->executions;
    row->in_call += s->in_call;
  }
  row->unbegun = count_unbegun(l, row->executions, row->wall_ns);
  for (size_t i = 0; i < l->num_rows; i++) {
    row->memory_peak += millrace_device_info_of(l->feed->devices[i]).memory_peak;
  }
  if (!bench_is_interrupted()) {
    watch_devices(l, row);
  }
  return true;
}

// ---- Making and freeing ---------------------------------------------------------------------------------------------

static bool make_shared(load *l) {
  for (size_t k = 0; k < l->num_rows * l->num_arguments; k++) {
    size_t row = k / l->num_arguments, i = k % l->num_arguments;
    if (!millrace_program_donates(l->program, i) &&
        !command_report(feed_argument(l->feed, l->program, row, i, &l->shared[k]))) {
      return false;
    }
  }
  return true;
}

static bool make_stream(load *l, stream *s) {
  *s = (stream){.of = l,
                .arguments = calloc(l->num_rows * l->num_arguments + 1, sizeof(millrace_buffer *)),
                .results = calloc(l->num_rows * l->num_results + 1, sizeof(millrace_buffer *)),
                .events = calloc(l->num_rows, sizeof(millrace_event *)),
                .latency = histogram_create(),
                .host = histogram_create()};
  return s->arguments && s->results && s->events && s->latency && s->host;
}

static void free_stream(stream *s) {
  if (s->arguments && s->results && s->events) {
    drop_results(s);
    drop_taken(s);
  }
  free(s->arguments);
  free(s->results);
  free(s->events);
  free(s->latency);
  free(s->host);
}

bool bench_measure(const bench_options *options, millrace_program *program, bench_row *row) {
  load l = {.options = options,
            .program = program,
            .feed = &options->feed,
            .num_arguments = options->feed.num_parameters,
            .num_results = millrace_program_result_count(program),
            .num_rows = options->feed.num_rows,
            .streams = calloc(options->streams, sizeof(stream))};
  l.shared = calloc(l.num_rows * l.num_arguments + 1, sizeof(millrace_buffer *));
  size_t made = 0;
  bool ok = l.shared && l.streams;
  while (ok && made < options->streams) {
    ok = make_stream(&l, &l.streams[made++]);
  }
  if (!ok) {
    fputs("millrace: out of memory\n", stderr);
  }
  ok = ok && make_shared(&l) && measure(&l, row);
  for (size_t i = 0; i < made; i++) {
    free_stream(&l.streams[i]);
  }
  for (size_t k = 0; l.shared && k < l.num_rows * l.num_arguments; k++) {
    millrace_buffer_release(l.shared[k]);
  }
  free(l.shared);
  free(l.streams);
  return ok;
}
