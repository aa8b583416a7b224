// Clients of several processes: what they know of each other, what they may do with another's devices, and what happens when
// one does not come or does not fit. The processes are threads here; the plugin does not know.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_store.h"

typedef struct member {
  int node, nodes, devices;
  PJRT_Client *client;
  PJRT_Error *error;
} member;

static void *join_thread(void *argument) {
  member *self = argument;
  self->error = host_run_join(self->node, self->nodes, self->devices, HOST_RUN_TIMEOUT_MS, &self->client);
  return NULL;
}

static void join_all(member *members, int count) {
  pthread_t threads[4];
  host_api();
  for (int i = 0; i < count; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, join_thread, &members[i]), 0);
  }
  for (int i = 0; i < count; i++) {
    pthread_join(threads[i], NULL);
  }
}

static void assert_place(PJRT_Device *device, int id, int process, int local_id, bool addressable) {
  HOST_ARGS(description, Device_GetDescription, .device = device);
  HOST_OK(Device_GetDescription, &description);
  HOST_ARGS(number, DeviceDescription_Id, .device_description = description.device_description);
  HOST_OK(DeviceDescription_Id, &number);
  HOST_ARGS(index, DeviceDescription_ProcessIndex, .device_description = description.device_description);
  HOST_OK(DeviceDescription_ProcessIndex, &index);
  HOST_ARGS(local, Device_LocalHardwareId, .device = device);
  HOST_OK(Device_LocalHardwareId, &local);
  HOST_ARGS(here, Device_IsAddressable, .device = device);
  HOST_OK(Device_IsAddressable, &here);
  assert_int_equal(number.id, id);
  assert_int_equal(index.process_index, process);
  assert_int_equal(local.local_hardware_id, local_id);
  assert_int_equal(here.is_addressable, addressable);
}

static void assert_members(PJRT_Client *client, int node) {
  static const struct {
    int process, local_id;
  } wanted[] = {{0, 0}, {0, 1}, {1, 0}, {2, 0}, {2, 1}, {2, 2}};
  static const int first[] = {0, 2, 3}, count[] = {2, 1, 3};
  HOST_ARGS(index, Client_ProcessIndex, .client = client);
  HOST_OK(Client_ProcessIndex, &index);
  assert_int_equal(index.process_index, node);
  HOST_ARGS(devices, Client_Devices, .client = client);
  HOST_OK(Client_Devices, &devices);
  assert_int_equal(devices.num_devices, 6);
  for (int i = 0; i < 6; i++) {
    assert_place(devices.devices[i], i, wanted[i].process, wanted[i].local_id, wanted[i].process == node);
    HOST_ARGS(found, Client_LookupDevice, .client = client, .id = i);
    HOST_OK(Client_LookupDevice, &found);
    assert_ptr_equal(found.device, devices.devices[i]);
  }
  HOST_ARGS(local, Client_AddressableDevices, .client = client);
  HOST_OK(Client_AddressableDevices, &local);
  assert_int_equal(local.num_addressable_devices, count[node]);
  HOST_ARGS(hardware, Client_LookupAddressableDevice, .client = client, .local_hardware_id = 0);
  HOST_OK(Client_LookupAddressableDevice, &hardware);
  assert_ptr_equal(hardware.addressable_device, devices.devices[first[node]]);
  HOST_ARGS(memories, Client_AddressableMemories, .client = client);
  HOST_OK(Client_AddressableMemories, &memories);
  assert_int_equal(memories.num_addressable_memories, 3 * count[node]);
  int assignment[6];
  HOST_ARGS(assign, Client_DefaultDeviceAssignment, .client = client, .num_replicas = 1, .num_partitions = 1,
            .default_assignment_size = 6, .default_assignment = assignment);
  HOST_OK(Client_DefaultDeviceAssignment, &assign);
  assert_int_equal(assignment[0], first[node]);
  assign.num_replicas = 6;
  HOST_OK(Client_DefaultDeviceAssignment, &assign);
  assert_int_equal(assignment[5], 5);
}

// Three processes with two, one and three devices see the same six, each its own as addressable; local programs run.
static void test_three_processes(void **state) {
  (void)state;
  static const int64_t dims[] = {2};
  static const float two[] = {1, 2};
  member members[] = {{0, 3, 2, NULL, NULL}, {1, 3, 1, NULL, NULL}, {2, 3, 3, NULL, NULL}};
  host_store_run(0);
  join_all(members, 3);
  for (int i = 0; i < 3; i++) {
    host_ok(members[i].error, "Client_Create");
    assert_members(members[i].client, i);
  }
  for (int i = 0; i < 3; i++) {
    PJRT_Client *client = members[i].client;
    PJRT_LoadedExecutable *loaded =
        host_compile(client, "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                             "  %y = stablehlo.add %x, %x : tensor<2xf32>\n  return %y : tensor<2xf32>\n}\n");
    HOST_ARGS(local, Client_AddressableDevices, .client = client);
    HOST_OK(Client_AddressableDevices, &local);
    PJRT_Buffer *x = host_put(client, local.addressable_devices[0], two, dims, 1), *y = NULL;
    float got[2];
    host_ok(host_execute(loaded, &x, 1, &y), "LoadedExecutable_Execute");
    host_get(y, got, 2);
    assert_true(got[0] == 2 && got[1] == 4);
    host_buffer_destroy(x);
    host_buffer_destroy(y);
    host_loaded_destroy(loaded);
  }
  for (int i = 0; i < 3; i++) {
    host_client_destroy(members[i].client);
  }
}

// A device of another process has no memory here; whatever would touch it is refused.
static void test_another_process_device(void **state) {
  (void)state;
  static const int64_t dims[] = {2};
  static const float two[] = {1, 2};
  PJRT_Client *clients[2];
  host_store_run(1);
  host_run_of_two(clients);
  PJRT_Device *own = host_device(clients[0], 0), *other = host_device(clients[0], 1);
  HOST_ARGS(memories, Device_AddressableMemories, .device = other);
  HOST_OK(Device_AddressableMemories, &memories);
  assert_int_equal(memories.num_memories, 0);
  HOST_ARGS(attributes, Device_GetAttributes, .device = other);
  HOST_OK(Device_GetAttributes, &attributes);
  assert_int_equal(attributes.num_attributes, 1);
  attributes.attributes_deleter(attributes.device_attributes);

  const char *whose = "process 1's";
  HOST_ARGS(memory, Device_DefaultMemory, .device = other);
  host_refused(host_api()->PJRT_Device_DefaultMemory(&memory), PJRT_Error_Code_INVALID_ARGUMENT, whose);
  HOST_ARGS(stats, Device_MemoryStats, .device = other);
  host_refused(host_api()->PJRT_Device_MemoryStats(&stats), PJRT_Error_Code_INVALID_ARGUMENT, whose);
  HOST_ARGS(clear, Device_ClearMemoryStats, .device = other);
  host_refused(host_api()->PJRT_Device_ClearMemoryStats(&clear), PJRT_Error_Code_INVALID_ARGUMENT, whose);
  HOST_ARGS(poison, Device_PoisonExecution, .device = other, .error_code = PJRT_Error_Code_ABORTED);
  host_refused(host_api()->PJRT_Device_PoisonExecution(&poison), PJRT_Error_Code_INVALID_ARGUMENT, whose);
  PJRT_Buffer *x = host_put(clients[0], own, two, dims, 1);
  HOST_ARGS(copy, Buffer_CopyToDevice, .buffer = x, .dst_device = other);
  host_refused(host_api()->PJRT_Buffer_CopyToDevice(&copy), PJRT_Error_Code_INVALID_ARGUMENT, whose);
  HOST_ARGS(put, Client_BufferFromHostBuffer, .client = clients[0], .data = two, .type = PJRT_Buffer_Type_F32,
            .dims = dims, .num_dims = 1, .device = other);
  host_refused(host_api()->PJRT_Client_BufferFromHostBuffer(&put), PJRT_Error_Code_INVALID_ARGUMENT, whose);
  host_buffer_destroy(x);
  host_client_destroy(clients[0]);
  host_client_destroy(clients[1]);
}

// Who waits for a process that never comes hears which one it was; the next client of the same process may try again.
static void test_missing_process(void **state) {
  (void)state;
  PJRT_Client *client;
  host_store_run(2);
  for (int i = 0; i < 2; i++) {
    host_refused(host_run_join(0, 2, 1, 100, &client), PJRT_Error_Code_DEADLINE_EXCEEDED,
                 "process 1 of 2 did not tell its devices within 100 ms");
    assert_null(client);
  }
  host_refused(host_run_join(0, 2, 2, 100, &client), PJRT_Error_Code_FAILED_PRECONDITION, "with other devices");
}

// Processes that disagree about the run, other builds, and what is no message at all.
static void test_processes_that_do_not_fit(void **state) {
  (void)state;
  PJRT_Client *client;
  member members[] = {{0, 2, 1, NULL, NULL}, {1, 3, 1, NULL, NULL}};
  host_store_run(3);
  host_store_write("millrace/node/cpu/2", "\x08\x02\x10\x03\x18\x01\x32\x03old", 11);
  join_all(members, 2);
  host_refused(members[0].error, PJRT_Error_Code_FAILED_PRECONDITION, "process 1 says that it is process 1 of 3");
  host_refused(members[1].error, PJRT_Error_Code_FAILED_PRECONDITION, "process 0 says that it is process 0 of 2");
  host_store_run(4);
  host_store_write("millrace/node/cpu/1", "\x08\x01\x10\x02\x18\x01\x32\x03old", 11);
  host_refused(host_run_join(0, 2, 1, 100, &client), PJRT_Error_Code_FAILED_PRECONDITION, "process 1 runs old");
  host_store_run(5);
  host_store_write("millrace/node/cpu/1", "\xff\xff\xff", 3);
  host_refused(host_run_join(0, 2, 1, 100, &client), PJRT_Error_Code_INVALID_ARGUMENT, "process 1");
  host_refused(host_run_join(2, 2, 1, 100, &client), PJRT_Error_Code_INVALID_ARGUMENT, "node_id");
}

// A store is asked for only when there are several processes, and then it must be there.
static void test_without_a_store(void **state) {
  (void)state;
  const PJRT_NamedValue nodes = {.struct_size = sizeof nodes,
                                 .name = "num_nodes",
                                 .name_size = 9,
                                 .type = PJRT_NamedValue_kInt64,
                                 .int64_value = 2,
                                 .value_size = 1};
  HOST_ARGS(args, Client_Create, .create_options = &nodes, .num_options = 1);
  host_refused(host_api()->PJRT_Client_Create(&args), PJRT_Error_Code_INVALID_ARGUMENT, "key-value store");
}

// A topology of several processes goes through bytes and stays what it was.
static void test_topology_as_bytes(void **state) {
  (void)state;
  PJRT_NamedValue options[2];
  for (int i = 0; i < 2; i++) {
    options[i] = (PJRT_NamedValue){.struct_size = sizeof *options,
                                   .name = i ? "num_devices" : "num_nodes",
                                   .name_size = i ? 11 : 9,
                                   .type = PJRT_NamedValue_kInt64,
                                   .int64_value = i ? 2 : 3,
                                   .value_size = 1};
  }
  HOST_ARGS(create, TopologyDescription_Create, .create_options = options, .num_options = 2);
  HOST_OK(TopologyDescription_Create, &create);
  HOST_ARGS(bytes, TopologyDescription_Serialize, .topology = create.topology);
  HOST_OK(TopologyDescription_Serialize, &bytes);
  HOST_ARGS(read, TopologyDescription_Deserialize, .serialized_topology = bytes.serialized_bytes,
            .serialized_topology_size = bytes.serialized_bytes_size);
  HOST_OK(TopologyDescription_Deserialize, &read);
  HOST_ARGS(devices, TopologyDescription_GetDeviceDescriptions, .topology = read.topology);
  HOST_OK(TopologyDescription_GetDeviceDescriptions, &devices);
  assert_int_equal(devices.num_descriptions, 6);
  HOST_ARGS(index, DeviceDescription_ProcessIndex, .device_description = devices.descriptions[5]);
  HOST_OK(DeviceDescription_ProcessIndex, &index);
  assert_int_equal(index.process_index, 2);
  HOST_ARGS(before, TopologyDescription_Fingerprint, .topology = create.topology);
  HOST_ARGS(after, TopologyDescription_Fingerprint, .topology = read.topology);
  HOST_OK(TopologyDescription_Fingerprint, &before);
  HOST_OK(TopologyDescription_Fingerprint, &after);
  assert_true(before.fingerprint == after.fingerprint);
  for (int i = 0; i < 2; i++) {
    HOST_ARGS(destroy, TopologyDescription_Destroy, .topology = i ? create.topology : read.topology);
    HOST_OK(TopologyDescription_Destroy, &destroy);
  }
  bytes.serialized_topology_deleter(bytes.serialized_topology);
}

// Every way to damage a serialized topology by one byte is read or refused.
static void test_damaged_topologies(void **state) {
  (void)state;
  HOST_ARGS(create, TopologyDescription_Create);
  HOST_OK(TopologyDescription_Create, &create);
  HOST_ARGS(bytes, TopologyDescription_Serialize, .topology = create.topology);
  HOST_OK(TopologyDescription_Serialize, &bytes);
  char damaged[512];
  int refused = 0;
  assert_in_range(bytes.serialized_bytes_size, 1, sizeof damaged);
  for (size_t i = 0; i < bytes.serialized_bytes_size; i++) {
    memcpy(damaged, bytes.serialized_bytes, bytes.serialized_bytes_size);
    damaged[i] = (char)(damaged[i] ^ 0x55);
    HOST_ARGS(read, TopologyDescription_Deserialize, .serialized_topology = damaged,
              .serialized_topology_size = bytes.serialized_bytes_size);
    PJRT_Error_Code code = host_take_error(host_api()->PJRT_TopologyDescription_Deserialize(&read), NULL);
    assert_true(code == PJRT_Error_Code_OK || code == PJRT_Error_Code_INVALID_ARGUMENT);
    refused += code != PJRT_Error_Code_OK;
    HOST_ARGS(destroy, TopologyDescription_Destroy, .topology = read.topology);
    HOST_OK(TopologyDescription_Destroy, &destroy);
  }
  assert_true(refused > 20);
  bytes.serialized_topology_deleter(bytes.serialized_topology);
  HOST_ARGS(destroy, TopologyDescription_Destroy, .topology = create.topology);
  HOST_OK(TopologyDescription_Destroy, &destroy);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    host_set_library(argv[1]);
  }
  if (!host_store_create()) {
    return 1;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_three_processes),    cmocka_unit_test(test_another_process_device),
      cmocka_unit_test(test_missing_process),    cmocka_unit_test(test_processes_that_do_not_fit),
      cmocka_unit_test(test_without_a_store),    cmocka_unit_test(test_topology_as_bytes),
      cmocka_unit_test(test_damaged_topologies),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  host_store_remove();
  return failed;
}
