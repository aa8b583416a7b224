// Extension Profiler: what the engine did between start and stop, in the form that JAX's and TensorBoard's profilers read.
// Hosts call these with arguments whose struct_size is not set, so it is not looked at.
#include <string.h>

#include "pjrt/abi/api.h"
#include "pjrt/ext/extensions.h"
#include "pjrt/proto/extensions.h"
#include "pjrt/proto/xspace.h"

typedef enum profiler_state { CREATED, STARTED, STOPPED } profiler_state;

// Used by one thread at a time.
struct PLUGIN_Profiler {
  profiler_state state;
  mr_pjrt_xspace_options options;
  mr_trace_session session;  // once started
  char *bytes;               // once collected; a zero byte follows
  size_t size;
};

// The profiler's errors are statuses by another name.
static PLUGIN_Profiler_Error *error_of(mr_status take_status) { return (PLUGIN_Profiler_Error *)take_status; }
static mr_status status_of(const PLUGIN_Profiler_Error *error) { return (mr_status)(uintptr_t)error; }

static void error_destroy(PLUGIN_Profiler_Error_Destroy_Args *args) { mr_status_free(status_of(args->error)); }

static void error_message(PLUGIN_Profiler_Error_Message_Args *args) {
  args->message = mr_status_message(status_of(args->error));
  args->message_size = strlen(args->message);
}

static PLUGIN_Profiler_Error *error_get_code(PLUGIN_Profiler_Error_GetCode_Args *args) {
  args->code = (PJRT_Error_Code)mr_status_code(status_of(args->error));
  return NULL;
}

// ---- Lifecycle ------------------------------------------------------------------------------------------------------

// Options of version 0, and none at all, say nothing: everything is recorded.
static mr_status read_options(mr_span bytes, mr_pjrt_xspace_options *out) {
  mr_pjrt_profile_options options;
  *out = (mr_pjrt_xspace_options){.devices = true, .host_level = 2};
  MR_TRY(mr_pjrt_profile_options_parse(bytes, &options));
  if (options.version > 0) {
    *out = (mr_pjrt_xspace_options){.devices = options.device_level > 0, .host_level = options.host_level};
  }
  return MR_OK;
}

static PLUGIN_Profiler_Error *profiler_create(PLUGIN_Profiler_Create_Args *args) {
  args->profiler = NULL;
  mr_pjrt_xspace_options options;
  mr_status status = read_options((mr_span){args->options, args->options ? args->options_size : 0}, &options);
  if (status) {
    return error_of(status);
  }
  PLUGIN_Profiler *self = mr_alloc_zeroed(1, sizeof *self);
  if (self == NULL) {
    return error_of(MR_NO_MEMORY());
  }
  self->options = options;
  args->profiler = self;
  return NULL;
}

static PLUGIN_Profiler_Error *profiler_destroy(PLUGIN_Profiler_Handle_Args *args) {
  if (args->profiler) {
    if (args->profiler->state == STARTED) {
      mr_trace_session_stop(&args->profiler->session);
    }
    if (args->profiler->state != CREATED) {
      mr_trace_session_close(&args->profiler->session);
    }
    mr_free(args->profiler->bytes);
    mr_free(args->profiler);
  }
  return NULL;
}

// Moves from one state to the next.
static mr_status step(PLUGIN_Profiler *profiler, const char *call, profiler_state from, profiler_state to) {
  static const char *const names[] = {[CREATED] = "not started", [STARTED] = "recording", [STOPPED] = "stopped"};
  if (profiler == NULL) {
    return mr_error(MR_INVALID_ARGUMENT, "profiler %s: profiler is NULL", call);
  }
  if (profiler->state != from) {
    return mr_error(MR_FAILED_PRECONDITION, "profiler %s: it is %s, wanted one that is %s", call,
                    names[profiler->state], names[from]);
  }
  profiler->state = to;
  return MR_OK;
}

static PLUGIN_Profiler_Error *profiler_start(PLUGIN_Profiler_Handle_Args *args) {
  mr_status status = step(args->profiler, "start", CREATED, STARTED);
  if (!status) {
    mr_trace_session_start(&args->profiler->session);
  }
  return error_of(status);
}

static PLUGIN_Profiler_Error *profiler_stop(PLUGIN_Profiler_Handle_Args *args) {
  mr_status status = step(args->profiler, "stop", STARTED, STOPPED);
  if (!status) {
    mr_trace_session_stop(&args->profiler->session);
  }
  return error_of(status);
}

// ---- Data -----------------------------------------------------------------------------------------------------------

static mr_status collect(PLUGIN_Profiler *profiler) {
  MR_TRY(step(profiler, "collect_data", STOPPED, STOPPED));
  if (profiler->bytes) {
    return MR_OK;
  }
  char *bytes;
  size_t size;
  MR_TRY(mr_pjrt_xspace_serialize(&profiler->session, &profiler->options, &bytes, &size));
  char *ended = mr_realloc(bytes, size + 1);
  if (ended == NULL) {
    mr_free(bytes);
    return MR_NO_MEMORY();
  }
  ended[size] = 0;
  profiler->bytes = ended;
  profiler->size = size;
  return MR_OK;
}

// Without a buffer, ours is lent for as long as the profiler lives; hosts rely on that and ask once. As XLA's own plugins
// have it, the size counts a zero byte behind the message, where readers stop (some cut it off).
static PLUGIN_Profiler_Error *profiler_collect_data(PLUGIN_Profiler_CollectData_Args *args) {
  args->buffer_size_in_bytes = 0;
  mr_status status = collect(args->profiler);
  if (status) {
    return error_of(status);
  }
  args->buffer_size_in_bytes = args->profiler->size + 1;
  if (args->buffer == NULL) {
    args->buffer = (uint8_t *)args->profiler->bytes;
  } else if (args->buffer != (uint8_t *)args->profiler->bytes) {
    memcpy(args->buffer, args->profiler->bytes, args->profiler->size + 1);
  }
  return NULL;
}

static PLUGIN_Profiler_Api profiler_api = {
    .struct_size = sizeof(PLUGIN_Profiler_Api),
    .error_destroy = error_destroy,
    .error_message = error_message,
    .error_get_code = error_get_code,
    .create = profiler_create,
    .destroy = profiler_destroy,
    .start = profiler_start,
    .stop = profiler_stop,
    .collect_data = profiler_collect_data,
};

PJRT_Profiler_Extension mr_pjrt_ext_profiler = {
    .base = {.struct_size = sizeof(PJRT_Profiler_Extension),
             .type = PJRT_Extension_Type_Profiler,
             .next = &mr_pjrt_ext_cross_host_transfers.base},
    .profiler_api = &profiler_api,
};
