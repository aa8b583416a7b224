// Damaged objects and the pages that code lies in. Kernels are compiled in a child process, without a cache on disk.
#include <stdlib.h>

#include "compiler/codegen/code_pool.h"
#include "compiler/codegen/elf_loader.h"
#include "compiler/codegen/object.h"
#include "tests/compiler/in_child.h"
#include "tests/compiler/loops_util.h"

static mr_object one_object(void) {
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv i = for_share(p);
  mr_l_store(p, y, i, mr_l_unary(p, MR_OP_exponential, MR_F32, mr_l_load(p, x, i)));
  mr_l_copy(p, y, i, x, i, mr_l_end_of_range(p));
  mr_l_end(p);
  mr_object object;
  check_ok(mr_codegen_object(p, "test", &object));
  mr_loop_release(p);
  return object;
}

static bool try_load(const void *bytes, size_t size) {
  mr_code_block code;
  void *entry;
  mr_status status = mr_elf_load((mr_span){bytes, size}, "kernel", &code, &entry);
  bool ok = !status;
  if (ok) {
    EXPECT(entry != NULL);
    mr_code_free(code);
  } else {
    EXPECT(entry == NULL && code.data == NULL);
  }
  mr_status_free(status);
  return ok;
}

static bool survives_damage(void) {
  mr_object object = one_object();
  EXPECT(try_load(object.data, object.size));
  uint8_t *copy = malloc(object.size);
  // Every length, then every byte with several changes: refused or loaded, never a fault. (The sanitizers watch.)
  for (size_t size = 0; size < object.size; size += 3) {
    uint8_t *exact = malloc(size + 1);
    memcpy(exact, object.data, size);
    try_load(exact, size);
    free(exact);
  }
  static const uint8_t changes[] = {0x01, 0x80, 0xFF};
  for (size_t at = 0; at < object.size; at++) {
    for (size_t k = 0; k < MR_ARRAY_SIZE(changes); k++) {
      memcpy(copy, object.data, object.size);
      copy[at] ^= changes[k];
      try_load(copy, object.size);
    }
  }
  uint32_t seed = 12345;
  for (int round = 0; round < 3000; round++) {
    memcpy(copy, object.data, object.size);
    for (int k = 0; k < 12; k++) {
      seed = seed * 1664525 + 1013904223;
      copy[(seed >> 8) % object.size] = (uint8_t)(seed >> 24);
    }
    try_load(copy, object.size);
  }
  free(copy);
  mr_free(object.data);
  return true;
}

// Whatever is changed in an object, loading ends with code or with an error.
static void test_loader_survives_damage(void **state) {
  (void)state;
  in_child(survives_damage);
}

static bool pages_come_back(void) {
  mr_object object = one_object();
  unsigned char *first = NULL;
  for (int k = 0; k < 5000; k++) {
    mr_code_block code;
    void *entry;
    EXPECT(!mr_elf_load((mr_span){object.data, object.size}, "kernel", &code, &entry));
    if (!first) {
      first = code.data;
    }
    EXPECT(code.data == first);
    mr_code_free(code);
  }
  mr_free(object.data);
  return true;
}

// Freed code pages are used again: loading and freeing thousands of kernels stays in one place.
static void test_code_pages_are_reused(void **state) {
  (void)state;
  in_child(pages_come_back);
}

static void fill(const mr_code_block *block, size_t number) {
  memset(block->data, (int)(number % 255 + 1), block->size);
}

static bool is_filled(const mr_code_block *block, size_t number) {
  const unsigned char *data = block->data;
  return data[0] == number % 255 + 1 && memcmp(data, data + 1, block->size - 1) == 0;
}

// Each page is one block's, whatever was given back before: blocks of one to five pages, more than a reservation has, and one that
// is larger than a reservation.
static void test_blocks_in_pieces(void **state) {
  (void)state;
  enum { COUNT = 2000, ROUNDS = 3, LARGE = 5 << 20 };
  static mr_code_block blocks[COUNT];
  for (size_t round = 0; round < ROUNDS; round++) {
    for (size_t i = 0; i < COUNT; i++) {
      if (!blocks[i].data) {
        check_ok(mr_code_take(i == round ? LARGE : ((i + round) % 5 + 1) * 4096 - 1, &blocks[i]));
        assert_true(blocks[i].data[0] == 0 && memcmp(blocks[i].data, blocks[i].data + 1, blocks[i].size - 1) == 0);
        fill(&blocks[i], i);
      }
    }
    for (size_t i = 0; i < COUNT; i++) {
      assert_true(is_filled(&blocks[i], i));
      if (i % 3 == round || round + 1 == ROUNDS) {
        mr_code_free(blocks[i]);
        blocks[i].data = NULL;
      }
    }
  }
}

int main(void) {
  setenv("MILLRACE_CACHE_DIR", "", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_loader_survives_damage),
      cmocka_unit_test(test_code_pages_are_reused),
      cmocka_unit_test(test_blocks_in_pieces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
