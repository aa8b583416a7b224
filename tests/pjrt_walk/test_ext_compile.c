// The extensions PhaseCompile and Profiler: what goes in and comes out are messages, which are read and written by hand here.
#include <stdlib.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_client.h"
#include "tests/pjrt_walk/host_refusals.h"

static const char program_text[] = "module @jit_f {\n"
                                   "  func.func private @twice(%arg0: tensor<6xf32>) -> tensor<6xf32> {\n"
                                   "    %0 = stablehlo.add %arg0, %arg0 : tensor<6xf32>\n"
                                   "    return %0 : tensor<6xf32>\n"
                                   "  }\n"
                                   "  func.func public @main(%arg0: tensor<6xf32>) -> tensor<6xf32> {\n"
                                   "    %0 = call @twice(%arg0) : (tensor<6xf32>) -> tensor<6xf32>\n"
                                   "    %1 = stablehlo.add %0, %0 : tensor<6xf32>\n"
                                   "    return %0 : tensor<6xf32>\n"
                                   "  }\n"
                                   "}\n";
static const float six[] = {1, 2, 3, 4, 5, 6};
static const int64_t dims_6[] = {6};

// ---- Messages -------------------------------------------------------------------------------------------------------

static size_t put_varint(char *to, uint64_t value) {
  size_t size = 0;
  for (; value >= 0x80; value >>= 7) {
    to[size++] = (char)(value | 0x80);
  }
  to[size++] = (char)value;
  return size;
}

static size_t put_field(char *to, uint32_t field, const char *text) {
  size_t size = put_varint(to, field << 3 | 2);
  size += put_varint(to + size, strlen(text));
  memcpy(to + size, text, strlen(text));
  return size + strlen(text);
}

static uint64_t take_varint(const uint8_t **at, const uint8_t *end) {
  uint64_t value = 0;
  for (unsigned shift = 0; *at < end; shift += 7) {
    uint8_t byte = *(*at)++;
    value |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80) {
      break;
    }
  }
  return value;
}

typedef struct bytes {
  const uint8_t *data;
  size_t size;
} bytes;

// The nth field of that number which has a length; no data when there is none.
static bytes find_field(bytes message, uint32_t field, int nth) {
  const uint8_t *at = message.data, *end = message.data + message.size;
  while (at < end) {
    uint64_t tag = take_varint(&at, end), value = take_varint(&at, end);
    if ((tag & 7) == 2) {
      assert_true(value <= (size_t)(end - at));
      if (tag >> 3 == field && nth-- == 0) {
        return (bytes){at, value};
      }
      at += value;
    } else {
      assert_int_equal(tag & 7, 0);
    }
  }
  return (bytes){NULL, 0};
}

static uint64_t find_number(bytes message, uint32_t field) {
  const uint8_t *at = message.data, *end = message.data + message.size;
  while (at < end) {
    uint64_t tag = take_varint(&at, end), value = take_varint(&at, end);
    if ((tag & 7) == 2) {
      at += value;
    } else if (tag >> 3 == field) {
      return value;
    }
  }
  return 0;
}

static bool is_text(bytes field, const char *text) {
  return field.size == strlen(text) && memcmp(field.data, text, field.size) == 0;
}

// ---- PhaseCompile ---------------------------------------------------------------------------------------------------

static const PJRT_PhaseCompile_Extension *phases(void) {
  return (const void *)host_extension(PJRT_Extension_Type_PhaseCompile);
}

static const PJRT_PhaseCompiler *compiler(void) {
  PJRT_PhaseCompile_Get_Compiler_Args args = {.struct_size = sizeof args};
  HOST_GUARDED_OK(phases()->get_compiler, &args);
  assert_non_null(args.phase_compiler);
  return args.phase_compiler;
}

// Runs phases on one program; the outputs are in `args`.
static PJRT_Error *run(bytes program, const char **names, size_t count, PJRT_PhaseCompile_Run_Phase_Args *args) {
  const char *programs[] = {(const char *)program.data};
  size_t sizes[4];
  for (size_t i = 0; i < count; i++) {
    sizes[i] = strlen(names[i]);
  }
  *args = (PJRT_PhaseCompile_Run_Phase_Args){.struct_size = sizeof *args,
                                             .phase_compiler = compiler(),
                                             .input_programs = programs,
                                             .input_programs_sizes = &program.size,
                                             .num_input_programs = 1,
                                             .phases_to_run = names,
                                             .phases_to_run_sizes = sizes,
                                             .num_phases_to_run = count};
  return phases()->run_phases(args);
}

static void release_outputs(const PJRT_PhaseCompile_Run_Phase_Args *args) {
  PJRT_PhaseCompile_C_Buffers_Destroy_Args destroy = {.struct_size = sizeof destroy,
                                                      .char_buffers = args->output_programs,
                                                      .char_buffer_sizes = args->output_programs_sizes,
                                                      .num_char_buffers = args->num_output_programs};
  phases()->c_buffers_destroy(&destroy);
}

static bytes first_output(const PJRT_PhaseCompile_Run_Phase_Args *args) {
  assert_int_equal(args->num_output_programs, 1);
  return (bytes){(const uint8_t *)args->output_programs[0], args->output_programs_sizes[0]};
}

static bytes program_message(const char *text, const char *format) {
  static char message[4096];
  size_t size = put_field(message, 1, text);
  size += put_field(message + size, 2, format);
  return (bytes){(const uint8_t *)message, size};
}

// The phases have names, in their order.
static void test_phase_names(void **state) {
  (void)state;
  PJRT_PhaseCompile_Get_PhaseNames_Args args = {.struct_size = sizeof args, .phase_compiler = compiler()};
  HOST_GUARDED_OK(phases()->get_phase_names, &args);
  assert_int_equal(args.num_phase_names, 3);
  assert_string_equal(args.phase_names[0], "check");
  assert_string_equal(args.phase_names[1], "simplify");
  assert_string_equal(args.phase_names[2], "compile");
  assert_int_equal(args.phase_names_sizes[1], 8);
  PJRT_PhaseCompile_C_Buffers_Destroy_Args destroy = {.struct_size = sizeof destroy,
                                                      .char_buffers = args.phase_names,
                                                      .char_buffer_sizes = args.phase_names_sizes,
                                                      .num_char_buffers = args.num_phase_names};
  phases()->c_buffers_destroy(&destroy);
  PJRT_PhaseCompile_Destroy_Compiler_Args end = {.struct_size = sizeof end, .phase_compiler = args.phase_compiler};
  phases()->destroy_compiler(&end);
  args.phase_compiler = NULL;
  host_refused(phases()->get_phase_names(&args), PJRT_Error_Code_INVALID_ARGUMENT, "phase_compiler is NULL");
}

static void assert_doubles(bytes serialized) {
  HOST_ARGS(load, Executable_DeserializeAndLoad, .client = client,
            .serialized_executable = (const char *)serialized.data, .serialized_executable_size = serialized.size);
  HOST_OK(Executable_DeserializeAndLoad, &load);
  PJRT_Buffer *x = host_put(client, device, six, dims_6, 1), *y = NULL;
  host_ok(host_execute(load.loaded_executable, &x, 1, &y), "Execute");
  float got[6];
  host_get(y, got, 6);
  for (int i = 0; i < 6; i++) {
    assert_true(got[i] == 2 * six[i]);
  }
  host_buffer_destroy(x);
  host_buffer_destroy(y);
  host_loaded_destroy(load.loaded_executable);
}

// All phases at once, and one by one through what a host would keep, lead to the same executable.
static void test_phases(void **state) {
  (void)state;
  const char *all[] = {"check", "simplify", "compile"};
  PJRT_PhaseCompile_Run_Phase_Args whole, step[3];
  host_ok(run(program_message(program_text, "mlir"), all, 3, &whole), "run_phases");
  assert_true(is_text(find_field(first_output(&whole), 2, 0), "millrace_executable"));
  assert_doubles(find_field(first_output(&whole), 1, 0));
  release_outputs(&whole);

  host_ok(run(program_message(program_text, "mlir"), &all[0], 1, &step[0]), "check");
  bytes checked = first_output(&step[0]);
  assert_true(is_text(find_field(checked, 1, 0), program_text));
  assert_true(is_text(find_field(checked, 3, 0), "check"));
  assert_true(is_text(find_field(checked, 4, 0), "simplify") && is_text(find_field(checked, 4, 1), "compile"));
  host_ok(run(checked, &all[1], 1, &step[1]), "simplify");
  bytes simple = find_field(first_output(&step[1]), 1, 0);
  assert_null(memmem(simple.data, simple.size, "call", 4));
  assert_null(memmem(simple.data, simple.size, "twice", 5));
  host_ok(run(first_output(&step[1]), &all[2], 1, &step[2]), "compile");
  assert_doubles(find_field(first_output(&step[2]), 1, 0));
  for (int i = 0; i < 3; i++) {
    release_outputs(&step[i]);
  }
}

// Phases that are not there, in another order, or of programs that are none, are refused.
static void test_bad_phases(void **state) {
  (void)state;
  PJRT_PhaseCompile_Run_Phase_Args args;
  const char *unknown[] = {"link"}, *backwards[] = {"simplify", "check"}, *check[] = {"check"},
             *both[] = {"compile", "check"};
  bytes program = program_message(program_text, "mlir");
  host_refused(run(program, unknown, 1, &args), PJRT_Error_Code_INVALID_ARGUMENT, "'link'");
  host_refused(run(program, backwards, 2, &args), PJRT_Error_Code_INVALID_ARGUMENT, "cannot go into phase 'check'");
  host_refused(run(program, both, 2, &args), PJRT_Error_Code_INVALID_ARGUMENT, "cannot go into phase 'check'");
  host_refused(run(program, check, 0, &args), PJRT_Error_Code_INVALID_ARGUMENT, "0 phases");
  host_refused(run(program_message(program_text, "hlo2"), check, 1, &args), PJRT_Error_Code_INVALID_ARGUMENT, "'hlo2'");
  host_refused(run(program_message("module {", "mlir"), check, 1, &args), PJRT_Error_Code_INVALID_ARGUMENT,
               "phase check");
  host_refused(run((bytes){(const uint8_t *)"\xff\xff\xff", 3}, check, 1, &args), PJRT_Error_Code_INVALID_ARGUMENT,
               "3 bytes");
  assert_null(args.output_programs);
  release_outputs(&args);
}

// ---- Profiler -------------------------------------------------------------------------------------------------------

static const PLUGIN_Profiler_Api *profiler(void) {
  const PJRT_Profiler_Extension *extension = (const void *)host_extension(PJRT_Extension_Type_Profiler);
  return extension->profiler_api;
}

static PLUGIN_Profiler *profiler_create(const char *options, size_t size) {
  // As hosts do: struct_size is whatever lay there.
  PLUGIN_Profiler_Create_Args args = {.struct_size = 0x5A5A5A5A, .options = options, .options_size = size};
  assert_null(profiler()->create(&args));
  return args.profiler;
}

static void profiled(PLUGIN_Profiler *self, PLUGIN_Profiler_Error *(*call)(PLUGIN_Profiler_Handle_Args *args)) {
  PLUGIN_Profiler_Handle_Args args = {.profiler = self};
  assert_null(call(&args));
}

static void profiler_refused(PLUGIN_Profiler_Error *error, PJRT_Error_Code code, const char *says) {
  assert_non_null(error);
  PLUGIN_Profiler_Error_Message_Args message = {.error = error};
  profiler()->error_message(&message);
  assert_int_equal(message.message_size, strlen(message.message));
  assert_non_null(strstr(message.message, says));
  PLUGIN_Profiler_Error_GetCode_Args number = {.error = error};
  assert_null(profiler()->error_get_code(&number));
  assert_int_equal(number.code, code);
  PLUGIN_Profiler_Error_Destroy_Args destroy = {.error = error};
  profiler()->error_destroy(&destroy);
}

static bytes collect(PLUGIN_Profiler *self) {
  PLUGIN_Profiler_CollectData_Args args = {.profiler = self, .buffer_size_in_bytes = 17};
  assert_null(profiler()->collect_data(&args));
  assert_non_null(args.buffer);
  assert_int_equal(args.buffer[args.buffer_size_in_bytes - 1], 0);
  uint8_t *copy = malloc(args.buffer_size_in_bytes);
  PLUGIN_Profiler_CollectData_Args again = {.profiler = self, .buffer = copy};
  assert_null(profiler()->collect_data(&again));
  assert_int_equal(again.buffer_size_in_bytes, args.buffer_size_in_bytes);
  assert_memory_equal(copy, args.buffer, args.buffer_size_in_bytes);
  free(copy);
  return (bytes){args.buffer, args.buffer_size_in_bytes - 1};
}

static bytes find_plane(bytes space, const char *name) {
  for (int i = 0;; i++) {
    bytes plane = find_field(space, 1, i);
    if (plane.data == NULL || is_text(find_field(plane, 2, 0), name)) {
      return plane;
    }
  }
}

// How many events of a plane have this name.
static int count_events(bytes plane, const char *name) {
  uint64_t id = 0;
  for (int i = 0; !id; i++) {
    bytes entry = find_field(plane, 4, i);
    if (entry.data == NULL) {
      return 0;
    }
    bytes metadata = find_field(entry, 2, 0);
    id = is_text(find_field(metadata, 2, 0), name) ? find_number(metadata, 1) : 0;
  }
  int count = 0;
  for (int l = 0;; l++) {
    bytes line = find_field(plane, 3, l), event;
    if (line.data == NULL) {
      return count;
    }
    for (int e = 0; (event = find_field(line, 4, e)).data; e++) {
      count += find_number(event, 1) == id;
    }
  }
}

static void work(int times) {
  PJRT_LoadedExecutable *loaded = host_compile(client, program_text);
  PJRT_Buffer *x = host_put(client, device, six, dims_6, 1);
  for (int i = 0; i < times; i++) {
    PJRT_Buffer *y = NULL;
    host_ok(host_execute(loaded, &x, 1, &y), "Execute");
    host_buffer_destroy(y);
  }
  host_buffer_destroy(x);
  host_loaded_destroy(loaded);
}

// A profile has each execution on the device's plane and the compilation on the host's, of its own time alone.
static void test_profile(void **state) {
  (void)state;
  PLUGIN_Profiler *self = profiler_create(NULL, 0);
  work(1);
  profiled(self, profiler()->start);
  work(3);
  profiled(self, profiler()->stop);
  work(1);
  bytes space = collect(self);
  bytes on_device = find_plane(space, "/device:CUSTOM:millrace:0"), host = find_plane(space, "/host:TPU-runtime");
  assert_non_null(on_device.data);
  // Calls that fail for lack of memory are in it as well.
  assert_true(host_fails_allocations() ? count_events(on_device, "jit_f") >= 3 : count_events(on_device, "jit_f") == 3);
  assert_int_equal(count_events(on_device, "compile"), 0);
  assert_non_null(host.data);
  assert_true(host_fails_allocations() ? count_events(host, "compile") >= 1 : count_events(host, "compile") == 1);
  assert_int_equal(count_events(host, "jit_f"), 0);
  profiled(self, profiler()->destroy);
}

// Options choose: host level (field 2) and device level (field 3) of options that have a version (field 5).
static void test_profile_options(void **state) {
  (void)state;
  static const struct {
    char options[6];
    bool host, device;
  } cases[] = {{{2 << 3, 1, 3 << 3, 0, 5 << 3, 1}, true, false},
               {{2 << 3, 0, 3 << 3, 1, 5 << 3, 1}, false, true},
               {{2 << 3, 0, 3 << 3, 0, 5 << 3, 0}, true, true}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    PLUGIN_Profiler *self = profiler_create(cases[i].options, sizeof cases[i].options);
    profiled(self, profiler()->start);
    work(1);
    profiled(self, profiler()->stop);
    bytes space = collect(self);
    assert_int_equal(find_plane(space, "/device:CUSTOM:millrace:0").data != NULL, cases[i].device);
    assert_int_equal(find_plane(space, "/host:TPU-runtime").data != NULL, cases[i].host);
    profiled(self, profiler()->destroy);
  }
}

// Out of order, a profiler says where it is; one that records may be destroyed.
static void test_bad_profiles(void **state) {
  (void)state;
  PLUGIN_Profiler *self = profiler_create(NULL, 0);
  PLUGIN_Profiler_Handle_Args args = {.profiler = self};
  PLUGIN_Profiler_CollectData_Args data = {.profiler = self};
  profiler_refused(profiler()->stop(&args), PJRT_Error_Code_FAILED_PRECONDITION, "not started");
  profiler_refused(profiler()->collect_data(&data), PJRT_Error_Code_FAILED_PRECONDITION, "not started");
  assert_int_equal(data.buffer_size_in_bytes, 0);
  profiled(self, profiler()->start);
  profiler_refused(profiler()->start(&args), PJRT_Error_Code_FAILED_PRECONDITION, "it is recording");
  profiled(self, profiler()->destroy);
  args.profiler = NULL;
  profiler_refused(profiler()->start(&args), PJRT_Error_Code_INVALID_ARGUMENT, "NULL");
  profiled(NULL, profiler()->destroy);
  PLUGIN_Profiler_Create_Args bad = {.options = "\xff", .options_size = 1};
  profiler_refused(profiler()->create(&bad), PJRT_Error_Code_INVALID_ARGUMENT, "profile options");
}

int main(int argc, char **argv) {
  if (argc > 1) {
    host_set_library(argv[1]);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_phase_names), cmocka_unit_test(test_phases),          cmocka_unit_test(test_bad_phases),
      cmocka_unit_test(test_profile),     cmocka_unit_test(test_profile_options), cmocka_unit_test(test_bad_profiles),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
