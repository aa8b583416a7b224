// Extension structs of the PJRT C ABI. Part of pjrt/abi.h: include that one.
// Every extension starts with PJRT_Extension_Base; hosts walk the chain by type. Argument structs
// marked "no extension word" have struct_size alone in front.
#ifndef MR_PJRT_ABI_ABI_EXT_H
#define MR_PJRT_ABI_ABI_EXT_H

#include "pjrt/abi/abi_types.h"

#define PJRT_ARGS_HEAD \
  size_t struct_size;  \
  PJRT_Extension_Base *extension_start

// --- Profiler (1) -------------------------------------------------------------------------------
// The profiler has its own error type and its own small table; jaxlib leaves struct_size of these
// arguments unset, so nobody may check it.

typedef struct PLUGIN_Profiler PLUGIN_Profiler;
typedef struct PLUGIN_Profiler_Error PLUGIN_Profiler_Error;

typedef struct PLUGIN_Profiler_Error_Destroy_Args {
  size_t struct_size;
  void *priv;
  PLUGIN_Profiler_Error *error;
} PLUGIN_Profiler_Error_Destroy_Args;

typedef struct PLUGIN_Profiler_Error_Message_Args {
  size_t struct_size;
  void *priv;
  const PLUGIN_Profiler_Error *error;
  const char *message;  // out
  size_t message_size;  // out
} PLUGIN_Profiler_Error_Message_Args;

typedef struct PLUGIN_Profiler_Error_GetCode_Args {
  size_t struct_size;
  void *priv;
  const PLUGIN_Profiler_Error *error;
  PJRT_Error_Code code;  // out
} PLUGIN_Profiler_Error_GetCode_Args;

typedef struct PLUGIN_Profiler_Create_Args {
  size_t struct_size;
  const char *options;  // a serialized ProfileOptions
  size_t options_size;
  PLUGIN_Profiler *profiler;  // out
} PLUGIN_Profiler_Create_Args;
PJRT_ABI_SIZE(PLUGIN_Profiler_Create_Args, profiler, 32);

typedef struct PLUGIN_Profiler_Handle_Args {  // destroy, start, stop
  size_t struct_size;
  PLUGIN_Profiler *profiler;
} PLUGIN_Profiler_Handle_Args;
PJRT_ABI_SIZE(PLUGIN_Profiler_Handle_Args, profiler, 16);

typedef struct PLUGIN_Profiler_CollectData_Args {
  size_t struct_size;
  PLUGIN_Profiler *profiler;
  uint8_t *buffer;              // in/out: NULL asks for the size
  size_t buffer_size_in_bytes;  // out
} PLUGIN_Profiler_CollectData_Args;
PJRT_ABI_SIZE(PLUGIN_Profiler_CollectData_Args, buffer_size_in_bytes, 32);

typedef struct PLUGIN_Profiler_Api {
  size_t struct_size;
  void *priv;
  void (*error_destroy)(PLUGIN_Profiler_Error_Destroy_Args *args);
  void (*error_message)(PLUGIN_Profiler_Error_Message_Args *args);
  PLUGIN_Profiler_Error *(*error_get_code)(PLUGIN_Profiler_Error_GetCode_Args *args);
  PLUGIN_Profiler_Error *(*create)(PLUGIN_Profiler_Create_Args *args);
  PLUGIN_Profiler_Error *(*destroy)(PLUGIN_Profiler_Handle_Args *args);
  PLUGIN_Profiler_Error *(*start)(PLUGIN_Profiler_Handle_Args *args);
  PLUGIN_Profiler_Error *(*stop)(PLUGIN_Profiler_Handle_Args *args);
  PLUGIN_Profiler_Error *(*collect_data)(PLUGIN_Profiler_CollectData_Args *args);
} PLUGIN_Profiler_Api;
PJRT_ABI_SIZE(PLUGIN_Profiler_Api, collect_data, 80);

typedef struct PJRT_Profiler_Extension {
  PJRT_Extension_Base base;
  PLUGIN_Profiler_Api *profiler_api;
  int64_t traceme_context_id;
} PJRT_Profiler_Extension;
PJRT_ABI_SIZE(PJRT_Profiler_Extension, traceme_context_id, 40);

// --- Stream (3); no extension word --------------------------------------------------------------

typedef struct PJRT_Get_Stream_For_External_Ready_Events_Args {
  size_t struct_size;
  PJRT_Device *device;
  intptr_t stream;  // out
} PJRT_Get_Stream_For_External_Ready_Events_Args;
PJRT_ABI_SIZE(PJRT_Get_Stream_For_External_Ready_Events_Args, stream, 24);

typedef struct PJRT_Wait_Until_Buffer_Ready_On_Stream_Args {
  size_t struct_size;
  intptr_t stream;
  PJRT_Buffer *buffer;
} PJRT_Wait_Until_Buffer_Ready_On_Stream_Args;
PJRT_ABI_SIZE(PJRT_Wait_Until_Buffer_Ready_On_Stream_Args, buffer, 24);

typedef struct PJRT_Stream_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*get_stream)(PJRT_Get_Stream_For_External_Ready_Events_Args *args);
  PJRT_Error *(*wait_stream)(PJRT_Wait_Until_Buffer_Ready_On_Stream_Args *args);
} PJRT_Stream_Extension;
PJRT_ABI_SIZE(PJRT_Stream_Extension, wait_stream, 40);

// --- Layouts (4) --------------------------------------------------------------------------------

typedef struct PJRT_Layouts_MemoryLayout PJRT_Layouts_MemoryLayout;
typedef struct PJRT_Layouts_SerializedLayout PJRT_Layouts_SerializedLayout;

typedef struct PJRT_Layouts_MemoryLayout_Destroy_Args {
  PJRT_ARGS_HEAD;
  PJRT_Layouts_MemoryLayout *layout;
} PJRT_Layouts_MemoryLayout_Destroy_Args;
PJRT_ABI_SIZE(PJRT_Layouts_MemoryLayout_Destroy_Args, layout, 24);

typedef struct PJRT_Layouts_MemoryLayout_Serialize_Args {
  PJRT_ARGS_HEAD;
  PJRT_Layouts_MemoryLayout *layout;
  const char *serialized_bytes;                                                         // out
  size_t serialized_bytes_size;                                                         // out
  PJRT_Layouts_SerializedLayout *serialized_layout;                                     // out
  void (*serialized_layout_deleter)(PJRT_Layouts_SerializedLayout *serialized_layout);  // out
} PJRT_Layouts_MemoryLayout_Serialize_Args;
PJRT_ABI_SIZE(PJRT_Layouts_MemoryLayout_Serialize_Args, serialized_layout_deleter, 56);

typedef struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args {
  PJRT_ARGS_HEAD;
  PJRT_Client *client;
  PJRT_Buffer_Type type;
  const int64_t *dims;
  size_t num_dims;
  PJRT_Layouts_MemoryLayout *layout;  // out
} PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args;
PJRT_ABI_SIZE(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args, layout, 56);

typedef struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args {
  PJRT_ARGS_HEAD;
  PJRT_Buffer *buffer;
  PJRT_Layouts_MemoryLayout *layout;  // out
} PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args;
PJRT_ABI_SIZE(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args, layout, 32);

typedef struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args {
  PJRT_ARGS_HEAD;
  PJRT_TopologyDescription *topology_description;
  PJRT_Buffer_Type type;
  const int64_t *dims;
  size_t num_dims;
  PJRT_Layouts_MemoryLayout *layout;  // out
} PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args;
PJRT_ABI_SIZE(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args, layout, 56);

typedef struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args {
  PJRT_ARGS_HEAD;
  PJRT_Executable *executable;
  size_t num_outputs;                   // out
  PJRT_Layouts_MemoryLayout **layouts;  // out, owned by the executable
} PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args;
PJRT_ABI_SIZE(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args, layouts, 40);

typedef struct PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args {
  PJRT_ARGS_HEAD;
  PJRT_Executable *executable;
  size_t num_parameters;                // out
  PJRT_Layouts_MemoryLayout **layouts;  // out, owned by the executable
} PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args;
PJRT_ABI_SIZE(PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args, layouts, 40);

typedef struct PJRT_Layouts_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*memory_layout_destroy)(PJRT_Layouts_MemoryLayout_Destroy_Args *args);
  PJRT_Error *(*memory_layout_serialize)(PJRT_Layouts_MemoryLayout_Serialize_Args *args);
  PJRT_Error *(*client_get_default_layout)(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args);
  PJRT_Error *(*buffer_memory_layout)(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *args);
  PJRT_Error *(*topology_get_default_layout)(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args);
  PJRT_Error *(*executable_get_output_layouts)(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args);
  PJRT_Error *(*executable_get_parameter_layouts)(PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args *args);
} PJRT_Layouts_Extension;
PJRT_ABI_SIZE(PJRT_Layouts_Extension, executable_get_parameter_layouts, 80);

// --- FFI (5) ------------------------------------------------------------------------------------

typedef enum PJRT_FFI_Handler_TraitsBits {
  PJRT_FFI_HANDLER_TRAITS_COMMAND_BUFFER_COMPATIBLE = 1,
} PJRT_FFI_Handler_TraitsBits;

typedef struct PJRT_FFI_Type_Info {
  void (*deleter)(void *object);
  void (*serialize)(void);
  void (*deserialize)(void);
} PJRT_FFI_Type_Info;

typedef struct PJRT_FFI_UserData {
  int64_t type_id;
  void *data;
} PJRT_FFI_UserData;

// The same of hosts whose types have no deleter, seen up to 0.81; it is part of the arguments, so their size tells.
typedef struct PJRT_FFI_UserData_WithDeleter {
  int64_t type_id;
  void *data;
  void (*deleter)(void *data);
} PJRT_FFI_UserData_WithDeleter;

typedef struct PJRT_FFI_Type_Register_Args {
  PJRT_ARGS_HEAD;
  const char *type_name;
  size_t type_name_size;
  int64_t type_id;  // in/out: 0 asks for a new one
  PJRT_FFI_Type_Info *type_info;
} PJRT_FFI_Type_Register_Args;
PJRT_ABI_SIZE(PJRT_FFI_Type_Register_Args, type_info, 48);

typedef struct PJRT_FFI_UserData_Add_Args {
  PJRT_ARGS_HEAD;
  PJRT_ExecuteContext *context;
  PJRT_FFI_UserData user_data;
} PJRT_FFI_UserData_Add_Args;
PJRT_ABI_SIZE(PJRT_FFI_UserData_Add_Args, user_data, 40);

typedef struct PJRT_FFI_UserData_Add_Args_WithDeleter {
  PJRT_ARGS_HEAD;
  PJRT_ExecuteContext *context;
  PJRT_FFI_UserData_WithDeleter user_data;
} PJRT_FFI_UserData_Add_Args_WithDeleter;
PJRT_ABI_SIZE(PJRT_FFI_UserData_Add_Args_WithDeleter, user_data, 48);

typedef struct PJRT_FFI_Register_Handler_Args {  // no extension word
  size_t struct_size;
  const char *target_name;
  size_t target_name_size;
  void *handler;  // an XLA_FFI_Handler
  const char *platform_name;
  size_t platform_name_size;
  PJRT_FFI_Handler_TraitsBits traits;
} PJRT_FFI_Register_Handler_Args;
PJRT_ABI_SIZE(PJRT_FFI_Register_Handler_Args, traits, 52);

typedef struct PJRT_FFI_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*type_register)(PJRT_FFI_Type_Register_Args *args);
  PJRT_Error *(*user_data_add)(PJRT_FFI_UserData_Add_Args *args);
  PJRT_Error *(*register_handler)(PJRT_FFI_Register_Handler_Args *args);
} PJRT_FFI_Extension;
PJRT_ABI_SIZE(PJRT_FFI_Extension, register_handler, 48);

// --- MemoryDescriptions (6) ---------------------------------------------------------------------

typedef struct PJRT_MemoryDescription PJRT_MemoryDescription;

typedef struct PJRT_DeviceDescription_MemoryDescriptions_Args {
  PJRT_ARGS_HEAD;
  PJRT_DeviceDescription *device_description;
  const PJRT_MemoryDescription *const *memory_descriptions;  // out
  size_t num_memory_descriptions;                            // out
  size_t default_memory_index;                               // out; (size_t)-1: none
} PJRT_DeviceDescription_MemoryDescriptions_Args;
PJRT_ABI_SIZE(PJRT_DeviceDescription_MemoryDescriptions_Args, default_memory_index, 48);

typedef struct PJRT_MemoryDescription_Kind_Args {
  PJRT_ARGS_HEAD;
  const PJRT_MemoryDescription *memory_description;
  const char *kind;  // out
  size_t kind_size;  // out
  int kind_id;       // out
} PJRT_MemoryDescription_Kind_Args;
PJRT_ABI_SIZE(PJRT_MemoryDescription_Kind_Args, kind_id, 44);

typedef struct PJRT_MemoryDescriptions_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*device_description_memory_descriptions)(PJRT_DeviceDescription_MemoryDescriptions_Args *args);
  PJRT_Error *(*memory_description_kind)(PJRT_MemoryDescription_Kind_Args *args);
} PJRT_MemoryDescriptions_Extension;
PJRT_ABI_SIZE(PJRT_MemoryDescriptions_Extension, memory_description_kind, 40);

// --- RawBuffer (8) ------------------------------------------------------------------------------

typedef struct PJRT_RawBuffer PJRT_RawBuffer;

typedef struct PJRT_RawBuffer_CreateRawAliasOfBuffer_Args {
  PJRT_ARGS_HEAD;
  PJRT_Buffer *buffer;
  PJRT_RawBuffer *raw_buffer;  // out
} PJRT_RawBuffer_CreateRawAliasOfBuffer_Args;
PJRT_ABI_SIZE(PJRT_RawBuffer_CreateRawAliasOfBuffer_Args, raw_buffer, 32);

typedef struct PJRT_RawBuffer_Destroy_Args {
  PJRT_ARGS_HEAD;
  PJRT_RawBuffer *buffer;
} PJRT_RawBuffer_Destroy_Args;
PJRT_ABI_SIZE(PJRT_RawBuffer_Destroy_Args, buffer, 24);

typedef struct PJRT_RawBuffer_GetOnDeviceSizeInBytes_Args {
  PJRT_ARGS_HEAD;
  PJRT_RawBuffer *buffer;
  size_t on_device_size_in_bytes;  // out
} PJRT_RawBuffer_GetOnDeviceSizeInBytes_Args;
PJRT_ABI_SIZE(PJRT_RawBuffer_GetOnDeviceSizeInBytes_Args, on_device_size_in_bytes, 32);

typedef struct PJRT_RawBuffer_GetMemorySpace_Args {
  PJRT_ARGS_HEAD;
  PJRT_RawBuffer *buffer;
  PJRT_Memory *memory_space;  // out
} PJRT_RawBuffer_GetMemorySpace_Args;
PJRT_ABI_SIZE(PJRT_RawBuffer_GetMemorySpace_Args, memory_space, 32);

typedef struct PJRT_RawBuffer_CopyRawHostToDevice_Args {
  PJRT_ARGS_HEAD;
  PJRT_RawBuffer *buffer;
  const void *src;
  int64_t offset;
  int64_t transfer_size;
  PJRT_Event *event;  // out
} PJRT_RawBuffer_CopyRawHostToDevice_Args;
PJRT_ABI_SIZE(PJRT_RawBuffer_CopyRawHostToDevice_Args, event, 56);

typedef struct PJRT_RawBuffer_CopyRawDeviceToHost_Args {
  PJRT_ARGS_HEAD;
  PJRT_RawBuffer *buffer;
  void *dst;
  int64_t offset;
  int64_t transfer_size;
  PJRT_Event *event;  // out
} PJRT_RawBuffer_CopyRawDeviceToHost_Args;
PJRT_ABI_SIZE(PJRT_RawBuffer_CopyRawDeviceToHost_Args, event, 56);

typedef struct PJRT_RawBuffer_GetHostPointer_Args {
  PJRT_ARGS_HEAD;
  PJRT_RawBuffer *buffer;
  void *host_pointer;  // out
} PJRT_RawBuffer_GetHostPointer_Args;
PJRT_ABI_SIZE(PJRT_RawBuffer_GetHostPointer_Args, host_pointer, 32);

typedef struct PJRT_RawBuffer_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*create_raw_alias_of_buffer)(PJRT_RawBuffer_CreateRawAliasOfBuffer_Args *args);
  PJRT_Error *(*destroy)(PJRT_RawBuffer_Destroy_Args *args);
  PJRT_Error *(*get_on_device_size_in_bytes)(PJRT_RawBuffer_GetOnDeviceSizeInBytes_Args *args);
  PJRT_Error *(*get_memory_space)(PJRT_RawBuffer_GetMemorySpace_Args *args);
  PJRT_Error *(*copy_raw_host_to_device)(PJRT_RawBuffer_CopyRawHostToDevice_Args *args);
  PJRT_Error *(*copy_raw_device_to_host)(PJRT_RawBuffer_CopyRawDeviceToHost_Args *args);
  PJRT_Error *(*get_host_pointer)(PJRT_RawBuffer_GetHostPointer_Args *args);
} PJRT_RawBuffer_Extension;
PJRT_ABI_SIZE(PJRT_RawBuffer_Extension, get_host_pointer, 80);

// --- Shardings (19) -----------------------------------------------------------------------------

typedef struct PJRT_Shardings_ParameterShardings_Args {
  PJRT_ARGS_HEAD;
  PJRT_Executable *executable;
  size_t num_parameters;         // out
  const char *const *shardings;  // out; serialized OpSharding each, NULL: unknown
  const size_t *sharding_sizes;  // out
} PJRT_Shardings_ParameterShardings_Args;
PJRT_ABI_SIZE(PJRT_Shardings_ParameterShardings_Args, sharding_sizes, 48);

typedef struct PJRT_Shardings_OutputShardings_Args {
  PJRT_ARGS_HEAD;
  PJRT_Executable *executable;
  size_t num_outputs;            // out
  const char *const *shardings;  // out
  const size_t *sharding_sizes;  // out
} PJRT_Shardings_OutputShardings_Args;
PJRT_ABI_SIZE(PJRT_Shardings_OutputShardings_Args, sharding_sizes, 48);

typedef struct PJRT_Shardings_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*parameter_shardings)(PJRT_Shardings_ParameterShardings_Args *args);
  PJRT_Error *(*output_shardings)(PJRT_Shardings_OutputShardings_Args *args);
} PJRT_Shardings_Extension;
PJRT_ABI_SIZE(PJRT_Shardings_Extension, output_shardings, 40);

// --- ExecutableMetadata (13); arguments without a head ------------------------------------------

typedef struct PJRT_ExecutableMetadata {
  const char *serialized_metadata;
  size_t serialized_metadata_size;
} PJRT_ExecutableMetadata;

typedef struct PJRT_ExecutableMetadata_GetExecutableMetadata_Args {
  PJRT_Executable *executable;
  PJRT_ExecutableMetadata *metadata;  // out
} PJRT_ExecutableMetadata_GetExecutableMetadata_Args;

typedef struct PJRT_ExecutableMetadata_DestroySerializedMetadata_Args {
  PJRT_ExecutableMetadata *metadata;
} PJRT_ExecutableMetadata_DestroySerializedMetadata_Args;

typedef struct PJRT_ExecutableMetadata_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*get_executable_metadata)(PJRT_ExecutableMetadata_GetExecutableMetadata_Args *args);
  void (*destroy_serialized_metadata)(PJRT_ExecutableMetadata_DestroySerializedMetadata_Args *args);
} PJRT_ExecutableMetadata_Extension;
PJRT_ABI_SIZE(PJRT_ExecutableMetadata_Extension, destroy_serialized_metadata, 40);

// --- HostAllocator (15) and HostMemoryAllocator (23) --------------------------------------------

typedef struct PJRT_HostAllocator_GetPreferredAlignment_Args {
  PJRT_ARGS_HEAD;
  PJRT_Client *client;
  size_t preferred_alignment;  // out
} PJRT_HostAllocator_GetPreferredAlignment_Args;

typedef struct PJRT_HostAllocator_Allocate_Args {
  PJRT_ARGS_HEAD;
  PJRT_Client *client;
  size_t size;
  size_t alignment;
  void *ptr;  // out
} PJRT_HostAllocator_Allocate_Args;

typedef struct PJRT_HostAllocator_Free_Args {
  PJRT_ARGS_HEAD;
  PJRT_Client *client;
  void *ptr;
} PJRT_HostAllocator_Free_Args;

typedef struct PJRT_HostAllocator_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*get_preferred_alignment)(PJRT_HostAllocator_GetPreferredAlignment_Args *args);
  PJRT_Error *(*allocate)(PJRT_HostAllocator_Allocate_Args *args);
  PJRT_Error *(*free)(PJRT_HostAllocator_Free_Args *args);
} PJRT_HostAllocator_Extension;
PJRT_ABI_SIZE(PJRT_HostAllocator_Extension, free, 48);

typedef struct PJRT_HostMemoryAllocator_Allocate_Args {
  PJRT_ARGS_HEAD;
  PJRT_Client *client;
  size_t size;
  int numa_node;
  void *ptr;                                      // out
  void (*deleter)(void *ptr, void *deleter_arg);  // out
  void *deleter_arg;                              // out
} PJRT_HostMemoryAllocator_Allocate_Args;
PJRT_ABI_SIZE(PJRT_HostMemoryAllocator_Allocate_Args, deleter_arg, 64);

typedef struct PJRT_HostMemoryAllocator_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*allocate)(PJRT_HostMemoryAllocator_Allocate_Args *args);
} PJRT_HostMemoryAllocator_Extension;
PJRT_ABI_SIZE(PJRT_HostMemoryAllocator_Extension, allocate, 32);

#endif
