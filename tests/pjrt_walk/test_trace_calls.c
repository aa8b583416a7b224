// Every call that does work is a node in the trace of its process, with its kind; what waits for another has a flow from it.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

enum { MANY = 197 };        // executions of a small program
enum { LARGE = 17 << 20 };  // bytes that are not copied within a call (devices/tuning.h)

static const char *self;

// ---- The process that is traced ---------------------------------------------------------------------------------------

static const char add_one[] = "module @add_one {\nfunc.func public @main(%x: tensor<6xf32>) -> tensor<6xf32> {\n"
                              "  %c = stablehlo.constant dense<1.0> : tensor<6xf32>\n"
                              "  %r = stablehlo.add %x, %c : tensor<6xf32>\n  return %r : tensor<6xf32>\n}\n}\n";
static const float six[6] = {1, 2, 3, 4, 5, 6};
static const int64_t dims[1] = {6};

static void told(PJRT_Error *error, void *arg) {
  host_take_error(error, NULL);
  atomic_fetch_add_explicit((_Atomic(int) *)arg, 1, memory_order_release);  // pairs with the load after the wait
}

// The program runs after a buffer that is filled when everything that waits for it is there.
static void run_on_what_comes(PJRT_Client *client, PJRT_LoadedExecutable *loaded) {
  PJRT_ShapeSpec spec = {.struct_size = sizeof spec, .dims = dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32};
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = &spec,
            .num_shape_specs = 1);
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  HOST_ARGS(get, AsyncHostToDeviceTransferManager_RetrieveBuffer, .transfer_manager = create.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_RetrieveBuffer, &get);
  PJRT_Buffer *result = NULL, **outputs = &result, *const *arguments = &get.buffer_out;
  PJRT_Event *done = NULL;
  HOST_ARGS(run, LoadedExecutable_Execute, .executable = loaded, .num_devices = 1, .num_args = 1,
            .argument_lists = &arguments, .output_lists = &outputs, .device_complete_events = &done);
  HOST_OK(LoadedExecutable_Execute, &run);
  _Atomic(int) calls = 0;
  HOST_ARGS(then, Event_OnReady, .event = done, .callback = told, .user_arg = &calls);
  HOST_OK(Event_OnReady, &then);
  HOST_ARGS(piece, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = create.transfer_manager,
            .data = six, .transfer_size = sizeof six, .is_last_transfer = true);
  HOST_OK(AsyncHostToDeviceTransferManager_TransferData, &piece);
  host_await(piece.done_with_h2d_transfer, NULL);
  assert_int_equal(host_await(done, NULL), PJRT_Error_Code_OK);
  while (!atomic_load_explicit(&calls, memory_order_acquire)) {
    usleep(100);
  }
  HOST_ARGS(gone, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = create.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &gone);
  host_buffer_destroy(get.buffer_out);
  host_buffer_destroy(result);
}

static void copy_about(PJRT_Client *client) {
  PJRT_Buffer *small = host_put(client, host_device(client, 0), six, dims, 1);
  HOST_ARGS(copy, Buffer_CopyToMemory, .buffer = small,
            .dst_memory = host_memory(host_device(client, 0), "pinned_host"));
  HOST_OK(Buffer_CopyToMemory, &copy);
  float got[6];
  host_get(copy.dst_buffer, got, 6);
  assert_memory_equal(got, six, sizeof six);
  host_buffer_destroy(copy.dst_buffer);
  host_buffer_destroy(small);
}

// Copies that the caller does not wait for.
static void copy_much(PJRT_Client *client) {
  const int64_t size[] = {LARGE};
  char *bytes = calloc(2, LARGE);
  HOST_ARGS(put, Client_BufferFromHostBuffer, .client = client, .data = bytes, .type = PJRT_Buffer_Type_U8,
            .dims = size, .num_dims = 1,
            .host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes,
            .device = host_device(client, 0));
  HOST_OK(Client_BufferFromHostBuffer, &put);
  host_await(put.done_with_host_buffer, NULL);
  HOST_ARGS(get, Buffer_ToHostBuffer, .src = put.buffer, .dst = bytes + LARGE, .dst_size = LARGE);
  HOST_OK(Buffer_ToHostBuffer, &get);
  host_await(get.event, NULL);
  HOST_ARGS(copy, Buffer_CopyToMemory, .buffer = put.buffer,
            .dst_memory = host_memory(host_device(client, 0), "pinned_host"));
  HOST_OK(Buffer_CopyToMemory, &copy);
  assert_int_equal(host_await_buffer(copy.dst_buffer, NULL), PJRT_Error_Code_OK);
  host_buffer_destroy(copy.dst_buffer);
  host_buffer_destroy(put.buffer);
  PJRT_ShapeSpec spec = {.struct_size = sizeof spec, .dims = size, .num_dims = 1, .element_type = PJRT_Buffer_Type_U8};
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = &spec,
            .num_shape_specs = 1);
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  HOST_ARGS(piece, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = create.transfer_manager,
            .data = bytes, .transfer_size = LARGE, .is_last_transfer = true);
  HOST_OK(AsyncHostToDeviceTransferManager_TransferData, &piece);
  host_await(piece.done_with_h2d_transfer, NULL);
  HOST_ARGS(gone, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = create.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &gone);
  free(bytes);
}

static int run_child(void) {
  PJRT_Client *client = host_client_create(1);
  PJRT_LoadedExecutable *loaded = host_compile(client, add_one);
  copy_about(client);
  PJRT_Buffer *argument = host_put(client, host_device(client, 0), six, dims, 1), *result = NULL;
  HOST_ARGS(nothing, Buffer_ReadyEvent, .buffer = argument);
  HOST_OK(Buffer_ReadyEvent, &nothing);
  host_await(nothing.event, NULL);
  host_ok(host_execute(loaded, &argument, 1, &result), "Execute");
  host_buffer_destroy(result);
  run_on_what_comes(client, loaded);
  for (int i = 0; i < MANY; i++) {
    host_ok(host_execute(loaded, &argument, 1, &result), "Execute");
    host_buffer_destroy(result);
  }
  host_buffer_destroy(argument);
  copy_much(client);
  host_loaded_destroy(loaded);
  host_client_destroy(client);
  return 0;
}

// ---- What its trace says ------------------------------------------------------------------------------------------------

enum { MOST_LINES = 4000 };
static char lines[MOST_LINES][400];
static int line_count;

static int trace_child(void **state) {
  (void)state;
  FILE *file = host_trace_of_child(self);
  while (line_count < MOST_LINES && fgets(lines[line_count], sizeof lines[0], file)) {
    line_count++;
  }
  fclose(file);
  return 0;
}

// The line of a node with this name, kind and category, from `from` on, or -1.
static int find_node(int from, const char *category, const char *name, const char *kind) {
  char head[128], what[64];
  snprintf(head, sizeof head, "{\"ph\":\"X\",\"name\":\"%s\",\"cat\":\"%s\"", name, category);
  snprintf(what, sizeof what, "\"args\":{\"kind\":\"%s\"", kind);
  for (int i = from; i < line_count; i++) {
    if (strncmp(lines[i], head, strlen(head)) == 0 && strstr(lines[i], what)) {
      return i;
    }
  }
  return -1;
}

// The line after a node's, where there is one, tells what made it ready.
static bool comes_from_somewhere(int node) {
  static const char ends[] = "{\"ph\":\"f\"";
  const char *id = node + 1 < line_count && strncmp(lines[node + 1], ends, strlen(ends)) == 0
                       ? strstr(lines[node + 1], "\"id\":")
                       : NULL;
  char wanted[32] = "";
  if (!id || sscanf(id, "\"id\":\"%20[0-9a-f]\"", wanted) != 1) {
    return false;
  }
  for (int i = 0; i < line_count; i++) {
    if (strncmp(lines[i], "{\"ph\":\"s\"", 9) == 0 && strstr(lines[i], wanted)) {
      return true;
    }
  }
  return false;
}

static void test_each_call_is_a_node(void **state) {
  (void)state;
  static const struct {
    const char *category, *name, *kind;
  } wanted[] = {
      {"compile", "compile", "compile"},
      {"transfer", "host to device", "host-to-device"},
      {"transfer", "device to host", "device-to-host"},
      {"transfer", "copy", "copy"},
      {"transfer", "piece to device", "host-to-device"},
      {"node", "add_one", "execute"},
      {"node", "host callback", "callback"},
      {"node", "host to device", "host-to-device"},  // the large ones, on a worker
      {"node", "device to host", "device-to-host"},
      {"node", "copy", "copy"},
      {"node", "piece to device", "host-to-device"},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    int found = find_node(0, wanted[i].category, wanted[i].name, wanted[i].kind);
    if (found < 0) {
      fail_msg("no %s %s of kind %s", wanted[i].category, wanted[i].name, wanted[i].kind);
    }
    bool on_device = strcmp(wanted[i].kind, "compile") != 0 && strcmp(wanted[i].kind, "callback") != 0;
    if (on_device) {
      assert_non_null(strstr(lines[found], "\"device\":0"));
    }
  }
}

// Of the executions the one that waited for the piece comes out of it.
static void test_what_waited_has_a_flow(void **state) {
  (void)state;
  int flows = 0;
  for (int at = 0; (at = find_node(at, "node", "add_one", "execute")) >= 0; at++) {
    flows += comes_from_somewhere(at);
  }
  assert_int_equal(flows, 1);
}

// However short and many, all executions are there, the later ones eight to a record; some show their steps.
static void test_executions_are_counted(void **state) {
  (void)state;
  int records = 0, executions = 0, steps = 0;
  for (int at = 0; (at = find_node(at, "node", "add_one", "execute")) >= 0; at++) {
    const char *many = strstr(lines[at], "\"nodes\":");
    int stands_for = 1;
    if (many) {
      assert_int_equal(sscanf(many, "\"nodes\":%d", &stands_for), 1);
    }
    records++;
    executions += stands_for;
    assert_non_null(strstr(lines[at], "\"cost_ns\":"));
  }
  for (int i = 0; i < line_count; i++) {
    steps += strstr(lines[i], "\"cat\":\"step\"") != NULL;
  }
  assert_in_range(executions, MANY + 2 - 7, MANY + 2);
  assert_in_range(records, 64, 100);
  assert_in_range(steps, 2, 10);
}

int main(int argc, char **argv) {
  self = argv[0];
  if (argc > 1 && strcmp(argv[1], "--child") == 0) {
    return run_child();
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_call_is_a_node),
      cmocka_unit_test(test_what_waited_has_a_flow),
      cmocka_unit_test(test_executions_are_counted),
  };
  return cmocka_run_group_tests(tests, trace_child, NULL);
}
