// Elements of tensors between JSON and memory.
#include <math.h>
#include <stdlib.h>

#include "serve/json/json.h"
#include "tests/serve/check.h"

static sv_error *read_tensor(const char *text, millrace_dtype dtype, size_t count, void *to) {
  size_t size = strlen(text);
  char *exact = malloc(size ? size : 1);
  memcpy(exact, text, size);
  sv_json json;
  sv_json_begin(&json, (sv_str){exact, size}, NULL);
  sv_error *error = sv_json_tensor(&json, dtype, count, to);
  error = error ? error : sv_json_end(&json);
  free(exact);
  return error;
}

// Flat, nested, and any mixture of depths are the same tensor.
static void test_nesting(void **state) {
  (void)state;
  static const char *const texts[] = {"[1,2,3,4]", "[[1,2],[3,4]]", " [ [ 1 , [2] ] , 3 , [ [[ 4 ]] ] ] ",
                                      "[[],1,[[]],2,3,4,[]]", "[[[[1],[2]],[[3],[4]]]]"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    float values[4] = {0};
    check_ok(read_tensor(texts[i], MILLRACE_F32, 4, values));
    assert_true(values[0] == 1 && values[1] == 2 && values[2] == 3 && values[3] == 4);
  }
  check_ok(read_tensor("[]", MILLRACE_F32, 0, NULL));
  check_ok(read_tensor("[[],[[]]]", MILLRACE_F32, 0, NULL));
}

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *words;
    millrace_dtype dtype;
  } cases[] = {
      {"[1]", "wanted 2 elements, got fewer", MILLRACE_F32},
      {"[]", "wanted 2 elements, got fewer", MILLRACE_F32},
      {"[1,2,3]", "byte 5: wanted 2 elements, got more", MILLRACE_F32},
      {"[1,2", "ends at byte 4", MILLRACE_F32},
      {"[1,", "ends at byte 3", MILLRACE_F32},
      {"[1,]", "byte 3: wanted a number, got ']'", MILLRACE_F32},
      {"[,1]", "byte 1: wanted a number, got ','", MILLRACE_F32},
      {"[1 2]", "byte 3: wanted ',' or ']', got '2'", MILLRACE_F32},
      {"[1,2}", "byte 4", MILLRACE_F32},
      {"[[1,2]", "ends at byte 6", MILLRACE_F32},
      {"[[1][2]]", "byte 4: wanted ',' or ']'", MILLRACE_F32},
      {"1", "wanted an array", MILLRACE_F32},
      {"", "ends at byte 0 where an array", MILLRACE_F32},
      {"null", "wanted an array", MILLRACE_F32},
      {"[\"1\",2]", "byte 1: wanted a number, got '\"'", MILLRACE_F32},
      {"[true,2]", "wanted a number", MILLRACE_F32},
      {"[null,2]", "wanted a number", MILLRACE_F32},
      {"[{},2]", "wanted a number, got '{'", MILLRACE_F32},
      {"[1e39,2]", "a number in FP32's range, got 1e39", MILLRACE_F32},
      {"[1e309,2]", "FP64", MILLRACE_F64},
      {"[1.5,2]", "a whole number in INT32's range, got 1.5", MILLRACE_S32},
      {"[1.0,2]", "whole number", MILLRACE_S32},
      {"[NaN,2]", "whole number", MILLRACE_S32},
      {"[2147483648,2]", "INT32's range, got 2147483648", MILLRACE_S32},
      {"[-129,2]", "INT8", MILLRACE_S8},
      {"[32768,2]", "INT16", MILLRACE_S16},
      {"[9223372036854775808,2]", "INT64", MILLRACE_S64},
      {"[-1,2]", "UINT8's range, got -1", MILLRACE_U8},
      {"[256,2]", "UINT8", MILLRACE_U8},
      {"[65536,2]", "UINT16", MILLRACE_U16},
      {"[4294967296,2]", "UINT32", MILLRACE_U32},
      {"[18446744073709551616,2]", "UINT64", MILLRACE_U64},
      {"[1,0]", "true or false, got '1'", MILLRACE_PRED},
      {"[1,2]", "type FP16 have no text in JSON: send them as binary data", MILLRACE_F16},
      {"[1,2]", "BF16", MILLRACE_BF16},
      {"[1,2]", "binary", MILLRACE_C64},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint64_t values[2];
    check_fails(read_tensor(cases[i].text, cases[i].dtype, 2, values), MILLRACE_INVALID_ARGUMENT, cases[i].words);
  }
}

// Each type: its least and largest element come back from their text as they were.
static void test_there_and_back(void **state) {
  (void)state;
#define CHECK(type, dtype, text, ...)                                  \
  do {                                                                 \
    type values[] = {__VA_ARGS__}, back[sizeof values / sizeof(type)]; \
    size_t count = sizeof values / sizeof(type);                       \
    sv_text out = {0};                                                 \
    assert_true(sv_json_put_tensor(&out, dtype, values, count));       \
    sv_text_putc(&out, 0);                                             \
    assert_string_equal(out.data, text);                               \
    check_ok(read_tensor(out.data, dtype, count, back));               \
    assert_memory_equal(back, values, sizeof values);                  \
    sv_text_free(&out);                                                \
  } while (0)
  CHECK(unsigned char, MILLRACE_PRED, "[true,false]", 1, 0);
  CHECK(int8_t, MILLRACE_S8, "[-128,0,127]", INT8_MIN, 0, INT8_MAX);
  CHECK(int16_t, MILLRACE_S16, "[-32768,32767]", INT16_MIN, INT16_MAX);
  CHECK(int32_t, MILLRACE_S32, "[-2147483648,2147483647]", INT32_MIN, INT32_MAX);
  CHECK(int64_t, MILLRACE_S64, "[-9223372036854775808,9223372036854775807]", INT64_MIN, INT64_MAX);
  CHECK(uint8_t, MILLRACE_U8, "[0,9,10,99,255]", 0, 9, 10, 99, 255);
  CHECK(uint16_t, MILLRACE_U16, "[65535]", 65535);
  CHECK(uint32_t, MILLRACE_U32, "[4294967295]", UINT32_MAX);
  CHECK(uint64_t, MILLRACE_U64, "[18446744073709551615]", UINT64_MAX);
  CHECK(float, MILLRACE_F32, "[1.0,2.5,-0.0,Infinity,-Infinity,1e-45,3.4028235e38]", 1, 2.5f, -0.0f, INFINITY,
        -INFINITY, 1e-45f, 3.4028235e38f);
  CHECK(double, MILLRACE_F64, "[0.1,-5e-324,1.7976931348623157e308]", 0.1, -5e-324, 1.7976931348623157e308);
  float back[2];
  check_ok(read_tensor("[NaN,-Infinity]", MILLRACE_F32, 2, back));
  assert_true(isnan(back[0]) && isinf(back[1]) && back[1] < 0);
  sv_text out = {0};
  assert_true(sv_json_put_tensor(&out, MILLRACE_F32, NULL, 0));
  assert_true(sv_str_is(sv_text_str(&out), "[]"));
  sv_text_clear(&out);
  assert_false(sv_json_put_tensor(&out, MILLRACE_F16, back, 2));
  assert_false(sv_json_put_tensor(&out, MILLRACE_BF16, back, 2));
  assert_int_equal(out.size, 0);
  sv_text_free(&out);
}

// Many elements, from memory that begins anywhere.
static void test_many(void **state) {
  (void)state;
  enum { MANY = 10000 };
  unsigned char *memory = malloc(MANY * 4 + 1);
  float *back = malloc(MANY * 4);
  uint32_t bits = 1;
  for (int i = 0; i < MANY; i++) {
    bits = bits * 1664525 + 1013904223;
    float value = (float)(int32_t)bits / 1e9f;
    memcpy(memory + 1 + i * 4, &value, 4);
  }
  sv_text out = {0};
  assert_true(sv_json_put_tensor(&out, MILLRACE_F32, memory + 1, MANY));
  sv_text_putc(&out, 0);
  check_ok(read_tensor(out.data, MILLRACE_F32, MANY, back));
  assert_memory_equal(back, memory + 1, MANY * 4);
  sv_text_free(&out);
  free(memory);
  free(back);
}

static void test_strings(void **state) {
  (void)state;
  sv_text out = {0};
  sv_json_put_string(&out, (sv_str){"a\"b\\c\n\x01\x7f\0/\xc3\xa9\xf0\x9f\x98\x80", 16});
  assert_true(sv_str_is(sv_text_str(&out), "\"a\\\"b\\\\c\\n\\u0001\x7f\\u0000/\xc3\xa9\xf0\x9f\x98\x80\""));
  sv_text_clear(&out);
  sv_json_put_string(&out, SV_STR("\xff|\xc3|\xed\xa0\x80|\xe2\x82"));
  const char *r = "\xef\xbf\xbd";
  char wanted[64];
  snprintf(wanted, sizeof wanted, "\"%s|%s|%s%s%s|%s%s\"", r, r, r, r, r, r, r);
  assert_true(sv_str_is(sv_text_str(&out), wanted));
  sv_text_clear(&out);
  sv_json_put_string(&out, (sv_str){NULL, 0});
  assert_true(sv_str_is(sv_text_str(&out), "\"\""));
  sv_text_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nesting), cmocka_unit_test(test_refused), cmocka_unit_test(test_there_and_back),
      cmocka_unit_test(test_many),    cmocka_unit_test(test_strings),
  };
  return check_run(tests);
}
