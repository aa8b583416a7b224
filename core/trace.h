// trace: what happened when, on which thread and for which device, for Perfetto and chrome://tracing.
//
// Threads: recording from any thread; each writes to a ring of its own, the newest records stay. Starting and stopping from
// any thread, one at a time.
// Off, a place that records costs one load of a global and a branch that is never taken. On, a span costs about 50 ns: two
// readings of the cycle counter, of 20 ns each amid other work, and one cache line. What is much shorter than that is not
// recorded one by one: see MR_TRACE_BRIEF_NS.
// MILLRACE_TRACE=path traces the whole process and writes the file when it ends.
//
//   uint64_t start = mr_trace_begin();                     // 0 when off
//   compile(module);
//   mr_trace_end(MR_TRACE_COMPILE, "compile", start);      // nothing when start is 0
#ifndef MR_CORE_TRACE_H
#define MR_CORE_TRACE_H

#include <stdatomic.h>

#include "core/core.h"
#include "core/processor/processor.h"
#include "core/trace_op.h"

// What a record is about; the category in the file.
typedef enum mr_trace_category {
  MR_TRACE_NODE,
  MR_TRACE_STEP,
  MR_TRACE_TRANSFER,
  MR_TRACE_COMPILE,
  MR_TRACE_WORKER,
} mr_trace_category;

// A record costs 1% of this. Of what is estimated to be shorter, a record stands for many (`count`), or one in some gets the
// clock read twice.
enum { MR_TRACE_BRIEF_NS = 5000 };

// The name of a worker's span that is a loop over tiles, on the thread that called for it.
#define MR_TRACE_LOOP "loop"

// What a record says of a node. A span with kind 0 is none.
typedef struct mr_trace_about {
  uint32_t cost_ns;  // estimate; 0: unknown
  uint32_t
      count;  // how many nodes this record stands for; 0 means one node. Of a loop: into how many pieces it may be cut
  uint8_t kind;  // its number in core/kinds.def
  int8_t priority;
} mr_trace_about;

extern _Atomic(bool) mr_trace_enabled;

static inline bool mr_trace_is_on(void) {
  // relaxed: a record more or less.
  return MR_UNLIKELY(atomic_load_explicit(&mr_trace_enabled, memory_order_relaxed));
}

// Which trace or session is on, the last that was started: for code that counts how much a trace shows of something.
extern _Atomic(uint32_t) mr_trace_starts;
static inline uint32_t mr_trace_number(void) {
  // relaxed: as above.
  return atomic_load_explicit(&mr_trace_starts, memory_order_relaxed);
}

// Ticks of the trace's clock, never 0.
static inline uint64_t mr_trace_now(void) { return mr_processor_ticks(); }

static inline uint64_t mr_trace_begin(void) { return mr_trace_is_on() ? mr_trace_now() : 0; }
// What a record calls what ran: an op of a program, which says more than a name, or else a text of up to MR_TRACE_NAME bytes, which
// is copied. Names of more than 31 bytes take a record more for every 32 bytes.
enum { MR_TRACE_NAME = 31 + 8 * 32 };
typedef struct mr_trace_label {
  const mr_trace_op *op;  // NULL: `text`
  const char *text;
  uint64_t run;  // which execution of the op's program this is, by mr_trace_new_run(); 0: not said
} mr_trace_label;
// As much of a name as records have, for who may not have it any more when the record is made. Returns `room`.
const char *mr_trace_copy_name(char room[MR_TRACE_NAME + 1], const char *name);
// A number that no other execution has; 0 when nothing is recorded.
uint64_t mr_trace_new_run(void);

// From `start` to now. `flow_in` (0: none): what made this ready, the id of a mr_trace_flow_out() earlier. Returns now, which may be
// where the next span starts: reading the clock is a third of what a span costs. 0 when recording was turned off in the meantime.
uint64_t mr_trace_span(mr_trace_category category, const char *name, uint64_t start, uint64_t flow_in);
// The same for a node.
uint64_t mr_trace_node(mr_trace_category category, const char *name, mr_trace_about about, uint64_t start,
                       uint64_t flow_in);
// A node begins on this thread, which may be learned to be over, by what it has handed to others, before this thread gets to say so:
// until the span of this start is recorded, a session that has stopped sees it as far as it got. One at a time; start 0: none.
void mr_trace_open(const mr_trace_label *label, mr_trace_about about, uint64_t start, uint64_t flow_in);
// The same for what may be an op. An op's description is as mr_trace_program_release() says; it is not looked at here.
uint64_t mr_trace_label_span(mr_trace_category category, const mr_trace_label *label, mr_trace_about about,
                             uint64_t start, uint64_t flow_in);
// Likewise for an op in an execution; nothing when start is 0.
static inline uint64_t mr_trace_op_span(mr_trace_category category, const mr_trace_op *op, uint64_t run,
                                        uint64_t start) {
  const mr_trace_label label = {.op = op, .text = "step", .run = run};
  return MR_UNLIKELY(start != 0) ? mr_trace_label_span(category, &label, (mr_trace_about){0}, start, 0) : 0;
}
// The same for a node that is over within a call on this thread, for `device` (-1: none).
void mr_trace_call(mr_trace_category category, const char *name, uint8_t kind, int device, uint64_t start);
static inline void mr_trace_end_call(mr_trace_category category, const char *name, uint8_t kind, int device,
                                     uint64_t start) {
  if (MR_UNLIKELY(start != 0)) {
    mr_trace_call(category, name, kind, device, start);
  }
}
// A node that takes so little time that its end is not looked at: `ticks` is how long an earlier one took.
void mr_trace_brief_node(const mr_trace_label *label, mr_trace_about about, uint64_t start, uint64_t ticks);
static inline void mr_trace_end(mr_trace_category category, const char *name, uint64_t start) {
  if (MR_UNLIKELY(start != 0)) {
    mr_trace_span(category, name, start, 0);
  }
}
// What has this id may go on: now, inside a span that has not ended; or `after_span`, at the end of this thread's last one.
void mr_trace_flow_out(uint64_t id, bool after_span);

// The device that this thread works for, which its next records carry; -1: none.
extern _Thread_local int mr_trace_device __attribute__((tls_model("initial-exec")));
// Records know no devices of higher numbers.
enum { MR_TRACE_DEVICES = 4096 };
// What a device is called in files, with its number behind: `kind` is a literal. The last that was said holds.
void mr_trace_device_is(int device, const char *kind);

// ALREADY_EXISTS while another trace is on.
mr_status mr_trace_start(const char *path) MR_WARN_UNUSED;
// Writes the file. OK when no trace is on. Short of memory the file has no rows of devices.
mr_status mr_trace_stop(void) MR_WARN_UNUSED;

// ---- Sessions: records that are read in memory -------------------------------------------------------------------------
// Any number at once, also beside a trace that goes to a file. Between start and close what records point at stays.

// When recording began and ended, by three clocks: ticks, monotonic ns, ns since 1970.
typedef struct mr_trace_session {
  uint64_t start_ticks, start_ns, start_wall_ns, end_ticks, end_ns;
} mr_trace_session;

// A span that began within the session.
typedef struct mr_trace_event {
  mr_trace_category category;
  int device;                       // -1: none
  long thread;                      // the operating system's number
  mr_str thread_name, name;         // borrowed until the visit returns
  const mr_trace_op *op;            // likewise until the session is closed; NULL: it is none
  uint64_t run;                     // 0: not said
  uint64_t wall_ns;                 // since 1970
  uint64_t offset_ps, duration_ps;  // from the session's start
  mr_trace_about about;
} mr_trace_event;

void mr_trace_session_start(mr_trace_session *out_session);
void mr_trace_session_stop(mr_trace_session *session);
// Thread by thread, in the order in which the spans ended; after the stop.
void mr_trace_session_visit(const mr_trace_session *session, void (*see)(void *context, const mr_trace_event *event),
                            void *context);
// Nobody visits it any more.
void mr_trace_session_close(mr_trace_session *session);

#endif
