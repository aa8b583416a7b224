// Inside json/: numbers as text and as bits.
#ifndef SV_JSON_NUMBER_H
#define SV_JSON_NUMBER_H

#include <string.h>

#include "serve/json/json.h"

// ---- Reading --------------------------------------------------------------------------------------------------------

typedef enum sv_number_kind { SV_NUMBER_FINITE, SV_NUMBER_INFINITE, SV_NUMBER_NAN } sv_number_kind;

// What a number's text says: (-1)^negative * digits * 10^exponent.
typedef struct sv_number {
  const char *begin, *end;
  uint64_t digits;   // the first 19 significant ones
  int64_t exponent;  // of ten
  sv_number_kind kind;
  bool negative, whole;  // whole: without fraction and exponent
  bool cut;              // there are more than 19 digits: the value is at least `digits` and less than one more
} sv_number;

// Reads what JSON calls a number, or NaN, Infinity, -Infinity. Returns what comes behind it, or NULL when there is none; then *out_wrong is where.
const char *sv_number_scan(const char *at, const char *end, sv_number *out_number, const char **out_wrong);
static inline const char *sv_number_scan_plain(const char *at, const char *end, sv_number *out_number);
// Correctly rounded; false when it is beyond the largest finite one.
bool sv_number_double(const sv_number *number, double *out_value);
bool sv_number_float(const sv_number *number, float *out_value);
bool sv_number_int(const sv_number *number, int64_t least, int64_t most, int64_t *out_value);
bool sv_number_uint(const sv_number *number, uint64_t most, uint64_t *out_value);

// Up to eight digits at once, in the eight bytes at `at`: how many there are, and their number.
static inline int sv_number_eight(const char *at, uint64_t *out_digits) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  word ^= 0x3030303030303030;  // digits are 0 to 9 from here on
  uint64_t other = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
  int count = other ? __builtin_ctzll(other) / 8 : 8;
  if (count == 0) {
    *out_digits = 0;
    return 0;
  }
  word <<= 64 - 8 * count;  // zeros in front; the first digit is in the lowest byte
  word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ff;
  word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffff;
  *out_digits = (word * 10000 + (word >> 32)) & 0xffffffff;
  return count;
}

// The digits at `at`, behind those that *inout_digits has; it wraps around where there are more than 19.
static inline const char *sv_number_digits(const char *at, const char *end, uint64_t *inout_digits) {
  static const uint32_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  while (end - at >= 8) {
    uint64_t more;
    int count = sv_number_eight(at, &more);
    *inout_digits = *inout_digits * tens[count] + more;
    at += count;
    if (count < 8) {
      return at;
    }
  }
  for (; at < end && (unsigned)(unsigned char)*at - '0' <= 9; at++) {
    *inout_digits = *inout_digits * 10 + (uint64_t)(*at - '0');
  }
  return at;
}

// What most numbers are: -?digits(.digits)?, at most 19 digits, and something behind it. NULL: another one, or none.
static inline const char *sv_number_scan_plain(const char *at, const char *end, sv_number *out_number) {
  const char *begin = at;
  bool negative = at < end && *at == '-', whole = true;
  at += negative;
  if (at == end || (unsigned)(unsigned char)*at - '0' > 9) {
    return NULL;
  }
  // One digit in front of the point is the usual case.
  bool zero = *at == '0';
  uint64_t digits = (uint64_t)(*at++ - '0');
  int64_t count = 1, exponent = 0;
  if (at < end && *at != '.' && *at != ',' && *at != ']') {
    const char *second = at;
    at = sv_number_digits(at, end, &digits);
    count += at - second;
    if (zero && count > 1) {
      return NULL;
    }
  }
  if (at < end && *at == '.') {
    const char *point = ++at;
    at = sv_number_digits(at, end, &digits);
    exponent = point - at;
    whole = false;
    if (exponent == 0) {
      return NULL;
    }
  }
  if (count - exponent > 19 || at == end || (*at | 0x20) == 'e') {
    return NULL;
  }
  // Field by field from registers: a copy of a structure that was just written byte by byte waits for its bytes.
  out_number->begin = begin;
  out_number->end = at;
  out_number->digits = digits;
  out_number->exponent = exponent;
  out_number->kind = SV_NUMBER_FINITE;
  out_number->negative = negative;
  out_number->whole = whole;
  out_number->cut = false;
  return at;
}

// ---- Writing --------------------------------------------------------------------------------------------------------

#define SV_NUMBER_ROOM 32  // bytes that any number takes at most

// Return the end of what they wrote.
char *sv_number_put_double(char *to, double value);
char *sv_number_put_float(char *to, float value);
char *sv_number_put_uint(char *to, uint64_t value);
char *sv_number_put_int(char *to, int64_t value);

// ---- Powers of ten --------------------------------------------------------------------------------------------------

#define SV_POWER_LEAST (-342)
#define SV_POWER_MOST 324

// 10^k = (high * 2^64 + low) * 2^(sv_power_exponent(k) - 127), rounded up: too much by less than one of `low`. The highest bit is set.
typedef struct sv_power {
  uint64_t high, low;
} sv_power;
extern const sv_power sv_powers[SV_POWER_MOST - SV_POWER_LEAST + 1];

static inline sv_power sv_power_of(int k) { return sv_powers[k - SV_POWER_LEAST]; }

// floor(log2(10^k)); 1741647 / 2^19 is log2(10), near enough for |k| below 1233.
static inline int sv_power_exponent(int k) { return (k * 1741647) >> 19; }

#endif
