// What the tests of FFI calls share: a program with one custom call.
#ifndef MR_TESTS_PJRT_FFI_FIXTURE_H
#define MR_TESTS_PJRT_FFI_FIXTURE_H

#include <stdlib.h>

#include "compiler/ir/ir.h"
#include "ops/library/library.h"
#include "pjrt/ffi/ffi.h"
#include "tests/cmocka.h"
#include "tests/pjrt/ffi_answer.h"

// ---- A module with one custom call ------------------------------------------------------------------------------------------

static const int64_t dims_2x3[] = {2, 3};
static int64_t column_major[] = {0, 1};

typedef struct fixture {
  mr_module *module;
  mr_op *op;
} fixture;

static inline mr_attr int_attr(const char *name, int64_t value, mr_dtype dtype) {
  return (mr_attr){.name = mr_str_of(name), .kind = MR_ATTR_INT, .dtype = dtype, .integer = value};
}

// (2x3 f32) -> 2x3 f32, with attributes given in an order that is not sorted.
static inline fixture make(const char *target, bool column) {
  fixture f;
  assert_null(mr_module_create(0, &f.module));
  mr_type type = mr_type_tensor(f.module, MR_F32, 2, dims_2x3);
  mr_function *main = mr_module_add_function(f.module, MR_STR("main"), true, 1, &type, 1, &type);
  mr_builder builder = mr_builder_at_end(&main->body);
  f.op = mr_build(&builder, MR_OP_custom_call, 1, (mr_value *[]){main->body.args[0]}, 1, &type, 0);
  mr_op_set_string(f.module, f.op, MR_ATTR_call_target_name, mr_str_of(target));
  static mr_attr items[3];
  items[0] = int_attr("zeta", 7, MR_S32);
  items[1] = (mr_attr){.name = MR_STR("alpha"), .kind = MR_ATTR_STRING, .string = MR_STR("text")};
  items[2] = (mr_attr){.name = MR_STR("half"), .kind = MR_ATTR_FLOAT, .dtype = MR_F32, .number = 0.5};
  mr_op_set_attr(f.module, f.op,
                 (mr_attr){.key = MR_ATTR_backend_config,
                           .name = MR_STR("backend_config"),
                           .kind = MR_ATTR_DICT,
                           .items = items,
                           .count = 3});
  if (column) {
    static mr_attr layout[1];
    layout[0] = (mr_attr){.kind = MR_ATTR_INTS, .ints = {column_major, 2}, .rows = -1};
    const mr_attr_key keys[] = {MR_ATTR_operand_layouts, MR_ATTR_result_layouts};
    for (int i = 0; i < 2; i++) {
      mr_op_set_attr(f.module, f.op, (mr_attr){.key = keys[i], .kind = MR_ATTR_ARRAY, .items = layout, .count = 1});
    }
  }
  return f;
}

static inline mr_status run_on(mr_library_call *call, const float *in, float *out, mr_group *group) {
  void *scratch = call->scratch_bytes ? malloc(call->scratch_bytes) : NULL;
  mr_status status = call->run(call, (void *const[]){(void *)in, out}, scratch, group);
  free(scratch);
  return status;
}

#endif
