// The reactor: a thread that runs a libevent loop. Other threads send it requests through a lock-free stack and an eventfd,
// so the loop itself needs no locks, and libevent's global threading setting is left as the program has it.
//
// States of reactor.requests:
//
//   NULL --send_request()--> request --send_request()--> newer request, over the older ones
//     ^--------------------- take_requests() ----------------+
//
//   who            operation                  order, and with what it pairs                               at once
//   any thread     swap, stack -> own, stack  release of the request; from NULL it writes to the eventfd  everybody
//   loop's thread  exchange, stack -> NULL    acquire, of all in the stack                                who sends
#include <errno.h>
#include <event2/event.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "core/fork.h"
#include "core/signals.h"
#include "futures/pool.h"
#include "scheduler/loop_internal.h"
#include "scheduler/tuning.h"

typedef struct mr_request request;

typedef struct reactor {
  struct event_base *base;
  struct event *wake;
  int fd;
  _Atomic(request *) requests;  // newest first
} reactor;

MR_FORK_LOCK(start_lock);
// NULL until the first use, and again in a forked child. Never freed: its thread ends with the process.
static _Atomic(reactor *) the_reactor;

// ---- The loop's thread --------------------------------------------------------------------------------------------------

static void arm(reactor *self, mr_event_future *event) {
  // Cancelled before it came here, or refused: nobody else will set it then.
  if (mr_future_is_set(&event->future) || mr_event_future_arm(event, self->base)) {
    return;
  }
  mr_future_try_set(&event->future, mr_error(MR_INVALID_ARGUMENT, "descriptor %d cannot be watched", event->fd));
}

static void forget(reactor *self, mr_event_future *event) {
  // Initialized only if it was armed, which came first. Another base is that of the parent of this forked process.
  if (!event_initialized(&event->event) || event_get_base(&event->event) != self->base) {
    return;
  }
  if (!event_pending(&event->event, EV_READ | EV_WRITE | EV_TIMEOUT, NULL)) {
    return;
  }
  event_del(&event->event);
  mr_future_release(&event->future);  // the loop's
}

static void take_requests(evutil_socket_t fd, short what, void *context) {
  (void)what;
  reactor *self = context;
  uint64_t count;
  ssize_t size = read((int)fd, &count, sizeof count);
  (void)size;
  // acquire, pairs with send_request().
  request *list = atomic_exchange_explicit(&self->requests, NULL, memory_order_acquire), *reversed = NULL;
  while (list) {
    request *next = list->next;
    list->next = reversed;
    reversed = list;
    list = next;
  }
  for (request *r = reversed; r;) {
    request *next = r->next;
    mr_event_future *event = r->event;
    if (r->forget) {
      forget(self, event);
    } else {
      arm(self, event);
    }
    mr_future_release(&event->future);  // the request's
    r = next;
  }
}

static void *reactor_main(void *context) {
  reactor *self = context;
  pthread_setname_np(pthread_self(), "millrace-loop");
  // It comes back only when the system refuses to wait. Who waits for an event must not do so for ever: it goes on, at rest.
  for (;;) {
    event_base_loop(self->base, EVLOOP_NO_EXIT_ON_EMPTY);
    nanosleep(&(struct timespec){.tv_nsec = MR_REACTOR_REST_NS}, NULL);
  }
  return NULL;
}

// ---- Starting -------------------------------------------------------------------------------------------------------

static void after_fork_in_child(void) {
  // relaxed: there is nobody else. The parent's loop is left alone: its epoll is shared with the parent.
  atomic_store_explicit(&the_reactor, NULL, memory_order_relaxed);
}
static mr_fork_part fork_part = {.order = MR_FORK_LOCKS, .in_child = after_fork_in_child};

static void reactor_free(reactor *self) {
  if (self->wake) {
    event_free(self->wake);
  }
  if (self->base) {
    event_base_free(self->base);
  }
  if (self->fd >= 0) {
    close(self->fd);
  }
  mr_free(self);
}

static bool open_loop(reactor *self) {
  self->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct event_config *config = event_config_new();
  if (!config) {
    return false;
  }
  // Without it the loop's clock counts in milliseconds.
  event_config_set_flag(config, EVENT_BASE_FLAG_PRECISE_TIMER);
  event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
  self->base = event_base_new_with_config(config);
  event_config_free(config);
  if (self->fd < 0 || !self->base) {
    return false;
  }
  self->wake = event_new(self->base, self->fd, EV_READ | EV_PERSIST, take_requests, self);
  return self->wake && event_add(self->wake, NULL) == 0;
}

static bool start_thread(reactor *self) {
  sigset_t before;
  mr_signals_leave_to_others(&before);
  pthread_t thread;
  int rc = pthread_create(&thread, NULL, reactor_main, self);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (rc == 0) {
    pthread_detach(thread);
  }
  errno = rc;
  return rc == 0;
}

// Under start_lock.
static mr_status start(reactor **out_reactor) {
  mr_fork_guard(&fork_part);
  *out_reactor = NULL;
  reactor *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  if (!open_loop(self) || !start_thread(self)) {
    mr_status status = mr_error(MR_RESOURCE_EXHAUSTED, "no event loop: %s", strerror(errno));
    reactor_free(self);
    return status;
  }
  *out_reactor = self;
  return MR_OK;
}

static mr_status get(reactor **out_reactor) {
  // acquire, pairs with the release below.
  *out_reactor = atomic_load_explicit(&the_reactor, memory_order_acquire);
  if (MR_LIKELY(*out_reactor != NULL)) {
    return MR_OK;
  }
  mr_status status = MR_OK;
  pthread_mutex_lock(&start_lock);
  *out_reactor = atomic_load_explicit(&the_reactor, memory_order_relaxed);  // relaxed: written under the lock
  if (!*out_reactor) {
    status = start(out_reactor);
  }
  atomic_store_explicit(&the_reactor, *out_reactor, memory_order_release);
  pthread_mutex_unlock(&start_lock);
  return status;
}

// ---- Requests -------------------------------------------------------------------------------------------------------

static void send_request(reactor *self, request *r) {
  request *head = atomic_load_explicit(&self->requests, memory_order_relaxed);  // relaxed: a guess for the swap
  do {
    r->next = head;
    // release, pairs with take_requests().
  } while (
      !atomic_compare_exchange_weak_explicit(&self->requests, &head, r, memory_order_release, memory_order_relaxed));
  if (head) {
    return;  // the loop has been told
  }
  const uint64_t one = 1;
  ssize_t written = write(self->fd, &one, sizeof one);
  (void)written;
}

mr_status mr_reactor_when(int fd, unsigned events, uint64_t deadline_ns, mr_future **out_future) {
  *out_future = NULL;
  reactor *self;
  MR_TRY(get(&self));
  mr_event_future *event;
  MR_TRY(mr_event_future_create(fd, events, deadline_ns, &event));
  mr_future_retain(&event->future);  // the request's
  event->arm = (request){.event = event};
  *out_future = &event->future;
  send_request(self, &event->arm);
  return MR_OK;
}

mr_status mr_reactor_timer(uint64_t deadline_ns, mr_future **out_future) {
  return mr_reactor_when(-1, 0, deadline_ns ? deadline_ns : 1, out_future);
}

void mr_reactor_cancel(mr_future *future) {
  if (!mr_future_try_set(future, mr_error(MR_CANCELLED, "the event was cancelled"))) {
    return;
  }
  // Only one caller gets here. acquire, pairs with get(): the future came from there.
  reactor *self = atomic_load_explicit(&the_reactor, memory_order_acquire);
  if (!self) {
    return;  // a forked child: the loop stayed with the parent
  }
  mr_event_future *event = MR_CONTAINER_OF(future, mr_event_future, future);
  mr_future_retain(future);
  event->forget = (request){.event = event, .forget = true};
  send_request(self, &event->forget);
}
