// Custom calls through functions that are given addresses alone: what each kind of them is called with, and what it says.
#include <string.h>

#include "compiler/ir/calls.h"
#include "tests/alloc_loop.h"
#include "tests/pjrt/ffi_fixture.h"

enum { ORIGINAL = 1, STATUS_RETURNING = 2, STATUS_RETURNING_UNIFIED = 3 };

static const float in[] = {1, 2, 3, 4, 5, 6};

// A failure is an optional string of C++: libstdc++'s, or libc++'s with its flag elsewhere.
typedef struct gnu_status {
  char *text;
  size_t size;
  char inside[16];
  bool is_set;
} gnu_status;

static void add_one(void *out, const void **operands) {
  for (int i = 0; i < 6; i++) {
    ((float *)out)[i] = ((const float *)operands[0])[i] + 1;
  }
}
static void add_one_of_array(void *out, const void **operands) { add_one(((void **)out)[0], operands); }

static void fail_shortly(void *out, const void **operands, void *said) {
  (void)out, (void)operands;
  gnu_status *status = said;
  assert_false(status->is_set);
  status->text = memcpy(status->inside, "too few", 8);
  status->size = 7;
  status->is_set = true;
}
static void fail_at_length(void *out, const void **operands, void *said) {
  (void)out, (void)operands;
  gnu_status *status = said;
  status->text = strdup("what is wrong takes more than sixteen letters to say");
  status->size = strlen(status->text);
  status->is_set = true;
}
static void fail_as_another_library(void *out, const void **operands, void *said) {
  (void)out, (void)operands;
  ((char *)said)[24] = 1;
}
static void succeed(void *out, const void **operands, void *said) {
  assert_non_null(said);
  add_one(out, operands);
}
static void read_config(void *out, const void **operands, const char *opaque, size_t size, void *said) {
  assert_non_null(said);
  for (int i = 0; i < 6; i++) {
    ((float *)out)[i] = ((const float *)operands[0])[i] + (float)size + (float)(opaque[0] - 'a');
  }
}

static void add(const char *target, void *function) {
  mr_pjrt_ffi_untyped *untyped;
  memcpy(&untyped, &function, sizeof untyped);
  assert_null(mr_pjrt_ffi_add_untyped(mr_str_of(target), untyped));
}

// A call of that version, whose config is a text.
static fixture make_untyped(const char *target, int version, bool column) {
  fixture f = make(target, column);
  mr_op_set_int(f.module, f.op, MR_ATTR_api_version, version);
  mr_op_set_string(f.module, f.op, MR_ATTR_backend_config, MR_STR("bcd"));
  return f;
}

static mr_library_call *call_of(const fixture *f) {
  mr_library_call *call;
  assert_null(mr_pjrt_ffi_make_call(f->op, &call));
  assert_non_null(call);
  mr_module_release(f->module);
  return call;
}

static void gives(fixture f, float more) {
  mr_library_call *call = call_of(&f);
  float out[6] = {0};
  assert_null(run_on(call, in, out, NULL));
  for (int i = 0; i < 6; i++) {
    assert_true(out[i] == in[i] + more);
  }
  mr_library_call_destroy(call);
}

static void fails(const char *target, const char *says) {
  fixture f = make_untyped(target, STATUS_RETURNING, false);
  mr_library_call *call = call_of(&f);
  float out[6];
  mr_status status = run_on(call, in, out, NULL);
  assert_int_equal(mr_status_code(status), MR_INTERNAL);
  assert_string_equal(mr_status_message(status), says);
  mr_status_free(status);
  mr_library_call_destroy(call);
}

// By the call's version; one that was a tuple has an array of its parts, also of a single one.
static void test_kinds(void **state) {
  (void)state;
  add("add_one", (void *)add_one);
  add("add_one_of_array", (void *)add_one_of_array);
  add("succeed", (void *)succeed);
  add("read_config", (void *)read_config);
  gives(make_untyped("add_one", ORIGINAL, false), 1);
  gives(make_untyped("succeed", STATUS_RETURNING, false), 1);
  gives(make_untyped("read_config", STATUS_RETURNING_UNIFIED, false), 3 + 1);
  fixture f = make_untyped("add_one_of_array", ORIGINAL, false);
  mr_attr mark = {.name = MR_STR(MR_CALL_GAVE_TUPLE), .kind = MR_ATTR_UNIT};
  mr_attr dict = {.kind = MR_ATTR_DICT, .items = &mark, .count = 1};
  f.op->extra = &dict;
  gives(f, 1);
}

// Operands and results in the order of dimensions that the call says: what the function does is the same there, element by element.
static void test_layouts(void **state) {
  (void)state;
  fixture f = make_untyped("add_one", ORIGINAL, true);
  mr_library_call *call;
  assert_null(mr_pjrt_ffi_make_call(f.op, &call));
  assert_true(call->scratch_bytes >= 2 * sizeof in);
  mr_library_call_destroy(call);
  gives(f, 1);
}

static void test_failures(void **state) {
  (void)state;
  add("short", (void *)fail_shortly);
  add("long", (void *)fail_at_length);
  add("other", (void *)fail_as_another_library);
  fails("short", "custom call short: too few");
  fails("long", "custom call long: what is wrong takes more than sixteen letters to say");
  fails("other", "custom call other failed");
}

static void nothing_for(fixture f) {
  mr_library_call *call;
  assert_null(mr_pjrt_ffi_make_call(f.op, &call));
  assert_null(call);
  mr_module_release(f.module);
}

// The newest counts; typed calls of the name are another matter, and so are versions that nobody has heard of.
static void test_registration(void **state) {
  (void)state;
  add("again", (void *)fail_shortly);
  add("again", (void *)succeed);
  gives(make_untyped("again", STATUS_RETURNING, false), 1);
  nothing_for(make("again", false));
  nothing_for(make_untyped("again", 5, false));
  nothing_for(make_untyped("unknown", ORIGINAL, false));
}

static mr_status make_and_forget(void *context) {
  const fixture *f = context;
  mr_library_call *call = NULL;
  mr_status status = mr_pjrt_ffi_make_call(f->op, &call);
  mr_library_call_destroy(call);
  return status;
}

static void test_no_memory(void **state) {
  (void)state;
  fixture f = make_untyped("add_one", ORIGINAL, true);
  alloc_loop("an untyped call", make_and_forget, &f, 200000);
  alloc_loops_ended_well();
  mr_module_release(f.module);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_layouts),
                                     cmocka_unit_test(test_failures), cmocka_unit_test(test_registration),
                                     cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
