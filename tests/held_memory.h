// held_memory: bytes that nobody can read until the test lets them. Who tries is held at his first byte, whatever thread he is on, and
// goes on as if nothing had happened: so a copy that has begun is under way for as long as the test wants, and one that has not
// stays so.
//
// The thread that opened it is not held: it lets everybody go on, and that is noted. A call that copies before it returns is told by that.
// One at a time; opened in the test itself, not in its setup, as cmocka has handlers of its own for each.
//
//   char *bytes = held_memory_open(size);       // then fill them
//   held_memory_hold();
//   begin(bytes);
//   assert_false(held_memory_was_read_here());
//   held_memory_let_go();
//   ... held_memory_close();
#ifndef MR_TESTS_HELD_MEMORY_H
#define MR_TESTS_HELD_MEMORY_H

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#include "tests/cmocka.h"

typedef struct held_memory {
  char *bytes;
  size_t size;
  struct sigaction before[2];  // of SIGSEGV and SIGBUS
  // relaxed but for `held`, whose release pairs with the acquire of who was held: the bytes can be read by then.
  _Atomic(bool) held, read_here;
  _Atomic(pthread_t) owner;
  _Atomic(uint32_t) waiting;  // threads that came to be held
} held_memory;
static held_memory held_memory_state;

static inline void held_memory_let_go(void) {
  held_memory *m = &held_memory_state;
  (void)mprotect(m->bytes, m->size, PROT_READ | PROT_WRITE);
  atomic_store_explicit(&m->held, false, memory_order_release);
}

static inline void held_memory_is_read(int number, siginfo_t *info, void *context) {
  (void)context;
  held_memory *m = &held_memory_state;
  uintptr_t at = (uintptr_t)info->si_addr, start = (uintptr_t)m->bytes;
  if (at < start || at - start >= m->size) {
    sigaction(number, &m->before[number == SIGBUS], NULL);  // somebody else's: it comes again
    return;
  }
  if (pthread_equal(pthread_self(), atomic_load_explicit(&m->owner, memory_order_relaxed))) {
    atomic_store_explicit(&m->read_here, true, memory_order_relaxed);
    held_memory_let_go();
    return;
  }
  atomic_fetch_add_explicit(&m->waiting, 1, memory_order_relaxed);
  while (atomic_load_explicit(&m->held, memory_order_acquire)) {
    poll(NULL, 0, 1);
  }
}

static inline char *held_memory_open(size_t size) {
  held_memory *m = &held_memory_state;
  void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(bytes != MAP_FAILED);
  m->bytes = bytes;
  m->size = size;
  atomic_store_explicit(&m->owner, pthread_self(), memory_order_relaxed);
  atomic_store_explicit(&m->read_here, false, memory_order_relaxed);
  atomic_store_explicit(&m->waiting, 0, memory_order_relaxed);
  struct sigaction action = {.sa_sigaction = held_memory_is_read, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGSEGV, &action, &m->before[0]);
  sigaction(SIGBUS, &action, &m->before[1]);
  return m->bytes;
}

static inline void held_memory_hold(void) {
  held_memory *m = &held_memory_state;
  atomic_store_explicit(&m->held, true, memory_order_relaxed);
  assert_int_equal(mprotect(m->bytes, m->size, PROT_NONE), 0);
}

// Another thread is the one that is not held; returns which was. While nobody but these two can come to read.
static inline pthread_t held_memory_is_for(pthread_t owner) {
  return atomic_exchange_explicit(&held_memory_state.owner, owner, memory_order_relaxed);
}

static inline bool held_memory_was_read_here(void) {
  return atomic_load_explicit(&held_memory_state.read_here, memory_order_relaxed);
}

static inline void held_memory_until_waited(void) {
  while (!atomic_load_explicit(&held_memory_state.waiting, memory_order_relaxed)) {
    poll(NULL, 0, 1);
  }
}

static inline void held_memory_close(void) {
  held_memory *m = &held_memory_state;
  sigaction(SIGSEGV, &m->before[0], NULL);
  sigaction(SIGBUS, &m->before[1], NULL);
  assert_int_equal(munmap(m->bytes, m->size), 0);
}

#endif
