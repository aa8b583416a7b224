// Execute: handles unwrapped, one execution per device row, results wrapped. What every JAX call goes through.
#include <string.h>

#include "core/ending.h"
#include "futures/pool.h"
#include "pjrt/calls/donation.h"
#include "pjrt/calls/launch.h"
#include "pjrt/objects/completion.h"
#include "pjrt/objects/ext_client.h"
#include "pjrt/objects/flights.h"

// Lists up to this long, and calls of up to so many rows, live on the stack.
enum { STACK_LIST = 128, STACK_ROWS = 8 };

// One device's part of a call, between its checks and its start.
typedef struct device_row {
  PJRT_Device *device;
  PJRT_Buffer *const *handles;
  PJRT_Buffer **outputs;
  mr_buffer **arguments, **results;  // unwrapped
  mr_pjrt_launch *launch;            // NULL: the options' context, or none, will do
  bool *kept;                        // NULL: what the options say is donated is
  mr_pjrt_flight *flight;
  mr_execute_options options;
  bool has_outputs, converts, prepared;  // what is to be undone, should the call fail
} device_row;

static mr_status unwrap_arguments(PJRT_Buffer *const *handles, size_t count, const PJRT_Device *device,
                                  mr_buffer **out_arguments) {
  for (size_t i = 0; i < count; i++) {
    if (MR_UNLIKELY(handles[i] == NULL)) {
      return mr_error(MR_INVALID_ARGUMENT, "argument %zu is NULL", i);
    }
    if (MR_UNLIKELY(handles[i]->memory->device != device)) {
      return mr_error(MR_INVALID_ARGUMENT, "argument %zu is on device %d, wanted device %d", i,
                      handles[i]->memory->device->description->id, device->description->id);
    }
    out_arguments[i] = handles[i]->buffer;
  }
  return MR_OK;
}

static void free_handles(PJRT_Buffer **handles, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mr_pjrt_buffer_free(handles[i]);
    handles[i] = NULL;
  }
}

// Made before the execution starts: afterwards nothing may fail.
static mr_status allocate_handles(PJRT_Buffer **out_handles, size_t count) {
  for (size_t i = 0; i < count; i++) {
    out_handles[i] = mr_pjrt_buffer_allocate();
    if (MR_UNLIKELY(out_handles[i] == NULL)) {
      free_handles(out_handles, i);
      return MR_NO_MEMORY();
    }
  }
  return MR_OK;
}

static void fill_handles(const PJRT_Executable *executable, PJRT_Device *device, mr_buffer *const *results,
                         PJRT_Buffer **handles) {
  for (size_t i = 0; i < executable->results.count; i++) {
    handles[i]->buffer = results[i];
    handles[i]->form = mr_pjrt_form_retain(executable->results.forms[i]);
    handles[i]->memory = &device->memories[mr_buffer_memory(results[i])->kind];
    atomic_init(&handles[i]->external, 0);
    handles[i]->is_token = executable->results.types[i] == PJRT_Buffer_Type_TOKEN;
  }
}

// ---- Forms ------------------------------------------------------------------------------------------------------------------
// Programs take and give row-major arrays. Arguments in another layout are converted before, whatever layout the program
// was compiled for; results that were asked for in another layout after.

static bool any_form(PJRT_Buffer *const *handles, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (MR_UNLIKELY(handles[i]->form != NULL)) {
      return true;
    }
  }
  return false;
}

static void drop_converted(PJRT_Buffer *const *handles, size_t count, mr_buffer **arguments) {
  for (size_t i = 0; i < count; i++) {
    if (handles[i]->form && arguments[i] != handles[i]->buffer) {
      mr_buffer_release(arguments[i]);
    }
  }
}

static mr_status convert_arguments(PJRT_Buffer *const *handles, size_t count, mr_buffer **arguments) {
  for (size_t i = 0; i < count; i++) {
    mr_status status =
        handles[i]->form ? mr_pjrt_form_to_row_major(handles[i]->form, handles[i]->buffer, &arguments[i]) : MR_OK;
    if (status) {
      arguments[i] = handles[i]->buffer;
      drop_converted(handles, i, arguments);
      return mr_status_note(status, "argument %zu", i);
    }
  }
  return MR_OK;
}

// A result that the program gives in row-major order and the host wants otherwise.
static bool is_moved(const PJRT_Executable *executable, size_t i) {
  return executable->results.forms[i] && !executable->results.in_form[i];
}

static void abandon_conversions(const PJRT_Executable *executable, size_t count, PJRT_Buffer *const *handles) {
  for (size_t i = 0; i < count; i++) {
    if (is_moved(executable, i)) {
      mr_pjrt_move_abandon(handles[i]->buffer);
    }
  }
}

// Before the execution starts, which cannot be undone: into the handles, what results that are to be in a form are moved to.
static mr_status prepare_conversions(const PJRT_Executable *executable, PJRT_Device *device,
                                     PJRT_Buffer *const *handles) {
  for (size_t i = 0; i < executable->results.count; i++) {
    if (is_moved(executable, i)) {
      mr_memory_kind kind = mr_executable_result(executable->executable, i)->memory;
      mr_status status =
          mr_pjrt_form_prepare(executable->results.forms[i], &device->device->memories[kind], &handles[i]->buffer);
      if (status) {
        abandon_conversions(executable, i, handles);
        return mr_status_note(status, "result %zu", i);
      }
    }
  }
  return MR_OK;
}

static void convert_results(const PJRT_Executable *executable, PJRT_Buffer *const *handles, mr_buffer **results) {
  for (size_t i = 0; i < executable->results.count; i++) {
    if (is_moved(executable, i)) {
      mr_pjrt_move_begin(handles[i]->buffer, results[i]);
      mr_buffer_release(results[i]);
      results[i] = handles[i]->buffer;
    }
  }
}

// ---- Rows -------------------------------------------------------------------------------------------------------------------
// Every row is made ready before the first one starts: then they run together or not at all.

static mr_status row_check(const PJRT_Executable *executable, device_row *self, size_t num_args) {
  MR_TRY(unwrap_arguments(self->handles, num_args, self->device, self->arguments));
  const bool *donates = self->options.donates;
  MR_TRY(mr_pjrt_donation_check(executable, donates, self->arguments, num_args));
  MR_TRY(mr_pjrt_donation_keep(executable, donates, self->handles, num_args, &self->kept));
  self->options.donates = self->kept ? self->kept : donates;
  return MR_OK;
}

static mr_status row_prepare(const PJRT_Executable *executable, device_row *self, size_t num_args, int32_t launch_id) {
  MR_TRY(row_check(executable, self, num_args));
  if (launch_id && (self->flight = mr_pjrt_flight_allocate()) == NULL) {
    return MR_NO_MEMORY();
  }
  MR_TRY(allocate_handles(self->outputs, executable->results.count));
  self->has_outputs = true;
  if (any_form(self->handles, num_args)) {
    MR_TRY(convert_arguments(self->handles, num_args, self->arguments));
    self->converts = true;
  }
  if (executable->results.any_moved) {
    MR_TRY(prepare_conversions(executable, self->device, self->outputs));
    self->prepared = true;
  }
  return MR_OK;
}

// What the call was given is as it was.
static void row_abandon(const PJRT_Executable *executable, device_row *self, size_t num_args) {
  if (self->prepared) {
    abandon_conversions(executable, executable->results.count, self->outputs);
  }
  if (self->converts) {
    drop_converted(self->handles, num_args, self->arguments);
  }
  if (self->has_outputs) {
    free_handles(self->outputs, executable->results.count);
  }
  mr_pjrt_flight_free(self->flight);
  mr_pjrt_launch_release(self->launch);
  mr_free(self->kept);
}

// It has started, and is over when `take_done` is NULL.
static void row_finish(const PJRT_Executable *executable, device_row *self, size_t num_args, int32_t launch_id,
                       mr_future *take_done, PJRT_Event **out_event) {
  if (self->converts) {
    drop_converted(self->handles, num_args, self->arguments);
    mr_pjrt_donation_delete(executable, self->options.donates, self->handles);
  }
  if (self->prepared) {
    convert_results(executable, self->outputs, self->results);
  }
  fill_handles(executable, self->device, self->results, self->outputs);
  if (self->flight && take_done) {
    mr_pjrt_flights_track(self->flight, self->device, launch_id, take_done);
  } else {
    mr_pjrt_flight_free(self->flight);
  }
  mr_pjrt_launch_release(self->launch);
  mr_free(self->kept);
  if (out_event) {
    take_done = executable->calls_host ? mr_pjrt_completion_after(self->device, take_done) : take_done;
    *out_event = take_done ? mr_pjrt_event_take(take_done) : mr_pjrt_event_ready();
  } else {
    mr_future_release(take_done);
  }
}

// Which row of the program the device has; device_count: none.
static size_t row_of(const PJRT_LoadedExecutable *loaded, const PJRT_Device *device) {
  size_t row = 0;
  while (row < loaded->device_count && loaded->devices[row] != device) {
    row++;
  }
  return row;
}

// One device of a program over several, by itself.
static mr_status check_lone_row(const PJRT_LoadedExecutable *loaded, const PJRT_Device *device) {
  const PJRT_Executable *executable = loaded->executable;
  if (row_of(loaded, device) == loaded->device_count) {
    return mr_error(MR_INVALID_ARGUMENT, "execute_device is device %d, which the program is not assigned to",
                    device->description->id);
  }
  const char *meeting = mr_executable_meeting(executable->executable);
  if (meeting) {
    return mr_error(MR_UNIMPLEMENTED,
                    "execute_device: one device of a program over %lld devices, which meet in an op (%s)",
                    (long long)(executable->replicas * executable->partitions), meeting);
  }
  return MR_OK;
}

// The rows of a program over several devices run together, so that a call has all of them or one that meets nobody.
static mr_status check_rows(const PJRT_LoadedExecutable_Execute_Args *args) {
  const PJRT_LoadedExecutable *loaded = args->executable;
  int64_t rows = loaded->executable->replicas * loaded->executable->partitions;
  if (MR_LIKELY(rows <= 1)) {
    return MR_OK;
  }
  if (args->execute_device) {
    return check_lone_row(loaded, args->execute_device);
  }
  if (MR_UNLIKELY((int64_t)loaded->device_count != rows)) {
    return mr_error(MR_UNIMPLEMENTED, "a program over %lld devices, of which %lld are other processes'",
                    (long long)rows, (long long)rows - (long long)loaded->device_count);
  }
  return MR_OK;
}

static mr_status check_call(const PJRT_LoadedExecutable_Execute_Args *args) {
  const PJRT_LoadedExecutable *loaded = args->executable;
  if (atomic_load_explicit(&loaded->deleted, memory_order_relaxed)) {
    return mr_error(MR_FAILED_PRECONDITION, "executable has been deleted");
  }
  MR_TRY(mr_pjrt_client_check(loaded->client));
  if (args->execute_device && args->execute_device->client != loaded->client) {
    return mr_error(MR_INVALID_ARGUMENT, "execute_device is a device of another client");
  }
  if (args->execute_device) {
    MR_TRY(mr_pjrt_check_addressable(args->execute_device));
  }
  MR_TRY(check_rows(args));
  size_t wanted = args->execute_device ? 1 : loaded->device_count;
  if (args->num_devices != wanted) {
    return mr_error(MR_INVALID_ARGUMENT, "argument lists for %zu devices, wanted %zu", args->num_devices, wanted);
  }
  if (args->num_args != loaded->executable->params.count) {
    // gopjrt's tests look for these words.
    return mr_error(MR_INVALID_ARGUMENT, "Execution supplied %zu buffers but compiled program expected %zu buffers",
                    args->num_args, loaded->executable->params.count);
  }
  if ((args->num_args && !args->argument_lists) || (loaded->executable->results.count && !args->output_lists)) {
    return mr_error(MR_INVALID_ARGUMENT, "the lists of arguments or of outputs are NULL");
  }
  for (size_t row = 0; row < wanted; row++) {
    if ((args->num_args && !args->argument_lists[row]) ||
        (loaded->executable->results.count && !args->output_lists[row])) {
      return mr_error(MR_INVALID_ARGUMENT, "the list of arguments or of outputs of device %zu is NULL", row);
    }
  }
  return MR_OK;
}

// What options may say only together with something that this plugin does not have.
static mr_status refuse_foreign(const PJRT_ExecuteOptions *options) {
  if (MR_PJRT_HAS(options, incarnation_ids) && options->num_tasks &&
      (!options->task_ids || !options->incarnation_ids)) {
    return mr_error(MR_INVALID_ARGUMENT, "execute options: %zu tasks without their ids", options->num_tasks);
  }
  if (MR_PJRT_HAS(options, multi_slice_config) && options->multi_slice_config) {
    return mr_error(MR_UNIMPLEMENTED, "execute options: multi_slice_config: there is one slice");
  }
  return MR_OK;
}

// A list of what is donated that is the call's own.
typedef struct donations {
  bool few[STACK_LIST];
  bool *many;  // for more parameters; owned
} donations;

static mr_status read_donations(const PJRT_ExecuteOptions *options, const mr_executable *executable, donations *own,
                                const bool **out_donates) {
  const int64_t *except = options->non_donatable_input_indices;
  size_t count = options->num_non_donatable_input_indices;
  if (count == 0) {
    return MR_OK;
  }
  if (!except) {
    return mr_error(MR_INVALID_ARGUMENT, "execute options: %zu non-donatable inputs at NULL", count);
  }
  size_t params = mr_executable_param_count(executable);
  own->many = params > STACK_LIST ? mr_alloc(params) : NULL;
  if (params > STACK_LIST && !own->many) {
    return MR_NO_MEMORY();
  }
  bool *list = own->many ? own->many : own->few;
  mr_executable_donates_except(executable, except, count, list);
  *out_donates = list;
  return MR_OK;
}

static mr_status read_options(const PJRT_ExecuteOptions *options, const mr_executable *executable, donations *own,
                              mr_execute_options *out) {
  own->many = NULL;
  *out = (mr_execute_options){.donates = mr_executable_donates(executable)};
  if (options == NULL) {
    return MR_OK;
  }
  if (!MR_PJRT_HAS(options, num_recv_ops)) {
    return mr_error(MR_INVALID_ARGUMENT, "execute options: struct_size is %zu, wanted at least %zu",
                    options->struct_size, PJRT_ABI_END(PJRT_ExecuteOptions, num_recv_ops));
  }
  if (MR_PJRT_HAS(options, num_non_donatable_input_indices)) {
    MR_TRY(read_donations(options, executable, own, &out->donates));
  }
  if (MR_PJRT_HAS(options, context) && options->context) {
    out->context = &options->context->base;
  }
  return refuse_foreign(options);
}

static int32_t launch_id_of(const PJRT_ExecuteOptions *options) {
  return options && MR_PJRT_HAS(options, launch_id) ? options->launch_id : 0;
}

// Arrays of the call, on the stack where they fit.
typedef struct call {
  PJRT_LoadedExecutable_Execute_Args *args;
  size_t num_rows, num_results, opened;
  device_row few[STACK_ROWS], *rows;
  void *few_lists[STACK_LIST], **lists;  // each row's arguments, then its results
} call;

static mr_status call_init(call *self, PJRT_LoadedExecutable_Execute_Args *args) {
  self->args = args;
  self->num_rows = args->num_devices;
  self->num_results = args->executable->executable->results.count;
  self->opened = 0;
  size_t total = self->num_rows * (args->num_args + self->num_results);
  self->rows = self->num_rows > STACK_ROWS ? mr_struct_alloc(self->num_rows * sizeof(device_row)) : self->few;
  self->lists = total > STACK_LIST ? mr_struct_alloc(total * sizeof(void *)) : self->few_lists;
  return self->rows && self->lists ? MR_OK : MR_NO_MEMORY();
}

static void call_deinit(call *self) {
  if (self->rows != self->few) {
    mr_struct_free(self->rows, self->num_rows * sizeof(device_row));
  }
  if (self->lists != self->few_lists) {
    mr_struct_free(self->lists, self->num_rows * (self->args->num_args + self->num_results) * sizeof(void *));
  }
}

static mr_status call_open_row(call *self, const mr_execute_options *options, int32_t launch_id) {
  PJRT_LoadedExecutable_Execute_Args *args = self->args;
  const mr_executable *inner = args->executable->executable->executable;
  size_t i = self->opened++;
  device_row *opened = &self->rows[i];
  void **lists = self->lists + i * (args->num_args + self->num_results);
  *opened = (device_row){.device = args->execute_device ? args->execute_device : args->executable->devices[i],
                         .handles = args->num_args ? args->argument_lists[i] : NULL,
                         .outputs = self->num_results ? args->output_lists[i] : NULL,
                         .arguments = (mr_buffer **)lists,
                         .results = (mr_buffer **)(lists + args->num_args),
                         .options = *options};
  if (MR_UNLIKELY(args->execute_device && mr_executable_row_count(inner) > 1)) {
    const PJRT_LogicalDeviceIds *number = &args->executable->logical_ids[row_of(args->executable, opened->device)];
    opened->options.replica = (uint32_t)number->replica;
    opened->options.partition = (uint32_t)number->partition;
  }
  MR_TRY(mr_pjrt_launch_create(args->options, i, opened->device->device, &opened->launch));
  if (opened->launch) {
    opened->options.context = &opened->launch->context.base;
  }
  return row_prepare(args->executable->executable, opened, args->num_args, launch_id);
}

static mr_status run_rows(call *self, mr_row *runs) {
  const PJRT_LoadedExecutable *loaded = self->args->executable;
  for (size_t i = 0; i < self->num_rows; i++) {
    const device_row *from = &self->rows[i];
    runs[i] = (mr_row){.device = from->device->device,
                       .replica = (uint32_t)loaded->logical_ids[i].replica,
                       .partition = (uint32_t)loaded->logical_ids[i].partition,
                       .options = &from->options,
                       .arguments = from->arguments,
                       .results = from->results};
  }
  return mr_execute_rows(loaded->executable->executable, runs, self->num_rows, self->args->num_args);
}

// ---- Calls that are over when they return -------------------------------------------------------------------------------------
// What the client's host wants to have run when a call over one device returns: everything, or custom calls that it names. The
// latter when all arguments are there, as hosts know it of XLA:CPU.

static bool are_there(mr_buffer *const *arguments, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const mr_future *ready = mr_buffer_ready(arguments[i]);
    if (ready && (!mr_future_is_set(ready) || mr_future_status(ready))) {
      return false;
    }
  }
  return true;
}

// Of everything a worker does not wait for the end, as mr_execute() does not.
static mr_status row_await(const PJRT_LoadedExecutable *loaded, const device_row *only, mr_row *run) {
  mr_future *done = run->done;
  bool waits = loaded->client->ext->waits && !mr_scheduler_on_any_worker();
  if (!done || (!mr_future_is_set(done) && !waits)) {
    return MR_OK;
  }
  mr_future_wait(done);
  if (MR_LIKELY(mr_future_status(done) == MR_OK)) {
    return MR_OK;
  }
  mr_status status = mr_status_retain(mr_future_status(done));
  for (size_t i = 0; i < loaded->executable->results.count; i++) {
    mr_buffer_release(only->results[i]);
  }
  mr_future_release(done);
  run->done = NULL;
  return status;
}

static mr_status row_run(const PJRT_LoadedExecutable *loaded, device_row *only, size_t num_args, mr_row *run) {
  run->done = NULL;
  only->options.here = MR_UNLIKELY(loaded->in_call) && are_there(only->arguments, num_args);
  MR_TRY(mr_execute(loaded->executable->executable, only->device->device, &only->options, only->arguments, num_args,
                    only->results, &run->done));
  return MR_UNLIKELY(only->options.here || loaded->client->ext->waits) ? row_await(loaded, only, run) : MR_OK;
}

static mr_status call_run(call *self, mr_row *runs) {
  if (self->num_rows != 1) {
    return self->num_rows ? run_rows(self, runs) : MR_OK;  // none: all are other processes'
  }
  return row_run(self->args->executable, &self->rows[0], self->args->num_args, &runs[0]);
}

static mr_status call_start(call *self, const mr_execute_options *options, mr_row *runs) {
  PJRT_LoadedExecutable_Execute_Args *args = self->args;
  const PJRT_Executable *executable = args->executable->executable;
  int32_t launch_id = launch_id_of(args->options);
  mr_status status = MR_OK;
  while (!status && self->opened < self->num_rows) {
    status = call_open_row(self, options, launch_id);
  }
  status = status ? status : call_run(self, runs);
  if (status) {
    const mr_pjrt_launch *launch = self->opened ? self->rows[0].launch : NULL;
    status = launch && launch->location ? mr_status_note(status, "called from %s", launch->location) : status;
  }
  for (size_t i = 0; i < self->opened; i++) {
    if (status) {
      row_abandon(executable, &self->rows[i], args->num_args);
    } else {
      row_finish(executable, &self->rows[i], args->num_args, launch_id, runs[i].done,
                 args->device_complete_events ? &args->device_complete_events[i] : NULL);
    }
  }
  return status;
}

static mr_status execute(PJRT_LoadedExecutable_Execute_Args *args, const mr_execute_options *options) {
  call self;
  mr_row few[STACK_ROWS], *runs = few;
  mr_status status = call_init(&self, args);
  if (!status && self.num_rows > STACK_ROWS && (runs = mr_struct_alloc(self.num_rows * sizeof *runs)) == NULL) {
    status = MR_NO_MEMORY();
  }
  status = status ? status : call_start(&self, options, runs);
  if (runs != few) {
    mr_struct_free(runs, self.num_rows * sizeof *runs);
  }
  call_deinit(&self);
  return status;
}

PJRT_Error *mr_pjrt_LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args *args) {
  MR_PJRT_NEED(args, execute_device);
  MR_PJRT_NONNULL(args, executable);
  MR_PJRT_TRY(check_call(args));
  mr_execute_options options;
  donations own;
  mr_status status = read_options(args->options, args->executable->executable->executable, &own, &options);
  status = status ? status : execute(args, &options);
  mr_free(own.many);
  mr_ending_come_back();
  MR_PJRT_TRY(status);
  return NULL;
}
