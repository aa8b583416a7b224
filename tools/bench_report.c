// What `millrace bench` prints.
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "tools/bench.h"

const bench_percentile bench_percentiles[BENCH_PERCENTILES] = {
    {"p50", 50}, {"p90", 90}, {"p95", 95}, {"p99", 99}, {"p99.9", 99.9}};

static void print_sources(const feed *f) {
  size_t counts[FEED_MADE_UP + 1] = {0};
  for (size_t i = 0; i < f->num_parameters; i++) {
    counts[f->parameters[i].source]++;
  }
  printf("parameters: %zu, given %zu, made up %zu", f->num_parameters, counts[FEED_GIVEN], counts[FEED_MADE_UP]);
  if (counts[FEED_WEIGHTS]) {
    printf(", weights %zu of %s", counts[FEED_WEIGHTS], feed_weights_path(f));
  }
  printf("\n");
}

static void print_way(const bench_options *o) {
  printf("%" PRIu64 " stream%s, %s", o->streams, o->streams == 1 ? "" : "s",
         o->streams == 1 ? "waited for"
         : o->threads    ? "a thread for each"
                         : "a loop for all");
  if (o->rate > 0) {
    printf("; %g begin in a second, times count from when each was due\n", o->rate);
  } else {
    printf("; the next begins when one is over\n");
  }
}

static void print_bytes(const char *what, uint64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = (double)bytes;
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < sizeof units / sizeof *units) {
    value /= 1024;
    unit++;
  }
  printf(unit ? "%s %.1f %s" : "%s %.0f %s", what, value, units[unit]);
}

// "batch 8", "b 8, n 3"; nothing when nothing is open.
static void print_name(const bench_report *report, const bench_row *row) {
  if (row->batch) {
    printf("batch %" PRIu64 ": ", row->batch);
    return;
  }
  for (size_t i = 0; report->symbols[i] && i < BENCH_MOST_SIZES; i++) {
    printf("%s%s %" PRId64, i ? ", " : "", report->symbols[i], row->sizes[i]);
  }
  printf(report->symbols[0] ? ": " : "");
}

static void print_loading(const bench_report *report, const bench_row *row) {
  print_name(report, row);
  printf("loaded in %.1f ms, the first execution took %.1f us\n", (double)row->load_ns / 1e6,
         (double)row->first_ns / 1e3);
  print_bytes("  memory: arguments", row->costs.argument_bytes);
  print_bytes(", results", row->costs.result_bytes);
  print_bytes(", of these in arguments' place", row->costs.donated_bytes);
  print_bytes(", temporary", row->costs.temporary_bytes);
  print_bytes(", constants", row->costs.constant_bytes);
  print_bytes(", code", row->costs.code_bytes);
  print_bytes("; the devices' peak so far", row->memory_peak);
  printf("\n  %" PRIu64 " steps, %" PRIu64 " kernels, %" PRIu64
         " library calls, %.3g flops, estimated %.1f us on one core\n",
         row->costs.steps, row->costs.kernels, row->costs.library_calls, (double)row->costs.flops,
         (double)row->costs.estimate_ns / 1e3);
}

static void print_shares(const bench_row *row) {
  printf("  the call that begins an execution: mean %.1f us, p99 %.1f us; %.1f%% were over when it returned\n",
         histogram_mean(row->host) / 1e3, (double)histogram_percentile(row->host, 99) / 1e3,
         100 * (double)row->in_call / (double)row->executions);
  if (row->device_ns >= 0) {
    printf("  devices busy with an execution: %.1f us, of one after another that were traced\n", row->device_ns / 1e3);
  }
  if (row->unbegun) {
    printf("  %" PRIu64 " executions were due and had not begun at the end: it is slower than the rate\n",
           row->unbegun);
  }
}

static void print_times(const bench_row *row) {
  double seconds = (double)row->wall_ns / 1e9, each = (double)row->executions / seconds;
  printf("  %" PRIu64 " executions in %.3f s, %.1f a second", row->executions, seconds, each);
  if (row->batch) {
    printf(", %.1f items a second", each * (double)row->batch);
  }
  printf("\n  us: mean %.1f, min %.1f", histogram_mean(row->latency) / 1e3, (double)histogram_min(row->latency) / 1e3);
  for (size_t i = 0; i < BENCH_PERCENTILES; i++) {
    printf(", %s %.1f", bench_percentiles[i].name,
           (double)histogram_percentile(row->latency, bench_percentiles[i].percent) / 1e3);
  }
  printf(", max %.1f\n", (double)histogram_max(row->latency) / 1e3);
}

// Side by side, when there are several.
static void print_table(const bench_report *report) {
  printf("%10s %14s %14s %10s %10s %10s %10s\n", "batch", "a second", "items/s", "p50 us", "p90 us", "p99 us",
         "max us");
  for (size_t i = 0; i < report->num_rows; i++) {
    const bench_row *row = &report->rows[i];
    double each = (double)row->executions / ((double)row->wall_ns / 1e9);
    printf("%10" PRIu64 " %14.1f %14.1f", row->batch, each, each * (double)row->batch);
    for (size_t k = 0; k < BENCH_PERCENTILES; k++) {
      if (k == 0 || k == 1 || k == 3) {
        printf(" %10.1f", (double)histogram_percentile(row->latency, bench_percentiles[k].percent) / 1e3);
      }
    }
    printf(" %10.1f\n", (double)histogram_max(row->latency) / 1e3);
  }
}

void bench_print(const bench_report *report) {
  const bench_options *o = report->options;
  if (report->interrupted) {
    printf("ended early\n");
  }
  printf("%s\n", o->feed.program_path);
  print_sources(&o->feed);
  print_way(o);
  for (size_t i = 0; i < report->num_rows; i++) {
    print_loading(report, &report->rows[i]);
    print_times(&report->rows[i]);
    print_shares(&report->rows[i]);
  }
  if (report->num_rows > 1) {
    print_table(report);
  }
}

bool bench_write(const bench_report *report, void (*put)(const bench_report *report, FILE *file), const char *path) {
  FILE *file = fopen(path, "w");
  if (file) {
    put(report, file);
  }
  bool ok = file && !ferror(file);
  if (file) {
    ok &= fclose(file) == 0;
  }
  if (!ok) {
    fprintf(stderr, "millrace: %s: %s\n", path, strerror(errno));
  }
  return ok;
}
