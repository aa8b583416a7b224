// Events: waiting for, asking about and setting the futures behind them.
#include "pjrt/objects/event.h"

#include "core/ending.h"
#include "core/trace.h"
#include "graph/graph.h"
#include "pjrt/abi/api.h"
#include "scheduler/scheduler.h"

// Already set when the library is loaded, so no code ever writes it and everybody may share it.
static mr_future ready_future = {.state = MR_FUTURE_SET};

static mr_future *future_of(PJRT_Event *event) { return (mr_future *)event; }

static mr_status event_status(PJRT_Event *event) { return mr_status_retain(mr_future_status(future_of(event))); }

PJRT_Event *mr_pjrt_event_ready(void) { return (PJRT_Event *)&ready_future; }

static bool is_ready_and_ok(mr_future *future) { return mr_future_is_set(future) && mr_future_status(future) == MR_OK; }

PJRT_Event *mr_pjrt_event_retain(mr_future *future) {
  return is_ready_and_ok(future) ? mr_pjrt_event_ready() : (PJRT_Event *)mr_future_retain(future);
}

PJRT_Event *mr_pjrt_event_take(mr_future *take_future) {
  if (!is_ready_and_ok(take_future)) {
    return (PJRT_Event *)take_future;
  }
  mr_future_release(take_future);
  return mr_pjrt_event_ready();
}

PJRT_Event *mr_pjrt_event_of_done(mr_future *take_done) {
  return take_done ? mr_pjrt_event_take(take_done) : mr_pjrt_event_ready();
}

mr_status mr_pjrt_event_failed(mr_status take_status, PJRT_Event **out_event) {
  *out_event = NULL;
  mr_future *future;
  mr_status status = mr_future_create(&future);
  if (status) {
    mr_status_free(take_status);
    return status;
  }
  mr_future_set(future, take_status);
  *out_event = (PJRT_Event *)future;
  return MR_OK;
}

// ---- Slots ------------------------------------------------------------------------------------------------------------

PJRT_Error *mr_pjrt_Event_Destroy(PJRT_Event_Destroy_Args *args) {
  MR_PJRT_NEED(args, event);
  if (args->event && args->event != mr_pjrt_event_ready()) {
    mr_future_release(future_of(args->event));
  }
  return NULL;
}

PJRT_Error *mr_pjrt_Event_IsReady(PJRT_Event_IsReady_Args *args) {
  MR_PJRT_NEED(args, is_ready);
  MR_PJRT_NONNULL(args, event);
  args->is_ready = mr_future_is_set(future_of(args->event));
  return NULL;
}

PJRT_Error *mr_pjrt_Event_Error(PJRT_Event_Error_Args *args) {
  MR_PJRT_NEED(args, event);
  MR_PJRT_NONNULL(args, event);
  if (!mr_future_is_set(future_of(args->event))) {
    return mr_pjrt_error(mr_error(MR_FAILED_PRECONDITION, "PJRT_Event_Error: the event is not ready"));
  }
  return mr_pjrt_error(event_status(args->event));
}

// Who is told that an event is ready. Two calls: the first is in the middle of the setting of a future, of which others may not know
// yet; the second, when all know, is into the host, which may sleep there or wait for any of them.
typedef struct host_callback {
  mr_waiter waiter;
  bool is_last;                         // the second call is next
  mr_status status;                     // owned
  PJRT_Event_OnReadyCallback callback;  // NULL: `user_arg` is a future of ours, owned, that is set
  void *user_arg;
} host_callback;

static void call_host(const host_callback *self) {
  uint64_t start = mr_trace_begin();
  mr_ending_enter_anyway(MR_INSIDE_HOST);
  bool begun = mr_scheduler_begin_host_call();
  self->callback(mr_pjrt_error(self->status), self->user_arg);
  if (begun) {
    mr_scheduler_end_host_call();
  }
  mr_ending_leave(MR_INSIDE_HOST);
  mr_trace_end_call(MR_TRACE_NODE, "host callback", MR_NODE_CALLBACK, -1, start);
}

static void run_host_callback(mr_waiter *waiter, mr_status status) {
  host_callback *called = MR_CONTAINER_OF(waiter, host_callback, waiter);
  if (!called->is_last) {
    called->is_last = true;
    called->status = mr_status_retain(status);
    mr_future_run_last(waiter);
    return;
  }
  host_callback self = *called;
  mr_free(called);
  if (self.callback) {
    call_host(&self);
    return;
  }
  mr_status_free(self.status);
  mr_future_set(self.user_arg, MR_OK);
  mr_future_release(self.user_arg);
}

static mr_status call_when_ready(mr_future *future, PJRT_Event_OnReadyCallback callback, void *user_arg) {
  host_callback *self = mr_alloc(sizeof *self);
  if (self == NULL) {
    return MR_NO_MEMORY();
  }
  *self = (host_callback){.waiter.run = run_host_callback, .callback = callback, .user_arg = user_arg};
  mr_future_then(future, &self->waiter);
  return MR_OK;
}

PJRT_Error *mr_pjrt_Event_OnReady(PJRT_Event_OnReady_Args *args) {
  MR_PJRT_NEED(args, user_arg);
  MR_PJRT_NONNULL(args, event);
  MR_PJRT_NONNULL(args, callback);
  mr_future *future = future_of(args->event);
  // The usual case, a program that ran within its Execute call: no waiter is made.
  if (mr_future_is_set(future)) {
    args->callback(mr_pjrt_error(event_status(args->event)), args->user_arg);
    return NULL;
  }
  return mr_pjrt_error(call_when_ready(future, args->callback, args->user_arg));
}

// Pending, and nobody but threads that sleep wants to know.
static bool is_unheard(const mr_future *future) {
  // relaxed: nothing is read that somebody wrote. Callbacks of this thread are in there; who registers one now does not do so before.
  return !(atomic_load_explicit(&future->state, memory_order_relaxed) & ~MR_FUTURE_SLEEPERS);
}

// Callbacks that were registered before have run when this returns: what sets `last` is behind them. Where there are none the thread
// sleeps for the event itself, and who sets it need not have a thread for callbacks.
PJRT_Error *mr_pjrt_Event_Await(PJRT_Event_Await_Args *args) {
  MR_PJRT_NEED(args, event);
  MR_PJRT_NONNULL(args, event);
  mr_future *future = future_of(args->event), *last;
  if (is_unheard(future)) {
    mr_future_wait(future);
  } else if (!mr_future_is_set(future)) {
    MR_PJRT_TRY(mr_future_create(&last));
    mr_status status = call_when_ready(future, NULL, mr_future_retain(last));
    if (status) {
      mr_future_release(last);
      mr_future_release(last);
      return mr_pjrt_error(status);
    }
    mr_future_wait(last);
    mr_future_release(last);
  }
  mr_ending_come_back();
  return mr_pjrt_error(event_status(args->event));
}

PJRT_Error *mr_pjrt_Event_Create(PJRT_Event_Create_Args *args) {
  MR_PJRT_NEED(args, event);
  args->event = NULL;
  mr_future *future;
  MR_PJRT_TRY(mr_future_create(&future));
  args->event = (PJRT_Event *)future;
  return NULL;
}

PJRT_Error *mr_pjrt_Event_Set(PJRT_Event_Set_Args *args) {
  MR_PJRT_NEED(args, error_message_size);
  MR_PJRT_NONNULL(args, event);
  mr_status status = mr_pjrt_status_of_code(args->error_code, args->error_message, args->error_message_size);
  bool first = false;
  if (args->event == mr_pjrt_event_ready()) {
    mr_status_free(status);
  } else {
    mr_future *future = mr_future_retain(future_of(args->event));  // a callback may destroy the event
    first = mr_future_try_set(future, status);
    mr_future_release(future);
  }
  // Not an assertion: a host that sets an event twice, or one it did not make, is told so.
  if (!first) {
    return mr_pjrt_error(mr_error(MR_FAILED_PRECONDITION, "PJRT_Event_Set: the event is already set"));
  }
  return NULL;
}
