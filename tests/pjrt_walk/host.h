// A small PJRT host in C for the tests of this folder: opens the plugin as a host does, and calls it through the table.
#ifndef MR_TESTS_PJRT_WALK_HOST_H
#define MR_TESTS_PJRT_WALK_HOST_H

#include "pjrt/abi.h"

// The plugin's table; the library's path comes from argv[1] or MILLRACE_LIBRARY. Opened once, never closed.
const PJRT_Api *host_api(void);
void host_set_library(const char *path);

// Text and code of an error, which is destroyed. The text lives until the next call on this thread.
PJRT_Error_Code host_take_error(PJRT_Error *take_error, const char **out_message);
// Fails the running test when the call returned an error, printing it.
void host_ok(PJRT_Error *error, const char *call);

#define HOST_OK(slot, args) host_ok(host_api()->PJRT_##slot(args), #slot)
// An argument struct of `slot` whose size is the ABI's; the remaining fields follow.
#define HOST_ARGS(name, slot, ...) \
  PJRT_##slot##_Args name = {.struct_size = sizeof(PJRT_##slot##_Args) __VA_OPT__(, ) __VA_ARGS__}

#endif
