// Steps as work that is submitted: for devices that take their time, or whose memory is theirs alone.
//
// Each piece of work comes after the one before it of the same strand, so that nobody waits between them.
#include <string.h>

#include "compiler/run/run.h"
#include "futures/pool.h"

static mr_status submit(mr_device *device, const mr_device_work *work, mr_future **inout_last) {
  mr_future *done = NULL;
  MR_TRY(mr_device_submit(device, work, inout_last, *inout_last ? 1 : 0, &done));
  // Whoever sets it has a reference of its own, and the device is a waiter of it.
  mr_future_release(*inout_last);
  *inout_last = done;
  return MR_OK;
}

// ---- Memory -------------------------------------------------------------------------------------------------------------

// As they are, or where the device has them: once they are there, if they are on their way.
static mr_status open_constants(mr_submission *s, plan_constants which, mr_future **inout_last) {
  const mr_executable *e = s->executable;
  if (!e->constants[which]) {
    return MR_OK;
  }
  if (!e->for_target && s->device->memories[MR_MEMORY_DEVICE].addressable) {
    return mr_storage_wrap(&s->device->memories[MR_MEMORY_UNPINNED_HOST], e->constants[which], e->constant_bytes[which],
                           true, NULL, NULL, &s->constants[which]);
  }
  mr_future *ready;
  MR_TRY(mr_loaded_constants(s->kernels, which, &s->constants[which], &ready));
  mr_storage_retain(s->constants[which]);
  if (!ready || mr_future_is_set(ready)) {
    return ready ? mr_status_retain(mr_future_status(ready)) : MR_OK;
  }
  mr_future *before = *inout_last, *both = NULL;
  MR_TRY(before ? mr_future_all((mr_future *[]){before, ready}, 2, &both) : MR_OK);
  mr_future_release(before);
  *inout_last = both ? both : mr_future_retain(ready);
  return MR_OK;
}

static mr_status open_params(mr_submission *s, launch_state *state, mr_future **inout_last) {
  const mr_executable *e = s->executable;
  for (uint32_t i = 0; i < e->num_params; i++) {
    uint32_t buffer = e->param_buffers[i];
    mr_region *region = &s->regions[buffer];
    MR_TRY(mr_execution_take_param(state, i, &region->storage));
    if (state->params[i] && e->buffers[buffer].bytes) {
      const mr_device_work copy = {.kind = MR_WORK_COPY,
                                   .name = "argument",
                                   .bytes = e->buffers[buffer].bytes,
                                   .to = *region,
                                   .from = {mr_hold_storage(state->holds[i]), 0}};
      MR_TRY(submit(s->device, &copy, inout_last));
    }
  }
  return MR_OK;
}

static void fill_regions(mr_submission *s, const launch_state *state, mr_storage *temp) {
  const mr_executable *e = s->executable;
  for (uint32_t b = 0; b < e->num_buffers; b++) {
    const plan_buffer *buffer = &e->buffers[b];
    switch (buffer->place) {
    case PLACE_TEMP: s->regions[b] = (mr_region){temp, temp ? buffer->offset : 0}; break;
    case PLACE_CONST: {
      mr_storage *constants = s->constants[buffer->index];
      s->regions[b] = (mr_region){constants, constants ? buffer->offset : 0};
      break;
    }
    case PLACE_ROW:
      s->regions[b] = (mr_region){s->constants[CONSTANTS_OWN],
                                  buffer->offset + (size_t)PLAN_ROW_BYTES * state->numbers[buffer->index]};
      break;
    case PLACE_RESULT: s->regions[b] = (mr_region){state->results[buffer->index], 0}; break;
    case PLACE_PARAM: break;  // by open_params()
    }
  }
}

mr_status mr_submission_open(mr_submission *s, launch_state *state, mr_storage **out_temp, mr_future **inout_last) {
  const mr_executable *e = s->executable;
  *out_temp = NULL;
  MR_TRY(mr_executable_loaded(state->executable, s->device, &s->kernels));
  MR_TRY(open_constants(s, CONSTANTS_OWN, inout_last));
  MR_TRY(open_constants(s, CONSTANTS_COMMON, inout_last));
  MR_TRY(open_params(s, state, inout_last));
  MR_TRY(mr_execution_take_results(state));
  if (e->temp_bytes) {
    MR_TRY(mr_storage_allocate(&s->device->memories[MR_MEMORY_DEVICE], e->temp_bytes, out_temp));
  }
  fill_regions(s, state, *out_temp);
  state->begun = true;
  return MR_OK;
}

void mr_submission_close(mr_submission *s) {
  if (s->device) {
    for (int k = 0; k < PLAN_CONSTANTS; k++) {
      mr_storage_release(s->constants[k]);
    }
  }
}

// ---- Steps --------------------------------------------------------------------------------------------------------------

static mr_status submit_kernel(const mr_submission *s, const plan_step *step, mr_device_work *work,
                               mr_future **inout_last) {
  mr_device_kernel *kernel;
  MR_TRY(mr_loaded_kernel(s->kernels, step, &kernel));
  work->kind = MR_WORK_LAUNCH;
  work->kernel = kernel;
  work->range = step->launch.range;
  work->grain = step->launch.grain;
  return submit(s->device, work, inout_last);
}

// A kernel that the device has no code for.
static mr_status call_kernel(const mr_device_work *work, void *const *addresses, mr_group *group) {
  const plan_step *step = work->argument;
  mr_native_job job = {step->function, addresses, work->stop};
  mr_parallel_for(group, step->launch.range, mr_native_job_tiles, &job, step->launch.grain, step->cost_ns);
  return MR_OK;
}

// A library's call, as a device makes it: nothing is known of contents. The regions are the step's buffers, and then its scratch.
static mr_status call_library(const mr_device_work *work, void *const *addresses, mr_group *group) {
  const plan_step *step = work->argument;
  void *scratch = step->scratch == NO_BUFFER ? NULL : addresses[step->num_buffers];
  return step->library->run(step->library, addresses, scratch, group);
}

static bool is_copy_in_place(const mr_submission *s, const plan_step *step) {
  const mr_region *to = &s->regions[step->buffers[0]], *from = &s->regions[step->buffers[1]];
  return to->storage == from->storage && to->offset == from->offset;
}

static mr_status submit_copy(const mr_submission *s, const plan_step *step, mr_device_work *work,
                             mr_future **inout_last) {
  work->kind = MR_WORK_COPY;
  work->bytes = step->bytes;
  work->to = s->regions[step->buffers[0]];
  work->from = s->regions[step->buffers[1]];
  return step->bytes == 0 || is_copy_in_place(s, step) ? MR_OK : submit(s->device, work, inout_last);
}

static mr_status submit_call(const mr_submission *s,
                             mr_status (*call)(const mr_device_work *, void *const *, mr_group *),
                             const plan_step *step, mr_device_work *work, mr_future **inout_last) {
  work->kind = MR_WORK_CALL;
  work->call = call;
  work->argument = step;
  return submit(s->device, work, inout_last);
}

bool mr_submission_has_work(const mr_submission *s, const plan_step *step) {
  switch (step->kind) {
  case STEP_KERNEL: return true;
  case STEP_COPY: return step->bytes && !is_copy_in_place(s, step);
  case STEP_LIBRARY: return !step->library->start && !step->library->meets && !step->library->calls_host;
  case STEP_CASE: return s->regions[step->buffers[0]].storage != NULL;  // what selects the branch is read
  case STEP_WHILE: break;
  }
  return false;
}

mr_status mr_submission_step(const mr_submission *s, const plan_step *step, bool followed, mr_node *last_of,
                             mr_future **inout_last) {
  enum { ON_STACK = 64 };
  mr_region few[ON_STACK];
  uint32_t count = step->num_buffers + 1;
  mr_region *regions = count <= ON_STACK ? few : mr_struct_alloc(count * sizeof *regions);
  if (!regions) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    regions[i] = s->regions[step->buffers[i]];
    regions[i].offset = mr_size_add(regions[i].offset, step->shifts ? step->shifts[i] : 0);
  }
  mr_device_work work = {.name = step->name,
                         .op = step->trace,
                         .run = s->run,
                         .cost_ns = step->cost_ns,
                         .regions = regions,
                         .num_regions = step->num_buffers,
                         .stop = s->stop,
                         .followed = followed};
  if (last_of) {
    mr_execution_hears(last_of, &work);
  }
  mr_status status;
  if (step->kind == STEP_COPY) {
    status = submit_copy(s, step, &work, inout_last);
  } else if (step->kind == STEP_KERNEL) {
    bool on_host = s->executable->for_target && !step->unit;
    status = on_host ? submit_call(s, call_kernel, step, &work, inout_last) : submit_kernel(s, step, &work, inout_last);
  } else {
    if (step->scratch != NO_BUFFER) {
      regions[work.num_regions++] = s->regions[step->scratch];
    }
    status = submit_call(s, call_library, step, &work, inout_last);
  }
  if (regions != few) {
    mr_struct_free(regions, count * sizeof *regions);
  }
  return status;
}

mr_status mr_submission_read(const mr_submission *s, uint32_t buffer, void *to, size_t bytes, mr_future **inout_last) {
  const mr_device_work work = {
      .kind = MR_WORK_COPY_OUT, .name = "read", .bytes = bytes, .from = s->regions[buffer], .host_to = to};
  return bytes && work.from.storage ? submit(s->device, &work, inout_last) : MR_OK;
}

mr_status mr_submission_write(const mr_submission *s, uint32_t buffer, const void *from, size_t bytes,
                              mr_future **inout_last) {
  const mr_device_work work = {
      .kind = MR_WORK_COPY_IN, .name = "write", .bytes = bytes, .to = s->regions[buffer], .host_from = from};
  return bytes && work.to.storage ? submit(s->device, &work, inout_last) : MR_OK;
}
