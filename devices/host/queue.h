// queue: an executor with a thread of its own that begins each task some time after it became ready: for devices that are late.
//
// Threads: any. The thread begins with the first task and ends with the queue.
#ifndef MR_DEVICES_HOST_QUEUE_H
#define MR_DEVICES_HOST_QUEUE_H

#include "graph/graph.h"

typedef struct mr_late_queue mr_late_queue;

// A task waits for `least_ns` to `most_ns`, each for another while: what is ready at once may run in any order.
mr_status mr_late_queue_create(uint64_t least_ns, uint64_t most_ns, mr_late_queue **out_queue) MR_WARN_UNUSED;
// When it is empty, and on another thread than its own.
void mr_late_queue_destroy(mr_late_queue *queue);  // NULL is fine
mr_executor *mr_late_queue_executor(mr_late_queue *queue);

#endif
