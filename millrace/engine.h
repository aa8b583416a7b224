// The engine by itself: functions that run when what they wait for has happened, on the same threads and in the same graph
// as tensor programs, but without any. docs/embedding.md has a tutorial.
//
// Threads: every function may be called from any thread, except millrace_loop_*, which belong to the loop's thread, and a
// node before it is submitted, which belongs to its maker.
// Ownership: what a function returns through `out_...` belongs to the caller, who gives it back with the matching
// `_release`. `take_...` parameters move in, also when the call fails. Everything else is borrowed for the call.
// Events: millrace_event of millrace.h. NULL is an event that has happened. One that is waited for must live until it
// happens.
// Submitting and setting an event may run nodes on the calling thread, cheap ones and, when much is queued, any: hold no lock
// meanwhile that they take.
// Errors: the first error wins. A node whose input failed does not run; it fails with that same error, and so on down.
//
//   static millrace_error *load(void *page) { ... }      static millrace_error *draw(void *page) { ... }
//
//   millrace_engine *engine;
//   millrace_event *loaded, *drawn;
//   check(millrace_engine_create(NULL, &engine));
//   check(millrace_submit(engine, load, page, NULL, 0, &loaded));
//   check(millrace_submit(engine, draw, page, &loaded, 1, &drawn));
//   check(millrace_event_wait(drawn));
//   millrace_event_release(loaded);
//   millrace_event_release(drawn);
//   millrace_engine_release(engine);
#ifndef MILLRACE_ENGINE_H
#define MILLRACE_ENGINE_H

#include "millrace/millrace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct millrace_engine millrace_engine;
typedef struct mr_node millrace_node;
typedef struct mr_event_loop millrace_loop;

// An error of the program's own, for functions that fail and for events; `message` is copied. Never NULL.
MILLRACE_CHECKED millrace_error *millrace_error_create(millrace_code code, const char *message);
MILLRACE_CHECKED millrace_error *millrace_error_retain(millrace_error *error);

// ---- Engine ---------------------------------------------------------------------------------------------------------

enum { MILLRACE_NO_WORKERS = 0x7fffffff };

typedef struct millrace_engine_options {
  size_t struct_size;  // sizeof(millrace_engine_options)
  // Threads of this engine alone. 0: the process's shared threads, one for each processor it may use (MILLRACE_THREADS says
  // otherwise), which contexts of tensor programs use too. MILLRACE_NO_WORKERS: none; what is ready runs on the threads that
  // submit and wait.
  uint32_t workers;
  bool submission_order;  // with workers of its own: oldest first. Otherwise newest first, which caches like
} millrace_engine_options;

// `options` may be NULL. Threads start when the first node is ready.
MILLRACE_CHECKED millrace_error *millrace_engine_create(const millrace_engine_options *options,
                                                        millrace_engine **out_engine);
// What is queued fails with CANCELLED, functions that run are waited for. Threads of the engine's own end with it; the shared ones stay as
// long as somebody else uses them.
MILLRACE_API void millrace_engine_release(millrace_engine *engine);
MILLRACE_API uint32_t millrace_engine_worker_count(const millrace_engine *engine);

typedef struct millrace_engine_counters {
  uint64_t tasks, stolen, loop_shares, sleeps;  // since the threads' start; each may lag a little
} millrace_engine_counters;
MILLRACE_API millrace_engine_counters millrace_engine_count(const millrace_engine *engine);

// ---- Nodes, the short way -------------------------------------------------------------------------------------------

// Runs fn(argument) once all `inputs` have happened; what it returns is how *out_event (may be NULL) happens. When an input
// failed, `fn` is not called. Fails, and queues nothing, only without memory.
MILLRACE_CHECKED millrace_error *millrace_submit(millrace_engine *engine, millrace_error *(*fn)(void *argument),
                                                 void *argument, millrace_event *const *inputs, size_t num_inputs,
                                                 millrace_event **out_event);

// ---- Nodes ----------------------------------------------------------------------------------------------------------

// What nodes of one kind do. Static storage.
typedef struct millrace_work {
  const char *name;  // for traces
  // Does the work and leads to millrace_node_finish(), before it returns or later.
  void (*run)(millrace_node *node, void *argument);
  // Optional. Called instead of run when an input failed or the node was cancelled; the error is borrowed. The node then
  // finishes with that error by itself.
  void (*fail)(millrace_node *node, void *argument, millrace_error *error);
  // Optional. The argument's destructor: after everything else, when nobody holds the node's event any more.
  void (*drop)(void *argument);
  int priority;      // from -100 to 100; positive is sooner
  uint32_t cost_ns;  // estimate; a node that is cheap (30 us) and ready runs inside millrace_node_submit(). 0: unknown
} millrace_work;

// Each node is submitted or discarded, once.
MILLRACE_CHECKED millrace_error *millrace_node_create(millrace_engine *engine, const millrace_work *work,
                                                      void *argument, millrace_node **out_node);
// Before submitting: the node waits for `event` too. When memory is short for this, the node fails with that error once it
// is submitted.
MILLRACE_API void millrace_node_after(millrace_node *node, millrace_event *event);
// Before submitting: the event of the node's end.
MILLRACE_API void millrace_node_event(millrace_node *node, millrace_event **out_event);
MILLRACE_API void millrace_node_submit(millrace_node *take_node);
// Instead of submitting: the node fails with ABORTED.
MILLRACE_API void millrace_node_discard(millrace_node *take_node);
// Exactly once, from `run` or what it started, on any thread: and the last use of the node.
MILLRACE_API void millrace_node_finish(millrace_node *node, millrace_error *take_error);
// For the event of a node (millrace_node_event(), millrace_submit()): the node fails with `take_error` unless it has begun.
MILLRACE_API void millrace_node_cancel(millrace_event *event, millrace_error *take_error);

// ---- Frozen graphs ----------------------------------------------------------------------------------------------------

// Nodes that are described once and run many times: what a pipeline does for every frame or request. A run is one block of
// memory, and a node of it costs some nanoseconds besides its function.
//
//   millrace_graph *graph;
//   uint32_t load, resize, draw;
//   check(millrace_graph_create(engine, &graph));
//   check(millrace_graph_node(graph, &load_work, NULL, NULL, 0, &load));
//   check(millrace_graph_node(graph, &resize_work, NULL, &load, 1, &resize));
//   check(millrace_graph_node(graph, &draw_work, NULL, &resize, 1, &draw));
//   check(millrace_graph_freeze(graph));
//   for (int i = 0; i < frames; i++) check(millrace_graph_run(graph, &frame[i], NULL, 0, &events[i]));   // all at once
//
// Threads: building belongs to one thread; a frozen graph may be run from any, any number of runs at a time.
// Errors: a run fails as a whole. Once a node has failed, or the run was cancelled, nodes that have not begun are skipped, and
// the run's event happens with the first error when those that have are over.
typedef struct millrace_graph millrace_graph;
typedef struct millrace_step millrace_step;  // a node in one run

// What a node does, by one of three functions. Static storage. `argument` is the node's, the same in every run.
typedef struct millrace_graph_work {
  const char *name;  // for traces and errors
  // Does the work.
  millrace_error *(*run)(millrace_step *step, void *argument);
  // Or begins it: it leads to millrace_step_finish(), before this returns or later.
  void (*start)(millrace_step *step, void *argument);
  // Or makes the event that the node waits for, and ends with; it is the node's then. NULL: it has happened.
  millrace_error *(*event)(millrace_step *step, void *argument, millrace_event **out_event);
  uint32_t cost_ns;  // estimate, of `run`; 0: unknown. Cheap nodes are kept together on a thread
} millrace_graph_work;

// The graph holds its engine, whose threads stay until both are released; runs of a released engine fail with CANCELLED.
MILLRACE_CHECKED millrace_error *millrace_graph_create(millrace_engine *engine, millrace_graph **out_graph);
// Runs that are under way go on.
MILLRACE_API void millrace_graph_release(millrace_graph *graph);
// A node that begins when `inputs`, nodes of this graph, have ended. Nodes are numbered from 0.
MILLRACE_CHECKED millrace_error *millrace_graph_node(millrace_graph *graph, const millrace_graph_work *work,
                                                     void *argument, const uint32_t *inputs, size_t num_inputs,
                                                     uint32_t *out_node);
// A node that ends so much later than it began, and takes no thread meanwhile.
MILLRACE_CHECKED millrace_error *millrace_graph_delay(millrace_graph *graph, uint64_t delay_ns, const uint32_t *inputs,
                                                      size_t num_inputs, uint32_t *out_node);
// A place for a tensor, of which each run has its own. Slots are numbered from 0.
MILLRACE_CHECKED millrace_error *millrace_graph_slot(millrace_graph *graph, uint32_t *out_slot);
// A node that executes `program` on `device` with the buffers of these slots and puts its results in those, whose buffers
// from before are released. The graph holds the program and the device's context.
MILLRACE_CHECKED millrace_error *millrace_graph_execute(millrace_graph *graph, millrace_program *program,
                                                        millrace_device *device, const uint32_t *argument_slots,
                                                        size_t num_arguments, const uint32_t *result_slots,
                                                        size_t num_results, const uint32_t *inputs, size_t num_inputs,
                                                        uint32_t *out_node);
// One more input for a node, which may be a node that was made after it.
MILLRACE_CHECKED millrace_error *millrace_graph_after(millrace_graph *graph, uint32_t node, uint32_t input);
// Checks the graph, which cannot be changed afterwards. INVALID_ARGUMENT when nodes wait for themselves.
MILLRACE_CHECKED millrace_error *millrace_graph_freeze(millrace_graph *graph);

// Starts a run. `context` is for the nodes; the first slots begin with `buffers` (borrowed; NULL: empty), the others empty.
// *out_event (may be NULL) happens at the run's end, when it has let go of its buffers. When the nodes are known to be short,
// they have run before this returns.
MILLRACE_CHECKED millrace_error *millrace_graph_run(millrace_graph *graph, void *context,
                                                    millrace_buffer *const *buffers, size_t num_buffers,
                                                    millrace_event **out_event);
// From here on at most `runs` (0: any number) of the graph's runs are under way at once: millrace_graph_run() waits for a place, and helps
// with loops of others meanwhile. On one of the engine's threads it does not wait. A run must not need what the waiting thread does next.
MILLRACE_API void millrace_graph_limit(millrace_graph *graph, uint32_t runs);
// For a thread that is not to wait: *out_event happens when there is a place for another run. NULL: there is one now.
MILLRACE_CHECKED millrace_error *millrace_graph_room(millrace_graph *graph, millrace_event **out_event);
// For the event of a run: it fails with `take_error` unless it is over. Delays end at once.
MILLRACE_API void millrace_graph_cancel(millrace_event *event, millrace_error *take_error);

// For the functions of nodes.
MILLRACE_API void *millrace_step_context(const millrace_step *step);  // the run's
// True when the run has failed or was cancelled: what the node still does is for nothing.
MILLRACE_API bool millrace_step_is_cancelled(const millrace_step *step);
// Exactly once for a node with `start`, on any thread: and the last use of the step.
MILLRACE_API void millrace_step_finish(millrace_step *step, millrace_error *take_error);
// The buffer in a slot; NULL: none, or no such slot. Borrowed from the run. Nodes that use a slot that others write come after them.
MILLRACE_API millrace_buffer *millrace_step_buffer(const millrace_step *step, uint32_t slot);
// Takes the buffer out of the slot.
MILLRACE_API millrace_buffer *millrace_step_take(millrace_step *step, uint32_t slot);
// Puts one in, and releases the one before. INVALID_ARGUMENT for a slot that is not there.
MILLRACE_CHECKED millrace_error *millrace_step_put(millrace_step *step, uint32_t slot, millrace_buffer *take_buffer);

// ---- Events ---------------------------------------------------------------------------------------------------------

// An event that the program makes happen, once, with millrace_event_set(); released before that, it happens with ABORTED.
MILLRACE_CHECKED millrace_error *millrace_event_create(millrace_event **out_event);
// False, and the error is freed, when the event has happened already (as NULL has). Runs what waited, on this thread or another.
MILLRACE_API bool millrace_event_set(millrace_event *event, millrace_error *take_error);
MILLRACE_API millrace_event *millrace_event_retain(millrace_event *event);
// Borrowed from the event; NULL when it happened without one, or has not happened.
MILLRACE_API millrace_error *millrace_event_error(millrace_event *event);
// An event that happens when all of these have, with the first error.
MILLRACE_CHECKED millrace_error *millrace_event_all(millrace_event *const *events, size_t count,
                                                    millrace_event **out_event);
// Happens with the first that succeeds, or with the last error; `count` is at least 1.
MILLRACE_CHECKED millrace_error *millrace_event_any(millrace_event *const *events, size_t count,
                                                    millrace_event **out_event);
// Blocks for at most so long. False: the event has not happened.
MILLRACE_API bool millrace_event_wait_for(millrace_event *event, uint64_t timeout_ns);
// Like millrace_event_wait(), and runs other ready nodes meanwhile also on a thread that is not the engine's. After all of these what
// a node wrote is seen, for its function is over; functions of millrace_event_on_done() may be still to come.
MILLRACE_CHECKED millrace_error *millrace_engine_wait(millrace_engine *engine, millrace_event *event);

// ---- Fork and join --------------------------------------------------------------------------------------------------

// Calls that other threads may make, and that have all returned when the scope ends: some nanoseconds each, no allocation.
// A scope lies on the stack of the thread that begins it; that thread alone spawns in it and ends it, later begun ones first.
// The calls may do the same. millrace_spawn() may make the call itself: hold no lock that it takes.
typedef struct millrace_scope {
  uint64_t the_engines[8];
} millrace_scope;
MILLRACE_API void millrace_scope_begin(millrace_engine *engine, millrace_scope *scope);
MILLRACE_API void millrace_spawn(millrace_scope *scope, void (*fn)(void *argument), void *argument);
// Makes the calls that no other thread has taken, helps other threads meanwhile.
MILLRACE_API void millrace_scope_end(millrace_scope *scope);

// ---- Loops over tiles -----------------------------------------------------------------------------------------------

// Calls fn(argument, begin, end) over [0, count) in pieces of at least `grain`, here and on idle threads; returns when all
// is done. `cost_ns` estimates the whole; little work is done here alone. Allocates nothing.
MILLRACE_API void millrace_parallel_for(millrace_engine *engine, int64_t count,
                                        void (*fn)(void *argument, int64_t begin, int64_t end), void *argument,
                                        int64_t grain, uint64_t cost_ns);

// ---- Event loops and time -------------------------------------------------------------------------------------------

// A descriptor that becomes readable when the event happens, for poll, epoll or any loop. The caller closes it.
MILLRACE_CHECKED millrace_error *millrace_event_fd(millrace_event *event, int *out_fd);
// Happens so much later. A thread of the engine that is started by the first timer sees to it; what waits for the event
// should be short, or nodes.
MILLRACE_CHECKED millrace_error *millrace_timer_create(uint64_t delay_ns, millrace_event **out_event);
// Happens when `fd` can be read (or written, when `for_writing`), or with DEADLINE_EXCEEDED after `timeout_ns` (0: never).
MILLRACE_CHECKED millrace_error *millrace_fd_ready(int fd, bool for_writing, uint64_t timeout_ns,
                                                   millrace_event **out_event);
// For events of the two above: CANCELLED unless they have happened.
MILLRACE_API void millrace_timer_cancel(millrace_event *event);

// Events in the program's own libevent loop. On the thread of that loop only.
struct event_base;
MILLRACE_CHECKED millrace_error *millrace_loop_create(struct event_base *base, millrace_loop **out_loop);
// What is still watched is told CANCELLED, before this returns. Before the base is freed.
MILLRACE_API void millrace_loop_release(millrace_loop *loop);
// Calls done(argument, error) once, from the loop; the error is borrowed. Not called when this fails.
MILLRACE_CHECKED millrace_error *millrace_loop_watch(millrace_loop *loop, millrace_event *event,
                                                     void (*done)(void *argument, millrace_error *error),
                                                     void *argument);

// ---- Traces ---------------------------------------------------------------------------------------------------------

// Records what nodes, threads, transfers and the compiler do, and writes `path` for Perfetto or chrome://tracing when it is
// stopped. MILLRACE_TRACE=path, or `millrace trace -- COMMAND`, does the same for a whole process.
MILLRACE_CHECKED millrace_error *millrace_trace_start(const char *path);
MILLRACE_CHECKED millrace_error *millrace_trace_stop(void);

// The plan of a program as a picture, in the DOT language, with costs and the critical path; millrace_text_free() what is returned.
MILLRACE_CHECKED millrace_error *millrace_program_graph(const millrace_program *program, char **out_text);
// Its steps as text, a line each: buffers, estimated time, and the bytes that it reads and writes, a loop in each round.
MILLRACE_CHECKED millrace_error *millrace_program_plan(const millrace_program *program, char **out_text);
// In words: parameters and results with their names, types, sizes and who is donated; costs and memory.
MILLRACE_CHECKED millrace_error *millrace_program_describe(const millrace_program *program, char **out_text);
// The machine with its cores, caches and quotas, the devices and what is known of their speed, and the kinds of devices that the
// context has none of.
MILLRACE_CHECKED millrace_error *millrace_context_describe(millrace_context *context, char **out_text);
MILLRACE_API void millrace_text_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
