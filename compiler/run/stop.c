// What ends an execution before it ends by itself: whoever has its stop source, and its deadline.
//
// Both cancel its node (mr_node_cancel), which sets the word that its steps look at and tells calls and meetings that it waits in. Who waits for
// it is told at once (later.c): the execution itself ends when its thread looks next, and lets go of what it holds then.
//
// States of mr_stopper.reason:
//
//   0: goes on --mr_stopper_stop(), the first--> status, until the source goes
//
//   who                 operation          order, and with what it pairs                             at once
//   who stops it        swap, 0 -> status  release of it; with the lock, so that an execution is     everybody
//                                          linked before, or sees it
//   execution, with     load               relaxed, acquire for the status (core/stop.h); with the   everybody
//   the lock                               lock before it is linked
//   who may begin here  load               relaxed: a hint, the execution looks again                everybody
#include <pthread.h>

#include "compiler/run/run.h"
#include "core/ref.h"
#include "scheduler/loop.h"

struct mr_stopper {
  mr_ref ref;
  mr_stop_word reason;   // what it was stopped with; set with the lock
  pthread_mutex_t lock;  // over that, and these
  run_limit *executions;
};

struct run_limit {
  mr_ref ref;
  mr_stopper *source;            // retained; NULL: only the deadline ends it
  struct run_limit *next, **at;  // in the source's list; `at` NULL: not there
  mr_node *node;                 // which has this; the timer has a reference of its own
  mr_future *timer;              // owned; NULL: there is no deadline
  mr_waiter waiter;
};

// ---- Sources ------------------------------------------------------------------------------------------------------------

mr_status mr_stopper_create(mr_stopper **out_source) {
  mr_stopper *source = *out_source = mr_alloc_zeroed(1, sizeof *source);
  if (!source) {
    return MR_NO_MEMORY();
  }
  mr_ref_init(&source->ref);
  pthread_mutex_init(&source->lock, NULL);
  return MR_OK;
}

static mr_stopper *retain(mr_stopper *source) {
  mr_ref_retain(&source->ref);
  return source;
}

const mr_stop_word *mr_stopper_word(const mr_stopper *source) { return &source->reason; }

void mr_stopper_release(mr_stopper *source) {
  if (source && mr_ref_release(&source->ref)) {
    // relaxed: nobody else is there.
    mr_status_free((mr_status)atomic_load_explicit(&source->reason, memory_order_relaxed));
    pthread_mutex_destroy(&source->lock);
    mr_free(source);
  }
}

static void link_limit(run_limit *l) {
  l->next = l->source->executions;
  l->at = &l->source->executions;
  if (l->next) {
    l->next->at = &l->next;
  }
  l->source->executions = l;
}

static void unlink_limit(run_limit *l) {
  *l->at = l->next;
  if (l->next) {
    l->next->at = l->at;
  }
  l->at = NULL;
}

// The node of one that is not over, with a reference; NULL: none is left. An execution takes itself out before its node goes.
static mr_node *take_execution(mr_stopper *source) {
  pthread_mutex_lock(&source->lock);
  run_limit *l = source->executions;
  mr_node *node = l ? mr_node_retain(l->node) : NULL;
  if (l) {
    unlink_limit(l);
  }
  pthread_mutex_unlock(&source->lock);
  return node;
}

void mr_stopper_stop(mr_stopper *source, mr_status take_status) {
  mr_status reason = take_status ? take_status : mr_error(MR_CANCELLED, "stopped by the host");
  pthread_mutex_lock(&source->lock);
  uintptr_t none = 0;
  // release: the status is there for whoever sees it.
  bool first = atomic_compare_exchange_strong_explicit(&source->reason, &none, (uintptr_t)reason, memory_order_release,
                                                       memory_order_relaxed);
  pthread_mutex_unlock(&source->lock);
  if (!first) {
    mr_status_free(reason);
    return;
  }
  retain(source);  // who is told of the end may let go of it
  mr_node *node;
  while ((node = take_execution(source)) != NULL) {
    mr_node_cancel(node, mr_status_retain(reason));
    mr_node_release(node);
  }
  mr_stopper_release(source);
}

// ---- Of one execution -------------------------------------------------------------------------------------------------------

static void release(run_limit *l) {
  if (mr_ref_release(&l->ref)) {
    mr_stopper_release(l->source);
    mr_future_release(l->timer);
    mr_free(l);
  }
}

static void join_source(run_limit *l) {
  pthread_mutex_lock(&l->source->lock);
  mr_status reason = mr_stop_reason(&l->source->reason);
  if (!reason) {
    link_limit(l);
  }
  pthread_mutex_unlock(&l->source->lock);
  mr_node_cancel(l->node, reason);
}

// The time has come, or the execution is over: then the timer was cancelled.
static void timer_ends(mr_waiter *waiter, mr_status status) {
  run_limit *l = MR_CONTAINER_OF(waiter, run_limit, waiter);
  mr_node *node = l->node;
  if (!status) {
    mr_node_cancel(node, mr_error(MR_DEADLINE_EXCEEDED, "the execution was not over at its deadline"));
  }
  release(l);
  mr_node_release(node);
}

bool mr_limit_ends_by_itself(const launch_state *s) {
  const mr_executable *e = s->executable;
  return !e->unbounded && !e->main.may_pend && !mr_executable_calls_host(e) &&
         !(s->stop_source && mr_stop_is_asked(&s->stop_source->reason)) &&
         !(s->deadline_ns && mr_now_ns() >= s->deadline_ns);
}

mr_status mr_limit_create(const launch_state *s, mr_node *node, run_limit **out_limit) {
  run_limit *l = *out_limit = NULL;
  mr_future *timer = NULL;
  if (s->deadline_ns) {
    MR_TRY(mr_reactor_timer(s->deadline_ns, &timer));
  }
  l = mr_alloc_zeroed(1, sizeof *l);
  if (!l) {
    if (timer) {
      mr_reactor_cancel(timer);
    }
    mr_future_release(timer);
    return MR_NO_MEMORY();
  }
  mr_ref_init(&l->ref);
  l->node = node;
  l->timer = timer;
  l->waiter.run = timer_ends;
  l->source = s->stop_source ? retain(s->stop_source) : NULL;
  *out_limit = l;
  return MR_OK;
}

void mr_limit_begin(run_limit *l) {
  if (l->source) {
    join_source(l);
  }
  if (l->timer) {
    mr_ref_retain(&l->ref);
    mr_node_retain(l->node);
    mr_future_then(l->timer, &l->waiter);
  }
}

void mr_limit_end(run_limit *l) {
  if (l->source) {
    pthread_mutex_lock(&l->source->lock);
    if (l->at) {
      unlink_limit(l);
    }
    pthread_mutex_unlock(&l->source->lock);
  }
  if (l->timer) {
    mr_reactor_cancel(l->timer);
  }
  release(l);
}
