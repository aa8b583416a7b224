// Clients, devices, memories and topologies as JAX asks about them at start.
#include <stdlib.h>
#include <string.h>

#include "core/alloc_fail.h"
#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

static PJRT_Client *client;
enum { DEVICES = 3 };

static int setup(void **state) {
  (void)state;
  client = host_client_create(DEVICES);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  host_client_destroy(client);
  return 0;
}

#define ASSERT_TEXT(text, size, wanted)      \
  do {                                       \
    assert_int_equal(size, strlen(wanted));  \
    assert_memory_equal(text, wanted, size); \
  } while (0)

// The plugin says which StableHLO it reads.
static void test_plugin_attributes(void **state) {
  (void)state;
  HOST_ARGS(args, Plugin_Attributes);
  args.struct_size = 24;  // as clients made with the headers up to 0.77 say it
  HOST_OK(Plugin_Attributes, &args);
  bool found = false;
  for (size_t i = 0; i < args.num_attributes; i++) {
    const PJRT_NamedValue *value = &args.attributes[i];
    if (value->name_size == 25 && memcmp(value->name, "stablehlo_current_version", 25) == 0) {
      found = true;
      assert_int_equal(value->type, PJRT_NamedValue_kInt64List);
      assert_int_equal(value->value_size, 3);
      assert_int_equal(value->int64_array_value[1], 17);
    }
  }
  assert_true(found);
}

// The platform answers "cpu", so that JAX applies its CPU rules; client and topology agree.
static void test_platform_names(void **state) {
  (void)state;
  HOST_ARGS(name, Client_PlatformName, .client = client);
  HOST_OK(Client_PlatformName, &name);
  ASSERT_TEXT(name.platform_name, name.platform_name_size, "cpu");
  HOST_ARGS(version, Client_PlatformVersion, .client = client);
  HOST_OK(Client_PlatformVersion, &version);
  assert_memory_equal(version.platform_version, "millrace ", 9);
  assert_non_null(memmem(version.platform_version, version.platform_version_size, "(build ", 7));
  HOST_ARGS(topology, Client_TopologyDescription, .client = client);
  HOST_OK(Client_TopologyDescription, &topology);
  HOST_ARGS(topology_name, TopologyDescription_PlatformName, .topology = topology.topology);
  HOST_OK(TopologyDescription_PlatformName, &topology_name);
  ASSERT_TEXT(topology_name.platform_name, topology_name.platform_name_size, "cpu");
}

// The option `devices` says which kinds there are, and is refused when it names what is none.
static void test_devices_by_kind(void **state) {
  (void)state;
  static const struct {
    const char *kinds;
    size_t count;  // 0: refused
  } cases[] = {{"cpu,null,cpu", 3}, {"fenced", 1}, {"abacus", 0}, {"", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const PJRT_NamedValue option = {.struct_size = sizeof option,
                                    .name = "devices",
                                    .name_size = 7,
                                    .type = PJRT_NamedValue_kString,
                                    .string_value = cases[i].kinds,
                                    .value_size = strlen(cases[i].kinds)};
    HOST_ARGS(args, Client_Create, .create_options = &option, .num_options = 1);
    if (!cases[i].count) {
      host_refused(host_api()->PJRT_Client_Create(&args), PJRT_Error_Code_INVALID_ARGUMENT, "wanted");
      continue;
    }
    HOST_OK(Client_Create, &args);
    HOST_ARGS(list, Client_AddressableDevices, .client = args.client);
    HOST_OK(Client_AddressableDevices, &list);
    assert_int_equal(list.num_addressable_devices, cases[i].count);
    host_client_destroy(args.client);
  }
}

// Devices are numbered from 0, and each lookup finds the device the list has.
static void test_devices(void **state) {
  (void)state;
  HOST_ARGS(list, Client_AddressableDevices, .client = client);
  HOST_OK(Client_AddressableDevices, &list);
  assert_int_equal(list.num_addressable_devices, DEVICES);
  for (int i = 0; i < DEVICES; i++) {
    PJRT_Device *device = list.addressable_devices[i];
    assert_ptr_equal(device, host_device(client, (size_t)i));
    HOST_ARGS(description, Device_GetDescription, .device = device);
    HOST_OK(Device_GetDescription, &description);
    HOST_ARGS(id, DeviceDescription_Id, .device_description = description.device_description);
    HOST_OK(DeviceDescription_Id, &id);
    assert_int_equal(id.id, i);
    HOST_ARGS(kind, DeviceDescription_Kind, .device_description = description.device_description);
    HOST_OK(DeviceDescription_Kind, &kind);
    ASSERT_TEXT(kind.device_kind, kind.device_kind_size, "millrace");
    HOST_ARGS(lookup, Client_LookupDevice, .client = client, .id = i);
    HOST_OK(Client_LookupDevice, &lookup);
    assert_ptr_equal(lookup.device, device);
    HOST_ARGS(attributes, Device_GetAttributes, .device = device);
    HOST_OK(Device_GetAttributes, &attributes);
    assert_non_null(attributes.attributes_deleter);
    bool has_kind = false, has_cores = false;
    for (size_t k = 0; k < attributes.num_attributes; k++) {
      const PJRT_NamedValue *value = &attributes.attributes[k];
      has_kind = has_kind || (value->name_size == 4 && memcmp(value->name, "kind", 4) == 0 &&
                              value->type == PJRT_NamedValue_kString && value->value_size > 0);
      has_cores = has_cores || (value->name_size == 11 && memcmp(value->name, "concurrency", 11) == 0 &&
                                value->type == PJRT_NamedValue_kInt64 && value->int64_value >= 1);
    }
    assert_true(has_kind && has_cores);
    attributes.attributes_deleter(attributes.device_attributes);
  }
  const char *message;
  HOST_ARGS(wrong, Client_LookupDevice, .client = client, .id = DEVICES);
  assert_int_equal(host_take_error(host_api()->PJRT_Client_LookupDevice(&wrong), &message),
                   PJRT_Error_Code_INVALID_ARGUMENT);
}

// Each device has three memories, the default one of kind "device" first, and each memory knows its device.
static void test_memories(void **state) {
  (void)state;
  HOST_ARGS(all, Client_AddressableMemories, .client = client);
  HOST_OK(Client_AddressableMemories, &all);
  assert_int_equal(all.num_addressable_memories, 3 * DEVICES);
  for (size_t i = 0; i < DEVICES; i++) {
    PJRT_Device *device = host_device(client, i);
    HOST_ARGS(memory, Device_DefaultMemory, .device = device);
    HOST_OK(Device_DefaultMemory, &memory);
    assert_ptr_equal(memory.memory, host_memory(device, "device"));
    HOST_ARGS(reach, Memory_AddressableByDevices, .memory = host_memory(device, "pinned_host"));
    HOST_OK(Memory_AddressableByDevices, &reach);
    assert_int_equal(reach.num_devices, 1);
    assert_ptr_equal(reach.devices[0], device);
    assert_non_null(host_memory(device, "unpinned_host"));
  }
}

static int dtor_calls;
static void count_dtor(void *data) {
  (void)data;
  dtor_calls++;
}

// What a host attaches to a memory is found by its key, and dropped when it is replaced.
static void test_memory_user_data(void **state) {
  (void)state;
  static int key_a, key_b, value_1, value_2;
  PJRT_Memory *memory = host_memory(host_device(client, 0), "device");
  assert_null(memory->vtable->get_user_data(memory, &key_a));
  memory->vtable->set_user_data(memory, &key_a, &value_1, count_dtor);
  memory->vtable->set_user_data(memory, &key_b, &value_2, NULL);
  assert_ptr_equal(memory->vtable->get_user_data(memory, &key_a), &value_1);
  assert_ptr_equal(memory->vtable->get_user_data(memory, &key_b), &value_2);
  assert_int_equal(dtor_calls, 0);
  memory->vtable->set_user_data(memory, &key_a, &value_2, NULL);
  assert_int_equal(dtor_calls, 1);
  assert_ptr_equal(memory->vtable->get_user_data(memory, &key_a), &value_2);
  if (host_fails_allocations()) {
    static int key_c;
    mr_alloc_fail_here(true);
    (void)mr_alloc_fail_nth(1);
    memory->vtable->set_user_data(memory, &key_c, &value_1, count_dtor);  // cannot be kept, so it is dropped
    (void)mr_alloc_fail_nth(0);
    mr_alloc_fail_here(false);
    assert_int_equal(dtor_calls, 2);
    assert_null(memory->vtable->get_user_data(memory, &key_c));
  }
}

// Every *_is_set is written as far as the caller's struct goes, and nothing behind it.
static void test_memory_stats_respect_the_struct(void **state) {
  (void)state;
  union {
    PJRT_Device_MemoryStats_Args args;
    unsigned char bytes[256];
  } stats;
  static const size_t sizes[] = {32, 64, 185, 192, 201};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    memset(&stats, 0x5A, sizeof stats);
    stats.args.struct_size = sizes[i];
    stats.args.device = host_device(client, 0);
    HOST_OK(Device_MemoryStats, &stats.args);
    for (size_t at = sizes[i]; at < sizeof stats; at++) {
      assert_int_equal(stats.bytes[at], 0x5A);
    }
  }
  assert_in_range(stats.bytes[offsetof(PJRT_Device_MemoryStats_Args, bytes_limit_is_set)], 0, 1);
  assert_int_equal(stats.args.bytes_reserved_is_set, false);
  assert_int_equal(stats.bytes[200], 0);
}

// A topology that was serialized describes the same devices and has the same fingerprint.
static void test_topology_round_trip(void **state) {
  (void)state;
  HOST_ARGS(mine, Client_TopologyDescription, .client = client);
  HOST_OK(Client_TopologyDescription, &mine);
  HOST_ARGS(bytes, TopologyDescription_Serialize, .topology = mine.topology);
  HOST_OK(TopologyDescription_Serialize, &bytes);
  HOST_ARGS(read, TopologyDescription_Deserialize, .serialized_topology = bytes.serialized_bytes,
            .serialized_topology_size = bytes.serialized_bytes_size);
  HOST_OK(TopologyDescription_Deserialize, &read);
  bytes.serialized_topology_deleter(bytes.serialized_topology);
  HOST_ARGS(devices, TopologyDescription_GetDeviceDescriptions, .topology = read.topology);
  HOST_OK(TopologyDescription_GetDeviceDescriptions, &devices);
  assert_int_equal(devices.num_descriptions, DEVICES);
  HOST_ARGS(a, TopologyDescription_Fingerprint, .topology = mine.topology);
  HOST_ARGS(b, TopologyDescription_Fingerprint, .topology = read.topology);
  HOST_OK(TopologyDescription_Fingerprint, &a);
  HOST_OK(TopologyDescription_Fingerprint, &b);
  assert_int_equal(a.fingerprint, b.fingerprint);
  HOST_ARGS(destroy, TopologyDescription_Destroy, .topology = read.topology);
  HOST_OK(TopologyDescription_Destroy, &destroy);
  HOST_ARGS(wrong, TopologyDescription_Deserialize, .serialized_topology = "nonsense", .serialized_topology_size = 8);
  assert_int_equal(host_take_error(host_api()->PJRT_TopologyDescription_Deserialize(&wrong), NULL),
                   PJRT_Error_Code_INVALID_ARGUMENT);
}

// A canonical shape is row-major: f32[2,3] with layout {1,0}.
static void test_canonical_shape(void **state) {
  (void)state;
  HOST_ARGS(mine, Client_TopologyDescription, .client = client);
  HOST_OK(Client_TopologyDescription, &mine);
  HOST_ARGS(kinds, TopologyDescription_GetMemorySpaceKindIds, .topology = mine.topology);
  HOST_OK(TopologyDescription_GetMemorySpaceKindIds, &kinds);
  const int64_t dims[] = {2, 3};
  HOST_ARGS(args, TopologyDescription_MakeCanonicalShapeForMemorySpace, .topology = mine.topology,
            .memory_space_kind_id = kinds.memory_space_kind_ids[0], .dims = dims, .num_dims = 2,
            .element_type = PJRT_Buffer_Type_F32);
  HOST_OK(TopologyDescription_MakeCanonicalShapeForMemorySpace, &args);
  static const unsigned char wanted[] = {0x10, 11, 0x1A, 2, 2, 3, 0x2A, 4, 0x0A, 2, 1, 0, 0x32, 2, 0, 0};
  assert_int_equal(args.serialized_shape_size, sizeof wanted);
  assert_memory_equal(args.serialized_shape, wanted, sizeof wanted);
  args.serialized_shape_deleter(args.serialized_shape);
}

// The default layout of an array is row-major, in the text XLA uses.
static void test_default_layout_text(void **state) {
  (void)state;
  const PJRT_Layouts_Extension *layouts = NULL;
  for (const PJRT_Extension_Base *ext = host_api()->extension_start; ext; ext = ext->next) {
    layouts = ext->type == PJRT_Extension_Type_Layouts ? (const PJRT_Layouts_Extension *)ext : layouts;
  }
  assert_non_null(layouts);
  static const char *const wanted[] = {"{}", "{0}", "{1,0}", "{2,1,0}"};
  for (size_t rank = 0; rank < 4; rank++) {
    const int64_t dims[] = {2, 3, 4};
    PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args args = {
        .struct_size = sizeof args, .client = client, .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = rank};
    host_ok(layouts->client_get_default_layout(&args), "GetDefaultLayout");
    PJRT_Layouts_MemoryLayout_Serialize_Args text = {.struct_size = sizeof text, .layout = args.layout};
    host_ok(layouts->memory_layout_serialize(&text), "Serialize");
    ASSERT_TEXT(text.serialized_bytes, text.serialized_bytes_size, wanted[rank]);
    text.serialized_layout_deleter(text.serialized_layout);
    PJRT_Layouts_MemoryLayout_Destroy_Args destroy = {.struct_size = sizeof destroy, .layout = args.layout};
    host_ok(layouts->memory_layout_destroy(&destroy), "Destroy");
  }
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plugin_attributes),
      cmocka_unit_test(test_platform_names),
      cmocka_unit_test(test_devices_by_kind),
      cmocka_unit_test(test_devices),
      cmocka_unit_test(test_memories),
      cmocka_unit_test(test_memory_user_data),
      cmocka_unit_test(test_memory_stats_respect_the_struct),
      cmocka_unit_test(test_topology_round_trip),
      cmocka_unit_test(test_canonical_shape),
      cmocka_unit_test(test_default_layout_text),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
