// Classification: the largest of each row, as texts with lengths in front.
#include <math.h>
#include <stdlib.h>

#include "serve/service/service.h"
#include "tests/serve/check.h"

static char *labels[] = {"ant", "bee", "", "dog"};
static const sv_port port = {.name = "y", .labels = labels, .num_labels = 4};

// The texts, with a bar behind each.
static char *classify(const sv_tensor *tensor, bool batched, uint32_t count, int64_t dims[2], uint32_t *rank) {
  sv_text out = {0}, joined = {0};
  check_ok(sv_classify(&port, tensor, batched, count, &out, dims, rank));
  for (size_t at = 0; at < out.size;) {
    const unsigned char *head = (const unsigned char *)out.data + at;
    size_t length = head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
    assert_true(at + 4 + length <= out.size);
    sv_text_add(&joined, out.data + at + 4, length);
    sv_text_putc(&joined, '|');
    at += 4 + length;
  }
  sv_text_putc(&joined, 0);
  sv_text_free(&out);
  return joined.data;
}

static void check_texts(const sv_tensor *tensor, bool batched, uint32_t count, const char *wanted, uint32_t wanted_rank,
                        int64_t first, int64_t second) {
  int64_t dims[2] = {-1, -1};
  uint32_t rank;
  char *got = classify(tensor, batched, count, dims, &rank);
  assert_string_equal(got, wanted);
  assert_int_equal(rank, wanted_rank);
  assert_int_equal(dims[0], first);
  assert_int_equal(dims[1], second);
  free(got);
}

static void test_rows(void **state) {
  (void)state;
  static const float values[] = {0.25f, 0.5f, 0.5f, -1, 0, 3, 0, 0, 9, 0};
  sv_tensor tensor = {.dtype = MILLRACE_F32, .rank = 2, .dims = {2, 5}, .data = values, .bytes = sizeof values};
  // Ties by the lower index; no label where it is empty or there is none.
  check_texts(&tensor, true, 3,
              "0.500000:1:bee|0.500000:2|0.250000:0:ant|9.000000:3:dog|3.000000:0:ant|0.000000:1:bee|", 2, 2, 3);
  check_texts(
      &tensor, true, 1000,
      "0.500000:1:bee|0.500000:2|0.250000:0:ant|0.000000:4|-1.000000:3:dog|9.000000:3:dog|3.000000:0:ant|0.000000:"
      "1:bee|0.000000:2|0.000000:4|",
      2, 2, 5);
  check_texts(&tensor, false, 1, "9.000000:8|", 1, 1, -1);
  // What is behind the batch is one row.
  tensor.rank = 3;
  tensor.dims[0] = 1;
  tensor.dims[1] = 2;
  tensor.dims[2] = 5;
  check_texts(&tensor, true, 1, "9.000000:8|", 2, 1, 1);
}

static void test_types(void **state) {
  (void)state;
  static const struct {
    millrace_dtype dtype;
    size_t bytes;
    const char *values, *wanted;
  } cases[] = {
      {MILLRACE_PRED, 2, "\0\1", "1.000000:1:bee|"},
      {MILLRACE_S8, 2, "\xff\xfe", "-1.000000:0:ant|"},
      {MILLRACE_U8, 2, "\xff\xfe", "255.000000:0:ant|"},
      {MILLRACE_S16, 4, "\0\x80\xff\xff", "-1.000000:1:bee|"},
      {MILLRACE_U16, 4, "\0\x80\1\0", "32768.000000:0:ant|"},
      {MILLRACE_S32, 8, "\0\0\0\x80\5\0\0\0", "5.000000:1:bee|"},
      {MILLRACE_U32, 8, "\0\0\0\x80\5\0\0\0", "2147483648.000000:0:ant|"},
      {MILLRACE_S64, 16, "\0\0\0\0\0\0\0\x80\5\0\0\0\0\0\0\0", "5.000000:1:bee|"},
      {MILLRACE_U64, 16, "\0\0\0\0\0\0\0\x80\5\0\0\0\0\0\0\0", "9223372036854775808.000000:0:ant|"},
      {MILLRACE_F16, 4, "\x00\x3e\x00\xc0", "1.500000:0:ant|"},
      {MILLRACE_F16, 4, "\x00\xfc\x00\x02", "0.000031:1:bee|"},
      {MILLRACE_BF16, 4, "\xc0\x3f\x00\xc0", "1.500000:0:ant|"},
      {MILLRACE_F64, 16, "\0\0\0\0\0\0\xf8\x3f\0\0\0\0\0\0\0\0", "1.500000:0:ant|"},
      {MILLRACE_F32, 8, "\0\0\xc0\x7f\0\0\x80\xff", "-inf:1:bee|"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sv_tensor tensor = {
        .dtype = cases[i].dtype, .rank = 1, .dims = {2}, .data = cases[i].values, .bytes = cases[i].bytes};
    check_texts(&tensor, false, 1, cases[i].wanted, 1, 1, -1);
  }
}

// Against sorting all of it: many elements, few of them different, and NaN last.
static void test_many(void **state) {
  (void)state;
  enum { MANY = 500 };
  float values[MANY];
  uint32_t bits = 7;
  for (int i = 0; i < MANY; i++) {
    bits = bits * 1664525 + 1013904223;
    values[i] = i % 50 == 3 ? NAN : (float)(bits >> 28);
  }
  sv_tensor tensor = {.dtype = MILLRACE_F32, .rank = 1, .dims = {MANY}, .data = values, .bytes = sizeof values};
  for (uint32_t count = 1; count <= MANY; count += 37) {
    int64_t dims[2];
    uint32_t rank;
    char *got = classify(&tensor, false, count, dims, &rank), *at = got;
    double before = INFINITY;
    long index_before = -1;
    for (uint32_t i = 0; i < count; i++) {
      double value = strtod(at, &at);
      long index = strtol(at + 1, &at, 10);
      assert_true(isnan(value) ? isnan(values[index]) : value == (double)values[index]);
      if (!isnan(value)) {
        assert_true(value < before || (value == before && index > index_before));
        before = value;
        index_before = index;
      }
      at = strchr(at, '|') + 1;
    }
    assert_int_equal(*at, 0);
    free(got);
  }
}

static void test_nothing(void **state) {
  (void)state;
  sv_tensor tensor = {.dtype = MILLRACE_F32, .rank = 2, .dims = {0, 5}};
  check_texts(&tensor, true, 3, "", 2, 0, 0);
  tensor = (sv_tensor){.dtype = MILLRACE_C64, .rank = 1, .dims = {1}, .data = "12345678", .bytes = 8};
  sv_text out = {0};
  int64_t dims[2];
  uint32_t rank;
  check_fails(sv_classify(&port, &tensor, false, 1, &out, dims, &rank), MILLRACE_INVALID_ARGUMENT, "output 'y'");
  sv_text_free(&out);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_types),
                                     cmocka_unit_test(test_many), cmocka_unit_test(test_nothing)};
  return check_run(tests);
}
