// Deleters of memory that is not ours are the host's code: they may sleep, and wait for one another, wherever memory is let go of.
#include <stdlib.h>

#include "devices/devices.h"
#include "tests/cmocka.h"
#include "tests/meeting.h"

enum { DELETERS = 8 };

static void delete_with_others(void *data, void *arg) {
  (void)data;
  meet(arg);
}

static void let_go_run(mr_node *node) {
  mr_storage_release(*(mr_storage **)mr_node_payload(node));
  mr_node_finish(node, MR_OK);
}

static const mr_node_type let_go_type = {.name = "let go", .kind = MR_NODE_CALLBACK, .run = let_go_run};

// Two workers let go of eight blocks, and no deleter ends before all have begun.
static void test_deleters_hold_no_worker(void **state) {
  (void)state;
  static char bytes[DELETERS][64];
  setenv("MILLRACE_THREADS", "2", 1);
  mr_platform *platform;
  assert_null(mr_platform_create(NULL, &platform));
  mr_device *device = mr_platform_device(platform, 0);
  meeting m = MEETING_OF(DELETERS);
  mr_future *done[DELETERS];
  for (int i = 0; i < DELETERS; i++) {
    mr_node *node;
    assert_null(mr_node_create(&let_go_type, sizeof(mr_storage *), device->executor, &node));
    assert_null(mr_storage_wrap(&device->memories[MR_MEMORY_DEVICE], bytes[i], sizeof bytes[i], true,
                                delete_with_others, &m, mr_node_payload(node)));
    done[i] = mr_node_keep_done(node);
    mr_node_submit(node);
  }
  for (int i = 0; i < DELETERS; i++) {
    mr_future_wait(done[i]);
    mr_future_release(done[i]);
  }
  assert_false(m.missed);
  mr_platform_release(platform);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_deleters_hold_no_worker)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
