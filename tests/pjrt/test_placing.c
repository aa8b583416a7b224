// Every layout against a model that works the other way round: it goes through the places of a block and says which element
// lies there, where the code under test goes through the elements.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt/layout/placing.h"
#include "tests/cmocka.h"

enum { MOST_BYTES = 1 << 14, MOST_LEVELS = 4 };

// ---- The model -------------------------------------------------------------------------------------------------------------

typedef struct axes {
  size_t count;
  int64_t sizes[64];
} axes;

// What a tile does to sizes: `before` it and `after`. Axes of one are put in front where the tile has more sizes.
static void tile_axes(axes *before, const int64_t *tile, size_t rank, axes *after) {
  while (before->count < rank) {
    memmove(before->sizes + 1, before->sizes, before->count++ * sizeof(int64_t));
    before->sizes[0] = 1;
  }
  after->count = before->count - rank;
  memcpy(after->sizes, before->sizes, after->count * sizeof(int64_t));
  int64_t joined = 1, inner[64];
  size_t inner_count = 0;
  for (size_t i = 0; i < rank; i++) {
    joined *= before->sizes[before->count - rank + i];
    if (tile[i] != MR_PJRT_COMBINE) {
      after->sizes[after->count++] = (joined + tile[i] - 1) / tile[i];
      inner[inner_count++] = tile[i];
      joined = 1;
    }
  }
  for (size_t i = 0; i < inner_count; i++) {
    after->sizes[after->count++] = inner[i];
  }
}

// An index after the tile as one before it; false in the padding.
static bool untile(const axes *before, const int64_t *tile, size_t rank, int64_t *index) {
  size_t outer = before->count - rank, real = 0;
  for (size_t i = 0; i < rank; i++) {
    real += tile[i] != MR_PJRT_COMBINE;
  }
  int64_t found[64];
  for (size_t i = rank, r = real; i > 0;) {  // the last size is never MR_PJRT_COMBINE
    i--;
    r--;
    int64_t joined = index[outer + r] * tile[i] + index[outer + real + r];
    size_t first = i;
    while (first > 0 && tile[first - 1] == MR_PJRT_COMBINE) {
      first--;
    }
    for (size_t k = i; k > first; k--) {
      found[k] = joined % before->sizes[outer + k];
      joined /= before->sizes[outer + k];
    }
    found[first] = joined;
    if (joined >= before->sizes[outer + first]) {
      return false;
    }
    i = first;
  }
  memcpy(index + outer, found, rank * sizeof(int64_t));
  return true;
}

// The number (row-major) of the element that lies at a place; -1 for padding. *out_count: how many places there are.
static int64_t element_at(const mr_pjrt_layout_spec *spec, const int64_t *dims, int64_t place, int64_t *out_count) {
  axes levels[MR_PJRT_MAX_TILES + 1] = {{.count = spec->rank}};
  const int64_t *tiles[MR_PJRT_MAX_TILES + 1] = {spec->tile_sizes};
  for (size_t i = 0; i < spec->rank; i++) {
    levels[0].sizes[i] = dims[spec->order[spec->rank - 1 - i]];
  }
  for (size_t i = 0; i < spec->num_tiles; i++) {
    tile_axes(&levels[i], tiles[i], spec->tile_ranks[i], &levels[i + 1]);
    tiles[i + 1] = tiles[i] + spec->tile_ranks[i];
  }
  const axes *last = &levels[spec->num_tiles];
  int64_t index[64], number = 0;
  *out_count = 1;
  for (size_t i = 0; i < last->count; i++) {
    *out_count *= last->sizes[i];
  }
  for (size_t i = last->count; i-- > 0;) {
    index[i] = place % last->sizes[i];
    place /= last->sizes[i];
  }
  for (size_t i = spec->num_tiles; i-- > 0;) {
    if (!untile(&levels[i], tiles[i], spec->tile_ranks[i], index)) {
      return -1;
    }
  }
  size_t padded = levels[0].count - spec->rank;  // axes of one in front
  for (size_t d = 0; d < spec->rank; d++) {
    for (size_t i = 0; i < spec->rank; i++) {
      if (spec->order[spec->rank - 1 - i] == (int64_t)d) {
        number = number * dims[d] + index[padded + i];
      }
    }
  }
  return number;
}

// The block of a dense row-major array; returns its size.
static size_t model_block(const mr_pjrt_layout_spec *spec, mr_dtype dtype, const int64_t *dims, const uint8_t *dense,
                          uint8_t *out) {
  size_t element = mr_dtype_bytes(dtype), bits = 8 * element;
  bool packed = spec->element_bits && spec->element_bits < 8;
  int64_t count = 1;
  for (size_t i = 0; i < spec->rank; i++) {
    count *= dims[i];
  }
  if (count > 0) {
    element_at(spec, dims, 0, &count);
  }
  int64_t padded = (count + spec->tail_alignment - 1) / spec->tail_alignment * spec->tail_alignment;
  bits = packed ? (size_t)spec->element_bits : bits;
  size_t bytes = ((size_t)padded * bits + 7) / 8;
  assert_true(bytes <= MOST_BYTES);
  memset(out, 0, bytes);
  for (int64_t place = 0; place < count; place++) {
    int64_t total, number = element_at(spec, dims, place, &total);
    if (number < 0) {
      continue;
    }
    if (packed) {
      unsigned value = dense[number] & ((1u << bits) - 1);
      out[(size_t)place * bits / 8] |= (uint8_t)(value << (size_t)place * bits % 8);
    } else {
      memcpy(out + (size_t)place * element, dense + (size_t)number * element, element);
    }
  }
  return bytes;
}

// ---- Layouts of a rank -------------------------------------------------------------------------------------------------------

#define C MR_PJRT_COMBINE
static const struct {
  size_t num_tiles, ranks[MOST_LEVELS];
  int64_t sizes[8];
} tilings[] = {
    {0, {0}, {0}},
    {1, {1}, {1}},
    {1, {1}, {3}},
    {1, {1}, {4}},
    {1, {2}, {2, 2}},
    {1, {2}, {3, 2}},
    {1, {2}, {1, 4}},
    {1, {3}, {2, 1, 3}},
    {1, {4}, {2, 2, 2, 2}},
    {2, {2, 2}, {2, 4, 2, 1}},
    {2, {2, 2}, {3, 3, 2, 2}},
    {2, {1, 1}, {4, 2}},
    {2, {1, 2}, {4, 2, 2}},
    {2, {2, 1}, {4, 4, 3}},
    {3, {2, 2, 1}, {4, 4, 2, 2, 3}},
    {2, {2, 3}, {2, 2, 2, 2, 2}},
    {1, {2}, {C, 2}},
    {1, {2}, {C, 5}},
    {1, {3}, {C, C, 4}},
    {1, {3}, {2, C, 3}},
    {2, {2, 2}, {2, 3, C, 2}},
    {2, {3, 1}, {C, 2, 2, 2}},
};
enum { TILINGS = sizeof tilings / sizeof *tilings };

static const int64_t orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
static const size_t order_counts[] = {1, 1, 2, 6};

static mr_pjrt_layout_spec spec_of(size_t tiling, size_t rank, size_t order, int64_t bits, int64_t tail) {
  mr_pjrt_layout_spec spec = {
      .rank = rank, .num_tiles = tilings[tiling].num_tiles, .element_bits = bits, .tail_alignment = tail};
  const size_t *from = order_counts[rank] == 2 ? (size_t[]){0, 2} : (size_t[]){0, 1, 2, 3, 4, 5};
  memcpy(spec.order, orders[from[order]], rank * sizeof(int64_t));
  for (size_t i = 0; i < spec.num_tiles; i++) {
    spec.tile_ranks[i] = tilings[tiling].ranks[i];
    spec.num_tile_sizes += spec.tile_ranks[i];
  }
  memcpy(spec.tile_sizes, tilings[tiling].sizes, spec.num_tile_sizes * sizeof(int64_t));
  return spec;
}

static uint8_t dense[MOST_BYTES], wanted[MOST_BYTES], got[MOST_BYTES], other[MOST_BYTES], back[MOST_BYTES];

static void fill_dense(mr_dtype dtype) {
  unsigned bits = mr_dtype_bits(dtype);
  for (size_t i = 0; i < sizeof dense; i++) {
    dense[i] = (uint8_t)(i * 37 + 11);
    dense[i] &= bits < 8 ? (uint8_t)((1u << bits) - 1) : 0xFF;
  }
}

static mr_pjrt_placing placing_of(const mr_pjrt_layout_spec *spec, mr_dtype dtype, const int64_t *dims) {
  PJRT_Layouts_MemoryLayout *layout;
  mr_pjrt_placing placing;
  assert_null(mr_pjrt_layout_of_spec(spec, &layout));
  assert_null(mr_pjrt_placing_of_layout(&placing, layout, dtype, dims, spec->rank));
  // What is written about it reads as the same.
  PJRT_Layouts_MemoryLayout *again;
  assert_null(mr_pjrt_layout_parse(mr_pjrt_layout_text(layout), spec->rank, &again));
  assert_ptr_equal(again, layout);
  return placing;
}

static mr_pjrt_placing row_major(mr_dtype dtype, const int64_t *dims, size_t rank) {
  mr_pjrt_placing placing;
  assert_null(mr_pjrt_placing_of_layout(&placing, mr_pjrt_layout_row_major(rank), dtype, dims, rank));
  return placing;
}

static void check_layout(const mr_pjrt_layout_spec *spec, mr_dtype dtype, const int64_t *dims) {
  mr_pjrt_placing placing = placing_of(spec, dtype, dims), plain = row_major(dtype, dims, spec->rank);
  size_t bytes = model_block(spec, dtype, dims, dense, wanted);
  assert_int_equal(placing.bytes, bytes);
  memset(got, 0xAA, sizeof got);
  assert_null(mr_pjrt_move(NULL, &placing, got, &plain, dense));
  assert_memory_equal(got, wanted, bytes);
  assert_int_equal(got[bytes], 0xAA);
  memset(back, 0xAA, sizeof back);
  assert_null(mr_pjrt_move(NULL, &plain, back, &placing, got));
  assert_memory_equal(back, dense, plain.bytes);
  assert_int_equal(back[plain.bytes], 0xAA);
}

typedef void (*visit)(const mr_pjrt_layout_spec *spec, mr_dtype dtype, const int64_t *dims);

static const int64_t shapes[][3] = {{1, 1, 1}, {2, 3, 4}, {5, 2, 3}, {3, 1, 7},
                                    {4, 4, 2}, {6, 5, 1}, {0, 3, 2}, {9, 2, 5}};

static void for_each_layout(mr_dtype dtype, int64_t bits, int64_t tail, visit call) {
  for (size_t rank = 0; rank <= 3; rank++) {
    for (size_t shape = 0; shape < (rank ? sizeof shapes / sizeof *shapes : 1); shape++) {
      for (size_t order = 0; order < order_counts[rank]; order++) {
        for (size_t tiling = 0; tiling < TILINGS; tiling++) {
          mr_pjrt_layout_spec spec = spec_of(tiling, rank, order, bits, tail);
          call(&spec, dtype, shapes[shape]);
        }
      }
    }
  }
}

// Every order of up to three dimensions, tiles of up to three levels, with combined dimensions and without: elements of all
// sizes lie where the model has them, padding is zero, and what is read back is what was written.
static void test_layouts(void **state) {
  (void)state;
  static const mr_dtype dtypes[] = {MR_U8, MR_F16, MR_F32, MR_F64, MR_C128};
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
    fill_dense(dtypes[i]);
    for_each_layout(dtypes[i], 0, 1, check_layout);
  }
  fill_dense(MR_S16);
  for_each_layout(MR_S16, 0, 16, check_layout);  // padded to a multiple of 16 elements
  for_each_layout(MR_S16, 16, 7, check_layout);
}

// Elements of less than a byte, packed and not.
static void test_packed(void **state) {
  (void)state;
  static const mr_dtype dtypes[] = {MR_S4, MR_U4, MR_F4E2M1FN, MR_S2, MR_U2, MR_S1, MR_PRED};
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
    fill_dense(dtypes[i]);
    for_each_layout(dtypes[i], mr_dtype_bits(dtypes[i]), 1, check_layout);
    for_each_layout(dtypes[i], mr_dtype_bits(dtypes[i]), 5, check_layout);
    for_each_layout(dtypes[i], 0, 1, check_layout);
  }
}

// From any tiled form straight into any other, packed or not.
static void test_between_layouts(void **state) {
  (void)state;
  static const int64_t dims[] = {5, 2, 3};
  static const struct {
    mr_dtype dtype;
    int64_t from_bits, to_bits;
  } cases[] = {{MR_F32, 0, 0}, {MR_S4, 4, 0}, {MR_S4, 0, 4}, {MR_U2, 2, 2}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    mr_dtype dtype = cases[c].dtype;
    fill_dense(dtype);
    for (size_t i = 0; i < (size_t)TILINGS * 6; i++) {
      mr_pjrt_layout_spec from = spec_of(i / 6, 3, i % 6, cases[c].from_bits, 1);
      mr_pjrt_placing from_placing = placing_of(&from, dtype, dims);
      model_block(&from, dtype, dims, dense, other);
      for (size_t k = i % 5; k < (size_t)TILINGS * 6; k += 5) {
        mr_pjrt_layout_spec to = spec_of(k / 6, 3, k % 6, cases[c].to_bits, 1);
        mr_pjrt_placing to_placing = placing_of(&to, dtype, dims);
        size_t bytes = model_block(&to, dtype, dims, dense, wanted);
        assert_null(mr_pjrt_move(NULL, &to_placing, got, &from_placing, other));
        assert_memory_equal(got, wanted, bytes);
      }
    }
  }
}

// ---- Strides -----------------------------------------------------------------------------------------------------------------

// Strides in any order, forwards and backwards, with gaps: nothing but the elements is touched, also against tiles.
static void test_strides(void **state) {
  (void)state;
  static const int64_t dims[] = {3, 2, 4};
  fill_dense(MR_S16);
  mr_pjrt_placing plain = row_major(MR_S16, dims, 3);
  for (size_t order = 0; order < 6; order++) {
    for (unsigned signs = 0; signs < 8; signs++) {
      for (int64_t gap = 0; gap < 3; gap++) {
        int64_t strides[3], step = 2 + gap;
        for (size_t i = 0; i < 3; i++) {
          size_t d = (size_t)orders[order][i];
          strides[d] = signs >> d & 1 ? -step : step;
          step *= dims[d] + (gap == 2);
        }
        mr_pjrt_placing placing;
        assert_null(mr_pjrt_placing_of_strides(&placing, strides, MR_S16, dims, 3));
        assert_null(mr_pjrt_placing_check_apart(&placing));
        memset(wanted, 0xAA, sizeof wanted);
        size_t origin = 0, end = 0;
        for (size_t d = 0; d < 3; d++) {
          size_t reach = (size_t)llabs(strides[d] * (dims[d] - 1));
          origin += strides[d] < 0 ? reach : 0;
          end += reach;
        }
        assert_int_equal(placing.origin, origin);
        assert_int_equal(placing.bytes, end + 2);
        for (int64_t n = 0; n < 24; n++) {
          int64_t at = n / 8 * strides[0] + n / 4 % 2 * strides[1] + n % 4 * strides[2];
          memcpy(wanted + (int64_t)origin + at, dense + 2 * n, 2);
        }
        memset(got, 0xAA, sizeof got);
        assert_null(mr_pjrt_move(NULL, &placing, got, &plain, dense));
        assert_memory_equal(got, wanted, sizeof got);
        mr_pjrt_layout_spec spec = spec_of(9, 3, order, 0, 1);
        mr_pjrt_placing tiled = placing_of(&spec, MR_S16, dims);
        assert_null(mr_pjrt_move(NULL, &tiled, other, &placing, got));
        size_t bytes = model_block(&spec, MR_S16, dims, dense, wanted);
        assert_memory_equal(other, wanted, bytes);
        memset(back, 0, sizeof back);
        assert_null(mr_pjrt_move(NULL, &placing, back, &tiled, other));
        assert_null(mr_pjrt_move(NULL, &plain, other, &placing, back));
        assert_memory_equal(other, dense, plain.bytes);
      }
    }
  }
}

// What cannot be is refused with words about it.
static void assert_refused(mr_status status, mr_code code, const char *words) {
  assert_non_null(status);
  assert_int_equal(mr_status_code(status), code);
  assert_non_null(strstr(mr_status_message(status), words));
  mr_status_free(status);
}

static void test_refusals(void **state) {
  (void)state;
  static const int64_t dims[] = {2, 3}, huge[] = {INT64_MAX / 16, 1};
  mr_pjrt_placing placing;
  PJRT_Layouts_MemoryLayout *layout;
  assert_null(mr_pjrt_placing_of_strides(&placing, (int64_t[]){4, 4}, MR_F32, dims, 2));
  assert_refused(mr_pjrt_placing_check_apart(&placing), MR_INVALID_ARGUMENT, "a stride of 4 bytes");
  assert_null(mr_pjrt_placing_of_strides(&placing, (int64_t[]){0, 4}, MR_F32, dims, 2));
  assert_refused(mr_pjrt_placing_check_apart(&placing), MR_INVALID_ARGUMENT, "a stride of 0 bytes");
  assert_refused(mr_pjrt_placing_of_strides(&placing, (int64_t[]){INT64_MIN, 4}, MR_F32, dims, 2), MR_INVALID_ARGUMENT,
                 "leads out of memory");
  assert_null(mr_pjrt_layout_parse(MR_STR("{1,0:T(8,128)}"), 2, &layout));
  assert_refused(mr_pjrt_placing_of_layout(&placing, layout, MR_F32, huge, 2), MR_INVALID_ARGUMENT, "fit in memory");
  assert_null(mr_pjrt_layout_parse(MR_STR("{1,0}"), 2, &layout));
  assert_refused(mr_pjrt_placing_of_layout(&placing, layout, MR_F32, dims, 1), MR_INVALID_ARGUMENT,
                 "layout of rank 2 for an array of rank 1");
  static const int64_t negative[] = {2, -1};
  assert_refused(mr_pjrt_placing_of_layout(&placing, layout, MR_F32, negative, 2), MR_INVALID_ARGUMENT,
                 "has a negative dimension");
  assert_refused(mr_pjrt_placing_of_strides(&placing, (int64_t[]){4, 4}, MR_F32, negative, 2), MR_INVALID_ARGUMENT,
                 "has a negative dimension");
  assert_null(mr_pjrt_layout_parse(MR_STR("{1,0:E(4)}"), 2, &layout));
  assert_refused(mr_pjrt_placing_of_layout(&placing, layout, MR_F32, dims, 2), MR_INVALID_ARGUMENT,
                 "elements of 4 bits");
  static const struct {
    const char *text;
    mr_code code;
  } texts[] = {{"{1,0:T(8,128}", MR_INVALID_ARGUMENT},
               {"{1,0:T()}", MR_INVALID_ARGUMENT},
               {"{1,0:T(0)}", MR_INVALID_ARGUMENT},
               {"{1,0:T(2,*)}", MR_INVALID_ARGUMENT},
               {"{1,0:T(-1)}", MR_INVALID_ARGUMENT},
               {"{1,0:T(2)T(2)}", MR_INVALID_ARGUMENT},
               {"{1,0:E(4)", MR_INVALID_ARGUMENT},
               {"{1,0:L(0)}", MR_INVALID_ARGUMENT},
               {"{1,0}x", MR_INVALID_ARGUMENT},
               {"{1,0:T(99999999999999999999)}", MR_INVALID_ARGUMENT},
               {"{1,0:S(5)}", MR_UNIMPLEMENTED},
               {"", MR_INVALID_ARGUMENT},
               {"{1,0:T(1)(1)(1)(1)(1)(1)(1)(1)(1)}", MR_UNIMPLEMENTED}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    assert_refused(mr_pjrt_layout_parse(mr_str_of(texts[i].text), 2, &layout), texts[i].code, "layout");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layouts), cmocka_unit_test(test_packed),   cmocka_unit_test(test_between_layouts),
      cmocka_unit_test(test_strides), cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
