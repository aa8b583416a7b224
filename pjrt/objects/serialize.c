// Serialized executables: what the host compiled a program with, beside it (compiler/saved.h).
#include <string.h>

#include "compiler/saved.h"
#include "pjrt/objects/objects.h"

static mr_status serialize(const PJRT_Executable *executable, char **out_bytes, size_t *out_size) {
  mr_saved what = {.note = executable->options,
                   .program = executable->program,
                   .format = executable->format,
                   .figures = executable->figures,
                   .for_target = executable->for_target};
  if (executable->for_target) {
    what.target = executable->target;
  }
  mr_text text;
  MR_TRY(mr_saved_write(&what, executable->executable, &text));
  *out_bytes = text.data;
  *out_size = text.size;
  return MR_OK;
}

// `options`: what replaces the options inside; empty keeps them.
static mr_status deserialize(PJRT_Client *client, mr_span bytes, mr_span options, PJRT_LoadedExecutable **out_loaded) {
  mr_saved saved;
  MR_TRY(mr_saved_read(bytes, &saved));
  mr_pjrt_places places = mr_pjrt_client_places(client);
  places.figures = &saved.figures;
  places.target = saved.for_target ? &saved.target : NULL;
  places.client = NULL;
  PJRT_Executable *executable = NULL;
  mr_status status =
      mr_pjrt_executable_compile(saved.program, saved.format, options.size ? options : saved.note, places, &executable);
  mr_saved_release(&saved);
  status = status ? status : mr_pjrt_executable_load(client, executable, out_loaded);
  mr_pjrt_executable_release(executable);
  return status;
}

// The bytes are a mr_text's.
static void delete_executable_bytes(PJRT_SerializedExecutable *serialized) {
  mr_text text = {.data = (char *)serialized};
  mr_text_deinit(&text);
}

PJRT_Error *mr_pjrt_Executable_Serialize(PJRT_Executable_Serialize_Args *args) {
  MR_PJRT_NEED(args, serialized_executable_deleter);
  MR_PJRT_NONNULL(args, executable);
  char *bytes;
  MR_PJRT_TRY(serialize(args->executable, &bytes, &args->serialized_bytes_size));
  args->serialized_bytes = bytes;
  args->serialized_executable = (PJRT_SerializedExecutable *)bytes;
  args->serialized_executable_deleter = delete_executable_bytes;
  return NULL;
}

static mr_status refuse_load_options(const PJRT_LoadOptions *options) {
  if (options->struct_size < PJRT_ABI_END(PJRT_LoadOptions, multi_slice_config)) {
    return mr_error(MR_INVALID_ARGUMENT, "load options: struct_size is %zu, wanted at least %zu", options->struct_size,
                    PJRT_ABI_END(PJRT_LoadOptions, multi_slice_config));
  }
  if (options->computation_origin && options->computation_origin_size) {
    return mr_error(
        MR_UNIMPLEMENTED,
        "load options: computation_origin of %zu coordinates, the first %d: devices have no place in a grid",
        options->computation_origin_size, (int)options->computation_origin[0]);
  }
  return options->multi_slice_config
             ? mr_error(MR_UNIMPLEMENTED, "load options: multi_slice_config: there is one slice")
             : MR_OK;
}

PJRT_Error *mr_pjrt_Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args *args) {
  MR_PJRT_NEED(args, loaded_executable);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_NONNULL(args, serialized_executable);
  args->loaded_executable = NULL;
  if (MR_PJRT_HAS(args, load_options) && args->load_options) {
    MR_PJRT_TRY(refuse_load_options(args->load_options));
  }
  mr_span options = {0};
  if (MR_PJRT_HAS(args, overridden_serialized_compile_options_size) && args->overridden_serialized_compile_options) {
    options = (mr_span){args->overridden_serialized_compile_options, args->overridden_serialized_compile_options_size};
  }
  MR_PJRT_TRY(deserialize(args->client, (mr_span){args->serialized_executable, args->serialized_executable_size},
                          options, &args->loaded_executable));
  return NULL;
}

static void delete_options_bytes(PJRT_SerializedCompileOptions *serialized) { mr_free(serialized); }

PJRT_Error *mr_pjrt_Executable_GetCompileOptions(PJRT_Executable_GetCompileOptions_Args *args) {
  MR_PJRT_NEED(args, serialized_compile_options_deleter);
  MR_PJRT_NONNULL(args, executable);
  mr_span options = args->executable->options;
  char *bytes = mr_alloc(MR_MAX(options.size, 1));
  if (bytes == NULL) {
    return mr_pjrt_error(MR_NO_MEMORY());
  }
  memcpy(bytes, options.data, options.size);
  args->serialized_bytes = bytes;
  args->serialized_bytes_size = options.size;
  args->serialized_compile_options = (PJRT_SerializedCompileOptions *)bytes;
  args->serialized_compile_options_deleter = delete_options_bytes;
  return NULL;
}
