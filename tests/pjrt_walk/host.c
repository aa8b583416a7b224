#include "tests/pjrt_walk/host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt/ext/extensions.h"
#include "tests/cmocka.h"

static const char *library;
static bool linked;

void host_set_library(const char *path) { library = path; }
void host_link_plugin(void) { linked = true; }

const PJRT_Api *host_api(void) {
  static const PJRT_Api *api;
  if (api) {
    return api;
  }
  if (linked || host_fails_allocations()) {
    return api = GetPjrtApi();
  }
  const char *path = library ? library : getenv("MILLRACE_LIBRARY");
  if (path == NULL) {
    fail_msg("no plugin: give its path as the first argument or in MILLRACE_LIBRARY");
  }
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    fail_msg("%s", dlerror());
  }
  const PJRT_Api *(*get)(void);
  *(void **)&get = dlsym(handle, "GetPjrtApi");
  assert_non_null(get);
  api = get();
  const mr_pjrt_census_extension *census =
      (const mr_pjrt_census_extension *)host_extension((PJRT_Extension_Type)MR_PJRT_CENSUS_TYPE);
  gone_watch_plugin(census->name, census->count);
  return api;
}

const PJRT_Extension_Base *host_extension(PJRT_Extension_Type type) {
  const PJRT_Extension_Base *found = NULL;
  for (const PJRT_Extension_Base *e = host_api()->extension_start; e; e = e->next) {
    if (e->type == type) {
      assert_null(found);
      found = e;
    }
  }
  assert_non_null(found);
  return found;
}

PJRT_Error_Code host_take_error(PJRT_Error *take_error, const char **out_message) {
  static _Thread_local char text[4096];
  text[0] = 0;
  if (out_message) {
    *out_message = text;
  }
  if (take_error == NULL) {
    return PJRT_Error_Code_OK;
  }
  PJRT_Error_Message_Args message = {.struct_size = sizeof message, .error = take_error};
  host_api()->PJRT_Error_Message(&message);
  snprintf(text, sizeof text, "%.*s", (int)message.message_size, message.message);
  PJRT_Error_GetCode_Args code = {.struct_size = sizeof code, .error = take_error};
  assert_null(host_api()->PJRT_Error_GetCode(&code));
  PJRT_Error_Destroy_Args destroy = {.struct_size = sizeof destroy, .error = take_error};
  host_api()->PJRT_Error_Destroy(&destroy);
  return code.code;
}

void host_refused(PJRT_Error *take_error, PJRT_Error_Code code, const char *says) {
  const char *message;
  PJRT_Error_Code got = host_take_error(take_error, &message);
  if (got != code || strstr(message, says) == NULL) {
    fail_msg("code %d: '%s', wanted code %d and '%s'", (int)got, message, (int)code, says);
  }
}

void host_succeeded(PJRT_Error *error, const char *call) {
  if (error) {
    const char *message;
    PJRT_Error_Code code = host_take_error(error, &message);
    fail_msg("%s: code %d: %s", call, (int)code, message);
  }
}
