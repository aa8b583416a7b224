#include "core/rcu.h"

#include <pthread.h>
#include <urcu-bp.h>

#include "core/fork.h"
#include "core/tsan.h"

static char sections_and_waits;  // ThreadSanitizer: what a section did happens before the end of a wait that follows it

// Before anything can fork. While the library's locks are held its list of readers is whole.
__attribute__((constructor)) static void survive_forks(void) {
  static mr_fork_part part = {.order = MR_FORK_READERS,
                              .before = urcu_bp_before_fork,
                              .in_parent = urcu_bp_after_fork_parent,
                              .in_child = urcu_bp_after_fork_child};
  mr_fork_guard(&part);
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
