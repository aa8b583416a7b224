// bench: what the files of `millrace bench` have in common. bench.c reads the command line and takes one batch size after the other,
// bench_load.c executes, bench_report.c, bench_json.c and bench_plot.c tell.
#ifndef MR_TOOLS_BENCH_H
#define MR_TOOLS_BENCH_H

#include <stdio.h>

#include "tools/feed.h"
#include "tools/histogram.h"

enum { BENCH_MOST_BATCHES = 32, BENCH_MOST_STREAMS = 1024, BENCH_MOST_SIZES = 32 };

typedef struct bench_batches {
  uint64_t list[BENCH_MOST_BATCHES];
  size_t size;
} bench_batches;

typedef struct bench_options {
  feed feed;
  bench_batches batches;
  const char *json, *plot;
  uint64_t streams, iterations;        // iterations 0: any number
  bool threads;                        // a thread for each stream, not a loop for all
  double warm_up_s, duration_s, rate;  // duration below 0: not said; rate 0: the next begins when one is over
} bench_options;

// What was measured of one batch size.
typedef struct bench_row {
  uint64_t batch;                   // 0: none was asked for
  int64_t sizes[BENCH_MOST_SIZES];  // of the program's symbols, in their order
  millrace_program_costs costs;
  uint64_t load_ns, first_ns, warm_up, wall_ns;  // warm_up: executions; first_ns: the very first
  histogram *latency, *host;                     // host: how long the call took that begins an execution
  uint64_t executions, in_call;                  // in_call: over when that call returned
  uint64_t unbegun;                              // that were due, when the time was over
  double device_ns;  // that devices were busy with one execution, all of them together; below 0: not known
  uint64_t memory_peak;
} bench_row;

typedef struct bench_report {
  const bench_options *options;
  const char **symbols;  // NULL behind the last
  bench_row rows[BENCH_MOST_BATCHES];
  size_t num_rows;
  bool interrupted;
} bench_report;

// Percentiles that are told, with their names.
typedef struct bench_percentile {
  const char *name;
  double percent;
} bench_percentile;
enum { BENCH_PERCENTILES = 5 };
extern const bench_percentile bench_percentiles[BENCH_PERCENTILES];

// ---- bench_load.c ---------------------------------------------------------------------------------------------------

// Executes: the first time, warming up, measuring, and then to see how long the devices are busy. The histograms are made. False after saying
// why it failed.
bool bench_measure(const bench_options *options, millrace_program *program, bench_row *row);
// Whether somebody wants it to end (SIGINT, SIGTERM): what has been measured is told still. A second signal ends the process.
void bench_watch_signals(void);
bool bench_is_interrupted(void);
uint64_t bench_now_ns(void);

// ---- Telling --------------------------------------------------------------------------------------------------------

void bench_print(const bench_report *report);
// To a file. False after saying why.
bool bench_write(const bench_report *report, void (*put)(const bench_report *report, FILE *file), const char *path);
bool bench_write_json(const bench_report *report, const char *path);
bool bench_write_plot(const bench_report *report, const char *path);

#endif
