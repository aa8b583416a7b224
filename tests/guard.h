// Memory that ends where it ends: a block before a page that nobody may touch, so that a byte read or written behind a struct
// is a fault in every build, not in those of the address sanitizer alone.
//
// Threads: any. What is behind the struct up to the next multiple of eight, as no page can end there, is filled and compared.
//
//   guard block = guard_place(&args, size);
//   call(block.at);
//   memcpy(&args, block.at, size);
//   guard_end(&block);
#ifndef MR_TESTS_GUARD_H
#define MR_TESTS_GUARD_H

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/cmocka.h"

typedef struct guard {
  void *at;
  size_t size, mapped;
  char *map;
} guard;

enum { GUARD_FILL = 0xa5 };

// `size` bytes, the first ones from `bytes`; a struct that wants an alignment above eight is none of the ABI's.
static inline guard guard_place(const void *bytes, size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + 7) / 8 * 8;
  guard block = {.size = size, .mapped = (whole + page - 1) / page * page + page};
  block.map = mmap(NULL, block.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(block.map != MAP_FAILED);
  assert_int_equal(mprotect(block.map + block.mapped - page, page, PROT_NONE), 0);
  block.at = block.map + block.mapped - page - whole;
  memset(block.at, GUARD_FILL, whole);
  memcpy(block.at, bytes, size);
  return block;
}

static inline void guard_end(guard *block) {
  for (size_t i = block->size; i % 8 != 0; i++) {
    assert_int_equal(((unsigned char *)block->at)[i], GUARD_FILL);
  }
  munmap(block->map, block->mapped);
}

#endif
