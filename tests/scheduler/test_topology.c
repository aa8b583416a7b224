// The topology: synthetic machines of several sockets, distances, and this machine.
#include "futures/park.h"
#include "scheduler/topology.h"
#include "tests/cmocka.h"

static mr_topology *make(const char *synthetic) {
  mr_topology *topology;
  assert_null(mr_topology_create(synthetic, &topology));
  return topology;
}

// Units come in an order in which neighbours are near; a domain is a shared last-level cache.
static void test_four_sockets(void **state) {
  (void)state;
  mr_topology *t = make("pack:4 numa:1 l3:2 core:16 pu:2");
  assert_int_equal(t->unit_count, 256);
  assert_int_equal(t->domain_count, 8);
  assert_int_equal(t->parallelism, 256);
  for (uint32_t i = 0; i < 256; i++) {
    assert_int_equal(t->units[i].package, i / 64);
    assert_int_equal(t->units[i].domain, i / 32);
    assert_int_equal(t->units[i].core, i / 2);
    assert_int_equal(t->units[i].numa_node, i / 64);
  }
  assert_int_equal(mr_topology_distance(t, 0, 1), 0);
  assert_int_equal(mr_topology_distance(t, 0, 2), 1);
  assert_int_equal(mr_topology_distance(t, 0, 40), 2);
  assert_int_equal(mr_topology_distance(t, 0, 255), 3);
  mr_topology_free(t);
}

// The caches of a unit, from the core outward, with how many units share each; none where the description has none.
static void test_caches(void **state) {
  (void)state;
  mr_topology *t = make("pack:2 l3:2(size=33554432) l2:4(size=1048576) l1d:1(size=49152) core:1 pu:2");
  assert_int_equal(t->cache_count, 3);
  assert_int_equal(t->caches[0].bytes, 48 << 10);
  assert_int_equal(t->caches[0].units, 2);
  assert_int_equal(t->caches[1].bytes, 1 << 20);
  assert_int_equal(t->caches[1].units, 2);
  assert_int_equal(t->caches[2].bytes, 32 << 20);
  assert_int_equal(t->caches[2].units, 8);
  mr_topology_free(t);
  t = make("pack:2 core:4 pu:1");
  assert_int_equal(t->cache_count, 0);
  mr_topology_free(t);
}

// Without a last-level cache in the description, the NUMA node or the package is the domain.
static void test_without_cache(void **state) {
  (void)state;
  mr_topology *t = make("pack:2 core:4 pu:1");
  assert_int_equal(t->domain_count, 2);
  mr_topology_free(t);
  t = make("pack:1 group:2 numa:1 core:4 pu:1");
  assert_int_equal(t->domain_count, 2);
  mr_topology_free(t);
}

static void test_nonsense(void **state) {
  (void)state;
  mr_topology *t;
  mr_status status = mr_topology_create("no:such thing", &t);
  assert_non_null(status);
  assert_null(t);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  mr_status_free(status);
}

// This machine: no more units than the affinity mask allows.
static void test_this_machine(void **state) {
  (void)state;
  mr_topology *t = make(NULL);
  assert_int_equal(t->unit_count, mr_allowed_units());
  assert_true(t->parallelism >= 1 && t->parallelism <= t->unit_count);
  mr_topology_free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_four_sockets), cmocka_unit_test(test_caches),       cmocka_unit_test(test_without_cache),
      cmocka_unit_test(test_nonsense),     cmocka_unit_test(test_this_machine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
