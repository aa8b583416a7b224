// Reads and writes the messages of the extensions through protobuf-c.
#include "pjrt/proto/extensions.h"

#include <string.h>

#include "pjrt/proto/extensions.pb-c.h"
#include "pjrt/proto/message.h"

// ---- Partial programs -----------------------------------------------------------------------------------------------

mr_status mr_pjrt_partial_program_parse(mr_span bytes, mr_arena *arena, mr_pjrt_partial_program *out) {
  ProtobufCMessage *message;
  MR_TRY(mr_proto_unpack(&millrace__partial_program__descriptor, "partial program", bytes, arena, &message));
  const Millrace__PartialProgram *proto = (const Millrace__PartialProgram *)message;
  *out = (mr_pjrt_partial_program){.program = {proto->program.data, proto->program.len},
                                   .format = mr_str_of(proto->program_format),
                                   .producer = mr_str_of(proto->producer_phase),
                                   .version = mr_str_of(proto->version),
                                   .name = mr_str_of(proto->program_name)};
  for (size_t i = 0; i < proto->n_consumer_phases && i < MR_ARRAY_SIZE(out->consumers); i++) {
    out->consumers[out->consumer_count++] = mr_str_of(proto->consumer_phases[i]);
  }
  return MR_OK;
}

// protobuf-c wants C strings.
static char *terminated(mr_arena *arena, mr_str text) {
  char *copy = mr_arena_alloc(arena, text.size + 1);
  if (copy) {
    if (text.size > 0) {
      memcpy(copy, text.data, text.size);
    }
    copy[text.size] = 0;
  }
  return copy;
}

static mr_status fill_partial_program(mr_arena *arena, const mr_pjrt_partial_program *program, char **consumers,
                                      Millrace__PartialProgram *proto) {
  proto->program = (ProtobufCBinaryData){program->program.size, (uint8_t *)program->program.data};
  proto->program_format = terminated(arena, program->format);
  proto->producer_phase = terminated(arena, program->producer);
  proto->version = terminated(arena, program->version);
  proto->program_name = terminated(arena, program->name);
  bool complete = proto->program_format && proto->producer_phase && proto->version && proto->program_name;
  for (size_t i = 0; i < program->consumer_count; i++) {
    consumers[i] = terminated(arena, program->consumers[i]);
    complete = complete && consumers[i];
  }
  proto->consumer_phases = consumers;
  proto->n_consumer_phases = program->consumer_count;
  return complete ? MR_OK : MR_NO_MEMORY();
}

mr_status mr_pjrt_partial_program_serialize(const mr_pjrt_partial_program *program, char **out_bytes,
                                            size_t *out_size) {
  Millrace__PartialProgram proto = MILLRACE__PARTIAL_PROGRAM__INIT;
  char *consumers[MR_ARRAY_SIZE(program->consumers)];
  mr_arena arena;
  mr_arena_init(&arena, 0);
  mr_status status = fill_partial_program(&arena, program, consumers, &proto);
  status = status ? status : mr_proto_pack(&proto.base, out_bytes, out_size);
  mr_arena_deinit(&arena);
  return status;
}

// ---- The others -----------------------------------------------------------------------------------------------------

mr_status mr_pjrt_abi_version_parse(mr_span bytes, mr_arena *arena, mr_pjrt_abi_version *out) {
  ProtobufCMessage *message;
  MR_TRY(mr_proto_unpack(&millrace__abi_version__descriptor, "ABI version", bytes, arena, &message));
  const Millrace__AbiVersion *proto = (const Millrace__AbiVersion *)message;
  *out = (mr_pjrt_abi_version){proto->platform, {proto->version.data, proto->version.len}};
  return MR_OK;
}

mr_status mr_pjrt_abi_version_serialize(const mr_pjrt_abi_version *version, char **out_bytes, size_t *out_size) {
  Millrace__AbiVersion proto = MILLRACE__ABI_VERSION__INIT;
  proto.platform = version->platform;
  proto.version = (ProtobufCBinaryData){version->version.size, (uint8_t *)version->version.data};
  return mr_proto_pack(&proto.base, out_bytes, out_size);
}

mr_status mr_pjrt_executable_metadata_serialize(const mr_pjrt_compiled_memory *memory, char **out_bytes,
                                                size_t *out_size) {
  Millrace__CompiledMemory numbers = MILLRACE__COMPILED_MEMORY__INIT;
  numbers.generated_code_size = memory->code;
  numbers.argument_size = memory->arguments;
  numbers.output_size = memory->results;
  numbers.alias_size = memory->aliases;
  numbers.temp_size = memory->temporaries;
  numbers.peak_memory = memory->peak;
  Millrace__ExecutableMetadata proto = MILLRACE__EXECUTABLE_METADATA__INIT;
  proto.memory = &numbers;
  return mr_proto_pack(&proto.base, out_bytes, out_size);
}

mr_status mr_pjrt_profile_options_parse(mr_span bytes, mr_pjrt_profile_options *out) {
  mr_arena arena;
  ProtobufCMessage *message;
  mr_arena_init(&arena, 0);
  mr_status status =
      mr_proto_unpack(&millrace__profile_options__descriptor, "profile options", bytes, &arena, &message);
  if (!status) {
    const Millrace__ProfileOptions *proto = (const Millrace__ProfileOptions *)message;
    *out = (mr_pjrt_profile_options){proto->version, proto->host_tracer_level, proto->device_tracer_level};
  }
  mr_arena_deinit(&arena);
  return status;
}
