// Typed FFI calls that cannot be made: attributes, layouts and aliases that are wrong, by the words, and no memory for any part.
#include <string.h>

#include "tests/alloc_loop.h"
#include "tests/pjrt/ffi_fixture.h"

static XLA_FFI_Error *do_nothing(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  return NULL;
}

static void set_config(const fixture *f, mr_attr *items, uint32_t count) {
  mr_op_set_attr(f->module, f->op,
                 (mr_attr){.key = MR_ATTR_backend_config,
                           .name = MR_STR("backend_config"),
                           .kind = MR_ATTR_DICT,
                           .items = items,
                           .count = count});
}

static void refuses(const fixture *f, mr_code code, const char *says) {
  mr_library_call *call;
  mr_status status = mr_pjrt_ffi_make_call(f->op, &call);
  assert_null(call);
  if (mr_status_code(status) != code || !strstr(mr_status_message(status), says)) {
    fail_msg("%s: \"%s\", wanted \"%s\"", mr_status_code_name(mr_status_code(status)), mr_status_message(status), says);
  }
  mr_status_free(status);
}

static void refuses_attribute(mr_attr attr, const char *says) {
  fixture f = make("do_nothing", false);
  attr.name = MR_STR("odd");
  set_config(&f, &attr, 1);
  refuses(&f, MR_UNIMPLEMENTED, says);
  mr_module_release(f.module);
}

static void test_attributes(void **state) {
  (void)state;
  refuses_attribute((mr_attr){.kind = MR_ATTR_UNIT}, "FFI attribute 'odd': only scalars, numeric arrays, strings");
  refuses_attribute((mr_attr){.kind = MR_ATTR_ARRAY}, "FFI attribute 'odd': only scalars");
  refuses_attribute((mr_attr){.kind = MR_ATTR_FLOAT, .dtype = MR_F16, .number = 1}, "FFI attribute of type f16");
  mr_attr inner = {.name = MR_STR("deep"), .kind = MR_ATTR_UNIT};
  refuses_attribute((mr_attr){.kind = MR_ATTR_DICT, .items = &inner, .count = 1}, "FFI attribute 'deep': only scalars");
}

static void set_list(const fixture *f, mr_attr_key key, mr_attr *item) {
  mr_op_set_attr(f->module, f->op, (mr_attr){.key = key, .kind = MR_ATTR_ARRAY, .items = item, .count = 1});
}

static void test_layouts_and_aliases(void **state) {
  (void)state;
  static int64_t one[] = {0}, twice[] = {0, 0};
  fixture f = make("do_nothing", false);
  mr_attr layout = {.kind = MR_ATTR_INTS, .ints = {one, 1}, .rows = -1};
  set_list(&f, MR_ATTR_operand_layouts, &layout);
  refuses(&f, MR_INVALID_ARGUMENT, "a layout of rank 1 for an array of rank 2");
  layout.ints = (mr_ints){twice, 2};
  refuses(&f, MR_INVALID_ARGUMENT, "wanted a permutation");
  layout.ints = (mr_ints){column_major, 2};
  set_list(&f, MR_ATTR_result_layouts, &layout);
  f.op->results[0].type.dtype = MR_S4;
  refuses(&f, MR_UNIMPLEMENTED, "packed elements in an order other than row-major");
  mr_module_release(f.module);

  f = make("do_nothing", false);
  mr_attr fields[] = {int_attr("operand_index", 3, MR_S64)};
  mr_attr alias = {.kind = MR_ATTR_DICT, .items = fields, .count = 1};
  set_list(&f, MR_ATTR_output_operand_aliases, &alias);
  refuses(&f, MR_INVALID_ARGUMENT, "output_operand_aliases: result 0 and operand 3 cannot share memory");
  mr_module_release(f.module);

  f = make("do_nothing", false);
  f.op->results[0].type = (mr_type){.kind = MR_TYPE_TUPLE};
  refuses(&f, MR_UNIMPLEMENTED, "an FFI call with values that are not static tensors");
  mr_module_release(f.module);
}

static mr_status make_and_forget(void *context) {
  const fixture *f = context;
  mr_library_call *call;
  MR_TRY(mr_pjrt_ffi_make_call(f->op, &call));
  mr_library_call_destroy(call);
  return MR_OK;
}

// Attributes of every kind, layouts and an alias.
static void test_without_memory(void **state) {
  (void)state;
  static const int32_t numbers[] = {1, 2};
  static const int64_t two[] = {2}, list[] = {3, 4};
  fixture f = make("do_nothing", true);
  mr_attr inner = int_attr("inner", 1, MR_S64), fields[] = {int_attr("operand_index", 0, MR_S64)};
  mr_attr items[] = {
      int_attr("zeta", 7, MR_S32),
      {.name = MR_STR("alpha"), .kind = MR_ATTR_STRING, .string = MR_STR("text")},
      {.name = MR_STR("half"), .kind = MR_ATTR_FLOAT, .dtype = MR_F32, .number = 0.5},
      {.name = MR_STR("list"), .kind = MR_ATTR_INTS, .dtype = MR_S64, .ints = {list, 2}, .rows = -1},
      {.name = MR_STR("dict"), .kind = MR_ATTR_DICT, .items = &inner, .count = 1},
      {.name = MR_STR("dense"),
       .kind = MR_ATTR_DENSE,
       .dense = {.type = mr_type_tensor(f.module, MR_S32, 1, two), .data = numbers, .size = sizeof numbers}},
  };
  mr_attr alias = {.kind = MR_ATTR_DICT, .items = fields, .count = 1};
  set_config(&f, items, MR_ARRAY_SIZE(items));
  set_list(&f, MR_ATTR_output_operand_aliases, &alias);
  alloc_loop("an FFI call", make_and_forget, &f, 200000);
  alloc_loops_ended_well();
  mr_module_release(f.module);
}

int main(void) {
  assert_null(mr_pjrt_ffi_add_handler(MR_STR("do_nothing"), XLA_FFI_STAGE_EXECUTE, do_nothing));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_attributes),
      cmocka_unit_test(test_layouts_and_aliases),
      cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
