// Constants of indices become part of a parameter's address: what a kernel reads and writes stays the same, and kernels that differ in
// nothing else are equal.
#include "tests/compiler/loops_util.h"

enum { ELEMENTS = 512 };

// y[at + i] = x[from + i] + x[further + i]
static mr_loop_program *sum_of_pieces(int64_t from, int64_t further, int64_t at) {
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv i = for_share(p);
  mr_lv a = mr_l_load(p, x, mr_l_iadd(p, i, mr_l_index(p, from)));
  mr_lv b = mr_l_load(p, x, mr_l_iadd(p, mr_l_index(p, further), i));
  mr_l_store(p, y, mr_l_iadd(p, i, mr_l_index(p, at)), mr_l_binary(p, MR_OP_add, MR_F32, a, b));
  mr_l_end(p);
  return p;
}

// y[i] = x[(i + row) * 7 + 3 - back] over rows
static mr_loop_program *column_of_rows(int64_t row, int64_t back) {
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv i = for_share(p), one = mr_l_index(p, row);
  mr_lv first = mr_l_imul(p, mr_l_index(p, 7), mr_l_iadd(p, i, one));
  mr_lv at = mr_l_isub(p, mr_l_iadd(p, first, mr_l_index(p, 3)), mr_l_index(p, back));
  mr_l_store(p, y, i, mr_l_load(p, x, at));
  mr_l_end(p);
  return p;
}

static mr_loop_program *shifted(const mr_loop_program *p, size_t *shifts) {
  mr_loop_program *made;
  check_ok(mr_loop_shift(p, shifts, &made));
  if (made) {
    check_ok(mr_loop_check(made));
  }
  return made;
}

// Both give the same, the second with its parameters further on.
static void expect_same(mr_loop_program *take_p, mr_loop_program *take_shifted, const size_t *shifts) {
  float x[ELEMENTS], y[2][ELEMENTS] = {0};
  for (int i = 0; i < ELEMENTS; i++) {
    x[i] = (float)(i * i % 101);
  }
  run_program(take_p, (void *[]){x, y[0]}, 9);
  run_program(take_shifted, (void *[]){(char *)x + shifts[0], (char *)y[1] + shifts[1]}, 9);
  assert_memory_equal(y[0], y[1], sizeof y[0]);
}

static bool equal(const mr_loop_program *a, const mr_loop_program *b) {
  mr_hash128 x = mr_loop_hash(a), y = mr_loop_hash(b);
  return memcmp(&x, &y, sizeof x) == 0;
}

// Pieces further on by multiples of 64 bytes are the same kernel; by others not.
static void test_pieces_become_equal(void **state) {
  (void)state;
  size_t shifts[3][2];
  mr_loop_program *p[3] = {sum_of_pieces(20, 100, 40), sum_of_pieces(100, 180, 24), sum_of_pieces(104, 184, 24)};
  mr_loop_program *to[3];
  for (int k = 0; k < 3; k++) {
    to[k] = shifted(p[k], shifts[k]);
    assert_non_null(to[k]);
  }
  assert_int_equal(shifts[0][0], 64);
  assert_int_equal(shifts[0][1], 128);
  assert_int_equal(shifts[1][0], 384);
  assert_int_equal(shifts[1][1], 64);
  assert_true(equal(to[0], to[1]));
  assert_false(equal(to[0], to[2]));
  for (int k = 0; k < 3; k++) {
    expect_same(p[k], to[k], shifts[k]);
  }
}

// Also through products with constants and differences.
static void test_constants_are_found_in_products(void **state) {
  (void)state;
  size_t shifts[2][2];
  mr_loop_program *p[2] = {column_of_rows(11, 2), column_of_rows(27, 2)}, *to[2];
  for (int k = 0; k < 2; k++) {
    to[k] = shifted(p[k], shifts[k]);
    assert_non_null(to[k]);
  }
  assert_int_equal(shifts[0][0], 64 * (4 * (7 * 11 + 3 - 2) / 64));
  assert_int_equal(shifts[1][0] - shifts[0][0], 4 * 7 * 16);
  assert_int_equal(shifts[0][1], 0);
  assert_true(equal(to[0], to[1]));
  expect_same(p[0], to[0], shifts[0]);
  expect_same(p[1], to[1], shifts[1]);
}

// What is read from the beginning too, or from before it, and what is filled or copied begins where it did.
static void test_others_stay(void **state) {
  (void)state;
  size_t shifts[2];
  mr_loop_program *p = sum_of_pieces(0, 100, 0);
  assert_null(shifted(p, shifts));
  assert_int_equal(shifts[0], 0);
  mr_loop_release(p);
  p = sum_of_pieces(-100, 100, 15);
  assert_null(shifted(p, shifts));
  mr_loop_release(p);
  p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ | MR_L_WRITE), y = mr_l_buffer(p, MR_F32, MR_L_READ | MR_L_WRITE);
  mr_lv far = mr_l_index(p, 100);
  mr_l_fill(p, x, far, mr_l_index(p, 200), mr_l_load(p, x, far));
  mr_l_copy(p, y, far, x, far, mr_l_index(p, 4));
  mr_l_store(p, y, far, mr_l_load(p, y, far));
  assert_null(shifted(p, shifts));
  mr_loop_release(p);
}

// An index that somebody else needs as well, variables, branches and a local among what moves.
static void test_all_else_is_copied(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lbuf local = mr_l_local(p, MR_F32, 200);
  mr_lv i = for_share(p), at = mr_l_iadd(p, mr_l_imul(p, i, mr_l_index(p, 2)), mr_l_index(p, 70));
  mr_l_store(p, local, at, mr_l_load(p, x, at));
  mr_lv rest = mr_l_irem(p, at, mr_l_index(p, 5));
  mr_lv var = mr_l_var(p, mr_l_load(p, x, mr_l_iadd(p, rest, mr_l_index(p, 90))));
  mr_l_if(p, mr_l_compare(p, MR_L_LT, MR_L_SIGNED, MR_S64, at, mr_l_index(p, 80)));
  mr_l_set(p, var, mr_l_load(p, local, at));
  mr_l_else(p);
  mr_l_store(p, y, mr_l_iadd(p, at, mr_l_index(p, 100)), mr_l_convert(p, MR_F32, at));
  mr_l_end(p);
  mr_l_store(p, y, mr_l_iadd(p, i, mr_l_index(p, 64)), mr_l_get(p, var));
  mr_l_end(p);
  size_t shifts[2];
  mr_loop_program *to = shifted(p, shifts);
  assert_non_null(to);
  assert_int_equal(shifts[0], 256);
  assert_int_equal(shifts[1], 256);
  expect_same(p, to, shifts);
}

// Whichever allocation fails, it says so and nothing leaks.
static void test_allocation_failures(void **state) {
  (void)state;
  mr_loop_program *p = sum_of_pieces(20, 100, 40);
  for (uint64_t nth = 1; nth < 100; nth++) {
    size_t shifts[2];
    mr_loop_program *made;
    (void)mr_alloc_fail_nth(nth);
    mr_status status = mr_loop_shift(p, shifts, &made);
    bool reached = mr_alloc_fail_nth(0) < nth;
    assert_int_equal(mr_status_code(status), reached ? MR_OK_CODE : MR_RESOURCE_EXHAUSTED);
    assert_true((made != NULL) == reached);
    mr_status_free(status);
    mr_loop_release(made);
    if (reached) {
      mr_loop_release(p);
      return;
    }
  }
  fail_msg("it never succeeds");
}

int main(void) {
  setenv("MILLRACE_CACHE_DIR", "", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pieces_become_equal), cmocka_unit_test(test_constants_are_found_in_products),
      cmocka_unit_test(test_others_stay),         cmocka_unit_test(test_all_else_is_copied),
      cmocka_unit_test(test_allocation_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
