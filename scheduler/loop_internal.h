// What loop.c and reactor.c know of each other: a future that a libevent event sets.
#ifndef MR_SCHEDULER_LOOP_INTERNAL_H
#define MR_SCHEDULER_LOOP_INTERNAL_H

#include <event2/event_struct.h>

#include "scheduler/loop.h"

typedef struct mr_event_future mr_event_future;
struct mr_event_future {
  mr_future future;  // counted; the loop has a reference while the event is pending
  struct event event;
  int fd;
  unsigned events;
  uint64_t deadline_ns;
  // The reactor's: two requests, each made once.
  struct mr_request {
    struct mr_request *next;
    mr_event_future *event;  // retained
    bool forget;             // false: arm it
  } arm, forget;
};

mr_status mr_event_future_create(int fd, unsigned events, uint64_t deadline_ns,
                                 mr_event_future **out_event) MR_WARN_UNUSED;
// On the thread of `base`. False: libevent will not have it.
bool mr_event_future_arm(mr_event_future *event, struct event_base *base);

#endif
