// What can be seen to be wrong with a configuration without its model.
#include <stdlib.h>
#include <string.h>

#include "serve/config/config.h"

#define WRONG(...) sv_errorf(MILLRACE_INVALID_ARGUMENT, __VA_ARGS__)

// Names are compared each with each, and the tensors of an ensemble in each round of its steps; so many are beyond any real one.
static const uint32_t MOST_PORTS = 4096, MOST_STEPS = 256, MOST_TENSORS = 1024;

// A plain name in the folder.
static sv_error *check_file(const char *file, const char *key, const char *what) {
  if (file && (!file[0] || file[0] == '.' || strchr(file, '/') || strlen(file) > 255)) {
    return WRONG("%s: %s '%.300s': wanted the name of a file without a path", what, key, file);
  }
  return NULL;
}

static sv_error *check_ports(const sv_config_port *ports, uint32_t count, const char *kind, const char *what) {
  if (count > MOST_PORTS) {
    return WRONG("%s: %u %ss are too many", what, count, kind);
  }
  for (uint32_t i = 0; i < count; i++) {
    SV_TRY(check_file(ports[i].label_filename, "label_filename", what));
    for (uint32_t k = 0; k < i; k++) {
      if (strcmp(ports[i].name, ports[k].name) == 0) {
        return WRONG("%s: two %ss are called '%s'", what, kind, ports[i].name);
      }
    }
  }
  return NULL;
}

static sv_error *check_sizes(const sv_config *config, const uint32_t *sizes, uint32_t count, const char *key,
                             const char *what) {
  if (count && config->says_max_batch_size && sizes[count - 1] > config->max_batch_size) {
    return WRONG("%s: %s %u is larger than max_batch_size, which is %u", what, key, sizes[count - 1],
                 config->max_batch_size);
  }
  return NULL;
}

static sv_error *check_priorities(const sv_config *config, const char *what) {
  if (config->priority_levels > SV_MAX_PRIORITIES) {
    return WRONG("%s: %u priority_levels: wanted at most %d", what, config->priority_levels, SV_MAX_PRIORITIES);
  }
  if (config->priority_levels ? config->default_priority < 1 || config->default_priority > config->priority_levels
                              : config->default_priority != 0) {
    return WRONG("%s: default_priority_level %u: wanted one from 1 to priority_levels, which is %u", what,
                 config->default_priority, config->priority_levels);
  }
  for (uint32_t level = config->priority_levels + 1; level <= SV_MAX_PRIORITIES; level++) {
    if (config->has_policy[level]) {
      return WRONG("%s: a priority_queue_policy for level %u of %u", what, level, config->priority_levels);
    }
  }
  return NULL;
}

// ---- Ensembles ------------------------------------------------------------------------------------------------------

static bool is_input(const sv_config *config, const char *tensor) {
  for (uint32_t i = 0; i < config->num_inputs; i++) {
    if (strcmp(config->inputs[i].name, tensor) == 0) {
      return true;
    }
  }
  return false;
}

// Which step makes the tensor; num_steps: none.
static uint32_t maker(const sv_config *config, const char *tensor) {
  for (uint32_t s = 0; s < config->num_steps; s++) {
    for (uint32_t i = 0; i < config->steps[s].num_outputs; i++) {
      if (strcmp(config->steps[s].outputs[i].value, tensor) == 0) {
        return s;
      }
    }
  }
  return config->num_steps;
}

static sv_error *check_pairs(const sv_config_map *pairs, uint32_t count, const char *key, uint32_t step,
                             const char *what) {
  for (uint32_t i = 0; i < count; i++) {
    if (!pairs[i].key[0] || !pairs[i].value[0]) {
      return WRONG("%s: step %u: an empty name in %s", what, step, key);
    }
    for (uint32_t k = 0; k < i; k++) {
      if (strcmp(pairs[i].key, pairs[k].key) == 0) {
        return WRONG("%s: step %u: '%s' is twice in %s", what, step, pairs[i].key, key);
      }
    }
  }
  return count ? NULL : WRONG("%s: step %u has no %s", what, step, key);
}

static sv_error *check_step(const sv_config *config, uint32_t number, const char *what) {
  const sv_config_step *step = &config->steps[number];
  if (!step->model_name || !step->model_name[0]) {
    return WRONG("%s: step %u has no model_name", what, number);
  }
  if (step->model_version < 1 && step->model_version != -1) {
    return WRONG("%s: step %u: model_version %lld: wanted -1 or a version", what, number,
                 (long long)step->model_version);
  }
  SV_TRY(check_pairs(step->inputs, step->num_inputs, "input_map", number, what));
  SV_TRY(check_pairs(step->outputs, step->num_outputs, "output_map", number, what));
  for (uint32_t i = 0; i < step->num_inputs; i++) {
    if (!is_input(config, step->inputs[i].value) && maker(config, step->inputs[i].value) == config->num_steps) {
      return WRONG("%s: step %u needs the tensor '%s', which is no input and which no step makes", what, number,
                   step->inputs[i].value);
    }
  }
  for (uint32_t i = 0; i < step->num_outputs; i++) {
    const char *tensor = step->outputs[i].value;
    bool again = is_input(config, tensor) || maker(config, tensor) != number;
    for (uint32_t k = 0; k < i; k++) {
      again |= strcmp(step->outputs[k].value, tensor) == 0;
    }
    if (again) {
      return WRONG("%s: step %u makes the tensor '%s', which is there already", what, number, tensor);
    }
  }
  return NULL;
}

static bool can_run(const sv_config *config, const sv_config_step *step, const bool *done) {
  for (uint32_t i = 0; i < step->num_inputs; i++) {
    if (!is_input(config, step->inputs[i].value) && !done[maker(config, step->inputs[i].value)]) {
      return false;
    }
  }
  return true;
}

// Steps whose inputs are there run, until none can; a step that has not run then waits for itself.
static sv_error *check_rounds(const sv_config *config, const char *what) {
  bool *done = calloc(config->num_steps, sizeof *done);
  if (!done) {
    return sv_no_memory();
  }
  uint32_t left = config->num_steps;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t s = 0; s < config->num_steps; s++) {
      if (!done[s] && can_run(config, &config->steps[s], done)) {
        more = done[s] = true;
        left--;
      }
    }
  }
  uint32_t stuck = 0;
  while (left && done[stuck]) {
    stuck++;
  }
  free(done);
  return left ? WRONG("%s: step %u (%s) waits for its own outputs", what, stuck, config->steps[stuck].model_name)
              : NULL;
}

static sv_error *check_ensemble(const sv_config *config, const char *what) {
  if (!config->num_inputs || !config->num_outputs) {
    return WRONG("%s: an ensemble names its inputs and outputs", what);
  }
  uint64_t tensors = 0;
  for (uint32_t s = 0; s < config->num_steps; s++) {
    tensors += (uint64_t)config->steps[s].num_inputs + config->steps[s].num_outputs;
  }
  if (config->num_steps > MOST_STEPS || tensors > MOST_TENSORS) {
    return WRONG("%s: %u steps with %llu tensors are too many", what, config->num_steps, (unsigned long long)tensors);
  }
  for (uint32_t s = 0; s < config->num_steps; s++) {
    SV_TRY(check_step(config, s, what));
  }
  for (uint32_t i = 0; i < config->num_outputs; i++) {
    if (maker(config, config->outputs[i].name) == config->num_steps) {
      return WRONG("%s: no step makes the output '%s'", what, config->outputs[i].name);
    }
  }
  return check_rounds(config, what);
}

sv_error *sv_config_check(const sv_config *config, const char *what) {
  SV_TRY(check_ports(config->inputs, config->num_inputs, "input", what));
  SV_TRY(check_ports(config->outputs, config->num_outputs, "output", what));
  SV_TRY(check_file(config->filename, "default_model_filename", what));
  SV_TRY(check_file(config->weights, "the parameter weights", what));
  SV_TRY(check_sizes(config, config->preferred, config->num_preferred, "preferred_batch_size", what));
  SV_TRY(check_sizes(config, config->buckets, config->num_buckets, "batch_sizes", what));
  SV_TRY(check_priorities(config, what));
  if (config->versions == SV_VERSIONS_SPECIFIC && !config->num_specific) {
    return WRONG("%s: version_policy specific without versions", what);
  }
  bool says_ensemble = config->platform && strcmp(config->platform, "ensemble") == 0;
  if (config->num_steps && config->platform && config->platform[0] && !says_ensemble) {
    return WRONG("%s: steps of an ensemble, and the platform '%s'", what, config->platform);
  }
  if (says_ensemble && !config->num_steps) {
    return WRONG("%s: an ensemble without steps", what);
  }
  return config->num_steps ? check_ensemble(config, what) : NULL;
}
