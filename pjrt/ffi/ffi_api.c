// The functions that an FFI handler may call back. A handler has its own version of each struct: which fields there are is
// the business of the table it is handed, and struct_size says how far they may be touched.
#include <stdatomic.h>
#include <string.h>

#include "core/ref.h"
#include "pjrt/abi/api.h"
#include "pjrt/ffi/ffi.h"

// ---- Errors -----------------------------------------------------------------------------------------------------------------
// A handler's error is a status in a block of its own. jaxlib's callbacks take the block for their own C++ status when a call
// here fails, move it out and free the block: the first word is what such a status without a message would be, so they see the
// code, and there is nothing else to free. OK has no object, so a handler that makes an error with code OK gets one that says
// so. A host may name the functions that such objects are made with (mr_pjrt_ffi_use_errors): then they have words as well. The first
// word of one of those points to them, so it is even, where ours is odd.

struct XLA_FFI_Error {
  uintptr_t code_for_jaxlib;
  mr_code code;
  const char *message;  // behind this struct, or a literal in the static one
};

static XLA_FFI_Error no_memory = {(uintptr_t)MR_RESOURCE_EXHAUSTED << 2 | 1, MR_RESOURCE_EXHAUSTED, "out of memory"};

static XLA_FFI_Error *error_make(mr_code code, const char *message) {
  size_t size = strlen(message) + 1;
  XLA_FFI_Error *error = mr_alloc(sizeof *error + size);
  if (error == NULL) {
    return &no_memory;
  }
  *error = (XLA_FFI_Error){(uintptr_t)code << 2 | 1, code, memcpy(error + 1, message, size)};
  return error;
}

// release and acquire: the host has made the table before it names it.
static _Atomic(const XLA_FFI_Api *) hosts;

mr_status mr_pjrt_ffi_use_errors(const XLA_FFI_Api *api) {
  if (api->struct_size < PJRT_ABI_END(XLA_FFI_Api, XLA_FFI_Error_Destroy) || !api->XLA_FFI_Error_Create ||
      !api->XLA_FFI_Error_GetDetails || !api->XLA_FFI_Error_Destroy) {
    return mr_error(MR_INVALID_ARGUMENT, "option 'ffi_errors' is no table of FFI functions with those for errors");
  }
  atomic_store_explicit(&hosts, api, memory_order_release);  // pairs with hosts_api()
  return MR_OK;
}

static const XLA_FFI_Api *hosts_api(void) {
  return atomic_load_explicit(&hosts, memory_order_acquire);  // pairs with mr_pjrt_ffi_use_errors()
}

static bool is_hosts(const XLA_FFI_Error *error) { return (error->code_for_jaxlib & 1) == 0; }

static XLA_FFI_Error *error_for_handler(mr_code code, const char *message) {
  const XLA_FFI_Api *api = hosts_api();
  if (api == NULL || *message == '\0') {
    return error_make(code, message);
  }
  XLA_FFI_Error_Create_Args args = {.struct_size = sizeof args, .message = message, .errc = (int)code};
  return api->XLA_FFI_Error_Create(&args);
}

// *out_code: what it was; of one of the host's table as far as that tells it.
static const char *details_of(XLA_FFI_Error *error, int *out_code) {
  *out_code = MR_INTERNAL;
  if (!is_hosts(error)) {
    *out_code = (int)error->code;
    return error->message;
  }
  XLA_FFI_Error_GetDetails_Args args = {.struct_size = sizeof args, .error = error, .errc = 0};
  hosts_api()->XLA_FFI_Error_GetDetails(&args);
  *out_code = args.errc ? args.errc : MR_INTERNAL;
  return args.message ? args.message : "";
}

// NULL for OK.
static XLA_FFI_Error *error_of(mr_status take_status) {
  XLA_FFI_Error *error =
      take_status ? error_for_handler(mr_status_code(take_status), mr_status_message(take_status)) : NULL;
  mr_status_free(take_status);
  return error;
}

static void error_free(XLA_FFI_Error *error) {
  if (error && is_hosts(error)) {
    XLA_FFI_Error_Destroy_Args args = {.struct_size = sizeof args, .error = error};
    hosts_api()->XLA_FFI_Error_Destroy(&args);
  } else if (error != &no_memory) {
    mr_free(error);
  }
}

mr_status mr_pjrt_ffi_status(XLA_FFI_Error *take_error) {
  if (take_error == NULL) {
    return MR_OK;
  }
  int code;
  const char *message = details_of(take_error, &code);
  mr_status status = mr_pjrt_status_of_code((PJRT_Error_Code)code, message, strlen(message));
  error_free(take_error);
  return status;
}

// Refuses a struct that ends before the last field a function cannot do without.
static mr_status check_size(const char *function, size_t got, size_t wanted) {
  return got >= wanted ? MR_OK
                       : mr_error(MR_INVALID_ARGUMENT, "XLA_FFI_%s: struct_size is %zu, wanted at least %zu", function,
                                  got, wanted);
}

#define FFI_NEED(args, function, field)                                                                     \
  do {                                                                                                      \
    if (MR_UNLIKELY(!MR_PJRT_HAS(args, field))) {                                                           \
      return error_of(check_size(function, (args)->struct_size, PJRT_ABI_END(__typeof__(*(args)), field))); \
    }                                                                                                       \
  } while (0)

static XLA_FFI_Error *error_create(XLA_FFI_Error_Create_Args *args) {
  FFI_NEED(args, "Error_Create", errc);
  const char *message = args->message ? args->message : "";
  mr_status status = mr_pjrt_status_of_code((PJRT_Error_Code)args->errc, message, strlen(message));
  status = status ? status : mr_error(MR_UNKNOWN, "an error with code OK: %s", message);
  // One of ours, as it comes back to us: with its code.
  XLA_FFI_Error *error = error_make(mr_status_code(status), mr_status_message(status));
  mr_status_free(status);
  return error;
}

static void error_get_details(XLA_FFI_Error_GetDetails_Args *args) {
  if (!MR_PJRT_HAS(args, message)) {
    return;
  }
  int code;
  args->message = details_of(args->error, &code);
  if (MR_PJRT_HAS(args, errc)) {
    args->errc = code;
  }
}

static void error_destroy(XLA_FFI_Error_Destroy_Args *args) {
  if (MR_PJRT_HAS(args, error)) {
    error_free(args->error);
  }
}

// ---- Registration -------------------------------------------------------------------------------------------------------------

static mr_status add_handlers(mr_str name, XLA_FFI_Handler *const *stages) {
  if (stages[XLA_FFI_STAGE_EXECUTE] == NULL) {
    return mr_error(MR_INVALID_ARGUMENT, "FFI handler '%.*s' has no execute function", MR_STR_ARG(name));
  }
  for (int i = 0; i < XLA_FFI_STAGES; i++) {
    if (stages[i]) {
      MR_TRY(mr_pjrt_ffi_add_handler(name, (XLA_FFI_Stage)i, stages[i]));
    }
  }
  return MR_OK;
}

static XLA_FFI_Error *handler_register(XLA_FFI_Handler_Register_Args *args) {
  FFI_NEED(args, "Handler_Register", execute);
  XLA_FFI_Handler *const stages[XLA_FFI_STAGES] = {args->instantiate, args->prepare, args->initialize, args->execute};
  return error_of(add_handlers((mr_str){args->name.ptr, args->name.len}, stages));
}

static XLA_FFI_Error *add_type(XLA_FFI_Type_Register_Args *args, const XLA_FFI_TypeInfo *info) {
  FFI_NEED(args, "Type_Register", type_id);
  void (*deleter)(void *object) = info && MR_PJRT_HAS(info, deleter) ? info->deleter : NULL;
  return error_of(mr_pjrt_ffi_add_type((mr_str){args->name.ptr, args->name.len}, deleter, &args->type_id->type_id));
}

// struct_size ends before type_info; whoever has this version of the function has the field all the same.
static XLA_FFI_Error *type_register(XLA_FFI_Type_Register_Args *args) {
  return add_type(args, MR_PJRT_HAS(args, type_id) ? args->type_info : NULL);
}

static XLA_FFI_Error *type_register_v1(XLA_FFI_Type_Register_Args *args) { return add_type(args, NULL); }

// ---- Context --------------------------------------------------------------------------------------------------------------------

static XLA_FFI_Error *stream_get(XLA_FFI_Stream_Get_Args *args) {
  FFI_NEED(args, "Stream_Get", stream);
  args->stream = NULL;
  return error_of(mr_error(MR_UNIMPLEMENTED, "XLA FFI GPU context is not available: this platform has no streams"));
}

static XLA_FFI_Error *context_get(XLA_FFI_InvokeContext_Get_Args *args) {
  FFI_NEED(args, "InvokeContext_Get", data);
  args->data = args->ctx->user ? mr_pjrt_context_find(args->ctx->user, args->type_id->type_id) : NULL;
  if (args->data == NULL) {
    return error_of(
        mr_error(MR_NOT_FOUND, "no user data of FFI type %lld in this execution", (long long)args->type_id->type_id));
  }
  return NULL;
}

// ---- State --------------------------------------------------------------------------------------------------------------------

void mr_pjrt_ffi_state_deinit(mr_pjrt_ffi_state *state) {
  void (*deleter)(void *object) = state->deleter;
  if (state->object && deleter == NULL) {
    deleter = mr_pjrt_ffi_deleter_of(state->type_id);
  }
  if (state->object && deleter) {
    deleter(state->object);
  }
  *state = (mr_pjrt_ffi_state){0};
}

static mr_status check_stage(int stage) {
  bool known = stage >= 0 && stage < XLA_FFI_STAGES;
  return known ? MR_OK : mr_error(MR_INVALID_ARGUMENT, "FFI stage %d, wanted 0 to 3", stage);
}

static mr_status set_state(XLA_FFI_InvokeContext *context, int stage, mr_pjrt_ffi_state state) {
  MR_TRY(check_stage(stage));
  mr_pjrt_ffi_state *place = context->state[stage];
  if (place == NULL) {
    return mr_error(MR_FAILED_PRECONDITION, "an FFI handler sets state of stage %d, which is over or has no handler",
                    stage);
  }
  if (place->object) {
    return mr_error(MR_ALREADY_EXISTS, "an FFI handler sets state of stage %d a second time", stage);
  }
  *place = state;
  return MR_OK;
}

// Where no stage can have left any, NULL is the answer: jaxlib's callback handler can live with that.
static mr_status get_state(const XLA_FFI_InvokeContext *context, int stage, int64_t type_id, void **out_object) {
  *out_object = NULL;
  MR_TRY(check_stage(stage));
  const mr_pjrt_ffi_state *state = context->state[stage];
  if (state && state->object == NULL) {
    return mr_error(MR_NOT_FOUND, "no FFI handler has set state of stage %d", stage);
  }
  if (state && state->type_id != type_id) {
    return mr_error(MR_INVALID_ARGUMENT, "FFI state of stage %d has type %lld, wanted %lld", stage,
                    (long long)state->type_id, (long long)type_id);
  }
  *out_object = state ? state->object : NULL;
  return MR_OK;
}

static XLA_FFI_Error *state_set(XLA_FFI_State_Args *args) {
  FFI_NEED(args, "State_Set", state);
  return error_of(
      set_state(args->ctx, args->stage, (mr_pjrt_ffi_state){.type_id = args->type_id->type_id, .object = args->state}));
}

static XLA_FFI_Error *state_get(XLA_FFI_State_Args *args) {
  FFI_NEED(args, "State_Get", state);
  return error_of(get_state(args->ctx, args->stage, args->type_id->type_id, &args->state));
}

// Before 0.3 there was state of one stage. The tables have one type for all versions of a function, so these cast.
static XLA_FFI_Error *state_set_v2(XLA_FFI_State_Args *newest) {
  XLA_FFI_State_Args_V2 *args = (void *)newest;
  FFI_NEED(args, "State_Set", state);
  mr_pjrt_ffi_state state = {.type_id = args->type_id->type_id, .object = args->state};
  return error_of(set_state(args->ctx, XLA_FFI_STAGE_INSTANTIATE, state));
}

static XLA_FFI_Error *state_set_v1(XLA_FFI_State_Args *newest) {
  XLA_FFI_State_Set_Args_V1 *args = (void *)newest;
  FFI_NEED(&args->base, "State_Set", state);
  mr_pjrt_ffi_state state = {.type_id = args->base.type_id->type_id,
                             .object = args->base.state,
                             .deleter = args->base.struct_size >= sizeof *args ? args->deleter : NULL};
  return error_of(set_state(args->base.ctx, XLA_FFI_STAGE_INSTANTIATE, state));
}

static XLA_FFI_Error *state_get_v2(XLA_FFI_State_Args *newest) {
  XLA_FFI_State_Args_V2 *args = (void *)newest;
  FFI_NEED(args, "State_Get", state);
  return error_of(get_state(args->ctx, XLA_FFI_STAGE_INSTANTIATE, args->type_id->type_id, &args->state));
}

// ---- Memory and threads -----------------------------------------------------------------------------------------------------------

static XLA_FFI_Error *memory_allocate(XLA_FFI_DeviceMemory_Allocate_Args *args) {
  FFI_NEED(args, "DeviceMemory_Allocate", data);
  args->data = mr_alloc_aligned(MR_MAX(args->alignment, 64), MR_MAX(args->size, 1));
  return args->data ? NULL : error_of(MR_NO_MEMORY());
}

static XLA_FFI_Error *memory_free(XLA_FFI_DeviceMemory_Free_Args *args) {
  FFI_NEED(args, "DeviceMemory_Free", data);
  mr_free(args->data);
  return NULL;
}

// ---- Threads -----------------------------------------------------------------------------------------------------------------
// Tasks go to the workers of the device. A handler may sleep until its tasks are over, and while it does its thread runs
// nothing else: so when handlers occupy as many threads as there are, a task runs where it is scheduled.

// relaxed everywhere: it only decides where a task runs, and a handler sees its own entry.
static _Atomic(uint32_t) handlers_running;

void mr_pjrt_ffi_enter(void) { atomic_fetch_add_explicit(&handlers_running, 1, memory_order_relaxed); }
void mr_pjrt_ffi_leave(void) { atomic_fetch_sub_explicit(&handlers_running, 1, memory_order_relaxed); }

typedef struct pool_task {
  void (*task)(void *data);
  void *data;
} pool_task;

static void pool_task_run(mr_node *node) {
  pool_task *self = mr_node_payload(node);
  self->task(self->data);
  mr_node_finish(node, MR_OK);
}

// At shutdown as well: the handler counts on it.
static void pool_task_fail(mr_node *node, mr_status status) {
  (void)status;
  pool_task *self = mr_node_payload(node);
  self->task(self->data);
}

static const mr_node_type pool_task_type = {
    .name = "FFI task", .kind = MR_NODE_CALLBACK, .run = pool_task_run, .fail = pool_task_fail};

static XLA_FFI_Error *thread_pool_schedule(XLA_FFI_ThreadPool_Schedule_Args *args) {
  FFI_NEED(args, "ThreadPool_Schedule", data);
  mr_group *group = args->ctx->group;
  uint32_t running = atomic_load_explicit(&handlers_running, memory_order_relaxed);
  if (group == NULL || running >= mr_group_concurrency(group)) {
    args->task(args->data);
    return NULL;
  }
  mr_node *node;
  mr_status status = mr_node_create(&pool_task_type, sizeof(pool_task), mr_group_executor(group), &node);
  if (status) {
    return error_of(status);
  }
  *(pool_task *)mr_node_payload(node) = (pool_task){args->task, args->data};
  mr_node_submit(node);
  return NULL;
}

static XLA_FFI_Error *thread_pool_num_threads(XLA_FFI_ThreadPool_NumThreads_Args *args) {
  FFI_NEED(args, "ThreadPool_NumThreads", num_threads);
  *args->num_threads = args->ctx->group ? mr_group_concurrency(args->ctx->group) : 1;
  return NULL;
}

// ---- Futures ------------------------------------------------------------------------------------------------------------------------

static XLA_FFI_Error *future_create(XLA_FFI_Future_Create_Args *args) {
  FFI_NEED(args, "Future_Create", extension_start);
  args->future = NULL;
  mr_future *future;
  mr_status status = mr_future_create(&future);
  if (status) {
    return error_of(status);
  }
  args->future = (XLA_FFI_Future *)future;
  return NULL;
}

// Whoever waits may release the future as soon as it is set. What it is set to first stands. Who sets it again is not told:
// there are clients that do it and take an error for a failure (ryft's test_ffi_future). PJRT_Event_Set, whose interface names the case, tells.
static void set_future(XLA_FFI_Future *future, mr_status take_status) {
  mr_future *inner = mr_future_retain((mr_future *)future);
  (void)mr_future_try_set(inner, take_status);
  mr_future_release(inner);
}

static XLA_FFI_Error *future_set_available(XLA_FFI_Future_Set_Args *args) {
  FFI_NEED(args, "Future_SetAvailable", future);
  set_future(args->future, MR_OK);
  return NULL;
}

static XLA_FFI_Error *future_set_error(XLA_FFI_Future_Set_Args *args) {
  FFI_NEED(args, "Future_SetError", error);
  set_future(args->future, mr_pjrt_ffi_status(args->error));
  return NULL;
}

mr_status mr_pjrt_ffi_wait(XLA_FFI_Future *take_future) {
  mr_future *future = (mr_future *)take_future;
  mr_future_wait(future);
  mr_status status = mr_status_retain(mr_future_status(future));
  mr_future_release(future);
  return status;
}

// ---- Numbers ------------------------------------------------------------------------------------------------------------------------

static XLA_FFI_Error *run_id_get(XLA_FFI_RunId_Get_Args *args) {
  FFI_NEED(args, "RunId_Get", run_id);
  args->run_id = (int64_t)(uintptr_t)args->ctx;  // unique among the executions that are under way
  return NULL;
}

static XLA_FFI_Error *device_ordinal_get(XLA_FFI_DeviceOrdinal_Get_Args *args) {
  FFI_NEED(args, "DeviceOrdinal_Get", device_ordinal);
  args->device_ordinal = args->ctx->device;
  return NULL;
}

// ---- What executions bring -----------------------------------------------------------------------------------------------------

static XLA_FFI_Error *find_extension(XLA_FFI_InvokeContext_FindExtension_Args *args) {
  FFI_NEED(args, "InvokeContext_FindExtension", extension);
  args->extension = NULL;  // no host can attach one through PJRT
  return NULL;
}

static XLA_FFI_Error *custom_options_get(XLA_FFI_CustomOptions_Get_Args *args) {
  static const XLA_FFI_Attrs none = {.struct_size = sizeof none};
  FFI_NEED(args, "CustomOptions_Get", attrs);
  args->attrs = &none;  // PJRT has no field for them
  return NULL;
}

// ---- Tables -----------------------------------------------------------------------------------------------------------------------

// Functions were appended within a version too, so a handler may look behind what it was built with, never before it.
#define FFI_API(minor, register_type, set, get)                                        \
  {                                                                                    \
      .struct_size = sizeof(XLA_FFI_Api),                                              \
      .api_version = {.struct_size = PJRT_ABI_END(XLA_FFI_Api_Version, minor_version), \
                      .major_version = XLA_FFI_MAJOR,                                  \
                      .minor_version = (minor)},                                       \
      .XLA_FFI_Error_Create = error_create,                                            \
      .XLA_FFI_Error_GetDetails = error_get_details,                                   \
      .XLA_FFI_Error_Destroy = error_destroy,                                          \
      .XLA_FFI_Handler_Register = handler_register,                                    \
      .XLA_FFI_Stream_Get = stream_get,                                                \
      .XLA_FFI_Type_Register = (register_type),                                        \
      .XLA_FFI_InvokeContext_Get = context_get,                                        \
      .XLA_FFI_State_Set = (set),                                                      \
      .XLA_FFI_State_Get = (get),                                                      \
      .XLA_FFI_DeviceMemory_Allocate = memory_allocate,                                \
      .XLA_FFI_DeviceMemory_Free = memory_free,                                        \
      .XLA_FFI_ThreadPool_Schedule = thread_pool_schedule,                             \
      .XLA_FFI_ThreadPool_NumThreads = thread_pool_num_threads,                        \
      .XLA_FFI_Future_Create = future_create,                                          \
      .XLA_FFI_Future_SetAvailable = future_set_available,                             \
      .XLA_FFI_Future_SetError = future_set_error,                                     \
      .XLA_FFI_RunId_Get = run_id_get,                                                 \
      .XLA_FFI_DeviceOrdinal_Get = device_ordinal_get,                                 \
      .XLA_FFI_InvokeContext_FindExtension = find_extension,                           \
      .XLA_FFI_CustomOptions_Get = custom_options_get,                                 \
  }

// One for each version, the first one first. What a newer handler finds behind them is zero.
static const struct {
  XLA_FFI_Api api;
  void *padding[16];
} apis[] = {
    {.api = FFI_API(1, type_register_v1, state_set_v1, state_get_v2)},
    {.api = FFI_API(2, type_register, state_set_v2, state_get_v2)},
    {.api = FFI_API(3, type_register, state_set, state_get)},
    {.api = FFI_API(4, type_register, state_set, state_get)},
    {.api = FFI_API(5, type_register, state_set, state_get)},
};
static_assert(MR_ARRAY_SIZE(apis) == XLA_FFI_MINOR, "a table for each version");

// The functions as version 0.`minor` has them, from 0.1 on.
static const XLA_FFI_Api *api_of(int minor) {
  assert(minor >= 1 && minor <= XLA_FFI_MINOR);
  return &apis[minor - 1].api;
}

// Everything that is built with XLA's headers answers since 0.1. Whoever does not is refused, as XLA does it: there is no way
// to tell which structs it has.
mr_status mr_pjrt_ffi_api_for(XLA_FFI_Handler *handler, const XLA_FFI_Api **out_api) {
  struct {
    XLA_FFI_Metadata metadata;
    char spare[128];  // fields were added behind struct_size, and a newer handler writes its own
  } answer = {.metadata = {.struct_size = XLA_FFI_METADATA_SIZE,
                           .api_version = {.struct_size = PJRT_ABI_END(XLA_FFI_Api_Version, minor_version)}}};
  XLA_FFI_InvokeContext nothing = {0};
  XLA_FFI_Metadata_Extension extension = {.base = {.struct_size = sizeof extension, .type = XLA_FFI_EXTENSION_METADATA},
                                          .metadata = &answer.metadata};
  XLA_FFI_CallFrame frame = {
      .struct_size = XLA_FFI_CALL_FRAME_SIZE,
      .extension_start = &extension.base,
      .api = api_of(XLA_FFI_MINOR),
      .ctx = &nothing,
      .stage = XLA_FFI_STAGE_EXECUTE,
      .args = {.struct_size = sizeof(XLA_FFI_Args)},
      .rets = {.struct_size = sizeof(XLA_FFI_Args)},
      .attrs = {.struct_size = sizeof(XLA_FFI_Attrs)},
  };
  MR_TRY(mr_pjrt_ffi_status(handler(&frame)));
  int major = answer.metadata.api_version.major_version, minor = answer.metadata.api_version.minor_version;
  if (major != XLA_FFI_MAJOR || minor < 1 || minor > XLA_FFI_MINOR) {
    return mr_error(MR_UNIMPLEMENTED, "a handler that says it is built for XLA FFI %d.%d, wanted 0.1 to 0.%d", major,
                    minor, XLA_FFI_MINOR);
  }
  *out_api = api_of(minor);
  return MR_OK;
}
