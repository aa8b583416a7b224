// Prometheus' text, read by a strict reader of the format.
#include <stdlib.h>

#include "serve/metrics/metrics.h"
#include "tests/serve/check.h"

static bool is_text(const sv_text *out, const char *wanted) {
  if (!sv_str_is(sv_text_str(out), wanted)) {
    printf("got:\n%.*s\nwanted:\n%s\n", SV_FMT(sv_text_str(out)), wanted);
    return false;
  }
  return true;
}

// Help, type and samples come as the format has them.
static void test_counter(void **state) {
  (void)state;
  sv_text out = {0};
  sv_metric_begin(&out, "a_total", "counter", "How many\nlines \\ there are");
  sv_label labels[] = {{"model", SV_STR("mlp")}, {"version", SV_STR("1")}};
  sv_metric_count(&out, "a_total", labels, 2, UINT64_MAX);
  sv_metric_count(&out, "a_total", NULL, 0, 0);
  assert_true(is_text(&out, "# HELP a_total How many\\nlines \\\\ there are\n# TYPE a_total counter\n"
                            "a_total{model=\"mlp\",version=\"1\"} 18446744073709551615\na_total 0\n"));
  sv_text_free(&out);
}

// Quotes, backslashes and newlines of a label's value are escaped, and what is no text is not let through.
static void test_escapes(void **state) {
  (void)state;
  sv_text out = {0};
  sv_label labels[] = {{"a", SV_STR("x\"y\\z\nw")}, {"b", SV_STR("\xff")}};
  sv_metric_sample(&out, "g", labels, 2, 0.25);
  assert_true(is_text(&out, "g{a=\"x\\\"y\\\\z\\nw\",b=\"(not UTF-8)\"} 0.25\n"));
  sv_text_free(&out);
}

static void test_numbers(void **state) {
  (void)state;
  const double values[] = {0, -1.5, 1e300, 0.1, 1.0 / 3, __builtin_inf(), -__builtin_inf(), __builtin_nan("")};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    sv_text out = {0};
    sv_metric_sample(&out, "g", NULL, 0, values[i]);
    sv_text_putc(&out, 0);
    assert_memory_equal(out.data, "g ", 2);
    char *end;
    double back = strtod(out.data + 2, &end);
    assert_true(back == values[i] || (back != back && values[i] != values[i]));
    assert_string_equal(end, "\n");
    sv_text_free(&out);
  }
}

// Buckets cumulate, the last one is +Inf and has as many as _count says.
static void test_histogram(void **state) {
  (void)state;
  sv_text out = {0};
  const double bounds[] = {0.5, 1};
  const uint64_t counts[] = {3, 0, 4};
  sv_label label = {"m", SV_STR("x")};
  sv_metric_histogram(&out, "h", &label, 1, bounds, 2, counts, 12.5);
  assert_true(is_text(&out,
                      "h_bucket{m=\"x\",le=\"0.5\"} 3\nh_bucket{m=\"x\",le=\"1\"} 3\nh_bucket{m=\"x\",le=\"+Inf\"} 7\n"
                      "h_sum{m=\"x\"} 12.5\nh_count{m=\"x\"} 7\n"));
  sv_text_clear(&out);
  sv_metric_histogram(&out, "h", NULL, 0, bounds, 0, counts, 1);
  assert_true(is_text(&out, "h_bucket{le=\"+Inf\"} 3\nh_sum 1\nh_count 3\n"));
  sv_text_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counter),
      cmocka_unit_test(test_escapes),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_histogram),
  };
  return check_run(tests);
}
