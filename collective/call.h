// call: what the files of collective/ that do a meeting's work know of it. Private to collective/.
//
//   call.c    what is known of a call beforehand
//   reduce.c  all_reduce, reduce_scatter, reduce
//   move.c    those that only move
#ifndef MR_COLLECTIVE_CALL_H
#define MR_COLLECTIVE_CALL_H

#include <string.h>

#include "collective/fold.h"
#include "collective/tuning.h"
#include "core/processor/processor.h"
#include "core/size.h"

typedef struct collective_part {
  mr_collective_part is;  // dims are the call's
  size_t unit, bytes;     // of an element, of the operand
  // The operand as [outer][blocks][inner bytes]: blocks along the dimension that is gathered or scattered; one of them otherwise. By
  // group size n a scattered operand is [outer][n][inner / n].
  size_t outer, inner;
  mr_folding folding;  // of reductions
} collective_part;

struct mr_collective {
  mr_collective_desc is;
  mr_groups *groups;
  uint64_t cost_ns;
  uint32_t *targets;  // of mail: by member, who gets what it sends; owned
  collective_part parts[];
};

// One part of one meeting.
typedef struct meeting {
  const mr_collective *call;
  const collective_part *part;
  uint32_t group, size;
  uint32_t receivers;        // whose results are places of their own: all, or the first for all
  uint32_t operand, result;  // among a participant's buffers
  uint32_t root;
  void *const *const *buffers;
  mr_group *cores;
  bool past;  // what is written would not stay in a cache
} meeting;
static inline const char *meeting_from(const meeting *m, uint32_t rank) { return m->buffers[rank][m->operand]; }
static inline char *meeting_to(const meeting *m, uint32_t rank) { return m->buffers[rank][m->result]; }

// Stretches that are not short. Each thread that has copied says so before it is over.
static inline void meeting_copy(const meeting *m, void *to, const void *from, size_t bytes) {
  if (m->past) {
    mr_processor_copy_past(to, from, bytes);
  } else {
    memcpy(to, from, bytes);
  }
}
static inline void meeting_copied(const meeting *m) {
  if (m->past) {
    mr_processor_copied_past();
  }
}

void mr_collective_reduce(const meeting *m);    // by the call's kind
void mr_collective_gather(const meeting *m);    // ALL_GATHER
void mr_collective_exchange(const meeting *m);  // ALL_TO_ALL
void mr_collective_permute(const meeting *m);
void mr_collective_broadcast(const meeting *m);

#endif
