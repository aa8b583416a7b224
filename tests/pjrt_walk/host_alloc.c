// Calls whose allocations fail one by one, see host_ok().
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "core/alloc_fail.h"
#include "core/core.h"
#include "tests/alloc_loop.h"
#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

bool host_fails_allocations(void) {
  static int known = -1;
  if (known < 0) {
    known = getenv("MILLRACE_TEST_ALLOC") != NULL;
    mr_alloc_fail_by_thread(known);
    mr_alloc_spare_errors(known);  // the tests look at codes; statuses without memory are tested elsewhere
  }
  return known;
}

// Whether the call of some thread is one whose allocations fail: the hook is for one at a time. Relaxed: it guards no memory.
static atomic_bool is_armed;

host_attempt host_begin(void) { return (host_attempt){.nth = 1}; }

void host_fail_next(host_attempt *attempt) {
  // While another thread's calls fail, this one's do not.
  attempt->armed = host_fails_allocations() && !atomic_exchange_explicit(&is_armed, true, memory_order_relaxed);
  if (attempt->armed) {
    attempt->live = mr_alloc_live();
    attempt->failed = mr_alloc_failed();
    mr_alloc_fail_here(true);
    (void)mr_alloc_fail_nth(attempt->nth);
    mr_alloc_fail_unseen();
  }
}

// Other threads let go of things a moment after a call is over.
static bool grows_for(int milliseconds, int64_t before) {
  for (int i = 0; i < 10 * milliseconds && mr_alloc_live() > before; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  }
  return mr_alloc_live() > before;
}

// A refused call may have put something into a cache; one that keeps blocks every time loses them.
static void check_growth(host_attempt *attempt, const char *call) {
  static _Thread_local const char *last_call;
  static _Thread_local int in_a_row;
  in_a_row = last_call == call ? in_a_row : 0;
  last_call = call;
  bool grows = grows_for(in_a_row > 3 ? 5000 : 20, attempt->live);
  in_a_row = grows ? in_a_row + 1 : 0;
  if (in_a_row > 4) {
    fail_msg("%s keeps blocks when allocation %llu fails", call, (unsigned long long)mr_alloc_failed_last());
  }
}

bool host_again(host_attempt *attempt, PJRT_Error *error, const char *call) {
  if (!attempt->armed) {
    return false;
  }
  bool reached = mr_alloc_fail_nth(0) >= attempt->nth, unseen = !reached && mr_alloc_failed() > attempt->failed;
  mr_alloc_fail_here(false);
  atomic_store_explicit(&is_armed, false, memory_order_relaxed);
  if (error == NULL) {
    return false;
  }
  const char *message;
  PJRT_Error_Code code = host_take_error(error, &message);
  if (code != PJRT_Error_Code_RESOURCE_EXHAUSTED || !(reached || unseen)) {
    fail_msg("%s, allocation %llu fails: code %d: %s", call, (unsigned long long)mr_alloc_failed_last(), (int)code,
             message);
  }
  // What no call has reached before always fails, and may be on its way into a cache; of the thousands of others of a long
  // call not each does.
  if (reached) {
    check_growth(attempt, call);
    attempt->nth += 1 + (alloc_loop_is_whole() ? 0 : attempt->nth / 8);
  }
  return true;
}
