#include "compiler/saved.h"

#include <string.h>

#include "compiler/codegen/codegen.h"
#include "core/version.h"

enum { FORMAT_VERSION = 7, VERSION_TEXT_SIZE = 24, TARGET_TEXT_SIZE = 96 };
static const char magic[8] = "MILLRACE";

// Little-endian, as every machine we run on; no padding.
typedef struct header {
  char magic[8];
  uint64_t format_version;
  char version[VERSION_TEXT_SIZE];  // of this library; texts are filled with zeros
  char target[TARGET_TEXT_SIZE];    // processor and code generator, for people
  mr_hash128 identity;              // of the build and the processor
  uint64_t note_size, program_size, kernels_size;
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

void mr_saved_seal(void *bytes, size_t size) {
  header head;
  if (size >= sizeof head) {
    memcpy(&head, bytes, sizeof head);
    head.checksum = checksum_of(head, (const char *)bytes + sizeof head, size - sizeof head);
    memcpy(bytes, &head, sizeof head);
  }
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

static void fill_header(const mr_saved *what, size_t kernels_size, header *out) {
  *out = (header){.format_version = FORMAT_VERSION,
                  .version = MILLRACE_VERSION,
                  .identity = mr_codegen_identity(),
                  .note_size = what->note.size,
                  .program_size = what->program.size,
                  .kernels_size = kernels_size,
                  .program_format = (uint8_t)what->format};
  memcpy(out->magic, magic, sizeof magic);
  memcpy(out->figures, &what->figures, sizeof out->figures);
  if (what->for_target) {
    put_target(&what->target, out);
  }
  strncpy(out->target, mr_codegen_target(), sizeof out->target - 1);
}

mr_status mr_saved_write(const mr_saved *what, const mr_executable *executable, mr_text *out_text) {
  mr_text text = {0};
  header head = {0};
  mr_text_append(&text, (mr_str){(const char *)&head, sizeof head});
  mr_text_append(&text, (mr_str){what->note.data, what->note.size});
  mr_text_append(&text, (mr_str){what->program.data, what->program.size});
  size_t before = text.size;
  mr_executable_each_kernel(executable, append_kernel, &text);
  if (text.failed) {
    mr_text_deinit(&text);
    return MR_NO_MEMORY();
  }
  fill_header(what, text.size - before, &head);
  memcpy(text.data, &head, sizeof head);
  mr_saved_seal(text.data, text.size);
  *out_text = text;
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
  if (out->note_size > payload || out->program_size > payload - out->note_size ||
      out->kernels_size != payload - out->note_size - out->program_size) {
    return mr_error(MR_DATA_LOSS, "serialized executable: %llu bytes after the header, wanted %llu, %llu and %llu",
                    (unsigned long long)payload, (unsigned long long)out->note_size,
                    (unsigned long long)out->program_size, (unsigned long long)out->kernels_size);
  }
  mr_hash128 checksum = checksum_of(*out, (const char *)bytes.data + sizeof *out, payload);
  if (checksum.low != out->checksum.low || checksum.high != out->checksum.high) {
    return mr_error(MR_DATA_LOSS, "serialized executable: checksum differs");
  }
  return MR_OK;
}

void mr_saved_release(mr_saved *saved) {
  for (size_t i = 0; i < saved->num_kernels; i++) {
    mr_kernel_release(saved->kernels[i]);
  }
  mr_free(saved->kernels);
  saved->kernels = NULL;
  saved->num_kernels = 0;
}

static mr_status preload(mr_span bytes, mr_saved *list) {
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
    MR_TRY(mr_kernel_preload(head.key, (mr_span){at + sizeof head, head.size}, &list->kernels[list->num_kernels]));
    list->num_kernels++;
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

mr_status mr_saved_read(mr_span bytes, mr_saved *out_saved) {
  *out_saved = (mr_saved){0};
  header head;
  MR_TRY(read_header(bytes, &head));
  const char *payload = (const char *)bytes.data + sizeof head, *program = payload + head.note_size;
  *out_saved = (mr_saved){.note = {payload, head.note_size},
                          .program = {program, head.program_size},
                          .format = (mr_program_format)head.program_format,
                          .figures = {.origin = MR_FIGURES_GIVEN},
                          .for_target = head.language != 0,
                          .target = get_target(&head)};
  memcpy(&out_saved->figures, head.figures, sizeof head.figures);
  mr_figures_mend(&out_saved->figures, &mr_figures_default);  // whatever a file says
  mr_status status = preload((mr_span){program + head.program_size, head.kernels_size}, out_saved);
  if (status) {
    mr_saved_release(out_saved);
  }
  return status;
}
