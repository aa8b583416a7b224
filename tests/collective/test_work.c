// What a meeting does, for every kind and type, in groups and arrays of all sizes, against loops over single elements.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collective/collective.h"
#include "tests/cmocka.h"

enum { MOST = 70, OPERANDS = 2 };

static mr_scheduler *scheduler;
static mr_group *cores;

static int open_scheduler(void **state) {
  (void)state;
  mr_scheduler_options options = {.workers = 3};
  assert_null(mr_scheduler_create(&options, &scheduler));
  cores = mr_scheduler_group(scheduler, 0, 1);
  return 0;
}

static int close_scheduler(void **state) {
  (void)state;
  mr_scheduler_release(scheduler);
  return 0;
}

// `size` participants, each with `parts` operands and as many results.
typedef struct table {
  uint32_t size, parts;
  size_t given[OPERANDS], gets[OPERANDS];  // bytes
  char *blocks[MOST][2 * OPERANDS];
  void *const *by_rank[MOST];
} table;

static void set_table(table *t, uint32_t size, uint32_t parts) {
  t->size = size;
  t->parts = parts;
  for (uint32_t r = 0; r < size; r++) {
    for (uint32_t p = 0; p < parts; p++) {
      t->blocks[r][p] = malloc(t->given[p] + 1);
      t->blocks[r][parts + p] = malloc(t->gets[p] + 1);
      memset(t->blocks[r][parts + p], 0xa5, t->gets[p] + 1);
      for (size_t i = 0; i < t->given[p]; i++) {
        t->blocks[r][p][i] = (char)(r * 31 + p * 7 + i * 13 + (i >> 8));
      }
    }
    t->by_rank[r] = (void *const *)t->blocks[r];
  }
}

static void clear_table(table *t) {
  for (uint32_t r = 0; r < t->size; r++) {
    for (uint32_t p = 0; p < 2 * t->parts; p++) {
      if (p >= t->parts) {
        assert_int_equal((unsigned char)t->blocks[r][p][t->gets[p - t->parts]], 0xa5);  // nothing beyond the end
      }
      free(t->blocks[r][p]);
    }
  }
}

static mr_groups *all_of(uint32_t size) {
  mr_groups *groups;
  assert_null(mr_groups_create(MR_GROUPS_FLAT, NULL, 0, 0, 1, size, &groups));
  return groups;
}

// Calls write past the caches when they read and write more than this: all, or none.
static double cache_bytes;

static mr_collective *make(const mr_collective_desc *desc, mr_groups *groups) {
  mr_collective *call;
  mr_collective_desc own = *desc;
  own.cache_bytes = cache_bytes;
  mr_status status = mr_collective_create(&own, groups, &call);
  if (status) {
    fail_msg("%s", mr_status_message(status));
  }
  return call;
}

// ---- Reductions -------------------------------------------------------------------------------------------------------------

static double as_double(mr_dtype dtype, const void *at) {
  switch (dtype) {
  case MR_PRED:
  case MR_U8: return *(const uint8_t *)at;
  case MR_S8: return *(const int8_t *)at;
  case MR_S16: return *(const int16_t *)at;
  case MR_U16: return *(const uint16_t *)at;
  case MR_S32: return *(const int32_t *)at;
  case MR_U32: return *(const uint32_t *)at;
  case MR_S64: return (double)*(const int64_t *)at;
  case MR_U64: return (double)*(const uint64_t *)at;
  case MR_F16: return (double)*(const _Float16 *)at;
  case MR_F32: return *(const float *)at;
  case MR_F64: return *(const double *)at;
  case MR_BF16: {
    uint32_t bits = (uint32_t)*(const uint16_t *)at << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  default: fail(); return 0;
  }
}

static void from_double(mr_dtype dtype, void *at, double value) {
  switch (dtype) {
  case MR_PRED: *(uint8_t *)at = value != 0; break;
  case MR_U8: *(uint8_t *)at = (uint8_t)(int64_t)value; break;
  case MR_S8: *(int8_t *)at = (int8_t)(int64_t)value; break;
  case MR_S16: *(int16_t *)at = (int16_t)(int64_t)value; break;
  case MR_U16: *(uint16_t *)at = (uint16_t)(int64_t)value; break;
  case MR_S32: *(int32_t *)at = (int32_t)(int64_t)value; break;
  case MR_U32: *(uint32_t *)at = (uint32_t)(int64_t)value; break;
  case MR_S64: *(int64_t *)at = (int64_t)value; break;
  case MR_U64: *(uint64_t *)at = (uint64_t)value; break;
  case MR_F16: *(_Float16 *)at = (_Float16)value; break;
  case MR_F32: *(float *)at = (float)value; break;
  case MR_F64: *(double *)at = value; break;
  case MR_BF16: {
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    *(uint16_t *)at = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    break;
  }
  default: fail();
  }
}

static double fold_two(mr_fold fold, double a, double b) {
  switch (fold) {
  case MR_FOLD_ADD: return a + b;
  case MR_FOLD_MULTIPLY: return a * b;
  case MR_FOLD_MINIMUM: return b < a || isnan(b) ? b : a;
  case MR_FOLD_MAXIMUM: return b > a || isnan(b) ? b : a;
  case MR_FOLD_AND: return (double)((int64_t)a & (int64_t)b);
  case MR_FOLD_OR: return (double)((int64_t)a | (int64_t)b);
  case MR_FOLD_XOR: return (double)((int64_t)a ^ (int64_t)b);
  }
  return 0;
}

// One element of all, in the order of ranks: rounded at each step, but bf16 once.
static void fold_element(mr_fold fold, mr_dtype dtype, const table *t, size_t i, void *out) {
  size_t unit = mr_dtype_bytes(dtype);
  double all = as_double(dtype, t->blocks[0][0] + i * unit);
  for (uint32_t r = 1; r < t->size; r++) {
    double one = as_double(dtype, t->blocks[r][0] + i * unit);
    if (dtype == MR_PRED) {
      all = fold == MR_FOLD_XOR                                                    ? all != one
            : fold == MR_FOLD_ADD || fold == MR_FOLD_OR || fold == MR_FOLD_MAXIMUM ? all || one
                                                                                   : all && one;
      continue;
    }
    all = fold_two(fold, all, one);
    if (dtype == MR_BF16) {
      all = (float)all;
    } else {
      uint64_t room;
      from_double(dtype, &room, all);
      all = as_double(dtype, &room);
    }
  }
  from_double(dtype, out, all);
}

// Integers of both signs, which for what compares them use all bits, and what is not a number among the others.
static double number_for(mr_fold fold, mr_dtype dtype, int64_t number) {
  bool compares = fold == MR_FOLD_MINIMUM || fold == MR_FOLD_MAXIMUM;
  if (mr_dtype_is_float(dtype)) {
    bool whole = dtype != MR_F32 && dtype != MR_F64;
    return compares && number == 7 ? NAN : whole ? (double)number : (double)number * 0.37 - 1.1;
  }
  bool is_signed = dtype == MR_S8 || dtype == MR_S16 || dtype == MR_S32 || dtype == MR_S64;
  return ldexp((double)(is_signed ? number - 5 : number), compares ? (int)mr_dtype_bits(dtype) - 4 : 0);
}

static void fill_numbers(const table *t, mr_fold fold, mr_dtype dtype, size_t count) {
  size_t unit = mr_dtype_bytes(dtype);
  for (uint32_t r = 0; r < t->size; r++) {
    for (size_t i = 0; i < count; i++) {
      int64_t number = (int64_t)((r * 7 + i * 5) % 11);
      double value = dtype == MR_PRED ? number % 3 == 0 : number_for(fold, dtype, number);
      from_double(dtype, t->blocks[r][0] + i * unit, value);
    }
  }
}

static void check_reduction(mr_fold fold, mr_dtype dtype, uint32_t size, int64_t rows, int64_t columns, bool scatter) {
  size_t unit = mr_dtype_bytes(dtype), count = (size_t)(rows * columns * (scatter ? size : 1));
  table t = {.given = {count * unit}, .gets = {scatter ? (size_t)(rows * columns) * unit : count * unit}};
  int64_t dims[2] = {rows, scatter ? columns * size : columns};
  mr_collective_part part = {dtype, 2, dims};
  mr_collective_desc desc = {.kind = scatter ? MR_COLLECTIVE_REDUCE_SCATTER : MR_COLLECTIVE_ALL_REDUCE,
                             .name = "reduction",
                             .fold = fold,
                             .dim = 1,
                             .roots = MR_INVALID,
                             .parts = &part,
                             .num_parts = 1};
  set_table(&t, size, 1);
  fill_numbers(&t, fold, dtype, count);
  mr_collective *call = make(&desc, all_of(size));
  assert_null(mr_collective_run(call, 0, t.by_rank, cores));
  for (size_t i = 0; i < count; i++) {
    char wanted[16] = {0};
    fold_element(fold, dtype, &t, i, wanted);
    size_t column = i % (size_t)dims[1], row = i / (size_t)dims[1];
    for (uint32_t r = 0; r < size; r++) {
      if (scatter && column / (size_t)columns != r) {
        continue;
      }
      size_t at = scatter ? row * (size_t)columns + column % (size_t)columns : i;
      if (memcmp(wanted, t.blocks[r][1] + at * unit, unit) != 0) {
        fail_msg("fold %d of type %d, %u devices, %lld x %lld: element %zu of rank %u is %g, wanted %g", fold, dtype,
                 size, (long long)rows, (long long)columns, i, r, as_double(dtype, t.blocks[r][1] + at * unit),
                 as_double(dtype, wanted));
      }
    }
  }
  mr_collective_destroy(call);
  clear_table(&t);
}

static const mr_dtype numbers[] = {MR_PRED, MR_S8,  MR_U8,  MR_S16,  MR_U16, MR_S32, MR_U32,
                                   MR_S64,  MR_U64, MR_F16, MR_BF16, MR_F32, MR_F64};

// Every fold of every type is that of single elements in the order of ranks.
static void test_folds(void **state) {
  (void)state;
  for (size_t d = 0; d < MR_ARRAY_SIZE(numbers); d++) {
    for (int fold = 0; fold < MR_FOLDS; fold++) {
      if (mr_folding_supports((mr_fold)fold, numbers[d])) {
        check_reduction((mr_fold)fold, numbers[d], 5, 3, 7, false);
        check_reduction((mr_fold)fold, numbers[d], 4, 3, 73, false);
        check_reduction((mr_fold)fold, numbers[d], 3, 2, 5, true);
      }
    }
  }
}

// Sizes around those of pieces, groups of one and of many, nothing at all.
static void test_sizes(void **state) {
  (void)state;
  static const int64_t columns[] = {0, 1, 1023, 1024, 1025, 40000};
  static const uint32_t sizes[] = {1, 2, 8, MOST};
  for (size_t s = 0; s < MR_ARRAY_SIZE(sizes); s++) {
    for (size_t c = 0; c < MR_ARRAY_SIZE(columns); c++) {
      if (columns[c] * sizes[s] <= 400000) {
        check_reduction(MR_FOLD_ADD, MR_F32, sizes[s], 1, columns[c], false);
        check_reduction(MR_FOLD_ADD, MR_BF16, sizes[s], 1, columns[c], false);
        check_reduction(MR_FOLD_ADD, MR_F32, MR_MIN(sizes[s], 8u), 3, columns[c], true);
      }
    }
  }
}

// The bits that XLA:CPU gives: in the order of ranks, bf16 in f32, no negative zero.
static void test_bits(void **state) {
  (void)state;
  static const float ranks[8] = {1e8F, 1, -1e8F, 1, 1, 1, 1, 1};
  table t = {.given = {8}, .gets = {8}};
  mr_collective_part part = {MR_F32, 1, (const int64_t[]){2}};
  mr_collective_desc desc = {.name = "sum", .roots = MR_INVALID, .parts = &part, .num_parts = 1};
  set_table(&t, 8, 1);
  for (uint32_t r = 0; r < 8; r++) {
    memcpy(t.blocks[r][0], (const float[]){ranks[r], -0.0F}, 8);
  }
  mr_collective *call = make(&desc, all_of(8));
  assert_null(mr_collective_run(call, 0, t.by_rank, cores));
  const float *got = (const float *)(void *)t.blocks[3][1];
  assert_true(got[0] == 5 && got[1] == 0 && !signbit(got[1]));
  mr_collective_destroy(call);
  clear_table(&t);
}

// Single ones, and so many that they are folded side by side.
static void check_complex(mr_fold fold, int64_t count) {
  size_t bytes = (size_t)count * 2 * sizeof(float);
  table t = {.given = {bytes}, .gets = {bytes}};
  mr_collective_part part = {MR_C64, 1, &count};
  mr_collective_desc desc = {.name = "complex", .fold = fold, .roots = MR_INVALID, .parts = &part, .num_parts = 1};
  set_table(&t, 2, 1);
  for (uint32_t r = 0; r < 2; r++) {
    float *parts = (float *)(void *)t.blocks[r][0];
    for (int64_t i = 0; i < 2 * count; i++) {
      parts[i] = (float)((i * 5 + r * 3) % 17) - 8;
    }
  }
  mr_collective *call = make(&desc, all_of(2));
  assert_null(mr_collective_run(call, 0, t.by_rank, cores));
  const float *a = (const float *)(void *)t.blocks[0][0], *b = (const float *)(void *)t.blocks[1][0];
  const float *got = (const float *)(void *)t.blocks[1][1];
  for (int64_t i = 0; i < 2 * count; i += 2) {
    bool sum = fold == MR_FOLD_ADD;
    assert_true(got[i] == (sum ? a[i] + b[i] : a[i] * b[i] - a[i + 1] * b[i + 1]));
    assert_true(got[i + 1] == (sum ? a[i + 1] + b[i + 1] : a[i] * b[i + 1] + a[i + 1] * b[i]));
  }
  mr_collective_destroy(call);
  clear_table(&t);
}

// Complex numbers have no order, and are added and multiplied.
static void test_complex(void **state) {
  (void)state;
  assert_false(mr_folding_supports(MR_FOLD_MINIMUM, MR_C64));
  for (int fold = MR_FOLD_ADD; fold <= MR_FOLD_MULTIPLY; fold++) {
    table t = {.given = {16}, .gets = {16}};
    mr_collective_part part = {MR_C128, 0, NULL};
    mr_collective_desc desc = {
        .name = "complex", .fold = (mr_fold)fold, .roots = MR_INVALID, .parts = &part, .num_parts = 1};
    set_table(&t, 3, 1);
    memcpy(t.blocks[0][0], (const double[]){1, 2}, 16);
    memcpy(t.blocks[1][0], (const double[]){3, -1}, 16);
    memcpy(t.blocks[2][0], (const double[]){0, 1}, 16);
    mr_collective *call = make(&desc, all_of(3));
    assert_null(mr_collective_run(call, 0, t.by_rank, cores));
    const double *got = (const double *)(void *)t.blocks[1][1];
    assert_true(fold == MR_FOLD_ADD ? got[0] == 4 && got[1] == 2 : got[0] == -5 && got[1] == 5);
    mr_collective_destroy(call);
    clear_table(&t);
    check_complex((mr_fold)fold, 1);
    check_complex((mr_fold)fold, 37);
  }
}

// ---- Moves ------------------------------------------------------------------------------------------------------------------

static void check_gather(uint32_t size, int64_t rows, int64_t columns, mr_dtype dtype) {
  size_t unit = mr_dtype_bytes(dtype), row = (size_t)columns * unit;
  table t = {.given = {(size_t)rows * row}, .gets = {(size_t)rows * row * size}};
  mr_collective_part part = {dtype, 2, (const int64_t[]){rows, columns}};
  mr_collective_desc desc = {.kind = MR_COLLECTIVE_ALL_GATHER,
                             .name = "gather",
                             .dim = 1,
                             .roots = MR_INVALID,
                             .parts = &part,
                             .num_parts = 1};
  set_table(&t, size, 1);
  mr_collective *call = make(&desc, all_of(size));
  assert_null(mr_collective_run(call, 0, t.by_rank, cores));
  for (uint32_t r = 0; r < size; r++) {
    for (size_t i = 0; i < (size_t)rows; i++) {
      for (uint32_t from = 0; from < size; from++) {
        assert_memory_equal(t.blocks[r][1] + (i * size + from) * row, t.blocks[from][0] + i * row, row);
      }
    }
  }
  mr_collective_destroy(call);
  clear_table(&t);
}

static void test_gather(void **state) {
  (void)state;
  static const int64_t shapes[][2] = {{1, 1}, {1, 100000}, {7, 3}, {5000, 1}, {3, 300}, {300, 100}, {4, 0}, {0, 4}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(shapes); i++) {
    check_gather(3, shapes[i][0], shapes[i][1], MR_F32);
    check_gather(8, shapes[i][0], shapes[i][1], MR_S8);
    check_gather(1, shapes[i][0], shapes[i][1], MR_C128);
  }
}

// Part k of `split`, one behind the other along `concat`.
static void check_exchange(uint32_t n, uint32_t split, uint32_t concat, const int64_t *base, uint32_t rank) {
  int64_t given[3], gets[3], count = 1;
  for (uint32_t d = 0; d < rank; d++) {
    given[d] = base[d] * (d == split ? n : 1);
    gets[d] = base[d] * (d == concat ? n : 1);
    count *= given[d];
  }
  table t = {.given = {(size_t)count * 2}, .gets = {(size_t)count * 2}};
  mr_collective_part part = {MR_S16, rank, given};
  mr_collective_desc desc = {.kind = MR_COLLECTIVE_ALL_TO_ALL,
                             .name = "exchange",
                             .dim = split,
                             .concat = concat,
                             .roots = MR_INVALID,
                             .parts = &part,
                             .num_parts = 1};
  set_table(&t, n, 1);
  mr_collective *call = make(&desc, all_of(n));
  assert_null(mr_collective_run(call, 0, t.by_rank, cores));
  for (uint32_t r = 0; r < n; r++) {
    const int16_t *got = (const int16_t *)(void *)t.blocks[r][1];
    for (int64_t i = 0; i < count; i++) {
      int64_t at[3] = {0}, left = i, from = 0, source;
      for (uint32_t d = rank; d-- > 0; left /= gets[d]) {
        at[d] = left % gets[d];
      }
      source = at[concat] / base[concat];
      at[concat] %= base[concat];
      at[split] += r * base[split];
      for (uint32_t d = 0; d < rank; d++) {
        from = from * given[d] + at[d];
      }
      assert_int_equal(got[i], ((const int16_t *)(void *)t.blocks[source][0])[from]);
    }
  }
  mr_collective_destroy(call);
  clear_table(&t);
}

static void test_exchange(void **state) {
  (void)state;
  for (uint32_t split = 0; split < 3; split++) {
    for (uint32_t concat = 0; concat < 3; concat++) {
      check_exchange(4, split, concat, (const int64_t[]){3, 2, 5}, 3);
      check_exchange(2, split, concat, (const int64_t[]){64, 33, 40}, 3);
    }
  }
  check_exchange(8, 0, 0, (const int64_t[]){0, 3}, 2);
  check_exchange(8, 0, 0, (const int64_t[]){20000}, 1);
}

// Several operands of one call, one root for each.
static void test_roots(void **state) {
  (void)state;
  for (int kind = MR_COLLECTIVE_BROADCAST; kind <= MR_COLLECTIVE_REDUCE; kind++) {
    enum { N = 3, COUNT = 5000 };
    mr_collective_part parts[2] = {{MR_S32, 1, (const int64_t[]){COUNT}}, {MR_U8, 1, (const int64_t[]){3}}};
    mr_collective_desc desc = {
        .kind = (mr_collective_kind)kind, .name = "rooted", .roots = MR_S64, .parts = parts, .num_parts = 2};
    static const int64_t roots[2] = {2, 1};
    int32_t given[N][COUNT], got[N][COUNT];
    uint8_t few[N][3], few_got[N][3];
    void *blocks[N][5];
    void *const *by_rank[N];
    for (int r = 0; r < N; r++) {
      for (int i = 0; i < COUNT; i++) {
        given[r][i] = 100 * r + i;
      }
      memset(few[r], 10 + r, 3);
      memcpy(blocks[r], (void *[]){given[r], few[r], (void *)(uintptr_t)roots, got[r], few_got[r]}, sizeof blocks[r]);
      by_rank[r] = blocks[r];
    }
    mr_collective *call = make(&desc, all_of(N));
    assert_int_equal(mr_collective_buffers(call), 5);
    assert_null(mr_collective_run(call, 0, by_rank, cores));
    for (int r = 0; r < N; r++) {
      bool folds = kind == MR_COLLECTIVE_REDUCE;
      assert_int_equal(got[r][COUNT - 1], !folds ? 200 + COUNT - 1 : r == 2 ? 300 + 3 * (COUNT - 1) : 0);
      assert_int_equal(few_got[r][2], !folds ? 11 : r == 1 ? 33 : 0);
    }
    mr_collective_destroy(call);
  }
}

// Who is no target gets zeros; the others what their source has.
static void test_permute(void **state) {
  (void)state;
  table t = {.given = {100000}, .gets = {100000}};
  mr_collective_part part = {MR_U8, 1, (const int64_t[]){100000}};
  mr_collective_desc desc = {
      .kind = MR_COLLECTIVE_PERMUTE, .name = "permute", .roots = MR_INVALID, .parts = &part, .num_parts = 1};
  mr_groups *groups;
  assert_null(mr_groups_of_pairs(MR_GROUPS_FLAT, (const int64_t[]){2, 0, 0, 1, 1, 3}, 3, 1, 4, &groups, &desc.sources));
  set_table(&t, 4, 1);
  mr_collective *call = make(&desc, groups);
  assert_null(mr_collective_run(call, 0, t.by_rank, cores));
  assert_memory_equal(t.blocks[0][1], t.blocks[2][0], 100000);
  assert_memory_equal(t.blocks[1][1], t.blocks[0][0], 100000);
  assert_memory_equal(t.blocks[3][1], t.blocks[1][0], 100000);
  assert_int_equal(t.blocks[2][1][0] | t.blocks[2][1][99999], 0);
  mr_collective_destroy(call);
  clear_table(&t);
}

// What groups cannot share evenly, and types that are not folded, are refused.
static void test_refused(void **state) {
  (void)state;
  static const int64_t five[] = {5};
  mr_collective_part part = {MR_F32, 1, five};
  mr_collective_desc desc = {
      .kind = MR_COLLECTIVE_REDUCE_SCATTER, .name = "scatter", .roots = MR_INVALID, .parts = &part, .num_parts = 1};
  mr_collective *call;
  mr_status status = mr_collective_create(&desc, all_of(2), &call);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  mr_status_free(status);
  desc.kind = MR_COLLECTIVE_ALL_REDUCE;
  part.dtype = MR_F8E5M2;
  status = mr_collective_create(&desc, all_of(2), &call);
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  mr_status_free(status);
  assert_null(call);
}

static int go_past(void **state) {
  (void)state;
  cache_bytes = 1;
  return 0;
}

static int go_through(void **state) {
  (void)state;
  cache_bytes = 0;
  return 0;
}

int main(void) {
#define PAST(name) cmocka_unit_test_setup_teardown(name, go_past, go_through)
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_folds),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_bits),
      cmocka_unit_test(test_complex),
      cmocka_unit_test(test_gather),
      cmocka_unit_test(test_exchange),
      cmocka_unit_test(test_roots),
      cmocka_unit_test(test_permute),
      cmocka_unit_test(test_refused),
      PAST(test_folds),
      PAST(test_sizes),
      PAST(test_bits),
      PAST(test_complex),
      PAST(test_gather),
      PAST(test_roots),
      PAST(test_permute),
  };
  return cmocka_run_group_tests(tests, open_scheduler, close_scheduler);
}
