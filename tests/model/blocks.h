// For models of code that takes and gives back blocks: each block is pages of its own, which nobody may touch any more when it is
// given back. Whoever does ends the program with the choices that led there. Included after futures/pool.h and before the sources
// under test. A scenario begins with model_blocks_reset() and ends with a look at model_blocks_left.
#ifndef MR_TESTS_MODEL_BLOCKS_H
#define MR_TESTS_MODEL_BLOCKS_H

#include <signal.h>
#include <sys/mman.h>

#include "tests/model/model.h"

enum { MODEL_BLOCKS = 64, MODEL_BLOCK = 1 << 14 };
static char *model_blocks;
static int model_blocks_made, model_blocks_left;

static inline void model_touched(int number) {
  (void)number;
  model_check(false, "memory that is not there any more is touched");
}

// All that was made is forgotten; the first block is where the first was before, so that a run repeats itself.
static inline void model_blocks_reset(void) {
  if (!model_blocks) {
    model_blocks = mmap(NULL, (size_t)MODEL_BLOCKS * MODEL_BLOCK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    model_check(model_blocks != MAP_FAILED, "no memory");
    signal(SIGSEGV, model_touched);
  }
  model_blocks_made = model_blocks_left = 0;
}

static MODEL_UNSEEN void *model_block(size_t size) {
  model_check(model_blocks_made < MODEL_BLOCKS && size <= MODEL_BLOCK, "too many blocks, or too large");
  char *block = model_blocks + (size_t)model_blocks_made++ * MODEL_BLOCK;
  model_check(mprotect(block, MODEL_BLOCK, PROT_READ | PROT_WRITE) == 0, "no memory");
  memset(block, 0xdd, size);
  model_blocks_left++;
  return block;
}

static MODEL_UNSEEN void model_block_end(void *block, size_t size) {
  if (!block) {
    return;
  }
  memset(block, 0xdd, size);  // what was given back already cannot be given back again
  model_gone(block, size);
  model_check(mprotect(block, MODEL_BLOCK, PROT_NONE) == 0, "no memory");
  model_blocks_left--;
}

#define mr_struct_alloc(size) model_block(size)
#define mr_struct_free(block, size) model_block_end(block, size)

#endif
