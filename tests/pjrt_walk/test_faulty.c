// A device that fails once, at each of its operations in turn, while programs run on it: the failure is told on what it is of and
// on nothing else, all that was held is let go of, and the client goes on.
//
// The plugin is the one that is linked with the program, which tells the device inside it what is to go wrong
// (devices/faulty/faulty.h). MILLRACE_TEST_FAULTS=all: all programs of the list, and every operation of each.
#include <stdlib.h>
#include <string.h>

#include "devices/faulty/faulty.h"
#include "pjrt/objects/objects.h"
#include "tests/cmocka.h"
#include "tests/file.h"
#include "tests/pjrt_walk/host.h"

enum { ROWS = 4, MOST_PORTS = 64, FEW_OPERATIONS = 6 };

// Those at the front are the ones that are always tried: calls, loops, branches, donations, several results.
static const char *const programs[] = {
    "mlp_train_step", "while_capture",  "branches",        "donation",        "sorts",           "dots",
    "multi_function", "ffts",           "scans",           "attention_block", "barrier",         "binary_f32",
    "cnn_grad",       "compare_all",    "complex_ops",     "constants",       "conv_grads",      "convert_from_f32",
    "convs",          "dynamic_slices", "int_int32",       "gather_batching", "linalg_basic",    "mlp_fwd",
    "pools",          "ragged_dot",     "reduce_variadic", "reductions",      "scatter_batched", "shape_ops",
};
// What goes wrong while a program runs, by operation.
static const char *const operations[] = {"copy_in", "copy_out", "copy", "fill", "launch", "call", "allocate", "load"};

static PJRT_Client *client;
static uint32_t num_rows;
static bool everything;
static bool together;  // the rows are one execution: with one of them others may fail

// ---- A program with what it is given and what it gives ------------------------------------------------------------------

typedef struct subject {
  const char *name;
  PJRT_LoadedExecutable *loaded;
  const mr_executable *executable;
  size_t num_params, num_results;
  void *inputs[MOST_PORTS];
  void *wanted[MOST_PORTS];
} subject;

static PJRT_LoadedExecutable *compile(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "tests/programs/%s.mlir", name);
  mr_span text = file_read(path);
  assert_non_null(text.data);
  static const char portable[] = {0x20, 0x01};  // runs on the device that it is told to
  // executable_build_options {4 replicas, assignment: on devices 0 to 3}
  static const char replicas[] = {0x1A, 0x10, 0x20, 0x04, 0x4A, 0x0C, 0x08, 0x04, 0x10,
                                  0x01, 0x1A, 0x06, 0x0A, 0x04, 0,    1,    2,    3};
  const PJRT_Program program = {.struct_size = sizeof program,
                                .code = (char *)(uintptr_t)text.data,
                                .code_size = text.size,
                                .format = "mlir",
                                .format_size = 4};
  HOST_ARGS(args, Client_Compile, .client = client, .program = &program,
            .compile_options = together ? replicas : portable,
            .compile_options_size = together ? sizeof replicas : sizeof portable);
  HOST_OK(Client_Compile, &args);
  mr_free((void *)(uintptr_t)text.data);
  return args.executable;
}

// Small numbers that are the same each time.
static void fill_input(const mr_port *port, void *to) {
  size_t width = mr_dtype_bytes(port->dtype), count = width ? port->bytes / width : 0;
  memset(to, 0, port->bytes);
  for (size_t i = 0; i < count; i++) {
    if (port->dtype == MR_F32) {
      ((float *)to)[i] = 0.1F + 0.2F * (float)(i % 7);
    } else if (port->dtype == MR_PRED) {
      ((uint8_t *)to)[i] = i % 2;
    } else if (port->dtype == MR_S32 || port->dtype == MR_U32 || port->dtype == MR_S8 || port->dtype == MR_U8) {
      ((uint8_t *)to)[i * width] = (uint8_t)(1 + i % 3);
    }
  }
}

// ---- Runs ---------------------------------------------------------------------------------------------------------------

typedef struct run {
  PJRT_Buffer *arguments[ROWS][MOST_PORTS], *results[ROWS][MOST_PORTS];
  PJRT_Event *done[ROWS];
  bool executed[ROWS];
  size_t failures[ROWS];
} run;

// Everything that fails says that it was asked to.
static bool note(run *r, uint32_t row, PJRT_Error_Code code, const char *message) {
  if (code == PJRT_Error_Code_OK) {
    return true;
  }
  r->failures[row]++;
  if (!strstr(message, "as was asked") && !strstr(message, "is lost")) {
    fail_msg("a failure that nobody asked for: code %d, %s", (int)code, message);
  }
  return false;
}

static bool note_error(run *r, uint32_t row, PJRT_Error *take_error) {
  const char *message;
  PJRT_Error_Code code = host_take_error(take_error, &message);
  return note(r, row, code, message);
}

static bool note_event(run *r, uint32_t row, PJRT_Event *take_event) {
  const char *message;
  PJRT_Error_Code code = host_await(take_event, &message);
  return note(r, row, code, message);
}

static bool note_buffer(run *r, uint32_t row, PJRT_Buffer *buffer) {
  const char *message;
  PJRT_Error_Code code = host_await_buffer(buffer, &message);
  return note(r, row, code, message);
}

// False: an argument was refused.
static bool put(run *r, const subject *s, uint32_t row) {
  bool complete = true;
  for (size_t i = 0; i < s->num_params; i++) {
    const mr_port *port = mr_executable_param(s->executable, i);
    HOST_ARGS(args, Client_BufferFromHostBuffer, .client = client, .data = s->inputs[i],
              .type = (PJRT_Buffer_Type)port->dtype, .dims = port->dims, .num_dims = port->rank,
              .host_buffer_semantics = (PJRT_HostBufferSemantics)(i % 2), .device = host_device(client, row));
    bool good = note_error(r, row, host_api()->PJRT_Client_BufferFromHostBuffer(&args));
    r->arguments[row][i] = args.buffer;
    if (good) {
      host_await(args.done_with_host_buffer, NULL);
    }
    complete = complete && good;
  }
  return complete;
}

// Each row is an execution of its own, and all are under way together.
static void execute(run *r, const subject *s, uint32_t row) {
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  PJRT_Buffer *const *arguments = r->arguments[row];
  PJRT_Buffer **results = r->results[row];
  HOST_ARGS(args, LoadedExecutable_Execute, .executable = s->loaded, .options = &options, .argument_lists = &arguments,
            .num_devices = 1, .num_args = s->num_params, .output_lists = &results,
            .device_complete_events = &r->done[row], .execute_device = host_device(client, row));
  r->executed[row] = note_error(r, row, host_api()->PJRT_LoadedExecutable_Execute(&args));
}

static void execute_together(run *r, const subject *s) {
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  PJRT_Buffer *const *arguments[ROWS];
  PJRT_Buffer **results[ROWS];
  for (uint32_t row = 0; row < num_rows; row++) {
    arguments[row] = r->arguments[row];
    results[row] = r->results[row];
  }
  HOST_ARGS(args, LoadedExecutable_Execute, .executable = s->loaded, .options = &options, .argument_lists = arguments,
            .num_devices = num_rows, .num_args = s->num_params, .output_lists = results,
            .device_complete_events = r->done);
  bool executed = note_error(r, 0, host_api()->PJRT_LoadedExecutable_Execute(&args));
  for (uint32_t row = 0; row < num_rows; row++) {
    r->executed[row] = executed;
  }
}

// True: the content came, and is this.
static bool read_back(run *r, uint32_t row, PJRT_Buffer *buffer, const void *wanted, size_t bytes, void *to) {
  HOST_ARGS(args, Buffer_ToHostBuffer, .src = buffer, .dst = to, .dst_size = bytes);
  if (!note_error(r, row, host_api()->PJRT_Buffer_ToHostBuffer(&args)) || !note_event(r, row, args.event)) {
    return false;
  }
  if (wanted && memcmp(to, wanted, bytes) != 0) {
    fail_msg("content that is not what it was, and no failure");
  }
  return true;
}

// An argument that came and was not given away is there whatever became of the execution.
static void look_at_arguments(run *r, const subject *s, uint32_t row) {
  for (size_t i = 0; i < s->num_params; i++) {
    const mr_port *port = mr_executable_param(s->executable, i);
    PJRT_Buffer *buffer = r->arguments[row][i];
    if (buffer && !host_buffer_is_deleted(buffer) && note_buffer(r, row, buffer)) {
      void *to = malloc(port->bytes + 1);
      assert_non_null(to);
      read_back(r, row, buffer, s->inputs[i], port->bytes, to);
      free(to);
    }
  }
}

// Results of a row are all good, or the event of the row has failed as well as those that are not.
static void look_at_results(run *r, subject *s, uint32_t row) {
  size_t bad = 0;
  for (size_t i = 0; i < s->num_results; i++) {
    const mr_port *port = mr_executable_result(s->executable, i);
    bool known = s->wanted[i] != NULL;
    if (!note_buffer(r, row, r->results[row][i])) {
      bad++;
      continue;
    }
    void *to = malloc(port->bytes + 1);
    assert_non_null(to);
    if (read_back(r, row, r->results[row][i], s->wanted[i], port->bytes, to) && !known) {
      s->wanted[i] = to;
    } else {
      free(to);
    }
  }
  bool good = note_event(r, row, r->done[row]);
  if (bad && good) {
    fail_msg("%zu results of row %u have failed, and the execution has not", bad, (unsigned)row);
  }
}

static void destroy(run *r, const subject *s) {
  for (uint32_t row = 0; row < num_rows; row++) {
    for (size_t i = 0; i < s->num_params; i++) {
      host_buffer_destroy(r->arguments[row][i]);
    }
    for (size_t i = 0; i < s->num_results; i++) {
      host_buffer_destroy(r->executed[row] ? r->results[row][i] : NULL);
    }
  }
}

// Once through a program: arguments, execution, results. Returns how many things failed, by row.
static void run_once(subject *s, run *r) {
  memset(r, 0, sizeof *r);
  bool complete = true;
  for (uint32_t row = 0; row < num_rows; row++) {
    bool there = put(r, s, row);
    complete &= there;
    if (there && !together) {
      execute(r, s, row);
    }
  }
  if (together && complete) {
    execute_together(r, s);
  }
  for (uint32_t row = 0; row < num_rows; row++) {
    if (r->executed[row]) {
      look_at_results(r, s, row);
    }
    look_at_arguments(r, s, row);
  }
  destroy(r, s);
}

// On this device; another's are a failure of the test, unless it is the same execution.
static size_t failures_of(const run *r, const subject *s, uint32_t failing) {
  size_t others = 0;
  for (uint32_t row = 0; row < num_rows; row++) {
    others += row == failing ? 0 : r->failures[row];
    if (others && !together) {
      fail_msg("%s: %zu failures on device %u, which was to work", s->name, r->failures[row], (unsigned)row);
    }
  }
  return r->failures[failing] + others;
}

// ---- Faults -------------------------------------------------------------------------------------------------------------

static mr_device *device_of(uint32_t row) { return host_device(client, row)->device; }

static void order(uint32_t row, const char *list) { assert_null(mr_faulty_set(device_of(row), mr_str_of(list))); }

static void expect_good(subject *s, const char *when) {
  run r;
  run_once(s, &r);
  for (uint32_t row = 0; row < num_rows; row++) {
    if (r.failures[row]) {
      fail_msg("%s: %zu failures on device %u %s", s->name, r.failures[row], (unsigned)row, when);
    }
  }
}

// A kernel is loaded once for each device, so what loads is a program that has not run.
static void renew(subject *s, const char *operation) {
  if (strcmp(operation, "load") == 0) {
    host_loaded_destroy(s->loaded);
    s->loaded = compile(s->name);
    s->executable = s->loaded->executable->executable;
  }
}

// The n-th operation of a device fails, if there are as many.
static void fail_one(subject *s, uint32_t row, const char *operation, uint64_t n, const char *fate) {
  char list[64];
  run r;
  snprintf(list, sizeof list, "%s:%llu:%s", operation, (unsigned long long)n, fate);
  renew(s, operation);
  order(row, list);
  run_once(s, &r);
  bool fired = mr_faulty_count(device_of(row), operation) >= n;
  size_t failures = failures_of(&r, s, row);
  if (strcmp(fate, "late") == 0) {
    assert_int_equal(failures, 0);
  } else if (fired != (failures > 0)) {
    fail_msg("%s: %s on device %u was asked for, %zu failures", s->name, list, (unsigned)row, failures);
  }
  order(row, "");
  if (failures) {
    expect_good(s, "after one that was asked for");
  }
}

static void fail_each(subject *s, const char *operation) {
  // How many there are, in a run where all is well.
  uint32_t row = num_rows - 1;
  renew(s, operation);
  order(row, "");
  expect_good(s, "that nobody asked for");
  uint64_t count = mr_faulty_count(device_of(row), operation);
  uint64_t step = everything || count <= FEW_OPERATIONS ? 1 : count / FEW_OPERATIONS;
  for (uint64_t n = 1; n <= count; n += step) {
    fail_one(s, (uint32_t)n % num_rows, operation, n, "fail");
  }
  if (count) {
    fail_one(s, row, operation, (count + 1) / 2, "refuse");
    fail_one(s, row, operation, (count + 1) / 2, "late");
    fail_one(s, row, operation, (count + 1) / 2, "lost");
  }
}

static void try_program(const char *name) {
  subject s = {.name = name, .loaded = compile(name)};
  s.executable = s.loaded->executable->executable;
  s.num_params = mr_executable_param_count(s.executable);
  s.num_results = mr_executable_result_count(s.executable);
  assert_true(s.num_params <= MOST_PORTS && s.num_results <= MOST_PORTS);
  for (size_t i = 0; i < s.num_params; i++) {
    const mr_port *port = mr_executable_param(s.executable, i);
    s.inputs[i] = malloc(port->bytes + 1);
    assert_non_null(s.inputs[i]);
    fill_input(port, s.inputs[i]);
  }
  expect_good(&s, "at first");
  for (size_t i = 0; i < MR_ARRAY_SIZE(operations); i++) {
    fail_each(&s, operations[i]);
  }
  for (size_t i = 0; i < MOST_PORTS; i++) {
    free(s.inputs[i]);
    free(s.wanted[i]);
  }
  host_loaded_destroy(s.loaded);
}

static void try_programs(const char *kinds, uint32_t rows, size_t count) {
  setenv("MILLRACE_DEVICES", kinds, 1);
  num_rows = rows;
  client = host_client_create(rows);
  for (size_t i = 0; i < (everything ? MR_ARRAY_SIZE(programs) : count); i++) {
    try_program(programs[i]);
  }
  host_client_destroy(client);
}

static void test_one_device(void **state) {
  (void)state;
  try_programs("faulty:cpu", 1, 8);
}

static void test_four_devices(void **state) {
  (void)state;
  try_programs("faulty:cpu", 4, 2);
}

// The same over devices that take their time.
static void test_late_device(void **state) {
  (void)state;
  try_programs("faulty:fenced", 1, 1);
}

static void test_four_late_devices(void **state) {
  (void)state;
  try_programs("faulty:fenced", 4, 1);
}

// ---- Work that never ends -----------------------------------------------------------------------------------------------

// What a client gives up is not held for ever, though nobody has waited for it.
static void leave_behind(const char *operation) {
  static const float input[6] = {1, 2, 3, 4, 5, 6};
  static float output[6];
  static const int64_t dims[] = {6};
  char list[64];
  snprintf(list, sizeof list, "%s:1:never", operation);
  client = host_client_create(1);
  PJRT_LoadedExecutable *loaded =
      host_compile(client, "func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {\n"
                           "  %0 = stablehlo.sine %x : tensor<6xf32>\n  return %0 : tensor<6xf32>\n}\n");
  order(0, list);
  PJRT_Buffer *argument = host_put(client, host_device(client, 0), input, dims, 1), *result = NULL;
  PJRT_Buffer *const *arguments = &argument;
  PJRT_Buffer **results = &result;
  HOST_ARGS(call, LoadedExecutable_Execute, .executable = loaded, .num_devices = 1, .num_args = 1,
            .argument_lists = &arguments, .output_lists = &results);
  HOST_OK(LoadedExecutable_Execute, &call);
  HOST_ARGS(read, Buffer_ToHostBuffer, .src = result, .dst = output, .dst_size = sizeof output);
  HOST_OK(Buffer_ToHostBuffer, &read);
  HOST_ARGS(ask, Event_IsReady, .event = read.event);
  HOST_OK(Event_IsReady, &ask);
  assert_false(ask.is_ready);
  HOST_ARGS(drop, Event_Destroy, .event = read.event);
  HOST_OK(Event_Destroy, &drop);
  host_buffer_destroy(argument);
  host_buffer_destroy(result);
  host_loaded_destroy(loaded);
  host_client_destroy(client);
}

// One execution over four devices of which one fails, as they are and taking their time.
static void test_four_rows(void **state) {
  (void)state;
  together = true;
  try_programs("faulty:cpu", ROWS, 2);
  try_programs("faulty:fenced", ROWS, 1);
  together = false;
}

static void test_what_never_ends(void **state) {
  (void)state;
  setenv("MILLRACE_DEVICES", "faulty:cpu", 1);
  leave_behind("copy_in");
  leave_behind("launch");
  leave_behind("copy_out");
}

int main(void) {
  host_link_plugin();
  const char *faults = getenv("MILLRACE_TEST_FAULTS");
  everything = faults && strcmp(faults, "all") == 0;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_device),  cmocka_unit_test(test_four_devices),
      cmocka_unit_test(test_late_device), cmocka_unit_test(test_four_late_devices),
      cmocka_unit_test(test_four_rows),   cmocka_unit_test(test_what_never_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
