// stop: how work that takes long learns that it is to end.
//
// Whoever may end work has a word; what works looks at it from time to time, between two steps and in each round of a loop, and ends with the
// status that it finds. The word never changes back, so whoever has looked once may look again for the reason.
//
//   0                 goes on
//   MR_STOP_NEVER     goes on, and nothing stops it any more
//   an mr_status      is to end with it; owned by whoever has the word, and there as long as the word is
//
// Threads: a word is set by one thread at most, and looked at by any. Looks are relaxed: whoever then reads the status acquires it.
#ifndef MR_CORE_STOP_H
#define MR_CORE_STOP_H

#include <stdatomic.h>
#include <stdint.h>

#include "core/core.h"

typedef _Atomic(uintptr_t) mr_stop_word;

#define MR_STOP_NEVER ((uintptr_t)1)

static inline bool mr_stop_is_asked(const mr_stop_word *word) {
  return MR_UNLIKELY(atomic_load_explicit(word, memory_order_relaxed) > MR_STOP_NEVER);
}
// The reason, with one more reference; MR_OK: it goes on.
mr_status mr_stop_reason(const mr_stop_word *word) MR_WARN_UNUSED;

// What ends one run. Machine code has the offsets of these fields (compiler/codegen/emit.c).
typedef struct mr_stop_token {
  const mr_stop_word *run, *all;  // this one; it and many others
  // A kernel has ended in the middle because of either: what it was to write is not there. relaxed: what orders the kernel's end orders this.
  _Atomic(uint32_t) cut;
} mr_stop_token;
// For what is not to be stopped: its words stay 0.
extern const mr_stop_word mr_stop_nobody;
extern mr_stop_token mr_stop_no_token;

static inline bool mr_stop_token_is_asked(const mr_stop_token *token) {
  return mr_stop_is_asked(token->run) || mr_stop_is_asked(token->all);
}
mr_status mr_stop_token_reason(const mr_stop_token *token) MR_WARN_UNUSED;
static inline bool mr_stop_token_is_cut(const mr_stop_token *token) {
  return MR_UNLIKELY(atomic_load_explicit(&token->cut, memory_order_relaxed) != 0);
}

#endif
