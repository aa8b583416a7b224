// Programs that come as HloModuleProto: they are compiled, kept and serialized as the bytes that they are, however large their constants.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/codegen/codegen.h"
#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_client.h"
#include "tests/under_asan.h"
#include "tests/wire.h"

// ---- Messages -------------------------------------------------------------------------------------------------------------

typedef struct message {
  uint8_t *data;
  size_t size;
} message;

enum { FIELD_ROOM = 16 };  // of a tag and a number

static void put_number(message *to, uint32_t field, uint64_t number) {
  to->data = realloc(to->data, to->size + FIELD_ROOM);
  assert_non_null(to->data);
  to->size += wire_put_varint(to->data + to->size, field << 3);
  to->size += wire_put_varint(to->data + to->size, number);
}

static void put_bytes(message *to, uint32_t field, const void *bytes, size_t size) {
  to->data = realloc(to->data, to->size + size + FIELD_ROOM);
  assert_non_null(to->data);
  to->size += wire_put_varint(to->data + to->size, field << 3 | 2);
  to->size += wire_put_varint(to->data + to->size, size);
  memcpy(to->data + to->size, bytes, size);
  to->size += size;
}

static void put_text(message *to, uint32_t field, const char *text) { put_bytes(to, field, text, strlen(text)); }

static void put_message(message *to, uint32_t field, message *take_from) {
  put_bytes(to, field, take_from->data, take_from->size);
  free(take_from->data);
  *take_from = (message){0};
}

enum { XLA_F32 = 11, PARAMETER = 1, CONSTANT, SUM, ENTRY = 7 };

static void put_shape(message *to, uint32_t field, size_t count) {
  uint8_t dim[10];
  message shape = {0};
  put_number(&shape, 2, XLA_F32);
  put_bytes(&shape, 3, dim, wire_put_varint(dim, count));
  put_message(to, field, &shape);
}

// An instruction of f32[count], by its number.
static message instruction(const char *opcode, size_t count, uint64_t id) {
  message m = {0};
  put_text(&m, 1, opcode);
  put_text(&m, 2, opcode);
  put_shape(&m, 3, count);
  put_number(&m, 35, id);
  return m;
}

static message constant(const float *elements, size_t count) {
  message m = instruction("constant", count, CONSTANT), literal = {0};
  put_shape(&literal, 1, count);
  put_bytes(&literal, 8, elements, count * sizeof *elements);
  put_message(&m, 8, &literal);
  return m;
}

// The parameter and the constant added: f32[count].
static message sum_module(const float *elements, size_t count) {
  message module = {0}, entry = {0},
          parts[3] = {instruction("parameter", count, PARAMETER), constant(elements, count),
                      instruction("add", count, SUM)};
  put_bytes(&parts[2], 36, (uint8_t[]){PARAMETER, CONSTANT}, 2);
  put_text(&entry, 1, "entry");
  for (int i = 0; i < 3; i++) {
    put_message(&entry, 2, &parts[i]);
  }
  put_number(&entry, 5, ENTRY);
  put_number(&entry, 6, SUM);
  put_text(&module, 1, "large");
  put_message(&module, 3, &entry);
  put_number(&module, 6, ENTRY);
  return module;
}

static message with_config(message module) {
  message both = {0};
  put_bytes(&both, 1, module.data, module.size);
  return both;
}

static float element(size_t i) { return (float)(i % 1000) * 0.5f; }

static message sum_of(size_t count) {
  float *elements = malloc(count * sizeof *elements);
  assert_non_null(elements);
  for (size_t i = 0; i < count; i++) {
    elements[i] = element(i);
  }
  message module = sum_module(elements, count);
  free(elements);
  return module;
}

// ---- The host -------------------------------------------------------------------------------------------------------------

static PJRT_Error *compile(const void *code, size_t size, const char *format, PJRT_LoadedExecutable **out) {
  const PJRT_Program program = {.struct_size = sizeof program,
                                .code = (char *)(uintptr_t)code,
                                .code_size = size,
                                .format = format,
                                .format_size = strlen(format)};
  HOST_ARGS(args, Client_Compile, .client = client, .program = &program);
  PJRT_Error *error = host_api()->PJRT_Client_Compile(&args);
  *out = args.executable;
  return error;
}

static PJRT_LoadedExecutable *compiled(message program, const char *format) {
  PJRT_LoadedExecutable *loaded;
  host_ok(compile(program.data, program.size, format, &loaded), "compile");
  return loaded;
}

static void check_sum(PJRT_LoadedExecutable *loaded, size_t count) {
  const int64_t dims[] = {(int64_t)count};
  float *x = calloc(count, sizeof *x);
  assert_non_null(x);
  for (size_t i = 0; i < count; i++) {
    x[i] = (float)(i % 7);
  }
  PJRT_Buffer *argument = host_put(client, device, x, dims, 1), *result;
  host_ok(host_execute(loaded, &argument, 1, &result), "execute");
  host_get(result, x, count);
  for (size_t i = 0; i < count; i++) {
    if (x[i] != (float)(i % 7) + element(i)) {
      fail_msg("element %zu is %g", i, (double)x[i]);
    }
  }
  free(x);
  host_buffer_destroy(result);
  host_buffer_destroy(argument);
}

static void fingerprint(PJRT_LoadedExecutable *loaded, char out[64]) {
  HOST_ARGS(args, LoadedExecutable_Fingerprint, .executable = loaded);
  HOST_OK(LoadedExecutable_Fingerprint, &args);
  snprintf(out, 64, "%.*s", (int)args.executable_fingerprint_size, args.executable_fingerprint);
}

static PJRT_Program optimized_of(PJRT_LoadedExecutable *loaded) {
  PJRT_Executable *executable = host_executable(loaded);
  PJRT_Program optimized = {.struct_size = sizeof optimized};
  HOST_ARGS(args, Executable_OptimizedProgram, .executable = executable, .program = &optimized);
  HOST_OK(Executable_OptimizedProgram, &args);
  optimized.code = malloc(optimized.code_size);
  assert_non_null(optimized.code);
  HOST_OK(Executable_OptimizedProgram, &args);
  host_executable_destroy(executable);
  return optimized;
}

// ---- Large constants --------------------------------------------------------------------------------------------------------

// A line of the process's status in bytes.
static size_t status_bytes(const char *name) {
  char line[256];
  size_t found = 0, length = strlen(name);
  FILE *file = fopen("/proc/self/status", "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, name, length) == 0) {
      found = strtoull(line + length, NULL, 10) << 10;
    }
  }
  fclose(file);
  return found;
}

// From here on the most that the process holds is counted anew; false where the system does not do that.
static bool forget_peak(void) {
  int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  bool done = file >= 0 && write(file, "5", 1) == 1;
  if (file >= 0) {
    close(file);
  }
  return done && status_bytes("VmHWM:") < status_bytes("VmRSS:") + ((size_t)8 << 20);
}

enum { LARGE = 16 << 20 };  // elements: 64 MiB, as text 128

// A program with a large constant is held by who compiles it as its bytes, in the IR, and twice while the plan is made. Its text, in
// hexadecimal, would be twice as long, and be there twice while it is read.
static void test_large_constant_takes_no_text(void **state) {
  (void)state;
  message program = sum_of(LARGE), small = sum_of(8);
  host_loaded_destroy(compiled(small, "hlo"));  // what compiling takes whatever the program is
  free(small.data);
  bool counts = forget_peak() && !UNDER_ASAN;
  size_t before = status_bytes("VmRSS:");
  PJRT_LoadedExecutable *loaded = compiled(program, "hlo");
  size_t peak = status_bytes("VmHWM:") - before;
  if (counts && peak > program.size / 2 * 9) {
    fail_msg("a program of %zu MB takes %zu MB to compile", program.size >> 20, peak >> 20);
  }
  check_sum(loaded, LARGE);
  host_loaded_destroy(loaded);
  free(program.data);
}

// What the passes made of a large program is told too, as often as somebody asks.
static void test_large_program_is_told(void **state) {
  (void)state;
  enum { COUNT = 2 << 20 };
  message program = sum_of(COUNT);
  PJRT_LoadedExecutable *loaded = compiled(program, "hlo"), *again;
  PJRT_Program first = optimized_of(loaded), second = optimized_of(loaded);
  host_loaded_destroy(loaded);
  assert_true(first.code_size > COUNT * sizeof(float) && first.code_size == second.code_size);
  assert_memory_equal(first.code, second.code, first.code_size);
  host_ok(compile(first.code, first.code_size, "hlo_with_config", &again), "compile what it was made into");
  check_sum(again, COUNT);
  host_loaded_destroy(again);
  free(first.code);
  free(second.code);
  free(program.data);
}

// ---- Caches -----------------------------------------------------------------------------------------------------------------

enum { SMALL = 24 };

static const char mlir[] = "module @large {\nfunc.func @main(%x: tensor<24xf32>) -> tensor<24xf32> {\n"
                           "  %i = stablehlo.iota dim = 0 : tensor<24xf32>\n"
                           "  %h = stablehlo.constant dense<0.5> : tensor<24xf32>\n"
                           "  %c = stablehlo.multiply %i, %h : tensor<24xf32>\n"
                           "  %y = stablehlo.add %x, %c : tensor<24xf32>\n  return %y : tensor<24xf32>\n}\n}\n";

// The same bytes are the same program and find its kernels. The same program in another form is another one to who keeps executables by
// their fingerprints, and computes the same.
static void test_forms_are_told_apart(void **state) {
  (void)state;
  message alone = sum_of(SMALL), both = with_config(alone);
  const message text = {(uint8_t *)(uintptr_t)mlir, sizeof mlir - 1};
  const struct form {
    message program;
    const char *format;
  } forms[] = {{alone, "hlo"}, {both, "hlo_with_config"}, {text, "mlir"}, {alone, "hlo"}};
  char prints[4][64];
  for (int i = 0; i < 4; i++) {
    uint64_t before = mr_codegen_stats_now().compiled;
    PJRT_LoadedExecutable *loaded = compiled(forms[i].program, forms[i].format);
    assert_true(i == 0 || i == 2 || mr_codegen_stats_now().compiled == before);
    fingerprint(loaded, prints[i]);
    check_sum(loaded, SMALL);
    host_loaded_destroy(loaded);
  }
  assert_string_equal(prints[0], prints[3]);
  assert_string_not_equal(prints[0], prints[1]);
  assert_string_not_equal(prints[0], prints[2]);
  assert_string_not_equal(prints[1], prints[2]);
  free(alone.data);
  free(both.data);
}

// Bytes mean what their form says, whatever was compiled of them before.
static void test_forms_are_not_guessed(void **state) {
  (void)state;
  message alone = sum_of(SMALL), both = with_config(alone);
  PJRT_LoadedExecutable *loaded = compiled(alone, "hlo"), *other;
  host_loaded_destroy(loaded);
  host_refused(compile(alone.data, alone.size, "mlir", &other), PJRT_Error_Code_INVALID_ARGUMENT, "");
  host_refused(compile(alone.data, alone.size, "hlo_with_config", &other), PJRT_Error_Code_INVALID_ARGUMENT,
               "HloModuleProto");
  host_refused(compile(both.data, both.size, "hlo", &other), PJRT_Error_Code_INVALID_ARGUMENT, "no entry");
  free(alone.data);
  free(both.data);
}

// ---- Serialization ------------------------------------------------------------------------------------------------------------

static PJRT_Executable_Serialize_Args serialized(PJRT_LoadedExecutable *loaded) {
  PJRT_Executable *executable = host_executable(loaded);
  HOST_ARGS(keep, Executable_Serialize, .executable = executable);
  HOST_OK(Executable_Serialize, &keep);
  host_executable_destroy(executable);
  return keep;
}

// A serialized executable has the program as the host sent it, in either form, and is as good as what it was made of, also to serialize.
static void test_serialized(void **state) {
  (void)state;
  message alone = sum_of(SMALL), both = with_config(alone);
  const char *const formats[] = {"hlo", "hlo_with_config"};
  for (int i = 0; i < 2; i++) {
    message program = i ? both : alone;
    char wanted[64], found[64];
    PJRT_LoadedExecutable *loaded = compiled(program, formats[i]);
    fingerprint(loaded, wanted);
    PJRT_Program told = optimized_of(loaded);
    PJRT_Executable_Serialize_Args keep = serialized(loaded);
    host_loaded_destroy(loaded);
    assert_non_null(memmem(keep.serialized_bytes, keep.serialized_bytes_size, program.data, program.size));
    HOST_ARGS(again, Executable_DeserializeAndLoad, .client = client, .serialized_executable = keep.serialized_bytes,
              .serialized_executable_size = keep.serialized_bytes_size);
    HOST_OK(Executable_DeserializeAndLoad, &again);
    check_sum(again.loaded_executable, SMALL);
    fingerprint(again.loaded_executable, found);
    assert_string_equal(found, wanted);
    PJRT_Program told_again = optimized_of(again.loaded_executable);
    assert_int_equal(told_again.format_size, strlen("hlo_with_config"));
    assert_int_equal(told_again.code_size, told.code_size);
    assert_memory_equal(told_again.code, told.code, told.code_size);
    PJRT_Executable_Serialize_Args twice = serialized(again.loaded_executable);
    host_loaded_destroy(again.loaded_executable);
    assert_int_equal(twice.serialized_bytes_size, keep.serialized_bytes_size);
    assert_memory_equal(twice.serialized_bytes, keep.serialized_bytes, twice.serialized_bytes_size);
    twice.serialized_executable_deleter(twice.serialized_executable);
    keep.serialized_executable_deleter(keep.serialized_executable);
    free(told.code);
    free(told_again.code);
  }
  free(alone.data);
  free(both.data);
}

// One that is loaded with other options is compiled again, from the same bytes.
static void test_other_options(void **state) {
  (void)state;
  static const char options[] = "\x1A\x02\x20\x01";  // 3: {4: one replica}
  message program = sum_of(SMALL);
  PJRT_LoadedExecutable *loaded = compiled(program, "hlo");
  PJRT_Executable *executable = host_executable(loaded);
  HOST_ARGS(load, Client_Load, .client = client, .executable = executable, .compile_options = options,
            .compile_options_size = sizeof options - 1);
  HOST_OK(Client_Load, &load);
  check_sum(load.loaded_executable, SMALL);
  host_loaded_destroy(load.loaded_executable);
  host_executable_destroy(executable);
  host_loaded_destroy(loaded);
  free(program.data);
}

// ---- What is wrong ------------------------------------------------------------------------------------------------------------

static void test_malformed(void **state) {
  (void)state;
  message program = sum_of(SMALL), broken = {0};
  PJRT_LoadedExecutable *loaded;
  host_refused(compile("", 0, "hlo", &loaded), PJRT_Error_Code_INVALID_ARGUMENT, "no entry");
  host_refused(compile("", 0, "hlo_with_config", &loaded), PJRT_Error_Code_INVALID_ARGUMENT, "no entry");
  host_refused(compile(program.data, program.size - 3, "hlo", &loaded), PJRT_Error_Code_INVALID_ARGUMENT, "");
  host_refused(compile(program.data, program.size / 2, "hlo", &loaded), PJRT_Error_Code_INVALID_ARGUMENT,
               "not a HloModuleProto");
  put_bytes(&broken, 1, program.data, program.size / 2);
  host_refused(compile(broken.data, broken.size, "hlo_with_config", &loaded), PJRT_Error_Code_INVALID_ARGUMENT,
               "not a HloModuleProto");
  host_refused(compile(broken.data, broken.size - 3, "hlo_with_config", &loaded), PJRT_Error_Code_INVALID_ARGUMENT,
               "not a HloModuleProtoWithConfig");
  free(broken.data);
  free(program.data);
}

// A literal that is too short is told with its instruction and the sizes.
static void test_short_literal(void **state) {
  (void)state;
  message shorter = sum_of(SMALL - 1);
  PJRT_LoadedExecutable *loaded;
  // The longer shape's one byte in place of the shorter's, in the instruction and in its literal.
  for (size_t i = 0; i + 1 < shorter.size; i++) {
    if (shorter.data[i] == 1 && shorter.data[i + 1] == SMALL - 1) {
      shorter.data[i + 1] = SMALL;
    }
  }
  host_refused(compile(shorter.data, shorter.size, "hlo", &loaded), PJRT_Error_Code_INVALID_ARGUMENT,
               "%constant (constant): literal of tensor<24xf32> has 92 bytes, wanted 96");
  free(shorter.data);
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  host_link_plugin();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_large_constant_takes_no_text),
      cmocka_unit_test(test_large_program_is_told),
      cmocka_unit_test(test_forms_are_told_apart),
      cmocka_unit_test(test_forms_are_not_guessed),
      cmocka_unit_test(test_serialized),
      cmocka_unit_test(test_other_options),
      cmocka_unit_test(test_malformed),
      cmocka_unit_test(test_short_literal),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
