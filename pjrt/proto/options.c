// Reads and writes the protos of the ABI through protobuf-c.
#include "pjrt/proto/options.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "pjrt/proto/message.h"
#include "pjrt/proto/option_layouts.h"
#include "pjrt/proto/options.pb-c.h"

// More devices than this are refused before anything of that size is allocated.
enum { MAX_DEVICES = 1 << 16 };

static mr_status check_counts(mr_pjrt_options *out) {
  if (out->replicas < 0 || out->partitions < 0 || out->replicas > MAX_DEVICES || out->partitions > MAX_DEVICES ||
      out->replicas * out->partitions > MAX_DEVICES) {
    return mr_error(MR_INVALID_ARGUMENT,
                    "compile options: %lld replicas times %lld partitions, wanted at most %d devices",
                    (long long)out->replicas, (long long)out->partitions, MAX_DEVICES);
  }
  out->replicas = MR_MAX(out->replicas, 1);
  out->partitions = MR_MAX(out->partitions, 1);
  return MR_OK;
}

// The proto lists, per computation (our partition), the device of each replica.
static mr_status read_assignment(const Millrace__DeviceAssignment *proto, mr_pjrt_options *out) {
  if (proto == NULL || proto->n_computation_devices == 0) {
    return MR_OK;
  }
  if (proto->n_computation_devices != (size_t)out->partitions) {
    return mr_error(MR_INVALID_ARGUMENT,
                    "compile options: device assignment has %zu computations, wanted %lld partitions",
                    proto->n_computation_devices, (long long)out->partitions);
  }
  out->device_ids = mr_arena_array(&out->arena, int64_t, out->replicas * out->partitions);
  if (out->device_ids == NULL) {
    return MR_NO_MEMORY();
  }
  for (int64_t p = 0; p < out->partitions; p++) {
    const Millrace__ComputationDevices *devices = proto->computation_devices[p];
    if (devices->n_replica_device_ids != (size_t)out->replicas) {
      return mr_error(MR_INVALID_ARGUMENT, "compile options: partition %lld has %zu devices, wanted %lld replicas",
                      (long long)p, devices->n_replica_device_ids, (long long)out->replicas);
    }
    for (int64_t r = 0; r < out->replicas; r++) {
      out->device_ids[r * out->partitions + p] = devices->replica_device_ids[r];
    }
  }
  return MR_OK;
}

static mr_status read_override(const Millrace__OptionOverrideEntry *entry, mr_pjrt_override *out) {
  out->key = mr_str_of(entry->key);
  Millrace__OptionOverride__ValueCase which =
      entry->value ? entry->value->value_case : MILLRACE__OPTION_OVERRIDE__VALUE__NOT_SET;
  switch (which) {
  case MILLRACE__OPTION_OVERRIDE__VALUE_STRING_FIELD:
    out->type = MR_OVERRIDE_STRING;
    out->string = mr_str_of(entry->value->string_field);
    return MR_OK;
  case MILLRACE__OPTION_OVERRIDE__VALUE_BOOL_FIELD:
    out->type = MR_OVERRIDE_BOOL;
    out->boolean = entry->value->bool_field != 0;
    return MR_OK;
  case MILLRACE__OPTION_OVERRIDE__VALUE_INT_FIELD:
    out->type = MR_OVERRIDE_INT;
    out->integer = entry->value->int_field;
    return MR_OK;
  case MILLRACE__OPTION_OVERRIDE__VALUE_DOUBLE_FIELD:
    out->type = MR_OVERRIDE_DOUBLE;
    out->real = entry->value->double_field;
    return MR_OK;
  case MILLRACE__OPTION_OVERRIDE__VALUE__NOT_SET:
  case _MILLRACE__OPTION_OVERRIDE__VALUE__CASE_IS_INT_SIZE: break;
  }
  return mr_error(MR_INVALID_ARGUMENT, "compile options: override '%.*s' has no value", MR_STR_ARG(out->key));
}

static mr_status read_overrides(const Millrace__CompileOptionsProto *proto, mr_pjrt_options *out) {
  out->overrides = mr_arena_array(&out->arena, mr_pjrt_override, MR_MAX(proto->n_env_option_overrides, 1));
  if (out->overrides == NULL) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < proto->n_env_option_overrides; i++) {
    MR_TRY(read_override(proto->env_option_overrides[i], &out->overrides[i]));
  }
  out->override_count = proto->n_env_option_overrides;
  return MR_OK;
}

// ---- Fields that are refused ------------------------------------------------------------------------------------------------

typedef enum field_fate { FATE_HONOURED, FATE_REFUSED, FATE_NOTHING } field_fate;

static const struct {
  const char *message, *name;
  unsigned number;
  field_fate fate;
  const char *why;
} field_rows[] = {
#define FIELD(message, number, name, fate, why) {#message, #name, number, FATE_##fate, why},
#include "pjrt/proto/options.def"
};

// The text of a field, or as many bytes as there are; nothing where it is not set. What is refused is of one of these types.
static mr_str field_value(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field, char *room,
                          size_t size) {
  const char *at = (const char *)message + field->offset;
  if (field->type == PROTOBUF_C_TYPE_STRING) {
    const char *text;
    memcpy(&text, at, sizeof text);
    return mr_str_of(text ? text : "");
  }
  assert(field->type == PROTOBUF_C_TYPE_BYTES && field->label == PROTOBUF_C_LABEL_NONE);
  ProtobufCBinaryData bytes;
  memcpy(&bytes, at, sizeof bytes);
  int length = bytes.len ? snprintf(room, size, "%zu bytes", bytes.len) : 0;
  return (mr_str){room, (size_t)length};
}

static mr_status check_fields(const ProtobufCMessage *message) {
  const ProtobufCMessageDescriptor *type = message->descriptor;
  for (size_t i = 0; i < MR_ARRAY_SIZE(field_rows); i++) {
    if (field_rows[i].fate == FATE_REFUSED && strcmp(field_rows[i].message, type->short_name) == 0) {
      char room[32];
      const ProtobufCFieldDescriptor *field = protobuf_c_message_descriptor_get_field(type, field_rows[i].number);
      mr_str value = field_value(message, field, room, sizeof room);
      if (value.size) {
        return mr_error(MR_UNIMPLEMENTED, "compile options: %s is '%.*s': %s", field_rows[i].name, MR_STR_ARG(value),
                        field_rows[i].why);
      }
    }
  }
  return MR_OK;
}

// ---- Messages ---------------------------------------------------------------------------------------------------------------

static void read_debug(const Millrace__DebugOptions *debug, mr_pjrt_options *out) {
  if (debug->rounding_case == MILLRACE__DEBUG_OPTIONS__ROUNDING_XLA_ALLOW_EXCESS_PRECISION) {
    out->allow_excess_precision = debug->xla_allow_excess_precision;
  }
  out->dump_text = debug->xla_dump_hlo_as_text != 0;
  out->dump_proto = debug->xla_dump_hlo_as_proto != 0;
  out->dump_to = mr_str_of(debug->xla_dump_to);
}

static mr_status read_build(const Millrace__ExecutableBuildOptionsProto *build, mr_pjrt_options *out) {
  if (build == NULL) {
    return MR_OK;
  }
  MR_TRY(check_fields(&build->base));
  out->device_ordinal = build->device_ordinal;
  out->replicas = build->num_replicas;
  out->partitions = build->num_partitions;
  if (build->debug_options) {
    read_debug(build->debug_options, out);
  }
  MR_TRY(check_counts(out));
  MR_TRY(mr_pjrt_read_result_layout(&out->arena, build->result_layout, &out->result_layouts));
  return read_assignment(build->device_assignment, out);
}

// As on XLA:CPU.
static mr_status check_portable(const mr_pjrt_options *options) {
  if (options->replicas * options->partitions > 1) {
    return mr_error(MR_INVALID_ARGUMENT,
                    "compile options: compile_portable_executable with %lld replicas and %lld partitions, wanted one",
                    (long long)options->replicas, (long long)options->partitions);
  }
  return options->device_ids
             ? mr_error(MR_INVALID_ARGUMENT, "compile options: compile_portable_executable with a device assignment")
             : MR_OK;
}

static mr_status read_message(const Millrace__CompileOptionsProto *proto, mr_pjrt_options *out) {
  MR_TRY(check_fields(&proto->base));
  // One shape may be the tuple of all arguments.
  MR_TRY(proto->n_argument_layouts == 1
             ? mr_pjrt_read_result_layout(&out->arena, proto->argument_layouts[0], &out->argument_layouts)
             : mr_pjrt_read_layouts(&out->arena, proto->argument_layouts, proto->n_argument_layouts,
                                    &out->argument_layouts));
  MR_TRY(read_build(proto->executable_build_options, out));
  MR_TRY(proto->compile_portable_executable ? check_portable(out) : MR_OK);
  return read_overrides(proto, out);
}

mr_status mr_pjrt_options_parse(const void *bytes, size_t size, mr_pjrt_options *out) {
  *out = (mr_pjrt_options){.device_ordinal = -1, .replicas = 1, .partitions = 1, .allow_excess_precision = true};
  mr_arena_init(&out->arena, 0);
  if (size == 0) {
    return MR_OK;
  }
  ProtobufCMessage *message;
  mr_status status = mr_proto_unpack(&millrace__compile_options_proto__descriptor, "compile options",
                                     (mr_span){bytes, size}, &out->arena, &message);
  status = status ? status : read_message((Millrace__CompileOptionsProto *)message, out);
  if (status) {
    mr_pjrt_options_deinit(out);
  }
  return status;
}

void mr_pjrt_options_deinit(mr_pjrt_options *options) {
  mr_arena_deinit(&options->arena);
  *options = (mr_pjrt_options){0};
}

static mr_status fill_assignment(mr_arena *arena, const int64_t *device_ids, int64_t replicas, int64_t partitions,
                                 Millrace__DeviceAssignment *proto) {
  size_t count = (size_t)partitions;
  Millrace__ComputationDevices *rows = mr_arena_array(arena, Millrace__ComputationDevices, count);
  proto->computation_devices = mr_arena_array(arena, Millrace__ComputationDevices *, count);
  int64_t *ids = mr_arena_array(arena, int64_t, replicas *partitions);
  if (!rows || !proto->computation_devices || !ids) {
    return MR_NO_MEMORY();
  }
  for (int64_t p = 0; p < partitions; p++) {
    millrace__computation_devices__init(&rows[p]);
    rows[p].replica_device_ids = ids + p * replicas;
    rows[p].n_replica_device_ids = (size_t)replicas;
    for (int64_t r = 0; r < replicas; r++) {
      ids[p * replicas + r] = device_ids[r * partitions + p];
    }
    proto->computation_devices[p] = &rows[p];
  }
  proto->n_computation_devices = count;
  return MR_OK;
}

mr_status mr_pjrt_assignment_serialize(const int64_t *device_ids, int64_t replicas, int64_t partitions,
                                       char **out_bytes, size_t *out_size) {
  *out_bytes = NULL;
  *out_size = 0;
  Millrace__DeviceAssignment proto = MILLRACE__DEVICE_ASSIGNMENT__INIT;
  proto.replica_count = (int32_t)replicas;
  proto.computation_count = (int32_t)partitions;
  mr_arena arena;
  mr_arena_init(&arena, 0);
  mr_status status = fill_assignment(&arena, device_ids, replicas, partitions, &proto);
  if (!status) {
    status = mr_proto_pack(&proto.base, out_bytes, out_size);
  }
  mr_arena_deinit(&arena);
  return status;
}
