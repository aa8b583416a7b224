// measure: what somebody who measures the processor lets it do, in its widest instructions. Nothing here looks at a clock.
//
// Threads: any.
#ifndef MR_CORE_PROCESSOR_MEASURE_H
#define MR_CORE_PROCESSOR_MEASURE_H

#include "core/core.h"

// Goes over a block, which is aligned to 64 bytes and a multiple of 256 long.
void mr_processor_read(const void *data, size_t bytes);
void mr_processor_write(void *data, size_t bytes);
// The same past the caches, where the block is not to be found afterwards. False: there are no such stores.
bool mr_processor_stream(void *data, size_t bytes);
// As many products and sums as it can make of this type at once, over and over. Returns how many it made: 0, it has no
// instruction for that.
double mr_processor_multiply(mr_dtype type, int64_t rounds);

#endif
