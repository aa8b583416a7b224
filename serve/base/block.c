// Counted memory.
#include <stdlib.h>

#include "serve/base/base.h"

sv_block *sv_block_create(size_t size) {
  // The head takes the first 64 bytes, the content begins behind it.
  size_t all;
  if (__builtin_add_overflow(size, 2 * SV_ALIGNMENT - 1, &all)) {
    return NULL;
  }
  sv_block *block = aligned_alloc(SV_ALIGNMENT, all / SV_ALIGNMENT * SV_ALIGNMENT);
  if (block) {
    atomic_init(&block->references, 1);
    block->size = size;
    block->data = (unsigned char *)block + SV_ALIGNMENT;
  }
  return block;
}
_Static_assert(sizeof(sv_block) <= SV_ALIGNMENT, "the head fits in front of the content");

sv_block *sv_block_retain(sv_block *block) {
  // Relaxed: whoever retains has a reference already.
  atomic_fetch_add_explicit(&block->references, 1, memory_order_relaxed);
  return block;
}

void sv_block_release(sv_block *block) {
  // acq_rel: what others did with the content is over before the last one frees it.
  if (block && atomic_fetch_sub_explicit(&block->references, 1, memory_order_acq_rel) == 1) {
    free(block);
  }
}
