// Serialized executables: the program as it came, its compile options and the machine code of its kernels, behind a header
// that says which build made it and for which processor. Reading one plans the program again, which is quick, and takes
// the kernels from the file: LLVM is not needed.
//
// What is read is run: it must be trusted like a library that is opened. The checks find what is damaged, or of another build or processor;
// the checksum is no signature. docs/clients.md says so to hosts.
#include <string.h>

#include "compiler/codegen/codegen.h"
#include "pjrt/objects/objects.h"

enum { FORMAT_VERSION = 6, VERSION_TEXT_SIZE = 24, TARGET_TEXT_SIZE = 96 };
static const char magic[8] = "MILLRACE";

// Little-endian, as every machine we run on; no padding.
typedef struct header {
  char magic[8];
  uint64_t format_version;
  char version[VERSION_TEXT_SIZE];  // of this library; texts are filled with zeros
  char target[TARGET_TEXT_SIZE];    // processor and code generator, for people
  mr_hash128 identity;              // of the build and the processor
  uint64_t options_size, program_size, kernels_size;
  mr_hash128 checksum;
  // What the program was compiled for, in the order of devices/figures.def: with other figures the plan could want other kernels.
  double figures[MR_FIGURES_COUNT];
  // Likewise, mr_target field by field. language: 0 for native code, of which there is no more to say.
  uint64_t language, largest_block_bytes, parameter_bytes, local_bytes, group_items;
  mr_hash128 target_key;
  uint8_t items, has_f64, has_correct_division, has_subnormals, has_long_atomics, host_steps;
  uint8_t program_format;  // mr_program_format
  uint8_t unused;
} header;
static_assert(sizeof(header) == 256 + sizeof(double) * MR_FIGURES_COUNT, "serialized executable header");
static_assert(sizeof MILLRACE_VERSION <= VERSION_TEXT_SIZE, "library version");

// Before each kernel's object file.
typedef struct kernel_header {
  mr_hash128 key;
  uint64_t size;
} kernel_header;

// Of the header, with its checksum taken as zero, and all that follows it.
static mr_hash128 checksum_of(header head, const char *payload, size_t size) {
  head.checksum = (mr_hash128){0, 0};
  return mr_hash128_of(payload, size, mr_hash128_of(&head, sizeof head, (mr_hash128){FORMAT_VERSION, 0}));
}

// ---- Writing ----------------------------------------------------------------------------------------------------------------

// A kernel that several steps run is written as often; programs of many equal steps are rare enough.
static void append_kernel(void *context, mr_hash128 key, mr_span object) {
  kernel_header head = {key, object.size};
  mr_text_append(context, (mr_str){(const char *)&head, sizeof head});
  mr_text_append(context, (mr_str){object.data, object.size});
}

static void put_target(const mr_target *target, header *out) {
  out->language = (uint64_t)target->language;
  out->largest_block_bytes = target->largest_block_bytes;
  out->parameter_bytes = target->parameter_bytes;
  out->local_bytes = target->local_bytes;
  out->group_items = target->group_items;
  out->target_key = target->key;
  out->items = target->items;
  out->has_f64 = target->has_f64;
  out->has_correct_division = target->has_correct_division;
  out->has_subnormals = target->has_subnormals;
  out->has_long_atomics = target->has_long_atomics;
  out->host_steps = target->host_steps;
}

static void fill_header(const PJRT_Executable *executable, size_t kernels_size, header *out) {
  *out = (header){.format_version = FORMAT_VERSION,
                  .version = MILLRACE_VERSION,
                  .identity = mr_codegen_identity(),
                  .options_size = executable->options.size,
                  .program_size = executable->program.size,
                  .kernels_size = kernels_size,
                  .program_format = (uint8_t)executable->format};
  memcpy(out->magic, magic, sizeof magic);
  memcpy(out->figures, &executable->figures, sizeof out->figures);
  if (executable->for_target) {
    put_target(&executable->target, out);
  }
  strncpy(out->target, mr_codegen_target(), sizeof out->target - 1);
}

static mr_status serialize(const PJRT_Executable *executable, char **out_bytes, size_t *out_size) {
  mr_text text = {0};
  header head = {0};
  mr_text_append(&text, (mr_str){(const char *)&head, sizeof head});
  mr_text_append(&text, (mr_str){executable->options.data, executable->options.size});
  mr_text_append(&text, (mr_str){executable->program.data, executable->program.size});
  size_t before = text.size;
  mr_executable_each_kernel(executable->executable, append_kernel, &text);
  if (text.failed) {
    mr_text_deinit(&text);
    return MR_NO_MEMORY();
  }
  fill_header(executable, text.size - before, &head);
  head.checksum = checksum_of(head, text.data + sizeof head, text.size - sizeof head);
  memcpy(text.data, &head, sizeof head);
  *out_bytes = text.data;
  *out_size = text.size;
  return MR_OK;
}

// ---- Reading ----------------------------------------------------------------------------------------------------------------

static mr_status check_maker(const header *head) {
  static const char version[VERSION_TEXT_SIZE] = MILLRACE_VERSION;
  if (head->format_version != FORMAT_VERSION || memcmp(head->version, version, sizeof version) != 0) {
    return mr_error(MR_FAILED_PRECONDITION,
                    "serialized executable: made by millrace %.*s in format %llu, wanted " MILLRACE_VERSION
                    " in format %d",
                    VERSION_TEXT_SIZE, head->version, (unsigned long long)head->format_version, FORMAT_VERSION);
  }
  if (strncmp(head->target, mr_codegen_target(), TARGET_TEXT_SIZE - 1) != 0) {
    return mr_error(MR_FAILED_PRECONDITION, "serialized executable: its machine code is for %.*s, this is %s",
                    TARGET_TEXT_SIZE, head->target, mr_codegen_target());
  }
  mr_hash128 identity = mr_codegen_identity();
  if (identity.low != head->identity.low || identity.high != head->identity.high) {
    return mr_error(MR_FAILED_PRECONDITION,
                    "serialized executable: made by another build of millrace " MILLRACE_VERSION);
  }
  return MR_OK;
}

static mr_status read_header(mr_span bytes, header *out) {
  if (bytes.size < sizeof *out || memcmp(bytes.data, magic, sizeof magic) != 0) {
    return mr_error(MR_INVALID_ARGUMENT, "serialized executable: %zu bytes that do not start with the header of one",
                    bytes.size);
  }
  memcpy(out, bytes.data, sizeof *out);
  MR_TRY(check_maker(out));
  if (out->language > MR_CODE_OPENCL_C) {
    return mr_error(MR_INVALID_ARGUMENT, "serialized executable: its code is in language %llu, wanted at most %d",
                    (unsigned long long)out->language, (int)MR_CODE_OPENCL_C);
  }
  if (out->program_format > MR_PROGRAM_HLO_WITH_CONFIG) {
    return mr_error(MR_INVALID_ARGUMENT, "serialized executable: its program has format %u, wanted at most %d",
                    out->program_format, (int)MR_PROGRAM_HLO_WITH_CONFIG);
  }
  uint64_t payload = bytes.size - sizeof *out;
  if (out->options_size > payload || out->program_size > payload - out->options_size ||
      out->kernels_size != payload - out->options_size - out->program_size) {
    return mr_error(MR_DATA_LOSS, "serialized executable: %llu bytes after the header, wanted %llu, %llu and %llu",
                    (unsigned long long)payload, (unsigned long long)out->options_size,
                    (unsigned long long)out->program_size, (unsigned long long)out->kernels_size);
  }
  mr_hash128 checksum = checksum_of(*out, (const char *)bytes.data + sizeof *out, payload);
  if (checksum.low != out->checksum.low || checksum.high != out->checksum.high) {
    return mr_error(MR_DATA_LOSS, "serialized executable: checksum differs");
  }
  return MR_OK;
}

// Kernels that are held in the cache until the program has been planned and holds them itself.
typedef struct kernel_list {
  mr_kernel **kernels;
  size_t count;
} kernel_list;

static void release_kernels(kernel_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    mr_kernel_release(list->kernels[i]);
  }
  mr_free(list->kernels);
}

static mr_status preload(mr_span bytes, kernel_list *list) {
  list->kernels = mr_alloc((bytes.size / sizeof(kernel_header) + 1) * sizeof *list->kernels);
  if (list->kernels == NULL) {
    return MR_NO_MEMORY();
  }
  const char *at = bytes.data;
  for (size_t left = bytes.size; left > 0;) {
    kernel_header head;
    if (left < sizeof head) {
      return mr_error(MR_DATA_LOSS, "serialized executable: %zu bytes where a kernel begins", left);
    }
    memcpy(&head, at, sizeof head);
    if (head.size > left - sizeof head) {
      return mr_error(MR_DATA_LOSS, "serialized executable: a kernel of %llu bytes where %zu are left",
                      (unsigned long long)head.size, left - sizeof head);
    }
    MR_TRY(mr_kernel_preload(head.key, (mr_span){at + sizeof head, head.size}, &list->kernels[list->count]));
    list->count++;
    at += sizeof head + head.size;
    left -= sizeof head + head.size;
  }
  return MR_OK;
}

static mr_target get_target(const header *head) {
  return (mr_target){.language = (mr_code_language)head->language,
                     .items = head->items,
                     .has_f64 = head->has_f64,
                     .has_correct_division = head->has_correct_division,
                     .has_subnormals = head->has_subnormals,
                     .has_long_atomics = head->has_long_atomics,
                     .largest_block_bytes = head->largest_block_bytes,
                     .parameter_bytes = head->parameter_bytes,
                     .local_bytes = head->local_bytes,
                     .group_items = (uint32_t)head->group_items,
                     .host_steps = head->host_steps,
                     .key = head->target_key};
}

// `options`: what replaces the options inside; empty keeps them.
static mr_status deserialize(PJRT_Client *client, mr_span bytes, mr_span options, PJRT_LoadedExecutable **out_loaded) {
  header head;
  MR_TRY(read_header(bytes, &head));
  const char *payload = (const char *)bytes.data + sizeof head, *program = payload + head.options_size;
  if (options.size == 0) {
    options = (mr_span){payload, head.options_size};
  }
  kernel_list kernels = {0};
  PJRT_Executable *executable = NULL;
  mr_status status = preload((mr_span){program + head.program_size, head.kernels_size}, &kernels);
  if (!status) {
    mr_figures figures = {.origin = MR_FIGURES_GIVEN};
    memcpy(&figures, head.figures, sizeof head.figures);
    mr_figures_mend(&figures, &mr_figures_default);  // whatever a file says
    mr_pjrt_places places = mr_pjrt_client_places(client);
    mr_target target = get_target(&head);
    places.figures = &figures;
    places.target = head.language ? &target : NULL;
    places.client = NULL;
    status = mr_pjrt_executable_compile((mr_span){program, head.program_size}, (mr_program_format)head.program_format,
                                        options, places, &executable);
  }
  release_kernels(&kernels);
  status = status ? status : mr_pjrt_executable_load(client, executable, out_loaded);
  mr_pjrt_executable_release(executable);
  return status;
}

// ---- Slots ----------------------------------------------------------------------------------------------------------------

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
