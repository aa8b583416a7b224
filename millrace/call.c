// Executions: options, where results go, and where the end is told.
#include <string.h>

#include "millrace/completions.h"
#include "millrace/internal.h"

// ---- Stopping -----------------------------------------------------------------------------------------------------------

millrace_error *millrace_stop_source_create(millrace_stop_source **out_source) { return mr_stopper_create(out_source); }
void millrace_stop_source_stop(millrace_stop_source *source, millrace_error *take_error) {
  mr_stopper_stop(source, take_error);
}
void millrace_stop_source_release(millrace_stop_source *source) { mr_stopper_release(source); }

// ---- Options ------------------------------------------------------------------------------------------------------------

// Options of an older caller end earlier.
static mr_status read_options(const millrace_execute_options *options, millrace_execute_options *out) {
  *out = (millrace_execute_options){.struct_size = sizeof *out};
  if (!options) {
    return MR_OK;
  }
  const size_t first_version = offsetof(millrace_execute_options, priority);
  if (options->struct_size < first_version) {
    return mr_error(MR_INVALID_ARGUMENT, "execute options: struct_size is %zu, wanted at least %zu",
                    options->struct_size, first_version);
  }
  memcpy(out, options, MR_MIN(options->struct_size, sizeof *out));
  if ((unsigned)out->when_full > MILLRACE_WHEN_FULL_FAIL) {
    return mr_error(MR_INVALID_ARGUMENT, "execute options: when_full is %d, wanted 0 or 1", (int)out->when_full);
  }
  return MR_OK;
}

static mr_execute_options engine_options(const millrace_execute_options *all) {
  uint64_t now = all->timeout_ns ? mr_now_ns() : 0;
  return (mr_execute_options){.stop = all->stop,
                              .deadline_ns = all->timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + all->timeout_ns,
                              .priority = (int8_t)MR_MAX(-100, MR_MIN(100, all->priority)),
                              .elsewhere = all->elsewhere,
                              .unheld = all->when_full == MILLRACE_WHEN_FULL_FAIL};
}

// ---- Results in the caller's memory -----------------------------------------------------------------------------------------

// One call as it was given, with how the engine is to do it.
typedef struct call {
  millrace_program *program;
  millrace_device *device;
  millrace_buffer *const *arguments;
  size_t num_arguments, num_results;
  mr_execute_options how;
  millrace_buffer **results;
} call;

static inline mr_status start(const call *c, mr_future **out_done) {
  return mr_execute(c->program, c->device, &c->how, c->arguments, c->num_arguments, c->results, out_done);
}

static mr_status check_destinations(const call *c, const millrace_execute_options *all) {
  if (all->num_destinations != c->num_results) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu destinations for %zu results", all->num_destinations, c->num_results);
  }
  for (size_t k = 0; k < c->num_results; k++) {
    size_t wanted = mr_executable_result(c->program, k)->bytes;
    if (all->destinations[k].data && all->destinations[k].size != wanted) {
      return mr_error(MR_INVALID_ARGUMENT, "destination %zu has %zu bytes, the result has %zu", k,
                      all->destinations[k].size, wanted);
    }
  }
  return MR_OK;
}

// Who waits for an execution that is stopped is told before it has ended: then memory of the caller's is written by nobody but a copy that comes
// after it.
static bool is_written_in_place(const call *c, size_t k, const void *data) {
  return c->device->direct && !c->how.stop && !c->how.deadline_ns && ((uintptr_t)data & 63) == 0 &&
         mr_executable_result(c->program, k)->memory == MR_MEMORY_DEVICE &&
         mr_executable_result_has_block(c->program, k);
}

static mr_status wrap_destinations(const call *c, const millrace_destination *to, mr_storage **out_places) {
  for (size_t k = 0; k < c->num_results; k++) {
    if (to[k].data && is_written_in_place(c, k, to[k].data)) {
      MR_TRY(mr_storage_wrap(&c->device->memories[MR_MEMORY_DEVICE], to[k].data, to[k].size, false, NULL, NULL,
                             &out_places[k]));
    }
  }
  return MR_OK;
}

// Copies of the results that were not written where they are to be, and the end of all: *inout_done. `ends`: room for one more than there are
// results.
static mr_status copy_results(const call *c, const millrace_destination *to, mr_storage *const *places,
                              mr_future **ends, mr_future **inout_done) {
  size_t count = 0;
  mr_status status = MR_OK;
  for (size_t k = 0; !status && k < c->num_results; k++) {
    if (to[k].data && !places[k]) {
      status = mr_buffer_to_host(c->results[k], to[k].data, NULL, &ends[count]);
      count += !status && ends[count];
    }
  }
  if (!status && count) {
    mr_future *all = NULL;
    size_t before = count;
    if (*inout_done) {
      ends[count++] = *inout_done;
    }
    status = mr_future_all(ends, count, &all);
    count = before;
    if (!status) {
      mr_future_release(*inout_done);
      *inout_done = all;
    }
  }
  // Each is kept by whoever sets it. Without memory to say when all are over, they are waited for.
  for (size_t i = 0; i < count; i++) {
    if (status) {
      mr_future_wait(ends[i]);
    }
    mr_future_release(ends[i]);
  }
  if (status && *inout_done) {
    mr_future_wait(*inout_done);
    mr_future_release(*inout_done);
    *inout_done = NULL;
  }
  return status;
}

static mr_status start_into(call *c, const millrace_destination *to, void **room, mr_future **out_done) {
  mr_storage **places = (mr_storage **)room;
  c->how.places = places;
  mr_status status = wrap_destinations(c, to, places);
  status = status ? status : start(c, out_done);
  if (!status) {
    status = copy_results(c, to, places, (mr_future **)room + c->num_results, out_done);
    for (size_t k = 0; k < c->num_results; k++) {
      if (to[k].data || status) {
        mr_buffer_release(c->results[k]);
        c->results[k] = NULL;
      }
    }
  }
  for (size_t k = 0; k < c->num_results; k++) {
    mr_storage_release(places[k]);
  }
  return status;
}

static mr_status execute_into(call *c, const millrace_execute_options *all, mr_future **out_done) {
  enum { ON_STACK = 33 };
  MR_TRY(check_destinations(c, all));
  const size_t words = 2 * c->num_results + 1;
  void *small[ON_STACK], **room = words <= ON_STACK ? small : mr_alloc(words * sizeof *room);
  if (!room) {
    return MR_NO_MEMORY();
  }
  memset(room, 0, words * sizeof *room);
  mr_status status = start_into(c, all->destinations, room, out_done);
  if (room != small) {
    mr_free(room);
  }
  return status;
}

// ---- One device -------------------------------------------------------------------------------------------------------------

static mr_status no_room(const mr_device *device) {
  mr_admission_counts counts = mr_admission_count(&device->admission);
  return mr_error(
      MR_RESOURCE_EXHAUSTED,
      "device %d has %u executions with %lld bytes of arguments under way, more than its context's options allow",
      device->id, counts.calls, (long long)counts.bytes);
}

static mr_status execute_as(call *c, const millrace_execute_options *all, mr_future **out_done) {
  if (all->when_full == MILLRACE_WHEN_FULL_FAIL && mr_admission_is_full(&c->device->admission)) {
    return no_room(c->device);
  }
  c->how = engine_options(all);
  return all->destinations ? execute_into(c, all, out_done) : start(c, out_done);
}

static mr_status execute_told(call *c, const millrace_execute_options *all, mr_future **out_done) {
  mr_completion *told;
  MR_TRY(mr_completion_make(all->completions, all->tag, &told));
  mr_status status = execute_as(c, all, out_done);
  if (status) {
    mr_completion_drop(told);
    return status;
  }
  mr_completion_follow(told, *out_done);
  return MR_OK;
}

static mr_status execute(call *c, const millrace_execute_options *options, mr_future **out_done) {
  size_t expected = mr_executable_result_count(c->program);
  if (c->num_results != expected) {
    return mr_error(MR_INVALID_ARGUMENT, "room for %zu results, wanted %zu", c->num_results, expected);
  }
  if (!options) {
    return mr_execute(c->program, c->device, NULL, c->arguments, c->num_arguments, c->results, out_done);
  }
  millrace_execute_options all;
  MR_TRY(read_options(options, &all));
  return all.completions ? execute_told(c, &all, out_done) : execute_as(c, &all, out_done);
}

millrace_error *millrace_execute_with(millrace_program *program, millrace_device *device,
                                      millrace_buffer *const *arguments, size_t num_arguments,
                                      const millrace_execute_options *options, millrace_buffer **out_results,
                                      size_t num_results, millrace_event **out_event) {
  if (out_event) {
    *out_event = NULL;
  }
  call c = {.program = program,
            .device = device,
            .arguments = arguments,
            .num_arguments = num_arguments,
            .num_results = num_results,
            .results = out_results};
  mr_future *done = NULL;
  mr_status status = execute(&c, options, &done);
  if (out_event) {
    *out_event = done;
  } else {
    mr_future_release(done);
  }
  return status;
}

millrace_error *millrace_execute(millrace_program *program, millrace_device *device, millrace_buffer *const *arguments,
                                 size_t num_arguments, millrace_buffer **out_results, size_t num_results,
                                 millrace_event **out_event) {
  return millrace_execute_with(program, device, arguments, num_arguments, NULL, out_results, num_results, out_event);
}

millrace_error *millrace_execute_many(const millrace_call *calls, size_t num_calls, size_t *out_queued) {
  for (*out_queued = 0; *out_queued < num_calls; (*out_queued)++) {
    const millrace_call *c = &calls[*out_queued];
    MR_TRY(millrace_execute_with(c->program, c->device, c->arguments, c->num_arguments, c->options, c->results,
                                 c->num_results, c->out_event));
  }
  return MR_OK;
}

// ---- Several devices ----------------------------------------------------------------------------------------------------------

static mr_status execute_rows(millrace_program *program, mr_row *rows, size_t num_rows, size_t num_arguments,
                              size_t num_results) {
  size_t results = millrace_program_result_count(program), devices = millrace_program_device_count(program);
  if (num_results != results || num_rows != devices) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu rows with room for %zu results, wanted %zu with room for %zu", num_rows,
                    num_results, devices, results);
  }
  return mr_execute_rows(program, rows, num_rows, num_arguments);
}

millrace_error *millrace_execute_rows_with(millrace_program *program, millrace_device *const *devices, size_t num_rows,
                                           millrace_buffer *const *arguments, size_t num_arguments,
                                           const millrace_execute_options *options, millrace_buffer **out_results,
                                           size_t num_results, millrace_event **out_events) {
  uint32_t partitions = mr_executable_partition_count(program);
  millrace_execute_options all;
  MR_TRY(read_options(options, &all));
  if (all.destinations || all.completions || all.when_full) {
    return mr_error(MR_INVALID_ARGUMENT, "destinations, completions and when_full are for executions on one device");
  }
  const mr_execute_options how = engine_options(&all);
  mr_row *rows = mr_alloc_zeroed(MR_MAX(num_rows, 1), sizeof *rows);
  if (rows == NULL) {
    return MR_NO_MEMORY();
  }
  for (size_t r = 0; r < num_rows; r++) {
    rows[r] = (mr_row){.device = devices[r],
                       .replica = (uint32_t)r / partitions,
                       .partition = (uint32_t)r % partitions,
                       .options = options ? &how : NULL,
                       .arguments = arguments + r * num_arguments,
                       .results = out_results + r * num_results};
  }
  mr_status status = execute_rows(program, rows, num_rows, num_arguments, num_results);
  for (size_t r = 0; r < num_rows; r++) {
    if (out_events) {
      out_events[r] = rows[r].done;
    } else {
      mr_future_release(rows[r].done);
    }
  }
  mr_free(rows);
  return status;
}

millrace_error *millrace_execute_rows(millrace_program *program, millrace_device *const *devices, size_t num_rows,
                                      millrace_buffer *const *arguments, size_t num_arguments,
                                      millrace_buffer **out_results, size_t num_results, millrace_event **out_events) {
  return millrace_execute_rows_with(program, devices, num_rows, arguments, num_arguments, NULL, out_results,
                                    num_results, out_events);
}
