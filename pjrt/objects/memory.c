// Memories: kinds, who can reach them, and the data hosts attach to them.
#include <stdio.h>
#include <string.h>

#include "pjrt/objects/objects.h"

// ---- User data ------------------------------------------------------------------------------------------------------------
// jaxlib attaches two objects to each memory once. A short list under the client's lock is plenty.

static mr_pjrt_user_data *find_user_data(mr_pjrt_memory *memory, const void *key) {
  mr_pjrt_user_data *entry = memory->user_data;
  while (entry && entry->key != key) {
    entry = entry->next;
  }
  return entry;
}

static void *get_user_data(PJRT_Memory *base, const void *key) {
  mr_pjrt_memory *memory = mr_pjrt_memory_of(base);
  pthread_mutex_lock(&memory->device->client->user_data_lock);
  mr_pjrt_user_data *entry = find_user_data(memory, key);
  void *data = entry ? entry->data : NULL;
  pthread_mutex_unlock(&memory->device->client->user_data_lock);
  return data;
}

static void call_dtor(const mr_pjrt_user_data *entry) {
  if (entry->dtor && entry->data) {
    entry->dtor(entry->data);
  }
}

static void set_user_data(PJRT_Memory *base, const void *key, void *data, void (*dtor)(void *data)) {
  mr_pjrt_memory *memory = mr_pjrt_memory_of(base);
  mr_pjrt_user_data *fresh = mr_alloc(sizeof *fresh);
  mr_pjrt_user_data old = {.data = data, .dtor = dtor};  // without memory the new data cannot be kept
  pthread_mutex_lock(&memory->device->client->user_data_lock);
  mr_pjrt_user_data *entry = find_user_data(memory, key);
  if (entry == NULL && fresh) {
    *fresh = (mr_pjrt_user_data){.key = key, .next = memory->user_data};
    memory->user_data = entry = fresh;
    fresh = NULL;
  }
  if (entry) {
    old = *entry;
    entry->data = data;
    entry->dtor = dtor;
  }
  pthread_mutex_unlock(&memory->device->client->user_data_lock);
  call_dtor(&old);  // the host's code: outside the lock
  mr_free(fresh);
}

static const PJRT_Memory_FunctionTable memory_table = {
    .struct_size = PJRT_ABI_END(PJRT_Memory_FunctionTable, set_user_data),
    .instance_struct_size = sizeof(PJRT_Memory),
    .get_user_data = get_user_data,
    .set_user_data = set_user_data,
};

// ---- Lifecycle ----------------------------------------------------------------------------------------------------------

void mr_pjrt_memory_init(mr_pjrt_memory *memory, mr_memory *inner, PJRT_Device *device) {
  *memory = (mr_pjrt_memory){.base.vtable = &memory_table, .memory = inner, .device = device};
  snprintf(memory->debug_string, sizeof memory->debug_string, "%s_%d", mr_memory_kind_name(inner->kind),
           device->description->id);
}

void mr_pjrt_memory_deinit(mr_pjrt_memory *memory) {
  pthread_mutex_lock(&memory->device->client->user_data_lock);
  mr_pjrt_user_data *all = memory->user_data;
  memory->user_data = NULL;
  pthread_mutex_unlock(&memory->device->client->user_data_lock);
  while (all) {
    mr_pjrt_user_data *entry = all;
    all = entry->next;
    call_dtor(entry);
    mr_free(entry);
  }
}

mr_status mr_pjrt_choose_memory(PJRT_Client *client, PJRT_Memory *memory, PJRT_Device *device,
                                PJRT_Memory **out_memory) {
  *out_memory = NULL;
  MR_TRY(mr_pjrt_client_check(client));
  if (!memory && device) {
    MR_TRY(mr_pjrt_check_addressable(device));
  }
  PJRT_Memory *chosen = memory ? memory : device ? device->memory_list[0] : client->memory_list[0];
  *out_memory = chosen;
  if (mr_pjrt_memory_of(chosen)->device->client != client) {
    return mr_error(MR_INVALID_ARGUMENT, "%s is a memory of another client", mr_pjrt_memory_of(chosen)->debug_string);
  }
  return MR_OK;
}

// ---- Slots ----------------------------------------------------------------------------------------------------------------

const int mr_pjrt_memory_kind_ids[MR_MEMORY_KINDS] = {
    [MR_MEMORY_DEVICE] = 42097224, [MR_MEMORY_PINNED_HOST] = 1756073601, [MR_MEMORY_UNPINNED_HOST] = (int)4022908727u};
static_assert(MR_MEMORY_KINDS == 3, "topology.c compares with each");

// In the whole run, as the ids of devices are.
static int memory_id(const mr_pjrt_memory *memory) {
  return memory->device->description->id * MR_MEMORY_KINDS + (int)memory->memory->kind;
}

MR_PJRT_GETTER(Memory_Id, memory, id, args->id = memory_id(mr_pjrt_memory_of(args->memory)))
MR_PJRT_GETTER(Memory_Kind, memory, kind_size,
               args->kind = mr_memory_kind_name(mr_pjrt_unwrap_memory(args->memory)->kind);
               args->kind_size = strlen(args->kind))
MR_PJRT_GETTER(Memory_Kind_Id, memory, kind_id,
               args->kind_id = mr_pjrt_memory_kind_ids[mr_pjrt_unwrap_memory(args->memory)->kind])
MR_PJRT_GETTER(Memory_DebugString, memory, debug_string_size,
               args->debug_string = mr_pjrt_memory_of(args->memory)->debug_string;
               args->debug_string_size = strlen(args->debug_string))
MR_PJRT_GETTER(Memory_ToString, memory, to_string_size, args->to_string = mr_pjrt_memory_of(args->memory)->debug_string;
               args->to_string_size = strlen(args->to_string))
MR_PJRT_GETTER(Memory_AddressableByDevices, memory, num_devices,
               args->devices = &mr_pjrt_memory_of(args->memory)->device->self;
               args->num_devices = 1)
