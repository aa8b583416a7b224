// Every elementwise operation on every type against a scalar reference in C. One kernel per type holds one loop per
// operation; lengths are odd, so that vector bodies and their remainders are both checked.
#include <math.h>

#include "compiler/ir/scalar.h"
#include "tests/compiler/loops_util.h"
#include "tests/compiler/op_reference.h"

#define MAX_LOOPS 48

// ---- Inputs -----------------------------------------------------------------------------------------------------------

static const double float_values[] = {0.0,   -0.0,   1.0,    -1.0,    0.5,         -0.5,        1.5,       2.5,
                                      -2.5,  0.1,    3.0,    -7.0,    100.0,       1e-3,        448.0,     65504.,
                                      1e10,  -1e10,  3.4e38, 1.2e-38, 1.4e-45,     1e-40,       57344,     240.0,
                                      30.0,  6.0,    0.0625, 1e300,   2147483648., 4294967296., 9.3e18,    -9.3e18,
                                      127.5, -128.5, 255.5,  32767.5, 0.49999997,  INFINITY,    -INFINITY, NAN};

static const int64_t int_values[] = {0,
                                     1,
                                     -1,
                                     2,
                                     -2,
                                     3,
                                     5,
                                     -7,
                                     8,
                                     15,
                                     16,
                                     31,
                                     32,
                                     33,
                                     63,
                                     64,
                                     100,
                                     127,
                                     -128,
                                     255,
                                     256,
                                     32767,
                                     -32768,
                                     65535,
                                     2147483647,
                                     -2147483648ll,
                                     4294967295ll,
                                     16777217,
                                     INT64_MAX,
                                     INT64_MIN,
                                     0x0123456789abcdefll};

typedef struct inputs {
  mr_dtype dtype;
  size_t count;        // of values
  uint8_t *a, *b, *c;  // pairs and thirds
  size_t pairs;
} inputs;

static size_t single_values(mr_dtype dtype, uint8_t *out) {
  unsigned bits = mr_dtype_bits(dtype);
  size_t bytes = mr_dtype_bytes(dtype), n = 0;
  if (bits <= 8) {
    for (uint32_t code = 0; code < 1u << bits; code++) {
      if (mr_dtype_is_float(dtype)) {
        out[n++] = (uint8_t)code;
      } else {
        mr_scalar_from_int(dtype, code, out + n++);
      }
    }
    return n;
  }
  if (mr_dtype_is_float(dtype)) {
    for (size_t i = 0; i < MR_ARRAY_SIZE(float_values); i++) {
      mr_scalar_from_double(dtype, float_values[i], out + n++ * bytes);
    }
    return n;
  }
  for (size_t i = 0; i < MR_ARRAY_SIZE(int_values); i++) {
    mr_scalar_from_int(dtype, int_values[i], out + n++ * bytes);
  }
  return n;
}

// Every pair of values; the third operand walks at another pace.
static inputs make_inputs(mr_dtype dtype) {
  static uint8_t values[256 * 8];
  inputs in = {.dtype = dtype};
  size_t bytes = mr_dtype_bytes(dtype);
  in.count = single_values(dtype, values);
  in.pairs = in.count * in.count;
  in.a = malloc(in.pairs * bytes);
  in.b = malloc(in.pairs * bytes);
  in.c = malloc(in.pairs * bytes);
  for (size_t i = 0; i < in.pairs; i++) {
    memcpy(in.a + i * bytes, values + i / in.count * bytes, bytes);
    memcpy(in.b + i * bytes, values + i % in.count * bytes, bytes);
    memcpy(in.c + i * bytes, values + i * 7 % in.count * bytes, bytes);
  }
  return in;
}

static void free_inputs(inputs *in) {
  free(in->a);
  free(in->b);
  free(in->c);
}

// ---- The operations under test ----------------------------------------------------------------------------------------

typedef struct job {
  work works[MAX_LOOPS];
  size_t count;
} job;

static void add_work(job *j, mr_op_kind kind, mr_dtype result, uint64_t imm, double tolerance) {
  assert_true(j->count < MAX_LOOPS);
  j->works[j->count++] = (work){kind, result, imm, tolerance};
}

static mr_lv build_value(mr_loop_program *p, const work *w, mr_dtype dtype, mr_lv a, mr_lv b, mr_lv c) {
  switch ((int)w->kind) {
  case MR_OP_convert: return mr_l_convert(p, w->result, a);
  case MR_OP_bitcast_convert: return mr_l_bitcast(p, w->result, a);
  case MR_OP_compare: return mr_l_compare(p, (int)(w->imm & 255), (int)(w->imm >> 8), dtype, a, b);
  case MR_OP_reduce_precision: return mr_l_reduce_precision(p, dtype, (int)(w->imm & 255), (int)(w->imm >> 8), a);
  case MR_OP_select: return mr_l_select(p, dtype, mr_l_compare(p, MR_L_LT, 0, dtype, a, b), b, c);
  default: break;
  }
  int operands = mr_op_table[w->kind].operands;
  if (operands == 1) {
    return mr_l_unary(p, w->kind, dtype, a);
  }
  if (operands == 2) {
    return mr_l_binary(p, w->kind, dtype, a, b);
  }
  // clamp(lo, x, hi)
  mr_lv v = mr_l_binary(p, w->kind, dtype, b, a);
  p->instrs[v].c = c;
  return v;
}

static void run_job(const job *j, const inputs *in, uint8_t **results) {
  mr_loop_program *p = new_program();
  void *buffers[MAX_LOOPS + 3] = {in->a, in->b, in->c};
  mr_lbuf a = mr_l_buffer(p, in->dtype, MR_L_READ), b = mr_l_buffer(p, in->dtype, MR_L_READ),
          c = mr_l_buffer(p, in->dtype, MR_L_READ), out[MAX_LOOPS];
  for (size_t k = 0; k < j->count; k++) {
    out[k] = mr_l_buffer(p, j->works[k].result, MR_L_WRITE);
    results[k] = calloc(in->pairs, mr_dtype_bytes(j->works[k].result));
    buffers[3 + k] = results[k];
  }
  for (size_t k = 0; k < j->count; k++) {
    mr_lv i = for_share(p);
    mr_lv v = build_value(p, &j->works[k], in->dtype, mr_l_load(p, a, i), mr_l_load(p, b, i), mr_l_load(p, c, i));
    mr_l_store(p, out[k], i, v);
    mr_l_end(p);
  }
  mr_kernel *kernel;
  check_ok(mr_kernel_compile(p, &kernel));
  mr_kernel_function(kernel)(buffers, &mr_stop_no_token, 0, (int64_t)in->pairs);
  mr_kernel_release(kernel);
  mr_loop_release(p);
}

// ---- Comparing --------------------------------------------------------------------------------------------------------

static void report(const work *w, const inputs *in, size_t i, const char *got, const char *want) {
  size_t bytes = mr_dtype_bytes(in->dtype);
  double a = mr_scalar_to_double(in->dtype, in->a + i * bytes), b = mr_scalar_to_double(in->dtype, in->b + i * bytes),
         c = mr_scalar_to_double(in->dtype, in->c + i * bytes);
  fail_msg("%s %s -> %s imm %llx of (%.17g, %.17g, %.17g): %s, wanted %s", mr_op_table[w->kind].name,
           mr_dtype_name(in->dtype), mr_dtype_name(w->result), (unsigned long long)w->imm, a, b, c, got, want);
}

static void check_float(const work *w, const inputs *in, const uint8_t *results) {
  bool wide = in->dtype == MR_F64;
  size_t bytes = mr_dtype_bytes(in->dtype), result_bytes = mr_dtype_bytes(w->result);
  for (size_t i = 0; i < in->pairs; i++) {
    double x = mr_scalar_to_double(in->dtype, in->a + i * bytes), y = mr_scalar_to_double(in->dtype, in->b + i * bytes),
           z = mr_scalar_to_double(in->dtype, in->c + i * bytes), want;
    if (w->kind == MR_OP_compare) {
      int direction = (int)(w->imm & 255);
      want = w->imm >> 8 == MR_L_TOTALORDER ? total_compare(direction, x, y) : ordered(direction, x, y);
    } else {
      want = float_reference(w, wide, x, y, z);
    }
    uint8_t rounded[MR_SCALAR_BYTES];
    // Narrow types go through f32, as the operation itself does.
    if (!wide && w->result != MR_PRED) {
      want = (float)want;
    }
    mr_scalar_from_double(w->result, want, rounded);
    double got = mr_scalar_to_double(w->result, results + i * result_bytes);
    want = mr_scalar_to_double(w->result, rounded);
    bool huge = w->tolerance && fabs(want) > 1e300;
    if (!float_close(w->result, got, want, w->tolerance) && !huge) {
      char g[40], t[40];
      snprintf(g, sizeof g, "%.17g", got);
      snprintf(t, sizeof t, "%.17g", want);
      report(w, in, i, g, t);
    }
  }
}

static void check_int(const work *w, const inputs *in, const uint8_t *results) {
  size_t bytes = mr_dtype_bytes(in->dtype), result_bytes = mr_dtype_bytes(w->result);
  for (size_t i = 0; i < in->pairs; i++) {
    wide_int x = int_of(in->dtype, in->a + i * bytes), y = int_of(in->dtype, in->b + i * bytes),
             z = int_of(in->dtype, in->c + i * bytes);
    uint8_t want[MR_SCALAR_BYTES];
    mr_scalar_from_int(w->result, (int64_t)int_reference(w, in->dtype, x, y, z), want);
    if (mr_dtype_is_narrow(w->result)) {
      mr_dtype_clear_above(w->result, want, 1);  // as memory has it
    }
    if (memcmp(want, results + i * result_bytes, result_bytes)) {
      char g[40], t[40];
      snprintf(g, sizeof g, "%lld", (long long)mr_scalar_to_int(w->result, results + i * result_bytes));
      snprintf(t, sizeof t, "%lld", (long long)mr_scalar_to_int(w->result, want));
      report(w, in, i, g, t);
    }
  }
}

// ---- Tests ------------------------------------------------------------------------------------------------------------

static void run_and_check(const job *j, mr_dtype dtype) {
  uint8_t *results[MAX_LOOPS];
  inputs in = make_inputs(dtype);
  run_job(j, &in, results);
  for (size_t k = 0; k < j->count; k++) {
    if (mr_dtype_is_float(dtype)) {
      check_float(&j->works[k], &in, results[k]);
    } else {
      check_int(&j->works[k], &in, results[k]);
    }
    free(results[k]);
  }
  free_inputs(&in);
}

static const mr_dtype floats[] = {MR_F16,      MR_BF16,          MR_F32,        MR_F64,        MR_F8E5M2,
                                  MR_F8E4M3FN, MR_F8E4M3B11FNUZ, MR_F8E5M2FNUZ, MR_F8E4M3FNUZ, MR_F8E4M3,
                                  MR_F8E3M4,   MR_F8E8M0FNU,     MR_F4E2M1FN,   MR_F6E2M3FN,   MR_F6E3M2FN};
static const mr_dtype ints[] = {MR_S1, MR_U1,  MR_S2,  MR_U2,  MR_S4,  MR_U4,  MR_S8,
                                MR_U8, MR_S16, MR_U16, MR_S32, MR_U32, MR_S64, MR_U64};

// Operations that round at most once are exact on every float type, NaNs, infinities, zeros and subnormals included.
static void test_exact_float_ops(void **state) {
  (void)state;
  static const mr_op_kind kinds[] = {MR_OP_add,
                                     MR_OP_subtract,
                                     MR_OP_multiply,
                                     MR_OP_divide,
                                     MR_OP_square,
                                     MR_OP_maximum,
                                     MR_OP_minimum,
                                     MR_OP_clamp,
                                     MR_OP_sqrt,
                                     MR_OP_ceil,
                                     MR_OP_floor,
                                     MR_OP_round_nearest_even,
                                     MR_OP_round_nearest_afz,
                                     MR_OP_abs,
                                     MR_OP_negate,
                                     MR_OP_sign,
                                     MR_OP_real,
                                     MR_OP_conj,
                                     MR_OP_imag,
                                     MR_OP_select};
  static const mr_op_kind predicates[] = {MR_OP_is_finite, MR_OP_is_inf, MR_OP_is_pos_inf, MR_OP_is_neg_inf};
  for (size_t d = 0; d < MR_ARRAY_SIZE(floats); d++) {
    job j = {0};
    for (size_t k = 0; k < MR_ARRAY_SIZE(kinds); k++) {
      add_work(&j, kinds[k], floats[d], 0, 0);
    }
    for (size_t k = 0; k < MR_ARRAY_SIZE(predicates); k++) {
      add_work(&j, predicates[k], MR_PRED, 0, 0);
    }
    for (unsigned direction = 0; direction < 6; direction++) {
      add_work(&j, MR_OP_compare, MR_PRED, direction, 0);
      add_work(&j, MR_OP_compare, MR_PRED, direction | MR_L_TOTALORDER << 8, 0);
    }
    run_and_check(&j, floats[d]);
  }
}

// Functions of ops/element come out within a few units of the last place, special values as libm has them.
static void test_function_ops(void **state) {
  (void)state;
  static const mr_op_kind kinds[] = {MR_OP_exponential, MR_OP_exponential_minus_one,
                                     MR_OP_log,         MR_OP_log_plus_one,
                                     MR_OP_sine,        MR_OP_cosine,
                                     MR_OP_tan,         MR_OP_tanh,
                                     MR_OP_logistic,    MR_OP_rsqrt,
                                     MR_OP_cbrt,        MR_OP_erf,
                                     MR_OP_erfc,        MR_OP_asin,
                                     MR_OP_acos,        MR_OP_atan,
                                     MR_OP_sinh,        MR_OP_cosh,
                                     MR_OP_asinh,       MR_OP_acosh,
                                     MR_OP_atanh,       MR_OP_power,
                                     MR_OP_atan2,       MR_OP_remainder};
  for (size_t d = 0; d < 4; d++) {
    job j = {0};
    for (size_t k = 0; k < MR_ARRAY_SIZE(kinds); k++) {
      add_work(&j, kinds[k], floats[d], 0, d < 2 ? 1 : 2);
    }
    run_and_check(&j, floats[d]);
  }
}

// reduce_precision rounds to nearest even, overflows to infinity and flushes what lies below the smallest normal.
static void test_reduce_precision(void **state) {
  (void)state;
  static const unsigned formats[][2] = {{5, 10}, {8, 7}, {5, 2}, {4, 3}, {8, 23}, {11, 52}, {2, 1}, {3, 4}, {4, 0}};
  for (size_t d = 0; d < 4; d++) {
    job j = {0};
    for (size_t k = 0; k < MR_ARRAY_SIZE(formats); k++) {
      // e8 on f32 and e11 on f64 keep subnormals, which the reference does not model.
      bool own = formats[k][0] == 8 || formats[k][0] == 11;
      if (!own || (formats[k][0] == 8 && floats[d] == MR_F16)) {
        add_work(&j, MR_OP_reduce_precision, floats[d], formats[k][0] | formats[k][1] << 8, 0);
      }
    }
    run_and_check(&j, floats[d]);
  }
}

// Integer operations wrap and never trap, in every width.
static void test_int_ops(void **state) {
  (void)state;
  static const mr_op_kind kinds[] = {MR_OP_add,
                                     MR_OP_subtract,
                                     MR_OP_multiply,
                                     MR_OP_square,
                                     MR_OP_divide,
                                     MR_OP_remainder,
                                     MR_OP_maximum,
                                     MR_OP_minimum,
                                     MR_OP_clamp,
                                     MR_OP_select,
                                     MR_OP_and,
                                     MR_OP_or,
                                     MR_OP_xor,
                                     MR_OP_not,
                                     MR_OP_negate,
                                     MR_OP_abs,
                                     MR_OP_sign,
                                     MR_OP_popcnt,
                                     MR_OP_count_leading_zeros,
                                     MR_OP_power,
                                     MR_OP_mulhi,
                                     MR_OP_shift_left,
                                     MR_OP_shift_right_logical,
                                     MR_OP_shift_right_arithmetic};
  for (size_t d = 0; d < MR_ARRAY_SIZE(ints); d++) {
    job j = {0};
    for (size_t k = 0; k < MR_ARRAY_SIZE(kinds); k++) {
      if (kinds[k] == MR_OP_abs && mr_dtype_bits(ints[d]) == 1) {
        continue;
      }
      add_work(&j, kinds[k], ints[d], 0, 0);
    }
    for (unsigned direction = 0; direction < 6; direction++) {
      add_work(&j, MR_OP_compare, MR_PRED, direction, 0);
    }
    run_and_check(&j, ints[d]);
  }
}

// PRED: add is or, multiply is and, comparison takes false < true.
static void test_pred_ops(void **state) {
  (void)state;
  static const struct {
    mr_op_kind kind;
    uint8_t table[4];  // of (0,0) (0,1) (1,0) (1,1)
  } rows[] = {{MR_OP_add, {0, 1, 1, 1}},     {MR_OP_multiply, {0, 0, 0, 1}}, {MR_OP_maximum, {0, 1, 1, 1}},
              {MR_OP_minimum, {0, 0, 0, 1}}, {MR_OP_and, {0, 0, 0, 1}},      {MR_OP_or, {0, 1, 1, 1}},
              {MR_OP_xor, {0, 1, 1, 0}},     {MR_OP_not, {1, 1, 0, 0}},      {MR_OP_power, {1, 0, 1, 1}},
              {MR_OP_subtract, {0, 1, 1, 0}}};
  uint8_t a[4] = {0, 0, 1, 1}, b[4] = {0, 1, 0, 1}, got[4];
  for (size_t r = 0; r < MR_ARRAY_SIZE(rows); r++) {
    mr_loop_program *p = new_program();
    mr_lbuf x = mr_l_buffer(p, MR_PRED, MR_L_READ), y = mr_l_buffer(p, MR_PRED, MR_L_READ),
            z = mr_l_buffer(p, MR_PRED, MR_L_WRITE);
    mr_lv i = for_share(p);
    mr_lv left = mr_l_load(p, x, i), right = mr_l_load(p, y, i);
    bool one = mr_op_table[rows[r].kind].operands == 1;
    mr_l_store(p, z, i,
               one ? mr_l_unary(p, rows[r].kind, MR_PRED, left) : mr_l_binary(p, rows[r].kind, MR_PRED, left, right));
    mr_l_end(p);
    run_program(p, (void *[]){a, b, got}, 4);
    assert_memory_equal(got, rows[r].table, 4);
  }
}

// convert from every type to every type, against the scalar conversion of compiler/ir.
static void test_convert_all_pairs(void **state) {
  (void)state;
  mr_dtype all[32];
  size_t count = 0;
  for (size_t d = 0; d < MR_ARRAY_SIZE(floats); d++) {
    all[count++] = floats[d];
  }
  for (size_t d = 0; d < MR_ARRAY_SIZE(ints); d++) {
    all[count++] = ints[d];
  }
  all[count++] = MR_PRED;
  for (size_t s = 0; s < count; s++) {
    uint8_t *results[MAX_LOOPS];
    job j = {0};
    for (size_t t = 0; t < count; t++) {
      if (t != s) {
        add_work(&j, MR_OP_convert, all[t], 0, 0);
      }
    }
    inputs in = make_inputs(all[s]);
    in.pairs = MR_MIN(in.pairs, in.count * 2 + 3);
    for (size_t i = 0; i < in.pairs; i++) {
      size_t bytes = mr_dtype_bytes(all[s]);
      memmove(in.a + i * bytes, in.b + i * bytes, bytes);
    }
    run_job(&j, &in, results);
    for (size_t k = 0; k < j.count; k++) {
      mr_dtype to = j.works[k].result;
      size_t bytes = mr_dtype_bytes(all[s]), to_bytes = mr_dtype_bytes(to);
      for (size_t i = 0; i < in.pairs; i++) {
        uint8_t want[MR_SCALAR_BYTES];
        mr_scalar_convert(all[s], in.a + i * bytes, to, want);
        if (mr_dtype_is_narrow(to)) {
          mr_dtype_clear_above(to, want, 1);  // as memory has it
        }
        const uint8_t *got = results[k] + i * to_bytes;
        double w = mr_scalar_to_double(to, want), g = mr_scalar_to_double(to, got);
        bool both_nan = isnan(w) && isnan(g);
        if (both_nan || !memcmp(want, got, to_bytes)) {
          continue;
        }
        // Integers reach bf16 through f32, as on XLA:CPU; the scalar conversion rounds once.
        if (to == MR_BF16 && !mr_dtype_is_float(all[s]) && fabs(w - g) <= last_place(to, w)) {
          continue;
        }
        char gt[40], wt[40];
        snprintf(gt, sizeof gt, "%.17g", g);
        snprintf(wt, sizeof wt, "%.17g", w);
        report(&j.works[k], &in, i, gt, wt);
      }
      free(results[k]);
    }
    free_inputs(&in);
  }
}

// bitcast keeps the bits, next_after moves one step, on the types that have them.
static void test_bits(void **state) {
  (void)state;
  float x[7] = {0.0f, -0.0f, 1.0f, -1.0f, 3e38f, NAN, 5.0f}, y[7] = {1.0f, -1.0f, 2.0f, 0.0f, INFINITY, 1.0f, 5.0f},
        next[7];
  uint32_t bits[7];
  mr_loop_program *p = new_program();
  mr_lbuf bx = mr_l_buffer(p, MR_F32, MR_L_READ), by = mr_l_buffer(p, MR_F32, MR_L_READ),
          bn = mr_l_buffer(p, MR_F32, MR_L_WRITE), bb = mr_l_buffer(p, MR_U32, MR_L_WRITE);
  mr_lv i = for_share(p);
  mr_lv a = mr_l_load(p, bx, i), b = mr_l_load(p, by, i);
  mr_l_store(p, bn, i, mr_l_binary(p, MR_OP_next_after, MR_F32, a, b));
  mr_l_store(p, bb, i, mr_l_bitcast(p, MR_U32, a));
  mr_l_end(p);
  run_program(p, (void *[]){x, y, next, bits}, 7);
  assert_memory_equal(bits, x, sizeof x);
  for (int k = 0; k < 7; k++) {
    float want = nextafterf(x[k], y[k]);
    assert_true(isnan(want) ? isnan(next[k]) : next[k] == want);
  }
}

// Every elementwise operation of the table either compiles or says UNIMPLEMENTED with its name.
static void test_every_op_compiles_or_says_so(void **state) {
  (void)state;
  static const mr_dtype dtypes[] = {MR_PRED, MR_S32, MR_U8, MR_F32, MR_BF16};
  for (int kind = 0; kind < MR_OP_COUNT; kind++) {
    if (!mr_op_kind_is_elementwise((mr_op_kind)kind)) {
      continue;
    }
    if (kind == MR_OP_convert || kind == MR_OP_select || kind == MR_OP_reduce_precision) {
      continue;
    }
    for (size_t d = 0; d < MR_ARRAY_SIZE(dtypes); d++) {
      mr_loop_program *p = new_program();
      mr_lbuf x = mr_l_buffer(p, dtypes[d], MR_L_READ);
      mr_lv zero = mr_l_index(p, 0), v = mr_l_load(p, x, zero), r;
      r = mr_op_table[kind].operands == 1 ? mr_l_unary(p, (mr_op_kind)kind, dtypes[d], v)
                                          : mr_l_binary(p, (mr_op_kind)kind, dtypes[d], v, v);
      if (mr_op_table[kind].operands == 3) {
        p->instrs[r].c = v;
      }
      mr_kernel *kernel;
      mr_status status = mr_kernel_compile(p, &kernel);
      if (status) {
        assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
        assert_non_null(strstr(mr_status_message(status), mr_op_table[kind].name));
      }
      mr_status_free(status);
      mr_kernel_release(kernel);
      mr_loop_release(p);
    }
  }
}

int main(void) {
  setenv("MILLRACE_CACHE_DIR", "", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exact_float_ops),
      cmocka_unit_test(test_function_ops),
      cmocka_unit_test(test_reduce_precision),
      cmocka_unit_test(test_int_ops),
      cmocka_unit_test(test_pred_ops),
      cmocka_unit_test(test_convert_all_pairs),
      cmocka_unit_test(test_bits),
      cmocka_unit_test(test_every_op_compiles_or_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
