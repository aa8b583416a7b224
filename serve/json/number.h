// Inside json/: numbers as text and as bits.
#ifndef SV_JSON_NUMBER_H
#define SV_JSON_NUMBER_H

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
// Correctly rounded; false when it is beyond the largest finite one.
bool sv_number_double(const sv_number *number, double *out_value);
bool sv_number_float(const sv_number *number, float *out_value);
bool sv_number_int(const sv_number *number, int64_t least, int64_t most, int64_t *out_value);
bool sv_number_uint(const sv_number *number, uint64_t most, uint64_t *out_value);

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
