// One version of one model, ready to be called: a program with the batch sizes that it is compiled for, or an ensemble.
#ifndef SV_VERSION_H
#define SV_VERSION_H

#include "serve/config/config.h"
#include "serve/net/loop.h"

typedef struct sv_version sv_version;
typedef struct sv_engine sv_engine;  // the context of the embedding API, and how many executions it is given at once

typedef struct sv_port {
  char *name;
  millrace_dtype dtype;
  uint32_t rank;
  int64_t dims[SV_MAX_RANK];  // with the batch; -1 where any size will do
  char **labels;              // of an output: names for classification, by index; NULL: none
  uint32_t num_labels;
} sv_port;

// What is the same for as long as the version is there. Names of inputs and outputs are the program's, without the frame that JAX puts around
// them: "result['y']" is y, and the only "result" is y too only if the configuration says so; it is "output0" otherwise.
typedef struct sv_signature {
  const char *model;  // its name
  uint64_t number;    // of the version
  const sv_port *inputs, *outputs;
  uint32_t num_inputs, num_outputs;
  uint32_t max_batch_size;  // above 0 the first dim of each input and output is the batch, of 1 to so many rows
  const sv_config *config;
  bool ensemble;
} sv_signature;

const sv_signature *sv_version_signature(const sv_version *version);
sv_version *sv_version_retain(sv_version *version);
void sv_version_release(sv_version *version);  // NULL is fine

typedef struct sv_engine_options {
  uint32_t executions;      // at once, over all models; 0: two
  uint32_t max_queue_size;  // of a model whose configuration says none; 0: 10,000
} sv_engine_options;
sv_error *sv_engine_create(const sv_engine_options *options, sv_engine **out_engine);
void sv_engine_release(sv_engine *engine);  // after its versions

// What loading a version takes. Borrowed, but for what is named take_.
typedef struct sv_version_files {
  const char *model;  // name
  uint64_t number;
  const char *program_path;  // a portable artifact, text, or what millrace_program_save() wrote; NULL: an ensemble
  const char *weights_path;  // NULL: found beside the program
  sv_config *take_config;
  // By output, in the order of config->outputs: the text of the label file, one name a line; empty: none. May be NULL.
  const sv_str *labels;
  // Of an ensemble: who finds the versions of its steps, a reference to each.
  sv_error *(*find)(void *self, sv_str model, int64_t number, sv_version **out_version);
  void *find_self;
  // NULL, or once it is true loading ends early with an error: the server stops.
  const _Atomic(bool) *stop;
} sv_version_files;

// Opens, compiles its batch sizes, and runs each once (warm-up). Takes as long as that takes: not on a loop.
sv_error *sv_version_load(sv_engine *engine, const sv_version_files *files, sv_version **out_version);
// The version has been replaced or is no longer served: nobody finds it any more. Those who had found it before may still submit, and are served.
// `drained` is called once, on any thread, perhaps before this returns, when nothing is queued and nothing runs.
void sv_version_drain(sv_version *version, void (*drained)(void *argument), void *argument);

// ---- Statistics -----------------------------------------------------------------------------------------------------

typedef struct sv_duration {
  uint64_t count, ns;
} sv_duration;

#define SV_BATCH_STATS 64        // different batch sizes that are told apart
#define SV_HISTOGRAM_BUCKETS 20  // 50 us times powers of two and +Inf for times

typedef struct sv_batch_stats {
  uint32_t rows;
  sv_duration compute_input, compute_infer, compute_output;
} sv_batch_stats;

typedef struct sv_histogram {
  uint64_t counts[SV_HISTOGRAM_BUCKETS];  // not cumulative; bucket i: at most 50 us << i, the last one whatever is more
  uint64_t sum_ns;
} sv_histogram;

typedef struct sv_statistics {
  uint64_t last_inference_ms;  // since 1970; 0: never
  uint64_t inference_count;    // rows
  uint64_t execution_count;    // batches
  sv_duration success, fail, queue, compute_input, compute_infer, compute_output;
  uint64_t rejected, cancelled, failed_execution, failed_otherwise;
  uint64_t pending;  // requests that are queued now
  uint64_t running;  // executions now
  sv_histogram latency, queueing, executing;
  uint32_t num_batches;
  sv_batch_stats batches[SV_BATCH_STATS];
} sv_statistics;
void sv_version_statistics(sv_version *version, sv_statistics *out);
// A request that never came to the queue was answered with this error: counted.
void sv_version_count_failure(sv_version *version, millrace_code code, uint64_t ns);
// How many bytes the batches of the sizes that are compiled take.
uint64_t sv_version_bytes(sv_version *version);

#endif
