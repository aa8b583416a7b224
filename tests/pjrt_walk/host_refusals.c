#include "tests/pjrt_walk/host_refusals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/guard.h"

// Memory of `size` bytes but never less than the struct_size itself.
static guard copy_of(const void *args, size_t size) {
  guard copy = guard_place(args, size < sizeof size ? sizeof size : size);
  memcpy(copy.at, &size, sizeof size);
  return copy;
}

// Takes the copy. False, printing, unless the call was refused with INVALID_ARGUMENT and these words.
HOST_CALLS_BY_ONE_TYPE static bool refuses(host_function call, guard take_args, const char *says) {
  const char *message;
  PJRT_Error_Code code = host_take_error(call(take_args.at), &message);
  guard_end(&take_args);
  bool refused = code == PJRT_Error_Code_INVALID_ARGUMENT && strstr(message, says) != NULL;
  if (!refused) {
    print_error("code %d: '%s', wanted INVALID_ARGUMENT and '%s'\n", (int)code, message, says);
  }
  return refused;
}

// The function says itself how much it wants; whatever is shorter gets the same answer.
HOST_CALLS_BY_ONE_TYPE static void refuses_short(const char *name, host_function call, const void *good) {
  const char *message;
  size_t wanted = 0;
  guard shortest = copy_of(good, sizeof(size_t));
  host_take_error(call(shortest.at), &message);
  guard_end(&shortest);
  const char *at = strstr(message, "struct_size is 8, wanted at least ");
  if (at == NULL || sscanf(at, "struct_size is 8, wanted at least %zu", &wanted) != 1) {
    fail_msg("%s with a struct_size of 8 says '%s'", name, message);
  }
  for (size_t size = 0; size < wanted; size++) {
    char says[96];
    snprintf(says, sizeof says, "struct_size is %zu, wanted at least %zu", size, wanted);
    if (!refuses(call, copy_of(good, size), says)) {
      fail_msg("%s with a struct_size of %zu", name, size);
    }
  }
}

static bool is_listed(size_t offset, const size_t *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (list[i] == offset) {
      return true;
    }
  }
  return false;
}

// Something lies there. Numbers are smaller, also two of 32 bits side by side. Padding behind a number of 32 bits may have
// half of an old address in it; such a number is small.
static bool is_address(uintptr_t word) {
  return word >> 44 != 0 && word >> 47 == 0 && (uint32_t)word >> 16 != 0 &&
         msync((void *)(word & ~(uintptr_t)4095), 1, MS_ASYNC) == 0;
}

static void refuses_nulls(const char *name, host_function call, const void *good, size_t size, const size_t *optional,
                          size_t num_optional) {
  for (size_t at = sizeof(size_t); at + sizeof(void *) <= size; at += sizeof(void *)) {
    uintptr_t word;
    memcpy(&word, (const char *)good + at, sizeof word);
    if (!is_address(word) || is_listed(at, optional, num_optional)) {
      continue;
    }
    guard bad = copy_of(good, size);
    memset((char *)bad.at + at, 0, sizeof(void *));
    if (!refuses(call, bad, "NULL")) {
      fail_msg("%s with NULL in the field at byte %zu", name, at);
    }
  }
}

void host_refuses_bad_args(const char *name, host_function call, const void *good, size_t size, const size_t *optional,
                           size_t num_optional) {
  refuses_short(name, call, good);
  refuses_nulls(name, call, good, size, optional, num_optional);
}

HOST_CALLS_BY_ONE_TYPE PJRT_Error *host_call_guarded(host_function call, void *args, size_t size, size_t said,
                                                     size_t real) {
  enum { LARGEST = 512 };
  char longer[LARGEST] = {0};
  assert_true(size <= LARGEST && real <= LARGEST);
  memcpy(longer, args, size);
  memcpy(longer, &said, sizeof said);
  guard block = guard_place(longer, real);
  PJRT_Error *error = call(block.at);
  size_t known = real < size ? real : size;
  memcpy((char *)args + sizeof said, (char *)block.at + sizeof said, known - sizeof said);
  guard_end(&block);
  return error;
}

PJRT_ExecutableAbiVersion *host_executable_version(const PJRT_AbiVersion_Extension *abi,
                                                   PJRT_RuntimeAbiVersion *runtime) {
  PJRT_RuntimeAbiVersion_ToProto_Args to = {.struct_size = sizeof to, .abi_version = runtime};
  HOST_GUARDED_OK(abi->runtime_abi_version_to_proto, &to);
  PJRT_ExecutableAbiVersion_FromProto_Args from = {.struct_size = sizeof from,
                                                   .serialized_proto = to.serialized_proto,
                                                   .serialized_proto_size = to.serialized_proto_size};
  HOST_GUARDED_OK(abi->executable_abi_version_from_proto, &from);
  to.serialized_proto_deleter(to.serialized_proto_holder);
  return from.abi_version;
}
