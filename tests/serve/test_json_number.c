// Numbers between text and bits: correctly rounded, shortest, and the same in every locale.
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "serve/json/number.h"
#include "tests/serve/check.h"

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t any(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

static double read_double(const char *text, bool *out_in_range) {
  sv_number number;
  const char *wrong, *end = text + strlen(text);
  double value = 0;
  assert_ptr_equal(sv_number_scan(text, end, &number, &wrong), end);
  *out_in_range = sv_number_double(&number, &value);
  return value;
}

static float read_float(const char *text, bool *out_in_range) {
  sv_number number;
  const char *wrong, *end = text + strlen(text);
  float value = 0;
  assert_ptr_equal(sv_number_scan(text, end, &number, &wrong), end);
  *out_in_range = sv_number_float(&number, &value);
  return value;
}

// Both types as the C library reads them, bit by bit.
static void check_read(const char *text) {
  bool in_range;
  double value = read_double(text, &in_range), wanted = strtod(text, NULL);
  if (memcmp(&value, &wanted, sizeof value) != 0) {
    fail_msg("%s was read as %a, not %a", text, value, wanted);
  }
  assert_int_equal(in_range, isfinite(wanted) != 0);
  float single = read_float(text, &in_range), wanted_single = strtof(text, NULL);
  if (memcmp(&single, &wanted_single, sizeof single) != 0) {
    fail_msg("%s was read as the float %a, not %a", text, (double)single, (double)wanted_single);
  }
  assert_int_equal(in_range, isfinite(wanted_single) != 0);
}

static const char *const reads_as_the_library_texts[] = {
    "0",
    "-0",
    "0.0",
    "-0.0e5",
    "1",
    "0.1",
    "1e22",
    "1e23",
    "9007199254740993",
    "9007199254740992.5",
    "9007199254740993.0000000000000000000000000000001",
    "16777217",
    "16777217.0000000000000001",
    "16777216.99999999",
    "3.4028235e38",
    "3.4028235677973366e38",
    "3.40282356779733642748e38",
    "3.5e38",
    "1e39",
    "-1e39",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "1e309",
    "1e400",
    "-1e400",
    "2.2250738585072014e-308",
    "2.2250738585072011e-308",
    "4.9406564584124654e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "1e-400",
    "1.17549435e-38",
    "1.1754943e-38",
    "1.4e-45",
    "0.7e-45",
    "7.1e-46",
    "1e-1000000000000000000000",
    "0e1000000000000000000000",
    "123456789012345678901234567890",
    "0.000000000000000000000000000000000000000000000000001234567890123456789012345678901234567890",
    "1.00000005960464477539062499999999999999999999999999999999",
    "1.000000059604644775390625",
    "1.00000005960464477539062500000000000000000000000000000001",
    "1.00000017881393432617187500",
    "6.631236846766476e-316",
    "9214843084008499",
    "0.500000000000000166533453693773481063544750213623046875",
    "30078505129381147446200",
    "3.518437208883201171875e13",
    "1e15",
    "1.5e15",
    "12345678.87654321e-3"};

static void test_reads_as_the_library(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof reads_as_the_library_texts / sizeof reads_as_the_library_texts[0]; i++) {
    check_read(reads_as_the_library_texts[i]);
  }
  bool in_range;
  read_double("1e1000000000000000000000", &in_range);
  assert_false(in_range);
  for (int i = 0; i < 200000; i++) {
    char text[64];
    uint64_t bits = any();
    double value;
    memcpy(&value, &bits, sizeof value);
    int digits = (int)(any() % 22) + 1;
    if (isfinite(value)) {
      snprintf(text, sizeof text, "%.*e", digits, value);
      check_read(text);
    }
    snprintf(text, sizeof text, "%.*f", digits % 12, (double)(int64_t)any() / 1e16);
    check_read(text);
    snprintf(text, sizeof text, "%.*e", digits, ldexp((double)(int64_t)any(), (int)(any() % 300) - 210));
    check_read(text);
  }
}

// Half-way between two floats, and a little beside: where rounding twice goes wrong.
static void test_floats_are_rounded_once(void **state) {
  (void)state;
  for (int i = 0; i < 50000; i++) {
    uint32_t bits = (uint32_t)any() & 0x7fffffff;
    float value;
    memcpy(&value, &bits, sizeof value);
    float next = nextafterf(value, INFINITY);
    if (!isfinite(next)) {
      continue;
    }
    char text[300];
    double middle = ((double)value + (double)next) / 2;
    int size = snprintf(text, sizeof text, "%.200e", middle);
    check_read(text);
    snprintf(text, sizeof text, "%.17e", middle);
    check_read(text);
    snprintf(text, sizeof text, "%.200e", middle);
    char *exponent = memchr(text, 'e', (size_t)size);
    exponent[-1] = '1';
    check_read(text);
  }
}

// A number of a megabyte is decided by its digits, as any other.
static void test_long_numbers(void **state) {
  (void)state;
  enum { MANY = 1000000 };
  char *text = malloc(MANY + 64);
  text[0] = '1';
  memset(text + 1, '0', MANY);
  snprintf(text + MANY + 1, 32, "e-%d", MANY);
  bool in_range;
  assert_true(read_double(text, &in_range) == 1);
  memcpy(text, "0.", 2);
  memset(text + 2, '0', MANY);
  snprintf(text + MANY + 2, 32, "25e%d", MANY);
  assert_true(read_double(text, &in_range) == 0.25);
  assert_true(read_float(text, &in_range) == 0.25f);
  // A tie that one last digit breaks.
  snprintf(text, 64, "9007199254740993.");
  memset(text + 17, '0', MANY);
  snprintf(text + 17 + MANY, 2, "0");
  assert_true(read_double(text, &in_range) == 9007199254740992.0);
  text[16 + MANY] = '1';
  assert_true(read_double(text, &in_range) == 9007199254740994.0);
  free(text);
}

// How many digits there are between the first and the last that are not 0.
static int significant(const char *text) {
  int written = 0, zeros = 0;
  for (; *text && *text != 'e'; text++) {
    if (*text >= '0' && *text <= '9' && (written || *text != '0')) {
      written++;
      zeros = *text == '0' ? zeros + 1 : 0;
    }
  }
  return written - zeros;
}

// The library's shortest text of the value, `trial`, is the nearest of its length. Ours must be as short, and then the same number; or shorter, at
// powers of two, where the nearest text of some length does not read back and another does.
static void check_shortest(const char *text, const char *trial, int digits) {
  char again[64];
  snprintf(again, sizeof again, "%.*e", digits - 1, strtod(text, NULL));
  if (significant(text) > significant(trial) ||
      (significant(text) == significant(trial) && strcmp(again, trial) != 0)) {
    fail_msg("wrote %s, not %s", text, trial);
  }
}

static void check_written_double(double value) {
  char text[SV_NUMBER_ROOM + 1], trial[64];
  char *end = sv_number_put_double(text, value);
  assert_true(end <= text + SV_NUMBER_ROOM);
  *end = 0;
  double back = strtod(text, NULL);
  assert_memory_equal(&back, &value, sizeof back);
  int digits = 0;
  do {
    snprintf(trial, sizeof trial, "%.*e", digits++, value);
  } while (strtod(trial, NULL) != value);
  check_shortest(text, trial, digits);
}

static void check_written_float(float value) {
  char text[SV_NUMBER_ROOM + 1], trial[64];
  char *end = sv_number_put_float(text, value);
  assert_true(end <= text + SV_NUMBER_ROOM);
  *end = 0;
  float back = strtof(text, NULL);
  assert_memory_equal(&back, &value, sizeof back);
  int digits = 0;
  do {
    snprintf(trial, sizeof trial, "%.*e", digits++, (double)value);
  } while (strtof(trial, NULL) != value);
  check_shortest(text, trial, digits);
}

static void test_writes_the_shortest(void **state) {
  (void)state;
  static const double doubles[] = {1,
                                   0.1,
                                   0.3,
                                   1e21,
                                   1e22,
                                   1e23,
                                   5e-324,
                                   2.2250738585072014e-308,
                                   1.0e17,
                                   123456.,
                                   1.5e300,
                                   1.7976931348623157e308,
                                   9007199254740993.,
                                   1e-5,
                                   0.0001,
                                   2e-44};
  for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++) {
    check_written_double(doubles[i]);
    check_written_double(-doubles[i]);
  }
  for (int two = -1074; two < 1024; two++) {
    check_written_double(ldexp(1, two));
    check_written_double(nextafter(ldexp(1, two), INFINITY));
  }
  for (int two = -149; two < 128; two++) {
    check_written_float(ldexpf(1, two));
    check_written_float(nextafterf(ldexpf(1, two), 0));
  }
  for (int i = 0; i < 100000; i++) {
    uint64_t bits = any();
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value)) {
      check_written_double(value);
    }
    float single;
    memcpy(&single, &bits, sizeof single);
    if (isfinite(single)) {
      check_written_float(single);
    }
    check_written_float((float)(int64_t)any() / 9e18f);
    check_written_double((double)(any() % 1000000) / 1000);
  }
}

static void check_text(double value, const char *wanted) {
  char text[SV_NUMBER_ROOM + 1];
  *sv_number_put_double(text, value) = 0;
  assert_string_equal(text, wanted);
}

static void test_how_numbers_look(void **state) {
  (void)state;
  check_text(0, "0.0");
  check_text(-0.0, "-0.0");
  check_text(1, "1.0");
  check_text(-2.5, "-2.5");
  check_text(0.0001, "0.0001");
  check_text(0.00001, "1e-5");
  check_text(0.000012345, "1.2345e-5");
  check_text(1e16, "10000000000000000.0");
  check_text(1e17, "1e17");
  check_text(1.25e300, "1.25e300");
  check_text(123456.789, "123456.789");
  check_text((double)NAN, "NaN");
  check_text(-(double)NAN, "NaN");
  check_text(INFINITY, "Infinity");
  check_text(-INFINITY, "-Infinity");
  char text[SV_NUMBER_ROOM + 1];
  *sv_number_put_float(text, 0.1f) = 0;
  assert_string_equal(text, "0.1");
  *sv_number_put_float(text, -0.39336157f) = 0;
  assert_string_equal(text, "-0.39336157");
  *sv_number_put_int(text, INT64_MIN) = 0;
  assert_string_equal(text, "-9223372036854775808");
  *sv_number_put_uint(text, UINT64_MAX) = 0;
  assert_string_equal(text, "18446744073709551615");
}

// The table against powers multiplied out, digit by digit of 2^32.
static void test_powers(void **state) {
  (void)state;
  enum { WORDS = 40 };
  // 10^k for k from 0: whole numbers; the top 128 bits, rounded up.
  static uint32_t power[WORDS];
  power[0] = 1;
  for (int k = 0; k <= SV_POWER_MOST; k++) {
    int top = WORDS - 1;
    while (!power[top]) {
      top--;
    }
    int bits = 32 * top + 32 - __builtin_clz(power[top]);
    assert_int_equal(bits - 1, sv_power_exponent(k));
    uint64_t high = 0, low = 0;
    for (int i = 0; i < 128; i++) {
      int bit = bits - 1 - i;
      uint64_t one = bit >= 0 ? power[bit / 32] >> (bit % 32) & 1 : 0;
      high = high << 1 | low >> 63;
      low = low << 1 | one;
    }
    bool more = false;
    for (int bit = 0; bit < bits - 128; bit++) {
      more |= power[bit / 32] >> (bit % 32) & 1;
    }
    low += more;
    high += more && !low;
    assert_true(high == sv_power_of(k).high && low == sv_power_of(k).low);
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; i++) {
      carry += (uint64_t)power[i] * 10;
      power[i] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  // 10^-k times 10^k is 1, and a little more: by less than 2^-126.
  for (int k = 1; k <= SV_POWER_MOST; k++) {
    sv_power a = sv_power_of(-k), b = sv_power_of(k);
    unsigned __int128 product = (unsigned __int128)a.high * b.high;
    product += ((unsigned __int128)a.high * b.low) >> 64;
    product += ((unsigned __int128)a.low * b.high) >> 64;
    // What was dropped is below 3 of 2^128.
    int shift = sv_power_exponent(k) + sv_power_exponent(-k);
    unsigned __int128 one = (unsigned __int128)1 << (126 - shift);
    unsigned __int128 distance = product > one ? product - one : one - product;
    assert_true(shift == -1 && distance < 5);
  }
}

static void test_no_locale(void **state) {
  (void)state;
  if (setlocale(LC_ALL, "de_DE.UTF-8")) {
    bool in_range;
    assert_true(read_double("0.1000000000000000055511151231257827021181583404541015625", &in_range) == 0.1);
    assert_true(read_double("2.5e-320", &in_range) == 2.5e-320);
    setlocale(LC_ALL, "C");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reads_as_the_library),
      cmocka_unit_test(test_floats_are_rounded_once),
      cmocka_unit_test(test_long_numbers),
      cmocka_unit_test(test_writes_the_shortest),
      cmocka_unit_test(test_how_numbers_look),
      cmocka_unit_test(test_powers),
      cmocka_unit_test(test_no_locale),
  };
  return check_run(tests);
}
