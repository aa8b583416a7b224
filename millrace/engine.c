// The engine's part of the C API. A node holds a reference to its engine, so an engine may be released while nodes still
// wait for events; those find it closed when their time comes.
#include "millrace/engine.h"

#include <assert.h>
#include <string.h>

#include "compiler/compiler.h"
#include "core/census.h"
#include "core/ref.h"
#include "core/trace.h"
#include "futures/park.h"
#include "millrace/internal.h"
#include "scheduler/loop.h"
#include "scheduler/scheduler.h"
#include "scheduler/scope.h"

// ---- Errors ---------------------------------------------------------------------------------------------------------

millrace_error *millrace_error_create(millrace_code code, const char *message) {
  if (code == MILLRACE_OK) {
    code = MILLRACE_UNKNOWN;
  }
  return mr_error((mr_code)code, "%s", message ? message : "");
}
millrace_error *millrace_error_retain(millrace_error *error) { return mr_status_retain(error); }

// ---- Engine ---------------------------------------------------------------------------------------------------------

void mr_engine_unref(millrace_engine *engine) {
  if (!mr_ref_release(&engine->ref)) {
    return;
  }
  mr_scheduler_release(engine->scheduler);
  mr_census_add(MR_CENSUS_engines, -1);
  mr_free(engine);
}

static millrace_error *open_scheduler(const millrace_engine_options *options, mr_scheduler **out_scheduler) {
  *out_scheduler = NULL;
  // A caller compiled against a shorter struct leaves the rest at its default.
  if (!options || options->struct_size < sizeof *options || !options->workers) {
    return mr_scheduler_acquire(out_scheduler);
  }
  mr_scheduler_options own = {.workers =
                                  options->workers == MILLRACE_NO_WORKERS ? MR_SCHEDULER_NO_WORKERS : options->workers,
                              .policy = options->submission_order ? MR_POLICY_FIFO : MR_POLICY_LOCALITY};
  return mr_scheduler_create(&own, out_scheduler);
}

millrace_error *millrace_engine_create(const millrace_engine_options *options, millrace_engine **out_engine) {
  *out_engine = NULL;
  millrace_engine *engine = mr_alloc_aligned(MR_CACHE_LINE, sizeof *engine);
  if (!engine) {
    return MR_NO_MEMORY();
  }
  memset(engine, 0, sizeof *engine);  // also the atomics: nobody knows the engine yet
  mr_ref_init(&engine->ref);
  mr_status status = open_scheduler(options, &engine->scheduler);
  if (status) {
    mr_free(engine);
    return status;
  }
  mr_census_add(MR_CENSUS_engines, 1);
  engine->group = mr_scheduler_group(engine->scheduler, 0, 1);
  *out_engine = engine;
  return MR_OK;
}

static int64_t running(millrace_engine *engine) {
  int64_t sum = 0;
  // seq_cst, against mr_engine_begin(): it counts, then looks at `closed`; we stored that, then count.
  for (int i = 0; i < MR_ENGINE_STRIPES; i++) {
    sum += atomic_load_explicit(&engine->stripes[i].running, memory_order_seq_cst);
  }
  return sum;
}

void millrace_engine_release(millrace_engine *engine) {
  if (!engine) {
    return;
  }
  // seq_cst, against mr_engine_begin().
  atomic_store_explicit(&engine->closed, true, memory_order_seq_cst);
  // After this no function of a node runs any more, unless it is one of them that releases.
  if (!mr_scheduler_on_worker(engine->scheduler)) {
    for (uint32_t round = 0; running(engine) != 0; round++) {
      if (round % 64 == 63) {
        mr_yield();
      } else {
        mr_pause();
      }
    }
  }
  mr_engine_unref(engine);
}

uint32_t millrace_engine_worker_count(const millrace_engine *engine) {
  return mr_scheduler_worker_count(engine->scheduler);
}

millrace_engine_counters millrace_engine_count(const millrace_engine *engine) {
  mr_scheduler_counters c = mr_scheduler_count(engine->scheduler);
  return (millrace_engine_counters){
      .tasks = c.items, .stolen = c.stolen, .loop_shares = c.loop_shares, .sleeps = c.sleeps};
}

// ---- What nodes carry -------------------------------------------------------------------------------------------------

typedef struct task {
  millrace_engine *engine;  // retained
  void *argument;
  const millrace_work *work;                // a node's
  millrace_error *(*call)(void *argument);  // a submitted function's
} task;

static _Atomic(int64_t) *my_stripe(millrace_engine *engine) {
  static _Thread_local char here;
  uintptr_t thread = (uintptr_t)&here >> 12;
  return &engine->stripes[(thread ^ thread >> 7) % MR_ENGINE_STRIPES].running;
}

void mr_engine_end(millrace_engine *engine) {
  // release, pairs with running(): what the function wrote is there when releasing the engine returns.
  atomic_fetch_sub_explicit(my_stripe(engine), 1, memory_order_release);
}

bool mr_engine_begin(millrace_engine *engine) {
  // seq_cst on both, in this order, against millrace_engine_release(): it sees our count, or we see it closed.
  atomic_fetch_add_explicit(my_stripe(engine), 1, memory_order_seq_cst);
  if (MR_LIKELY(!atomic_load_explicit(&engine->closed, memory_order_seq_cst))) {
    return true;
  }
  mr_engine_end(engine);
  return false;
}

static void task_drop(mr_node *node) {
  task *self = mr_node_payload(node);
  if (self->work && self->work->drop) {
    self->work->drop(self->argument);
  }
  mr_engine_unref(self->engine);
}

mr_status mr_engine_closed(void) { return mr_error(MR_CANCELLED, "the engine was released"); }

static void call_run(mr_node *node) {
  task *self = mr_node_payload(node);
  millrace_engine *engine = self->engine;
  if (!mr_engine_begin(engine)) {
    mr_node_finish(node, mr_engine_closed());
    return;
  }
  mr_status status = self->call(self->argument);
  mr_engine_end(engine);
  mr_node_finish(node, status);
}

static void work_fail(mr_node *node, mr_status status) {
  task *self = mr_node_payload(node);
  if (self->work->fail) {
    self->work->fail(node, self->argument, status);
  }
}

static void work_run(mr_node *node) {
  task *self = mr_node_payload(node);
  if (!mr_engine_begin(self->engine)) {
    mr_status closed = mr_engine_closed();
    work_fail(node, closed);
    mr_node_finish(node, closed);
    return;
  }
  if (mr_trace_is_on()) {
    const char *name = self->work->name;
    uint64_t start = mr_trace_now();
    self->work->run(node, self->argument);  // the node may be gone
    mr_trace_span(MR_TRACE_NODE, name, start, 0);
  } else {
    self->work->run(node, self->argument);
  }
}

static const mr_node_type call_type = {.name = "call", .kind = MR_NODE_CALLBACK, .run = call_run, .drop = task_drop};
static const mr_node_type work_type = {
    .name = "work", .kind = MR_NODE_CUSTOM, .run = work_run, .fail = work_fail, .drop = task_drop};

static mr_status make_node(millrace_engine *engine, const mr_node_type *type, const task *content, mr_node **out_node) {
  MR_TRY(mr_node_create(type, sizeof(task), mr_group_executor(engine->group), out_node));
  mr_ref_retain(&engine->ref);
  *(task *)mr_node_payload(*out_node) = *content;
  return MR_OK;
}

// ---- Nodes ----------------------------------------------------------------------------------------------------------

millrace_error *millrace_submit(millrace_engine *engine, millrace_error *(*fn)(void *argument), void *argument,
                                millrace_event *const *inputs, size_t num_inputs, millrace_event **out_event) {
  if (out_event) {
    *out_event = NULL;
  }
  mr_node *node;
  MR_TRY(make_node(engine, &call_type, &(task){.engine = engine, .argument = argument, .call = fn}, &node));
  for (size_t i = 0; i < num_inputs; i++) {
    millrace_node_after(node, inputs[i]);
  }
  if (out_event) {
    *out_event = mr_node_keep_done(node);
  }
  mr_node_submit(node);
  return MR_OK;
}

millrace_error *millrace_node_create(millrace_engine *engine, const millrace_work *work, void *argument,
                                     millrace_node **out_node) {
  MR_TRY(make_node(engine, &work_type, &(task){.engine = engine, .argument = argument, .work = work}, out_node));
  (*out_node)->priority = (int8_t)MR_MAX(-100, MR_MIN(100, work->priority));
  (*out_node)->cost_ns = work->cost_ns;
  return MR_OK;
}

void millrace_node_after(millrace_node *node, millrace_event *event) {
  if (event) {
    mr_status_free(mr_node_after(node, event));  // on failure the node is poisoned with it
  }
}

// Not mr_node_keep_done(): a first edge may have shown the node to other threads.
void millrace_node_event(millrace_node *node, millrace_event **out_event) {
  *out_event = mr_future_retain(mr_node_done(node));
}
void millrace_node_submit(millrace_node *take_node) { mr_node_submit(take_node); }
void millrace_node_discard(millrace_node *take_node) { mr_node_discard(take_node); }

void millrace_node_finish(millrace_node *node, millrace_error *take_error) {
  mr_engine_end(((task *)mr_node_payload(node))->engine);
  mr_node_finish(node, take_error);
}

void millrace_node_cancel(millrace_event *event, millrace_error *take_error) {
  if (event) {
    mr_node_cancel(mr_node_of_done(event), take_error);
  } else {
    mr_status_free(take_error);
  }
}

// ---- Events ---------------------------------------------------------------------------------------------------------

millrace_error *millrace_event_create(millrace_event **out_event) { return mr_future_create(out_event); }
bool millrace_event_set(millrace_event *event, millrace_error *take_error) {
  if (!event) {  // which has happened
    mr_status_free(take_error);
    return false;
  }
  return mr_future_try_set(event, take_error);
}
millrace_event *millrace_event_retain(millrace_event *event) { return event ? mr_future_retain(event) : NULL; }

millrace_error *millrace_event_error(millrace_event *event) {
  return event && mr_future_is_set(event) ? mr_future_status(event) : NULL;
}

// The events that are some, in a block of their own.
static mr_status without_null(millrace_event *const *events, size_t count, millrace_event ***out_some,
                              size_t *out_count) {
  *out_count = 0;
  *out_some = mr_alloc_zeroed(count ? count : 1, sizeof **out_some);
  if (!*out_some) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    if (events[i]) {
      (*out_some)[(*out_count)++] = events[i];
    }
  }
  return MR_OK;
}

millrace_error *millrace_event_all(millrace_event *const *events, size_t count, millrace_event **out_event) {
  *out_event = NULL;
  millrace_event **some;
  MR_TRY(without_null(events, count, &some, &count));
  mr_status status = mr_future_all(some, count, out_event);
  mr_free(some);
  return status;
}

millrace_error *millrace_event_any(millrace_event *const *events, size_t count, millrace_event **out_event) {
  *out_event = NULL;
  if (count == 0) {
    return mr_error(MR_INVALID_ARGUMENT, "any of 0 events, wanted at least 1");
  }
  for (size_t i = 0; i < count; i++) {
    if (!events[i]) {
      return MR_OK;
    }
  }
  return mr_future_any(events, count, out_event);
}

bool millrace_event_wait_for(millrace_event *event, uint64_t timeout_ns) {
  if (!event) {
    return true;
  }
  uint64_t now = mr_now_ns(), deadline = now + timeout_ns;
  return mr_future_wait_until(event, deadline < now ? UINT64_MAX : deadline);
}

millrace_error *millrace_engine_wait(millrace_engine *engine, millrace_event *event) {
  if (!event) {
    return NULL;
  }
  mr_scheduler_wait(engine->scheduler, event);
  return mr_status_retain(mr_future_status(event));
}

static_assert(sizeof(mr_scope) <= sizeof(millrace_scope), "a scope fits in what the caller gives");
static_assert(_Alignof(mr_scope) <= _Alignof(millrace_scope), "and is aligned there");

// Nothing but mr_scope_*() looks into the storage.
static mr_scope *scope_of(millrace_scope *scope) { return (mr_scope *)(void *)scope; }

void millrace_scope_begin(millrace_engine *engine, millrace_scope *scope) {
  mr_scope_begin(scope_of(scope), engine->scheduler);
}
void millrace_spawn(millrace_scope *scope, void (*fn)(void *argument), void *argument) {
  mr_scope_spawn(scope_of(scope), fn, argument);
}
void millrace_scope_end(millrace_scope *scope) { mr_scope_end(scope_of(scope)); }

void millrace_parallel_for(millrace_engine *engine, int64_t count,
                           void (*fn)(void *argument, int64_t begin, int64_t end), void *argument, int64_t grain,
                           uint64_t cost_ns) {
  mr_parallel_for(engine->group, count, fn, argument, grain, cost_ns);
}

// ---- Event loops and time ---------------------------------------------------------------------------------------------

static uint64_t deadline_after(uint64_t delay_ns) {
  uint64_t now = mr_now_ns();
  // Libevent counts seconds in a time_t: half the range is later than anybody waits.
  return now + MR_MIN(delay_ns, UINT64_MAX / 2 - now);
}

// What an event that is NULL looks like where a future is needed.
static mr_future *happened(void) {
  static mr_future future = {.state = MR_FUTURE_SET};
  return &future;
}

millrace_error *millrace_event_fd(millrace_event *event, int *out_fd) {
  return mr_reactor_future_fd(event ? event : happened(), out_fd);
}
millrace_error *millrace_timer_create(uint64_t delay_ns, millrace_event **out_event) {
  return mr_reactor_timer(deadline_after(delay_ns), out_event);
}
millrace_error *millrace_fd_ready(int fd, bool for_writing, uint64_t timeout_ns, millrace_event **out_event) {
  return mr_reactor_when(fd, for_writing ? MR_EVENT_WRITE : MR_EVENT_READ, timeout_ns ? deadline_after(timeout_ns) : 0,
                         out_event);
}
void millrace_timer_cancel(millrace_event *event) {
  if (event) {
    mr_reactor_cancel(event);
  }
}

millrace_error *millrace_loop_create(struct event_base *base, millrace_loop **out_loop) {
  return mr_event_loop_create(base, out_loop);
}
void millrace_loop_release(millrace_loop *loop) { mr_event_loop_release(loop); }
millrace_error *millrace_loop_watch(millrace_loop *loop, millrace_event *event,
                                    void (*done)(void *argument, millrace_error *error), void *argument) {
  return mr_event_loop_then(loop, event ? event : happened(), done, argument);
}

// ---- Traces ---------------------------------------------------------------------------------------------------------

millrace_error *millrace_trace_start(const char *path) { return mr_trace_start(path); }
millrace_error *millrace_trace_stop(void) { return mr_trace_stop(); }

static millrace_error *write_plan(const millrace_program *program, char **out_text,
                                  void (*write)(const mr_executable *executable, mr_text *text)) {
  *out_text = NULL;
  mr_text text = {0};
  write(program, &text);
  mr_text_append(&text, (mr_str){"", 1});
  if (text.failed) {
    mr_text_deinit(&text);
    return MR_NO_MEMORY();
  }
  *out_text = text.data;
  return MR_OK;
}
millrace_error *millrace_program_graph(const millrace_program *program, char **out_text) {
  return write_plan(program, out_text, mr_executable_draw);
}
millrace_error *millrace_program_plan(const millrace_program *program, char **out_text) {
  return write_plan(program, out_text, mr_executable_print_plan);
}
void millrace_text_free(char *text) { mr_free(text); }
