// Argument structs of the PJRT functions on errors, the plugin itself and events.
// Part of pjrt/abi.h: include that one. Fields marked "out" are written by the plugin.
#ifndef MR_PJRT_ABI_ABI_ARGS_BASIC_H
#define MR_PJRT_ABI_ABI_ARGS_BASIC_H

#include "pjrt/abi/abi_types.h"

typedef struct PJRT_Error_Destroy_Args {  // slot 0
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Error *error;
} PJRT_Error_Destroy_Args;
PJRT_ABI_SIZE(PJRT_Error_Destroy_Args, error, 24);

typedef struct PJRT_Error_Message_Args {  // slot 1
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const PJRT_Error *error;
  const char *message;  // out
  size_t message_size;  // out
} PJRT_Error_Message_Args;
PJRT_ABI_SIZE(PJRT_Error_Message_Args, message_size, 40);

typedef struct PJRT_Error_GetCode_Args {  // slot 2
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const PJRT_Error *error;
  PJRT_Error_Code code;  // out
} PJRT_Error_GetCode_Args;
PJRT_ABI_SIZE(PJRT_Error_GetCode_Args, code, 28);

typedef struct PJRT_Plugin_Initialize_Args {  // slot 3
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
} PJRT_Plugin_Initialize_Args;
PJRT_ABI_SIZE(PJRT_Plugin_Initialize_Args, extension_start, 16);

typedef struct PJRT_Plugin_Attributes_Args {  // slot 4
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const PJRT_NamedValue *attributes;  // out
  size_t num_attributes;              // out
} PJRT_Plugin_Attributes_Args;
PJRT_ABI_SIZE(PJRT_Plugin_Attributes_Args, num_attributes, 32);

typedef struct PJRT_Event_Destroy_Args {  // slot 5
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Event *event;
} PJRT_Event_Destroy_Args;
PJRT_ABI_SIZE(PJRT_Event_Destroy_Args, event, 24);

typedef struct PJRT_Event_IsReady_Args {  // slot 6
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Event *event;
  bool is_ready;  // out
} PJRT_Event_IsReady_Args;
PJRT_ABI_SIZE(PJRT_Event_IsReady_Args, is_ready, 25);

typedef struct PJRT_Event_Error_Args {  // slot 7
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Event *event;
} PJRT_Event_Error_Args;
PJRT_ABI_SIZE(PJRT_Event_Error_Args, event, 24);

typedef struct PJRT_Event_Await_Args {  // slot 8
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Event *event;
} PJRT_Event_Await_Args;
PJRT_ABI_SIZE(PJRT_Event_Await_Args, event, 24);

typedef struct PJRT_Event_OnReady_Args {  // slot 9
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Event *event;
  PJRT_Event_OnReadyCallback callback;
  void *user_arg;
} PJRT_Event_OnReady_Args;
PJRT_ABI_SIZE(PJRT_Event_OnReady_Args, user_arg, 40);

typedef struct PJRT_Event_Create_Args {  // slot 126
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Event *event;  // out
} PJRT_Event_Create_Args;
PJRT_ABI_SIZE(PJRT_Event_Create_Args, event, 24);

typedef struct PJRT_Event_Set_Args {  // slot 127
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Event *event;
  PJRT_Error_Code error_code;
  const char *error_message;
  size_t error_message_size;
} PJRT_Event_Set_Args;
PJRT_ABI_SIZE(PJRT_Event_Set_Args, error_message_size, 48);

typedef struct PJRT_Error_ForEachPayload_Args {  // slot 132
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const PJRT_Error *error;
  PJRT_Error_PayloadVisitor visitor;
  void *user_arg;
} PJRT_Error_ForEachPayload_Args;
PJRT_ABI_SIZE(PJRT_Error_ForEachPayload_Args, user_arg, 40);

#endif
