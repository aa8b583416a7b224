// Random bits spelled out as integer arithmetic on counters, so that they fuse with what uses them.
//
// Threefry-2x32 with 20 rounds and Philox-4x32-10; which block gives which element, and how the state moves on, is fixed:
// results are compared bit by bit with other implementations.
#include "compiler/ir/calls.h"
#include "compiler/passes/decompose.h"

#include <math.h>

enum { DEFAULT, THREE_FRY, PHILOX };

typedef struct gen {
  mr_builder b;
  mr_module *module;
} gen;

// ---- Integer vectors -----------------------------------------------------------------------------------------------

static mr_value *binary(gen *g, mr_op_kind kind, mr_value *x, mr_value *y) {
  return mr_build_binary(&g->b, kind, x, y);
}

static mr_value *splat(gen *g, mr_value *like, uint64_t value) {
  return like ? mr_build_splat_int(&g->b, &like->type, (int64_t)value) : NULL;
}

static mr_value *add_const(gen *g, mr_value *x, uint64_t value) { return binary(g, MR_OP_add, x, splat(g, x, value)); }

static mr_value *shift_right(gen *g, mr_value *x, unsigned bits) {
  return binary(g, MR_OP_shift_right_logical, x, splat(g, x, bits));
}

static mr_value *shift_left(gen *g, mr_value *x, unsigned bits) {
  return binary(g, MR_OP_shift_left, x, splat(g, x, bits));
}

static mr_value *convert(gen *g, mr_value *x, mr_dtype dtype) { return mr_build_convert(&g->b, x, dtype); }

static mr_value *low_word(gen *g, mr_value *x) { return convert(g, x, MR_U32); }

static mr_value *high_word(gen *g, mr_value *x) { return convert(g, shift_right(g, x, 32), MR_U32); }

// low | high << 32, as 64 bits
static mr_value *join_words(gen *g, mr_value *low, mr_value *high) {
  return binary(g, MR_OP_or, convert(g, low, MR_U64), shift_left(g, convert(g, high, MR_U64), 32));
}

static mr_value *vector_of(gen *g, mr_value *scalar, int64_t count) {
  mr_type type = {.kind = MR_TYPE_TENSOR, .dtype = scalar ? scalar->type.dtype : MR_U64, .rank = 1, .dims = &count};
  return mr_build_spread(&g->b, scalar, &type);
}

static mr_value *reshape1(gen *g, mr_value *x, int64_t count) { return mr_build_reshape(&g->b, x, 1, &count); }

// Word i of a vector, as a scalar.
static mr_value *word_of(gen *g, mr_value *vector, int64_t i) {
  return mr_build_reshape(&g->b, mr_build_slice_dim(&g->b, vector, 0, i, i + 1), 0, NULL);
}

static mr_value *state_of(gen *g, uint32_t count, mr_value *const *words) {
  mr_value *vectors[3];
  for (uint32_t i = 0; i < count; i++) {
    vectors[i] = reshape1(g, words[i], 1);
  }
  return mr_build_concatenate(&g->b, count, vectors, 0);
}

static mr_value *count_up(gen *g, int64_t count) {
  mr_type type = {.kind = MR_TYPE_TENSOR, .dtype = MR_U64, .rank = 1, .dims = &count};
  return mr_build_iota(&g->b, &type, 0);
}

// Vectors of n side by side: element i of vector j becomes element i * count + j.
static mr_value *interleave(gen *g, uint32_t count, mr_value *const *vectors, int64_t n) {
  mr_value *columns[4];
  int64_t column[] = {n, 1};
  for (uint32_t i = 0; i < count; i++) {
    columns[i] = mr_build_reshape(&g->b, vectors[i], 2, column);
  }
  return reshape1(g, mr_build_concatenate(&g->b, count, columns, 1), n * count);
}

// ---- Threefry ------------------------------------------------------------------------------------------------------

static mr_value *rotate(gen *g, mr_value *x, unsigned bits) {
  return binary(g, MR_OP_or, shift_left(g, x, bits), shift_right(g, x, 32 - bits));
}

// Blocks counter .. counter + n - 1: x[0] and x[1] of each, as vectors.
static void threefry(gen *g, mr_value *key, mr_value *counter, int64_t n, mr_value **x) {
  static const unsigned rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  mr_value *k[3] = {low_word(g, key), high_word(g, key), NULL};
  k[2] = binary(g, MR_OP_xor, binary(g, MR_OP_xor, k[0], k[1]), splat(g, k[0], 0x1BD11BDA));
  for (int i = 0; i < 3; i++) {
    k[i] = vector_of(g, k[i], n);
  }
  mr_value *at = binary(g, MR_OP_add, count_up(g, n), vector_of(g, counter, n));
  x[0] = binary(g, MR_OP_add, low_word(g, at), k[0]);
  x[1] = binary(g, MR_OP_add, high_word(g, at), k[1]);
  for (unsigned group = 0; group < 5; group++) {
    for (unsigned round = 0; round < 4; round++) {
      x[0] = binary(g, MR_OP_add, x[0], x[1]);
      x[1] = binary(g, MR_OP_xor, rotate(g, x[1], rotations[group % 2][round]), x[0]);
    }
    x[0] = binary(g, MR_OP_add, x[0], k[(group + 1) % 3]);
    x[1] = add_const(g, binary(g, MR_OP_add, x[1], k[(group + 2) % 3]), group + 1);
  }
}

// The dimension along which the two words of a block lie side by side: the first even one, else the first largest.
static uint32_t split_dim(const mr_type *type) {
  uint32_t largest = 0;
  for (uint32_t d = 0; d < type->rank; d++) {
    if (type->dims[d] % 2 == 0) {
      return d;
    }
    if (type->dims[d] > type->dims[largest]) {
      largest = d;
    }
  }
  return largest;
}

// The words of blocks over half the shape, x[0] and x[1] alternating along the split dimension.
static mr_value *spread_words(gen *g, mr_value *const *x, const mr_type *type, uint32_t split) {
  if (type->rank == MR_MAX_RANK) {
    return NULL;
  }
  int64_t half[MR_MAX_RANK + 1], whole[MR_MAX_RANK];
  for (uint32_t d = 0; d < type->rank; d++) {
    half[d < split + 1 ? d : d + 1] = type->dims[d];
    whole[d] = type->dims[d];
  }
  half[split] = (type->dims[split] + 1) / 2;
  half[split + 1] = 1;
  whole[split] = half[split] * 2;
  mr_value *parts[2];
  for (int i = 0; i < 2; i++) {
    parts[i] = mr_build_reshape(&g->b, x[i], type->rank + 1, half);
  }
  mr_value *paired = mr_build_concatenate(&g->b, 2, parts, split + 1);
  mr_value *words = mr_build_reshape(&g->b, paired, type->rank, whole);
  return type->dims[split] == whole[split] ? words : mr_build_slice_dim(&g->b, words, split, 0, type->dims[split]);
}

static void threefry_bits(gen *g, mr_value *state, const mr_type *type, mr_value **out) {
  mr_value *key = word_of(g, state, 0), *counter = word_of(g, state, 1), *x[2];
  int64_t count = mr_type_count(type), blocks = count;
  if (mr_dtype_bits(type->dtype) == 64) {
    threefry(g, key, counter, blocks, x);
    out[1] = mr_build_reshape(&g->b, join_words(g, x[0], x[1]), type->rank, type->dims);
  } else if (type->rank == 0) {
    threefry(g, key, counter, blocks, x);
    out[1] = mr_build_reshape(&g->b, x[0], 0, NULL);
  } else {
    uint32_t split = split_dim(type);
    int64_t size = type->dims[split];
    blocks = size ? count / size * ((size + 1) / 2) : 0;
    threefry(g, key, counter, blocks, x);
    out[1] = spread_words(g, x, type, split);
  }
  mr_value *words[] = {key, add_const(g, counter, (uint64_t)blocks)};
  out[0] = state_of(g, 2, words);
}

// ---- Philox --------------------------------------------------------------------------------------------------------

// low and high word of a 32 by 32 bit product
static void multiply_wide(gen *g, mr_value *x, uint32_t factor, mr_value **low, mr_value **high) {
  mr_value *wide = convert(g, x, MR_U64);
  mr_value *product = binary(g, MR_OP_multiply, wide, splat(g, wide, factor));
  *low = low_word(g, product);
  *high = high_word(g, product);
}

static void philox(gen *g, mr_value *key, mr_value *low, mr_value *high, int64_t n, mr_value **c) {
  mr_value *k0 = vector_of(g, low_word(g, key), n), *k1 = vector_of(g, high_word(g, key), n);
  mr_value *start = vector_of(g, low, n), *top = vector_of(g, high, n);
  mr_value *at = binary(g, MR_OP_add, start, count_up(g, n));
  if (at) {
    mr_value *carry = mr_build_compare(&g->b, MR_COMPARE_LT, 0, at, start);  // it wrapped
    top = binary(g, MR_OP_add, top, convert(g, carry, MR_U64));
  }
  c[0] = low_word(g, at);
  c[1] = high_word(g, at);
  c[2] = low_word(g, top);
  c[3] = high_word(g, top);
  for (int round = 0; round < 10; round++) {
    mr_value *low0, *high0, *low1, *high1;
    multiply_wide(g, c[0], 0xD2511F53, &low0, &high0);
    multiply_wide(g, c[2], 0xCD9E8D57, &low1, &high1);
    c[0] = binary(g, MR_OP_xor, binary(g, MR_OP_xor, high1, c[1]), k0);
    c[2] = binary(g, MR_OP_xor, binary(g, MR_OP_xor, high0, c[3]), k1);
    c[1] = low1;
    c[3] = low0;
    k0 = add_const(g, k0, 0x9E3779B9);
    k1 = add_const(g, k1, 0xBB67AE85);
  }
}

static void philox_bits(gen *g, mr_value *state, const mr_type *type, mr_value **out) {
  int64_t count = mr_type_count(type);
  bool wide = mr_dtype_bits(type->dtype) == 64, long_state = state->type.dims[0] == 3;
  int64_t per_block = wide ? 2 : 4, blocks = count / per_block + (count % per_block != 0);
  mr_value *key = word_of(g, state, 0), *low = word_of(g, state, 1);
  mr_value *high = long_state ? word_of(g, state, 2) : key;
  mr_value *c[4], *flat;
  philox(g, key, low, high, blocks, c);
  if (wide) {
    mr_value *pairs[] = {join_words(g, c[0], c[1]), join_words(g, c[2], c[3])};
    flat = interleave(g, 2, pairs, blocks);
  } else {
    flat = interleave(g, 4, c, blocks);
  }
  if (blocks * per_block != count) {
    flat = mr_build_slice_dim(&g->b, flat, 0, 0, count);
  }
  out[1] = mr_build_reshape(&g->b, flat, type->rank, type->dims);
  mr_value *next = add_const(g, low, (uint64_t)blocks);
  mr_value *words[] = {key, next, high};
  if (long_state && next) {
    mr_value *carry = mr_build_compare(&g->b, MR_COMPARE_LT, 0, next, low);
    words[2] = binary(g, MR_OP_add, high, convert(g, carry, MR_U64));
  }
  out[0] = state_of(g, long_state ? 3 : 2, words);
}

// State and bits; words narrower than 32 bits are the low bits of one. NULL without memory, as of a state that there was none
// for.
static void generate(gen *g, int64_t algorithm, mr_value *state, const mr_type *type, mr_value **out) {
  out[0] = out[1] = NULL;
  if (state == NULL) {
    return;
  }
  if (algorithm == THREE_FRY) {
    threefry_bits(g, state, type, out);
  } else {
    philox_bits(g, state, type, out);
  }
  out[1] = convert(g, out[1], type->dtype);
}

static mr_status lower_bit_generator(mr_op *op, bool *out_changed) {
  gen g = {mr_builder_before(op), mr_op_module(op)};
  const mr_type *type = &op->results[1].type;
  mr_value *state = mr_op_operand(op, 0), *out[2] = {NULL};
  if (!mr_type_is_static(type) || !mr_type_is_static(&state->type) || !mr_dtype_is_integer(type->dtype) ||
      type->rank == MR_MAX_RANK) {
    char text[128];
    return mr_unimplemented(op, "bits as %s", mr_type_text(type, text, sizeof text));
  }
  generate(&g, mr_op_int(op, MR_ATTR_rng_algorithm, DEFAULT), state, type, out);
  *out_changed = mr_replace_all(op, out);
  return mr_module_memory(g.module);
}

// ---- rng: any stream will do ---------------------------------------------------------------------------------------

// Numbers of [0, 1) in `dtype` (f32 or f64), all of them multiples of 2^-bits.
static mr_value *uniform01(gen *g, mr_value *state, const mr_type *type, mr_dtype dtype, int bits) {
  mr_type words = mr_type_with_dtype(type, dtype == MR_F64 ? MR_U64 : MR_U32);
  mr_value *out[2];
  generate(g, PHILOX, state, &words, out);
  mr_value *top = shift_right(g, out[1], (dtype == MR_F64 ? 64 : 32) - (unsigned)bits);
  mr_value *number = convert(g, top, dtype);
  return number ? binary(g, MR_OP_multiply, number, mr_build_splat(&g->b, &number->type, ldexp(1, -bits))) : NULL;
}

// Drawn when the op runs; a call with an effect is neither moved nor shared.
static mr_value *scalar_state(gen *g, uint64_t key) {
  mr_type type = mr_type_tensor(g->module, MR_U64, 1, (int64_t[]){2});
  mr_op *call = mr_build(&g->b, MR_OP_custom_call, 0, NULL, 1, &type, 0);
  if (!call) {
    return NULL;
  }
  mr_op_set_string(g->module, call, MR_ATTR_call_target_name, MR_STR(MR_RNG_STATE));
  mr_op_set_int(g->module, call, MR_ATTR_has_side_effect, 1);
  mr_op_set_int(g->module, call, MR_ATTR_index, (int64_t)key);
  return &call->results[0];
}

static mr_value *unary(gen *g, mr_op_kind kind, mr_value *x) { return mr_build_unary(&g->b, kind, x); }

static mr_value *scaled(gen *g, mr_value *x, double factor) {
  return x ? binary(g, MR_OP_multiply, x, mr_build_splat(&g->b, &x->type, factor)) : NULL;
}

// Box and Muller: sqrt(-2 log(1 - u)) cos(2 pi v)
static mr_value *normal01(gen *g, uint64_t key, const mr_type *type, mr_dtype dtype) {
  int bits = dtype == MR_F64 ? 53 : 24;
  mr_value *u = uniform01(g, scalar_state(g, key), type, dtype, bits);
  mr_value *v = uniform01(g, scalar_state(g, key + 1), type, dtype, bits);
  mr_value *log = unary(g, MR_OP_log_plus_one, unary(g, MR_OP_negate, u));
  mr_value *radius = unary(g, MR_OP_sqrt, scaled(g, log, -2));
  return binary(g, MR_OP_multiply, radius, unary(g, MR_OP_cosine, scaled(g, v, 6.283185307179586)));
}

static mr_value *uniform_ints(gen *g, uint64_t key, const mr_type *type, mr_value *low, mr_value *high) {
  mr_value *out[2];
  mr_type words = mr_type_with_dtype(type, MR_U64);
  generate(g, PHILOX, scalar_state(g, key), &words, out);
  mr_value *from = convert(g, mr_build_spread(&g->b, low, type), MR_U64);
  mr_value *to = convert(g, mr_build_spread(&g->b, high, type), MR_U64);
  mr_value *within = binary(g, MR_OP_remainder, out[1], binary(g, MR_OP_subtract, to, from));
  return convert(g, binary(g, MR_OP_add, from, within), type->dtype);
}

// The stream differs from op to op and from run to run; the first run of a program gives the same numbers each time.
static mr_status lower_rng(mr_op *op, bool *out_changed) {
  gen g = {mr_builder_before(op), mr_op_module(op)};
  const mr_type *type = &op->results[0].type;
  if (!mr_type_is_static(type)) {
    return mr_unimplemented(op, "of a dynamic shape");
  }
  uint64_t key = mr_hash64(&g.module->arena.used, sizeof g.module->arena.used, 0x6D696C6C72616365u);
  mr_value *a = mr_op_operand(op, 0), *b = mr_op_operand(op, 1), *value;
  if (!mr_dtype_is_float(type->dtype)) {
    value = uniform_ints(&g, key, type, a, b);
  } else {
    mr_dtype wide = type->dtype == MR_F64 ? MR_F64 : MR_F32;
    mr_value *from = convert(&g, mr_build_spread(&g.b, a, type), wide);
    mr_value *to = convert(&g, mr_build_spread(&g.b, b, type), wide);
    if (mr_op_int(op, MR_ATTR_rng_distribution, 1) == 2) {
      value = binary(&g, MR_OP_add, binary(&g, MR_OP_multiply, normal01(&g, key, type, wide), to), from);
    } else {
      // Few enough bits that the narrow type holds the number: rounding must not reach the upper end.
      int bits = type->dtype == MR_F64 ? 53 : type->dtype == MR_F32 ? 24 : type->dtype == MR_F16 ? 11 : 8;
      mr_value *u = uniform01(&g, scalar_state(&g, key), type, wide, bits);
      value = binary(&g, MR_OP_add, binary(&g, MR_OP_multiply, u, binary(&g, MR_OP_subtract, to, from)), from);
    }
    value = convert(&g, value, type->dtype);
  }
  *out_changed = mr_replace(op, value);
  return mr_module_memory(g.module);
}

mr_status mr_decompose_random(mr_op *op, bool *out_changed) {
  return op->kind == MR_OP_rng ? lower_rng(op, out_changed) : lower_bit_generator(op, out_changed);
}
