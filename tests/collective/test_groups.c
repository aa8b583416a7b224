// Who meets whom, in each of the ways that lists of groups and pairs may be meant.
#include "collective/collective.h"
#include "tests/cmocka.h"

static void expect_group(const mr_groups *groups, uint32_t group, const uint32_t *members, uint32_t count) {
  assert_true(group < groups->num_groups);
  assert_int_equal(mr_groups_size(groups, group), count);
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(groups->members[groups->offsets[group] + i], members[i]);
    assert_int_equal(groups->group_of[members[i]], group);
    assert_int_equal(groups->rank_of[members[i]], i);
  }
}
#define EXPECT(groups, group, ...) \
  expect_group(groups, group, (const uint32_t[]){__VA_ARGS__}, (uint32_t)(sizeof(uint32_t[]){__VA_ARGS__} / 4))

static mr_groups *make(mr_groups_mode mode, const int64_t *ids, size_t rows, size_t columns, uint32_t replicas,
                       uint32_t partitions) {
  mr_groups *groups;
  assert_null(mr_groups_create(mode, ids, rows, columns, replicas, partitions, &groups));
  return groups;
}

// Two replicas of three partitions: ids 0 1 2, 3 4 5.
static void test_modes(void **state) {
  (void)state;
  mr_groups *g = make(MR_GROUPS_REPLICAS, (const int64_t[]){1, 0}, 1, 2, 2, 3);
  assert_int_equal(g->num_groups, 3);
  EXPECT(g, 0, 3, 0);
  EXPECT(g, 1, 4, 1);
  EXPECT(g, 2, 5, 2);
  mr_groups_release(g);
  g = make(MR_GROUPS_PARTITIONS, (const int64_t[]){2, 0, 1, -1}, 2, 2, 2, 3);
  assert_int_equal(g->num_groups, 4);
  EXPECT(g, 0, 2, 0);
  EXPECT(g, 1, 5, 3);
  EXPECT(g, 2, 1);
  EXPECT(g, 3, 4);
  assert_int_equal(g->most, 2);
  mr_groups_release(g);
  g = make(MR_GROUPS_REPLICAS_PARTITIONS, (const int64_t[]){1, 0}, 1, 2, 2, 3);
  assert_int_equal(g->num_groups, 1);
  EXPECT(g, 0, 3, 0, 4, 1, 5, 2);
  mr_groups_release(g);
  g = make(MR_GROUPS_FLAT, (const int64_t[]){5, 0, 3, 1, 2, -1}, 2, 3, 2, 3);
  EXPECT(g, 0, 5, 0, 3);
  EXPECT(g, 1, 1, 2);
  assert_int_equal(g->group_of[4], MR_NO_GROUP);
  mr_groups_release(g);
}

// No list is everybody, as the mode has it.
static void test_everybody(void **state) {
  (void)state;
  mr_groups *g = make(MR_GROUPS_FLAT, NULL, 0, 0, 2, 2);
  EXPECT(g, 0, 0, 1, 2, 3);
  mr_groups_release(g);
  g = make(MR_GROUPS_REPLICAS, NULL, 0, 0, 2, 2);
  EXPECT(g, 0, 0, 2);
  EXPECT(g, 1, 1, 3);
  mr_groups_release(g);
}

// Numbers that nobody has, and such that are there twice, are refused.
static void test_refused(void **state) {
  (void)state;
  static const int64_t lists[][2] = {{0, 4}, {0, -2}, {1, 1}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(lists); i++) {
    mr_groups *g;
    mr_status status = mr_groups_create(MR_GROUPS_FLAT, lists[i], 1, 2, 1, 4, &g);
    assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
    mr_status_free(status);
    assert_null(g);
  }
}

// Those that pairs link, near or far, are one group; each knows whom it gets from.
static void test_pairs(void **state) {
  (void)state;
  mr_groups *g;
  const uint32_t *sources;
  static const int64_t pairs[] = {4, 1, 1, 3, 5, 5, 6, 0};
  assert_null(mr_groups_of_pairs(MR_GROUPS_FLAT, pairs, 4, 1, 8, &g, &sources));
  EXPECT(g, 0, 0, 6);
  EXPECT(g, 1, 1, 3, 4);
  EXPECT(g, 2, 2);
  EXPECT(g, 3, 5);
  EXPECT(g, 4, 7);
  static const uint32_t wanted[] = {1, 2, MR_NO_GROUP, 0, MR_NO_GROUP, 0, MR_NO_GROUP, MR_NO_GROUP};
  for (uint32_t id = 0; id < 8; id++) {
    assert_int_equal(sources[id], wanted[id]);
  }
  mr_groups_release(g);
  assert_null(mr_groups_of_pairs(MR_GROUPS_PARTITIONS, (const int64_t[]){0, 1}, 1, 2, 2, &g, &sources));
  EXPECT(g, 0, 0, 1);
  EXPECT(g, 1, 2, 3);
  mr_groups_release(g);
  mr_status status = mr_groups_of_pairs(MR_GROUPS_FLAT, (const int64_t[]){0, 1, 2, 1}, 2, 1, 4, &g, &sources);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  mr_status_free(status);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_modes), cmocka_unit_test(test_everybody),
                                     cmocka_unit_test(test_refused), cmocka_unit_test(test_pairs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
