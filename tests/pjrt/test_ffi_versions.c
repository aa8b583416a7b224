// pjrt/ffi/ffi_api.c: handlers built with each version of XLA's headers, and every struct they call back with, in every size, right
// before a page that nobody may touch.
#include <stdio.h>
#include <string.h>

#include "compiler/run/context.h"
#include "tests/guard.h"
#include "tests/pjrt/ffi_fixture.h"

// Functions are called through one type, which the sanitizer of functions would report.
#define BY_ONE_TYPE __attribute__((no_sanitize("undefined")))
typedef XLA_FFI_Error *(*api_function)(void *args);

// ---- The functions ----------------------------------------------------------------------------------------------------------

typedef union api_args {
  size_t struct_size;
  XLA_FFI_Error_Create_Args Error_Create;
  XLA_FFI_Error_GetDetails_Args Error_GetDetails;
  XLA_FFI_Error_Destroy_Args Error_Destroy;
  XLA_FFI_Handler_Register_Args Handler_Register;
  XLA_FFI_Stream_Get_Args Stream_Get;
  XLA_FFI_Type_Register_Args Type_Register;
  XLA_FFI_InvokeContext_Get_Args InvokeContext_Get;
  XLA_FFI_State_Args State;
  XLA_FFI_State_Args_V2 State_V2;
  XLA_FFI_State_Set_Args_V1 State_Set_V1;
  XLA_FFI_DeviceMemory_Allocate_Args DeviceMemory_Allocate;
  XLA_FFI_DeviceMemory_Free_Args DeviceMemory_Free;
  XLA_FFI_ThreadPool_Schedule_Args ThreadPool_Schedule;
  XLA_FFI_ThreadPool_NumThreads_Args ThreadPool_NumThreads;
  XLA_FFI_Future_Create_Args Future_Create;
  XLA_FFI_Future_Set_Args Future_Set;
  XLA_FFI_RunId_Get_Args RunId_Get;
  XLA_FFI_DeviceOrdinal_Get_Args DeviceOrdinal_Get;
  XLA_FFI_InvokeContext_FindExtension_Args InvokeContext_FindExtension;
  XLA_FFI_CustomOptions_Get_Args CustomOptions_Get;
  char bytes[160];
} api_args;

enum { STATE_TYPE = 400, DATA_TYPE = 401 };
static int state_deleted, task_ran;
static int64_t threads;
static float number = 5;

static void delete_state(void *object) {
  (void)object;
  state_deleted++;
}
static void run_task(void *data) { (*(int *)data)++; }
static XLA_FFI_Error *registered_later(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, 2);
  return NULL;
}

static XLA_FFI_Error *create_error(const XLA_FFI_Api *api) {
  XLA_FFI_Error_Create_Args args = {.struct_size = 28, .message = "made", .errc = 9};
  return api->XLA_FFI_Error_Create(&args);
}
static XLA_FFI_Future *create_future(const XLA_FFI_Api *api) {
  XLA_FFI_Future_Create_Args args = {.struct_size = 16};
  assert_null(api->XLA_FFI_Future_Create(&args));
  return args.future;
}

// What the probes of one function need: good arguments for a version, what they own being made anew, and what a success leaves.
static void fill_Error_Create(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)frame, (void)minor;
  args->Error_Create.message = "text";
  args->Error_Create.errc = 9;
}
static void fill_Error_GetDetails(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  args->Error_GetDetails.error = create_error(frame->api);
}
static void fill_Error_Destroy(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  args->Error_Destroy.error = create_error(frame->api);
}
static void fill_Handler_Register(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)frame, (void)minor;
  args->Handler_Register.name = args->Handler_Register.platform = (XLA_FFI_ByteSpan){"later", 5};
  args->Handler_Register.execute = registered_later;
}
static void fill_Stream_Get(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  args->Stream_Get.ctx = frame->ctx;
}
static void fill_Type_Register(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  static const XLA_FFI_TypeInfo info = {.struct_size = sizeof info, .deleter = delete_state};
  static XLA_FFI_TypeId id;
  static char names[8][16];
  (void)frame;
  id.type_id = 0;
  snprintf(names[minor], sizeof names[minor], "type of 0.%d", minor);
  args->Type_Register.name = (XLA_FFI_ByteSpan){names[minor], strlen(names[minor])};
  args->Type_Register.type_id = &id;
  if (minor > 1) {
    args->Type_Register.type_info = &info;
  }
}
static XLA_FFI_TypeId data_type = {DATA_TYPE}, state_type = {STATE_TYPE};
static void fill_InvokeContext_Get(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  args->InvokeContext_Get.ctx = frame->ctx;
  args->InvokeContext_Get.type_id = &data_type;
}
static void fill_State_Set(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  if (minor >= 3) {
    args->State.ctx = frame->ctx;
    args->State.stage = frame->stage;
    args->State.type_id = &state_type;
    args->State.state = &number;
    return;
  }
  args->State_V2.ctx = frame->ctx;
  args->State_V2.type_id = &state_type;
  args->State_V2.state = &number;
  if (minor == 1) {
    args->State_Set_V1.deleter = delete_state;
  }
}
static void fill_State_Get(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  if (minor >= 3) {
    args->State.ctx = frame->ctx;
    args->State.stage = XLA_FFI_STAGE_INSTANTIATE;
    args->State.type_id = &state_type;
  } else {
    args->State_V2.ctx = frame->ctx;
    args->State_V2.type_id = &state_type;
  }
}
static void *memory;
static void fill_DeviceMemory_Allocate(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  args->DeviceMemory_Allocate.ctx = frame->ctx;
  args->DeviceMemory_Allocate.size = 100;
  args->DeviceMemory_Allocate.alignment = 8;
}
static void fill_DeviceMemory_Free(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  if (memory == NULL) {
    XLA_FFI_DeviceMemory_Allocate_Args make = {
        .struct_size = sizeof make, .ctx = frame->ctx, .size = 100, .alignment = 8};
    assert_null(frame->api->XLA_FFI_DeviceMemory_Allocate(&make));
    memory = make.data;
  }
  args->DeviceMemory_Free.ctx = frame->ctx;
  args->DeviceMemory_Free.size = 100;
  args->DeviceMemory_Free.data = memory;
}
static void fill_ThreadPool_Schedule(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  args->ThreadPool_Schedule.ctx = frame->ctx;
  args->ThreadPool_Schedule.task = run_task;
  args->ThreadPool_Schedule.data = &task_ran;
}
static void fill_ThreadPool_NumThreads(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  args->ThreadPool_NumThreads.ctx = frame->ctx;
  args->ThreadPool_NumThreads.num_threads = &threads;
}
static void fill_Future_Create(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)frame, (void)minor, (void)args;
}
static void fill_Future_SetAvailable(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  args->Future_Set.future = create_future(frame->api);
}
static void fill_Future_SetError(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  args->Future_Set.future = create_future(frame->api);
  args->Future_Set.error = create_error(frame->api);
}
static void fill_RunId_Get(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  args->RunId_Get.ctx = frame->ctx;
}
static void fill_DeviceOrdinal_Get(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  args->DeviceOrdinal_Get.ctx = frame->ctx;
}
static void fill_InvokeContext_FindExtension(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  args->InvokeContext_FindExtension.ctx = frame->ctx;
  args->InvokeContext_FindExtension.extension_type = 7;
  args->InvokeContext_FindExtension.extension = &number;
}
static void fill_CustomOptions_Get(const XLA_FFI_CallFrame *frame, int minor, api_args *args) {
  (void)minor;
  args->CustomOptions_Get.ctx = frame->ctx;
}

typedef struct api_size {
  const char *name;
  size_t slot;  // where the function is in the table
  int first, last;
  size_t said, real;
  void (*fill)(const XLA_FFI_CallFrame *frame, int minor, api_args *args);
} api_size;
static const api_size api_sizes[] = {
#define FFI_SIZE(function, first, last, said, real) \
  {#function, offsetof(XLA_FFI_Api, XLA_FFI_##function), first, last, said, real, fill_##function},
#include "tests/pjrt/ffi_struct_sizes.def"
};

static bool is(const api_size *probed, const char *name) { return strcmp(probed->name, name) == 0; }

// What a call that ended well has put into the struct, or left elsewhere.
static void check_answer(const api_size *probed, int minor, const api_args *args) {
  if (is(probed, "Error_GetDetails")) {
    assert_string_equal(args->Error_GetDetails.message, "made");
    assert_true(minor < 4 || args->Error_GetDetails.errc == 9);
  } else if (is(probed, "Error_Destroy") || is(probed, "Error_Create") || is(probed, "Handler_Register")) {
    return;
  } else if (is(probed, "Type_Register")) {
    void (*deleter)(void *) = mr_pjrt_ffi_deleter_of(args->Type_Register.type_id->type_id);
    assert_true(deleter == (minor > 1 ? delete_state : NULL));
  } else if (is(probed, "State_Get")) {
    assert_ptr_equal(minor >= 3 ? args->State.state : args->State_V2.state, &number);
  } else if (is(probed, "DeviceMemory_Allocate")) {
    assert_non_null(args->DeviceMemory_Allocate.data);
    mr_free(args->DeviceMemory_Allocate.data);
  } else if (is(probed, "DeviceMemory_Free")) {
    memory = NULL;
  } else if (is(probed, "Future_Create")) {
    mr_future_release((mr_future *)args->Future_Create.future);
  } else if (is(probed, "Future_SetAvailable") || is(probed, "Future_SetError")) {
    mr_status status = mr_pjrt_ffi_wait(args->Future_Set.future);
    assert_int_equal(mr_status_code(status), is(probed, "Future_SetError") ? MR_FAILED_PRECONDITION : 0);
    mr_status_free(status);
  } else if (is(probed, "RunId_Get")) {
    assert_int_not_equal(args->RunId_Get.run_id, 0);
  } else if (is(probed, "DeviceOrdinal_Get")) {
    assert_int_equal(args->DeviceOrdinal_Get.device_ordinal, 0);
  } else if (is(probed, "InvokeContext_FindExtension")) {
    assert_null(args->InvokeContext_FindExtension.extension);
  } else if (is(probed, "CustomOptions_Get")) {
    const XLA_FFI_Attrs *options = args->CustomOptions_Get.attrs;
    assert_true(options->struct_size == sizeof *options && options->size == 0);
  }
}

// What a refused call did not take.
static void drop_args(const api_size *probed, const api_args *args) {
  if (is(probed, "Error_GetDetails") || is(probed, "Error_Destroy")) {
    mr_status_free(mr_pjrt_ffi_status(args->Error_Destroy.error));
  } else if (is(probed, "Future_SetAvailable") || is(probed, "Future_SetError")) {
    mr_future_release((mr_future *)args->Future_Set.future);
    mr_status_free(mr_pjrt_ffi_status(is(probed, "Future_SetError") ? args->Future_Set.error : NULL));
  }
}

// ---- The probes -------------------------------------------------------------------------------------------------------------

// Calls with a struct of `room` bytes that says `said`; its content comes back in `args`. The answer's code.
BY_ONE_TYPE static mr_code call_guarded(const XLA_FFI_Api *api, const api_size *probed, api_args *args, size_t said,
                                        size_t room) {
  api_function function;
  memcpy(&function, (const char *)api + probed->slot, sizeof function);
  args->struct_size = said;
  guard block = guard_place(args, room);
  bool returns = !is(probed, "Error_GetDetails") && !is(probed, "Error_Destroy");
  mr_code code = 0;
  if (returns) {
    mr_status status = mr_pjrt_ffi_status(function(block.at));
    code = mr_status_code(status);
    mr_status_free(status);
  } else {
    function(block.at);  // returns nothing
  }
  memcpy(args, block.at, room);
  guard_end(&block);
  return code;
}

// Too short by any number of bytes: refused, or nothing happens. Then as the version has it. Then longer, as a newer one may.
static void probe(const XLA_FFI_CallFrame *frame, int minor, const api_size *probed) {
  for (size_t size = sizeof(size_t); size < probed->said; size++) {
    api_args args = {0};
    probed->fill(frame, minor, &args);
    api_args before = args;
    mr_code code = call_guarded(frame->api, probed, &args, size, size);
    bool optional = is(probed, "State_Set") && minor == 1 && size >= 40;    // the deleter
    optional = optional || (is(probed, "Handler_Register") && size >= 80);  // record and traits
    optional = optional || (is(probed, "Error_GetDetails") && size >= 32);  // the code
    if (!optional) {
      bool returns = !is(probed, "Error_GetDetails") && !is(probed, "Error_Destroy");
      assert_int_equal(code, returns ? MR_INVALID_ARGUMENT : 0);
      assert_memory_equal((char *)&args + sizeof(size_t), (char *)&before + sizeof(size_t), size - sizeof(size_t));
      drop_args(probed, &before);
    }
    if (optional && is(probed, "Error_GetDetails")) {
      drop_args(probed, &before);
    }
    if (optional && is(probed, "State_Set")) {
      frame->ctx->state[XLA_FFI_STAGE_INSTANTIATE]->object = NULL;
    }
  }
  const size_t more[] = {0, 8, 64};
  for (int i = 0; i < 3; i++) {
    api_args args = {0};
    probed->fill(frame, minor, &args);
    api_args before = args;
    mr_code code = call_guarded(frame->api, probed, &args, probed->said + more[i], probed->real + more[i]);
    mr_code wanted = is(probed, "Stream_Get")     ? MR_UNIMPLEMENTED
                     : is(probed, "Error_Create") ? MR_FAILED_PRECONDITION
                                                  : 0;
    if (is(probed, "State_Set") && i > 0) {
      wanted = MR_ALREADY_EXISTS;
    }
    if (code != wanted) {
      fail_msg("%s of 0.%d with %zu bytes: code %d", probed->name, minor, probed->said + more[i], (int)code);
    }
    if (code == 0) {
      check_answer(probed, minor, &args);
    }
    if (is(probed, "Error_GetDetails")) {
      drop_args(probed, &before);
    }
  }
}

static int probed_functions;
static void probe_all(const XLA_FFI_CallFrame *frame, int minor, bool state_set) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(api_sizes); i++) {
    const api_size *probed = &api_sizes[i];
    if (probed->first <= minor && minor <= probed->last && is(probed, "State_Set") == state_set) {
      probe(frame, minor, probed);
      probed_functions++;
    }
  }
}

#define HANDLERS(minor)                                                 \
  static XLA_FFI_Error *instantiate_##minor(XLA_FFI_CallFrame *frame) { \
    FFI_ANSWER(frame, minor);                                           \
    probe_all(frame, minor, true);                                      \
    return NULL;                                                        \
  }                                                                     \
  static XLA_FFI_Error *execute_##minor(XLA_FFI_CallFrame *frame) {     \
    FFI_ANSWER(frame, minor);                                           \
    assert_int_equal(frame->api->api_version.minor_version, minor);     \
    probe_all(frame, minor, false);                                     \
    return NULL;                                                        \
  }
HANDLERS(1)
HANDLERS(2)
HANDLERS(3)
HANDLERS(4)
HANDLERS(5)

static void run_version(const char *target, XLA_FFI_Handler *instantiate, XLA_FFI_Handler *execute) {
  static const float in[6] = {1, 2, 3, 4, 5, 6};
  float out[6];
  assert_null(mr_pjrt_ffi_add_handler(mr_str_of(target), XLA_FFI_STAGE_EXECUTE, execute));
  assert_null(mr_pjrt_ffi_add_handler(mr_str_of(target), XLA_FFI_STAGE_INSTANTIATE, instantiate));
  fixture f = make(target, false);
  mr_library_call *call;
  assert_null(mr_pjrt_ffi_make_call(f.op, &call));
  mr_pjrt_ffi_user_data data = {.type_id = DATA_TYPE, .data = &number};
  PJRT_ExecuteContext context = {.count = 1, .entries = &data};
  mr_call_context *outer = mr_call_context_enter(&context.base);
  assert_null(run_on(call, in, out, NULL));
  mr_call_context_enter(outer);
  state_deleted = 0;
  mr_library_call_destroy(call);
  assert_int_equal(state_deleted, 1);
  mr_module_release(f.module);
}

// A handler of each version finds the functions of its version: what it has for a struct, and nothing behind, is touched.
static void test_every_version(void **state) {
  (void)state;
  int64_t type = STATE_TYPE;
  assert_null(mr_pjrt_ffi_add_type(MR_STR("state"), delete_state, &type));
  run_version("v1", instantiate_1, execute_1);
  run_version("v2", instantiate_2, execute_2);
  run_version("v3", instantiate_3, execute_3);
  run_version("v4", instantiate_4, execute_4);
  run_version("v5", instantiate_5, execute_5);
  assert_int_equal(probed_functions, 5 * 18 + 2 + 1);
  assert_true(task_ran >= 5);
}

// ---- What handlers say --------------------------------------------------------------------------------------------------------

static XLA_FFI_Error *silent(XLA_FFI_CallFrame *frame) {
  (void)frame;
  return NULL;
}
static XLA_FFI_Error *older(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, 0);
  return NULL;
}
static XLA_FFI_Error *newer(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR + 1);
  return NULL;
}
static XLA_FFI_Error *failing(XLA_FFI_CallFrame *frame) { return create_error(frame->api); }
static void assert_refused(XLA_FFI_Handler *handler, mr_code code, const char *says) {
  mr_status status = mr_pjrt_ffi_add_handler(MR_STR("nobody"), XLA_FFI_STAGE_EXECUTE, handler);
  assert_int_equal(mr_status_code(status), code);
  assert_non_null(strstr(mr_status_message(status), says));
  assert_non_null(strstr(mr_status_message(status), "nobody"));
  mr_status_free(status);
  mr_pjrt_ffi_handlers handlers;
  assert_false(mr_pjrt_ffi_find(MR_STR("nobody"), &handlers));
}

// A handler whose version is not known to have our structs is not called.
static void test_unknown_versions(void **state) {
  (void)state;
  assert_refused(silent, MR_UNIMPLEMENTED, "0.0");
  assert_refused(older, MR_UNIMPLEMENTED, "0.0");
  assert_refused(newer, MR_UNIMPLEMENTED, "0.6");
  assert_refused(failing, MR_FAILED_PRECONDITION, "made");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_version),
      cmocka_unit_test(test_unknown_versions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
