// deque: a work-stealing queue of fixed size (Chase and Lev, 2005; orders after Le, Pop, Cohen and Zappa Nardelli, 2013,
// with the fences put on the accesses).
//
//             push    take    steal
//   owner      x       x        -       one thread at a time
//   others     -       -        x       any number, also while the owner is at it
//
// `bottom` is written by the owner alone, `top` only grows. Items are in [top, bottom).
#ifndef MR_SCHEDULER_DEQUE_H
#define MR_SCHEDULER_DEQUE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "graph/graph.h"
#include "scheduler/tuning.h"

typedef struct mr_deque {
  _Alignas(MR_CACHE_LINE) _Atomic(int64_t) top;
  _Alignas(MR_CACHE_LINE) _Atomic(int64_t) bottom;
  _Alignas(MR_CACHE_LINE) _Atomic(mr_item) items[MR_DEQUE_CAPACITY];
} mr_deque;

typedef enum mr_pushed { MR_PUSH_FULL, MR_PUSH_FIRST, MR_PUSH_MORE } mr_pushed;
// FIRST: it is the only item, about. seq_cst inside: what was pushed is visible to everybody who announces sleep afterwards.
mr_pushed mr_deque_push(mr_deque *deque, mr_item item);
// The newest item; 0 when there is none.
mr_item mr_deque_take(mr_deque *deque);
// The oldest item; 0 when there is none or another thread was faster.
mr_item mr_deque_steal(mr_deque *deque);
// A hint unless the caller is the owner, or has just announced something with seq_cst.
bool mr_deque_is_empty(const mr_deque *deque);

#endif
