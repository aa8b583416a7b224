// An executable's life, and what is asked of it.
#include <string.h>

#include "compiler/plan/plan.h"
#include "core/census.h"

mr_status mr_executable_create(mr_executable **out_executable) {
  mr_executable *e = mr_alloc_zeroed(1, sizeof *e);
  *out_executable = e;
  if (!e) {
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_executables, 1);
  atomic_init(&e->refs, 1);
  mr_arena_init(&e->arena, 0);
  return MR_OK;
}

mr_executable *mr_executable_retain(mr_executable *e) {
  // relaxed: the caller has a reference.
  atomic_fetch_add_explicit(&e->refs, 1, memory_order_relaxed);
  return e;
}

static void release_sequence(plan_sequence *sequence) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    plan_step *step = &sequence->steps[i];
    mr_launch_deinit(&step->launch);
    mr_kernel_release(step->kernel);
    mr_library_call_destroy(step->library);
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      release_sequence(&step->sequences[r]);
    }
  }
  if (sequence->graph) {
    mr_plan_release(sequence->graph->frozen);
  }
}

static void release_loaded(mr_executable *e) {
  // relaxed: nobody else has the executable any more.
  plan_loaded *next, *loaded = atomic_load_explicit(&e->loaded, memory_order_relaxed);
  for (; loaded; loaded = next) {
    next = loaded->next;
    loaded->destroy(loaded);
  }
}

void mr_executable_release(mr_executable *e) {
  // acq_rel: the last user's work happens before everything goes.
  if (!e || atomic_fetch_sub_explicit(&e->refs, 1, memory_order_acq_rel) != 1) {
    return;
  }
  mr_census_add(MR_CENSUS_executables, -1);
  release_loaded(e);
  if (e->host) {
    e->drop_host(e->host);
  }
  release_sequence(&e->main);
  mr_free(e->constants[CONSTANTS_OWN]);
  mr_planner_common_release(e->common);
  mr_text_deinit(&e->text);
  mr_trace_program_release(e->described);
  mr_arena_deinit(&e->arena);
  mr_free(e);
  mr_codegen_tidy_later();
}

void mr_executable_set_host(mr_executable *e, void *take_host, void (*drop)(void *host)) {
  e->host = take_host;
  e->drop_host = drop;
}

void *mr_executable_host(const mr_executable *e) { return e->host; }

mr_str mr_executable_name(const mr_executable *e) { return e->name; }
size_t mr_executable_param_count(const mr_executable *e) { return e->num_params; }
const mr_port *mr_executable_param(const mr_executable *e, size_t i) { return &e->params[i]; }
size_t mr_executable_result_count(const mr_executable *e) { return e->num_results; }
const mr_port *mr_executable_result(const mr_executable *e, size_t i) { return &e->results[i]; }
const bool *mr_executable_donates(const mr_executable *e) { return e->donates; }

void mr_executable_donates_except(const mr_executable *e, const int64_t *except, size_t count, bool *out_donates) {
  memcpy(out_donates, e->donates, e->num_params * sizeof *out_donates);
  for (size_t n = 0; n < count; n++) {
    if (except[n] >= 0 && except[n] < e->num_params) {
      out_donates[except[n]] = false;
    }
  }
}

uint32_t mr_executable_row_count(const mr_executable *executable) {
  return executable->num_replicas * executable->num_partitions;
}

uint32_t mr_executable_partition_count(const mr_executable *executable) { return executable->num_partitions; }

const char *mr_executable_fingerprint(const mr_executable *e) { return e->fingerprint; }
mr_executable_stats mr_executable_stats_of(const mr_executable *e) {
  mr_executable_stats stats = e->stats;
  stats.unbounded = e->unbounded;
  return stats;
}

const char *mr_executable_meeting(const mr_executable *executable) {
  if (executable->num_places) {
    return mr_collective_name(executable->places[0].call);
  }
  return executable->num_channels ? mr_collective_name(executable->channels[0]) : NULL;
}

bool mr_executable_calls_host(const mr_executable *executable) { return executable->main.calls_host; }

static bool sequence_calls(const plan_sequence *sequence, mr_str target) {
  bool found = false;
  for (uint32_t i = 0; i < sequence->count && !found; i++) {
    const plan_step *step = &sequence->steps[i];
    const mr_library_call *call = step->kind == STEP_LIBRARY ? step->library : NULL;
    found = call && call->calls_host && call->name && mr_str_is(target, call->name);
    for (uint32_t r = 0; r < step->num_sequences && !found; r++) {
      found = sequence_calls(&step->sequences[r], target);
    }
  }
  return found;
}

bool mr_executable_calls_target(const mr_executable *executable, mr_str target) {
  return executable->main.calls_host && sequence_calls(&executable->main, target);
}
