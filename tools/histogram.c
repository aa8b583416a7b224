#include "tools/histogram.h"

#include <math.h>
#include <stdlib.h>

// Values below 2^BITS have a place each; above, each power of two has 2^(BITS-1) places.
enum { BITS = 11, HALF = 1 << (BITS - 1), PLACES = (1 << BITS) + (64 - BITS) * HALF };

struct histogram {
  uint64_t count, min, max;
  double sum;
  uint64_t places[PLACES];
};

static uint32_t place_of(uint64_t value) {
  if (value < 1u << BITS) {
    return (uint32_t)value;
  }
  uint32_t shift = 64 - BITS - (uint32_t)__builtin_clzll(value);  // 1 from 2^BITS on
  return (1u << BITS) + (shift - 1) * HALF + (uint32_t)(value >> shift) - HALF;
}

// In the middle of what is counted at a place.
static uint64_t value_of(uint32_t place) {
  if (place < 1u << BITS) {
    return place;
  }
  uint32_t above = place - (1u << BITS), shift = above / HALF + 1;
  return ((uint64_t)(above % HALF + HALF) << shift) + ((uint64_t)1 << (shift - 1));
}

histogram *histogram_create(void) { return calloc(1, sizeof(histogram)); }

void histogram_add(histogram *h, uint64_t value) {
  h->min = h->count && h->min < value ? h->min : value;
  h->max = h->max > value ? h->max : value;
  h->sum += (double)value;
  h->count++;
  h->places[place_of(value)]++;
}

void histogram_merge(histogram *h, const histogram *other) {
  if (!other->count) {
    return;
  }
  h->min = h->count && h->min < other->min ? h->min : other->min;
  h->max = h->max > other->max ? h->max : other->max;
  h->sum += other->sum;
  h->count += other->count;
  for (uint32_t i = 0; i < PLACES; i++) {
    h->places[i] += other->places[i];
  }
}

uint64_t histogram_count(const histogram *h) { return h->count; }
uint64_t histogram_min(const histogram *h) { return h->min; }
uint64_t histogram_max(const histogram *h) { return h->max; }
double histogram_mean(const histogram *h) { return h->count ? h->sum / (double)h->count : 0; }

uint64_t histogram_percentile(const histogram *h, double percent) {
  uint64_t wanted = (uint64_t)ceil(percent / 100 * (double)h->count), seen = 0;
  wanted = wanted ? wanted : 1;
  for (uint32_t i = 0; i < PLACES; i++) {
    seen += h->places[i];
    if (seen >= wanted) {
      uint64_t value = value_of(i);
      return value < h->min ? h->min : value > h->max ? h->max : value;
    }
  }
  return h->max;
}
