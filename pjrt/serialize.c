// Serialized executables: the program as it came and its compile options, behind a header. Reading one compiles again;
// kernels then come from the compiler's cache.
#include <string.h>

#include "pjrt/objects.h"

enum { FORMAT_VERSION = 1, VERSION_TEXT_SIZE = 24 };
static const char magic[8] = "MILLRACE";

// Little-endian, as every machine we run on; no padding.
typedef struct header {
  char magic[8];
  uint64_t format_version;
  char version[VERSION_TEXT_SIZE];  // of this library, filled with zeros
  uint64_t options_size, program_size;
  mr_hash128 checksum;  // of what follows the header
} header;
static_assert(sizeof(header) == 72, "serialized executable header");
static_assert(sizeof(MILLRACE_VERSION) <= VERSION_TEXT_SIZE, "library version");

static mr_hash128 checksum_of(const char *payload, size_t size) {
  return mr_hash128_of(payload, size, (mr_hash128){FORMAT_VERSION, 0});
}

static mr_status serialize(const PJRT_Executable *executable, char **out_bytes, size_t *out_size) {
  size_t payload = executable->options.size + executable->program.size;
  char *bytes = mr_alloc(sizeof(header) + payload);
  if (bytes == NULL) {
    return MR_NO_MEMORY();
  }
  memcpy(bytes + sizeof(header), executable->options.data, executable->options.size);
  memcpy(bytes + sizeof(header) + executable->options.size, executable->program.data, executable->program.size);
  header head = {.format_version = FORMAT_VERSION,
                 .version = MILLRACE_VERSION,
                 .options_size = executable->options.size,
                 .program_size = executable->program.size,
                 .checksum = checksum_of(bytes + sizeof(header), payload)};
  memcpy(head.magic, magic, sizeof magic);
  memcpy(bytes, &head, sizeof head);
  *out_bytes = bytes;
  *out_size = sizeof(header) + payload;
  return MR_OK;
}

static mr_status read_header(mr_span bytes, header *out) {
  if (bytes.size < sizeof *out || memcmp(bytes.data, magic, sizeof magic) != 0) {
    return mr_error(MR_INVALID_ARGUMENT, "serialized executable: %zu bytes that do not start with the header of one",
                    bytes.size);
  }
  memcpy(out, bytes.data, sizeof *out);
  static const char version[VERSION_TEXT_SIZE] = MILLRACE_VERSION;
  if (out->format_version != FORMAT_VERSION || memcmp(out->version, version, sizeof version) != 0) {
    return mr_error(MR_FAILED_PRECONDITION,
                    "serialized executable: made by millrace %.*s in format %llu, wanted " MILLRACE_VERSION " in format %d",
                    VERSION_TEXT_SIZE, out->version, (unsigned long long)out->format_version, FORMAT_VERSION);
  }
  uint64_t payload = bytes.size - sizeof *out;
  if (out->options_size > payload || out->program_size != payload - out->options_size) {
    return mr_error(MR_DATA_LOSS, "serialized executable: %llu bytes after the header, wanted %llu and %llu",
                    (unsigned long long)payload, (unsigned long long)out->options_size,
                    (unsigned long long)out->program_size);
  }
  mr_hash128 checksum = checksum_of((const char *)bytes.data + sizeof *out, payload);
  if (checksum.low != out->checksum.low || checksum.high != out->checksum.high) {
    return mr_error(MR_DATA_LOSS, "serialized executable: checksum differs");
  }
  return MR_OK;
}

// `options`: what replaces the options inside; empty keeps them.
static mr_status deserialize(PJRT_Client *client, mr_span bytes, mr_span options, PJRT_LoadedExecutable **out_loaded) {
  header head;
  MR_TRY(read_header(bytes, &head));
  const char *payload = (const char *)bytes.data + sizeof head;
  if (options.size == 0) {
    options = (mr_span){payload, head.options_size};
  }
  PJRT_Executable *executable;
  MR_TRY(mr_pjrt_executable_compile((mr_span){payload + head.options_size, head.program_size}, MR_STR("mlir"), options,
                                    client->device_count, &executable));
  mr_status status = mr_pjrt_executable_load(client, executable, out_loaded);
  mr_pjrt_executable_release(executable);
  return status;
}

// ---- Slots ----------------------------------------------------------------------------------------------------------------

static void delete_executable_bytes(PJRT_SerializedExecutable *serialized) { mr_free(serialized); }

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

PJRT_Error *mr_pjrt_Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args *args) {
  MR_PJRT_NEED(args, loaded_executable);
  MR_PJRT_NONNULL(args, client);
  args->loaded_executable = NULL;
  mr_span options = {0};
  if (MR_PJRT_HAS(args, overridden_serialized_compile_options_size) && args->overridden_serialized_compile_options) {
    options = (mr_span){args->overridden_serialized_compile_options, args->overridden_serialized_compile_options_size};
  }
  MR_PJRT_TRY(deserialize(args->client, (mr_span){args->serialized_executable, args->serialized_executable_size}, options,
                          &args->loaded_executable));
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
