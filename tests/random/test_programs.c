// Random programs from fixed seeds, and every program that once differed, run as in production: nothing differs from the
// evaluator beyond what docs/accuracy.md allows. `./dev fuzz run` goes on with other seeds.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/random/random.h"

static session s;

static int open_session(void **state) {
  (void)state;
  mr_platform_options eight = {.num_devices = 8};  // some of the corpus are for several
  assert_null(mr_platform_create(&eight, &s.platform));
  s.device = mr_platform_device(s.platform, 0);
  s.memory = &s.device->memories[MR_MEMORY_DEVICE];
  return 0;
}

static int close_session(void **state) {
  (void)state;
  mr_platform_release(s.platform);
  return 0;
}

static void expect_agreement(bool (*generate)(rng *r, mr_text *text), uint64_t first, uint64_t count) {
  uint64_t agreed = 0;
  s.sure = s.bounded = s.unsure = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    rng random = rng_of(seed);
    mr_text text = {0}, why = {0};
    assert_true(generate(&random, &text));
    outcome result = check_program(&s, (mr_str){text.data, text.size}, seed, &why);
    if (result == DIFFERS || result == INVALID) {
      fail_msg("seed %llu: %.*s\n%.*s", (unsigned long long)seed, (int)why.size, why.data, (int)text.size, text.data);
    }
    agreed += result == AGREES;
    mr_text_deinit(&text);
    mr_text_deinit(&why);
  }
  assert_true(agreed >= count - count / 20);
  assert_true(s.sure > 2 * s.unsure);
}

// Programs from seeds agree with the evaluator, and most of what they give is compared exactly.
static void test_seeds(void **state) {
  (void)state;
  expect_agreement(generate_program, 1000000, MR_TEST_SANITIZED ? 30 : 250);
}

// So do programs that are rich in loops, branches and updates.
static void test_seeds_with_loops(void **state) {
  (void)state;
  expect_agreement(generate_looping_program, 3000000, MR_TEST_SANITIZED ? 20 : 150);
}

static void replay(const char *path) {
  char *data = malloc(1 << 20);
  FILE *file = fopen(path, "rb");
  assert_true(data && file);
  size_t size = fread(data, 1, (1 << 20) - 1, file);
  fclose(file);
  data[size] = 0;
  unsigned long long seed;
  assert_int_equal(sscanf(data, "// seed %llu", &seed), 1);
  mr_text why = {0};
  outcome result = check_program(&s, (mr_str){data, size}, seed, &why);
  if (result != AGREES) {
    fail_msg("%s: %.*s", path, (int)why.size, why.data);
  }
  mr_text_deinit(&why);
  free(data);
}

// What once differed agrees, on the inputs on which it did.
static void test_corpus(void **state) {
  (void)state;
  const char *folder = "tests/random/corpus";
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (strstr(entry->d_name, ".mlir")) {
      char path[512];
      snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
      replay(path);
      count++;
    }
  }
  closedir(dir);
  assert_true(count > 0);
}

// One bit of one element changed is seen, wherever the evaluator is certain.
static void test_comparison_sees_a_bit(void **state) {
  (void)state;
  cell cells[2] = {cell_exact(1.5L), cell_near(2, 1e-7)};
  const int64_t dims[1] = {2};
  tensor wanted = {.type = {.dtype = MR_F32, .rank = 1, .dims = dims}, .count = 2, .parts = 1, .cells = cells};
  mr_text why = {0};
  float right[2] = {1.5f, 2}, wrong[2] = {1.5000001f, 2}, far[2] = {1.5f, 2.0000005f};
  assert_true(compare_result(&s, &wanted, right, 0, &why));
  assert_false(compare_result(&s, &wanted, wrong, 0, &why));
  assert_false(compare_result(&s, &wanted, far, 0, &why));
  mr_text_deinit(&why);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comparison_sees_a_bit),
      cmocka_unit_test(test_corpus),
      cmocka_unit_test(test_seeds),
      cmocka_unit_test(test_seeds_with_loops),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
