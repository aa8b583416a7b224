// Extension ExecutableMetadata: what an executable needs of memory, as a message that outlives it.
#include "pjrt/ext/extensions.h"
#include "pjrt/objects/objects.h"
#include "pjrt/proto/extensions.h"

static mr_status make_metadata(PJRT_Executable *executable, PJRT_ExecutableMetadata **out_metadata) {
  PJRT_Executable_GetCompiledMemoryStats_Args stats = {.struct_size = sizeof stats, .executable = executable};
  MR_TRY(mr_pjrt_status_of_foreign(mr_pjrt_Executable_GetCompiledMemoryStats(&stats)));
  const mr_pjrt_compiled_memory memory = {.code = stats.generated_code_size_in_bytes,
                                          .arguments = stats.argument_size_in_bytes,
                                          .results = stats.output_size_in_bytes,
                                          .aliases = stats.alias_size_in_bytes,
                                          .temporaries = stats.temp_size_in_bytes,
                                          .peak = stats.peak_memory_in_bytes};
  PJRT_ExecutableMetadata *metadata = mr_alloc(sizeof *metadata);
  if (metadata == NULL) {
    return MR_NO_MEMORY();
  }
  char *bytes;
  mr_status status = mr_pjrt_executable_metadata_serialize(&memory, &bytes, &metadata->serialized_metadata_size);
  if (status) {
    mr_free(metadata);
    return status;
  }
  metadata->serialized_metadata = bytes;
  *out_metadata = metadata;
  return MR_OK;
}

static PJRT_Error *get_executable_metadata(PJRT_ExecutableMetadata_GetExecutableMetadata_Args *args) {
  MR_PJRT_NONNULL(args, executable);
  args->metadata = NULL;
  MR_PJRT_TRY(make_metadata(args->executable, &args->metadata));
  return NULL;
}

static void destroy_serialized_metadata(PJRT_ExecutableMetadata_DestroySerializedMetadata_Args *args) {
  if (args->metadata) {
    mr_free((void *)args->metadata->serialized_metadata);
    mr_free(args->metadata);
  }
}

PJRT_ExecutableMetadata_Extension mr_pjrt_ext_executable_metadata = {
    .base = {.struct_size = sizeof(PJRT_ExecutableMetadata_Extension),
             .type = PJRT_Extension_Type_ExecutableMetadata,
             .next = &mr_pjrt_ext_custom_partitioner.base},
    .get_executable_metadata = get_executable_metadata,
    .destroy_serialized_metadata = destroy_serialized_metadata,
};
