// Executions that wait for their host and are not wanted any more: they end at once, and what the host then gives goes nowhere.
//
// The plugin is the one that is linked with the program, which cancels executions inside it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "devices/faulty/faulty.h"
#include "pjrt/objects/objects.h"
#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

static const float six[6] = {1, 2, 3, 4, 5, 6};
static const int64_t dims_6[1] = {6};

#define RECEIVE                                                                                          \
  "  %t = stablehlo.create_token : !stablehlo.token\n"                                                   \
  "  %r:2 = \"stablehlo.recv\"(%t) {channel_handle = #stablehlo.channel_handle<handle = 6, type = 3>,\n" \
  "    is_host_transfer = true} : (!stablehlo.token) -> (tensor<6xf32>, !stablehlo.token)\n"

static const char receiving[] = "func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {\n" RECEIVE
                                "  %y = stablehlo.add %x, %r#0 : tensor<6xf32>\n  return %y : tensor<6xf32>\n}\n";

// The sine has nothing to do with what is received.
static const char beside[] = "func.func @main(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {\n" RECEIVE
                             "  %y = stablehlo.sine %x : tensor<6xf32>\n"
                             "  return %y, %r#0 : tensor<6xf32>, tensor<6xf32>\n}\n";

// ---- A host that is asked for something -----------------------------------------------------------------------------------

static _Atomic(PJRT_CopyToDeviceStream *) asked;

static void want(PJRT_CopyToDeviceStream *stream, void *user) {
  (void)user;
  atomic_store(&asked, stream);
}

static PJRT_CopyToDeviceStream *until_asked(void) {
  PJRT_CopyToDeviceStream *stream;
  while (!(stream = atomic_exchange(&asked, NULL))) {
    sched_yield();
  }
  return stream;
}

static PJRT_Error_Code give(PJRT_CopyToDeviceStream *stream, const float *data, size_t count) {
  PJRT_Chunk chunk = {.data = (void *)(uintptr_t)data, .size = count * sizeof *data};
  HOST_ARGS(add, CopyToDeviceStream_AddChunk, .stream = stream, .chunk = &chunk);
  HOST_OK(CopyToDeviceStream_AddChunk, &add);
  return host_await(add.transfer_complete, NULL);
}

static void let_go(PJRT_CopyToDeviceStream *stream) {
  HOST_ARGS(gone, CopyToDeviceStream_Destroy, .stream = stream);
  HOST_OK(CopyToDeviceStream_Destroy, &gone);
}

typedef struct talk {
  PJRT_Client *client;
  PJRT_LoadedExecutable *loaded;
  PJRT_Buffer *argument, *results[2];
  PJRT_Event *done;
} talk;

static void open_talk(talk *t, const char *devices, const char *text) {
  setenv("MILLRACE_DEVICES", devices, 1);
  *t = (talk){.client = host_client_create(1)};
  t->loaded = host_compile(t->client, text);
  t->argument = host_put(t->client, host_device(t->client, 0), six, dims_6, 1);
}

static void begin(talk *t) {
  PJRT_RecvCallbackInfo recv = {.channel_id = 6, .recv_callback = want}, *recvs = &recv;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .recv_callbacks = &recvs, .num_recv_ops = 1};
  PJRT_Buffer *const *arguments = &t->argument;
  PJRT_Buffer **results = t->results;
  HOST_ARGS(call, LoadedExecutable_Execute, .executable = t->loaded, .options = &options, .num_devices = 1,
            .num_args = 1, .argument_lists = &arguments, .output_lists = &results, .device_complete_events = &t->done);
  HOST_OK(LoadedExecutable_Execute, &call);
}

static void expect_end(talk *t, PJRT_Error_Code code, const char *says) {
  const char *message;
  assert_int_equal(host_await(t->done, &message), code);
  assert_true(!says || strstr(message, says));
  assert_int_equal(host_await_buffer(t->results[0], NULL), code);
  host_buffer_destroy(t->results[0]);
  if (t->results[1]) {
    host_buffer_destroy(t->results[1]);
  }
}

static void close_talk(talk *t) {
  host_buffer_destroy(t->argument);
  host_loaded_destroy(t->loaded);
  host_client_destroy(t->client);
}

static void cancel(const talk *t) {
  mr_future *done = mr_buffer_ready(t->results[0]->buffer);
  mr_node_cancel(mr_node_of_done(done), mr_error(MR_CANCELLED, "not wanted any more"));
}

// ---- Tests ----------------------------------------------------------------------------------------------------------------

static void cancelled_on(const char *devices) {
  talk t;
  open_talk(&t, devices, receiving);
  for (size_t given = 0; given < 6; given += 3) {
    begin(&t);
    PJRT_CopyToDeviceStream *stream = until_asked();
    if (given) {
      assert_int_equal(give(stream, six, given), PJRT_Error_Code_OK);
    }
    cancel(&t);
    expect_end(&t, PJRT_Error_Code_CANCELLED, "not wanted any more");
    assert_int_equal(give(stream, six, 1), PJRT_Error_Code_FAILED_PRECONDITION);
    let_go(stream);
  }
  close_talk(&t);
}

// A receive ends when its execution is cancelled, with nothing or a part of what it wants.
static void test_a_cancelled_receive(void **state) {
  (void)state;
  cancelled_on("cpu");
  cancelled_on("fenced");
}

// A receive ends when another strand of its execution fails, and the execution with what that came to.
static void test_a_receive_beside_what_fails(void **state) {
  (void)state;
  talk t;
  setenv("MILLRACE_STRANDS", "2", 1);
  open_talk(&t, "faulty:cpu", beside);
  unsetenv("MILLRACE_STRANDS");
  mr_device *device = host_device(t.client, 0)->device;
  assert_null(mr_faulty_set(device, mr_str_of("launch:1:never")));
  begin(&t);
  PJRT_CopyToDeviceStream *stream = until_asked();
  while (!mr_faulty_count(device, "launch")) {
    sched_yield();
  }
  device->ops->give_up(device);  // what would never end fails
  const char *message;
  assert_int_not_equal(host_await(t.done, &message), PJRT_Error_Code_OK);
  assert_non_null(strstr(message, "given up"));
  assert_int_equal(give(stream, six, 1), PJRT_Error_Code_FAILED_PRECONDITION);
  let_go(stream);
  host_buffer_destroy(t.results[0]);
  host_buffer_destroy(t.results[1]);
  close_talk(&t);
}

// ---- Two rows ---------------------------------------------------------------------------------------------------------------

static _Atomic(PJRT_CopyToDeviceStream *) asked_by[2];

static void want_for(PJRT_CopyToDeviceStream *stream, void *user) {
  atomic_store((_Atomic(PJRT_CopyToDeviceStream *) *)user, stream);
}

// executable_build_options {2 replicas, assignment: on devices 0 and 1}
static PJRT_LoadedExecutable *compile_two(PJRT_Client *client, const char *text) {
  static const char options[] = {0x1A, 0x0E, 0x20, 0x02, 0x4A, 0x0A, 0x08, 0x02,
                                 0x10, 0x01, 0x1A, 0x04, 0x0A, 0x02, 0,    1};
  const PJRT_Program program = {.struct_size = sizeof program,
                                .code = (char *)(uintptr_t)text,
                                .code_size = strlen(text),
                                .format = "mlir",
                                .format_size = 4};
  HOST_ARGS(args, Client_Compile, .client = client, .program = &program, .compile_options = options,
            .compile_options_size = sizeof options);
  HOST_OK(Client_Compile, &args);
  return args.executable;
}

static void begin_two(PJRT_LoadedExecutable *loaded, PJRT_Buffer *arguments[2][1], PJRT_Buffer *results[2][1],
                      PJRT_Event *done[2]) {
  PJRT_RecvCallbackInfo recvs[2] = {{.channel_id = 6, .user_arg = (void *)&asked_by[0], .recv_callback = want_for},
                                    {.channel_id = 6, .user_arg = (void *)&asked_by[1], .recv_callback = want_for}};
  PJRT_RecvCallbackInfo *lists[2] = {&recvs[0], &recvs[1]};
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .recv_callbacks = lists, .num_recv_ops = 1};
  PJRT_Buffer *const *argument_lists[2] = {arguments[0], arguments[1]};
  PJRT_Buffer **result_lists[2] = {results[0], results[1]};
  HOST_ARGS(call, LoadedExecutable_Execute, .executable = loaded, .options = &options, .num_devices = 2, .num_args = 1,
            .argument_lists = argument_lists, .output_lists = result_lists, .device_complete_events = done);
  HOST_OK(LoadedExecutable_Execute, &call);
}

// Both rows wait for their hosts; one of them is given what it wants and fails, and the other ends without.
static void two_rows_on(const char *devices) {
  setenv("MILLRACE_DEVICES", devices, 1);
  PJRT_Client *client = host_client_create(2);
  PJRT_LoadedExecutable *loaded = compile_two(client, receiving);
  PJRT_Buffer *arguments[2][1], *results[2][1] = {{NULL}, {NULL}};
  PJRT_Event *done[2];
  for (size_t row = 0; row < 2; row++) {
    arguments[row][0] = host_put(client, host_device(client, row), six, dims_6, 1);
  }
  begin_two(loaded, arguments, results, done);
  PJRT_CopyToDeviceStream *streams[2];
  for (size_t row = 0; row < 2; row++) {
    while (!(streams[row] = atomic_exchange(&asked_by[row], NULL))) {
      sched_yield();
    }
  }
  assert_null(mr_faulty_set(host_device(client, 1)->device, mr_str_of("launch:1")));
  assert_int_equal(give(streams[1], six, 6), PJRT_Error_Code_OK);
  for (size_t row = 2; row-- > 0;) {
    const char *message;
    assert_int_not_equal(host_await(done[row], &message), PJRT_Error_Code_OK);
    assert_non_null(strstr(message, "as was asked"));
    assert_int_not_equal(host_await_buffer(results[row][0], NULL), PJRT_Error_Code_OK);
  }
  assert_int_equal(give(streams[0], six, 1), PJRT_Error_Code_FAILED_PRECONDITION);
  for (size_t row = 0; row < 2; row++) {
    let_go(streams[row]);
    host_buffer_destroy(results[row][0]);
    host_buffer_destroy(arguments[row][0]);
  }
  host_loaded_destroy(loaded);
  host_client_destroy(client);
}

static void test_a_receive_in_another_row(void **state) {
  (void)state;
  two_rows_on("faulty:cpu");
  two_rows_on("faulty:fenced");
}

// ---- Races ------------------------------------------------------------------------------------------------------------------

// Until the stream is full or is wanted no more.
static void *feed(void *context) {
  for (size_t i = 0; i < 6 && give(context, &six[i], 1) == PJRT_Error_Code_OK; i++) {
    sched_yield();
  }
  return NULL;
}

// Whoever is first, the host with the last of it or who cancels: the execution has its end, once, and so have the host's chunks.
static void test_cancelled_while_it_is_given(void **state) {
  (void)state;
  talk t;
  open_talk(&t, "cpu", receiving);
  for (int round = 0; round < 200; round++) {
    begin(&t);
    PJRT_CopyToDeviceStream *stream = until_asked();
    pthread_t threads[2];
    assert_int_equal(pthread_create(&threads[0], NULL, feed, stream), 0);
    assert_int_equal(pthread_create(&threads[1], NULL, feed, stream), 0);
    for (int i = 0; i < round % 8; i++) {
      sched_yield();
    }
    cancel(&t);
    PJRT_Error_Code code = host_await(t.done, NULL);
    assert_true(code == PJRT_Error_Code_OK || code == PJRT_Error_Code_CANCELLED);
    assert_int_equal(host_await_buffer(t.results[0], NULL), code);
    host_buffer_destroy(t.results[0]);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    let_go(stream);
  }
  close_talk(&t);
}

int main(void) {
  host_link_plugin();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_cancelled_receive),
      cmocka_unit_test(test_a_receive_beside_what_fails),
      cmocka_unit_test(test_a_receive_in_another_row),
      cmocka_unit_test(test_cancelled_while_it_is_given),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
