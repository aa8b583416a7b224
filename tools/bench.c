// millrace bench PROGRAM: how long executions take, and how many there are in a second; for each of several batch sizes.
#include "tools/bench.h"

#include <stdlib.h>
#include <string.h>

#include "tools/commands.h"

static const char usage_text[] =
    "usage: millrace bench PROGRAM [--batch N[,N]...] [--streams N] [--rate R] [--duration S] [--json FILE] ...\n"
    "\n"
    "Executes PROGRAM again and again, and tells how long it took (the mean, percentiles), how many executions that\n"
    "makes in a second, and what loading and memory it costs. Ctrl-C ends it with what was measured.\n"
    "\n"
    "--batch N[,N]...     a row for each: the first size of the inputs, which the program leaves open\n"
    "--size SYMBOL=N      a size that the program leaves open\n"
    "--shape INPUT=SHAPE  likewise of one input: x=8x784\n"
    "--input [NAME=]FILE  as for `millrace run`; what is not given is made up\n"
    "--weights FILE       parameters of the names in it (.safetensors, .npz); else PROGRAM.safetensors or PROGRAM.npz\n"
    "                     beside the program, when there is one; '': none\n"
    "--seed N             other numbers are made up (0)\n"
    "--streams N          executions that are under way at once (1), begun by one loop\n"
    "--threads            each stream is a thread that waits for its executions, in place of the loop\n"
    "--rate R             so many begin in a second, whether those before are over or not, as far as streams are "
    "free;\n"
    "                     times count from when each was due. Otherwise a stream begins the next when one is over\n"
    "--warm-up S          for so many seconds before (0.2)\n"
    "--duration S         for so many seconds (3)\n"
    "--iterations N       so many executions of each stream; with --duration what is over first ends it\n"
    "--device N           on this one of the devices\n"
    "--devices N          as a program over N devices, which run it together\n"
    "--json FILE          everything, for programs to read (man millrace-bench)\n"
    "--plot FILE.svg      a picture of the percentiles, a line for each batch size\n";

static bool take_batches(void *to, const char *value) {
  bench_batches *batches = to;
  batches->size = 0;
  while (batches->size < BENCH_MOST_BATCHES) {
    char *end = NULL;
    unsigned long long batch = *value >= '0' && *value <= '9' ? strtoull(value, &end, 10) : 0;
    if (batch < 1 || batch > INT32_MAX || (*end && *end != ',')) {
      return false;
    }
    batches->list[batches->size++] = batch;
    if (!*end) {
      return true;
    }
    value = end + 1;
  }
  return false;
}

static bool parse(int argc, char **argv, bench_options *o) {
  const command_option table[] = {
      FEED_INPUT_OPTIONS(o->feed),
      FEED_SIZE_OPTIONS(o->feed),
      {.name = "--batch",
       .kind = OPTION_CALL,
       .to = &o->batches,
       .wanted = "sizes above 0 with commas between them, 32 at most: 1,8,32",
       .take = take_batches},
      {.name = "--seed", .kind = OPTION_NUMBER, .to = &o->feed.seed, .most = 4294967295},
      {.name = "--streams", .kind = OPTION_NUMBER, .to = &o->streams, .least = 1, .most = BENCH_MOST_STREAMS},
      {.name = "--threads", .kind = OPTION_FLAG, .to = &o->threads},
      {.name = "--rate", .kind = OPTION_DECIMAL, .to = &o->rate, .least = 0.001, .most = 1e9},
      {.name = "--warm-up", .kind = OPTION_DECIMAL, .to = &o->warm_up_s, .least = 0, .most = 1e6},
      {.name = "--duration", .kind = OPTION_DECIMAL, .to = &o->duration_s, .least = 0.001, .most = 1e6},
      {.name = "--iterations", .kind = OPTION_NUMBER, .to = &o->iterations, .least = 1, .most = 1e12},
      {.name = "--json", .kind = OPTION_TEXT, .to = &o->json, .wanted = "a file"},
      {.name = "--plot", .kind = OPTION_TEXT, .to = &o->plot, .wanted = "a file, FILE.svg"},
  };
  bool ok = options_take(argc, argv, table, sizeof table / sizeof *table, &o->feed.program_path);
  if (!ok) {
    fputs(o->feed.program_path ? "`millrace bench --help` tells what there is\n" : usage_text, stderr);
  }
  return ok;
}

// ---- Rows -----------------------------------------------------------------------------------------------------------

static bool measure_loaded(bench_report *report, bench_options *o, millrace_program *program, bench_row *row) {
  row->costs = millrace_program_costs_of(program);
  for (size_t i = 0; report->symbols[i] && i < BENCH_MOST_SIZES; i++) {
    row->sizes[i] = feed_symbol(&o->feed, report->symbols[i]);
  }
  row->latency = histogram_create();
  row->host = histogram_create();
  row->device_ns = -1;
  return row->latency && row->host && feed_choose_devices(&o->feed, program) && feed_fill(&o->feed) &&
         bench_measure(o, program, row);
}

static bool measure(bench_report *report, bench_options *o, uint64_t batch) {
  feed *f = &o->feed;
  if (!feed_resolve(f, batch) || !feed_is_resolved(f)) {
    return false;
  }
  millrace_program *program = NULL;
  bench_row *row = &report->rows[report->num_rows];
  row->batch = batch;
  uint64_t start = bench_now_ns();
  bool ok = feed_compile(f, &program);
  row->load_ns = bench_now_ns() - start;
  // Nothing is told of a size that had only been compiled when somebody wanted the end.
  ok = ok && (bench_is_interrupted() || measure_loaded(report, o, program, row));
  millrace_program_release(program);
  report->num_rows += ok && row->executions;
  return ok;
}

static bool measure_all(bench_report *report, bench_options *o) {
  bool ok = o->batches.size > 0 || measure(report, o, 0);
  for (size_t i = 0; i < o->batches.size && ok && !bench_is_interrupted(); i++) {
    ok = measure(report, o, o->batches.list[i]);
  }
  return ok;
}

static bool tell(bench_report *report, const bench_options *o) {
  report->interrupted = bench_is_interrupted();
  bench_print(report);
  bool ok = !o->json || bench_write_json(report, o->json);
  return (!o->plot || bench_write_plot(report, o->plot)) && ok;
}

int command_bench(int argc, char **argv) {
  if (command_wants_help(argc, argv)) {
    fputs(usage_text, stdout);
    return 0;
  }
  bench_options o = {.feed.makes_up = true, .streams = 1, .warm_up_s = 0.2, .duration_s = -1};
  bench_report report = {.options = &o};
  if (!parse(argc, argv, &o)) {
    feed_close(&o.feed);
    return 2;
  }
  bench_watch_signals();
  bool ok = feed_open(&o.feed) && feed_is_complete(&o.feed) && (report.symbols = feed_symbols(&o.feed)) != NULL &&
            measure_all(&report, &o) && tell(&report, &o);
  for (size_t i = 0; i < BENCH_MOST_BATCHES; i++) {
    free(report.rows[i].latency);
    free(report.rows[i].host);
  }
  free(report.symbols);
  feed_close(&o.feed);
  // As a shell says it of what a signal ended.
  return !ok ? 1 : report.interrupted ? 130 : 0;
}
