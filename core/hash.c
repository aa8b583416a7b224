// Hashes for tables and for the kernel cache: wide multiplications folded to 64 bits, eight bytes at a time.
//
// Not against attackers. The 128-bit one runs two lanes with different constants and mixes them at the end; its values
// are written to disk, so changing it means raising the cache's version.
#include "core/core.h"

#include <string.h>

// Odd constants with about half their bits set: the fractional parts of sqrt(2), sqrt(3), sqrt(5) and sqrt(7).
static const uint64_t k0 = 0x6a09e667f3bcc909u, k1 = 0xbb67ae8584caa73bu, k2 = 0x3c6ef372fe94f82bu,
                      k3 = 0xa54ff53a5f1d36f1u;

static uint64_t fold(uint64_t a, uint64_t b) {
  __extension__ typedef unsigned __int128 wide;
  wide product = (wide)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t load_word(const unsigned char *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

// The last one to seven bytes, zero-extended; the length goes in separately, so trailing zeros still count.
static uint64_t load_tail(const unsigned char *bytes, size_t size) {
  uint64_t word = 0;
  memcpy(&word, bytes, size);
  return word;
}

uint64_t mr_hash64(const void *data, size_t size, uint64_t seed) {
  const unsigned char *bytes = data;
  uint64_t hash = seed ^ k0;
  size_t left = size;
  for (; left >= 8; bytes += 8, left -= 8) {
    hash = fold(hash ^ load_word(bytes), k1) + k2;
  }
  if (left) {
    hash = fold(hash ^ load_tail(bytes, left), k3) + k2;
  }
  return fold(hash ^ size, k1) ^ fold(hash, k3);
}

mr_hash128 mr_hash128_of(const void *data, size_t size, mr_hash128 seed) {
  const unsigned char *bytes = data;
  uint64_t low = seed.low ^ k0, high = seed.high ^ k3;
  size_t left = size;
  while (left) {
    size_t step = MR_MIN(left, (size_t)8);
    uint64_t word = step == 8 ? load_word(bytes) : load_tail(bytes, step);
    // The multiplication alone could lose a word (a zero factor); the rotation and the sum keep it in the other lane.
    low = fold(low ^ word, k1) + high;
    high = (high << 29 | high >> 35) ^ fold(word + k2, low | 1);
    bytes += step;
    left -= step;
  }
  low = fold(low ^ size, k2) ^ high;
  high = fold(high ^ (size + k1), k3) + low;
  return (mr_hash128){fold(low ^ k3, k1) ^ high, fold(high ^ k0, k2) + low};
}
