// The checks: each compares its operand on the host and makes the execution fail with the first element that differs.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/ir/scalar.h"
#include "tools/interpreter/interpreter.h"

typedef enum check_mode { CHECK_EQUAL, CHECK_NEAR, CHECK_ULPS } check_mode;

typedef struct check_call {
  mr_library_call base;
  check_mode mode;
  mr_dtype dtype;
  int64_t count;
  double tolerance;    // NEAR
  uint64_t low, high;  // ULPS: the least and the largest distance
  bool splat;          // of `expected`
  char *expected;      // owned; NULL: the second buffer
  char what[96];       // "check.expect_eq at 3:4"
} check_call;

static mr_str name_of(const mr_op *op) { return mr_op_string(op, MR_ATTR_call_target_name); }

// ---- Comparing one pair -------------------------------------------------------------------------------------------------

static bool equal_reals(double x, double y) { return x == y || (isnan(x) && isnan(y)); }

static bool near_reals(double x, double y, double tolerance) { return equal_reals(x, y) || fabs(x - y) <= tolerance; }

// How many values of the type lie between the two; as many as can be said when just one is not finite.
static uint64_t ulps_between(mr_dtype dtype, const void *a, const void *b) {
  double x = mr_scalar_to_double(dtype, a), y = mr_scalar_to_double(dtype, b);
  if ((isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y))) {
    return 0;
  }
  if (!isfinite(x) || !isfinite(y)) {
    return UINT64_MAX;
  }
  uint64_t first = 0, second = 0, sign = UINT64_C(1) << (mr_dtype_bits(dtype) - 1);
  memcpy(&first, a, mr_dtype_bytes(dtype));
  memcpy(&second, b, mr_dtype_bytes(dtype));
  uint64_t p = first & (sign - 1), q = second & (sign - 1);
  return (first & sign) != (second & sign) ? p + q : p > q ? p - q : q - p;
}

static bool agrees_part(const check_call *c, mr_dtype dtype, const void *x, const void *y) {
  if (!mr_dtype_is_float(dtype)) {
    return mr_scalar_to_int(dtype, x) == mr_scalar_to_int(dtype, y);
  }
  double a = mr_scalar_to_double(dtype, x), b = mr_scalar_to_double(dtype, y);
  switch (c->mode) {
  case CHECK_NEAR: return near_reals(a, b, c->tolerance);
  case CHECK_ULPS: {
    uint64_t distance = ulps_between(dtype, x, y);
    return distance >= c->low && distance <= c->high;
  }
  case CHECK_EQUAL: break;
  }
  return equal_reals(a, b);
}

static bool agrees(const check_call *c, const char *x, const char *y) {
  mr_dtype part = mr_dtype_real(c->dtype);
  bool complex = mr_dtype_is_complex(c->dtype);
  return agrees_part(c, part, x, y) &&
         (!complex || agrees_part(c, part, x + mr_dtype_bytes(part), y + mr_dtype_bytes(part)));
}

static const char *element_text(mr_dtype dtype, const char *at, char *buffer, size_t size) {
  mr_dtype part = mr_dtype_real(dtype);
  if (mr_dtype_is_complex(dtype)) {
    snprintf(buffer, size, "(%.17g, %.17g)", mr_scalar_to_double(part, at),
             mr_scalar_to_double(part, at + mr_dtype_bytes(part)));
  } else if (mr_dtype_is_float(dtype)) {
    snprintf(buffer, size, "%.17g", mr_scalar_to_double(dtype, at));
  } else {
    snprintf(buffer, size, "%lld", (long long)mr_scalar_to_int(dtype, at));
  }
  return buffer;
}

// ---- The call ---------------------------------------------------------------------------------------------------------

static mr_status run_check(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)scratch, (void)group;
  const check_call *c = (const check_call *)call;
  const char *found = buffers[0];
  size_t one = mr_dtype_bytes(c->dtype);
  const char *wanted = c->expected ? c->expected : buffers[1];
  for (int64_t i = 0; i < c->count; i++) {
    const char *x = found + (size_t)i * one, *y = c->splat ? wanted : wanted + (size_t)i * one;
    if (!agrees(c, x, y)) {
      char is[96], should[96];
      return mr_error(MR_FAILED_PRECONDITION, "%s: element %lld of %lld is %s, wanted %s", c->what, (long long)i,
                      (long long)c->count, element_text(c->dtype, x, is, sizeof is),
                      element_text(c->dtype, y, should, sizeof should));
    }
  }
  return MR_OK;
}

static void destroy_check(mr_library_call *call) {
  check_call *c = (check_call *)call;
  mr_free(c->expected);
  mr_free(c);
}

static check_call *check_new(const mr_op *op, check_mode mode) {
  check_call *c = mr_alloc_zeroed(1, sizeof *c);
  if (!c) {
    return NULL;
  }
  const mr_type *type = &mr_op_operand(op, 0)->type;
  *c = (check_call){.base = {.run = run_check, .destroy = destroy_check, .name = "check"},
                    .mode = mode,
                    .dtype = type->dtype,
                    .count = mr_type_count(type)};
  c->base.cost_ns = 100 + 10 * (uint64_t)c->count;
  snprintf(c->what, sizeof c->what, "%.*s at %u:%u", MR_STR_ARG(name_of(op)), op->loc.line, op->loc.column);
  return c;
}

static double number_of(const mr_op *op, const char *name, double fallback) {
  const mr_attr *attr = mr_op_extra(op, name);
  if (!attr) {
    return fallback;
  }
  return attr->kind == MR_ATTR_INT ? (double)attr->integer : attr->kind == MR_ATTR_FLOAT ? attr->number : fallback;
}

// Attributes of 64 bits without a sign.
static uint64_t count_of(const mr_op *op, const char *name, uint64_t fallback) {
  const mr_attr *attr = mr_op_extra(op, name);
  return attr && attr->kind == MR_ATTR_INT ? (uint64_t)attr->integer : fallback;
}

static bool mode_of(const mr_op *op, check_mode *out) {
  static const struct {
    const char *name;
    check_mode mode;
  } names[] = {
      {"check.expect_eq", CHECK_EQUAL},       {"check.expect_eq_const", CHECK_EQUAL},
      {"check.expect_almost_eq", CHECK_NEAR}, {"check.expect_almost_eq_const", CHECK_NEAR},
      {"check.expect_close", CHECK_ULPS},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(names); i++) {
    if (mr_str_is(name_of(op), names[i].name)) {
      *out = names[i].mode;
      return true;
    }
  }
  return false;
}

// The constant that stands in the op, when there is one.
static mr_status keep_expected(const mr_op *op, check_call *c) {
  const mr_attr *value = mr_op_extra(op, "value");
  if (!value) {
    return MR_OK;
  }
  const mr_type *type = &mr_op_operand(op, 0)->type;
  if (value->kind != MR_ATTR_DENSE || !mr_type_equal(&value->dense.type, type)) {
    return mr_error(MR_INVALID_ARGUMENT, "%s: the constant has another type than the operand", c->what);
  }
  c->splat = value->dense.splat;
  c->expected = mr_alloc(value->dense.size + 1);
  if (!c->expected) {
    return MR_NO_MEMORY();
  }
  if (value->dense.size) {
    memcpy(c->expected, value->dense.data, value->dense.size);
  }
  return MR_OK;
}

mr_status interpreter_make_check(const mr_op *op, mr_library_call **out_call) {
  *out_call = NULL;
  check_mode mode;
  if (op->kind != MR_OP_custom_call || !mr_str_starts_with(name_of(op), MR_STR("check."))) {
    return MR_OK;
  }
  if (!mode_of(op, &mode)) {
    return mr_error(MR_UNIMPLEMENTED, "%u:%u: op %.*s: not one of the checks there are", op->loc.line, op->loc.column,
                    MR_STR_ARG(name_of(op)));
  }
  if (op->num_operands == 0) {
    return mr_error(MR_INVALID_ARGUMENT, "%.*s without an operand", MR_STR_ARG(name_of(op)));
  }
  bool constant = mr_op_extra(op, "value") != NULL;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_type *type = &mr_op_operand(op, i)->type;
    if (type->kind != MR_TYPE_TENSOR || !mr_type_is_static(type) || !mr_type_equal(type, &mr_op_operand(op, 0)->type)) {
      return mr_error(MR_INVALID_ARGUMENT, "%.*s compares static tensors of one type", MR_STR_ARG(name_of(op)));
    }
  }
  if (op->num_operands != (constant ? 1u : 2u)) {
    return mr_error(MR_INVALID_ARGUMENT, "%.*s has %u operands", MR_STR_ARG(name_of(op)), op->num_operands);
  }
  check_call *c = check_new(op, mode);
  if (!c) {
    return MR_NO_MEMORY();
  }
  c->tolerance = number_of(op, "tolerance", 1e-4);
  c->low = count_of(op, "min_ulp_difference", 0);
  c->high = count_of(op, "max_ulp_difference", 3);
  mr_status status = keep_expected(op, c);
  if (status) {
    destroy_check(&c->base);
    return status;
  }
  *out_call = &c->base;
  return MR_OK;
}
