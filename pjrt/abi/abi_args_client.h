// Argument structs of the PJRT functions on clients.
// Part of pjrt/abi.h: include that one. Fields marked "out" are written by the plugin.
#ifndef MR_PJRT_ABI_ABI_ARGS_CLIENT_H
#define MR_PJRT_ABI_ABI_ARGS_CLIENT_H

#include "pjrt/abi/abi_types.h"

typedef struct PJRT_Client_Create_Args {  // slot 10
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const PJRT_NamedValue *create_options;
  size_t num_options;
  PJRT_KeyValueGetCallback kv_get_callback;
  void *kv_get_user_arg;
  PJRT_KeyValuePutCallback kv_put_callback;
  void *kv_put_user_arg;
  PJRT_Client *client;  // out
  PJRT_KeyValueTryGetCallback kv_try_get_callback;
  void *kv_try_get_user_arg;
} PJRT_Client_Create_Args;
PJRT_ABI_SIZE(PJRT_Client_Create_Args, kv_try_get_user_arg, 88);

typedef struct PJRT_Client_Destroy_Args {  // slot 11
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
} PJRT_Client_Destroy_Args;
PJRT_ABI_SIZE(PJRT_Client_Destroy_Args, client, 24);

typedef struct PJRT_Client_PlatformName_Args {  // slot 12
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  const char *platform_name;  // out
  size_t platform_name_size;  // out
} PJRT_Client_PlatformName_Args;
PJRT_ABI_SIZE(PJRT_Client_PlatformName_Args, platform_name_size, 40);

typedef struct PJRT_Client_ProcessIndex_Args {  // slot 13
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  int process_index;  // out
} PJRT_Client_ProcessIndex_Args;
PJRT_ABI_SIZE(PJRT_Client_ProcessIndex_Args, process_index, 28);

typedef struct PJRT_Client_PlatformVersion_Args {  // slot 14
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  const char *platform_version;  // out
  size_t platform_version_size;  // out
} PJRT_Client_PlatformVersion_Args;
PJRT_ABI_SIZE(PJRT_Client_PlatformVersion_Args, platform_version_size, 40);

typedef struct PJRT_Client_Devices_Args {  // slot 15
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  PJRT_Device *const *devices;  // out
  size_t num_devices;           // out
} PJRT_Client_Devices_Args;
PJRT_ABI_SIZE(PJRT_Client_Devices_Args, num_devices, 40);

typedef struct PJRT_Client_AddressableDevices_Args {  // slot 16
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  PJRT_Device *const *addressable_devices;  // out
  size_t num_addressable_devices;           // out
} PJRT_Client_AddressableDevices_Args;
PJRT_ABI_SIZE(PJRT_Client_AddressableDevices_Args, num_addressable_devices, 40);

typedef struct PJRT_Client_LookupDevice_Args {  // slot 17
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  int id;
  PJRT_Device *device;  // out
} PJRT_Client_LookupDevice_Args;
PJRT_ABI_SIZE(PJRT_Client_LookupDevice_Args, device, 40);

typedef struct PJRT_Client_LookupAddressableDevice_Args {  // slot 18
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  int local_hardware_id;
  PJRT_Device *addressable_device;  // out
} PJRT_Client_LookupAddressableDevice_Args;
PJRT_ABI_SIZE(PJRT_Client_LookupAddressableDevice_Args, addressable_device, 40);

typedef struct PJRT_Client_AddressableMemories_Args {  // slot 19
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  PJRT_Memory *const *addressable_memories;  // out
  size_t num_addressable_memories;           // out
} PJRT_Client_AddressableMemories_Args;
PJRT_ABI_SIZE(PJRT_Client_AddressableMemories_Args, num_addressable_memories, 40);

typedef struct PJRT_Client_Compile_Args {  // slot 20
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  const PJRT_Program *program;
  const char *compile_options;
  size_t compile_options_size;
  PJRT_LoadedExecutable *executable;  // out
} PJRT_Client_Compile_Args;
PJRT_ABI_SIZE(PJRT_Client_Compile_Args, executable, 56);

typedef struct PJRT_Client_DefaultDeviceAssignment_Args {  // slot 21
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  int num_replicas;
  int num_partitions;
  size_t default_assignment_size;
  int *default_assignment;  // in/out
} PJRT_Client_DefaultDeviceAssignment_Args;
PJRT_ABI_SIZE(PJRT_Client_DefaultDeviceAssignment_Args, default_assignment, 48);

typedef struct PJRT_Client_BufferFromHostBuffer_Args {  // slot 22
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  const void *data;
  PJRT_Buffer_Type type;
  const int64_t *dims;
  size_t num_dims;
  const int64_t *byte_strides;
  size_t num_byte_strides;
  PJRT_HostBufferSemantics host_buffer_semantics;
  PJRT_Device *device;
  PJRT_Memory *memory;
  PJRT_Buffer_MemoryLayout *device_layout;
  PJRT_Event *done_with_host_buffer;  // out
  PJRT_Buffer *buffer;                // out
} PJRT_Client_BufferFromHostBuffer_Args;
PJRT_ABI_SIZE(PJRT_Client_BufferFromHostBuffer_Args, buffer, 120);

typedef struct PJRT_Client_CreateViewOfDeviceBuffer_Args {  // slot 93
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  void *device_buffer_ptr;
  const int64_t *dims;
  size_t num_dims;
  PJRT_Buffer_Type element_type;
  PJRT_Buffer_MemoryLayout *layout;
  PJRT_Device *device;
  void (*on_delete_callback)(void *device_buffer_ptr, void *user_arg);
  void *on_delete_callback_arg;
  intptr_t stream;
  PJRT_Buffer *buffer;  // out
  PJRT_Memory *memory;
} PJRT_Client_CreateViewOfDeviceBuffer_Args;
PJRT_ABI_SIZE(PJRT_Client_CreateViewOfDeviceBuffer_Args, memory, 112);

typedef struct PJRT_Client_TopologyDescription_Args {  // slot 95
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  PJRT_TopologyDescription *topology;  // out
} PJRT_Client_TopologyDescription_Args;
PJRT_ABI_SIZE(PJRT_Client_TopologyDescription_Args, topology, 32);

typedef struct PJRT_Client_CreateBuffersForAsyncHostToDevice_Args {  // slot 103
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  PJRT_ShapeSpec *shape_specs;
  size_t num_shape_specs;
  PJRT_Buffer_MemoryLayout **device_layouts;
  size_t num_device_layouts;
  PJRT_Memory *memory;
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;  // out
} PJRT_Client_CreateBuffersForAsyncHostToDevice_Args;
PJRT_ABI_SIZE(PJRT_Client_CreateBuffersForAsyncHostToDevice_Args, transfer_manager, 72);

typedef struct PJRT_Client_DmaMap_Args {  // slot 110
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  void *data;
  size_t size;
} PJRT_Client_DmaMap_Args;
PJRT_ABI_SIZE(PJRT_Client_DmaMap_Args, size, 40);

typedef struct PJRT_Client_DmaUnmap_Args {  // slot 111
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  void *data;
} PJRT_Client_DmaUnmap_Args;
PJRT_ABI_SIZE(PJRT_Client_DmaUnmap_Args, data, 32);

typedef struct PJRT_Client_CreateUninitializedBuffer_Args {  // slot 112
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  const int64_t *shape_dims;
  size_t shape_num_dims;
  PJRT_Buffer_Type shape_element_type;
  PJRT_Buffer_MemoryLayout *shape_layout;
  PJRT_Device *device;
  PJRT_Memory *memory;
  PJRT_Buffer *buffer;  // out
} PJRT_Client_CreateUninitializedBuffer_Args;
PJRT_ABI_SIZE(PJRT_Client_CreateUninitializedBuffer_Args, buffer, 80);

typedef struct PJRT_Client_UpdateGlobalProcessInfo_Args {  // slot 113
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  PJRT_ProcessInfo *process_infos;
  size_t num_process_infos;
} PJRT_Client_UpdateGlobalProcessInfo_Args;
PJRT_ABI_SIZE(PJRT_Client_UpdateGlobalProcessInfo_Args, num_process_infos, 40);

typedef struct PJRT_Client_CreateAliasBuffer_Args {  // slot 115
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  PJRT_Memory *memory;
  const int64_t *shape_dims;
  size_t shape_num_dims;
  PJRT_Buffer_Type shape_element_type;
  PJRT_Buffer_MemoryLayout *shape_layout;
  PJRT_Buffer *alias_buffer;                                 // out
  PJRT_FulfillAliasBufferCallback *fulfill_alias_buffer_cb;  // out
} PJRT_Client_CreateAliasBuffer_Args;
PJRT_ABI_SIZE(PJRT_Client_CreateAliasBuffer_Args, fulfill_alias_buffer_cb, 80);

typedef struct PJRT_Client_FulfillAliasBuffer_Args {  // slot 116
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  PJRT_Buffer *buffer;
  PJRT_Error_Code status_code;
  const char *error_message;
  size_t error_message_size;
  PJRT_FulfillAliasBufferCallback *fulfill_alias_buffer_cb;
} PJRT_Client_FulfillAliasBuffer_Args;
PJRT_ABI_SIZE(PJRT_Client_FulfillAliasBuffer_Args, fulfill_alias_buffer_cb, 64);

typedef struct PJRT_Client_CreateErrorBuffer_Args {  // slot 118
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  PJRT_Error_Code error_code;
  const char *error_message;
  size_t error_message_size;
  const int64_t *shape_dims;
  size_t shape_num_dims;
  PJRT_Buffer_Type shape_element_type;
  PJRT_Buffer_MemoryLayout *shape_layout;
  PJRT_Memory *memory;
  PJRT_Buffer *buffer;  // out
  const PJRT_NamedValue *payload;
  size_t num_payload;
} PJRT_Client_CreateErrorBuffer_Args;
PJRT_ABI_SIZE(PJRT_Client_CreateErrorBuffer_Args, num_payload, 112);

typedef struct PJRT_Client_Load_Args {  // slot 129
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  PJRT_Executable *executable;
  const char *compile_options;
  size_t compile_options_size;
  PJRT_LoadedExecutable *loaded_executable;  // out
} PJRT_Client_Load_Args;
PJRT_ABI_SIZE(PJRT_Client_Load_Args, loaded_executable, 56);

#endif
