// Every slot of the table, called in good order and in bad: with empty arguments, with arguments cut short at every byte,
// with NULL in every field that holds an address, with arguments longer than we know, with what was deleted, with what is
// another client's, with what is not ready.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// A copy of `args` that ends behind `size` bytes, as an older host's struct does.
static void *cut(const void *args, size_t size) {
  static void *(*volatile allocate)(size_t) = malloc;  // else the compiler sees that the structs are cut short
  char *copy = allocate(size);
  memcpy(copy, args, size);
  memcpy(copy, &size, sizeof size);
  return copy;
}
#define CUT(args, last) cut(&(args), PJRT_ABI_END(__typeof__(args), last))

// Sizes that hosts of 0.54 and later send for the structs that have grown since; padded ones among them.
static void test_struct_sizes_of_older_hosts(void **state) {
  (void)state;
  HOST_ARGS(create, Client_Create);
  PJRT_Client_Create_Args *old_create = CUT(create, client);  // before 0.61
  HOST_OK(Client_Create, old_create);
  host_client_destroy(old_create->client);
  free(old_create);

  HOST_ARGS(view, Client_CreateViewOfDeviceBuffer, .client = world.client, .device_buffer_ptr = (void *)walk_six,
            .dims = walk_dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32, .device = world.device);
  PJRT_Client_CreateViewOfDeviceBuffer_Args *old_view = CUT(view, buffer);  // before 0.66
  HOST_OK(Client_CreateViewOfDeviceBuffer, old_view);
  PJRT_Buffer *x = old_view->buffer;
  free(old_view);

  PJRT_Buffer *arguments[] = {x, x}, *result = NULL, **outputs = &result, *const *list = arguments;
  PJRT_ExecuteOptions options = {
      .struct_size = sizeof options, .launch_id = 3, .call_location = (const char *)8, .num_tasks = 99};
  const size_t sizes[] = {PJRT_ABI_END(PJRT_ExecuteOptions, num_non_donatable_input_indices),  // 0.54
                          PJRT_ABI_END(PJRT_ExecuteOptions, context)};                         // 0.64
  for (size_t i = 0; i < 2; i++) {
    HOST_ARGS(run, LoadedExecutable_Execute, .executable = world.add, .options = cut(&options, sizes[i]),
              .argument_lists = &list, .num_devices = 1, .num_args = 2, .output_lists = &outputs);
    HOST_OK(LoadedExecutable_Execute, &run);
    assert_int_equal(host_await_buffer(result, NULL), PJRT_Error_Code_OK);
    host_buffer_destroy(result);
    free(run.options);
  }
  options.call_location = NULL;
  options.num_tasks = 0;
  const size_t newer[] = {120, 121, 128, 144, 152};  // 0.97, 0.110 and the same padded, 0.112, and what may come
  for (size_t i = 0; i < 5; i++) {
    char padded[160] = {0};
    memcpy(padded, &options, sizeof options);
    HOST_ARGS(run, LoadedExecutable_Execute, .executable = world.add, .options = cut(padded, newer[i]),
              .argument_lists = &list, .num_devices = 1, .num_args = 2, .output_lists = &outputs);
    HOST_OK(LoadedExecutable_Execute, &run);
    host_buffer_destroy(result);
    free(run.options);
  }
  host_buffer_destroy(x);

  const size_t stats_sizes[] = {185, 192, 201, 208};  // 0.112, padded, 0.113, padded
  for (size_t i = 0; i < 4; i++) {
    char zeros[208] = {0};
    HOST_ARGS(stats, Device_MemoryStats, .device = world.device);
    memcpy(zeros, &stats, sizeof stats);
    PJRT_Device_MemoryStats_Args *sized = cut(zeros, stats_sizes[i]);
    HOST_OK(Device_MemoryStats, sized);
    assert_true(sized->bytes_limit_is_set);
    free(sized);
  }

  HOST_ARGS(get, LoadedExecutable_GetExecutable, .loaded_executable = world.add);
  HOST_OK(LoadedExecutable_GetExecutable, &get);
  const size_t memory_sizes[] = {104, 112, 120, 144};  // 0.40, 0.72, 0.90, 0.104
  for (size_t i = 0; i < 4; i++) {
    HOST_ARGS(stats, Executable_GetCompiledMemoryStats, .executable = get.executable);
    PJRT_Executable_GetCompiledMemoryStats_Args *sized = cut(&stats, memory_sizes[i]);
    HOST_OK(Executable_GetCompiledMemoryStats, sized);
    assert_int_equal(sized->output_size_in_bytes, 24);
    free(sized);
  }
  HOST_ARGS(serialize, Executable_Serialize, .executable = get.executable);
  HOST_OK(Executable_Serialize, &serialize);
  HOST_ARGS(read, Executable_DeserializeAndLoad, .client = world.client,
            .serialized_executable = serialize.serialized_bytes,
            .serialized_executable_size = serialize.serialized_bytes_size);
  PJRT_Executable_DeserializeAndLoad_Args *old_read = CUT(read, loaded_executable);  // before 0.71
  HOST_OK(Executable_DeserializeAndLoad, old_read);
  host_loaded_destroy(old_read->loaded_executable);
  free(old_read);
  serialize.serialized_executable_deleter(serialize.serialized_executable);
  HOST_ARGS(gone, Executable_Destroy, .executable = get.executable);
  HOST_OK(Executable_Destroy, &gone);

  HOST_ARGS(failed, Client_CreateErrorBuffer, .client = world.client, .error_code = PJRT_Error_Code_ABORTED,
            .shape_dims = walk_dims, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
  PJRT_Client_CreateErrorBuffer_Args *old_failed = CUT(failed, buffer);  // before 0.103
  HOST_OK(Client_CreateErrorBuffer, old_failed);
  host_buffer_destroy(old_failed->buffer);
  free(old_failed);
  HOST_ARGS(poison, Device_PoisonExecution, .device = world.device, .error_code = PJRT_Error_Code_ABORTED);
  PJRT_Device_PoisonExecution_Args *old_poison = CUT(poison, poisoned);  // before 0.100
  HOST_OK(Device_PoisonExecution, old_poison);
  free(old_poison);
}

// Nothing is left out: whoever adds a slot to pjrt/api.def walks it here.
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
      cmocka_unit_test(test_every_slot_was_called),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
