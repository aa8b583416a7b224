// Loops, branches, variables, locals, fills and copies: what a program says is what the compiled kernel does.
#include "compiler/ir/scalar.h"
#include "tests/compiler/loops_util.h"

// Lengths around the vector widths, empty and single included.
static const int64_t lengths[] = {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 1000};

static float *iota_floats(size_t count) {
  float *x = malloc(count * sizeof *x);
  for (size_t i = 0; i < count; i++) {
    x[i] = (float)(int)(i * 7 % 101) - 50.0f;
  }
  return x;
}

// Only the share is written, whatever its ends.
static void test_share_bounds(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv i = for_share(p);
  mr_l_store(p, y, i, mr_l_binary(p, MR_OP_add, MR_F32, mr_l_load(p, x, i), mr_l_float(p, MR_F32, 1)));
  mr_l_end(p);
  mr_kernel *kernel = compile(p);
  float *in = iota_floats(200), out[200];
  for (int64_t begin = 0; begin < 70; begin += 3) {
    for (int64_t end = begin - 2; end < 190; end += 13) {
      memset(out, 0, sizeof out);
      mr_kernel_function(kernel)((void *[]){in, out}, &mr_stop_no_token, begin, end);
      for (int64_t k = 0; k < 200; k++) {
        assert_true(out[k] == (k >= begin && k < end ? in[k] + 1 : 0));
      }
    }
  }
  free(in);
  mr_kernel_release(kernel);
  mr_loop_release(p);
}

// An elementwise kernel may work in place, with the buffers marked and at the same index.
static void test_in_place(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ | MR_L_MAY_ALIAS),
          y = mr_l_buffer(p, MR_F32, MR_L_WRITE | MR_L_MAY_ALIAS);
  mr_lv i = for_share(p);
  mr_lv v = mr_l_load(p, x, i);
  mr_l_store(p, y, i, mr_l_binary(p, MR_OP_multiply, MR_F32, v, v));
  mr_l_end(p);
  float *data = iota_floats(1000), *want = iota_floats(1000);
  run_program(p, (void *[]){data, data}, 1000);
  for (int k = 0; k < 1000; k++) {
    assert_true(data[k] == want[k] * want[k]);
  }
  free(data);
  free(want);
}

// A loop that is not marked independent keeps its order: each element feeds the next.
static void test_dependent_loop(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_S32, MR_L_READ | MR_L_WRITE);
  mr_lv i = mr_l_for(p, mr_l_index(p, 1), mr_l_end_of_range(p), 1, 0);
  mr_lv before = mr_l_load(p, x, mr_l_isub(p, i, mr_l_index(p, 1)));
  mr_l_store(p, x, i, mr_l_binary(p, MR_OP_add, MR_S32, mr_l_load(p, x, i), before));
  mr_l_end(p);
  int32_t data[100];
  for (int k = 0; k < 100; k++) {
    data[k] = k;
  }
  run_program(p, (void *[]){data}, 100);
  for (int k = 0; k < 100; k++) {
    assert_int_equal(data[k], k * (k + 1) / 2);
  }
}

typedef struct reduction {
  mr_op_kind kind;
  mr_dtype dtype;
  double start;
} reduction;

static mr_loop_program *reduce_program(const reduction *r) {
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, r->dtype, MR_L_READ), y = mr_l_buffer(p, r->dtype, MR_L_WRITE);
  mr_lv start =
      mr_dtype_is_float(r->dtype) ? mr_l_float(p, r->dtype, r->start) : mr_l_int(p, r->dtype, (int64_t)r->start);
  mr_lv sum = mr_l_var(p, start);
  mr_lv i = for_share(p);
  mr_lv next = mr_l_binary_flags(p, r->kind, r->dtype, mr_l_get(p, sum), mr_l_load(p, x, i), MR_L_REASSOC);
  mr_l_set(p, sum, next);
  mr_l_end(p);
  mr_l_store(p, y, mr_l_index(p, 0), mr_l_get(p, sum));
  return p;
}

// Reductions over a variable give the sum, product, maximum and minimum for every length, whatever the type.
static void test_reductions(void **state) {
  (void)state;
  static const reduction rows[] = {
      {MR_OP_add, MR_F32, 0},      {MR_OP_maximum, MR_F32, -1e30}, {MR_OP_minimum, MR_F32, 1e30},
      {MR_OP_add, MR_F64, 0},      {MR_OP_add, MR_S32, 0},         {MR_OP_maximum, MR_S32, -1000},
      {MR_OP_add, MR_S64, 5},      {MR_OP_maximum, MR_S8, -100},   {MR_OP_maximum, MR_BF16, -99},
      {MR_OP_minimum, MR_F16, 99}, {MR_OP_maximum, MR_F8E5M2, -96}};
  for (size_t r = 0; r < MR_ARRAY_SIZE(rows); r++) {
    mr_dtype dtype = rows[r].dtype;
    size_t bytes = mr_dtype_bytes(dtype);
    mr_loop_program *p = reduce_program(&rows[r]);
    mr_kernel *kernel = compile(p);
    for (size_t n = 0; n < MR_ARRAY_SIZE(lengths); n++) {
      double want = rows[r].start;
      _Alignas(64) static uint8_t data[8000], out[8];
      for (int64_t k = 0; k < lengths[n]; k++) {
        int v = (int)(k * 7 % 23) - 11;
        mr_scalar_from_double(dtype, v, data + (size_t)k * bytes);
        double kept = mr_scalar_to_double(dtype, data + (size_t)k * bytes);
        if (rows[r].kind == MR_OP_add) {
          want += kept;
        }
        if (rows[r].kind == MR_OP_maximum) {
          want = MR_MAX(want, kept);
        }
        if (rows[r].kind == MR_OP_minimum) {
          want = MR_MIN(want, kept);
        }
      }
      mr_kernel_function(kernel)((void *[]){data, out}, &mr_stop_no_token, 0, lengths[n]);
      uint8_t rounded[MR_SCALAR_BYTES];
      mr_scalar_from_double(dtype, want, rounded);
      assert_memory_equal(out, rounded, bytes);
    }
    mr_kernel_release(kernel);
    mr_loop_release(p);
  }
}

// A maximum over data with a NaN is NaN, wherever it stands.
static void test_maximum_reduction_keeps_nan(void **state) {
  (void)state;
  reduction r = {MR_OP_maximum, MR_F32, -__builtin_inf()};
  mr_loop_program *p = reduce_program(&r);
  mr_kernel *kernel = compile(p);
  for (int at = 0; at < 100; at++) {
    float x[100], y;
    for (int k = 0; k < 100; k++) {
      x[k] = (float)k;
    }
    x[at] = __builtin_nanf("");
    mr_kernel_function(kernel)((void *[]){x, &y}, &mr_stop_no_token, 0, 100);
    assert_true(y != y);
  }
  mr_kernel_release(kernel);
  mr_loop_release(p);
}

// Without REASSOC a float sum is taken in order, bit for bit.
static void test_strict_sum_keeps_order(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv sum = mr_l_var(p, mr_l_float(p, MR_F32, 0));
  mr_lv i = for_share(p);
  mr_l_set(p, sum, mr_l_binary(p, MR_OP_add, MR_F32, mr_l_get(p, sum), mr_l_load(p, x, i)));
  mr_l_end(p);
  mr_l_store(p, y, mr_l_index(p, 0), mr_l_get(p, sum));
  float data[501], got, want = 0;
  for (int k = 0; k < 501; k++) {
    data[k] = 1.0f / (float)(k * k + 1) * (k % 3 ? 1e4f : 1.0f);
  }
  for (int k = 0; k < 501; k++) {
    want += data[k];
  }
  run_program(p, (void *[]){data, &got}, 501);
  assert_memory_equal(&got, &want, sizeof got);
}

// IF and ELSE take the side the condition says, and variables carry the result out.
static void test_if_else(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_S32, MR_L_READ), y = mr_l_buffer(p, MR_S32, MR_L_WRITE);
  mr_lv i = for_share(p);
  mr_lv v = mr_l_load(p, x, i), r = mr_l_var(p, v);
  mr_l_if(p, mr_l_compare(p, MR_L_LT, 0, MR_S32, v, mr_l_int(p, MR_S32, 0)));
  mr_l_set(p, r, mr_l_unary(p, MR_OP_negate, MR_S32, v));
  mr_l_else(p);
  mr_l_if(p, mr_l_compare(p, MR_L_GT, 0, MR_S32, v, mr_l_int(p, MR_S32, 10)));
  mr_l_set(p, r, mr_l_int(p, MR_S32, 10));
  mr_l_end(p);
  mr_l_end(p);
  mr_l_store(p, y, i, mr_l_get(p, r));
  mr_l_end(p);
  int32_t in[100], out[100];
  for (int k = 0; k < 100; k++) {
    in[k] = k - 50;
  }
  run_program(p, (void *[]){in, out}, 100);
  for (int k = 0; k < 100; k++) {
    assert_int_equal(out[k], in[k] < 0 ? -in[k] : in[k] > 10 ? 10 : in[k]);
  }
}

// A store under an IF leaves the other elements alone.
static void test_conditional_store(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf m = mr_l_buffer(p, MR_PRED, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv i = for_share(p);
  mr_l_if(p, mr_l_load(p, m, i));
  mr_l_store(p, y, i, mr_l_float(p, MR_F32, 5));
  mr_l_end(p);
  mr_l_end(p);
  uint8_t mask[67];
  float out[67];
  for (int k = 0; k < 67; k++) {
    mask[k] = k % 3 == 0;
    out[k] = (float)k;
  }
  run_program(p, (void *[]){mask, out}, 67);
  for (int k = 0; k < 67; k++) {
    assert_true(out[k] == (k % 3 ? (float)k : 5.0f));
  }
}

// WHILE runs until its condition, computed each time, is false; not at all when it starts false. (Collatz steps.)
static void test_while(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_S64, MR_L_READ), y = mr_l_buffer(p, MR_S64, MR_L_WRITE);
  mr_lv one = mr_l_int(p, MR_S64, 1);
  mr_lv i = for_share(p);
  mr_lv n = mr_l_var(p, mr_l_load(p, x, i)), steps = mr_l_var(p, mr_l_int(p, MR_S64, 0));
  mr_l_while(p);
  mr_lv now = mr_l_get(p, n);
  mr_l_do(p, mr_l_compare(p, MR_L_NE, 0, MR_S64, now, one));
  mr_lv odd = mr_l_compare(p, MR_L_EQ, 0, MR_S64, mr_l_binary(p, MR_OP_and, MR_S64, now, one), one);
  mr_lv up =
      mr_l_binary(p, MR_OP_add, MR_S64, mr_l_binary(p, MR_OP_multiply, MR_S64, now, mr_l_int(p, MR_S64, 3)), one);
  mr_lv down = mr_l_binary(p, MR_OP_shift_right_logical, MR_S64, now, one);
  mr_l_set(p, n, mr_l_select(p, MR_S64, odd, up, down));
  mr_l_set(p, steps, mr_l_binary(p, MR_OP_add, MR_S64, mr_l_get(p, steps), one));
  mr_l_end(p);
  mr_l_store(p, y, i, mr_l_get(p, steps));
  mr_l_end(p);
  int64_t in[4] = {1, 6, 27, 97}, out[4], want[4] = {0, 8, 111, 118};
  run_program(p, (void *[]){in, out}, 4);
  assert_memory_equal(out, want, sizeof out);
}

// A local is memory of the share: here a row is reversed through one.
static void test_local_buffer(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_S16, MR_L_READ), y = mr_l_buffer(p, MR_S16, MR_L_WRITE);
  mr_lbuf row = mr_l_local(p, MR_S16, 33);
  mr_lv width = mr_l_index(p, 33), zero = mr_l_index(p, 0);
  mr_lv i = mr_l_for(p, mr_l_begin(p), mr_l_end_of_range(p), 1, 0);
  mr_lv base = mr_l_imul(p, i, width);
  mr_l_copy(p, row, zero, x, base, width);
  mr_lv j = mr_l_for(p, zero, width, 1, MR_L_INDEPENDENT);
  mr_l_store(p, y, mr_l_iadd(p, base, j), mr_l_load(p, row, mr_l_isub(p, mr_l_index(p, 32), j)));
  mr_l_end(p);
  mr_l_end(p);
  int16_t in[5 * 33], out[5 * 33];
  for (int k = 0; k < 5 * 33; k++) {
    in[k] = (int16_t)k;
  }
  run_program(p, (void *[]){in, out}, 5);
  for (int k = 0; k < 5 * 33; k++) {
    assert_int_equal(out[k], k / 33 * 33 + 32 - k % 33);
  }
}

// Locals of more than 256 KiB are refused by name, not run over the stack.
static void test_huge_local_is_refused(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_local(p, MR_F32, 1 << 20);
  mr_l_store(p, x, mr_l_index(p, 0), mr_l_float(p, MR_F32, 1));
  mr_kernel *kernel;
  mr_status status = mr_kernel_compile(p, &kernel);
  assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
  assert_null(kernel);
  mr_status_free(status);
  mr_loop_release(p);
}

// FILL writes [from, to) and nothing else, for byte patterns and for wider ones, and nothing when empty.
static void test_fill(void **state) {
  (void)state;
  static const struct {
    mr_dtype dtype;
    double value;
  } rows[] = {{MR_S8, 7}, {MR_F32, 0}, {MR_F32, 2.5}, {MR_F64, -1}, {MR_U16, 300}, {MR_PRED, 1}};
  for (size_t r = 0; r < MR_ARRAY_SIZE(rows); r++) {
    mr_loop_program *p = new_program();
    mr_lbuf y = mr_l_buffer(p, rows[r].dtype, MR_L_WRITE);
    mr_lv value = mr_dtype_is_float(rows[r].dtype) ? mr_l_float(p, rows[r].dtype, rows[r].value)
                                                   : mr_l_int(p, rows[r].dtype, (int64_t)rows[r].value);
    mr_l_fill(p, y, mr_l_begin(p), mr_l_end_of_range(p), value);
    mr_kernel *kernel = compile(p);
    uint8_t one[8], out[100 * 8], untouched[100 * 8];
    size_t bytes = mr_dtype_bytes(rows[r].dtype);
    uint64_t bits = p->instrs[value].imm;
    memcpy(one, &bits, 8);
    memset(untouched, 0xAB, sizeof untouched);
    for (int64_t from = 0; from < 20; from += 5) {
      for (int64_t to = from - 1; to < 100; to += 11) {
        memset(out, 0xAB, sizeof out);
        mr_kernel_function(kernel)((void *[]){out}, &mr_stop_no_token, from, to);
        for (int64_t k = 0; k < 100; k++) {
          assert_memory_equal(out + (size_t)k * bytes, k >= from && k < to ? one : untouched, bytes);
        }
      }
    }
    mr_kernel_release(kernel);
    mr_loop_release(p);
  }
}

// Steps, index division, remainder, minimum and maximum, in nested loops: a transpose by blocks.
static void test_blocked_transpose(void **state) {
  (void)state;
  enum { N = 37, M = 53, B = 8 };
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_S32, MR_L_READ), y = mr_l_buffer(p, MR_S32, MR_L_WRITE);
  mr_lv n = mr_l_index(p, N), m = mr_l_index(p, M), b = mr_l_index(p, B), zero = mr_l_index(p, 0);
  mr_lv bi = mr_l_for(p, zero, n, B, MR_L_INDEPENDENT);
  mr_lv bj = mr_l_for(p, zero, m, B, MR_L_INDEPENDENT);
  mr_lv i = mr_l_for(p, bi, mr_l_imin(p, mr_l_iadd(p, bi, b), n), 1, MR_L_INDEPENDENT);
  mr_lv j = mr_l_for(p, bj, mr_l_imin(p, mr_l_iadd(p, bj, b), m), 1, MR_L_INDEPENDENT);
  mr_l_store(p, y, mr_l_iadd(p, mr_l_imul(p, j, n), i), mr_l_load(p, x, mr_l_iadd(p, mr_l_imul(p, i, m), j)));
  for (int k = 0; k < 4; k++) {
    mr_l_end(p);
  }
  static int32_t in[N * M], out[N * M];
  for (int k = 0; k < N * M; k++) {
    in[k] = k;
  }
  run_program(p, (void *[]){in, out}, 0);
  for (int k = 0; k < N * M; k++) {
    assert_int_equal(out[k % M * N + k / M], k);
  }

  p = new_program();
  mr_lbuf z = mr_l_buffer(p, MR_S64, MR_L_WRITE);
  mr_lv k = for_share(p), seven = mr_l_index(p, 7);
  mr_lv v = mr_l_iadd(p, mr_l_imul(p, mr_l_idiv(p, k, seven), mr_l_index(p, 100)), mr_l_irem(p, k, seven));
  mr_l_store(p, z, k, mr_l_imax(p, v, mr_l_index(p, 50)));
  mr_l_end(p);
  int64_t got[40];
  run_program(p, (void *[]){got}, 40);
  for (int64_t q = 0; q < 40; q++) {
    assert_int_equal(got[q], MR_MAX(q / 7 * 100 + q % 7, 50));
  }
}

// More loops than there are access groups still compile and run.
static void test_many_loops(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_S32, MR_L_READ | MR_L_WRITE);
  for (int k = 0; k < 80; k++) {
    mr_lv i = for_share(p);
    mr_l_store(p, x, i, mr_l_binary(p, MR_OP_add, MR_S32, mr_l_load(p, x, i), mr_l_int(p, MR_S32, k)));
    mr_l_end(p);
  }
  int32_t data[19] = {0};
  run_program(p, (void *[]){data}, 19);
  for (int k = 0; k < 19; k++) {
    assert_int_equal(data[k], 80 * 79 / 2);
  }
}

// Streaming stores write the same values, on aligned and unaligned memory and shares, for every element width.
static void test_streaming_stores(void **state) {
  (void)state;
  static const mr_dtype dtypes[] = {MR_U8, MR_S16, MR_S32, MR_S64, MR_PRED};
  for (size_t d = 0; d < MR_ARRAY_SIZE(dtypes); d++) {
    size_t bytes = mr_dtype_bytes(dtypes[d]);
    mr_loop_program *p = new_program();
    mr_lbuf x = mr_l_buffer(p, dtypes[d], MR_L_READ), y = mr_l_buffer(p, dtypes[d], MR_L_WRITE);
    mr_lv i = for_share(p);
    mr_l_store_flags(p, y, i, mr_l_unary(p, MR_OP_not, dtypes[d], mr_l_load(p, x, i)), MR_L_STREAM);
    mr_l_end(p);
    mr_kernel *kernel = compile(p);
    _Alignas(64) static uint8_t in[4096], out[4096], want[4096];
    for (size_t k = 0; k < sizeof in; k++) {
      in[k] = dtypes[d] == MR_PRED ? k % 3 == 0 : (uint8_t)(k * 37);
    }
    for (size_t offset = 0; offset < 3; offset++) {
      for (int64_t begin = 0; begin < 3; begin++) {
        memset(out, 0, sizeof out);
        memset(want, 0, sizeof want);
        for (size_t k = (size_t)begin * bytes; k < 300 * bytes; k++) {
          want[offset * bytes + k] = dtypes[d] == MR_PRED ? !in[k] : (uint8_t)~in[k];
        }
        mr_kernel_function(kernel)((void *[]){in, out + offset * bytes}, &mr_stop_no_token, begin, 300);
        assert_memory_equal(out, want, sizeof out);
      }
    }
    mr_kernel_release(kernel);
    mr_loop_release(p);
  }
}

// Each step of a chain on bf16 rounds, and a NaN stays one whatever its bits are.
static void test_each_step_rounds(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_BF16, MR_L_READ), y = mr_l_buffer(p, MR_BF16, MR_L_WRITE);
  mr_lv i = for_share(p);
  mr_lv tiny = mr_l_float(p, MR_BF16, 0x1p-9), one = mr_l_float(p, MR_BF16, 1);
  mr_lv v = mr_l_binary(p, MR_OP_add, MR_BF16, mr_l_load(p, x, i), tiny);
  v = mr_l_binary(p, MR_OP_subtract, MR_BF16, v, one);
  mr_l_store(p, y, i, mr_l_unary(p, MR_OP_negate, MR_BF16, v));
  mr_l_end(p);
  static const uint16_t nans[] = {0x7F81, 0x7FFF, 0xFFFF, 0x7FC0, 0xFF80 + 1};
  uint16_t in[21], out[21];
  for (int k = 0; k < 21; k++) {
    in[k] = k % 4 ? 0x3F80 : nans[k / 4 % 5];  // 1
  }
  run_program(p, (void *[]){in, out}, 21);
  for (int k = 0; k < 21; k++) {
    if (k % 4) {
      assert_int_equal(out[k], 0x8000);  // 1 + 2^-9 is 1
    } else {
      assert_true((out[k] & 0x7FFF) > 0x7F80);
    }
  }
}

// A short loop marked for unrolling over a local keeps its meaning.
static void test_unrolled_loop(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv three = mr_l_index(p, 3), zero = mr_l_index(p, 0);
  mr_lv i = for_share(p);
  mr_lv sum = mr_l_var(p, mr_l_float(p, MR_F32, 0));
  mr_lv j = mr_l_for(p, zero, three, 1, MR_L_UNROLL);
  mr_l_set(p, sum, mr_l_binary(p, MR_OP_add, MR_F32, mr_l_get(p, sum), mr_l_load(p, x, mr_l_iadd(p, i, j))));
  mr_l_end(p);
  mr_l_store(p, y, i, mr_l_get(p, sum));
  mr_l_end(p);
  float *in = iota_floats(70), out[68];
  run_program(p, (void *[]){in, out}, 68);
  for (int k = 0; k < 68; k++) {
    assert_true(out[k] == in[k] + in[k + 1] + in[k + 2]);
  }
  free(in);
}

// A program that cannot be compiled gives an error that holds its text.
static void test_error_holds_the_program(void **state) {
  (void)state;
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ);
  mr_l_unary(p, MR_OP_uniform_quantize, MR_F32, mr_l_load(p, x, mr_l_index(p, 0)));
  mr_kernel *kernel;
  mr_status status = mr_kernel_compile(p, &kernel);
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  assert_non_null(strstr(mr_status_message(status), "uniform_quantize"));
  assert_non_null(strstr(mr_status_message(status), "buffer b0 f32 read"));
  mr_status_free(status);
  mr_loop_release(p);
}

int main(void) {
  setenv("MILLRACE_CACHE_DIR", "", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_share_bounds),
      cmocka_unit_test(test_in_place),
      cmocka_unit_test(test_dependent_loop),
      cmocka_unit_test(test_reductions),
      cmocka_unit_test(test_maximum_reduction_keeps_nan),
      cmocka_unit_test(test_strict_sum_keeps_order),
      cmocka_unit_test(test_if_else),
      cmocka_unit_test(test_conditional_store),
      cmocka_unit_test(test_while),
      cmocka_unit_test(test_local_buffer),
      cmocka_unit_test(test_huge_local_is_refused),
      cmocka_unit_test(test_fill),
      cmocka_unit_test(test_blocked_transpose),
      cmocka_unit_test(test_many_loops),
      cmocka_unit_test(test_streaming_stores),
      cmocka_unit_test(test_each_step_rounds),
      cmocka_unit_test(test_unrolled_loop),
      cmocka_unit_test(test_error_holds_the_program),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
