// Devices and their descriptions.
#include <string.h>

#include "core/trace.h"
#include "pjrt/abi/named_value.h"
#include "pjrt/objects/flights.h"

// ---- Descriptions -------------------------------------------------------------------------------------------------------

MR_PJRT_GETTER(DeviceDescription_Id, device_description, id, args->id = args->device_description->id)
MR_PJRT_GETTER(DeviceDescription_ProcessIndex, device_description, process_index,
               args->process_index = args->device_description->process_index)

MR_PJRT_GETTER(DeviceDescription_Attributes, device_description, attributes, args->num_attributes = 1;
               args->attributes = &args->device_description->slice_attribute)

MR_PJRT_GETTER(DeviceDescription_Kind, device_description, device_kind_size,
               args->device_kind = args->device_description->kind;
               args->device_kind_size = strlen(args->device_kind))

MR_PJRT_GETTER(DeviceDescription_DebugString, device_description, debug_string_size,
               args->debug_string = args->device_description->debug_string;
               args->debug_string_size = strlen(args->debug_string))
MR_PJRT_GETTER(DeviceDescription_ToString, device_description, to_string_size,
               args->to_string = args->device_description->to_string;
               args->to_string_size = strlen(args->to_string))

// ---- Devices ------------------------------------------------------------------------------------------------------------

MR_PJRT_GETTER(Device_GetDescription, device, device_description, args->device_description = args->device->description)

mr_status mr_pjrt_check_addressable(const PJRT_Device *device) {
  return device->device ? MR_OK
                        : mr_error(MR_INVALID_ARGUMENT, "device %d is process %d's, wanted one of this process",
                                   device->description->id, device->description->process_index);
}

MR_PJRT_GETTER(Device_IsAddressable, device, is_addressable, args->is_addressable = args->device->device != NULL)
MR_PJRT_GETTER(Device_LocalHardwareId, device, local_hardware_id,
               args->local_hardware_id = args->device->description->local_id)
MR_PJRT_GETTER(Device_AddressableMemories, device, num_memories, args->memories = args->device->memory_list;
               args->num_memories = args->device->device ? MR_MEMORY_KINDS : 0)

PJRT_Error *mr_pjrt_Device_DefaultMemory(PJRT_Device_DefaultMemory_Args *args) {
  MR_PJRT_NEED(args, memory);
  MR_PJRT_NONNULL(args, device);
  MR_PJRT_TRY(mr_pjrt_check_addressable(args->device));
  args->memory = args->device->memory_list[0];
  return NULL;
}

// The caller does not clear the struct, so each pair is written as far as the struct reaches.
#define REPORT(field, value)                 \
  do {                                       \
    if (MR_PJRT_HAS(args, field##_is_set)) { \
      args->field = (int64_t)(value);        \
      args->field##_is_set = true;           \
    }                                        \
  } while (0)
#define REPORT_UNKNOWN(field)                \
  do {                                       \
    if (MR_PJRT_HAS(args, field##_is_set)) { \
      args->field = 0;                       \
      args->field##_is_set = false;          \
    }                                        \
  } while (0)

PJRT_Error *mr_pjrt_Device_MemoryStats(PJRT_Device_MemoryStats_Args *args) {
  MR_PJRT_NEED(args, bytes_in_use);
  MR_PJRT_NONNULL(args, device);
  MR_PJRT_TRY(mr_pjrt_check_addressable(args->device));
  mr_memory_stats stats = mr_device_stats(args->device->device);
  args->bytes_in_use = (int64_t)stats.bytes_in_use;
  REPORT(peak_bytes_in_use, stats.peak_bytes_in_use);
  REPORT(num_allocs, stats.num_allocs);
  REPORT(largest_alloc_size, stats.largest_alloc_size);
  REPORT(bytes_limit, stats.bytes_limit);
  REPORT_UNKNOWN(bytes_reserved);
  REPORT_UNKNOWN(peak_bytes_reserved);
  // Hosts cut arrays over all devices by it: what each can have while the others have as much.
  REPORT(bytes_reservable_limit, mr_platform_share(args->device->client->platform, args->device->device));
  REPORT_UNKNOWN(largest_free_block_bytes);
  REPORT(pool_bytes, stats.pool_bytes);
  REPORT(peak_pool_bytes, stats.peak_pool_bytes);
  // Version 0.113 has one more pair behind ours.
  static const size_t peak_allocated_set = PJRT_ABI_END(PJRT_Device_MemoryStats_Args, peak_pool_bytes_is_set) + 15;
  if (args->struct_size > peak_allocated_set) {
    ((bool *)args)[peak_allocated_set] = false;
  }
  return NULL;
}

PJRT_Error *mr_pjrt_Device_ClearMemoryStats(PJRT_Device_ClearMemoryStats_Args *args) {
  MR_PJRT_NEED(args, device);
  MR_PJRT_NONNULL(args, device);
  MR_PJRT_TRY(mr_pjrt_check_addressable(args->device));
  mr_device_clear_peaks(args->device->device);
  return NULL;
}

// What its description says, and of a device that runs here what it says itself.
struct PJRT_Device_Attributes {
  size_t count;
  PJRT_NamedValue values[1 + MR_DEVICE_ATTRIBUTES];
};

static void delete_attributes(PJRT_Device_Attributes *attributes) { mr_free(attributes); }

static void fill_attributes(const PJRT_Device *device, PJRT_Device_Attributes *out) {
  out->values[out->count++] = device->description->slice_attribute;
  for (size_t i = 0; device->device && i < device->device->num_attributes; i++) {
    const mr_device_attribute *attribute = &device->device->attributes[i];
    out->values[out->count++] = attribute->text ? mr_pjrt_value_string(attribute->name, attribute->text)
                                                : mr_pjrt_value_int(attribute->name, attribute->number);
  }
}

PJRT_Error *mr_pjrt_Device_GetAttributes(PJRT_Device_GetAttributes_Args *args) {
  MR_PJRT_NEED(args, attributes_deleter);
  MR_PJRT_NONNULL(args, device);
  args->attributes = NULL;
  args->num_attributes = 0;
  args->attributes_deleter = delete_attributes;  // hosts insist on having one
  args->device_attributes = mr_alloc_zeroed(1, sizeof *args->device_attributes);
  if (args->device_attributes == NULL) {
    return mr_pjrt_error(MR_NO_MEMORY());
  }
  fill_attributes(args->device, args->device_attributes);
  args->attributes = args->device_attributes->values;
  args->num_attributes = args->device_attributes->count;
  return NULL;
}

PJRT_Error *mr_pjrt_Device_PoisonExecution(PJRT_Device_PoisonExecution_Args *args) {
  MR_PJRT_NEED(args, poisoned);
  MR_PJRT_NONNULL(args, device);
  MR_PJRT_TRY(mr_pjrt_check_addressable(args->device));
  if (MR_PJRT_HAS(args, num_payload)) {
    MR_PJRT_NONNULL_IF(args, num_payload, payload);
  }
  args->poisoned = false;
  mr_status error = mr_pjrt_status_of_code(args->error_code, args->error_message, args->error_message_size);
  if (error == MR_OK) {
    return mr_pjrt_error(mr_error(MR_INVALID_ARGUMENT, "an execution is poisoned with code OK"));
  }
  if (MR_PJRT_HAS(args, num_payload)) {
    error = mr_pjrt_status_with_payloads(error, args->payload, args->num_payload);
  }
  args->poisoned = mr_pjrt_flights_poison(args->device, args->launch_id, error);
  return NULL;
}

// ---- Tracking events ------------------------------------------------------------------------------------------------------
// A name for something a host waits for; a trace shows how long it was there.

struct PJRT_AsyncTrackingEvent {
  uint64_t start;  // 0: no trace was on
  char description[32];
};

// Without effect: it is a span in a trace, when one is being recorded, and nothing else.
PJRT_Error *mr_pjrt_Device_CreateAsyncTrackingEvent(PJRT_Device_CreateAsyncTrackingEvent_Args *args) {
  MR_PJRT_NEED(args, event);
  MR_PJRT_NONNULL(args, device);
  args->event = mr_alloc_zeroed(1, sizeof *args->event);
  if (args->event == NULL) {
    return mr_pjrt_error(MR_NO_MEMORY());
  }
  size_t size = MR_MIN(args->description_size, sizeof args->event->description - 1);
  if (args->description && size > 0) {
    memcpy(args->event->description, args->description, size);
  }
  args->event->start = mr_trace_begin();
  return NULL;
}

PJRT_Error *mr_pjrt_AsyncTrackingEvent_Destroy(PJRT_AsyncTrackingEvent_Destroy_Args *args) {
  MR_PJRT_NEED(args, event);
  if (args->event) {
    mr_trace_end(MR_TRACE_NODE, args->event->description, args->event->start);
    mr_free(args->event);
  }
  return NULL;
}
