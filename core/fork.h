// fork: what a process's threads are in the middle of when one of them forks.
//
// A child has the forking thread alone. A lock that another thread has at that moment is nobody's there, for good, and who wants it never
// comes back; that goes for ours and for those inside a library. So a fork
//
//   1 holds the workers of all schedulers between two tasks (scheduler/fork.c), for a tenth of a second at most;
//   2 waits until no thread is inside a library, and lets none in (core/ending.c);
//   3 takes all of our locks, whichever order their owners nest them in: one that is not to be had lets go of the others and of 2
//     until it is;
//   4 takes those of liburcu (core/rcu.c);
//
// and undoes these, the last first, in both processes. After MR_FORK_LIBRARY_WAIT_S it goes on without 2 and 3: a child may hang then
// where a thread of the parent's was, and the parent does not.
//
// A lock of the process's is made with MR_FORK_LOCK(name); tools/check_names.py looks for others.
//
//   MR_FORK_LOCK(lock);            // static pthread_mutex_t lock
//   static void in_child(void) { ...what other threads were to do is nobody's task now... }
//   static mr_fork_part part = {.order = MR_FORK_LOCKS, .in_child = in_child};
//   mr_fork_guard(&part);
//
// Threads: any. Memory: parts and locks belong to the caller and stay where they are; a lock may be taken off the list.
#ifndef MR_CORE_FORK_H
#define MR_CORE_FORK_H

#include <pthread.h>

#include "core/core.h"

// A convolution of a large batch or a large kernel's compilation takes a second.
enum { MR_FORK_LIBRARY_WAIT_S = 10 };

// When a part's `before` is called; `in_parent` and `in_child` come in the opposite order.
typedef enum mr_fork_order { MR_FORK_WORKERS, MR_FORK_LIBRARIES, MR_FORK_LOCKS, MR_FORK_READERS } mr_fork_order;
enum { MR_FORK_ORDERS = 4 };

// Each function may be NULL. All are called on the forking thread; in_child while there is no other.
typedef struct mr_fork_part {
  mr_fork_order order;  // MR_FORK_LOCKS with `in_child` alone where there is none to keep
  void (*before)(void);
  void (*in_parent)(void);
  void (*in_child)(void);
  struct mr_fork_part *next;
  bool listed;
} mr_fork_part;
// From now on every fork calls it; more than once is fine.
void mr_fork_guard(mr_fork_part *part);

typedef struct mr_fork_lock mr_fork_lock;
struct mr_fork_lock {
  pthread_mutex_t *lock;
  mr_fork_lock *next, *before;
};
// `lock->lock` is had by nobody else in a child, and free there.
void mr_fork_add_lock(mr_fork_lock *lock);
void mr_fork_remove_lock(mr_fork_lock *lock);

#define MR_FORK_LOCK(name)                                                                                \
  static pthread_mutex_t name;                                                                            \
  static mr_fork_lock name##_in_forks = {.lock = &name};                                                  \
  __attribute__((constructor)) static void name##_is_listed(void) { mr_fork_add_lock(&name##_in_forks); } \
  static pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER

extern uint64_t mr_fork_library_wait_ns;  // tests want less

#endif
