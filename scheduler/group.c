// Groups: a range of workers, an inbox for tasks from other threads, and the executor that nodes name.
//
// States of inbox.newest:
//
//   NULL --put--> task --put--> newer task, over the older ones
//     ^------------ take -----------+
//
//   who                    operation                      order, and with what it pairs                               at once
//   who submits, who puts  swap, chain -> own, chain      seq_cst: release of the tasks and links; then it looks for  everybody
//   back                                                  sleepers: the protocol in worker.c
//   who looks for work     load; exchange, chain -> NULL  acquire, of all in the chain: a swap goes on with the       everybody
//                                                         release of the one before. An empty one relaxed: a hint
//   who is about to sleep  load                           seq_cst, after it has announced that                        everybody
//
// Nobody follows a link of a chain that is not its own (no ABA).
#include <string.h>

#include "scheduler/internal.h"

// ---- Inbox ----------------------------------------------------------------------------------------------------------

static void put_chain(inbox *box, mr_task *newest, mr_task *oldest) {
  mr_task *head = atomic_load_explicit(&box->newest, memory_order_relaxed);  // relaxed: a guess for the swap
  do {
    oldest->next = head;
    // seq_cst: release publishes the tasks, pairs with take_all(). Beyond that the caller goes on to look for sleepers,
    // who announce themselves and then look here: one of the two sees the other.
  } while (
      !atomic_compare_exchange_weak_explicit(&box->newest, &head, newest, memory_order_seq_cst, memory_order_relaxed));
}

static mr_task *take_all(inbox *box) {
  // relaxed: an empty inbox is not written to. A sleeper uses mr_inbox_is_empty() for its last look.
  if (!atomic_load_explicit(&box->newest, memory_order_relaxed)) {
    return NULL;
  }
  // acquire, pairs with put_chain(). Who takes the chain owns every link of it.
  return atomic_exchange_explicit(&box->newest, NULL, memory_order_acquire);
}

bool mr_inbox_is_empty(inbox *box) {
  // seq_cst, pairs with put_chain(): the caller has announced sleep.
  return atomic_load_explicit(&box->newest, memory_order_seq_cst) == NULL;
}

mr_item mr_inbox_take(inbox *box, worker *w) {
  mr_task *task = take_all(box);
  if (!task) {
    return 0;
  }
  uint32_t taken = 0;
  // Newest first into the deque, so that its owner gets the oldest first. The oldest is not put there at all.
  while (task->next) {
    mr_task *next = task->next;
    if (mr_deque_push(&w->deque, (mr_item)task) == MR_PUSH_FULL) {
      break;
    }
    task = next;
    taken++;
  }
  if (task->next) {  // the deque is full: the older ones stay
    mr_task *oldest = task->next;
    while (oldest->next) {
      oldest = oldest->next;
    }
    put_chain(box, task->next, oldest);
  }
  atomic_fetch_sub_explicit(&box->count, taken + 1, memory_order_relaxed);  // relaxed: only a bound
  return (mr_item)task;
}

void mr_inbox_cancel(inbox *box) {
  mr_task *task;
  while ((task = take_all(box))) {
    while (task) {
      mr_task *next = task->next;                                       // read first: the task may be gone afterwards
      atomic_fetch_sub_explicit(&box->count, 1, memory_order_relaxed);  // relaxed: only a bound
      mr_item_cancel((mr_item)task);
      task = next;
    }
  }
}

// ---- The executor ---------------------------------------------------------------------------------------------------

// Others have enough to take from this thread.
static bool has_enough(worker *w) {
  int64_t enough = MR_DEQUE_ENOUGH + (int64_t)MR_DEQUE_ENOUGH_PER_WORKER * w->scheduler->worker_count;
  return !w->ahead && mr_deque_holds(&w->deque, enough);
}

// False: this thread is not one of the scheduler's, or has no room, or has enough.
static bool keep(mr_executor *executor, mr_item item, bool follows) {
  mr_group *group = (mr_group *)executor;
  worker *w = mr_worker_self();
  mr_scheduler *scheduler = group->scheduler;
  if (!w || w->scheduler != scheduler || w->express) {
    return false;
  }
  // The next link of a chain: this thread takes it right away, queueing it or waking another for it would only move it. Inside a call of
  // the host's that is not soon. relaxed: only this thread takes it from 0.
  if (follows && w->in_task && !w->ahead && !w->next_item && !scheduler->policy->oldest_first &&
      !atomic_load_explicit(&w->host, memory_order_relaxed)) {
    w->next_item = item;
    return true;
  }
  if (has_enough(w) || mr_deque_push(&w->deque, item) == MR_PUSH_FULL) {
    return false;
  }
  // acquire, pairs with mr_scheduler_start_threads().
  if (MR_UNLIKELY(atomic_load_explicit(&scheduler->state, memory_order_acquire) == SCHEDULER_IDLE)) {
    mr_scheduler_start_threads(scheduler);
  }
  mr_scheduler_wake_one(scheduler, group->first, group->count);
  return true;
}

static bool offer(mr_executor *executor, mr_item item) { return keep(executor, item, false); }

// Not even one worker could be made. What is queued is this thread's, as a guest's where it can be one: then what it waits for
// meanwhile is its own as well.
static void work_alone(mr_scheduler *scheduler, inbox *box) {
  if (mr_scheduler_enter(scheduler)) {
    while (mr_worker_run_one(mr_worker_self())) {
      continue;
    }
    mr_scheduler_leave(scheduler);
    return;
  }
  for (mr_task *task = take_all(box); task;) {
    mr_task *next = task->next;                                       // read first: the task may be gone afterwards
    atomic_fetch_sub_explicit(&box->count, 1, memory_order_relaxed);  // relaxed: only a bound
    mr_item_run((mr_item)task);
    task = next;
  }
}

// Every worker is at something, and some of it takes long. seq_cst, when something urgent was put: who begins what is long says so and then looks
// at the inboxes, and a worker that is about to sleep sets its bit and then looks at them.
static bool is_held_up(mr_scheduler *scheduler) {
  if (MR_LIKELY(!atomic_load_explicit(&scheduler->lengthy, memory_order_seq_cst))) {
    return false;
  }
  for (uint32_t i = 0; i < scheduler->worker_count; i += 64) {
    uint32_t left = scheduler->worker_count - i;
    uint64_t workers = left < 64 ? ((uint64_t)1 << left) - 1 : ~(uint64_t)0;
    if (atomic_load_explicit(&scheduler->sleepers[i / 64], memory_order_seq_cst) & workers) {
      return false;
    }
  }
  return true;
}

// False: the inbox is as full as it may get.
static bool put(mr_group *group, inbox *box, mr_task *task) {
  // relaxed: only a bound, and a few too many do no harm.
  if (atomic_fetch_add_explicit(&box->count, 1, memory_order_relaxed) >= MR_INBOX_LIMIT) {
    atomic_fetch_sub_explicit(&box->count, 1, memory_order_relaxed);
    return false;
  }
  mr_scheduler *scheduler = group->scheduler;
  mr_scheduler_step_inside(scheduler);
  put_chain(box, task, task);
  // seq_cst: shutting down stores the state, then empties the inboxes; one of us sees the other.
  uint32_t state = atomic_load_explicit(&scheduler->state, memory_order_seq_cst);
  if (MR_UNLIKELY(state == SCHEDULER_STOPPING)) {
    mr_inbox_cancel(box);
  } else {
    if (MR_UNLIKELY(state == SCHEDULER_IDLE)) {
      mr_scheduler_start_threads(scheduler);
    }
    mr_scheduler_wake_one(scheduler, group->first, group->count);
    if (MR_UNLIKELY(box == &group->urgent) && is_held_up(scheduler)) {
      mr_scheduler_call_express(scheduler);
    }
  }
  // relaxed: this thread has tried to change it.
  if (MR_UNLIKELY(state == SCHEDULER_IDLE) &&
      atomic_load_explicit(&scheduler->state, memory_order_relaxed) == SCHEDULER_IDLE) {
    work_alone(scheduler, box);
  }
  mr_scheduler_step_outside(scheduler);
  return true;
}

static void ready(mr_executor *executor, mr_task *task, int priority, bool follows) {
  mr_group *group = (mr_group *)executor;
  if (priority == MR_PRIORITY_BRIEF && (follows || !is_held_up(group->scheduler))) {
    priority = 0;
  }
  if (MR_LIKELY(priority <= 0)) {
    if (keep(executor, (mr_item)task, follows)) {
      return;
    }
    worker *w = mr_worker_self();
    bool full = w && w->scheduler == group->scheduler && !w->express;
    if (!full && group->count && put(group, &group->normal, task)) {
      return;
    }
  } else if (group->count && put(group, &group->urgent, task)) {
    return;
  }
  // Full, or nobody else to do it: the submitter does.
  // acquire: pairs with the store that begins shutdown; a task that comes later is only cancelled.
  if (atomic_load_explicit(&group->scheduler->state, memory_order_acquire) == SCHEDULER_STOPPING) {
    mr_item_cancel((mr_item)task);
  } else {
    worker *w = mr_worker_self();
    bool outer = w && w->ahead;
    if (w) {
      w->ahead = true;  // one deep: what this submits is queued as long as there is room
    }
    mr_item_run((mr_item)task);
    if (w) {
      w->ahead = outer;
    }
  }
}

// ---- Lifecycle and queries --------------------------------------------------------------------------------------------

mr_status mr_group_create(mr_scheduler *scheduler, uint32_t first, uint32_t count, mr_group **out_group) {
  mr_group *group = mr_alloc_aligned(MR_CACHE_LINE, sizeof(*group));
  *out_group = group;
  if (!group) {
    return MR_NO_MEMORY();
  }
  memset(group, 0, sizeof(*group));  // also the atomics: nobody knows the group yet
  group->executor =
      (mr_executor){.name = "workers", .ready = ready, .offer = count ? offer : NULL, .hungry = &scheduler->searching};
  group->scheduler = scheduler;
  group->first = first;
  group->count = count;
  for (size_t i = 0; i < MR_GROUP_JOBS; i++) {
    group->jobs[i].group = group;
  }
  return MR_OK;
}

mr_executor *mr_group_executor(mr_group *group) { return &group->executor; }
uint32_t mr_group_concurrency(const mr_group *group) { return group->count ? group->count : 1; }

int mr_group_numa_node(const mr_group *group) {
  const mr_topology *topology = group->scheduler->topology;
  int node = topology->units[group->first % topology->unit_count].numa_node;
  for (uint32_t i = 1; i < group->count; i++) {
    if (topology->units[(group->first + i) % topology->unit_count].numa_node != node) {
      return -1;
    }
  }
  return node;
}
