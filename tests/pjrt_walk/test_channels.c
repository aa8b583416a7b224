// Channels between a program and its host: several arrays on one channel, the transfers of HLO, and the values that a host
// sees by their tags.
#include <stdio.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_client.h"

static const float six[6] = {1, 2, 3, 4, 5, 6};
static const int64_t dims_6[1] = {6};

// What the host got, and the streams it is to fill.
typedef struct talk {
  char got[2][32];
  size_t sizes[2];
  size_t sent, asked, expected;
  PJRT_CopyToDeviceStream *streams[2];
} talk;

static PJRT_Error *take_sent(PJRT_Chunk *chunk, PJRT_CallbackError *callback_error, size_t total_size, bool done,
                             void *user) {
  (void)callback_error;
  talk *t = user;
  assert_true(done && t->sent < 2 && chunk->size == total_size && total_size <= sizeof t->got[0]);
  memcpy(t->got[t->sent], chunk->data, chunk->size);
  t->sizes[t->sent++] = chunk->size;
  chunk->deleter(chunk->data, chunk->deleter_arg);
  return NULL;
}

static void fill(PJRT_CopyToDeviceStream *stream, const void *data, size_t size) {
  HOST_ARGS(total, CopyToDeviceStream_TotalBytes, .stream = stream);
  HOST_OK(CopyToDeviceStream_TotalBytes, &total);
  assert_int_equal(total.total_bytes, size);
  PJRT_Chunk chunk = {.data = (void *)data, .size = size};
  HOST_ARGS(add, CopyToDeviceStream_AddChunk, .stream = stream, .chunk = &chunk);
  HOST_OK(CopyToDeviceStream_AddChunk, &add);
  assert_int_equal(host_await(add.transfer_complete, NULL), PJRT_Error_Code_OK);
  HOST_ARGS(gone, CopyToDeviceStream_Destroy, .stream = stream);
  HOST_OK(CopyToDeviceStream_Destroy, &gone);
}

// Once all streams are there, the last is filled first: with tens, or the numbers 7 and 8.
static void want(PJRT_CopyToDeviceStream *stream, void *user) {
  static const float tens[6] = {10, 20, 30, 40, 50, 60};
  static const int32_t pair[2] = {7, 8};
  talk *t = user;
  t->streams[t->asked++] = stream;
  if (t->asked == t->expected) {
    if (t->expected == 2) {
      fill(t->streams[1], pair, sizeof pair);
    }
    fill(t->streams[0], tens, sizeof tens);
  }
}

static PJRT_LoadedExecutable *compile(const char *code, size_t size, const char *format) {
  const PJRT_Program program = {.struct_size = sizeof program,
                                .code = (char *)code,
                                .code_size = size,
                                .format = format,
                                .format_size = strlen(format)};
  HOST_ARGS(args, Client_Compile, .client = client, .program = &program);
  HOST_OK(Client_Compile, &args);
  return args.executable;
}

static size_t read_hlo_only(const char *name, char *out, size_t room) {
  char path[200];
  snprintf(path, sizeof path, "tests/compiler/hlo_only/%s.pb", name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t size = fread(out, 1, room, file);
  fclose(file);
  assert_true(size > 100 && size < room);
  return size;
}

// With x = `six`.
static PJRT_Error_Code execute(PJRT_LoadedExecutable *loaded, PJRT_ExecuteOptions *options, PJRT_Buffer **out_results) {
  PJRT_Buffer *x = host_put(client, device, six, dims_6, 1), *const *list = &x;
  PJRT_Event *done = NULL;
  HOST_ARGS(args, LoadedExecutable_Execute, .executable = loaded, .options = options, .argument_lists = &list,
            .num_devices = 1, .num_args = 1, .output_lists = &out_results, .device_complete_events = &done);
  // What fails before Execute returns is its own answer.
  PJRT_Error *error = host_api()->PJRT_LoadedExecutable_Execute(&args);
  PJRT_Error_Code code = error ? host_take_error(error, NULL) : host_await(done, NULL);
  host_buffer_destroy(x);
  return code;
}

// One run with x = `six` that sends on channel 5 and receives on channel 6.
static void run(PJRT_LoadedExecutable *loaded, talk *t, PJRT_Buffer **out_results) {
  PJRT_SendCallbackInfo send = {.channel_id = 5, .user_arg = t, .send_callback = take_sent}, *sends = &send;
  PJRT_RecvCallbackInfo recv = {.channel_id = 6, .user_arg = t, .recv_callback = want}, *recvs = &recv;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options,
                                 .send_callbacks = &sends,
                                 .recv_callbacks = &recvs,
                                 .num_send_ops = 1,
                                 .num_recv_ops = 1};
  assert_int_equal(execute(loaded, &options, out_results), PJRT_Error_Code_OK);
}

static void expect_floats(PJRT_Buffer *take_buffer, const float *wanted) {
  float found[6];
  host_get(take_buffer, found, 6);
  for (int i = 0; i < 6; i++) {
    assert_true(found[i] == wanted[i]);
  }
  host_buffer_destroy(take_buffer);
}

// Arrays on one channel are transfers of their own, in the program's order: of another type and size each, and the host may
// fill what it is asked for in any order.
static void test_several_arrays(void **state) {
  (void)state;
  static const char text[] =
      "func.func @main(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {\n"
      "  %t = stablehlo.create_token : !stablehlo.token\n"
      "  %n = stablehlo.constant dense<[3, 4]> : tensor<2xi32>\n"
      "  %s = \"stablehlo.send\"(%x, %n, %t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>,\n"
      "    is_host_transfer = true} : (tensor<6xf32>, tensor<2xi32>, !stablehlo.token) -> !stablehlo.token\n"
      "  %r:3 = \"stablehlo.recv\"(%s) {channel_handle = #stablehlo.channel_handle<handle = 6, type = 3>,\n"
      "    is_host_transfer = true} : (!stablehlo.token) -> (tensor<6xf32>, tensor<2xi32>, !stablehlo.token)\n"
      "  %y = stablehlo.add %r#0, %x : tensor<6xf32>\n"
      "  %c = stablehlo.convert %r#1 : (tensor<2xi32>) -> tensor<2xf32>\n"
      "  %b = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2xf32>) -> tensor<3x2xf32>\n"
      "  %z = stablehlo.reshape %b : (tensor<3x2xf32>) -> tensor<6xf32>\n"
      "  return %y, %z : tensor<6xf32>, tensor<6xf32>\n}\n";
  PJRT_LoadedExecutable *loaded = compile(text, sizeof text - 1, "mlir");
  talk t = {.expected = 2};
  PJRT_Buffer *results[2];
  run(loaded, &t, results);
  assert_int_equal(t.sent, 2);
  assert_int_equal(t.sizes[0], sizeof six);
  assert_memory_equal(t.got[0], six, sizeof six);
  assert_int_equal(t.sizes[1], 8);
  assert_memory_equal(t.got[1], ((const int32_t[]){3, 4}), 8);
  assert_int_equal(t.asked, 2);
  expect_floats(results[0], (const float[]){11, 22, 33, 44, 55, 66});
  expect_floats(results[1], (const float[]){7, 8, 7, 8, 7, 8});
  host_loaded_destroy(loaded);
}

// HLO's send, send-done, recv and recv-done reach the callbacks of the execution.
static void test_hlo_transfers(void **state) {
  (void)state;
  char bytes[8192];
  PJRT_LoadedExecutable *loaded = compile(bytes, read_hlo_only("host_transfers", bytes, sizeof bytes), "hlo");
  talk t = {.expected = 1};
  PJRT_Buffer *result;
  run(loaded, &t, &result);
  assert_int_equal(t.sent, 1);
  assert_memory_equal(t.got[0], six, sizeof six);
  expect_floats(result, (const float[]){10, 20, 30, 40, 50, 60});
  host_loaded_destroy(loaded);
}

typedef struct seen {
  float twos[6];
  int32_t count[2];
  int calls;
} seen;

static void see(int64_t replica, int64_t partition, const void *data, const int64_t *dims, size_t num_dims,
                PJRT_Buffer_Type type, int64_t operand_index, void *user_arg) {
  seen *s = user_arg;
  bool floats = type == PJRT_Buffer_Type_F32;
  assert_true(replica == 0 && partition == 0 && operand_index == 0 && num_dims == 1);
  assert_int_equal(dims[0], floats ? 6 : 2);
  memcpy(floats ? (void *)s->twos : (void *)s->count, data, floats ? sizeof s->twos : sizeof s->count);
  s->calls++;
}

// A host sees the values of instructions with the tags it asks for; other runs of the program are as always.
static void test_output_callbacks(void **state) {
  (void)state;
  char bytes[8192];
  PJRT_LoadedExecutable *loaded = compile(bytes, read_hlo_only("tags", bytes, sizeof bytes), "hlo");
  seen s = {0};
  PJRT_HloOutputCallbackInfo infos[] = {
      {.user_arg = &s, .callback = see, .callback_id = 7, .num_operands = 1},
      {.user_arg = &s, .callback = see, .callback_id = 8, .num_operands = 1},
      {.user_arg = &s, .callback = see, .callback_id = 9, .num_operands = 1},
  };
  static const float wanted[] = {2, 8, 18, 32, 50, 72}, twos[] = {2, 4, 6, 8, 10, 12};
  for (size_t count = 0; count <= 3; count += 3) {
    PJRT_ExecuteOptions options = {
        .struct_size = sizeof options, .hlo_output_callbacks = infos, .num_hlo_output_callbacks = count};
    PJRT_Buffer *result;
    assert_int_equal(execute(loaded, &options, &result), PJRT_Error_Code_OK);
    expect_floats(result, wanted);
    assert_int_equal(s.calls, count ? 2 : 0);
  }
  assert_memory_equal(s.twos, twos, sizeof twos);
  assert_true(s.count[0] == 0 && s.count[1] == 1);
  infos[0].num_operands = 2;  // the instruction has one
  PJRT_ExecuteOptions options = {
      .struct_size = sizeof options, .hlo_output_callbacks = infos, .num_hlo_output_callbacks = 1};
  PJRT_Buffer *result = NULL;
  assert_int_equal(execute(loaded, &options, &result), PJRT_Error_Code_INVALID_ARGUMENT);
  if (result) {
    host_buffer_destroy(result);
  }
  host_loaded_destroy(loaded);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    host_set_library(argv[1]);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_several_arrays),
      cmocka_unit_test(test_hlo_transfers),
      cmocka_unit_test(test_output_callbacks),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
