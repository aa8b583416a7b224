// Clients: creation, names, lists of what a client owns.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/census.h"
#include "pjrt/abi/named_value.h"
#include "pjrt/cross_host/cross_host.h"
#include "pjrt/cross_host/nodes.h"
#include "pjrt/ffi/ffi.h"
#include "pjrt/objects/completion.h"
#include "pjrt/objects/ext_client.h"
#include "pjrt/objects/flights.h"
#include "pjrt/objects/objects.h"
#include "pjrt/proto/flags.h"

// As long as XLA waits for a process.
enum { TOPOLOGY_TIMEOUT_MS = 120000 };

// ---- Creation ---------------------------------------------------------------------------------------------------------

static mr_status set_text(char *to, const char *name, mr_str text) {
  if (text.size == 0 || text.size >= MR_PJRT_NAME_SIZE) {
    return mr_error(MR_INVALID_ARGUMENT, "%s has %zu characters, wanted 1 to %d", name, text.size,
                    MR_PJRT_NAME_SIZE - 1);
  }
  memcpy(to, text.data, text.size);
  to[text.size] = 0;
  return MR_OK;
}

static mr_status set_platform_name(mr_pjrt_create_options *options, mr_str name) {
  return set_text(options->platform_name, "platform_name", name);
}

// What JAX sends when it was initialized for several processes, and how long to wait for them.
static mr_status read_run_option(const PJRT_NamedValue *value, mr_pjrt_create_options *out) {
  const struct {
    const char *name;
    int64_t min, max;
    int32_t *field;
  } fields[] = {
      {"node_id", 0, MR_PJRT_MAX_NODES - 1, &out->node_id},
      {"num_nodes", 1, MR_PJRT_MAX_NODES, &out->num_nodes},
      {"partition_index", 0, INT32_MAX, &out->slice},
      {"topology_timeout_ms", 1, INT32_MAX, &out->topology_timeout_ms},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(fields); i++) {
    if (mr_str_is(mr_pjrt_value_name(value), fields[i].name)) {
      int64_t number;
      MR_TRY(mr_pjrt_value_as_int(value, fields[i].min, fields[i].max, &number));
      *fields[i].field = (int32_t)number;
    }
  }
  return MR_OK;
}

// How much may be queued; 0: any amount.
static mr_status read_limit(const PJRT_NamedValue *value, const char *name, uint32_t *out_limit) {
  int64_t number;
  if (mr_str_is(mr_pjrt_value_name(value), name)) {
    MR_TRY(mr_pjrt_value_as_int(value, 0, UINT32_MAX - 1, &number));
    *out_limit = number ? (uint32_t)number : MR_ADMISSION_ANY;
  }
  return MR_OK;
}

// As XLA:CPU has it: what the host's own configuration says is heard before XLA_FLAGS.
static mr_status read_flags(mr_pjrt_create_options *out) {
  int64_t count;
  if (out->num_cpus == 0) {
    MR_TRY(mr_pjrt_flag_int("xla_force_host_platform_device_count", 0, 1, MR_PJRT_MAX_DEVICES, &count));
    out->num_cpus = (uint32_t)count;
  }
  return MR_OK;
}

// An option that nobody reads is a slip, or means to do something that will not be done.
static mr_status check_create_option(mr_str name) {
  static const char *const known[] = {
#define CREATE_OPTION(name, type, why) #name,
#include "pjrt/objects/create_options.def"
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(known); i++) {
    if (mr_str_is(name, known[i])) {
      return MR_OK;
    }
  }
  return mr_error(MR_INVALID_ARGUMENT, "no such create option: '%.*s'", MR_STR_ARG(name));
}

static mr_status read_create_option(const PJRT_NamedValue *value, mr_pjrt_create_options *out) {
  mr_str name = mr_pjrt_value_name(value);
  MR_TRY(check_create_option(name));
  if (mr_str_is(name, "platform_name")) {
    mr_str text;
    MR_TRY(mr_pjrt_value_as_string(value, &text));
    return set_platform_name(out, text);
  }
  bool of_cpu = mr_str_is(name, "cpu_device_count");
  if (mr_str_is(name, "num_devices") || of_cpu) {
    int64_t count;
    MR_TRY(mr_pjrt_value_as_int(value, 1, MR_PJRT_MAX_DEVICES, &count));
    *(of_cpu ? &out->num_cpus : &out->num_devices) = (uint32_t)count;
  }
  if (mr_str_is(name, "devices")) {
    mr_str text;
    MR_TRY(mr_pjrt_value_as_string(value, &text));
    return set_text(out->devices, "devices", text);
  }
  if (mr_str_is(name, "streams")) {
    int64_t wanted;
    MR_TRY(mr_pjrt_value_as_int(value, 0, 1, &wanted));
    out->no_streams = wanted == 0;
  }
  MR_TRY(read_limit(value, "queue_calls", &out->queue_calls));
  MR_TRY(read_limit(value, "queue_mb", &out->queue_mb));
  if (mr_str_is(name, "asynchronous")) {
    int64_t wanted;
    MR_TRY(mr_pjrt_value_as_int(value, 0, 1, &wanted));
    out->waits = wanted == 0;
  }
  if (mr_str_is(name, "ffi_errors")) {
    int64_t address;
    MR_TRY(mr_pjrt_value_as_int(value, 1, INT64_MAX, &address));
    MR_TRY(mr_pjrt_ffi_use_errors((const XLA_FFI_Api *)(uintptr_t)address));
  }
  if (mr_str_is(name, "run_in_call")) {
    MR_TRY(mr_pjrt_value_as_string(value, &out->in_call));
  }
  return read_run_option(value, out);
}

mr_status mr_pjrt_create_options_read(const PJRT_NamedValue *values, size_t count, mr_pjrt_create_options *out) {
  // "cpu" makes JAX use its CPU lowering rules, callbacks, donation and dlpack.
  *out = (mr_pjrt_create_options){
      .platform_name = "cpu", .num_nodes = 1, .slice = -1, .topology_timeout_ms = TOPOLOGY_TIMEOUT_MS};
  const char *name = getenv("MILLRACE_PLATFORM_NAME");
  if (name && *name) {
    MR_TRY(set_platform_name(out, mr_str_of(name)));
  }
  for (size_t i = 0; i < count; i++) {
    MR_TRY(read_create_option(MR_PJRT_ELEMENT(values, i), out));
  }
  MR_TRY(read_flags(out));
  return out->node_id < out->num_nodes ? MR_OK
                                       : mr_error(MR_INVALID_ARGUMENT, "option 'node_id' is %d, wanted 0 to %d",
                                                  (int)out->node_id, (int)out->num_nodes - 1);
}

// Of what runs other code than the rest: hosts keep compiled programs by the kind of their devices.
static void describe_target(PJRT_DeviceDescription *description, const mr_device *inner) {
  const char *name = "";
  for (size_t i = 0; i < inner->num_attributes; i++) {
    bool is_name = strcmp(inner->attributes[i].name, "name") == 0 && inner->attributes[i].text;
    name = is_name ? inner->attributes[i].text : name;
  }
  snprintf(description->kind, sizeof description->kind, MR_PJRT_DEVICE_KIND " %s%s%s", inner->ops->name,
           *name ? " " : "", name);
  snprintf(description->to_string, sizeof description->to_string, "MillraceDevice(id=%d, kind=%s)", description->id,
           inner->ops->name);
}

static void local_device_init(PJRT_Device *device, mr_device *inner, PJRT_Memory **memories) {
  device->device = inner;
  if (mr_device_target(inner)) {
    describe_target(device->description, inner);
  }
  for (size_t kind = 0; kind < MR_MEMORY_KINDS; kind++) {
    mr_pjrt_memory_init(&device->memories[kind], &inner->memories[kind], device);
    device->memory_list[kind] = memories[kind] = &device->memories[kind].base;
  }
}

static void devices_init(PJRT_Client *client, size_t first_local) {
  for (size_t i = 0; i < client->topology->count; i++) {
    client->devices[i].client = client;
    client->devices[i].description = client->topology->description_list[i];
    client->devices[i].self = client->device_list[i] = &client->devices[i];
  }
  client->device_count = client->topology->count;
  client->local_list = client->device_list + first_local;
  client->local_count = mr_platform_device_count(client->platform);
  for (size_t i = 0; i < client->local_count; i++) {
    local_device_init(client->local_list[i], mr_platform_device(client->platform, i),
                      client->memory_list + i * MR_MEMORY_KINDS);
  }
  client->memory_count = client->local_count * MR_MEMORY_KINDS;
}

// Alone a process knows everything; otherwise the others are asked.
static mr_status make_topology(PJRT_Client *client, const mr_pjrt_create_options *options,
                               const mr_pjrt_key_value *store) {
  int32_t local = (int32_t)mr_platform_device_count(client->platform);
  mr_pjrt_node *nodes = mr_alloc_zeroed((size_t)options->num_nodes, sizeof *nodes);
  if (nodes == NULL) {
    return MR_NO_MEMORY();
  }
  nodes[0] = (mr_pjrt_node){.devices = local, .slice = MR_MAX(options->slice, 0)};
  mr_status status = MR_OK;
  if (options->num_nodes > 1) {
    const mr_pjrt_run run = {.node = options->node_id,
                             .nodes = options->num_nodes,
                             .slice = options->slice,
                             .timeout_ms = options->topology_timeout_ms,
                             .platform_name = options->platform_name,
                             .version = mr_pjrt_platform_version().data,
                             .store = *store};
    status = mr_pjrt_nodes_exchange(&run, local, nodes);
  }
  status = status ? status
                  : mr_pjrt_topology_create(mr_str_of(options->platform_name), nodes, (size_t)options->num_nodes,
                                            &client->topology);
  mr_free(nodes);
  return status;
}

static size_t first_local_device(const PJRT_Client *client) {
  size_t first = 0;
  while (client->topology->descriptions[first].process_index != client->process_index) {
    first++;
  }
  return first;
}

static mr_status client_init(PJRT_Client *client, const mr_pjrt_create_options *options,
                             const mr_pjrt_key_value *store) {
  pthread_mutex_init(&client->user_data_lock, NULL);
  MR_TRY(mr_pjrt_flights_create(&client->flights));
  mr_scheduler_suggest_workers(mr_pjrt_asked_threads());
  const mr_platform_options wanted = {.num_devices = options->num_devices,
                                      .num_cpus = options->num_cpus,
                                      .kinds = options->devices[0] ? options->devices : NULL,
                                      .queue_calls = options->queue_calls,
                                      .queue_mb = options->queue_mb};
  MR_TRY(mr_platform_create(&wanted, &client->platform));
  client->warm = mr_compiler_warm_up(client->platform);
  client->process_index = options->node_id;
  MR_TRY(make_topology(client, options, store));
  client->devices = mr_alloc_zeroed(client->topology->count, sizeof *client->devices);
  client->device_list = mr_alloc_zeroed(client->topology->count, sizeof *client->device_list);
  client->memory_list =
      mr_alloc_zeroed(mr_platform_device_count(client->platform) * MR_MEMORY_KINDS, sizeof *client->memory_list);
  if (!client->devices || !client->device_list || !client->memory_list) {
    return MR_NO_MEMORY();
  }
  devices_init(client, first_local_device(client));
  MR_TRY(mr_pjrt_client_ext_create(client->local_count, store, &client->ext));
  client->ext->no_streams = options->no_streams;
  client->ext->waits = options->waits;
  return options->in_call.size ? mr_pjrt_client_ext_call_in(client->ext, options->in_call) : MR_OK;
}

// What the host attached goes when it destroys the client, and what came after that with the client.
static void drop_user_data(PJRT_Client *client) {
  for (size_t i = 0; i < client->memory_count; i++) {
    mr_pjrt_memory_deinit(mr_pjrt_memory_of(client->memory_list[i]));
  }
}

// Nothing is alive that points here.
static void client_free(void *arg) {
  PJRT_Client *client = arg;
  drop_user_data(client);
  mr_pjrt_client_ext_destroy(client->ext);
  while (client->dma_ranges) {
    mr_pjrt_dma_range *range = client->dma_ranges;
    client->dma_ranges = range->next;
    mr_free(range);
  }
  mr_free(client->memory_list);
  mr_free(client->device_list);
  for (size_t i = 0; client->devices && i < client->device_count; i++) {
    mr_pjrt_completion_end(&client->devices[i]);
  }
  mr_free(client->devices);
  mr_pjrt_topology_release(client->topology);
  mr_pjrt_flights_release(client->flights);
  pthread_mutex_destroy(&client->user_data_lock);
  mr_census_add(MR_CENSUS_clients, -1);
  mr_free(client);
}

// Ends what is under way, but for what waits for the host. The rest of the client goes with its platform: now, or when the
// last of the buffers and whatever else keeps it is gone, on that one's thread.
static void client_destroy(PJRT_Client *client) {
  atomic_store_explicit(&client->closed, true, memory_order_relaxed);
  mr_compiler_warm_up_end(client->warm);
  if (client->platform == NULL) {
    client_free(client);
    return;
  }
  mr_platform_give_up(client->platform);
  mr_platform_finish(client->platform);
  mr_pjrt_client_ext_end(client->ext);
  drop_user_data(client);
  mr_platform_when_gone(client->platform, client_free, client);
  mr_platform_release(client->platform);
}

mr_status mr_pjrt_client_check(const PJRT_Client *client) {
  return MR_LIKELY(!atomic_load_explicit(&client->closed, memory_order_relaxed))
             ? MR_OK
             : mr_error(MR_FAILED_PRECONDITION, "the client has been destroyed");
}

static mr_status client_create(const PJRT_Client_Create_Args *args, PJRT_Client **out_client) {
  mr_pjrt_create_options options;
  MR_TRY(mr_pjrt_create_options_read(args->create_options, args->num_options, &options));
  mr_pjrt_key_value store = {0};
  if (options.num_nodes > 1) {  // otherwise hosts leave the callbacks' fields unset
    MR_TRY(mr_pjrt_key_value_of(args, &store));
  }
  PJRT_Client *client = mr_alloc_zeroed(1, sizeof *client);
  if (client == NULL) {
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_clients, 1);
  mr_status status = client_init(client, &options, &store);
  if (status) {
    client_destroy(client);
    return mr_status_note(status, "while creating a client");
  }
  *out_client = client;
  return MR_OK;
}

PJRT_Error *mr_pjrt_Client_Create(PJRT_Client_Create_Args *args) {
  MR_PJRT_NEED(args, client);
  args->client = NULL;
  MR_PJRT_NONNULL_IF(args, num_options, create_options);
  MR_PJRT_TRY(client_create(args, &args->client));
  return NULL;
}

PJRT_Error *mr_pjrt_Client_Destroy(PJRT_Client_Destroy_Args *args) {
  MR_PJRT_NEED(args, client);
  if (args->client) {
    MR_PJRT_TRY(mr_pjrt_client_check(args->client));
    client_destroy(args->client);
  }
  return NULL;
}

// ---- Questions ----------------------------------------------------------------------------------------------------------

MR_PJRT_GETTER(Client_PlatformName, client, platform_name_size,
               args->platform_name = args->client->topology->platform_name;
               args->platform_name_size = args->client->topology->platform_name_size)

MR_PJRT_GETTER(Client_ProcessIndex, client, process_index, args->process_index = args->client->process_index)

MR_PJRT_GETTER(Client_PlatformVersion, client, platform_version_size, mr_str version = mr_pjrt_platform_version();
               args->platform_version = version.data; args->platform_version_size = version.size)

MR_PJRT_GETTER(Client_TopologyDescription, client, topology, args->topology = args->client->topology)
MR_PJRT_GETTER(Client_Devices, client, num_devices, args->devices = args->client->device_list;
               args->num_devices = args->client->device_count)
MR_PJRT_GETTER(Client_AddressableDevices, client, num_addressable_devices,
               args->addressable_devices = args->client->local_list;
               args->num_addressable_devices = args->client->local_count)

static mr_status lookup(PJRT_Device *const *list, size_t count, const char *what, int id, PJRT_Device **out_device) {
  bool found = id >= 0 && (size_t)id < count;
  *out_device = found ? list[id] : NULL;
  return found ? MR_OK : mr_error(MR_INVALID_ARGUMENT, "no device with %s %d, wanted 0 to %zu", what, id, count - 1);
}

PJRT_Error *mr_pjrt_Client_LookupDevice(PJRT_Client_LookupDevice_Args *args) {
  MR_PJRT_NEED(args, device);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_TRY(lookup(args->client->device_list, args->client->device_count, "id", args->id, &args->device));
  return NULL;
}

PJRT_Error *mr_pjrt_Client_LookupAddressableDevice(PJRT_Client_LookupAddressableDevice_Args *args) {
  MR_PJRT_NEED(args, addressable_device);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_TRY(lookup(args->client->local_list, args->client->local_count, "local hardware id", args->local_hardware_id,
                     &args->addressable_device));
  return NULL;
}

MR_PJRT_GETTER(Client_AddressableMemories, client, num_addressable_memories,
               args->addressable_memories = args->client->memory_list;
               args->num_addressable_memories = args->client->memory_count)

PJRT_Error *mr_pjrt_Client_DefaultDeviceAssignment(PJRT_Client_DefaultDeviceAssignment_Args *args) {
  MR_PJRT_NEED(args, default_assignment);
  MR_PJRT_NONNULL(args, client);
  int64_t count = (int64_t)args->num_replicas * args->num_partitions;
  if (args->num_replicas < 1 || args->num_partitions < 1 || (size_t)count > args->client->device_count ||
      (size_t)count > args->default_assignment_size) {
    return mr_pjrt_error(
        mr_error(MR_INVALID_ARGUMENT,
                 "device assignment of %d replicas by %d partitions, wanted at most %zu devices and %zu places",
                 args->num_replicas, args->num_partitions, args->client->device_count, args->default_assignment_size));
  }
  MR_PJRT_NONNULL(args, default_assignment);
  int first = (int)mr_pjrt_first_place(mr_pjrt_client_places(args->client), (size_t)count);
  for (int i = 0; i < count; i++) {
    args->default_assignment[i] = first + i;
  }
  return NULL;
}

// ---- Registered memory ------------------------------------------------------------------------------------------------------
// Any address can be read and written by a transfer without registering it; the ranges are kept so that a host that
// mixes up its registrations hears of it.

static mr_status dma_map(PJRT_Client *client, uintptr_t start, size_t size) {
  if (size == 0 || start + size < start) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu bytes at address %#zx cannot be mapped", size, (size_t)start);
  }
  mr_pjrt_dma_range *range = mr_alloc(sizeof *range);
  if (range == NULL) {
    return MR_NO_MEMORY();
  }
  pthread_mutex_lock(&client->user_data_lock);
  const mr_pjrt_dma_range *other = client->dma_ranges;
  while (other && (start + size <= other->start || other->start + other->size <= start)) {
    other = other->next;
  }
  if (other == NULL) {
    *range = (mr_pjrt_dma_range){client->dma_ranges, start, size};
    client->dma_ranges = range;
    range = NULL;
  }
  pthread_mutex_unlock(&client->user_data_lock);
  bool refused = range != NULL;
  mr_free(range);
  return refused ? mr_error(MR_ALREADY_EXISTS, "%zu bytes at address %#zx are mapped already, or some of them", size,
                            (size_t)start)
                 : MR_OK;
}

static mr_status dma_unmap(PJRT_Client *client, uintptr_t start) {
  pthread_mutex_lock(&client->user_data_lock);
  mr_pjrt_dma_range **at = &client->dma_ranges;
  while (*at && (*at)->start != start) {
    at = &(*at)->next;
  }
  mr_pjrt_dma_range *range = *at;
  if (range) {
    *at = range->next;
  }
  pthread_mutex_unlock(&client->user_data_lock);
  bool found = range != NULL;
  mr_free(range);
  return found ? MR_OK : mr_error(MR_NOT_FOUND, "no memory is mapped from address %#zx", (size_t)start);
}

// Without effect: the range is remembered, and overlapping ones are refused; transfers read and write a host's memory as it is.
PJRT_Error *mr_pjrt_Client_DmaMap(PJRT_Client_DmaMap_Args *args) {
  MR_PJRT_NEED(args, size);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_NONNULL(args, data);
  MR_PJRT_TRY(dma_map(args->client, (uintptr_t)args->data, args->size));
  return NULL;
}

// Without effect: it forgets the range.
PJRT_Error *mr_pjrt_Client_DmaUnmap(PJRT_Client_DmaUnmap_Args *args) {
  MR_PJRT_NEED(args, data);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_NONNULL(args, data);
  MR_PJRT_TRY(dma_unmap(args->client, (uintptr_t)args->data));
  return NULL;
}

// ---- Processes --------------------------------------------------------------------------------------------------------------

// Hosts of API 0.73 and 0.74 have no struct_size here: the task's id is in its place, which may look like one, and all else lies a
// word earlier. Then the text's address, or NULL, is where ours has state and code; neither is a state and a code. Only
// what such a host's struct has is read before that is known.
static bool is_ours(const PJRT_ProcessInfo *info) {
  return (unsigned)info->state - 1 < PJRT_ProcessState_kError &&
         (unsigned)info->error_code <= PJRT_Error_Code_UNAUTHENTICATED;
}

static mr_status check_process(const PJRT_ProcessInfo *info, size_t index) {
  if (info->struct_size < PJRT_ABI_END(PJRT_ProcessInfo, error_message_size)) {
    return mr_error(MR_INVALID_ARGUMENT, "process %zu: struct_size is %zu, wanted at least %zu", index,
                    info->struct_size, PJRT_ABI_END(PJRT_ProcessInfo, error_message_size));
  }
  if (index == 0 && !is_ours(info)) {
    return mr_error(MR_INVALID_ARGUMENT, "process 0: state %d and error code %d, wanted 1 to %d and 0 to %d",
                    (int)info->state, info->error_code, (int)PJRT_ProcessState_kError,
                    (int)PJRT_Error_Code_UNAUTHENTICATED);
  }
  if (info->task_id < 0) {
    return mr_error(MR_INVALID_ARGUMENT, "process %zu: task id %d", index, info->task_id);
  }
  return MR_OK;
}

static mr_status why_lost(const PJRT_ProcessInfo *info) {
  mr_status told = mr_pjrt_status_of_code(info->error_code, info->error_message, info->error_message_size);
  told = told ? told : mr_error(MR_UNAVAILABLE, "it disconnected");
  return mr_status_note(told, "process %d is gone", info->task_id);
}

// Executions involve no other process, but transfers do.
static mr_status update_process(PJRT_Client *client, const PJRT_ProcessInfo *info) {
  mr_status status = MR_OK;
  if (info->state == PJRT_ProcessState_kConnected) {
    mr_pjrt_transfers_regain(client->ext->transfers, info->task_id);
  } else if (info->state == PJRT_ProcessState_kDisconnected || info->state == PJRT_ProcessState_kError) {
    mr_status why = why_lost(info);
    status = mr_pjrt_transfers_lose(client->ext->transfers, info->task_id, why);
    mr_status_free(why);
  }
  return status;
}

PJRT_Error *mr_pjrt_Client_UpdateGlobalProcessInfo(PJRT_Client_UpdateGlobalProcessInfo_Args *args) {
  MR_PJRT_NEED(args, num_process_infos);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_NONNULL_IF(args, num_process_infos, process_infos);
  for (size_t i = 0; i < args->num_process_infos; i++) {
    MR_PJRT_TRY(check_process(MR_PJRT_ELEMENT(args->process_infos, i), i));
  }
  for (size_t i = 0; i < args->num_process_infos; i++) {
    MR_PJRT_TRY(update_process(args->client, MR_PJRT_ELEMENT(args->process_infos, i)));
  }
  return NULL;
}
