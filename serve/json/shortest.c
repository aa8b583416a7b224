// Floating-point numbers to the shortest text that reads back the same, the nearest of the shortest ones: the method of Giulietti's Schubfach.
//
// All decimal numbers between the two rounding boundaries of a number read back as it. With k the largest exponent for which 10^k is not wider than that
// interval, at least one and at most ten multiples of 10^k lie in it, and at most one of 10^(k+1). The boundaries are compared after a multiplication by
// 10^-k of 128 (or 64) bits, whose last bit is set when bits were lost ("round to odd"); this is enough to tell all cases apart.
#include <math.h>
#include <string.h>

#include "serve/json/number.h"

typedef struct decimal {
  uint64_t digits;
  int exponent;
} decimal;

// floor(log10(2^q)), or of 3/4 of it: where the number below is nearer than the one above.
static int log10_of_two(int q, bool nearer) { return (q * 1262611 - (nearer ? 524031 : 0)) >> 22; }

static uint64_t scale_double(sv_power ten, uint64_t value) {
  unsigned __int128 low = (unsigned __int128)ten.low * value;
  unsigned __int128 high = (unsigned __int128)ten.high * value + (uint64_t)(low >> 64);
  return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

static uint64_t scale_float(uint64_t ten, uint64_t value) {
  unsigned __int128 product = (unsigned __int128)ten * value;
  return (uint64_t)(product >> 64) | ((uint32_t)(product >> 32) > 1);
}

// From four times the scaled number and its boundaries (which count when the significand is even).
static decimal choose(uint64_t below, uint64_t four, uint64_t above, bool odd, int k) {
  uint64_t least = below + odd, most = above - odd, digits = four / 4;
  if (digits >= 10) {
    uint64_t tens = digits / 10;
    bool down = least <= 40 * tens, up = 40 * tens + 40 <= most;
    if (down != up) {
      return (decimal){tens + up, k + 1};
    }
  }
  bool down = least <= 4 * digits, up = 4 * digits + 4 <= most;
  if (down != up) {
    return (decimal){digits + up, k};
  }
  uint64_t middle = 4 * digits + 2;
  return (decimal){digits + (four > middle || (four == middle && (digits & 1))), k};
}

// A finite number above 0, from its fields: significand * 2^two.
static decimal shortest(uint64_t significand, int two, bool nearer, bool is_double) {
  int k = log10_of_two(two, nearer), shift = two + sv_power_exponent(-k) + 1;
  uint64_t four = 4 * significand, below = four - 2 + nearer, above = four + 2;
  bool odd = significand & 1;
  sv_power ten = sv_power_of(-k);
  if (is_double) {
    return choose(scale_double(ten, below << shift), scale_double(ten, four << shift),
                  scale_double(ten, above << shift), odd, k);
  }
  uint64_t upper = ten.high + (ten.low != 0);
  return choose(scale_float(upper, below << shift), scale_float(upper, four << shift),
                scale_float(upper, above << shift), odd, k);
}

// ---- Digits to text -------------------------------------------------------------------------------------------------

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
    "4950515253545556575859606162636465666768697071727374757677787980818283848586878889909192939495"
    "96979899";

// The last digits of the number, ending at `end`; returns where they begin.
static char *put_digits(char *end, uint64_t value) {
  while (value >= 100) {
    end -= 2;
    memcpy(end, pairs + value % 100 * 2, 2);
    value /= 100;
  }
  if (value >= 10) {
    end -= 2;
    memcpy(end, pairs + value * 2, 2);
  } else {
    *--end = (char)('0' + value);
  }
  return end;
}

char *sv_number_put_uint(char *to, uint64_t value) {
  char text[20], *begin = put_digits(text + sizeof text, value);
  size_t size = (size_t)(text + sizeof text - begin);
  memcpy(to, begin, size);
  return to + size;
}

char *sv_number_put_int(char *to, int64_t value) {
  if (value < 0) {
    *to++ = '-';
  }
  return sv_number_put_uint(to, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

// Plain from 0.0001 to below 10^17 (what 17 digits reach), with an exponent beyond. Whole ones end in ".0", as Triton writes them: readers that
// tell whole numbers from others get one type for a tensor.
static char *put_decimal(char *to, decimal number) {
  while (number.digits % 10 == 0) {
    number.digits /= 10;
    number.exponent++;
  }
  char text[20], *digits = put_digits(text + sizeof text, number.digits);
  int count = (int)(text + sizeof text - digits), point = count + number.exponent;  // digits in front of the point
  if (point > 17 || point < -3) {
    *to++ = digits[0];
    if (count > 1) {
      *to++ = '.';
      memcpy(to, digits + 1, (size_t)count - 1);
      to += count - 1;
    }
    *to++ = 'e';
    return sv_number_put_int(to, point - 1);
  }
  if (point <= 0) {
    memcpy(to, "0.000", 5);
    memcpy(to + 2 - point, digits, (size_t)count);
    return to + 2 - point + count;
  }
  if (point >= count) {
    memcpy(to, digits, (size_t)count);
    memset(to + count, '0', (size_t)(point - count));
    memcpy(to + point, ".0", 2);
    return to + point + 2;
  }
  memcpy(to, digits, (size_t)point);
  to[point] = '.';
  memcpy(to + point + 1, digits + point, (size_t)(count - point));
  return to + count + 1;
}

static char *put_word(char *to, const char *word) {
  size_t size = strlen(word);
  memcpy(to, word, size);
  return to + size;
}

static char *put_special(char *to, double value) {
  return put_word(to, isnan(value) ? "NaN" : value != 0 ? "Infinity" : "0.0");
}

char *sv_number_put_double(char *to, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint64_t fraction = bits & 0xfffffffffffff;
  int exponent = (int)(bits >> 52) & 0x7ff;
  if (bits >> 63 && !isnan(value)) {
    *to++ = '-';
  }
  if (exponent == 0x7ff || bits << 1 == 0) {
    return put_special(to, value);
  }
  bool normal = exponent != 0, nearer = fraction == 0 && exponent > 1;
  return put_decimal(to, shortest(fraction | (uint64_t)normal << 52, exponent + !normal - 1075, nearer, true));
}

char *sv_number_put_float(char *to, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint32_t fraction = bits & 0x7fffff;
  int exponent = (int)(bits >> 23) & 0xff;
  if (bits >> 31 && !isnan(value)) {
    *to++ = '-';
  }
  if (exponent == 0xff || bits << 1 == 0) {
    return put_special(to, (double)value);
  }
  bool normal = exponent != 0, nearer = fraction == 0 && exponent > 1;
  return put_decimal(to, shortest(fraction | (uint32_t)normal << 23, exponent + !normal - 150, nearer, false));
}
