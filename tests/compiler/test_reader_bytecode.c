// The bytecode reader on one small artifact, whole, cut and damaged.
#include "tests/cmocka.h"

#include <stdio.h>
#include <string.h>

#include "compiler/reader/reader.h"

// func public @main(%a: tensor<2x3xf32>) { return %a + splat 2.0 } in module @m, 237 bytes, bytecode version 6.
// clang-format off
static const uint8_t artifact[] = {
    0x4D, 0x4C, 0xEF, 0x52, 0x0D, 'S', 't', 'a', 'b', 'l', 'e', 'H', 'L', 'O', '_', 'v', '1', '.', '1', '7', '.', '0', 0,
    // Dialects and op names.
    0x01, 0x1B, 0x05, 0x01, 0x05, 0x0B, 0x01, 0x03, 0x0B, 0x03, 0x09, 0x0F, 0x13, 0x17, 0x1B,
    // Sizes of 7 attributes and 3 types, then the attributes and types.
    0x03, 0x25, 0x0F, 0x07, 0x01, 0x05, 0x07, 0x0B, 0x03, 0x0B, 0x0B, 0x0B, 0x0B, 0x0B, 0x1F, 0x03, 0x07, 0x17, 0x17, 0x07,
    0x02, 0x3B, 0x1F, 0x05, 0x0F, 0x03, 0x01, 0x23, 0x03, 0x1D, 0x11, 0x1D, 0x13, 0x1F, 0x01, 0x09, 0x00, 0x00, 0x00, 0x40,
    0x29, 0x05, 0x09, 0x0D, 0x05, 0x11, 0x03, 0x01, 0x03, 0x01, 0x09,
    // The module, the function, three ops.
    0x04, 0x57, 0x05, 0x01, 0x50, 0x01, 0x01, 0x07, 0x04, 0x47, 0x03, 0x01, 0x05, 0x03, 0x50, 0x01, 0x03, 0x07, 0x04, 0x33,
    0x03, 0x07, 0x0F, 0x03, 0x01, 0x00, 0x05, 0x42, 0x01, 0x05, 0x03, 0x01, 0x07, 0x06, 0x01, 0x03, 0x01, 0x05, 0x01, 0x03,
    0x09, 0x04, 0x01, 0x03, 0x05,
    // No resources; strings; properties.
    0x06, 0x03, 0x01, 0x05, 0x01,
    0x00, 0xA5, 0x15, 0x0F, 0x0B, 0x05, 0x15, 0x0F, 0x19, 0x11, 0x0F, 0x0B, 0x11,
    'b', 'u', 'i', 'l', 't', 'i', 'n', 0, 'v', 'h', 'l', 'o', 0, 'm', 'o', 'd', 'u', 'l', 'e', 0,
    'f', 'u', 'n', 'c', '_', 'v', '1', 0, 'c', 'o', 'n', 's', 't', 'a', 'n', 't', '_', 'v', '1', 0,
    'a', 'd', 'd', '_', 'v', '1', 0, 'r', 'e', 't', 'u', 'r', 'n', '_', 'v', '1', 0, 'm', 0,
    'm', 'a', 'i', 'n', 0, 'p', 'u', 'b', 'l', 'i', 'c', 0,
    0x08, 0x19, 0x07, 0x05, 0x07, 0x01, 0x0B, 0x05, 0x07, 0x05, 0x09, 0x0B, 0x03, 0x0D,
};
// clang-format on

static mr_code read_code(const void *data, size_t size) {
  mr_module *module;
  mr_status status = mr_read_bytecode((mr_span){data, size}, &module);
  mr_code code = mr_status_code(status);
  if (status) {
    assert_null(module);
    assert_non_null(strstr(mr_status_message(status), "bytecode"));
  }
  mr_status_free(status);
  mr_module_release(module);
  return code;
}

// Reads the artifact with one byte replaced and expects this message.
static void expect_message(size_t at, uint8_t byte, mr_code code, const char *message) {
  uint8_t copy[sizeof artifact];
  memcpy(copy, artifact, sizeof(copy));
  copy[at] = byte;
  mr_module *module;
  mr_status status = mr_read_bytecode((mr_span){copy, sizeof(copy)}, &module);
  assert_non_null(status);
  assert_string_equal(mr_status_message(status), message);
  assert_int_equal(mr_status_code(status), code);
  mr_status_free(status);
}

static size_t offset_of(const char *text) {
  for (size_t i = 0; i + strlen(text) < sizeof artifact; i++) {
    if (memcmp(artifact + i, text, strlen(text)) == 0) {
      return i;
    }
  }
  fail();
  return 0;
}

// The artifact comes out as the function it is, splat kept and places noted.
static void test_reads_the_whole_artifact(void **state) {
  (void)state;
  assert_int_equal(sizeof artifact, 237);
  mr_module *module;
  assert_null(mr_read_program((mr_span){artifact, sizeof artifact}, &module));
  assert_true(mr_str_is(module->name, "m"));
  mr_function *main = mr_module_entry(module);
  assert_true(mr_str_is(main->name, "main") && main->is_public && !main->is_declaration);
  char text[64];
  assert_int_equal(main->body.num_args, 1);
  assert_string_equal(mr_type_text(&main->body.args[0]->type, text, sizeof text), "tensor<2x3xf32>");
  mr_op *constant = main->body.first, *add = constant->next, *back = add->next;
  assert_int_equal(constant->kind, MR_OP_constant);
  const mr_dense *dense = &mr_op_attr(constant, MR_ATTR_value)->dense;
  assert_true(dense->splat && dense->size == 4 && *(const float *)dense->data == 2.0f);
  assert_int_equal(add->kind, MR_OP_add);
  assert_ptr_equal(mr_op_operand(add, 0), main->body.args[0]);
  assert_ptr_equal(mr_op_operand(add, 1), mr_op_result(constant, 0));
  assert_int_equal(back->kind, MR_OP_return);
  assert_null(back->next);
  assert_true(constant->loc.offset < add->loc.offset && artifact[add->loc.offset] == 0x07);
  assert_null(mr_module_verify(module));
  mr_module_release(module);
}

// Every cut of the artifact is an error that says where.
static void test_every_prefix_is_an_error(void **state) {
  (void)state;
  for (size_t size = 0; size < sizeof artifact; size++) {
    uint8_t *copy = mr_alloc(size + 1);  // exact, so that a sanitizer sees a byte too many
    memcpy(copy, artifact, size);
    assert_int_not_equal(read_code(copy, size), 0);
    mr_free(copy);
  }
}

// Any one byte may be anything: the reader answers, and what it accepts can be verified.
static void test_every_byte_may_be_anything(void **state) {
  (void)state;
  uint8_t copy[sizeof artifact];
  memcpy(copy, artifact, sizeof(copy));
  for (size_t at = 0; at < sizeof(copy); at++) {
    for (unsigned byte = 0; byte < 256; byte++) {
      copy[at] = (uint8_t)byte;
      mr_module *module;
      mr_status status = mr_read_bytecode((mr_span){copy, sizeof(copy)}, &module);
      if (!status) {
        status = mr_module_verify(module);
      }
      mr_status_free(status);
      mr_module_release(module);
    }
    copy[at] = artifact[at];
  }
}

// Messages name the offset, the value found and the value wanted.
static void test_messages_say_where_and_what(void **state) {
  (void)state;
  expect_message(0, 'X', MR_INVALID_ARGUMENT,
                 "bytecode offset 0: expected the magic number of MLIR bytecode, 4D 4C EF 52");
  expect_message(4, 0x0F, MR_UNIMPLEMENTED, "bytecode version 7, at most 6 is supported");
  size_t add = offset_of("\x07\x06\x01\x03\x01\x05\x01\x03");
  expect_message(add + 7, 0x07, MR_INVALID_ARGUMENT, "bytecode offset 128: value 3 does not exist, there are 3");
  expect_message(add + 7, 0x05, MR_INVALID_ARGUMENT, "bytecode offset 128: value 2 is used before it is defined");
  expect_message(add + 4, 0x03, MR_INVALID_ARGUMENT, "bytecode offset 125: expected the type of a value");
  expect_message(offset_of("add_v1") + 2, 'x', MR_UNIMPLEMENTED, "bytecode offset 121: op vhlo.adx_v1");
  expect_message(offset_of("add_v1") + 5, '3', MR_UNIMPLEMENTED, "bytecode offset 121: op vhlo.add_v3");
}

// A section that claims more bytes than there are, a type that contains itself, and counts beyond the file are refused.
static void test_hostile_counts_are_refused(void **state) {
  (void)state;
  size_t types = offset_of("\x29\x05\x09\x0D\x05");
  expect_message(types + 4, 0x01, MR_INVALID_ARGUMENT, "bytecode offset 78: attribute or type contains itself");
  expect_message(types + 1, 0xFF, MR_INVALID_ARGUMENT,
                 "bytecode offset 79: 127 integers do not fit into the 4 bytes left");
  expect_message(24, 0xFF, MR_INVALID_ARGUMENT, "bytecode offset 212: section 98 is unknown or came before");
}

// Whichever allocation fails, the reader says so and keeps nothing.
static void test_failing_allocations(void **state) {
  (void)state;
  for (uint64_t nth = 1;; nth++) {
    mr_alloc_fail_nth(nth);
    mr_module *module;
    mr_status status = mr_read_bytecode((mr_span){artifact, sizeof artifact}, &module);
    mr_alloc_fail_nth(0);
    mr_module_release(module);
    if (!status) {
      assert_true(nth > 1);
      return;
    }
    assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
    mr_status_free(status);
    assert_true(nth < 1000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reads_the_whole_artifact),   cmocka_unit_test(test_every_prefix_is_an_error),
      cmocka_unit_test(test_every_byte_may_be_anything), cmocka_unit_test(test_messages_say_where_and_what),
      cmocka_unit_test(test_hostile_counts_are_refused), cmocka_unit_test(test_failing_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
