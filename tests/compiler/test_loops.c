#include "tests/compiler/loops_util.h"

// A program that adds one to each element.
static mr_loop_program *plus_one(double one) {
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv i = for_share(p);
  mr_l_store(p, y, i, mr_l_binary(p, MR_OP_add, MR_F32, mr_l_load(p, x, i), mr_l_float(p, MR_F32, one)));
  mr_l_end(p);
  return p;
}

static void assert_wrong(const mr_loop_program *p, const char *part) {
  mr_status status = mr_loop_check(p);
  assert_non_null(status);
  if (!strstr(mr_status_message(status), part)) {
    print_error("message: %s\n", mr_status_message(status));
  }
  assert_non_null(strstr(mr_status_message(status), part));
  mr_status_free(status);
}

// Index arithmetic on constants and with 0 and 1 makes no instructions.
static void test_index_folds(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lv i = mr_l_begin(p), zero = mr_l_index(p, 0), one = mr_l_index(p, 1);
  assert_int_equal(mr_l_iadd(p, i, zero), i);
  assert_int_equal(mr_l_isub(p, i, zero), i);
  assert_int_equal(mr_l_imul(p, one, i), i);
  assert_int_equal(mr_l_imul(p, i, zero), zero);
  assert_int_equal(mr_l_idiv(p, i, one), i);
  assert_int_equal(mr_l_irem(p, i, one), zero);
  int64_t value;
  assert_true(mr_l_const_index(p, mr_l_imul(p, mr_l_index(p, 6), mr_l_index(p, 7)), &value));
  assert_int_equal(value, 42);
  assert_true(mr_l_const_index(p, mr_l_irem(p, mr_l_index(p, 17), mr_l_index(p, 5)), &value));
  assert_int_equal(value, 2);
  assert_int_equal(mr_l_imin(p, zero, one), zero);
  assert_int_equal(mr_l_imax(p, zero, one), one);
  for (uint32_t k = 1; k < p->num_instrs; k++) {
    assert_int_not_equal(p->instrs[k].code, MR_L_INDEX);
  }
  mr_loop_release(p);
}

// The same constant asked for again, also in another scope, is the same value.
static void test_constants_are_shared(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lv i = for_share(p);
  (void)i;
  mr_lv inside = mr_l_float(p, MR_F32, 2.5);
  mr_l_end(p);
  assert_int_equal(mr_l_float(p, MR_F32, 2.5), inside);
  assert_int_not_equal(mr_l_float(p, MR_F64, 2.5), inside);
  for (int k = 0; k < 1000; k++) {
    assert_int_equal(mr_l_index(p, k), mr_l_index(p, k));
  }
  assert_null(mr_loop_check(p));
  mr_loop_release(p);
}

// Equal programs hash equally; a changed constant, flag or buffer changes the hash.
static void test_hash_follows_content(void **state) {
  (void)state;
  mr_loop_program *a = plus_one(1), *b = plus_one(1), *c = plus_one(2), *d = plus_one(1);
  d->buffers[0].flags |= MR_L_MAY_ALIAS;
  mr_hash128 ha = mr_loop_hash(a), hb = mr_loop_hash(b), hc = mr_loop_hash(c), hd = mr_loop_hash(d);
  assert_memory_equal(&ha, &hb, sizeof ha);
  assert_memory_not_equal(&ha, &hc, sizeof ha);
  assert_memory_not_equal(&ha, &hd, sizeof ha);
  b->instrs[b->num_instrs - 2].flags ^= MR_L_STREAM;
  hb = mr_loop_hash(b);
  assert_memory_not_equal(&ha, &hb, sizeof ha);
  mr_loop_release(a);
  mr_loop_release(b);
  mr_loop_release(c);
  mr_loop_release(d);
}

// A value of a closed loop is refused outside it.
static void test_check_refuses_escaping_values(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ | MR_L_WRITE);
  mr_lv i = for_share(p);
  mr_lv v = mr_l_load(p, x, i);
  mr_l_end(p);
  mr_l_store(p, x, mr_l_index(p, 0), v);
  assert_wrong(p, "store of another type");
  mr_loop_release(p);
}

// The loop's index is refused outside it too, and both sides of an IF are apart.
static void test_check_refuses_crossing_scopes(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ | MR_L_WRITE);
  mr_lv i = for_share(p);
  mr_l_end(p);
  mr_l_load(p, x, i);
  assert_wrong(p, "index is not S64");
  mr_loop_release(p);

  p = new_program();
  x = mr_l_buffer(p, MR_F32, MR_L_READ | MR_L_WRITE);
  mr_lv zero = mr_l_index(p, 0);
  mr_l_if(p, mr_l_int(p, MR_PRED, 1));
  mr_lv v = mr_l_load(p, x, zero);
  mr_l_else(p);
  mr_l_store(p, x, zero, v);
  mr_l_end(p);
  assert_wrong(p, "store of another type");
  mr_loop_release(p);
}

// Wrong types, missing buffers, read-only stores and unclosed scopes are named.
static void test_check_names_the_mistake(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_l_binary(p, MR_OP_add, MR_F32, mr_l_float(p, MR_F32, 1), mr_l_float(p, MR_F64, 1));
  assert_wrong(p, "operand is not a usable value");
  mr_loop_release(p);

  p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ);
  mr_l_store(p, x, mr_l_index(p, 0), mr_l_float(p, MR_F32, 1));
  assert_wrong(p, "not writable");
  mr_loop_release(p);

  p = new_program();
  for_share(p);
  assert_wrong(p, "never closed");
  mr_loop_release(p);

  p = new_program();
  mr_l_load(p, 3, mr_l_index(p, 0));
  assert_wrong(p, "no such buffer");
  mr_loop_release(p);

  p = new_program();
  mr_l_bitcast(p, MR_F64, mr_l_float(p, MR_F32, 1));
  assert_wrong(p, "bitcast between widths");
  mr_loop_release(p);

  p = new_program();
  mr_l_end(p);
  assert_wrong(p, "failed");
  mr_loop_release(p);
}

// An inlined program writes where the caller says, over the caller's range.
static void test_inline_maps_buffers_and_range(void **state) {
  (void)state;
  mr_loop_program *inner = plus_one(1), *p = new_program();
  mr_lbuf out = mr_l_buffer(p, MR_F32, MR_L_WRITE), in = mr_l_buffer(p, MR_F32, MR_L_READ);
  mr_l_inline(p, inner, (mr_lbuf[]){in, out}, mr_l_index(p, 2), mr_l_index(p, 5));
  float x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, y[8] = {0}, want[8] = {0, 0, 3, 4, 5, 0, 0, 0};
  run_program(p, (void *[]){y, x}, NULL, 0);
  assert_memory_equal(y, want, sizeof y);
  mr_loop_release(inner);
}

// The text shows each instruction on a line, indented by scope.
static void test_print(void **state) {
  (void)state;
  mr_loop_program *p = plus_one(1);
  mr_text text = {0};
  mr_loop_print(p, &text);
  mr_text_append(&text, (mr_str){"", 1});
  assert_non_null(strstr(text.data, "buffer b0 f32 read\n"));
  assert_non_null(strstr(text.data, "\n  store f32 b1["));
  mr_text_deinit(&text);
  mr_loop_release(p);
}

// Whichever allocation fails while building and checking, the program says so and nothing leaks.
static void test_allocation_failures(void **state) {
  (void)state;
  for (uint64_t nth = 1; nth < 100; nth++) {
    (void)mr_alloc_fail_nth(nth);
    mr_loop_program *p = NULL;
    mr_status status = mr_loop_create(&p);
    if (!status) {
      mr_lbuf x = mr_l_buffer(p, MR_S32, MR_L_READ | MR_L_WRITE);
      for (int k = 0; k < 100; k++) {
        mr_l_store(p, x, mr_l_index(p, k), mr_l_int(p, MR_S32, k));
      }
      status = mr_loop_check(p);
      mr_loop_release(p);
    }
    bool reached = mr_alloc_fail_nth(0) < nth;
    if (!reached) {
      assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
    }
    mr_status_free(status);
    if (reached) {
      return;
    }
  }
  fail_msg("building never succeeds");
}

int main(void) {
  setenv("MILLRACE_CACHE_DIR", "", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_index_folds),
      cmocka_unit_test(test_constants_are_shared),
      cmocka_unit_test(test_hash_follows_content),
      cmocka_unit_test(test_check_refuses_escaping_values),
      cmocka_unit_test(test_check_refuses_crossing_scopes),
      cmocka_unit_test(test_check_names_the_mistake),
      cmocka_unit_test(test_inline_maps_buffers_and_range),
      cmocka_unit_test(test_print),
      cmocka_unit_test(test_allocation_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
