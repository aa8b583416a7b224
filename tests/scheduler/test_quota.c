// CPU quotas of control groups, as real systems lay them out, in folders of the test's own.
#include <string.h>
#include <unistd.h>

#include "futures/park.h"
#include "scheduler/internal.h"
#include "scheduler/quota.h"
#include "tests/cmocka.h"
#include "tests/system_tree.h"

// A part of a CPU counts as a whole one.
static void test_parse(void **state) {
  (void)state;
  assert_int_equal(mr_quota_parse("max 100000\n"), 0);
  assert_int_equal(mr_quota_parse("250000 100000\n"), 3);
  assert_int_equal(mr_quota_parse("200000 100000\n"), 2);
  assert_int_equal(mr_quota_parse("50000 100000\n"), 1);
  assert_int_equal(mr_quota_parse("1 1000000"), 1);
  assert_int_equal(mr_quota_parse("-1 100000\n"), 0);
  assert_int_equal(mr_quota_parse("100000 0"), 0);
  assert_int_equal(mr_quota_parse("1e30 100000"), 0);
  assert_int_equal(mr_quota_parse("nan 100000"), 0);
  assert_int_equal(mr_quota_parse(""), 0);
  assert_int_equal(mr_quota_parse("5"), 0);
}

// No file, an empty one, one without this controller: no limit.
static void test_nothing(void **state) {
  (void)state;
  assert_int_equal(mr_quota_units(), 0);
  put("/proc/self/cgroup", "");
  assert_int_equal(mr_quota_units(), 0);
  put("/proc/self/cgroup", "4:memory:/a\nnonsense\n:\n::\n5:cpu\n");
  assert_int_equal(mr_quota_units(), 0);
}

// Version 2, nested: the smallest limit on the way up counts, whichever group has it.
static void test_v2_nested(void **state) {
  (void)state;
  put("/proc/self/cgroup", "0::/user.slice/a.slice/b.scope\n");
  put("/sys/fs/cgroup/user.slice/a.slice/b.scope/cpu.max", "max 100000\n");
  assert_int_equal(mr_quota_units(), 0);
  put("/sys/fs/cgroup/user.slice/cpu.max", "600000 100000\n");
  assert_int_equal(mr_quota_units(), 6);
  put("/sys/fs/cgroup/user.slice/a.slice/cpu.max", "150000 100000\n");
  assert_int_equal(mr_quota_units(), 2);
  put("/sys/fs/cgroup/user.slice/a.slice/b.scope/cpu.max", "300000 100000\n");
  assert_int_equal(mr_quota_units(), 2);
}

// A container with a view of its own: its group is the root.
static void test_v2_container(void **state) {
  (void)state;
  put("/proc/self/cgroup", "0::/\n");
  put("/sys/fs/cgroup/cpu.max", "25000 50000\n");
  assert_int_equal(mr_quota_units(), 1);
  put("/proc/self/cgroup", "0::/../../other\n");  // put elsewhere from outside
  put("/sys/cpu.max", "900000 100000\n");         // not a group
  assert_int_equal(mr_quota_units(), 1);
}

// A container that sees the host's name of its group, but only its own part of the files, at the root.
static void test_names_of_the_host(void **state) {
  (void)state;
  put("/proc/self/cgroup", "0::/kubepods.slice/pod1.slice/cri-containerd-0123.scope\n");
  put("/sys/fs/cgroup/cpu.max", "400000 100000\n");
  assert_int_equal(mr_quota_units(), 4);
  put("/proc/self/cgroup", "11:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n");
  put("/sys/fs/cgroup/cpu.max", "max 100000\n");
  put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "150000\n");
  put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "50000\n");
  assert_int_equal(mr_quota_units(), 3);
}

// Version 1, nested, with and without the link "cpu"; other controllers' groups do not matter.
static void test_v1_nested(void **state) {
  (void)state;
  put("/proc/self/cgroup", "9:cpuset:/x\n4:cpuacct,cpu:/a/b\n3:memory:/y\n1:name=systemd:/z\n");
  put("/sys/fs/cgroup/cpuacct,cpu/a/b/cpu.cfs_quota_us", "-1\n");
  put("/sys/fs/cgroup/cpuacct,cpu/a/b/cpu.cfs_period_us", "100000\n");
  assert_int_equal(mr_quota_units(), 0);
  put("/sys/fs/cgroup/cpuacct,cpu/a/cpu.cfs_quota_us", "250000\n");
  put("/sys/fs/cgroup/cpuacct,cpu/a/cpu.cfs_period_us", "100000\n");
  assert_int_equal(mr_quota_units(), 3);
  put("/sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us", "200000\n");
  put("/sys/fs/cgroup/cpu/a/b/cpu.cfs_period_us", "100000\n");
  assert_int_equal(mr_quota_units(), 2);
  put("/sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "100000\n");
  put("/sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
  assert_int_equal(mr_quota_units(), 2);
}

// Both versions side by side: whichever has the limit.
static void test_hybrid(void **state) {
  (void)state;
  put("/proc/self/cgroup", "2:cpu:/a\n0::/s/t\n");
  put("/sys/fs/cgroup/unified/s/cpu.max", "200000 100000\n");
  assert_int_equal(mr_quota_units(), 2);
  put("/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "100000\n");
  put("/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  assert_int_equal(mr_quota_units(), 1);
}

// Names as long as the system allows.
static void test_long_names(void **state) {
  (void)state;
  char line[4096] = "0::", path[4096] = "/sys/fs/cgroup";
  for (int i = 0; i < 12; i++) {
    char part[64];
    snprintf(part, sizeof part, "/a-group-whose-name-is-as-long-as-those-that-tools-make-%02d", i);
    strcat(line, part);
    strcat(path, part);
  }
  strcat(line, "\n");
  strcat(path, "/cpu.max");
  put("/proc/self/cgroup", line);
  put(path, "700000 100000\n");
  assert_int_equal(mr_quota_units(), 7);
}

static void task_run(mr_node *node) { mr_node_finish(node, MR_OK); }
static const mr_node_type task_type = {.name = "task", .kind = MR_NODE_CALLBACK, .run = task_run};

// Gives the workers reasons to look, until `wanted` of them are to be at work.
static bool becomes(mr_scheduler *scheduler, uint32_t wanted) {
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  uint64_t end = mr_now_ns() + 60000000000u;
  while (mr_now_ns() < end) {
    mr_node *node;
    assert_null(mr_node_create(&task_type, 0, executor, &node));
    node->cost_ns = 1000000;  // not here
    mr_future *done = mr_node_keep_done(node);
    mr_node_submit(node);
    mr_future_wait(done);
    mr_future_release(done);
    usleep(3000);
    if (atomic_load(&scheduler->active) == wanted) {
      return true;
    }
  }
  return false;
}

// A limit that is there at the start makes fewer workers; one that comes later makes some stand aside, and they come back.
static void test_while_running(void **state) {
  (void)state;
  put("/proc/self/cgroup", "0::/a\n");
  put("/sys/fs/cgroup/a/cpu.max", "max 100000\n");
  uint32_t units = mr_allowed_units();
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(NULL, &scheduler));
  uint32_t all = mr_scheduler_worker_count(scheduler);
  put("/sys/fs/cgroup/a/cpu.max", "100000 100000\n");
  assert_true(becomes(scheduler, 1));
  assert_int_equal(mr_allowed_units(), 1);  // nobody spins any more
  put("/sys/fs/cgroup/a/cpu.max", "max 100000\n");
  assert_true(becomes(scheduler, all));
  mr_scheduler_release(scheduler);
  put("/sys/fs/cgroup/a/cpu.max", "100000 100000\n");
  assert_null(mr_scheduler_create(NULL, &scheduler));
  assert_int_equal(mr_scheduler_worker_count(scheduler), 1);
  mr_scheduler_release(scheduler);
  mr_note_allowed_units(units);
}

int main(void) {
  alarm(280);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parse),
      cmocka_unit_test_setup_teardown(test_nothing, open_tree, close_tree),
      cmocka_unit_test_setup_teardown(test_v2_nested, open_tree, close_tree),
      cmocka_unit_test_setup_teardown(test_v2_container, open_tree, close_tree),
      cmocka_unit_test_setup_teardown(test_names_of_the_host, open_tree, close_tree),
      cmocka_unit_test_setup_teardown(test_v1_nested, open_tree, close_tree),
      cmocka_unit_test_setup_teardown(test_hybrid, open_tree, close_tree),
      cmocka_unit_test_setup_teardown(test_long_names, open_tree, close_tree),
      cmocka_unit_test_setup_teardown(test_while_running, open_tree, close_tree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
