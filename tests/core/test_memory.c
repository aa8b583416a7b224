// Allocation, arenas and growing texts, with memory and without.
#include "tests/cmocka.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/alloc_fail.h"
#include "core/core.h"
#include "core/rewind.h"

// The Nth allocation fails, the others do not, and the count is reported.
static void test_nth_allocation_fails(void **state) {
  (void)state;
  (void)mr_alloc_fail_nth(3);
  void *blocks[4] = {mr_alloc(1), mr_alloc_zeroed(2, 8), mr_alloc_aligned(64, 10), mr_realloc(NULL, 5)};
  assert_int_equal(mr_alloc_fail_nth(0), 4);
  assert_non_null(blocks[0]);
  assert_non_null(blocks[1]);
  assert_null(blocks[2]);
  assert_non_null(blocks[3]);
  for (size_t i = 0; i < 4; i++) {
    mr_free(blocks[i]);
  }
}

// Whose turn it is to have allocations fail, and what others were refused meanwhile. Relaxed: it guards no memory.
static atomic_bool someone_has_it;
static _Atomic(int) refused_others;

static void *take_turns(void *user) {
  for (int i = 0; i < 20000; i++) {
    if (!atomic_exchange_explicit(&someone_has_it, true, memory_order_relaxed)) {
      mr_alloc_fail_here(true);
      (void)mr_alloc_fail_nth(1);
      void *block = mr_alloc(1);
      (void)mr_alloc_fail_nth(0);
      mr_alloc_fail_here(false);
      atomic_store_explicit(&someone_has_it, false, memory_order_relaxed);
      atomic_fetch_add_explicit(&refused_others, block != NULL, memory_order_relaxed);
      mr_free(block);
    }
    void *block = mr_alloc(1);
    atomic_fetch_add_explicit(&refused_others, block == NULL, memory_order_relaxed);
    mr_free(block);
  }
  return user;
}

// Threads that have allocations fail in turns: each is refused its own, and in nobody else's turn.
static void test_only_ones_own_allocations_fail(void **state) {
  (void)state;
  pthread_t threads[3];
  mr_alloc_fail_by_thread(true);
  for (size_t i = 0; i < MR_ARRAY_SIZE(threads); i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, take_turns, NULL), 0);
  }
  for (size_t i = 0; i < MR_ARRAY_SIZE(threads); i++) {
    pthread_join(threads[i], NULL);
  }
  mr_alloc_fail_by_thread(false);
  assert_int_equal(atomic_load_explicit(&refused_others, memory_order_relaxed), 0);
}

// Nothing asked for is still a block of its own, so NULL always means failure.
static void test_empty_allocations_are_not_null(void **state) {
  (void)state;
  void *blocks[3] = {mr_alloc(0), mr_alloc_zeroed(0, 8), mr_alloc_aligned(64, 0)};
  for (size_t i = 0; i < 3; i++) {
    assert_non_null(blocks[i]);
    mr_free(blocks[i]);
  }
  void *wide = mr_alloc_aligned(4096, 100);
  assert_int_equal((uintptr_t)wide % 4096, 0);
  mr_free(wide);
}

// Arena blocks are zeroed, aligned and disjoint, small and large.
static void test_arena_blocks_are_zeroed_and_disjoint(void **state) {
  (void)state;
  mr_arena arena;
  mr_arena_init(&arena, 0);
  unsigned char *blocks[200];
  size_t sizes[200];
  for (size_t i = 0; i < 200; i++) {
    sizes[i] = i % 50 == 49 ? 3000000 : i * 7 + 1;
    blocks[i] = mr_arena_alloc(&arena, sizes[i]);
    assert_non_null(blocks[i]);
    assert_int_equal((uintptr_t)blocks[i] % 16, 0);
    for (size_t j = 0; j < sizes[i]; j++) {
      assert_int_equal(blocks[i][j], 0);
    }
    memset(blocks[i], (int)i, sizes[i]);
  }
  for (size_t i = 0; i < 200; i++) {
    assert_int_equal(blocks[i][0], i);
    assert_int_equal(blocks[i][sizes[i] - 1], i);
  }
  mr_arena_deinit(&arena);
}

// An arena never gives out more than its limit, and refuses sizes that would wrap.
static void test_arena_limit(void **state) {
  (void)state;
  mr_arena arena;
  mr_arena_init(&arena, 100);
  assert_non_null(mr_arena_alloc(&arena, 64));
  assert_null(mr_arena_alloc(&arena, 64));
  assert_non_null(mr_arena_alloc(&arena, 32));
  assert_null(mr_arena_alloc(&arena, SIZE_MAX));
  assert_null(mr_arena_alloc(&arena, SIZE_MAX - 8));
  mr_arena_deinit(&arena);
}

// What was taken since a mark is taken again, zeroed, however large it was, and what was there before stays. Rounds that begin near the end
// of a chunk go on in the next one.
static void test_arena_rewind(void **state) {
  (void)state;
  mr_arena arena;
  mr_arena_init(&arena, 0);
  mr_arena_mark nothing = mr_arena_here(&arena);
  char *kept = mr_arena_alloc(&arena, 4000);
  memset(kept, 7, 4000);
  mr_arena_mark mark = mr_arena_here(&arena);
  char *first = NULL;
  for (int round = 0; round < 50; round++) {
    for (size_t size = 16; size <= (round == 20 ? 1u << 20 : 1u << 10); size *= 4) {
      char *memory = mr_arena_alloc(&arena, size);
      assert_non_null(memory);
      first = size == 16 && round == 1 ? memory : first;
      assert_true(size != 16 || round < 1 || round > 20 || memory == first);
      for (size_t i = 0; i < size; i++) {
        assert_int_equal(memory[i], 0);
      }
      memset(memory, 0x55, size);
      mr_arena_mark inner = mr_arena_here(&arena);
      memset(mr_arena_alloc(&arena, 8), 0x33, 8);
      mr_arena_rewind(&arena, inner);
    }
    mr_arena_rewind(&arena, mark);
    assert_int_equal(arena.used, mark.used);
  }
  for (int i = 0; i < 4000; i++) {
    assert_int_equal(kept[i], 7);
  }
  mr_arena_rewind(&arena, nothing);
  assert_int_equal(arena.used, 0);
  mr_arena_deinit(&arena);
}

// What an arena gives out after a reset is zeroed, though it was used, and it takes no more memory in the long run.
static void test_arena_reset(void **state) {
  (void)state;
  mr_arena arena;
  mr_arena_init(&arena, 4000000);
  mr_arena_reset(&arena);  // nothing was taken yet
  unsigned char *largest = NULL;
  for (int i = 0; i < 10; i++) {
    for (int k = 0; k < 3; k++) {
      unsigned char *block = mr_arena_alloc(&arena, 10000);
      assert_non_null(block);
      assert_true(block[0] == 0 && block[9999] == 0);
      memset(block, 1, 10000);
    }
    mr_arena_reset(&arena);
    unsigned char *first = mr_arena_alloc(&arena, 16);
    assert_true(i < 5 || first == largest);
    largest = first;
  }
  mr_arena_deinit(&arena);
}

static bool use_arena(void) {
  mr_arena arena;
  mr_arena_init(&arena, 0);
  bool ok = true;
  for (int i = 0; i < 20 && ok; i++) {
    ok = mr_arena_copy(&arena, "abc", 4) && mr_arena_alloc(&arena, 5000);
  }
  ok = ok && mr_arena_str(&arena, MR_STR("text")).data;
  mr_arena_deinit(&arena);
  return ok;
}

static bool use_text(void) {
  mr_text text = {0};
  for (int i = 0; i < 100; i++) {
    mr_text_put(&text, "%d,", i);
  }
  bool ok = !text.failed && text.size == 290 && strncmp(text.data, "0,1,2,", 6) == 0;
  mr_text_deinit(&text);
  return ok;
}

// Fail the 1st, the 2nd, ... allocation until everything succeeds: each round says so and leaks nothing.
static void test_every_allocation_may_fail(void **state) {
  (void)state;
  bool (*const uses[])(void) = {use_arena, use_text};
  for (size_t i = 0; i < MR_ARRAY_SIZE(uses); i++) {
    uint64_t rounds = 0;
    for (bool ok = false; !ok; rounds++) {
      (void)mr_alloc_fail_nth(rounds + 1);
      ok = uses[i]();
      uint64_t made = mr_alloc_fail_nth(0);
      assert_int_equal(ok, made < rounds + 1);
    }
    assert_true(rounds > 2);
  }
}

// A text is what was put into it, however often it grew.
static void test_text_grows(void **state) {
  (void)state;
  mr_text text = {0};
  mr_text_append(&text, (mr_str){NULL, 0});
  for (int i = 0; i < 1000; i++) {
    mr_text_append(&text, MR_STR("ab"));
  }
  mr_text_put(&text, "%s", "end");
  assert_false(text.failed);
  assert_int_equal(text.size, 2003);
  assert_string_equal(text.data + 1996, "ababend");
  mr_text_deinit(&text);
}

// Strings compare by length and bytes, NULs included.
static void test_strings(void **state) {
  (void)state;
  assert_true(mr_str_equal(MR_STR("a\0b"), (mr_str){"a\0bc", 3}));
  assert_false(mr_str_equal(MR_STR("a\0b"), MR_STR("a\0c")));
  assert_true(mr_str_is((mr_str){"addition", 3}, "add"));
  assert_true(mr_str_starts_with(MR_STR("addition"), MR_STR("add")));
  assert_true(mr_str_starts_with(MR_STR(""), MR_STR("")));
  assert_false(mr_str_starts_with(MR_STR("ad"), MR_STR("add")));
  assert_int_equal(mr_str_of(NULL).size, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nth_allocation_fails),
      cmocka_unit_test(test_only_ones_own_allocations_fail),
      cmocka_unit_test(test_empty_allocations_are_not_null),
      cmocka_unit_test(test_arena_blocks_are_zeroed_and_disjoint),
      cmocka_unit_test(test_arena_limit),
      cmocka_unit_test(test_arena_reset),
      cmocka_unit_test(test_arena_rewind),
      cmocka_unit_test(test_every_allocation_may_fail),
      cmocka_unit_test(test_text_grows),
      cmocka_unit_test(test_strings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
