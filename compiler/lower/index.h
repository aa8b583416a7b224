// index: symbolic index arithmetic. An index expression is an affine sum of atoms with a known interval; atoms are loop
// variables, quotients, remainders, and numbers read from tensors. Expressions are shared: equal ones are the same
// pointer. Sums undo what reshapes do: n * (x / n) + x % n is x again, so that addresses come out affine.
//
// Memory: everything lives in the table's arena. Threads: a table belongs to one thread.
//
//   const mr_ix *i = mr_ix_loop(table, 0, 0, 9), *j = mr_ix_loop(table, 1, 0, 3);
//   const mr_ix *k = mr_ix_add(table, mr_ix_scale(table, i, 4), j);
//   mr_ix_div(table, k, 4) == i; mr_ix_mod(table, k, 4) == j;
#ifndef MR_COMPILER_LOWER_INDEX_H
#define MR_COMPILER_LOWER_INDEX_H

#include <setjmp.h>

#include "compiler/ir/ir.h"
#include "compiler/loops/loops.h"

typedef struct mr_ix mr_ix;

typedef enum mr_ix_kind {
  MR_IX_LOOP,
  MR_IX_DIV,  // x / d, rounded down; x is never negative
  MR_IX_MOD,
  MR_IX_DYN,  // an element of a tensor, clamped to [lo, hi]; or, unclamped, whatever it is
} mr_ix_kind;

// Where an element of a tensor is: one expression per dimension, or the row-major number when `flat`.
typedef struct mr_index {
  bool flat;
  uint32_t n;
  const mr_ix *const *at;
} mr_index;

static inline bool mr_index_equal(mr_index a, mr_index b) {
  if (a.flat != b.flat || a.n != b.n) {
    return false;
  }
  for (uint32_t i = 0; i < a.n; i++) {
    if (a.at[i] != b.at[i]) {
      return false;
    }
  }
  return true;
}

typedef struct mr_ix_atom {
  uint8_t kind;
  bool clamped;  // DYN
  uint32_t id;   // sums are ordered by it
  int64_t lo, hi;
  uint64_t vars;   // bit b: depends on the loop with bit b
  const mr_ix *x;  // DIV, MOD
  int64_t d;
  const mr_value *value;  // DYN: element `at` of this
  mr_index at;
  struct mr_ix_atom *next;
  mr_lv lv;  // emitted already, while `scope` is open
  uint32_t scope;
} mr_ix_atom;

typedef struct mr_ix_term {
  mr_ix_atom *atom;
  int64_t coef;
} mr_ix_term;

struct mr_ix {
  int64_t lo, hi;  // interval, inclusive
  int64_t constant;
  uint64_t vars;
  uint64_t hash;
  uint32_t num_terms;
  mr_ix *next;
  mr_lv lv;
  uint32_t scope;
  mr_ix_term *terms;  // by the atoms' numbers
};

typedef struct mr_ix_table {
  mr_arena *arena;
  mr_ix **buckets;  // by hash; as many as there are sums at least, most kernels have some dozens
  uint32_t num_buckets, num_sums;
  mr_ix_atom *atoms;
  uint32_t num_atoms;
  bool failed;  // an expression has too many terms; it lacks some
  jmp_buf *no_memory;
} mr_ix_table;

// Out of memory, any of the functions below jumps to `no_memory`.
void mr_ix_table_init(mr_ix_table *table, mr_arena *arena, jmp_buf *no_memory);
const mr_ix *mr_ix_const(mr_ix_table *table, int64_t value);
// A fresh loop variable.
const mr_ix *mr_ix_loop(mr_ix_table *table, uint32_t bit, int64_t lo, int64_t hi);
// Element `at` of a value as an index; the same atom for the same question.
const mr_ix *mr_ix_dyn(mr_ix_table *table, const mr_value *value, mr_index at, bool clamped, int64_t lo, int64_t hi);
const mr_ix *mr_ix_add(mr_ix_table *table, const mr_ix *a, const mr_ix *b);
const mr_ix *mr_ix_plus(mr_ix_table *table, const mr_ix *a, int64_t constant);
const mr_ix *mr_ix_scale(mr_ix_table *table, const mr_ix *a, int64_t factor);
const mr_ix *mr_ix_sub(mr_ix_table *table, const mr_ix *a, const mr_ix *b);
const mr_ix *mr_ix_div(mr_ix_table *table, const mr_ix *a, int64_t d);
const mr_ix *mr_ix_mod(mr_ix_table *table, const mr_ix *a, int64_t d);
static inline bool mr_ix_is_const(const mr_ix *a) { return a->num_terms == 0; }
// The factor of a loop variable in the sum, 0 when it is not there by itself.
int64_t mr_ix_coef(const mr_ix *a, const mr_ix *loop);
// Whether `a` depends on the loop other than through mr_ix_coef.
bool mr_ix_is_linear_in(const mr_ix *a, const mr_ix *loop);

#endif
