// Other forms of programs: each of tests/programs that jaxlib turned into HloModuleProto or text of the mhlo dialect
// (make_hlo.py) computes what its StableHLO artifact does, and files that are not what they should be are refused by name.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/proto/hlo.pb-c.h"
#include "compiler/reader/reader.h"
#include "tests/compiler/two_programs.h"

static void expect_error(mr_status status, mr_code code, const char *part) {
  assert_non_null(status);
  if (mr_status_code(status) != code || !strstr(mr_status_message(status), part)) {
    fail_msg("%s: %s, wanted %s with '%s'", mr_status_code_name(mr_status_code(status)), mr_status_message(status),
             mr_status_code_name(code), part);
  }
  mr_status_free(status);
}

static mr_span read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fail_msg("cannot open %s", path);
  }
  char *data = NULL;
  size_t size = 0, room = 0, got = 1;
  while (got) {
    if (size == room) {
      room = room ? 2 * room : 65536;
      data = realloc(data, room);
      assert_non_null(data);
    }
    got = fread(data + size, 1, room - size, file);
    size += got;
  }
  fclose(file);
  return (mr_span){data, size};
}

// ---- Programs in both forms ------------------------------------------------------------------------------------------------

static void hlo_text(mr_span bytes, const char *name, mr_text *text) {
  mr_module *module;
  expect_ok(mr_read_hlo(bytes, false, &module), name);
  expect_ok(mr_module_verify(module), name);
  mr_module_print(module, text);
  mr_module_release(module);
}

static mr_executable *compile_file(const char *folder, const char *name, const char *suffix) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
  mr_span file = read_file(path);
  mr_executable *executable = NULL;
  const mr_compile_options options = {.format = strcmp(suffix, ".pb") == 0 ? MR_PROGRAM_HLO : MR_PROGRAM_MLIR};
  expect_ok(mr_compile(file, &options, &executable), name);
  free((void *)file.data);
  return executable;
}

static void check_program(const char *folder, const char *name, const char *suffix) {
  check_same(name, compile_file("tests/programs", name, ".mlirbc"), compile_file(folder, name, suffix));
}

static void check_folder(const char *path, const char *suffix) {
  DIR *folder = opendir(path);
  assert_non_null(folder);
  const char *only = getenv("HLO_ONLY");
  size_t count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    char name[200];
    size_t size = strlen(entry->d_name), tail = strlen(suffix);
    if (size > tail && size < sizeof name && strcmp(entry->d_name + size - tail, suffix) == 0) {
      snprintf(name, sizeof name, "%.*s", (int)(size - tail), entry->d_name);
      if (!only || strstr(name, only)) {
        check_program(path, name, suffix);
        count++;
      }
    }
  }
  closedir(folder);
  assert_true(only || count >= 50);
}

static void test_hlo_agrees(void **state) {
  (void)state;
  check_folder("tests/compiler/hlo", ".pb");
}

static void test_mhlo_agrees(void **state) {
  (void)state;
  check_folder("tests/compiler/mhlo", ".mlir");
}

// ---- What only HLO can say -------------------------------------------------------------------------------------------------

// Instructions in two halves do what those in one do: subtraction in an async pair, a copy, collectives over one device.
static void test_async_pairs(void **state) {
  (void)state;
  static const char text[] = "func.func @main(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<2x2xf32> {\n"
                             "  %r = stablehlo.broadcast_in_dim %y, dims = [] : (tensor<f32>) -> tensor<4xf32>\n"
                             "  %d = stablehlo.subtract %x, %r : tensor<4xf32>\n"
                             "  %s = stablehlo.reshape %d : (tensor<4xf32>) -> tensor<2x2xf32>\n"
                             "  return %s : tensor<2x2xf32>\n}\n";
  mr_executable *wanted;
  expect_ok(mr_compile((mr_span){text, sizeof text - 1}, NULL, &wanted), "async_pairs");
  check_same("async_pairs", wanted, compile_file("tests/compiler/hlo_only", "async_pairs", ".pb"));
}

// HLO's ragged product is CHLO's.
static void test_ragged_dot(void **state) {
  (void)state;
  static const char text[] =
      "func.func @main(%x: tensor<6x3xf32>, %w: tensor<2x3x4xf32>) -> tensor<6x4xf32> {\n"
      "  %n = stablehlo.constant dense<[2, 3]> : tensor<2xi32>\n"
      "  %y = \"chlo.ragged_dot\"(%x, %w, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<\n"
      "    lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1],\n"
      "    rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}\n"
      "    : (tensor<6x3xf32>, tensor<2x3x4xf32>, tensor<2xi32>) -> tensor<6x4xf32>\n"
      "  return %y : tensor<6x4xf32>\n}\n";
  mr_executable *wanted;
  expect_ok(mr_compile((mr_span){text, sizeof text - 1}, NULL, &wanted), "ragged");
  check_same("ragged", wanted, compile_file("tests/compiler/hlo_only", "ragged", ".pb"));
}

// HLO's transfers are StableHLO's, with the same channels and the same order.
static void test_host_transfers(void **state) {
  (void)state;
  mr_span file = read_file("tests/compiler/hlo_only/host_transfers.pb");
  mr_text text = {0};
  hlo_text(file, "host_transfers", &text);
  mr_text_append(&text, MR_STR("\0"));
  const char *send = strstr(text.data, "\"stablehlo.send\""), *recv = strstr(text.data, "\"stablehlo.recv\"");
  assert_true(send && recv && send < recv);
  assert_non_null(strstr(send, "handle = 5, type = 2"));
  assert_non_null(strstr(recv, "handle = 6, type = 3"));
  assert_non_null(strstr(recv, "is_host_transfer = true"));
  mr_text_deinit(&text);
  free((void *)file.data);
}

// ---- Files that are wrong --------------------------------------------------------------------------------------------------

static mr_status read_bytes(const void *data, size_t size) {
  mr_module *module;
  mr_status status = mr_read_hlo((mr_span){data, size}, false, &module);
  status = status ? status : mr_module_verify(module);
  mr_module_release(module);
  return status;
}

// Text, nothing and noise are not modules.
static void test_other_bytes_are_refused(void **state) {
  (void)state;
  static const char text[] = "module @m { func.func @main() { return } }";
  expect_error(read_bytes(text, sizeof text - 1), MR_INVALID_ARGUMENT, "not a HloModuleProto");
  expect_error(read_bytes("", 0), MR_INVALID_ARGUMENT, "no entry");
  expect_error(read_bytes("\x1a\x7f", 2), MR_INVALID_ARGUMENT, "not a HloModuleProto");
}

typedef Millrace__Hlo__Instruction instruction;

static ProtobufCBinaryData packed(const ProtobufCMessage *message) {
  ProtobufCBinaryData bytes = {.len = protobuf_c_message_get_packed_size(message)};
  bytes.data = malloc(bytes.len + 1);
  assert_non_null(bytes.data);
  protobuf_c_message_pack(message, bytes.data);
  return bytes;
}

static ProtobufCBinaryData array_shape(int type, size_t rank, int64_t *dims) {
  Millrace__Hlo__Shape shape = MILLRACE__HLO__SHAPE__INIT;
  shape.element_type = type;
  shape.n_dimensions = rank;
  shape.dimensions = dims;
  return packed(&shape.base);
}

// One computation of these instructions, the last one the root; their shapes are freed.
static mr_status read_instructions(instruction *const *instructions, size_t count) {
  Millrace__Hlo__Computation computation = MILLRACE__HLO__COMPUTATION__INIT;
  Millrace__Hlo__Module module = MILLRACE__HLO__MODULE__INIT;
  ProtobufCBinaryData list[16];
  assert_true(count <= MR_ARRAY_SIZE(list));
  for (size_t i = 0; i < count; i++) {
    instructions[i]->id = (int64_t)i + 1;
    list[i] = packed(&instructions[i]->base);
    free(instructions[i]->shape.data);
  }
  computation.name = "entry";
  computation.id = 7;
  computation.root_id = (int64_t)count;
  computation.instructions = list;
  computation.n_instructions = count;
  ProtobufCBinaryData body = packed(&computation.base);
  module.name = "m";
  module.entry_computation_id = 7;
  module.computations = &body;
  module.n_computations = 1;
  ProtobufCBinaryData bytes = packed(&module.base);
  mr_status status = read_bytes(bytes.data, bytes.len);
  for (size_t i = 0; i < count; i++) {
    free(list[i].data);
  }
  free(body.data);
  free(bytes.data);
  return status;
}

static instruction make(char *opcode, int type, size_t rank, int64_t *dims) {
  instruction made = MILLRACE__HLO__INSTRUCTION__INIT;
  made.name = "it";
  made.opcode = opcode;
  made.shape = array_shape(type, rank, dims);
  return made;
}

enum { XLA_S32 = 4, XLA_F32 = 11 };

// The second half of a pair without the first one's tuple.
static void test_done_without_start(void **state) {
  (void)state;
  instruction parameter = make("parameter", XLA_F32, 0, NULL);
  instruction op = make("copy-done", XLA_F32, 0, NULL);
  op.operand_ids = (int64_t[]){1};
  op.n_operand_ids = 1;
  expect_error(read_instructions((instruction *[]){&parameter, &op}, 2), MR_INVALID_ARGUMENT, "the first half's tuple");
  instruction start = make("async-start", XLA_F32, 0, NULL);
  expect_error(read_instructions((instruction *[]){&start}, 1), MR_INVALID_ARGUMENT, "wanted a tuple");
}

static void test_unknown_opcode_is_named(void **state) {
  (void)state;
  instruction op = make("ragged-all-to-all", XLA_F32, 0, NULL);
  expect_error(read_instructions((instruction *[]){&op}, 1), MR_UNIMPLEMENTED, "opcode 'ragged-all-to-all'");
}

static void test_unknown_element_type_is_named(void **state) {
  (void)state;
  instruction op = make("iota", 99, 1, (int64_t[]){3});
  expect_error(read_instructions((instruction *[]){&op}, 1), MR_UNIMPLEMENTED, "element type 99");
}

static void test_operands_come_before_their_users(void **state) {
  (void)state;
  instruction op = make("negate", XLA_F32, 0, NULL);
  op.operand_ids = (int64_t[]){2};
  op.n_operand_ids = 1;
  instruction later = make("parameter", XLA_F32, 0, NULL);
  expect_error(read_instructions((instruction *[]){&op, &later}, 2), MR_INVALID_ARGUMENT,
               "instruction 2, which is none of those before it");
}

// What an instruction declares is held against what its operands make of it.
static void test_declared_shape_is_checked(void **state) {
  (void)state;
  instruction parameter = make("parameter", XLA_F32, 1, (int64_t[]){3});
  instruction op = make("negate", XLA_F32, 1, (int64_t[]){4});
  op.operand_ids = (int64_t[]){1};
  op.n_operand_ids = 1;
  expect_error(read_instructions((instruction *[]){&parameter, &op}, 2), MR_INVALID_ARGUMENT, "tensor<4xf32>");
}

static void test_literal_of_wrong_length(void **state) {
  (void)state;
  Millrace__Hlo__Literal literal = MILLRACE__HLO__LITERAL__INIT;
  literal.shape = array_shape(XLA_S32, 1, (int64_t[]){3});
  literal.s32s = (int32_t[]){1, 2};
  literal.n_s32s = 2;
  instruction op = make("constant", XLA_S32, 1, (int64_t[]){3});
  op.literal = packed(&literal.base);
  expect_error(read_instructions((instruction *[]){&op}, 1), MR_INVALID_ARGUMENT, "has 8 bytes, wanted 12");
  free(op.literal.data);
  free(literal.shape.data);
}

// Elements of a literal may come one by one, in several fields, or both, where protobuf has nothing against it: all of them count.
static void test_literal_in_pieces(void **state) {
  (void)state;
  static const uint8_t one[] = {0x00, 0x00, 0x80, 0x3f}, two[] = {0x00, 0x00, 0x00, 0x40};
  Millrace__Hlo__Literal literal = MILLRACE__HLO__LITERAL__INIT;
  for (int form = 0; form < 4; form++) {
    uint8_t bytes[64];
    literal.shape = array_shape(XLA_F32, 1, (int64_t[]){2});
    size_t size = protobuf_c_message_pack(&literal.base, bytes);
    for (int i = 0; i < 2; i++) {
      bool packs = form == 3 || form == i + 1;  // with a length: neither, the first, the second, both
      bytes[size++] = 8 << 3 | (packs ? 2 : 5);
      bytes[size] = sizeof one;
      size += packs;
      memcpy(bytes + size, i ? two : one, sizeof one);
      size += sizeof one;
    }
    instruction op = make("constant", XLA_F32, 1, (int64_t[]){2});
    op.literal = (ProtobufCBinaryData){size, bytes};
    mr_status status = read_instructions((instruction *[]){&op}, 1);
    expect_ok(status, "a literal in pieces");
    op.shape = array_shape(XLA_F32, 1, (int64_t[]){2});
    op.literal.len -= 1 + (form >= 2) + sizeof one;  // one is missing
    expect_error(read_instructions((instruction *[]){&op}, 1), MR_INVALID_ARGUMENT, "has 4 bytes, wanted 8");
    free(literal.shape.data);
  }
}

// A literal's elements lie in the order of its layout.
static void test_transposed_literal(void **state) {
  (void)state;
  Millrace__Hlo__Layout layout = MILLRACE__HLO__LAYOUT__INIT;
  layout.minor_to_major = (int64_t[]){0, 1};
  layout.n_minor_to_major = 2;
  Millrace__Hlo__Shape shape = MILLRACE__HLO__SHAPE__INIT;
  shape.element_type = XLA_S32;
  shape.dimensions = (int64_t[]){2, 3};
  shape.n_dimensions = 2;
  shape.layout = &layout;
  Millrace__Hlo__Literal literal = MILLRACE__HLO__LITERAL__INIT;
  literal.shape = packed(&shape.base);
  literal.s32s = (int32_t[]){1, 4, 2, 5, 3, 6};
  literal.n_s32s = 6;
  instruction op = MILLRACE__HLO__INSTRUCTION__INIT;
  op.name = "c";
  op.opcode = "constant";
  op.id = 1;
  op.shape = packed(&shape.base);
  op.literal = packed(&literal.base);
  Millrace__Hlo__Computation computation = MILLRACE__HLO__COMPUTATION__INIT;
  ProtobufCBinaryData one = packed(&op.base);
  computation.name = "entry";
  computation.root_id = 1;
  computation.instructions = &one;
  computation.n_instructions = 1;
  Millrace__Hlo__Module module = MILLRACE__HLO__MODULE__INIT;
  ProtobufCBinaryData body = packed(&computation.base);
  module.name = "m";
  module.entry_computation_name = "entry";
  module.computations = &body;
  module.n_computations = 1;
  ProtobufCBinaryData bytes = packed(&module.base);
  mr_text text = {0};
  hlo_text((mr_span){bytes.data, bytes.len}, "transposed", &text);
  mr_text_append(&text, (mr_str){"", 1});
  assert_non_null(strstr(text.data, "dense<[[1, 2, 3], [4, 5, 6]]>"));
  mr_text_deinit(&text);
  free(literal.shape.data);
  free(op.shape.data);
  free(op.literal.data);
  free(one.data);
  free(body.data);
  free(bytes.data);
}

// A tuple inside a tuple inside a tuple ...: refused at a bounded depth, not followed to the end of the stack.
static void test_deep_tuples_are_refused(void **state) {
  (void)state;
  ProtobufCBinaryData inner = array_shape(XLA_F32, 0, NULL);
  for (int i = 0; i < 3000; i++) {
    Millrace__Hlo__Shape shape = MILLRACE__HLO__SHAPE__INIT;
    shape.element_type = 13;
    shape.tuple_shapes = &inner;
    shape.n_tuple_shapes = 1;
    ProtobufCBinaryData outer = packed(&shape.base);
    free(inner.data);
    inner = outer;
  }
  instruction op = MILLRACE__HLO__INSTRUCTION__INIT;
  op.name = "deep";
  op.opcode = "parameter";
  op.shape = inner;
  expect_error(read_instructions((instruction *[]){&op}, 1), MR_INVALID_ARGUMENT, "tuples nest deeper than 50");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hlo_agrees),
      cmocka_unit_test(test_mhlo_agrees),
      cmocka_unit_test(test_other_bytes_are_refused),
      cmocka_unit_test(test_async_pairs),
      cmocka_unit_test(test_ragged_dot),
      cmocka_unit_test(test_host_transfers),
      cmocka_unit_test(test_done_without_start),
      cmocka_unit_test(test_unknown_opcode_is_named),
      cmocka_unit_test(test_unknown_element_type_is_named),
      cmocka_unit_test(test_operands_come_before_their_users),
      cmocka_unit_test(test_declared_shape_is_checked),
      cmocka_unit_test(test_literal_of_wrong_length),
      cmocka_unit_test(test_literal_in_pieces),
      cmocka_unit_test(test_transposed_literal),
      cmocka_unit_test(test_deep_tuples_are_refused),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
