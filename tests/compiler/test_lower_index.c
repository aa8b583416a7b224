// Symbolic indices: what reshapes do to a loop variable comes out as the variable.
#include <stddef.h>

#include "compiler/lower/index.h"
#include "tests/cmocka.h"

typedef struct fixture {
  mr_arena arena;
  jmp_buf no_memory;
  mr_ix_table table;
} fixture;

static fixture f;

static int set_up(void **state) {
  (void)state;
  mr_arena_init(&f.arena, 0);
  mr_ix_table_init(&f.table, &f.arena, &f.no_memory);
  return setjmp(f.no_memory);
}

static int tear_down(void **state) {
  (void)state;
  mr_arena_deinit(&f.arena);
  return 0;
}

// (4i + j) / 4 is i and (4i + j) % 4 is j when 0 <= j < 4.
static void test_division_by_a_stride(void **state) {
  (void)state;
  mr_ix_table *t = &f.table;
  const mr_ix *i = mr_ix_loop(t, 0, 0, 9), *j = mr_ix_loop(t, 1, 0, 3);
  const mr_ix *k = mr_ix_add(t, mr_ix_scale(t, i, 4), j);
  assert_ptr_equal(mr_ix_div(t, k, 4), i);
  assert_ptr_equal(mr_ix_mod(t, k, 4), j);
  assert_ptr_equal(mr_ix_div(t, mr_ix_scale(t, k, 3), 12), i);
}

// Taking a number apart by dimensions and putting it together again is the number.
static void test_parts_make_the_whole(void **state) {
  (void)state;
  mr_ix_table *t = &f.table;
  const mr_ix *k = mr_ix_loop(t, 0, 0, 5 * 6 * 7 - 1);
  const mr_ix *c = mr_ix_mod(t, k, 7), *rest = mr_ix_div(t, k, 7);
  const mr_ix *b = mr_ix_mod(t, rest, 6), *a = mr_ix_div(t, rest, 6);
  const mr_ix *whole = mr_ix_add(t, mr_ix_scale(t, a, 42), mr_ix_add(t, mr_ix_scale(t, b, 7), c));
  assert_ptr_equal(whole, k);
  const mr_ix *regrouped = mr_ix_add(t, mr_ix_scale(t, mr_ix_div(t, k, 42), 42), mr_ix_mod(t, k, 42));
  assert_ptr_equal(regrouped, k);
}

// Quotients and remainders of numbers that may be negative round down.
static void test_negative_numbers_round_down(void **state) {
  (void)state;
  mr_ix_table *t = &f.table;
  assert_int_equal(mr_ix_div(t, mr_ix_const(t, -1), 4)->constant, -1);
  assert_int_equal(mr_ix_mod(t, mr_ix_const(t, -1), 4)->constant, 3);
  const mr_ix *i = mr_ix_plus(t, mr_ix_loop(t, 0, 0, 9), -3);
  const mr_ix *q = mr_ix_div(t, i, 2);
  assert_int_equal(q->lo, -2);
  assert_int_equal(q->hi, 3);
}

// Intervals decide: a quotient of a variable below the divisor is zero.
static void test_intervals(void **state) {
  (void)state;
  mr_ix_table *t = &f.table;
  const mr_ix *i = mr_ix_loop(t, 0, 8, 15);
  assert_int_equal(mr_ix_div(t, i, 8)->constant, 1);
  assert_true(mr_ix_is_const(mr_ix_div(t, i, 8)));
  assert_ptr_equal(mr_ix_mod(t, i, 8), mr_ix_plus(t, i, -8));
  assert_int_equal(mr_ix_coef(mr_ix_scale(t, i, 5), i), 5);
  assert_true(mr_ix_is_linear_in(mr_ix_scale(t, i, 5), i));
  assert_false(mr_ix_is_linear_in(mr_ix_div(t, i, 3), i));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_division_by_a_stride, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_parts_make_the_whole, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_negative_numbers_round_down, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_intervals, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
