// The walk's parts on executables, executions and host transfers.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tests/pjrt_walk/walk.h"

const char walk_add[] = "module @jit_add attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {\n"
                        "  func.func public @main(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) -> tensor<6xf32> {\n"
                        "    %0 = stablehlo.add %arg0, %arg1 : tensor<6xf32>\n"
                        "    return %0 : tensor<6xf32>\n"
                        "  }\n"
                        "}\n";
// What the host sends is doubled on the device; what the device has is sent.
static const char talking[] =
    "module @jit_talk attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {\n"
    "  func.func public @main(%x: tensor<6xf32>) -> tensor<6xf32> {\n"
    "    %t = stablehlo.create_token : !stablehlo.token\n"
    "    %s = \"stablehlo.send\"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>,\n"
    "      is_host_transfer = true} : (tensor<6xf32>, !stablehlo.token) -> !stablehlo.token\n"
    "    %r:2 = \"stablehlo.recv\"(%s) {channel_handle = #stablehlo.channel_handle<handle = 6, type = 3>,\n"
    "      is_host_transfer = true} : (!stablehlo.token) -> (tensor<6xf32>, !stablehlo.token)\n"
    "    %y = stablehlo.add %r#0, %r#0 : tensor<6xf32>\n"
    "    return %y : tensor<6xf32>\n"
    "  }\n"
    "}\n";

PJRT_Program walk_program(const char *text) {
  return (PJRT_Program){.struct_size = sizeof(PJRT_Program),
                        .code = (char *)text,
                        .code_size = strlen(text),
                        .format = "mlir",
                        .format_size = 4};
}

static void walk_serialization(PJRT_Executable *executable) {
  HOST_ARGS(serialize, Executable_Serialize, .executable = executable);
  WALK_OK(Executable_Serialize, &serialize);
  HOST_ARGS(read, Executable_DeserializeAndLoad, .client = world.client,
            .serialized_executable = serialize.serialized_bytes,
            .serialized_executable_size = serialize.serialized_bytes_size);
  WALK_OK(Executable_DeserializeAndLoad, &read);
  host_loaded_destroy(read.loaded_executable);
  serialize.serialized_executable_deleter(serialize.serialized_executable);
}

static void walk_optimized(PJRT_Executable *executable) {
  PJRT_Program optimized = {.struct_size = sizeof optimized};
  HOST_ARGS(print, Executable_OptimizedProgram, .executable = executable, .program = &optimized);
  WALK_OK(Executable_OptimizedProgram, &print);
  optimized.code = malloc(optimized.code_size);
  WALK_OK(Executable_OptimizedProgram, &print);
  optimized.code_size = 1;
  WALK_REFUSED(Executable_OptimizedProgram, &print, INVALID_ARGUMENT);
  free(optimized.code);
}

void walk_executables(void **state) {
  (void)state;
  PJRT_Program program = walk_program(walk_add);
  HOST_ARGS(compile, Client_Compile, .client = world.client, .program = &program);
  WALK_OK(Client_Compile, &compile);
  PJRT_LoadedExecutable *loaded = compile.executable;
  HOST_ARGS(get, LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  WALK_OK(LoadedExecutable_GetExecutable, &get);
  PJRT_Executable *executable = get.executable;
#define ASK(slot, ...)                               \
  do {                                               \
    HOST_ARGS(args, slot, .executable = executable); \
    WALK_OK(slot, &args);                            \
    __VA_ARGS__;                                     \
  } while (0)
  ASK(Executable_Name, assert_int_equal(args.executable_name_size, 7));
  ASK(Executable_NumReplicas, assert_int_equal(args.num_replicas, 1));
  ASK(Executable_NumPartitions, assert_int_equal(args.num_partitions, 1));
  ASK(Executable_NumOutputs, assert_int_equal(args.num_outputs, 1));
  ASK(Executable_SizeOfGeneratedCodeInBytes, assert_true(args.size_in_bytes > 0));
  ASK(Executable_GetCostAnalysis, assert_true(args.num_properties >= 3));
  ASK(Executable_OutputMemoryKinds, assert_int_equal(args.num_outputs, 1));
  ASK(Executable_ParameterMemoryKinds, assert_int_equal(args.num_parameters, 2));
  ASK(Executable_OutputElementTypes, assert_int_equal(args.output_types[0], PJRT_Buffer_Type_F32));
  ASK(Executable_OutputDimensions, assert_int_equal(args.dims[0], 6));
  ASK(Executable_GetCompiledMemoryStats, assert_int_equal(args.argument_size_in_bytes, 48));
  ASK(Executable_Fingerprint, assert_true(args.executable_fingerprint_size > 0));
  ASK(Executable_GetCompileOptions, args.serialized_compile_options_deleter(args.serialized_compile_options));
#undef ASK
  walk_optimized(executable);

#define ASK(slot)                                \
  do {                                           \
    HOST_ARGS(args, slot, .executable = loaded); \
    WALK_OK(slot, &args);                        \
  } while (0)
  ASK(LoadedExecutable_AddressableDevices);
  ASK(LoadedExecutable_AddressableDeviceLogicalIds);
  ASK(LoadedExecutable_Fingerprint);
  ASK(LoadedExecutable_IsDeleted);
#undef ASK
  HOST_ARGS(assignment, LoadedExecutable_GetDeviceAssignment, .executable = loaded);
  WALK_OK(LoadedExecutable_GetDeviceAssignment, &assignment);
  assignment.serialized_device_assignment_deleter(assignment.serialized_device_assignment);
  walk_serialization(executable);
  HOST_ARGS(load, Client_Load, .client = world.client, .executable = executable);
  WALK_OK(Client_Load, &load);
  HOST_ARGS(erase, LoadedExecutable_Delete, .executable = load.loaded_executable);
  WALK_OK(LoadedExecutable_Delete, &erase);
  WALK_OK(LoadedExecutable_Delete, &erase);
  HOST_ARGS(unload, LoadedExecutable_Destroy, .executable = load.loaded_executable);
  WALK_OK(LoadedExecutable_Destroy, &unload);
  unload.executable = loaded;
  WALK_OK(LoadedExecutable_Destroy, &unload);  // before the executable it came from
  unload.executable = NULL;
  WALK_OK(LoadedExecutable_Destroy, &unload);
  HOST_ARGS(gone, Executable_Destroy, .executable = executable);
  WALK_OK(Executable_Destroy, &gone);
}

typedef struct call {
  PJRT_Buffer *result, **outputs;
  PJRT_Buffer *arguments[2];
  PJRT_Buffer *const *list;
  PJRT_Event *done;
  PJRT_ExecuteOptions options;
  PJRT_LoadedExecutable_Execute_Args args;
} call;

static void call_init(call *c, PJRT_LoadedExecutable *loaded, PJRT_Buffer *x, size_t num_args) {
  *c = (call){.arguments = {x, x}, .options = {.struct_size = sizeof c->options}};
  c->outputs = &c->result;
  c->list = c->arguments;
  c->args = (PJRT_LoadedExecutable_Execute_Args){.struct_size = sizeof c->args,
                                                 .executable = loaded,
                                                 .options = &c->options,
                                                 .argument_lists = &c->list,
                                                 .num_devices = 1,
                                                 .num_args = num_args,
                                                 .output_lists = &c->outputs,
                                                 .device_complete_events = &c->done};
}

void walk_executions(void **state) {
  (void)state;
  PJRT_Buffer *x = host_put(world.client, world.device, walk_six, walk_dims, 1);
  HOST_ARGS(context, ExecuteContext_Create);
  WALK_OK(ExecuteContext_Create, &context);
  static const int64_t keep[] = {0};
  static int tasks[] = {0};
  static int64_t incarnations[] = {1};
  call c;
  call_init(&c, world.add, x, 2);
  c.options.launch_id = -7;
  c.options.non_donatable_input_indices = keep;
  c.options.num_non_donatable_input_indices = 1;
  c.options.context = context.context;
  c.options.call_location = "model.py:17";
  c.options.num_tasks = 1;
  c.options.task_ids = tasks;
  c.options.incarnation_ids = incarnations;
  WALK_OK(LoadedExecutable_Execute, &c.args);
  HOST_ARGS(gone, ExecuteContext_Destroy, .context = context.context);
  WALK_OK(ExecuteContext_Destroy, &gone);
  assert_int_equal(host_await(c.done, NULL), PJRT_Error_Code_OK);
  host_buffer_destroy(c.result);
  c.options = (PJRT_ExecuteOptions){.struct_size = sizeof c.options};
  c.args.execute_device = world.device;
  WALK_OK(LoadedExecutable_Execute, &c.args);
  assert_int_equal(host_await(c.done, NULL), PJRT_Error_Code_OK);
  host_buffer_destroy(c.result);

  c.args.execute_device = world.foreign;
  WALK_REFUSED(LoadedExecutable_Execute, &c.args, INVALID_ARGUMENT);
  c.args.execute_device = NULL;
  c.options.num_tasks = 2;
  WALK_REFUSED(LoadedExecutable_Execute, &c.args, INVALID_ARGUMENT);
  c.options.num_tasks = 0;
  c.options.num_send_ops = 1;
  WALK_REFUSED(LoadedExecutable_Execute, &c.args, INVALID_ARGUMENT);
  c.options.num_send_ops = 0;
  c.args.argument_lists = NULL;
  WALK_REFUSED(LoadedExecutable_Execute, &c.args, INVALID_ARGUMENT);
  c.args.argument_lists = &c.list;
  c.args.num_devices = 2;
  WALK_REFUSED(LoadedExecutable_Execute, &c.args, INVALID_ARGUMENT);
  c.args.num_devices = 1;
  c.options.struct_size = 24;
  WALK_REFUSED(LoadedExecutable_Execute, &c.args, INVALID_ARGUMENT);
  host_buffer_destroy(x);
}

// ---- Host transfers -----------------------------------------------------------------------------------------------------------

typedef struct talk {
  float sent[6];
  bool refuse_send, give_up;
  PJRT_CopyToDeviceStream *stream;
  pthread_t feeder;
} talk;

static PJRT_Error *take_sent(PJRT_Chunk *chunk, PJRT_CallbackError *callback_error, size_t total_size, bool done,
                             void *user) {
  talk *t = user;
  assert_int_equal(total_size, sizeof t->sent);
  assert_true(done);
  assert_int_equal(chunk->size, sizeof t->sent);
  memcpy(t->sent, chunk->data, sizeof t->sent);
  chunk->deleter(chunk->data, chunk->deleter_arg);
  return t->refuse_send ? (*callback_error)(PJRT_Error_Code_UNAVAILABLE, "not now", 7) : NULL;
}

static void count_deleted(void *data, void *arg) {
  (void)data;
  *(int *)arg += 1;
}

static PJRT_Error_Code add_chunk(PJRT_CopyToDeviceStream *stream, const float *data, size_t size) {
  int deleted = 0;
  PJRT_Chunk chunk = {.data = (void *)data, .size = size, .deleter = count_deleted, .deleter_arg = &deleted};
  HOST_ARGS(args, CopyToDeviceStream_AddChunk, .stream = stream, .chunk = &chunk);
  // Each call takes the chunk, a refused one too.
  host_ok((deleted = 0, walk_good(SLOT_CopyToDeviceStream_AddChunk, &args)), "CopyToDeviceStream_AddChunk");
  assert_int_equal(deleted, 1);
  return host_await(args.transfer_complete, NULL);
}

// From a thread of its own, some time after the program has asked.
static void *feed(void *user) {
  talk *t = user;
  HOST_ARGS(total, CopyToDeviceStream_TotalBytes, .stream = t->stream);
  WALK_OK(CopyToDeviceStream_TotalBytes, &total);
  assert_int_equal(total.total_bytes, 24);
  HOST_ARGS(granule, CopyToDeviceStream_GranuleSize, .stream = t->stream);
  WALK_OK(CopyToDeviceStream_GranuleSize, &granule);
  assert_int_equal(granule.granule_size_in_bytes, 4);
  assert_int_equal(add_chunk(t->stream, walk_six, 3), PJRT_Error_Code_INVALID_ARGUMENT);   // no granule
  assert_int_equal(add_chunk(t->stream, walk_six, 28), PJRT_Error_Code_INVALID_ARGUMENT);  // too many
  assert_int_equal(add_chunk(t->stream, walk_six, 8), PJRT_Error_Code_OK);
  HOST_ARGS(current, CopyToDeviceStream_CurrentBytes, .stream = t->stream);
  WALK_OK(CopyToDeviceStream_CurrentBytes, &current);
  assert_int_equal(current.current_bytes, 8);
  if (!t->give_up) {
    assert_int_equal(add_chunk(t->stream, walk_six + 2, 16), PJRT_Error_Code_OK);
    assert_int_equal(add_chunk(t->stream, walk_six, 4), PJRT_Error_Code_INVALID_ARGUMENT);  // full
  }
  HOST_ARGS(gone, CopyToDeviceStream_Destroy, .stream = t->stream);
  WALK_OK(CopyToDeviceStream_Destroy, &gone);
  return NULL;
}

static void want(PJRT_CopyToDeviceStream *stream, void *user) {
  talk *t = user;
  t->stream = stream;
  assert_int_equal(pthread_create(&t->feeder, NULL, feed, t), 0);
}

static PJRT_Error_Code run_talk(PJRT_LoadedExecutable *loaded, PJRT_Buffer *x, talk *t, float *out) {
  PJRT_SendCallbackInfo send = {.channel_id = 5, .user_arg = t, .send_callback = take_sent}, *sends = &send;
  PJRT_RecvCallbackInfo recv = {.channel_id = 6, .user_arg = t, .recv_callback = want}, *recvs = &recv;
  call c;
  call_init(&c, loaded, x, 1);
  c.options.send_callbacks = &sends;
  c.options.recv_callbacks = &recvs;
  c.options.num_send_ops = c.options.num_recv_ops = 1;
  WALK_OK(LoadedExecutable_Execute, &c.args);
  PJRT_Error_Code code = host_await(c.done, NULL);
  if (!t->refuse_send) {
    pthread_join(t->feeder, NULL);
  }
  if (code == PJRT_Error_Code_OK) {
    host_get(c.result, out, 6);
  } else {
    assert_int_equal(host_await_buffer(c.result, NULL), code);
  }
  host_buffer_destroy(c.result);
  return code;
}

// A program sends to its host and gets back what the host puts into the stream, in chunks; a callback that refuses and a
// stream that is destroyed early fail it.
void walk_host_transfers(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded = host_compile(world.client, talking);
  PJRT_Buffer *x = host_put(world.client, world.device, walk_six, walk_dims, 1);
  float got[6];
  talk t = {0};
  assert_int_equal(run_talk(loaded, x, &t, got), PJRT_Error_Code_OK);
  assert_memory_equal(t.sent, walk_six, sizeof t.sent);
  for (int i = 0; i < 6; i++) {
    assert_true(got[i] == 2 * walk_six[i]);
  }
  assert_int_equal(run_talk(loaded, x, &(talk){.give_up = true}, got), PJRT_Error_Code_CANCELLED);
  assert_int_equal(run_talk(loaded, x, &(talk){.refuse_send = true}, got), PJRT_Error_Code_UNAVAILABLE);
  call c;
  call_init(&c, loaded, x, 1);  // no callbacks for the program's channels
  c.options.call_location = "train.py:31";
  WALK_OK(LoadedExecutable_Execute, &c.args);
  const char *message;
  assert_int_equal(host_await(c.done, &message), PJRT_Error_Code_FAILED_PRECONDITION);
  assert_non_null(strstr(message, "called from train.py:31"));
  assert_non_null(strstr(message, "channel 5"));
  host_buffer_destroy(c.result);
  host_buffer_destroy(x);
  host_loaded_destroy(loaded);
}
