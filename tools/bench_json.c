// What `millrace bench --json` writes; docs/man/millrace-bench.1 has the fields.
#include <inttypes.h>
#include <string.h>

#include "tools/bench.h"
#include "tools/element.h"

// Text is taken for UTF-8; what is no character of it is the sender's affair.
static void put_text(FILE *file, const char *text) {
  if (!text) {
    fputs("null", file);
    return;
  }
  fputc('"', file);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') {
      fprintf(file, "\\%c", c);
    } else if (c < ' ') {
      fprintf(file, "\\u%04x", c);
    } else {
      fputc(c, file);
    }
  }
  fputc('"', file);
}

static void put_histogram(FILE *file, const char *name, const histogram *h) {
  fprintf(file, "      \"%s\": {\"count\": %" PRIu64 ", \"mean\": %.1f, \"min\": %" PRIu64, name, histogram_count(h),
          histogram_mean(h), histogram_min(h));
  for (size_t i = 0; i < BENCH_PERCENTILES; i++) {
    fprintf(file, ", \"%s\": %" PRIu64, bench_percentiles[i].name,
            histogram_percentile(h, bench_percentiles[i].percent));
  }
  fprintf(file, ", \"max\": %" PRIu64 "},\n", histogram_max(h));
}

static void put_sizes(FILE *file, const bench_report *report, const bench_row *row) {
  fputs("      \"sizes\": {", file);
  for (size_t i = 0; report->symbols[i] && i < BENCH_MOST_SIZES; i++) {
    fputs(i ? ", " : "", file);
    put_text(file, report->symbols[i]);
    fprintf(file, ": %" PRId64, row->sizes[i]);
  }
  fputs("},\n", file);
}

static void put_costs(FILE *file, const bench_row *row) {
  const struct {
    const char *name;
    uint64_t value;
  } list[] = {
      {"argument_bytes", row->costs.argument_bytes},
      {"result_bytes", row->costs.result_bytes},
      {"donated_bytes", row->costs.donated_bytes},
      {"temporary_bytes", row->costs.temporary_bytes},
      {"constant_bytes", row->costs.constant_bytes},
      {"code_bytes", row->costs.code_bytes},
      {"peak_bytes", row->memory_peak},
      {"flops", row->costs.flops},
      {"estimate_ns", row->costs.estimate_ns},
      {"steps", row->costs.steps},
      {"kernels", row->costs.kernels},
      {"library_calls", row->costs.library_calls},
  };
  fputs("      \"costs\": {", file);
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    fprintf(file, "%s\"%s\": %" PRIu64, i ? ", " : "", list[i].name, list[i].value);
  }
  fputs("}\n", file);
}

static void put_row(FILE *file, const bench_report *report, const bench_row *row) {
  double seconds = (double)row->wall_ns / 1e9, each = (double)row->executions / seconds;
  fputs("    {\n", file);
  if (row->batch) {
    fprintf(file, "      \"batch\": %" PRIu64 ",\n      \"items_per_second\": %.3f,\n", row->batch,
            each * (double)row->batch);
  } else {
    fputs("      \"batch\": null,\n      \"items_per_second\": null,\n", file);
  }
  put_sizes(file, report, row);
  fprintf(file,
          "      \"load_ns\": %" PRIu64 ",\n      \"compile_ns\": %" PRIu64 ",\n      \"first_ns\": %" PRIu64
          ",\n      \"executions\": %" PRIu64 ",\n      \"seconds\": %.9f,\n      \"executions_per_second\": %.3f,\n"
          "      \"in_call\": %" PRIu64 ",\n      \"unbegun\": %" PRIu64 ",\n",
          row->load_ns, row->costs.compile_ns, row->first_ns, row->executions, seconds, each, row->in_call,
          row->unbegun);
  put_histogram(file, "latency_ns", row->latency);
  put_histogram(file, "host_ns", row->host);
  if (row->device_ns >= 0) {
    fprintf(file, "      \"device_ns\": %.1f,\n", row->device_ns);
  } else {
    fputs("      \"device_ns\": null,\n", file);
  }
  put_costs(file, row);
  fputs("    }", file);
}

static void put_inputs(FILE *file, const feed *f) {
  static const char *const sources[] = {
      [FEED_NOTHING] = "nothing", [FEED_GIVEN] = "given", [FEED_WEIGHTS] = "weights", [FEED_MADE_UP] = "made up"};
  fputs("  \"inputs\": [", file);
  for (size_t i = 0; i < f->num_parameters; i++) {
    const feed_parameter *p = &f->parameters[i];
    char type[512];
    fputs(i ? ", {\"name\": " : "{\"name\": ", file);
    put_text(file, p->port.name);
    fputs(", \"type\": ", file);
    put_text(file, element_type_text(p->port.type, p->port.symbols, type, sizeof type));
    fprintf(file, ", \"donated\": %s, \"source\": \"%s\"}", p->port.donated ? "true" : "false", sources[p->source]);
  }
  fputs("],\n", file);
}

static void put_options(FILE *file, const bench_options *o) {
  fprintf(file, "  \"options\": {\"streams\": %" PRIu64 ", \"threads\": %s, \"seed\": %" PRIu64 ", \"warm_up_s\": %g",
          o->streams, o->threads ? "true" : "false", o->feed.seed, o->warm_up_s);
  fprintf(file, o->rate > 0 ? ", \"rate\": %g" : ", \"rate\": null", o->rate);
  fprintf(file, o->duration_s >= 0 ? ", \"duration_s\": %g" : ", \"duration_s\": null", o->duration_s);
  fprintf(file, o->iterations ? ", \"iterations\": %" PRIu64 "},\n" : ", \"iterations\": null},\n", o->iterations);
}

static void put_report(const bench_report *report, FILE *file) {
  const feed *f = &report->options->feed;
  fputs("{\n  \"millrace_bench\": 1,\n  \"program\": ", file);
  put_text(file, f->program_path);
  fputs(",\n  \"weights\": ", file);
  put_text(file, feed_weights_path(f));
  fputs(",\n  \"devices\": [", file);
  for (size_t i = 0; f->devices && i < f->num_rows; i++) {
    fputs(i ? ", " : "", file);
    put_text(file, millrace_device_info_of(f->devices[i]).kind);
  }
  fputs("],\n", file);
  put_options(file, report->options);
  put_inputs(file, f);
  fprintf(file, "  \"interrupted\": %s,\n  \"rows\": [", report->interrupted ? "true" : "false");
  for (size_t i = 0; i < report->num_rows; i++) {
    fputs(i ? ",\n" : "\n", file);
    put_row(file, report, &report->rows[i]);
  }
  fputs("\n  ]\n}\n", file);
}

bool bench_write_json(const bench_report *report, const char *path) { return bench_write(report, put_report, path); }
