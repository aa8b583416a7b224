// Compiling: program bytes and compile options to an executable, and binding one to a client's devices.
#include <string.h>

#include "core/census.h"
#include "pjrt/abi/named_value.h"
#include "pjrt/objects/dump.h"
#include "pjrt/objects/ext_client.h"
#include "pjrt/objects/objects.h"
#include "pjrt/objects/optimized.h"
#include "pjrt/objects/partitioners.h"
#include "pjrt/objects/program.h"
#include "pjrt/proto/options.h"
#include "pjrt/proto/sharding.h"

// ---- Ports ----------------------------------------------------------------------------------------------------------------

// What the compile options ask for where the program does not.
static mr_status requested_layout(const mr_port *port, const char *what, size_t index,
                                  PJRT_Layouts_MemoryLayout *requested, PJRT_Layouts_MemoryLayout **out_layout) {
  size_t rank = mr_pjrt_layout_order(requested).size;
  if (port->is_token || rank != port->rank) {
    return mr_error(MR_INVALID_ARGUMENT, "compile options: a layout of %zu dimensions for %s %zu, wanted %zu", rank,
                    what, index, port->is_token ? 0 : port->rank);
  }
  *out_layout = mr_pjrt_layout_retain(requested);
  return MR_OK;
}

// Of the order that the compiler found.
static mr_status found_layout(const mr_port *port, PJRT_Layouts_MemoryLayout **out_layout) {
  int64_t minor_to_major[MR_MAX_RANK];
  for (size_t i = 0; i < port->rank; i++) {
    minor_to_major[i] = port->order[port->rank - 1 - i];
  }
  return mr_pjrt_layout_create(minor_to_major, port->rank, out_layout);
}

// The layout a program asks for by mhlo.layout_mode: nothing, "default", "auto", or one such as "{0,1:T(2,128)}", which is
// converted to and from row-major where the program is called. "auto" is for the compiler to say.
static mr_status port_layout(const mr_port *port, const char *what, size_t index, PJRT_Layouts_MemoryLayout *requested,
                             PJRT_Layouts_MemoryLayout **out_layout) {
  *out_layout = mr_pjrt_layout_row_major(port->is_token ? 0 : port->rank);
  if (port->order) {
    return found_layout(port, out_layout);
  }
  if (port->is_token || port->layout.size == 0 || port->layout.data[0] != '{') {
    return requested ? requested_layout(port, what, index, requested, out_layout) : MR_OK;
  }
  return mr_status_note(mr_pjrt_layout_parse(port->layout, port->rank, out_layout), "%s %zu", what, index);
}

typedef const mr_port *(*port_getter)(const mr_executable *executable, size_t index);

static bool ports_allocate(mr_arena *arena, size_t count, size_t total_rank, mr_pjrt_ports *out) {
  size_t room = MR_MAX(count, 1);
  out->layouts = mr_arena_array(arena, PJRT_Layouts_MemoryLayout *, room);
  out->forms = mr_arena_array(arena, mr_pjrt_form *, room);
  out->in_form = mr_arena_array(arena, bool, room);
  out->memory_kinds = mr_arena_array(arena, const char *, room);
  out->memory_kind_sizes = mr_arena_array(arena, size_t, room);
  out->types = mr_arena_array(arena, PJRT_Buffer_Type, room);
  out->ranks = mr_arena_array(arena, size_t, room);
  out->dims = mr_arena_array(arena, int64_t, MR_MAX(total_rank, 1));
  // Without entries both arrays stay NULL: jaxlib refuses an empty list that is there.
  if (count > 0) {
    out->shardings = mr_arena_array(arena, const char *, count);
    out->sharding_sizes = mr_arena_array(arena, size_t, count);
  }
  return out->layouts && out->forms && out->in_form && out->memory_kinds && out->memory_kind_sizes && out->types &&
         out->ranks && out->dims && (count == 0 || (out->shardings && out->sharding_sizes));
}

// Alone on its device an array is replicated, which has no bytes.
static mr_status fill_sharding(mr_arena *arena, const mr_tile_sharding *tiles, const char **out_bytes,
                               size_t *out_size) {
  *out_bytes = "";
  *out_size = 0;
  if (tiles == NULL) {
    return MR_OK;
  }
  char *bytes;
  MR_TRY(mr_pjrt_sharding_pack(tiles, &bytes, out_size));
  *out_bytes = mr_arena_copy(arena, bytes, *out_size);
  mr_free(bytes);
  return *out_bytes ? MR_OK : MR_NO_MEMORY();
}

static mr_status ports_fill(PJRT_Executable *executable, port_getter get, const char *what, size_t count,
                            const mr_pjrt_layout_requests *requests, mr_pjrt_ports *out) {
  size_t total_rank = 0;
  if (requests->count && requests->count != count) {
    return mr_error(MR_INVALID_ARGUMENT, "compile options: layouts for %zu %ss, wanted %zu", requests->count, what,
                    count);
  }
  for (size_t i = 0; i < count; i++) {
    total_rank += get(executable->executable, i)->rank;
  }
  if (!ports_allocate(&executable->arena, count, total_rank, out)) {
    return MR_NO_MEMORY();
  }
  int64_t *dims = out->dims;
  for (size_t i = 0; i < count; i++) {
    const mr_port *port = get(executable->executable, i);
    PJRT_Layouts_MemoryLayout *requested = requests->count ? requests->layouts[i] : NULL;
    MR_TRY(port_layout(port, what, i, requested, &out->layouts[i]));
    out->count = i + 1;
    out->ranks[i] = port->is_token ? 0 : port->rank;
    for (size_t d = 0; d < out->ranks[i]; d++) {
      dims[port->order ? port->order[d] : d] = port->dims[d];
    }
    MR_TRY(mr_status_note(mr_pjrt_form_create(out->layouts[i], port->dtype, dims, out->ranks[i], &out->forms[i]),
                          "%s %zu", what, i));
    dims += out->ranks[i];
    out->in_form[i] = port->order != NULL;
    out->any_moved |= out->forms[i] && !out->in_form[i];
    out->memory_kinds[i] = mr_memory_kind_name(port->memory);
    out->memory_kind_sizes[i] = strlen(out->memory_kinds[i]);
    out->types[i] = port->is_token ? PJRT_Buffer_Type_TOKEN : (PJRT_Buffer_Type)port->dtype;
    MR_TRY(fill_sharding(&executable->arena, port->tiles, &out->shardings[i], &out->sharding_sizes[i]));
  }
  return MR_OK;
}

static void ports_deinit(mr_pjrt_ports *ports) {
  for (size_t i = 0; i < ports->count; i++) {
    mr_pjrt_layout_release(ports->layouts[i]);
    mr_pjrt_form_release(ports->forms[i]);
  }
}

static mr_status list_donated(PJRT_Executable *executable) {
  executable->donated = mr_arena_array(&executable->arena, uint32_t, MR_MAX(executable->params.count, 1));
  if (executable->donated == NULL) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < executable->params.count; i++) {
    if (mr_executable_param(executable->executable, i)->donated) {
      executable->donated[executable->donated_count++] = (uint32_t)i;
    }
  }
  return MR_OK;
}

// ---- Executables ------------------------------------------------------------------------------------------------------------

static void fill_costs(PJRT_Executable *executable) {
  mr_executable_stats stats = mr_executable_stats_of(executable->executable);
  executable->costs[0] = mr_pjrt_value_float("flops", (float)stats.flops);
  executable->costs[1] = mr_pjrt_value_float("bytes accessed", (float)stats.bytes_accessed);
  executable->costs[2] = mr_pjrt_value_float("transcendentals", (float)stats.transcendentals);
  executable->costs[3] = mr_pjrt_value_float("optimal_seconds", (float)((double)stats.cost_ns * 1e-9));
}

static mr_status copy_span(mr_arena *arena, mr_span bytes, mr_span *out) {
  *out = (mr_span){mr_arena_alloc(arena, MR_MAX(bytes.size, 1)), bytes.size};
  if (out->data == NULL) {
    return MR_NO_MEMORY();
  }
  if (bytes.size > 0) {
    memcpy((void *)out->data, bytes.data, bytes.size);
  }
  return MR_OK;
}

// Any devices in any order, but none twice: the rows of a program run beside one another.
static mr_status check_assignment(const int64_t *ids, size_t count) {
  for (size_t i = 1; i < count; i++) {
    for (size_t k = 0; k < i; k++) {
      if (ids[i] == ids[k]) {
        return mr_error(MR_INVALID_ARGUMENT, "compile options: device %lld is assigned to places %zu and %zu",
                        (long long)ids[i], k, i);
      }
    }
  }
  return MR_OK;
}

static mr_status take_options(PJRT_Executable *executable, const mr_pjrt_options *options, mr_pjrt_places places) {
  int64_t count = options->replicas * options->partitions;
  if ((uint64_t)count > places.count) {
    return mr_error(MR_INVALID_ARGUMENT,
                    "compile options: %lld replicas times %lld partitions, wanted at most %zu devices",
                    (long long)options->replicas, (long long)options->partitions, places.count);
  }
  executable->replicas = options->replicas;
  executable->partitions = options->partitions;
  executable->device_ids = mr_arena_array(&executable->arena, int64_t, count);
  if (executable->device_ids == NULL) {
    return MR_NO_MEMORY();
  }
  int64_t first = (int64_t)mr_pjrt_first_place(places, (size_t)count);
  if (count == 1 && options->device_ordinal > 0) {
    first += options->device_ordinal;
  }
  for (int64_t i = 0; i < count; i++) {
    executable->device_ids[i] = options->device_ids ? options->device_ids[i] : first + i;
  }
  return check_assignment(executable->device_ids, (size_t)count);
}

static bool is_same_target(const mr_target *a, const mr_target *b) {
  return a && b ? a->key.low == b->key.low && a->key.high == b->key.high : a == b;
}

// What the devices of the assignment run, all the same, and can do. Those of other processes are taken to be like this one's.
static mr_status ask_devices(const PJRT_Executable *executable, mr_pjrt_places *places) {
  const mr_device *first = NULL;
  for (int64_t i = 0; i < executable->replicas * executable->partitions; i++) {
    const PJRT_Device *device = mr_pjrt_device_of_id(places->client, executable->device_ids[i]);
    mr_device *inner = device ? device->device : NULL;
    if (inner && !first) {
      first = inner;
      places->target = mr_device_target(inner);
      places->figures = mr_device_figures(inner);
    }
    if (inner && !is_same_target(places->target, mr_device_target(inner))) {
      return mr_error(
          MR_INVALID_ARGUMENT,
          "compile options: device %d of kind %s and device %d of kind %s in one program, wanted devices that "
          "run the same code",
          first->id, first->ops->name, inner->id, inner->ops->name);
    }
  }
  return MR_OK;
}

static mr_status take_device(PJRT_Executable *executable, mr_pjrt_places *places) {
  MR_TRY(places->client ? ask_devices(executable, places) : MR_OK);
  executable->figures = places->figures ? *places->figures : mr_figures_default;
  executable->for_target = places->target != NULL;
  if (places->target) {
    executable->target = *places->target;
  }
  return MR_OK;
}

mr_compile_options mr_pjrt_options_for(const PJRT_Executable *executable, const mr_pjrt_options *options) {
  return (mr_compile_options){
      .format = executable->format,
      .num_replicas = (uint32_t)options->replicas,
      .num_partitions = (uint32_t)options->partitions,
      .host = &mr_pjrt_shard_host,
      .figures = &executable->figures,
      .target = executable->for_target ? &executable->target : NULL,
      .leaves_layouts = options->result_layouts.count == 0,
      .round_steps = !mr_pjrt_options_flag(options, "xla_allow_excess_precision", options->allow_excess_precision)};
}

// Who looks at the program while it is compiled.
typedef struct onlookers {
  PJRT_Executable *executable;
  mr_pjrt_dump dump;
} onlookers;

static mr_status see_read(void *context, const struct mr_module *module) {
  return mr_pjrt_dump_before(&((onlookers *)context)->dump, module);
}

static mr_status see_optimized(void *context, const struct mr_module *module,
                               const struct mr_shard_boundary *boundary) {
  onlookers *o = context;
  MR_TRY(mr_pjrt_dump_after(&o->dump, module));
  return mr_pjrt_optimized_keep(o->executable, module, boundary);
}

static mr_status compile_watched(PJRT_Executable *executable, const mr_pjrt_options *options) {
  onlookers o = {.executable = executable};
  mr_pjrt_dump_begin(&o.dump, options);
  const mr_compile_watcher watcher = {.context = &o, .read = see_read, .optimized = see_optimized};
  mr_compile_options compile_options = mr_pjrt_options_for(executable, options);
  compile_options.watcher = &watcher;
  return mr_compile(executable->program, &compile_options, &executable->executable);
}

static mr_status executable_init(PJRT_Executable *executable, mr_span program, mr_span options_bytes,
                                 const mr_pjrt_options *options, mr_pjrt_places places) {
  MR_TRY(copy_span(&executable->arena, program, &executable->program));
  MR_TRY(copy_span(&executable->arena, options_bytes, &executable->options));
  MR_TRY(take_options(executable, options, places));
  MR_TRY(take_device(executable, &places));
  MR_TRY(compile_watched(executable, options));
  const mr_executable *inner = executable->executable;
  MR_TRY(ports_fill(executable, mr_executable_param, "parameter", mr_executable_param_count(inner),
                    &options->argument_layouts, &executable->params));
  MR_TRY(ports_fill(executable, mr_executable_result, "result", mr_executable_result_count(inner),
                    &options->result_layouts, &executable->results));
  MR_TRY(list_donated(executable));
  executable->calls_host = mr_executable_calls_host(inner);
  fill_costs(executable);
  return MR_OK;
}

static mr_status executable_create(mr_span program, mr_program_format format, mr_span options_bytes,
                                   const mr_pjrt_options *options, mr_pjrt_places places,
                                   PJRT_Executable **out_executable) {
  PJRT_Executable *executable = mr_alloc_zeroed(1, sizeof *executable);
  if (executable == NULL) {
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_executable_handles, 1);
  mr_ref_init(&executable->ref);
  executable->format = format;
  pthread_mutex_init(&executable->optimized_lock, NULL);
  mr_arena_init(&executable->arena, 0);
  mr_status status = executable_init(executable, program, options_bytes, options, places);
  if (status) {
    mr_pjrt_executable_release(executable);
    return status;
  }
  *out_executable = executable;
  return MR_OK;
}

mr_status mr_pjrt_executable_compile(mr_span program, mr_program_format format, mr_span options_bytes,
                                     mr_pjrt_places places, PJRT_Executable **out_executable) {
  *out_executable = NULL;
  mr_pjrt_options options;
  MR_TRY(mr_pjrt_options_parse(options_bytes.data, options_bytes.size, &options));
  mr_status status = mr_pjrt_options_check(&options);
  status = status ? status : executable_create(program, format, options_bytes, &options, places, out_executable);
  mr_pjrt_options_deinit(&options);
  return status;
}

void mr_pjrt_executable_release(PJRT_Executable *executable) {
  if (executable && mr_ref_release(&executable->ref)) {
    ports_deinit(&executable->params);
    ports_deinit(&executable->results);
    mr_executable_release(executable->executable);
    mr_text_deinit(&executable->optimized);
    pthread_mutex_destroy(&executable->optimized_lock);
    mr_arena_deinit(&executable->arena);
    mr_census_add(MR_CENSUS_executable_handles, -1);
    mr_free(executable);
  }
}

// ---- Binding to devices -------------------------------------------------------------------------------------------------------

// Rows are executed on this process's devices; what is another's, its client binds.
static mr_status bind_devices(PJRT_LoadedExecutable *loaded, size_t count) {
  const PJRT_Executable *executable = loaded->executable;
  for (size_t i = 0; i < count; i++) {
    PJRT_Device *device = mr_pjrt_device_of_id(loaded->client, executable->device_ids[i]);
    if (device == NULL) {
      return mr_error(MR_INVALID_ARGUMENT, "device assignment names device %lld, wanted 0 to %zu",
                      (long long)executable->device_ids[i], loaded->client->device_count - 1);
    }
    if (device->device) {
      MR_TRY(mr_executable_load(executable->executable, device->device));
      loaded->devices[loaded->device_count] = device;
      loaded->logical_ids[loaded->device_count++] =
          (PJRT_LogicalDeviceIds){.replica = (int)((int64_t)i / executable->partitions),
                                  .partition = (int)((int64_t)i % executable->partitions)};
    }
  }
  return MR_OK;
}

// Whether the client's host wants a custom call of the program's to have run when a call returns.
static bool has_call_of(const char *targets, const mr_executable *executable) {
  while (targets) {
    const char *comma = strchr(targets, ',');
    mr_str target = {targets, comma ? (size_t)(comma - targets) : strlen(targets)};
    if (mr_executable_calls_target(executable, target)) {
      return true;
    }
    targets = comma ? comma + 1 : NULL;
  }
  return false;
}

mr_status mr_pjrt_executable_load(PJRT_Client *client, PJRT_Executable *executable,
                                  PJRT_LoadedExecutable **out_loaded) {
  *out_loaded = NULL;
  MR_TRY(mr_pjrt_client_check(client));
  size_t count = (size_t)(executable->replicas * executable->partitions);
  size_t bytes = sizeof(PJRT_LoadedExecutable) + count * (sizeof(PJRT_Device *) + sizeof(PJRT_LogicalDeviceIds));
  PJRT_LoadedExecutable *loaded = mr_alloc_zeroed(1, bytes);
  if (loaded == NULL) {
    return MR_NO_MEMORY();
  }
  loaded->client = client;
  loaded->executable = executable;
  loaded->in_call = count == 1 && has_call_of(client->ext->in_call, executable->executable);
  loaded->devices = (PJRT_Device **)(loaded + 1);
  loaded->logical_ids = (PJRT_LogicalDeviceIds *)(loaded->devices + count);
  mr_status status = bind_devices(loaded, count);
  if (status) {
    mr_free(loaded);
    return status;
  }
  mr_ref_retain(&executable->ref);
  mr_platform_enter(client->platform);
  mr_census_add(MR_CENSUS_loaded_executables, 1);
  *out_loaded = loaded;
  return MR_OK;
}

// ---- Slots ----------------------------------------------------------------------------------------------------------------

static mr_status compile_program(const PJRT_Program *program, const char *options, size_t options_size,
                                 mr_pjrt_places places, PJRT_Executable **out_executable) {
  if (program->struct_size < PJRT_ABI_END(PJRT_Program, format_size)) {
    return mr_error(MR_INVALID_ARGUMENT, "program: struct_size is %zu, wanted at least %zu", program->struct_size,
                    PJRT_ABI_END(PJRT_Program, format_size));
  }
  if ((program->code_size && !program->code) || (program->format_size && !program->format)) {
    return mr_error(MR_INVALID_ARGUMENT, "program: %s is NULL", program->format ? "code" : "format");
  }
  mr_program_format format;
  MR_TRY(mr_pjrt_format_parse((mr_str){program->format, program->format_size}, &format));
  return mr_pjrt_executable_compile((mr_span){program->code, program->code_size}, format,
                                    (mr_span){options, options_size}, places, out_executable);
}

PJRT_Error *mr_pjrt_Client_Compile(PJRT_Client_Compile_Args *args) {
  MR_PJRT_NEED(args, executable);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_NONNULL(args, program);
  MR_PJRT_NONNULL_IF(args, compile_options_size, compile_options);
  args->executable = NULL;
  PJRT_Executable *executable;
  MR_PJRT_TRY(compile_program(args->program, args->compile_options, args->compile_options_size,
                              mr_pjrt_client_places(args->client), &executable));
  mr_status status = mr_pjrt_executable_load(args->client, executable, &args->executable);
  mr_pjrt_executable_release(executable);
  return mr_pjrt_error(status);
}

PJRT_Error *mr_pjrt_Compile(PJRT_Compile_Args *args) {
  MR_PJRT_NEED(args, executable);
  MR_PJRT_NONNULL(args, topology);
  MR_PJRT_NONNULL(args, program);
  MR_PJRT_NONNULL_IF(args, compile_options_size, compile_options);
  args->executable = NULL;
  MR_PJRT_TRY(compile_program(args->program, args->compile_options, args->compile_options_size,
                              mr_pjrt_topology_places(args->topology), &args->executable));
  return NULL;
}

// With other options than it was compiled with, it is compiled again; its kernels are in the cache.
static mr_status load_with(PJRT_Client *client, PJRT_Executable *executable, mr_span options,
                           PJRT_LoadedExecutable **out_loaded) {
  mr_span own = executable->options;
  if (options.size == 0 || (options.size == own.size && memcmp(options.data, own.data, own.size) == 0)) {
    return mr_pjrt_executable_load(client, executable, out_loaded);
  }
  PJRT_Executable *again;
  MR_TRY(mr_pjrt_executable_compile(executable->program, executable->format, options, mr_pjrt_client_places(client),
                                    &again));
  mr_status status = mr_pjrt_executable_load(client, again, out_loaded);
  mr_pjrt_executable_release(again);
  return status;
}

PJRT_Error *mr_pjrt_Client_Load(PJRT_Client_Load_Args *args) {
  MR_PJRT_NEED(args, loaded_executable);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_NONNULL(args, executable);
  MR_PJRT_NONNULL_IF(args, compile_options_size, compile_options);
  args->loaded_executable = NULL;
  MR_PJRT_TRY(load_with(args->client, args->executable, (mr_span){args->compile_options, args->compile_options_size},
                        &args->loaded_executable));
  return NULL;
}
