// scope: calls that other threads may make, all of which have returned when the scope ends. Fork and join, without
// allocation, locks or, where nobody steals, atomic operations: 4 to 10 ns a call and not 50 as for a node with a future.
//
// Threads: a scope belongs to the thread that began it: only that thread spawns in it and ends it. Calls may begin scopes of
// their own, wait, submit nodes, and run parallel loops. Scopes end in the reverse order of their beginning.
// Ownership: the scope's storage is the caller's, most often on the stack; arguments live until the scope has ended.
// Fork: a child of the thread that began a scope lacks the calls that others were making; the scope does not end there.
// Calls do not wait for one another: one that is spawned while all other threads are busy may stay with its thread until that
// spawns again or ends the scope.
// mr_scope_spawn() may make the call at once, on this thread, when enough others are queued: hold no lock that it takes.
//
//   static void sort(void *argument) {
//     part *all = argument, low, high;
//     if (sort_if_small(all)) return;
//     split_in_two(all, &low, &high);
//     mr_scope scope;
//     mr_scope_begin(&scope, all->scheduler);
//     mr_scope_spawn(&scope, sort, &high);
//     sort(&low);
//     mr_scope_end(&scope);
//   }
#ifndef MR_SCHEDULER_SCOPE_H
#define MR_SCHEDULER_SCOPE_H

#include "scheduler/scheduler.h"

typedef struct mr_scope {
  struct worker *worker;  // the thread's; NULL: too many threads are guests, every call is made at once
  int64_t first;          // where its calls begin in the thread's ring
  int64_t open;           // spawned and not made by this thread; at the end: how many others took
  bool entered;           // the thread is a guest because of this scope
  bool waits;             // the scope's thread has counted the calls that other threads took into `balance`
  bool sleeps;            // the scope's thread waits on `done` without working meanwhile
  // At the end set to 1 by the thread that made the last of the calls that were taken.
  _Atomic(uint32_t) done;
  // Others subtract what they have made; at the end the thread adds what they took. Zero after that: all are made.
  _Atomic(int64_t) balance;
} mr_scope;

void mr_scope_begin(mr_scope *scope, mr_scheduler *scheduler);
void mr_scope_spawn(mr_scope *scope, void (*run)(void *argument), void *argument);
// Makes the calls that are left, helps other threads meanwhile, and returns when all calls have returned.
void mr_scope_end(mr_scope *scope);

#endif
