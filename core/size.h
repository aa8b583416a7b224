// size: sums and products of sizes that programs and hosts name.
//
// One tensor is at most 2^46 bytes (compiler/ir/verify.c), so that a fixed number of them may be added up, as for the scratch of one call.
// Over a list whose length a program chooses, its buffers, parameters or operands, sizes are added with these. What does not fit stays
// MR_SIZE_TOO_LARGE, whatever is added to it after that, so one look at the end is enough:
//
//   size_t bytes = 0;
//   for (...) { bytes = mr_size_add(bytes, mr_size_round(buffer->bytes, 64)); }
//   MR_TRY(mr_size_check(bytes, "the arguments"));
//
// tools/check_sums.py, a test, finds sums that are not.
#ifndef MR_CORE_SIZE_H
#define MR_CORE_SIZE_H

#include "core/core.h"

#define MR_SIZE_TOO_LARGE SIZE_MAX

static inline size_t mr_size_add(size_t a, size_t b) {
  size_t sum;
  return __builtin_add_overflow(a, b, &sum) ? MR_SIZE_TOO_LARGE : sum;
}

// Nothing of what is too large is too large.
static inline size_t mr_size_mul(size_t a, size_t b) {
  size_t product;
  return __builtin_mul_overflow(a, b, &product) ? MR_SIZE_TOO_LARGE : product;
}

// Up to a multiple of `unit`, a power of two.
static inline size_t mr_size_round(size_t size, size_t unit) {
  size_t up = mr_size_add(size, unit - 1);
  return up == MR_SIZE_TOO_LARGE ? up : up & ~(unit - 1);
}

// How many parts of at most so many bytes.
static inline size_t mr_size_parts(size_t size, size_t part) { return size / part + (size % part != 0); }

// RESOURCE_EXHAUSTED: `what` takes more bytes than there are addresses.
static inline mr_status mr_size_check(size_t size, const char *what) {
  return MR_LIKELY(size < MR_SIZE_TOO_LARGE)
             ? MR_OK
             : mr_error(MR_RESOURCE_EXHAUSTED, "%s take more memory than there are addresses", what);
}

#endif
