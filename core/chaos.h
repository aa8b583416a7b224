// chaos: delays before atomic operations, to bring about orders that are rare otherwise. Only in builds with MILLRACE_CHAOS=ON,
// where the compiler includes this file in front of every source of core, futures, graph, scheduler and devices; other
// builds do not know it.
//
// Threads: any. The delays of a thread follow from the seed and from which thread it is (in the order of their first
// operation): none, a few pauses, a yield or, seldom, a sleep of up to 200 us. A weak compare-and-swap also fails for no
// reason now and then, which x86 never does by itself.
// MILLRACE_CHAOS=seed in the environment; 0 or nothing: no delays. `./dev stress` runs the stress programs with it.
#ifndef MR_CORE_CHAOS_H
#define MR_CORE_CHAOS_H

#include <stdatomic.h>

void mr_chaos(void);
_Bool mr_chaos_fails(void);  // after mr_chaos(): the operation should fail, if it may

#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_exchange_explicit
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub_explicit
#undef atomic_fetch_and_explicit
#undef atomic_fetch_or_explicit
#undef atomic_compare_exchange_strong_explicit
#undef atomic_compare_exchange_weak_explicit

// What the macros of <stdatomic.h> stand for; they cannot be named in their own replacement.
#if defined(__clang__)
#define MR_CHAOS_OP(name) __c11_atomic_##name
#define MR_CHAOS_SWAP(p, expected, value, success, failure) \
  __c11_atomic_compare_exchange_strong(p, expected, value, success, failure)
#else
#define MR_CHAOS_OP(name) __atomic_##name##_n
#define MR_CHAOS_SWAP(p, expected, value, success, failure) \
  __atomic_compare_exchange_n(p, expected, value, 0, success, failure)
#define __atomic_fetch_add_n __atomic_fetch_add
#define __atomic_fetch_sub_n __atomic_fetch_sub
#define __atomic_fetch_and_n __atomic_fetch_and
#define __atomic_fetch_or_n __atomic_fetch_or
#endif

#define atomic_load_explicit(p, order) (mr_chaos(), MR_CHAOS_OP(load)(p, order))
#define atomic_store_explicit(p, value, order) (mr_chaos(), MR_CHAOS_OP(store)(p, value, order))
#define atomic_exchange_explicit(p, value, order) (mr_chaos(), MR_CHAOS_OP(exchange)(p, value, order))
#define atomic_fetch_add_explicit(p, value, order) (mr_chaos(), MR_CHAOS_OP(fetch_add)(p, value, order))
#define atomic_fetch_sub_explicit(p, value, order) (mr_chaos(), MR_CHAOS_OP(fetch_sub)(p, value, order))
#define atomic_fetch_and_explicit(p, value, order) (mr_chaos(), MR_CHAOS_OP(fetch_and)(p, value, order))
#define atomic_fetch_or_explicit(p, value, order) (mr_chaos(), MR_CHAOS_OP(fetch_or)(p, value, order))
#define atomic_compare_exchange_strong_explicit(p, expected, value, success, failure) \
  (mr_chaos(), MR_CHAOS_SWAP(p, expected, value, success, failure))
#define atomic_compare_exchange_weak_explicit(p, expected, value, success, failure)       \
  (mr_chaos(), mr_chaos_fails() ? (*(expected) = MR_CHAOS_OP(load)(p, failure), (_Bool)0) \
                                : MR_CHAOS_SWAP(p, expected, value, success, failure))

#endif
