// What a model's configuration says: config.json or config.pbtxt, with Triton's keys (ModelConfig), as far as the server does what they say. A key that
// it does not know is an error that names it.
#ifndef SV_CONFIG_H
#define SV_CONFIG_H

#include "serve/base/base.h"

typedef struct sv_config_port {
  char *name;
  millrace_dtype dtype;  // MILLRACE_INVALID: not said
  int64_t *dims;         // without the batch where max_batch_size is above 0; NULL: not said
  uint32_t rank;
  char *label_filename;  // beside the configuration; NULL: none
} sv_config_port;

typedef struct sv_config_map {  // of an ensemble's step: the model's own name, and the ensemble's tensor
  char *key, *value;
} sv_config_map;

typedef struct sv_config_step {
  char *model_name;
  int64_t model_version;  // -1: the highest served
  sv_config_map *inputs, *outputs;
  uint32_t num_inputs, num_outputs;
} sv_config_step;

typedef enum sv_timeout_action { SV_TIMEOUT_REJECT, SV_TIMEOUT_DELAY } sv_timeout_action;

typedef struct sv_queue_policy {
  sv_timeout_action timeout_action;
  uint64_t default_timeout_us;  // 0: none
  bool allow_timeout_override;
  uint32_t max_queue_size;  // 0: what the server's option says
} sv_queue_policy;

typedef enum sv_version_policy { SV_VERSIONS_LATEST, SV_VERSIONS_ALL, SV_VERSIONS_SPECIFIC } sv_version_policy;

#define SV_MAX_PRIORITIES 16

typedef struct sv_config {
  char *name;  // NULL: the folder's
  char *platform, *backend;
  uint32_t max_batch_size;  // 0: requests are not joined
  bool says_max_batch_size;
  sv_config_port *inputs, *outputs;
  uint32_t num_inputs, num_outputs;
  uint32_t instances;  // executions at once; 0: not said
  // dynamic_batching
  bool batching;        // the key is there
  uint32_t *preferred;  // ascending
  uint32_t num_preferred;
  uint64_t max_delay_us;
  bool preserve_ordering;
  uint32_t priority_levels, default_priority;  // 0: no priorities
  sv_queue_policy policy;                      // the default one
  sv_queue_policy policies[SV_MAX_PRIORITIES + 1];
  bool has_policy[SV_MAX_PRIORITIES + 1];  // by level; [0] is unused
  // Which batch sizes are compiled; NULL: 1, 2, 4, 8 and so on, preferred ones, and the largest. The parameter "batch_sizes": "1,4,16".
  uint32_t *buckets;
  uint32_t num_buckets;
  sv_version_policy versions;
  uint32_t latest;  // of SV_VERSIONS_LATEST
  uint64_t *specific;
  uint32_t num_specific;
  char *
      filename;  // default_model_filename; NULL: model.mlirbc, model.mlir, model.stablehlo or model.millrace, whichever is there
  char *weights;          // the parameter "weights": a file in the version's folder; NULL: found by name
  sv_config_step *steps;  // of an ensemble
  uint32_t num_steps;
} sv_config;

// Defaults; then what one of the files says. `what` names the file in errors.
sv_error *sv_config_create(sv_config **out_config);
sv_error *sv_config_read_json(sv_config *config, sv_str text, const char *what);
sv_error *sv_config_read_pbtxt(sv_config *config, sv_str text, const char *what);
// Sizes in order, names that are used twice, an ensemble's tensors that nobody makes or that go round: what can be seen without the model.
sv_error *sv_config_check(const sv_config *config, const char *what);
void sv_config_release(sv_config *config);

#endif
