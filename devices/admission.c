// Admission: counts, and the wait of a host's thread.
//
// The wait looks from time to time, rather than being told that nothing is at work: between the end of a copy and the beginning of the call
// that waits for it there may be a moment in which nothing is, and what was seen twice with no end between is none of these.
#include "devices/admission.h"

#include <pthread.h>

#include "core/fork.h"
#include "core/trace.h"
#include "devices/tuning.h"

// What is at work in the process. relaxed: whoever looks does so twice, milliseconds apart.
static _Atomic(int64_t) at_work[MR_PROGRESS_KINDS];
// This is a forked child, which may have lost what was at work: that never ends here. relaxed: written while there is one thread.
static _Atomic(bool) forked;

MR_FORK_LOCK(lock);  // over what is awaited of all devices

static void in_child(void) { atomic_store_explicit(&forked, true, memory_order_relaxed); }

__attribute__((constructor)) static void watch_forks(void) {
  static mr_fork_part part = {.order = MR_FORK_LOCKS, .in_child = in_child};
  mr_fork_guard(&part);
}

void mr_progress_begin(mr_progress kind) { atomic_fetch_add_explicit(&at_work[kind], 1, memory_order_relaxed); }
void mr_progress_end(mr_progress kind) { atomic_fetch_sub_explicit(&at_work[kind], 1, memory_order_relaxed); }

void mr_progress_call_host(void (*call)(void *arg), void *arg) {
  mr_progress_begin(MR_PROGRESS_HOST);
  mr_progress_end(MR_PROGRESS_OWN);
  call(arg);
  mr_progress_begin(MR_PROGRESS_OWN);
  mr_progress_end(MR_PROGRESS_HOST);
}

// ---- Counting ---------------------------------------------------------------------------------------------------------------

void mr_admission_init(mr_admission *a, uint32_t max_calls, uint32_t max_mb) {
  a->max_calls = max_calls;
  a->max_bytes = max_mb == MR_ADMISSION_ANY ? INT64_MAX : (int64_t)max_mb << 20;
}

void mr_admission_deinit(mr_admission *a) {
  if (a->room) {
    mr_future_set(a->room, MR_OK);
    mr_future_release(a->room);
  }
}

void mr_admission_enter(mr_admission *a) {
  uint32_t calls = atomic_fetch_add_explicit(&a->calls, 1, memory_order_seq_cst) + 1;
  // relaxed: a statistic, in which two that come at once may hide one of them.
  if (calls > atomic_load_explicit(&a->peak_calls, memory_order_relaxed)) {
    atomic_store_explicit(&a->peak_calls, calls, memory_order_relaxed);
  }
}

// Fewer than the limits by a quarter and by a call, so that who waits is woken up for more than one call.
static bool has_room(const mr_admission *a) {
  uint32_t calls = atomic_load_explicit(&a->calls, memory_order_seq_cst);
  int64_t bytes = atomic_load_explicit(&a->bytes, memory_order_seq_cst);
  uint32_t few = a->max_calls - MR_MAX(a->max_calls / 4, 1);
  return calls == 0 || (calls <= few && bytes <= a->max_bytes - a->max_bytes / 4) ||
         (calls <= MR_ADMISSION_RESUME_CALLS && calls < a->max_calls);
}

static void tell_room(mr_admission *a) {
  pthread_mutex_lock(&lock);
  mr_future *room = a->room;
  a->room = NULL;
  atomic_store_explicit(&a->awaited, false, memory_order_seq_cst);
  pthread_mutex_unlock(&lock);
  if (room) {
    mr_future_set(room, MR_OK);
    mr_future_release(room);
  }
}

// seq_cst, pairs with ask_for_room(): either it sees what has become less, or this sees that somebody waits.
static void look_for_room(mr_admission *a) {
  if (MR_UNLIKELY(atomic_load_explicit(&a->awaited, memory_order_seq_cst)) && has_room(a)) {
    tell_room(a);
  }
}

void mr_admission_leave(mr_admission *a) {
  atomic_fetch_add_explicit(&a->ended, 1, memory_order_relaxed);
  atomic_fetch_sub_explicit(&a->calls, 1, memory_order_seq_cst);
  look_for_room(a);
}

void mr_admission_add_bytes(mr_admission *a, int64_t bytes) {
  int64_t now = atomic_fetch_add_explicit(&a->bytes, bytes, memory_order_seq_cst) + bytes;
  // relaxed: as above.
  if (now > atomic_load_explicit(&a->peak_bytes, memory_order_relaxed)) {
    atomic_store_explicit(&a->peak_bytes, now, memory_order_relaxed);
  }
  if (bytes < 0) {
    look_for_room(a);
  }
}

void mr_admission_enter_copy(mr_admission *a, size_t bytes) {
  mr_progress_begin(MR_PROGRESS_OWN);
  mr_admission_add_bytes(a, (int64_t)bytes);
  mr_admission_enter(a);
}

void mr_admission_leave_copy(mr_admission *a, size_t bytes) {
  mr_admission_add_bytes(a, -(int64_t)bytes);
  mr_admission_leave(a);
}

// ---- Waiting ----------------------------------------------------------------------------------------------------------------

// Counted; NULL: there is room, or no memory.
static mr_future *ask_for_room(mr_admission *a) {
  pthread_mutex_lock(&lock);
  if (!a->room) {
    mr_status_free(mr_future_create(&a->room));
  }
  mr_future *room = a->room ? mr_future_retain(a->room) : NULL;
  atomic_store_explicit(&a->awaited, room != NULL, memory_order_seq_cst);
  pthread_mutex_unlock(&lock);
  look_for_room(a);  // it may have come before
  return room;
}

static int64_t count_at_work(mr_progress kind) { return atomic_load_explicit(&at_work[kind], memory_order_relaxed); }

typedef struct look {
  uint64_t ended, since;  // how many were over, and since when
  bool idle;              // last time nothing was at work either
} look;

// Whether to go on waiting.
static bool look_again(mr_admission *a, look *last) {
  uint64_t ended = atomic_load_explicit(&a->ended, memory_order_relaxed), now = mr_now_ns();
  int64_t own = count_at_work(MR_PROGRESS_OWN), host = count_at_work(MR_PROGRESS_HOST);
  bool lost = atomic_load_explicit(&forked, memory_order_relaxed), idle = own == 0 && host == 0;
  if (ended != last->ended) {
    *last = (look){.ended = ended, .since = now, .idle = idle};
    return true;
  }
  if (idle && last->idle) {
    atomic_store_explicit(&a->stalled, ended + 1, memory_order_relaxed);
    return false;
  }
  last->idle = idle;
  return idle || (own > 0 && !lost) || now - last->since < MR_ADMISSION_PATIENCE_NS;
}

// As the last time somebody looked.
static bool is_stalled(const mr_admission *a) {
  return atomic_load_explicit(&a->stalled, memory_order_relaxed) ==
             atomic_load_explicit(&a->ended, memory_order_relaxed) + 1 &&
         count_at_work(MR_PROGRESS_OWN) == 0 && count_at_work(MR_PROGRESS_HOST) == 0;
}

void mr_admission_wait(mr_admission *a, mr_scheduler *scheduler) {
  if (MR_LIKELY(!mr_admission_is_full(a)) || mr_scheduler_on_any_worker() || is_stalled(a)) {
    return;
  }
  uint64_t start = mr_trace_begin();
  look last = {.ended = atomic_load_explicit(&a->ended, memory_order_relaxed), .since = mr_now_ns()};
  mr_future *room = ask_for_room(a);
  while (room && !mr_scheduler_help_until(scheduler, room, mr_now_ns() + MR_ADMISSION_LOOK_NS) &&
         look_again(a, &last)) {
  }
  mr_future_release(room);
  mr_trace_end(MR_TRACE_WORKER, "too much is queued", start);
}

mr_status mr_admission_room(mr_admission *a, mr_future **out_room) {
  *out_room = NULL;
  // Another call would be one too many: full is when there are more than the limit.
  if (atomic_load_explicit(&a->calls, memory_order_relaxed) < a->max_calls && !mr_admission_is_full(a)) {
    return MR_OK;
  }
  *out_room = ask_for_room(a);
  return *out_room ? MR_OK : MR_NO_MEMORY();
}

mr_status mr_admission_wait_for_room(mr_admission *a, mr_scheduler *scheduler) {
  mr_future *room = NULL;
  if (!mr_scheduler_on_any_worker()) {
    MR_TRY(mr_admission_room(a, &room));
  }
  while (room && !mr_scheduler_help_until(scheduler, room, mr_now_ns() + MR_ADMISSION_PATIENCE_NS)) {
  }
  mr_future_release(room);
  return MR_OK;
}

bool mr_admission_drain(mr_admission *a, mr_scheduler *scheduler) {
  if (mr_scheduler_on_any_worker()) {
    return true;  // what this thread is in the middle of may be one of them
  }
  mr_future never = {0};
  look last = {.ended = atomic_load_explicit(&a->ended, memory_order_relaxed), .since = mr_now_ns()};
  // acquire: what the calls did is over. Released by the seq_cst subtraction in mr_admission_leave().
  while (atomic_load_explicit(&a->calls, memory_order_acquire) && look_again(a, &last) &&
         mr_now_ns() - last.since < MR_ADMISSION_DRAIN_NS) {
    mr_scheduler_help_until(scheduler, &never, mr_now_ns() + MR_ADMISSION_LOOK_NS);
  }
  return mr_now_ns() - last.since < MR_ADMISSION_DRAIN_NS;
}

mr_admission_counts mr_admission_count(const mr_admission *a) {
  // relaxed, all of it: statistics.
  return (mr_admission_counts){.calls = atomic_load_explicit(&a->calls, memory_order_relaxed),
                               .peak_calls = atomic_load_explicit(&a->peak_calls, memory_order_relaxed),
                               .bytes = atomic_load_explicit(&a->bytes, memory_order_relaxed),
                               .peak_bytes = atomic_load_explicit(&a->peak_bytes, memory_order_relaxed)};
}
