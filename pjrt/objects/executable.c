// Executables: what hosts ask about them.
#include <string.h>

#include "core/census.h"
#include "core/size.h"
#include "pjrt/objects/objects.h"
#include "pjrt/objects/program.h"
#include "pjrt/proto/options.h"
#include "pjrt/proto/sharding.h"

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

// With how devices' parts make whole arrays, as XLA's partitioner says it.
static mr_status write_for_hosts(const PJRT_Executable *executable, const mr_compile_options *options, mr_text *out) {
  if (executable->partitions <= 1) {
    return mr_optimized_hlo(executable->program, options, NULL, out);
  }
  const mr_executable *inner = executable->executable;
  const mr_pjrt_ports *params = &executable->params, *results = &executable->results;
  const mr_tile_sharding **tiles = mr_alloc(results->count * sizeof *tiles + 1);
  mr_span *parameters = mr_alloc(params->count * sizeof *parameters + 1);
  char *packed = NULL;
  size_t size = 0;
  mr_status status = tiles && parameters ? MR_OK : MR_NO_MEMORY();
  for (size_t i = 0; !status && i < results->count; i++) {
    tiles[i] = mr_executable_result(inner, i)->tiles;
  }
  for (size_t i = 0; !status && i < params->count; i++) {
    parameters[i] = (mr_span){params->shardings[i], params->sharding_sizes[i]};
  }
  status = status ? status : mr_pjrt_sharding_pack_tuple(tiles, results->count, &packed, &size);
  const mr_hlo_shardings shardings = {
      .results = {packed, size}, .parameters = parameters, .num_parameters = params->count};
  status = status ? status : mr_optimized_hlo(executable->program, options, &shardings, out);
  mr_free(packed);
  mr_free(tiles);
  mr_free(parameters);
  return status;
}

// Hosts make HLO of text, and CHLO has none. A program in which the passes found such ops is given as it came.
static mr_status print_for_hosts(const PJRT_Executable *executable, mr_text *out_text) {
  mr_text text = {0};
  mr_span program = executable->program;
  mr_pjrt_options options;
  MR_TRY(mr_pjrt_options_parse(executable->options.data, executable->options.size, &options));
  const mr_compile_options compile_options = mr_pjrt_options_for(executable, &options);
  bool as_hlo = mr_pjrt_came_as_hlo(program);
  mr_status status = as_hlo ? write_for_hosts(executable, &compile_options, &text)
                            : mr_optimized_program(program, &compile_options, &text, NULL);
  mr_pjrt_options_deinit(&options);
  if (!status && !as_hlo && memmem(text.data, text.size, "chlo.", 5)) {
    mr_text_deinit(&text);
    text = (mr_text){0};
    mr_text_append(&text, (mr_str){program.data, program.size});
    status = text.failed ? MR_NO_MEMORY() : MR_OK;
  }
  if (status) {
    mr_text_deinit(&text);  // the next one to ask finds nothing, not a text that has failed
    return status;
  }
  *out_text = text;
  return MR_OK;
}

// What the passes made of the program, in a form like that in which it came: made when it is first asked for, as few hosts do.
static mr_status optimized_program(PJRT_Executable *executable, mr_str *out_text) {
  mr_status status = MR_OK;
  pthread_mutex_lock(&executable->optimized_lock);
  if (executable->optimized.size == 0) {
    status = print_for_hosts(executable, &executable->optimized);
  }
  *out_text = (mr_str){executable->optimized.data, executable->optimized.size};
  pthread_mutex_unlock(&executable->optimized_lock);
  return status;
}

PJRT_Error *mr_pjrt_Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args *args) {
  MR_PJRT_NEED(args, program);
  MR_PJRT_NONNULL(args, executable);
  MR_PJRT_NONNULL(args, program);
  mr_str text;
  MR_PJRT_TRY(optimized_program(args->executable, &text));
  args->program->format = mr_pjrt_came_as_hlo(args->executable->program) ? "hlo_with_config" : "mlir";
  args->program->format_size = strlen(args->program->format);
  if (args->program->code == NULL) {
    args->program->code_size = text.size;
    return NULL;
  }
  if (args->program->code_size < text.size) {
    return mr_pjrt_error(mr_error(MR_INVALID_ARGUMENT,
                                  "PJRT_Executable_OptimizedProgram: room for %zu bytes, wanted %zu",
                                  args->program->code_size, text.size));
  }
  memcpy(args->program->code, text.data, text.size);
  return NULL;
}

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
