// Element types, sizes, hashes and settings.
#include "tests/cmocka.h"

#include <stdlib.h>
#include <string.h>

#include "core/core.h"

// Every type's spelling leads back to it.
static void test_dtype_names_round_trip(void **state) {
  (void)state;
  for (int i = MR_INVALID + 1; i < MR_DTYPE_COUNT; i++) {
    assert_int_equal(mr_dtype_from_name(mr_str_of(mr_dtype_name((mr_dtype)i))), i);
    if (i != MR_TOKEN) {
      assert_true(mr_dtype_bytes((mr_dtype)i) * 8 >= mr_dtype_bits((mr_dtype)i));
    }
  }
  assert_int_equal(mr_dtype_from_name(MR_STR("f33")), MR_INVALID);
  assert_int_equal(mr_dtype_from_name(MR_STR("invalid")), MR_INVALID);
  assert_int_equal(mr_dtype_real(MR_C64), MR_F32);
  assert_int_equal(mr_dtype_real(MR_C128), MR_F64);
  assert_int_equal(mr_dtype_real(MR_BF16), MR_BF16);
}

// Counts and byte sizes are exact or refused, never wrapped.
static void test_sizes_do_not_wrap(void **state) {
  (void)state;
  int64_t count = -1;
  assert_true(mr_dims_count(NULL, 0, &count));
  assert_int_equal(count, 1);
  const int64_t huge[] = {INT64_MAX, 2}, huge_but_empty[] = {INT64_MAX, INT64_MAX, 0}, negative[] = {0, -1};
  assert_false(mr_dims_count(huge, 2, &count));
  assert_true(mr_dims_count(huge_but_empty, 3, &count));
  assert_int_equal(count, 0);
  assert_false(mr_dims_count(negative, 2, &count));

  size_t bytes = 0;
  const int64_t dims[] = {3, 5}, one_too_wide[] = {INT64_MAX / 4 + 1};
  assert_null(mr_dims_bytes(MR_C64, dims, 2, &bytes));
  assert_int_equal(bytes, 120);
  mr_status status = mr_dims_bytes(MR_F32, one_too_wide, 1, &bytes);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_non_null(strstr(mr_status_message(status), "2305843009213693952xf32"));
  mr_status_free(status);
}

// A text of dims fits the buffer it is given, whatever the rank.
static void test_dims_text(void **state) {
  (void)state;
  char text[16];
  const int64_t dims[] = {2, 3};
  assert_string_equal(mr_dims_text(MR_F32, dims, 2, text, sizeof text), "2x3xf32");
  assert_string_equal(mr_dims_text(MR_PRED, NULL, 0, text, sizeof text), "i1");
  int64_t many[MR_MAX_RANK];
  for (size_t i = 0; i < MR_MAX_RANK; i++) {
    many[i] = 1000;
  }
  assert_true(strlen(mr_dims_text(MR_F32, many, MR_MAX_RANK, text, sizeof text)) < sizeof text);
}

// Neighbouring inputs of every length get different hashes.
static void test_hashes_differ(void **state) {
  (void)state;
  enum { LENGTHS = 40, FLIPS = 8 };
  unsigned char data[LENGTHS] = {0};
  uint64_t seen[LENGTHS * FLIPS];
  mr_hash128 seen_wide[LENGTHS * FLIPS];
  size_t count = 0;
  for (size_t length = 1; length < LENGTHS; length++) {
    for (size_t flip = 0; flip < FLIPS; flip++) {
      data[length - 1] = (unsigned char)(flip * 31);
      uint64_t hash = mr_hash64(data, length, 1);
      mr_hash128 wide = mr_hash128_of(data, length, (mr_hash128){0});
      for (size_t i = 0; i < count; i++) {
        assert_true(seen[i] != hash);
        assert_true(seen_wide[i].low != wide.low && seen_wide[i].high != wide.high);
      }
      seen[count] = hash;
      seen_wide[count++] = wide;
    }
    data[length - 1] = 0;
  }
  assert_true(mr_hash64("x", 1, 1) != mr_hash64("x", 1, 2));
  assert_int_equal(mr_hash64("x", 1, 1), mr_hash64("x", 1, 1));
}

// A setting is its default when unset, its value when good, and an error when not.
static void test_settings(void **state) {
  (void)state;
  int64_t value = 0;
  unsetenv("MILLRACE_TEST_SETTING");
  assert_null(mr_env_int("TEST_SETTING", 7, 0, 10, &value));
  assert_int_equal(value, 7);
  setenv("MILLRACE_TEST_SETTING", "9", 1);
  assert_null(mr_env_int("TEST_SETTING", 7, 0, 10, &value));
  assert_int_equal(value, 9);
  const char *const wrong[] = {"11", "-1", "3x", "99999999999999999999"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(wrong); i++) {
    setenv("MILLRACE_TEST_SETTING", wrong[i], 1);
    mr_status status = mr_env_int("TEST_SETTING", 7, 0, 10, &value);
    assert_non_null(status);
    mr_status_free(status);
    assert_int_equal(value, 7);
  }
}

// Time does not run backwards.
static void test_time(void **state) {
  (void)state;
  uint64_t before = mr_now_ns();
  assert_true(mr_now_ns() >= before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dtype_names_round_trip),
      cmocka_unit_test(test_sizes_do_not_wrap),
      cmocka_unit_test(test_dims_text),
      cmocka_unit_test(test_hashes_differ),
      cmocka_unit_test(test_settings),
      cmocka_unit_test(test_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
