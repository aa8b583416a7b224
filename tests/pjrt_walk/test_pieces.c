// Long pieces of a transfer manager's and of a stream's are on their way when the call returns, and what is said of them holds: which
// comes later, which is the last, what an error does, and that the host's bytes are held until their event.
//
// They come from memory that cannot be read until the test lets it be, so that nothing depends on who is faster.
#include <stdlib.h>
#include <string.h>

#include "tests/held_memory.h"
#include "tests/pjrt_walk/host_client.h"

enum { BIG = 3 << 20, SMALL = 4096 };

typedef PJRT_AsyncHostToDeviceTransferManager manager;

static char *held;

// In the test itself, whose handlers of faults they go over.
static void hold(void) {
  held = held_memory_open(BIG);
  memset(held, 1, BIG);
  held_memory_hold();
}

// A buffer of bytes, and its manager.
static manager *make(int64_t size, PJRT_Buffer **out_buffer) {
  const int64_t dims[] = {size};
  PJRT_ShapeSpec spec = {.struct_size = sizeof spec, .dims = dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_U8};
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = &spec,
            .num_shape_specs = 1);
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  HOST_ARGS(get, AsyncHostToDeviceTransferManager_RetrieveBuffer, .transfer_manager = create.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_RetrieveBuffer, &get);
  *out_buffer = get.buffer_out;
  return create.transfer_manager;
}

static PJRT_Event *give(manager *m, const void *data, int64_t offset, int64_t size, bool last) {
  HOST_ARGS(args, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = m, .data = data, .offset = offset,
            .transfer_size = size, .is_last_transfer = last);
  HOST_OK(AsyncHostToDeviceTransferManager_TransferData, &args);
  return args.done_with_h2d_transfer;
}

static void destroy(manager *m) {
  HOST_ARGS(gone, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = m);
  HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &gone);
}

static bool has_fired(PJRT_Event *event) {
  HOST_ARGS(args, Event_IsReady, .event = event);
  HOST_OK(Event_IsReady, &args);
  return args.is_ready;
}

static bool is_filled(PJRT_Buffer *buffer) {
  HOST_ARGS(args, Buffer_ReadyEvent, .buffer = buffer);
  HOST_OK(Buffer_ReadyEvent, &args);
  bool fired = has_fired(args.event);
  HOST_ARGS(gone, Event_Destroy, .event = args.event);
  HOST_OK(Event_Destroy, &gone);
  return fired;
}

static void expect_over(PJRT_Event *take_event) { assert_int_equal(host_await(take_event, NULL), PJRT_Error_Code_OK); }

static char *read_bytes(PJRT_Buffer *buffer, size_t size) {
  char *bytes = malloc(size);
  HOST_ARGS(get, Buffer_ToHostBuffer, .src = buffer, .dst = bytes, .dst_size = size);
  HOST_OK(Buffer_ToHostBuffer, &get);
  expect_over(get.event);
  return bytes;
}

// From each of these places up to the next, or the end, the bytes are `value`.
typedef struct stretch {
  size_t at;
  char value;
} stretch;

static void expect_stretches(PJRT_Buffer *buffer, const stretch *stretches, size_t count) {
  char *bytes = read_bytes(buffer, BIG);
  for (size_t s = 0; s < count; s++) {
    size_t end = s + 1 < count ? stretches[s + 1].at : BIG;
    for (size_t i = stretches[s].at; i < end; i++) {
      if (bytes[i] != stretches[s].value) {
        fail_msg("byte %zu is %d, wanted %d", i, bytes[i], stretches[s].value);
      }
    }
  }
  free(bytes);
}
#define EXPECT_BYTES(buffer, ...) \
  expect_stretches((buffer), (stretch[]){__VA_ARGS__}, sizeof(stretch[]){__VA_ARGS__} / sizeof(stretch))

// The call returns while the bytes cannot be read, and neither the event nor the buffer says that they were.
static void test_the_call_returns_at_once(void **state) {
  (void)state;
  hold();
  PJRT_Buffer *buffer;
  manager *m = make(BIG, &buffer);
  PJRT_Event *done = give(m, held, 0, BIG, true);
  assert_false(held_memory_was_read_here());
  held_memory_until_waited();
  assert_false(has_fired(done) || is_filled(buffer));
  held_memory_let_go();
  expect_over(done);
  EXPECT_BYTES(buffer, {0, 1});
  destroy(m);
  host_buffer_destroy(buffer);
  held_memory_close();
}

// What is given later of the same bytes comes later, short or long; what is given of others does not wait.
static void test_order(void **state) {
  (void)state;
  hold();
  PJRT_Buffer *buffer;
  manager *m = make(BIG, &buffer);
  char *others = malloc(BIG);
  memset(others, 2, BIG);
  PJRT_Event *first = give(m, held, 0, BIG - SMALL, false);
  PJRT_Event *beside = give(m, others, BIG - SMALL, SMALL, false);
  assert_true(has_fired(beside) || !host_sees_device_memory());  // there one queue does it all
  PJRT_Event *inside = give(m, others, 100, SMALL, false);
  PJRT_Event *nothing = give(m, NULL, 50, 0, false);
  expect_over(nothing);
  char *threes = malloc(BIG);
  memset(threes, 3, BIG);
  PJRT_Event *across = give(m, threes, SMALL, BIG - 2 * SMALL, true);
  assert_false(has_fired(first) || has_fired(inside) || has_fired(across) || is_filled(buffer));
  held_memory_let_go();
  expect_over(across);
  expect_over(beside);
  expect_over(first);
  expect_over(inside);
  EXPECT_BYTES(buffer, {0, 1}, {100, 2}, {SMALL, 3}, {BIG - SMALL, 2});
  destroy(m);
  host_buffer_destroy(buffer);
  free(others);
  free(threes);
  held_memory_close();
}

// The piece that is marked as the last may be over before others: the buffer waits for all.
static void test_the_last_is_not_the_last_to_come(void **state) {
  (void)state;
  hold();
  PJRT_Buffer *buffer;
  manager *m = make(BIG, &buffer);
  static const char twos[SMALL] = {2, 2};
  PJRT_Event *first = give(m, held, SMALL, BIG - SMALL, false);
  PJRT_Event *last = give(m, twos, 0, SMALL, true);
  assert_true(has_fired(last) || !host_sees_device_memory());
  held_memory_until_waited();
  assert_false(is_filled(buffer));
  HOST_ARGS(more, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = m, .data = twos,
            .transfer_size = 1);
  host_refused(host_api()->PJRT_AsyncHostToDeviceTransferManager_TransferData(&more),
               PJRT_Error_Code_FAILED_PRECONDITION, "last transfer");
  destroy(m);  // what has begun comes in the end
  assert_false(is_filled(buffer));
  held_memory_let_go();
  EXPECT_BYTES(buffer, {0, 2}, {2, 0}, {SMALL, 1});
  expect_over(first);
  expect_over(last);
  host_buffer_destroy(buffer);
  held_memory_close();
}

// A buffer that is given up fails at once, and the host's bytes are held until the event all the same.
static void give_up(bool by_error) {
  hold();
  const char *message;
  PJRT_Buffer *buffer;
  manager *m = make(BIG, &buffer);
  PJRT_Event *done = give(m, held, 0, BIG, false);
  held_memory_until_waited();
  if (by_error) {
    HOST_ARGS(error, AsyncHostToDeviceTransferManager_SetBufferError, .transfer_manager = m,
              .error_code = PJRT_Error_Code_DATA_LOSS, .error_message = "torn", .error_message_size = 4);
    HOST_OK(AsyncHostToDeviceTransferManager_SetBufferError, &error);
    assert_int_equal(host_await_buffer(buffer, &message), PJRT_Error_Code_DATA_LOSS);
    assert_non_null(strstr(message, "torn"));
  } else {
    destroy(m);
    assert_int_equal(host_await_buffer(buffer, &message), PJRT_Error_Code_CANCELLED);
  }
  host_buffer_destroy(buffer);
  assert_false(has_fired(done));
  held_memory_let_go();
  expect_over(done);
  if (by_error) {
    destroy(m);
  }
  held_memory_close();
}
static void test_error(void **state) {
  (void)state;
  give_up(true);
}
static void test_destroyed_in_the_middle(void **state) {
  (void)state;
  give_up(false);
}

// A program that is called with the buffer, which it may have, runs when all is there.
static void test_donated_while_it_comes(void **state) {
  (void)state;
  hold();
  PJRT_LoadedExecutable *loaded = host_compile(
      client, "func.func @main(%x: tensor<3145728xui8> {tf.aliasing_output = 0 : i32}) -> tensor<3145728xui8> {\n"
              "  %y = stablehlo.add %x, %x : tensor<3145728xui8>\n  return %y : tensor<3145728xui8>\n}\n");
  PJRT_Buffer *buffer, *result = NULL, **outputs = &result;
  manager *m = make(BIG, &buffer);
  PJRT_Buffer *const *arguments = &buffer;
  PJRT_Event *given = give(m, held, 0, BIG, true), *done = NULL;
  HOST_ARGS(run, LoadedExecutable_Execute, .executable = loaded, .argument_lists = &arguments, .num_devices = 1,
            .num_args = 1, .output_lists = &outputs, .device_complete_events = &done);
  HOST_OK(LoadedExecutable_Execute, &run);
  assert_true(host_buffer_is_deleted(buffer));
  held_memory_until_waited();
  assert_false(has_fired(done));
  held_memory_let_go();
  expect_over(done);
  expect_over(given);
  EXPECT_BYTES(result, {0, 2});
  destroy(m);
  host_buffer_destroy(buffer);
  host_buffer_destroy(result);
  host_loaded_destroy(loaded);
  held_memory_close();
}

// A literal whose elements lie in another order is a piece like any other.
static void test_literal(void **state) {
  (void)state;
  hold();
  enum { ROWS = 3, COLUMNS = 1 << 20 };
  const int64_t dims[] = {ROWS, COLUMNS}, minor_to_major[] = {0, 1};
  PJRT_Buffer_MemoryLayout layout = {.struct_size = sizeof layout,
                                     .type = PJRT_Buffer_MemoryLayout_Type_Tiled,
                                     .tiled = {.minor_to_major = minor_to_major, .minor_to_major_size = 2}};
  PJRT_ShapeSpec spec = {.struct_size = sizeof spec, .dims = dims, .num_dims = 2, .element_type = PJRT_Buffer_Type_U8};
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = &spec,
            .num_shape_specs = 1);
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  HOST_ARGS(get, AsyncHostToDeviceTransferManager_RetrieveBuffer, .transfer_manager = create.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_RetrieveBuffer, &get);
  held_memory_let_go();
  for (int i = 0; i < BIG; i++) {
    held[i] = (char)(10 + i % ROWS);  // by columns: which row it is
  }
  held_memory_hold();
  HOST_ARGS(args, AsyncHostToDeviceTransferManager_TransferLiteral, .transfer_manager = create.transfer_manager,
            .data = held, .shape_dims = dims, .shape_num_dims = 2, .shape_element_type = PJRT_Buffer_Type_U8,
            .shape_layout = &layout);
  HOST_OK(AsyncHostToDeviceTransferManager_TransferLiteral, &args);
  if (host_sees_device_memory()) {  // else it is put in order in the host's memory first
    assert_false(held_memory_was_read_here());
    assert_false(has_fired(args.done_with_h2d_transfer) || is_filled(get.buffer_out));
  }
  held_memory_let_go();
  expect_over(args.done_with_h2d_transfer);
  EXPECT_BYTES(get.buffer_out, {0, 10}, {COLUMNS, 11}, {2 * COLUMNS, 12});
  destroy(create.transfer_manager);
  host_buffer_destroy(get.buffer_out);
  held_memory_close();
}

// ---- What a host queues ---------------------------------------------------------------------------------------------------------

enum { LIMIT = 4, PIECES = 40 };

// A thread that gives piece after piece and waits for none of them.
typedef struct giver {
  manager *m;
  PJRT_Event *events[PIECES];
  _Atomic(int) given;
} giver;

static void *give_all(void *argument) {
  giver *g = argument;
  for (int i = 0; i < PIECES; i++) {
    HOST_ARGS(args, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = g->m, .data = held,
              .transfer_size = BIG, .is_last_transfer = i + 1 == PIECES);
    PJRT_Error *error = host_api()->PJRT_AsyncHostToDeviceTransferManager_TransferData(&args);
    assert_null(error);
    g->events[i] = args.done_with_h2d_transfer;
    atomic_fetch_add(&g->given, 1);
  }
  return NULL;
}

// Pieces on their way are bounded as calls are: who gives too many is held up, and goes on when there is room.
static void test_pieces_are_bounded(void **state) {
  (void)state;
  hold();
  PJRT_NamedValue option = {.struct_size = sizeof option,
                            .name = "queue_calls",
                            .name_size = strlen("queue_calls"),
                            .type = PJRT_NamedValue_kInt64,
                            .int64_value = LIMIT,
                            .value_size = 1};
  HOST_ARGS(create, Client_Create, .create_options = &option, .num_options = 1);
  HOST_OK(Client_Create, &create);
  PJRT_Client *outer = client;
  client = create.client;
  PJRT_Buffer *buffer;
  giver g = {.m = make(BIG, &buffer)};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, give_all, &g), 0);
  while (atomic_load(&g.given) < LIMIT) {
    poll(NULL, 0, 1);
  }
  poll(NULL, 0, 50);  // one that is not held up has given many more by now
  assert_int_equal(atomic_load(&g.given), LIMIT);
  held_memory_let_go();
  pthread_join(thread, NULL);
  for (int i = 0; i < PIECES; i++) {
    expect_over(g.events[i]);
  }
  EXPECT_BYTES(buffer, {0, 1});
  destroy(g.m);
  host_buffer_destroy(buffer);
  host_client_destroy(client);
  client = outer;
  held_memory_close();
}

// ---- Streams ------------------------------------------------------------------------------------------------------------------

// What is set up before a program runs that receives BIG bytes, and what comes of it.
typedef struct talk {
  bool half;      // give half of the bytes, and no more
  bool was_read;  // before the call returned that gave them
  PJRT_Event *complete;
  _Atomic(int) deleted;
} talk;

static void count_deleted(void *data, void *arg) {
  assert_ptr_equal(data, held);
  atomic_fetch_add(&((talk *)arg)->deleted, 1);
}

static void give_chunk(PJRT_CopyToDeviceStream *stream, void *user) {
  talk *t = user;
  PJRT_Chunk chunk = {.data = held, .size = t->half ? BIG / 2 : BIG, .deleter = count_deleted, .deleter_arg = t};
  HOST_ARGS(add, CopyToDeviceStream_AddChunk, .stream = stream, .chunk = &chunk);
  pthread_t before = held_memory_is_for(pthread_self());
  HOST_OK(CopyToDeviceStream_AddChunk, &add);
  held_memory_is_for(before);
  t->was_read = held_memory_was_read_here();
  t->complete = add.transfer_complete;
  HOST_ARGS(now, CopyToDeviceStream_CurrentBytes, .stream = stream);
  HOST_OK(CopyToDeviceStream_CurrentBytes, &now);
  assert_int_equal(now.current_bytes, chunk.size);
  HOST_ARGS(gone, CopyToDeviceStream_Destroy, .stream = stream);
  HOST_OK(CopyToDeviceStream_Destroy, &gone);
}

static const char receives[] =
    "func.func @main() -> tensor<3145728xui8> {\n  %t = stablehlo.create_token : !stablehlo.token\n"
    "  %r:2 = \"stablehlo.recv\"(%t) {channel_handle = #stablehlo.channel_handle<handle = 6, type = 3>,\n"
    "    is_host_transfer = true} : (!stablehlo.token) -> (tensor<3145728xui8>, !stablehlo.token)\n"
    "  return %r#0 : tensor<3145728xui8>\n}\n";

static PJRT_Event *run_receiver(PJRT_LoadedExecutable *loaded, talk *t, PJRT_Buffer **out_result) {
  PJRT_RecvCallbackInfo recv = {.channel_id = 6, .user_arg = t, .recv_callback = give_chunk}, *recvs = &recv;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .recv_callbacks = &recvs, .num_recv_ops = 1};
  PJRT_Buffer **outputs = out_result, *const *none = NULL;
  PJRT_Event *done = NULL;
  HOST_ARGS(run, LoadedExecutable_Execute, .executable = loaded, .options = &options, .argument_lists = &none,
            .num_devices = 1, .output_lists = &outputs, .device_complete_events = &done);
  HOST_OK(LoadedExecutable_Execute, &run);
  return done;
}

// The program goes on, and the chunk is deleted, when its bytes are there, though the stream was destroyed before.
static void test_chunk(void **state) {
  (void)state;
  if (host_fails_allocations()) {
    skip();  // what there is no memory to send is copied within the call
  }
  hold();
  PJRT_LoadedExecutable *loaded = host_compile(client, receives);
  talk t = {.half = false};
  PJRT_Buffer *result = NULL;
  PJRT_Event *done = run_receiver(loaded, &t, &result);
  held_memory_until_waited();
  assert_int_equal(atomic_load(&t.deleted), 0);
  assert_false(t.was_read || has_fired(done));
  held_memory_let_go();
  expect_over(done);
  expect_over(t.complete);
  assert_int_equal(atomic_load(&t.deleted), 1);
  EXPECT_BYTES(result, {0, 1});
  host_buffer_destroy(result);
  host_loaded_destroy(loaded);
  held_memory_close();
}

// A stream that the host gives up half full fails the program, whose memory is left alone from then on: so not before what is on its way
// is there.
static void test_chunk_of_a_stream_that_is_given_up(void **state) {
  (void)state;
  if (host_fails_allocations()) {
    skip();  // what there is no memory to send is copied within the call
  }
  hold();
  PJRT_LoadedExecutable *loaded = host_compile(client, receives);
  talk t = {.half = true};
  PJRT_Buffer *result = NULL;
  PJRT_Event *done = run_receiver(loaded, &t, &result);
  held_memory_until_waited();
  assert_int_equal(atomic_load(&t.deleted), 0);
  assert_false(t.was_read || has_fired(done));
  held_memory_let_go();
  const char *message;
  assert_int_equal(host_await(done, &message), PJRT_Error_Code_CANCELLED);
  assert_non_null(strstr(message, "1572864 of 3145728 bytes"));
  expect_over(t.complete);
  assert_int_equal(atomic_load(&t.deleted), 1);
  host_buffer_destroy(result);
  host_loaded_destroy(loaded);
  held_memory_close();
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
#define WITH(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
  const struct CMUnitTest tests[] = {
      WITH(test_the_call_returns_at_once),
      WITH(test_order),
      WITH(test_the_last_is_not_the_last_to_come),
      WITH(test_error),
      WITH(test_destroyed_in_the_middle),
      WITH(test_donated_while_it_comes),
      WITH(test_literal),
      WITH(test_pieces_are_bounded),
      WITH(test_chunk),
      WITH(test_chunk_of_a_stream_that_is_given_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
