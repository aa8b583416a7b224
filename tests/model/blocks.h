// For models of code that takes and gives back blocks: nobody may touch a block any more that is given back. Whoever does ends the
// program with the choices that led there (races.c sees each access). Included after futures/pool.h and before the sources under
// test. A scenario begins with model_blocks_reset() and ends with a look at model_blocks_left.
#ifndef MR_TESTS_MODEL_BLOCKS_H
#define MR_TESTS_MODEL_BLOCKS_H

#include "tests/model/model.h"

enum { MODEL_BLOCKS = 64 };
static char model_blocks[MODEL_BLOCKS][MODEL_BLOCK] __attribute__((aligned(64)));
static MODEL_COUNTS bool model_blocks_there[MODEL_BLOCKS];
static MODEL_COUNTS int model_blocks_made, model_blocks_left;

// All that was made is forgotten; the first block is where the first was before, so that a run repeats itself.
static inline void model_blocks_reset(void) {
  model_watch_blocks(model_blocks[0], MODEL_BLOCKS, model_blocks_there);
  model_blocks_made = model_blocks_left = 0;
}

static inline void *model_block(size_t size) {
  model_check(model_blocks_made < MODEL_BLOCKS && size <= MODEL_BLOCK, "too many blocks, or too large");
  int number = model_blocks_made++;
  model_blocks_there[number] = true;
  memset(model_blocks[number], 0xdd, size);
  model_blocks_left++;
  return model_blocks[number];
}

static inline void model_block_end(void *block, size_t size) {
  if (!block) {
    return;
  }
  memset(block, 0xdd, size);  // what was given back already cannot be given back again
  model_blocks_there[((char *)block - model_blocks[0]) / MODEL_BLOCK] = false;
  model_blocks_left--;
}

#define mr_struct_alloc(size) model_block(size)
#define mr_struct_free(block, size) model_block_end(block, size)

#endif
