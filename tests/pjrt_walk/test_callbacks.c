// What a host is told by callbacks, and what it may do in them: sleep, and wait for anything else.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

enum { RUNS = 8, N = 96, LIMIT_MS = 10000 };

static PJRT_Client *client;
static PJRT_LoadedExecutable *products, *plus_one;  // of a test: they keep what a device has of them

// Long enough to be a node that a worker runs.
static const char products_text[] =
    "func.func @main(%a: tensor<96x96xf32>) -> tensor<96x96xf32> {\n"
    "  %n = stablehlo.constant dense<8> : tensor<i32>\n  %z = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %r:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<96x96xf32>\n"
    "  cond {\n    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %p : tensor<i1>\n  } do {\n    %j = stablehlo.add %i, %one : tensor<i32>\n"
    "    %y = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<96x96xf32>, tensor<96x96xf32>) "
    "-> tensor<96x96xf32>\n"
    "    stablehlo.return %j, %y : tensor<i32>, tensor<96x96xf32>\n  }\n"
    "  return %r#1 : tensor<96x96xf32>\n}\n";
static const char plus_one_text[] =
    "func.func @main(%a: tensor<96x96xf32>) -> tensor<96x96xf32> {\n"
    "  %one = stablehlo.constant dense<1.0> : tensor<96x96xf32>\n  %y = stablehlo.add %a, %one : tensor<96x96xf32>\n"
    "  return %y : tensor<96x96xf32>\n}\n";

static int setup(void **state) {
  (void)state;
  setenv("MILLRACE_THREADS", "2", 1);
  client = host_client_create(1);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  host_client_destroy(client);
  return 0;
}

static void open_programs(void) {
  products = host_compile(client, products_text);
  plus_one = host_compile(client, plus_one_text);
}

static void close_programs(void) {
  host_loaded_destroy(products);
  host_loaded_destroy(plus_one);
}

// ---- An argument that comes when the host says so --------------------------------------------------------------------------

typedef struct gate {
  PJRT_AsyncHostToDeviceTransferManager *manager;
  PJRT_Buffer *buffer;
} gate;

static gate close_gate(void) {
  static const int64_t dims[] = {N, N};
  PJRT_ShapeSpec spec = {.struct_size = sizeof spec, .dims = dims, .num_dims = 2, .element_type = PJRT_Buffer_Type_F32};
  HOST_ARGS(make, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = &spec,
            .num_shape_specs = 1);
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &make);
  HOST_ARGS(take, AsyncHostToDeviceTransferManager_RetrieveBuffer, .transfer_manager = make.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_RetrieveBuffer, &take);
  return (gate){make.transfer_manager, take.buffer_out};
}

static void open_gate(gate g) {
  static const float zeros[N * N];
  HOST_ARGS(put, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = g.manager, .data = zeros,
            .transfer_size = sizeof zeros, .is_last_transfer = true);
  HOST_OK(AsyncHostToDeviceTransferManager_TransferData, &put);
  assert_int_equal(host_await(put.done_with_h2d_transfer, NULL), PJRT_Error_Code_OK);
  HOST_ARGS(gone, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = g.manager);
  HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &gone);
}

typedef struct run {
  PJRT_Buffer *result;
  PJRT_Event *done;
} run;

static run begin(PJRT_LoadedExecutable *loaded, PJRT_Buffer *argument) {
  run r = {0};
  PJRT_Buffer *const *arguments = &argument;
  PJRT_Buffer **results = &r.result;
  HOST_ARGS(call, LoadedExecutable_Execute, .executable = loaded, .num_devices = 1, .num_args = 1,
            .argument_lists = &arguments, .output_lists = &results, .device_complete_events = &r.done);
  HOST_OK(LoadedExecutable_Execute, &call);
  return r;
}

static void end(run r) {
  assert_int_equal(host_await(r.done, NULL), PJRT_Error_Code_OK);
  host_buffer_destroy(r.result);
}

static void on_ready(PJRT_Event *event, PJRT_Event_OnReadyCallback callback, void *user) {
  HOST_ARGS(then, Event_OnReady, .event = event, .callback = callback, .user_arg = user);
  HOST_OK(Event_OnReady, &then);
}

static bool is_ready(PJRT_Event *event) {
  HOST_ARGS(ready, Event_IsReady, .event = event);
  HOST_OK(Event_IsReady, &ready);
  return ready.is_ready;
}

// ---- Tests -----------------------------------------------------------------------------------------------------------------

static _Atomic(int) inside, ended, missed;

// Out again when as many are in as there are, or after ten seconds.
static void meet_others(PJRT_Error *error, void *user) {
  assert_null(error);
  int all = *(int *)user;
  atomic_fetch_add(&inside, 1);
  for (int ms = 0; atomic_load(&inside) < all; ms++) {
    if (ms == LIMIT_MS) {
      atomic_fetch_add(&missed, 1);
      break;
    }
    usleep(1000);
  }
  atomic_fetch_add(&ended, 1);
}

// Who waits for an event that is set already does not wait for its callbacks.
static void until_ended(int count) {
  while (atomic_load(&ended) != count) {
    usleep(1000);
  }
  assert_int_equal(atomic_load(&missed), 0);
}

// Callbacks that sleep hold no worker: eight are inside at once where there are two.
static void test_sleeping_callbacks(void **state) {
  (void)state;
  static int all = RUNS;
  open_programs();
  atomic_store(&inside, 0);
  atomic_store(&ended, 0);
  gate g = close_gate();
  run runs[RUNS];
  for (int i = 0; i < RUNS; i++) {
    runs[i] = begin(products, g.buffer);
    on_ready(runs[i].done, meet_others, &all);
  }
  open_gate(g);
  for (int i = 0; i < RUNS; i++) {
    end(runs[i]);
  }
  until_ended(RUNS);
  host_buffer_destroy(g.buffer);
  close_programs();
}

// Looks for what comes of the result whose callback it is, without a word to anybody. `user`: a run.
static void until_over(PJRT_Error *error, void *user) {
  assert_null(error);
  const run *r = user;
  for (int ms = 0; !is_ready(r->done); ms++) {
    if (ms == LIMIT_MS) {
      atomic_fetch_add(&missed, 1);
      break;
    }
    usleep(1000);
  }
  atomic_fetch_add(&ended, 1);
}

// A callback on a result may wait for what is computed from it, short or long, though that was asked for later.
static void test_a_callback_waits_for_what_follows(void **state) {
  (void)state;
  open_programs();
  PJRT_LoadedExecutable *nexts[] = {plus_one, products};
  for (int i = 0; i < 2; i++) {
    atomic_store(&ended, 0);
    gate g = close_gate();
    run next, first = begin(products, g.buffer);
    HOST_ARGS(ready, Buffer_ReadyEvent, .buffer = first.result);
    HOST_OK(Buffer_ReadyEvent, &ready);
    on_ready(ready.event, until_over, &next);
    next = begin(nexts[i], first.result);
    open_gate(g);
    assert_int_equal(host_await(ready.event, NULL), PJRT_Error_Code_OK);
    until_ended(1);
    end(next);
    end(first);
    host_buffer_destroy(g.buffer);
  }
  close_programs();
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sleeping_callbacks),
                                     cmocka_unit_test(test_a_callback_waits_for_what_follows)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
