// The IR: building, use chains, attributes, cloning, walking, printing.
#include <string.h>

#include "compiler/ir/ir.h"
#include "compiler/ir/scalar.h"
#include "tests/cmocka.h"

static mr_module *new_module(void) {
  mr_module *module = NULL;
  assert_null(mr_module_create(0, &module));
  return module;
}

static mr_function *new_function(mr_module *module, const char *name, uint32_t args, const mr_type *type) {
  mr_type types[4] = {*type, *type, *type, *type};
  return mr_module_add_function(module, mr_str_of(name), true, args, types, 1, type);
}

static void return_value(mr_block *block, mr_value *value) {
  mr_builder b = mr_builder_at_end(block);
  assert_non_null(mr_build(&b, MR_OP_return, 1, &value, 0, NULL, 0));
}

static size_t count_uses(const mr_value *value) {
  size_t count = 0;
  for (const mr_use *use = value->uses; use; use = use->next) {
    assert_ptr_equal(use->value, value);
    assert_ptr_equal(*use->link, use);
    count++;
  }
  return count;
}

static size_t count_ops(const mr_block *block) {
  size_t count = 0;
  for (mr_op *op = mr_walk_first(block); op; op = mr_walk_next(op, block)) {
    count++;
  }
  return count;
}

// Replacing a value moves every use, and an erased op leaves no use behind.
static void test_uses_follow_replace_and_erase(void **state) {
  (void)state;
  mr_module *module = new_module();
  mr_type type = mr_type_tensor(module, MR_F32, 2, (int64_t[]){2, 3});
  mr_function *f = new_function(module, "main", 2, &type);
  mr_builder b = mr_builder_at_end(&f->body);
  mr_value *x = f->body.args[0], *y = f->body.args[1];
  mr_value *sum = mr_build_binary(&b, MR_OP_add, x, x);
  mr_value *product = mr_build_binary(&b, MR_OP_multiply, sum, x);
  return_value(&f->body, product);
  assert_int_equal(count_uses(x), 3);

  mr_value_replace_all_uses(x, y);
  assert_int_equal(count_uses(x), 0);
  assert_int_equal(count_uses(y), 3);

  mr_value_replace_all_uses(product, y);
  mr_op_erase(product->def);
  assert_int_equal(count_uses(y), 3);
  assert_int_equal(count_uses(sum), 0);
  mr_op_erase(sum->def);
  assert_int_equal(count_uses(y), 1);
  assert_int_equal(count_ops(&f->body), 1);
  mr_module_release(module);
}

// Keyed attributes are found whatever the order they were set in; setting again replaces.
static void test_attributes(void **state) {
  (void)state;
  mr_module *module = new_module();
  mr_type type = mr_type_scalar(MR_F32);
  mr_function *f = new_function(module, "main", 1, &type);
  mr_builder b = mr_builder_at_end(&f->body);
  mr_op *op = mr_build_unary(&b, MR_OP_negate, f->body.args[0])->def;
  for (int key = MR_ATTR_COUNT - 1; key > MR_ATTR_none; key -= 3) {
    mr_op_set_int(module, op, (mr_attr_key)key, key);
  }
  mr_op_set_int(module, op, MR_ATTR_window_strides, 77);
  mr_op_set_string(module, op, MR_ATTR_callee, MR_STR("f"));
  mr_op_set_ints(module, op, MR_ATTR_slice_sizes, (mr_ints){(int64_t[]){4, 5}, 2});
  for (int key = MR_ATTR_COUNT - 1; key > MR_ATTR_none; key -= 3) {
    int64_t wanted = key == MR_ATTR_window_strides ? 77 : key;
    if (key != MR_ATTR_callee && key != MR_ATTR_slice_sizes) {
      assert_int_equal(mr_op_int(op, (mr_attr_key)key, -1), wanted);
    }
  }
  assert_true(mr_str_is(mr_op_string(op, MR_ATTR_callee), "f"));
  assert_int_equal(mr_op_ints(op, MR_ATTR_slice_sizes).data[1], 5);
  assert_int_equal(mr_attr_key_from_name(MR_STR("slice_sizes")), MR_ATTR_slice_sizes);
  assert_int_equal(mr_attr_key_from_name(MR_STR("no_such")), MR_ATTR_none);

  mr_attr extra = {.name = MR_STR("mhlo.sharding"), .kind = MR_ATTR_STRING, .string = MR_STR("{replicated}")};
  mr_op_set_attr(module, op, extra);
  assert_true(mr_str_is(mr_op_extra(op, "mhlo.sharding")->string, "{replicated}"));
  assert_null(mr_op_extra(op, "other"));
  mr_module_release(module);
}

// A while that counts to ten, with a captured value used inside.
static mr_op *build_loop(mr_function *f) {
  mr_module *module = f->module;
  mr_builder b = mr_builder_at_end(&f->body);
  mr_value *x = f->body.args[0];
  mr_type type = x->type, index = mr_type_scalar(MR_S32);
  mr_value *zero = mr_build_splat_int(&b, &index, 0);
  mr_value *ten = mr_build_splat_int(&b, &index, 10);
  mr_op *loop = mr_build(&b, MR_OP_while, 2, (mr_value *[]){zero, x}, 2, (mr_type[]){index, type}, 2);
  for (int r = 0; r < 2; r++) {
    mr_block_add_arg(module, loop->regions[r], &index);
    mr_block_add_arg(module, loop->regions[r], &type);
  }
  mr_builder cond = mr_builder_at_end(loop->regions[0]);
  mr_value *less = mr_build_compare(&cond, 5, 3, loop->regions[0]->args[0], ten);
  return_value(loop->regions[0], less);
  mr_builder body = mr_builder_at_end(loop->regions[1]);
  mr_value *one = mr_build_splat_int(&body, &index, 1);
  mr_value *next = mr_build_binary(&body, MR_OP_add, loop->regions[1]->args[0], one);
  mr_value *sum = mr_build_binary(&body, MR_OP_add, loop->regions[1]->args[1], x);
  mr_build(&body, MR_OP_return, 2, (mr_value *[]){next, sum}, 0, NULL, 0);
  return loop;
}

// A cloned loop has its own regions, uses mapped values outside and its own values inside.
static void test_clone_maps_inside_and_outside(void **state) {
  (void)state;
  mr_module *module = new_module();
  mr_type type = mr_type_tensor(module, MR_F32, 1, (int64_t[]){4});
  mr_function *f = new_function(module, "main", 2, &type);
  mr_op *loop = build_loop(f);
  size_t before = count_ops(&f->body);
  mr_value_map *map = mr_value_map_create(module);
  mr_value_map_set(map, f->body.args[0], f->body.args[1]);
  mr_builder b = mr_builder_at_end(&f->body);
  mr_op *copy = mr_op_clone(&b, loop, map);
  assert_non_null(copy);
  assert_int_equal(count_ops(&f->body), before + 7);
  assert_ptr_equal(mr_op_operand(copy, 1), f->body.args[1]);
  mr_op *returned = mr_block_terminator(copy->regions[1]);
  mr_op *sum = mr_op_operand(returned, 1)->def;
  assert_ptr_equal(sum->block, copy->regions[1]);
  assert_ptr_equal(mr_op_operand(sum, 0), copy->regions[1]->args[1]);
  assert_ptr_equal(mr_op_operand(sum, 1), f->body.args[1]);
  mr_op_erase(copy);
  assert_int_equal(count_uses(f->body.args[1]), 0);
  mr_module_release(module);
}

// The printed form has regions, block arguments, properties and nested lists in StableHLO's spelling.
static void test_print(void **state) {
  (void)state;
  mr_module *module = new_module();
  mr_type type = mr_type_tensor(module, MR_F32, 1, (int64_t[]){4});
  mr_function *f = new_function(module, "main", 1, &type);
  mr_op *loop = build_loop(f);
  mr_builder b = mr_builder_at_end(&f->body);
  mr_type square = mr_type_tensor(module, MR_F32, 2, (int64_t[]){2, 2});
  mr_dense dense = mr_dense_make(module, &square, (float[]){1, 2, 3, 4});
  mr_build_constant(&b, &dense);
  return_value(&f->body, mr_op_result(loop, 1));
  mr_text text = {0};
  mr_module_print(module, &text);
  mr_text_append(&text, (mr_str){"", 1});
  assert_false(text.failed);
  assert_non_null(strstr(text.data, "func.func public @main(%0: tensor<4xf32>) -> (tensor<4xf32>) {"));
  assert_non_null(strstr(text.data, "= \"stablehlo.while\"(%1, %0) ({\n      ^bb0("));
  assert_non_null(strstr(text.data, "comparison_direction = #stablehlo<comparison_direction LT>"));
  assert_non_null(strstr(text.data, "    }, {\n      ^bb0("));
  assert_non_null(strstr(text.data, "dense<[[1.00000000e+00, 2.00000000e+00], [3.00000000e+00, 4.00000000e+00]]>"));
  assert_non_null(strstr(text.data, "\"func.return\"(%4) : (tensor<4xf32>) -> ()"));
  mr_text_deinit(&text);
  mr_module_release(module);
}

// Ten thousand nested regions are walked, numbered, cloned and erased without deep recursion.
static void test_deep_nesting(void **state) {
  (void)state;
  mr_module *module = new_module();
  mr_type type = mr_type_scalar(MR_F32);
  mr_function *f = new_function(module, "main", 1, &type);
  mr_value *x = f->body.args[0];
  mr_block *block = &f->body;
  mr_op *outermost = NULL;
  for (int i = 0; i < 10000; i++) {
    mr_builder b = mr_builder_at_end(block);
    mr_op *op = mr_build(&b, MR_OP_case, 1, &x, 1, &type, 1);
    return_value(block, mr_op_result(op, 0));
    outermost = outermost ? outermost : op;
    block = op->regions[0];
  }
  return_value(block, x);
  assert_int_equal(count_ops(&f->body), 20001);
  mr_builder b = mr_builder_before(mr_block_terminator(&f->body));
  mr_op *copy = mr_op_clone(&b, outermost, mr_value_map_create(module));
  assert_non_null(copy);
  assert_int_equal(count_ops(&f->body), 40001);
  mr_function_number(f);
  assert_int_equal(f->num_values, 20001);
  mr_op_erase(copy);
  assert_int_equal(count_uses(x), 10001);
  mr_module_release(module);
}

// When the arena is exhausted building gives NULL, takes NULL, and the module says so.
static void test_out_of_memory_is_sticky(void **state) {
  (void)state;
  mr_module *module = NULL;
  assert_null(mr_module_create(64 * 1024, &module));
  mr_type type = mr_type_scalar(MR_F32);
  mr_function *f = new_function(module, "main", 1, &type);
  assert_non_null(f);
  mr_builder b = mr_builder_at_end(&f->body);
  mr_value *x = f->body.args[0];
  for (int i = 0; i < 10000; i++) {
    x = mr_build_unary(&b, MR_OP_negate, x);
  }
  assert_null(x);
  mr_status status = mr_module_memory(module);
  assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
  mr_status_free(status);
  mr_module_release(module);
}

static uint32_t bits_of(mr_dtype dtype, double value) {
  uint32_t bits = 0;
  mr_scalar_from_double(dtype, value, &bits);
  return bits;
}

// The narrow floats round to nearest even and overflow as their kind does.
static void test_scalars(void **state) {
  (void)state;
  assert_int_equal(bits_of(MR_F16, 65520), 0x7C00);
  assert_int_equal(bits_of(MR_F16, 65519), 0x7BFF);
  assert_int_equal(bits_of(MR_BF16, 1.00390625), 0x3F80);
  assert_int_equal(bits_of(MR_F8E4M3FN, 464), 0x7E);
  assert_int_equal(bits_of(MR_F8E4M3FN, 465), 0x7F);
  assert_int_equal(bits_of(MR_F8E4M3FNUZ, 248), 0x80);
  assert_int_equal(bits_of(MR_F8E5M2FNUZ, -0.0), 0);
  assert_int_equal(bits_of(MR_F8E8M0FNU, 0.1), 0x7C);
  assert_int_equal(bits_of(MR_F8E8M0FNU, 1.5), 0x80);
  assert_int_equal(bits_of(MR_F4E2M1FN, -1), 0xA);
  assert_int_equal(bits_of(MR_F6E3M2FN, 1e9), 0x1F);
  assert_int_equal(bits_of(MR_S4, 100), 0x07);
  assert_int_equal(bits_of(MR_S4, -100), 0xF8);
  assert_int_equal(bits_of(MR_U8, -3), 0);
  assert_int_equal(bits_of(MR_U8, 300), 255);
  float f;
  mr_scalar_from_int(MR_F32, 16777217, &f);
  assert_true(f == 16777216.0f);
  // Rounding first to double and then to float would give the even neighbour.
  mr_scalar_from_int(MR_F32, (1ll << 61) + (1ll << 37) + 1, &f);
  assert_true(f == (float)((1ll << 61) + (1ll << 38)));
  for (unsigned code = 0; code < 256; code++) {
    for (int dtype = 0; dtype < MR_DTYPE_COUNT; dtype++) {
      if (mr_dtype_is_float(dtype) && mr_dtype_bits(dtype) <= 8 && code < 1u << mr_dtype_bits(dtype)) {
        double value = mr_scalar_to_double(dtype, &code);
        assert_true(value != value || bits_of(dtype, value) == code);
      }
    }
  }
}

// A type's text is its MLIR spelling.
static void test_type_text(void **state) {
  (void)state;
  char buffer[128];
  mr_type inner = {
      .dtype = MR_BF16, .rank = 2, .dims = (int64_t[]){2, MR_DYNAMIC}, .bounds = (int64_t[]){MR_DYNAMIC, 7}};
  mr_type tuple = {.kind = MR_TYPE_TUPLE, .rank = 1, .elements = &inner};
  assert_string_equal(mr_type_text(&tuple, buffer, sizeof buffer), "tuple<tensor<2x?xbf16, #stablehlo.bounds<?, 7>>>");
  char tiny[8];
  assert_string_equal(mr_type_text(&tuple, tiny, sizeof tiny), "tuple<t");
  assert_false(mr_type_is_static(&tuple));
}

// A refusal says where the op stands, in text and in bytecode, whoever refuses it.
static void test_errors_say_where(void **state) {
  (void)state;
  mr_module *module = new_module();
  mr_type type = mr_type_scalar(MR_F32);
  mr_function *f = new_function(module, "main", 1, &type);
  mr_builder b = mr_builder_at_end(&f->body);
  mr_op *op = mr_build_unary(&b, MR_OP_sine, f->body.args[0])->def;
  return_value(&f->body, &op->results[0]);
  const struct {
    mr_loc loc;
    const char *text;
  } cases[] = {{{0}, "stablehlo.sine: of 3 kinds"},
               {{.line = 4, .column = 7}, "stablehlo.sine at 4:7: of 3 kinds"},
               {{.offset = 57}, "stablehlo.sine at byte 57: of 3 kinds"}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    op->loc = cases[i].loc;
    mr_status wrong = mr_op_error(op, "of %d kinds", 3), missing = mr_unimplemented(op, "of %d kinds", 3);
    assert_int_equal(mr_status_code(wrong), MR_INVALID_ARGUMENT);
    assert_int_equal(mr_status_code(missing), MR_UNIMPLEMENTED);
    assert_string_equal(mr_status_message(wrong), cases[i].text);
    assert_string_equal(mr_status_message(missing), cases[i].text);
    mr_status_free(wrong);
    mr_status_free(missing);
  }
  mr_module_release(module);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_uses_follow_replace_and_erase),
      cmocka_unit_test(test_attributes),
      cmocka_unit_test(test_clone_maps_inside_and_outside),
      cmocka_unit_test(test_print),
      cmocka_unit_test(test_deep_nesting),
      cmocka_unit_test(test_out_of_memory_is_sticky),
      cmocka_unit_test(test_scalars),
      cmocka_unit_test(test_type_text),
      cmocka_unit_test(test_errors_say_where),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
