// trace_ring: the records of a thread, as trace.c makes them and trace_file.c writes them. Private to these.
//
// A ring has one writer. It fills the record, then counts it (release). Stopping first turns recording off, then reads each
// ring's count (acquire). A writer that was late may still overwrite the oldest records of a full ring meanwhile, so the
// reader leaves out as many as a thread can have in hand.
#ifndef MR_CORE_TRACE_RING_H
#define MR_CORE_TRACE_RING_H

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/trace.h"

// Records of a ring: 4 MiB, half a second of 30-ns nodes, minutes of kernels.
enum { RING_RECORDS = 1 << 16, LATE_RECORDS = 16 };
// In place of a category. TEXT: more of the name of the record that follows, or of the one after that.
enum { TEXT = 6, FLOW_OUT = 7 };
enum { PIECE = 32 };  // bytes of a name in a record

typedef struct record {
  uint64_t start;
  uint64_t ticks : 48;  // a day of them
  uint64_t kind : 6;
  uint64_t has_op : 1;
  uint64_t was_brief : 1;  // the ticks are an earlier one's
  int64_t priority : 8;
  uint64_t flow : 48;  // addresses of user space have no more bits
  int64_t device : 13;
  uint64_t category : 3;
  uint32_t cost_ns, count;
  union {
    char text[PIECE];  // zeros behind; the last byte says how many TEXT records before this one go on with it
    struct {
      const mr_trace_op *op;  // with has_op
      uint64_t run;
    };
  };
} record;
static_assert(sizeof(record) == 64, "one cache line");

// A record that others may read while its thread writes it: word by word, between two counts that are the same and even.
//
// States of open_record.changes, open_record.words:
//
//   even: a record, or none (start 0) --mr_trace_open()--> odd: it is being written --> even, the next
//
//   who         operation                       order, and with what it pairs                              at once
//   its thread  changes: store, + 1             relaxed: the words behind it release it                    who reads
//   its thread  words: stores                   release, of the odd count                                  who reads
//   its thread  changes: store, + 1 again       release of the words                                       who reads
//   its thread  start: store, -> 0, without a   release of the record that was made before; of the others  who reads
//               count                           nothing has changed
//   who reads   changes, words, changes: loads  acquire of the words with the first; of a later odd count  its thread
//                                               with each word, which the last then sees
enum { RECORD_WORDS = sizeof(record) / sizeof(uint64_t) };
typedef struct open_record {
  _Atomic(uint64_t) changes;
  _Atomic(uint64_t) words[RECORD_WORDS];  // start 0: none is open
} open_record;

typedef struct ring {
  struct ring *next;
  _Atomic(uint64_t) count;  // ever written
  uint64_t last_end;        // of a span; its thread's alone
  long thread;
  char thread_name[16];
  open_record open;  // the node that the thread is in
  _Alignas(MR_CACHE_LINE) record records[RING_RECORDS];
} ring;

// What the record is called; `room` is for a name that is in pieces. What was overwritten of it meanwhile is missing.
mr_str mr_trace_record_name(const ring *r, const record *at, char room[MR_TRACE_NAME]);

// Programs that records point at stay, from the first until the last: one for each who reads records (trace_op.c).
void mr_trace_programs_stay(void);
void mr_trace_programs_may_go(void);

// The records that no writer can be in the middle of.
static inline void ring_range(const ring *r, uint64_t *out_first, uint64_t *out_count) {
  // acquire, pairs with the release of the writer's count.
  *out_count = atomic_load_explicit(&r->count, memory_order_acquire);
  *out_first = *out_count > RING_RECORDS - LATE_RECORDS ? *out_count - (RING_RECORDS - LATE_RECORDS) : 0;
}

// When a trace began, and in which process.
typedef struct mr_trace_origin {
  pid_t process;
  uint64_t ticks, ns;
} mr_trace_origin;
// All rings' records since then, as the file has them. RESOURCE_EXHAUSTED: without the devices' rows, which want memory.
mr_status mr_trace_write(FILE *file, const mr_trace_origin *origin, const ring *rings) MR_WARN_UNUSED;

#endif
