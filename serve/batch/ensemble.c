// Ensembles: steps are nodes, tensors are what they wait for. A step goes to its model's own queue as soon as all its inputs are there; what steps hand
// on stays in the memory of the batch that made it.
#include <stdlib.h>
#include <string.h>

#include "serve/batch/internal.h"

#define NOWHERE UINT32_MAX

// Where a tensor comes from: an input of the ensemble (step is NOWHERE), or an output of a step.
typedef struct source {
  uint32_t step, index;
} source;

typedef struct step_state {
  struct run_state *run;
  sv_version *version;  // retained
  sv_request *request;
  source *sources;   // by the version's inputs
  uint32_t missing;  // steps that it waits for
  bool is_submitted, is_done;
} step_state;

typedef struct run_state {
  sv_member *owner;
  step_state *steps;
  source *outputs;  // by the ensemble's outputs
  uint32_t num_steps, under_way;
  sv_error *error;  // the first
  bool is_starting;
} run_state;

static void free_run(run_state *run) {
  for (uint32_t i = 0; run->steps && i < run->num_steps; i++) {
    sv_request_release(run->steps[i].request);
    sv_version_release(run->steps[i].version);
    free(run->steps[i].sources);
  }
  sv_error_free(run->error);
  free(run->steps);
  free(run->outputs);
  free(run);
}

// ---- Who waits for what ---------------------------------------------------------------------------------------------

static uint32_t port_index(const sv_port *ports, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(ports[i].name, name) == 0) {
      return i;
    }
  }
  return NOWHERE;
}

// The model's name for the step's tensor, by the map of the configuration.
static const char *tensor_of(const sv_config_map *map, uint32_t count, const char *key) {
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(map[i].key, key) == 0) {
      return map[i].value;
    }
  }
  return NULL;
}

static const char *key_of(const sv_config_map *map, uint32_t count, const char *tensor) {
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(map[i].value, tensor) == 0) {
      return map[i].key;
    }
  }
  return NULL;
}

static sv_error *find_source(const run_state *run, const char *tensor, source *out) {
  const sv_version *ensemble = run->owner->request.version;
  const sv_config *config = ensemble->config;
  *out = (source){NOWHERE, port_index(ensemble->inputs, ensemble->signature.num_inputs, tensor)};
  if (out->index != NOWHERE) {
    return NULL;
  }
  for (uint32_t i = 0; i < config->num_steps; i++) {
    const char *key = key_of(config->steps[i].outputs, config->steps[i].num_outputs, tensor);
    if (!key) {
      continue;
    }
    const sv_signature *made_by = &run->steps[i].version->signature;
    *out = (source){i, port_index(made_by->outputs, made_by->num_outputs, key)};
    if (out->index == NOWHERE) {
      return sv_errorf(MILLRACE_FAILED_PRECONDITION, "ensemble '%s': model '%s' has no output '%s'",
                       ensemble->signature.model, made_by->model, key);
    }
    return NULL;
  }
  return sv_errorf(MILLRACE_FAILED_PRECONDITION, "ensemble '%s': no step makes tensor '%s'", ensemble->signature.model,
                   tensor);
}

static sv_error *connect(run_state *run, uint32_t index) {
  step_state *step = &run->steps[index];
  const sv_config_step *wanted = &run->owner->request.version->config->steps[index];
  const sv_signature *s = &step->version->signature;
  step->sources = calloc(s->num_inputs + 1, sizeof *step->sources);
  if (!step->sources) {
    return sv_no_memory();
  }
  for (uint32_t i = 0; i < s->num_inputs; i++) {
    const char *tensor = tensor_of(wanted->inputs, wanted->num_inputs, s->inputs[i].name);
    if (!tensor) {
      return sv_errorf(MILLRACE_FAILED_PRECONDITION, "ensemble '%s' gives model '%s' no input '%s'",
                       run->owner->request.version->signature.model, s->model, s->inputs[i].name);
    }
    SV_TRY(find_source(run, tensor, &step->sources[i]));
    step->missing += step->sources[i].step != NOWHERE;
  }
  return NULL;
}

static void step_done(sv_request *request);

static sv_error *make_steps(run_state *run) {
  const sv_version *ensemble = run->owner->request.version;
  const sv_config *config = ensemble->config;
  for (uint32_t i = 0; i < config->num_steps; i++) {
    step_state *step = &run->steps[i];
    step->run = run;
    run->num_steps++;
    SV_TRY(ensemble->find(ensemble->find_self, sv_str_of(config->steps[i].model_name), config->steps[i].model_version,
                          &step->version));
    SV_TRY(sv_request_create(run->owner->loop, &step->request));
    SV_TRY(sv_request_prepare(step->request, step->version));
    step->request->done = step_done;
    step->request->argument = step;
  }
  for (uint32_t i = 0; i < config->num_steps; i++) {
    SV_TRY(connect(run, i));
  }
  for (uint32_t i = 0; i < ensemble->signature.num_outputs; i++) {
    SV_TRY(find_source(run, ensemble->outputs[i].name, &run->outputs[i]));
  }
  return NULL;
}

static sv_error *create(sv_member *owner, run_state **out_run) {
  const sv_version *ensemble = owner->request.version;
  run_state *made = calloc(1, sizeof *made);
  *out_run = made;
  if (!made) {
    return sv_no_memory();
  }
  made->owner = owner;
  made->steps = calloc(ensemble->config->num_steps + 1, sizeof *made->steps);
  made->outputs = calloc(ensemble->signature.num_outputs + 1, sizeof *made->outputs);
  return made->steps && made->outputs ? make_steps(made) : sv_no_memory();
}

// ---- Running --------------------------------------------------------------------------------------------------------

static const sv_tensor *tensor_at(const run_state *run, source from) {
  return from.step == NOWHERE ? &run->owner->request.inputs[from.index]
                              : &run->steps[from.step].request->outputs[from.index];
}

// What holds a tensor's memory beyond the run; NULL: nothing does.
static sv_block *block_at(const run_state *run, source from) {
  if (from.step == NOWHERE) {
    return run->owner->request.inputs_block;
  }
  const sv_batch *batch = sv_member_of(run->steps[from.step].request)->batch;
  return batch ? batch->block : NULL;
}

static void submit(run_state *run, step_state *step) {
  const sv_request *owner = &run->owner->request;
  const uint32_t count = step->version->signature.num_inputs;
  sv_block *block = count ? block_at(run, step->sources[0]) : NULL;
  for (uint32_t i = 0; i < count; i++) {
    step->request->inputs[i] = *tensor_at(run, step->sources[i]);
    block = block_at(run, step->sources[i]) == block ? block : NULL;
  }
  step->request->inputs_block = block ? sv_block_retain(block) : NULL;
  step->request->priority = owner->priority;
  step->request->timeout_ns = owner->timeout_ns;
  step->request->deadline_ns = owner->deadline_ns;
  step->is_submitted = true;
  run->under_way++;
  sv_request_submit(step->request);
}

static void finish(run_state *run) {
  sv_member *owner = run->owner;
  sv_version *ensemble = sv_version_retain(owner->request.version);
  uint64_t ns = sv_now_ns() - owner->submit_ns, queue_ns = 0, compute_ns = 0;
  for (uint32_t i = 0; i < run->num_steps; i++) {
    queue_ns += run->steps[i].request ? run->steps[i].request->queue_ns : 0;
    compute_ns += run->steps[i].request ? run->steps[i].request->compute_ns : 0;
  }
  sv_error *error = run->error;
  run->error = NULL;
  pthread_mutex_lock(&ensemble->lock);
  ensemble->running_here--;
  if (error) {
    sv_statistics_add_failure(&ensemble->statistics, sv_error_code(error), ns);
  } else {
    sv_statistics_add_ensemble(ensemble, owner->rows, ns, queue_ns, compute_ns);
  }
  pthread_mutex_unlock(&ensemble->lock);
  for (uint32_t i = 0; !error && i < ensemble->signature.num_outputs; i++) {
    owner->request.outputs[i] = *tensor_at(run, run->outputs[i]);
  }
  owner->request.queue_ns = queue_ns;
  owner->request.compute_ns = compute_ns;
  owner->request.batch_rows = owner->rows ? owner->rows : 1;
  owner->state = SV_REQUEST_DONE;
  sv_member_done(owner, error, true);
  sv_version_look_drained(ensemble);
  sv_version_release(ensemble);
}

// Submits what has all its inputs; when nothing is under way any more, and nothing comes, the run is over.
static void go_on(run_state *run) {
  if (run->is_starting) {
    return;  // the loop below looks again
  }
  run->is_starting = true;
  bool again = true;
  while (again && !run->error) {
    again = false;
    for (uint32_t i = 0; i < run->num_steps && !run->error; i++) {
      step_state *step = &run->steps[i];
      if (!step->is_submitted && !step->missing) {
        submit(run, step);
        again = true;
      }
    }
  }
  run->is_starting = false;
  if (!run->under_way) {
    finish(run);
  }
}

static void cancel_others(run_state *run) {
  for (uint32_t i = 0; i < run->num_steps; i++) {
    if (run->steps[i].is_submitted && !run->steps[i].is_done) {
      sv_request_cancel(run->steps[i].request);
    }
  }
}

static void step_done(sv_request *request) {
  step_state *step = request->argument;
  run_state *run = step->run;
  step->is_done = true;
  run->under_way--;
  if (request->error) {
    if (!run->error) {
      run->error = sv_errorf(sv_error_code(request->error), "ensemble '%s', step '%s': %s",
                             run->owner->request.version->signature.model, step->version->signature.model,
                             sv_error_message(request->error));
      cancel_others(run);
    }
  } else {
    const uint32_t index = (uint32_t)(step - run->steps);
    for (uint32_t i = 0; i < run->num_steps; i++) {
      for (uint32_t k = 0; k < run->steps[i].version->signature.num_inputs; k++) {
        run->steps[i].missing -= run->steps[i].sources[k].step == index;
      }
    }
  }
  go_on(run);
}

void sv_ensemble_submit(sv_member *member) {
  sv_version *ensemble = member->request.version;
  pthread_mutex_lock(&ensemble->lock);
  ensemble->running_here++;
  pthread_mutex_unlock(&ensemble->lock);
  run_state *made;
  sv_error *error = create(member, &made);
  member->ensemble = made;
  if (made) {
    made->error = error;
    go_on(made);
    return;
  }
  pthread_mutex_lock(&ensemble->lock);
  ensemble->running_here--;
  sv_statistics_add_failure(&ensemble->statistics, sv_error_code(error), 0);
  pthread_mutex_unlock(&ensemble->lock);
  sv_version_look_drained(ensemble);
  member->state = SV_REQUEST_DONE;
  sv_member_done(member, error, true);
}

void sv_ensemble_cancel(sv_member *member) {
  run_state *run = member->ensemble;
  if (!run->error && run->under_way) {
    run->error = sv_errorf(MILLRACE_CANCELLED, "the client is gone");
    cancel_others(run);
  }
}

void sv_ensemble_reset(sv_member *member) {
  free_run(member->ensemble);
  member->ensemble = NULL;
}
