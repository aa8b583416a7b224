// The future's one word.
//
// States of mr_future.state:
//
//    0 --link--> list --+ link       0       pending, nobody waits
//    |            | ^---+            list    pending; these wait, newest first
//  sleep        sleep                S       threads sleep on the low half
//    v            v                  SET     set, with the owned status: nobody leaves it
//    S --link--> list|S --+ link
//                   ^-----+
//    any of these --set--> status|SET
//
//   who                     operation                          order, and with what it pairs                             at once
//   setter                  exchange, any -> status|SET        acq_rel: release of what it wrote, for who acquires SET;  links, sleepers,
//                                                              acquire of the links' fields                              looks; no other setter
//   one of several setters  swap, any but SET -> status|SET    likewise; where it fails nothing is read                  everybody
//   set_unless_awaited      swap, 0 -> SET                     release likewise; no link is there to be read             everybody
//   set_for_sleepers        swap, 0, S -> SET                  likewise                                                  everybody
//   waiter                  swap, 0, list -> link, with S as   release of the link's fields, for the setter; acquire     everybody
//                           it was                             where it fails: it may have become set
//   sleeper                 swap, sets S; parks on that value  acquire where it fails, likewise. S and SET are in one    everybody
//                                                              word: either the setter sees S, or the sleeper SET
//   who looks               load                               acquire, of what the setter wrote                         everybody
//
// A sleeper that gives up leaves S behind, which costs the setter a system call. After the future is set the setter does not look at it
// again: whoever was waiting may have freed it. The address is still passed to futex wake, which does not read it.
//
// Waiters are called without anything held. A waiter may set the next future, and so on: a thread counts how deep it is
// and past MR_FUTURE_MAX_DEPTH puts waiters on a list of its own, which the outermost call (or a wait) empties.
#include "futures/futures.h"

#include <assert.h>

#include "core/census.h"
#include "futures/park.h"
#include "futures/pool.h"
#include "futures/tuning.h"

// Waiters of a failed future that have to run later; they need the status.
typedef struct late_failure {
  struct late_failure *next;
  mr_link *list;
  mr_status status;  // owned
} late_failure;

// What this thread has to do when it gets back to its outermost call.
typedef struct thread_debt {
  uint32_t depth;
  mr_link *head, *tail;  // waiters of futures that are OK
  late_failure *failures, *last_failure;
  mr_link *last, *last_tail;  // waiters that want to run behind all others
} thread_debt;

static _Thread_local thread_debt debt __attribute__((tls_model("initial-exec")));

// ---- Running waiters ------------------------------------------------------------------------------------------------

static void run_waiter(mr_link *link, mr_status status) {
  mr_waiter *waiter = MR_CONTAINER_OF(link, mr_waiter, link);
  waiter->run(waiter, status);
}

void (*mr_future_link_runs[MR_LINK_SLOT + 1])(mr_link *link, mr_status status) = {run_waiter};

static mr_link *next_of(const mr_link *link) { return (mr_link *)(link->word & ~MR_LINK_SLOT); }

static void set_next(mr_link *link, mr_link *next) { link->word = (uintptr_t)next | (link->word & MR_LINK_SLOT); }

// The link belongs to the waiter again, which may be gone when this returns.
static void run_link(mr_link *link, mr_status status) { mr_future_link_runs[link->word & MR_LINK_SLOT](link, status); }

static void run_list(mr_link *list, mr_status status) {
  while (list) {
    mr_link *next = next_of(list);  // read first
    run_link(list, status);
    list = next;
  }
}

static mr_link *take_first(mr_link **head, mr_link **tail) {
  mr_link *link = *head;
  if (link) {
    *head = next_of(link);
    if (!*head) {
      *tail = NULL;
    }
  }
  return link;
}

static bool run_one_late(void) {
  mr_link *link = take_first(&debt.head, &debt.tail);
  if (!link && !debt.failures) {
    link = take_first(&debt.last, &debt.last_tail);
  }
  if (link) {
    run_link(link, MR_OK);
    return true;
  }
  late_failure *failure = debt.failures;
  if (!failure) {
    return false;
  }
  debt.failures = failure->next;
  if (!debt.failures) {
    debt.last_failure = NULL;
  }
  mr_link *list = failure->list;
  mr_status status = failure->status;
  mr_struct_free(failure, sizeof *failure);
  run_list(list, status);
  mr_status_free(status);
  return true;
}

static void put_late(mr_link *list) {
  if (debt.tail) {
    set_next(debt.tail, list);
  } else {
    debt.head = list;
  }
  for (mr_link *next; (next = next_of(list));) {
    list = next;
  }
  debt.tail = list;
}

static bool put_late_failure(mr_link *list, mr_status status) {
  late_failure *failure = mr_struct_alloc(sizeof *failure);
  if (!failure) {
    return false;
  }
  *failure = (late_failure){.list = list, .status = mr_status_retain(status)};
  if (debt.last_failure) {
    debt.last_failure->next = failure;
  } else {
    debt.failures = failure;
  }
  debt.last_failure = failure;
  return true;
}

void mr_future_begin_sets(void) { debt.depth++; }

static bool owes(void) { return debt.head || debt.failures || debt.last; }

__attribute__((noinline)) static void run_all_late(void) {
  while (run_one_late()) {
  }
}

// Every set of a future with waiters ends here, mostly with nothing owed.
void mr_future_end_sets(void) {
  if (debt.depth == 1 && MR_UNLIKELY(owes())) {
    run_all_late();
  }
  debt.depth--;
}

// Calls the waiters of `list` with the borrowed status, now or when the outermost call on this thread is back.
static void notify(mr_link *list, mr_status status) {
  if (MR_UNLIKELY(debt.depth >= MR_FUTURE_MAX_DEPTH)) {
    if (!status) {
      put_late(list);
      return;
    }
    if (put_late_failure(list, status)) {
      return;
    }
    // No memory to remember the failure with: go deeper instead. Nothing is lost.
  }
  mr_future_begin_sets();
  run_list(list, status);
  mr_future_end_sets();
}

void mr_future_run_last(mr_waiter *waiter) {
  assert(debt.depth > 0);
  waiter->link.word = 0;
  if (debt.last_tail) {
    set_next(debt.last_tail, &waiter->link);
  } else {
    debt.last = &waiter->link;
  }
  debt.last_tail = &waiter->link;
}

static mr_link *oldest_first(mr_link *list) {
  mr_link *reversed = NULL;
  while (list) {
    mr_link *next = next_of(list);
    set_next(list, reversed);
    reversed = list;
    list = next;
  }
  return reversed;
}

// ---- Setting --------------------------------------------------------------------------------------------------------

// The future has become set, its state was `old` before. `status` is borrowed from the caller.
static void announce(const void *word, uintptr_t old, mr_status status) {
  // Sleepers first, they take longest.
  if (old & MR_FUTURE_SLEEPERS) {
    mr_unpark(word, INT32_MAX);
  }
  mr_link *list = (mr_link *)(old & ~MR_FUTURE_BITS);
  if (!list) {
    return;
  }
  notify(next_of(list) ? oldest_first(list) : list, status);
}

// The half of the state that has the low bits, for the futex.
static const void *low_half(const mr_future *future) {
  const uint32_t *halves = (const uint32_t *)(const void *)&future->state;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return halves;
#else
  return halves + sizeof(uintptr_t) / 4 - 1;
#endif
}

void mr_future_set(mr_future *future, mr_status take_status) {
  assert(((uintptr_t)take_status & MR_FUTURE_BITS) == 0);
  const void *word = low_half(future);
  // The future owns the status and may be gone, with it, before the last waiter has run: hold one more.
  mr_status ours = take_status ? mr_status_retain(take_status) : MR_OK;
  // acq_rel, pairs with both halves of mr_future_then() and with mr_future_is_set():
  //   release publishes what the setter wrote to everybody who sees SET;
  //   acquire lets us read the fields of the waiters that came earlier.
  uintptr_t old =
      atomic_exchange_explicit(&future->state, (uintptr_t)take_status | MR_FUTURE_SET, memory_order_acq_rel);
  assert(!(old & MR_FUTURE_SET));  // set exactly once
  if (old) {
    announce(word, old, ours);
  }
  if (ours) {
    mr_status_free(ours);
  }
}

bool mr_future_set_for_sleepers(mr_future *future) {
  const void *word = low_half(future);
  uintptr_t old = atomic_load_explicit(&future->state, memory_order_relaxed);  // relaxed: a guess for the swap below
  do {
    if (old & ~MR_FUTURE_SLEEPERS) {
      return false;
    }
    // release as in mr_future_set(); relaxed: there are no waiters whose fields are read.
  } while (!atomic_compare_exchange_weak_explicit(&future->state, &old, MR_FUTURE_SET, memory_order_release,
                                                  memory_order_relaxed));
  if (old) {
    mr_unpark(word, INT32_MAX);
  }
  return true;
}

bool mr_future_try_set(mr_future *future, mr_status take_status) {
  const void *word = low_half(future);
  mr_status ours = take_status ? mr_status_retain(take_status) : MR_OK;
  uintptr_t old = atomic_load_explicit(&future->state, memory_order_relaxed);  // relaxed: a guess for the swap below
  do {
    if (old & MR_FUTURE_SET) {
      mr_status_free(take_status);
      mr_status_free(ours);
      return false;
    }
    // acq_rel as in mr_future_set(); relaxed on failure, the loop only looks at the bit.
  } while (!atomic_compare_exchange_weak_explicit(&future->state, &old, (uintptr_t)take_status | MR_FUTURE_SET,
                                                  memory_order_acq_rel, memory_order_relaxed));
  if (old) {
    announce(word, old, ours);
  }
  if (ours) {
    mr_status_free(ours);
  }
  return true;
}

// ---- Lifecycle ------------------------------------------------------------------------------------------------------

void mr_future_deinit(mr_future *future) {
  uintptr_t state = atomic_load_explicit(&future->state, memory_order_acquire);  // pairs with set
  if (!(state & MR_FUTURE_SET)) {
    if (state == 0) {
      return;  // nobody waits, nothing to free
    }
    mr_future_set(future, mr_error(MR_ABORTED, "the future was dropped before it was set"));
    state = atomic_load_explicit(&future->state, memory_order_relaxed);  // relaxed: this thread set it
  }
  mr_status_free((mr_status)(state & ~MR_FUTURE_BITS));
}

// A line of its own: setting one does not disturb who looks at another.
enum { FUTURE_BLOCK = MR_CACHE_LINE };

static void free_future(mr_future *future) {
  mr_census_note(MR_CENSUS_futures, -1);
  mr_struct_free(future, FUTURE_BLOCK);
}

mr_status mr_future_create(mr_future **out_future) {
  *out_future = mr_struct_alloc(FUTURE_BLOCK);
  if (!*out_future) {
    return MR_NO_MEMORY();
  }
  mr_future_init_counted(*out_future, free_future);
  mr_census_note(MR_CENSUS_futures, 1);
  return MR_OK;
}

mr_future *mr_future_retain(mr_future *future) {
  assert(future->destroy);
  // relaxed: the caller has a reference, so nothing is freed and nothing is read through the count.
  atomic_fetch_add_explicit(&future->refs, 1, memory_order_relaxed);
  return future;
}

void mr_future_release(mr_future *future) {
  if (!future) {
    return;
  }
  assert(future->destroy);
  // acquire, pairs with the release below: a count of one means all others are gone and their writes are visible. It
  // saves the atomic subtraction in the common case of one owner.
  if (atomic_load_explicit(&future->refs, memory_order_acquire) != 1) {
    // acq_rel, pairs with itself: release hands our writes to whoever destroys, acquire shows the destroyer all of them.
    if (atomic_fetch_sub_explicit(&future->refs, 1, memory_order_acq_rel) != 1) {
      return;
    }
  }
  mr_future_deinit(future);
  future->destroy(future);
}

// ---- Waiting --------------------------------------------------------------------------------------------------------

static inline bool put_link(mr_future *future, mr_link *link, unsigned slot) {
  // acquire, pairs with the release in mr_future_set(): after SET the caller may read what the setter wrote.
  uintptr_t state = atomic_load_explicit(&future->state, memory_order_acquire);
  do {
    if (state & MR_FUTURE_SET) {
      return false;
    }
    link->word = (state & ~MR_FUTURE_BITS) | slot;
    // release, pairs with the acquire in mr_future_set(): the waiter's fields are written before it can be found.
  } while (!atomic_compare_exchange_weak_explicit(&future->state, &state,
                                                  (uintptr_t)link | (state & MR_FUTURE_SLEEPERS), memory_order_release,
                                                  memory_order_acquire));
  return true;
}

bool mr_future_then_unless_set(mr_future *future, mr_waiter *waiter) { return put_link(future, &waiter->link, 0); }

bool mr_future_link_unless_set(mr_future *future, mr_link *link, unsigned slot) {
  assert(slot > 0 && slot <= MR_LINK_SLOT);
  return put_link(future, link, slot);
}

void mr_future_then(mr_future *future, mr_waiter *waiter) {
  if (mr_future_then_unless_set(future, waiter)) {
    return;
  }
  waiter->link.word = 0;
  mr_status status = mr_future_status(future);
  if (!status) {
    notify(&waiter->link, MR_OK);
    return;
  }
  // The waiter may drop the future and with it the status that it is being shown.
  mr_status ours = mr_status_retain(status);
  notify(&waiter->link, ours);
  mr_status_free(ours);
}

typedef struct callback {
  mr_waiter waiter;
  void (*fn)(void *context, mr_status status);
  void *context;
} callback;

static void run_callback(mr_waiter *waiter, mr_status status) {
  callback *self = MR_CONTAINER_OF(waiter, callback, waiter);
  void (*fn)(void *, mr_status) = self->fn;
  void *context = self->context;
  mr_struct_free(self, sizeof *self);
  mr_census_note(MR_CENSUS_callbacks, -1);
  fn(context, status);
}

mr_status mr_future_on_ready(mr_future *future, void (*fn)(void *context, mr_status status), void *context) {
  callback *self = mr_struct_alloc(sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  *self = (callback){.waiter.run = run_callback, .fn = fn, .context = context};
  mr_census_note(MR_CENSUS_callbacks, 1);
  mr_future_then(future, &self->waiter);
  return MR_OK;
}

_Atomic(mr_wait_fn) mr_future_wait_hook;

// ---- Blocking -------------------------------------------------------------------------------------------------------

// Looks for a while without sleeping. True when the future is set.
static bool spin(const mr_future *future) {
  if (mr_allowed_units() < 2) {
    return mr_future_is_set(future);
  }
  uint64_t start = mr_now_ns(), yielded = start, now = start;
  while (now - start < MR_FUTURE_SPIN_NS) {
    for (int i = 0; i < 16; i++) {
      if (mr_future_is_set(future)) {
        return true;
      }
      mr_pause();
    }
    now = mr_now_ns();
    if (now - yielded > MR_FUTURE_SPIN_YIELD_NS) {
      mr_yield();
      yielded = now = mr_now_ns();
    }
  }
  return mr_future_is_set(future);
}

bool mr_future_sleep_until(mr_future *future, uint64_t deadline_ns) {
  if (spin(future)) {
    return true;
  }
  const void *word = low_half(future);
  // acquire, pairs with mr_future_set().
  uintptr_t state = atomic_load_explicit(&future->state, memory_order_acquire);
  while (!(state & MR_FUTURE_SET)) {
    // Announce, and sleep only if the word is still what it was with the announcement.
    if (!(state & MR_FUTURE_SLEEPERS)) {
      if (!atomic_compare_exchange_weak_explicit(&future->state, &state, state | MR_FUTURE_SLEEPERS,
                                                 memory_order_acq_rel, memory_order_acquire)) {
        continue;
      }
      state |= MR_FUTURE_SLEEPERS;
    }
    bool in_time = mr_park(word, (uint32_t)state, deadline_ns);
    state = atomic_load_explicit(&future->state, memory_order_acquire);  // pairs with mr_future_set()
    if (!in_time) {
      return state & MR_FUTURE_SET;
    }
  }
  return true;
}

uint32_t mr_future_begin_wait(void) {
  while (run_one_late()) {
  }
  uint32_t depth = debt.depth;
  debt.depth = 0;
  return depth;
}

void mr_future_end_wait(uint32_t depth) { debt.depth = depth; }

static bool wait_until(mr_future *future, uint64_t deadline_ns) {
  if (mr_future_is_set(future)) {
    return true;
  }
  // This thread may itself owe the calls that set the future.
  if (owes()) {
    while (run_one_late()) {
      if (mr_future_is_set(future)) {
        return true;
      }
    }
  }
  // relaxed: set before anything is ever queued, and never changed.
  mr_wait_fn hook = atomic_load_explicit(&mr_future_wait_hook, memory_order_relaxed);
  if (hook && hook(future, deadline_ns)) {
    return mr_future_is_set(future);
  }
  return mr_future_sleep_until(future, deadline_ns);
}

void mr_future_wait(mr_future *future) { wait_until(future, 0); }

bool mr_future_wait_until(mr_future *future, uint64_t deadline_ns) {
  return wait_until(future, deadline_ns ? deadline_ns : 1);
}
