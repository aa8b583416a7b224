// Each op of the test programs is right, and is no longer when one thing about it is changed: a type, an attribute, a count. The
// shape rules and the verifier answer every such change with a status, and find nothing wrong once it is undone.

#include "compiler/ir/infer_internal.h"
#include "tests/compiler/pass_text.h"
#include "tests/file.h"

enum { OPS_OF_A_KIND = 24 };
static int seen[MR_OP_COUNT];
static uint64_t damages, refusals;

static mr_status check(mr_module *module, const mr_op *op) {
  MR_TRY(mr_op_check(module, op));
  const mr_op *checked = NULL;
  return mr_verify_op(op, &checked);
}

// Right or wrong: some changes give another right op.
static void look(mr_module *module, const mr_op *op) {
  mr_status status = check(module, op);
  mr_code code = mr_status_code(status);
  if (status && code != MR_INVALID_ARGUMENT && code != MR_UNIMPLEMENTED) {
    fail_msg("%s: %s", mr_status_code_name(code), mr_status_message(status));
  }
  damages++;
  refusals += status != MR_OK;
  mr_status_free(status);
}

static void damage_dims(mr_module *module, const mr_op *op, mr_type *type) {
  const mr_type was = *type;
  int64_t *dims = mr_arena_array(&module->arena, int64_t, was.rank + 1);
  assert_non_null(dims);
  type->dims = dims;
  static const int64_t steps[] = {1, -1, 7};
  for (uint32_t d = 0; d < was.rank; d++) {
    memcpy(dims, was.dims, was.rank * sizeof *dims);
    for (size_t i = 0; i < MR_ARRAY_SIZE(steps); i++) {
      dims[d] = MR_MAX(was.dims[d] + steps[i], (int64_t)0);
      look(module, op);
    }
    dims[d] = MR_DYNAMIC;
    look(module, op);
  }
  if (was.rank) {
    memcpy(dims, was.dims, was.rank * sizeof *dims);
  }
  dims[was.rank] = 1;
  type->rank = was.rank + 1;
  look(module, op);
  if (was.rank) {
    type->rank = was.rank - 1;
    look(module, op);
  }
  *type = was;
}

static void damage_type(mr_module *module, const mr_op *op, mr_type *type) {
  const mr_type was = *type;
  static const mr_dtype dtypes[] = {MR_F32, MR_F16, MR_PRED, MR_S32, MR_U8, MR_C64};
  for (size_t i = 0; was.kind == MR_TYPE_TENSOR && i < MR_ARRAY_SIZE(dtypes); i++) {
    type->dtype = dtypes[i];
    look(module, op);
  }
  *type = was;
  *type = (mr_type){.kind = was.kind == MR_TYPE_TOKEN ? MR_TYPE_TENSOR : MR_TYPE_TOKEN, .dtype = MR_F32};
  look(module, op);
  *type = was;
  if (was.kind == MR_TYPE_TENSOR) {
    damage_dims(module, op, type);
  }
}

static void damage_ints(mr_module *module, const mr_op *op, mr_attr *attr) {
  const mr_attr was = *attr;
  size_t size = was.ints.size;
  int64_t *data = mr_arena_array(&module->arena, int64_t, size + 1);
  assert_non_null(data);
  attr->ints.data = data;
  for (size_t i = 0; i < size; i++) {
    const int64_t others[] = {-1, was.ints.data[i] + 1, 0, was.ints.data[(i + 1) % size], 99};
    memcpy(data, was.ints.data, size * sizeof *data);
    for (size_t k = 0; k < MR_ARRAY_SIZE(others); k++) {
      data[i] = others[k];
      look(module, op);
    }
  }
  if (size) {
    memcpy(data, was.ints.data, size * sizeof *data);
  }
  if (was.rows < 0) {
    attr->ints.size = size + 1;
    look(module, op);
    attr->ints.size = size ? size - 1 : 0;
    look(module, op);
  }
  *attr = was;
}

static void damage_attr(mr_module *module, mr_op *op, uint32_t at) {
  mr_attr *attr = &op->attrs[at];
  const mr_attr was = *attr;
  if (was.kind == MR_ATTR_INT) {
    const int64_t others[] = {-1, was.integer + 1, was.integer - 1, 99, INT64_MAX};
    for (size_t i = 0; i < MR_ARRAY_SIZE(others); i++) {
      attr->integer = others[i];
      look(module, op);
    }
  } else if (was.kind == MR_ATTR_INTS) {
    damage_ints(module, op, attr);
  }
  *attr = (mr_attr){.key = was.key, .name = was.name, .kind = MR_ATTR_INT, .dtype = MR_S64, .integer = 1};
  look(module, op);
  *attr = (mr_attr){.key = was.key, .name = was.name, .kind = MR_ATTR_STRING, .string = mr_str_of("words")};
  look(module, op);
  *attr = (mr_attr){.key = was.key, .name = was.name, .kind = MR_ATTR_INTS, .rows = -1};
  look(module, op);
  *attr = was;
  // Without it.
  memmove(attr, attr + 1, (op->num_attrs - at - 1) * sizeof *attr);
  op->num_attrs--;
  look(module, op);
  memmove(attr + 1, attr, (op->num_attrs - at) * sizeof *attr);
  op->num_attrs++;
  *attr = was;
}

static void damage_count(mr_module *module, const mr_op *op, uint32_t *count) {
  if (*count) {
    --*count;
    look(module, op);
    ++*count;
  }
}

static void damage_region(mr_module *module, const mr_op *op, mr_block *block) {
  damage_count(module, op, &block->num_args);
  for (uint32_t i = 0; i < block->num_args; i++) {
    damage_type(module, op, &block->args[i]->type);
  }
  mr_op *end = mr_block_terminator(block);
  if (end) {
    damage_count(module, op, &end->num_operands);
    for (uint32_t i = 0; i < end->num_operands; i++) {
      damage_type(module, op, &end->operands[i].value->type);
    }
  }
}

static void damage_op(mr_module *module, mr_op *op) {
  mr_status right = check(module, op);
  if (right) {
    mr_status_free(right);  // a program that is there to be refused
    return;
  }
  damage_count(module, op, &op->num_operands);
  damage_count(module, op, &op->num_results);
  damage_count(module, op, &op->num_regions);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    damage_type(module, op, &op->operands[i].value->type);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    damage_type(module, op, &op->results[i].type);
  }
  for (uint32_t i = 0; i < op->num_attrs; i++) {
    damage_attr(module, op, i);
  }
  for (uint32_t i = 0; i < op->num_regions; i++) {
    damage_region(module, op, op->regions[i]);
  }
  assert_ok(check(module, op));
}

static void damage_block(mr_module *module, mr_block *block) {
  for (mr_op *op = block->first; op; op = op->next) {
    if (seen[op->kind]++ < OPS_OF_A_KIND) {
      damage_op(module, op);
    }
    for (uint32_t i = 0; i < op->num_regions; i++) {
      damage_block(module, op->regions[i]);
    }
  }
}

static void damage_file(void *context, const char *path, mr_span bytes) {
  (void)context;
  (void)path;
  mr_module *module = NULL;
  mr_status status = mr_read_program(bytes, &module);
  mr_status_free(status);
  if (!status) {
    for (mr_function *f = module->functions; f; f = f->next) {
      if (!f->is_declaration) {
        damage_block(module, &f->body);
      }
    }
  }
  mr_module_release(module);
}

static void test_damaged_ops_are_refused(void **state) {
  (void)state;
  file_each("tests/programs", ".mlir", SIZE_MAX, damage_file, NULL);
  file_each("tests/programs/check", ".mlir", SIZE_MAX, damage_file, NULL);
  file_each("tests/compiler/programs", ".mlir", SIZE_MAX, damage_file, NULL);
  file_each("tests/compiler/mhlo", ".mlir", SIZE_MAX, damage_file, NULL);
  file_each("tests/compiler/reader_data", ".mlir", SIZE_MAX, damage_file, NULL);
  assert_true(damages > 10000);
  assert_true(refusals * 2 > damages);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_damaged_ops_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
