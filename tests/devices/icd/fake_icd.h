// fake_icd: an OpenCL runtime for tests that does on demand what no real one does: its n-th call fails, its callbacks come on the
// registering thread, late, twice or never, and its device is lost. Commands are over when the call that queues them returns.
//
// It is a library that is opened as a runtime by itself (MILLRACE_OPENCL_LIBRARY); who opens it as well, with dlopen, finds its state by
// the name "fake_icd_state". One kernel runs, "add": out[i] = a[i] + (b ? b[i] : 1) on ints.
//
// Threads: orders are given while nobody calls; `fail_at` and `of` at any time.
#ifndef MR_TESTS_DEVICES_ICD_FAKE_ICD_H
#define MR_TESTS_DEVICES_ICD_FAKE_ICD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum fake_callbacks {
  FAKE_AT_ONCE,  // on the thread that registers them
  FAKE_LATE,     // on a thread of their own, after 20 ms
  FAKE_TWICE,    // at once and late
  FAKE_NEVER,
} fake_callbacks;

typedef struct fake_icd {
  // Orders.
  _Atomic(uint64_t) fail_at;  // this call, counted from one; 0: none
  const char *_Atomic of;     // only calls of this function of the fake's are counted; NULL: all
  int fail_code;
  bool lost_then;            // every later call fails likewise, and callbacks tell of it
  _Atomic(bool) never_ends;  // events stay queued, and nobody is called back
  _Atomic(bool) runs_one;    // of those the next is running
  bool no_platform;
  unsigned hangs_ms;  // in the list of platforms; FAKE_ICD_OPENS_MS in the environment: when it is opened
  fake_callbacks callbacks;
  _Atomic(bool) holds_late;    // late callbacks come when this is false again
  _Atomic(bool) holds_info;    // questions after events are answered when this is false again
  _Atomic(bool) holds_finish;  // queues are finished when this is false again
  // What has happened.
  _Atomic(uint64_t) asked;  // after events
  void *_Atomic running;    // the event
  _Atomic(uint64_t) calls;
  _Atomic(int64_t) live;     // objects
  _Atomic(int64_t) threads;  // that are to call back
  _Atomic(uint64_t) finishes;
  _Atomic(int64_t) queued;     // commands, since their queues were last finished
  _Atomic(int64_t) mapped;     // maps less unmaps
  const char *_Atomic failed;  // the function that was made to fail
} fake_icd;

#endif
