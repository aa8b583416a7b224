// Nanoseconds over a plain call: a ready node that runs inside submit, and one whose input is set afterwards.
#include <stdio.h>
#include <stdlib.h>

#include "graph/graph.h"

enum { COUNT = 1000000 };
static volatile long sink;

static void run(mr_node *node) {
  sink = sink + 1;
  mr_node_finish(node, MR_OK);
}
static const mr_node_type type = {.name = "n", .kind = MR_NODE_CALLBACK, .run = run};

static mr_node *make(void) {
  mr_node *node;
  if (mr_node_create(&type, 16, NULL, &node)) {
    abort();
  }
  node->cost_ns = 100;
  return node;
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    uint64_t start = mr_now_ns();
    for (int i = 0; i < COUNT; i++) {
      mr_node_submit(make());
    }
    printf("ready, run in submit      %6.1f ns\n", (double)(mr_now_ns() - start) / COUNT);
    mr_future set;
    mr_future_init(&set);
    mr_future_set(&set, MR_OK);
    start = mr_now_ns();
    for (int i = 0; i < COUNT; i++) {
      mr_node *node = make();
      mr_status_free(mr_node_after(node, &set));
      mr_status_free(mr_node_after(node, &set));
      mr_future *done = mr_future_retain(mr_node_done(node));
      mr_node_submit(node);
      mr_future_release(done);
    }
    printf("two set inputs, observed  %6.1f ns\n", (double)(mr_now_ns() - start) / COUNT);
    start = mr_now_ns();
    for (int i = 0; i < COUNT; i++) {
      mr_future input;
      mr_future_init(&input);
      mr_node *node = make();
      mr_status_free(mr_node_after(node, &input));
      mr_node_submit(node);
      mr_future_set(&input, MR_OK);
    }
    printf("input set afterwards      %6.1f ns\n", (double)(mr_now_ns() - start) / COUNT);
  }
  return 0;
}
