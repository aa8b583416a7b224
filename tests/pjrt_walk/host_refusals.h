// What any function of the ABI must refuse, derived from one call that it would accept: a struct that ends too early, and
// NULL in each field that holds an address.
//
// Threads: any. Nothing is owned: the arguments are copied, each copy into memory that ends where its struct_size says
// (tests/guard.h), so that what is touched behind it is a fault. No refused call may have an effect on what it was given.
//
//   static const size_t optional[] = {offsetof(PJRT_Event_OnReady_Args, user_arg)};
//   host_refuses_bad_args("Event_OnReady", call, &args, sizeof args, optional, 1);
#ifndef MR_TESTS_PJRT_WALK_HOST_REFUSALS_H
#define MR_TESTS_PJRT_WALK_HOST_REFUSALS_H

#include "tests/pjrt_walk/host.h"

typedef PJRT_Error *(*host_function)(void *args);

// `optional`: offsets of the fields that may be NULL, and of those of one byte, whose padding may look like an address. A refusal is INVALID_ARGUMENT and says "NULL", or the size wanted.
void host_refuses_bad_args(const char *name, host_function call, const void *good, size_t size, const size_t *optional,
                           size_t num_optional);

// Functions are called through one type, which the sanitizer of functions would report.
#define HOST_CALLS_BY_ONE_TYPE __attribute__((no_sanitize("undefined")))
// The call with arguments of `real` bytes, of which struct_size says `said`. Both may be more than the `size` that `args` has,
// as for a host that is newer than we are: what goes on behind it is zero. Outputs come back.
PJRT_Error *host_call_guarded(host_function call, void *args, size_t size, size_t said, size_t real);
// A call that must work, with a struct of this ABI's size.
#define HOST_GUARDED_OK(function, args)                                                                               \
  host_ok(host_call_guarded((host_function)(void *)(function), args, sizeof *(args), sizeof *(args), sizeof *(args)), \
          #function)

// What the extension makes of the bytes of a runtime's version: that of an executable, which the caller destroys.
PJRT_ExecutableAbiVersion *host_executable_version(const PJRT_AbiVersion_Extension *abi,
                                                   PJRT_RuntimeAbiVersion *runtime);

#endif
