// The topology: synthetic machines of several sockets, distances, and this machine.
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

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

enum { SILENT, TALKS, WRONG, CANNOT_HIDE };

// In a process of its own: /sys is hidden from it, what is said on stderr goes to a file.
static int read_without_sys(uint32_t wanted) {
  FILE *told = tmpfile();
  bool hidden = unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
  hidden = hidden && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) && !mount("none", "/sys", "tmpfs", 0, NULL);
  if (!hidden || !told || dup2(fileno(told), STDERR_FILENO) < 0) {
    return CANNOT_HIDE;
  }
  mr_topology *t = NULL;
  if (mr_topology_create(NULL, &t) || t->unit_count != wanted) {
    return WRONG;
  }
  return fseek(told, 0, SEEK_END) || ftell(told) ? TALKS : SILENT;
}

// Where the kernel's files about processors are missing, as in some sandboxes, the units are known all the same, and nothing is
// said of it on the host's stderr.
static void test_without_sys(void **state) {
  (void)state;
  uint32_t wanted = mr_allowed_units();
  pid_t child = fork();
  if (child == 0) {
    _exit(read_without_sys(wanted));
  }
  int ended;
  assert_int_equal(waitpid(child, &ended, 0), child);
  assert_true(WIFEXITED(ended));
  if (WEXITSTATUS(ended) == CANNOT_HIDE) {
    print_message("skipped: this process may not hide /sys from a child\n");
    skip();
  }
  assert_int_equal(WEXITSTATUS(ended), SILENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_four_sockets), cmocka_unit_test(test_caches),       cmocka_unit_test(test_without_cache),
      cmocka_unit_test(test_nonsense),     cmocka_unit_test(test_this_machine), cmocka_unit_test(test_without_sys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
