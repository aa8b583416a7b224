// The functions that an FFI handler may call back.
#include <string.h>

#include "core/ref.h"
#include "pjrt/api.h"
#include "pjrt/ffi.h"

// ---- Errors -----------------------------------------------------------------------------------------------------------------
// A handler's error is a status in a block of its own. jaxlib's callbacks take the block for their own C++ status when a call
// here fails, move it out and free the block: the first word is what such a status without a message would be, so they see the
// code, and there is nothing else to free. OK has no object, so a handler that makes an error with code OK gets one that says
// so.

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

// NULL for OK.
static XLA_FFI_Error *error_of(mr_status take_status) {
  XLA_FFI_Error *error = take_status ? error_make(mr_status_code(take_status), mr_status_message(take_status)) : NULL;
  mr_status_free(take_status);
  return error;
}

static void error_free(XLA_FFI_Error *error) {
  if (error != &no_memory) {
    mr_free(error);
  }
}

mr_status mr_pjrt_ffi_status(XLA_FFI_Error *take_error) {
  mr_status status = take_error ? mr_error(take_error->code, "%s", take_error->message) : MR_OK;
  error_free(take_error);
  return status;
}

static XLA_FFI_Error *error_create(XLA_FFI_Error_Create_Args *args) {
  const char *message = args->message ? args->message : "";
  mr_status status = mr_pjrt_status_of_code((PJRT_Error_Code)args->errc, message, strlen(message));
  return error_of(status ? status : mr_error(MR_UNKNOWN, "an error with code OK: %s", message));
}

static void error_get_message(XLA_FFI_Error_GetMessage_Args *args) { args->message = args->error->message; }

static void error_destroy(XLA_FFI_Error_Destroy_Args *args) { error_free(args->error); }

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
  XLA_FFI_Handler *const stages[XLA_FFI_STAGES] = {args->instantiate, args->prepare, args->initialize, args->execute};
  return error_of(add_handlers((mr_str){args->name.ptr, args->name.len}, stages));
}

static XLA_FFI_Error *type_register(XLA_FFI_Type_Register_Args *args) {
  bool has_info = args->struct_size >= PJRT_ABI_END(XLA_FFI_Type_Register_Args, type_info) && args->type_info;
  return error_of(mr_pjrt_ffi_add_type((mr_str){args->name.ptr, args->name.len},
                                       has_info ? args->type_info->deleter : NULL, &args->type_id->type_id));
}

// ---- Context --------------------------------------------------------------------------------------------------------------------

static XLA_FFI_Error *stream_get(XLA_FFI_Stream_Get_Args *args) {
  args->stream = NULL;
  return error_of(mr_error(MR_UNIMPLEMENTED, "XLA_FFI_Stream_Get: this platform has no streams"));
}

static XLA_FFI_Error *context_get(XLA_FFI_ExecutionContext_Get_Args *args) {
  args->data = args->ctx->user ? mr_pjrt_context_find(args->ctx->user, args->type_id->type_id) : NULL;
  if (args->data == NULL) {
    return error_of(
        mr_error(MR_NOT_FOUND, "no user data of FFI type %lld in this execution", (long long)args->type_id->type_id));
  }
  return NULL;
}

void mr_pjrt_ffi_state_deinit(mr_pjrt_ffi_state *state) {
  void (*deleter)(void *object) = state->object ? mr_pjrt_ffi_deleter_of(state->type_id) : NULL;
  if (deleter) {
    deleter(state->object);
  }
  *state = (mr_pjrt_ffi_state){0};
}

static mr_status check_stage(int stage) {
  bool known = stage >= 0 && stage < XLA_FFI_STAGES;
  return known ? MR_OK : mr_error(MR_INVALID_ARGUMENT, "FFI stage %d, wanted 0 to 3", stage);
}

static mr_status set_state(const XLA_FFI_State_Args *args) {
  MR_TRY(check_stage(args->stage));
  mr_pjrt_ffi_state *state = args->ctx->state[args->stage];
  if (state == NULL) {
    return mr_error(MR_FAILED_PRECONDITION, "an FFI handler sets state of stage %d, which is over or has no handler",
                    (int)args->stage);
  }
  if (state->object) {
    return mr_error(MR_ALREADY_EXISTS, "an FFI handler sets state of stage %d a second time", (int)args->stage);
  }
  *state = (mr_pjrt_ffi_state){args->type_id->type_id, args->state};
  return MR_OK;
}

static XLA_FFI_Error *state_set(XLA_FFI_State_Args *args) { return error_of(set_state(args)); }

// Where no stage can have left any, NULL is the answer: jaxlib's callback handler can live with that.
static mr_status get_state(XLA_FFI_State_Args *args) {
  args->state = NULL;
  MR_TRY(check_stage(args->stage));
  const mr_pjrt_ffi_state *state = args->ctx->state[args->stage];
  if (state && state->object == NULL) {
    return mr_error(MR_NOT_FOUND, "no FFI handler has set state of stage %d", (int)args->stage);
  }
  if (state && state->type_id != args->type_id->type_id) {
    return mr_error(MR_INVALID_ARGUMENT, "FFI state of stage %d has type %lld, wanted %lld", (int)args->stage,
                    (long long)state->type_id, (long long)args->type_id->type_id);
  }
  args->state = state ? state->object : NULL;
  return MR_OK;
}

static XLA_FFI_Error *state_get(XLA_FFI_State_Args *args) { return error_of(get_state(args)); }

// ---- Memory and threads -----------------------------------------------------------------------------------------------------------

static XLA_FFI_Error *memory_allocate(XLA_FFI_DeviceMemory_Allocate_Args *args) {
  args->data = mr_alloc_aligned(MR_MAX(args->alignment, 64), MR_MAX(args->size, 1));
  return args->data ? NULL : error_of(MR_NO_MEMORY());
}

static XLA_FFI_Error *memory_free(XLA_FFI_DeviceMemory_Free_Args *args) {
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
  *args->num_threads = args->ctx->group ? mr_group_concurrency(args->ctx->group) : 1;
  return NULL;
}

// ---- Futures ------------------------------------------------------------------------------------------------------------------------

static XLA_FFI_Error *future_create(XLA_FFI_Future_Create_Args *args) {
  args->future = NULL;
  mr_future *future;
  mr_status status = mr_future_create(&future);
  if (status) {
    return error_of(status);
  }
  args->future = (XLA_FFI_Future *)future;
  return NULL;
}

// Whoever waits may release the future as soon as it is set.
static void set_future(XLA_FFI_Future *future, mr_status take_status) {
  mr_future *inner = mr_future_retain((mr_future *)future);
  mr_future_set(inner, take_status);
  mr_future_release(inner);
}

static XLA_FFI_Error *future_set_available(XLA_FFI_Future_Set_Args *args) {
  set_future(args->future, MR_OK);
  return NULL;
}

static XLA_FFI_Error *future_set_error(XLA_FFI_Future_Set_Args *args) {
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
  args->run_id = (int64_t)(uintptr_t)args->ctx;  // unique among the executions that are under way
  return NULL;
}

static XLA_FFI_Error *device_ordinal_get(XLA_FFI_DeviceOrdinal_Get_Args *args) {
  args->device_ordinal = args->ctx->device;
  return NULL;
}

const XLA_FFI_Api mr_pjrt_ffi_api = {
    .struct_size = sizeof(XLA_FFI_Api),
    .api_version = {.struct_size = PJRT_ABI_END(XLA_FFI_Api_Version, minor_version),
                    .major_version = XLA_FFI_MAJOR,
                    .minor_version = XLA_FFI_MINOR},
    .XLA_FFI_Error_Create = error_create,
    .XLA_FFI_Error_GetMessage = error_get_message,
    .XLA_FFI_Error_Destroy = error_destroy,
    .XLA_FFI_Handler_Register = handler_register,
    .XLA_FFI_Stream_Get = stream_get,
    .XLA_FFI_Type_Register = type_register,
    .XLA_FFI_ExecutionContext_Get = context_get,
    .XLA_FFI_State_Set = state_set,
    .XLA_FFI_State_Get = state_get,
    .XLA_FFI_DeviceMemory_Allocate = memory_allocate,
    .XLA_FFI_DeviceMemory_Free = memory_free,
    .XLA_FFI_ThreadPool_Schedule = thread_pool_schedule,
    .XLA_FFI_ThreadPool_NumThreads = thread_pool_num_threads,
    .XLA_FFI_Future_Create = future_create,
    .XLA_FFI_Future_SetAvailable = future_set_available,
    .XLA_FFI_Future_SetError = future_set_error,
    .XLA_FFI_RunId_Get = run_id_get,
    .XLA_FFI_DeviceOrdinal_Get = device_ordinal_get,
};
