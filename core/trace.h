// trace: what happened when, on which thread, for Perfetto and chrome://tracing.
//
// Threads: recording from any thread; each writes to a ring of its own, the newest records stay. Starting and stopping from
// any thread, one at a time.
// Off, a place that records costs one load of a global and a branch that is never taken. On, a span costs about 30 ns: two
// readings of the cycle counter and one cache line.
// MILLRACE_TRACE=path traces the whole process and writes the file when it ends.
//
//   uint64_t start = mr_trace_begin();                     // 0 when off
//   compile(module);
//   mr_trace_end(MR_TRACE_COMPILE, "compile", start);      // nothing when start is 0
#ifndef MR_CORE_TRACE_H
#define MR_CORE_TRACE_H

#include <stdatomic.h>

#include "core/core.h"
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

// What a record is about; the category in the file.
typedef enum mr_trace_category {
  MR_TRACE_NODE,
  MR_TRACE_STEP,
  MR_TRACE_TRANSFER,
  MR_TRACE_COMPILE,
  MR_TRACE_WORKER,
} mr_trace_category;

extern _Atomic(bool) mr_trace_enabled;

static inline bool mr_trace_is_on(void) {
  // relaxed: a record more or less.
  return MR_UNLIKELY(atomic_load_explicit(&mr_trace_enabled, memory_order_relaxed));
}

// Ticks of the trace's clock, never 0.
static inline uint64_t mr_trace_now(void) {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return mr_now_ns();
#endif
}

static inline uint64_t mr_trace_begin(void) { return mr_trace_is_on() ? mr_trace_now() : 0; }
// From `start` to now. The name is copied, up to 31 bytes of it. `flow_in` (0: none): what made this ready, the id of a
// mr_trace_flow_out() earlier. Returns now, which may be where the next span starts: reading the clock is a third of what a
// span costs. 0 when recording was turned off in the meantime.
uint64_t mr_trace_span(mr_trace_category category, const char *name, uint64_t start, uint64_t flow_in);
// The same for a span whose end is known already.
void mr_trace_span_until(mr_trace_category category, const char *name, uint64_t start, uint64_t end);
static inline void mr_trace_end(mr_trace_category category, const char *name, uint64_t start) {
  if (MR_UNLIKELY(start != 0)) mr_trace_span(category, name, start, 0);
}
// What has this id may go on: now, inside a span that has not ended; or `after_span`, at the end of this thread's last one.
void mr_trace_flow_out(uint64_t id, bool after_span);

// The device that this thread works for, which its next records carry; -1: none.
extern _Thread_local int mr_trace_device __attribute__((tls_model("initial-exec")));

// ALREADY_EXISTS while another trace is on.
mr_status mr_trace_start(const char *path) MR_WARN_UNUSED;
// Writes the file. OK when no trace is on.
mr_status mr_trace_stop(void) MR_WARN_UNUSED;

// ---- Sessions: records for whoever reads them in memory ---------------------------------------------------------------
// Any number at once, also beside a trace that goes to a file.

// When recording began and ended, by three clocks: ticks, monotonic ns, ns since 1970.
typedef struct mr_trace_session {
  uint64_t start_ticks, start_ns, start_wall_ns, end_ticks, end_ns;
} mr_trace_session;

// A span that began within the session.
typedef struct mr_trace_event {
  mr_trace_category category;
  int device;   // -1: none
  long thread;  // the operating system's number
  mr_str thread_name, name;
  uint64_t wall_ns;                 // since 1970
  uint64_t offset_ps, duration_ps;  // from the session's start
} mr_trace_event;

void mr_trace_session_start(mr_trace_session *out_session);
void mr_trace_session_stop(mr_trace_session *session);
// Thread by thread, in the order in which the spans ended; after the stop.
void mr_trace_session_visit(const mr_trace_session *session, void (*visit)(void *context, const mr_trace_event *event),
                            void *context);

#endif
