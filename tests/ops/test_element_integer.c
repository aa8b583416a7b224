// The integer element functions, against definitions written with 64-bit (128-bit) arithmetic: all pairs of i8 and u8,
// and pairs of awkward values for the wider types.
#include <stdbool.h>
#include <stdint.h>

#include "ops/element/element.h"
#include "tests/cmocka.h"

typedef __int128 wide;

static wide wrap(wide x, int width, bool sign) {
  unsigned __int128 mask = ((unsigned __int128)1 << width) - 1, bits = (unsigned __int128)x & mask;
  return sign && (bits >> (width - 1)) ? (wide)bits - ((wide)1 << width) : (wide)bits;
}

static wide divide(wide x, wide y, int width, bool sign) { return wrap(y == 0 ? -1 : x / y, width, sign); }

static wide modulo(wide x, wide y, int width, bool sign) { return wrap(y == 0 ? x : x % y, width, sign); }

static wide power(wide x, wide y, int width, bool sign) {
  if (y < 0) {
    return x == 1 ? 1 : x == -1 ? (y % 2 ? -1 : 1) : 0;
  }
  unsigned __int128 result = 1, base = (unsigned __int128)x;
  for (; y; y /= 2, base *= base) {
    result *= y % 2 ? base : 1;
  }
  return wrap((wide)result, width, sign);
}

static wide left(wide x, wide y, int width, bool sign) {
  wide n = wrap(y, width, false);
  return n >= width ? 0 : wrap((wide)((unsigned __int128)x << n), width, sign);
}

static wide logical(wide x, wide y, int width, bool sign) {
  wide n = wrap(y, width, false);
  return n >= width ? 0 : wrap(wrap(x, width, false) >> n, width, sign);
}

static wide arithmetic(wide x, wide y, int width, bool sign) {
  wide n = wrap(y, width, false);
  return wrap(wrap(x, width, true) >> (n >= width ? width - 1 : n), width, sign);
}

static int ones(wide x, int width) {
  int n = 0;
  for (int i = 0; i < width; i++) {
    n += (int)(x >> i) & 1;
  }
  return n;
}

static int zeros(wide x, int width) {
  int n = 0;
  while (n < width && !((x >> (width - 1 - n)) & 1)) {
    n++;
  }
  return n;
}

#define EXPECT(call, want) \
  if ((wide)(call) != (want)) fail_msg("%s with x = %lld, y = %lld", #call, (long long)x, (long long)y);

#define PAIR(s, type, sign, width)                                                \
  static void pair_##s(type x, type y) {                                          \
    EXPECT(mr_el_divide_##s(x, y), divide(x, y, width, sign))                     \
    EXPECT(mr_el_remainder_##s(x, y), modulo(x, y, width, sign))                  \
    EXPECT(mr_el_power_##s(x, y), power(x, y, width, sign))                       \
    EXPECT(mr_el_shift_left_##s(x, y), left(x, y, width, sign))                   \
    EXPECT(mr_el_shift_right_logical_##s(x, y), logical(x, y, width, sign))       \
    EXPECT(mr_el_shift_right_arithmetic_##s(x, y), arithmetic(x, y, width, sign)) \
    EXPECT(mr_el_popcnt_##s(x), ones(x, width))                                   \
    EXPECT(mr_el_count_leading_zeros_##s(x), zeros(x, width))                     \
  }
PAIR(i8, int8_t, true, 8)
PAIR(i16, int16_t, true, 16)
PAIR(i32, int32_t, true, 32)
PAIR(i64, int64_t, true, 64)
PAIR(u8, uint8_t, false, 8)
PAIR(u16, uint16_t, false, 16)
PAIR(u32, uint32_t, false, 32)
PAIR(u64, uint64_t, false, 64)

// Every pair of bytes, signed and unsigned, gives the defined result, and nothing traps.
static void test_all_bytes(void **state) {
  (void)state;
  for (int x = 0; x < 256; x++) {
    for (int y = 0; y < 256; y++) {
      pair_i8((int8_t)x, (int8_t)y);
      pair_u8((uint8_t)x, (uint8_t)y);
    }
  }
}

// Wider types agree on sums and differences of powers of two and small numbers, the lowest value and -1 among them.
static void test_awkward_values(void **state) {
  (void)state;
  uint64_t values[64 * 3 + 8];
  size_t count = 0;
  for (int i = 0; i < 64; i++) {
    for (int d = -1; d <= 1; d++) {
      values[count++] = ((uint64_t)1 << i) + (uint64_t)d;
    }
  }
  uint64_t more[] = {0, 3, 5, 7, (uint64_t)-3, (uint64_t)-7, 0xfffefffefffefffe, 0x123456789abcdef1};
  for (size_t i = 0; i < 8; i++) {
    values[count++] = more[i];
  }
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < count; j++) {
      uint64_t x = values[i], y = values[j];
      pair_i16((int16_t)x, (int16_t)y), pair_u16((uint16_t)x, (uint16_t)y);
      pair_i32((int32_t)x, (int32_t)y), pair_u32((uint32_t)x, (uint32_t)y);
      pair_i64((int64_t)x, (int64_t)y), pair_u64(x, y);
    }
  }
}

// Division by way of floats is exact where it is hardest: quotients just below and at a whole number.
static void test_division_near_whole_quotients(void **state) {
  (void)state;
  uint64_t s = 88172645463325252u;
  for (int i = 0; i < 300000; i++) {
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    uint32_t divisor = (uint32_t)(s >> 32) >> (s & 31), whole = (uint32_t)(UINT32_MAX / (divisor | 1));
    uint32_t product = (divisor | 1) * (whole - (uint32_t)(s >> 5) % (whole / 2 + 1));
    for (uint32_t d = 0; d < 3; d++) {
      pair_u32(product + d - 1, divisor | 1);
      pair_i32((int32_t)(product + d - 1), (int32_t)(divisor | 1));
      pair_i16((int16_t)(product + d), (int16_t)divisor), pair_u16((uint16_t)(product + d), (uint16_t)divisor);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_bytes),
      cmocka_unit_test(test_awkward_values),
      cmocka_unit_test(test_division_near_whole_quotients),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
