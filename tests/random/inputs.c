// Contents of parameters and constants: ordinary numbers, small whole ones, and what is special about a type.
#include <string.h>

#include "tests/random/random.h"

static real ordinary(rng *r, mr_dtype dtype) {
  if (!mr_dtype_is_float(dtype)) {
    return (real)(int64_t)(rng_next(r) >> rng_below(r, 64));
  }
  real u = (real)(int64_t)rng_next(r) * 0x1p-63L;  // -1 to 1
  switch (rng_below(r, 4)) {
  case 0: return 10 * u;
  case 1: return u * expl((real)rng_between(r, -8, 8));
  default: return 2 * u;
  }
}

static real special(rng *r, mr_dtype dtype) {
  if (!mr_dtype_is_float(dtype)) {
    int64_t edge = INT64_C(1) << rng_below(r, 63);
    return (real)(rng_chance(r, 50) ? edge - rng_below(r, 3) : -edge + rng_below(r, 3));
  }
  float_format f = format_of(dtype);
  real sign = rng_chance(r, 50) ? 1 : -1;
  switch (rng_below(r, 10)) {
  case 0: return NAN;
  case 1: return sign * INFINITY;
  case 2: return sign * 0.0L;
  case 3: return sign * f.largest;
  case 4: return sign * ldexpl(1, f.min_exponent);
  case 5: return sign * ldexpl((real)rng_between(r, 1, 7), f.min_exponent - f.mantissa);
  case 6: return sign * (1 + ldexpl((real)rng_between(r, -2, 2), -f.mantissa));
  case 7: return sign * ((real)rng_below(r, 100) + 0.5L);
  default: return sign * expl((real)rng_between(r, -90, 90));
  }
}

static void make_element(rng *r, mr_dtype dtype, int kind, uint8_t *bytes) {
  real v = kind == INPUT_SMALL                          ? (real)rng_between(r, -4, 9)
           : kind == INPUT_SPECIAL && rng_chance(r, 60) ? special(r, dtype)
                                                        : ordinary(r, dtype);
  if (!mr_dtype_is_float(dtype)) {
    bool above = mr_dtype_is_unsigned(dtype) && v < 0 && rng_chance(r, 70);
    cell_encode(dtype, cell_of_bits(dtype, (uint64_t)(int64_t)(above ? -v : v)), bytes);
    return;
  }
  float_format f = format_of(dtype);
  v = format_round(&f, f.kind == FORMAT_POWER ? fabsl(v) : v);
  if (f.kind == FORMAT_FINITE && !isfinite(v)) {
    v = f.largest;
  }
  if (f.kind != FORMAT_IEEE && isinf(v)) {
    v = NAN;
  }
  if (f.kind == FORMAT_POWER && v < ldexpl(1, -127)) {
    v = 1;
  }
  cell_encode(dtype, cell_exact(v), bytes);
}

void make_input(rng *r, mr_dtype dtype, int64_t count, int kind, void *bytes) {
  mr_dtype part = mr_dtype_real(dtype);
  size_t one = mr_dtype_bytes(part);
  int64_t parts = mr_dtype_is_complex(dtype) ? 2 : 1;
  for (int64_t i = 0; i < count * parts; i++) {
    make_element(r, part, kind, (uint8_t *)bytes + (size_t)i * one);
  }
}
