// Argument structs of the PJRT functions on buffers.
// Part of pjrt/abi.h: include that one. Fields marked "out" are written by the plugin.
#ifndef MR_PJRT_ABI_ABI_ARGS_BUFFER_H
#define MR_PJRT_ABI_ABI_ARGS_BUFFER_H

#include "pjrt/abi/abi_types.h"

typedef struct PJRT_Buffer_Destroy_Args {  // slot 58
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
} PJRT_Buffer_Destroy_Args;
PJRT_ABI_SIZE(PJRT_Buffer_Destroy_Args, buffer, 24);

typedef struct PJRT_Buffer_ElementType_Args {  // slot 59
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  PJRT_Buffer_Type type;  // out
} PJRT_Buffer_ElementType_Args;
PJRT_ABI_SIZE(PJRT_Buffer_ElementType_Args, type, 28);

typedef struct PJRT_Buffer_Dimensions_Args {  // slot 60
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  const int64_t *dims;  // out
  size_t num_dims;      // out
} PJRT_Buffer_Dimensions_Args;
PJRT_ABI_SIZE(PJRT_Buffer_Dimensions_Args, num_dims, 40);

typedef struct PJRT_Buffer_UnpaddedDimensions_Args {  // slot 61
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  const int64_t *unpadded_dims;  // out
  size_t num_dims;               // out
} PJRT_Buffer_UnpaddedDimensions_Args;
PJRT_ABI_SIZE(PJRT_Buffer_UnpaddedDimensions_Args, num_dims, 40);

typedef struct PJRT_Buffer_DynamicDimensionIndices_Args {  // slot 62
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  const size_t *dynamic_dim_indices;  // out
  size_t num_dynamic_dims;            // out
} PJRT_Buffer_DynamicDimensionIndices_Args;
PJRT_ABI_SIZE(PJRT_Buffer_DynamicDimensionIndices_Args, num_dynamic_dims, 40);

typedef struct PJRT_Buffer_GetMemoryLayout_Args {  // slot 63
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  PJRT_Buffer_MemoryLayout layout;  // out
} PJRT_Buffer_GetMemoryLayout_Args;
PJRT_ABI_SIZE(PJRT_Buffer_GetMemoryLayout_Args, layout, 104);

typedef struct PJRT_Buffer_OnDeviceSizeInBytes_Args {  // slot 64
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  size_t on_device_size_in_bytes;  // out
} PJRT_Buffer_OnDeviceSizeInBytes_Args;
PJRT_ABI_SIZE(PJRT_Buffer_OnDeviceSizeInBytes_Args, on_device_size_in_bytes, 32);

typedef struct PJRT_Buffer_Device_Args {  // slot 65
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  PJRT_Device *device;  // out
} PJRT_Buffer_Device_Args;
PJRT_ABI_SIZE(PJRT_Buffer_Device_Args, device, 32);

typedef struct PJRT_Buffer_Memory_Args {  // slot 66
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  PJRT_Memory *memory;  // out
} PJRT_Buffer_Memory_Args;
PJRT_ABI_SIZE(PJRT_Buffer_Memory_Args, memory, 32);

typedef struct PJRT_Buffer_Delete_Args {  // slot 67
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
} PJRT_Buffer_Delete_Args;
PJRT_ABI_SIZE(PJRT_Buffer_Delete_Args, buffer, 24);

typedef struct PJRT_Buffer_IsDeleted_Args {  // slot 68
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  bool is_deleted;  // out
} PJRT_Buffer_IsDeleted_Args;
PJRT_ABI_SIZE(PJRT_Buffer_IsDeleted_Args, is_deleted, 25);

typedef struct PJRT_Buffer_CopyToDevice_Args {  // slot 69
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  PJRT_Device *dst_device;
  PJRT_Buffer *dst_buffer;  // out
} PJRT_Buffer_CopyToDevice_Args;
PJRT_ABI_SIZE(PJRT_Buffer_CopyToDevice_Args, dst_buffer, 40);

typedef struct PJRT_Buffer_ToHostBuffer_Args {  // slot 70
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *src;
  PJRT_Buffer_MemoryLayout *host_layout;
  void *dst;          // in/out
  size_t dst_size;    // in/out
  PJRT_Event *event;  // out
} PJRT_Buffer_ToHostBuffer_Args;
PJRT_ABI_SIZE(PJRT_Buffer_ToHostBuffer_Args, event, 56);

typedef struct PJRT_Buffer_IsOnCpu_Args {  // slot 71
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  bool is_on_cpu;  // out
} PJRT_Buffer_IsOnCpu_Args;
PJRT_ABI_SIZE(PJRT_Buffer_IsOnCpu_Args, is_on_cpu, 25);

typedef struct PJRT_Buffer_ReadyEvent_Args {  // slot 72
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  PJRT_Event *event;  // out
} PJRT_Buffer_ReadyEvent_Args;
PJRT_ABI_SIZE(PJRT_Buffer_ReadyEvent_Args, event, 32);

typedef struct PJRT_Buffer_UnsafePointer_Args {  // slot 73
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  uintptr_t buffer_pointer;  // out
} PJRT_Buffer_UnsafePointer_Args;
PJRT_ABI_SIZE(PJRT_Buffer_UnsafePointer_Args, buffer_pointer, 32);

typedef struct PJRT_Buffer_IncreaseExternalReferenceCount_Args {  // slot 74
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
} PJRT_Buffer_IncreaseExternalReferenceCount_Args;
PJRT_ABI_SIZE(PJRT_Buffer_IncreaseExternalReferenceCount_Args, buffer, 24);

typedef struct PJRT_Buffer_DecreaseExternalReferenceCount_Args {  // slot 75
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
} PJRT_Buffer_DecreaseExternalReferenceCount_Args;
PJRT_ABI_SIZE(PJRT_Buffer_DecreaseExternalReferenceCount_Args, buffer, 24);

typedef struct PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args {  // slot 76
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  void *device_memory_ptr;  // out
} PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args;
PJRT_ABI_SIZE(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args, device_memory_ptr, 32);

typedef struct PJRT_Buffer_CopyToMemory_Args {  // slot 92
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  PJRT_Memory *dst_memory;
  PJRT_Buffer *dst_buffer;  // out
} PJRT_Buffer_CopyToMemory_Args;
PJRT_ABI_SIZE(PJRT_Buffer_CopyToMemory_Args, dst_buffer, 40);

typedef struct PJRT_Buffer_CopyRawToHost_Args {  // slot 100
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  void *dst;
  int64_t offset;
  int64_t transfer_size;
  PJRT_Event *event;  // out
} PJRT_Buffer_CopyRawToHost_Args;
PJRT_ABI_SIZE(PJRT_Buffer_CopyRawToHost_Args, event, 56);

typedef struct PJRT_Buffer_CopyRawToHostFuture_Args {  // slot 120
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  int64_t offset;
  int64_t transfer_size;
  PJRT_Event *event;                                                                   // out
  void *callback_data;                                                                 // out
  void (*future_ready_callback)(PJRT_Buffer_CopyRawToHostFuture_Callback_Args *args);  // out
} PJRT_Buffer_CopyRawToHostFuture_Args;
PJRT_ABI_SIZE(PJRT_Buffer_CopyRawToHostFuture_Args, future_ready_callback, 64);

typedef struct PJRT_Buffer_DonateWithControlDependency_Args {  // slot 125
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  void *callback_data;                                                                             // out
  void (*dependency_ready_callback)(PJRT_Buffer_DonateWithControlDependency_Callback_Args *args);  // out
  PJRT_Buffer *out_buffer;                                                                         // out
} PJRT_Buffer_DonateWithControlDependency_Args;
PJRT_ABI_SIZE(PJRT_Buffer_DonateWithControlDependency_Args, out_buffer, 48);

typedef struct PJRT_Buffer_Bitcast_Args {  // slot 131
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  PJRT_Buffer_Type element_type;
  const int64_t *dims;
  size_t num_dims;
  PJRT_Buffer_MemoryLayout *device_layout;
  PJRT_Buffer *out_buffer;  // out
} PJRT_Buffer_Bitcast_Args;
PJRT_ABI_SIZE(PJRT_Buffer_Bitcast_Args, out_buffer, 64);

#endif
