// rng_bit_generator in the evaluator: Threefry-2x32 of 20 rounds and Philox-4x32 of 10, block by block, as their papers have
// them, and which block gives which element.
#include <string.h>

#include "tests/random/random.h"

static uint32_t rotated(uint32_t x, int by) { return x << by | x >> (32 - by); }

static void threefry_block(uint64_t key, uint64_t counter, uint32_t out[2]) {
  static const int rotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  uint32_t k[3] = {(uint32_t)key, (uint32_t)(key >> 32), 0x1BD11BDA};
  k[2] ^= k[0] ^ k[1];
  uint32_t a = (uint32_t)counter + k[0], b = (uint32_t)(counter >> 32) + k[1];
  for (uint32_t round = 0; round < 20; round++) {
    a += b;
    b = rotated(b, rotations[round % 8]) ^ a;
    if (round % 4 == 3) {
      uint32_t injected = round / 4 + 1;
      a += k[injected % 3];
      b += k[(injected + 1) % 3] + injected;
    }
  }
  out[0] = a, out[1] = b;
}

static void philox_block(uint64_t key, uint64_t low, uint64_t high, uint32_t out[4]) {
  uint32_t c[4] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32)};
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  for (int round = 0; round < 10; round++) {
    uint64_t first = (uint64_t)0xD2511F53 * c[0], second = (uint64_t)0xCD9E8D57 * c[2];
    uint32_t next[4] = {(uint32_t)(second >> 32) ^ c[1] ^ k0, (uint32_t)second, (uint32_t)(first >> 32) ^ c[3] ^ k1,
                        (uint32_t)first};
    memcpy(c, next, sizeof c);
    k0 += 0x9E3779B9, k1 += 0xBB67AE85;
  }
  memcpy(out, c, sizeof c);
}

// Threefry's two words of a block lie side by side along one dimension: the first even one, else the first largest.
static uint32_t paired_dim(const mr_type *type) {
  uint32_t best = 0;
  for (uint32_t d = 0; d < type->rank; d++) {
    if (type->dims[d] % 2 == 0) {
      return d;
    }
    best = type->dims[d] > type->dims[best] ? d : best;
  }
  return best;
}

static uint64_t threefry(const uint64_t *state, tensor *bits) {
  const mr_type *type = &bits->type;
  bool wide = mr_dtype_bits(type->dtype) == 64;
  uint32_t paired = paired_dim(type), words[2];
  int64_t halves = type->rank ? (type->dims[paired] + 1) / 2 : 1, index[MR_MAX_RANK];
  for (int64_t i = 0; i < bits->count; i++) {
    int64_t block = i, word = 0;
    if (!wide && type->rank) {
      index_of(type, i, index);
      block = 0;
      for (uint32_t d = 0; d < type->rank; d++) {
        block = block * (d == paired ? halves : type->dims[d]) + (d == paired ? index[d] / 2 : index[d]);
      }
      word = index[paired] % 2;
    }
    threefry_block(state[0], state[1] + (uint64_t)block, words);
    bits->cells[i] = cell_of_bits(type->dtype, wide ? words[0] | (uint64_t)words[1] << 32 : words[word]);
  }
  if (wide || type->rank == 0) {
    return (uint64_t)bits->count;
  }
  return type->dims[paired] ? (uint64_t)(bits->count / type->dims[paired] * halves) : 0;
}

static uint64_t philox(const uint64_t *state, bool three, tensor *bits) {
  bool wide = mr_dtype_bits(bits->type.dtype) == 64;
  int64_t per_block = wide ? 2 : 4;
  uint32_t words[4];
  for (int64_t i = 0; i < bits->count; i++) {
    uint64_t low = state[1] + (uint64_t)(i / per_block), high = three ? state[2] : state[0];
    philox_block(state[0], low, high + (low < state[1]), words);
    int64_t at = i % per_block;
    uint64_t drawn = wide ? words[2 * at] | (uint64_t)words[2 * at + 1] << 32 : words[at];
    bits->cells[i] = cell_of_bits(bits->type.dtype, drawn);
  }
  return (uint64_t)((bits->count + per_block - 1) / per_block);
}

bool evaluate_bits_op(evaluator *ev, const mr_op *op, tensor *const *results) {
  if (op->kind != MR_OP_rng_bit_generator) {
    return false;
  }
  const tensor *before = operand_of(ev, op, 0);
  int64_t algorithm = mr_op_int(op, MR_ATTR_rng_algorithm, 0);
  if (before->type.dtype != MR_U64 || before->count < 2 || before->count > 3 ||
      (algorithm == 1 && before->count != 2)) {
    give_up(ev, "a state");
    return true;
  }
  uint64_t state[3] = {0};
  for (int64_t i = 0; i < before->count; i++) {
    if (!cell_is_sure(before->cells[i])) {
      all_anything(results[0]);
      all_anything(results[1]);
      return true;
    }
    state[i] = cell_bits(before->cells[i]);
  }
  bool three = before->count == 3;
  uint64_t blocks = algorithm == 1 ? threefry(state, results[1]) : philox(state, three, results[1]);
  uint64_t next = state[1] + blocks;
  state[2] += next < state[1];
  state[1] = next;
  for (int64_t i = 0; i < before->count; i++) {
    results[0]->cells[i] = cell_of_bits(MR_U64, state[i]);
  }
  return true;
}
