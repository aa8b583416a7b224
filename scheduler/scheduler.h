// scheduler: threads that run ready nodes, and parallel_for over their cores. One per process, shared by all clients.
//
// Threads: everything here may be called from any thread, workers included, unless a line says otherwise.
// Workers: at most one per processing unit that the process may use (affinity mask, cgroup quota), in groups that share a
// cache or a NUMA node. They spin for a short while when idle, then sleep.
// Fork: the child starts workers of its own on first use, which go on with what was queued: both processes run it, each on its
// own memory. The fork waits until workers are between two nodes, for 100 ms at most; a node that took longer, and what
// other threads of the program were running, is lost to the child: it never finishes there, and waiting for it needs a
// deadline.
//
//   mr_scheduler *scheduler;
//   MR_TRY(mr_scheduler_acquire(&scheduler));
//   mr_group *group = mr_scheduler_group(scheduler, device_index, num_devices);
//   MR_TRY(mr_node_create(&type, sizeof args, mr_group_executor(group), &node));
//   ...
//   mr_parallel_for(group, rows, scale_rows, &context, 16, rows * 900);   // inside a node or on any thread
//   mr_scheduler_wait(scheduler, mr_node_done(node));
//   mr_scheduler_release(scheduler);
#ifndef MR_SCHEDULER_SCHEDULER_H
#define MR_SCHEDULER_SCHEDULER_H

#include "graph/graph.h"

typedef struct mr_scheduler mr_scheduler;
typedef struct mr_group mr_group;

enum { MR_SCHEDULER_NO_WORKERS = 0x7fffffff };

// In which order a worker runs what it has. Urgent tasks come first with either.
typedef enum mr_policy_kind {
  MR_POLICY_LOCALITY,  // its newest first, then what others submitted: what was just written is in the cache
  MR_POLICY_FIFO,      // what others submitted first, then its oldest: the order of submission, about
} mr_policy_kind;

typedef struct mr_scheduler_options {
  // Worker threads. 0: MILLRACE_THREADS when set, else one per processing unit that may be used. MR_SCHEDULER_NO_WORKERS:
  // none; work is done by threads inside mr_scheduler_wait() or mr_scheduler_enter(), or by whoever makes it ready.
  uint32_t workers;
  // Tests: a hwloc synthetic description, "pack:2 l3:2 core:8 pu:1"; workers are not bound. NULL: this machine.
  const char *synthetic;
  mr_policy_kind policy;
} mr_scheduler_options;

// ---- Lifecycle ------------------------------------------------------------------------------------------------------

// The process's scheduler, made on first use; the caller gets a reference.
mr_status mr_scheduler_acquire(mr_scheduler **out_scheduler) MR_WARN_UNUSED;
// How many workers that has when it is made from here on and MILLRACE_THREADS does not say; never more than may run at once. 0: as
// many as that.
void mr_scheduler_suggest_workers(uint32_t count);
// A private scheduler, for tests and embedders.
mr_status mr_scheduler_create(const mr_scheduler_options *options, mr_scheduler **out_scheduler) MR_WARN_UNUSED;
mr_scheduler *mr_scheduler_retain(mr_scheduler *scheduler);
// The last release shuts down: queued nodes finish with CANCELLED, running ones are waited for, the threads end.
// On a worker thread the last release is left to another thread to carry out.
void mr_scheduler_release(mr_scheduler *scheduler);

// ---- Groups ---------------------------------------------------------------------------------------------------------

// The cores that device `device_index` of `num_devices` runs on. Neighbouring devices get neighbouring cores; when there
// are more devices than cores they share. Borrowed from the scheduler; device_index < num_devices.
mr_group *mr_scheduler_group(mr_scheduler *scheduler, uint32_t device_index, uint32_t num_devices);
// Where nodes for this group go. Alive as long as the scheduler.
mr_executor *mr_group_executor(mr_group *group);
// Threads that may work at once in this group, the calling one included.
uint32_t mr_group_concurrency(const mr_group *group);
int mr_group_numa_node(const mr_group *group);  // -1: several or unknown

// A place is a part of the machine whose processing units share a last-level cache, or a NUMA node; numbered from 0.
enum { MR_PLACE_UNKNOWN = 0xffff };
// Where the calling thread is: what it writes now is near the units of this place. Next to nothing on a machine of one place.
uint32_t mr_scheduler_place(const mr_scheduler *scheduler);
// Where nodes for this group go that read much of what was written at `place`: its workers there come first, others take over
// when those have enough to do. The group's own executor when it has no workers there, or no others.
mr_executor *mr_group_executor_near(mr_group *group, uint32_t place);

// ---- Work -----------------------------------------------------------------------------------------------------------

// Calls fn over [0, n_tiles) in pieces of at least `grain` tiles, on the calling thread and on the group's idle workers.
// Returns when all tiles are done; never waits for a worker that has not begun. `cost_ns`: an estimate of the whole; when it
// is small, or the group has one core, fn(context, 0, n_tiles) is called here. No allocation. May be nested.
void mr_parallel_for(mr_group *group, int64_t n_tiles, void (*fn)(void *context, int64_t begin, int64_t end),
                     void *context, int64_t grain, uint64_t cost_ns);
// Runs other ready nodes until `future` is set, on a worker and on any other thread alike. mr_future_wait() does the same on a
// worker, so that a node may wait, as deep as half of the thread's stack goes; beyond that another thread takes its place. The
// caller holds no lock that other nodes take.
void mr_scheduler_wait(mr_scheduler *scheduler, mr_future *future);
// Sleeps until the future is set (true) or the deadline has passed, and does a share of loops meanwhile where a place is free. Takes no tasks,
// which may be code of anybody's: the caller may hold locks. A thread of a scheduler's only sleeps, and so should not come here.
bool mr_scheduler_help_until(mr_scheduler *scheduler, mr_future *future, uint64_t deadline_ns);
// Between these the calling thread is one of the scheduler's: what it makes ready it keeps, for itself in
// mr_scheduler_wait() and for workers to take. False: too many threads are guests already; nothing to leave. No nesting.
bool mr_scheduler_enter(mr_scheduler *scheduler);
void mr_scheduler_leave(mr_scheduler *scheduler);
// Around a call of code that is not ours and may sleep or wait, on any thread: on a worker that is inside for long another thread takes
// its place in the meantime, and a thread that has entered is not the scheduler's there. False: there is nothing to end.
bool mr_scheduler_begin_host_call(void);
void mr_scheduler_end_host_call(void);
// Around a task that takes long, a millisecond or more, on any thread: while there are such, and no worker is idle, what is urgent (positive
// priorities, and MR_PRIORITY_BRIEF) is run by a thread of its own, beside them.
void mr_scheduler_begin_lengthy(mr_scheduler *scheduler);
void mr_scheduler_end_lengthy(mr_scheduler *scheduler);
// True on one of the scheduler's worker threads.
bool mr_scheduler_on_worker(const mr_scheduler *scheduler);
bool mr_scheduler_on_any_worker(void);  // of any scheduler
uint32_t mr_scheduler_worker_count(const mr_scheduler *scheduler);

// What the machine has: how many units may be used at once, and the caches for data of one of them, from the core outward.
typedef struct mr_scheduler_machine {
  uint32_t units, cache_count;
  struct {
    uint64_t bytes;
    uint32_t units;  // that share one
  } caches[4];
} mr_scheduler_machine;
mr_scheduler_machine mr_scheduler_look_at_machine(const mr_scheduler *scheduler);

// What the workers and guests did since the start; each number may lag a little.
typedef struct mr_scheduler_counters {
  uint64_t items;   // tasks and cells of runs
  uint64_t stolen;  // of these, taken from another thread's deque
  uint64_t from_inbox;
  uint64_t loop_shares;  // times a worker joined a parallel_for
  uint64_t sleeps;
} mr_scheduler_counters;
mr_scheduler_counters mr_scheduler_count(const mr_scheduler *scheduler);

#endif
