// Every slot of the table, called in good order and in bad: with empty arguments, with arguments cut short at every byte,
// with NULL in every field that holds an address, with arguments longer than we know, with what was deleted, with what is
// another client's, with what is not ready.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/guard.h"
#include "tests/pjrt_walk/host_refusals.h"
#include "tests/pjrt_walk/walk.h"

static int setup(void **state) {
  (void)state;
  world.client = host_client_create(2);
  world.other = host_client_create(1);
  world.device = host_device(world.client, 0);
  world.second = host_device(world.client, 1);
  world.foreign = host_device(world.other, 0);
  world.add = host_compile(world.client, walk_add);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  host_loaded_destroy(world.add);
  host_client_destroy(world.other);
  host_client_destroy(world.client);
  return 0;
}

// What slots hand out although nothing was given to them; destroyed again.
static void drop_made(int index, void *args) {
  if (index == SLOT_Client_Create && ((PJRT_Client_Create_Args *)args)->client) {
    host_client_destroy(((PJRT_Client_Create_Args *)args)->client);
  } else if (index == SLOT_Event_Create) {
    HOST_ARGS(gone, Event_Destroy, .event = ((PJRT_Event_Create_Args *)args)->event);
    HOST_OK(Event_Destroy, &gone);
  } else if (index == SLOT_ExecuteContext_Create) {
    HOST_ARGS(gone, ExecuteContext_Destroy, .context = ((PJRT_ExecuteContext_Create_Args *)args)->context);
    HOST_OK(ExecuteContext_Destroy, &gone);
  } else if (index == SLOT_TopologyDescription_Create) {
    HOST_ARGS(gone, TopologyDescription_Destroy, .topology = ((PJRT_TopologyDescription_Create_Args *)args)->topology);
    HOST_OK(TopologyDescription_Destroy, &gone);
  }
}

// Empty arguments of every size, each in a block of its own that ends where struct_size says: a slot refuses them or has
// nothing to do, and touches nothing behind them.
HOST_CALLS_BY_ONE_TYPE static void test_empty_and_short_arguments(void **state) {
  (void)state;
  for (int i = 0; i < PJRT_API_SLOTS; i++) {
    for (size_t size = sizeof(size_t); size <= walk_slots[i].args_size; size++) {
      if (i == SLOT_Client_Create && size != walk_slots[i].args_size) {
        continue;  // each one would be a client
      }
      // Older hosts say that Plugin_Attributes ends before its last field, which they have all the same.
      char *args = calloc(1, i == SLOT_Plugin_Attributes ? walk_slots[i].args_size : size);
      memcpy(args, &size, sizeof size);
      const char *message;
      PJRT_Error_Code code =
          walk_slots[i].returns_error ? host_take_error(walk_function_of(i)(args), &message) : PJRT_Error_Code_OK;
      if (!walk_slots[i].returns_error) {
        walk_function_of(i)(args);
      } else if (code == PJRT_Error_Code_OK) {
        drop_made(i, args);
      } else if (code != PJRT_Error_Code_INVALID_ARGUMENT) {
        fail_msg("%s with %zu empty bytes: code %d: %s", walk_slots[i].name, size, (int)code, message);
      }
      free(args);
    }
  }
}

// ---- Older hosts ----------------------------------------------------------------------------------------------------------------

// A copy of `args` that ends behind `size` bytes, as an older host's struct does, right before a page that nobody may touch.
static guard cuts[8];
static void *cut(const void *args, size_t size) {
  int i = 0;
  while (cuts[i].map) {
    i++;
  }
  cuts[i] = guard_place(args, size);
  memcpy(cuts[i].at, &size, sizeof size);
  return cuts[i].at;
}
#define CUT(args, last) cut(&(args), PJRT_ABI_END(__typeof__(args), last))

static void uncut(void *copy) {
  int i = 0;
  while (cuts[i].at != copy) {
    i++;
  }
  guard_end(&cuts[i]);
  cuts[i] = (guard){0};
}

static void older_options(PJRT_Buffer *x) {
  PJRT_Buffer *arguments[] = {x, x}, *result = NULL, **outputs = &result, *const *list = arguments;
  PJRT_ExecuteOptions options = {
      .struct_size = sizeof options, .launch_id = 3, .call_location = (const char *)8, .num_tasks = 99};
  const size_t sizes[] = {PJRT_ABI_END(PJRT_ExecuteOptions, num_recv_ops),
                          PJRT_ABI_END(PJRT_ExecuteOptions, num_non_donatable_input_indices),  // 0.54
                          PJRT_ABI_END(PJRT_ExecuteOptions, context)};                         // 0.64
  for (size_t i = 0; i < 3; i++) {
    HOST_ARGS(run, LoadedExecutable_Execute, .executable = world.add, .options = cut(&options, sizes[i]),
              .argument_lists = &list, .num_devices = 1, .num_args = 2, .output_lists = &outputs);
    HOST_OK(LoadedExecutable_Execute, &run);
    assert_int_equal(host_await_buffer(result, NULL), PJRT_Error_Code_OK);
    host_buffer_destroy(result);
    uncut(run.options);
  }
  options.call_location = NULL;
  options.num_tasks = 0;
  const size_t newer[] = {88,  112, 120, 121,
                          128, 144, 152};  // 0.76, .78, .97, .107, the same padded, .111, what may come
  for (size_t i = 0; i < 7; i++) {
    char padded[160] = {0};
    memcpy(padded, &options, sizeof options);
    HOST_ARGS(run, LoadedExecutable_Execute, .executable = world.add, .options = cut(padded, newer[i]),
              .argument_lists = &list, .num_devices = 1, .num_args = 2, .output_lists = &outputs);
    HOST_OK(LoadedExecutable_Execute, &run);
    host_buffer_destroy(result);
    uncut(run.options);
  }
}

static void older_stats(PJRT_Executable *executable) {
  const size_t stats_sizes[] = {185, 192, 201, 208};  // 0.112, padded, 0.113, padded
  for (size_t i = 0; i < 4; i++) {
    char zeros[208] = {0};
    HOST_ARGS(stats, Device_MemoryStats, .device = world.device);
    memcpy(zeros, &stats, sizeof stats);
    PJRT_Device_MemoryStats_Args *sized = cut(zeros, stats_sizes[i]);
    HOST_OK(Device_MemoryStats, sized);
    assert_true(sized->bytes_limit_is_set);
    uncut(sized);
  }

  const size_t memory_sizes[] = {104, 112, 120, 144};  // 0.40, 0.72, 0.90, 0.104
  for (size_t i = 0; i < 4; i++) {
    HOST_ARGS(stats, Executable_GetCompiledMemoryStats, .executable = executable);
    PJRT_Executable_GetCompiledMemoryStats_Args *sized = cut(&stats, memory_sizes[i]);
    HOST_OK(Executable_GetCompiledMemoryStats, sized);
    assert_int_equal(sized->output_size_in_bytes, 24);
    uncut(sized);
  }
}

// Sizes that hosts of 0.54 and later send for the structs that have grown since; padded ones among them.
static void test_struct_sizes_of_older_hosts(void **state) {
  (void)state;
  HOST_ARGS(create, Client_Create);
  PJRT_Client_Create_Args *old_create = CUT(create, client);  // before 0.61
  HOST_OK(Client_Create, old_create);
  host_client_destroy(old_create->client);
  uncut(old_create);

  HOST_ARGS(view, Client_CreateViewOfDeviceBuffer, .client = world.client, .device_buffer_ptr = (void *)walk_six,
            .dims = walk_dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32, .device = world.device);
  PJRT_Client_CreateViewOfDeviceBuffer_Args *old_view = CUT(view, buffer);  // before 0.66
  PJRT_Buffer *x;
  if (host_sees_device_memory()) {
    HOST_OK(Client_CreateViewOfDeviceBuffer, old_view);
    x = old_view->buffer;
  } else {  // a memory could not be named then
    host_refused(host_api()->PJRT_Client_CreateViewOfDeviceBuffer(old_view), PJRT_Error_Code_UNIMPLEMENTED, "kind");
    x = host_put(world.client, world.device, walk_six, walk_dims, 1);
  }
  uncut(old_view);

  older_options(x);
  host_buffer_destroy(x);

  HOST_ARGS(get, LoadedExecutable_GetExecutable, .loaded_executable = world.add);
  HOST_OK(LoadedExecutable_GetExecutable, &get);
  older_stats(get.executable);
  HOST_ARGS(serialize, Executable_Serialize, .executable = get.executable);
  HOST_OK(Executable_Serialize, &serialize);
  HOST_ARGS(read, Executable_DeserializeAndLoad, .client = world.client,
            .serialized_executable = serialize.serialized_bytes,
            .serialized_executable_size = serialize.serialized_bytes_size);
  PJRT_Executable_DeserializeAndLoad_Args *old_read = CUT(read, loaded_executable);  // before 0.71
  HOST_OK(Executable_DeserializeAndLoad, old_read);
  host_loaded_destroy(old_read->loaded_executable);
  uncut(old_read);
  serialize.serialized_executable_deleter(serialize.serialized_executable);
  HOST_ARGS(gone, Executable_Destroy, .executable = get.executable);
  HOST_OK(Executable_Destroy, &gone);

  HOST_ARGS(failed, Client_CreateErrorBuffer, .client = world.client, .error_code = PJRT_Error_Code_ABORTED,
            .shape_dims = walk_dims, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
  PJRT_Client_CreateErrorBuffer_Args *old_failed = CUT(failed, buffer);  // before 0.103
  HOST_OK(Client_CreateErrorBuffer, old_failed);
  host_buffer_destroy(old_failed->buffer);
  uncut(old_failed);
  HOST_ARGS(poison, Device_PoisonExecution, .device = world.device, .error_code = PJRT_Error_Code_ABORTED);
  PJRT_Device_PoisonExecution_Args *old_poison = CUT(poison, poisoned);  // before 0.100
  HOST_OK(Device_PoisonExecution, old_poison);
  uncut(old_poison);
}

// One of a list: `known` bytes of it, then zeros up to how long a later version may make it.
static void place(char *list, size_t size, size_t index, const void *element, size_t known) {
  memcpy(list + index * size, element, known);
  memcpy(list + index * size, &size, sizeof size);
}

// Structs that arguments point to, each right before a page that nobody may touch; the elements of lists are as far apart as the
// first one says.
static void test_nested_structs(void **state) {
  (void)state;
  static const size_t longer[] = {0, 8, 40};
  for (int i = 0; i < 3; i++) {
    char list[2 * 128] = {0};
    const PJRT_ShapeSpec spec = {.dims = walk_dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32};
    size_t size = i ? sizeof spec + longer[i] : PJRT_ABI_END(PJRT_ShapeSpec, element_type), apart = (size + 7) / 8 * 8;
    place(list, apart, 0, &spec, sizeof spec);
    place(list, apart, 1, &spec, sizeof spec);
    guard block = guard_place(list, 2 * apart - (apart - size));
    memcpy(block.at, &size, sizeof size);
    HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = world.client, .shape_specs = block.at,
              .num_shape_specs = 2, .memory = host_memory(world.device, "device"));
    HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
    guard_end(&block);
    const PJRT_NamedValue value = {
        .name = "one", .name_size = 3, .type = PJRT_NamedValue_kString, .string_value = "x", .value_size = 1};
    apart = sizeof value + longer[i];
    place(list, apart, 0, &value, sizeof value);
    place(list, apart, 1, &value, sizeof value);
    block = guard_place(list, 2 * apart);
    HOST_ARGS(add, AsyncHostToDeviceTransferManager_AddMetadata, .transfer_manager = create.transfer_manager,
              .transfer_metadata = block.at, .num_metadata = 2);
    HOST_OK(AsyncHostToDeviceTransferManager_AddMetadata, &add);
    HOST_ARGS(failed, Client_CreateErrorBuffer, .client = world.client, .error_code = PJRT_Error_Code_ABORTED,
              .shape_dims = walk_dims, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32,
              .payload = block.at, .num_payload = 2);
    HOST_OK(Client_CreateErrorBuffer, &failed);
    host_buffer_destroy(failed.buffer);
    guard_end(&block);
    HOST_ARGS(gone, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = create.transfer_manager);
    HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &gone);

    const PJRT_ProcessInfo process = {.task_id = 3, .state = PJRT_ProcessState_kConnected};
    apart = sizeof process + longer[i];
    place(list, apart, 0, &process, sizeof process);
    place(list, apart, 1, &process, sizeof process);
    block = guard_place(list, 2 * apart);
    HOST_ARGS(update, Client_UpdateGlobalProcessInfo, .client = world.client, .process_infos = block.at,
              .num_process_infos = 2);
    HOST_OK(Client_UpdateGlobalProcessInfo, &update);
    guard_end(&block);

    const PJRT_NamedValue option = {
        .name = "cpu_device_count", .name_size = 16, .type = PJRT_NamedValue_kInt64, .int64_value = 2, .value_size = 1};
    apart = sizeof option + longer[i];
    place(list, apart, 0, &option, sizeof option);
    place(list, apart, 1, &option, sizeof option);
    block = guard_place(list, 2 * apart);
    HOST_ARGS(client, Client_Create, .create_options = block.at, .num_options = 2);
    HOST_OK(Client_Create, &client);
    guard_end(&block);
    host_client_destroy(client.client);
  }
}

static void test_programs_and_layouts(void **state) {
  (void)state;
  static const size_t sizes[] = {PJRT_ABI_END(PJRT_Program, format_size), sizeof(PJRT_Program) + 24};
  for (int i = 0; i < 2; i++) {
    char bytes[128] = {0};
    PJRT_Program program = walk_program(walk_add);
    memcpy(bytes, &program, sizeof program);
    HOST_ARGS(compile, Client_Compile, .client = world.client, .program = cut(bytes, sizes[i]));
    HOST_OK(Client_Compile, &compile);
    host_loaded_destroy(compile.executable);
    uncut((void *)compile.program);
  }
  static const int64_t order[] = {0};
  static const int64_t strides[] = {4};
  for (int i = 0; i < 4; i++) {
    char bytes[128] = {0};
    PJRT_Buffer_MemoryLayout layout = {.type = i % 2};
    if (i % 2) {
      layout.strides = (PJRT_Buffer_MemoryLayout_Strides){
          .struct_size = sizeof layout.strides, .byte_strides = strides, .num_byte_strides = 1};
    } else {
      layout.tiled = (PJRT_Buffer_MemoryLayout_Tiled){
          .struct_size = sizeof layout.tiled, .minor_to_major = order, .minor_to_major_size = 1};
    }
    memcpy(bytes, &layout, sizeof layout);
    void *given = cut(bytes, i < 2 ? PJRT_ABI_END(PJRT_Buffer_MemoryLayout, type) : sizeof layout + 24);
    HOST_ARGS(put, Client_BufferFromHostBuffer, .client = world.client, .data = walk_six, .type = PJRT_Buffer_Type_F32,
              .dims = walk_dims, .num_dims = 1, .device = world.device, .device_layout = given);
    HOST_OK(Client_BufferFromHostBuffer, &put);
    assert_int_equal(host_await(put.done_with_host_buffer, NULL), PJRT_Error_Code_OK);
    float got[6] = {0};
    HOST_ARGS(to_host, Buffer_ToHostBuffer, .src = put.buffer, .dst = got, .dst_size = sizeof got,
              .host_layout = given);
    HOST_OK(Buffer_ToHostBuffer, &to_host);
    assert_int_equal(host_await(to_host.event, NULL), PJRT_Error_Code_OK);
    assert_memory_equal(got, walk_six, sizeof got);
    host_buffer_destroy(put.buffer);
    uncut(given);
  }
}

// ---- Every version --------------------------------------------------------------------------------------------------------------

// The walk again for each version in which a struct has another size: that of the version, right before a page that nobody may
// touch; then with the sizes of hosts that count padding.
static void test_every_version(void **state) {
  static const int minors[] = {
#define ARGS_SIZE(slot, minor, said, real) minor,
#include "tests/pjrt_walk/struct_sizes.def"
  };
  static void (*const parts[])(void **) = {
      walk_plugin,           walk_errors_and_events, walk_clients,          walk_devices,       walk_topologies,
      walk_executables,      walk_executions,        walk_buffer_questions, walk_buffer_copies, walk_buffer_kinds,
      walk_transfer_manager, walk_host_transfers,    walk_bad_orders};
  bool walked[256] = {0};
  if (host_fails_allocations()) {
    skip();  // the structs are whole then
  }
  for (size_t i = 0; i < sizeof minors / sizeof *minors; i++) {
    walk.minor = minors[i];
    for (int padded = 0; padded < 2 && !walked[walk.minor]; padded++) {
      walk.padded = padded;
      for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {
        parts[part](state);
      }
    }
    walked[walk.minor] = true;
  }
  walk.minor = 0;
  walk.padded = false;
}

// The table ends with what pjrt/abi.h has; it goes on for versions after ours, which say what hosts of those will send.
static void test_sizes_are_the_abis(void **state) {
  (void)state;
#define ARGS_SIZE(slot, minor, said, real) sizes[SLOT_##slot] = minor <= PJRT_API_MINOR ? (real) : sizes[SLOT_##slot];
  size_t sizes[PJRT_API_SLOTS] = {0};
#include "tests/pjrt_walk/struct_sizes.def"
  for (int i = 0; i < PJRT_API_SLOTS; i++) {
    if ((sizes[i] + 7) / 8 * 8 != walk_slots[i].args_size) {
      fail_msg("PJRT_%s_Args: %zu bytes in the table, %zu in pjrt/abi.h", walk_slots[i].name, sizes[i],
               walk_slots[i].args_size);
    }
  }
  static const struct {
    const char *name;
    int minor;
    size_t size, ours;
  } nested[] = {
#define NESTED_SIZE(type, minor, size) {#type, minor, size, sizeof(PJRT_##type)},
#include "tests/pjrt_walk/struct_sizes.def"
  };
  for (size_t i = 0; i < sizeof nested / sizeof *nested; i++) {
    bool is_last = i + 1 == sizeof nested / sizeof *nested || strcmp(nested[i].name, nested[i + 1].name) != 0;
    if (is_last && (nested[i].size + 7) / 8 * 8 != nested[i].ours) {
      fail_msg("PJRT_%s: %zu bytes in the table, %zu in pjrt/abi.h", nested[i].name, nested[i].size, nested[i].ours);
    }
  }
}

// Nothing is left out: whoever adds a slot to pjrt/abi/api.def walks it here.
static void test_every_slot_was_called(void **state) {
  (void)state;
  for (int i = 0; i < PJRT_API_SLOTS; i++) {
    if (!walk.good[i]) {
      fail_msg("no part of the walk calls PJRT_%s with success", walk_slots[i].name);
    }
  }
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walk_plugin),
      cmocka_unit_test(walk_errors_and_events),
      cmocka_unit_test(walk_clients),
      cmocka_unit_test(walk_devices),
      cmocka_unit_test(walk_topologies),
      cmocka_unit_test(walk_executables),
      cmocka_unit_test(walk_executions),
      cmocka_unit_test(walk_buffer_questions),
      cmocka_unit_test(walk_buffer_copies),
      cmocka_unit_test(walk_buffer_kinds),
      cmocka_unit_test(walk_transfer_manager),
      cmocka_unit_test(walk_host_transfers),
      cmocka_unit_test(walk_bad_orders),
      cmocka_unit_test(test_empty_and_short_arguments),
      cmocka_unit_test(test_struct_sizes_of_older_hosts),
      cmocka_unit_test(test_nested_structs),
      cmocka_unit_test(test_programs_and_layouts),
      cmocka_unit_test(test_every_slot_was_called),
      cmocka_unit_test(test_every_version),
      cmocka_unit_test(test_sizes_are_the_abis),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
