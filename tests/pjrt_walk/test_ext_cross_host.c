// The extension CrossHostTransfers, between clients of one process and between processes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/alloc_fail.h"
#include "tests/cmocka.h"
#include "tests/guard.h"
#include "tests/pjrt_walk/host_refusals.h"
#include "tests/pjrt_walk/host_store.h"

enum { LARGE = 1 << 20 };
static const int64_t dims_6[] = {6}, dims_large[] = {LARGE};
static const float six[] = {1, 2, 3, 4, 5, 6};

// ---- Calls --------------------------------------------------------------------------------------------------------

static const PJRT_CrossHostTransfers_Extension *transfers(void) {
  return (const void *)host_extension(PJRT_Extension_Type_CrossHostTransfers);
}

// The other device of a run of two.
static int32_t peer_of(PJRT_Client *client) {
  HOST_ARGS(index, Client_ProcessIndex, .client = client);
  HOST_OK(Client_ProcessIndex, &index);
  return 1 - index.process_index;
}

static PJRT_Device *own_device(PJRT_Client *client) {
  HOST_ARGS(args, Client_AddressableDevices, .client = client);
  HOST_OK(Client_AddressableDevices, &args);
  return args.addressable_devices[0];
}

static PJRT_Error *receive_as(PJRT_Client *client, int32_t source, PJRT_Buffer_Type type, const int64_t *dims,
                              size_t rank, PJRT_Buffer_MemoryLayout *layout, int64_t key, PJRT_Buffer **out_buffer) {
  PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args args = {.struct_size = sizeof args,
                                                                  .client = client,
                                                                  .num_shapes = 1,
                                                                  .shape_num_dims = &rank,
                                                                  .num_dims = &dims,
                                                                  .element_types = &type,
                                                                  .layouts = &layout,
                                                                  .device = own_device(client),
                                                                  .src_global_device_ids = &source,
                                                                  .transfer_keys = &key,
                                                                  .buffers = out_buffer};
  return transfers()->cross_host_receive_buffers(&args);
}

static PJRT_Error *receive_from(PJRT_Client *client, int32_t source, PJRT_Buffer_Type type, const int64_t *dims,
                                int64_t key, PJRT_Buffer **out_buffer) {
  return receive_as(client, source, type, dims, 1, NULL, key, out_buffer);
}

static PJRT_Error *receive(PJRT_Client *client, PJRT_Buffer_Type type, const int64_t *dims, int64_t key,
                           PJRT_Buffer **out_buffer) {
  return receive_from(client, peer_of(client), type, dims, key, out_buffer);
}

static PJRT_Error *send_to(PJRT_Client *client, int32_t target, PJRT_Buffer *buffer, int64_t key,
                           PJRT_Event **out_event) {
  PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args args = {.struct_size = sizeof args,
                                                               .client = client,
                                                               .num_buffers = 1,
                                                               .buffers = &buffer,
                                                               .dst_global_device_ids = &target,
                                                               .transfer_keys = &key,
                                                               .send_events = out_event};
  return transfers()->cross_host_send_buffers(&args);
}

static PJRT_Error *send_by_key(PJRT_Client *client, PJRT_Buffer *buffer, int64_t key, PJRT_Event **out_event) {
  return send_to(client, peer_of(client), buffer, key, out_event);
}

static void assert_six(PJRT_Buffer *buffer) {
  float got[6];
  host_get(buffer, got, 6);
  assert_memory_equal(got, six, sizeof six);
}

// ---- By key ---------------------------------------------------------------------------------------------------------

// Whether the receiver or the sender comes first, the content arrives and the sender hears of it.
static void test_by_key(void **state) {
  (void)state;
  host_store_run(0);
  PJRT_Client *clients[2];
  host_run_of_two(clients);
  PJRT_Client *here = clients[0], *there = clients[1];
  PJRT_Buffer *x = host_put(here, host_device(here, 0), six, dims_6, 1);
  PJRT_Event *sent = NULL;  // out here: gcc 12 lays a variable of the loop's body over an argument of receive_from()
  for (int sender_first = 0; sender_first < 2; sender_first++) {
    PJRT_Buffer *y = NULL;
    if (sender_first) {
      host_ok(send_by_key(here, x, 10, &sent), "send");
      usleep(20000);
      host_ok(receive(there, PJRT_Buffer_Type_F32, dims_6, 10, &y), "receive");
    } else {
      host_ok(receive(there, PJRT_Buffer_Type_F32, dims_6, 11, &y), "receive");
      host_ok(send_by_key(here, x, 11, &sent), "send");
    }
    assert_int_equal(host_await(sent, NULL), PJRT_Error_Code_OK);
    assert_six(y);
    host_buffer_destroy(y);
  }
  host_buffer_destroy(x);
  host_client_destroy(here);
  host_client_destroy(there);
}

// Either end has its own order of dimensions; what is the same is the array.
static void test_other_orders(void **state) {
  (void)state;
  static const int64_t dims[] = {2, 3}, column_order[] = {0, 1};
  static const float columns[] = {1, 4, 2, 5, 3, 6};
  host_store_run(6);
  PJRT_Client *clients[2];
  host_run_of_two(clients);
  PJRT_Client *here = clients[0], *there = clients[1];
  PJRT_Buffer_MemoryLayout order = {
      .struct_size = sizeof order,
      .tiled = {.struct_size = sizeof order.tiled, .minor_to_major = column_order, .minor_to_major_size = 2},
      .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
  PJRT_Buffer *y = NULL, *x = host_put(here, host_device(here, 0), six, dims, 2);
  host_ok(receive_as(there, peer_of(there), PJRT_Buffer_Type_F32, dims, 2, &order, 12, &y), "receive");
  PJRT_Event *sent;
  host_ok(send_by_key(here, x, 12, &sent), "send");
  assert_int_equal(host_await(sent, NULL), PJRT_Error_Code_OK);
  assert_int_equal(host_await_buffer(y, NULL), PJRT_Error_Code_OK);
  HOST_ARGS(layout, Buffer_GetMemoryLayout, .buffer = y);
  HOST_OK(Buffer_GetMemoryLayout, &layout);
  assert_memory_equal(layout.layout.tiled.minor_to_major, column_order, sizeof column_order);
  float got[6] = {0};
  HOST_ARGS(raw, Buffer_CopyRawToHost, .buffer = y, .dst = got, .transfer_size = sizeof got);
  HOST_OK(Buffer_CopyRawToHost, &raw);
  assert_int_equal(host_await(raw.event, NULL), PJRT_Error_Code_OK);
  assert_memory_equal(got, columns, sizeof got);
  // Back again into row-major order.
  PJRT_Buffer *z = NULL;
  host_ok(receive_as(here, peer_of(here), PJRT_Buffer_Type_F32, dims, 2, NULL, 13, &z), "receive");
  host_ok(send_by_key(there, y, 13, &sent), "send");
  assert_int_equal(host_await(sent, NULL), PJRT_Error_Code_OK);
  assert_six(z);
  host_buffer_destroy(x);
  host_buffer_destroy(y);
  host_buffer_destroy(z);
  host_client_destroy(here);
  host_client_destroy(there);
}

// Sizes that differ fail both sides; an error instead of content goes along; a key is good once.
static void test_failures_by_key(void **state) {
  (void)state;
  host_store_run(1);
  PJRT_Client *clients[2];
  host_run_of_two(clients);
  PJRT_Client *here = clients[0], *there = clients[1];
  PJRT_Buffer *x = host_put(here, host_device(here, 0), six, dims_6, 1), *y = NULL;
  PJRT_Event *sent;
  const char *message;
  const int64_t seven = 7;
  host_ok(receive(there, PJRT_Buffer_Type_F32, &seven, 20, &y), "receive");
  host_ok(send_by_key(here, x, 20, &sent), "send");
  assert_int_equal(host_await(sent, &message), PJRT_Error_Code_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "24 bytes into a buffer of 28"));
  assert_int_equal(host_await_buffer(y, NULL), PJRT_Error_Code_INVALID_ARGUMENT);
  host_buffer_destroy(y);

  HOST_ARGS(failed, Client_CreateErrorBuffer, .client = here, .error_code = PJRT_Error_Code_DATA_LOSS,
            .error_message = "it burnt", .error_message_size = 8, .shape_dims = dims_6, .shape_num_dims = 1,
            .shape_element_type = PJRT_Buffer_Type_F32, .memory = host_memory(host_device(here, 0), "device"));
  HOST_OK(Client_CreateErrorBuffer, &failed);
  host_ok(receive(there, PJRT_Buffer_Type_F32, dims_6, 21, &y), "receive");
  host_ok(send_by_key(here, failed.buffer, 21, &sent), "send");
  assert_int_equal(host_await(sent, NULL), PJRT_Error_Code_DATA_LOSS);
  assert_int_equal(host_await_buffer(y, &message), PJRT_Error_Code_DATA_LOSS);
  assert_non_null(strstr(message, "it burnt"));
  host_buffer_destroy(y);
  host_buffer_destroy(failed.buffer);

  host_refused(receive(there, PJRT_Buffer_Type_F32, dims_6, 21, &y), PJRT_Error_Code_ALREADY_EXISTS, "key is there");
  host_refused(receive(there, PJRT_Buffer_Type_INVALID, dims_6, 22, &y), PJRT_Error_Code_INVALID_ARGUMENT, "");
  host_buffer_destroy(x);
  host_client_destroy(here);
  host_client_destroy(there);
}

// What a transfer by key is not for: a device of the own process, and one that nobody has.
static void test_wrong_peers(void **state) {
  (void)state;
  host_store_run(2);
  PJRT_Client *clients[2], *alone = host_client_create(1);
  host_run_of_two(clients);
  PJRT_Buffer *x = host_put(clients[0], own_device(clients[0]), six, dims_6, 1), *y = NULL;
  PJRT_Buffer *z = host_put(alone, own_device(alone), six, dims_6, 1);
  PJRT_Event *sent = NULL;
  host_refused(send_to(clients[0], 0, x, 23, &sent), PJRT_Error_Code_INVALID_ARGUMENT, "this process's own");
  host_refused(send_to(clients[0], 2, x, 23, &sent), PJRT_Error_Code_INVALID_ARGUMENT, "none of the client's");
  host_refused(receive_from(clients[1], 1, PJRT_Buffer_Type_F32, dims_6, 23, &y), PJRT_Error_Code_INVALID_ARGUMENT,
               "this process's own");
  host_refused(send_to(alone, 0, z, 23, &sent), PJRT_Error_Code_INVALID_ARGUMENT, "this process's own");
  assert_null(sent);
  assert_null(y);
  host_buffer_destroy(x);
  host_buffer_destroy(z);
  for (int i = 0; i < 2; i++) {
    host_client_destroy(clients[i]);
  }
  host_client_destroy(alone);
}

static void tell_state(PJRT_Client *client, int process, PJRT_ProcessState state, const char *message) {
  PJRT_ProcessInfo info = {.struct_size = sizeof info,
                           .task_id = process,
                           .state = state,
                           .error_code = message ? PJRT_Error_Code_ABORTED : PJRT_Error_Code_OK,
                           .error_message = message,
                           .error_message_size = message ? strlen(message) : 0};
  HOST_ARGS(args, Client_UpdateGlobalProcessInfo, .client = client, .process_infos = &info, .num_process_infos = 1);
  HOST_OK(Client_UpdateGlobalProcessInfo, &args);
}

// Whoever waits for a process that the host says is gone hears why, and so does who comes later; until it is back.
static void test_peer_is_gone(void **state) {
  (void)state;
  host_store_run(5);
  PJRT_Client *clients[2];
  const char *message;
  host_run_of_two(clients);
  PJRT_Buffer *x = host_put(clients[0], own_device(clients[0]), six, dims_6, 1), *y = NULL, *z = NULL;
  PJRT_Event *sent;
  host_ok(receive(clients[0], PJRT_Buffer_Type_F32, dims_6, 50, &y), "receive");
  host_ok(send_by_key(clients[0], x, 51, &sent), "send");
  tell_state(clients[0], 1, PJRT_ProcessState_kError, "it ran out of memory");
  assert_int_equal(host_await_buffer(y, &message), PJRT_Error_Code_ABORTED);
  assert_non_null(strstr(message, "it ran out of memory"));
  assert_int_equal(host_await(sent, &message), PJRT_Error_Code_ABORTED);
  assert_non_null(strstr(message, "process 1 is gone"));
  host_refused(receive(clients[0], PJRT_Buffer_Type_F32, dims_6, 52, &z), PJRT_Error_Code_ABORTED, "process 1 is gone");

  tell_state(clients[0], 1, PJRT_ProcessState_kConnected, NULL);
  host_ok(receive(clients[1], PJRT_Buffer_Type_F32, dims_6, 53, &z), "receive");
  host_ok(send_by_key(clients[0], x, 53, &sent), "send");
  assert_int_equal(host_await(sent, NULL), PJRT_Error_Code_OK);
  assert_six(z);
  tell_state(clients[0], 1, PJRT_ProcessState_kDisconnected, NULL);  // still so when the client is destroyed
  host_buffer_destroy(x);
  host_buffer_destroy(y);
  host_buffer_destroy(z);
  host_client_destroy(clients[0]);
  host_client_destroy(clients[1]);
}

// A client that goes away ends what waits: its own receives, and its sends whose receiver never came.
static void test_client_goes_away(void **state) {
  (void)state;
  PJRT_Client *clients[2];
  host_store_run(3);
  host_run_of_two(clients);
  PJRT_Client *here = clients[0];
  PJRT_Buffer *x = host_put(here, host_device(here, 0), six, dims_6, 1), *y = NULL;
  PJRT_Event *sent;
  host_ok(receive(here, PJRT_Buffer_Type_F32, dims_6, 30, &y), "receive");
  host_ok(send_by_key(here, x, 31, &sent), "send");
  HOST_ARGS(ready, Buffer_ReadyEvent, .buffer = y);
  HOST_OK(Buffer_ReadyEvent, &ready);
  host_buffer_destroy(x);
  host_buffer_destroy(y);
  host_client_destroy(here);
  host_client_destroy(clients[1]);
  assert_int_equal(host_await(ready.event, NULL), PJRT_Error_Code_CANCELLED);
  assert_int_not_equal(host_await(sent, NULL), PJRT_Error_Code_OK);
}

// ---- By descriptor --------------------------------------------------------------------------------------------------

typedef struct notified {
  int calls;
  char descriptors[2][128];
  size_t sizes[2];
  PJRT_Transfers_CrossHostSendCancelNotifier cancel;
  void *cancel_arg;
} notified;

static void notify(PJRT_Error *error, const char **descriptors, size_t *sizes, size_t count, void *user_arg,
                   PJRT_Transfers_CrossHostSendCancelNotifier cancel, void *cancel_arg) {
  notified *self = user_arg;
  assert_null(error);
  assert_int_equal(count, 2);
  self->calls++;
  self->cancel = cancel;
  self->cancel_arg = cancel_arg;
  for (size_t i = 0; i < 2; i++) {
    memcpy(self->descriptors[i], descriptors[i], sizes[i]);
    self->sizes[i] = sizes[i];
  }
}

typedef struct outcome {
  _Atomic(int) calls;
  PJRT_Error_Code code;
  bool sent;
} outcome;

static void copied(PJRT_Error *error, bool sent, void *user_arg) {
  outcome *self = user_arg;
  PJRT_Error_GetCode_Args code = {.struct_size = sizeof code, .error = error};
  self->code = PJRT_Error_Code_OK;
  if (error) {
    host_api()->PJRT_Error_GetCode(&code);
    self->code = code.code;
  }
  self->sent = sent;
  self->calls = 1;
}

static void wait_for(outcome *self) {
  for (int i = 0; self->calls == 0 && i < 10000; i++) {
    usleep(1000);
  }
  assert_int_equal(self->calls, 1);
}

static void canceled(PJRT_Error *error, void *user_arg) {
  assert_null(error);
  ++*(int *)user_arg;
}

// As a host with version 1 of the extension: the text is gone when the call returns, and its struct ends before what it has not.
static void copy_to_v1(PJRT_Buffer *buffer, const char *descriptor, size_t size) {
  char *text = malloc(size);
  memcpy(text, descriptor, size);
  PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args_V1 args = {
      .struct_size = sizeof args, .buffer = buffer, .serialized_descriptor = text, .serialized_descriptor_size = size};
  guard block = guard_place(&args, sizeof args);
  transfers()->copy_to_remote_device(block.at);
  guard_end(&block);
  memset(text, 0, size);
  free(text);
}

static void copy_to(PJRT_Buffer *buffer, PJRT_Event *take_event, char **descriptor, size_t *size, outcome *out) {
  PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args args = {.struct_size = sizeof args,
                                                             .buffer = buffer,
                                                             .event = take_event,
                                                             .serialized_descriptor = descriptor,
                                                             .serialized_descriptor_size = size,
                                                             .on_done = {out, copied}};
  transfers()->copy_to_remote_device(&args);
}

// A receive is filled by a host of version 1; what such a host cannot send is not sent.
static void test_by_descriptor_v1(void **state) {
  (void)state;
  PJRT_Client *here = host_client_create(1), *there = host_client_create(1);
  PJRT_Buffer *x = host_put(here, host_device(here, 0), six, dims_6, 1), *y[2] = {NULL, NULL};
  notified heard = {0};
  size_t ranks[] = {1, 1};
  const int64_t *dims[] = {dims_6, dims_6};
  PJRT_Buffer_Type types[] = {PJRT_Buffer_Type_F32, PJRT_Buffer_Type_F32};
  PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args make = {.struct_size = sizeof make,
                                                                      .client = there,
                                                                      .num_shapes = 2,
                                                                      .shape_num_dims = ranks,
                                                                      .num_dims = dims,
                                                                      .element_types = types,
                                                                      .device = host_device(there, 0),
                                                                      .notifier = {&heard, notify},
                                                                      .buffers = y};
  HOST_GUARDED_OK(transfers()->make_cross_host_receive_buffers, &make);
  copy_to_v1(NULL, heard.descriptors[0], heard.sizes[0]);
  copy_to_v1(x, "nonsense", 8);
  for (int i = 0; i < 2; i++) {
    copy_to_v1(x, heard.descriptors[i], heard.sizes[i]);
    assert_six(y[i]);
    host_buffer_destroy(y[i]);
  }
  size_t cut = sizeof(size_t);
  guard block = guard_place(&cut, sizeof cut);
  transfers()->copy_to_remote_device(block.at);
  guard_end(&block);
  host_buffer_destroy(x);
  host_client_destroy(there);
  host_client_destroy(here);
}

// The receiver takes its second descriptor back: who comes with it is told so.
static void cancel_second(notified *heard, PJRT_Buffer *x, PJRT_Buffer *y) {
  int cancellations = 0;
  heard->cancel(heard->descriptors[1], heard->sizes[1], PJRT_Error_Code_ABORTED, "changed my mind", 15, canceled,
                &cancellations, heard->cancel_arg);
  assert_int_equal(cancellations, 1);
  const char *message;
  assert_int_equal(host_await_buffer(y, &message), PJRT_Error_Code_ABORTED);
  assert_non_null(strstr(message, "changed my mind"));
  char *descriptor = heard->descriptors[1];
  size_t size = heard->sizes[1];
  outcome late = {0}, nonsense = {0};
  copy_to(x, NULL, &descriptor, &size, &late);
  wait_for(&late);
  assert_int_equal(late.code, PJRT_Error_Code_NOT_FOUND);
  assert_false(late.sent);
  size = 9;
  copy_to(x, NULL, &descriptor, &size, &nonsense);
  wait_for(&nonsense);
  assert_int_equal(nonsense.code, PJRT_Error_Code_INVALID_ARGUMENT);
}

// Two receives: one is filled by who has its descriptor, which comes late; the other is canceled, and then nobody waits.
static void test_by_descriptor(void **state) {
  (void)state;
  PJRT_Client *here = host_client_create(1), *there = host_client_create(1);
  PJRT_Buffer *x = host_put(here, host_device(here, 0), six, dims_6, 1), *y[2] = {NULL, NULL};
  notified heard = {0};
  size_t ranks[] = {1, 1};
  const int64_t *dims[] = {dims_6, dims_6};
  PJRT_Buffer_Type types[] = {PJRT_Buffer_Type_F32, PJRT_Buffer_Type_F32};
  PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args make = {.struct_size = sizeof make,
                                                                      .client = there,
                                                                      .num_shapes = 2,
                                                                      .shape_num_dims = ranks,
                                                                      .num_dims = dims,
                                                                      .element_types = types,
                                                                      .device = host_device(there, 0),
                                                                      .notifier = {&heard, notify},
                                                                      .buffers = y};
  HOST_GUARDED_OK(transfers()->make_cross_host_receive_buffers, &make);
  assert_int_equal(make.num_buffers, 2);
  assert_int_equal(heard.calls, 1);

  HOST_ARGS(event, Event_Create);
  HOST_OK(Event_Create, &event);
  char *descriptor = NULL;
  size_t size = 0;
  outcome done = {0};
  copy_to(x, event.event, &descriptor, &size, &done);
  usleep(10000);
  assert_int_equal(done.calls, 0);
  descriptor = heard.descriptors[0];
  size = heard.sizes[0];
  HOST_ARGS(set, Event_Set, .event = event.event);
  HOST_OK(Event_Set, &set);
  wait_for(&done);
  assert_int_equal(done.code, PJRT_Error_Code_OK);
  assert_true(done.sent);
  assert_six(y[0]);

  cancel_second(&heard, x, y[1]);

  make.buffers = NULL;
  host_refused(transfers()->make_cross_host_receive_buffers(&make), PJRT_Error_Code_INVALID_ARGUMENT,
               "buffers is NULL");
  make.buffers = y;
  make.device = host_device(here, 0);
  host_refused(transfers()->make_cross_host_receive_buffers(&make), PJRT_Error_Code_INVALID_ARGUMENT, "another client");
  host_buffer_destroy(x);
  host_buffer_destroy(y[0]);
  host_buffer_destroy(y[1]);
  host_client_destroy(here);
  host_client_destroy(there);
}

// ---- Between processes ----------------------------------------------------------------------------------------------

static void fill(float *values, int seed) {
  for (int i = 0; i < LARGE; i++) {
    values[i] = (float)(i % 1000 + seed);
  }
}

// Receives four megabytes, twice at once, and answers with how they came.
static int other_process(void) {
  PJRT_Client *client;
  PJRT_Buffer *got[2];
  float *values = malloc(2 * LARGE * sizeof *values), *wanted = values + LARGE;
  int wrong = 0;
  host_store_run(4);
  host_ok(host_run_join(1, 2, 1, HOST_RUN_TIMEOUT_MS, &client), "Client_Create");
  for (int i = 0; i < 2; i++) {
    host_ok(receive(client, PJRT_Buffer_Type_F32, dims_large, 40 + i, &got[i]), "receive");
  }
  for (int i = 0; i < 2; i++) {
    host_get(got[i], values, LARGE);
    fill(wanted, i);
    wrong += memcmp(values, wanted, LARGE * sizeof *values) != 0;
    host_buffer_destroy(got[i]);
  }
  free(values);
  host_client_destroy(client);
  return wrong;
}

static pid_t other;

// Several large buffers go to another process at once.
static void test_between_processes(void **state) {
  (void)state;
  PJRT_Client *client;
  host_store_run(4);
  host_ok(host_run_join(0, 2, 1, HOST_RUN_TIMEOUT_MS, &client), "Client_Create");
  float *values = malloc(LARGE * sizeof *values);
  PJRT_Buffer *x[2];
  PJRT_Event *sent[2];
  for (int i = 0; i < 2; i++) {
    fill(values, i);
    x[i] = host_put(client, host_device(client, 0), values, dims_large, 1);
    host_ok(send_by_key(client, x[i], 40 + i, &sent[i]), "send");
  }
  for (int i = 0; i < 2; i++) {
    const char *message;
    assert_int_equal(host_await(sent[i], &message), PJRT_Error_Code_OK);
    host_buffer_destroy(x[i]);
  }
  free(values);
  int status;
  assert_int_equal(waitpid(other, &status, 0), other);
  assert_int_equal(status, 0);
  host_client_destroy(client);
}

// Without memory the end of a copy says so, and the copy can be made again; a host of version 1 hears nothing.
static void test_copy_without_memory(void **state) {
  (void)state;
  PJRT_Client *here = host_client_create(1);
  PJRT_Buffer *x = host_put(here, host_device(here, 0), six, dims_6, 1);
  char nonsense[] = "nonsense", *descriptor = nonsense;
  size_t size = sizeof nonsense - 1;
  mr_alloc_fail_here(true);
  for (uint64_t nth = 1; nth <= 2; nth++) {
    outcome done = {0};
    (void)mr_alloc_fail_nth(nth);
    copy_to(x, NULL, &descriptor, &size, &done);
    (void)mr_alloc_fail_nth(0);
    wait_for(&done);
    assert_int_equal(done.code, PJRT_Error_Code_RESOURCE_EXHAUSTED);
    assert_false(done.sent);
    (void)mr_alloc_fail_nth(nth);
    copy_to_v1(x, nonsense, size);
    (void)mr_alloc_fail_nth(0);
  }
  mr_alloc_fail_here(false);
  host_buffer_destroy(x);
  host_client_destroy(here);
}

// With failing allocations: where no process waits for another, whose end would come with an event.
static int run_alone(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_descriptor), cmocka_unit_test(test_by_descriptor_v1),
                                     cmocka_unit_test(test_copy_without_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv) {
  if (host_fails_allocations()) {
    return run_alone();
  }
  if (argc > 1) {
    host_set_library(argv[1]);
  }
  if (!host_store_create()) {
    return 1;
  }
  // Before there is a plugin, and a thread, in this process.
  other = fork();
  if (other == 0) {
    _exit(other_process());
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_other_orders),      cmocka_unit_test(test_by_key),
      cmocka_unit_test(test_failures_by_key),   cmocka_unit_test(test_wrong_peers),
      cmocka_unit_test(test_peer_is_gone),      cmocka_unit_test(test_client_goes_away),
      cmocka_unit_test(test_by_descriptor),     cmocka_unit_test(test_by_descriptor_v1),
      cmocka_unit_test(test_between_processes),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  host_store_remove();
  return failed;
}
