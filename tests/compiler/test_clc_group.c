// Tiles by the items of a work-group together: what comes out is what machine code computes. Numbers are whole, so that sums are
// the same in any order. On a device of OpenCL's where there is one (PoCL); else skipped.
#include "compiler/ir/scalar.h"
#include "tests/compiler/clc_harness.h"
#include "tests/compiler/loops_util.h"

enum { ROWS = 7, WIDTH = 300, ELEMENTS = ROWS * WIDTH, MOST = 40 };

typedef struct test_program {
  mr_loop_program *loops;
  bool grouped;  // wanted: by groups
  char entry[24];
} test_program;

static mr_lv width(mr_loop_program *p) { return mr_l_index(p, WIDTH); }

// for (row of the share), and where the row begins.
static mr_lv for_rows(mr_loop_program *p, mr_lv *out_row) {
  *out_row = for_share(p);
  return mr_l_imul(p, *out_row, width(p));
}

static mr_lv for_columns(mr_loop_program *p, uint32_t flags) {
  return mr_l_for(p, mr_l_index(p, 0), width(p), 1, MR_L_INDEPENDENT | flags);
}

static mr_lv start_of(mr_loop_program *p, mr_op_kind kind, mr_dtype dtype) {
  switch (kind) {
  case MR_OP_minimum: return mr_l_int(p, dtype, 100);
  case MR_OP_maximum: return mr_l_int(p, dtype, -100);
  case MR_OP_multiply: return mr_l_int(p, dtype, 3);
  default: return mr_l_int(p, dtype, 5);
  }
}

static mr_lv start_value(mr_loop_program *p, mr_op_kind kind, mr_dtype dtype) {
  return mr_dtype_is_float(dtype) ? mr_l_float(p, dtype, kind == MR_OP_maximum ? -100 : 100) : start_of(p, kind, dtype);
}

// One number of each row, by one variable.
static test_program collecting(mr_dtype dtype, mr_op_kind kind, bool grouped, bool branches) {
  test_program t = {new_program(), grouped, ""};
  mr_loop_program *p = t.loops;
  mr_lbuf in = mr_l_buffer(p, dtype, MR_L_READ), out = mr_l_buffer(p, dtype, MR_L_WRITE);
  mr_lv row, base = for_rows(p, &row), x = mr_l_var(p, start_value(p, kind, dtype));
  mr_lv j = for_columns(p, 0), v = mr_l_load(p, in, mr_l_iadd(p, base, j));
  if (branches) {
    mr_l_if(p, mr_l_compare(p, MR_L_NE, 0, dtype, v, mr_l_convert(p, dtype, mr_l_int(p, MR_S32, 1))));
  }
  uint32_t flags = grouped && mr_dtype_is_float(dtype) ? MR_L_REASSOC : 0;
  mr_l_set(p, x, mr_l_binary_flags(p, kind, dtype, mr_l_get(p, x), v, flags));
  if (branches) {
    mr_l_end(p);
  }
  mr_l_end(p);
  mr_l_store(p, out, row, mr_l_get(p, x));
  mr_l_end(p);
  return t;
}

// What a softmax does: the greatest, then a row in local memory and its sum, then the row in place of what was read.
static test_program three_passes(void) {
  test_program t = {new_program(), true, ""};
  mr_loop_program *p = t.loops;
  mr_lbuf in = mr_l_buffer(p, MR_F32, MR_L_READ | MR_L_MAY_ALIAS);
  mr_lbuf out = mr_l_buffer(p, MR_F32, MR_L_READ | MR_L_WRITE | MR_L_MAY_ALIAS);
  mr_lbuf kept = mr_l_local(p, MR_F32, WIDTH);
  mr_lv row, base = for_rows(p, &row);
  mr_lv most = mr_l_var(p, mr_l_float(p, MR_F32, -1e30)), sum = mr_l_var(p, mr_l_float(p, MR_F32, 0));
  mr_lv j = for_columns(p, 0);
  mr_l_set(p, most, mr_l_binary(p, MR_OP_maximum, MR_F32, mr_l_get(p, most), mr_l_load(p, in, mr_l_iadd(p, base, j))));
  mr_l_end(p);
  mr_lv greatest = mr_l_get(p, most);
  j = for_columns(p, 0);
  mr_lv d = mr_l_binary(p, MR_OP_subtract, MR_F32, mr_l_load(p, in, mr_l_iadd(p, base, j)), greatest);
  mr_l_store(p, kept, j, d);
  mr_l_set(p, sum, mr_l_binary_flags(p, MR_OP_add, MR_F32, mr_l_get(p, sum), d, MR_L_REASSOC));
  mr_l_end(p);
  mr_lv total = mr_l_get(p, sum);
  j = for_columns(p, 0);
  mr_lv mirror = mr_l_isub(p, mr_l_index(p, WIDTH - 1), j);
  mr_l_store(p, out, mr_l_iadd(p, base, j), mr_l_binary(p, MR_OP_divide, MR_F32, mr_l_load(p, kept, mirror), total));
  mr_l_end(p);
  mr_l_end(p);
  return t;
}

// Fills, copies, a store of one number that a later loop reads, a branch that is the same for all, and a short loop of rows.
static test_program moves(void) {
  test_program t = {new_program(), true, ""};
  mr_loop_program *p = t.loops;
  mr_lbuf in = mr_l_buffer(p, MR_S32, MR_L_READ), out = mr_l_buffer(p, MR_S32, MR_L_READ | MR_L_WRITE);
  mr_lbuf row_copy = mr_l_local(p, MR_S32, WIDTH), one = mr_l_local(p, MR_S32, 1);
  mr_lv row, base = for_rows(p, &row), zero = mr_l_index(p, 0);
  mr_l_copy(p, row_copy, zero, in, base, width(p));
  mr_l_fill(p, out, base, mr_l_iadd(p, base, width(p)), mr_l_int(p, MR_S32, 9));
  mr_lv k = mr_l_for(p, zero, mr_l_index(p, 3), 1, 0);
  mr_l_store(p, one, zero, mr_l_load(p, row_copy, k));
  mr_l_if(p, mr_l_compare(p, MR_L_GT, 0, MR_S32, mr_l_load(p, one, zero), mr_l_int(p, MR_S32, 0)));
  mr_lv j = for_columns(p, 0), at = mr_l_iadd(p, base, j);
  mr_lv sum = mr_l_binary(p, MR_OP_add, MR_S32, mr_l_load(p, out, at), mr_l_load(p, row_copy, j));
  mr_l_store(p, out, at, mr_l_binary(p, MR_OP_add, MR_S32, sum, mr_l_load(p, one, zero)));
  mr_l_end(p);
  mr_l_else(p);
  mr_l_store(p, out, mr_l_iadd(p, base, k), mr_l_int(p, MR_S32, -7));
  mr_l_end(p);
  mr_l_end(p);
  mr_l_end(p);
  return t;
}

// A running sum along each column of a strip: the loop over columns is spread, though it has a loop inside.
static test_program scan_of_columns(void) {
  test_program t = {new_program(), true, ""};
  mr_loop_program *p = t.loops;
  mr_lbuf in = mr_l_buffer(p, MR_S32, MR_L_READ), out = mr_l_buffer(p, MR_S32, MR_L_WRITE);
  mr_lv row, base = for_rows(p, &row),
             j = mr_l_for(p, mr_l_index(p, 0), mr_l_index(p, WIDTH / 10), 1, MR_L_INDEPENDENT);
  mr_lv x = mr_l_var(p, mr_l_int(p, MR_S32, 0)), k = mr_l_for(p, mr_l_index(p, 0), mr_l_index(p, 10), 1, 0);
  mr_lv at = mr_l_iadd(p, base, mr_l_iadd(p, mr_l_imul(p, k, mr_l_index(p, WIDTH / 10)), j));
  mr_l_set(p, x, mr_l_binary(p, MR_OP_add, MR_S32, mr_l_get(p, x), mr_l_load(p, in, at)));
  mr_l_store(p, out, at, mr_l_get(p, x));
  mr_l_end(p);
  mr_l_end(p);
  mr_l_end(p);
  return t;
}

static void fill(mr_dtype dtype, uint8_t *out) {
  for (size_t i = 0; i < ELEMENTS; i++) {
    int64_t number = (int64_t)(i * 7 + i / 11) % 9 - 4;
    mr_scalar_from_int(dtype, dtype == MR_PRED ? number != 2 : number, out + i * mr_dtype_bytes(dtype));
  }
}

static size_t compare_program(const test_program *t, clc_program *program) {
  void *buffers[4];
  size_t sizes[4];
  for (uint32_t i = 0; i < t->loops->num_params; i++) {
    mr_dtype dtype = (mr_dtype)t->loops->buffers[i].dtype;
    sizes[i] = ELEMENTS * mr_dtype_bytes(dtype);
    buffers[i] = malloc(sizes[i]);
    fill(dtype, buffers[i]);
  }
  size_t count = clc_differences(program, t->entry, t->loops, buffers, sizes, ROWS, t->entry);
  for (uint32_t i = 0; i < t->loops->num_params; i++) {
    free(buffers[i]);
  }
  return count;
}

static size_t make_programs(test_program *programs) {
  static const mr_dtype whole[] = {MR_S8, MR_U8, MR_S16, MR_S32, MR_U32, MR_S64, MR_U64}, floats[] = {MR_F32, MR_F64};
  size_t n = 0;
  for (size_t i = 0; i < MR_ARRAY_SIZE(whole); i++) {
    programs[n++] = collecting(whole[i], MR_OP_add, true, i & 1);
    programs[n++] = collecting(whole[i], i & 1 ? MR_OP_minimum : MR_OP_maximum, true, i & 2);
  }
  programs[n++] = collecting(MR_S32, MR_OP_multiply, true, true);
  programs[n++] = collecting(MR_U32, MR_OP_xor, true, false);
  programs[n++] = collecting(MR_PRED, MR_OP_and, true, false);
  programs[n++] = collecting(MR_PRED, MR_OP_or, true, false);
  for (size_t i = 0; i < MR_ARRAY_SIZE(floats); i++) {
    programs[n++] = collecting(floats[i], MR_OP_add, true, i & 1);
    programs[n++] = collecting(floats[i], MR_OP_maximum, true, !(i & 1));
    programs[n++] = collecting(floats[i], MR_OP_minimum, true, false);
    programs[n++] = collecting(floats[i], MR_OP_add, false, false);  // in order
  }
  programs[n++] = collecting(MR_BF16, MR_OP_add, false, false);
  programs[n++] = three_passes();
  programs[n++] = moves();
  programs[n++] = scan_of_columns();
  return n;
}

static bool is_grouped(mr_str text, const char *entry) {
  char head[80];
  snprintf(head, sizeof head, "kernel __attribute__((reqd_work_group_size(");
  char name[40];
  snprintf(name, sizeof name, "void %s(", entry);
  const char *at = strstr(text.data, name);
  assert_non_null(at);
  const char *line = at;
  while (line > text.data && line[-1] != '\n') {
    line--;
  }
  return strncmp(line, head, strlen(head)) == 0;
}

static void test_groups(void **state) {
  (void)state;
  clc_host *host = clc_host_get();
  if (!host) {
    print_message("no device of OpenCL's: skipped\n");
    skip();
  }
  static test_program programs[MOST];
  size_t count = make_programs(programs);
  mr_target target = clc_host_items(host);
  mr_clc_unit unit = {.target = &target};
  mr_text text = {0};
  for (size_t i = 0; i < count; i++) {
    snprintf(programs[i].entry, sizeof programs[i].entry, "k%u", (unsigned)i);
    check_ok(mr_clc_add(&unit, programs[i].loops, programs[i].entry));
  }
  check_ok(mr_clc_finish(&unit, &text));
  mr_clc_unit_deinit(&unit);
  mr_text_append(&text, (mr_str){"", 1});
  for (size_t i = 0; i < count; i++) {
    if (is_grouped((mr_str){text.data, text.size}, programs[i].entry) != programs[i].grouped) {
      fail_msg("%s is%s by groups", programs[i].entry, programs[i].grouped ? " not" : "");
    }
  }
  clc_program *program = clc_build(host, (mr_str){text.data, text.size - 1});
  mr_text_deinit(&text);
  size_t differences = 0;
  for (size_t i = 0; i < count; i++) {
    differences += compare_program(&programs[i], program) != 0;
    mr_loop_release(programs[i].loops);
  }
  clc_program_release(program);
  assert_int_equal(differences, 0);
}

int main(void) {
  setenv("MILLRACE_CACHE_DIR", "", 1);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
