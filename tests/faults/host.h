// host: a PJRT host whose every call may fail. What fails is put on record, and the host goes on to clean up, as a careful one
// does.
#ifndef MR_TESTS_FAULTS_HOST_H
#define MR_TESTS_FAULTS_HOST_H

#include "pjrt/abi.h"
#include "tests/faults/scenario.h"

typedef struct host {
  const PJRT_Api *api;
  record *record;
} host;

// The plugin's table, opened once; NULL: it cannot be.
const PJRT_Api *host_open(const char *path);
// False, and on record, when there is an error, which is destroyed.
bool host_ok(const host *h, const char *call, PJRT_Error *take_error);

#define HOST_ARGS(name, slot, ...) \
  PJRT_##slot##_Args name = {.struct_size = sizeof(PJRT_##slot##_Args) __VA_OPT__(, ) __VA_ARGS__}
#define HOST_CALL(h, slot, args) host_ok(h, #slot, (h)->api->PJRT_##slot(args))

// NULL, or false: it failed, and that is on record. NULL is fine to destroy.
PJRT_Client *host_client(const host *h, int64_t devices);
void host_client_destroy(const host *h, PJRT_Client *client);
PJRT_Device *host_device(const host *h, PJRT_Client *client, size_t index);
PJRT_Buffer *host_put(const host *h, PJRT_Client *client, PJRT_Buffer_Type type, const void *data, const int64_t *dims,
                      size_t rank);
bool host_get(const host *h, PJRT_Buffer *buffer, void *out, size_t size);
void host_buffer_destroy(const host *h, PJRT_Buffer *buffer);
// Waits, and destroys the event.
bool host_await(const host *h, const char *what, PJRT_Event *take_event);
PJRT_LoadedExecutable *host_compile(const host *h, PJRT_Client *client, const char *text);
void host_loaded_destroy(const host *h, PJRT_LoadedExecutable *loaded);
// One argument and one result.
bool host_execute(const host *h, PJRT_LoadedExecutable *loaded, PJRT_Buffer *argument, PJRT_Buffer **out_result);

#endif
