#include "core/rcu.h"

#include <pthread.h>
#include <urcu-bp.h>

#include "core/tsan.h"

static char sections_and_waits;  // ThreadSanitizer: what a section did happens before the end of a wait that follows it

// Before anything can fork. While the library's locks are held its list of readers is whole.
__attribute__((constructor)) static void survive_forks(void) {
  pthread_atfork(urcu_bp_before_fork, urcu_bp_after_fork_parent, urcu_bp_after_fork_child);
}

void mr_rcu_begin(void) { urcu_bp_read_lock(); }

void mr_rcu_end(void) {
  MR_TSAN_RELEASE(&sections_and_waits);
  urcu_bp_read_unlock();
}

void mr_rcu_wait(void) {
  urcu_bp_synchronize_rcu();
  MR_TSAN_ACQUIRE(&sections_and_waits);
}
