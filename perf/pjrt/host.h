// What the programs of this folder do as hosts: open a plugin, call it, and end when it refuses.
#ifndef MR_PERF_PJRT_HOST_H
#define MR_PERF_PJRT_HOST_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/core.h"
#include "pjrt/abi.h"

static const PJRT_Api *api;  // whose functions CALL calls

static void check(PJRT_Error *error, const char *call) {
  if (error) {
    PJRT_Error_Message_Args message = {.struct_size = sizeof message, .error = error};
    api->PJRT_Error_Message(&message);
    fprintf(stderr, "%s: %.*s\n", call, (int)message.message_size, message.message);
    exit(1);
  }
}
#define CALL(slot, args) check(api->PJRT_##slot(args), #slot)

// The library at `path`, or the one that the program was built with where there is none.
static inline void open_plugin(const char *path) {
  const PJRT_Api *(*get_api)(void) = GetPjrtApi;
  if (path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "GetPjrtApi") : NULL;
    if (!symbol) {
      fprintf(stderr, "%s: %s\n", path, dlerror());
      exit(1);
    }
    __builtin_memcpy(&get_api, &symbol, sizeof get_api);
  }
  api = get_api();
  PJRT_Plugin_Initialize_Args init = {.struct_size = sizeof init};
  CALL(Plugin_Initialize, &init);
}

static inline PJRT_Client *create_client(void) {
  PJRT_Client_Create_Args create = {.struct_size = sizeof create};
  CALL(Client_Create, &create);
  return create.client;
}

static inline PJRT_LoadedExecutable *compile_text(PJRT_Client *client, const char *text, size_t size) {
  PJRT_Program program = {
      .struct_size = sizeof program, .code = (char *)text, .code_size = size, .format = "mlir", .format_size = 4};
  PJRT_Client_Compile_Args args = {.struct_size = sizeof args, .client = client, .program = &program};
  CALL(Client_Compile, &args);
  return args.executable;
}

static inline void destroy_executable(PJRT_LoadedExecutable *executable) {
  PJRT_LoadedExecutable_Destroy_Args gone = {.struct_size = sizeof gone, .executable = executable};
  CALL(LoadedExecutable_Destroy, &gone);
}

static inline void destroy_event(PJRT_Event *event) {
  PJRT_Event_Destroy_Args args = {.struct_size = sizeof args, .event = event};
  CALL(Event_Destroy, &args);
}

static inline void destroy_buffer(PJRT_Buffer *buffer) {
  PJRT_Buffer_Destroy_Args args = {.struct_size = sizeof args, .buffer = buffer};
  CALL(Buffer_Destroy, &args);
}

static inline void destroy_client(PJRT_Client *client) {
  PJRT_Client_Destroy_Args gone = {.struct_size = sizeof gone, .client = client};
  CALL(Client_Destroy, &gone);
}

#endif
