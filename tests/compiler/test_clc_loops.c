// Whole kernels in OpenCL C give the bits that machine code gives: random expressions, in which products join sums and narrow
// floats stay wide; loops, branches, variables and local memory. On a device of OpenCL's where there is one (PoCL); else skipped.
#include "compiler/ir/scalar.h"
#include "tests/compiler/clc_harness.h"
#include "tests/compiler/loops_util.h"

#define MAX_PROGRAMS 64
#define ELEMENTS 997

typedef struct test_program {
  mr_loop_program *loops;
  int64_t range;
  size_t elements;  // of each buffer
  char entry[24];
} test_program;

static uint64_t random_state = 0x2545F4914F6CDD1Du;

static uint32_t random_below(uint32_t limit) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 33) % limit;
}

static void fill(mr_dtype dtype, uint8_t *out, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double number = ((double)random_below(2001) - 1000) / 250;
    if (mr_dtype_is_float(dtype)) {
      static const double special[] = {0.0, -0.0, __builtin_inf(), -__builtin_inf(), __builtin_nan("")};
      number = random_below(40) ? number : special[random_below(5)];
      mr_scalar_from_double(dtype, number, out + i * mr_dtype_bytes(dtype));
    } else {
      mr_scalar_from_int(dtype, (int64_t)number, out + i * mr_dtype_bytes(dtype));
    }
  }
}

static size_t compare_program(const test_program *t, clc_program *program) {
  void *buffers[8];
  size_t sizes[8];
  for (uint32_t i = 0; i < t->loops->num_params; i++) {
    mr_dtype dtype = (mr_dtype)t->loops->buffers[i].dtype;
    sizes[i] = t->elements * mr_dtype_bytes(dtype);
    buffers[i] = malloc(sizes[i]);
    fill(dtype, buffers[i], t->elements);
  }
  size_t count = clc_differences(program, t->entry, t->loops, buffers, sizes, t->range, t->entry);
  for (uint32_t i = 0; i < t->loops->num_params; i++) {
    free(buffers[i]);
  }
  if (count) {
    mr_text text = {0};
    mr_loop_print(t->loops, &text);
    print_error("%.*s\n", (int)text.size, text.data);
    mr_text_deinit(&text);
  }
  return count;
}

static void run_programs(test_program *programs, size_t count) {
  clc_host *host = clc_host_get();
  if (!host) {
    print_message("no device of OpenCL's: skipped\n");
    skip();
  }
  mr_clc_unit unit = {.target = clc_host_target(host)};
  mr_text text = {0};
  for (size_t i = 0; i < count; i++) {
    snprintf(programs[i].entry, sizeof programs[i].entry, "k%u", (unsigned)i);
    check_ok(mr_clc_add(&unit, programs[i].loops, programs[i].entry));
  }
  check_ok(mr_clc_finish(&unit, &text));
  mr_clc_unit_deinit(&unit);
  clc_program *program = clc_build(host, (mr_str){text.data, text.size});
  mr_text_deinit(&text);
  size_t differences = 0;
  for (size_t i = 0; i < count; i++) {
    differences += compare_program(&programs[i], program) != 0;
    mr_loop_release(programs[i].loops);
  }
  clc_program_release(program);
  assert_int_equal(differences, 0);
}

// ---- Random expressions -------------------------------------------------------------------------------------------------

static mr_lv random_value(mr_loop_program *p, mr_dtype dtype, const mr_lv *values, uint32_t count) {
  static const mr_op_kind kinds[] = {MR_OP_add,      MR_OP_add,         MR_OP_subtract, MR_OP_multiply, MR_OP_multiply,
                                     MR_OP_multiply, MR_OP_maximum,     MR_OP_minimum,  MR_OP_divide,   MR_OP_negate,
                                     MR_OP_abs,      MR_OP_floor,       MR_OP_square,   MR_OP_sqrt,     MR_OP_select,
                                     MR_OP_convert,  MR_OP_exponential, MR_OP_clamp};
  mr_op_kind kind = kinds[random_below(MR_ARRAY_SIZE(kinds))];
  // Most values are used, and soon: so products have one use, and sums take them.
  mr_lv a = values[count - 1 - random_below(2)], b = values[random_below(count)], c = values[random_below(count)];
  if (random_below(2)) {
    mr_lv swap = a;
    a = b;
    b = swap;
  }
  switch ((int)kind) {
  case MR_OP_select: return mr_l_select(p, dtype, mr_l_compare(p, (int)random_below(6), 0, dtype, a, b), b, c);
  case MR_OP_convert: {
    mr_dtype between = dtype == MR_F32 ? MR_F64 : MR_F32;
    mr_lv wide = mr_l_binary(p, MR_OP_add, between, mr_l_convert(p, between, a), mr_l_convert(p, between, b));
    return mr_l_convert(p, dtype, wide);
  }
  case MR_OP_clamp: {
    mr_lv v = mr_l_binary(p, kind, dtype, a, b);
    p->instrs[v].c = c;
    return v;
  }
  default: break;
  }
  return mr_op_table[kind].operands == 1 ? mr_l_unary(p, kind, dtype, a) : mr_l_binary(p, kind, dtype, a, b);
}

static test_program random_program(mr_dtype dtype) {
  test_program t = {new_program(), ELEMENTS, ELEMENTS, ""};
  mr_loop_program *p = t.loops;
  mr_lbuf in[3], out[2];
  for (int k = 0; k < 3; k++) {
    in[k] = mr_l_buffer(p, dtype, MR_L_READ);
  }
  for (int k = 0; k < 2; k++) {
    out[k] = mr_l_buffer(p, dtype, MR_L_WRITE);
  }
  mr_lv i = for_share(p), values[16];
  uint32_t count = 0;
  for (int k = 0; k < 3; k++) {
    values[count++] = mr_l_load(p, in[k], i);
  }
  values[count++] = mr_l_float(p, dtype, 1.5);
  uint32_t length = 3 + random_below(5);
  for (uint32_t k = 0; k < length; k++) {
    values[count] = random_value(p, dtype, values + (count > 6 ? count - 6 : 0), MR_MIN(count, 6));
    count++;
  }
  mr_l_store(p, out[0], i, values[count - 1]);
  mr_l_store(p, out[1], i, values[count - 2]);
  mr_l_end(p);
  return t;
}

static void test_random_expressions(void **state) {
  (void)state;
  static test_program programs[MAX_PROGRAMS];
  static const mr_dtype types[] = {MR_F32, MR_BF16, MR_F16, MR_F64, MR_F32, MR_BF16, MR_F8E5M2};
  for (size_t i = 0; i < 56; i++) {
    programs[i] = random_program(types[i % MR_ARRAY_SIZE(types)]);
  }
  run_programs(programs, 56);
}

// Sums of two numbers of which each is plain, a product or the negative of one.
static test_program sum_program(int form, mr_dtype dtype, mr_op_kind kind) {
  test_program t = {new_program(), ELEMENTS, ELEMENTS, ""};
  mr_loop_program *p = t.loops;
  mr_lbuf in[3], out;
  for (int k = 0; k < 3; k++) {
    in[k] = mr_l_buffer(p, dtype, MR_L_READ);
  }
  out = mr_l_buffer(p, dtype, MR_L_WRITE);
  mr_lv i = for_share(p), x[3], sides[2];
  for (int k = 0; k < 3; k++) {
    x[k] = mr_l_load(p, in[k], i);
  }
  for (int k = 0; k < 2; k++) {
    int side = k ? form / 3 : form % 3;
    sides[k] = side ? mr_l_binary(p, MR_OP_multiply, dtype, x[k], x[k + 1]) : x[k];
    sides[k] = side == 2 ? mr_l_unary(p, MR_OP_negate, dtype, sides[k]) : sides[k];
  }
  mr_l_store(p, out, i, mr_l_binary(p, kind, dtype, sides[0], sides[1]));
  mr_l_end(p);
  return t;
}

static void test_sums_of_products(void **state) {
  (void)state;
  static test_program programs[MAX_PROGRAMS];
  static const mr_dtype types[] = {MR_F32, MR_BF16, MR_F64};
  size_t count = 0;
  for (int form = 0; form < 9; form++) {
    for (size_t d = 0; d < MR_ARRAY_SIZE(types); d++) {
      programs[count++] = sum_program(form, types[d], MR_OP_add);
      programs[count++] = sum_program(form, types[d], MR_OP_subtract);
    }
  }
  run_programs(programs, count);
}

// ---- Loops, branches, variables -----------------------------------------------------------------------------------------

// The greatest and least of each row of 13, by variables that hold keys; and the same where a branch stands between.
static test_program extremes_program(mr_dtype dtype, mr_op_kind kind, bool branches) {
  test_program t = {new_program(), ELEMENTS / 13, ELEMENTS, ""};
  mr_loop_program *p = t.loops;
  mr_lbuf in = mr_l_buffer(p, dtype, MR_L_READ), out = mr_l_buffer(p, dtype, MR_L_WRITE);
  mr_lv row = mr_l_for(p, mr_l_begin(p), mr_l_end_of_range(p), 1, 0);
  mr_lv variable = mr_l_var(p, mr_l_float(p, dtype, kind == MR_OP_maximum ? -1e4 : 1e4));
  mr_lv i = mr_l_for(p, mr_l_index(p, 0), mr_l_index(p, 13), 1, MR_L_INDEPENDENT);
  mr_lv v = mr_l_load(p, in, mr_l_iadd(p, mr_l_imul(p, row, mr_l_index(p, 13)), i));
  mr_lv before = mr_l_get(p, variable), extreme = mr_l_binary(p, kind, dtype, before, v);
  if (branches) {
    mr_l_if(p, mr_l_compare(p, MR_L_NE, 0, dtype, v, mr_l_float(p, dtype, 1)));
  }
  mr_l_set(p, variable, extreme);
  if (branches) {
    mr_l_end(p);
  }
  mr_l_end(p);
  mr_l_store(p, out, row, mr_l_get(p, variable));
  mr_l_end(p);
  return t;
}

// Each value halved until it is small, counting how often; the counts of a row come about in local memory.
static test_program halving_program(void) {
  test_program t = {new_program(), ELEMENTS / 32, ELEMENTS, ""};
  mr_loop_program *p = t.loops;
  mr_lbuf in = mr_l_buffer(p, MR_F32, MR_L_READ), out = mr_l_buffer(p, MR_S32, MR_L_WRITE);
  mr_lbuf copy = mr_l_buffer(p, MR_S32, MR_L_WRITE), counts = mr_l_local(p, MR_S32, 32);
  mr_lv zero = mr_l_index(p, 0), width = mr_l_index(p, 32), one = mr_l_int(p, MR_S32, 1);
  mr_lv row = mr_l_for(p, mr_l_begin(p), mr_l_end_of_range(p), 1, 0), start = mr_l_imul(p, row, width);
  mr_l_fill(p, counts, zero, width, mr_l_int(p, MR_S32, 0));
  mr_lv i = mr_l_for(p, zero, width, 1, 0);
  mr_lv x = mr_l_load(p, in, mr_l_iadd(p, start, i));
  mr_l_if(p, mr_l_compare(p, MR_L_LT, 0, MR_F32, mr_l_unary(p, MR_OP_abs, MR_F32, x), mr_l_float(p, MR_F32, 100)));
  mr_lv variable = mr_l_var(p, x);
  mr_l_while(p);
  mr_lv now = mr_l_get(p, variable);
  mr_l_do(p, mr_l_compare(p, MR_L_GT, 0, MR_F32, mr_l_unary(p, MR_OP_abs, MR_F32, now), mr_l_float(p, MR_F32, 0.01)));
  mr_l_set(p, variable, mr_l_binary(p, MR_OP_multiply, MR_F32, now, mr_l_float(p, MR_F32, 0.5)));
  mr_l_store(p, counts, i, mr_l_binary(p, MR_OP_add, MR_S32, mr_l_load(p, counts, i), one));
  mr_l_end(p);
  mr_l_else(p);
  mr_l_store(p, counts, i, mr_l_int(p, MR_S32, -1));
  mr_l_end(p);
  mr_l_end(p);
  mr_l_copy(p, out, start, counts, zero, width);
  mr_l_copy(p, copy, start, counts, zero, mr_l_isub(p, zero, width));  // nothing
  mr_l_fill(p, copy, start, mr_l_iadd(p, start, mr_l_index(p, 3)), one);
  mr_l_end(p);
  return t;
}

// Index arithmetic of every kind, and what a later element reads of an earlier one.
static test_program indices_program(void) {
  test_program t = {new_program(), ELEMENTS, ELEMENTS, ""};
  mr_loop_program *p = t.loops;
  mr_lbuf in = mr_l_buffer(p, MR_S32, MR_L_READ), out = mr_l_buffer(p, MR_S32, MR_L_WRITE);
  mr_lbuf both = mr_l_buffer(p, MR_S64, MR_L_READ | MR_L_WRITE | MR_L_MAY_ALIAS);
  mr_lv i = for_share(p);
  mr_lv folded = mr_l_irem(p, mr_l_imul(p, i, mr_l_index(p, 17)), mr_l_index(p, ELEMENTS));
  mr_lv part = mr_l_imin(p, mr_l_idiv(p, folded, mr_l_index(p, 3)), mr_l_imax(p, i, mr_l_index(p, 5)));
  mr_l_store(p, out, i, mr_l_load(p, in, part));
  mr_l_store(p, both, i, mr_l_binary(p, MR_OP_add, MR_S64, mr_l_load(p, both, i), folded));
  mr_l_end(p);
  return t;
}

static void test_loops(void **state) {
  (void)state;
  static test_program programs[MAX_PROGRAMS];
  static const mr_dtype types[] = {MR_F32, MR_BF16, MR_F64, MR_F16};
  size_t count = 0;
  for (size_t i = 0; i < MR_ARRAY_SIZE(types); i++) {
    programs[count++] = extremes_program(types[i], MR_OP_maximum, false);
    programs[count++] = extremes_program(types[i], MR_OP_minimum, false);
    programs[count++] = extremes_program(types[i], MR_OP_maximum, true);
  }
  programs[count++] = halving_program();
  programs[count++] = indices_program();
  run_programs(programs, count);
}

// ---- What it refuses ----------------------------------------------------------------------------------------------------

// By name, and the unit stays as it was.
static void test_refusals(void **state) {
  (void)state;
  mr_target small = {.language = MR_CODE_OPENCL_C, .parameter_bytes = 48};
  mr_clc_unit unit = {.target = &small};
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv i = for_share(p);
  mr_l_store(p, y, i, mr_l_unary(p, MR_OP_sine, MR_F32, mr_l_load(p, x, i)));
  mr_l_end(p);
  mr_status status = mr_clc_add(&unit, p, "sine");
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  assert_non_null(strstr(mr_status_message(status), "f64"));
  mr_status_free(status);
  mr_loop_release(p);

  p = new_program();
  for (int k = 0; k < 3; k++) {
    (void)mr_l_buffer(p, MR_F32, MR_L_READ);
  }
  status = mr_clc_add(&unit, p, "wide");
  assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
  mr_status_free(status);
  mr_loop_release(p);
  assert_int_equal(unit.kernels.size, 0);
  mr_clc_unit_deinit(&unit);
}

int main(void) {
  setenv("MILLRACE_CACHE_DIR", "", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_expressions),
      cmocka_unit_test(test_sums_of_products),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
