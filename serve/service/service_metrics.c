// What /metrics says: Triton's names, so that dashboards and autoscalers work as they are, then our own.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "serve/metrics/metrics.h"
#include "serve/service/service.h"

// One version's; taken once, so that the metrics of a scrape fit each other.
typedef struct version_row {
  sv_label labels[3];  // model, version, and one that a metric adds
  char number[24];
  uint64_t bytes;
  sv_statistics statistics;
} version_row;

typedef struct version_table {
  version_row *rows;
  size_t count;
} version_table;

static sv_error *table_fill(sv_service *service, sv_version ***out_versions, version_table *out) {
  *out = (version_table){0};
  SV_TRY(sv_repository_versions(service->repository, (sv_str){0}, out_versions, &out->count));
  out->rows = calloc(out->count + 1, sizeof *out->rows);
  if (!out->rows) {
    sv_versions_free(*out_versions, out->count);
    return sv_no_memory();
  }
  for (size_t i = 0; i < out->count; i++) {
    version_row *row = &out->rows[i];
    sv_version *version = (*out_versions)[i];
    const sv_signature *signature = sv_version_signature(version);
    snprintf(row->number, sizeof row->number, "%llu", (unsigned long long)signature->number);
    row->labels[0] = (sv_label){"model", sv_str_of(signature->model)};
    row->labels[1] = (sv_label){"version", sv_str_of(row->number)};
    row->bytes = sv_version_bytes(version);
    sv_version_statistics(version, &row->statistics);
  }
  return NULL;
}

// ---- Triton's names -------------------------------------------------------------------------------------------------

typedef struct version_counter {
  const char *name, *type, *help;
  uint64_t (*value)(const version_row *row);
} version_counter;

static uint64_t success(const version_row *row) { return row->statistics.success.count; }
static uint64_t inferences(const version_row *row) { return row->statistics.inference_count; }
static uint64_t executions(const version_row *row) { return row->statistics.execution_count; }
static uint64_t request_us(const version_row *row) { return row->statistics.success.ns / 1000; }
static uint64_t queue_us(const version_row *row) { return row->statistics.queue.ns / 1000; }
static uint64_t input_us(const version_row *row) { return row->statistics.compute_input.ns / 1000; }
static uint64_t infer_us(const version_row *row) { return row->statistics.compute_infer.ns / 1000; }
static uint64_t output_us(const version_row *row) { return row->statistics.compute_output.ns / 1000; }
static uint64_t pending(const version_row *row) { return row->statistics.pending; }
static uint64_t running(const version_row *row) { return row->statistics.running; }
static uint64_t memory(const version_row *row) { return row->bytes; }

static const version_counter COUNTERS[] = {
    {"nv_inference_request_success", "counter", "Requests that were answered with a result", success},
    {"nv_inference_count", "counter", "Inferences: rows of all requests", inferences},
    {"nv_inference_exec_count", "counter", "Executions: batches", executions},
    {"nv_inference_request_duration_us", "counter", "Microseconds from a request's coming to its answer, all together",
     request_us},
    {"nv_inference_queue_duration_us", "counter", "Microseconds in the queue, of all requests", queue_us},
    {"nv_inference_compute_input_duration_us", "counter", "Microseconds of preparing inputs, of all requests",
     input_us},
    {"nv_inference_compute_infer_duration_us", "counter", "Microseconds of executing the model, of all requests",
     infer_us},
    {"nv_inference_compute_output_duration_us", "counter", "Microseconds of handing outputs on, of all requests",
     output_us},
    {"nv_inference_pending_request_count", "gauge", "Requests that are in the queue now", pending},
    {"millrace_running_executions", "gauge", "Executions that are going on now", running},
    {"millrace_model_memory_bytes", "gauge", "Memory of a version's weights and programs", memory},
};

static void put_counters(sv_text *out, const version_table *table) {
  for (size_t c = 0; c < sizeof COUNTERS / sizeof *COUNTERS; c++) {
    const version_counter *counter = &COUNTERS[c];
    sv_metric_begin(out, counter->name, counter->type, counter->help);
    for (size_t i = 0; i < table->count; i++) {
      sv_metric_count(out, counter->name, table->rows[i].labels, 2, counter->value(&table->rows[i]));
    }
  }
}

static void put_failures(sv_text *out, const version_table *table) {
  static const char NAME[] = "nv_inference_request_failure";
  sv_metric_begin(out, NAME, "counter", "Requests that were answered with an error, by reason");
  for (size_t i = 0; i < table->count; i++) {
    version_row *row = &table->rows[i];
    const sv_statistics *statistics = &row->statistics;
    const struct {
      const char *reason;
      uint64_t count;
    } reasons[] = {{"REJECTED", statistics->rejected},
                   {"CANCELED", statistics->cancelled},
                   {"BACKEND", statistics->failed_execution},
                   {"OTHER", statistics->failed_otherwise}};
    for (size_t r = 0; r < 4; r++) {
      row->labels[2] = (sv_label){"reason", sv_str_of(reasons[r].reason)};
      sv_metric_count(out, NAME, row->labels, 3, reasons[r].count);
    }
  }
}

// ---- Histograms -----------------------------------------------------------------------------------------------------

static const sv_histogram *latency(const version_row *row) { return &row->statistics.latency; }
static const sv_histogram *queueing(const version_row *row) { return &row->statistics.queueing; }
static const sv_histogram *executing(const version_row *row) { return &row->statistics.executing; }

static void put_times(sv_text *out, const version_table *table, const char *name, const char *help,
                      const sv_histogram *(*of)(const version_row *row)) {
  double bounds[SV_HISTOGRAM_BUCKETS - 1];
  for (uint32_t b = 0; b < SV_HISTOGRAM_BUCKETS - 1; b++) {
    bounds[b] = (double)(50ull << b) / 1e6;  // 50 us and on, as sv_histogram has it
  }
  sv_metric_begin(out, name, "histogram", help);
  for (size_t i = 0; i < table->count; i++) {
    const sv_histogram *histogram = of(&table->rows[i]);
    sv_metric_histogram(out, name, table->rows[i].labels, 2, bounds, SV_HISTOGRAM_BUCKETS - 1, histogram->counts,
                        (double)histogram->sum_ns / 1e9);
  }
}

static void put_batches(sv_text *out, const version_table *table) {
  static const char NAME[] = "millrace_batch_rows";
  enum { BOUNDS = 11 };
  static const double bounds[BOUNDS] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  sv_metric_begin(out, NAME, "histogram", "Rows of the batches that were executed");
  for (size_t i = 0; i < table->count; i++) {
    const sv_statistics *statistics = &table->rows[i].statistics;
    uint64_t counts[BOUNDS + 1] = {0};
    double sum = 0;
    for (uint32_t b = 0; b < statistics->num_batches && b < SV_BATCH_STATS; b++) {
      const sv_batch_stats *batch = &statistics->batches[b];
      uint32_t bucket = 0;
      while (bucket < BOUNDS && batch->rows > bounds[bucket]) {
        bucket++;
      }
      counts[bucket] += batch->compute_infer.count;
      sum += (double)batch->rows * (double)batch->compute_infer.count;
    }
    sv_metric_histogram(out, NAME, table->rows[i].labels, 2, bounds, BOUNDS, counts, sum);
  }
}

// ---- The server -----------------------------------------------------------------------------------------------------

static void put_one(sv_text *out, const char *name, const char *type, const char *help, double value) {
  sv_metric_begin(out, name, type, help);
  sv_metric_sample(out, name, NULL, 0, value);
}

static void put_service(sv_text *out, sv_service *service) {
  static const char REQUESTS[] = "millrace_requests_total";
  sv_metric_begin(out, REQUESTS, "counter", "Requests of any kind, by protocol");
  sv_label http = {"protocol", SV_STR("http")}, grpc = {"protocol", SV_STR("grpc")};
  sv_metric_count(out, REQUESTS, &http, 1, atomic_load_explicit(&service->http_requests, memory_order_relaxed));
  sv_metric_count(out, REQUESTS, &grpc, 1, atomic_load_explicit(&service->grpc_calls, memory_order_relaxed));
  put_one(out, "millrace_connections", "gauge", "Connections that are open now",
          (double)atomic_load_explicit(&service->connections, memory_order_relaxed));
  put_one(out, "millrace_connections_accepted_total", "counter", "Connections that were accepted",
          (double)atomic_load_explicit(&service->connections_all, memory_order_relaxed));
  put_one(out, "millrace_connections_refused_total", "counter",
          "Connections that were closed at the limit of connections",
          (double)atomic_load_explicit(&service->refused_connections, memory_order_relaxed));
  put_one(out, "millrace_bytes_in_flight", "gauge", "Bytes of requests and answers that are under way",
          (double)atomic_load_explicit(&service->bytes_in_flight, memory_order_relaxed));
  put_one(out, "millrace_ready", "gauge", "1: all models that were wanted at start are served",
          sv_service_is_ready(service));
  put_one(out, "millrace_uptime_seconds", "gauge", "Seconds since the server's start",
          (double)(sv_now_ns() - service->begin_ns) / 1e9);
}

static double resident_bytes(void) {
  FILE *file = fopen("/proc/self/statm", "re");
  unsigned long all = 0, resident = 0;
  if (file) {
    if (fscanf(file, "%lu %lu", &all, &resident) != 2) {
      resident = 0;
    }
    fclose(file);
  }
  return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static double cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double open_descriptors(void) {
  DIR *dir = opendir("/proc/self/fd");
  int count = -3;  // ".", "..", and the folder itself
  while (dir && readdir(dir)) {
    count++;
  }
  if (dir) {
    closedir(dir);
  }
  return count < 0 ? 0 : count;
}

static void put_process(sv_text *out) {
  put_one(out, "millrace_process_resident_bytes", "gauge", "Resident memory of the process", resident_bytes());
  put_one(out, "millrace_process_cpu_seconds_total", "counter", "Processor time of the process", cpu_seconds());
  put_one(out, "millrace_process_open_descriptors", "gauge", "Open file descriptors of the process",
          open_descriptors());
}

void sv_service_metrics(sv_service *service, sv_text *out) {
  version_table table;
  sv_version **versions = NULL;
  sv_error *error = table_fill(service, &versions, &table);
  if (error) {  // the server's own are told all the same
    sv_error_free(error);
  } else {
    put_counters(out, &table);
    put_failures(out, &table);
    put_times(out, &table, "millrace_request_seconds", "From a request's coming to its answer", latency);
    put_times(out, &table, "millrace_queue_seconds", "Time in the queue", queueing);
    put_times(out, &table, "millrace_execution_seconds", "Time of an execution", executing);
    put_batches(out, &table);
    free(table.rows);
    sv_versions_free(versions, table.count);
  }
  put_service(out, service);
  put_process(out);
}
