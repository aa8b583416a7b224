// Every field of the options to compile, load and profile in pjrt/proto/options.def, set to something that matters: it does what the table
// says. A row without a case fails. The options of calls and clients are in test_call_options.c; how the value of a debugging
// option is looked at, in tests/pjrt/test_options.c.
#define HOST_DEVICES 2

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_client.h"

typedef enum fate { HONOURED, REFUSED, NOTHING } fate;
static const struct {
  const char *message;
  unsigned number;
  const char *name;
  fate fate;
} rows[] = {
#define FIELD(message, number, name, fate, why) {#message, number, #name, fate},
#include "pjrt/proto/options.def"
};
enum { ROWS = sizeof rows / sizeof rows[0] };

// ---- Bytes --------------------------------------------------------------------------------------------------------------------

typedef struct bytes {
  size_t size;
  char data[120];
} bytes;

#define BYTES(...) ((bytes){sizeof(char[]){__VA_ARGS__}, {__VA_ARGS__}})

// A field: its number, its type on the wire (0: a number, 2: text, 5: four bytes), and its content. All are short.
static bytes field(unsigned number, unsigned type, bytes content) {
  bytes out = {0};
  unsigned tag = number << 3 | type;
  assert_true(content.size < 100 && tag < 1 << 14);
  if (tag >= 128) {
    out.data[out.size++] = (char)(tag | 128);
    tag >>= 7;
  }
  out.data[out.size++] = (char)tag;
  if (type == 2) {
    out.data[out.size++] = (char)content.size;
  }
  memcpy(out.data + out.size, content.data, content.size);
  out.size += content.size;
  return out;
}

static bytes join(bytes a, bytes b) {
  assert_true(a.size + b.size <= sizeof a.data);
  memcpy(a.data + a.size, b.data, b.size);
  a.size += b.size;
  return a;
}

static bytes number(unsigned of, char value) { return field(of, 0, BYTES(value)); }
static bytes build(bytes fields) { return field(3, 2, fields); }
// What every program here is compiled with, and more: two partitions.
static bytes two_partitions(bytes more) { return build(join(number(5, 2), more)); }
static const bytes nothing;

// ---- Programs ---------------------------------------------------------------------------------------------------------------

// Over two devices: (x + x, x), of which nothing is said, and x in halves.
static const char halves_text[] =
    "module @m { sdy.mesh @mesh = <[\"x\"=2]>\n"
    "  func.func public @main(%a: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>})\n"
    "      -> (tensor<4x2xf32>, tensor<4x2xf32>) {\n"
    "    %0 = stablehlo.add %a, %a : tensor<4x2xf32>\n"
    "    return %0, %a : tensor<4x2xf32>, tensor<4x2xf32> } }\n";
static const char add_text[] =
    "module @m { func.func public @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
    "    %0 = stablehlo.add %a, %b : tensor<2x3xf32>\n"
    "    return %0 : tensor<2x3xf32> } }\n";
static const char rounding_text[] = "module @m { func.func public @main(%a: tensor<f32>) -> tensor<f32> {\n"
                                    "    %x = stablehlo.convert %a : (tensor<f32>) -> tensor<bf16>\n"
                                    "    %one = stablehlo.constant dense<1.0> : tensor<bf16>\n"
                                    "    %0 = stablehlo.add %x, %one : tensor<bf16>\n"
                                    "    %1 = stablehlo.convert %0 : (tensor<bf16>) -> tensor<f32>\n"
                                    "    return %1 : tensor<f32> } }\n";

static PJRT_Error *compile(const char *text, bytes options, PJRT_LoadedExecutable **out) {
  const PJRT_Program program = {.struct_size = sizeof program,
                                .code = (char *)(uintptr_t)text,
                                .code_size = strlen(text),
                                .format = "mlir",
                                .format_size = 4};
  HOST_ARGS(args, Client_Compile, .client = client, .program = &program, .compile_options = options.data,
            .compile_options_size = options.size);
  PJRT_Error *error = host_api()->PJRT_Client_Compile(&args);
  *out = args.executable;
  return error;
}

static PJRT_LoadedExecutable *compiled(const char *text, bytes options) {
  PJRT_LoadedExecutable *loaded;
  host_ok(compile(text, options, &loaded), "Client_Compile");
  return loaded;
}

// Runs the program in halves on both devices.
static void assert_halves(PJRT_LoadedExecutable *loaded) {
  static const float x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  static const int64_t dims[] = {2, 2};
  PJRT_Buffer *in[2], *out[2][2], *const *ins[] = {&in[0], &in[1]}, **outs[] = {out[0], out[1]};
  for (size_t i = 0; i < 2; i++) {
    in[i] = host_put(client, host_device(client, i), x + 4 * i, dims, 2);
  }
  HOST_ARGS(args, LoadedExecutable_Execute, .executable = loaded,
            .options = &(PJRT_ExecuteOptions){.struct_size = sizeof(PJRT_ExecuteOptions)}, .argument_lists = ins,
            .num_devices = 2, .num_args = 1, .output_lists = outs);
  HOST_OK(LoadedExecutable_Execute, &args);
  for (size_t i = 0; i < 2; i++) {
    float twice[4], same[4];
    host_get(out[i][0], twice, 4);
    host_get(out[i][1], same, 4);
    for (size_t k = 0; k < 4; k++) {
      assert_true(same[k] == x[4 * i + k] && twice[k] == 2 * same[k]);
    }
    host_buffer_destroy(in[i]);
    host_buffer_destroy(out[i][0]);
    host_buffer_destroy(out[i][1]);
  }
}

// What a host can ask about a program as one text: its fingerprint, sizes, memory, shardings and layouts.
static void describe(PJRT_LoadedExecutable *loaded, char *out, size_t size) {
  PJRT_Executable *executable = host_executable(loaded);
  HOST_ARGS(print, Executable_Fingerprint, .executable = executable);
  HOST_OK(Executable_Fingerprint, &print);
  HOST_ARGS(stats, Executable_GetCompiledMemoryStats, .executable = executable);
  HOST_OK(Executable_GetCompiledMemoryStats, &stats);
  int length = snprintf(out, size, "%.*s %lld %lld %lld", (int)print.executable_fingerprint_size,
                        print.executable_fingerprint, (long long)stats.argument_size_in_bytes,
                        (long long)stats.output_size_in_bytes, (long long)stats.temp_size_in_bytes);
  const PJRT_Shardings_Extension *extension =
      (const PJRT_Shardings_Extension *)host_extension(PJRT_Extension_Type_Shardings);
  PJRT_Shardings_OutputShardings_Args outputs = {.struct_size = sizeof outputs, .executable = executable};
  host_ok(extension->output_shardings(&outputs), "output_shardings");
  for (size_t i = 0; i < outputs.num_outputs; i++) {
    for (size_t k = 0; k < outputs.sharding_sizes[i]; k++) {
      length += snprintf(out + length, size - (size_t)length, " %02x", (unsigned char)outputs.shardings[i][k]);
    }
  }
  host_executable_destroy(executable);
}

static void assert_same_as_without(bytes options, const char *what) {
  char plain[600], with[600];
  PJRT_LoadedExecutable *loaded = compiled(halves_text, two_partitions(nothing));
  describe(loaded, plain, sizeof plain);
  host_loaded_destroy(loaded);
  PJRT_Error *error = compile(halves_text, options, &loaded);
  if (error) {
    const char *message;
    host_take_error(error, &message);
    fail_msg("%s: %s", what, message);
  }
  describe(loaded, with, sizeof with);
  if (strcmp(plain, with) != 0) {
    fail_msg("%s: '%s', without it '%s'", what, with, plain);
  }
  assert_halves(loaded);
  host_loaded_destroy(loaded);
}

// ---- Compile options --------------------------------------------------------------------------------------------------------

static const char TEXT[] = "abc";
#define NUMBER(of, value) \
  {                       \
    #of, 0, {             \
      1, { value }        \
    }                     \
  }
#define WORD(of)                   \
  {                                \
    #of, 2, { 3, {'a', 'b', 'c'} } \
  }
#define LIST(of, a, b) \
  {                    \
    #of, 2, {          \
      2, { a, b }      \
    }                  \
  }
#define REAL(of)                      \
  {                                   \
    #of, 5, { 4, {0, 0, 0x40, 0x40} } \
  }

// A value that matters for what is refused or means nothing.
static const struct {
  const char *name;
  unsigned type;
  bytes content;
} values[] = {
    NUMBER(parameter_is_tupled_arguments, 1),
    NUMBER(profile_version, 7),
    WORD(serialized_multi_slice_config),
    WORD(target_config),
    NUMBER(allow_in_place_mlir_modification, 1),
    NUMBER(matrix_unit_operand_precision, 2),
    WORD(compiler_variant),
    NUMBER(use_spmd_partitioning, 1),
    NUMBER(use_auto_spmd_partitioning, 1),
    NUMBER(deduplicate_hlo, 1),
    NUMBER(alias_passthrough_params, 1),
    NUMBER(run_backend_only, 1),
    LIST(allow_spmd_sharding_propagation_to_output, 1, 0),
    WORD(comp_envs),
    WORD(fdo_profile),
    NUMBER(device_memory_size, 16),
    LIST(auto_spmd_partitioning_mesh_shape, 1, 2),
    LIST(auto_spmd_partitioning_mesh_ids, 1, 0),
    LIST(allow_spmd_sharding_propagation_to_parameters, 1, 1),
    NUMBER(use_shardy_partitioner, 1),
    REAL(exec_time_optimization_effort),
    REAL(memory_fitting_effort),
    NUMBER(process_index, 5),
    NUMBER(process_count, 6),
    NUMBER(optimization_level, 9),
    NUMBER(memory_fitting_level, 9),
    NUMBER(slice_size, 4),
};

static void assert_refused(size_t row, bytes options) {
  PJRT_LoadedExecutable *loaded;
  char says[100];
  bool is_text = strcmp(rows[row].name, "compiler_variant") == 0;
  snprintf(says, sizeof says, "compile options: %s is '%s': ", rows[row].name, is_text ? TEXT : "3 bytes");
  host_refused(compile(halves_text, options, &loaded), PJRT_Error_Code_UNIMPLEMENTED, says);
  assert_null(loaded);
}

static void try_field(size_t row) {
  bool inner = strcmp(rows[row].message, "ExecutableBuildOptionsProto") == 0;
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    if (strcmp(values[i].name, rows[row].name) == 0) {
      bytes set = field(rows[row].number, values[i].type, values[i].content);
      bytes options = inner ? two_partitions(set) : join(two_partitions(nothing), set);
      if (rows[row].fate == REFUSED) {
        assert_refused(row, options);
      } else {
        assert_same_as_without(options, rows[row].name);
      }
      return;
    }
  }
  fail_msg("%s.%s: no case sets it", rows[row].message, rows[row].name);
}

// ---- Profile options --------------------------------------------------------------------------------------------------------

typedef struct planes {
  bool host, device;
} planes;

static bool has_text(const char *data, size_t size, const char *text) {
  size_t length = strlen(text);
  for (size_t i = 0; i + length <= size; i++) {
    if (memcmp(data + i, text, length) == 0) {
      return true;
    }
  }
  return false;
}

// What a profile of an execution has with these options.
static planes profiled(bytes options) {
  const PJRT_Profiler_Extension *extension = (const void *)host_extension(PJRT_Extension_Type_Profiler);
  const PLUGIN_Profiler_Api *api = extension->profiler_api;
  PLUGIN_Profiler_Create_Args create = {.options = options.data, .options_size = options.size};
  assert_null(api->create(&create));
  PLUGIN_Profiler_Handle_Args handle = {.profiler = create.profiler};
  assert_null(api->start(&handle));
  host_loaded_destroy(compiled(add_text, nothing));
  PJRT_LoadedExecutable *loaded = compiled(halves_text, two_partitions(nothing));
  assert_halves(loaded);
  host_loaded_destroy(loaded);
  assert_null(api->stop(&handle));
  PLUGIN_Profiler_CollectData_Args data = {.profiler = create.profiler};
  assert_null(api->collect_data(&data));
  const char *space = (const char *)data.buffer;
  size_t size = data.buffer_size_in_bytes;
  planes found = {has_text(space, size, "/host:TPU-runtime"), has_text(space, size, "/device:CUSTOM:millrace:0")};
  assert_null(api->destroy(&handle));
  return found;
}

// Of version 1, with these levels.
static bytes levels(char host, char of_device) {
  return join(join(number(5, 1), number(2, host)), number(3, of_device));
}

static void assert_planes(bytes options, bool host, bool of_device) {
  planes found = profiled(options);
  assert_int_equal(found.host, host);
  assert_int_equal(found.device, of_device);
}

// What means nothing leaves the planes as they are.
static void try_profile_field(size_t row) {
  bytes content = strcmp(rows[row].name, "advanced_configuration") == 0
                      ? BYTES(0x0A, 1, 'a', 0x12, 2, 0x18, 1)  // "a": a number
                      : BYTES('a', 'b', 'c');
  bool is_message = strcmp(rows[row].name, "trace_options") == 0;
  bool is_text = rows[row].number >= 10 && rows[row].number != 13;
  bytes set = is_text ? field(rows[row].number, 2, is_message ? number(1, 1) : content) : number(rows[row].number, 3);
  assert_planes(join(levels(0, 1), set), false, true);
  assert_planes(join(levels(1, 0), set), true, false);
}

static void test_levels_of_profiles(void **state) {
  (void)state;
  assert_planes(levels(0, 0), false, false);
  assert_planes(levels(1, 1), true, true);
  assert_planes(join(number(2, 0), number(3, 0)), true, true);  // of no version
}

// ---- All of them ------------------------------------------------------------------------------------------------------------

// What is refused is refused by its name and value; with what means nothing, the same program, or profile, comes out.
static void test_fields_without_effect(void **state) {
  (void)state;
  for (size_t i = 0; i < ROWS; i++) {
    if (strncmp(rows[i].message, "PJRT_", 5) != 0 && rows[i].fate != HONOURED) {
      (strcmp(rows[i].message, "ProfileOptions") == 0 ? try_profile_field : try_field)(i);
    }
  }
}

// All that XLA needs for partitioning by itself: what the program says is propagated, as on XLA:CPU.
static void test_automatic_partitioning(void **state) {
  (void)state;
  bytes wanted = join(number(7, 1), join(field(16, 2, BYTES(2)), field(17, 2, BYTES(1, 0))));
  assert_same_as_without(two_partitions(wanted), "auto");
}

// Fields of a newer host are passed over, wherever they are.
static void test_fields_of_newer_hosts(void **state) {
  (void)state;
  bytes some = join(number(77, 1), field(78, 2, BYTES('a', 'b')));
  assert_same_as_without(join(two_partitions(some), some), "newer fields");
}

static void assert_layouts(PJRT_LoadedExecutable *loaded, const char *parameter, const char *result) {
  PJRT_Executable *executable = host_executable(loaded);
  const PJRT_Layouts_Extension *extension = (const PJRT_Layouts_Extension *)host_extension(PJRT_Extension_Type_Layouts);
  PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args in = {.struct_size = sizeof in, .executable = executable};
  host_ok(extension->executable_get_parameter_layouts(&in), "executable_get_parameter_layouts");
  PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args out = {.struct_size = sizeof out, .executable = executable};
  host_ok(extension->executable_get_output_layouts(&out), "executable_get_output_layouts");
  PJRT_Layouts_MemoryLayout_Serialize_Args text = {.struct_size = sizeof text, .layout = in.layouts[0]};
  host_ok(extension->memory_layout_serialize(&text), "memory_layout_serialize");
  assert_memory_equal(text.serialized_bytes, parameter, strlen(parameter));
  text.serialized_layout_deleter(text.serialized_layout);
  text.layout = out.layouts[0];
  host_ok(extension->memory_layout_serialize(&text), "memory_layout_serialize");
  assert_memory_equal(text.serialized_bytes, result, strlen(result));
  text.serialized_layout_deleter(text.serialized_layout);
  host_executable_destroy(executable);
}

static void test_layouts(void **state) {
  (void)state;
  bytes shape = BYTES(0x10, 0x0B, 0x1A, 0x02, 2, 3, 0x2A, 0x04, 0x0A, 0x02, 0, 1);  // f32[2,3]{0,1}
  bytes other = BYTES(0x10, 0x0B, 0x1A, 0x02, 2, 3, 0x2A, 0x04, 0x0A, 0x02, 1, 0);
  PJRT_LoadedExecutable *loaded = compiled(add_text, join(field(1, 2, shape), field(1, 2, other)));
  assert_layouts(loaded, "{0,1}", "{1,0}");
  host_loaded_destroy(loaded);
  loaded = compiled(add_text, build(field(2, 2, shape)));
  assert_layouts(loaded, "{1,0}", "{0,1}");
  host_loaded_destroy(loaded);
}

// Runs a program for one device where it is told to; the number of the device that has the result.
static int device_of_result(PJRT_LoadedExecutable *loaded, size_t on, PJRT_Device *execute_device) {
  static const float six[6] = {1, 2, 3, 4, 5, 6};
  static const int64_t dims[] = {2, 3};
  PJRT_Buffer *x = host_put(client, host_device(client, on), six, dims, 2), *in[] = {x, x}, *result;
  PJRT_Buffer *const *ins[] = {in}, **outs[] = {&result};
  HOST_ARGS(args, LoadedExecutable_Execute, .executable = loaded,
            .options = &(PJRT_ExecuteOptions){.struct_size = sizeof(PJRT_ExecuteOptions)}, .argument_lists = ins,
            .num_devices = 1, .num_args = 2, .output_lists = outs, .execute_device = execute_device);
  HOST_OK(LoadedExecutable_Execute, &args);
  float got[6];
  host_get(result, got, 6);
  assert_true(got[5] == 12);
  HOST_ARGS(where, Buffer_Device, .buffer = result);
  HOST_OK(Buffer_Device, &where);
  HOST_ARGS(description, Device_GetDescription, .device = where.device);
  HOST_OK(Device_GetDescription, &description);
  HOST_ARGS(id, DeviceDescription_Id, .device_description = description.device_description);
  HOST_OK(DeviceDescription_Id, &id);
  host_buffer_destroy(x);
  host_buffer_destroy(result);
  return id.id;
}

static void test_places(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded = compiled(add_text, build(number(1, 1)));  // device_ordinal
  assert_int_equal(device_of_result(loaded, 1, NULL), 1);
  host_loaded_destroy(loaded);
  bytes second = field(9, 2, BYTES(0x08, 1, 0x10, 1, 0x1A, 3, 0x0A, 1, 1));  // device_assignment: device 1
  loaded = compiled(add_text, build(second));
  assert_int_equal(device_of_result(loaded, 1, NULL), 1);
  host_loaded_destroy(loaded);
  loaded = compiled(add_text, number(4, 1));  // compile_portable_executable
  assert_int_equal(device_of_result(loaded, 1, host_device(client, 1)), 1);
  assert_int_equal(device_of_result(loaded, 0, host_device(client, 0)), 0);
  host_loaded_destroy(loaded);
  host_refused(compile(add_text, join(build(second), number(4, 1)), &loaded), PJRT_Error_Code_INVALID_ARGUMENT,
               "compile_portable_executable with a device assignment");
  host_refused(compile(add_text, join(build(number(4, 2)), number(4, 1)), &loaded), PJRT_Error_Code_INVALID_ARGUMENT,
               "compile_portable_executable with 2 replicas and 1 partitions");
}

static void test_counts(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded = compiled(add_text, build(number(4, 2)));
  PJRT_Executable *executable = host_executable(loaded);
  HOST_ARGS(replicas, Executable_NumReplicas, .executable = executable);
  HOST_OK(Executable_NumReplicas, &replicas);
  assert_int_equal(replicas.num_replicas, 2);
  host_executable_destroy(executable);
  host_loaded_destroy(loaded);
  loaded = compiled(halves_text, two_partitions(nothing));
  executable = host_executable(loaded);
  HOST_ARGS(partitions, Executable_NumPartitions, .executable = executable);
  HOST_OK(Executable_NumPartitions, &partitions);
  assert_int_equal(partitions.num_partitions, 2);
  host_executable_destroy(executable);
  host_loaded_destroy(loaded);
}

// What 1 + 2^-9 is, a sum in bf16 that becomes an f32 at once: 1 where it is rounded before.
static float sum_of(bytes options) {
  PJRT_LoadedExecutable *loaded = compiled(rounding_text, options);
  const float small = 0x1p-9f;
  PJRT_Buffer *x = host_put(client, device, &small, NULL, 0), *result;
  host_ok(host_execute(loaded, &x, 1, &result), "Execute");
  float got;
  host_get(result, &got, 1);
  host_buffer_destroy(x);
  host_buffer_destroy(result);
  host_loaded_destroy(loaded);
  return got;
}

static bytes override_of(const char *name, bytes value) {
  bytes key = {strlen(name), {0}};
  memcpy(key.data, name, key.size);
  return field(7, 2, join(field(1, 2, key), field(2, 2, value)));
}

static void test_debugging_options(void **state) {
  (void)state;
  bytes exact = build(field(3, 2, number(122, 0)));
  bytes allowed = override_of("xla_allow_excess_precision", number(2, 1));
  assert_true(sum_of(nothing) == 1 + 0x1p-9f);
  assert_true(sum_of(build(field(3, 2, number(122, 1)))) == 1 + 0x1p-9f);
  assert_true(sum_of(exact) == 1);
  assert_true(sum_of(override_of("xla_allow_excess_precision", number(2, 0))) == 1);
  assert_true(sum_of(join(exact, allowed)) == 1 + 0x1p-9f);
  PJRT_LoadedExecutable *loaded;
  host_refused(compile(add_text, override_of("xla_no_such_thing", number(2, 1)), &loaded),
               PJRT_Error_Code_INVALID_ARGUMENT, "No such compile option: 'xla_no_such_thing'");
  assert_same_as_without(join(two_partitions(nothing), override_of("xla_cpu_enable_fast_math", number(2, 1))),
                         "fast math");
}

// Which test above sees what a field that is honoured does.
static void test_honoured_fields_are_tried(void **state) {
  (void)state;
  static const char *const tried[] = {"argument_layouts",
                                      "result_layout",
                                      "device_ordinal",
                                      "device_assignment",
                                      "num_replicas",
                                      "num_partitions",
                                      "debug_options",
                                      "compile_portable_executable",
                                      "env_option_overrides",
                                      "executable_build_options",
                                      "host_tracer_level",
                                      "device_tracer_level",
                                      "version"};
  for (size_t i = 0; i < ROWS; i++) {
    bool found = strncmp(rows[i].message, "PJRT_", 5) == 0 || rows[i].fate != HONOURED;
    for (size_t k = 0; k < sizeof tried / sizeof tried[0]; k++) {
      found = found || strcmp(tried[k], rows[i].name) == 0;
    }
    if (!found) {
      fail_msg("%s.%s is honoured, and no test sees it", rows[i].message, rows[i].name);
    }
  }
}

// A program that is loaded with other options than it was compiled with is one that was compiled with those.
static void test_options_of_a_load(void **state) {
  (void)state;
  PJRT_LoadedExecutable *first = compiled(add_text, nothing);
  PJRT_Executable *executable = host_executable(first);
  bytes second = build(number(1, 1));
  HOST_ARGS(load, Client_Load, .client = client, .executable = executable, .compile_options = second.data,
            .compile_options_size = second.size);
  HOST_OK(Client_Load, &load);
  assert_int_equal(device_of_result(load.loaded_executable, 1, NULL), 1);
  host_loaded_destroy(load.loaded_executable);
  HOST_ARGS(serial, Executable_Serialize, .executable = executable);
  HOST_OK(Executable_Serialize, &serial);
  HOST_ARGS(again, Executable_DeserializeAndLoad, .client = client, .serialized_executable = serial.serialized_bytes,
            .serialized_executable_size = serial.serialized_bytes_size,
            .overridden_serialized_compile_options = second.data,
            .overridden_serialized_compile_options_size = second.size);
  HOST_OK(Executable_DeserializeAndLoad, &again);
  assert_int_equal(device_of_result(again.loaded_executable, 1, NULL), 1);
  host_loaded_destroy(again.loaded_executable);
  PJRT_LoadOptions options = {.struct_size = sizeof options, .computation_origin = (const int32_t[]){4, 0, 1}};
  again.load_options = &options;
  HOST_OK(Executable_DeserializeAndLoad, &again);  // no coordinates
  host_loaded_destroy(again.loaded_executable);
  options.computation_origin_size = 3;
  host_refused(host_api()->PJRT_Executable_DeserializeAndLoad(&again), PJRT_Error_Code_UNIMPLEMENTED,
               "computation_origin of 3 coordinates, the first 4");
  options = (PJRT_LoadOptions){.struct_size = sizeof options, .multi_slice_config = (PJRT_MultiSlice_Config *)&options};
  host_refused(host_api()->PJRT_Executable_DeserializeAndLoad(&again), PJRT_Error_Code_UNIMPLEMENTED,
               "load options: multi_slice_config");
  options.struct_size = 8;
  host_refused(host_api()->PJRT_Executable_DeserializeAndLoad(&again), PJRT_Error_Code_INVALID_ARGUMENT,
               "load options: struct_size is 8");
  serial.serialized_executable_deleter(serial.serialized_executable);
  host_executable_destroy(executable);
  host_loaded_destroy(first);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    host_set_library(argv[1]);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fields_without_effect),
      cmocka_unit_test(test_levels_of_profiles),
      cmocka_unit_test(test_automatic_partitioning),
      cmocka_unit_test(test_fields_of_newer_hosts),
      cmocka_unit_test(test_layouts),
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_debugging_options),
      cmocka_unit_test(test_honoured_fields_are_tried),
      cmocka_unit_test(test_options_of_a_load),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
