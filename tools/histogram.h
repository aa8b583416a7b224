// histogram: many times in little memory, counted by size: each is kept within a thousandth of what it is, the least, the most and the sum
// as they are.
//
// Threads: one at a time; each has its own, and they are added up.
//
//   histogram *h = histogram_create();
//   histogram_add(h, ns);
//   ... histogram_percentile(h, 99.9) ...
//   free(h);
#ifndef MR_TOOLS_HISTOGRAM_H
#define MR_TOOLS_HISTOGRAM_H

#include <stdint.h>

typedef struct histogram histogram;

histogram *histogram_create(void);  // NULL: out of memory
void histogram_add(histogram *h, uint64_t value);
void histogram_merge(histogram *h, const histogram *other);
uint64_t histogram_count(const histogram *h);
// Of what was added; 0 where nothing was.
uint64_t histogram_min(const histogram *h);
uint64_t histogram_max(const histogram *h);
double histogram_mean(const histogram *h);
// What at least so many of a hundred are not above. Never below the least nor above the most, and never less for more.
uint64_t histogram_percentile(const histogram *h, double percent);

#endif
