// ending: how a process ends with work under way.
//
// exit() takes apart what libraries have made, the newest first, while other threads go on. A thread that is inside such a library then
// uses what is not there any more. So whoever goes into code that is not ours says so, and the end of the process waits for who is
// inside and lets nobody else in:
//
//   MR_TRY(mr_ending_enter(MR_INSIDE_LIBRARY));   // CANCELLED: the process is ending
//   dnnl_sgemm(...);
//   mr_ending_leave(MR_INSIDE_LIBRARY);
//
// A part that has threads or a device of its own has a guard as well, by which it is told. All of it happens in a function of atexit()'s, which
// runs before everything that was registered earlier: so it is registered after a library was opened, by mr_ending_guard(), and, since libraries
// make more objects as they are used, again by mr_ending_cover(). The first of these to run does all there is to do.
//
// A fork waits for who is inside a library, too, and holds who would go in: see core/fork.h.
//
// Threads: any. _exit(), quick_exit() and signals that kill run nothing of this, and take nothing apart either.
#ifndef MR_CORE_ENDING_H
#define MR_CORE_ENDING_H

#include "core/core.h"

// Code that is not ours: a library's, which comes back whatever happens; or the host's (callbacks, handlers, deleters), which may take any time.
typedef enum mr_inside { MR_INSIDE_LIBRARY, MR_INSIDE_HOST } mr_inside;
enum { MR_INSIDE_KINDS = 2 };

// CANCELLED when the process is ending, and for the host's code when the host has ended. Who is inside may go in once more.
mr_status mr_ending_enter(mr_inside kind) MR_WARN_UNUSED;
// For what the host is told in any case: it is waited for, and never refused.
void mr_ending_enter_anyway(mr_inside kind);
// On the same thread. After a thread's 1st, 2nd, 4th, 8th ... call of a library's it covers what that may have made.
void mr_ending_leave(mr_inside kind);

// A part that is told of the end. Both are called by the thread that ends the process, once, the guard that was listed last first: `stop` of all, after
// which nothing new begins; then threads inside code that is not ours are waited for; then `wait` of all. Each may be NULL.
typedef struct mr_ending_part {
  void (*stop)(void);
  void (*wait)(void);
  struct mr_ending_part *next;
  bool listed;
} mr_ending_part;
// After the library that it is about was opened. More than once is fine.
void mr_ending_guard(mr_ending_part *part);
// Objects that libraries have made so far are taken apart after the work has stopped.
void mr_ending_cover(void);
// The process is ending: what is queued will not begin.
bool mr_ending_has_begun(void);

// The host's code is called no more, except on this thread: an interpreter is about to end before the process does. How many threads are inside
// it besides this one; who is to wait asks again.
uint32_t mr_ending_end_host(void);
// Which function says, on any thread, that the host's threads have nothing to come back to. Once, before the host ends.
void mr_ending_ask_host(int (*is_gone)(void));
// By a thread of the host's at the end of a call that may have taken long: where the interpreter that it comes back to is gone it does not
// return, since that would end the thread in the middle of the host's functions, and with some the process. Exiting ends it. From when the
// host has said that it ends no other thread returns for ten seconds, by which the interpreter is gone as a rule.
void mr_ending_come_back(void);
// How many threads are kept there now.
uint32_t mr_ending_held(void);

#endif
