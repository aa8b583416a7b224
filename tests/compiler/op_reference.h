// What an elementwise operation gives, one element at a time and slowly: floats in double, integers in 128 bits. For the
// tests of the code generator.
#ifndef MR_TESTS_COMPILER_OP_REFERENCE_H
#define MR_TESTS_COMPILER_OP_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/core.h"
#include "ops/ops.h"

typedef struct work {
  mr_op_kind kind;
  mr_dtype result;
  uint64_t imm;      // compare, reduce_precision
  double tolerance;  // 0: exact; else in units of the result's last place
} work;

// One operation in double; the caller rounds.
double float_reference(const work *w, bool wide, double x, double y, double z);
bool ordered(int direction, double x, double y);        // a comparison of numbers
bool total_compare(int direction, double x, double y);  // in the total order
double last_place(mr_dtype dtype, double x);
bool float_close(mr_dtype dtype, double got, double want, double tolerance);

typedef __int128 wide_int;
wide_int int_of(mr_dtype dtype, const uint8_t *element);
wide_int int_reference(const work *w, mr_dtype dtype, wide_int x, wide_int y, wide_int z);

#endif
