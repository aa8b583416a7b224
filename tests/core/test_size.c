// Sums and products of sizes that do not fit.
#include "core/size.h"

#include <string.h>

#include "tests/cmocka.h"

// What fits is exact, up to the last size that there is.
static void test_what_fits(void **state) {
  (void)state;
  assert_true(mr_size_add(3, 4) == 7 && mr_size_add(SIZE_MAX - 4, 3) == SIZE_MAX - 1);
  assert_true(mr_size_mul(3, 4) == 12 && mr_size_mul(0, SIZE_MAX - 1) == 0);
  assert_true(mr_size_mul((size_t)1 << 32, ((size_t)1 << 32) - 1) == SIZE_MAX - ((size_t)1 << 32) + 1);
  assert_true(mr_size_round(0, 64) == 0 && mr_size_round(1, 64) == 64 && mr_size_round(64, 64) == 64);
  assert_true(mr_size_round(SIZE_MAX - 127, 64) == SIZE_MAX - 127);
  assert_true(mr_size_parts(0, 7) == 0 && mr_size_parts(7, 7) == 1 && mr_size_parts(8, 7) == 2);
  assert_true(mr_size_parts(SIZE_MAX, 2) == SIZE_MAX / 2 + 1);
  assert_null(mr_size_check(SIZE_MAX - 1, "they"));
}

// What does not is too large, and stays so.
static void test_what_does_not(void **state) {
  (void)state;
  assert_true(mr_size_add(SIZE_MAX, 1) == MR_SIZE_TOO_LARGE &&
              mr_size_add((size_t)1 << 63, (size_t)1 << 63) == SIZE_MAX);
  assert_true(mr_size_mul((size_t)1 << 32, (size_t)1 << 32) == MR_SIZE_TOO_LARGE);
  assert_true(mr_size_round(SIZE_MAX - 63, 64) == MR_SIZE_TOO_LARGE);
  assert_true(mr_size_round(mr_size_add(mr_size_mul(SIZE_MAX, 2), 64), 64) == MR_SIZE_TOO_LARGE);
  mr_status status = mr_size_check(mr_size_add(SIZE_MAX, 8), "the arguments");
  assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
  assert_non_null(strstr(mr_status_message(status), "the arguments"));
  mr_status_free(status);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_fits),
      cmocka_unit_test(test_what_does_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
