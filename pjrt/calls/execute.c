// Execute: handles unwrapped, one execution per device row, results wrapped. What every JAX call goes through.
#include <string.h>

#include "pjrt/calls/launch.h"
#include "pjrt/objects/flights.h"

// Lists up to this long live on the stack.
enum { STACK_LIST = 128 };

// Arguments and results of one row, unwrapped.
typedef struct row_lists {
  void *stack[STACK_LIST];
  void **lists;  // `stack`, or one block of the heap
  mr_buffer **arguments, **results;
} row_lists;

static mr_status lists_init(row_lists *lists, size_t num_args, size_t num_results) {
  size_t total = num_args + num_results;
  lists->lists = lists->stack;
  if (total > STACK_LIST) {
    lists->lists = mr_alloc(total * sizeof(void *));
    if (lists->lists == NULL) {
      return MR_NO_MEMORY();
    }
  }
  lists->arguments = (mr_buffer **)lists->lists;
  lists->results = lists->arguments + num_args;
  return MR_OK;
}

static void lists_deinit(row_lists *lists) {
  if (lists->lists != lists->stack) {
    mr_free(lists->lists);
  }
}

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

static void abandon_conversions(const PJRT_Executable *executable, size_t count, PJRT_Buffer *const *handles) {
  for (size_t i = 0; i < count; i++) {
    if (executable->results.forms[i]) {
      mr_pjrt_move_abandon(handles[i]->buffer);
    }
  }
}

// Before the execution starts, which cannot be undone: into the handles, what results that are to be in a form are moved to.
static mr_status prepare_conversions(const PJRT_Executable *executable, PJRT_Device *device,
                                     PJRT_Buffer *const *handles) {
  for (size_t i = 0; i < executable->results.count; i++) {
    if (executable->results.forms[i]) {
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
    if (executable->results.forms[i]) {
      mr_pjrt_move_begin(handles[i]->buffer, results[i]);
      mr_buffer_release(results[i]);
      results[i] = handles[i]->buffer;
    }
  }
}

// ---- Donation ---------------------------------------------------------------------------------------------------------------

static mr_status shared_donation(uint32_t donated, size_t other) {
  return mr_error(MR_INVALID_ARGUMENT, "argument %u is donated, and the same buffer is argument %zu", donated, other);
}

static size_t slot_of(const mr_buffer *buffer, size_t mask) {
  return ((uintptr_t)buffer >> 6) * 0x9E3779B97F4A7C15u >> 20 & mask;
}

// All arguments into a table by address; the same donated one twice is found there. Linear, for long lists.
static mr_status check_donations_by_table(const PJRT_Executable *executable, const mr_execute_options *options,
                                          mr_buffer *const *arguments, size_t count) {
  size_t mask = 1;
  while (mask < 2 * count) {
    mask *= 2;
  }
  uint32_t *table = mr_alloc_zeroed(mask, sizeof *table);  // argument number plus one
  if (table == NULL) {
    return MR_NO_MEMORY();
  }
  mask -= 1;
  mr_status status = MR_OK;
  for (size_t d = 0; d < executable->donated_count; d++) {
    uint32_t i = executable->donated[d];
    size_t at = slot_of(arguments[i], mask);
    while (table[at] && arguments[table[at] - 1] != arguments[i]) {
      at = (at + 1) & mask;
    }
    if (options->donates[i] && table[at] == 0) {
      table[at] = i + 1;
    }
  }
  for (size_t i = 0; !status && i < count; i++) {
    size_t at = slot_of(arguments[i], mask);
    while (table[at] && arguments[table[at] - 1] != arguments[i]) {
      at = (at + 1) & mask;
    }
    if (table[at] && table[at] - 1 != i) {
      status = shared_donation(table[at] - 1, i);
    }
  }
  mr_free(table);
  return status;
}

// A buffer that is donated may not be an argument twice: the program would overwrite what it still reads.
static mr_status check_donations(const PJRT_Executable *executable, const mr_execute_options *options,
                                 mr_buffer *const *arguments, size_t count) {
  enum { PAIRS = 512 };
  if (executable->donated_count * count > PAIRS) {
    return check_donations_by_table(executable, options, arguments, count);
  }
  for (size_t d = 0; d < executable->donated_count; d++) {
    uint32_t donated = executable->donated[d];
    for (size_t i = 0; i < count; i++) {
      if (arguments[i] == arguments[donated] && i != donated && options->donates[donated]) {
        return shared_donation(donated, i);
      }
    }
  }
  return MR_OK;
}

// What the program took over is gone, also where it only got a copy.
static void delete_donated(const PJRT_Executable *executable, const mr_execute_options *options,
                           PJRT_Buffer *const *handles) {
  for (size_t d = 0; d < executable->donated_count; d++) {
    uint32_t i = executable->donated[d];
    if (handles[i]->form && options->donates[i]) {
      mr_buffer_delete(handles[i]->buffer);
    }
  }
}

// ---- Rows -------------------------------------------------------------------------------------------------------------------

static mr_status start(const PJRT_LoadedExecutable *loaded, PJRT_Device *device, const mr_execute_options *options,
                       PJRT_Buffer *const *handles, size_t num_args, const row_lists *lists, mr_future **out_done) {
  const PJRT_Executable *executable = loaded->executable;
  bool converts = any_form(handles, num_args);
  if (converts) {
    MR_TRY(convert_arguments(handles, num_args, lists->arguments));
  }
  mr_status status =
      mr_execute(executable->executable, device->device, options, lists->arguments, num_args, lists->results, out_done);
  if (converts) {
    drop_converted(handles, num_args, lists->arguments);
    if (!status) {
      delete_donated(executable, options, handles);
    }
  }
  return status;
}

// `outputs`: the handles that the results will have.
static mr_status start_converting(const PJRT_LoadedExecutable *loaded, PJRT_Device *device,
                                  const mr_execute_options *options, PJRT_Buffer *const *handles, size_t num_args,
                                  const row_lists *lists, PJRT_Buffer *const *outputs, mr_future **out_done) {
  const PJRT_Executable *executable = loaded->executable;
  MR_TRY(prepare_conversions(executable, device, outputs));
  mr_status status = start(loaded, device, options, handles, num_args, lists, out_done);
  if (status) {
    abandon_conversions(executable, executable->results.count, outputs);
  } else {
    convert_results(executable, outputs, lists->results);
  }
  return status;
}

static mr_status execute_row(const PJRT_LoadedExecutable *loaded, PJRT_Device *device,
                             const mr_execute_options *options, PJRT_Buffer *const *arguments, size_t num_args,
                             PJRT_Buffer **outputs, mr_future **out_done) {
  size_t num_results = loaded->executable->results.count;
  row_lists lists;
  MR_TRY(lists_init(&lists, num_args, num_results));
  mr_status status = unwrap_arguments(arguments, num_args, device, lists.arguments);
  if (!status) {
    status = check_donations(loaded->executable, options, lists.arguments, num_args);
  }
  if (!status) {
    status = allocate_handles(outputs, num_results);
  }
  if (!status) {
    status = loaded->executable->results.any_form
                 ? start_converting(loaded, device, options, arguments, num_args, &lists, outputs, out_done)
                 : start(loaded, device, options, arguments, num_args, &lists, out_done);
    if (status) {
      mr_future_release(*out_done);
      *out_done = NULL;
      free_handles(outputs, num_results);
    } else {
      fill_handles(loaded->executable, device, lists.results, outputs);
    }
  }
  lists_deinit(&lists);
  return status;
}

static void drop_row(PJRT_Buffer **outputs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    mr_buffer_release(outputs[i]->buffer);
    mr_pjrt_form_release(outputs[i]->form);
  }
  free_handles(outputs, count);
}

static void drop_event(PJRT_Event *event) {
  PJRT_Event_Destroy_Args args = {.struct_size = sizeof args, .event = event};
  (void)mr_pjrt_Event_Destroy(&args);
}

static mr_status check_call(const PJRT_LoadedExecutable_Execute_Args *args) {
  const PJRT_LoadedExecutable *loaded = args->executable;
  if (atomic_load_explicit(&loaded->deleted, memory_order_relaxed)) {
    return mr_error(MR_FAILED_PRECONDITION, "executable has been deleted");
  }
  if (args->execute_device && args->execute_device->client != loaded->client) {
    return mr_error(MR_INVALID_ARGUMENT, "execute_device is a device of another client");
  }
  if (args->execute_device) {
    MR_TRY(mr_pjrt_check_addressable(args->execute_device));
  }
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
    return mr_error(MR_INVALID_ARGUMENT, "execute options: a multi-slice config, which this plugin makes none of");
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

static mr_status start_row(PJRT_LoadedExecutable_Execute_Args *args, size_t row, const mr_execute_options *options,
                           PJRT_Device *device, mr_future **out_done) {
  const PJRT_LoadedExecutable *loaded = args->executable;
  int32_t launch_id = launch_id_of(args->options);
  mr_pjrt_flight *flight = NULL;
  if (launch_id && (flight = mr_pjrt_flight_allocate()) == NULL) {
    return MR_NO_MEMORY();
  }
  mr_status status =
      execute_row(loaded, device, options, args->num_args ? args->argument_lists[row] : NULL, args->num_args,
                  loaded->executable->results.count ? args->output_lists[row] : NULL, out_done);
  if (flight && !status && *out_done) {
    mr_pjrt_flights_track(flight, device, launch_id, *out_done);
  } else {
    mr_pjrt_flight_free(flight);
  }
  return status;
}

// One row in its launch, if it needs one, and among those under way until it is done.
static mr_status launch_row(PJRT_LoadedExecutable_Execute_Args *args, size_t row, mr_execute_options options,
                            mr_future **out_done) {
  PJRT_Device *device = args->execute_device ? args->execute_device : args->executable->devices[row];
  mr_pjrt_launch *launch;
  MR_TRY(mr_pjrt_launch_create(args->options, row, &launch));
  if (launch) {
    options.context = &launch->context.base;
  }
  mr_status status = start_row(args, row, &options, device, out_done);
  status = launch && launch->location ? mr_status_note(status, "called from %s", launch->location) : status;
  mr_pjrt_launch_release(launch);
  return status;
}

// Rows that run already when a later one is refused: their outputs go, their work goes on.
static void drop_rows(PJRT_LoadedExecutable_Execute_Args *args, size_t rows) {
  size_t num_results = args->executable->executable->results.count;
  for (size_t row = 0; row < rows; row++) {
    drop_row(num_results ? args->output_lists[row] : NULL, num_results);
    if (args->device_complete_events) {
      drop_event(args->device_complete_events[row]);
    }
  }
}

static mr_status execute(PJRT_LoadedExecutable_Execute_Args *args, const mr_execute_options *options) {
  for (size_t row = 0; row < args->num_devices; row++) {
    mr_future *done = NULL;
    mr_status status = launch_row(args, row, *options, &done);
    if (status) {
      drop_rows(args, row);
      return status;
    }
    if (args->device_complete_events) {
      args->device_complete_events[row] = done ? mr_pjrt_event_take(done) : mr_pjrt_event_ready();
    } else {
      mr_future_release(done);
    }
  }
  return MR_OK;
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
  MR_PJRT_TRY(status);
  return NULL;
}
