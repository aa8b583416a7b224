// How much memory there is, as real systems say it, in files of the test's own.
#include "core/system_memory.h"
#include "tests/cmocka.h"
#include "tests/system_tree.h"

static const uint64_t MIB = 1 << 20;

static void put_machine(void) {
  put("/proc/meminfo", "MemTotal:        1048576 kB\nMemFree:          10240 kB\nMemAvailable:     524288 kB\n"
                       "SwapTotal:        204800 kB\nSwapFree:         102400 kB\n");
}

// Nothing is known: no limit.
static void test_nothing(void **state) {
  (void)state;
  assert_int_equal(mr_system_memory_limit(), UINT64_MAX);
  assert_int_equal(mr_system_memory_available(), UINT64_MAX);
}

// Without groups the machine's memory counts, and free swap as available.
static void test_machine(void **state) {
  (void)state;
  put_machine();
  put("/proc/self/cgroup", "0::/\n");
  assert_int_equal(mr_system_memory_limit(), 1024 * MIB);
  assert_int_equal(mr_system_memory_available(), (512 + 100) * MIB);
}

// Version 2, nested: the least limit on the way up counts, and so does the least that is left, of whichever group.
static void test_v2_nested(void **state) {
  (void)state;
  put_machine();
  put("/proc/self/cgroup", "0::/user.slice/a.slice/b.scope\n");
  put("/sys/fs/cgroup/user.slice/a.slice/b.scope/memory.max", "max\n");
  assert_int_equal(mr_system_memory_limit(), 1024 * MIB);
  put("/sys/fs/cgroup/user.slice/memory.max", "314572800\n");
  put("/sys/fs/cgroup/user.slice/memory.current", "262144000\n");
  put("/sys/fs/cgroup/user.slice/memory.stat", "anon 1\nfile 9\ninactive_file 52428800\nactive_file 7\n");
  assert_int_equal(mr_system_memory_limit(), 300 * MIB);
  assert_int_equal(mr_system_memory_available(), (300 - 250 + 50) * MIB);
  put("/sys/fs/cgroup/user.slice/a.slice/memory.max", "209715200\n");
  put("/sys/fs/cgroup/user.slice/a.slice/memory.current", "104857600\n");
  assert_int_equal(mr_system_memory_limit(), 200 * MIB);
  assert_int_equal(mr_system_memory_available(), 100 * MIB);
  put("/sys/fs/cgroup/user.slice/a.slice/memory.current", "304857600\n");  // over its limit
  assert_int_equal(mr_system_memory_available(), 0);
}

// Version 1, nested; the huge number that stands for no limit is above the machine's. Other controllers' groups do not matter.
static void test_v1_nested(void **state) {
  (void)state;
  put_machine();
  put("/proc/self/cgroup", "4:memory:/process/a\n1:cpu:/x\n0::/\n");
  put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  put("/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "1048576\n");
  put("/sys/fs/cgroup/cpu/x/memory.limit_in_bytes", "1048576\n");
  assert_int_equal(mr_system_memory_limit(), 1024 * MIB);
  put("/sys/fs/cgroup/memory/process/memory.limit_in_bytes", "419430400\n");
  put("/sys/fs/cgroup/memory/process/memory.usage_in_bytes", "314572800\n");
  put("/sys/fs/cgroup/memory/process/memory.stat", "inactive_file 5\ntotal_inactive_file 104857600\n");
  assert_int_equal(mr_system_memory_limit(), 400 * MIB);
  assert_int_equal(mr_system_memory_available(), 200 * MIB);
}

// A container that sees the host's name of its group, but only its own part of the files, at the root.
static void test_names_of_the_host(void **state) {
  (void)state;
  put_machine();
  put("/proc/self/cgroup", "0::/kubepods.slice/pod1.slice/cri-containerd-0123.scope\n");
  put("/sys/fs/cgroup/memory.max", "104857600\n");
  assert_int_equal(mr_system_memory_limit(), 100 * MIB);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_nothing, open_tree, close_tree),
      cmocka_unit_test_setup_teardown(test_machine, open_tree, close_tree),
      cmocka_unit_test_setup_teardown(test_v2_nested, open_tree, close_tree),
      cmocka_unit_test_setup_teardown(test_v1_nested, open_tree, close_tree),
      cmocka_unit_test_setup_teardown(test_names_of_the_host, open_tree, close_tree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
