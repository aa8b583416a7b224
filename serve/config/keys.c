// The keys of a model's configuration: Triton's ModelConfig, as far as the server does what it says.
#include <stdlib.h>
#include <string.h>

#include "serve/config/read.h"

// ---- Inputs and outputs ---------------------------------------------------------------------------------------------

static sv_error *read_type(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  sv_str name;
  SV_TRY(sv_read_name(reader, value, key, &name));
  millrace_dtype dtype = sv_config_type_parse(name);
  uint64_t number;
  for (millrace_dtype d = MILLRACE_PRED;
       dtype == MILLRACE_INVALID && sv_str_number(name, 255, &number) && d <= MILLRACE_F6E3M2FN; d++) {
    dtype = number && sv_config_type_number(d) == number ? d : MILLRACE_INVALID;
  }
  if (dtype == MILLRACE_INVALID && (sv_str_is(name, "TYPE_STRING") || sv_str_is(name, "13"))) {
    return SV_LACKING(reader, value, "%.*s TYPE_STRING: no program has texts", SV_FMT(key));
  }
  if (dtype == MILLRACE_INVALID) {
    return SV_WRONG(reader, value, "%.*s: '%.*s' is no type; wanted TYPE_FP32 for instance", SV_FMT(key), SV_FMT(name));
  }
  *(millrace_dtype *)field = dtype;
  return NULL;
}

static sv_error *read_dim(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  sv_config_port *port = field;
  int64_t dim;
  SV_TRY(sv_read_int64(reader, value, key, &dim));
  if (dim < -1 || port->rank == SV_MAX_RANK) {
    return port->rank == SV_MAX_RANK
               ? SV_WRONG(reader, value, "dims: more than %d", SV_MAX_RANK)
               : SV_WRONG(reader, value, "dims: wanted -1 or a size, and not %lld", (long long)dim);
  }
  int64_t *place = sv_grow(&port->dims, &port->rank, sizeof *place);
  if (!place) {
    return sv_no_memory();
  }
  *place = dim;
  return NULL;
}

static sv_error *read_format(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)field;
  sv_str name;
  SV_TRY(sv_read_name(reader, value, key, &name));
  return sv_str_is(name, "FORMAT_NONE") || sv_str_is(name, "0")
             ? NULL
             : SV_LACKING(reader, value, "format %.*s is not implemented: FORMAT_NONE is", SV_FMT(name));
}

static sv_error *read_reshape(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)field;
  return SV_LACKING(reader, value, "%.*s is not implemented: dims are those of the program", SV_FMT(key));
}

static sv_error *read_optional(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)field;
  bool optional;
  SV_TRY(sv_read_bool(reader, value, key, &optional));
  return optional ? SV_LACKING(reader, value, "optional inputs are not implemented: a program needs all of its inputs")
                  : NULL;
}

static const sv_key port_keys[] = {
    {"name", sv_read_text, offsetof(sv_config_port, name), SV_ONCE},
    {"data_type", read_type, offsetof(sv_config_port, dtype), SV_ONCE},
    {"dims", read_dim, 0, SV_MANY},
    {"format", read_format, 0, SV_ONCE},
    {"reshape", read_reshape, 0, SV_ONCE},
    {"optional", read_optional, 0, SV_ONCE},
    {"label_filename", sv_read_text, offsetof(sv_config_port, label_filename), SV_ONCE},
    {"is_shape_tensor", sv_read_lacking, 0, SV_ONCE},
    {"allow_ragged_batch", sv_read_lacking, 0, SV_ONCE},
    {"is_non_linear_format_io", sv_read_lacking, 0, SV_ONCE},
};

static sv_error *read_port(const sv_reader *reader, const sv_node *value, sv_config_port **ports, uint32_t *count) {
  sv_config_port *port = sv_grow(ports, count, sizeof *port);
  if (!port) {
    return sv_no_memory();
  }
  SV_TRY(SV_READ_MESSAGE(reader, value, port_keys, port));
  return port->name && port->name[0] ? NULL : SV_WRONG(reader, value, "%.*s has no name", SV_FMT(value->name));
}

static sv_error *read_input(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)key;
  (void)field;
  return read_port(reader, value, &reader->config->inputs, &reader->config->num_inputs);
}

static sv_error *read_output(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)key;
  (void)field;
  return read_port(reader, value, &reader->config->outputs, &reader->config->num_outputs);
}

// ---- Versions and instances -----------------------------------------------------------------------------------------

static const sv_key latest_keys[] = {{"num_versions", sv_read_uint32, offsetof(sv_config, latest), SV_ONCE}};

static sv_error *read_latest(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)key;
  sv_config *config = field;
  SV_TRY(SV_READ_MESSAGE(reader, value, latest_keys, config));
  config->latest = config->latest ? config->latest : 1;
  return NULL;
}

static sv_error *read_all(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)key;
  ((sv_config *)field)->versions = SV_VERSIONS_ALL;
  return sv_read_message(reader, value, NULL, 0, NULL);
}

static sv_error *read_specific_version(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  sv_config *config = field;
  int64_t number;
  SV_TRY(sv_read_int64(reader, value, key, &number));
  if (number < 1) {
    return SV_WRONG(reader, value, "versions: wanted numbers from 1, and not %lld", (long long)number);
  }
  uint64_t *place = sv_grow(&config->specific, &config->num_specific, sizeof *place);
  if (!place) {
    return sv_no_memory();
  }
  *place = (uint64_t)number;
  return NULL;
}

static const sv_key specific_keys[] = {{"versions", read_specific_version, 0, SV_MANY}};

static sv_error *read_specific(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)key;
  ((sv_config *)field)->versions = SV_VERSIONS_SPECIFIC;
  return SV_READ_MESSAGE(reader, value, specific_keys, field);
}

static const sv_key version_policy_keys[] = {
    {"latest", read_latest, 0, SV_ONCE}, {"all", read_all, 0, SV_ONCE}, {"specific", read_specific, 0, SV_ONCE}};

static sv_error *read_version_policy(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)key;
  if (value->kind == SV_NODE_MESSAGE && value->first && value->first->next) {
    return SV_WRONG(reader, value, "version_policy: wanted one of latest, all and specific");
  }
  return SV_READ_MESSAGE(reader, value, version_policy_keys, field);
}

static sv_error *read_kind(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)field;
  sv_str name;
  SV_TRY(sv_read_name(reader, value, key, &name));
  static const char *const fine[] = {"KIND_CPU", "KIND_AUTO", "KIND_MODEL", "0", "2", "3"};
  for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
    if (sv_str_is(name, fine[i])) {
      return NULL;
    }
  }
  return sv_str_is(name, "KIND_GPU") || sv_str_is(name, "1")
             ? SV_LACKING(reader, value, "instance_group of KIND_GPU is not implemented: wanted KIND_CPU or KIND_AUTO")
             : SV_WRONG(reader, value, "kind: wanted KIND_CPU or KIND_AUTO, and not '%.*s'", SV_FMT(name));
}

static const sv_key instance_keys[] = {
    {"name", NULL, 0, SV_ONCE},
    {"kind", read_kind, 0, SV_ONCE},
    {"count", sv_read_uint32, 0, SV_ONCE},
    {"gpus", sv_read_lacking, 0, SV_MANY},
    {"passive", sv_read_lacking, 0, SV_ONCE},
    {"rate_limiter", sv_read_lacking, 0, SV_ONCE},
    {"secondary_devices", sv_read_lacking, 0, SV_MANY},
    {"profile", NULL, 0, SV_MANY},
    {"host_policy", NULL, 0, SV_ONCE},
};

// Several groups are as one, since all of them are the same processor.
static sv_error *read_instances(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)key;
  uint32_t count = 0, *sum = field;
  SV_TRY(SV_READ_MESSAGE(reader, value, instance_keys, &count));
  count = count ? count : 1;
  if (count > INT32_MAX - *sum) {
    return SV_WRONG(reader, value, "instance_group: %u executions at once are too many", count);
  }
  *sum += count;
  return NULL;
}

// ---- Batching -------------------------------------------------------------------------------------------------------

static sv_error *read_max_batch_size(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  reader->config->says_max_batch_size = true;
  return sv_read_uint32(reader, value, key, field);
}

static sv_error *read_preferred(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  sv_config *config = field;
  uint32_t size;
  SV_TRY(sv_read_uint32(reader, value, key, &size));
  uint32_t *place = size ? sv_grow(&config->preferred, &config->num_preferred, sizeof *place) : NULL;
  if (!place) {
    return size ? sv_no_memory() : SV_WRONG(reader, value, "preferred_batch_size: wanted sizes from 1");
  }
  *place = size;
  return NULL;
}

static sv_error *read_action(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  sv_str name;
  SV_TRY(sv_read_name(reader, value, key, &name));
  bool delay = sv_str_is(name, "DELAY") || sv_str_is(name, "1");
  if (!delay && !sv_str_is(name, "REJECT") && !sv_str_is(name, "0")) {
    return SV_WRONG(reader, value, "timeout_action: wanted REJECT or DELAY, and not '%.*s'", SV_FMT(name));
  }
  *(sv_timeout_action *)field = delay ? SV_TIMEOUT_DELAY : SV_TIMEOUT_REJECT;
  return NULL;
}

static const sv_key policy_keys[] = {
    {"timeout_action", read_action, offsetof(sv_queue_policy, timeout_action), SV_ONCE},
    {"default_timeout_microseconds", sv_read_uint64, offsetof(sv_queue_policy, default_timeout_us), SV_ONCE},
    {"allow_timeout_override", sv_read_bool, offsetof(sv_queue_policy, allow_timeout_override), SV_ONCE},
    {"max_queue_size", sv_read_uint32, offsetof(sv_queue_policy, max_queue_size), SV_ONCE},
};

static sv_error *read_policy(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)key;
  return SV_READ_MESSAGE(reader, value, policy_keys, field);
}

static sv_error *read_level_policy(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  sv_config *config = field;
  uint64_t level;
  if (!sv_str_number(key, SV_MAX_PRIORITIES, &level) || level == 0 || config->has_policy[level]) {
    return SV_WRONG(reader, value, "priority_queue_policy: wanted each level from 1 to %d once at most, and not '%.*s'",
                    SV_MAX_PRIORITIES, SV_FMT(key));
  }
  config->has_policy[level] = true;
  return SV_READ_MESSAGE(reader, value, policy_keys, &config->policies[level]);
}

static const sv_key batching_keys[] = {
    {"preferred_batch_size", read_preferred, 0, SV_MANY},
    {"max_queue_delay_microseconds", sv_read_uint64, offsetof(sv_config, max_delay_us), SV_ONCE},
    {"preserve_ordering", sv_read_bool, offsetof(sv_config, preserve_ordering), SV_ONCE},
    {"priority_levels", sv_read_uint32, offsetof(sv_config, priority_levels), SV_ONCE},
    {"default_priority_level", sv_read_uint32, offsetof(sv_config, default_priority), SV_ONCE},
    {"default_queue_policy", read_policy, offsetof(sv_config, policy), SV_ONCE},
    {"priority_queue_policy", read_level_policy, 0, SV_MAP},
};

static sv_error *read_batching(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)key;
  ((sv_config *)field)->batching = true;
  return SV_READ_MESSAGE(reader, value, batching_keys, field);
}

// ---- Parameters -----------------------------------------------------------------------------------------------------

static const sv_key parameter_keys[] = {{"string_value", sv_read_text, 0, SV_ONCE}};

// "1,4,16", with spaces where one likes.
static sv_error *read_sizes(const sv_reader *reader, const sv_node *value, sv_str text) {
  sv_config *config = reader->config;
  for (size_t at = 0; at <= text.size;) {
    size_t end = at;
    while (end < text.size && text.data[end] != ',') {
      end++;
    }
    sv_str size = {text.data + at, end - at};
    for (; size.size && size.data[0] == ' '; size.data++, size.size--) {
    }
    for (; size.size && size.data[size.size - 1] == ' '; size.size--) {
    }
    uint64_t number;
    if (!sv_str_number(size, INT32_MAX, &number) || !number) {
      return SV_WRONG(reader, value, "batch_sizes: wanted sizes from 1 with commas between them, and not '%.*s'",
                      SV_FMT(text));
    }
    uint32_t *place = sv_grow(&config->buckets, &config->num_buckets, sizeof *place);
    if (!place) {
      return sv_no_memory();
    }
    *place = (uint32_t)number;
    at = end + 1;
  }
  return NULL;
}

// Parameters that the server has no use for are the model's own.
static sv_error *read_parameter(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  sv_config *config = field;
  char *text = NULL;
  sv_error *error = SV_READ_MESSAGE(reader, value, parameter_keys, &text);
  if (!error && sv_str_is(key, "batch_sizes")) {
    error = config->buckets ? SV_WRONG(reader, value, "batch_sizes are there twice")
                            : read_sizes(reader, value, sv_str_of(text));
  }
  if (!error && sv_str_is(key, "weights") && text) {
    free(config->weights);
    config->weights = text;
    return NULL;
  }
  free(text);
  return error;
}

// ---- Ensembles ------------------------------------------------------------------------------------------------------

static sv_error *read_pair(const sv_reader *reader, const sv_node *value, sv_str key, sv_config_map **pairs,
                           uint32_t *count) {
  sv_config_map *pair = sv_grow(pairs, count, sizeof *pair);
  if (!pair) {
    return sv_no_memory();
  }
  pair->key = sv_str_copy(key);
  return pair->key ? sv_read_text(reader, value, key, &pair->value) : sv_no_memory();
}

static sv_error *read_input_map(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  sv_config_step *step = field;
  return read_pair(reader, value, key, &step->inputs, &step->num_inputs);
}

static sv_error *read_output_map(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  sv_config_step *step = field;
  return read_pair(reader, value, key, &step->outputs, &step->num_outputs);
}

static const sv_key step_keys[] = {
    {"model_name", sv_read_text, offsetof(sv_config_step, model_name), SV_ONCE},
    {"model_version", sv_read_int64, offsetof(sv_config_step, model_version), SV_ONCE},
    {"input_map", read_input_map, 0, SV_MAP},
    {"output_map", read_output_map, 0, SV_MAP},
    {"model_namespace", sv_read_lacking, 0, SV_ONCE},
};

static sv_error *read_step(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)key;
  sv_config *config = field;
  sv_config_step *step = sv_grow(&config->steps, &config->num_steps, sizeof *step);
  if (!step) {
    return sv_no_memory();
  }
  step->model_version = -1;
  return SV_READ_MESSAGE(reader, value, step_keys, step);
}

static const sv_key ensemble_keys[] = {{"step", read_step, 0, SV_MANY},
                                       {"max_inflight_requests", sv_read_lacking, 0, SV_ONCE}};

static sv_error *read_ensemble(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)key;
  return SV_READ_MESSAGE(reader, value, ensemble_keys, field);
}

// ---- The model ------------------------------------------------------------------------------------------------------

static const sv_key cache_keys[] = {{"enable", sv_read_lacking, 0, SV_ONCE}};
static sv_error *read_cache(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  sv_error *error = SV_READ_MESSAGE(reader, value, cache_keys, field);
  if (sv_error_code(error) == MILLRACE_UNIMPLEMENTED) {
    sv_error_free(error);
    return SV_LACKING(reader, value, "%.*s is not implemented", SV_FMT(key));
  }
  return error;
}

static const sv_key transaction_keys[] = {{"decoupled", sv_read_lacking, 0, SV_ONCE}};
static sv_error *read_transaction(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)key;
  return SV_READ_MESSAGE(reader, value, transaction_keys, field);
}

static sv_error *read_sequence(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)field;
  return SV_LACKING(reader, value, "%.*s is not implemented", SV_FMT(key));
}

static const sv_key model_keys[] = {
    {"name", sv_read_text, offsetof(sv_config, name), SV_ONCE},
    {"platform", sv_read_text, offsetof(sv_config, platform), SV_ONCE},
    {"backend", sv_read_text, offsetof(sv_config, backend), SV_ONCE},
    {"runtime", NULL, 0, SV_ONCE},
    {"version_policy", read_version_policy, 0, SV_ONCE},
    {"max_batch_size", read_max_batch_size, offsetof(sv_config, max_batch_size), SV_ONCE},
    {"input", read_input, 0, SV_MANY},
    {"output", read_output, 0, SV_MANY},
    {"batch_input", sv_read_lacking, 0, SV_MANY},
    {"batch_output", sv_read_lacking, 0, SV_MANY},
    {"optimization", NULL, 0, SV_ONCE},  // hints; no answer depends on them
    {"dynamic_batching", read_batching, 0, SV_ONCE},
    {"sequence_batching", read_sequence, 0, SV_ONCE},
    {"ensemble_scheduling", read_ensemble, 0, SV_ONCE},
    {"instance_group", read_instances, offsetof(sv_config, instances), SV_MANY},
    {"default_model_filename", sv_read_text, offsetof(sv_config, filename), SV_ONCE},
    {"cc_model_filenames", sv_read_lacking, 0, SV_MAP},
    {"metric_tags", NULL, 0, SV_MAP},
    {"parameters", read_parameter, 0, SV_MAP},
    {"model_warmup", NULL, 0, SV_MANY},  // every size that is compiled is run once anyway
    {"model_operations", sv_read_lacking, 0, SV_ONCE},
    {"model_transaction_policy", read_transaction, 0, SV_ONCE},
    {"model_repository_agents", sv_read_lacking, 0, SV_ONCE},
    {"response_cache", read_cache, 0, SV_ONCE},
    {"model_metrics", sv_read_lacking, 0, SV_ONCE},
};
_Static_assert(sizeof model_keys / sizeof model_keys[0] < 64, "sv_read_message() has a bit for each key");

static int ascending(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return left < right ? -1 : left > right;
}

// In order, each once.
static void sort(uint32_t *sizes, uint32_t *count) {
  if (*count) {
    qsort(sizes, *count, sizeof *sizes, ascending);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < *count; i++) {
      if (sizes[i] != sizes[kept - 1]) {
        sizes[kept++] = sizes[i];
      }
    }
    *count = kept;
  }
}

sv_error *sv_config_fill(sv_config *config, const sv_tree *tree) {
  sv_reader reader = {.tree = tree, .config = config};
  SV_TRY(SV_READ_MESSAGE(&reader, tree->root, model_keys, config));
  sort(config->preferred, &config->num_preferred);
  sort(config->buckets, &config->num_buckets);
  return NULL;
}
