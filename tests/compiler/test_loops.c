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

// Two buffers, each code once, and the values they take.
static mr_loop_program *one_of_each(void) {
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lbuf local = mr_l_local(p, MR_F32, 4);
  mr_lv i = for_share(p), zero = mr_l_index(p, 0), one = mr_l_float(p, MR_F32, 1);
  mr_lv at = mr_l_iadd(p, i, mr_l_begin(p)), value = mr_l_load(p, x, i);
  mr_lv less = mr_l_compare(p, MR_L_LT, MR_L_FLOAT, MR_F32, value, one);
  mr_l_fill(p, local, zero, i, one);
  mr_l_copy(p, y, i, x, i, at);
  mr_lv var = mr_l_var(p, one);
  mr_l_if(p, less);
  mr_l_set(p, var, mr_l_select(p, MR_F32, less, value, one));
  mr_l_else(p);
  mr_l_store(p, y, i, mr_l_bitcast(p, MR_F32, mr_l_convert(p, MR_S32, value)));
  mr_l_end(p);
  mr_l_while(p);
  mr_l_do(p, mr_l_compare(p, MR_L_LT, MR_L_FLOAT, MR_F32, mr_l_get(p, var), one));
  mr_l_set(p, var, one);
  mr_l_end(p);
  mr_l_end(p);
  return p;
}

// A field of the first instruction of a code, and the number it gets.
typedef struct wrong_field {
  mr_loop_code code;
  mr_op_kind kind;  // MR_OP_COUNT: any
  size_t field, size;
  uint64_t value;
  const char *says;
} wrong_field;

#define FIELD(name) offsetof(mr_loop_instr, name), sizeof(((mr_loop_instr *)0)->name)
#define ANY MR_OP_COUNT

static const wrong_field wrong_fields[] = {
    {MR_L_INDEX, ANY, FIELD(kind), MR_OP_power, "no such index operation"},
    {MR_L_INDEX, ANY, FIELD(a), 0, "index operands are not S64"},
    {MR_L_INDEX, ANY, FIELD(b), 1000, "index operands are not S64"},
    {MR_L_ELEMENT, ANY, FIELD(kind), MR_OP_COUNT, "unknown operation or type"},
    {MR_L_ELEMENT, ANY, FIELD(dtype), MR_C64, "unknown operation or type"},
    {MR_L_ELEMENT, ANY, FIELD(kind), MR_OP_sort, "not an elementwise operation"},
    {MR_L_ELEMENT, MR_OP_compare, FIELD(a), 0, "operand is not a usable value of the operation's type"},
    {MR_L_ELEMENT, MR_OP_convert, FIELD(a), 0, "operand is not a usable value"},
    {MR_L_ELEMENT, MR_OP_bitcast_convert, FIELD(dtype), MR_F64, "bitcast between widths"},
    {MR_L_ELEMENT, MR_OP_select, FIELD(a), 0, "select wants PRED and two values of its type"},
    {MR_L_ELEMENT, MR_OP_select, FIELD(dtype), MR_F64, "select wants PRED and two values of its type"},
    {MR_L_LOAD, ANY, FIELD(buffer), 7, "no such buffer"},
    {MR_L_LOAD, ANY, FIELD(a), 0, "index is not S64"},
    {MR_L_LOAD, ANY, FIELD(dtype), MR_F64, "load of another type"},
    {MR_L_STORE, ANY, FIELD(buffer), 0, "writes a buffer that is not writable"},
    {MR_L_STORE, ANY, FIELD(b), 0, "store of another type"},
    {MR_L_FILL, ANY, FIELD(c), 0, "fill wants two indices and a value of the buffer's type"},
    {MR_L_COPY, ANY, FIELD(buffer2), 9, "copy between different types"},
    {MR_L_COPY, ANY, FIELD(c), 0, "index is not S64"},
    {MR_L_FOR, ANY, FIELD(b), 0, "bounds are not S64"},
    {MR_L_FOR, ANY, FIELD(imm), 0, "step is not positive"},
    {MR_L_IF, ANY, FIELD(a), 0, "condition is not PRED"},
    {MR_L_IF, ANY, FIELD(code), MR_L_NOP, "ELSE without IF"},
    {MR_L_WHILE, ANY, FIELD(code), MR_L_NOP, "DO without WHILE"},
    {MR_L_DO, ANY, FIELD(a), 0, "condition is not PRED"},
    {MR_L_DO, ANY, FIELD(code), MR_L_NOP, "WHILE without DO"},
    {MR_L_FOR, ANY, FIELD(code), MR_L_BEGIN, "closes a scope that is not open"},
    {MR_L_VAR, ANY, FIELD(dtype), MR_F64, "initial value of another type"},
    {MR_L_GET, ANY, FIELD(a), 1, "not a usable variable"},
    {MR_L_SET, ANY, FIELD(b), 0, "value of another type"},
    {MR_L_CONST, ANY, FIELD(dtype), MR_C64, "constant of a type that is no scalar"},
    {MR_L_STORE, ANY, FIELD(code), 200, "unknown code"},
};

static mr_loop_instr *find_instr(const mr_loop_program *p, mr_loop_code code, mr_op_kind kind) {
  for (uint32_t i = 1; i < p->num_instrs; i++) {
    if (p->instrs[i].code == code && (kind == MR_OP_COUNT || p->instrs[i].kind == kind)) {
      return &p->instrs[i];
    }
  }
  fail_msg("no instruction of code %d", (int)code);
  return NULL;
}

// Each field of each code may be wrong, and the message says which instruction and what of it.
static void test_check_names_the_field(void **state) {
  (void)state;
  mr_loop_program *p = one_of_each();
  check_ok(mr_loop_check(p));
  for (size_t k = 0; k < MR_ARRAY_SIZE(wrong_fields); k++) {
    const wrong_field *w = &wrong_fields[k];
    mr_loop_instr *instr = find_instr(p, w->code, w->kind), was = *instr;
    memcpy((char *)instr + w->field, &w->value, w->size);
    assert_wrong(p, w->says);
    *instr = was;
  }
  check_ok(mr_loop_check(p));
  const mr_loop_buffer was = p->buffers[2];
  p->buffers[2].count = -1;
  assert_wrong(p, "loop buffer b2: negative count");
  p->buffers[2].flags = MR_L_WRITE;
  assert_wrong(p, "loop buffer b2: parameters come first");
  p->buffers[2].dtype = MR_C64;
  assert_wrong(p, "loop buffer b2 has no scalar type");
  p->buffers[2] = was;
  check_ok(mr_loop_check(p));
  mr_loop_release(p);
}

// Deeper than there is room for, which the builder says as well.
static void test_check_bounds_the_depth(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lv yes = mr_l_int(p, MR_PRED, 1);
  for (int depth = 0; depth <= MR_L_SCOPES; depth++) {
    mr_l_if(p, yes);
  }
  assert_wrong(p, "building a loop program failed");
  p->failed = false;
  assert_wrong(p, "scopes nest too deeply");
  mr_loop_release(p);
}

// An inlined program writes where the caller says, over the caller's range.
static void test_inline_maps_buffers_and_range(void **state) {
  (void)state;
  mr_loop_program *inner = plus_one(1), *p = new_program();
  mr_lbuf out = mr_l_buffer(p, MR_F32, MR_L_WRITE), in = mr_l_buffer(p, MR_F32, MR_L_READ);
  mr_l_inline(p, inner, (mr_lbuf[]){in, out}, mr_l_index(p, 2), mr_l_index(p, 5));
  float x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, y[8] = {0}, want[8] = {0, 0, 3, 4, 5, 0, 0, 0};
  run_program(p, (void *[]){y, x}, 0);
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
      cmocka_unit_test(test_check_names_the_field),
      cmocka_unit_test(test_check_bounds_the_depth),
      cmocka_unit_test(test_inline_maps_buffers_and_range),
      cmocka_unit_test(test_print),
      cmocka_unit_test(test_allocation_failures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
