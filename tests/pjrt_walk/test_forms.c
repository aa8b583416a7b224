// Program forms and compile options as hosts send them: HLO beside MLIR, layouts of arguments and results, options that
// nobody knows, layouts that a host destroys more often than it got them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_client.h"

static const float six[6] = {1, 2, 3, 4, 5, 6};
static const int64_t dims_2x3[2] = {2, 3};

// The same program in MLIR: (x + x, its transpose).
static const char mlir[] = "func.func @main(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>) {\n"
                           "  %0 = stablehlo.add %a, %a : tensor<2x3xf32>\n"
                           "  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"
                           "  return %0, %1 : tensor<2x3xf32>, tensor<3x2xf32>\n}";

static size_t read_hlo(char *out, size_t room) {
  FILE *file = fopen("tests/pjrt_walk/double_hlo.pb", "rb");
  assert_non_null(file);
  size_t size = fread(out, 1, room, file);
  fclose(file);
  assert_true(size > 100 && size < room);
  return size;
}

static PJRT_Error *compile(const char *code, size_t size, const char *format, const void *options, size_t options_size,
                           PJRT_LoadedExecutable **out) {
  const PJRT_Program program = {.struct_size = sizeof program,
                                .code = (char *)code,
                                .code_size = size,
                                .format = format,
                                .format_size = strlen(format)};
  HOST_ARGS(args, Client_Compile, .client = client, .program = &program, .compile_options = options,
            .compile_options_size = options_size);
  PJRT_Error *error = host_api()->PJRT_Client_Compile(&args);
  *out = args.executable;
  return error;
}

static void check_results(PJRT_LoadedExecutable *loaded) {
  PJRT_Buffer *argument = host_put(client, device, six, dims_2x3, 2), *results[2];
  host_ok(host_execute(loaded, &argument, 1, results), "execute");
  float sum[6], transposed[6];
  host_get(results[0], sum, 6);
  host_get(results[1], transposed, 6);
  for (int i = 0; i < 6; i++) {
    assert_true(sum[i] == 2 * six[i]);
    assert_true(transposed[i] == 2 * six[i % 2 * 3 + i / 2]);
  }
  for (int i = 0; i < 2; i++) {
    host_buffer_destroy(results[i]);
  }
  host_buffer_destroy(argument);
}

// An HLO module compiles and runs, alone or with its configuration around it, and serializes like any other program.
static void test_hlo(void **state) {
  (void)state;
  char bytes[8192];
  size_t size = read_hlo(bytes + 3, sizeof bytes - 3);
  PJRT_LoadedExecutable *loaded;
  host_ok(compile(bytes + 3, size, "hlo", NULL, 0, &loaded), "compile hlo");
  check_results(loaded);
  HOST_ARGS(get, LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  HOST_OK(LoadedExecutable_GetExecutable, &get);
  host_loaded_destroy(loaded);
  HOST_ARGS(keep, Executable_Serialize, .executable = get.executable);
  HOST_OK(Executable_Serialize, &keep);
  HOST_ARGS(again, Executable_DeserializeAndLoad, .client = client, .serialized_executable = keep.serialized_bytes,
            .serialized_executable_size = keep.serialized_bytes_size);
  HOST_OK(Executable_DeserializeAndLoad, &again);
  keep.serialized_executable_deleter(keep.serialized_executable);
  check_results(again.loaded_executable);
  host_loaded_destroy(again.loaded_executable);
  HOST_ARGS(drop, Executable_Destroy, .executable = get.executable);
  HOST_OK(Executable_Destroy, &drop);
  // Field 1 of the outer message, its length in two bytes.
  bytes[0] = 0x0A;
  bytes[1] = (char)((size & 127) | 128);
  bytes[2] = (char)(size >> 7);
  host_ok(compile(bytes, size + 3, "hlo_with_config", NULL, 0, &loaded), "compile hlo_with_config");
  check_results(loaded);
  host_loaded_destroy(loaded);
}

// What was made of a program is told in a form like its own, in bytes that the caller frees.
static PJRT_Program optimized_of(PJRT_LoadedExecutable *loaded) {
  PJRT_Executable *executable = host_executable(loaded);
  PJRT_Program optimized = {.struct_size = sizeof optimized};
  HOST_ARGS(args, Executable_OptimizedProgram, .executable = executable, .program = &optimized);
  HOST_OK(Executable_OptimizedProgram, &args);
  optimized.code = malloc(optimized.code_size);
  HOST_OK(Executable_OptimizedProgram, &args);
  host_executable_destroy(executable);
  return optimized;
}

// A host that sends HLO gets HLO, with its configuration, also of what was serialized meanwhile; it is a program like any other. One that
// sends StableHLO gets that.
static void test_optimized_form(void **state) {
  (void)state;
  char bytes[8192];
  size_t size = read_hlo(bytes, sizeof bytes);
  PJRT_LoadedExecutable *loaded, *again;
  host_ok(compile(bytes, size, "hlo", NULL, 0, &loaded), "compile hlo");
  PJRT_Program optimized = optimized_of(loaded);
  host_loaded_destroy(loaded);
  assert_int_equal(optimized.format_size, 15);
  assert_memory_equal(optimized.format, "hlo_with_config", 15);
  host_ok(compile(optimized.code, optimized.code_size, "hlo_with_config", NULL, 0, &again), "compile it again");
  check_results(again);
  PJRT_Program twice = optimized_of(again);
  assert_int_equal(twice.code_size, optimized.code_size);
  assert_memory_equal(twice.code, optimized.code, twice.code_size);
  host_loaded_destroy(again);
  free(twice.code);
  free(optimized.code);
  host_ok(compile(mlir, sizeof mlir - 1, "mlir", NULL, 0, &loaded), "compile mlir");
  optimized = optimized_of(loaded);
  host_loaded_destroy(loaded);
  assert_int_equal(optimized.format_size, 4);
  assert_memory_equal(optimized.format, "mlir", 4);
  free(optimized.code);
}

static void test_other_forms(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded;
  const char *message;
  assert_int_equal(host_take_error(compile(mlir, sizeof mlir - 1, "hlo", NULL, 0, &loaded), &message),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "HloModuleProto"));
  assert_int_equal(host_take_error(compile(mlir, sizeof mlir - 1, "text", NULL, 0, &loaded), &message),
                   PJRT_Error_Code_UNIMPLEMENTED);
  assert_non_null(strstr(message, "'text', wanted 'mlir', 'hlo' or 'hlo_with_config'"));
  assert_null(loaded);
}

// An option by a name that nobody knows fails the compilation.
static void test_unknown_option(void **state) {
  (void)state;
  static const char options[] = "\x3A\x0B\x0A\x05magic\x12\x02\x10\x01";  // 7: {"magic", {2: true}}
  PJRT_LoadedExecutable *loaded;
  const char *message;
  assert_int_equal(
      host_take_error(compile(mlir, sizeof mlir - 1, "mlir", options, sizeof options - 1, &loaded), &message),
      PJRT_Error_Code_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "No such compile option: 'magic'"));
}

static void expect_layout(PJRT_Layouts_MemoryLayout *layout, const char *text) {
  const PJRT_Layouts_Extension *layouts = (const PJRT_Layouts_Extension *)host_extension(PJRT_Extension_Type_Layouts);
  PJRT_Layouts_MemoryLayout_Serialize_Args args = {.struct_size = sizeof args, .layout = layout};
  host_ok(layouts->memory_layout_serialize(&args), "serialize a layout");
  assert_int_equal(args.serialized_bytes_size, strlen(text));
  assert_memory_equal(args.serialized_bytes, text, strlen(text));
  args.serialized_layout_deleter(args.serialized_layout);
}

// The layout that the options ask for is the parameter's, however often a host destroys what it was only shown.
static void test_argument_layouts(void **state) {
  (void)state;
  static const char options[] = "\x0A\x0C\x10\x0B\x1A\x02\x02\x03\x2A\x04\x0A\x02\x00\x01";  // 1: f32[2,3]{0,1}
  const PJRT_Layouts_Extension *layouts = (const PJRT_Layouts_Extension *)host_extension(PJRT_Extension_Type_Layouts);
  PJRT_LoadedExecutable *loaded;
  host_ok(compile(mlir, sizeof mlir - 1, "mlir", options, sizeof options - 1, &loaded), "compile with layouts");
  HOST_ARGS(get, LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  HOST_OK(LoadedExecutable_GetExecutable, &get);
  PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args args = {.struct_size = sizeof args,
                                                                .executable = get.executable};
  host_ok(layouts->executable_get_parameter_layouts(&args), "parameter layouts");
  assert_int_equal(args.num_parameters, 1);
  for (int i = 0; i < 3; i++) {
    expect_layout(args.layouts[0], "{0,1}");
    PJRT_Layouts_MemoryLayout_Destroy_Args destroy = {.struct_size = sizeof destroy, .layout = args.layouts[0]};
    host_ok(layouts->memory_layout_destroy(&destroy), "destroy a layout");
  }
  HOST_ARGS(drop, Executable_Destroy, .executable = get.executable);
  HOST_OK(Executable_Destroy, &drop);
  host_loaded_destroy(loaded);
  static const char three[] = "\x0A\x04\x10\x0B\x1A\x00\x0A\x04\x10\x0B\x1A\x00";  // 1: f32[], 1: f32[]
  const char *message;
  assert_int_equal(host_take_error(compile(mlir, sizeof mlir - 1, "mlir", three, sizeof three - 1, &loaded), &message),
                   PJRT_Error_Code_INVALID_ARGUMENT);
  assert_non_null(strstr(message, "layouts for 2 parameters, wanted 1"));
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hlo),
      cmocka_unit_test(test_optimized_form),
      cmocka_unit_test(test_other_forms),
      cmocka_unit_test(test_unknown_option),
      cmocka_unit_test(test_argument_layouts),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
