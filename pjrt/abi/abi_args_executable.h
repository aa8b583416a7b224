// Argument structs of the PJRT functions on programs, executables and execution contexts.
// Part of pjrt/abi.h: include that one. Fields marked "out" are written by the plugin.
#ifndef MR_PJRT_ABI_ABI_ARGS_EXECUTABLE_H
#define MR_PJRT_ABI_ABI_ARGS_EXECUTABLE_H

#include "pjrt/abi/abi_types.h"

typedef struct PJRT_Executable_Destroy_Args {  // slot 40
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
} PJRT_Executable_Destroy_Args;
PJRT_ABI_SIZE(PJRT_Executable_Destroy_Args, executable, 24);

typedef struct PJRT_Executable_Name_Args {  // slot 41
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  const char *executable_name;  // out
  size_t executable_name_size;  // out
} PJRT_Executable_Name_Args;
PJRT_ABI_SIZE(PJRT_Executable_Name_Args, executable_name_size, 40);

typedef struct PJRT_Executable_NumReplicas_Args {  // slot 42
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  size_t num_replicas;  // out
} PJRT_Executable_NumReplicas_Args;
PJRT_ABI_SIZE(PJRT_Executable_NumReplicas_Args, num_replicas, 32);

typedef struct PJRT_Executable_NumPartitions_Args {  // slot 43
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  size_t num_partitions;  // out
} PJRT_Executable_NumPartitions_Args;
PJRT_ABI_SIZE(PJRT_Executable_NumPartitions_Args, num_partitions, 32);

typedef struct PJRT_Executable_NumOutputs_Args {  // slot 44
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  size_t num_outputs;  // out
} PJRT_Executable_NumOutputs_Args;
PJRT_ABI_SIZE(PJRT_Executable_NumOutputs_Args, num_outputs, 32);

typedef struct PJRT_Executable_SizeOfGeneratedCodeInBytes_Args {  // slot 45
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  int64_t size_in_bytes;  // out
} PJRT_Executable_SizeOfGeneratedCodeInBytes_Args;
PJRT_ABI_SIZE(PJRT_Executable_SizeOfGeneratedCodeInBytes_Args, size_in_bytes, 32);

typedef struct PJRT_Executable_GetCostAnalysis_Args {  // slot 46
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  size_t num_properties;              // out
  const PJRT_NamedValue *properties;  // out
} PJRT_Executable_GetCostAnalysis_Args;
PJRT_ABI_SIZE(PJRT_Executable_GetCostAnalysis_Args, properties, 40);

typedef struct PJRT_Executable_OutputMemoryKinds_Args {  // slot 47
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  size_t num_outputs;               // out
  const char *const *memory_kinds;  // out
  const size_t *memory_kind_sizes;  // out
} PJRT_Executable_OutputMemoryKinds_Args;
PJRT_ABI_SIZE(PJRT_Executable_OutputMemoryKinds_Args, memory_kind_sizes, 48);

typedef struct PJRT_Executable_OptimizedProgram_Args {  // slot 48
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  PJRT_Program *program;  // in/out
} PJRT_Executable_OptimizedProgram_Args;
PJRT_ABI_SIZE(PJRT_Executable_OptimizedProgram_Args, program, 32);

typedef struct PJRT_Executable_Serialize_Args {  // slot 49
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const PJRT_Executable *executable;
  const char *serialized_bytes;                                            // out
  size_t serialized_bytes_size;                                            // out
  PJRT_SerializedExecutable *serialized_executable;                        // out
  void (*serialized_executable_deleter)(PJRT_SerializedExecutable *exec);  // out
} PJRT_Executable_Serialize_Args;
PJRT_ABI_SIZE(PJRT_Executable_Serialize_Args, serialized_executable_deleter, 56);

typedef struct PJRT_LoadedExecutable_Destroy_Args {  // slot 50
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_LoadedExecutable *executable;
} PJRT_LoadedExecutable_Destroy_Args;
PJRT_ABI_SIZE(PJRT_LoadedExecutable_Destroy_Args, executable, 24);

typedef struct PJRT_LoadedExecutable_GetExecutable_Args {  // slot 51
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_LoadedExecutable *loaded_executable;
  PJRT_Executable *executable;  // out
} PJRT_LoadedExecutable_GetExecutable_Args;
PJRT_ABI_SIZE(PJRT_LoadedExecutable_GetExecutable_Args, executable, 32);

typedef struct PJRT_LoadedExecutable_AddressableDevices_Args {  // slot 52
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_LoadedExecutable *executable;
  PJRT_Device *const *addressable_devices;  // out
  size_t num_addressable_devices;           // out
} PJRT_LoadedExecutable_AddressableDevices_Args;
PJRT_ABI_SIZE(PJRT_LoadedExecutable_AddressableDevices_Args, num_addressable_devices, 40);

typedef struct PJRT_LoadedExecutable_Delete_Args {  // slot 53
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_LoadedExecutable *executable;
} PJRT_LoadedExecutable_Delete_Args;
PJRT_ABI_SIZE(PJRT_LoadedExecutable_Delete_Args, executable, 24);

typedef struct PJRT_LoadedExecutable_IsDeleted_Args {  // slot 54
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_LoadedExecutable *executable;
  bool is_deleted;  // out
} PJRT_LoadedExecutable_IsDeleted_Args;
PJRT_ABI_SIZE(PJRT_LoadedExecutable_IsDeleted_Args, is_deleted, 25);

typedef struct PJRT_LoadedExecutable_Execute_Args {  // slot 55
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_LoadedExecutable *executable;
  PJRT_ExecuteOptions *options;
  PJRT_Buffer *const *const *argument_lists;
  size_t num_devices;
  size_t num_args;
  PJRT_Buffer **const *output_lists;    // in/out
  PJRT_Event **device_complete_events;  // in/out
  PJRT_Device *execute_device;
} PJRT_LoadedExecutable_Execute_Args;
PJRT_ABI_SIZE(PJRT_LoadedExecutable_Execute_Args, execute_device, 80);

// The bytes are machine code and must be trusted like it (docs/clients.md).
typedef struct PJRT_Executable_DeserializeAndLoad_Args {  // slot 56
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  const char *serialized_executable;
  size_t serialized_executable_size;
  PJRT_LoadedExecutable *loaded_executable;  // out
  const char *overridden_serialized_compile_options;
  size_t overridden_serialized_compile_options_size;
  PJRT_LoadOptions *load_options;
} PJRT_Executable_DeserializeAndLoad_Args;
PJRT_ABI_SIZE(PJRT_Executable_DeserializeAndLoad_Args, load_options, 72);

typedef struct PJRT_LoadedExecutable_Fingerprint_Args {  // slot 57
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_LoadedExecutable *executable;
  const char *executable_fingerprint;  // out
  size_t executable_fingerprint_size;  // out
} PJRT_LoadedExecutable_Fingerprint_Args;
PJRT_ABI_SIZE(PJRT_LoadedExecutable_Fingerprint_Args, executable_fingerprint_size, 40);

typedef struct PJRT_Compile_Args {  // slot 89
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const PJRT_TopologyDescription *topology;
  const PJRT_Program *program;
  const char *compile_options;
  size_t compile_options_size;
  PJRT_Client *client;
  PJRT_Executable *executable;  // out
} PJRT_Compile_Args;
PJRT_ABI_SIZE(PJRT_Compile_Args, executable, 64);

typedef struct PJRT_Executable_OutputElementTypes_Args {  // slot 90
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  PJRT_Buffer_Type *output_types;  // out
  size_t num_output_types;         // out
} PJRT_Executable_OutputElementTypes_Args;
PJRT_ABI_SIZE(PJRT_Executable_OutputElementTypes_Args, num_output_types, 40);

typedef struct PJRT_Executable_OutputDimensions_Args {  // slot 91
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  size_t num_outputs;       // out
  const int64_t *dims;      // out
  const size_t *dim_sizes;  // out
} PJRT_Executable_OutputDimensions_Args;
PJRT_ABI_SIZE(PJRT_Executable_OutputDimensions_Args, dim_sizes, 48);

typedef struct PJRT_Executable_Fingerprint_Args {  // slot 94
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  const char *executable_fingerprint;  // out
  size_t executable_fingerprint_size;  // out
} PJRT_Executable_Fingerprint_Args;
PJRT_ABI_SIZE(PJRT_Executable_Fingerprint_Args, executable_fingerprint_size, 40);

typedef struct PJRT_Executable_GetCompiledMemoryStats_Args {  // slot 96
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  int64_t generated_code_size_in_bytes;       // out
  int64_t argument_size_in_bytes;             // out
  int64_t output_size_in_bytes;               // out
  int64_t alias_size_in_bytes;                // out
  int64_t temp_size_in_bytes;                 // out
  int64_t host_generated_code_size_in_bytes;  // out
  int64_t host_argument_size_in_bytes;        // out
  int64_t host_output_size_in_bytes;          // out
  int64_t host_alias_size_in_bytes;           // out
  int64_t host_temp_size_in_bytes;            // out
  int64_t peak_memory_in_bytes;               // out
  int64_t total_size_in_bytes;                // out
  int64_t total_allocation_bytes;             // out
  int64_t indefinite_allocations;             // out
  int64_t peak_unpadded_heap_bytes;           // out
} PJRT_Executable_GetCompiledMemoryStats_Args;
PJRT_ABI_SIZE(PJRT_Executable_GetCompiledMemoryStats_Args, peak_unpadded_heap_bytes, 144);

typedef struct PJRT_ExecuteContext_Create_Args {  // slot 98
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_ExecuteContext *context;  // out
} PJRT_ExecuteContext_Create_Args;
PJRT_ABI_SIZE(PJRT_ExecuteContext_Create_Args, context, 24);

typedef struct PJRT_ExecuteContext_Destroy_Args {  // slot 99
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_ExecuteContext *context;
} PJRT_ExecuteContext_Destroy_Args;
PJRT_ABI_SIZE(PJRT_ExecuteContext_Destroy_Args, context, 24);

typedef struct PJRT_LoadedExecutable_GetDeviceAssignment_Args {  // slot 117
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_LoadedExecutable *executable;
  const char *serialized_bytes;                                                       // out
  size_t serialized_bytes_size;                                                       // out
  PJRT_DeviceAssignmentSerialized *serialized_device_assignment;                      // out
  void (*serialized_device_assignment_deleter)(PJRT_DeviceAssignmentSerialized *da);  // out
} PJRT_LoadedExecutable_GetDeviceAssignment_Args;
PJRT_ABI_SIZE(PJRT_LoadedExecutable_GetDeviceAssignment_Args, serialized_device_assignment_deleter, 56);

typedef struct PJRT_Executable_GetCompileOptions_Args {  // slot 124
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  const char *serialized_bytes;                                                        // out
  size_t serialized_bytes_size;                                                        // out
  PJRT_SerializedCompileOptions *serialized_compile_options;                           // out
  void (*serialized_compile_options_deleter)(PJRT_SerializedCompileOptions *options);  // out
} PJRT_Executable_GetCompileOptions_Args;
PJRT_ABI_SIZE(PJRT_Executable_GetCompileOptions_Args, serialized_compile_options_deleter, 56);

typedef struct PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args {  // slot 130
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_LoadedExecutable *executable;
  PJRT_LogicalDeviceIds *addressable_device_logical_ids;  // out
  size_t num_addressable_device_logical_ids;              // out
} PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args;
PJRT_ABI_SIZE(PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args, num_addressable_device_logical_ids, 40);

typedef struct PJRT_Executable_ParameterMemoryKinds_Args {  // slot 134
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  size_t num_parameters;            // out
  const char *const *memory_kinds;  // out
  const size_t *memory_kind_sizes;  // out
} PJRT_Executable_ParameterMemoryKinds_Args;
PJRT_ABI_SIZE(PJRT_Executable_ParameterMemoryKinds_Args, memory_kind_sizes, 48);

#endif
