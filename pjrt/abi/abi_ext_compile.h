// Extensions around compiling: custom partitioners, compilation in phases, ABI versions. Part of pjrt/abi.h: include that
// one.
#ifndef MR_PJRT_ABI_ABI_EXT_COMPILE_H
#define MR_PJRT_ABI_ABI_EXT_COMPILE_H

#include "pjrt/abi/abi_ext.h"

// --- CustomPartitioner (2); arguments without an extension word ---------------------------------
// A host's partitioner is called with shapes, shardings and programs as serialized text and protos. Arguments belong to the
// caller, results to cleanup_fn(data).

typedef struct JAX_CustomCallPartitioner_string {
  const char *data;
  size_t size;
} JAX_CustomCallPartitioner_string;

typedef struct JAX_CustomCallPartitioner_aval {
  JAX_CustomCallPartitioner_string shape;  // a serialized ShapeProto
  bool has_sharding;
  JAX_CustomCallPartitioner_string sharding;  // a serialized OpSharding
} JAX_CustomCallPartitioner_aval;
PJRT_ABI_SIZE(JAX_CustomCallPartitioner_aval, sharding, 40);

typedef struct JAX_CustomCallPartitioner_version_and_error {
  int64_t api_version;
  void *data;                      // out
  void (*cleanup_fn)(void *data);  // out
  bool has_error;                  // out, as the rest
  PJRT_Error_Code code;
  JAX_CustomCallPartitioner_string error_msg;
} JAX_CustomCallPartitioner_version_and_error;
PJRT_ABI_SIZE(JAX_CustomCallPartitioner_version_and_error, error_msg, 48);

typedef struct JAX_CustomCallPartitioner_Partition_Args {
  JAX_CustomCallPartitioner_version_and_error header;
  size_t num_args;
  JAX_CustomCallPartitioner_aval *op_args;
  JAX_CustomCallPartitioner_aval op_result;
  JAX_CustomCallPartitioner_string backend_config;
  JAX_CustomCallPartitioner_string mlir_module;      // out
  JAX_CustomCallPartitioner_string *args_sharding;   // out
  JAX_CustomCallPartitioner_string result_sharding;  // out
} JAX_CustomCallPartitioner_Partition_Args;
PJRT_ABI_SIZE(JAX_CustomCallPartitioner_Partition_Args, result_sharding, 160);

typedef struct JAX_CustomCallPartitioner_InferShardingFromOperands_Args {
  JAX_CustomCallPartitioner_version_and_error header;
  size_t num_args;
  JAX_CustomCallPartitioner_aval *op_args;
  JAX_CustomCallPartitioner_string result_shape;
  JAX_CustomCallPartitioner_string backend_config;
  bool has_result_sharding;
  JAX_CustomCallPartitioner_string result_sharding;  // in/out
} JAX_CustomCallPartitioner_InferShardingFromOperands_Args;
PJRT_ABI_SIZE(JAX_CustomCallPartitioner_InferShardingFromOperands_Args, result_sharding, 120);

typedef struct JAX_CustomCallPartitioner_PropagateUserSharding_Args {
  JAX_CustomCallPartitioner_version_and_error header;
  JAX_CustomCallPartitioner_string backend_config;
  JAX_CustomCallPartitioner_string result_shape;
  JAX_CustomCallPartitioner_string result_sharding;  // in/out
} JAX_CustomCallPartitioner_PropagateUserSharding_Args;
PJRT_ABI_SIZE(JAX_CustomCallPartitioner_PropagateUserSharding_Args, result_sharding, 96);

typedef struct JAX_CustomCallPartitioner_Callbacks JAX_CustomCallPartitioner_Callbacks;
struct JAX_CustomCallPartitioner_Callbacks {
  int64_t version;
  void *private_data;
  void (*dtor)(JAX_CustomCallPartitioner_Callbacks *data);
  void (*partition)(JAX_CustomCallPartitioner_Callbacks *data, JAX_CustomCallPartitioner_Partition_Args *args);
  void (*infer_sharding)(JAX_CustomCallPartitioner_Callbacks *data,
                         JAX_CustomCallPartitioner_InferShardingFromOperands_Args *args);
  void (*propagate_user_sharding)(JAX_CustomCallPartitioner_Callbacks *data,
                                  JAX_CustomCallPartitioner_PropagateUserSharding_Args *args);
  bool can_side_effecting_have_replicated_sharding;
};
PJRT_ABI_SIZE(JAX_CustomCallPartitioner_Callbacks, can_side_effecting_have_replicated_sharding, 49);

typedef struct PJRT_Register_Custom_Partitioner_Args {
  size_t struct_size;
  const char *name;
  size_t name_size;
  JAX_CustomCallPartitioner_Callbacks *callbacks;  // becomes the plugin's
} PJRT_Register_Custom_Partitioner_Args;
PJRT_ABI_SIZE(PJRT_Register_Custom_Partitioner_Args, callbacks, 32);

typedef struct PJRT_Register_Batch_Partitionable_Args {
  size_t struct_size;
  const char *name;
  size_t name_size;
} PJRT_Register_Batch_Partitionable_Args;
PJRT_ABI_SIZE(PJRT_Register_Batch_Partitionable_Args, name_size, 24);

typedef struct PJRT_Custom_Partitioner_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*register_custom_partitioner)(PJRT_Register_Custom_Partitioner_Args *args);
  PJRT_Error *(*register_batch_partitionable)(PJRT_Register_Batch_Partitionable_Args *args);
} PJRT_Custom_Partitioner_Extension;
PJRT_ABI_SIZE(PJRT_Custom_Partitioner_Extension, register_batch_partitionable, 40);

// --- PhaseCompile (9) ---------------------------------------------------------------------------
// Lists of strings go out as an array of pointers and an array of sizes; c_buffers_destroy frees all three.

typedef struct PJRT_PhaseCompiler PJRT_PhaseCompiler;

typedef struct PJRT_PhaseCompile_Get_Compiler_Args {
  PJRT_ARGS_HEAD;
  const PJRT_PhaseCompiler *phase_compiler;  // out
} PJRT_PhaseCompile_Get_Compiler_Args;
PJRT_ABI_SIZE(PJRT_PhaseCompile_Get_Compiler_Args, phase_compiler, 24);

typedef struct PJRT_PhaseCompile_Destroy_Compiler_Args {
  PJRT_ARGS_HEAD;
  const PJRT_PhaseCompiler *phase_compiler;
} PJRT_PhaseCompile_Destroy_Compiler_Args;
PJRT_ABI_SIZE(PJRT_PhaseCompile_Destroy_Compiler_Args, phase_compiler, 24);

typedef struct PJRT_PhaseCompile_Run_Phase_Args {
  PJRT_ARGS_HEAD;
  const PJRT_PhaseCompiler *phase_compiler;
  const char **input_programs;  // serialized PjRtPartialProgramProto each
  const size_t *input_programs_sizes;
  size_t num_input_programs;
  const char **phases_to_run;
  const size_t *phases_to_run_sizes;
  size_t num_phases_to_run;
  const char *compile_options;
  size_t compile_options_size;
  PJRT_TopologyDescription *topology;
  const char **output_programs;         // out
  const size_t *output_programs_sizes;  // out
  size_t num_output_programs;           // out
} PJRT_PhaseCompile_Run_Phase_Args;
PJRT_ABI_SIZE(PJRT_PhaseCompile_Run_Phase_Args, num_output_programs, 120);

typedef struct PJRT_PhaseCompile_Get_PhaseNames_Args {
  PJRT_ARGS_HEAD;
  const PJRT_PhaseCompiler *phase_compiler;
  const char **phase_names;         // out
  const size_t *phase_names_sizes;  // out
  size_t num_phase_names;           // out
} PJRT_PhaseCompile_Get_PhaseNames_Args;
PJRT_ABI_SIZE(PJRT_PhaseCompile_Get_PhaseNames_Args, num_phase_names, 48);

typedef struct PJRT_PhaseCompile_C_Buffers_Destroy_Args {
  PJRT_ARGS_HEAD;
  const char **char_buffers;
  const size_t *char_buffer_sizes;
  size_t num_char_buffers;
} PJRT_PhaseCompile_C_Buffers_Destroy_Args;
PJRT_ABI_SIZE(PJRT_PhaseCompile_C_Buffers_Destroy_Args, num_char_buffers, 40);

typedef struct PJRT_PhaseCompile_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*get_compiler)(PJRT_PhaseCompile_Get_Compiler_Args *args);
  void (*destroy_compiler)(PJRT_PhaseCompile_Destroy_Compiler_Args *args);
  PJRT_Error *(*run_phases)(PJRT_PhaseCompile_Run_Phase_Args *args);
  PJRT_Error *(*get_phase_names)(PJRT_PhaseCompile_Get_PhaseNames_Args *args);
  void (*c_buffers_destroy)(PJRT_PhaseCompile_C_Buffers_Destroy_Args *args);
} PJRT_PhaseCompile_Extension;
PJRT_ABI_SIZE(PJRT_PhaseCompile_Extension, c_buffers_destroy, 64);

// --- AbiVersion (20); arguments without an extension word ---------------------------------------

typedef struct PJRT_RuntimeAbiVersion PJRT_RuntimeAbiVersion;
typedef struct PJRT_ExecutableAbiVersion PJRT_ExecutableAbiVersion;
typedef struct PJRT_SerializedProto PJRT_SerializedProto;

typedef struct PJRT_Client_RuntimeAbiVersion_Args {
  size_t struct_size;
  PJRT_Client *client;
  PJRT_RuntimeAbiVersion *abi_version;  // out
} PJRT_Client_RuntimeAbiVersion_Args;
PJRT_ABI_SIZE(PJRT_Client_RuntimeAbiVersion_Args, abi_version, 24);

typedef struct PJRT_Executable_GetAbiVersion_Args {
  size_t struct_size;
  PJRT_Executable *executable;
  PJRT_ExecutableAbiVersion *abi_version;  // out
} PJRT_Executable_GetAbiVersion_Args;
PJRT_ABI_SIZE(PJRT_Executable_GetAbiVersion_Args, abi_version, 24);

typedef struct PJRT_RuntimeAbiVersion_Destroy_Args {
  size_t struct_size;
  PJRT_RuntimeAbiVersion *abi_version;
} PJRT_RuntimeAbiVersion_Destroy_Args;
PJRT_ABI_SIZE(PJRT_RuntimeAbiVersion_Destroy_Args, abi_version, 16);

typedef struct PJRT_RuntimeAbiVersion_IsCompatibleWithRuntime_Args {
  size_t struct_size;
  const PJRT_RuntimeAbiVersion *abi_version;
  const PJRT_RuntimeAbiVersion *other_abi_version;
} PJRT_RuntimeAbiVersion_IsCompatibleWithRuntime_Args;
PJRT_ABI_SIZE(PJRT_RuntimeAbiVersion_IsCompatibleWithRuntime_Args, other_abi_version, 24);

typedef struct PJRT_RuntimeAbiVersion_IsCompatibleWithExecutable_Args {
  size_t struct_size;
  const PJRT_RuntimeAbiVersion *abi_version;
  const PJRT_ExecutableAbiVersion *executable_abi_version;
} PJRT_RuntimeAbiVersion_IsCompatibleWithExecutable_Args;
PJRT_ABI_SIZE(PJRT_RuntimeAbiVersion_IsCompatibleWithExecutable_Args, executable_abi_version, 24);

typedef struct PJRT_RuntimeAbiVersion_ToProto_Args {
  size_t struct_size;
  const PJRT_RuntimeAbiVersion *abi_version;
  const char *serialized_proto;                                    // out
  size_t serialized_proto_size;                                    // out
  PJRT_SerializedProto *serialized_proto_holder;                   // out
  void (*serialized_proto_deleter)(PJRT_SerializedProto *holder);  // out
} PJRT_RuntimeAbiVersion_ToProto_Args;
PJRT_ABI_SIZE(PJRT_RuntimeAbiVersion_ToProto_Args, serialized_proto_deleter, 48);

typedef struct PJRT_RuntimeAbiVersion_PlatformId_Args {
  size_t struct_size;
  const PJRT_RuntimeAbiVersion *abi_version;
  uint64_t platform_id;  // out
} PJRT_RuntimeAbiVersion_PlatformId_Args;
PJRT_ABI_SIZE(PJRT_RuntimeAbiVersion_PlatformId_Args, platform_id, 24);

typedef struct PJRT_ExecutableAbiVersion_Destroy_Args {
  size_t struct_size;
  PJRT_ExecutableAbiVersion *abi_version;
} PJRT_ExecutableAbiVersion_Destroy_Args;
PJRT_ABI_SIZE(PJRT_ExecutableAbiVersion_Destroy_Args, abi_version, 16);

typedef struct PJRT_ExecutableAbiVersion_ToProto_Args {
  size_t struct_size;
  const PJRT_ExecutableAbiVersion *abi_version;
  const char *serialized_proto;                                    // out
  size_t serialized_proto_size;                                    // out
  PJRT_SerializedProto *serialized_proto_holder;                   // out
  void (*serialized_proto_deleter)(PJRT_SerializedProto *holder);  // out
} PJRT_ExecutableAbiVersion_ToProto_Args;
PJRT_ABI_SIZE(PJRT_ExecutableAbiVersion_ToProto_Args, serialized_proto_deleter, 48);

typedef struct PJRT_ExecutableAbiVersion_PlatformId_Args {
  size_t struct_size;
  const PJRT_ExecutableAbiVersion *abi_version;
  uint64_t platform_id;  // out
} PJRT_ExecutableAbiVersion_PlatformId_Args;
PJRT_ABI_SIZE(PJRT_ExecutableAbiVersion_PlatformId_Args, platform_id, 24);

typedef struct PJRT_RuntimeAbiVersion_FromProto_Args {
  size_t struct_size;
  const char *serialized_proto;
  size_t serialized_proto_size;
  PJRT_RuntimeAbiVersion *abi_version;  // out
} PJRT_RuntimeAbiVersion_FromProto_Args;
PJRT_ABI_SIZE(PJRT_RuntimeAbiVersion_FromProto_Args, abi_version, 32);

typedef struct PJRT_ExecutableAbiVersion_FromProto_Args {
  size_t struct_size;
  const char *serialized_proto;
  size_t serialized_proto_size;
  PJRT_ExecutableAbiVersion *abi_version;  // out
} PJRT_ExecutableAbiVersion_FromProto_Args;
PJRT_ABI_SIZE(PJRT_ExecutableAbiVersion_FromProto_Args, abi_version, 32);

typedef struct PJRT_AbiVersion_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*client_runtime_abi_version)(PJRT_Client_RuntimeAbiVersion_Args *args);
  PJRT_Error *(*executable_get_abi_version)(PJRT_Executable_GetAbiVersion_Args *args);
  PJRT_Error *(*runtime_abi_version_destroy)(PJRT_RuntimeAbiVersion_Destroy_Args *args);
  PJRT_Error *(*runtime_abi_version_is_compatible_with_runtime)(
      PJRT_RuntimeAbiVersion_IsCompatibleWithRuntime_Args *args);
  PJRT_Error *(*runtime_abi_version_is_compatible_with_executable)(
      PJRT_RuntimeAbiVersion_IsCompatibleWithExecutable_Args *args);
  PJRT_Error *(*runtime_abi_version_to_proto)(PJRT_RuntimeAbiVersion_ToProto_Args *args);
  PJRT_Error *(*runtime_abi_version_platform_id)(PJRT_RuntimeAbiVersion_PlatformId_Args *args);
  PJRT_Error *(*executable_abi_version_destroy)(PJRT_ExecutableAbiVersion_Destroy_Args *args);
  PJRT_Error *(*executable_abi_version_to_proto)(PJRT_ExecutableAbiVersion_ToProto_Args *args);
  PJRT_Error *(*executable_abi_version_platform_id)(PJRT_ExecutableAbiVersion_PlatformId_Args *args);
  PJRT_Error *(*runtime_abi_version_from_proto)(PJRT_RuntimeAbiVersion_FromProto_Args *args);
  PJRT_Error *(*executable_abi_version_from_proto)(PJRT_ExecutableAbiVersion_FromProto_Args *args);
} PJRT_AbiVersion_Extension;
PJRT_ABI_SIZE(PJRT_AbiVersion_Extension, executable_abi_version_from_proto, 120);

#endif
