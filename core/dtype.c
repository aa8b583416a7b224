// The element types, from core/dtype.def.
#include "core/core.h"

#include <assert.h>

const mr_dtype_info mr_dtype_table[MR_DTYPE_COUNT] = {
#define DTYPE(name, number, spelling, bits, bytes, class) [MR_##name] = {spelling, bits, bytes, MR_CLASS_##class},
#include "core/dtype.def"
};

enum {
#define DTYPE(name, number, spelling, bits, bytes, class) ROW_##name,
#include "core/dtype.def"
  ROWS
};
static_assert((int)ROWS == (int)MR_DTYPE_COUNT, "MR_DTYPE_COUNT counts the lines of dtype.def");
#define DTYPE(name, number, spelling, bits, bytes, class) \
  static_assert(ROW_##name == number, "dtype.def is in the order of its numbers");
#include "core/dtype.def"

mr_dtype mr_dtype_from_name(mr_str spelling) {
  for (int i = MR_INVALID + 1; i < MR_DTYPE_COUNT; i++) {
    if (mr_str_is(spelling, mr_dtype_table[i].spelling)) {
      return (mr_dtype)i;
    }
  }
  return MR_INVALID;
}

void mr_dtype_clear_above(mr_dtype dtype, void *bytes, size_t count) {
  if (!mr_dtype_is_narrow(dtype)) {
    return;
  }
  uint8_t *byte = bytes, mask = (uint8_t)((1u << mr_dtype_bits(dtype)) - 1);
  for (size_t i = 0; i < count; i++) {
    byte[i] &= mask;
  }
}

mr_dtype mr_dtype_real(mr_dtype dtype) {
  if (dtype == MR_C64) {
    return MR_F32;
  }
  if (dtype == MR_C128) {
    return MR_F64;
  }
  return dtype;
}

mr_dtype mr_dtype_unsigned_of(unsigned bits) {
  switch (bits) {
  case 2: return MR_U2;
  case 4: return MR_U4;
  case 8: return MR_U8;
  case 16: return MR_U16;
  case 32: return MR_U32;
  case 64: return MR_U64;
  default: return MR_INVALID;
  }
}
