// Every member of PJRT_ExecuteOptions and PJRT_LoadOptions in pjrt/proto/options.def, and every create option of
// pjrt/objects/create_options.def, set to something that matters: it does what the table says. A row without a case fails.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_client.h"

static const float six[] = {1, 2, 3, 4, 5, 6};
static const int64_t dims_2x3[] = {2, 3};

// ---- Which rows there are -----------------------------------------------------------------------------------------------------

// Where each is tried: a test of this file (NULL), or another file, which then has to set it: ".name" of a member, "name" of an option.
static const struct {
  const char *name, *file;
} tried[] = {
    {"struct_size", NULL},
    {"extension_start", NULL},
    {"send_callbacks", NULL},
    {"recv_callbacks", "test_channels.c"},
    {"num_send_ops", NULL},
    {"num_recv_ops", "test_channels.c"},
    {"launch_id", "walk_buffer.c"},
    {"non_donatable_input_indices", "test_execute.c"},
    {"num_non_donatable_input_indices", "test_execute.c"},
    {"context", "test_ext_first.c"},
    {"call_location", "walk_program.c"},
    {"num_tasks", NULL},
    {"task_ids", NULL},
    {"incarnation_ids", NULL},
    {"multi_slice_config", NULL},
    {"use_major_to_minor_data_layout_for_callbacks", NULL},
    {"hlo_output_callbacks", "test_channels.c"},
    {"num_hlo_output_callbacks", "test_channels.c"},
    {"computation_origin", "test_options.c"},
    {"computation_origin_size", "test_options.c"},
    {"platform_name", NULL},
    {"num_devices", NULL},
    {"cpu_device_count", NULL},
    {"devices", NULL},
    {"streams", NULL},
    {"run_in_call", "../../python/jax_plugins/millrace/__init__.py"},  // for tests/jax/test_callbacks.py
    {"ffi_errors", "../../python/jax_plugins/millrace/__init__.py"},   // for tests/jax/test_ffi.py
    {"asynchronous", NULL},
    {"queue_calls", NULL},
    {"queue_mb", NULL},
    {"node_id", NULL},
    {"num_nodes", NULL},
    {"partition_index", NULL},
    {"topology_timeout_ms", "host_store.c"},
};

static void assert_tried(const char *name, bool member) {
  for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
    if (strcmp(tried[i].name, name) == 0) {
      if (tried[i].file) {
        static char text[1 << 17];
        char path[300];
        snprintf(path, sizeof path, "%s/tests/pjrt_walk/%s", MR_SOURCE_DIR, tried[i].file);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        char set[100];
        snprintf(set, sizeof set, member ? ".%s" : "\"%s\"", name);
        if (!strstr(text, set)) {
          fail_msg("%s does not set %s", tried[i].file, name);
        }
      }
      return;
    }
  }
  fail_msg("%s: no test sets it", name);
}

static void test_each_is_tried(void **state) {
  (void)state;
  static const struct {
    const char *message, *name;
  } fields[] = {
#define FIELD(message, number, name, fate, why) {#message, #name},
#include "pjrt/proto/options.def"
  };
  static const char *const created[] = {
#define CREATE_OPTION(name, type, why) #name,
#include "pjrt/objects/create_options.def"
  };
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
    if (strncmp(fields[i].message, "PJRT_", 5) == 0) {
      assert_tried(fields[i].name, true);
    }
  }
  for (size_t i = 0; i < sizeof created / sizeof created[0]; i++) {
    assert_tried(created[i], false);
  }
}

// ---- Execute options ----------------------------------------------------------------------------------------------------------

static const char add_text[] = "module @m { func.func public @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
                               "    %0 = stablehlo.add %a, %a : tensor<2x3xf32>\n"
                               "    return %0 : tensor<2x3xf32> } }\n";
static const char send_text[] =
    "func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
    "  %t = stablehlo.create_token : !stablehlo.token\n"
    "  %s = \"stablehlo.send\"(%x, %t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>,\n"
    "    is_host_transfer = true} : (tensor<2x3xf32>, !stablehlo.token) -> !stablehlo.token\n"
    "  return %x : tensor<2x3xf32>\n}\n";

static PJRT_Error *execute(PJRT_LoadedExecutable *loaded, PJRT_ExecuteOptions *options) {
  PJRT_Buffer *x = host_put(client, device, six, dims_2x3, 2), *const * ins[] = {&x}, *result = NULL,
              **outs[] = {&result};
  HOST_ARGS(args, LoadedExecutable_Execute, .executable = loaded, .options = options, .argument_lists = ins,
            .num_devices = 1, .num_args = 1, .output_lists = outs);
  PJRT_Error *error = host_api()->PJRT_LoadedExecutable_Execute(&args);
  if (!error) {
    float got[6];
    host_get(result, got, 6);
    host_buffer_destroy(result);
  }
  host_buffer_destroy(x);
  return error;
}

static void test_options_of_executions(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded = host_compile(client, add_text);
  PJRT_Extension_Base extension = {.struct_size = sizeof extension, .type = PJRT_Extension_Type_Example};
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .extension_start = &extension};
  host_ok(execute(loaded, &options), "with an extension");
  options = (PJRT_ExecuteOptions){.struct_size = 8};
  host_refused(execute(loaded, &options), PJRT_Error_Code_INVALID_ARGUMENT, "execute options: struct_size is 8");
  options = (PJRT_ExecuteOptions){.struct_size = sizeof options, .num_tasks = 2};
  host_refused(execute(loaded, &options), PJRT_Error_Code_INVALID_ARGUMENT, "2 tasks without their ids");
  options.task_ids = (int[]){0, 1};
  host_refused(execute(loaded, &options), PJRT_Error_Code_INVALID_ARGUMENT, "2 tasks without their ids");
  options.incarnation_ids = (int64_t[]){7, 8};
  host_ok(execute(loaded, &options), "with tasks");
  options = (PJRT_ExecuteOptions){.struct_size = sizeof options,
                                  .multi_slice_config = (PJRT_MultiSlice_Config *)(uintptr_t)&extension};
  host_refused(execute(loaded, &options), PJRT_Error_Code_UNIMPLEMENTED,
               "execute options: multi_slice_config: there is one slice");
  host_loaded_destroy(loaded);
}

static PJRT_Error *take_sent(PJRT_Chunk *chunk, PJRT_CallbackError *callback_error, size_t total_size, bool done,
                             void *user_arg) {
  (void)callback_error;
  assert_true(done && total_size == sizeof six && chunk->size == sizeof six);
  memcpy(user_arg, chunk->data, sizeof six);
  chunk->deleter(chunk->data, chunk->deleter_arg);
  return NULL;
}

// What a program sends is in major-to-minor order, whatever the host says.
static void test_order_of_what_is_sent(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded = host_compile(client, send_text);
  for (int major_to_minor = 0; major_to_minor < 2; major_to_minor++) {
    float sent[6] = {0};
    PJRT_SendCallbackInfo send = {.channel_id = 5, .user_arg = sent, .send_callback = take_sent}, *sends = &send;
    PJRT_ExecuteOptions options = {.struct_size = sizeof options,
                                   .send_callbacks = &sends,
                                   .num_send_ops = 1,
                                   .use_major_to_minor_data_layout_for_callbacks = major_to_minor};
    host_ok(execute(loaded, &options), "Execute");
    assert_memory_equal(sent, six, sizeof six);
  }
  host_loaded_destroy(loaded);
}

// ---- Create options -----------------------------------------------------------------------------------------------------------

static PJRT_NamedValue int_option(const char *name, int64_t value) {
  return (PJRT_NamedValue){.struct_size = sizeof(PJRT_NamedValue),
                           .name = name,
                           .name_size = strlen(name),
                           .type = PJRT_NamedValue_kInt64,
                           .int64_value = value,
                           .value_size = 1};
}

static PJRT_NamedValue text_option(const char *name, const char *value) {
  return (PJRT_NamedValue){.struct_size = sizeof(PJRT_NamedValue),
                           .name = name,
                           .name_size = strlen(name),
                           .type = PJRT_NamedValue_kString,
                           .string_value = value,
                           .value_size = strlen(value)};
}

static PJRT_Client *created(PJRT_NamedValue option) {
  HOST_ARGS(args, Client_Create, .create_options = &option, .num_options = 1);
  HOST_OK(Client_Create, &args);
  return args.client;
}

static void assert_device_count(PJRT_NamedValue option, size_t count) {
  PJRT_Client *made = created(option);
  HOST_ARGS(list, Client_AddressableDevices, .client = made);
  HOST_OK(Client_AddressableDevices, &list);
  assert_int_equal(list.num_addressable_devices, count);
  host_client_destroy(made);
}

static void test_options_of_clients(void **state) {
  (void)state;
  PJRT_Client *made = created(text_option("platform_name", "mill"));
  HOST_ARGS(name, Client_PlatformName, .client = made);
  HOST_OK(Client_PlatformName, &name);
  assert_int_equal(name.platform_name_size, 4);
  assert_memory_equal(name.platform_name, "mill", 4);
  host_client_destroy(made);
  assert_device_count(int_option("num_devices", 3), 3);
  assert_device_count(text_option("num_devices", "3"), 3);
  // It counts where all devices are CPUs.
  assert_device_count(int_option("cpu_device_count", 2), getenv("MILLRACE_DEVICES") ? 1 : 2);
  assert_device_count(text_option("devices", "cpu,null"), 2);
  made = created(int_option("streams", 0));
  const PJRT_Stream_Extension *streams = (const PJRT_Stream_Extension *)host_extension(PJRT_Extension_Type_Stream);
  PJRT_Get_Stream_For_External_Ready_Events_Args stream = {.struct_size = sizeof stream,
                                                           .device = host_device(made, 0)};
  host_refused(streams->get_stream(&stream), PJRT_Error_Code_UNIMPLEMENTED, "streams = 0");
  host_client_destroy(made);
  PJRT_NamedValue slip = int_option("num_device", 2);
  HOST_ARGS(args, Client_Create, .create_options = &slip, .num_options = 1);
  host_refused(host_api()->PJRT_Client_Create(&args), PJRT_Error_Code_INVALID_ARGUMENT,
               "no such create option: 'num_device'");
}

static void set_or_not(const char *name, const char *value) {
  if (value) {
    setenv(name, value, 1);
  } else {
    unsetenv(name);
  }
}

// The first of these counts that is there: the option num_devices, MILLRACE_NUM_DEVICES, the option cpu_device_count, XLA_FLAGS. The
// last two are of CPUs.
static void test_who_says_how_many_devices(void **state) {
  (void)state;
  const struct {
    const char *flags, *variable;
    PJRT_NamedValue option;
    size_t count;
  } cases[] = {
      {NULL, NULL, text_option("devices", "cpu"), 1},
      {"--xla_force_host_platform_device_count=5", NULL, text_option("devices", "cpu"), 5},
      {"--xla_force_host_platform_device_count=5", NULL, int_option("cpu_device_count", 4), 4},
      {"--xla_force_host_platform_device_count=5", "3", int_option("cpu_device_count", 4), 3},
      {"--xla_force_host_platform_device_count=5", "3", int_option("num_devices", 2), 2},
      {"--xla_force_host_platform_device_count=5", NULL, text_option("devices", "cpu,cpu"), 5},
      {"--xla_force_host_platform_device_count=5", NULL, text_option("devices", "cpu,null"), 2},
  };
  const char *kinds = getenv("MILLRACE_DEVICES");
  char kept[64] = "";
  assert_true(snprintf(kept, sizeof kept, "%s", kinds ? kinds : "") < (int)sizeof kept);
  unsetenv("MILLRACE_DEVICES");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    set_or_not("XLA_FLAGS", cases[i].flags);
    set_or_not("MILLRACE_NUM_DEVICES", cases[i].variable);
    assert_device_count(cases[i].option, cases[i].count);
  }
  unsetenv("MILLRACE_NUM_DEVICES");
  setenv("XLA_FLAGS", "--xla_force_host_platform_device_count=none", 1);
  HOST_ARGS(args, Client_Create);
  host_refused(host_api()->PJRT_Client_Create(&args), PJRT_Error_Code_INVALID_ARGUMENT,
               "--xla_force_host_platform_device_count in XLA_FLAGS is \"none\"");
  unsetenv("XLA_FLAGS");
  set_or_not("MILLRACE_DEVICES", *kept ? kept : NULL);
}

enum { SIDE = 512, CALLS = 16 };  // a product of milliseconds, on 1 MB

// Executes a product on arguments of its own so many times without a wait: the most executions that were not over when a call returned.
static int most_under_way(PJRT_NamedValue option) {
  static const char text[] = "module @m { func.func @main(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {\n"
                             "    %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] :\n"
                             "        (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>\n"
                             "    return %0 : tensor<512x512xf32> } }\n";
  static const int64_t dims[] = {SIDE, SIDE};
  PJRT_Client *made = created(option);
  PJRT_LoadedExecutable *loaded = host_compile(made, text);
  float *values = calloc((size_t)SIDE * SIDE, sizeof *values);
  assert_non_null(values);
  PJRT_Event *events[CALLS];
  int most = 0;
  for (int i = 0; i < CALLS; i++) {
    PJRT_Buffer *x = host_put(made, host_device(made, 0), values, dims, 2), *const * ins[] = {&x}, *result,
                **outs[] = {&result};
    HOST_ARGS(args, LoadedExecutable_Execute, .executable = loaded,
              .options = &(PJRT_ExecuteOptions){.struct_size = sizeof(PJRT_ExecuteOptions)}, .argument_lists = ins,
              .num_devices = 1, .num_args = 1, .output_lists = outs, .device_complete_events = &events[i]);
    HOST_OK(LoadedExecutable_Execute, &args);
    host_buffer_destroy(x);
    host_buffer_destroy(result);
    int pending = 0;
    for (int k = 0; k <= i; k++) {
      HOST_ARGS(ready, Event_IsReady, .event = events[k]);
      HOST_OK(Event_IsReady, &ready);
      pending += !ready.is_ready;
    }
    most = pending > most ? pending : most;
  }
  for (int i = 0; i < CALLS; i++) {
    HOST_ARGS(await, Event_Await, .event = events[i]);
    HOST_OK(Event_Await, &await);
    HOST_ARGS(destroy, Event_Destroy, .event = events[i]);
    HOST_OK(Event_Destroy, &destroy);
  }
  free(values);
  host_loaded_destroy(loaded);
  host_client_destroy(made);
  return most;
}

static void refuses_below_zero(const char *name) {
  PJRT_NamedValue option = int_option(name, -1);
  HOST_ARGS(args, Client_Create, .create_options = &option, .num_options = 1);
  host_refused(host_api()->PJRT_Client_Create(&args), PJRT_Error_Code_INVALID_ARGUMENT, name);
}

static void test_options_of_queues(void **state) {
  (void)state;
  assert_int_equal(most_under_way(int_option("asynchronous", 0)), 0);
  // One more than the limit may be told of as over a moment after it has made room.
  assert_in_range(most_under_way(int_option("queue_calls", 1)), 0, 2);
  // With four calls or fewer it does not matter what they hold.
  assert_in_range(most_under_way(int_option("queue_mb", 1)), 0, 5);
  refuses_below_zero("asynchronous");
  refuses_below_zero("queue_calls");
  refuses_below_zero("queue_mb");
}

// How many devices a topology of these options has, and in which slice the last one is.
static size_t topology_of(const PJRT_NamedValue *options, size_t count, int64_t *out_slice) {
  HOST_ARGS(create, TopologyDescription_Create, .create_options = options, .num_options = count);
  HOST_OK(TopologyDescription_Create, &create);
  HOST_ARGS(list, TopologyDescription_GetDeviceDescriptions, .topology = create.topology);
  HOST_OK(TopologyDescription_GetDeviceDescriptions, &list);
  size_t found = list.num_descriptions;
  HOST_ARGS(attributes, DeviceDescription_Attributes, .device_description = list.descriptions[found - 1]);
  HOST_OK(DeviceDescription_Attributes, &attributes);
  *out_slice = -1;
  for (size_t i = 0; i < attributes.num_attributes; i++) {
    const PJRT_NamedValue *value = &attributes.attributes[i];
    if (value->name_size == 11 && memcmp(value->name, "slice_index", 11) == 0) {
      *out_slice = value->int64_value;
    }
  }
  HOST_ARGS(destroy, TopologyDescription_Destroy, .topology = create.topology);
  HOST_OK(TopologyDescription_Destroy, &destroy);
  return found;
}

static void test_options_of_topologies(void **state) {
  (void)state;
  const PJRT_NamedValue options[] = {int_option("num_nodes", 2), int_option("num_devices", 3), int_option("node_id", 1),
                                     int_option("partition_index", 4)};
  int64_t slice;
  assert_int_equal(topology_of(options, 3, &slice), 6);
  assert_int_equal(slice, 0);
  assert_int_equal(topology_of(options, 4, &slice), 6);
  assert_int_equal(slice, 4);
  HOST_ARGS(create, TopologyDescription_Create, .create_options = options + 2, .num_options = 1);
  host_refused(host_api()->PJRT_TopologyDescription_Create(&create), PJRT_Error_Code_INVALID_ARGUMENT,
               "option 'node_id' is 1, wanted 0 to 0");
  HOST_ARGS(named, TopologyDescription_Create, .topology_name = "v5e:2x2", .topology_name_size = 7);
  host_refused(host_api()->PJRT_TopologyDescription_Create(&named), PJRT_Error_Code_INVALID_ARGUMENT,
               "topology 'v5e:2x2'");
}

int main(int argc, char **argv) {
  if (argc > 1) {
    host_set_library(argv[1]);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_is_tried),
      cmocka_unit_test(test_options_of_executions),
      cmocka_unit_test(test_order_of_what_is_sent),
      cmocka_unit_test(test_options_of_clients),
      cmocka_unit_test(test_who_says_how_many_devices),
      cmocka_unit_test(test_options_of_topologies),
      cmocka_unit_test(test_options_of_queues),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
