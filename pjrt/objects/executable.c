// Executables: what hosts ask about them.
#include <string.h>

#include "core/census.h"
#include "core/size.h"
#include "pjrt/objects/objects.h"
#include "pjrt/proto/options.h"

// ---- Executable -------------------------------------------------------------------------------------------------------------

PJRT_Error *mr_pjrt_Executable_Destroy(PJRT_Executable_Destroy_Args *args) {
  MR_PJRT_NEED(args, executable);
  mr_pjrt_executable_release(args->executable);
  return NULL;
}

MR_PJRT_GETTER(Executable_Name, executable, executable_name_size,
               mr_str name = mr_executable_name(args->executable->executable);
               args->executable_name = name.data; args->executable_name_size = name.size)
MR_PJRT_GETTER(Executable_NumReplicas, executable, num_replicas,
               args->num_replicas = (size_t)args->executable->replicas)
MR_PJRT_GETTER(Executable_NumPartitions, executable, num_partitions,
               args->num_partitions = (size_t)args->executable->partitions)
MR_PJRT_GETTER(Executable_NumOutputs, executable, num_outputs, args->num_outputs = args->executable->results.count)
MR_PJRT_GETTER(Executable_SizeOfGeneratedCodeInBytes, executable, size_in_bytes,
               args->size_in_bytes = (int64_t)mr_executable_stats_of(args->executable->executable).code_bytes)
MR_PJRT_GETTER(Executable_GetCostAnalysis, executable, properties, args->num_properties = MR_PJRT_COST_PROPERTIES;
               args->properties = args->executable->costs)

// The caller does not clear the struct: every field it has is written.
PJRT_Error *mr_pjrt_Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args *args) {
  MR_PJRT_NEED(args, host_temp_size_in_bytes);
  MR_PJRT_NONNULL(args, executable);
  mr_executable_stats stats = mr_executable_stats_of(args->executable->executable);
  args->generated_code_size_in_bytes = (int64_t)stats.code_bytes;
  args->argument_size_in_bytes = (int64_t)(stats.argument_bytes - stats.host_argument_bytes);
  args->output_size_in_bytes = (int64_t)(stats.result_bytes - stats.host_result_bytes);
  args->alias_size_in_bytes = (int64_t)(stats.alias_bytes - stats.host_alias_bytes);
  args->temp_size_in_bytes = (int64_t)stats.temp_bytes;
  // What is not in the memory that a device has by default.
  args->host_generated_code_size_in_bytes = 0;
  args->host_argument_size_in_bytes = (int64_t)stats.host_argument_bytes;
  args->host_output_size_in_bytes = (int64_t)stats.host_result_bytes;
  args->host_alias_size_in_bytes = (int64_t)stats.host_alias_bytes;
  args->host_temp_size_in_bytes = 0;
  size_t ports = mr_size_add((size_t)args->argument_size_in_bytes, (size_t)args->output_size_in_bytes);
  size_t all = mr_size_add(ports - (size_t)args->alias_size_in_bytes, stats.temp_bytes);
  int64_t total = (int64_t)MR_MIN(all, (size_t)INT64_MAX);
#define WRITE_IF_THERE(field, value) \
  do {                               \
    if (MR_PJRT_HAS(args, field)) {  \
      args->field = (value);         \
    }                                \
  } while (0)
  WRITE_IF_THERE(peak_memory_in_bytes, total);
  WRITE_IF_THERE(total_size_in_bytes, total + (int64_t)stats.constant_bytes);
  WRITE_IF_THERE(total_allocation_bytes, total);
  WRITE_IF_THERE(indefinite_allocations, 0);
  WRITE_IF_THERE(peak_unpadded_heap_bytes, (int64_t)stats.temp_bytes);
  return NULL;
}

MR_PJRT_GETTER(Executable_OutputMemoryKinds, executable, memory_kind_sizes,
               args->num_outputs = args->executable->results.count;
               args->memory_kinds = args->executable->results.memory_kinds;
               args->memory_kind_sizes = args->executable->results.memory_kind_sizes)
MR_PJRT_GETTER(Executable_ParameterMemoryKinds, executable, memory_kind_sizes,
               args->num_parameters = args->executable->params.count;
               args->memory_kinds = args->executable->params.memory_kinds;
               args->memory_kind_sizes = args->executable->params.memory_kind_sizes)
MR_PJRT_GETTER(Executable_OutputElementTypes, executable, num_output_types,
               args->output_types = args->executable->results.types;
               args->num_output_types = args->executable->results.count)
MR_PJRT_GETTER(Executable_OutputDimensions, executable, dim_sizes, args->num_outputs = args->executable->results.count;
               args->dims = args->executable->results.dims; args->dim_sizes = args->executable->results.ranks)
MR_PJRT_GETTER(Executable_Fingerprint, executable, executable_fingerprint_size,
               args->executable_fingerprint = mr_executable_fingerprint(args->executable->executable);
               args->executable_fingerprint_size = strlen(args->executable_fingerprint))

// ---- Loaded executable --------------------------------------------------------------------------------------------------------

// Never waits: executions that are under way hold what they need.
PJRT_Error *mr_pjrt_LoadedExecutable_Destroy(PJRT_LoadedExecutable_Destroy_Args *args) {
  MR_PJRT_NEED(args, executable);
  if (args->executable) {
    mr_platform *platform = args->executable->client->platform;
    mr_pjrt_executable_release(args->executable->executable);
    mr_census_add(MR_CENSUS_loaded_executables, -1);
    mr_free(args->executable);
    mr_platform_leave(platform);
  }
  return NULL;
}

PJRT_Error *mr_pjrt_LoadedExecutable_Delete(PJRT_LoadedExecutable_Delete_Args *args) {
  MR_PJRT_NEED(args, executable);
  MR_PJRT_NONNULL(args, executable);
  atomic_store_explicit(&args->executable->deleted, true, memory_order_relaxed);
  return NULL;
}

MR_PJRT_GETTER(LoadedExecutable_IsDeleted, executable, is_deleted,
               args->is_deleted = atomic_load_explicit(&args->executable->deleted, memory_order_relaxed))

PJRT_Error *mr_pjrt_LoadedExecutable_GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args *args) {
  MR_PJRT_NEED(args, executable);
  MR_PJRT_NONNULL(args, loaded_executable);
  mr_ref_retain(&args->loaded_executable->executable->ref);
  args->executable = args->loaded_executable->executable;
  return NULL;
}

MR_PJRT_GETTER(LoadedExecutable_AddressableDevices, executable, num_addressable_devices,
               args->addressable_devices = args->executable->devices;
               args->num_addressable_devices = args->executable->device_count)
MR_PJRT_GETTER(LoadedExecutable_AddressableDeviceLogicalIds, executable, num_addressable_device_logical_ids,
               args->addressable_device_logical_ids = args->executable->logical_ids;
               args->num_addressable_device_logical_ids = args->executable->device_count)
MR_PJRT_GETTER(LoadedExecutable_Fingerprint, executable, executable_fingerprint_size,
               args->executable_fingerprint = mr_executable_fingerprint(args->executable->executable->executable);
               args->executable_fingerprint_size = strlen(args->executable_fingerprint))

static void delete_assignment(PJRT_DeviceAssignmentSerialized *serialized) { mr_free(serialized); }

PJRT_Error *mr_pjrt_LoadedExecutable_GetDeviceAssignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args *args) {
  MR_PJRT_NEED(args, serialized_device_assignment_deleter);
  MR_PJRT_NONNULL(args, executable);
  const PJRT_Executable *executable = args->executable->executable;
  char *bytes;
  MR_PJRT_TRY(mr_pjrt_assignment_serialize(executable->device_ids, executable->replicas, executable->partitions, &bytes,
                                           &args->serialized_bytes_size));
  args->serialized_bytes = bytes;
  args->serialized_device_assignment = (PJRT_DeviceAssignmentSerialized *)bytes;
  args->serialized_device_assignment_deleter = delete_assignment;
  return NULL;
}
