// The walk's parts on the plugin, errors, events, clients, devices and topologies.
#include <stdlib.h>
#include <string.h>

#include "tests/pjrt_walk/walk.h"

walk_seen walk;
walk_world world;
const float walk_six[6] = {1, 2, 3, 4, 5, 6};
const int64_t walk_dims[1] = {6};

void walk_plugin(void **state) {
  (void)state;
  HOST_ARGS(init, Plugin_Initialize);
  WALK_OK(Plugin_Initialize, &init);
  WALK_OK(Plugin_Initialize, &init);  // again: a second host in the process
  HOST_ARGS(attributes, Plugin_Attributes);
  WALK_OK(Plugin_Attributes, &attributes);
  assert_true(attributes.num_attributes >= 3);
}

static void count_payloads(const char *key, size_t key_size, const char *value, size_t value_size, void *user) {
  assert_int_equal(key_size, 4);
  assert_memory_equal(key, "kind", 4);
  assert_int_equal(value_size, 5);
  assert_memory_equal(value, "value", 5);
  *(int *)user += 1;
}

static PJRT_Error *an_error(void) {
  HOST_ARGS(args, Client_LookupDevice, .client = world.client, .id = 99);
  return host_api()->PJRT_Client_LookupDevice(&args);
}

static void fired(PJRT_Error *error, void *user) { *(int *)user += 1 + 10 * (int)host_take_error(error, NULL); }

void walk_errors_and_events(void **state) {
  (void)state;
  PJRT_Error *error = an_error();
  HOST_ARGS(code, Error_GetCode, .error = error);
  WALK_OK(Error_GetCode, &code);
  assert_int_equal(code.code, PJRT_Error_Code_INVALID_ARGUMENT);
  HOST_ARGS(message, Error_Message, .error = error);
  host_api()->PJRT_Error_Message(&message);
  walk.good[SLOT_Error_Message] = message.message_size > 0;
  int payloads = 0;
  HOST_ARGS(visit, Error_ForEachPayload, .error = error, .visitor = count_payloads, .user_arg = &payloads);
  WALK_OK(Error_ForEachPayload, &visit);
  assert_int_equal(payloads, 0);
  HOST_ARGS(destroy, Error_Destroy, .error = error);
  host_api()->PJRT_Error_Destroy(&destroy);
  destroy.error = NULL;
  host_api()->PJRT_Error_Destroy(&destroy);
  walk.good[SLOT_Error_Destroy] = true;

  HOST_ARGS(create, Event_Create);
  WALK_OK(Event_Create, &create);
  HOST_ARGS(ready, Event_IsReady, .event = create.event);
  WALK_OK(Event_IsReady, &ready);
  assert_false(ready.is_ready);
  HOST_ARGS(status, Event_Error, .event = create.event);
  WALK_REFUSED(Event_Error, &status, FAILED_PRECONDITION);  // not ready
  int calls = 0;
  HOST_ARGS(then, Event_OnReady, .event = create.event, .callback = fired, .user_arg = &calls);
  WALK_OK(Event_OnReady, &then);
  HOST_ARGS(set, Event_Set, .event = create.event, .error_code = PJRT_Error_Code_ABORTED, .error_message = "no",
            .error_message_size = 2);
  WALK_OK(Event_Set, &set);
  assert_int_equal(calls, 1 + 10 * PJRT_Error_Code_ABORTED);
  WALK_REFUSED(Event_Set, &set, FAILED_PRECONDITION);  // a second time
  WALK_REFUSED(Event_Error, &status, ABORTED);
  HOST_ARGS(await, Event_Await, .event = create.event);
  WALK_REFUSED(Event_Await, &await, ABORTED);
  HOST_ARGS(gone, Event_Destroy, .event = create.event);
  WALK_OK(Event_Destroy, &gone);
  gone.event = NULL;
  WALK_OK(Event_Destroy, &gone);
  WALK_OK(Event_Create, &create);  // destroyed before it is ready
  gone.event = create.event;
  WALK_OK(Event_Destroy, &gone);

  WALK_OK(Event_Create, &create);
  set = (PJRT_Event_Set_Args){.struct_size = sizeof set, .event = create.event};
  WALK_OK(Event_Set, &set);
  status.event = await.event = gone.event = create.event;
  WALK_OK(Event_Error, &status);
  WALK_OK(Event_Await, &await);
  WALK_OK(Event_Destroy, &gone);
}

// As hosts of API 0.73 write it, with a task id that looks like a size: refused, and nothing behind its end is read.
static void walk_old_process_info(void) {
  HOST_ARGS(update, Client_UpdateGlobalProcessInfo, .client = world.client, .num_process_infos = 1);
  typedef struct old_info {
    int task_id;
    uint64_t incarnation_id;
    PJRT_ProcessState state;
    int error_code;
    const char *error_message;
    size_t error_message_size;
  } old_info;
  for (int k = 0; k < 2; k++) {
    old_info *old = calloc(1, sizeof *old);
    *old = (old_info){.task_id = 64, .incarnation_id = 7, .state = PJRT_ProcessState_kConnected};
    old->error_message = k ? "lost" : NULL;
    old->error_message_size = k ? 4 : 0;
    update.process_infos = (PJRT_ProcessInfo *)old;
    WALK_REFUSED(Client_UpdateGlobalProcessInfo, &update, INVALID_ARGUMENT);
    free(old);
  }
}

void walk_clients(void **state) {
  (void)state;
  HOST_ARGS(create, Client_Create);
  WALK_OK(Client_Create, &create);
  HOST_ARGS(destroy, Client_Destroy, .client = create.client);
  WALK_OK(Client_Destroy, &destroy);
  destroy.client = NULL;
  WALK_OK(Client_Destroy, &destroy);
  HOST_ARGS(name, Client_PlatformName, .client = world.client);
  WALK_OK(Client_PlatformName, &name);
  HOST_ARGS(version, Client_PlatformVersion, .client = world.client);
  WALK_OK(Client_PlatformVersion, &version);
  HOST_ARGS(process, Client_ProcessIndex, .client = world.client);
  WALK_OK(Client_ProcessIndex, &process);
  HOST_ARGS(devices, Client_Devices, .client = world.client);
  WALK_OK(Client_Devices, &devices);
  assert_int_equal(devices.num_devices, 2);
  HOST_ARGS(local, Client_AddressableDevices, .client = world.client);
  WALK_OK(Client_AddressableDevices, &local);
  HOST_ARGS(lookup, Client_LookupDevice, .client = world.client, .id = 1);
  WALK_OK(Client_LookupDevice, &lookup);
  assert_ptr_equal(lookup.device, world.second);
  HOST_ARGS(hardware, Client_LookupAddressableDevice, .client = world.client, .local_hardware_id = 0);
  WALK_OK(Client_LookupAddressableDevice, &hardware);
  hardware.local_hardware_id = -1;
  WALK_REFUSED(Client_LookupAddressableDevice, &hardware, INVALID_ARGUMENT);
  HOST_ARGS(memories, Client_AddressableMemories, .client = world.client);
  WALK_OK(Client_AddressableMemories, &memories);
  assert_int_equal(memories.num_addressable_memories, 6);
  HOST_ARGS(topology, Client_TopologyDescription, .client = world.client);
  WALK_OK(Client_TopologyDescription, &topology);

  int assignment[2] = {-1, -1};
  HOST_ARGS(assign, Client_DefaultDeviceAssignment, .client = world.client, .num_replicas = 1, .num_partitions = 2,
            .default_assignment_size = 2, .default_assignment = assignment);
  WALK_OK(Client_DefaultDeviceAssignment, &assign);
  assert_int_equal(assignment[1], 1);
  assign.default_assignment_size = 1;
  WALK_REFUSED(Client_DefaultDeviceAssignment, &assign, INVALID_ARGUMENT);
  assign.num_partitions = -1;
  WALK_REFUSED(Client_DefaultDeviceAssignment, &assign, INVALID_ARGUMENT);

  char page[64];
  HOST_ARGS(map, Client_DmaMap, .client = world.client, .data = page, .size = sizeof page);
  WALK_OK(Client_DmaMap, &map);
  WALK_REFUSED(Client_DmaMap, &map, ALREADY_EXISTS);
  HOST_ARGS(unmap, Client_DmaUnmap, .client = world.client, .data = page);
  WALK_OK(Client_DmaUnmap, &unmap);
  WALK_REFUSED(Client_DmaUnmap, &unmap, NOT_FOUND);

  PJRT_ProcessInfo info = {.struct_size = sizeof info, .task_id = 0, .state = PJRT_ProcessState_kConnected};
  HOST_ARGS(update, Client_UpdateGlobalProcessInfo, .client = world.client, .process_infos = &info,
            .num_process_infos = 1);
  WALK_OK(Client_UpdateGlobalProcessInfo, &update);
  info.struct_size = 8;
  WALK_REFUSED(Client_UpdateGlobalProcessInfo, &update, INVALID_ARGUMENT);
  walk_old_process_info();
}

static void walk_descriptions(PJRT_DeviceDescription *description) {
  HOST_ARGS(id, DeviceDescription_Id, .device_description = description);
  WALK_OK(DeviceDescription_Id, &id);
  HOST_ARGS(process, DeviceDescription_ProcessIndex, .device_description = description);
  WALK_OK(DeviceDescription_ProcessIndex, &process);
  HOST_ARGS(attributes, DeviceDescription_Attributes, .device_description = description);
  WALK_OK(DeviceDescription_Attributes, &attributes);
  HOST_ARGS(kind, DeviceDescription_Kind, .device_description = description);
  WALK_OK(DeviceDescription_Kind, &kind);
  HOST_ARGS(debug, DeviceDescription_DebugString, .device_description = description);
  WALK_OK(DeviceDescription_DebugString, &debug);
  HOST_ARGS(text, DeviceDescription_ToString, .device_description = description);
  WALK_OK(DeviceDescription_ToString, &text);
}

static void walk_memories(PJRT_Memory *memory) {
  HOST_ARGS(id, Memory_Id, .memory = memory);
  WALK_OK(Memory_Id, &id);
  HOST_ARGS(kind, Memory_Kind, .memory = memory);
  WALK_OK(Memory_Kind, &kind);
  HOST_ARGS(number, Memory_Kind_Id, .memory = memory);
  WALK_OK(Memory_Kind_Id, &number);
  HOST_ARGS(debug, Memory_DebugString, .memory = memory);
  WALK_OK(Memory_DebugString, &debug);
  HOST_ARGS(text, Memory_ToString, .memory = memory);
  WALK_OK(Memory_ToString, &text);
  HOST_ARGS(devices, Memory_AddressableByDevices, .memory = memory);
  WALK_OK(Memory_AddressableByDevices, &devices);
  assert_int_equal(devices.num_devices, 1);
  assert_non_null(memory->vtable);  // what hosts of version 0.105 and later call through
  static int key;
  int datum = 7;
  memory->vtable->set_user_data(memory, &key, &datum, NULL);
  assert_ptr_equal(memory->vtable->get_user_data(memory, &key), &datum);
  memory->vtable->set_user_data(memory, &key, NULL, NULL);
}

// What its description says, and what kinds of device say all; some say more.
static void expect_attributes(const PJRT_NamedValue *values, size_t count) {
  static const char *const names[] = {"slice_index", "kind", "concurrency", "numa_node"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t found = 0;
    for (size_t k = 0; k < count; k++) {
      found += values[k].name_size == strlen(names[i]) && memcmp(values[k].name, names[i], strlen(names[i])) == 0;
    }
    assert_int_equal(found, 1);
  }
}

void walk_devices(void **state) {
  (void)state;
  PJRT_Device *device = world.device;
  HOST_ARGS(description, Device_GetDescription, .device = device);
  WALK_OK(Device_GetDescription, &description);
  walk_descriptions(description.device_description);
  HOST_ARGS(local, Device_IsAddressable, .device = device);
  WALK_OK(Device_IsAddressable, &local);
  HOST_ARGS(hardware, Device_LocalHardwareId, .device = device);
  WALK_OK(Device_LocalHardwareId, &hardware);
  HOST_ARGS(memories, Device_AddressableMemories, .device = device);
  WALK_OK(Device_AddressableMemories, &memories);
  HOST_ARGS(memory, Device_DefaultMemory, .device = device);
  WALK_OK(Device_DefaultMemory, &memory);
  walk_memories(memory.memory);
  HOST_ARGS(stats, Device_MemoryStats, .device = device);
  WALK_OK(Device_MemoryStats, &stats);
  HOST_ARGS(clear, Device_ClearMemoryStats, .device = device);
  WALK_OK(Device_ClearMemoryStats, &clear);
  HOST_ARGS(attributes, Device_GetAttributes, .device = device);
  WALK_OK(Device_GetAttributes, &attributes);
  expect_attributes(attributes.attributes, attributes.num_attributes);
  attributes.attributes_deleter(attributes.device_attributes);
  HOST_ARGS(event, Device_CreateAsyncTrackingEvent, .device = device, .description = "copy", .description_size = 4);
  WALK_OK(Device_CreateAsyncTrackingEvent, &event);
  HOST_ARGS(gone, AsyncTrackingEvent_Destroy, .event = event.event);
  WALK_OK(AsyncTrackingEvent_Destroy, &gone);
  gone.event = NULL;
  WALK_OK(AsyncTrackingEvent_Destroy, &gone);
  HOST_ARGS(poison, Device_PoisonExecution, .device = device, .launch_id = 12345,
            .error_code = PJRT_Error_Code_ABORTED);
  WALK_OK(Device_PoisonExecution, &poison);
  assert_false(poison.poisoned);
}

void walk_topologies(void **state) {
  (void)state;
  const PJRT_NamedValue count = {.struct_size = sizeof count,
                                 .name = "num_devices",
                                 .name_size = 11,
                                 .type = PJRT_NamedValue_kInt64,
                                 .int64_value = 3,
                                 .value_size = 1};
  HOST_ARGS(create, TopologyDescription_Create, .create_options = &count, .num_options = 1);
  WALK_OK(TopologyDescription_Create, &create);
  PJRT_TopologyDescription *topology = create.topology;
  HOST_ARGS(name, TopologyDescription_PlatformName, .topology = topology);
  WALK_OK(TopologyDescription_PlatformName, &name);
  HOST_ARGS(version, TopologyDescription_PlatformVersion, .topology = topology);
  WALK_OK(TopologyDescription_PlatformVersion, &version);
  HOST_ARGS(devices, TopologyDescription_GetDeviceDescriptions, .topology = topology);
  WALK_OK(TopologyDescription_GetDeviceDescriptions, &devices);
  assert_int_equal(devices.num_descriptions, 3);
  HOST_ARGS(attributes, TopologyDescription_Attributes, .topology = topology);
  WALK_OK(TopologyDescription_Attributes, &attributes);
  HOST_ARGS(print, TopologyDescription_Fingerprint, .topology = topology);
  WALK_OK(TopologyDescription_Fingerprint, &print);
  HOST_ARGS(kinds, TopologyDescription_GetMemorySpaceKindIds, .topology = topology);
  WALK_OK(TopologyDescription_GetMemorySpaceKindIds, &kinds);
  assert_int_equal(kinds.num_memory_space_kind_ids, 3);
  HOST_ARGS(kind, Memory_Kind_Id, .memory = host_memory(world.device, "pinned_host"));
  WALK_OK(Memory_Kind_Id, &kind);
  assert_int_equal(kinds.memory_space_kind_ids[1], kind.kind_id);  // the numbers that memories have
  static const int64_t dims[] = {2, 3};
  HOST_ARGS(shape, TopologyDescription_MakeCanonicalShapeForMemorySpace, .topology = topology,
            .memory_space_kind_id = kind.kind_id, .dims = dims, .num_dims = 2, .element_type = PJRT_Buffer_Type_F32);
  WALK_OK(TopologyDescription_MakeCanonicalShapeForMemorySpace, &shape);
  shape.serialized_shape_deleter(shape.serialized_shape);
  shape.memory_space_kind_id = 17;
  WALK_REFUSED(TopologyDescription_MakeCanonicalShapeForMemorySpace, &shape, INVALID_ARGUMENT);
  HOST_ARGS(bytes, TopologyDescription_Serialize, .topology = topology);
  WALK_OK(TopologyDescription_Serialize, &bytes);
  HOST_ARGS(read, TopologyDescription_Deserialize, .serialized_topology = bytes.serialized_bytes,
            .serialized_topology_size = bytes.serialized_bytes_size);
  WALK_OK(TopologyDescription_Deserialize, &read);
  HOST_ARGS(destroy, TopologyDescription_Destroy, .topology = read.topology);
  WALK_OK(TopologyDescription_Destroy, &destroy);
  read.serialized_topology_size -= 2;
  WALK_REFUSED(TopologyDescription_Deserialize, &read, INVALID_ARGUMENT);
  bytes.serialized_topology_deleter(bytes.serialized_topology);

  // Ahead of time: no client is asked.
  PJRT_Program program = walk_program(walk_add);
  HOST_ARGS(compile, Compile, .topology = topology, .program = &program);
  WALK_OK(Compile, &compile);
  HOST_ARGS(gone, Executable_Destroy, .executable = compile.executable);
  WALK_OK(Executable_Destroy, &gone);
  destroy.topology = topology;
  WALK_OK(TopologyDescription_Destroy, &destroy);
  destroy.topology = NULL;
  WALK_OK(TopologyDescription_Destroy, &destroy);
}
