// Extensions that reach beyond a client: callbacks of the process, transfers between processes. Part of pjrt/abi.h:
// include that one.
#ifndef MR_PJRT_ABI_ABI_EXT_PROCESS_H
#define MR_PJRT_ABI_ABI_EXT_PROCESS_H

#include "pjrt/abi/abi_ext.h"

// --- CrossHostTransfers (12), version 5 ---------------------------------------------------------

// Pairs of calls that agree on a key: the newer form.
typedef struct PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args {
  PJRT_ARGS_HEAD;
  PJRT_Client *client;
  size_t num_buffers;
  PJRT_Buffer **buffers;
  const int32_t *dst_global_device_ids;  // num_buffers of each
  const int64_t *transfer_keys;
  PJRT_Event **send_events;  // out, in an array of the caller's
} PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args;
PJRT_ABI_SIZE(PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args, send_events, 64);

typedef struct PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args {
  PJRT_ARGS_HEAD;
  PJRT_Client *client;
  size_t num_shapes;
  size_t *shape_num_dims;
  const int64_t **num_dims;  // the dimensions of each shape
  PJRT_Buffer_Type *element_types;
  PJRT_Buffer_MemoryLayout **layouts;
  PJRT_Device *device;
  const int32_t *src_global_device_ids;  // num_shapes of each
  const int64_t *transfer_keys;
  PJRT_Buffer **buffers;  // out, in an array of the caller's
} PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args;
PJRT_ABI_SIZE(PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args, buffers, 96);

// The receiver makes descriptors that the host carries to the senders: the older form.
typedef void (*PJRT_Transfers_CrossHostOnCanceledCallback)(PJRT_Error *error, void *user_arg);

typedef void (*PJRT_Transfers_CrossHostSendCancelNotifier)(const char *serialized_descriptor,
                                                           size_t serialized_descriptor_size, PJRT_Error_Code reason,
                                                           const char *error_message, size_t error_message_size,
                                                           PJRT_Transfers_CrossHostOnCanceledCallback on_canceled,
                                                           void *on_canceled_user_arg, void *user_arg);

typedef void (*PJRT_Transfers_CrossHostRecvNotifier)(PJRT_Error *error, const char **serialized_descriptors,
                                                     size_t *descriptors_sizes, size_t num_descriptors, void *user_arg,
                                                     PJRT_Transfers_CrossHostSendCancelNotifier cancel_notifier,
                                                     void *cancel_notifier_user_arg);

typedef struct PJRT_Transfers_CrossHostRecvNotifierInfo {
  void *user_arg;
  PJRT_Transfers_CrossHostRecvNotifier notifier;
} PJRT_Transfers_CrossHostRecvNotifierInfo;
PJRT_ABI_SIZE(PJRT_Transfers_CrossHostRecvNotifierInfo, notifier, 16);

typedef struct PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args {
  PJRT_ARGS_HEAD;
  PJRT_Client *client;
  size_t num_shapes;
  size_t *shape_num_dims;
  const int64_t **num_dims;
  PJRT_Buffer_Type *element_types;
  PJRT_Buffer_MemoryLayout **layouts;
  PJRT_Device *device;
  PJRT_Transfers_CrossHostRecvNotifierInfo notifier;
  PJRT_Buffer **buffers;  // out, in an array of the caller's
  size_t num_buffers;     // out
} PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args;
PJRT_ABI_SIZE(PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args, num_buffers, 104);

typedef void (*PJRT_Transfers_CrossHostRemoteSendCallback)(PJRT_Error *error, bool sends_were_enqueued, void *user_arg);

typedef struct PJRT_Transfers_CrossHostRemoteSendCallbackInfo {
  void *user_arg;
  PJRT_Transfers_CrossHostRemoteSendCallback on_done;
} PJRT_Transfers_CrossHostRemoteSendCallbackInfo;
PJRT_ABI_SIZE(PJRT_Transfers_CrossHostRemoteSendCallbackInfo, on_done, 16);

typedef struct PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args {
  PJRT_ARGS_HEAD;
  PJRT_Buffer *buffer;
  PJRT_Event *event;             // becomes the plugin's; NULL: the descriptor is there
  char **serialized_descriptor;  // good until the event is set
  size_t *serialized_descriptor_size;
  PJRT_Transfers_CrossHostRemoteSendCallbackInfo on_done;
} PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args;
PJRT_ABI_SIZE(PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args, on_done, 64);

// The same in version 1 of the extension: the text itself, good during the call, and nothing that says how it ended.
typedef struct PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args_V1 {
  PJRT_ARGS_HEAD;
  PJRT_Buffer *buffer;
  const char *serialized_descriptor;
  size_t serialized_descriptor_size;
} PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args_V1;
PJRT_ABI_SIZE(PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args_V1, serialized_descriptor_size, 40);

typedef struct PJRT_CrossHostTransfers_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*make_cross_host_receive_buffers)(PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args *args);
  void (*copy_to_remote_device)(PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args *args);
  PJRT_Error *(*cross_host_receive_buffers)(PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args *args);
  PJRT_Error *(*cross_host_send_buffers)(PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args *args);
} PJRT_CrossHostTransfers_Extension;
PJRT_ABI_SIZE(PJRT_CrossHostTransfers_Extension, cross_host_send_buffers, 56);

// --- Callback (14); arguments without an extension word -----------------------------------------

typedef enum PJRT_Callback_Type {
  PJRT_Callback_Type_Unknown = 0,
  PJRT_Callback_Type_Tpu_SliceBuilder = 1,
  PJRT_Callback_Type_Prefatal = 2,
} PJRT_Callback_Type;

typedef struct PJRT_Callback_PrefatalArgs {
  size_t struct_size;
  PJRT_Error_Code error_code;
  const char *error_message;
  size_t error_message_size;
} PJRT_Callback_PrefatalArgs;
PJRT_ABI_SIZE(PJRT_Callback_PrefatalArgs, error_message_size, 32);

typedef void (*PJRT_Callback_Function)(void *args, void *user_arg);

typedef struct PJRT_Callback_RegisterCallback_Args {
  size_t struct_size;
  PJRT_Client *client;
  PJRT_Callback_Type type;
  PJRT_Callback_Function callback;
  void *user_arg;
} PJRT_Callback_RegisterCallback_Args;
PJRT_ABI_SIZE(PJRT_Callback_RegisterCallback_Args, user_arg, 40);

typedef struct PJRT_Callback_InvokeCallback_Args {
  size_t struct_size;
  PJRT_Client *client;
  PJRT_Callback_Type type;
  void *args;  // of the type
} PJRT_Callback_InvokeCallback_Args;
PJRT_ABI_SIZE(PJRT_Callback_InvokeCallback_Args, args, 32);

typedef struct PJRT_Callback_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*register_callback)(PJRT_Callback_RegisterCallback_Args *args);
  PJRT_Error *(*invoke_callback)(PJRT_Callback_InvokeCallback_Args *args);
} PJRT_Callback_Extension;
PJRT_ABI_SIZE(PJRT_Callback_Extension, invoke_callback, 40);

#endif
