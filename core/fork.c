// One handler of pthread_atfork()'s for all.
#include "core/fork.h"

#include <time.h>

enum { LOOK_NS = 50000 };

uint64_t mr_fork_library_wait_ns = MR_FORK_LIBRARY_WAIT_S * (uint64_t)1000000000;

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;  // of what follows; a fork has it as one of its locks
static mr_fork_part *parts[MR_FORK_ORDERS];                    // newest first, never removed
static mr_fork_lock *locks;                                    // newest first

// Of this thread's fork: what was told of it, which a part that was added since was not; and whether it has the locks.
static _Thread_local mr_fork_part *told[MR_FORK_ORDERS] __attribute__((tls_model("initial-exec")));
static _Thread_local bool has_locks __attribute__((tls_model("initial-exec")));

static void pause_a_little(void) { nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL); }

// ---- Locks ------------------------------------------------------------------------------------------------------------

static void unlock_until(const mr_fork_lock *end) {
  for (mr_fork_lock *l = locks; l != end; l = l->next) {
    pthread_mutex_unlock(l->lock);
  }
}

static bool try_locks(void) {
  if (pthread_mutex_trylock(&list_lock)) {
    return false;
  }
  for (mr_fork_lock *l = locks; l; l = l->next) {
    if (pthread_mutex_trylock(l->lock)) {
      unlock_until(l);
      pthread_mutex_unlock(&list_lock);
      return false;
    }
  }
  return true;
}

static void unlock_all(void) {
  if (has_locks) {
    unlock_until(NULL);
    pthread_mutex_unlock(&list_lock);
  }
  has_locks = false;
}

// In a child: those that were not to be had are nobody's.
static void free_locks(void) {
  if (has_locks) {
    unlock_all();
    return;
  }
  for (mr_fork_lock *l = locks; l; l = l->next) {
    pthread_mutex_init(l->lock, NULL);
  }
  pthread_mutex_init(&list_lock, NULL);
}

// ---- Parts ------------------------------------------------------------------------------------------------------------

static mr_fork_part *first_part(mr_fork_order order) {
  if (has_locks) {
    return parts[order];
  }
  pthread_mutex_lock(&list_lock);
  mr_fork_part *first = parts[order];
  pthread_mutex_unlock(&list_lock);
  return first;
}

static void tell_before(mr_fork_order order) {
  told[order] = first_part(order);
  for (mr_fork_part *part = told[order]; part; part = part->next) {
    if (part->before) {
      part->before();
    }
  }
}

static void tell_parent(mr_fork_order order) {
  for (mr_fork_part *part = told[order]; part; part = part->next) {
    if (part->in_parent) {
      part->in_parent();
    }
  }
}

static void tell_child(mr_fork_order order) {
  for (mr_fork_part *part = parts[order]; part; part = part->next) {
    if (part->in_child) {
      part->in_child();
    }
  }
}

// ---- Around fork --------------------------------------------------------------------------------------------------------

// Who has a lock may be about to enter a library, and the other way round: between two tries both go on.
static void hold_libraries_and_locks(void) {
  uint64_t end = mr_now_ns() + mr_fork_library_wait_ns;
  tell_before(MR_FORK_LIBRARIES);
  while (!(has_locks = try_locks()) && mr_now_ns() < end) {
    tell_parent(MR_FORK_LIBRARIES);
    pause_a_little();
    tell_before(MR_FORK_LIBRARIES);
  }
}

static void before_fork(void) {
  tell_before(MR_FORK_WORKERS);
  hold_libraries_and_locks();
  tell_before(MR_FORK_LOCKS);
  tell_before(MR_FORK_READERS);
}

static void after_fork_in_parent(void) {
  tell_parent(MR_FORK_READERS);
  tell_parent(MR_FORK_LOCKS);
  unlock_all();
  tell_parent(MR_FORK_LIBRARIES);
  tell_parent(MR_FORK_WORKERS);
}

static void after_fork_in_child(void) {
  tell_child(MR_FORK_READERS);
  free_locks();
  tell_child(MR_FORK_LOCKS);
  tell_child(MR_FORK_LIBRARIES);
  tell_child(MR_FORK_WORKERS);
}

// Before anything can fork. It fails for lack of memory alone, with which no process begins.
__attribute__((constructor)) static void watch_forks(void) {
  (void)pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void mr_fork_guard(mr_fork_part *part) {
  pthread_mutex_lock(&list_lock);
  if (!part->listed) {
    part->listed = true;
    part->next = parts[part->order];
    parts[part->order] = part;
  }
  pthread_mutex_unlock(&list_lock);
}

void mr_fork_add_lock(mr_fork_lock *lock) {
  pthread_mutex_lock(&list_lock);
  lock->before = NULL;
  lock->next = locks;
  if (locks) {
    locks->before = lock;
  }
  locks = lock;
  pthread_mutex_unlock(&list_lock);
}

void mr_fork_remove_lock(mr_fork_lock *lock) {
  pthread_mutex_lock(&list_lock);
  *(lock->before ? &lock->before->next : &locks) = lock->next;
  if (lock->next) {
    lock->next->before = lock->before;
  }
  pthread_mutex_unlock(&list_lock);
}
