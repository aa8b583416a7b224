// rcu: reading what others replace without a lock (read, copy, update), on liburcu's bulletproof flavour.
//
// A reader looks at what a pointer or a table (core/table.h) gives it between mr_rcu_begin and mr_rcu_end. A writer first
// takes a thing out of sight, then waits with mr_rcu_wait until every reader that could have seen it is done, then frees it
// or drops the reference that kept it. A reader that wants to keep a thing takes a reference of its own before mr_rcu_end.
//
//   mr_rcu_begin();
//   thing *found = atomic_load_explicit(&slot, memory_order_acquire);
//   if (found) mr_ref_retain(&found->ref);
//   mr_rcu_end();
//
// Threads: any; the first mr_rcu_begin of a thread registers it, which takes a lock and may map memory, the others cost a
// few nanoseconds. Between begin and end nothing may sleep, wait, or call mr_rcu_wait. Sections may nest. A child of fork
// goes on as if the parent's other threads had left their sections.
#ifndef MR_CORE_RCU_H
#define MR_CORE_RCU_H

void mr_rcu_begin(void);
void mr_rcu_end(void);
// Returns when every section that was open at the call has ended. Some microseconds or more: for rare replacements only.
void mr_rcu_wait(void);

#endif
