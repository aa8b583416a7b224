// complex_parts: building functions of complex numbers out of functions of their parts, z = re + i im. Private to
// compiler/passes. As everywhere in passes, NULL operands give NULL once memory is short.
//
// Threads and ownership: the module's.
#ifndef MR_COMPILER_PASSES_COMPLEX_PARTS_H
#define MR_COMPILER_PASSES_COMPLEX_PARTS_H

#include "compiler/passes/rewrite.h"

typedef struct parts {
  mr_value *re, *im;
} parts;

static inline mr_value *unary(mr_builder *b, mr_op_kind kind, mr_value *x) { return mr_build_unary(b, kind, x); }
static inline mr_value *binary(mr_builder *b, mr_op_kind kind, mr_value *x, mr_value *y) {
  return mr_build_binary(b, kind, x, y);
}
static inline mr_value *add(mr_builder *b, mr_value *x, mr_value *y) { return binary(b, MR_OP_add, x, y); }
static inline mr_value *subtract(mr_builder *b, mr_value *x, mr_value *y) { return binary(b, MR_OP_subtract, x, y); }
static inline mr_value *multiply(mr_builder *b, mr_value *x, mr_value *y) { return binary(b, MR_OP_multiply, x, y); }
static inline mr_value *divide(mr_builder *b, mr_value *x, mr_value *y) { return binary(b, MR_OP_divide, x, y); }
static inline mr_value *number(mr_builder *b, mr_value *like, double value) {
  return like ? mr_build_splat(b, &like->type, value) : NULL;
}
static inline mr_value *plus(mr_builder *b, mr_value *x, double value) { return add(b, x, number(b, x, value)); }
static inline mr_value *scaled(mr_builder *b, mr_value *x, double factor) {
  return multiply(b, x, number(b, x, factor));
}
static inline mr_value *compare(mr_builder *b, int direction, mr_value *x, double value) {
  return mr_build_compare(b, direction, 0, x, number(b, x, value));
}
static inline mr_value *either(mr_builder *b, mr_value *p, mr_value *q) { return binary(b, MR_OP_or, p, q); }
static inline mr_value *size_of(mr_builder *b, mr_value *x) { return unary(b, MR_OP_abs, x); }

static inline parts split(mr_builder *b, mr_value *z) {
  return (parts){unary(b, MR_OP_real, z), unary(b, MR_OP_imag, z)};
}
static inline mr_value *join(mr_builder *b, parts z) { return binary(b, MR_OP_complex, z.re, z.im); }
static inline parts choose(mr_builder *b, mr_value *p, parts yes, parts no) {
  return (parts){mr_build_select(b, p, yes.re, no.re), mr_build_select(b, p, yes.im, no.im)};
}
static inline parts absolute(mr_builder *b, parts z) { return (parts){size_of(b, z.re), size_of(b, z.im)}; }

// f(z) = -i g(iz), with iz = -im + i re.
static inline parts rotated(mr_builder *b, parts x) { return (parts){unary(b, MR_OP_negate, x.im), x.re}; }
static inline parts rotated_back(mr_builder *b, parts w) { return (parts){w.im, unary(b, MR_OP_negate, w.re)}; }

static inline bool is_double(const mr_value *x) { return x && x->type.dtype == MR_F64; }

mr_value *mr_complex_with_sign_of(mr_builder *b, mr_value *magnitude, mr_value *x);
// log |z|, right near |z| = 1 too.
mr_value *mr_complex_log_abs(mr_builder *b, parts x);
// log |1 + z|, right where that is near 1 or near 0 too.
mr_value *mr_complex_log_abs_plus_one(mr_builder *b, parts x);
parts mr_complex_acos(mr_builder *b, parts x);
parts mr_complex_acosh(mr_builder *b, parts x);
parts mr_complex_asin(mr_builder *b, parts x);
parts mr_complex_asinh(mr_builder *b, parts x);
parts mr_complex_atan(mr_builder *b, parts x);
parts mr_complex_atanh(mr_builder *b, parts x);

#endif
