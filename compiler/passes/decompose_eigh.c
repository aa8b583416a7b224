// The custom call Eigh, by which XLA's own library asks for eigenvalues and -vectors of Hermitian matrices: (vectors, values), with a
// text "lower,sorted,iterations,tolerance". LAPACK's routine says besides whether it has found them; where it has not, all are NaN.
#include <math.h>
#include <string.h>

#include "compiler/passes/decompose.h"
#include "ops/library/linalg.h"

// One for each row of the matrices.
static bool are_values_of(const mr_type *values, const mr_type *a) {
  return values->kind == MR_TYPE_TENSOR && values->dtype == mr_dtype_real(a->dtype) && values->rank == a->rank - 1 &&
         memcmp(values->dims, a->dims, values->rank * sizeof *a->dims) == 0;
}

static const mr_type *matrix_of(const mr_op *op) {
  const mr_type *a = op->num_operands == 1 ? &mr_op_operand(op, 0)->type : NULL;
  bool good = a && op->num_results == 2 && a->kind == MR_TYPE_TENSOR && a->rank >= 2 && mr_type_is_static(a) &&
              a->dims[a->rank - 1] == a->dims[a->rank - 2] && mr_type_compatible(a, &op->results[0].type) &&
              are_values_of(&op->results[1].type, a);
  return good && mr_linalg_has_lapack(a->dtype) ? a : NULL;
}

// Which triangle is read, for mr_choose_lapack_call().
static bool set_triangle(mr_module *module, mr_op *call, bool lower) {
  mr_attr *item = mr_arena_new(&module->arena, mr_attr);
  if (!item) {
    return false;
  }
  *item = (mr_attr){.name = MR_STR("uplo"), .kind = MR_ATTR_INT, .dtype = MR_U8, .integer = lower ? 'L' : 'U'};
  const mr_attr config = {
      .key = MR_ATTR_backend_config, .name = MR_STR("backend_config"), .kind = MR_ATTR_DICT, .items = item, .count = 1};
  mr_op_set_string(module, call, MR_ATTR_call_target_name, MR_STR("Eigh"));
  mr_op_set_int(module, call, MR_ATTR_api_version, 4);
  return mr_op_set_attr(module, call, config) != NULL;
}

// `x` where `found`, which is one for each matrix, and NaN elsewhere.
static mr_value *or_nan(mr_builder *b, mr_value *x, mr_value *found) {
  int64_t dims[MR_MAX_RANK];
  if (!x || !found) {
    return NULL;
  }
  for (uint32_t d = 0; d < found->type.rank; d++) {
    dims[d] = d;
  }
  mr_type type = mr_type_with_dtype(&x->type, MR_PRED),
          real = mr_type_with_dtype(&x->type, mr_dtype_real(x->type.dtype));
  mr_value *nan = mr_build_splat(b, &real, (double)NAN);
  if (real.dtype != x->type.dtype) {
    nan = mr_build_convert(b, nan, x->type.dtype);
  }
  return mr_build_select(b, mr_build_broadcast(b, found, &type, (mr_ints){dims, found->type.rank}), x, nan);
}

mr_status mr_decompose_eigh(mr_op *op, bool *out_changed) {
  const mr_attr *text = mr_op_attr(op, MR_ATTR_backend_config);
  const mr_type *matrix = matrix_of(op);
  if (!matrix || !text || text->kind != MR_ATTR_STRING) {
    return MR_OK;
  }
  mr_module *module = mr_op_module(op);
  mr_builder b = mr_builder_before(op);
  mr_value *a = mr_op_operand(op, 0);
  const mr_type types[] = {op->results[0].type, op->results[1].type,
                           mr_type_tensor(module, MR_S32, matrix->rank - 2, matrix->dims)};
  mr_op *call = mr_build(&b, MR_OP_custom_call, 1, &a, 3, types, 0);
  if (!call || !set_triangle(module, call, mr_str_starts_with(text->string, MR_STR("1")))) {
    return MR_NO_MEMORY();
  }
  mr_value *info = mr_op_result(call, 2);
  mr_value *found = mr_build_compare(&b, MR_COMPARE_EQ, 0, info, mr_build_splat_int(&b, &info->type, 0));
  mr_value *results[] = {or_nan(&b, mr_op_result(call, 0), found), or_nan(&b, mr_op_result(call, 1), found)};
  MR_TRY(mr_module_memory(module));
  *out_changed = mr_replace_all(op, results);
  return MR_OK;
}
