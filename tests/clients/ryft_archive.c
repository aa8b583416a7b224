// What ryft-xla-sys expects to be linked with, when the plugin is millrace: ryft's build takes a folder with a static library
// in the place of the one it would download. GetPjrtApi comes from the plugin that MILLRACE_LIBRARY names. The rest is
// XLA's coordination service, which that library holds beside the plugin: it is no part of the PJRT C API, and each of its
// functions answers UNIMPLEMENTED.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "pjrt/abi.h"

const PJRT_Api *GetPjrtApi(void);

const PJRT_Api *GetPjrtApi(void) {
  const char *path = getenv("MILLRACE_LIBRARY");
  void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  const PJRT_Api *(*get)(void) = library ? (const PJRT_Api *(*)(void))dlsym(library, "GetPjrtApi") : NULL;
  if (!get) {
    fprintf(stderr, "MILLRACE_LIBRARY=%s: %s\n", path ? path : "", path ? dlerror() : "not set");
    abort();
  }
  return get();
}

// An error object of the plugin's: the error of an event that is set to it.
static PJRT_Error *unimplemented(void) {
  static const char message[] = "XLA's coordination service is no part of a PJRT plugin";
  const PJRT_Api *api = GetPjrtApi();
  PJRT_Event_Create_Args create = {.struct_size = sizeof create};
  api->PJRT_Event_Create(&create);
  PJRT_Event_Set_Args set = {.struct_size = sizeof set,
                             .event = create.event,
                             .error_code = PJRT_Error_Code_UNIMPLEMENTED,
                             .error_message = message,
                             .error_message_size = sizeof message - 1};
  api->PJRT_Event_Set(&set);
  PJRT_Event_Error_Args error = {.struct_size = sizeof error, .event = create.event};
  PJRT_Error *found = api->PJRT_Event_Error(&error);
  PJRT_Event_Destroy_Args destroy = {.struct_size = sizeof destroy, .event = create.event};
  api->PJRT_Event_Destroy(&destroy);
  return found;
}

#define REFUSES(name)            \
  PJRT_Error *name(void *args);  \
  PJRT_Error *name(void *args) { \
    (void)args;                  \
    return unimplemented();      \
  }
#define IGNORES(name)    \
  void name(void *args); \
  void name(void *args) { (void)args; }
REFUSES(PJRT_Distributed_Runtime_Service_New)
IGNORES(PJRT_Distributed_Runtime_Service_Shutdown)
IGNORES(PJRT_Distributed_Runtime_Service_Destroy)
REFUSES(PJRT_Distributed_Runtime_Client_New)
REFUSES(PJRT_Distributed_Runtime_Client_Connect)
REFUSES(PJRT_Distributed_Runtime_Client_Blocking_Key_Value_Get)
REFUSES(PJRT_Distributed_Runtime_Client_Key_Value_Try_Get)
REFUSES(PJRT_Distributed_Runtime_Client_Key_Value_Set)
REFUSES(PJRT_Distributed_Runtime_Client_Shutdown)
IGNORES(PJRT_Distributed_Runtime_Client_Destroy)
// How handlers of the oldest kind of custom call answer.
IGNORES(XlaCustomCallStatusSetSuccess)
IGNORES(XlaCustomCallStatusSetFailure)
