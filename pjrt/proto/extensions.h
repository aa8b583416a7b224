// The messages of the extensions as plain C. protobuf-c stays inside this folder.
//
// Threads: plain data. Ownership: what is parsed lies in the caller's arena; what is serialized is freed with mr_free.
//
//   mr_pjrt_partial_program program;
//   MR_TRY(mr_pjrt_partial_program_parse(bytes, &arena, &program));
//   if (mr_str_is(program.format, "mlir")) ...
#ifndef MR_PJRT_PROTO_EXTENSIONS_H
#define MR_PJRT_PROTO_EXTENSIONS_H

#include "core/core.h"

typedef struct mr_pjrt_partial_program {
  mr_span program;
  mr_str format, producer, version, name;
  mr_str consumers[4];  // phases that may come next; more are ignored
  size_t consumer_count;
} mr_pjrt_partial_program;
mr_status mr_pjrt_partial_program_parse(mr_span bytes, mr_arena *arena, mr_pjrt_partial_program *out) MR_WARN_UNUSED;
mr_status mr_pjrt_partial_program_serialize(const mr_pjrt_partial_program *program, char **out_bytes,
                                            size_t *out_size) MR_WARN_UNUSED;

typedef struct mr_pjrt_abi_version {
  uint64_t platform;
  mr_span version;
} mr_pjrt_abi_version;
mr_status mr_pjrt_abi_version_parse(mr_span bytes, mr_arena *arena, mr_pjrt_abi_version *out) MR_WARN_UNUSED;
mr_status mr_pjrt_abi_version_serialize(const mr_pjrt_abi_version *version, char **out_bytes,
                                        size_t *out_size) MR_WARN_UNUSED;

typedef struct mr_pjrt_compiled_memory {
  int64_t code, arguments, results, aliases, temporaries, peak;
} mr_pjrt_compiled_memory;
mr_status mr_pjrt_executable_metadata_serialize(const mr_pjrt_compiled_memory *memory, char **out_bytes,
                                                size_t *out_size) MR_WARN_UNUSED;

typedef struct mr_pjrt_profile_options {
  uint32_t version, host_level, device_level;
} mr_pjrt_profile_options;
mr_status mr_pjrt_profile_options_parse(mr_span bytes, mr_pjrt_profile_options *out) MR_WARN_UNUSED;

#endif
