#include "tools/element.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

char element_numpy_kind(millrace_dtype dtype) {
  switch (dtype) {
  case MILLRACE_PRED: return 'b';
  case MILLRACE_S1:
  case MILLRACE_S2:
  case MILLRACE_S4:
  case MILLRACE_S8:
  case MILLRACE_S16:
  case MILLRACE_S32:
  case MILLRACE_S64: return 'i';
  case MILLRACE_F16:
  case MILLRACE_F32:
  case MILLRACE_F64: return 'f';
  case MILLRACE_C64:
  case MILLRACE_C128: return 'c';
  default: return 'u';
  }
}

const char *element_type_text(millrace_type type, const char *const *symbols, char *buffer, size_t size) {
  size_t used = 0;
  buffer[0] = '\0';
  for (size_t i = 0; i < type.rank && used < size; i++) {
    if (type.dims[i] != MILLRACE_OPEN) {
      used += (size_t)snprintf(buffer + used, size - used, "%" PRId64 "x", type.dims[i]);
    } else {
      used += (size_t)snprintf(buffer + used, size - used, "%sx", symbols && symbols[i] ? symbols[i] : "?");
    }
  }
  if (used < size) {
    snprintf(buffer + used, size - used, "%s", millrace_dtype_name(type.dtype));
  }
  return buffer;
}

void element_print(millrace_dtype dtype, const unsigned char *at) {
  switch (dtype) {
  case MILLRACE_PRED: printf("%s", *at ? "true" : "false"); return;
  case MILLRACE_F32: {
    float value;
    memcpy(&value, at, sizeof value);
    printf("%.9g", (double)value);
    return;
  }
  case MILLRACE_F64: {
    double value;
    memcpy(&value, at, sizeof value);
    printf("%.17g", value);
    return;
  }
  default: break;
  }
  size_t bytes = millrace_dtype_bytes(dtype);
  uint64_t bits = 0;
  memcpy(&bits, at, bytes < 8 ? bytes : 8);
  if (element_numpy_kind(dtype) == 'i') {
    unsigned unused = 64 - 8 * (unsigned)bytes;
    printf("%" PRId64, (int64_t)(bits << unused) >> unused);
  } else {
    printf(element_numpy_kind(dtype) == 'u' ? "%" PRIu64 : "0x%" PRIx64, bits);
  }
}

// ---- Made up --------------------------------------------------------------------------------------------------------

// Narrow floats: the bits of 1, and how many bits the mantissa has. Those below 1, down to a half, are the codes right below, as many as
// the mantissa has; where it has none, a half alone.
typedef struct narrow_float {
  millrace_dtype dtype;
  uint16_t one, mantissa_bits;
} narrow_float;

static const narrow_float *find_narrow(millrace_dtype dtype) {
  static const narrow_float narrow[] = {
      {MILLRACE_F16, 0x3c00, 10},     {MILLRACE_BF16, 0x3f80, 7},     {MILLRACE_F8E5M2, 0x3c, 2},
      {MILLRACE_F8E4M3FN, 0x38, 3},   {MILLRACE_F8E4M3, 0x38, 3},     {MILLRACE_F8E4M3B11FNUZ, 0x58, 3},
      {MILLRACE_F8E5M2FNUZ, 0x40, 2}, {MILLRACE_F8E4M3FNUZ, 0x40, 3}, {MILLRACE_F8E3M4, 0x30, 4},
      {MILLRACE_F8E8M0FNU, 0x7f, 0},  {MILLRACE_F4E2M1FN, 0x2, 1},    {MILLRACE_F6E2M3FN, 0x8, 3},
      {MILLRACE_F6E3M2FN, 0xc, 2},
  };
  for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
    if (narrow[i].dtype == dtype) {
      return &narrow[i];
    }
  }
  return NULL;
}

// How many whole numbers from 0 on are taken of a type.
static uint64_t whole_numbers(millrace_dtype dtype) {
  switch (dtype) {
  case MILLRACE_S1: return 1;
  case MILLRACE_PRED:
  case MILLRACE_U1:
  case MILLRACE_S2: return 2;
  case MILLRACE_U2: return 4;
  default: return 8;
  }
}

// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint64_t make_up_bits(millrace_dtype dtype, const narrow_float *narrow, uint64_t random) {
  if (narrow) {
    return narrow->one - (1u << narrow->mantissa_bits) + (random & ((1u << narrow->mantissa_bits) - 1));
  }
  uint64_t bits = 0;
  if (dtype == MILLRACE_F32 || dtype == MILLRACE_C64) {
    float value = (float)(random >> 40) * 0x1p-24f;
    memcpy(&bits, &value, sizeof value);
    return bits;
  }
  if (dtype == MILLRACE_F64 || dtype == MILLRACE_C128) {
    double value = (double)(random >> 11) * 0x1p-53;
    memcpy(&bits, &value, sizeof value);
    return bits;
  }
  return (random >> 32) % whole_numbers(dtype);
}

void element_make_up(millrace_dtype dtype, uint64_t seed, void *data, size_t bytes) {
  const narrow_float *narrow = find_narrow(dtype);
  size_t size = millrace_dtype_bytes(dtype);
  if (dtype == MILLRACE_C64 || dtype == MILLRACE_C128) {
    size /= 2;  // one part after the other
  }
  uint64_t state = seed;
  for (size_t at = 0; size && at + size <= bytes; at += size) {
    // A processor here has its low bytes first.
    uint64_t bits = make_up_bits(dtype, narrow, next_random(&state));
    memcpy((char *)data + at, &bits, size);
  }
}
