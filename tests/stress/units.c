// Processing units that are taken away and given back while nodes are on their way.
#include <unistd.h>

#include "tests/masks.h"
#include "tests/stress/stress.h"

static _Atomic(uint32_t) ran;

static void count_run(mr_node *node) {
  atomic_fetch_add(&ran, 1);
  mr_node_finish(node, MR_OK);
}
static const mr_node_type count_type = {.name = "count", .kind = MR_NODE_CALLBACK, .run = count_run};

// Workers stand aside and come back in the middle of it: every node runs once, and none is left behind.
void stress_units(uint32_t seed) {
  enum { BATCHES = 40, NODES = 200 };
  cpu_set_t all, one;
  CHECK(get_masks(&all, &one));
  mr_scheduler *scheduler;
  CHECK(!mr_scheduler_create(&(mr_scheduler_options){.workers = 2 + seed % 2}, &scheduler));
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  static mr_future *done[NODES];
  ran = 0;
  for (uint32_t batch = 0; batch < BATCHES; batch++) {
    if (batch % 8 == 0) {
      CHECK(set_mask_of_all(batch % 16 == 0 ? &one : &all));
    }
    for (uint32_t i = 0; i < NODES; i++) {
      mr_node *node;
      CHECK(!mr_node_create(&count_type, 0, executor, &node));
      node->cost_ns = 10000;
      done[i] = mr_node_keep_done(node);
      mr_node_submit(node);
    }
    usleep(next_random(&seed) % 30000);  // workers go to sleep, and look at the units when they wake up
    for (uint32_t i = 0; i < NODES; i++) {
      CHECK(mr_future_wait_until(done[i], STRESS_DEADLINE));
      mr_future_release(done[i]);
    }
    CHECK(ran == (batch + 1) * NODES);
  }
  mr_scheduler_release(scheduler);  // with the units as they are
  CHECK(set_mask_of_all(&all));
}
