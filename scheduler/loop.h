// loop: futures and event loops. A future can be watched from a libevent loop, or by a file descriptor from any loop; a
// libevent event completes a future. The reactor is one such loop, on a thread of its own, for whoever has none: timers,
// and descriptors that become readable.
//
// Threads: a mr_event_loop belongs to the thread that runs its event_base, and every mr_event_loop_ function is called there, except
// that futures may be set anywhere. mr_reactor_ functions and mr_reactor_future_fd() may be called from any thread.
// Nothing here exists before its first use: no thread, no descriptor, no branch in futures.
//
//   struct event_base *base = event_base_new();          // the program's own loop
//   mr_event_loop *loop;
//   MR_TRY(mr_event_loop_create(base, &loop));
//   MR_TRY(mr_event_loop_then(loop, mr_node_done(node), answer, connection));
//   event_base_dispatch(base);                           // calls answer(connection, status); ends when nothing is left
//   mr_event_loop_release(loop);
#ifndef MR_SCHEDULER_LOOP_H
#define MR_SCHEDULER_LOOP_H

#include "futures/futures.h"

struct event_base;
typedef struct mr_event_loop mr_event_loop;

// What an event may wait for; none: only the deadline.
enum { MR_EVENT_READ = 1, MR_EVENT_WRITE = 2 };

// ---- A loop of the program's -------------------------------------------------------------------------------------------

// `base` must outlive the loop. While something is watched, the base has a pending event and dispatching it goes on.
mr_status mr_event_loop_create(struct event_base *base, mr_event_loop **out_loop) MR_WARN_UNUSED;
// What is still watched is told CANCELLED, before this returns.
void mr_event_loop_release(mr_event_loop *loop);
// Calls fn(context, status) once, on the loop's thread and from the loop, never before this returns. The future must live
// until it is set. When this fails, `fn` is not called.
mr_status mr_event_loop_then(mr_event_loop *loop, mr_future *future, void (*fn)(void *context, mr_status status),
                             void *context) MR_WARN_UNUSED;

// ---- The reactor --------------------------------------------------------------------------------------------------------

// A counted future that is set once `fd` is ready for what `events` says: OK; or once the time (of mr_now_ns; 0: none) has
// come: DEADLINE_EXCEEDED, or OK where there are no events to wait for. Set by a thread of the engine that is started by the
// first call. Waiters run on that thread: they should be short, or nodes. A forked child begins without any of its parent's.
mr_status mr_reactor_when(int fd, unsigned events, uint64_t deadline_ns, mr_future **out_future) MR_WARN_UNUSED;
// A counted future that is set at that time.
mr_status mr_reactor_timer(uint64_t deadline_ns, mr_future **out_future) MR_WARN_UNUSED;
// For a future of the two functions above: it is CANCELLED unless it is set, and the loop forgets it.
void mr_reactor_cancel(mr_future *future);

// ---- Any loop -----------------------------------------------------------------------------------------------------------

// A descriptor (an eventfd) that becomes readable when the future is set. The caller closes it, at any time. The future must
// live until it is set.
mr_status mr_reactor_future_fd(mr_future *future, int *out_fd) MR_WARN_UNUSED;

#endif
