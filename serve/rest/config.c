// The model configuration that is in force, as Triton's ModelConfig is in JSON: what the file says, and what was found where it says nothing.
#include "serve/rest/answers.h"

static void put_strings(sv_text *out, const char *name, const sv_config_map *map, uint32_t count) {
  sv_rest_put_name(out, name);
  sv_text_putc(out, '{');
  for (uint32_t i = 0; i < count; i++) {
    sv_text_puts(out, i ? "," : "");
    sv_json_put_string(out, sv_str_of(map[i].key));
    sv_text_putc(out, ':');
    sv_json_put_string(out, sv_str_of(map[i].value));
  }
  sv_text_putc(out, '}');
}

static void put_version_policy(sv_text *out, const sv_config *config) {
  sv_rest_put_name(out, "version_policy");
  if (config->versions == SV_VERSIONS_ALL) {
    sv_text_puts(out, "{\"all\":{}}");
  } else if (config->versions == SV_VERSIONS_LATEST) {
    sv_text_addf(out, "{\"latest\":{\"num_versions\":%u}}", config->latest);
  } else {
    sv_text_puts(out, "{\"specific\":{\"versions\":[");
    for (uint32_t i = 0; i < config->num_specific; i++) {
      sv_text_addf(out, "%s%llu", i ? "," : "", (unsigned long long)config->specific[i]);
    }
    sv_text_puts(out, "]}}");
  }
}

// ---- Ports ----------------------------------------------------------------------------------------------------------

static void put_port(sv_text *out, const sv_port *port, bool batched) {
  const char *type = sv_config_type_name(port->dtype);
  uint32_t skipped = batched && port->rank > 0;  // the batch is not among dims
  sv_rest_put_text(out, "name", sv_str_of(port->name));
  sv_rest_put_text(out, "data_type", sv_str_of(type ? type : "TYPE_INVALID"));
  sv_rest_put_name(out, "dims");
  sv_text_add_shape(out, port->dims + skipped, port->rank - skipped);
}

static void put_inputs(sv_text *out, const sv_signature *signature) {
  sv_rest_put_name(out, "input");
  sv_text_putc(out, '[');
  for (uint32_t i = 0; i < signature->num_inputs; i++) {
    sv_text_puts(out, i ? ",{" : "{");
    put_port(out, &signature->inputs[i], signature->max_batch_size > 0);
    sv_rest_put_text(out, "format", SV_STR("FORMAT_NONE"));
    sv_rest_put_bool(out, "is_shape_tensor", false);
    sv_rest_put_bool(out, "allow_ragged_batch", false);
    sv_rest_put_bool(out, "optional", false);
    sv_text_putc(out, '}');
  }
  sv_text_putc(out, ']');
}

static sv_str label_filename(const sv_config *config, const char *output) {
  for (uint32_t i = 0; i < config->num_outputs; i++) {
    if (config->outputs[i].name && sv_str_is(sv_str_of(output), config->outputs[i].name)) {
      return sv_str_of(config->outputs[i].label_filename);
    }
  }
  return (sv_str){0};
}

static void put_outputs(sv_text *out, const sv_signature *signature) {
  sv_rest_put_name(out, "output");
  sv_text_putc(out, '[');
  for (uint32_t i = 0; i < signature->num_outputs; i++) {
    sv_text_puts(out, i ? ",{" : "{");
    put_port(out, &signature->outputs[i], signature->max_batch_size > 0);
    sv_rest_put_text(out, "label_filename", label_filename(signature->config, signature->outputs[i].name));
    sv_rest_put_bool(out, "is_shape_tensor", false);
    sv_text_putc(out, '}');
  }
  sv_text_putc(out, ']');
}

// ---- Batching, ensembles --------------------------------------------------------------------------------------------

static void put_policy(sv_text *out, const sv_queue_policy *policy) {
  sv_text_putc(out, '{');
  sv_rest_put_text(out, "timeout_action",
                   policy->timeout_action == SV_TIMEOUT_DELAY ? SV_STR("DELAY") : SV_STR("REJECT"));
  sv_rest_put_number(out, "default_timeout_microseconds", policy->default_timeout_us);
  sv_rest_put_bool(out, "allow_timeout_override", policy->allow_timeout_override);
  sv_rest_put_number(out, "max_queue_size", policy->max_queue_size);
  sv_text_putc(out, '}');
}

static void put_batching(sv_text *out, const sv_config *config) {
  sv_rest_put_name(out, "dynamic_batching");
  sv_text_putc(out, '{');
  sv_rest_put_name(out, "preferred_batch_size");
  sv_text_putc(out, '[');
  for (uint32_t i = 0; i < config->num_preferred; i++) {
    sv_text_addf(out, "%s%u", i ? "," : "", config->preferred[i]);
  }
  sv_text_putc(out, ']');
  sv_rest_put_number(out, "max_queue_delay_microseconds", config->max_delay_us);
  sv_rest_put_bool(out, "preserve_ordering", config->preserve_ordering);
  sv_rest_put_number(out, "priority_levels", config->priority_levels);
  sv_rest_put_number(out, "default_priority_level", config->default_priority);
  sv_rest_put_name(out, "default_queue_policy");
  put_policy(out, &config->policy);
  sv_rest_put_name(out, "priority_queue_policy");
  sv_text_putc(out, '{');
  for (uint32_t level = 1; level <= SV_MAX_PRIORITIES; level++) {
    if (config->has_policy[level]) {
      sv_text_addf(out, "%s\"%u\":", out->data && out->data[out->size - 1] == '{' ? "" : ",", level);
      put_policy(out, &config->policies[level]);
    }
  }
  sv_text_puts(out, "}}");
}

static void put_steps(sv_text *out, const sv_config *config) {
  sv_rest_put_name(out, "ensemble_scheduling");
  sv_text_puts(out, "{\"step\":[");
  for (uint32_t i = 0; i < config->num_steps; i++) {
    const sv_config_step *step = &config->steps[i];
    sv_text_puts(out, i ? ",{" : "{");
    sv_rest_put_text(out, "model_name", sv_str_of(step->model_name));
    sv_rest_put_name(out, "model_version");
    sv_text_add_int(out, step->model_version);
    put_strings(out, "input_map", step->inputs, step->num_inputs);
    put_strings(out, "output_map", step->outputs, step->num_outputs);
    sv_text_putc(out, '}');
  }
  sv_text_puts(out, "]}");
}

static void put_instances(sv_text *out, const sv_signature *signature) {
  sv_rest_put_name(out, "instance_group");
  sv_text_puts(out, "[{");
  sv_rest_put_text(out, "name", sv_str_of(signature->model));
  sv_rest_put_text(out, "kind", SV_STR("KIND_CPU"));
  sv_rest_put_number(out, "count", signature->config->instances);
  sv_text_puts(out, "}]");
}

static void put_parameters(sv_text *out, const sv_config *config) {
  sv_rest_put_name(out, "parameters");
  sv_text_putc(out, '{');
  if (config->num_buckets) {
    sv_rest_put_name(out, "batch_sizes");
    sv_text_puts(out, "{\"string_value\":\"");
    for (uint32_t i = 0; i < config->num_buckets; i++) {
      sv_text_addf(out, "%s%u", i ? "," : "", config->buckets[i]);
    }
    sv_text_puts(out, "\"}");
  }
  if (config->weights) {
    sv_rest_put_name(out, "weights");
    sv_text_putc(out, '{');
    sv_rest_put_text(out, "string_value", sv_str_of(config->weights));
    sv_text_putc(out, '}');
  }
  sv_text_putc(out, '}');
}

static void put_config(sv_text *out, const sv_signature *signature) {
  const sv_config *config = signature->config;
  sv_text_putc(out, '{');
  sv_rest_put_text(out, "name", sv_str_of(signature->model));
  sv_rest_put_text(out, "platform", signature->ensemble ? SV_STR("ensemble") : SV_STR("millrace_stablehlo"));
  sv_rest_put_text(out, "backend", signature->ensemble ? (sv_str){0} : SV_STR("millrace"));
  put_version_policy(out, config);
  sv_rest_put_number(out, "max_batch_size", signature->max_batch_size);
  put_inputs(out, signature);
  put_outputs(out, signature);
  put_instances(out, signature);
  sv_rest_put_text(out, "default_model_filename", sv_str_of(config->filename));
  if (config->batching) {
    put_batching(out, config);
  }
  if (signature->ensemble) {
    put_steps(out, config);
  }
  put_parameters(out, config);
  sv_rest_put_name(out, "model_warmup");
  sv_text_puts(out, "[]}");
}

void sv_rest_config(const sv_rest_call *call) {
  sv_version *version;
  sv_error *error = sv_repository_find(call->service->repository, call->route.model, call->route.version, &version);
  if (error) {
    sv_exchange_fail(call->exchange, error);
    return;
  }
  put_config(sv_exchange_text(call->exchange), sv_version_signature(version));
  sv_version_release(version);
  sv_rest_answer_json(call->exchange);
}
