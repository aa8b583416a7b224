// Memory that runs out where no single call of the table can answer for it: in calls of FFI handlers and of a host's
// callbacks while a program runs, in transfers between processes, in the readers and writers of messages.
#include <string.h>

#include "pjrt/calls/launch.h"
#include "pjrt/cross_host/cross_host.h"
#include "pjrt/ext/extensions.h"
#include "pjrt/proto/options.h"
#include "pjrt/proto/xspace.h"
#include "tests/alloc_loop.h"
#include "tests/compiler/execute_harness.h"
#include "tests/pjrt/ffi_answer.h"

// ---- Programs that call -----------------------------------------------------------------------------------------------------

// Takes memory and gives it back.
static XLA_FFI_Error *take(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  XLA_FFI_DeviceMemory_Allocate_Args args = {
      .struct_size = sizeof args, .ctx = frame->ctx, .size = 100, .alignment = 8};
  XLA_FFI_Error *error = frame->api->XLA_FFI_DeviceMemory_Allocate(&args);
  if (error) {
    return error;
  }
  XLA_FFI_DeviceMemory_Free_Args give = {
      .struct_size = sizeof give, .ctx = frame->ctx, .size = args.size, .data = args.data};
  memset(args.data, 1, args.size);
  memset(((const XLA_FFI_Buffer *)frame->rets.args[0])->data, 0, 6 * sizeof(float));
  return frame->api->XLA_FFI_DeviceMemory_Free(&give);
}

static XLA_FFI_Error *refuse(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  XLA_FFI_Error_Create_Args args = {.struct_size = 28, .message = "not today", .errc = MR_ABORTED};
  return frame->api->XLA_FFI_Error_Create(&args);
}

static const char ffi_program[] =
    "func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
    "  %0 = stablehlo.custom_call @take(%x) {api_version = 4 : i32, backend_config = {whole = 1 : i32, half = 0.5 : "
    "f64,"
    " some = array<i64: 1, 2>, dense = dense<[1.0, 2.0]> : tensor<2xf32>, text = \"t\", inner = {one = 1 : i64}}, "
    "operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : "
    "(tensor<2x3xf32>) -> tensor<2x3xf32>\n"
    "  return %0 : tensor<2x3xf32>\n}\n";
static const char refused_program[] =
    "func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
    "  %0 = stablehlo.custom_call @refuse(%x) {api_version = 4 : i32, backend_config = {}} : (tensor<2x3xf32>) -> "
    "tensor<2x3xf32>\n"
    "  return %0 : tensor<2x3xf32>\n}\n";
// Sends its argument and gives back what it receives.
static const char host_program[] =
    "func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
    "  %t = stablehlo.create_token : !stablehlo.token\n"
    "  %s = \"stablehlo.send\"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, "
    "is_host_transfer = true} : (tensor<2x3xf32>, !stablehlo.token) -> !stablehlo.token\n"
    "  %r, %u = \"stablehlo.recv\"(%s) {channel_handle = #stablehlo.channel_handle<handle = 6, type = 3>, "
    "is_host_transfer = true} : (!stablehlo.token) -> (tensor<2x3xf32>, !stablehlo.token)\n"
    "  return %r : tensor<2x3xf32>\n}\n";

static const int64_t dims[] = {2, 3};
static const float six[] = {1, 2, 3, 4, 5, 6};

static mr_status put_six(mr_memory *to, mr_buffer **out_buffer) {
  mr_host_array host = {.data = six, .dtype = MR_F32, .dims = dims, .rank = 2};
  return mr_buffer_from_host(to, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, out_buffer);
}

static PJRT_Error *take_sent(PJRT_Chunk *chunk, PJRT_CallbackError *error, size_t size, bool done, void *user_arg) {
  (void)error, (void)size, (void)done, (void)user_arg;
  chunk->deleter(chunk->data, chunk->deleter_arg);
  return NULL;
}

static void fill(PJRT_CopyToDeviceStream *stream, void *user_arg) {
  (void)user_arg;
  PJRT_Chunk chunk = {.data = (void *)six, .size = sizeof six};
  PJRT_CopyToDeviceStream_AddChunk_Args add = {.struct_size = sizeof add, .stream = stream, .chunk = &chunk};
  assert_null(mr_pjrt_CopyToDeviceStream_AddChunk(&add));
  PJRT_Event_Destroy_Args drop = {.struct_size = sizeof drop, .event = add.transfer_complete};
  assert_null(mr_pjrt_Event_Destroy(&drop));
  PJRT_CopyToDeviceStream_Destroy_Args gone = {.struct_size = sizeof gone, .stream = stream};
  assert_null(mr_pjrt_CopyToDeviceStream_Destroy(&gone));
}

static mr_status finish(mr_future *done, mr_buffer *result) {
  mr_status status = MR_OK;
  if (done) {
    mr_future_wait(done);
    status = mr_status_retain(mr_future_status(done));
  }
  mr_future_release(done);
  mr_buffer_release(result);
  return status;
}

static mr_status launch(mr_executable *executable, mr_buffer *argument) {
  PJRT_SendCallbackInfo send = {.channel_id = 5, .send_callback = take_sent}, *sends = &send;
  PJRT_RecvCallbackInfo recv = {.channel_id = 6, .recv_callback = fill}, *recvs = &recv;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options,
                                 .send_callbacks = &sends,
                                 .recv_callbacks = &recvs,
                                 .num_send_ops = 1,
                                 .num_recv_ops = 1};
  mr_pjrt_launch *made;
  mr_buffer *result = NULL;
  mr_future *done = NULL;
  MR_TRY(mr_pjrt_launch_create(&options, 0, device, &made));
  mr_execute_options execute = {.context = &made->context.base};
  mr_status status = mr_execute(executable, device, &execute, &argument, 1, &result, &done);
  mr_pjrt_launch_release(made);
  return status ? status : finish(done, result);
}

static mr_status compile_and_run(void *context) {
  const char *text = context;
  mr_executable *executable = NULL;
  mr_buffer *argument = NULL;
  mr_status status = mr_compile((mr_span){text, strlen(text)}, NULL, &executable);
  status = status ? status : put_six(memory, &argument);
  status = status ? status : launch(executable, argument);
  mr_buffer_release(argument);
  mr_executable_release(executable);
  if (mr_status_code(status) == MR_ABORTED && text == refused_program) {
    mr_status_free(status);
    return MR_OK;
  }
  return status;
}

static void test_calls(void **state) {
  (void)state;
  alloc_loop("an FFI call", compile_and_run, (void *)ffi_program, 200000);
  alloc_loop("an FFI call that is refused", compile_and_run, (void *)refused_program, 50000);
  alloc_loop("host transfers", compile_and_run, (void *)host_program, 200000);
  alloc_loops_ended_well();
}

static void call_with(int operands) {
  mr_text text = {0};
  mr_text_put(&text,
              "func.func @main(%%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n  %%0 = stablehlo.custom_call @take(%%x");
  for (int i = 1; i < operands; i++) {
    mr_text_put(&text, ", %%x");
  }
  mr_text_put(&text, ") {api_version = 4 : i32, backend_config = {}} : (tensor<2x3xf32>");
  for (int i = 1; i < operands; i++) {
    mr_text_put(&text, ", tensor<2x3xf32>");
  }
  mr_text_put(&text, ") -> tensor<2x3xf32>\n  return %%0 : tensor<2x3xf32>\n}\n%c", 0);
  alloc_loop("a wide FFI call", compile_and_run, text.data, 50000);
  mr_text_deinit(&text);
}

// As many operands as no list on the stack has room for.
static void test_wide_call(void **state) {
  (void)state;
  call_with(70);
  call_with(1100);
  alloc_loops_ended_well();
}

// ---- Between processes ------------------------------------------------------------------------------------------------------

typedef struct verdict {
  mr_future *heard;  // with a reference for the call
  bool sent;
} verdict;

static void note(void *context, mr_status status, bool sent) {
  verdict *v = context;
  v->sent = sent;
  mr_future *heard = v->heard;  // who waits for it takes `v` along
  mr_future_set(heard, mr_status_retain(status));
  mr_future_release(heard);
}

static mr_status send_to(mr_pjrt_transfers *transfers, mr_buffer *content, char *descriptor) {
  verdict v = {0};
  size_t size = strlen(descriptor);
  mr_pjrt_send_target target = {.process = MR_PJRT_ANY_PROCESS, .descriptor = &descriptor, .descriptor_size = &size};
  MR_TRY(mr_future_create(&v.heard));
  mr_future_retain(v.heard);
  mr_status status = mr_pjrt_transfers_send(transfers, content, target, note, &v);
  if (!status) {
    mr_future_wait(v.heard);
    status = mr_status_retain(mr_future_status(v.heard));
    assert_true(v.sent == !status);
  } else {
    mr_future_set(v.heard, MR_OK);
    mr_future_release(v.heard);
  }
  mr_future_release(v.heard);
  return status;
}

// Whoever waits is told: by the content, or by who could not send it. Both ends lie where the host addresses them.
static mr_status receive(mr_pjrt_transfers *transfers, mr_buffer *content) {
  char descriptor[MR_PJRT_DESCRIPTOR_SIZE];
  mr_pjrt_receive_shape shape = {MR_F32, dims, 2};
  mr_buffer *target = NULL;
  MR_TRY(mr_pjrt_transfers_receive(transfers, mr_memory_on_host(memory), &shape, 1, descriptor, &target));
  mr_status status = send_to(transfers, content, descriptor);
  if (status) {
    // NOT_FOUND: the receiver knows.
    mr_status_free(mr_pjrt_transfers_cancel(mr_str_of(descriptor), mr_status_retain(status)));
  }
  mr_future_wait(mr_buffer_ready(target));
  assert_true(status || mr_future_status(mr_buffer_ready(target)) == MR_OK);
  mr_buffer_release(target);
  return status;
}

// A process that is lost, and one that waits for it then.
static mr_status lose(mr_pjrt_transfers *transfers) {
  char descriptor[MR_PJRT_DESCRIPTOR_SIZE];
  mr_pjrt_receive_shape shape = {MR_F32, dims, 2};
  mr_buffer *target = NULL;
  mr_status why = mr_error(MR_ABORTED, "it is gone"), status = mr_pjrt_transfers_lose(transfers, 1, why);
  mr_status_free(why);
  MR_TRY(status);
  status = mr_pjrt_transfers_receive(transfers, mr_memory_on_host(memory), &shape, 1, descriptor, &target);
  assert_null(target);
  mr_code code = mr_status_code(status);
  assert_true(code == MR_ABORTED || code == MR_RESOURCE_EXHAUSTED);
  mr_pjrt_transfers_regain(transfers, 1);
  if (code == MR_ABORTED) {
    mr_status_free(status);
    return MR_OK;
  }
  return status;
}

static mr_status transfer(void *context) {
  (void)context;
  mr_pjrt_transfers *transfers = NULL;
  mr_buffer *content = NULL;
  mr_status status = mr_pjrt_transfers_create(&transfers);
  status = status ? status : put_six(mr_memory_on_host(memory), &content);
  status = status ? status : receive(transfers, content);
  status = status ? status : lose(transfers);
  mr_buffer_release(content);
  mr_pjrt_transfers_destroy(transfers);
  return status;
}

static void test_transfers(void **state) {
  (void)state;
  mr_alloc_spare_errors(true);  // codes are looked at
  alloc_loop("a transfer between processes", transfer, NULL, 200000);
  mr_alloc_spare_errors(false);
  alloc_loops_ended_well();
}

// ---- Messages ---------------------------------------------------------------------------------------------------------------

// One replica, two partitions on devices 1 and 0, a list of outputs, two overrides.
static const unsigned char options_bytes[] = {
    0x1A, 0x18, 0x20, 0x01, 0x28, 0x02, 0x4A, 0x0C, 0x08, 0x01, 0x10, 0x02, 0x1A, 0x02, 0x08, 0x01, 0x1A, 0x02, 0x08,
    0x00, 0x60, 0x01, 0x30, 0x01, 0x60, 0x00, 0x3A, 0x09, 0x0A, 0x01, 'b',  0x12, 0x04, 0x0A, 0x02, 'x',  'y'};

static mr_status parse_options(void *context) {
  (void)context;
  mr_pjrt_options options;
  MR_TRY(mr_pjrt_options_parse(options_bytes, sizeof options_bytes, &options));
  assert_int_equal(options.device_ids[0], 1);
  assert_true(mr_str_is(options.overrides[0].string, "xy"));
  mr_pjrt_options_deinit(&options);
  return MR_OK;
}

static mr_status record(void *context) {
  (void)context;
  mr_trace_session session;
  char *bytes = NULL, name[32];
  size_t size = 0;
  mr_trace_session_start(&session);
  for (int i = 0; i < 300; i++) {
    snprintf(name, sizeof name, "span %d", i);
    mr_trace_end(MR_TRACE_NODE, name, mr_trace_begin());
  }
  mr_trace_session_stop(&session);
  mr_status status =
      mr_pjrt_xspace_serialize(&session, &(mr_pjrt_xspace_options){.devices = true, .host_level = 2}, &bytes, &size);
  mr_trace_session_close(&session);
  assert_true((status == MR_OK) == (bytes != NULL));
  mr_free(bytes);
  return status;
}

static mr_status stop_profiler(const PLUGIN_Profiler_Api *api, PLUGIN_Profiler *profiler) {
  PLUGIN_Profiler_Handle_Args handle = {.struct_size = sizeof handle, .profiler = profiler};
  PLUGIN_Profiler_CollectData_Args data = {.struct_size = sizeof data, .profiler = profiler};
  mr_status status = (mr_status)api->start(&handle);
  status = status ? status : (mr_status)api->stop(&handle);
  status = status ? status : (mr_status)api->collect_data(&data);
  assert_true((status == MR_OK) == (data.buffer != NULL));
  return mr_status_join(status, (mr_status)api->destroy(&handle));
}

// The extension's errors are statuses.
static mr_status profile(void *context) {
  (void)context;
  const PLUGIN_Profiler_Api *api = mr_pjrt_ext_profiler.profiler_api;
  PLUGIN_Profiler_Create_Args create = {.struct_size = sizeof create};
  MR_TRY((mr_status)api->create(&create));
  return stop_profiler(api, create.profiler);
}

static mr_status write_assignment(void *context) {
  (void)context;
  char *bytes = NULL;
  size_t size;
  mr_status status = mr_pjrt_assignment_serialize((const int64_t[]){0, 1, 2, 3}, 2, 2, &bytes, &size);
  assert_true((status == MR_OK) == (bytes != NULL));
  mr_free(bytes);
  return status;
}

static mr_status launch_with_outputs(void *context) {
  (void)context;
  PJRT_HloOutputCallbackInfo output = {.callback_id = 1};
  PJRT_ExecuteOptions options = {.struct_size = sizeof options,
                                 .call_location = "here",
                                 .hlo_output_callbacks = &output,
                                 .num_hlo_output_callbacks = 1};
  mr_pjrt_launch *made;
  MR_TRY(mr_pjrt_launch_create(&options, 0, device, &made));
  mr_pjrt_launch_release(made);
  return MR_OK;
}

// An error without memory for its handle has the one that is always there.
static mr_status make_error(void *context) {
  (void)context;
  PJRT_Error *error = mr_pjrt_error(mr_error(MR_RESOURCE_EXHAUSTED, "some text that has to be kept"));
  assert_non_null(error);
  PJRT_Error_GetCode_Args code = {.struct_size = sizeof code, .error = error};
  assert_null(mr_pjrt_Error_GetCode(&code));
  assert_int_equal(code.code, PJRT_Error_Code_RESOURCE_EXHAUSTED);
  PJRT_Error_Destroy_Args destroy = {.struct_size = sizeof destroy, .error = error};
  mr_pjrt_Error_Destroy(&destroy);
  return MR_OK;
}

static mr_status note_payload(void *context) {
  (void)context;
  mr_status status = mr_error(MR_RESOURCE_EXHAUSTED, "some text that has to be kept");
  status = mr_status_with_payload(status, MR_STR("key"), MR_STR("value"));
  mr_status_free(status);
  return MR_OK;
}

static void test_messages(void **state) {
  (void)state;
  alloc_loop("compile options", parse_options, NULL, 50000);
  alloc_loop("a recorded stretch of time", record, NULL, 500000);
  alloc_loop("a profile", profile, NULL, 50000);
  alloc_loop("a device assignment", write_assignment, NULL, 10000);
  alloc_loop("callbacks for outputs", launch_with_outputs, NULL, 10000);
  alloc_loop("an error", make_error, NULL, 10000);
  alloc_loop("an error's payload", note_payload, NULL, 10000);
  alloc_loops_ended_well();
}

int main(void) {
  mr_set_custom_call_maker(mr_pjrt_make_call);
  assert_null(mr_pjrt_ffi_add_handler(MR_STR("take"), XLA_FFI_STAGE_EXECUTE, take));
  assert_null(mr_pjrt_ffi_add_handler(MR_STR("refuse"), XLA_FFI_STAGE_EXECUTE, refuse));
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls), cmocka_unit_test(test_wide_call),
                                     cmocka_unit_test(test_transfers), cmocka_unit_test(test_messages)};
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
