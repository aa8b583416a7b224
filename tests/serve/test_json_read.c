// The cursor over JSON: what is read, and what is refused with which words.
#include <math.h>
#include <stdlib.h>

#include "serve/json/json.h"
#include "tests/serve/check.h"

// An object is read member by member, in order, with white space anywhere; unknown values are skipped.
static void test_objects_and_arrays(void **state) {
  (void)state;
  sv_text scratch = {0};
  sv_json json;
  sv_json_begin(
      &json,
      SV_STR(" {\"a\" : [1 , -2,3 ] ,\r\n\t\"b\":{\"deep\":[[],{},\"x\\\"]\"]},\"c\":true,\"d\":null,\"e\":{}} "),
      &scratch);
  check_ok(sv_json_object(&json));
  bool more;
  sv_str name, text;
  check_ok(sv_json_member(&json, &more, &name));
  assert_true(more && sv_str_is(name, "a"));
  check_ok(sv_json_array(&json));
  static const int64_t wanted[] = {1, -2, 3};
  for (int i = 0; i < 3; i++) {
    int64_t value;
    check_ok(sv_json_element(&json, &more));
    assert_true(more);
    check_ok(sv_json_int(&json, &value));
    assert_int_equal(value, wanted[i]);
  }
  check_ok(sv_json_element(&json, &more));
  assert_false(more);
  check_ok(sv_json_member(&json, &more, &name));
  assert_true(more && sv_str_is(name, "b"));
  check_ok(sv_json_skip(&json, &text));
  assert_true(sv_str_is(text, "{\"deep\":[[],{},\"x\\\"]\"]}"));
  check_ok(sv_json_member(&json, &more, &name));
  bool value = false;
  check_ok(sv_json_bool(&json, &value));
  assert_true(value);
  check_ok(sv_json_member(&json, &more, &name));
  check_ok(sv_json_null(&json));
  check_ok(sv_json_member(&json, &more, &name));
  check_ok(sv_json_object(&json));
  check_ok(sv_json_member(&json, &more, &name));
  assert_false(more);
  check_ok(sv_json_member(&json, &more, &name));
  assert_false(more);
  check_ok(sv_json_end(&json));
  assert_int_equal(json.depth, 0);
  sv_text_free(&scratch);
}

// Texts without escapes lie in the document; those with escapes are decoded, and none moves when a later one is read.
static void test_strings(void **state) {
  (void)state;
  sv_text scratch = {0}, document = {0};
  sv_text_puts(&document, "[\"plain\",\"\\u0041\\n\\\"\\\\\\/\\b\\f\\r\\t\",\"\\u00e9\\u20ac\\uD83D\\uDE00\",\"\"");
  for (int i = 0; i < 1000; i++) {
    sv_text_addf(&document, ",\"\\u0041%d\"", i);
  }
  sv_text_putc(&document, ']');
  sv_json json;
  sv_json_begin(&json, sv_text_str(&document), &scratch);
  check_ok(sv_json_array(&json));
  sv_str texts[1004];
  bool more;
  for (int i = 0; i < 1004; i++) {
    check_ok(sv_json_element(&json, &more));
    check_ok(sv_json_string(&json, &texts[i]));
  }
  check_ok(sv_json_element(&json, &more));
  assert_false(more);
  assert_ptr_equal(texts[0].data, document.data + 2);
  assert_true(sv_str_is(texts[0], "plain"));
  assert_true(sv_str_is(texts[1], "A\n\"\\/\b\f\r\t"));
  assert_true(sv_str_is(texts[2], "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
  assert_int_equal(texts[3].size, 0);
  for (int i = 0; i < 1000; i++) {
    char wanted[16];
    snprintf(wanted, sizeof wanted, "A%d", i);
    assert_true(sv_str_is(texts[4 + i], wanted));
  }
  sv_text_free(&document);
  sv_text_free(&scratch);
}

static sv_error *skip_all(const char *text, size_t size) {
  char *copy = malloc(size + 1);  // exact, for the address sanitizer
  memcpy(copy, text, size);
  char *exact = realloc(copy, size ? size : 1);
  sv_json json;
  sv_json_begin(&json, (sv_str){exact, size}, NULL);
  sv_error *error = sv_json_skip(&json, NULL);
  error = error ? error : sv_json_end(&json);
  free(exact);
  return error;
}

static const struct {
  const char *text, *words;
} refused_cases[] = {
    {"", "ends at byte 0 where a value"},
    {"  ", "ends at byte 2"},
    {"{", "ends at byte 1"},
    {"[", "ends at byte 1"},
    {"[1", "ends at byte 2 where ',' or ']'"},
    {"[1,", "ends at byte 3"},
    {"[1,]", "byte 3: wanted a value, got ']'"},
    {"[,1]", "byte 1: wanted a value, got ','"},
    {"[1 2]", "byte 3: wanted ',' or ']', got '2'"},
    {"[1}", "byte 2"},
    {"{\"a\":1]", "byte 6"},
    {"{\"a\":1,}", "byte 7: wanted a member's name in quotes"},
    {"{,}", "byte 1: wanted a member's name"},
    {"{\"a\"}", "byte 4: wanted ':'"},
    {"{\"a\":}", "byte 5: wanted a value"},
    {"{a:1}", "byte 1: wanted a member's name"},
    {"{'a':1}", "wanted a member's name"},
    {"1 1", "byte 2: wanted the end"},
    {"// comment", "wanted a value"},
    {"tru", "true or false"},
    {"nulL", "null"},
    {"True", "a value"},
    {"01", "byte 1: wanted a digit"},
    {"-", "ends at byte 1"},
    {"+1", "a value"},
    {".5", "a value"},
    {"1.", "ends at byte 2 where a digit"},
    {"1.e5", "byte 2: wanted a digit"},
    {"1e", "wanted"},
    {"1e+", "wanted"},
    {"0x10", "byte 1: wanted the end"},
    {"-NaN", "wanted a digit"},
    {"Infinit", "wanted a value"},
    {"nan", "wanted null"},
    {"\"", "ends at byte 1 where the end of a text"},
    {"\"\\", "escape"},
    {"\"\\x\"", "byte 2: wanted an escape"},
    {"\"\\u12", "four hexadecimal"},
    {"\"\\u12g4\"", "four hexadecimal"},
    {"\"\\ud800\"", "surrogate"},
    {"\"\\udc00\"", "surrogate"},
    {"\"\\ud800\\u0041\"", "surrogate"},
    {"\"\\ud800\\ud800\"", "surrogate"},
    {"\"a\nb\"", "byte 2: wanted no control character"},
    {"\"\x80\"", "not UTF-8"},
    {"\"\xc0\xaf\"", "not UTF-8"},
    {"\"\xed\xa0\x80\"", "not UTF-8"},
    {"\xef\xbb\xbf{}", "got the byte 0xef"},
};

// What is not JSON is refused, at the byte where it goes wrong.
static void test_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof refused_cases / sizeof refused_cases[0]; i++) {
    sv_error *error = skip_all(refused_cases[i].text, strlen(refused_cases[i].text));
    if (!error) {
      printf("accepted: %s\n", refused_cases[i].text);
    }
    check_fails(error, MILLRACE_INVALID_ARGUMENT, refused_cases[i].words);
  }
  check_fails(skip_all("\"a\0b\"", 5), MILLRACE_INVALID_ARGUMENT, "control character");
}

// A hundred brackets are read and a hundred and one are not, however long the text is.
static void test_depth(void **state) {
  (void)state;
  enum { MANY = 1000000 };
  char *text = malloc(MANY);
  memset(text, '[', MANY);
  check_fails(skip_all(text, MANY), MILLRACE_INVALID_ARGUMENT, "nested more than 100 deep");
  memset(text + 100, ']', 100);
  check_ok(skip_all(text, 200));
  memset(text, '[', 101);
  memset(text + 101, ']', 101);
  check_fails(skip_all(text, 202), MILLRACE_INVALID_ARGUMENT, "byte 100");
  for (int i = 0; i < MANY / 5; i++) {
    memcpy(text + i * 5, "{\"a\":", 5);
  }
  check_fails(skip_all(text, MANY), MILLRACE_INVALID_ARGUMENT, "nested more than 100 deep");
  sv_json json;
  float value;
  memset(text, '[', MANY);
  sv_json_begin(&json, (sv_str){text, MANY}, NULL);
  check_fails(sv_json_tensor(&json, MILLRACE_F32, 1, &value), MILLRACE_INVALID_ARGUMENT, "nested more than 100 deep");
  free(text);
}

static sv_error *read_int(const char *text, int64_t *out_value) {
  sv_json json;
  sv_json_begin(&json, sv_str_of(text), NULL);
  return sv_json_int(&json, out_value);
}

static sv_error *read_uint(const char *text, uint64_t *out_value) {
  sv_json json;
  sv_json_begin(&json, sv_str_of(text), NULL);
  return sv_json_uint(&json, out_value);
}

// Whole numbers reach from the least to the largest, and no further.
static void test_whole_numbers(void **state) {
  (void)state;
  int64_t value;
  uint64_t positive;
  check_ok(read_int("-9223372036854775808", &value));
  assert_true(value == INT64_MIN);
  check_ok(read_int("9223372036854775807", &value));
  assert_true(value == INT64_MAX);
  check_ok(read_int("-0", &value));
  assert_true(value == 0);
  check_ok(read_uint("18446744073709551615", &positive));
  assert_true(positive == UINT64_MAX);
  check_ok(read_uint("-0", &positive));
  check_fails(read_int("9223372036854775808", &value), MILLRACE_INVALID_ARGUMENT, "got 9223372036854775808");
  check_fails(read_int("-9223372036854775809", &value), MILLRACE_INVALID_ARGUMENT, "64 bits");
  check_fails(read_int("1.0", &value), MILLRACE_INVALID_ARGUMENT, "got 1.0");
  check_fails(read_int("1e2", &value), MILLRACE_INVALID_ARGUMENT, "whole number");
  check_fails(read_int("NaN", &value), MILLRACE_INVALID_ARGUMENT, "whole number");
  check_fails(read_int("\"1\"", &value), MILLRACE_INVALID_ARGUMENT, "wanted a whole number, got '\"'");
  check_fails(read_uint("-1", &positive), MILLRACE_INVALID_ARGUMENT, "not negative");
  check_fails(read_uint("18446744073709551616", &positive), MILLRACE_INVALID_ARGUMENT, "64 bits");
  check_fails(read_uint("100000000000000000000000000000000000000000000000000000", &positive), MILLRACE_INVALID_ARGUMENT,
              "...");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_objects_and_arrays),
      cmocka_unit_test(test_strings),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_whole_numbers),
  };
  return check_run(tests);
}
