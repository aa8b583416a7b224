// An event loop: one thread, one event_base of libevent. Everything about a connection happens on its loop's thread; other threads
// reach it by posting tasks.
#ifndef SV_LOOP_H
#define SV_LOOP_H

#include "serve/base/base.h"

struct event_base;
typedef struct sv_loop sv_loop;

// Intrusive: whoever posts owns the memory, until run() is called, which may free it.
typedef struct sv_task {
  struct sv_task *next;
  void (*run)(struct sv_task *task);
} sv_task;

// Starts the thread. `name` (at most 15 characters) is what the system calls it.
sv_error *sv_loop_create(const char *name, sv_loop **out_loop);
struct event_base *sv_loop_base(sv_loop *loop);
bool sv_loop_is_here(const sv_loop *loop);  // the calling thread is the loop's
// Any thread; lock-free. Runs in order of posting per poster, on the loop's thread. The eventfd is written only when the list was empty.
void sv_loop_post(sv_loop *loop, sv_task *task);
// On the loop's thread: runs once, when the events that were ready in this round of the loop, and what was posted, have been handled. A
// task that is already waiting must not be given again. Tasks given by such tasks run in the same round.
void sv_loop_at_round_end(sv_loop *loop, sv_task *task);
// Ends the loop when what was posted has run, and joins the thread. Not on the loop's thread. The caller has closed what is on it.
void sv_loop_release(sv_loop *loop);

#endif
