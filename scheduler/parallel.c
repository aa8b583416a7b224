// parallel_for: the caller opens a job in its group, works on it itself, closes it when no tile is left, and waits for the
// helpers that are inside, never for one that has not come.
//
// States of job.state, whose high half counts uses of the slot:
//
//              join, leave              leave                               leave
//                 +----+                 +----+                              +----+
//                 v    |                 v    |                              v    |
//   closed, 0 --> OPEN, n --close--> closed, n --the caller sleeps--> closed, SLEEPER, n
//     ^     open    |                   |                                  |
//     |             | n = 0             | n = 0                            | n = 0: the last helper wakes the caller
//     +-------------+-------------------+--------------------------- closed, SLEEPER, 0
//
//   who                    operation                           order, and with what it pairs                             at once
//   caller                 store, closed, 0 -> OPEN, 0 of the  release of the job's fields, for join()                   nobody changes a
//                          next use                                                                                      closed one
//   helper                 swap, OPEN, n -> OPEN, n + 1        acquire (acq_rel), of the fields. The whole word is       everybody
//                                                              compared: it joins the use whose state it has read, or
//                                                              none
//   helper                 subtraction, n -> n - 1             acq_rel: release of what its tiles wrote, and of what it  everybody
//                                                              has acquired of others
//   caller                 clears OPEN; then loads until n is  acquire (acq_rel), of what helpers wrote                  helpers
//                          0
//   caller                 sets SLEEPER, parks on that value   acquire (acq_rel) likewise; one word: it sees that the    helpers
//                                                              last helper is gone, or that one sees SLEEPER
//   who is about to sleep  load                                acquire, of the fields                                    everybody
//
// States of mr_group.used_jobs, a bit for each job:
//
//   0 --claim()--> 1 --end of parallel()--> 0
//
//   who                 operation         order, and with what it pairs                   at once
//   thread with a loop  swap, sets a bit  acquire, of what the last owner did to the job  everybody
//   its owner           clears it         release of that                                 everybody
//
// States of mr_group.open_jobs, a bit for each job:
//
//   0 --the job is open--> 1 --its tiles are taken--> 0
//
//   who                    operation     order, and with what it pairs                           at once
//   caller                 sets its bit  seq_cst, then it looks for sleepers: the protocol in    everybody
//                                        worker.c
//   caller                 clears it     relaxed: who comes because of an old bit finds the job  everybody
//                                        closed or used up
//   who looks for work     load          relaxed: a hint                                         everybody
//   who is about to sleep  load          seq_cst, after it has announced that                    everybody
#include <sched.h>

#include "core/processor/processor.h"
#include "core/trace.h"
#include "futures/park.h"
#include "scheduler/internal.h"

static const uint64_t helper_mask = 0xffff, open_bit = 1u << 16, sleeper_bit = 1u << 17;

static uint32_t count_stripes(const job *j) {
  uint32_t threads = atomic_load_explicit(&j->max_helpers, memory_order_relaxed) + 1;  // relaxed: see job
  return MR_MIN(threads, MR_PARALLEL_STRIPES);
}

static void run_stripe(const job *j, stripe *s) {
  int64_t end = atomic_load_explicit(&s->end, memory_order_relaxed), piece = j->piece;  // relaxed: see stripe
  // Looked at first: most stripes that a thread comes to after its own are used up, and their lines stay shared.
  while (atomic_load_explicit(&s->next, memory_order_relaxed) < end) {
    // relaxed: only shares out numbers; the tiles' data is published by opening the job and collected by leaving it.
    int64_t begin = atomic_fetch_add_explicit(&s->next, piece, memory_order_relaxed);
    if (begin < end) {
      j->fn(j->context, begin, end - begin > piece ? begin + piece : end);
    }
  }
}

// A stripe of its own first, then what others have left.
static void run_pieces(job *j, uint32_t first) {
  uint32_t count = count_stripes(j);
  for (uint32_t i = 0; i < count; i++) {
    run_stripe(j, &j->stripes[(first + i) % count]);
  }
}

// Where a thread begins. It goes by the processor, so that the same part of the same memory comes to the same cache in every
// loop over it: a result of 4 MiB on two cores with 2 MiB of cache each takes 100 us to write and not 160.
static uint32_t stripe_here(uint32_t count) {
  int unit = sched_getcpu();
  return unit < 0 ? 0 : (uint32_t)unit % count;
}

static uint32_t helpers_stripe(const job *j) {
  uint32_t count = count_stripes(j), first = stripe_here(count);
  return first == j->caller_stripe ? (first + 1) % count : first;
}

static bool is_used_up(const job *j) {
  uint32_t count = count_stripes(j);
  for (uint32_t i = 0; i < count; i++) {
    const stripe *s = &j->stripes[i];
    // relaxed: a hint.
    if (atomic_load_explicit(&s->next, memory_order_relaxed) < atomic_load_explicit(&s->end, memory_order_relaxed)) {
      return false;
    }
  }
  return true;
}

// ---- Helpers --------------------------------------------------------------------------------------------------------

static bool has_room(const job *j, uint64_t state) {
  // relaxed: see job.
  return (state & helper_mask) < atomic_load_explicit(&j->max_helpers, memory_order_relaxed) && !is_used_up(j);
}

static bool join(job *j) {
  // acquire, pairs with the release that opened it: the fields are read below.
  uint64_t state = atomic_load_explicit(&j->state, memory_order_acquire);
  do {
    if (!(state & open_bit) || !has_room(j, state)) {
      return false;
    }
  } while (
      !atomic_compare_exchange_weak_explicit(&j->state, &state, state + 1, memory_order_acq_rel, memory_order_acquire));
  return true;
}

job *mr_job_join(mr_group *group) {
  // relaxed: most of the time there is none. A sleeper's last look is sees_nothing() of worker.c.
  uint32_t open = atomic_load_explicit(&group->open_jobs, memory_order_relaxed);
  for (; open; open &= open - 1) {
    job *j = &group->jobs[__builtin_ctz(open)];
    if (join(j)) {
      return j;
    }
  }
  return NULL;
}

bool mr_group_wants_help(mr_group *group) {
  // seq_cst, pairs with the opening of a job: the caller has announced sleep.
  uint32_t open = atomic_load_explicit(&group->open_jobs, memory_order_seq_cst);
  for (; open; open &= open - 1) {
    job *j = &group->jobs[__builtin_ctz(open)];
    uint64_t state = atomic_load_explicit(&j->state, memory_order_acquire);  // pairs with the store that opened it
    if ((state & open_bit) && has_room(j, state)) {
      return true;
    }
  }
  return false;
}

static void leave(job *j) {
  // release: the caller sees what the tiles wrote. acq_rel because the last one passes on everybody's.
  uint64_t before = atomic_fetch_sub_explicit(&j->state, 1, memory_order_acq_rel);
  // The slot may belong to another call already; a wake-up for nothing does no harm.
  if ((before & (helper_mask | open_bit | sleeper_bit)) == (sleeper_bit | 1)) {
    mr_unpark(&j->state, 1);
  }
}

void mr_job_help(job *j) {
  mr_group *group = j->group;
  // There may be room for one more; who comes wakes the next, so that the caller wakes one.
  uint64_t state = atomic_load_explicit(&j->state, memory_order_relaxed);  // relaxed: a hint
  if ((state & open_bit) && has_room(j, state)) {
    mr_scheduler_wake_helper(group->scheduler, group->first, group->count);
  }
  unsigned mode = mr_float_mode();
  mr_float_mode_set(j->float_mode);
  run_pieces(j, helpers_stripe(j));
  mr_float_mode_set(mode);
  leave(j);
}

// ---- The caller -----------------------------------------------------------------------------------------------------

static int claim(mr_group *group) {
  uint32_t used = atomic_load_explicit(&group->used_jobs, memory_order_relaxed);  // relaxed: a guess for the swap
  for (;;) {
    uint32_t unused = ~used & ((1u << MR_GROUP_JOBS) - 1);
    if (!unused) {
      return -1;
    }
    int index = __builtin_ctz(unused);
    // acquire, pairs with the release in parallel(): the previous owner is through with the slot.
    if (atomic_compare_exchange_weak_explicit(&group->used_jobs, &used, used | 1u << index, memory_order_acquire,
                                              memory_order_relaxed)) {
      return index;
    }
  }
}

// The job is closed; waits for the helpers inside. `state` is as it was when it was closed.
static void wait_for_helpers(job *j, uint64_t state) {
  uint64_t start = 0;
  for (uint32_t round = 1; state & helper_mask; round++) {
    mr_pause();
    if (round % 64 == 0) {
      uint64_t now = mr_now_ns();
      if (!start) {
        start = now;
      }
      if (now - start > MR_PARALLEL_SPIN_NS) {
        break;
      }
      if (round % 256 == 0) {
        mr_yield();
      }
    }
    state = atomic_load_explicit(&j->state, memory_order_acquire);  // pairs with leave()
  }
  while (state & helper_mask) {
    // The announcement and the count are one word, so the last helper sees the one or we see the other.
    if (!(state & sleeper_bit)) {
      state = atomic_fetch_or_explicit(&j->state, sleeper_bit, memory_order_acq_rel);
    }
    if (!(state & helper_mask)) {
      break;
    }
    mr_park(&j->state, (uint32_t)(state | sleeper_bit), 0);
    state = atomic_load_explicit(&j->state, memory_order_acquire);  // pairs with leave()
  }
}

static _Thread_local uint32_t open_loops __attribute__((tls_model("initial-exec")));

bool mr_loops_are_open(void) { return open_loops != 0; }

static void parallel(mr_group *group, int index) {
  open_loops++;
  job *j = &group->jobs[index];
  uint32_t bit = 1u << index;
  uint64_t closed = atomic_load_explicit(&j->state, memory_order_relaxed);  // relaxed: nobody else changes a closed one
  // release, pairs with join(): the fields.
  atomic_store_explicit(&j->state, ((closed | 0xffffffff) + 1) | open_bit, memory_order_release);
  // seq_cst: sleepers announce themselves and then look here; wake_one() looks for them.
  atomic_fetch_or_explicit(&group->open_jobs, bit, memory_order_seq_cst);
  mr_scheduler_wake_helper(group->scheduler, group->first, group->count);
  run_pieces(j, j->caller_stripe);
  // relaxed: as above.
  atomic_fetch_and_explicit(&group->open_jobs, ~bit, memory_order_relaxed);
  // acq_rel: acquire for the tiles of helpers that left already.
  uint64_t state = atomic_fetch_and_explicit(&j->state, ~open_bit, memory_order_acq_rel);
  if (state & helper_mask) {
    wait_for_helpers(j, state);
  }
  // release, pairs with claim().
  atomic_fetch_and_explicit(&group->used_jobs, ~bit, memory_order_release);
  open_loops--;
}

// Short loops, one after the other, that this thread did alone because every worker slept.
static _Thread_local struct {
  uint64_t last_ns, missed_ns;  // when; what sharing all of them with one worker would have saved
} alone __attribute__((tls_model("initial-exec")));

// Waking a worker takes longer than it saves in one short loop, but then it looks around for a while. So one is woken as soon as
// having had one would have saved what waking costs.
static bool has_missed_enough(uint64_t cost_ns) {
  uint64_t now = mr_now_ns();
  alone.missed_ns = (now - alone.last_ns < MR_WORKER_SPIN_NS ? alone.missed_ns : 0) + cost_ns / 2;
  alone.last_ns = now + cost_ns;
  if (alone.missed_ns < MR_PARALLEL_MIN_NS) {
    return false;
  }
  alone.missed_ns = 0;
  return true;
}

// How many others it is worth to share with; 0: do it here.
static uint32_t helpers_for(mr_group *group, int64_t n_tiles, int64_t grain, uint64_t cost_ns) {
  if (group->count < 2 || n_tiles <= grain) {
    return 0;
  }
  // relaxed: a hint.
  bool spinning = atomic_load_explicit(&group->scheduler->searching, memory_order_relaxed) != 0;
  if (cost_ns < MR_PARALLEL_MIN_SPINNING_NS ||
      (!spinning && cost_ns < MR_PARALLEL_MIN_NS && !has_missed_enough(cost_ns))) {
    return 0;
  }
  uint64_t by_cost = cost_ns / MR_PARALLEL_HELPER_NS + 1;
  uint64_t by_tiles = (uint64_t)((n_tiles - 1) / grain);
  uint64_t most = group->count - 1;
  return (uint32_t)MR_MIN(MR_MIN(by_cost, by_tiles), most);
}

// Whole pieces for each stripe, and about as many for all.
static void deal(job *j, int64_t n_tiles) {
  uint32_t count = count_stripes(j);
  int64_t pieces = (n_tiles - 1) / j->piece + 1, dealt = 0;
  j->caller_stripe = stripe_here(count);
  for (uint32_t i = 0; i < count; i++) {
    int64_t begin = dealt * j->piece;
    dealt += (pieces - dealt) / (count - i);
    int64_t end = i + 1 == count ? n_tiles : dealt * j->piece;
    atomic_store_explicit(&j->stripes[i].next, begin, memory_order_relaxed);  // relaxed: published by opening
    atomic_store_explicit(&j->stripes[i].end, end, memory_order_relaxed);     // likewise
  }
}

// `n_tiles` and `grain` are 1 at least.
static void spread(mr_group *group, int64_t n_tiles, void (*fn)(void *context, int64_t begin, int64_t end),
                   void *context, int64_t grain, uint64_t cost_ns) {
  uint32_t helpers = group ? helpers_for(group, n_tiles, grain, cost_ns) : 0;
  int index = helpers ? claim(group) : -1;
  if (index < 0) {
    fn(context, 0, n_tiles);
    return;
  }
  // acquire, pairs with the store in mr_scheduler_start_threads().
  if (MR_UNLIKELY(atomic_load_explicit(&group->scheduler->state, memory_order_acquire) == SCHEDULER_IDLE)) {
    mr_scheduler_start_threads(group->scheduler);
  }
  job *j = &group->jobs[index];
  uint64_t long_ones = MR_MIN(cost_ns / (helpers + 1) / MR_PARALLEL_PIECE_NS, (uint64_t)MR_PARALLEL_MOST_PIECES);
  int64_t pieces = (int64_t)(helpers + 1) * MR_MAX((int64_t)long_ones, (int64_t)MR_PARALLEL_PIECES);
  j->fn = fn;
  j->context = context;
  j->float_mode = mr_float_mode();
  j->piece = MR_MAX(grain, (n_tiles + pieces - 1) / pieces);
  atomic_store_explicit(&j->max_helpers, helpers, memory_order_relaxed);  // relaxed: published by opening
  deal(j, n_tiles);
  parallel(group, index);
}

void mr_parallel_for(mr_group *group, int64_t n_tiles, void (*fn)(void *context, int64_t begin, int64_t end),
                     void *context, int64_t grain, uint64_t cost_ns) {
  if (n_tiles <= 0) {
    return;
  }
  grain = MR_MAX(grain, 1);
  if (MR_LIKELY(!mr_trace_is_on()) || cost_ns < MR_TRACE_BRIEF_NS) {
    spread(group, n_tiles, fn, context, grain, cost_ns);
    return;
  }
  const mr_trace_about about = {.cost_ns = (uint32_t)MR_MIN(cost_ns, UINT32_MAX),
                                .count = (uint32_t)MR_MIN((n_tiles - 1) / grain + 1, INT32_MAX)};
  uint64_t start = mr_trace_now();
  spread(group, n_tiles, fn, context, grain, cost_ns);
  mr_trace_node(MR_TRACE_WORKER, MR_TRACE_LOOP, about, start, 0);
}
