// Kernels in OpenCL C give the bits that machine code gives: every elementwise operation on every type, on every pair of odd
// values; conversions between all types. On a device of OpenCL's where there is one (PoCL); else skipped.
#include "compiler/ir/scalar.h"
#include "tests/compiler/clc_harness.h"
#include "tests/compiler/loops_util.h"
#include "tests/sample.h"

#define MAX_OUTPUTS 48

static const mr_dtype all_types[] = {
    MR_F32,        MR_F64,        MR_F16,    MR_BF16,   MR_F8E5M2,    MR_F8E4M3FN, MR_F8E4M3B11FNUZ,
    MR_F8E5M2FNUZ, MR_F8E4M3FNUZ, MR_F8E4M3, MR_F8E3M4, MR_F8E8M0FNU, MR_F4E2M1FN, MR_F6E2M3FN,
    MR_F6E3M2FN,   MR_PRED,       MR_S1,     MR_U1,     MR_S2,        MR_U2,       MR_S4,
    MR_U4,         MR_S8,         MR_U8,     MR_S16,    MR_U16,       MR_S32,      MR_U32,
    MR_S64,        MR_U64};

// ---- Inputs -----------------------------------------------------------------------------------------------------------

typedef struct inputs {
  mr_dtype dtype;
  size_t count;
  uint8_t *values[3];
} inputs;

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

// Bit patterns near every boundary of a format: small, large, around powers of two, and any others.
static uint64_t odd_bits(mr_dtype dtype, uint64_t *state, size_t i) {
  unsigned width = mr_dtype_bits(dtype);
  uint64_t mask = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1, r = next_random(state);
  switch (i % 6) {
  case 0: return r & mask;
  case 1: return ((uint64_t)1 << r % width | (r >> 32 & 3)) & mask;
  case 2: return ((mask >> r % width) - (r >> 32 & 3)) & mask;
  case 3: return r >> (64 - width) >> (r & 7) & mask;
  default: break;
  }
  // Numbers of everyday size.
  uint8_t bytes[MR_SCALAR_BYTES] = {0};
  double size = __builtin_ldexp(1.0, (int)(r & 31) - 12);
  mr_scalar_from_double(dtype, (double)(int64_t)(r >> 8) * 0x1p-55 * size, bytes);
  uint64_t bits = 0;
  memcpy(&bits, bytes, mr_dtype_bytes(dtype));
  return bits & mask;
}

// Numbers that count as zero while a program runs: what they become depends on which side of a choice a compiler computes.
static bool is_flushed(mr_dtype dtype, uint64_t bits) {
  switch (dtype) {
  case MR_F32: return !(bits & 0x7F800000u);
  case MR_F64: return !(bits & 0x7FF0000000000000u);
  case MR_BF16: return !(bits & 0x7F80u);
  case MR_F8E8M0FNU: return !bits;  // 2^-127
  default: return false;
  }
}

static inputs make_inputs(mr_dtype dtype, size_t count) {
  static const double plain[] = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 0.5,
                                 2.0,
                                 3.0,
                                 -7.0,
                                 0.1,
                                 1e10,
                                 -1e10,
                                 __builtin_inf(),
                                 -__builtin_inf(),
                                 __builtin_nan("")};
  inputs in = {.dtype = dtype, .count = count};
  size_t bytes = mr_dtype_bytes(dtype), named = mr_dtype_is_float(dtype) ? MR_ARRAY_SIZE(plain) : 0;
  uint64_t state = 0x9E3779B97F4A7C15u;
  for (int k = 0; k < 3; k++) {
    in.values[k] = calloc(count, bytes);
    for (size_t i = 0; i < count; i++) {
      size_t place = k == 0 ? i : k == 1 ? i / MR_MAX(named, 1) : i * 7;
      if (place < named || (i < named * named && k < 2)) {
        mr_scalar_from_double(dtype, plain[place % named], in.values[k] + i * bytes);
        continue;
      }
      uint64_t value = odd_bits(dtype, &state, i + (size_t)k);
      if (mr_dtype_bits(dtype) < 8 && !mr_dtype_is_float(dtype) && dtype != MR_PRED) {
        mr_scalar_from_int(dtype, (int64_t)value, in.values[k] + i * bytes);
        continue;
      }
      value = is_flushed(dtype, value) ? 1ull << (mr_dtype_bits(dtype) - 2) : value;
      memcpy(in.values[k] + i * bytes, &value, bytes);
    }
  }
  return in;
}

static void free_inputs(inputs *in) {
  for (int k = 0; k < 3; k++) {
    free(in->values[k]);
  }
}

// ---- Programs ---------------------------------------------------------------------------------------------------------

typedef struct output {
  mr_op_kind kind;
  mr_dtype result;
  uint64_t imm;
} output;

typedef struct job {
  inputs in;
  output outputs[MAX_OUTPUTS];
  size_t count;
  mr_loop_program *loops;
  char entry[40];
} job;

static void add_output(job *j, mr_op_kind kind, mr_dtype result, uint64_t imm) {
  assert_true(j->count < MAX_OUTPUTS);
  j->outputs[j->count++] = (output){kind, result, imm};
}

static bool gives_pred(mr_op_kind kind) {
  return kind == MR_OP_compare || kind == MR_OP_is_finite || kind == MR_OP_is_inf || kind == MR_OP_is_pos_inf ||
         kind == MR_OP_is_neg_inf;
}

static mr_lv build_value(mr_loop_program *p, const output *o, mr_dtype dtype, const mr_lv *v) {
  switch ((int)o->kind) {
  case MR_OP_convert: return mr_l_convert(p, o->result, v[0]);
  case MR_OP_bitcast_convert: return mr_l_bitcast(p, o->result, v[0]);
  case MR_OP_compare: return mr_l_compare(p, (int)(o->imm & 255), (int)(o->imm >> 8), dtype, v[0], v[1]);
  case MR_OP_reduce_precision: return mr_l_reduce_precision(p, dtype, (int)(o->imm & 255), (int)(o->imm >> 8), v[0]);
  case MR_OP_select: return mr_l_select(p, dtype, mr_l_compare(p, MR_L_LT, 0, dtype, v[0], v[1]), v[1], v[2]);
  default: break;
  }
  if (mr_op_table[o->kind].operands == 1) {
    return mr_l_unary(p, o->kind, dtype, v[0]);
  }
  mr_lv result = mr_l_binary(p, o->kind, dtype, v[0], v[1]);
  if (mr_op_table[o->kind].operands == 3) {
    p->instrs[result].c = v[2];
  }
  return result;
}

static void build_loops(job *j) {
  mr_loop_program *p = j->loops = new_program();
  mr_lbuf in[3], out[MAX_OUTPUTS];
  for (int k = 0; k < 3; k++) {
    in[k] = mr_l_buffer(p, j->in.dtype, MR_L_READ);
  }
  for (size_t k = 0; k < j->count; k++) {
    out[k] = mr_l_buffer(p, j->outputs[k].result, MR_L_WRITE);
  }
  // One loop: compilers make several forms of each.
  mr_lv i = for_share(p), v[3];
  for (int k = 0; k < 3; k++) {
    v[k] = mr_l_load(p, in[k], i);
  }
  for (size_t k = 0; k < j->count; k++) {
    mr_l_store(p, out[k], i, build_value(p, &j->outputs[k], j->in.dtype, v));
  }
  mr_l_end(p);
}

static clc_host *host_or_skip(void) {
  clc_host *host = clc_host_get();
  if (!host) {
    print_message("no device of OpenCL's: skipped\n");
    skip();
  }
  return host;
}

static size_t compare_job(job *j, clc_program *program) {
  void *buffers[MAX_OUTPUTS + 3];
  size_t sizes[MAX_OUTPUTS + 3];
  for (int k = 0; k < 3; k++) {
    buffers[k] = j->in.values[k];
    sizes[k] = j->in.count * mr_dtype_bytes(j->in.dtype);
  }
  for (size_t k = 0; k < j->count; k++) {
    sizes[k + 3] = j->in.count * mr_dtype_bytes(j->outputs[k].result);
    buffers[k + 3] = calloc(1, sizes[k + 3]);
  }
  size_t count = clc_differences(program, j->entry, j->loops, buffers, sizes, (int64_t)j->in.count, j->entry);
  for (size_t k = 0; k < j->count; k++) {
    free(buffers[k + 3]);
  }
  return count;
}

// Many kernels in one program, as the product has them.
static void run_jobs(job *jobs, size_t count) {
  clc_host *host = host_or_skip();
  mr_clc_unit unit = {.target = clc_host_target(host)};
  mr_text text = {0};
  for (size_t k = 0; k < count; k++) {
    build_loops(&jobs[k]);
    check_ok(mr_clc_add(&unit, jobs[k].loops, jobs[k].entry));
  }
  check_ok(mr_clc_finish(&unit, &text));
  mr_clc_unit_deinit(&unit);
  clc_program *program = clc_build(host, (mr_str){text.data, text.size});
  mr_text_deinit(&text);
  size_t differences = 0;
  for (size_t k = 0; k < count; k++) {
    differences += compare_job(&jobs[k], program);
    mr_loop_release(jobs[k].loops);
    free_inputs(&jobs[k].in);
  }
  clc_program_release(program);
  assert_int_equal(differences, 0);
}

static job make_job(mr_dtype dtype, const char *what, size_t count) {
  job j = {.in = make_inputs(dtype, count)};
  snprintf(j.entry, sizeof j.entry, "%s_%s", what, mr_dtype_name(dtype));
  return j;
}

static bool is_on(mr_op_kind kind, mr_dtype dtype) {
  return mr_op_kind_is_elementwise(kind) && mr_op_table[kind].types >> mr_dtype_class_of(dtype) & 1;
}

// ---- Tests ------------------------------------------------------------------------------------------------------------

// Operations of instructions, on every type that has them.
static void test_operations(void **state) {
  (void)state;
  static job jobs[MR_ARRAY_SIZE(all_types)];
  size_t used = 0;
  for (size_t d = 0; d < MR_ARRAY_SIZE(all_types); d++) {
    if (!is_in_sample(d)) {
      continue;
    }
    mr_dtype dtype = all_types[d];
    job *j = &jobs[used++];
    *j = make_job(dtype, "operations", 2003);
    for (int kind = 0; kind < MR_OP_COUNT; kind++) {
      mr_op_kind k = (mr_op_kind)kind;
      bool own = k == MR_OP_convert || k == MR_OP_bitcast_convert || k == MR_OP_compare || k == MR_OP_reduce_precision;
      bool none = k == MR_OP_complex || k == MR_OP_uniform_quantize || k == MR_OP_uniform_dequantize ||
                  (k == MR_OP_next_after && dtype != MR_F16 && dtype != MR_BF16 && dtype != MR_F32 && dtype != MR_F64);
      bool function = mr_dtype_is_float(dtype) && mr_op_table[kind].code;
      if (is_on(k, dtype) && !own && !none && !function) {
        add_output(j, k, gives_pred(k) ? MR_PRED : dtype, 0);
      }
    }
    for (unsigned direction = 0; direction < 6; direction++) {
      add_output(j, MR_OP_compare, MR_PRED, direction);
      if (mr_dtype_is_float(dtype)) {
        add_output(j, MR_OP_compare, MR_PRED, direction | MR_L_TOTALORDER << 8);
      }
    }
  }
  run_jobs(jobs, used);
}

// Functions of ops/element, on the types that they are computed in or that go through those.
static void test_functions(void **state) {
  (void)state;
  static job jobs[4];
  for (size_t d = 0; d < MR_ARRAY_SIZE(jobs); d++) {
    jobs[d] = make_job(all_types[d], "functions", 3001);
    for (int kind = 0; kind < MR_OP_COUNT; kind++) {
      if (is_on((mr_op_kind)kind, all_types[d]) && mr_op_table[kind].code) {
        add_output(&jobs[d], (mr_op_kind)kind, all_types[d], 0);
      }
    }
  }
  run_jobs(jobs, MR_ARRAY_SIZE(jobs));
}

static void test_reduce_precision(void **state) {
  (void)state;
  static const unsigned formats[][2] = {{5, 10}, {8, 7}, {5, 2}, {4, 3}, {8, 23}, {11, 52},
                                        {2, 1},  {3, 4}, {4, 0}, {1, 3}, {8, 24}, {11, 23}};
  static job jobs[4];
  for (size_t d = 0; d < MR_ARRAY_SIZE(jobs); d++) {
    jobs[d] = make_job(all_types[d], "reduce", 3001);
    for (size_t k = 0; k < MR_ARRAY_SIZE(formats); k++) {
      add_output(&jobs[d], MR_OP_reduce_precision, all_types[d], formats[k][0] | formats[k][1] << 8);
    }
  }
  run_jobs(jobs, MR_ARRAY_SIZE(jobs));
}

static bool is_small(mr_dtype dtype) { return mr_dtype_bits(dtype) <= 8 && dtype != MR_PRED; }

// From every type to every type but that small ones go to few small ones, which is all the same code; and to the types of the same width by bits.
static void test_conversions(void **state) {
  (void)state;
  static job jobs[MR_ARRAY_SIZE(all_types)];
  size_t used = 0;
  for (size_t d = 0; d < MR_ARRAY_SIZE(all_types); d++) {
    if (!is_in_sample(d)) {
      continue;
    }
    job *j = &jobs[used++];
    *j = make_job(all_types[d], "conversions", 2003);
    for (size_t t = 0; t < MR_ARRAY_SIZE(all_types); t++) {
      bool both_small = is_small(all_types[d]) && is_small(all_types[t]);
      if (t != d && (!both_small || (t + d) % 5 == 0)) {
        add_output(j, MR_OP_convert, all_types[t], 0);
      }
      if (mr_dtype_bits(all_types[t]) == mr_dtype_bits(all_types[d])) {
        add_output(j, MR_OP_bitcast_convert, all_types[t], 0);
      }
    }
  }
  run_jobs(jobs, used);
}

int main(void) {
  setenv("MILLRACE_CACHE_DIR", "", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operations),
      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_reduce_precision),
      cmocka_unit_test(test_conversions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
