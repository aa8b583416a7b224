// How many calls a thread is inside of, in shares of which each is one thread's; a thread that ends leaves its share to the next. Who enters and who
// ends the process both store, then look, seq_cst:
//
//   a thread that enters           the thread that ends
//   1 inside + 1                   1 state = ENDING
//   2 reads state: leaves again    2 waits until every `inside` is zero
//
// Either the first sees the end, or the second sees it inside. A thread that forks does as one that ends, and who is not let in then
// waits until it has forked.
//
// States of state: whether the process ends, whether the host has, and how many threads fork, each by itself:
//
//   0 --end_all()--> IS_ENDING     0 --mr_ending_end_host()--> HOST_IS_OVER     0 <--before_fork(), after_fork--> n FORK
//
//   who                     operation               order, and with what it pairs                               at once
//   who ends the process,   sets IS_ENDING, + FORK  seq_cst, then it reads all `inside`: above                  everybody
//   who forks
//   who says that the host  sets HOST_IS_OVER       seq_cst likewise; release of whose thread it was, and when  everybody
//   is over
//   who has forked          - FORK                  release, of nothing but that                                everybody
//   forked child            clears FORKs            relaxed: there is nobody else                               nobody
//   who enters              load                    seq_cst, after `inside` + 1: above                          everybody
//   who stands aside, who   load                    acquire, of the end of the fork; of the host's thread       everybody
//   comes back
//
// States of share.inside, share.taken:
//
//   n, true --enter--> n + 1, true --leave--> n, true --give_share_back()--> 0, false --take_left()--> 0, true
//
//   who                  operation                    order, and with what it pairs                               at once
//   owner                inside: + 1                  seq_cst, then it reads `state`: above                       who ends, who forks
//   owner                inside: - 1; 0 when it ends  release of what it did in there                             who ends, who forks
//   who ends, who forks  inside: load                 seq_cst, after `state`: above; acquire of what was done in  owners
//                                                     there
//   thread that ends     taken: store, true -> false  release of the counts                                       who begins
//   thread that begins   taken: swap, false -> true   acquire, of those                                           who begins
//
// States of shares:
//
//   NULL --add--> share --add--> newer share, over the older ones: nothing is taken out
//
//   who                  operation                order, and with what it pairs                              at once
//   thread that begins   swap, list -> own, list  seq_cst, before its `inside`: who is not seen ending sees  everybody
//                                                 the share
//   who ends, who forks  load                     seq_cst, after `state`                                     everybody
//   thread that begins   load                     acquire, of all in the list                                everybody
#include "core/ending.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "core/fork.h"

enum {
  HOST_IS_OVER = 1,
  IS_ENDING = 2,
  FORK = 4,  // and more of these, one for each thread that forks
};

enum {
  LOOK_NS = 50000,
  COME_BACK_LOOK_NS = 10000000,
  // The host's code may wait for a thread that is ending the process, or for ever. A callback that takes longer is unusual.
  HOST_PATIENCE_S = 10,
  // As many covers as there is a reason for, up to this; each is 32 bytes of the C library's that are never given back.
  MOST_COVERS = 4096,
};

typedef struct share {
  _Alignas(MR_CACHE_LINE) _Atomic(uint32_t) inside[MR_INSIDE_KINDS];  // calls within calls count each
  uint64_t calls;                                                     // of libraries, that are over; the owner's
  _Atomic(bool) taken;
  struct share *next;
} share;

static _Thread_local share *mine __attribute__((tls_model("initial-exec")));
static _Atomic(share *) shares;
static share homeless;  // of threads that could get none of their own when they first went in
static _Atomic(uint32_t) state;
static _Atomic(uint32_t) covers;
static _Atomic(uint32_t) held;
static pthread_t host_thread;      // written before HOST_IS_OVER
static uint64_t host_ended_ns;     // likewise
static int (*host_is_gone)(void);  // likewise

MR_FORK_LOCK(lock);
static mr_ending_part *parts;  // newest first, under the lock

// ---- Shares ---------------------------------------------------------------------------------------------------------

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool key_ok;

// A thread may end inside a call of the host's, by the host's doing: it is inside no more.
static void give_share_back(void *given) {
  mine = NULL;
  for (int kind = 0; kind < MR_INSIDE_KINDS; kind++) {
    atomic_store_explicit(&((share *)given)->inside[kind], 0, memory_order_release);  // as in mr_ending_leave()
  }
  // release, pairs with the acquire in take_left().
  atomic_store_explicit(&((share *)given)->taken, false, memory_order_release);
}

// Threads besides this one.
static uint32_t count_inside(mr_inside kind) {
  // Of several threads that share one nobody can tell which is inside.
  uint32_t count =
      mine == &homeless ? 0 : atomic_load_explicit(&homeless.inside[kind], memory_order_seq_cst);  // see above
  for (share *s = atomic_load_explicit(&shares, memory_order_seq_cst); s; s = s->next) {
    count += s != mine && atomic_load_explicit(&s->inside[kind], memory_order_seq_cst);
  }
  return count;
}

static void wait_inside(mr_inside kind, uint64_t most_ns) {
  uint64_t start = mr_now_ns();
  while (count_inside(kind) && (!most_ns || mr_now_ns() - start < most_ns)) {
    nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
  }
}

// Threads that are not in the child are inside nothing there.
static void after_fork_in_child(void) {
  // relaxed throughout: there is nobody else.
  atomic_fetch_and_explicit(&state, FORK - 1, memory_order_relaxed);
  for (int kind = 0; kind < MR_INSIDE_KINDS && mine != &homeless; kind++) {
    atomic_store_explicit(&homeless.inside[kind], 0, memory_order_relaxed);
  }
  for (share *s = atomic_load_explicit(&shares, memory_order_relaxed); s; s = s->next) {
    for (int kind = 0; kind < MR_INSIDE_KINDS && s != mine; kind++) {
      atomic_store_explicit(&s->inside[kind], 0, memory_order_relaxed);
    }
    atomic_store_explicit(&s->taken, s == mine, memory_order_relaxed);
  }
}

// What a thread has locked inside a library stays locked in a child: nobody is inside when the process is copied.
static void before_fork(void) {
  atomic_fetch_add_explicit(&state, FORK, memory_order_seq_cst);  // see above
  wait_inside(MR_INSIDE_LIBRARY, mr_fork_library_wait_ns);
}
// release, pairs with stand_aside(): no more than that what it waits for is over.
static void after_fork_in_parent(void) { atomic_fetch_sub_explicit(&state, FORK, memory_order_release); }

static void set_up(void) {
  static mr_fork_part part = {.order = MR_FORK_LIBRARIES,
                              .before = before_fork,
                              .in_parent = after_fork_in_parent,
                              .in_child = after_fork_in_child};
  mr_fork_guard(&part);
  key_ok = pthread_key_create(&key, give_share_back) == 0;
}

static share *take_left(void) {
  // acquire, pairs with the release in add_share().
  share *s = atomic_load_explicit(&shares, memory_order_acquire);
  for (; s; s = s->next) {
    bool taken = false;
    // acquire, pairs with give_share_back(): the counts are as its last owner has left them.
    if (atomic_compare_exchange_strong_explicit(&s->taken, &taken, true, memory_order_acquire, memory_order_relaxed)) {
      return s;
    }
  }
  return NULL;
}

static share *add_share(void) {
  share *s = mr_alloc_aligned(MR_CACHE_LINE, sizeof *s);
  if (!s) {
    return NULL;
  }
  for (int kind = 0; kind < MR_INSIDE_KINDS; kind++) {
    atomic_init(&s->inside[kind], 0);
  }
  s->calls = 0;
  atomic_init(&s->taken, true);
  s->next = atomic_load_explicit(&shares, memory_order_relaxed);  // relaxed: a guess for the swap
  // seq_cst, as whoever enters next: who ends sees the share if it is not seen ending.
  while (!atomic_compare_exchange_weak_explicit(&shares, &s->next, s, memory_order_seq_cst, memory_order_relaxed)) {
  }
  return s;
}

static share *find_share(void) {
  pthread_once(&once, set_up);
  share *s = key_ok ? take_left() : NULL;
  if (key_ok && !s) {
    s = add_share();
  }
  if (s && pthread_setspecific(key, s) != 0) {
    give_share_back(s);
    s = NULL;
  }
  mine = s ? s : &homeless;  // for good: where it has gone in it comes out
  return mine;
}

static share *my_share(void) { return MR_LIKELY(mine != NULL) ? mine : find_share(); }

// ---- Going in and out -----------------------------------------------------------------------------------------------

static bool is_refused(mr_inside kind, uint32_t now) {
  if (now & IS_ENDING) {
    return true;
  }
  return kind == MR_INSIDE_HOST && (now & HOST_IS_OVER) && !pthread_equal(host_thread, pthread_self());
}

// While another thread forks.
static bool is_held(uint32_t now) { return now >= FORK && !(now & IS_ENDING); }

static void stand_aside(void) {
  do {
    nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    // acquire, pairs with after_fork_in_parent().
  } while (is_held(atomic_load_explicit(&state, memory_order_acquire)));
}

mr_status mr_ending_enter(mr_inside kind) {
  share *s = my_share();
  for (;;) {
    uint32_t before = atomic_fetch_add_explicit(&s->inside[kind], 1, memory_order_seq_cst);  // see above
    uint32_t now = atomic_load_explicit(&state, memory_order_seq_cst);                       // likewise
    if (MR_LIKELY(!now) || (before && s != &homeless)) {
      return MR_OK;
    }
    bool aside = kind == MR_INSIDE_LIBRARY && is_held(now);
    if (!aside && !is_refused(kind, now)) {
      return MR_OK;
    }
    // release, as in mr_ending_leave().
    atomic_fetch_sub_explicit(&s->inside[kind], 1, memory_order_release);
    if (!aside) {
      return mr_error(MR_CANCELLED, "the process is ending");
    }
    stand_aside();
  }
}

void mr_ending_enter_anyway(mr_inside kind) {
  atomic_fetch_add_explicit(&my_share()->inside[kind], 1, memory_order_seq_cst);  // see above
}

void mr_ending_leave(mr_inside kind) {
  share *s = my_share();
  if (kind == MR_INSIDE_LIBRARY && s != &homeless) {
    uint64_t before = s->calls++;
    if (!(before & s->calls)) {  // a power of two
      mr_ending_cover();         // before this thread is out: the end waits for it
    }
  }
  // release, pairs with count_inside(): what this thread has done in there is over.
  atomic_fetch_sub_explicit(&s->inside[kind], 1, memory_order_release);
}

// ---- The end --------------------------------------------------------------------------------------------------------

bool mr_ending_has_begun(void) {
  // relaxed: something more or less is begun; who goes into other code looks again.
  return atomic_load_explicit(&state, memory_order_relaxed) & IS_ENDING;
}

static mr_ending_part *first_part(void) {
  pthread_mutex_lock(&lock);
  mr_ending_part *part = parts;
  pthread_mutex_unlock(&lock);
  return part;
}

// Parts are only ever added, and in front.
static void end_all(void) {
  if (atomic_fetch_or_explicit(&state, IS_ENDING, memory_order_seq_cst) & IS_ENDING) {
    return;
  }
  mr_ending_part *first = first_part();
  for (mr_ending_part *part = first; part; part = part->next) {
    if (part->stop) {
      part->stop();
    }
  }
  wait_inside(MR_INSIDE_LIBRARY, 0);
  wait_inside(MR_INSIDE_HOST, HOST_PATIENCE_S * (uint64_t)1000000000);
  for (mr_ending_part *part = first; part; part = part->next) {
    if (part->wait) {
      part->wait();
    }
  }
}

// Where there is no memory for it, what has been registered before does for most.
static void cover_now(void) { (void)atexit(end_all); }

void mr_ending_cover(void) {
  // relaxed: about how many.
  if (atomic_load_explicit(&covers, memory_order_relaxed) < MOST_COVERS) {
    atomic_fetch_add_explicit(&covers, 1, memory_order_relaxed);
    cover_now();
  }
}

void mr_ending_guard(mr_ending_part *part) {
  pthread_once(&once, set_up);
  pthread_mutex_lock(&lock);
  if (!part->listed) {
    part->listed = true;
    part->next = parts;
    parts = part;
  }
  pthread_mutex_unlock(&lock);
  mr_ending_cover();
}

uint32_t mr_ending_end_host(void) {
  // relaxed: this thread's, if it was set; no other calls this.
  if (!(atomic_load_explicit(&state, memory_order_relaxed) & HOST_IS_OVER)) {
    host_thread = pthread_self();
    host_ended_ns = mr_now_ns();
    atomic_fetch_or_explicit(&state, HOST_IS_OVER, memory_order_seq_cst);  // see above
    cover_now();
  }
  return count_inside(MR_INSIDE_HOST);
}

void mr_ending_ask_host(int (*is_gone)(void)) { host_is_gone = is_gone; }

// The interpreter may go between a look and the moment in which the thread wants it: so it stays from when the host has said that it ends. Not
// for ever, since the host may still wait for it.
static bool has_nothing_to_come_back_to(void) {
  return (atomic_load_explicit(&state, memory_order_acquire) & IS_ENDING) || (host_is_gone && host_is_gone()) ||
         mr_now_ns() - host_ended_ns < HOST_PATIENCE_S * (uint64_t)1000000000;
}

void mr_ending_come_back(void) {
  // acquire, pairs with mr_ending_end_host(): who that was, and whom to ask.
  if (MR_LIKELY(!(atomic_load_explicit(&state, memory_order_acquire) & HOST_IS_OVER)) ||
      pthread_equal(host_thread, pthread_self())) {
    return;
  }
  atomic_fetch_add_explicit(&held, 1, memory_order_relaxed);  // a count, no more
  while (has_nothing_to_come_back_to()) {
    nanosleep(&(struct timespec){.tv_nsec = COME_BACK_LOOK_NS}, NULL);
  }
  atomic_fetch_sub_explicit(&held, 1, memory_order_relaxed);
}

uint32_t mr_ending_held(void) { return atomic_load_explicit(&held, memory_order_relaxed); }
