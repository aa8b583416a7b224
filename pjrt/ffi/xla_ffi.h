// XLA's C interface for typed FFI handlers, versions 0.1 to 0.5, host side: what a call frame looks like and which functions
// a handler may call back. Private to pjrt/ffi. Names and layouts are the interface's; where versions differ the plain
// name is the newest one's. A handler says which version it was built against (XLA_FFI_Metadata), and struct_size alone
// cannot: a struct of the same size has other fields in 0.1 than in 0.3. (0.4 called Error_GetMessage, ExecutionContext and Extension_Base
// Error_GetDetails, InvokeContext and InternalExtension.)
#ifndef MR_PJRT_FFI_XLA_FFI_H
#define MR_PJRT_FFI_XLA_FFI_H

#include "pjrt/abi/abi_types.h"

enum { XLA_FFI_MAJOR = 0, XLA_FFI_MINOR = 5 };

// Opaque to handlers.
typedef struct XLA_FFI_Error XLA_FFI_Error;
typedef struct XLA_FFI_InvokeContext XLA_FFI_InvokeContext;
typedef struct XLA_FFI_Future XLA_FFI_Future;
typedef struct XLA_FFI_InternalApi XLA_FFI_InternalApi;
typedef struct XLA_FFI_CallFrame XLA_FFI_CallFrame;

typedef struct XLA_FFI_InternalExtension {
  size_t struct_size;
  int type;
  struct XLA_FFI_InternalExtension *next;
} XLA_FFI_InternalExtension;

#define XLA_FFI_HEAD  \
  size_t struct_size; \
  XLA_FFI_InternalExtension *extension_start

typedef enum {
  XLA_FFI_STAGE_INSTANTIATE,
  XLA_FFI_STAGE_PREPARE,
  XLA_FFI_STAGE_INITIALIZE,
  XLA_FFI_STAGE_EXECUTE
} XLA_FFI_Stage;
enum { XLA_FFI_STAGES = XLA_FFI_STAGE_EXECUTE + 1 };
typedef enum { XLA_FFI_ARG_BUFFER = 1 } XLA_FFI_ArgType;
typedef enum { XLA_FFI_RET_BUFFER = 1 } XLA_FFI_RetType;
typedef enum {
  XLA_FFI_ATTR_ARRAY = 1,
  XLA_FFI_ATTR_DICTIONARY = 2,
  XLA_FFI_ATTR_SCALAR = 3,
  XLA_FFI_ATTR_STRING = 4,
} XLA_FFI_AttrType;

typedef struct XLA_FFI_ByteSpan {
  const char *ptr;
  size_t len;
} XLA_FFI_ByteSpan;
typedef struct XLA_FFI_Scalar {
  int dtype;
  void *value;
} XLA_FFI_Scalar;
typedef struct XLA_FFI_Array {
  int dtype;
  size_t size;
  void *data;
} XLA_FFI_Array;
typedef struct XLA_FFI_TypeId {
  int64_t type_id;
} XLA_FFI_TypeId;
typedef struct XLA_FFI_TypeInfo {
  XLA_FFI_HEAD;
  void (*deleter)(void *object);
} XLA_FFI_TypeInfo;

typedef struct XLA_FFI_Buffer {
  XLA_FFI_HEAD;
  int dtype;  // XLA's numbering, not PJRT's
  void *data;
  int64_t rank;
  int64_t *dims;
} XLA_FFI_Buffer;
PJRT_ABI_SIZE(XLA_FFI_Buffer, dims, 48);

typedef struct XLA_FFI_Args {  // and XLA_FFI_Rets
  XLA_FFI_HEAD;
  int64_t size;
  int *types;
  void **args;
} XLA_FFI_Args;
PJRT_ABI_SIZE(XLA_FFI_Args, args, 40);

typedef struct XLA_FFI_Attrs {
  XLA_FFI_HEAD;
  int64_t size;
  int *types;
  XLA_FFI_ByteSpan **names;  // sorted
  void **attrs;
} XLA_FFI_Attrs;
PJRT_ABI_SIZE(XLA_FFI_Attrs, attrs, 48);

typedef struct XLA_FFI_Api_Version {
  XLA_FFI_HEAD;
  int major_version;
  int minor_version;
} XLA_FFI_Api_Version;
PJRT_ABI_SIZE(XLA_FFI_Api_Version, minor_version, 24);

typedef XLA_FFI_Error *XLA_FFI_Handler(XLA_FFI_CallFrame *frame);

// ---- What a handler may call --------------------------------------------------------------------------------------------

typedef struct XLA_FFI_Error_Create_Args {
  XLA_FFI_HEAD;
  const char *message;  // NUL-terminated
  int errc;
} XLA_FFI_Error_Create_Args;
PJRT_ABI_SIZE(XLA_FFI_Error_Create_Args, errc, 28);

typedef struct XLA_FFI_Error_GetDetails_Args {
  XLA_FFI_HEAD;
  XLA_FFI_Error *error;
  const char *message;  // out
  int errc;             // out, since 0.4
} XLA_FFI_Error_GetDetails_Args;
PJRT_ABI_SIZE(XLA_FFI_Error_GetDetails_Args, errc, 36);

typedef struct XLA_FFI_Error_Destroy_Args {
  XLA_FFI_HEAD;
  XLA_FFI_Error *error;
} XLA_FFI_Error_Destroy_Args;

typedef struct XLA_FFI_Handler_Register_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ByteSpan name;
  XLA_FFI_ByteSpan platform;
  XLA_FFI_Handler *instantiate, *prepare, *initialize, *execute;
  // Then uint32_t traits, which say nothing here; since 0.4 between them XLA_FFI_Handler *record, of a stage that no device here has.
} XLA_FFI_Handler_Register_Args;

typedef struct XLA_FFI_Stream_Get_Args {
  XLA_FFI_HEAD;
  XLA_FFI_InvokeContext *ctx;
  void *stream;  // out
} XLA_FFI_Stream_Get_Args;

typedef struct XLA_FFI_Type_Register_Args {
  XLA_FFI_HEAD;
  XLA_FFI_ByteSpan name;
  XLA_FFI_TypeId *type_id;            // in/out
  const XLA_FFI_TypeInfo *type_info;  // since 0.2; not counted in struct_size
} XLA_FFI_Type_Register_Args;

typedef struct XLA_FFI_InvokeContext_Get_Args {
  XLA_FFI_HEAD;
  XLA_FFI_InvokeContext *ctx;
  XLA_FFI_TypeId *type_id;
  void *data;  // out
} XLA_FFI_InvokeContext_Get_Args;
PJRT_ABI_SIZE(XLA_FFI_InvokeContext_Get_Args, data, 40);

typedef struct XLA_FFI_State_Args {  // of State_Set and State_Get
  XLA_FFI_HEAD;
  XLA_FFI_InvokeContext *ctx;
  XLA_FFI_Stage stage;
  XLA_FFI_TypeId *type_id;
  void *state;  // in for Set, out for Get
} XLA_FFI_State_Args;
PJRT_ABI_SIZE(XLA_FFI_State_Args, state, 48);

typedef struct XLA_FFI_State_Args_V2 {  // the same before 0.3; the stage is the one of instantiation
  XLA_FFI_HEAD;
  XLA_FFI_InvokeContext *ctx;
  XLA_FFI_TypeId *type_id;
  void *state;
} XLA_FFI_State_Args_V2;
PJRT_ABI_SIZE(XLA_FFI_State_Args_V2, state, 40);

typedef struct XLA_FFI_State_Set_Args_V1 {  // State_Set of 0.1, whose types have no deleter of their own
  XLA_FFI_State_Args_V2 base;
  void (*deleter)(void *state);
} XLA_FFI_State_Set_Args_V1;
PJRT_ABI_SIZE(XLA_FFI_State_Set_Args_V1, deleter, 48);

typedef struct XLA_FFI_DeviceMemory_Allocate_Args {
  XLA_FFI_HEAD;
  XLA_FFI_InvokeContext *ctx;
  size_t size;
  size_t alignment;
  void *data;  // out
} XLA_FFI_DeviceMemory_Allocate_Args;

typedef struct XLA_FFI_DeviceMemory_Free_Args {
  XLA_FFI_HEAD;
  XLA_FFI_InvokeContext *ctx;
  size_t size;
  void *data;
} XLA_FFI_DeviceMemory_Free_Args;

typedef struct XLA_FFI_ThreadPool_Schedule_Args {
  XLA_FFI_HEAD;
  XLA_FFI_InvokeContext *ctx;
  void (*task)(void *data);
  void *data;
} XLA_FFI_ThreadPool_Schedule_Args;

typedef struct XLA_FFI_ThreadPool_NumThreads_Args {
  XLA_FFI_HEAD;
  XLA_FFI_InvokeContext *ctx;
  int64_t *num_threads;  // out
} XLA_FFI_ThreadPool_NumThreads_Args;

typedef struct XLA_FFI_Future_Create_Args {
  XLA_FFI_HEAD;
  XLA_FFI_Future *future;  // out; not counted in struct_size
} XLA_FFI_Future_Create_Args;

typedef struct XLA_FFI_Future_Set_Args {  // of SetAvailable, which ends after `future`, and SetError
  XLA_FFI_HEAD;
  XLA_FFI_Future *future;
  XLA_FFI_Error *error;  // taken over
} XLA_FFI_Future_Set_Args;

typedef struct XLA_FFI_RunId_Get_Args {
  XLA_FFI_HEAD;
  XLA_FFI_InvokeContext *ctx;
  int64_t run_id;  // out
} XLA_FFI_RunId_Get_Args;

typedef struct XLA_FFI_DeviceOrdinal_Get_Args {
  XLA_FFI_HEAD;
  XLA_FFI_InvokeContext *ctx;
  int32_t device_ordinal;  // out
} XLA_FFI_DeviceOrdinal_Get_Args;

typedef struct XLA_FFI_InvokeContext_FindExtension_Args {  // since 0.4
  XLA_FFI_HEAD;
  XLA_FFI_InvokeContext *ctx;
  int64_t extension_type;
  const void *extension;  // out; NULL: there is none
} XLA_FFI_InvokeContext_FindExtension_Args;
PJRT_ABI_SIZE(XLA_FFI_InvokeContext_FindExtension_Args, extension, 40);

typedef struct XLA_FFI_CustomOptions_Get_Args {  // since 0.5
  XLA_FFI_HEAD;
  XLA_FFI_InvokeContext *ctx;
  const XLA_FFI_Attrs *attrs;  // out
} XLA_FFI_CustomOptions_Get_Args;
PJRT_ABI_SIZE(XLA_FFI_CustomOptions_Get_Args, attrs, 32);

typedef struct XLA_FFI_Api {
  XLA_FFI_HEAD;
  XLA_FFI_Api_Version api_version;
  const XLA_FFI_InternalApi *internal_api;  // NULL: XLA's own handlers alone want it
  XLA_FFI_Error *(*XLA_FFI_Error_Create)(XLA_FFI_Error_Create_Args *args);
  void (*XLA_FFI_Error_GetDetails)(XLA_FFI_Error_GetDetails_Args *args);
  void (*XLA_FFI_Error_Destroy)(XLA_FFI_Error_Destroy_Args *args);
  XLA_FFI_Error *(*XLA_FFI_Handler_Register)(XLA_FFI_Handler_Register_Args *args);
  XLA_FFI_Error *(*XLA_FFI_Stream_Get)(XLA_FFI_Stream_Get_Args *args);
  XLA_FFI_Error *(*XLA_FFI_Type_Register)(XLA_FFI_Type_Register_Args *args);
  XLA_FFI_Error *(*XLA_FFI_InvokeContext_Get)(XLA_FFI_InvokeContext_Get_Args *args);
  XLA_FFI_Error *(*XLA_FFI_State_Set)(XLA_FFI_State_Args *args);
  XLA_FFI_Error *(*XLA_FFI_State_Get)(XLA_FFI_State_Args *args);
  XLA_FFI_Error *(*XLA_FFI_DeviceMemory_Allocate)(XLA_FFI_DeviceMemory_Allocate_Args *args);
  XLA_FFI_Error *(*XLA_FFI_DeviceMemory_Free)(XLA_FFI_DeviceMemory_Free_Args *args);
  XLA_FFI_Error *(*XLA_FFI_ThreadPool_Schedule)(XLA_FFI_ThreadPool_Schedule_Args *args);
  XLA_FFI_Error *(*XLA_FFI_ThreadPool_NumThreads)(XLA_FFI_ThreadPool_NumThreads_Args *args);
  XLA_FFI_Error *(*XLA_FFI_Future_Create)(XLA_FFI_Future_Create_Args *args);
  XLA_FFI_Error *(*XLA_FFI_Future_SetAvailable)(XLA_FFI_Future_Set_Args *args);
  XLA_FFI_Error *(*XLA_FFI_Future_SetError)(XLA_FFI_Future_Set_Args *args);
  XLA_FFI_Error *(*XLA_FFI_RunId_Get)(XLA_FFI_RunId_Get_Args *args);
  XLA_FFI_Error *(*XLA_FFI_DeviceOrdinal_Get)(XLA_FFI_DeviceOrdinal_Get_Args *args);
  XLA_FFI_Error *(*XLA_FFI_InvokeContext_FindExtension)(XLA_FFI_InvokeContext_FindExtension_Args *args);
  XLA_FFI_Error *(*XLA_FFI_CustomOptions_Get)(XLA_FFI_CustomOptions_Get_Args *args);
} XLA_FFI_Api;
static_assert(offsetof(XLA_FFI_Api, XLA_FFI_Error_Create) == 48, "first function");
static_assert(offsetof(XLA_FFI_Api, XLA_FFI_InvokeContext_Get) == 0x60, "XLA_FFI_InvokeContext_Get");
static_assert(offsetof(XLA_FFI_Api, XLA_FFI_State_Get) == 0x70, "XLA_FFI_State_Get");

struct XLA_FFI_CallFrame {
  XLA_FFI_HEAD;
  const XLA_FFI_Api *api;
  XLA_FFI_InvokeContext *ctx;
  XLA_FFI_Stage stage;
  XLA_FFI_Args args;
  XLA_FFI_Args rets;
  XLA_FFI_Attrs attrs;
  XLA_FFI_Future *future;  // out; not counted in struct_size
};
enum { XLA_FFI_CALL_FRAME_SIZE = 168 };
static_assert(offsetof(XLA_FFI_CallFrame, future) == XLA_FFI_CALL_FRAME_SIZE, "XLA_FFI_CallFrame");

// ---- What a handler says of itself ------------------------------------------------------------------------------------------

// A frame with this extension asks; the handler fills `metadata` and does nothing else.
enum { XLA_FFI_EXTENSION_METADATA = 1 };

typedef struct XLA_FFI_Metadata {
  size_t struct_size;
  XLA_FFI_Api_Version api_version;  // out
  uint32_t traits;                  // out
  XLA_FFI_TypeId state_type_id;     // out since 0.2; not counted in struct_size
} XLA_FFI_Metadata;
enum { XLA_FFI_METADATA_SIZE = 36 };
PJRT_ABI_SIZE(XLA_FFI_Metadata, traits, XLA_FFI_METADATA_SIZE);

typedef struct XLA_FFI_Metadata_Extension {
  XLA_FFI_InternalExtension base;
  XLA_FFI_Metadata *metadata;
} XLA_FFI_Metadata_Extension;
PJRT_ABI_SIZE(XLA_FFI_Metadata_Extension, metadata, 32);

#endif
