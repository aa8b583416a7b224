// policy: in which order a worker looks at its own places. Private to the scheduler.
//
// A policy is a line of one table; a worker reads it before every task, so it is data and not a function to call.
#ifndef MR_SCHEDULER_POLICY_H
#define MR_SCHEDULER_POLICY_H

#include <stdbool.h>

#include "scheduler/scheduler.h"

typedef struct mr_policy {
  const char *name;
  bool inbox_first;   // before the worker's own deque
  bool oldest_first;  // the end of the deque that is otherwise the thieves'
} mr_policy;

extern const mr_policy mr_policy_table[];

#endif
