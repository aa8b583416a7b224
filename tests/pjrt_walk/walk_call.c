// How the walk calls: with structs of the sizes that a version of the API has. The first good call of a slot is preceded by
// everything the slot must refuse, and is made as a newer host makes it.
#include <stddef.h>
#include <string.h>

#include "tests/pjrt_walk/host_refusals.h"
#include "tests/pjrt_walk/walk.h"

const walk_slot_info walk_slots[PJRT_API_SLOTS] = {
#define VOID_SLOT(index, name, since) [index] = {#name, sizeof(PJRT_##name##_Args), false},
#define SLOT(index, name, since) [index] = {#name, sizeof(PJRT_##name##_Args), true},
#include "pjrt/abi/api.def"
};

walk_function walk_function_of(int slot) {
  walk_function function;
  memcpy(&function, (const char *)host_api() + 40 + 8 * slot, sizeof function);
  return function;
}

// ---- Sizes by version -------------------------------------------------------------------------------------------------------

typedef struct args_size {
  int slot, minor;
  size_t said, real;
} args_size;
static const args_size args_sizes[] = {
#define ARGS_SIZE(slot, minor, said, real) {SLOT_##slot, minor, said, real},
#include "tests/pjrt_walk/struct_sizes.def"
};

// The last size up to the version; before the function was there, the first one.
static const args_size *args_size_of(int slot, int minor) {
  const args_size *found = NULL;
  for (size_t i = 0; i < sizeof args_sizes / sizeof *args_sizes; i++) {
    if (args_sizes[i].slot == slot && (found == NULL || args_sizes[i].minor <= minor)) {
      found = &args_sizes[i];
    }
  }
  assert_non_null(found);
  return found;
}

size_t walk_size_of(int slot) { return args_size_of(slot, walk.minor ? walk.minor : PJRT_API_MINOR)->real; }

// ---- Refusals ---------------------------------------------------------------------------------------------------------------

// Fields that may be NULL in a good call (handles of *_Destroy may be as well), then fields of one byte: what is in the
// padding behind those may look like an address.
static const struct {
  int slot;
  size_t offset;
} optional[] = {
#define MAY(slot, field) {SLOT_##slot, offsetof(PJRT_##slot##_Args, field)}
    MAY(Error_ForEachPayload, user_arg),
    MAY(Event_OnReady, user_arg),
    MAY(Event_Set, error_message),
    MAY(Client_BufferFromHostBuffer, device),
    MAY(Client_BufferFromHostBuffer, memory),
    MAY(Client_CreateViewOfDeviceBuffer, device),
    MAY(Client_CreateViewOfDeviceBuffer, memory),
    MAY(Client_CreateViewOfDeviceBuffer, on_delete_callback),
    MAY(Client_CreateViewOfDeviceBuffer, on_delete_callback_arg),
    MAY(Client_CreateUninitializedBuffer, memory),
    MAY(Client_CreateErrorBuffer, memory),
    MAY(Client_CreateErrorBuffer, error_message),
    MAY(Client_CreateAliasBuffer, memory),
    MAY(Client_FulfillAliasBuffer, buffer),  // refused, but it fails the alias: walked by hand
    MAY(Client_CreateBuffersForAsyncHostToDevice, memory),
    MAY(AsyncHostToDeviceTransferManager_SetBufferError, error_message),
    MAY(Buffer_ToHostBuffer, dst),  // asks for the size
    MAY(Device_CreateAsyncTrackingEvent, description),
    MAY(Device_PoisonExecution, error_message),
    MAY(LoadedExecutable_Execute, options),
    MAY(LoadedExecutable_Execute, device_complete_events),
    MAY(Event_IsReady, is_ready),
    MAY(Device_IsAddressable, is_addressable),
    MAY(LoadedExecutable_IsDeleted, is_deleted),
    MAY(Buffer_IsDeleted, is_deleted),
    MAY(Buffer_IsOnCpu, is_on_cpu),
    MAY(AsyncHostToDeviceTransferManager_TransferData, is_last_transfer),
    MAY(Device_PoisonExecution, poisoned),
    MAY(Device_MemoryStats, peak_bytes_in_use_is_set),
    MAY(Device_MemoryStats, num_allocs_is_set),
    MAY(Device_MemoryStats, largest_alloc_size_is_set),
    MAY(Device_MemoryStats, bytes_limit_is_set),
    MAY(Device_MemoryStats, bytes_reserved_is_set),
    MAY(Device_MemoryStats, peak_bytes_reserved_is_set),
    MAY(Device_MemoryStats, bytes_reservable_limit_is_set),
    MAY(Device_MemoryStats, largest_free_block_bytes_is_set),
    MAY(Device_MemoryStats, pool_bytes_is_set),
    MAY(Device_MemoryStats, peak_pool_bytes_is_set),
#undef MAY
};

static bool destroys(int slot) {
  const char *name = walk_slots[slot].name;
  size_t size = strlen(name);
  return size > 8 && strcmp(name + size - 8, "_Destroy") == 0;
}

static size_t optional_of(int slot, size_t *out_offsets) {
  size_t count = 0;
  for (size_t i = 0; i < sizeof optional / sizeof *optional; i++) {
    if (optional[i].slot == slot) {
      out_offsets[count++] = optional[i].offset;
    }
  }
  if (destroys(slot)) {
    out_offsets[count++] = offsetof(PJRT_Buffer_Destroy_Args, buffer);
  }
  return count;
}

HOST_CALLS_BY_ONE_TYPE PJRT_Error *walk_good(int slot, void *args) {
  const walk_slot_info *info = &walk_slots[slot];
  walk_function function = walk_function_of(slot);
  if (host_fails_allocations()) {
    walk.good[slot] = true;
    return function(args);
  }
  if (walk.good[slot]) {
    const args_size *sizes = args_size_of(slot, walk.minor ? walk.minor : PJRT_API_MINOR);
    bool counts_late = sizes->said < sizes->real;  // such a host has the whole struct
    size_t padded = (sizes->real + 7) / 8 * 8, real = walk.padded ? padded : sizes->real;
    return host_call_guarded(function, args, info->args_size, counts_late ? sizes->said : real, real);
  }
  size_t offsets[sizeof optional / sizeof *optional + 1];
  host_refuses_bad_args(info->name, function, args, info->args_size, offsets, optional_of(slot, offsets));
  walk.good[slot] = true;
  enum { MORE = 40 };
  return host_call_guarded(function, args, info->args_size, info->args_size + MORE, info->args_size + MORE);
}
