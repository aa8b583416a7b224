// The calls most tests make.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

PJRT_Client *host_client_create(int64_t num_devices) {
  HOST_ARGS(init, Plugin_Initialize);
  HOST_OK(Plugin_Initialize, &init);
  const PJRT_NamedValue option = {.struct_size = sizeof option,
                                  .name = "num_devices",
                                  .name_size = 11,
                                  .type = PJRT_NamedValue_kInt64,
                                  .int64_value = num_devices,
                                  .value_size = 1};
  HOST_ARGS(args, Client_Create, .create_options = &option, .num_options = 1);
  HOST_OK(Client_Create, &args);
  assert_non_null(args.client);
  return args.client;
}

void host_client_destroy(PJRT_Client *client) {
  HOST_ARGS(args, Client_Destroy, .client = client);
  HOST_OK(Client_Destroy, &args);
}

PJRT_Device *host_device(PJRT_Client *client, size_t index) {
  HOST_ARGS(args, Client_Devices, .client = client);
  HOST_OK(Client_Devices, &args);
  assert_in_range(index, 0, args.num_devices - 1);
  return args.devices[index];
}

PJRT_Memory *host_memory(PJRT_Device *device, const char *kind) {
  HOST_ARGS(args, Device_AddressableMemories, .device = device);
  HOST_OK(Device_AddressableMemories, &args);
  for (size_t i = 0; i < args.num_memories; i++) {
    HOST_ARGS(name, Memory_Kind, .memory = args.memories[i]);
    HOST_OK(Memory_Kind, &name);
    if (name.kind_size == strlen(kind) && memcmp(name.kind, kind, name.kind_size) == 0) {
      return args.memories[i];
    }
  }
  fail_msg("no memory of kind %s", kind);
  return NULL;
}

bool host_sees_device_memory(void) {
  const char *kinds = getenv("MILLRACE_DEVICES");
  return kinds == NULL || strstr(kinds, "cpu") != NULL;
}

PJRT_Memory *host_visible_memory(PJRT_Device *device) {
  return host_memory(device, host_sees_device_memory() ? "device" : "pinned_host");
}

PJRT_Buffer *host_put_in(PJRT_Client *client, PJRT_Memory *memory, const float *data, const int64_t *dims,
                         size_t rank) {
  HOST_ARGS(args, Client_BufferFromHostBuffer, .client = client, .data = data, .type = PJRT_Buffer_Type_F32,
            .dims = dims, .num_dims = rank, .memory = memory);
  HOST_OK(Client_BufferFromHostBuffer, &args);
  assert_int_equal(host_await(args.done_with_host_buffer, NULL), PJRT_Error_Code_OK);
  return args.buffer;
}

PJRT_Buffer *host_put(PJRT_Client *client, PJRT_Device *device, const float *data, const int64_t *dims, size_t rank) {
  HOST_ARGS(args, Client_BufferFromHostBuffer, .client = client, .data = data, .type = PJRT_Buffer_Type_F32,
            .dims = dims, .num_dims = rank, .device = device);
  HOST_OK(Client_BufferFromHostBuffer, &args);
  assert_int_equal(host_await(args.done_with_host_buffer, NULL), PJRT_Error_Code_OK);
  return args.buffer;
}

void host_get(PJRT_Buffer *buffer, float *out, size_t count) {
  HOST_ARGS(size, Buffer_ToHostBuffer, .src = buffer);
  HOST_OK(Buffer_ToHostBuffer, &size);
  assert_int_equal(size.dst_size, count * sizeof(float));
  HOST_ARGS(args, Buffer_ToHostBuffer, .src = buffer, .dst = out, .dst_size = count * sizeof(float));
  HOST_OK(Buffer_ToHostBuffer, &args);
  assert_int_equal(host_await(args.event, NULL), PJRT_Error_Code_OK);
}

void host_buffer_destroy(PJRT_Buffer *buffer) {
  HOST_ARGS(args, Buffer_Destroy, .buffer = buffer);
  HOST_OK(Buffer_Destroy, &args);
}

bool host_buffer_is_deleted(PJRT_Buffer *buffer) {
  HOST_ARGS(args, Buffer_IsDeleted, .buffer = buffer);
  HOST_OK(Buffer_IsDeleted, &args);
  return args.is_deleted;
}

PJRT_Error_Code host_await(PJRT_Event *take_event, const char **out_message) {
  assert_non_null(take_event);
  HOST_ARGS(await, Event_Await, .event = take_event);
  PJRT_Error *error = host_api()->PJRT_Event_Await(&await);
  HOST_ARGS(destroy, Event_Destroy, .event = take_event);
  HOST_OK(Event_Destroy, &destroy);
  return host_take_error(error, out_message);
}

PJRT_Error_Code host_await_buffer(PJRT_Buffer *buffer, const char **out_message) {
  HOST_ARGS(args, Buffer_ReadyEvent, .buffer = buffer);
  HOST_OK(Buffer_ReadyEvent, &args);
  return host_await(args.event, out_message);
}

PJRT_LoadedExecutable *host_compile(PJRT_Client *client, const char *text) {
  const PJRT_Program program = {.struct_size = sizeof program,
                                .code = (char *)text,
                                .code_size = strlen(text),
                                .format = "mlir",
                                .format_size = 4};
  HOST_ARGS(args, Client_Compile, .client = client, .program = &program);
  HOST_OK(Client_Compile, &args);
  return args.executable;
}

void host_loaded_destroy(PJRT_LoadedExecutable *loaded) {
  HOST_ARGS(args, LoadedExecutable_Destroy, .executable = loaded);
  HOST_OK(LoadedExecutable_Destroy, &args);
}

PJRT_Executable *host_executable(PJRT_LoadedExecutable *loaded) {
  HOST_ARGS(args, LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  HOST_OK(LoadedExecutable_GetExecutable, &args);
  return args.executable;
}

void host_executable_destroy(PJRT_Executable *executable) {
  HOST_ARGS(args, Executable_Destroy, .executable = executable);
  HOST_OK(Executable_Destroy, &args);
}

PJRT_Error *host_execute(PJRT_LoadedExecutable *loaded, PJRT_Buffer *const *arguments, size_t num_args,
                         PJRT_Buffer **out_results) {
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .launch_id = 1};
  PJRT_Buffer *const *lists[] = {arguments};
  PJRT_Buffer **outputs[] = {out_results};
  PJRT_Event *events[] = {NULL};
  HOST_ARGS(args, LoadedExecutable_Execute, .executable = loaded, .options = &options, .argument_lists = lists,
            .num_devices = 1, .num_args = num_args, .output_lists = outputs, .device_complete_events = events);
  PJRT_Error *error = host_api()->PJRT_LoadedExecutable_Execute(&args);
  if (error == NULL) {
    host_await(events[0], NULL);
  }
  return error;
}

FILE *host_trace_of_child(const char *self) {
  char path[] = "trace-XXXXXX", command[4096];
  int handle = mkstemp(path);
  assert_true(handle >= 0);
  close(handle);
  unlink(path);  // a trace does not write over a file
  snprintf(command, sizeof command, "MILLRACE_TRACE=%s '%s' --child", path, self);
  assert_int_equal(system(command), 0);
  FILE *file = fopen(path, "r");
  unlink(path);
  assert_non_null(file);
  return file;
}
