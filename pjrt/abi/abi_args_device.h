// Argument structs of the PJRT functions on devices, memories, topologies, transfer managers and streams.
// Part of pjrt/abi.h: include that one. Fields marked "out" are written by the plugin.
#ifndef MR_PJRT_ABI_ABI_ARGS_DEVICE_H
#define MR_PJRT_ABI_ABI_ARGS_DEVICE_H

#include "pjrt/abi/abi_types.h"

typedef struct PJRT_DeviceDescription_Id_Args {  // slot 23
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_DeviceDescription *device_description;
  int id;  // out
} PJRT_DeviceDescription_Id_Args;
PJRT_ABI_SIZE(PJRT_DeviceDescription_Id_Args, id, 28);

typedef struct PJRT_DeviceDescription_ProcessIndex_Args {  // slot 24
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_DeviceDescription *device_description;
  int process_index;  // out
} PJRT_DeviceDescription_ProcessIndex_Args;
PJRT_ABI_SIZE(PJRT_DeviceDescription_ProcessIndex_Args, process_index, 28);

typedef struct PJRT_DeviceDescription_Attributes_Args {  // slot 25
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_DeviceDescription *device_description;
  size_t num_attributes;              // out
  const PJRT_NamedValue *attributes;  // out
} PJRT_DeviceDescription_Attributes_Args;
PJRT_ABI_SIZE(PJRT_DeviceDescription_Attributes_Args, attributes, 40);

typedef struct PJRT_DeviceDescription_Kind_Args {  // slot 26
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_DeviceDescription *device_description;
  const char *device_kind;  // out
  size_t device_kind_size;  // out
} PJRT_DeviceDescription_Kind_Args;
PJRT_ABI_SIZE(PJRT_DeviceDescription_Kind_Args, device_kind_size, 40);

typedef struct PJRT_DeviceDescription_DebugString_Args {  // slot 27
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_DeviceDescription *device_description;
  const char *debug_string;  // out
  size_t debug_string_size;  // out
} PJRT_DeviceDescription_DebugString_Args;
PJRT_ABI_SIZE(PJRT_DeviceDescription_DebugString_Args, debug_string_size, 40);

typedef struct PJRT_DeviceDescription_ToString_Args {  // slot 28
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_DeviceDescription *device_description;
  const char *to_string;  // out
  size_t to_string_size;  // out
} PJRT_DeviceDescription_ToString_Args;
PJRT_ABI_SIZE(PJRT_DeviceDescription_ToString_Args, to_string_size, 40);

typedef struct PJRT_Device_GetDescription_Args {  // slot 29
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Device *device;
  PJRT_DeviceDescription *device_description;  // out
} PJRT_Device_GetDescription_Args;
PJRT_ABI_SIZE(PJRT_Device_GetDescription_Args, device_description, 32);

typedef struct PJRT_Device_IsAddressable_Args {  // slot 30
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Device *device;
  bool is_addressable;  // out
} PJRT_Device_IsAddressable_Args;
PJRT_ABI_SIZE(PJRT_Device_IsAddressable_Args, is_addressable, 25);

typedef struct PJRT_Device_LocalHardwareId_Args {  // slot 31
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Device *device;
  int local_hardware_id;  // out
} PJRT_Device_LocalHardwareId_Args;
PJRT_ABI_SIZE(PJRT_Device_LocalHardwareId_Args, local_hardware_id, 28);

typedef struct PJRT_Device_AddressableMemories_Args {  // slot 32
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Device *device;
  PJRT_Memory *const *memories;  // out
  size_t num_memories;           // out
} PJRT_Device_AddressableMemories_Args;
PJRT_ABI_SIZE(PJRT_Device_AddressableMemories_Args, num_memories, 40);

typedef struct PJRT_Device_DefaultMemory_Args {  // slot 33
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Device *device;
  PJRT_Memory *memory;  // out
} PJRT_Device_DefaultMemory_Args;
PJRT_ABI_SIZE(PJRT_Device_DefaultMemory_Args, memory, 32);

typedef struct PJRT_Device_MemoryStats_Args {  // slot 34
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Device *device;
  int64_t bytes_in_use;                  // out
  int64_t peak_bytes_in_use;             // out
  bool peak_bytes_in_use_is_set;         // out
  int64_t num_allocs;                    // out
  bool num_allocs_is_set;                // out
  int64_t largest_alloc_size;            // out
  bool largest_alloc_size_is_set;        // out
  int64_t bytes_limit;                   // out
  bool bytes_limit_is_set;               // out
  int64_t bytes_reserved;                // out
  bool bytes_reserved_is_set;            // out
  int64_t peak_bytes_reserved;           // out
  bool peak_bytes_reserved_is_set;       // out
  int64_t bytes_reservable_limit;        // out
  bool bytes_reservable_limit_is_set;    // out
  int64_t largest_free_block_bytes;      // out
  bool largest_free_block_bytes_is_set;  // out
  int64_t pool_bytes;                    // out
  bool pool_bytes_is_set;                // out
  int64_t peak_pool_bytes;               // out
  bool peak_pool_bytes_is_set;           // out
} PJRT_Device_MemoryStats_Args;
PJRT_ABI_SIZE(PJRT_Device_MemoryStats_Args, peak_pool_bytes_is_set, 185);

typedef struct PJRT_Memory_Id_Args {  // slot 35
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Memory *memory;
  int id;  // out
} PJRT_Memory_Id_Args;
PJRT_ABI_SIZE(PJRT_Memory_Id_Args, id, 28);

typedef struct PJRT_Memory_Kind_Args {  // slot 36
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Memory *memory;
  const char *kind;  // out
  size_t kind_size;  // out
} PJRT_Memory_Kind_Args;
PJRT_ABI_SIZE(PJRT_Memory_Kind_Args, kind_size, 40);

typedef struct PJRT_Memory_DebugString_Args {  // slot 37
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Memory *memory;
  const char *debug_string;  // out
  size_t debug_string_size;  // out
} PJRT_Memory_DebugString_Args;
PJRT_ABI_SIZE(PJRT_Memory_DebugString_Args, debug_string_size, 40);

typedef struct PJRT_Memory_ToString_Args {  // slot 38
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Memory *memory;
  const char *to_string;  // out
  size_t to_string_size;  // out
} PJRT_Memory_ToString_Args;
PJRT_ABI_SIZE(PJRT_Memory_ToString_Args, to_string_size, 40);

typedef struct PJRT_Memory_AddressableByDevices_Args {  // slot 39
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Memory *memory;
  PJRT_Device *const *devices;  // out
  size_t num_devices;           // out
} PJRT_Memory_AddressableByDevices_Args;
PJRT_ABI_SIZE(PJRT_Memory_AddressableByDevices_Args, num_devices, 40);

typedef struct PJRT_CopyToDeviceStream_Destroy_Args {  // slot 77
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_CopyToDeviceStream *stream;
} PJRT_CopyToDeviceStream_Destroy_Args;
PJRT_ABI_SIZE(PJRT_CopyToDeviceStream_Destroy_Args, stream, 24);

typedef struct PJRT_CopyToDeviceStream_AddChunk_Args {  // slot 78
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_CopyToDeviceStream *stream;
  PJRT_Chunk *chunk;
  PJRT_Event *transfer_complete;  // out
} PJRT_CopyToDeviceStream_AddChunk_Args;
PJRT_ABI_SIZE(PJRT_CopyToDeviceStream_AddChunk_Args, transfer_complete, 40);

typedef struct PJRT_CopyToDeviceStream_TotalBytes_Args {  // slot 79
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_CopyToDeviceStream *stream;
  int64_t total_bytes;  // out
} PJRT_CopyToDeviceStream_TotalBytes_Args;
PJRT_ABI_SIZE(PJRT_CopyToDeviceStream_TotalBytes_Args, total_bytes, 32);

typedef struct PJRT_CopyToDeviceStream_GranuleSize_Args {  // slot 80
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_CopyToDeviceStream *stream;
  int64_t granule_size_in_bytes;  // out
} PJRT_CopyToDeviceStream_GranuleSize_Args;
PJRT_ABI_SIZE(PJRT_CopyToDeviceStream_GranuleSize_Args, granule_size_in_bytes, 32);

typedef struct PJRT_CopyToDeviceStream_CurrentBytes_Args {  // slot 81
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_CopyToDeviceStream *stream;
  int64_t current_bytes;  // out
} PJRT_CopyToDeviceStream_CurrentBytes_Args;
PJRT_ABI_SIZE(PJRT_CopyToDeviceStream_CurrentBytes_Args, current_bytes, 32);

typedef struct PJRT_TopologyDescription_Create_Args {  // slot 82
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const char *topology_name;
  size_t topology_name_size;
  const PJRT_NamedValue *create_options;
  size_t num_options;
  PJRT_TopologyDescription *topology;  // out
} PJRT_TopologyDescription_Create_Args;
PJRT_ABI_SIZE(PJRT_TopologyDescription_Create_Args, topology, 56);

typedef struct PJRT_TopologyDescription_Destroy_Args {  // slot 83
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_TopologyDescription *topology;
} PJRT_TopologyDescription_Destroy_Args;
PJRT_ABI_SIZE(PJRT_TopologyDescription_Destroy_Args, topology, 24);

typedef struct PJRT_TopologyDescription_PlatformName_Args {  // slot 84
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const PJRT_TopologyDescription *topology;
  const char *platform_name;  // out
  size_t platform_name_size;  // out
} PJRT_TopologyDescription_PlatformName_Args;
PJRT_ABI_SIZE(PJRT_TopologyDescription_PlatformName_Args, platform_name_size, 40);

typedef struct PJRT_TopologyDescription_PlatformVersion_Args {  // slot 85
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_TopologyDescription *topology;
  const char *platform_version;  // out
  size_t platform_version_size;  // out
} PJRT_TopologyDescription_PlatformVersion_Args;
PJRT_ABI_SIZE(PJRT_TopologyDescription_PlatformVersion_Args, platform_version_size, 40);

typedef struct PJRT_TopologyDescription_GetDeviceDescriptions_Args {  // slot 86
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const PJRT_TopologyDescription *topology;
  PJRT_DeviceDescription *const *descriptions;  // out
  size_t num_descriptions;                      // out
} PJRT_TopologyDescription_GetDeviceDescriptions_Args;
PJRT_ABI_SIZE(PJRT_TopologyDescription_GetDeviceDescriptions_Args, num_descriptions, 40);

typedef struct PJRT_TopologyDescription_Serialize_Args {  // slot 87
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_TopologyDescription *topology;
  const char *serialized_bytes;                                                       // out
  size_t serialized_bytes_size;                                                       // out
  PJRT_SerializedTopology *serialized_topology;                                       // out
  void (*serialized_topology_deleter)(PJRT_SerializedTopology *serialized_topology);  // out
} PJRT_TopologyDescription_Serialize_Args;
PJRT_ABI_SIZE(PJRT_TopologyDescription_Serialize_Args, serialized_topology_deleter, 56);

typedef struct PJRT_TopologyDescription_Attributes_Args {  // slot 88
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_TopologyDescription *topology;
  const PJRT_NamedValue *attributes;  // out
  size_t num_attributes;              // out
} PJRT_TopologyDescription_Attributes_Args;
PJRT_ABI_SIZE(PJRT_TopologyDescription_Attributes_Args, num_attributes, 40);

typedef struct PJRT_Memory_Kind_Id_Args {  // slot 97
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Memory *memory;
  int kind_id;  // out
} PJRT_Memory_Kind_Id_Args;
PJRT_ABI_SIZE(PJRT_Memory_Kind_Id_Args, kind_id, 28);

typedef struct PJRT_AsyncHostToDeviceTransferManager_Destroy_Args {  // slot 101
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
} PJRT_AsyncHostToDeviceTransferManager_Destroy_Args;
PJRT_ABI_SIZE(PJRT_AsyncHostToDeviceTransferManager_Destroy_Args, transfer_manager, 24);

typedef struct PJRT_AsyncHostToDeviceTransferManager_TransferData_Args {  // slot 102
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  int buffer_index;
  const void *data;
  int64_t offset;
  int64_t transfer_size;
  bool is_last_transfer;
  PJRT_Event *done_with_h2d_transfer;  // out
} PJRT_AsyncHostToDeviceTransferManager_TransferData_Args;
PJRT_ABI_SIZE(PJRT_AsyncHostToDeviceTransferManager_TransferData_Args, done_with_h2d_transfer, 72);

typedef struct PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args {  // slot 104
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  int buffer_index;
  PJRT_Buffer *buffer_out;  // out
} PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args;
PJRT_ABI_SIZE(PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args, buffer_out, 40);

typedef struct PJRT_AsyncHostToDeviceTransferManager_Device_Args {  // slot 105
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  PJRT_Device *device_out;  // out
} PJRT_AsyncHostToDeviceTransferManager_Device_Args;
PJRT_ABI_SIZE(PJRT_AsyncHostToDeviceTransferManager_Device_Args, device_out, 32);

typedef struct PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args {  // slot 106
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  size_t buffer_count;  // out
} PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args;
PJRT_ABI_SIZE(PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args, buffer_count, 32);

typedef struct PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args {  // slot 107
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  int buffer_index;
  size_t buffer_size;  // out
} PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args;
PJRT_ABI_SIZE(PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args, buffer_size, 40);

typedef struct PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args {  // slot 108
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  int buffer_index;
  PJRT_Error_Code error_code;
  const char *error_message;
  size_t error_message_size;
} PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args;
PJRT_ABI_SIZE(PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args, error_message_size, 48);

typedef struct PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args {  // slot 109
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  const PJRT_NamedValue *transfer_metadata;
  size_t num_metadata;
} PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args;
PJRT_ABI_SIZE(PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args, num_metadata, 40);

typedef struct PJRT_TopologyDescription_Deserialize_Args {  // slot 114
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const char *serialized_topology;
  size_t serialized_topology_size;
  PJRT_TopologyDescription *topology;  // out
} PJRT_TopologyDescription_Deserialize_Args;
PJRT_ABI_SIZE(PJRT_TopologyDescription_Deserialize_Args, topology, 40);

typedef struct PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args {  // slot 119
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  int buffer_index;
  const void *data;
  const int64_t *shape_dims;
  size_t shape_num_dims;
  PJRT_Buffer_Type shape_element_type;
  PJRT_Buffer_MemoryLayout *shape_layout;
  PJRT_Event *done_with_h2d_transfer;  // out
} PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args;
PJRT_ABI_SIZE(PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args, done_with_h2d_transfer, 80);

typedef struct PJRT_Device_PoisonExecution_Args {  // slot 121
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Device *device;
  int32_t launch_id;
  PJRT_Error_Code error_code;
  const char *error_message;
  size_t error_message_size;
  bool poisoned;  // out
  const PJRT_NamedValue *payload;
  size_t num_payload;
} PJRT_Device_PoisonExecution_Args;
PJRT_ABI_SIZE(PJRT_Device_PoisonExecution_Args, num_payload, 72);

typedef struct PJRT_Device_CreateAsyncTrackingEvent_Args {  // slot 122
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Device *device;
  const char *description;
  size_t description_size;
  PJRT_AsyncTrackingEvent *event;  // out
} PJRT_Device_CreateAsyncTrackingEvent_Args;
PJRT_ABI_SIZE(PJRT_Device_CreateAsyncTrackingEvent_Args, event, 48);

typedef struct PJRT_AsyncTrackingEvent_Destroy_Args {  // slot 123
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_AsyncTrackingEvent *event;
} PJRT_AsyncTrackingEvent_Destroy_Args;
PJRT_ABI_SIZE(PJRT_AsyncTrackingEvent_Destroy_Args, event, 24);

typedef struct PJRT_Device_GetAttributes_Args {  // slot 128
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Device *device;
  const PJRT_NamedValue *attributes;                                      // out
  size_t num_attributes;                                                  // out
  PJRT_Device_Attributes *device_attributes;                              // out
  void (*attributes_deleter)(PJRT_Device_Attributes *device_attributes);  // out
} PJRT_Device_GetAttributes_Args;
PJRT_ABI_SIZE(PJRT_Device_GetAttributes_Args, attributes_deleter, 56);

typedef struct PJRT_TopologyDescription_Fingerprint_Args {  // slot 133
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const PJRT_TopologyDescription *topology;
  uint64_t fingerprint;  // out
} PJRT_TopologyDescription_Fingerprint_Args;
PJRT_ABI_SIZE(PJRT_TopologyDescription_Fingerprint_Args, fingerprint, 32);

typedef struct PJRT_Device_ClearMemoryStats_Args {  // slot 135
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Device *device;
} PJRT_Device_ClearMemoryStats_Args;
PJRT_ABI_SIZE(PJRT_Device_ClearMemoryStats_Args, device, 24);

typedef struct PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args {  // slot 136
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const PJRT_TopologyDescription *topology;
  int memory_space_kind_id;
  const int64_t *dims;
  size_t num_dims;
  PJRT_Buffer_Type element_type;
  const PJRT_Buffer_MemoryLayout *layout;
  const char *serialized_shape;                    // out
  size_t serialized_shape_size;                    // out
  void (*serialized_shape_deleter)(const char *);  // out
} PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args;
PJRT_ABI_SIZE(PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args, serialized_shape_deleter, 88);

typedef struct PJRT_TopologyDescription_GetMemorySpaceKindIds_Args {  // slot 137
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const PJRT_TopologyDescription *topology;
  const int *memory_space_kind_ids;  // out
  size_t num_memory_space_kind_ids;  // out
} PJRT_TopologyDescription_GetMemorySpaceKindIds_Args;
PJRT_ABI_SIZE(PJRT_TopologyDescription_GetMemorySpaceKindIds_Args, num_memory_space_kind_ids, 40);

#endif
