// Text of numbers to whole and floating-point numbers, correctly rounded.
//
// Three ways, the first that is sure of its result: one exact multiplication or division; a product with 128 bits of the power of ten (the idea of
// Eisel and Lemire: nearly always the error cannot reach a rounding boundary); the C library.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "serve/json/number.h"

enum {
  MOST_DIGITS = 19,      // that always fit in 64 bits
  DECIDING_DIGITS = 800  // a double's rounding boundary has at most 767 significant digits
};
// Beyond any exponent that a text of digits in memory can make up for.
static const int64_t MOST_EXPONENT = 1000000000000;

static bool is_digit(char c) { return (unsigned)(unsigned char)c - '0' <= 9; }

// More than 19 digits were read: the first 19 significant ones, and how many were left out in front of the point.
static void cut_digits(sv_number *number, const char *begin, const char *end, int64_t fraction) {
  uint64_t digits = 0;
  int64_t taken = 0, left_out = 0;
  for (const char *at = begin; at < end; at++) {
    if (!is_digit(*at)) {
      continue;
    }
    if (taken < MOST_DIGITS) {
      digits = digits * 10 + (uint64_t)(*at - '0');
      taken += digits != 0;
    } else {
      left_out++;
      number->cut |= *at != '0';
    }
  }
  number->digits = digits;
  number->exponent += left_out - fraction;
}

static const char *scan_name(const char *at, const char *end, sv_number *number, const char **out_wrong) {
  bool infinite = *at == 'I';
  const char *name = infinite ? "Infinity" : "NaN";
  size_t size = strlen(name);
  if ((size_t)(end - at) < size || memcmp(at, name, size) != 0 || (!infinite && number->negative)) {
    *out_wrong = at;
    return NULL;
  }
  number->kind = infinite ? SV_NUMBER_INFINITE : SV_NUMBER_NAN;
  return number->end = at + size;
}

// [eE][+-]?[0-9]+
static const char *scan_exponent(const char *at, const char *end, int64_t *inout_exponent) {
  at++;
  bool negative = at < end && *at == '-';
  at += at < end && (*at == '-' || *at == '+');
  const char *begin = at;
  int64_t exponent = 0;
  for (; at < end && is_digit(*at); at++) {
    exponent = exponent < MOST_EXPONENT ? exponent * 10 + (*at - '0') : exponent;
  }
  *inout_exponent += negative ? -exponent : exponent;
  return at == begin ? NULL : at;
}

// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
const char *sv_number_scan(const char *at, const char *end, sv_number *out_number, const char **out_wrong) {
  sv_number number = {.begin = at, .whole = true};
  number.negative = at < end && *at == '-';
  at += number.negative;
  if (at < end && (*at == 'I' || *at == 'N')) {
    at = scan_name(at, end, &number, out_wrong);
    *out_number = number;
    return at;
  }
  const char *begin = at;
  uint64_t digits = 0;  // wraps around; read again where there are too many
  at = sv_number_digits(at, end, &digits);
  int64_t count = at - begin, fraction = 0;
  if (count == 0 || (count > 1 && *begin == '0')) {
    *out_wrong = count ? begin + 1 : at;
    return NULL;
  }
  if (at < end && *at == '.') {
    const char *point = at++;
    at = sv_number_digits(at, end, &digits);
    fraction = at - point - 1;
    number.whole = false;
    if (fraction == 0) {
      *out_wrong = at;
      return NULL;
    }
  }
  if (__builtin_expect(count + fraction > MOST_DIGITS, 0)) {
    cut_digits(&number, begin, at, fraction);
  } else {
    number.digits = digits;
    number.exponent = -fraction;
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    number.whole = false;
    const char *behind = scan_exponent(at, end, &number.exponent);
    if (!behind) {
      *out_wrong = at + 1;
      return NULL;
    }
    at = behind;
  }
  number.end = at;
  *out_number = number;
  return at;
}

// ---- Rounding -------------------------------------------------------------------------------------------------------

// A floating-point format: bits of the significand with the hidden one, and the largest exponent.
typedef struct layout {
  int bits, most_exponent;
} layout;
static const layout SINGLE = {24, 127}, DOUBLE = {53, 1023};

// A significand that rounding may have made one bit too long. False: subnormal, or too large.
static inline bool compose(uint64_t significand, int two, layout format, uint64_t *out_significand, int *out_exponent) {
  if (significand >> format.bits) {
    significand >>= 1;
    two++;
  }
  int leading = two + format.bits - 1;
  *out_significand = significand;
  *out_exponent = two;
  return leading >= 1 - format.most_exponent && leading <= format.most_exponent;
}

// digits * 10^exponent as significand * 2^out_exponent. False: not sure, subnormal, or too large.
static inline bool round_product(uint64_t digits, int64_t exponent, layout format, uint64_t *out_significand,
                                 int *out_exponent) {
  if (exponent < SV_POWER_LEAST || exponent > SV_POWER_MOST) {
    return false;
  }
  int power = (int)exponent, zeros = __builtin_clzll(digits);
  uint64_t factor = digits << zeros;
  sv_power ten = sv_power_of(power);
  // The upper 64 bits of the product decide nearly always: what was left out of both factors makes the true product larger than them, by less than 2.
  uint64_t high = (uint64_t)(((unsigned __int128)ten.high * factor) >> 64);
  int high_shift = 64 - format.bits - !(high >> 63);
  uint64_t high_half = (uint64_t)1 << (high_shift - 1), high_rest = high & (2 * high_half - 1);
  if (high_rest != high_half && high_rest + 1 != high_half) {
    return compose((high >> high_shift) + (high_rest > high_half),
                   high_shift + 128 + sv_power_exponent(power) - 127 - zeros, format, out_significand, out_exponent);
  }
  // The upper 128 bits of the 192 that the product has. ten is too large by less than 1 and factor is below 2^64: the true product lies between one
  // less and one more than this.
  unsigned __int128 product = (unsigned __int128)ten.high * factor;
  product += ((unsigned __int128)ten.low * factor) >> 64;
  int shift = 128 - format.bits - !(product >> 127);
  unsigned __int128 half = (unsigned __int128)1 << (shift - 1);
  unsigned __int128 rest = product & ((half << 1) - 1);
  if (rest == half) {
    return false;  // may be a tie, or a little more or less
  }
  return compose((uint64_t)(product >> shift) + (rest > half), shift + 64 + sv_power_exponent(power) - 127 - zeros,
                 format, out_significand, out_exponent);
}

static bool round_number(const sv_number *number, layout format, uint64_t *out_significand, int *out_exponent) {
  if (!round_product(number->digits, number->exponent, format, out_significand, out_exponent)) {
    return false;
  }
  if (!number->cut) {
    return true;
  }
  uint64_t above;
  int above_exponent;
  return round_product(number->digits + 1, number->exponent, format, &above, &above_exponent) &&
         above == *out_significand && above_exponent == *out_exponent;
}

// The digits that decide, as one whole number with an exponent: no decimal point, which strtod() takes from the locale.
static void plain_text(const sv_number *number, char text[DECIDING_DIGITS + 32]) {
  size_t size = 0;
  int64_t exponent = 0;
  bool point = false, more = false;
  const char *at = number->begin + number->negative;
  for (; at < number->end && *at != 'e' && *at != 'E'; at++) {
    if (*at == '.') {
      point = true;
      continue;
    }
    exponent -= point;
    if (size == 0 && *at == '0') {
      continue;
    }
    if (size < DECIDING_DIGITS) {
      text[size++] = *at;
    } else {
      exponent++;
      more |= *at != '0';
    }
  }
  if (at < number->end) {
    scan_exponent(at, number->end, &exponent);
  }
  if (more) {
    text[size++] = '1';
    exponent--;
  }
  // Far beyond what is neither 0 nor infinite, and short.
  exponent = exponent > 100000 ? 100000 : exponent < -100000 ? -100000 : exponent;
  text[size++] = 'e';
  text[size++] = exponent < 0 ? '-' : '+';
  *sv_number_put_uint(text + size, (uint64_t)(exponent < 0 ? -exponent : exponent)) = 0;
}

bool sv_number_double(const sv_number *number, double *out_value) {
  static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  double value;
  uint64_t significand;
  int two;
  if (number->kind != SV_NUMBER_FINITE) {
    *out_value = number->kind == SV_NUMBER_NAN ? (double)NAN : number->negative ? -INFINITY : INFINITY;
    return true;
  }
  if (number->digits >> 53 == 0 && !number->cut && number->exponent >= -22 && number->exponent <= 22) {
    value = (double)number->digits;
    value = number->exponent < 0 ? value / exact[-number->exponent] : value * exact[number->exponent];
  } else if (number->digits == 0) {
    value = 0;
  } else if (round_number(number, DOUBLE, &significand, &two)) {
    uint64_t bits = (significand & 0xfffffffffffff) | (uint64_t)(two + 52 + 1023) << 52;
    memcpy(&value, &bits, sizeof value);
  } else {
    char text[DECIDING_DIGITS + 32];
    plain_text(number, text);
    value = strtod(text, NULL);
  }
  *out_value = number->negative ? -value : value;
  return value <= 1.7976931348623157e308;
}

bool sv_number_float(const sv_number *number, float *out_value) {
  static const float exact[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
  float value;
  uint64_t significand;
  int two;
  if (number->kind != SV_NUMBER_FINITE) {
    *out_value = number->kind == SV_NUMBER_NAN ? NAN : number->negative ? -INFINITY : INFINITY;
    return true;
  }
  if (number->digits >> 24 == 0 && !number->cut && number->exponent >= -10 && number->exponent <= 10) {
    value = (float)number->digits;
    value = number->exponent < 0 ? value / exact[-number->exponent] : value * exact[number->exponent];
  } else if (number->digits == 0) {
    value = 0;
  } else if (round_number(number, SINGLE, &significand, &two)) {
    uint32_t bits = ((uint32_t)significand & 0x7fffff) | (uint32_t)(two + 23 + 127) << 23;
    memcpy(&value, &bits, sizeof value);
  } else {
    char text[DECIDING_DIGITS + 32];
    plain_text(number, text);
    value = strtof(text, NULL);
  }
  *out_value = number->negative ? -value : value;
  return value <= 3.4028235e38f;
}

// Up to 20 digits, of which sv_number.digits has only 19.
static bool whole_digits(const sv_number *number, uint64_t *out_digits) {
  if (number->kind != SV_NUMBER_FINITE || !number->whole) {
    return false;
  }
  const char *begin = number->begin + number->negative;
  if (number->end - begin <= MOST_DIGITS) {
    *out_digits = number->digits;
    return true;
  }
  return sv_str_number((sv_str){begin, (size_t)(number->end - begin)}, UINT64_MAX, out_digits);
}

bool sv_number_uint(const sv_number *number, uint64_t most, uint64_t *out_value) {
  return whole_digits(number, out_value) && (!number->negative || *out_value == 0) && *out_value <= most;
}

bool sv_number_int(const sv_number *number, int64_t least, int64_t most, int64_t *out_value) {
  uint64_t digits;
  if (!whole_digits(number, &digits) || digits > (uint64_t)INT64_MAX + number->negative) {
    return false;
  }
  *out_value = (int64_t)(number->negative ? 0 - digits : digits);
  return *out_value >= least && *out_value <= most;
}
