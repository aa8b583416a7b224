// Making and ending schedulers, the process's one, groups.
//
// States of mr_scheduler.state:
//
//   IDLE --the first task, with the lock--> RUNNING --the last reference goes--> STOPPING
//    | ^------- in a forked child -------------+                                   ^
//    +-----------------------------------------------------------------------------+
//
//   who               operation               order, and with what it pairs                          at once
//   who submits       store, IDLE -> RUNNING  release of the threads that were made; with the lock   who submits
//   who lets go last  store, -> STOPPING      seq_cst, then it empties the inboxes; who puts a task  workers, who submits
//                                             looks after that: one sees the other
//   forked child      store, RUNNING -> IDLE  relaxed: there is nobody else                          nobody
//   who submits       load                    acquire; seq_cst after putting a task into an inbox    everybody
//
// `refs` is a count that nobody takes from zero; `stopping` is set once, after STOPPING, and ends the workers' loops.
#include "scheduler/scheduler.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "core/signals.h"
#include "futures/park.h"
#include "scheduler/internal.h"

pthread_mutex_t mr_schedulers_lock = PTHREAD_MUTEX_INITIALIZER;
mr_scheduler *mr_schedulers;
static mr_scheduler *process_scheduler;  // under mr_schedulers_lock; not a reference

// ---- Threads --------------------------------------------------------------------------------------------------------

// Workers may move within their domain: bound to one unit each they would wait behind a user's thread that happens to
// run there, for the milliseconds until the kernel moves that one away.
static void bind_to_domain(const mr_topology *topology, uint32_t unit, pthread_attr_t *attributes) {
  if (topology->synthetic) {
    return;
  }
  uint32_t highest = 0;
  for (uint32_t i = 0; i < topology->unit_count; i++) {
    highest = MR_MAX(highest, topology->units[i].os_index);
  }
  cpu_set_t *set = CPU_ALLOC(highest + 1);
  if (!set) {
    return;
  }
  size_t size = CPU_ALLOC_SIZE(highest + 1);
  CPU_ZERO_S(size, set);
  for (uint32_t i = 0; i < topology->unit_count; i++) {
    if (topology->units[i].domain == topology->units[unit].domain) {
      CPU_SET_S(topology->units[i].os_index, size, set);
    }
  }
  pthread_attr_setaffinity_np(attributes, size, set);
  CPU_FREE(set);
}

static bool start_thread(worker *w) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) {
    return false;
  }
  const mr_topology *topology = w->scheduler->topology;
  bind_to_domain(topology, w->index % topology->unit_count, &attributes);
  int rc = pthread_create(&w->thread, &attributes, mr_worker_main, w);
  // The mask may have shrunk since it was read: without binding, then.
  if (rc == EINVAL) {
    rc = pthread_create(&w->thread, NULL, mr_worker_main, w);
  }
  pthread_attr_destroy(&attributes);
  return rc == 0;
}

// Threads that could not be made are missing, their groups are served by the others. With none at all the scheduler stays
// idle: who submits does the work (group.c: put), and tries again to make threads with the next task.
void mr_scheduler_start_threads(mr_scheduler *scheduler) {
  pthread_mutex_lock(&scheduler->lock);
  // relaxed: changed under the lock.
  if (atomic_load_explicit(&scheduler->state, memory_order_relaxed) == SCHEDULER_IDLE) {
    sigset_t before;
    mr_signals_leave_to_others(&before);
    bool somebody = scheduler->worker_count == 0;
    for (uint32_t i = 0; i < scheduler->worker_count; i++) {
      worker *w = scheduler->workers[i];
      if (w != mr_worker_self()) {
        w->joinable = start_thread(w);
      }
      somebody |= w->joinable || w == mr_worker_self();
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    // release, pairs with the loads in group.c and parallel.c.
    if (somebody) {
      atomic_store_explicit(&scheduler->state, SCHEDULER_RUNNING, memory_order_release);
    }
  }
  pthread_mutex_unlock(&scheduler->lock);
}

// ---- Making -----------------------------------------------------------------------------------------------------------

// Others in the order of their distance, each starting behind itself so that not everybody robs the same one first.
static void order_victims(const mr_scheduler *scheduler, worker *w) {
  const mr_topology *topology = scheduler->topology;
  uint32_t count = scheduler->worker_count;
  for (uint32_t distance = 0; distance <= 3 && !w->is_guest; distance++) {
    for (uint32_t i = 1; i < count; i++) {
      uint32_t other = (w->index + i) % count;
      if (mr_topology_distance(topology, w->index % topology->unit_count, other % topology->unit_count) == distance) {
        w->victims[w->victim_count++] = other;
      }
    }
  }
  for (uint32_t i = 0; i < count && w->is_guest; i++) {
    w->victims[w->victim_count++] = i;
  }
  for (uint32_t i = 0; i < MR_SCHEDULER_GUESTS; i++) {
    if (count + i != w->index) {
      w->victims[w->victim_count++] = count + i;
    }
  }
}

worker *mr_worker_create(mr_scheduler *scheduler, uint32_t index) {
  worker *w = mr_alloc_aligned(MR_CACHE_LINE, sizeof *w);
  if (!w) {
    return NULL;
  }
  memset(w, 0, sizeof *w);  // also the atomics: nobody knows the worker yet
  w->scheduler = scheduler;
  w->index = index;
  w->is_guest = index >= scheduler->worker_count;
  mr_calls_init(&w->calls);
  w->victims = mr_alloc(sizeof *w->victims * (scheduler->worker_count + MR_SCHEDULER_GUESTS));
  if (!w->victims) {
    mr_free(w);
    return NULL;
  }
  order_victims(scheduler, w);
  return w;
}

static void destroy(mr_scheduler *scheduler) {
  mr_scheduler_forget_units(scheduler);
  uint32_t slots = scheduler->worker_count + MR_SCHEDULER_GUESTS + MR_SCHEDULER_SUBSTITUTES;
  for (uint32_t i = 0; scheduler->workers && i < slots; i++) {
    if (scheduler->workers[i]) {
      mr_free(scheduler->workers[i]->victims);
    }
    mr_free(scheduler->workers[i]);
  }
  mr_free(scheduler->workers);
  // relaxed: nobody else is here.
  uint32_t groups = atomic_load_explicit(&scheduler->group_count, memory_order_relaxed);
  for (uint32_t i = 0; i < groups; i++) {
    mr_free(scheduler->groups[i]);
  }
  mr_topology_free(scheduler->topology);
  mr_scheduler_ignore_forks(scheduler);
  pthread_mutex_destroy(&scheduler->lock);
  pthread_mutex_destroy(&scheduler->substitutes_lock);
  mr_free(scheduler);
}

// relaxed: schedulers that are made at the same time get either.
static _Atomic(uint32_t) suggested_workers;

void mr_scheduler_suggest_workers(uint32_t count) {
  atomic_store_explicit(&suggested_workers, count, memory_order_relaxed);
}

static mr_status decide_worker_count(const mr_scheduler_options *options, const mr_topology *topology,
                                     uint32_t *out_count) {
  int64_t wanted = options->workers;
  if (wanted == MR_SCHEDULER_NO_WORKERS) {
    *out_count = 0;
    return MR_OK;
  }
  if (!wanted) {
    MR_TRY(mr_env_int("THREADS", 0, 0, MAX_WORKERS, &wanted));
  }
  if (!wanted) {
    wanted = atomic_load_explicit(&suggested_workers, memory_order_relaxed);
  }
  if (!wanted) {
    wanted = topology->parallelism;
  }
  *out_count = (uint32_t)MR_MIN(wanted, MAX_WORKERS);
  return MR_OK;
}

static mr_status fill(mr_scheduler *scheduler, const mr_scheduler_options *options) {
  scheduler->policy = &mr_policy_table[options->policy];
  MR_TRY(mr_topology_create(options->synthetic, &scheduler->topology));
  uint32_t count;
  MR_TRY(decide_worker_count(options, scheduler->topology, &count));
  // Never more than may run at once, except where a test asks for it.
  if (!options->workers && !options->synthetic) {
    count = MR_MIN(count, scheduler->topology->parallelism);
  }
  scheduler->worker_count = count;
  // relaxed: not shared yet. The topology is as of now.
  atomic_store_explicit(&scheduler->active, count, memory_order_relaxed);
  atomic_store_explicit(&scheduler->next_look, mr_now_ns() + MR_UNITS_LOOK_NS, memory_order_relaxed);
  scheduler->looks = 1;
  scheduler->workers =
      mr_alloc_zeroed(count + MR_SCHEDULER_GUESTS + MR_SCHEDULER_SUBSTITUTES, sizeof *scheduler->workers);
  if (!scheduler->workers) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < count + MR_SCHEDULER_GUESTS; i++) {
    scheduler->workers[i] = mr_worker_create(scheduler, i);
    if (!scheduler->workers[i]) {
      return MR_NO_MEMORY();
    }
  }
  // The group of everybody is there from the beginning, so that mr_scheduler_group() cannot fail for want of it.
  MR_TRY(mr_group_create(scheduler, 0, count, &scheduler->groups[0]));
  atomic_store_explicit(&scheduler->group_count, 1, memory_order_relaxed);  // relaxed: not shared yet
  return MR_OK;
}

mr_status mr_scheduler_create(const mr_scheduler_options *options, mr_scheduler **out_scheduler) {
  *out_scheduler = NULL;
  static const mr_scheduler_options defaults;
  mr_scheduler *scheduler = mr_alloc_aligned(MR_CACHE_LINE, sizeof *scheduler);
  if (!scheduler) {
    return MR_NO_MEMORY();
  }
  memset(scheduler, 0, sizeof *scheduler);  // also the atomics: nobody knows it yet
  atomic_store_explicit(&scheduler->refs, 1, memory_order_relaxed);
  pthread_mutex_init(&scheduler->lock, NULL);
  pthread_mutex_init(&scheduler->substitutes_lock, NULL);
  mr_scheduler_guard_forks(scheduler);
  mr_status status = fill(scheduler, options ? options : &defaults);
  if (status) {
    destroy(scheduler);
    return status;
  }
  mr_scheduler_watch_ending();
  // relaxed: always the same value, and there before anything is queued.
  atomic_store_explicit(&mr_future_wait_hook, mr_scheduler_wait_hook, memory_order_relaxed);
  pthread_mutex_lock(&mr_schedulers_lock);
  scheduler->next = mr_schedulers;
  mr_schedulers = scheduler;
  pthread_mutex_unlock(&mr_schedulers_lock);
  *out_scheduler = scheduler;
  return MR_OK;
}

// One more reference unless the last is gone. Under mr_schedulers_lock.
static bool retain_unless_dead(mr_scheduler *scheduler) {
  uint32_t refs = atomic_load_explicit(&scheduler->refs, memory_order_relaxed);  // relaxed: a guess for the swap
  while (refs) {
    // relaxed: mr_schedulers_lock orders it.
    if (atomic_compare_exchange_weak_explicit(&scheduler->refs, &refs, refs + 1, memory_order_relaxed,
                                              memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

mr_status mr_scheduler_acquire(mr_scheduler **out_scheduler) {
  *out_scheduler = NULL;
  pthread_mutex_lock(&mr_schedulers_lock);
  if (process_scheduler && retain_unless_dead(process_scheduler)) {
    *out_scheduler = process_scheduler;
  }
  pthread_mutex_unlock(&mr_schedulers_lock);
  if (*out_scheduler) {
    return MR_OK;
  }
  mr_scheduler *made;
  MR_TRY(mr_scheduler_create(NULL, &made));
  pthread_mutex_lock(&mr_schedulers_lock);
  mr_scheduler *surplus = NULL;
  if (process_scheduler && retain_unless_dead(process_scheduler)) {
    surplus = made;  // another thread was faster
    made = process_scheduler;
  } else {
    process_scheduler = made;
  }
  pthread_mutex_unlock(&mr_schedulers_lock);
  mr_scheduler_release(surplus);
  *out_scheduler = made;
  return MR_OK;
}

mr_scheduler *mr_scheduler_retain(mr_scheduler *scheduler) {
  // relaxed: the caller has a reference.
  atomic_fetch_add_explicit(&scheduler->refs, 1, memory_order_relaxed);
  return scheduler;
}

// ---- Ending ---------------------------------------------------------------------------------------------------------

static void forget(mr_scheduler *scheduler) {
  pthread_mutex_lock(&mr_schedulers_lock);
  mr_scheduler **link = &mr_schedulers;
  while (*link != scheduler) {
    link = &(*link)->next;
  }
  *link = scheduler->next;
  if (process_scheduler == scheduler) {
    process_scheduler = NULL;
  }
  pthread_mutex_unlock(&mr_schedulers_lock);
}

// What no thread will take any more.
static void cancel_queued(mr_scheduler *scheduler) {
  for (uint32_t i = 0; i < scheduler->worker_count + MR_SCHEDULER_GUESTS + MR_SCHEDULER_SUBSTITUTES; i++) {
    if (scheduler->workers[i]) {
      mr_worker_cancel_all(scheduler->workers[i]);
    }
  }
  // relaxed: groups are made by threads with a reference, and there is none left.
  uint32_t groups = atomic_load_explicit(&scheduler->group_count, memory_order_relaxed);
  for (uint32_t i = 0; i < groups; i++) {
    mr_inbox_cancel(&scheduler->groups[i]->urgent);
    mr_inbox_cancel(&scheduler->groups[i]->normal);
  }
}

static void shut_down(mr_scheduler *scheduler) {
  forget(scheduler);
  // seq_cst, against the loads in group.c's put(): a task that is put later is cancelled by who put it.
  atomic_store_explicit(&scheduler->state, SCHEDULER_STOPPING, memory_order_seq_cst);
  // seq_cst: a worker announces sleep, then looks at it; we look for sleepers afterwards.
  atomic_store_explicit(&scheduler->stopping, 1, memory_order_seq_cst);
  for (uint32_t i = 0; i < scheduler->worker_count; i++) {
    mr_scheduler_wake(scheduler, i);
  }
  for (uint32_t i = 0; i < scheduler->worker_count; i++) {
    if (scheduler->workers[i]->joinable) {
      pthread_join(scheduler->workers[i]->thread, NULL);
    }
  }
  mr_substitutes_end(scheduler);
  cancel_queued(scheduler);
  // acquire, pairs with mr_scheduler_step_outside().
  while (atomic_load_explicit(&scheduler->inside, memory_order_acquire)) {
    mr_yield();
  }
  destroy(scheduler);
}

static void *shut_down_elsewhere(void *scheduler) {
  shut_down(scheduler);
  return NULL;
}

void mr_scheduler_release(mr_scheduler *scheduler) {
  if (!scheduler) {
    return;
  }
  // acq_rel, pairs with itself: whoever shuts down sees what all owners wrote.
  if (atomic_fetch_sub_explicit(&scheduler->refs, 1, memory_order_acq_rel) != 1) {
    return;
  }
  worker *w = mr_worker_self();
  if (!w || w->scheduler != scheduler) {
    shut_down(scheduler);
    return;
  }
  // A worker cannot wait for itself to end. Without memory for a thread the scheduler stays, idle.
  pthread_t thread;
  if (pthread_create(&thread, NULL, shut_down_elsewhere, scheduler) == 0) {
    pthread_detach(thread);
  }
}

// ---- Groups ---------------------------------------------------------------------------------------------------------

static mr_group *find_group(const mr_scheduler *scheduler, uint32_t first, uint32_t count) {
  // acquire, pairs with the release below.
  uint32_t groups = atomic_load_explicit(&scheduler->group_count, memory_order_acquire);
  for (uint32_t i = 0; i < groups; i++) {
    if (scheduler->groups[i]->first == first && scheduler->groups[i]->count == count) {
      return scheduler->groups[i];
    }
  }
  return NULL;
}

// The group of workers [first, end), made when there is none yet. Without room or memory `instead`.
static mr_group *group_of(mr_scheduler *scheduler, uint32_t first, uint32_t end, mr_group *instead) {
  mr_group *group = find_group(scheduler, first, end - first);
  if (group) {
    return group;
  }
  pthread_mutex_lock(&scheduler->lock);
  group = find_group(scheduler, first, end - first);
  // relaxed: changed under the lock.
  uint32_t groups = atomic_load_explicit(&scheduler->group_count, memory_order_relaxed);
  if (!group && groups < MR_SCHEDULER_GROUPS) {
    mr_status status = mr_group_create(scheduler, first, end - first, &group);
    mr_status_free(status);
    if (group) {
      scheduler->groups[groups] = group;
      // release, pairs with find_group() and the workers' refresh_groups().
      atomic_store_explicit(&scheduler->group_count, groups + 1, memory_order_release);
    }
  }
  pthread_mutex_unlock(&scheduler->lock);
  return group ? group : instead;
}

mr_group *mr_scheduler_group(mr_scheduler *scheduler, uint32_t device_index, uint32_t num_devices) {
  assert(device_index < num_devices);
  uint32_t workers = scheduler->worker_count;
  uint32_t first = (uint32_t)((uint64_t)device_index * workers / num_devices);
  uint32_t end = (uint32_t)((uint64_t)(device_index + 1) * workers / num_devices);
  if (!workers) {
    first = end = 0;
  }
  if (end == first && workers) {
    end = first + 1;
  }
  return group_of(scheduler, first, end, scheduler->groups[0]);
}

static uint32_t place_of_worker(const mr_scheduler *scheduler, uint32_t index) {
  const mr_topology *topology = scheduler->topology;
  return topology->units[index % topology->unit_count].domain;
}

uint32_t mr_scheduler_place(const mr_scheduler *scheduler) {
  const mr_topology *topology = scheduler->topology;
  if (MR_LIKELY(topology->domain_count == 1)) {
    return 0;
  }
  const worker *w = mr_worker_self();
  if (w && w->scheduler == scheduler && !w->is_guest) {
    return place_of_worker(scheduler, w->index);
  }
  int here = topology->synthetic ? -1 : sched_getcpu();
  for (uint32_t i = 0; i < topology->unit_count && here >= 0; i++) {
    if (topology->units[i].os_index == (uint32_t)here) {
      return topology->units[i].domain;
    }
  }
  return MR_PLACE_UNKNOWN;
}

mr_executor *mr_group_executor_near(mr_group *group, uint32_t place) {
  mr_scheduler *scheduler = group->scheduler;
  if (MR_LIKELY(scheduler->topology->domain_count == 1)) {
    return &group->executor;
  }
  // Neighbours in a place are neighbours in the order of the workers.
  uint32_t first = group->first, last = group->first + group->count;
  while (first < last && place_of_worker(scheduler, first) != place) {
    first++;
  }
  uint32_t end = first;
  while (end < last && place_of_worker(scheduler, end) == place) {
    end++;
  }
  if (first == end || end - first == group->count) {
    return &group->executor;
  }
  return &group_of(scheduler, first, end, group)->executor;
}

mr_scheduler_counters mr_scheduler_count(const mr_scheduler *scheduler) {
  mr_scheduler_counters sum = {0};
  for (uint32_t i = 0; i < scheduler->worker_count + MR_SCHEDULER_GUESTS; i++) {
    const worker *w = scheduler->workers[i];
    // relaxed: statistics.
    sum.items += atomic_load_explicit(&w->items, memory_order_relaxed);
    sum.stolen += atomic_load_explicit(&w->stolen, memory_order_relaxed);
    sum.from_inbox += atomic_load_explicit(&w->from_inbox, memory_order_relaxed);
    sum.loop_shares += atomic_load_explicit(&w->loop_shares, memory_order_relaxed);
    sum.sleeps += atomic_load_explicit(&w->sleeps, memory_order_relaxed);
  }
  return sum;
}

uint32_t mr_scheduler_worker_count(const mr_scheduler *scheduler) { return scheduler->worker_count; }

mr_scheduler_machine mr_scheduler_look_at_machine(const mr_scheduler *scheduler) {
  const mr_topology *t = scheduler->topology;
  mr_scheduler_machine machine = {.units = t->parallelism, .cache_count = t->cache_count};
  static_assert(MR_ARRAY_SIZE(machine.caches) == MR_TOPOLOGY_CACHES, "as many levels as the topology has");
  for (uint32_t i = 0; i < t->cache_count; i++) {
    machine.caches[i].bytes = t->caches[i].bytes;
    machine.caches[i].units = t->caches[i].units;
  }
  return machine;
}
