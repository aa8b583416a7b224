// admission: how much a device has been given to do that is not over, and when a thread of the host's that gives it more is held up.
//
// What a host queues holds memory: the arguments of every call, above all arrays of the host's own that are used in place. So each call
// counts for its device from when it is queued until it is over, and so do the bytes that such calls hold, a block once, however many of them
// have it. When there is more than the limits allow, the thread that has queued a call waits, after that, until enough is over. It takes no
// task meanwhile, since those may be the host's functions, which may want a lock of this thread's, but a share of the device's loops.
//
// Nobody is held up for what only the host can bring about: a call that waits for a user's event, for a buffer that is to be filled or for another
// process is under way, and not at work. Calls and copies at work are counted in the whole process: `MR_PROGRESS_OWN` end whatever the host does, inside
// `MR_PROGRESS_HOST` the host's code is waited for. While there are of the first the thread waits; while there are of the second only it
// waits for a moment after each end; without any it goes on at once.
//
// Threads: any. A thread of a scheduler's never waits: what it is in the middle of may be what the device waits for.
//
//   mr_admission_enter(&device->admission);                  // a call is queued
//   mr_progress_begin(MR_PROGRESS_OWN);                      // its inputs are there
//   ...
//   mr_progress_end(MR_PROGRESS_OWN);
//   mr_admission_leave(&device->admission);                  // it is over
//
//   mr_admission_wait(&device->admission, scheduler);        // after the first of these, on the thread that called
#ifndef MR_DEVICES_ADMISSION_H
#define MR_DEVICES_ADMISSION_H

#include <stdatomic.h>

#include "core/core.h"
#include "futures/futures.h"
#include "scheduler/scheduler.h"

// No limit.
#define MR_ADMISSION_ANY UINT32_MAX

typedef struct mr_admission {
  // Under way.
  //
  // States of mr_admission.awaited, mr_admission.calls, mr_admission.bytes:
  //
  //   false --ask_for_room()--> true: `room` is there, and is set when there are few enough --tell_room()--> false
  //
  //   who                     operation                          order, and with what it pairs                               at once
  //   who waits               awaited: store, -> true; calls,    seq_cst both, in this order: it sees what has become less,  everybody
  //                           bytes: loads                       or who has made it so sees it wait; with the lock
  //   who ends a call         calls, bytes: - n; awaited: load;  seq_cst both, in this order; release of what the call did,  everybody
  //                           then as who waits                  for mr_admission_drain()
  //   who begins a call       calls, bytes: + n                  seq_cst; nothing depends on it                              everybody
  //   who tells that there    awaited: store, -> false           with the lock, under which `room` is taken                  everybody
  //   is room
  //   who asks whether it is  calls, bytes: loads                relaxed: a call more or less                                everybody
  //   full
  _Atomic(uint32_t) calls;
  _Atomic(int64_t) bytes;
  _Atomic(uint64_t) ended;  // calls; relaxed: whoever compares two readings has waited between them
  // The most that there was at once; relaxed: statistics.
  _Atomic(uint32_t) peak_calls;
  _Atomic(int64_t) peak_bytes;
  uint32_t max_calls;  // MR_ADMISSION_ANY: any number
  int64_t max_bytes;   // INT64_MAX likewise
  // `ended`, and one more, when nothing was at work and nothing could be: until another call ends, or begins, nobody waits. relaxed: a hint.
  _Atomic(uint64_t) stalled;
  _Atomic(bool) awaited;
  mr_future
      *room;  // set when there is room, for all that wait; owned, under a lock of the process's. NULL: nobody waits
} mr_admission;

void mr_admission_init(mr_admission *a, uint32_t max_calls, uint32_t max_mb);
void mr_admission_deinit(mr_admission *a);

void mr_admission_enter(mr_admission *a);
void mr_admission_leave(mr_admission *a);
// Bytes that what is queued holds from here on, or, below zero, does not hold any more.
void mr_admission_add_bytes(mr_admission *a, int64_t bytes);
// A copy of the host's bytes that is under way: a call that holds them and ends whatever the host does. At work it is until
// mr_progress_end(MR_PROGRESS_OWN), after what waits for it has heard of its end.
void mr_admission_enter_copy(mr_admission *a, size_t bytes);
void mr_admission_leave_copy(mr_admission *a, size_t bytes);

// Whether there is more than the limits allow: two loads.
static inline bool mr_admission_is_full(const mr_admission *a) {
  enum { FEW = 4 };  // so many calls there may be whatever they hold: with fewer the device would wait for the host
  // relaxed: a call more or less.
  uint32_t calls = atomic_load_explicit(&a->calls, memory_order_relaxed);
  return calls > a->max_calls || (atomic_load_explicit(&a->bytes, memory_order_relaxed) > a->max_bytes && calls > FEW);
}
// Returns when there is room for another call, or nothing is at work that could make it.
void mr_admission_wait(mr_admission *a, mr_scheduler *scheduler);
// Before a call, for a limit that the caller has set himself: returns when there is room for it, whatever that takes.
mr_status mr_admission_wait_for_room(mr_admission *a, mr_scheduler *scheduler) MR_WARN_UNUSED;
// Returns when no call is under way, or nothing is at work that could end one, or none has ended for a minute. Not on a thread of a scheduler's.
bool mr_admission_drain(mr_admission *a, mr_scheduler *scheduler);
// *out_room NULL: there is room; else a counted future that is set when there is, whether anything is at work or not.
mr_status mr_admission_room(mr_admission *a, mr_future **out_room) MR_WARN_UNUSED;

typedef struct mr_admission_counts {
  uint32_t calls, peak_calls;
  int64_t bytes, peak_bytes;
} mr_admission_counts;
mr_admission_counts mr_admission_count(const mr_admission *a);

typedef enum mr_progress { MR_PROGRESS_OWN, MR_PROGRESS_HOST } mr_progress;
enum { MR_PROGRESS_KINDS = 2 };
void mr_progress_begin(mr_progress kind);
void mr_progress_end(mr_progress kind);
// Calls a function of the host's from the end of work of kind MR_PROGRESS_OWN, which is not at work meanwhile.
void mr_progress_call_host(void (*call)(void *arg), void *arg);

#endif
