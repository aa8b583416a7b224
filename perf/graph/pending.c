// A million nodes that wait: nanoseconds a node to make and to run, and how much memory each one holds meanwhile.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "graph/graph.h"
#include "scheduler/scheduler.h"

enum { COUNT = 1000000, MOST_INPUTS = 3 };

static void run(mr_node *node) { mr_node_finish(node, MR_OK); }
static const mr_node_type type = {.name = "n", .kind = MR_NODE_CALLBACK, .run = run};

static double resident_bytes(void) {
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2) {
    abort();
  }
  fclose(file);
  return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

// Every node comes after its predecessor and after `inputs` - 1 events.
static void measure(mr_scheduler *scheduler, mr_executor *executor, int inputs, size_t payload) {
  mr_future events[MOST_INPUTS];
  for (int i = 0; i < inputs; i++) {
    mr_future_init(&events[i]);
  }
  double before = resident_bytes();
  uint64_t start = mr_now_ns();
  mr_future *last = NULL;
  for (int i = 0; i < COUNT; i++) {
    mr_node *node;
    if (mr_node_create(&type, payload, executor, &node)) {
      abort();
    }
    mr_future *done = mr_node_keep_done(node);
    for (int k = last ? 1 : 0; k < inputs; k++) {
      mr_status_free(mr_node_after(node, &events[k]));
    }
    if (last) {
      mr_status_free(mr_node_after(node, last));
    }
    mr_node_submit(node);
    mr_future_release(last);
    last = done;
  }
  uint64_t built = mr_now_ns();
  double bytes = (resident_bytes() - before) / COUNT;
  for (int i = 0; i < inputs; i++) {
    mr_future_set(&events[i], MR_OK);
  }
  mr_scheduler_wait(scheduler, last);
  uint64_t ended = mr_now_ns();
  mr_future_release(last);
  printf("%d inputs, payload %3zu: made in %6.1f ns, run in %6.1f ns, %6.1f bytes more than before\n", inputs, payload,
         (double)(built - start) / COUNT, (double)(ended - built) / COUNT, bytes);
}

int main(void) {
  mr_scheduler *scheduler;
  if (mr_scheduler_create(&(mr_scheduler_options){.workers = MR_SCHEDULER_NO_WORKERS}, &scheduler)) {
    abort();
  }
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  if (!mr_scheduler_enter(scheduler)) {
    abort();
  }
  measure(scheduler, executor, 1, 16);
  measure(scheduler, executor, 1, 16);  // all memory is there
  measure(scheduler, executor, 2, 96);
  measure(scheduler, executor, 3, 224);
  mr_scheduler_leave(scheduler);
  mr_scheduler_release(scheduler);
  return 0;
}
