// ModelConfig: a model's configuration as Triton's message, as far as the server has it.
#include "serve/grpc/internal.h"

// Ports of the signature, with the dims that the configuration would give: without the batch.
static void put_port(sv_text *out, uint32_t field, uint32_t dims_field, const sv_port *port, bool batched) {
  uint32_t first = batched && port->rank ? 1 : 0;
  size_t mark = sv_wire_put_begin(out, field);
  sv_wire_put_str(out, 1, sv_str_of(port->name));
  sv_wire_put_uint(out, 2, sv_config_type_number(port->dtype));
  sv_wire_put_ints(out, dims_field, port->dims + first, port->rank - first);
  sv_wire_put_end(out, mark);
}

static void put_output(sv_text *out, const sv_signature *signature, uint32_t index) {
  const sv_port *port = &signature->outputs[index];
  const sv_config *config = signature->config;
  uint32_t first = signature->max_batch_size && port->rank ? 1 : 0;
  const char *labels = NULL;
  for (uint32_t i = 0; i < config->num_outputs; i++) {
    if (config->outputs[i].name && sv_str_is(sv_str_of(config->outputs[i].name), port->name)) {
      labels = config->outputs[i].label_filename;
    }
  }
  size_t mark = sv_wire_put_begin(out, 6);
  sv_wire_put_str(out, 1, sv_str_of(port->name));
  sv_wire_put_uint(out, 2, sv_config_type_number(port->dtype));
  sv_wire_put_ints(out, 3, port->dims + first, port->rank - first);
  sv_wire_put_str(out, 4, sv_str_of(labels));
  sv_wire_put_end(out, mark);
}

static void put_version_policy(sv_text *out, const sv_config *config) {
  size_t policy = sv_wire_put_begin(out, 3);
  size_t mark = 0;
  switch (config->versions) {
  case SV_VERSIONS_LATEST:
    mark = sv_wire_put_begin(out, 1);
    sv_wire_put_uint(out, 1, config->latest);
    break;
  case SV_VERSIONS_ALL: mark = sv_wire_put_begin(out, 2); break;
  case SV_VERSIONS_SPECIFIC:
    mark = sv_wire_put_begin(out, 3);
    sv_wire_put_ints(out, 1, (const int64_t *)config->specific, config->num_specific);
    break;
  }
  sv_wire_put_end(out, mark);
  sv_wire_put_end(out, policy);
}

static void put_policy(sv_text *out, uint32_t field, const sv_queue_policy *policy) {
  size_t mark = sv_wire_put_begin(out, field);
  sv_wire_put_uint(out, 1, policy->timeout_action == SV_TIMEOUT_DELAY);
  sv_wire_put_uint(out, 2, policy->default_timeout_us);
  sv_wire_put_uint(out, 3, policy->allow_timeout_override);
  sv_wire_put_uint(out, 4, policy->max_queue_size);
  sv_wire_put_end(out, mark);
}

static void put_batching(sv_text *out, const sv_config *config) {
  size_t batching = sv_wire_put_begin(out, 11);
  size_t sizes = config->num_preferred ? sv_wire_put_begin(out, 1) : 0;
  for (uint32_t i = 0; i < config->num_preferred; i++) {
    sv_wire_put_varint(out, config->preferred[i]);
  }
  if (sizes) {
    sv_wire_put_end(out, sizes);
  }
  sv_wire_put_uint(out, 2, config->max_delay_us);
  sv_wire_put_uint(out, 3, config->preserve_ordering);
  sv_wire_put_uint(out, 4, config->priority_levels);
  sv_wire_put_uint(out, 5, config->default_priority);
  put_policy(out, 6, &config->policy);
  for (uint32_t level = 1; level <= SV_MAX_PRIORITIES; level++) {
    if (config->has_policy[level]) {
      size_t entry = sv_wire_put_begin(out, 7);
      sv_wire_put_uint(out, 1, level);
      put_policy(out, 2, &config->policies[level]);
      sv_wire_put_end(out, entry);
    }
  }
  sv_wire_put_end(out, batching);
}

static void put_maps(sv_text *out, uint32_t field, const sv_config_map *maps, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    size_t entry = sv_wire_put_begin(out, field);
    sv_wire_put_str(out, 1, sv_str_of(maps[i].key));
    sv_wire_put_str(out, 2, sv_str_of(maps[i].value));
    sv_wire_put_end(out, entry);
  }
}

static void put_steps(sv_text *out, const sv_config *config) {
  size_t ensemble = sv_wire_put_begin(out, 15);
  for (uint32_t i = 0; i < config->num_steps; i++) {
    const sv_config_step *step = &config->steps[i];
    size_t mark = sv_wire_put_begin(out, 1);
    sv_wire_put_str(out, 1, sv_str_of(step->model_name));
    sv_wire_put_uint(out, 2, (uint64_t)step->model_version);
    put_maps(out, 3, step->inputs, step->num_inputs);
    put_maps(out, 4, step->outputs, step->num_outputs);
    sv_wire_put_end(out, mark);
  }
  sv_wire_put_end(out, ensemble);
}

static void put_instances(sv_text *out, const sv_signature *signature) {
  enum { KIND_CPU = 2 };
  size_t group = sv_wire_put_begin(out, 7);
  sv_wire_put_str(out, 1, sv_str_of(signature->model));
  sv_wire_put_uint(out, 2, signature->config->instances);
  sv_wire_put_uint(out, 4, KIND_CPU);
  sv_wire_put_end(out, group);
}

// An entry of the map of ModelParameter { 1 string_value }.
static void put_parameter(sv_text *out, sv_str key, sv_str value) {
  size_t entry = sv_wire_put_begin(out, 14);
  sv_wire_put_str(out, 1, key);
  size_t mark = sv_wire_put_begin(out, 2);
  sv_wire_put_str(out, 1, value);
  sv_wire_put_end(out, mark);
  sv_wire_put_end(out, entry);
}

static void put_parameters(sv_text *out, const sv_config *config) {
  sv_text sizes = {0};
  for (uint32_t i = 0; i < config->num_buckets; i++) {
    sv_text_addf(&sizes, "%s%u", i ? "," : "", config->buckets[i]);
  }
  if (sizes.size) {
    put_parameter(out, SV_STR("batch_sizes"), sv_text_str(&sizes));
  }
  sv_text_free(&sizes);
  if (config->weights) {
    put_parameter(out, SV_STR("weights"), sv_str_of(config->weights));
  }
}

static void put_config(sv_text *out, const sv_signature *signature) {
  const sv_config *config = signature->config;
  bool batched = signature->max_batch_size > 0;
  sv_wire_put_str(out, 1, sv_str_of(signature->model));
  sv_wire_put_str(out, 2, signature->ensemble ? SV_STR("ensemble") : SV_STR("millrace_stablehlo"));
  put_version_policy(out, config);
  sv_wire_put_uint(out, 4, signature->max_batch_size);
  for (uint32_t i = 0; i < signature->num_inputs; i++) {
    put_port(out, 5, 4, &signature->inputs[i], batched);
  }
  for (uint32_t i = 0; i < signature->num_outputs; i++) {
    put_output(out, signature, i);
  }
  if (!signature->ensemble) {
    put_instances(out, signature);
  }
  sv_wire_put_str(out, 8, sv_str_of(config->filename));
  if (config->batching || (batched && !signature->ensemble)) {
    put_batching(out, config);
  }
  put_parameters(out, config);
  if (signature->ensemble) {
    put_steps(out, config);
  } else {
    sv_wire_put_str(out, 17, SV_STR("millrace"));
  }
}

sv_error *sv_grpc_model_config(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  (void)call;
  sv_str name, number;
  sv_version *version;
  SV_TRY(sv_grpc_read_texts(message, &name, &number));
  SV_TRY(sv_repository_find(sv_grpc_of(grpc)->repository, name, number, &version));
  size_t mark = sv_wire_put_begin(out, 1);
  put_config(out, sv_version_signature(version));
  sv_wire_put_end(out, mark);
  sv_version_release(version);
  return NULL;
}
