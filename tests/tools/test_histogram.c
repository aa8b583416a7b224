// Times counted by size: percentiles beside those of a sorted list.
#include "tests/cmocka.h"

#include <stdlib.h>

#include "tools/histogram.c"  // the tool is a program, not a library

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

// Each place holds what falls into it, and what it stands for is within a thousandth; neighbours are in order, up to the last.
static void test_places(void **state) {
  (void)state;
  for (uint32_t place = 0; place < PLACES; place++) {
    uint64_t value = value_of(place);
    assert_int_equal(place_of(value), place);
    assert_true(place == 0 || value > value_of(place - 1));
  }
  assert_int_equal(place_of(UINT64_MAX), PLACES - 1);
  for (uint64_t value = 1; value < UINT64_MAX / 3; value = value * 3 / 2 + 1) {
    uint64_t stands = value_of(place_of(value));
    assert_true((stands > value ? stands - value : value - stands) <= value / 1000);
  }
}

// Of numbers of all sizes, in halves that are merged: the least, the most, the mean as they are, percentiles as in the sorted list.
static void test_beside_a_sorted_list(void **state) {
  (void)state;
  enum { COUNT = 10007 };
  static uint64_t values[COUNT];
  histogram *all = histogram_create(), *half = histogram_create();
  assert_non_null(all);
  assert_non_null(half);
  uint64_t random = 1;
  double sum = 0;
  for (size_t i = 0; i < COUNT; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    values[i] = (random >> 20) >> (random & 31);
    sum += (double)values[i];
    histogram_add(i % 2 ? all : half, values[i]);
  }
  histogram_merge(all, half);
  qsort(values, COUNT, sizeof *values, compare);
  assert_int_equal(histogram_count(all), COUNT);
  assert_int_equal(histogram_min(all), values[0]);
  assert_int_equal(histogram_max(all), values[COUNT - 1]);
  assert_true(fabs(histogram_mean(all) - sum / COUNT) <= 1e-9 * sum);
  uint64_t before = 0;
  for (int tenths = 0; tenths <= 1000; tenths++) {
    uint64_t got = histogram_percentile(all, tenths / 10.0);
    size_t rank = (size_t)ceil(tenths / 1000.0 * COUNT);
    uint64_t wanted = values[rank ? rank - 1 : 0];
    assert_true((got > wanted ? got - wanted : wanted - got) <= wanted / 1000 + 1);
    assert_true(got >= before);
    before = got;
  }
  free(all);
  free(half);
}

// Nothing at all, one alone, and an empty one that is merged.
static void test_few(void **state) {
  (void)state;
  histogram *h = histogram_create(), *empty = histogram_create();
  assert_non_null(h);
  assert_non_null(empty);
  assert_int_equal(histogram_percentile(h, 99), 0);
  assert_int_equal(histogram_max(h), 0);
  assert_true(histogram_mean(h) == 0);
  histogram_add(h, 123456789);
  histogram_merge(h, empty);
  histogram_merge(empty, h);
  for (double percent = 0; percent <= 100; percent += 25) {
    assert_int_equal(histogram_percentile(h, percent), 123456789);
    assert_int_equal(histogram_percentile(empty, percent), 123456789);
  }
  free(h);
  free(empty);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_beside_a_sorted_list),
      cmocka_unit_test(test_few),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
