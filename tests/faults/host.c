#include "tests/faults/host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const PJRT_Api *host_open(const char *path) {
  void *handle = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (handle == NULL) {
    fprintf(stderr, "no plugin: %s\n", path ? dlerror() : "MILLRACE_LIBRARY is not set");
    return NULL;
  }
  const PJRT_Api *(*get)(void);
  *(void **)&get = dlsym(handle, "GetPjrtApi");
  return get();
}

bool host_ok(const host *h, const char *call, PJRT_Error *take_error) {
  if (take_error == NULL) {
    return true;
  }
  char text[300];
  PJRT_Error_Message_Args message = {.struct_size = sizeof message, .error = take_error};
  h->api->PJRT_Error_Message(&message);
  snprintf(text, sizeof text, "%.*s", (int)message.message_size, message.message);
  PJRT_Error_GetCode_Args code = {.struct_size = sizeof code, .error = take_error};
  h->api->PJRT_Error_GetCode(&code);
  record_status(h->record, call, (int)code.code, text);
  PJRT_Error_Destroy_Args destroy = {.struct_size = sizeof destroy, .error = take_error};
  h->api->PJRT_Error_Destroy(&destroy);
  return false;
}

PJRT_Client *host_client(const host *h, int64_t devices) {
  HOST_ARGS(init, Plugin_Initialize);
  if (!HOST_CALL(h, Plugin_Initialize, &init)) {
    return NULL;
  }
  const PJRT_NamedValue option = {.struct_size = sizeof option,
                                  .name = "num_devices",
                                  .name_size = 11,
                                  .type = PJRT_NamedValue_kInt64,
                                  .int64_value = devices,
                                  .value_size = 1};
  HOST_ARGS(args, Client_Create, .create_options = &option, .num_options = 1);
  return HOST_CALL(h, Client_Create, &args) ? args.client : NULL;
}

void host_client_destroy(const host *h, PJRT_Client *client) {
  HOST_ARGS(args, Client_Destroy, .client = client);
  if (client) {
    HOST_CALL(h, Client_Destroy, &args);
  }
}

PJRT_Device *host_device(const host *h, PJRT_Client *client, size_t index) {
  HOST_ARGS(args, Client_AddressableDevices, .client = client);
  return HOST_CALL(h, Client_AddressableDevices, &args) ? args.addressable_devices[index] : NULL;
}

bool host_await(const host *h, const char *what, PJRT_Event *take_event) {
  HOST_ARGS(await, Event_Await, .event = take_event);
  bool fine = host_ok(h, what, h->api->PJRT_Event_Await(&await));
  HOST_ARGS(destroy, Event_Destroy, .event = take_event);
  return HOST_CALL(h, Event_Destroy, &destroy) && fine;
}

PJRT_Buffer *host_put(const host *h, PJRT_Client *client, PJRT_Buffer_Type type, const void *data, const int64_t *dims,
                      size_t rank) {
  HOST_ARGS(args, Client_BufferFromHostBuffer, .client = client, .data = data, .type = type, .dims = dims,
            .num_dims = rank, .device = host_device(h, client, 0));
  if (!args.device || !HOST_CALL(h, Client_BufferFromHostBuffer, &args)) {
    return NULL;
  }
  if (!host_await(h, "a buffer from the host", args.done_with_host_buffer)) {
    host_buffer_destroy(h, args.buffer);
    return NULL;
  }
  return args.buffer;
}

bool host_get(const host *h, PJRT_Buffer *buffer, void *out, size_t size) {
  HOST_ARGS(args, Buffer_ToHostBuffer, .src = buffer, .dst = out, .dst_size = size);
  return HOST_CALL(h, Buffer_ToHostBuffer, &args) && host_await(h, "a copy to the host", args.event);
}

void host_buffer_destroy(const host *h, PJRT_Buffer *buffer) {
  HOST_ARGS(args, Buffer_Destroy, .buffer = buffer);
  if (buffer) {
    HOST_CALL(h, Buffer_Destroy, &args);
  }
}

PJRT_LoadedExecutable *host_compile(const host *h, PJRT_Client *client, const char *text) {
  const PJRT_Program program = {.struct_size = sizeof program,
                                .code = (char *)text,
                                .code_size = strlen(text),
                                .format = "mlir",
                                .format_size = 4};
  HOST_ARGS(args, Client_Compile, .client = client, .program = &program);
  return HOST_CALL(h, Client_Compile, &args) ? args.executable : NULL;
}

void host_loaded_destroy(const host *h, PJRT_LoadedExecutable *loaded) {
  HOST_ARGS(args, LoadedExecutable_Destroy, .executable = loaded);
  if (loaded) {
    HOST_CALL(h, LoadedExecutable_Destroy, &args);
  }
}

bool host_execute(const host *h, PJRT_LoadedExecutable *loaded, PJRT_Buffer *argument, PJRT_Buffer **out_result) {
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .launch_id = 1};
  PJRT_Buffer *const list[] = {argument}, *const * lists[] = {list};
  PJRT_Buffer **outputs[] = {out_result};
  PJRT_Event *events[] = {NULL};
  *out_result = NULL;
  HOST_ARGS(args, LoadedExecutable_Execute, .executable = loaded, .options = &options, .argument_lists = lists,
            .num_devices = 1, .num_args = 1, .output_lists = outputs, .device_complete_events = events);
  return HOST_CALL(h, LoadedExecutable_Execute, &args) && host_await(h, "an execution", events[0]);
}
