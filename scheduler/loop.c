// Futures watched from a libevent loop, futures set by one, and futures as descriptors.
//
// A watch is a waiter in the future and a link in the loop's list. Whoever sets the future pushes it to the loop's stack of
// `arrived` ones and, when that was empty, writes to the loop's eventfd. The loop takes the whole stack.
//
//   watch         references
//   pending       the list's and the future's
//   arrived       the list's and the stack's, which the setter's has become
//   forgotten     the future's: the loop was released, and the setter finds it closed
//
// States of mr_event_loop.arrived:
//
//   NULL --future_set()--> watch --future_set()--> newer watch, over the older ones
//    | ^-------------------- on_eventfd() -------------+   |
//    +-----------> CLOSED <----- mr_event_loop_release() --+
//
//   who                 operation                        order, and with what it pairs                               at once
//   setter of a future  load; swap, stack -> own, stack  release of the status and the link; acquire of CLOSED, for  everybody
//                                                        nothing but that value. From NULL it writes to the eventfd
//   loop's thread       exchange, stack -> NULL          acquire, of all in the stack                                setters
//   loop's thread       exchange, stack -> CLOSED, once  acquire (acq_rel) likewise                                  setters
#include "scheduler/loop.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/census.h"
#include "core/ref.h"
#include "futures/pool.h"
#include "scheduler/loop_internal.h"

typedef struct watch watch;
struct watch {
  mr_waiter waiter;
  mr_ref ref;
  mr_event_loop *loop;     // retained
  watch *previous, *next;  // in the loop's list; its thread's
  watch *arrived_next;     // in the stack
  void (*fn)(void *context, mr_status status);
  void *context;
  mr_status status;  // retained; written before the watch is pushed
};

struct mr_event_loop {
  mr_ref ref;               // the owner's, and one for each watch
  int fd;                   // eventfd; closed with the last reference, so that a late setter writes to no stranger's
  struct event_base *base;  // borrowed; the loop's thread alone
  struct event event;       // added while something is watched
  watch *first;
  // Watches whose future is set, newest first; CLOSED after release.
  _Atomic(watch *) arrived;
};

static watch *const CLOSED = (watch *)1;

static void loop_unref(mr_event_loop *loop) {
  if (!mr_ref_release(&loop->ref)) {
    return;
  }
  close(loop->fd);
  mr_free(loop);
}

static void watch_unref(watch *w) {
  if (!mr_ref_release(&w->ref)) {
    return;
  }
  loop_unref(w->loop);
  mr_status_free(w->status);
  mr_struct_free(w, sizeof *w);
}

static void signal_fd(int fd) {
  const uint64_t one = 1;
  // An eventfd of which only we know cannot fail but by being full, and then it is readable.
  ssize_t written = write(fd, &one, sizeof one);
  (void)written;
}

// ---- Watching -------------------------------------------------------------------------------------------------------

// On the setter's thread.
static void future_set(mr_waiter *waiter, mr_status status) {
  watch *w = MR_CONTAINER_OF(waiter, watch, waiter);
  mr_event_loop *loop = w->loop;
  // acquire: pairs with the exchange in mr_event_loop_release(), for nothing but the value CLOSED itself.
  watch *head = atomic_load_explicit(&loop->arrived, memory_order_acquire);
  if (head != CLOSED) {
    w->status = mr_status_retain(status);
  }
  mr_ref_retain(&loop->ref);  // once it is pushed, the watch may be gone, and the loop with it
  do {
    if (head == CLOSED) {
      watch_unref(w);
      loop_unref(loop);
      return;
    }
    w->arrived_next = head;
    // release, pairs with the exchange in on_eventfd(): the status and the link.
  } while (
      !atomic_compare_exchange_weak_explicit(&loop->arrived, &head, w, memory_order_release, memory_order_acquire));
  if (!head) {
    signal_fd(loop->fd);
  }
  loop_unref(loop);
}

static void unlink_watch(mr_event_loop *loop, watch *w) {
  if (w->previous) {
    w->previous->next = w->next;
  } else {
    loop->first = w->next;
  }
  if (w->next) {
    w->next->previous = w->previous;
  }
  if (!loop->first) {
    event_del(&loop->event);
  }
}

static watch *oldest_first(watch *list) {
  watch *reversed = NULL;
  while (list) {
    watch *next = list->arrived_next;
    list->arrived_next = reversed;
    reversed = list;
    list = next;
  }
  return reversed;
}

static void run_arrived(mr_event_loop *loop, watch *list) {
  for (watch *w = oldest_first(list); w;) {
    watch *next = w->arrived_next;
    // A callback that released the loop has told all of these already.
    if (w->fn) {
      void (*fn)(void *, mr_status) = w->fn;
      w->fn = NULL;
      unlink_watch(loop, w);
      fn(w->context, w->status);
      watch_unref(w);  // the list's
    }
    watch_unref(w);  // the stack's
    w = next;
  }
}

static void on_eventfd(evutil_socket_t fd, short what, void *context) {
  (void)what;
  mr_event_loop *loop = context;
  uint64_t count;
  ssize_t size = read((int)fd, &count, sizeof count);
  (void)size;
  // acquire, pairs with future_set().
  watch *list = atomic_exchange_explicit(&loop->arrived, NULL, memory_order_acquire);
  mr_ref_retain(&loop->ref);  // a callback may release the loop
  run_arrived(loop, list);
  loop_unref(loop);
}

mr_status mr_event_loop_then(mr_event_loop *loop, mr_future *future, void (*fn)(void *context, mr_status status),
                             void *context) {
  watch *w = mr_struct_alloc(sizeof *w);
  if (!w) {
    return MR_NO_MEMORY();
  }
  *w = (watch){.waiter.run = future_set, .loop = loop, .next = loop->first, .fn = fn, .context = context};
  if (!loop->first && event_add(&loop->event, NULL) != 0) {
    mr_struct_free(w, sizeof *w);
    return mr_error(MR_RESOURCE_EXHAUSTED, "the loop takes no event for its eventfd");
  }
  mr_ref_init(&w->ref);
  mr_ref_retain(&w->ref);  // the list's and the future's
  mr_ref_retain(&loop->ref);
  if (loop->first) {
    loop->first->previous = w;
  }
  loop->first = w;
  mr_future_then(future, &w->waiter);
  return MR_OK;
}

mr_status mr_event_loop_create(struct event_base *base, mr_event_loop **out_loop) {
  *out_loop = NULL;
  mr_event_loop *loop = mr_alloc_zeroed(1, sizeof(*loop));
  if (!loop) {
    return MR_NO_MEMORY();
  }
  mr_ref_init(&loop->ref);
  loop->base = base;
  loop->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (loop->fd < 0) {
    mr_free(loop);
    return mr_error(MR_RESOURCE_EXHAUSTED, "eventfd: %s", strerror(errno));
  }
  event_assign(&loop->event, base, loop->fd, EV_READ | EV_PERSIST, on_eventfd, loop);
  *out_loop = loop;
  return MR_OK;
}

void mr_event_loop_release(mr_event_loop *loop) {
  if (!loop) {
    return;
  }
  // acq_rel, pairs with future_set(): acquire for what has arrived; later setters find it closed.
  watch *arrived = atomic_exchange_explicit(&loop->arrived, CLOSED, memory_order_acq_rel);
  mr_status closed = mr_error(MR_CANCELLED, "the event loop was closed");
  while (loop->first) {
    watch *w = loop->first;
    void (*fn)(void *, mr_status) = w->fn;
    w->fn = NULL;
    unlink_watch(loop, w);
    fn(w->context, closed);
    watch_unref(w);
  }
  mr_status_free(closed);
  while (arrived) {
    watch *next = arrived->arrived_next;
    watch_unref(arrived);
    arrived = next;
  }
  loop_unref(loop);
}

// ---- Events that set futures ------------------------------------------------------------------------------------------

static void destroy_event(mr_future *future) {
  mr_census_note(MR_CENSUS_futures, -1);
  mr_struct_free(MR_CONTAINER_OF(future, mr_event_future, future), sizeof(mr_event_future));
}

// False: the loop takes no event.
static bool add_event(mr_event_future *self) {
  uint64_t now = mr_now_ns(), left = self->deadline_ns > now ? self->deadline_ns - now : 0;
  // A microsecond more, so that the time has come when the loop says so.
  left = (left + 999) / 1000;
  struct timeval timeout = {.tv_sec = (time_t)(left / 1000000), .tv_usec = (suseconds_t)(left % 1000000)};
  return event_add(&self->event, self->deadline_ns ? &timeout : NULL) == 0;
}

static void on_event(evutil_socket_t fd, short what, void *context) {
  (void)fd;
  mr_event_future *self = context;
  // libevent counts from the time at which it last woke: what was added later in that round comes early by as much.
  bool early = (what & EV_TIMEOUT) && mr_now_ns() < self->deadline_ns && !mr_future_is_set(&self->future);
  if (early && add_event(self)) {
    return;
  }
  mr_status status = MR_OK;
  if ((what & EV_TIMEOUT) && self->events) {
    status = mr_error(MR_DEADLINE_EXCEEDED, "fd %d was not ready in time", self->fd);
  }
  mr_future_try_set(&self->future, status);
  mr_future_release(&self->future);
}

mr_status mr_event_future_create(int fd, unsigned events, uint64_t deadline_ns, mr_event_future **out_event) {
  *out_event = NULL;
  if (!events && !deadline_ns) {
    return mr_error(MR_INVALID_ARGUMENT, "an event without anything to wait for, wanted a descriptor or a deadline");
  }
  if (events && fd < 0) {
    return mr_error(MR_INVALID_ARGUMENT, "descriptor %d, wanted an open one", fd);
  }
  mr_event_future *self = mr_struct_alloc(sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  *self = (mr_event_future){.fd = events ? fd : -1, .events = events, .deadline_ns = deadline_ns};
  mr_future_init_counted(&self->future, destroy_event);
  mr_census_note(MR_CENSUS_futures, 1);
  *out_event = self;
  return MR_OK;
}

bool mr_event_future_arm(mr_event_future *self, struct event_base *base) {
  short what = (short)((self->events & MR_EVENT_READ ? EV_READ : 0) | (self->events & MR_EVENT_WRITE ? EV_WRITE : 0));
  if (event_assign(&self->event, base, self->fd, what, on_event, self) != 0) {
    return false;
  }
  if (!add_event(self)) {
    return false;
  }
  mr_future_retain(&self->future);  // the loop's, until the event has come
  return true;
}

// ---- A descriptor for any loop ------------------------------------------------------------------------------------------

typedef struct fd_waiter {
  mr_waiter waiter;
  int fd;  // our own duplicate: the caller may close its one whenever it likes
} fd_waiter;

static void write_to_fd(mr_waiter *waiter, mr_status status) {
  (void)status;
  fd_waiter *self = MR_CONTAINER_OF(waiter, fd_waiter, waiter);
  signal_fd(self->fd);
  close(self->fd);
  mr_struct_free(self, sizeof *self);
}

mr_status mr_reactor_future_fd(mr_future *future, int *out_fd) {
  *out_fd = -1;
  int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  int ours = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
  fd_waiter *self = ours < 0 ? NULL : mr_struct_alloc(sizeof *self);
  if (!self) {
    mr_status status = ours < 0 ? mr_error(MR_RESOURCE_EXHAUSTED, "eventfd: %s", strerror(errno)) : MR_NO_MEMORY();
    if (fd >= 0) {
      close(fd);
    }
    if (ours >= 0) {
      close(ours);
    }
    return status;
  }
  *self = (fd_waiter){.waiter.run = write_to_fd, .fd = ours};
  *out_fd = fd;
  mr_future_then(future, &self->waiter);
  return MR_OK;
}
