// A small PJRT host in C for the tests of this folder: opens the plugin as a host does, and calls it through the table.
#ifndef MR_TESTS_PJRT_WALK_HOST_H
#define MR_TESTS_PJRT_WALK_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pjrt/abi.h"

// The plugin's table; the library's path comes from argv[1] or MILLRACE_LIBRARY. Opened once, never closed.
const PJRT_Api *host_api(void);
void host_set_library(const char *path);
// From now on the plugin is the one that the test program is linked with, whose insides it may then see. Before the first call.
void host_link_plugin(void);
// The extension of this type; fails the running test when it is not in the chain once.
const PJRT_Extension_Base *host_extension(PJRT_Extension_Type type);

// Text and code of an error, which is destroyed. The text lives until the next call on this thread.
PJRT_Error_Code host_take_error(PJRT_Error *take_error, const char **out_message);
// Fails the running test when the call returned an error, printing it. With MILLRACE_TEST_ALLOC in the environment the call is
// made again and again before, with its first allocation failing, then its second, ..., until none fails: each refusal is
// RESOURCE_EXHAUSTED and has changed nothing, or the call that succeeds in the end would not (host_alloc.c). Only what the
// calling thread asks for fails, which the call can answer for: what work on other threads asks for fails in loops that wait
// for its end (tests/alloc_loop.h).
#define host_ok(error, call)                                   \
  do {                                                         \
    PJRT_Error *host_error_;                                   \
    host_attempt host_attempt_ = host_begin();                 \
    do {                                                       \
      host_fail_next(&host_attempt_);                          \
      host_error_ = (error);                                   \
    } while (host_again(&host_attempt_, host_error_, (call))); \
    host_succeeded(host_error_, (call));                       \
  } while (0)
typedef struct host_attempt {
  uint64_t nth;     // the allocation that fails at the latest
  uint64_t failed;  // how many had failed before
  int64_t live;     // blocks in use before
  bool armed;       // whether an allocation fails at all
} host_attempt;
host_attempt host_begin(void);
void host_fail_next(host_attempt *attempt);
bool host_again(host_attempt *attempt, PJRT_Error *error, const char *call);
void host_succeeded(PJRT_Error *error, const char *call);
// Whether this process makes allocations fail. Then the plugin is the one that the test program is linked with.
bool host_fails_allocations(void);
// Fails the running test unless the call was refused with this code and a message that has `says` in it. Takes the error.
void host_refused(PJRT_Error *take_error, PJRT_Error_Code code, const char *says);

#define HOST_OK(slot, args) host_ok(host_api()->PJRT_##slot(args), #slot)
// An argument struct of `slot` whose size is the ABI's; the remaining fields follow.
#define HOST_ARGS(name, slot, ...) \
  PJRT_##slot##_Args name = {.struct_size = sizeof(PJRT_##slot##_Args) __VA_OPT__(, ) __VA_ARGS__}

// ---- A client with some devices, and the calls most tests make ------------------------------------------------------------

PJRT_Client *host_client_create(int64_t num_devices);
void host_client_destroy(PJRT_Client *client);
PJRT_Device *host_device(PJRT_Client *client, size_t index);
// Memory of a device by kind: "device", "pinned_host", "unpinned_host".
PJRT_Memory *host_memory(PJRT_Device *device, const char *kind);

// Whether the kind of device that this process has (MILLRACE_DEVICES) has memory at which its host may look.
bool host_sees_device_memory(void);
// The device's default memory where its host may look at that, else memory of the host's: for what has to do with addresses.
PJRT_Memory *host_visible_memory(PJRT_Device *device);

// A float array, copied during the call.
PJRT_Buffer *host_put_in(PJRT_Client *client, PJRT_Memory *memory, const float *data, const int64_t *dims, size_t rank);
// The same in the device's default memory.
PJRT_Buffer *host_put(PJRT_Client *client, PJRT_Device *device, const float *data, const int64_t *dims, size_t rank);
// Waits for the content and copies it out.
void host_get(PJRT_Buffer *buffer, float *out, size_t count);
void host_buffer_destroy(PJRT_Buffer *buffer);
bool host_buffer_is_deleted(PJRT_Buffer *buffer);
// Awaits and destroys; the code is that of the event's error.
PJRT_Error_Code host_await(PJRT_Event *take_event, const char **out_message);
// Code of the buffer's ready event.
PJRT_Error_Code host_await_buffer(PJRT_Buffer *buffer, const char **out_message);

// Compiles MLIR text for device 0, without options.
PJRT_LoadedExecutable *host_compile(PJRT_Client *client, const char *text);
void host_loaded_destroy(PJRT_LoadedExecutable *loaded);
// What the loaded executable runs; the caller's to destroy.
PJRT_Executable *host_executable(PJRT_LoadedExecutable *loaded);
void host_executable_destroy(PJRT_Executable *executable);
// One execution on the executable's one device; waits for it.
PJRT_Error *host_execute(PJRT_LoadedExecutable *loaded, PJRT_Buffer *const *arguments, size_t num_args,
                         PJRT_Buffer **out_results);

// Runs the test program `self` with --child under a trace, which is opened for reading and has no name any more.
FILE *host_trace_of_child(const char *self);

#endif
