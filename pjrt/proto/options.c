// Reads and writes the protos of the ABI through protobuf-c.
#include "pjrt/proto/options.h"

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

static mr_status copy_bools(mr_arena *arena, const protobuf_c_boolean *values, size_t count, bool **out_values,
                            size_t *out_count) {
  *out_values = mr_arena_array(arena, bool, MR_MAX(count, 1));
  if (*out_values == NULL) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    (*out_values)[i] = values[i] != 0;
  }
  *out_count = count;
  return MR_OK;
}

static mr_status copy_text(mr_arena *arena, const char *text, mr_str *out) {
  *out = mr_arena_str(arena, mr_str_of(text ? text : ""));
  return out->data ? MR_OK : MR_NO_MEMORY();
}

static mr_status read_override(mr_arena *arena, const Millrace__OptionOverrideEntry *entry, mr_pjrt_override *out) {
  MR_TRY(copy_text(arena, entry->key, &out->key));
  Millrace__OptionOverride__ValueCase which =
      entry->value ? entry->value->value_case : MILLRACE__OPTION_OVERRIDE__VALUE__NOT_SET;
  switch (which) {
  case MILLRACE__OPTION_OVERRIDE__VALUE_STRING_FIELD:
    out->type = MR_OVERRIDE_STRING;
    return copy_text(arena, entry->value->string_field, &out->string);
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

static mr_status read_overrides(const Millrace__CompileOptions *proto, mr_pjrt_options *out) {
  out->overrides = mr_arena_array(&out->arena, mr_pjrt_override, MR_MAX(proto->n_env_option_overrides, 1));
  if (out->overrides == NULL) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < proto->n_env_option_overrides; i++) {
    MR_TRY(read_override(&out->arena, proto->env_option_overrides[i], &out->overrides[i]));
  }
  out->override_count = proto->n_env_option_overrides;
  return MR_OK;
}

static mr_status read_build(const Millrace__BuildOptions *build, mr_pjrt_options *out) {
  if (build == NULL) {
    return MR_OK;
  }
  out->device_ordinal = build->device_ordinal;
  out->replicas = build->num_replicas;
  out->partitions = build->num_partitions;
  out->use_spmd_partitioning = build->use_spmd_partitioning;
  out->use_shardy_partitioner = build->use_shardy_partitioner;
  out->device_memory_size = build->device_memory_size;
  out->optimization_level = build->optimization_level;
  out->exec_time_optimization_effort = build->exec_time_optimization_effort;
  MR_TRY(check_counts(out));
  MR_TRY(mr_pjrt_read_result_layout(&out->arena, build->result_layout, &out->result_layouts));
  MR_TRY(copy_bools(&out->arena, build->allow_spmd_sharding_propagation_to_output,
                    build->n_allow_spmd_sharding_propagation_to_output, &out->propagate_to_outputs,
                    &out->propagate_to_outputs_count));
  MR_TRY(copy_bools(&out->arena, build->allow_spmd_sharding_propagation_to_parameters,
                    build->n_allow_spmd_sharding_propagation_to_parameters, &out->propagate_to_parameters,
                    &out->propagate_to_parameters_count));
  return read_assignment(build->device_assignment, out);
}

static mr_status read_message(const Millrace__CompileOptions *proto, mr_pjrt_options *out) {
  out->portable = proto->compile_portable_executable;
  out->tupled_arguments = proto->parameter_is_tupled_arguments;
  if (proto->serialized_multi_slice_config.len) {
    return mr_error(MR_UNIMPLEMENTED, "compile options: a program over several slices (serialized_multi_slice_config)");
  }
  // One shape may be the tuple of all arguments.
  MR_TRY(proto->n_argument_layouts == 1
             ? mr_pjrt_read_result_layout(&out->arena, proto->argument_layouts[0], &out->argument_layouts)
             : mr_pjrt_read_layouts(&out->arena, proto->argument_layouts, proto->n_argument_layouts,
                                    &out->argument_layouts));
  MR_TRY(read_build(proto->executable_build_options, out));
  return read_overrides(proto, out);
}

mr_status mr_pjrt_options_parse(const void *bytes, size_t size, mr_pjrt_options *out) {
  *out = (mr_pjrt_options){.device_ordinal = -1, .replicas = 1, .partitions = 1};
  mr_arena_init(&out->arena, 0);
  if (size == 0) {
    return MR_OK;
  }
  ProtobufCMessage *message;
  mr_status status =
      mr_proto_unpack(&millrace__compile_options__descriptor, "compile options", (mr_span){bytes, size}, &message);
  if (!status) {
    status = read_message((Millrace__CompileOptions *)message, out);
    mr_proto_free(message);
  }
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
