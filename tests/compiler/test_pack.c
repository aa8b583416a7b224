// Temporary buffers whose sizes together are more than there are addresses: refused by name, never a small block.
#include <stdlib.h>
#include <string.h>

#include "compiler/weave/tuning.h"
#include "compiler/weave/weave.h"
#include "tests/cmocka.h"

#define LARGEST ((size_t)1 << 46)  // of a tensor
enum { SO_MANY = 1 << 18 };        // of the largest are one more than there is room for

// Buffers of so many bytes, which all live at the same time or one after the other.
static mr_status pack(uint32_t count, size_t bytes, bool together, size_t *out_bytes) {
  mr_arena arena = {0};
  mr_executable e = {.num_buffers = count, .buffers = calloc(count, sizeof(plan_buffer))};
  assert_non_null(e.buffers);
  for (uint32_t i = 0; i < count; i++) {
    e.buffers[i] = (plan_buffer){.place = PLACE_TEMP, .bytes = bytes, .start = i, .end = together ? count + i : i};
  }
  mr_status status = mr_weave_pack(&arena, &e, NULL, out_bytes);
  mr_arena_deinit(&arena);
  free(e.buffers);
  return status;
}

static void expect_refused(uint32_t count, size_t bytes) {
  size_t block = 0;
  mr_status status = pack(count, bytes, true, &block);
  assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
  assert_non_null(strstr(mr_status_message(status), "more memory than there are addresses"));
  mr_status_free(status);
}

// Few, of which each is compared with all.
static void test_few(void **state) {
  (void)state;
  size_t block;
  assert_null(pack(3, (size_t)1 << 62, true, &block));
  assert_true(block == (size_t)3 << 62);
  assert_null(pack(9, (size_t)1 << 62, false, &block));
  assert_true(block == (size_t)1 << 62);
  expect_refused(4, (size_t)1 << 62);
  expect_refused(5, (size_t)1 << 62);
  expect_refused(1, SIZE_MAX - 1);
}

// So many that most go on shelves.
static void test_many(void **state) {
  (void)state;
  size_t block;
  static_assert(SO_MANY > MR_PACK_COMPARED, "");
  assert_null(pack(SO_MANY - 1, LARGEST, true, &block));
  assert_true(block == (SO_MANY - 1) * LARGEST);
  assert_null(pack(SO_MANY + 1, LARGEST, false, &block));
  assert_true(block == LARGEST);
  expect_refused(SO_MANY, LARGEST);
  expect_refused(SO_MANY + 1, LARGEST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_few),
      cmocka_unit_test(test_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
